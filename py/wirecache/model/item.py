# SPDX-License-Identifier: Apache-2.0
"""The item index: buckets of eight short slots in front of items that stand whole in two logs.

A slot has a tag of the key's hash and the address of the item. New items go to the new log. An item
that was used by the time the sweeper meets it there goes on to the main log; of the others the slot
stays as a ghost, a tag without an item. A key that comes back to its ghost goes to the main log at
once. In the main log the sweeper takes a use away from each item that has one and writes it at the
head again. That is S3-FIFO (Yang et al., SOSP'23) with slots for its queue of ghosts. What differs:

* an item goes on to the main log after one use, not two;
* a sweep of a main segment copies at most COPIED of its bytes, and forgets what is beyond. So
  making room takes a bounded time, however many items are in use;
* how many ghosts there are is up to the slots that are left, and many are when items are large. So
  a ghost counts for GHOST_TURNS turns only. A turn is over when as many segments of the new log
  have been swept as it has. Who comes back later is new again. Else the main log fills with keys
  that come back too seldom to be kept;
* a bucket's slots stand in the order of their SETs, newest first. In a full bucket the
  oldest ghost gives way, else the oldest item of the new log that was not used, else the least
  used item and of these the oldest.

A slot knows its key by the tag only, and the circuit does not wait for the item before it changes a
slot. So a tag stands in a bucket once at most, and of the item with a key's tag, whosever it is:

* a GET counts a use, and an `mg` wins the item if it is stale and nobody has. If the item is dead
  it stays until the sweeper meets it;
* a SET takes the slot, and a DELETE empties it: a cache may forget any item. Only the answer says
  whether it was the key's;
* a touch asks the item, and its expiry changes where it stands. If it reads, it counts a use;
* APPEND and PREPEND store another item, if its length is known and there is room for it: beside the
  new values, what is joined in a message has room for LEAST_GROWTH bytes and one item of the
  largest kind (`message`);
* INCR and DECR store another item, with room for LONGEST_NUMBER bytes whatever the number is;
* with a CAS number, or if there must be an item or none, the item is asked first, and nothing
  changes before it is known whether it is the key's, alive and of that number. But the new item's
  place in a log is taken before: what stands there is dead if nothing is stored. Without an item
  with the tag there is nothing to ask, and no place is taken but by what stores then.

The index sweeps when it needs room. Or it leaves that to others (`sweeps=False`): to replay what a
circuit did, `met` is told each record that was met, and `give` each segment that was swept.
wirecache.model.sweep holds such a sweeper to the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wirecache.circuit import structs
from wirecache.model.index import LARGEST_ITEM, LONGEST_NUMBER, Change, Index, Item, Needs, Status
from wirecache.model.item_table import (
    LINES,
    MOST_MOVES,
    SLOTS,
    TURNS,
    Bucket,
    CuckooTable,
    Slot,
    Table,
)
from wirecache.model.log import Log, Pool, Record, Segment, item_bytes
from wirecache.model.lookup3 import hashlittle2

BUCKET_BYTES = 64
MOST_USES = 3
NEW_SHARE = 10  # the new log has this part of the segments, and more while there are free ones
COPIED = 15 / 16
GHOST_TURNS = 14
SEGMENTS = 128  # at least, and fewer than twice as many, as a segment is a power of two
RESERVE = 3  # segments that stay free, for what a sweep copies
FEWEST_SEGMENTS, MOST_SEGMENTS = 32, 256  # of a pool of the user's choice
LEAST_SEGMENT = 32 << 10  # bytes, of the circuit's
LEAST_FACTOR, MOST_BUCKETS = 8, 15 << 21  # of the circuit's table: a factor and a power of two
LARGEST_SHARE = 8  # an item is at most this part of all segments
MOST_BYTES = 1 << 36  # more than any address
MOST_KEY_BYTES = structs.constant("MaxKeyBytes")
LEAST_GROWTH = 16 << 10  # bytes by which items may grow in a message, wc_item_pkg::LeastGrowth
DEAD = 0  # CAS number of what takes a place and is no item
USUAL_ITEM_BYTES = 100  # the table is half full with items of this size

Hash = Callable[[bytes], int]  # 64 bits


def table_buckets(memory: int, usual_bytes: int = USUAL_ITEM_BYTES) -> int:
    """The number of buckets for `memory` bytes in all: half of the slots are in use when the rest
    is full of items of `usual_bytes`, or more. For it is rounded down to 8 to 15 times a power of
    two, as the circuit multiplies the hash by 4 bits."""
    slot_bytes = BUCKET_BYTES // SLOTS
    wanted = 2 * memory // (usual_bytes + 2 * slot_bytes) // SLOTS
    shift = max(0, wanted.bit_length() - 4)
    factor = max(LEAST_FACTOR, wanted >> shift)
    return min(factor << shift, MOST_BUCKETS)


def short_units(units: int) -> int:
    """The length of an item as a slot has it (wc_item_pkg::short_units): from 128 on in steps of an
    eighth of a power of two, rounded down."""
    if units < 128:
        return units
    power = units.bit_length() - 1
    return 128 + (power - 7 << 3) + (units >> power - 3 & 7)


def long_units(code: int) -> int:
    """The length that is meant (wc_item_pkg::long_units)."""
    return code if code < 128 else 8 + (code & 7) << 4 + (code >> 3 & 15)


def usual_pool(memory: int, least: int = 1) -> Pool:
    """The segments in `memory` bytes: SEGMENTS or more, as large as can be, but of `least` bytes at
    least."""
    size = max(least, 1 << (memory // SEGMENTS).bit_length() >> 1)
    return Pool(min(memory // size, MOST_SEGMENTS), size)


def board_pool(memory: int, buckets: int | None = None) -> Pool:
    """The segments on a board of `memory` bytes in all (host/item_layout.cc)."""
    table = BUCKET_BYTES * (table_buckets(memory) if buckets is None else buckets)
    return usual_pool((memory - table) // BUCKET_BYTES * BUCKET_BYTES, LEAST_SEGMENT)


def board_index(memory: int = 1 << 30) -> ItemIndex:
    """The index of a board with so much memory; the default is that of `serve` and `replay`."""
    return ItemIndex(memory, pool=board_pool(memory))


class ItemIndex(Index):
    """All of it in `memory` bytes: the segments of the logs, behind them at the end the table, a
    line a bucket."""

    def __init__(
        self,
        memory: int,
        buckets: int | None = None,
        time: int = 0,
        hash_function: Hash = hashlittle2,
        pool: Pool | None = None,
        *,
        sweeps: bool = True,
        ways: int = 1,
        moves: int = MOST_MOVES,
        lines: int = LINES,
    ) -> None:
        super().__init__(time)
        self.buckets = table_buckets(memory) if buckets is None else buckets
        self.table_address = (memory // BUCKET_BYTES - self.buckets) * BUCKET_BYTES
        self.pool = usual_pool(max(0, self.table_address)) if pool is None else pool
        capacity = self.pool.count * self.pool.size
        if not FEWEST_SEGMENTS <= self.pool.count <= MOST_SEGMENTS or capacity > self.table_address:
            raise ValueError("there is no such division of the memory into table and segments")
        self.new, self.main = Log(self.pool), Log(self.pool, main=True)
        self.largest = capacity // LARGEST_SHARE  # bytes of an item
        self._most_new = (self.pool.count + NEW_SHARE // 2) // NEW_SHARE
        self._joins = False  # there is a place for what comes of joining
        self._join_left = 0  # of the room of this message
        self.message()
        self._turn = 0  # the sweeper's
        self._turn_left = 0  # segments of the new log that are still to be swept in it
        self._table_turn = 0  # that of the last record that was met: the table knows no other
        self._sweeps = sweeps
        self._hash = hash_function
        self.table = (
            CuckooTable(self.buckets, self.counters, ways, moves, lines)
            if ways > 1
            else Table(self.buckets, self.counters)
        )
        self._hashes: dict[bytes, int] = {}  # of keys that were looked for

    @property
    def items(self) -> int:
        """Slots with an item, a dead one that nobody has met included."""
        return sum(1 for slot in self.table.slots() if slot.record)

    def forget(self) -> None:
        """All items are gone. CAS numbers and flushes go on."""
        self.pool = Pool(self.pool.count, self.pool.size)
        self.new, self.main = Log(self.pool), Log(self.pool, main=True)
        self._turn = self._turn_left = 0
        self.table.clear()
        self._hashes.clear()

    # ---- operations ---------------------------------------------------------------------------
    def set(
        self,
        key: bytes,
        value: bytes,
        flags: int,
        expiry: int,
        cas: int = 0,
        needs: Needs = Needs.ANY,
        encoded: bool = False,
        **options: Any,
    ) -> tuple[Status, int]:
        length = item_bytes(len(key), len(value))
        self._make_room(length)
        status, number = super().set(key, value, flags, expiry, cas, needs, encoded, **options)
        self._refused(key, status, length)
        return status, number

    def get(self, key: bytes, **options: Any) -> Item | None:
        if options.get("creates") is None:
            return super().get(key, **options)
        length = item_bytes(len(key), 0)
        self._make_room(length)
        there = self.peek(key) is not None
        item = super().get(key, **options)
        if there:
            self._refused(key, Status.EXISTS, length)
        return item

    def count(self, key: bytes, delta: int, **options: Any) -> tuple[Status, int, int]:
        length = item_bytes(len(key), LONGEST_NUMBER)
        self._make_room(length)
        status, number, cas = super().count(key, delta, **options)
        self._refused(key, status, length)
        return status, number, cas

    def join(self, key: bytes, value: bytes, **options: Any) -> tuple[Status, int]:
        slot = self._slot(key)
        own = item_bytes(len(key), len(value))
        fits, length = False, own
        if slot is not None and slot.record is not None and own <= self.largest:
            length = item_bytes(len(key), len(slot.record.item.value) + len(value))
            fits = length <= self.largest and length - own <= self._join_left
        self._joins = fits
        if fits:
            self._join_left -= length - own
            self._make_room(length)
        status, number = super().join(key, value, **options)
        if fits:
            self._refused(key, status, length)
        return status, number

    def message(self) -> None:
        longest = LARGEST_ITEM - structs.constant("ItemBytes")  # value
        self._join_left = LEAST_GROWTH + min(self.largest, item_bytes(MOST_KEY_BYTES, longest))

    def delete(self, key: bytes, cas: int = 0) -> Status:
        status = super().delete(key, cas)
        if not cas:
            self._empty(key)
        return status

    def clear(self, key: bytes, *item: Any, **options: Any) -> Status:
        length = item_bytes(len(key), 0)
        self._make_room(length)
        status = super().clear(key, *item, **options)
        self._refused(key, status, length)
        return status

    def refuse(self, key: bytes) -> Status:
        status = super().refuse(key)
        self._empty(key)
        return status

    # ---- where items stand --------------------------------------------------------------------
    def _seen(self, key: bytes, item: Item | None) -> None:
        slot = self._slot(key)
        if slot is not None:
            slot.uses = min(MOST_USES, slot.uses + 1)

    def _find(self, key: bytes) -> Item | None:
        slot = self._slot(key)
        if slot is None or slot.record is None or slot.record.item.key != key:
            return None
        return slot.record.item

    def _tagged(self, key: bytes) -> Item | None:
        slot = self._slot(key)
        return None if slot is None or slot.record is None else slot.record.item

    def _change(self, key: bytes, change: Change, item: Item | None) -> Status:
        if item is not None:
            room = LONGEST_NUMBER if change is Change.COUNT else len(item.value)
            return self._store(key, item, item_bytes(len(key), room))
        if change is Change.REMOVE:
            self._empty(key)
        return Status.OK

    def _has_room(self, key: bytes, joined: bytes) -> bool:
        return self._joins

    def _refused(self, key: bytes, status: Status, length: int) -> None:
        """An operation that stores has ended: if it was refused by the item that it asked, a place
        for its own was taken."""
        refused = status in (
            Status.NOT_FOUND,
            Status.EXISTS,
            Status.NOT_NUMBER,
            Status.NOT_STORED,
        )
        slot = self._slot(key) if refused and length <= self.largest else None
        if slot is not None:
            self._log_for(slot).append(Item(key, b"", 0, 0, DEAD), length)

    def _store(self, key: bytes, item: Item, length: int) -> Status:
        if length > self.largest:
            self.counters["set_too_large"] += 1
            self._empty(key)
            return Status.TOO_LARGE
        bucket, tag = self._bucket(key)
        old = bucket.find(tag)
        uses = 0
        if old is not None and old.record is not None:
            uses = min(MOST_USES, old.uses + 1)
            self.counters["alias"] += old.record.item.key != key
        log = self._log_for(old)
        self.table.put(bucket, old, Slot(tag, log.append(item, length), log, uses))
        return Status.OK

    def _log_for(self, slot: Slot | None) -> Log:
        """Where the item goes that takes the slot: a ghost's to the main log, unless it is old."""
        if slot is None or slot.log is self.new:
            return self.new
        age = (self._table_turn - slot.turn) % TURNS
        return self.new if slot.record is None and age >= GHOST_TURNS else self.main

    # ---- the sweeper --------------------------------------------------------------------------
    def met(self, address: int, *, dead: bool, may_copy: bool) -> tuple[bool, int | None]:
        """What the table does when the sweeper meets a record: whether a slot has its address, and
        the place of the copy if there is to be one."""
        _, segment = self.oldest(address // self.pool.size)
        return self._met(segment.find(address), dead=dead, may_copy=may_copy)

    def give(self, number: int) -> None:
        """All records of this segment were met: it is free."""
        log, _ = self.oldest(number)
        self.counters["sweep_new" if log is self.new else "sweep_main"] += 1
        log.drop()
        if log is not self.new:
            return
        if self._turn_left > 1:
            self._turn_left -= 1
        else:
            self._turn_left = self._most_new
            self._turn = (self._turn + 1) % TURNS

    def oldest(self, number: int) -> tuple[Log, Segment]:
        """The log whose oldest segment has this number."""
        for log in (self.new, self.main):
            if log.segments and log.segments[0].number == number:
                return log, log.oldest()
        raise ValueError(f"segment {number} is not the oldest of a log")

    def is_dead(self, record: Record) -> bool:
        self._settle()
        return not self._live(record.item)

    def most_copied(self, log: Log) -> int:
        """How many bytes of a segment of this log may be copied."""
        return int(self.pool.size * COPIED) if log is self.main else MOST_BYTES

    def _make_room(self, length: int) -> None:
        """Sweeps until there are segments for `length` bytes, and those that a sweep needs."""
        if length > self.largest:
            return
        while self._sweeps and self.pool.free < RESERVE + self.pool.span(length):
            self._sweep(self.new if len(self.new.segments) > self._most_new else self.main)

    def _sweep(self, log: Log) -> None:
        segment = log.oldest()
        left = self.most_copied(log)
        for record in segment.records:
            may_copy = record.length <= left and self.pool.free > self.pool.span(record.length)
            _, place = self._met(record, dead=self.is_dead(record), may_copy=may_copy)
            left -= 0 if place is None else record.length
        self.give(segment.number)

    def _met(self, record: Record, *, dead: bool, may_copy: bool) -> tuple[bool, int | None]:
        self._table_turn = self._turn
        bucket, _ = self._bucket(record.item.key)
        slot = bucket.of(record)
        if slot is None:
            return False, None
        new = slot.log is self.new
        if slot.uses and may_copy and not dead:
            self.counters["promote" if new else "copy"] += 1
            slot.record = self.main.append(record.item, record.length)
            slot.log, slot.uses = self.main, slot.uses - 1
            return True, slot.record.address
        if not dead:
            self.counters["evict_new" if new else "evict_main"] += 1
        if new and not dead:
            bucket.haunt(slot, self._table_turn)
        else:
            bucket.drop(slot)
        return True, None

    # ---- parts --------------------------------------------------------------------------------
    def _bucket(self, key: bytes) -> tuple[Bucket, int]:
        """The bucket of `key`, and its tag."""
        hashed = self._hashes.get(key)
        if hashed is None:
            hashed = self._hashes[key] = self._hash(key)
        return self.table.bucket_of(hashed)

    def _slot(self, key: bytes) -> Slot | None:
        """The slot that has an item with the tag of `key`, whosever item it is."""
        bucket, tag = self._bucket(key)
        slot = bucket.find(tag)
        return slot if slot is not None and slot.record else None

    def _empty(self, key: bytes) -> None:
        """Empties that slot."""
        slot = self._slot(key)
        if slot is not None:
            self._bucket(key)[0].drop(slot)
