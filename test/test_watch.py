# SPDX-License-Identifier: Apache-2.0
"""`watch` over sockets: what clients are told of what others do, beside memcached."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack

import pytest
from wirecache.oracle.memcached import Memcached
from wirecache.testbench.serving import (
    PATIENCE,
    Serving,
    ask,
    connect,
    serving,
    tries,
    udp_message,
    until,
)
from wirecache.traffic.frames import FRAME_HEADER

OK = b"OK\r\n"
SILENT = 1.0  # s in which nothing comes; a watcher has its lines at once
MOST_WATCHERS = 20
SMALLEST_BUFFER = 4096
MAGIC = 0x80
HEADER = 24  # bytes of a binary answer's


def small(*options: str) -> AbstractContextManager[Serving]:
    return serving("--memory", "8M", *options)


@pytest.fixture
def board() -> Iterator[Serving]:
    with small() as server:
        yield server
        server.stop()


def watch(port: int, kinds: bytes = b"", buffer: int | None = None) -> socket.socket:
    watcher = socket.socket()
    if buffer:
        watcher.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    watcher.settimeout(PATIENCE)
    watcher.connect(("127.0.0.1", port))
    assert ask(watcher, b"watch" + b" " * bool(kinds) + kinds + b"\r\n", OK) == OK
    return watcher


def more(watcher: socket.socket, seconds: float) -> bytes:
    """What comes until nothing has for so long, or the end of all."""
    out = b""
    watcher.settimeout(seconds)
    try:
        while data := watcher.recv(65536):
            out += data
    except TimeoutError:
        pass
    watcher.settimeout(PATIENCE)
    return out


def until_lines(watcher: socket.socket, many: int) -> list[bytes]:
    """What comes until there are so many lines."""
    out = b""
    while out.count(b"\n") < many:
        data = watcher.recv(65536)
        assert data, out
        out += data
    assert out.endswith(b"\n")
    return out.split(b"\n")[:-1]


def lines(watcher: socket.socket, many: int) -> list[bytes]:
    """So many of them, and no more."""
    out = until_lines(watcher, many)
    assert len(out) == many and not more(watcher, SILENT / 4)
    return out


LINE = re.compile(
    rb"ts=\d+\.\d+ gid=(?P<gid>\d+) type=(?P<type>\w+) key=(?P<key>[^ ]+) status=(?P<status>\w+)"
    rb"( cmd=(?P<cmd>\w+) ttl=(?P<ttl>-?\d+))? clsid=(?P<clsid>\d+) cfd=(?P<cfd>\d+)"
    rb" size=(?P<size>\d+)"
)


def fields(line: bytes) -> dict[str, bytes]:
    match = LINE.fullmatch(line)
    assert match, line
    return match.groupdict()


# A request, and how many of memcached's lines the board has not: those of docs/differences.md.
SETS_LOOK = 1  # at what they replace
STEPS: tuple[tuple[bytes, int], ...] = (
    (b"set a 0 0 1\r\nx\r\n", SETS_LOOK),
    (b"get a\r\n", 0),
    (b"get a none a\r\n", 0),
    (b"gets a\r\n", 0),
    (b"set a 0 100 3\r\nxyz\r\n", SETS_LOOK),
    (b"set a 0 0 1 noreply\r\nx\r\nget a\r\n", SETS_LOOK),
    (b"add a 0 0 1\r\nx\r\n", 0),
    (b"add b 0 50 2\r\nxy\r\n", 0),
    (b"replace b 5 0 4\r\nwxyz\r\n", 0),
    (b"replace none 0 0 4\r\nwxyz\r\n", 0),
    (b"append none 0 0 1\r\nx\r\n", 0),
    (b"prepend none 0 0 1\r\nx\r\n", 0),
    (b"cas none 0 0 1 7\r\nx\r\n", 0),
    (b"cas a 0 0 1 99999999\r\nx\r\n", 0),
    (b"delete none\r\n", 0),
    (b"delete b\r\n", 0),
    (b"set n 0 0 2\r\n99\r\n", SETS_LOOK),
    (b"incr n 1\r\n", 0),
    (b"decr n 7\r\n", 0),
    (b"incr none 1\r\n", 0),
    (b"touch n 100\r\n", 0),
    (b"touch none 100\r\n", 0),
    (b"gat 100 n none\r\n", 0),
    (b"mg n v\r\n", 0),
    (b"mg n\r\n", 0),
    (b"mg none v q\r\n", 0),
    (b"ms m 1\r\nx\r\n", SETS_LOOK),
    (b"ms m 1 ME\r\nx\r\n", 0),
    (b"ms m 1 MR T70\r\nx\r\n", 0),
    (b"ms bbx= 1 b\r\nx\r\n", SETS_LOOK),
    (b"mg bbx= b v\r\n", 0),
    (b"md m\r\n", 0),
    (b"md m q\r\n", 0),
    (b"ma n\r\n", 0),
    (b"ma none\r\n", 0),
    (b"set percent%%41\x80\xff-._~ 0 0 0\r\n\r\n", SETS_LOOK),
    (b"get percent%%41\x80\xff-._~\r\n", 0),
    (b"get %b %b\r\n" % (b"k" * 250, b"l" * 249), 0),
    (b"flush_all\r\nget a\r\n", 0),
    (b"\x80\x01\0\2\x08\0\0\0\0\0\0\x0b\0\0\0\1" + bytes(8) + bytes(8) + b"kkx", SETS_LOOK),
    (b"\x80\x00\0\2\0\0\0\0\0\0\0\2\0\0\0\1" + bytes(8) + b"kk", 0),
    (b"\x80\x0c\0\4\0\0\0\0\0\0\0\4\0\0\0\1" + bytes(8) + b"none", 0),
)


def test_as_memcached_tells_it(board: Serving) -> None:
    """But for times, numbers, classes, and what a set found in its place. To the time to live of an
    item both have a second's freedom."""
    with Memcached(as_started=True) as memcached:
        ours, theirs = (told(port) for port in (board.port, memcached.port))
    numbers = [int(line["gid"]) for step in ours for line in step]
    assert numbers == sorted(set(numbers))
    for (request, fewer), got, wanted in zip(STEPS, ours, theirs, strict=True):
        looked = [line for line in wanted if line["type"] == b"item_get"]
        for line in looked[:fewer]:
            wanted.remove(line)
        for line in (*got, *wanted):
            for name in ("gid", "cfd"):
                del line[name]
            if line["status"] in (b"flushed", b"expired"):
                line["status"] = b"not_found"  # it is to the board
            there = line["type"] == b"item_store" or line["status"] == b"found"
            assert (line.pop("clsid") != b"0") == there
        assert len(got) == len(wanted), (request, got, wanted)
        # Of what goes the board does not tell the size, and of a number that of the new one.
        stores = any(line["type"] == b"item_store" for line in wanted)
        if stores or request.startswith((b"incr", b"decr", b"ma", b"delete", b"md")):
            for line in (*got, *wanted):
                if line["type"] == b"item_get":
                    del line["size"]
        for line, other in zip(got, wanted, strict=True):
            ttl, other_ttl = (int(of.pop("ttl") or 0) for of in (line, other))
            assert abs(ttl - other_ttl) <= 2, (request, ttl, other_ttl)
        assert got == wanted, request


