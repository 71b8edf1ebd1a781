# SPDX-License-Identifier: Apache-2.0
"""The hash functions of the index by name; each takes a key and a seed and gives 64 bits.

The lower half finds the bucket; the upper one is another number of the same key. The names are
those of `wc_pkg::hash_e`: lookup3 is HashLookup3.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

from wirecache.model.lookup3 import hashlittle2
from wirecache.model.multiplicative import multiplicative

Function = Callable[[bytes, int], int]

_MASK = 0xFFFFFFFF
_CASTAGNOLI = 0x82F63B78  # polynomial of CRC-32C, bits reversed


def crc(key: bytes, seed: int = 0) -> int:
    """CRC-32 (IEEE 802.3) of `key`, zeros filled up to words of 8 bytes, going on from `seed`;
    above it CRC-32C of the same."""
    padded = key.ljust(-(-len(key) // 8) * 8, b"\0")
    second = ~seed & _MASK
    for byte in padded:
        second = _CRC32C[(second ^ byte) & 0xFF] ^ second >> 8
    return (~second & _MASK) << 32 | zlib.crc32(padded, seed)


def _crc32c_of_byte(state: int) -> int:
    for _ in range(8):
        state = state >> 1 ^ (_CASTAGNOLI if state & 1 else 0)
    return state


_CRC32C = [_crc32c_of_byte(byte) for byte in range(256)]


FUNCTIONS: dict[str, Function] = {
    "lookup3": hashlittle2,
    "multiplicative": multiplicative,
    "crc": crc,
}


def enumerator(name: str) -> str:
    """The name of a function in `wc_pkg::hash_e`."""
    return f"Hash{name.capitalize()}"
