# SPDX-License-Identifier: Apache-2.0
"""Shared by the system tests: the seed of random runs, and memcached and the simulated board."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from wirecache.board import build as board
from wirecache.cli import main
from wirecache.oracle.memcached import Memcached
from wirecache.testbench.serving import serving


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """WIRECACHE_SEED or a random one; pytest shows it when the test fails."""
    value = int(os.environ.get("WIRECACHE_SEED", random.randrange(1 << 31)))
    print(f"{request.node.name}: WIRECACHE_SEED={value}")
    return value


@pytest.fixture(scope="module")
def default_board() -> Iterator[None]:
    """The board that is there if nothing else is said, which has TCP, is built."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("WIRECACHE_CONFIG", raising=False)
        board.build()
        yield


REFUSAL_SECONDS = 120


@pytest.fixture
def refusal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Runs a command of `./wirecache` that must end with exit status 2 and one line, and gives the
    line. In this process: a start of Python for each would take long. A command that begins its
    work instead is cut short."""

    def late(*_: object) -> None:
        raise AssertionError("it goes on instead of refusing")

    def execv(program: Path, arguments: list[str]) -> None:
        done = subprocess.run(
            arguments, executable=program, close_fds=False, capture_output=True, text=True
        )
        print(done.stdout, end="")
        print(done.stderr, end="", file=sys.stderr)
        sys.exit(done.returncode)

    def run(*words: str) -> str:
        monkeypatch.setattr(os, "execv", execv)
        monkeypatch.setattr(sys, "argv", ["wirecache", *words])
        before = signal.signal(signal.SIGALRM, late)
        signal.setitimer(signal.ITIMER_REAL, REFUSAL_SECONDS, 1)  # again for what cleans up
        try:
            with pytest.raises(SystemExit) as ended:
                main()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        out, said = capsys.readouterr()
        assert ended.value.code == 2, said
        assert out == ""
        assert said.startswith("wirecache: ") and said.count("\n") == 1, said
        return said

    return run


@pytest.fixture
def memcached() -> Iterator[Memcached]:
    """A fresh memcached, so that CAS numbers start at 1."""
    with Memcached() as server:
        yield server


@pytest.fixture
def server() -> Iterator[int]:
    """A simulated board that was just started; its UDP port."""
    with serving() as board:
        yield board.port
        print(board.stop())
