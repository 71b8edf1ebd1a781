# SPDX-License-Identifier: Apache-2.0
"""The reference model answers as memcached does, byte for byte, CAS values included."""

import itertools
import random
import re
import struct
import time
from base64 import b64encode

import pytest
from wirecache.model import binary as opcodes
from wirecache.model import protocol
from wirecache.model.index import Index
from wirecache.model.item import ItemIndex
from wirecache.model.table import Table
from wirecache.oracle.memcached import Memcached
from wirecache.traffic.requests import (
    MAX_MESSAGE,
    Message,
    Mix,
    Traffic,
    ascii_set,
    binary_request,
    binary_set,
)

LONG = b"k" * 251
NOOP = binary_request(opcodes.NOOP, opaque=1)


class Pair:
    """memcached and the model, asked the same."""

    def __init__(self, memcached: Memcached, table: Index | None = None) -> None:
        self.memcached = memcached
        self.table = table if table is not None else Table(whole=True)
        self.table.time = int(time.time())

    def ask(self, message: Message, udp: bool = False) -> bytes:
        self.table.time = int(time.time())
        theirs = self.memcached.ask_udp(message) if udp else self.memcached.ask(message)
        ours = protocol.answer(message.data, self.table, self.memcached.version)
        assert ours == theirs, f"different answers to {message.data!r}"
        return theirs

    def cas_of(self, key: bytes) -> int | None:
        item = self.table.peek(key)
        return None if item is None else item.cas


@pytest.fixture
def pair(memcached: Memcached) -> Pair:
    return Pair(memcached)


def run(pair: Pair, traffic: Traffic, messages: int, udp: bool = False) -> None:
    operations = sum(
        message.operations
        for message in traffic.messages(messages)
        if pair.ask(message, udp) is not None
    )
    counters = pair.table.counters
    print(f"{operations} operations: {dict(counters)}")
    assert counters["get_hit"] > messages // 10, "a stream that hits nothing shows little"
    assert counters["set"] and counters["del_hit"]


@pytest.mark.parametrize("binary", [0.0, 0.5, 1.0], ids=["ascii", "mixed", "binary"])
def test_random_streams_over_tcp(pair: Pair, seed: int, binary: float) -> None:
    mix = Mix(binary=binary, listed=False, flushes=0.002)
    run(pair, Traffic(seed, mix, pair.cas_of), 5000)


def test_random_streams_with_the_item_index(memcached: Memcached, seed: int) -> None:
    """What an operation means does not depend on where items stand."""
    pair = Pair(memcached, ItemIndex(1 << 24))
    run(pair, Traffic(seed, Mix(listed=False, flushes=0.002), pair.cas_of), 5000)


def test_error_streams_over_tcp(pair: Pair, seed: int) -> None:
    run(pair, Traffic(seed, Mix(errors=0.5, keys=40, listed=False), pair.cas_of), 4000)


def test_random_streams_over_udp(pair: Pair, seed: int) -> None:
    """One command a datagram: memcached loses answers over UDP when there are more."""
    mix = Mix(listed=False, quiet=False, quits=0.0, errors=0.01, commands=1)
    run(pair, Traffic(seed, mix, pair.cas_of), 4000, udp=True)


@pytest.mark.full
def test_long_streams_over_tcp(pair: Pair, seed: int) -> None:
    run(pair, Traffic(seed, Mix(listed=False), pair.cas_of), 100_000)


