# SPDX-License-Identifier: Apache-2.0
"""Writes what a bench or a synthesis found into docs/: its plot, and its region of results.md.

A region lies between two comments, `<!-- figures: NAME -->` and `<!-- end of NAME -->`. Where the
page has none for a bench, a section with one is added at its end.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from wirecache import ROOT, benches
from wirecache.report import synthesis as reports

DOCS = ROOT / "docs"
_PANEL_INCHES = (5.2, 3.6)
_STYLE: Any = {
    "svg.hashsalt": "wirecache",  # names inside the file are made from it: the same every time
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.grid": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.markersize": 4,
}


def write(name: str, saved: Mapping[str, Any], docs: Path | None = None) -> list[Path]:
    """Writes the figures of bench or report `name`, a `Result.as_dict`; returns the files."""
    result = benches.Result.from_dict(json.loads(json.dumps(saved)))
    docs = docs or DOCS
    written = []
    bench, config = benches.bench_of(name)
    option = "" if config == benches.CONFIG else f" --config {config}"
    made_by = reports.names().get(name, f"./wirecache bench {bench}{option}")
    module = None if name in reports.names() else benches.module(bench)
    if hasattr(module, "plot"):
        picture = docs / "figures" / f"{_file_name(name)}.svg"
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_text(_svg(module, result))
        written.append(picture)
    page = docs / "results.md"
    text = _region(name, made_by, result, bool(written))
    page.write_text(_with_region(page.read_text(), name, text))
    return [*written, page]


def _svg(module: Any, result: benches.Result) -> str:
    rows, columns = getattr(module, "PANELS", (1, 1))
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(_PANEL_INCHES[0] * columns, _PANEL_INCHES[1] * rows))
        module.plot(result, list(figure.subplots(rows, columns, squeeze=False).flat))
        figure.tight_layout()
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _region(name: str, made_by: str, result: benches.Result, picture: bool) -> str:
    parts = [f"`{made_by}`"]
    if picture:
        parts.append(f"![{result.tables[0].title}](figures/{_file_name(name)}.svg)")
    for table in result.tables:
        head = [f"**{table.title}**", "", _row(table.columns), _row(["---"] * len(table.columns))]
        parts.append("\n".join([*head, *map(_row, table.cells())]))
        if table.notes:
            parts.append("\n".join(f"* {note}" for note in table.notes))
    return "\n\n".join(parts)


def _file_name(name: str) -> str:
    return name.replace("@", "-")


def _row(cells: Any) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _with_region(text: str, name: str, region: str) -> str:
    begin, end = f"<!-- figures: {name} -->", f"<!-- end of {name} -->"
    if begin not in text:
        title = name.replace("-", " ").replace("@", ", configuration ").capitalize()
        text = f"{text.rstrip()}\n\n## {title}\n\n{begin}\n{end}\n"
    before, rest = text.split(begin, 1)
    after = rest.split(end, 1)[1]
    return f"{before}{begin}\n{region}\n{end}{after}"
