# SPDX-License-Identifier: Apache-2.0
"""`wirecache formal`: all proofs, each with its rules, its covers and the faults it must find."""

from __future__ import annotations

import os
import random
import sys

import click
from rich.console import Console
from rich.table import Table

from wirecache.proof import formal
from wirecache.setup import Failure, say

QUICK_MUTANTS = 3


@click.command("formal")
@click.argument("names", nargs=-1, metavar="[PROOF]...")
@click.option(
    "--quick",
    is_flag=True,
    help="Only those that take less than a minute, half of them if none is named, each with "
    f"{QUICK_MUTANTS} of its mutants.",
)
@click.option("--rules", is_flag=True, help="Print the rules of each proof, and prove nothing.")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1, 1024),
    default=2,
    show_default=True,
    help="Proofs at a time.",
)
def command(names: tuple[str, ...], quick: bool, rules: bool, jobs: int) -> None:
    """Proves what the cells promise: for ever where induction closes, else to a depth.

    PROOF is the name of a proof's top module or of the cell it is about. Each must reach its covers
    and fail with its mutants. Exit status 1 when anything does not hold. --quick draws what
    it takes and prints the seed; WIRECACHE_SEED=N repeats a run.

    \b
    Examples:
      ./wirecache formal
      ./wirecache formal wc_fifo --rules
    """
    known = formal.proofs()
    unknown = [n for n in names if not any(n in (p.top, p.cell) for p in known)]
    if unknown:
        raise Failure(f"no proof {unknown[0]}; there are {', '.join(p.cell for p in known)}")
    chosen = [
        p
        for p in known
        if (not names or p.top in names or p.cell in names) and not (quick and p.slow)
    ]
    if rules:
        for proof in chosen:
            click.echo(proof.cell)
            for number, rule in enumerate(proof.rules, 1):
                click.echo(f"  {number}. {rule}")
        return
    if quick:
        seed = int(os.environ.get("WIRECACHE_SEED", random.randrange(1 << 31)))
        say(f"WIRECACHE_SEED={seed}")
        chosen = chosen if names else formal.some(chosen, seed)
        chosen = [formal.with_some_mutants(proof, QUICK_MUTANTS, seed) for proof in chosen]
    table = Table(title="Proofs")
    for name in ("cell", "rules", "parameter sets", "status", "covers", "mutants caught", "s"):
        table.add_column(name, justify="left" if name in ("cell", "status") else "right")
    bad = []
    for outcome in formal.run(chosen, jobs):
        proof = outcome.proof
        click.echo(f"{proof.cell:<24}{outcome.status:<16}{outcome.seconds:6.1f} s", err=True)
        bad += [f"{proof.cell}: {problem}" for problem in outcome.problems]
        table.add_row(
            proof.cell,
            str(len(proof.rules)),
            str(len(proof.parameters)),
            outcome.status,
            str(outcome.covers),
            f"{outcome.caught} of {len(proof.mutants)}",
            f"{outcome.seconds:.1f}",
        )
    Console(width=max(Console().width, 100)).print(table)
    for problem in bad:
        click.echo(f"    {problem}")
    sys.exit(1 if bad else 0)
