# SPDX-License-Identifier: Apache-2.0
"""Shared by the system tests: the seed of random runs, and a memcached to compare with."""

import os
import random
from collections.abc import Iterator

import pytest
from wirecache.memcached import Memcached


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
