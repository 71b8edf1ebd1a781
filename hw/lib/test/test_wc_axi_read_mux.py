# SPDX-License-Identifier: Apache-2.0
"""wc_axi_read_mux: each master gets what it asked for, in its order; none waits for long."""

from __future__ import annotations

import random
from collections import deque
from pathlib import Path

import cocotb
import pytest
from wirecache.testbench.axi_memory import LINE, AxiMemory
from wirecache.testbench.axi_port import SLVERR, AxiPort
from wirecache.testbench.bench import Bench, Pace, run
from wirecache.testbench.cycle import every_cycle

MASTERS = 3


class Master:
    """Asks for bursts, and checks what comes."""

    def __init__(self, bench: Bench, number: int, asks: float, takes: float) -> None:
        self.port = AxiPort(bench.dut, f"s_axi_{number}")
        self.asks, self.takes = Pace(asks), Pace(takes)
        self.bursts: deque[tuple[int, int]] = deque()  # first line, lines: still to be asked for
        self.owed: deque[tuple[int, bool]] = deque()  # line and whether it is its burst's last
        self.got = 0
        self.asked = False
        self.taken: list[int] = []  # when an address was
        self.bench = bench
        self.memory: AxiMemory | None = None
        every_cycle(bench.clock, self._step)

    def _step(self) -> None:
        port = self.port
        if self.asked and port.get("arready"):
            line, count = self.bursts.popleft()
            self.owed += [(line + i, i == count - 1) for i in range(count)]
            self.asked = False
            self.taken.append(self.bench.cycle())
        if port.get("rvalid") and port.get("rready"):
            assert self.memory is not None
            line, last = self.owed.popleft()
            error = self.memory.fails_read(line * LINE)
            assert port.get("rresp") == (SLVERR if error else 0)
            assert error or port.get("rdata") == line * 3
            assert port.get("rlast") == last
            self.got += 1
        if not self.asked and self.bursts and self.asks():
            line, count = self.bursts[0]
            port.set(araddr=line * LINE, arlen=count - 1)
            self.asked = True
        port.set(arvalid=int(self.asked), rready=int(self.takes()))


async def start(dut, asks, takes, **memory) -> tuple[Bench, list[Master], AxiMemory]:
    bench = await Bench.start(dut)
    there = AxiMemory(dut, **memory)
    there.fails_read = lambda address: address // LINE % 11 == 0
    masters = [Master(bench, i, asks[i], takes[i]) for i in range(MASTERS)]
    for master in masters:
        master.memory = there
    await bench.reset()
    return bench, masters, there


def some_burst() -> tuple[int, int]:
    line = random.randrange(1 << 16)
    return line, random.randint(1, min(64 - line % 64, random.choice([1, 4, 16])))


async def finish(bench: Bench, masters: list[Master]) -> None:
    while any(m.bursts or m.owed for m in masters):
        await bench.wait(1)
    got = [m.got for m in masters]
    await bench.wait(50)
    assert got == [m.got for m in masters], "something made up"


@cocotb.test(timeout_time=2, timeout_unit="ms")
@cocotb.parametrize(asks=[(1, 1, 1), (0.5, 0.1, 1)], takes=[(1, 1, 1), (0.5, 1, 0.7)])
async def random_bursts(dut, asks, takes):
    willing = random.choice([1.0, 0.6])
    bench, masters, memory = await start(dut, asks, takes, read=(1, 40), willing=willing)
    lines: dict[int, int] = {}
    for master in masters:
        for _ in range(100):
            line, count = some_burst()
            master.bursts.append((line, count))
            lines |= {line + i: 3 * (line + i) for i in range(count)}
    memory.lines = lines
    await finish(bench, masters)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def in_turn(dut):
    """Two that ask for all they can and one that asks at times: it waits for one of each."""
    bench, masters, memory = await start(dut, (1, 1, 1), (1, 1, 1), read=(5, 5))
    for master in masters[:2]:
        for line in range(200):
            master.bursts.append((line, 1))
    memory.lines = {line: 3 * line for line in range(200)}
    await bench.wait(20)
    masters[2].bursts.append((7, 1))
    begun = bench.cycle()
    await finish(bench, masters)
    assert masters[2].taken[0] - begun <= 6
    together = sorted(masters[0].taken[20:150] + masters[1].taken[20:150])
    assert together[-1] - together[0] <= 1.05 * len(together), "a burst a cycle"


@pytest.mark.parametrize("reads", [4, 16])
def test_wc_axi_read_mux(reads):
    tests = ["random_bursts.*"] if reads < 16 else []
    extra = [Path(__file__).with_name("wc_axi_read_mux_tb.sv")]
    parameters = {"Reads": reads}
    run("wc_axi_read_mux_tb", __file__, parameters, extra_sources=extra, core="lib", tests=tests)
