# SPDX-License-Identifier: Apache-2.0
"""The model of the item index: what it forgets, what it must never answer, where items stand."""

from __future__ import annotations

import random

import pytest
from wirecache.model import item as model
from wirecache.model.index import Item, Status
from wirecache.model.item import LOW, ItemIndex
from wirecache.model.log import HEADER_BYTES, LINE_BYTES, UNIT_BYTES, Log, Pool, item_bytes
from wirecache.model.lookup3 import hashlittle2

MEMORY = 1 << 16
FOREVER = 0


def name(number: int) -> bytes:
    return b"%08d" % number


def audit(index: ItemIndex) -> int:
    """Holds slots and logs against each other; gives the number of items."""
    records = {log: {id(r) for s in log.segments for r in s.records} for log in logs(index)}
    pointed = set()
    for number, bucket in index.table.items():
        assert len(bucket) == model.SLOTS
        tags = [slot.tag for slot in bucket if slot]
        assert len(tags) == len(set(tags)), "a tag stands in a bucket once"
        for slot in bucket:
            if slot is None or slot.item is None:
                continue
            assert slot.record is not None
            assert slot.log is not None
            assert slot.record.key == slot.item.key
            assert (index._hash(slot.item.key) % 2**32) * index.buckets >> 32 == number
            assert id(slot.record) in records[slot.log], "points into nothing"
            pointed.add(id(slot.record))
    used = [segment.number for log in logs(index) for segment in log.segments]
    assert sorted(used + list(index.pool._free)) == list(range(index.pool.count))
    for log in logs(index):
        over = 0  # bytes of the item that began in the segment before
        for segment in log.segments:
            at = segment.number * index.pool.size + over
            over = 0
            for record in segment.records:
                assert record.address >= at, "records lie one behind the other"
                at = record.address + record.length
                if record.length <= LINE_BYTES:
                    assert record.address % LINE_BYTES + record.length <= LINE_BYTES
                over = at - (segment.number + 1) * index.pool.size
            over = max(0, over)
            while over > index.pool.size:
                over -= index.pool.size  # a segment without a record
    return len(pointed)


def logs(index: ItemIndex) -> tuple[Log, Log]:
    return index.new, index.main


def test_nothing_stale(seed: int) -> None:
    """Whatever is forgotten: what is answered is what was stored last, and is not dead."""
    draw = random.Random(seed)
    index = ItemIndex(MEMORY)
    truth: dict[bytes, Item] = {}
    hits = 0
    for step in range(30_000):
        index.time += draw.random() < 0.01
        key = name(min(int(draw.expovariate(0.004)), 2999))
        action = draw.random()
        if action < 0.5:
            found = index.get(key)
            if found is not None:
                assert found == truth[key]
                assert found.expiry == 0 or found.expiry > index.time
                hits += 1
        elif action < 0.97:
            value = draw.randbytes(draw.choice((0, 8, 60, 300)))
            expiry = draw.choice((0, 0, 0, index.time + 20))
            cas = draw.choice((0, 0, 0, truth[key].cas if key in truth else 7, 5))
            status, number = index.set(key, value, step, expiry, cas)
            if status is Status.OK:
                assert cas in (0, truth[key].cas if key in truth else 0)
                truth[key] = Item(key, value, step, expiry, number)
            else:
                assert cas != 0, "only a comparison refuses"
        elif action < 0.9995:
            if index.delete(key) is Status.OK:
                del truth[key]
            assert index.peek(key) is None
        else:
            index.flush()
            truth.clear()
        if step % 1000 == 0:
            audit(index)
    assert hits > 3000
    for event in ("evict_new", "evict_main", "promote", "copy"):
        assert index.counters[event] > 100, (event, index.counters)


def test_all_memory_is_used() -> None:
    """New keys only: the memory fills before anything is forgotten, and stays full."""
    index = ItemIndex(1 << 20)
    length = item_bytes(16, 60)
    most = index.pool.count * index.pool.size // length
    for number in range(3 * most):
        assert index.set(b"%016d" % number, bytes(60), 0, FOREVER)[0] is Status.OK
        if number == int(0.9 * most):
            assert audit(index) > 0.98 * number, "only full buckets forget so early"
    assert audit(index) > 0.92 * most
    newest = range(number - 500, number + 1)
    assert sum(index.peek(b"%016d" % n) is not None for n in newest) > 490


