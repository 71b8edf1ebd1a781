# SPDX-License-Identifier: Apache-2.0
"""Reference model of the Bloom filter (hw/bloom): slices of counters, a counter of each a key.

Cho and Choi, section 2: k slices of m cells each, and a hash function a slice. Theirs has bits,
and sets them for ever; a cache forgets keys, so these count, and a counter that is full stays full.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Hash = Any  # one, an int; or many at once, an array of np.uint64

_HALF = 0xFFFFFFFF
EXTRA_BITS = 8  # of a slice's hash, beyond those that number its cells


def turned(half: Hash, bits: int) -> Hash:
    """A number of 32 bits, turned up by `bits`."""
    bits %= 32
    return (half << bits | half >> (32 - bits)) & _HALF if bits else half


def slice_hash(hash_: Hash, number: int) -> Hash:
    """The hash of slice `number`, 32 bits, from a key's hash of 64 (wc_bloom_pkg)."""
    low, high = hash_ & _HALF, hash_ >> 32
    return turned(low, 7 * number) ^ turned(high, 11 * number + 5) ^ turned(high, 13 * number + 17)


def kirsch_mitzenmacher(hash_: Hash, number: int) -> Hash:
    """The same as Kirsch and Mitzenmacher make it, h1 + i * h2 ("Less Hashing, Same Performance",
    2006); with the last bit of h2 set, so that steps are never zero."""
    low, high = hash_ & _HALF, hash_ >> 32
    return (low + (high | 1) * number) & _HALF


def cells_of(
    hash_: Hash,
    slices: int,
    cells: int,
    function: Callable[[Hash, int], Hash] = slice_hash,
) -> list[Hash]:
    """The cell of each slice."""
    bits = (cells - 1).bit_length() + EXTRA_BITS
    return [(function(hash_, i) >> (32 - bits)) * cells >> bits for i in range(slices)]


@dataclass(frozen=True)
class Shape:
    """Of a filter: so many slices of so many cells."""

    slices: int
    cells: int

    @classmethod
    def of(cls, bits: int, positives: float) -> Shape:
        """For `bits` bits in all, and a share of false positives at most: k = log2(1 / P), rounded
        up, and m = bits / k, rounded down, as the paper's Table 1 does it."""
        slices = math.ceil(-math.log2(positives))
        return cls(slices, bits // slices)


def most_keys(bits: int, positives: float) -> int:
    """N: so many keys fill half of the cells (section 2), then `positives` are false."""
    return int(bits * math.log(2) ** 2 / -math.log(positives))


class Bloom:
    """Counters, and what is asked of them."""

    def __init__(self, shape: Shape, counter_bits: int = 4) -> None:
        self.shape = shape
        self.full = (1 << counter_bits) - 1
        self.counters = [[0] * shape.cells for _ in range(shape.slices)]

    def _of(self, hash_: int) -> list[tuple[list[int], int]]:
        places = cells_of(hash_, self.shape.slices, self.shape.cells)
        return list(zip(self.counters, places, strict=True))

    def there(self, hash_: int) -> bool:
        """May a key with this hash be there? Never no if it is."""
        return all(counters[cell] for counters, cell in self._of(hash_))

    def stuck(self, hash_: int) -> bool:
        """Is one of its counters full?"""
        return any(counters[cell] == self.full for counters, cell in self._of(hash_))

    def change(self, hash_: int, by: int) -> None:
        """Adds a key (1), or removes one that was added (-1)."""
        for counters, cell in self._of(hash_):
            if counters[cell] != self.full:
                counters[cell] += by
                assert counters[cell] >= 0, "a key is removed that was not there"
