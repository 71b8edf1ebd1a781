# SPDX-License-Identifier: Apache-2.0
"""The launcher's first start: two at once, one that was killed, a checkout that has moved; and
places where nothing can be built."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from wirecache import ROOT, setup
from wirecache.cli import COMMANDS

WAIT_SECONDS = 120
# In place of the command line: an environment of no packages will do for this one.
MAIN = "import sys\nprint(sys.prefix)\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The launcher and what it uses, as if freshly cloned."""
    root = tmp_path / "checkout"
    package = root / "py" / "wirecache"
    package.mkdir(parents=True)
    shutil.copy(ROOT / "wirecache", root)
    for name in ("__init__.py", "setup.py"):
        shutil.copy(ROOT / "py" / "wirecache" / name, package)
    (package / "__main__.py").write_text(MAIN)
    (root / "py" / "requirements.txt").write_text("# nothing\n")
    return root


@contextmanager
def starting(root: Path) -> Iterator[subprocess.Popen[str]]:
    """A start in a process group of its own, of which nothing is left afterwards."""
    process = subprocess.Popen(
        [sys.executable, str(root / "wirecache")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    return process.stderr.readline()


def finished(process: subprocess.Popen[str], root: Path) -> str:
    """What else it said, after it ran the command in the checkout's environment."""
    out, errors = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 0, errors
    assert out == f"{root / '.venv'}\n"
    return errors


def wait_for(path: Path) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.01)


def works(root: Path) -> bool:
    """Whether a script of the environment runs: such scripts name their interpreter's place."""
    pip = root / ".venv" / "bin" / "pip"
    try:
        return subprocess.run([str(pip), "--version"], capture_output=True).returncode == 0
    except FileNotFoundError:  # its interpreter
        return False


def test_two_first_starts_make_one_environment(checkout: Path) -> None:
    with starting(checkout) as first:
        assert "making the virtual environment" in first_line(first)
        with starting(checkout) as second:
            assert "waiting for another start" in first_line(second)
            assert finished(second, checkout) == ""  # and did not make it again
        assert finished(first, checkout) == ""
    assert works(checkout)
    with starting(checkout) as later:
        assert finished(later, checkout) == ""


@pytest.mark.parametrize("all_of_it", [True, False], ids=["with its children", "alone"])
def test_a_start_that_was_killed_is_repaired_by_the_next(checkout: Path, all_of_it: bool) -> None:
    with starting(checkout) as first:
        assert "making" in first_line(first)
        wait_for(checkout / ".venv" / "bin" / "python")
        (os.killpg if all_of_it else os.kill)(first.pid, signal.SIGKILL)
        with starting(checkout) as second:
            said = finished(second, checkout)
            assert "making" in said
            # What the killed one has started may still be at work.
            assert all_of_it or "waiting for another start" in said
    assert works(checkout)


def test_a_moved_checkout_works(checkout: Path) -> None:
    with starting(checkout) as process:
        assert "making" in first_line(process)
        finished(process, checkout)
    moved = checkout.rename(checkout.with_name("elsewhere"))
    assert not works(moved)
    with starting(moved) as process:
        assert "making" in first_line(process)
        finished(process, moved)
    assert works(moved)


@pytest.fixture
def spaced(tmp_path: Path) -> Path:
    """This checkout's Python in a path with a space, with the environment that is there."""
    root = tmp_path / "my checkout"
    root.mkdir()
    shutil.copy(ROOT / "wirecache", root)
    shutil.copytree(ROOT / "py", root / "py", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "hw").symlink_to(ROOT / "hw")  # what the help texts of some commands are made of
    (root / ".venv").symlink_to((ROOT / ".venv").resolve())
    return root


def run(root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "wirecache"), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=WAIT_SECONDS)


def test_a_path_with_a_space_is_one_clear_line(spaced: Path) -> None:
    for command in COMMANDS:
        if command == "doctor":
            continue
        words = ("in.pcap", "out.pcap") if command == "replay" else ()
        done = run(spaced, command, *words)
        assert done.returncode == 2, command
        assert done.stdout == ""
        assert done.stderr == (
            f"wirecache: nothing can be built in '{spaced}': its path has a space; "
            "move the checkout\n"
        )
    assert run(spaced, "serve", "--help").returncode == 0


def test_doctor_says_so_too(spaced: Path) -> None:
    done = run(spaced, "doctor")
    assert done.returncode == 1
    assert f"NO  place                  nothing can be built in '{spaced}'" in done.stdout


@pytest.mark.parametrize("name", ["a b", "a#b", "a$b", "a:b", "a%b", "a(b)", "a'b", "a;b", "a\tb"])
def test_places_where_nothing_can_be_built(name: str) -> None:
    assert "nothing can be built" in setup.place_complaint(Path("/tmp", name))


@pytest.mark.parametrize("name", ["wirecache-1.2_x+y@z", "größe", "a,b"])
def test_places_that_do(name: str) -> None:
    assert setup.place_complaint(Path("/tmp", name)) == ""
