# SPDX-License-Identifier: Apache-2.0
"""The host port's registers, generated from hw/host/regs/wc_regs.rdl: RTL, C header, addresses."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jinja2
from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.cpuif.passthrough import PassthroughCpuif
from peakrdl_regblock.udps import ALL_UDPS
from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddrmapNode, RegNode

from wirecache import BUILD, ROOT

SOURCE = ROOT / "hw" / "host" / "regs" / "wc_regs.rdl"
# Parts of the generated block that are ours, by the name of what they stand in for.
TEMPLATES = {
    "field_logic/templates/field_storage.sv": SOURCE.with_name("field.sv.jinja"),
    "readback/templates/readback_with_rt.sv": SOURCE.with_name("read_back.sv.jinja"),
}
GENERATED = BUILD / "gen"
PRODUCTS = (
    GENERATED / "wc_regs_pkg.sv",
    GENERATED / "wc_regs.sv",
    GENERATED / "wc_regs.h",
)


@cache
def _top(counters: bool = True) -> AddrmapNode:
    compiler = RDLCompiler()
    for extension in ALL_UDPS:
        compiler.register_udp(extension, soft=False)
    compiler.compile_file(str(SOURCE))
    return compiler.elaborate(parameters={"Counters": counters}).top


def generate() -> None:
    """Writes the RTL package and block and the C header when they are older than the source."""
    inputs = (SOURCE, Path(__file__), *TEMPLATES.values())
    newest = max(path.stat().st_mtime for path in inputs)
    if all(p.exists() and p.stat().st_mtime >= newest for p in PRODUCTS):
        return
    GENERATED.mkdir(parents=True, exist_ok=True)
    block = RegblockExporter()
    ours = jinja2.DictLoader({name: path.read_text() for name, path in TEMPLATES.items()})
    block.jj_env.loader = jinja2.ChoiceLoader([ours, block.jj_env.loader])
    block.export(
        _top(counters=False),
        str(GENERATED),
        cpuif_cls=PassthroughCpuif,
        module_name="wc_regs",
        package_name="wc_regs_pkg",
        retime_read_fanin=True,
        retime_read_response=True,
    )
    CHeaderExporter().export(_top(), str(GENERATED / "wc_regs.h"), reuse_typedefs=True)


@cache
def addresses() -> dict[str, int]:
    """Byte address of every register; those of an array are named NAME[0], NAME[1], …"""
    return {
        node.get_path_segment(): node.absolute_address
        for node in _top().descendants(unroll=True)
        if isinstance(node, RegNode)
    }


@cache
def counters() -> dict[str, int]:
    """Address of every event counter, by its name in small letters, in order of address."""
    return {
        node.get_path_segment().lower(): node.absolute_address
        for node in _top().descendants(unroll=True)
        if isinstance(node, RegNode) and node.type_name == "counter32"
    }
