# SPDX-License-Identifier: Apache-2.0
"""Bytes of memory an item takes: in the table and the value store of the bucket index, and in all
of the memory with the item index (`_capacity`).

Computed from what decides it: the shape of a bucket comes from hw/core/wc_config_pkg.sv, the
division of memory from host/layout.cc, through a small program that is built around it. Then a
board is filled, and what its sparse memory holds stands beside what was computed.
"""

from __future__ import annotations

import json
import random
import subprocess
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyslang import ast, syntax

from wirecache import BUILD, ROOT
from wirecache.benches import Options, Result, Table
from wirecache.benches._capacity import capacity, stream
from wirecache.benches._index import kind
from wirecache.board.session import Session
from wirecache.circuit import layout as circuit
from wirecache.cli import board_options
from wirecache.setup import Failure
from wirecache.traffic import frames
from wirecache.traffic import requests as traffic

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GIGABYTE = 1 << 30
MEGABYTE = 1 << 20
# Sizes of blocks and their shares of memory, as `serve` and `replay` have them by default.
CLASSES = tuple(
    zip((128, 2048, MEGABYTE), map(int, board_options._SHARES[3].split(",")), strict=True)
)
BOARD_MEMORY = 24 * GIGABYTE  # the paper's
PAPER_ITEMS, PAPER_BYTES = 2 << 20, 400 * MEGABYTE  # keys to 168 bytes, 8 slots
FILL = 0.5  # of the slots: up to here hardly an insert fails (bench collisions)
KEYS = (64, 168, 250)
SLOTS = (4, 8, 16)
LARGEST = 24  # bucket bits that the circuit may have
# Share of the values that go to blocks of each class, and what a value of the class has on average.
MIXES: dict[str, tuple[tuple[float, int], ...]] = {
    "small (2 to 120 bytes)": ((1.0, 61), (0.0, 0), (0.0, 0)),
    "mostly small": ((0.90, 61), (0.0999, 600), (0.0001, 100_000)),
    "pages (200 to 2,000 bytes)": ((0.0, 0), (1.0, 1100), (0.0, 0)),
    "some files": ((0.45, 61), (0.54, 1100), (0.01, 100_000)),
}
FILLED = 100_000  # items set on the board
KEY_BYTES, VALUE_BYTES = 16, 32
PANELS = (1, 2)


@cache
def bucket_lines(slots: int, max_key: int) -> int:
    """Lines of a bucket, 8 bytes a slot each, as the core is built."""
    text = f"""
      module probe;
        function automatic wc_config_pkg::user_t user();
          user = wc_config_pkg::Default;
          user.slots = {slots};
          user.max_key = {max_key};
        endfunction
        localparam wc_config_pkg::config_t Cfg = wc_config_pkg::build(user());
        localparam int unsigned Legal = 32'(Cfg.legal);
        localparam int unsigned Lines = Cfg.bucket_lines;
      endmodule"""
    compilation = ast.Compilation()
    for name in ("wc_pkg.sv", "wc_config_pkg.sv"):
        compilation.addSyntaxTree(syntax.SyntaxTree.fromFile(str(ROOT / "hw" / "core" / name)))
    compilation.addSyntaxTree(syntax.SyntaxTree.fromText(text))
    body = compilation.getRoot().topInstances[0].body
    legal, lines = (int(body.find(name).value.value) for name in ("Legal", "Lines"))
    assert legal, f"slots {slots}, max_key {max_key}: not legal"
    return lines


def layout(memory: int, slots: int, max_key: int, bucket_bits: int = LARGEST) -> Any:
    """How the host divides the memory: the table, and the regions of value blocks."""
    numbers = [memory, slots, bucket_lines(slots, max_key), bucket_bits, *chain(*CLASSES)]
    command = [str(_program()), *map(str, numbers)]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


@cache
def _program() -> Path:
    program = BUILD / "bench" / "memory_layout"
    program.parent.mkdir(parents=True, exist_ok=True)
    sources = [str(Path(__file__).with_name("memory_layout.cc")), str(ROOT / "host" / "layout.cc")]
    flags = ["-std=c++20", "-O1", f"-I{ROOT}", f"-I{program.parent}", "-o", str(program)]
    circuit.write_header(program.parent)
    subprocess.run(["g++", *flags, *sources], check=True)
    return program


