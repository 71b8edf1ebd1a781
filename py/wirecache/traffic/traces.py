# SPDX-License-Identifier: Apache-2.0
"""Request traces for caches: which key is asked for, one request after the other, and how large
its item is.

trace = make("zipf-1.0", sizes="twitter", requests=2_000_000, seed=1)

A trace is only gets: what a miss does (store the item, as a rule) is for the cache that it is
played against. An item never changes its size. The same arguments give the same trace, and the
sizes are drawn apart from the requests: a trace with `fixed` sizes asks for the same keys.

The lengths of scans, runs and loops are shares of the trace, so a short trace is a small copy of a
long one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
ItemBytes = Callable[[Numbers, Numbers], Numbers]
"""What items take in a cache, from the bytes of their keys and of their values."""

REQUESTS = 2_000_000
SIZES = ("twitter", "fixed")

FIXED_KEY, FIXED_VALUE = 16, 32
# Of Twitter's clusters the median one has objects of 230 bytes on average (Yang et al., OSDI'20);
# the spread is our choice: one value in twenty is below 26 bytes, one in twenty above 1,900.
MEDIAN_KEY, SPREAD_OF_KEYS = 36, 0.35
MEDIAN_VALUE, SPREAD_OF_VALUES = 224, 1.3
SHORTEST_KEY, LONGEST_KEY = 12, 250
LARGEST_VALUE = (1 << 20) - 1024  # memcached keeps items of 1 MiB, its header and the key included

SCANNED = 0.25  # of the requests of `scan`
CHURN = 0.05  # of the ranks change hands from an epoch to the next, in `shift` and `twitter`
_EPOCHS = 50
_SCANS = 200  # a scan is as long as this part of the trace
_SLICES = 1000  # `block` goes from one of its streams to another this often
# The streams of `block`: the share of its requests that it has, and the part of the trace that its
# blocks are. Three loops, the runs (a loop that ends with the trace), and the hot set.
_STREAMS = ((0.1, 100), (0.1, 40), (0.1, 20), (0.2, 1), (0.5, 40))
_HOT = len(_STREAMS) - 1


@dataclass(frozen=True)
class Trace:
    """Requests by number of the key; sizes by number of the key. Every key is asked for."""

    name: str
    title: str
    key_id: Numbers  # of each request: 0 to keys - 1
    key_bytes: Numbers  # of each key
    value_bytes: Numbers  # of each key's value

    @property
    def requests(self) -> int:
        return len(self.key_id)

    @property
    def keys(self) -> int:
        return len(self.key_bytes)

    def key(self, number: int) -> bytes:
        """A key as it is sent: its number in decimal, filled up with zeros."""
        return b"%0*d" % (int(self.key_bytes[number]), number)

    def footprint(self, item_bytes: ItemBytes) -> int:
        """The bytes that hold all items of the trace, each once."""
        return int(item_bytes(self.key_bytes, self.value_bytes).sum())


def zipf(draw: np.random.Generator, exponent: float, keys: int, count: int) -> Numbers:
    """`count` ranks below `keys`; rank r is drawn in proportion to (r + 1) ** -exponent."""
    weights = np.cumsum(np.arange(1, keys + 1, dtype=np.float64) ** -exponent)
    return np.searchsorted(weights / weights[-1], draw.random(count), side="right")


def _zipf(exponent: float) -> Callable[[np.random.Generator, int], Numbers]:
    return lambda draw, count: zipf(draw, exponent, count // 2, count)


def _scan(draw: np.random.Generator, count: int) -> Numbers:
    """Zipf 1.0, and now and then a stretch of a large table is read from one end to the other.

    The table has as many keys as the trace has requests; scans begin anywhere in it, so few of
    the keys are read twice.
    """
    ids = zipf(draw, 1.0, count // 2, count)
    length = max(1, count // _SCANS)
    slots = count // length
    for slot in draw.choice(slots, round(slots * SCANNED), replace=False):
        first = count + int(draw.integers(count))  # numbers from `count` on are the table
        ids[slot * length : (slot + 1) * length] = first + np.arange(length)
    return ids


def _renewed(draw: np.random.Generator, ranks: Numbers, keys: int, new: bool) -> Numbers:
    """Keys for ranks; from epoch to epoch some ranks get other keys.

    With `new` these are keys that nobody has asked for yet, and the old ones never return;
    without, the keys of the chosen ranks are shuffled, so popular ones become unpopular and the
    other way round.
    """
    key_of = np.arange(keys, dtype=np.int64)
    unused = keys
    ids = []
    for epoch in np.array_split(ranks, _EPOCHS):
        ids.append(key_of[epoch])
        chosen = np.flatnonzero(draw.random(keys) < CHURN)
        if new:
            key_of[chosen] = np.arange(unused, unused + len(chosen))
            unused += len(chosen)
        else:
            key_of[chosen] = draw.permutation(key_of[chosen])
    return np.concatenate(ids)


def _shift(draw: np.random.Generator, count: int) -> Numbers:
    """Zipf 1.0 whose popular keys give way to others that have been there all the time.

    There are fewer keys than in the others, so that nearly all are asked for now and then.
    """
    keys = max(1, count // 8)
    return _renewed(draw, zipf(draw, 1.0, keys, count), keys, new=False)


def _twitter(draw: np.random.Generator, count: int) -> Numbers:
    """Zipf 1.2 whose keys give way to new ones.

    Of Yang et al. it has the skewed popularity, the small items and that new keys keep coming. It
    has neither their writes nor their times to live.
    """
    return _renewed(draw, zipf(draw, 1.2, count // 2, count), count // 2, new=True)


def _block(draw: np.random.Generator, count: int) -> Numbers:
    """What a disk is asked for: three loops, runs of blocks read once, a hot set.

    The streams take turns. A loop and the runs go on where they stopped; blocks of the hot set are
    all as likely.
    """
    slices = draw.choice(len(_STREAMS), _SLICES, p=[share for share, _ in _STREAMS])
    stream_of = np.repeat(slices, -(-count // _SLICES))[:count]
    ids = np.empty(count, np.int64)
    for stream, (_, part) in enumerate(_STREAMS):
        where = np.flatnonzero(stream_of == stream)
        blocks = max(1, count // part)
        steps = np.arange(len(where)) % blocks
        hot = stream == _HOT
        ids[where] = stream * count + (draw.integers(blocks, size=len(where)) if hot else steps)
    return ids


_KINDS: dict[str, tuple[str, Callable[[np.random.Generator, int], Numbers]]] = {
    "zipf-0.8": ("Zipf, exponent 0.8", _zipf(0.8)),
    "zipf-1.0": ("Zipf, exponent 1.0", _zipf(1.0)),
    "zipf-1.2": ("Zipf, exponent 1.2", _zipf(1.2)),
    "scan": (f"Zipf 1.0 and scans ({SCANNED:.0%} of the requests)", _scan),
    "shift": ("Zipf 1.0, the popular keys change", _shift),
    "block": ("Block I/O: loops, runs, a hot set", _block),
    "twitter": ("As a Twitter cluster: Zipf 1.2, new keys keep coming", _twitter),
}
NAMES = tuple(_KINDS)


def make(name: str, sizes: str = "twitter", requests: int = REQUESTS, seed: int = 1) -> Trace:
    """The trace of a name, with items as on Twitter or all of one size."""
    title, generate = _KINDS[name]
    ids = generate(np.random.default_rng([seed, *name.encode()]), requests)
    asked, key_id = np.unique(ids, return_inverse=True)
    key_bytes, value_bytes = _sizes(sizes, np.random.default_rng([seed, *b"sizes"]), len(asked))
    return Trace(name, title, key_id.astype(np.int64), key_bytes, value_bytes)


def _sizes(sizes: str, draw: np.random.Generator, keys: int) -> tuple[Numbers, Numbers]:
    if sizes == "fixed":
        return np.full(keys, FIXED_KEY, np.int64), np.full(keys, FIXED_VALUE, np.int64)
    if sizes != "twitter":
        raise ValueError(f"sizes are {' or '.join(SIZES)}, not {sizes}")
    key = draw.lognormal(np.log(MEDIAN_KEY), SPREAD_OF_KEYS, keys)
    value = draw.lognormal(np.log(MEDIAN_VALUE), SPREAD_OF_VALUES, keys)
    return (
        np.clip(key.round(), SHORTEST_KEY, LONGEST_KEY).astype(np.int64),
        np.clip(value.round(), 1, LARGEST_VALUE).astype(np.int64),
    )
