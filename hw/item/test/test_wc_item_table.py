# SPDX-License-Identifier: Apache-2.0
"""wc_item_table: every operation finds what the ones before it left, whatever memory does; nothing
is lost when lines go back; and it keeps its pace."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from table_bench import (
    EMPTY,
    FAST,
    FETCHED,
    MAIN,
    NEW,
    Mixture,
    Slot,
    Table,
    anything,
    get,
    op,
    store,
)
from wirecache.circuit import structs
from wirecache.testbench.bench import run

Streams = Sequence[float]
TABLE = 128  # buckets, as Table.start has it


async def random_run(
    dut: Any,
    count: int,
    buckets: int,
    hot: float,
    streams: Streams,
    events: Sequence[str] = (),
    seen: Sequence[str] = (),
    **options: Any,
) -> Table:
    """Plays `count` random operations, and as many again until each of
    `events` (of the circuit) has happened and each of `seen` (by the model).
    """
    table = await Table.start(dut, streams, **options)
    mixture = Mixture(table, random.sample(range(TABLE), buckets), hot=hot)
    for bucket in mixture.buckets:
        table.load(bucket, anything(mixture.tags))

    await table.play_until(mixture, count, events, seen)
    return table


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def quick_memory(dut):
    events = ("evict_bucket", "ghost_back", "held", "fill", "write_back")
    seen = ("found", "placed", "held", "evicted", "waits", "sweeps", "young", "old")
    quick: dict[str, Any] = {"read": (1, 3), "write": (1, 3)}
    await random_run(dut, 1500, 100, 0.2, (1.0, 1.0, 1.0), events, seen, **quick)


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def slow_memory(dut):
    await random_run(dut, 1500, 120, 0.2, (1.0, 1.0, 1.0), read=(60, 200), write=(60, 200))


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def few_buckets(dut):
    """Nearly all operations find their bucket on the chip, in all states."""
    delays = {"place_delay": (0, 0), "write_delay": (0, 5), "settle_delay": (0, 5)}
    options: dict[str, Any] = {"read": (1, 20), "write": (1, 40), "delays": delays}
    await random_run(dut, 2000, 3, 0.9, (1.0, 1.0, 1.0), **options)


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def slow_answers(dut):
    """Acknowledgements, items that are written and what is settled take very long."""
    delays = {"place_delay": (0, 40), "write_delay": (0, 400), "settle_delay": (0, 200)}
    await random_run(dut, 600, 40, 0.3, (1.0, 1.0, 1.0), write=(5, 500), delays=delays)


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(buckets=[2, 12, 120])
async def irregular(dut, buckets):
    """Every stream stalls."""
    streams = random.choices([0.2, 0.7, 1.0], k=3)
    options: dict[str, Any] = {
        "read": (1, 60),
        "write": (1, 120),
        "willing": random.choice([0.3, 0.7]),
    }
    await random_run(dut, 1200, buckets, 0.3, streams, **options)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def with_gaps(dut):
    """Few operations at a time, so that lines go back and entries change between them."""
    table = await Table.start(dut, read=(1, 8), write=(1, 20))
    mixture = Mixture(table, list(range(TABLE)), hot=0.3)
    for _ in range(120):
        for _ in range(random.randint(1, 12)):
            table.send(mixture())
        await table.bench.wait(random.randint(1, 60))
    await table.drain()
    table.compare()


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def most_jobs(dut):
    """No place is given out while so many items are not written."""
    table = await Table.start(dut, delays={"place_delay": (0, 0), "write_delay": (600, 900)})
    most = 0
    for number in range(400):
        table.send(store(random.randrange(20), number % 30))
    while table.sent:
        most = max(most, len(table.jobs))
        await RisingEdge(table.bench.clock)
    await table.drain()
    table.compare()
    assert most == structs.constant("wc_log_pkg::MostJobs")


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def read_errors(dut):
    """Operations of a bucket that cannot be read do nothing and say so; later they find it."""
    table = await Table.start(dut, read=(1, 40), write=(1, 40))
    mixture = Mixture(table, random.sample(range(TABLE), 90), hot=0.1)
    for bucket in mixture.buckets:
        table.load(bucket, anything(mixture.tags))
    bad = set(random.sample(mixture.buckets, 20))
    table.memory.fails_read = lambda address: address // 64 - table.base in bad
    table.unreadable = lambda bucket: bucket in bad
    await table.play(1000, mixture)
    assert table.errors["read"] == len(table.memory.failed_reads) > 0
    bad.clear()
    await table.play(1000, mixture)
    table.compare()


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def write_errors(dut):
    """A bucket that could not be written counts as unreadable once it has left the chip, until the
    table is cleared."""
    table = await Table.start(dut, read=(1, 20), write=(1, 40))
    mixture = Mixture(table, list(range(TABLE)), hot=0.1)
    bad: set[int] = set()

    def fails(address: int, _: int) -> bool:
        bucket = address // 64 - table.base
        if bucket not in bad and (len(bad) >= 5 or random.random() > 0.02):
            return False
        bad.add(bucket)
        return True

    table.memory.fails_write = fails
    table.unreadable = lambda bucket: None if bucket in bad else False
    await table.play(2500, mixture)
    table.compare(leave_out=bad)
    assert table.errors["write"] == len(table.memory.failed_writes) > 0
    assert structs.unpack("bad_level_t", int(dut.retired_o.value)) == {"level": len(bad), "all": 0}
    assert table.seen["bad"] > 0
    table.memory.fails_write = lambda *_: False
    await table.clear()
    table.unreadable = lambda bucket: False
    await table.play(500, mixture)
    table.compare()
    assert int(dut.retired_o.value) == 0


@cocotb.test(timeout_time=8, timeout_unit="ms")
@cocotb.parametrize(busy=[False, True])
async def cleared(dut, busy):
    """All buckets are empty, and no other line has changed. Operations that come meanwhile wait."""
    factor, shift = random.choice([(8, 0), (15, 2), (11, 3)])
    buckets = factor << shift
    table = await Table.start(dut, factor=factor, shift=shift, willing=random.choice([0.5, 1.0]))
    mixture = Mixture(table, list(range(buckets)))
    for bucket in range(buckets):
        table.load(bucket, anything(mixture.tags))
    around = {table.base - 1: 7, table.base + buckets: 8}
    table.memory.lines |= around
    await table.play(300, mixture)
    if busy:  # it has all answers, and lines are still on their way
        for _ in range(60):
            table.send(mixture())
        while table.sent:
            await RisingEdge(table.bench.clock)
    await table.clear()
    assert dut.clearing_o.value
    await table.play(300, mixture)
    assert not dut.clearing_o.value
    table.compare()
    assert {line: table.memory.lines[line] for line in around} == around


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def cleared_with_errors(dut):
    """Zeros that could not be written are written again, up to 16 times; what still fails is out of
    use. Operations that come meanwhile wait."""
    table = await Table.start(dut, factor=15, shift=3, write=(1, 40))
    buckets = 15 << 3
    mixture = Mixture(table, list(range(buckets)))
    for bucket in range(buckets):
        table.load(bucket, anything(mixture.tags))
    broken = set(random.sample(range(buckets), 3))
    tries: Counter[int] = Counter()

    def fails(address: int, _: int) -> bool:
        bucket = address // 64 - table.base
        tries[bucket] += 1
        return bucket in broken or random.random() < 0.3

    table.memory.fails_write = fails
    await table.clear()
    while dut.clearing_o.value:
        await RisingEdge(table.bench.clock)
    table.memory.fails_write = lambda *_: False
    assert {tries[bucket] for bucket in broken} == {16}
    assert len(tries) == buckets and min(tries.values()) == 1
    assert structs.unpack("bad_level_t", int(dut.retired_o.value)) == {"level": 3, "all": 0}
    assert table.errors["write"] == len(table.memory.failed_writes) >= 48
    table.unreadable = lambda bucket: None if bucket in broken else False
    await table.play(500, mixture)
    table.compare(leave_out=broken)


# ---- pace ---------------------------------------------------------------------------------
LATENCIES = [10, 60, 120]


async def fixed(dut: Any, latency: int) -> Table:
    fixed_ = (latency, latency)
    return await Table.start(dut, factor=8, shift=20, delays=FAST, read=fixed_, write=fixed_)


@cocotb.test(timeout_time=8, timeout_unit="ms")
@cocotb.parametrize(latency=LATENCIES)
async def pace_of_gets(dut, latency):
    table = await fixed(dut, latency)

    def absent():
        return get(random.getrandbits(23), 3)

    def first_use():
        bucket = random.getrandbits(23)
        table.load(bucket, [Slot(NEW, 0, 5, 9, 1000)] + [Slot()] * 7)
        return get(bucket, 5)

    def used():
        bucket = random.getrandbits(23)
        table.load(bucket, [Slot(EMPTY)] * 7 + [Slot(MAIN, 3, 5, 9, 1000, FETCHED, table.period)])
        return get(bucket, 5)

    least = max(2.0, (latency + 22) / 64)  # entries are in use for that many cycles
    await table.pace(f"GET, absent, {latency}", absent, least + 0.1)
    await table.pace(f"GET, used often, {latency}", used, least + 0.1)
    least = max(2.0, (2 * latency + 40) / 64)
    await table.pace(f"GET, uses change, {latency}", first_use, least + 0.2)


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def pace_of_one_bucket(dut):
    table = await fixed(dut, 60)
    table.load(7, [Slot(NEW, 0, tag, 9, 1000 + tag) for tag in range(8)])
    await table.pace("GET, one key", lambda: get(7, 5), 2.01)
    await table.pace("GET, one bucket", lambda: get(7, random.randrange(9)), 2.01)
    await table.pace("GET, two buckets", lambda: get(random.randrange(2), 5), 2.01)
    await table.pace("SET, one key", lambda: store(7, 5), 4.01)
    await table.pace("SET, one bucket", lambda: store(7, random.randrange(20)), 4.01)
    kinds = iter([get(7, 5), store(7, 5)] * 300)
    await table.pace("SET and GET in turn, one bucket", lambda: next(kinds), 3.01)


@cocotb.test(timeout_time=8, timeout_unit="ms")
@cocotb.parametrize(latency=LATENCIES)
async def pace_of_sets(dut, latency):
    table = await fixed(dut, latency)
    least = max(4.0, (2 * latency + 40) / 64)
    await table.pace(f"SET, {latency}", lambda: store(random.getrandbits(23), 3), least + 0.2)
    kinds = iter([0, 1] * 300)

    def both():
        bucket = random.getrandbits(23)
        return store(bucket, 3) if next(kinds) else get(bucket, 3)

    await table.pace(f"SET and GET in turn, {latency}", both, max(3.0, least) + 0.2)
    kinds = iter([0, 1] * 300)

    def evicting():
        """Memory is full: an unused item, which might be copied, is met for each that is stored."""
        bucket = random.getrandbits(23)
        if next(kinds):
            return store(bucket, 3)
        table.load(bucket, [Slot(NEW, 0, 5, 9, 1000)] + [Slot()] * 7)
        return op(bucket=bucket, sweeps=1, address=1000, span=5, may_copy=1)

    await table.pace(f"SET and record in turn, {latency}", evicting, least + 0.2)


@pytest.mark.parametrize("entries", [8, 64])
def test_wc_item_table(entries):
    tests = [] if entries == 64 else ["quick_memory", "few_buckets", "irregular.*", "with_gaps"]
    run("wc_item_table", __file__, {"Entries": entries}, tests=tests)
