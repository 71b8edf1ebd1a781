# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_events with the engine: whole connections with peers that are the reference model, over a
link that loses, doubles and turns round. The bench moves the bytes, as the engine says, and checks
that all come, both ways, and that each connection comes to its end. Nothing but events of the owner
and segments is given, so what keeps it going are queues and timers."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import cocotb
import pytest
from engine_bench import KIND, PKG, opening_event, segment_event
from lives import ACK_WAIT, Life, World
from wirecache.circuit import structs
from wirecache.model.tcp.segment import Flag, Segment
from wirecache.testbench.bench import Bench, run

BITS = 18  # of a deadline


class Timed(World[Life]):
    """Checks besides that nothing is due before the millisecond that is told."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.deadlines: dict[int, int] = {}  # of connections with one
        self.last = 0  # when a result came

    def resulted(self) -> None:
        super().resulted()
        result = structs.unpack(f"{PKG}::result_t", int(self.dut.result_o.value))
        self.deadlines.pop(result["id"], None)
        if result["armed"]:
            self.deadlines[result["id"]] = result["deadline"]
        self.last = self.cycle

    def behind(self) -> list[int]:
        """Milliseconds from what is told to each deadline."""
        told, half = int(self.dut.soonest_o.value), 1 << (BITS - 1)
        return [((at - told + half) & ((1 << BITS) - 1)) - half for at in self.deadlines.values()]

    async def step(self) -> None:
        await super().step()
        if self.deadlines and self.cycle - self.last > 4:
            assert int(self.dut.armed_o.value)
            assert min(self.behind()) >= 0, self.behind()

    async def rest(self) -> None:
        """When all deadlines have been gone over, the soonest one is told."""
        for _ in range(20):
            self.millisecond()
            begin = self.cycle
            for _ in range(3 * 3 * len(self.lives) + 600):
                await self.step()
            if self.last < begin:
                break
        assert int(self.dut.armed_o.value) == bool(self.deadlines)
        assert not self.deadlines or min(self.behind()) == 0, self.behind()


async def start(dut: Any, many: int, size: int, loss: float) -> Timed:
    given = {"segment_valid_i": 0, "segment_hurry_i": 0, "owner_valid_i": 0, "now_i": 0}
    given |= {"coming_valid_i": 0, "coming_id_i": 0}
    bench = await Bench.start(dut, given)
    world = Timed(dut, bench, many, size, loss, Life)
    await world.reset()
    return world


@cocotb.test(timeout_time=400, timeout_unit="ms")
async def a_whole_link(dut):
    world = await start(dut, 20, 60_000, 0.0)
    await world.run(200_000)
    assert not world.counts["timeout"]
    await world.rest()


@cocotb.test(timeout_time=800, timeout_unit="ms")
async def a_link_that_loses(dut):
    world = await start(dut, 8, 40_000, 0.03)
    await world.run(1_500_000)
    assert world.counts["retransmitted"] and world.counts["out_of_order"]
    await world.rest()


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def one_who_floods(dut):
    """Segments of one connection as fast as they are taken: the owner's events of another wait for
    their turn only, and those of the same one for what was offered before."""
    world = await start(dut, 2, 1000, 0.0)
    flood, other = world.lives
    ack = Segment(flood.theirs, Flag.ACK, flood.ours, 16_000, times=flood.greeting(world.now).times)
    for life in (flood, other):
        dut.segment_i.value = structs.pack(
            f"{PKG}::event_t",
            **opening_event(life.number, life.greeting(world.now), life.options),
        )
        dut.segment_valid_i.value = 1
        await world.bench.wait(1)
        while not int(dut.segment_ready_o.value):
            await world.bench.wait(1)
        await world.bench.wait(1)
        dut.segment_valid_i.value = 0
    await world.bench.wait(100)
    dut.segment_i.value = structs.pack(f"{PKG}::event_t", **segment_event(flood.number, ack))
    dut.segment_valid_i.value = 1
    longest = {flood.number: 0, other.number: 0}
    taken = 0
    for _ in range(300):
        number = random.choice((flood.number, other.number))
        event = {"kind": KIND.EventTaken, "id": number, "bytes": 0}
        dut.owner_i.value = structs.pack(f"{PKG}::event_t", **event)
        dut.owner_valid_i.value = 1
        dut.coming_id_i.value = flood.number
        for cycle in range(1000):
            dut.coming_valid_i.value = cycle % 4 == 0  # there is always another one in the queue
            await world.bench.wait(1)
            taken += int(dut.segment_ready_o.value)
            if int(dut.owner_ready_o.value):
                longest[number] = max(longest[number], cycle)
                break
        else:
            raise AssertionError("not taken")
        await world.bench.wait(1)
        dut.owner_valid_i.value = 0
        await world.bench.wait(random.randrange(60))
    assert taken > 200
    assert longest[other.number] <= 48, longest  # its own last one, and turns
    # Two segments besides; and its segments in the queue, for 32 steps at most.
    assert longest[flood.number] <= 128 + 4 * 33, longest


@pytest.mark.parametrize("ring,scale", [(13, 0), (16, 0)])
def test_wc_tcp_events(ring, scale):
    run(
        "wc_tcp_events_tb",
        __file__,
        {"Connections": 64, "RingBits": ring, "OurScale": scale, "AckWait": ACK_WAIT},
        extra_sources=[Path(__file__).parent / "wc_tcp_events_tb.sv"],
        core="tcp",
    )
