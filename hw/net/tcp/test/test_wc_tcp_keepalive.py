# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_keepalive: a peer that says nothing is asked in its time, as often as set, and given up
then; no other is."""

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
KINDS = ("opened", "heard", "closed")
SETTINGS = "wc_tcp_pkg::keepalive_t"
LOOK = 8  # cycles from what is read to what is told
COUNTED = 16  # cycles of a unit, for each connection
MOST_UNITS = 64  # within which all are gone over once


@dataclass
class Connection:
    """One that is open."""

    due: int  # unit in which it is told of
    at: int  # cycle in which something was last said of it
    asked: int = 0  # since its peer said something


class Keepalive:
    def __init__(self, dut: Any, bench: Bench, settings: dict[str, int]) -> None:
        self.dut, self.bench = dut, bench
        self.idle, self.interval, self.probes = (
            settings[name] for name in ("idle", "interval", "probes")
        )
        self.many = int(dut.Connections.value)
        self.valid = {kind: Driven(getattr(dut, f"{kind}_valid_i")) for kind in KINDS}
        self.what = {kind: Driven(getattr(dut, f"{kind}_id_i")) for kind in KINDS}
        self.ready = Driven(dut.ask_ready_i)
        self.free = dict.fromkeys(KINDS, 0)  # cycle from which the next one may come
        self.cycle = 0
        self.unit = random.getrandbits(22)  # numbers go round
        self.open: dict[int, Connection] = {}
        self.offered: int | None = None  # and not taken
        self.since = 0  # cycle in which it was offered first
        self.closed = dict.fromkeys(range(self.many), -LOOK)  # when
        self.asks = self.ends = 0

    @classmethod
    async def start(cls, dut: Any, idle: int, interval: int, probes: int) -> Keepalive:
        settings = {"idle": idle, "interval": interval, "probes": probes}
        packed = structs.pack(SETTINGS, **settings)
        bench = await Bench.start(dut, {"settings_i": 0, "now_i": 0})
        keepalive = cls(dut, bench, settings)
        await bench.reset()
        keepalive.set_time()
        await bench.wait(keepalive.many + 4)  # no connection is known
        dut.settings_i.value = packed
        return keepalive

    def set_time(self) -> None:
        self.dut.now_i.value = (self.unit * UNIT + random.randrange(UNIT)) & 0xFFFFFFFF

    async def step(self, said: dict[str, int], willing: float = 1.0) -> None:
        """A cycle, with inputs of some kinds: a connection's number each."""
        for kind in KINDS:
            self.valid[kind].set(int(kind in said))
            if kind in said:
                self.free[kind] = self.cycle + APART
                self.what[kind].set(said[kind])
        self.ready.set(int(random.random() < willing))
        await self.bench.wait(1)
        valid, number = int(self.dut.ask_valid_o.value), int(self.dut.ask_id_o.value)
        if self.offered is not None:
            assert valid and number == self.offered
        if valid:
            if self.offered is None:
                self.since = self.cycle
            self.look(number, bool(int(self.dut.ask_last_o.value)))
        self.offered = number if valid and not self.ready.value else None
        for kind, number in said.items():
            if kind == "closed":
                del self.open[number]
                self.closed[number] = self.cycle
            else:
                self.open[number] = Connection(self.unit + self.idle, self.cycle)
        self.cycle += 1

    def look(self, number: int, last: bool) -> None:
        """It is told of: it has been silent for long, unless just now something has come."""
        assert number in self.open, f"{number} has closed"
        one = self.open[number]
        if self.offered != number and self.cycle - one.at > LOOK:
            assert self.unit >= one.due, (number, self.unit, one)
            assert last == (one.asked == self.probes), (number, one)
        if self.ready.value:
            if one.at < self.since:  # else it has spoken meanwhile
                one.due, one.asked = self.unit + self.interval, min(one.asked + 1, self.probes)
            self.asks += not last
            self.ends += last

    def random_input(self) -> dict[str, int]:
        """Of one connection one thing happens at a time; none closes that is told of."""
        said: dict[str, int] = {}
        for kind in KINDS:
            number = random.randrange(self.many)
            one = self.open.get(number)
            if random.random() > 0.1 or self.cycle < self.free[kind] or number in said.values():
                continue
            if kind == "closed" and number in (self.offered, int(self.dut.ask_id_o.value)):
                continue
            if self.cycle - (self.closed[number] if one is None else one.at) <= LOOK:
                continue
            if (kind == "opened") == (one is None):
                said[kind] = number
        return said


