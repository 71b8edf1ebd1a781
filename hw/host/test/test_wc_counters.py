# SPDX-License-Identifier: Apache-2.0
"""wc_counters alone, where reads can come as often as its rule allows: nothing is lost, nothing is
later than its page says, and it rests when there is nothing to count."""

import random

import cocotb
from cocotb.triggers import FallingEdge
from wirecache.testbench.bench import Bench, run

LAG = 243  # cycles from an event to the read that gives it, at most
ALL = (1 << 64) - 1


async def start(dut):
    bench = await Bench.start(dut, {"event_i": 0, "read_i": 0, "address_i": 0})
    await bench.reset()
    await bench.wait(70)  # the RAM clears itself
    await FallingEdge(dut.clk_i)  # from here on a value set belongs to the cycle that it is set in


async def read(dut, word):
    """The count, and the cycles that it took."""
    dut.read_i.value, dut.address_i.value = 1, word
    await FallingEdge(dut.clk_i)
    dut.read_i.value = 0
    cycles = 1
    while not int(dut.valid_o.value):
        await FallingEdge(dut.clk_i)
        cycles += 1
    count = int(dut.count_o.value)
    await FallingEdge(dut.clk_i)
    return count, cycles


@cocotb.test()
async def every_event_in_every_cycle_under_the_worst_reads(dut):
    """Each read comes as soon as it may and asks for the word just written, which takes two turns
    from the sweep. The assertion that no word's few bits overflow is in the circuit."""
    await start(dut)
    dut.event_i.value = ALL
    now, again = 0, 0
    last = [0] * 64
    while now < 6000:
        word = int(dut.word_q3.value) if int(dut.turn_q3.value) else random.randrange(64)
        count, cycles = await read(dut, word)
        now += cycles + 1
        again += cycles == 4
        assert now - LAG - 5 <= count <= now and count >= last[word], word
        last[word] = count
    assert again > 200, "hardly a read met a write"
    dut.event_i.value = 0
    for _ in range(LAG):
        await FallingEdge(dut.clk_i)
    for word in range(64):
        assert (await read(dut, word))[0] == now, word


@cocotb.test()
async def a_lonely_event_is_counted_in_time(dut):
    """Whenever it comes: while the sweep rests, goes round, has passed its word or is about to."""
    await start(dut)
    expected = [0] * 64
    for _ in range(300):
        words = [random.randrange(64) for _ in range(random.choice([1, 1, 2]))]
        for word in words:
            dut.event_i.value = 1 << word
            await FallingEdge(dut.clk_i)
            dut.event_i.value = 0
            expected[word] += 1
            for _ in range(random.randrange(250)):
                await FallingEdge(dut.clk_i)
        for _ in range(LAG):
            await FallingEdge(dut.clk_i)
        for word in words:
            assert (await read(dut, word))[0] == expected[word], word


@cocotb.test()
async def many_events_now_and_then(dut):
    """Bursts, pauses and reads by chance."""
    await start(dut)
    expected = [0] * 64
    for _ in range(150):
        density = random.choice([0.0, 0.01, 0.5, 1.0])
        for _ in range(random.randrange(80)):
            events = sum(1 << i for i in range(64) if random.random() < density)
            for i in range(64):
                expected[i] += events >> i & 1
            dut.event_i.value = events
            await FallingEdge(dut.clk_i)
        dut.event_i.value = 0
        if random.random() < 0.5:
            await read(dut, random.randrange(64))
    for _ in range(LAG):
        await FallingEdge(dut.clk_i)
    assert [(await read(dut, i))[0] for i in range(64)] == expected


@cocotb.test()
async def the_sweep_rests_when_nothing_waits(dut):
    """One event, one round of 64 turns; none, none; one in every cycle, a round in 130."""
    await start(dut)

    async def turns(cycles):
        taken = 0
        for _ in range(cycles):
            taken += int(dut.turn.value)
            await FallingEdge(dut.clk_i)
        return taken

    assert await turns(1000) == 0
    for word in (0, 5, 63):
        dut.event_i.value = 1 << word
        await FallingEdge(dut.clk_i)
        dut.event_i.value = 0
        assert await turns(1000) == 64
    assert [(await read(dut, word))[0] for word in (0, 5, 63)] == [1, 1, 1]
    dut.event_i.value = 1
    assert 14 * 64 <= await turns(1930) <= 15 * 64  # a round in 130 cycles


def test_wc_counters():
    run("wc_counters", __file__)
