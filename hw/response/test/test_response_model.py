# SPDX-License-Identifier: Apache-2.0
"""Holds response_model.py against a real memcached: the same operations, the same bytes."""

from __future__ import annotations

import shutil
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest
from response_model import (
    APPEND,
    DECR,
    DELETE,
    FLUSH,
    FOREVER,
    GAT,
    GATK,
    GET,
    GETK,
    INCR,
    NOOP,
    OP,
    OPAQUE_BYTES,
    PREPEND,
    QUIET_OF,
    SAY,
    SET,
    SHOWN_BY,
    STATUS,
    TOUCH,
    VERSION,
    Item,
    answer,
)

OPAQUE = b"\xde\xad\xbe\xef"
EXTRAS = struct.pack(">II", 0x12345678, 0)

pytestmark = pytest.mark.skipif(shutil.which("memcached") is None, reason="no memcached here")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number = probe.getsockname()[1]
    server = subprocess.Popen(
        ["memcached", "-u", "nobody", "-l", "127.0.0.1", "-p", str(number), "-U", str(number)]
    )
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", number)).close()
                break
            except OSError:
                time.sleep(0.05)
        yield number
    finally:
        server.terminate()
        server.wait()


def ask(port: int, request: bytes, length: int) -> bytes:
    """What comes back, and that nothing more does: the NOOP or verbosity behind it is next."""
    binary = request[0] == 0x80
    end = binary_request(NOOP, opaque=b"end!") if binary else b"verbosity 1\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=5) as peer:
        peer.sendall(request + end)
        marker = struct.pack(">BBHBBHI4sQ", 0x81, NOOP, 0, 0, 0, 0, 0, b"end!", 0)
        expected_end = marker if binary else b"OK\r\n"
        got = b""
        while len(got) < length + len(expected_end):
            part = peer.recv(65536)
            if not part:  # memcached closes after invalid arguments
                return got
            got += part
    assert got.endswith(expected_end), got
    return got[: -len(expected_end)]


def ask_udp(port: int, request: bytes, length: int) -> bytes:
    """The same over UDP, with memcached's frame header, its datagrams joined."""
    got = b""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
        peer.settimeout(5)
        peer.sendto(b"\x12\x34\0\0\0\1\0\0" + request, ("127.0.0.1", port))
        while len(got) < length:
            part = peer.recv(65536)
            assert part[:2] == b"\x12\x34"
            got += part[8:]
    return got


def binary_request(
    opcode: int,
    key: bytes = b"",
    extras: bytes = b"",
    value: bytes = b"",
    opaque: bytes = OPAQUE,
    cas: int = 0,
) -> bytes:
    total = len(extras) + len(key) + len(value)
    head = struct.pack(">BBHBBHI", 0x80, opcode, len(key), len(extras), 0, 0, total)
    return head + opaque + cas.to_bytes(8, "big") + extras + key + value


def agree(port: int, request: bytes, items: list[Item], udp: bool = False) -> None:
    want = b"".join(answer(item, b"1.6.18") for item in items)
    assert (ask_udp if udp else ask)(port, request, len(want)) == want


