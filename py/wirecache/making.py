# SPDX-License-Identifier: Apache-2.0
"""What a build leaves in its folder: made by one process at a time, and whole or made anew.

    with locked(folder) as place:
        if place.key != key:
            with place.making(key, [objects]):
                place.run("make", ...)

A build can be killed at any moment, and may leave files that are half written but newer than their
sources. So the folder's key is taken away first and written last: parts without a key are removed
before the next build.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from wirecache.setup import Failure, say

_DISK_ERRORS = {code: os.strerror(code) for code in (errno.ENOSPC, errno.EDQUOT)}
_ROOM = 1 << 20  # bytes; with less the disk is full
_MOMENT_SECONDS = 0.5


@dataclass(frozen=True)
class Place:
    """A folder that nobody else builds in for the moment."""

    folder: Path
    lock: TextIO

    @property
    def log(self) -> Path:
        return self.folder / "build.log"

    @property
    def key(self) -> str | None:
        """What the last build was made from; none if it did not get to its end."""
        return finished(self.folder)

    @contextmanager
    def making(self, key: str, parts: Iterable[Path]) -> Iterator[None]:
        """Around a build. `parts`: what a build that was cut short may have left half written."""
        if self.key is None:
            for part in parts:
                if part.is_dir():
                    shutil.rmtree(part)
                else:
                    part.unlink(missing_ok=True)
        stamp = self.folder / "key"
        stamp.unlink(missing_ok=True)
        try:
            self.log.write_text("")
            yield
            new = stamp.with_suffix(".new")
            new.write_text(key)
            new.replace(stamp)
        except OSError as error:
            if error.errno not in _DISK_ERRORS:
                raise
            raise self._full() from error

    def run(self, *command: str, count: Sequence[str] = ()) -> None:
        """Runs a step of the build; its output goes to the log, the end of it to stderr on failure.

        count: the same command, made to print only; each of its lines with -c is a file to compile.
        What is started has the lock as its standard input, and so holds it: should this process
        be killed alone, the next build waits for what goes on without it.
        """
        files = _compiled(count) if count and sys.stderr.isatty() else 0
        done = 0
        end: deque[str] = deque(maxlen=5000)
        process = subprocess.Popen(
            command,
            stdin=self.lock,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "CCACHE_SLOPPINESS": "pch_defines,time_macros"},
            text=True,
        )
        assert process.stdout is not None
        with self.log.open("a") as out:
            for line in process.stdout:
                end.append(line.rstrip())
                out.write(line)
                if files and " -c " in line:
                    done += 1
                    _progress(f"compiling, file {done} of {files}")
        _progress("")
        if process.wait() == 0:
            return
        full = any(text in line for text in _DISK_ERRORS.values() for line in end)
        if full or shutil.disk_usage(self.folder).free < _ROOM:
            raise self._full()
        print("\n".join(_errors(end)), file=sys.stderr)
        raise Failure(f"the build failed; all of it is in {self.log}")

    def _full(self) -> Failure:
        return Failure(f"the build failed: the disk of {self.folder}, or of /tmp, is full")


def _at_once(lock: TextIO) -> bool:
    """Whether the lock could be had within a moment: to see that all is built takes less."""
    deadline = time.monotonic() + _MOMENT_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        else:
            return True


@contextmanager
def locked(folder: Path) -> Iterator[Place]:
    """One build at a time: who comes second waits, says so if that takes a while, and finds
    it done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("a+")
    except OSError as error:
        raise Failure(f"cannot build in {folder}: {error.strerror}") from error
    with lock:
        if not _at_once(lock):
            say(f"waiting for another process that builds in {folder}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield Place(folder, lock)


def finished(folder: Path) -> str | None:
    """The key of a build that is there; none while it is being built."""
    stamp = folder / "key"
    return stamp.read_text() if stamp.exists() else None


@contextmanager
def as_standard_input(lock: TextIO) -> Iterator[None]:
    """For steps that others start: they hold the lock like those of `Place.run`."""
    before = os.dup(0)
    os.dup2(lock.fileno(), 0)
    try:
        yield
    finally:
        os.dup2(before, 0)
        os.close(before)


def cores() -> int:
    """How many compilers to run at a time: what this process may use of the machine."""
    return len(os.sched_getaffinity(0))


def _compiled(command: Sequence[str]) -> int:
    done = subprocess.run(command, capture_output=True, text=True)
    return sum(" -c " in line for line in done.stdout.splitlines())


def _errors(lines: Iterable[str]) -> Sequence[str]:
    lines = list(lines)
    return [line for line in lines if "rror" in line][:20] or lines[-20:]


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