def told(port: int) -> list[list[dict[str, bytes]]]:
    """The fields of the lines of each step."""
    with (
        watch(port, b"fetchers mutations") as watcher,
        connect(port) as text,
        connect(port) as binary,
    ):
        for request, _ in STEPS:
            if request[0] == MAGIC:
                binary.sendall(request)
                head = binary.recv(HEADER, socket.MSG_WAITALL)
                binary.recv(int.from_bytes(head[8:12]), socket.MSG_WAITALL)
                request = b""
            ask(text, request + b"get behind\r\nmn\r\n", b"MN\r\n")
        steps: list[list[dict[str, bytes]]] = [[]]
        out = b""
        while len(steps) <= len(STEPS):
            out += watcher.recv(65536)
            *whole, out = out.split(b"\n")
            for line in map(fields, whole):
                if line["key"] == b"behind":
                    steps.append([])
                else:
                    steps[-1].append(line)
        assert not steps.pop() and not out
        return steps


def test_kinds_and_numbers(board: Serving) -> None:
    """Each is told what it asked for, under the same number; `watch` alone asks for fetchers."""
    with (
        watch(board.port) as gets,
        watch(board.port, b"mutations") as sets,
        watch(board.port, b"fetchers mutations evictions") as both,
        watch(board.port, b"evictions connevents sysevents proxyreqs rawcmds") as none,
        connect(board.port) as client,
    ):
        assert ask(
            client, b"add a 0 0 1\r\nx\r\nget a\r\nadd a 0 0 1\r\ny\r\nget b\r\nmn\r\n", b"MN\r\n"
        )
        of_get, of_set, all_lines = lines(gets, 4), lines(sets, 2), lines(both, 6)
        assert sorted(of_get + of_set, key=lambda line: int(fields(line)["gid"])) == all_lines
        assert {fields(line)["type"] for line in of_get} == {b"item_get"}
        assert {fields(line)["type"] for line in of_set} == {b"item_store"}
        assert more(none, SILENT / 4) == b""
        stats = ask(client, b"stats\r\n", b"END\r\n")
        assert b"STAT log_watchers 4\r\n" in stats, stats
        assert b"STAT log_watcher_sent 12\r\n" in stats
        assert b"STAT log_worker_written 4\r\n" in stats
        assert b"STAT log_worker_dropped 0\r\n" in stats


