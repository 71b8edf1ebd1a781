# SPDX-License-Identifier: Apache-2.0
"""From the first bit of a request to the last bit of its answer, wire to wire, stage by stage.

Idle: one request at a time, at random phases of the clock and of the memory's refresh. Under load:
arrivals at random (Poisson) at a share of what the fuller direction of the wire takes. A request
begins with the first bit of its preamble, an answer ends with the last bit of its FCS; the delay of
a request that waits for the wire in front of the board is not the board's.

Everything stays in order, so the n-th handshake at each boundary between two stages belongs to the
n-th request, and the split adds up to the whole. The memory's part of the index is from the first
line asked for to the last that arrived; it is shown beside, not added.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wirecache.benches import CLOCK_NS, WORD_BYTES, Options, Result, Table
from wirecache.benches._index import key_words, kind
from wirecache.benches._wire import (
    BINARY,
    SEED,
    Ask,
    keys,
    packets,
    poisson_times,
    populate,
)
from wirecache.board.session import Cycles, Phase, Session

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZES = (6, 16, 32, 64, 128, 168, 250)
POPULATION = 100_000
LOADS = (0.5, 0.9, 0.99)
COUNT = 10_000  # requests of a point under load
IDLE_COUNT = 500
IDLE_CYCLES = 1000  # between requests, at least
GAP = 12  # bytes of a slot behind the last bit

STAGES = ("net in", "request", "hash", "index", "size", "store", "answer", "net out")
PANELS = (1, 2)


def split(
    phase: Phase, asks: Sequence[Ask], value_words: int
) -> tuple[dict[str, Cycles], Cycles, Cycles]:
    """Cycles of each request in each stage, in all of them, and of the index's in the memory.
    Each answer holds a value of so many words, or none."""
    lists = phase.lists
    begun, _ = phase.slots("in")
    sent, sent_bytes = phase.slots("out")
    answer_words = np.array([-(-ask.answer // WORD_BYTES) for ask in asks])
    boundaries = [
        begun / WORD_BYTES,
        *(lists[name] for name in ("packet", "request", "hashed", "looked_up", "sized")),
        lists["value"][::value_words] if value_words else lists["done"],
        lists["word"][np.cumsum(answer_words) - 1],
        (sent + sent_bytes - GAP) / WORD_BYTES,
    ]
    if any(len(cycles) != len(asks) for cycles in boundaries):
        raise RuntimeError("a request or an answer was lost")
    stages = {
        name: after - before
        for name, before, after in zip(STAGES, boundaries, boundaries[1:], strict=False)
    }
    whole = boundaries[-1] - boundaries[0]
    if not np.array_equal(sum(stages.values()), whole):
        raise RuntimeError("the stages do not add up to the whole")
    return stages, whole, _memory(phase, asks)


def _memory(phase: Phase, asks: Sequence[Ask]) -> Cycles:
    """Cycles of each request in the memory of the bucket index, which reads a line a cycle. The
    other index asks for a bucket when it has not got it, and not in the order of operations."""
    if kind().name != "bucket":
        return np.zeros(1, dtype=np.int64)
    lines = np.array([ask.index for ask in asks])
    last_line = np.cumsum(lines) - 1
    arrived, asked = (phase.lists[name] for name in ("line_arrived", "line_asked"))
    return np.asarray(arrived[last_line] - asked[last_line - lines + 1])


def _idle_times(count: int, draw: random.Random) -> list[int]:
    times, now = [], 0
    for _ in range(count):
        times.append(now)
        now += (IDLE_CYCLES + draw.randrange(IDLE_CYCLES)) * WORD_BYTES
    return times


def _point(
    session: Session, size: int, kind: str, load: float, asks: Sequence[Ask], times: Sequence[int]
) -> dict[str, Any]:
    phase = session.play(packets(asks, True), times=times, record=True)
    stages, whole, memory = split(phase, asks, key_words(size) if kind == "GET" else 0)
    p50, p99, p999 = (float(x) for x in np.percentile(whole, (50, 99, 99.9)))
    return {
        **{"operation": kind, "size": size, "load": load, "requests": len(asks)},
        **{"least": float(whole.min()), "p50": p50, "p99": p99, "p99.9": p999},
        "mean": float(whole.mean()),
        "stages": {name: float(cycles.mean()) for name, cycles in stages.items()},
        "memory": float(memory.mean()),
        "dropped": phase.summary["dropped"],
    }


def run(options: Options) -> Result:
    """Idle and under load, per size."""
    sizes = (6, 250) if options.quick else SIZES
    loads = (0.9,) if options.quick else LOADS
    count = options.count or (300 if options.quick else COUNT)
    idle_count = 50 if options.quick else IDLE_COUNT
    points = []
    make: dict[str, Callable[[bytes, int], Ask]] = {"GET": BINARY.get, "SET": BINARY.set}
    with Session("--memory", "1G" if options.quick else "4G") as session:
        counts = populate(session, sizes, 1000 if options.quick else POPULATION)
        for size in sizes:
            population = keys(size, counts[size])
            for kind in ("GET", "SET"):
                draw = random.Random(SEED * 1000 + size)
                asks = [make[kind](key, size) for key in draw.choices(population, k=idle_count)]
                times = _idle_times(idle_count, draw)
                points.append(_point(session, size, kind, 0, asks, times))
                for load in loads:
                    drawn = draw.choices(population, k=count)
                    asks = [make[kind](key, size) for key in drawn]
                    times = poisson_times(asks, load, draw)
                    points.append(_point(session, size, kind, load, asks, times))
    return Result([_table(points), _split_table(points)], {"points": points})


def _load(load: float) -> str:
    return f"{100 * load:.0f} %" if load else "idle"


def _table(points: Sequence[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = []
    for point in points:
        cycles = [point[name] for name in ("least", "p50", "p99", "p99.9")]
        rows.append(
            (
                f"{point['operation']}, {_load(point['load'])}",
                point["size"],
                *(round(x, 1) for x in cycles),
                f"{point['p50'] * CLOCK_NS / 1e3:.2f}",
                f"{point['p99.9'] * CLOCK_NS / 1e3:.2f}",
                point["dropped"],
            )
        )
    return Table(
        "Latency wire to wire, binary, with frame header",
        (
            *("load", "key = value", "least, cycles", "p50", "p99", "p99.9"),
            *("p50, µs", "p99.9, µs", "dropped"),
        ),
        rows,
        (
            "first bit of the request to last bit of the answer, 156.25 MHz, without MAC and PHY",
            "HotCloud'13: 3.5 to 4.5 µs round trip; TRETS'15: the table alone 0.58 µs and the hash",
            "LaKe'18: 1.1 µs",
        ),
    )


def _split_table(points: Sequence[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = [
        (
            f"{point['operation']}, {_load(point['load'])}",
            point["size"],
            *(round(point["stages"][name], 1) for name in STAGES),
            round(point["mean"], 1),
            round(point["memory"], 1),
        )
        for point in points
    ]
    return Table(
        "Mean latency by stage, cycles",
        ("load", "key = value", *STAGES, "sum", "of index: memory"),
        rows,
        (
            "net in ends with the last word of the request packet, store with the first word of "
            "the value, answer with its last word, the others with the operation's handshake",
            "memory: first line asked for to last line arrived",
        ),
    )


def plot(result: Result, axes: list[Axes]) -> None:
    """Percentiles against size; the split of the idle latency."""
    points = [point for point in result.data["points"] if point["operation"] == "GET"]
    curves, bars = axes
    loads = sorted({point["load"] for point in points})
    for i, load in enumerate(loads):
        some = [point for point in points if point["load"] == load]
        sizes = [point["size"] for point in some]
        for name, style in (("p50", "o-"), ("p99.9", "o:")):
            times = [point[name] * CLOCK_NS / 1e3 for point in some]
            curves.plot(sizes, times, style, color=f"C{i}", label=f"{_load(load)} {name}")
    curves.plot([6, 168], [3.5, 4.5], "ks--", label="HotCloud'13", markerfacecolor="none")
    curves.plot([6], [1.1], "k^", label="LaKe'18", markerfacecolor="none")
    curves.set(xlabel="key = value, bytes", ylabel="µs", title="Binary GET", ylim=0)
    curves.set_xscale("log", base=2)
    curves.legend(fontsize=6)
    idle = [point for point in points if point["load"] == 0]
    below = [0.0] * len(idle)
    names = [str(point["size"]) for point in idle]
    for stage in STAGES:
        cycles = [point["stages"][stage] for point in idle]
        bars.bar(names, cycles, bottom=below, label=stage)
        below = [a + b for a, b in zip(below, cycles, strict=True)]
    bars.set(xlabel="key = value, bytes", ylabel="cycles", title="Idle GET by stage")
    bars.legend(fontsize=6)
