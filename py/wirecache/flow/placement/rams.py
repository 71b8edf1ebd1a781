# SPDX-License-Identifier: Apache-2.0
"""Sites of block RAM on the ECP5, chosen before nextpnr places the rest.

nextpnr's electrostatic placer takes block RAM for something that lies anywhere, but the part has it
in four rows only. What it puts between two rows is moved to a free site of one of them at the end,
so that the RAMs of a wide memory end up all over the part, and the wires of all of them with them.

Here RAMs lie near each other that have much to do with each other, through however many tables and
registers. The netlist is taken for a net of resistors, a wire each: the conductance between two
RAMs with no other RAM on the way is how strongly they attract one another. It is great between the
RAMs of a memory, which share an address, and between those that hold the same bits of memories that
exchange words. The sum of attraction times distance is then made small by annealing. The
choice goes into the netlist as nextpnr's attribute BEL.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wirecache.setup import Failure

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RAM = "DP16KD"
# The LFE5U-85F has four RAMs for every nine columns, but for two columns in the middle.
ROWS = (22, 46, 70, 82)
COLUMNS = [
    (first + offset, number)
    for first in (*range(4, 66, 9), *range(69, 123, 9))
    for number, offset in enumerate((0, 2, 4, 6))
]
SITES = [(x, y, number) for y in ROWS for x, number in COLUMNS]

WIDEST = 1000  # pins of a wire that goes over general routing; the clock and the reset have more
LEAK = 0.01  # of what goes through a cell, what is lost: far away in the netlist counts less
AT_ONCE = 12  # RAMs for which potentials are worked out together, which is a matter of memory
CLOSE, ROUNDS = 3e-3, 60  # the potentials' error and the steps at which solving ends
STEPS = 2_000_000  # of annealing
STARTS = 6  # annealings, of which the best is taken


def assign(source: Path, out: Path, steps: int = STEPS) -> int:
    """Writes the flat ECP5 netlist `source` to `out` with a site for each block RAM.

    Returns how many there are. The same netlist gives the same sites.
    """
    design: dict[str, Any] = json.loads(source.read_text())
    module = next(m for m in design["modules"].values() if "top" in m["attributes"])
    cells: dict[str, Any] = module["cells"]
    names, pull = attraction(cells)
    if len(names) > len(SITES):
        raise Failure(f"{len(names)} block RAMs, but the part has {len(SITES)}")
    if len(names) > 1:
        starts = [anneal(pull, seed, steps) for seed in range(STARTS)]
        best = min(starts, key=lambda sites: length(pull, sites))
        for name, site in zip(names, best, strict=True):
            x, y, number = SITES[site]
            cells[name]["attributes"]["BEL"] = f"X{x}/Y{y}/EBR{number}"
    out.write_text(json.dumps(design))
    return len(names)


# ---- how strongly RAMs attract one another -------------------------------------------------------
class _Wires:
    """The netlist as resistors: nodes are cells, and a wire of more than three pins is one too."""

    def __init__(self, cells: Mapping[str, Any]) -> None:
        nets: dict[int, dict[int, None]] = defaultdict(dict)  # the cells of each, in order
        for i, cell in enumerate(cells.values()):
            for bits in cell["connections"].values():
                for bit in bits:
                    if isinstance(bit, int):
                        nets[bit][i] = None
        ends: list[tuple[int, int, float]] = []
        self.nodes = len(cells)
        for pins in nets.values():
            on = list(pins)
            count = len(on)
            if not 1 < count <= WIDEST:
                continue
            if count <= 3:  # between each two of them
                ends += [(on[i], on[j], 1 / (count - 1)) for i in range(count) for j in range(i)]
            else:  # as much between each two, by way of the middle
                ends += [(i, self.nodes, count / (count - 1)) for i in on]
                self.nodes += 1
        one, other = (np.array([e[k] for e in ends], np.int64) for k in (0, 1))
        weight = np.array([w for _, _, w in ends], np.float32)
        head = np.concatenate([other, one])
        order = np.argsort(head, kind="stable")
        self._tail = np.concatenate([one, other])[order]
        self._weight = np.concatenate([weight, weight])[order][:, None]
        self._used, self._first = np.unique(head[order], return_index=True)
        total = np.bincount(head[order], self._weight[:, 0], self.nodes)
        self._total = (total * (1 + LEAK) + 1e-6).astype(np.float32)[:, None]

    def drawn(self, potential: Any) -> Any:
        """What flows to each node from its neighbours, which have the `potential`."""
        flow = np.zeros_like(potential)
        flow[self._used] = np.add.reduceat(potential[self._tail] * self._weight, self._first)
        return flow

    def settled(self, fixed: Ints, held: Any) -> Any:
        """Potentials of all nodes, a column for each case: those of `fixed` are as `held`.

        By conjugate gradients.
        """
        free = np.ones((self.nodes, 1), np.float32)
        free[fixed] = 0
        rest = self.drawn(held) * free
        found = np.zeros_like(rest)
        goal = CLOSE * np.sqrt((rest * rest).sum(0))
        scaled = rest / self._total
        step, gain = scaled.copy(), (rest * scaled).sum(0)
        for _ in range(ROUNDS):
            if (np.sqrt((rest * rest).sum(0)) <= goal).all():
                break
            along = (self._total * step - self.drawn(step)) * free
            size = gain / np.maximum((step * along).sum(0), 1e-30)
            found += size * step
            rest -= size * along
            scaled = rest / self._total
            before, gain = gain, (rest * scaled).sum(0)
            step = scaled + gain / np.maximum(before, 1e-30) * step
        return held + found


def attraction(cells: Mapping[str, Any]) -> tuple[list[str], Floats]:
    """The block RAMs of a netlist, and how strongly each two attract one another."""
    # A buffer of a global net is no wire between what it drives and the rest.
    cells = {n: c for n, c in cells.items() if c["type"] != "DCCA"}
    rams = np.array([i for i, c in enumerate(cells.values()) if c["type"] == RAM], np.int64)
    names = [n for n, c in cells.items() if c["type"] == RAM]
    pull = np.zeros((len(names), len(names)))
    if len(names) > 1:
        wires = _Wires(cells)
        for first in range(0, len(rams), AT_ONCE):
            some = rams[first : first + AT_ONCE]
            held = np.zeros((wires.nodes, len(some)), np.float32)
            held[some, np.arange(len(some))] = 1
            pull[:, first : first + AT_ONCE] = wires.drawn(wires.settled(rams, held))[rams]
    np.fill_diagonal(pull, 0)
    return names, (pull + pull.T) / 2


# ---- where they go -------------------------------------------------------------------------------
def _distances() -> Floats:
    at = np.array([(x, y) for x, y, _ in SITES], float)
    tiles: Floats = abs(at[:, None] - at[None]).sum(2)
    return tiles


def length(pull: Floats, sites: Ints) -> float:
    """What is made small: attraction times distance in tiles, over all pairs."""
    return float((pull * _distances()[np.ix_(sites, sites)]).sum() / 2)


def anneal(pull: Floats, seed: int, steps: int) -> Ints:
    """A site for each RAM, by exchanges of two sites, of which one may be free."""
    rams, count = len(pull), len(SITES)
    rng = np.random.default_rng(seed)
    distance = _distances()
    all_pull = np.zeros((count, count))  # a free site is a RAM that nothing attracts
    all_pull[:rams, :rams] = pull
    site = rng.permutation(count)
    row = distance[site]  # from where each RAM is to every site

    def longer(i: int, j: int) -> float:
        """By how much the length grows when `i` and `j` change places."""
        a, b = site[i], site[j]
        change = (all_pull[i] - all_pull[j]) @ (row[:, b] - row[:, a])
        return float(change + 2 * all_pull[i, j] * distance[a, b])

    hot = np.mean([abs(longer(*rng.choice(count, 2, replace=False))) for _ in range(500)])
    one, other = rng.integers(0, rams, steps), rng.integers(0, count, steps)
    luck = np.log(rng.random(steps))
    for k in range(steps):
        i, j = one[k], other[k]
        if i == j:
            continue
        grows = longer(i, j)
        if grows <= 0 or grows < -luck[k] * hot * math.exp(-9.2 * k / steps):
            site[i], site[j] = site[j], site[i]
            row[i], row[j] = distance[site[i]], distance[site[j]]
    return site[:rams]
