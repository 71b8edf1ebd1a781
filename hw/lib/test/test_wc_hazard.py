# SPDX-License-Identifier: Apache-2.0
"""wc_hazard: every tag in flight is reported, two cycles later, and none that was not there."""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from wirecache.testbench.bench import Bench, run


async def start(dut) -> Bench:
    bench = await Bench.start(dut, {"tag_i": 0, "fresh_i": 0, "push_i": 0, "pop_i": 0})
    await bench.reset()
    return bench


@cocotb.test()
async def random_traffic(dut):
    """Pushes and pops at random, a few tags: match_o is compared in every cycle."""
    bench = await start(dut)
    entries = int(dut.Entries.value)
    held: deque[int] = deque()
    asked: deque[tuple[bool, bool]] = deque([(False, True)] * 2, maxlen=2)
    was_full = matches = tag = 0
    for cycle in range(4000):
        filling = cycle // 200 % 2
        before = tag
        tag = random.choice((tag, random.randrange(6)))
        dut.fresh_i.value = int(tag != before or random.random() < 0.1)
        push = len(held) < entries and random.random() < (0.7 if filling else 0.3)
        pop = bool(held) and random.random() < (0.3 if filling else 0.7)
        dut.tag_i.value, dut.push_i.value, dut.pop_i.value = tag, int(push), int(pop)
        await RisingEdge(bench.clock)
        # Before the edge: state as it was while the inputs above stood there.
        match = int(dut.match_o.value)
        must, may = asked.popleft()
        assert match >= must, f"cycle {cycle}: a tag in flight was missed"
        assert match <= may, f"cycle {cycle}: a match with nothing"
        matches += match
        assert int(dut.ready_o.value) == (len(held) < entries)
        assert int(dut.empty_o.value) == (not held)
        was_full += len(held) == entries
        asked.append((tag in held, tag in held))
        if push:
            held.append(tag)
        if pop:
            held.popleft()
    assert was_full > 20 and matches > 100, "the traffic did not reach what is to be tested"


@cocotb.test()
async def newcomer_sees_the_push_before_it(dut):
    """Held still for three cycles after a push, the next tag gets an answer that counts it."""
    bench = await start(dut)
    for tag in (1, 5):
        dut.tag_i.value, dut.push_i.value, dut.fresh_i.value = tag, 1, 1
        await RisingEdge(bench.clock)
        dut.push_i.value, dut.fresh_i.value = 0, 0
        for _ in range(3):
            await RisingEdge(bench.clock)
        assert int(dut.match_o.value) == 1, "the tag that was pushed"
        dut.tag_i.value, dut.fresh_i.value = tag + 1, 1
        for _ in range(3):
            await RisingEdge(bench.clock)
            dut.fresh_i.value = 0
        assert int(dut.match_o.value) == 0, "another one"


@pytest.mark.parametrize("entries", [2, 8, 32])
def test_wc_hazard(entries):
    run("wc_hazard", __file__, {"Entries": entries, "TagWidth": 3})
