# SPDX-License-Identifier: Apache-2.0
"""A placement of nextpnr's for the ECP5: where its cells are, how slow its ways are, what may move.

Read from what `nextpnr --no-route --write` left, and written for `nextpnr --no-pack`. Wires are as
slow as the router makes them, by a fit; the rules of a tile are those of exchanges.py.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from wirecache.flow.placement.exchanges import (
    MOST_MOVES,
    SITES,
    Cells,
    Ints,
    Kind,
    Tiles,
    Units,
    find_moves,
)

# Delays in ns of the LFE5U, speed 8, as nextpnr's timing reports name them; but into a carry chain
# it is 0.355 there, and ways through chains come out of the router slower than estimated with that.
CLOCK_TO_Q = {"TRELLIS_FF": 0.395, "DP16KD": 3.99}
LUT, CARRY_IN, CARRY_STEP, CARRY_SUM = 0.18, 0.5, 0.056, 0.328
WIDE_OUTPUT = {"F1": 0.126, "M": 0.193, "FXA": 0.179, "FXB": 0.179}
SETUP = {"LSR": 0.287, "WRE": 0.266}
NEVER = -50.0  # arrival of a constant, delay behind what ends nowhere

CLOCKS = {"CLK", "WCK", "CLKA", "CLKB", "CLKI"}
# Inputs inside a slice or a column of slices: no general routing.
DEDICATED = {"F1", "FXA", "FXB", "FCI", "DI", "WD", "WAD0", "WAD1", "WAD2", "WAD3"}
LOCKED = f"{5:032b}"  # nextpnr's STRENGTH_LOCKED


def wire(tiles: Any) -> Any:
    """Delay (ns) of a wire of so many tiles, both axes added.

    Chosen between what half and nine tenths of the wires of two routed cores stay under. Of the
    whole, test_place.py asks that the slowest way be within 15 % of the routed one.
    """
    return np.where(tiles <= 5, 0.42 + 0.1 * tiles, 0.92 + 0.042 * (tiles - 5))


Site = tuple[int, int, int]  # column, row, and which of a tile's eight


@dataclass(frozen=True)
class Unit:
    kind: Kind
    table: int | None  # a wide function's first
    register: int | None
    second: int | None = None  # a wide function's second table

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(c for c in (self.table, self.second, self.register) if c is not None)


class Pins:
    """A unit's wires: where they go, and the time outside of the unit on the ways through them."""

    __slots__ = ("ends", "into", "launched", "out_of")

    def __init__(self) -> None:
        # (the other cell, the arc, ns in the unit)
        self.into: list[tuple[int, int, float]] = []  # to a table, and on through it
        self.out_of: list[tuple[int, int, float]] = []  # from a table
        self.ends: list[tuple[int, int, float]] = []  # to a register
        self.launched: list[tuple[int, int, float]] = []  # from a register

    def all(self) -> Iterable[tuple[int, int, float]]:
        return (*self.into, *self.out_of, *self.ends, *self.launched)


