# SPDX-License-Identifier: Apache-2.0
"""What a mapped netlist (Yosys' write_json) is made of, and how deep its logic is.

Depth counts look-up tables on the way from one register, block RAM, multiplier or input to the
next; the dedicated multiplexers and carry chains behind a look-up table are part of its slice and
add nothing. A carry chain's own look-up tables (CCU2C of ECP5) and the read of a look-up-table RAM
add one.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

# cell type, or how it begins -> what it is
_LUT = ("LUT", "INV")
_MUX = ("MUXF", "PFUMX", "L6MUX21")
_CARRY = ("CARRY", "CCU2C")
_LUT_RAM = ("RAM32", "RAM64", "RAM128", "RAM256", "RAM512", "TRELLIS_DPR16X4")
_SHIFT = ("SRL",)
_FF = ("FDRE", "FDSE", "FDCE", "FDPE", "TRELLIS_FF")
_BLOCK_RAM = ("RAMB36", "RAMB18", "URAM288", "DP16KD")
_DSP = ("DSP48", "MULT18X18D", "ALU54B")
_NOTHING = ("GND", "VCC", "VLO", "VHI", "BUFG", "IBUF", "OBUF", "$scopeinfo")
_TABLE = (*_LUT, "CCU2C", *_LUT_RAM)
_PASSES = (*_LUT, *_MUX, *_CARRY, *_LUT_RAM)

# Look-up tables that a cell takes, where that is not one: nextpnr's and the vendors' slices. A
# TRELLIS_DPR16X4 is four bits and the two tables' worth that its write port takes.
_TABLES = {
    **{"CCU2C": 2, "TRELLIS_DPR16X4": 6},
    **{"RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM256X1D": 8, "RAM32M": 4, "RAM64M": 4},
    **{"RAM32M16": 8, "RAM64M8": 8},
}
_CLOCKS = ("C", "CLK", "WCLK", "CLKA", "CLKB", "CLKARDCLK", "CLKBWRCLK", "WCK")


@dataclass
class Area:
    """Cells of a block."""

    lut: int = 0
    ff: int = 0
    ram: Counter[str] = field(default_factory=Counter)  # block RAMs by type
    dsp: int = 0

    def __add__(self, other: Area) -> Area:
        return Area(
            self.lut + other.lut, self.ff + other.ff, self.ram + other.ram, self.dsp + other.dsp
        )

    @property
    def block_ram(self) -> float:
        """Block RAMs of 36 kbit (xcup, xc7) or 18 kbit (ecp5)."""
        return sum(n * (0.5 if kind.startswith("RAMB18") else 1) for kind, n in self.ram.items())


@dataclass(frozen=True)
class Way:
    """A way through logic: the look-up tables on it, and its cells from source to end."""

    depth: int
    cells: tuple[str, ...]

    @property
    def block(self) -> str:
        """The block in which it ends."""
        return block(self.cells[-1])


def load(file: Path) -> dict[str, Any]:
    """The modules of a netlist."""
    text = file.read_text()
    modules: dict[str, Any] = json.loads(text)["modules"]
    return modules


def area(modules: Mapping[str, Any], top: str) -> Area:
    """Cells of `top` and of all below it. Raises ValueError for a cell that it does not know."""
    total = Area()
    for cell in modules[top]["cells"].values():
        kind: str = cell["type"]
        if kind in modules and not _library(modules[kind]):
            total += area(modules, kind)
        elif kind.startswith(_BLOCK_RAM):
            total.ram[kind] += 1
        elif kind.startswith(_DSP):
            total.dsp += 1
        elif kind.startswith(_FF):
            total.ff += 1
        elif kind.startswith((*_LUT, *_LUT_RAM, *_SHIFT)) or kind == "CCU2C":
            total.lut += _TABLES.get(kind, 1)
        elif not kind.startswith((*_MUX, *_CARRY, *_NOTHING)):
            raise ValueError(f"what is a cell of type {kind}?")
    return total


def _library(module: Mapping[str, Any]) -> bool:
    return any(key in module["attributes"] for key in ("blackbox", "whitebox"))


def block(name: str) -> str:
    """The block of a cell of the flat core, by its name: u_core.u_table.gen_bucket.u_index.… is in
    u_index."""
    around = ("u_dut", "u_core", "u_table", "gen_bucket", "gen_item")
    parts = [part for part in name.split(".")[:-1] if part not in around]
    return parts[0] if parts else ""


def ways(modules: Mapping[str, Any], top: str) -> list[Way]:
    """The deepest way into each cell of the flat netlist `top` that ends one, deepest first."""
    cells: dict[str, Any] = modules[top]["cells"]
    needs: dict[int, list[tuple[int, int]]] = {}  # an output bit -> inputs, tables between them
    driver: dict[int, str] = {}
    for name, cell in cells.items():
        for bit, before in _follows(cell):
            needs[bit] = before
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output":
                driver.update((b, name) for b in bits if isinstance(b, int))
    level: dict[int, int] = defaultdict(int)
    deepest: dict[int, int] = {}
    graph = {bit: [b for b, _ in before] for bit, before in needs.items()}
    for bit in TopologicalSorter(graph).static_order():
        if needs.get(bit):
            last, tables = max(needs[bit], key=lambda x: level[x[0]] + x[1])
            level[bit] = level[last] + tables
            deepest[bit] = last
    found = []
    for name, cell in cells.items():
        if cell["type"].startswith((*_PASSES, *_NOTHING)) and not cell["type"].startswith(_LUT_RAM):
            continue
        at = max(_inputs(cell), key=lambda x: level[x], default=0)
        if at not in driver:
            continue
        depth, path = level[at], [name]
        while True:
            if driver[at] != path[-1]:
                path.append(driver[at])
            if at not in deepest or deepest[at] not in driver:
                break
            at = deepest[at]
        found.append(Way(depth, tuple(path[::-1])))
    return sorted(found, key=lambda way: -way.depth)


def _inputs(cell: Mapping[str, Any], names: Iterable[str] | None = None) -> list[int]:
    return [
        bit
        for port, bits in cell["connections"].items()
        if cell["port_directions"][port] == "input" and port not in _CLOCKS
        if names is None or port in names
        for bit in bits
        if isinstance(bit, int)
    ]


def _follows(cell: Mapping[str, Any]) -> Iterable[tuple[int, list[tuple[int, int]]]]:
    """Each output bit that follows inputs within the cycle: these, and the tables on the way."""
    kind: str = cell["type"]
    if not kind.startswith(_PASSES):
        return
    connections = cell["connections"]
    for port, bits in connections.items():
        if cell["port_directions"][port] != "output":
            continue
        for i, bit in enumerate(bits):
            if not isinstance(bit, int):
                continue
            if kind.startswith("CARRY"):  # a bit of the chain follows those below it
                lower = [b for p in ("S", "DI") for b in connections[p][: i + 1]]
                lower += _inputs(cell, ("CI", "CI_TOP", "CYINIT"))
                yield bit, [(b, 0) for b in lower if isinstance(b, int)]
            elif kind == "CCU2C":
                half = ("A0", "B0", "C0", "D0")
                own = half if port == "S0" else (*half, "A1", "B1", "C1", "D1")
                yield (
                    bit,
                    [(b, 1) for b in _inputs(cell, own)]
                    + [(b, 0) for b in _inputs(cell, ("CIN",))],
                )
            elif kind.startswith(_LUT_RAM):
                reads = [p for p in connections if p.startswith(("RAD", "A", "DPRA"))]
                yield bit, [(b, 1) for b in _inputs(cell, reads)]
            else:
                tables = 1 if kind.startswith(_TABLE) else 0
                yield bit, [(b, tables) for b in _inputs(cell)]
