# SPDX-License-Identifier: Apache-2.0
"""Network namespaces of a test's own, in which it is root; all in one goes with its first
process."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from wirecache import ROOT

UNSHARE = ["unshare", "--map-root-user", "--net", "--pid", "--fork", "--kill-child"]
MISSING = "no network namespaces or no /dev/net/tun here"


def available() -> bool:
    """Whether this machine has namespaces, and devices for them."""
    try:
        done = subprocess.run([*UNSHARE, "test", "-w", "/dev/net/tun"], capture_output=True)
    except FileNotFoundError:
        return False
    return done.returncode == 0


def run(
    command: Sequence[str], folder: Path | None = None, seconds: float | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command in a network of its own, with Python's path to Wirecache. `seconds`: at
    most."""
    return subprocess.run(
        [*UNSHARE, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "py")},
        capture_output=True,
        text=True,
        timeout=seconds,
    )
