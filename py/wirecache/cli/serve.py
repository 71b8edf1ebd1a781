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


class Keepalive(click.ParamType[tuple[int, int, int]]):
    """IDLE[/INTERVAL/PROBES] in seconds, or 0: none."""

    name = "keepalive"
    usual = (7200, 75, 9)  # Linux's tcp_keepalive_time, _intvl and _probes
    most = (30_000, 30_000, 127)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int, int]:
        match = re.fullmatch(r"([0-9]{1,9})(?:/([0-9]{1,9})/([0-9]{1,9}))?", value)
        if not match:
            self.fail(f"'{value}' is neither IDLE nor IDLE/INTERVAL/PROBES", param, ctx)
        _, interval, probes = self.usual
        idle, interval, probes = int(match[1]), int(match[2] or interval), int(match[3] or probes)
        if not idle:
            return 0, 0, 0
        for number, most, of in zip(
            (idle, interval, probes), self.most, ("seconds", "seconds", "probes"), strict=True
        ):
            if not 1 <= number <= most:
                self.fail(f"{number} {of} in '{value}' are not 1 to {most}", param, ctx)
        return idle, interval, probes


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
    "--keepalive",
    type=Keepalive(),
    show_default="7200/75/9, as Linux has it",
    metavar="IDLE[/INTERVAL/PROBES]",
    help="A peer of TCP of which nothing has come for IDLE seconds is asked whether it is there, "
    "each INTERVAL again; when PROBES had no answer its connection ends. 0: none is asked.",
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
    keepalive: tuple[int, int, int] | None,
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
    if not tcp and (conn_limit or idle_timeout or keepalive is not None):
        raise click.UsageError(
            "--conn-limit, --idle-timeout and --keepalive are for boards with TCP"
        )
    named["tcp-port"] = port if tcp else 0
    named["conn-limit"], named["idle-timeout"] = conn_limit or 0, idle_timeout
    numbers = Keepalive.usual if keepalive is None else keepalive
    for name, number in zip(("idle", "interval", "probes"), numbers, strict=True):
        named[f"keepalive-{name}"] = number
    start("serve", trace, no_frame_header, named)
