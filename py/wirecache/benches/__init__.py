# SPDX-License-Identifier: Apache-2.0
"""Benches of `wirecache bench` and `wirecache figures`: one module each, found by its name.

A bench is a module `benches/<name>.py`, called `<name>` with hyphens on the command line, with

    def run(options: Options) -> Result     measures; takes Options() for its defaults
    def plot(result: Result, axes: list[Axes]) -> None      optional: draws the figure
    PANELS = (1, 2)                         optional: rows and columns of `axes`, (1, 1) by default
    EXACT = False                           optional: its figures differ from run to run, so
                                            `figures` leaves it out unless it is named

`plot` sees only what has been through JSON (tuples are lists, keys are strings): a figure can be
drawn again from the file that `bench --json` wrote. It never imports matplotlib at the top of the
module (use TYPE_CHECKING): other commands would wait for it. The numbers of the papers stand beside
the measured ones, as columns or notes of a table and as lines of the plot.

A module whose name begins with an underscore is no bench.

Everything is counted in cycles of the core clock, so a bench gives the same figures every time;
only the speed of the simulation itself is measured in seconds.
"""

from __future__ import annotations

import importlib
import pkgutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from wirecache.board.replay import Played, play

CONFIG = "bucket"  # measured if nothing else is said: its figures stand beside the papers'
CLOCK_NS = 6.4
WORD_BYTES = 8  # of the wire, in a cycle


@dataclass(frozen=True)
class Options:
    """What the command line may ask of a bench."""

    count: int | None = None  # operations in a run; None: as many as the bench wants
    quick: bool = False  # a few points only, as tests want them
    against: Path | None = None  # another checkout, to compare the speed of the simulation with


@dataclass(frozen=True)
class Table:
    """A title, the names of the columns, the rows, and what stands beside them."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {
            **{"title": self.title, "columns": list(self.columns)},
            **{"rows": rows, "notes": list(self.notes)},
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Table:
        columns = tuple(saved["columns"])
        rows = [tuple(row[name] for name in columns) for row in saved["rows"]]
        return cls(saved["title"], columns, rows, tuple(saved["notes"]))

    def cells(self) -> list[list[str]]:
        """The rows as they are shown: integers with a comma at the thousands."""
        return [
            [f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row]
            for row in self.rows
        ]


@dataclass(frozen=True)
class Result:
    """What a bench found: tables, and `data` of JSON's types that its plot needs beside them."""

    tables: list[Table]
    data: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {"tables": [table.as_dict() for table in self.tables], "data": self.data}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Result:
        return cls([Table.from_dict(table) for table in saved["tables"]], saved["data"])


def figures_name(bench: str, config: str) -> str:
    """What the figures of a bench are called: `latency`, or of another configuration
    `latency@simulated`."""
    return bench if config == CONFIG else f"{bench}@{config}"


def bench_of(figures: str) -> tuple[str, str]:
    """The bench that figures are of, and the configuration."""
    bench, _, config = figures.partition("@")
    return bench, config or CONFIG


def names() -> list[str]:
    """The benches there are."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return [name.replace("_", "-") for name in modules if not name.startswith("_")]


def module(name: str) -> ModuleType:
    """The module of a bench."""
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")


def replay(requests: Iterable[bytes], *options: str, rate: int = 10**10) -> Played:
    """Plays frames back to back at `rate` bits a second."""
    with tempfile.TemporaryDirectory() as folder:
        timed = ((0, frame) for frame in requests)
        return play(timed, Path(folder), *options, pace=("--rate", str(rate)))
