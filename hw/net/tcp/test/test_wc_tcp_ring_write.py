# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_ring_write: memory is what a model of bytes says, and is that when a payload is done."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import cocotb
import pytest
from ring_bench import BASE, IDS, STALLS, Rings, anywhere, near_the_end
from wirecache.testbench.axi_memory import LINE, AxiMemory
from wirecache.testbench.bench import Bench, Pace, beats, full, run
from wirecache.testbench.cycle import every_cycle, value_of

FIRST = 2  # cycles from the descriptor to the first word that is taken
BEAT = 2  # from the last word to its beat on W, when no byte of it reaches into another word
AROUND = 54 + 24  # bytes of headers, and what is between frames
DONE = 1  # from the last B to done


@dataclass
class Job:
    tag: int
    at: list[int]  # addresses of the kept bytes
    kept: bytes
    error: bool


class Writer:
    """The device with its payloads, its memory, and the bytes that should be there."""

    def __init__(self, bench: Bench, memory: AxiMemory, pace: float) -> None:
        self.bench, self.memory, self.dut = bench, memory, bench.dut
        self.rings = Rings(bench.dut, memory)
        self.writes = bench.source("write", "wc_tcp_ring_pkg::write_t", pace)
        self.payload = bench.source("payload", "beat_t", pace)
        self.done = bench.sink("done", "wc_tcp_ring_pkg::done_t", pace)
        self.jobs: deque[Job] = deque()
        self.bad: set[int] = set()  # lines that memory does not write
        self.errors = self.sent = 0
        self.cycles: dict[str, list[int]] = {"write": [], "payload": [], "w": [], "b": [], "aw": []}
        self._latest: dict[int, int] = {}  # who writes a byte last
        memory.fails_write = lambda address, beats: address // LINE in self.bad
        every_cycle(bench.clock, self._look)

    @classmethod
    async def start(
        cls, dut: Any, willing: float = 1.0, pace: float = 1.0, latency: tuple[int, int] = (10, 60)
    ) -> Writer:
        bench = await Bench.start(dut, {"base_i": BASE})
        memory = AxiMemory(dut, write=latency, willing=willing, torn=True)
        writer = cls(bench, memory, pace)
        await bench.reset()
        return writer

    def _look(self) -> None:
        def both(valid: Any, ready: Any) -> bool:
            return bool(value_of(valid) and value_of(ready))

        now, dut, port = self.bench.cycle(), self.dut, self.memory.port
        if both(dut.write_valid_i, dut.write_ready_o):
            self.cycles["write"].append(now)
        if both(dut.payload_valid_i, dut.payload_ready_o):
            self.cycles["payload"].append(now)
        for channel in ("aw", "w", "b"):
            if port.get(f"{channel}valid") and port.get(f"{channel}ready"):
                self.cycles[channel].append(now)

    def send(self, seq: int, kept: int, skip: int = 0, behind: int = 0) -> None:
        """A payload of skip + kept + behind bytes, of which those in the middle are kept."""
        ring, tag = random.choice(IDS), random.getrandbits(16)
        data = random.randbytes(skip + kept + behind)
        at = self.rings.addresses(ring, seq, kept)
        self.writes.send({"id": ring, "seq": seq, "skip": skip, "bytes": kept, "tag": tag})
        self.payload.send(*beats(data))
        middle = data[skip : skip + kept]
        for address, byte in zip(at, middle, strict=True):
            if address // LINE not in self.bad:
                self.rings.bytes[address] = byte
            self._latest[address] = self.sent
        self.jobs.append(Job(tag, at, middle, any(a // LINE in self.bad for a in at)))
        self.sent += 1

    async def settle(self) -> None:
        """Each is done, in order, when its bytes are there, but for what a later one writes."""
        first = self.sent - len(self.jobs)
        for number in range(first, self.sent):
            job, done = self.jobs.popleft(), await self.done.get()
            assert done == {"tag": job.tag, "error": int(job.error)}, number
            self.errors += job.error
            for address, byte in zip(job.at, job.kept, strict=True):
                if self._latest[address] == number and address // LINE not in self.bad:
                    assert self.memory.dump(address, 1)[0] == byte, f"{number}: {address:#x}"
        await self.payload.wait()  # what is thrown away behind the last kept bytes
        await self.bench.wait(20)
        assert not self.done.items, "done twice"
        assert self.writes.idle and self.payload.idle
        self.rings.check()

    def forget(self) -> None:
        for cycles in self.cycles.values():
            cycles.clear()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def all_alignments(dut):
    """Every place in a word, with every skip of a word, and every short length."""
    writer = await Writer.start(dut)
    for kept in range(19):
        for place, skip in product(range(8), range(8)):
            seq = anywhere() & ~7 | place
            writer.send(seq, kept, skip, random.choice((0, random.randint(0, 20))) or not kept)
        await writer.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def all_lengths(dut):
    """Long ones, with long pieces thrown away on either side."""
    writer = await Writer.start(dut)
    for total in (*range(1, 200, 3), *range(1440, 1461), 2040, 2046, 2047):
        skip = random.choice((0, random.randint(0, total)))
        kept = random.choice((total - skip, random.randint(0, total - skip)))
        writer.send(anywhere(), kept, skip, total - skip - kept)
    await writer.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def wraps(dut):
    """The ring ends within the bytes, at each place of them."""
    writer = await Writer.start(dut)
    for end in range(1, 80):
        seq = near_the_end(writer.rings.size, end)
        writer.send(seq, random.randint(1, 100), random.randint(0, 9), random.randint(0, 9))
    writer.send(writer.rings.size - 1000, 2047)
    writer.send((1 << 32) - 1000, 1460)
    await writer.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
@cocotb.parametrize(stall=range(len(STALLS)), errors=(False, True))
async def stalls(dut, stall, errors):
    """Streams and memory that pause, one payload on top of another, lines that memory refuses."""
    writer = await Writer.start(dut, **STALLS[stall])
    size = writer.rings.size
    if errors:
        lines = range(BASE // LINE, (BASE + 7 * size) // LINE)
        writer.bad = {line for line in lines if random.random() < 0.1}
    for _ in range(300):
        seq = random.choice((anywhere(), near_the_end(size), random.randint(0, 90)))
        kept = random.choice((0, random.randint(1, 64), random.randint(1, 64)))
        if random.random() < 0.1:
            kept = random.randint(1, 1460)
        skip = random.choice((0, random.randint(0, 30)))
        writer.send(seq, kept, skip, random.choice((not kept, random.randint(1, 30))))
    await writer.settle()
    assert bool(writer.errors) == errors


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def late_streams(dut):
    """A payload that waits for its descriptor, a descriptor that waits for its payload."""
    writer = await Writer.start(dut)
    for late in (writer.writes, writer.payload) * 3:
        late.pace = Pace(0.0, 200)
        late.pace()
        for _ in range(12):
            writer.send(anywhere(), random.randint(1, 40))
        await writer.bench.wait(150)
        late.pace = Pace()
        await writer.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def untaken(dut):
    """Nobody takes `done`: B goes on, descriptors stop at Writes, and all goes on behind it."""
    writer = await Writer.start(dut)
    writer.done.pace = Pace(0.0, 1 << 20)
    for _ in range(40):
        writer.send(anywhere(), random.randint(0, 64), behind=1)
    await writer.bench.wait(800)
    assert len(writer.cycles["write"]) == int(dut.Writes.value)
    assert len(writer.cycles["b"]) == len(writer.cycles["aw"])
    assert not writer.memory.port.get("bvalid")
    writer.done.pace = Pace()
    await writer.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def late_memory(dut):
    """No B comes for long: at most Bursts bursts are without one, and all goes on behind them."""
    writer = await Writer.start(dut, latency=(900, 900))
    for _ in range(6):
        writer.send(anywhere(), 1460)
    await writer.bench.wait(800)
    assert 0 <= len(writer.cycles["aw"]) - int(dut.Bursts.value) <= 1
    await writer.settle()


def cost(seq: int, kept: int, skip: int, behind: int) -> int:
    """Cycles of a payload: its words, and one more if it ends in a word of memory more."""
    words = (skip + kept + behind + 7) // 8
    turn = (seq - skip) % 8
    return max(2, words, (turn + skip + kept + 7) // 8)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def rate(dut):
    """A word a cycle, whatever the alignment; short ones faster than the wire has them, when memory
    is slow, too."""
    writer = await Writer.start(dut)
    for slow in (False, True):
        writer.memory.write = (40, 60) if slow else (1, 5)
        for kept, place, skip in ((1460, 0, 0), (1460, 3, 0), (1448, 7, 5), (64, 5, 0), (1, 3, 0),
                                  (8, 1, 0), (7, 0, 0), (40, 6, 90)):  # fmt: skip
            writer.forget()
            seqs = [anywhere() & ~63 | 8 * random.randint(0, 7) | place for _ in range(40)]
            for seq in seqs:
                writer.send(seq, kept, skip)
            await writer.settle()
            took = writer.cycles["payload"][-1] - writer.cycles["payload"][0]
            due = sum(cost(seq, kept, skip, 0) for seq in seqs)
            assert took <= due or (slow and kept < 64), (kept, place, skip, took, due)
            assert took / len(seqs) <= max(10.5, (skip + kept + AROUND) / 8)
            assert took / len(seqs) <= 8 or skip + kept > 56


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def latency(dut):
    """To the first word, from the last word to its beat, from the last B to done."""
    writer = await Writer.start(dut, latency=(5, 5))
    for place, kept in product(range(8), (1, 8, 9, 63, 200)):
        writer.forget()
        writer.done.cycles.clear()
        writer.send(anywhere() & ~7 | place, kept)
        await writer.settle()
        cycles = writer.cycles
        assert cycles["payload"][0] - cycles["write"][0] == FIRST
        more = (place + kept + 7) // 8 > (kept + 7) // 8
        assert cycles["w"][-1] - cycles["payload"][-1] == BEAT + more
        assert writer.done.cycles[-1] - cycles["b"][-1] == DONE


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def bursts(dut):
    """One for each line that has kept bytes, of the beats that have some; W has no gap in one that
    a full wire gives, and none is offered before its first beat."""
    writer = await Writer.start(dut)
    width = writer.memory.beat_bytes
    for _ in range(60):
        writer.forget()
        seq, kept = anywhere(), random.randint(1, 300)
        writer.send(seq, kept)
        at = writer.jobs[-1].at
        await writer.settle()
        assert len(writer.cycles["aw"]) == len({a // LINE for a in at})
        assert len(writer.cycles["w"]) == len({a // width for a in at})
        assert writer.cycles["w"][0] - writer.cycles["aw"][0] == 0
        gaps = [b - a for a, b in pairwise(writer.cycles["w"])]
        assert all(gap <= width // 8 for gap in gaps), gaps


@pytest.mark.parametrize(
    ("ring", "beat"), [(12, 16), full(13, 64), full(12, 32), full(16, 16), full(20, 64)]
)
def test_wc_tcp_ring_write(ring, beat):
    run("wc_tcp_ring_write", __file__, parameters={"RingBits": ring, "BeatBytes": beat})
