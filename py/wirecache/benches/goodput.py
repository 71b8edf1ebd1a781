# SPDX-License-Identifier: Apache-2.0
"""What one connection gets through a link that loses segments, beside Linux as the sender.

Both send the same bytes over the same round trip, and the same share of what they send is lost. The
board does so in simulated time, in answers to gets of one client with a TCP of its own. Linux does
so in real time, with cubic and all else as it comes, to a Linux at the other end. Neither wire is
ever full: what is measured is how a sender goes on after losses.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from typing import Any

from wirecache.benches import Options, Result, Table
from wirecache.benches import _wire as wire
from wirecache.benches._index import configured
from wirecache.benches.tcp import BYTE_NS, KEY_BYTES, ascii_get, ascii_set, with_tcp
from wirecache.board.session import Session
from wirecache.testbench import namespace
from wirecache.traffic.plan import Group, Plan

VALUE_BYTES = 1 << 16
REQUESTS = 64  # of such a value
DELAY_MS = 5  # each way
LOSSES = ((0.01, 0.7), (0.05, 0.5))  # of what the sender sends; of Linux' goodput at least
SEEDS = range(1, 9)
SECONDS = 600  # Linux has for a run, at most
EXACT = False


def run(options: Options) -> Result:
    """Needs network namespaces for Linux; without them there is nothing to compare with."""
    if not namespace.available():
        raise RuntimeError(namespace.MISSING)
    seeds = SEEDS[:1] if options.quick else SEEDS
    requests = 4 if options.quick else REQUESTS
    size = requests * VALUE_BYTES
    points = []
    with configured(with_tcp()):
        for lost, aim in LOSSES:
            board = [_board(lost, seed, requests) for seed in seeds]
            linux = [8 * size / _linux(lost, seed, size) for seed in seeds]
            points.append({"lost": lost, "aim": aim, "bytes": size, "board": board, "linux": linux})
    return Result([_table(points)], {"points": points})


def _board(lost: float, seed: int, requests: int) -> float:
    """Bits a second, from the first request to the last answer's end."""
    key, value = wire.keys(KEY_BYTES, 1)[0], wire.value(VALUE_BYTES)
    link = ["--impair-in", f"delay={DELAY_MS}ms"]
    link += ["--impair-out", f"delay={DELAY_MS}ms,loss={100 * lost:g}%"]
    with Session("--memory", "1G", *link, "--impair-seed", str(seed)) as session:
        session.traffic(Plan([Group("set", [ascii_set(key, value)])]))
        group = Group("gets", [ascii_get(key, value)], requests=requests, depth=requests)
        phase = session.traffic(Plan([group]))
    begun, ended = (phase.lists[f"gets_{name}"] for name in ("asked", "answered"))
    return 8 * requests * VALUE_BYTES / (float(ended.max() - begun.min()) * BYTE_NS * 1e-9)


def _linux(lost: float, seed: int, size: int) -> float:
    """Seconds."""
    words = [sys.executable, "-m", "wirecache.testbench.linux_link"]
    words += [str(size), str(DELAY_MS / 1000), str(lost), str(seed)]
    done = namespace.run(words, seconds=SECONDS)
    if done.returncode:
        raise RuntimeError(f"Linux as the sender: {done.stderr.strip()[-500:]}")
    return float(done.stdout)


def _table(points: Sequence[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = []
    for point in points:
        board, linux = (statistics.fmean(point[name]) for name in ("board", "linux"))
        ranges = (
            f"{min(point[name]) / 1e6:.1f} to {max(point[name]) / 1e6:.1f}"
            for name in ("board", "linux")
        )
        rows.append(
            (
                f"{100 * point['lost']:g} %",
                *(f"{board / 1e6:.2f}", f"{linux / 1e6:.2f}", *ranges),
                f"{100 * board / linux:.0f} %",
                f"{100 * point['aim']:.0f} %",
            )
        )
    size = points[0]["bytes"] / (1 << 20)
    return Table(
        f"Goodput of one connection over a link that loses, {size:g} MiB, {2 * DELAY_MS} ms there "
        "and back",
        (
            *("lost", "board, Mb/s", "Linux, Mb/s", "board, of all runs", "Linux, of all runs"),
            *("board of Linux", "asked for"),
        ),
        rows,
        (
            f"means of {len(points[0]['board'])} runs that lose other segments; only what the "
            "sender sends is lost",
        ),
    )
