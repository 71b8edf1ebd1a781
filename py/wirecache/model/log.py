# SPDX-License-Identifier: Apache-2.0
"""Logs of items: memory in segments, written at a log's head and swept at its tail.

Of what is written only an item's times and marks change in place. A log is a chain of segments; an
item that does not end in its segment goes on in the next one of the chain. A segment is swept as a
whole and goes back to the pool, from which any log takes its next one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from dataclasses import dataclass, field
from operator import attrgetter

from wirecache.circuit import structs
from wirecache.model.index import Item

LINE_BYTES = 64
UNIT_BYTES = 16  # addresses count these in the circuit, and bytes here
WORD_BYTES = 8
# Of an item: lengths, flags, expiry, CAS, time of last use, the hash that leads back to its slot.
HEADER_BYTES = WORD_BYTES * structs.constant("wc_log_pkg::HeaderWords")


def item_bytes(key_bytes: int, value_bytes: int) -> int:
    """What an item takes of the log: header, key in whole words and value, in whole units."""
    key_words = -(-key_bytes // WORD_BYTES)
    length = HEADER_BYTES + key_words * WORD_BYTES + value_bytes
    return -(-length // UNIT_BYTES) * UNIT_BYTES


@dataclass(eq=False, slots=True)
class Record:
    """An item as it stands in a log; `address` is in bytes. Of two records with one address the
    older is dead, so records are told apart by what they are, not by what they hold."""

    item: Item
    address: int
    length: int


@dataclass(eq=False, slots=True)
class Segment:
    """The records that begin in it, in order."""

    number: int
    records: list[Record] = field(default_factory=list)

    def find(self, address: int) -> Record:
        """The record that begins at `address`."""
        at = bisect_left(self.records, address, key=attrgetter("address"))
        if at == len(self.records) or self.records[at].address != address:
            raise ValueError(f"no record begins at {address}")
        return self.records[at]


class Pool:
    """`count` segments of `size` bytes, segment 0 at address 0; those that are free come in the
    order they became so."""

    def __init__(self, count: int, size: int) -> None:
        if count < 1 or size < LINE_BYTES or size & (size - 1):
            raise ValueError("a segment has a power of two of bytes, a line or more")
        self.count = count
        self.size = size
        self._free = deque(range(count))

    @property
    def free(self) -> int:
        """How many segments are free."""
        return len(self._free)

    def take(self) -> Segment:
        return Segment(self._free.popleft())

    def give(self, segment: Segment) -> None:
        self._free.append(segment.number)

    def span(self, length: int) -> int:
        """How many segments an item may need that are not there yet."""
        return -(-length // self.size)


class Log:
    """A chain of segments out of a pool."""

    def __init__(self, pool: Pool, main: bool = False) -> None:
        self.main = main  # which of the index's two
        self.segments: deque[Segment] = deque()  # oldest first
        self._pool = pool
        self._at = pool.size  # of the head, in the youngest segment

    def append(self, item: Item, length: int) -> Record:
        """Writes an item at the head. One that fits a line lies in one line. The header of any
        other lies in one segment: it does not begin in the last unit of one."""
        left = LINE_BYTES - self._at % LINE_BYTES  # of the line
        if left < length <= LINE_BYTES or self._pool.size - self._at == UNIT_BYTES:
            self._at += left
        if self._at == self._pool.size:
            self._next()
        segment = self.segments[-1]
        record = Record(item, segment.number * self._pool.size + self._at, length)
        segment.records.append(record)
        self._at += length
        while self._at > self._pool.size:
            rest = self._at - self._pool.size
            self._next()
            self._at = rest
        return record

    def oldest(self) -> Segment:
        """The oldest segment of the chain. The one that is being written is not swept."""
        if len(self.segments) < 2:
            raise ValueError("a log is swept behind its head")
        return self.segments[0]

    def drop(self) -> None:
        """The oldest segment goes back to the pool."""
        self._pool.give(self.oldest())
        self.segments.popleft()

    def _next(self) -> None:
        self.segments.append(self._pool.take())
        self._at = 0
