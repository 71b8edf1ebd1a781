# SPDX-License-Identifier: Apache-2.0
"""wc_axi_write_mux: what each master writes is there when it is answered, errors are its own; none
waits for long."""

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
FULL = (1 << LINE) - 1  # all strobes


class Master:
    """Writes bursts, and looks at memory when they are answered."""

    def __init__(self, bench: Bench, memory: AxiMemory, number: int, asks: float, takes: float):
        self.port = AxiPort(bench.dut, f"s_axi_{number}")
        self.asks, self.gives, self.takes = Pace(asks), Pace(asks), Pace(takes)
        self.bursts: deque[tuple[int, int]] = deque()  # first line, lines: still to be asked for
        self.beats: deque[tuple[int, int, bool]] = deque()  # line, data, last: of those asked for
        self.owed: deque[dict[int, int]] = deque()  # what each is to have written
        self.bench, self.memory = bench, memory
        self.asked = self.given = False
        self.next: dict[int, int] = {}
        self.taken: list[int] = []  # when an address was
        self.answers = self.errors = 0
        every_cycle(bench.clock, self._step)

    def _step(self) -> None:
        port = self.port
        if self.asked and port.get("awready"):
            self.bursts.popleft()
            self.owed.append(self.next)
            self.asked = False
            self.taken.append(self.bench.cycle())
        if self.given and port.get("wready"):
            self.beats.popleft()
            self.given = False
        if port.get("bvalid") and port.get("bready"):
            wrote = self.owed.popleft()
            failed = self.memory.fails_write(min(wrote) * LINE, len(wrote))
            assert port.get("bresp") == (SLVERR if failed else 0)
            for line, data in wrote.items():
                assert failed or self.memory.lines.get(line) == data, hex(line)
            self.answers += 1
            self.errors += failed
        if not self.asked and self.bursts and self.asks():
            line, count = self.bursts[0]
            self.next = {line + i: random.getrandbits(8 * LINE) for i in range(count)}
            port.set(awaddr=line * LINE, awlen=count - 1)
            # Beats are there with their address, or later.
            self.beats += [(at, data, at == line + count - 1) for at, data in self.next.items()]
            self.asked = True
        if not self.given and self.beats and self.gives():
            _, data, last = self.beats[0]
            port.set(wdata=data, wstrb=FULL, wlast=int(last))
            self.given = True
        port.set(awvalid=int(self.asked), wvalid=int(self.given), bready=int(self.takes()))


async def start(dut, asks, takes, **memory) -> tuple[Bench, list[Master]]:
    bench = await Bench.start(dut)
    there = AxiMemory(dut, **memory)
    there.fails_write = lambda address, beats: address // LINE % 11 == 0
    masters = [Master(bench, there, i, asks[i], takes[i]) for i in range(MASTERS)]
    await bench.reset()
    return bench, masters


async def finish(bench: Bench, masters: list[Master], most: int = 100_000) -> None:
    for _ in range(most):
        if not any(m.bursts or m.owed or m.asked for m in masters):
            break
        await bench.wait(1)
    assert not any(m.bursts or m.owed or m.beats for m in masters), "not answered"


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(asks=[(1, 1, 1), (0.5, 0.1, 1)], takes=[(1, 1, 1), (0.5, 1, 0.7)])
async def random_bursts(dut, asks, takes):
    willing = random.choice([1.0, 0.6])
    bench, masters = await start(dut, asks, takes, write=(1, 40), willing=willing)
    for n, master in enumerate(masters):
        lines = random.sample(range(1000), 100)  # each of its own, so each is there when answered
        for line in lines:
            count = random.randint(1, random.choice([1, 4, 16]))
            master.bursts.append(((n * 1000 + line) * 64, count))
    await finish(bench, masters)
    assert sum(m.answers for m in masters) == 300 and all(m.errors for m in masters)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def in_turn(dut):
    """Two that write all they can and one that writes at times: it waits for one of each."""
    bench, masters = await start(dut, (1, 1, 1), (1, 1, 1), write=(5, 5))
    for n, master in enumerate(masters[:2]):
        master.bursts += [(n * 4096 + line, 1) for line in range(1, 200)]
    await bench.wait(20)
    masters[2].bursts.append((100_000, 1))
    begun = bench.cycle()
    await finish(bench, masters)
    assert masters[2].taken[0] - begun <= 8
    together = sorted(masters[0].taken[20:150] + masters[1].taken[20:150])
    assert together[-1] - together[0] <= 1.05 * len(together), "a burst a cycle"


@pytest.mark.parametrize("writes", [4, 16])
def test_wc_axi_write_mux(writes):
    tests = ["random_bursts.*"] if writes < 16 else []
    extra = [Path(__file__).with_name("wc_axi_write_mux_tb.sv")]
    parameters = {"Writes": writes}
    run("wc_axi_write_mux_tb", __file__, parameters, extra_sources=extra, core="lib", tests=tests)