@cocotb.test()
@cocotb.parametrize(idle=[1, 3], interval=[1, 2], probes=[1, 3], willing=[1.0, 0.05])
async def each_in_its_time(dut, idle, interval, probes, willing):
    """Connections that come, speak and go at random, and fall silent."""
    bench = await Keepalive.start(dut, idle, interval, probes)
    for _ in rounds(80, lambda: bench.ends > 5 and bench.asks > 10):
        busy = random.choice((0.0, 0.0, 1.0))
        for left in reversed(range(COUNTED * bench.many)):
            quiet = (
                left < LOOK or random.random() > busy
            )  # what is said then is of this unit, or the next
            await bench.step({} if quiet else bench.random_input(), willing)
        for number, one in bench.open.items():  # all that are due are told of in their unit
            assert bench.unit < one.due or willing < 1, (number, bench.unit, one)
        bench.unit += 1
        bench.set_time()


@cocotb.test()
@cocotb.parametrize(settings=[(2, 200, 1), (200, 3, 2), (90, 90, 1)])
async def they_are_gone_over_when_one_is_due(dut, settings):
    """Not in each unit; and no later than `soonest_o` says that it may sleep."""
    bench = await Keepalive.start(dut, *settings)
    overs = units = 0
    for step in range(600):
        if not step % 150:
            for _ in range(20):
                await bench.step(bench.random_input())
                await bench.step({})
        over = False
        for _ in range(4 * bench.many + 2 * LOOK):
            await bench.step({})
            over |= bool(int(dut.busy_o.value))
        assert not int(dut.busy_o.value)
        overs, units = overs + over, units + 1
        for number, one in bench.open.items():
            assert bench.unit < one.due, (number, bench.unit, one)
        soonest = structs.unpack("wc_tcp_engine_pkg::soonest_t", int(dut.soonest_o.value))
        assert soonest["there"] and not soonest["at"] % UNIT
        ahead = (soonest["at"] // UNIT - bench.unit) % (1 << 8)
        assert 0 < ahead <= MOST_UNITS
        # It sleeps as long as it may, or time goes on by more.
        bench.unit += random.choice((1, ahead, ahead + random.randrange(30)))
        bench.set_time()
    assert bench.asks and bench.ends and overs < units, (bench.asks, bench.ends, overs, units)


@cocotb.test()
@cocotb.parametrize(kind=["closed", "heard"])
async def one_that_is_looked_at(dut, kind):
    """At any time before it is told of it closes, or its peer speaks: then it is not told of."""
    bench = await Keepalive.start(dut, 1, 1, 3)
    number = 3

    async def pause(cycles: int) -> None:
        for _ in range(cycles):
            await bench.step({})

    async def turn() -> None:
        """The next unit begins, in the same cycle of four each time."""
        await pause(4 * bench.many + 2 * LOOK)
        await pause(-bench.cycle % APART)
        bench.unit += 1
        bench.set_time()

    await bench.step({"opened": number})
    await turn()
    begin = bench.cycle
    while bench.offered is None:
        await bench.step({}, willing=0.0)
    tells = bench.cycle - 1 - begin  # cycles behind the turn
    assert tells > 8
    await pause(1)
    for offset in range(tells):
        await bench.step({"heard" if number in bench.open else "opened": number})
        await turn()
        asks = bench.asks
        await pause(offset)
        await bench.step({kind: number})
        await pause(4 * bench.many)
        assert bench.asks == asks, offset


@cocotb.test()
async def one_that_speaks_as_it_is_asked(dut):
    """Just then, and in the cycles behind: it counts as one that has spoken last."""
    bench = await Keepalive.start(dut, 2, 1, 1)
    number = 3
    await bench.step({"opened": number})
    for behind in range(-1, 9):
        for phase in range(APART):
            asks = bench.asks
            while bench.asks == asks:
                over = bench.cycle + 4 * bench.many + 2 * LOOK
                while bench.cycle < over or bench.cycle % APART != phase:
                    await bench.step({})
                bench.unit += 1
                bench.set_time()
                while bench.offered is None and bench.unit >= bench.open[number].due:
                    await bench.step({}, willing=0.0)
                if bench.offered is None:
                    continue
                if behind < 0:
                    await bench.step({"heard": number})
                    break
                for _ in range(1 + behind):
                    await bench.step({})
                await bench.step({"heard": number})
            assert bench.asks == asks + 1 and not bench.ends


@cocotb.test()
async def without_settings_nobody_is_asked(dut):
    bench = await Keepalive.start(dut, 0, 1, 1)
    for number in range(bench.many):
        await bench.step({"opened": number})
        for _ in range(APART):
            await bench.step({})
    for _ in range(20):
        bench.unit += 1
        bench.set_time()
        for _ in range(100):
            await bench.step({})
            assert not int(dut.busy_o.value)
    assert not bench.asks and not int(dut.soonest_o.value) >> 18


@pytest.mark.parametrize("connections", [16, full(256)])
def test_wc_tcp_keepalive(connections: int) -> None:
    run("wc_tcp_keepalive", __file__, parameters={"Connections": connections})