ODD_LINES = [
    *(b"", b" ", b"a", b"\r", b"\0", b"\0version", b"version\0x", b"get a\0b", b"get a\rb"),
    *(b"VERSION", b"versio", b"versionx", b"version x", b" version ", b"version\r"),
    *(b"verbosity", b"verbosity 1", b"verbosity noreply", b"verbosity 0 x", b"verbosity 0 x y"),
    *(b"verbosity -1", b"verbosity x noreply", b"verbosity 0 0 noreply"),
    *(
        b"get",
        b"get ",
        b"gets",
        b"bget",
        b"bget a a",
        b"bgets a",
        b"getx a",
        b"ge a",
        b"g a",
        b"get\ta",
        b"get noreply",
    ),
    *(b"get " + LONG, b"get a b " + LONG, b"get a " + b"x " * 30 + LONG + b" a"),
    b"get " + b"a " * 600,
    *(b"set", b"set a", b"set a 0", b"set a 0 0", b"set a 0 0 noreply", b"set a 0 0 1 2 3"),
    *(b"cas", b"cas a 0 0 1", b"cas a 0 0 noreply 1", b"cas a 0 0 1 2 3 4", b"cas a 0 0 1 x"),
    *(b"cas a x 0 1 1", b"cas a 0 0 1 -1 noreply", b"cas " + LONG + b" 0 0 1 1"),
    *(b"delete", b"delete noreply", b"delete a 0", b"delete a 00", b"delete a 1"),
    *(b"delete a noreply", b"delete a 0 noreply", b"delete a 1 noreply", b"delete a 0 0"),
    *(b"delete a noreply noreply", b"delete a b c noreply", b"delete " + LONG),
    *(b"delete " + LONG + b" x", b"delete " + LONG + b" noreply"),
    *(b"flush_all", b"flush_all 0", b"flush_all -1", b"flush_all +0", b"flush_all x"),
    *(b"flush_all noreply", b"flush_all 0 noreply", b"flush_all noreply 0", b"flush_all 0 x"),
    *(b"flush_all x noreply", b"flush_all 0 0 noreply", b"flush_all noreply noreply"),
    *(b"flush_all 4294967296", b"flush_all 99999999999999999999"),
    *(b"quit", b"quit x", b"quit noreply", b"quitx"),
]


@pytest.mark.parametrize("end", [b"\r\n", b"\n"], ids=["crlf", "lf"])
def test_odd_lines(pair: Pair, end: bytes) -> None:
    for line in ODD_LINES:
        pair.ask(Message(ascii_set(b"a", b"1"), 1))
        pair.ask(Message(line + end + b"gets a" + end, 2))


def test_odd_sets(pair: Pair) -> None:
    for head in (b"a 0 0 3", b"a 0 0 3 noreply", b"a 0 0 3 x", LONG + b" 0 0 3", b" a  0 0 3 "):
        for data in (b"abc\r\n", b"abcd\r\n", b"abcdefg\r\n", b"abc\n\r\n", b"ab\r\n\r\n"):
            message = b"set " + head + b"\r\n" + data + b"\r\nversion\r\ngets a\r\n"
            pair.ask(Message(message, 3))


LARGE = bytes(1 << 20)


def test_values_that_are_too_large(pair: Pair) -> None:
    """A SET takes away the item that is there, whatever its CAS number; nothing else does."""
    refused = [
        *(ascii_set(b"a", LARGE, name=name) for name in (b"set", b"add", b"replace")),
        *(ascii_set(b"a", LARGE, noreply=True), ascii_set(b"a", LARGE, cas=1)),
        *(
            binary_request(opcode, b"a", bytes(8), LARGE, cas=cas)
            for opcode in (opcodes.SET, opcodes.SETQ, opcodes.ADD, opcodes.REPLACE)
            for cas in (0, 99)
        ),
    ]
    gone = 0
    for message in refused:
        pair.ask(Message(ascii_set(b"a", b"1"), 1))
        pair.ask(Message(message, 1))
        gone += pair.ask(Message(b"gets a\r\n", 1)) == b"END\r\n"
    assert gone == 6


def number(draw: random.Random) -> bytes:
    """What could be a number."""
    magnitude = draw.choice(
        (draw.randint(0, 9), draw.randint(0, 2**33), draw.randint(2**62, 2**65), 2**31, 2**63)
    ) + draw.randint(-2, 2)
    text = b"%d" % magnitude
    sign = draw.choice((b"", b"", b"+", b"-", b"--", b"\t", b"\v-", b"0" * draw.randint(1, 30)))
    return sign + text + draw.choice((b"", b"", b"x", b"\t", b"\f1", b"-", b"\r", b".0"))


