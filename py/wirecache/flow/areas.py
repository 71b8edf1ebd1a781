# SPDX-License-Identifier: Apache-2.0
"""Area and depth of every block as a regression test: hw/areas.json holds what they were.

Synthesis alone: the same sources give the same netlist every time, so the tolerance is there only
to let through what is not worth a second look.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from wirecache import ROOT
from wirecache.flow import synth
from wirecache.flow.netlist import Area

FILE = ROOT / "hw" / "areas.json"
CHECKED = ("ecp5", "ecp5-item", "xcup")
TOLERANCE = 0.02  # of look-up tables and registers
SLACK = 8  # and as many for the small blocks

Areas = dict[str, dict[str, dict[str, float]]]  # target -> block -> figure


def drawn(seed: int) -> tuple[str, ...]:
    """One of the targets that are checked, another with other seeds."""
    return (random.Random(seed).choice(CHECKED),)


def measure(targets: Sequence[str] = CHECKED) -> Areas:
    """Two targets at a time (all of them: some 8 minutes on two cores)."""
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(targets, pool.map(_target, targets), strict=True))


def record(areas: Areas) -> None:
    """Makes `areas` what later ones are compared with."""
    FILE.write_text(json.dumps(areas, indent=2) + "\n")


def findings(areas: Areas) -> list[str]:
    """What has grown or deepened against the file, and blocks that only one of the two knows."""
    known: Areas = json.loads(FILE.read_text())
    found: list[str] = []
    for target, blocks in areas.items():
        gone = known[target].keys() - blocks.keys()
        found += [f"{target} {block}: was not measured" for block in sorted(gone)]
        for block, figures in blocks.items():
            if block not in known[target]:
                found.append(f"{target} {block}: is not in {FILE.relative_to(ROOT)}")
                continue
            found += _grown(f"{target} {block}", figures, known[target][block])
    return found


def _target(name: str) -> dict[str, dict[str, float]]:
    made = synth.core(synth.TARGETS[name])
    blocks = {block: _figures(made.blocks[block], made.depth(block)) for block in made.blocks}
    return {**blocks, "all": _figures(made.total, made.depth())}


def _figures(area: Area, depth: int) -> dict[str, float]:
    return {
        **{"lut": area.lut, "ff": area.ff, "ram": area.block_ram, "dsp": area.dsp},
        "depth": depth,
    }


def _grown(what: str, now: dict[str, float], before: dict[str, float]) -> Iterable[str]:
    for figure, value in now.items():
        allowed = before[figure]
        if figure in ("lut", "ff"):
            allowed += max(SLACK, TOLERANCE * before[figure])
        if value > allowed:
            yield f"{what}: {figure} {before[figure]:g} -> {value:g}"