def _tables() -> Table:
    rows: list[tuple[object, ...]] = []
    for max_key in KEYS:
        for slots in SLOTS:
            wanted = (PAPER_ITEMS // slots).bit_length() - 1  # bucket bits
            small = layout(BOARD_MEMORY, slots, max_key, wanted)
            large = layout(BOARD_MEMORY, slots, max_key)
            of_bucket = large["bucket_bytes"]
            per_item = of_bucket / slots
            rows.append(
                (
                    *(max_key, slots, of_bucket, f"{per_item:.0f}", f"{per_item / FILL:.0f}"),
                    f"{small['table_bytes'] / MEGABYTE:,.0f}",
                    slots << large["bucket_bits"],
                    f"{large['table_bytes'] / MEGABYTE:,.0f}",
                )
            )
    return Table(
        "Bytes of the table, an item",
        (
            *("largest key", "slots", "bytes of a bucket", "bytes an item, table full"),
            *("bytes an item, half full", "MB for 2 Mi items"),
            *("items, 24 GB board as the host divides it", "MB of that table"),
        ),
        rows,
        (
            "TRETS'15: 2 million items with keys up to 168 bytes, 8 slots, in less than 400 MB, "
            "and 23.6 GB for values. A slot takes the words of the largest key and three more.",
            "MB is 2**20 bytes, Mi 2**20. The host gives the table up to an eighth of memory, more "
            "than the paper's 400 MB of 24 GB: many small values then find a slot.",
        ),
    )


def _stores() -> Table:
    table = layout(BOARD_MEMORY, 8, 250)
    of_slot = table["bucket_bytes"] // 8
    slots = 8 << table["bucket_bits"]
    rows: list[tuple[object, ...]] = []
    for name, mix in MIXES.items():
        values = sum(share * mean for share, mean in mix)
        blocks = sum(s * r["block_bytes"] for (s, _), r in zip(mix, table["regions"], strict=True))
        room = min(
            int(r["blocks"] / s) for (s, _), r in zip(mix, table["regions"], strict=True) if s > 0
        )
        rows.append(
            (
                name,
                " / ".join(f"{100 * share:g}" for share, _ in mix),
                *(f"{values:.0f}", f"{blocks:.0f}", f"{100 * values / blocks:.0f} %"),
                f"{blocks + of_slot / FILL:.0f}",
                room,
                "table" if slots * FILL < room else "blocks",
            )
        )
    return Table(
        "Bytes of the value store, an item: a 24 GB board, blocks of 128, 2K and 1M, keys to 250",
        (
            *("values", "% in blocks of each class", "bytes of value", "bytes of block", "used"),
            *("with the table half full", "items that blocks are there for", "ends first"),
        ),
        rows,
        (
            "Which ends first: the blocks, or half of the table's slots. Other block sizes are an "
            "option (`--classes`); a class whose blocks are gone refuses values of its size.",
        ),
    )


def _board(count: int) -> Table:
    """A board with `count` items: what its memory holds, beside what the layout says."""
    divided = layout(GIGABYTE, 8, 250)
    lost = 0
    draw = random.Random(count)
    keys = [draw.randbytes(KEY_BYTES // 2).hex().encode() for _ in range(count)]
    packets = [
        frames.request(traffic.binary_set(key, b"v" * VALUE_BYTES), i & 0xFFFF)
        for i, key in enumerate(keys)
    ]
    rows: list[tuple[object, ...]] = []
    table, block = divided["table_bytes"], divided["regions"][0]["block_bytes"]
    steps = (1, count // 10, count // 2, count)
    with Session("--memory", str(GIGABYTE)) as session:
        for done, number in zip((0, *steps), steps, strict=False):
            summary = session.play(packets[done:number]).summary
            held = summary["memory_touched_bytes"]
            lost += summary["counters"]["set_full"]
            rows.append(
                (
                    *(number, lost, f"{held / MEGABYTE:.1f}"),
                    *(f"{(table + number * block) / MEGABYTE:.1f}", f"{held / number:,.0f}"),
                )
            )
    return Table(
        f"A board of 1 GB filled with items of {KEY_BYTES}-byte keys and {VALUE_BYTES}-byte values",
        (
            *("items set", "refused, bucket full", "MB of memory touched"),
            *("MB, whole table and their blocks", "bytes touched an item"),
        ),
        rows,
        (
            f"The table of that board has {8 << divided['bucket_bits']:,} slots. Memory is counted "
            "in pages of 4 KB that were written.",
        ),
    )


def run(options: Options) -> Result:
    """All tables; `count` items are set on the board, 100,000 unless told otherwise.

    Failure: the configuration has another table than the papers', which the first tables are of.
    """
    if kind().evicts:
        raise Failure("bench memory measures both tables: --config is for the papers' one alone")
    count = options.count or (2000 if options.quick else FILLED)
    mixes = {
        name: [
            sum(s * m for s, m in mix),
            sum(s * c for (s, _), (c, _) in zip(mix, CLASSES, strict=True)),
        ]
        for name, mix in MIXES.items()
    }
    slots = {str(key): layout(BOARD_MEMORY, 8, key)["bucket_bytes"] // 8 for key in KEYS}
    tables = [_tables(), _stores(), _board(count), capacity(options), stream(options)]
    return Result(tables, {"slots": slots, "mixes": mixes})


def plot(result: Result, axes: list[Axes]) -> None:
    slots = result.data["slots"]
    for share, width, label in ((1.0, 0.4, "table full"), (FILL, 0.4, "half full")):
        where = [i - 0.2 if share == 1.0 else i + 0.2 for i in range(len(slots))]
        axes[0].bar(where, [n / share for n in slots.values()], width, label=label)
    axes[0].axhline(
        PAPER_BYTES / PAPER_ITEMS, color="black", linestyle="--", label="TRETS: 400 MB / 2 M"
    )
    axes[0].set_xticks(range(len(slots)), [f"{key} bytes" for key in slots])
    axes[0].set(title="table", xlabel="largest key", ylabel="bytes an item")
    axes[0].legend()
    mixes = result.data["mixes"]
    for column, label in enumerate(("value", "block")):
        where = [i - 0.2 + 0.4 * column for i in range(len(mixes))]
        axes[1].bar(where, [pair[column] for pair in mixes.values()], 0.4, label=label)
    names = [name.split(" (")[0] for name in mixes]
    axes[1].set_xticks(range(len(mixes)), names)
    axes[1].set(title="value store", ylabel="bytes an item", yscale="log")
    axes[1].legend()
