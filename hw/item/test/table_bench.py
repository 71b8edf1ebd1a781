# SPDX-License-Identifier: Apache-2.0
"""The table with everything around it: memory, places, jobs that are written, what is settled; and
a model of its buckets, to which all that comes out is compared."""

from __future__ import annotations

import random
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import cocotb
from cocotb.triggers import RisingEdge
from wirecache.circuit import structs
from wirecache.model.item import short_units
from wirecache.testbench.axi_memory import AxiMemory
from wirecache.testbench.bench import Bench, Sink, Source, rounds
from wirecache.testbench.cycle import Driven, every_cycle, value_of

P = "wc_item_pkg::"
SLOTS = structs.constant(P + "Slots")
MOST_JOBS = structs.constant("wc_log_pkg::MostJobs")
ACCESS = structs.enum(P + "access_e")
EMPTY, GHOST, NEW, MAIN = range(4)
LOG_NEW, LOG_MAIN = 0, 1
GHOST_TURNS = structs.constant(P + "GhostTurns")
TURNS = 256
_, TAG_BITS = structs.place(P + "look_t", "tag")
MARKS = {name: 1 << structs.place("marks_t", name)[0] for name in ("fetched", "stale", "won")}
FETCHED, STALE, WON = MARKS.values()
ALL_MARKS = FETCHED | STALE | WON
ITEMS = (NEW, MAIN)
SOON = 3  # cycles from the announcement of a place

Op = dict[str, Any]
Delays = dict[str, tuple[int, int]]
FAST: Delays = {"place_delay": (0, 0), "write_delay": (0, 0), "settle_delay": (0, 0)}


@dataclass
class Slot:
    state: int = EMPTY
    uses: int = 0
    tag: int = 0
    span: int = 0  # of a ghost: the turn in which it became one
    address: int = 0
    marks: int = 0
    period: int = 0  # of its time of last use, if it was fetched

    @property
    def item(self) -> bool:
        return self.state in ITEMS

    def counts(self) -> tuple[int, ...]:
        """What counts of it: of a ghost no address, nothing of an empty one."""
        if self.state == EMPTY:
            return (EMPTY,)
        if self.state == GHOST:
            return self.state, self.tag, self.span
        place = self.tag, self.span, self.address
        period = self.period if self.marks & FETCHED else 2
        return (self.state, self.uses, self.marks, period, *place)

    def bits(self) -> int:
        fetched = ("Even", "Odd")[self.period] if self.marks & FETCHED else "Stored"
        access = fetched if self.item else "None"
        marks = marks_of(self.marks)
        fields = {name: getattr(self, name) for name in ("uses", "tag", "span", "address")}
        fields |= {"main": int(self.state in (GHOST, MAIN)), "access": ACCESS["Access" + access]}
        return structs.pack(P + "slot_t", stale=marks["stale"], won=marks["won"], **fields)


def unpack_line(line: int) -> list[Slot]:
    ones = (1 << 64) - 1
    slots = [structs.unpack(P + "slot_t", line >> 64 * i & ones) for i in range(SLOTS)]
    return [unpack_slot(**slot) for slot in slots]


def unpack_slot(main: int, access: int, stale: int, won: int, **fields: int) -> Slot:
    item = access != ACCESS["AccessNone"]
    period = int(access == ACCESS["AccessOdd"])
    fetched = period or access == ACCESS["AccessEven"]
    state = (MAIN if main else NEW) if item else GHOST if main else EMPTY
    return Slot(state, marks=FETCHED * fetched | STALE * stale | WON * won, period=period, **fields)


def marks_of(marks: int) -> dict[str, int]:
    return {name: int(marks & bit != 0) for name, bit in MARKS.items()}


def least_used(slots: Sequence[Slot]) -> int:
    """The item that gives way, when there are items in all slots."""
    unused = [n for n, slot in enumerate(slots) if slot.state == NEW and not slot.uses]
    if unused:
        return unused[-1]
    return min(range(len(slots)), key=lambda n: (slots[n].uses, -n))


