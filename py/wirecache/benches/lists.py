# SPDX-License-Identifier: Apache-2.0
"""Lists of keys over TCP: what an item of one takes, and what gets wait beside one.

The list is `lru_crawler mgdump all`. In which order it comes the model knows, as the table has it,
so each answer is compared to the byte. A client lists all keys again and again, while another one's
small gets are measured, one each ten microseconds on the average.
"""

from __future__ import annotations

from typing import Any

from wirecache.benches import CLOCK_NS, Options, Result, Table
from wirecache.benches import _wire as wire
from wirecache.benches._index import configured
from wirecache.benches.tcp import KEY_BYTES, KEYS, VALUE_BYTES, gets, latency, spread, with_tcp
from wirecache.board.session import Session
from wirecache.model.item import ItemIndex, board_index
from wirecache.model.item_table import Slot
from wirecache.traffic.plan import Exchange, Group, Plan

SMALL, LARGE = 16 << 20, 1 << 30  # bytes of memory
LONG_KEY = 250
COUNT = 2000  # items of a list, and gets beside it
SLOTS_READ = 2  # at a time, the last one first


def listing(index: ItemIndex) -> Exchange:
    """The list of all that an index has."""
    keys = []
    for _, bucket in sorted(index.table.lines.items()):
        for at in range(0, len(bucket), SLOTS_READ):
            keys += [_key(slot) for slot in reversed(bucket[at : at + SLOTS_READ])]
    lines = [b"mg %b\r\n" % key for key in keys if key is not None]
    return Exchange(b"lru_crawler mgdump all\r\n", b"".join([*lines, b"EN\r\n"]))


def _key(slot: Slot | None) -> bytes | None:
    return slot.record.item.key if slot is not None and slot.record is not None else None


def run(options: Options) -> Result:
    """On a board with TCP."""
    count = options.count or (200 if options.quick else COUNT)
    with configured(with_tcp()):
        points = [_list(LARGE, 20, KEY_BYTES), _list(SMALL, count, KEY_BYTES)]
        if not options.quick:
            points += [_list(LARGE, count, KEY_BYTES), _list(SMALL, count, LONG_KEY)]
        latencies = _beside(count)
    data = {"points": points, "latencies": latencies}
    return Result([_table(points), _latency_table(latencies)], data)


def _filled(session: Session, memory: int, count: int, key_bytes: int) -> ItemIndex:
    """So many items, of the board and of its model."""
    index = board_index(memory)
    keys = wire.keys(key_bytes, count)
    wire.fill(session, keys, VALUE_BYTES)
    for key in keys:
        index.set(key, wire.value(VALUE_BYTES), 0, 0)
    return index


def _list(memory: int, count: int, key_bytes: int) -> dict[str, Any]:
    """How long one list takes, nothing else going on."""
    with Session("--memory", str(memory)) as session:
        index = _filled(session, memory, count, key_bytes)
        phase = session.traffic(Plan([Group("lists", [listing(index)])]))
        (cycles,) = latency(phase, "lists")
    return {
        **{"memory": memory, "buckets": index.buckets, "items": count, "key": key_bytes},
        **{"cycles": float(cycles), "each": float(cycles) / count},
    }


def _beside(count: int) -> list[dict[str, Any]]:
    """Small gets, alone and beside lists."""
    points = []
    asks = Group("gets", gets("ASCII"), requests=count, gap_ns=10_000)
    with Session("--memory", str(SMALL)) as session:
        index = _filled(session, SMALL, KEYS, KEY_BYTES)
        lists = Group("lists", [listing(index)], requests=1000, waits=False)
        for name, beside in (("alone", []), ("beside lists", [lists])):
            phase = session.traffic(Plan([asks, *beside]))
            segments = phase.summary["traffic"]["lists"]["received"] if beside else 0
            points.append({**spread(name, latency(phase, "gets")), "segments": segments})
    return points


def _table(points: list[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = [
        (
            *(f"{point['memory'] >> 20:,} MiB", point["buckets"], point["items"], point["key"]),
            *(round(point["cycles"]), round(point["cycles"] * CLOCK_NS / 1e6, 2)),
            round(point["each"]),
        )
        for point in points
    ]
    return Table(
        "A list of all keys",
        ("memory", "buckets", "items", "bytes of a key", "cycles", "ms", "cycles an item"),
        rows,
        ("an item: with its part of what the buckets take that are empty",),
    )


def _latency_table(points: list[dict[str, Any]]) -> Table:
    names = ("least", "p50", "p99", "most")
    rows: list[tuple[object, ...]] = [
        (point["load"], point["gets"], *(round(point[name], 1) for name in names))
        for point in points
    ]
    return Table(
        f"ASCII gets of {VALUE_BYTES} bytes over TCP, one each 10 µs on the average, in cycles",
        ("load", "gets", *names),
        rows,
    )
