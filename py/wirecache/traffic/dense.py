# SPDX-License-Identifier: Apache-2.0
"""Packets that keep a request parser busy longest for their bytes, one of every kind."""

from __future__ import annotations

from wirecache.model import binary
from wirecache.traffic.requests import MAX_MESSAGE, binary_request, binary_set

_UNKNOWN = 0x77  # no opcode


def packets(length: int = MAX_MESSAGE) -> dict[str, bytes]:
    """A packet of nearly `length` bytes of each kind, by its name."""

    def fill(begin: bytes, repeated: bytes, end: bytes = b"\n") -> bytes:
        return begin + repeated * ((length - len(begin) - len(end)) // len(repeated)) + end

    def many(request: bytes) -> bytes:
        return request * (length // len(request))

    return {
        # separators
        "get and spaces": fill(b"get", b" "),
        "spaces alone": fill(b"", b" "),
        "get a and NULs": fill(b"get a", b"\0"),
        "spaces between keys": fill(b"get", b" " * 15 + b"k"),
        "a space and a NUL by turns": fill(b"get", b" \0"),
        # tokens
        "one-letter keys": fill(b"get", b" k"),
        "words of no command": fill(b"x", b" k"),
        # lines
        "line ends": fill(b"", b"\n"),
        "CR LF": fill(b"", b"\r\n"),
        "one-letter lines": fill(b"", b"x\n"),
        "get without a key": fill(b"", b"get\n"),
        "get a": fill(b"", b"get a\n"),
        "delete a": fill(b"", b"delete a\n"),
        "set cut short": fill(b"", b"set\n"),
        "set a": fill(b"", b"set a\n"),
        "set of no byte": fill(b"", b"set a 0 0 0\n\r\n"),
        "set of one byte": fill(b"", b"set a 0 0 1\nx\r\n"),
        "cas of no byte": fill(b"", b"cas a 0 0 0 1\n\r\n"),
        "version": fill(b"", b"version\n"),
        "flush_all": fill(b"", b"flush_all\n"),
        "verbosity 1": fill(b"", b"verbosity 1\n"),
        # meta commands
        "mn": fill(b"", b"mn\n"),
        "mg k": fill(b"", b"mg k\n"),
        "mg k v": fill(b"", b"mg k v\n"),
        "mg k O": fill(b"", b"mg k O\n"),
        "mg k T0": fill(b"", b"mg k T0\n"),
        "mg k N0": fill(b"", b"mg k N0\n"),
        "mg k Nx": fill(b"", b"mg k Nx\n"),
        "mg k Tx": fill(b"", b"mg k Tx\n"),
        "mg k and all numbers": fill(b"", b"mg k T1 R1 C1 F1\n"),
        "mg k, N and all numbers": fill(b"", b"mg k N1 R1 C1 F1\n"),
        "mg k and no numbers": fill(b"", b"mg k T R C F\n"),
        "mg k b and no numbers": fill(b"", b"mg k b T R C F\n"),
        "mg k and 300 flags": fill(b"", b"mg k" + b" k" * 300 + b"\n"),
        "mg k and all flags": fill(b"", b"mg k k O1 s t c f v q T0\n"),
        "mg k and 700 times v": fill(b"mg k", b" v"),
        "mg k O of 31 bytes": fill(b"", b"mg k O" + b"o" * 31 + b"\n"),
        "md k q": fill(b"", b"md k q\n"),
        "mg k b": fill(b"", b"mg k b\n"),
        "mg and a key of one byte in base64": fill(b"", b"mg AA== b\n"),
        "mg and N, and a key of one byte in base64": fill(b"", b"mg AA== b N0\n"),
        "mg and a key of 186 bytes in base64": fill(b"", b"mg " + b"AAAA" * 62 + b" b\n"),
        "ms and a key of one byte in base64": fill(b"", b"ms AA== 0 b\n\r\n"),
        "ma k b and no numbers": fill(b"", b"ma k b D J C N T\n"),
        "ma k": fill(b"", b"ma k\n"),
        "ma k and all numbers": fill(b"", b"ma k D1 J1 C1 N1 T1\n"),
        "ma k and no numbers": fill(b"", b"ma k D J C N T\n"),
        "ma k and 700 times D": fill(b"ma k", b" D"),
        "ma k D of 20 digits": fill(b"", b"ma k D18446744073709551615\n"),
        "ms k and no more": fill(b"", b"ms k\n"),
        "ms k 0": fill(b"", b"ms k 0\n\r\n"),
        "ms k 1": fill(b"", b"ms k 1\nx\r\n"),
        "ms k 1 T0 F1": fill(b"", b"ms k 1 T0 F1\nx\r\n"),
        "ms k 1 C of 20 digits": fill(b"", b"ms k 1 C18446744073709551615\nx\r\n"),
        "ms k 1 Z": fill(b"", b"ms k 1 Z\nx\r\n"),
        # numbers
        "flush_all with a sign": fill(b"", b"flush_all -1\n"),
        "flags with a sign": fill(b"", b"set a +1 0 0\n\r\n"),
        "length with leading zeros": fill(b"", b"set a 0 0 00000\n\r\n"),
        "cas of a full number": fill(b"", b"cas a 0 0 0 12345678901234567890\n\r\n"),
        "cas with leading zeros": fill(b"", b"cas a 0 0 0 00000000000000000\n\r\n"),
        "flags of 1,400 digits": fill(b"set a ", b"0", b" 0 0\n\r\n"),
        "length of 1,400 digits": fill(b"set a 0 0 ", b"0", b"\n\r\n"),
        "CAS number of 1,400 digits": fill(b"cas a 0 0 0 ", b"0", b"\n\r\n"),
        # binary
        "no-ops": many(binary_request(binary.NOOP)),
        "versions": many(binary_request(binary.VERSION)),
        "loud gets": many(binary_request(binary.GET, b"k")),
        "quiet gets": many(binary_request(binary.GETQ, b"k")),
        "loud sets of no byte": many(binary_set(b"k", b"")),
        "quiet sets of no byte": many(binary_set(b"k", b"", quiet=True)),
        "unknown ones": many(binary_request(_UNKNOWN)),
        "unknown ones with a body": many(binary_request(_UNKNOWN, b"x")),
    }