def test_what_is_refused(board: Serving) -> None:
    with Memcached(as_started=True) as memcached:
        for line in (b"watch x", b"watch fetchers x", b"watch FETCHERS", b"watch fetchers noreply"):
            for port in (board.port, memcached.port):
                with connect(port) as connection:
                    connection.sendall(line + b"\r\n")
                    if b"noreply" not in line:
                        assert until(connection, b"\r\n") == b"ERROR\r\n"
                    assert ask(connection, b"version\r\n", b"\r\n").startswith(b"VERSION")
    with ExitStack() as stack:
        for _ in range(MOST_WATCHERS):
            stack.enter_context(watch(board.port))
        with connect(board.port) as one_more:
            answer = ask(one_more, b"watch\r\n", b"\r\n")
            assert answer == b"WATCHER_TOO_MANY log watcher limit reached\r\n"
            assert ask(one_more, b"version\r\n", b"\r\n").startswith(b"VERSION")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.settimeout(PATIENCE)
        udp.connect(("127.0.0.1", board.port))
        udp.send(FRAME_HEADER.pack(1, 0, 1, 0) + b"watch\r\n")
        assert udp_message(udp) == b"CLIENT_ERROR watch needs TCP\r\n"


def test_switched_off() -> None:
    with small("-W") as server, connect(server.port) as client:
        assert ask(client, b"watch\r\n", b"\r\n") == b"CLIENT_ERROR watch commands not allowed\r\n"
        server.stop()


def watchers(client: socket.socket) -> int:
    stats = ask(client, b"stats\r\n", b"END\r\n")
    found = re.search(rb"STAT log_watchers (\d+)\r\n", stats)
    assert found
    return int(found[1])


def test_ends_with_its_client(board: Serving) -> None:
    """On an idle board, too: the client's end is answered, and what it had is free again."""
    with connect(board.port) as client:
        for _ in range(3):
            with watch(board.port) as watcher:
                assert watchers(client) == 1
                watcher.shutdown(socket.SHUT_WR)
                assert watcher.recv(100) == b""
            assert watchers(client) == 0
        # Bytes behind the command are not looked at, as in memcached.
        with watch(board.port) as watcher:
            watcher.sendall(b"get a\r\nwatch\r\n")
            assert more(watcher, SILENT) == b""
            ask(client, b"get b\r\n", b"END\r\n")
            assert fields(lines(watcher, 1)[0])["key"] == b"b"
        # Connections that break off without a word.
        for turn in range(2 * MOST_WATCHERS):
            with watch(board.port, (b"fetchers", b"evictions")[turn % 2]) as watcher:
                linger = (1).to_bytes(4, "little") + bytes(4)
                watcher.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        for _ in tries():
            if watchers(client) == 0:
                break
            client.sendall(b"get %b\r\n" % (b"k" * 250) * 100)
            until(client, b"END\r\n" * 100)
        assert watchers(client) == 0


def test_one_that_reads_late(board: Serving) -> None:
    """Nobody waits for it, and it has missed nothing. (host/test/watch_test.cc: one that reads so
    late that it does.)"""
    with (
        watch(board.port, b"fetchers", SMALLEST_BUFFER) as slow,
        watch(board.port, b"fetchers") as quick,
        connect(board.port) as client,
    ):
        key = b"\x80" * 250  # each byte is three
        many = 10  # of keys: so many have room until the host takes them
        told = []
        for _ in range(8):
            ask(client, b"get " + b" ".join([key] * many) + b"\r\n", b"END\r\n")
            told += until_lines(quick, many)
        assert b"STAT log_worker_dropped 0\r\n" in ask(client, b"stats\r\n", b"END\r\n")
        assert until_lines(slow, len(told)) == told


def test_more_than_the_host_takes(board: Serving) -> None:
    """What is lost on the way is lost whole and counted, and everybody has his answers."""
    with watch(board.port) as watcher, connect(board.port) as client:
        many = 3000
        gets = b"get k\r\n" * many
        assert ask(client, gets + b"mn\r\n", b"MN\r\n") == b"END\r\n" * many + b"MN\r\n"
        stats = ask(client, b"stats\r\n", b"END\r\n")
        written, dropped = (
            int(re.search(rb"STAT log_worker_%b (\d+)\r\n" % what, stats)[1])  # type: ignore[index]
            for what in (b"written", b"dropped")
        )
        assert written + dropped == many and 100 < written < many
        assert all(fields(line)["key"] == b"k" for line in lines(watcher, written))