def soon(exptime: bytes) -> bool:
    """Is the time to come within a minute? Whether it has come when memcached looks is a race."""
    read = re.match(rb"\s*[+-]?\d+", exptime)
    return read is not None and 0 < int(read[0]) % (1 << 32) < 60  # the low 32 bits count


def test_odd_numbers(pair: Pair, seed: int) -> None:
    """Flags, times and verbosity as C's strtoul and strtol read them."""
    draw = random.Random(seed)
    for _ in range(2000):
        flags, exptime, level = number(draw), number(draw), number(draw)
        while soon(exptime):
            exptime = number(draw)
        pair.ask(Message(b"set a " + flags + b" 0 1\r\n1\r\nget a\r\n", 2))
        # an absolute time that is neither long past nor long to come would make this a race
        pair.ask(Message(b"set b 0 " + exptime + b" 1\r\n1\r\nget b\r\n", 2))
        pair.ask(Message(b"verbosity " + level + b"\r\n", 1))
        pair.ask(Message(b"cas a 0 0 1 " + number(draw) + b"\r\n2\r\ngets a\r\n", 2))
    lengths = (b"+1", b"-0", b"1\t", b"01", b"\t1", b"4294967297", b"-4294967295", b"2147483646")
    for length in (*lengths, b"2147483647", b"2147483648", b"-1", b"1x", b"0x1", b"1-"):
        pair.ask(Message(b"set c 0 0 " + length + b"\r\n1\r\nget c\r\nversion\r\n", 3))


VALUES = [
    *(b"0", b"9", b"99", b"10", b"18446744073709551615", b"9223372036854775808", b"", b" ", b"abc"),
    *(b" 12 ", b"\t7", b"+5", b"-0", b"-1", b"-18446744073709551615", b"12 x", b"12x", b"00000009"),
    *(b"9\0x", b"9\0-", b"9223372036854775808\0-", b"9223372036854775808 -", b"\0009"),
    *(b"18446744073709551616", b"9" * 24, b"0" * 23 + b"7", b" " * 20 + b"5", b"5" + b" " * 23),
]


def test_values_that_are_counted(pair: Pair) -> None:
    """Each value under a key of its own, in memory that memcached has not used before: from 2**63
    on it looks for a minus sign behind the value, too."""
    deltas = (1, 0, 10, 2**63, 2**64 - 1)
    for number, value in enumerate(VALUES):
        for binary in (False, True):
            for down in (False, True):
                for delta in deltas:
                    key = b"%d-%d-%d-%d" % (number, binary, down, delta)
                    pair.ask(Message(ascii_set(key, value, flags=7), 1))
                    if binary:
                        extras = struct.pack(">QQI", delta, 5, 0)
                        opcode = opcodes.DECR if down else opcodes.INCR
                        for cas in (1, 0, 0):
                            pair.ask(Message(binary_request(opcode, key, extras, cas=cas), 1))
                    else:
                        line = b"%b %b %d\r\n" % (b"decr" if down else b"incr", key, delta)
                        pair.ask(Message(line, 1))
                        pair.ask(Message(line + line, 2))
                    pair.ask(Message(b"gets %b\r\n" % key, 1))


def joined(key: bytes, value: bytes, binary: bool, front: bool, cas: int = 0) -> Message:
    """An APPEND or PREPEND."""
    if binary:
        opcode = opcodes.PREPEND if front else opcodes.APPEND
        return Message(binary_request(opcode, key, b"", value, cas=cas), 1)
    return Message(ascii_set(key, value, 9, 77, name=b"prepend" if front else b"append"), 1)


