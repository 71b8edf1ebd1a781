# SPDX-License-Identifier: Apache-2.0
"""wc_store: every GET sees the last SET before it and no later one, in order, at full rate."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import cocotb
import pytest
from wirecache import structs
from wirecache.axi_memory import LINE, AxiMemory
from wirecache.bench import Bench, Sink, Source, beats, run, unbeats

OP = structs.enum("op_e")
ST = structs.enum("status_e")
CLASSES = (2, 16, 80)  # lines of a block of each class; values up to 5,120 bytes
MAX_VALUE = structs.constant("MaxValueBytes")


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
        self.results.append(result(OP["OpGet"], ST["StOk"], len(value), line))
        if value:
            self.values.append(value)

    def other(self) -> None:
        """An operation that moves no value."""
        op, status = random.choice(
            [
                ("OpGet", "StNotFound"),
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
        return store

    async def play(self, script: Script) -> None:
        """Sends a script; checks all that comes out, and that nothing else does."""
        self.results_in.send(*script.results)
        self.values_in.send(*script.words_in)
        for n, wanted in enumerate(script.results):
            assert await self.results_out.get() == wanted, f"result {n}"
        for n, wanted in enumerate(script.values):
            items = [await self.values_out.get() for _ in range(-(-len(wanted) // 8))]
            assert [i["last"] for i in items] == [0] * (len(items) - 1) + [1], f"value {n}: last"
            assert unbeats(items, len(wanted)) == wanted, f"value {n} of {len(wanted)} bytes"
        await self.values_in.wait()
        await self.bench.wait(300)
        assert not self.results_out.items and not self.values_out.items, "something made up"
        for line, value in script.blocks.items():
            assert self.memory.dump(line * LINE, len(value)) == value, f"block at line {line}"


def blocks(count: int) -> list[tuple[int, int]]:
    """(first line, most bytes) of blocks anywhere in memory that do not overlap."""
    taken: set[int] = set()
    out = []
    while len(out) < count:
        lines = random.choice(CLASSES)
        line = random.choice([random.randrange(1 << 30), random.randrange(1 << 10)])
        line = min(line, (1 << 30) - lines)
        if taken.isdisjoint(range(line, line + lines)):
            taken.update(range(line, line + lines))
            out.append((line, lines * LINE))
    return out


def length(most: int) -> int:
    """All sizes, and the ones around words, lines and nothing more often."""
    if random.random() < 0.4:
        return min(most, max(0, random.choice((0, 8, 64, 128)) + random.randint(-2, 2)))
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


async def random_run(dut: Any, count: int, hot: float, streams: tuple[float, ...], **memory: Any):
    store = await Store.start(dut, streams, **memory)
    places = blocks(40)
    script = Script()
    for line, most in places:  # what lies behind a value's end must not show
        there = random.randbytes(most)
        store.memory.load(line * LINE, there)
        script.blocks[line] = there[: length(min(most, 5000))]
    mixture(script, count, places, hot)
    await store.play(script)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def quick_memory(dut):
    await random_run(dut, 300, 0.3, (1.0, 1.0, 1.0, 1.0), read=(1, 3), write=(1, 3))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def slow_memory(dut):
    await random_run(dut, 300, 0.3, (1.0, 1.0, 1.0, 1.0), read=(60, 200), write=(60, 200))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def hot_blocks(dut):
    """Nearly everything on three blocks, and acknowledgements that come very late."""
    await random_run(dut, 250, 0.95, (1.0, 1.0, 1.0, 1.0), read=(5, 150), write=(5, 300))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def irregular(dut):
    await random_run(dut, 250, 0.3, (0.6, 0.6, 0.6, 0.6), willing=0.6)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def results_stall(dut):
    await random_run(dut, 250, 0.3, (1.0, 1.0, 0.1, 1.0))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def values_stall(dut):
    await random_run(dut, 60, 0.3, (1.0, 1.0, 1.0, 0.15))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def words_come_late(dut):
    await random_run(dut, 100, 0.3, (1.0, 0.2, 1.0, 1.0), write=(100, 150))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def no_values_taken(dut):
    """Values held for long: results go on, up to what may be in flight; then all is well again."""
    store = await Store.start(dut)
    store.values_out.pace.willing = 0.0
    script = Script()
    for n in range(40):
        script.set(2 * n, random.randbytes(100))
    script.set(5000, random.randbytes(5000))
    for n in range(40):
        script.get(2 * n)
        script.get(5000)
    store.results_in.send(*script.results)
    store.values_in.send(*script.words_in)
    await store.bench.wait(3000)
    assert len(store.results_out.items) >= 41 + 8
    assert not store.memory.most_reads > 64
    store.values_out.pace.willing = 1.0
    count = sum(-(-len(v) // 8) for v in script.values)
    words = await store.values_out.wait(count)
    assert await store.results_out.wait(len(script.results)) == script.results
    at = 0
    for value in script.values:
        size = -(-len(value) // 8)
        assert unbeats(words[at : at + size], len(value)) == value
        at += size


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def no_results_taken(dut):
    """Results held for long: the values of what has started come, nothing is lost."""
    store = await Store.start(dut)
    store.results_out.pace.willing = 0.0
    script = Script()
    script.set(7, b"first of all")
    for _ in range(400):
        script.get(7)
    store.results_in.send(*script.results)
    store.values_in.send(*script.words_in)
    await store.bench.wait(2500)
    assert len(store.values_out.items) >= 2 * 32
    store.results_out.pace.willing = 1.0
    assert await store.results_out.wait(len(script.results)) == script.results
    assert len(await store.values_out.wait(2 * len(script.values))) == 2 * len(script.values)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def largest_values(dut):
    """1 MiB and a little less, across many pages, the second one while the first is read."""
    store = await Store.start(dut, read=(20, 60), write=(20, 60))
    script = Script()
    script.set(3, random.randbytes(MAX_VALUE))
    script.get(3)
    script.set(1 << 20, random.randbytes(30_001))
    script.get(1 << 20)
    await store.play(script)


def rate(cycles: list[int], skip: int) -> float:
    """Cycles from one event to the next on the average, without the first `skip`."""
    rest = cycles[skip:]
    return (rest[-1] - rest[0]) / (len(rest) - 1)


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(size=[1, 8, 16, 24, 32, 64, 65, 100, 1000])
async def get_rate(dut, size):
    """max(3, words) cycles a GET, one word a cycle, with 85 cycles of memory latency."""
    store = await Store.start(dut, read=(85, 85))
    script = Script()
    for n in range(20):
        script.blocks[n * 16] = random.randbytes(size)
        store.memory.load(n * 1024, script.blocks[n * 16])
    for n in range(200 if size < 1000 else 60):
        script.get(n % 20 * 16)
    words = -(-size // 8)
    store.results_in.send(*script.results)
    await store.values_out.wait(words * len(script.values))
    ends = list(store.values_out.cycles)[words - 1 :: words]
    assert rate(ends, 10) <= max(3, words) + 0.02, f"{rate(ends, 10)} cycles"
    assert store.memory.lines_read == len(script.values) * -(-size // 64), "lines read in vain"


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def get_rate_at_long_latency(dut):
    """One small GET every 4 cycles with 115 cycles of memory latency."""
    store = await Store.start(dut, read=(115, 115))
    script = Script(blocks={n * 2: bytes(30) for n in range(64)})
    for n in range(300):
        script.get(n % 64 * 2)
    store.results_in.send(*script.results)
    await store.values_out.wait(4 * 300)
    assert rate(list(store.values_out.cycles)[3::4], 50) <= 4.0


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(size=[1, 8, 24, 32, 64, 72, 1000])
async def set_rate(dut, size):
    """max(3, words) cycles a SET, with 60 cycles until a write is acknowledged."""
    store = await Store.start(dut, write=(60, 60))
    script = Script()
    for n in range(150 if size < 1000 else 50):
        script.set(n % 20 * 16, random.randbytes(size))
    store.results_in.send(*script.results)
    store.values_in.send(*script.words_in)
    start = store.bench.cycle()
    await store.values_in.wait()
    cycles = store.bench.cycle() - start
    most = max(3, -(-size // 8)) * len(script.results) + 20
    assert cycles <= most, f"{cycles} cycles, not {most}"
    await store.results_out.wait(len(script.results))
    await store.bench.wait(150)
    assert store.memory.lines_written == len(script.results) * -(-size // 64)
    for line, value in script.blocks.items():
        assert store.memory.dump(line * LINE, len(value)) == value


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def others_rate(dut):
    """What moves no value goes by in a cycle; a failed SET costs as much as one that did not."""
    store = await Store.start(dut)
    script = Script()
    for _ in range(200):
        script.other()
    store.results_in.send(*script.results)
    await store.results_out.wait(200)
    assert rate(list(store.results_out.cycles), 5) == 1.0
    failed = Script()
    for _ in range(100):
        failed.set(0, bytes(40), "StNoMemory")
    store.results_in.send(*failed.results)
    store.values_in.send(*failed.words_in)
    start = store.bench.cycle()
    await store.values_in.wait()
    assert store.bench.cycle() - start <= 5 * 100 + 20
    assert store.memory.lines_written == 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def latency(dut):
    """A result leaves 5 cycles after it came, the first word 7 and the latency of memory after."""
    store = await Store.start(dut, read=(50, 50))
    script = Script(blocks={0: bytes(8)})
    script.get(0)
    start = store.bench.cycle()
    store.results_in.send(*script.results)
    await store.values_out.wait(1)
    results, values = store.results_out.cycles[0] - start, store.values_out.cycles[0] - start
    dut._log.info(f"latency: result {results}, value {values} with 50 of memory")
    assert (results, values) == (6, 59)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def other_blocks_do_not_wait(dut):
    """A GET of another block passes while writes wait long for their acknowledgement."""
    store = await Store.start(dut, read=(10, 10), write=(2000, 2000))
    script = Script(blocks={100: bytes(8)})
    for n in range(4):
        script.set(n, bytes(8))
    script.get(100)
    store.results_in.send(*script.results)
    store.values_in.send(*script.words_in)
    start = store.bench.cycle()
    await store.values_out.wait(1)
    assert store.bench.cycle() - start < 100
    script = Script(blocks={0: bytes(8)})
    script.get(0)
    store.results_in.send(*script.results)
    await store.values_out.wait(1)
    assert store.bench.cycle() - start > 2000


FAST = ["quick_memory", "slow_memory", "hot_blocks", "irregular", "values_stall"]


def test_wc_store():
    run("wc_store", __file__)


@pytest.mark.parametrize("reads,entries", [(4, 2), (64, 4)])
def test_wc_store_small(reads, entries):
    run("wc_store", __file__, {"Reads": reads, "HazardEntries": entries}, tests=FAST)
