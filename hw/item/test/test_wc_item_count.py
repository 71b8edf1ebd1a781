# SPDX-License-Identifier: Apache-2.0
"""wc_item: INCR and DECR, of which those of one key follow one another in a chain."""

from __future__ import annotations

import random
from typing import Any

import cocotb
import pytest
from item_bench import numeric
from wc_item_bench import COUNTS, NUMBER_BYTES, OP, STORES, TIME, ItemBench, run_item
from wirecache.model.lookup3 import hashlittle2
from wirecache.testbench.bench import full


def count_one(bench: ItemBench, key: bytes, kind: Any = OP.OpIncr, **fields: Any) -> None:
    """An INCR, or a DECR; by 1 and of what is there, if not said otherwise."""
    usual = {"delta": 1, "creates": 0, "start": 0, "expiry": 0, "cas": 0}
    bench.send(kind, key, value_len=NUMBER_BYTES, **usual | fields)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(number=[9, 10**9, 10**19], kind=["incr", "decr", "both"])
async def hot_counter(dut, number, kind):
    """All count with one key: those that come while the first one is on its way follow it, and
    take 16 cycles at most, whatever the number is."""
    bench = await ItemBench.start(dut, read=(40, 40), write=(10, 20))
    key = b"a key of 16 byte"
    bench.send(OP.OpSet, key, b"%d" % number)
    await bench.check(1)
    kinds = {"incr": (OP.OpIncr,), "decr": (OP.OpDecr,), "both": COUNTS}[kind]
    count = 300
    for _ in range(count):
        count_one(bench, key, random.choice(kinds))
    await bench.check(count)
    cycles = list(bench.done.cycles)[-count:]
    each = (cycles[-1] - cycles[100]) / (count - 101)
    dut._log.info("%s of %d: %.2f cycles", kind, number, each)
    assert bench.counted == count and bench.followed > count - 5, (bench.counted, bench.followed)
    assert each <= 16.0


def alias(key: bytes) -> int:
    """A hash of few values, also for other keys of the same length."""
    return hashlittle2(key[:1])


