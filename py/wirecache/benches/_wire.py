# SPDX-License-Identifier: Apache-2.0
"""What the benches on the wire have in common: keys, requests and their answers, points.

A load is a sequence of asks: the bytes of a request datagram and those of its answer, which are
known before. So the frames can be spaced such that the fuller direction of the wire is never idle:
a frame comes as soon as the wire is free, but not more than `AHEAD` bytes of answers ahead of what
the wire can have taken of them. That is what a client does who waits for answers, and it keeps the
direction of the answers busy without filling the board's buffers.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from wirecache.benches import CLOCK_NS, WORD_BYTES
from wirecache.benches._index import kind, refused
from wirecache.board.session import Cycles, Session
from wirecache.model import binary
from wirecache.traffic import frames
from wirecache.traffic import requests as traffic
from wirecache.traffic.frames import FRAME_HEADER, MAX_PAYLOAD, WIRE_EXTRA

# 1 to 250, with both sides of a word, and the sizes of the papers (6 to 168)
SIZES = (1, 2, 3, 4, 6, 8, 9, 12, 16, 17, 24, 32, 48, 64, 96, 128, 168, 200, 250)
SEED = 1
AHEAD = 2000  # bytes of answers
HEADERS = frames.ETHERNET.size + frames.IPV4.size + frames.UDP.size
DATAGRAM = 1392  # answer bytes in one datagram
FILL_LINE_BYTES = 8  # of the wire, for a line of memory, at which the table is filled

_DIGITS = bytes(range(33, 127))  # of a key
_TAIL = 4  # digits that differ between keys


@dataclass(frozen=True)
class Ask:
    """A request datagram, without frame header, how many bytes its answer has, and what for."""

    data: bytes
    answer: int
    keys: int = 1
    index: int = 0  # cycles that the index takes at least


@cache
def keys(size: int, count: int) -> list[bytes]:
    """The first `count` keys of a size; fewer if there are not as many of so few bytes."""
    digits = min(size, _TAIL)
    head = bytes(_DIGITS[7 * i % len(_DIGITS)] for i in range(size - digits))
    found = []
    for number in range(min(count, len(_DIGITS) ** digits)):
        tail = bytearray()
        for _ in range(digits):
            number, digit = divmod(number, len(_DIGITS))
            tail.append(_DIGITS[digit])
        found.append(head + bytes(tail))
    return found


def value(size: int) -> bytes:
    """A short one is a number."""
    return b"1" * size


def index_cycles(op: str, *wanted: bytes) -> int:
    """Cycles that the index takes at least for operations on these keys."""
    return sum(kind().cycles(op, len(key)) for key in wanted)


# ---- requests -----------------------------------------------------------------------------------
BINARY_ANSWER = binary.HEADER.size
BINARY_MISS = BINARY_ANSWER + len(b"Not found")


@dataclass(frozen=True)
class Binary:
    """How to ask in the binary protocol."""

    name: str = "binary"

    def get(self, key: bytes, value_bytes: int) -> Ask:
        request = traffic.binary_request(binary.GET, key)
        return Ask(request, BINARY_ANSWER + 4 + value_bytes, 1, index_cycles("get", key))

    def miss(self, key: bytes) -> Ask:
        request = traffic.binary_request(binary.GET, key)
        return Ask(request, BINARY_MISS, 1, index_cycles("get", key))

    def set(self, key: bytes, value_bytes: int) -> Ask:
        request = traffic.binary_set(key, value(value_bytes))
        return Ask(request, BINARY_ANSWER, 1, index_cycles("set", key))

    def delete(self, key: bytes, hit: bool) -> Ask:
        answer = BINARY_ANSWER if hit else BINARY_MISS
        request = traffic.binary_request(binary.DELETE, key)
        return Ask(request, answer, 1, index_cycles("delete", key))

    def multi_get(self, wanted: Sequence[bytes], value_bytes: int) -> Ask:
        """Quiet GETs and a NOOP, as clients do it."""
        data = b"".join(traffic.binary_request(binary.GETQ, key) for key in wanted)
        answer = (BINARY_ANSWER + 4 + value_bytes) * len(wanted) + BINARY_ANSWER
        data += traffic.binary_request(binary.NOOP)
        return Ask(data, answer, len(wanted), index_cycles("get", *wanted) + kind().noop)


@dataclass(frozen=True)
class Ascii:
    """How to ask in the ASCII protocol."""

    name: str = "ASCII"

    def get(self, key: bytes, value_bytes: int) -> Ask:
        return self.multi_get([key], value_bytes)

    def miss(self, key: bytes) -> Ask:
        return Ask(b"get %b\r\n" % key, len(b"END\r\n"), 1, index_cycles("get", key))

    def set(self, key: bytes, value_bytes: int) -> Ask:
        request = traffic.ascii_set(key, value(value_bytes))
        return Ask(request, len(b"STORED\r\n"), 1, index_cycles("set", key))

    def delete(self, key: bytes, hit: bool) -> Ask:
        answer = b"DELETED\r\n" if hit else b"NOT_FOUND\r\n"
        return Ask(b"delete %b\r\n" % key, len(answer), 1, index_cycles("delete", key))

    def multi_get(self, wanted: Sequence[bytes], value_bytes: int) -> Ask:
        item = b"VALUE %b 0 %d\r\n" % (wanted[0], value_bytes)
        answer = (len(item) + value_bytes + 2) * len(wanted) + len(b"END\r\n")
        data = b"get " + b" ".join(wanted) + b"\r\n"
        return Ask(data, answer, len(wanted), index_cycles("get", *wanted))


Protocol = Binary | Ascii
BINARY, ASCII = Binary(), Ascii()


def fits(ask: Ask, frame_header: bool = True) -> bool:
    """Whether a request goes into one datagram."""
    return len(ask.data) + (FRAME_HEADER.size if frame_header else 0) <= MAX_PAYLOAD


# ---- the wire -----------------------------------------------------------------------------------
def request_slot(ask: Ask, frame_header: bool) -> int:
    """Bytes of the wire that a request takes."""
    return _slot(len(ask.data), frame_header)


def answer_slots(ask: Ask, frame_header: bool) -> list[int]:
    """Bytes of the wire that each datagram of an answer takes."""
    whole, rest = divmod(ask.answer, DATAGRAM)
    return [_slot(n, frame_header) for n in [DATAGRAM] * whole + [rest] * (rest > 0)]


def _slot(payload: int, frame_header: bool) -> int:
    frame = HEADERS + (FRAME_HEADER.size if frame_header else 0) + payload
    return max(frame, frames.MIN_FRAME) + WIRE_EXTRA


def packets(asks: Sequence[Ask], frame_header: bool) -> list[bytes]:
    return [
        frames.request(a.data, i & 0xFFFF, frame_header=frame_header) for i, a in enumerate(asks)
    ]


def pace(asks: Sequence[Ask], frame_header: bool) -> list[int]:
    """When each request comes, in byte times: see above."""
    times, asked, answered, looked_up = [], 0, 0, 0
    for ask in asks:
        times.append(max(asked, answered - AHEAD, looked_up - AHEAD))
        asked += request_slot(ask, frame_header)
        answered += sum(answer_slots(ask, frame_header))
        looked_up += ask.index * WORD_BYTES
    return times


def poisson_times(asks: Sequence[Ask], load: float, draw: random.Random) -> list[int]:
    """When each request comes, in byte times: at random, at a share of what the fuller direction of
    the wire takes."""
    slot = max(
        sum(request_slot(ask, True) for ask in asks),
        sum(sum(answer_slots(ask, True)) for ask in asks),
    ) / len(asks)
    times, now = [], 0.0
    for _ in asks:
        now += draw.expovariate(load / slot)
        times.append(round(now))
    return times


def populate(session: Session, sizes: Sequence[int], count: int) -> dict[int, int]:
    """Sets keys with values of the same size over the wire: `count` in all, as many of each size,
    but never more than half of the keys that there are of it. Returns how many of each."""
    counts: dict[int, int] = {}
    for place, size in enumerate(sorted(sizes)):
        share = (count - sum(counts.values())) // (len(sizes) - place)
        counts[size] = min(share, len(_DIGITS) ** min(size, _TAIL) // 2)
    for size, wanted in counts.items():
        fill(session, keys(size, wanted), size)
    return counts


def fill(session: Session, wanted: Sequence[bytes], value_bytes: int) -> None:
    """Sets keys of one size: quiet SETs in full datagrams, as memory can take them."""
    size = len(wanted[0])
    per_datagram = (1400 - FRAME_HEADER.size) // (BINARY_ANSWER + 8 + size + value_bytes)
    data = value(value_bytes)
    asked, times, now = [], [], 0
    for i in range(0, len(wanted), per_datagram):
        some = wanted[i : i + per_datagram]
        sets = b"".join(traffic.binary_set(key, data, quiet=True) for key in some)
        asked.append(frames.request(sets, 0))
        times.append(now)
        lines = 2 * index_cycles("set", wanted[0]) + value_bytes // 64 + 1
        now += FILL_LINE_BYTES * len(some) * lines
    phase = session.play(asked, times=times)
    counters = phase.counters
    lost = len(wanted) - counters["set"]
    failed = refused(counters)
    if lost or failed:
        raise RuntimeError(
            f"of {len(wanted)} keys of {size} bytes {lost} were lost and {failed} failed"
        )


# ---- points -------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Point:
    """What came of a load at the limit of the wire, in the steady state."""

    requests: int
    dropped: int
    expected: bool  # the answers are as long as they should be
    keys: float  # in a request
    request_slot: float  # bytes of the wire
    answer_slot: float
    full: str  # what limits: requests, answers (a direction of the wire is full) or index
    limit: float  # cycles a request
    cycles: float  # measured
    index_cycles: float  # from hash to result, on average
    counters: dict[str, int]

    @property
    def share(self) -> float:
        """Of the limit."""
        return self.limit / self.cycles

    @property
    def mega_operations(self) -> float:
        """Millions of keys a second."""
        return self.keys * 1e3 / CLOCK_NS / self.cycles


def measure(session: Session, asks: Sequence[Ask], *, frame_header: bool = True) -> Point:
    """Plays a load as fast as its limit allows.

    Cycles a request are the median, over pairs of answers that are equally far apart, one of each
    near the beginning and one near the end, of the time between them; the limit is what the wire
    and the index need for the requests between them.
    """
    each = [answer_slots(ask, frame_header) for ask in asks]
    phase = session.play(
        packets(asks, frame_header),
        times=pace(asks, frame_header),
        record=True,
        frame_header=frame_header,
    )
    needed = {
        "requests": np.cumsum([request_slot(ask, frame_header) for ask in asks]),
        "answers": np.cumsum([sum(slots) for slots in each]),
        "index": np.cumsum([ask.index * WORD_BYTES for ask in asks]),
    }
    window = max(len(asks) // 8, 1)
    apart = len(asks) - 2 * window
    between = {name: _apart(total[window:], apart) for name, total in needed.items()}
    full = max(between, key=lambda name: float(np.median(between[name])))
    limit = np.maximum.reduce(list(between.values()))
    sent, sent_bytes = phase.slots("out")
    last = np.cumsum([len(slots) for slots in each]) - 1
    dropped = phase.summary["dropped"]
    if len(sent) == last[-1] + 1:
        spent = _apart((sent + sent_bytes)[last][window:], apart)
    else:
        spent = np.array([(sent[-1] - sent[0]) / len(sent) * (last[-1] + 1) / len(asks) * apart])
    share = float(np.median(limit / spent))
    cycles = float(np.median(limit)) / apart / WORD_BYTES
    return Point(
        requests=len(asks),
        dropped=dropped,
        expected=bool(dropped == 0 and sent_bytes.sum() == needed["answers"][-1]),
        keys=sum(ask.keys for ask in asks) / len(asks),
        request_slot=float(needed["requests"][-1]) / len(asks),
        answer_slot=float(needed["answers"][-1]) / len(asks),
        full=full,
        limit=cycles,
        cycles=cycles / share,
        index_cycles=float(np.mean(phase.lists["looked_up"] - phase.lists["hashed"])),
        counters=phase.counters,
    )


def _apart(totals: Cycles, distance: int) -> Cycles:
    """What lies between each entry and that `distance` behind it."""
    return totals[distance:] - totals[:-distance]
