# SPDX-License-Identifier: Apache-2.0
"""The model of the framer: it finds the same requests however their bytes are cut, and the parser
and memcached make the same of them one by one as of the whole stream."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Iterator
from itertools import zip_longest

import pytest
import request_cases
import request_model
import request_rows
import request_traffic
from wirecache.circuit import commands
from wirecache.model import numbers
from wirecache.model.binary import HEADER
from wirecache.model.tcp.framer import Fed, Framer, Kind, Mark, Mode
from wirecache.oracle.memcached import Memcached
from wirecache.traffic.requests import Message, binary_request

MIB = 1 << 20
VALUE = {row.name: row for row in commands.lines() if row.value}


class Whole:
    """What comes of a stream that is given in pieces, its state kept in 64 bits in between."""

    def __init__(self, **options: bool | int) -> None:
        self.framer = Framer(**options)  # type: ignore[arg-type]
        self.given = 0
        self.marks: list[Mark] = []
        self.last = Fed()

    def feed(self, data: bytes) -> None:
        bits = self.framer.packed()
        assert bits < 1 << 64
        self.framer.unpack(bits)
        assert self.framer.packed() == bits
        self.last = self.framer.feed(data)
        self.marks += [Mark(self.given + mark.offset, mark.kind) for mark in self.last.marks]
        self.given += len(data)

    @property
    def found(self) -> tuple[list[Mark], bool]:
        return self.marks, self.last.closed


def cut(data: bytes, *places: int, **options: bool | int) -> tuple[list[Mark], bool]:
    whole = Whole(**options)
    for start, stop in zip((0, *places), (*places, len(data)), strict=True):
        whole.feed(data[start:stop])
    return whole.found


def requests(data: bytes, **options: bool | int) -> Iterator[tuple[bytes, Mark]]:
    """Each with what is skipped behind it."""
    marks, _ = cut(data, **options)
    begin = 0
    for mark, after in zip_longest(marks, marks[1:]):
        if mark.kind is Kind.SKIPPED:
            continue
        end = after.offset if after and after.kind is Kind.SKIPPED else mark.offset
        yield data[begin:end], mark
        begin = end


# ---- a plain reading of the whole stream ---------------------------------------------------------
def plain(data: bytes, most_bytes: int = MIB) -> tuple[list[int], bool]:
    """Where its requests end, values that are too large counted with them; whether it closes."""
    if data[:1] == b"\x80":
        return plain_binary(data)
    ends: list[int] = []
    at = 0
    while (end := data.find(b"\n", at)) >= 0:
        line = data[at:end].removesuffix(b"\r")
        words = [word for word in line.split(b"\0")[0].split(b" ") if word]
        at = end + 1 + value_of(words)
        if at > len(data):
            break
        ends.append(at)
        if words[:1] == [b"quit"]:
            return ends, True
    return ends, False


def value_of(words: list[bytes]) -> int:
    """Bytes of what follows a line with these words."""
    name = words[0] if words else b""
    row = VALUE.get(name)
    if row is None or len(words) < 3 or len(words[1]) > 250:
        return 0
    if name == b"ms":
        length = numbers.signed32(words[2])
    else:
        if not row.least <= len(words) <= (row.most or 0):
            return 0
        if numbers.unsigned32(words[2]) is None or numbers.signed32(words[3]) is None:
            return 0
        if name == b"cas" and numbers.unsigned64(words[5]) is None:
            return 0
        length = numbers.signed32(words[4])
    return length + 2 if length is not None and 0 <= length <= (1 << 31) - 3 else 0


def plain_binary(data: bytes) -> tuple[list[int], bool]:
    ends: list[int] = []
    at = 0
    known = {row.opcode: row for row in commands.headers()}
    while len(data) - at >= 24:
        magic, opcode, key, extras, _, _, body, _, _ = HEADER.unpack_from(data, at)
        if magic != 0x80:
            return ends, True
        row = known.get(opcode)
        value = body - key - extras
        closes = value < 0 or key > 250
        if row is not None and not closes:
            stores = row.extras == "ExtrasStore" or row.op in ("OpAppend", "OpPrepend")
            allowed = {"ExtrasStore": (8,), "ExtrasDelay": (0, 4), "ExtrasTime": (4,)}
            closes = extras not in (allowed | {"ExtrasCount": (20,)}).get(row.extras, (0,))
            keyless = row.op in ("OpNone", "OpFlush")
            closes |= row.op != "OpHost" and bool(key) == keyless
            closes |= bool(value) and not stores
        if closes:
            return [*ends, at + 24], True
        at += 24 + body
        if at > len(data):
            break
        ends.append(at)
        if row is not None and row.drops:
            return ends, True
    return ends, False


def streams() -> list[bytes]:
    """Every shape of every command, the corners that were probed, and what is densest."""
    out = [*request_rows.lines(), *request_rows.headers()]
    out += request_cases.ASCII_CASES
    out += request_cases.binary_cases()
    return out


def ends_of(marks: list[Mark]) -> list[int]:
    """As `plain` has them."""
    out: list[int] = []
    for mark in marks:
        if mark.kind is Kind.SKIPPED:
            out.pop()
        out.append(mark.offset)
    return out


def test_plain_reading(seed: int) -> None:
    rng = random.Random(seed)
    data = streams() + [request_traffic.packet(rng) for _ in range(4000)]
    for stream in data:
        marks, closed = cut(stream)
        ends = ends_of(marks)
        if marks and marks[-1].kind is Kind.LAST:  # what is skipped has not all come
            ends.pop()
        assert (ends, closed) == plain(stream), stream


# ---- cuts ----------------------------------------------------------------------------------------
def test_every_cut(seed: int) -> None:
    """All shapes of all commands, byte by byte, and of some each in two pieces, cut anywhere."""
    rng = random.Random(seed)
    for stream in streams():
        wanted = cut(stream)
        assert cut(stream, *range(1, len(stream))) == wanted, stream
        if len(stream) < 120 and rng.random() < 0.05:
            for place in range(1, len(stream)):
                assert cut(stream, place) == wanted, (stream, place)


def test_random_cuts(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(2000):
        stream = b"".join(request_traffic.packet(rng) for _ in range(rng.randint(1, 4)))
        options = {"most_bytes": rng.choice((MIB, 400))}
        places = sorted(rng.choices(range(len(stream)), k=rng.randint(0, 20)))
        kept = [line for line in stream.split(b"\n") if len(line) > 2048]
        if not kept:
            assert cut(stream, *places, **options) == cut(stream, **options), (stream, places)


def test_a_line_of_nothing_else() -> None:
    marks, closed = cut(b"\n" * 5000, *range(100, 5000, 77))
    assert marks == [Mark(n + 1, Kind.SHORT) for n in range(5000)] and not closed


# ---- what is found -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("stream", "kinds"),
    [
        (b"get a\r\nbget a\ngets a b\r\ngat 0 a\r\ngats 0 a\r\nmg a v\r\nmn\r\n", [Kind.READ] * 7),
        (b"delete a\r\ntouch a 0\r\nincr a 1\r\nms a 1\r\nx\r\nmd a\r\nma a\r\n", [Kind.SHORT] * 6),
        (b"version\r\nverbosity 1\r\nflush_all\r\nxx\r\n\r\n\0\n", [Kind.SHORT] * 6),
        (b"stats\r\nslabs x\r\nlru x\r\nlru_crawler\ncache_memlimit 1\r\n", [Kind.HOST] * 5),
        (b"shutdown\r\nshutdownx\r\n shutdown\0x\n", [Kind.HOST, Kind.SHORT, Kind.HOST]),
        (b"quit\rx\n quit x\r\nget a\r\n", [Kind.SHORT, Kind.QUIT]),
        (b"set a 0 0 9999999\r\n" + bytes(10000001) + b"mn\r\n", [4, 0, Kind.READ]),
        (b"set a 0 0 1048516\r\n" + bytes(1048518) + b"mn\r\n", [Kind.LAST, Kind.READ]),
        (b"set a 0 0 1048517\r\n" + bytes(1048519) + b"mn\r\n", [4, 0, Kind.READ]),
        (b"set a 0 0 1048200\r\n" + bytes(1048202) + b"mn\r\n", [Kind.SHORT, Kind.READ]),
        (binary_request(0, b"a") + binary_request(0x0A), [Kind.READ, Kind.SHORT]),
        (binary_request(0x10) + binary_request(0x07) + b"x", [Kind.HOST, Kind.QUIT]),
        (binary_request(0x00) + binary_request(0x07) + b"x", [Kind.CLOSE]),
        (binary_request(1, b"k", bytes(8), bytes(2 * MIB)) + binary_request(10), [4, 0, 2]),
    ],
)
def test_kinds(stream: bytes, kinds: list[int]) -> None:
    found, _ = cut(stream)
    assert [mark.kind for mark in found] == kinds


def test_what_is_done_with() -> None:
    """Bytes that are not needed again: what is whole, and what is skipped."""
    framer = Framer()
    assert framer.feed(b"get a\r\nget").done == 7
    assert framer.feed(b" b\r\nset a 0 0 99999999\r\nx").done == 25
    assert framer.feed(b"xx").done == 2
    framer = Framer()
    assert framer.feed(binary_request(1, b"k", bytes(8), bytes(2 * MIB))[:30]).done == 0
    assert framer.feed(bytes(3)).done == 3
    assert framer.feed(bytes(5)).done == 5


def operations(packet: bytes) -> list[request_model.Operation]:
    """What the parser makes of it, wherever its messages end."""
    out = request_model.parse(packet, 0)
    for operation in out:
        for name in ("last", "more"):
            operation.op.pop(name, None)
    return [o for o in out if o.op.get("op") or o.op.get("say") or o.op.get("status")]


def test_the_parser_sees_whole_requests(seed: int) -> None:
    """It makes the same of one request after the other as of all, and waits for nothing."""
    rng = random.Random(seed)
    for _ in range(3000):
        stream = request_traffic.packet(rng)
        binary = stream[:1] == b"\x80"
        parts = list(requests(stream))
        end = sum(len(part) for part, _ in parts)
        if parts and parts[-1][1].kind is Kind.LAST:
            continue  # no packet has room for it
        if any(part[:1] == b"\x80" for part, _ in parts) != binary:
            continue  # a packet that begins with that byte is binary to the parser
        each = []
        for part, mark in parts:
            found = operations(part)
            assert mark.kind is Kind.CLOSE or not any(o.waits for o in found), part
            each += found
        if parts and parts[-1][1].kind in (Kind.QUIT, Kind.CLOSE):
            end = len(stream)
        wanted = operations(stream[:end]) if end else []
        for operation in (*each, *wanted):
            operation.waits = False
        assert each == wanted, (stream, parts)


# ---- memcached -----------------------------------------------------------------------------------
def command(rng: random.Random) -> bytes:
    """What memcached answers alike whenever it is asked: no time passes, nothing is listed in
    docs/differences.md."""
    key = rng.choice((b"a", b"b", b"key", b"k" * 250, b"k" * 251))
    data = rng.choice((b"", b"1", b"12345", b"\r\n", b"get a\r\n", bytes(2000)))
    length = b"%d" % len(data)
    if rng.random() < 0.3:
        near = (b"-1", b"+1", b"x", b"1x", b"1\tx", b"00005", b"", b"4294967297", b"9" * 19)
        length = rng.choice((*near, b"-4294967291", b"1" * 20, b"1048000", b"-", b"\r5", b"5\r"))
    words = [key, b"0", b"0", length]
    name = rng.choice((b"set", b"set", b"add", b"replace", b"append", b"prepend", b"cas", b"ms"))
    if name == b"cas":
        words.append(rng.choice((b"0", b"1", b"-1", b"x", b"18446744073709551615", b"9" * 20)))
        words[-1] = rng.choice((words[-1], b"-9223372036854775809"))
    if name == b"ms":
        words = [key, length, *rng.sample((b"T0", b"q", b"k", b"Z", b"F1"), rng.randrange(3))]
    if rng.random() < 0.2 and name != b"ms":
        words.append(rng.choice((b"noreply", b"x", b"\r")))
    if rng.random() < 0.1:
        place = rng.randrange(len(words))
        words[place] = rng.choice((b"x", b"0", b"-1", b"\0", b"1\0"))
        if place == 2 and words[place] == b"1\0":  # a second, in which time passes
            words[place] = b"0\0"
    store = rng.choice((b" ", b"  ")).join([name, *words])
    others = (
        b"get a b key",
        b"get",
        b"gets  a",
        b"delete b",
        b"mg a v",
        b"mn",
        b"\0quit",
        b"",
        b"x",
    )
    line = store if rng.random() < 0.6 else rng.choice(others)
    line = (
        rng.choice((b"", b"", b"", b" ")) + line + rng.choice((b"\r\n", b"\r\n", b"\n", b" \r\n"))
    )
    if rng.random() < 0.02:
        return b"quit\r\n"
    return line + (data + rng.choice((b"\r\n", b"\r\n", b"xy"))) * (line.strip(b" ")[:2] != b"ge")


def header(rng: random.Random) -> bytes:
    opcode = rng.choice((0, 1, 1, 2, 4, 9, 0x0A, 0x0B, 0x0C, 0x0D, 0x11, 0x14, 0x0E))
    stores = opcode in (1, 2, 0x11)
    key = rng.choice((b"a", b"b")) if opcode not in (0x0A, 0x0B) else b""
    extras = bytes(8) if stores else b""
    value = rng.choice((b"", b"xyz", bytes(1000))) if stores or opcode == 0x0E else b""
    if rng.random() < 0.03:
        key = rng.choice((b"", b"k" * 251))
    if rng.random() < 0.02 and stores:
        value = bytes(rng.choice((MIB - 60, MIB - 59, MIB)))
    if rng.random() < 0.01:
        return bytes(24)
    return binary_request(opcode, key, extras, value, opaque=rng.getrandbits(32))


def test_memcached(seed: int) -> None:
    """Two memcacheds: one gets whole streams, one each request alone. They say the same."""
    rng = random.Random(seed)
    count = 0
    with Memcached() as first, Memcached() as second:
        for _ in range(400):
            binary = rng.random() < 0.4
            make = header if binary else command
            stream = b"".join(make(rng) for _ in range(rng.randint(1, 12)))
            if binary and stream[0] != 0x80:
                continue
            parts = list(requests(stream))
            whole = Whole()
            whole.feed(stream)
            marks, closed = whole.found
            end = len(stream) if closed else marks[-1].offset if marks else 0
            if not end or whole.framer.state.mode is Mode.SKIP:
                continue
            wanted = first.ask(Message(stream[:end], 1))
            each = b""
            for part, mark in parts:
                ending = mark.kind is Kind.CLOSE
                data = stream[mark.offset - len(part) :] if ending else part
                each += second.ask(Message(data, 1))
            last = marks[-1].kind if marks else Kind.SHORT
            if closed and last not in (Kind.QUIT, Kind.CLOSE):
                # a wrong magic number: memcached loses answers that it has not sent yet
                assert each.startswith(wanted), stream
            else:
                assert each == wanted, stream
            assert closed == (binary not in first._tcp), stream
            if closed and binary in second._tcp:  # of a wrong magic number no request tells
                second._tcp.pop(binary).close()
            count += len(parts)
    assert count > 500


def still_open(data: bytes, *more: bytes) -> bool:
    """Whether memcached takes bytes that come one read after the other, and goes on."""
    with (
        Memcached() as server,
        socket.create_connection(("127.0.0.1", server.port), 5) as connection,
    ):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in (data, *more):
            connection.sendall(piece)
            time.sleep(0.05)
        connection.setblocking(False)
        out = b""
        try:
            while piece := connection.recv(1 << 16):
                out += piece
        except BlockingIOError:
            return True
        except ConnectionResetError:
            pass
        return False


@pytest.mark.parametrize(
    ("pieces", "is_open"),
    [
        ((b"x" * 2048,), True),
        ((b"x" * 2049,), False),
        ((b"x" * 2048, b"\n"), True),
        ((b"x" * 2047, b"\r\n"), True),
        ((b"x" * 2047, b"\r", b"x", b"\n"), False),
        ((b"x" * 5000 + b"\n",), True),
        ((b"\n" * 3000 + b"x" * 2048,), True),
        ((b"\n" * 3000 + b"x" * 2049,), False),
        ((b"get " + b"k " * 2000, b"k\r\n"), True),
        ((b"gets " + b"k " * 2000, b"k\r\n"), True),
        ((b"get\0" + b"k " * 2000,), False),
        ((b"gat 0 " + b"k " * 2000,), False),
        ((b"bget " + b"k " * 2000,), False),
        ((b" " * 100 + b"get " + b"k " * 2000,), True),
        ((b" " * 101 + b"get " + b"k " * 2000,), False),
        ((b" " * 2048,), True),
        ((b" " * 2049,), False),
        ((b"set " + b"k" * 2044, b" ", b"\n"), False),
        ((b"ms k 5 " + b"T" * 2041, b" "), False),
        ((b"ms k 5 " + b"T" * 2041, b"\n" + bytes(5) + b"\r\n", b"mn\r\n"), True),
        ((b"set a 0 0 5" + b" " * 2037,), True),
        ((b"set a 0 0 5" + b" " * 2037, b" "), False),
    ],
)
def test_long_lines(pieces: tuple[bytes, ...], is_open: bool) -> None:
    whole = Whole()
    for piece in pieces:
        whole.feed(piece)
        if whole.last.closed:
            break
    assert whole.last.closed != is_open
    assert still_open(*pieces) == is_open
