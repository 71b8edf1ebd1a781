# SPDX-License-Identifier: Apache-2.0
"""wc_fifo_commit: only what was committed comes out, all of it, in order; latency and capacity."""

import random
from pathlib import Path

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from wirecache.testbench.bench import Bench, run

HERE = Path(__file__).parent


async def start(dut, willing: float = 1.0):
    bench = await Bench.start(dut, {"in_valid_i": 0, "commit_i": 0, "abort_i": 0})
    sink = bench.sink("out", "beat_t", willing)
    await bench.reset()
    return bench, sink


async def traffic(dut, cycles: int, writes: float, commits: float, aborts: float, willing: float):
    """Anything in any cycle: words, and commits or aborts with and without a word."""
    bench, sink = await start(dut, willing)
    depth = 1 << (len(dut.level_o) - 1)
    committed: list[int] = []
    pending: list[int] = []
    number = 0
    for _ in range(cycles):
        stuck = len(pending) >= depth
        writing = random.random() < writes
        aborting = random.random() < aborts or stuck
        committing = not aborting and random.random() < commits
        dut.in_valid_i.value = writing
        dut.in_i.value = number
        dut.commit_i.value = committing
        dut.abort_i.value = aborting
        await RisingEdge(bench.clock)
        if writing and int(dut.in_ready_o.value):
            pending.append(number)
            number += 1
        if aborting:
            pending.clear()
        elif committing:
            committed += pending
            pending.clear()
    dut.in_valid_i.value, dut.commit_i.value, dut.abort_i.value = 0, 0, 0
    sink.pace.willing = 1.0
    await bench.wait(2 * depth + 20)
    assert [i["data"] << 1 | i["last"] for i in sink.items] == committed
    assert len(committed) > cycles // 100


@cocotb.test()
async def short_runs(dut):
    await traffic(dut, 3000, 0.8, 0.4, 0.1, 0.9)


@cocotb.test()
async def long_runs(dut):
    await traffic(dut, 3000, 0.9, 0.03, 0.01, 0.7)


@cocotb.test()
async def slow_reader(dut):
    await traffic(dut, 3000, 0.9, 0.3, 0.05, 0.2)


@cocotb.test()
async def each_word_alone(dut):
    await traffic(dut, 2000, 1.0, 1.0, 0.0, 1.0)


@cocotb.test()
async def commit_without_a_word(dut):
    """Latency 1 after the cycle of the commit; commits of nothing bring nothing."""
    bench, sink = await start(dut)
    dut.in_i.value, dut.in_valid_i.value = 7, 1
    await RisingEdge(bench.clock)
    dut.in_valid_i.value = 0
    await bench.wait(10)
    assert not sink.items
    dut.commit_i.value = 1
    await RisingEdge(bench.clock)
    begin = bench.cycle()
    await bench.wait(10)
    dut.commit_i.value = 0
    await bench.wait(10)
    assert len(sink.items) == 1
    assert sink.cycles[0] - begin == 1


@cocotb.test()
async def commit_with_the_word(dut):
    """Into an empty queue, also right behind an abort: latency 1; with a word before it: 4."""
    bench, sink = await start(dut)
    for words, latency in ((1, 1), (2, 4), (1, 1)):
        before = len(sink.items)
        for number in range(words):
            dut.in_i.value, dut.in_valid_i.value = number, 1
            dut.commit_i.value = int(number == words - 1)
            await RisingEdge(bench.clock)
            if number == 0:
                begin = bench.cycle()
        dut.in_valid_i.value, dut.commit_i.value = 0, 0
        await bench.wait(10)
        assert len(sink.items) == before + words
        assert sink.cycles[before] - begin == latency
        dut.in_valid_i.value = 1
        await bench.wait(1)
        dut.in_valid_i.value, dut.abort_i.value = 0, 1
        await bench.wait(1)
        dut.abort_i.value = 0
        await bench.wait(1)


@cocotb.test()
async def holds_depth_words(dut):
    bench, _ = await start(dut)
    depth = 1 << (len(dut.level_o) - 1)
    dut.in_valid_i.value = 1
    taken = 0
    for _ in range(depth + 10):
        await RisingEdge(bench.clock)
        taken += int(dut.in_ready_o.value)
    assert taken == depth
    dut.abort_i.value = 1
    await RisingEdge(bench.clock)
    dut.abort_i.value = 0
    await RisingEdge(bench.clock)
    await RisingEdge(bench.clock)
    assert int(dut.in_ready_o.value)


@pytest.mark.parametrize("depth", [2, 16, 64])
def test_wc_fifo_commit(depth):
    tb = [HERE / "wc_fifo_commit_tb.sv"]
    run("wc_fifo_commit_tb", __file__, {"Depth": depth}, tb, core="pkg")
