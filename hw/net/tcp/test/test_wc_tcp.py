# SPDX-License-Identifier: Apache-2.0
"""wc_tcp: peers that connect and send requests, over a link that loses; the bench is the parser and
the response stage, and answers each packet with its own bytes. So what a peer reads is what it has
written, whatever packets its requests were in."""

from __future__ import annotations

import random
from collections import deque
from typing import Any, ClassVar

import cocotb
import pytest
from clients import Client
from frames import Frames
from lives import ACK_WAIT
from wirecache.circuit import structs
from wirecache.model.tcp.segment import Flag, Segment
from wirecache.testbench.bench import full, rounds, run, words
from wirecache.testbench.cycle import Driven, value_of

QUIT = b"quit\r\n"
REQUESTS, ANSWERS = "wc_tcp_requests_pkg", "wc_tcp_answers_pkg"


def key() -> bytes:
    return bytes(random.choice(b"abcdefgh") for _ in range(random.choice((1, 3, 16, 40))))


def request() -> bytes:
    """One of memcached's, whole."""
    kind = random.choice(("get", "get", "gets", "set", "set", "delete", "incr", "mg", "stats"))
    if kind == "set":
        value = random.randbytes(random.choice((0, 1, 8, 32, 300, 900)))
        return b"set %b 0 0 %d\r\n%b\r\n" % (key(), len(value), value)
    if kind == "incr":
        return b"incr %b 1\r\n" % key()
    if kind == "mg":
        return b"mg %b v\r\n" % key()
    return kind.encode() + (b"" if kind == "stats" else b" " + key()) + b"\r\n"


class Asker(Client):
    """Sends requests, at once or some at a time, and closes when it has all answers."""

    def __init__(self, number: int, ring: int, our_scale: int, size: int, now: int) -> None:
        super().__init__(number, ring, our_scale, size, now)
        text = b""
        while len(text) < size:
            text += request()
        self.said = self.reply = text
        self.size = self.answers = len(text)


class Served(Frames):
    kind = Asker
    given: ClassVar = {
        "head_ready_i": 0,
        "packet_ready_i": 0,
        "message_valid_i": 0,
        "answer_valid_i": 0,
        "most_bytes_i": 1 << 20,
    }

    def __init__(self, dut: Any, *args: Any) -> None:
        super().__init__(dut, *args)
        self.head: dict[str, Any] | None = None
        self.bytes = b""
        self.packets: deque[tuple[int, dict[str, Any], bytes]] = deque()  # when answered, what
        self.messages: deque[int] = deque()
        self.answer_words: deque[int] = deque()
        self.again = self.given_packets = 0
        self.head_ready, self.packet_ready = Driven(dut.head_ready_i), Driven(dut.packet_ready_i)
        self.message_valid = Driven(dut.message_valid_i)
        self.answer_valid = Driven(dut.answer_valid_i)

    def over(self, life: Client) -> bool:
        return life.got == life.answers

    # ---- parser and response ---------------------------------------------------------------------
    def take_packets(self) -> None:
        dut = self.dut
        if self.head_ready.value and value_of(dut.head_valid_o):
            assert self.head is None
            self.head = structs.unpack(f"{REQUESTS}::head_t", value_of(dut.head_o))
            self.bytes = b""
        if self.packet_ready.value and value_of(dut.packet_valid_o):
            assert self.head is not None
            word = structs.unpack(f"{REQUESTS}::packet_word_t", value_of(dut.packet_o))
            self.bytes += word["data"].to_bytes(8, "little")[: word["bytes"]]
            if word["last"]:
                due = self.cycle + random.choice((0, 30, 200))
                self.packets.append((due, self.head, self.bytes))
                self.head = None
        self.head_ready.set(int(self.head is None))
        self.packet_ready.set(int(self.head is not None and random.random() < 0.9))

    def answer(self) -> None:
        """With the packet's bytes, or not at all if they have no room."""
        _, head, data = self.packets.popleft()
        assert data, "an empty packet"
        data = data.removesuffix(QUIT)  # has no answer
        self.given_packets += 1
        fits = len(data) <= head["room"]
        self.again += not fits
        message = {
            "id": head["id"],
            "bytes": len(data) if fits else 0,
            "last": 1,
            "operations": int(fits),
            "needs": 0 if fits else len(data),
        }
        self.messages.append(structs.pack(f"{ANSWERS}::message_t", **message))
        if fits:
            self.answer_words.extend(words(data))

    def give_answers(self) -> None:
        dut = self.dut
        if self.message_valid.value and value_of(dut.message_ready_o):
            self.messages.popleft()
        if self.answer_valid.value and value_of(dut.answer_ready_o):
            self.answer_words.popleft()
        self.message_valid.set(int(bool(self.messages)))
        if self.messages:
            dut.message_i.value = self.messages[0]
        self.answer_valid.set(int(bool(self.answer_words)))
        if self.answer_words:
            dut.answer_i.value = self.answer_words[0]

    async def step(self) -> None:
        dut = self.dut
        await self.bench.wait(1)
        self.cycle += 1
        self.overflow.append(value_of(dut.overflow_o))
        if value_of(dut.engine_counts_valid_o):
            self.count("wc_tcp_engine_pkg::counts_t", value_of(dut.engine_counts_o))
        self.count("wc_tcp_demux_pkg::counts_t", value_of(dut.demux_counts_o))
        self.lost += value_of(dut.lost_o)
        self.take_packets()
        if self.packets and self.packets[0][0] <= self.cycle:
            self.answer()
        self.give_answers()
        self.take_frames()
        self.arrive()
        if self.cycle % self.millisecond_cycles == 0:
            self.millisecond()
        if self.segments and self.cycle >= self.free:
            self.frame(*self.segments.popleft())
        self.drive_plan()

    @property
    def done(self) -> bool:
        """All have their answers, and our end of the connection."""
        return all(
            life.got == life.answers and life.peer.state.name in ("TIME_WAIT", "CLOSED")
            for life in self.lives
            if life.connected and not life.refused
        ) and all(life.connected or life.refused for life in self.lives)

    async def serve(self, most: int) -> None:
        while not self.done:
            await self.step()
            assert self.cycle < most, [
                (life.asks, life.got, life.answers, life.peer.state)
                for life in self.lives
                if life.connected and life.got < life.answers
            ]