def cas_of(port: int, key: bytes) -> int:
    """The CAS value of an item, by a binary GET."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as peer:
        peer.sendall(binary_request(GET, key))
        return int.from_bytes(peer.recv(65536)[16:24], "big")


@pytest.mark.parametrize("udp", [False, True])
def test_ascii(port: int, udp: bool) -> None:
    def same(request: bytes, *items: Item) -> None:
        agree(port, request, list(items), udp)

    value = bytes(range(256))
    same(b"set key 4294967295 0 256\r\n" + value + b"\r\n", Item(OP.OpSet))
    same(b"set empty 0 0 0\r\n\r\n", Item(OP.OpSet))
    hit: dict[str, Any] = {"key": b"key", "value": value, "flags": 4294967295}
    same(b"get key\r\n", Item(OP.OpGet, cmd_last=True, **hit))
    cas = cas_of(port, b"key")
    same(b"gets key\r\n", Item(OP.OpGet, cmd_last=True, with_cas=True, cas=cas, **hit))
    same(b"get none\r\n", Item(OP.OpGet, STATUS.StNotFound, cmd_last=True))
    if not udp:  # over UDP memcached sends each item of a multi-get on its own
        same(
            b"get none key empty key none\r\n",
            Item(OP.OpGet, STATUS.StNotFound),
            Item(OP.OpGet, **hit),
            Item(OP.OpGet, key=b"empty"),
            Item(OP.OpGet, **hit),
            Item(OP.OpGet, STATUS.StNotFound, cmd_last=True),
        )
    same(b"touch key 0\r\n", Item(OP.OpTouch))
    same(b"touch none 0\r\n", Item(OP.OpTouch, STATUS.StNotFound))
    same(b"touch key 0 noreply\r\n", Item(OP.OpTouch, quiet=True))
    same(b"gat 0 key\r\n", Item(OP.OpGat, cmd_last=True, **hit))
    same(b"gats 0 key\r\n", Item(OP.OpGat, cmd_last=True, with_cas=True, cas=cas, **hit))
    same(b"gat 0 none\r\n", Item(OP.OpGat, STATUS.StNotFound, cmd_last=True))
    same(b"gat 0\r\n", Item(OP.OpNone, say=SAY.SayEnd))
    same(b"incr none 1\r\n", Item(OP.OpIncr, STATUS.StNotFound))
    same(b"incr key 1\r\n", Item(OP.OpIncr, STATUS.StNotNumber))
    same(b"incr key x\r\n", Item(OP.OpIncr, STATUS.StBadDelta))
    same(b"set count 0 0 1\r\n9\r\n", Item(OP.OpSet))
    same(b"incr count 6\r\n", Item(OP.OpIncr, cas=15))
    same(b"incr count 1 noreply\r\n", Item(OP.OpIncr, cas=16, quiet=True))
    same(b"decr count 99\r\n", Item(OP.OpDecr, cas=0))
    same(b"incr count %d\r\n" % (2**64 - 1), Item(OP.OpIncr, cas=2**64 - 1))
    for name, kind in ((b"append", OP.OpAppend), (b"prepend", OP.OpPrepend)):
        same(name + b" key 0 0 1\r\nx\r\n", Item(kind))
        same(name + b" key 0 0 1 noreply\r\nx\r\n", Item(kind, quiet=True))
        same(name + b" none 0 0 1\r\nx\r\n", Item(kind, STATUS.StNotStored))
    same(b"delete empty\r\n", Item(OP.OpDelete))
    same(b"delete empty\r\n", Item(OP.OpDelete, STATUS.StNotFound))
    same(b"flush_all\r\n", Item(OP.OpFlush))
    same(b"version\r\n", Item(OP.OpNone, say=SAY.SayVersion))
    same(b"verbosity 1\r\n", Item(OP.OpNone, say=SAY.SayOk))
    same(b"nonsense\r\n", Item(OP.OpNone, STATUS.StUnknown))
    same(b"set key 0 0 abc\r\n", Item(OP.OpNone, STATUS.StBadFormat))
    same(b"delete key 5\r\n", Item(OP.OpNone, STATUS.StBadDelete))
    same(b"flush_all abc\r\n", Item(OP.OpNone, STATUS.StBadTime))


def test_meta(port: int) -> None:
    def same(
        request: bytes, op: int, status: int = STATUS.StOk, shows: str = "", **fields: Any
    ) -> None:
        kinds = tuple(SHOWN_BY[letter] for letter in shows)
        fields = {"key": b"key", "name": b"name", "with_key": True, "ttl": FOREVER, **fields}
        agree(port, request + b"\r\n", [Item(op, status, meta=True, shows=kinds, **fields)])

    missing, exists = STATUS.StNotFound, STATUS.StExists
    long = bytes(range(65, 65 + OPAQUE_BYTES))
    same(b"mn", OP.OpNone, say=SAY.SayOk)
    same(b"mg none", OP.OpLook, missing)
    same(b"mg none v T9", OP.OpGat, missing)
    same(b"mg none k f O%s s t c v" % long, OP.OpGet, missing, "kfOstc", key=b"none", name=long)
    same(b"mg none T9 Oname k", OP.OpTouch, missing, "Ok", key=b"none")
    same(b"md none Oname k", OP.OpDelete, missing, "Ok", key=b"none")
    same(b"md none q k", OP.OpDelete, missing, "k", key=b"none", quiet=True)
    same(b"ms none 2 MR k O\r\nab", OP.OpReplace, missing, "kO", key=b"none", name=b"")
    same(b"ms none 2 C1 k\r\nab", OP.OpSet, missing, "k", key=b"none")
    for mode, op in ((b"A", OP.OpAppend), (b"P", OP.OpPrepend)):
        same(b"ms none 2 q M%s Oname\r\nab" % mode, op, STATUS.StNotStored, "O", quiet=True)
    for request in (b"mg none v k Oname", b"mg none", b"mg none T9", b"mg none v T9"):
        op = OP.OpGet if b"v" in request else OP.OpLook
        same(request + b" q", op, missing, quiet=True)
    same(b"ms key 2 F4294967295 T0 k Oname\r\nab", OP.OpSet, shows="kO")
    same(b"ms key 2 q\r\nab", OP.OpSet, quiet=True)
    same(b"ms key 2 ME q k\r\nab", OP.OpAdd, exists, "k", quiet=True)
    same(b"ms key 2 C1 q Oname k\r\nab", OP.OpSet, exists, "Ok", quiet=True)
    same(b"md key C1 q k", OP.OpDelete, exists, "k", quiet=True)
    same(b"ms key 3 F7 T300\r\nabc", OP.OpSet)
    item: dict[str, Any] = {"value": b"abc", "flags": 7, "cas": cas_of(port, b"key"), "ttl": 300}
    same(b"mg key", OP.OpLook, **item)
    same(b"mg key v", OP.OpGet, **item)
    same(b"mg key q v", OP.OpGet, quiet=True, **item)
    same(b"mg key q", OP.OpLook, quiet=True, **item)
    same(b"mg key c k O%s f s" % long, OP.OpLook, shows="ckOfs", **item | {"name": long})
    item["ttl"] = 70
    same(b"mg key T70 v s Oname c t k f", OP.OpGat, shows="sOctkf", **item)
    same(b"mg key T70 t", OP.OpTouch, shows="t", **item)
    same(b"mg key T70 t v k", OP.OpGat, shows="tk", **item)
    item["ttl"] = FOREVER
    same(b"mg key T0 q f t v", OP.OpGat, shows="ft", quiet=True, **item)
    same(b"mg key h s", OP.OpLook, shows="hsW", fetched=True, **item)
    same(b"mg new N0 k l s", OP.OpLook, shows="klsW", key=b"new", wins=True)
    for request, stale, won in ((b"mg key k", True, False), (b"mg key k", True, True)):
        same(b"md key I k", OP.OpDelete, shows="k") if not won else None
        marks = {"stale": stale, "won": won, "wins": not won}
        same(request, OP.OpLook, shows="kW", **item | marks)
    same(b"md key k Oname", OP.OpDelete, shows="kO")
    encoded: dict[str, Any] = {"encoded": True, "key": b"ab"}
    same(b"mg YWI= v k b Oname", OP.OpGet, missing, "kO", **encoded)
    same(b"ms YWI= 2 b k Oname\r\nab", OP.OpSet, shows="kO", **encoded)
    same(b"mg ab s k v Oname", OP.OpGet, shows="skO", value=b"ab", **encoded)
    same(b"md YWI= Oname b k", OP.OpDelete, shows="Ok", **encoded)
    same(b"ma none q v c t k Oname", OP.OpIncr, missing, "ctkOv", key=b"none", quiet=True)
    same(b"ma key N0 J9 v t k f s", OP.OpIncr, shows="tkv", pointer=9)
    same(b"ma key", OP.OpIncr)
    same(b"ma key q v", OP.OpIncr, shows="v", quiet=True)
    cas = cas_of(port, b"key")
    same(b"ma key MD D2 v T70 t c", OP.OpDecr, shows="tcv", pointer=9, cas=cas + 1, ttl=70)
    same(b"ma key D4294967296 v", OP.OpIncr, shows="v", flags=1, pointer=9)
    same(b"ma key C1 c t k", OP.OpIncr, exists, "ctk")
    same(b"ms key 1\r\nx", OP.OpSet)
    same(b"ma key k", OP.OpIncr, STATUS.StNotNumber, "k")
    for request, status in (
        (b"mg key v v", "DuplicateFlag"),
        (b"mg key Z", "InvalidFlag"),
        (b"mg key O%s_ q" % long, "LongOpaque"),
        (b"mg key Tx", "BadToken"),
        (b"mg key b", "Undecoded"),
        (b"ms key 2 Mset\r\nab", "BadModeLength"),
        (b"ms key 2 Mx\r\nab", "BadMode"),
        (b"ma key Mx", "BadArithmeticMode"),
        (b"ma key Dx", "BadFlag"),
        (b"mg", "Unknown"),
        (b"ms key 2 Fx\r\nab", "BadFormat"),
    ):
        same(request, OP.OpNone, STATUS[f"St{status}"], "kO")


def test_ascii_errors_of_a_value(port: int) -> None:
    chunk = Item(OP.OpNone, STATUS.StBadChunk)
    unknown = Item(OP.OpNone, STATUS.StUnknown)
    agree(port, b"set key 0 0 1\r\nabc\r\n", [chunk, unknown])
    agree(port, b"set key 0 0 1 noreply\r\nabc\r\n", [unknown])
    large = b"x" * 2_000_000
    refused = Item(OP.OpRefuse, STATUS.StTooLarge, key=b"key")
    agree(port, b"set key 0 0 2000000\r\n" + large + b"\r\n", [refused])
    agree(port, b"set key 0 0 2000000 noreply\r\n" + large + b"\r\n", [])


@pytest.mark.parametrize("quiet", [False, True])
def test_binary(port: int, quiet: bool) -> None:
    def same(
        opcode: int,
        item: Item,
        key: bytes = b"",
        extras: bytes = b"",
        value: bytes = b"",
        cas: int = 0,
    ) -> None:
        item.binary, item.quiet, item.opaque = True, quiet, OPAQUE
        item.opcode = QUIET_OF.get(opcode, opcode) if quiet else opcode
        agree(port, binary_request(item.opcode, key, extras, value, cas=cas), [item])

    def stored(key: bytes, value: bytes) -> int:
        ask(port, binary_request(QUIET_OF[SET], key, EXTRAS, value), 0)
        return cas_of(port, key)

    def counted(op: int, number: int, cas: int) -> Item:
        return Item(op, flags=number >> 32, pointer=number & 0xFFFFFFFF, cas=cas)

    cas = stored(b"key", b"value")
    hit: dict[str, Any] = {"key": b"key", "value": b"value", "flags": 0x12345678, "cas": cas}
    miss: dict[str, Any] = {"key": b"none", "status": STATUS.StNotFound}
    same(GET, Item(OP.OpGet, **hit), b"key")
    same(GETK, Item(OP.OpGet, with_key=True, **hit), b"key")
    same(GET, Item(OP.OpGet, **miss), b"none")
    same(GETK, Item(OP.OpGet, with_key=True, **miss), b"none")
    expiry = bytes(4)
    same(GAT, Item(OP.OpGat, **hit), b"key", expiry)
    same(GATK, Item(OP.OpGat, with_key=True, **hit), b"key", expiry)
    same(GAT, Item(OP.OpGat, **miss), b"none", expiry)
    same(GATK, Item(OP.OpGat, with_key=True, **miss), b"none", expiry)
    if not quiet:
        same(TOUCH, Item(OP.OpTouch, key=b"key", flags=0x12345678, cas=cas), b"key", expiry)
        same(TOUCH, Item(OP.OpTouch, **miss), b"none", expiry)
    same(SET, Item(OP.OpSet, cas=cas + 1), b"key", EXTRAS, b"other")
    same(SET, Item(OP.OpSet, STATUS.StExists), b"key", EXTRAS, b"v", cas=99999)
    same(SET, Item(OP.OpSet, STATUS.StNotFound), b"none", EXTRAS, b"v", cas=99999)
    same(SET, Item(OP.OpNone, STATUS.StTooLarge), b"key", EXTRAS, bytes(1_100_000))
    same(SET, Item(OP.OpNone, STATUS.StBadFormat), b"key", b"", b"v")
    stored(b"key", b"value")
    by = struct.pack(">QQI", 6, 0, 0xFFFFFFFF)
    same(INCR, Item(OP.OpIncr, STATUS.StNotNumber), b"key", by)
    same(INCR, Item(OP.OpIncr, STATUS.StNotFound), b"none", by)
    same(INCR, Item(OP.OpNone, STATUS.StBadFormat), b"key")
    cas = stored(b"count", b"18446744073709551609")
    same(INCR, Item(OP.OpIncr, STATUS.StExists), b"count", by, cas=99999)
    same(INCR, counted(OP.OpIncr, 2**64 - 1, cas + 1), b"count", by)
    same(DECR, counted(OP.OpDecr, 2**64 - 7, cas + 2), b"count", by)
    cas = stored(b"key", b"value")
    same(APPEND, Item(OP.OpAppend, cas=cas + 1), b"key", b"", b"other")
    same(PREPEND, Item(OP.OpPrepend, cas=cas + 2), b"key", b"", b"other")
    for opcode, kind in ((APPEND, OP.OpAppend), (PREPEND, OP.OpPrepend)):
        same(opcode, Item(kind, STATUS.StExists), b"key", b"", b"v", cas=99999)
        same(opcode, Item(kind, STATUS.StNotStored), b"none", b"", b"v")
        same(opcode, Item(kind, STATUS.StNotStored), b"none", b"", b"v", cas=99999)
        same(opcode, Item(OP.OpNone, STATUS.StBadFormat), b"key", bytes(8), b"v")
    same(DELETE, Item(OP.OpDelete, STATUS.StExists), b"key", cas=99999)
    same(DELETE, Item(OP.OpDelete), b"key")
    same(DELETE, Item(OP.OpDelete, STATUS.StNotFound), b"key")
    same(FLUSH, Item(OP.OpFlush))
    if not quiet:
        same(NOOP, Item(OP.OpNone, say=SAY.SayOk))
        same(VERSION, Item(OP.OpNone, say=SAY.SayVersion))
        same(0x7F, Item(OP.OpNone, STATUS.StUnknown))
