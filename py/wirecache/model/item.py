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
* a bucket's slots stand in the order of their SETs, newest first. In a full bucket the
  oldest ghost gives way, else the least used item and of these the oldest.

A SET takes the slot with its tag, whose item may have another key: a cache may forget any item.
So a tag stands in a bucket once at most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wirecache.model.index import Change, Index, Item, Status
from wirecache.model.log import LINE_BYTES, Log, Pool, Record, item_bytes
from wirecache.model.lookup3 import hashlittle2

SLOTS = 8
BUCKET_BYTES = 64
TAG_BITS = 20
MOST_USES = 3
NEW_SHARE = 10  # the new log has this part of the segments, and more while there are free ones
COPIED = 7 / 8
SEGMENTS = 256
RESERVE = 3  # segments that stay free, for what a sweep copies
FEWEST_SEGMENTS = 32
LARGEST_SHARE = 16  # an item is at most this part of all segments
USUAL_ITEM_BYTES = 100  # the table is half full with items of this size

LOW = 0xFFFFFFFF  # the half of the hash that finds the bucket; the tag is the top of the other

Hash = Callable[[bytes], int]  # 64 bits


@dataclass(eq=False, slots=True)
class Slot:
    """`item` and `record` are None in a ghost."""

    tag: int
    item: Item | None
    record: Record | None
    log: Log | None
    uses: int = 0


def table_buckets(memory: int, usual_bytes: int = USUAL_ITEM_BYTES) -> int:
    """The number of buckets for `memory` bytes in all: half of the slots are in use when the rest
    is full of items of `usual_bytes`. Rounded to 8 to 15 times a power of two, as the circuit
    multiplies the hash by 4 bits."""
    slot_bytes = BUCKET_BYTES // SLOTS
    wanted = 2 * memory // (usual_bytes + 2 * slot_bytes) // SLOTS
    shift = max(0, wanted.bit_length() - 4)
    return max(1, (wanted + (1 << shift >> 1)) >> shift) << shift


