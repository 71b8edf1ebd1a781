# SPDX-License-Identifier: Apache-2.0
"""Failed inserts against fill level: bucket sizes, and hash functions on four kinds of keys.

TRETS'15, Figure 1. Keys are inserted one after the other into a table of a million slots; one
whose bucket is full is lost. That is the reference model's rule (wirecache.model.table) for
distinct keys that do not expire: `outcomes` gives it for millions of keys at once, and
test/test_collisions.py holds it against the model and the model against the simulated board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wirecache.benches import Options, Result, Table, _keysets
from wirecache.model import hashing, vectors

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CAPACITY = 1 << 20
QUICK_CAPACITY = 1 << 14
BUCKET_SIZES = (1, 2, 4, 8, 16)
PAPERS_BUCKET = 8
LEVELS = tuple(range(5, 101, 5))  # percent of the capacity inserted
SHOWN = (25, 50, 60, 70, 80, 90, 100)
SEED = 0
PANELS = (2, 2)

_TITLES = {
    "random": "(a) bucket sizes; random keys, lookup3",
    "names": "(b) user names",
    "queries": "(c) MD5 of SQL queries",
    "numbers": "(d) four numeric ids",
}


def outcomes(hashes: vectors.Words, buckets: int, slots: int) -> NDArray[np.bool_]:
    """Which inserts succeed: those that come while their bucket has a slot left."""
    bucket = hashes & np.uint32(buckets - 1)
    order = np.argsort(bucket, kind="stable")
    ordered = bucket[order]
    first = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    sizes = np.diff(np.r_[first, len(ordered)])
    before = np.arange(len(ordered)) - np.repeat(first, sizes)  # in the same bucket
    stored = np.empty(len(ordered), np.bool_)
    stored[order] = before < slots
    return stored


def failed(stored: NDArray[np.bool_], capacity: int) -> dict[str, float]:
    """Percent of the inserts up to a fill level that failed, by level."""
    lost = np.cumsum(~stored)
    ends = {level: capacity * level // 100 for level in LEVELS}
    return {str(level): round(100 * float(lost[n - 1]) / n, 4) for level, n in ends.items()}


def run(options: Options) -> Result:
    """All curves; `count` is the capacity, rounded up to a power of two."""
    wanted = options.count or (QUICK_CAPACITY if options.quick else CAPACITY)
    capacity = 1 << max(10, (wanted - 1).bit_length())
    curves: dict[str, dict[str, dict[str, float]]] = {}
    for kind in _keysets.KINDS:
        keys = _keysets.make(kind, capacity)
        if kind == "random":
            hashes = vectors.hash_keys("lookup3", keys, SEED)
            curves[kind] = {
                str(slots): failed(outcomes(hashes, capacity // slots, slots), capacity)
                for slots in BUCKET_SIZES
            }
        else:
            curves[kind] = {
                name: failed(
                    outcomes(
                        vectors.hash_keys(name, keys, SEED),
                        capacity // PAPERS_BUCKET,
                        PAPERS_BUCKET,
                    ),
                    capacity,
                )
                for name in hashing.FUNCTIONS
            }
    sizes = Table(
        f"Failed inserts, percent of the keys inserted: {capacity:,} slots, random keys, lookup3",
        ("slots in a bucket", *(f"{level} % inserted" for level in SHOWN)),
        [(slots, *_shown(curve)) for slots, curve in curves["random"].items()],
        (
            "TRETS'15, Figure 1 (a), is given as a plot without numbers; its text: bigger buckets "
            "let the table be filled to a high extent before too many items are lost, and "
            "virtually none are while it is less than half full.",
        ),
    )
    functions = Table(
        f"The same for kinds of keys and hash functions, {PAPERS_BUCKET} slots in a bucket",
        ("keys", "function", *(f"{level} % inserted" for level in SHOWN)),
        [
            (kind, name, *_shown(curve))
            for kind in ("names", "queries", "numbers")
            for name, curve in curves[kind].items()
        ],
        (
            "TRETS'15, Figure 1 (b) to (d), in words: lookup3 performs well overall; the "
            "multiplicative function is almost indistinguishable from it on these keys; a simple "
            "CRC is prone to collisions on user names and browser cookies (here: numbers).",
            "names: 122 first and 123 last names, a list of our own; queries: MD5 in hex; "
            "numbers: site, user, session and page with dots between.",
        ),
    )
    return Result([sizes, functions], {"curves": curves})


def _shown(curve: dict[str, float]) -> tuple[str, ...]:
    return tuple(f"{curve[str(level)]:.3f}" for level in SHOWN)


def plot(result: Result, axes: list[Axes]) -> None:
    curves: dict[str, Any] = result.data["curves"]
    for (kind, title), panel in zip(_TITLES.items(), axes, strict=True):
        for number, (name, curve) in enumerate(curves[kind].items()):
            label = f"{name} slots" if kind == "random" else name
            style = "osv^D"[number] + ("-", "--", ":")[number % 3]
            panel.plot([int(x) for x in curve], list(curve.values()), style, label=label)
        panel.axvline(50, color="#888888", linewidth=0.8)
        panel.annotate(
            "TRETS: virtually none below 50 %",
            (49, 0.97),
            xycoords=("data", "axes fraction"),
            ha="right",
            va="top",
            fontsize=7,
            color="#555555",
        )
        panel.set(title=title, xlabel="keys inserted, % of capacity", xlim=(0, 100))
        panel.set_ylabel("failed inserts, %")
        panel.set_ylim(0, None)
        panel.legend(loc="center left")
