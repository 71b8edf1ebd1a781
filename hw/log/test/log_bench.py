# SPDX-License-Identifier: Apache-2.0
"""Around wc_log_write: a model of the logs that gives out places, jobs, what must be readable.

The model keeps what each item's lines hold. An item may be read from when the device says that
it is written until its segment is dropped: the ring has the line, or memory, or the line is in
the list of those that could not be written. Whoever reads asks for beats: lines, or units where
memory is that narrow (BeatUnits).
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from wirecache.circuit import structs
from wirecache.testbench import axi_memory
from wirecache.testbench.axi_memory import AxiMemory, Burst
from wirecache.testbench.bench import Bench, beats, words
from wirecache.testbench.cycle import Driven, every_cycle, value_of

LINE_UNITS = structs.constant("wc_log_pkg::LineUnits")
UNIT_BYTES = structs.constant("wc_log_pkg::UnitBytes")
NUMBER_WORDS = structs.constant("NumberWords")
HEADER_WORDS = structs.constant("wc_log_pkg::HeaderWords")
NEW, MAIN = (structs.enum("wc_log_pkg::log_e")[name] for name in ("LogNew", "LogMain"))
ANSWER = 5  # cycles from an ask to its answer
BITS = 11
SIZE = 1 << BITS  # of a segment, in units


def packed(header: dict[str, Any]) -> int:
    return structs.pack("wc_log_pkg::header_t", **header)


def numbered() -> dict[str, Any]:
    """What an operation says of an item's CAS number, and beside it in the second unit."""
    origin = {"given": random.randrange(2), "flushes": random.getrandbits(30)}
    return {"cas": random.getrandbits(64), "origin": origin, "encoded": random.randrange(2)}


def header_words(header: dict[str, Any]) -> list[int]:
    return [packed(header) >> 64 * i & (1 << 64) - 1 for i in range(HEADER_WORDS)]


@dataclass(eq=False)
class Item:
    """Words that stand in a log: their number in memory (two for each unit) -> word."""

    log: int
    words: dict[int, int]
    segments: set[int]
    alive: bool = True
    beats: list[int] = field(default_factory=list)  # units where they begin
    errors: set[int] = field(default_factory=set)  # lines with words in error
    place: int = 0
    header: dict[str, int] = field(default_factory=dict)  # of one that may be patched


class Chains:
    """The logs' chains and heads, as wc_log_pool and wc_log_place have them."""

    def __init__(self, segments: int, size: int = SIZE) -> None:
        self.size = size
        self.free = deque(range(segments))
        self.chains: list[deque[int]] = [deque(), deque()]
        self.offset = [size, size]
        self.links: deque[tuple[int, int]] = deque()
        self.taken = [0] * segments  # how often each was

    def _next(self, log: int) -> None:
        chain = self.chains[log]
        chain.append(self.free.popleft())
        self.taken[chain[-1]] += 1
        if len(chain) > 1:
            self.links.append((chain[-2], chain[-1]))

    def jump(self, log: int, lines: int) -> None:
        """The log goes on so many lines in front of its segment's end, if it is not yet there."""
        self.offset[log] = max(self.size - lines * LINE_UNITS, self.offset[log])

    def place(self, log: int, span: int) -> tuple[int | None, list[int]]:
        """(first unit that is left out, all units of the item)."""
        at, left_out = self.offset[log], None
        unit = at % LINE_UNITS
        if unit + span > LINE_UNITS if span <= LINE_UNITS else at == self.size - 1:
            left_out = self.chains[log][-1] * self.size + at
            at += LINE_UNITS - unit
        out: list[int] = []
        while len(out) < span:
            if at == self.size:
                self._next(log)
                at = 0
            count = min(span - len(out), self.size - at)
            base = self.chains[log][-1] * self.size + at
            out += range(base, base + count)
            at += count
        self.offset[log] = at
        return left_out, out


class LineMemory(AxiMemory):
    """Takes whole lines only, each one burst."""

    def _burst(self, address: int, beats: int) -> Burst:
        line = LINE_UNITS * UNIT_BYTES
        assert address % line == 0 and beats * axi_memory.LINE == line, "not a burst of one line"
        return super()._burst(address, beats)


