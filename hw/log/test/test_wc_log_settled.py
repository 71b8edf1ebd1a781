# SPDX-License-Identifier: Apache-2.0
"""wc_log_settled: no segment is settled before its jobs are written and memory has their lines, and
all are in the end but the youngest of each log."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import cocotb
from wirecache.testbench.bench import Bench, run
from wirecache.testbench.cycle import Driven, every_cycle, value_of

NEW, MAIN = 0, 1
INPUTS = ("clear", "count", "placed", "written", "begun", "acked", "drop", "drop_log")
MOST_JOBS, MOST_LINES = 64, 250


@dataclass(eq=False)
class Job:
    log: int
    lines: int  # that it begins
    done: int | None = None  # when it is written: lines of its log begun until then


@dataclass(eq=False)
class Segment:
    jobs: list[Job] = field(default_factory=list)  # that begin in it


class World:
    """Places, the writer and memory, each at its own pace, and somebody who drops segments."""

    def __init__(self, bench: Bench, place: float, write: float, ack: float, drop: float) -> None:
        self.dut = bench.dut
        self.place, self.write, self.ack, self.drop = place, write, ack, drop
        self.chains: list[list[Segment]] = [[], []]  # as places see them
        self.count = [0, 0]
        self.taken: deque[tuple[int, int]] = deque()  # (cycle, log): counted then
        self.jobs: deque[Job] = deque()  # not written
        self.begun, self.acked = [0, 0], [0, 0]
        self.dropped = self.waited = 0
        self.now = self.last_drop = 0
        self.wait_until = 0
        self.clear = False
        self._in = {name: Driven(getattr(self.dut, f"{name}_i")) for name in INPUTS}
        every_cycle(bench.clock, self._step)

    def settled(self, log: int) -> bool:
        """What the oldest segment holds is in memory."""
        if len(self.chains[log]) < 2:
            return False
        return all(
            job.done is not None and self.acked[log] >= job.done for job in self.chains[log][0].jobs
        )

    def _step(self) -> None:
        self.now += 1
        told = value_of(self.dut.settled_o)
        if self._in["clear"].value:
            self.chains, self.count, self.last_drop = [[], []], [0, 0], self.now
        self._in["clear"].set(int(self.clear))
        self.clear = False
        drop = None
        if self.now > self.last_drop + 2:
            for log in (NEW, MAIN):
                assert not told >> log & 1 or self.settled(log), f"log {log} is not settled"
                self.waited += self.count[log] > 1 and not told >> log & 1
                if told >> log & 1 and random.random() < self.drop:
                    drop = log
        self._in["drop"].set(int(drop is not None))
        if drop is not None:
            self._in["drop_log"].set(drop)
            self.chains[drop].pop(0)
            self.taken.append((self.now + 1, -1 - drop))
            self.dropped += 1
            self.last_drop = self.now
        acked = 0
        for log in (NEW, MAIN):
            if self.acked[log] < self.begun[log] and random.random() < self.ack:
                acked |= 1 << log
                self.acked[log] += 1
        self._in["acked"].set(acked)
        self._write()
        self._place()
        for at, log in [item for item in self.taken if item[0] <= self.now]:
            self.taken.remove((at, log))
            self.count[log if log >= 0 else -1 - log] += 1 if log >= 0 else -1
        self._in["count"].set(self.count[0] | self.count[1] << 9)

    def _place(self) -> None:
        """A place in 3 cycles, 5 more for each further segment; the first counts 2 cycles later."""
        segments = sum(len(chain) for chain in self.chains)
        can = self.now >= self.wait_until and len(self.jobs) < MOST_JOBS and segments < 200
        placed = can and random.random() < self.place
        self._in["placed"].set(int(placed))
        if not placed:
            return
        log = random.choice((NEW, NEW, MAIN))
        job = Job(log, random.choice((0, 0, 1, 2, 20)))
        self.jobs.append(job)
        chain = self.chains[log]
        more = random.choice((0, 0, 0, 0, 1, 2, 4))  # segments beyond the one in which it begins
        at = self.now + 2
        if not chain or random.random() < 0.3:
            chain.append(Segment())
            self.taken.append((at, log))
        chain[-1].jobs.append(job)
        for _ in range(more):
            chain.append(Segment())
            at += 5
            self.taken.append((at, log))
        self.wait_until = self.now + 3 + 5 * more

    def _write(self) -> None:
        """The oldest job begins its lines; it is written with the last of them or later."""
        begun = written = 0
        if self.jobs and random.random() < self.write:
            job = self.jobs[0]
            if self.begun[job.log] - self.acked[job.log] < MOST_LINES and job.lines:
                job.lines -= 1
                begun = 1 << job.log
                self.begun[job.log] += 1
            if not job.lines:
                written = 1
                job.done = self.begun[job.log]
                self.jobs.popleft()
        self._in["begun"].set(begun)
        self._in["written"].set(written)


async def start(dut: Any, *paces: float) -> tuple[Bench, World]:
    bench = await Bench.start(dut, {f"{name}_i": 0 for name in INPUTS})
    await bench.reset()
    return bench, World(bench, *paces)


async def end(bench: Bench, world: World) -> None:
    """Nobody places any more: all segments but the youngest are dropped."""
    world.place = 0.0
    world.write = world.ack = world.drop = 0.5
    await bench.wait(8000)
    assert not world.jobs and world.begun == world.acked
    assert all(count <= 1 for count in world.count), world.count


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(
    paces=[
        (1.0, 1.0, 1.0, 1.0),
        (0.3, 0.5, 0.05, 0.3),  # memory is slow
        (0.3, 0.04, 0.5, 0.3),  # words are
        (0.05, 0.5, 0.5, 0.01),  # segments stay
        (0.05, 0.5, 0.5, 1.0),
    ]
)
async def some_are_settled(dut, paces):
    bench, world = await start(dut, *paces)
    await bench.wait(20_000)
    await end(bench, world)
    assert world.dropped > 50 and world.waited > 10, (world.dropped, world.waited)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def all_are_cleared(dut):
    bench, world = await start(dut, 0.1, 0.5, 0.3, 0.05)
    for _ in range(6):
        await bench.wait(2000)
        place, world.place = world.place, 0.0
        world.drop, drop = 0.0, world.drop
        await bench.wait(1500)
        world.write, world.ack, write, ack = 0.5, 1.0, world.write, world.ack
        while world.jobs or world.begun != world.acked or world.taken:
            await bench.wait(10)
        await bench.wait(10)
        world.clear = True
        await bench.wait(4)
        world.place, world.drop, world.write, world.ack = place, drop, write, ack
    await end(bench, world)


def test_wc_log_settled():
    run("wc_log_settled", __file__)
