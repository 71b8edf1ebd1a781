# SPDX-License-Identifier: Apache-2.0
"""`wirecache synth`: area and clock of single modules."""

from __future__ import annotations

import json
from pathlib import Path

import click

from wirecache import synth as flow
from wirecache.setup import Failure


@click.command("synth")
@click.argument("modules", nargs=-1, required=True)
@click.option("--parameter", "-p", multiple=True, metavar="NAME=VALUE", help="Module parameter.")
@click.option("--area-only", is_flag=True, help="Synthesis without place and route.")
@click.option("--seed", default=1, show_default=True, help="Seed of the placer.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write figures here.")
@click.option("--path", is_flag=True, help="Print the critical path.")
def command(
    modules: tuple[str, ...],
    parameter: tuple[str, ...],
    area_only: bool,
    seed: int,
    json_file: Path | None,
    path: bool,
) -> None:
    """Area and clock of MODULES, each alone, on ECP5 LFE5U-85F speed 8 (about a minute each).

    \b
    Example:
      ./wirecache synth wc_lookup3 wc_index
    """
    parameters: dict[str, object] = {}
    for setting in parameter:
        name, equals, value = setting.partition("=")
        if not equals:
            raise Failure(f"--parameter takes NAME=VALUE, not {setting}")
        parameters[name] = value
    results = []
    click.echo(f"{'module':<24}{'LUT4':>8}{'FF':>8}{'EBR':>6}{'DSP':>6}{'MHz':>8}")
    for module in modules:
        try:
            result = flow.module_on_ecp5(module, parameters, not area_only, seed)
        except LookupError as error:
            raise Failure(str(error)) from error
        results.append(flow.as_dict(result))
        clock = "-" if result.fmax_mhz is None else f"{result.fmax_mhz:.1f}"
        click.echo(
            f"{module:<24}{result.lut4:>8}{result.ff:>8}{result.ebr:>6}{result.dsp:>6}{clock:>8}"
        )
        if path:
            click.echo("\n".join(f"    {line}" for line in result.critical_path))
    if json_file is not None:
        json_file.write_text(json.dumps(results, indent=2) + "\n")
