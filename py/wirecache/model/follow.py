# SPDX-License-Identifier: Apache-2.0
"""The model of the item index, made to do what a circuit did in the order in which it did it.

When a sweep meets a record depends on timing, so a model cannot know. But everything that changes a
bucket passes the circuit's table in one order. Follower is told of this order; it keeps the sweeper
to its rules (wirecache.model.sweep) and says where the circuit and the model differ.

RecordedIndex is an index for the whole appliance that follows the record of a run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from wirecache.circuit import structs
from wirecache.model.index import Item, Status
from wirecache.model.item import ItemIndex
from wirecache.model.item_table import CuckooTable
from wirecache.model.log import UNIT_BYTES, Log, Record
from wirecache.model.sweep import Sweeper

_T = TypeVar("_T")


class DifferenceError(AssertionError):
    """The circuit did what the model would not have done."""


class Follower:
    """`model` has `sweeps=False`. Addresses are the circuit's, in units: it may take other segments
    than the model, but an item's place within its segment is the same."""

    def __init__(self, model: ItemIndex) -> None:
        self.model = model
        self.sweeps = self.copies = 0
        self._sweeper = Sweeper(model)
        self._segment_units = model.pool.size // UNIT_BYTES
        self._met: deque[tuple[int, bool, bool]] = deque()
        self._records: dict[int, Record] = {}  # by the circuit's address
        self._segments: dict[int, int] = {}  # the model's number, by the circuit's
        self._placed: Record | None = None  # that the model has appended last
        for log in (model.new, model.main):
            self._watch(log)

    def met(self, address: int, *, dead: bool, may_copy: bool) -> None:
        """The sweeper met a record; the table will look at it after those before it."""
        self._met.append((address, dead, may_copy))

    def swept(self, *, found: bool, place: int | None) -> None:
        """The table looked at the next of them; `place` is where it is copied to."""
        address, dead, may_copy = self._met.popleft()
        record = self._records.pop(address, None)
        if record is None:
            raise DifferenceError(f"the sweeper met a record at {address}, where none is")
        if dead and not self.model.is_dead(record):
            raise DifferenceError(f"the sweeper took {record} for dead")
        self._placed = None
        wanted, copied = self._sweeper.met(record.address, dead=dead, may_copy=may_copy)
        if (found, place is not None) != (wanted, copied is not None):
            raise DifferenceError(f"{record}: found {found}, copied to {place}")
        self._place(place)
        self.copies += place is not None

    def looked(self, operation: Callable[[], _T], place: int | None) -> _T:
        """The table looked for a user's operation, which the model does now; its item went to
        `place`, if there is one."""
        self._placed = None
        result = operation()
        self._place(place)
        return result

    def gave(self, segment: int) -> None:
        """The sweeper gave a segment back."""
        number = self._segments.pop(segment, None)
        self._sweeper.give(self._middle() if number is None else number)
        self.sweeps += 1

    def _middle(self) -> int:
        """A segment that nobody can tell the number of, as no record begins in it: it is the oldest
        one of its log, and in the middle of an item."""
        for log in (self.model.new, self.model.main):
            if log.segments and not log.segments[0].records:
                return log.segments[0].number
        raise DifferenceError("the circuit gave back a segment that has records")

    def _place(self, place: int | None) -> None:
        placed = self._placed
        if (placed is None) != (place is None):
            raise DifferenceError(f"the model has placed {placed}, the circuit at {place}")
        if placed is None or place is None:
            return
        segment, unit = divmod(place, self._segment_units)
        if placed.address // UNIT_BYTES % self._segment_units != unit:
            raise DifferenceError(f"{placed} is at {place}")
        self._records[place] = placed
        self._segments[segment] = placed.address // self.model.pool.size

    def _watch(self, log: Log) -> None:
        """Each record that the model appends is remembered."""
        append = log.append

        def appended(item: Item, length: int) -> Record:
            self._placed = append(item, length)
            return self._placed

        log.append = appended  # type: ignore[method-assign]