class Bucket(list[Slot]):
    """The slots that an operation may find or change."""

    @classmethod
    def empty(cls) -> Bucket:
        return cls(Slot() for _ in range(SLOTS))

    def find(self, tag: int) -> int | None:
        return next((n for n, s in enumerate(self) if s.state != EMPTY and s.tag == tag), None)

    def free(self) -> int | None:
        """The slot that is taken before any item."""
        empty = [n for n, slot in enumerate(self) if slot.state == EMPTY]
        if empty:
            return empty[0]
        ghosts = [n for n, slot in enumerate(self) if slot.state == GHOST]
        return ghosts[-1] if ghosts else None

    def victim(self) -> int:
        number = self.free()
        return least_used(self) if number is None else number

    def put(self, number: int, slot: Slot) -> None:
        self[1 : number + 1] = self[:number]
        self[0] = slot


@dataclass
class Job:
    number: int  # from the beginning, not modulo anything
    due: int | None  # when it may be written; None: not before it is settled


@dataclass
class Table:
    """The device with everything around it. `feed` makes operations as long as some are wanted."""

    bench: Bench
    memory: AxiMemory
    looks: Source
    looked: Sink
    settles: Source
    place_delay: tuple[int, int] = (0, 6)  # cycles beyond the least
    soon: float = 0.5  # how often a place is not there yet, of the cycles it may take
    write_delay: tuple[int, int] = (5, 60)
    settle_delay: tuple[int, int] = (0, 30)
    buckets: defaultdict[int, Bucket] = field(default_factory=lambda: defaultdict(Bucket.empty))
    sent: deque[tuple[Op, int]] = field(default_factory=deque)  # and when
    cycles: list[int] = field(default_factory=list)  # when each answer came
    events: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    base: int = 0
    unreadable: Callable[[int], bool | None] = lambda bucket: False  # None: may be

    def __post_init__(self) -> None:
        dut = self.bench.dut
        self.cycle = self.turn = 0
        self.heads = [random.getrandbits(31), random.getrandbits(31)]
        self._place_soon = Driven(dut.place_soon_i)
        self._place_ready = False
        self._place = Driven(dut.place_i)
        self._written = Driven(dut.written_i)
        self._clear = Driven(dut.clear_i)
        self.period = random.getrandbits(1)
        self._period = Driven(dut.period_i, self.period)
        self._place_wait = self._place_told = 0  # cycles
        self._shown: int | None = None  # units that are shown and not taken
        self.taken: deque[tuple[int, int, int]] = deque()  # log, place, units
        self.passed: deque[int] = deque()  # units
        self.jobs: deque[Job] = deque()  # not yet written
        self.given = self.written = 0
        self.last_job: dict[int, int] = {}  # of a bucket
        self.written_at: dict[int, int] = {}  # of a job
        self.to_settle: deque[tuple[int, Op]] = deque()  # when, what
        self.errors: Counter[str] = Counter()
        every_cycle(self.bench.clock, self._step)

    @classmethod
    async def start(
        cls,
        dut: Any,
        streams: Sequence[float] = (1.0, 1.0, 1.0),
        factor: int = 8,
        shift: int = 4,
        base: int | None = None,
        delays: Delays | None = None,
        **memory: Any,
    ) -> Self:
        base = random.getrandbits(30) >> 1 if base is None else base
        settings = structs.pack(P + "item_settings_t", base_line=base, factor=factor, shift=shift)
        bench = await Bench.start(dut, {"settings_i": settings, "clear_i": 0})
        table = cls(
            bench,
            AxiMemory(dut, **memory),
            bench.source("look", P + "look_t", streams[0]),
            bench.sink("looked", P + "looked_t", streams[1]),
            bench.source("settle", P + "settle_t", streams[2]),
            base=base,
        )
        for name, cycles in (delays or {}).items():
            setattr(table, name, cycles)
        await bench.reset()
        return table

    # ---- every cycle ----------------------------------------------------------------------------
    def _step(self) -> None:
        dut = self.bench.dut
        self.cycle += 1
        if value_of(dut.rst_i):
            return
        self._give_places(dut)
        if value_of(dut.passed_o):
            self.passed.append(value_of(dut.passed_units_o))
        self.events.update(
            name
            for name, value in structs.unpack(
                P + "item_table_events_t", value_of(dut.events_o)
            ).items()
            if value
        )
        error = value_of(dut.error_o)
        if error:
            found = structs.unpack("memory_error_t", error)
            self.errors.update(name for name in ("read", "write") if found[name])
        while self.looked.items:
            self.cycles.append(self.looked.cycles.popleft())
            self._check(self.looked.items.popleft())
        while self.to_settle and self.to_settle[0][0] <= self.cycle:
            self.settles.send(self.to_settle.popleft()[1])
        job = self.jobs[0] if self.jobs else None
        write = job is not None and job.due is not None and job.due <= self.cycle
        self._written.set(int(write))
        if write:
            self.written_at[self.jobs.popleft().number] = self.cycle
            self.written += 1

    def _give_places(self, dut: Any) -> None:
        valid, span = value_of(dut.place_valid_o), value_of(dut.place_units_o)
        take, log = value_of(dut.place_take_o), value_of(dut.place_log_o)
        leave = value_of(dut.place_leave_o)
        if valid and self._shown is not None:
            assert span == self._shown, "other units, and the place was neither taken nor left"
        self._shown = span if valid and not take and not leave else None
        if take:
            assert valid and self._place_ready, "a place was taken that was not given"
            assert not leave
            self.taken.append((log, self.heads[log], span))
            self.heads[log] = (self.heads[log] + span) % (1 << 32)
        if self._shown is None:  # the next one may show from now on
            self._place_wait = random.randint(*self.place_delay)
            self._place_told = 0
            self._place_ready = False
        elif self._place_soon.value:
            self._place_told += 1
            told = self._place_told >= SOON or random.random() >= self.soon
            self._place_ready = self._place_ready or told
        elif self._place_wait:
            self._place_wait -= 1
        self._place_soon.set(int(self._place_wait == 0))
        ready = self._place_ready
        self._place.set(self.heads[1] << 32 | self.heads[0] if ready else random.getrandbits(64))

    # ---- the model -----------------------------------------------------------------------------
    def _check(self, looked: Op) -> None:
        assert self.sent, "an answer to nothing"
        op, when = self.sent.popleft()
        want: Op = dict.fromkeys(("sweeps", "unreadable", "found", "placed", "held", "evicted"), 0)
        bucket = self.slots_of(op)
        if op["looks"]:
            want["sweeps"] = op["sweeps"]
            if op["sweeps"]:
                self.turn = op["turn"]
            bad = self.unreadable_for(op)
            retired = bad is None  # or not yet
            if retired:
                bad = bool(looked["unreadable"] or (op["sweeps"] and not looked["found"]))
                self.seen["bad"] += bad
            if bad:
                want["unreadable"] = int(not (op["sweeps"] and retired))
            elif op["sweeps"]:
                self._sweep(op, bucket, want)
            else:
                self._user(op, bucket, want)
        for name, value in want.items():
            assert looked[name] == value, f"{name} is {looked[name]}: {op}, {want}, {looked}"
        self._job(op, looked, when)
        if op["stores"] or (op["sweeps"] and op["may_copy"]):
            assert self.passed.popleft() == op["span"]
        if looked["placed"]:
            place = self.taken.popleft()
            assert place == (looked["log"], looked["place"], op["span"])
            self._fill_in(op, bucket, looked)
        if looked["held"]:
            self._settle(op, bucket, looked)
        self.seen.update(name for name, value in looked.items() if value == 1)

    def unreadable_for(self, op: Op) -> bool | None:
        return self.unreadable(op["bucket"])

    def slots_of(self, op: Op) -> Bucket:
        return self.buckets[op["bucket"]]

    def _user(self, op: Op, bucket: Bucket, want: Op) -> None:
        at = bucket.find(op["tag"])
        slot = None if at is None else bucket[at]
        item = slot if slot is not None and slot.item else None
        if item is not None:
            want |= {"found": 1, "address": item.address, "span": item.span}
            want["marks"] = marks_of(item.marks)
            again = op["fetches"] and item.marks & FETCHED
            want["bumps"] = int(again and item.period != self.period)
        if op["asks"] and (item is not None or not op["creates"]):
            if item is not None:
                want |= {"held": 1, "slot": at or 0, "placed": op["stores"]}
                if op["stores"]:
                    want["log"] = int(item.state == MAIN)
                self._use(op, item)
        elif op["stores"]:
            number = bucket.victim() if at is None else at
            want |= {"placed": 1, "log": int(slot is not None and self._goes_on(slot))}
            want["evicted"] = int(at is None and bucket[number].item)
            uses = 0 if item is None else min(3, item.uses + 1)
            marks = FETCHED * op["fetches"] | WON * op["wins"]  # of an item that is created
            state, period = MAIN if want["log"] else NEW, 1 - self.period
            self._new = Slot(state, uses, op["tag"], marks=marks, period=period)
            bucket.put(number, self._new)
        elif op["removes"] and item is not None:
            bucket[at or 0] = Slot()
        elif item is not None:
            self._use(op, item)

    def _use(self, op: Op, item: Slot) -> None:
        item.uses = min(3, item.uses + op["reads"])
        if op["fetches"]:
            item.period = self.period if item.marks & FETCHED else 1 - self.period
        item.marks |= FETCHED * op["fetches"]
        if op["wins"] and item.marks & STALE:
            item.marks |= WON

    def _goes_on(self, slot: Slot) -> bool:
        """The item that takes the slot goes to the main log."""
        if slot.state == GHOST:
            young = (self.turn - slot.span) % TURNS < GHOST_TURNS
            self.seen["young" if young else "old"] += 1
            return young
        return bool(slot.state == MAIN)

    def _sweep(self, op: Op, bucket: Bucket, want: Op) -> None:
        at = next((n for n, s in enumerate(bucket) if s.item and s.address == op["address"]), None)
        if at is None:
            return
        slot = bucket[at]
        want["found"] = 1
        if op["dead"]:
            bucket[at] = Slot()
        elif slot.uses and op["may_copy"]:
            want |= {"placed": 1, "log": LOG_MAIN}
            slot.state, slot.uses, slot.address = MAIN, slot.uses - 1, -1
        elif slot.state == NEW:
            slot.state, slot.uses, slot.marks, slot.span = GHOST, 0, 0, self.turn
        else:
            bucket[at] = Slot()

    def _fill_in(self, op: Op, bucket: Bucket, looked: Op) -> None:
        """The place is the table's choice of two that were given to it."""
        if op["sweeps"]:
            next(s for s in bucket if s.address == -1).address = looked["place"]
        elif not looked["held"]:
            self._new.address, self._new.span = looked["place"], short_units(op["span"])

    def _job(self, op: Op, looked: Op, when: int) -> None:
        last = self.last_job.get(op["bucket"]) if op["looks"] else None
        if looked["waits"]:
            assert looked["found"] and not looked["placed"] and not looked["sweeps"]
            assert last is not None and looked["job"] == last % (2 * MOST_JOBS)
            assert when < self.written_at.get(last, self.cycle) + 20, "waits for what is written"
        elif looked["found"] and not looked["placed"] and not looked["sweeps"]:
            assert last is None or self.written_at.get(last, self.cycle) < self.cycle
        if looked["placed"]:
            assert looked["job"] == self.given % (2 * MOST_JOBS)
            due = None if looked["held"] else self.cycle + 2 + random.randint(*self.write_delay)
            self.jobs.append(Job(self.given, due))
            if op["asks"] and op["stores"]:
                assert last is None or last in self.written_at, "the item before is not written"
            self.last_job[op["bucket"]] = self.given
            self.given += 1
            assert len(self.jobs) <= MOST_JOBS

    def _settle(self, op: Op, bucket: Bucket, looked: Op) -> None:
        """No other operation of the bucket passes before, so the model does it at once."""
        yes = random.random() < 0.7
        settle = {name: looked[name] for name in ("entry", "slot", "place", "log")}
        settle |= {"stores": int(yes and op["stores"]), "removes": int(yes and op["removes"])}
        settle["span"] = short_units(op["span"])
        keeps, sets = (random.choice((0, ALL_MARKS, random.randrange(8))) for _ in range(2))
        settle["remark"] = {"keeps": marks_of(keeps), "sets": marks_of(sets)}
        old = bucket[looked["slot"]]
        marks = old.marks & keeps | sets
        period = 1 - self.period if sets & FETCHED else old.period
        if settle["stores"]:
            state = MAIN if looked["log"] else NEW
            uses = min(3, old.uses + 1)
            new = Slot(state, uses, old.tag, settle["span"], settle["place"], marks, period)
            bucket.put(looked["slot"], new)
        elif settle["removes"]:
            bucket[looked["slot"]] = Slot()
        else:
            old.marks, old.period = marks, period
        at = self.cycle + random.randint(*self.settle_delay)
        if self.to_settle:
            at = max(at, self.to_settle[-1][0])
        self.to_settle.append((at, settle))
        if looked["placed"]:
            self.jobs[-1].due = at + 5 + random.randint(*self.write_delay)

    # ---- what benches do -------------------------------------------------------------------------
    def load(self, bucket: int, slots: list[Slot]) -> None:
        """Puts a bucket into memory and model."""
        self.buckets[bucket] = Bucket(slots)
        self.memory.lines[self.base + bucket] = sum(s.bits() << 64 * i for i, s in enumerate(slots))

    def addresses(self, bucket: int, tag: int) -> list[int]:
        """Of items that a sweeper's operation with this bucket and tag may be about."""
        return [slot.address for slot in self.buckets[bucket] if slot.item]

    def send(self, op: Op) -> None:
        self.looks.send(op)
        self.sent.append((op, self.cycle))

    async def play(self, count: int, make: Callable[[], Op], ahead: int = 100) -> None:
        """Sends `count` operations, `ahead` of the answers at most."""
        for _ in range(count):
            while len(self.sent) >= ahead:
                await RisingEdge(self.bench.clock)
            self.send(make())
        await self.drain()

    async def drain(self) -> None:
        idle = 0
        while idle < 40:
            await RisingEdge(self.bench.clock)
            rest = self.sent or self.to_settle or self.jobs or not self.settles.idle
            idle = 0 if rest or self.memory._answers else idle + 1
        assert not self.passed and not self.taken, "something made up"
        self.period = random.getrandbits(1)
        self._period.set(self.period)
        await RisingEdge(self.bench.clock)

    def compare(self, leave_out: set[int] | None = None) -> None:
        """Memory has what the model has."""
        for number, bucket in self.buckets.items():
            if number in (leave_out or ()):
                continue
            there = unpack_line(self.memory.lines.get(self.base + number, 0))
            wanted = [slot.counts() for slot in bucket]
            assert [slot.counts() for slot in there] == wanted, f"bucket {number}"

    async def clear(self) -> None:
        self._clear.set(1)
        await RisingEdge(self.bench.clock)
        self._clear.set(0)
        await RisingEdge(self.bench.clock)
        self.buckets.clear()

    async def play_until(
        self,
        make: Callable[[], Op],
        count: int,
        events: Sequence[str] = (),
        seen: Sequence[str] = (),
    ) -> None:
        """Plays `count` operations, and as many again until each of `events` (of the circuit) has
        happened and each of `seen` (by the model); then memory has what the model has."""
        for _ in rounds(
            1, lambda: all(map(self.events.get, events)) and all(map(self.seen.get, seen))
        ):
            await self.play(count, make)
            self.compare()
        cocotb.log.info("%s %s", dict(self.events), dict(self.seen))

    async def pace(self, what: str, make: Callable[[], Op], most: float, count: int = 600) -> None:
        """`count` operations, of which one more takes `most` cycles at most."""
        begin = len(self.cycles)
        await self.play(count, make, ahead=count)
        rate = (self.cycles[-1] - self.cycles[begin + 150]) / (count - 151)
        cocotb.log.info("PACE %s: %.2f cycles", what, rate)
        assert rate <= most, f"{what}: {rate:.2f} cycles"


