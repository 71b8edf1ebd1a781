# SPDX-License-Identifier: Apache-2.0
"""The store with everything around it: scripts of operations, and what must come of them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from wirecache.circuit import structs
from wirecache.testbench.axi_memory import LINE, AxiMemory
from wirecache.testbench.bench import Bench, Sink, Source, beats, unbeats
from wirecache.testbench.cycle import every_cycle, value_of

OP = structs.enum("op_e")
ST = structs.enum("status_e")
KEEP = 8 * 176  # bytes of the longest value that the ring takes (KeepWords)
CLASSES = (2, 16, 80)  # lines of a block of each class; values up to 5,120 bytes
MAX_VALUE = structs.constant("BlockValueBytes")


def anything(struct: str) -> dict[str, Any]:
    """A struct of random bits: what the store does not look at must come through unchanged."""
    return structs.unpack(struct, random.getrandbits(structs.width(struct)))


def result(op: int, status: int, length: int, line: int) -> dict[str, Any]:
    item = anything("result_t")
    item["op"] |= {"op": op, "status": status}
    item["value_len"] = length
    item["pointer"]["line"] = line
    return item


@dataclass
class Script:
    """Operations, the words that go with them, and what must come out."""

    results: list[dict[str, Any]] = field(default_factory=list)
    words_in: list[dict[str, int]] = field(default_factory=list)
    values: list[bytes] = field(default_factory=list)
    blocks: dict[int, bytes] = field(default_factory=dict)

    def set(self, line: int, value: bytes, status: str = "StOk") -> None:
        self.results.append(result(OP["OpSet"], ST[status], len(value), line))
        self.words_in += beats(value)
        if status == "StOk":
            self.blocks[line] = value

    def get(self, line: int) -> None:
        value = self.blocks[line]
        kind = random.choice(["OpGet", "OpGet", "OpGat"])
        self.results.append(result(OP[kind], ST["StOk"], len(value), line))
        if value:
            self.values.append(value)

    def other(self) -> None:
        """An operation that moves no value."""
        op, status = random.choice(
            [
                ("OpGet", "StNotFound"),
                ("OpGat", "StNotFound"),
                ("OpTouch", "StOk"),
                ("OpTouch", "StNotFound"),
                ("OpDelete", "StOk"),
                ("OpDelete", "StNotFound"),
                ("OpFlush", "StOk"),
                ("OpNone", "StOk"),
                ("OpNone", "StBadFormat"),
            ]
        )
        line = random.choice([0, *self.blocks])
        self.results.append(result(OP[op], ST[status], random.randrange(MAX_VALUE + 1), line))


@dataclass
class Store:
    """The device with everything around it."""

    bench: Bench
    memory: AxiMemory
    results_in: Source
    values_in: Source
    results_out: Sink
    values_out: Sink
    stalls: int = 0  # as events_o tells
    forwards: int = 0
    unread: list[bool] = field(default_factory=list)  # of each word out: it counts for nothing

    @classmethod
    async def start(cls, dut: Any, streams: tuple[float, ...] = (1.0,) * 4, **memory: Any) -> Store:
        bench = await Bench.start(dut)
        store = cls(
            bench,
            AxiMemory(dut, **memory),
            bench.source("result", "result_t", streams[0]),
            bench.source("value", "beat_t", streams[1]),
            bench.sink("result", "result_t", streams[2]),
            bench.sink("value", "beat_t", streams[3]),
        )
        await bench.reset()
        every_cycle(bench.clock, store._count)
        return store

    def _count(self) -> None:
        dut = self.bench.dut
        events = structs.unpack("wc_store_pkg::store_events_t", value_of(dut.events_o))
        self.stalls += events["stall"]
        self.forwards += events["forward"]
        if value_of(dut.value_valid_o) and value_of(dut.value_ready_i):
            self.unread.append(bool(value_of(dut.value_error_o)))

    async def send(self, script: Script) -> None:
        self.results_in.send(*script.results)
        self.values_in.send(*script.words_in)

    async def check(self, script: Script) -> int:
        """Takes what must come out of a script, and compares it. Values of which a word counts for
        nothing may be anything, but as long as they are: how many there were."""
        lost = 0
        for n, result in enumerate(script.results):
            assert await self.results_out.get() == result, f"result {n}"
        for n, wanted in enumerate(script.values):
            items = [await self.values_out.get() for _ in range(-(-len(wanted) // 8))]
            assert [i["last"] for i in items] == [0] * (len(items) - 1) + [1], f"value {n}: last"
            while len(self.unread) < len(items):
                await self.bench.wait(1)
            unread, self.unread = self.unread[: len(items)], self.unread[len(items) :]
            lost += any(unread)
            for at, (item, error) in enumerate(zip(items, unread, strict=True)):
                word = wanted[8 * at : 8 * at + 8]
                assert error or unbeats([item], len(word)) == word, f"value {n}, word {at}"
        await self.values_in.wait()
        return lost

    async def play(self, script: Script) -> int:
        """Sends a script; checks all that comes out, and that nothing else does. How many values
        memory did not give."""
        await self.send(script)
        lost = await self.check(script)
        await self.bench.wait(300)
        assert not self.results_out.items and not self.values_out.items, "something made up"
        failed = {address // 4096 for address in self.memory.failed_writes}
        for line, value in script.blocks.items():
            if not failed.isdisjoint({at * LINE // 4096 for at in range(line, line + 80)}):
                continue
            assert self.memory.dump(line * LINE, len(value)) == value, f"block at line {line}"
        return lost


def blocks(count: int) -> list[tuple[int, int]]:
    """(first line, most bytes) of blocks anywhere in memory that do not overlap."""
    taken: set[int] = set()
    out: list[tuple[int, int]] = []
    while len(out) < count:
        lines = random.choice(CLASSES)
        choices = [random.randrange(1 << 30), random.randrange(1 << 10)]
        if out:  # one that has the same tag as another
            choices.append(random.choice(out)[0] ^ 0x1001 << random.randrange(12))
        line = random.choice(choices)
        line = min(line, (1 << 30) - lines)
        if taken.isdisjoint(range(line, line + lines)):
            taken.update(range(line, line + lines))
            out.append((line, lines * LINE))
    return out


def length(most: int) -> int:
    """All sizes, and the ones around words, lines and nothing more often."""
    if random.random() < 0.4:
        return min(most, max(0, random.choice((0, 8, 64, 128, KEEP)) + random.randint(-2, 2)))
    return random.randrange(most + 1)


def mixture(script: Script, count: int, places: list[tuple[int, int]], hot: float) -> None:
    """Adds random operations; with probability `hot` on one of three blocks."""
    while len(script.results) < count:
        line, most = random.choice(places[:3] if random.random() < hot else places)
        kind = random.random()
        if kind < 0.45:
            script.get(line)
        elif kind < 0.75:
            script.set(line, random.randbytes(length(min(most, 5000))))
        elif kind < 0.88:
            status = random.choice(["StNoMemory", "StExists"])
            script.set(line, random.randbytes(length(600)), status)
        else:
            script.other()
