# SPDX-License-Identifier: Apache-2.0
"""`wirecache lint`: every linter of the project."""

from __future__ import annotations

import sys

import click

from wirecache import setup
from wirecache.lint import linters as lint


@click.command("lint")
@click.argument("names", nargs=-1, metavar="[LINTER]...")
def command(names: tuple[str, ...]) -> None:
    """Runs all linters, or those named, and prints their findings.

    RTL: verilator, slang, elaboration (Yosys, every configuration), verible, "house rules",
    catalogue (docs/blocks.md). All: files (nothing binary). Python: ruff, mypy. C++: clang-format.
    Exit status 1 when any of them finds something.

    \b
    Example:
      ./wirecache lint verilator slang
    """
    unknown = [n for n in names if n not in lint.CHECKS]
    if unknown:
        raise setup.Failure(f"no linter {unknown[0]}; there are {', '.join(lint.CHECKS)}")
    setup.need(setup.BUILD_PACKAGES)
    wanted = names or tuple(lint.CHECKS)
    bad = False
    for name, findings in zip(wanted, lint.run(wanted), strict=True):
        bad |= bool(findings)
        count = f"{len(findings)} finding{'s' if len(findings) > 1 else ''}"
        click.echo(f"{name:<14}{count if findings else 'ok'}")
        for finding in findings:
            click.echo(f"    {finding}")
    sys.exit(1 if bad else 0)
