# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_endpoint: whole connections from the SYN on, between segments as they stand in frames and
bytes in memory. Peers are the reference model; the bench owns the bytes. The wire may stand still,
memory may be slow or fail, frames may be bad."""

from __future__ import annotations

import random
from collections import deque
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar

import cocotb
import pytest
from clients import Client
from engine_bench import PKG
from frames import AROUND, RX_BASE, TX_BASE, Frames
from lives import ACK_WAIT, PATTERN
from wirecache.circuit import structs
from wirecache.model.tcp.segment import Segment
from wirecache.testbench.bench import full, run
from wirecache.testbench.cycle import Driven, value_of


class Wire(Frames):
    """The bench owns the bytes."""

    given: ClassVar = {"owner_valid_i": 0, "back_valid_i": 0}

    def __init__(self, dut: Any, *args: Any) -> None:
        super().__init__(dut, *args)
        self.numbers: dict[int, Client] = {}
        self.returning: list[tuple[int, int]] = []
        self.back = Driven(dut.back_valid_i)

    def of(self, number: int) -> Client:
        return self.numbers[number]

    def over(self, life: Client) -> bool:
        life.reset = True
        return life.closing or life.closed or life in self.may_reset

    # ---- the owner -------------------------------------------------------------------------------
    def opened(self) -> None:
        told = structs.unpack(f"{PKG}::opened_t", int(self.dut.opened_o.value))
        life = next(one for one in self.lives if one.theirs == told["next"])
        assert told["id"] not in self.numbers and life.ours == told["una"]
        if life in self.may_reset and life.opened:  # its first ACK comes behind its end
            life = copy(life)
            life.came, life.closed, life.number = 0, False, told["id"]
            self.say(life, "EventAbort")
        else:
            assert not life.opened
        life.opened, life.number = True, told["id"]
        self.numbers[life.number] = life

    def arrived(self) -> None:
        told = structs.unpack(f"{PKG}::arrived_t", int(self.dut.arrived_o.value))
        life = self.numbers[told["id"]]
        start = life.came
        life.came += told["bytes"]
        base = RX_BASE + life.number * self.ring
        at = (life.theirs + start) % self.ring
        first = min(told["bytes"], self.ring - at)
        data = self.memory.dump(base + at, first) if first else b""
        if told["bytes"] > first:
            data += self.memory.dump(base, told["bytes"] - first)
        assert data == PATTERN[start : life.came], "bytes of a request"
        assert not life.ended, "behind the end"
        life.ended = bool(told["ended"])

    def say(self, life: Client, kind: str, count: int = 0) -> None:
        if kind == "EventWritten":
            for i in range(life.written - count, life.written, self.memory.beat_bytes):
                most = min(life.written, i + self.memory.beat_bytes)
                for n in range(i, most):
                    at = TX_BASE + life.number * self.ring + (life.ours + n) % self.ring
                    self.memory.load(at, PATTERN[n : n + 1])
        super().say(life, kind, count)

    def gone(self) -> None:
        number = int(self.dut.gone_id_o.value)
        life = self.numbers[number]
        assert not life.closed
        life.closed = True
        self.returning.append((self.cycle + random.randrange(100), number))

    def give_back(self) -> None:
        self.back.set(0)
        if not self.returning or self.returning[0][0] > self.cycle:
            return
        number = self.returning[0][1]
        offered = self.owner[0] if self.says else None
        if offered is not None and offered["id"] == number:
            return
        self.owner = deque(e for e in self.owner if e is offered or e["id"] != number)
        self.returning.pop(0)
        del self.numbers[number]
        self.back.set(1)
        self.dut.back_id_i.value = number

    # ---- all together ----------------------------------------------------------------------------
    async def step(self) -> None:
        dut = self.dut
        await self.bench.wait(1)
        self.cycle += 1
        self.overflow.append(value_of(dut.overflow_o))
        if self.says and value_of(dut.owner_ready_o):
            self.owner.popleft()
            dut.owner_valid_i.value = 0
            self.says = False
        if value_of(dut.opened_valid_o):
            self.opened()
        if value_of(dut.arrived_valid_o):
            self.arrived()
        if value_of(dut.freed_valid_o):
            told = structs.unpack(f"{PKG}::freed_t", value_of(dut.freed_o))
            life = self.numbers[told["id"]]
            life.freed += told["bytes"]
            assert life.freed <= life.written
        if value_of(dut.gone_valid_o):
            self.gone()
        if value_of(dut.engine_counts_valid_o):
            self.count(f"{PKG}::counts_t", value_of(dut.engine_counts_o))
        self.count("wc_tcp_demux_pkg::counts_t", value_of(dut.demux_counts_o))
        self.lost += value_of(dut.lost_o)
        self.give_back()
        self.take_frames()
        self.arrive()
        if self.cycle % self.millisecond_cycles == 0:
            self.millisecond()
        if self.cycle % 16 == 0:
            for life in self.lives:
                self.own(life)
        if self.segments and self.cycle >= self.free:
            self.frame(*self.segments.popleft())
        self.drive_plan()
        if self.owner and not self.says:
            dut.owner_i.value = structs.pack(f"{PKG}::event_t", **self.owner[0])
            dut.owner_valid_i.value = 1
            self.says = True

    async def rest(self) -> None:
        """All numbers have come back, and nothing else happens."""
        for _ in range(400):
            await self.step()
        assert not self.numbers and not self.returning and not self.says


@cocotb.test(timeout_time=400, timeout_unit="ms")
async def a_whole_link(dut):
    world = await Wire.start(dut, 20, 12_000)
    await world.run(1_000_000)
    await world.rest()
    assert world.counted["opened"] == 20 and not world.lost


@cocotb.test(timeout_time=800, timeout_unit="ms")
async def a_link_that_loses(dut):
    """Frames that are bad besides, memory that is slow, a wire that stands now and then."""
    world = await Wire.start(dut, 12, 6_000, 0.04, read=(20, 200), write=(10, 200), willing=0.5)
    world.bad, world.stands = 0.03, 0.3
    await world.run(2_000_000)
    await world.rest()
    assert world.counted["retransmitted"] and world.counted["out_of_order"]
    assert world.counted["opened"] == 12 and not world.lost


@cocotb.test(timeout_time=800, timeout_unit="ms")
async def one_behind_the_other(dut):
    """More connections than there are numbers: rings and stations are others' at once."""
    world = await Wire.start(dut, 100, 700, 0.01, read=(20, 300), write=(10, 300))
    dut.most_i.value = 16
    for n, life in enumerate(world.lives):
        life.syn_due = world.now + 1 + 6 * (n // 6)
    while not all(life.closed or (life.refused and not life.opened) for life in world.lives):
        await world.step()
        # What is lost five times in a row has waited for 1 + 2 + 4 + 8 + 16 seconds.
        assert world.cycle < 31_000 * world.millisecond_cycles + 500_000, world.left()
    await world.rest()
    assert world.counted["opened"] > 40, world.counted


@cocotb.test(timeout_time=400, timeout_unit="ms")
async def the_wire_stands(dut):
    """Now and then it takes nothing for long. Who sends meanwhile may lose frames, and sends them
    again; nothing else is lost."""
    world = await Wire.start(dut, 20, 3_000)
    world.greet()
    while not world.done:
        world.stopped = world.cycle % 12_000 > 6_000
        await world.step()
        assert world.cycle < 1_000_000, world.left()
    for life in world.lives:
        assert life.taken == life.size and life.got == life.answers
    await world.rest()


@cocotb.test(timeout_time=400, timeout_unit="ms")
async def memory_does_not_write(dut):
    """Bytes that were acknowledged are lost: their connections end, and no others."""
    world = await Wire.start(dut, 12, 2_000)
    ruined = set(world.lives[:4])

    def fails(address: int, beats: int) -> bool:
        """From the 700th byte on."""
        life = world.numbers.get((address - RX_BASE) // world.ring)
        return life in ruined and (address - RX_BASE - life.theirs) % world.ring >= 700

    world.memory.fails_write = fails
    world.may_reset = ruined
    world.greet()
    while not world.done:
        await world.step()
        assert world.cycle < 400_000, world.left()
    for life in world.lives:
        assert (life.taken == life.size and life.got == life.answers) == (life not in ruined)
    assert {life for life in world.lives if life.reset} == ruined and world.lost
    await world.rest()


@cocotb.test(timeout_time=400, timeout_unit="ms")
async def memory_does_not_read(dut):
    """A segment whose bytes cannot be read is not sent; later it is, when they can."""
    world = await Wire.start(dut, 10, 5_000)
    world.memory.fails_read = lambda address: random.random() < 0.003  # of a beat
    await world.run(1_000_000)
    assert world.lost and world.counted["retransmitted"]
    await world.rest()


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def one_too_many(dut):
    world = await Wire.start(dut, 5, 200)
    dut.most_i.value = 3
    world.greet()
    while not all(life.opened or life.refused for life in world.lives):
        await world.step()
        assert world.cycle < 100_000, world.left()
    assert sum(life.refused for life in world.lives) == 2


# ---- rates ---------------------------------------------------------------------------------------
class Plain(Wire):
    """Peers that the bench plays: they send what it says, and acknowledge all that comes."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.has = dict.fromkeys(self.lives, 0)  # bytes that each peer has got
        self.payload_bytes = self.went_at = 0

    async def connect(self) -> None:
        self.greet()
        while not all(life.opened for life in self.lives):
            await self.step()
        for _ in range(400):
            await self.step()
        self.millisecond_cycles = 20_000  # at each, events wait for some 40 cycles

    def millisecond(self) -> None:
        self.now += 1
        self.dut.now_i.value = self.now & 0xFFFFFFFF
        for life in self.lives:
            if not life.connected and life.syn_due <= self.now:
                self.carry(life, life.syn(self.now), True)
                life.syn_due = self.now + 20

    def sends_from(self, life: Client, at: int, count: int) -> None:
        said = life.greeting(self.now)
        seq = (life.theirs + at) & 0xFFFFFFFF
        ack = (life.ours + self.has[life]) & 0xFFFFFFFF
        data = PATTERN[at : at + count]
        self.segments.append((life, replace(said, seq=seq, ack=ack, data=data)))

    def own(self, life: Client) -> None:
        if life.came > life.taken:
            self.say(life, "EventTaken", life.came - life.taken)
            life.taken = life.came

    def went(self, life: Client, segment: Segment) -> None:
        if not life.connected or not life.opened:
            super().went(life, segment)
            return
        assert segment.seq == (life.ours + self.has[life]) & 0xFFFFFFFF or not segment.data
        self.has[life] += len(segment.data)
        self.payload_bytes += len(segment.data)
        self.went_at = self.cycle
        if segment.data:
            self.sends_from(life, life.came, 0)


class Waiting(Plain):
    """Peers whose first ACKs wait until all have their SYN-ACKs."""

    def to_peer(self, life: Client, segment: Segment) -> None:
        super().to_peer(life, segment)
        if len(self.ready) < len(self.lives) and life not in self.ready:
            self.ready[life] = life.greeting(self.now)

    def carry(self, life: Client, segment: Segment, to_circuit: bool) -> None:
        if not to_circuit or not life.connected:
            super().carry(life, segment, to_circuit)

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.ready: dict[Client, Segment] = {}


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def all_open_at_once(dut):
    """The first ACK and the first request of each connection, back to back as fast as the wire has
    them: none is lost."""
    world = await Waiting.start(dut, 60, 1_000)
    world.greet()
    while len(world.ready) < len(world.lives):
        await world.step()
        assert world.cycle < 10_000, world.left()
    for life, ack in world.ready.items():
        world.segments.append((life, ack))
        world.sends_from(life, 0, 40)
    while any(life.came < 40 for life in world.lives):
        await world.step()
        assert world.cycle < 20_000, world.left()
    assert not world.overflows and not world.counted.get("flooded")


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def wire_rate_in(dut):
    """Of each length as fast as the wire has them: nothing is dropped, all arrives at once."""
    many = 32
    world = await Plain.start(dut, many, 60_000)
    await world.connect()
    sent = [0] * many
    for count in (1, 8, 64, 300, 1448):
        turns = 8 if count < 300 else 4
        for turn in range(turns * many):
            n = turn % many
            world.sends_from(world.lives[n], sent[n], count)
            sent[n] += count
        while world.segments:
            await world.step()
        last = world.cycle + count // 8
        while [life.came for life in world.lives] != sent:
            await world.step()
            assert world.cycle < last + 300, (count, world.counted)
        dut._log.info(f"{count} bytes: the last one is there {world.cycle - last} cycles late")
    assert not world.overflows and not world.counted.get("flooded")


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def wire_rate_out(dut):
    """The wire is full while there is enough to be sent."""
    many = 16
    world = await Plain.start(dut, many, 60_000)
    await world.connect()
    begin = world.cycle
    for _ in range(3):
        for life in world.lives:
            count = world.ring // 2 - 100
            life.written += count
            world.say(life, "EventWritten", count)
        most = world.cycle + 200_000
        while any(world.has[life] < life.written for life in world.lives):
            await world.step()
            assert world.cycle < most
    wire_bytes = (world.went_at - begin) * 8
    share = world.payload_bytes / wire_bytes
    dut._log.info(f"{share:.3f} of the wire is payload; {1448 / (1448 + 90):.3f} can be")
    assert share >= 0.95 * 1448 / (1448 + AROUND + 12 - 20), share


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def latency(dut):
    """Alone: from the record to arrived, from written to the segment."""
    world = await Plain.start(dut, 4, 1_000, read=(20, 20), write=(20, 20))
    await world.connect()
    arrives, leaves = [], []
    for turn in range(12):
        life = world.lives[turn % 4]
        world.sends_from(life, life.came, 40)
        came = life.came
        while not world.plan:
            await world.step()
        begin = next(at for at, said in world.plan.items() if "record_valid_i" in said)
        while life.came == came:
            await world.step()
        arrives.append(world.cycle - begin)
        for _ in range(300):
            await world.step()
        life.written += 40
        world.say(life, "EventWritten", 40)
        begin = world.cycle
        while world.has[life] < life.written:
            await world.step()
        leaves.append(world.went_at - begin)
        for _ in range(300):
            await world.step()
    dut._log.info(f"record to arrived {arrives}, written to the segment's last word {leaves}")
    assert max(arrives) <= 66 and max(leaves) <= 110, (arrives, leaves)


@pytest.mark.parametrize("ring,scale,beat", [(13, 0, 16), full(18, 3, 64)])
def test_wc_tcp_endpoint(ring, scale, beat):
    run(
        "wc_tcp_endpoint",
        __file__,
        {
            "Connections": 64,
            "RingBits": ring,
            "OurScale": scale,
            "AckWait": ACK_WAIT,
            "BeatBytes": beat,
        },
    )
