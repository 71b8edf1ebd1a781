# SPDX-License-Identifier: Apache-2.0
"""The multiplicative hash function of TRETS'15, after Kernighan and Ritchie."""

from __future__ import annotations

MAGIC = 185_369  # the prime next to 2**18 / sqrt(2)


def multiplicative(key: bytes, seed: int = 0) -> int:
    """The 32-bit hash of `key`; `seed` is the start value."""
    state = seed
    padded = key.ljust(-(-len(key) // 8) * 8, b"\0")
    for i in range(0, len(padded), 2):
        state = (state + int.from_bytes(padded[i : i + 2], "little")) * MAGIC & 0xFFFFFFFF
    return (state >> 16) | (state & 0xFFFF) << 16
