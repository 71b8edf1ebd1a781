# SPDX-License-Identifier: Apache-2.0
"""A plain memcached client over UDP: request ids, timeouts, answers joined from datagrams.

>>> with Client("127.0.0.1", 11211) as client:
...     client.set(b"key", b"value")
...     client.get(b"key")
b'value'
"""

from __future__ import annotations

import itertools
import socket
from collections import deque
from dataclasses import dataclass, field
from types import TracebackType

from wirecache.model.protocol import DELETE, FLUSH, GET, HEADER, VERSION
from wirecache.traffic.frames import FRAME_HEADER
from wirecache.traffic.requests import ascii_set, binary_request, binary_set


class ServerError(Exception):
    """The server answered something else than what was hoped for."""


@dataclass(frozen=True)
class Answer:
    """An answer of the binary protocol."""

    opcode: int
    status: int
    extras: bytes
    key: bytes
    value: bytes
    opaque: int
    cas: int


def binary_answers(data: bytes) -> list[Answer]:
    """The answers of a message of the binary protocol."""
    out = []
    while data:
        _, opcode, key, extras, _, status, total, opaque, cas = HEADER.unpack_from(data)
        body, data = data[HEADER.size : HEADER.size + total], data[HEADER.size + total :]
        if len(body) != total:
            raise ServerError("an answer is cut short")
        parts = (body[:extras], body[extras : extras + key], body[extras + key :])
        out.append(Answer(opcode, status, *parts, opaque, cas))
    return out


_MAX_PARTIAL = 256  # answers that wait for datagrams; those that lost one wait for ever


@dataclass
class _Partial:
    """The datagrams of an answer so far."""

    total: int
    parts: dict[int, bytes] = field(default_factory=dict)


class Client:
    """`ask` is one round trip; `send` and `receive` let several messages be under way."""

    def __init__(
        self, host: str = "127.0.0.1", port: int = 11211, timeout: float = 5.0, binary: bool = False
    ) -> None:
        self.binary = binary  # which protocol get, set, … speak
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self._socket.connect((host, port))
        self._socket.settimeout(timeout)
        self._ids = itertools.count(1)
        self._partial: dict[int, _Partial] = {}
        self._complete: deque[tuple[int, bytes]] = deque()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._socket.close()

    # ---- messages -----------------------------------------------------------------------------
    def send(self, data: bytes) -> int:
        """Sends a message; gives its request id."""
        request_id = next(self._ids) & 0xFFFF
        self._partial.pop(request_id, None)  # of the request that had this id before
        self._socket.send(FRAME_HEADER.pack(request_id, 0, 1, 0) + data)
        return request_id

    def receive(self) -> tuple[int, bytes]:
        """Request id and bytes of the next answer that is whole. TimeoutError when none comes."""
        while not self._complete:
            datagram = self._socket.recv(1 << 16)
            request_id, number, total, _ = FRAME_HEADER.unpack_from(datagram)
            partial = self._partial.setdefault(request_id, _Partial(total))
            if partial.total != total or number >= total or number in partial.parts:
                raise ServerError(f"datagram {number} of {total} does not belong to its answer")
            partial.parts[number] = datagram[FRAME_HEADER.size :]
            if len(self._partial) > _MAX_PARTIAL:
                del self._partial[next(iter(self._partial))]  # the oldest
            if len(partial.parts) == total:
                self._partial.pop(request_id, None)
                whole = b"".join(partial.parts[n] for n in range(total))
                self._complete.append((request_id, whole))
        return self._complete.popleft()

    def ask(self, data: bytes) -> bytes:
        """The answer to a message that is answered."""
        request_id = self.send(data)
        while True:
            answered, out = self.receive()
            if answered == request_id:
                return out

    # ---- commands -----------------------------------------------------------------------------
    def _binary(self, request: bytes) -> Answer:
        answers = binary_answers(self.ask(request))
        if len(answers) != 1:
            raise ServerError(f"{len(answers)} answers to one request")
        return answers[0]

    def set(self, key: bytes, value: bytes, flags: int = 0, exptime: int = 0) -> None:
        if self.binary:
            answer = self._binary(binary_set(key, value, flags, exptime))
            if answer.status:
                raise ServerError(answer.value.decode(errors="replace"))
            return
        out = self.ask(ascii_set(key, value, flags, exptime))
        if out != b"STORED\r\n":
            raise ServerError(out.decode(errors="replace").strip())

    def get(self, key: bytes) -> bytes | None:
        if self.binary:
            answer = self._binary(binary_request(GET, key))
            return None if answer.status else answer.value
        return self.get_many([key]).get(key)

    def get_many(self, keys: list[bytes]) -> dict[bytes, bytes]:
        """The items there are; always in ASCII, the protocol with a multi-get."""
        out, found = self.ask(b"get " + b" ".join(keys) + b"\r\n"), {}
        while out.startswith(b"VALUE "):
            line, _, rest = out.partition(b"\r\n")
            _, key, _, length = line.split(b" ")
            size = int(length)
            found[key], out = rest[:size], rest[size + 2 :]
        if out != b"END\r\n":
            raise ServerError(out.decode(errors="replace").strip())
        return found

    def delete(self, key: bytes) -> bool:
        """Whether there was an item."""
        if self.binary:
            return self._binary(binary_request(DELETE, key)).status == 0
        return self.ask(b"delete " + key + b"\r\n") == b"DELETED\r\n"

    def flush(self) -> None:
        if self.binary:
            self._binary(binary_request(FLUSH))
        else:
            self.ask(b"flush_all\r\n")

    def version(self) -> bytes:
        if self.binary:
            return self._binary(binary_request(VERSION)).value
        return self.ask(b"version\r\n").removeprefix(b"VERSION ").strip()
