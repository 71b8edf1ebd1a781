# SPDX-License-Identifier: Apache-2.0
"""Frames through `wirecache replay` and through the model, side by side."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wirecache import ROOT
from wirecache.circuit import structs
from wirecache.model.appliance import Appliance
from wirecache.traffic import frames

START = 1_800_000_000  # Unix time at which replays begin
_BYTE_NS = 0.8  # a byte time of the wire
_OPERATION_NS = 400  # more than any operation takes, so that requests never wait for long


@dataclass(frozen=True)
class Played:
    """What the board sent, each frame with its time in nanoseconds, and what `--json` says."""

    sent: list[tuple[int, bytes]]
    summary: dict[str, Any]

    @property
    def frames(self) -> list[bytes]:
        return [frame for _, frame in self.sent]

    @property
    def counters(self) -> dict[str, int]:
        found: dict[str, int] = self.summary["counters"]
        return found


def play(
    timed_frames: Iterable[tuple[int, bytes]],
    folder: Path,
    *options: str,
    pace: Sequence[str] = ("--as-captured",),
) -> Played:
    """Runs frames through the simulated board, each at its time unless `pace` says otherwise."""
    captured, sent, summary = (folder / name for name in ("in.pcap", "out.pcap", "out.json"))
    frames.write_pcap(captured, timed_frames)
    command = [sys.executable, str(ROOT / "wirecache"), "replay", str(captured), str(sent)]
    command += [*pace, "--raw-tcp", "--json", str(summary), *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"wirecache replay failed:\n{done.stdout}{done.stderr}")
    return Played(list(frames.read_pcap(sent)), json.loads(summary.read_text()))


@dataclass(frozen=True)
class Expected:
    """Frames with times at which the board can keep up, and what the model sends for each."""

    timed_frames: list[tuple[int, bytes]]
    answers: list[list[bytes]]

    @property
    def frames(self) -> list[bytes]:
        return [frame for answers in self.answers for frame in answers]


def expect(model: Appliance, asked: Sequence[bytes], gap_ns: int = 200) -> Expected:
    """Asks the model. Time passes as the wire and the operations need it."""
    now = float(START) * 1e9
    times = []
    answers = []
    for frame in asked:
        before = _operations(model)
        times.append(int(now))
        out = ask(model, times[-1], frame)
        answers.append(out)
        wire = max(frames.wire_bytes(frame), sum(map(frames.wire_bytes, out)))
        now += wire * _BYTE_NS + (_operations(model) - before) * _OPERATION_NS + gap_ns
    return Expected(list(zip(times, asked, strict=True)), answers)


def ask(model: Appliance, time_ns: int, frame: bytes) -> list[bytes]:
    """What the model sends because of a frame that begins at a time."""
    model.table.time = time_ns // 10**9
    return model.frame(frame.ljust(frames.MIN_FRAME, b"\0"))  # the wire has no shorter ones


def without_asides(sent: Iterable[bytes], wanted: Iterable[bytes], model: Appliance) -> list[bytes]:
    """Frames without the host's answers, all of which must be there, anywhere. A frame that is the
    next of those that are wanted is none of them, though it may look the same."""
    assert not model.unforeseen, "the host's answers to these are not known"
    coming: dict[bool, deque[bytes]] = {True: deque(), False: deque()}
    for frame in wanted:
        coming[_has_datagram(frame)].append(frame)
    asides, left = Counter(model.asides), []
    for frame in sent:
        queue = coming[_has_datagram(frame)]
        if queue and queue[0] == frame:
            queue.popleft()
        elif asides[frame]:
            asides[frame] -= 1
            continue
        left.append(frame)
    for frame in asides.elements():
        raise AssertionError(f"an answer of the host is missing: {frame!r}")
    model.asides.clear()
    return left


def check(played: Played, expected: Expected, model: Appliance) -> None:
    """Asserts that the board did what the model did: frames of the pipeline in order, those that
    the network block answers beside it in order, those of the host in any, and every counter."""
    sent = without_asides(played.frames, expected.frames, model)
    for from_pipeline in (True, False):
        ours = [f for f in sent if _has_datagram(f) is from_pipeline]
        theirs = [f for f in expected.frames if _has_datagram(f) is from_pipeline]
        for number, pair in enumerate(zip(ours, theirs, strict=False)):
            if pair[0] != pair[1]:
                raise AssertionError(f"frame {number} differs{_show(*pair)}")
        assert len(ours) == len(theirs), "frames are missing, or too many"
    for name, count in played.counters.items():
        if name in _NETWORK:
            assert count == model.counters[name], name
        elif name in _TABLE:
            assert count == model.table.counters[_TABLE[name]], name


_NETWORK = (*structs.field_names("net_events_t"), *structs.field_names("byte_events_t"))
_SAME = (
    *("get", "get_hit", "set", "set_full", "set_no_block", "touch", "touch_hit"),
    *("incr", "incr_hit", "decr", "decr_hit", "flush"),
    *("cas_hit", "cas_badval", "cas_miss"),
)
_TABLE = {name: name for name in _SAME}
_TABLE |= {"delete": "del", "delete_hit": "del_hit"}


def _show(board: bytes, model: bytes) -> str:
    """Where two frames begin to differ."""
    at = next((i for i, pair in enumerate(zip(board, model, strict=False)) if len({*pair}) > 1), 0)
    rows = (("board", board), ("model", model))
    lines = (f"\n  {name}: …{f[max(at - 60, 0) : at + 60]!r}…" for name, f in rows)
    return f" at byte {at}" + "".join(lines)


def _has_datagram(frame: bytes) -> bool:
    """Not so ARP and ICMP."""
    return frames.parse_datagram(frame) is not None


def _operations(model: Appliance) -> int:
    """A get and touch counts twice."""
    kinds = ("get", "set", "del", "touch", "incr", "decr", "flush")
    return sum(model.table.counters[name] for name in kinds)
