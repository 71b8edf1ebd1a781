# SPDX-License-Identifier: Apache-2.0
"""The traces are what they say, and what is compared on them counts as this file does by hand."""

from __future__ import annotations

import platform
import shutil
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
import pytest
from wirecache.oracle import cache_aside, policies
from wirecache.traffic import traces
from wirecache.traffic.traces import Numbers, Trace

REQUESTS = 100_000
with_memcached = pytest.mark.skipif(shutil.which("memcached") is None, reason="no memcached")


def payload(key_bytes: Numbers, value_bytes: Numbers) -> Numbers:
    return key_bytes + value_bytes


def by_hand(ids: Sequence[int] | Numbers, sizes: Sequence[int] | Numbers) -> Trace:
    """A trace of these requests whose items have these sizes, 16 bytes of key included."""
    values = np.asarray(sizes, np.int64) - 16
    return Trace("hand", "by hand", np.asarray(ids, np.int64), np.full_like(values, 16), values)


def lru_misses(trace: Trace, capacity: int, skipped: int) -> int:
    """Least recently used, item by item: the misses after `skipped` requests."""
    sizes = payload(trace.key_bytes, trace.value_bytes).tolist()
    held: OrderedDict[int, None] = OrderedDict()
    used = misses = 0
    for at, key in enumerate(trace.key_id.tolist()):
        if key in held:
            held.move_to_end(key)
            continue
        misses += at >= skipped
        if sizes[key] > capacity:
            continue
        while used + sizes[key] > capacity:
            used -= sizes[held.popitem(last=False)[0]]
        held[key] = None
        used += sizes[key]
    return misses


# ---- traces -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", traces.NAMES)
def test_a_seed_gives_one_trace(name: str) -> None:
    one, same, other = (traces.make(name, requests=REQUESTS, seed=seed) for seed in (5, 5, 6))
    for mine, its in zip(
        (one.key_id, one.key_bytes, one.value_bytes),
        (same.key_id, same.key_bytes, same.value_bytes),
        strict=True,
    ):
        assert np.array_equal(mine, its)
    assert not np.array_equal(one.key_id, other.key_id)
    assert one.requests == REQUESTS
    assert np.array_equal(np.unique(one.key_id), np.arange(one.keys))
    assert np.array_equal(one.key_id, traces.make(name, "fixed", REQUESTS, 5).key_id)


@pytest.mark.parametrize("exponent", (0.8, 1.0, 1.2))
def test_zipf_has_its_exponent(exponent: float) -> None:
    """The slope of the popular ranks, each asked for often enough to be counted well."""
    trace = traces.make(f"zipf-{exponent}", requests=1_000_000)
    asked = np.sort(np.bincount(trace.key_id))[::-1][:100]
    slope, _ = np.polyfit(np.log(np.arange(1, 101)), np.log(asked), 1)
    assert -slope == pytest.approx(exponent, abs=0.03)


def test_scans_are_a_quarter() -> None:
    """Requests whose key comes right after that of the request before; few are read twice."""
    trace = traces.make("scan", requests=REQUESTS)
    scanned = np.flatnonzero(np.diff(trace.key_id) == 1) + 1
    assert len(scanned) / REQUESTS == pytest.approx(traces.SCANNED, abs=0.01)
    assert len(np.unique(trace.key_id[scanned])) > 0.8 * len(scanned)


def popular(ids: Numbers) -> set[int]:
    return set(np.argsort(np.bincount(ids))[-100:].tolist())


@pytest.mark.parametrize(
    ("name", "least", "most"), (("zipf-1.0", 80, 100), ("shift", 0, 30), ("twitter", 0, 30))
)
def test_popular_keys_change(name: str, least: int, most: int) -> None:
    """Popular in the first and in the last tenth: in some traces most are, in some few."""
    trace = traces.make(name, requests=1_000_000)
    part = trace.requests // 10
    kept = popular(trace.key_id[:part]) & popular(trace.key_id[-part:])
    assert least <= len(kept) <= most


