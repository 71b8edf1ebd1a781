# SPDX-License-Identifier: Apache-2.0
"""The model of a TCP connection, what goes: exact numbers and times. Two of them on a bad link."""

from __future__ import annotations

import heapq
import os
import random
from dataclasses import replace
from itertools import count

import pytest
from wirecache.model.tcp.connection import (
    DELAYED,
    GIVE_UP,
    LEAST_RTO,
    Connection,
    State,
    Timer,
)
from wirecache.model.tcp.segment import Segment
from wirecache.model.tcp.sender import Chunk
from wirecache.model.tcp.sequence import add, ahead, before
from wirecache.testbench.tcp_peer import (
    ACK,
    MSS,
    NOW,
    OURS,
    RST,
    THEIRS,
    acks,
    data,
    everything,
    opened,
    places,
    state,
)


# ---- what goes -----------------------------------------------------------------------------------
def test_ten_segments_at_first() -> None:
    c = opened()
    c.write(bytes(50_000))
    assert places(everything(c, NOW)) == [(n * MSS, MSS) for n in range(10)]
    c.receive(acks(2000), NOW + 50)
    assert places(everything(c, NOW + 50)) == [(n * MSS, MSS) for n in range(10, 14)]


def test_small_segments_go_at_once() -> None:
    c = opened()
    for n in range(3):
        c.write(b"abc")
        assert places(everything(c, NOW)) == [(3 * n, 3)]


def test_timeouts_double() -> None:
    c = opened()
    c.write(b"abc")
    everything(c, NOW)
    wait, now = 1000, NOW
    for _ in range(5):
        assert c.tick(now + wait - 1) == []
        now += wait
        assert places(c.tick(now)) == [(0, 3)]
        wait *= 2
    c.receive(acks(3), now)
    assert c.timer == Timer.NONE and not c.rtt.known  # Karn: nobody knows which was answered
    assert c.backoff == 0


def test_a_round_trip_of_what_was_sent_twice_is_not_measured() -> None:
    c, _ = lost_first(sack=True)
    c.receive(acks(10 * MSS), NOW + 500)
    assert not c.rtt.known


def test_a_timeout_begins_anew() -> None:
    """One segment, then two: slow start."""
    c = opened()
    c.write(bytes(10 * MSS))
    everything(c, NOW)
    assert places(c.tick(NOW + 1000)) == [(0, MSS)] and everything(c, NOW + 1000) == []
    c.receive(acks(MSS), NOW + 1040)
    assert places(everything(c, NOW + 1040)) == [(MSS, MSS), (2 * MSS, MSS)]


def test_a_window_that_is_not_used_does_not_grow() -> None:
    c = opened()
    for n in range(50):
        c.write(b"abc")
        everything(c, NOW + n)
        c.receive(acks(3 * n + 3), NOW + n)
    assert c.sender.cwnd == 10 * MSS


def test_no_silly_segments() -> None:
    c = opened(window=1500)
    c.write(bytes(5000))
    assert places(everything(c, NOW)) == [(0, MSS)]  # half a segment more would have room
    c.receive(acks(MSS, window=1500), NOW)
    assert places(everything(c, NOW)) == [(MSS, MSS)]


def test_an_older_segment_says_nothing_of_the_window() -> None:
    c = opened()
    c.receive(replace(data(3, b"def"), window=1000), NOW)
    c.receive(replace(data(0, b"abc"), window=2000), NOW)
    assert c.sender.window == 1000


def test_numbers_that_go_round_without_a_loss() -> None:
    """All places go along with what is acknowledged, also those that nobody needs for now."""
    sender = opened().sender
    for _ in range(20):
        sender.end = add(sender.end, 1 << 28)
        sender.sent(Chunk(sender.max, 1 << 28, False, False))
        sender.acknowledge(sender.max, (), True)
        assert sender.again == sender.lost == sender.una
        assert sender.pipe == 0


def test_round_trips_are_measured() -> None:
    c = opened()
    for _ in range(20):
        c.write(b"abc")
        everything(c, c.now)
        c.receive(acks(ahead(c.sender.max, OURS)), c.now + 40)
    assert c.rtt.smooth >> 3 == 40 and c.rtt.timeout == LEAST_RTO
    c.write(b"abc")
    everything(c, c.now)
    assert (c.timer, c.deadline - c.now) == (Timer.PROBE, 80 + DELAYED) or (
        c.timer == Timer.RETRANSMIT
    )


def lost_first(sack: bool) -> tuple[Connection, list[Segment]]:
    """Ten segments, of which the first is lost; what goes behind the third ACK for the rest."""
    c = opened(sack=sack, window=60_000)
    c.write(bytes(50_000))
    everything(c, NOW)
    found = []
    for n in range(3):
        sacks = ((add(OURS, MSS), add(OURS, MSS * (n + 2))),) if sack else ()
        c.receive(acks(0, sacks=sacks), NOW + 50)
        found += everything(c, NOW + 50)
    return c, found


