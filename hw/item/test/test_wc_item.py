# SPDX-License-Identifier: Apache-2.0
"""wc_item: the whole index with its log against the model, which is told what entered the table in
which order, the sweeper's operations with it, and so knows every answer. Answers of some GETs are
taken back on the way to the values: they are not read, and keep no segment from being swept."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import Any

import cocotb
import pytest
from item_bench import numeric, ttl
from wirecache.circuit.structs import constant, enum, pack, unpack
from wirecache.model import item as item_model
from wirecache.model.follow import Follower
from wirecache.model.index import Item, Needs, Status
from wirecache.model.log import Pool
from wirecache.model.lookup3 import hashlittle2
from wirecache.testbench import axi_memory
from wirecache.testbench.axi_memory import AxiMemory
from wirecache.testbench.bench import Bench, beats, full, run, unbeats
from wirecache.testbench.cycle import every_cycle, reader, value_of

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
MOST_ROUNDS = 16  # of a random run that must meet rare cases
SEGMENTS = 14
SEGMENT_BITS = 11
SEGMENT = 16 << SEGMENT_BITS
TIME = 1000
# What is looked at every cycle.
SEEN = (
    *("rst_i", "forgotten_o", "clearing_o", "enters_o", "user_o", "met_o"),
    *("looked_o", "looked_bits_o", "give_o", "give_segment_o"),
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
            memory, factor, TIME, self.hash, Pool(segments, SEGMENT), sweeps=False
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
        self.last = 1  # of its message
        self.follower = Follower(self.model)
        self.counted = self.joined = self.followed = self.marked = self.won = self.created = 0
        self._begins = True  # a message
        self.hits = self.taken_back = self.forgotten = self.restarts = self.clear_cycles = 0
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
            "with_key": int(bool(key) and not self.blind and random.random() < 0.2),
        }
        request = {"op": op, "value_len": len(value), "flags": 0, "expiry": 0, "cas": 0}
        request |= {"touches": 0, "earlier": 0, "stale": 0, "idle": 0, "creates": 0, **fields}
        request |= {"recaches": 0, "renewed": 0}
        if kind in (OP.OpGet, OP.OpLook) and meta and not self.plain and random.random() < 0.3:
            request |= {"creates": 1, "expiry": TIME + random.choice((-TIME, -1, 0, 1, 2))}
            request["earlier"] = random.getrandbits(1)
            op["encoded"] = 0
        if kind in TELLS and not self.plain and random.random() < 0.3:
            request |= {"recaches": 1, "delta": TIME + random.choice((0, 1, 2))}
            request["renewed"] = random.getrandbits(1) if kind in (OP.OpGat, OP.OpTouch) else 0
        self.hashed.send({"request": request, "hash": self.hash(key)})
        self.keys_in.send(*beats(key))
        if kind in STORES or kind in JOINS:
            self.values_in.send(*beats(value))
        self.sent.append((kind, key, value, request))

    def create(self, key: bytes) -> None:
        """A GET that stores an empty item if there is none."""
        op = {"op": OP.OpGet, "key_len": len(key), "meta": 1, "last": 1, "opaque": 1}
        request: dict[str, Any] = {}
        request["op"] = {**dict.fromkeys(("binary", "encoded", "quiet", "with_key"), 0), **op}
        names = ("value_len", "flags", "expiry", "cas", "touches", "earlier", "stale", "idle")
        request |= dict.fromkeys((*names, "recaches", "renewed"), 0) | {"creates": 1}
        self.hashed.send({"request": request, "hash": self.hash(key)})
        self.keys_in.send(*beats(key))
        self.sent.append((OP.OpGet, key, b"", request))

    # ---- what the circuit does, in its order --------------------------------------------------
    def _watch(self) -> None:
        tell, follower = self._tell, self.follower
        if tell["rst_i"]():
            return
        self.forgotten += tell["forgotten_o"]()
        clearing = bool(tell["clearing_o"]())
        if self._clearing and not clearing:  # nothing is in flight
            self.restarts += 1
            self.model.forget()
            self.follower = Follower(self.model)
        self._clearing = clearing
        if self.blind:
            return
        if tell["enters_o"]() and not tell["user_o"]():
            met = unpack("wc_log_pkg::met_t", tell["met_o"]())
            follower.met(met["address"], dead=bool(met["dead"]), may_copy=bool(met["may_copy"]))
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
        how = {"uses": not request["idle"], "wins": bool(request["op"]["meta"])}
        if request["recaches"]:
            how["recache"] = request["delta"]
        if request["creates"] and kind in (OP.OpGet, OP.OpLook):
            how["creates"] = request["expiry"]
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
            became, number = model.set(
                key, value, flags, expiry, cas, STORES[kind], encoded, stale=stale
            )
            self.marked += bool(became is Status.OK and stale and before and cas < before.cas)
            status = STATUS_OF[became]
        elif kind in JOINS:
            front = kind == OP.OpPrepend
            became, number = model.join(key, value, front=front, cas=request["cas"])
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
            )
            if not request["earlier"] and (before is None or request["touches"]):
                until = request["expiry"]
            left = ttl(until, model.time)
            request["op"]["quiet"] &= int(before is not None)
            status = STATUS_OF[became]
            self.counted += became is Status.OK
        elif kind == OP.OpDelete and request["stale"]:
            then = request["expiry"] if request["touches"] else None
            became = model.invalidate(key, request["cas"], then)
            number, status = model.cas * (became is Status.OK), STATUS_OF[became]
            self.marked += became is Status.OK
        elif kind == OP.OpDelete:
            status = STATUS_OF[model.delete(key, request["cas"])]
        elif kind == OP.OpRefuse:
            status = STATUS_OF[model.refuse(key)]
        elif kind == OP.OpFlush:
            model.flush(request["expiry"])
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
            if sent["with_key"]:
                assert unbeats(await self.keys.wait(-(-len(key) // 8)), len(key)) == key
            if item is not None:
                self.hits += 1
                assert (result["flags"], result["cas"]) == (item.flags, item.cas)
                assert (result["value_len"], result["ttl"]) == (len(item.value), left)
                assert all(result["marks"][name] == getattr(item, name) for name in MARKS)
                assert result["wins"] == (got["meta"] and request["wins"])
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
    names = list(dict.fromkeys(names))
    for at in range(count):
        bench.last = int(at == count - 1 or random.random() < 0.6 or longest > 300)
        key = random.choice(names) if random.random() < 0.7 else names[0]
        cas = random.choice((0, 0, 0, bench.model.cas, 1))
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
                expiry=random.choice((0, 0, 0, TIME - 1, TIME + 1)),
                cas=cas,
            )
        elif drawn < sets / 2:
            size = random.choice((0, 1, 8, 13, 13, 30, random.randint(0, longest)))
            bench.send(random.choice(JOINS), key, random.randbytes(size), cas=cas)
        elif drawn < sets:
            value = random.randbytes(random.choice((0, 8, 30, 90, random.randint(0, longest))))
            if random.random() < 0.3:
                value = numeric()
            expiry = random.choice((0, 0, 0, TIME - 1, TIME + 1))
            kind = random.choice((OP.OpSet, OP.OpSet, OP.OpAdd, OP.OpReplace))
            cas = cas if kind == OP.OpSet else 0
            fields = {"flags": random.getrandbits(32), "expiry": expiry, "cas": cas}
            fields["stale"] = random.getrandbits(1)
            bench.send(kind, key, value, **fields)
        elif drawn < sets + 0.1:
            if random.random() < 0.2:
                bench.send(OP.OpRefuse, key)
            else:
                expiry = random.choice((0, 0, TIME - 1, TIME + 1))
                fields = {name: random.getrandbits(1) for name in ("stale", "touches")}
                fields["touches"] &= fields["stale"]
                fields |= {"cas": cas, "expiry": expiry}
                bench.send(OP.OpDelete, key, b"", **fields)
        elif drawn < sets + 0.1 + flushes:
            bench.send(OP.OpFlush, expiry=random.choice((0, TIME + 1)))
        elif drawn < sets + 0.13:
            bench.send(OP.OpNone)
        elif drawn < sets + 0.3:
            expiry = random.choice((0, 0, 0, TIME - 1, TIME + 1))
            kind = random.choice((OP.OpTouch, OP.OpGat, OP.OpLook))
            earlier = random.getrandbits(1) if kind != OP.OpLook else 0
            idle = int(random.random() < 0.2)
            bench.send(kind, key, expiry=expiry, earlier=earlier, idle=idle)
        else:
            bench.send(OP.OpGet, key, idle=int(random.random() < 0.2))
    await bench.check(count)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def small(dut):
    """Few keys, everything at once."""
    bench = await ItemBench.start(dut, read=(1, 60), write=(1, 60))
    await play(bench, 1500, 12, 300, 0.4)
    assert bench.hits > 100 and bench.taken_back > 30 and bench.counted > 50 and bench.joined > 8
    assert bench.marked > 10 and bench.won > 2, (bench.marked, bench.won)
    assert bench.created > 10, bench.created


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def rate(dut):
    """GETs of items that fit a line, from memory."""
    bench = await ItemBench.start(dut, shift=6, read=(32, 32), write=(10, 20))
    bench.plain = True
    keys = [b"key%04d" % number for number in range(1500)]
    for key in keys:
        bench.send(OP.OpSet, key, b"v")
    await bench.check(len(keys))
    for _ in range(2):
        for key in keys[:600]:
            bench.send(OP.OpGet, key)
    await bench.check(600)
    await bench.check(600)
    cycles = list(bench.done.cycles)[-600:]
    per = (cycles[550] - cycles[100]) / 450
    dut._log.info(f"a GET in {per:.2f} cycles")
    few = int(dut.Entries.value) < 64  # buckets on the chip
    assert per <= (12.0 if few else 2.4)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def irregular(dut):
    """The same with every stream stalling."""
    bench = await ItemBench.start(dut, read=(1, 200), write=(1, 200), willing=0.7)
    await play(bench, 1000, 100, 2000, 0.4)


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def memory_is_full(dut):
    """More is set than memory holds: the sweeper makes room."""
    bench = await ItemBench.start(dut, shift=6)
    for turn in range(MOST_ROUNDS):
        await play(bench, 500, 200, 9000, 0.7, flushes=0.0)  # a flush leaves nothing to copy
        if turn >= 2 and bench.taken_back > 15:
            break
    assert bench.taken_back > 15, bench.taken_back
    assert bench.follower.sweeps > 8, bench.follower.sweeps
    assert bench.follower.copies > 8, bench.follower.copies
    assert int(dut.lost_o.value) == 0


async def fill_with_large(bench: ItemBench, count: int) -> None:
    """Items of almost a segment, some of them used, until no segment is free."""
    names = [random.randbytes(8) for _ in range(12)]
    for _ in range(count):
        bench.send(OP.OpSet, random.choice(names), random.randbytes(random.randint(16000, 28000)))
        for _ in range(random.randrange(3)):
            bench.send(OP.OpGet, random.choice(names[:4]))
    await bench.check(len(bench.sent))
    assert bench.follower.sweeps > 8, bench.follower.sweeps
    assert bench.follower.copies > 2, bench.follower.copies
    assert int(bench.dut.lost_o.value) == 0


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def values_come_late(dut):
    """Places are segments ahead of the writer, and the sweeper wants the first of them."""
    bench = await ItemBench.start(dut, values_in=0.4)
    await fill_with_large(bench, 40)


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def memory_writes_late(dut):
    """What is written is only in the ring for long."""
    bench = await ItemBench.start(dut, write=(500, 2000))
    await fill_with_large(bench, 40)


JOIN_SIZES = (0, 1, 7, 8, 9, 16, 100)


async def joins_of(bench: ItemBench, key: bytes, old: bytes, new: bytes) -> None:
    for kind in JOINS:
        bench.send(OP.OpSet, key, old, flags=random.getrandbits(32))
        bench.send(kind, key, new, flags=5, expiry=1)
        bench.send(OP.OpGet, key)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def joins_of_all_alignments(dut):
    """Either order; the old value is being written as the operation comes."""
    bench = await ItemBench.start(dut)
    bench.reads = 1
    for start in (0, 16):
        for old in range(start, start + 9):
            for new in range(9):
                key = random.randbytes(random.randint(1, 20))
                await joins_of(bench, key, random.randbytes(old), random.randbytes(new))
            await bench.check(9 * 6)
    for old in JOIN_SIZES:
        for new in JOIN_SIZES:
            await joins_of(bench, b"k", random.randbytes(old), random.randbytes(new))
    await bench.check(len(JOIN_SIZES) ** 2 * 6)
    assert bench.joined == 2 * 9 * 9 * 2 + len(JOIN_SIZES) ** 2 * 2


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(where=["ring", "memory", "late"])
async def joins_of_one_key(dut, where):
    """Its value grows to several segments, and then too large, which leaves it as it is. The old
    value is in the ring, in memory, or its writes are not yet acknowledged."""
    bench = await ItemBench.start(
        dut, segments=32, write=(500, 2000) if where == "late" else (10, 60)
    )
    bench.reads = 1
    bench.send(OP.OpSet, b"key", b"", flags=7)
    for count in range(14):
        bench.send(random.choice(JOINS), b"key", random.randbytes(random.choice((4800, 5000))))
        bench.send(OP.OpAppend, b"key", b"x")
        if where == "memory":
            bench.send(OP.OpSet, b"other%d" % count, random.randbytes(17000))
        bench.send(OP.OpGet, b"key")
    count = len(bench.sent) + len(bench.expected)
    await bench.check(count)
    assert 20 < bench.joined < 28  # the last ones are too large
    item = bench.model.peek(b"key")
    assert item is not None and len(item.value) > 3 * SEGMENT // 2


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def joins_of_one_message(dut):
    """What is joined in a message has room for one item of the largest kind, beside what comes."""
    bench = await ItemBench.start(dut, segments=32)
    bench.reads = 1
    for size in (100, 25000):
        for _ in range(4):
            keys = [random.randbytes(8) for _ in range(5)]
            bench.last = 1
            for key in keys:
                bench.send(OP.OpSet, key, random.randbytes(size))
            for at, key in enumerate(keys):
                bench.last = 0
                bench.send(random.choice(JOINS), key, random.randbytes(90))
                bench.send(random.choice((OP.OpGet, OP.OpTouch)), key)
                bench.last = int(at == len(keys) - 1)
                bench.send(random.choice((OP.OpGet, OP.OpNone, OP.OpAppend)), key)
            await bench.check(len(bench.sent) + len(bench.expected))
        assert bench.joined > 19 if size == 100 else bench.joined < 40 + 10


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def joins_alone(dut):
    """A join that is a message of its own has room for whatever comes with it, and gives all of it
    back: a part that it kept, of so many, would leave no room for others."""
    bench = await ItemBench.start(dut, segments=32)
    bench.reads = 1
    largest = bench.model.largest
    assert largest > 8 * (constant("PacketBytes") + constant("MessageOperations"))
    sizes = (0, 100, 20000, 28000, 29500, largest // 2, largest - 200, largest, largest + 9000)
    for at in range(30):
        key = random.choice((b"k", b"k" * 250, b"key%d" % at))
        if at % 3 != 2:
            bench.send(OP.OpSet, key, random.randbytes(random.choice(sizes)))
        new = random.choice(sizes)
        bench.send(random.choice(JOINS), key, random.randbytes(new))
        bench.send(OP.OpGet, key)
    await bench.check(len(bench.sent) + len(bench.expected))
    assert bench.joined > 10, bench.joined
    assert int(dut.lost_o.value) == 0


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(of=["one key", "many keys", "many keys in memory"])
async def pace_of_joins(dut, of):
    """Cycles of an APPEND of nothing to a value of 8 bytes."""
    bench = await ItemBench.start(dut, shift=6, read=(40, 40), write=(10, 20))
    keys = [b"k"] if of == "one key" else [b"key%05d" % n for n in range(48)]
    if of == "many keys in memory":
        keys = [b"key%05d" % n for n in range(1200)]
    for key in keys:
        bench.send(OP.OpSet, key, b"12345678")
    await bench.check(len(keys))
    count = 400
    for n in range(count):
        bench.send(OP.OpAppend, keys[n % len(keys)], b"")
    await bench.check(count)
    assert bench.joined == count
    cycles = list(bench.done.cycles)[-count:]
    each = (cycles[-20] - cycles[20]) / (count - 40)
    dut._log.info("%s: an append in %.1f cycles", of, each)
    assert each <= 160


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(of=["new keys", "keys that are there", "one key"])
async def pace_of_creations(dut, of):
    """A GET that creates costs what an ADD does."""
    bench = await ItemBench.start(dut, shift=6, read=(40, 40), write=(40, 40))
    bench.plain, bench.reads = True, 1
    keys = [b"key%05d" % number for number in range(200)]
    if of == "keys that are there":
        for key in keys:
            bench.send(OP.OpSet, key, b"v")
        await bench.check(len(keys))
    for key in keys:
        bench.create(keys[0] if of == "one key" else key)
    await bench.check(len(keys))
    cycles = list(bench.done.cycles)[-len(keys) :]
    per = (cycles[180] - cycles[20]) / 160
    dut._log.info(f"a GET that creates, {of}: {per:.1f} cycles")
    assert per < 90


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(part=["header", "value"])
async def joins_of_bad_lines(dut, part):
    """Memory does not give the old item: without its header nothing is done, and without a word of
    its value the new item has none either, as whoever reads it is told."""
    bench = await ItemBench.start(dut, segments=32)
    bench.reads = 1
    value = random.randbytes(1000)
    bench.send(OP.OpSet, b"key", value)
    for at in range(3):  # out of the ring
        bench.send(OP.OpSet, b"other%d" % at, random.randbytes(17000))
    await bench.check(4)
    await bench.bench.wait(3000)
    begin = 0 if part == "header" else 512
    bench.index.fails_read = lambda address: begin <= address < 768  # the first item of all
    bench.blind = True
    bench.send(OP.OpAppend, b"key", b"behind it")
    result = await bench.done.get()
    await bench.bench.wait(1000)  # the value is joined behind the answer
    bench.index.fails_read = lambda _: False
    status = STATUS.StMemory if part == "header" else STATUS.StOk
    assert result["op"]["status"] == status
    bench.send(OP.OpGet, b"key")
    bench.sent.clear()
    errors = 0

    def watch() -> None:
        nonlocal errors
        errors += value_of(dut.value_valid_o) and value_of(dut.value_error_o)

    every_cycle(dut.clk_i, watch)
    result = await bench.done.get()
    if part == "header":
        assert result["value_len"] == len(value)
        assert unbeats(await bench.values.wait(125), 1000) == value
        assert not errors
    else:
        assert result["value_len"] == len(value) + 9
        words = await bench.values.wait(127)
        assert unbeats(words, 1009)[-9:] == b"behind it"
        assert errors > 10


def count_one(bench: ItemBench, key: bytes, kind: Any = OP.OpIncr, **fields: Any) -> None:
    """An INCR, or a DECR; by 1 and of what is there, if not said otherwise."""
    usual = {"delta": 1, "creates": 0, "start": 0, "expiry": 0, "cas": 0}
    bench.send(kind, key, value_len=NUMBER_BYTES, **usual | fields)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(number=[9, 10**9, 10**19], kind=["incr", "decr", "both"])
async def hot_counter(dut, number, kind):
    """All count with one key: those that come while the first one is on its way follow it, and
    take 16 cycles at most, whatever the number is."""
    bench = await ItemBench.start(dut, read=(40, 40), write=(10, 20))
    key = b"a key of 16 byte"
    bench.send(OP.OpSet, key, b"%d" % number)
    await bench.check(1)
    kinds = {"incr": (OP.OpIncr,), "decr": (OP.OpDecr,), "both": COUNTS}[kind]
    count = 300
    for _ in range(count):
        count_one(bench, key, random.choice(kinds))
    await bench.check(count)
    cycles = list(bench.done.cycles)[-count:]
    each = (cycles[-1] - cycles[100]) / (count - 101)
    dut._log.info("%s of %d: %.2f cycles", kind, number, each)
    assert bench.counted == count and bench.followed > count - 5, (bench.counted, bench.followed)
    assert each <= 16.0


def alias(key: bytes) -> int:
    """A hash of few values, also for other keys of the same length."""
    return hashlittle2(key[:1])


HOT = {"set": 1, "get": 1, "delete": 0.3, "append": 0.5, "touch": 0.5, "flush": 0.1, "other": 2}


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(others=[0.0, 0.01, 0.1], keys=["one", "two", "alike"])
async def hot_counters(dut, others, keys):
    """Few keys are counted: two in turn, or such as have equal hashes. Between them is anything, of
    these keys or of others."""
    bench = await ItemBench.start(dut, read=(1, 60), write=(1, 60), hash=alias)
    bench.reads = 1
    names = {"one": [b"a"], "two": [b"a", b"b"], "alike": [b"a", b"aaaaaaaa", b"aaaaaaab"]}[keys]
    weights = {"count": sum(HOT.values())} | {name: others * n for name, n in HOT.items()}
    begin = random.choice((b"7", b"  12 ", b"99999999999999999990", b"x"))
    bench.send(OP.OpSet, names[-1], begin, flags=5)
    total = 800
    key = names[0]
    for at in range(total):
        if random.random() < 0.3:
            key = random.choice(names)
        bench.last = int(at == total - 1 or random.random() < 0.7)
        cas = random.choice((0, 0, 0, 0, bench.model.cas, 1))
        match random.choices(list(weights), list(weights.values()))[0]:
            case "count":
                count_one(
                    bench,
                    key,
                    random.choice(COUNTS),
                    delta=random.choice((0, 1, 1, 1, random.getrandbits(64))),
                    creates=int(random.random() < 0.05),
                    start=random.choice((0, 10**9, random.getrandbits(64))),
                    touches=int(random.random() < 0.1),
                    earlier=random.getrandbits(1),
                    expiry=random.choice((0, 0, 0, TIME - 1, TIME + 1)),
                    cas=cas,
                )
            case "set":
                expiry = random.choice((0, 0, 0, TIME - 1, TIME + 1))
                value = numeric()
                if random.random() < 0.7:
                    value = b"%d" % random.getrandbits(random.choice((4, 34, 64)))
                bench.send(OP.OpSet, key, value, flags=random.getrandbits(32), expiry=expiry)
            case "get":
                bench.send(OP.OpGet, key)
            case "delete":
                bench.send(OP.OpDelete, key, cas=cas)
            case "append":
                bench.send(OP.OpAppend, key, b"1", cas=cas)
            case "touch":
                expiry = random.choice((0, 0, 0, TIME - 1, TIME + 1))
                bench.send(OP.OpTouch, key, expiry=expiry)
            case "flush":
                bench.send(OP.OpFlush, expiry=random.choice((0, TIME + 1)))
            case _:
                other = b"other%d" % random.randrange(20)
                kind = random.choice((OP.OpGet, OP.OpSet, OP.OpAdd, OP.OpTouch))
                bench.send(kind, other, b"12" if kind in STORES else b"")
    await bench.check(total + 1)
    least = {"one": 300, "two": 30, "alike": 30}[keys] if others < 0.1 else 5
    dut._log.info("%d counted, %d followed", bench.counted, bench.followed)
    assert bench.followed > least, bench.followed


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def chain_ends(dut):
    """Whoever waits behind a chain waits for those of it that are on their way, and for no more."""
    bench = await ItemBench.start(dut, read=(40, 40), write=(10, 20))
    bench.reads = 1
    bench.send(OP.OpSet, b"key", b"1000")
    at = []
    for _ in range(6):
        for _ in range(150):
            count_one(bench, b"key")
        at.append(len(bench.sent))
        bench.send(*random.choice(((OP.OpGet, b"key"), (OP.OpSet, b"key", b"1000"))))
    await bench.check(6 * 151 + 1)
    cycles = list(bench.done.cycles)
    waits = [cycles[number] - cycles[number - 1] for number in at]
    dut._log.info("%s cycles behind the last of a chain", waits)
    assert bench.followed > 700
    # Behind the last one: its digits, its job and its settle, and the way of the operation.
    assert max(waits) <= 120


def one_bucket(key: bytes) -> int:
    return hashlittle2(key) >> 32 << 32


@cocotb.test(timeout_time=40, timeout_unit="ms")
@cocotb.parametrize(others=[0.0, 0.02])
async def hot_counter_fills_memory(dut, others):
    """The sweeper makes room for the items of one counter, and comes in between. It meets other
    items of the bucket too: those that are used it copies, while the counter holds the bucket."""
    bench = await ItemBench.start(dut, hash=one_bucket)
    bench.reads = 1
    key = random.randbytes(100)
    bench.send(OP.OpSet, key, b"1")
    count = 4500
    for _ in range(count):
        count_one(bench, key)
        if random.random() < others:
            other = b"%d" % random.randrange(15)
            bench.send(random.choice((OP.OpGet, OP.OpGet, OP.OpSet)), other, b"")
    await bench.check(len(bench.sent) + len(bench.expected))
    cycles = list(bench.done.cycles)
    each = (cycles[-1] - cycles[-1000]) / 999
    dut._log.info("%.2f cycles, %d of %d followed", each, bench.followed, count)
    assert bench.follower.sweeps >= 8
    assert bench.followed > (count * 0.95 if not others else count * 0.7)
    assert each < (30 if not others else 60)
    assert bench.follower.copies > 0 or not others
    assert int(dut.lost_o.value) == 0
    bench.send(OP.OpGet, key)
    await bench.check(1)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(work=[("all", 1, 3000), ("hashed", 0.005, 300), ("values", 0.1, 9000)])
async def cleared_at_work(dut, work):
    """The host clears the table while everything goes on: messages come in pieces, values wait."""
    slow, pace, longest = work
    options = {slow: pace, "read": (1, 60), "write": (1, 60)}
    bench = await ItemBench.start(dut, **options)

    async def clears():
        while True:
            await bench.bench.wait(random.choice((0, 100, random.randint(500, 4000))))
            await bench.clear()

    task = cocotb.start_soon(clears())
    for _ in range(4):
        await play(bench, 300, 12, longest, 0.5)
        if bench.restarts > 5 and bench.hits > 10:
            break
    task.cancel()
    assert bench.restarts > 5 and bench.hits > 10, (bench.restarts, bench.hits)
    assert bench.forgotten == 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def memory_is_zeroed(dut):
    """Nothing is written, whatever the size; the next clear writes again."""
    bench = await ItemBench.start(dut, shift=8, zeroed=True)
    assert bench.clear_cycles < 50 and bench.index.lines_written == 0
    await play(bench, 200, 12, 100, 0.5)
    assert await bench.clear() > 2 * (8 << 8)
    await play(bench, 200, 12, 100, 0.5)


@cocotb.test(timeout_time=40, timeout_unit="ms")
@cocotb.parametrize(fails=["lines", "segments", "buckets"])
async def memory_fails(dut, fails):
    """So often that little of it is left: all is forgotten, and then everything works again. SETs
    are answered all the while."""
    bench = await ItemBench.start(dut, shift=6, write=(10, 20))
    await play(bench, 100, 12, 100, 0.5)
    if fails == "lines":
        bench.log.fails_write = lambda *_: True
    elif fails == "segments":
        bench.log.fails_read = lambda _: True
    else:
        bench.index.fails_write = lambda *_: True
    bench.blind = True
    drawn, statuses, answered = bench.model.cas, set(), 0
    while not bench.forgotten:
        for _ in range(20):
            bench.send(OP.OpSet, random.randbytes(8), random.randbytes(5000))
        for _ in range(20):
            result = await bench.done.get()
            drawn = max(drawn, result["cas"])
            statuses.add(result["op"]["status"])
        answered += 20
        assert answered < 400, "it goes on with little memory"
    while int(dut.clearing_o.value):
        await bench.bench.wait(1)
    bench.log.fails_write = bench.index.fails_write = lambda *_: False
    bench.log.fails_read = lambda _: False
    assert int(dut.lost_o.value) == 0
    if fails == "buckets":  # those that could not be made empty are out of use until the host asks
        bench.send(OP.OpSet, b"key", b"value")
        assert (await bench.done.get())["op"]["status"] == STATUS.StMemory
    else:
        assert statuses == {STATUS.StOk}
    await bench.clear()  # as the model does not know what came behind
    bench.blind, bench.model.cas = False, drawn
    bench.sent.clear()
    await play(bench, 300, 12, 300, 0.4)
    assert bench.forgotten == 1


# What tells one parameter set from another: the rate and hazards of more buckets on the chip;
# narrow words besides, of which items are made and read.
HAZARDS = (
    *("small", "rate", "irregular", "hot_counter/.*both", "hot_counters/others=0.01.*"),
    *("chain_ends", "memory_fails/fails=buckets"),
)
WORDS = (
    *("small", "rate", "irregular", "joins_of_all_alignments", "joins_of_one_message"),
    *("hot_counter/.*both", "hot_counters/others=0.01.*", "chain_ends", "memory_fails/.*"),
)


@pytest.mark.parametrize(
    "entries,units,tests",
    [(8, 4, ()), (64, 4, HAZARDS), (16, 1, WORDS), full(64, 4, ()), full(16, 1, ())],
    ids=["8-4", "64-4-differs", "16-1-differs", "64-4", "16-1"],
)
def test_wc_item(entries, units, tests):
    run(
        "wc_item_tb",
        __file__,
        parameters={"Entries": entries, "BeatUnits": units},
        core="item",
        extra_sources=[Path(__file__).parent / "wc_item_tb.sv"],
        tests=tests,
    )
