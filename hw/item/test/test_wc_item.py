# SPDX-License-Identifier: Apache-2.0
"""wc_item: all operations in random order, memory full, everything forgotten at work."""

from __future__ import annotations

import random

import cocotb
import pytest
from wc_item_bench import OP, ItemBench, play, run_item
from wirecache.testbench.bench import full, rounds


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def small(dut):
    """Few keys, everything at once."""
    bench = await ItemBench.start(dut, read=(1, 60), write=(1, 60))

    def enough() -> bool:
        found = bench.hits > 100 and bench.taken_back > 30 and bench.counted > 50
        found = found and bench.rewritten > 5
        return (
            found
            and min(bench.joined, bench.marked, bench.created, bench.cleared) > 10
            and min(bench.won, bench.given_marks) > 2
        )

    for _ in rounds(1, enough):
        for _ in range(10):
            await play(bench, 150, 12, 300, random.choice((0.1, 0.4)))


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def rate(dut):
    """GETs of items that fit a line, from memory. With the second one of an item its time of last
    use is written."""
    bench = await ItemBench.start(dut, shift=6, read=(32, 32), write=(10, 20))
    bench.plain = True
    keys = [b"key%04d" % number for number in range(1500)]
    for key in keys:
        bench.send(OP.OpSet, key, b"v")
    await bench.check(len(keys))
    for _ in range(3):
        for key in keys[:600]:
            bench.send(OP.OpGet, key)
    few = int(dut.Entries.value) < 64  # buckets on the chip
    for use, most in ((1, 2.4), (2, 3.1), (3, 2.4)):
        await bench.check(600)
        cycles = list(bench.done.cycles)[-600:]
        per = (cycles[550] - cycles[100]) / 450
        dut._log.info(f"GET {use} in {per:.2f} cycles")
        assert per <= (12.0 if few else most)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def irregular(dut):
    """The same with every stream stalling."""
    bench = await ItemBench.start(dut, read=(1, 200), write=(1, 200), willing=0.7)
    await play(bench, 1000, 100, 2000, 0.4)


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def memory_is_full(dut):
    """More is set than memory holds: the sweeper makes room."""
    bench = await ItemBench.start(dut, shift=6)
    for _ in rounds(3, lambda: bench.taken_back > 15):
        await play(bench, 500, 200, 9000, 0.7, flushes=0.0)  # a flush leaves nothing to copy
    assert bench.follower.sweeps > 8, bench.follower.sweeps
    assert bench.follower.copies > 8, bench.follower.copies
    assert int(dut.lost_o.value) == 0


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def full_buckets(dut):
    """More keys than slots, of short items. With several ways items are put out, and move on."""
    bench = await ItemBench.start(dut, shift=2, read=(1, 60), write=(1, 60))
    counters = bench.model.counters
    several = int(dut.Ways.value) > 1

    def enough() -> bool:
        return counters["evict_bucket"] > 5 and (not several or counters["moved"] > 50)

    for _ in rounds(1, enough):
        await play(bench, 1500, 400, 20, 0.5, flushes=0.0)


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def cleared_while_items_move(dut):
    """The host clears a full table while movers are on their way. (What they told the filter came
    when it was clear already, once.)"""
    bench = await ItemBench.start(dut, shift=3, read=(150, 150), write=(20, 40))
    names = [b"n%d" % number for number in range(1500)]
    for _ in range(12):
        for name in random.sample(names, 560):
            bench.send(OP.OpSet, name, b"v")
        task = cocotb.start_soon(bench.check(len(bench.sent)))
        while len(bench.sent) > random.randint(1, 30):
            await bench.bench.wait(1)
        await bench.clear()
        await task


