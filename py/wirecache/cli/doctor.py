# SPDX-License-Identifier: Apache-2.0
"""`wirecache doctor`: what is found, what is missing, which versions."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys

import click

from wirecache import ROOT, setup
from wirecache.board.compiler import CLANG_PACKAGES, PROFILE_PACKAGES


def _system_version(package: str) -> str:
    if shutil.which("dpkg-query") is None:
        return "present"
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True
    )
    return done.stdout.strip() if done.returncode == 0 else "present, not from a package"


def _python_rows() -> list[tuple[str, str, bool]]:
    rows = []
    for line in (ROOT / "py" / "requirements.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, wanted = line.split("==")
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            rows.append((name, f"missing, wanted {wanted}", False))
            continue
        same = found.split(".")[:2] == wanted.split(".")[:2]
        rows.append((name, found if same else f"{found}, wanted {wanted}", same))
    return rows


# Packages that are not needed, and what is without them.
_WITHOUT = {package.name: "missing, optional: no `optimize`" for package in PROFILE_PACKAGES}
_WITHOUT |= {package.name: "missing, optional: gcc builds the board" for package in CLANG_PACKAGES}


@click.command("doctor")
def command() -> None:
    """Prints what the commands need, what is found of it and in which version.

    Exit status 0 when everything is there, 1 when something is missing.
    """
    rows: list[tuple[str, str, bool]] = [
        ("system", f"{platform.platform()}, {os.cpu_count()} cores", True),
        ("python", sys.version.split()[0], sys.version_info >= (3, 11)),
        ("environment", sys.prefix, True),
        ("place", setup.place_complaint() or str(ROOT), not setup.place_complaint()),
    ]
    rows += _python_rows()
    missing = []
    for package in setup.TEST_PACKAGES:
        present = package.present()
        if not present:
            missing.append(package.name)
        rows.append(
            (package.name, _system_version(package.name) if present else "missing", present)
        )
    for package in PROFILE_PACKAGES:
        text = _system_version(package.name) if package.present() else _WITHOUT[package.name]
        rows.append((package.name, text, True))
    tun = os.access("/dev/net/tun", os.R_OK | os.W_OK)
    rows.append(("/dev/net/tun", "usable" if tun else "not usable: no --link tap", True))
    for name, text, good in rows:
        click.echo(f"{'ok ' if good else 'NO '} {name:<22} {text}")
    if missing:
        click.echo(
            f"install with: sudo apt-get install -y --no-install-recommends {' '.join(missing)}"
        )
    sys.exit(0 if all(good for _, _, good in rows) else 1)