@pytest.mark.parametrize("binary", [False, True], ids=["ascii", "binary"])
@pytest.mark.parametrize("front", [False, True], ids=["append", "prepend"])
def test_values_that_are_joined(pair: Pair, binary: bool, front: bool) -> None:
    """With the flags and the expiry of the item, and up to the largest item there is."""
    by = (binary, front)
    pair.ask(joined(b"none", b"x", *by))
    for old in (b"", b"1", b"old value"):
        for new in (b"", b"2", b"new value"):
            pair.ask(Message(ascii_set(b"k", old, 7, 3600), 1))
            pair.ask(joined(b"k", new, *by, cas=1))  # a wrong one
            pair.ask(joined(b"k", new, *by, cas=pair.cas_of(b"k") or 0))
            pair.ask(joined(b"k", new, *by))
            pair.ask(Message(b"gets k\r\n", 1))
    pair.ask(Message(ascii_set(b"k", b"1", 7), 1))
    pair.ask(Message(b"incr k 11\r\n", 1))
    pair.ask(joined(b"k", b"3", *by))
    pair.ask(Message(b"incr k 1\r\nget k\r\n", 2))
    pair.ask(Message(ascii_set(b"k", b"1", 7, -1), 1))
    pair.ask(joined(b"k", b"3", *by))
    for flags in (0, 7):
        for spare in (2, 1, 0, -1):
            large = bytes((1 << 20) - 59 - 4 * bool(flags) - 1 - 1000 - spare)
            pair.ask(Message(ascii_set(b"k", large, flags), 1))
            pair.ask(joined(b"k", bytes(1000), *by))
            item = pair.table.peek(b"k")  # what would be too large stays as it was
            assert item is not None and len(item.value) == len(large) + 1000 * (spare >= 0)


def test_time(pair: Pair) -> None:
    """Expiry and a delayed flush, looked at away from the turns of seconds, which come at other
    times in memcached: 2 seconds are 1 to 3, the flush acts after 5 to 6."""
    keys = (b"forever", b"second", b"absolute", b"day", b"past")
    for key, exptime in zip(keys, (0, 2, int(time.time()) + 2, 86400, 2592001), strict=True):
        pair.ask(Message(ascii_set(key, key, 7, exptime), 1))
    look = Message(b"gets " + b" ".join(keys) + b"\r\n", 5)
    assert pair.ask(look).count(b"VALUE") == 4
    pair.ask(Message(b"flush_all 7\r\n", 1))
    assert pair.ask(look).count(b"VALUE") == 4
    time.sleep(3.7)
    assert pair.ask(look).count(b"VALUE") == 2
    time.sleep(3.7)
    assert pair.ask(look).count(b"VALUE") == 0
    pair.ask(Message(ascii_set(b"day", b"new", 0, 86400), 1))
    assert pair.ask(look).count(b"VALUE") == 1


@pytest.mark.parametrize("exptime", [0, 2, 100, 86400, 30 * 86400])
def test_seconds_left(pair: Pair, exptime: int) -> None:
    """What the flag t shows, of an item of the same message: no second turns in between."""
    stores = ascii_set(b"k", b"v", 7, exptime)
    theirs = pair.ask(Message(stores + b"mg k t\r\nmg k s t v f\r\n", 3))
    assert b"HD t%d\r\n" % (exptime or -1) in theirs
    pair.ask(Message(b"ms k 1 T%d\r\nx\r\nmg k t k\r\n" % exptime, 2))
    pair.ask(Message(b"mg k T%d t v\r\nmg k t\r\n" % exptime, 2))
    pair.ask(Message(stores + b"mg k t T50 v\r\nmg k s t k T60\r\nmg k t\r\n", 4))


def test_flags(pair: Pair) -> None:
    """Every letter in every meta command, with nothing, a number or something else behind it."""
    ours_alone = {b"mg": b"JDEx", b"ms": b"NRJDEx", b"md": b"NRJDEx", b"ma": b"REx"}
    for command, left_out in ours_alone.items():
        for letter in range(33, 128):
            if letter in left_out:
                continue
            for behind in (b"", b"1", b"x", b"S", b"E", b"10"):
                if command in (b"mg", b"ma") and letter in b"T" and behind == b"1":
                    continue  # it might expire meanwhile
                word = bytes([letter]) + behind
                size = b" 2" if command == b"ms" else b""
                data = b"\r\nab" if command == b"ms" else b""
                line = b"%b k%b k %b O1%b\r\n" % (command, size, word, data)
                value = b"5" if command == b"ma" else b"v"
                pair.ask(Message(ascii_set(b"k", value) + line + b"mg k v\r\n", 3))


