# SPDX-License-Identifier: Apache-2.0
"""A host that leaves the address queues alone costs no insert as long as the queues hold out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from wirecache.board import build as board
from wirecache.board.session import Phase, Session
from wirecache.model import binary
from wirecache.traffic import frames
from wirecache.traffic import requests as traffic

KEYS = 64
GETS_PER_SET = 30
MILLISECOND = 156_250  # cycles
REQUEST_CYCLES = 13  # of the wire, by a binary GET of six bytes; a SET takes longer
FIRST_BATCH = 1024  # free pointers of a class when the board begins


def mix(cycles: int, deletes: bool) -> Iterator[bytes]:
    """GETs that hit and SETs of new keys at line rate, for so many cycles at least; with `deletes`
    every such key is deleted a while later."""
    gets = [
        frames.request(traffic.binary_request(binary.GET, b"%06d" % key), key)
        for key in range(KEYS)
    ]
    fresh = 0
    for number in range(cycles // REQUEST_CYCLES):
        if number % (GETS_PER_SET + 1):
            yield gets[number % KEYS]
            continue
        yield frames.request(traffic.binary_set(b"n%06d" % fresh, b"value"), 0)
        if deletes and fresh >= KEYS:
            key = b"n%06d" % (fresh - KEYS)
            yield frames.request(traffic.binary_request(binary.DELETE, key), 0)
        fresh += 1


def sets(count: int) -> Iterator[bytes]:
    """New keys alone, at line rate; the answer to one that fails is no longer than the request."""
    for number in range(count):
        yield frames.request(traffic.binary_set(b"m%06d" % number, bytes(48)), 0)


def pause(asked: Iterator[bytes], begin: int, cycles: int) -> Phase:
    board.build()
    with Session("--config", "bucket", "--memory", "4G") as session:
        session.play(
            [frames.request(traffic.binary_set(b"%06d" % key, b"v"), key) for key in range(KEYS)]
        )
        phase = session.play(list(asked), host_pause=(begin, cycles), audit=True)
    assert phase.summary["dropped"] == 0
    assert phase.summary["simulated_cycles"] > begin + cycles
    assert phase.summary["audit"]["lost"] == phase.summary["audit"]["twice"] == 0
    print({name: value for name, value in phase.counters.items() if value})
    return phase


def test_a_short_pause_costs_nothing() -> None:
    """A millisecond from the beginning on, when the queues hold their first batch."""
    phase = pause(mix(MILLISECOND * 5 // 4, deletes=True), 0, MILLISECOND)
    assert 300 < phase.counters["set"] < FIRST_BATCH
    assert phase.counters["delete_hit"] > 200
    assert phase.counters["set_no_block"] == phase.counters["deleted_stall"] == 0
    assert phase.counters["get_hit"] == phase.counters["get"]


def test_a_pause_beyond_the_queue_is_felt() -> None:
    """It is a pause: what the queues do not hold cannot be had."""
    phase = pause(sets(10_000), 0, MILLISECOND)
    left = phase.counters["set"] - phase.counters["set_no_block"]
    assert phase.counters["set_no_block"] > 1000
    assert left >= FIRST_BATCH
    assert phase.counters["deleted_stall"] == 0


def test_a_host_that_stays_away_stops_nobody() -> None:
    """It takes no deleted block while more are given back than the queue holds: GETs go on, DELETEs
    delete, SETs of blocks that fit store. Everything is answered before it is back."""
    board.build()
    count = 65_536 + 1_000  # the queue, and more
    keys = [b"%06d" % number for number in range(count)]
    deletes = [traffic.binary_request(binary.DELETE, key) for key in keys]
    again = [
        traffic.binary_request(binary.GET, keys[0]),
        traffic.binary_request(binary.GET, b"stays"),
        traffic.binary_set(b"stays", b"other"),
        traffic.binary_request(binary.GET, b"stays"),
    ]
    away = 30 * count
    with Session("--config", "bucket", "--memory", "4G") as session:
        stored = session.play(
            [frames.request(traffic.binary_set(key, b"v"), 0) for key in [*keys, b"stays"]]
        )
        assert stored.counters["set"] == count + 1 and not stored.counters["set_no_block"]
        asked = [frames.request(request, 0) for request in deletes + again * 500]
        phase = session.play(asked, host_pause=(0, away), audit=True)
    assert phase.summary["frames_in"] == phase.summary["frames_out"] == len(asked)
    assert phase.summary["cycles"] < away
    assert phase.counters["delete_hit"] == count
    assert phase.counters["blocked"] > 500 and phase.counters["deleted_stall"] > 0
    assert phase.counters["get"] == 1500 and phase.counters["get_hit"] == 1000
    assert phase.counters["set"] == 500 and phase.counters["set_no_block"] == 0
    assert phase.summary["audit"]["lost"] == phase.summary["audit"]["twice"] == 0


@pytest.mark.full
def test_a_pause_of_100_milliseconds_costs_nothing() -> None:
    """It begins when the queues are full: two large classes, three cycles an entry, and more."""
    filled = 600_000
    phase = pause(mix(filled + 101 * MILLISECOND, deletes=True), filled, 100 * MILLISECOND)
    assert phase.counters["set"] > 35_000
    assert phase.counters["delete_hit"] > 35_000
    assert phase.counters["set_no_block"] == phase.counters["deleted_stall"] == 0
    assert phase.counters["get_hit"] == phase.counters["get"]
