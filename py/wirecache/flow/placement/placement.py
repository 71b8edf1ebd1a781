# SPDX-License-Identifier: Apache-2.0
"""A placement of nextpnr's for the ECP5: where its cells are, how slow its ways are, what may move.

Read from what `nextpnr --no-route --write` left, and written for `nextpnr --no-pack`. Wires are as
slow as the router makes them, by a fit; the rules of a tile are a subset of nextpnr's.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

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


class Kind(Enum):
    """What moves as one."""

    TABLE = 0  # a look-up table alone
    REGISTER = 1  # a register fed through routing (its input M)
    PAIR = 2  # a table and the register behind it, in one site
    WIDE = 3  # two tables and the multiplexer behind them, a slice's two sites


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
        self.tables: dict[Site, int] = {}
        self.registers: dict[Site, int] = {}
        bel = re.compile(r"X(\d+)/Y(\d+)/(?:SLICE([A-D])\.(K|FF)([01]))?")
        for i, cell in enumerate(self.cells.values()):
            found = bel.match(cell["attributes"]["NEXTPNR_BEL"])
            assert found, cell["attributes"]["NEXTPNR_BEL"]
            self.x[i], self.y[i] = int(found[1]), int(found[2])
            if found[3]:
                here = (int(found[1]), int(found[2]), 2 * "ABCD".index(found[3]) + int(found[5]))
                self.site[i] = here
                (self.tables if found[4] == "K" else self.registers)[here] = i
        self._timing()
        self._units()

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
        self.logic = np.zeros((int(self.x.max()) + 2, int(self.y.max()) + 2), bool)
        for column, row, _ in (*self.tables, *self.registers):
            self.logic[column, row] = True
        into: dict[int, list[int]] = defaultdict(list)
        out_of: dict[int, list[int]] = defaultdict(list)
        for arc in np.nonzero(self.routed)[0]:
            into[int(self.target[arc])].append(int(arc))
            out_of[int(self.node_cell[self.source[arc]])].append(int(arc))
        self._into, self._out_of = into, out_of
        self._pins: dict[Unit, Pins] = {}

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

    # ---- rules of a tile (a subset of nextpnr's) -------------------------------------------------
    def registers_fit(self, tile: tuple[int, int], put: dict[int, int | None]) -> bool:
        """Whether a tile's registers share a reset, and those of a slice all their controls."""
        have = [put[k] if k in put else self.registers.get((tile[0], tile[1], k)) for k in range(8)]
        resets = {self.reset[r] for r in have if r is not None}
        pairs = zip(have[::2], have[1::2], strict=True)
        return len(resets) <= 1 and all(
            a is None or b is None or self.control[a] == self.control[b] for a, b in pairs
        )

    def site_fits(self, table: int | None, register: int | None) -> bool:
        """Whether the two share a site: the input M is the register's or the multiplexer's."""
        return table is None or register is None or not self.takes_m[table]

    def exchange(self, unit: Unit, to: Site) -> list[tuple[int, Site]] | None:
        """The moves that put `unit` at `to` and what is there at its place; None if not legal."""
        home = self.site[unit.cells[0]]
        assert home is not None
        table, register = self.tables.get(to), self.registers.get(to)
        kinds = {
            c: None if u is None else u.kind
            for c in (table, register)
            if c is not None
            for u in (self.unit[c],)
        }
        if unit.kind is Kind.TABLE:
            if table is not None and kinds[table] is not Kind.TABLE:
                return None
            if not self.site_fits(unit.table, register):
                return None
            return self._swap((unit.table, table), home, to)
        if unit.kind is Kind.WIDE:
            if to[2] % 2 or register is not None:
                return None
            upper, home_upper = (to[0], to[1], to[2] + 1), (home[0], home[1], home[2] + 1)
            other = self.tables.get(upper)
            for cell in (table, other):
                if cell is not None:
                    there = self.unit[cell]
                    if there is None or there.kind is not Kind.TABLE:
                        return None
            return [
                *self._swap((unit.table, table), home, to),
                *self._swap((unit.second, other), home_upper, upper),
            ]
        # What has a register: both tiles must take the other's.
        if to[:2] in self.blocked or (register is not None and home[:2] in self.blocked):
            return None
        if to[:2] == home[:2]:
            return None
        if not self.registers_fit(to[:2], {to[2]: unit.register}):
            return None
        if not self.registers_fit(home[:2], {home[2]: register}):
            return None
        if unit.kind is Kind.REGISTER:
            if register is not None and kinds[register] is not Kind.REGISTER:
                return None
            if not self.site_fits(table, unit.register):
                return None
            if not self.site_fits(self.tables.get(home), register):
                return None
            return self._swap((unit.register, register), home, to)
        whole = (Kind.TABLE, Kind.REGISTER, Kind.PAIR)
        if any(kind not in whole for kind in kinds.values()):
            return None
        return [
            *self._swap((unit.table, table), home, to),
            *self._swap((unit.register, register), home, to),
        ]

    @staticmethod
    def _swap(cells: tuple[int | None, int | None], home: Site, to: Site) -> list[tuple[int, Site]]:
        mover, other = cells
        assert mover is not None
        return [(mover, to), *([] if other is None else [(other, home)])]

    def apply(self, moves: list[tuple[int, Site]]) -> None:
        def table_of(cell: int) -> dict[Site, int]:
            return self.registers if self.types[cell] == "TRELLIS_FF" else self.tables

        for cell, _ in moves:
            home = self.site[cell]
            assert home is not None
            table_of(cell).pop(home)
        for cell, to in moves:
            table_of(cell)[to] = cell
            self.site[cell] = to
            self.x[cell], self.y[cell] = to[0], to[1]

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
