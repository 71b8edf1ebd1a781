# SPDX-License-Identifier: Apache-2.0
"""The TCP of the simulated peers with Linux at the other end (tcp_peer_linux.py)."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest
from wirecache.board import build as board
from wirecache.testbench import namespace

SCRIPT = Path(__file__).parent / "tcp_peer_linux.py"


@pytest.mark.skipif(not namespace.available(), reason=namespace.MISSING)
@pytest.mark.parametrize(
    "name",
    [
        *("whole_link", "no_options", "cuts", "bad_link", "slow_peer", "slow_server"),
        *("server_ends_first", "server_resets", "peer_aborts", "nobody_listens"),
    ],
)
def test_with_linux(name: str) -> None:
    seed = os.environ.get("WIRECACHE_SEED", str(random.randrange(1 << 31)))
    print(f"WIRECACHE_SEED={seed}")
    command = [sys.executable, str(SCRIPT), str(board.build_unit_tests()), seed, name]
    done = namespace.run(command, seconds=180)
    assert done.returncode == 0, done.stderr[-3000:]
