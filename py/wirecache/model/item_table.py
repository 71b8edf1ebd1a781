# SPDX-License-Identifier: Apache-2.0
"""The table of the item index: slots, in buckets, in one way or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wirecache.circuit import structs
from wirecache.model.cuckoo import MOST_WALK_BITS, shape_of
from wirecache.model.log import Log, Record

SLOTS = 8
TAG_BITS = 17
FACTOR_BITS = 4  # there are 8 to 15 times a power of two of buckets
TURNS = 256  # they are numbered modulo this
LOW = 0xFFFFFFFF  # the half of the hash that finds the bucket; the tag is the top of the other
STASH_SHARE = structs.constant("wc_cuckoo_pkg::StashShare")
LINES = 64  # on the chip, of each way, if nothing else is said
MOST_MOVES = structs.constant("wc_cuckoo_pkg::MostMoves")


@dataclass(eq=False, slots=True)
class Slot:
    """`record` and `log` are None in a ghost, which has the turn in which it became one."""

    tag: int
    record: Record | None
    log: Log | None
    uses: int = 0
    turn: int = 0


def least_used(slots: Sequence[Slot | None]) -> int:
    """Of slots that all have items, the one that gives way: the oldest unused item of the new log,
    else the least used item, and of these the oldest."""
    items = [slot for slot in slots if slot]
    unused = [n for n, slot in enumerate(items) if slot.log and not slot.log.main and not slot.uses]
    if unused:
        return unused[-1]
    return min(range(len(items)), key=lambda n: (items[n].uses, -n))


class Bucket(list[Slot | None]):
    """Slots in the order of their SETs, newest first."""

    @classmethod
    def empty(cls) -> Bucket:
        return cls([None] * SLOTS)

    def find(self, tag: int) -> Slot | None:
        """The slot of this tag, with an item or a ghost."""
        return next((slot for slot in self if slot and slot.tag == tag), None)

    def of(self, record: Record) -> Slot | None:
        return next((slot for slot in self if slot and slot.record is record), None)

    def free(self) -> int | None:
        """The slot that a new item takes before any other's: an empty one, the oldest ghost."""
        empty = [n for n, slot in enumerate(self) if slot is None]
        if empty:
            return empty[0]
        ghosts = [n for n, slot in enumerate(self) if slot and slot.record is None]
        return ghosts[-1] if ghosts else None

    def put(self, number: int, slot: Slot) -> None:
        """Into the place of what is in this slot."""
        self[1 : number + 1] = self[:number]
        self[0] = slot

    def drop(self, slot: Slot) -> None:
        self[self.index(slot)] = None

    def haunt(self, slot: Slot, turn: int) -> None:
        """It becomes a ghost."""
        slot.record = slot.log = None
        slot.turn = turn


class Table:
    """A key's slot is in the one bucket that its hash names."""

    def __init__(self, buckets: int, counters: Counter[str]) -> None:
        self.buckets, self.counters = buckets, counters
        self.lines: dict[int, Bucket] = {}  # that were looked at, by number

    def bucket_of(self, hashed: int) -> tuple[Bucket, int]:
        """Where a key with this hash may be, and its tag."""
        return self.line((hashed & LOW) * self.buckets >> 32), hashed >> (64 - TAG_BITS)

    def line(self, number: int) -> Bucket:
        return self.lines.setdefault(number, Bucket.empty())

    def slots(self) -> Iterator[Slot]:
        for line in self.lines.values():
            yield from (slot for slot in line if slot)

    def clear(self) -> None:
        self.lines.clear()

    def put(self, bucket: Bucket, old: Slot | None, new: Slot) -> None:
        """`new` takes the slot of its tag, if there is one, else that of another."""
        number = self._victim(bucket) if old is None else bucket.index(old)
        bucket.put(number, new)

    def _victim(self, bucket: Bucket) -> int:
        number = bucket.free()
        if number is None:
            self.counters["evict_bucket"] += 1
            number = least_used(bucket)
        return number


Name = tuple[int, int]  # of a key: its place in bank 0, and its signature there


def name_of(hashed: int, buckets: int, ways: int) -> Name:
    """Of a key with this hash (wc_cuckoo_pkg::named)."""
    lowest = ways - 1
    walk = hashed & (1 << MOST_WALK_BITS) - 1
    top = hashed >> (64 - TAG_BITS + MOST_WALK_BITS)
    place = ((hashed & LOW) * buckets >> 32) & ~lowest
    return place, (top << MOST_WALK_BITS | walk) & ~lowest | 1


@dataclass(slots=True)
class Moving:
    """An item that was put out of its slot, on its way to the bank `to`."""

    name: Name
    slot: Slot
    to: int
    moves: int  # for it and those before it


