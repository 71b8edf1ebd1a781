# SPDX-License-Identifier: Apache-2.0
"""`wirecache replay`: Ethernet frames from a file through the simulated board, to a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from wirecache.cli.board_options import board_options, start

_LINE_RATE = 10_000_000_000
_DEFAULT_TIME = 1_700_000_000
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}


def _rate(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMG]?)", value.strip().upper())
    rate = round(float(match[1]) * _UNITS[match[2]]) if match else 0
    if not 1000 <= rate <= _LINE_RATE:
        raise click.BadParameter(f"'{value}' is no rate up to 10G; rates look like 10G or 500M")
    return rate


def _pause(ctx: click.Context, param: click.Parameter, value: str) -> str:
    if re.fullmatch(r"(\d{1,18}:\d{1,18})?", value) is None:
        raise click.BadParameter(f"'{value}' is no pause; pauses look like 2000000:156250")
    return value


@click.command("replay")
@click.argument("input", metavar="IN.pcap", type=click.Path(dir_okay=False))
@click.argument("output", metavar="OUT.pcap", type=click.Path(dir_okay=False))
@click.option(
    "--rate",
    callback=_rate,
    metavar="RATE",
    help="Bits per second on the wire, preambles and gaps included: frames follow at this pace. "
    "[default: 10G]",
)
@click.option("--as-captured", is_flag=True, help="Frames come when their time stamps say.")
@click.option(
    "--time",
    type=click.IntRange(0, 2**32 - 1),
    help=f"Unix time at the first frame, in seconds. [default: {_DEFAULT_TIME}; with "
    "--as-captured its time stamp]",
)
@click.option(
    "--udp-port",
    type=click.IntRange(1, 65535),
    default=11211,
    show_default=True,
    help="Of the board.",
)
@click.option(
    "--second",
    type=click.IntRange(1, 2**32 - 1),
    default=156_250_000,
    show_default=True,
    metavar="CYCLES",
    help="Cycles after which the board's clock counts a second: fewer, and items expire sooner.",
)
@click.option(
    "--host-pause",
    callback=_pause,
    default="",
    metavar="START:CYCLES",
    help="The host leaves the address queues alone for so many cycles, from this one on.",
)
@click.option(
    "--audit",
    is_flag=True,
    help="Afterwards looks for every value block: in the table, in a queue, or at the host. Exit "
    "status 1 if one is lost or in two places.",
)
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False),
    default="",
    metavar="FILE",
    help="Writes figures here: frames, drops by cause, cycles, operations, hits, all counters.",
)
@board_options
def command(
    input: str,
    output: str,
    rate: int | None,
    as_captured: bool,
    time: int | None,
    json_file: str,
    audit: bool,
    trace: Path | None,
    no_frame_header: bool,
    **options: Any,
) -> None:
    """Plays the Ethernet frames of IN.pcap into the board at the speed of its 10 Gb/s wire.

    What the board sends goes to OUT.pcap, time stamps (nanoseconds) in simulated time. Ends when
    all is answered. The board's second has 156,250,000 cycles.

    \b
    Examples:
      ./wirecache replay requests.pcap answers.pcap --json figures.json
      ./wirecache replay capture.pcap answers.pcap --as-captured
      ./wirecache replay requests.pcap answers.pcap --rate 1G --memory 24G
    """
    named = {name.replace("_", "-"): value for name, value in options.items()}
    named |= {"in": input, "out": output, "json": json_file, "audit": int(audit), "record": ""}
    if as_captured and rate is not None:
        raise click.UsageError("--rate and --as-captured exclude each other")
    named["rate"] = "as-captured" if as_captured else rate or _LINE_RATE
    if time is None:
        named["time"] = "as-captured" if as_captured else _DEFAULT_TIME
    else:
        named["time"] = time
    start("replay", trace, no_frame_header, named)