class Writer:
    """The device with everything around it."""

    def __init__(self, dut: Any, bench: Bench, pace: float, chains: Chains, **memory: Any) -> None:
        self.dut, self.bench = dut, bench
        self.beat_units = int(dut.BeatUnits.value)
        axi_memory.LINE = self.beat_units * UNIT_BYTES
        self.memory = LineMemory(dut, torn=True, **memory)
        self.jobs = bench.source("write", "wc_log_pkg::write_t", pace)
        self.verdicts = bench.source("verdict", "wc_log_pkg::verdict_t", pace)
        self.keys = bench.source("key", "beat_t", pace)
        self.values = bench.source("value", "beat_t", pace)
        self.numbers = bench.source("number", "beat_t", pace)
        self.copies = bench.source("copy", "wc_log_pkg::copy_unit_t", pace)
        self.chains = chains
        self.coming: deque[Item] = deque()  # in the order of jobs
        self.there: deque[Item] = deque()
        self.eager: deque[int] = deque()
        self.questions: deque[tuple[Item, int, bool]] = deque()
        # with what was known of the line's error then
        self.asked: deque[tuple[Item, int, bool | None] | None] = deque([None] * (ANSWER + 1))
        self.hits = self.misses = self.bad = self.checked = 0
        self.written_at: list[int] = []
        self.ask_rate = 0.5
        self.copy_errors = 0.0  # of the units of copies
        # items with the new unit of their header, by its number: the first, the second
        # the item, and the units of its header that are written: number -> words
        self.patching: tuple[deque[tuple[Item, dict[int, list[int]]]], ...] = (deque(), deque())
        self.patched = 0
        self.errors = 0  # lines that were told to be in error, as they should
        self.lines_in_error: set[int] = set()  # of items that are there
        self.link_delay = (0, 40)
        self._links: deque[tuple[int, tuple[int, int]]] = deque()
        self.cycle = self._last_link = 0
        self._ask = Driven(dut.ask_valid_i)
        self._address = Driven(dut.ask_address_i)
        self._link = Driven(dut.link_i)
        self._bad_line = Driven(dut.bad_ask_line_i)
        self._bad_asked: deque[tuple[Item, int] | None] = deque([None] * 3)

    @classmethod
    async def start(
        cls, dut: Any, pace: float = 1.0, segments: int = 6, bits: int = BITS, **memory: Any
    ) -> Writer:
        settings = structs.pack("wc_log_pkg::log_settings_t", segment_bits=bits, segments=segments)
        bench = await Bench.start(dut, {"settings_i": settings, "clear_i": 0})
        writer = cls(dut, bench, pace, Chains(segments, 1 << bits), **memory)
        await bench.reset()
        every_cycle(bench.clock, writer._step)
        await bench.wait(300)  # tables are wiped
        return writer

    # ---- jobs ------------------------------------------------------------------------------------
    def _room(self, span: int) -> bool:
        """Drops segments until the item fits. Nothing is dropped that is not written."""
        chains = self.chains
        while len(chains.free) < span // chains.size + 2:
            log = max((NEW, MAIN), key=lambda log: len(chains.chains[log]))
            oldest = chains.chains[log][0]
            if any(oldest in item.segments for item in self.coming):
                return False
            if any(oldest in item.segments for item in self._being_patched()):
                return False
            chains.chains[log].popleft()
            chains.free.append(oldest)
            self.lines_in_error = {
                line for line in self.lines_in_error if line * LINE_UNITS // chains.size != oldest
            }
            for item in self.there:
                item.alive = item.alive and oldest not in item.segments
            self.there = deque(item for item in self.there if item.alive)
        return True

    def job(self, log: int, kind: str, key: bytes, value: bytes) -> bool:
        """One job with its words, if there is room: set, late, fails, copy, discard. Of an INCR
        with a value of up to NumberBytes: count, odd (it fails), lost (it is discarded).
        """
        number = kind in ("count", "odd", "lost")
        kind = {"count": "late", "odd": "fails", "lost": "discard"}.get(kind, kind)
        header = {
            **numbered(),
            "hash": random.getrandbits(32),
            "expiry": random.getrandbits(32),
            "flags": random.getrandbits(32),
            "used": random.getrandbits(32),
            "value_len": len(value),
            "key_len": len(key),
        }
        job_header, told = dict(header), {}
        text = words(value)
        if number:
            text += [0] * (NUMBER_WORDS - len(text))
            told = {name: random.getrandbits(32) for name in ("flags", "expiry")}
            told["keeps"] = random.randrange(2)
            told |= {"number": 1, "value_len": len(value)}
            header["number"] = 1
            if told["keeps"]:
                header |= {name: told[name] for name in ("flags", "expiry")}
            job_header["value_len"] = NUMBER_WORDS * 8
        elif kind in ("late", "fails"):  # it may be told to have another expiry than it came with
            told = {"keeps": random.randrange(2), "expiry": random.getrandbits(32)}
            told["flags"] = random.getrandbits(32)
            header["expiry"] = told["expiry"] if told["keeps"] else header["expiry"]
        verdict = numbered()
        body = header_words(header | verdict if kind in ("late", "fails") else header)
        numbers = text if number else []
        text = words(key) + text
        span = (HEADER_WORDS + len(text) + 1) // 2
        job = {"log": log, "span": span, "header": packed(job_header), "number": int(number)}
        if kind == "discard":
            self.jobs.send(job | {"discard": 1, "place": random.getrandbits(32)})
        else:
            if not self._room(span):
                return False
            left_out, places = self.chains.place(log, span)
            job |= {"place": places[0], "copy": int(kind == "copy")}
            job["late"] = int(kind in ("late", "fails"))
            if kind in ("late", "fails"):
                self.verdicts.send({"stores": int(kind == "late")} | verdict | told)
                self.numbers.send(*({"data": w, "last": i == 2} for i, w in enumerate(numbers)))
            if kind != "fails":
                body += text
                body += [0] * (len(body) % 2)
            wrong: list[int] = []
            if kind == "copy":
                units = [low | high << 64 for low, high in zip(body[::2], body[1::2], strict=True)]
                wrong = [int(random.random() < self.copy_errors) for _ in units]
                self.copies.send(
                    *({"data": u, "error": e} for u, e in zip(units, wrong, strict=True))
                )
                job["header"] = random.getrandbits(structs.width("wc_log_pkg::header_t"))
            self.jobs.send(job)
            item = Item(log, {}, {unit // self.chains.size for unit in places}, place=places[0])
            if kind == "set" or (number and kind == "late"):
                item.header = header | verdict if kind == "late" else header
            for i, word in enumerate(body):
                item.words[places[i // 2] * 2 + i % 2] = word
            if left_out is not None:
                item.words[left_out * 2] = 0
                item.segments.add(left_out // self.chains.size)
            item.errors = {places[i] // LINE_UNITS for i, e in enumerate(wrong) if e}
            there = (word // 2 for word in item.words)
            item.beats = sorted({unit - unit % self.beat_units for unit in there})
            self.coming.append(item)
            while self.chains.links:
                due = self.cycle + random.randint(*self.link_delay)
                self._links.append((due, self.chains.links.popleft()))
        if kind != "copy":
            self.keys.send(*beats(key))
            if not number:
                self.values.send(*beats(value))
        return True

    def patch(self) -> int:
        """An item that is written gets another expiry and CAS number, or another time of last use,
        or all of them: mostly one of the last ones. Until then these words of it may be
        anything. How many units the writer has to do with."""
        there = [item for item in self.there if item.header and not item.errors]
        busy = list(self._being_patched())
        item = random.choice(there[-random.choice((1, 4, 1000)) :]) if there else None
        if item is None or item in busy:
            return 0
        stores = random.random() < 0.9
        kind = random.choice(("expiry", "bump", "both"))
        first, second = kind != "bump", kind != "expiry"  # units that are written
        header = {"key_len": item.header["key_len"], "expiry": random.getrandbits(32)}
        header |= {"hash": item.header["hash"], "used": random.getrandbits(32)}
        told = {name: item.header.get(name, 0) for name in ("number", "value_len")}
        told |= {"keeps": random.randrange(2), **numbered()}
        told |= {name: random.getrandbits(32) for name in ("flags", "expiry")}
        expiry = told["expiry"] if told["keeps"] else header["expiry"]
        patched = dict(item.header)
        if first:
            patched |= {"cas": told["cas"], "expiry": expiry}
        if second:
            patched |= {name: told[name] for name in ("flags", "encoded", "origin")}
            patched["used"] = header["used"]
        self.jobs.send(
            {"patch": 1, "late": 1, "place": item.place, "log": random.randrange(2)}
            | {"bump": int(kind == "bump"), "both": int(kind == "both")}
            | {"span": random.getrandbits(20), "header": packed(header)}
        )
        self.verdicts.send({"stores": int(stores)} | told)
        if stores:
            item.header = patched
            text = header_words(patched)
            units = {at: text[2 * at :][:2] for at in range(2) if (first, second)[at]}
            self.patching[not first].append((item, units))
            for at in units:
                for word in (0, 1):
                    item.words.pop(2 * (item.place + at) + word)
        return first + second if stores else 1

    def _being_patched(self) -> Iterator[Item]:
        return (item for queue in self.patching for item, _ in queue)

    def _patch(self, number: int) -> None:
        """A unit of a header is where it belongs: the first one, or the second one alone."""
        item, units = self.patching[number].popleft()
        self.patched += len(units)
        places = [item.place + at for at in units]
        for place, unit in zip(places, units.values(), strict=True):
            item.words |= {2 * place + at: word for at, word in enumerate(unit)}
        for place in places:
            if place // LINE_UNITS in self.lines_in_error:
                continue
            beat = place - place % self.beat_units
            self.questions.appendleft((item, beat, True))
            if not self.memory.failed_writes:
                self._compare(item, beat, self._in_memory(beat))

    # ---- every cycle -----------------------------------------------------------------------------
    def _step(self) -> None:
        self.cycle += 1
        self._answer()
        if value_of(self.dut.written_o):
            item = self.coming.popleft()
            self.there.append(item)
            self.lines_in_error |= item.errors
            self.written_at.append(self.cycle)
            self.questions.extendleft((item, beat, True) for beat in item.beats[-3:])
        for number, done in enumerate((self.dut.patched_o, self.dut.bumped_o)):
            if value_of(done):
                self._patch(number)
        link = 0
        if self._links and self._links[0][0] <= self.cycle >= self._last_link + 2:
            segment, behind = self._links.popleft()[1]
            link = structs.pack("wc_log_pkg::link_t", valid=1, segment=segment, next=behind)
            self._last_link = self.cycle
        self._link.set(link)
        self._question()

    def _question(self) -> None:
        if not self.questions and self.there and random.random() < self.ask_rate:
            recent = random.random() < 0.5
            item = random.choice(list(self.there)[-20:] if recent else self.there)
            beats = item.beats if len(item.beats) < 8 else random.sample(item.beats, 3)
            self.questions.extend((item, beat, False) for beat in beats)
        asks = None
        while self.questions and asks is None:
            item, beat, _ = self.questions.popleft()
            asks = (item, beat) if item.alive else None
        self._ask.set(int(asks is not None))
        if asks:
            self._address.set(asks[1])
        self.asked.append((*asks, self._in_error(asks[1])) if asks else None)

    def _answer(self) -> None:
        asked = self.asked.popleft()
        assert value_of(self.dut.hit_valid_o) == int(asked is not None), "an answer out of time"
        bad_asked = self._bad_asked.popleft()
        bad = asked[:2] if asked and not value_of(self.dut.hit_o) else None
        if asked and asked[0].alive:
            item, beat, known = asked
            if value_of(self.dut.hit_o):
                self.hits += 1
                error = bool(value_of(self.dut.hit_error_o))
                if known == self._in_error(beat):  # or a word came since the ask
                    assert known is None or error == known, f"unit {beat:x}: error is {error}"
                self.errors += error
                if not error:
                    self._compare(item, beat, value_of(self.dut.data_o))
            else:
                self.misses += 1
        if bad:
            self._bad_line.set(bad[1] // LINE_UNITS)
        self._bad_asked.append(bad)
        if bad_asked and bad_asked[0].alive:
            if value_of(self.dut.bad_o) & 1:
                self.bad += 1
            else:
                assert not self._in_error(bad_asked[1]), f"unit {bad_asked[1]:x} is not bad"
                self._compare(*bad_asked, self._in_memory(bad_asked[1]))

    def _in_memory(self, beat: int) -> int:
        return self.memory.lines.get(beat // self.beat_units, 0)

    def _in_error(self, unit: int) -> bool | None:
        """Whether a word of this unit's line is in error; None: one is on its way."""
        line = unit // LINE_UNITS
        if line in self.lines_in_error:
            return True
        return None if any(line in item.errors for item in self.coming) else False

    def _compare(self, item: Item, beat: int, data: int) -> None:
        for number in range(2 * self.beat_units):
            wanted = item.words.get(2 * beat + number)
            got = data >> 64 * number & (1 << 64) - 1
            assert wanted is None or got == wanted, f"unit {beat:x} word {number}: {got:x}"
        self.checked += 1

    async def drain(self) -> None:
        """Until everything is written and in memory."""
        for _ in range(200000):
            await self.bench.wait(20)
            rests = not (self.coming or any(self.patching)) and self.jobs.idle
            if rests and value_of(self.dut.idle_o):
                break
        else:
            raise AssertionError("it never rests")
        assert self.keys.idle and self.values.idle and self.copies.idle and self.verdicts.idle

    def check_memory(self) -> None:
        """All that is alive is in memory."""
        for item in self.there:
            for beat in item.beats:
                if self._in_error(beat):
                    continue
                self._compare(item, beat, self._in_memory(beat))