class Placement:
    """A placed netlist of nextpnr's: its timing graph, its sites, and what may move."""

    def __init__(self, file: Path) -> None:
        self.design: dict[str, Any] = json.loads(file.read_text())
        self.module = self.design["modules"]["top"]
        self.cells: dict[str, Any] = self.module["cells"]
        self.names = list(self.cells)
        self.types = [c["type"] for c in self.cells.values()]
        self.x = np.zeros(len(self.names), np.int64)
        self.y = np.zeros(len(self.names), np.int64)
        self.site: list[Site | None] = [None] * len(self.names)
        bel = re.compile(r"X(\d+)/Y(\d+)/(?:SLICE([A-D])\.(K|FF)([01]))?")
        for i, cell in enumerate(self.cells.values()):
            found = bel.match(cell["attributes"]["NEXTPNR_BEL"])
            assert found, cell["attributes"]["NEXTPNR_BEL"]
            self.x[i], self.y[i] = int(found[1]), int(found[2])
            if found[3]:
                here = (int(found[1]), int(found[2]), 2 * "ABCD".index(found[3]) + int(found[5]))
                self.site[i] = here
        self._timing()
        self._units()
        self._number()

    # ---- timing ----------------------------------------------------------------------------------
    def _timing(self) -> None:
        driver: dict[int, tuple[int, str]] = {}
        for i, cell in enumerate(self.cells.values()):
            for port, bits in cell["connections"].items():
                if bits and cell["port_directions"][port] == "output":
                    driver[bits[0]] = (i, port)
        node: dict[tuple[int, str], int] = {}
        self.driver = driver
        source: list[int] = []
        target: list[int] = []
        routed: list[bool] = []
        edges: list[tuple[int, int, float]] = []  # arc, node, ns
        ends: list[tuple[int, float]] = []  # arc, setup
        self.port: list[str] = []
        launch: dict[int, float] = {}

        def number(pin: tuple[int, str]) -> int:
            return node.setdefault(pin, len(node))

        for i, cell in enumerate(self.cells.values()):
            kind, ports = self.types[i], cell["connections"]
            outputs = [p for p, b in ports.items() if b and cell["port_directions"][p] == "output"]
            for port in outputs:
                launch[number((i, port))] = CLOCK_TO_Q.get(kind, NEVER)
            for port, bits in ports.items():
                if not bits or cell["port_directions"][port] != "input" or port in CLOCKS:
                    continue
                if bits[0] not in driver:
                    continue
                arc = len(source)
                source.append(number(driver[bits[0]]))
                target.append(i)
                routed.append(port not in DEDICATED)
                self.port.append(port)
                if kind == "TRELLIS_COMB" and not port.startswith("W"):
                    for out in outputs:
                        delay = self._through(cell, port, out)
                        if delay is not None:
                            edges.append((arc, number((i, out)), delay))
                else:
                    ends.append((arc, SETUP.get(port, 0.0)))
        self.source, self.target = np.array(source), np.array(target)
        self.routed = np.array(routed)
        count = len(node)
        self.node_cell = np.zeros(count, np.int64)
        for (i, _), k in node.items():
            self.node_cell[k] = i
        self.launch = np.array([launch[k] for k in range(count)])
        self.end_arc = np.array([a for a, _ in ends])
        self.end_setup = np.array([s for _, s in ends])
        arcs = np.array([a for a, _, _ in edges])
        head = np.array([n for _, n, _ in edges])
        ns = np.array([d for _, _, d in edges])
        level = np.zeros(count, np.int64)
        tail = self.source[arcs]
        for _ in range(count):
            deeper = level.copy()
            np.maximum.at(deeper, head, level[tail] + 1)
            if (deeper == level).all():
                break
            level = deeper
        order = np.argsort(level[head], kind="stable")
        self.edge_arc, self.edge_node, self.edge_delay = arcs[order], head[order], ns[order]
        self.edge_source = self.source[self.edge_arc]
        cuts = np.searchsorted(level[self.edge_node], np.arange(1, level.max() + 2))
        self.levels = [slice(a, b) for a, b in pairwise([0, *cuts]) if b > a]

    @staticmethod
    def _through(cell: Any, port: str, out: str) -> float | None:
        """Delay of a table from an input to an output; None where there is no way."""
        if out == "FCO" and port == "FCI":  # a step takes in both tables of a slice
            return CARRY_STEP if cell["attributes"]["NEXTPNR_BEL"].endswith("0") else 0.0
        if out == "FCO":
            return CARRY_IN
        if out == "OFX":
            return WIDE_OUTPUT.get(port, LUT + WIDE_OUTPUT["F1"])
        if port in WIDE_OUTPUT:
            return None
        return CARRY_SUM if port == "FCI" else LUT

    def analyse(self) -> None:
        """Static timing: `arrival` at each output, `behind` each wire, the `way` through it."""
        tiles = abs(self.x[self.node_cell[self.source]] - self.x[self.target])
        tiles += abs(self.y[self.node_cell[self.source]] - self.y[self.target])
        delay = np.where(self.routed, wire(tiles), 0.0)
        arrival = self.launch.copy()
        for part in self.levels:
            arc = self.edge_arc[part]
            at = arrival[self.edge_source[part]] + delay[arc] + self.edge_delay[part]
            np.maximum.at(arrival, self.edge_node[part], at)
        behind = np.full(len(self.source), NEVER)
        np.maximum.at(behind, self.end_arc, self.end_setup)
        tail = np.full(len(self.launch), NEVER)
        np.maximum.at(tail, self.source[self.end_arc], delay[self.end_arc] + self.end_setup)
        for part in reversed(self.levels):
            arc = self.edge_arc[part]
            rest = self.edge_delay[part] + tail[self.edge_node[part]]
            np.maximum.at(behind, arc, rest)
            np.maximum.at(tail, self.source[arc], delay[arc] + rest)
        self.arrival, self.behind = arrival, behind
        self.way = arrival[self.source] + delay + behind

    # ---- what moves ------------------------------------------------------------------------------
    def _units(self) -> None:
        cells = list(self.cells.values())
        count = len(cells)
        self.unit: list[Unit | None] = [None] * count
        self.blocked: set[tuple[int, int]] = set()  # tiles with RAM: its write enable is a reset
        self.reset: list[Any] = [None] * count
        self.control: list[Any] = [None] * count
        self.takes_m = [False] * count

        def driven(bits: list[int]) -> int:
            return self.driver[bits[0]][0]

        seconds = {
            driven(c["connections"]["F1"]): i
            for i, c in enumerate(cells)
            if self.types[i] == "TRELLIS_COMB" and c["connections"].get("F1")
        }
        behind: dict[int, list[int]] = defaultdict(list)  # table -> registers on its DI
        for i, cell in enumerate(cells):
            ports, settings = cell["connections"], cell["parameters"]
            self.takes_m[i] = bool(ports.get("M"))
            if self.types[i] == "TRELLIS_FF":
                clock = (tuple(ports.get("CLK") or ()), settings.get("CLKMUX"))
                reset = (tuple(ports.get("LSR") or ()), settings.get("LSRMUX"))
                self.reset[i] = (clock, reset, settings.get("SRMODE"))
                enable = (tuple(ports.get("CE") or ()), settings.get("CEMUX"))
                self.control[i] = (enable, self.reset[i])
                if ports.get("DI"):
                    behind[driven(ports["DI"])].append(i)
                else:
                    self.unit[i] = Unit(Kind.REGISTER, None, i)
        for i, cell in enumerate(cells):
            if self.types[i] != "TRELLIS_COMB":
                continue
            ports, mode = cell["connections"], cell["parameters"].get("MODE")
            if mode in ("DPRAM", "RAMW_BLOCK"):
                self.blocked.add((int(self.x[i]), int(self.y[i])))
            if mode is not None or ports.get("FXA"):
                continue
            if i in seconds or (ports.get("F1") and behind[i]):
                continue
            if ports.get("F1"):
                second = driven(ports["F1"])
                if cells[second]["parameters"].get("MODE") is None and not behind[second]:
                    unit = Unit(Kind.WIDE, i, None, second)
                    self.unit[i] = self.unit[second] = unit
            elif not behind[i]:
                self.unit[i] = Unit(Kind.TABLE, i, None)
            elif len(behind[i]) == 1:
                register = behind[i][0]
                self.unit[i] = self.unit[register] = Unit(Kind.PAIR, i, register)
        into: dict[int, list[int]] = defaultdict(list)
        out_of: dict[int, list[int]] = defaultdict(list)
        for arc in np.nonzero(self.routed)[0]:
            into[int(self.target[arc])].append(int(arc))
            out_of[int(self.node_cell[self.source[arc]])].append(int(arc))
        self._into, self._out_of = into, out_of
        self._pins: dict[Unit, Pins] = {}

    def _number(self) -> None:
        """The same in numbers, for exchanges.py."""
        used = [(i, site) for i, site in enumerate(self.site) if site is not None]
        self.logic = np.zeros((int(self.x.max()) + 2, int(self.y.max()) + 2), bool)
        for _, (column, row, _) in used:
            self.logic[column, row] = True
        x, y = (np.ascontiguousarray(axis) for axis in np.nonzero(self.logic))
        at = np.full(self.logic.shape, -1)
        at[x, y] = np.arange(len(x))
        blocked = np.zeros(len(x), bool)
        blocked[[at[place] for place in self.blocked]] = True
        empty = np.full((len(x), SITES), -1)
        self.tiles = Tiles(at, x, y, blocked, table=empty, register=empty.copy())
        units = list(dict.fromkeys(unit for unit in self.unit if unit is not None))
        self.number = {unit: i for i, unit in enumerate(units)}
        self.units = Units(
            kind=np.array([unit.kind.value for unit in units]),
            lead=np.array([unit.cells[0] for unit in units]),
            second=_numbers(unit.second for unit in units),
            register=_numbers(unit.register for unit in units),
        )
        self.cells_at = Cells(
            x=self.x,
            y=self.y,
            tile=_numbers(None if s is None else at[s[:2]] for s in self.site),
            site=_numbers(None if s is None else s[2] for s in self.site),
            unit=_numbers(None if unit is None else self.number[unit] for unit in self.unit),
            reset=_classes(self.reset),
            control=_classes(self.control),
            takes_m=np.array(self.takes_m),
        )
        for cell, (column, row, part) in used:
            self._sites(cell)[at[column, row], part] = cell
        self._moves = np.zeros((MOST_MOVES, 3), np.int64)

    def _sites(self, cell: int) -> Ints:
        return self.tiles.table if self.reset[cell] is None else self.tiles.register

    def pins(self, unit: Unit) -> Pins:
        if unit in self._pins:
            return self._pins[unit]
        pins = self._pins[unit] = Pins()
        for cell in unit.cells:
            register = self.types[cell] == "TRELLIS_FF"
            for arc in self._into[cell]:
                other = int(self.node_cell[self.source[arc]])
                if other in unit.cells:
                    continue
                if register:
                    pins.ends.append((other, arc, SETUP.get(self.port[arc], 0.0)))
                elif unit.kind is Kind.PAIR:
                    pins.ends.append((other, arc, LUT))
                    pins.into.append((other, arc, LUT))
                elif unit.kind is Kind.WIDE:
                    inside = WIDE_OUTPUT["M"] if self.port[arc] == "M" else LUT + WIDE_OUTPUT["F1"]
                    pins.into.append((other, arc, inside))
                else:
                    pins.into.append((other, arc, LUT))
            for arc in self._out_of[cell]:
                other = int(self.target[arc])
                if other in unit.cells:
                    continue
                if register:
                    pins.launched.append((other, arc, CLOCK_TO_Q["TRELLIS_FF"]))
                else:
                    pins.out_of.append((other, arc, 0.0))
        return pins

    # ---- moves -----------------------------------------------------------------------------------
    def exchange(self, unit: Unit, to: Site) -> list[tuple[int, Site]] | None:
        """The moves that put `unit` at `to`, in another tile, and what is there at its place; None
        if that is not legal."""
        here, tile = (self.tiles, self.cells_at, self.units), self.tiles.at[to[:2]]
        count = find_moves(*here, self.number[unit], tile, to[2], self._moves)
        moves = self._moves[:count].tolist()
        return [(cell, self._site(tile, part)) for cell, tile, part in moves] or None

    def _site(self, tile: int, part: int) -> Site:
        return int(self.tiles.x[tile]), int(self.tiles.y[tile]), part

    def apply(self, moves: list[tuple[int, Site]]) -> None:
        for cell, _ in moves:
            self._sites(cell)[self.cells_at.tile[cell], self.cells_at.site[cell]] = -1
        for cell, to in moves:
            tile = self.tiles.at[to[:2]]
            self._sites(cell)[tile, to[2]] = cell
            self.cells_at.tile[cell], self.cells_at.site[cell] = tile, to[2]
            self.site[cell] = to
            self.x[cell], self.y[cell] = to[0], to[1]

    def moved(self) -> None:
        """Takes over what exchanges.py has moved."""
        for cell, site in enumerate(self.site):
            if site is not None:
                tile, part = self.cells_at.tile[cell], self.cells_at.site[cell]
                self.site[cell] = self._site(tile, int(part))

    def write(self, file: Path) -> None:
        """The placement as nextpnr reads it (`--no-pack`), every cell locked where it is."""
        for i, cell in enumerate(self.cells.values()):
            here = self.site[i]
            if here is not None:
                part = "FF" if self.types[i] == "TRELLIS_FF" else "K"
                bel = f"X{here[0]}/Y{here[1]}/SLICE{'ABCD'[here[2] // 2]}.{part}{here[2] % 2}"
                cell["attributes"]["NEXTPNR_BEL"] = bel
            cell["attributes"]["BEL_STRENGTH"] = LOCKED
        kept = {k: v for k, v in self.module["settings"].items() if k in ("pack", "synth")}
        self.module["settings"] = kept
        file.write_text(json.dumps(self.design))


def _numbers(values: Iterable[int | None]) -> Ints:
    return np.array([-1 if value is None else value for value in values], np.int64)


def _classes(values: Iterable[Hashable]) -> Ints:
    """A number for each value, the same for equal ones; -1 for None."""
    known: dict[Hashable, int] = {}
    return _numbers(None if v is None else known.setdefault(v, len(known)) for v in values)
