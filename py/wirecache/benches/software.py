# SPDX-License-Identifier: Apache-2.0
"""GETs of a cuckoo table in software on one core of this machine, with a Bloom filter before it and
without one, by the share of keys that are there.

Cho and Choi, Figure 8, compares the circuit with software on the ARM cores of the same chip. This
is a plain program of the same kind (cuckoo_software.cc beside this file), without network or
protocol, on another machine: its figures stand beside those of `bench misses`, which has the same
keys and values and no network either. They are times, and differ from machine to machine.
"""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wirecache.benches import Options, Result, Table, misses
from wirecache.benches._native import printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EXACT = False
SLICES = 7  # of the filter, as many as the circuit's
GETS = 200_000
ROUNDS = 15
SEED = 1


def run(options: Options) -> Result:
    """All shares, filter and none; `count` GETs in each round."""
    gets = options.count or (20_000 if options.quick else GETS)
    rounds = 3 if options.quick else ROUNDS
    sizes = (misses.KEYS, misses.KEY_BYTES, misses.VALUE_BYTES, misses.FILTER_CELLS, SLICES)
    shares = [round(100 * share) for share in misses.SHARES]
    numbers = (SEED, *sizes, gets, rounds, *shares)
    points = printed("cuckoo_software", *numbers, also=("host/lookup3.cc",))
    for point in points:
        point["median"] = statistics.median(point["ns"])
    return Result([_table(points, gets, rounds)], {"points": points})


def _table(points: list[dict[str, Any]], gets: int, rounds: int) -> Table:
    rows: list[tuple[object, ...]] = []
    for point in points:
        absent = gets - point["hits"]
        rows.append(
            (
                *("yes" if point["filter"] else "no", f"{point['share']} %"),
                *(f"{point['median']:.0f}", f"{1000 / point['median']:.1f}"),
                f"{100 * point['denied'] / absent:.2f} %" if point["denied"] else "",
            )
        )
    return Table(
        f"GETs of random keys of {misses.KEY_BYTES} bytes, values of {misses.VALUE_BYTES}, in "
        "software on one core",
        ("filter", "of the keys there", "ns a GET", "M/s", "of the misses denied"),
        rows,
        (
            f"{processor()}; medians of {rounds} rounds of {gets:,} GETs; {misses.KEYS:,} keys",
            "the paper's software ran on a Cortex-A9 of 1 GHz, its circuit at 100 MHz",
        ),
    )


def processor() -> str:
    """As the system names it."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return "a processor without a name"


def plot(result: Result, axes: list[Axes]) -> None:
    (panel,) = axes
    for filtered in (False, True):
        mine = [p for p in result.data["points"] if p["filter"] == filtered]
        label = "filter" if filtered else "no filter"
        panel.plot([p["share"] for p in mine], [p["median"] for p in mine], "o-", label=label)
    panel.set(title="Nanoseconds a GET", xlabel="of the keys are there, %")
    panel.set_ylim(0, None)
    panel.legend()
