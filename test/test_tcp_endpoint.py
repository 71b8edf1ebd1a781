# SPDX-License-Identifier: Apache-2.0
"""The model's endpoint: cookies, who finds a connection, what there is no connection for."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from typing import Any

import pytest
from wirecache.model.tcp import cookie
from wirecache.model.tcp.connection import (
    State,
)
from wirecache.model.tcp.endpoint import TOO_MANY, Endpoint
from wirecache.model.tcp.segment import Flag, Peer, Segment, build, parse
from wirecache.model.tcp.sequence import add
from wirecache.testbench.tcp_peer import (
    ACK,
    FIN,
    NOW,
    PEER,
    PSH,
    RST,
    SYN,
    opened,
)

SECRET = bytes(range(16))


# ---- the handshake -------------------------------------------------------------------------------
def handshake(endpoint: Endpoint, syn: Segment, *, now: int = NOW, **changes: Any) -> Segment:
    """The ACK with which the peer answers."""
    (answer,) = endpoint.receive(PEER, syn, now)
    assert answer.flags == SYN | ACK and answer.ack == add(syn.seq, 1)
    times = None if answer.times is None else (add(answer.times[1], 1), answer.times[0])
    segment = Segment(answer.ack, ACK, add(answer.seq, 1), 500, times=times)
    return replace(segment, **changes)


FULL = Segment(77, SYN, 0, 64000, mss=1460, scale=7, sack_permitted=True, times=(123, 0))


@pytest.mark.parametrize("mss", [None, 10, 48, 535, 536, 1300, 1459, 1460, 9000])
@pytest.mark.parametrize("options", [{}, {"times": (5, 0)}, {"sack_permitted": True, "scale": 3}])
def test_a_cookie_keeps_what_a_syn_asks_for(mss: int | None, options: dict[str, object]) -> None:
    endpoint = Endpoint(SECRET)
    syn = replace(Segment(77, SYN, 0, 64000, mss=mss), **options)  # type: ignore[arg-type]
    assert endpoint.receive(PEER, handshake(endpoint, syn), NOW + 50) == []
    (c,) = endpoint.connections.values()
    asked = 536 if mss is None else mss
    size = max((m for m in cookie.MSS if m <= asked), default=48)
    assert c.sender.mss == size - 12 * ("times" in options)
    # Without time stamps there is no place for the other two.
    assert (c.times, c.sack, c.peer_scale) == ("times" in options, False, 0)


def test_all_options() -> None:
    endpoint = Endpoint(SECRET, our_scale=3, ring=1 << 19)
    (answer,) = endpoint.receive(PEER, FULL, NOW)
    assert (answer.mss, answer.scale, answer.sack_permitted) == (1460, 3, True)
    assert answer.times is not None and answer.times[1] == 123 and answer.times[0] <= NOW
    endpoint.receive(PEER, handshake(endpoint, FULL), NOW)
    (c,) = endpoint.connections.values()
    assert (c.sack, c.peer_scale, c.sender.window) == (True, 7, 500 << 7)


@pytest.mark.parametrize(
    "change",
    [
        {"ack": 5},
        {"seq": 77},
        {"seq": 78 + cookie.EARLY},
        {"times": (1, 64)},
        {"times": None},
        {"times": (1, (NOW & ~63) ^ 1)},
    ],
)
def test_what_is_no_cookie_of_ours(change: dict[str, Any]) -> None:
    endpoint = Endpoint(SECRET)
    wrong = handshake(endpoint, FULL, **change)
    (reset,) = endpoint.receive(PEER, wrong, NOW)
    assert reset == Segment(wrong.ack, RST)
    assert not endpoint.connections


def test_segments_before_the_first() -> None:
    """The client's ACK and its first bytes got lost: its next segments must not end what it takes
    for a connection. It sends the first ones again, and those open the connection."""
    endpoint = Endpoint(SECRET)
    first = handshake(endpoint, FULL)
    for behind in (1, 1448, cookie.EARLY - 1):
        early = replace(first, seq=add(first.seq, behind), data=b"later")
        assert endpoint.receive(PEER, early, NOW) == []
        assert not endpoint.connections
    assert endpoint.totals.early == 3 and not endpoint.totals.resets
    assert endpoint.receive(PEER, early, NOW + 2 * cookie.TURN)[0].flags == RST
    endpoint.receive(PEER, replace(first, data=b"first"), NOW)
    assert endpoint.connections[PEER].take(9) == b"first"


@pytest.mark.parametrize(("sent", "got"), [(301, 301), (9, 5), (5, 9), (1000, 1), (40_000, 8)])
def test_a_late_segment_opens_nothing(sent: int, got: int) -> None:
    """Of a connection that is no more, whatever both have sent."""
    endpoint = Endpoint(SECRET)
    first = handshake(endpoint, FULL)
    late = replace(first, seq=add(first.seq, sent), ack=add(first.ack, got))
    assert endpoint.receive(PEER, late, NOW)[0].flags == RST
    assert not endpoint.connections


@pytest.mark.parametrize(
    ("later", "good"), [(0, True), (cookie.TURN, True), (2 * cookie.TURN, False), (40 << 16, False)]
)
def test_a_cookie_gets_old(later: int, good: bool) -> None:
    endpoint = Endpoint(SECRET)
    ack = handshake(endpoint, FULL)
    endpoint.receive(PEER, ack, NOW // cookie.TURN * cookie.TURN + later)
    assert bool(endpoint.connections) == good


def test_cookies_when_the_time_goes_round() -> None:
    endpoint = Endpoint(SECRET)
    for before_ in (1, 5000):
        ack = handshake(endpoint, FULL, now=(1 << 32) - before_)
        assert endpoint.receive(PEER, ack, (1 << 32) + 10) == []
        assert endpoint.connections.pop(PEER)


def test_another_peers_cookie() -> None:
    endpoint = Endpoint(SECRET)
    ack = handshake(endpoint, FULL)
    for other in (Peer("10.0.0.2", 4000), Peer("10.0.0.1", 4001)):
        assert endpoint.receive(other, ack, NOW)[0].flags == RST


@pytest.mark.parametrize(
    ("segment", "answer"),
    [
        (Segment(5, ACK, 9), Segment(9, RST)),
        (Segment(5, ACK | FIN, 9, data=b"abc"), Segment(9, RST)),
        (Segment(5, FIN, data=b"abc"), Segment(0, RST | ACK, 9)),
        (Segment(5, SYN | ACK, 9), Segment(9, RST)),
        (Segment(5, SYN | FIN), Segment(0, RST | ACK, 7)),
        (Segment(5, RST), None),
        (Segment(5, RST | ACK, 9), None),
    ],
)
def test_segments_without_a_connection(segment: Segment, answer: Segment | None) -> None:
    assert Endpoint(SECRET).receive(PEER, segment, NOW) == ([] if answer is None else [answer])


def test_one_too_many() -> None:
    endpoint = Endpoint(SECRET, most=0)
    (answer,) = endpoint.receive(PEER, handshake(endpoint, FULL), NOW)
    assert (answer.data, answer.flags) == (TOO_MANY, ACK | PSH | FIN)


def test_what_ends_gives_way() -> None:
    endpoint = Endpoint(SECRET, most=1)
    endpoint.receive(PEER, handshake(endpoint, FULL), NOW)
    (c,) = endpoint.connections.values()
    c.state = State.TIME_WAIT
    other = Peer("10.0.0.9", 1)
    (answer,) = endpoint.receive(other, FULL, NOW)
    assert answer.times is not None
    ack = Segment(78, ACK, add(answer.seq, 1), 500, times=(124, answer.times[0]))
    endpoint.receive(other, ack, NOW)
    assert list(endpoint.connections) == [other]


def test_who_has_waited_longest_gives_way() -> None:
    endpoint = Endpoint(SECRET, most=3)
    for port, deadline in ((1, 50), (2, 40), (3, 60)):
        c = opened()
        c.state, c.deadline = State.TIME_WAIT, deadline
        endpoint.connections[Peer("10.0.0.5", port)] = c
    endpoint.receive(PEER, handshake(endpoint, FULL), NOW)
    assert {p.port for p in endpoint.connections} == {1, 3, PEER.port}


@pytest.mark.parametrize(
    ("seq", "stamp", "renews"), [(5, 200, True), (1 << 31, 200, True), (5, 122, False)]
)
def test_a_syn_for_what_waits_for_its_end(seq: int, stamp: int, renews: bool) -> None:
    """The time stamp says whether it is a new one (RFC 6191)."""
    endpoint = Endpoint(SECRET)
    endpoint.receive(PEER, handshake(endpoint, FULL), NOW)
    (old,) = endpoint.connections.values()
    old.state = State.TIME_WAIT
    syn = replace(FULL, seq=seq, times=(stamp, 0))
    (answer,) = endpoint.receive(PEER, syn, NOW)
    assert bool(answer.flags & SYN) == renews
    if renews:
        assert answer.times is not None
        ack = Segment(add(seq, 1), ACK, add(answer.seq, 1), 500, times=(stamp, answer.times[0]))
        endpoint.receive(PEER, ack, NOW)
        (new,) = endpoint.connections.values()
        assert new is not old


# ---- on the wire ---------------------------------------------------------------------------------
def test_segments_as_packets() -> None:
    seed = int(os.environ.get("WIRECACHE_SEED", random.randrange(1 << 31)))
    print(f"WIRECACHE_SEED={seed}")
    draw = random.Random(seed)
    for _ in range(50):
        sacks = tuple(
            (draw.getrandbits(32), draw.getrandbits(32)) for _ in range(draw.randrange(3))
        )
        segment = Segment(
            draw.getrandbits(32),
            Flag(draw.getrandbits(6)),
            draw.getrandbits(32),
            draw.getrandbits(16),
            draw.randbytes(draw.randrange(20)),
            mss=draw.choice((None, 1460)),
            times=draw.choice((None, (draw.getrandbits(32), 7))),
            sacks=sacks,
        )
        packet = build(PEER.address, PEER.port, Peer("10.0.0.2", 9), segment)
        assert parse(type(packet)(bytes(packet))) == (PEER, segment)
