# SPDX-License-Identifier: Apache-2.0
"""The cuckoo table's model: entries that move are found at every step, and the program of the bench
fills tables as the model does."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from wirecache.benches import Options
from wirecache.benches import cuckoo as bench
from wirecache.model.cuckoo import Cuckoo, Shape

SEED = int(os.environ.get("WIRECACHE_SEED", random.randrange(1 << 31)))
MASK = (1 << 64) - 1
SHAPES = [(ways, slots) for ways in (1, 2, 4) for slots in (1, 2, 4, 8)]


def splitmix(state: int) -> Iterator[int]:
    """As cuckoo_fill.cc draws its keys."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        x = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & MASK
        x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
        yield x ^ x >> 31


@pytest.mark.parametrize(("ways", "slots"), SHAPES)
@pytest.mark.parametrize("bits", range(3, 18))
def test_places(ways: int, slots: int, bits: int) -> None:
    """A key has a place in each bank, and an entry leads from any of them to all."""
    draw = random.Random(SEED)
    shape = Shape(bits, ways, slots)
    for _ in range(200):
        places = list(shape.places(draw.getrandbits(64)))
        assert {shape.bank(place) for place, _ in places} == set(range(ways))
        for number, at in enumerate(places):
            assert shape.next(*at) == places[(number + 1) % ways]
            assert at[1] & (1 << bits) - 1 == places[(number + 1) % ways][0]


@pytest.mark.parametrize(("ways", "slots"), SHAPES)
def test_nothing_is_lost(ways: int, slots: int) -> None:
    """Keys come and go, with as many moves as that takes; all that are there are found."""
    print(f"WIRECACHE_SEED={SEED}")
    draw = random.Random(SEED)
    shape = Shape.of(256, ways, slots)
    table = Cuckoo(shape)
    # So full that entries have to move.
    full = 250 if shape.candidates >= 16 else 200 if shape.candidates >= 8 else 20 * slots * ways**2
    there: dict[int, int] = {}  # address: hash
    moved = 0
    for address in range(3000):
        if len(there) >= full:
            gone = draw.choice(list(there))
            table.remove(there.pop(gone), gone)
        hash_ = draw.getrandbits(64)
        moves = table.insert(hash_, address)
        if moves is None:  # the one that was put out last is lost
            left = {entry.address for line in table.lines for entry in line}
            lost = ({*there, address} - left).pop()
            there[address] = hash_
            del there[lost]
        else:
            moved += moves
            there[address] = hash_
        if address % 50 == 0:
            assert all(address in table.find(hash_) for address, hash_ in there.items())
    assert table.count == len(there)
    assert moved or ways == 1


@pytest.mark.parametrize(("ways", "slots"), SHAPES)
def test_bench_fills_as_the_model(ways: int, slots: int) -> None:
    """The same keys: so many fit, with so many moves."""
    entries = 512
    found = bench.fill(entries, ways, slots, 3, seed=SEED)
    keys = splitmix(SEED)
    moves = 0
    for filled in found["filled"]:
        table = Cuckoo(Shape.of(entries, ways, slots), bench.MOST_MOVES)
        while table.count < entries:
            took = table.insert(next(keys), 0)
            if took is None:
                break
            moves += took
        assert table.count == filled
    assert moves == sum(percent[1] for percent in found["percents"])
    assert sum(found["filled"]) == sum(percent[0] for percent in found["percents"])


def test_quick_bench() -> None:
    """Fuller with more candidates; with 32 at least as full as the paper's."""
    result = bench.run(Options(quick=True))
    points = [p for p in result.data["points"] if p["ways"] == 4]
    for entries in {p["entries"] for p in points}:
        fills = [p["mean"] for p in points if p["entries"] == entries]
        assert fills == sorted(fills)
        assert min(p["least"] for p in points if p["slots"] == 8) > bench.PAPER_FILL
