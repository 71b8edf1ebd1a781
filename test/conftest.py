# SPDX-License-Identifier: Apache-2.0
"""Shared by the system tests: the seed of random runs, and memcached and the simulated board."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from wirecache import ROOT
from wirecache.memcached import Memcached, free_port


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """WIRECACHE_SEED or a random one; pytest shows it when the test fails."""
    value = int(os.environ.get("WIRECACHE_SEED", random.randrange(1 << 31)))
    print(f"{request.node.name}: WIRECACHE_SEED={value}")
    return value


@pytest.fixture
def memcached() -> Iterator[Memcached]:
    """A fresh memcached, so that CAS numbers start at 1."""
    with Memcached() as server:
        yield server


@pytest.fixture
def server() -> Iterator[int]:
    """A simulated board that was just started; its UDP port."""
    port = free_port()
    command = [sys.executable, str(ROOT / "wirecache"), "serve", "--udp-port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line.startswith("wirecache ready"), line
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        print(process.communicate(timeout=20)[0])
