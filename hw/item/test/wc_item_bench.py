# SPDX-License-Identifier: Apache-2.0
"""wc_item: the whole index with its log against the model, which is told what entered the table in
which order, the sweeper's operations with it, and so knows every answer. Answers of some GETs are
taken back on the way to the values: they are not read, and keep no segment from being swept."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from item_bench import numeric, ttl
from wirecache.circuit.structs import constant, enum, pack, unpack
from wirecache.model import item as item_model
from wirecache.model.follow import Follower
from wirecache.model.index import Item, Needs, Status
from wirecache.model.item_table import CuckooTable
from wirecache.model.log import Pool
from wirecache.model.lookup3 import hashlittle2
from wirecache.testbench import axi_memory
from wirecache.testbench.axi_memory import AxiMemory
from wirecache.testbench.bench import Bench, beats, run, unbeats
from wirecache.testbench.cycle import every_cycle, reader

OP = enum("op_e")
STATUS = enum("status_e")
STORES = {OP.OpSet: Needs.ANY, OP.OpAdd: Needs.NO_ITEM, OP.OpReplace: Needs.ITEM}
COUNTS = (OP.OpIncr, OP.OpDecr)
JOINS = (OP.OpAppend, OP.OpPrepend)
MARKS = ("fetched", "stale", "won")
TELLS = (OP.OpGet, OP.OpLook, OP.OpGat, OP.OpTouch)
NUMBER_BYTES = constant("NumberBytes")
STATUS_OF = {
    Status.OK: STATUS.StOk,
    Status.NOT_NUMBER: STATUS.StNotNumber,
    Status.NOT_STORED: STATUS.StNotStored,
    Status.NOT_FOUND: STATUS.StNotFound,
    Status.EXISTS: STATUS.StExists,
    Status.TOO_LARGE: STATUS.StTooLarge,
}
SEGMENTS = 14
SEGMENT_BITS = 11
SEGMENT = 16 << SEGMENT_BITS
TIME = 1000
# What is looked at every cycle.
SEEN = (
    *("rst_i", "forgotten_o", "clearing_o", "enters_o", "user_o", "met_o"),
    *("looked_o", "looked_bits_o", "give_o", "give_segment_o", "denied_o", "moved_o"),
)


class ItemBench:
    """Everything around the index. `expected` has what must come out, in order."""

    def __init__(self, dut: Any, bench: Bench, factor: int, segments: int, **options: Any) -> None:
        willing = options.get("willing", 1.0)
        self.dut, self.bench = dut, bench
        axi_memory.LINE = 16 * int(dut.BeatUnits.value)
        read, write = options.get("read", (20, 40)), options.get("write", (10, 60))
        self.index = AxiMemory(dut, read, write, prefix="m_axi_index")
        self.log = AxiMemory(dut, read, write, prefix="m_axi_log")
        self.log.lines = self.index.lines  # beats
        memory = segments * SEGMENT + 64 * factor
        item_model.FEWEST_SEGMENTS = SEGMENTS  # few are soon full
        self.hash = options.get("hash", hashlittle2)
        self.model = item_model.ItemIndex(
            memory,
            factor,
            TIME,
            self.hash,
            Pool(segments, SEGMENT),
            sweeps=False,
            ways=int(dut.Ways.value),
            lines=int(dut.Entries.value),
        )
        self.model.largest = segments * SEGMENT // 16  # as in start()
        self.hashed = bench.source("hashed", "hashed_t", options.get("hashed", willing))
        self.keys_in = bench.source("key", "beat_t", willing)
        self.values_in = bench.source("value", "beat_t", options.get("values_in", willing))
        self.done = bench.sink("done", "result_t", willing)
        self.keys = bench.sink("key", "beat_t", willing)
        self.values = bench.sink("value", "beat_t", options.get("values", willing))
        self.sent: deque[tuple[Any, ...]] = deque()  # not entered yet
        # request, its key, status, item, its time to live, CAS number, number that was counted
        self.expected: deque[
            tuple[dict[str, Any], bytes, int, Item | None, int, int, int | None]
        ] = deque()
        self.names: list[bytes] = []  # keys
        # Of items whose time of last use was written anew, by CAS number: that of before, and the
        # step of the clock in which it was. Who comes soon behind may see it still; so may all, if
        # the sweeper has copied the item just then.
        self.older: dict[int, tuple[int, int]] = {}
        self.steps = self.rewritten = self.copied = 0
        self.kept_older: set[int] = set()
        self.last = 1  # of its message
        self.follower = Follower(self.model)
        self.counted = self.joined = self.followed = self.marked = self.won = self.created = 0
        self.cleared = self.given_marks = 0
        self.given = 0  # the last CAS number
        self._begins = True  # a message
        self.hits = self.taken_back = self.forgotten = self.restarts = self.clear_cycles = 0
        self.denied = 0  # operations that a filter kept from the table
        self.blind = False  # do not tell the model
        self.plain = False  # no GET is to win what expires soon
        self.reads = 0  # no answer of a GET is taken back
        self._clearing = False
        self._tell = {name: reader(getattr(dut, name)) for name in SEEN}
        every_cycle(dut.clk_i, self._watch)

    @classmethod
    async def start(
        cls, dut: Any, factor: int = 8, shift: int = 4, segments: int = SEGMENTS, **options: Any
    ) -> ItemBench:
        item = {"base_line": segments * SEGMENT // 64, "factor": factor, "shift": shift}
        log = {
            "segment_bits": SEGMENT_BITS,
            "segments": segments,
            "most_new": (segments + item_model.NEW_SHARE // 2) // item_model.NEW_SHARE,
            "largest": segments * SEGMENT // 16 // 16,
        }
        bench = await Bench.start(
            dut,
            {
                "time_i": TIME,
                "item_settings_i": pack("wc_item_pkg::item_settings_t", **item),
                "log_settings_i": pack("wc_log_pkg::log_settings_t", **log),
                "clear_i": 0,
                "hold_i": 0,
            },
        )
        self = cls(dut, bench, factor << shift, segments, **options)
        zeroed = options.get("zeroed", False)
        table = 64 * factor << shift  # bytes
        self.index.load(64 * item["base_line"], bytes(table) if zeroed else random.randbytes(table))
        await bench.reset()
        self.clear_cycles = await self.clear(zeroed=zeroed)
        return self

    async def clear(self, *, zeroed: bool = False) -> int:
        """Cycles until it is done."""
        self.dut.clear_i.value = pack("clear_t", start=1, zeroed=int(zeroed))
        await self.bench.wait(1)
        self.dut.clear_i.value = 0
        await self.bench.wait(1)
        cycles = 2
        while int(self.dut.clearing_o.value):
            await self.bench.wait(1)
            cycles += 1
        return cycles

    def move_on(self) -> None:
        """Time goes on; there are no operations on the way."""
        self.model.time += random.choice((0, 1, 30, 61))
        self.dut.time_i.value = self.model.time
        self.steps += 1

    # ---- what goes in -------------------------------------------------------------------------
    def send(self, kind: Any, key: bytes = b"", value: bytes = b"", **fields: Any) -> None:
        binary = random.getrandbits(1)
        meta = int(kind in (*COUNTS, *TELLS) and not binary and random.random() < 0.7)
        op = {
            "op": kind,
            "key_len": len(key),
            "opaque": random.getrandbits(32) | int(kind == OP.OpGet and self.reads),
            "conn": random.getrandbits(16),
            "last": self.last,
            "binary": binary,
            "meta": meta,
            "encoded": random.getrandbits(1),
            "quiet": meta,
            "key_words": int(bool(key) and not self.blind and random.random() < 0.2),
        }
        request = {"op": op, "value_len": len(value), "flags": 0, "expiry": 0, "cas": 0}
        request |= {"touches": 0, "earlier": 0, "stale": 0, "idle": 0, "creates": 0, "clears": 0}
        request |= {"recaches": 0, "renewed": 0, "gives": 0, **fields}
        if kind in (OP.OpGet, OP.OpLook) and meta and not self.plain and random.random() < 0.3:
            request |= {
                "creates": 1,
                "expiry": self.model.time + random.choice((-self.model.time, -1, 0, 1, 2)),
            }
            request["earlier"] = random.getrandbits(1)
            op["encoded"] = 0
        if kind in TELLS and not self.plain and random.random() < 0.3:
            request |= {"recaches": 1, "delta": self.model.time + random.choice((0, 1, 2))}
            request["renewed"] = random.getrandbits(1) if kind in (OP.OpGat, OP.OpTouch) else 0
        if key and not (self.plain or self.blind) and random.random() < 0.15:
            # no other item's, as times of last use are kept for each here
            self.given = 1 << 63 | random.getrandbits(63)
            request |= {"gives": 1, "given": self.given}
        self.hashed.send({"request": request, "hash": self.hash(key)})
        self.keys_in.send(*beats(key))
        if kind in STORES or kind in JOINS:
            self.values_in.send(*beats(value))
        self.sent.append((kind, key, value, request))

    def create(self, key: bytes) -> None:
        """A GET that stores an empty item if there is none."""
        op = {"op": OP.OpGet, "key_len": len(key), "meta": 1, "last": 1, "opaque": 1}
        request: dict[str, Any] = {}
        request["op"] = {**dict.fromkeys(("binary", "encoded", "quiet", "key_words"), 0), **op}
        names = ("value_len", "flags", "expiry", "cas", "touches", "earlier", "stale", "idle")
        request |= dict.fromkeys((*names, "clears", "recaches", "renewed", "gives"), 0)
        request["creates"] = 1
        self.hashed.send({"request": request, "hash": self.hash(key)})
        self.keys_in.send(*beats(key))
        self.sent.append((OP.OpGet, key, b"", request))

    # ---- what the circuit does, in its order --------------------------------------------------
    def _watch(self) -> None:
        tell, follower = self._tell, self.follower
        if tell["rst_i"]():
            return
        self.forgotten += tell["forgotten_o"]()
        self.denied += tell["denied_o"]()
        clearing = bool(tell["clearing_o"]())
        if self._clearing and not clearing:  # nothing is in flight
            self.restarts += 1
            self.copied += self.follower.copies
            self.model.forget()
            self.follower = Follower(self.model)
        self._clearing = clearing
        if self.blind:
            return
        if tell["enters_o"]() and not tell["user_o"]():
            met = unpack("wc_log_pkg::met_t", tell["met_o"]())
            follower.met(met["address"], dead=bool(met["dead"]), may_copy=bool(met["may_copy"]))
        if tell["moved_o"]():
            assert isinstance(self.model.table, CuckooTable)
            entry = unpack("wc_item_pkg::looked_t", tell["looked_bits_o"]())["slot"]
            self.model.table.move(entry)
        if tell["looked_o"]():
            looked = unpack("wc_item_pkg::looked_t", tell["looked_bits_o"]())
            place = looked["place"] if looked["placed"] else None
            self.followed += looked["follows"]
            if looked["sweeps"]:
                follower.swept(found=bool(looked["found"]), place=place)
            else:
                follower.looked(lambda: self._run(*self.sent.popleft()), place)
        if tell["give_o"]():
            follower.gave(tell["give_segment_o"]())

    def _run(self, kind: Any, key: bytes, value: bytes, request: dict[str, Any]) -> None:
        model = self.model
        if self._begins:
            model.message()
        self._begins = bool(request["op"]["last"])
        item, number, status = None, 0, STATUS.StOk
        counted, left = None, 0
        there = model.peek(key)
        before = replace(there) if there else None
        until = before.expiry if before else 0
        given = request["given"] if request["gives"] else None
        how: dict[str, Any] = {"uses": not request["idle"], "wins": bool(request["op"]["meta"])}
        if request["recaches"]:
            how["recache"] = request["delta"]
        if request["creates"] and kind in (OP.OpGet, OP.OpLook):
            how |= {"creates": request["expiry"], "given": given}
        if kind in (OP.OpTouch, OP.OpLook):
            look = kind == OP.OpLook
            if not look:
                how["renewed"] = bool(request["renewed"])
            item = model.get(key, **how) if look else model.touch(key, request["expiry"], **how)
            status = STATUS.StOk if item else STATUS.StNotFound
            self._told(request, item)
        elif kind in (OP.OpGet, OP.OpGat):
            gat = kind == OP.OpGat
            touch = {"expiry": request["expiry"], "reads": True}
            touch["renewed"] = bool(request["renewed"])
            item = model.touch(key, **touch, **how) if gat else model.get(key, **how)
            status = STATUS.StOk if item else STATUS.StNotFound
            self._told(request, item)
            if request["op"]["opaque"] % 4 == 0:  # the size stage takes it back
                self.taken_back += item is not None
                request["op"]["op"], item, status = OP.OpNone, None, STATUS.StOk
        elif kind in STORES:
            flags, expiry, cas = (request[name] for name in ("flags", "expiry", "cas"))
            stale, encoded = bool(request["stale"]), bool(request["op"]["encoded"])
            item_of = (key, value, flags, expiry, cas, STORES[kind], encoded)
            became, number = model.set(*item_of, stale=stale, given=given)
            self.marked += bool(became is Status.OK and stale and before and cas < before.cas)
            status = STATUS_OF[became]
        elif kind in JOINS:
            front = kind == OP.OpPrepend
            became, number = model.join(key, value, front=front, cas=request["cas"], given=given)
            status = STATUS_OF[became]
            self.joined += became is Status.OK
        elif kind in COUNTS:
            became, counted, number = model.count(
                key,
                request["delta"],
                down=kind == OP.OpDecr,
                initial=request["start"] if request["creates"] else None,
                expiry=request["expiry"],
                cas=request["cas"],
                touches=bool(request["touches"]),
                given=given,
            )
            if not request["earlier"] and (before is None or request["touches"]):
                until = request["expiry"]
            left = ttl(until, model.time)
            request["op"]["quiet"] &= int(before is not None)
            status = STATUS_OF[became]
            self.counted += became is Status.OK
        elif kind == OP.OpDelete and request["clears"]:
            flags, expiry, cas = (request[name] for name in ("flags", "expiry", "cas"))
            stale, encoded = bool(request["stale"]), bool(request["op"]["encoded"])
            became = model.clear(key, flags, expiry, cas, encoded, stale=stale, given=given)
            number = before.cas if before and not stale else model.cas
            number = number if given is None else given
            number, status = number * (became is Status.OK), STATUS_OF[became]
            self.cleared += became is Status.OK
            if became is Status.OK and before:
                self.older.pop(before.cas, None)
        elif kind == OP.OpDelete and request["stale"]:
            then = request["expiry"] if request["touches"] else None
            became = model.invalidate(key, request["cas"], then, given)
            number = model.cas if given is None else given
            number, status = number * (became is Status.OK), STATUS_OF[became]
            self.given_marks += became is Status.OK and given is not None
            self.marked += became is Status.OK
        elif kind == OP.OpDelete:
            status = STATUS_OF[model.delete(key, request["cas"])]
        elif kind == OP.OpRefuse:
            status = STATUS_OF[model.refuse(key)]
        elif kind == OP.OpFlush:
            model.flush(request["expiry"])
        made = number if kind in (*COUNTS, OP.OpDelete) and not request["clears"] else 0
        request["unused"] = self._unused(there, before, made)
        if item is not None and before is None:
            self.created += 1
            left = ttl(0 if request["earlier"] else request["expiry"], model.time)
            request["wins"] = True
            item = replace(item, fetched=False, won=False)
        elif item is not None and before is not None:
            left = ttl(until if request["earlier"] else item.expiry, model.time)
            request["wins"] = item.won > before.won
            self.won += request["wins"]
            before.cas, item = item.cas, before  # with the marks of before
        self.expected.append((request, key, status, item, left, number, counted))

    def _unused(self, item: Item | None, before: Item | None, number: int) -> tuple[int, ...]:
        """The seconds that may be told since the last use of an item, which was `before`."""
        if item is None or before is None:
            return (0,)
        times = [before.time]
        if before.cas in self.older:
            older, step = self.older[before.cas]
            times.append(older)
            if number:  # what is made of it may have it, too
                self.older[number] = (older, step)
        if item.time != before.time:
            self.rewritten += 1
            self.older[item.cas] = (before.time, self.steps)
        return tuple(self.model.time - time for time in times)

    def _check_unused(self, told: int, cas: int, may: tuple[int, ...]) -> None:
        assert told in may, f"unused for {told}, not {may}"
        if told != may[0] and cas in self.older and self.older[cas][1] < self.steps:
            self.kept_older.add(cas)
            assert len(self.kept_older) <= self.copied + self.follower.copies

    @staticmethod
    def _told(request: dict[str, Any], item: Any) -> None:
        """Of an item that is told, its key is shown as it was stored."""
        if item is not None:
            request["op"]["encoded"] = int(item.encoded)

    # ---- what comes out -----------------------------------------------------------------------
    async def check(self, count: int) -> None:
        """The results of the next `count` operations."""
        for _ in range(count):
            result = await self.done.get()
            request, key, status, item, left, number, counted = self.expected.popleft()
            sent = {**request["op"], "status": int(status)}
            got = result["op"]
            assert {name: got[name] for name in sent} == sent, f"{got} for {sent}"
            if sent["key_words"]:
                assert unbeats(await self.keys.wait(-(-len(key) // 8)), len(key)) == key
            if item is not None:
                self.hits += 1
                assert (result["flags"], result["cas"]) == (item.flags, item.cas)
                assert (result["value_len"], result["ttl"]) == (len(item.value), left)
                assert all(result["marks"][name] == getattr(item, name) for name in MARKS)
                assert result["wins"] == (got["meta"] and request["wins"])
                self._check_unused(result["unused"], item.cas, request["unused"])
                if got["op"] in (OP.OpTouch, OP.OpLook):
                    continue
                words = await self.values.wait(-(-len(item.value) // 8))
                assert unbeats(words, len(item.value)) == item.value, "value"
            elif counted is not None and number:
                flags, pointer = result["flags"], pack("pointer_t", **result["pointer"])
                both = got["binary"] or got["meta"]
                assert (flags << 32 | pointer if both else result["cas"]) == counted
                assert not both or result["cas"] == number
                assert (result["value_len"], result["ttl"]) == (len(b"%d" % counted), left)
            elif number:
                assert result["cas"] == number


async def play(
    bench: ItemBench, count: int, keys: int, longest: int, sets: float, flushes: float = 0.01
) -> None:
    names = [random.randbytes(random.choice((1, 4, 8, 8, 16, 40, 250))) for _ in range(keys)]
    # Half of them are those of before.
    names = list(dict.fromkeys([*bench.names[: keys // 2], *names]))[:keys]
    bench.names = names
    bench.move_on()
    for at in range(count):
        bench.last = int(at == count - 1 or random.random() < 0.6 or longest > 300)
        key = random.choice(names) if random.random() < 0.7 else names[0]
        cas = random.choice((0, 0, 0, bench.model.cas, 1, bench.given))
        drawn = random.random()
        if drawn < sets / 3:
            bench.send(
                random.choice(COUNTS),
                random.choice(names[:5]),
                value_len=NUMBER_BYTES,
                delta=random.choice((0, 1, random.getrandbits(64), random.getrandbits(10))),
                creates=random.getrandbits(1),
                start=random.choice((0, 10**9, random.getrandbits(64))),
                touches=int(random.random() < 0.2),
                earlier=random.getrandbits(1),
                expiry=random.choice((0, 0, 0, bench.model.time - 1, bench.model.time + 1)),
                cas=cas,
            )
        elif drawn < sets / 2:
            size = random.choice((0, 1, 8, 13, 13, 30, random.randint(0, longest)))
            bench.send(random.choice(JOINS), key, random.randbytes(size), cas=cas)
        elif drawn < sets:
            value = random.randbytes(random.choice((0, 8, 30, 90, random.randint(0, longest))))
            if random.random() < 0.3:
                value = numeric()
            expiry = random.choice((0, 0, 0, bench.model.time - 1, bench.model.time + 1))
            kind = random.choice((OP.OpSet, OP.OpSet, OP.OpAdd, OP.OpReplace))
            cas = cas if kind == OP.OpSet else 0
            fields = {"flags": random.getrandbits(32), "expiry": expiry, "cas": cas}
            fields["stale"] = random.getrandbits(1)
            bench.send(kind, key, value, **fields)
        elif drawn < sets + 0.1:
            if random.random() < 0.2:
                bench.send(OP.OpRefuse, key)
            else:
                expiry = random.choice((0, 0, bench.model.time - 1, bench.model.time + 1))
                fields = {name: random.getrandbits(1) for name in ("stale", "touches")}
                fields["touches"] &= fields["stale"]
                fields |= {"cas": cas, "expiry": expiry}
                if random.random() < 0.4:
                    fields |= {"clears": 1, "touches": 0, "flags": random.getrandbits(32)}
                bench.send(OP.OpDelete, key, b"", **fields)
        elif drawn < sets + 0.1 + flushes:
            bench.send(OP.OpFlush, expiry=random.choice((0, bench.model.time + 1)))
        elif drawn < sets + 0.13:
            bench.send(OP.OpNone)
        elif drawn < sets + 0.3:
            expiry = random.choice((0, 0, 0, bench.model.time - 1, bench.model.time + 1))
            kind = random.choice((OP.OpTouch, OP.OpGat, OP.OpLook))
            earlier = random.getrandbits(1) if kind != OP.OpLook else 0
            idle = int(random.random() < 0.2)
            bench.send(kind, key, expiry=expiry, earlier=earlier, idle=idle)
        else:
            bench.send(OP.OpGet, key, idle=int(random.random() < 0.2))
    await bench.check(count)


def run_item(
    bench_file: str,
    entries: int,
    units: int,
    tests: Sequence[str],
    filter_cells: int = 0,
    ways: int = 1,
) -> None:
    """Runs `tests` of a bench file, or all of them, with so many buckets on the chip, so many units
    that memory gives at once, a filter with slices of so many cells, and so many ways."""
    run(
        "wc_item_tb",
        bench_file,
        parameters={
            "Entries": entries,
            "BeatUnits": units,
            "FilterCells": filter_cells,
            "Ways": ways,
        },
        core="item",
        extra_sources=[Path(__file__).parent / "wc_item_tb.sv"],
        tests=tests,
    )
