# SPDX-License-Identifier: Apache-2.0
"""Dispatch and compare with everything around them: what the table says is made up, operation by
operation, and so are the items in the log; what must come of it follows from a model in the order
of operations."""

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

from wirecache.circuit import structs
from wirecache.model.index import LARGEST_ITEM, MAX_ITEM, too_large
from wirecache.model.item import short_units
from wirecache.model.numbers import unsigned64
from wirecache.testbench.bench import Bench, Sink, beats
from wirecache.testbench.cycle import Driven, every_cycle, value_of

OP = structs.enum("op_e")
ST = structs.enum("status_e")
LOOKED = "wc_item_pkg::looked_t"
LENGTH_BITS = structs.width("wc_log_pkg::units_t")
LINE_BYTES = structs.constant("LineBytes")
UNIT_BYTES = structs.constant("wc_log_pkg::UnitBytes")
JOBS = 1 << structs.width("wc_log_pkg::job_t")
OUTSTANDING = 56  # jobs of the writer, fewer than half of the numbers
EVENTS = structs.field_names("index_events_t")
NUMBER_BYTES = structs.constant("NumberBytes")
HEADER_BYTES = 8 * structs.constant("wc_log_pkg::HeaderWords")
COUNTS = (OP.OpIncr, OP.OpDecr)
LOOKS = (OP.OpGet, OP.OpLook)
REMOVES = (OP.OpDelete, OP.OpRefuse)
ALL = {"fetched": 1, "stale": 1, "won": 1}
NONE = dict.fromkeys(ALL, 0)
JOINS = (OP.OpAppend, OP.OpPrepend)


def anything(struct: str) -> dict[str, Any]:
    """A struct of random bits: what nobody looks at must not matter."""
    return structs.unpack(struct, random.getrandbits(structs.width(struct)))


def padded(data: bytes, to: int) -> bytes:
    return data + bytes(-len(data) % to)


