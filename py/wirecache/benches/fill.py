# SPDX-License-Identifier: Apache-2.0
"""How full the circuit's table becomes before an item must give way, and what SETs cost on the way.

Random keys are stored one after the other in a table that is small for its memory. With one way an
item gives way when a bucket is full, with two and four when MOST_MOVES moves have found no place
for it, or the stash has none. In the paper's system (Cho and Choi, section 3 and Figure 9) that is
when its host has to rehash. SETs come alone, one behind the other, or, from MIXED_FROM on, each
with OTHERS GETs of keys that were stored, as in a cache's traffic: then moves have more time. In
the end all keys are asked for: of each name the last key must be there, unless it gave way.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from wirecache.benches import Options, Result, Table
from wirecache.benches import _table as table
from wirecache.benches import _wire as wire
from wirecache.benches._index import configured
from wirecache.model.item_table import SLOTS, name_of
from wirecache.model.lookup3 import hashlittle2

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WAYS = (1, 2, 4)
LINES = 8 << 10  # regions of 1,024; those of a large table have 4,096
QUICK_LINES = 8 << 6
LINE_MEMORY = 16 << 10  # bytes of memory for each line, with the item size below
ITEM_SIZE = LINE_MEMORY // 4 - 16
KEY_BYTES = 16
SEEDS = 10
STEPS = 100
OTHERS, MIXED_FROM = 9, 75  # GETs for each SET; percent
LOADS = {0: "SETs alone", OTHERS: "one SET in ten"}
LEVELS = (50, 80, 90, 95, 98)  # percent: what SETs cost there
LAST = 98
MOST_MOVES = 64
PAPER = 0.9
PANELS = (1, 2)


def run(options: Options) -> Result:
    """All ways and loads, SEEDS tables each."""
    seeds = 1 if options.quick else SEEDS
    lines = QUICK_LINES if options.quick else LINES
    keys = wire.keys(KEY_BYTES, 2 * seeds * lines * SLOTS)
    points = []
    for ways in WAYS:
        with configured(f"udp,ways={ways},moves={MOST_MOVES}"):
            for others in LOADS if ways > 1 else (0,):
                tables = []
                for seed in range(seeds):
                    chosen = random.Random(seed).sample(keys, lines * SLOTS * LAST // 100)
                    tables.append(_fill(chosen, lines, ways, others))
                points.append({"load": LOADS[others], **_together(ways, tables)})
    return Result([_filled(points), _costs(points)], {"points": points, "lines": lines})


def _fill(keys: list[bytes], lines: int, ways: int, others: int) -> dict[str, Any]:
    """One table."""
    memory = ("--memory", str(lines * LINE_MEMORY), "--item-size", str(ITEM_SIZE))
    first, costs = None, {}
    step = lines * SLOTS // STEPS
    evicted = 0
    draw = random.Random(lines)
    with table.board(*memory) as session:
        for percent, at in enumerate(range(0, len(keys), step), 1):
            asked = []
            for key in keys[at : at + step]:
                asked.append(table.Operation("set", key))
                for _ in range(others if percent > MIXED_FROM else 0):
                    asked.append(table.Operation("get", draw.choice(keys[:at])))
            if percent in LEVELS:
                rate = table.measure(session, asked)
                counters = rate.counters
                moved = counters["moved"] / counters["set"]
                costs[percent] = {"cycles": rate.cycles, "moved": moved}
                costs[percent]["reads"] = rate.dram["reads"] / len(asked)
            else:
                counters = table.play(session, asked, record=False).counters
            evicted += counters["evict_bucket"]
            if counters["evict_bucket"] and first is None:
                first = percent
        gets = [table.Operation("get", key) for key in keys]
        counters = table.play(session, gets, record=False).counters
        hits = counters["get_hit"]
        evicted += counters["evict_bucket"]  # by the last movers
    stored = len({_name(key, lines, ways) for key in keys})
    if not stored - evicted <= hits <= stored:
        raise RuntimeError(f"{hits} of {stored} keys are there, and {evicted} gave way")
    return {"first": first, "costs": costs, "evicted": evicted}


def _name(key: bytes, lines: int, ways: int) -> tuple[int, int]:
    hashed = hashlittle2(table.fed(key))
    if ways > 1:
        return name_of(hashed, lines, ways)
    return (hashed & 0xFFFFFFFF) * lines >> 32, hashed >> 47


def _together(ways: int, tables: list[dict[str, Any]]) -> dict[str, Any]:
    firsts = [LAST + 1 if t["first"] is None else t["first"] for t in tables]
    levels = tables[0]["costs"]
    costs = {
        level: {
            what: sum(t["costs"][level][what] for t in tables) / len(tables)
            for what in levels[level]
        }
        for level in levels
    }
    evicted = sum(t["evicted"] for t in tables) / len(tables)
    return {
        **{"ways": ways, "tables": len(tables), "least": min(firsts) - 1, "most": max(firsts) - 1},
        **{"costs": costs, "evicted": evicted},
    }


def _filled(points: list[dict[str, Any]]) -> Table:
    return Table(
        "How full the circuit's table is when the first item gives way",
        ("ways", "candidates", "load", "tables", "least", "most", f"gave way until {LAST} %"),
        [
            (
                *(p["ways"], p["ways"] * SLOTS, p["load"], p["tables"]),
                *(f"{p['least']} %", f"{p['most']} %", f"{p['evicted']:.1f}"),
            )
            for p in points
        ],
        (
            "Cho and Choi, Figure 9: 90 % with 32 candidates",
            f"in steps of a percent; at most {MOST_MOVES} moves for one new item; {LAST} % stands "
            "for none that gave way",
            f"one SET in ten: from {MIXED_FROM} % on, until there SETs alone",
            "all keys that did not give way were found",
        ),
    )


def _costs(points: list[dict[str, Any]]) -> Table:
    return Table(
        "SETs of new keys, by how full the table is",
        ("ways", "load", "full", "items moved a SET", "cycles/op", "memory reads an op"),
        [
            (
                *(p["ways"], p["load"], f"{level} %", f"{cost['moved']:.3f}"),
                *(f"{cost['cycles']:.2f}", f"{cost['reads']:.2f}"),
            )
            for p in points
            for level, cost in p["costs"].items()
        ],
        ("DDR4; operations are fed to the table alone",),
    )


def plot(result: Result, axes: list[Axes]) -> None:
    for panel, what, title in (
        (axes[0], "moved", "Items moved a SET"),
        (axes[1], "cycles", "Cycles an operation"),
    ):
        for point in result.data["points"]:
            costs = point["costs"]
            values = [cost[what] for cost in costs.values()]
            label = f"{point['ways']} ways, {point['load']}"
            panel.plot([int(level) for level in costs], values, "o-", label=label)
        panel.set(title=title, xlabel="full, %")
        panel.set_ylim(0, None)
        panel.legend()
