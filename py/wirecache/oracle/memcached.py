# SPDX-License-Identifier: Apache-2.0
"""A real memcached to compare with: started on loopback, asked message by message."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from types import TracebackType

from wirecache.model.binary import HEADER, NOOP, VERSION
from wirecache.setup import Failure
from wirecache.traffic.frames import FRAME_HEADER
from wirecache.traffic.requests import Message, binary_request

TIMEOUT = 5.0
_NOBODY = b"wirecache-end"  # a key that no message of ours has


def free_port() -> int:
    """A TCP port nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


class TcpClient:
    """Whoever speaks memcached's protocols on a TCP port of this machine: a connection for each
    protocol."""

    def __init__(self, port: int, timeout: float = TIMEOUT) -> None:
        self.port = port
        self._timeout = timeout
        self._tcp: dict[bool, socket.socket] = {}
        self._next_id = 0

    def close(self) -> None:
        for connection in self._tcp.values():
            connection.close()
        self._tcp.clear()

    def ask(self, message: Message, cuts: Sequence[int] = ()) -> bytes:
        """The answers to a message, over TCP. A message that closes the connection ends there.
        cuts: places where it is cut into pieces, each sent alone."""
        connection = self._tcp.get(message.binary)
        if connection is None:
            connection = socket.create_connection(("127.0.0.1", self.port), self._timeout)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._tcp[message.binary] = connection
        self._next_id = (self._next_id + 1) & 0xFFFF
        if message.binary:
            sentinel = binary_request(NOOP, opaque=self._next_id)
            end = b"\x81" + sentinel[1:]
        else:
            sentinel = b"md %b O%d\r\n" % (_NOBODY, self._next_id)
            end = b"NF O%d\r\n" % self._next_id
        with suppress(ConnectionError):  # it may close before all of it is sent
            data = message.data + sentinel
            for start, stop in pairwise((0, *sorted(cuts), len(data))):
                connection.sendall(data[start:stop])
        out = b""
        while not out.endswith(end):
            try:
                more = connection.recv(1 << 16)
            except ConnectionResetError:  # it closed with our sentinel unread
                more = b""
            if not more:
                del self._tcp[message.binary]
                connection.close()
                return out
            out += more
        return out.removesuffix(end)


class Memcached(TcpClient):
    """One memcached process with one thread, on TCP and UDP.

    as_started: with the threads of its own that it has by default, which sort its items by use: a
    cache that is measured. Without them it always answers alike.
    """

    def __init__(self, *options: str, as_started: bool = False) -> None:
        program = shutil.which("memcached")
        if program is None:
            raise Failure("memcached is not installed: apt-get install memcached")
        super().__init__(free_port())
        ports = ["-l", "127.0.0.1", "-p", str(self.port), "-U", str(self.port)]
        # An INCR does not pad an item that a thread of memcached's own holds for a moment.
        if not as_started:
            ports += ["-o", "no_lru_maintainer,no_lru_crawler"]
        self._process = subprocess.Popen(
            [program, "-u", "nobody", "-t", "1", *ports, *options],
            stderr=subprocess.DEVNULL,  # it is talkative after a verbosity command
        )
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.settimeout(TIMEOUT)
        self.version = self._find_version()

    def __enter__(self) -> Memcached:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        self.close()
        self._udp.close()
        self._process.terminate()
        self._process.wait(TIMEOUT)

    def _find_version(self) -> bytes:
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                answer = self.ask(Message(b"version\r\n", 1))
                return answer.removeprefix(b"VERSION ").removesuffix(b"\r\n")
            except ConnectionRefusedError:
                if time.monotonic() > deadline or self._process.poll() is not None:
                    raise
                time.sleep(0.02)

    def ask_udp(self, message: Message) -> bytes:
        """The answers to a message of one command, over UDP, its datagrams joined as they come.

        It must be a command that is answered: what tells the end is the answer to another one,
        and memcached loses answers when that is sent too early.
        """
        self._next_id = (self._next_id + 2) & 0xFFFF
        out = self._udp_round(self._next_id, message.data)[FRAME_HEADER.size :]
        more = self._udp_round(self._next_id + 1, b"mn\r\n")
        while FRAME_HEADER.unpack_from(more)[0] == self._next_id:
            out += more[FRAME_HEADER.size :]
            more = self._udp.recv(1 << 16)
        return out

    def _udp_round(self, request_id: int, data: bytes) -> bytes:
        head = FRAME_HEADER.pack(request_id, 0, 1, 0)
        self._udp.sendto(head + data, ("127.0.0.1", self.port))
        return self._udp.recv(1 << 16)


def with_version(answer: bytes, binary: bool, old: bytes, new: bytes) -> bytes:
    """`answer` with another version text."""
    if not binary:
        return re.sub(
            rb"(?m)^VERSION " + re.escape(old) + rb"\r$", b"VERSION " + new + b"\r", answer
        )
    out = b""
    while answer:
        header = HEADER.unpack_from(answer)
        end = HEADER.size + header[6]
        head, body, answer = answer[: HEADER.size], answer[HEADER.size : end], answer[end:]
        if header[1] == VERSION and header[5] == 0 and body == old:
            head, body = head[:8] + len(new).to_bytes(4, "big") + head[12:], new
        out += head + body
    return out