async def fill_with_large(bench: ItemBench, count: int) -> None:
    """Items of almost a segment, some of them used, until no segment is free."""
    names = [random.randbytes(8) for _ in range(12)]
    for _ in range(count):
        bench.send(OP.OpSet, random.choice(names), random.randbytes(random.randint(16000, 28000)))
        for _ in range(random.randrange(3)):
            bench.send(OP.OpGet, random.choice(names[:4]))
    await bench.check(len(bench.sent))
    assert bench.follower.sweeps > 8, bench.follower.sweeps
    assert bench.follower.copies > 2, bench.follower.copies
    assert int(bench.dut.lost_o.value) == 0


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def values_come_late(dut):
    """Places are segments ahead of the writer, and the sweeper wants the first of them."""
    bench = await ItemBench.start(dut, values_in=0.4)
    await fill_with_large(bench, 40)


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def memory_writes_late(dut):
    """What is written is only in the ring for long."""
    bench = await ItemBench.start(dut, write=(500, 2000))
    await fill_with_large(bench, 40)


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(of=["new keys", "keys that are there", "one key"])
async def pace_of_creations(dut, of):
    """A GET that creates costs what an ADD does."""
    bench = await ItemBench.start(dut, shift=6, read=(40, 40), write=(40, 40))
    bench.plain, bench.reads = True, 1
    keys = [b"key%05d" % number for number in range(200)]
    if of == "keys that are there":
        for key in keys:
            bench.send(OP.OpSet, key, b"v")
        await bench.check(len(keys))
    for key in keys:
        bench.create(keys[0] if of == "one key" else key)
    await bench.check(len(keys))
    cycles = list(bench.done.cycles)[-len(keys) :]
    per = (cycles[180] - cycles[20]) / 160
    dut._log.info(f"a GET that creates, {of}: {per:.1f} cycles")
    assert per < 90


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(work=[("all", 1, 3000), ("hashed", 0.005, 300), ("values", 0.1, 9000)])
async def cleared_at_work(dut, work):
    """The host clears the table while everything goes on: messages come in pieces, values wait."""
    slow, pace, longest = work
    options = {slow: pace, "read": (1, 60), "write": (1, 60)}
    bench = await ItemBench.start(dut, **options)

    async def clears():
        while True:
            await bench.bench.wait(random.choice((0, 100, random.randint(500, 4000))))
            await bench.clear()

    task = cocotb.start_soon(clears())
    for _ in rounds(1, lambda: bench.restarts > 5 and bench.hits > 10):
        await play(bench, 300, 12, longest, 0.5)
    task.cancel()
    assert bench.forgotten == 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def memory_is_zeroed(dut):
    """Nothing is written, whatever the size; the next clear writes again."""
    bench = await ItemBench.start(dut, shift=8, zeroed=True)
    cells = int(dut.FilterCells.value)
    filter_cycles = 2 * max(cells, 512) if cells else 0  # behind the reset, and then once more
    assert bench.clear_cycles < 50 + filter_cycles and bench.index.lines_written == 0
    await play(bench, 200, 12, 100, 0.5)
    assert await bench.clear() > 2 * (8 << 8)
    await play(bench, 200, 12, 100, 0.5)


# With more buckets on the chip, and with narrow words, the rate is another.
FEW = ("small", "rate", "irregular")
# A filter sees what comes to the table and what leaves it.
FILTERED = (*FEW, "memory_is_full", "cleared_at_work", "memory_is_zeroed")


@pytest.mark.parametrize(
    "entries,units,tests",
    [(8, 4, ()), (64, 4, FEW), (16, 1, FEW), full(64, 4, ()), full(16, 1, ())],
    ids=["8-4", "64-4-differs", "16-1-differs", "64-4", "16-1"],
)
def test_wc_item(entries, units, tests):
    run_item(__file__, entries, units, tests)


@pytest.mark.parametrize("ways,cells", [(2, 64), full(4, 0), full(2, 0)])
def test_several_ways(ways, cells):
    tests = (*FILTERED, "full_buckets", "cleared_while_items_move")
    run_item(__file__, 16, 4, tests, cells, ways)


@pytest.mark.parametrize("cells", [64, full(512)])
def test_behind_a_filter(cells):
    """So few cells that many keys share them, and counters become full."""
    run_item(__file__, 16, 4, FILTERED, cells)
