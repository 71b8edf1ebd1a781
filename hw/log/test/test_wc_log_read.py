# SPDX-License-Identifier: Apache-2.0
"""wc_log_read: each beat that is requested, in order, from where it is, and its errors."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import cocotb
import pytest
from log_read_bench import Around, Chains, noise
from wirecache.testbench.bench import Bench, Sink, Source, full, run

EXTRA = "wc_log_read_tb.sv"
# Beats in front of a value, by the units of a beat: 4 words of header and 32 of a key are 18 units.
MOST_SKIP = {4: 5, 1: 18}


class Stream:
    """One stream of requests, and the beats that must come of it."""

    def __init__(self, bench: Bench, number: int, pace: tuple[float, float]) -> None:
        name = str(number or "")
        self.requests: Source = bench.source(f"request{name}", None, pace[0])
        self.beats: Sink = bench.sink(f"beat{name}", None, pace[1])
        self.wanted: list[int] = []


class Reader:
    """The device with everything around it."""

    def __init__(self, bench: Bench, chains: Chains, around: Around, pace: tuple[float, float]):
        self.bench, self.chains, self.around = bench, chains, around
        count = int(bench.dut.Streams.value)
        self.streams = [Stream(bench, number, pace) for number in range(count)]
        self.beats = self.streams[0].beats

    @classmethod
    async def start(
        cls, dut: Any, bits: int = 11, pace: tuple[float, float] = (1.0, 1.0), **around: Any
    ) -> Reader:
        chains = Chains(bits, int(dut.BeatUnits.value))
        idle = {"settings_i": chains.settings, "link_i": 0}
        idle |= dict.fromkeys(("request1_valid_i", "request2_valid_i"), 0)
        bench = await Bench.start(dut, idle)
        latency = int(dut.AskLatency.value)
        reader = cls(bench, chains, Around(bench, latency, **around), pace)
        await bench.reset()
        await chains.tell(bench, dut.link_i)
        return reader

    def ask(self, beat: int, beats: int = 1, skip: int = 0, stream: int = 0) -> None:
        to = self.streams[stream]
        to.wanted += self.chains.walk(beat, skip, beats)
        to.requests.send(beats << 37 | skip << 32 | beat * self.around.units)

    @property
    def wanted(self) -> list[int]:
        return [beat for stream in self.streams for beat in stream.wanted]

    def from_ring(self, stream: int, beat: int) -> bool:
        return stream == 0 and beat in self.around.ring

    def ring_has(self, beat: int) -> None:
        self.around.ring[beat] = noise("ring", beat, self.around.units)

    async def check(self) -> int:
        """All that was asked for, and nothing else; how many beats were in error."""
        errors = 0
        width = 8 * self.around.memory.beat_bytes
        unread: Counter[int] = Counter()
        for number, stream in enumerate(self.streams):
            for n, beat in enumerate(stream.wanted):
                got = await stream.beats.get()
                data, error = self.around.beat(beat, asks=number == 0)
                where = f"stream {number}, beat {n}, {beat:#x}"
                assert got >> width == int(error), f"{where}: error"
                assert error or got & (1 << width) - 1 == data, where
                errors += error
                if beat in self.around.unread and not self.from_ring(number, beat):
                    unread[self.around.line_of(beat)] += 1
            stream.wanted.clear()
        await self.bench.wait(200)
        assert not any(stream.beats.items for stream in self.streams), "something made up"
        assert Counter(self.around.told) == unread
        self.around.told.clear()
        return errors


def place(chains: Chains) -> int:
    """Any beat; often near the end of its segment."""
    beat = random.randrange(256 * chains.beats)
    if random.random() < 0.5:
        beat = beat | chains.beats - 1
        beat -= random.randrange(random.choice([8, 24]))
    return beat


async def random_run(dut: Any, count: int, hot: float, errors: float = 0.0, **how: Any) -> None:
    """`hot`: how many beats the ring has; `errors`: how many are in error."""
    reader = await Reader.start(dut, **how)
    chains, around = reader.chains, reader.around
    ring = bool(int(dut.Ring.value))
    for _ in range(count):
        beats = random.choice([1, 1, 1, 2, 3, random.randint(1, 30)])
        skip = random.choice([0, 0, 1, random.randint(0, MOST_SKIP[around.units])])
        beat = place(chains)
        if random.random() < 0.02:  # a whole segment and more, if they are small
            beats = chains.beats + random.randint(0, 500) if chains.bits == 11 else 600
        reader.ask(beat, beats, skip, random.randrange(len(reader.streams)))
    for beat in set(reader.wanted):
        if ring and random.random() < hot:
            reader.ring_has(beat)
        if random.random() < errors:
            bad = around.line_of(beat)  # and so are its neighbours, where a beat is a unit
            wrong = [(around.bad, bad), (around.unread, beat), (around.ring_errors, beat)]
            those, one = random.choice(wrong)
            those.add(one)
    found = await reader.check()
    assert found > 0 or errors == 0
    assert around.hits > 0 or hot == 0 or not ring
    # A beat also waits until it is known whether it could be written: 4 cycles from its address.
    if around.memory.read[0] >= 5:
        assert around.held <= around.hits, "R was held back"


@cocotb.test(timeout_time=3, timeout_unit="ms")
@cocotb.parametrize(bits=[11, 13, 24])
async def random_beats(dut, bits):
    await random_run(dut, 150, 0.3, 0.1, bits=bits)


@cocotb.test(timeout_time=3, timeout_unit="ms")
@cocotb.parametrize(latency=[(1, 1), (1, 4), (80, 160)])
async def latencies(dut, latency):
    await random_run(dut, 120, 0.5, 0.1, read=latency)


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(pace=[(0.4, 1.0), (1.0, 0.3), (0.6, 0.6)])
async def irregular(dut, pace):
    """Requests with gaps, beats that are not taken, a ring and a memory that stall."""
    await random_run(dut, 70, 0.5, 0.1, pace=pace, asks=0.6, willing=0.6)


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def ring_has_all(dut):
    await random_run(dut, 120, 1.0)


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def ring_has_nothing(dut):
    await random_run(dut, 120, 0.0, read=(1, 60))


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def one_stream_stalls(dut):
    """Nobody takes its beats: the others go on."""
    reader = await Reader.start(dut, read=(5, 20))
    count = len(reader.streams)
    for stalled in range(count if count > 1 else 0):
        reader.streams[stalled].beats.pace.willing = 0.0
        for n in range(300 * count):
            reader.ask(place(reader.chains), stream=n % count)
        others = [s for n, s in enumerate(reader.streams) if n != stalled]
        for _ in range(300 * count * 4):
            await reader.bench.wait(1)
        assert all(len(stream.beats.items) == 300 for stream in others)
        reader.streams[stalled].beats.pace.willing = 1.0
        await reader.check()


@cocotb.test(timeout_time=3, timeout_unit="ms")
async def beats_are_not_taken(dut):
    """As many reads go off as there are places, and R is never held back."""
    reader = await Reader.start(dut, read=(6, 9))
    most = int(dut.Beats.value)
    reader.beats.pace.willing = 0.0
    for _ in range(3 * most):
        reader.ask(place(reader.chains))
    await reader.bench.wait(8 * most)
    assert most <= reader.around.memory.lines_read <= most + 2
    assert reader.around.held == 0
    reader.beats.pace.willing = 1.0
    await reader.check()


@cocotb.test(timeout_time=3, timeout_unit="ms")
@cocotb.parametrize(source=["memory", "ring", "long", "far"])
async def rate(dut, source):
    """Requests of a beat each: one every two cycles, also at a latency of 120; of a long request a
    beat a cycle if memory is near, or 60 cycles far and there are places enough. One of several
    streams takes two cycles more for each request if beats are units."""
    most = int(dut.Beats.value)
    ring = source == "ring" and bool(int(dut.Ring.value))
    latency = {"long": 8, "far": 60}.get(source, most * 120 // 64)
    reader = await Reader.start(dut, read=(latency, latency))
    beats = [random.randrange(1 << 17) & ~511 for _ in range(600)]
    one_request = source in ("long", "far")
    if one_request:
        reader.ask(0, 400)
    else:
        for beat in beats:
            reader.ask(beat)
            if ring:
                reader.ring_has(beat)
    while len(reader.beats.items) < 400:
        await reader.bench.wait(1)
    cycles = list(reader.beats.cycles)
    per_beat = (cycles[399] - cycles[99]) / 300
    dut._log.info(f"{source}: {per_beat:.2f} cycles a beat")
    if most >= 16:
        near = ring or source == "long"
        units = reader.around.units < 4
        held = (latency + 13 + units) / most  # a place, beside memory's latency
        turns = 2 if len(reader.streams) > 1 and units else 0
        full = one_request and len(reader.streams) == 1 and bool(int(dut.Ring.value))
        slow = 2.05 + (0 if one_request else turns)
        assert per_beat <= max(1.05 if full else slow, 0 if near else held)
    await reader.check()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def latency(dut):
    """Cycles from the request to the beat, besides those of memory."""
    reader = await Reader.start(dut, read=(20, 20))
    ring = bool(int(dut.Ring.value))
    found = []
    for beat in (1000, 2000):
        if beat == 2000 and ring:
            reader.ring_has(beat)
        start = reader.bench.cycle()
        reader.ask(beat)
        await reader.check()
        found.append(reader.beats.cycles[-1] - start)
    dut._log.info(f"first beat after {found[0]} cycles (memory 20), from the ring {found[1]}")
    asks = int(dut.AskLatency.value) if ring else 0
    past = 3 * int(dut.Past.value)
    units = reader.around.units < 4
    turns = 2 if len(reader.streams) > 1 and units else 0
    first = 28 + turns // 2 if len(reader.streams) > 1 else (26 if ring else 27) + units
    assert found[0] <= first - past
    assert not ring or found[1] <= 6 + asks + turns - past


SETS = (
    *((1, 32, 1, 3, 0), (1, 64, 1, 5, 1), (1, 8, 1, 1, 1), (1, 16, 0, 3, 0)),
    *((3, 64, 1, 5, 0), (3, 32, 1, 3, 0), (3, 8, 0, 3, 0)),
)
USUAL = {(1, 64, 1, 5, 1): 4, (3, 64, 1, 5, 0): 4, (3, 32, 1, 3, 0): 1, (1, 16, 0, 3, 0): 1}


@pytest.mark.parametrize(
    "streams,beats,ring,latency,past,units",
    [
        (*of, units) if USUAL.get(of) == units else full(*of, units)
        for units in (4, 1)
        for of in SETS
    ],
)
def test_wc_log_read(streams, beats, ring, latency, past, units):
    from pathlib import Path

    parameters = {"Streams": streams, "Beats": beats, "Ring": ring, "BeatUnits": units}
    run(
        "wc_log_read_tb",
        __file__,
        {**parameters, "AskLatency": latency, "Past": past},
        extra_sources=[Path(__file__).with_name(EXTRA)],
        core="log",
    )
