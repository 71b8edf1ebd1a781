# SPDX-License-Identifier: Apache-2.0
"""wc_item_dispatch, wc_item_cas and wc_item_compare together: every answer, job, verdict and
request is what a model of the policy says, in the order of operations, and at full rate."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import cocotb
import pytest
from item_bench import HEADER_BYTES, OP, UNIT_BYTES, Item, Pair, alike, random_op
from wirecache.model.index import LARGEST_ITEM, MAX_ITEM
from wirecache.testbench.bench import full, rounds, run

ALL = {"get": 6, "set": 3, "cas": 1, "add": 1, "replace": 1, "delete": 2, "delete_cas": 1,
       "refuse": 0.5, "touch": 1, "gat": 1, "look": 1, "incr": 1, "decr": 0.5, "append": 1,
       "prepend": 1, "follow": 2, "sweep": 2, "none": 1, "flush": 0.3}  # fmt: skip


async def mix(pair: Pair, count: int, phases: int, weights: dict[str, float]) -> None:
    for _ in range(phases):
        for _ in range(8):
            random_op(pair, {"set": 1})
        for _ in range(count):
            random_op(pair, weights)
        await pair.check()
        await pair.set_time(pair.model.time + random.choice([0, 1, 2, 5]))


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def mixed(dut):
    pair = await Pair.start(dut)
    await mix(pair, 300, 4, ALL)
    assert pair.drawn["late"] and pair.drawn["early"], pair.drawn


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def mixed_with_stalls(dut):
    pair = await Pair.start(dut, latency=(1, 100), all=0.6)
    pair.short_room = 0.7
    await mix(pair, 250, 4, ALL)


@cocotb.test(timeout_time=8, timeout_unit="ms")
@cocotb.parametrize(
    slow=[
        *("answer", "write", "request", "result", "key", "short", "verdict", "settle", "beat"),
        "number",
    ]
)
async def one_stalls(dut, slow):
    paces: dict[str, Any] = {slow: 0.1}
    pair = await Pair.start(dut, **paces)
    await mix(pair, 150, 2, ALL)


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def changes_that_ask(dut):
    """Nearly every operation depends on its item, or draws a number behind one that does."""
    pair = await Pair.start(dut, latency=(30, 120))
    await mix(pair, 200, 4, {"set": 4, "cas": 4, "add": 2, "delete_cas": 2, "flush": 1, "get": 1})
    assert pair.drawn["late"] > pair.drawn["early"], pair.drawn


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def touches(dut):
    """More of them than may wait for memory."""
    pair = await Pair.start(dut)
    await mix(pair, 300, 3, {"touch": 6, "gat": 4, "look": 2, "get": 1, "set": 1, "cas": 1})
    assert pair.patched > 200, pair.patched


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def numbers(dut):
    """More of them than may wait for their digits."""
    pair = await Pair.start(dut)
    await mix(pair, 300, 4, {"incr": 4, "decr": 4, "get": 1, "set": 1, "touch": 1})
    assert pair.drawn["late"]


@cocotb.test(timeout_time=40, timeout_unit="ms")
@cocotb.parametrize(others=[0.0, 0.3])
async def chains(dut, others):
    """Many follow each other; between them is what neither counts nor follows, or a flush."""
    pair = await Pair.start(dut)
    between = {"get": 1, "set": 1, "cas": 1, "flush": 0.1, "sweep": 0.3}
    weights = {"incr": 1.0, "follow": 12} | {name: others * n for name, n in between.items()}
    for _ in rounds(1, lambda: pair.followed > 15):
        await mix(pair, 300, 4, weights)


@cocotb.test(timeout_time=8, timeout_unit="ms")
@cocotb.parametrize(most_bytes=[LARGEST_ITEM, MAX_ITEM, MAX_ITEM // 3])
async def joins(dut, most_bytes):
    """More of them than may wait for the writer; some would be too large."""
    pair = await Pair.start(dut, most_bytes=most_bytes)
    others = {"incr": 1, "get": 1, "set": 1, "touch": 1}
    await mix(pair, 300, 4, {"append": 4, "prepend": 4, **others})
    assert pair.drawn["late"]


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def slow_writer(dut):
    pair = await Pair.start(dut)
    pair.writing = (20, 100)
    await mix(pair, 100, 2, {"get": 3, "set": 4, "cas": 1, "sweep": 1})


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def all_key_lengths(dut):
    """A key of each length at each place of an item is found, and those like it are not."""
    pair = await Pair.start(dut)
    random_op(pair, {"set": 1})
    pair.operation(OP.OpSet, b"a", value_len=0)
    for length in range(1, 251):
        key = random.randbytes(length)
        for offset in range(4):
            for other in (key, alike(key), alike(key)):
                value = random.randbytes(random.choice([0, 1, 8, 100]))
                item = Item(other, value, random.getrandbits(32), 0, pair.model.last)
                pair.operation(OP.OpGet, key, item=item, offset=offset, key_words=offset & 1)
        if length % 50 == 0:
            await pair.check()


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def no_room_for_short_items(dut):
    pair = await Pair.start(dut)
    pair.short_room = 0.0
    await mix(pair, 100, 1, ALL)


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(weights=[{"get": 1.0}, {"get": 3.0, "set": 1.0}])
async def announced_flush_among_operations(dut, weights):
    """The time of the flush comes while operations follow one another without a gap. From one of
    them on everything that was stored before is dead, and what is stored from then on lives."""
    pair = await Pair.start(dut)
    pair.bump_rate = 0.0  # nobody knows which of them find an item
    pair.give_rate = 0.0  # each SET draws the number that its item is read with
    for _ in range(20):
        random_op(pair, {"set": 1})
    await pair.check()
    last = pair.model.last
    before = Item(b"before", b"", 0, 0, last)
    pair.operation(OP.OpFlush, expiry=pair.model.time + 1)
    stored = 0
    for _ in range(300):
        if "set" in weights and random.random() < 0.3:
            pair.operation(OP.OpSet, b"k", value_len=0)
            stored += 1
        pair.operation(OP.OpGet, before.key, item=Item(b"before", b"", 0, 0, last))
        if stored:
            pair.operation(OP.OpGet, b"after", item=Item(b"after", b"", 0, 0, pair.model.last))
    kinds = [r["op"]["key_len"] for r in pair.expected.results]
    dut.time_i.value = pair.model.time
    # 300 GETs take 600 cycles at least: some come before, some behind.
    await pair.bench.wait(random.randint(300, 550))
    dut.time_i.value = pair.model.time + 1
    await pair.settle()
    came = list(pair.results.items)
    hits = [r["op"]["status"] == 0 for r in came]
    old = [hit for hit, n in zip(hits, kinds, strict=True) if n == len(b"before")]
    assert old[0] and not old[-1]
    assert old == sorted(old, reverse=True), "an item that was flushed came back"
    turn = next(i for i, (h, n) in enumerate(zip(hits, kinds, strict=True)) if n == 6 and not h)
    # A SET is numbered in the order of operations: those after the turn are not flushed. One just
    # before it may be, or not: the flush may be on either side.
    for i, (hit, n) in enumerate(zip(hits, kinds, strict=True)):
        if n == len(b"after") and not hit:
            sets = [j for j in range(turn, i) if kinds[j] == 1]
            assert not sets, "what was stored after the flush is dead"


async def rate(dut: Any, keys: list[int], value: int, latency: int) -> tuple[float, float]:
    """Cycles a GET that hits, with all of it ready at once; and what it may take: a cycle a word of
    the key, one more for each beat in front of that with the key's first word, 2 at least."""
    pair = await Pair.start(dut, latency=(latency, latency))
    pair.operation(OP.OpSet, b"a", value_len=0)
    await pair.check()
    count, most = 400, []
    for i in range(count):
        key = random.randbytes(keys[i % len(keys)])
        item = Item(key, random.randbytes(value), 0, 0, 1)
        pair.operation(OP.OpGet, key, item=item)
        front = HEADER_BYTES // UNIT_BYTES + item.address % pair.units
        most.append(max(2, front // pair.units + -(-len(key) // 8)))
    await pair.settle()
    cycles = list(pair.results.cycles)[-count:]
    cost = (cycles[-20] - cycles[40]) / (count - 60)
    may = sum(most[41:-19]) / (count - 60)
    text = "GET, keys of %s bytes, values of %d: %.3f cycles, %.3f at most"
    dut._log.info(text, keys, value, cost, may)
    await pair.check()
    return cost, may


@cocotb.test(timeout_time=8, timeout_unit="ms")
@cocotb.parametrize(
    of=[([8], 8), ([8], 300), ([16], 8), ([16], 300), ([250], 8), ([100], 8), ([1, 24], 8)],
    latency=[10, 200],
)
async def speed(dut, of, latency):
    keys, value = of
    cost, most = await rate(dut, keys, value, latency)
    assert cost <= most * 1.005


@cocotb.test(timeout_time=8, timeout_unit="ms")
@cocotb.parametrize(
    kind=["set", "none", "flush", "sweep", "miss", "delete", "creates", "create that finds"]
)
async def speed_of_others(dut, kind):
    pair = await Pair.start(dut, latency=(20, 20))
    pair.writing = (0, 0)
    count = 200
    for _ in range(count):
        match kind:
            case "set":
                pair.operation(OP.OpSet, b"key", value_len=8)
            case "none":
                pair.operation(OP.OpNone)
            case "flush":
                pair.operation(OP.OpFlush, expiry=0)
            case "sweep":
                pair.sweep(True, False)
            case "miss":
                pair.operation(OP.OpGet, b"key")
            case "creates":
                pair.operation(OP.OpGet, b"key", creates=1)
            case "create that finds":
                item = Item(b"key", b"", 0, 0, pair.model.floor + 1)
                pair.operation(OP.OpGet, b"key", item=item, creates=1)
            case "delete":
                pair.operation(OP.OpDelete, b"key", item=Item(b"key", b"", 0, 0, 0))
    await pair.settle()
    sink = pair.sinks["answer"] if kind == "sweep" else pair.results
    cycles = list(sink.cycles)
    cost = (cycles[-20] - cycles[40]) / (count - 60)
    dut._log.info("%s: %.3f cycles", kind, cost)
    await pair.check()
    # The two units of a header, and the key's word.
    reads = kind in ("delete", "create that finds")
    assert cost <= (3.0 if reads and pair.units == 1 else 2.0)


@cocotb.test(timeout_time=8, timeout_unit="ms")
@cocotb.parametrize(of=[(10, 12), (20, 16)], key=[16, 88])
async def speed_of_chains(dut, of, key):
    """Those that follow wait for the number of the one before, and for its digits; one with a long
    key for its words."""
    digits, most = of
    pair = await Pair.start(dut, latency=(20, 20))
    pair.writing = (0, 0)
    pair.operation(OP.OpSet, b"a", value_len=0)
    item = Item(random.randbytes(key), b"1".ljust(digits, b"0"), 0, 0, 1)
    count = 120
    for _ in range(count):
        follows = item is not pair.kept.item and pair.kept.item is not None
        pair.operation(
            OP.OpIncr,
            item.key,
            pair.kept.item or item,
            follows=follows,
            delta=1,
            creates=0,
            touches=0,
        )
    await pair.settle()
    cycles = list(pair.results.cycles)
    cost = (cycles[-20] - cycles[20]) / (count - 39)
    dut._log.info("INCR of one key of %d bytes, %d digits: %.2f cycles", key, digits, cost)
    await pair.check()
    assert pair.followed == count - 1
    assert cost <= most + 0.02


@pytest.mark.parametrize("units,operations", [(1, 128), (4, 16), full(4, 128), full(1, 16)])
def test_wc_item_compare(units, operations):
    run(
        "wc_item_pair_tb",
        __file__,
        parameters={"BeatUnits": units, "Operations": operations},
        extra_sources=[Path(__file__).parent / "wc_item_pair_tb.sv"],
        core="item",
        tests=() if operations == 128 else ("mixed", "mixed_with_stalls"),
    )
