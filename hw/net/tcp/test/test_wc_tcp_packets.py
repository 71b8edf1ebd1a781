# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_packets: packets of UDP and of TCP come out whole, in order and in turn; turns say what
room their answers have; commands of the host without room do not come out."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
import pytest
from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, full, run
from wirecache.testbench.cycle import Driven, every_cycle, value_of

KIND = structs.enum("wc_tcp_requests_pkg::class_e")
HOST_ROOM = structs.constant("wc_tcp_answers_pkg::HostRoom")
LATE = 2  # cycles that a turn may be behind its packet's first word, when others were waiting
SETTLE = 20_000  # cycles in which all must have come


class Packets:
    """Streams on all sides, and what is to come out."""

    def __init__(self, dut: Any, bench: Bench, **pace: float) -> None:
        """pace: how often each stream is willing, 1 if it is not named."""
        self.dut, self.bench = dut, bench
        self.ring = 1 << int(dut.RingBits.value)
        every_cycle(bench.clock, self._look)  # before the streams drive
        self.udp = bench.source("udp", "packet_t", pace.get("udp", 1.0))
        self.heads = bench.source("head", "wc_tcp_requests_pkg::head_t", pace.get("head", 1.0))
        self.words = bench.source(
            "word", "wc_tcp_requests_pkg::packet_word_t", pace.get("word", 1.0)
        )
        self.packet = bench.sink("packet", "packet_t", pace.get("packet", 1.0))
        self.turns = bench.sink("turn", "wc_pkg::tcp_turn_t", pace.get("turn", 1.0))
        self.back_pace = pace.get("back", 1.0)
        self.back_ready = Driven(dut.back_ready_i)
        # What is to come: words of packets, for each side; turns; connections that come again.
        self.want: tuple[deque[list[dict[str, int]]], ...] = (deque(), deque())
        self.want_turns: deque[dict[str, int]] = deque()
        self.want_back: deque[tuple[int, int]] = deque()  # and whether it was answered in part
        self.sides: list[int] = []  # of each packet that came out: 1 is TCP
        self.part: list[dict[str, int]] = []  # of the packet that comes out now
        self.taken = self.begun = self.turned = 0  # packets of TCP told, begun; turns taken
        self.missing = 0  # cycles without the turn of a packet that has begun
        self.back_before: tuple[int, int] | None = None
        self.back_count = 0
        self.offered: int | None = None  # when a packet was first offered since the bench has asked

    @classmethod
    async def start(cls, dut: Any, **pace: float) -> Packets:
        bench = await Bench.start(dut)
        packets = cls(dut, bench, **pace)
        await bench.reset()
        return packets

    def send_udp(self, count: int) -> None:
        conn = random.getrandbits(16)
        same = {"conn": conn, "tcp": 0, "binary": random.getrandbits(1)}
        items = [same | word for word in some_words(count)]
        self.udp.send(*items)
        self.want[0].append(items)

    def send_tcp(self, count: int, kind: int | None = None, room: int | None = None) -> None:
        if kind is None:
            kind = random.choice((KIND.OfReads, KIND.OfShorts, KIND.OfHost))
        if room is None:
            close = HOST_ROOM + random.randint(-2, 1)
            any_ = random.randint(0, random.choice((HOST_ROOM, self.ring)))
            room = random.choice((close, any_, self.ring - random.randint(0, 1)))
            room = min(room, self.ring)
        head = {
            "id": random.getrandbits(16),
            "binary": random.getrandbits(1),
            "kind": kind,
            "room": room,
            "skip": random.choice((0, random.getrandbits(20))),
        }
        self.heads.send(head)
        items = some_words(count)
        self.words.send(*items)
        if kind == KIND.OfHost and room < HOST_ROOM:
            self.want_back.append((head["id"], int(head["skip"] != 0)))
            return
        same = {"conn": head["id"], "tcp": 1, "binary": head["binary"]}
        self.want[1].append([same | word for word in items])
        self.want_turns.append(
            {
                "reads": int(kind == KIND.OfReads),
                "whole": int(room == self.ring),
                "room": room,
                "skip": head["skip"],
            }
        )

    def _look(self) -> None:
        """What the signals before this edge say."""
        dut = self.dut
        if value_of(dut.rst_i):
            return
        if self.offered is None and (value_of(dut.udp_valid_i) or value_of(dut.head_valid_i)):
            self.offered = self.bench.cycle()
        self.taken += value_of(dut.taken_o)
        if value_of(dut.packet_valid_o) and value_of(dut.packet_ready_i):
            self._word(structs.unpack("packet_t", value_of(dut.packet_o)))
        self._turn()
        self._back()

    def _turn(self) -> None:
        dut = self.dut
        if not value_of(dut.turn_valid_o):
            # Those before it have been taken. If they had to wait, it may be a little late.
            self.missing = self.missing + 1 if self.begun > self.turned else 0
            most = 0 if self.turns.pace.willing == 1.0 else LATE
            assert self.missing <= most, "a packet has begun, and its turn is not there"
            return
        self.missing = 0
        if value_of(dut.turn_ready_i):
            got = structs.unpack("wc_pkg::tcp_turn_t", value_of(dut.turn_o))
            assert got == self.want_turns.popleft()
            self.turned += 1

    def _word(self, word: dict[str, int]) -> None:
        if not self.part and word["tcp"]:
            self.begun += 1
            assert self.taken == self.begun, "told once, before its first word"
        self.part.append(word)
        if word["last"]:
            assert self.part == self.want[word["tcp"]].popleft()
            self.sides.append(word["tcp"])
            self.part = []

    def _back(self) -> None:
        valid, ready = value_of(self.dut.back_valid_o), self.back_ready.value
        number = value_of(self.dut.back_id_o), value_of(self.dut.back_again_o)
        if self.back_before is not None:
            assert valid and number == self.back_before, "what is offered stays"
        self.back_before = number if valid and not ready else None
        if valid and ready:
            assert number == self.want_back.popleft()
            self.back_count += 1
        self.back_ready.set(int(random.random() < self.back_pace))

    @property
    def left(self) -> int:
        packets = sum(len(side) for side in self.want)
        return packets + len(self.want_turns) + len(self.want_back)

    async def settle(self) -> None:
        for _ in range(SETTLE):
            if not self.left:
                break
            await self.bench.wait(1)
        assert not self.left, "not all has come"
        await self.bench.wait(20)
        assert self.taken == self.begun == self.turned
        assert self.udp.idle and self.heads.idle and self.words.idle and not self.part


