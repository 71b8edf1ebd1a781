# SPDX-License-Identifier: Apache-2.0
"""The model of a TCP connection, what comes and how it ends: what RFCs say of each case."""

from __future__ import annotations

import os
import random

import pytest
from wirecache.model.tcp.connection import (
    LINGER,
)
from wirecache.model.tcp.sequence import add, ahead, before
from wirecache.testbench.tcp_peer import (
    ACK,
    FIN,
    NOW,
    OURS,
    PSH,
    RST,
    SYN,
    THEIRS,
    acks,
    data,
    everything,
    opened,
    state,
)


# ---- numbers that go round -----------------------------------------------------------------------
def test_numbers_go_round() -> None:
    assert ahead(1, 0xFFFFFFFF) == 2
    assert before(0xFFFFFFFF, 0) and not before(0, 0xFFFFFFFF)
    assert ahead(0x80000000, 0) == -(1 << 31)


# ---- what comes ----------------------------------------------------------------------------------
def test_bytes_in_order_wait_for_an_ack() -> None:
    c = opened()
    assert c.receive(data(0, b"get k\r\n"), NOW) == []
    assert c.ack_due and c.take(100) == b"get k\r\n"
    c.write(b"END\r\n")
    (answer,) = everything(c, NOW)
    assert (answer.data, answer.ack, answer.flags) == (b"END\r\n", add(THEIRS, 7), ACK | PSH)
    assert not c.ack_due and c.acknowledge(NOW) is None


def test_an_ack_for_two_full_segments() -> None:
    c = opened()
    assert c.receive(data(0, bytes(1460)), NOW) == []
    (ack,) = c.receive(data(1460, bytes(1460)), NOW)
    assert ack.ack == add(THEIRS, 2920)


def test_gaps() -> None:
    """Four pieces are kept, the last one that came is told first; a fifth is not."""
    c = opened()
    edges = [(10 * n + 10, 10 * n + 15) for n in range(5)]
    for n, (start, stop) in enumerate(edges):
        (ack,) = c.receive(data(start, b"x" * 5), NOW)
        told = [(ahead(a, THEIRS), ahead(b, THEIRS)) for a, b in ack.sacks]
        if n < 4:
            assert told == [(start, stop), *edges[:n]]
        else:
            assert len(told) == 4 and (start, stop) not in told
        assert ack.ack == THEIRS
    assert c.take(10) == b""
    assert len(c.receive(data(0, b"y" * 10), NOW)) == 1  # fills one: an ACK at once
    assert c.take(100) == b"y" * 10 + b"x" * 5
    (ack,) = c.receive(data(12, b"z" * 20), NOW)  # overlaps what is there on both sides
    assert ahead(ack.ack, THEIRS) == 35
    assert c.take(100)[:5] == b"z" * 5


def test_old_and_partly_old_bytes() -> None:
    c = opened()
    c.receive(data(0, b"abcdef"), NOW)
    (ack,) = c.receive(data(0, b"abcdef"), NOW)
    assert ack.ack == add(THEIRS, 6)
    c.receive(data(3, b"XXXghi"), NOW)
    assert c.take(100) == b"abcdefghi"


def test_the_window_closes_and_opens() -> None:
    c = opened(ring=1 << 12)
    ack = None
    for n in range(8):
        for answer in c.receive(data(512 * n, bytes(512)), NOW):
            ack = answer
    assert ack is not None and ack.ack == add(THEIRS, 4095) and ack.window == 0
    (probe,) = c.receive(data(4095, b"x"), NOW)  # of a window that is not there
    assert (probe.ack, probe.window) == (add(THEIRS, 4095), 0)
    (alive,) = c.receive(data(4094, b""), NOW + 1)  # Linux' probe, and its keepalive
    assert alive.window == 0
    c.take(100)
    assert c.acknowledge(NOW) is None  # a silly window is not told
    c.take(2000)
    told = c.acknowledge(NOW)
    assert told is not None and told.window == 2100


