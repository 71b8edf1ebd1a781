# SPDX-License-Identifier: Apache-2.0
"""Wire-speed requests of every size and kind, against what the fuller direction of the wire allows.

A million keys of 1 to 250 bytes, with values as long, are set over the wire. Then each point plays
one kind of request, on keys drawn at random, as fast as the fuller direction of the wire takes them
(`_wire.measure`). The limit of a point is the larger wire slot (preamble, FCS and gap included) of
a request and of its answer, over 8 bytes a cycle; requests for many short keys are limited by the
index instead, which takes a cycle for each line of a key's bucket.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import product
from typing import TYPE_CHECKING, Any

from wirecache.benches import Options, Result, Table
from wirecache.benches._index import kind
from wirecache.benches._wire import (
    ASCII,
    BINARY,
    SEED,
    SIZES,
    Ask,
    Point,
    Protocol,
    fill,
    fits,
    index_cycles,
    keys,
    measure,
    populate,
)
from wirecache.board.session import Session

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POPULATION = 1_000_000
MEMORY = "64G"  # a table of 2**21 buckets: with 2**20, chance fills one of them with a million keys
GETS_PER_SET = 30
MULTI_GETS = (10, 100)
PAPER_KEY = 6  # bytes; the 96-byte slots of HotCloud'13 are GETs of such
PAPER_SLOT = 90  # bytes of its slots beside the key
COUNT = 4000  # requests of a point
QUICK_COUNT = 2000  # the last answer may stand behind a refresh, ten cycles, which must not show
QUICK_SIZES = (1, 6, 16, 250)

PANELS = (1, 2)
_PAPER_SIZES = (6, 16, 32, 64, 96, 128, 168)
_LIMITED = ("GET", "SET", "10 GETs")  # shown beside their limits
_MARKS = {"requests": "→", "answers": "←", "index": "#"}


class _Loads:
    """The requests of each kind, of one size and protocol; the keys that are there and not."""

    def __init__(self, protocol: Protocol, size: int, populated: int, count: int) -> None:
        self._protocol = protocol
        self._size = size
        self._count = count
        known = keys(size, populated + count)
        self._there, self._absent = known[:populated], known[populated:]
        self._draw = random.Random(SEED * 1000 + size)

    def _drawn(self, count: int) -> list[bytes]:
        return self._draw.choices(self._there, k=count)

    def get(self) -> list[Ask]:
        return [self._protocol.get(key, self._size) for key in self._drawn(self._count)]

    def miss(self) -> list[Ask]:
        drawn = self._draw.choices(self._absent, k=self._count)
        return [self._protocol.miss(key) for key in drawn]

    def set(self) -> list[Ask]:
        return [self._protocol.set(key, self._size) for key in self._drawn(self._count)]

    def mix(self) -> list[Ask]:
        asks = []
        for key in self._drawn(self._count):
            if self._draw.randrange(GETS_PER_SET + 1) == 0:
                asks.append(self._protocol.set(key, self._size))
            else:
                asks.append(self._protocol.get(key, self._size))
        return asks

    def set_new(self) -> list[Ask]:
        return [self._protocol.set(key, self._size) for key in self._absent]

    def delete(self) -> list[Ask]:
        """Of what `set_new` has set."""
        return [self._protocol.delete(key, True) for key in self._absent]

    def in_turn(self) -> list[Ask]:
        """New SETs and DELETEs of them in turn, where there are too few keys for long runs."""
        asks = []
        for i in range(self._count // 2):
            key = self._absent[i % len(self._absent)]
            asks += [self._protocol.set(key, self._size), self._protocol.delete(key, True)]
        return asks

    def multi_get(self, each: int) -> list[Ask]:
        count = max(self._count // each, 200)
        drawn = self._drawn(count * each)
        parts = (drawn[i : i + each] for i in range(0, len(drawn), each))
        return [self._protocol.multi_get(part, self._size) for part in parts]

    def points(self) -> Iterator[tuple[str, list[Ask]]]:
        yield "GET", self.get()
        yield "GET, miss", self.miss()
        yield "SET", self.set()
        yield "30:1", self.mix()
        if len(self._absent) >= self._count // 2:
            yield "SET, new", self.set_new()
            yield "DELETE", self.delete()
        else:
            yield "SET, new; DELETE", self.in_turn()
        for each in MULTI_GETS:
            asks = self.multi_get(each)
            if fits(asks[0]):
                yield f"{each} GETs", asks

    def paper_points(self, session: Session) -> Iterator[tuple[str, list[Ask]]]:
        """Those that are played without frame header."""
        yield "GET", self.get()
        yield "SET", self.set()
        if self._size == PAPER_KEY:
            fill(session, self._absent, 1)
            yield "GET, 1 byte", [self._protocol.get(key, 1) for key in self._absent]
            yield "DELETE", self.delete()


def _points(session: Session, sizes: Sequence[int], counts: dict[int, int], count: int) -> Any:
    """Every point: what is asked, and what came of it."""
    for protocol in (BINARY, ASCII):
        for size in sizes:
            loads = _Loads(protocol, size, counts[size], count)
            for name, asks in loads.points():
                yield _saved(name, protocol, size, True, measure(session, asks))
            for name, asks in loads.paper_points(session):
                point = measure(session, asks, frame_header=False)
                yield _saved(name, protocol, size, False, point)


def _saved(
    name: str, protocol: Protocol, size: int, frame_header: bool, point: Point
) -> dict[str, Any]:
    return {
        **{"load": name, "protocol": protocol.name, "size": size, "frame_header": frame_header},
        **asdict(point),
        **{"share": point.share, "mega_operations": point.mega_operations},
    }


def run(options: Options) -> Result:
    """All points."""
    sizes = QUICK_SIZES if options.quick else SIZES
    count = options.count or (QUICK_COUNT if options.quick else COUNT)
    with Session("--memory", "1G" if options.quick else MEMORY) as session:
        counts = populate(session, sizes, 2000 if options.quick else POPULATION)
        points = list(_points(session, sizes, counts, count))
    tables = [_paper_table(points)]
    for frame_header in (True, False):
        for protocol in (BINARY, ASCII):
            some = [
                point
                for point in points
                if (point["protocol"], point["frame_header"]) == (protocol.name, frame_header)
            ]
            tables.append(_size_table(some, protocol.name, frame_header))
    tables.append(_summary(points))
    return Result(tables, {"points": points, "populated": sum(counts.values())})


def _paper_table(points: Sequence[dict[str, Any]]) -> Table:
    """The workloads of the papers, all columns."""
    rows: list[tuple[object, ...]] = []
    for point in points:
        if point["frame_header"] or point["size"] not in _PAPER_SIZES:
            continue
        rows.append(
            (
                f"{point['protocol']} {point['load']}",
                point["size"],
                round(point["request_slot"]),
                round(point["answer_slot"]),
                point["full"],
                round(point["limit"], 3),
                round(point["cycles"], 3),
                _percent(point["share"]),
                f"{point['mega_operations']:.2f}",
                point["dropped"],
            )
        )
    return Table(
        "Line rate without frame header, as in the papers: 10 Gb/s, 156.25 MHz",
        (
            *("load", "key = value", "request slot", "answer slot", "full"),
            *("limit, cycles", "cycles/op", "of the limit", "M op/s", "dropped"),
        ),
        rows,
        (
            "HotCloud'13: 13.02 M/s binary GET (96-byte slots), 13.74 M/s ASCII GET, 12.5 M/s SET, "
            "and packets of 96 to 258 bytes at line rate (keys and values of 6 to 168 bytes)",
            "slots in bytes of the wire: preamble, frame, FCS and gap",
        ),
    )


def _size_table(points: Sequence[dict[str, Any]], protocol: str, frame_header: bool) -> Table:
    """Rows of sizes, a column for each load."""
    loads = list(dict.fromkeys(point["load"] for point in points))
    sizes = sorted({point["size"] for point in points})
    cells = {(point["size"], point["load"]): _cell(point) for point in points}
    header = "with" if frame_header else "without"
    return Table(
        f"M op/s by key and value size, {protocol}, {header} frame header",
        ("key = value", *loads),
        [(size, *(cells.get((size, load), "-") for load in loads)) for size in sizes],
        (
            "→ the direction of the requests is full, ← that of the answers, # the index is the "
            f"limit ({kind().formula} cycles a GET of a key of n words); 100 % of it unless a "
            "share stands beside",
        ),
    )


def _cell(point: dict[str, Any]) -> str:
    text = f"{point['mega_operations']:.2f} {_MARKS[point['full']]}"
    if round(point["share"], 3) != 1:
        text += f" {_percent(point['share'])}"
    if point["dropped"]:
        text += f", {point['dropped']:,} dropped"
    return text


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _summary(points: Sequence[dict[str, Any]]) -> Table:
    worst = min(points, key=lambda point: float(point["share"]))
    return Table(
        "All points",
        ("points", "requests", "dropped", "wrong answers", "least share of the limit", "where"),
        [
            (
                len(points),
                sum(point["requests"] for point in points),
                sum(point["dropped"] for point in points),
                sum(not point["expected"] for point in points),
                _percent(worst["share"]),
                f"{worst['protocol']} {worst['load']}, {worst['size']} bytes",
            )
        ],
        ("wrong answers: points whose answers are not as long together as they should be",),
    )


def plot(result: Result, axes: list[Axes]) -> None:
    """Operations a second against size; cycles an operation beside what limits them."""
    rates, cycles = axes
    for protocol in ("binary", "ASCII"):
        for load in ("GET", "SET"):
            line = _line(result, protocol, load, False, "mega_operations")
            rates.plot(*line, "o-", label=f"{protocol} {load}")
    rates.plot(
        _PAPER_SIZES,
        [10e3 / 8 / (PAPER_SLOT + size) for size in _PAPER_SIZES],
        "ks--",
        label="HotCloud'13 Fig. 3, TRETS'15 Fig. 10: binary GET",
        markerfacecolor="none",
    )
    rates.plot([6], [13.74], "k^", label="HotCloud'13: ASCII GET", markerfacecolor="none")
    rates.plot([6], [12.5], "kv", label="HotCloud'13: binary SET", markerfacecolor="none")
    rates.set(xlabel="key = value, bytes", ylabel="M op/s", title="Without frame header", ylim=0)
    for panel in axes:
        panel.set_xscale("log", base=2)
    for number, (protocol, load) in enumerate(product(("binary", "ASCII"), _LIMITED)):
        keys_each = _line(result, protocol, load, True, "keys")[1]
        for what, style in (("cycles", "o"), ("limit", "-")):
            sizes, requests = _line(result, protocol, load, True, what)
            each = [a / b for a, b in zip(requests, keys_each, strict=True)]
            label = f"{protocol} {load}" if what == "cycles" else None
            cycles.plot(sizes, each, style, color=f"C{number}", linewidth=0.8, label=label)
    sizes = sorted({point["size"] for point in result.data["points"]})
    cycles.plot(
        sizes, [index_cycles("get", bytes(size)) for size in sizes], "k:", label="the index alone"
    )
    cycles.set(
        xlabel="key = value, bytes",
        ylabel="cycles an operation",
        title="With frame header: measured (dots), limit (lines)",
    )
    cycles.set_yscale("log", base=2)
    for axis in (rates.xaxis, cycles.xaxis, cycles.yaxis):
        axis.set_major_formatter("{x:g}")
    for panel in axes:
        panel.legend(fontsize=6)


def _line(
    result: Result, protocol: str, load: str, frame_header: bool, what: str
) -> tuple[list[int], list[float]]:
    points = [
        point
        for point in result.data["points"]
        if (point["protocol"], point["load"], point["frame_header"])
        == (protocol, load, frame_header)
    ]
    return [point["size"] for point in points], [point[what] for point in points]
