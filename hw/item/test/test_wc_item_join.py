# SPDX-License-Identifier: Apache-2.0
"""wc_item: APPEND and PREPEND, whose old value is read back."""

from __future__ import annotations

import random

import cocotb
import pytest
from wc_item_bench import JOINS, OP, SEGMENT, ItemBench, run_item
from wirecache.circuit.structs import constant
from wirecache.testbench.bench import full, rounds

JOIN_SIZES = (0, 1, 7, 8, 9, 16, 100)


async def joins_of(bench: ItemBench, key: bytes, old: bytes, new: bytes) -> None:
    for kind in JOINS:
        bench.send(OP.OpSet, key, old, flags=random.getrandbits(32))
        bench.send(kind, key, new, flags=5, expiry=1)
        bench.send(OP.OpGet, key)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def joins_of_all_alignments(dut):
    """Either order; the old value is being written as the operation comes."""
    bench = await ItemBench.start(dut)
    bench.reads = 1
    for start in (0, 16):
        for old in range(start, start + 9):
            for new in range(9):
                key = random.randbytes(random.randint(1, 20))
                await joins_of(bench, key, random.randbytes(old), random.randbytes(new))
            await bench.check(9 * 6)
    for old in JOIN_SIZES:
        for new in JOIN_SIZES:
            await joins_of(bench, b"k", random.randbytes(old), random.randbytes(new))
    await bench.check(len(JOIN_SIZES) ** 2 * 6)
    assert bench.joined == 2 * 9 * 9 * 2 + len(JOIN_SIZES) ** 2 * 2


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(where=["ring", "memory", "late"])
async def joins_of_one_key(dut, where):
    """Its value grows to several segments, and then too large, which leaves it as it is. The old
    value is in the ring, in memory, or its writes are not yet acknowledged."""
    bench = await ItemBench.start(
        dut, segments=32, write=(500, 2000) if where == "late" else (10, 60)
    )
    bench.reads = 1
    bench.send(OP.OpSet, b"key", b"", flags=7)
    for count in range(14):
        bench.send(random.choice(JOINS), b"key", random.randbytes(random.choice((4800, 5000))))
        bench.send(OP.OpAppend, b"key", b"x")
        if where == "memory":
            bench.send(OP.OpSet, b"other%d" % count, random.randbytes(17000))
        bench.send(OP.OpGet, b"key")
    count = len(bench.sent) + len(bench.expected)
    await bench.check(count)
    assert 20 < bench.joined < 28  # the last ones are too large
    item = bench.model.peek(b"key")
    assert item is not None and len(item.value) > 3 * SEGMENT // 2


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def joins_of_one_message(dut):
    """What is joined in a message has room for one item of the largest kind, beside what comes."""
    bench = await ItemBench.start(dut, segments=32)
    bench.reads = 1
    for size in (100, 25000):
        for _ in range(4):
            keys = [random.randbytes(8) for _ in range(5)]
            bench.last = 1
            for key in keys:
                bench.send(OP.OpSet, key, random.randbytes(size))
            for at, key in enumerate(keys):
                bench.last = 0
                bench.send(random.choice(JOINS), key, random.randbytes(90))
                bench.send(random.choice((OP.OpGet, OP.OpTouch)), key)
                bench.last = int(at == len(keys) - 1)
                bench.send(random.choice((OP.OpGet, OP.OpNone, OP.OpAppend)), key)
            await bench.check(len(bench.sent) + len(bench.expected))
        assert bench.joined > 19 if size == 100 else bench.joined < 40 + 10


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def joins_alone(dut):
    """A join that is a message of its own has room for whatever comes with it, and gives all of it
    back: a part that it kept, of so many, would leave no room for others."""
    bench = await ItemBench.start(dut, segments=32)
    bench.reads = 1
    largest = bench.model.largest
    assert largest > 8 * (constant("PacketBytes") + constant("MessageOperations"))
    sizes = (0, 100, 20000, 28000, 29500, largest // 2, largest - 200, largest, largest + 9000)
    for _ in rounds(1, lambda: bench.joined > 10):
        for at in range(15):
            key = random.choice((b"k", b"k" * 250, b"key%d" % at))
            if at % 3 != 2:
                bench.send(OP.OpSet, key, random.randbytes(random.choice(sizes)))
            new = random.choice(sizes)
            bench.send(random.choice(JOINS), key, random.randbytes(new))
            bench.send(OP.OpGet, key)
        await bench.check(len(bench.sent) + len(bench.expected))
    assert int(dut.lost_o.value) == 0


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(of=["one key", "many keys", "many keys in memory"])
async def pace_of_joins(dut, of):
    """Cycles of an APPEND of nothing to a value of 8 bytes."""
    bench = await ItemBench.start(dut, shift=6, read=(40, 40), write=(10, 20))
    keys = [b"k"] if of == "one key" else [b"key%05d" % n for n in range(48)]
    if of == "many keys in memory":
        keys = [b"key%05d" % n for n in range(1200)]
    for key in keys:
        bench.send(OP.OpSet, key, b"12345678")
    await bench.check(len(keys))
    count = 400
    for n in range(count):
        bench.send(OP.OpAppend, keys[n % len(keys)], b"")
    await bench.check(count)
    assert bench.joined == count
    cycles = list(bench.done.cycles)[-count:]
    each = (cycles[-20] - cycles[20]) / (count - 40)
    dut._log.info("%s: an append in %.1f cycles", of, each)
    assert each <= 160


# What words that are narrower change.
NARROW = ("joins_of_all_alignments", "joins_of_one_message")


@pytest.mark.parametrize(
    "entries,units,tests",
    [(8, 4, ()), (16, 1, NARROW), full(64, 4, ()), full(16, 1, ())],
    ids=["8-4", "16-1-differs", "64-4", "16-1"],
)
def test_joins(entries, units, tests):
    run_item(__file__, entries, units, tests)
