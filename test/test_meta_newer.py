# SPDX-License-Identifier: Apache-2.0
"""What later versions of memcached have: `md` with x, by their protocol text."""

from __future__ import annotations

import socket

from wirecache.client import Client
from wirecache.model import protocol
from wirecache.model.table import Table
from wirecache.testbench.serving import ask, serving

WRONG = b"CLIENT_ERROR invalid or duplicate flag"
NUMERIC = b"CLIENT_ERROR cannot increment or decrement non-numeric value"

# What is asked, with a `mn` behind it, and what is answered in front of the MN.
SAID = (
    (b"md k x", b"NF"),
    (b"ms k 3 F7 T100 c\r\nabc", b"HD c1"),
    (b"md k x", b"HD"),  # no value, no flags, no time to live; the CAS number stays
    (b"mg k v s f t c h", b"VA 0 s0 f0 t-1 c1 h0\r\n"),
    (b"ms k 3 F7 T100\r\nabc", b"HD"),
    (b"md k C1 x k Oab", b"EX kk Oab"),
    (b"mg k v f c", b"VA 3 f7 c2\r\nabc"),
    (b"md k x F9 C2 q", b""),
    (b"mg k v f c", b"VA 0 f9 c2\r\n"),
    (b"md k x I T-1", b"HD"),  # it has expired
    (b"mg k", b"EN"),
    (b"md k x q", b"NF"),
    (b"ms k 2\r\n12", b"HD"),
    (b"md k I x F4294967295", b"HD"),  # stale, to be fetched anew by one, and with another number
    (b"mg k f c v", b"VA 0 f4294967295 c5 X W\r\n"),
    (b"mg k", b"HD Z X"),
    (b"md k x", b"HD"),  # no more
    (b"mg k c h", b"HD c5 h0"),
    (b"incr k 1", NUMERIC),
    (b"append k 0 0 2\r\n12", b"STORED"),
    (b"incr k 1", b"13"),
    (b"md k x", b"HD"),
    (b"cas k 0 0 1 7\r\n5", b"STORED"),  # 7 is what INCR had drawn
    (b"gets k", b"VALUE k 0 1 8\r\n5\r\nEND"),
    (b"ms Zm9v 1 b\r\n1", b"HD"),
    (b"md Zm9v x b", b"HD"),
    (b"mg foo k v", b"VA 0 kZm9v b\r\n"),
    (b"md k x", b"HD"),
    (b"flush_all", b"OK"),  # of what has an old number, too
    (b"mg k", b"EN"),
    (b"md foo x", b"NF"),
    (b"ms k 1 x q\r\n1", b""),  # to others it means nothing
    (b"mg k x v", b"VA 1\r\n1"),
    (b"ma k x", b"HD"),
    (b"md k x x", WRONG),
    (b"md k xy Fz", WRONG),
    (b"md k q", b""),
    (b"mg k", b"EN"),
)


def wanted(said: bytes) -> bytes:
    return said + b"\r\n" * (said != b"") + b"MN\r\n"


def test_the_model() -> None:
    table = Table(time=1_700_000_000, whole=True)
    for line, said in SAID:
        assert protocol.answer(line + b"\r\nmn\r\n", table) == wanted(said), line


def test_a_board() -> None:
    with serving() as board, Client(port=board.port, timeout=60) as client:
        for line, said in SAID:
            assert client.ask(line + b"\r\nmn\r\n") == wanted(said), line
        lines = [line.split() for line in client.ask(b"stats\r\n").splitlines()]
        stats = {line[1]: line[2] for line in lines if line[:1] == [b"STAT"]}
        # A DELETE whose item is stale now is none, and one whose item is empty now is no SET.
        told = {name: int(stats[name]) for name in (b"delete_hits", b"delete_misses", b"cmd_set")}
        assert told == {b"delete_hits": 7, b"delete_misses": 4, b"cmd_set": 7}
        board.stop()


def test_all_at_once() -> None:
    """Over TCP, each behind the one before without a wait."""
    lines = b"".join(line + b"\r\n" for line, _ in SAID)
    answers = b"".join(said + b"\r\n" * (said != b"") for _, said in SAID)
    with serving() as board:
        with socket.create_connection(("127.0.0.1", board.port), 60) as connection:
            assert ask(connection, lines + b"mn\r\n", b"MN\r\n") == answers + b"MN\r\n"
        board.stop()
