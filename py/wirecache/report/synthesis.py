# SPDX-License-Identifier: Apache-2.0
"""What synthesis finds, as tables: one report a target, beside the papers' figures.

A report is a `benches.Result`, so `wirecache figures` puts it into docs/results.md as it does with
the benches.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from wirecache.benches import Result, Table
from wirecache.circuit.config import parse
from wirecache.flow import place, synth
from wirecache.flow.netlist import Area, Way
from wirecache.flow.synth import TARGETS, Synthesis, Target
from wirecache.flow.timing import Slowest

CLOCK_MHZ = 156.25  # of the lane
AIM_MHZ = 200.0
SEEDS = (1, 2, 3)
PART = {"LUT4": 83_640, "FF": 83_640, "EBR": 208, "DSP": 156}  # LFE5U-85F, its data sheet
JOBS = 2  # place and route takes some 2 GB
ZYNQ = {"LUT": 53_200, "FF": 106_400, "RAMB36": 140}  # XC7Z020, its data sheet
MODULES = {  # TRETS'15, Table I
    "wc_lookup3": ("Lookup3", 352, 1_253, 0),
    "wc_multiplicative": ("Multiplicative", 104, 79, 2),
}

Step = Callable[[str], Any]  # a context that shows its text for as long as it lasts


def names() -> dict[str, str]:
    """Reports, each with the command that makes it."""
    return {f"synth-{target}": f"./wirecache synth {target}" for target in TARGETS}


def run(name: str) -> Result:
    """Makes a report, with progress on the terminal."""
    target = TARGETS[name.removeprefix("synth-")]
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        report = _cuckoo if target.name == "xc7-cuckoo" else _FAMILIES[target.family]
        return report(target, partial(_step, progress))


@contextmanager
def _step(progress: Progress, text: str) -> Iterator[None]:
    task = progress.add_task(text, total=1)
    if not progress.console.is_terminal:
        progress.console.print(f"wirecache: {text}")
    yield
    progress.update(task, completed=1)


# ---- the reports --------------------------------------------------------------------------------
def _ecp5(target: Target, step: Step) -> Result:
    with step(f"{target.name}: synthesis of {target.top} (about 4 minutes)"):
        made = synth.harnessed(target, target.top, {"User": f"wc_config_pkg::{target.config}"})
    ready = place.prepare(made.flat, target.full)

    def route(seed: int) -> place.Routed:
        with step(f"{target.name}: place and route, seed {seed} (15 to 25 minutes)"):
            return processes.submit(place.route, ready, seed, AIM_MHZ, target.full).result()

    # A process a seed, as the moves of slow ways are Python; a thread a seed tells of it.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(JOBS, spawn) as processes, ThreadPoolExecutor(JOBS) as pool:
        routed = list(pool.map(route, SEEDS))
    lowest = min(r.fmax_mhz for r in routed)
    clock = Table(
        f"The core on {target.part}: clock",
        ("seed", "MHz", "slowest way", "ns", "MHz, chains twice"),
        [
            (
                *(r.seed, f"{r.fmax_mhz:.1f}", _names(r.slowest), f"{r.slowest.ns:.2f}"),
                f"{r.nextpnr_mhz:.1f}",
            )
            for r in routed
        ],
        (
            f"configuration {target.config}; the lane wants {CLOCK_MHZ} MHz, which "
            + ("all seeds reach" if lowest >= CLOCK_MHZ else "not all seeds reach"),
            "registered AXI and MAC edges (hw/shell/ecp5), inside a harness of shift registers",
            "chains twice: nextpnr's own figure for a placement that it reads back, in which it "
            "counts the steps of carry chains twice (docs/synthesis.md)",
        ),
    )
    rows = [
        (
            *_row(block, made.blocks[block], made.depth(block)),
            f"{max(r.by_block.get(block, 0.0) for r in routed):.2f}",
        )
        for block in target.blocks
    ]
    total = made.total
    used = {"LUT4": total.lut, "FF": total.ff, "EBR": total.block_ram, "DSP": total.dsp}
    blocks = Table(
        f"The core on {target.part}: blocks",
        ("block", "LUT4", "FF", "EBR", "DSP", "depth", "slowest, ns"),
        [*rows, (*_row("all, with the shell", total, made.depth()), "")],
        (
            "free: " + ", ".join(f"{100 * (1 - used[k] / PART[k]):.0f} % of {k}" for k in PART),
            "depth: look-up tables of four inputs between registers; slowest: of all seeds",
        ),
    )
    data = {"critical": {str(r.seed): hops(r.slowest) for r in routed}}
    return Result([clock, blocks], data)


def _xcup(target: Target, step: Step) -> Result:
    with step(f"{target.name}: synthesis of {target.top} (about 4 minutes)"):
        made = synth.core(target)
    assert target.deepest is not None
    paper = ("HotCloud'13 (Virtex-6)", 80_000, 63_000, "", "", "")
    blocks = _blocks(made, target, [paper])
    deep = [way for way in made.ways if way.depth > target.deepest]
    return Result([blocks, _deep(deep, target.deepest)])


def _xc7(target: Target, step: Step) -> Result:
    with step(f"xc7: synthesis of {target.top} (about 4 minutes)"):
        made = synth.core(target)
    alone = {}
    for name in MODULES:
        with step(f"xc7: synthesis of {name}"):
            alone[name] = synth.module(target, name, {})
    pipeline = made.blocks["u_index"] + made.blocks["u_index_fit"]
    parts = (
        ("pipeline without hash unit", pipeline, 13_233, 11_477, 43),
        ("hash unit (lookup3)", made.blocks["u_hash"], 5_169, 16_518, 24),
        ("hash table", pipeline + made.blocks["u_hash"], 18_402, 27_995, 67),
    )
    table = Table(
        "TRETS'15, Table II: the hash table, on 7 series (the paper: Virtex-6)",
        ("part", "FF", "paper's FF", "LUT6", "paper's LUT6", "BRAM", "paper's BRAM"),
        [(n, a.ff, ff, a.lut, lut, _ram(a), ram) for n, a, ff, lut, ram in parts],
        (
            "configuration Trets: 384-bit memory, 8 slots, keys to 168 bytes, 8 lookup3 units",
            "the pipeline with the adapter to the memory's width; ours forwards and expires too",
            "BRAM: of 36 kbit, one of 18 kbit counts a half",
        ),
    )
    functions = Table(
        "TRETS'15, Table I: the hash functions, on 7 series (the paper: Virtex-6)",
        ("function", "FF", "paper's FF", "LUT6", "paper's LUT6", "DSP", "paper's DSP"),
        [
            (label, alone[m].total.ff, ff, alone[m].total.lut, lut, alone[m].total.dsp, dsp)
            for m, (label, ff, lut, dsp) in MODULES.items()
        ],
    )
    return Result([table, functions, _blocks(made, target, [])])


def _cuckoo(target: Target, step: Step) -> Result:
    with step(f"{target.name}: synthesis of {target.top} (about 7 minutes)"):
        made = synth.core(target)
    with step(f"{target.name}: synthesis of the filter and the table"):
        built = parse(target.config.lower()).values
        cells, ways, lines = (built[name] for name in ("filter_cells", "ways", "in_flight"))
        bloom = synth.module(target, "wc_item_filter", {"Cells": str(cells)}).total
        sizes = {"Entries": str(lines), "Ways": str(ways)}
        table = synth.module(target, "wc_item_table", sizes).total
    index = made.blocks["u_item"]
    parts = (
        ("hash units", made.blocks["u_hash"]),
        (f"filter, 7 slices of {cells:,} cells", bloom),
        (f"table, {ways} ways, {lines} lines of each on the chip", table),
        ("index: filter, table, log, comparison of keys, every command", index),
        ("all: with network, parser, answers, host", made.total),
    )

    def of(part: str, used: float) -> str:
        return f"{100 * used / ZYNQ[part]:.0f} %"

    rows: list[tuple[object, ...]] = [
        (
            *(name, a.lut, of("LUT", a.lut), a.ff, of("FF", a.ff), _ram(a)),
            of("RAMB36", a.block_ram),
        )
        for name, a in parts
    ]
    return Result(
        [
            Table(
                "Cho and Choi: a cuckoo table behind a Bloom filter, of a Zynq-7020",
                ("part", "LUT6", "of its LUTs", "FF", "of its FFs", "RAMB36", "of its block RAM"),
                [*rows, ("the paper: filter and table", "", "14 %", "", "", "", "13 %")],
                (
                    f"configuration {target.config}; XC7Z020: "
                    + ", ".join(f"{number:,} {part}" for part, number in ZYNQ.items()),
                    "the paper's table has 512 entries, all on the chip, and neither network nor "
                    "deletion; synthesis only, no vendor tool",
                ),
            ),
            _blocks(made, target, []),
        ]
    )


_FAMILIES = {"ecp5": _ecp5, "xcup": _xcup, "xc7": _xc7}


# ---- tables -------------------------------------------------------------------------------------
def _blocks(made: Synthesis, target: Target, beside: list[tuple[object, ...]]) -> Table:
    return Table(
        f"The core on {target.part}, configuration {target.config}: blocks",
        ("block", "LUT6", "FF", target.memory, "DSP", "depth"),
        [
            *(_row(block, made.blocks[block], made.depth(block)) for block in target.blocks),
            _row("all", made.total, made.depth()),
            *beside,
        ],
        ("depth: look-up tables of six inputs between registers; synthesis only, no vendor tool",),
    )


def _row(name: str, area: Area, depth: int) -> tuple[object, ...]:
    return (name, area.lut, area.ff, _ram(area), area.dsp, depth)


def _ram(area: Area) -> float | int:
    return int(area.block_ram) if area.block_ram == int(area.block_ram) else area.block_ram


def _deep(ways: list[Way], limit: int) -> Table:
    """Where registers lie behind more than `limit` look-up tables, the deepest of each block."""
    count = Counter((way.block, way.depth) for way in ways)
    first = {(way.block, way.depth): way for way in reversed(ways)}
    rows: list[tuple[object, ...]] = [
        (block, depth, number, _plain(first[block, depth].cells[0]), _plain(last))
        for (block, depth), number in sorted(count.items(), key=lambda x: (-x[0][1], x[0][0]))
        for last in (first[block, depth].cells[-1],)
    ]
    return Table(
        f"Ways of more than {limit} look-up tables",
        ("block", "depth", "registers", "one of them: from", "to"),
        rows,
        () if rows else (f"there is none: every register has at most {limit} before it",),
    )


def _names(way: Slowest) -> str:
    """From which register to which."""
    (first, _), *_, (last, _) = way.pins
    return f"{_plain(first[0])} to {_plain(last[0])}"


def hops(way: Slowest) -> list[str]:
    """The pins of a way, each with the time at which it is reached."""
    return [f"{ns:.2f} {cell} {port}" for (cell, port), ns in way.pins]


def _plain(cell: str) -> str:
    """The net or memory that a mapped cell was named after: without types, ports and the shell."""
    name = cell.removeprefix("u_dut.").removeprefix("u_core.").removeprefix("u_table.")
    name = name.removeprefix("gen_bucket.").removeprefix("gen_item.")
    for mark in ("_TRELLIS_", "_FD", "_LUT", "_CCU2C", "_RAM", "_DP16", "_PFUMX"):
        name = name.split(mark)[0]
    return f"`{name}`"
