# SPDX-License-Identifier: Apache-2.0
"""Speed of the simulation: requests that `replay` plays in a second of the processor's time, and
that `serve` answers in a second.

The only bench that measures seconds: they differ from machine to machine and run to run. So what is
compared is run in turn: `bench speed --against FOLDER` has the same done by another checkout,
round by round, and gives the medians of the ratios.
"""

from __future__ import annotations

import contextlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wirecache import ROOT
from wirecache.benches import Options, Result, Table
from wirecache.board.replay import START
from wirecache.client import Client
from wirecache.model import binary
from wirecache.oracle.memcached import free_port
from wirecache.traffic import frames
from wirecache.traffic import requests as traffic

EXACT = False
KEYS = 1000
FULL, LOW = "10G", "100M"  # bits a second: the wire's rate, and a hundredth of it
GAP_NS = 100_000


@dataclass(frozen=True)
class Load:
    """What is measured in a round: its name, its unit, and how to measure it with a checkout."""

    name: str
    unit: str
    measure: Callable[[Path], float]


def run(options: Options) -> Result:
    """Replays at full and low load and asks `serve`, in several rounds."""
    count = options.count or (2_000 if options.quick else 20_000)
    rounds = 1 if options.quick else 5
    trees = [ROOT] if options.against is None else [ROOT, options.against]
    seconds = 0.5 if options.quick else 3.0
    with tempfile.TemporaryDirectory(prefix="wirecache-") as folder:
        loads = [
            *_replays(Path(folder), count),
            *(_serving(window, seconds) for window in (1, 16)),
        ]
        found = [_rounds(load, trees, rounds) for load in loads]
    rows: list[tuple[object, ...]] = []
    for load, values in zip(loads, found, strict=True):
        row: list[object] = [load.name, load.unit, round(statistics.median(values[0]))]
        if len(trees) > 1:
            ratios = [ours / theirs for ours, theirs in zip(*values, strict=True)]
            row.append(round(statistics.median(values[1])))
            row.append(f"{statistics.median(ratios):.2f}")
            row.append(f"{min(ratios):.2f} to {max(ratios):.2f}")
        rows.append(tuple(row))
    columns: tuple[str, ...] = ("load", "unit", "median")
    if len(trees) > 1:
        columns += ("other checkout", "ratio", "ratios")
    return Result([Table(f"Simulation speed, one core, {rounds} rounds", columns, rows)])


def _rounds(load: Load, trees: Sequence[Path], rounds: int) -> list[list[float]]:
    """For each checkout its figure of each round."""
    found: list[list[float]] = [[] for _ in trees]
    for _ in range(rounds):
        for tree, values in zip(trees, found, strict=True):
            values.append(load.measure(tree))
    return found


def _command(tree: Path, *words: str) -> list[str]:
    return [sys.executable, str(tree / "wirecache"), *words]


# ---- replay -----------------------------------------------------------------------------------
def _replays(folder: Path, count: int) -> Iterator[Load]:
    keys = [b"%06d" % (i % KEYS) for i in range(count)]
    sets = [traffic.binary_set(key, b"x" * 32) for key in keys]
    gets = [traffic.binary_request(binary.GET, key) for key in keys]
    few = max(count // 20, 100)
    for name, requests, rate in (
        ("GET, hit, full load", sets[:KEYS] + gets, FULL),
        ("SET, 32 bytes, full load", sets, FULL),
        ("GET, hit, 1 % load", sets[:few] + gets[:few], LOW),
        ("GET, hit, as captured, one each 100 us", sets[:few] + gets[:few], None),
    ):
        capture = folder / f"{name}.pcap"
        packets = (frames.request(data, i & 0xFFFF) for i, data in enumerate(requests))
        timed = ((START * 10**9 + i * GAP_NS, frame) for i, frame in enumerate(packets))
        frames.write_pcap(capture, timed)
        yield Load(f"replay: {name}", "requests a CPU second", _replay(capture, rate))


def _replay(capture: Path, rate: str | None) -> Callable[[Path], float]:
    """Requests a CPU second: without what a replay of one of them costs, which is the start."""
    frame_list = list(frames.read_pcap(capture))
    start = capture.parent / "start.pcap"

    def measure(tree: Path) -> float:
        frames.write_pcap(start, frame_list[:1])
        seconds = _played(tree, capture, rate) - _played(tree, start, rate)
        return (len(frame_list) - 1) / seconds

    return measure


def _played(tree: Path, capture: Path, rate: str | None) -> float:
    """CPU seconds of a replay."""
    answers = capture.with_suffix(".out")
    pace = ("--as-captured",) if rate is None else ("--rate", rate)
    words = ("replay", str(capture), str(answers), *pace)
    process = subprocess.Popen(_command(tree, *words), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"wirecache replay of {tree} failed")
    return usage.ru_utime + usage.ru_stime


# ---- serve ------------------------------------------------------------------------------------
def _serving(window: int, seconds: float) -> Load:
    def measure(tree: Path) -> float:
        with _server(tree) as port, Client(port=port) as client:
            client.set(b"key", b"value")
            return _asked(client, window, seconds) / seconds

    return Load(f"serve: {window} outstanding", "GETs a second", measure)


@contextlib.contextmanager
def _server(tree: Path) -> Iterator[int]:
    port = free_port()
    process = subprocess.Popen(
        _command(tree, "serve", "--udp-port", str(port)), stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        if not process.stdout.readline().startswith("wirecache ready"):
            raise RuntimeError(f"wirecache serve of {tree} failed")
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()


def _asked(client: Client, window: int, seconds: float) -> int:
    """How many GETs are answered while so many are under way."""
    for _ in range(window):
        client.send(b"get key\r\n")
    end = time.monotonic() + seconds
    answered = 0
    while time.monotonic() < end:
        client.receive()
        client.send(b"get key\r\n")
        answered += 1
    for _ in range(window):
        client.receive()
    return answered
