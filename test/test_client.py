# SPDX-License-Identifier: Apache-2.0
"""The UDP client: answers in any order, and answers of which a datagram was lost."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Iterator

import pytest
from wirecache import client as module
from wirecache.client import Client
from wirecache.traffic.frames import FRAME_HEADER


class Server:
    """The other end: it answers what a test says."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.settimeout(5)
        self.port: int = self._socket.getsockname()[1]

    def take(self) -> tuple[int, tuple[str, int]]:
        """The id of the next request, and whom to answer."""
        data, address = self._socket.recvfrom(1 << 16)
        return FRAME_HEADER.unpack_from(data)[0], address

    def answer(self, address: tuple[str, int], request_id: int, number: int, total: int) -> None:
        data = FRAME_HEADER.pack(request_id, number, total, 0) + b"%d " % number
        self._socket.sendto(data, address)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def test_datagrams_in_any_order(server: Server) -> None:
    with Client(port=server.port) as client:
        wanted = client.send(b"get a")
        request_id, address = server.take()
        for number in (2, 0, 1):
            server.answer(address, request_id, number, 3)
        assert client.receive() == (wanted, b"0 1 2 ")


def test_answers_that_lost_a_datagram_are_not_kept_for_ever(server: Server) -> None:
    with Client(port=server.port) as client:
        for _ in range(4 * module._MAX_PARTIAL):
            client.send(b"get a")
            request_id, address = server.take()
            server.answer(address, request_id, 0, 2)  # and not the other one
            wanted = client.send(b"get b")
            request_id, address = server.take()
            server.answer(address, request_id, 0, 1)
            assert client.receive() == (wanted, b"0 ")
        assert len(client._partial) <= module._MAX_PARTIAL


def test_an_id_that_comes_again_is_another_request(server: Server) -> None:
    """Ids have 16 bits: what is left of an answer to an old request is none to the new one."""
    with Client(port=server.port) as client:
        first = client.send(b"get a")
        request_id, address = server.take()
        server.answer(address, request_id, 0, 2)
        other = client.send(b"get b")
        server.answer(address, other, 0, 1)
        assert client.receive() == (other, b"0 ")  # so it has seen the half of the first
        client._ids = itertools.count(first + (1 << 16))
        client.send(b"get c")
        server.answer(address, request_id, 0, 3)
        for number in (1, 2):
            server.answer(address, request_id, number, 3)
        assert client.receive() == (first, b"0 1 2 ")
