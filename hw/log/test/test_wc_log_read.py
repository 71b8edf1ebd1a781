# SPDX-License-Identifier: Apache-2.0
"""wc_log_read: each line that is requested, in order, from where it is, and its errors."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import cocotb
import pytest
from log_read_bench import Around, Chains, noise
from wirecache.testbench.bench import Bench, Sink, Source, run

EXTRA = "wc_log_read_tb.sv"


class Stream:
    """One stream of requests, and the lines that must come of it."""

    def __init__(self, bench: Bench, number: int, pace: tuple[float, float]) -> None:
        name = str(number or "")
        self.requests: Source = bench.source(f"request{name}", None, pace[0])
        self.lines: Sink = bench.sink(f"line{name}", None, pace[1])
        self.wanted: list[int] = []


class Reader:
    """The device with everything around it."""

    def __init__(self, bench: Bench, chains: Chains, around: Around, pace: tuple[float, float]):
        self.bench, self.chains, self.around = bench, chains, around
        count = int(bench.dut.Streams.value)
        self.streams = [Stream(bench, number, pace) for number in range(count)]
        self.lines = self.streams[0].lines

    @classmethod
    async def start(
        cls, dut: Any, bits: int = 11, pace: tuple[float, float] = (1.0, 1.0), **around: Any
    ) -> Reader:
        chains = Chains(bits)
        idle = {"settings_i": chains.settings, "link_i": 0}
        idle |= dict.fromkeys(("request1_valid_i", "request2_valid_i"), 0)
        bench = await Bench.start(dut, idle)
        latency = int(dut.AskLatency.value)
        reader = cls(bench, chains, Around(bench, latency, **around), pace)
        await bench.reset()
        await chains.tell(bench, dut.link_i)
        return reader

    def ask(self, line: int, lines: int = 1, skip: int = 0, stream: int = 0) -> None:
        to = self.streams[stream]
        to.wanted += self.chains.walk(line, skip, lines)
        to.requests.send(lines << 33 | skip << 30 | line)

    @property
    def wanted(self) -> list[int]:
        return [line for stream in self.streams for line in stream.wanted]

    def from_ring(self, stream: int, line: int) -> bool:
        return stream == 0 and line in self.around.ring

    async def check(self) -> int:
        """All that was asked for, and nothing else; how many lines were in error."""
        errors = 0
        unread: Counter[int] = Counter()
        for number, stream in enumerate(self.streams):
            for n, line in enumerate(stream.wanted):
                got = await stream.lines.get()
                data, error = self.around.line(line, asks=number == 0)
                where = f"stream {number}, line {n}, {line:#x}"
                assert got >> 512 == int(error), f"{where}: error"
                assert error or got & (1 << 512) - 1 == data, where
                errors += error
                unread[line] += line in self.around.unread and not self.from_ring(number, line)
            stream.wanted.clear()
        await self.bench.wait(200)
        assert not any(stream.lines.items for stream in self.streams), "something made up"
        assert Counter(self.around.told) == +unread
        self.around.told.clear()
        return errors


def place(chains: Chains) -> int:
    """Any line; often near the end of its segment."""
    line = random.randrange(256 * chains.lines)
    if random.random() < 0.5:
        line = line | chains.lines - 1
        line -= random.randrange(8)
    return line


async def random_run(dut: Any, count: int, hot: float, errors: float = 0.0, **how: Any) -> None:
    """`hot`: how many lines the ring has; `errors`: how many are in error."""
    reader = await Reader.start(dut, **how)
    chains, around = reader.chains, reader.around
    ring = bool(int(dut.Ring.value))
    for _ in range(count):
        lines = random.choice([1, 1, 1, 2, 3, random.randint(1, 30)])
        skip = random.choice([0, 0, 1, random.randint(0, 4)])
        line = place(chains)
        if random.random() < 0.02:
            lines = random.randint(chains.lines, 2 * chains.lines) if chains.bits == 11 else 600
        reader.ask(line, lines, skip, random.randrange(len(reader.streams)))
    for line in set(reader.wanted):
        if ring and random.random() < hot:
            around.ring[line] = noise("ring", line)
        if random.random() < errors:
            random.choice([around.bad, around.unread, around.ring_errors]).add(line)
    found = await reader.check()
    assert found > 0 or errors == 0
    assert around.hits > 0 or hot == 0 or not ring
    # A line also waits until it is known whether it could be written: 3 cycles from its address.
    if around.memory.read[0] >= 4:
        assert around.held <= around.hits, "R was held back"


@cocotb.test(timeout_time=3, timeout_unit="ms")
@cocotb.parametrize(bits=[11, 13, 24])
async def random_lines(dut, bits):
    await random_run(dut, 150, 0.3, 0.1, bits=bits)


@cocotb.test(timeout_time=3, timeout_unit="ms")
@cocotb.parametrize(latency=[(1, 1), (1, 4), (80, 160)])
async def latencies(dut, latency):
    await random_run(dut, 120, 0.5, 0.1, read=latency)


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(pace=[(0.4, 1.0), (1.0, 0.3), (0.6, 0.6)])
async def irregular(dut, pace):
    """Requests with gaps, lines that are not taken, a ring and a memory that stall."""
    await random_run(dut, 70, 0.5, 0.1, pace=pace, asks=0.6, willing=0.6)


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def ring_has_all(dut):
    await random_run(dut, 120, 1.0)


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def ring_has_nothing(dut):
    await random_run(dut, 120, 0.0, read=(1, 60))


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def one_stream_stalls(dut):
    """Nobody takes its lines: the others go on."""
    reader = await Reader.start(dut, read=(5, 20))
    count = len(reader.streams)
    for stalled in range(count if count > 1 else 0):
        reader.streams[stalled].lines.pace.willing = 0.0
        for n in range(300 * count):
            reader.ask(place(reader.chains), stream=n % count)
        others = [s for n, s in enumerate(reader.streams) if n != stalled]
        for _ in range(300 * count * 4):
            await reader.bench.wait(1)
        assert all(len(stream.lines.items) == 300 for stream in others)
        reader.streams[stalled].lines.pace.willing = 1.0
        await reader.check()


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def lines_are_not_taken(dut):
    """As many reads go off as there are places, and R is never held back."""
    reader = await Reader.start(dut, read=(5, 9))
    most = int(dut.Lines.value)
    reader.lines.pace.willing = 0.0
    for _ in range(3 * most):
        reader.ask(place(reader.chains))
    await reader.bench.wait(8 * most)
    assert most <= reader.around.memory.lines_read <= most + 2
    assert reader.around.held == 0
    reader.lines.pace.willing = 1.0
    await reader.check()


@cocotb.test(timeout_time=3, timeout_unit="ms")
@cocotb.parametrize(source=["memory", "ring", "long"])
async def rate(dut, source):
    """Requests of a line each: one every two cycles, also at a latency of 120; of a long request a
    line a cycle if memory is near."""
    most = int(dut.Lines.value)
    ring = source == "ring" and bool(int(dut.Ring.value))
    latency = 8 if source == "long" else most * 120 // 64
    reader = await Reader.start(dut, read=(latency, latency))
    lines = [random.randrange(1 << 17) & ~511 for _ in range(600)]
    if source == "long":
        reader.ask(0, 400)
    else:
        for line in lines:
            reader.ask(line)
            if ring:
                reader.around.ring[line] = noise("ring", line)
    while len(reader.lines.items) < 400:
        await reader.bench.wait(1)
    cycles = list(reader.lines.cycles)
    per_line = (cycles[399] - cycles[99]) / 300
    dut._log.info(f"{source}: {per_line:.2f} cycles a line")
    if most >= 16:
        near = ring or source == "long"
        held = (latency + 13) / most  # a place, beside memory's latency
        full = source == "long" and len(reader.streams) == 1 and bool(int(dut.Ring.value))
        assert per_line <= max(1.05 if full else 2.05, 0 if near else held)
    await reader.check()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def latency(dut):
    """Cycles from the request to the line, besides those of memory."""
    reader = await Reader.start(dut, read=(20, 20))
    ring = bool(int(dut.Ring.value))
    found = []
    for line in (1000, 2000):
        if line == 2000 and ring:
            reader.around.ring[line] = noise("ring", line)
        start = reader.bench.cycle()
        reader.ask(line)
        await reader.check()
        found.append(reader.lines.cycles[-1] - start)
    dut._log.info(f"first line after {found[0]} cycles (memory 20), from the ring {found[1]}")
    asks = int(dut.AskLatency.value) if ring else 0
    past = 3 * int(dut.Past.value)
    assert found[0] <= (28 if len(reader.streams) > 1 else 26 if ring else 27) - past
    assert not ring or found[1] <= 6 + asks - past


@pytest.mark.parametrize(
    "streams,lines,ring,latency,past",
    [
        *((1, 64, 1, 3, 0), (1, 64, 1, 5, 1), (1, 8, 1, 1, 1), (1, 16, 0, 3, 0)),
        *((3, 64, 1, 5, 0), (3, 16, 1, 3, 0), (3, 8, 0, 3, 0)),
    ],
)
def test_wc_log_read(streams, lines, ring, latency, past):
    from pathlib import Path

    run(
        "wc_log_read_tb",
        __file__,
        {"Streams": streams, "Lines": lines, "Ring": ring, "AskLatency": latency, "Past": past},
        extra_sources=[Path(__file__).with_name(EXTRA)],
        core="log",
    )
