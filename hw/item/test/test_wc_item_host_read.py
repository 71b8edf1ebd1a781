# SPDX-License-Identifier: Apache-2.0
"""wc_item_host_read: the unit that was asked for, whatever memory does; a segment's next one."""

from __future__ import annotations

import random
from typing import Any

import cocotb
import pytest
from wirecache.circuit import structs
from wirecache.testbench.axi_memory import AxiMemory
from wirecache.testbench.bench import Bench, run
from wirecache.testbench.cycle import value_of

UNIT = structs.constant("wc_log_pkg::UnitBytes")
LINE_UNITS = structs.constant("wc_log_pkg::LineUnits")
SEGMENTS = structs.constant("wc_log_pkg::MaxSegments")
LATENCY = 4  # cycles beside memory's


class Reader:
    def __init__(self, bench: Bench, memory: AxiMemory) -> None:
        self.bench, self.memory, self.dut = bench, memory, bench.dut

    @classmethod
    async def start(cls, dut: Any, **memory: Any) -> Reader:
        inputs = ("ask_i", "link_i", "clear_i", "written_valid_i", "written_i")
        bench = await Bench.start(dut, dict.fromkeys(inputs, 0))
        reader = cls(bench, AxiMemory(dut, **memory))
        await bench.reset()
        await reader.wiped()
        return reader

    async def wiped(self) -> None:
        """The bits of groups become zero, each in a cycle."""
        for _ in range(value_of(self.dut.Groups) + 1):
            if not value_of(self.dut.wiping_o):
                return
            await self.bench.wait(1)
        raise AssertionError("they are still not zero")

    async def clear(self) -> None:
        self.dut.clear_i.value = 1
        await self.bench.wait(1)
        self.dut.clear_i.value = 0
        await self.bench.wait(1)
        await self.wiped()

    async def write(self, address: int, data: bytes) -> None:
        """At this unit, as the table does it."""
        self.memory.load(address * UNIT, data)
        self.dut.written_valid_i.value, self.dut.written_i.value = 1, address // LINE_UNITS
        await self.bench.wait(1)
        self.dut.written_valid_i.value = 0

    def told(self) -> dict[str, int]:
        return structs.unpack("wc_item_pkg::host_told_t", value_of(self.dut.told_o))

    async def ask(
        self, address: int, beats: int = 0, wait: int = 60_000
    ) -> tuple[dict[str, int], int]:
        """What is told in the end, and after how many cycles."""
        self.dut.ask_i.value = structs.pack(
            "wc_item_pkg::host_ask_t", valid=1, address=address, run=beats, segment=0
        )
        await self.bench.wait(1)
        self.dut.ask_i.value = structs.pack(
            "wc_item_pkg::host_ask_t", valid=0, address=random.getrandbits(32), run=5, segment=0
        )
        for cycles in range(1, wait):
            await self.bench.wait(1)
            if not self.told()["busy"]:
                return self.told(), cycles
        raise AssertionError("it is still busy")


def beat_units(dut: Any) -> int:
    return value_of(dut.BeatUnits)


