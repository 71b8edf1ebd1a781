# SPDX-License-Identifier: Apache-2.0
"""The parser's model against a real memcached: its operations, carried out by a dictionary, must
give the bytes that memcached answers over TCP. Skipped where there is no memcached 1.6.

What is left out, and why, is what `comparable` says.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import socket
import struct
import subprocess
import time
from base64 import b64encode
from collections.abc import Iterator, Set
from pathlib import Path

import pytest
import request_rows
import request_traffic as traffic
from request_cases import ASCII_CASES, binary_cases, cut_binary
from request_meta import SHOW
from request_model import COUNT, JOIN, OP, READS, SAY, STATUS, TOUCH, Operation, parse
from wirecache import ROOT
from wirecache.model import protocol
from wirecache.model.numbers import unsigned64
from wirecache.model.table import Table

MEMCACHED = shutil.which("memcached")
TEXTS = {
    "StUnknown": (b"ERROR", 0x81, b"Unknown command"),
    "StBadFormat": (b"CLIENT_ERROR bad command line format", 4, b"Invalid arguments"),
    "StBadChunk": (b"CLIENT_ERROR bad data chunk", 0, b""),
    "StTooLarge": (b"SERVER_ERROR object too large for cache", 3, b"Too large."),
    "StBadTime": (b"CLIENT_ERROR invalid exptime argument", 0, b""),
    "StBadDelta": (b"CLIENT_ERROR invalid numeric delta argument", 0, b""),
    "StBadDelete": (
        b"CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]",
        0,
        b"",
    ),
    "StBadToken": (b"CLIENT_ERROR bad token in command line format", 0, b""),
    "StDuplicateFlag": (b"CLIENT_ERROR duplicate flag", 0, b""),
    "StInvalidFlag": (b"CLIENT_ERROR invalid flag", 0, b""),
    "StBadFlag": (b"CLIENT_ERROR invalid or duplicate flag", 0, b""),
    "StLongOpaque": (b"CLIENT_ERROR opaque token too long", 0, b""),
    "StBadModeLength": (b"CLIENT_ERROR incorrect length for M token", 0, b""),
    "StBadMode": (b"CLIENT_ERROR invalid mode for ms M token", 0, b""),
    "StUndecoded": (b"CLIENT_ERROR error decoding key", 0, b""),
    "StBadArithmeticMode": (b"CLIENT_ERROR invalid mode for ma M token", 0, b""),
}
# How meta commands say it.
META = {
    b"STORED": b"HD",
    b"DELETED": b"HD",
    b"NOT_STORED": b"NS",
    b"EXISTS": b"EX",
    b"NOT_FOUND": b"NF",
}
# Flags of memcached that are no flags here, or whose numbers are not looked at, and how many words
# a line of them may have.
OTHER_FLAGS = {b"mg": b"NJDEx", b"ms": b"NRJDEx", b"md": b"NRJDEx", b"ma": b"REx"}
META_WORDS = 19
# Commands and opcodes of memcached that the appliance does not have.
OTHERS = (b"stats me cache_memlimit slabs lru lru_crawler watch shutdown verbose").split()
OUT_OF_STEP = {*TOUCH, 0x1E, 0x24, 0x10}  # with a value, which is taken for the next request
OWN_OPCODES = {*traffic.OPCODES}
# Opcodes that memcached has and the appliance has not, and those that neither has.
OTHER_OPCODES = {0x10, 0x21, 0x22}
MECHANISMS = 0x20  # of SASL: memcached says first that one with a body is not as it should be
FREE_OPCODES = {*range(0x100)} - OWN_OPCODES - OTHER_OPCODES


class Memcached:
    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = [str(MEMCACHED), "-l", "127.0.0.1", "-p", str(self.port), "-U", "0", "-t", "1"]
        command += ["-o", "no_lru_maintainer,no_lru_crawler"]  # see wirecache.oracle.memcached
        if os.geteuid() == 0:
            command += ["-u", "nobody"]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                self.ask(b"version\r\n")
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("memcached did not start")

    def ask(self, packet: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as link:
            link.sendall(packet)
            link.shutdown(socket.SHUT_WR)
            answer = b""
            while part := link.recv(1 << 16):
                answer += part
        return answer

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()


@pytest.fixture(scope="module")
def memcached() -> Iterator[Memcached]:
    if MEMCACHED is None:
        pytest.skip("no memcached")
    server = Memcached()
    yield server
    server.close()


class Cache:
    """Carries operations out and words the answers; CAS values are written as zero."""

    def __init__(self, now: int, version: bytes) -> None:
        self.now, self.version = now, version
        self.items: dict[bytes, tuple[bytes, int, int]] = {}
        self.encoded: set[bytes] = set()  # keys of items that are shown in base64
        self.marks: dict[bytes, set[str]] = {}  # fetched, stale, won

    def answers(self, operations: list[Operation]) -> bytes:
        out = b""
        command = b""  # of the get that is not ended
        for operation in operations:
            op = operation.op
            if op.get("meta"):
                out += self.meta(operation)
                continue
            if op["op"] in READS and not op.get("binary"):
                command = b"" if op["cmd_first"] else command
                command += self.ascii_get(operation)
                if op["cmd_last"]:
                    out += command + b"END\r\n"
                    command = b""
                continue
            if operation.waits:
                break
            text, status, body, cas_ok = self.execute(operation)
            if op.get("cancel"):
                command = b""
            if op.get("binary"):
                out += self.binary(op, status, body, cas_ok)
            elif text and not op.get("quiet"):
                out += text + b"\r\n"
        return out

    def touch(self, operation: Operation) -> None:
        key, expiry = operation.key, operation.request["expiry"]
        if (item := self.find(key)) is not None:
            self.items[key] = (*item[:2], expiry)

    def find(self, key: bytes) -> tuple[bytes, int, int] | None:
        item = self.items.get(key)
        return None if item is None or 0 < item[2] <= self.now else item

    def ascii_get(self, operation: Operation) -> bytes:
        item = self.find(operation.key)
        if item is None:
            return b""
        self.mark(operation.key).add("fetched")
        if operation.op["op"] == OP["OpGat"]:
            self.touch(operation)
        cas = b" 0" if operation.op["with_cas"] else b""
        head = b"VALUE %s %d %d%s\r\n" % (operation.key, item[1], len(item[0]), cas)
        return head + item[0] + b"\r\n"

    def mark(self, key: bytes) -> set[str]:
        return self.marks.setdefault(key, set())

    def meta(self, operation: Operation) -> bytes:
        op = operation.op
        if op["op"] == OP["OpNone"]:
            return b"MN\r\n"
        if op["op"] in COUNT.values():
            return self.arithmetic(operation)
        item = self.find(operation.key)
        data, marked = b"", None
        before, old = set(self.mark(operation.key)), item or (b"", 0, 0)
        if op["op"] in (OP["OpLook"], OP["OpTouch"], *READS):
            if op["op"] in (OP["OpTouch"], OP["OpGat"]):
                self.touch(operation)
                item = None if item is None else self.items[operation.key]
            head = b"EN" if item is None else b"HD"
            silent = item is None
            marked = None if item is None else operation.key in self.encoded
            if item is not None and op["op"] in READS:
                head, data = b"VA %d" % len(item[0]), item[0] + b"\r\n"
            if item is not None:
                marks = self.mark(operation.key)
                marks |= {"won"} if "stale" in marks else set()
                if operation.request.get("recaches"):
                    lives = old[2]
                    if operation.request["renewed"]:
                        lives = operation.request["expiry"]
                    marks |= {"won"} if 0 < lives < operation.request["delta"] else set()
                marks |= set() if operation.request.get("idle") else {"fetched"}
        else:
            head = META[self.execute(operation)[0]]
            silent = head == b"HD"
            item = (b"", 0, 0)
        if op["quiet"] and silent:
            return b""
        shows = op["opaque"] << 8 | op["opcode"]
        while shows:
            head += self.shown(SHOW(shows & 15).name, operation, item, before, marked)
            if SHOW(shows & 15).name == "ShowMarks" and item is not None:
                won = "won" in self.mark(operation.key) and "won" not in before
                head += b" W" * won
            shows >>= 4
        return head + b"\r\n" + data

    def arithmetic(self, operation: Operation) -> bytes:
        op, request, key = operation.op, operation.request, operation.key
        before = self.find(key)
        text, status, _, _ = self.execute(operation)
        if status == 6:
            return text + b"\r\n"
        item, head, data = None, META.get(text, b"HD"), b""
        if status == 0:
            if request["touches"]:
                self.items[key] = (*self.items[key][:2], request["expiry"])
            if before is not None and op["quiet"]:
                return b""
            item = self.items[key]
            if request.get("earlier"):
                item = (*item[:2], before[2] if before else 0)
        shows = op["opaque"] << 8 | op["opcode"]
        names = [SHOW(shows >> 4 * at & 15).name for at in range(10) if shows >> 4 * at & 15]
        if names[-1:] == ["ShowNumber"]:
            names.pop()
            if item is not None:
                head, data = b"VA %d" % len(text), text + b"\r\n"
        return head + b"".join(self.shown(n, operation, item) for n in names) + b"\r\n" + data

    @staticmethod
    def shown(
        show: str,
        operation: Operation,
        item: tuple[bytes, int, int] | None,
        marks: Set[str] = frozenset(),
        marked: bool | None = None,
    ) -> bytes:
        """CAS numbers and times are written as zero. marked: the item's key is shown in
        base64; else the operation says so."""
        if show == "ShowKey":
            encoded = operation.op["encoded"] if marked is None else marked
            return b" k" + (b64encode(operation.key) + b" b" if encoded else operation.key)
        if show == "ShowOpaque":
            return b" O" + (operation.opaque or b"")
        if item is None:
            return b""
        told = b" Z" * ("won" in marks) + b" X" * ("stale" in marks)
        return {
            "ShowFetched": b" h%d" % ("fetched" in marks),
            "ShowUnused": b" l0",
            "ShowMarks": told,
            "ShowFlags": b" f%d" % item[1],
            "ShowSize": b" s%d" % len(item[0]),
            "ShowTtl": b" t0" if item[2] else b" t-1",
            "ShowCas": b" c0",
        }[show]

    def execute(self, operation: Operation) -> tuple[bytes, int, bytes, bool]:
        """ASCII text, binary status, binary body; whether a quiet one stays quiet."""
        op, request = operation.op, operation.request
        kind = op["op"]
        key = operation.key
        if kind == OP["OpNone"] and op.get("status"):
            text, status, body = TEXTS[STATUS(op["status"]).name]
            return text, status, body, False
        if kind == OP["OpNone"]:
            say = SAY(op["say"]).name
            if say == "SayVersion":
                return b"VERSION " + self.version, 0, self.version, True
            return {"SayOk": b"OK", "SayEnd": b"END"}.get(say, b""), 0, b"", True
        if kind == OP["OpFlush"]:
            if request["expiry"] <= self.now:
                self.items.clear()
                self.marks.clear()
            return b"OK", 0, b"", True
        item = self.find(key)
        if item is None:
            self.marks.pop(key, None)
        elif kind in (OP["OpTouch"], *READS):
            self.mark(key).add("fetched")
        if kind in (OP["OpTouch"], OP["OpGat"]):
            self.touch(operation)
        if kind == OP["OpTouch"]:
            if item is None:
                return b"NOT_FOUND", 1, b"Not found", False
            return b"TOUCHED", 0, struct.pack(">I", item[1]) if op.get("binary") else b"", False
        if kind in READS:
            with_key = key if op["with_key"] else b""
            if item is None:
                return b"", 1, with_key or b"Not found", bool(op["quiet"])
            return b"", 0, struct.pack(">I", item[1]) + with_key + item[0], False
        if kind == OP["OpAdd"] and item is not None:
            return b"NOT_STORED", 2, b"Data exists for key.", False
        if kind == OP["OpReplace"] and item is None:
            return b"NOT_STORED", 1, b"Not found", False
        if kind in COUNT.values():
            return self.count(operation, item)
        if kind in JOIN.values():
            if item is None:
                return b"NOT_STORED", 5, b"Not stored.", False
            if request.get("cas"):  # never that of the item
                return b"EXISTS", 2, b"Data exists for key.", False
            values = (item[0], operation.value)
            front = kind == OP["OpPrepend"]
            self.encoded.discard(key)
            self.items[key] = (b"".join(values[::-1] if front else values), *item[1:])
            self.marks.pop(key, None)
            return b"STORED", 0, b"", True
        if request.get("cas"):  # never that of the item
            if item is None:
                return b"NOT_FOUND", 1, b"Not found", False
            return b"EXISTS", 2, b"Data exists for key.", False
        if kind == OP["OpDelete"]:
            if item is None:
                return b"NOT_FOUND", 1, b"Not found", False
            if request.get("stale"):
                if request.get("touches"):
                    self.items[key] = (*item[:2], request["expiry"])
                self.marks[key] = self.mark(key) - {"won"} | {"stale"}
                return b"DELETED", 0, b"", True
            del self.items[key]
            return b"DELETED", 0, b"", True
        self.encoded.discard(key)
        if op.get("encoded"):
            self.encoded.add(key)
        self.items[key] = (operation.value, request["flags"], request["expiry"])
        self.marks.pop(key, None)
        return b"STORED", 0, b"", True

    def count(
        self, operation: Operation, item: tuple[bytes, int, int] | None
    ) -> tuple[bytes, int, bytes, bool]:
        request, key = operation.request, operation.key
        if item is None:
            if not request.get("creates"):
                return b"NOT_FOUND", 1, b"Not found", False
            number = request["start"]
            self.encoded.discard(key)
            self.items[key] = (b"%d" % number, 0, request["expiry"])
        else:
            if request.get("cas") and item[0]:  # never that of the item
                return b"EXISTS", 2, b"Data exists for key.", False
            old = unsigned64(item[0].split(b"\0")[0])
            if old is None:
                text = b"CLIENT_ERROR cannot increment or decrement non-numeric value"
                return text, 6, b"Non-numeric server-side value for incr or decr", False
            down = operation.op["op"] == OP["OpDecr"]
            number = max(0, old - request["delta"]) if down else (old + request["delta"]) % 2**64
            if len(b"%d" % number) > len(item[0]):
                self.encoded.discard(key)
            self.items[key] = ((b"%d" % number).ljust(len(item[0])), *item[1:])
            if len(self.items[key][0]) != len(item[0]):
                self.marks.pop(key, None)
        return b"%d" % number, 0, struct.pack(">Q", number), True

    @staticmethod
    def binary(op: dict[str, int], status: int, body: bytes, silent: bool) -> bytes:
        nothing = op["op"] == OP["OpNone"] and not op.get("status") and not op.get("say")
        if nothing or (op.get("quiet") and silent):
            return b""
        extras = 4 if op["op"] in (*READS, OP["OpTouch"]) and status == 0 else 0
        key_len = 0
        if op["op"] in READS and op["with_key"]:
            key_len = op["key_len"]
        head = struct.pack(">BBHBBHI", 0x81, op["opcode"], key_len, extras, 0, status, len(body))
        return head + op["opaque"].to_bytes(4, "little") + bytes(8) + body


def lengths(packet: bytes, opcode: int) -> Iterator[tuple[int, int]]:
    """Of each request with this opcode: bytes of the body, and of extras and key."""
    at = 0
    while len(packet) >= at + 24:
        key_len, extras_len = struct.unpack_from(">HB", packet, at + 2)
        body = int.from_bytes(packet[at + 8 : at + 12], "big")
        if packet[at + 1] == opcode:
            yield body, key_len + extras_len
        at += 24 + body


def meta_lines(packet: bytes) -> Iterator[list[bytes]]:
    """The words of all that may be a meta command. Where a line begins depends on what is made of
    the values before it, so a command may begin anywhere: each word may end with its name."""
    for text in re.split(rb"[\n\0]", packet):
        words = [word for word in text.split(b" ") if word]
        for at, word in enumerate(words):
            if (name := word[-2:]) in OTHER_FLAGS:
                yield [name, *words[at + 1 :]]


def comparable(packet: bytes, operations: list[Operation], now: int) -> bool:
    """False for what the appliance leaves out or does otherwise on purpose."""
    for at, operation in enumerate(operations):
        op, expiry = operation.op, operation.request.get("expiry", 0)
        before = [o.op for o in operations[:at]]
        request = operation.request
        if request.get("stale") and op["op"] == OP["OpSet"] and "cas" in request:
            return False  # nobody knows the item's CAS number here
        if op["op"] == OP["OpFlush"] and 0 < expiry < now:
            return False  # memcached ignores a flush at a time before it was started
        if op["op"] == OP["OpFlush"] and expiry > now and any(o["op"] == op["op"] for o in before):
            return False  # memcached takes back the one before
        if operation.request.get("expiry") and abs(expiry - now) < 100:
            return False  # depends on when its clock ticks
        own = all(o["op"] in READS and not o.get("cmd_last") and not o.get("meta") for o in before)
        if op.get("cancel") and not operation.waits and not own:
            return False  # memcached throws away what it has not sent yet, of other commands too
        if operation.waits and (op.get("binary") or op["status"] != STATUS["StUnknown"]):
            return False  # closed while it reads a body, it sends nothing of what is before
        unknown = op.get("binary") and op.get("status") == STATUS["StUnknown"]
        if unknown and op["opcode"] not in FREE_OPCODES:
            return False
        if unknown and op["opcode"] == MECHANISMS and any(map(any, lengths(packet, MECHANISMS))):
            return False
        refused = op.get("status") == STATUS["StBadFormat"] and op.get("opcode") in OUT_OF_STEP
        if refused and any(body > own for body, own in lengths(packet, op["opcode"])):
            return False  # memcached answers, and reads what follows out of step
        if op.get("status") == STATUS["StTooLarge"] and not operation.waits:
            return False  # the queue of the parser
        if operation.unknown in OTHERS or op["op"] == OP["OpHost"]:
            return False  # the host's answers are compared elsewhere (test/test_host_commands.py)
    if packet[:1] != b"\x80":
        if b"HTTP/" in packet:
            return False  # it hangs up
        for words in meta_lines(packet):
            others = OTHER_FLAGS[words[0]]
            if len(words) > META_WORDS or any(w[0] in others for w in words[2:]):
                return False
            # of two times one is kept; what has too long an O is done
            if words[0] == b"ma" and any(w[:1] == b"O" and len(w) > 32 for w in words[2:]):
                return False
            if words[0] in (b"ma", b"mg") and {b"N", b"T"} <= {w[:1] for w in words[2:]}:
                return False
    else:
        at = 0
        while len(packet) >= at + 24:
            if packet[at] != 0x80:
                return False  # it hangs up before it sends what it has
            if packet[at + 1] not in OWN_OPCODES and any(packet[at + 2 : at + 5]):
                return False  # it skips extras and key of an unknown request twice
            at += 24 + int.from_bytes(packet[at + 8 : at + 12], "big")
    return True


def _zeros(line: re.Match[bytes]) -> bytes:
    return re.sub(rb" ([ctl])\d+(?![^ \r])", rb" \g<1>0", line[0])


def normal(answer: bytes) -> bytes:
    """Without CAS values and times."""
    if answer[:1] == b"\x81":
        out, at = b"", 0
        while at + 24 <= len(answer):
            size = 24 + int.from_bytes(answer[at + 8 : at + 12], "big")
            out += answer[at : at + 16] + bytes(8) + answer[at + 24 : at + size]
            at += size
        return out
    answer = re.sub(rb"(?m)^(?:HD|VA|EN|NS|EX|NF) [^\n]*", _zeros, answer)
    return re.sub(rb"(?m)^(VALUE [^ \n]+ \d+ \d+) \d+\r$", rb"\1 0\r", answer)


def compare(memcached: Memcached, packets: list[bytes]) -> int:
    version = memcached.ask(b"version\r\n").split()[1]
    compared = 0
    for packet in packets:
        now = int(time.time())
        operations = parse(packet, now)
        for operation in operations:
            operation.op["key_len"] = len(operation.key)
        if not comparable(packet, operations, now):
            continue
        memcached.ask(b"flush_all\r\n")
        expected = Cache(now, version).answers(operations)
        answer = normal(memcached.ask(packet))
        assert answer == expected, f"{packet!r}:\n memcached {answer!r}\n model {expected!r}"
        # A flush to come takes back the one before: only what is deleted is gone for sure.
        stores = (OP["OpSet"], *COUNT.values())
        stored = {o.key for o in operations if o.op["op"] in stores}
        memcached.ask(b"".join(traffic.binary(0x14, key) for key in stored))
        compared += 1
    return compared


def test_a_cas_number_behind_any_key() -> None:
    assert normal(b"VALUE \t 0 0 1638\r\n\r\nEND\r\n") == b"VALUE \t 0 0 0\r\n\r\nEND\r\n"


def test_a_command_behind_a_value_that_is_too_long() -> None:
    """Where a line begins is what the parser says: not every line of the packet is one."""
    packet = b"set a 0 0 2\r\nabcd me bb incr\r\n"
    assert not comparable(packet, parse(packet, 0), 0)
    packet = b"set a 0 0 8\r\nme\nme b\r\nget a\r\n"
    assert comparable(packet, parse(packet, 1000), 1000)


def test_cases(memcached: Memcached) -> None:
    packets = [*ASCII_CASES, *binary_cases()]
    assert compare(memcached, packets) > len(packets) // 2


def test_every_row(memcached: Memcached) -> None:
    packets = [*request_rows.lines(), *request_rows.headers()]
    assert compare(memcached, packets) > len(packets) // 2


def test_every_command_is_listed(memcached: Memcached) -> None:
    """Whatever memcached knows as a command, and the model does not, is on the page."""
    page = (ROOT / "docs" / "differences.md").read_text()
    listed = {word.encode() for span in re.findall(r"`([^`]+)`", page) for word in span.split()}
    program = Path(str(MEMCACHED)).read_bytes()
    words = set(re.findall(rb"(?<![a-z_])[a-z_]{2,24}(?![a-z_])", program))
    assert {b"get", b"bget", b"set", b"refresh_certs"} <= words
    missing = []
    for word in sorted((words | {*OTHERS}) - {b"quit"}):
        for line in (word, word + b" a"):
            operations = parse(line + b"\r\n", 0)
            unknown = operations[0].op.get("status") == STATUS["StUnknown"]
            answer = memcached.ask(line + b"\r\n")
            if unknown and answer != b"ERROR\r\n" and word not in listed:
                missing.append((line, answer))
    assert not missing, missing


def test_every_opcode_is_listed(memcached: Memcached) -> None:
    """Which opcodes memcached has beside the table. VERBOSITY (0x1b) is none, whatever its body:
    memcached skips extras and key of what it does not know twice, so they come twice here."""
    unknown = struct.pack(">H", 0x81)
    refused = {op for op in range(256) if memcached.ask(traffic.binary(op))[6:8] == unknown}
    assert refused == FREE_OPCODES
    bodies = ((b"", bytes(4)), (b"", b""), (b"k", bytes(4)), (b"", bytes(8)), (b"", bytes(3)))
    for key, extras in bodies:
        packet = traffic.binary(0x1B, key, extras, opaque=7)
        assert memcached.ask(packet + extras + key) == protocol.answer(packet, Table())


def test_cut_binary() -> None:
    """A binary request that is cut short is invalid, unless its header came whole and names no
    command: that is found out first, here as in memcached. docs/differences.md says so."""
    table = Table()
    table.made_values = table.meta = True
    for packet, request in cut_binary():
        known = len(packet) < 24 or packet[1] in OWN_OPCODES
        assert [o.op["status"] for o in parse(packet, 0)] == [
            STATUS["StBadFormat" if known else "StUnknown"]
        ], (packet, request)
        answer = protocol.answer(packet, table)
        assert answer[6:8] == (b"\0\4" if known else b"\0\x81"), (packet, request)


def test_random(memcached: Memcached) -> None:
    seed = int(os.environ.get("WIRECACHE_SEED", time.time_ns()))
    print(f"WIRECACHE_SEED={seed}")
    rng = random.Random(seed)
    packets = [traffic.packet(rng) for _ in range(4000)]
    assert compare(memcached, packets) > 1500


def test_item_limit(memcached: Memcached) -> None:
    """The length from which an object is too large, which no datagram can show."""
    for key, flags, largest in ((b"a", 0, 1048516), (b"a", 7, 1048512), (b"k" * 250, 0, 1048267)):
        for length in (largest, largest + 1):
            line = b"set %s %d 0 %d\r\n" % (key, flags, length)
            answer = memcached.ask(line + bytes(length) + b"\r\n")
            stored = parse(line, 0)[0].op["status"] != STATUS["StTooLarge"]
            assert stored == (answer == b"STORED\r\n") == (length == largest)
