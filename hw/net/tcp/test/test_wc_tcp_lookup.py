# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_lookup: what was inserted is found, and nothing else; all connections have room, also of
peers whose ports count up; cycles."""

from __future__ import annotations

import random
from typing import Any

import cocotb
import pytest
import seeds
from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, run

ASK, ANSWER = "wc_tcp_lookup_pkg::ask_t", "wc_tcp_lookup_pkg::answer_t"
PEER = "wc_tcp_lookup_pkg::peer_t"
ACTION = structs.enum("wc_tcp_lookup_pkg::action_e")
Peer = tuple[int, int]


class Ends:
    """The device, and what it must hold."""

    def __init__(self, dut: Any, bench: Bench) -> None:
        self.dut, self.bench = dut, bench
        self.most = int(dut.Connections.value)
        self.there: dict[Peer, int] = {}
        self.free = list(range(self.most))
        random.shuffle(self.free)
        self.slow = 0  # finds that met another peer's tag

    @classmethod
    async def start(cls, dut: Any) -> Ends:
        inputs = {"seed_i": seeds.draw(), "ask_valid_i": 0, "about_valid_i": 0}
        bench = await Bench.start(dut, inputs)
        await bench.reset()
        ends = cls(dut, bench)
        for _ in range(ends.most // 2 + 2):
            await bench.wait(1)
        assert int(dut.ask_ready_o.value)
        return ends

    async def ask(
        self, action: int, peer: Peer = (0, 0), number: int = 0
    ) -> tuple[dict[str, Any], int]:
        """The answer, and how many cycles it took."""
        dut = self.dut
        assert int(dut.ask_ready_o.value)
        ask = {"action": action, "peer": {"ip": peer[0], "port": peer[1]}, "id": number}
        dut.ask_i.value = structs.pack(ASK, **ask)
        dut.ask_valid_i.value = 1
        await self.bench.wait(1)
        dut.ask_valid_i.value = 0
        for cycles in range(1, 40):
            await self.bench.wait(1)
            if int(dut.answer_valid_o.value):
                return structs.unpack(ANSWER, int(dut.answer_o.value)), cycles
        raise AssertionError("no answer")

    async def find(self, peer: Peer) -> None:
        answer, cycles = await self.ask(ACTION.Find, peer)
        assert answer["done"] == (peer in self.there), peer
        if peer in self.there:
            assert answer["id"] == self.there[peer]
            assert cycles >= 9 and cycles % 2
        else:
            assert cycles == 8 or cycles % 2 == 0
        self.slow += cycles > 9

    async def insert(self, peer: Peer) -> None:
        number = self.free.pop()
        answer, cycles = await self.ask(ACTION.Insert, peer, number)
        assert (answer["done"], cycles) == (1, 8), f"no room for {len(self.there)}"
        self.there[peer] = number

    async def remove(self, peer: Peer) -> None:
        number = self.there.pop(peer)
        answer, cycles = await self.ask(ACTION.Remove, number=number)
        assert (answer["done"], cycles) == (1, 9)
        self.free.append(number)


def draw() -> Peer:
    return random.getrandbits(32), random.getrandbits(16)


def near(peer: Peer) -> Peer:
    """Another one, that has all bits but one."""
    bit = random.randrange(48)
    return peer[0] ^ (1 << bit & 0xFFFFFFFF), peer[1] ^ (1 << bit >> 32)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def at_random(dut):
    ends = await Ends.start(dut)
    for _ in range(4000):
        there = list(ends.there)
        match random.randrange(6):
            case 0 | 1 if ends.free:
                peer = draw()
                if peer not in ends.there:
                    await ends.insert(peer)
            case 2 if there:
                await ends.remove(random.choice(there))
            case 3 if there:
                await ends.find(near(random.choice(there)))
            case 4 if there:
                await ends.find(random.choice(there))
            case _:
                await ends.find(draw())


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(others=[0.0, 0.5, 1.0])
async def peers_are_told(dut, others):
    """The host is told of a connection's peer in 24 cycles, whatever is asked besides; and what is
    asked besides has the same answers. Mostly it takes half of that: many peers of one tag are
    seldom."""
    ends = await Ends.start(dut)
    for _ in range(ends.most // 2):
        await ends.insert(draw())
    told = 0

    async def host():
        nonlocal told
        while True:
            peer, number = random.choice(list(ends.there.items()))
            dut.about_id_i.value = number
            dut.about_valid_i.value = 1
            await ends.bench.wait(1)
            dut.about_valid_i.value = 0
            await ends.bench.wait(1)
            for _ in range(24):
                if not int(dut.about_busy_o.value):
                    break
                await ends.bench.wait(1)
            assert not int(dut.about_busy_o.value)
            heard = structs.unpack(PEER, int(dut.about_peer_o.value))
            if ends.there.get(peer) == number:  # it has not ended meanwhile
                assert heard == {"ip": peer[0], "port": peer[1]}
                told += 1
            await ends.bench.wait(random.randrange(9))

    asking = cocotb.start_soon(host())
    for _ in range(1500):
        if random.random() >= others:
            await ends.bench.wait(random.randrange(12))
        elif random.random() < 0.5 or not ends.free:
            await ends.find(random.choice([draw(), near(random.choice(list(ends.there)))]))
        elif random.random() < 0.3 and len(ends.there) > 2:
            await ends.remove(random.choice(list(ends.there)))
        elif random.random() < 0.5:
            await ends.insert(draw())
        else:
            await ends.find(random.choice(list(ends.there)))
    asking.cancel()
    assert told > 300


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def a_peer_is_told_between_asks_without_a_gap(dut):
    ends = await Ends.start(dut)
    await ends.insert(draw())
    ((peer, number),) = ends.there.items()
    ask = {"action": ACTION.Find, "peer": {"ip": peer[0], "port": peer[1]}, "id": 0}
    dut.ask_i.value = structs.pack(ASK, **ask)
    dut.ask_valid_i.value = 1
    dut.about_id_i.value = number
    for pause in range(40):
        await ends.bench.wait(pause)
        dut.about_valid_i.value = 1
        await ends.bench.wait(1)
        dut.about_valid_i.value = 0
        await ends.bench.wait(25)
        assert not int(dut.about_busy_o.value)
        told = structs.unpack(PEER, int(dut.about_peer_o.value))
        assert told == {"ip": peer[0], "port": peer[1]}


@cocotb.test(timeout_time=40, timeout_unit="ms")
@cocotb.parametrize(kind=["random", "ports", "addresses", "both"])
async def full(dut, kind):
    """All connections at once; each is found, others are not; then all are removed."""
    ends = await Ends.start(dut)
    base = draw()
    for n in range(ends.most):
        match kind:
            case "random":
                peer = draw()
            case "ports":  # of one client, in wire order
                port = 32768 + n
                peer = base[0], (port & 255) << 8 | port >> 8
            case "addresses":
                peer = (base[0] & 0xFFFF) | n << 16, base[1]
            case _:
                peer = (base[0] & 0xFFFFFF) | (n % 16) << 24, (40000 + n // 16) & 0xFFFF
        await ends.insert(peer)
    for peer in list(ends.there):
        await ends.find(peer)
        if random.random() < 0.2:
            await ends.find(near(peer))
    if kind == "random" and ends.most >= 1024:  # a tag has seven bits
        assert ends.slow
    while ends.there:
        await ends.remove(next(iter(ends.there)))
    for _ in range(50):
        await ends.find(draw())
    assert len(ends.free) == ends.most


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def none_of_that_number(dut):
    ends = await Ends.start(dut)
    await ends.insert(draw())
    (number,) = ends.there.values()
    answer, _ = await ends.ask(ACTION.Remove, number=number ^ 1)
    assert not answer["done"]
    await ends.find(next(iter(ends.there)))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def no_room(dut):
    """A seed of zeros puts all into the same two buckets: the ninth has no room, and is told so."""
    ends = await Ends.start(dut)
    dut.seed_i.value = 0
    for n in range(8):
        await ends.insert((n, 0))
    answer, _ = await ends.ask(ACTION.Insert, (8, 0), ends.free[-1])
    assert not answer["done"]
    for n in range(9):
        await ends.find((n, 0))
    await ends.remove((3, 0))
    await ends.insert((8, 0))
    for n in range(10):
        await ends.find((n, 0))


@pytest.mark.parametrize("connections", [64, 1024])
def test_wc_tcp_lookup(connections):
    run("wc_tcp_lookup", __file__, {"Connections": connections})
