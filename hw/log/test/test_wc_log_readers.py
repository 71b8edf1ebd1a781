# SPDX-License-Identifier: Apache-2.0
"""wc_log_readers against a count for each segment: readers that come and go, in bursts, on few
segments and on many. Idle is told of a segment without readers, and never of another."""

from __future__ import annotations

import random
from collections import Counter

import cocotb
from cocotb.triggers import RisingEdge
from wirecache.testbench.bench import Bench, run

BEFORE = 3  # cycles that idle_o tells of
SETTLED = 16


async def ready(dut) -> Bench:
    names = ("enter_valid_i", "enter_segment_i", "leave_valid_i", "leave_segment_i")
    inputs = dict.fromkeys((*names, "ask_valid_i", "ask_segment_i"), 0)
    bench = await Bench.start(dut, inputs)
    await bench.reset()
    cycles = 0
    while not int(dut.ready_o.value):
        await bench.wait(1)
        cycles += 1
    assert cycles <= 256
    return bench


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def random_traffic(dut):
    bench = await ready(dut)
    inside: Counter[int] = Counter()
    history: list[int] = []  # readers in the segment that is asked for
    told: Counter[str] = Counter()
    asked, since, target, drop = False, 0, 0, 0
    segments, rates, burst = [0], (0.0, 0.0), 0
    still = 0
    for cycle in range(40_000):
        if cycle % 400 == 0:
            segments = random.sample(range(256), random.choice([1, 2, 3, 200]))
            rates = random.choice([(1.0, 0.4), (0.3, 0.6), (0.05, 1.0), (0.6, 0.3), (0.02, 0.1)])
        enter = random.random() < rates[0] and inside.total() < 400
        number = random.choice(segments)
        leaves = [0, 0]
        valid = 0
        for port in (0, 1):
            # Either more of them at once, or none.
            burst = random.choice([burst, burst, burst, random.random() < rates[1]])
            if burst and inside.total():
                recent = [s for s in segments if inside[s]]
                leaves[port] = random.choice(recent or [s for s in inside if inside[s]])
                valid |= 1 << port
                inside[leaves[port]] -= 1
        if enter:
            inside[number] += 1
        dut.enter_valid_i.value, dut.enter_segment_i.value = int(enter), number
        dut.leave_valid_i.value = valid
        dut.leave_segment_i.value = leaves[0] | leaves[1] << 8
        if not asked and random.random() < 0.2:
            asked, since = True, 0
            target = random.choice([*segments, random.randrange(256)])
            drop = random.choice([10, 20, 40, 200])
            history, still = [], 0
        elif asked and since > drop:
            asked = False
        dut.ask_valid_i.value, dut.ask_segment_i.value = int(asked), target
        history.append(inside[target])
        still = 0 if inside[target] else still + 1
        await RisingEdge(bench.clock)
        answer = int(dut.idle_valid_o.value)
        if not asked:
            continue
        since += 1
        assert not answer or since > 8
        assert answer or since < 12, "no answer"
        if answer and int(dut.idle_o.value):
            told["idle"] += 1
            assert history[-1 - BEFORE] == 0, f"cycle {cycle}: {history[-1 - BEFORE]} readers"
        elif answer:
            told["not idle"] += 1
            assert still < SETTLED, f"cycle {cycle}: nobody reads"
    assert min(told.values()) > 1000, told


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def both_leave_in_every_cycle(dut):
    """As GETs of values without bytes do, and behind them those that find expired items."""
    bench = await ready(dut)
    dut.ask_valid_i.value = 1
    dut.leave_segment_i.value = 0
    for _ in range(2000):
        dut.enter_valid_i.value = 1
        await RisingEdge(bench.clock)
    dut.enter_valid_i.value = 0
    for _ in range(1000):
        dut.leave_valid_i.value = 3
        await RisingEdge(bench.clock)
        assert not int(dut.idle_o.value)
    dut.leave_valid_i.value = 0
    await bench.wait(SETTLED)
    assert int(dut.idle_valid_o.value) and int(dut.idle_o.value), "a leave is lost"


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def counters_wrap(dut):
    """More readers than a counter can tell, one after the other."""
    bench = await ready(dut)
    dut.ask_valid_i.value, dut.ask_segment_i.value = 1, 7
    dut.enter_segment_i.value = dut.leave_segment_i.value = 7
    for cycle in range(66_000):
        dut.enter_valid_i.value = 1
        dut.leave_valid_i.value = int(cycle > 0)
        await RisingEdge(bench.clock)
        assert not (int(dut.idle_valid_o.value) and int(dut.idle_o.value)) or cycle < 20
    dut.enter_valid_i.value = 0
    await RisingEdge(bench.clock)
    dut.leave_valid_i.value = 0
    await bench.wait(SETTLED)
    assert int(dut.idle_valid_o.value) and int(dut.idle_o.value)


def test_wc_log_readers():
    run("wc_log_readers", __file__)