@pytest.mark.parametrize("scale", [0, 4], ids=["not scaled", "scaled"])
def test_a_request_as_long_as_the_ring(scale: int) -> None:
    """Nothing of it is taken before all is there; in front of it was a short one. A window that is
    not scaled moves along."""
    c = opened(ring=1 << 20, our_scale=scale)
    c.receive(data(0, bytes(100)), NOW)
    c.take(100)
    whole, came = 100 + (1 << 20) - (1 << scale), 100
    while came < whole:
        edge = came + c.receiver.window
        assert edge >= min(whole, came + 60_000)
        count = min(1460, edge - came, whole - came)
        c.receive(data(came, bytes(count)), NOW)
        came += count
    assert c.receiver.waiting == whole - 100 and not c.receiver.window


def test_what_was_told_of_the_window_counts() -> None:
    """Whatever is taken when, with windows that are told in steps: all up to the furthest edge that
    was told is taken, and has room in the ring."""
    seed = int(os.environ.get("WIRECACHE_SEED", random.randrange(1 << 31)))
    print(f"WIRECACHE_SEED={seed}")
    draw = random.Random(seed)
    for scale in range(6):
        c = opened(our_scale=scale, ring=1 << 14)
        edge, sent, taken = 0, 0, b""
        for _ in range(500):
            told = c._ack()
            edge = max(edge, ahead(told.ack, THEIRS) + (told.window << scale))
            assert edge - ahead(c.receiver.read, THEIRS) <= 1 << 14
            text = draw.randbytes(min(draw.choice((1, 3, 31, 1460, 1 << 14)), edge - sent))
            c.receive(data(sent, text), NOW)
            sent += len(text)
            taken += text
            assert ahead(c.receiver.next, THEIRS) == sent
            got = c.take(draw.choice((0, 0, 1, 700, 5000)))
            assert taken.startswith(got)
            taken = taken[len(got) :]


@pytest.mark.parametrize(
    ("seq", "closes", "answers"),
    [(0, True, 0), (1, False, 1), (-1, False, 0), (65535, False, 1), (65536, False, 0)],
)
def test_resets(seq: int, closes: bool, answers: int) -> None:
    """Only the exact number counts, others in the window are asked about (RFC 5961, 3.2)."""
    c = opened()
    out = c.receive(data(seq, b"", flags=RST), NOW)
    assert (state(c) == "CLOSED", len(out)) == (closes, answers)


def test_a_reset_with_a_window_of_zero() -> None:
    c = opened(ring=1 << 12)
    for n in range(8):
        c.receive(data(512 * n, bytes(512)), NOW)
    assert not c.receiver.window
    c.receive(data(4095, b"", flags=RST), NOW)
    assert state(c) == "CLOSED"


def test_a_syn_in_the_window() -> None:
    c = opened()
    (challenge,) = c.receive(data(5, b"", flags=SYN), NOW)
    assert challenge.flags == ACK and state(c) == "ESTABLISHED"
    assert c.receive(data(5, b"", flags=SYN), NOW) == []  # one a millisecond
    assert len(c.receive(data(5, b"", flags=SYN), NOW + 1)) == 1


@pytest.mark.parametrize(("ack", "answers"), [(1, 1), (0, 0), (-60_000, 0), (-60_001, 1)])
def test_acks_for_what_was_not_sent(ack: int, answers: int) -> None:
    c = opened()
    assert len(c.receive(data(0, b"", ack=add(OURS, ack)), NOW)) == answers
    assert c.sender.una == OURS


def test_old_time_stamps() -> None:
    """(RFC 7323, 5)"""
    c = opened(times=True, stamp=1000)
    assert c.receive(data(0, b"abc", times=(1001, 0)), NOW) == []
    (ack,) = c.receive(data(3, b"def", times=(1000, 0)), NOW)
    assert ack.ack == add(THEIRS, 3) and c.counts.old_stamps == 1
    assert ack.times == (NOW, 1001)
    assert c.receive(data(3, b"def"), NOW) == []  # has to have one
    c.receive(data(3, b"", flags=RST), NOW)  # a RST need not
    assert state(c) == "CLOSED"


def test_a_stamp_behind_a_gap_is_not_echoed() -> None:
    """The stamp of what filled the gap is: so a round trip is not measured too short."""
    c = opened(times=True, stamp=1000)
    (ack,) = c.receive(data(100, b"x", times=(1005, 0)), NOW)
    assert ack.times == (NOW, 1000)


