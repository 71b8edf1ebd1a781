# SPDX-License-Identifier: Apache-2.0
"""GETs alone, and beside a `stats` each so many microseconds: is one lost, or late?

Binary GETs of small items, one a datagram, at a share of what the wire takes of these requests, up
to all of it; their answers are shorter, and leave room. The answers of the host share the wire with
them, some hundred words at a time, so the GETs behind one are later by what it takes there. How
much of that is the wire alone is shown by the same GETs beside a GET of large values in the place
of each `stats`, whose answer has as many bytes.

Latency as in `bench latency`: first bit of a request to last bit of its answer.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wirecache.benches import CLOCK_NS, WORD_BYTES, Options, Result, Table
from wirecache.benches import _wire as wire
from wirecache.benches.latency import GAP
from wirecache.board.session import Cycles, Session
from wirecache.traffic import frames
from wirecache.traffic import requests as traffic

EXACT = False  # a `stats` tells of the host's process, so the bytes of its answer differ
KEY_BYTES, VALUE_BYTES = 64, 16
POPULATION = 2000
COUNT = 30_000  # GETs in a run
LOADS = (0.5, 0.9, 1.0)
EVERY_US = (200, 50)  # the host of the bucket index takes 37 for one
BYTE_NS = 0.8
OTHER = frames.CLIENT.at_port(20_000)  # who asks beside
LARGE = b"large"
STATS = b"stats\r\n"
LARGE_GETS = b"get %b %b\r\n" % (LARGE, LARGE)
BESIDE = {"nothing": b"", "stats": STATS, "large get": LARGE_GETS}


@dataclass(frozen=True)
class Run:
    """What came of the GETs, and of what was asked beside them."""

    latency: Cycles  # of each GET, in byte times
    beside: int  # asked
    answered: int  # of these, wholly
    dropped: int

    def cycles(self, percentile: float) -> float:
        return float(np.percentile(self.latency, percentile)) / WORD_BYTES


def _arrivals(count: int, slot: float, load: float, draw: random.Random) -> list[int]:
    """When each GET comes, in byte times: at random, or at the full rate one behind the other."""
    if load == 1:
        return [round(number * slot) for number in range(count)]
    times, now = [], 0.0
    for _ in range(count):
        now += draw.expovariate(load / slot)
        times.append(round(now))
    return times


def _run(
    session: Session, gets: Sequence[bytes], times: Sequence[int], line: bytes, every_us: int
) -> Run:
    """Plays the GETs, and beside them a line each so many microseconds, if there is one."""
    asked = [
        (at, frames.request(get, i & 0xFFFF))
        for i, (at, get) in enumerate(zip(times, gets, strict=True))
    ]
    step = round(every_us * 1000 / BYTE_NS)
    moments = range(step, times[-1], step) if line else range(0)
    asked += [(at, frames.request(line, i, OTHER)) for i, at in enumerate(moments)]
    asked.sort()
    phase = session.play(
        [f for _, f in asked], times=[at for at, _ in asked], record=True, sent=True
    )
    ours = np.array([_datagram(frame).source != OTHER for _, frame in asked])
    answers = [_datagram(frame) for frame in phase.frames]
    to_us = np.array([answer.destination != OTHER for answer in answers])
    begun, _ = phase.slots("in")
    sent, sent_bytes = phase.slots("out")
    ended = (sent + sent_bytes - GAP)[to_us]
    if len(ended) != len(gets):
        raise RuntimeError(f"{len(gets)} GETs have {len(ended)} answers")
    last = 0  # datagrams of the others that are the last of their answer
    for answer in answers:
        if answer.destination == OTHER:
            _, number, of, _ = frames.FRAME_HEADER.unpack_from(answer.payload)
            last += number + 1 == of
    return Run(ended - begun[ours], len(moments), last, phase.summary["dropped"])


def _datagram(frame: bytes) -> frames.Datagram:
    found = frames.parse_datagram(frame)
    assert found is not None
    return found


def _populate(session: Session, population: Sequence[bytes]) -> None:
    """Small items; and a large one such that the answer to LARGE_GETS is as long as a `stats`."""
    wire.fill(session, population, VALUE_BYTES)
    phase = session.play([frames.request(STATS, 0)], sent=True)
    answer = sum(len(_datagram(f).payload) - frames.FRAME_HEADER.size for f in phase.frames)
    around = len(b"VALUE %b 0 1000\r\n\r\n" % LARGE)
    large = wire.value((answer - len(b"END\r\n")) // 2 - around)
    session.play([frames.request(traffic.ascii_set(LARGE, large), 0)])


def run(options: Options) -> Result:
    """Each load alone, then beside `stats`, and beside GETs whose answers are as long."""
    count = options.count or (4000 if options.quick else COUNT)
    population = wire.keys(KEY_BYTES, POPULATION)
    draw = random.Random(wire.SEED)
    points: list[dict[str, Any]] = []
    with Session("--memory", "1G") as session:
        _populate(session, population)
        for load in LOADS[1:] if options.quick else LOADS:
            asks = [wire.BINARY.get(key, VALUE_BYTES) for key in draw.choices(population, k=count)]
            slot = wire.request_slot(asks[0], True)
            times = _arrivals(count, slot, load, draw)
            before = 0.0
            for beside, line in BESIDE.items():
                for every in EVERY_US[-1:] if options.quick else EVERY_US:
                    if not line and before:
                        continue
                    came = _run(session, [ask.data for ask in asks], times, line, every)
                    before = before or came.cycles(99.9)
                    points.append(
                        {
                            **{"load": load, "beside": beside, "every": every if line else 0},
                            **{"gets": count, "asked": came.beside, "answered": came.answered},
                            **{f"p{p}": came.cycles(p) for p in (50, 99, 99.9, 100)},
                            "later": float(np.mean(came.latency / WORD_BYTES > before)),
                            "dropped": came.dropped,
                        }
                    )
    return Result([_table(points)], {"points": points})


def _table(points: Sequence[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = [
        (
            f"{100 * p['load']:.0f} %",
            f"{p['beside']} each {p['every']} µs" if p["every"] else p["beside"],
            *(p["asked"], p["answered"], p["dropped"]),
            *(round(p[name], 1) for name in ("p50", "p99", "p99.9", "p100")),
            f"{p['p99.9'] * CLOCK_NS / 1e3:.2f}",
            f"{100 * p['later']:.2f} %",
        )
        for p in points
    ]
    return Table(
        f"GETs beside stats: {points[0]['gets']:,} GETs of keys of {KEY_BYTES} bytes and values of "
        f"{VALUE_BYTES}, each answered",
        (
            *("load", "beside", "asked", "answered", "dropped", "p50, cycles", "p99", "p99.9"),
            *("slowest", "p99.9, µs", "slower than p99.9 alone"),
        ),
        rows,
        (
            "load: GETs, of what the wire takes of these requests; what is asked beside is on top",
            "a large get asks for two values, and its answer has the bytes of that to a stats",
        ),
    )
