# SPDX-License-Identifier: Apache-2.0
"""Whole connections with the circuit: peers that are the reference model, over a link that loses,
doubles and turns round, and an owner of the bytes, who moves them as the engine says. All bytes
must come, both ways, and each connection must come to its end."""

from __future__ import annotations

import heapq
import random
from collections import deque
from typing import Any, Generic, TypeVar

from engine_bench import KIND, PKG, opening_event, segment_event, segment_of
from wirecache.circuit import structs
from wirecache.model.tcp import cookie
from wirecache.model.tcp.connection import Connection, Setup, State
from wirecache.model.tcp.segment import Flag, Segment
from wirecache.model.tcp.sequence import ahead
from wirecache.testbench.bench import Bench

MILLISECOND = 400  # cycles
ACK_WAIT = 2  # of 256 cycles
TURN = 32  # cycles in which one of those with more to send has its turn, if all sources ask
NEVER = 1 << 60
SURELY_LOST = 5  # segment of answers, by a link that loses: so that each run sends one again
PATTERN = random.Random(7).randbytes(1 << 20)


class Life:
    """A connection: the peer, and what the owner of the engine's bytes has."""

    def __init__(self, number: int, ring: int, our_scale: int, size: int, now: int) -> None:
        times = random.random() < 0.8
        scaled = times and random.random() < 0.8
        self.number = number
        self.ring = ring
        self.options = cookie.Options(7, times, times and random.random() < 0.8, cookie.NO_SCALE)
        if scaled:
            self.options = cookie.Options(7, times, self.options.sack, 2)
        self.ours, self.theirs = (random.getrandbits(32) for _ in range(2))  # first numbers
        self.our_scale = our_scale
        self.begin(now & 0xFFFFFFFF, now)
        self.size = size  # bytes of the peer
        self.answers = size * (number % 3)  # so that some answer, whatever is drawn
        self.said = self.reply = PATTERN  # what the peer writes, and what it is to read
        self.asks = 0  # bytes that the peer has written
        self.got = 0  # and has read
        self.opened = self.ended = self.closing = self.closed = False
        self.slow = random.random() < 0.2  # the owner takes bytes now and then
        # Bytes that were received in any order; that came in order; were taken; answered; freed.
        self.held = bytearray(size + 1)
        self.came = self.taken = self.written = self.freed = 0
        # Cycles in which its next result must have come: as it said `more`, or that an ACK is due.
        self.send_by = self.ack_by = NEVER

    def begin(self, stamp: int, now: int) -> None:
        """The peer has a connection. stamp: the circuit's last."""
        setup = Setup(
            first=self.theirs,
            first_of_peer=self.ours,
            mss=1460,
            window=min(65535, self.ring - 1),
            times=self.options.times,
            stamp=stamp,
            sack=self.options.sack,
            scale=self.our_scale if self.options.scale != cookie.NO_SCALE else None,
            our_scale=2,
            ring=1 << 16,
        )
        self.peer = Connection(setup, now)

    def greeting(self, now: int) -> Segment:
        """The ACK of a SYN-ACK, before any bytes."""
        times = (now & 0xFFFFFFFF, self.peer.stamp) if self.options.times else None
        return Segment(self.theirs, Flag.ACK, self.ours, 16_000, times=times)

    def drive(self, now: int) -> list[Segment]:
        """What the peer sends now."""
        peer = self.peer
        if self.asks < self.size and peer.state == State.ESTABLISHED:
            count = min(self.size - self.asks, peer.sender.room, 3000)
            peer.write(self.said[self.asks : self.asks + count])
            self.asks += count
        data = peer.take(1 << 20)
        assert data == self.reply[self.got : self.got + len(data)], "bytes of an answer"
        self.got += len(data)
        if self.asks == self.size and self.got == self.answers:
            peer.close()
        out = []
        while (segment := peer.send(now)) is not None:
            out.append(segment)
        return out


L = TypeVar("L", bound=Life)


