# SPDX-License-Identifier: Apache-2.0
"""Seeded random request streams, ASCII and binary, in messages that fit a datagram.

traffic = Traffic(seed=1, mix=Mix(keys=500))
for message in traffic.messages(1000): ...
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wirecache.model.binary import (
    ADD,
    ADDQ,
    APPEND,
    APPENDQ,
    DECR,
    DECRQ,
    DELETE,
    DELETEQ,
    FLUSH,
    FLUSHQ,
    GAT,
    GATK,
    GATKQ,
    GATQ,
    GET,
    GETK,
    GETKQ,
    GETQ,
    HEADER,
    INCR,
    INCRQ,
    NO_INITIAL,
    NOOP,
    PREPEND,
    PREPENDQ,
    QUIT,
    QUITQ,
    REPLACE,
    REPLACEQ,
    REQUEST,
    SET,
    SETQ,
    TOUCH,
    VERSION,
)
from wirecache.model.index import LONGEST_NUMBER
from wirecache.traffic.frames import FRAME_HEADER, MAX_PAYLOAD
from wirecache.traffic.meta import MetaLines

_QUIET = {SET: SETQ, ADD: ADDQ, REPLACE: REPLACEQ, APPEND: APPENDQ, PREPEND: PREPENDQ}
MAX_MESSAGE = MAX_PAYLOAD - FRAME_HEADER.size
KEY_BYTES = bytes(range(33, 127))
MAX_KEY = 250


@dataclass(frozen=True)
class Mix:
    """What a stream is made of. Shares are probabilities."""

    binary: float = 0.5  # messages in the binary protocol
    keys: int = 400  # size of the key population
    longest_value: int = 1200
    commands: int = 6  # most commands in a message
    gets: float = 0.5  # of the commands that are neither errors nor rare
    deletes: float = 0.1
    whole: bool = True  # with what the papers' table does not have: INCR, APPEND, meta commands
    meta: float = 0.25  # of the lines that are neither errors nor rare, if `whole`
    rare: float = 0.03  # version, verbosity, noop
    flushes: float = 0.001
    errors: float = 0.05
    quits: float = 0.002
    quiet: bool = True  # with noreply and quiet opcodes
    cut: float = 0.0  # messages that end in the middle of a request
    listed: bool = True  # with what docs/differences.md lists; False: only what memcached does too


@dataclass(frozen=True)
class Message:
    """The requests of one datagram."""

    data: bytes
    operations: int  # keys asked for, values set, other commands

    @property
    def binary(self) -> bool:
        return self.data[0] == REQUEST


def binary_request(
    opcode: int,
    key: bytes = b"",
    extras: bytes = b"",
    value: bytes = b"",
    opaque: int = 0,
    cas: int = 0,
) -> bytes:
    """A request of the binary protocol with right lengths."""
    total = len(extras) + len(key) + len(value)
    return HEADER.pack(REQUEST, opcode, len(key), len(extras), 0, 0, total, opaque, cas) + (
        extras + key + value
    )


def binary_set(
    key: bytes,
    value: bytes,
    flags: int = 0,
    exptime: int = 0,
    opaque: int = 0,
    cas: int = 0,
    quiet: bool = False,
    opcode: int = SET,
) -> bytes:
    """A SET, or an ADD or REPLACE by its opcode."""
    extras = struct.pack(">II", flags, exptime)
    return binary_request(_QUIET[opcode] if quiet else opcode, key, extras, value, opaque, cas)


def ascii_set(
    key: bytes,
    value: bytes,
    flags: int = 0,
    exptime: int = 0,
    noreply: bool = False,
    cas: int | None = None,
    name: bytes = b"set",
) -> bytes:
    """A `set`, `add` or `replace`, or with a CAS number a `cas`."""
    name = name if cas is None else b"cas"
    tail = (b"" if cas is None else b" %d" % cas) + (b" noreply" if noreply else b"")
    return b"%b %b %d %d %d%b\r\n%b\r\n" % (name, key, flags, exptime, len(value), tail, value)


class Traffic:
    """A random stream; the same seed and mix give the same stream.

    `cas_of` tells the number of a key's item (from a model that is kept in step), so that
    compare-and-swap sometimes hits; it makes the stream depend on what the model says.
    """

    def __init__(
        self,
        seed: int,
        mix: Mix | None = None,
        cas_of: Callable[[bytes], int | None] = lambda key: None,
    ) -> None:
        self.mix = mix if mix is not None else Mix()
        self._random = random.Random(seed)
        self._cas_of = cas_of
        self._meta = MetaLines(self._random, self.mix.listed, self.mix.quiet)
        self._keys = self._population()
        self._read: set[bytes] = set()  # keys whose items this message has asked for
        self._joined: set[bytes] = set()  # keys whose values may have been joined
        self._renewed: set[bytes] = set()  # the key this message's first command gives a new value

    def messages(self, count: int) -> Iterator[Message]:
        for _ in range(count):
            yield self.message()

    def message(self) -> Message:
        """The next message, 1 to `mix.commands` commands that fit a datagram."""
        draw = self._random
        command = self._binary if draw.random() < self.mix.binary else self._ascii
        data, operations = b"", 0
        self._read.clear()
        self._renewed.clear()
        for _ in range(draw.randint(1, self.mix.commands)):
            part, count = command(first=not data)
            if len(data) + len(part) > MAX_MESSAGE:
                break
            data, operations = data + part, operations + count
        if not data:  # the first one was too long
            return self.message()
        if draw.random() < self.mix.cut:
            data = data[: draw.randint(1, len(data))]
        else:
            self._joined -= self._renewed
        return Message(data, operations)

    # ---- ingredients --------------------------------------------------------------------------
    def _population(self) -> list[bytes]:
        draw = self._random
        keys = {b"k"}
        while len(keys) < self.mix.keys:
            longest = draw.choice((8, 24, 24, 64, MAX_KEY))
            length = draw.choice((1, 3, longest, draw.randint(1, longest)))
            keys.add(bytes(draw.choices(KEY_BYTES, k=length)))
        return sorted(keys)

    def _key(self) -> bytes:
        """A key; the early ones of the population are the hot ones."""
        draw = self._random
        if draw.random() < 0.02:
            return bytes(draw.choices(KEY_BYTES, k=draw.randint(1, MAX_KEY)))
        return self._keys[int(len(self._keys) * draw.random() ** 2)]

    def _value(self) -> bytes:
        draw = self._random
        longest = self.mix.longest_value
        length = draw.choice((0, 1, 7, 8, 9, 32, draw.randint(0, 64), draw.randint(0, longest)))
        if draw.random() < 0.2:
            return self._number()
        filler = draw.choice(KEY_BYTES.replace(b"0", b""))  # else it might be a number, and long
        if draw.random() < 0.1:
            if length > LONGEST_NUMBER and filler in b"123456789+":  # with a space behind, a number
                filler = ord("x")
            return bytes([filler])[:length] + draw.randbytes(max(0, length - 1))
        return bytes([filler]) * length

    def _number(self) -> bytes:
        """A value that is a number to memcached, or nearly."""
        draw = self._random
        number = b"%d" % draw.choice((0, 9, 99, 12345, 2**32, *self._large()))
        before = draw.choice((b"", b"", b"", b" ", b"+", b"-", b"00"))
        spoilt = draw.choice((b" x", b"x", b"\0a", b"\0-", b" -"))
        return before + number + draw.choice((b"", b"", b"", b" ", b"  ", spoilt))

    def _counts(self, key: bytes) -> bool:
        """Whether the next operation is an INCR or DECR of this key."""
        return self.mix.whole and self._countable(key) and self._random.random() < 0.15

    def _countable(self, key: bytes) -> bool:
        """Whether memcached counts this key's value as the circuit does."""
        return self.mix.listed or not (key in self._read or key in self._joined)

    def _joins(self, key: bytes) -> bool:
        """Whether the next operation is an APPEND or PREPEND to this key's value."""
        joins = self.mix.whole and self._random.random() < 0.1
        if joins:  # to memcached a value is a number with words behind it, however long these are
            self._joined.add(key)
            self._renewed.discard(key)
        return joins

    def _sets(self, key: bytes, first: bool) -> None:
        """A SET of this key is next. It surely is done when no command that ends the connection
        can be in front of it."""
        if first:
            self._renewed.add(key)

    def _piece(self) -> bytes:
        """What is joined to a value."""
        draw = self._random
        length = draw.choice((0, 1, 7, 8, 9, draw.randint(0, 32), draw.randint(0, 100)))
        return bytes([draw.choice(b"abz 1")]) * length

    def _delta(self) -> int:
        draw = self._random
        return draw.choice((0, 1, 1, 1, 10, 1000, *self._large()))

    def _large(self) -> tuple[int, int]:
        """From 2**63 on memcached looks for a minus behind a value's end, too."""
        bits = 64 if self.mix.listed else 40
        return 2**bits - 1, self._random.getrandbits(bits)

    def _flags(self) -> int:
        draw = self._random
        return draw.choice((0, 0, 1, 99, 0xFFFFFFFF, draw.getrandbits(32)))

    def _exptime(self) -> int:
        """0 mostly; never so near that the time of the answer matters."""
        draw = self._random
        if draw.random() < 0.85:
            return 0
        return draw.choice((3600, 30 * 86400, 2_000_000_000, 2**31 - 1))

    def _cas(self, key: bytes) -> int:
        """A CAS number, that of the key's item now and then."""
        draw = self._random
        cas = self._cas_of(key) or 0
        return draw.choice((cas, cas + 1, 1, draw.getrandbits(64)))

    # ---- ASCII --------------------------------------------------------------------------------
    def _ascii(self, first: bool) -> tuple[bytes, int]:
        draw, mix = self._random, self.mix
        point = draw.random()
        for share, make in (
            (mix.errors, self._ascii_error),
            (mix.flushes, self._ascii_flush),
            (mix.rare, self._ascii_rare),
        ):
            if point < share:
                return make(first), 1
            point -= share
        if point < mix.quits:
            return b"quit\r\n", 1
        if mix.whole and draw.random() < mix.meta:
            return self._meta_line(), 1
        point = draw.random()
        if point < mix.gets:
            return self._ascii_get()
        noreply = mix.quiet and draw.random() < 0.15
        if point < mix.gets + mix.deletes:
            tail = draw.choice((b"", b"", b" 0")) + (b" noreply" if noreply else b"")
            return b"delete " + self._key() + tail + b"\r\n", 1
        exptime = -1 if draw.random() < 0.02 else self._exptime()
        key = self._key()
        if draw.random() < 0.1:
            return b"touch %b %d%b\r\n" % (key, exptime, b" noreply" if noreply else b""), 1
        if self._counts(key):
            name = draw.choice((b"incr", b"incr", b"decr"))
            tail = b" noreply" if noreply else b""
            return b"%b %b %d%b\r\n" % (name, key, self._delta(), tail), 1
        if self._joins(key):
            name = draw.choice((b"append", b"prepend"))
            return ascii_set(key, self._piece(), self._flags(), exptime, noreply, name=name), 1
        cas = self._cas(key) if draw.random() < 0.2 else None
        name = draw.choice((b"set", b"set", b"set", b"add", b"replace"))
        if name == b"set" and cas is None:
            self._sets(key, first)
        return ascii_set(key, self._value(), self._flags(), exptime, noreply, cas, name), 1

    def _meta_line(self) -> bytes:
        draw, meta, key = self._random, self._meta, self._key()
        point = draw.random()
        if point < 0.05:
            return meta.noop()
        if point < self.mix.gets:
            self._read.add(key)
            return meta.get(key, self._exptime())
        if point < self.mix.gets + self.mix.deletes:
            return meta.delete(key, self._exptime(), self._cas(key))
        if self._counts(key):
            initial, exptime, cas = self._delta(), self._exptime(), self._cas(key)
            return meta.count(key, self._delta(), initial, exptime, cas)
        joins = self._joins(key)
        value = self._piece() if joins else self._value()
        cas = self._cas(key)
        return meta.set(key, value, self._flags(), self._exptime(), cas, joins=joins)

    def _ascii_get(self) -> tuple[bytes, int]:
        draw = self._random
        count = draw.choice((1, 1, 1, 2, 3, draw.randint(1, 100)))
        keys: list[bytes] = []
        room = MAX_MESSAGE - 8
        for _ in range(count):
            key = self._key()
            room -= len(key) + 1
            if room < 0:
                break
            keys.append(key)
        self._read.update(keys)
        space = b"  " if draw.random() < 0.03 else b" "
        command = draw.choice((b"get", b"get", b"gets", b"gat", b"gats"))
        if command.startswith(b"gat"):
            exptime = -1 if draw.random() < 0.05 else self._exptime()
            command += space + b"%d" % exptime
            keys = keys[:50]
        end = b" \r\n" if draw.random() < 0.03 else b"\n" if draw.random() < 0.03 else b"\r\n"
        return command + space + space.join(keys) + end, len(keys)

    def _ascii_rare(self, first: bool) -> bytes:
        lines = [b"version", b"verbosity 0", b"version ", b" version x"]
        if self.mix.quiet:
            lines += [b"verbosity 1 noreply"]
        return self._random.choice(lines) + b"\r\n"

    def _ascii_flush(self, first: bool) -> bytes:
        lines = [b"flush_all", b"flush_all 0", b"flush_all -1"]
        if self.mix.quiet:
            lines += [b"flush_all noreply", b"flush_all 0 noreply"]
        if self.mix.listed:
            lines += [b"flush_all 1000000", b"flush_all 2000000000 noreply"]
        return self._random.choice(lines) + b"\r\n"

    def _ascii_error(self, first: bool) -> bytes:
        draw = self._random
        key, value = self._key(), self._value()
        long_key = bytes(draw.choices(KEY_BYTES, k=draw.randint(251, 300)))
        number = draw.choice(
            (b"x", b"-1", b"1x", b"0x10", b"", b"--1", b"+", b"-", b"99999999999999999999", b"1-")
        )
        noreply = draw.choice((b"", b"", b"", b" noreply")) if self.mix.quiet else b""
        size = b"%d" % len(value)
        data = b"\r\n" + value + b"\r\n"
        lines = [
            b"",
            b" ",
            b"a",
            b"foo",
            b"GET " + key,
            b"get",
            b"gets ",
            b"getx " + key,
            b"get\t" + key,
            b"set",
            b"set " + key,
            b"set " + key + b" 0 0",
            b"set " + key + b" 0 0 1 noreply x",
            b"set " + key + b" " + number + b" 0 5" + noreply,
            b"set " + key + b" 0 " + number + b"x 5" + noreply,
            b"set " + key + b" 0 0 -" + size + b"1" + noreply,
            b"set " + long_key + b" 0 0 " + size + noreply + data[:-2],
            b"set " + key + b" 0 0 " + size + noreply + data[:-2] + b"xy",
            b"set " + key + b" 0 0 " + size + noreply + data[:-2] + b"version",
            b"set " + key + b" 0 0 7" + noreply + b"\r\nabc\r\nversion",
            b"set " + key + b" 0 0 " + size + b" other" + data[:-2],
            b"set " + key + b" +1 +0 00" + size + data[:-2],
            b"cas " + key + b" 0 0 " + size + b" " + number + noreply + data[:-2],
            b"cas " + key + b" 0 0 " + size + data[:-2],
            b"add " + key + b" 0 0 " + size + noreply + data[:-2] + b"x",
            b"replace " + key + b" 0 " + number + b"x 5" + noreply,
            b"cas " + key + b" 0 0 " + size + b" 1 2 3",
            b"delete",
            b"delete " + key + b" 5" + noreply,
            b"delete " + key + b" 0 0",
            b"delete " + key + b" 0 0 0 0",
            b"delete " + long_key + noreply,
            b"delete noreply",
            b"flush_all x" + noreply,
            b"touch " + key,
            b"touch " + key + b" " + number + b"x" + noreply,
            b"touch " + key + b" 0 other",
            b"touch " + key + b" 0 other" + noreply,
            b"touch " + long_key + b" x" + noreply,
            b"gat",
            b"gat 0",
            b"gats " + number + b"x " + key + b" " + long_key,
            b"gat 0x " + key,
            b"flush_all 0 0 0",
            b"verbosity",
            b"verbosity x" + noreply,
            b"verbosity 0 0 0",
            b"quitt",
        ]
        if self.mix.whole:
            lines += [self._meta.error(key, value, long_key)[:-2] for _ in range(12)]
            lines += [
                b"incr " + key,
                b"incr " + key + b" " + number + b"x" + noreply,
                b"decr " + key + b" -1" + noreply,
                b"incr " + key + b" 18446744073709551616" + noreply,
                b"decr " + key + b" 1 2 3",
                b"incr " + long_key + b" x" + noreply,
                b"append " + key + b" 0 0",
                b"prepend " + key + b" 0 " + number + b"x 5" + noreply,
                b"append " + long_key + b" 0 0 " + size + noreply + data[:-2],
                b"prepend " + key + b" 0 0 " + size + noreply + data[:-2] + b"x",
            ]
            if self._countable(key):
                lines.append(b"decr " + key + b" 1 2")
        if first or self.mix.listed:  # memcached takes back the answers of earlier commands too
            lines += [b"get " + long_key, b"get " + key + b" " + long_key + b" " + key]
            lines += [b"gat 0 " + key + b" " + long_key + b" " + key]
        if self.mix.listed:
            name = draw.choice((b"set", b"set", b"add"))
            lines.append(name + b" " + key + b" 0 0 2000000" + noreply)
            other = draw.choice((b"append", b"prepend"))
            lines += [
                other + b" " + key + b" 0 0 " + size + data[:-2],
                draw.choice((b"stats sizes", b"stats x", b"slabs automove", b"lru_crawler x")),
            ]
        return draw.choice(lines) + b"\r\n"

    # ---- binary -------------------------------------------------------------------------------
    def _binary(self, first: bool) -> tuple[bytes, int]:
        draw, mix = self._random, self.mix
        opaque = draw.getrandbits(32)
        point = draw.random()
        if point < mix.errors:
            return self._binary_error(opaque, first), 1
        point -= mix.errors
        if point < mix.flushes:
            extras = draw.choice((b"", b"\0\0\0\0"))
            if mix.listed and draw.random() < 0.3:
                extras = struct.pack(">I", draw.choice((1_000_000, 0xFFFFFFFF)))
            opcode = draw.choice((FLUSH, FLUSHQ)) if mix.quiet else FLUSH
            return binary_request(opcode, extras=extras, opaque=opaque), 1
        point -= mix.flushes
        if point < mix.rare:
            return binary_request(draw.choice((NOOP, NOOP, VERSION)), opaque=opaque), 1
        if point - mix.rare < mix.quits:
            opcode = draw.choice((QUIT, QUITQ)) if mix.quiet else QUIT
            return binary_request(opcode, opaque=opaque), 1
        key = self._key()
        point = draw.random()
        if point < mix.gets:
            self._read.add(key)
            if draw.random() < 0.2:
                extras = struct.pack(">I", self._exptime())
                quiet = (GATQ, GATKQ) if mix.quiet else ()
                opcode = draw.choice((TOUCH, GAT, GATK, *quiet))
                return binary_request(opcode, key, extras, opaque=opaque), 1
            quiet = (GETQ, GETKQ) if mix.quiet else ()
            return binary_request(draw.choice((GET, GETK, *quiet)), key, opaque=opaque), 1
        cas = self._cas(key) if draw.random() < 0.2 else 0
        if point < mix.gets + mix.deletes:
            opcode = draw.choice((DELETE, DELETE, DELETEQ)) if mix.quiet else DELETE
            return binary_request(opcode, key, opaque=opaque, cas=cas), 1
        silent = mix.quiet and draw.random() < 0.3
        exptime = self._exptime()
        if self._counts(key):
            opcode = draw.choice((INCRQ, DECRQ) if silent else (INCR, DECR))
            exptime = draw.choice((exptime, NO_INITIAL))
            start = draw.choice((0, 7, *self._large()))
            extras = struct.pack(">QQI", self._delta(), start, exptime)
            return binary_request(opcode, key, extras, opaque=opaque, cas=cas), 1
        if self._joins(key):
            opcode = draw.choice((APPEND, PREPEND))
            opcode = _QUIET[opcode] if silent else opcode
            return binary_request(opcode, key, b"", self._piece(), opaque, cas), 1
        opcode = draw.choice((SET, SET, SET, ADD, REPLACE))
        if opcode == SET and not cas:
            self._sets(key, first)
        value, flags = self._value(), self._flags()
        return binary_set(key, value, flags, exptime, opaque, cas, silent, opcode), 1

    def _binary_error(self, opaque: int, first: bool) -> bytes:
        """Most of these make memcached close the connection."""
        draw = self._random
        key, value = self._key(), self._value()
        long_key = bytes(draw.choices(KEY_BYTES, k=draw.randint(251, 600)))
        opcode = draw.choice((GET, GETQ, GETK, SET, DELETE, FLUSH, NOOP, VERSION, QUIT))
        # memcached skips too much after an unknown command that has extras or a key
        unknown = draw.choice((0x1B, 0x1F, 0x30, 0x50, 0xFF))
        makes: list[Callable[[], bytes]] = [
            lambda: binary_request(unknown, value=value, opaque=opaque),
            lambda: binary_request(unknown, opaque=opaque),
            lambda: binary_request(opcode, key, b"abc", value, opaque),
            lambda: binary_request(draw.choice((GET, GETQ, GETK, DELETE)), opaque=opaque),
            lambda: binary_request(draw.choice((GET, DELETE)), long_key, opaque=opaque),
            lambda: binary_request(draw.choice((NOOP, FLUSH, VERSION, QUIT)), key, opaque=opaque),
            lambda: binary_request(draw.choice((GET, DELETE)), key, b"", b"x", opaque),
            lambda: binary_set(b"", value, opaque=opaque),
            lambda: binary_set(long_key, b"v", opaque=opaque, quiet=True),
            lambda: binary_request(draw.choice((GET, SET)), key, b"1234", value, opaque),
            lambda: binary_request(draw.choice((TOUCH, GATQ)), key, b"", b"", opaque),
            lambda: binary_request(draw.choice((TOUCH, GATK)), b"", b"1234", b"", opaque),
            lambda: binary_request(draw.choice((GAT, GATKQ)), long_key, b"1234", b"", opaque),
            lambda: binary_request(draw.choice((ADD, REPLACE)), b"", bytes(8), value, opaque),
            lambda: self._wrong_length(binary_set(key, value, opaque=opaque)),
        ]
        if self.mix.whole:
            makes += [
                lambda: binary_request(INCR, key, bytes(8), b"", opaque),
                lambda: binary_request(APPEND, key, bytes(8), value, opaque),
                lambda: binary_request(draw.choice((APPEND, PREPENDQ)), b"", b"", value, opaque),
                lambda: binary_request(PREPEND, long_key, b"", value, opaque),
                lambda: binary_request(draw.choice((INCR, DECRQ)), b"", bytes(20), b"", opaque),
                lambda: binary_request(
                    draw.choice((DECR, INCRQ)), long_key, bytes(20), b"", opaque
                ),
            ]
        if self.mix.listed:
            other = draw.choice((0x0E, 0x0F, 0x10, 0x19, 0x20, unknown))
            makes.append(lambda: binary_request(other, key, b"extras", value, opaque))
            makes.append(lambda: binary_request(TOUCH, key, b"1234", b"v", opaque))
            large = binary_request(draw.choice((SET, SETQ, ADD)), key, bytes(8), b"v", opaque)
            makes.append(lambda: large[:8] + struct.pack(">I", 2_000_000) + large[12:])
            if not first:  # else it would not be a binary message
                makes.append(lambda: b"\x81" + binary_request(NOOP, opaque=opaque)[1:])
        return draw.choice(makes)()

    @staticmethod
    def _wrong_length(data: bytes) -> bytes:
        """A total length below that of extras and key."""
        return data[:8] + struct.pack(">I", 3) + data[12:]
