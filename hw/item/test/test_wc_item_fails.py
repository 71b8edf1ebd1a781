# SPDX-License-Identifier: Apache-2.0
"""wc_item: memory that does not give what was written, or does not write."""

from __future__ import annotations

import random

import cocotb
import pytest
from wc_item_bench import OP, STATUS, ItemBench, play, run_item
from wirecache.testbench.bench import full, unbeats
from wirecache.testbench.cycle import every_cycle, value_of


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(part=["header", "value"])
async def joins_of_bad_lines(dut, part):
    """Memory does not give the old item: without its header nothing is done, and without a word of
    its value the new item has none either, as whoever reads it is told."""
    bench = await ItemBench.start(dut, segments=32)
    bench.reads = 1
    value = random.randbytes(1000)
    bench.send(OP.OpSet, b"key", value)
    for at in range(3):  # out of the ring
        bench.send(OP.OpSet, b"other%d" % at, random.randbytes(17000))
    await bench.check(4)
    await bench.bench.wait(3000)
    begin = 0 if part == "header" else 512
    bench.index.fails_read = lambda address: begin <= address < 768  # the first item of all
    bench.blind = True
    bench.send(OP.OpAppend, b"key", b"behind it")
    result = await bench.done.get()
    await bench.bench.wait(1000)  # the value is joined behind the answer
    bench.index.fails_read = lambda _: False
    status = STATUS.StMemory if part == "header" else STATUS.StOk
    assert result["op"]["status"] == status
    bench.send(OP.OpGet, b"key")
    bench.sent.clear()
    errors = 0

    def watch() -> None:
        nonlocal errors
        errors += value_of(dut.value_valid_o) and value_of(dut.value_error_o)

    every_cycle(dut.clk_i, watch)
    result = await bench.done.get()
    if part == "header":
        assert result["value_len"] == len(value)
        assert unbeats(await bench.values.wait(125), 1000) == value
        assert not errors
    else:
        assert result["value_len"] == len(value) + 9
        words = await bench.values.wait(127)
        assert unbeats(words, 1009)[-9:] == b"behind it"
        assert errors > 10


@cocotb.test(timeout_time=40, timeout_unit="ms")
@cocotb.parametrize(fails=["lines", "segments", "buckets"])
async def memory_fails(dut, fails):
    """So often that little of it is left: all is forgotten, and then everything works again. SETs
    are answered all the while."""
    bench = await ItemBench.start(dut, shift=6, write=(10, 20))
    await play(bench, 100, 12, 100, 0.5)
    if fails == "lines":
        bench.log.fails_write = lambda *_: True
    elif fails == "segments":
        bench.log.fails_read = lambda _: True
    else:
        bench.index.fails_write = lambda *_: True
    bench.blind = True
    drawn, statuses, answered = bench.model.cas, set(), 0
    while not bench.forgotten:
        for _ in range(20):
            bench.send(OP.OpSet, random.randbytes(8), random.randbytes(5000))
        for _ in range(20):
            result = await bench.done.get()
            drawn = max(drawn, result["cas"])
            statuses.add(result["op"]["status"])
        answered += 20
        assert answered < 400, "it goes on with little memory"
    while int(dut.clearing_o.value):
        await bench.bench.wait(1)
    bench.log.fails_write = bench.index.fails_write = lambda *_: False
    bench.log.fails_read = lambda _: False
    assert int(dut.lost_o.value) == 0
    if fails == "buckets":  # those that could not be made empty are out of use until the host asks
        bench.send(OP.OpSet, b"key", b"value")
        assert (await bench.done.get())["op"]["status"] == STATUS.StMemory
    else:
        assert statuses == {STATUS.StOk}
    await bench.clear()  # as the model does not know what came behind
    bench.blind, bench.model.cas = False, drawn
    bench.sent.clear()
    await play(bench, 300, 12, 300, 0.4)
    assert bench.forgotten == 1


BUCKETS = ("memory_fails/fails=buckets",)
ALL_OF_IT = ("memory_fails/.*",)


@pytest.mark.parametrize(
    "entries,units,tests",
    [(8, 4, ()), (64, 4, BUCKETS), (16, 1, ALL_OF_IT), full(64, 4, ()), full(16, 1, ())],
    ids=["8-4", "64-4-differs", "16-1-differs", "64-4", "16-1"],
)
def test_memory_fails(entries, units, tests):
    run_item(__file__, entries, units, tests)