ENCODED = [
    *(b"Zg==", b"Zm8=", b"Zm9v", b"Zm9vYg==", b"IA==", b"AAAA", b"DQo=", b"/+8=", b"/+//"),
    *(b"Z", b"Zm", b"Zm9", b"Zm9vZ", b"Zm9v=", b"=", b"==", b"===", b"====", b"A===", b"=A=="),
    *(b"=AAA", b"A=AA", b"AA=A", b"==AA", b"A=A=", b"=AA=", b"AB==", b"AAB=", b"Zm9v===="),
    *(b"AA==Zm9v", b"Zm9vAA==", b"Zm9vAA==Zm9v", b"Zm9vAA==Zm9", b"A===Zm9v", b"*Zm9v", b"Zm9v*"),
    *(b"Z*m9v", b"Zm\t9v", b"Z\x7fm\x809\xffv", b"*", b"****", b"Zm-_", b"Zm9v-_-_", b"Zm9*"),
    b"*=*",
    *(b"A" * length for length in (248, 249, 250, 251, 252)),
    *(b"A" * 248 + b"**", b"B" * 246 + b"==**", b"*" * 246 + b"Zm9v", b"*" * 250),
]


def test_encoded_keys(pair: Pair) -> None:
    """Right ones and wrong ones, in every command."""
    for key in ENCODED:
        for line in (b"mg %b b k v O1", b"ms %b 1 k b\r\nx", b"mg %b k v b", b"md %b b k O2"):
            pair.ask(Message(line % key + b"\r\n", 1))
        pair.ask(Message(b"ma %b k b N0 J5 O3 v\r\nma %b b k v\r\n" % (key, key), 2))


@pytest.mark.parametrize("key", [b"Zm9v", b"Zm9"], ids=["right", "wrong"])
def test_mistakes_beside_an_encoded_key(pair: Pair, key: bytes) -> None:
    """Which one is told, with each two flags in either order, and three."""
    words = (b"b", b"Tx", b"Cx", b"Fx", b"Mxy", b"Mz", b"Z", b"b", b"v v", b"k", b"q", b"O" * 33)
    for flags in (*itertools.permutations(words, 2), *itertools.permutations(words[:6], 3)):
        for command, data in ((b"mg", b""), (b"ms", b"\r\nab"), (b"md", b""), (b"ma", b"")):
            size = b" 2" if command == b"ms" else b""
            line = b" ".join((command, key + size, *flags)) + data + b"\r\n"
            pair.ask(Message(line + b"mn\r\n", 2))


# What stores or changes an item whose key is "foo".
CHANGES = [
    *(b"ms Zm9v 1 b k\r\n5", b"ms foo 1 k\r\n5", b"set foo 0 0 1\r\n5"),
    *(b"ms Zm9v 1 b k ME\r\n7", b"ms foo 1 k MR\r\n7", b"ms Zm9v 1 MR b k\r\n7"),
    *(b"ms Zm9v 1 b k MA\r\n1", b"ms foo 1 k MP\r\n1", b"append foo 0 0 0\r\n"),
    *(b"ms Zm9v 1 b k C1\r\n5", b"ma Zm9v b k", b"ma foo k v", b"ma foo k D1000", b"ma foo MD k"),
    *(b"incr foo 1", b"incr foo 100", b"decr foo 1", b"touch foo 0", b"mg foo k T0", b"gat 0 foo"),
    *(b"md foo k", b"md Zm9v b k", b"ma Zm9v b N0 J5 k", b"ma foo N0 J50 k v", b"mg Zm9v b k v"),
]


def test_what_is_known_of_an_encoded_key(pair: Pair) -> None:
    """How an item's key is shown behind each two changes."""
    for first, second in itertools.product(CHANGES, repeat=2):
        for line in (b"md foo", b"ms Zm9v 1 b\r\n9", first, second, b"mg foo k v", b"get foo"):
            pair.ask(Message(line + b"\r\n", 1))
        pair.ask(Message(b"mg Zm9v k b v\r\n", 1))
    get = binary_request(opcodes.GETK, b"foo")
    pair.ask(Message(b"ms Zm9v 1 b\r\n9\r\n", 1))
    assert b"foo9" in pair.ask(Message(get, 1))


