# SPDX-License-Identifier: Apache-2.0
"""wc_item_values: the words of every value, in order, out of the beats of its item wherever they
are; every result unchanged; a pulse for each hit, whatever became of its answer. A beat is a line,
and the lines of short items come on a way of their own, or a unit, and there is no such way."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cocotb
import pytest
from log_read_bench import Around, Chains, noise
from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, Sink, Source, full, run
from wirecache.testbench.cycle import every_cycle, value_of

OP = structs.enum("op_e")
ST = structs.enum("status_e")
WORD = structs.width("word_t")
BITS = structs.width("result_t")
HEADER_WORDS = structs.constant("wc_log_pkg::HeaderWords")
UNIT_WORDS = 2


@dataclass
class Item:
    """Where it stands, and what is read of it."""

    address: int
    key_len: int
    value_len: int

    def front(self, units: int) -> int:
        """Words in front of the value, from the item's first beat on."""
        return UNIT_WORDS * (self.address % units) + HEADER_WORDS + -(-self.key_len // 8)

    @property
    def words(self) -> int:
        return -(-self.value_len // 8)


class Values:
    """The device with everything around it, and what must come out of it."""

    def __init__(self, bench: Bench, chains: Chains, around: Around, pace: tuple[float, ...]):
        self.bench, self.chains, self.around = bench, chains, around
        self.units = chains.units  # of a beat
        self.beat_words = UNIT_WORDS * self.units
        self.results_in: Source = bench.source("result", None, pace[0])
        self.shorts: Source = bench.source("short", None, pace[1])
        self.results: Sink = bench.sink("result", None, pace[2])
        self.values: Sink = bench.sink("value", None, pace[3])
        self.leaves: list[int] = []
        self.wanted_results: list[int] = []
        self.wanted_values: list[tuple[Item, int | None, bool]] = []  # short: line and error
        self.wanted_leaves: list[int] = []
        every_cycle(bench.clock, self._step)

    @classmethod
    async def start(
        cls, dut: Any, bits: int = 11, pace: tuple[float, ...] = (1.0,) * 4, **around: Any
    ) -> Values:
        chains = Chains(bits, int(dut.BeatUnits.value))
        bench = await Bench.start(dut, {"settings_i": chains.settings, "link_i": 0})
        values = cls(bench, chains, Around(bench, **around), pace)
        await bench.reset()
        await chains.tell(bench, dut.link_i)
        return values

    def _step(self) -> None:
        if value_of(self.bench.dut.leave_valid_o):
            self.leaves.append(value_of(self.bench.dut.leave_segment_o))

    def may_be_short(self, item: Item) -> bool:
        """Its line may come on the way of short items."""
        return self.units == 4 and item.front(4) + item.words <= self.beat_words

    def send(
        self, item: Item, short: bool, op: str = "OpGet", status: str = "StOk", hit: bool = True
    ) -> None:
        """`hit` and another `op` than OpGet: its answer was taken back, or cut. `short` and no
        hit: the item that was compared has another key. A GET with no hit, and yet StOk, has
        created an item, which has no value."""
        fields = structs.unpack("result_t", random.getrandbits(BITS))
        fields["op"] |= {"op": OP[op], "status": ST[status], "key_len": item.key_len}
        fields |= {"hit": int(hit), "one_line": int(short)}
        created = op == "OpGet" and status == "StOk" and not hit
        fields["value_len"] = 0 if created else item.value_len
        pointer = {"size_class": item.address >> 30, "line": item.address & (1 << 30) - 1}
        fields["pointer"] = pointer
        result = structs.pack("result_t", **fields)
        self.wanted_results.append(result)
        self.results_in.send(result)
        line, error = random.getrandbits(512), random.random() < 0.1
        if short:
            self.shorts.send(int(error) << 256 | line >> 256)
        if hit:
            self.wanted_leaves.append(item.address >> self.chains.bits)
            if item.value_len and op == "OpGet":
                self.wanted_values.append((item, line if short else None, error))

    def places(self, item: Item) -> list[int]:
        """The beats that hold its value."""
        skip, first = divmod(item.front(self.units), self.beat_words)
        count = -(-(first + item.words) // self.beat_words)
        return self.chains.walk(item.address // self.units, skip, count)

    def late(self, item: Item) -> int:
        """Its beats that are taken with their last word, so the next one comes a cycle late."""
        size = self.beat_words
        first = item.front(self.units) % size
        alone = first == size - 1  # the first beat has one word
        return int(alone) + int((first + item.words) % size != 0)

    def words(self, item: Item, short: int | None, error: bool) -> list[tuple[int | None, bool]]:
        """Each word of a value, and whether it is in error: then it may be anything."""
        if short is not None:
            beats = [(short, error)]
        else:
            read = map(self.around.beat, self.places(item))
            beats = [(data or 0, wrong) for data, wrong in read]
        first = item.front(self.units) % self.beat_words
        found: list[tuple[int | None, bool]] = []
        for n in range(first, first + item.words):
            beat, wrong = beats[n // self.beat_words]
            found.append((beat >> WORD * (n % self.beat_words) & (1 << WORD) - 1, wrong))
        last, wrong = found[-1]
        assert last is not None
        found[-1] = last & (1 << 8 * ((item.value_len - 1) % 8 + 1)) - 1, wrong
        return found

    def beats(self) -> list[int]:
        """All beats that will be read."""
        found: list[int] = []
        for item, short, _ in self.wanted_values:
            if short is None:
                found += self.places(item)
        return found

    async def check(self) -> int:
        """All that must come, and nothing else; how many words were in error."""
        errors = 0
        for n, wanted in enumerate(self.wanted_results):
            assert await self.results.get() == wanted, f"result {n}"
        for n, value in enumerate(self.wanted_values):
            words = self.words(*value)
            for at, (word, error) in enumerate(words):
                got = await self.values.get()
                where = f"value {n}, word {at} of {value[0]}"
                assert got >> WORD + 1 == int(error), f"{where}: error"
                assert got & 1 == int(at == len(words) - 1), f"{where}: last"
                assert error or got >> 1 & (1 << WORD) - 1 == word, where
                errors += error
        await self.shorts.wait()
        await self.bench.wait(100)
        assert not self.results.items and not self.values.items, "something made up"
        assert self.leaves == self.wanted_leaves
        for done in (self.wanted_results, self.wanted_values, self.wanted_leaves, self.leaves):
            done.clear()
        return errors


def some_item(chains: Chains, longest: int = 5000) -> Item:
    line = random.randrange(256 * chains.lines)
    if random.random() < 0.3:
        line |= chains.lines - 1
        line -= random.randrange(6)
    key_len = random.choice([random.randint(1, 16), random.randint(1, 40), random.randint(1, 250)])
    value_len = random.choice([0, 1, 8, 16, random.randint(0, 64), random.randint(0, 600)])
    if random.random() < 0.1:
        value_len = random.randint(0, longest)
    return Item(line << 2 | random.randrange(4), key_len, value_len)


def send_any(values: Values, item: Item) -> None:
    """An operation of any kind on an item."""
    if random.random() < 0.8:
        values.send(item, values.may_be_short(item) and random.random() < 0.8)
    elif random.random() < 0.5:
        status = random.choice(["StOk", "StAnswerTooLarge"])
        short = values.may_be_short(item) and random.random() < 0.8
        values.send(item, short, "OpNone", status)
    else:
        kinds = [("OpGet", "StNotFound"), ("OpSet", "StOk"), ("OpDelete", "StOk")]
        kinds += [("OpGet", "StOk")]
        kinds += [("OpFlush", "StOk"), ("OpNone", "StOk"), ("OpNone", "StAnswerTooLarge")]
        op, status = random.choice(kinds)
        short = values.units == 4 and op == "OpGet" and random.random() < 0.5
        values.send(item, short, op, status, hit=False)


async def random_run(dut: Any, count: int, hot: float, errors: float, **how: Any) -> None:
    """`hot`: how many beats the ring has; `errors`: how many memory did not read, or write."""
    values = await Values.start(dut, **how)
    around = values.around
    for _ in range(count):
        send_any(values, some_item(values.chains))
    for beat in set(values.beats()):
        if random.random() < hot:
            around.ring[beat] = noise("ring", beat, values.units)
        if random.random() < errors:
            those, one = random.choice([(around.bad, around.line_of(beat)), (around.unread, beat)])
            those.add(one)
    assert (await values.check() > 0) or not errors
    # A beat also waits until it is known whether it could be written: 3 cycles from its address.
    if around.memory.read[0] >= 4:
        assert around.held <= around.hits, "R was held back"


@cocotb.test(timeout_time=3, timeout_unit="ms")
@cocotb.parametrize(bits=[11, 12, 24])
async def random_items(dut, bits):
    await random_run(dut, 200, 0.3, 0.0, bits=bits)


@cocotb.test(timeout_time=3, timeout_unit="ms")
@cocotb.parametrize(latency=[(1, 1), (1, 30), (80, 160)])
async def latencies(dut, latency):
    await random_run(dut, 150, 0.5, 0.05, read=latency)


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(
    pace=[(0.4, 1, 1, 1), (1, 0.3, 1, 1), (1, 1, 0.2, 1), (1, 1, 1, 0.3), (0.6, 0.6, 0.6, 0.6)]
)
async def irregular(dut, pace):
    """Every stream stalls."""
    await random_run(dut, 100, 0.5, 0.05, pace=pace, asks=0.7, willing=0.7)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def all_places(dut):
    """Each first word, and each number of words from there to the second beat and beyond."""
    values = await Values.start(dut, read=(5, 20))
    for unit in range(4):
        for key_words in (1, 2, 3, 4, 5, 8, 31, 32):
            for size in (1, 7, 8, 9, 16, 23, 24, 39, 40, 41, 64, 65):
                line = random.randrange(1 << 17) | random.choice([0, 511])
                key_len = min(250, 8 * key_words - random.randrange(8))
                item = Item(line << 2 | unit, key_len, size)
                values.send(item, values.may_be_short(item) and random.random() < 0.5)
    await values.check()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def one_mebibyte(dut):
    """The longest value, over 33 segments, with small ones around it, a word a cycle."""
    values = await Values.start(dut, read=(30, 40))
    small = Item(77 << 2, 5, 20)
    values.send(small, False)
    values.send(Item(random.randrange(1 << 17) << 2 | 2, 250, 1 << 20), False)
    values.send(small, values.may_be_short(small))
    while len(values.values.items) < 130000:
        await values.bench.wait(100)
    cycles = list(values.values.cycles)
    dut._log.info(f"128 Ki words: {(cycles[129999] - cycles[9999]) / 120000:.3f} cycles a word")
    assert cycles[129999] - cycles[9999] < 1.02 * 120000
    await values.check()


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(which=["values", "results"])
async def one_output_stalls(dut, which):
    """The other one goes on, as far as the queues reach."""
    values = await Values.start(dut, read=(5, 10))
    stalled, goes_on = values.values, values.results
    if which == "results":
        stalled, goes_on = goes_on, stalled
    stalled.pace.willing = 0.0
    for n in range(200):
        item = Item((n * 613) << 2, 10, 4)
        values.send(item, values.may_be_short(item) and n % 3 == 0)
    await values.bench.wait(1500)
    depth = int(dut.Depth.value)
    dut._log.info(f"{which} stall: {len(goes_on.items)} of the other")
    assert depth <= len(goes_on.items) <= depth + 12
    stalled.pace.willing = 1.0
    await values.check()


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(
    kind=["short 0", "short 1", "short 2", "asked 1", "asked 2", "asked 9", "none"], key=[6, 250]
)
async def rate(dut, kind, key):
    """A cycle a word, and one more for each beat that is not taken with its last word but one. A
    request takes a cycle, and one for each beat and each that is skipped, in one segment; twice as
    many where beats are units, as streams share what walks."""
    values = await Values.start(dut, read=(20, 20))
    what, _, size = kind.partition(" ")
    words = int(size or 0)
    item = Item(1, key, 8 * words)
    short = what == "short" and values.may_be_short(item)
    most = max(words, 1)
    if words and not short:
        skip = item.front(values.units) // values.beat_words
        walk = (1 + skip + len(values.places(item))) * (2 if values.units == 1 else 1)
        most = max(words + values.late(item), walk)
    for n in range(400):
        values.send(Item(n * 64 | 1, key, 8 * words), short)
    while len(values.results.items) < 400:
        await values.bench.wait(1)
    cycles = values.results.cycles
    per = (cycles[399] - cycles[199]) / 200
    dut._log.info(f"{kind}, key of {key} bytes: {per:.2f} cycles an operation, {most} at most")
    assert per <= 1.02 * most + 0.05  # how far results run ahead varies
    await values.check()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def latency(dut):
    values = await Values.start(dut, read=(20, 20))
    for short in (True, False):
        item = Item(4, 6, 8)
        short = short and values.may_be_short(item)
        start = values.bench.cycle()
        values.send(item, short)
        await values.check()
        first = values.values.cycles[-1] - start
        result = values.results.cycles[-1] - start
        dut._log.info(f"short {short}: result after {result} cycles, word after {first}")
        assert first <= (11 if short else 45)


@pytest.mark.parametrize(
    "units,depth,beats", [(4, 64, 64), (1, 16, 8), full(1, 64, 64), full(4, 16, 8)]
)
def test_wc_item_values(units, depth, beats):
    tests = ["random_items", "latencies", "irregular", "all_places", "one_output_stalls"]
    run(
        "wc_item_values_tb",
        __file__,
        {"BeatUnits": units, "Depth": depth, "Beats": beats},
        extra_sources=[Path(__file__).with_name("wc_item_values_tb.sv")],
        core="item",
        tests=() if depth == 64 else [f"{test}.*" for test in tests],
    )
