# SPDX-License-Identifier: Apache-2.0
"""wc_axi_burst: bursts are the run, in order, none across 4 KiB, one a cycle."""

import random
from itertools import pairwise

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from wirecache.testbench.bench import Bench, Pace, run

PAGE = 4096


def bursts(address: int, size: int):
    """(address, bytes, last) of each burst that the run must become."""
    end = address + size
    while address < end:
        stop = min(end, (address // PAGE + 1) * PAGE)
        yield address, stop - address, stop == end
        address = stop


async def check(dut, runs, willing_in: float, willing_out: float) -> list[int]:
    """Sends (line, count) runs; returns the cycles in which bursts were taken."""
    bench = await Bench.start(dut, {"valid_i": 0, "ready_i": 0, "line_i": 0, "count_i": 0})
    await bench.reset()
    line_bytes = int(dut.LineBytes.value)
    offer, take = Pace(willing_in), Pace(willing_out)
    wanted = [b for line, count in runs for b in bursts(line * line_bytes, count * line_bytes)]
    at = cycle = sent = 0
    taken: list[int] = []
    while len(taken) < len(wanted):
        await RisingEdge(bench.clock)
        cycle += 1
        assert cycle < 100 * len(wanted) + 1000, "nothing comes"
        if int(dut.valid_o.value) and int(dut.ready_i.value):
            size = (int(dut.len_o.value) + 1) * line_bytes
            burst = (int(dut.addr_o.value), size, bool(int(dut.last_o.value)))
            assert burst == wanted[len(taken)]
            taken.append(cycle)
        if int(dut.valid_i.value) and int(dut.ready_o.value):
            at, sent = at + 1, 0
            dut.valid_i.value = 0
        if not sent and at < len(runs) and offer():
            dut.line_i.value, dut.count_i.value = runs[at]
            dut.valid_i.value = sent = 1
        dut.ready_i.value = int(take())
    await bench.wait(5)
    assert not int(dut.valid_o.value), "a burst made up"
    return taken


def some_runs(dut, count: int) -> list[tuple[int, int]]:
    page = PAGE // int(dut.LineBytes.value)
    most = min((1 << len(dut.count_i)) - 1, 40 * page)
    edge = [1, 2, page - 1, page, page + 1, 2 * page, most]
    out = []
    for _ in range(count):
        size = min(most, random.choice([random.choice(edge), random.randint(1, most)]))
        start = random.choice([random.getrandbits(len(dut.line_i)), page * random.randrange(99)])
        start = max(0, start + random.choice([-1, 0, 0, 1]))
        out.append((min(start, (1 << len(dut.line_i)) - size), size))
    return out


@cocotb.test()
@cocotb.parametrize(willing=[(1.0, 1.0), (0.5, 1.0), (1.0, 0.4), (0.6, 0.6)])
async def random_runs(dut, willing):
    await check(dut, some_runs(dut, 120), *willing)


@cocotb.test()
async def rate(dut):
    """One burst a cycle; the next run is taken in the cycle after a run's last burst."""
    page = PAGE // int(dut.LineBytes.value)
    runs = [(0, 7 * page), (5, 1), (9, 1), (page - 1, 2), (3, 1)]
    taken = await check(dut, runs, 1.0, 1.0)
    gaps = [b - a for a, b in pairwise(taken)]
    assert gaps == [1] * 6 + [2, 2, 2, 1, 2]


@pytest.mark.parametrize("count_width", [9, 15])
def test_wc_axi_burst(count_width):
    run("wc_axi_burst", __file__, {"CountWidth": count_width})
