# SPDX-License-Identifier: Apache-2.0
"""wc_log_place and wc_log_pool against the model: places, links, chains; room is kept."""

from __future__ import annotations

import random
from collections import deque
from pathlib import Path
from typing import Any

import cocotb
from log_bench import BITS, MAIN, NEW, SIZE, Chains
from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, run
from wirecache.testbench.cycle import Driven, every_cycle, value_of

RESERVE = 3
WASTE = 3
INPUTS = (
    *("clear_i", "drop_i", "drop_log_i", "give_valid_i", "give_segment_i"),
    *("place_valid_i", "place_units_i", "place_take_i", "place_log_i", "place_leave_i"),
    *("room_valid_i", "room_units_i", "room_take_i"),
    *("copy_room_valid_i", "copy_room_units_i", "copy_room_take_i"),
    *("passed_i", "passed_units_i"),
)


class Table:
    """Reserves room, takes places, lets reservations end; and a sweeper that drops segments."""

    def __init__(self, dut: Any, segments: int, largest: int) -> None:
        self.dut, self.largest = dut, largest
        self.chains = Chains(segments)
        self.ins = {name.removesuffix("_i"): Driven(getattr(dut, name)) for name in INPUTS}
        self.reserved: deque[int] = deque()  # units, in the order in which they pass
        self.total = 0  # with waste, what the circuit still counts or may count
        self.ending: deque[tuple[int, int]] = deque()  # when, units
        self.swept: deque[tuple[int, int]] = deque()  # when it is given back, segment
        self.links: deque[tuple[int, int]] = deque()
        self.cycle = self.dropped_at = 0
        self.busy = [0, 0]  # room and copies: cycles until the next request
        self.pause = self.left = 0
        self.takes: list[int] = []
        self.used: list[int] = []  # when segments were
        self.granted = [0, 0]
        self.full = [0, 0]
        self.blocked = self.eager = self.only_users = self.stopped = self.even = False
        self.no_sweeps = 0.0
        self.new = 0.5

    def get(self, name: str) -> int:
        return value_of(getattr(self.dut, name))

    def span(self) -> int:
        if self.eager:
            return 4
        if self.even:
            return random.randint(2, self.largest)
        return random.choice((2, 3, 4, 5, 6, 9, random.randint(2, self.largest)))

    def step(self) -> None:
        self.cycle += 1
        ins = self.ins
        # ---- what was taken at this edge
        for i, name in enumerate(("room", "copy_room")):
            self.full[i] += self.get(f"{name}_full_o") and ins[f"{name}_valid"].value
            if (
                ins[f"{name}_valid"].value
                and ins[f"{name}_take"].value
                and self.get(f"{name}_ready_o")
            ):
                span = ins[f"{name}_units"].value
                self.granted[i] += 1
                self.reserved.append(span)
                # It was decided some cycles ago, when a place that was taken since was not.
                free = len(self.chains.free) + sum(at > self.cycle - 12 for at in self.used)
                total = self.total + span + WASTE
                assert free - (total // SIZE + 2) >= (1 if i else RESERVE), "no room for that"
                self.total = total
                ins[f"{name}_valid"].set(0)
                self.busy[i] = 0 if self.eager else random.choice((0, 0, 1, 5, 30))
        if ins["place_valid"].value and ins["place_take"].value and self.get("place_ready_o"):
            span, log = ins["place_units"].value, ins["place_log"].value
            place = self.get("place_o") >> 32 * log & (1 << 32) - 1
            before = len(self.chains.free)
            _, wanted = self.chains.place(log, span)
            self.used += [self.cycle] * (before - len(self.chains.free))
            assert place == wanted[0], f"{place:x} {wanted[0]:x}"
            self.links.extend(self.chains.links)
            self.chains.links.clear()
            self.takes.append(self.cycle)
            ins["place_valid"].set(0)
            self.pause = 0 if self.eager else random.choice((0, 0, 1, 2, 8))
            late = 0 if self.eager else random.choice((0, 0, 1, 9))
            self.ending.append((self.cycle + late, span))
        elif ins["place_valid"].value and ins["place_leave"].value:  # it passes without a place
            self.ending.append((self.cycle, ins["place_units"].value))
            ins["place_valid"].set(0)
            self.left += 1
        link = structs.unpack("wc_log_pkg::link_t", self.get("link_o"))
        if link["valid"]:
            assert (link["segment"], link["next"]) == self.links.popleft()
        # ---- what comes
        for i, name in enumerate(("room", "copy_room")):
            if self.blocked:
                break
            if not ins[f"{name}_valid"].value:
                if self.busy[i]:
                    self.busy[i] -= 1
                elif len(self.reserved) < 20 and not self.stopped and not (i and self.only_users):
                    ins[f"{name}_valid"].set(1)
                    ins[f"{name}_units"].set(self.span())
            ins[f"{name}_take"].set(int(self.eager or random.random() < 0.7))
        ends = 0
        if self.ending and self.ending[0][0] <= self.cycle:
            span = self.ending.popleft()[1]
            ins["passed_units"].set(span)
            self.total -= span + WASTE
            ends = 1
        ins["passed"].set(ends)
        if not ins["place_valid"].value and self.reserved:
            if self.pause:
                self.pause -= 1
            else:
                ins["place_units"].set(self.reserved.popleft())
                ins["place_valid"].set(1)
        ins["place_take"].set(int(self.eager or random.random() < 0.7))
        ins["place_leave"].set(int(not self.eager and random.random() < 0.05))
        if random.random() < 0.1:
            self.new = random.choice((0.0, 0.5, 1.0))
        ins["place_log"].set(NEW if random.random() < self.new else MAIN)
        self.sweep()

    def sweep(self) -> None:
        ins, chains = self.ins, self.chains
        if ins["drop"].value:
            ins["drop"].set(0)
            self.dropped_at = self.cycle
        log = max((NEW, MAIN), key=lambda log: len(chains.chains[log]))
        ready = self.get("oldest_valid_o") >> log & 1 and self.cycle > self.dropped_at + 1
        count = self.get("count_o") >> 9 * log & 511
        oldest = self.get("oldest_o") >> 8 * log & 255
        if ready and count > 1 and len(chains.free) < 8 and random.random() >= self.no_sweeps:
            assert chains.chains[log][0] == oldest
            chains.chains[log].popleft()
            ins["drop"].set(1)
            ins["drop_log"].set(log)
            self.swept.append((self.cycle + random.choice((1, 3, 100)), oldest))
        ins["give_valid"].set(0)
        if self.swept and self.swept[0][0] <= self.cycle:
            segment = self.swept.popleft()[1]
            chains.free.append(segment)
            ins["give_valid"].set(1)
            ins["give_segment"].set(segment)


async def start(dut: Any, segments: int, largest: int) -> tuple[Bench, Table]:
    settings = structs.pack("wc_log_pkg::log_settings_t", segment_bits=BITS, segments=segments)
    bench = await Bench.start(dut, dict.fromkeys(INPUTS, 0) | {"settings_i": settings})
    table = Table(dut, segments, largest)
    await bench.reset()
    every_cycle(bench.clock, table.step)
    return bench, table


async def check(bench: Bench, table: Table) -> None:
    """Everything stops; what is free and what is in the chains is as in the model."""
    table.stopped, table.no_sweeps = True, 1.0
    await bench.wait(2000)
    assert not table.reserved and not table.ending and not table.links and not table.swept
    assert table.get("free_o") == len(table.chains.free)
    for log in (NEW, MAIN):
        assert table.get("count_o") >> 9 * log & 511 == len(table.chains.chains[log])
    most = (len(table.chains.free) - RESERVE - 1) * SIZE - 1 - WASTE
    if most > 0:  # no reservation is left over: just so many units fit
        assert await fits(bench, table, most) and not await fits(bench, table, most + 1)


async def fits(bench: Bench, table: Table, span: int) -> bool:
    """Whether users would have room for so many units."""
    table.blocked = True
    for name in ("room_valid", "copy_room_valid", "room_take", "copy_room_take"):
        table.ins[name].set(0)  # one that asked for more than there is may still ask
    await bench.wait(3)
    table.ins["room_units"].set(span)
    table.ins["room_valid"].set(1)
    await bench.wait(10)
    ready, full = table.get("room_ready_o"), table.get("room_full_o")
    table.ins["room_valid"].set(0)
    await bench.wait(3)
    table.blocked = False
    assert ready != full
    return bool(ready)


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(segments=[32, 12], largest=[60, 4 * SIZE])
async def random_traffic(dut, segments, largest):
    bench, table = await start(dut, segments, largest if segments > 12 else largest // 4 + 60)
    for _ in range(8):
        table.no_sweeps = random.choice((0.0, 0.5, 0.99))
        await bench.wait(1500)
    await check(bench, table)
    assert min(table.granted) > 100 and len(table.takes) > 300, (table.granted, len(table.takes))
    assert table.left > 50
    print(segments, largest, table.granted, table.full, sum(map(len, table.chains.chains)))


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(copies=[False, True])
async def rate(dut, copies):
    """An item every 4 cycles, with its room and its place; also if every other one is a copy."""
    bench, table = await start(dut, 32, 60)
    table.eager, table.only_users = True, not copies
    await bench.wait(4000)
    between = (table.takes[-1] - table.takes[100]) / (len(table.takes) - 101)
    print(f"copies {copies}: an item in {between:.2f} cycles, {table.granted}")
    assert between <= 4
    await check(bench, table)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def users_leave_the_reserve(dut):
    """Nothing is swept: users stop first, copies next, and one segment stays free."""
    bench, table = await start(dut, 32, 300)
    table.no_sweeps, table.only_users, table.even = 1.0, True, True
    await bench.wait(12000)
    users = len(table.chains.free)
    assert RESERVE <= users <= RESERVE + 2 and table.full[0] > 100
    table.only_users = False
    await bench.wait(4000)
    assert 1 <= len(table.chains.free) <= users and table.full[1] > 100
    granted = table.granted[0]
    table.no_sweeps = 0.0
    await bench.wait(4000)
    assert table.granted[0] > granted
    await check(bench, table)


async def clear(dut: Any, bench: Bench, table: Table, segments: int) -> None:
    """Clears, and goes on with so many segments."""
    dut.clear_i.value = 1
    await bench.wait(1)
    dut.clear_i.value = 0
    table.chains = Chains(segments)
    table.stopped, table.no_sweeps = False, 0.0
    await bench.wait(5000)
    await check(bench, table)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def cleared(dut):
    """clear_i: all segments are free again, from number 0."""
    bench, table = await start(dut, 32, 300)
    await bench.wait(5000)
    await check(bench, table)
    await clear(dut, bench, table, 32)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def settings_change_before_clear(dut):
    """As when the host sets up the board: the pool has those of before until it is cleared."""
    bench, table = await start(dut, 32, 60)
    table.stopped, table.no_sweeps = True, 1.0
    await bench.wait(400)
    dut.settings_i.value = structs.pack(
        "wc_log_pkg::log_settings_t", segment_bits=BITS, segments=20
    )
    await bench.wait(50)
    await clear(dut, bench, table, 20)


def test_wc_log_place():
    here = Path(__file__).parent
    sources = [here / "wc_log_place_tb.sv"]
    run("wc_log_place_tb", __file__, extra_sources=sources, core="log")
