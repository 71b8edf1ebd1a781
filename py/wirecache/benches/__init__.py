# SPDX-License-Identifier: Apache-2.0
"""Benches of `wirecache bench`: one module each, with a `run` that returns a `Table`.

Everything is counted in cycles of the core clock, so a bench gives the same figures every time;
only the speed of the simulation itself is measured in seconds.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from wirecache.replay import Played, play

NAMES = ("line-rate", "speed")
CLOCK_NS = 6.4
WORD_BYTES = 8  # of the wire, in a cycle


@dataclass(frozen=True)
class Table:
    """Result of a bench: a title, the names of the columns, the rows, and what stands beside it."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[object, ...]]
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}


def replay(requests: Iterable[bytes], *options: str, rate: int = 10**10) -> Played:
    """Plays frames back to back at `rate` bits a second."""
    with tempfile.TemporaryDirectory() as folder:
        timed = ((0, frame) for frame in requests)
        return play(timed, Path(folder), *options, pace=("--rate", str(rate)))