def test_a_number_that_grows_is_not_touched(pair: Pair) -> None:
    """memcached gives the time of T to the item before, which is gone then."""
    for value, delta in ((b"99", 1), (b"98", 1), (b"9", 995), (b"05", 99)):
        for until in (b"0", b"600", b"-1"):
            stores = b"ms k %d T86400\r\n%b" % (len(value), value)
            counts = b"ma k T%b v D%d" % (until, delta)
            for line in (stores, counts, b"mg k v R40000", b"mg k v T0", b"get k"):
                pair.ask(Message(line + b"\r\n", 1))


# Lines for a key k, one after the other; what they do to its item shows in the answers behind.
MARKS = [
    *(
        b"mg k h",
        b"mg k h",
        b"md k I",
        b"mg k h u",
        b"mg k h c v",
        b"mg k t",
        b"get k",
        b"mg k k O",
    ),
    *(b"touch k 0", b"mg k", b"md k I T0", b"mg k T0 f", b"mg k T0 v", b"gat 0 k", b"mg k"),
    *(b"md k I C1", b"md k I q", b"md k Cown I", b"md k Cown Oa I k", b"mg k", b"incr k 1"),
    *(
        b"mg k",
        b"incr k 1000",
        b"mg k h",
        b"md k I",
        b"ma k D1",
        b"mg k u h",
        b"ma k D9999 T0",
        b"mg k",
    ),
    *(b"md k I", b"ms k 1 I C1\r\n5", b"mg k v", b"ms k 1 I C1 c\r\n6", b"mg k v t", b"mg k v h"),
    *(b"md k I", b"ms k 1 I C1 F7 T9\r\n6", b"mg k f t", b"ms k 1\r\n6", b"mg k", b"ms k 1 I\r\n7"),
    *(b"mg k", b"ms k 1 I C0\r\n7", b"ms k 1 I C99999999\r\n7", b"ms k 1 I Cown\r\n8", b"mg k h v"),
    *(b"ms k 1 ME I C1\r\n9", b"ms k 1 MR I C1\r\n3", b"mg k v", b"ms k 1 MR I\r\n3", b"mg k v"),
    *(b"ms k 1 MA I C1\r\n3", b"ms k 1 MA I\r\n3", b"ms k 1 MP I Cown\r\n3", b"mg k v h"),
    *(b"md k I", b"append k 0 0 1\r\n3", b"mg k h", b"md k I", b"add k 0 0 1\r\n3", b"mg k h"),
    *(b"replace k 0 0 1\r\n3", b"mg k h", b"touch k 0", b"mg k h", b"set k 0 0 1\r\n3", b"mg k u"),
    *(b"mg k u v", b"mg k u T0", b"mg k u T0 v", b"mg k u h", b"gat 0 k", b"mg k u h", b"md k"),
    *(b"md k I", b"md k I C1 q", b"ms k 1 I C1\r\n3", b"mg k", b"ms k 1 I\r\n3", b"mg k h u"),
    *(b"md k I T-1", b"mg k", b"md k I I", b"ms k 1 I I\r\n3", b"mg k h h", b"mg k u u", b"mg k I"),
    *(b"ms k 1 T100\r\n5", b"mg k R50", b"mg k R0", b"mg k R-1", b"mg k R200 h", b"mg k R200"),
    *(b"incr k 1", b"mg k R200", b"md k I T100", b"mg k R50 v", b"mg k R200", b"get k"),
    *(b"ms k 1\r\n5", b"mg k R50", b"mg k R50 T300", b"mg k T300 R50", b"mg k T30 R60 t v"),
    *(b"ms k 1 T30\r\n5", b"mg k R60 T300", b"ms k 1 T300\r\n5", b"mg k R60 T30", b"mg k R60"),
    *(b"ms k 1 T30\r\n5", b"mg k T-1 R60", b"mg k R", b"mg k Rx", b"mg k R5 R5", b"mg k Rx Tx Z"),
    *(b"ms k 1 T30 R9\r\n5", b"mg k q u R4000000000 k Oa", b"mg none R60", b"mg none R60 v q k"),
]


