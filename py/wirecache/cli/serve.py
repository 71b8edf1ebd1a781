# SPDX-License-Identifier: Apache-2.0
"""`wirecache serve`: the simulated board on a real network port."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from wirecache.cli.board_options import Ip, board_options, has_tcp, start


def _link(ctx: click.Context, param: click.Parameter, value: str) -> str:
    if value == "slirp" or re.fullmatch(r"tap:[A-Za-z0-9_.-]{1,15}", value):
        return value
    raise click.BadParameter(
        f"'{value}' is neither slirp nor tap:NAME (1 to 15 letters, digits, '_', '.', '-')"
    )


@click.command("serve")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=11211,
    show_default=True,
    help="TCP port, of the board and of this machine. A board without TCP (--config udp) has none.",
)
@click.option(
    "--udp-port",
    type=click.IntRange(1, 65535),
    show_default="as --port",
    help="UDP port, of the board and of this machine.",
)
@click.option(
    "--conn-limit",
    type=click.IntRange(1, 65536),
    show_default="as many as the board has, 1024",
    metavar="N",
    help="Connections of TCP at once, memcached's -c: one more is told that there are too many.",
)
@click.option(
    "--idle-timeout",
    type=click.IntRange(0, 30_000),
    default=0,
    show_default="none",
    metavar="SECONDS",
    help="Ends a connection of TCP that sends nothing for so long: memcached's -o idle_timeout.",
)
@click.option(
    "--link",
    default="slirp",
    show_default=True,
    callback=_link,
    metavar="slirp|tap:NAME",
    help="Where the board's wire ends: in a user-mode network behind a port of this machine, or "
    "in a TAP device (root, or in a network namespace of your own).",
)
@click.option(
    "--bind",
    type=Ip(own=True),
    default="127.0.0.1",
    show_default=True,
    help="Address of this machine.",
)
@board_options
def command(
    port: int,
    conn_limit: int | None,
    idle_timeout: int,
    trace: Path | None,
    no_frame_header: bool,
    **options: Any,
) -> None:
    """Starts the simulated board and serves memcached clients until Ctrl-C or SIGTERM.

    Prints one line `wirecache ready …` when it accepts requests, and a summary at the end. While
    there is nothing to do it sleeps.

    \b
    Examples:
      ./wirecache serve
      ./wirecache serve --port 11311 --memory 24G
      ./wirecache serve --config udp
      ./wirecache serve --impair loss=1%,delay=20ms
      printf '\\0\\1\\0\\0\\0\\1\\0\\0get key\\r\\n' | nc -u -w1 127.0.0.1 11211
    On a TAP device the board is a host of its own, 10.0.2.15:
      sudo ./wirecache serve --link tap:wc0 &
      sudo ip address add 10.0.2.2/24 dev wc0
    """
    last = str(options["ip"]).rpartition(".")[2]
    if options["link"] == "slirp" and last in ("0", "255"):  # its network has 24 bits
        raise click.UsageError(f"--ip '{options['ip']}' stands for all machines of its network")
    named = {name.replace("_", "-"): value for name, value in options.items()}
    named["udp-port"] = options["udp_port"] or port
    tcp = has_tcp(str(options["config"]))
    if not tcp and (conn_limit or idle_timeout):
        raise click.UsageError("--conn-limit and --idle-timeout are for boards with TCP")
    named["tcp-port"] = port if tcp else 0
    named["conn-limit"], named["idle-timeout"] = conn_limit or 0, idle_timeout
    start("serve", trace, no_frame_header, named)
