# SPDX-License-Identifier: Apache-2.0
"""`wirecache synth`: area, depth of logic and clock, of the core or of single modules."""

from __future__ import annotations

import json
from pathlib import Path

import click

from wirecache import place
from wirecache import synth as flow
from wirecache.setup import Failure


@click.command("synth")
@click.argument("target", type=click.Choice(list(flow.TARGETS)))
@click.argument("modules", nargs=-1, metavar="[MODULE]...")
@click.option("--parameter", "-p", multiple=True, metavar="NAME=VALUE", help="Module parameter.")
@click.option("--place", "placed", is_flag=True, help="Place and route MODULE too (ecp5).")
@click.option("--seed", default=1, show_default=True, help="Seed of the placer for MODULE.")
@click.option("--paths", default=0, metavar="N", help="Print the N deepest ways, and the slowest.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write figures here.")
def command(
    target: str,
    modules: tuple[str, ...],
    parameter: tuple[str, ...],
    placed: bool,
    seed: int,
    paths: int,
    json_file: Path | None,
) -> None:
    """Area and depth of logic on TARGET: of MODULES, each alone.

    Depth is look-up tables between registers.

    \b
    Examples:
      ./wirecache synth xcup wc_index --paths 5
      ./wirecache synth ecp5 wc_hash --place
    """
    chosen = flow.TARGETS[target]
    if placed and target != "ecp5":
        raise Failure("there is open place and route for ecp5 only")
    parameters = dict(map(_setting, parameter))
    saved = []
    columns = ("LUT", "FF", chosen.memory, "DSP", "depth", "MHz")
    click.echo(f"{'module':<24}" + "".join(f"{name:>8}" for name in columns))
    for module in modules:
        try:
            made = (flow.harnessed if placed else flow.module)(chosen, module, parameters)
        except LookupError as error:
            raise Failure(str(error)) from error
        routed = place.route(made.flat, seed, mhz=200) if placed else None
        figures = {
            **{"module": module, "lut": made.total.lut, "ff": made.total.ff},
            **{"ram": made.total.block_ram, "dsp": made.total.dsp, "depth": made.depth()},
            "mhz": round(routed.fmax_mhz, 1) if routed else None,
        }
        saved.append(figures)
        click.echo(
            f"{module:<24}" + "".join(f"{x!s:>8}" for x in list(figures.values())[1:] if x != "")
        )
        for way in made.ways[:paths]:
            click.echo(f"  {way.depth} deep:\n" + "\n".join(f"    {cell}" for cell in way.cells))
        if routed and paths:
            click.echo("  slowest:\n" + "\n".join(f"    {line}" for line in routed.critical))
    if json_file is not None:
        json_file.write_text(json.dumps(saved, indent=2) + "\n")


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise Failure(f"--parameter takes NAME=VALUE, not {text}")
    return name, value