def test_what_is_used_outlives_a_scan() -> None:
    index = ItemIndex(MEMORY)
    hot = [name(n) for n in range(60)]
    for key in hot:
        index.set(key, bytes(40), 0, FOREVER)
    for number in range(20_000):
        if number % 20 == 0:
            for key in hot:
                index.get(key)
        index.set(b"scan%d" % number, bytes(40), 0, FOREVER)
    assert sum(index.peek(key) is not None for key in hot) == len(hot)


def fill(index: ItemIndex) -> None:
    """New items until the sweeper has begun."""
    number = 0
    while not index.counters["sweep_new"]:
        index.set(b"fill%d" % number, bytes(40), 0, FOREVER)
        number += 1


def push_out(index: ItemIndex, *keys: bytes) -> None:
    """New items until the sweeper has met the items of the keys."""
    records = {slot.record for slot in (slot_of(index, key) for key in keys) if slot}
    assert None not in records
    number = 0
    while records & {record for s in index.new.segments for record in s.records}:
        index.set(b"out%d" % number, bytes(40), 0, FOREVER)
        number += 1


def slot_of(index: ItemIndex, key: bytes) -> model.Slot | None:
    bucket, tag = index._bucket(key)
    return next((slot for slot in bucket if slot and slot.tag == tag), None)


@pytest.mark.parametrize("used", [False, True])
def test_new_log(*, used: bool) -> None:
    """An item that was used goes on to the main log; another leaves a ghost, which brings its key
    to the main log when it comes back."""
    index = ItemIndex(MEMORY)
    index.set(b"key", bytes(40), 0, FOREVER)
    slot = slot_of(index, b"key")
    assert slot is not None
    assert slot.log is index.new
    if used:
        index.get(b"key")
    push_out(index, b"key")
    slot = slot_of(index, b"key")
    assert slot is not None
    if used:
        assert slot.log is index.main
        return
    assert slot.item is None
    assert index.peek(b"key") is None
    index.set(b"key", bytes(40), 0, FOREVER)
    slot = slot_of(index, b"key")
    assert slot is not None
    assert slot.log is index.main


@pytest.mark.parametrize("used", [False, True])
def test_a_dead_item_is_dropped_where_it_is_met(*, used: bool) -> None:
    """By a GET and by the sweeper; it leaves no ghost and is not copied."""
    index = ItemIndex(MEMORY)
    for key in (b"got", b"swept"):
        index.set(key, bytes(40), 0, 100)
        if used:
            index.get(key)
    index.time = 100
    assert index.get(b"got") is None
    assert slot_of(index, b"got") is None
    assert slot_of(index, b"swept") is not None
    push_out(index, b"swept")
    assert slot_of(index, b"swept") is None
    assert index.counters["promote"] == 0


def test_the_oldest_ghost_gives_way() -> None:
    def apart(key: bytes) -> int:
        """Keys with a k have the last bucket to themselves."""
        return hashlittle2(key) | LOW if key[:1] == b"k" else hashlittle2(key) & ~(1 << 31)

    index = ItemIndex(MEMORY, hash_function=apart)
    keys = [b"k%d" % n for n in range(model.SLOTS + 1)]
    for key in keys[:-1]:
        index.set(key, bytes(40), 0, FOREVER)
    push_out(index, *keys[:-1])
    ghosts = [slot_of(index, key) for key in keys[:-1]]
    assert all(slot is not None and slot.item is None for slot in ghosts)
    index.set(keys[-1], bytes(40), 0, FOREVER)
    assert [slot_of(index, key) is None for key in keys] == [True, *(model.SLOTS * [False])]


def test_making_room_takes_a_bounded_time() -> None:
    """However often all items were used: each sweep of a main segment frees an eighth of it."""
    index = ItemIndex(1 << 18)
    kept = [name(number) for number in range(1200)]
    for key in kept:
        index.set(key, bytes(40), 0, FOREVER)
        index.get(key)
    push_out(index, *kept)
    for key in kept * model.MOST_USES:
        index.get(key)
    ghosts = [b"out%d" % number for number in range(3000)]
    before = index.counters.copy()
    for key in ghosts:  # they come back, to the main log
        index.set(key, bytes(40), 0, FOREVER)
    after = index.counters - before
    copied = after["copy"] * item_bytes(8, 40)
    assert after["sweep_main"] > 10
    assert after["evict_main"] > 0
    assert 0 < copied <= model.COPIED * index.pool.size * after["sweep_main"]


