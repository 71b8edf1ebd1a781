# SPDX-License-Identifier: Apache-2.0
"""`wirecache optimize`: the simulated board, built for the ways that its program takes."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from wirecache.board import build as board
from wirecache.board.replay import play
from wirecache.circuit import config as configs
from wirecache.cli.board_options import config_option
from wirecache.traffic import frames
from wirecache.traffic.requests import Mix, Traffic

_MESSAGES = 4000
_PAUSE_NS = 2000  # between messages where the board has time, on average


@click.command("optimize")
@config_option("")
def command(config: str) -> None:
    """Builds the simulated board by a profile: it then runs up to 1.3 times as fast.

    Takes three times as long as a plain build. All commands find the program until a source
    changes. Needs clang and its tools, which root installs.

    \b
    Examples:
      ./wirecache optimize
      ./wirecache optimize --config bucket
    """
    click.echo(board.optimize(_train, config=configs.parse(config) if config else None))


def _train(program: Path) -> None:
    """Random requests of all kinds, at the wire's rate and then with pauses."""
    os.environ[board.READY] = str(program)
    with tempfile.TemporaryDirectory(prefix="wirecache-") as folder:
        play(_requests(1), Path(folder), pace=("--rate", "10G"))
        play(_requests(2), Path(folder))
    del os.environ[board.READY]


def _requests(seed: int) -> Iterator[tuple[int, bytes]]:
    chance = random.Random(seed)
    traffic = Traffic(seed=seed, mix=Mix(keys=300))
    now = 1_800_000_000 * 10**9
    for number, message in enumerate(traffic.messages(_MESSAGES)):
        yield now, frames.request(message.data, number & 0xFFFF)
        now += int(chance.expovariate(1 / _PAUSE_NS))
