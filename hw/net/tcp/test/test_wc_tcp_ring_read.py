# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_ring_read: the words are the bytes of the rings, at the wire's rate; R never waits."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from itertools import product
from typing import Any

import cocotb
import pytest
from ring_bench import BASE, IDS, STALLS, Rings, anywhere, near_the_end
from wirecache.testbench.axi_memory import LINE, AxiMemory
from wirecache.testbench.bench import Bench, Pace, full, run, words
from wirecache.testbench.cycle import every_cycle

ASK = 1  # cycles from the descriptor to AR
WORD = 4  # from R to the word
BLOCK = 256


@dataclass
class Job:
    tag: int
    data: bytes
    error: bool


class Reader:
    """The device with its memory, and the bytes that it should read."""

    def __init__(self, bench: Bench, memory: AxiMemory, pace: float) -> None:
        self.bench, self.memory, self.dut = bench, memory, bench.dut
        self.rings = Rings(bench.dut, memory)
        self.reads = bench.source("read", "wc_tcp_ring_pkg::read_t", pace)
        self.words = bench.sink("word", "wc_tcp_ring_pkg::word_t", pace)
        self.jobs: deque[Job] = deque()
        self.bad: set[int] = set()  # beats that memory does not read
        self.errors = 0
        self.cycles: dict[str, list[int]] = {"ar": [], "r": []}
        memory.fails_read = lambda address: address // memory.beat_bytes in self.bad
        every_cycle(bench.clock, self._look)

    @classmethod
    async def start(
        cls, dut: Any, willing: float = 1.0, pace: float = 1.0, latency: tuple[int, int] = (20, 40)
    ) -> Reader:
        bench = await Bench.start(dut, {"base_i": BASE})
        memory = AxiMemory(dut, read=latency, willing=willing, torn=True)
        reader = cls(bench, memory, pace)
        await bench.reset()
        return reader

    def _look(self) -> None:
        port = self.memory.port
        for channel in ("ar", "r"):
            valid, ready = port.get(f"{channel}valid"), port.get(f"{channel}ready")
            if valid and ready:
                self.cycles[channel].append(self.bench.cycle())
            assert channel == "ar" or ready or not valid, "R is held up"

    def send(self, seq: int, count: int) -> list[int]:
        """The addresses of what is read."""
        ring, tag = random.choice(IDS), random.getrandbits(16)
        at = self.rings.addresses(ring, seq, count)
        self.reads.send({"id": ring, "seq": seq, "bytes": count, "tag": tag})
        error = any(address // self.memory.beat_bytes in self.bad for address in at)
        self.jobs.append(Job(tag, bytes(self.rings.bytes[a] for a in at), error))
        return at

    async def settle(self) -> None:
        while self.jobs:
            job = self.jobs.popleft()
            want = words(job.data)
            self.errors += job.error
            for number, data in enumerate(want, 1):
                word, last = await self.words.get(), number == len(want)
                assert word["last"] == last, f"word {number} of {len(want)}"
                assert word["tag"] == job.tag
                assert word["error"] == (last and job.error)
                assert job.error or word["data"] == data, f"word {number} of {len(want)}"
        await self.bench.wait(20)
        assert not self.words.items, "a word too many"
        assert self.reads.idle
        self.rings.check()

    def forget(self) -> None:
        self.words.cycles.clear()
        for cycles in self.cycles.values():
            cycles.clear()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def all_alignments(dut):
    """Every place in a line with every short length."""
    reader = await Reader.start(dut)
    for count, place in product(range(1, 34), range(LINE)):
        reader.send(anywhere() & ~(LINE - 1) | place, count)
        if place == LINE - 1:
            await reader.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def all_lengths(dut):
    """Up to the longest."""
    reader = await Reader.start(dut)
    most = int(dut.MostBytes.value)
    for count in (*range(1, 200, 3), *range(1440, 1461), most - 8, most - 1, most):
        reader.send(anywhere(), count)
    for place in range(8):
        reader.send(anywhere() & ~(BLOCK - 1) | BLOCK - 1 - place, most)
    await reader.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def wraps(dut):
    """The ring ends within the bytes, at each place of them."""
    reader = await Reader.start(dut)
    size = reader.rings.size
    for end in range(1, 80):
        reader.send(near_the_end(size, end), random.randint(1, 100))
    reader.send(size - 1000, int(dut.MostBytes.value))
    reader.send((1 << 32) - 1000, 1460)
    await reader.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
@cocotb.parametrize(stall=range(len(STALLS)), errors=(False, True))
async def stalls(dut, stall, errors):
    """Streams and memory that pause, beats that memory cannot read."""
    reader = await Reader.start(dut, **STALLS[stall])
    size = reader.rings.size
    if errors:
        width = reader.memory.beat_bytes
        every = range(BASE // width, (BASE + 7 * size) // width)
        reader.bad = {beat for beat in every if random.random() < 0.02}
    for _ in range(250):
        seq = random.choice((anywhere(), near_the_end(size)))
        count = random.choice((random.randint(1, 64), random.randint(1, 64), 1))
        if random.random() < 0.1:
            count = random.randint(1, 1460)
        reader.send(seq, count)
    await reader.settle()
    assert bool(reader.errors) == errors


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def untaken(dut):
    """Nobody takes words: the buffer fills and no more is asked for; all goes on behind it."""
    reader = await Reader.start(dut, latency=(1, 5))
    reader.words.pace = Pace(0.0, 1 << 20)
    for _ in range(12):
        reader.send(anywhere(), 1460)
    await reader.bench.wait(1500)
    lines = int(dut.Lines.value)
    beats = len(reader.cycles["r"])
    room = BLOCK // reader.memory.beat_bytes
    most = lines * LINE // reader.memory.beat_bytes
    assert most - room < beats <= most + 2
    reader.words.pace = Pace()
    await reader.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def rate(dut):
    """A word a cycle, whatever the alignment, when memory answers as late as the buffer is made
    for; short ones faster than the wire has them."""
    late = 8 * (int(dut.Lines.value) - BLOCK // LINE) - 60
    reader = await Reader.start(dut)
    for most in (5, 60, late):
        reader.memory.read = min(most, 20), most
        for count, place in ((1460, 0), (1460, 3), (64, 5), (1, 3), (8, 1), (7, 0), (40, 6)):
            if most > late and count > 56:
                continue
            reader.forget()
            bursts = 0
            for _ in range(40):
                seq = anywhere() & ~63 | 8 * random.randint(0, 7) | place
                bursts += (seq + count - 1) // BLOCK - seq // BLOCK + 1
                reader.send(seq, count)
            await reader.settle()
            took = reader.words.cycles[-1] - reader.words.cycles[0]
            due = max(2 * bursts, 40 * ((count + 7) // 8 + bool(place)))
            # Behind few short ones memory may wait for longer than they take; a slow one may give
            # the last answer later than the first.
            slack = most if most > 5 else 0
            assert took <= due + slack or (count <= 64 and slack), (count, place, took, due)
            assert took <= 8 * 40 or count > 56 or most > 60, (count, place, took, most)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def latency(dut):
    """From the descriptor to AR; from R to the word of its bytes, and to the last one."""
    reader = await Reader.start(dut, latency=(5, 5))
    for place, count in product(range(8), (1, 8, 9, 63)):
        reader.forget()
        before = reader.bench.cycle()
        reader.send(anywhere() & ~63 | place, count)
        await reader.settle()
        assert reader.cycles["ar"][0] - before == ASK + 1  # the source offers it a cycle later
        more = bool(place)
        assert reader.words.cycles[0] - reader.cycles["r"][0] == WORD + more, (place, count)
        due = WORD + more + (count + 7) // 8 - 1
        assert reader.words.cycles[-1] - reader.cycles["r"][0] == due


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def bursts(dut):
    """One for each block of 256 bytes, of the beats that have wanted bytes."""
    reader = await Reader.start(dut)
    width = reader.memory.beat_bytes
    for _ in range(60):
        reader.forget()
        at = reader.send(anywhere(), random.randint(1, 600))
        await reader.settle()
        assert len(reader.cycles["ar"]) == len({a // BLOCK for a in at})
        assert len(reader.cycles["r"]) == len({a // width for a in at})


@pytest.mark.parametrize(
    ("ring", "beat", "most", "lines"),
    [
        (12, 16, 2047, 32),
        full(13, 64, 4096, 16),
        full(12, 32, 2047, 8),
        full(16, 16, 65535, 64),
        full(20, 64, 2047, 32),
    ],
)
def test_wc_tcp_ring_read(ring, beat, most, lines):
    sizes = {"RingBits": ring, "BeatBytes": beat, "MostBytes": most, "Lines": lines}
    run("wc_tcp_ring_read", __file__, parameters=sizes)
