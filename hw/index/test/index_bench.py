# SPDX-License-Identifier: Apache-2.0
"""The index with memory, host queues and something at each stream; every result is compared with
the model's, and the table in memory with the model's table."""

from __future__ import annotations

import random
from collections import Counter, deque
from typing import Any

from index_model import OP, READS, STATUS, STORES, TOUCHES, WRITES, IndexModel, block
from wirecache.circuit.structs import constant, field_names, pack, unpack
from wirecache.testbench import axi_memory
from wirecache.testbench.axi_memory import AxiMemory
from wirecache.testbench.bench import Bench, Pace, beats, unbeats
from wirecache.testbench.cycle import Driven, every_cycle, value_of

CLASSES = constant("Classes")
CLASS_LINES = (1, 4, 16)
COSTS = ("stall", "forward")  # how, not what
EVENTS_OF = {
    "events_o": field_names("index_events_t"),
    "bucket_events_o": field_names("wc_index_pkg::bucket_events_t"),
}
# An operation has one of these.
OPERATIONS = ("get", "set", "del", "touch", "flush", "other", "error")
EVENTS = [name for names in EVENTS_OF.values() for name in names if name not in COSTS]


class FreeQueues:
    """Hands out free blocks, one stream a class."""

    def __init__(self, dut: Any, willing: float) -> None:
        self.dut = dut
        self.queues: list[deque[int]] = [deque() for _ in range(CLASSES)]
        self.paces = [Pace(willing) for _ in range(CLASSES)]
        self.offered = [False] * CLASSES
        self.valid, self.data = Driven(dut.free_valid_i), Driven(dut.free_i)
        every_cycle(dut.clk_i, self._drive)

    def _drive(self) -> None:
        offered, queues = self.offered, self.queues
        ready = value_of(self.dut.free_ready_o) if any(offered) else 0
        for c in range(CLASSES):
            if offered[c] and ready >> c & 1:
                queues[c].popleft()
                offered[c] = False
            offered[c] = offered[c] or (bool(queues[c]) and self.paces[c]())
        self.data.set(sum(queues[c][0] << 32 * c for c in range(CLASSES) if offered[c]))
        self.valid.set(sum(on << c for c, on in enumerate(offered)))


