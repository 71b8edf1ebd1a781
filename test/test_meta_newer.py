# SPDX-License-Identifier: Apache-2.0
"""What later versions of memcached have, by their protocol text: `md` with x, and E, with which a
client gives an item its CAS number."""

from __future__ import annotations

import socket

from wirecache.client import Client
from wirecache.model import protocol
from wirecache.model.table import Table
from wirecache.testbench.serving import ask, serving

WRONG = b"CLIENT_ERROR invalid or duplicate flag"
TOKEN = b"CLIENT_ERROR bad token in command line format"
LAST = b"%d" % (2**64 - 1)
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
    # E, in all that stores or marks. None of these draws a number.
    (b"ms k 1 c E70 T100\r\n1", b"HD c70"),
    (b"gets k", b"VALUE k 0 1 70\r\n1\r\nEND"),
    (b"ms k 1 C70 E5\r\n2", b"HD"),  # over one that it must have, a lower one
    (b"ms k 1 C70 E6\r\n3", b"EX"),
    (b"cas k 0 0 1 5\r\n4", b"STORED"),
    (b"mg k c v", b"VA 1 c13\r\n4"),
    (b"ms k 1 MA c E3\r\n5", b"HD c3"),
    (b"ms k 1 MP c E%b\r\n1" % LAST, b"HD c" + LAST),
    (b"mg k v c", b"VA 3 c%b\r\n145" % LAST),
    (b"ma k c v E9", b"VA 3 c9\r\n146"),
    (b"ma k c v D1000 C9 E8", b"VA 4 c8\r\n1146"),
    (b"ma k c C9 E8", b"EX"),
    (b"ma n c N0 J7 E4 v", b"VA 1 c4\r\n7"),
    (b"ma n v q", b""),  # of a number that was given, too
    (b"mg n c v", b"VA 1 c14\r\n8"),
    (b"md k I E2", b"HD"),
    (b"mg k c v", b"VA 4 c2 X W\r\n1146"),
    (b"ms k 1 I C1 E1 c\r\n9", b"HD c1"),  # a lower one: it is stale
    (b"mg k c v", b"VA 1 c1 Z X\r\n9"),
    (b"md k x E0", b"HD"),
    (b"mg k c s", b"HD c0 s0"),
    (b"md k x", b"HD"),  # what was given stays
    (b"md k x I E11", b"HD"),
    (b"mg k c", b"HD c11 X W"),
    (b"touch k 0", b"TOUCHED"),
    (b"mg k c E5 T0", b"HD c11 Z X"),  # nothing is stored
    (b"mg m N0 E6 c v", b"VA 0 c6 W\r\n"),
    (b"mg m N0 E7 c v", b"VA 0 c6 Z\r\n"),
    (b"ms o 1 ME E20\r\nx", b"HD"),
    (b"ms o 1 ME E21\r\nx", b"NS"),
    (b"ms o 1 MR E22 c\r\ny", b"HD c22"),
    (b"set p 0 0 1\r\np", b"STORED"),
    (b"md p I E1000000000000", b"HD"),  # one that was drawn before
    (b"md p I", b"HD"),  # and is drawn again
    (b"mg p c", b"HD c16 X W"),
    (b"md p E3 C16 q", b""),  # nothing is left to have it
    (b"mg p", b"EN"),
    # whatever their numbers are, a flush meets them, and not those that come behind it
    (b"set p 0 0 1\r\np", b"STORED"),
    (b"md p I E%b" % LAST, b"HD"),
    (b"ms q 1 E%b\r\nq" % LAST, b"HD"),
    (b"flush_all", b"OK"),
    (b"ms r 1 E0\r\nr", b"HD"),
    *((b"mg %b" % name, b"EN") for name in (b"k", b"m", b"n", b"o", b"p", b"q")),
    (b"mg r c v", b"VA 1 c0\r\nr"),
    (b"flush_all", b"OK"),
    (b"mg r", b"EN"),
    (b"ms r 1 E0\r\nr", b"HD"),
    (b"flush_all 2147483646", b"OK"),  # in thirty years or so
    (b"mg r c v", b"VA 1 c0\r\nr"),
    (b"md r q", b""),
    (b"ms k 1 Ex\r\nk", TOKEN),
    (b"ms k 1 E18446744073709551616\r\nk", TOKEN),
    (b"ms k 1 E1 C-1\r\nk", TOKEN),
    (b"ms k 1 Cx Mab E1\r\nk", b"CLIENT_ERROR incorrect length for M token"),
    (b"ms k 1 C1 Mab Ex\r\nk", TOKEN),
    (b"ms k 1 C1 Mab Ex E3\r\nk", b"CLIENT_ERROR duplicate flag"),
    (b"mg k E", TOKEN),
    (b"md k E1 E1", WRONG),
    (b"ma k E-1", WRONG),
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
        assert told == {b"delete_hits": 11, b"delete_misses": 4, b"cmd_set": 22}
        board.stop()


def test_all_at_once() -> None:
    """Over TCP, each behind the one before without a wait."""
    lines = b"".join(line + b"\r\n" for line, _ in SAID)
    answers = b"".join(said + b"\r\n" * (said != b"") for _, said in SAID)
    with serving() as board:
        with socket.create_connection(("127.0.0.1", board.port), 60) as connection:
            assert ask(connection, lines + b"mn\r\n", b"MN\r\n") == answers + b"MN\r\n"
        board.stop()


def test_lists() -> None:
    """The host tells what a flush has met, whatever the numbers are."""
    given = {b"a": 1, b"b": 2**64 - 1, b"c": 0}
    with serving() as board, socket.create_connection(("127.0.0.1", board.port), 60) as connection:

        def listed() -> dict[bytes, int]:
            lines = ask(connection, b"lru_crawler metadump all\r\n", b"END\r\n").splitlines()[:-1]
            fields = [dict(word.split(b"=") for word in line.split()) for line in lines]
            return {field[b"key"]: int(field[b"cas"]) for field in fields}

        for at, (key, number) in enumerate(given.items()):
            ask(connection, b"ms %b 1 E%d\r\nv\r\n" % (key, number), b"\r\n")
            assert listed() == dict(list(given.items())[: at + 1])
        ask(connection, b"set d 0 0 1\r\nd\r\n", b"\r\n")  # the first number that is drawn
        ask(connection, b"md d I E99\r\n", b"\r\n")
        assert listed() == given | {b"d": 99}
        ask(connection, b"md a I\r\n", b"\r\n")
        assert listed() == given | {b"a": 2, b"d": 99}
        ask(connection, b"flush_all\r\n", b"\r\n")
        assert listed() == {}
        ask(connection, b"ms b 1 E1 b\r\nv\r\n", b"\r\n")  # no base64
        ask(connection, b"ms Yg== 1 E1 b\r\nv\r\n", b"\r\n")
        ask(connection, b"ms c 1 E0\r\nv\r\n", b"\r\n")
        assert listed() == {b"b": 1, b"c": 0}
        assert b" cas=1 " in ask(connection, b"me b\r\n", b"\r\n")
        board.stop()
