# SPDX-License-Identifier: Apache-2.0
"""The rules of sweeping, for a sweeper that is not the index's own: the circuit's.

It empties one segment at a time, the oldest of a log, and tells of all records in it, in order. It
calls no record dead that is alive. Of a main segment it offers to copy a part only, and a copy
leaves a segment free, so that there will be room for the next sweep. Which log it sweeps and when
is its own affair, as is not to copy what it might.
"""

from __future__ import annotations

from collections import deque

from wirecache.model.item import ItemIndex
from wirecache.model.log import Log, Record, Segment


class Sweeper:
    """`met` and `give` of `index`, which has `sweeps=False`, for who keeps to the rules."""

    def __init__(self, index: ItemIndex) -> None:
        self._index = index
        self._segment: Segment | None = None  # that is being swept
        self._to_come: deque[Record] = deque()
        self._left = 0  # bytes of it that may be copied

    def met(self, address: int, *, dead: bool, may_copy: bool) -> tuple[bool, int | None]:
        """What the table does with the record at `address`."""
        index = self._index
        self._begin(*index.oldest(address // index.pool.size))
        wanted = self._to_come.popleft() if self._to_come else None
        if wanted is None or wanted.address != address:
            raise ValueError(f"the next record is {wanted}, not that at {address}")
        if dead and not index.is_dead(wanted):
            raise ValueError(f"{wanted} is alive")
        if may_copy and wanted.length > self._left:
            raise ValueError(f"there are {self._left} bytes left to copy, too few for {wanted}")
        found, place = index.met(address, dead=dead, may_copy=may_copy)
        if place is not None:
            self._left -= wanted.length
            if not index.pool.free:
                raise ValueError(f"the copy of {wanted} took the last segment")
        return found, place

    def give(self, number: int) -> None:
        """The segment is free."""
        self._begin(*self._index.oldest(number))
        if self._to_come:
            raise ValueError(f"{self._to_come[0]} was not met")
        self._index.give(number)
        self._segment = None

    def _begin(self, log: Log, segment: Segment) -> None:
        """The sweep of `segment`, unless it is under way."""
        if self._segment is segment:
            return
        if self._segment is not None:
            raise ValueError(f"segment {self._segment.number} was not given back")
        self._segment = segment
        self._to_come = deque(segment.records)
        self._left = self._index.most_copied(log)
