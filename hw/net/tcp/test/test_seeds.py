# SPDX-License-Identifier: Apache-2.0
"""Peers whose ports or addresses count up find room in the table of connections with seeds as the
host draws them; wc_tcp_lookup in words. With any seed, and a hash that is linear, some do not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
import seeds
from wirecache.testbench.bench import full

SLOTS, TAG_BITS = 4, 7
MIXED = ((3, 8), (5, 11), (1, 7))


def left(bits: int, by: int, width: int) -> int:
    return (bits << by | bits >> width - by) & (1 << width) - 1


def places(peer: int, seed: int, connections: int, linear: bool) -> tuple[int, int]:
    """The peer's buckets."""
    bits = (connections // 2).bit_length() - 1
    width = 2 * bits + TAG_BITS
    mixed = 0
    for i in range(48):
        if peer >> i & 1:
            mixed ^= seed >> i & (1 << width) - 1
    for one, other in () if linear else MIXED:
        mixed ^= left(mixed, one, width) & left(mixed, other, width)
    return mixed & (1 << bits) - 1, mixed >> bits & (1 << bits) - 1


def peers(connections: int, first: int) -> Iterator[list[int]]:
    """Ports that count up, addresses that do, and both; as they stand in a frame."""
    port = [32768 + n for n in range(connections)]
    yield [first >> 16 << 16 | (n & 255) << 8 | n >> 8 for n in port]
    yield [first & 0xFFFF_0000_FFFF | n << 16 for n in range(connections)]
    yield [first & 0x00FF_FFFF_0000 | n % 16 << 40 | 40000 + n // 16 for n in range(connections)]


def fits(found: list[int], seed: int, linear: bool) -> bool:
    """Whether all have room."""
    held: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for peer in found:
        at = places(peer, seed, len(found), linear)
        table = int(held[1][at[1]] < held[0][at[0]])
        held[table][at[table]] += 1
        if held[table][at[table]] > SLOTS:
            return False
    return True


@pytest.mark.parametrize(
    ("connections", "count"), [(64, 500), (1024, 20), full(64, 10_000), full(1024, 2000)]
)
def test_all_have_room(connections: int, count: int) -> None:
    """The same sample each time: no hash has room for all with every seed."""
    draw = random.Random(1)
    failed = Counter({True: 0, False: 0})
    for _ in range(count):
        first = draw.getrandbits(48)
        for linear, seed in ((False, seeds.draw(draw)), (True, draw.getrandbits(80))):
            failed[linear] += not all(
                fits(found, seed, linear) for found in peers(connections, first)
            )
    print(f"seeds without room: {failed[True]} of {count}, linear; {failed[False]} of {count}")
    assert not failed[False]
