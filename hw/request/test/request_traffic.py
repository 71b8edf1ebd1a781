# SPDX-License-Identifier: Apache-2.0
"""Packets to try a request parser with: right ones, nearly right ones, and noise."""

from __future__ import annotations

import random
import struct
from base64 import b64encode

from wirecache.circuit import commands

NUMBERS = (
    b"0 1 5 42 100 999 1000 9999 10000 65535 2592000 2592001 1700000000 2147483647 2147483648 "
    b"4294967295 4294967296 4294967297 9223372036854775807 9223372036854775808 "
    b"18446744073709551615 18446744073709551616 99999999999999999999999 -1 -0 -5 -2147483648 "
    b"-4294967295 -9223372036854775807 -9223372036854775808 -9223372036854775809 "
    b"-18446744073709551615 -18446744073709551616 +1 +0 + - 1x x1 0x10 1- --1 +-1 "
    b"0000000000000000000000012 00000000 123456789 12345678 1234567890123456 "
).split()
NUMBERS += (b"\t1", b"1\tz", b"\x0b\x0c\r7", b"1\rz", b"9223372036854775808\t-", b"1\x80", b"\xff")
WORDS = (
    b"noreply 0 1 a bb add inc incrz stats mg flush_al flush_allx verbosit verbosityz getss ga "
    b"gatss HTTP/1.1 GET noreply noreplyx set"
).split() + [row.name for row in commands.lines()]
STORES = (b"set", b"set", b"add", b"replace", b"append", b"prepend")
OPCODES = [row.opcode for row in commands.headers()]


def key(rng: random.Random, longest: int = 250) -> bytes:
    length = min(rng.choice((1, 2, 3, 6, 7, 8, 9, 15, 16, 17, 24, 100, 249, 250)), longest)
    if rng.random() < 0.5:
        length = rng.randint(1, min(longest, 40))
    return bytes(rng.choice(b"abcdefghij0123456789_\r\t-") for _ in range(length))


def base64_key(rng: random.Random) -> bytes:
    """A key in base64, or nearly: with characters that mean nothing, or one that is wrong."""
    text = bytearray(b64encode(rng.randbytes(rng.choice((1, 2, 3, 5, 6, 16, rng.randint(1, 187))))))
    for _ in range(rng.choice((0, 0, 0, 0, 0, 1, 1, 2, 9))):
        place = rng.randrange(len(text))
        end = place + rng.randrange(2)
        text[place:end] = bytes([rng.choice(b"=-_*\x80\xff\tA")])
    return bytes(text)


def value(rng: random.Random, longest: int = 200) -> bytes:
    length = rng.choice((0, 1, 2, 5, 6, 7, 8, 9, 15, 16, 17, rng.randint(0, longest)))
    return bytes(rng.choice(b"\r\n \0gets\x80z") for _ in range(min(length, longest)))


def number(rng: random.Random) -> bytes:
    if rng.random() < 0.5:
        return rng.choice(NUMBERS)
    return b"%d" % rng.randrange(10 ** rng.randint(1, 12))


def exptime(rng: random.Random) -> bytes:
    if rng.random() < 0.2:
        return number(rng)
    return rng.choice((b"0", b"0", b"10", b"2592000", b"1800000000", b"-1"))


def line(rng: random.Random, *tokens: bytes) -> bytes:
    """Tokens as a line, now and then with more spaces, a bare LF or a NUL."""
    gap = b" " if rng.random() < 0.9 else b" " * rng.randint(2, 20)
    text = gap.join(tokens)
    if rng.random() < 0.05:
        text = b" " * rng.choice((1, 1, 2, 7, 8, 9, 30)) + text
    if rng.random() < 0.05:
        text += b" " * rng.choice((1, 1, 2, 7, 8, 9, 30))
    if rng.random() < 0.02:
        text += b"\0" * rng.choice((1, 2, 9)) + b" " * rng.choice((0, 0, 9)) + rng.choice(WORDS)
    return text + rng.choice((b"\r\n", b"\r\n", b"\r\n", b"\n"))


def meta_command(rng: random.Random) -> bytes:
    name = rng.choice((b"mg", b"mg", b"ms", b"ms", b"md", b"ma", b"ma", b"mn"))
    flags = []
    for flag in rng.sample(commands.flags(), rng.choice((0, 1, 1, 2, 3, 5, 8))):
        if rng.random() < (0.1 if name == b"ma" else 0.3):  # most are taken by all
            continue
        text = b""
        if flag.number == "ArgTime":
            text = exptime(rng)
        elif flag.number:
            text = number(rng) if rng.random() < 0.2 else b"%d" % rng.randrange(2**32)
        elif flag.kind == "FlagMode":
            text = rng.choice((b"S", b"E", b"R", b"A", b"P", b"I", b"D", b"-", b"s", b"SE", b""))
        elif flag.letter == b"O":
            length = rng.choice((0, 1, 6, 7, 8, 9, 15, 16, 30, 31, 31, 32, 33, 99))
            text = bytes(rng.choice(b"abcO\r\t\xff") for _ in range(length))
        elif rng.random() < 0.1:
            text = b"x" * rng.randint(1, 20)
        flags.append(flag.letter + text)
    if rng.random() < 0.1:
        flags.append(rng.choice((*flags, b"Z", b"y", b"\x7f", b"\x80", b"T1", b"b")))
    name_of = base64_key if b"b" in flags or rng.random() < 0.05 else key
    words = [name, name_of(rng), *flags] if rng.random() < 0.95 else [name, *flags]
    if name != b"ms":
        return line(rng, *words)
    data = value(rng)
    size = number(rng) if rng.random() < 0.05 else b"%d" % len(data)
    return line(rng, *words[:2], size, *words[2:]) + data + b"\r\n"