def some_words(count: int) -> list[dict[str, int]]:
    """Of a packet: as many, the last of which may not be full."""
    items = [{"data": random.getrandbits(64), "bytes": 8, "last": 0} for _ in range(count)]
    items[-1] |= {"bytes": random.randint(1, 8), "last": 1}
    return items


def size() -> int:
    return random.choice((1, 1, 2, 3, random.randint(1, 40)))


STREAMS = ("udp", "head", "word", "packet", "turn", "back")


@cocotb.test()
@cocotb.parametrize(slow=(None, *STREAMS, "all"))
async def all_packets_come_whole_and_in_order(dut, slow):
    """Each stream pauses, alone and with all others."""
    pace = {name: 0.3 for name in STREAMS if slow in (name, "all")}
    packets = await Packets.start(dut, **pace)
    for _ in range(100):
        for _ in range(random.choice((0, 1, 1, 3))):
            packets.send_udp(size())
        for _ in range(random.choice((0, 1, 1, 3))):
            packets.send_tcp(size())
        if random.random() < 0.2:  # sometimes there is nothing
            await packets.udp.wait()
            await packets.words.wait()
            await packets.bench.wait(random.randint(0, 20))
    await packets.settle()
    assert packets.back_count > 3


@cocotb.test()
@cocotb.parametrize(slow=(None, "packet"))
async def both_sides_get_their_turn(dut, slow):
    """Both always have a packet: they alternate. One of TCP takes a cycle more than its words."""
    packets = await Packets.start(dut, **({slow: 0.5} if slow else {}))
    cycles = 0
    for _ in range(100):
        for send, more in ((packets.send_udp, 0), (packets.send_tcp, 1)):
            count = size()
            cycles += count + more
            send(count, *(() if not more else (KIND.OfReads,)))
    await packets.settle()
    assert packets.sides == [0, 1] * 100
    if not slow:
        came = packets.packet.cycles
        assert came[-1] - came[0] + 1 == cycles


