# SPDX-License-Identifier: Apache-2.0
"""What surrounds wc_log_sweep: two logs in memory, whoever writes them, the table's slots, readers
of the logs and of memory. It checks what the sweeper tells, copies and gives back."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, Pace
from wirecache.testbench.cycle import Driven, every_cycle, value_of

LINE, UNIT = 64, 16
NUMBER_BYTES = structs.constant("NumberBytes")
BITS = 11  # segments of 32 KiB
SIZE = 1 << BITS  # in units
HEADER = 8 * structs.constant("wc_log_pkg::HeaderWords")  # bytes
NEW, MAIN = 0, 1
NOW, FLOOR, FLUSHES = 1_000_000, 5_000, 12_345
YOUNGEST = 2  # segments that are left to a log
TARGET = 7  # segments that are free when nothing is swept


@dataclass(eq=False)
class Record:
    address: int
    span: int
    hash: int
    dead: bool
    segments: list[int]  # that it lies in
    parts: list[tuple[int, int]]  # (address in bytes, bytes)
    used: bool  # the table wants to keep it


@dataclass
class Segment:
    number: int
    records: list[Record] = field(default_factory=list)


class Reader:
    """Reads beats as wc_log_read does: in order, along the chain."""

    def __init__(self, world: World, name: str, latency: tuple[int, int], pace: Pace) -> None:
        self.world, self.name, self.latency, self.pace = world, name, latency, pace
        dut = world.bench.dut

        def port(signal: str) -> Any:
            return getattr(dut, f"{name}_{signal}")

        self._request = [port(f"request_{s}_o") for s in ("valid", "address", "beats")]
        self._ready = Driven(port("request_ready_i"))
        self._valid = Driven(port("beat_valid_i"))
        self._take = port("beat_ready_o")
        self._beat, self._error = port("beat_i"), Driven(port("beat_error_i"))
        self._queue: deque[tuple[int, int]] = deque()  # (beat, when it is there)
        self._offered = False
        self.asked = 0  # beats

    def step(self) -> None:
        now = self.world.now
        if self._offered and value_of(self._take):
            self._queue.popleft()
            self._offered = False
        valid, address, beats = (value_of(signal) for signal in self._request)
        if self._ready.value and valid:
            beat, odd = divmod(address, self.world.beat_units)
            assert beats > 0 and not odd
            self.world.check_request(self.name, beat, beats)
            self.asked += beats
            for _ in range(beats):
                due = now + random.randint(*self.latency)
                self._queue.append((beat, due))
                beat = self.world.beat_behind(beat)
        self._ready.set(int(len(self._queue) < 64 and self.pace()))
        if not self._offered and self._queue and self._queue[0][1] <= now and self.pace():
            data, error = self.world.read(self._queue[0][0])
            self._beat.value = data
            self._error.set(int(error))
            self._offered = True
        self._valid.set(int(self._offered))


class World:
    def __init__(
        self,
        bench: Bench,
        segments: int = 32,
        most_new: int = 6,
        latency: tuple[int, int] = (20, 40),
        answer: tuple[int, int] = (10, 60),
        willing: float = 1.0,
        used: float = 0.5,
        item: Callable[[], tuple[int, int]] | None = None,  # bytes of key and value
        room: Callable[[], bool] = lambda: True,
        idle: float = 0.5,
        live: float = 0.8,
        largest: int = 0,
        dead: float = 0.1,
        damage: float = 0.0,
        unread: float = 0.0,
        settles: float = 0.01,
    ) -> None:
        self.bench, self.now = bench, 0
        self.free = deque(random.sample(range(segments), segments))
        self.memory = bytearray(random.randbytes(segments * SIZE * UNIT))
        self.logs: list[list[Segment]] = [[], []]
        self.settled = [0, 0]  # segments of each log that memory has wholly
        self.settles = settles  # how often this is told anew
        self.at = [SIZE, SIZE]
        self.next: dict[int, int] = {}
        self.slots: dict[int, Record] = {}
        self.used, self.live, self.dead, self.room, self.idle = used, live, dead, room, idle
        self.largest = largest or segments * SIZE // 16
        self.item = item or some_length
        self.coming = self.item()  # the next to be written
        self.beat_units = int(bench.dut.BeatUnits.value)
        self.beats = SIZE // self.beat_units  # of a segment
        self.bad: set[int] = set()  # units that memory does not tell
        self.lost: set[int] = set()
        self.damage = damage  # how often a segment has an error; what is met then may be anything
        self.unread = unread  # how often the table cannot tell of a record
        self.errors = damage > 0 or unread > 0
        self.damaged = 0
        self.untold = 0  # of records
        self.writes = True
        self.answer_latency = answer
        self.expected: deque[Record] = deque()  # of the segment that is swept
        self.sweeping: int | None = None
        self.left = 0  # units of it that may be copied
        self.answers: deque[tuple[int, dict[str, int]]] = deque()
        # the queue has two registers more
        pending, records = (int(bench.dut[name].value) for name in ("Pending", "Records"))
        self.most_pending = min(pending + 2, records)
        self.deepest = 0
        self.answered = 0
        self.mets: list[int] = []  # cycles
        self.reserved: deque[int] = deque()
        self.pending_units: deque[int] = deque()
        self.units: deque[tuple[int, bool]] = deque()  # to come; False: memory did not tell
        self.swept: list[tuple[int, int, bool]] = []  # log, segment, given back
        self.turn = self.turn_left = 0  # segments of the new log to be swept before the next turn
        self.counts = dict.fromkeys(structs.field_names("wc_log_pkg::sweep_events_t"), 0)
        self.known = dict.fromkeys(("promote", "copy", "evict_new", "evict_main", "dead"), 0)
        self.wanted: set[int] = set()
        self.idle_told = False
        self.dropped: int | None = None
        self.refused = 0  # records that had no room, though they fitted
        dut = bench.dut
        dut.settings_i.value = structs.pack(
            "wc_log_pkg::log_settings_t",
            segment_bits=BITS,
            segments=segments,
            most_new=most_new,
            largest=self.largest,
        )
        dut.time_i.value, dut.floor_i.value, dut.flushes_i.value = NOW, FLOOR, FLUSHES
        self.most_new = most_new
        self._inputs = {
            name: Driven(getattr(dut, f"{name}_i"))
            for name in ("free", "waits", "count", "oldest_valid", "oldest", "settled",
                         "idle_valid", "idle", "copy_room_ready")
        }  # fmt: skip
        self.met = bench.sink("met", "wc_log_pkg::met_t", willing)
        self.answer = bench.source("answer", "wc_log_pkg::answer_t")
        self.unit = bench.sink("unit", "wc_log_pkg::copy_unit_t", willing)
        pace = Pace(willing)
        self.walk = Reader(self, "walk", latency, pace)
        self.copy = Reader(self, "copy", latency, pace)
        self._asked = 0
        self._room_asked = 0
        self._full = False  # there was no room for the record that asks

    @classmethod
    async def start(cls, dut: Any, fill: int = 0, **options: Any) -> World:
        bench = await Bench.start(dut, {"hold_i": 0, "clear_i": 0})
        world = cls(bench, **options)
        world.fill(6 + fill)
        world._drive()
        await bench.reset()
        every_cycle(bench.clock, world._step)
        return world

    # ---- the writers --------------------------------------------------------------------------
    def append(self, log: int, span: int) -> list[tuple[int, int]]:
        """Finds a place for an item: (address in bytes, bytes) of each segment's part of it."""
        unit = self.at[log] % 4
        if unit + span > 4 if span <= 4 else self.at[log] == SIZE - 1:
            place = self.logs[log][-1].number * SIZE + self.at[log]
            self.memory[place * UNIT : place * UNIT + 8] = bytes(8)
            self.at[log] += 4 - unit
        parts = []
        while span:
            if self.at[log] == SIZE:
                number = self.free.popleft()
                if self.logs[log]:
                    self.next[self.logs[log][-1].number] = number
                self.logs[log].append(Segment(number))
                self.at[log] = 0
            here = min(span, SIZE - self.at[log])
            parts.append(((self.logs[log][-1].number * SIZE + self.at[log]) * UNIT, here * UNIT))
            self.at[log] += here
            span -= here
        return parts

    def write(self, log: int) -> None:
        (key_len, value_len), self.coming = self.coming, self.item()
        expiry = random.choice([0, 0, NOW + 1, 1 << 31])
        cas = random.choice([FLOOR + 1, FLOOR + random.randrange(1, 1 << 40)])
        dead = random.random() < self.dead
        if dead and random.random() < 0.5:
            expiry = random.choice([NOW, 1, NOW - 5])
        elif dead:
            cas = random.choice([FLOOR, 1, FLOOR - 7])
        origin = {"given": 0, "flushes": 0}
        if random.random() < 0.3:  # a client has given its number
            flushed = cas <= FLOOR
            cas = random.choice([random.getrandbits(64), random.randrange(2 * FLOOR)])
            count = FLUSHES - random.choice([1, 1 << 29]) if flushed else FLUSHES
            origin = {"given": 1, "flushes": count % (1 << 30)}
        number = random.getrandbits(32)
        any_length = self.item is some_length
        counted = any_length and value_len <= NUMBER_BYTES and random.random() < 0.5
        header = structs.pack(
            "wc_log_pkg::header_t",
            cas=cas, hash=number, expiry=expiry, flags=random.getrandbits(32),
            value_len=value_len, key_len=key_len, number=counted,
            encoded=random.randrange(2), origin=origin,
        )  # fmt: skip
        span = units_of(key_len, NUMBER_BYTES if counted else value_len)
        data = header.to_bytes(HEADER, "little") + random.randbytes(span * UNIT - HEADER)
        parts = self.append(log, span)
        if self.errors and span > 8 and random.random() < 0.5:
            data = made_to_mislead(data, parts[0][0])
        rest = data
        for address, size in parts:
            self.memory[address : address + size] = rest[:size]
            rest = rest[size:]
        self._record(log, parts, span, number, dead)

    def _record(
        self, log: int, parts: list[tuple[int, int]], span: int, number: int, dead: bool
    ) -> Record:
        first = parts[0][0] // UNIT
        segments = [address // UNIT // SIZE for address, _ in parts]
        record = Record(first, span, number, dead, segments, parts, random.random() < self.used)
        segment = next(s for s in reversed(self.logs[log]) if s.number == segments[0])
        segment.records.append(record)
        if random.random() < self.live:
            self.slots[first] = record
        return record

    def fill(self, until: int) -> None:
        """Writes items until so many segments are free."""
        while len(self.free) > until and len(self.free) >= self._needs():
            self.write(random.choice([NEW, MAIN, MAIN, MAIN]))

    # ---- memory -------------------------------------------------------------------------------
    def beat_behind(self, beat: int) -> int:
        if (beat + 1) % self.beats:
            return beat + 1
        return self.next.get(beat // self.beats, 0) * self.beats

    def read(self, beat: int) -> tuple[int, bool]:
        """What comes with an error may be right, and may be anything."""
        units, size = self.beat_units, UNIT * self.beat_units
        data = int.from_bytes(self.memory[beat * size : (beat + 1) * size], "little")
        bad = not self.bad.isdisjoint(range(beat * units, (beat + 1) * units))
        return random.choice([data] * 3 + [random.getrandbits(8 * size)]) if bad else data, bad

    def check_request(self, name: str, beat: int, beats: int) -> None:
        first, last = beat // self.beats, (beat + beats - 1) // self.beats
        if name == "walk":
            assert first == last == self._begin(first), "the walk leaves its segment"

    def _begin(self, number: int) -> int:
        """The walk is in segment `number`."""
        if self.sweeping is None:
            log = next(log for log in (NEW, MAIN) if self._oldest(log) == number)
            self._sweep(log)
        return self.logs[self.sweeping][0].number  # type: ignore[index]

    def _sweep(self, log: int) -> None:
        assert self.sweeping is None
        assert self.settled[log], "the segment is not in memory"
        self.sweeping = log
        self.expected = deque(self.logs[log][0].records)
        if self.damage and random.random() < self.damage and self.expected:
            self._damage(random.choice([random.choice(self.expected), self.expected[-1]]))
        self.left = SIZE * 15 // 16

    def _damage(self, record: Record) -> None:
        """Memory does not tell the record's header, or tells nonsense."""
        self.damaged += 1
        address = record.address * UNIT
        size = HEADER
        kind = random.choice([0, 0, 1, 2])
        if kind == 0:
            # The header is in the record's first two units.
            unit = record.address + random.randrange(2)
            beat = unit // self.beat_units * self.beat_units
            self.bad.update(range(beat, beat + self.beat_units))
        elif kind == 1 and address % LINE == 0:  # elsewhere it would say that units are left out
            self.memory[address : address + size] = bytes(size)
        else:
            # Too long for sure: what may be the length of a record is believed.
            nonsense = random.randbytes(3) + b"\xff" + random.randbytes(HEADER - 4)
            self.memory[address : address + size] = nonsense[:size]

    def _oldest(self, log: int | None) -> int | None:
        return self.logs[log][0].number if log is not None and self.logs[log] else None

    # ---- a cycle ------------------------------------------------------------------------------
    def _step(self) -> None:
        self.now += 1
        dut = self.bench.dut
        self._room()
        self.walk.step()
        self.copy.step()
        while self.met.items:
            self._meet(self.met.items.popleft())
            self.mets.append(self.now)
        while self.answers and self.answers[0][0] <= self.now:
            self.answer.send(self.answers.popleft()[1])
        self._units()
        self._readers()
        events = structs.unpack("wc_log_pkg::sweep_events_t", value_of(dut.events_o))
        for name, happens in events.items():
            self.counts[name] += happens
        if value_of(dut.drop_o):
            assert not value_of(dut.give_valid_o) and self.dropped is None
            self.dropped = value_of(dut.drop_log_o)
        elif self.dropped is not None:
            self._drop(self.dropped, value_of(dut.give_valid_o))
            self.dropped = None
        else:
            assert not value_of(dut.give_valid_o), "given back without a drop"
        if self.writes and random.random() < 0.3 and len(self.free) >= self._needs():
            self.write(random.choice([NEW, MAIN, NEW]))
        self._drive()

    def _needs(self) -> int:
        """Free segments before the next item may be written: its own, and those of a sweep."""
        return 3 + -(-units_of(*self.coming) // SIZE)

    def _drive(self) -> None:
        counts = [len(segments) for segments in self.logs]
        drive = self._inputs
        if len(self.free) < TARGET or drive["waits"].value:
            want = NEW if counts[NEW] > self.most_new else MAIN
            self.wanted.add(want if counts[want] > YOUNGEST else 1 - want)
        drive["free"].set(len(self.free))
        drive["waits"].set(int(self.writes and len(self.free) < self._needs()))
        drive["count"].set(counts[0] | counts[1] << 9)
        for log in (NEW, MAIN):
            if random.random() < self.settles:
                self.settled[log] = max(counts[log] - 1, 0)
        drive["settled"].set(int(self.settled[0] > 0) | int(self.settled[1] > 0) << 1)
        drive["oldest_valid"].set(int(bool(self.logs[0])) | int(bool(self.logs[1])) << 1)
        drive["oldest"].set((self._oldest(0) or 0) | (self._oldest(1) or 0) << 8)

    def _room(self) -> None:
        dut, ready = self.bench.dut, self._inputs["copy_room_ready"]
        span = value_of(dut.copy_room_units_o)
        if value_of(dut.copy_room_take_o):
            assert value_of(dut.copy_room_valid_o) and ready.value
            self.reserved.append(span)
        self._room_asked = self._room_asked + 1 if value_of(dut.copy_room_valid_o) else 0
        needs = sum(self.reserved) + span + 4 * len(self.reserved) + 8
        enough = len(self.free) * SIZE > needs
        self._full |= bool(value_of(dut.copy_room_valid_o)) and not enough
        ready.set(int(self._room_asked > 0 and enough and self.room()))

    def _meet(self, met: dict[str, int]) -> None:
        if self.sweeping is None:
            raise AssertionError("a record out of nothing")
        assert met["turn"] == self.turn % 256
        header = range(met["address"], met["address"] + 2)
        assert self.bad.isdisjoint(header), "a header that memory did not tell"
        log = self.sweeping
        record = self.slots.get(met["address"])
        if self.errors:
            record = record if record and record.hash == met["hash"] else None
            if record in self.expected:
                while self.expected.popleft() is not record:
                    pass
        else:
            assert self.expected, "one record too many"
            record = self.expected.popleft()
            wanted = record.hash, record.address
            assert (met["hash"], met["address"]) == wanted, (met, record, self.sweeping, self.now)
        if record:
            assert met["span"] == record.span and met["dead"] == record.dead
            if met["may_copy"]:
                assert not record.dead
            elif not record.dead and not self.errors:
                self._why_not(log, record)
        self._full = False
        found = self.slots.get(met["address"]) is record and record is not None
        placed = found and met["may_copy"] and record is not None and record.used
        span = self.reserved.popleft() if met["may_copy"] else 0
        assert span in (0, met["span"])
        answer = {"found": int(found), "placed": int(placed), "place": 0}
        if random.random() < self.unread or (self.unread and len(self.mets) == 300):
            answer = {"unread": 1, "found": 0, "placed": 0, "place": 0}
            self.untold += 1
            found = placed = False
        if found:
            assert record is not None
            del self.slots[record.address]
            if not placed:
                self.known["dead" if record.dead else ("evict_new", "evict_main")[log]] += 1
        if placed:
            assert record is not None
            self.known[("promote", "copy")[log]] += 1
            answer["place"] = self._copy(record)
            self.left -= record.span
            assert self.left >= 0 or log == NEW, "more than 15/16 of a segment"
        due = self.now + random.randint(*self.answer_latency)
        if self.answers:
            due = max(due, self.answers[-1][0])
        self.answers.append((due, answer))
        self.deepest = max(self.deepest, len(self.answers))
        assert len(self.answers) <= self.most_pending

    def _why_not(self, log: int, record: Record) -> None:
        """The table may not copy it, for one of these reasons."""
        if not self._full and (log == NEW or record.span <= self.left):
            self.refused += 1

    def _copy(self, record: Record) -> int:
        """The record at its new place; its units are to come."""
        data, good = b"", []
        for address, size in record.parts:
            data += self.memory[address : address + size]
            good += [a // UNIT not in self.bad for a in range(address, address + size, UNIT)]
        parts = self.append(MAIN, record.span)
        rest = data
        for address, size in parts:
            self.memory[address : address + size] = rest[:size]
            rest = rest[size:]
        for at, ok in enumerate(good):
            unit = data[UNIT * at : UNIT * (at + 1)]
            self.units.append((int.from_bytes(unit, "little"), ok))
        return self._record(MAIN, parts, record.span, record.hash, record.dead).address

    def _units(self) -> None:
        while self.unit.items:
            unit = self.unit.items.popleft()
            assert self.units, "a unit too many"
            wanted, told = self.units.popleft()
            assert unit["error"] == (not told)
            assert unit["data"] == wanted or not told

    def _readers(self) -> None:
        dut = self.bench.dut
        asked = value_of(dut.ask_valid_o)
        self._asked = self._asked + 1 if asked else 0
        if asked:
            if self.sweeping is None:
                segment = value_of(dut.ask_segment_o)
                self._sweep(next(log for log in (NEW, MAIN) if self._oldest(log) == segment))
            assert value_of(dut.ask_segment_o) == self._oldest(self.sweeping)
            if self._inputs["idle_valid"].value and self._inputs["idle"].value:
                self.idle_told = True
        self._inputs["idle_valid"].set(int(self._asked > 3))
        if self._asked:
            self._inputs["idle"].set(int(self._asked > 3 and random.random() < self.idle))

    def _drop(self, log: int, given: int) -> None:
        dut = self.bench.dut
        assert self.sweeping == log and log in self.wanted, f"log {log}, not {self.wanted}"
        assert len(self.logs[log]) > YOUNGEST
        assert self.idle_told, "there may be readers"
        assert not self.answers and self.answer.idle
        assert self.errors or not self.expected, "records that were not met"
        segment = self.logs[log].pop(0).number
        self.settled[log] -= 1
        self.next.pop(segment, None)
        self.swept.append((log, segment, bool(given)))
        if log == NEW:
            begins = self.turn_left <= 1
            self.turn += begins
            self.turn_left = self.most_new if begins else self.turn_left - 1
        if given:
            assert value_of(dut.give_segment_o) == segment
            for record in self.slots.values():
                assert segment not in record.segments, "a slot points to a segment that is free"
            self.free.append(segment)
            start = segment * SIZE * UNIT
            if random.random() < 0.5:
                self.memory[start : start + SIZE * UNIT] = random.randbytes(SIZE * UNIT)
        else:
            assert self.errors
            self.lost.add(segment)
        self.sweeping, self.idle_told = None, False
        self.wanted = set()

    async def clear(self) -> None:
        """Empties the logs, between two segments."""
        dut, bench = self.bench.dut, self.bench
        dut.hold_i.value = 1
        self.writes = False
        await bench.wait(3)
        while value_of(dut.busy_o):
            await bench.wait(1)
        await bench.wait(random.randrange(200))
        assert not value_of(dut.busy_o) and self.sweeping is None
        dut.clear_i.value = 1
        await bench.wait(1)
        dut.clear_i.value = 0
        for log in self.logs:
            self.free.extend(segment.number for segment in log)
            log.clear()
        self.settled = [0, 0]
        self.turn = self.turn_left = 0
        self.next.clear()
        self.slots.clear()
        self.at = [SIZE, SIZE]
        self.fill(5)
        dut.hold_i.value = 0
        self.writes = True

    # ---- the end ------------------------------------------------------------------------------
    async def sweep(self, segments: int, cycles: int = 400_000) -> None:
        wanted = len(self.swept) + segments
        for _ in range(cycles // 10):
            await self.bench.wait(10)
            if len(self.swept) >= wanted:
                return
        raise AssertionError(f"{len(self.swept)} segments of {wanted}")

    async def end(self) -> None:
        """Nobody writes any more; all is read, and events say what happened."""
        self.writes, self.damage = False, 0.0
        await self.bench.wait(300)
        while self.sweeping is not None or self.units or len(self.free) < TARGET:
            await self.bench.wait(50)
        await self.bench.wait(300)
        assert not self.units and not self.answers and not self.reserved
        counts, dut = self.counts, self.bench.dut
        assert {name: counts[name] for name in self.known} == self.known
        assert counts["sweep_new"] + counts["sweep_main"] == len(self.swept)
        assert counts["sweep_new"] == sum(log == NEW for log, _, _ in self.swept)
        assert counts["lost"] == value_of(dut.lost_o) == len(self.lost)
        assert self.errors or not (counts["lost"] or counts["astray"] or counts["unread"])


def units_of(key_len: int, value_len: int) -> int:
    return -(-(HEADER + -(-key_len // 8) * 8 + value_len) // UNIT)


def made_to_mislead(data: bytes, address: int) -> bytes:
    """An item of which every line behind the first looks like a record."""
    start = -address % LINE + (LINE if address % LINE == 0 or LINE - address % LINE < HEADER else 0)
    lines = (len(data) - start) // LINE
    fields = {"cas": FLOOR + 1, "key_len": 8, "value_len": 32}
    fakes = b""
    for _ in range(lines):
        fake = structs.pack("wc_log_pkg::header_t", hash=random.getrandbits(32), **fields)
        fakes += fake.to_bytes(HEADER, "little") + random.randbytes(LINE - HEADER)
    return data[:start] + fakes + data[start + LINE * lines :]


def some_length() -> tuple[int, int]:
    """Bytes of key and value: mostly short, some long, a few longer than segments."""
    key = random.choice([1, 8, 9, 16, 250, random.randint(1, 250), random.randint(1, 40)])
    value = random.choice([0, 1, 40, random.randrange(100), random.randrange(100)] * 3
                          + [random.randrange(2000)] * 3 + [random.randrange(20_000)])  # fmt: skip
    return key, value