@cocotb.test(timeout_time=400, timeout_unit="ms")
async def a_whole_link(dut):
    world = await Served.start(dut, 20, 4_000)
    world.greet()
    await world.serve(1_000_000)
    assert world.counted["opened"] == 20 and not world.lost


@cocotb.test(timeout_time=800, timeout_unit="ms")
async def a_link_that_loses(dut):
    world = await Served.start(dut, 12, 3_000, 0.04, read=(20, 200), write=(10, 200), willing=0.5)
    world.bad, world.stands = 0.03, 0.3
    world.greet()
    await world.serve(2_000_000)
    assert world.counted["opened"] == 12 and world.counted["retransmitted"] and not world.lost


@cocotb.test(timeout_time=800, timeout_unit="ms")
async def one_behind_the_other(dut):
    """More than there are numbers for: each number is another's again and again."""
    world = await Served.start(dut, 60, 300, read=(20, 300), write=(10, 300))
    dut.most_i.value = 16
    for n, life in enumerate(world.lives):
        life.syn_due = world.now + 1 + 30 * (n // 4)
    await world.serve(1_000_000)
    assert world.counted["opened"] > 45, world.counted


class Silent(Asker):
    """Asks, and stays. It closes when the board does."""

    def __init__(self, number: int, ring: int, our_scale: int, size: int, now: int) -> None:
        super().__init__(number, ring, our_scale, size, now)
        self.answers += 1  # a byte that never comes

    def ask(self, text: bytes | None = None) -> None:
        self.said = self.reply = self.said + (text or request())
        self.size, self.answers = len(self.said), len(self.said) + 1

    @property
    def answered(self) -> bool:
        return self.got == self.size

    def drive(self, now: int) -> list[Segment]:
        if self.peer.ended:
            self.peer.close()
        return super().drive(now)


class Staying(Served):
    kind = Silent
    idle = 0

    def over(self, life: Client) -> bool:
        return life.peer.ended

    async def step(self) -> None:
        await super().step()
        self.idle += value_of(self.dut.idle_o)

    @property
    def who(self) -> list[Silent]:
        return [life for life in self.lives if isinstance(life, Silent)]

    async def until_answered(self, who: list[Silent] | None = None) -> None:
        end = self.cycle + 200_000
        while not all(life.answered for life in who or self.who):
            await self.step()
            assert self.cycle < end

    async def go_on(self, milliseconds: int) -> None:
        """Time is set ahead, and what follows from it comes."""
        self.now += milliseconds
        for _ in range(4_000):
            await self.step()


@cocotb.test(timeout_time=800, timeout_unit="ms")
async def who_is_silent_for_long_is_ended(dut):
    """After two units of 1,024 ms, but one that has begun before: connections that ask within one
    stay, the others end."""
    limit, unit = 2, 1024
    world = await Staying.start(dut, 10, 100)
    dut.idle_limit_i.value = limit
    world.greet()
    await world.until_answered()
    busy, silent = world.who[:4], world.who[4:]
    since = world.now
    for _ in range(8):
        await world.go_on(unit - 300)
        ended = [life.peer.ended for life in silent]
        assert not any(ended) or world.now - since >= (limit - 1) * unit - 300, ended
        assert all(ended) or world.now - since <= limit * unit + 100, ended
        assert not any(life.peer.ended for life in busy)
        for life in busy:
            life.ask()
        await world.until_answered()
    assert world.idle == len(silent)
    assert all(life.peer.state.name == "CLOSED" for life in silent)


class Vanishing(Staying):
    """Of some peers nothing comes any more, and nothing reaches them."""

    def __init__(self, dut: Any, *args: Any) -> None:
        super().__init__(dut, *args)
        self.vanished: set[Client] = set()
        self.deaf: set[Client] = set()  # nothing reaches these, and they have not vanished yet
        self.given_up: set[Client] = set()

    def to_circuit(self, life: Client, segment: Segment) -> None:
        if life not in self.vanished:
            super().to_circuit(life, segment)

    def to_peer(self, life: Client, segment: Segment) -> None:
        if life not in self.vanished | self.deaf:
            super().to_peer(life, segment)
        elif segment.flags & Flag.RST:
            self.given_up.add(life)

    def met(self, name: str) -> int:
        return self.counted.get(name, 0)


@cocotb.test(timeout_time=800, timeout_unit="ms")
async def a_peer_that_has_vanished_is_given_up(dut):
    """In its time, but while an answer is on its way to it: that has a timer of its own. One that
    has nothing to say is asked, and stays. The numbers of those that are gone are used again."""
    keepalive, unit = {"idle": 3, "interval": 1, "probes": 2}, 1024
    world = await Vanishing.start(dut, 12, 100)
    dut.keepalive_i.value = structs.pack("wc_tcp_pkg::keepalive_t", **keepalive)
    late = world.who[9:]
    world.greet()
    for life in late:
        life.syn_due = 1 << 60
    await world.until_answered(world.who[:9])
    gone, asking, silent = world.who[:3], world.who[3:5], world.who[5:9]
    since = world.now
    world.deaf |= {*asking}
    for life in asking:
        life.ask()
    await world.go_on(0)  # the requests are there, and answered
    assert not world.met("keepalive")
    world.vanished |= {*gone, *asking}
    for _ in range(12):
        await world.go_on(unit - 300)
        ended = [life in world.given_up for life in gone]
        assert not any(ended) or world.now - since >= 4 * unit - 100, ended
        assert all(ended) or world.now - since <= 6 * unit, ended
    assert world.given_up == {*gone} and world.met("silent") == len(gone)
    assert world.met("keepalive") >= 2 * len(gone) + 2 * len(silent)
    assert not any(life.peer.ended for life in silent)
    for life in late:  # as many as there are numbers
        life.syn_due = world.now
    for life in silent:
        life.ask()
    await world.until_answered([*silent, *late])


class Leaving(Silent):
    """Goes when it is told to, and not before."""

    leaves = quits = False

    def leave(self) -> None:
        """It closes, or has the board close, which then keeps its connection for a minute."""
        self.leaves, self.quits = True, random.random() < 0.7
        if self.quits:
            self.ask(QUIT)
            self.reply = self.said[: -len(QUIT)]

    def drive(self, now: int) -> list[Segment]:
        if self.leaves and not self.quits:
            self.peer.close()
        return super().drive(now)


class Crowd(Vanishing):
    kind = Leaving

    def over(self, life: Client) -> bool:
        return isinstance(life, Leaving) and life.leaves


@cocotb.test(timeout_time=800, timeout_unit="ms")
async def peers_come_and_go_while_they_are_asked(dut):
    """More than there are numbers, in turn; a unit of keepalives goes by each 600 to 1,200 cycles.
    None is given up. Some end by time, just as others are asked: no number is another's before its
    last event is done."""
    keepalive, unit, many = {"idle": 1, "interval": 1, "probes": 3}, 1024, 180
    world = await Crowd.start(dut, many, 40)
    dut.keepalive_i.value = structs.pack("wc_tcp_pkg::keepalive_t", **keepalive)
    for life in world.who:
        life.syn_due = 1 << 60
    waiting = [life for life in world.who if isinstance(life, Leaving)]
    here, left = list[Leaving](), 0
    turn = 0
    for _ in rounds(60_000, lambda: not here and not waiting):
        await world.step()
        if world.cycle >= turn:
            turn = world.cycle + random.randrange(600, 1200)
            world.now += unit
        if waiting and len(here) < 50 and random.random() < 0.05:
            here.append(waiting.pop())
            here[-1].syn_due = world.now
        if here and random.random() < 0.004:
            life = random.choice(here)
            if life.connected and life.answered:
                life.leave()
        for life in [life for life in here if life.peer.state.name in ("TIME_WAIT", "CLOSED")]:
            here.remove(life)
            left += 1
    assert left == many and world.met("keepalive") > 100, (left, world.counted)
    assert not world.met("silent"), world.counted


UNIT = 1024  # milliseconds, of keepalives


class Speaking(Vanishing):
    """One peer after the other, whose words come just as it is given up."""

    one: Silent | None = None
    rst: Segment | None = None  # the first that it was sent
    last = 0  # cycle in which its last segment reached the circuit

    def to_circuit(self, life: Client, segment: Segment) -> None:
        if life is self.one:
            self.last = self.cycle
        super().to_circuit(life, segment)

    def over(self, life: Client) -> bool:
        return life is not self.one

    def to_peer(self, life: Client, segment: Segment) -> None:
        if not segment.flags & Flag.RST:
            super().to_peer(life, segment)
        elif life is self.one:
            self.rst = self.rst or segment
            self.vanished.add(life)

    async def steps(self, count: int) -> None:
        for _ in range(count):
            await self.step()

    async def units(self, count: int) -> None:
        """So many units of keepalives begin, the first of them in this cycle."""
        for _ in range(count):
            self.now += UNIT - self.now % UNIT + random.randrange(900)
            self.dut.now_i.value = self.now & 0xFFFFFFFF
            await self.steps(1_200)

    async def next_peer(self) -> Silent:
        if self.one is not None:
            self.one.peer.close()  # one at a time
            await self.steps(1_500)
        life = self.one = next(life for life in self.who if not life.connected)
        self.rst, life.syn_due = None, self.now
        await self.until_answered([life])
        await self.steps(1_000)
        self.deaf.add(life)
        return life

    async def speaks(self, delay: int) -> None:
        """Its next segment reaches the circuit so many cycles before a unit begins."""
        since, end = self.cycle, self.cycle + 3_000
        while self.last <= since:
            await self.step()
            assert self.cycle < end
        await self.steps(delay)
        await self.units(1)


@cocotb.test(timeout_time=800, timeout_unit="ms")
async def a_request_that_comes_as_its_peer_is_given_up(dut):
    """Is answered, or was not taken: what is acknowledged is not thrown away."""
    keepalive, just_then = {"idle": 1, "interval": 1, "probes": 1}, range(0, 24, 2)
    world = await Speaking.start(dut, len(just_then), 60)
    dut.keepalive_i.value = structs.pack("wc_tcp_pkg::keepalive_t", **keepalive)
    for life in world.who:
        life.syn_due = 1 << 60
    kept = ended = 0
    for delay in just_then:
        life = await world.next_peer()
        asked = world.met("keepalive")
        for _ in range(3):
            if world.met("keepalive") == asked and world.rst is None:
                await world.units(1)
        if world.rst is not None:  # it was asked just as it fell silent
            continue
        assert world.met("keepalive") > asked
        world.deaf.discard(life)
        before = life.peer.sender.max
        life.ask(b"get a\r\n")
        await world.speaks(delay)
        if world.rst is None:
            kept += 1
            await world.until_answered([life])
        else:
            ended += 1
            assert world.rst.ack == before, delay
    assert kept and ended, (kept, ended)


@pytest.mark.parametrize("ring,scale,beat", [(13, 0, 16), full(16, 0, 64)])
def test_wc_tcp(ring, scale, beat):
    run(
        "wc_tcp",
        __file__,
        {
            "Connections": 64,
            "RingBits": ring,
            "OurScale": scale,
            "AckWait": ACK_WAIT,
            "BeatBytes": beat,
        },
    )
