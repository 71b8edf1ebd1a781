# SPDX-License-Identifier: Apache-2.0
"""wc_item with a filter before its table: what is not there costs no access to memory, whatever has
been there before. What is there is found: the other benches of wc_item run with a filter, too."""

from __future__ import annotations

from pathlib import Path

import cocotb
import pytest
from wc_item_bench import OP, ItemBench, play, run_item
from wirecache.testbench.bench import full

CELLS = 4096


def keys(count: int, first: int = 0) -> list[bytes]:
    return [b"key%06d" % number for number in range(first, first + count)]


async def ask(bench: ItemBench, kind: int, names: list[bytes]) -> tuple[int, float, int]:
    """Lines read for it, cycles an operation, and how many were denied."""
    read, denied, begun = bench.index.lines_read, bench.denied, len(bench.done.cycles)
    for key in names:
        bench.send(kind, key)
    await bench.check(len(names))
    cycles = list(bench.done.cycles)[begun:]
    pace = (cycles[-20] - cycles[20]) / (len(cycles) - 40)
    return bench.index.lines_read - read, pace, bench.denied - denied


async def start(dut, shift: int = 6) -> ItemBench:
    bench = await ItemBench.start(dut, shift=shift, read=(60, 60), write=(20, 20))
    bench.plain, bench.reads = True, 1  # no answer of a GET is taken back
    return bench


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(kind=["OpGet", "OpTouch", "OpDelete"])
async def nothing_is_there(dut, kind):
    """An empty table: no line is read, an operation takes two cycles."""
    bench = await start(dut)
    assert await ask(bench, OP[kind], keys(400)) == (0, 2.0, 400)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def others_are_there(dut):
    """A quarter of the cells have keys: of those that are not there hardly any is looked for."""
    bench = await start(dut)
    there = keys(1000)
    for key in there:
        bench.send(OP.OpSet, key, b"v")
    await bench.check(len(there))
    # (1 - e^(-1000 / 4096))^7 is 5 in 100,000.
    lines, pace, denied = await ask(bench, OP.OpGet, keys(2000, first=10_000))
    assert denied >= 1995 and lines <= 5 and pace < 2.5
    hits = bench.hits
    _, _, denied = await ask(bench, OP.OpGet, there)
    assert denied <= len(there) - (bench.hits - hits) < 30  # the others lost their slots


@cocotb.test(timeout_time=30, timeout_unit="ms")
@cocotb.parametrize(shift=[6, 0])
async def all_have_gone(dut, shift):
    """More was stored than memory holds, by all kinds of operations; then all keys are deleted. No
    counter is left: nothing is looked for. Of 512 buckets, and of eight, which are full: items put
    others out there."""
    bench = await start(dut, shift)
    await play(bench, 2500, 200, 9000, 0.7, flushes=0.0)
    names = sorted(set(bench.names))
    for key in names:
        bench.send(OP.OpDelete, key)
    await bench.check(len(names))
    _, _, denied = await ask(bench, OP.OpGet, names)
    assert len(names) > 150 and denied == len(names)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def one_key_again_and_again(dut):
    """As many SETs and ADDs of one key on their way as can be, while memory is slow: they fill no
    counter. Behind a DELETE the key is denied, and a plain one is served."""
    bench = await ItemBench.start(dut, shift=6, read=(400, 400), write=(400, 400))
    bench.plain, bench.reads = True, 1
    for turn in range(600):
        bench.send(OP.OpAdd if turn % 5 == 0 else OP.OpSet, b"hot", b"v")
    bench.send(OP.OpDelete, b"hot")
    bench.send(OP.OpSet, b"plain", b"v")
    await bench.check(602)
    denied, hits = bench.denied, bench.hits
    bench.send(OP.OpGet, b"hot")
    bench.send(OP.OpGet, b"plain")
    await bench.check(2)
    assert (bench.denied - denied, bench.hits - hits) == (1, 1)


@pytest.mark.full
@pytest.mark.parametrize("cells", [64, 1024])
@pytest.mark.parametrize("bench", ["item", "item_count", "item_join", "item_fails"])
def test_others_behind_a_filter(bench, cells):
    """All that the other benches do."""
    run_item(str(Path(__file__).with_name(f"test_wc_{bench}.py")), 16, 4, (), cells)


@pytest.mark.parametrize("units", [4, full(1)])
def test_wc_item_filter(units):
    run_item(__file__, 64, units, (), CELLS)
