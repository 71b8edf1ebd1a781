# SPDX-License-Identifier: Apache-2.0
"""Programs in C++ that benches run for what would take too long in Python."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

from wirecache import BUILD, ROOT
from wirecache.making import locked
from wirecache.setup import BUILD_PACKAGES, need


def printed(name: str, *arguments: object, also: tuple[str, ...] = ()) -> Any:
    """The JSON that the program `name`.cc prints; `also` are sources of the repository."""
    command = [str(_program(name, also)), *map(str, arguments)]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def _program(name: str, also: tuple[str, ...]) -> Path:
    need(BUILD_PACKAGES)
    here = Path(__file__).parent
    sources = [here / f"{name}.cc", *(ROOT / file for file in also)]
    headers = [*sorted(here.glob("*.h")), *(source.with_suffix(".h") for source in sources[1:])]
    key = hashlib.sha256(b"".join(f.read_bytes() for f in (*sources, *headers))).hexdigest()
    with locked(BUILD / "bench" / name) as place:
        program = place.folder / name
        if place.key != key or not program.exists():
            with place.making(key, [program]):
                options = ("-std=c++20", "-O2", f"-I{ROOT}", "-o", str(program))
                place.run("g++", *options, *map(str, sources))
        return program
