# SPDX-License-Identifier: Apache-2.0
"""How full a cuckoo table becomes before it needs recovery, and what inserts cost on the way.

Cho and Choi, Figures 6 and 9. Random keys are inserted one after the other, each with at most
MOST_MOVES moves, until one needs more: that is when the paper's host would have to rehash. The
paper's cuckoo hash ratio is taken to be the entries of a place: with four hash functions its 32
candidates are a ratio of 8, as its text says. The rule is that of wirecache.model.cuckoo, which
cuckoo_fill.cc beside this file does for millions of entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wirecache.benches import Options, Result, Table
from wirecache.benches._native import printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SMALL, LARGE = 512, 1 << 20  # entries: the paper's table of 4 KB, and a cache's
RATIOS = (1, 2, 4, 8)
WAYS = 4  # hash functions, in the paper's figures
SHAPES = (*((WAYS, ratio) for ratio in RATIOS), (2, 8))  # the last one: two lines, the default
MOST_MOVES = 64
SIGNATURE_BITS = 17  # or as many as number the places of a large table
SMALL_TABLES, LARGE_TABLES = 10_000, 10
ASKS = 100_000  # of keys that are not there, for each of the large tables
LEVELS = (50, 60, 70, 80, 85, 90, 95, 98, 99)  # percent
SEED = 1
PAPER_FILL, PAPER_CANDIDATES = 0.9, 32
PANELS = (1, 3)


def run(options: Options) -> Result:
    """All tables; `count` is how many small ones are filled."""
    small = options.count or (200 if options.quick else SMALL_TABLES)
    sizes = {SMALL: small, LARGE: LARGE_TABLES}
    if options.quick:
        sizes = {SMALL: small, LARGE >> 6: 3}
    points = []
    for entries, tables in sizes.items():
        for ways, slots in SHAPES:
            found = fill(entries, ways, slots, tables, asks=ASKS if entries != SMALL else 0)
            fills = np.array(found["filled"]) / entries
            needed = {str(level): float(np.mean(fills < level / 100)) for level in LEVELS}
            points.append(
                {
                    **{"entries": entries, "ways": ways, "slots": slots, "tables": tables},
                    **{"least": float(fills.min()), "mean": float(fills.mean())},
                    **{"needed": needed, "percents": found["percents"]},
                    "aliases": found["aliases"] / found["asked"] if found["asked"] else None,
                }
            )
    return Result([_recovery(points), _filled(points), _cost(points)], {"points": points})


def fill(entries: int, ways: int, slots: int, tables: int, seed: int = SEED, asks: int = 0) -> Any:
    """What cuckoo_fill.cc prints."""
    numbers = (seed, entries, ways, slots, bits(entries, slots), MOST_MOVES, tables, asks)
    return printed("cuckoo_fill", *numbers)


def bits(entries: int, slots: int) -> int:
    """Of a signature."""
    return max(SIGNATURE_BITS, (entries // slots).bit_length() - 1)


def _shape(point: dict[str, Any]) -> tuple[object, ...]:
    return point["entries"], point["ways"] * point["slots"], point["ways"], point["slots"]


_SHAPE = ("entries", "candidates", "hash functions", "entries of a place (ratio)")


def _recovery(points: list[dict[str, Any]]) -> Table:
    return Table(
        "Tables that need recovery before they are so full, %",
        (*_SHAPE, "tables", *(f"{level} % full" for level in LEVELS)),
        [
            (*_shape(p), p["tables"], *(f"{100 * x:.2f}" for x in p["needed"].values()))
            for p in points
        ],
        (
            "Cho and Choi, Figure 6, is a plot without numbers: the higher the ratio, the fuller a "
            "table becomes with the same probability of recovery",
            f"an insert may move {MOST_MOVES} entries; recovery is needed when that is not enough",
        ),
    )


def _filled(points: list[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = []
    for point in points:
        paper = point["ways"] == WAYS and point["ways"] * point["slots"] == PAPER_CANDIDATES
        signature = bits(point["entries"], point["slots"])
        expected = point["ways"] * point["slots"] * 0.9 / 2 ** (signature - 1)
        rows.append(
            (
                *_shape(point),
                *(f"{100 * point['least']:.1f}", f"{100 * point['mean']:.1f}"),
                f"{100 * PAPER_FILL:.0f}" if paper else "",
                signature,
                "" if point["aliases"] is None else f"{1e6 * point['aliases']:.0f}",
                "" if point["aliases"] is None else f"{1e6 * expected:.0f}",
            )
        )
    return Table(
        "Fill without recovery, %",
        (
            *_SHAPE,
            *("least", "mean", "paper"),
            *("bits of a signature", "aliases in a million misses, 90 % full", "expected"),
        ),
        rows,
        (
            "paper: Cho and Choi, Figure 9 and its text, a table of 512 entries",
            "an alias: an entry with the signature of a key that is not there; one bit says "
            "nothing, as the places of a key are in different banks. With four functions two say "
            "nothing, but half of the entries that meet stand at another step of their walk",
        ),
    )


def _cost(points: list[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = []
    for point in points:
        if point["slots"] != 8:
            continue
        for level in (50, 70, 80, 90, 94):
            inserts, moves, most = point["percents"][level]
            if not inserts:
                continue
            mean = moves / inserts
            reads = point["ways"] + mean
            row = (f"{level} to {level + 1} %", f"{mean:.3f}", most)
            rows.append((*_shape(point)[:3], *row, f"{reads:.2f}", f"{1 + mean:.2f}"))
    return Table(
        "What an insert costs",
        (
            *_SHAPE[:3],
            *("full", "moves, mean", "moves, most", "lines read", "lines written"),
        ),
        rows,
        ("an insert reads the lines of all its places, and each move one line more",),
    )


def plot(result: Result, axes: list[Axes]) -> None:
    points: list[dict[str, Any]] = result.data["points"]
    recovery, filled, cost = axes
    small = [p for p in points if p["entries"] == SMALL]
    for point in small:
        label = f"{point['ways']} x {point['slots']}"
        levels = [int(level) for level in point["needed"]]
        recovery.plot(levels, [100 * x for x in point["needed"].values()], "o-", label=label)
    recovery.set(title="Recovery needed, 512 entries", xlabel="full, %", ylabel="of tables, %")
    recovery.legend(title="functions x ratio")
    for entries in sorted({p["entries"] for p in points}):
        mine = [p for p in points if p["entries"] == entries and p["ways"] == WAYS]
        candidates = [p["ways"] * p["slots"] for p in mine]
        fills = [100 * p["mean"] for p in mine]
        filled.plot(candidates, fills, "o-", label=f"{entries:,} entries")
    filled.plot([PAPER_CANDIDATES], [100 * PAPER_FILL], "k*", label="paper, 512 entries")
    filled.set(title="Fill without recovery", xlabel="candidates", ylabel="full, %")
    filled.legend()
    for point in (p for p in points if p["entries"] != SMALL and p["slots"] == 8):
        steps = [(level, p[1] / p[0]) for level, p in enumerate(point["percents"]) if p[0]]
        label = f"{point['ways']} lines"
        cost.plot([level for level, _ in steps], [mean for _, mean in steps], label=label)
    cost.set(title="Moves an insert, mean", xlabel="full, %", ylabel="moves")
    cost.legend()
