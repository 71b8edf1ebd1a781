# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_cookie: numbers, stamps and options are the model's; its own cookies are known again, and
no others; one every 10 cycles."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge
from wirecache.circuit import structs
from wirecache.model.tcp import cookie
from wirecache.model.tcp.segment import Flag, Peer, Segment
from wirecache.model.tcp.sequence import add
from wirecache.testbench.bench import Bench, run

ASK, ANSWER = "wc_tcp_cookie_pkg::ask_t", "wc_tcp_cookie_pkg::answer_t"
LATENCY = 24
MOST = LATENCY + 20  # of one that has to wait for its turn
EVERY = 10


class Ends:
    """The device, asks that go in, answers that come out, and the cycles in which they do."""

    def __init__(self, dut: Any, bench: Bench) -> None:
        self.dut, self.bench = dut, bench
        self.secret = random.randbytes(16)
        self.now = 0
        self.asks = bench.source("ask", ASK)
        self.answers: list[dict[str, Any]] = []
        self.asked: list[int] = []
        self.answered: list[int] = []
        dut.secret_i.value = int.from_bytes(self.secret, "little")
        cocotb.start_soon(self._watch())

    @classmethod
    async def start(cls, dut: Any) -> Ends:
        bench = await Bench.start(dut, {"secret_i": 0, "now_i": 0})
        ends = cls(dut, bench)
        await bench.reset()
        return ends

    async def _watch(self) -> None:
        dut = self.dut
        while True:
            await RisingEdge(dut.clk_i)
            await ReadOnly()
            if int(dut.ask_valid_i.value) and int(dut.ask_ready_o.value):
                self.asked.append(self.bench.cycle())
            if int(dut.answer_valid_o.value):
                self.answers.append(structs.unpack(ANSWER, int(dut.answer_o.value)))
                self.answered.append(self.bench.cycle())

    def time(self, now: int) -> None:
        self.now = now
        self.dut.now_i.value = now

    async def ask(self, asks: list[dict[str, int]]) -> list[dict[str, Any]]:
        self.answers.clear()
        self.asked.clear()
        self.answered.clear()
        self.asks.send(*asks)
        await self.asks.wait()
        await self.bench.wait(MOST + 3)
        assert len(self.answers) == len(asks)
        return list(self.answers)


def draw_peer() -> Peer:
    return Peer(".".join(str(random.randrange(256)) for _ in range(4)), random.randrange(1 << 16))


def draw_syn() -> Segment:
    return Segment(
        random.getrandbits(32),
        Flag.SYN,
        mss=random.choice((None, 0, 47, *cookie.MSS, *(m - 1 for m in cookie.MSS), 65535)),
        scale=random.choice((None, *range(16))),
        sack_permitted=bool(random.getrandbits(1)),
        times=random.choice((None, (random.getrandbits(32), 0))),
    )


def of_peer(peer: Peer) -> dict[str, int]:
    address = bytes(int(part) for part in peer.address.split("."))
    port = peer.port.to_bytes(2, "big")
    return {"ip": int.from_bytes(address, "little"), "port": int.from_bytes(port, "little")}


def of_syn(peer: Peer, syn: Segment) -> dict[str, int]:
    return of_peer(peer) | {
        "isn": syn.seq,
        "cookie": random.getrandbits(32),
        "mss_given": syn.mss is not None,
        "mss": random.getrandbits(16) if syn.mss is None else syn.mss,
        "sack": syn.sack_permitted,
        "scale_given": syn.scale is not None,
        "scale": random.getrandbits(4) if syn.scale is None else syn.scale,
        "times_given": syn.times is not None,
        "echo": random.getrandbits(6),
    }


def of_ack(peer: Peer, ack: Segment) -> dict[str, int]:
    return of_peer(peer) | {
        "ack": 1,
        "isn": add(ack.seq, -1),
        "cookie": add(ack.ack, -1),
        "mss_given": random.getrandbits(1),
        "mss": random.getrandbits(16),
        "sack": random.getrandbits(1),
        "scale_given": random.getrandbits(1),
        "scale": random.getrandbits(4),
        "times_given": ack.times is not None,
        "echo": random.getrandbits(6) if ack.times is None else ack.times[1] & 63,
    }


