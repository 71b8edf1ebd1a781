# SPDX-License-Identifier: Apache-2.0
"""Reference model of a cuckoo table whose entries can be moved without reading their keys.

Cho and Choi, section 3: a table in memory has addresses of keys and values, and beside each address
a signature, which is the hash of the key's next candidate location (of the last one: the first's).
So whoever moves an entry knows where to, and can tell from the place it comes from and the one it
goes to what its signature is there.

The paper does not say how the signature behind a move is known, if not from the key. Here the
places of a key are a closed walk: with two they are x and x ^ d, with four x, x ^ d, x ^ d ^ s(d)
and x ^ s(d), where s exchanges bits that are neighbours. The step that leads on from a place is the
place ^ its signature, and the step behind it is s of that; so no entry needs to know which of its
candidates it stands in.

Lines lie in as many banks as a key has places, which can be read at once: the bank is the lowest
bit of a place, with four places the lowest two. Those of a key's d are 1, or 01, so its places are
always in different banks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wirecache.circuit import structs

LINE_ENTRIES = 8  # of 64 bits, in 64 bytes


@dataclass(frozen=True)
class Shape:
    """Of a table: 2^place_bits places of `slots` entries, of which a key may be in `ways`."""

    place_bits: int
    ways: int  # the paper's hash functions
    slots: int  # its cuckoo hash ratio
    signature_bits: int = 17

    def __post_init__(self) -> None:
        assert self.ways in (1, 2, 4) and self.slots in (1, 2, 4, 8)
        assert 2 <= self.place_bits <= self.signature_bits

    @classmethod
    def of(cls, entries: int, ways: int, slots: int, signature_bits: int = 17) -> Shape:
        """A table of so many entries, a power of two."""
        return cls((entries // slots).bit_length() - 1, ways, slots, signature_bits)

    @property
    def entries(self) -> int:
        return self.slots << self.place_bits

    @property
    def candidates(self) -> int:
        return self.ways * self.slots

    def exchanged(self, step: int) -> int:
        """A step with its bits 0 and 1 exchanged, 2 and 3, and so on; one without another stays."""
        pairs = (1 << (self.place_bits & ~1)) - 1
        lower = pairs // 3  # of each pair
        return (step & lower) << 1 | step >> 1 & lower | step & ~pairs

    def first(self, hash_: int) -> tuple[int, int]:
        """The first place of a key, and its signature there: from a hash of 64 bits.

        The signature is the next place, and above it bits of the hash that all its signatures have.
        """
        bits, tail_bits = self.place_bits, self.signature_bits - self.place_bits
        place = hash_ & (1 << bits) - 1
        tail = hash_ >> (64 - tail_bits) if tail_bits else 0
        step = 0
        if self.ways > 1:
            step = hash_ >> 32 & (1 << bits) - 1 | 1
            if self.ways == 4:
                step &= ~2
        return place, tail << bits | place ^ step

    def bank(self, place: int) -> int:
        """Of `ways`: a key has a place in each."""
        return place & self.ways - 1

    def next(self, place: int, signature: int) -> tuple[int, int]:
        """Where an entry goes from its place, and its signature there. What a place has above the
        bits of a walk stays: then the table has regions, and all places of a key are in one."""
        mask = (1 << self.place_bits) - 1
        to = place & ~mask | signature & mask
        step = place ^ to
        if self.ways == 4:
            step = self.exchanged(step)
        return to, signature ^ step

    def places(self, hash_: int) -> Iterator[tuple[int, int]]:
        """All candidates of a key, each with its signature there."""
        place, signature = self.first(hash_)
        for _ in range(self.ways):
            yield place, signature
            place, signature = self.next(place, signature)


MOST_WALK_BITS = structs.constant("wc_cuckoo_pkg::WalkBits")


def shape_of(shift: int, ways: int) -> Shape:
    """Of a region of the circuit's table, which has factor << shift lines."""
    return Shape(min(shift, MOST_WALK_BITS) & ~1, ways, LINE_ENTRIES)


@dataclass
class Entry:
    signature: int
    address: int


class Cuckoo:
    """A table, and how entries come into it: to the emptiest of their places (of these the first),
    else one that is there is put out, and goes on to its next place, where it may put out another.

    Who is put out is whoever stands in the slot that a counter names, which goes on by one each
    time. After `most_moves` the table needs recovery.
    """

    def __init__(self, shape: Shape, most_moves: int = 64) -> None:
        self.shape = shape
        self.most_moves = most_moves
        self.lines: list[list[Entry]] = [[] for _ in range(1 << shape.place_bits)]
        self.turn = 0
        self.count = 0

    def insert(self, hash_: int, address: int) -> int | None:
        """How many entries moved; None if too many would: the last one that was put out is lost."""
        places = list(self.shape.places(hash_))
        place, signature = min(places, key=lambda candidate: len(self.lines[candidate[0]]))
        if len(self.lines[place]) == self.shape.slots:
            place, signature = places[self.turn // self.shape.slots % self.shape.ways]
        entry = Entry(signature, address)
        for moves in range(self.most_moves + 1):
            line = self.lines[place]
            if len(line) < self.shape.slots:
                line.append(entry)
                self.count += 1
                return moves
            slot = self.turn % self.shape.slots
            self.turn += 1
            entry, line[slot] = line[slot], entry
            place, entry.signature = self.shape.next(place, entry.signature)
        return None

    def find(self, hash_: int) -> list[int]:
        """Addresses of what may be the key's: entries in its places with its signature."""
        return [
            entry.address
            for place, signature in self.shape.places(hash_)
            for entry in self.lines[place]
            if entry.signature == signature
        ]

    def remove(self, hash_: int, address: int) -> None:
        for place, signature in self.shape.places(hash_):
            for entry in self.lines[place]:
                if (entry.signature, entry.address) == (signature, address):
                    self.lines[place].remove(entry)
                    self.count -= 1
                    return
        raise AssertionError("an entry is missing")