class IndexBench:
    """Everything around the device. `starved`: the free queues may run dry at any time."""

    def __init__(
        self, dut: Any, bench: Bench, bucket_bits: int, base_line: int, **options: Any
    ) -> None:
        willing = options.get("willing", 1.0)
        self.dut, self.bench = dut, bench
        self.slots = int(dut.Slots.value)
        axi_memory.LINE = self.slots * 8
        self.base_line = base_line
        self.model = IndexModel(self.slots, int(dut.MaxKey.value), bucket_bits, CLASS_LINES)
        self.memory = AxiMemory(
            dut,
            options.get("read", (20, 40)),
            options.get("write", (10, 60)),
            options.get("bus", 1.0),
            torn=options.get("torn", True),
        )
        self.free = FreeQueues(dut, options.get("free", 1.0))
        self.hashed = bench.source("hashed", "hashed_t", willing)
        self.words = bench.source("key", "beat_t", willing)
        self.results = bench.sink("result", "result_t", options.get("results", willing))
        self.keys = bench.sink("key", "beat_t", options.get("keys", willing))
        self.deleted = bench.sink("deleted", None, options.get("deleted", 1.0))
        self.starved = options.get("free", 1.0) < 1.0
        self.all_retired = False
        self.deleted_waits = False  # nobody takes deleted pointers: some are inside
        self.sent: deque[tuple[dict[str, Any], bytes, int]] = deque()
        self.seen: list[dict[str, Any]] = []
        self.returned: list[int] = []
        self.events: Counter[str] = Counter()
        self.blocked: deque[bool] = deque()  # for each operation: it could give nothing back
        self.failed: deque[bool] = deque()  # for each operation: its bucket could not be read
        self.read_errors = self.write_errors = 0.0  # how likely they are, a line and a burst
        self.lines_read: deque[bool] = deque()  # in order: it met an error
        self.retired: set[int] = set()  # buckets that could not be written, for sure
        self.memory.fails_read = self._fails_read
        self.memory.fails_write = lambda *_: random.random() < self.write_errors
        self.blocks: set[int] = set()
        self.given = 6  # blocks, ever
        every_cycle(dut.clk_i, self._count)

    @classmethod
    async def start(cls, dut: Any, bucket_bits: int = 2, **options: Any) -> IndexBench:
        assert bucket_bits <= int(dut.MaxBucketBits.value)
        base_line = random.randrange(1 << 20) * 2
        settings = {
            "base_line": base_line,
            "bucket_bits": bucket_bits,
            "class_lines": sum(lines << 16 * c for c, lines in enumerate(CLASS_LINES)),
        }
        inputs = {
            "time_i": 1000,
            "settings_i": pack("wc_index_pkg::index_settings_t", **settings),
            "clear_i": 0,
        }
        with_edge = hasattr(dut, "rst_mem_i")
        bench = await Bench.start(dut, inputs | ({"rst_mem_i": 1} if with_edge else {}))
        self = cls(dut, bench, bucket_bits, base_line, **options)
        await bench.reset()
        if with_edge:
            dut.rst_mem_i.value = 0
            await bench.wait(20)
        self.events.clear()
        model = self.model
        if bucket_bits < 8:
            garbage = model.bucket_lines << bucket_bits
            for i in range(garbage):
                self.memory.lines[self.line(0) + i] = random.getrandbits(64 * self.slots)
            await self.clear()
        return self

    async def reset(self, cycles: int) -> None:
        """Resets the device but not the memory, whatever is in flight, and clears the table. Blocks
        that the device had are forgotten."""
        await self.bench.reset(cycles)
        while int(self.dut.rst.value):  # until memory has answered
            await self.bench.wait(1)
        assert self.hashed.idle and self.words.idle
        for queue in (self.sent, self.results.items, self.keys.items, self.deleted.items):
            queue.clear()
        self.model = IndexModel(
            self.slots, int(self.dut.MaxKey.value), self.model.bucket_bits, CLASS_LINES
        )
        self.model.free = [deque(queue) for queue in self.free.queues]
        self.blocks = {pointer for queue in self.free.queues for pointer in queue}
        self.returned.clear()
        self.blocked.clear()
        self.failed.clear()
        self.lines_read.clear()
        self.events.clear()
        await self.set_time(self.model.time)
        await self.clear()

    def line(self, bucket: int) -> int:
        """First line of a bucket, in lines of the bus."""
        return self.base_line * 64 // axi_memory.LINE + bucket * self.model.bucket_lines

    def _fails_read(self, _: int) -> bool:
        self.lines_read.append(random.random() < self.read_errors)
        return self.lines_read[-1]

    def unwritten(self) -> set[int]:
        """Buckets of which a burst was not written since the table was cleared."""
        lines = (address // axi_memory.LINE for address in self.memory.failed_writes)
        return {(line - self.line(0)) // self.model.bucket_lines for line in lines}

    async def clear(self) -> None:
        self.memory.failed_writes.clear()
        self.retired.clear()
        self.dut.clear_i.value = 1
        await self.bench.wait(1)
        self.dut.clear_i.value = 0
        await self.bench.wait(2)
        while int(self.dut.clearing_o.value):
            await self.bench.wait(1)
        self.model.clear()
        self.retired = self.unwritten()
        self.all_retired = self.many()

    def give_blocks(self, *counts: int) -> None:
        for c, count in enumerate(counts):
            for _ in range(count):
                self.given += 1
                pointer = block(c, self.given)
                self.blocks.add(pointer)
                self.model.free[c].append(pointer)
                self.free.queues[c].append(pointer)

    def recycle(self) -> None:
        """What host software does with deleted blocks."""
        for pointer in self.returned:
            c = pointer >> 30
            self.model.free[c].append(pointer)
            self.free.queues[c].append(pointer)
        self.returned.clear()

    async def set_time(self, time: int) -> None:
        self.model.time = time
        self.dut.time_i.value = time
        await self.bench.wait(10)

    def send(self, kind: Any, key: bytes = b"", hash_: int = 0, **fields: Any) -> None:
        op = {
            "op": kind,
            "key_len": len(key),
            "opaque": random.getrandbits(32),
            "key_words": fields.pop("key_words", 0),
            "status": fields.pop("status", 0),
            "conn": random.getrandbits(16),
        }
        request = {"op": op, "value_len": 0, "flags": 0, "expiry": 0, "cas": 0, **fields}
        self.hashed.send({"request": request, "hash": hash_})
        self.words.send(*beats(key))
        self.sent.append((request, key, hash_))

    async def check(self) -> list[dict[str, Any]]:
        """All results of what was sent, each as the model has it; then the table in memory."""
        got: list[dict[str, Any]] = []
        while self.sent:
            request, key, hash_ = self.sent.popleft()
            result = await self.results.get()
            result["pointer"] = pack("pointer_t", **result["pointer"])
            no_memory = result["op"]["status"] == STATUS.StNoMemory
            writes = request["op"]["op"] in WRITES
            blocked = self.blocked.popleft() and writes
            blind = self.starved and no_memory
            failed = self.failed.popleft()
            if key and request["op"]["op"] in (*WRITES, OP.OpGet):
                lines = -(-len(key) // 8) + 3
                unread = any([self.lines_read.popleft() for _ in range(lines)])
                bucket = hash_ & (1 << self.model.bucket_bits) - 1
                certain = unread or bucket in self.retired or self.all_retired
                assert failed >= certain, "it was believed what cannot be"
                assert failed <= (certain or bucket in self.unwritten() or self.many()), "why"
            expected = self.model.run(request, key, hash_, blind, blocked, failed)
            seen = {name: result[name] for name in expected if name != "op"}
            seen["op"] = {name: result["op"][name] for name in expected["op"]}
            assert seen == expected, f"{request} {key!r}:\ngot {seen}\nnot {expected}"
            if request["op"]["key_words"]:
                words = await self.keys.wait(-(-len(key) // 8))
                assert unbeats(words, len(key)) == key
            got.append(result)
        await self.settle()
        return got

    def many(self) -> bool:
        """More buckets could not be written than the list holds."""
        return len(self.unwritten()) > constant("BadPlaces")

    async def settle(self) -> None:
        """Nothing is in flight any more: the table, the queues, the counters are the model's."""
        await self.bench.wait(self.memory.write[1] + 150)
        assert not self.results.items and not self.keys.items, "made up"
        self.retired = self.unwritten()
        self.all_retired = self.many()
        level = unpack("bad_level_t", int(self.dut.retired_o.value))
        assert level["all"] == self.all_retired
        assert level["level"] == min(len(self.retired), constant("BadPlaces"))
        while not self.deleted_waits and len(self.deleted.items) < len(self.model.deleted):
            await self.bench.wait(1)
        if self.deleted_waits:
            assert not self.deleted.items
            self.check_table()
            return
        deleted = list(self.deleted.items)
        assert deleted == self.model.deleted, "deleted pointers"
        self.returned += deleted
        self.deleted.items.clear()
        self.model.deleted.clear()
        self.check_table()
        inside = [len(m) - len(q) for m, q in zip(self.model.free, self.free.queues, strict=True)]
        assert all(0 <= n <= 2 for n in inside), f"pointers inside {inside}"
        everywhere = [
            *self.model.pointers(),
            *self.returned,
            *(p for q in self.model.free for p in q),
        ]
        assert len(everywhere) == len(self.blocks) and set(everywhere) == self.blocks, (
            "lost or double"
        )
        events = {name: self.events[name] for name in EVENTS}
        assert events == {name: self.model.events[name] for name in EVENTS}

    def check_table(self) -> None:
        for bucket in range(1 << self.model.bucket_bits) if self.model.bucket_bits < 8 else ():
            if bucket in self.retired:
                continue
            for slot in range(self.slots):
                expected = self.model.stripes(bucket, slot)
                for i, stripe in expected.items():
                    line = self.memory.lines.get(self.line(bucket) + i, 0)
                    assert line >> 64 * slot & (1 << 64) - 1 == stripe, (
                        f"bucket {bucket} slot {slot} line {i}"
                    )
                if not expected:
                    line = self.memory.lines.get(self.line(bucket) + self.model.key_lines, 0)
                    assert not line >> 64 * slot + 63 & 1, (
                        f"bucket {bucket} slot {slot} is not free"
                    )

    def _count(self) -> None:
        now: dict[str, int] = {}
        for signal, names in EVENTS_OF.items():
            if bits := value_of(getattr(self.dut, signal)):
                now |= {name: bits >> i & 1 for i, name in enumerate(reversed(names))}
        if now:
            now = dict.fromkeys(EVENTS, 0) | now
            self.events.update(now)
            if any(now[name] for name in OPERATIONS):
                self.failed.append(bool(now["failed"]))
                self.blocked.append(bool(now["blocked"]))


def random_op(bench: IndexBench, keys: list[bytes], hash_of: dict[bytes, int]) -> None:
    """One operation of a mix that reaches every branch of the decision."""
    kind = random.choices(
        [OP.OpGet, *STORES, OP.OpDelete, OP.OpRefuse, *TOUCHES, OP.OpFlush, OP.OpNone],
        [34, 30, 6, 6, 10, 2, 8, 8, 1, 7],
    )[0]
    now = bench.model.time
    if kind == OP.OpNone:
        bench.send(kind, status=random.choice([STATUS.StOk, STATUS.StUnknown]))
        return
    if kind == OP.OpFlush:
        bench.send(kind, expiry=random.choice([0, now - 1, now, now + 1, now + 2]))
        return
    key = random.choice(keys)
    cas = 0
    if kind in WRITES and random.random() < 0.3:  # some kinds do not look at it
        bucket = bench.model.table[hash_of[key] & (1 << bench.model.bucket_bits) - 1]
        known = [slot.cas for slot in bucket if slot and slot.key == key]
        cas = random.choice([*known, bench.model.next_cas, 1 << 63])
    bench.send(
        kind,
        key,
        hash_of[key],
        key_words=int(random.random() < (0.4 if kind in READS else 0.2)),
        value_len=random.choice([0, 1, 63, 64, 65, 256, 257, 1024, 1025, 1 << 20])
        if kind in STORES
        else 0,
        flags=random.getrandbits(32),
        expiry=random.choice([0, 0, 0, now - 1, now, now + 1, now + 3])
        if kind in (*STORES, *TOUCHES)
        else 0,
        cas=cas,
    )


def random_keys(count: int, longest: int) -> tuple[list[bytes], dict[bytes, int]]:
    """Keys of many lengths, some of them a bit or a byte apart, and a hash for each."""
    keys = []
    for _ in range(count // 2):
        length = random.choice([1, 3, 7, 8, 9, 15, 16, 17, random.randint(1, longest)])
        key = random.randbytes(min(longest, length))
        at = random.randrange(len(key))
        near = key[:at] + bytes([key[at] ^ 1 << random.randrange(8)]) + key[at + 1 :]
        keys += [key, near if random.random() < 0.7 else key[:-1] or near]
    keys = list(dict.fromkeys(keys))
    return keys, {key: random.getrandbits(32) for key in keys}


def alike_keys(count: int, longest: int) -> tuple[list[bytes], dict[bytes, int]]:
    """Keys made of the same few words, so that half of one and half of another make a third."""
    pool = [random.randbytes(8) for _ in range(2 if longest >= 24 else 8)]
    keys: set[bytes] = set()
    while len(keys) < count:
        words = min(longest // 8, random.choice([1, 2, 2, 2, 3, 3]))
        key = b"".join(random.choices(pool, k=words))
        keys.add(key if random.random() < 0.8 else key[: random.randint(1, len(key))])
    return list(keys), dict.fromkeys(keys, random.getrandbits(32))