def test_fast_retransmit_without_sack() -> None:
    c, out = lost_first(sack=False)
    # Two new ones for the first two ACKs (RFC 3042), then the first once more.
    assert places(out) == [(10 * MSS, MSS), (11 * MSS, MSS), (0, MSS)]
    assert c.sender.ssthresh == 6 * MSS and c.counts.recoveries == 1
    c.receive(acks(3 * MSS), NOW + 90)  # only a part: the next one is lost as well (RFC 6582)
    assert places(everything(c, NOW + 90)) == [(3 * MSS, MSS)]
    assert c.sender.pipe == 8 * MSS  # nine, of which one has left
    c.receive(acks(12 * MSS), NOW + 140)
    assert c.sender.phase.name == "OPEN" and c.sender.cwnd <= 6 * MSS


def test_fast_retransmit_with_sack() -> None:
    c, out = lost_first(sack=True)
    assert (0, MSS) in places(out)
    assert [place for place in places(out) if place[0] < 10 * MSS] == [(0, MSS)]
    c.receive(acks(10 * MSS), NOW + 90)
    assert c.sender.phase.name == "OPEN" or before(c.sender.una, c.sender.recover)


def test_an_ack_ends_a_recovery_and_begins_the_next() -> None:
    c, _ = lost_first(sack=True)
    assert c.counts.recoveries == 1
    end = ahead(c.sender.recover, OURS)
    everything(c, NOW + 60)
    c.receive(acks(3 * MSS, sacks=()), NOW + 90)
    while ahead(c.sender.max, OURS) < end + 4 * MSS:  # so far that a gap behind the end is one
        sacks = ((add(OURS, 4 * MSS), c.sender.max),)
        c.receive(acks(3 * MSS, sacks=sacks), NOW + 90)
        everything(c, NOW + 90)
    c.receive(acks(end, sacks=((add(OURS, end + MSS), add(OURS, end + 4 * MSS)),)), NOW + 140)
    assert c.sender.phase.name == "RECOVERY" and c.counts.recoveries == 2
    assert places(everything(c, NOW + 140))[0] == (end, MSS)


def test_only_what_is_missing_is_sent_again() -> None:
    c = opened()
    c.write(bytes(50_000))
    everything(c, NOW)
    has = ((2, 3), (5, 6), (7, 10))  # of ten
    sacks = tuple((add(OURS, a * MSS), add(OURS, b * MSS)) for a, b in has)
    c.receive(acks(MSS, sacks=sacks), NOW + 50)
    again = [place for place in places(everything(c, NOW + 50)) if place[0] < 10 * MSS]
    for _ in range(5):
        c.receive(acks(MSS, sacks=sacks), NOW + 50)
        again += [place for place in places(everything(c, NOW + 50)) if place[0] < 10 * MSS]
    c.tick(NOW + 5000)
    again += [place for place in places(everything(c, NOW + 5000)) if place[0] < 10 * MSS]
    assert {place for place, _ in again} <= {n * MSS for n in (1, 3, 4, 6)}
    assert (MSS, MSS) in again


def test_nonsense_in_sack() -> None:
    c = opened()
    c.write(bytes(5000))
    everything(c, NOW)
    bad = tuple(
        (add(OURS, a), add(OURS, b)) for a, b in ((4000, 5001), (3000, 2000), (-9, 0), (9, 9))
    )
    c.receive(acks(0, sacks=bad), NOW)
    assert c.sender.pieces == []


def test_a_lost_tail_is_probed() -> None:
    """(RFC 8985, 7)"""
    c = opened(times=True, stamp=1)
    c.write(bytes(10))
    everything(c, NOW)
    c.receive(acks(10, times=(1, NOW)), NOW + 40)
    c.write(bytes(3000))
    everything(c, NOW + 40)
    assert (c.timer, c.deadline) == (Timer.PROBE, NOW + 40 + 80)
    out = c.tick(NOW + 120)
    assert places(out) == [(10 + 3000 - 988, 988)]  # the last full one
    assert c.timer == Timer.RETRANSMIT


def test_a_window_of_zero_is_asked_about_without_end() -> None:
    c = opened(window=500)
    c.write(bytes(2000))
    assert places(everything(c, NOW)) == [(0, 500)]
    c.receive(acks(500, window=0), NOW)
    assert everything(c, NOW) == [] and c.timer == Timer.PERSIST
    now, waits = NOW, []
    for _ in range(40):
        waits.append(c.deadline - now)
        now = c.deadline
        (probe,) = c.tick(now)
        assert (probe.seq, probe.data) == (add(OURS, 499), b"")
        c.receive(acks(500, window=0), now)
    assert waits[1:3] == [2 * waits[0], 4 * waits[0]] and max(waits) == 120_000
    assert now - NOW > 2 * GIVE_UP and state(c) == "ESTABLISHED"
    c.receive(acks(500, window=60_000), now)
    assert places(everything(c, now)) == [(500, 1000), (1500, 500)]


