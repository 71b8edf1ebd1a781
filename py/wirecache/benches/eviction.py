# SPDX-License-Identifier: Apache-2.0
"""The wire while memory is full: each SET of a new key makes the sweeper read, look up and forget
an old record. Is that line rate too, and what do requests wait for it?

Memory is filled with new keys until the log has gone round. Then come SETs of more new keys, alone
or with GETs of the newest: as fast as the wire takes them, for the rate; at random times (Poisson),
for the latency, beside which stands the same with memory that is not full.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wirecache.benches import CLOCK_NS, WORD_BYTES, Options, Result, Table
from wirecache.benches._index import configured
from wirecache.benches._wire import BINARY, SEED, Ask, fill, keys, measure, packets, poisson_times
from wirecache.board.session import Session
from wirecache.model.log import item_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CONFIG = "simulated"  # the other index evicts nothing
MEGABYTES = 16  # the least there may be: soon full
SIZES = (16, 64, 250)  # of keys and values
MIXES = {"SET": 0, "1:1": 1, "30:1": 30}  # GETs for a SET
LOADS = (0.5, 0.9, 0.99)
COUNT = 10_000  # requests of a point
NEWEST = 1000  # keys that are asked for
PANELS = (1, 2)


class _Board:
    """A board that was filled, and the keys that nobody has set yet."""

    def __init__(self, session: Session, size: int, full: bool) -> None:
        self.session, self.size = session, size
        filled = 5 * (MEGABYTES << 20) // (4 * item_bytes(size, size)) if full else NEWEST
        self._keys = keys(size, filled + 20 * COUNT)
        self._next = filled
        fill(session, self._keys[:filled], size)
        self._draw = random.Random(SEED * 1000 + size)

    def asks(self, gets: int, count: int) -> list[Ask]:
        """`gets` GETs for each SET, in any order, of keys that are among the newest."""
        newest = self._keys[self._next - NEWEST : self._next]
        found = []
        for _ in range(count):
            if self._draw.randrange(gets + 1) == 0:
                found.append(BINARY.set(self._keys[self._next], self.size))
                self._next += 1
            else:
                found.append(BINARY.get(self._draw.choice(newest), self.size))
        return found

    def rate(self, mix: str, count: int) -> dict[str, Any]:
        point = measure(self.session, self.asks(MIXES[mix], count))
        return {
            **{"mix": mix, "size": self.size, "full": point.full, "dropped": point.dropped},
            **{"mega_operations": point.mega_operations, "share": point.share},
            **{"expected": point.expected, "evicted": _evicted(point.counters) / count},
        }

    def latency(self, mix: str, load: float, count: int) -> dict[str, Any]:
        asks = self.asks(MIXES[mix], count)
        times = poisson_times(asks, load, self._draw)
        phase = self.session.play(packets(asks, True), times=times, record=True)
        begun, _ = phase.slots("in")
        sent, sent_bytes = phase.slots("out")
        if phase.summary["dropped"] or len(sent) != len(begun):
            raise RuntimeError("a request or an answer was lost")
        whole = (sent + sent_bytes - begun) / WORD_BYTES
        p50, p99, p999 = (float(x) for x in np.percentile(whole, (50, 99, 99.9)))
        return {
            **{"mix": mix, "size": self.size, "load": load},
            **{"p50": p50, "p99": p99, "p99.9": p999, "most": float(whole.max())},
            **{"evicted": _evicted(phase.counters) / count},
        }


def _evicted(counters: dict[str, int]) -> int:
    return sum(counters[name] for name in ("evict_new", "evict_main", "evict_bucket"))


def run(options: Options) -> Result:
    """Rates of all sizes; latency of the smallest."""
    with configured(CONFIG):
        return _run(options)


def _run(options: Options) -> Result:
    count = options.count or (600 if options.quick else COUNT)
    rates, latencies = [], []
    for size in SIZES[:1] if options.quick else SIZES:
        for full in (False, True) if size == SIZES[0] else (True,):
            with Session("--memory", f"{MEGABYTES}M") as session:
                board = _Board(session, size, full)
                if full:
                    rates += [board.rate(mix, count) for mix in MIXES]
                if size == SIZES[0]:
                    for mix in ("SET", "30:1"):
                        for load in LOADS[1:2] if options.quick else LOADS:
                            point = board.latency(mix, load, count)
                            latencies.append({"memory": "full" if full else "not full", **point})
    tables = [_rate_table(rates), _latency_table(latencies)]
    return Result(tables, {"rates": rates, "latencies": latencies})


def _rate_table(points: Sequence[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = [
        (
            *(point["mix"], point["size"], f"{point['mega_operations']:.2f}", point["full"]),
            *(f"{100 * point['share']:.1f} %", point["dropped"], f"{point['evicted']:.3f}"),
        )
        for point in points
    ]
    return Table(
        f"Memory full ({MEGABYTES} MiB), SETs of new keys, binary, as fast as the wire takes them",
        (
            *("GETs to SETs", "key = value", "M op/s", "full"),
            *("of the limit", "dropped", "evicted, a request"),
        ),
        rows,
        (f"GETs of the {NEWEST:,} keys that were set last", "full: which limits, as in line-rate"),
    )


def _latency_table(points: Sequence[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = [
        (
            *(f"{point['mix']}, {100 * point['load']:.0f} %", point["memory"]),
            *(round(point[name], 1) for name in ("p50", "p99", "p99.9", "most")),
            *(f"{point['p99.9'] * CLOCK_NS / 1e3:.2f}", f"{point['evicted']:.3f}"),
        )
        for point in points
    ]
    return Table(
        f"Latency while the sweeper works, {SIZES[0]}-byte keys and values, cycles",
        ("load", "memory", "p50", "p99", "p99.9", "most", "p99.9, µs", "evicted, a request"),
        rows,
        ("first bit of the request to the end of the answer's slot on the wire",),
    )


def plot(result: Result, axes: list[Axes]) -> None:
    """Percentiles of SETs and of the mix, memory full and not."""
    for each, mix in zip(axes, ("SET", "30:1"), strict=True):
        for i, memory in enumerate(("not full", "full")):
            some = [
                point
                for point in result.data["latencies"]
                if (point["mix"], point["memory"]) == (mix, memory)
            ]
            loads = [f"{100 * point['load']:.0f} %" for point in some]
            for name, style in (("p50", "o-"), ("p99.9", "o:")):
                cycles = [point[name] for point in some]
                each.plot(loads, cycles, style, color=f"C{i}", label=f"{memory}, {name}")
        each.set(xlabel="of the wire", ylabel="cycles", title=f"{mix}, new keys", ylim=0)
        each.legend(fontsize=6)
