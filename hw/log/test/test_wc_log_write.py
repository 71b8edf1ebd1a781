# SPDX-License-Identifier: Apache-2.0
"""wc_log_write: what is written can be read from then on, from the ring or from memory."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import cocotb
import pytest
from log_bench import MAIN, NEW, Writer
from wirecache.circuit import structs
from wirecache.testbench.bench import run

KINDS = (
    *("set", "set", "set", "set", "late", "late", "fails", "copy", "copy", "discard", "patch"),
    *("count", "count", "odd", "lost"),
)
NUMBERS = ("count", "odd", "lost")


def length(largest: int) -> int:
    kind = random.random()
    if kind < 0.05:
        return 0
    if kind < 0.9:
        return random.randrange(min(largest, 120))
    return random.randrange(largest)


async def mixture(
    writer: Writer, count: int, largest: int, new: float, kinds: Sequence[str] = KINDS
) -> None:
    """Jobs of all kinds; `new` is how many of them go to the new log."""
    for _ in range(count):
        while len(writer.coming) > 60:
            await writer.bench.wait(5)
        kind = random.choice(kinds)
        log = NEW if random.random() < new else MAIN
        key = random.randbytes(random.choice((1, 7, 8, 9, 16, 30, 250)))
        value = random.randbytes(length(largest))
        if kind == "discard" and random.random() < 0.3:
            key = b""
        if kind in NUMBERS:
            value = random.randbytes(random.randint(1, 24))
        if kind == "patch":
            writer.patch()
            continue
        while not writer.job(log, kind, key, value):
            await writer.bench.wait(20)
        if random.random() < 0.02:
            await writer.bench.wait(random.randrange(200))


async def random_run(dut: Any, pace: float, **memory: Any) -> Writer:
    writer = await Writer.start(dut, pace, **memory)
    await mixture(writer, 250, 2000, 0.7)
    await writer.drain()
    writer.check_memory()
    assert writer.hits > 100 and writer.checked > 500, (writer.hits, writer.checked)
    assert writer.bad == 0
    return writer


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def quick_memory(dut):
    await random_run(dut, 1.0, write=(1, 5))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def slow_memory(dut):
    await random_run(dut, 1.0, write=(100, 300))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def irregular(dut):
    await random_run(dut, 0.6, write=(5, 100), willing=0.4)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def segments_come_again(dut):
    """The logs take turns at filling few segments, so lines go from one log's to the other's while
    the ring still has their older words."""
    writer = await Writer.start(dut, segments=5, write=(5, 60))
    writer.link_delay = (0, 3000)
    for turn in range(12):
        await mixture(writer, 60 if turn % 2 else 40, 6000, 0.02 if turn % 2 else 0.95)
    await writer.drain()
    writer.check_memory()
    assert writer.misses > 100


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(write=[(1, 5), (5, 60), (200, 600)])
async def patches(dut, write):
    """Items get another expiry: in the line in work, in the ring, and in memory alone."""
    writer = await Writer.start(dut, segments=5, write=write)
    kinds = ("set", "set", "set", "late", "copy", "patch", "patch", "patch")
    for _ in range(3):
        await mixture(writer, 200, 1500, 0.6, kinds)
        await writer.drain()
        for _ in range(40):
            writer.patch()
        await writer.drain()
        writer.check_memory()
    assert writer.patched > 60, writer.patched


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def patches_of_the_line_in_work(dut):
    """The item has just been written: memory has nothing of its line, or a part."""
    writer = await Writer.start(dut, write=(5, 60))
    for _ in range(150):
        for _ in range(random.randint(1, 3)):
            log = random.choice((NEW, NEW, MAIN))
            writer.job(log, "set", random.randbytes(8), random.randbytes(random.randrange(40)))
        while writer.coming:
            await writer.bench.wait(1)
        await writer.bench.wait(random.choice((0, 0, random.randrange(100))))
        writer.patch()
        writer.patch()
    await writer.drain()
    writer.check_memory()
    assert writer.patched > 100, writer.patched


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def patch_that_is_not_written(dut):
    """Its line is bad, as nobody knows what is in it; it counts as patched all the same."""
    writer = await Writer.start(dut, write=(1, 20))
    await mixture(writer, 20, 100, 0.5, ("set",))
    await writer.drain()
    writer.memory.fails_write = lambda *_: True
    for _ in range(3):
        writer.patch()
        await writer.drain()
    assert structs.unpack("bad_level_t", int(dut.bad_level_o.value))["level"] > 0
    assert writer.patched > 0


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def rate_of_patches(dut):
    """Each is a line to memory."""
    writer = await Writer.start(dut, write=(10, 10))
    await mixture(writer, 60, 100, 0.5, ("set",))
    await writer.drain()
    writer.ask_rate = 0.0
    count = 0
    for _ in range(400):
        count += writer.patch()
    begin = writer.cycle
    while any(writer.patching):
        await writer.bench.wait(1)
    pace = (writer.cycle - begin - 40) / count
    print(f"{count} patches: {pace:.2f} cycles each")
    assert count > 40 and pace < 4.1, (count, pace)


async def fill(writer: Writer, log: int, taken: int) -> None:
    """Items until the logs have taken so many segments."""
    while sum(writer.chains.taken) < taken:
        while not writer.job(log, "set", b"key", random.randbytes(random.randrange(500, 1500))):
            await writer.bench.wait(20)
        while len(writer.coming) > 10:
            await writer.bench.wait(5)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(first=[NEW, MAIN])
async def a_log_rests(dut, first):
    """Its half of the ring has lines of a segment that the other log writes anew."""
    writer = await Writer.start(dut, segments=4, write=(5, 60))
    second = MAIN if first == NEW else NEW
    await fill(writer, second, 1)
    await fill(writer, first, 3)
    await fill(writer, second, 8)
    await writer.drain()
    writer.check_memory()


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def parts_of_a_line(dut):
    """A line of which the first part could not be written stays bad when the rest is."""
    writer = await Writer.start(dut, write=(1, 20))
    errors: set[int] = set()

    def fails(address: int, _: int) -> bool:
        fail = address not in errors and len(errors) < 6
        errors.add(address)
        return fail

    writer.memory.fails_write = fails
    for n in range(24):  # three or four of them in a line
        writer.job(NEW, "set", b"key", b"" if n % 3 else b"12345678")
        await writer.bench.wait(200)
    writer.memory.fails_write = lambda *_: False
    await fill(writer, NEW, 2)  # out of the ring
    await writer.drain()
    writer.ask_rate = 1.0
    await writer.bench.wait(2000)
    assert errors
    assert writer.bad > 0


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def large_items(dut):
    """Items of several segments."""
    writer = await Writer.start(dut, segments=16, write=(10, 60), willing=0.8)
    kinds = random.sample(("set", "fails", "copy", "late"), 4)
    for at, size in enumerate((40000, 100000, 32768 - 32, 70000)):
        for kind in (kinds[at], kinds[at - 1]):  # each with two sizes
            while not writer.job(random.choice((NEW, MAIN)), kind, b"key", random.randbytes(size)):
                await writer.bench.wait(20)
            await mixture(writer, 3, 100, 0.5)
    await writer.drain()
    writer.check_memory()


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(bits=range(11, 25))
async def segments_of_all_sizes(dut, bits):
    """The logs jump close to their segments' ends, with nothing on its way, and go on there."""
    writer = await Writer.start(dut, segments=random.choice((9, 256)), bits=bits, write=(5, 60))
    random.shuffle(writer.chains.free)
    for _ in range(4):
        for log in (NEW, MAIN):
            writer.chains.jump(log, random.randrange(1, 9))
        await mixture(writer, 20, 200, 0.5)
        await writer.drain()
    writer.check_memory()
    assert sum(writer.chains.taken) >= 6, "no log went on in another segment"


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def items_that_are_not_stored(dut):
    """They leave out more lines than the ring has, while memory is slow."""
    writer = await Writer.start(dut, segments=16, write=(300, 900))
    for _ in range(60):
        size = random.choice((10, 1000, 4000, 16300, 16384, 17000))
        kind = random.choice(("fails", "fails", "set"))
        while not writer.job(NEW, kind, b"key", random.randbytes(size)):
            await writer.bench.wait(20)
    await writer.drain()
    writer.check_memory()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def write_errors(dut):
    """A line that could not be written is bad as soon as the ring has it no longer, until it is
    written again."""
    writer = await Writer.start(dut, segments=5, write=(1, 60), willing=0.8)
    rate = 0.004
    surely = random.randrange(100)  # this line, as chance may leave all others out

    def fails(*_: int) -> bool:
        nonlocal surely
        surely -= 1
        return surely == -1 or random.random() < rate

    writer.memory.fails_write = fails
    for _ in range(6):
        await mixture(writer, 50, 3000, 0.6)
    rate = 0.0
    level = structs.unpack("bad_level_t", int(dut.bad_level_o.value))
    writer.chains.taken = [0] * 5
    while min(writer.chains.taken) < 2:  # each line is written
        await mixture(writer, 20, 6000, 0.5, ("set", "late", "copy"))
    await writer.drain()
    after = structs.unpack("bad_level_t", int(dut.bad_level_o.value))
    assert writer.memory.failed_writes
    assert level["all"] or after["level"] == 0, (level, after)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def copies_in_error(dut):
    """A line with a unit in error is in error in the ring, and bad behind it, until it is written
    again. Its neighbours are not."""
    writer = await Writer.start(dut, segments=5, write=(1, 60), willing=0.8)
    levels: list[int] = []
    for _ in range(8):
        writer.copy_errors, longest = random.choice(((0.1, 300), (0.5, 60)))
        for _ in range(3):
            writer.job(MAIN, "copy", b"key", random.randbytes(random.randrange(longest)))
        writer.copy_errors = 0.0
        await mixture(writer, 60, 3000, 0.3)
        levels.append(structs.unpack("bad_level_t", int(dut.bad_level_o.value))["level"])
    writer.ask_rate = 1.0
    await writer.drain()
    await writer.bench.wait(500)
    assert writer.errors > 0 and max(levels) > 0, (writer.errors, levels)
    assert not writer.memory.failed_writes


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def nothing_is_written(dut):
    """More lines than the list has room for: all that the ring has not is bad."""
    writer = await Writer.start(dut, write=(1, 20))
    writer.memory.fails_write = lambda *_: True
    await mixture(writer, 150, 1000, 0.6)
    await writer.drain()
    assert structs.unpack("bad_level_t", int(dut.bad_level_o.value))["all"]
    assert writer.hits > 100


