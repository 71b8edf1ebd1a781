# SPDX-License-Identifier: Apache-2.0
"""Yosys as a library, one process a script: what it holds in memory goes with it.

`python -m wirecache.flow.yosys SCRIPT` runs the commands of the file SCRIPT, one a line.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from wirecache import ROOT
from wirecache.setup import Failure


def run(script: str, file: Path) -> None:
    """Runs `script`, which is kept as `file` with Yosys' output beside it (suffix .log).

    Raises Failure with Yosys' first error.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(script)
    log = file.with_suffix(".log")
    with log.open("w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "wirecache.flow.yosys", str(file)],
            env=os.environ | {"PYTHONPATH": str(ROOT / "py")},  # pytest has the path, its shell not
            cwd=ROOT,
            stdout=out,
            stderr=out,
        )
    if done.returncode != 0:
        errors = [x for x in log.read_text().splitlines() if "error" in x.lower()]
        first = errors[0] if errors else f"status {done.returncode}"
        raise Failure(f"yosys failed on {file.stem}: {first} (see {log.relative_to(ROOT)})")


def _main(script: Path) -> None:
    from pyosys import libyosys

    design = libyosys.Design()
    for command in script.read_text().splitlines():
        libyosys.run_pass(command, design)


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
