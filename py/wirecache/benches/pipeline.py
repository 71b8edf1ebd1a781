# SPDX-License-Identifier: Apache-2.0
"""What the table itself takes: hash, index and store without network, parser and answers.

Operations on keys drawn at random are fed as fast as they are taken (`_table.measure`); values have
one byte, as in TRETS'15, Figure 10. The least that an operation can take depends on the index
(wirecache.benches._index). All of it is measured on DDR4-2400, and on a memory that answers after
32 cycles however many accesses there are, which shows what the circuit takes.

An index that evicts is also measured with its memory full: then each SET of a new key has the
record of an old one beside it, which is read, looked up and forgotten.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from wirecache.benches import CLOCK_NS, Options, Result, Table
from wirecache.benches._index import kind
from wirecache.benches._table import Operation, board, measure, play, populate
from wirecache.benches._wire import SEED, SIZES, keys
from wirecache.model.log import item_bytes
from wirecache.traffic import requests as traffic

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MEMORIES = {"DDR4-2400": (), "fixed": ("--memory-latency", "32")}
POPULATION = 10_000  # keys of each size, if there are twice as many
COUNT = 4000
QUICK_SIZES = (6, 16, 250)
LOADS = ("GET", "GET, miss", "SET", "SET, new", "DELETE")
OFTEN = "GET, used often"  # of an index that counts uses: nothing is left to count
MOST_USES = 3
OFTEN_KEYS = 2000
FULL_MEGABYTES = 16  # the least there may be: soon full
FULL_SIZES = ((6, 1), (8, 32), (16, 32), (36, 224), (100, 1000), (16, 4000))  # key, value
FULL_COUNT = 20_000
WIRE_BYTES = 8  # a cycle
PANELS = (1, 2)


def _loads() -> tuple[str, ...]:
    return (LOADS[0], OFTEN, *LOADS[1:]) if kind().evicts else LOADS


def _often(size: int, populated: int) -> list[Operation]:
    return [Operation("get", key) for key in keys(size, populated)[:OFTEN_KEYS]]


def _streams(size: int, populated: int, count: int) -> Iterator[tuple[str, list[Operation]]]:
    """A load's name and its operations."""
    known = keys(size, populated + count)
    there, absent = known[:populated], known[populated:]
    draw = random.Random(SEED * 1000 + size)

    def drawn(op: str, population: Sequence[bytes]) -> list[Operation]:
        return [Operation(op, key) for key in draw.choices(population, k=count)]

    yield "GET", drawn("get", there)
    if kind().evicts:
        yield OFTEN, random.Random(SEED).choices(_often(size, populated), k=count)
    yield "GET, miss", drawn("get", absent)
    yield "SET", drawn("set", there)
    if len(absent) >= count // 2:  # of the shortest keys there are not enough
        yield "SET, new", [Operation("set", key) for key in absent]
        yield "DELETE", [Operation("delete", key) for key in absent]