def ascii_command(rng: random.Random) -> bytes:
    kind = rng.random()
    tail = (b"noreply",) if rng.random() < 0.3 else ()
    if rng.random() < 0.2:
        return meta_command(rng)
    if rng.random() < 0.1:
        return line(rng, rng.choice((b"incr", b"decr")), key(rng), number(rng), *tail)
    if kind < 0.3:
        many = rng.choice((0, 1, 1, 1, 1, 2, 3, 10, 30))
        command = rng.choice((b"get", b"get", b"bget", b"gets", b"gat", b"gats"))
        lead = (exptime(rng),) if command in (b"gat", b"gats") else ()
        return line(rng, command, *lead, *(key(rng, 30) for _ in range(many)))
    if kind < 0.55:
        data = value(rng)
        unique = b"%d" % rng.choice((0, 1, rng.getrandbits(30), rng.getrandbits(64)))
        compares = rng.random() < 0.3
        head = line(
            rng,
            b"cas" if compares else rng.choice(STORES),
            key(rng),
            b"%d" % rng.choice((0, 0, 7, 2**32 - 1)),
            exptime(rng),
            b"%d" % len(data),
            *((unique,) if compares else ()),
            *tail,
        )
        return head + data + b"\r\n"
    if kind < 0.6:
        return line(rng, b"touch", key(rng), exptime(rng), *tail)
    if kind < 0.65:
        return line(rng, b"delete", key(rng), *rng.choice(((), (), (b"0",), (b"1",))), *tail)
    if kind < 0.7:
        return line(rng, b"flush_all", *rng.choice(((), (number(rng),))), *tail)
    if kind < 0.75:
        return line(rng, b"verbosity", number(rng), *tail)
    if kind < 0.8:
        return line(rng, b"version")
    if kind < 0.85:  # numbers
        if rng.random() < 0.4:
            digits = [number(rng) if rng.random() < 0.4 else b"1" for _ in range(4)]
            return line(rng, b"cas", key(rng, 20), *digits, *tail)
        return line(rng, b"set", key(rng, 20), number(rng), number(rng), number(rng), *tail)
    if kind < 0.87:
        return line(rng, b"get", key(rng, 9), b"k" * rng.randint(251, 270), key(rng, 9))
    if kind < 0.875:
        command = rng.choice((b"gat", b"gats"))
        long = b"k" * rng.randint(251, 270)
        return line(rng, command, exptime(rng), *rng.choices((long, b"a", key(rng, 9)), k=3))
    if kind < 0.88:
        command = rng.choice((b"set", b"delete", b"touch", b"incr"))
        return line(rng, command, b"k" * rng.randint(251, 300), b"0", b"0", b"1", *tail)
    if kind < 0.9:
        return rng.choice((b"\r\n", b"\n", b" \r\n", b"\r\r\n", b"\0\n"))
    return line(rng, *(rng.choice(WORDS) for _ in range(rng.randint(1, 8))))


def header(
    opcode: int,
    key_len: int,
    extras_len: int,
    body_len: int,
    opaque: int,
    cas: int = 0,
    magic: int = 0x80,
) -> bytes:
    return struct.pack(
        ">BBHBBHIIQ", magic, opcode, key_len, extras_len, 0, 0, body_len, opaque, cas
    )


def binary(
    opcode: int,
    name: bytes = b"",
    extras: bytes = b"",
    data: bytes = b"",
    *,
    opaque: int = 0,
    cas: int = 0,
) -> bytes:
    body = extras + name + data
    return header(opcode, len(name), len(extras), len(body), opaque, cas) + body


def count_extras(rng: random.Random) -> bytes:
    """Of an INCR or DECR: delta, the number to start with, exptime."""
    numbers = (rng.choice((0, 1, 7, 2**63, 2**64 - 1, rng.getrandbits(64))) for _ in range(2))
    exptime = rng.choice((0, 1, 2592000, 2592001, 1800000000, 2**32 - 2, 2**32 - 1, 2**32 - 1))
    return struct.pack(">QQI", *numbers, exptime)


