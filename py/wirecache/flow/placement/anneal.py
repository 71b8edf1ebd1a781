# SPDX-License-Identifier: Apache-2.0
"""Shorter wires for a placement on the ECP5, between nextpnr's placer and refine.py.

nextpnr spreads the cells first, and then puts each to the nearest site where its controls have
room: with many small groups of registers that adds a quarter to the wires, and its own last step
takes away half of that. This pass is simulated annealing at low temperatures, as VPR's (Betz, Rose,
Marquardt: Architecture and CAD for Deep-Submicron FPGAs, 1999): exchanges of what two sites have
are tried at random, half of them near to where a cell's wires would be shortest (exchanges.py).
Wires on slow ways count more. Carry chains, RAM and I/O stay where they are. nextpnr checks the
rules again when it reads the result.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wirecache.flow.placement.exchanges import Floats, Ints, Nets, exchange, lengths
from wirecache.flow.placement.placement import Placement

WIDEST = 256  # pins of a net that counts: the length of a larger one hardly changes
FAST_NS = 6.4  # of a way: one of so many ns counts by MORE more, and a slower one soon much more
MORE, STEEP, SLOWEST = 2.0, 8, 1.5
TRIES = 300  # for each unit, in each of
STAGES = ((0.3, 4), (0.0, 3), (0.3, 2), (0.2, 2), (0.0, 2))  # temperature and window, in tiles


@dataclass(frozen=True)
class Annealed:
    """Tiles of wire, of the nets that count, before and after, and how many exchanges were made."""

    before: int
    after: int
    made: int


def anneal(placed: Path, out: Path) -> Annealed:
    """Shortens the wires of the placement in `placed`.

    Deterministic. A minute or two for the core, and for what numba compiles once.
    """
    p = Placement(placed)
    wires = _Wires(p)
    before = wires.tiles()
    parts = (p.tiles, p.cells_at._replace(unit=wires.units), p.units, wires.nets, wires.movable)
    tries = TRIES * len(wires.movable)
    made = 0
    for seed, (temperature, window) in enumerate(STAGES):
        made += exchange(*parts, wires.weights(), tries, temperature, window, seed)
    p.moved()
    p.write(out)
    return Annealed(before, wires.tiles(), made)


class _Wires:
    """The nets of a placement that count, and what may move for them."""

    def __init__(self, p: Placement) -> None:
        self.p = p
        pins: dict[int, dict[int, None]] = defaultdict(dict)  # by the output that drives the net
        arcs: dict[int, list[int]] = defaultdict(list)
        for arc in np.nonzero(p.routed)[0]:
            node = int(p.source[arc])
            arcs[node].append(int(arc))
            pins[node][int(p.node_cell[node])] = None
            pins[node][int(p.target[arc])] = None
        counted = [node for node in pins if 1 < len(pins[node]) <= WIDEST]
        self.arcs, self.first_arc = _joined([arcs[node] for node in counted])
        of_cell: list[list[int]] = [[] for _ in p.names]
        for net, node in enumerate(counted):
            for cell in pins[node]:
                of_cell[cell].append(net)
        cells, first = _joined([list(pins[node]) for node in counted])
        nets, first_of = _joined(of_cell)
        self.nets = Nets(first, cells, first_of, nets)
        # What drives a net that does not count would go anywhere: it stays.
        wide = [int(p.node_cell[node]) for node in pins if len(pins[node]) > WIDEST]
        stays = p.cells_at.unit[wide]
        self.units = np.where(np.isin(p.cells_at.unit, stays), -1, p.cells_at.unit)
        self.movable = np.setdiff1d(np.arange(len(p.units.kind)), stays)

    def tiles(self) -> int:
        return int(lengths(self.nets, self.p.cells_at).sum())

    def weights(self) -> Floats:
        """What a tile of each net counts, by the slowest way through the net as it is now."""
        self.p.analyse()
        slowest = np.maximum.reduceat(self.p.way[self.arcs], self.first_arc[:-1])
        weights: Floats = 1 + MORE * np.clip(slowest / FAST_NS, 0, SLOWEST) ** STEEP
        return weights


def _joined(lists: list[list[int]]) -> tuple[Ints, Ints]:
    """The lists behind one another, and where each begins, with the end of the last."""
    first = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([len(each) for each in lists], out=first[1:])
    return np.array([value for each in lists for value in each], np.int64), first
