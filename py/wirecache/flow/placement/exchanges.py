# SPDX-License-Identifier: Apache-2.0
"""Exchanges of what two sites of a placement have, compiled (numba): rules, and tries at random.

Everything is numbered: cells, units (what moves as one), tiles, nets; -1 is none. The rules of a
tile are a subset of nextpnr's.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_F = TypeVar("_F", bound=Callable[..., Any])


class Kind(Enum):
    """What moves as one."""

    TABLE = 0  # a look-up table alone
    REGISTER = 1  # a register fed through routing (its input M)
    PAIR = 2  # a table and the register behind it, in one site
    WIDE = 3  # two tables and the multiplexer behind them, a slice's two sites


TABLE, REGISTER, WIDE = Kind.TABLE.value, Kind.REGISTER.value, Kind.WIDE.value
SITES = 8  # of a tile, each with a table and a register
MOST_MOVES = 4  # of an exchange
WIDEST = 40  # pins of a net that says where a unit would like to be
MOST_WIRES = 24  # of a unit that do


def compiled(function: _F) -> _F:
    return cast(_F, numba.njit(cache=True)(function))


class Tiles(NamedTuple):
    """The tiles with logic, and what each site of them has now."""

    at: Ints  # [column, row] -> tile
    x: Ints
    y: Ints
    blocked: NDArray[np.bool_]  # no register that moves goes there
    table: Ints  # [tile, site] -> cell
    register: Ints


class Cells(NamedTuple):
    """The cells, and where they are now. Of what has no site in a slice, place and unit alone."""

    x: Ints
    y: Ints
    tile: Ints
    site: Ints
    unit: Ints
    reset: Ints  # of registers, else -1
    control: Ints
    takes_m: NDArray[np.bool_]


class Units(NamedTuple):
    kind: Ints
    lead: Ints  # its table, or its register
    second: Ints
    register: Ints


class Nets(NamedTuple):
    first: Ints  # cells of net n are cell[first[n]:first[n + 1]]
    cell: Ints
    first_of: Ints  # nets of cell c are net[first_of[c]:first_of[c + 1]]
    net: Ints


@compiled
def length(nets: Nets, net: int, cells: Cells) -> int:
    """Half the circumference of the box around a net, in tiles."""
    start = nets.first[net]
    cell = nets.cell[start]
    left = right = cells.x[cell]
    low = high = cells.y[cell]
    for i in range(start + 1, nets.first[net + 1]):
        cell = nets.cell[i]
        x, y = cells.x[cell], cells.y[cell]
        left, right = min(left, x), max(right, x)
        low, high = min(low, y), max(high, y)
    return int(right - left + high - low)


@compiled
def lengths(nets: Nets, cells: Cells) -> Floats:
    out = np.zeros(len(nets.first) - 1)
    for net in range(len(out)):
        out[net] = length(nets, net, cells)
    return out


@compiled
def _is_of(units: Units, cells: Cells, cell: int, kind: int) -> bool:
    unit = cells.unit[cell]
    return bool(unit >= 0 and units.kind[unit] == kind)


@compiled
def _registers_fit(tiles: Tiles, cells: Cells, tile: int, site: int, register: int) -> bool:
    """Whether the tile's registers would share a reset, and a slice's two all controls."""
    reset = -1
    for k in range(SITES):
        cell = register if k == site else tiles.register[tile, k]
        if cell >= 0:
            if reset >= 0 and cells.reset[cell] != reset:
                return False
            reset = cells.reset[cell]
    other = tiles.register[tile, site ^ 1]
    return bool(register < 0 or other < 0 or cells.control[register] == cells.control[other])


@compiled
def _wish(cells: Cells, nets: Nets, lead: int, box: Ints) -> tuple[int, int]:
    """The place nearest to a cell among those where its wires are shortest: in the middle of the
    boxes that its nets have without it."""
    count = 0
    start = nets.first_of[lead]
    for j in range(start, min(nets.first_of[lead + 1], start + MOST_WIRES)):
        net = nets.net[j]
        if nets.first[net + 1] - nets.first[net] > WIDEST:
            continue
        left, right, low, high = 1 << 30, -1, 1 << 30, -1
        for i in range(nets.first[net], nets.first[net + 1]):
            cell = nets.cell[i]
            if cells.tile[cell] != cells.tile[lead]:
                x, y = cells.x[cell], cells.y[cell]
                left, right = min(left, x), max(right, x)
                low, high = min(low, y), max(high, y)
        if right < 0:
            continue
        for axis, edges in ((0, (left, right)), (1, (low, high))):
            for k in range(2):  # put where it belongs among those that are there
                i = count + k
                while i > 0 and box[axis, i - 1] > edges[k]:
                    box[axis, i] = box[axis, i - 1]
                    i -= 1
                box[axis, i] = edges[k]
        count += 2
    x, y = cells.x[lead], cells.y[lead]
    if count:
        x = min(max(x, box[0, count // 2 - 1]), box[0, count // 2])
        y = min(max(y, box[1, count // 2 - 1]), box[1, count // 2])
    return int(x), int(y)


@compiled
def find_moves(
    tiles: Tiles, cells: Cells, units: Units, unit: int, tile: int, site: int, moves: Ints
) -> int:
    """The moves (cell, tile, site) that put `unit` into another tile, and what is there at its
    place: how many, 0 if that is not legal."""
    kind, lead, register = units.kind[unit], units.lead[unit], units.register[unit]
    home, here = cells.tile[lead], cells.site[lead]
    if tile == home:
        return 0
    table, other = tiles.table[tile, site], tiles.register[tile, site]
    if kind == TABLE:
        if table >= 0 and not _is_of(units, cells, table, TABLE):
            return 0
        if other >= 0 and cells.takes_m[lead]:
            return 0
        other = -1
    elif kind == WIDE:
        site &= ~1
        table = tiles.table[tile, site]
        upper = tiles.table[tile, site + 1]
        if tiles.register[tile, site] >= 0:
            return 0
        if table >= 0 and not _is_of(units, cells, table, TABLE):
            return 0
        if upper >= 0 and not _is_of(units, cells, upper, TABLE):
            return 0
        moves[0] = lead, tile, site
        moves[1] = units.second[unit], tile, site + 1
        count = 2
        for cell, to in ((table, here), (upper, here + 1)):
            if cell >= 0:
                moves[count] = cell, home, to
                count += 1
        return count
    else:
        if tiles.blocked[tile] or (other >= 0 and tiles.blocked[home]):
            return 0
        if kind == REGISTER:
            beside = tiles.table[home, here]
            if other >= 0 and not _is_of(units, cells, other, REGISTER):
                return 0
            if table >= 0 and cells.takes_m[table]:
                return 0
            if other >= 0 and beside >= 0 and cells.takes_m[beside]:
                return 0
            table = -1
        else:
            if table >= 0 and (cells.unit[table] < 0 or _is_of(units, cells, table, WIDE)):
                return 0
            if other >= 0 and cells.unit[other] < 0:
                return 0
        if not _registers_fit(tiles, cells, tile, site, register):
            return 0
        if not _registers_fit(tiles, cells, home, here, other):
            return 0
    moves[0] = lead, tile, site
    count = 1
    if register >= 0 and register != lead:
        moves[1] = register, tile, site
        count = 2
    for cell in (table, other):
        if cell >= 0:
            moves[count] = cell, home, here
            count += 1
    return count


@compiled
def put(tiles: Tiles, cells: Cells, moves: Ints, count: int) -> None:
    for i in range(count):
        cell = moves[i, 0]
        sites = tiles.register if cells.reset[cell] >= 0 else tiles.table
        sites[cells.tile[cell], cells.site[cell]] = -1
    for i in range(count):
        cell, tile, site = moves[i, 0], moves[i, 1], moves[i, 2]
        sites = tiles.register if cells.reset[cell] >= 0 else tiles.table
        sites[tile, site] = cell
        cells.tile[cell], cells.site[cell] = tile, site
        cells.x[cell], cells.y[cell] = tiles.x[tile], tiles.y[tile]


@compiled
def exchange(
    tiles: Tiles,
    cells: Cells,
    units: Units,
    nets: Nets,
    movable: Ints,
    weights: Floats,
    tries: int,
    temperature: float,
    window: int,
    seed: int,
) -> int:
    """Tries to exchange each of the units `movable` at random. Makes each exchange that shortens
    the weighted wires, and one that lengthens them by d tiles with probability
    exp(-d / `temperature`). How many it made.

    Half of them go about where the unit's wires are shortest, half about where it is: `window`
    tiles to each side. Changes `tiles` and `cells`.
    """
    np.random.seed(seed)
    now = lengths(nets, cells) * weights
    seen = np.zeros(len(now), np.int64)  # the try in which a net was met last
    met = np.zeros(len(now), np.int64)
    then = np.zeros(len(now))
    box = np.zeros((2, 2 * MOST_WIRES), np.int64)
    moves = np.zeros((MOST_MOVES, 3), np.int64)
    made = 0
    for turn in range(1, tries + 1):
        unit = movable[np.random.randint(len(movable))]
        lead = units.lead[unit]
        x, y = cells.x[lead], cells.y[lead]
        if np.random.random() < 0.5:
            x, y = _wish(cells, nets, lead, box)
        x += np.random.randint(-window, window + 1)
        y += np.random.randint(-window, window + 1)
        if not (0 <= x < tiles.at.shape[0] and 0 <= y < tiles.at.shape[1]):
            continue
        tile = tiles.at[x, y]
        if tile < 0:
            continue
        count, site = 0, np.random.randint(SITES)
        for k in range(SITES):  # the first site of the tile where it is legal
            count = find_moves(tiles, cells, units, unit, tile, (site + k) % SITES, moves)
            if count:
                break
        if not count:
            continue
        many = 0
        for i in range(count):
            cell = moves[i, 0]
            for j in range(nets.first_of[cell], nets.first_of[cell + 1]):
                net = nets.net[j]
                if seen[net] != turn:
                    seen[net] = turn
                    met[many] = net
                    many += 1
            cells.x[cell], cells.y[cell] = tiles.x[moves[i, 1]], tiles.y[moves[i, 1]]
        more = 0.0
        for i in range(many):
            then[i] = weights[met[i]] * length(nets, met[i], cells)
            more += then[i] - now[met[i]]
        if more <= 0 or (temperature > 0 and np.random.random() < np.exp(-more / temperature)):
            for i in range(many):
                now[met[i]] = then[i]
            put(tiles, cells, moves, count)
            made += 1
        else:
            for i in range(count):
                cell = moves[i, 0]
                cells.x[cell] = tiles.x[cells.tile[cell]]
                cells.y[cell] = tiles.y[cells.tile[cell]]
    return made