def binary_request(rng: random.Random) -> bytes:
    opaque = rng.getrandbits(32)
    cas = rng.choice((0, 0, 1, rng.getrandbits(64)))
    opcode = rng.choice(OPCODES)
    kind = rng.random()
    if kind < 0.85:
        if opcode in (0, 9, 12, 13):
            return binary(opcode, key(rng), opaque=opaque, cas=cas)
        if opcode in (1, 2, 3, 0x11, 0x12, 0x13):
            exptime = rng.choice((0, 1, 2592000, 2592001, 1800000000, 2**32 - 1))
            extras = struct.pack(">II", rng.choice((0, 5, 2**32 - 1)), exptime)
            return binary(opcode, key(rng), extras, value(rng), opaque=opaque, cas=cas)
        if opcode in (0x0E, 0x0F, 0x19, 0x1A):
            return binary(opcode, key(rng), b"", value(rng), opaque=opaque, cas=cas)
        if opcode in (0x1C, 0x1D, 0x1E, 0x23, 0x24):
            extras = struct.pack(">I", rng.choice((0, 1, 2592000, 2592001, 1800000000, 2**32 - 1)))
            return binary(opcode, key(rng), extras, opaque=opaque, cas=cas)
        if opcode in (5, 6, 0x15, 0x16):
            return binary(opcode, key(rng), count_extras(rng), opaque=opaque, cas=cas)
        if opcode in (4, 0x14):
            return binary(opcode, key(rng), opaque=opaque, cas=cas)
        if opcode in (8, 0x18):
            extras = rng.choice((b"", struct.pack(">I", rng.choice((0, 1, 60, 3000000, 2**31)))))
            return binary(opcode, b"", extras, opaque=opaque)
        return binary(opcode, opaque=opaque)
    if kind < 0.92:
        opcode = rng.randrange(256)
    extras = bytes(rng.randrange(256) for _ in range(rng.choice((0, 0, 4, 8, 8, 20))))
    return binary(
        opcode,
        key(rng, 20) if rng.random() < 0.6 else b"",
        extras,
        value(rng, 40) if rng.random() < 0.5 else b"",
        opaque=opaque,
        cas=cas,
    )


def dense_numbers(length: int = 1464) -> dict[str, bytes]:
    """As wirecache.traffic.dense makes them of the other commands: packets of touch, gat, incr
    and decr that keep the parser busy longest for their bytes."""

    def fill(begin: bytes, repeated: bytes, end: bytes = b"\n") -> bytes:
        return begin + repeated * ((length - len(begin) - len(end)) // len(repeated)) + end

    lines = {
        "touch a 0": b"touch a 0\n",
        "touch a -1": b"touch a -1\n",
        "gat 0": b"gat 0\n",
        "gat x": b"gat x\n",
        "gat 0 and a space": b"gat 0 \n",
        "gat x and a space": b"gat x \n",
        "gat 0 k": b"gat 0 k\n",
        "gat x k": b"gat x k\n",
        "gat -1 k": b"gat -1 k\n",
        "gat of a time of eleven digits": b"gat 00000000000 k\n",
        "incr cut short": b"incr a\n",
        "incr a 1": b"incr a 1\n",
        "decr a x": b"decr a x\n",
        "incr a 1 noreply": b"incr a 1 noreply\n",
        "incr by 17 digits": b"incr a 00000000000000001\n",
        "incr by a full number": b"incr a 18446744073709551615\n",
    }
    requests = {
        "touches": binary(0x1C, b"k", bytes(4)),
        "quiet gats": binary(0x1E, b"k", bytes(4)),
        "flushes with a delay": binary(8, b"", bytes(4)),
        "increments": binary(5, b"k", bytes(20)),
    }
    return {
        **{name: fill(b"", line) for name, line in lines.items()},
        "gat of one-letter keys": fill(b"gat 0", b" k"),
        "time of 1,400 digits": fill(b"gat ", b"0", b" k\n"),
        "delta of 1,400 digits": fill(b"incr k ", b"0"),
        **{name: request * (length // len(request)) for name, request in requests.items()},
    }


def mutate(rng: random.Random, packet: bytes) -> bytes:
    data = bytearray(packet)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data)) if data else 0
        kind = rng.random()
        if kind < 0.3 and data:
            meaning = rng.random() < 0.7
            data[at] = rng.choice(b"\r\n \0\x80gs0179") if meaning else rng.randrange(256)
        elif kind < 0.5 and data:
            del data[at : at + rng.randint(1, 9)]
        elif kind < 0.7:
            data[at:at] = bytes(rng.choice(b"\r\n \0\x80a1") for _ in range(rng.randint(1, 9)))
        elif kind < 0.85 and data:
            data[at] ^= 1 << rng.randrange(8)
        else:
            del data[at:]
    return bytes(data) or b"\n"


def packet(rng: random.Random, longest: int = 1400) -> bytes:
    kind = rng.random()
    if kind < 0.03:
        noise = bytes(rng.randrange(256) for _ in range(rng.randint(1, 100)))
        return noise if rng.random() < 0.5 else b"\x80" + noise
    make = binary_request if rng.random() < 0.4 else ascii_command
    data = b""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        data += make(rng)
    if rng.random() < 0.35:
        data = mutate(rng, data)
    return data[:longest] or b"\n"
