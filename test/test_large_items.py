# SPDX-License-Identifier: Apache-2.0
"""Items of up to 8 MiB, on the configuration that has them (--config large), beside memcached."""

from __future__ import annotations

import random
import socket

import pytest
from wirecache.circuit import structs
from wirecache.oracle.memcached import Memcached
from wirecache.testbench.bench import full
from wirecache.testbench.serving import ask, connect, serving

ITEM_BYTES = structs.constant("ItemBytes")


def conversation(port: int, requests: list[tuple[bytes, bytes]]) -> list[bytes]:
    """What is answered to each request, up to the end that is expected."""
    connection = connect(port)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return [ask(connection, request, end) for request, end in requests]


@pytest.mark.parametrize("most", [2 << 20, full(8 << 20)])
def test_to_the_byte(most: int) -> None:
    """The largest item by SET and by APPEND, one byte more, and what becomes of the item then. An
    APPEND that is refused takes as long as it would be copied: that is no standstill."""
    draw = random.Random(8)
    value = draw.randbytes(most - ITEM_BYTES - len(b"large"))
    half = len(value) // 2

    def line(command: bytes, data: bytes) -> tuple[bytes, bytes]:
        return b"%b large 0 0 %d\r\n%b\r\n" % (command, len(data), data), b"\r\n"

    get = (b"get large\r\n", b"END\r\n")
    requests = [
        line(b"set", value),
        get,
        line(b"append", b"x"),
        (b"mg large s\r\n", b"\r\n"),
        line(b"set", value[:half]),
        line(b"append", value[half:]),
        get,
        line(b"append", value),
        line(b"prepend", b"x"),
        line(b"set", value + b"x"),
        get,
    ]
    with serving("--config", "large", "-I", str(most)) as server:
        found = conversation(server.port, requests)
        server.stop()
    assert found[1] == b"VALUE large 0 %d\r\n%b\r\nEND\r\n" % (len(value), value)
    with Memcached("-I", str(most), "-m", "1024", "-o", "slab_chunk_max=8192") as memcached:
        assert found == conversation(memcached.port, requests)


@pytest.mark.full
def test_more_than_a_ring_at_once() -> None:
    """Items of some MiB by several connections; an answer of more than a connection's ring."""
    draw = random.Random(9)
    values = {b"some%d" % n: draw.randbytes(draw.randrange(2 << 20, 4 << 20)) for n in range(4)}
    with serving("--config", "large", "-I", "8M") as server:
        connections = [connect(server.port) for _ in values]
        for connection, (key, value) in zip(connections, values.items(), strict=True):
            connection.sendall(b"set %b 0 0 %d\r\n" % (key, len(value)) + value[:100_000])
        for connection, value in zip(connections, values.values(), strict=True):
            assert ask(connection, value[100_000:] + b"\r\n", b"\r\n") == b"STORED\r\n"
        found = [b"VALUE %b 0 %d\r\n%b\r\n" % (k, len(v), v) for k, v in values.items()]
        wanted = b"".join(found) + b"END\r\n"
        assert len(wanted) > 8 << 20
        assert ask(connections[0], b"get %b\r\n" % b" ".join(values), b"END\r\n") == wanted
        server.stop()
