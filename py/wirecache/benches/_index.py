# SPDX-License-Identifier: Apache-2.0
"""What the index of the configuration at hand takes for an operation at least, when memory is never
waited for: what benches hold their measurements against."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from wirecache.benches import WORD_BYTES

HEADER_LINES = 3  # of a bucket of the bucket index, beside those of the key
DIGITS = 10  # of the numbers that benches count with
_DIGITS_COUNT = 12  # cycles that the digits of a number take, 4 for each 16 bits
_COUNT = 15 + DIGITS  # cycles behind the key, until a number is read and the next one is made


def key_words(size: int) -> int:
    return -(-size // WORD_BYTES)


@dataclass(frozen=True)
class Kind:
    """Cycles by what the index does; each is for a key of so many bytes."""

    name: str
    noop: int

    def cycles(self, op: str, size: int) -> int:
        """`op` is get, set, add, replace, delete, touch, gat, incr or decr."""
        if self.name == "bucket":
            return key_words(size) + HEADER_LINES  # a line each
        words = key_words(size)
        if op in ("incr", "decr"):
            return words + _COUNT
        stores = op in ("set", "add", "replace")
        at_table = 2 if op == "get" else 4
        return max(at_table, words + 3 if stores else words)  # or the writer, or the comparison

    def follows(self, size: int) -> int:
        """Of an incr or decr of the key of the one before."""
        return max(_DIGITS_COUNT, key_words(size))

    @property
    def whole(self) -> bool:
        """Whether it has all commands: incr, decr and meta commands, too."""
        return self.name != "bucket"

    @property
    def evicts(self) -> bool:
        """Whether it makes room when its memory is full."""
        return self.name != "bucket"

    @property
    def waits(self) -> tuple[str, ...]:
        """Counters of what operations do that meet one another. In cycles, but for those of
        operations that see a write which memory may not hold yet: `forward`, `store_forward`."""
        if self.name == "bucket":
            return ("stall", "forward", "store_stall", "store_forward")
        return ("table_held", "table_stall", "room_wait")

    @property
    def formula(self) -> str:
        """Of a GET, with keys of n words."""
        return "n + 3" if self.name == "bucket" else "max(2, n)"


def refused(counters: Mapping[str, int]) -> int:
    """SETs that had no room, on whichever index."""
    return sum(counters.get(name, 0) for name in ("set_full", "set_no_block", "too_large"))


def kind() -> Kind:
    """Of the boards that `--config` says, or `configured`."""
    return _kind(os.environ.get("WIRECACHE_CONFIG", ""))


@cache
def _kind(text: str) -> Kind:
    from wirecache.circuit import config  # slow to import, and only needed here

    return Kind(config.index_of(config.parse(text or config.DEFAULT)), 2)


@contextmanager
def configured(config: str) -> Iterator[None]:
    """Boards of this configuration, whatever was said."""
    before = os.environ.get("WIRECACHE_CONFIG")
    os.environ["WIRECACHE_CONFIG"] = config
    try:
        yield
    finally:
        if before is None:
            del os.environ["WIRECACHE_CONFIG"]
        else:
            os.environ["WIRECACHE_CONFIG"] = before