def test_new_keys_keep_coming() -> None:
    """Popular at the end: of `twitter` most had not been asked for in the first half, of `shift`
    most had, though seldom."""
    new = {}
    for name in ("shift", "twitter"):
        ids = traces.make(name, requests=1_000_000).key_id
        new[name] = len(popular(ids[-100_000:]) - set(ids[:500_000].tolist()))
    assert new["twitter"] > 50 > 40 > new["shift"]


def test_streams_of_block_io() -> None:
    """Half is a hot set, a fifth is read once, the rest goes round in loops."""
    trace = traces.make("block", requests=REQUESTS)
    asked = np.bincount(trace.key_id)[trace.key_id]
    assert np.mean(asked == 1) == pytest.approx(0.2, abs=0.05)
    ahead = np.mean(np.diff(trace.key_id) == 1)  # runs and loops, but for their turns
    assert ahead == pytest.approx(0.5, abs=0.05)
    hot = np.flatnonzero(np.bincount(trace.key_id[1:][np.diff(trace.key_id) != 1]))
    assert len(hot) == pytest.approx(REQUESTS / 40, rel=0.5)


def test_sizes() -> None:
    trace = traces.make("zipf-0.8", requests=1_000_000)
    key, value = trace.key_bytes, trace.value_bytes
    assert np.median(key) == pytest.approx(36, abs=1)
    assert np.median(value) == pytest.approx(224, rel=0.02)
    low, high = np.percentile(value, (5, 95))
    assert low == pytest.approx(26, rel=0.1) and high == pytest.approx(1900, rel=0.1)
    assert key.min() >= 12 and key.max() <= 250
    assert value.min() >= 1 and value.max() <= traces.LARGEST_VALUE
    fixed = traces.make("zipf-0.8", "fixed", REQUESTS)
    assert set(fixed.key_bytes) == {16} and set(fixed.value_bytes) == {32}
    assert fixed.footprint(payload) == 48 * fixed.keys
    with pytest.raises(ValueError, match="sizes"):
        traces.make("zipf-0.8", "huge", REQUESTS)


def test_keys_are_distinct() -> None:
    trace = traces.make("zipf-1.0", requests=20_000)
    keys = [trace.key(number) for number in range(trace.keys)]
    assert len(set(keys)) == len(keys)
    assert [len(key) for key in keys] == trace.key_bytes.tolist()


# ---- published policies -----------------------------------------------------------------------


@pytest.fixture
def libcachesim() -> None:
    if platform.machine() != "x86_64":
        pytest.skip("libcachesim is there for x86-64 only")


def ratios(trace: Trace, capacity: int, warm_up: float) -> dict[str, float]:
    found = policies.miss_ratios(trace, payload, [capacity], warm_up=warm_up)
    return {policy: ratio for policy, (ratio,) in found.items()}


@pytest.mark.usefixtures("libcachesim")
@pytest.mark.parametrize("warm_up", (0, 0.5))
@pytest.mark.parametrize("capacity", (20_000, 1_000_003))
def test_lru_is_lru(capacity: int, warm_up: float) -> None:
    """The same misses, one for one, with items of many sizes, some larger than the cache."""
    draw = np.random.default_rng(7)
    sizes = np.clip(draw.lognormal(6, 1.5, 3000), 17, 50_000).astype(np.int64)
    trace = by_hand(traces.zipf(draw, 0.9, 3000, REQUESTS), sizes)
    skipped = int(trace.requests * warm_up)
    (ratio,) = policies.miss_ratios(trace, payload, [capacity], ["LRU"], warm_up)["LRU"]
    counted = trace.requests - skipped
    assert round(ratio * counted) == lru_misses(trace, capacity, skipped) > 0


@pytest.mark.usefixtures("libcachesim")
def test_a_loop_longer_than_the_cache() -> None:
    """101 items go round in room for 100: what evicts the oldest misses every time, what keeps
    some for good does not. With room for 101 nobody misses, but W-TinyLFU in a cache whose window
    is smaller than an item keeps nothing."""
    trace = by_hand(np.arange(10_100) % 101, np.full(101, 64))
    short = ratios(trace, 100 * 64, 0.5)
    assert short["LRU"] == short["CLOCK"] == short["SIEVE"] == 1
    assert short["S3-FIFO"] < 0.2 and short["W-TinyLFU"] < 0.2
    assert set(ratios(trace, 101 * 64, 0.5).values()) == {0}
    assert ratios(trace, 64 * 64, 0.5)["W-TinyLFU"] == 1


