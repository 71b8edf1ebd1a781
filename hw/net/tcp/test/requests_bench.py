# SPDX-License-Identifier: Apache-2.0
"""Connections around wc_tcp_requests: peers that send, a ring each way, and who answers packets.

Each connection knows from the model framer what its packets have to be made of, and checks every
packet, every byte that is said to be taken, and its end as they come.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from wirecache.circuit import structs
from wirecache.model.tcp.framer import Framer, Kind
from wirecache.testbench.axi_memory import AxiMemory
from wirecache.testbench.bench import Bench, Pace
from wirecache.testbench.cycle import Driven, every_cycle, value_of

PKG = "wc_tcp_requests_pkg"
ENGINE = "wc_tcp_engine_pkg"
EVENT = f"{ENGINE}::event_t"
BASE = 0x35 << 20
SHORT = structs.constant(f"{PKG}::ShortAnswer")
PIECE = structs.constant(f"{PKG}::PieceBytes")
TAKEN, CLOSE, ABORT = 1, 3, 4
CLASSES = {Kind.READ: 0, Kind.HOST: 2}  # all others 1
ALONE = (Kind.HOST, Kind.LAST, Kind.QUIT, Kind.CLOSE)
GAP = 4  # cycles between two of a kind


class Port:
    """An input that is valid for a cycle, no sooner than `GAP` cycles behind its last one."""

    def __init__(self, dut: Any, name: str, struct: str | None, data: str = "") -> None:
        self._valid = Driven(getattr(dut, f"{name}_valid_i"))
        self._data = getattr(dut, data or f"{name}_i")
        self._struct = struct
        self._queue: deque[tuple[int, Callable[[], None]]] = deque()
        self._wait = 0
        self.lazy = 0  # cycles more, at most

    def send(self, what: Any, then: Callable[[], None] = lambda: None) -> None:
        """`then` is called as it is sent."""
        bits = structs.pack(self._struct, **what) if self._struct else what
        self._queue.append((bits, then))

    def step(self) -> None:
        self._wait -= 1
        self._valid.set(0)
        if self._wait <= 0 and self._queue:
            bits, then = self._queue.popleft()
            self._data.value = bits
            self._valid.set(1)
            self._wait = GAP + random.randint(0, self.lazy)
            then()

    @property
    def idle(self) -> bool:
        return not self._queue


@dataclass
class Ways:
    """What those around a connection do."""

    chunk: tuple[int, int] = (1, 300)  # bytes that arrive at a time
    first: int | None = None  # the first time
    every: tuple[int, int] = (0, 100)  # cycles between
    answer: tuple[int, int] = (0, 60)  # cycles for an answer
    refuse: float = 0.0  # that an answer has no room
    room: tuple[int, int] = (0, 100)  # cycles between acknowledgements
    little: bool = False  # of these
    fills: bool = False  # answers are as long as there is room
    stops: int | None = None  # the peer acknowledges nothing before this cycle
    dies: int | None = None  # the connection is gone in this cycle
    hits: int | None = None  # so long behind an answer more arrives, and all is acknowledged


@dataclass
class Life:
    """A connection."""

    world: World
    number: int
    stream: bytes
    ends: bool  # the peer sends nothing behind it
    ways: Ways
    seq: int = 0
    sent: int = 0
    arrived: int = 0
    ending: bool = False  # its end is to be told,
    end_sent: bool = False  # and was
    taken: int = 0
    next: int = 0  # place of the first byte that was not given and answered
    packet: tuple[int, int] | None = None  # numbers of its requests
    whole: bool = False  # the packet has come
    flies: bool = False  # and was not answered, neither wholly nor in part
    skip: int = 0
    needs: int = 0
    written: int = 0
    acked: int = 0
    acking: int = 0  # or is about to be
    free_then: int = 0  # when the last answer was given
    closed: bool = False
    gone: bool = False
    back: bool = False
    begun: int = 0  # packets
    due: dict[str, int] = field(default_factory=dict)
    packets: list[tuple[int, int]] = field(default_factory=list)  # of the requests
    waits: list[tuple[int, int]] = field(default_factory=list)  # (place, cycle) of arrivals
    delays: list[int] = field(default_factory=list)  # from its first request's to a packet's end
    fails: bool = False  # memory does

    def __post_init__(self) -> None:
        self.seq = random.choice((random.getrandbits(32), (1 << 32) - random.randint(1, 5000)))
        framer = Framer(self.world.most_bytes)
        fed = framer.feed(self.stream)
        places = [0, *(mark.offset for mark in fed.marks)]
        kinds = [mark.kind for mark in fed.marks]
        self.requests = [
            (start, stop, kind) for (start, stop), kind in zip(pairwise(places), kinds, strict=True)
        ]
        self.starts = {start: n for n, (start, _, kind) in enumerate(self.requests) if kind}
        self.stops = {stop: n for n, (_, stop, kind) in enumerate(self.requests) if kind}
        self.closes = fed.closed
        self.binary = self.stream[:1] == b"\x80"
        self.passing = framer.state.mode.name == "SKIP" and not framer.state.front
        self.last = len(self.requests)
        self.free_then = self.world.ring

    # ---- what is left ----------------------------------------------------------------------------
    def _behind(self, number: int) -> int:
        """The first request from this one on that is one."""
        while number < self.last and not self.requests[number][2]:
            number += 1
        return number

    @property
    def answered_all(self) -> bool:
        return self._number() == self.last and self.packet is None

    def _number(self) -> int:
        return self._behind(
            next((n for n, r in enumerate(self.requests) if r[0] >= self.next), self.last)
        )

    @property
    def free(self) -> int:
        return self.world.ring - (self.written - self.acked)

    def may_close(self) -> bool:
        return self.answered_all and (self.closes or self.end_sent)

    def done(self) -> bool:
        """Nothing more will come of it."""
        if self.ways.dies is not None:
            return self.back
        if not self.answered_all or self.written != self.acked:
            return False
        if self.closes or self.ends:
            return self.closed
        whole = self.requests[-1][1] if self.requests else 0
        return self.sent == self.arrived == len(self.stream) and self.taken >= whole

    # ---- the peer --------------------------------------------------------------------------------
    def step(self, now: int) -> None:
        if self.gone:
            return
        ways = self.ways
        if ways.dies is not None and now >= ways.dies and not self.world.at_work(self):
            self.gone = True
            self.world.ports["gone"].send(self.number)
            return
        if ways.hits is not None and self.begun:
            return
        if now >= self.due.get("arrive", 0):
            room = self.world.ring - 1 - (self.sent - self.taken)
            count = random.randint(*ways.chunk)
            if ways.first is not None and not self.sent:
                count = ways.first
            count = min(count, room, len(self.stream) - self.sent)
            ended = self.ends and self.sent + count == len(self.stream) and not self.ending
            if self.closed:
                pass
            elif count > 0 or ended:
                self._arrive(count, ended)
            self.due["arrive"] = now + random.randint(*ways.every)
        out = self.written - self.acking
        if out and now >= self.due.get("room", 0) and now >= (ways.stops or 0):
            count = random.randint(1, min(out, 200)) if ways.little else random.randint(1, out)
            self.due["room"] = now + random.randint(*ways.room)
            self._acknowledge(count)

    def _hit(self) -> None:
        count = min(self.ways.chunk[0], len(self.stream) - self.sent)
        if count and not self.gone:
            self._arrive(count, False)
        if self.written != self.acking and not self.gone:
            self._acknowledge(self.written - self.acking)

    def _acknowledge(self, count: int) -> None:
        self.acking += count

        def sends() -> None:
            self.acked += count

        self.world.ports["room"].send({"id": self.number, "bytes": count}, sends)

    def _arrive(self, count: int, ended: bool) -> None:
        data = self.stream[self.sent : self.sent + count]
        ring = self.world.ring
        place = (self.seq + self.sent) % ring
        base = BASE + self.number * ring
        self.world.memory.load(base + place, data[: ring - place])
        self.world.memory.load(base, data[ring - place :])
        self.sent += count
        self.ending = self.ending or ended
        what = {"id": self.number, "bytes": count, "ended": ended}

        def sends() -> None:
            self.arrived += count
            self.end_sent = self.end_sent or ended
            self.waits.append((self.arrived, self.world.cycle))

        self.world.ports["arrived"].send(what, sends)

    # ---- what comes ------------------------------------------------------------------------------
    def head(self, head: dict[str, int]) -> None:
        assert not self.back and not self.closed, "a packet behind the end"
        assert self.packet is None or (self.whole and self.needs), "a second packet"
        self.whole = False
        self.flies = True
        assert head["binary"] == self.binary
        assert head["room"] <= self.free, "more room than there is"
        assert head["room"] >= self.free_then, "less room than there was"
        least = min(self.needs, self.world.ring) if self.needs else SHORT
        assert head["room"] >= least, (head["room"], self.needs)
        assert head["skip"] == self.skip, (head["skip"], self.skip)
        self.begun += 1
        self.world.given[self.number] = head

    def words(self, data: bytes, head: dict[str, int]) -> None:
        """The bytes of the packet."""
        first = self._number()
        assert first < self.last, "a packet too many"
        start = self.requests[first][0]
        assert data == self.stream[start : start + len(data)], (
            f"bytes of {self.number} from {start}: {data[:80]!r} for {self.stream[start:][:80]!r}"
        )
        stop = start + len(data)
        assert stop in self.stops, f"ends within a request: {data[-80:]!r}"
        assert stop <= self.arrived
        last = self.stops[stop] + 1
        kinds = [kind for _, _, kind in self.requests[first:last]]
        assert {CLASSES.get(kind, 1) for kind in kinds} == {head["kind"]}, kinds
        assert not any(kind in ALONE for kind in kinds[:-1]), kinds
        assert Kind.SKIPPED not in kinds
        assert len(kinds) <= self.world.budget, len(kinds)
        assert head["kind"] != 2 or len(kinds) == 1
        assert head["kind"] != 1 or SHORT * len(kinds) <= head["room"], "no room for all"
        if self.needs:
            assert self.packet == (first, last), "another packet than before"
        else:
            self.packets.append((first, last))
        self.packet = first, last
        self.whole = True
        whole = next(cycle for place, cycle in self.waits if place >= self.requests[first][1])
        self.delays.append(self.world.cycle - whole)
        self.world.later(random.randint(*self.ways.answer), lambda: self._answer(head))

    def _answer(self, head: dict[str, int]) -> None:
        assert self.packet is not None
        first, last = self.packet
        count = last - first
        free = self.free
        operations = count
        needs = 0
        if head["kind"] != 1 and random.random() < self.ways.refuse:
            operations = random.randint(self.skip, count - 1)
            ring = self.world.ring
            needs = random.choice((1, free + 1, random.randint(1, ring), ring, ring + 1, 2 * ring))
        new = operations - self.skip
        size = random.randint(0, min(free, SHORT * new))
        if self.ways.fills and new and head["kind"] != 1:
            size = free
        what = {"id": self.number, "bytes": size, "operations": operations, "needs": needs}

        def sends() -> None:
            self.written += size
            self.flies = False
            if self.ways.hits is not None:
                self.world.later(self.ways.hits, self._hit)
            self.free_then = self.free
            self.needs = needs
            self.skip = operations if needs else 0
            if not needs:
                self.next = self.requests[last - 1][1]
                self.packet = None
                self.world.answers += count

        self.world.ports["answered"].send(what, sends)

    def event(self, event: dict[str, Any]) -> None:
        assert not self.back, "an event behind the end"
        if event["kind"] == TAKEN:
            assert event["bytes"]
            assert not self.closed
            self.taken += event["bytes"]
            number = self._number()
            if number < self.last:
                most = self.requests[number][0]
            elif self.passing or self.closes:
                most = self.arrived
            else:
                most = self.requests[-1][1] if self.requests else 0
            # Bytes within what is passed over are taken as they come.
            assert self.taken <= min(most, self.arrived), (self.taken, most)
        elif self.fails:
            assert event["kind"] == ABORT
            self.closed = True
        else:
            assert event["kind"] == CLOSE, event["kind"]
            assert not self.closed, "closed twice"
            assert self.may_close(), (self.next, self.arrived, self.end_sent, self.packet)
            self.closed = True


class World:
    """The device, its memory and all connections."""

    def __init__(
        self,
        dut: Any,
        bench: Bench,
        most_bytes: int,
        pace: float,
        latency: tuple[int, int],
    ) -> None:
        self.dut, self.bench, self.most_bytes = dut, bench, most_bytes
        self.ring = 1 << int(dut.RingBits.value)
        self.budget = int(dut.Budget.value)
        self.turn = int(dut.TurnBytes.value)
        self.line = int(dut.LineBytes.value)
        self.many = int(dut.Connections.value)
        self.memory = AxiMemory(dut, read=latency, willing=1.0 if pace == 1.0 else 0.7)
        self.ports = {
            name: Port(dut, name, struct)
            for name, struct in (
                ("opened", f"{ENGINE}::opened_t"),
                ("arrived", f"{ENGINE}::arrived_t"),
                ("room", f"{ENGINE}::freed_t"),
                ("answered", f"{PKG}::answered_t"),
            )
        }
        self.ports["gone"] = Port(dut, "gone", None, "gone_id_i")
        self.lives: dict[int, Life] = {}
        self._opened: list[Life] = []  # those that may send
        self.free = deque(range(self.many))
        self.given: dict[int, dict[str, int]] = {}
        self.cycle = 0
        self.answers = 0
        self.read_bytes = self.reads = 0
        self.events = bench.sink("event", EVENT, pace)
        self._later: list[tuple[int, int, Callable[[], None]]] = []
        self._told = 0
        self._see = {
            name: partial(value_of, getattr(dut, name))
            for name in ("head_valid_o", "packet_valid_o", "back_valid_o", "read_valid_o")
        }
        self._head: dict[str, int] | None = None
        self._data = bytearray()
        self.pace = Pace(pace)
        self._head_ready = Driven(dut.head_ready_i)
        self._word_ready = Driven(dut.packet_ready_i)
        self.word_cycles: list[int] = []
        every_cycle(bench.clock, self._step)

    @classmethod
    async def start(
        cls,
        dut: Any,
        most_bytes: int = 3000,
        pace: float = 1.0,
        latency: tuple[int, int] = (20, 40),
        lazy: int = 0,
    ) -> World:
        given = {"most_bytes_i": most_bytes, "base_i": BASE}
        bench = await Bench.start(dut, given)
        world = cls(dut, bench, most_bytes, pace, latency)
        for port in world.ports.values():
            port.lazy = lazy
        await bench.reset()
        while not int(dut.ready_o.value):
            await bench.wait(1)
        return world

    def later(self, cycles: int, what: Callable[[], None]) -> None:
        self._told += 1
        heappush(self._later, (self.cycle + cycles, self._told, what))

    def at_work(self, life: Life) -> bool:
        """Something of it is still to be told."""
        return not (self.ports["arrived"].idle and self.ports["room"].idle) or (
            not self.ports["opened"].idle
        )

    def open(self, stream: bytes, ends: bool, ways: Ways | None = None) -> Life:
        life = Life(self, self.free.popleft(), stream, ends, ways or Ways())
        self.lives[life.number] = life
        self.ports["opened"].send(
            {"id": life.number, "next": life.seq}, lambda: self._opened.append(life)
        )
        return life

    def _step(self) -> None:
        dut, see = self.dut, self._see
        self.cycle += 1
        # What was there before this edge.
        head_taken = self._head_ready.value and see["head_valid_o"]()
        word_taken = self._word_ready.value and see["packet_valid_o"]()
        assert not (head_taken and word_taken), "a head among words"
        if head_taken:
            assert self._head is None, "a head before the packet's end"
            head = structs.unpack(f"{PKG}::head_t", value_of(dut.head_o))
            assert head["id"] in self.lives, "a packet of nobody"
            self.lives[head["id"]].head(head)
            self._head = head
        if word_taken:
            assert self._head is not None, "a word without a head"
            word = structs.unpack(f"{PKG}::packet_word_t", value_of(dut.packet_o))
            data = int(word["data"]).to_bytes(8, "little")
            assert 1 <= word["bytes"] <= 8 and (word["last"] or word["bytes"] == 8)
            assert not any(data[word["bytes"] :]), "unused bytes are not zero"
            self._data += data[: word["bytes"]]
            self.word_cycles.append(self.cycle)
            if word["last"]:
                head, self._head = self._head, None
                self.lives[head["id"]].words(bytes(self._data), head)
                self._data.clear()
        while self.events.items:
            event = self.events.items.popleft()
            self.lives[event["id"]].event(event)
        if see["back_valid_o"]():
            life = self.lives[value_of(dut.back_id_o)]
            assert life.gone and not life.back, "given back too often"
            assert not life.flies, "its packet was not answered"
            assert self._head is None or self._head["id"] != life.number
            life.back = True
            del self.lives[life.number]
            self.free.append(life.number)
        if see["read_valid_o"]() and value_of(dut.read_ready_o):
            read = structs.unpack("wc_tcp_ring_pkg::read_t", value_of(dut.read_o))
            life = self.lives[read["id"]]
            self.read_bytes += read["bytes"]
            self.reads += 1
            behind = (read["seq"] - life.seq - life.taken) % self.ring
            assert life.taken + behind + read["bytes"] <= life.arrived, "reads what is not there"
        for life in self._opened[self.cycle % 4 :: 4]:
            if life.back:
                self._opened.remove(life)
            else:
                life.step(self.cycle)
        while self._later and self._later[0][0] <= self.cycle:
            heappop(self._later)[2]()
        for port in self.ports.values():
            port.step()
        self._head_ready.set(int(self.pace()))
        self._word_ready.set(int(self.pace()))

    async def run(self, lives: list[Life], most: int) -> None:
        """Until nothing more will come of these."""
        left = list(lives)
        for _ in range(0, most, 20):
            left = [life for life in left if not life.done()]
            if not left:
                break
            await self.bench.wait(20)
        for life in left:
            self.dut._log.error(
                "%d: %d of %d arrived, %d taken, %d of %d, packet %s needs %d free %d, closed %s",
                life.number,
                life.arrived,
                len(life.stream),
                life.taken,
                life._number(),
                life.last,
                life.packet,
                life.needs,
                life.free,
                life.closed,
            )
        assert not left, f"{len(left)} connections do not come to their end"

    async def end(self, lives: list[Life], quiet: int = 300) -> None:
        """All of these are gone, and given back once; then nothing more happens."""
        for life in lives:
            if not life.gone:
                life.ways.dies = 0
        await self.run(lives, 20_000 + 100 * len(lives))
        reads, begun = self.reads, [life.begun for life in lives]
        if quiet:
            await self.bench.wait(quiet)
        assert self.reads == reads and begun == [life.begun for life in lives]
