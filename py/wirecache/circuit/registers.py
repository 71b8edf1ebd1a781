# SPDX-License-Identifier: Apache-2.0
"""The host port's registers, generated from their SystemRDL: RTL, C headers, addresses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Block:
    """Registers that one generated module holds; all are 32 bits."""

    name: str
    source: Path
    base: int  # address of the first one
    high: str  # the register with the upper half of the counter that was read last
    index: str | None = None  # of circuits with this index only, a name of wc_pkg::index_e


BLOCKS = (
    Block("wc_regs", ROOT / "hw/host/regs/wc_regs.rdl", 0, "COUNT_HIGH"),
    Block(
        "wc_index_regs",
        ROOT / "hw/index/regs/wc_index_regs.rdl",
        0x200,
        "INDEX_COUNT_HIGH",
        "IndexBucket",
    ),
    Block(
        "wc_item_regs",
        ROOT / "hw/item/regs/wc_item_regs.rdl",
        0x200,
        "ITEM_COUNT_HIGH",
        "IndexItem",
    ),
    Block("wc_tcp_regs", ROOT / "hw/net/tcp/regs/wc_tcp_regs.rdl", 0x400, "TCP_COUNT_HIGH"),
)


def block(name: str) -> Block:
    """The block of this name."""
    return next(block for block in BLOCKS if block.name == name)


# Parts of the generated blocks that are ours, by the name of what they stand in for.
TEMPLATES = {
    "field_logic/templates/field_storage.sv": BLOCKS[0].source.with_name("field.sv.jinja"),
    "readback/templates/readback_with_rt.sv": BLOCKS[0].source.with_name("read_back.sv.jinja"),
}
GENERATED = BUILD / "gen"
PRODUCTS = ("{}_pkg.sv", "{}.sv", "{}.h")


@cache
def _top(block: Block, counters: bool = True) -> AddrmapNode:
    compiler = RDLCompiler()
    for extension in ALL_UDPS:
        compiler.register_udp(extension, soft=False)
    compiler.compile_file(str(block.source))
    return compiler.elaborate(parameters={"Counters": counters}).top


def generate() -> None:
    """Writes the RTL packages and blocks and the C headers when they are older than the sources."""
    for block in BLOCKS:
        inputs = (block.source, Path(__file__), *TEMPLATES.values())
        newest = max(path.stat().st_mtime for path in inputs)
        products = [GENERATED / name.format(block.name) for name in PRODUCTS]
        if not all(p.exists() and p.stat().st_mtime >= newest for p in products):
            _generate(block)


def _generate(block: Block) -> None:
    GENERATED.mkdir(parents=True, exist_ok=True)
    exporter = RegblockExporter()
    ours = jinja2.DictLoader({name: path.read_text() for name, path in TEMPLATES.items()})
    exporter.jj_env.loader = jinja2.ChoiceLoader([ours, exporter.jj_env.loader])
    exporter.export(
        _top(block, counters=False),
        str(GENERATED),
        cpuif_cls=PassthroughCpuif,
        module_name=block.name,
        package_name=f"{block.name}_pkg",
        retime_read_fanin=True,
        retime_read_response=True,
    )
    header = GENERATED / f"{block.name}.h"
    CHeaderExporter().export(_top(block), str(header), reuse_typedefs=True)


def _registers(block: Block) -> Iterator[tuple[RegNode, int]]:
    for node in _top(block).descendants(unroll=True):
        if isinstance(node, RegNode):
            yield node, block.base + node.absolute_address


@cache
def addresses(blocks: tuple[Block, ...] = BLOCKS) -> dict[str, int]:
    """Byte address of every register; those of an array are named NAME[0], NAME[1], …"""
    return {
        node.get_path_segment(): address for block in blocks for node, address in _registers(block)
    }


@cache
def counters(block: Block) -> dict[str, int]:
    """Address of every event counter, by its name in small letters, in order of address."""
    return {
        node.get_path_segment().lower(): address
        for node, address in _registers(block)
        if (node.type_name or "").endswith("counter32")
    }
