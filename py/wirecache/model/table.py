# SPDX-License-Identifier: Apache-2.0
"""The bucket table with its value blocks: get, set, delete, flush, expiry, CAS."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from enum import Enum, auto

from wirecache.model.hashing import FUNCTIONS

CLASSES = 3
CLASS_BYTES = (128, 2048, 1 << 20)  # block sizes; the host may set others
LINE_BYTES = 64


class Status(Enum):
    """What became of an operation."""

    OK = auto()
    NOT_FOUND = auto()
    EXISTS = auto()
    NO_MEMORY = auto()


@dataclass(frozen=True)
class Pointer:
    """A value block: its class and its number within the class."""

    size_class: int
    number: int


@dataclass
class Item:
    """What a slot holds."""

    key: bytes
    value: bytes
    flags: int
    expiry: int  # Unix time, 0 = never
    cas: int
    pointer: Pointer


class Queues:
    """The three queues of free blocks and the queue of deleted ones, without the host between.

    `limits` is the number of blocks of each class; no limits means that the host keeps up and
    memory is large.
    """

    def __init__(self, limits: tuple[int, int, int] | None = None) -> None:
        self._limits = limits
        self._made = [0] * CLASSES
        self.free: tuple[deque[Pointer], ...] = tuple(deque() for _ in range(CLASSES))
        self.deleted: deque[Pointer] = deque()

    def take(self, size_class: int) -> Pointer | None:
        """The next free block of the class."""
        if self.free[size_class]:
            return self.free[size_class].popleft()
        if self._limits is not None and self._made[size_class] >= self._limits[size_class]:
            return None
        self._made[size_class] += 1
        return Pointer(size_class, self._made[size_class] - 1)

    def give(self, pointer: Pointer) -> None:
        """Puts a block that is no longer used into the deleted queue."""
        self.deleted.append(pointer)

    def recycle(self) -> None:
        """What host software does: deleted blocks become free ones."""
        while self.deleted:
            pointer = self.deleted.popleft()
            self.free[pointer.size_class].append(pointer)


class Table:
    """2**bucket_bits buckets of `slots` slots. `time` is Unix time; whoever owns it moves it on.

    `counters` counts what wc_pkg::index_events_t counts, but for what is stalled and forwarded. A
    SET or DELETE frees all dead slots of its bucket, whatever becomes of it.
    """

    def __init__(
        self,
        bucket_bits: int = 16,
        slots: int = 8,
        seed: int = 0,
        class_bytes: tuple[int, int, int] = CLASS_BYTES,
        queues: Queues | None = None,
        time: int = 0,
        hash_function: str = "lookup3",
    ) -> None:
        self.time = time
        self.cas = 0  # the last number given out
        self.queues = queues if queues is not None else Queues()
        self.counters: Counter[str] = Counter()
        self._slots = slots
        self._hash = FUNCTIONS[hash_function]
        self._seed = seed
        self._mask = (1 << bucket_bits) - 1
        self._class_bytes = class_bytes
        self._buckets: dict[int, list[Item | None]] = {}
        self._flushed_cas = 0  # items up to this number are dead
        self._flush_at: int | None = None  # a flush to come

    @property
    def buckets(self) -> int:
        """How many there are."""
        return self._mask + 1

    # ---- operations ---------------------------------------------------------------------------
    def get(self, key: bytes) -> Item | None:
        """The live item of `key`."""
        self.counters["get"] += 1
        item = self.peek(key)
        if item is not None:
            self.counters["get_hit"] += 1
        return item

    def set(
        self, key: bytes, value: bytes, flags: int, expiry: int, cas: int = 0
    ) -> tuple[Status, int]:
        """Stores an item; with `cas` only over the item of that number. Gives the new number."""
        self.counters["set"] += 1
        bucket, slot = self._find(key)
        old = self._item(bucket, slot)
        swept = self._sweep(bucket)
        status, pointer = Status.OK, None
        if cas != 0 and old is None:
            status = Status.NOT_FOUND
        elif cas != 0 and old is not None and old.cas != cas:
            status = Status.EXISTS
        else:
            match = slot is not None
            if slot is None:
                slot = self._vacant(bucket)
            if slot is None:
                self.counters["set_full"] += 1
                status = Status.NO_MEMORY
            else:
                if old is not None:
                    swept[slot] = old.pointer
                bucket[slot] = None  # as in memcached: rather nothing than what is out of date
                pointer = self._place(swept, [slot] if match else sorted(swept), len(value))
                if pointer is None:
                    self.counters["set_no_block"] += 1
                    status = Status.NO_MEMORY
                else:
                    self.cas += 1
                    bucket[slot] = Item(key, value, flags, expiry, self.cas, pointer)
        self._give(swept, slot if old is not None else None)
        return status, self.cas if pointer is not None else 0

    def delete(self, key: bytes, cas: int = 0) -> Status:
        """Removes the item of `key`; with `cas` only that of this number."""
        self.counters["del"] += 1
        bucket, slot = self._find(key)
        item = self._item(bucket, slot)
        swept = self._sweep(bucket)
        status = Status.OK
        if item is None or slot is None:
            status = Status.NOT_FOUND
        elif cas not in (0, item.cas):
            status = Status.EXISTS
        else:
            self.counters["del_hit"] += 1
            bucket[slot] = None
            swept[slot] = item.pointer
        self._give(swept, slot if item is not None else None)
        return status

    def flush(self, when: int = 0) -> None:
        """All items there are at Unix time `when` (0: now) are dead from then on.

        There is one flush to come at most: a later command takes the place of an earlier one.
        """
        self.counters["flush"] += 1
        self._settle()
        if when == 0 or when <= self.time:
            self.cas += 1  # memcached draws a number for it
            self._flushed_cas = self.cas
            self._flush_at = None
        else:
            self._flush_at = when

    def peek(self, key: bytes) -> Item | None:
        """The live item of `key`, without counting."""
        return self._item(*self._find(key))

    # ---- parts --------------------------------------------------------------------------------
    def _settle(self) -> None:
        if self._flush_at is not None and self._flush_at <= self.time:
            self._flushed_cas = self.cas
            self._flush_at = None

    def _live(self, item: Item) -> bool:
        return (item.expiry == 0 or item.expiry > self.time) and item.cas > self._flushed_cas

    def _find(self, key: bytes) -> tuple[list[Item | None], int | None]:
        """The bucket of `key`, and the slot that holds it, dead or alive."""
        self._settle()
        index = self._hash(key, self._seed) & self._mask
        bucket = self._buckets.setdefault(index, [None] * self._slots)
        for slot, item in enumerate(bucket):
            if item is not None and item.key == key:
                return bucket, slot
        return bucket, None

    def _item(self, bucket: list[Item | None], slot: int | None) -> Item | None:
        """The live item of a slot."""
        item = None if slot is None else bucket[slot]
        return item if item is not None and self._live(item) else None

    def _vacant(self, bucket: list[Item | None]) -> int | None:
        """A slot that is empty or holds a dead item."""
        for slot, item in enumerate(bucket):
            if item is None or not self._live(item):
                return slot
        return None

    def _sweep(self, bucket: list[Item | None]) -> dict[int, Pointer]:
        """Frees the slots of the bucket that hold dead items; gives their blocks, by slot."""
        swept = {}
        for slot, item in enumerate(bucket):
            if item is not None and not self._live(item):
                swept[slot] = item.pointer
                bucket[slot] = None
        return swept

    def _place(self, swept: dict[int, Pointer], slots: list[int], length: int) -> Pointer | None:
        """A block for a value of `length` bytes: the first of `slots` that fits, taken out of what
        was swept, else a new one."""

        def fits(size_class: int) -> bool:
            return 0 < self._class_bytes[size_class] >= length

        for slot in slots:
            if slot in swept and fits(swept[slot].size_class):
                return swept.pop(slot)
        size_class = next((c for c in range(CLASSES) if fits(c)), None)
        return None if size_class is None else self.queues.take(size_class)

    def _give(self, swept: dict[int, Pointer], live: int | None) -> None:
        """Gives the blocks back, in the order of slots; that of slot `live` was not dead."""
        for slot in sorted(swept):
            self.queues.give(swept[slot])
            self.counters["reclaim"] += slot != live
