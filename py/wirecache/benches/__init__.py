# SPDX-License-Identifier: Apache-2.0
"""Benches of `wirecache bench`: one module each, with a `run` that returns a `Table`.

Everything is counted in cycles of the core clock, so a bench gives the same figures every time;
only the speed of the simulation itself is measured in seconds.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wirecache import ROOT, frames

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


@dataclass(frozen=True)
class Played:
    """What came of a replay: the report, and every frame sent with its time in nanoseconds."""

    report: dict[str, Any]
    sent: list[tuple[int, bytes]]


def replay(requests: Iterable[bytes], *options: str) -> Played:
    """Plays frames through `wirecache replay`, back to back at 10 Gb/s unless options say else."""
    with tempfile.TemporaryDirectory() as folder:
        source, sink, report = (Path(folder, n) for n in ("in.pcap", "out.pcap", "report.json"))
        frames.write_pcap(source, ((i, frame) for i, frame in enumerate(requests)))
        command = [str(ROOT / "wirecache"), "replay", str(source), str(sink)]
        done = subprocess.run(
            [*command, "--json", str(report), *options], capture_output=True, text=True
        )
        if done.returncode != 0:
            raise RuntimeError(f"replay failed: {done.stderr.strip()}")
        return Played(json.loads(report.read_text()), list(frames.read_pcap(sink)))