def span(key_len: int, value_len: int) -> int:
    """Length of an item: header, key in whole words, value."""
    return -(-(HEADER_BYTES + -(-key_len // 8) * 8 + value_len) // UNIT_BYTES)


@dataclass
class Item:
    """What is in the log at `address`, counted in units."""

    key: bytes
    value: bytes
    flags: int
    expiry: int
    cas: int
    address: int = 0
    number: bool = False  # INCR or DECR has stored it
    encoded: bool = False  # its key came in base64
    used: int = 0
    flushes: int | None = None  # counted when a client gave it the CAS number

    @property
    def length(self) -> int:
        return span(len(self.key), NUMBER_BYTES if self.number else len(self.value))

    def text(self) -> bytes:
        header = structs.pack(
            "wc_log_pkg::header_t",
            cas=self.cas,
            encoded=int(self.encoded),
            hash=random.getrandbits(32),
            expiry=self.expiry,
            flags=self.flags,
            number=int(self.number),
            value_len=len(self.value),
            key_len=len(self.key),
            used=self.used,
            origin=origin_of(self.flushes),
        )
        text = header.to_bytes(HEADER_BYTES, "little") + padded(self.key, 8) + self.value
        return text + bytes(UNIT_BYTES * self.length - len(text))


def origin_of(flushes: int | None) -> dict[str, int]:
    """What a header has beside the CAS number."""
    return {"given": int(flushes is not None), "flushes": flushes or 0}


def put_into(slot: int) -> int:
    """Where an item is behind a put into this slot: first in its line; in the stash as it was."""
    return slot if slot >= structs.constant("wc_item_pkg::FirstOfStash") else slot & ~7


@dataclass
class Kept:
    """What the last operation that counted has left to those that follow it."""

    item: Item | None
    unread: bool = False
    slot: int = 0


@dataclass
class Model:
    """Numbers, flush and time, in the order of operations."""

    time: int
    last: int = 0
    floor: int = 0
    flush_at: int | None = None
    flushes: int = 0  # that are counted: of those in front of which numbers were given
    gave: bool = False  # since the last one

    def draw(self, given: int | None = None) -> int:
        """The number of what is stored: the next one, or that which is given."""
        if given is not None:
            self.gave = True
            return given
        self.last += 1
        return self.last

    def flushed(self, floor: int) -> None:
        self.floor, self.flush_at = floor, None
        self.flushes += self.gave
        self.gave = False

    def flush(self, when: int) -> None:
        self.settle()
        if when <= self.time:
            self.flushed(self.draw())
        else:
            self.flush_at = when

    def settle(self) -> None:
        if self.flush_at is not None and self.flush_at <= self.time:
            self.flushed(self.last)

    def live(self, item: Item) -> bool:
        alive = item.cas > self.floor if item.flushes is None else item.flushes == self.flushes
        return alive and (item.expiry == 0 or item.expiry > self.time)


@dataclass
class Expected:
    answers: list[dict[str, Any]] = field(default_factory=list)
    writes: list[dict[str, Any]] = field(default_factory=list)
    # address, beats, job or -1
    requests: list[tuple[int, int, int]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    keys: list[dict[str, int]] = field(default_factory=list)
    numbers: list[dict[str, int]] = field(default_factory=list)
    joined: list[dict[str, int]] = field(default_factory=list)
    settles: list[dict[str, Any]] = field(default_factory=list)
    bumped: list[bool] = field(default_factory=list)
    enters: list[int] = field(default_factory=list)
    leaves: list[int] = field(default_factory=list)
    bump_leaves: list[int] = field(default_factory=list)
    events: Counter[str] = field(default_factory=Counter)


class Pair:
    """The device with everything around it."""

    def __init__(self, bench: Bench, paces: dict[str, float], latency: tuple[int, int]) -> None:
        self.bench, self.dut = bench, bench.dut
        self.latency = latency
        self.writing = (1, 30)  # cycles that a job takes
        self.short_room = 1.0
        self.give_rate = 0.15  # of the operations that store or mark, with a CAS number
        self.bump_rate = 0.3  # of the operations that may tell an item's time of last use
        self.model = Model(random.randrange(1000, 1 << 31))
        self.expected = Expected()
        self.segment_bits = random.randint(11, 24)
        self.units = int(self.dut.BeatUnits.value)  # of a beat: 4, a line, or 1
        self.beat_bytes = UNIT_BYTES * self.units
        self.memory: dict[int, int] = {}  # beats, with their errors above
        self.placed: list[int] = []  # jobs with a place up to each operation
        self.jobs = 0
        self.written = 0
        self.enters: list[int] = []
        self.leaves: list[int] = []
        self.events: Counter[str] = Counter()
        self.wrote: list[dict[str, Any]] = []
        self.todo: list[int] = []  # late jobs before each job that has a place
        self.late = 0
        self.drawn: Counter[str] = Counter()  # where plain SETs got their numbers
        self.verdicts: list[dict[str, Any]] = []
        self.judged = 0  # verdicts that were checked
        self.requests = 0
        self.most_bytes = MAX_ITEM  # of an item, as memcached counts them
        self.kept = Kept(None)
        self.kept_length = 0  # of the key of the last operation that counted
        self.followed = 0  # with success

        def willing(name: str) -> float:
            return paces.get(name, paces.get("all", 1.0))

        def sink(name: str, struct: str | None) -> Sink:
            return bench.sink(name, struct, willing(name))

        self.looked = bench.source("looked", None, willing("looked"))
        pace = self.looked.pace
        self.looked.pace = lambda: pace() and self._may_look()  # type: ignore[assignment]
        self.contexts = bench.source("context", "wc_item_pkg::context_t", willing("context"))
        self.key_words = bench.source("key", "beat_t", willing("key"))
        self.beats = bench.source("beat", None, willing("beat"))
        self._coming: deque[tuple[int, int]] = deque()  # beats, and when they come
        self.sinks = {
            "answer": sink("answer", "wc_log_pkg::answer_t"),
            "write": sink("write", "wc_log_pkg::write_t"),
            "request": sink("request", None),
            "key": sink("key", "beat_t"),
            "short": sink("short", None),
            "verdict": sink("verdict", "wc_log_pkg::verdict_t"),
            "number": sink("number", "beat_t"),
            "joined": sink("joined", "wc_item_pkg::joined_t"),
            "settle": sink("settle", "wc_item_pkg::settle_t"),
        }
        self.bump_leaves = sink("bump_leave", None)
        self.results = sink("result", "result_t")
        self._written = Driven(self.dut.written_i)
        self._patched = Driven(self.dut.patched_i)
        self._bumped = Driven(self.dut.bumped_i)
        # the late jobs to be judged: is it a patch, and of which unit
        self._judges: deque[int | None] = deque()
        self._patching: tuple[deque[int], ...] = (deque(), deque())  # when they are in memory
        self.bumps = 0
        self.patched = self.released = self.settled = 0
        self._short_room = Driven(self.dut.short_room_i, 1)
        self._job_at: int | None = None  # when the job in work is written
        self._cycle = 0
        every_cycle(bench.clock, self._step)

    @classmethod
    async def start(
        cls,
        dut: Any,
        latency: tuple[int, int] = (5, 20),
        most_bytes: int = MAX_ITEM,
        **paces: float,
    ) -> Pair:
        inputs = {"time_i": 0, "settings_i": 0, "most_bytes_i": most_bytes}
        bench = await Bench.start(dut, inputs)
        pair = cls(bench, paces, latency)
        pair.most_bytes = most_bytes
        settings = {"segment_bits": pair.segment_bits, "segments": 256}
        dut.settings_i.value = structs.pack("wc_log_pkg::log_settings_t", **settings)
        dut.time_i.value = pair.model.time
        await bench.reset()
        return pair

    # ---- log and writer -----------------------------------------------------------------------
    def _may_look(self) -> bool:
        return self.placed[self.looked.sent] - self.written < OUTSTANDING

    def _step(self) -> None:
        self._cycle += 1
        requests = self.sinks["request"].items
        while requests:
            self._request(requests.popleft())
        while self._coming and self._coming[0][0] <= self._cycle:
            self.beats.send(self._coming.popleft()[1])
        for job in self.sinks["write"].items:
            self.wrote.append(job)
            if job["late"]:
                self._judges.append(job["bump"] if job["patch"] else None)
            if job["patch"]:  # it has no place, and comes in the turn of the one behind it
                self.late += 1
            elif not job["discard"]:
                self.todo.append(self.late)
                self.late += job["late"]
        self.sinks["write"].items.clear()
        self._patch()
        self._write()
        self._short_room.set(int(random.random() < self.short_room))
        if value_of(self.dut.enter_valid_o):
            self.enters.append(value_of(self.dut.enter_segment_o))
        if value_of(self.dut.leave_valid_o):
            self.leaves.append(value_of(self.dut.leave_segment_o))
        events = value_of(self.dut.events_o)
        if events:
            bits = structs.unpack("index_events_t", events)
            self.events.update(name for name in EVENTS if bits[name])
        if value_of(self.dut.alias_o):
            self.events["alias"] += 1

    def _patch(self) -> None:
        """Items that were found by touches are patched, one after the other; so are those that are
        told when they were used."""
        verdicts = self.sinks["verdict"].items
        while verdicts and self._judges:  # a verdict may come before its job is taken
            verdict = verdicts.popleft()
            self.verdicts.append(verdict)
            unit = self._judges.popleft()
            if unit is not None and verdict["stores"]:
                self._patching[unit].append(self._cycle + random.randint(1, 100))
        for unit, signal in enumerate((self._patched, self._bumped)):
            queue = self._patching[unit]
            done = bool(queue) and queue[0] <= self._cycle
            signal.set(int(done))
            if done:
                queue.popleft()
                self.patched += not unit
                self.bumps += unit
        stored = sum(self.expected.bumped[: len(self.bump_leaves.items)])
        assert stored <= self.bumps, "left before it is patched"
        settles = self.sinks["settle"].items
        while self.settled < len(settles):
            self.released += self.expected.settles[self.settled]["touches"]
            self.settled += 1
            assert self.released <= self.patched, "released before it is patched"

    def _request(self, bits: int) -> None:
        address, count = bits >> 20, bits & (1 << 20) - 1
        expected = self.expected.requests[self.requests]
        assert (address, count) == expected[:2], f"request {self.requests}"
        assert expected[2] < self.written, f"request {self.requests} does not wait"
        self.requests += 1
        at = self._cycle + random.randint(*self.latency)
        for i in range(count):
            self._coming.append((at, self.memory[address // self.units + i]))

    def _write(self) -> None:
        """One job after the other; those that are late wait for their verdict."""
        done = self.written + 1  # jobs, with the one in work
        ready = done <= len(self.todo)
        if ready and len(self.verdicts) < (self.todo[done] if done < len(self.todo) else self.late):
            ready = False
        if not ready:
            self._written.set(0)
            return
        if self._job_at is None:
            self._job_at = self._cycle + random.randint(*self.writing)
        done = self._job_at <= self._cycle
        self._written.set(int(done))
        if done:
            self.written += 1
            self._job_at = None

    # ---- operations ---------------------------------------------------------------------------
    def _send_looked(self, looked: dict[str, Any], length: int) -> None:
        if looked["placed"]:
            if not looked["waits"]:
                looked["job"] = self.jobs % JOBS
            self.jobs += 1
        self.placed.append(self.jobs)
        self.looked.send(structs.pack(LOOKED, **looked) << LENGTH_BITS | length)

    def store_item(self, item: Item, offset: int | None = None, bad: int | None = None) -> int:
        """Puts an item in the log, and marks a beat of it as bad. Gives the number of beats."""
        text = item.text()
        most = 4 - item.length if item.length <= 4 else 3
        offset = random.randint(0, most) if offset is None else min(offset, most)
        lines = -(-(UNIT_BYTES * offset + len(text)) // LINE_BYTES)
        while True:
            line = random.getrandbits(30) % ((1 << 30) - lines)
            item.address = 4 * line + offset
            first, last = item.address // self.units, (item.address + item.length - 1) // self.units
            if not any(i in self.memory for i in range(first, last + 1)):
                break
        around = random.randbytes(lines * LINE_BYTES)
        at = UNIT_BYTES * offset
        data = around[:at] + text + around[at + len(text) :]
        for i in range(first, last + 1):  # of the item only: nobody asks for others
            part = data[self.beat_bytes * i - LINE_BYTES * line :][: self.beat_bytes]
            error = (i - first == bad) << 8 * self.beat_bytes
            self.memory[i] = int.from_bytes(part, "little") | error
        return last + 1 - first

    def sweep(self, found: bool, placed: bool) -> None:
        looked = anything(LOOKED)
        looked |= {"sweeps": 1, "found": int(found), "placed": int(placed)}
        looked |= {"held": 0, "waits": 0, "follows": 0}
        looked["unreadable"] = int(not looked["found"] and random.random() < 0.2)
        length = random.randint(1, (1 << LENGTH_BITS) - 1)
        self._send_looked(looked, length)
        names = ("found", "placed", "place")
        answer = {name: looked[name] for name in names} | {"unread": looked["unreadable"]}
        self.expected.answers.append(answer)
        if placed:
            copy = {"discard": 0, "copy": 1, "log": looked["log"], "place": looked["place"]}
            self.expected.writes.append(copy | {"span": length, "late": 0})

    def operation(
        self,
        op: int,
        key: bytes = b"",
        item: Item | None = None,
        bad: int | None = None,  # a beat of the item that memory does not give
        offset: int | None = None,
        unreadable: bool = False,
        placed: bool = True,
        wait: int | None = None,  # for the job that is so many before the last one
        follows: bool = False,  # the last one that counted: `item` is what that one made
        error: int = 0,  # status of an operation without a key
        **fields: int,  # of the request
    ) -> None:
        model, expected = self.model, self.expected
        cas = fields.pop("cas", 0)
        key_words = fields.pop("key_words", 0)
        key_words |= int(bool(key) and random.random() < 0.1)  # the host may watch
        head = anything("op_t")
        head |= {"op": op, "key_len": len(key), "key_words": key_words, "status": error}
        request = anything("request_t") | fields | {"cas": cas}
        counts = op in COUNTS
        joins = op in JOINS
        fills = op in LOOKS and bool(fields.get("creates"))  # stores an empty item, or reads
        creates = (counts or fills) and bool(fields.get("creates"))
        changes = counts or joins or op in (OP.OpSet, OP.OpAdd, OP.OpReplace, *REMOVES)
        clears = op == OP.OpDelete and bool(fields.get("clears"))  # stores an empty item
        stores = fills or clears or (changes and op not in REMOVES)
        if fills:
            head |= {"meta": 1, "encoded": 0}
            request |= {"flags": 0, "value_len": 0}
        stale = int(fields.get("stale", 0))
        # its item, and does not take it away
        marks = op == OP.OpDelete and bool(stale) and not clears
        touches = op in (OP.OpTouch, OP.OpGat) or marks  # changes it where it stands
        # what must be known of an item before anything changes
        asks = op in (OP.OpAdd, OP.OpReplace) or counts or joins or touches or fills or clears
        asks |= cas != 0 and changes and op != OP.OpRefuse
        if clears or not stores:
            request["value_len"] = fields.get("value_len", 0)
        if counts:
            request["value_len"] = NUMBER_BYTES
        else:
            request["creates"] = int(fills)
            request["touches"] = int((marks or fills) and fields.get("touches", 0))
        request["stale"], request["clears"] = stale, int(clears)
        gives = bool(key) and random.random() < self.give_rate
        request["gives"] = int(gives)
        given = request["given"] if gives else None
        tells = op in (*LOOKS, OP.OpTouch, OP.OpGat)
        recaches = bool(tells and fields.get("recaches", 0))
        request["recaches"] = int(recaches)
        asks |= recaches
        if not counts and not touches and not fills:
            request["earlier"] = 0
        request["op"] = head
        hash_ = random.getrandbits(32)
        self.contexts.send({"request": request, "hash": hash_})
        if key and (not stores or asks or key_words):
            self.key_words.send(*beats(key))
            if key_words:
                expected.keys += beats(key)

        # what the table says
        looked = anything(LOOKED)
        found = item is not None and not unreadable
        looked |= {"sweeps": 0, "unreadable": int(unreadable), "found": int(found)}
        seen = looked["marks"]
        looked["follows"] = int(follows)
        # without an item to ask nothing is stored, but by an ADD
        placed = placed and stores and (not asks or found or creates or op == OP.OpAdd)
        looked |= {"placed": int(placed), "held": int(asks and found), "waits": 0}
        bumps = tells and found and random.random() < self.bump_rate
        looked["bumps"] = int(bumps)
        length = random.randrange(1 << LENGTH_BITS)
        value_len = request["value_len"]
        if stores:
            length = span(len(key), value_len)
        if joins and item is not None and value_len + len(item.value) >= LARGEST_ITEM:
            placed = False
            looked["placed"] = 0
        if joins and placed and item is not None:
            value_len += len(item.value)
            looked["value_len"] = value_len
        taken = span(len(key), value_len)
        if stores:
            looked["taken"] = short_units(taken)
        job = -1  # the one that is waited for
        needed = item is not None and found and (op in (*LOOKS, *REMOVES) or asks)
        if item is not None and found and not follows:
            count = self.store_item(item, offset, bad)
            looked |= {"address": item.address, "span": short_units(item.length)}
            if wait is not None and self.jobs:
                job = self.jobs - 1 - wait % min(self.jobs, OUTSTANDING)
                looked |= {"waits": 1, "job": job % JOBS}
        self._send_looked(looked, length)

        # what is asked of the item
        unread = follows and self.kept.unread
        reads_item = needed and not follows
        if reads_item:
            assert item is not None
            before = item.address % self.units  # units of the first beat that are not the item's
            kept = UNIT_BYTES * before + HEADER_BYTES + len(padded(key, 8)) + counts * NUMBER_BYTES
            count = min(count, -(-kept // self.beat_bytes))
            expected.requests.append((item.address - before, count, job))
            segment = item.address >> self.segment_bits & 0xFF
            expected.enters += [segment] * (1 + bumps)
            unread = bad is not None and bad < count

        # what becomes of it
        failed = unread or (unreadable and not (placed and not asks))
        same_key = needed and not unread and item is not None and item.key == key
        hit = same_key and item is not None and model.live(item)
        same = item is not None and (item.cas == cas or (counts and not item.value))
        lower = item is not None and op == OP.OpSet and bool(stale) and 0 < cas < item.cas
        same |= lower
        status: int = ST.StOk
        stored, removes, number = False, False, 0
        flushes: int | None = None  # the number was given when so many were counted
        value = b"%d" % request["start"]
        new = None  # the number that an item's becomes
        if counts and hit and item is not None:
            new = counted(item.value, request["delta"], down=op == OP.OpDecr)
            value = b"" if new is None else (b"%d" % new).ljust(len(item.value))
        if op == OP.OpNone:
            status = error
        elif op == OP.OpFlush:
            model.flush(request["expiry"])
        elif failed and (changes or fills or op == OP.OpTouch):
            status = ST.StMemory
        elif op == OP.OpRefuse:
            status, removes = ST.StTooLarge, hit
        elif joins and not hit:
            status = ST.StNotStored
        elif not hit and (not stores or (asks and op != OP.OpAdd and not creates)):
            status = ST.StNotFound
        elif hit and (op == OP.OpAdd or (cas and changes and not same)):
            status = ST.StExists
        elif hit and fills:
            pass
        elif touches:
            number = model.draw(given) if marks else 0
        elif counts and hit and new is None:
            status = ST.StNotNumber
        elif (
            joins
            and item
            and (not placed or too_large(key, item.flags, value_len, self.most_bytes))
        ):
            status = ST.StNotStored
        elif stores and not placed:
            status, removes = ST.StTooLarge, True
        elif stores:
            stored = True
            keeps = clears and not stale and not gives and item
            number = item.cas if keeps and item else model.draw(given)
            flushes = item.flushes if keeps and item else model.flushes if gives else None
        elif op == OP.OpDelete:
            removes = True
        reads = op in (OP.OpGet, OP.OpGat) and hit

        result: dict[str, Any] = {"op": head | {"status": int(status)}, "hit": int(reads)}
        if reads:
            assert item is not None
            result |= {"value_len": len(item.value), "flags": item.flags, "cas": item.cas}
            result["pointer"] = item.address
        elif op in (OP.OpTouch, OP.OpLook) and hit:
            assert item is not None
            result |= {"value_len": len(item.value), "flags": item.flags, "cas": item.cas}
        soon = False
        if hit and op in (*LOOKS, OP.OpTouch, OP.OpGat):
            result["marks"] = seen
            expiry = request["expiry"] if request["renewed"] else item.expiry if item else 0
            soon = recaches and 0 < expiry < request["delta"] % 2**32
            wins = head["meta"] and (seen["stale"] or soon) and not seen["won"]
            result["wins"] = int(wins)
        if hit and marks and status == ST.StOk:
            result["cas"] = number
        elif stored and counts and (head["binary"] or head["meta"]):
            result |= {"flags": int(value) >> 32, "pointer": int(value) & 0xFFFFFFFF}
            result["cas"] = number
        elif stored and counts:
            result["cas"] = int(value)
        elif stored and fills:
            result |= {"value_len": 0, "flags": 0, "cas": number, "marks": NONE, "wins": 1}
        elif stored:
            result |= {"value_len": value_len, "cas": number}
            result["pointer"] = looked["place"]
            if not clears and not joins:
                result["ttl"] = ttl(0 if request["earlier"] else request["expiry"], model.time)
        renewed = (touches or (counts and request["touches"])) and not request["earlier"]
        if hit and item is not None and (not changes or (counts and stored)):
            result["ttl"] = ttl(request["expiry"] if renewed else item.expiry, model.time)
        elif creates and stored:
            result["ttl"] = ttl(0 if request["earlier"] else request["expiry"], model.time)
        if counts and stored:
            result["value_len"] = len(b"%d" % int(value))
        if hit and item is not None and not changes:
            result["op"]["encoded"] = int(item.encoded)
            result["unused"] = model.time - item.used
        # A number of the same length changes where it stands; a longer one is another item.
        same_place = counts and hit and item is not None and len(value) == len(item.value)
        counted_until = item.expiry if item is not None else 0
        if same_place and request["touches"]:
            counted_until = request["expiry"]
        kept = same_place and item is not None and item.encoded
        encoded = int(kept) if counts else 0 if joins else head["encoded"]
        if counts and not hit and head["meta"]:
            result["op"]["quiet"] = 0  # that an item was created is told
        if self.units == 4 and needed and op in (OP.OpGet, OP.OpGat) and item and item.length <= 4:
            # Its line goes on, whatever was found there; one that memory did not tell is anything.
            # Beats that are units do not: every value is requested.
            result |= {"one_line": True, "line": None if unread else self.memory[item.address >> 2]}
        expected.results.append(result)
        if joins:
            joined = {"placed": int(placed), "stores": int(stored)}
            joined["front"] = int(op == OP.OpPrepend)
            if placed:
                joined["value_len"] = value_len
            if stored and item is not None:
                joined |= {"address": item.address, "key_len": len(key)}
                joined["old_len"] = len(item.value)
            expected.joined.append(joined)
        if reads_item and not reads and not (joins and stored):
            expected.leaves.append(segment)
        if stores:
            write: dict[str, Any] = {"discard": int(not placed), "copy": 0, "span": length}
            write["header"] = {name: request[name] for name in ("expiry", "flags")}
            write["header"] |= {"hash": hash_, "key_len": len(key), "used": model.time}
            if placed or not joins:
                write["header"]["value_len"] = value_len
            if placed:
                write |= {"log": looked["log"], "place": looked["place"]}
                write |= {"drawn": number, "asks": (asks and found) or gives, "stored": stored}
                write |= {"encoded": encoded, "origin": origin_of(flushes)}
            write["number"], write["joined"] = int(counts), int(joins)
            if joins and hit and item is not None:
                write["told"] = {"keeps": 1, "flags": item.flags, "expiry": item.expiry}
            if placed and clears:
                write["told"] = {"keeps": 0}
            if placed and op == OP.OpSet and cas:
                write["told"] = {"keeps": int(hit and lower)}
                if item is not None and hit and lower:
                    write["told"]["expiry"] = item.expiry
            if counts and placed:
                write["asks"] = True
                write["told"] = {"number": 1, "value_len": len(value), "keeps": int(hit)}
                if hit and item is not None:
                    write["told"] |= {"flags": item.flags, "expiry": counted_until}
                text = padded(value, NUMBER_BYTES) if stored else bytes(NUMBER_BYTES)
                expected.numbers += beats(text)
            expected.writes.append(write)
        if touches and needed:
            assert item is not None
            write = {"discard": 0, "copy": 0, "patch": 1, "place": item.address, "late": 1}
            write["header"] = {"expiry": request["expiry"], "hash": hash_, "key_len": len(key)}
            write |= {"stored": hit, "asks": True}
            write["told"] = {"value_len": len(item.value), "number": int(item.number)}
            write["told"] |= {"keeps": int(marks and hit)}
            if not marks:
                write["told"]["cas"] = item.cas
            else:
                write["stored"] = hit and status == ST.StOk
                until = request["expiry"] if request["touches"] else item.expiry
                write["told"] |= {"cas": number, "expiry": until}
                write["both"] = int(gives)
                if gives:
                    write["told"] |= {"flags": item.flags, "encoded": int(item.encoded)}
                    write["told"] |= {"origin": origin_of(model.flushes)}
            expected.writes.append(write)
        if bumps:
            assert item is not None
            write = {"discard": 0, "copy": 0, "patch": 1, "bump": 1, "place": item.address}
            write["header"] = {"hash": hash_, "used": model.time}
            write |= {"late": 1, "stored": hit, "asks": True, "told": {"flags": item.flags}}
            write["told"] |= {"encoded": int(item.encoded), "origin": origin_of(item.flushes)}
            expected.writes.append(write)
            expected.bump_leaves.append(segment)
            expected.bumped.append(hit)
        if asks and found:
            settle = {"entry": looked["entry"], "slot": looked["slot"]}
            if follows:
                settle["slot"] = self.kept.slot
            settle |= {"stores": int(stored), "removes": int(removes)}
            settle["touches"] = touches and hit and status == ST.StOk
            settle["remark"] = {"keeps": ALL, "sets": NONE | {"won": int(hit and soon)}}
            if stored and lower:
                settle["remark"] = {"keeps": NONE | {"won": 1}, "sets": NONE | {"stale": 1}}
            elif stored and not same_place:
                settle["remark"] = {"keeps": NONE, "sets": NONE}
                if fills:
                    fetched = int(not request["idle"])
                    settle["remark"]["sets"] = NONE | {"won": 1, "fetched": fetched}
                elif clears:
                    settle["remark"]["sets"] = NONE | {"stale": stale}
            elif marks and hit and status == ST.StOk:
                settle["remark"] = {"keeps": NONE | {"fetched": 1}, "sets": NONE | {"stale": 1}}
            if stored:
                settle |= {"place": looked["place"], "log": looked["log"]}
                settle["span"] = short_units(taken)
            expected.settles.append(settle)
        if counts:
            self.kept, self.kept_length = Kept(None), len(key)
            if item is not None and needed and placed and not creates:
                slot = put_into(settle["slot"]) if stored else settle["slot"]
                self.kept = Kept(item, unread, slot)
                if stored:
                    self.followed += follows
                    new_item = Item(key, value, item.flags, counted_until, number, number=True)
                    new_item.encoded, new_item.flushes = bool(encoded), flushes
                    self.kept.item = new_item
        kind = {OP.OpGet: "get", OP.OpGat: "get", OP.OpLook: "get"}
        kind |= {OP.OpDelete: "del", OP.OpFlush: "flush"}
        other = "set" if stores else "other" if status == ST.StOk else "error"
        if counts:
            name = "incr" if op == OP.OpIncr else "decr"
            expected.events[name] += 1
            expected.events[name + "_hit"] += hit and stored
        elif op != OP.OpTouch:
            expected.events[kind.get(op, other)] += 1
        if op == OP.OpDelete and stale and hit and status == ST.StOk:
            expected.events["del"] -= 1
        expected.events["touch"] += touches and not marks
        touched = fills and stored and request["touches"]
        expected.events["touch_hit"] += touched or (touches and hit and not marks)
        expected.events["get_hit"] += reads or (op == OP.OpLook and hit) or (fills and stored)
        expected.events["del_hit"] += op == OP.OpDelete and (
            stored and not stale if clears else removes
        )
        expected.events["failed"] += failed
        if op == OP.OpSet and cas and not failed:
            outcome = "miss" if not hit else "hit" if same else "badval"
            expected.events["cas_" + outcome] += 1
        expected.events["alias"] += needed and not unread and not same_key

    # ---- at the end ---------------------------------------------------------------------------
    async def settle(self) -> None:
        """Returns when everything is done."""
        streams = (self.looked, self.contexts, self.key_words)
        for _ in range(400000):
            await self.bench.wait(20)
            names = ("answer", "key", "settle", "number", "joined")
            came = [len(self.sinks[name].items) for name in names]
            wanted = [self.expected.answers, self.expected.keys, self.expected.settles]
            wanted += [self.expected.numbers, self.expected.joined]
            if (
                all(s.idle for s in streams)
                and len(self.results.items) >= len(self.expected.results)
                and len(self.sinks["short"].items) >= sum(r["one_line"] for r in self.results.items)
                and all(a >= len(b) for a, b in zip(came, wanted, strict=True))
                and self.written >= self.jobs
                and len(self.wrote) >= len(self.expected.writes)
                and len(self.bump_leaves.items) >= len(self.expected.bump_leaves)
            ):
                break
        await self.bench.wait(60)

    async def set_time(self, time: int) -> None:
        """While nothing is in flight."""
        self.model.time = time
        self.dut.time_i.value = time
        self.model.settle()
        await self.bench.wait(10)
        assert value_of(self.dut.floor_o) == self.model.floor
        assert value_of(self.dut.flushes_o) == self.model.flushes

    async def check(self) -> None:
        """Everything that came is as expected; begins anew."""
        await self.settle()
        expected = self.expected
        assert self.beats.idle and not self._coming
        assert list(self.sinks["answer"].items) == expected.answers
        assert list(self.sinks["key"].items) == expected.keys
        assert list(self.sinks["number"].items) == expected.numbers
        joined = list(self.sinks["joined"].items)
        assert len(joined) == len(expected.joined)
        for came, want in zip(joined, expected.joined, strict=True):
            assert came | want == came, (came, want)
        assert self.requests == len(expected.requests)
        assert self.enters == expected.enters
        assert self.leaves == expected.leaves
        assert list(self.bump_leaves.items) == expected.bump_leaves
        assert self.bumps == sum(expected.bumped)
        assert self.events == +expected.events, (self.events, expected.events)
        self._check_writes()
        self._check_results()
        settles = list(self.sinks["settle"].items)
        assert len(settles) == len(expected.settles)
        for came, want in zip(settles, expected.settles, strict=True):
            want.pop("touches")
            assert came | want == came, (came, want)
        self.settled = 0
        assert value_of(self.dut.floor_o) == self.model.floor
        assert value_of(self.dut.flushes_o) == self.model.flushes
        self.bumps = 0
        for sink in (*self.sinks.values(), self.bump_leaves, self.results):
            sink.items.clear()
            sink.cycles.clear()
        self.enters.clear()
        self.leaves.clear()
        self.events.clear()
        self.expected = Expected()
        self.requests = 0
        self.wrote.clear()
        self.judged = len(self.verdicts)

    def _check_writes(self) -> None:
        assert len(self.wrote) == len(self.expected.writes)
        verdicts = iter(self.verdicts[self.judged :])
        for job, want in zip(self.wrote, self.expected.writes, strict=True):
            number, asks, stored = (want.pop(name, 0) for name in ("drawn", "asks", "stored"))
            encoded, origin = want.pop("encoded", 0), want.pop("origin", origin_of(None))
            told = want.pop("told", None)
            header = want.pop("header", None)
            assert job | want == job, (job, want)
            if header is not None:
                assert job["header"] | header == job["header"], (job, header)
            if job["discard"] or job["copy"]:
                assert not job["late"]
                continue
            assert job["late"] or not asks
            if not asks:
                self.drawn["late" if job["late"] else "early"] += 1
            if not job["late"]:
                assert job["header"]["cas"] == number
                assert job["header"]["encoded"] == encoded
                assert job["header"]["origin"] == origin == origin_of(None)
                continue
            verdict = next(verdicts)
            assert verdict["stores"] == int(stored)
            if not stored:
                # The length that is told is that of the room all the same.
                assert not job["number"] or (verdict["number"] and verdict["value_len"] < 32)
                continue
            assert told is None or verdict | told == verdict, (verdict, told)
            assert job["patch"] or verdict["cas"] == number
            assert job["patch"] or verdict["encoded"] == encoded
            assert job["patch"] or verdict["origin"] == origin
        assert next(verdicts, None) is None

    def _check_results(self) -> None:
        lines = self.sinks["short"].items
        assert len(self.results.items) == len(self.expected.results)
        for n, (came, want) in enumerate(
            zip(self.results.items, self.expected.results, strict=True)
        ):
            came["pointer"] = structs.pack("pointer_t", **came["pointer"])
            one_line, line = want.pop("one_line", False), want.pop("line", None)
            short = came["one_line"]
            assert came | want == came, (n, came, want)
            assert not short or one_line, n
            assert short or not one_line or self.short_room < 1.0, n
            if short:
                came_line = lines.popleft()  # its upper half
                assert line is None or came_line == line >> 256, n
        assert not lines


def alike(key: bytes) -> bytes:
    """Another key that differs from `key` in a bit, a byte more, a word less, or altogether: its
    item may be much shorter than the operation's key."""
    kind = random.randrange(5)
    if kind == 0 and len(key) < 250:
        return key + b"\0"
    if kind == 1 and len(key) > 8:
        return key[:-8]
    if kind == 2:
        return b"\0" + random.randbytes(random.choice([0, 7, 8, random.randrange(250)]))
    at = random.choice([0, len(key) - 1, random.randrange(len(key))])
    return key[:at] + bytes([key[at] ^ 1 << random.randrange(8)]) + key[at + 1 :]


def numeric() -> bytes:
    """A value that is a number, or nearly."""
    some = (0, 9, 10**15, random.getrandbits(64), 2**64, -1, -(2**63), -(2**64) + 1)
    number = b"%d" % random.choice(some)
    before = random.choice((b"", b"", b" ", b"\t\n\r", b"+", b"-", b"000", b"\0"))
    behind = random.choice((b"", b"", b" ", b"    ", b" 5", b" -", b"\0x", b"\0-", b" \0-", b"x"))
    return random.choice((before + number + behind, b"%d" % random.randrange(1000)))


def counted(value: bytes, delta: int, *, down: bool) -> int | None:
    """The number that an INCR or DECR makes of a value."""
    old = unsigned64(value.split(b"\0")[0]) if len(value) <= NUMBER_BYTES else None
    if old is None:
        return None
    return max(0, old - delta) if down else (old + delta) % 2**64


def random_key(longest: int = 250) -> bytes:
    length = random.choice([random.randint(1, 8), random.randint(1, 24), random.randint(1, 250)])
    return random.randbytes(min(longest, length))


def random_item(pair: Pair, key: bytes) -> Item:
    """An item that the table may find for `key`: mostly one that is alive, and the key's."""
    model = pair.model
    if random.random() < 0.2:
        key = alike(key)
    size = random.choice([0, 8, 16, random.randrange(40), random.randrange(400)])
    if random.random() < 0.02:
        size = random.randint(4000, 5000)
    expiry = random.choice([0, 0, 0, model.time + random.choice([-1, 0, 1, 2, 100])])
    flushed = model.last == model.floor or (model.floor and random.random() < 0.15)
    cas = random.randint(1, model.floor) if flushed and model.floor else 0
    if not flushed:
        cas = random.choice(
            [model.floor + 1, model.last, random.randint(model.floor + 1, model.last)]
        )
    item = Item(key, random.randbytes(size), random.getrandbits(32), expiry, cas)
    item.used = pair.model.time - random.choice((0, 1, 1000))
    item.encoded = random.random() < 0.5
    if random.random() < 0.3:
        item.cas = random.getrandbits(64) % (2**64 - 1)
        item.flushes = model.flushes
        if not model.gave or random.random() < 0.15:  # a flush has met it
            item.flushes = (model.flushes - random.choice((1, random.randint(2, 2**29)))) % 2**30
    if random.random() < 0.4:
        item.value = numeric()
        item.number = len(item.value) <= NUMBER_BYTES and random.random() < 0.5
    return item


def ttl(expiry: int, time: int) -> int:
    """Seconds to live, as a result has them."""
    return (expiry - time if expiry else -1) & 0xFFFFFFFF


_READS = {"get": OP.OpGet, "gat": OP.OpGat, "touch": OP.OpTouch, "look": OP.OpLook}


def follow(pair: Pair) -> None:
    """An INCR or DECR, of the key of the last one or of another one that is as long."""
    item = pair.kept.item
    if item is None:
        return
    model = pair.model
    key = bytearray(item.key)
    length = pair.kept_length
    del key[length:]
    key += bytes(length - len(key))
    if random.random() < 0.2:
        key[random.choice((0, -1, random.randrange(length)))] ^= 1 << random.randrange(8)
    pair.operation(
        random.choice(COUNTS),
        bytes(key),
        item=item,
        follows=True,
        creates=0,
        delta=random.choice((0, 1, 1, 10**9, random.getrandbits(64))),
        cas=random.choice((0, 0, 0, item.cas, model.last, 1 << 40)),
        touches=int(random.random() < 0.2),
        earlier=random.getrandbits(1),
        expiry=random.choice((0, 0, 1, model.time, model.time + 1, model.time + 100)),
        key_words=int(random.random() < 0.1),
    )


def random_op(pair: Pair, weights: dict[str, float], longest: int = 250) -> None:
    kind = random.choices(list(weights), list(weights.values()))[0]
    model = pair.model
    if kind == "sweep":
        found = random.random() < 0.7
        pair.sweep(found, found and random.random() < 0.6)
        return
    if kind == "none":
        pair.operation(OP.OpNone, error=random.choice([ST.StOk, ST.StOk, ST.StUnknown]))
        return
    if kind == "flush":
        when = random.choice([0, 0, model.time - 1, model.time, model.time + random.randint(1, 3)])
        pair.operation(OP.OpFlush, expiry=when)
        return
    if kind == "follow":
        follow(pair)
        return
    key = random_key(longest)
    there = random.random() < 0.85
    item = random_item(pair, key) if there else None
    unreadable = random.random() < 0.04
    bad = None
    if random.random() < 0.05:
        bad = random.choice([0, 0, 1, 2] if pair.units == 4 else [0, 1, 2, random.randrange(20)])
    options: dict[str, Any] = {"item": item, "bad": bad, "unreadable": unreadable}
    options["key_words"] = int(random.random() < 0.3)
    if random.random() < 0.3:
        options["wait"] = random.randrange(40)
    if kind in _READS:
        options["expiry"] = random.choice([0, 1, model.time + 1])
        options["earlier"] = random.getrandbits(1)
        if random.random() < 0.3:
            options["recaches"], options["renewed"] = 1, random.getrandbits(1)
            options["delta"] = random.choice((0, 1, model.time + random.choice((-5, 0, 2, 50))))
            options["delta"] += random.getrandbits(32) << 32
        if random.random() < 0.3:
            options["creates"] = 1
            options["placed"] = not unreadable and random.random() < 0.92
        pair.operation(_READS[kind], key, **options)
        return
    if kind in ("cas", "delete_cas"):
        options["cas"] = item.cas if item and item.cas and random.random() < 0.7 else 1 << 40
    if kind in ("delete", "delete_cas") and random.random() < 0.4:
        options["stale"], options["touches"] = 1, random.getrandbits(1)
        options["expiry"] = random.choice([0, 1, model.time + 1])
    if kind in ("delete", "delete_cas") and random.random() < 0.4:
        options["clears"], options["touches"] = 1, 0
        options["placed"] = not unreadable and random.random() < 0.92
    if kind == "cas" and random.random() < 0.5:
        options["stale"] = 1
        options["cas"] += random.choice((-1, -1, 0, 1)) if options["cas"] > 1 else 0
    if kind in ("delete", "delete_cas", "refuse"):
        pair.operation(OP.OpRefuse if kind == "refuse" else OP.OpDelete, key, **options)
        return
    options["placed"] = not unreadable and random.random() < 0.92
    if kind in ("incr", "decr"):
        options["delta"] = random.choice((0, 1, 10**9, random.getrandbits(64)))
        options["creates"] = int(random.random() < 0.3)
        options["touches"] = int(random.random() < 0.3)
        options["earlier"] = random.getrandbits(1)
        options["expiry"] = random.choice((0, 0, 1, model.time, model.time + 1, model.time + 100))
        options["start"] = random.choice((0, 9999, 10**4, random.getrandbits(64)))
        if random.random() < 0.2:
            options["cas"] = item.cas if item and item.cas and random.random() < 0.7 else 1 << 40
        pair.operation(OP.OpIncr if kind == "incr" else OP.OpDecr, key, **options)
        return
    options["value_len"] = random.choice(
        [0, random.randrange(100), random.randrange(pair.most_bytes)]
    )
    if kind in ("append", "prepend"):
        if random.random() < 0.3:
            options["cas"] = item.cas if item and item.cas and random.random() < 0.7 else 1 << 40
        if random.random() < 0.2:
            most = pair.most_bytes - structs.constant("ItemBytes")
            options["value_len"] = most - random.randrange(600)  # too large, perhaps
    stores = {"add": OP.OpAdd, "replace": OP.OpReplace}
    stores |= {"append": OP.OpAppend, "prepend": OP.OpPrepend}
    pair.operation(stores.get(kind, OP.OpSet), key, **options)
