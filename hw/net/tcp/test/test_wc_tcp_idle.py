# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_idle: a connection of which nothing comes is ended, once, in its time; no other is."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, full, rounds, run
from wirecache.testbench.cycle import Driven

UNIT = 1024  # milliseconds
APART = 4  # cycles, between two inputs of a kind
KINDS = ("opened", "heard", "shut", "closed")
ARRIVED = "wc_tcp_engine_pkg::arrived_t"
LOOK = 8  # cycles from what is read to what is told
COUNTED = 16  # cycles of a unit, for each connection


@dataclass
class Connection:
    """One that is open."""

    since: int  # unit of its last bytes
    at: int  # cycle in which something was last said of it
    endable: bool = True  # neither the peer nor we have ended
    told: bool = False  # it is to end, and that has not been heard yet


class Idle:
    def __init__(self, dut: Any, bench: Bench, limit: int) -> None:
        self.dut, self.bench, self.limit = dut, bench, limit
        self.many = int(dut.Connections.value)
        self.valid = {kind: Driven(getattr(dut, f"{kind}_valid_i")) for kind in KINDS}
        self.what = {
            kind: Driven(dut.heard_i if kind == "heard" else getattr(dut, f"{kind}_id_i"))
            for kind in KINDS
        }
        self.ready = Driven(dut.ends_ready_i)
        self.free = dict.fromkeys(KINDS, 0)  # cycle from which the next one may come
        self.cycle = 0
        self.unit = random.getrandbits(22)  # numbers go round
        self.open: dict[int, Connection] = {}
        self.offered: int | None = None  # and not taken
        self.ends = 0

    @classmethod
    async def start(cls, dut: Any, limit: int) -> Idle:
        bench = await Bench.start(dut, {"limit_i": limit, "now_i": 0, "about_valid_i": 0})
        idle = cls(dut, bench, limit)
        await bench.reset()
        await bench.wait(idle.many + 4)  # no connection is known
        idle.set_time()
        return idle

    def set_time(self) -> None:
        self.dut.now_i.value = (self.unit * UNIT + random.randrange(UNIT)) & 0xFFFFFFFF

    async def step(self, said: dict[str, int], willing: float = 1.0, ended: bool = False) -> None:
        """A cycle, with inputs of some kinds: a connection's number each. ended: what is heard is
        the peer's end, or bytes."""
        for kind in KINDS:
            self.valid[kind].set(int(kind in said))
            if kind not in said:
                continue
            self.free[kind] = self.cycle + APART
            what = said[kind]
            if kind == "heard":
                arrived = {"id": what, "bytes": int(not ended), "ended": int(ended)}
                what = structs.pack(ARRIVED, **arrived)
            self.what[kind].set(what)
        self.ready.set(int(random.random() < willing))
        await self.bench.wait(1)
        valid, number = int(self.dut.ends_valid_o.value), int(self.dut.ends_id_o.value)
        if self.offered is not None:  # it stays, but when its connection has closed
            assert valid or self.offered not in self.open
        if valid:
            self.look(number)
        self.offered = number if valid and not self.ready.value else None
        for kind, number in said.items():
            if kind == "opened":
                self.open[number] = Connection(self.unit, self.cycle)
                continue
            if kind == "closed":
                del self.open[number]
                continue
            one = self.open[number]
            one.at = self.cycle
            if kind == "heard" and not ended:
                one.since = self.unit
            else:
                one.endable = False
                one.told = one.told and kind != "heard"
        self.cycle += 1

    def look(self, number: int) -> None:
        """It is told to end: it has been silent for long, unless just now something has come."""
        assert number in self.open, f"{number} has closed"
        one = self.open[number]
        fresh = self.offered == number or self.cycle - one.at <= LOOK
        assert fresh or one.endable, (number, one)
        assert fresh or self.unit - one.since >= self.limit, (number, self.unit, one)
        if self.ready.value:
            assert not one.told, number
            one.told = True
            self.ends += 1

    def random_input(self) -> dict[str, int]:
        """Of one connection one thing happens at a time."""
        said: dict[str, int] = {}
        for kind in KINDS:
            number = random.randrange(self.many)
            one = self.open.get(number)
            if random.random() > 0.1 or self.cycle < self.free[kind] or number in said.values():
                continue
            if kind == "opened" if one is None else not one.told and self.cycle - one.at > APART:
                said[kind] = number
        return said


@cocotb.test()
@cocotb.parametrize(limit=[1, 3], willing=[1.0, 0.05])
async def each_in_its_time(dut, limit, willing):
    """Connections that come, speak and go at random, and fall silent."""
    idle = await Idle.start(dut, limit)
    for _ in rounds(60, lambda: idle.ends > 10):
        busy = random.choice((0.0, 1.0))
        for left in reversed(range(COUNTED * idle.many)):
            said = idle.random_input() if random.random() < busy else {}
            ended = random.random() < 0.2
            told = [number for number, one in idle.open.items() if one.told]
            # What it tells comes back as the end that it is.
            if told and idle.cycle >= idle.free["heard"]:
                said, ended = {"heard": told[0]}, True
            if left < LOOK:  # what is said then is of this unit, or the next
                said = {}
            await idle.step(said, willing, ended)
        for number, one in idle.open.items():  # all are gone over in a unit
            late = idle.unit - one.since >= limit
            assert one.told or not one.endable or not late or willing < 1, (number, one)
        idle.unit += 1
        idle.set_time()