@cocotb.test()
async def one_side_alone_has_every_turn(dut):
    packets = await Packets.start(dut)
    for send, more in ((packets.send_udp, 0), (packets.send_tcp, 1)):
        packets.packet.cycles.clear()
        counts = [size() for _ in range(60)]
        for count in counts:
            send(count, *(() if not more else (KIND.OfShorts,)))
        await packets.settle()
        came = packets.packet.cycles
        assert came[-1] - came[0] + 1 == sum(counts) + more * (len(counts) - 1)


@cocotb.test()
async def udp_passes_at_once_and_tcp_a_cycle_behind_its_head(dut):
    packets = await Packets.start(dut)
    for send, behind in ((packets.send_udp, 0), (packets.send_tcp, 1)):
        for _ in range(20):
            await packets.bench.wait(random.randint(1, 9))
            packets.offered = None
            send(1, *(() if not behind else (KIND.OfReads,)))
            await packets.settle()
            assert packets.offered is not None
            assert packets.packet.cycles[-1] == packets.offered + behind


@cocotb.test()
async def udp_goes_on_while_no_turn_is_taken(dut):
    packets = await Packets.start(dut)
    packets.turns.pace.willing = 0.0
    for _ in range(40):
        packets.send_tcp(size(), KIND.OfReads)
    await packets.bench.wait(1000)
    turns = int(dut.Turns.value)
    before = packets.sides.count(1)
    assert turns <= before <= turns + 4, "as many as have room for their turns"
    for _ in range(40):
        packets.send_udp(size())
    await packets.bench.wait(1000)
    assert packets.sides.count(0) == 40 and packets.sides.count(1) == before
    packets.turns.pace.willing = 0.5
    await packets.settle()


@cocotb.test()
async def a_command_without_room_waits_for_who_is_told(dut):
    """Nothing of it comes out; what is behind it waits, and comes."""
    packets = await Packets.start(dut)
    packets.back_pace = 0.0
    await packets.bench.wait(2)
    for room in (0, HOST_ROOM - 1):
        packets.send_tcp(size(), KIND.OfHost, room)
    packets.send_tcp(3, KIND.OfHost, HOST_ROOM)
    packets.send_tcp(3, KIND.OfReads, 0)
    packets.send_tcp(3, KIND.OfShorts, HOST_ROOM - 1)
    await packets.bench.wait(200)
    assert not packets.sides and packets.taken == 0 and packets.back_count == 0
    packets.back_pace = 1.0
    await packets.settle()
    assert packets.sides == [1] * 3 and packets.back_count == 2


@pytest.mark.parametrize(("ring_bits", "turns"), [(16, 4), full(13, 4), full(23, 256)])
def test_wc_tcp_packets(ring_bits, turns):
    parameters = {"RingBits": ring_bits, "Turns": turns}
    few = () if turns < 40 else TESTS_OF_MANY_TURNS
    run("wc_tcp_packets", __file__, parameters=parameters, tests=few)


TESTS_OF_MANY_TURNS = (  # all but the one that fills them
    "all_packets_come_whole_and_in_order.*",
    "both_sides_get_their_turn.*",
)
