# SPDX-License-Identifier: Apache-2.0
"""Seeds of wc_tcp_lookup as the host draws them (host/tcp_seed.h)."""

from __future__ import annotations

import random

ROWS, COLUMNS = 8, 17


def _rank(rows: list[int]) -> int:
    """Of a matrix of bits."""
    found = 0
    while rows:
        row = rows.pop()
        if row:
            found += 1
            rows = [other ^ row if other & row & -row else other for other in rows]
    return found


def spreads(seed: int) -> bool:
    """Whether eight neighbouring bits of a peer make 256 hashes that differ."""
    rows = [seed >> i & (1 << COLUMNS) - 1 for i in range(48)]
    return all(_rank(rows[i : i + ROWS]) == ROWS for i in range(48 - ROWS + 1))


def draw(bits: random.Random | None = None) -> int:
    bits = bits or random.Random(random.getrandbits(64))
    while not spreads(seed := bits.getrandbits(80)):
        pass
    return seed
