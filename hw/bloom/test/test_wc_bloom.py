# SPDX-License-Identifier: Apache-2.0
"""wc_bloom: the answers of the model, in order, one a cycle."""

from __future__ import annotations

import random
from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from wirecache.model.bloom import Bloom, Shape
from wirecache.testbench.bench import Bench, full, run
from wirecache.testbench.cycle import Driven, every_cycle, value_of

ASK, ADD, REMOVE = range(3)
LATENCY = 4


class Filter:
    """The device and its model; operations are given back to back unless one waits between."""

    def __init__(self, bench: Bench) -> None:
        self.bench, self.dut = bench, bench.dut
        dut = bench.dut
        shape = Shape(int(dut.Slices.value), int(dut.Cells.value))
        self.model = Bloom(shape, int(dut.CounterBits.value))
        self.ports = {name: Driven(getattr(dut, f"{name}_i")) for name in ("valid", "op", "hash")}
        self.there: list[int] = []  # keys that were added and not removed
        self.due: dict[int, tuple[int, int]] = {}  # cycle: what is answered
        self.answers = 0
        every_cycle(bench.clock, self._look)

    @classmethod
    async def start(cls, dut: Any) -> Filter:
        bench = await Bench.start(dut, {"clear_i": 0, "valid_i": 0, "op_i": 0, "hash_i": 0})
        rig = cls(bench)
        await bench.reset()
        await rig.ready()
        return rig

    async def ready(self) -> None:
        begun = self.bench.cycle()
        while not value_of(self.dut.ready_o):
            await RisingEdge(self.dut.clk_i)
        assert self.bench.cycle() - begun <= self.model.shape.cells + 3

    def _look(self) -> None:
        due = self.due.pop(self.bench.cycle(), None)
        assert bool(value_of(self.dut.valid_o)) == (due is not None)
        if due is not None:
            assert (value_of(self.dut.there_o), value_of(self.dut.full_o)) == due
            self.answers += 1

    async def give(self, op: int, hash_: int) -> None:
        """An operation, in this cycle; the model has it at once."""
        self.due[self.bench.cycle() + LATENCY + 1] = (
            int(self.model.there(hash_)),
            int(self.model.stuck(hash_)),
        )
        if op == ADD:
            self.model.change(hash_, 1)
            self.there.append(hash_)
        elif op == REMOVE:
            self.model.change(hash_, -1)
            self.there.remove(hash_)
        for name, value in (("valid", 1), ("op", op), ("hash", hash_)):
            self.ports[name].set(value)
        await RisingEdge(self.dut.clk_i)
        self.ports["valid"].set(0)

    async def settle(self) -> None:
        await self.bench.wait(LATENCY + 2)
        assert not self.due


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(keys=(3, 40, 2000), waits=(0.0, 0.4))
async def random_operations(dut, keys, waits):
    """Few keys again and again, so that operations of one follow each other, or many."""
    rig = await Filter.start(dut)
    names = [random.getrandbits(64) for _ in range(keys)]
    for _ in range(6000):
        while random.random() < waits:
            await RisingEdge(dut.clk_i)
        draw = random.random()
        if draw < 0.35 and rig.there:
            await rig.give(REMOVE, random.choice(rig.there))
        elif draw < 0.7:
            await rig.give(ADD, random.choice(names))
        else:
            await rig.give(ASK, random.choice((*names[:3], random.getrandbits(64))))
    await rig.settle()
    assert rig.answers == 6000
    for hash_ in set(rig.there):
        await rig.give(ASK, hash_)
        assert rig.model.there(hash_)
    await rig.settle()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def full_counters(dut):
    """A counter that was full stays so: its keys are found for ever, and more is removed of it
    than it counted."""
    rig = await Filter.start(dut)
    hash_ = random.getrandbits(64)
    many = rig.model.full + 5
    for _ in range(many):
        await rig.give(ADD, hash_)
    for _ in range(many):
        await rig.give(REMOVE, hash_)
    await rig.give(ASK, hash_)
    await rig.settle()
    assert rig.model.there(hash_) and rig.model.stuck(hash_)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def clear(dut):
    """Behind a clear nothing is there, full counters too."""
    rig = await Filter.start(dut)
    names = [random.getrandbits(64) for _ in range(200)]
    for hash_ in names * 20:
        await rig.give(ADD, hash_)
    await rig.settle()
    dut.clear_i.value = 1
    await RisingEdge(dut.clk_i)
    dut.clear_i.value = 0
    await RisingEdge(dut.clk_i)
    rig.model = Bloom(rig.model.shape, int(dut.CounterBits.value))
    rig.there.clear()
    await rig.ready()
    for hash_ in names:
        await rig.give(ASK, hash_)
        assert not rig.model.there(hash_)
    await rig.settle()


@pytest.mark.parametrize(
    ("slices", "cells", "counters"),
    [(10, 3227, 4), (3, 64, 2), full(20, 1638, 4), full(1, 2, 1), full(7, 4681, 8)],
)
def test_wc_bloom(slices, cells, counters):
    run("wc_bloom", __file__, {"Slices": slices, "Cells": cells, "CounterBits": counters})
