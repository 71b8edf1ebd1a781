# SPDX-License-Identifier: Apache-2.0
"""The memcached protocol, ASCII and binary: bytes of a request packet in, bytes of its answer out.

Every answer is memcached 1.6.18's, error corners included. A packet is one message: what its end
cuts short is an error, and an answer that closes a connection in memcached (binary errors, quit)
makes the rest of the packet unread.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

from wirecache.circuit import structs
from wirecache.model import host
from wirecache.model.index import Index, Item, Needs, Status, too_large
from wirecache.model.numbers import MAX_64, signed32, unsigned32, unsigned64

MAX_KEY = 250
MONTH = 30 * 24 * 3600  # an exptime up to this is relative
NO_INITIAL = 0xFFFFFFFF  # the exptime of a binary INCR that stores nothing without an item
EXPIRED = -1  # an expiry that is always in the past

BAD_FORMAT = b"CLIENT_ERROR bad command line format\r\n"
BAD_DELETE = b"CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n"
BAD_CHUNK = b"CLIENT_ERROR bad data chunk\r\n"
BAD_TIME = b"CLIENT_ERROR invalid exptime argument\r\n"
BAD_DELTA = b"CLIENT_ERROR invalid numeric delta argument\r\n"
NOT_NUMBER = b"CLIENT_ERROR cannot increment or decrement non-numeric value\r\n"
TOO_LARGE = b"SERVER_ERROR object too large for cache\r\n"
NO_MEMORY = b"SERVER_ERROR out of memory storing object\r\n"
ANSWER_TOO_LARGE = b"SERVER_ERROR answer too large\r\n"
ERROR = b"ERROR\r\n"


def version_text() -> bytes:
    """What the appliance says to VERSION if it is not told otherwise."""
    return structs.text("VersionText")


def answer(
    packet: bytes, table: Index, version: bytes | None = None, max_key: int = MAX_KEY
) -> bytes:
    """The answer to a request packet of one byte or more, from the state of `table`. A key of more
    than `max_key` bytes is what one of more than 250 is to memcached."""
    return b"".join(messages(packet, table, version, max_key))


def messages(
    packet: bytes,
    table: Index,
    version: bytes | None = None,
    max_key: int = MAX_KEY,
    limit: int | None = None,
    asides: list[bytes | None] | None = None,
) -> list[bytes]:
    """The answer as the appliance sends it: one message for some hundred operations, and no more
    than `limit` bytes in all of them. `asides` gets the messages of the host, which come at any
    time: None is one that has numbers of a board in it."""
    text = version_text() if version is None else version
    out = _Answers(limit, table.message)
    if packet[:1] == b"\x80":
        _Binary(packet, table, text, max_key, out).run()
    else:
        _Ascii(packet, table, text, max_key, out).run()
    if asides is not None:
        asides += out.asides
    return out.messages


class _Answers:
    """The answers to a packet, operation by operation. The command that brings a message to
    MessageOperations ends it. An answer counts as its value, its key and AroundBytes; from the
    first whose value goes beyond `limit` on there is one error, and then only what SETs answer."""

    def __init__(self, limit: int | None, begins: Callable[[], None]) -> None:
        self.messages = [b""]
        self._begins = begins  # another message
        begins()
        self.asides: list[bytes | None] = []  # of the host
        self._ended = False  # the last message has
        self._operations = 0  # of the last message
        self._left = limit
        self._over = False
        self._mark = 0  # where in the last message the answers of its last command begin
        self._full = structs.constant("MessageOperations")

    def begin(self) -> None:
        """Another command."""
        if self._operations >= self._full or self._ended:
            self._ended = False
            self.messages.append(b"")
            self._operations = 0
            self._begins()
        self._mark = len(self.messages[-1])

    def host(self, data: bytes | None) -> None:
        """What the host answers to a command, which ends its message."""
        self._operations += 1
        self._ended = True
        if data != b"":
            self.asides.append(data)

    def take_back(self) -> None:
        """The answers of this command so far."""
        if not self._over:
            self.messages[-1] = self.messages[-1][: self._mark]

    def add(
        self, data: bytes, *, error: bytes = b"", value: int = 0, key: int = 0, stores: bool = False
    ) -> None:
        """An operation's answer, with the lengths of its value and of the operation's key; `error`
        is what stands for it beyond the limit."""
        self._operations += 1
        if data and self._left is not None:
            if not stores and (self._over or self._left < value):
                data = b"" if self._over else error
                self._over = True
            else:
                self._left -= value + key + structs.constant("AroundBytes")
        self.messages[-1] += data


def flush_time(exptime: int, now: int) -> int:
    """When a flush acts; 0 = at once. memcached is a second early."""
    return absolute(exptime, now) - 1 if exptime > 0 else 0


def absolute(exptime: int, now: int) -> int:
    """Unix time of an exptime; 0 = never."""
    if exptime < 0:
        return EXPIRED
    if exptime == 0 or exptime > MONTH:
        return exptime
    return now + exptime


# ---- ASCII ------------------------------------------------------------------------------------
_NEEDS = {b"add": Needs.NO_ITEM, b"replace": Needs.ITEM}
_JOIN = (b"append", b"prepend")


class _Ascii:
    def __init__(
        self, packet: bytes, table: Index, version: bytes, max_key: int, out: _Answers
    ) -> None:
        self._rest = packet
        self._table = table
        self._version = version
        self._max_key = max_key
        self._out = out

    def run(self) -> None:
        while self._rest:
            self._out.begin()
            line, newline, rest = self._rest.partition(b"\n")
            if not newline:
                self._look_up_cut(line)
                self._add(ERROR)
                return
            self._rest = rest
            if len(line) > 1 and line.endswith(b"\r"):
                line = line[:-1]
            tokens = [t for t in line.split(b"\0")[0].split(b" ") if t]
            if tokens[:1] == [b"quit"]:
                self._add(b"")
                return
            self._command(tokens)

    def _add(self, data: bytes, value: int = 0, key: int = 0, stores: bool = False) -> None:
        self._out.add(data, error=ANSWER_TOO_LARGE, value=value, key=key, stores=stores)

    def _look_up_cut(self, line: bytes) -> None:
        """The packet ends within a line. The keys of a get that were complete have been looked up
        by then, which is counted."""
        text, nul, _ = line.partition(b"\0")
        tokens = text.split(b" ")
        if not nul:
            tokens.pop()
        tokens = [t for t in tokens if t]
        if tokens[:1] in ([b"get"], [b"bget"], [b"gets"]):
            self._look_up(tokens[1:], tokens[0] == b"gets", ends=False)
            self._out.take_back()
        if tokens[:1] in ([b"gat"], [b"gats"]) and len(tokens) > 1:
            exptime = signed32(tokens[1])
            if exptime is not None:
                self._look_up(tokens[2:], tokens[0] == b"gats", ends=False, exptime=exptime)
                self._out.take_back()

    def _command(self, tokens: list[bytes]) -> None:
        """The answer to one command line; a set takes its data from what follows."""
        count, key, stores = len(tokens), 0, False
        match tokens[0] if tokens else b"":
            case b"get" | b"bget" | b"gets" if count >= 2:
                self._get(tokens[1:], with_cas=tokens[0] == b"gets")
                return
            case b"gat" | b"gats" if count >= 2:
                self._gat(tokens)
                return
            case b"set" | b"add" | b"replace" if count in (5, 6):
                out, stores = self._set(tokens)
                key = len(tokens[1]) if stores else 0
            case b"append" | b"prepend" if count in (5, 6) and self._table.made_values:
                out, stores = self._set(tokens)
                key = len(tokens[1]) if stores else 0
            case b"cas" if count in (6, 7):
                out, stores = self._set(tokens)
                key = len(tokens[1]) if stores else 0
            case b"delete" if 2 <= count <= 4:
                out = self._delete(tokens)
                key = len(tokens[1]) if out in (b"DELETED\r\n", b"NOT_FOUND\r\n") else 0
            case b"touch" if count in (3, 4):
                out = self._touch(tokens)
                key = len(tokens[1]) if out in (b"TOUCHED\r\n", b"NOT_FOUND\r\n") else 0
            case b"incr" | b"decr" if count in (3, 4) and self._table.made_values:
                out = self._count(tokens)
                key = 0 if out in (BAD_FORMAT, BAD_DELTA) else len(tokens[1])
            case b"flush_all" if count <= 3:
                out = self._flush(tokens)
            case b"verbosity" if count in (2, 3):
                out = BAD_FORMAT if unsigned32(tokens[1]) is None else b"OK\r\n"
            case name if name in host.LINES:
                try:
                    self._out.host(host.answer(tokens))
                except host.UnforeseenError:
                    self._out.host(None)
                return
            case b"version":
                self._add(b"VERSION " + self._version + b"\r\n")
                return
            case _:
                self._add(ERROR)
                return
        self._add(b"" if self._silent(tokens) else out, key=key, stores=stores)

    @staticmethod
    def _silent(tokens: list[bytes]) -> bool:
        """noreply holds errors back as well. One argument of a delete is always the key."""
        if tokens[0] == b"delete" and len(tokens) == 2:
            return False
        return tokens[-1] == b"noreply"

    def _get(self, keys: list[bytes], with_cas: bool, exptime: int | None = None) -> None:
        if not self._look_up(keys, with_cas, ends=True, exptime=exptime):
            self._out.take_back()  # the error stands alone
            self._add(BAD_FORMAT)

    def _gat(self, tokens: list[bytes]) -> None:
        exptime = signed32(tokens[1])
        if exptime is None:
            self._add(BAD_TIME)
        elif len(tokens) == 2:
            self._add(b"END\r\n")
        else:
            self._get(tokens[2:], tokens[0] == b"gats", exptime)

    def _look_up(
        self, keys: list[bytes], with_cas: bool, ends: bool, exptime: int | None = None
    ) -> bool:
        """Adds what is found, and END if nothing can follow that takes it back; false at a key that
        is too long. With an exptime, what is found is touched."""
        for number, key in enumerate(keys):
            if len(key) > self._max_key:
                return False
            out, value = b"", 0
            if exptime is None:
                item = self._table.get(key)
            else:
                expiry = absolute(exptime, self._table.time)
                item = self._table.touch(key, expiry, reads=True)
            if item is not None:
                value = len(item.value)
                cas = b" %d" % item.cas if with_cas else b""
                out = b"VALUE %b %d %d%b\r\n" % (key, item.flags, value, cas)
                out += item.value + b"\r\n"
            if ends and number == len(keys) - 1:
                out += b"END\r\n"
            self._add(out, value=value, key=len(key))
        return True

    def _set(self, tokens: list[bytes]) -> tuple[bytes, bool]:
        """The answer, and whether the table was asked."""
        key = tokens[1]
        flags, exptime = unsigned32(tokens[2]), signed32(tokens[3])
        length = signed32(tokens[4])
        unique = unsigned64(tokens[5]) if tokens[0] == b"cas" else 0
        if len(key) > self._max_key or flags is None or exptime is None or length is None:
            return BAD_FORMAT, False  # and the data is read as a command
        if unique is None:
            return BAD_FORMAT, False
        if length < 0 or length > (1 << 31) - 3:
            return BAD_FORMAT, False
        data, self._rest = self._rest[: length + 2], self._rest[length + 2 :]
        if too_large(key, flags, length):
            if tokens[0] == b"set":
                self._table.refuse(key)
            return TOO_LARGE, tokens[0] == b"set"
        if len(data) != length + 2 or not data.endswith(b"\r\n"):
            return BAD_CHUNK, False  # and what follows is read as a command
        if tokens[0] in _JOIN:
            status, _ = self._table.join(key, data[:-2], front=tokens[0] == b"prepend")
            errors = {Status.OK: b"STORED\r\n", Status.NOT_STORED: b"NOT_STORED\r\n"}
            return errors.get(status, NO_MEMORY), True
        expiry = absolute(exptime, self._table.time)
        if tokens[0] == b"cas" and unique == 0:
            unique = MAX_64  # of no item, as 0 is, which to the table means that none is given
        needs = _NEEDS.get(tokens[0], Needs.ANY)
        status, _ = self._table.set(key, data[:-2], flags, expiry, unique, needs)
        plain = needs is Needs.ANY
        answers = {
            Status.OK: b"STORED\r\n",
            Status.TOO_LARGE: TOO_LARGE,
            Status.NOT_FOUND: b"NOT_FOUND\r\n" if plain else b"NOT_STORED\r\n",
            Status.EXISTS: b"EXISTS\r\n" if plain else b"NOT_STORED\r\n",
        }
        return answers.get(status, NO_MEMORY), True

    def _delete(self, tokens: list[bytes]) -> bytes:
        # memcached once took a time here: a 0 is still allowed.
        if tokens[2:] not in ([], [b"0"], [b"noreply"], [b"0", b"noreply"]):
            return BAD_DELETE
        if len(tokens[1]) > self._max_key:
            return BAD_FORMAT
        found = self._table.delete(tokens[1]) is Status.OK
        return b"DELETED\r\n" if found else b"NOT_FOUND\r\n"

    def _touch(self, tokens: list[bytes]) -> bytes:
        if len(tokens[1]) > self._max_key:
            return BAD_FORMAT
        exptime = signed32(tokens[2])
        if exptime is None:
            return BAD_TIME
        item = self._table.touch(tokens[1], absolute(exptime, self._table.time))
        return b"NOT_FOUND\r\n" if item is None else b"TOUCHED\r\n"

    def _count(self, tokens: list[bytes]) -> bytes:
        if len(tokens[1]) > self._max_key:
            return BAD_FORMAT
        delta = unsigned64(tokens[2])
        if delta is None:
            return BAD_DELTA
        status, number, _ = self._table.count(tokens[1], delta, down=tokens[0] == b"decr")
        answers = {
            Status.OK: b"%d\r\n" % number,
            Status.NOT_FOUND: b"NOT_FOUND\r\n",
            Status.NOT_NUMBER: NOT_NUMBER,
            Status.TOO_LARGE: TOO_LARGE,
        }
        return answers.get(status, NO_MEMORY)

    def _flush(self, tokens: list[bytes]) -> bytes:
        exptime: int | None = 0
        if len(tokens) > (2 if tokens[-1] == b"noreply" else 1):
            exptime = signed32(tokens[1])
        if exptime is None:
            return BAD_TIME
        self._table.flush(flush_time(exptime, self._table.time))
        return b"OK\r\n"


# ---- binary -----------------------------------------------------------------------------------
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


class _Binary:
    def __init__(
        self, packet: bytes, table: Index, version: bytes, max_key: int, out: _Answers
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
        if too_large(request.key, flags, request.value_len):
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
