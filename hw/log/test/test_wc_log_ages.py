# SPDX-License-Identifier: Apache-2.0
"""wc_log_ages: segments join and are dropped at random, and their ages are told."""

import random

import cocotb
from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, run

TICK = 1024  # cycles


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def ages_of_random_segments(dut):
    inputs = ("join_i", "join_segment_i", "drop_i", "drop_segment_i", "drop_log_i")
    bench = await Bench.start(dut, dict.fromkeys(inputs, 0))
    await bench.reset()
    born: dict[int, int] = {}
    last, total, cycle = [0, 0], 0, 0

    async def step(count: int = 1) -> None:
        nonlocal cycle
        await bench.wait(count)
        cycle += count
        dut.join_i.value = dut.drop_i.value = 0
        dut.drop_log_i.value = random.randrange(2)  # means nothing now

    for _ in range(400):
        await step(random.choice([1, 3, 50, 900, 3000]))
        if born and random.random() < 0.5:
            segment = random.choice(list(born))
            log = random.randrange(2)
            dut.drop_i.value, dut.drop_segment_i.value, dut.drop_log_i.value = 1, segment, log
            age = (cycle - born.pop(segment)) / TICK
            await step()
            await step(4)
            ages = structs.unpack("wc_log_pkg::ages_t", int(dut.ages_o.value))
            told = ages["last"] >> 32 * log & 0xFFFFFFFF
            assert abs(told - age) <= 1, f"{told} for {age}"
            last[log] = told
            total += told
            assert ages["last"] == last[0] | last[1] << 32, "the other log's stays"
            assert ages["total"] == total
        else:
            segment = random.randrange(256)
            born[segment] = cycle
            dut.join_i.value, dut.join_segment_i.value = 1, segment
            await step()
    assert total > 500


def test_wc_log_ages():
    run("wc_log_ages", __file__)
