# SPDX-License-Identifier: Apache-2.0
"""The appliance and memcached give the same answers over real sockets, and count the same.

WIRECACHE_OPERATIONS=N makes the normal run longer; the full run asks 100,000 operations.
"""

import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator

import pytest
from wirecache.client import Client, ServerError
from wirecache.model import protocol, udp
from wirecache.model.table import Table
from wirecache.oracle.compare import ENOUGH, ORACLE_MIX, compare
from wirecache.traffic.frames import FRAME_HEADER
from wirecache.traffic.requests import Mix, ascii_set

OPERATIONS = int(os.environ.get("WIRECACHE_OPERATIONS", "5000"))


def test_random_streams(server: int, seed: int) -> None:
    report = compare(server, OPERATIONS, seed)
    print(report)
    assert not report.differences


@pytest.mark.parametrize("binary", [0.0, 1.0], ids=["ascii", "binary"])
def test_error_streams(server: int, seed: int, binary: float) -> None:
    mix = Mix(listed=False, binary=binary, errors=0.5, keys=50)
    report = compare(server, OPERATIONS // 5, seed, mix)
    print(report)
    assert not report.differences


@pytest.mark.full
@pytest.mark.parametrize("binary", [None, 0.0, 1.0], ids=["mixed", "ascii", "binary"])
def test_hundred_thousand(server: int, seed: int, binary: float | None) -> None:
    """All three protocols; then text alone, classic and meta, and binary alone."""
    mix = ORACLE_MIX if binary is None else Mix(listed=False, binary=binary)
    report = compare(server, 100_000, seed, mix)
    print(report)
    assert not report.differences


@pytest.mark.parametrize("binary", [False, True], ids=["ascii", "binary"])
def test_a_client(server: int, binary: bool) -> None:
    """What a user does first."""
    with Client(port=server, binary=binary) as client:
        assert client.version() == protocol.version_text()
        assert client.get(b"key") is None
        client.set(b"key", b"value")
        client.set(b"long", bytes(range(256)) * 5)
        assert client.get(b"key") == b"value"
        assert client.get(b"long") == bytes(range(256)) * 5
        found = client.get_many([b"key", b"none", b"long"] * 20)
        assert found == {b"key": b"value", b"long": bytes(range(256)) * 5}
        assert client.delete(b"key") and not client.delete(b"key")
        assert not client.replace(b"key", b"1") and client.add(b"key", b"9", flags=7)
        assert not client.add(b"key", b"2") and client.replace(b"key", b"9", flags=8)
        assert client.count(b"key", 3) == 12 and client.count(b"key", -20) == 0
        assert client.count(b"none", 1) is None
        item = client.item(b"key", exptime=100)
        assert item is not None and (item.value, item.flags) == (b"0 ", 8)
        assert client.cas(b"key", b"new", item.cas) and not client.cas(b"key", b"old", item.cas)
        assert not client.cas(b"none", b"new", item.cas) and client.get(b"key") == b"new"
        assert client.append(b"key", b"er") and client.append(b"key", b"even ", front=True)
        assert client.get(b"key") == b"even newer" and not client.append(b"none", b"new")
        assert client.touch(b"key", 0) and not client.touch(b"none", 0)
        with pytest.raises(ServerError, match=r"(?i)non-numeric"):
            client.count(b"key", 1)
        client.flush()
        assert client.get(b"long") is None
        with pytest.raises(ServerError):
            client.set(b"k" * 251, b"")


# ---- the oracle itself, with the model in place of the board ------------------------------------
def pretend(table: Table, spoil: Callable[[bytes], bytes]) -> Iterator[int]:
    """The model at a UDP port; `spoil` changes its answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.bind(("127.0.0.1", 0))

        def serve() -> None:
            while True:
                payload, peer = end.recvfrom(1 << 16)
                if not payload:
                    return
                request = udp.open_request(payload)
                assert request is not None
                answer = spoil(protocol.answer(request[1], table))
                for datagram in udp.close_answer(answer, request[0]):
                    end.sendto(datagram, peer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield end.getsockname()[1]
        end.sendto(b"", end.getsockname())
        thread.join()


@pytest.fixture
def model() -> Iterator[int]:
    yield from pretend(Table(whole=True), lambda answer: answer)


@pytest.fixture
def liar() -> Iterator[int]:
    yield from pretend(Table(whole=True), lambda answer: answer.replace(b"DELETED", b"DELETEd"))


def test_the_oracle_finds_nothing_in_the_model(model: int, seed: int) -> None:
    report = compare(model, 10_000, seed, counts=False)
    print(report)
    assert not report.differences and report.operations >= 10_000
    assert (
        min(report.counters[name] for name in ("get_hit", "set", "del_hit", "incr_hit", "decr_hit"))
        > 0
    )


def test_the_oracle_finds_a_wrong_letter(liar: int, seed: int) -> None:
    report = compare(liar, 20_000, seed, Mix(listed=False, binary=0.0), counts=False)
    assert len(report.differences) >= ENOUGH


def test_the_oracle_starts_anywhere(model: int, seed: int) -> None:
    with Client(port=model) as client:
        for _ in range(50):
            client.set(b"key", b"value")
    assert not compare(model, 500, seed, counts=False).differences


def test_the_client_joins_datagrams_in_any_order() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.bind(("127.0.0.1", 0))
        with Client(port=end.getsockname()[1], timeout=2.0) as client:
            request_id = client.send(ascii_set(b"k", b""))
            payload, peer = end.recvfrom(1 << 16)
            assert payload == struct.pack(">HHHH", request_id, 0, 1, 0) + ascii_set(b"k", b"")
            for number in (2, 0, 1):
                head = FRAME_HEADER.pack(request_id, number, 3, 0)
                end.sendto(head + b"abc"[number : number + 1], peer)
            assert client.receive() == (request_id, b"abc")
            with pytest.raises(TimeoutError):
                client.receive()