@cocotb.test()
async def one_that_closes_as_it_is_looked_at(dut):
    """At any time while the one before it is ended: it is not told of any more."""
    idle = await Idle.start(dut, 1)
    silent, closing = 3, 4

    async def pause(cycles: int = APART) -> None:
        for _ in range(cycles):
            await idle.step({})

    for offset in range(12 * idle.many):
        for number in (silent, closing):
            await idle.step({"opened": number})
            await pause()
        await pause(3 * idle.many + LOOK)
        idle.unit += 1
        idle.set_time()
        await pause(offset // 3)
        await idle.step({"closed": closing})
        await pause(4 * idle.many + LOOK)
        assert idle.open[silent].told
        await idle.step({"heard": silent}, ended=True)
        await pause()
        await idle.step({"closed": silent})
        await pause()


@cocotb.test()
async def bytes_while_one_before_it_waits(dut):
    """Connections are gone over for longer than a unit, as nobody takes the first that is to end:
    what was heard of another in the new unit is not taken for something of long ago."""
    idle = await Idle.start(dut, 1)
    silent, speaking = 3, 4
    for number in (silent, speaking):
        await idle.step({"opened": number})
        for _ in range(APART):
            await idle.step({})

    async def another_unit() -> None:
        idle.unit += 1
        idle.set_time()
        for _ in range(COUNTED * idle.many):
            await idle.step({}, willing=0.0)

    await another_unit()
    assert idle.offered == silent
    await another_unit()
    await idle.step({"heard": speaking}, willing=0.0)
    for _ in range(2 * LOOK):
        await idle.step({}, willing=0.0)
    await idle.step({})
    assert idle.open[silent].told
    await idle.step({"heard": silent}, ended=True)
    for _ in range(COUNTED * idle.many):
        await idle.step({})
    assert not idle.open[speaking].told


@cocotb.test()
@cocotb.parametrize(limit=[0, 1])
async def the_host_is_told(dut, limit):
    """Of any connection: whether it may be ended, and how long it is silent; in few cycles,
    whatever happens. What happens just then is told as before or behind it."""
    idle = await Idle.start(dut, limit)
    asked = {True: 0, False: 0}
    for step in rounds(3000, lambda: min(asked.values()) > 100):
        before = {number: (one.endable, one.since) for number, one in idle.open.items()}
        number = random.randrange(idle.many)
        dut.about_id_i.value = number
        dut.about_valid_i.value = 1
        states = [before.get(number, (False, 0))]
        for cycles in range(12):
            said, ended = idle.random_input(), random.random() < 0.2
            silent = [one for one in idle.open if idle.open[one].told]
            if silent and idle.cycle >= idle.free["heard"]:
                said, ended = {"heard": silent[0]}, True
            await idle.step(said, 1.0, ended)
            one = idle.open.get(number)
            states.append((one.endable, one.since) if one else (False, 0))
            dut.about_valid_i.value = 0
            if cycles and not int(dut.about_busy_o.value):
                break
        assert not int(dut.about_busy_o.value), cycles
        told = bool(int(dut.about_open_o.value)), int(dut.about_age_o.value)
        right = [(endable, since) for endable, since in states if endable == told[0]]
        assert right, (told, states)
        if told[0]:
            assert told[1] in {(idle.unit - since) & 0xFFFF for _, since in right}, (told, right)
        asked[told[0]] += 1
        if step % 40 == 0:  # a unit is longer than it takes to go over all of them
            for _ in range(COUNTED * idle.many):
                await idle.step({})
            idle.unit += random.randrange(4)
            idle.set_time()
            await idle.step({})


@cocotb.test()
async def without_a_limit_nobody_is_ended(dut):
    idle = await Idle.start(dut, 0)
    for number in range(idle.many):
        await idle.step({"opened": number})
        for _ in range(APART):
            await idle.step({})
    for _ in range(20):
        idle.unit += 1
        idle.set_time()
        for _ in range(100):
            await idle.step({})
            assert not int(dut.busy_o.value)
    assert not idle.ends


@cocotb.test()
async def it_says_when_it_looks_next(dut):
    """The millisecond in which the unit is another, while there is a limit."""
    idle = await Idle.start(dut, 5)
    for _ in range(6):
        for _ in range(3 * idle.many + 10):
            await idle.step({})
        assert not int(dut.busy_o.value)
        soonest = structs.unpack("wc_tcp_engine_pkg::soonest_t", int(dut.soonest_o.value))
        assert soonest["there"]
        assert soonest["at"] == (idle.unit + 1) * UNIT % (1 << 18)
        idle.unit += 1
        idle.set_time()


@pytest.mark.parametrize("connections", [16, full(256)])
def test_wc_tcp_idle(connections: int) -> None:
    run("wc_tcp_idle", __file__, parameters={"Connections": connections})