class Lines(Bucket):
    """What an operation sees: the slots of a line in each bank, and those of items on their way."""

    def __init__(self, table: CuckooTable, name: Name) -> None:
        self.table, self.name = table, name
        self.places: list[Name] = [name] * table.ways  # by bank
        place, tag = name
        for _ in range(table.ways):
            self.places[table.shape.bank(place)] = place, tag
            place, tag = table.shape.next(place, tag)
        self.lines = [table.line(place) for place, _ in self.places]
        super().__init__(slot for line in self.lines for slot in line)
        self.own = len(self)
        self.extend(None if moving is None else moving.slot for moving in table.moving)

    def find(self, tag: int) -> Slot | None:
        for number, slot in enumerate(self[: self.own]):
            if slot and slot.tag == self.places[number // SLOTS][1]:
                return slot
        moving = (m for m in self.table.moving if m is not None and m.name == self.name)
        return next((m.slot for m in moving), None)

    def free(self) -> int | None:
        """In the bank whose line has the fewest items, and of these the first."""
        items = [
            sum(slot is not None and slot.record is not None for slot in x) for x in self.lines
        ]
        way = items.index(min(items))
        number = self.lines[way].free()
        return None if number is None else SLOTS * way + number

    def put(self, number: int, slot: Slot) -> None:
        way, at = divmod(number, SLOTS)
        if number < self.own:
            slot.tag = self.places[way][1]
            self.lines[way].put(at, slot)
            return
        moving = self.table.moving[number - self.own]
        assert moving is not None
        slot.tag = moving.name[1]
        moving.slot = slot

    def drop(self, slot: Slot) -> None:
        number = self.index(slot)
        self[number] = None
        if number < self.own:
            self.lines[number // SLOTS].drop(slot)
        else:
            self.table.moving[number - self.own] = None

    def haunt(self, slot: Slot, turn: int) -> None:
        if self.index(slot) < self.own:
            super().haunt(slot, turn)
        else:
            self.drop(slot)

    def name_at(self, way: int, tag: int) -> tuple[Name, int]:
        """Of an item in the line of this bank, and the bank where it goes from there."""
        shape, place = self.table.shape, self.places[way][0]
        to, _ = shape.next(place, tag)
        while shape.bank(place):
            place, tag = shape.next(place, tag)
        return (place, tag), shape.bank(to)


class CuckooTable(Table):
    """A key's slot is in any of several lines, one in each bank (wirecache.model.cuckoo).

    When all of them are full of items, one is put out for a new one: it has a place in the stash
    until its mover brings it to another of its lines. `move` tells when that is, as whoever replays
    what a circuit did knows.
    """

    def __init__(
        self,
        buckets: int,
        counters: Counter[str],
        ways: int,
        moves: int = MOST_MOVES,
        lines: int = LINES,
    ) -> None:
        super().__init__(buckets, counters)
        self.ways, self.moves = ways, moves
        self.shape = shape_of(buckets.bit_length() - FACTOR_BITS, ways)
        self.moving: list[Moving | None] = [None] * (lines // STASH_SHARE)
        self.asked: set[int] = set()  # entries of the stash whose mover has not been
        self.turn = 0  # names who is put out

    def bucket_of(self, hashed: int) -> tuple[Bucket, int]:
        name = name_of(hashed, self.buckets, self.ways)
        return Lines(self, name), name[1]

    def slots(self) -> Iterator[Slot]:
        yield from super().slots()
        yield from (moving.slot for moving in self.moving if moving is not None)

    def clear(self) -> None:
        super().clear()
        self.moving = [None] * len(self.moving)
        self.turn = 0

    def _victim(self, bucket: Bucket) -> int:
        assert isinstance(bucket, Lines)
        number = bucket.free()
        room = [n for n, m in enumerate(self.moving) if m is None and n not in self.asked]
        if number is None and room and self.moves:
            way = self.turn // SLOTS % self.ways
            number = self._put_out(bucket, way, room[-1], 1)
        elif number is None:
            number = self._evict(bucket)
        return number

    def _put_out(self, lines: Lines, way: int, entry: int, moves: int) -> int:
        """Of its line the slot that is then free."""
        number = SLOTS * way + self.turn % SLOTS
        slot = lines[number]
        assert slot is not None
        lines.drop(slot)
        name, to = lines.name_at(way, slot.tag)
        slot.tag = name[1]
        self.moving[entry] = Moving(name, slot, to, moves)
        self.asked.add(entry)
        self.turn += 1
        self.counters["moved"] += 1
        return number

    def _evict(self, lines: Lines) -> int:
        self.counters["evict_bucket"] += 1
        return least_used(lines[: lines.own])

    def move(self, entry: int) -> None:
        """The mover of this entry has its turn."""
        self.asked.remove(entry)
        moving = self.moving[entry]
        if moving is None:  # it is gone
            return
        lines = Lines(self, moving.name)
        self.moving[entry] = None
        number = lines.free()
        if number is None and moving.moves >= self.moves:
            number = self._evict(lines)
        elif number is None:
            number = self._put_out(lines, moving.to, entry, moving.moves + 1)
        lines.put(number, moving.slot)
