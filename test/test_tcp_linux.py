# SPDX-License-Identifier: Apache-2.0
"""The model of TCP with Linux at the other end (tcp_linux.py)."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest
from wirecache.testbench import namespace

SCRIPT = Path(__file__).parent / "tcp_linux.py"


@pytest.mark.skipif(not namespace.available(), reason=namespace.MISSING)
@pytest.mark.parametrize(
    "name",
    [
        "whole_link",
        "scaled_window",
        "lossy_link",
        "first_lost",
        "slow_reader",
        "ends",
        "many",
        "bytes_alone",
        "keepalive",
    ],
)
def test_with_linux(name: str) -> None:
    seed = os.environ.get("WIRECACHE_SEED", str(random.randrange(1 << 31)))
    print(f"WIRECACHE_SEED={seed}")
    done = namespace.run([sys.executable, str(SCRIPT), seed, name], seconds=180)
    assert done.returncode == 0, done.stderr[-3000:]