@pytest.mark.usefixtures("libcachesim")
@pytest.mark.parametrize("policy", policies.POLICIES)
def test_sizes_count(policy: str) -> None:
    """Items of twice the size at twice the capacity miss alike; at the same capacity, more do.
    And of items of two sizes, it is bytes that fill the cache, not items."""
    ids = traces.make("zipf-1.0", requests=REQUESTS).key_id
    keys = int(ids.max()) + 1

    def misses(sizes: Numbers, capacity: int) -> float:
        return policies.miss_ratios(by_hand(ids, sizes), payload, [capacity], [policy])[policy][0]

    small = misses(np.full(keys, 64), 64_000)
    assert misses(np.full(keys, 128), 128_000) == small
    assert misses(np.full(keys, 128), 64_000) > small + 0.01
    mixed = np.where(np.arange(keys) % 2, 64, 448)  # 256 on average
    assert misses(mixed, 256_000) == pytest.approx(small, abs=0.05)
    assert misses(mixed, 64_000) > small + 0.05


@pytest.mark.usefixtures("libcachesim")
@pytest.mark.parametrize(
    ("policy", "largest"),
    (
        ("LRU", 64_000),
        ("CLOCK", 64_000),
        ("SIEVE", 64_000),
        ("S3-FIFO", 6_399),
        ("W-TinyLFU", 640),
    ),
)
def test_the_largest_item(policy: str, largest: int) -> None:
    """An item that is asked for a hundred times misses once, or every time if it is too large."""
    step = policies.COARSE if policy == "W-TinyLFU" else 1
    for size, misses in ((largest, 1), (largest + step, 100)):
        trace = by_hand([0] * 100, [size])
        found = policies.miss_ratios(trace, payload, [64_000], [policy], warm_up=0)
        assert found[policy] == [pytest.approx(misses / 100)]


@pytest.mark.usefixtures("libcachesim")
def test_scans_hurt_lru_most() -> None:
    trace = traces.make("scan", requests=REQUESTS)
    found = ratios(trace, trace.footprint(payload) // 20, 0.5)
    assert all(found[better] < found["LRU"] - 0.02 for better in ("SIEVE", "S3-FIFO", "W-TinyLFU"))


def test_units_keep_the_sum() -> None:
    sizes = traces.make("zipf-1.0", requests=REQUESTS).value_bytes + 36
    units = policies._in_units(sizes, 32)
    assert 32 * units.sum() == pytest.approx(sizes.sum(), rel=0.001)
    assert abs(32 * units - sizes).max() < 32
    assert policies._unit(np.array([96, 192])) == 96 and policies._unit(np.array([7, 9])) == 32


# ---- memcached --------------------------------------------------------------------------------


@with_memcached
def test_memcached_that_never_evicts() -> None:
    """Everything fits: a key misses once, however often it comes in a batch."""
    trace = traces.make("twitter", requests=20_000)
    played = cache_aside.play(trace, 128, warm_up=0)
    assert round(played.miss_ratio * trace.requests) == trace.keys == played.items
    assert played.refused == 0 and played.page_bytes > trace.footprint(payload)


@with_memcached
def test_memcached_that_evicts() -> None:
    """A loop through more than it holds hits nothing; one through half of that hits always."""
    played = cache_aside.play(by_hand(np.arange(90_000) % 30_000, np.full(30_000, 48)), 2)
    assert played.miss_ratio > 0.9
    assert played.page_bytes == 2 << 20 and played.items < 20_000
    played = cache_aside.play(by_hand(np.arange(90_000) % 8_000, np.full(8_000, 48)), 2)
    assert played.miss_ratio == 0


def test_memcached_wants_two_megabytes() -> None:
    with pytest.raises(ValueError, match="2 MB"):
        cache_aside.play(by_hand([0], [48]), 1)
