# SPDX-License-Identifier: Apache-2.0
"""What operations mean: the part of the reference model that is the same for every index.

`Index` decides what becomes of an operation. Where an item stands is for a subclass to say, and
what account of uses is kept. hw/core/wc_policy_pkg.sv is the same in the circuit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, auto

from wirecache.circuit import structs
from wirecache.model.numbers import MAX_64, unsigned64

MAX_ITEM = 1 << 20  # memcached's item_size_max, if its -I says nothing else
LARGEST_ITEM = structs.constant("MaxValueBytes")  # and the most that it may say here
PERIOD_BITS = structs.constant("wc_item_pkg::PeriodBits")
LONGEST_NUMBER = structs.constant("NumberBytes")  # bytes of a value that may be one


class Status(Enum):
    """What became of an operation."""

    OK = auto()
    NOT_FOUND = auto()
    EXISTS = auto()
    NO_MEMORY = auto()
    TOO_LARGE = auto()
    NOT_NUMBER = auto()
    NOT_STORED = auto()  # there is no item to join to, or it would be too large


class Needs(Enum):
    """What an operation that stores wants to find."""

    ANY = auto()
    ITEM = auto()
    NO_ITEM = auto()


class Change(Enum):
    """What an operation does to the item of its key."""

    NONE = auto()
    STORE = auto()
    REMOVE = auto()
    COUNT = auto()  # stores another number


@dataclass(slots=True)
class Item:
    """What is stored under a key."""

    key: bytes
    value: bytes
    flags: int
    expiry: int  # Unix time, 0 = never
    cas: int
    # A client gave a CAS number when there had been so many flushes: the item is alive until the
    # next one.
    flushes: int | None = field(default=None, compare=False)
    encoded: bool = False  # its key came in base64, and is shown so
    # what meta commands ask for
    fetched: bool = field(default=False, compare=False)  # somebody has read or touched it
    stale: bool = field(default=False, compare=False)
    won: bool = field(default=False, compare=False)  # an `mg` was told to fetch it anew
    period: bool = field(default=False, compare=False)  # in which `time` was written, if fetched
    time: int = field(default=0, compare=False)  # when it was last used


def period_of(time: int) -> bool:
    """The kind of the period in which a time is (wc_item_pkg::period_of): a bit of the
    Rudin-Shapiro sequence, so that uses in any step meet both kinds."""
    number = time >> PERIOD_BITS
    return bool((number & number >> 1).bit_count() % 2)


def too_large(key: bytes, flags: int, length: int, most: int = MAX_ITEM) -> bool:
    """Whether memcached finds an item too large: it counts what it keeps itself."""
    own = structs.constant("ItemBytes") + (structs.constant("ItemFlagBytes") if flags else 0)
    return own + len(key) + length > most


class Index(ABC):
    """Items under keys. `time` is Unix time; whoever owns the index moves it on.

    An item has the time when it was stored, or was read or touched for the second time; then
    that of the first use in a period (`period_of`) of the other kind than the time's own.

    `counters` counts what wc_pkg::index_events_t counts, but for what is stalled and forwarded.
    `made_values`: what makes a value of the one that is there (`count`, `join`) is served; else the
    parser knows no such commands. `meta` and `binary`: so are those protocols.
    """

    made_values = True
    meta = True
    binary = True

    def __init__(self, time: int = 0) -> None:
        self.time = time
        self.item_size_max = MAX_ITEM  # memcached's -I
        self.cas = 0  # the last number given out
        self.counters: Counter[str] = Counter()
        self._flushed_cas = 0  # items up to this number are dead
        self._flushes = 0  # that have taken effect
        self._flush_at: int | None = None  # a flush to come

    def too_large(self, key: bytes, flags: int, length: int) -> bool:
        """Whether an item is larger than the host allows."""
        return too_large(key, flags, length, self.item_size_max)

    # ---- operations ---------------------------------------------------------------------------
    def get(
        self,
        key: bytes,
        *,
        uses: bool = True,
        wins: bool = False,
        recache: int = 0,
        creates: int | None = None,
        given: int | None = None,
    ) -> Item | None:
        """The live item of `key`. It was used, unless not `uses`. An `mg` `wins` a stale item that
        nobody has won, or one that expires before the time `recache`. Without an item one without
        a value may be stored, to expire at `creates`: that is won, and counts as a hit. `given`
        here and below: the CAS number of what is stored or marked, if it is not to be drawn."""
        self.counters["get"] += 1
        item = self.peek(key)
        if uses:
            self._seen(key, item)
        self._mark(key, fetches=uses, wins=wins)
        if item is not None or creates is None:
            self.counters["get_hit"] += item is not None
            self._recache(item, recache)
            return item
        item = Item(key, b"", 0, creates, *self._number(given), won=True, time=self.time)
        item.fetched, item.period = uses, not period_of(self.time)
        if self._change(key, Change.STORE, item) is not Status.OK:
            return None
        self.cas += given is None
        self.counters["get_hit"] += 1
        return item

    def set(
        self,
        key: bytes,
        value: bytes,
        flags: int,
        expiry: int,
        cas: int = 0,
        needs: Needs = Needs.ANY,
        encoded: bool = False,
        *,
        stale: bool = False,
        given: int | None = None,
    ) -> tuple[Status, int]:
        """Stores an item; with `cas` only over the item of that number. Gives the new number. With
        `stale` an item of a higher number is no hindrance, but the new one is stale then, and has
        the time of the one before."""
        self.counters["set"] += 1
        if cas:
            needs = Needs.ITEM
        old = self.peek(key)
        status = self._compare(old, cas, needs)
        item = Item(key, value, flags, expiry, *self._number(given), time=self.time)
        item.encoded = encoded
        if status is Status.EXISTS and stale and old is not None and 0 < cas < old.cas:
            status = Status.OK
            item.expiry, item.stale, item.won = old.expiry, True, old.won
        if cas:
            outcome = "miss" if old is None else "hit" if status is Status.OK else "badval"
            self.counters["cas_" + outcome] += 1
        if status is not Status.OK:
            self._change(key, Change.NONE, None)
            return status, 0
        status = self._change(key, Change.STORE, item)
        if status is not Status.OK:
            return status, 0
        self.cas += given is None
        return status, item.cas

    def delete(self, key: bytes, cas: int = 0) -> Status:
        """Removes the item of `key`; with `cas` only that of this number."""
        self.counters["del"] += 1
        status = self._compare(self.peek(key), cas, Needs.ITEM)
        if status is Status.OK:
            self.counters["del_hit"] += 1
        self._change(key, Change.REMOVE if status is Status.OK else Change.NONE, None)
        return status

    def invalidate(
        self, key: bytes, cas: int = 0, expiry: int | None = None, given: int | None = None
    ) -> Status:
        """The item of `key` is stale from now on, has another number, and may be won anew. With
        `expiry` it has another time. With a number that is given it counts as used now."""
        item = self.peek(key)
        status = self._compare(item, cas, Needs.ITEM)
        if item is None or status is not Status.OK:
            self.counters["del"] += 1
            self._change(key, Change.NONE, None)
            return status
        number, flushes = self._number(given)
        self.cas += given is None
        item.cas, item.stale, item.won = number, True, False
        if given is not None:
            item.flushes, item.time = flushes, self.time
        if expiry is not None:
            item.expiry = expiry
        self._change(key, Change.NONE, None)
        return status

    def clear(
        self,
        key: bytes,
        flags: int,
        expiry: int,
        cas: int = 0,
        encoded: bool = False,
        *,
        stale: bool = False,
        given: int | None = None,
    ) -> Status:
        """An empty item takes the place of that of `key`, whose number it keeps, unless one is
        given. With `stale` it is stale, and has another number."""
        old = self.peek(key)
        status = self._compare(old, cas, Needs.ITEM)
        if old is None or status is not Status.OK:
            self.counters["del"] += 1
            self._change(key, Change.NONE, None)
            return status
        keeps = not stale and given is None
        number = (old.cas, old.flushes) if keeps else self._number(given)
        self.cas += stale and given is None
        item = Item(key, b"", flags, expiry, *number, stale=stale, time=self.time)
        item.encoded = encoded
        self.counters["del"] += not stale
        self.counters["del_hit"] += not stale
        return self._change(key, Change.STORE, item)

    def refuse(self, key: bytes) -> Status:
        """A SET whose item would be too large removes the one that is there."""
        self.counters["error"] += 1
        found = self.peek(key) is not None
        self._change(key, Change.REMOVE if found else Change.NONE, None)
        return Status.TOO_LARGE

    def touch(
        self,
        key: bytes,
        expiry: int,
        *,
        reads: bool = False,
        uses: bool = True,
        wins: bool = False,
        recache: int = 0,
        renewed: bool = False,
    ) -> Item | None:
        """Gives the live item of `key` another expiry. A get and touch reads it, too. `renewed`:
        this expiry is compared with `recache`, not that of before."""
        self.counters["touch"] += 1
        self.counters["get"] += reads
        item = self.peek(key)
        if item is not None:
            self.counters["touch_hit"] += 1
            self.counters["get_hit"] += reads
        if reads and uses:
            self._seen(key, item)
        self._mark(key, fetches=uses, wins=wins)
        self._change(key, Change.NONE, None)
        if not renewed:
            self._recache(item, recache)
        if item is not None:
            item.expiry = expiry
        if renewed:
            self._recache(item, recache)
        return item

    def count(
        self,
        key: bytes,
        delta: int,
        *,
        down: bool = False,
        initial: int | None = None,
        expiry: int = 0,
        cas: int = 0,
        touches: bool = False,
        given: int | None = None,
    ) -> tuple[Status, int, int]:
        """INCR, or with `down` DECR: adds to the number that is the value of `key`. Without an item
        `initial` is stored, if there is one, to expire at `expiry`; with `touches` so is to do an
        item that is there. Gives the number and the item's CAS number.

        A number that gets shorter is padded with spaces. One that gets longer makes another item of
        it to memcached, which forgets that its key came in base64, and touches the item before.
        """
        name = "decr" if down else "incr"
        self.counters[name] += 1
        old = self.peek(key)
        status, number = Status.OK, initial or 0
        if old is not None:
            status, number = self._add(old, -delta if down else delta, cas)
        elif initial is None:
            status = Status.NOT_FOUND
        if status is not Status.OK:
            self._change(key, Change.NONE, None)
            return status, 0, 0
        digits = b"%d" % number
        numbers = self._number(given)
        item = Item(key, digits, 0, expiry, *numbers, time=self.time)
        if old is not None:
            self.counters[name + "_hit"] += 1
            value = digits.ljust(len(old.value))
            item = Item(key, value, old.flags, old.expiry, *numbers, time=self.time)
            if len(value) == len(old.value):  # memcached changes it where it stands
                item.expiry = expiry if touches else old.expiry
                item.encoded = old.encoded
                item.fetched, item.period = old.fetched, old.period
                item.stale, item.won = old.stale, old.won
        status = self._change(key, Change.COUNT, item)
        if status is not Status.OK:
            return status, 0, 0
        self.cas += given is None
        return status, number, item.cas

    def join(
        self,
        key: bytes,
        value: bytes,
        *,
        front: bool = False,
        cas: int = 0,
        given: int | None = None,
    ) -> tuple[Status, int]:
        """APPEND, or with `front` PREPEND: stores another item, whose value is that of the item
        and `value`. Gives the new number."""
        self.counters["set"] += 1
        old = self.peek(key)
        status = self._compare(old, cas, Needs.ITEM)
        number = self._number(given)
        if old is None:
            status = Status.NOT_STORED
        elif status is Status.OK:
            joined = value + old.value if front else old.value + value
            if self._has_room(key, joined) and not self.too_large(key, old.flags, len(joined)):
                item = Item(key, joined, old.flags, old.expiry, *number, time=self.time)
                status = self._change(key, Change.STORE, item)
            else:
                status = Status.NOT_STORED
        if status is not Status.OK:
            self._change(key, Change.NONE, None)
            return status, 0
        self.cas += given is None
        return status, number[0]

    def message(self) -> None:
        """The operations to come are of another message than those before."""
        return

    def flush(self, when: int = 0) -> None:
        """All items there are at Unix time `when` (0: now) are dead from then on.

        There is one flush to come at most: a later command takes the place of an earlier one.
        """
        self.counters["flush"] += 1
        self._settle()
        if when == 0 or when <= self.time:
            self.cas += 1  # memcached draws a number for it
            self._flushed_cas = self.cas
            self._flushes += 1
            self._flush_at = None
        else:
            self._flush_at = when

    def peek(self, key: bytes) -> Item | None:
        """The live item of `key`, without counting."""
        self._settle()
        item = self._find(key)
        return item if item is not None and self._live(item) else None

    # ---- where items stand --------------------------------------------------------------------
    @abstractmethod
    def _seen(self, key: bytes, item: Item | None) -> None:
        """A GET or GAT of `key` found the live item, or none: the index may keep account of it."""

    @abstractmethod
    def _find(self, key: bytes) -> Item | None:
        """The item of `key`, dead or alive."""

    @abstractmethod
    def _change(self, key: bytes, change: Change, item: Item | None) -> Status:
        """What a SET or DELETE of `key` does; `item` is what is to be stored. With Change.NONE it
        was refused, or is a touch, and the index may still tidy up. NO_MEMORY or TOO_LARGE when
        there is no room to store: the old item is gone then."""

    def _has_room(self, key: bytes, joined: bytes) -> bool:
        """Whether an item may have a value that was joined; else the old one stays."""
        return True

    def _tagged(self, key: bytes) -> Item | None:
        """The item whose marks change with a use of `key`, dead or alive."""
        return self._find(key)

    # ---- parts --------------------------------------------------------------------------------
    def _number(self, given: int | None) -> tuple[int, int | None]:
        """The CAS number of what is stored, and what it needs beside one that is given."""
        return (self.cas + 1, None) if given is None else (given, self._flushes)

    def _mark(self, key: bytes, *, fetches: bool, wins: bool) -> None:
        item = self._tagged(key)
        if item is None:
            return
        item.won |= wins and item.stale
        if not fetches:
            return
        period = period_of(self.time)
        if not item.fetched:
            item.fetched, item.period = True, not period
        elif item.period != period:
            item.period = period
            if item is self.peek(key):
                item.time = self.time

    @staticmethod
    def _recache(item: Item | None, time: int) -> None:
        """An item that expires before `time` is won, if it expires. It may have expired by the
        operation itself, long ago."""
        if item is not None and item.expiry and max(item.expiry, 1) < time:
            item.won = True

    @staticmethod
    def _compare(item: Item | None, cas: int, needs: Needs) -> Status:
        if item is None:
            return Status.NOT_FOUND if needs is Needs.ITEM else Status.OK
        return Status.OK if needs is not Needs.NO_ITEM and cas in (0, item.cas) else Status.EXISTS

    @staticmethod
    def _add(item: Item, delta: int, cas: int) -> tuple[Status, int]:
        """The item's number and `delta`: an INCR wraps at 64 bits, a DECR stops at 0."""
        if item.value and cas not in (0, item.cas):
            return Status.EXISTS, 0
        number = None
        if len(item.value) <= LONGEST_NUMBER:
            number = unsigned64(item.value.split(b"\0")[0])
        if number is None:
            return Status.NOT_NUMBER, 0
        return Status.OK, number + delta & MAX_64 if delta >= 0 else max(0, number + delta)

    def _settle(self) -> None:
        """The flush to come takes effect when its time has come."""
        if self._flush_at is not None and self._flush_at <= self.time:
            self._flushed_cas = self.cas
            self._flushes += 1
            self._flush_at = None

    def _live(self, item: Item) -> bool:
        if item.flushes is None:
            flushed = item.cas <= self._flushed_cas
        else:
            flushed = item.flushes != self._flushes
        return not flushed and (item.expiry == 0 or item.expiry > self.time)
