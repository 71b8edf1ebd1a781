# SPDX-License-Identifier: Apache-2.0
"""Numbers of 32 bits that go round: sequence numbers and time stamps (RFC 9293, 3.4)."""

from __future__ import annotations

MASK = (1 << 32) - 1


def add(a: int, b: int) -> int:
    """a + b, modulo 2^32."""
    return (a + b) & MASK


def ahead(a: int, b: int) -> int:
    """How far a is in front of b: -2^31 to 2^31 - 1."""
    return ((a - b + (1 << 31)) & MASK) - (1 << 31)


def before(a: int, b: int) -> bool:
    return ahead(a, b) < 0


def latest(a: int, b: int) -> int:
    return b if before(a, b) else a


def earliest(a: int, b: int) -> int:
    return a if before(a, b) else b
