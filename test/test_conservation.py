# SPDX-License-Identifier: Apache-2.0
"""Memory is neither lost nor in two places, whatever happens: random operations into a small board,
while simulated seconds pass quickly, and an audit of every block, or of every slot and item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from struct import Struct

import numpy as np
import pytest
from wirecache.board import build as board
from wirecache.board.replay import START
from wirecache.board.session import Session
from wirecache.circuit.config import parse
from wirecache.model import binary
from wirecache.traffic import frames
from wirecache.traffic.requests import MAX_MESSAGE

# 128 buckets of 8 slots; 175 blocks of the largest class, which most keys have use for at times.
BUCKET = (
    *("--config", "bucket", "--memory", "4M"),
    *("--classes", "64,256,16K", "--class-shares", "1,1,8"),
)
ITEM = ("--config", "udp", "--memory", "1400000")  # 36 segments, which are soon full
KEYS = 3000
SECOND = 20_000  # cycles
RATE = 8 * 10**9  # bits a second: the answers fit in the wire, and no request is dropped
CHUNK = 250_000  # operations in one capture

# In tenths of a percent; a flush is drawn apart.
SHARES = {binary.GETQ: 350, binary.SETQ: 450, binary.DELETEQ: 200}
FLUSH_SHARE = 1e-5
EXPTIMES = (0, 0, 0, 1, 2, 5)
SIZES = ((0, 64, 0.75), (65, 256, 0.1), (257, 400, 0.15))  # from, to, share of the SETs

_HEADER = Struct(">BBHBBHIIQ").pack
_EXTRAS = Struct(">II").pack
_VALUE = bytes(range(256)) * 2


def operations(draw: np.random.Generator, count: int, keys_in_use: int) -> Iterator[bytes]:
    """Quiet binary requests, each some ten cycles of work."""
    share = np.array(list(SHARES.values())) / 1000
    opcodes = draw.choice(np.array(list(SHARES)), p=share / share.sum(), size=count)
    flushes = draw.random(count) < FLUSH_SHARE
    keys = draw.integers(keys_in_use, size=count)
    exptimes = draw.choice(np.array(EXPTIMES), size=count)
    kind = draw.choice(len(SIZES), p=[s for *_, s in SIZES], size=count)
    low, high = (np.array([size[i] for size in SIZES])[kind] for i in (0, 1))
    sizes = draw.integers(low, high + 1)
    rows = (a.tolist() for a in (opcodes, flushes, keys, exptimes, sizes))
    for opcode, flush, number, exptime, size in zip(*rows, strict=True):
        key = b"%d" % number
        if flush:
            yield _HEADER(binary.REQUEST, binary.FLUSHQ, 0, 0, 0, 0, 0, 0, 0)
        elif opcode == binary.SETQ:
            total = 8 + len(key) + size
            head = _HEADER(binary.REQUEST, opcode, len(key), 8, 0, 0, total, 0, 0)
            yield head + _EXTRAS(0, exptime) + key + _VALUE[:size]
        else:
            yield _HEADER(binary.REQUEST, opcode, len(key), 0, 0, 0, len(key), 0, 0) + key


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


def is_whole(audit: Mapping[str, int]) -> bool:
    wrong = ("lost", "unknown", "twice", "outside", "strange", "elsewhere", "overlaps")
    sums = ("counted", "segments_add_up")
    return all(audit.get(name, 0) == 0 for name in wrong) and all(audit.get(n, 1) for n in sums)


def soak(seed: int, count: int, options: Sequence[str], keys: int = KEYS) -> Counter[str]:
    """Plays so many operations, with an audit after each capture; the sum of all counters."""
    board.build(config=parse(options[1]))
    draw = np.random.default_rng(seed)
    events: Counter[str] = Counter()
    now = START
    with Session(*options) as session:
        for done in range(0, count, CHUNK):
            size = min(CHUNK, count - done)
            phase = session.play(
                list(packed(operations(draw, size, keys))),
                rate=RATE,
                start=now,
                second=SECOND,
                audit=True,
            )
            assert is_whole(phase.summary["audit"]), phase.summary["audit"]
            assert phase.summary["bad_pointers"] == 0
            assert phase.summary["dropped"] == 0
            assert phase.summary["operations"] == size
            assert phase.counters.get("refused", 0) == 0
            events.update(phase.counters)
            now += phase.summary["simulated_cycles"] // SECOND + 1
    print({name: value for name, value in events.items() if value}, f"{now - START} seconds")
    return events


# What must have happened, or the run has shown nothing.
EVENTS = ("get_hit", "set", "set_full", "set_no_block", "delete_hit", "flush", "reclaim")
ITEM_KEYS = 20_000
ITEM_EVENTS = (
    *("get_hit", "set", "delete_hit", "flush", "evict_bucket", "ghost_back", "evict_dead"),
    *("sweep_new", "sweep_main", "promote", "copy", "evict_new", "evict_main"),
)


def test_blocks_are_conserved(seed: int) -> None:
    events = soak(seed, 50_000, BUCKET)
    assert all(events[name] for name in EVENTS if name != "flush")


def test_segments_are_conserved(seed: int) -> None:
    events = soak(seed, 50_000, ITEM, ITEM_KEYS)
    assert events["sweep_new"] and events["evict_new"]


@pytest.mark.full
def test_blocks_are_conserved_for_long(seed: int) -> None:
    events = soak(seed, 10_000_000, BUCKET)
    assert all(events[name] for name in EVENTS)


@pytest.mark.full
def test_segments_are_conserved_for_long(seed: int) -> None:
    events = soak(seed, 10_000_000, ITEM, ITEM_KEYS)
    assert all(events[name] for name in ITEM_EVENTS), events
