# SPDX-License-Identifier: Apache-2.0
"""One simulated board for many captures: what a bench populates once stays for all its points.

with Session("--memory", "16G") as session:
    session.play(sets)
    phase = session.play(gets, times=arrivals, record=True)
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wirecache import ROOT
from wirecache.board.replay import START
from wirecache.traffic import frames
from wirecache.traffic.plan import Plan

LINE_RATE = 10**10  # bits a second
CLOCK_HZ = 156_250_000
Cycles = NDArray[np.int64]


@dataclass(frozen=True)
class Phase:
    """What came of a capture: the figures of `replay`, and what was recorded."""

    summary: dict[str, Any]
    lists: dict[str, Cycles]
    frames: list[bytes]  # that were sent, if `sent` was wanted

    @property
    def counters(self) -> dict[str, int]:
        found: dict[str, int] = self.summary["counters"]
        return found

    def slots(self, direction: str) -> tuple[Cycles, Cycles]:
        """Byte time at which each frame's slot began, and its bytes; `in` or `out`."""
        pairs = self.lists[f"slot_{direction}"].reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]


class Session:
    """A board that is there while the context is; the options are those of `wirecache session`."""

    def __init__(self, *options: str) -> None:
        self._options = options

    def __enter__(self) -> Session:
        self._folder = tempfile.TemporaryDirectory(prefix="wirecache-")
        command = [sys.executable, str(ROOT / "wirecache"), "session", *self._options]
        self._board = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._board.stdin is not None and self._board.stdout is not None
        self._board.stdin.close()
        self._board.stdout.close()
        self._board.wait()
        self._folder.cleanup()

    def play(
        self,
        packets: Sequence[bytes],
        *,
        times: Sequence[int] | None = None,
        record: bool = False,
        frame_header: bool = True,
        patient: bool = False,
        rate: int = LINE_RATE,
        start: int = START,
        second: int = CLOCK_HZ,
        host_pause: tuple[int, int] | None = None,
        audit: bool = False,
        sent: bool = False,
    ) -> Phase:
        """Plays frames: each not before its time (in byte times of the wire), or back to back, or
        patiently, so that the circuit may stall the wire.

        `start` is the Unix time then; a second has `second` cycles. The host leaves the address
        queues alone from the first cycle of `host_pause` on, for as many as the second says. An
        audit tells in the figures where all blocks are. With `sent` the frames come back too.
        """
        captured = Path(self._folder.name, "in.pcap")
        recorded = Path(self._folder.name, "record") if record else None
        out = Path(self._folder.name, "out.pcap") if sent else None
        frames.write_pcap(captured, _timed(packets, times))
        words = {
            **{"in": captured, "traffic": "", "out": out or "", "record": recorded or ""},
            **{"raw-tcp": 1, "frame-header": int(frame_header), "time": start, "second": second},
            "host-pause": "" if host_pause is None else f"{host_pause[0]}:{host_pause[1]}",
            "audit": int(audit),
            "rate": "as-taken" if patient else rate if times is None else "as-captured",
        }
        summary = self._ask("\t".join(f"--{name}\t{value}" for name, value in words.items()))
        return Phase(
            summary,
            read_lists(recorded) if recorded else {},
            [frame for _, frame in frames.read_pcap(out)] if out else [],
        )

    def traffic(
        self,
        plan: Plan,
        *,
        beside: Sequence[bytes] = (),
        times: Sequence[int] | None = None,
        start: int = START,
    ) -> Phase:
        """Lets clients do over TCP what the plan says, whose lists come with the phase. Who is not
        answered, or wrongly, ends the board with a message. Frames of others may come beside, each
        at its time (in byte times of the wire) and before those of the plan; whatever answers
        TCP among them is not looked at."""
        written, recorded, others = (
            Path(self._folder.name, name) for name in ("plan", "record", "beside.pcap")
        )
        written.write_bytes(plan.encode())
        if beside:
            frames.write_pcap(others, _timed(beside, times))
        words = {
            **{"in": others if beside else "", "traffic": written, "out": "", "record": recorded},
            **{"raw-tcp": 1, "frame-header": 1, "host-pause": "", "audit": 0},
            **{"time": start, "second": CLOCK_HZ, "rate": "as-captured" if beside else LINE_RATE},
        }
        summary = self._ask("\t".join(f"--{name}\t{value}" for name, value in words.items()))
        return Phase(summary, read_lists(recorded), [])

    def _ask(self, line: str) -> dict[str, Any]:
        assert self._board.stdin is not None and self._board.stdout is not None
        try:
            self._board.stdin.write(line + "\n")
            self._board.stdin.flush()
        except BrokenPipeError:
            pass  # it has said why
        answer = self._board.stdout.readline()
        if not answer:
            raise RuntimeError("the simulated board has ended")
        summary: dict[str, Any] = json.loads(answer)
        return summary


def _timed(packets: Sequence[bytes], times: Sequence[int] | None) -> Iterator[tuple[int, bytes]]:
    """Packets with time stamps; byte times are 0.8 ns, rounded up so that none comes early."""
    for i, packet in enumerate(packets):
        yield START * 10**9 + (0 if times is None else -(-times[i] * 4 // 5)), packet


def read_lists(path: Path) -> dict[str, Cycles]:
    """What a recorded phase has written: a line with name and count, then the numbers."""
    lists = {}
    with path.open("rb") as source:
        while line := source.readline():
            name, count = line.split()
            lists[name.decode()] = np.fromfile(source, dtype="<i8", count=int(count))
    return lists
