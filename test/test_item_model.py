# SPDX-License-Identifier: Apache-2.0
"""The model of the item index: what it forgets, what it must never answer, where items stand."""

from __future__ import annotations

import random

import pytest
from wirecache.model import item as model
from wirecache.model import item_table
from wirecache.model.index import Item, Status
from wirecache.model.item import ItemIndex
from wirecache.model.item_table import LOW
from wirecache.model.log import (
    HEADER_BYTES,
    UNIT_BYTES,
    Log,
    Pool,
    Record,
    item_bytes,
)
from wirecache.model.lookup3 import hashlittle2
from wirecache.testbench.item_index import FOREVER, MEMORY, audit, logs, name, slot_of


def test_nothing_stale(seed: int) -> None:
    """Whatever is forgotten: what is answered is what was stored last, and is not dead."""
    draw = random.Random(seed)
    index = ItemIndex(MEMORY)
    truth: dict[bytes, Item] = {}
    hits = 0
    for step in range(60_000):  # flushes are random, and leave little to evict
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
    length = item_bytes(16, 88)
    most = index.pool.count * index.pool.size // length
    for number in range(3 * most):
        assert index.set(b"%016d" % number, bytes(88), 0, FOREVER)[0] is Status.OK
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
    assert slot.record is None
    assert index.peek(b"key") is None
    index.set(b"key", bytes(40), 0, FOREVER)
    slot = slot_of(index, b"key")
    assert slot is not None
    assert slot.log is index.main


@pytest.mark.parametrize("used", [False, True])
def test_the_sweeper_drops_a_dead_item(*, used: bool) -> None:
    """It leaves no ghost and is not copied. A GET only counts a use."""
    index = ItemIndex(MEMORY)
    index.set(b"key", bytes(40), 0, 100)
    index.time = 100
    if used:
        assert index.get(b"key") is None
    slot = slot_of(index, b"key")
    assert slot is not None
    assert slot.record is not None
    assert slot.uses == used
    push_out(index, b"key")
    assert slot_of(index, b"key") is None
    assert index.counters["promote"] == 0


def test_the_oldest_ghost_gives_way() -> None:
    def apart(key: bytes) -> int:
        """Keys with a k have the last bucket to themselves."""
        return hashlittle2(key) | LOW if key[:1] == b"k" else hashlittle2(key) & ~(1 << 31)

    index = ItemIndex(MEMORY, hash_function=apart)
    keys = [b"k%d" % n for n in range(item_table.SLOTS + 1)]
    for key in keys[:-1]:
        index.set(key, bytes(40), 0, FOREVER)
    push_out(index, *keys[:-1])
    ghosts = [slot_of(index, key) for key in keys[:-1]]
    assert all(slot is not None and slot.record is None for slot in ghosts)
    index.set(keys[-1], bytes(40), 0, FOREVER)
    assert [slot_of(index, key) is None for key in keys] == [True, *(item_table.SLOTS * [False])]


def test_making_room_takes_a_bounded_time() -> None:
    """However often all items were used: each sweep of a main segment frees a part of it."""
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
    for key in ghosts * 2:  # they come back, to the main log
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


@pytest.mark.parametrize("old", [False, True])
def test_a_ghost_counts_for_some_turns(*, old: bool) -> None:
    """A key that comes back later is new again."""
    index = ItemIndex(MEMORY)
    index.set(b"key", bytes(40), 0, FOREVER)
    push_out(index, b"key")
    slot = slot_of(index, b"key")
    assert slot is not None
    turns = model.GHOST_TURNS - 1 + old
    index._table_turn = (slot.turn + turns) % item_table.TURNS  # there is no empty slot that long
    index.set(b"key", bytes(40), 0, FOREVER)
    slot = slot_of(index, b"key")
    assert slot is not None
    assert slot.log is (index.new if old else index.main)


