# SPDX-License-Identifier: Apache-2.0
"""The multiplicative hash function of TRETS'15, after Kernighan and Ritchie, and a second one."""

from __future__ import annotations

MAGIC = 185_369  # the prime next to 2**18 / sqrt(2)
SECOND_MAGIC = 162_011  # the prime next to 2**18 times the golden section

_MASK = 0xFFFFFFFF


def multiplicative(key: bytes, seed: int = 0) -> int:
    """The 64-bit hash of `key`; `seed` is the start value of both halves.

    The upper half is a state of its own. In its last product the upper half of the sum comes in by
    an exclusive or, not an addition.
    """
    state = _sum(key, seed, MAGIC) * MAGIC & _MASK
    second = _sum(key, seed, SECOND_MAGIC)
    below, above = (second & 0xFFFF) * SECOND_MAGIC, (second >> 16) * SECOND_MAGIC
    return ((below ^ above << 16) & _MASK) << 32 | (state & 0xFFFF) << 16 | state >> 16


def _sum(key: bytes, state: int, magic: int) -> int:
    """The state with the last word added, not yet multiplied."""
    padded = key.ljust(-(-len(key) // 8) * 8, b"\0")
    for i in range(0, len(padded), 2):
        word = int.from_bytes(padded[i : i + 2], "little")
        state = (state + word if i == 0 else state * magic + word) & _MASK
    return state