class ItemIndex(Index):
    """All of it in `memory` bytes: the table, a line a bucket, and the segments of the logs."""

    def __init__(
        self,
        memory: int,
        buckets: int | None = None,
        time: int = 0,
        hash_function: Hash = hashlittle2,
        segments: int = SEGMENTS,
    ) -> None:
        super().__init__(time)
        self.buckets = table_buckets(memory) if buckets is None else buckets
        left = max(0, memory - BUCKET_BYTES * self.buckets)
        segment = left // segments // LINE_BYTES * LINE_BYTES
        if segments < FEWEST_SEGMENTS or segment < LINE_BYTES:
            raise ValueError("the memory is too small for table and logs")
        self.pool = Pool(segments, segment)
        self.new, self.main = Log(self.pool), Log(self.pool)
        self.largest = segments * segment // LARGEST_SHARE  # bytes of an item
        self._most_new = round(segments / NEW_SHARE)
        self._hash = hash_function
        self.table: dict[int, list[Slot | None]] = {}  # buckets that were looked at, by number
        self._places: dict[bytes, tuple[list[Slot | None], int]] = {}  # bucket and tag of a key

    # ---- where items stand --------------------------------------------------------------------
    def _seen(self, key: bytes, item: Item | None) -> None:
        """A use of the item. A dead one loses its slot."""
        bucket, number = self._slot(key)
        if number is None:
            return
        slot = bucket[number]
        assert slot is not None
        slot.uses = min(MOST_USES, slot.uses + 1)
        if item is None:
            bucket[number] = None

    def _find(self, key: bytes) -> Item | None:
        bucket, number = self._slot(key)
        slot = None if number is None else bucket[number]
        return None if slot is None else slot.item

    def _change(self, key: bytes, change: Change, item: Item | None) -> Status:
        if item is not None:
            return self._store(key, item)
        bucket, number = self._slot(key)
        if change is Change.REMOVE and number is not None:
            bucket[number] = None
        return Status.OK

    def _store(self, key: bytes, item: Item) -> Status:
        length = item_bytes(len(key), len(item.value))
        bucket, tag = self._bucket(key)
        old = next((slot for slot in bucket if slot and slot.tag == tag), None)
        if length > self.largest:
            self.counters["set_too_large"] += 1
            if old is not None:
                bucket[bucket.index(old)] = None
            return Status.NO_MEMORY
        if old is not None and old.item is not None and old.item.key != key:
            self.counters["alias"] += 1
        # The old item stands until the new one has a place: making room may sweep it away.
        self._make_room(length)
        ghost = old is not None and old.item is None
        number = bucket.index(old) if old in bucket and old else self._victim(bucket)
        log = self.main if ghost or (old is not None and old.log is self.main) else self.new
        uses = 0 if old is None or ghost else min(MOST_USES, old.uses + 1)
        record = log.append(key, length)
        bucket[1 : number + 1] = bucket[:number]
        bucket[0] = Slot(tag, item, record, log, uses)
        return Status.OK

    def _victim(self, bucket: list[Slot | None]) -> int:
        """The slot that a new item takes: an empty one, the oldest ghost, the least used item."""
        empty = [n for n, slot in enumerate(bucket) if slot is None]
        if empty:
            return empty[0]
        ghosts = [n for n, slot in enumerate(bucket) if slot and slot.item is None]
        if ghosts:
            return ghosts[-1]
        self.counters["evict_bucket"] += 1
        return min(range(SLOTS), key=lambda n: (bucket[n].uses, -n))  # type: ignore[union-attr]

    # ---- the sweeper --------------------------------------------------------------------------
    def _make_room(self, length: int) -> None:
        """Sweeps until there are segments for `length` bytes, and those that a sweep needs."""
        while self.pool.free < RESERVE + self.pool.span(length):
            if len(self.new.segments) > self._most_new:
                self._sweep_new()
            else:
                self._sweep_main()

    def _sweep_new(self) -> None:
        self.counters["sweep_new"] += 1
        segment = self.new.oldest()
        for record in segment.records:
            slot = self._owner(record)
            if slot is None:
                continue
            if slot.uses and self._has_room_to_copy(record):
                self.counters["promote"] += 1
                self._move(slot, record, slot.uses - 1)
            else:
                self.counters["evict_new"] += 1
                slot.item = slot.record = slot.log = None
        self.pool.give(segment)

    def _sweep_main(self) -> None:
        self.counters["sweep_main"] += 1
        segment = self.main.oldest()
        left = int(self.pool.size * COPIED)
        for record in segment.records:
            slot = self._owner(record)
            if slot is None:
                continue
            if slot.uses and record.length <= left and self._has_room_to_copy(record):
                left -= record.length
                self.counters["copy"] += 1
                self._move(slot, record, slot.uses - 1)
            else:
                self.counters["evict_main"] += 1
                self._drop(slot)
        self.pool.give(segment)

    def _has_room_to_copy(self, record: Record) -> bool:
        """A segment is left for the next sweep."""
        return self.pool.free > self.pool.span(record.length)

    def _move(self, slot: Slot, record: Record, uses: int) -> None:
        """Writes the item at the head of the main log."""
        slot.record = self.main.append(record.key, record.length)
        slot.log, slot.uses = self.main, uses

    def _owner(self, record: Record) -> Slot | None:
        """The slot that still points to the record, if its item lives. A dead item loses it."""
        bucket, _ = self._bucket(record.key)
        slot = next((s for s in bucket if s and s.record is record), None)
        if slot is not None and slot.item is not None and not self._live(slot.item):
            bucket[bucket.index(slot)] = None
            return None
        return slot

    def _drop(self, slot: Slot) -> None:
        bucket, _ = self._bucket(slot.item.key)  # type: ignore[union-attr]
        bucket[bucket.index(slot)] = None

    # ---- parts --------------------------------------------------------------------------------
    def _bucket(self, key: bytes) -> tuple[list[Slot | None], int]:
        """The bucket of `key`, and its tag."""
        place = self._places.get(key)
        if place is None:
            hashed = self._hash(key)
            number = (hashed & LOW) * self.buckets >> 32
            bucket = self.table.setdefault(number, [None] * SLOTS)
            place = self._places[key] = bucket, hashed >> (64 - TAG_BITS)
        return place

    def _slot(self, key: bytes) -> tuple[list[Slot | None], int | None]:
        """The bucket of `key`, and the number of the slot with its item, dead or alive."""
        bucket, tag = self._bucket(key)
        for number, slot in enumerate(bucket):
            if slot and slot.tag == tag:
                own = slot.item is not None and slot.item.key == key
                return bucket, number if own else None
        return bucket, None