class RecordedIndex(ItemIndex):
    """The item index as the circuit had it in a recorded run. `probes` is the list `item_probe` of
    the record: two words for each cycle in which there was something."""

    def __init__(self, memory: int, probes: Iterable[int] = (), **options: Any) -> None:
        super().__init__(memory, **options, sweeps=False)
        self.follower = Follower(self)
        self._probes: Iterator[dict[str, int]] = iter(())
        self.record(probes)

    def record(self, probes: Iterable[int]) -> None:
        """The record of the run to come."""
        self.finish()
        words = iter(probes)
        pairs = zip(words, words, strict=True)
        self._probes = (
            _unpack((int(high) << 64) | (int(low) & (1 << 64) - 1)) for low, high in pairs
        )

    def get(self, key: bytes, **options: Any) -> Item | None:
        return self._follow(lambda: super(RecordedIndex, self).get(key, **options))

    def set(self, key: bytes, *item: Any, **options: Any) -> tuple[Status, int]:
        return self._follow(lambda: super(RecordedIndex, self).set(key, *item, **options))

    def delete(self, key: bytes, cas: int = 0) -> Status:
        return self._follow(lambda: super(RecordedIndex, self).delete(key, cas))

    def invalidate(self, key: bytes, *how: Any, **options: Any) -> Status:
        return self._follow(lambda: super(RecordedIndex, self).invalidate(key, *how, **options))

    def clear(self, key: bytes, *item: Any, **options: Any) -> Status:
        clear = super().clear
        return self._follow(lambda: clear(key, *item, **options))

    def refuse(self, key: bytes) -> Status:
        return self._follow(lambda: super(RecordedIndex, self).refuse(key))

    def touch(self, key: bytes, expiry: int, **options: Any) -> Item | None:
        return self._follow(lambda: super(RecordedIndex, self).touch(key, expiry, **options))

    def count(self, key: bytes, delta: int, **options: Any) -> tuple[Status, int, int]:
        return self._follow(lambda: super(RecordedIndex, self).count(key, delta, **options))

    def join(self, key: bytes, value: bytes, **options: Any) -> tuple[Status, int]:
        return self._follow(lambda: super(RecordedIndex, self).join(key, value, **options))

    def flush(self, when: int = 0) -> None:
        self._follow(lambda: super(RecordedIndex, self).flush(when))

    def finish(self) -> None:
        """What the sweeper did behind the last operation."""
        if self._next() is not None:
            raise DifferenceError("the circuit has done an operation more")

    def _follow(self, operation: Callable[[], _T]) -> _T:
        looked = self._next()
        if looked is None:
            raise DifferenceError("the circuit has done an operation less")
        return self.follower.looked(operation, looked["place"] if looked["placed"] else None)

    def _next(self) -> dict[str, int] | None:
        """What the table said of the next operation of a user; does what the sweeper did before."""
        follower = self.follower
        for probe in self._probes:
            user = None
            if probe["moved"]:
                assert isinstance(self.table, CuckooTable)
                self.table.move(probe["mover"])
            if probe["looked"]:
                place = probe["place"] if probe["placed"] else None
                if probe["sweeps"]:
                    follower.swept(found=bool(probe["found"]), place=place)
                elif probe["op"] not in _NONE:
                    user = probe
            if probe["met"]:
                follower.met(
                    probe["met_address"], dead=bool(probe["dead"]), may_copy=bool(probe["may_copy"])
                )
            if probe["give"]:
                follower.gave(probe["segment"])
            if user is not None:
                return user
        return None


_NONE = [structs.enum("op_e")[name] for name in ("OpNone", "OpHost")]  # nothing for the index
_FIELDS = {
    name: structs.place("wc_item_pkg::item_probe_t", name)
    for name in structs.field_names("wc_item_pkg::item_probe_t")
}


def _unpack(word: int) -> dict[str, int]:
    return {name: word >> low & (1 << bits) - 1 for name, (low, bits) in _FIELDS.items()}
