# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_demux with events and engine. Whole connections from the SYN on, over a link that loses;
what there is no connection for, beside the model's endpoint; a full table, and what gives way; one
who floods."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import Any

import cocotb
import pytest
import seeds
from clients import Client, Connecting, of_peer, record, wire
from engine_bench import KIND, PKG
from lives import ACK_WAIT, MILLISECOND
from wirecache.circuit import structs
from wirecache.model.tcp import cookie
from wirecache.model.tcp.endpoint import TOO_MANY, Endpoint
from wirecache.model.tcp.segment import Flag, Peer, Segment
from wirecache.model.tcp.sequence import add
from wirecache.testbench.bench import Bench, full, run

OUT = "wc_tcp_pkg::out_t"
FATE, COUNTS = "wc_tcp_demux_pkg::fate_t", "wc_tcp_demux_pkg::counts_t"
EVERY = 10  # cycles between segments; a frame takes 10.5
CROWD = 4  # so many segments wait when it is crowded,
BURST = 64  # or so many, if what is lost is sent again
DEPTH = 16  # of the queue
GIVEN = {
    "segment_valid_i": 0,
    "crowded_i": 0,
    "owner_valid_i": 0,
    "back_valid_i": 0,
    "out_ready_i": 1,
    "fate_ready_i": 1,
}


def answer_of(bits: int) -> tuple[Peer, Segment]:
    out = structs.unpack(OUT, bits)
    address = ".".join(map(str, out["station"]["ip"].to_bytes(4, "little")))
    peer = Peer(address, int.from_bytes(out["port"].to_bytes(2, "little"), "big"))
    assert of_peer(peer)["station"]["mac"] == out["station"]["mac"]
    assert out["bytes"] in (0, len(TOO_MANY)) and not out["sacks"]
    segment = Segment(
        out["seq"],
        Flag(sum(int(f) for f in Flag if f.name and out["flags"][f.name.lower()])),
        out["ack"],
        out["window"],
        TOO_MANY if out["bytes"] else b"",
        mss=out["mss"] if out["mss_given"] else None,
        scale=out["scale"] if out["scale_given"] else None,
        sack_permitted=bool(out["sack_permitted"]),
        times=(out["time_value"], out["time_echo"]) if out["times_given"] else None,
    )
    return peer, segment