# Flags of a line with N: whatever comes of it shows in the lines behind it.
CREATING = [
    *(b"N0", b"N0 v", b"N100", b"N100 v", b"N-1", b"N-1 v", b"N2592001", b"N4000000000 v", b"N+5"),
    *(b"t N100", b"N100 t", b"N100 t v", b"t N0 v", b"N0 t", b"k N100 f s c h Oab", b"N0 h v"),
    *(b"N0 u", b"N0 u h v", b"N0 q", b"q N0 v k", b"R60 N30", b"N30 R60 h", b"N300 R60 v t"),
    *(b"N0 R60", b"N0 F7 f", b"N0 C1 c", b"N0 I", b"N0 MS", b"N0 Mxy", b"N0 P1 L", b"N0 Z"),
    *(b"N", b"Nx", b"N1x", b"N99999999999999999999", b"N4294967296", b"N0 N0", b"N 0", b"N0 v v"),
    *(b"T100 N30", b"N30 T100 v", b"T0 N30 v", b"N30 T0 h v", b"T100 N30 t", b"N30 T100 t v"),
    *(b"t N30 T100 v", b"t N30 T0", b"T100 N-1 v", b"N-1 T100"),
    *(b"T100 N30 q", b"v N30 q T100 k", b"u T100 N30 h v", b"T100 N30 R60 v", b"T30 N100 R60"),
    *(b"Tx N30", b"N30 Tx", b"T1 Nx", b"T1 N1 T1", b"N1 T1 N1", b"T1 N1 Oabc s f c"),
    *(b"Nx Z", b"Nx Rx", b"Rx N0", b"Nx Fx", b"Fx Nx", b"Nx Mxy", b"Mxy Nx"),
]


@pytest.mark.parametrize("value", [None, b"", b"5"])
@pytest.mark.parametrize("until", [0, 40, -1])
def test_an_item_is_created_by_who_misses_it(pair: Pair, value: bytes | None, until: int) -> None:
    """Every line where there is an item, and where there is none."""
    for number, flags in enumerate(CREATING):
        for key, encoding in ((b"key %d" % number, b""), (b"%d" % number, b" b")):
            name = b64encode(key) if encoding else key.replace(b" ", b"-")
            key = key if encoding else name
            store = b"" if value is None else ascii_set(key, value, 7, until)
            line = b"mg %b %b%b\r\n" % (name, flags, encoding)
            pair.ask(Message(store + line + b"mg %b v h s f c t k\r\n" % key, 3))
            pair.ask(Message(b"ma %b\r\n" % key, 1))
            pair.ask(Message(b"mg %b v\r\n" % key, 1))


def test_an_item_is_created_again(pair: Pair) -> None:
    """Behind all that takes the one before away, and makes it stale."""
    for line in (
        *(b"mg k N0 v", b"mg k N0 v", b"mg k N0 q", b"ms k 2\r\nab", b"mg k N0 v", b"md k I"),
        *(b"mg k N0 v", b"mg k N0 h", b"ms k 1 I C1\r\n5", b"mg k N0 v h c", b"md k", b"mg k N0 c"),
        *(b"add k 0 0 1\r\nx", b"append k 0 0 1\r\nx", b"mg k N0 v", b"incr k 1", b"flush_all"),
        *(b"mg k N0 v c h", b"incr k 1", b"touch k -1", b"mg k N-1", b"mg k N-1 v", b"get k"),
        *(b"mg k N0 u", b"mg k h", b"md k I T-1", b"mg k N0", b"replace k 0 0 1\r\ny", b"mg k N0"),
        *(b"md Zm9v b", b"mg Zm9v b N0 k", b"mg Zm9v b k v", b"mg foo k", b"ms Zm9v 1 b\r\nx"),
        *(b"mg foo N0 k v", b"mg Zm9v N0 b k v", b"gets foo"),
    ):
        pair.ask(Message(line + b"\r\n", 1))


