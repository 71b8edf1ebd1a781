# SPDX-License-Identifier: Apache-2.0
"""The Bloom filter: keys for a share of false positives, and the false positives that there are.

Cho and Choi, Table 1: a filter of 4 KB. What k, m and N are is computed; then the circuit
(hw/bloom), alone and through Verilator, is filled with N random keys and asked for others. Beside
it the same filter in numpy, with the hashes of Kirsch and Mitzenmacher, and with those of k units.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wirecache import BUILD
from wirecache.benches import Options, Result, Table
from wirecache.circuit import rtl
from wirecache.making import cores, locked
from wirecache.model import bloom
from wirecache.model.bloom import Hash, Shape
from wirecache.setup import BUILD_PACKAGES, need, verilator_on_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BITS = 8 * 4096  # of the paper's filter
SHARES = (1e-3, 1e-4, 1e-5, 1e-6)  # of false positives
PAPER = ((10, 3227, 2279), (14, 2340, 1709), (17, 1927, 1367), (20, 1638, 1139))  # k, m, N
EVENTS = 1000  # false positives that are waited for: their number is right to 3 % or so
CHANGES = 10_000_000  # keys that are removed, each for another
BATCH = 1 << 20  # of questions
SEED = 1

Function = Callable[[Hash, int], Hash]


@dataclass(frozen=True)
class Found:
    """What a filter said of keys that were not there."""

    asked: int
    positives: int

    @property
    def share(self) -> float:
        return self.positives / self.asked


def run(options: Options) -> Result:
    """Table 1, and what is measured; `count` is how many false positives are waited for."""
    events = options.count or (50 if options.quick else EVENTS)
    changes = CHANGES // 1000 if options.quick else CHANGES
    points = []
    for share, paper in zip(SHARES[: 2 if options.quick else None], PAPER, strict=False):
        shape, keys = Shape.of(BITS, share), bloom.most_keys(BITS, share)
        asks = round(events / share)
        rounds = max(4, events // 50)  # of other keys: half of the cells are set but for some
        circuit = _circuit(shape, keys, asks // rounds, 0, rounds)
        changed = _circuit(shape, keys, asks, changes, 1)
        double, _ = _computed(bloom.kirsch_mitzenmacher, shape, keys, asks)
        units, expected = _computed(_unit, shape, keys, asks)
        points.append(
            {
                **{"share": share, "slices": shape.slices, "cells": shape.cells, "keys": keys},
                **{"paper": paper, "expected": expected, "changes": changes},
                **{"circuit": circuit, "changed": changed},
                **{"double": double.share, "units": units.share},
            }
        )
    return Result([_table(), _measured(points)], {"points": points})


# ---- the circuit --------------------------------------------------------------------------------
def _circuit(shape: Shape, keys: int, asks: int, changes: int, rounds: int) -> dict[str, int]:
    numbers = (SEED, keys, asks, changes, rounds)
    command = [str(_program(shape)), *map(str, numbers)]
    found: dict[str, int] = json.loads(
        subprocess.run(command, capture_output=True, check=True).stdout
    )
    return found


def _program(shape: Shape) -> Path:
    """The circuit of this shape with the C++ beside this file."""
    need(BUILD_PACKAGES)
    verilator_on_path()
    main = Path(__file__).with_name("bloom_filter.cc")
    sources = [*rtl.files("bloom").sources, main]
    inputs = b"".join(file.read_bytes() for file in (*sources, main.with_name("splitmix.h")))
    key = hashlib.sha256(inputs + repr(shape).encode()).hexdigest()
    with locked(BUILD / "bench" / f"bloom_{shape.slices}_{shape.cells}") as place:
        program = place.folder / "bloom_filter"
        if place.key != key or not program.exists():
            with place.making(key, [place.folder / "obj"]):
                place.run(
                    *(
                        "verilator",
                        "--cc",
                        "--exe",
                        "--build",
                        "-j",
                        str(cores()),
                        "-O3",
                        "--noassert",
                    ),
                    *("-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", "wc_bloom"),
                    *(f"-GSlices={shape.slices}", f"-GCells={shape.cells}"),
                    *("-CFLAGS", "-std=c++20 -O2"),
                    *("--Mdir", str(place.folder / "obj"), "-o", str(program)),
                    *(f"-I{folder}" for folder in rtl.files("bloom").include_dirs),
                    *map(str, sources),
                )
        return program


# ---- other hashes -------------------------------------------------------------------------------
def _unit(hash_: Hash, number: int) -> Hash:
    """As a unit of its own for each slice would give it: any two hashes of a key independent."""
    mixed = hash_ + np.uint64(0x9E3779B97F4A7C15 * (number + 1) & (1 << 64) - 1)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ mixed >> np.uint64(shift)) * np.uint64(factor)
    return (mixed ^ mixed >> np.uint64(31)) & np.uint64(0xFFFFFFFF)


def _computed(function: Function, shape: Shape, keys: int, asks: int) -> tuple[Found, float]:
    """What a filter with these hashes says, and P = p^k of the cells that are set; filled anew for
    each batch of questions."""
    draw = np.random.default_rng(SEED)
    positives = asked = 0
    expected = 0.0
    while asked < asks:
        names = draw.integers(0, 1 << 64, keys, np.uint64)
        slices = [np.zeros(shape.cells, np.bool_) for _ in range(shape.slices)]
        for cells, places in zip(slices, _cells(function, names, shape), strict=True):
            cells[places] = True
        left = draw.integers(0, 1 << 64, BATCH, np.uint64)
        for number, cells in enumerate(slices):
            left = left[cells[_cells(function, left, shape, number)[0]]]
        positives += len(left)
        asked += BATCH
        expected += BATCH * float(np.prod([cells.mean() for cells in slices]))
    return Found(asked, positives), expected / asked


def _cells(function: Function, hashes: Hash, shape: Shape, only: int | None = None) -> list[Hash]:
    if only is None:
        return bloom.cells_of(hashes, shape.slices, shape.cells, function)
    return bloom.cells_of(hashes, 1, shape.cells, lambda hash_, _: function(hash_, only))


# ---- what is shown ------------------------------------------------------------------------------
def _table() -> Table:
    rows: list[tuple[object, ...]] = []
    for share, paper in zip(SHARES, PAPER, strict=True):
        shape, keys = Shape.of(BITS, share), bloom.most_keys(BITS, share)
        rows.append((_percent(share), shape.slices, shape.cells, keys, *paper))
    return Table(
        "A filter of 4 KB",
        (
            *("false positives", "k: slices", "m: cells of one", "N: keys"),
            *("k, paper", "m, paper", "N, paper"),
        ),
        rows,
        (
            "k = log2(1 / P), rounded up, m = M / k and N = M (ln 2)^2 / -ln P, rounded down; half "
            "of the cells are set then (Cho and Choi, section 2 and Table 1). The paper's 3227 "
            "seems to be a slip: it is not M / 10",
            "the paper has bits; the circuit has counters of four bits in their place, as a cache "
            "forgets keys, so four times as much memory",
        ),
    )


def _measured(points: list[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = []
    for point in points:
        circuit, changed = (Found(p["asked"], p["positives"]) for p in _both(point))
        of_units = point["units"] / point["expected"]
        rows.append(
            (
                *(_percent(point["share"]), point["keys"], _percent(point["expected"])),
                *(_percent(circuit.share), f"{circuit.share / point['expected']:.2f}"),
                f"{point['double'] / point['expected']:.2f}",
                f"{of_units:.2f}",
                f"{changed.share / point['expected']:.2f}",
                sum(p["wanted"] - p["found"] for p in _both(point)),
            )
        )
    return Table(
        "False positives, measured",
        (
            *("wanted", "keys", "p^k", "circuit", "times p^k"),
            *("Kirsch-Mitzenmacher, times p^k", "k units, times p^k"),
            *("circuit, after changes, times p^k", "missing"),
        ),
        rows,
        (
            f"the circuit's hashes are three words for each slice, turned and added without "
            f"carries; changes: {points[0]['changes']:,} keys removed, each for another",
            "missing: keys that were there and not found",
            "h1 + i * h2 has two keys share all their cells if they share one and their steps are "
            "nearly the same: once in 2 k m^2 pairs or so, and there are N pairs for each question",
        ),
    )


def _both(point: dict[str, Any]) -> tuple[dict[str, int], dict[str, int]]:
    return point["circuit"], point["changed"]


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def plot(result: Result, axes: list[Axes]) -> None:
    points: list[dict[str, Any]] = result.data["points"]
    (panel,) = axes
    wanted = [100 * point["share"] for point in points]
    panel.plot(wanted, wanted, color="#888888", linewidth=0.8, label="as wanted")
    measured = [100 * point["circuit"]["positives"] / point["circuit"]["asked"] for point in points]
    panel.plot(wanted, measured, "o", label="circuit")
    panel.plot(wanted, [100 * p["double"] for p in points], "s", label="Kirsch-Mitzenmacher")
    panel.plot(wanted, [100 * p["units"] for p in points], "x", label="a unit for each slice")
    panel.set(title="False positives of a filter of 4 KB", xscale="log", yscale="log")
    panel.set(xlabel="wanted, %", ylabel="measured, %")
    panel.legend()