def told(options: cookie.Options) -> dict[str, int]:
    return {
        "size": options.mss,
        "times": int(options.times),
        "sack": int(options.sack),
        "scale": options.scale,
    }


def draw_time() -> int:
    return random.choice((random.getrandbits(32), random.randrange(200), (1 << 32) - 100))


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def syns(dut):
    ends = await Ends.start(dut)
    for _ in range(30):
        ends.time(draw_time())
        drawn = [(draw_peer(), draw_syn()) for _ in range(20)]
        answers = await ends.ask([of_syn(*one) for one in drawn])
        for (peer, syn), answer in zip(drawn, answers, strict=True):
            options = cookie.asked(syn)
            turn = cookie.turn_of(ends.now)
            number = cookie.number(ends.secret, peer, syn.seq, options, turn)
            got = answer["number"]
            assert got["turn"] << 27 | got["size"] << 24 | got["hash"] == number
            assert answer["stamp"] == cookie.stamp(options, ends.now)
            assert answer["options"] == told(options)


def spoiled(peer: Peer, ack: Segment) -> tuple[Peer, Segment]:
    """With one bit wrong of something that the hash covers; or nothing, half of the time."""
    seq, number, times = ack.seq, ack.ack, ack.times
    match random.randrange(10):
        case 0:
            peer = Peer(peer.address, peer.port ^ 1 << random.randrange(16))
        case 1:
            seq ^= 1 << random.randrange(32)
        case 5:
            seq = add(seq, random.choice((1, 1460, 65535, 65536, -1, -65536)))
        case 2:
            number ^= 1 << random.randrange(32)
        case 3:
            times = None if times is not None else (5, random.getrandbits(32))
        case 4 if times is not None:
            times = times[0], times[1] ^ 1 << random.randrange(5)
    return peer, Segment(seq, Flag.ACK, number, times=times)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def acks(dut):
    """With the cookie that a SYN was given, in time or too late, or spoiled."""
    ends = await Ends.start(dut)
    good = early = 0
    for _ in range(40):
        given = draw_time()
        later = random.choice((0, 1, 60_000, cookie.TURN, cookie.TURN + 40_000, 1 << 18, 1 << 21))
        drawn = []
        for _ in range(20):
            peer, syn = draw_peer(), draw_syn()
            options = cookie.asked(syn)
            number = cookie.number(ends.secret, peer, syn.seq, options, cookie.turn_of(given))
            times = (9, cookie.stamp(options, given)) if options.times else None
            ack = Segment(
                (syn.seq + 1) & 0xFFFFFFFF, Flag.ACK, (number + 1) & 0xFFFFFFFF, times=times
            )
            if random.random() < 0.3:  # of a connection that has gone on: often as much both ways
                sent = random.choice((1, 301, random.randrange(1 << 17)))
                got = random.choice((sent, sent + 1, 8, random.randrange(1 << 17)))
                ack = replace(ack, seq=add(ack.seq, sent), ack=add(ack.ack, got))
                drawn.append((peer, ack))
                continue
            drawn.append(spoiled(peer, ack))
        ends.time(add(given, later))
        answers = await ends.ask([of_ack(*one) for one in drawn])
        for (peer, ack), answer in zip(drawn, answers, strict=True):
            shown = cookie.shown(ends.secret, peer, ack, ends.now)
            assert answer["good"] == (shown is not None and not shown.behind)
            assert answer["early"] == (shown is not None and shown.behind > 0)
            if shown is not None:
                good += not shown.behind
                early += shown.behind > 0
                assert answer["options"] == told(shown.options)
    assert 100 < good < 600, good
    assert 10 < early < 200, early


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def rate(dut):
    """One every 10 cycles: a frame takes 10.5 at least."""
    ends = await Ends.start(dut)
    await ends.ask([of_syn(draw_peer(), draw_syn()) for _ in range(41)])
    # Two find room at once, then each waits for one that leaves.
    assert ends.asked[-1] - ends.asked[1] <= EVERY * 39 + 1
    waits = [out - went for went, out in zip(ends.asked, ends.answered, strict=True)]
    assert waits[0] == LATENCY and max(waits) <= MOST
    await ends.bench.wait(5)
    await ends.ask([of_syn(draw_peer(), draw_syn())])
    assert ends.answered[0] - ends.asked[0] == LATENCY


def test_wc_tcp_cookie():
    run("wc_tcp_cookie", __file__)
