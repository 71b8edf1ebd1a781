# SPDX-License-Identifier: Apache-2.0
"""A connection of the model, and segments of its peer, for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wirecache.model.tcp.connection import Connection, Setup
from wirecache.model.tcp.segment import Flag, Peer, Segment
from wirecache.model.tcp.sequence import add, ahead

PEER = Peer("10.0.0.1", 4000)
ACK, SYN, FIN, RST, PSH = Flag.ACK, Flag.SYN, Flag.FIN, Flag.RST, Flag.PSH
NOW = 1_000_000
OURS, THEIRS = 0xFFFFF000, 0xFFFFFF00  # both wrap soon
MSS = 1000


def opened(**changes: Any) -> Connection:
    setup = Setup(
        first=OURS,
        first_of_peer=THEIRS,
        mss=MSS,
        window=60_000,
        times=False,
        stamp=0,
        sack=True,
        scale=0,
        our_scale=0,
    )
    return Connection(replace(setup, **changes), NOW)


def data(seq: int, text: bytes, ack: int = OURS, flags: Flag = ACK, **more: Any) -> Segment:
    """A segment of the peer's; `seq` counts from its first byte."""
    return Segment(add(THEIRS, seq), flags, ack, 60_000, text, **more)


def acks(count: int, **more: Any) -> Segment:
    """An ACK for `count_` bytes of ours."""
    more.setdefault("window", 60_000)
    return Segment(THEIRS, ACK, add(OURS, count), **more)


def state(c: Connection) -> str:
    return c.state.name


def everything(c: Connection, now: int) -> list[Segment]:
    found = []
    while (segment := c.send(now)) is not None:
        found.append(segment)
    return found


def places(segments: list[Segment]) -> list[tuple[int, int]]:
    """Where data begins, from our first byte on, and how much it is."""
    return [(ahead(s.seq, OURS), len(s.data)) for s in segments]