class Net(Connecting):
    def __init__(self, dut: Any, bench: Bench, many: int, size: int, loss: float) -> None:
        super().__init__(dut, bench, many, size, loss)
        self.numbers: dict[int, Client] = {}  # of connections that are open
        self.returning: list[tuple[int, int]] = []
        self.records: deque[tuple[Client, Segment]] = deque()  # that were given, without their fate
        self.counted: dict[str, int] = {}

    def of(self, number: int) -> Client:
        return self.numbers[number]

    def resulted(self) -> None:
        result = structs.unpack(f"{PKG}::result_t", int(self.dut.result_o.value))
        if result["id"] in self.numbers:
            super().resulted()
        else:  # of an event that was too late
            assert not (result["sends"] or result["closed"] or result["more"])

    def offer(self, life: Client, segment: Segment) -> None:
        self.dut.segment_i.value = record(life.peer_at, segment)
        self.wire_free = self.cycle + max(EVERY, 10 + len(segment.data) // 8)

    def took(self, life: Client, segment: Segment) -> None:
        self.records.append((life, segment))

    wire_free = 0  # the cycle in which another segment can have come

    def wire_has_it(self) -> bool:
        return self.cycle >= self.wire_free

    def given(self) -> None:
        """The engine has an event."""
        event = structs.unpack(f"{PKG}::event_t", int(self.dut.given_o.value))
        if event["kind"] != KIND.EventSegment:
            return
        port = event["segment"]["port"]
        life = next(one for one in self.lives if of_peer(one.peer_at)["port"] == port)
        if event["opens"]:
            assert event["id"] not in self.numbers, "a number that is not free"
            assert not life.opened, "opened twice"
            life.opened = True
            life.number = event["id"]
            self.numbers[life.number] = life
            assert event["segment"]["seq"] == life.theirs
            assert event["options"] == {
                "size": life.options.mss,
                "times": life.options.times,
                "sack": life.options.sack,
                "scale": life.options.scale,
            }
        assert life.number == event["id"] and self.numbers[event["id"]] is life, "another's"

    def fate(self) -> None:
        fate = structs.unpack(FATE, int(self.dut.fate_o.value))
        while True:
            life, segment = self.records.popleft()
            if fate["bytes"]:
                if segment.data:
                    break
                continue
            # It is given, and has no bytes: those before it without bytes may have been dropped.
            event = structs.unpack(f"{PKG}::event_t", int(self.dut.given_o.value))
            port = of_peer(life.peer_at)["port"]
            if not segment.data and (segment.seq, port) == (
                event["segment"]["seq"],
                event["segment"]["port"],
            ):
                break
        if fate["given"]:
            self.payloads.append((life, segment))

    async def step(self) -> None:
        dut = self.dut
        if int(dut.given_valid_o.value):
            self.given()
        if int(dut.fate_valid_o.value):
            self.fate()
        if int(dut.out_valid_o.value) and int(dut.out_ready_i.value):
            self.answered(*answer_of(int(dut.out_o.value)))
        if int(dut.gone_valid_o.value):
            number = int(dut.gone_id_o.value)
            assert self.numbers[number].closed
            # Whoever moves its bytes has the last word of the engine first: 20 cycles, and a step.
            self.returning.append((self.cycle + random.randrange(24, 224), number))
        dut.crowded_i.value = len(self.segments) > BURST
        dut.back_valid_i.value = 0
        if self.returning and self.returning[0][0] <= self.cycle:
            number = self.returning.pop(0)[1]
            del self.numbers[number]
            dut.back_valid_i.value = 1
            dut.back_id_i.value = number
        for name, value in structs.unpack(COUNTS, int(dut.counts_o.value)).items():
            self.counted[name] = self.counted.get(name, 0) + value
        await super().step()

    def answered(self, peer: Peer, segment: Segment) -> None:
        life = self.by_peer[peer]
        if segment.flags & Flag.SYN:
            assert segment.ack == life.theirs
            options = cookie.asked(life.syn(self.now))
            turns = {cookie.turn_of(self.now), cookie.turn_of(self.now - 1)}
            numbers = {
                cookie.number(self.secret, peer, add(life.theirs, -1), options, t) for t in turns
            }
            assert segment.seq in numbers
        self.carry(life, segment, False)


async def start(dut: Any, many: int, size: int, loss: float) -> Net:
    bench = await Bench.start(dut, GIVEN | {"now_i": 0})
    world = Net(dut, bench, many, size, loss)
    await world.reset()
    return world


@cocotb.test(timeout_time=400, timeout_unit="ms")
async def a_whole_link(dut):
    world = await start(dut, 20, 8_000, 0.0)
    world.millisecond_cycles = MILLISECOND  # events wait for some 40 cycles at each
    await world.run(1_000_000)
    assert world.counted["opened"] == 20 and world.counted["cookie"] == 20
    assert not world.counted["refused"] and not world.counted["unanswered"], world.counted
    # ACKs of one connection may come faster than it has turns: of these some are too many.
    assert world.counted["flooded"] < world.sent // 20, world.counted


@cocotb.test(timeout_time=800, timeout_unit="ms")
async def a_link_that_loses(dut):
    world = await start(dut, 12, 8_000, 0.08)
    await world.run(1_500_000)
    assert world.counts["retransmitted"] and world.counts["out_of_order"]
    assert world.counted["opened"] == 12


@cocotb.test(timeout_time=800, timeout_unit="ms")
async def one_behind_the_other(dut):
    """More connections than there are numbers; all come back, and few segments are lost with it."""
    many = 150
    world = await start(dut, many, 300, 0.0)
    dut.most_i.value = 20
    for n, life in enumerate(world.lives):
        life.syn_due = world.now + 1 + 4 * (n // 6)
    while not all(life.closed or (life.refused and not life.opened) for life in world.lives):
        await world.step()
        assert world.cycle < 400_000, world.left()
    for _ in range(500):
        await world.step()
    assert not world.numbers and not world.returning
    assert world.counted["opened"] + world.counted["refused"] >= many
    assert world.counted["opened"] > 60, world.counted  # each number more than once


# ---- without a connection ------------------------------------------------------------------------
class Ends:
    """Segments in, and answers out; nothing else."""

    def __init__(self, dut: Any, bench: Bench) -> None:
        self.dut, self.bench = dut, bench
        self.secret = random.randbytes(16)
        dut.secret_i.value = wire(self.secret)
        dut.seed_i.value = seeds.draw()
        dut.most_i.value = int(dut.Connections.value)
        self.now = random.getrandbits(32)
        dut.now_i.value = self.now
        self.model = Endpoint(
            self.secret, ring=1 << int(dut.RingBits.value), our_scale=int(dut.OurScale.value)
        )
        self.segments: deque[tuple[int, int, bool]] = deque()  # when, what, has it bytes
        self.answers: list[tuple[Peer, Segment]] = []
        self.events: list[dict[str, Any]] = []
        self.fates: list[dict[str, int]] = []
        self.results: list[dict[str, Any]] = []
        self.counted: dict[str, int] = {}
        self.cycle = 0
        self.late = 0  # the most cycles that a segment has waited to be taken
        self.taken: list[int] = []
        self.back: deque[int] = deque()
        self.offered = False

    @classmethod
    async def start(cls, dut: Any) -> Ends:
        bench = await Bench.start(dut, GIVEN | {"now_i": 0})
        ends = cls(dut, bench)
        await bench.reset()
        while not int(dut.ready_o.value):
            await bench.wait(1)
        await bench.wait(100)  # buckets are made empty
        return ends

    def send(self, peer: Peer, segment: Segment, at: int | None = None) -> None:
        at = self.cycle if at is None else at
        self.segments.append((at, record(peer, segment), bool(segment.data)))

    async def run(self, cycles: int) -> None:
        dut = self.dut
        for _ in range(cycles):
            if self.segments and not self.offered and self.segments[0][0] <= self.cycle:
                dut.segment_i.value = self.segments[0][1]
                dut.segment_valid_i.value = 1
                self.offered = True
                self.since = self.cycle
            crowded = len(self.segments) > CROWD and self.segments[CROWD][0] <= self.cycle
            dut.crowded_i.value = crowded
            dut.back_valid_i.value = bool(self.back)
            if self.back:
                dut.back_id_i.value = self.back.popleft()
            await self.bench.wait(1)
            self.cycle += 1
            if self.offered and int(dut.segment_ready_o.value):
                self.late = max(self.late, self.cycle - self.segments[0][0])
                self.taken.append(self.cycle)
                self.segments.popleft()
                self.offered = False
            if int(dut.out_valid_o.value) and int(dut.out_ready_i.value):
                self.answers.append(answer_of(int(dut.out_o.value)))
            if int(dut.given_valid_o.value):
                self.events.append(structs.unpack(f"{PKG}::event_t", int(dut.given_o.value)))
            if int(dut.fate_valid_o.value):
                self.fates.append(structs.unpack(FATE, int(dut.fate_o.value)))
            if int(dut.result_valid_o.value):
                self.results.append(structs.unpack(f"{PKG}::result_t", int(dut.result_o.value)))
            if int(dut.gone_valid_o.value):
                self.back.append(int(dut.gone_id_o.value))
            for name, value in structs.unpack(COUNTS, int(dut.counts_o.value)).items():
                self.counted[name] = self.counted.get(name, 0) + value
            if not self.offered:
                dut.segment_valid_i.value = 0

    async def connect(self, peer: Peer, **more: Any) -> Segment:
        """A new connection: its first ACK."""
        syn = Segment(random.getrandbits(32), Flag.SYN, 0, 9000, mss=1460, times=(5, 0), **more)
        self.send(peer, syn)
        await self.run(100)
        (who, answer) = self.answers.pop()
        assert who == peer and answer.flags == Flag.SYN | Flag.ACK
        assert answer.times is not None
        ack = Segment(answer.ack, Flag.ACK, add(answer.seq, 1), 9000, times=(6, answer.times[0]))
        self.send(peer, ack)
        return ack

    async def said(self, kind: int, number: int, count: int = 0) -> None:
        """The owner says so."""
        event = {"kind": kind, "id": number, "bytes": count}
        self.dut.owner_i.value = structs.pack(f"{PKG}::event_t", **event)
        self.dut.owner_valid_i.value = 1
        while not int(self.dut.owner_ready_o.value):
            await self.run(1)
        await self.run(1)
        self.dut.owner_valid_i.value = 0


def stranger() -> Peer:
    address = ".".join(str(random.randrange(256)) for _ in range(4))
    return Peer(address, random.randrange(1, 1 << 16))


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def strangers(dut):
    """At line rate: all that there is no connection for is answered as the model does it."""
    ends = await Ends.start(dut)
    want = []
    datas = 0
    kinds = [Flag.SYN, Flag.SYN, Flag.ACK, Flag.ACK | Flag.PSH, Flag(0), Flag.FIN, Flag.RST]
    kinds += [Flag.SYN | Flag.ACK, Flag.SYN | Flag.FIN, Flag.RST | Flag.ACK]
    for n in range(2000):
        peer = stranger()
        segment = Segment(
            random.getrandbits(32),
            random.choice(kinds),
            random.getrandbits(32),
            random.getrandbits(16),
            bytes(random.choice((0, 0, 1, 1448))),
            times=random.choice((None, (random.getrandbits(32), random.getrandbits(32)))),
        )
        if segment.flags == Flag.SYN:
            segment = replace(
                segment,
                mss=random.choice((None, 536, 1460)),
                scale=random.choice((None, 0, 7, 15)),
                sack_permitted=bool(random.getrandbits(1)),
            )
        datas += bool(segment.data)
        ends.send(peer, segment, n * EVERY)
        want += [(peer, answer) for answer in ends.model.receive(peer, segment, ends.now)]
    await ends.run(2000 * EVERY + 200)
    assert not ends.segments
    for got, wanted in zip(ends.answers, want, strict=True):
        assert got == wanted
    assert not ends.events and len(ends.fates) == datas
    assert not any(fate["given"] for fate in ends.fates)
    totals = ends.model.totals
    assert ends.counted["cookie"] == totals.cookies and ends.counted["reset"] == totals.resets
    assert ends.counted["bad_cookie"] == totals.bad_cookies
    assert not ends.counted["unanswered"]
    assert ends.late <= 24, ends.late


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def answers_have_no_room(dut):
    """While the wire takes none, nothing else waits: they are dropped, and counted."""
    ends = await Ends.start(dut)
    dut.out_ready_i.value = 0
    for n in range(100):
        ends.send(stranger(), Segment(5, Flag.SYN, mss=1460), n * EVERY)
    await ends.run(1200)
    assert not ends.segments and ends.counted["unanswered"] == 100 - 16
    dut.out_ready_i.value = 1
    await ends.run(50)
    assert len(ends.answers) == 16


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def fates_have_no_room(dut):
    """While nobody takes fates, segments wait, and those that come wait before them."""
    ends = await Ends.start(dut)
    want = []
    for _ in range(60):
        peer, flags = stranger(), random.choice((Flag.SYN, Flag.ACK, Flag.FIN))
        segment = Segment(5, flags, 9 if flags == Flag.ACK else 0, 9, b"x")
        want += [(peer, answer) for answer in ends.model.receive(peer, segment, ends.now)]
        ends.send(peer, segment)
    for _ in range(12):
        dut.fate_ready_i.value = 0
        await ends.run(random.choice((3, 50, 400)))
        dut.fate_ready_i.value = 1
        await ends.run(random.randint(1, 80))
    await ends.run(800)
    assert not ends.segments and len(ends.fates) == 60
    assert not any(fate["given"] for fate in ends.fates)
    assert ends.answers == want


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def a_first_one_too_late(dut):
    """Behind the ACK at once, or before it: one connection opens, and all are its segments."""
    ends = await Ends.start(dut)
    for n in range(20):
        peer = Peer("10.0.0.1", 2000 + n)
        ack = await ends.connect(peer)
        (_, _, _) = ends.segments.pop()
        order = [0, 1, 2, 3]
        if n % 2:
            random.shuffle(order)
        ends.events.clear()
        ends.fates.clear()
        for k in order:
            data = b"" if k == 0 else bytes(100)
            seq = add(ack.seq, 100 * max(0, k - 1))
            ends.send(peer, replace(ack, seq=seq, data=data))
        await ends.run(400)
        opens = [event["opens"] for event in ends.events]
        first = next(at for at, k in enumerate(order) if k < 2)
        assert opens == [1] + [0] * (3 - first), (order, opens)
        assert [fate["given"] for fate in ends.fates] == [
            int(at >= first) for at, k in enumerate(order) if k or at >= first
        ], order
        assert len({event["id"] for event in ends.events}) == 1
    assert ends.counted["early"] and ends.counted["opened"] == 20


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def one_too_many(dut):
    ends = await Ends.start(dut)
    dut.most_i.value = 3
    peers = [Peer("10.0.0.1", 2000 + n) for n in range(4)]
    for peer in peers[:3]:
        await ends.connect(peer)
        await ends.run(200)
    ack = await ends.connect(peers[3])
    await ends.run(200)
    ((peer, answer),) = ends.answers
    assert peer == peers[3]
    goodbye = Flag.ACK | Flag.PSH | Flag.FIN
    times = (ends.now & 0xFFFFFFFF, 6)
    assert answer == Segment(ack.ack, goodbye, ack.seq, 0, TOO_MANY, times=times)
    assert ends.counted["refused"] == 1 and ends.counted["opened"] == 3


async def lingers(ends: Ends, peer: Peer) -> tuple[int, Segment]:
    """A connection that waits for nothing but its end: its number, and the peer's last segment."""
    ack = await ends.connect(peer)
    await ends.run(200)
    number = next(event["id"] for event in reversed(ends.events) if event["opens"])
    await ends.said(KIND.EventClose, number)
    await ends.run(200)
    fin = Segment(ack.seq, Flag.ACK | Flag.FIN, add(ack.ack, 1), 9000, times=ack.times)
    ends.send(peer, fin)
    await ends.run(200)
    assert [result["lingers"] for result in ends.results if result["id"] == number][-1]
    return number, fin


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def what_lingers_gives_way(dut):
    """The oldest first, before anybody needs the room; the peer is told nothing."""
    ends = await Ends.start(dut)
    most = 12
    dut.most_i.value = most
    numbers = []
    for n in range(30):
        number, _ = await lingers(ends, Peer("10.0.0.1", 2000 + n))
        numbers.append(number)
        await ends.run(300)
    closed = [result["id"] for result in ends.results if result["closed"]]
    # Few are free when there are more than four; the oldest is closed then.
    assert closed == numbers[: len(closed)] and len(closed) == 30 - (most - 8), closed
    assert not any(r["sends"] for r in ends.results if r["closed"])
    assert not ends.answers and not ends.counted["refused"]


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def begins_anew(dut):
    """A newer SYN ends what lingers, and is answered; an older one is not."""
    ends = await Ends.start(dut)
    for n in range(10):
        peer = Peer("10.0.0.1", 2000 + n)
        number, fin = await lingers(ends, peer)
        newer = n % 2 == 0
        assert fin.times is not None
        syn = Segment(
            random.getrandbits(32),
            Flag.SYN,
            mss=1460,
            times=(add(fin.times[0], 1 if newer else -1), 0),
        )
        closed = ends.counted["opened"]
        ends.results.clear()
        ends.send(peer, syn)
        await ends.run(250)
        assert any(r["closed"] and r["id"] == number for r in ends.results) == newer
        if not newer:
            assert not ends.answers and ends.results[0]["sends"]  # a challenge
            continue
        ((who, answer),) = ends.answers
        ends.answers.clear()
        assert who == peer and answer.ack == add(syn.seq, 1) and answer.times is not None
        ack = Segment(answer.ack, Flag.ACK, add(answer.seq, 1), 9000, times=(9, answer.times[0]))
        ends.send(peer, ack)
        await ends.run(250)
        assert ends.counted["opened"] == closed + 1


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def begins_anew_in_a_crowd(dut):
    """Likewise, while another's segments come as fast as they can: each event is of its own peer's
    connection."""
    ends = await Ends.start(dut)
    crowd = Peer("10.0.0.2", 3000)
    ack = await ends.connect(crowd)
    await ends.run(200)
    numbers = {of_peer(crowd)["port"]: ends.events[-1]["id"]}
    for n in range(24):
        peer = Peer("10.0.0.1", 2000 + n)
        number, fin = await lingers(ends, peer)
        numbers[of_peer(peer)["port"]] = number
        assert fin.times is not None
        ends.answers.clear()
        ends.events.clear()
        begin = ends.cycle
        for turn in range(40):
            ends.send(crowd, ack, begin + turn * EVERY)
            if turn == 10:
                times = (add(fin.times[0], 1), 0)
                syn = Segment(random.getrandbits(32), Flag.SYN, mss=1460, times=times)
                ends.send(peer, syn, begin + turn * EVERY + 1 + n % EVERY)
        await ends.run(40 * EVERY + (DEPTH + CROWD) * 48)
        for event in ends.events:
            if event["kind"] == KIND.EventSegment:
                assert event["id"] == numbers[event["segment"]["port"]], "another's event"
        assert [who for who, _ in ends.answers].count(peer) == 1


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def one_who_floods(dut):
    """ACKs of one connection at line rate: what is too much of it is dropped; segments of another
    between them are not, and do not wait for long."""
    ends = await Ends.start(dut)
    flood, other = Peer("10.0.0.1", 2000), Peer("10.0.0.1", 2001)
    acks = {peer: await ends.connect(peer) for peer in (flood, other)}
    await ends.run(300)
    number = ends.events[-1]["id"]
    ends.events.clear()
    ends.taken.clear()
    begin = ends.cycle
    sent = {flood: 0, other: 0}
    for n in range(1500):
        peer = other if n % 20 == 7 else flood
        sent[peer] += 1
        ends.send(peer, acks[peer], begin + n * EVERY)
    await ends.run(1500 * EVERY + 1000)
    assert not ends.segments and ends.late < 200, ends.late
    got = [event["id"] for event in ends.events]
    assert got.count(number) == sent[other]
    assert ends.counted["flooded"] == sent[flood] - (len(got) - got.count(number))
    assert len(got) - got.count(number) > 1500 * EVERY // 48


@pytest.mark.parametrize("ring,scale", [(13, 0), full(18, 3)])
def test_wc_tcp_demux(ring, scale):
    run(
        "wc_tcp_demux_tb",
        __file__,
        {"Connections": 64, "RingBits": ring, "OurScale": scale, "AckWait": ACK_WAIT},
        extra_sources=[
            Path(__file__).parent / name for name in ("wc_tcp_events_tb.sv", "wc_tcp_demux_tb.sv")
        ],
        core="tcp",
    )