FIELDS = structs.field_names(P + "look_t")


def op(**fields: int) -> Op:
    return dict.fromkeys(FIELDS, 0) | {"looks": 1} | fields


def span() -> int:
    return random.choice(
        [random.randint(2, 40), random.randint(2, 300), random.randrange(2, 1 << 19)]
    )


def get(bucket: int, tag: int, idle: int = 0, wins: int = 0) -> Op:
    return op(bucket=bucket, tag=tag, reads=1 - idle, fetches=1 - idle, wins=wins)


def store(bucket: int, tag: int, asks: int = 0, creates: int = 0) -> Op:
    return op(bucket=bucket, tag=tag, stores=1, span=span(), asks=asks, creates=creates)


def remove(bucket: int, tag: int, asks: int = 0) -> Op:
    return op(bucket=bucket, tag=tag, removes=1, asks=asks)


def touch(bucket: int, tag: int, reads: int = 0) -> Op:
    fetches, wins = random.getrandbits(1), random.getrandbits(1)
    return op(bucket=bucket, tag=tag, asks=1, reads=reads, fetches=fetches, wins=wins)


def create(bucket: int, tag: int) -> Op:
    """What reads the item, or stores one."""
    idle = random.getrandbits(1)
    how = {"stores": 1, "creates": 1, "span": span(), "wins": 1}
    return touch(bucket, tag, 1 - idle) | how | {"fetches": 1 - idle}


