# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_pieces: with what it makes of pieces given to it again, as a connection does, and a set of
bytes as the reference."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from wirecache.circuit import structs
from wirecache.testbench.bench import CLOCK_PS, run

MOST = 4
BITS = structs.constant("wc_tcp_engine_pkg::OffsetBits")
Piece = tuple[int, int]


def spans(there: set[int]) -> list[Piece]:
    """Pieces of neighbours."""
    found: list[Piece] = []
    for at in sorted(there):
        if found and found[-1][1] == at:
            found[-1] = found[-1][0], at + 1
        else:
            found.append((at, at + 1))
    return found


def pack(offsets: list[int]) -> int:
    return sum(offset << BITS * n for n, offset in enumerate(offsets))


def unpack(bits: int) -> list[int]:
    return [bits >> BITS * n & (1 << BITS) - 1 for n in range(MOST)]


async def step(dut: Any, pieces: list[Piece], on: int, new: Piece, forgets: bool) -> list[Piece]:
    dut.starts_i.value = pack([piece[0] for piece in pieces])
    dut.stops_i.value = pack([piece[1] for piece in pieces])
    dut.advance_i.value = on
    dut.start_i.value, dut.stop_i.value = new
    dut.forgets_i.value = forgets
    await ClockCycles(dut.clk_i, 1)
    dut.forgets_i.value = not forgets  # of who comes behind, as all that follows
    for name in ("starts_i", "stops_i", "advance_i", "start_i", "stop_i"):
        getattr(dut, name).value = 0
    await ClockCycles(dut.clk_i, 5)
    found = list(zip(unpack(int(dut.starts_o.value)), unpack(int(dut.stops_o.value)), strict=True))
    assert all(piece == (0, 0) for piece in found if not piece[1])
    return [piece for piece in found if piece[1]]


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def at_random(dut):
    cocotb.start_soon(Clock(dut.clk_i, CLOCK_PS, unit="ps").start())  # type: ignore[arg-type]
    drops = joins = 0
    for scale in (1, 1000, 28_000):
        there: set[int] = set()
        for _ in range(3000):
            forgets = random.random() < 0.5
            before = spans(there)
            on = random.choice((0, 0, 0, 1, 2, random.randrange(40)))
            start = random.randrange(60)
            new = start, start + random.choice((0, 1, 2, 3, 12))
            moved = {at - on for at in there if at >= on}
            after = moved | set(range(*new))
            dropped = len(spans(after)) > MOST
            news = after != moved
            if dropped and forgets:
                after = {at for piece in spans(after)[:MOST] for at in range(*piece)}
            elif dropped:
                after, news = moved, False
            got = await step(
                dut,
                [(a * scale, b * scale) for a, b in before],
                on * scale,
                (new[0] * scale, new[1] * scale),
                forgets,
            )
            assert got == [(a * scale, b * scale) for a, b in spans(after)]
            assert int(dut.dropped_o.value) == dropped
            assert int(dut.news_o.value) == news
            drops += dropped
            joins += len(spans(after)) < len(spans(moved))
            there = after
    assert drops > 50 and joins > 50


def test_wc_tcp_pieces():
    run("wc_tcp_pieces", __file__)