HOT = {"set": 1, "get": 1, "delete": 0.3, "append": 0.5, "touch": 0.5, "flush": 0.1, "other": 2}


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(others=[0.0, 0.01, 0.1], keys=["one", "two", "alike"])
async def hot_counters(dut, others, keys):
    """Few keys are counted: two in turn, or such as have equal hashes. Between them is anything, of
    these keys or of others."""
    bench = await ItemBench.start(dut, read=(1, 60), write=(1, 60), hash=alias)
    bench.reads = 1
    names = {"one": [b"a"], "two": [b"a", b"b"], "alike": [b"a", b"aaaaaaaa", b"aaaaaaab"]}[keys]
    weights = {"count": sum(HOT.values())} | {name: others * n for name, n in HOT.items()}
    begin = random.choice((b"7", b"  12 ", b"99999999999999999990", b"x"))
    bench.send(OP.OpSet, names[-1], begin, flags=5)
    total = 800
    key = names[0]
    for at in range(total):
        if random.random() < 0.3:
            key = random.choice(names)
        bench.last = int(at == total - 1 or random.random() < 0.7)
        cas = random.choice((0, 0, 0, 0, bench.model.cas, 1))
        match random.choices(list(weights), list(weights.values()))[0]:
            case "count":
                count_one(
                    bench,
                    key,
                    random.choice(COUNTS),
                    delta=random.choice((0, 1, 1, 1, random.getrandbits(64))),
                    creates=int(random.random() < 0.05),
                    start=random.choice((0, 10**9, random.getrandbits(64))),
                    touches=int(random.random() < 0.1),
                    earlier=random.getrandbits(1),
                    expiry=random.choice((0, 0, 0, TIME - 1, TIME + 1)),
                    cas=cas,
                )
            case "set":
                expiry = random.choice((0, 0, 0, TIME - 1, TIME + 1))
                value = numeric()
                if random.random() < 0.7:
                    value = b"%d" % random.getrandbits(random.choice((4, 34, 64)))
                bench.send(OP.OpSet, key, value, flags=random.getrandbits(32), expiry=expiry)
            case "get":
                bench.send(OP.OpGet, key)
            case "delete":
                bench.send(OP.OpDelete, key, cas=cas)
            case "append":
                bench.send(OP.OpAppend, key, b"1", cas=cas)
            case "touch":
                expiry = random.choice((0, 0, 0, TIME - 1, TIME + 1))
                bench.send(OP.OpTouch, key, expiry=expiry)
            case "flush":
                bench.send(OP.OpFlush, expiry=random.choice((0, TIME + 1)))
            case _:
                other = b"other%d" % random.randrange(20)
                kind = random.choice((OP.OpGet, OP.OpSet, OP.OpAdd, OP.OpTouch))
                bench.send(kind, other, b"12" if kind in STORES else b"")
    await bench.check(total + 1)
    least = {"one": 300, "two": 30, "alike": 30}[keys] if others < 0.1 else 5
    dut._log.info("%d counted, %d followed", bench.counted, bench.followed)
    assert bench.followed > least, bench.followed


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def chain_ends(dut):
    """Whoever waits behind a chain waits for those of it that are on their way, and for no more."""
    bench = await ItemBench.start(dut, read=(40, 40), write=(10, 20))
    bench.reads = 1
    bench.send(OP.OpSet, b"key", b"1000")
    at = []
    for _ in range(6):
        for _ in range(150):
            count_one(bench, b"key")
        at.append(len(bench.sent))
        bench.send(*random.choice(((OP.OpGet, b"key"), (OP.OpSet, b"key", b"1000"))))
    await bench.check(6 * 151 + 1)
    cycles = list(bench.done.cycles)
    waits = [cycles[number] - cycles[number - 1] for number in at]
    dut._log.info("%s cycles behind the last of a chain", waits)
    assert bench.followed > 700
    # Behind the last one: its digits, its job and its settle, and the way of the operation.
    assert max(waits) <= 120


def one_bucket(key: bytes) -> int:
    return hashlittle2(key) >> 32 << 32


@cocotb.test(timeout_time=40, timeout_unit="ms")
@cocotb.parametrize(others=[0.0, 0.02])
async def hot_counter_fills_memory(dut, others):
    """The sweeper makes room for the items of one counter, and comes in between. It meets other
    items of the bucket too: those that are used it copies, while the counter holds the bucket."""
    bench = await ItemBench.start(dut, hash=one_bucket)
    bench.reads = 1
    key = random.randbytes(100)
    bench.send(OP.OpSet, key, b"1")
    count = 4500
    for _ in range(count):
        count_one(bench, key)
        if random.random() < others:
            other = b"%d" % random.randrange(15)
            bench.send(random.choice((OP.OpGet, OP.OpGet, OP.OpSet)), other, b"")
    await bench.check(len(bench.sent) + len(bench.expected))
    cycles = list(bench.done.cycles)
    each = (cycles[-1] - cycles[-1000]) / 999
    dut._log.info("%.2f cycles, %d of %d followed", each, bench.followed, count)
    assert bench.follower.sweeps >= 8
    assert bench.followed > (count * 0.95 if not others else count * 0.7)
    assert each < (30 if not others else 60)
    assert bench.follower.copies > 0 or not others
    assert int(dut.lost_o.value) == 0
    bench.send(OP.OpGet, key)
    await bench.check(1)


# With more buckets on the chip other operations meet.
HAZARDS = ("hot_counter/.*both", "hot_counters/others=0.01.*", "chain_ends")


@pytest.mark.parametrize(
    "entries,units,tests",
    [(8, 4, ()), (64, 4, HAZARDS), (16, 1, HAZARDS), full(64, 4, ()), full(16, 1, ())],
    ids=["8-4", "64-4-differs", "16-1-differs", "64-4", "16-1"],
)
def test_counting(entries, units, tests):
    run_item(__file__, entries, units, tests)