class Mixture:
    """Random operations on `buckets`, of `tags` each; some of the first buckets with `hot`."""

    def __init__(
        self, table: Table, buckets: list[int], tags: int = 12, hot: float = 0.3, asks: float = 0.15
    ) -> None:
        self.table, self.buckets, self.hot, self.asks = table, buckets, hot, asks
        self.tags = [random.getrandbits(TAG_BITS) for _ in range(tags)]
        self.turn = 0

    def __call__(self) -> Op:
        kind = random.random()
        hot = random.random() < self.hot
        bucket = random.choice(self.buckets[: 2 if hot else None])
        tag = random.choice(self.tags)
        asks = int(random.random() < self.asks)
        if kind < 0.35:
            return get(bucket, tag, int(random.random() < 0.2), int(random.random() < 0.3))
        if kind < 0.65:
            return store(bucket, tag, asks, asks & random.getrandbits(1))
        if kind < 0.72:
            return remove(bucket, tag, asks)
        if kind < 0.74:
            return touch(bucket, tag, asks ^ 1)
        if kind < 0.75:
            return create(bucket, tag)
        if kind < 0.76:
            return op(looks=0, bucket=bucket, tag=tag)
        if kind < 0.78:
            return op(bucket=bucket, tag=tag)  # a key is looked for, and not used
        items = self.table.addresses(bucket, tag)
        address = random.choice(items) if items and random.random() < 0.9 else 5
        flags = {"dead": int(random.random() < 0.2), "may_copy": random.getrandbits(1)}
        self.turn = (self.turn + random.choice([0] * 30 + [1, GHOST_TURNS // 2])) % TURNS
        flags["turn"] = self.turn
        return op(bucket=bucket, tag=tag, sweeps=1, address=address, span=span(), **flags)


def anything(tags: list[int]) -> list[Slot]:
    """A bucket with no tag twice."""
    slots = []
    for tag in random.sample(tags, SLOTS):
        state = random.choice([EMPTY, GHOST, NEW, MAIN, NEW, MAIN])
        uses = random.getrandbits(2) if state in ITEMS else 0
        length = random.getrandbits(8)
        if state == GHOST:
            length = -random.randrange(2 * GHOST_TURNS) % TURNS  # the turn; now it is 0
        some = Slot(state, uses, tag, length, random.getrandbits(32))
        slots.append(Slot() if state == EMPTY else some)
    return slots
