# SPDX-License-Identifier: Apache-2.0
"""wc_slice and wc_fifo_shallow: order, nothing lost, full throughput, latency, room."""

import random
from pathlib import Path

import cocotb
import pytest
from wirecache.testbench.bench import Bench, run

HERE = Path(__file__).parent
ROOM = {"wc_slice_tb": 2}  # a queue's room is its depth


def room(dut) -> int:
    return ROOM.get(dut._name) or int(dut.Depth.value)


async def stream(dut, count: int, willing_in: float, willing_out: float) -> int:
    bench = await Bench.start(dut)
    source = bench.source("in", "beat_t", willing_in)
    sink = bench.sink("out", "beat_t", willing_out)
    await bench.reset()
    items = [{"data": random.getrandbits(64), "last": random.getrandbits(1)} for _ in range(count)]
    source.send(*items)
    start = bench.cycle()
    assert await sink.wait(count) == items
    await bench.wait(20)
    assert not sink.items, "words made up"
    return sink.cycles[-1] - start


@cocotb.test()
async def full_rate(dut):
    # One cycle until the first word is in, one of latency, then a word a cycle.
    cycles = await stream(dut, 500, 1.0, 1.0)
    assert cycles == 501, f"{cycles} cycles for 500 words"


@cocotb.test()
@cocotb.parametrize(willing_in=[0.3, 0.6, 1.0], willing_out=[0.3, 0.6, 1.0])
async def irregular(dut, willing_in, willing_out):
    await stream(dut, 400, willing_in, willing_out)


@cocotb.test()
async def fills_up(dut):
    """With a reader that takes nothing it holds as much as it says, and gives all of it later."""
    bench = await Bench.start(dut)
    source = bench.source("in", "beat_t")
    sink = bench.sink("out", "beat_t", willing=0.0)
    await bench.reset()
    source.send(*range(room(dut) + 10))
    await bench.wait(room(dut) + 30)
    assert source.sent == room(dut)
    sink.pace.willing = 1.0
    got = await sink.wait(room(dut) + 10)
    assert [i["data"] << 1 | i["last"] for i in got] == list(range(room(dut) + 10))


def test_wc_slice():
    run("wc_slice_tb", __file__, {}, [HERE / "wc_slice_tb.sv"], core="pkg")


@pytest.mark.parametrize("depth", [2, 16, 32])
def test_wc_fifo_shallow(depth):
    tb = [HERE / "wc_fifo_shallow_tb.sv"]
    run("wc_fifo_shallow_tb", __file__, {"Depth": depth}, tb, core="pkg")
