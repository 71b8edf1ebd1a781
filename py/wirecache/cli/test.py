# SPDX-License-Identifier: Apache-2.0
"""`wirecache test`: every test of the project."""

from __future__ import annotations

import os
import subprocess
import sys

import click

from wirecache import ROOT, setup
from wirecache.testbench.bench import FULL


@click.command("test", context_settings={"ignore_unknown_options": True})
@click.option(
    "--full", is_flag=True, help="The long runs too, and every case where the usual run draws some."
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1, 1024),
    default=2,
    show_default=True,
    help="Tests at a time.",
)
@click.argument("pytest_args", nargs=-1, type=click.UNPROCESSED)
def command(full: bool, jobs: int, pytest_args: tuple[str, ...]) -> None:
    """Runs the unit benches, the models' tests and the tests of the whole system.

    Anything else on the command line goes to pytest. Random tests print their seed;
    WIRECACHE_SEED=N repeats a run.

    \b
    Examples:
      ./wirecache test
      ./wirecache test hw/index -k hazard
      ./wirecache test --full
    """
    setup.need(setup.TEST_PACKAGES)
    setup.verilator_on_path()
    if not pytest_args or any(a.startswith("test") for a in pytest_args):
        from wirecache.board import build as board  # needs the build packages

        board.build(trace=False)
    arguments = [sys.executable, "-m", "pytest", "--dist", "worksteal", "-n", str(jobs)]
    if full:
        os.environ[FULL] = "1"
    else:
        arguments += ["-m", "not full"]
    status = subprocess.run([*arguments, *pytest_args], cwd=ROOT).returncode
    sys.exit(status)