def test_marks(pair: Pair) -> None:
    """What is stale, who has won it, and whether anybody has read it."""
    for line in MARKS:
        line = line.replace(b"Cown", b"C%d" % (pair.cas_of(b"k") or 1))
        pair.ask(Message(line + b"\r\n", 1))


ARITHMETIC = [
    *(b"", b"v", b"q", b"q v", b"k Oab v t c f s", b"N0", b"N0 v", b"N0 q v", b"N0 J7", b"J7"),
    *(b"N0 J7 v D2", b"N0 J18446744073709551615 v", b"D5 v", b"D0 v", b"MI v", b"M+ v", b"MD v"),
    *(b"M- v D3", b"MD D18446744073709551615 v", b"D18446744073709551615 v c", b"Md", b"Mi", b"M"),
    *(b"C1 v", b"C0 v", b"N0 C1 v", b"C1 J2 D3 v N0 c", b"D3 C1 J2", b"D+5 v", b"J-1", b"D-0 v"),
    *(b"Dx", b"D", b"J", b"Jx N0", b"N", b"Nx", b"Tx N0", b"T0 N", b"C", b"Cx D1", b"Dx D1"),
    *(
        b"D1 D1",
        b"J1 D2 C",
        b"Dx Jx Nx Tx Cx Fx",
        b"Mx Dx",
        b"Mx Z",
        b"F7 v",
        b"Fx v",
        b"I h l u v",
    ),
    *(b"D18446744073709551616", b"J99999999999999999999 N0", b"D00000000000000000000000000012 v"),
    *(b"t T100 v", b"T100 t", b"N100 t", b"t N100", b"t N100 T100", b"N100 T100 t", b"T0 t"),
]


@pytest.mark.parametrize("value", [None, b"5", b"18446744073709551610", b"x", b"", b"7 ", b"009"])
def test_meta_arithmetic(pair: Pair, value: bytes | None) -> None:
    """Every line of a value, and of none, and what is there behind it."""
    for number, flags in enumerate(ARITHMETIC):
        for cas in (False, True):
            key = b"%d-%d" % (number, cas)
            store = b"" if value is None else ascii_set(key, value, 7, 3600)
            if cas:
                store += b"mn\r\n"
                pair.ask(Message(store, 2))
            words = flags
            if cas and b"C1" in flags.split():
                words = flags.replace(b"C1", b"C%d" % (pair.cas_of(key) or 1))
            line = b"ma %b %b\r\n" % (key, words)
            if cas and b"t" in flags.split():
                continue  # no second turns within a message
            pair.ask(Message((b"" if cas else store) + line + b"mg %b f c v\r\n" % key, 3))
            pair.ask(Message(line + line, 2))


def test_every_key_length(pair: Pair) -> None:
    for length in range(1, 253):
        key = b"x" * length
        pair.ask(Message(ascii_set(key, key), 1))
        pair.ask(Message(b"gets " + key + b"\r\n", 1))
        for opcode in (opcodes.GETK, opcodes.GETKQ, opcodes.DELETE):
            pair.ask(Message(binary_request(opcode, key, opaque=length), 1))


def test_large_values(pair: Pair) -> None:
    """Around the largest that is stored; no datagram holds these."""
    limit = 2**20
    for key, flags, near in ((b"k", 0, -60), (b"k" * 250, 0, -309), (b"k" * 250, 1, -313)):
        for length in range(limit + near - 3, limit + near + 4):
            value = bytes(length)
            pair.table.delete(key)  # memcached removes what was there, the model does not
            pair.ask(Message(b"delete " + key + b" noreply\r\n", 1))
            pair.ask(Message(ascii_set(key, value, flags), 1))
            pair.ask(Message(b"gets " + key + b"\r\n", 1))
            pair.ask(Message(b"delete " + key + b" noreply\r\n", 1))
            pair.ask(Message(binary_set(key, value, flags), 1))


def test_a_full_message(pair: Pair) -> None:
    for data in (NOOP * (MAX_MESSAGE // len(NOOP)), b"version\r\n" * (MAX_MESSAGE // 9)):
        assert pair.ask(Message(data, 1))
