# SPDX-License-Identifier: Apache-2.0
"""What clients of the board do over TCP in simulated time (sim/traffic.h plays it).

gets = [Exchange(b"get a\\r\\n", b"VALUE a 0 1\\r\\n1\\r\\nEND\\r\\n")]
phase = session.traffic(Plan([Group("gets", gets, connections=64, depth=32)]))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Exchange:
    """A request, and the bytes that must be the answer to it."""

    request: bytes
    answer: bytes


@dataclass(frozen=True)
class Group:
    """Connections that do the same. One that `waits` asks when all of the plan are open, and the
    plan ends with its end; what the others have not done by then is aborted."""

    name: str
    exchanges: Sequence[Exchange]  # one of them is drawn for each request
    connections: int = 1
    sessions: int = 1  # one after the other, of each connection
    requests: int = 1  # of each session
    depth: int = 1  # requests that wait for their answer at most
    in_order: bool = False  # each session takes them as they stand, from its own place on
    gap_ns: int = 0  # on average, from an answer to the next request
    start_ns: int = 0
    spread_ns: int = 500  # from one connection's opening to the next one's
    waits: bool = True
    cuts: bool = False  # segments of random sizes
    write_bytes: int = 0  # at once, each …
    write_ns: int = 0  # 0: as the window lets
    read_bytes: int = 0  # at once, each …
    read_ns: int = 0  # 0: as they come; with no bytes it never reads
    room: int = 1 << 20  # of its window
    mss: int = 1460
    options: bool = True  # time stamps and SACK

    def encode(self) -> bytes:
        head = [f"group {self.name}"]
        for field in fields(self):
            if field.name not in ("name", "exchanges"):
                head.append(f"{field.name}={int(getattr(self, field.name))}")
        lines = [" ".join(head).encode()]
        for exchange in self.exchanges:
            sizes = f"exchange {len(exchange.request)} {len(exchange.answer)}\n"
            lines.append(sizes.encode() + exchange.request + exchange.answer)
        return b"\n".join(lines) + b"\n"


@dataclass(frozen=True)
class Plan:
    """What all clients do at the same time."""

    groups: Sequence[Group]
    seed: int = 1
    cycles: int = 100_000_000  # that are simulated at most

    def encode(self) -> bytes:
        head = f"plan seed={self.seed} cycles={self.cycles}\n"
        return head.encode() + b"".join(group.encode() for group in self.groups)
