# SPDX-License-Identifier: Apache-2.0
"""`wirecache bench`: figures of the whole system."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table as RichTable

from wirecache import benches
from wirecache.setup import Failure


def _show(table: benches.Table) -> None:
    out = RichTable(title=table.title)
    for i, name in enumerate(table.columns):
        out.add_column(name, justify="left" if i == 0 else "right")
    for row in table.rows:
        out.add_row(*(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row))
    console = Console(width=max(Console().width, 140))
    console.print(out)
    for note in table.notes:
        console.print(note)


@click.command("bench")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write figures here.")
@click.option("--count", type=click.IntRange(min=100), help="Requests in a run.")
def command(names: tuple[str, ...], json_file: Path | None, count: int | None) -> None:
    """Measures the appliance through `replay`: line-rate, speed; all of them without NAME.

    \b
    Examples:
      ./wirecache bench line-rate
      ./wirecache bench --json figures.json
    """
    unknown = [n for n in names if n not in benches.NAMES]
    if unknown:
        raise Failure(f"no bench {unknown[0]}; there are {', '.join(benches.NAMES)}")
    figures = {}
    for name in names or benches.NAMES:
        module = importlib.import_module(f"wirecache.benches.{name.replace('-', '_')}")
        try:
            table = module.run() if count is None else module.run(count)
        except RuntimeError as error:
            raise Failure(str(error)) from error
        _show(table)
        figures[name] = table.as_dict()
    if json_file is not None:
        json_file.write_text(json.dumps(figures, indent=2) + "\n")
