# SPDX-License-Identifier: Apache-2.0
"""A coarse placement of an ECP5 netlist before it is packed: about where each cell would lie.

After ePlace (Lu and others, ACM TODAES 20(2), 2015). Wires pull their cells together; their lengths
are smoothed so that they have a gradient (weighted average: Hsu and others, DAC 2011). Where there
are more cells of a kind than the part has room for, these push all cells of the kind away, as
charges would: by the gradient of a potential, found with a Fourier transform. The push grows from
next to nothing, and Nesterov's method makes both together small.

ePlace takes every cell for a charge, and fills what may stay empty with cells of no use. Here only
what is too many in a bin is a charge, so what has room stays where its wires want it.

Positions are tiles of the LFE5U-85F: a column and a row, as fractions.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from wirecache.flow.placement.exchanges import Floats, Ints

COLUMNS, ROWS = 126.0, 95.0
WIDEST = 1000  # pins of a wire that counts; the clock and the reset have more


@dataclass(frozen=True)
class Kind:
    """Cells that need the same kind of site."""

    sizes: Mapping[str, int]  # sites that a cell of a type takes
    room: float  # sites of the whole part that may be taken
    bins: tuple[int, int]  # columns and rows of bins in which they are counted
    push: float  # how strongly they push, so that all kinds find room at the same time


LOGIC_SITES, RAM_SITES = 83_640, 208
RAM = "DP16KD"
TABLES = {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}
KINDS = (
    Kind(TABLES, 0.8 * LOGIC_SITES, (64, 48), 1.0),
    Kind({"TRELLIS_FF": 1}, 0.8 * LOGIC_SITES, (64, 48), 1.0),
    Kind({RAM: 1}, 0.98 * RAM_SITES, (16, 12), 3000.0),
)
ENOUGH = 0.2  # of the cells of each kind, how many may find no room at the end
FIRST_PUSH, GROWTH = 0.01, 1.02  # of what wires pull; in each step
FARTHEST = 6.0  # tiles that a cell goes in a step
STEPS = 3000  # at most; some 700 are enough for the core


class _Wires:
    """The nets: `pin` has the cells of the first one, then those of the next, and so on."""

    def __init__(self, cells: Mapping[str, Any]) -> None:
        nets: dict[int, dict[int, None]] = defaultdict(dict)  # the cells of each, in order
        for i, cell in enumerate(cells.values()):
            for bits in cell["connections"].values():
                for bit in bits:
                    if isinstance(bit, int):
                        nets[bit][i] = None
        counted = [list(pins) for pins in nets.values() if 1 < len(pins) <= WIDEST]
        self.count = len(cells)
        self.pin = np.array([cell for pins in counted for cell in pins], np.int64)
        size = np.array([len(pins) for pins in counted], np.int64)
        self.first = np.cumsum(size) - size
        self.net = np.repeat(np.arange(len(size)), size)
        self.pins = np.bincount(self.pin, minlength=self.count)  # of each cell

    def gradient(self, at: Floats, smooth: float) -> Floats:
        """Of their smoothed length on one axis; an end counts as far as `smooth` tiles inside."""
        pins, first, net = at[self.pin], self.first, self.net
        pull = np.zeros(len(pins))
        for sign in (1.0, -1.0):  # the upper end, the lower one
            ends = sign * pins
            weight = np.exp((ends - np.maximum.reduceat(ends, first)[net]) / smooth)
            total = np.add.reduceat(weight, first)
            mean = (np.add.reduceat(weight * ends, first) / total)[net]
            pull += sign * weight / total[net] * (1 + (ends - mean) / smooth)
        return np.bincount(self.pin, pull, self.count).astype(np.float64)


class _Crowd:
    """The cells of a kind, and how they push each other."""

    def __init__(self, kind: Kind, types: list[str]) -> None:
        size = np.array([kind.sizes.get(t, 0) for t in types], float)
        self.cells = np.nonzero(size)[0]
        self.size, self.push, self.bins = size[self.cells], kind.push, kind.bins
        self.tiles = (COLUMNS / kind.bins[0], ROWS / kind.bins[1])  # of a bin
        self.room = kind.room / (kind.bins[0] * kind.bins[1])
        waves = [np.pi * np.arange(2 * n) / n for n in kind.bins]
        waves = [np.minimum(w, 2 * np.pi - w) for w in waves]
        across, down = waves[0] / self.tiles[0], waves[1] / self.tiles[1]
        self.square = across[:, None] ** 2 + down[None, : kind.bins[1] + 1] ** 2
        self.square[0, 0] = 1.0

    def pushed(self, at: Floats) -> tuple[Floats, float]:
        """The gradient for each of its cells, and how much of them finds no room."""
        low: list[Ints] = []
        part: list[Floats] = []
        for axis in (0, 1):
            place = at[axis, self.cells] / self.tiles[axis] - 0.5
            place = np.clip(place, 0, self.bins[axis] - 1.001)
            low.append(place.astype(np.int64))
            part.append(place - low[axis])
        # Each cell counts in the four bins around it.
        corners = [
            (
                (low[0] + i) * self.bins[1] + low[1] + j,
                abs(1 - i - part[0]) * abs(1 - j - part[1]),
            )
            for i in (0, 1)
            for j in (0, 1)
        ]
        count = self.bins[0] * self.bins[1]
        found = sum(np.bincount(where, self.size * share, count) for where, share in corners)
        over = np.maximum(found - self.room, 0).reshape(self.bins)
        # Nothing flows over the part's edges: as if it were mirrored there.
        mirrored = np.block([[over, over[:, ::-1]], [over[::-1], over[::-1, ::-1]]])
        potential = np.fft.irfft2(np.fft.rfft2(mirrored) / self.square, mirrored.shape)
        potential = potential[: self.bins[0], : self.bins[1]]
        push = np.empty((2, len(self.cells)))
        for axis in (0, 1):
            slope = (np.gradient(potential, axis=axis) / self.tiles[axis]).ravel()
            push[axis] = sum(slope[where] * share for where, share in corners)
        return self.push * self.size * push, float(over.sum() / max(self.size.sum(), 1.0))


def spread(cells: Mapping[str, Any], seed: int = 1) -> Floats:
    """Where each cell of a flat netlist lies: a row of columns, and one of rows.

    The same netlist and seed give the same places. A minute for the core.
    """
    wires = _Wires(cells)
    types = [cell["type"] for cell in cells.values()]
    crowds = [crowd for kind in KINDS if len((crowd := _Crowd(kind, types)).cells)]
    middle = np.array([[COLUMNS / 2], [ROWS / 2]])
    edge = 2 * middle - 1
    taken = middle + np.random.default_rng(seed).normal(0, 1, (2, len(types)))
    ahead, momentum, push = taken, 1.0, 0.0
    last: tuple[Floats, Floats] | None = None
    over = 1.0
    for _ in range(STEPS):
        smooth = 16 * 10 ** (20 / 9 * (over - 0.1) - 1)  # tiles: less as there is less to be done
        slope = np.stack([wires.gradient(axis, smooth) for axis in ahead])
        pushed = np.zeros_like(slope)
        over = 0.0
        for crowd in crowds:
            gradient, crowded = crowd.pushed(ahead)
            pushed[:, crowd.cells] += gradient
            over = max(over, crowded)
        if over <= ENOUGH:
            break
        if push == 0.0:
            push = FIRST_PUSH * float(abs(slope).sum() / abs(pushed).sum())
        slope = (slope + push * pushed) / np.maximum(wires.pins, 1)
        # As long a step as the change of the slope since the last one lets seem right.
        most = FARTHEST / max(float(abs(slope).max()), 1e-12)
        if last is None:
            size = most / 2
        else:
            bend = _length(slope - last[1])
            size = min(_length(ahead - last[0]) / max(bend, 1e-12), most)
        last = ahead, slope
        before, taken = taken, np.clip(ahead - size * slope, 1, edge)
        faster = (1 + math.sqrt(4 * momentum**2 + 1)) / 2
        ahead = np.clip(taken + (momentum - 1) / faster * (taken - before), 1, edge)
        momentum = faster
        push *= GROWTH
    return taken


def _length(vector: Floats) -> float:
    """Of a vector, added up in the same order on every machine. (numpy's own hands it to a library
    that sums as the processor likes it best, and here all that follows hangs on the last bit.)"""
    return math.sqrt(float((vector * vector).sum()))
