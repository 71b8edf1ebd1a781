# SPDX-License-Identifier: Apache-2.0
"""wc_fifo, wc_fifo_wide: order, nothing lost, full throughput, latency when empty."""

import random
from pathlib import Path

import cocotb
import pytest
from wirecache.testbench.bench import Bench, full, run

HERE = Path(__file__).parent


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
    cycles = await stream(dut, 500, 1.0, 1.0)
    most = 505 if int(dut.Wide.value) and not int(dut.Bypass.value) else 503
    assert cycles <= most, f"{cycles} cycles for 500 words"


@cocotb.test()
async def slow_reader(dut):
    await stream(dut, 500, 1.0, 0.4)


@cocotb.test()
async def slow_writer(dut):
    await stream(dut, 500, 0.4, 1.0)


@cocotb.test()
async def both_irregular(dut):
    await stream(dut, 1000, 0.6, 0.6)


@cocotb.test()
async def fills_up(dut):
    """With a reader that takes nothing it holds Depth words and at most four more."""
    bench = await Bench.start(dut)
    source = bench.source("in", "beat_t")
    sink = bench.sink("out", "beat_t", willing=0.0)
    await bench.reset()
    depth = 1 << (len(dut.level_o) - 1)
    source.send(*range(depth + 10))
    await bench.wait(depth + 40)
    assert depth <= source.sent <= depth + 4
    assert int(dut.level_o.value) == depth
    sink.pace.willing = 1.0
    assert [i["data"] << 1 | i["last"] for i in await sink.wait(depth + 10)] == list(
        range(depth + 10)
    )


@pytest.mark.parametrize("wide,bypass", [(0, 0), (1, 0), (1, 1)])
@pytest.mark.parametrize("depth", [2, full(16), 512])
def test_wc_fifo(depth, wide, bypass):
    parameters = {"Depth": depth, "Wide": wide, "Bypass": bypass}
    run("wc_fifo_tb", __file__, parameters, [HERE / "wc_fifo_tb.sv"], core="pkg")
