# SPDX-License-Identifier: Apache-2.0
"""`wirecache replay`: Ethernet frames from a file through the simulated board, to a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from wirecache.cli.board_options import board_options, has_tcp, start
from wirecache.cli.files import OutputFile, require_apart
from wirecache.setup import Failure
from wirecache.traffic import frames

_LINE_RATE = 10_000_000_000
_LEAST_RATE = 1000
_SECOND_CYCLES = 156_250_000
_LONGEST_PAUSE = 10**10  # cycles: a minute of the board, hours of simulation
_DEFAULT_TIME = 1_700_000_000
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}


def _rate(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    if value is None:
        return None
    match = re.fullmatch(r"([0-9]{1,20}(?:\.[0-9]{1,20})?)([KMG]?)", value.strip().upper())
    rate = round(float(match[1]) * _UNITS[match[2]]) if match else 0
    if not _LEAST_RATE <= rate <= _LINE_RATE:
        raise click.BadParameter(f"'{value}' is no rate from 1K to 10G; they look like 2.5G, 500M")
    return rate


def _pause(ctx: click.Context, param: click.Parameter, value: str) -> str:
    match = re.fullmatch(r"([0-9]{1,18}):([0-9]{1,18})", value)
    if value and match is None:
        raise click.BadParameter(f"'{value}' is no pause; pauses look like 2000000:156250")
    if match is not None and max(map(int, match.groups())) > _LONGEST_PAUSE:
        raise click.BadParameter(f"'{value}' is more than {_LONGEST_PAUSE} cycles")
    return value


@click.command("replay")
@click.argument("input", metavar="IN.pcap", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("output", metavar="OUT.pcap", type=OutputFile())
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
    help="Of the board, and that of TCP if it has it.",
)
@click.option(
    "--raw-tcp",
    is_flag=True,
    help="Segments of TCP go in as they were captured, too. [default: clients of the board's own "
    "say what those of the capture said]",
)
@click.option(
    "--second",
    type=click.IntRange(1, 2**32 - 1),
    metavar="CYCLES",
    help="Cycles after which the board's clock counts a second: fewer, and items expire sooner. "
    f"[default: {_SECOND_CYCLES}; with --as-captured time stamps are the clock]",
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
    type=OutputFile(),
    metavar="FILE",
    help="Writes figures here: frames, drops by cause, cycles, operations, hits, all counters.",
)
@board_options
def command(
    input: Path,
    output: Path,
    rate: int | None,
    as_captured: bool,
    time: int | None,
    second: int | None,
    json_file: Path | None,
    audit: bool,
    trace: Path | None,
    no_frame_header: bool,
    raw_tcp: bool,
    **options: Any,
) -> None:
    """Plays the Ethernet frames of IN.pcap into the board at the speed of its 10 Gb/s wire.

    IN.pcap is a capture in pcap or pcapng, which gzip may have compressed. Its frames are whole:
    those that were cut when they were captured are an error.

    Connections over TCP to the board's port, whatever their addresses, are made anew. Each says
    what its client said, request by request, and waits for the answers that its client had waited
    for; with --as-captured pauses are as long as they were, else there are none. A request that is
    not answered ends the command with status 1. All other frames go in as they are.

    What the board sends goes to OUT.pcap, time stamps (nanoseconds) in simulated time. Ends when
    all is answered. The board's second has 156,250,000 cycles.

    \b
    Examples:
      ./wirecache replay requests.pcap answers.pcap --json figures.json
      ./wirecache replay capture.pcap answers.pcap --as-captured
      ./wirecache replay requests.pcap answers.pcap --rate 1G --memory 24G
      ./wirecache replay requests.pcap answers.pcap --impair loss=1%,delay=50us
    """
    require_apart({"IN.pcap": input, "OUT.pcap": output, "--json": json_file, "--trace": trace})
    if as_captured and rate is not None:
        raise click.UsageError("--rate and --as-captured exclude each other")
    if as_captured and second is not None:
        raise click.UsageError("--second and --as-captured exclude each other")
    try:
        capture = frames.as_plain_pcap(input)
    except (frames.CaptureError, OSError) as error:
        raise Failure(f"cannot read {input}: {getattr(error, 'strerror', None) or error}") from None
    named = {name.replace("_", "-"): value for name, value in options.items()}
    named |= {"in": capture, "out": output, "json": json_file or "", "audit": int(audit)}
    named |= {"record": "", "traffic": "", "raw-tcp": int(raw_tcp)}
    named["tcp-port"] = options["udp_port"] if has_tcp(str(options["config"])) else 0
    named["rate"] = "as-captured" if as_captured else rate or _LINE_RATE
    named["second"] = second or _SECOND_CYCLES
    if time is None:
        named["time"] = "as-captured" if as_captured else _DEFAULT_TIME
    else:
        named["time"] = time
    start("replay", trace, no_frame_header, named)