# ---- the end -------------------------------------------------------------------------------------
def test_the_peer_ends_first() -> None:
    c = opened()
    (ack,) = c.receive(data(0, b"abc", flags=ACK | FIN), NOW)
    assert ack.ack == add(THEIRS, 4) and state(c) == "CLOSE_WAIT"
    assert c.take(9) == b"abc" and c.ended
    c.write(b"xyz")
    c.close()
    (last,) = everything(c, NOW)
    assert (last.data, last.flags) == (b"xyz", ACK | PSH | FIN)
    c.receive(data(4, b"", ack=add(OURS, 4)), NOW)
    assert state(c) == "CLOSED"


def test_we_end_first() -> None:
    c = opened()
    c.write(b"xyz")
    c.close()
    everything(c, NOW)
    c.receive(acks(4), NOW)
    assert state(c) == "FIN_WAIT_2"
    (ack,) = c.receive(data(0, b"", ack=add(OURS, 4), flags=ACK | FIN), NOW + 9)
    assert ack.ack == add(THEIRS, 1) and state(c) == "TIME_WAIT"
    (again,) = c.receive(data(0, b"", ack=add(OURS, 4), flags=ACK | FIN), NOW + 20)
    assert again.ack == add(THEIRS, 1)
    assert c.receive(data(1, b"", ack=add(OURS, 4), flags=RST), NOW + 30) == []
    assert state(c) == "TIME_WAIT"  # (RFC 1337)
    assert c.tick(NOW + 20 + LINGER - 1) == [] and state(c) == "TIME_WAIT"
    c.tick(NOW + 20 + LINGER)
    assert state(c) == "CLOSED"


def test_both_end_at_once() -> None:
    c = opened()
    c.close()
    everything(c, NOW)
    (ack,) = c.receive(data(0, b"", flags=ACK | FIN), NOW)
    assert state(c) == "CLOSING" and ack.ack == add(THEIRS, 1)
    c.receive(data(1, b"", ack=add(OURS, 1)), NOW)
    assert state(c) == "TIME_WAIT"


def test_bytes_for_nobody() -> None:
    """We have ended, and bytes come that nobody takes: a RST (RFC 9293, 3.6.1)."""
    c = opened()
    c.close()
    everything(c, NOW)
    (reset,) = c.receive(data(0, b"abc"), NOW)
    assert reset.flags & RST and state(c) == "CLOSED"


def test_a_fin_behind_a_gap() -> None:
    c = opened()
    c.receive(data(3, b"def", flags=ACK | FIN), NOW)
    assert not c.ended and state(c) == "ESTABLISHED"
    c.receive(data(0, b"abc"), NOW)
    assert c.take(9) == b"abcdef" and c.ended and state(c) == "CLOSE_WAIT"


def test_a_fin_that_fills_the_window() -> None:
    """It takes a number behind the window's edge, and the ACKs of a peer that has ended count."""
    c = opened(ring=1 << 12)
    for n in range(8):
        c.receive(data(512 * n, bytes(512)[: 4095 - 512 * n], flags=ACK | FIN * (n == 7)), NOW)
    assert state(c) == "CLOSE_WAIT" and c.receiver.window == 0
    c.write(b"END\r\n")
    everything(c, NOW)
    assert c.receive(data(4096, b"", ack=add(OURS, 5)), NOW) == []
    assert c.sender.done


def test_nothing_comes_behind_a_fin() -> None:
    c = opened()
    c.receive(data(3, b"def", flags=ACK | FIN), NOW)
    c.receive(data(6, b"ghi"), NOW)
    c.receive(data(0, b"abc"), NOW)
    assert c.take(99) == b"abcdef" and c.ended


def test_the_peer_goes_without_a_word() -> None:
    """In FIN_WAIT_2 nobody waits for more than a minute."""
    c = opened()
    c.close()
    everything(c, NOW)
    c.receive(acks(1), NOW)
    c.tick(NOW + LINGER)
    assert state(c) == "CLOSED"
