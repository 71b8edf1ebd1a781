# SPDX-License-Identifier: Apache-2.0
"""A trace played against a real memcached, the way applications use it: get; store what missed.

Requests go in batches over one connection: one `get` for all keys of a batch, then one `set` for
each of them that missed, unanswered. So within a batch all gets come before all sets. A key that
misses and comes again in the same batch is asked for once more at the head of the next one, where
it finds what the first request stored. Nothing else changes its place.

How many bytes that is in memcached: the limit of `-m` counts pages of 1 MiB that hold items of
about the same size, and the first page of each size is granted above the limit. With items of one
size the limit is kept, from 2 MB up. With items of every size memcached takes up to some 30 MB
more than `-m` says: compare at `Played.page_bytes`, not at the limit.

memcached ages its lists in a thread of its own, so misses differ a little from run to run.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass

from wirecache.oracle.memcached import Memcached
from wirecache.traffic.requests import Message
from wirecache.traffic.traces import Trace

WARM_UP = 0.5  # share of the requests that are played before misses are counted
BATCH = 100
SMALLEST_MB = 2  # memcached 1.6 does not start with less
TIMEOUT = 20.0  # seconds without an answer
_REFUSED = b"SERVER_ERROR"


@dataclass(frozen=True)
class Played:
    """What memcached did with a trace."""

    miss_ratio: float  # after the warm-up
    page_bytes: int  # that it took for items in the end
    items: int  # that it held in the end
    refused: int  # sets that it answered with an error
    requests_per_second: float
    version: str


def play(
    trace: Trace,
    megabytes: int,
    warm_up: float = WARM_UP,
    options: Sequence[str] = (),
    batch: int = BATCH,
) -> Played:
    """Starts memcached with `-m` and other options, plays the trace, and stops it."""
    if megabytes < SMALLEST_MB:
        raise ValueError(f"memcached takes {SMALLEST_MB} MB or more, not {megabytes}")
    with Memcached("-m", str(megabytes), *options, as_started=True) as server:
        start = time.perf_counter()
        with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            missed, counted, refused = _requests(trace, connection, warm_up, batch)
        seconds = time.perf_counter() - start
        pages = _number(server, b"stats slabs", b"total_malloced")
        items = _number(server, b"stats", b"curr_items")
        version = server.version.decode()
    rate = trace.requests / seconds
    return Played(missed / max(1, counted), pages, items, refused, rate, version)


def _requests(
    trace: Trace, connection: socket.socket, warm_up: float, batch: int
) -> tuple[int, int, int]:
    """Misses and requests after the warm-up, and sets that were refused."""
    keys = [trace.key(number) for number in range(trace.keys)]
    lengths = trace.value_bytes.tolist()
    heads = [b"VALUE %b 0 %d\r\n" % pair for pair in zip(keys, lengths, strict=True)]
    filler = b"x" * max(lengths)
    ids = trace.key_id.tolist()
    first_counted = int(len(ids) * warm_up)
    missed = counted = refused = 0
    again: list[tuple[int, bool]] = []  # keys to ask for once more, and whether they count
    at = 0
    while at < len(ids) or again:
        end = min(len(ids), at + batch)
        asked = again + [(ids[i], i >= first_counted) for i in range(at, end)]
        at, again = end, []
        connection.sendall(b"get " + b" ".join([keys[key] for key, _ in asked]) + b"\r\n")
        answer = _answer(connection)
        place = 0
        while answer.startswith(_REFUSED, place):  # to the sets of the batch before
            place = answer.index(b"\n", place) + 1
            refused += 1
        stores: dict[int, bytes] = {}
        for key, counts in asked:
            if answer.startswith(heads[key], place):  # what it has, in the order asked
                place += len(heads[key]) + lengths[key] + 2
            elif key in stores:
                again.append((key, counts))
                continue
            else:
                missed += counts
                stores[key] = b"set %b 0 0 %d noreply\r\n%b\r\n" % (
                    keys[key],
                    lengths[key],
                    filler[: lengths[key]],
                )
            counted += counts
        if answer[place:] != b"END\r\n":
            raise ValueError(f"not an answer of memcached: {answer[place : place + 80]!r}")
        if stores:
            connection.sendall(b"".join(stores.values()))
    return missed, counted, refused


def _answer(connection: socket.socket) -> bytes:
    """All lines up to END; no value ends like that."""
    answer = bytearray()
    while not answer.endswith(b"END\r\n"):
        part = connection.recv(1 << 20)
        if not part:
            raise ConnectionError("memcached closed the connection")
        answer += part
    return bytes(answer)


def _number(server: Memcached, command: bytes, name: bytes) -> int:
    """One of memcached's counters."""
    for line in server.ask(Message(command + b"\r\n", 1)).splitlines():
        if line.startswith(b"STAT " + name + b" "):
            return int(line.split()[2])
    raise ValueError(f"memcached has no {name.decode()}")