async def pace(dut: Any, latency: int, kind: str, key: bytes, size: int, lines: int) -> float:
    """Cycles of a job, when all are the same and leave out less than a line."""
    writer = await Writer.start(dut, write=(latency, latency))
    writer.ask_rate = 0.0
    for n in range(400):
        while len(writer.coming) > 60:
            await writer.bench.wait(2)
        writer.job(NEW if n // lines % 2 else MAIN, kind, key, random.randbytes(size))
    await writer.drain()
    at = writer.written_at
    cycles = (at[380] - at[20]) / 360
    print(f"latency {latency}, {kind}, {len(key)} + {size} bytes: {cycles:.2f} cycles a job")
    return cycles


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(latency=[10, 100, 200])
async def rate(dut, latency):
    """Jobs of 3 units: the next one begins in another line, but only a last unit is left out."""
    assert await pace(dut, latency, "set", b"123456", 1, 1) <= 4.05


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(
    job=[
        ("set", 8, 0, 1, 4),  # a key of one word alone: a cycle more
        ("set", 16, 0, 1, 4),  # 3 units
        ("set", 8, 24, 1, 6),  # 4 units
        ("late", 8, 24, 1, 6),
        ("fails", 8, 24, 1, 6),
        ("count", 16, 3, 1, 7),
        ("odd", 16, 3, 1, 7),
        ("copy", 8, 24, 1, 5),
        ("set", 250, 600, 1, 109),
    ]
)
async def rate_of(dut, job):
    """Two cycles and one for each word; of a copy one, and one for each unit, header and all.
    Items that do not fit what is left of a line cost one more."""
    kind, key, size, lines, cycles = job
    assert await pace(dut, 10, kind, random.randbytes(key), size, lines) <= cycles + 0.1


BEAT_UNITS = [4, 1]


@pytest.mark.parametrize("beat_units", BEAT_UNITS)
def test_wc_log_write(beat_units):
    run("wc_log_write", __file__, {"Lines": 256, "BeatUnits": beat_units})


@pytest.mark.parametrize("beat_units", BEAT_UNITS)
@pytest.mark.parametrize(
    "tests", [("segments_come_again", "write_errors", "quick_memory", "slow_memory")]
)
def test_small_ring(tests, beat_units):
    run("wc_log_write", __file__, {"Lines": 32, "BeatUnits": beat_units}, tests=tests)
