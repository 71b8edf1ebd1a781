# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_recent: what is read is what was written last, be it kept here or in memory; what was just
written comes at once, without memory."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cocotb
import pytest
from ring_bench import BASE, IDS, STALLS, Rings, anywhere, near_the_end
from wirecache.testbench.axi_memory import AxiMemory
from wirecache.testbench.bench import Bench, beats, full, run, words
from wirecache.testbench.cycle import every_cycle

BLOCK = 256
KEPT = 8  # cycles from a read's descriptor to its first word, of bytes that are kept
LATE = 2  # cycles that memory's AR comes later than without


@dataclass(frozen=True)
class Piece:
    """Bytes of a ring, one behind the other."""

    ring: int
    seq: int
    size: int


class Rig:
    """Who writes, who reads, and what should be there."""

    def __init__(self, bench: Bench, memory: AxiMemory, pace: float) -> None:
        self.bench, self.memory = bench, memory
        self.rings = Rings(bench.dut, memory)
        self.writes = bench.source("write", "wc_tcp_ring_pkg::write_t", pace)
        self.payload = bench.source("payload", "beat_t", pace)
        self.done = bench.sink("done", "wc_tcp_ring_pkg::done_t", pace)
        self.reads = bench.source("read", "wc_tcp_ring_pkg::read_t", pace)
        self.words = bench.sink("word", "wc_tcp_ring_pkg::word_t", pace)
        self.busy: dict[int, int] = {}  # address: how many writes or reads of it are on their way
        self.writing: deque[list[int]] = deque()
        self.reading: deque[tuple[list[int], bytes]] = deque()
        self.known: deque[Piece] = deque(maxlen=12)  # that were written last
        self.asked: list[int] = []  # cycles of AR at memory
        self.bursts = 0  # that were wanted
        every_cycle(bench.clock, self._look)

    @classmethod
    async def start(
        cls, dut: Any, willing: float = 1.0, pace: float = 1.0, latency: tuple[int, int] = (20, 40)
    ) -> Rig:
        bench = await Bench.start(dut, {"base_i": BASE})
        memory = AxiMemory(dut, read=latency, write=latency, willing=willing, torn=True)
        rig = cls(bench, memory, pace)
        await bench.reset()
        return rig

    def _look(self) -> None:
        if self.memory.port.get("arvalid") and self.memory.port.get("arready"):
            self.asked.append(self.bench.cycle())

    def _claim(self, at: list[int]) -> bool:
        """Nobody reads what is being written, nor writes what is being read."""
        if any(self.busy.get(address) for address in at):
            return False
        for address in at:
            self.busy[address] = 1
        return True

    def write(self, piece: Piece) -> bool:
        at = self.rings.addresses(piece.ring, piece.seq, piece.size)
        if not self._claim(at):
            return False
        skip, behind = random.choice((0, random.randint(0, 9))), random.choice((0, 7))
        data = random.randbytes(skip + piece.size + behind)
        kept = data[skip : skip + piece.size]
        self.rings.bytes.update(zip(at, kept, strict=True))
        where = {"id": piece.ring, "seq": piece.seq, "tag": 0}
        self.writes.send({**where, "skip": skip, "bytes": piece.size})
        self.payload.send(*beats(data))
        self.writing.append(at)
        self.known.append(piece)
        return True

    def read(self, piece: Piece) -> bool:
        at = self.rings.addresses(piece.ring, piece.seq, piece.size)
        if not self._claim(at):
            return False
        where = {"id": piece.ring, "seq": piece.seq, "tag": 0}
        self.reads.send({**where, "bytes": piece.size})
        self.bursts += len({address // BLOCK for address in at})
        self.reading.append((at, bytes(self.rings.bytes[a] for a in at)))
        return True

    def _free(self, at: list[int]) -> None:
        for address in at:
            del self.busy[address]

    async def written(self) -> None:
        assert (await self.done.get())["error"] == 0
        self._free(self.writing.popleft())

    async def has_read(self) -> None:
        at, data = self.reading.popleft()
        want = words(data)
        for number, what in enumerate(want, 1):
            word = await self.words.get()
            assert word["data"] == what, f"word {number} of {len(want)} from {at[0]:#x}"
            assert word["last"] == (number == len(want)) and not word["error"]
        self._free(at)

    async def settle(self) -> None:
        while self.writing:
            await self.written()
        while self.reading:
            await self.has_read()
        await self.bench.wait(20)
        self.rings.check()


def part(piece: Piece, size: int) -> Piece:
    """Of a piece that was written, with some of what is around it now and then."""
    first = random.choice((0, 0, random.randrange(piece.size)))
    last = random.choice((piece.size, piece.size, random.randint(first + 1, piece.size)))
    more = random.choice((0, 0, 0, random.randint(1, 40)))
    return Piece(piece.ring, (piece.seq + first - more) % (1 << 32), min(last - first + more, size))


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(stall=(None, *range(len(STALLS))))
async def random_pieces(dut, stall):
    """Writes and reads on their way together, of few blocks: what is read is what was written last.
    Some go on where the last one ended, some are written anew, some go over the ring's end."""
    rig = await Rig.start(dut, **(STALLS[stall] if stall is not None else {}))
    size = rig.rings.size
    near = {ring: anywhere() & ~(BLOCK - 1) for ring in IDS}
    for _ in range(700):
        ring = random.choice(IDS)
        if rig.known and random.random() < 0.3:
            last = rig.known[-1]
            piece = Piece(last.ring, (last.seq + last.size) % (1 << 32), random.randint(1, 90))
        elif random.random() < 0.1:
            piece = Piece(ring, near_the_end(size), random.randint(1, 200))
        else:
            seq = near[ring] + random.randrange(3 * BLOCK)
            piece = Piece(ring, seq % (1 << 32), random.choice((1, 7, 20, 64, 300)))
        if random.random() < 0.5:
            rig.write(piece)
        for _ in range(random.choice((0, 1, 1, 2))):
            rig.read(part(random.choice(rig.known), 600) if rig.known else piece)
        while len(rig.writing) > 3 or (rig.writing and random.random() < 0.4):
            await rig.written()
        while len(rig.reading) > 3 or (rig.reading and random.random() < 0.4):
            await rig.has_read()
    await rig.settle()
    kept = 1 - len(rig.asked) / rig.bursts
    dut._log.info("%.0f %% of the bursts were kept", 100 * kept)
    assert kept > 0.02, "next to nothing is kept"


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def at_once(dut):
    """Behind its `done` a piece that lies in one block, or in two, is read without memory."""
    rig = await Rig.start(dut)
    for _ in range(150):
        seq, count = anywhere(), random.randint(1, BLOCK)
        piece = Piece(random.choice(IDS), seq, count)
        assert rig.write(piece)
        await rig.written()
        rig.words.cycles.clear()
        before = rig.bench.cycle()
        assert rig.read(piece)
        await rig.has_read()
        assert not rig.asked, f"{count} bytes from {seq:#x}"
        more = bool(seq % 8) + 1  # the source offers it a cycle later
        if seq % BLOCK <= BLOCK - 16:  # the first word needs no byte of the next block
            assert rig.words.cycles[0] - before == KEPT + more, (seq % 64, count)
    await rig.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def not_kept(dut):
    """What is not kept, in whole or in part, is memory's; it comes two cycles later."""
    rig = await Rig.start(dut, latency=(5, 5))
    for count in (1, 8, 60, 200):
        ring, seq = random.choice(IDS), (anywhere() & ~(BLOCK - 1)) + random.randint(1, 40)
        assert rig.write(Piece(ring, seq, count))
        await rig.written()
        for piece in (
            Piece(ring, seq - 1, count + 1),
            Piece(ring, seq, count + 1),
            Piece(ring, seq + count, 1),
            Piece(ring, seq + 2 * BLOCK, count),
        ):
            rig.asked.clear()
            before = rig.bench.cycle()
            assert rig.read(piece)
            await rig.has_read()
            assert [at - before for at in rig.asked] == [2 + LATE], piece
    await rig.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def rate(dut):
    """Long reads of what is not kept have a word a cycle, as without."""
    rig = await Rig.start(dut, latency=(20, 60))
    for place in (0, 3):
        rig.words.cycles.clear()
        for number in range(30):
            rig.read(Piece(IDS[number % 4], number * 2048 + place, 1460))
            while len(rig.reading) > 8:
                await rig.has_read()
        await rig.settle()
        took = rig.words.cycles[-1] - rig.words.cycles[0]
        assert took <= 30 * (183 + bool(place)) + 60, took


@pytest.mark.parametrize(
    ("ring", "beat", "blocks"),
    [(12, 16, 16), (16, 64, 16), full(12, 16, 2), full(13, 32, 4), full(20, 64, 2)],
)
def test_wc_tcp_recent(ring, beat, blocks):
    run(
        "wc_tcp_recent_tb",
        __file__,
        {"RingBits": ring, "BeatBytes": beat, "Blocks": blocks},
        extra_sources=[Path(__file__).parent / "wc_tcp_recent_tb.sv"],
        core="tcp",
    )
