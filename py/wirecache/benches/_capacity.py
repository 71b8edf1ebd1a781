# SPDX-License-Identifier: Apache-2.0
"""The item index with its memory full: how many items are there, and which; a real memcached with
the same memory beside it.

Keys are new all the time and come at line rate, quiet SETs in full datagrams, until as many again
have come as fit. What then is there is counted by the circuit, and its audit walks the table.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wirecache.benches import Options, Table
from wirecache.board.session import LINE_RATE, Session
from wirecache.model.log import item_bytes
from wirecache.oracle.memcached import Memcached
from wirecache.traffic import frames
from wirecache.traffic import requests as traffic
from wirecache.traffic.frames import FRAME_HEADER, MAX_PAYLOAD
from wirecache.traffic.requests import Message

CONFIG = ("--config", "simulated")
MEGABYTES = 64
SIZES = ((16, 32), (36, 224), (100, 1000))  # key and value; the second after Twitter's median
USUAL = 100  # what the table is made for when nobody says otherwise: best for smaller items too
STREAM = 2_000_000  # SETs
CHUNK = 20_000  # of them between looks at the keys in use
IN_USE = 1_000  # keys that are asked for again and again
NEWEST = 10_000
RATE = 10**9  # bits a second at which keys are asked for: answers are longer than requests


def _key(size: int, number: int, kind: bytes = b"k") -> bytes:
    return kind + b"%0*d" % (size - 1, number)


def _datagrams(parts: Sequence[bytes]) -> Iterator[bytes]:
    """Requests in datagrams as full as can be."""
    data = b""
    for part in parts:
        if len(data) + len(part) + FRAME_HEADER.size > MAX_PAYLOAD:
            yield frames.request(data, 0)
            data = b""
        data += part
    yield frames.request(data, 0)


class _Board:
    """A board, and what came of all that it was asked."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.dropped = self.failed = 0

    def set(self, keys: Sequence[bytes], value: bytes) -> None:
        wanted = [traffic.binary_set(key, value, quiet=True) for key in keys]
        self._play(wanted)

    def hits(self, keys: Sequence[bytes]) -> int:
        found = self._play([b"get %b\r\n" % key for key in keys], RATE)
        return found["get_hit"]

    def items(self) -> int:
        """Items there are; everything is where it should be."""
        summary = self._session.play([frames.request(b"version\r\n", 0)], audit=True).summary
        if summary["log"]["items"] != summary["audit"]["items"]:
            raise RuntimeError("the circuit has lost count of its items")
        return int(summary["log"]["items"])

    def _play(self, parts: Sequence[bytes], rate: int = LINE_RATE) -> dict[str, int]:
        phase = self._session.play(list(_datagrams(parts)), rate=rate)
        if phase.summary["unanswered"]:
            raise RuntimeError("not everything was answered")
        self.dropped += phase.summary["dropped"]
        counters = phase.counters
        self.failed += counters["failed"] + counters["too_large"] + counters["error"]
        return counters


class _Memcached:
    """The same of a real memcached, over TCP."""

    def __init__(self, server: Memcached) -> None:
        self._server = server
        self._connection = socket.create_connection(("127.0.0.1", server.port), 20)
        self.failed = 0

    def set(self, keys: Sequence[bytes], value: bytes) -> None:
        parts = [b"set %b 0 0 %d noreply\r\n%b\r\n" % (key, len(value), value) for key in keys]
        self._connection.sendall(b"".join(parts) + b"mn\r\n")
        answer = self._until(b"MN\r\n")
        self.failed += answer.count(b"ERROR")

    def hits(self, keys: Sequence[bytes]) -> int:
        found = 0
        for at in range(0, len(keys), 100):
            self._connection.sendall(b"get " + b" ".join(keys[at : at + 100]) + b"\r\n")
            found += self._until(b"END\r\n").count(b"VALUE ")
        return found

    def items(self) -> int:
        answer = self._server.ask(Message(b"stats\r\n", 1))
        return int(answer.partition(b"STAT curr_items ")[2].split()[0])

    def close(self) -> None:
        self._connection.close()

    def _until(self, end: bytes) -> bytes:
        answer = bytearray()
        while not answer.endswith(end):
            answer += self._connection.recv(1 << 20)
        return bytes(answer)


@dataclass(frozen=True)
class _Filled:
    items: int
    dropped: int
    failed: int

    def overhead(self, key: int, value: int) -> float:
        """Bytes an item beside its key and value, of all memory."""
        return (MEGABYTES << 20) / self.items - key - value


