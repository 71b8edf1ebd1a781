# SPDX-License-Identifier: Apache-2.0
"""`wirecache synth`: area, depth of logic and clock, of the core or of single modules."""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from wirecache.cli.bench import show
from wirecache.cli.files import OutputFile
from wirecache.flow import areas, place
from wirecache.flow import synth as flow
from wirecache.report import synthesis as reports
from wirecache.setup import Failure, say


@click.command("synth")
@click.argument("target", required=False, type=click.Choice(list(flow.TARGETS)))
@click.argument("modules", nargs=-1, metavar="[MODULE]...")
@click.option("--parameter", "-p", multiple=True, metavar="NAME=VALUE", help="Module parameter.")
@click.option("--place", "placed", is_flag=True, help="Place and route MODULE too (ecp5).")
@click.option("--plain", is_flag=True, help="--place by nextpnr alone, without the steps of ours.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**31 - 1),
    default=1,
    show_default=True,
    help="Seed of the placer for MODULE.",
)
@click.option(
    "--paths",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="Print the N deepest ways, and the slowest.",
)
@click.option("--check", is_flag=True, help="Area and depth of all blocks against hw/areas.json.")
@click.option(
    "--quick",
    is_flag=True,
    help="--check of one target, drawn by WIRECACHE_SEED or at random.",
)
@click.option("--record", is_flag=True, help="Write hw/areas.json.")
@click.option("--json", "json_file", type=OutputFile(), help="Write figures here.")
def command(
    target: str | None,
    modules: tuple[str, ...],
    parameter: tuple[str, ...],
    placed: bool,
    plain: bool,
    seed: int,
    paths: int,
    check: bool,
    quick: bool,
    record: bool,
    json_file: Path | None,
) -> None:
    """Area, depth of logic and clock on TARGET: of the core, block by block, or of MODULES alone.

    ecp5 is placed and routed with three seeds (some 30 minutes); xcup and xc7 are synthesis only
    (4 minutes each). Those with -item have the item index, the others the papers' table. Depth is
    look-up tables between registers. Without TARGET: all of them.

    \b
    Examples:
      ./wirecache synth ecp5 --json ecp5.json && ./wirecache figures --from ecp5.json
      ./wirecache synth xcup wc_index --paths 5
      ./wirecache synth ecp5 wc_hash --place
      ./wirecache synth ecp5 wc_ecp5 --place --plain --seed 4
      ./wirecache synth --check
    """
    if quick and not check:
        raise Failure("--quick says what to --check: it needs that option")
    if check or record:
        if target or modules:
            raise Failure("--check and --record are of the whole core: they take no TARGET")
        if check and record:
            raise Failure("--check and --record exclude each other")
        if json_file is not None:
            raise Failure("--check and --record write no --json")
        _regression(record, quick)
        return
    if not modules and (parameter or placed or paths):
        raise Failure("--parameter, --place and --paths are of single modules: name a MODULE")
    if not modules:
        saved: Any = {}
        for name in [f"synth-{target}"] if target else list(reports.names()):
            result = reports.run(name)
            for table in result.tables:
                show(table)
            saved[name] = result.as_dict()
            _write(json_file, saved)  # after each: a long run that is cut short has something
        return
    assert target is not None
    if placed and flow.TARGETS[target].family != "ecp5":
        raise Failure("there is open place and route for ecp5 only")
    if plain and not placed:
        raise Failure("--plain says how to --place: it needs that option")
    ours = partial(_with_our_steps, flow.TARGETS[target])
    route = (_plainly if plain else ours) if placed else None
    _write(json_file, _alone(flow.TARGETS[target], modules, parameter, route, seed, paths))


Route = Callable[[Path, int], place.Routed]


def _plainly(design: Path, seed: int) -> place.Routed:
    return place.route_plainly(design, seed, reports.AIM_MHZ)


def _with_our_steps(target: flow.Target, design: Path, seed: int) -> place.Routed:
    ready = place.prepare(design, target.full)
    return place.route(ready, seed, reports.AIM_MHZ, target.full)


def _regression(record: bool, quick: bool) -> None:
    targets: Sequence[str] = areas.CHECKED
    if quick:
        seed = int(os.environ.get("WIRECACHE_SEED", random.randrange(1 << 31)))
        say(f"WIRECACHE_SEED={seed}")
        targets = areas.drawn(seed)
    say(f"synthesis for {' and '.join(targets)} (some 8 minutes)")
    measured = areas.measure(targets)
    if record:
        areas.record(measured)
        return
    found = areas.findings(measured)
    for line in found:
        click.echo(line)
    if found:
        click.echo("If this is meant: ./wirecache synth --record")
        sys.exit(1)
    click.echo(f"area and depth of {sum(map(len, measured.values()))} blocks: as recorded")


def _alone(
    target: flow.Target,
    modules: tuple[str, ...],
    parameter: tuple[str, ...],
    route: Route | None,
    seed: int,
    paths: int,
) -> list[dict[str, object]]:
    parameters = dict(map(_setting, parameter))
    saved: list[dict[str, object]] = []
    columns = ("LUT", "FF", target.memory, "DSP", "depth", "MHz")
    click.echo(f"{'module':<24}" + "".join(f"{name:>8}" for name in columns))
    for module in modules:
        try:
            made = (flow.harnessed if route else flow.module)(target, module, parameters)
        except LookupError as error:
            raise Failure(str(error)) from error
        routed = route(made.flat, seed) if route else None
        figures: dict[str, object] = {
            **{"module": module, "lut": made.total.lut, "ff": made.total.ff},
            **{"ram": made.total.block_ram, "dsp": made.total.dsp, "depth": made.depth()},
            "mhz": round(routed.fmax_mhz, 1) if routed else "-",
        }
        saved.append(figures)
        click.echo(f"{module:<24}" + "".join(f"{x!s:>8}" for x in list(figures.values())[1:]))
        for way in made.ways[:paths]:
            click.echo(f"  {way.depth} deep:\n" + "\n".join(f"    {cell}" for cell in way.cells))
        if routed and paths:
            hops = (f"    {hop}" for hop in reports.hops(routed.slowest))
            click.echo("  slowest:\n" + "\n".join(hops))
    return saved


def _write(file: Path | None, figures: object) -> None:
    if file is not None:
        file.write_text(json.dumps(figures, indent=2) + "\n")


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise Failure(f"--parameter takes NAME=VALUE, not {text}")
    return name, value
