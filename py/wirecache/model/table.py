# SPDX-License-Identifier: Apache-2.0
"""The bucket table with its value blocks."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from wirecache.model.hashing import FUNCTIONS
from wirecache.model.index import Change, Index, Item, Status

CLASSES = 3
CLASS_BYTES = (128, 2048, 1 << 20)  # block sizes; the host may set others
LINE_BYTES = 64


@dataclass(frozen=True)
class Pointer:
    """A value block: its class and its number within the class."""

    size_class: int
    number: int


@dataclass
class Slot:
    """What a slot holds."""

    item: Item
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


class Table(Index):
    """2**bucket_bits buckets of `slots` slots.

    A SET or DELETE frees all dead slots of its bucket, whatever becomes of it. Values are written
    when the answers' sizes are known, which an INCR's is not before it has its value; nor does it
    keep what a meta command may show. So the circuit has no such commands, and the model has them
    only if it is `whole`.
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
        *,
        whole: bool = False,
    ) -> None:
        super().__init__(time)
        self.made_values = self.meta = whole
        self.queues = queues if queues is not None else Queues()
        self._slots = slots
        self._hash = FUNCTIONS[hash_function]
        self._seed = seed
        self._mask = (1 << bucket_bits) - 1
        self._class_bytes = class_bytes
        self._buckets: dict[int, list[Slot | None]] = {}

    @property
    def buckets(self) -> int:
        """How many there are."""
        return self._mask + 1

    # ---- where items stand --------------------------------------------------------------------
    def _seen(self, key: bytes, item: Item | None) -> None:
        """The table keeps no account of uses: nothing is ever evicted."""

    def _find(self, key: bytes) -> Item | None:
        bucket, number = self._slot(key)
        slot = None if number is None else bucket[number]
        return None if slot is None else slot.item

    def _change(self, key: bytes, change: Change, item: Item | None) -> Status:
        bucket, number = self._slot(key)
        old = None if number is None else bucket[number]
        if old is not None and not self._live(old.item):
            old = None
        swept = self._sweep(bucket)
        status = Status.OK
        if item is not None:
            status = self._store(bucket, number, item, swept)
        elif change is Change.REMOVE and number is not None and old is not None:
            bucket[number] = None
            swept[number] = old.pointer
        self._give(swept, number if old is not None else None)
        return status

    # ---- parts --------------------------------------------------------------------------------
    def _slot(self, key: bytes) -> tuple[list[Slot | None], int | None]:
        """The bucket of `key`, and the number of the slot that holds it, dead or alive."""
        index = self._hash(key, self._seed) & self._mask
        bucket = self._buckets.setdefault(index, [None] * self._slots)
        for number, slot in enumerate(bucket):
            if slot is not None and slot.item.key == key:
                return bucket, number
        return bucket, None

    def _sweep(self, bucket: list[Slot | None]) -> dict[int, Pointer]:
        """Frees the slots of the bucket that hold dead items; gives their blocks, by slot."""
        swept = {}
        for number, slot in enumerate(bucket):
            if slot is not None and not self._live(slot.item):
                swept[number] = slot.pointer
                bucket[number] = None
        return swept

    def _store(
        self, bucket: list[Slot | None], own: int | None, item: Item, swept: dict[int, Pointer]
    ) -> Status:
        """Stores into slot `own`, which has the key, or into the first that is free. Blocks that
        were freed are in `swept`, and one that is used again leaves it."""
        number = own if own is not None else next((n for n, s in enumerate(bucket) if not s), None)
        if number is None:
            self.counters["set_full"] += 1
            return Status.NO_MEMORY
        old = bucket[number]
        if old is not None:
            swept[number] = old.pointer
        bucket[number] = None  # as in memcached: rather nothing than what is out of date
        sources = [number] if own is not None else sorted(swept)
        pointer = self._place(swept, sources, len(item.value))
        if pointer is None:
            self.counters["set_no_block"] += 1
            return Status.NO_MEMORY
        bucket[number] = Slot(item, pointer)
        return Status.OK

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
