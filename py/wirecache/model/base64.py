# SPDX-License-Identifier: Apache-2.0
"""Keys in base64, as memcached reads and writes them."""

from __future__ import annotations

from base64 import b64encode

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BITS = {letter: number for number, letter in enumerate(_ALPHABET)} | {ord("="): 0}


def decoded(text: bytes) -> bytes:
    """The bytes that are meant, none if it is wrong.

    memcached passes over what is no letter of the alphabet, and counts the rest, which must make
    groups of four. A `=` is zero wherever it stands. The first group with one is the last that is
    read, and has as many bytes less as it has of them; with three or four of them all is wrong.
    """
    letters = [letter for letter in text if letter in _BITS]
    if len(letters) % 4:
        return b""
    out = b""
    for place in range(0, len(letters), 4):
        group = letters[place : place + 4]
        bits = 0
        for letter in group:
            bits = bits << 6 | _BITS[letter]
        spare = group.count(ord("="))
        if spare > 2:
            return b""
        out += bits.to_bytes(3, "big")[: 3 - spare]
        if spare:
            break
    return out


def encoded(key: bytes) -> bytes:
    return b64encode(key)
