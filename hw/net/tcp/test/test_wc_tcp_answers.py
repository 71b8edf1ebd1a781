# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_answers with wc_tcp_ring_write: answers lie in their connections' rings, one behind the
other, when the engine is told of them; the request side is told behind each packet."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cocotb
import pytest
from wirecache.circuit import structs
from wirecache.testbench.axi_memory import AxiMemory
from wirecache.testbench.bench import Bench, full, run, words
from wirecache.testbench.cycle import Driven, every_cycle, value_of

BASE = 0x35 << 20
KIND = structs.enum("wc_tcp_engine_pkg::kind_e")
APART = 4  # cycles between two answered
SOONEST = 4  # cycles from opened to the first message; memory alone takes more


@dataclass
class Ring:
    """What a connection is to have been sent."""

    first: int  # number of its first byte
    data: bytearray = field(default_factory=bytearray)
    told: int = 0  # bytes that the engine knows of
    aborted: bool = False
    waits: bool = False  # bytes are not sent, as more will come


class Answers:
    def __init__(self, dut: Any, bench: Bench, pace: float, **memory: Any) -> None:
        self.dut, self.bench = dut, bench
        self.memory = AxiMemory(dut, torn=True, **memory)
        self.size = 1 << int(dut.RingBits.value)
        self.many = int(dut.Connections.value)
        self.chunk = int(dut.ChunkBytes.value)
        self.messages = bench.source("message", "wc_tcp_answers_pkg::message_t", pace)
        self.words = bench.source("word", "wc_tcp_answers_pkg::word_t", pace)
        self.events = bench.sink("event", "wc_tcp_engine_pkg::event_t", pace)
        self.rings: dict[int, Ring] = {}
        self.want: deque[dict[str, int]] = deque()  # that is to be answered
        self.last_answered = -APART
        self.events_told = 0
        self.written = dict.fromkeys(range(self.many), 0)  # of the packet, as the engine was told
        self.opened = Driven(dut.opened_valid_i)
        every_cycle(bench.clock, self._look)

    @classmethod
    async def start(cls, dut: Any, pace: float = 1.0, **memory: Any) -> Answers:
        bench = await Bench.start(dut, {"base_i": BASE, "opened_valid_i": 0})
        answers = cls(dut, bench, pace, **memory)
        await bench.reset()
        return answers

    async def open(self, number: int) -> None:
        ring = Ring(random.getrandbits(32))
        self.rings[number] = ring
        said = {"id": number, "next": random.getrandbits(32), "una": ring.first}
        self.dut.opened_i.value = structs.pack("wc_tcp_engine_pkg::opened_t", **said)
        self.opened.set(1)
        await self.bench.wait(1)
        self.opened.set(0)
        await self.bench.wait(SOONEST)

    def packet(self, number: int, sizes: list[int], error: bool = False) -> None:
        """Its answer has messages of so many bytes."""
        ring = self.rings[number]
        operations, needs = random.getrandbits(20), random.choice((0, random.getrandbits(20)))
        for n, size in enumerate(sizes):
            last = n == len(sizes) - 1
            data = random.randbytes(size)
            self.messages.send(
                {
                    "id": number,
                    "bytes": size,
                    "last": last,
                    "operations": operations if last else random.getrandbits(20),
                    "needs": needs if last else random.getrandbits(20),
                }
            )
            noise = random.randbytes(-size % 8)
            items = words(data + noise)
            bad = random.randrange(len(items)) if error and items else -1
            for at, word in enumerate(items):
                self.words.send({"error": at == bad, "data": word})
            ring.data += data
        self.want.append(
            {"id": number, "bytes": sum(sizes), "operations": operations, "needs": needs}
        )

    def _look(self) -> None:
        while self.events.items:
            self._told(self.events.items.popleft())
        if value_of(self.dut.answered_valid_o):
            got = structs.unpack("wc_tcp_requests_pkg::answered_t", value_of(self.dut.answered_o))
            want = self.want.popleft()
            assert got == want
            ring = self.rings[got["id"]]
            assert ring.aborted or self.written[got["id"]] == want["bytes"], "not told before"
            assert ring.aborted or not ring.waits, "bytes that nobody sends"
            self.written[got["id"]] = 0
            cycle = self.bench.cycle()
            assert cycle - self.last_answered >= APART
            self.last_answered = cycle

    def _told(self, event: dict[str, Any]) -> None:
        ring = self.rings[event["id"]]
        self.events_told += 1
        if event["kind"] == KIND.EventAbort:
            ring.aborted = True
            return
        assert event["kind"] == KIND.EventWritten and event["bytes"] < 2 * self.chunk
        ring.waits = bool(event["grows"])
        assert event["bytes"] >= self.chunk or not ring.waits, "told of less than a chunk"
        for at in range(ring.told, ring.told + event["bytes"]):
            address = BASE + event["id"] * self.size + (ring.first + at) % self.size
            got = self.memory.dump(address, 1)[0]
            assert ring.aborted or got == ring.data[at], f"byte {at} is not in memory"
        ring.told += event["bytes"]
        self.written[event["id"]] += event["bytes"]

    async def settle(self) -> None:
        for _ in range(100_000):
            if not self.want:
                break
            await self.bench.wait(1)
        assert not self.want, "packets that nobody has heard of"
        await self.bench.wait(50)
        assert self.words.idle and self.messages.idle
        for ring in self.rings.values():
            assert ring.aborted or ring.told == len(ring.data)


