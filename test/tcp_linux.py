# SPDX-License-Identifier: Apache-2.0
"""Linux' TCP against the model. Run by test_tcp_linux.py in a network namespace; the first argument
is a seed, the others are names of functions in here."""

from __future__ import annotations

import random
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable

from wirecache.model.tcp.connection import Connection, Timer
from wirecache.model.tcp.endpoint import TOO_MANY
from wirecache.model.tcp.segment import Flag, Segment
from wirecache.testbench.tun import ADDRESS, PORT, Link, Served

SEED = int(sys.argv[1])


def connect() -> socket.socket:
    return socket.create_connection((ADDRESS, PORT), timeout=30)


def echoes(count: int) -> None:
    """`count` bytes there and back, and an end in both directions."""
    data = random.randbytes(count)
    with connect() as client:

        def send() -> None:
            client.sendall(data)
            client.shutdown(socket.SHUT_WR)

        thread = threading.Thread(target=send)
        thread.start()
        got = b""
        while part := client.recv(1 << 16):
            got += part
        thread.join()
    assert got == data, len(got)


def total(served: Served, name: str) -> int:
    return sum(getattr(connection.counts, name) for connection in served.opened)


def until(true: Callable[[], bool]) -> None:
    """Waits for what must come, for 20 seconds."""
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def closed(served: Served) -> None:
    until(lambda: not served.endpoint.connections)


def whole_link() -> None:
    with Served(Link()) as served:
        echoes(300_000)
        closed(served)
    assert not total(served, "timeouts")


def scaled_window() -> None:
    with Served(Link(), our_scale=5, ring=1 << 20) as served:
        echoes(1_000_000)
        closed(served)


def lossy_link() -> None:
    for link in (Link(lost_in=0.05), Link(lost_out=0.05), Link(0.03, 0.03, 0.2, 0.05)):
        link.random = random.Random(SEED)
        with Served(link) as served:
            echoes(300_000)
        assert total(served, "out_of_order" if link.lost_in else "retransmitted")


def first_lost() -> None:
    """The client's ACK and first bytes: those behind them come while there is no connection."""
    for count in (1, 2, 5):
        with Served(Link(first_lost=count)) as served:
            echoes(30_000)
        assert bool(served.endpoint.totals.early) == (count > 1)


def slow_reader() -> None:
    """The window closes, and opens again; the peer takes back some of it, as Linux does."""
    asked: list[Connection] = []

    def fills(connection: Connection) -> None:
        asked.append(connection)
        connection.take(1 << 16)
        if connection.receiver.next != connection.receiver.read:
            return
        if not connection.sender.fin:
            connection.write(bytes(connection.sender.room))

    with Served(Link(), fills) as served:
        client = connect()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.sendall(b"x")
        until(lambda: bool(served.opened) and served.opened[0].sender.window == 0)
        time.sleep(1)
        want, got = 200_000, 0
        while got < want:
            got += len(client.recv(1 << 16))
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()  # a RST
        closed(served)


def ends() -> None:
    with Served(Link()) as served:
        with connect() as client:  # we end first
            client.sendall(b"hello quit")
            assert client.recv(100) == b"hello quit"
            assert client.recv(100) == b""
        client = connect()  # the peer aborts
        client.sendall(b"x")
        assert client.recv(100) == b"x"
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
        until(
            lambda: all(c.state.name == "TIME_WAIT" for c in served.endpoint.connections.values())
        )
        assert len(served.opened) == 2
        assert len(served.endpoint.connections) == 1


def many() -> None:
    """The ninth of eight is told so; whoever waits for its end gives way."""
    with Served(Link(), most=8) as served:
        clients = [connect() for _ in range(8)]
        for client in clients:
            client.sendall(b"a")
            assert client.recv(9) == b"a"
        with connect() as client:
            client.sendall(b"b")
            assert client.recv(100) == TOO_MANY
            assert client.recv(100) == b""
        for client in clients:
            client.close()
        closed(served)
        for _ in range(40):  # ended by us, so each stays for a minute
            with connect() as client:
                client.sendall(b"quit")
                assert client.recv(9) == b"quit"
                assert client.recv(9) == b""
        assert len(served.endpoint.connections) <= 8
        assert served.endpoint.totals.opened == 48


def bytes_alone() -> None:
    with Served(Link()), connect() as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for n in range(60):
            client.send(bytes([n]))
            time.sleep(0.001)
        got = b""
        while len(got) < 60:
            got += client.recv(100)
        assert got == bytes(range(60))


def keepalive() -> None:
    """A peer that has nothing to say answers with an ACK, and nothing is changed by it. Linux does
    so each half second at most."""
    heard: list[Segment] = []
    with Served(Link()) as served, connect() as client:
        client.sendall(b"x")
        assert client.recv(9) == b"x"
        ((peer, connection),) = served.endpoint.connections.items()
        receive = connection.receive

        def hear(s: Segment, now: int) -> list[Segment]:
            heard.append(s)
            return receive(s, now)

        until(lambda: connection.timer == Timer.NONE)
        connection.receive = hear  # type: ignore[method-assign]
        for _ in range(3):
            time.sleep(0.6)
            asked = connection.keepalive(connection.now)
            assert asked is not None and not heard
            served.send(peer, asked)
            until(lambda: bool(heard))
            answer = heard.pop()
            assert answer.flags == Flag.ACK and not answer.data
            assert answer.ack == connection.sender.una == connection.sender.max
        client.sendall(b"y")
        assert client.recv(9) == b"y"


for name in sys.argv[2:]:
    random.seed(SEED)
    globals()[name]()
