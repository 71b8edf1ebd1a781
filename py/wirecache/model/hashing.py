# SPDX-License-Identifier: Apache-2.0
"""The hash functions of the index by name; each takes a key and a seed and gives 32 bits.

The names are those of `wc_pkg::hash_e`: lookup3 is HashLookup3.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

from wirecache.model.lookup3 import hashlittle
from wirecache.model.multiplicative import multiplicative

Function = Callable[[bytes, int], int]


def crc(key: bytes, seed: int = 0) -> int:
    """CRC-32 (IEEE 802.3) of `key`, zeros filled up to words of 8 bytes, going on from `seed`."""
    return zlib.crc32(key.ljust(-(-len(key) // 8) * 8, b"\0"), seed)


FUNCTIONS: dict[str, Function] = {
    "lookup3": hashlittle,
    "multiplicative": multiplicative,
    "crc": crc,
}


def enumerator(name: str) -> str:
    """The name of a function in `wc_pkg::hash_e`."""
    return f"Hash{name.capitalize()}"
