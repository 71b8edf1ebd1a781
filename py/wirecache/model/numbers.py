# SPDX-License-Identifier: Apache-2.0
"""Numbers in text, as C's strtoul and strtol read them for memcached."""

from __future__ import annotations

_SPACE = b"\t\n\v\f\r "  # C's isspace
MAX_64 = (1 << 64) - 1


def _digits(token: bytes) -> tuple[bool, int] | None:
    """Sign and magnitude of the number a token starts with, or None when it is none."""
    rest = token.lstrip(_SPACE)
    negative = rest[:1] == b"-"
    if rest[:1] in (b"-", b"+"):
        rest = rest[1:]
    count = len(rest) - len(rest.lstrip(b"0123456789"))
    if count == 0 or (count < len(rest) and rest[count] not in _SPACE):
        return None
    return negative, int(rest[:count])


def unsigned64(token: bytes) -> int | None:
    """memcached's safe_strtoull."""
    number = _digits(token)
    if number is None or number[1] > MAX_64:
        return None
    value = -number[1] & MAX_64 if number[0] else number[1]
    if value >> 63 and b"-" in token:
        return None
    return value


def unsigned32(token: bytes) -> int | None:
    """memcached's safe_strtoul: 64 bits are read, the low 32 are taken."""
    value = unsigned64(token)
    return None if value is None else value & 0xFFFFFFFF


def signed32(token: bytes) -> int | None:
    """memcached's safe_strtol: 64 bits are read, the low 32 are taken."""
    number = _digits(token)
    if number is None:
        return None
    value = -number[1] if number[0] else number[1]
    if not -(1 << 63) <= value < 1 << 63:
        return None
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)
