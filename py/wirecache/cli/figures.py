# SPDX-License-Identifier: Apache-2.0
"""`wirecache figures`: the plots and tables of docs/results.md, from the benches."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from wirecache import benches
from wirecache.cli.bench import COUNT, check_names, measure
from wirecache.report import synthesis as reports
from wirecache.setup import Failure, say


@click.command("figures")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    *("--from", "json_files"),
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="JSON",
    help="Takes what `bench --json` or `synth --json` wrote, instead of measuring.",
)
@click.option("--count", type=COUNT, help="Operations in a run.")
def command(names: tuple[str, ...], json_files: tuple[Path, ...], count: int | None) -> None:
    """Runs the benches NAME, or all of them, and puts what they find into docs/.

    NAME may also be a report of `synth`, such as synth-ecp5, or a bench of another configuration,
    such as latency@simulated; without a name these are left out.

    Every bench has a plot docs/figures/NAME.svg and a region of docs/results.md with its tables;
    the text around the regions is left as it is. The same figures give the same files, byte for
    byte.

    \b
    Examples:
      ./wirecache figures collisions
      ./wirecache figures latency@simulated
      ./wirecache bench --json all.json && ./wirecache figures --from all.json
    """
    _check(names)
    saved: dict[str, Any] = {}
    for file in json_files:
        try:
            saved |= json.loads(file.read_text())
        except ValueError as error:
            raise Failure(f"{file} is no JSON: {error}") from error
    _check(tuple(saved))
    if json_files:
        names = names or tuple(saved)
        absent = [name for name in names if name not in saved]
        if absent:
            raise Failure(f"{', '.join(map(str, json_files))}: no figures of {absent[0]}")
    elif not names:
        exact = [name for name in benches.names() if getattr(benches.module(name), "EXACT", True)]
        names = tuple(exact)

    from wirecache.report import figures  # matplotlib is slow to import

    for name in names:
        if name not in saved:
            say(name)
            saved[name] = _make(name, benches.Options(count)).as_dict()
        for path in figures.write(name, saved[name]):
            say(f"wrote {path}")


def _make(name: str, options: benches.Options) -> benches.Result:
    if name in reports.names():
        return reports.run(name)
    bench, config = benches.bench_of(name)
    os.environ["WIRECACHE_CONFIG"] = config  # for every board that a bench starts
    return measure(bench, options)


def _check(names: tuple[str, ...]) -> None:
    check_names(tuple(benches.bench_of(name)[0] for name in names if name not in reports.names()))