@cocotb.test()
async def units_as_they_are_in_memory(dut):
    """Of beats that are zero, that have a single bit, and that memory does not tell."""
    units = beat_units(dut)
    reader = await Reader.start(dut, read=(1, 60), willing=0.5)
    bad: set[int] = set()
    reader.memory.fails_read = lambda address: address in bad
    size = units * UNIT
    seen = {"zeros": 0, "some": 0, "error": 0}
    for _ in range(300):
        base = random.randrange(2**32 // units) * units
        data = bytes(size)
        kind = random.choice(["zeros", "some", "error"])
        if kind == "some":
            data = random.choice(
                [random.randbytes(size), (1 << random.randrange(8 * size)).to_bytes(size, "little")]
            )
        elif kind == "error":
            bad.add(base * UNIT)
        reader.memory.load(base * UNIT, data)
        unit = base + random.randrange(units)
        told, _ = await reader.ask(unit)
        seen[kind] += 1
        assert told["error"] == (kind == "error") and told["passed"] == 0
        if kind == "error":
            bad.clear()
            continue
        assert told["zeros"] == (not any(data))
        at = (unit - base) * UNIT
        assert told["data"] == int.from_bytes(data[at : at + UNIT], "little")
    assert min(seen.values()) > 30


@cocotb.test()
async def beats_that_are_zero_are_passed(dut):
    """Up to one that is not, or that memory does not tell, or the last one that may be; in groups
    that were written, or share their bit with one that was, and in others."""
    units = beat_units(dut)
    reader = await Reader.start(dut, read=(1, 30), willing=0.7)
    group = value_of(dut.GroupLines) * LINE_UNITS // units  # beats
    bad: set[int] = set()
    reader.memory.fails_read = lambda address: address in bad
    size = units * UNIT
    seen = {"some": 0, "error": 0, "none": 0}
    for round_ in range(400):
        begin = random.randrange(value_of(dut.Groups) * group * 4)
        # Now and then up to the beats around a group's end.
        close = -begin % group + random.randrange(3) * group + random.randint(-1, 1)
        most = random.choice((1, 2, 7, 8, 9, 30, group, 12 * group, max(close, 1)))
        kind = random.choice([*seen])
        where = random.randint(0, most)
        data = random.randbytes(size - 1) + b"x"
        if kind != "none":
            await reader.write((begin + where) * units, data)
        if kind == "error":
            bad.add((begin + where) * size)
        # What is behind does not matter.
        await reader.write((begin + (most if kind == "none" else where) + 1) * units, data)
        at = random.randrange(units)
        told, _ = await reader.ask(begin * units + at, most)
        assert told["passed"] == (most if kind == "none" else where)
        assert told["error"] == (kind == "error")
        if kind != "error":
            assert told["zeros"] == (kind == "none")
            wanted = data[at * UNIT :][:UNIT] if kind == "some" else bytes(UNIT)
            assert told["data"] == int.from_bytes(wanted, "little")
        reader.memory.lines.clear()
        bad.clear()
        seen[kind] += 1
        if round_ % 20 == 0:  # of what was written nothing is left
            await reader.clear()
    assert min(seen.values()) > 20


@cocotb.test()
async def latency(dut):
    reader = await Reader.start(dut, read=(20, 20))
    cycles = {(await reader.ask(random.randrange(2**32)))[1] for _ in range(5)}
    assert cycles == {20 + LATENCY}
    # Bursts of eight: as much again for each, and a cycle for each beat. The groups that are read
    # have a line that was written, though it is zero now.
    group = value_of(dut.GroupLines) * LINE_UNITS // beat_units(dut)
    await reader.write(0, bytes(UNIT))
    for bursts in range(1, group // 8 + 1):
        _, took = await reader.ask(0, 8 * bursts - 1)
        assert took == bursts * (20 + LATENCY + 2 + 7) - (bursts - 1)
    told, whole = await reader.ask(0, group - 1)
    for more in (1, 2, 5):
        told, took = await reader.ask(0, group - 1 + more * group)
        assert (told["zeros"], told["passed"]) == (1, group - 1 + more * group)
        assert took == whole + 2 * more
    await reader.clear()
    _, took = await reader.ask(0, 3 * group - 1)
    assert took == 2 * 3 + 1


@cocotb.test()
async def a_busy_one_takes_no_other(dut):
    reader = await Reader.start(dut, read=(40, 40))
    reader.memory.load(160 * UNIT, b"x" * UNIT)
    ask = structs.pack("wc_item_pkg::host_ask_t", valid=1, address=160, run=0, segment=0)
    dut.ask_i.value = ask
    await reader.bench.wait(1)
    dut.ask_i.value = structs.pack(
        "wc_item_pkg::host_ask_t", valid=1, address=320, run=9, segment=0
    )
    await reader.bench.wait(20)
    dut.ask_i.value = 0
    await reader.bench.wait(60)
    assert not reader.told()["busy"]
    assert reader.told()["data"] == int.from_bytes(b"x" * UNIT, "little")
    assert reader.memory.lines_read == 1


@cocotb.test()
async def links(dut):
    reader = await Reader.start(dut)
    links: dict[int, int] = {}
    for _ in range(2000):
        segment, then = random.randrange(SEGMENTS), random.randrange(SEGMENTS)
        dut.link_i.value = structs.pack(
            "wc_log_pkg::link_t", valid=random.random() < 0.5, segment=segment, next=then
        )
        asked = random.choice([*links]) if links else 0
        dut.ask_i.value = structs.pack(
            "wc_item_pkg::host_ask_t", valid=0, address=0, run=0, segment=asked
        )
        await reader.bench.wait(1)
        before = links.get(asked)
        link = structs.unpack("wc_log_pkg::link_t", value_of(dut.link_i))
        if link["valid"]:
            links[link["segment"]] = link["next"]
        dut.link_i.value = 0
        await reader.bench.wait(1)
        if before is not None and links[asked] == before:
            assert reader.told()["next"] == before
    assert len(links) > SEGMENTS // 2


@pytest.mark.parametrize("units", [1, LINE_UNITS])
def test_wc_item_host_read(units: int) -> None:
    run("wc_item_host_read", __file__, {"BeatUnits": units, "Groups": 16, "GroupLines": 32})
