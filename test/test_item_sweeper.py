# SPDX-License-Identifier: Apache-2.0
"""The sweeper of the item index's model, driven by others: what it replays, what it refuses."""

from __future__ import annotations

import random
from typing import Any

import pytest
from wirecache.model.item import ItemIndex
from wirecache.model.log import UNIT_BYTES, Pool, Record
from wirecache.model.sweep import Sweeper
from wirecache.testbench.item_index import FOREVER, MEMORY, audit, name, slot_of


class Recorded(ItemIndex):
    """Notes what its sweeper does."""

    def __init__(self) -> None:
        super().__init__(MEMORY)
        self.steps: list[tuple[Any, ...]] = []

    def _met(self, record: Record, *, dead: bool, may_copy: bool) -> tuple[bool, int | None]:
        found = super()._met(record, dead=dead, may_copy=may_copy)
        self.steps.append((record.address, dead, may_copy, found))
        return found

    def give(self, number: int) -> None:
        super().give(number)
        self.steps.append((number,))


def test_sweeps_can_be_replayed(seed: int) -> None:
    """An index that does not sweep, but is told what was swept, becomes the same."""
    draw = random.Random(seed)
    leader, follower = Recorded(), ItemIndex(MEMORY, sweeps=False)
    sweeper = Sweeper(follower)

    def both(operation: str, *arguments: Any) -> None:
        theirs = getattr(leader, operation)(*arguments)
        for step in leader.steps:
            if len(step) == 1:
                sweeper.give(*step)
            else:
                address, dead, may_copy, found = step
                assert sweeper.met(address, dead=dead, may_copy=may_copy) == found
        leader.steps.clear()
        assert getattr(follower, operation)(*arguments) == theirs

    for number in range(20_000):
        leader.time += draw.random() < 0.01
        follower.time = leader.time
        key = name(min(int(draw.expovariate(0.004)), 2999))
        action = draw.random()
        if action < 0.5:
            both("get", key)
        elif action < 0.98:
            item = leader.peek(key)
            cas = item.cas if item and draw.random() < 0.2 else draw.choice((0, 0, 0, 5))
            expiry = draw.choice((0, 0, leader.time + 20))
            both("set", key, bytes(draw.choice((0, 8, 60, 300))), 0, expiry, cas)
        else:
            both("delete", key)
        if number % 4000 == 3999:  # often enough, and there is time for copies between
            both("flush", draw.choice((0, leader.time + 5)))
    audit(follower)
    assert leader.counters == follower.counters
    assert leader.counters["copy"] > 100


def with_sweeper() -> tuple[ItemIndex, Sweeper, list[Record]]:
    """An index with a few segments, and the records of the oldest: 8 of 64 bytes each."""
    index = ItemIndex(MEMORY, pool=Pool(32, 512), sweeps=False)
    for number in range(30):
        index.set(name(number), bytes(24), 0, FOREVER)
    segment = index.new.oldest()
    assert len(segment.records) == 8
    return index, Sweeper(index), segment.records


def test_a_sweep_by_the_rules() -> None:
    index, sweeper, records = with_sweeper()
    index.get(name(0))
    index.get(name(1))
    index.delete(name(2))
    index.time = 1
    offers = [sweeper.met(r.address, dead=False, may_copy=r is not records[1]) for r in records]
    slot = slot_of(index, name(0))
    assert slot is not None
    assert slot.record is not None
    assert offers[0] == (True, slot.record.address)
    assert offers[1] == (True, None), "it was used, but there was no room"
    assert offers[2] == (False, None)
    assert offers[3] == (True, None)
    ghost = slot_of(index, name(3))
    assert ghost is not None
    assert ghost.record is None
    free = index.pool.free
    sweeper.give(0)
    assert index.pool.free == free + 1


def test_what_a_sweep_must_not_do() -> None:
    index, sweeper, records = with_sweeper()
    first, second, third = records[:3]
    later = index.new.segments[1].records[0]
    with pytest.raises(ValueError, match="not the oldest"):
        sweeper.met(later.address, dead=False, may_copy=False)
    with pytest.raises(ValueError, match="not the oldest"):
        sweeper.give(1)
    with pytest.raises(ValueError, match="was not met"):
        sweeper.give(0)
    with pytest.raises(ValueError, match="next record"):
        Sweeper(index).met(second.address, dead=False, may_copy=False)
    with pytest.raises(ValueError, match="is alive"):
        Sweeper(index).met(first.address, dead=True, may_copy=False)
    sweeper = Sweeper(index)
    sweeper.met(first.address, dead=False, may_copy=False)
    with pytest.raises(ValueError, match="next record"):
        sweeper.met(third.address, dead=False, may_copy=False)
    with pytest.raises(ValueError, match="no record begins"):
        index.met(first.address + UNIT_BYTES, dead=False, may_copy=False)


def test_a_sweep_keeps_a_part_of_a_main_segment() -> None:
    """It may not offer to copy all of it, and begins no other before this one is given back."""
    index, sweeper, records = with_sweeper()
    for _ in range(2):  # the ghosts come back
        for record in records:
            found = sweeper.met(record.address, dead=False, may_copy=False)
            assert found == (True, None)
        sweeper.give(index.new.oldest().number)
        records = index.new.oldest().records
    for number in range(16):
        index.set(name(number), bytes(24), 0, FOREVER)
        index.get(name(number))
    main = index.main
    assert len(main.segments) == 2
    index.set(name(99), bytes(24), 0, FOREVER)
    records = main.oldest().records
    for record in records[:7]:
        _, place = sweeper.met(record.address, dead=False, may_copy=True)
        assert place is not None
    with pytest.raises(ValueError, match="not given back"):
        sweeper.met(index.new.oldest().records[0].address, dead=False, may_copy=False)
    with pytest.raises(ValueError, match="32 bytes left"):
        sweeper.met(records[7].address, dead=False, may_copy=True)


def test_a_copy_leaves_a_segment_free() -> None:
    index, sweeper, records = with_sweeper()
    index.get(name(0))
    for number in range(30, 31 * 8):
        index.set(name(number), bytes(24), 0, FOREVER)
    assert index.pool.free == 1
    with pytest.raises(ValueError, match="last segment"):
        sweeper.met(records[0].address, dead=False, may_copy=True)
