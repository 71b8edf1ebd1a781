# SPDX-License-Identifier: Apache-2.0
"""Options of the commands that need no board: what makes no sense is one line, and nothing begins.

Those of the board are in test_serve.py and test_replay.py.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from wirecache import ROOT
from wirecache.board import build


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("bench line-rate --json /nowhere/at.json", "its folder does not exist"),
        ("bench line-rate --json /tmp", "is a directory"),
        ("bench line-rate --count 99", "is not in the range"),
        ("bench line-rate --count 99999999999999999999", "is not in the range"),
        ("bench no-such", "no bench no-such"),
        ("figures --count -5", "is not in the range"),
        ("figures --from /nowhere/at.json", "does not exist"),
        ("synth ecp5 --json /nowhere/at.json", "its folder does not exist"),
        ("synth ecp5 wc_hash --seed -1", "is not in the range"),
        ("synth ecp5 wc_hash --seed 99999999999999999999", "is not in the range"),
        ("synth ecp5 wc_hash --paths -1", "is not in the range"),
        ("synth ecp5 wc_hash -p Units", "--parameter takes NAME=VALUE"),
        ("synth ecp5 wc_hash -p =1", "--parameter takes NAME=VALUE"),
        ("synth ecp5 wc_hash -p Units=", "--parameter takes NAME=VALUE"),
        ("synth ecp5 --paths 3", "name a MODULE"),
        ("synth ecp5 --place", "name a MODULE"),
        ("synth ecp5 -p Units=1", "name a MODULE"),
        ("synth xcup wc_hash --place", "ecp5 only"),
        ("synth --check --record", "exclude each other"),
        ("synth --check --json /dev/null", "write no --json"),
        ("synth --check ecp5", "take no TARGET"),
        ("synth --quick", "needs that option"),
        ("formal -j 0", "is not in the range"),
        ("formal no-such", "no proof no-such"),
        ("test -j 0", "is not in the range"),
        ("lint no-such", "no linter no-such"),
        ("no-such", "No such command"),
    ],
)
def test_wrong_options(command: str, says: str, refusal: Callable[..., str]) -> None:
    assert says in refusal(*command.split())


@pytest.mark.parametrize(
    ("options", "port"),
    [("", "11211"), ("--config udp", "0"), ("--table --config simulated", "0")],
)
def test_tcp_of_a_session(
    options: str, port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table alone has none, even of a configuration that has."""
    board = tmp_path / "board"
    board.write_text('#!/bin/sh\necho "$@"\n')
    board.chmod(0o755)
    monkeypatch.setenv(build.READY, str(board))
    command = [sys.executable, str(ROOT / "wirecache"), "session", *options.split()]
    words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert words[words.index("--tcp-port") + 1] == port
