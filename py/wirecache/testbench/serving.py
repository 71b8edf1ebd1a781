# SPDX-License-Identifier: Apache-2.0
"""`wirecache serve` as a process beside a test."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from wirecache import ROOT
from wirecache.board import build
from wirecache.oracle.memcached import free_port
from wirecache.traffic.frames import FRAME_HEADER

LAUNCHER = [sys.executable, str(ROOT / "wirecache"), "serve"]
END_SECONDS = 30
PATIENCE = 30.0  # s to one answer: the simulated board is slow, and other tests run beside it


@dataclass
class Serving:
    """A board that runs."""

    process: subprocess.Popen[str]
    port: int  # of TCP and UDP, on localhost
    ready: str  # the line it printed

    def stop(self, number: signal.Signals = signal.SIGTERM) -> str:
        """What it prints at its end; it must end well."""
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=END_SECONDS)
        assert self.process.returncode == 0, rest
        return rest


@contextmanager
def serving(*options: str, **popen: Any) -> Iterator[Serving]:
    """A board on a free port, killed behind the block if it has not been stopped."""
    if "--config" not in options:
        build.build()
    port = free_port()
    command = [*LAUNCHER, "--port", str(port), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **popen)
    try:
        assert process.stdout is not None
        yield Serving(process, port, process.stdout.readline())
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def connect(port: int) -> socket.socket:
    """A connection with a board on localhost; each wait for it is PATIENCE long at most."""
    return socket.create_connection(("127.0.0.1", port), PATIENCE)


def tries() -> Iterator[None]:
    """Turns to look for what comes with time: so many that a slow machine is not what ends them."""
    for _ in range(400):
        yield
        time.sleep(0.25)


def udp_message(udp: socket.socket) -> bytes:
    """The next answer to a connected UDP socket: its datagrams, which come in order."""
    parts: list[bytes] = []
    while True:
        datagram = udp.recv(2000)
        _, number, total, _ = FRAME_HEADER.unpack_from(datagram)
        assert number == len(parts)
        parts.append(datagram[FRAME_HEADER.size :])
        if number + 1 == total:
            return b"".join(parts)


def until(connection: socket.socket, end: bytes) -> bytes:
    """What comes, up to `end`, or to the connection's."""
    out = bytearray()
    while not out.endswith(end):
        more = connection.recv(1 << 20)
        if not more:
            return bytes(out) + b"<closed>"
        out += more
    return bytes(out)


def ask(connection: socket.socket, data: bytes, end: bytes) -> bytes:
    connection.sendall(data)
    return until(connection, end)