def _fill(board: _Board | _Memcached, key: int, value: int, count: int) -> _Filled:
    for at in range(0, count, CHUNK):
        numbers = range(at, min(at + CHUNK, count))
        board.set([_key(key, number) for number in numbers], b"v" * value)
    dropped = board.dropped if isinstance(board, _Board) else 0
    return _Filled(board.items(), dropped, board.failed)


def capacity(options: Options) -> Table:
    """Items of each size in the same memory."""
    rows: list[tuple[object, ...]] = []
    for key, value in SIZES[:1] if options.quick else SIZES:
        length = item_bytes(key, value)
        count = options.count or (CHUNK if options.quick else 2 * (MEGABYTES << 20) // length)
        found: dict[str, _Filled] = {}
        for name, made_for in (("usual", USUAL), ("sized", max(USUAL, length))):
            if name == "sized" and made_for == USUAL:
                found[name] = found["usual"]
                continue
            memory = ("--memory", f"{MEGABYTES}M", "--item-size", str(made_for))
            with Session(*CONFIG, *memory) as session:
                found[name] = _fill(_Board(session), key, value, count)
        with Memcached("-m", str(MEGABYTES), as_started=True) as server:
            other = _Memcached(server)
            found["memcached"] = _fill(other, key, value, count)
            other.close()
        theirs = found["memcached"]
        rows.append(
            (
                *(key, value, count),
                *(
                    cell
                    for name in ("usual", "sized")
                    for cell in (
                        found[name].items,
                        f"{found[name].overhead(key, value):.1f}",
                        f"{found[name].items / theirs.items:.2f}",
                    )
                ),
                *(theirs.items, f"{theirs.overhead(key, value):.1f}"),
                sum(each.failed + each.dropped for each in found.values()),
            )
        )
    return Table(
        f"Items in {MEGABYTES} MiB, SETs of new keys at line rate until it is full twice over",
        (
            *("key", "value", "SETs", "items", "bytes an item beside", "to memcached"),
            *("items, table sized", "bytes beside", "to memcached, sized"),
            *("items, memcached", "bytes beside, memcached", "SETs refused, datagrams dropped"),
        ),
        rows,
        (
            f"memory is all that there is: table, log and free segments; memcached: -m {MEGABYTES}",
            f"the table is made for items of {USUAL} bytes, header and key included, or sized: for "
            f"theirs. For smaller ones {USUAL} is best: a larger table takes room for items, and "
            "in a smaller one more buckets are full, whose items leave dead ones in the log",
        ),
    )


def stream(options: Options) -> Table:
    """New keys for ever: is the newest there, and what is in use?"""
    key, value = 16, 100
    count = options.count or (CHUNK if options.quick else STREAM)
    in_use = [_key(key, number, b"u") for number in range(IN_USE)]
    newest = [_key(key, number) for number in range(max(0, count - NEWEST), count)]
    rows: list[tuple[object, ...]] = []
    with Session(*CONFIG, "--memory", f"{MEGABYTES}M") as session:
        rows.append(("Wirecache", *_streamed(_Board(session), key, value, count, in_use, newest)))
    with Memcached("-m", str(MEGABYTES), as_started=True) as server:
        other = _Memcached(server)
        rows.append(("memcached", *_streamed(other, key, value, count, in_use, newest)))
        other.close()
    return Table(
        f"{count:,} SETs of new keys into {MEGABYTES} MiB, {key}-byte keys, {value}-byte values",
        (
            *("", "refused", "datagrams dropped", "items in the end"),
            *(f"of {len(newest):,} newest there", f"of {IN_USE:,} in use there"),
        ),
        rows,
        (
            f"the keys in use are set first, one behind the other, and never again; they are asked "
            f"for once in every {CHUNK:,} SETs",
            "SETs come in full datagrams as fast as the wire takes them",
        ),
    )


def _streamed(
    board: _Board | _Memcached,
    key: int,
    value: int,
    count: int,
    in_use: Sequence[bytes],
    newest: Sequence[bytes],
) -> tuple[int, int, int, int, int]:
    board.set(in_use, b"u" * value)
    for at in range(0, count, CHUNK):
        numbers = range(at, min(at + CHUNK, count))
        board.set([_key(key, number) for number in numbers], b"v" * value)
        board.hits(in_use)
    dropped = board.dropped if isinstance(board, _Board) else 0
    refused = board.failed
    return refused, dropped, board.items(), board.hits(newest), board.hits(in_use)