def test_keepalives() -> None:
    """Of what the peer has already, so it answers; nothing else changes. None goes while something
    is on its way, or is waited for."""
    c = opened()
    asked = c.keepalive(NOW + 7)
    assert asked is not None
    assert (asked.seq, asked.ack, asked.flags, asked.data) == (add(OURS, -1), THEIRS, ACK, b"")
    assert c.sender.max == OURS and c.timer == Timer.NONE and c.counts.keepalives == 1
    c.write(b"x")
    assert places(everything(c, NOW)) == [(0, 1)]
    assert c.keepalive(NOW) is None and c.give_up(NOW) is None
    c.receive(acks(1), NOW)
    assert c.give_up(NOW) is None  # none has gone
    for _ in range(2):
        assert c.keepalive(NOW) is not None
        c.receive(acks(1), NOW)
        assert c.give_up(NOW) is None  # it has answered
    assert c.keepalive(NOW) is not None
    reset = c.give_up(NOW)
    assert reset is not None and (reset.seq, reset.flags) == (add(OURS, 1), RST | ACK)
    assert state(c) == "CLOSED" and c.counts.silent == 1
    assert c.keepalive(NOW) is None and c.give_up(NOW) is None


def test_no_keepalives_behind_our_end() -> None:
    """What is waited for then has a time of its own."""
    c = opened()
    c.close()
    everything(c, NOW)
    c.receive(acks(1), NOW)
    assert state(c) == "FIN_WAIT_2"
    assert c.keepalive(NOW) is None and c.give_up(NOW) is None


def test_nobody_answers() -> None:
    """After 15 minutes the connection is given up."""
    for window in (60_000, 0):
        c = opened(window=window)
        c.write(b"abc")
        everything(c, NOW)
        while state(c) != "CLOSED":
            assert c.timer != Timer.NONE
            out = c.tick(c.deadline)
        assert GIVE_UP <= c.now - NOW <= GIVE_UP + 120_000
        assert [s.flags for s in out] == [RST | ACK]


def test_an_ack_is_not_behind_the_peers_window() -> None:
    """Linux takes back a window; what lies behind it, it does not look at."""
    c = opened()
    c.write(bytes(10_000))
    everything(c, NOW)
    c.receive(acks(4000, window=0), NOW)
    (ack,) = c.receive(data(5, b"x"), NOW)
    assert ack.seq == add(OURS, 4000)


# ---- two of them, and a link that loses ----------------------------------------------------------
@pytest.mark.parametrize("sack", [True, False])
@pytest.mark.parametrize("times", [True, False])
@pytest.mark.parametrize("ring", [1 << 12, 1 << 16])
def test_a_link_that_loses_everything_sooner_or_later(sack: bool, times: bool, ring: int) -> None:
    """Two connections with random bytes both ways; the link loses, turns round and doubles."""
    seed = int(os.environ.get("WIRECACHE_SEED", random.randrange(1 << 31)))
    print(f"WIRECACHE_SEED={seed}")
    draw = random.Random(seed)
    sides = []
    for first, other in ((OURS, THEIRS), (THEIRS, OURS)):
        sides.append(
            opened(
                first=first,
                first_of_peer=other,
                sack=sack,
                times=times,
                ring=ring,
                window=ring // 2,
            )
        )
    wanted = [draw.randbytes(300_000) for _ in sides]
    written, got = [0, 0], [b"", b""]
    way: list[tuple[int, int, int, Segment]] = []
    order = count()
    now = NOW

    def go(side: int, segments: list[Segment]) -> None:
        for segment in segments:
            for _ in range(1 + (draw.random() < 0.02)):
                if draw.random() >= 0.05:
                    late = draw.choice((5, 5, 5, 5, 9))
                    heapq.heappush(way, (now + late, next(order), 1 - side, segment))

    while any(c.state not in (State.CLOSED, State.TIME_WAIT) for c in sides):
        while way and way[0][0] <= now:
            _, _, side, segment = heapq.heappop(way)
            go(side, sides[side].receive(segment, now))
        for side, c in enumerate(sides):
            assert c.receiver.next == c.receiver.read or c.receiver.waiting or c.ended
            got[side] += c.take(draw.choice((0, 100, 3000)))
            part = wanted[side][written[side] :][: min(c.sender.room, draw.randrange(2000))]
            if part:
                c.write(part)
                written[side] += len(part)
            elif written[side] == len(wanted[side]) == len(got[side]):
                c.close()
            go(side, everything(c, now))
            if draw.random() < 0.2 and (ack := c.acknowledge(now)) is not None:
                go(side, [ack])
            go(side, c.tick(now))
        now += 1
        assert now < NOW + 3_000_000
    assert [g == w for g, w in zip(got, reversed(wanted), strict=True)] == [True, True]
    assert sum(c.counts.retransmitted for c in sides) > 10
