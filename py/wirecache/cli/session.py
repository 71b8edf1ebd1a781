# SPDX-License-Identifier: Apache-2.0
"""`wirecache session`: captures that come after each other into one simulated board."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wirecache.cli.board_options import board_options, has_tcp, start


@click.command("session")
@click.option(
    "--udp-port",
    type=click.IntRange(1, 65535),
    default=11211,
    show_default=True,
    help="Of the board, and that of TCP if it has it.",
)
@click.option("--table", is_flag=True, help="The table alone, fed with operations.")
@board_options
def command(table: bool, trace: Path | None, no_frame_header: bool, **options: Any) -> None:
    """Replays captures one after the other into a board that keeps what it holds.

    For programs; `wirecache.board.session` is one. Every line of standard input names a capture, in
    words with a tab between them, and is answered by a line of JSON when all is answered: the
    figures of `replay` for this capture. The words are, all required, each before its value: --in,
    --traffic (a plan of clients over TCP in place of --in, which is empty then, or empty), --out
    (empty: nobody wants it), --record (a file for when what passed which stage, or empty),
    --raw-tcp (1: segments of TCP go in as they are; 0: clients are made of them), --frame-header
    (0 or 1), --rate (bits per second, as-captured, or as-taken: the circuit may stall the wire),
    --time (seconds, or as-captured), --second (cycles), --host-pause (START:CYCLES or empty),
    --audit (0 or 1). The board ends with standard input.
    """
    named = {name.replace("_", "-"): value for name, value in options.items()}
    # The table alone has no link, whatever the configuration says.
    tcp = not table and has_tcp(str(options["config"]))
    named["tcp-port"] = options["udp_port"] if tcp else 0
    start("session", trace, no_frame_header, named, table)
