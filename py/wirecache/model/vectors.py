# SPDX-License-Identifier: Apache-2.0
"""The lower halves of hashes of millions of keys at once, with numpy; `hashing` has whole ones."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from wirecache.model import multiplicative

Words = NDArray[np.uint32]
_U32 = np.uint32


def hash_keys(name: str, keys: Sequence[bytes], seed: int = 0) -> Words:
    """The lower halves of the hashes of `keys` under the function `name` (`hashing.FUNCTIONS`)."""
    hashes = np.zeros(len(keys), _U32)
    lengths = np.fromiter(map(len, keys), np.int64, len(keys))
    for length in np.unique(lengths):
        where = np.flatnonzero(lengths == length)
        padded = -(-int(length) // 24) * 24  # whole words of 8 bytes and whole chunks of 12
        joined = b"".join([keys[int(i)].ljust(padded, b"\0") for i in where])
        numbers = np.frombuffer(joined, "<u4").reshape(len(where), padded // 4)
        hashes[where] = _FUNCTIONS[name](numbers, int(length), seed)
    return hashes


def _rotate(word: Words, bits: int) -> Words:
    return (word << _U32(bits)) | (word >> _U32(32 - bits))


def _lookup3(numbers: Words, length: int, seed: int) -> Words:
    start = np.full(len(numbers), (0xDEADBEEF + length + seed) & 0xFFFFFFFF, _U32)
    a, b, c = start, start.copy(), start.copy()
    chunks = -(-length // 12)
    for chunk in range(chunks):
        a = a + numbers[:, 3 * chunk]
        b = b + numbers[:, 3 * chunk + 1]
        c = c + numbers[:, 3 * chunk + 2]
        if chunk + 1 == chunks:
            break
        for distance in (4, 6, 8, 16, 19, 4):  # a, b, c turn by one place a step
            a, b, c = b, c + b, (a - c) ^ _rotate(c, distance)
    for distance in (14, 11, 25, 16, 4, 14, 24):  # and here c, a, b do
        c, a, b = a, b, (c ^ b) - _rotate(b, distance)
    return b


def _multiplicative(numbers: Words, length: int, seed: int) -> Words:
    state = np.full(len(numbers), seed, _U32)
    for number in range(2 * -(-length // 8)):
        for half in (numbers[:, number] & _U32(0xFFFF), numbers[:, number] >> _U32(16)):
            state = (state + half) * _U32(multiplicative.MAGIC)
    return _rotate(state, 16)


def _crc(numbers: Words, length: int, seed: int) -> Words:
    table = np.array([zlib.crc32(bytes([i]), 0xFFFFFFFF) ^ 0xFFFFFFFF for i in range(256)], _U32)
    state = np.full(len(numbers), ~seed & 0xFFFFFFFF, _U32)
    data = np.ascontiguousarray(numbers).view(np.uint8)
    for i in range(8 * -(-length // 8)):
        state = table[(state ^ data[:, i]) & _U32(0xFF)] ^ (state >> _U32(8))
    return ~state


_FUNCTIONS: dict[str, Callable[[Words, int, int], Words]] = {
    "lookup3": _lookup3,
    "multiplicative": _multiplicative,
    "crc": _crc,
}
