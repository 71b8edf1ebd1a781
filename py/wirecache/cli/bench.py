# SPDX-License-Identifier: Apache-2.0
"""`wirecache bench`: figures of the whole system."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table as RichTable

from wirecache import benches
from wirecache.cli.board_options import config_option
from wirecache.cli.files import OutputFile
from wirecache.setup import Failure

# Of operations in a run: more would not end within a day.
COUNT = click.IntRange(100, 1_000_000_000)


def show(table: benches.Table) -> None:
    """Prints a table with its notes."""
    out = RichTable(title=table.title)
    for i, name in enumerate(table.columns):
        out.add_column(name, justify="left" if i == 0 else "right")
    for row in table.cells():
        out.add_row(*row)
    console = Console(width=max(Console().width, 140))
    console.print(out)
    for note in table.notes:
        console.print(note)


def check_names(names: tuple[str, ...]) -> None:
    unknown = [n for n in names if n not in benches.names()]
    if unknown:
        raise Failure(f"no bench {unknown[0]}; there are {', '.join(benches.names())}")


def measure(name: str, options: benches.Options) -> benches.Result:
    """Runs a bench; what keeps it from running is one line."""
    try:
        result = benches.module(name).run(options)
    except RuntimeError as error:
        raise Failure(str(error)) from error
    assert isinstance(result, benches.Result)
    return result


@click.command("bench", epilog=f"Benches: {', '.join(benches.names())}.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--json", "json_file", type=OutputFile(), help="Write figures here.")
@click.option("--count", type=COUNT, help="Operations in a run.")
@click.option("--quick", is_flag=True, help="A few points only, to see that all works.")
@click.option(
    "--against",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    metavar="FOLDER",
    help="Another checkout: `speed` runs both in turn and gives the ratios.",
)
@config_option(benches.CONFIG)
def command(
    names: tuple[str, ...],
    json_file: Path | None,
    count: int | None,
    quick: bool,
    against: Path | None,
    config: str,
) -> None:
    """Measures the appliance and its table: the benches NAME, or all of them.

    \b
    Examples:
      ./wirecache bench line-rate
      ./wirecache bench speed --against ../before
      ./wirecache bench --json figures.json
    """
    check_names(names)
    os.environ["WIRECACHE_CONFIG"] = config  # for every board that a bench starts
    figures = {}
    for name in names or benches.names():
        result = measure(name, benches.Options(count, quick, against))
        for table in result.tables:
            show(table)
        figures[benches.figures_name(name, config)] = result.as_dict()
        if json_file is not None:  # after each: a long run that is cut short has something
            json_file.write_text(json.dumps(figures, indent=2) + "\n")
