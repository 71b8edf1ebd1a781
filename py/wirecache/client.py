# SPDX-License-Identifier: Apache-2.0
"""A plain memcached client over UDP: request ids, timeouts, answers joined from datagrams.

It is for tests and benches; programs have clients of their own.

>>> with Client("127.0.0.1", 11211) as client:
...     client.set(b"key", b"value")
...     client.get(b"key")
b'value'
"""

from __future__ import annotations

import itertools
import socket
import struct
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field
from types import TracebackType

from wirecache.model import binary as opcodes
from wirecache.traffic.frames import FRAME_HEADER
from wirecache.traffic.requests import ascii_set, binary_request

NOT_FOUND, EXISTS = opcodes.NOT_FOUND[0], opcodes.EXISTS[0]
NOT_STORED = opcodes.NOT_STORED[0]
_STORES = {b"set": opcodes.SET, b"add": opcodes.ADD, b"replace": opcodes.REPLACE}


class ServerError(Exception):
    """The server answered something else than what was hoped for."""


@dataclass(frozen=True)
class Item:
    """What a get finds; `cas` is 0 if it was not asked for."""

    value: bytes
    flags: int
    cas: int


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
        _, opcode, key, extras, _, status, total, opaque, cas = opcodes.HEADER.unpack_from(data)
        data = data[opcodes.HEADER.size :]
        body, data = data[:total], data[total:]
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

    def _granted(self, request: bytes, refusals: Collection[int]) -> Answer | None:
        """The answer to a binary request; None if it has one of these statuses."""
        answer = self._binary(request)
        if answer.status in refusals:
            return None
        if answer.status:
            raise ServerError(answer.value.decode(errors="replace"))
        return answer

    def _says(self, line: bytes, granted: bytes, refused: Collection[bytes]) -> bool:
        """Whether a line is answered with the one, or one of the others."""
        out = self.ask(line)
        if out == granted + b"\r\n":
            return True
        if out.removesuffix(b"\r\n") in refused:
            return False
        raise ServerError(out.decode(errors="replace").strip())

    def set(self, key: bytes, value: bytes, flags: int = 0, exptime: int = 0) -> None:
        if not self._store(b"set", key, value, flags, exptime):
            raise ServerError("a plain set has found an item that it must not replace")

    def add(self, key: bytes, value: bytes, flags: int = 0, exptime: int = 0) -> bool:
        """Whether it was stored: there was no item."""
        return self._store(b"add", key, value, flags, exptime)

    def replace(self, key: bytes, value: bytes, flags: int = 0, exptime: int = 0) -> bool:
        """Whether it was stored: there was an item."""
        return self._store(b"replace", key, value, flags, exptime)

    def append(self, key: bytes, value: bytes, *, front: bool = False) -> bool:
        """Whether it was joined to the value of an item, with `front` in front of it."""
        if self.binary:
            request = binary_request(opcodes.PREPEND if front else opcodes.APPEND, key, b"", value)
            return self._granted(request, (NOT_STORED,)) is not None
        line = ascii_set(key, value, name=b"prepend" if front else b"append")
        return self._says(line, b"STORED", (b"NOT_STORED",))

    def cas(self, key: bytes, value: bytes, cas: int, flags: int = 0, exptime: int = 0) -> bool:
        """Whether it was stored: the item had this CAS number."""
        return self._store(b"set", key, value, flags, exptime, cas)

    def _store(
        self,
        name: bytes,
        key: bytes,
        value: bytes,
        flags: int,
        exptime: int,
        cas: int | None = None,
    ) -> bool:
        if self.binary:
            extras = struct.pack(">II", flags, exptime)
            request = binary_request(_STORES[name], key, extras, value, cas=cas or 0)
            return self._granted(request, (NOT_FOUND, EXISTS)) is not None
        line = ascii_set(key, value, flags, exptime, cas=cas, name=name)
        return self._says(line, b"STORED", (b"NOT_STORED", b"EXISTS", b"NOT_FOUND"))

    def get(self, key: bytes) -> bytes | None:
        item = self.item(key)
        return None if item is None else item.value

    def item(self, key: bytes, exptime: int | None = None) -> Item | None:
        """The item with its flags and CAS number; with an exptime it is touched, too."""
        if self.binary:
            extras = b"" if exptime is None else struct.pack(">I", exptime)
            opcode = opcodes.GET if exptime is None else opcodes.GAT
            answer = self._granted(binary_request(opcode, key, extras), (NOT_FOUND,))
            if answer is None:
                return None
            return Item(answer.value, int.from_bytes(answer.extras, "big"), answer.cas)
        command = b"gets" if exptime is None else b"gats %d" % exptime
        return self._items(command, [key]).get(key)

    def get_many(self, keys: list[bytes]) -> dict[bytes, bytes]:
        """The items there are; always in ASCII, the protocol with a multi-get."""
        return {key: item.value for key, item in self._items(b"get", keys).items()}

    def _items(self, command: bytes, keys: list[bytes]) -> dict[bytes, Item]:
        out, found = self.ask(command + b" " + b" ".join(keys) + b"\r\n"), {}
        while out.startswith(b"VALUE "):
            line, _, rest = out.partition(b"\r\n")
            _, key, flags, length, *cas = line.split(b" ")
            size = int(length)
            found[key] = Item(rest[:size], int(flags), int(cas[0]) if cas else 0)
            out = rest[size + 2 :]
        if out != b"END\r\n":
            raise ServerError(out.decode(errors="replace").strip())
        return found

    def touch(self, key: bytes, exptime: int) -> bool:
        """Whether there was an item."""
        if self.binary:
            request = binary_request(opcodes.TOUCH, key, struct.pack(">I", exptime))
            return self._granted(request, (NOT_FOUND,)) is not None
        return self._says(b"touch %b %d\r\n" % (key, exptime), b"TOUCHED", (b"NOT_FOUND",))

    def count(self, key: bytes, delta: int) -> int | None:
        """The number that the item becomes; with a negative delta it is a DECR."""
        if self.binary:
            extras = struct.pack(">QQI", abs(delta), 0, 0xFFFFFFFF)
            request = binary_request(opcodes.INCR if delta >= 0 else opcodes.DECR, key, extras)
            answer = self._granted(request, (NOT_FOUND,))
            return None if answer is None else int.from_bytes(answer.value, "big")
        name = b"incr" if delta >= 0 else b"decr"
        out = self.ask(b"%b %b %d\r\n" % (name, key, abs(delta))).strip()
        if not out.isdigit() and out != b"NOT_FOUND":
            raise ServerError(out.decode(errors="replace"))
        return int(out) if out.isdigit() else None

    def delete(self, key: bytes) -> bool:
        """Whether there was an item."""
        if self.binary:
            return self._granted(binary_request(opcodes.DELETE, key), (NOT_FOUND,)) is not None
        return self._says(b"delete " + key + b"\r\n", b"DELETED", (b"NOT_FOUND",))

    def flush(self) -> None:
        if self.binary:
            self._granted(binary_request(opcodes.FLUSH), ())
        else:
            self._says(b"flush_all\r\n", b"OK", ())

    def version(self) -> bytes:
        if self.binary:
            return self._binary(binary_request(opcodes.VERSION)).value
        return self.ask(b"version\r\n").removeprefix(b"VERSION ").strip()
