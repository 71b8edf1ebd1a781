# SPDX-License-Identifier: Apache-2.0
"""Timing-driven detailed placement for the ECP5, between nextpnr's placer and its router.

nextpnr's placers give wires weights by how slow their ways are while they spread the cells.
Legalisation then puts single cells wherever their controls have room, some of them tens of tiles
away, and what refines it moves cells by a tile or two and takes a tile of wire for the same delay
everywhere. What is left are a few hundred slow ways in a design that is fast enough everywhere
else.

This pass finds the slow ways (placement.py) and moves the cells on them, one at a time, where that
makes their ways shorter and none too long: into free sites, or in exchange with cells that have
time. Carry chains, RAM and I/O stay where they are. nextpnr checks the rules again when it reads
the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from wirecache.flow.placement.exchanges import Floats, Ints
from wirecache.flow.placement.placement import NEVER, Placement, Site, Unit, wire

TARGET_NS = 5.6  # what is aimed at: the router adds up to a tenth to some ways


class _Cost:
    """How slow the ways through a unit are, for every place it could have.

    The cost of a place is the sum over the ways through the unit of exp(ns / `tau`), which counts
    the slowest and what is nearly as slow. Ways through a table are all pairs of a wire in and a
    wire out, so their sum is a product. With it comes the slowest way's time.
    """

    def __init__(self, p: Placement, worst: float, tau: float, delay: Callable[[Any], Any]) -> None:
        self.p, self.worst, self.tau, self.delay = p, worst, tau, delay

    def _group(
        self, wires: list[tuple[int, int, float]], inward: bool, at: tuple[Ints, Ints]
    ) -> tuple[Floats, Floats]:
        """Of a group of wires, per place: the sum, and the slowest with the true wire delay."""
        p = self.p
        none = np.zeros(len(at[0])), np.full(len(at[0]), NEVER)
        if not wires:
            return none
        arcs = np.array([arc for _, arc, _ in wires])
        outside = p.arrival[p.source[arcs]] if inward else p.behind[arcs]
        outside = outside + np.array([inside for _, _, inside in wires])
        keep = outside > NEVER / 2
        if not keep.any():
            return none
        cells = np.array([cell for cell, _, _ in wires])[keep]
        outside = outside[keep]
        tiles = abs(at[0][:, None] - p.x[cells]) + abs(at[1][:, None] - p.y[cells])
        slowest = (outside + wire(tiles)).max(1)
        return np.exp((outside + self.delay(tiles)) / self.tau).sum(1), slowest

    def __call__(self, unit: Unit, at: tuple[Ints, Ints]) -> tuple[Floats, Floats]:
        pins = self.p.pins(unit)
        into, slow_in = self._group(pins.into, True, at)
        out, slow_out = self._group(pins.out_of, False, at)
        ends, slow_end = self._group(pins.ends, True, at)
        launched, slow_launched = self._group(pins.launched, False, at)
        scale = np.exp(-self.worst / self.tau)
        cost = (into * out + ends + launched) * scale
        slowest = np.maximum(np.maximum(slow_in + slow_out, slow_end), slow_launched)
        return cost, slowest


@dataclass(frozen=True)
class Refined:
    """Estimates (ns) of the slowest way before and after, and how many moves were tried."""

    before_ns: float
    after_ns: float
    moves: int


def refine(placed: Path, out: Path, target_ns: float, rounds: int = 120) -> Refined:
    """Moves what is on ways slower than `target_ns` (estimated) of the placement in `placed`.

    Deterministic. A minute or two for the core. Returns what the estimate gained; `out` is always
    written, with the best placement seen.
    """
    p = Placement(placed)
    p.analyse()
    before = best = float(p.way.max())
    best_score = _score(p, target_ns)
    best_sites = list(p.site)
    order = np.random.default_rng(1)
    total = 0
    stale = 0
    for turn in range(rounds):
        # Straight wires first: with them a way's cells slide along it; then wires as they are.
        straight = turn % 24 < 12
        tau = (0.5, 0.25, 0.12)[min(turn // 24, 2)]
        total += _round(p, target_ns, tau, straight, order, REACH_NS + stale * WIDER_NS)
        p.analyse()
        score = _score(p, target_ns)
        if score < best_score:
            best_score, best, best_sites, stale = score, float(p.way.max()), list(p.site), 0
        else:
            stale += 1
        if best <= target_ns or stale > 30:
            break
    _restore(p, best_sites)
    p.write(out)
    return Refined(before, best, total)


def _score(p: Placement, target: float) -> tuple[float, float]:
    """By how much the ways miss the target, first the ones that miss it by much."""
    over = np.maximum(p.way - target, 0.0)
    return round(float((over**3).sum()), 3), float(over.sum())


def _restore(p: Placement, sites: list[Site | None]) -> None:
    moves = [(c, s) for c, s in enumerate(sites) if s is not None and s != p.site[c]]
    p.apply(moves)
    p.analyse()


REACH_NS = 1.5  # of the slowest way: what is looked at in a round,
WIDER_NS = 0.25  # and more for each round that has not made the slowest ones faster
REACH = 3  # tiles around the box of a unit's neighbours that are looked at
TRIES = 100  # of the best tiles
MOST_PINS = 1000  # of a unit that is moved


def _round(
    p: Placement,
    target: float,
    tau: float,
    straight: bool,
    order: np.random.Generator,
    reach: float,
) -> int:
    """Moves what is on the ways within `reach` ns of the slowest; how many exchanges it made."""
    worst = float(p.way.max())
    floor = max(target - 0.1, worst - reach)
    hot = np.nonzero((p.way > floor) & p.routed)[0]
    hot = hot[np.argsort(-p.way[hot])]
    units: dict[Unit, None] = {}
    for arc in hot:
        for cell in (int(p.node_cell[p.source[arc]]), int(p.target[arc])):
            unit = p.unit[cell]
            if unit is not None:
                units.setdefault(unit)
    cost = _Cost(p, worst, tau, (lambda tiles: 0.055 * tiles) if straight else wire)
    touched: set[int] = set()
    moved = 0
    for unit in units:
        if touched.isdisjoint(unit.cells):
            moves = _improve(p, unit, cost, target, touched, order)
            if moves:
                p.apply(moves)
                moved += 1
                for cell, _ in moves:
                    there = p.unit[cell]
                    assert there is not None
                    touched.update(there.cells)
                    touched.update(
                        other for other, arc, _ in p.pins(there).all() if p.way[arc] > target - 1.0
                    )
    return moved


def _improve(
    p: Placement,
    unit: Unit,
    cost: _Cost,
    target: float,
    touched: set[int],
    order: np.random.Generator,
) -> list[tuple[int, Site]] | None:
    """The best legal exchange found that makes the ways through `unit` faster, if there is one."""
    pins = list(p.pins(unit).all())
    if not pins or len(pins) > MOST_PINS:
        return None
    home = p.site[unit.cells[0]]
    assert home is not None
    slow = [cell for cell, arc, _ in pins if p.way[arc] > target - 0.6] or [c for c, _, _ in pins]
    box = [
        (max(1, min(int(axis[slow].min()), home[k]) - REACH), max(int(axis[slow].max()), home[k]))
        for k, axis in enumerate((p.x, p.y))
    ]
    columns = np.arange(box[0][0], min(box[0][1] + REACH + 1, p.logic.shape[0]))
    rows = np.arange(box[1][0], min(box[1][1] + REACH + 1, p.logic.shape[1]))
    at_x, at_y = (v.ravel() for v in np.meshgrid(columns, rows, indexing="ij"))
    logic = p.logic[at_x, at_y]
    at_x, at_y = at_x[logic], at_y[logic]
    here = np.array([home[0]]), np.array([home[1]])
    now, slowest_now = (float(v[0]) for v in cost(unit, here))
    then, slowest = cost(unit, (at_x, at_y))
    # What is fast enough may get slower up to a quarter ns below the target, the rest may not.
    low = target - 0.25
    good = np.nonzero((then < 0.999 * now) & (slowest <= max(slowest_now, low)))[0]
    for k in good[np.argsort(then[good])][:TRIES]:
        tile = int(at_x[k]), int(at_y[k])
        if tile == home[:2]:
            continue
        for part in order.permutation(8):
            moves = p.exchange(unit, (*tile, int(part)))
            if moves is None:
                continue
            others = {c for c, _ in moves} - set(unit.cells)
            if touched.isdisjoint(others) and _gains(p, moves, cost, low):
                return moves
    return None


def _gains(p: Placement, moves: list[tuple[int, Site]], cost: _Cost, low: float) -> bool:
    """Whether all that `moves` moves is faster together, and nothing too slow, with them made."""
    units = dict.fromkeys(u for c, _ in moves if (u := p.unit[c]) is not None)

    def now() -> list[tuple[float, float]]:
        found = []
        for each in units:
            where = p.site[each.cells[0]]
            assert where is not None
            total, slowest = cost(each, (np.array([where[0]]), np.array([where[1]])))
            found.append((float(total[0]), float(slowest[0])))
        return found

    before = now()
    back = [(c, s) for c, _ in moves if (s := p.site[c]) is not None]
    p.apply(moves)
    after = now()
    p.apply(back)
    if any(s > max(was, low) for (_, was), (_, s) in zip(before, after, strict=True)):
        return False
    return sum(c for c, _ in after) < sum(c for c, _ in before)
