# SPDX-License-Identifier: Apache-2.0
"""Miss ratios of published eviction policies on a trace, by libcachesim of PyPI.

Every request is a get; a miss stores the item. What an item takes is the caller's to say, so that
another cache can be compared at the same bytes: a policy keeps what adds up to at most the
capacity, and nothing is added for its own lists.

The parameters are libcachesim's defaults:

    LRU        none
    CLOCK      one bit an item, clear at first
    SIEVE      none
    S3-FIFO    small queue 10 % of the bytes, main 90 %, as many bytes of ghosts as main; on to the
               main queue after two hits
    W-TinyLFU  window 1 % of the bytes; the rest is a segmented LRU, one fifth on probation

What does not fit is a miss each time and is not stored. That is an item larger than the cache, for
S3-FIFO one that would fill the small queue, for W-TinyLFU one larger than the window.

W-TinyLFU counts in units, not in bytes, because libcachesim sizes its counters by the capacity:
57 bytes of memory for each unit. Items that are all multiples of a size above `COARSE` are counted
exactly; others are rounded up or down at random, so that they add up to the same. It halves its
counters after 32 hits for each unit, which is seldom where an item has many units: it hardly
forgets. Where keys come and go and all items are of one size, an item that was popular long ago
can then keep others out for a long time, and the figure depends on chance: do not rely on it.
"""

from __future__ import annotations

import importlib
import platform
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from wirecache import BUILD, making
from wirecache.setup import Failure, say
from wirecache.traffic.traces import ItemBytes, Numbers, Trace

REQUIREMENT = "libcachesim==0.3.5"  # from PyPI; GPL, and no part of what this project hands out
POLICIES = ("LRU", "CLOCK", "SIEVE", "S3-FIFO", "W-TinyLFU")
WARM_UP = 0.5  # share of the requests that are played before misses are counted
COARSE = 32  # bytes of W-TinyLFU's unit, unless the items share a larger one

_CLASSES = {
    "LRU": "LRU",
    "CLOCK": "Clock",
    "SIEVE": "Sieve",
    "S3-FIFO": "S3FIFO",
    "W-TinyLFU": "WTinyLFU",
}
# A request as libcachesim reads it; the time of the next one of the same key is not needed here.
_RECORD = np.dtype([("time", "<u4"), ("key", "<u8"), ("bytes", "<u4"), ("next", "<i8")])


def miss_ratios(
    trace: Trace,
    item_bytes: ItemBytes,
    capacities: Sequence[int],
    policies: Sequence[str] = POLICIES,
    warm_up: float = WARM_UP,
) -> dict[str, list[float]]:
    """Misses per request after the warm-up, by policy, for each number of bytes."""
    library = _library()
    sizes = item_bytes(trace.key_bytes, trace.value_bytes)
    skipped = int(trace.requests * warm_up)
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for policy in policies:
            unit = _unit(sizes) if policy == "W-TinyLFU" else 1
            path = Path(folder, f"{unit}")
            if not path.exists():
                _write(path, trace, _in_units(sizes, unit))
            found[policy] = [
                _play(library, policy, path, capacity // unit, trace.keys, skipped)
                for capacity in capacities
            ]
    return found


@cache
def _library() -> Any:
    """libcachesim, which is installed when it is first asked for: it is large. What it asks for
    beside numpy it needs for traces on other machines only."""
    if platform.machine() != "x86_64":
        raise Failure("libcachesim is there for x86-64 only")
    with making.locked(BUILD / "libcachesim") as place:
        packages = place.folder / "packages"
        if place.key != REQUIREMENT:
            say(f"installing {REQUIREMENT} (once)")
            with place.making(REQUIREMENT, [packages]):
                pip = (sys.executable, "-m", "pip", "install", "--no-deps", "--only-binary=:all:")
                place.run(*pip, "--target", str(packages), "--upgrade", REQUIREMENT)
    sys.path.append(str(packages))
    return importlib.import_module("libcachesim")


def _unit(sizes: Numbers) -> int:
    return max(COARSE, int(np.gcd.reduce(sizes)))


def _in_units(sizes: Numbers, unit: int) -> Numbers:
    """Sizes in units, at least one. A size between two numbers of units becomes one of them, the
    nearer one more often: all together stay as large as they are."""
    upwards = np.random.default_rng(unit).integers(unit, size=len(sizes))
    units: Numbers = np.maximum(1, (sizes + upwards) // unit)
    return units


def _write(path: Path, trace: Trace, sizes: Numbers) -> None:
    records = np.zeros(trace.requests, _RECORD)
    records["key"] = trace.key_id
    records["bytes"] = sizes[trace.key_id]
    records["next"] = -2  # not known
    records.tofile(path)


def _play(library: Any, policy: str, path: Path, capacity: int, keys: int, skipped: int) -> float:
    """Misses per request after the first `skipped`.

    The reader is not closed: libcachesim does that when the object goes, and crashes when it is
    done twice.
    """
    reader = library.TraceReader(str(path), library.TraceType.ORACLE_GENERAL_TRACE)
    slots = max(10, keys.bit_length())  # of the hash table; it changes the speed and nothing else
    cache = getattr(library, _CLASSES[policy])(cache_size=capacity, hashpower=slots)
    if skipped:
        cache.process_trace(reader, 0, skipped)
    misses, _ = cache.process_trace(reader, skipped)
    return float(misses)
