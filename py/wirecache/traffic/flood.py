# SPDX-License-Identifier: Apache-2.0
"""Floods: datagrams as dense as they can be with every shortest request, at full rate.

    for name, dense in flood.KINDS.items():
        data = dense(random.Random(seed), flood.LONGEST)

Those of KINDS only read, so that what is answered does not depend on what the board had to drop.
Those of WRITES change items of 40 keys, those of any one of which may be alone in a datagram.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from wirecache.model import binary
from wirecache.traffic.frames import MAX_PAYLOAD
from wirecache.traffic.requests import MAX_MESSAGE, binary_request

LONGEST = MAX_MESSAGE  # bytes of a datagram behind memcached's frame header
LONGEST_BARE = MAX_PAYLOAD  # of one without

Dense = Callable[[random.Random, int], bytes]

# What is shortest of each kind: lines that are no command, commands without what they need, and
# those that are served.
LINES = (
    *(b"\n", b"\r\n", b"x\n", b" \n", b"\0\n", b"\r\r\n"),
    *(b"get\n", b"get a\n", b"gets a\n", b"get a b\n", b"set\n", b"set a\n", b"delete\n"),
    *(b"version\n", b"verbosity 1\n", b"verbosity\n", b"flush_all x\n", b"set a 0 0 -1\n"),
    b"get k\n",
)
WRONG_SET = b"set a 0 0 9\nx\n"  # stores nothing when it is followed by another
BINARY = (
    *((code, b"") for code in (binary.GET, binary.GETQ, binary.NOOP, binary.VERSION)),
    *((code, b"k") for code in (binary.GET, binary.GETQ, binary.GETK, binary.GETKQ)),
    *((code, b"none") for code in (binary.GET, binary.GETQ, binary.GETK, binary.GETKQ)),
    *((0x55, b""), (binary.SET, b"k"), (binary.DELETE, b"")),
)


def _again(part: bytes, draw: random.Random, size: int) -> bytes:
    return (part * (size // len(part) + 1))[:size]


def _behind(first: bytes, part: bytes, draw: random.Random, size: int) -> bytes:
    return (first + _again(part, draw, size))[:size]


def _mixed(parts: tuple[bytes, ...], draw: random.Random, size: int) -> bytes:
    out = b""
    while len(out) < size:
        out += draw.choice(parts) * draw.choice((1, 1, 2, 50))
    return out[:size]


def _keys(command: bytes, draw: random.Random, size: int) -> bytes:
    """One command with as many keys as there is room for."""
    out = command
    while len(out) < size - 3:
        out += b" " + bytes([draw.choice(b"abk")])
    return out[: size - 1] + b"\n"


def _words(draw: random.Random, size: int) -> bytes:
    """Anything of which commands are made."""
    words = (b"get", b"gets", b"verbosity", b"delete", b"noreply", b"a", b"0", b"1", b"-1")
    ends = (b" ", b" ", b"\n", b"\r\n", b"\0", b"  ", b"\r")
    out = b""
    while len(out) < size:
        out += draw.choice(words) + draw.choice(ends)
    return out[:size]


def _noise(draw: random.Random, size: int) -> bytes:
    return bytes(draw.choices(b"\n\n\r \0gx\x80", k=size))


def _binary(draw: random.Random, size: int) -> bytes:
    """Requests that do not end their packet, and one that may."""
    out = b""
    while len(out) < size:
        code, key = draw.choice(BINARY if len(out) > size - 60 else BINARY[2:12])
        out += binary_request(code, key)
    return out[:size]


def _writes(line: bytes, draw: random.Random, size: int) -> bytes:
    """The line of any keys or, in one of three datagrams, of one alone."""
    keys = KEYS if draw.random() < 2 / 3 else [draw.choice(KEYS)]
    out = b""
    while len(out) < size:
        out += line % draw.choice(keys)
    return out[:size]


KEYS = [b"%c" % letter for letter in b"abcdefghijlmnopqrstuvwxyzABCDEFGHIJLMNOPQRS"][:40]  # not k
WRITES: dict[str, Dense] = {
    f"{line!r}": partial(_writes, line)
    for line in (
        *(b"ms %b 0 q\n\r\n", b"ms %b 0 E1 q\n\r\n", b"ms %b 1 MA E3 q\nx\r\n"),
        *(b"ms %b 1 C7 E8 q\nx\r\n", b"ms %b 0 I C4\n\r\n"),
        *(b"md %b I q\n", b"md %b I E5 q\n", b"md %b I T9 E5\n", b"md %b x E2 q\n", b"md %b q\n"),
        *(b"mg %b N0 E9 q\n", b"mg %b T0 q\n", b"mg %b t l h c\n", b"ma %b N0 E7 q\n"),
        *(b"ma %b D1 q\n", b"touch %b 0 noreply\n", b"incr %b 1 noreply\n"),
        *(b"set %b 0 0 1 noreply\n1\r\n", b"delete %b noreply\n", b"gat 0 %b\n"),
    )
}
KINDS: dict[str, Dense] = {
    **{f"{line!r}": partial(_again, line) for line in (*LINES, WRONG_SET)},
    **{f"'get a', {end!r}": partial(_behind, b"get a\n", end) for end in (b"\n", b"\r\n")},
    **{f"binary {code:#04x}, {key!r}": partial(_again, binary_request(code, key))
       for code, key in BINARY},
    "blanks": partial(_behind, b"get", b" "),
    "keys": partial(_keys, b"get"),
    "keys, cas": partial(_keys, b"gets"),
    "lines": partial(_mixed, LINES),
    "words": _words,
    "noise": _noise,
    "binary": _binary,
}  # fmt: skip