class World(Generic[L]):
    def __init__(
        self, dut: Any, bench: Bench, many: int, size: int, loss: float, kind: type[L]
    ) -> None:
        self.dut, self.bench, self.loss = dut, bench, loss
        ring, scale = 1 << int(dut.RingBits.value), int(dut.OurScale.value)
        self.now = random.choice((1000, 0xFFFFFF00, random.getrandbits(31)))
        self.lives = [kind(n, ring, scale, size, self.now) for n in range(many)]
        self.cycle = 0
        self.turns = many * TURN + 100  # until all have had theirs
        self.link: list[tuple[int, int, L, Segment, bool]] = []
        self.sent = 0
        self.data_sent = 0  # segments of answers
        self.segments: deque[tuple[L, Segment]] = deque()
        self.owner: deque[dict[str, Any]] = deque()
        self.payloads: deque[tuple[L, Segment]] = deque()
        self.counts: dict[str, int] = {}

    async def reset(self) -> None:
        self.dut.now_i.value = self.now & 0xFFFFFFFF
        await self.bench.reset()
        while not int(self.dut.ready_o.value):
            await self.bench.wait(1)

    # ---- the link --------------------------------------------------------------------------------
    def carry(self, life: L, segment: Segment, to_us: bool) -> None:
        if segment.data and not to_us:
            self.data_sent += 1
            if self.loss and self.data_sent == SURELY_LOST:
                return
        for _ in range(2 if random.random() < self.loss / 2 else 1):
            if random.random() < self.loss:
                continue
            delay = random.randint(100, 160) + (800 if random.random() < self.loss else 0)
            self.sent += 1
            heapq.heappush(self.link, (self.cycle + delay, self.sent, life, segment, to_us))

    def arrive(self) -> None:
        while self.link and self.link[0][0] <= self.cycle:
            _, _, life, segment, to_us = heapq.heappop(self.link)
            if to_us:
                self.to_circuit(life, segment)
            else:
                self.to_peer(life, segment)

    def to_circuit(self, life: L, segment: Segment) -> None:
        if not life.opened and segment.seq != life.theirs:
            return  # no cookie: its answer would be a RST, which is not the engine's
        if not life.closed:
            self.segments.append((life, segment))

    def to_peer(self, life: L, segment: Segment) -> None:
        for answer in [*life.peer.receive(segment, self.now), *life.drive(self.now)]:
            self.carry(life, answer, True)

    def millisecond(self) -> None:
        self.now += 1
        self.dut.now_i.value = self.now & 0xFFFFFFFF
        for life in self.lives:
            out = life.peer.tick(self.now)
            late = life.peer.acknowledge(self.now)
            for segment in [*out, *([late] if late else []), *life.drive(self.now)]:
                self.carry(life, segment, True)

    # ---- the owner -------------------------------------------------------------------------------
    def say(self, life: L, kind: str, count: int = 0) -> None:
        event = {"kind": getattr(KIND, kind), "id": life.number, "bytes": count}
        self.owner.append(event)

    def own(self, life: L) -> None:
        """What the owner has to say of it now."""
        if not life.opened or life.closing or life.closed:
            return
        waiting = life.came - life.taken
        if waiting and (not life.slow or random.random() < 0.02):
            life.taken += waiting
            self.say(life, "EventTaken", waiting)
        due = life.answers * life.taken // life.size - life.written
        count = min(due, life.ring - (life.written - life.freed))
        if count > 0:
            life.written += count
            self.say(life, "EventWritten", count)
        if life.ended and life.taken == life.size and life.written == life.answers:
            life.closing = True
            self.say(life, "EventClose")

    def of(self, number: int) -> L:
        return self.lives[number]

    def placed(self) -> None:
        """The bytes of a segment go to where the engine says."""
        place = structs.unpack(f"{PKG}::place_t", int(self.dut.place_o.value))
        life, segment = self.payloads.popleft()
        assert place["id"] == life.number
        assert place["bytes"] + place["skip"] <= len(segment.data) or not place["bytes"]
        if place["bytes"]:
            at = ahead(place["seq"], life.theirs)
            data = segment.data[place["skip"] : place["skip"] + place["bytes"]]
            assert len(data) == place["bytes"] and 0 <= at < life.came + life.ring
            life.held[at : at + len(data)] = data

    def progressed(self) -> None:
        told = structs.unpack(f"{PKG}::progress_t", int(self.dut.progress_o.value))
        life = self.of(told["id"])
        start = life.came
        life.came += told["bytes"]
        assert ahead(told["next"], life.theirs) == life.came + (life.ended or told["ended"])
        assert life.held[start : life.came] == PATTERN[start : life.came], "bytes of a request"
        life.ended |= bool(told["ended"])
        life.freed += told["freed"]
        assert life.freed <= life.written

    def resulted(self) -> None:
        result = structs.unpack(f"{PKG}::result_t", int(self.dut.result_o.value))
        life = self.of(result["id"])
        for name, value in result["counts"].items():
            self.counts[name] = self.counts.get(name, 0) + value
        if result["sends"]:
            at = ahead(result["segment"]["seq"], life.ours)
            count = result["segment"]["bytes"]
            assert not count or life.freed <= at + count <= life.written
            self.carry(life, segment_of(result, PATTERN[at : at + count]), False)
        life.closed |= bool(result["closed"])
        life.send_by = self.cycle + self.turns if result["more"] else NEVER
        if not result["ack_due"]:
            life.ack_by = NEVER
        elif life.ack_by == NEVER:
            comes_by = 2 * int(self.dut.Connections.value)
            life.ack_by = self.cycle + 256 * (ACK_WAIT + 1) + comes_by + self.turns

    # ---- all together ----------------------------------------------------------------------------
    async def step(self) -> None:
        dut = self.dut
        await self.bench.wait(1)  # then what is read is what the edge saw
        self.cycle += 1
        if self.offered and int(dut.segment_ready_o.value):
            self.took(*self.segments.popleft())
            dut.segment_valid_i.value = 0
            self.offered = False
        if self.says and int(dut.owner_ready_o.value):
            self.owner.popleft()
            dut.owner_valid_i.value = 0
            self.says = False
        if int(dut.place_valid_o.value):
            self.placed()
        if int(dut.progress_valid_o.value):
            self.progressed()
        if int(dut.result_valid_o.value):
            self.resulted()
        self.arrive()
        if self.cycle % self.millisecond_cycles == 0:
            self.millisecond()
        if self.cycle % 16 == 0:
            for life in self.lives:
                self.own(life)
                assert self.cycle <= life.send_by, "has more to send, and no turn"
                assert self.cycle <= life.ack_by, "an ACK that waits for ever"
        if self.segments and not self.offered and self.wire_has_it():
            self.offer(*self.segments[0])
            dut.segment_valid_i.value = 1
            self.offered = True
        if self.owner and not self.says:
            dut.owner_i.value = structs.pack(f"{PKG}::event_t", **self.owner[0])
            dut.owner_valid_i.value = 1
            self.says = True

    offered = says = False
    millisecond_cycles = MILLISECOND

    def offer(self, life: L, segment: Segment) -> None:
        event = segment_event(life.number, segment)
        if not life.opened:
            event = opening_event(life.number, segment, life.options)
            life.opened = True
        self.dut.segment_i.value = structs.pack(f"{PKG}::event_t", **event)

    def wire_has_it(self) -> bool:
        return True

    def took(self, life: L, segment: Segment) -> None:
        self.payloads.append((life, segment))

    @property
    def done(self) -> bool:
        return all(life.closed for life in self.lives)

    def left(self) -> list[dict[str, Any]]:
        """What is known of those that have not come to an end."""
        hidden = ("held", "peer")
        return [
            {k: v for k, v in vars(life).items() if k not in hidden}
            | {"peer": (life.peer.state.name, life.peer.timer.name, life.peer.deadline - self.now)}
            for life in self.lives
            if not life.closed
        ]

    def greet(self) -> None:
        for life in self.lives:
            self.carry(life, life.greeting(self.now), True)

    async def run(self, most: int) -> None:
        self.greet()
        while not self.done:
            await self.step()
            assert self.cycle < most, "\n".join(map(str, self.left()))
        for life in self.lives:
            assert life.taken == life.size and life.got == life.answers
