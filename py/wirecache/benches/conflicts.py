# SPDX-License-Identifier: Apache-2.0
"""What repeated keys cost: stalls as a function of the working set and the share of SETs.

A working set of N keys, each in a bucket of its own as far as N is small, is asked at random; a
share S of the operations are SETs. On the wire (binary, keys and values of six bytes) and at the
table alone, as fast as each takes them. TRETS'15, 6.1, gives the probability that an operation
meets a write of its bucket in the critical section: P_col = 1 - (1 - S / N)^M with M operations in
it. M is measured here: the mean time from hash to result over the time between operations. An
operation that meets a write counts as forwarded; what cannot be forwarded stalls.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wirecache.benches import Options, Result, Table
from wirecache.benches import _table as table
from wirecache.benches import _wire as wire
from wirecache.benches._index import kind
from wirecache.board.session import Session

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SETS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000)  # sizes of the working set
SHARES = (0.0, 1 / 31, 0.1, 0.5, 1.0)  # of SETs; 30:1 is the second
COUNT = 4000
KEY_BYTES = 6
VALUE_BYTES = 6
PANELS = (1, 2)


def probability(share: float, working_set: int, inside: float) -> float:
    """P_col of TRETS'15."""
    return float(1 - (1 - share / working_set) ** inside)


def _draw(
    population: Sequence[bytes], share: float, count: int, seed: int
) -> list[tuple[bool, bytes]]:
    draw = random.Random(seed)
    return [(draw.random() < share, draw.choice(population)) for _ in range(count)]


def _on_wire(session: Session, drawn: Sequence[tuple[bool, bytes]]) -> dict[str, Any]:
    make = (wire.BINARY.get, wire.BINARY.set)
    point = wire.measure(session, [make[is_set](key, VALUE_BYTES) for is_set, key in drawn])
    return {
        **{"cycles": point.cycles, "limit": point.limit, "dropped": point.dropped},
        **{"inside": point.index_cycles / point.cycles, "counters": point.counters},
    }


def _at_table(session: Session, drawn: Sequence[tuple[bool, bytes]]) -> dict[str, Any]:
    name = ("get", "set")
    rate = table.measure(
        session, [table.Operation(name[is_set], key, VALUE_BYTES) for is_set, key in drawn]
    )
    limit = sum(kind().cycles(name[is_set], KEY_BYTES) for is_set, _ in drawn) / len(drawn)
    return {
        **{"cycles": rate.cycles, "limit": limit, "dropped": 0},
        **{"inside": rate.index_cycles / rate.cycles, "counters": rate.counters},
    }


def run(options: Options) -> Result:
    """Both places, every working set and share."""
    working_sets = (1, 100) if options.quick else SETS
    shares = (0.0, 0.5) if options.quick else SHARES
    count = options.count or (500 if options.quick else COUNT)
    population = wire.keys(KEY_BYTES, max(working_sets))
    memory = ("--memory", "4G")
    points = []
    for place, board in (("wire", Session(*memory)), ("table", table.board(*memory))):
        with board as session:
            if place == "wire":
                wire.fill(session, population, VALUE_BYTES)
            else:
                table.populate(session, population, VALUE_BYTES)
            measure = _on_wire if place == "wire" else _at_table
            for working_set in working_sets:
                for share in shares:
                    drawn = _draw(population[:working_set], share, count, wire.SEED + working_set)
                    found = measure(session, drawn)
                    counters = found.pop("counters")
                    points.append(
                        {
                            **{"place": place, "working_set": working_set, "share": share},
                            **{"operations": count, **found},
                            **{name: counters[name] for name in kind().waits},
                            "expected": probability(share, working_set, found["inside"]),
                        }
                    )
    return Result([*(_table(points, place) for place in ("wire", "table"))], {"points": points})


def _table(points: Sequence[dict[str, Any]], place: str) -> Table:
    rows: list[tuple[object, ...]] = []
    for point in points:
        if point["place"] != place:
            continue
        count = point["operations"]
        rows.append(
            (
                point["working_set"],
                f"{100 * point['share']:.0f} %",
                f"{point['cycles']:.2f}",
                f"{100 * point['limit'] / point['cycles']:.1f} %",
                point["dropped"],
                *(f"{point[name] / count:.3f}" for name in kind().waits),
                f"{point['inside']:.1f}",
                f"{point['expected']:.3f}",
            )
        )
    where = {
        "wire": "Repeated keys on the wire, binary, 6-byte keys and values",
        "table": "Repeated keys at the table alone, 6-byte keys and values",
    }
    limit = {
        "wire": "the limit is the fuller direction of the wire",
        "table": f"the limit is {kind().formula} cycles for a GET, with n = 1",
    }
    return Table(
        where[place],
        (
            *("keys", "SETs", "cycles/op", "of the limit", "dropped"),
            *(name.replace("_", " ") for name in kind().waits),
            *("M", "P_col"),
        ),
        rows,
        (
            f"{limit[place]}; forward: share of the operations; "
            "held, stall, wait: cycles an operation",
            "TRETS'15: from 500 keys on P_col is below 5 % and line rate is met; below, it stalls",
        ),
    )


def plot(result: Result, axes: list[Axes]) -> None:
    """Cycles an operation, and the formula beside the operations that met a write."""
    cost, met = axes
    # What tells of operations that met a write: those that saw it, or the cycles that they waited.
    forwards = "forward" in kind().waits
    told, called = ("forward", "forwarded") if forwards else ("table_held", "cycles held")
    shares = sorted({point["share"] for point in result.data["points"]})
    for i, share in enumerate(shares):
        for place, style in (("wire", "o-"), ("table", "o:")):
            some = [
                point
                for point in result.data["points"]
                if (point["place"], point["share"]) == (place, share)
            ]
            sizes = [point["working_set"] for point in some]
            label = f"{place}, {100 * share:.0f} % SETs"
            cycles = [point["cycles"] for point in some]
            cost.plot(sizes, cycles, style, color=f"C{i}", label=label)
            if place == "wire" or share == 0:
                continue
            measured = [point[told] / point["operations"] for point in some]
            expected = [point["expected"] for point in some]
            met.plot(sizes, measured, "o", color=f"C{i}", label=f"{100 * share:.0f} %, {called}")
            met.plot(sizes, expected, "-", color=f"C{i}", label=f"{100 * share:.0f} %, P_col")
    cost.set(xlabel="keys in the working set", ylabel="cycles an operation", ylim=0)
    met.set(
        xlabel="keys in the working set",
        ylabel="share of operations" if forwards else "of an operation",
        title="Table alone",
    )
    for each in axes:
        each.set_xscale("log")
        each.legend(fontsize=6)
