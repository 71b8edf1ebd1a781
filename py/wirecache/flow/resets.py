# SPDX-License-Identifier: Apache-2.0
"""One reset for a netlist's registers, on the ECP5's clock network, before place and route.

nextpnr puts registers into one tile (eight of them) only if they have the same reset, or all of
them none. A core where data has no reset and state has one is torn apart by that: a state register
cannot sit beside the data it moves. So every register that has none is given the reset that most
have: what a data register holds after reset is of no interest, the RTL does not say. That reset
then goes over a global net, as the clock does, and the look-up tables that work with it get it from
a copy of its register in their block: vendors' tools call the two promotion and replication.

Two kinds of registers stay as they are: those that make the reset, and those that go on while it
lasts, as what hangs on another reset does (the memory's: wc_memory_edge).
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

from wirecache.flow import netlist
from wirecache.setup import Failure

FEWEST = 100  # registers that what we take for a reset has: fewer are some flag's
LOGIC = ("LUT4", "PFUMX", "L6MUX21", "CCU2C")  # cells whose outputs are functions of their inputs
ALIKE = ("LSRMUX", "SRMODE", "GSR")  # what a tile's registers share beside the net


def share(source: Path, out: Path, prefix: str = "") -> int:
    """Writes the flat ECP5 netlist `source` to `out`, its registers (cells `prefix`…) reset alike.

    Returns how many registers were given the reset; 0 where the netlist has none to share. Failure
    where the reset that most have does not come from a register.
    """
    design: dict[str, Any] = json.loads(source.read_text())
    module = next(m for m in design["modules"].values() if "top" in m["attributes"])
    given = _share(module, prefix)
    out.write_text(json.dumps(design))
    return given


def _reset(cell: Any) -> int | None:
    bits = cell["connections"].get("LSR") or ["0"]
    return bits[0] if isinstance(bits[0], int) else None


def _share(module: Any, prefix: str) -> int:
    cells: dict[str, Any] = module["cells"]
    registers = {n: c for n, c in cells.items() if c["type"] == "TRELLIS_FF"}
    used = Counter(net for c in registers.values() if (net := _reset(c)) is not None)
    reset, count = used.most_common(1)[0] if used else (-1, 0)
    if count < FEWEST:
        return 0
    source = {c["connections"]["Q"][0]: n for n, c in registers.items()}
    if reset not in source:
        raise Failure(f"{count} registers are reset by what is not a register")
    origin = source[reset]
    free = 1 + max(b for w in module["netnames"].values() for b in w["bits"] if isinstance(b, int))
    others = {  # a register that is reset itself is a flag
        net: name
        for net, name in source.items()
        if net != reset and used[net] >= FEWEST and _reset(cells[name]) is None
    }
    apart = _told(cells, set(others))
    own = _told(cells, {reset}) - apart
    for name in (origin, *others.values()):
        apart |= _makers(cells, name, stop=own)
    shared = _net(module, "$shared_reset", free)
    like = next(c for c in registers.values() if _reset(c) == reset)
    given = 0
    copies: dict[str, int] = {}
    for name, cell in list(cells.items()):
        ports = cell["connections"]
        ours = name in registers and name.startswith(prefix) and name not in apart
        if ours and _reset(cell) is None:
            given += 1
            ports["LSR"] = [shared]
            cell["port_directions"]["LSR"] = "input"
            for setting in ALIKE:
                if setting in like["parameters"]:
                    cell["parameters"][setting] = like["parameters"][setting]
        if ports.get("LSR") == [reset]:
            ports["LSR"] = [shared]
        if name != origin and any(reset in bits for bits in ports.values()):
            block = netlist.block(name)
            if block not in copies:
                copies[block] = _net(module, f"$reset_of_{block}", free + 1 + len(copies))
            for port, bits in ports.items():
                ports[port] = [copies[block] if b == reset else b for b in bits]
    for block, net in copies.items():
        cells[f"$reset_copy_{block}"] = copy.deepcopy(cells[origin])
        cells[f"$reset_copy_{block}"]["connections"]["Q"] = [net]
    cells["$reset_buffer"] = {
        "hide_name": 1,
        "type": "DCCA",
        "parameters": {},
        "attributes": {},
        "port_directions": {"CLKI": "input", "CE": "input", "CLKO": "output"},
        "connections": {"CLKI": [reset], "CE": ["1"], "CLKO": [shared]},
    }
    return given


def _pins(cell: Any, direction: str) -> list[int]:
    """The nets at the inputs or outputs of a cell, but for its clock and reset."""
    ports = cell["connections"].items()
    wanted = (
        bits
        for port, bits in ports
        if cell["port_directions"].get(port) == direction and port not in ("CLK", "LSR")
    )
    return [bit for bits in wanted for bit in bits if isinstance(bit, int)]


def _told(cells: dict[str, Any], resets: set[int]) -> set[str]:
    """The registers that `resets` reset, or whose next value hangs on one that they reset."""
    told = {n for n, c in cells.items() if c["type"] == "TRELLIS_FF" and _reset(c) in resets}
    ahead = [bit for name in told for bit in _pins(cells[name], "output")]
    seen = set(ahead)
    readers: dict[int, list[str]] = {}
    for name, cell in cells.items():
        for bit in _pins(cell, "input"):
            readers.setdefault(bit, []).append(name)
    while ahead:
        for name in readers.get(ahead.pop(), ()):
            if cells[name]["type"] == "TRELLIS_FF":
                told.add(name)
            elif cells[name]["type"] in LOGIC:
                new = set(_pins(cells[name], "output")) - seen
                seen |= new
                ahead += new
    return told


def _makers(cells: dict[str, Any], origin: str, stop: set[str]) -> set[str]:
    """`origin`, and what its input comes from, through registers too, as far back as `stop`."""
    drivers = {bit: name for name, cell in cells.items() for bit in _pins(cell, "output")}
    found, ahead = {origin}, [origin]
    while ahead:
        names = {drivers[bit] for bit in _pins(cells[ahead.pop()], "input") if bit in drivers}
        new = names - found - stop
        found |= new
        ahead += new
    return found


def _net(module: Any, name: str, bit: int) -> int:
    module["netnames"][name] = {"hide_name": 1, "bits": [bit], "attributes": {}}
    return bit