def run(options: Options) -> Result:
    """Every size and operation, on each memory."""
    sizes = QUICK_SIZES if options.quick else SIZES
    count = options.count or (600 if options.quick else COUNT)
    points = []
    for memory, flags in MEMORIES.items():
        with board("--memory", "1G" if options.quick else "8G", *flags) as session:
            for size in sizes:
                wanted = 1000 if options.quick else POPULATION
                populated = min(wanted, len(keys(size, 2 * wanted)) // 2)
                populate(session, keys(size, populated))
                for load, operations in _streams(size, populated, count):
                    if load == OFTEN:
                        play(session, MOST_USES * _often(size, populated), record=False)
                    rate = measure(session, operations)
                    points.append(
                        {
                            **{"memory": memory, "size": size, "load": load},
                            "least": kind().cycles("get", size),
                            **asdict(rate),
                            "mega_operations": rate.mega_operations,
                        }
                    )
    tables = [_table(points, memory) for memory in MEMORIES]
    if any("utilisation" in point["dram"] for point in points):
        tables.append(_bus_table(points))
    if kind().evicts:
        tables.append(_full_table(options))
    return Result(tables, {"points": points})


def _table(points: Sequence[dict[str, Any]], memory: str) -> Table:
    some = [point for point in points if point["memory"] == memory]
    cells = {(point["size"], point["load"]): _cell(point) for point in some}
    sizes = sorted({point["size"] for point in some})
    rows: list[tuple[object, ...]] = [
        (
            size,
            kind().cycles("get", size),
            *(cells.get((size, load), "-") for load in _loads()),
        )
        for size in sizes
    ]
    return Table(
        f"The table alone, cycles an operation, memory {memory}",
        ("key", kind().formula, *_loads()),
        rows,
        (
            "values of one byte; beside it M op/s at 156.25 MHz; TRETS'15, Figure 10: 31 M/s (5.04 "
            "cycles) with short keys",
        ),
    )


def _bus_table(points: Sequence[dict[str, Any]]) -> Table:
    """Where DRAM is the limit."""
    some = [point for point in points if "utilisation" in point["dram"]]
    cells = {
        (point["size"], point["load"]): f"{100 * point['dram']['utilisation']:.0f} %"
        for point in some
    }
    sizes = sorted({point["size"] for point in some})
    return Table(
        "The DRAM's data bus: share of its time in use",
        ("key", *_loads()),
        [(size, *(cells.get((size, load), "-") for load in _loads())) for size in sizes],
        (
            "activates, turnarounds between reads and writes, and refresh take from the rest; "
            "TRETS'15: about 20 % for most workloads",
        ),
    )


def _full_table(options: Options) -> Table:
    """SETs of new keys for ever."""
    rows: list[tuple[object, ...]] = []
    count = options.count or (2000 if options.quick else FULL_COUNT)
    for size, value in FULL_SIZES[2:3] if options.quick else FULL_SIZES:
        sets = [Operation("set", key, value) for key in _numbered(size, FULL_MEGABYTES, value)]
        with board("--memory", f"{FULL_MEGABYTES}M") as session:
            play(session, sets[:-count], record=False)
            rate = measure(session, sets[-count:])
        evicted = sum(rate.counters[name] for name in ("evict_new", "evict_main", "evict_bucket"))
        wire = len(traffic.binary_set(b"k" * size, b"v" * value, quiet=True)) / WIRE_BYTES
        rows.append(
            (
                *(size, value, item_bytes(size, value)),
                *(f"{rate.cycles:.2f}", f"{rate.mega_operations:.1f}", f"{wire:.2f}"),
                *(f"{evicted / count:.2f}", f"{100 * rate.dram['utilisation']:.0f} %"),
            )
        )
    return Table(
        "The table alone, memory full: SETs of new keys, DDR4-2400",
        (
            *("key", "value", "bytes of the log", "cycles/op", "M op/s"),
            *("cycles of the wire", "evicted, an operation", "DRAM's data bus"),
        ),
        rows,
        (
            f"{FULL_MEGABYTES} MiB of memory; cycles of the wire: a quiet binary SET in an endless "
            "datagram, so what 10 Gb/s can bring at most; what takes fewer cycles than that is "
            "never the limit",
        ),
    )


def _numbered(size: int, megabytes: int, value: int) -> Iterator[bytes]:
    """New keys for one and a half memories full."""
    count = 3 * (megabytes << 20) // (2 * item_bytes(size, value))
    return (b"k" * (size - 4) + struct.pack(">I", number) for number in range(count + FULL_COUNT))


def _cell(point: dict[str, Any]) -> str:
    return f"{point['cycles']:.2f} ({point['mega_operations']:.1f})"


def plot(result: Result, axes: list[Axes]) -> None:
    """Operations a second against key size, one panel a memory."""
    for each, memory in zip(axes, MEMORIES, strict=True):
        for load in _loads():
            points = [
                point
                for point in result.data["points"]
                if (point["memory"], point["load"]) == (memory, load)
            ]
            sizes = [point["size"] for point in points]
            each.plot(sizes, [point["mega_operations"] for point in points], ".-", label=load)
        sizes = sorted({point["size"] for point in result.data["points"]})
        limit = [1e3 / CLOCK_NS / (kind().cycles("get", size)) for size in sizes]
        each.plot(sizes, limit, "k:", label=f"GET, {kind().formula} cycles")
        each.axhline(31, color="k", linestyle="--", linewidth=0.8, label="TRETS'15 Fig. 10, short")
        each.set(xlabel="key, bytes", ylabel="M op/s", title=f"Table alone, {memory}", ylim=0)
        each.set_xscale("log", base=2)
        each.legend(fontsize=6)
