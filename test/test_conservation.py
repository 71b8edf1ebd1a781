# SPDX-License-Identifier: Apache-2.0
"""Blocks are neither lost nor in two places, whatever happens: random operations into a small
table with few blocks, while simulated seconds pass quickly, and an audit of every block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from struct import Struct

import numpy as np
import pytest
from wirecache.board import build as board
from wirecache.board.replay import START
from wirecache.board.session import Session
from wirecache.model import protocol
from wirecache.traffic import frames
from wirecache.traffic.requests import MAX_MESSAGE

# 128 buckets of 8 slots; 175 blocks of the largest class, which most keys have use for at times.
OPTIONS = ("--memory", "4M", "--classes", "64,256,16K", "--class-shares", "1,1,8")
KEYS = 3000
SECOND = 20_000  # cycles
RATE = 8 * 10**9  # bits a second: the answers fit in the wire, and no request is dropped
CHUNK = 250_000  # operations in one capture

# In tenths of a percent; a flush is drawn apart.
SHARES = {protocol.GETQ: 350, protocol.SETQ: 450, protocol.DELETEQ: 200}
FLUSH_SHARE = 1e-5
EXPTIMES = (0, 0, 0, 1, 2, 5)
SIZES = ((0, 64, 0.75), (65, 256, 0.1), (257, 400, 0.15))  # from, to, share of the SETs

_HEADER = Struct(">BBHBBHIIQ").pack
_EXTRAS = Struct(">II").pack
_VALUE = bytes(range(256)) * 2


def operations(draw: np.random.Generator, count: int) -> Iterator[bytes]:
    """Quiet binary requests, each some ten cycles of work."""
    share = np.array(list(SHARES.values())) / 1000
    opcodes = draw.choice(np.array(list(SHARES)), p=share / share.sum(), size=count)
    flushes = draw.random(count) < FLUSH_SHARE
    keys = draw.integers(KEYS, size=count)
    exptimes = draw.choice(np.array(EXPTIMES), size=count)
    kind = draw.choice(len(SIZES), p=[s for *_, s in SIZES], size=count)
    low, high = (np.array([size[i] for size in SIZES])[kind] for i in (0, 1))
    sizes = draw.integers(low, high + 1)
    rows = (a.tolist() for a in (opcodes, flushes, keys, exptimes, sizes))
    for opcode, flush, number, exptime, size in zip(*rows, strict=True):
        key = b"%d" % number
        if flush:
            yield _HEADER(protocol.REQUEST, protocol.FLUSHQ, 0, 0, 0, 0, 0, 0, 0)
        elif opcode == protocol.SETQ:
            total = 8 + len(key) + size
            head = _HEADER(protocol.REQUEST, opcode, len(key), 8, 0, 0, total, 0, 0)
            yield head + _EXTRAS(0, exptime) + key + _VALUE[:size]
        else:
            yield _HEADER(protocol.REQUEST, opcode, len(key), 0, 0, 0, len(key), 0, 0) + key


def packed(requests: Iterator[bytes]) -> Iterator[bytes]:
    """Frames with as many requests as they hold."""
    parts: list[bytes] = []
    room = MAX_MESSAGE
    for request in requests:
        if len(request) > room:
            yield frames.request(b"".join(parts), 0)
            parts, room = [], MAX_MESSAGE
        parts.append(request)
        room -= len(request)
    yield frames.request(b"".join(parts), 0)


def soak(seed: int, count: int) -> Counter[str]:
    """Plays so many operations, with an audit after each capture; the sum of all counters."""
    board.build()
    draw = np.random.default_rng(seed)
    events: Counter[str] = Counter()
    now = START
    with Session(*OPTIONS) as session:
        for done in range(0, count, CHUNK):
            size = min(CHUNK, count - done)
            phase = session.play(
                list(packed(operations(draw, size))),
                rate=RATE,
                start=now,
                second=SECOND,
                audit=True,
            )
            audit = phase.summary["audit"]
            assert audit["lost"] == audit["twice"] == audit["unknown"] == 0, audit
            assert phase.summary["bad_pointers"] == 0
            assert phase.summary["dropped"] == 0
            assert phase.summary["operations"] == size
            assert phase.counters["refused"] == 0
            events.update(phase.counters)
            now += phase.summary["simulated_cycles"] // SECOND + 1
    print({name: value for name, value in events.items() if value}, f"{now - START} seconds")
    return events


# What must have happened, or the run has shown nothing.
EVENTS = ("get_hit", "set", "set_full", "set_no_block", "delete_hit", "flush", "reclaim")


def test_blocks_are_conserved(seed: int) -> None:
    events = soak(seed, 50_000)
    assert all(events[name] for name in EVENTS if name != "flush")


@pytest.mark.full
def test_blocks_are_conserved_for_long(seed: int) -> None:
    events = soak(seed, 10_000_000)
    assert all(events[name] for name in EVENTS)