def shapes(answers: Answers) -> Iterator[tuple[int, list[int]]]:
    """Packets of any connection; what is in a ring has been taken before it comes round again."""
    chunk = answers.chunk
    while True:
        number = random.choice(list(answers.rings))
        sizes = [
            random.choice((0, 1, 5, 8, 40, chunk - 1, chunk, chunk + 1, random.randrange(1500)))
            for _ in range(random.choice((1, 1, 1, 2, 4)))
        ]
        if sum(sizes) <= answers.size:
            yield number, sizes


@cocotb.test(timeout_time=40, timeout_unit="ms")
@cocotb.parametrize(pace=[1.0, 0.4], slow=[False, True])
async def all_shapes(dut, pace, slow):
    memory = {"write": (10, 200), "willing": 0.4} if slow else {}
    answers = await Answers.start(dut, pace, **memory)
    for number in range(answers.many):
        await answers.open(number)
    draw = shapes(answers)
    for _ in range(40):
        sent = dict.fromkeys(answers.rings, 0)
        for _ in range(6):
            number, sizes = next(draw)
            if sent[number] + sum(sizes) <= answers.size:
                sent[number] += sum(sizes)
                answers.packet(number, sizes)
        await answers.settle()
        if random.random() < 0.3:  # another connection with that number
            await answers.open(random.randrange(answers.many))


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def all_sizes(dut):
    """At each place of a word of memory."""
    answers = await Answers.start(dut)
    await answers.open(1)
    for size in [*range(70), answers.size]:
        answers.packet(1, [size])
        if size % 8 == 7:
            await answers.settle()
    await answers.settle()


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def opens_in_traffic(dut):
    """Of a number that was another's, in each cycle of others' messages."""
    answers = await Answers.start(dut)
    for number in range(4):
        await answers.open(number)
    for turn in range(120):
        for number in random.sample(range(3), 2):
            answers.packet(number, [random.choice((0, 9, 40))])
        await answers.bench.wait(turn % 24)
        await answers.open(3)
        answers.packet(3, [random.randint(1, 50)])
        await answers.settle()
        await answers.open(3)
        answers.packet(3, [random.randint(1, 50)])
        await answers.settle()


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def what_fails(dut):
    """A value that could not be read, and memory that does not write: the connection is aborted,
    and the request side hears of its packet."""
    answers = await Answers.start(dut)
    for number in range(4):
        await answers.open(number)
    answers.memory.fails_write = lambda address, beats: (address - BASE) // answers.size == 2
    for number in (0, 1, 2, 3, 1, 0, 3):
        sizes = random.choice(([3000], [8, 8, 40], [5, 3000, 7]))
        answers.packet(number, sizes, error=number == 1)
    await answers.settle()
    assert [answers.rings[n].aborted for n in range(4)] == [False, True, True, False]


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def rate(dut):
    """Answers of 40 bytes as fast as the wire brings gets, which is every 9 cycles; long ones at a
    word a cycle but for two a chunk."""
    answers = await Answers.start(dut, write=(20, 60))
    for number in range(answers.many):
        await answers.open(number)
    begin = answers.bench.cycle()
    for turn in range(160):
        answers.packet(turn % answers.many, [40])
    await answers.settle()
    assert answers.last_answered - begin <= 160 * 9 + 150, answers.last_answered - begin
    begin = answers.bench.cycle()
    answers.packet(3, [answers.size])
    await answers.settle()
    most = answers.size // 8 + answers.size // answers.chunk * 3 + 150
    assert answers.last_answered - begin <= most, answers.last_answered - begin
    # What 20 SETs in a packet are answered: of the whole packet the engine is told once.
    begin, before = answers.bench.cycle(), answers.events_told
    for turn in range(20):
        answers.packet(turn % answers.many, [8] * 20)
    await answers.settle()
    cost = (answers.last_answered - begin) / 400
    dut._log.info("answers of 8 bytes, 20 in a packet: %.1f cycles each", cost)
    assert answers.events_told == before + 20 * -(-160 // answers.chunk)


@pytest.mark.parametrize("ring,chunk,beat", [(12, 1024, 16), full(16, 64, 64), full(16, 1024, 64)])
def test_wc_tcp_answers(ring, chunk, beat):
    run(
        "wc_tcp_answers_tb",
        __file__,
        {"Connections": 16, "RingBits": ring, "ChunkBytes": chunk, "BeatBytes": beat},
        extra_sources=[Path(__file__).parent / "wc_tcp_answers_tb.sv"],
        core="tcp",
    )