def test_turns_of_the_new_log() -> None:
    """One is over when as many of its segments were swept as it has."""
    index = ItemIndex(MEMORY)
    fill(index)
    turns = []
    for number in range(20_000):
        index.set(name(number), bytes(40), 0, FOREVER)
        turns.append((index.counters["sweep_new"] - 1, index._turn))
    assert turns[-1][0] > 2 * model.SEGMENTS
    assert all(turn == (swept // index._most_new + 1) % item_table.TURNS for swept, turn in turns)


def test_a_full_bucket_forgets_what_is_new_and_unused_first() -> None:
    index = ItemIndex(
        MEMORY, buckets=16, hash_function=lambda key: int(key[1:]) << 64 - item_table.TAG_BITS
    )
    keys = [name(n) for n in range(item_table.SLOTS + 1)]
    for key in keys[: item_table.SLOTS]:
        index.set(key, b"", 0, FOREVER)
    for key in keys[:2]:
        slot = slot_of(index, key)
        assert slot is not None
        slot.log = index.main
    index.set(keys[8], b"", 0, FOREVER)
    assert [n for n, key in enumerate(keys) if index.peek(key) is None] == [2]


def test_a_full_bucket_forgets_the_least_used_and_of_these_the_oldest() -> None:
    index = ItemIndex(
        MEMORY, buckets=16, hash_function=lambda key: int(key[1:]) << 64 - item_table.TAG_BITS
    )
    keys = [name(n) for n in range(item_table.SLOTS + 2)]
    for key in keys[: item_table.SLOTS]:
        index.set(key, b"", 0, FOREVER)
    for key in (keys[0], keys[2], keys[3]):
        index.get(key)
    index.set(keys[8], b"", 0, FOREVER)
    index.set(keys[9], b"", 0, FOREVER)
    gone = [n for n, key in enumerate(keys) if index.peek(key) is None]
    assert gone == [1, 4]
    assert index.counters["evict_bucket"] == 2


def alike() -> ItemIndex:
    """All keys have one bucket and one tag; there is an item of b"one"."""
    index = ItemIndex(MEMORY, hash_function=lambda _: 5)
    index.set(b"one", b"1", 0, FOREVER)
    return index


def test_another_key_with_the_same_tag_takes_the_slot() -> None:
    index = alike()
    index.set(b"two", b"2", 0, FOREVER)
    assert index.get(b"one") is None
    assert index.get(b"two") is not None
    assert index.counters["alias"] == 1


def test_a_get_counts_a_use_of_the_item_with_its_tag() -> None:
    index = alike()
    slot = slot_of(index, b"one")
    assert slot is not None
    assert index.get(b"two") is None
    assert slot.uses == 1


def test_a_delete_empties_the_slot_with_its_tag() -> None:
    """The answer is about the key. With a CAS number it touches the key's own live item only."""
    index = alike()
    assert index.delete(b"two", cas=1) is Status.NOT_FOUND
    assert index.delete(b"one", cas=2) is Status.EXISTS
    assert index.peek(b"one") is not None
    assert index.delete(b"two") is Status.NOT_FOUND
    assert slot_of(index, b"one") is None
    index.set(b"one", b"1", 0, 100)
    index.time = 100
    assert index.delete(b"one", cas=index.cas) is Status.NOT_FOUND
    assert slot_of(index, b"one") is not None
    assert index.delete(b"one") is Status.NOT_FOUND
    assert slot_of(index, b"one") is None
    assert index.counters["del_hit"] == 0
    _, cas = index.set(b"one", b"1", 0, FOREVER)
    assert index.delete(b"one", cas) is Status.OK
    assert slot_of(index, b"one") is None


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize(
    ("key", "cas", "wanted"),
    [
        (b"one", 1, Status.OK),
        (b"one", 7, Status.EXISTS),
        (b"two", 1, Status.NOT_FOUND),
        (b"none", 1, Status.NOT_FOUND),
    ],
)
@pytest.mark.parametrize("log", ["new", "main"])
def test_a_set_that_asks(log: str, key: bytes, cas: int, wanted: Status, *, large: bool) -> None:
    """Where it finds an item with its tag it has a place, stored or not, in the item's log; only
    one that stores counts a use. A place for what is too large there is not."""
    index = ItemIndex(MEMORY, hash_function=lambda key: hashlittle2(key) if key == b"none" else 5)
    index.set(b"one", b"1", 0, FOREVER)
    slot = slot_of(index, b"one")
    assert slot is not None
    slot.log = getattr(index, log)
    before = records(index)
    value = bytes(index.largest) if large else bytes(100)
    status, _ = index.set(key, value, 0, FOREVER, cas)
    if large and wanted is Status.OK:
        assert status is Status.TOO_LARGE
        assert slot_of(index, b"one") is None
        return
    assert status is wanted
    places = [record.length for record in records(index)[len(before) :]]
    assert places == ([] if large or key == b"none" else [item_bytes(3, 100)])
    assert len(index.main.segments) == (places != [] and log == "main")
    slot = slot_of(index, b"one")
    assert slot is not None
    assert slot.uses == (wanted is Status.OK)
    assert (slot.record in before) == (wanted is not Status.OK)


def records(index: ItemIndex) -> list[Record]:
    return [record for log in logs(index) for s in log.segments for record in s.records]


def test_a_set_that_asks_takes_no_place_for_a_ghost() -> None:
    index = ItemIndex(MEMORY)
    index.set(b"key", b"1", 0, FOREVER)
    push_out(index, b"key")
    before = len(records(index))
    assert index.set(b"key", b"2", 0, FOREVER, cas=1)[0] is Status.NOT_FOUND
    assert len(records(index)) == before


def test_the_place_of_what_was_not_stored_is_dead() -> None:
    """The sweeper finds no slot for it."""
    index = ItemIndex(MEMORY)
    index.set(b"key", b"1", 0, FOREVER)
    index.set(b"key", b"2", 0, FOREVER, cas=9)
    assert index.is_dead(records(index)[-1])
    push_out(index, b"key")
    assert index.counters["evict_new"] >= 1
    assert index.peek(b"key") is None


def test_room_is_made_before_the_item_is_asked() -> None:
    """What is swept away is not there any more when the operation looks."""
    index = ItemIndex(MEMORY)
    _, cas = index.set(b"key", bytes(40), 0, FOREVER)
    number = 0
    while index.pool.free > model.RESERVE + index.pool.span(index.largest) - 1:
        index.set(b"fill%d" % number, bytes(40), 0, FOREVER)
        number += 1
    assert index.peek(b"key") is not None
    value = bytes(index.largest - HEADER_BYTES - 8)
    assert index.set(b"key", value, 0, FOREVER, cas)[0] is Status.NOT_FOUND


def test_too_large() -> None:
    """The limit is a part of all segments; what was there is gone, as in memcached."""
    index = ItemIndex(MEMORY)
    most = index.largest // UNIT_BYTES * UNIT_BYTES - HEADER_BYTES - 8
    key = name(0)
    index.set(key, b"1", 0, FOREVER)
    assert index.set(key, bytes(most), 0, FOREVER)[0] is Status.OK
    assert index.set(key, bytes(most + 1), 0, FOREVER)[0] is Status.TOO_LARGE
    assert index.peek(key) is None


@pytest.mark.parametrize("used", [False, True])
@pytest.mark.parametrize("pool", [(model.FEWEST_SEGMENTS, 1024), (model.MOST_SEGMENTS, 128)])
def test_only_the_largest_items(pool: tuple[int, int], *, used: bool) -> None:
    """They go over many segments; there is room for each, used or not."""
    index = ItemIndex(MEMORY, pool=Pool(*pool))
    most = index.largest // UNIT_BYTES * UNIT_BYTES - HEADER_BYTES - 8
    for number in range(100):
        key = name(number)
        assert index.set(key, bytes(most), 0, FOREVER)[0] is Status.OK
        for _ in range(used * model.MOST_USES):
            assert index.get(key) is not None
        assert audit(index) > min(number, 4)


@pytest.mark.parametrize(("count", "size"), [(0, 64), (4, 0), (4, 32), (4, 192)])
def test_pools_that_cannot_be(count: int, size: int) -> None:
    with pytest.raises(ValueError, match="power of two"):
        Pool(count, size)


@pytest.mark.parametrize("pool", [None, Pool(31, 64), Pool(257, 64), Pool(64, 1024)])
def test_memories_that_cannot_be_divided(pool: Pool | None) -> None:
    with pytest.raises(ValueError, match=r"power of two|no such division"):
        ItemIndex(4096 if pool is None else MEMORY, pool=pool)


def test_memory_is_segments_and_behind_them_the_table(seed: int) -> None:
    draw = random.Random(seed)
    for memory in [1 << 16, *(int(2 ** draw.uniform(16, 36)) for _ in range(200))]:
        index = ItemIndex(memory)
        assert index.table_address % model.BUCKET_BYTES == 0
        end = index.table_address + index.buckets * model.BUCKET_BYTES
        assert memory - model.BUCKET_BYTES < end <= memory
        assert model.SEGMENTS <= index.pool.count < 2 * model.SEGMENTS
        unused = index.table_address - index.pool.count * index.pool.size
        assert 0 <= unused < index.pool.size


@pytest.mark.parametrize(
    ("key", "value", "units"),
    [(1, 0, 3), (8, 8, 3), (8, 9, 4), (9, 0, 3), (9, 9, 4), (1, 17, 4), (1, 25, 5), (250, 0, 18)],
)
def test_length_of_an_item(key: int, value: int, units: int) -> None:
    assert item_bytes(key, value) == units * UNIT_BYTES


def test_where_an_item_begins() -> None:
    """In one line if it fits one, else in any unit but a segment's last."""
    log = Log(Pool(4, 512))
    item = Item(b"", b"", 0, FOREVER, 1)
    units = [2, 5, 1, 4, 3, 5, 1, 2, 2, 9, 7, 3, 16, 5]
    places = [log.append(item, n * UNIT_BYTES).address // UNIT_BYTES for n in units]
    assert places == [0, 2, 7, 8, 12, 15, 20, 21, 24, 26, 35, 44, 47, 64]
