# SPDX-License-Identifier: Apache-2.0
"""wc_log_sweep: every record is met, what is placed is copied, and no segment comes back that holds
an item still."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import cocotb
import pytest
from sweep_bench import MAIN, NEW, SIZE, UNIT, World, units_of
from wirecache.testbench.bench import rounds, run


async def random_run(
    dut: Any,
    sweeps: int = 10,
    until: Callable[[World], bool] = lambda _: True,
    **options: Any,
) -> World:
    """Has `sweeps` segments swept, and as many again until `until`."""
    world = await World.start(dut, **options)
    for _ in rounds(1, lambda: until(world)):
        await world.sweep(sweeps)
    await world.end()
    assert world.swept and (not world.refused or "room" in options)
    return world


def copies(world: World) -> int:
    return world.known["promote"] + world.known["copy"]


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def quick(dut):
    def until(world: World) -> bool:
        logs = {log for log, _, _ in world.swept}
        return all(world.known[way] for way in ("promote", "copy")) and logs == {NEW, MAIN}

    await random_run(dut, until=until, latency=(2, 4), answer=(5, 20))


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def slow(dut):
    await random_run(dut, latency=(60, 200), answer=(60, 200), willing=0.6)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def late_answers(dut):
    """As many short records wait for the table as may, all of them with room reserved."""
    world = await random_run(
        dut, 4, latency=(1, 2), answer=(300, 400), item=lambda: (8, 8), dead=0.0
    )
    assert world.deepest == world.most_pending


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def irregular(dut):
    await random_run(dut, latency=(1, 200), answer=(3, 100), willing=0.3, idle=0.01)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def in_use(dut):
    """All is in use, so the main log may copy a part of each segment only."""

    def until(world: World) -> bool:
        return world.known["copy"] > 100 and world.known["evict_main"] > 0

    await random_run(dut, until=until, used=1.0, live=1.0, dead=0.0, most_new=30)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def half_in_use(dut):
    """What is not copied after all counts for nothing."""

    def until(world: World) -> bool:
        return world.known["copy"] > 100 and world.known["evict_main"] > 100

    await random_run(dut, until=until, used=0.5, live=1.0, dead=0.0, most_new=30)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def few_segments(dut):
    """Records that reach into the youngest segments, of which memory has just enough."""

    def length() -> tuple[int, int]:
        return random.randint(1, 250), random.choice([random.randrange(60_000), 40, 400])

    await random_run(dut, 20, item=length, most_new=2, used=1.0, dead=0.0, latency=(5, 30))


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def settled_late(dut):
    """Memory has the oldest segment long after the log has enough of them."""
    await random_run(dut, latency=(2, 10), settles=0.0001)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def no_room(dut):
    """There is no room for copies, or seldom: nothing waits for ever."""

    def until(world: World) -> bool:
        return world.refused > 0 and copies(world) > 10

    await random_run(dut, 6, until, room=lambda: random.random() < 0.02)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def large(dut):
    """Items that are longer than segments: some segments hold no beginning of any."""

    def length() -> tuple[int, int]:
        most = 4 * SIZE * UNIT - 300
        return random.randint(1, 250), random.choice([random.randrange(most), 40, 4000])

    def until(world: World) -> bool:
        return copies(world) > 5

    await random_run(dut, 30, until, segments=64, item=length, latency=(5, 30), most_new=15)


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def errors(dut):
    """Records that memory does not tell, and lengths that make no sense."""
    world = await random_run(dut, 30, segments=128, damage=0.4, latency=(2, 30), most_new=30)
    assert world.damaged and world.counts["astray"] >= world.damaged // 2
    assert len(world.lost) <= 3 * world.damaged


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def errors_in_large(dut):
    def length() -> tuple[int, int]:
        return random.randint(1, 250), random.choice([random.randrange(60_000), 40, 400])

    world = await random_run(
        dut, 40, segments=160, item=length, damage=0.3, latency=(2, 30), most_new=30, live=0.4
    )
    assert world.counts["lost"] and len(world.lost) < len(world.swept)


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def table_does_not_tell(dut):
    """Memory failed at the bucket of a record: what its slot may point to does not come back."""
    world = await random_run(dut, 30, segments=160, unread=0.002, latency=(2, 30), most_new=30)
    assert world.untold and world.counts["lost"]
    assert len(world.lost) < len(world.swept)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def as_long_as_what_is_read(dut):
    """Records that end about where what was asked for ends, behind short ones."""

    def length() -> tuple[int, int]:
        return 8, random.choice([random.randrange(200)] * 3 + [random.randint(900, 2100)])

    await random_run(dut, 40, item=length, latency=(20, 40), live=0.1)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def cleared(dut):
    """All logs are emptied: the first records begin where segments do."""
    world = await World.start(dut, latency=(2, 20))
    for _ in range(5):
        await world.sweep(3)
        await world.clear()
    await world.sweep(3)
    await world.end()


async def pace(dut: Any, value: int, **options: Any) -> float:
    """Cycles for each record with a value of so many bytes, when a segment has begun."""
    world = await World.start(
        dut, -1, item=lambda: (8, value), dead=0.0, latency=(40, 40), answer=(30, 30), **options
    )
    world.writes = False
    await world.sweep(1)
    begun = world.mets[100]
    units = units_of(8, value)
    records = SIZE // (4 if units == 3 else units) - 150  # of three units: one a line
    cycles = (world.mets[100 + records] - begun) / records
    dut._log.info(f"{cycles:.2f} cycles a record")
    return cycles


def units_only(dut: Any) -> bool:
    return int(dut.BeatUnits.value) == 1


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def pace_of_a_walk(dut):
    """Of records of 80 bytes, of five units. Memory gives a beat a cycle."""
    assert await pace(dut, 40, live=0.0) <= (5.05 if units_only(dut) else 4.05)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def pace_of_short_records(dut):
    """Of three units, the shortest. Each is in a line of its own, whose fourth unit is skipped."""
    assert await pace(dut, 0, live=0.0) <= (6.05 if units_only(dut) else 9.05)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def pace_of_copies(dut):
    """Each has five units."""
    assert await pace(dut, 40, live=1.0, used=1.0) <= 5.05


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def long_records(dut):
    """Of 4 KiB: they are jumped over. Of each, little more is read than the line with its header:
    two lines more that are asked for before the header says how long it is."""
    world = await World.start(dut, item=lambda: (8, 4096), live=0.0, latency=(30, 30))
    await world.sweep(8)
    await world.end()
    assert len(world.mets) > 50
    assert world.walk.asked * world.beat_units <= 12 * (len(world.mets) + 2 * len(world.swept))


@pytest.mark.parametrize("beat_units", [4, 1])
def test_wc_log_sweep(beat_units):
    run("wc_log_sweep", __file__, parameters={"BeatUnits": beat_units})