def test_uses_are_used_up() -> None:
    """What nobody asks for any more leaves the main log, however often it was used before."""
    index = ItemIndex(MEMORY)
    kept = [name(number) for number in range(200)]
    for key in kept:
        index.set(key, bytes(40), 0, FOREVER)
        for _ in range(model.MOST_USES + 1):
            index.get(key)
    push_out(index, *kept)
    assert sum(index.peek(key) is not None for key in kept) > 190
    turns = index.counters["sweep_main"] + (model.MOST_USES + 1) * index.pool.count
    number = 0
    while index.counters["sweep_main"] < turns:  # new items, each used once
        key = b"out%d" % number
        index.set(key, bytes(40), 0, FOREVER)
        index.get(key)
        number += 1
    assert not any(index.peek(key) for key in kept)


def test_a_full_bucket_forgets_the_least_used_and_of_these_the_oldest() -> None:
    index = ItemIndex(MEMORY, buckets=16, hash_function=lambda key: int(key[1:]) << 44)
    keys = [name(n) for n in range(model.SLOTS + 2)]
    for key in keys[: model.SLOTS]:
        index.set(key, b"", 0, FOREVER)
    for key in (keys[0], keys[2], keys[3]):
        index.get(key)
    index.set(keys[8], b"", 0, FOREVER)
    index.set(keys[9], b"", 0, FOREVER)
    gone = [n for n, key in enumerate(keys) if index.peek(key) is None]
    assert gone == [1, 4]
    assert index.counters["evict_bucket"] == 2


def test_another_key_with_the_same_tag_takes_the_slot() -> None:
    index = ItemIndex(MEMORY, hash_function=lambda _: 5)
    index.set(b"one", b"1", 0, FOREVER)
    assert index.get(b"two") is None
    assert index.delete(b"two") is Status.NOT_FOUND
    assert index.set(b"two", b"2", 0, FOREVER, cas=1)[0] is Status.NOT_FOUND
    assert index.get(b"one") is not None
    index.set(b"two", b"2", 0, FOREVER)
    assert index.get(b"one") is None
    assert index.counters["alias"] == 1


def test_too_large() -> None:
    """The limit is a part of all segments; what was there is gone, as in memcached."""
    index = ItemIndex(MEMORY)
    most = index.largest // UNIT_BYTES * UNIT_BYTES - HEADER_BYTES - 8
    key = name(0)
    index.set(key, b"1", 0, FOREVER)
    assert index.set(key, bytes(most), 0, FOREVER)[0] is Status.OK
    assert index.set(key, bytes(most + 1), 0, FOREVER)[0] is Status.NO_MEMORY
    assert index.peek(key) is None


@pytest.mark.parametrize("used", [False, True])
@pytest.mark.parametrize("segments", [model.FEWEST_SEGMENTS, 256])
def test_only_the_largest_items(segments: int, *, used: bool) -> None:
    """They go over many segments; there is room for each, used or not."""
    index = ItemIndex(MEMORY, segments=segments)
    most = index.largest // UNIT_BYTES * UNIT_BYTES - HEADER_BYTES - 8
    for number in range(100):
        key = name(number)
        assert index.set(key, bytes(most), 0, FOREVER)[0] is Status.OK
        for _ in range(used * model.MOST_USES):
            assert index.get(key) is not None
        assert audit(index) > min(number, 9)


@pytest.mark.parametrize(("count", "size"), [(0, 64), (4, 0), (4, 100)])
def test_pools_that_cannot_be(count: int, size: int) -> None:
    with pytest.raises(ValueError, match="whole lines"):
        Pool(count, size)


@pytest.mark.parametrize(("memory", "segments"), [(4096, 256), (MEMORY, 31)])
def test_memories_that_are_too_small(memory: int, segments: int) -> None:
    with pytest.raises(ValueError, match="too small"):
        ItemIndex(memory, segments=segments)
