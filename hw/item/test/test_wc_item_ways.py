# SPDX-License-Identifier: Apache-2.0
"""wc_item_table with several ways: an item is found wherever it is, also while it is moved; none is
lost but by eviction; and the table keeps its pace."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from table_bench import FAST, TAG_BITS, get, op, remove, store
from ways_bench import Lines, Names, WaysTable, named
from wirecache.testbench.bench import full, rounds, run

TABLE = 128  # buckets, as Table.start has it


async def random_run(
    dut: Any,
    count: int,
    buckets: int,
    hot: float,
    streams: Sequence[float] = (1.0, 1.0, 1.0),
    seen: Sequence[str] = (),
    tags: int = 24,
    **options: Any,
) -> WaysTable:
    table = await WaysTable.start(dut, streams, **options)
    mixture = Names(table, random.sample(range(TABLE), buckets), tags, hot)

    await table.play_until(mixture, count, seen=seen)
    return table


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def quick_memory(dut):
    seen = ("found", "placed", "held", "evicted", "waits", "sweeps", "young", "old", "moved")
    await random_run(dut, 3000, 120, 0.2, seen=seen, tags=40, read=(1, 3), write=(1, 3))


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def slow_memory(dut):
    await random_run(dut, 2000, 128, 0.2, tags=40, read=(60, 200), write=(60, 200))


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def few_buckets(dut):
    """Most of the lines are full, and nearly all are on the chip."""
    delays = {"place_delay": (0, 0), "write_delay": (0, 5), "settle_delay": (0, 5)}
    options: dict[str, Any] = {"read": (1, 20), "write": (1, 40), "delays": delays}
    seen = ("moved", "evicted", "held", "pointless")
    await random_run(dut, 3000, 8, 0.5, seen=seen, tags=100, **options)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(buckets=[4, 30, 128])
async def irregular(dut, buckets):
    """Every stream stalls."""
    streams = random.choices([0.2, 0.7, 1.0], k=3)
    options: dict[str, Any] = {"read": (1, 60), "write": (1, 120)}
    options["willing"] = random.choice([0.3, 0.7])
    await random_run(dut, 1500, buckets, 0.3, streams, tags=50, **options)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def deleted_and_stored_again(dut):
    """Keys with the same lines, which are full: an item on its way is deleted, and its key is
    stored in a line before its mover comes. (The mover took this one for its own once.)"""
    table = await WaysTable.start(dut, read=(1, 3), write=(1, 3))
    low, bucket = random.getrandbits(4), random.randrange(TABLE)
    tags = range(1, 12 * table.ways + 1)
    names = [named(bucket, low | number << 4, table.ways) for number in tags]
    again: list[Any] = []

    def make() -> Any:
        if again and random.random() < 0.7:
            return again.pop()
        name = random.choice(names)
        kind = random.random()
        if kind < 0.5:
            return store(*name)
        if kind < 0.75:
            again.append(store(*name))
            return remove(*name)
        return get(*name)

    for _ in rounds(2, lambda: min(table.seen["pointless"], table.seen["moved"]) > 20):
        await table.play(1500, make)
        table.compare()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def read_errors(dut):
    """Operations that have a line that cannot be read do nothing and say so. An item that is on its
    way to such a line, or from one, is lost, and others are found later."""
    table = await WaysTable.start(dut, read=(1, 40), write=(1, 40))
    if int(dut.Entries.value) * table.ways > TABLE:  # all lines are on the chip
        return
    mixture = Names(table, range(TABLE), 50)
    await table.play(2500, mixture.store)
    bad = set(random.sample(range(TABLE), 6))
    table.memory.fails_read = lambda address: address // 64 - table.base in bad
    # Unless it is on the chip already.
    table.unreadable = lambda bucket: None if bucket in bad else False

    for _ in rounds(1, lambda: min(table.seen["bad"], table.seen["dropped"]) > 0):
        await table.play(1000, mixture.store)
    bad.clear()
    await table.play(1000, mixture)
    table.compare()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def swept_beside_a_retired_line(dut):
    """One of a key's lines could not be written, and is out of use. What the sweeper meets of those
    in another one is found, so its segment is not given back while a slot points to it."""
    table = await WaysTable.start(dut, read=(1, 8), write=(1, 8))
    if int(dut.Entries.value) * table.ways > TABLE // 2:  # no line leaves the chip
        return
    bucket, tag = named(random.randrange(TABLE), random.getrandbits(TAG_BITS), table.ways)
    names = [(bucket, tag ^ number << 12) for number in range(4 * table.ways)]
    first, *others = [place for place, _ in Lines(table, names[0]).places]
    table.memory.fails_write = lambda address, _: address // 64 - table.base == first
    table.unreadable = lambda bucket: None if bucket == first else False
    for name in names:
        table.send(store(*name))
    await table.drain()
    addresses = [slot.address for place in others for slot in table.buckets[place] if slot.item]
    assert len(addresses) == 4 * (table.ways - 1)
    elsewhere = [n for n in range(0, TABLE, table.ways) if n // 16 != bucket // 16]
    await table.play(400, lambda: get(*named(random.choice(elsewhere), random.getrandbits(8), 4)))
    before = table.seen["found"]
    for address in addresses:
        table.send(op(bucket=bucket, tag=tag, sweeps=1, dead=1, address=address, span=9))
    await table.drain()
    assert table.seen["found"] - before == len(addresses)
    table.compare(leave_out={first})


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def cleared(dut):
    """All lines are empty, and nothing is on its way any more."""
    table = await WaysTable.start(dut, read=(60, 200), write=(60, 200))
    mixture = Names(table, range(TABLE), 40)
    for _ in rounds(2, lambda: table.seen["cleared"] > 1):
        await table.play(2500, mixture.store)
        for _ in range(40):
            table.send(mixture.store())
        while table.sent:  # it has all answers, and movers are on their way
            await RisingEdge(table.bench.clock)
        table.seen["cleared"] += any(table.moving)
        await table.clear()
        await table.play(300, mixture)
        table.compare()


# ---- pace ---------------------------------------------------------------------------------


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(latency=[10, 60, 120])
async def pace(dut, latency):
    """That of the table with one way, as lines of all ways are read beside each other."""
    fixed = (latency, latency)
    table = await WaysTable.start(dut, factor=8, shift=20, delays=FAST, read=fixed, write=fixed)
    if int(dut.Entries.value) < 64:
        return

    def name() -> tuple[int, int]:
        return named(random.getrandbits(23), random.getrandbits(TAG_BITS), table.ways)

    least = max(2.0, (latency + 26) / 64, table.ways)  # memory gives a line a cycle
    await table.pace(f"GET, absent, {latency}", lambda: get(*name()), least + 0.1)
    least = max(4.0, (2 * latency + 44) / 64)
    await table.pace(f"SET, {latency}", lambda: store(*name()), least + 0.2)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(sets=[0.1, 1.0], buckets=[8, 128])
async def pace_of_full_lines(dut, sets, buckets):
    """Far more keys than slots: movers find no place, go on to their last move, and take turns that
    users would have had."""
    fixed = (60, 60)
    table = await WaysTable.start(dut, delays=FAST, read=fixed, write=fixed)
    entries = int(dut.Entries.value)
    names = [named(random.randrange(buckets), random.getrandbits(TAG_BITS), 4) for _ in range(4000)]
    await table.play(2 * 8 * buckets, lambda: store(*random.choice(names)))

    def make() -> Any:
        name = random.choice(names)
        return store(*name) if random.random() < sets else get(*name)

    most = max(5.3, (2 * 60 + 44) / entries) if sets == 1 else max(3.5, 1.2 * (60 + 26) / entries)
    await table.pace(f"full lines, {sets} SETs, {buckets} buckets", make, most, 4000)


@pytest.mark.parametrize("ways", [2, full(4)])
@pytest.mark.parametrize("entries", [8, 64])
def test_wc_item_ways(entries, ways):
    tests = ["quick_memory", "few_buckets", "pace.*"] if entries == 64 else []
    run("wc_item_table", __file__, {"Entries": entries, "Ways": ways}, tests=tests)


@pytest.mark.full
def test_few_moves():
    """Few are on their way at once, and most give way soon."""
    sizes = {"Entries": 16, "Ways": 2, "Stash": 2, "Moves": 1}
    run(
        "wc_item_table",
        __file__,
        sizes,
        tests=["few_buckets", "deleted_and_stored_again", "cleared"],
    )
