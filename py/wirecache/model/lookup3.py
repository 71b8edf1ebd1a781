# SPDX-License-Identifier: Apache-2.0
"""lookup3: Jenkins' `hashlittle`, the hash of memcached and of the index; also with 64 bits."""

from __future__ import annotations

_MASK = 0xFFFFFFFF


def _rotate(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (32 - bits))) & _MASK


def hashlittle(key: bytes, seed: int = 0) -> int:
    """The 32-bit hash of `key`; `seed` is the start value."""
    return hashlittle2(key, seed) & _MASK


def hashlittle2(key: bytes, seed: int = 0) -> int:
    """A 64-bit hash of `key`: its lower half is `hashlittle`, its upper half comes with it."""
    a = b = c = (0xDEADBEEF + len(key) + seed) & _MASK
    if not key:
        return b << 32 | c
    chunks = [key[i : i + 12].ljust(12, b"\0") for i in range(0, len(key), 12)]
    for chunk in chunks:
        a = (a + int.from_bytes(chunk[0:4], "little")) & _MASK
        b = (b + int.from_bytes(chunk[4:8], "little")) & _MASK
        c = (c + int.from_bytes(chunk[8:12], "little")) & _MASK
        if chunk is not chunks[-1]:
            a, b, c = _mix(a, b, c)
    return _final(a, b, c)


def _mix(a: int, b: int, c: int) -> tuple[int, int, int]:
    for first, second, third in ((4, 6, 8), (16, 19, 4)):
        a = (a - c) & _MASK ^ _rotate(c, first)
        c = (c + b) & _MASK
        b = (b - a) & _MASK ^ _rotate(a, second)
        a = (a + c) & _MASK
        c = (c - b) & _MASK ^ _rotate(b, third)
        b = (b + a) & _MASK
    return a, b, c


def _final(a: int, b: int, c: int) -> int:
    c = ((c ^ b) - _rotate(b, 14)) & _MASK
    a = ((a ^ c) - _rotate(c, 11)) & _MASK
    b = ((b ^ a) - _rotate(a, 25)) & _MASK
    c = ((c ^ b) - _rotate(b, 16)) & _MASK
    a = ((a ^ c) - _rotate(c, 4)) & _MASK
    b = ((b ^ a) - _rotate(a, 14)) & _MASK
    return b << 32 | ((c ^ b) - _rotate(b, 24)) & _MASK
