# SPDX-License-Identifier: Apache-2.0
"""Linux' TCP as the server of the C++ peer (tcp_peer_on_tun.cc). Run by test_tcp_peer_linux.py in a
network namespace, with the unit tests' program, a seed and the name of a function in here."""

from __future__ import annotations

import ipaddress
import json
import os
import random
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from wirecache.testbench import tun

PROGRAM, SEED = sys.argv[1], int(sys.argv[2])
HERE, PORT = "10.9.0.1", tun.PORT
DEFAULTS = {
    **{"seed": SEED, "bytes": 300_000, "bad": 0, "room": 1 << 20, "rate": 0, "cuts": 0},
    **{"times": 1, "sack": 1, "close": 1, "abort": 0},
    **{"own": int(ipaddress.ip_address(tun.ADDRESS)), "other": int(ipaddress.ip_address(HERE))},
}
DEVICE = tun.device()


def peer(**options: int) -> dict[str, Any]:
    """What becomes of a peer with these options: a line of its program."""
    words = {**DEFAULTS, "device": DEVICE, **options}
    command = [PROGRAM, "tcp-peer", *(str(word) for pair in words.items() for word in pair)]
    done = subprocess.run(
        command,
        pass_fds=[DEVICE],
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},  # needs this namespace's own /proc
        stdout=subprocess.PIPE,
        text=True,
        timeout=100,
        check=True,
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


class Server:
    """Accepts one client, and does with it what the function says."""

    def __init__(self, serve: Callable[[socket.socket], None], **buffers: int) -> None:
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        for name, size in buffers.items():
            self._socket.setsockopt(socket.SOL_SOCKET, getattr(socket, name), size)
        self._socket.bind((HERE, PORT))
        self._socket.listen()
        self._serve = serve
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            client, _ = self._socket.accept()
            client.settimeout(60)
            with client:
                self._serve(client)
        except BaseException as error:  # the test is to see it
            self._error = error

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(60)
        assert not self._thread.is_alive()
        self._socket.close()
        if self._error is not None:
            raise self._error


def echo(client: socket.socket) -> None:
    while data := client.recv(1 << 16):
        client.sendall(data)


def good(result: dict[str, Any]) -> dict[str, Any]:
    assert result["echoed"] and result["done"] and not result["failure"], result
    return result


def whole_link() -> None:
    for close in (0, 1):
        with Server(echo):
            result = good(peer(bytes=3_000_000, close=close))
        # A machine that is busy answers late, and then the last segment is sent again as a probe:
        # now and then, of 2,000 segments.
        assert not result["out_of_order"] and result["retransmitted"] < 40, result


def no_options() -> None:
    for options in ({"times": 0}, {"sack": 0}, {"times": 0, "sack": 0}):
        with Server(echo):
            good(peer(bad=5_000_000, **options))


def cuts() -> None:
    with Server(echo):
        good(peer(cuts=1))


def bad_link() -> None:
    for percent in (1, 3):
        for cut in (0, 1):
            with Server(echo):
                result = good(peer(bad=percent * 10_000_000, cuts=cut))
            assert result["retransmitted"] and result["out_of_order"], result


def slow_peer() -> None:
    begun = time.monotonic()
    with Server(echo):
        good(peer(room=8000, rate=200))
    assert time.monotonic() - begun > 1.4


def slow_server() -> None:
    def serve(client: socket.socket) -> None:
        time.sleep(1.5)
        got = b""
        while data := client.recv(2000):
            got += data
        client.sendall(got)

    with Server(serve, SO_RCVBUF=4096):
        result = good(peer())
    assert result["window_probes"], result


def server_ends_first() -> None:
    def serve(client: socket.socket) -> None:
        client.shutdown(socket.SHUT_WR)
        got = 0
        while data := client.recv(1 << 16):
            got += len(data)
        assert got == 300_000

    with Server(serve):
        result = peer()
    assert result["got"] == 0 and result["done"] and not result["failure"], result


def server_resets() -> None:
    def serve(client: socket.socket) -> None:
        client.recv(1000)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    with Server(serve):
        result = peer(close=0)
    assert result["failure"] == "reset by the other end", result


def peer_aborts() -> None:
    def serve(client: socket.socket) -> None:
        try:
            echo(client)
        except ConnectionResetError:
            return
        raise AssertionError("no reset")

    with Server(serve):
        result = peer(close=0, abort=1)
    assert result["failure"] == "aborted" and result["got"] == 300_000, result


def nobody_listens() -> None:
    result = peer()
    assert result["failure"] == "refused", result


random.seed(SEED)
globals()[sys.argv[3]]()
