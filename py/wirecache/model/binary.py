# SPDX-License-Identifier: Apache-2.0
"""The binary protocol."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from wirecache.model import host
from wirecache.model.answers import Answers, absolute, flush_time
from wirecache.model.index import Index, Item, Needs, Status

NO_INITIAL = 0xFFFFFFFF  # the exptime of an INCR that stores nothing without an item

HEADER = struct.Struct(">BBHBBHIIQ")
REQUEST, RESPONSE = 0x80, 0x81

ADD, REPLACE = 0x02, 0x03
ADDQ, REPLACEQ = 0x12, 0x13
INCR, DECR, INCRQ, DECRQ = 0x05, 0x06, 0x15, 0x16
APPEND, PREPEND, APPENDQ, PREPENDQ = 0x0E, 0x0F, 0x19, 0x1A
GET, SET, DELETE, QUIT, FLUSH, NOOP, VERSION = 0x00, 0x01, 0x04, 0x07, 0x08, 0x0A, 0x0B
GETQ, GETK, GETKQ, SETQ, DELETEQ, QUITQ, FLUSHQ = 0x09, 0x0C, 0x0D, 0x11, 0x14, 0x17, 0x18
TOUCH, GAT, GATQ, GATK, GATKQ = 0x1C, 0x1D, 0x1E, 0x23, 0x24
STAT = host.STAT

_LOUD = {
    ADDQ: ADD,
    REPLACEQ: REPLACE,
    INCRQ: INCR,
    DECRQ: DECR,
    GETQ: GET,
    GETKQ: GETK,
    GATQ: GAT,
    GATKQ: GATK,
    SETQ: SET,
    APPENDQ: APPEND,
    PREPENDQ: PREPEND,
    DELETEQ: DELETE,
    QUITQ: QUIT,
    FLUSHQ: FLUSH,
}
_STORE = {SET: Needs.ANY, ADD: Needs.NO_ITEM, REPLACE: Needs.ITEM}
_TOUCH = (TOUCH, GAT, GATK)
_WITH_KEY = (GETK, GATK)  # in the answer
_COUNT = (INCR, DECR)
_JOINS = (APPEND, PREPEND)
_KEYED = {*_STORE, *_TOUCH, *_COUNT, *_JOINS, GET, GETK, DELETE}
_KNOWN = {*_KEYED, FLUSH, NOOP, VERSION, QUIT, STAT}
_MADE = {*_COUNT, *_JOINS}  # a value of the one that is there

NOT_FOUND = (0x01, b"Not found")
EXISTS = (0x02, b"Data exists for key.")
TOO_LARGE_BINARY = (0x03, b"Too large.")
INVALID = (0x04, b"Invalid arguments")
NOT_STORED = (0x05, b"Not stored.")
NOT_NUMBER_BINARY = (0x06, b"Non-numeric server-side value for incr or decr")
UNKNOWN = (0x81, b"Unknown command")
NO_MEMORY_BINARY = (0x82, b"Out of memory allocating item")


@dataclass(frozen=True)
class _Request:
    opcode: int
    key: bytes
    extras: bytes
    value: bytes  # what the packet holds of it
    value_len: int  # what the header says
    opaque: int
    cas: int

    @property
    def loud(self) -> int:
        return _LOUD.get(self.opcode, self.opcode)

    @property
    def quiet(self) -> bool:
        return self.opcode in _LOUD

    @property
    def cut(self) -> bool:
        """Whether the packet ends before the request does."""
        return len(self.value) < self.value_len

    def well_formed(self) -> bool:
        """Whether the parts are those that the command takes."""
        parts = (len(self.extras), bool(self.key), self.value_len)
        if self.loud in _STORE:
            return parts[:2] == (8, True)
        if self.loud in _JOINS:
            return parts[:2] == (0, True)
        if self.loud in _TOUCH:
            return parts == (4, True, 0)
        if self.loud in _COUNT:
            return parts == (20, True, 0)
        if self.loud in (GET, GETK, DELETE):
            return parts == (0, True, 0)
        if self.loud == STAT:
            return not self.extras and self.value_len == 0
        return parts == (0, False, 0) or (self.loud == FLUSH and parts == (4, False, 0))

    def reply(
        self, status: int = 0, body: bytes = b"", extras: int = 0, key: int = 0, cas: int = 0
    ) -> bytes:
        """An answer; extras and key are the lengths of those parts of the body."""
        parts = (RESPONSE, self.opcode, key, extras, 0, status, len(body), self.opaque, cas)
        return HEADER.pack(*parts) + body


class Binary:
    def __init__(
        self, packet: bytes, table: Index, version: bytes, max_key: int, out: Answers
    ) -> None:
        self._rest = packet
        self._table = table
        self._version = version
        self._max_key = max_key
        self._out = out
        self._closed = False

    def run(self) -> None:
        while self._rest and not self._closed:
            self._out.begin()
            self._executed: _Request | None = None
            self._value = 0  # bytes of the value that is answered
            data = self._request()
            if self._executed is not None and self._executed.loud == STAT:
                self._stat(self._executed)
                continue
            error, key, stores = b"", 0, False
            if data:  # the answer says what it is to
                _, opcode, _, _, _, _, _, opaque, _ = HEADER.unpack_from(data)
                error = _Request(opcode, b"", b"", b"", 0, opaque, 0).reply(*TOO_LARGE_BINARY)
            if self._executed is not None and self._executed.loud in _KEYED:
                key, stores = len(self._executed.key), self._executed.loud in (*_STORE, *_JOINS)
            self._out.add(data, error=error, value=self._value, key=key, stores=stores)

    def _close(self, request: _Request, error: tuple[int, bytes]) -> bytes:
        """An error after which memcached closes the connection."""
        self._closed = True
        return request.reply(*error)

    def _request(self) -> bytes:
        if len(self._rest) < HEADER.size:
            return self._cut_header()
        magic, opcode, key_len, extras_len, _, _, body_len, opaque, cas = HEADER.unpack_from(
            self._rest
        )
        if magic != REQUEST:
            self._closed = True  # without a word
            return b""
        body = self._rest[HEADER.size :][:body_len]
        key_end = extras_len + key_len
        parts = body[extras_len:key_end], body[:extras_len], body[key_end:]
        request = _Request(opcode, *parts, body_len - key_end, opaque, cas)
        if body_len < key_end:
            return self._close(request, UNKNOWN)
        if key_len > self._max_key:
            return self._close(request, INVALID)
        self._rest = self._rest[HEADER.size + body_len :]
        if request.loud not in (_KNOWN if self._table.made_values else _KNOWN - _MADE):
            return request.reply(*UNKNOWN)
        if not request.well_formed() or len(body) < key_end:
            return self._close(request, INVALID)
        return self._execute(request)

    def _cut_header(self) -> bytes:
        """The packet ends within a header: of what is to be echoed, what has come is."""
        if len(self._rest) >= 8 and self._rest[0] != REQUEST:
            self._closed = True
            return b""
        opcode = self._rest[1] if len(self._rest) >= 8 else 0
        opaque = int.from_bytes(self._rest[12:16], "big") if len(self._rest) >= 16 else 0
        return self._close(_Request(opcode, b"", b"", b"", 0, opaque, 0), INVALID)

    def _execute(self, request: _Request) -> bytes:
        self._executed = request
        match request.loud:
            case 0x00 | 0x0C:  # GET, GETK
                return self._found(request, self._table.get(request.key))
            case 0x1C | 0x1D | 0x23:  # TOUCH, GAT, GATK
                return self._touch(request)
            case 0x01 | 0x02 | 0x03:  # SET, ADD, REPLACE
                return self._set(request)
            case 0x0E | 0x0F:  # APPEND, PREPEND
                return self._join(request)
            case 0x05 | 0x06:  # INCR, DECR
                return self._count(request)
            case 0x04:  # DELETE
                return self._verdict(request, self._table.delete(request.key, request.cas))
            case 0x08:  # FLUSH
                exptime = int.from_bytes(request.extras, "big")
                self._table.flush(flush_time(exptime, self._table.time))
                return self._verdict(request, Status.OK)
            case 0x0B:  # VERSION
                return request.reply(body=self._version)
            case 0x07:  # QUIT
                self._closed = True
                return self._verdict(request, Status.OK)
        return request.reply()  # NOOP

    def _stat(self, request: _Request) -> None:
        try:
            found = host.stat(request.key)
        except host.UnforeseenError:
            self._out.host(None)
            return
        if found is None:
            self._out.host(request.reply(*NOT_FOUND))
            return
        packets = [request.reply(body=name + value, key=len(name)) for name, value in found]
        self._out.host(b"".join([*packets, request.reply()]))

    def _touch(self, request: _Request) -> bytes:
        exptime = int.from_bytes(request.extras, "big")
        expiry = absolute(exptime, self._table.time)
        item = self._table.touch(request.key, expiry, reads=request.loud != TOUCH)
        if item is not None and request.loud == TOUCH:
            return request.reply(0, item.flags.to_bytes(4, "big"), extras=4, cas=item.cas)
        return self._found(request, item)

    def _found(self, request: _Request, item: Item | None) -> bytes:
        """The answer to a request that reads."""
        key = request.key if request.loud in _WITH_KEY else b""
        if item is None:
            if request.quiet:
                return b""
            return request.reply(NOT_FOUND[0], key or NOT_FOUND[1], key=len(key))
        self._value = len(item.value)
        body = item.flags.to_bytes(4, "big") + key + item.value
        return request.reply(0, body, extras=4, key=len(key), cas=item.cas)

    def _refused(self, request: _Request, flags: int) -> bytes:
        """The answer to a request whose value can't be stored, or is not there."""
        if self._table.too_large(request.key, flags, request.value_len):
            self._closed = request.cut
            if request.loud == SET:
                self._table.refuse(request.key)
            else:
                self._executed = None
            return request.reply(*TOO_LARGE_BINARY)
        if request.cut:
            self._executed = None
            return self._close(request, INVALID)
        return b""

    def _join(self, request: _Request) -> bytes:
        refused = self._refused(request, 0)
        if refused:
            return refused
        front = request.loud == PREPEND
        joined = self._table.join(request.key, request.value, front=front, cas=request.cas)
        return self._verdict(request, *joined)

    def _set(self, request: _Request) -> bytes:
        flags, exptime = struct.unpack(">II", request.extras)
        refused = self._refused(request, flags)
        if refused:
            return refused
        expiry = absolute(exptime, self._table.time)
        needs = _STORE[request.loud]
        status, cas = self._table.set(request.key, request.value, flags, expiry, request.cas, needs)
        return self._verdict(request, status, cas)

    def _count(self, request: _Request) -> bytes:
        delta, initial, exptime = struct.unpack(">QQI", request.extras)
        status, number, cas = self._table.count(
            request.key,
            delta,
            down=request.loud == DECR,
            initial=None if exptime == NO_INITIAL else initial,
            expiry=absolute(exptime, self._table.time),
            cas=request.cas,
        )
        return self._verdict(request, status, cas, number.to_bytes(8, "big"))

    @staticmethod
    def _verdict(request: _Request, status: Status, cas: int = 0, body: bytes = b"") -> bytes:
        if status is Status.OK:
            return b"" if request.quiet else request.reply(body=body, cas=cas)
        errors = {
            Status.NOT_FOUND: NOT_FOUND,
            Status.EXISTS: EXISTS,
            Status.NOT_NUMBER: NOT_NUMBER_BINARY,
            Status.NOT_STORED: NOT_STORED,
            Status.NO_MEMORY: NO_MEMORY_BINARY,
            Status.TOO_LARGE: TOO_LARGE_BINARY,
        }
        return request.reply(*errors[status])
