# SPDX-License-Identifier: Apache-2.0
"""What the request parser makes of a packet: a plain reading of memcached's rules, line by line.

`parse` gives the operations with their keys and values; test_oracle.py holds it against a real
memcached, test_wc_request.py holds the circuit against it.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import request_meta
from wirecache.circuit import structs
from wirecache.model import host
from wirecache.model.index import MAX_ITEM

OP, SAY, STATUS = structs.enum("op_e"), structs.enum("say_e"), structs.enum("status_e")
MAX_KEY = structs.constant("MaxKeyBytes")
ITEM_BYTES = 59  # memcached's own in an item: header, CAS, NUL of the key, CR LF
FLAG_BYTES = 4
MONTH = 60 * 60 * 24 * 30
MESSAGE_OPERATIONS = structs.constant("MessageOperations")
TCP_WORDS, TCP_OTHER, TCP_META = (
    structs.constant(f"Tcp{name}Words") for name in ("Message", "Other", "Meta")
)
NUMBER_BYTES = structs.constant("NumberBytes")
STORE_BYTES = 4064  # the most that the default value queue takes

GET, SET, DELETE, QUIT, FLUSH, NOOP, VERSION = 0x00, 0x01, 0x04, 0x07, 0x08, 0x0A, 0x0B
QUIET = {0x09: GET, 0x0D: 0x0C, 0x11: SET, 0x12: 0x02, 0x13: 0x03, 0x14: DELETE}
QUIET |= {0x15: 0x05, 0x16: 0x06, 0x19: 0x0E, 0x1A: 0x0F}
QUIET |= {0x17: QUIT, 0x18: FLUSH, 0x1E: 0x1D, 0x24: 0x23}
STORE = {SET: OP["OpSet"], 0x02: OP["OpAdd"], 0x03: OP["OpReplace"]}
TOUCH = {0x1C: OP["OpTouch"], 0x1D: OP["OpGat"], 0x23: OP["OpGat"]}
COUNT = {0x05: OP["OpIncr"], 0x06: OP["OpDecr"]}
JOIN = {0x0E: OP["OpAppend"], 0x0F: OP["OpPrepend"]}
STAT = 0x10
PIECES = structs.constant("CommandPieces")
NO_START = 2**32 - 1  # the exptime of a count that stores nothing where there is no item
READS = (OP["OpGet"], OP["OpGat"])
TAKES = (*STORE.values(), *JOIN.values())  # a value


@dataclass
class Operation:
    """One operation: fields of op_t and of request_t that are not zero, and its words."""

    op: dict[str, int] = field(default_factory=dict)
    request: dict[str, int] = field(default_factory=dict)
    key: bytes = b""
    value: bytes = b""
    waits: bool = False  # over TCP memcached would wait for more bytes instead
    unknown: bytes = b""  # the word that is no ASCII command here
    words: tuple[bytes, ...] = ()  # for the host: of its line, or its key
    opaque: bytes | None = None  # what came with an O

    def packed(self, conn: int, lane: int, *, tcp: bool = False) -> dict[str, Any]:
        """As `structs.unpack("request_t", ...)` gives it."""
        op = dict(self.op, conn=conn, tcp=int(tcp), lane=lane, key_len=len(self.key))
        op["key_words"] = op.get("with_key", 0)
        length = NUMBER_BYTES if op.get("op") in COUNT.values() else len(self.value)
        bits = structs.pack("request_t", op=op, value_len=length, **self.request)
        return structs.unpack("request_t", bits)


def pieces(words: tuple[bytes, ...]) -> list[tuple[bool, bytes]]:
    """What the host gets of these words: up to eight bytes each, and whether a word begins."""
    out = [(at == 0, word[at : at + 8]) for word in words for at in range(0, len(word), 8)]
    return out[:PIECES]


class Limit:
    """What the host has set."""

    most_bytes = MAX_ITEM  # of an item


def too_large(key: bytes, flags: int, length: int) -> bool:
    return ITEM_BYTES + (FLAG_BYTES if flags else 0) + len(key) + length > Limit.most_bytes


def expiry(exptime: int, now: int) -> int:
    """Of a signed exptime: 0 = never."""
    if exptime == 0:
        return 0
    if exptime < 0:
        return 1
    return (now + exptime) % 2**32 if exptime <= MONTH else exptime


def flush_time(exptime: int, now: int) -> int:
    """When a flush takes effect: 0 = now."""
    return (expiry(exptime, now) - 1) % 2**32 if exptime > 0 else 0


def _strtol(text: bytes) -> tuple[int, bool] | None:
    """C's reading of the longest number at the start: value, and whether the rest is allowed."""
    at = 0
    while at < len(text) and text[at] in b"\t\n\v\f\r":
        at += 1
    negative = text[at : at + 1] == b"-"
    if text[at : at + 1] in (b"-", b"+"):
        at += 1
    start = at
    while at < len(text) and text[at] in b"0123456789":
        at += 1
    if at == start or (at < len(text) and text[at] not in b"\t\n\v\f\r"):
        return None
    value = int(text[start:at])
    return -value if negative else value, True


def signed(text: bytes) -> int | None:
    """safe_strtol: in range of 64 bits, of which the lower 32 count."""
    found = _strtol(text)
    if found is None or not -(2**63) <= found[0] < 2**63:
        return None
    return (found[0] + 2**31) % 2**32 - 2**31


def unsigned64(text: bytes) -> int | None:
    """safe_strtoull: -1 is refused, but only as its 64 bits look negative."""
    found = _strtol(text)
    if found is None or abs(found[0]) >= 2**64:
        return None
    bits = found[0] % 2**64
    if bits >= 2**63 and b"-" in text:
        return None
    return bits


def unsigned(text: bytes) -> int | None:
    """safe_strtoul: read in 64 bits, of which the lower 32 count."""
    bits = unsigned64(text)
    return None if bits is None else bits % 2**32


def error(
    status: str, *, quiet: int = False, cancel: int = False, waits: bool = False, **op: Any
) -> Operation:
    fields = dict(op=OP["OpNone"], status=STATUS[status], quiet=int(quiet), cancel=int(cancel))
    return Operation(dict(fields, **op), waits=waits)


def refused(key: bytes, replaces: bool, *, waits: bool = False, **op: Any) -> Operation:
    """An item that is too large. That of a SET takes away the one that is there."""
    if not replaces:
        return error("StTooLarge", waits=waits, **op)
    fields = dict(op=OP["OpRefuse"], status=STATUS["StTooLarge"], quiet=0)
    return Operation({**fields, **op}, key=key, waits=waits)


def say(what: str, *, quiet: bool = False, **op: int) -> Operation:
    return Operation(dict(op=OP["OpNone"], say=SAY[what], quiet=int(quiet), **op))


class _Ascii:
    def __init__(
        self, packet: bytes, now: int, store_bytes: int, made_values: bool, meta: bool
    ) -> None:
        self.data, self.now, self.store_bytes = packet, now, store_bytes
        self.made_values = made_values
        self.metas = request_meta.COMMANDS if meta else ()
        self.at = 0
        self.out: list[Operation] = []

    def run(self) -> list[Operation]:
        while self.at < len(self.data):
            end = self.data.find(b"\n", self.at)
            if end < 0:
                self.cut_line(self.data[self.at :])
                break
            line = self.data[self.at : end]
            self.at = end + 1
            if line.endswith(b"\r"):
                line = line[:-1]
            if not self.line([t for t in line.split(b"\0")[0].split(b" ") if t]):
                break
        return self.out

    def cut_line(self, line: bytes) -> None:
        """The packet ends inside a line. The keys of a get that are complete were operations
        before that was known."""
        ended = b"\0" in line
        tokens = line.split(b"\0")[0].split(b" ")
        if not ended:
            tokens.pop()
        tokens = [t for t in tokens if t]
        reads = tokens[:1] in ([b"get"], [b"bget"], [b"gets"], [b"gat"], [b"gats"])
        if tokens[:1] in ([b"gat"], [b"gats"]):
            exptime = signed(tokens[1]) if len(tokens) > 1 else None
            if exptime is not None:
                self.keys(tokens[0], tokens[2:], complete=False, exptime=exptime)
        elif reads:
            self.keys(tokens[0], tokens[1:], complete=False)
        self.out.append(error("StUnknown", cancel=reads, waits=True))

    def line(self, tokens: list[bytes]) -> bool:
        """False when the rest of the packet is given up."""
        command = tokens[0] if tokens else b""
        handler = {
            b"get": self.get,
            b"bget": self.get,
            b"gets": self.get,
            b"set": self.set,
            b"cas": self.set,
            b"add": self.set,
            b"replace": self.set,
            b"append": self.set,
            b"prepend": self.set,
            b"delete": self.delete,
            b"touch": self.touch,
            b"gat": self.gat,
            b"gats": self.gat,
            b"incr": self.count,
            b"decr": self.count,
            b"flush_all": self.flush_all,
            b"verbosity": self.verbosity,
        }.get(command)
        if command in self.metas:
            handler = self.meta
        made = (b"incr", b"decr", b"ma", b"append", b"prepend")
        if command in made and not self.made_values:
            handler = None
        if handler is not None:
            return bool(handler(tokens))
        if command == b"version":
            self.out.append(say("SayVersion"))
        elif command in host.LINES:
            self.out.append(Operation(dict(op=OP["OpHost"]), words=tuple(tokens)))
        elif command == b"quit":
            return False
        else:
            self.out.append(replace(error("StUnknown"), unknown=command))
        return True

    def get(self, tokens: list[bytes]) -> bool:
        if len(tokens) == 1:
            self.out.append(error("StUnknown"))
        else:
            self.keys(tokens[0], tokens[1:], complete=True)
        return True

    def gat(self, tokens: list[bytes]) -> bool:
        exptime = signed(tokens[1]) if len(tokens) > 1 else 0
        if len(tokens) == 1:
            self.out.append(error("StUnknown"))
        elif exptime is None:
            self.out.append(error("StBadTime"))
        elif len(tokens) == 2:
            self.out.append(say("SayEnd"))
        else:
            self.keys(tokens[0], tokens[2:], complete=True, exptime=exptime)
        return True

    def keys(
        self, command: bytes, keys: list[bytes], *, complete: bool, exptime: int | None = None
    ) -> None:
        request = {} if exptime is None else dict(expiry=expiry(exptime, self.now))
        for i, key in enumerate(keys):
            if len(key) > MAX_KEY:
                if complete:
                    self.out.append(error("StBadFormat", cancel=True))
                return
            op = dict(op=OP["OpGet" if exptime is None else "OpGat"], with_key=1)
            op.update(cmd_first=int(i == 0), cmd_last=int(complete and i == len(keys) - 1))
            op["with_cas"] = int(command.endswith(b"s"))
            self.out.append(Operation(op, request, key))

    def set(self, tokens: list[bytes]) -> bool:
        compares = tokens[0] == b"cas"
        if len(tokens) not in ((6, 7) if compares else (5, 6)):
            self.out.append(error("StUnknown"))
            return True
        quiet = tokens[-1] == b"noreply"
        key = tokens[1]
        flags, exptime, length = unsigned(tokens[2]), signed(tokens[3]), signed(tokens[4])
        # No item has the number 0, which would mean that none is compared, nor the largest.
        unique = unsigned64(tokens[5]) if compares else 0
        if compares and unique == 0:
            unique = 2**64 - 1
        if len(key) > MAX_KEY or flags is None or exptime is None or length is None:
            self.out.append(error("StBadFormat", quiet=quiet))
            return True
        if unique is None or length < 0 or length > 2**31 - 3:
            self.out.append(error("StBadFormat", quiet=quiet))
            return True
        request = dict(flags=flags, expiry=expiry(exptime, self.now), cas=unique)
        ops = {b"add": OP["OpAdd"], b"replace": OP["OpReplace"]}
        joins = {b"append": OP["OpAppend"], b"prepend": OP["OpPrepend"]}
        if tokens[0] in joins:  # the item's flags and expiry stay
            request = {}
        op = (ops | joins).get(tokens[0], OP["OpSet"])
        put = Operation(dict(op=op, quiet=int(quiet)), request, key)
        return self.value(put, flags, length, quiet=quiet, replaces=tokens[0] == b"set")

    def value(
        self, put: Operation, flags: int, length: int, *, quiet: bool, replaces: bool
    ) -> bool:
        """What becomes of an operation, by the value behind its line."""
        if too_large(put.key, flags, length):
            self.out.append(refused(put.key, replaces, quiet=quiet, waits=True))
            return False
        put.value = self.data[self.at : self.at + length]
        tail = self.data[self.at + length : self.at + length + 2]
        self.at += length + 2
        if tail != b"\r\n":
            self.out.append(error("StBadChunk", quiet=quiet, waits=len(tail) < 2))
            return len(tail) == 2
        if length > self.store_bytes:
            self.out.append(refused(put.key, replaces, quiet=quiet))
            return True
        self.out.append(put)
        return True

    def meta(self, tokens: list[bytes]) -> bool:
        command = tokens[0]
        if command == b"mn":
            self.out.append(say("SayOk", meta=1))
            return True
        if len(tokens) == 1:
            self.out.append(error("StUnknown"))
            return True
        key, words = tokens[1], tokens[2:]
        length: int | None = 0
        if command == b"ms":
            length = signed(words.pop(0)) if words else None
        if len(key) > MAX_KEY or length is None or not 0 <= length <= 2**31 - 3:
            self.out.append(error("StBadFormat"))
            return True
        kinds: dict[bytes, request_meta.Number]
        kinds = {b"T": signed, b"F": unsigned, b"C": unsigned64, b"N": signed}
        kinds |= {b"J": unsigned64, b"D": unsigned64, b"E": unsigned64, b"R": signed}
        flags = request_meta.read(command, key, words, kinds, self.made_values)
        item_flags = flags.numbers.get(b"F", 0)
        if flags.status:  # a value is not looked at
            whole = command != b"ms" or len(self.data) - self.at >= length + 2
            self.out.append(error(flags.status, waits=not whole))
            self.at += length + 2 if command == b"ms" else 0
            return True
        op = flags.fields(command)
        time = expiry(flags.numbers.get(b"T", 0), self.now)
        unique = flags.numbers.get(b"C")
        put = Operation(op, key=flags.key, opaque=flags.opaque)
        if unique is not None and command != b"mg":
            put.request["cas"] = unique or 2**64 - 1
        if command == b"md":
            op["op"] = OP["OpDelete"]
            if flags.has(b"I"):
                put.request["stale"] = 1
            if flags.has(b"x"):
                put.request |= dict(clears=1, flags=item_flags, expiry=time)
            elif flags.has(b"I") and flags.has(b"T"):
                put.request |= dict(touches=1, expiry=time)
            if flags.has(b"I") or flags.has(b"x"):
                put.request |= flags.gives()
        elif command == b"ma":
            op["op"] = OP[request_meta.COUNTS[flags.mode or b"I"]]
            put.request = dict(delta=flags.numbers.get(b"D", 1), cas=unique or 0)
            times = [letter for letter in flags.letters if letter in b"NT"]
            if times:  # the last one
                last = flags.numbers[bytes(times[-1:])]
                put.request |= dict(expiry=expiry(last, self.now), earlier=int(flags.before()))
            if flags.has(b"N"):
                put.request |= dict(creates=1, start=flags.numbers.get(b"J", 0))
            put.request |= dict(touches=int(flags.has(b"T")), **flags.gives())
        elif command == b"mg":
            names = ("OpLook", "OpTouch", "OpGet", "OpGat")
            op["op"] = OP[names[2 * flags.has(b"v") + flags.has(b"T")]]
            put.request = {}
            if flags.has(b"T"):
                put.request = dict(expiry=time, earlier=int(flags.before()))
            if flags.has(b"N"):
                until = expiry(flags.numbers[b"N"], self.now)
                put.request = dict(creates=1, expiry=until, earlier=int(flags.before()))
                put.request |= flags.gives()
            put.request["idle"] = int(flags.has(b"u"))
            put.request["delta"] = 0
            if flags.has(b"R"):
                renewed = -1 < flags.letters.find(b"T") < flags.letters.find(b"R")
                put.request |= dict(recaches=1, renewed=int(renewed))
                put.request["delta"] = expiry(flags.numbers[b"R"], self.now)
            if flags.has(b"T") and flags.has(b"N"):  # wc_request_twice makes two of it
                last = flags.numbers[max((b"N", b"T"), key=flags.letters.find)]
                put.request |= dict(expiry=expiry(last, self.now), stale=int(flags.after()))
                put.request["delta"] |= time << 32
        else:
            mode = request_meta.MODES[flags.mode or b"S"]
            # what is stored by a number must be there; none has the number 0, which add and what
            # joins do not ask for
            op["op"] = OP["OpSet" if mode == "OpReplace" and unique is not None else mode]
            if op["op"] in JOIN.values():
                put.request = dict(cas=unique or 0)
            else:
                put.request.update(flags=item_flags, expiry=time, stale=int(flags.has(b"I")))
            if mode == "OpAdd":
                put.request.pop("cas", None)
            put.request |= flags.gives()
            return self.value(put, item_flags, length, quiet=False, replaces=True)
        self.out.append(put)
        return True

    def delete(self, tokens: list[bytes]) -> bool:
        if not 2 <= len(tokens) <= 4:
            self.out.append(error("StUnknown"))
            return True
        key = tokens[1]
        quiet = False
        if len(tokens) > 2:
            quiet = tokens[-1] == b"noreply"
            zero = tokens[2] == b"0"
            if not ((zero or quiet) if len(tokens) == 3 else (zero and quiet)):
                self.out.append(error("StBadDelete", quiet=quiet))
                return True
        if len(key) > MAX_KEY:
            self.out.append(error("StBadFormat", quiet=quiet))
        else:
            self.out.append(Operation(dict(op=OP["OpDelete"], quiet=int(quiet)), key=key))
        return True

    def touch(self, tokens: list[bytes]) -> bool:
        if len(tokens) not in (3, 4):
            self.out.append(error("StUnknown"))
            return True
        quiet = tokens[-1] == b"noreply"
        key, exptime = tokens[1], signed(tokens[2])
        if len(key) > MAX_KEY:
            self.out.append(error("StBadFormat", quiet=quiet))
        elif exptime is None:
            self.out.append(error("StBadTime", quiet=quiet))
        else:
            request = dict(expiry=expiry(exptime, self.now))
            self.out.append(Operation(dict(op=OP["OpTouch"], quiet=int(quiet)), request, key))
        return True

    def count(self, tokens: list[bytes]) -> bool:
        if len(tokens) not in (3, 4):
            self.out.append(error("StUnknown"))
            return True
        quiet = tokens[-1] == b"noreply"
        key, delta = tokens[1], unsigned64(tokens[2])
        if len(key) > MAX_KEY:
            self.out.append(error("StBadFormat", quiet=quiet))
        elif delta is None:
            self.out.append(error("StBadDelta", quiet=quiet))
        else:
            op = OP["OpIncr" if tokens[0] == b"incr" else "OpDecr"]
            self.out.append(Operation(dict(op=op, quiet=int(quiet)), dict(delta=delta), key))
        return True

    def flush_all(self, tokens: list[bytes]) -> bool:
        if len(tokens) > 3:
            self.out.append(error("StUnknown"))
            return True
        quiet = tokens[-1] == b"noreply"
        exptime: int | None = 0
        if len(tokens) != (2 if quiet else 1):
            exptime = signed(tokens[1])
        if exptime is None:
            self.out.append(error("StBadTime", quiet=quiet))
        else:
            request = dict(expiry=flush_time(exptime, self.now))
            self.out.append(Operation(dict(op=OP["OpFlush"], quiet=int(quiet)), request))
        return True

    def verbosity(self, tokens: list[bytes]) -> bool:
        if len(tokens) not in (2, 3):
            self.out.append(error("StUnknown"))
            return True
        quiet = tokens[-1] == b"noreply"
        if unsigned(tokens[1]) is None:
            self.out.append(error("StBadFormat", quiet=quiet))
        else:
            self.out.append(say("SayOk", quiet=quiet))
        return True


class _Binary:
    def __init__(self, packet: bytes, now: int, store_bytes: int, made_values: bool) -> None:
        self.data, self.now, self.store_bytes = packet, now, store_bytes
        self.made = {**COUNT, **JOIN} if made_values else {}
        self.at = 0
        self.out: list[Operation] = []

    def run(self) -> list[Operation]:
        while self.at < len(self.data) and self.request():
            pass
        return self.out

    def request(self) -> bool:
        """False when the rest of the packet is given up."""
        rest = self.data[self.at :]
        if rest[0] != 0x80 and len(rest) >= 8:
            return False
        if len(rest) < 24:
            opcode = rest[1] if len(rest) >= 8 else 0
            opaque = int.from_bytes(rest[12:16], "little") if len(rest) >= 16 else 0
            echo = dict(binary=1, opcode=opcode, opaque=opaque)
            self.out.append(error("StBadFormat", waits=True, **echo))
            return False
        _, opcode, key_len, extras_len, _, _, body_len, opaque, cas = struct.unpack(
            ">BBHBBHIIQ", rest[:24]
        )
        opaque = int.from_bytes(rest[12:16], "little")  # echoed as it came, never a number
        echo = dict(binary=1, opcode=opcode, opaque=opaque)
        kind = QUIET.get(opcode, opcode)
        quiet = opcode in QUIET
        body = rest[24 : 24 + body_len]
        extras, key = body[:extras_len], body[extras_len : extras_len + key_len]
        value_len = body_len - key_len - extras_len
        waits = len(rest) < 24 + extras_len + key_len
        if value_len < 0:
            self.out.append(error("StUnknown", waits=waits, **echo))
            return False
        known = (STAT, GET, *STORE, *TOUCH, *self.made, DELETE, QUIT, FLUSH, NOOP, VERSION, 0x0C)
        valid = key_len <= MAX_KEY
        if valid and kind not in known:
            self.out.append(error("StUnknown", waits=len(body) < body_len, **echo))
            self.at += 24 + body_len
            return True
        if kind in (GET, 0x0C, DELETE):
            valid = valid and key_len > 0 and extras_len == 0 and value_len == 0
        elif kind in STORE:
            valid = valid and key_len > 0 and extras_len == 8
        elif kind in JOIN:
            valid = valid and key_len > 0 and extras_len == 0
        elif kind in TOUCH:
            valid = valid and key_len > 0 and extras_len == 4 and value_len == 0
        elif kind in COUNT:
            valid = valid and key_len > 0 and extras_len == 20 and value_len == 0
        elif kind == FLUSH:
            valid = valid and key_len == 0 and value_len == 0 and extras_len in (0, 4)
        elif kind == STAT:
            valid = valid and extras_len == 0 and value_len == 0
        else:
            valid = valid and body_len == 0
        if not valid or len(extras) < extras_len or len(key) < key_len:
            self.out.append(error("StBadFormat", waits=waits, **echo))
            return False
        self.at += 24 + body_len
        if kind in (QUIT, NOOP, VERSION):
            self.out.append(say("SayVersion" if kind == VERSION else "SayOk", quiet=quiet, **echo))
            return bool(kind != QUIT)
        if kind == STAT:
            words = (key,) if key else ()
            self.out.append(Operation(dict(echo, op=OP["OpHost"]), words=words))
            return True
        op = dict(echo, quiet=int(quiet))
        if kind == FLUSH:
            request = dict(expiry=flush_time(int.from_bytes(extras, "big"), self.now))
            self.out.append(Operation(dict(op, op=OP["OpFlush"]), request))
        elif kind == DELETE:
            self.out.append(Operation(dict(op, op=OP["OpDelete"]), dict(cas=cas), key))
        elif kind in TOUCH:
            op.update(op=TOUCH[kind], with_key=int(kind == 0x23))
            request = dict(expiry=expiry(int.from_bytes(extras, "big"), self.now))
            self.out.append(Operation(op, request, key))
        elif kind in COUNT:
            delta, start, exptime = struct.unpack(">QQI", extras)
            request = dict(delta=delta, cas=cas)
            if exptime != NO_START:
                request.update(creates=1, start=start, expiry=expiry(exptime, self.now))
            self.out.append(Operation(dict(op, op=COUNT[kind]), request, key))
        elif kind in STORE:
            # a CAS number makes it a set: of the item of that number
            op["op"] = OP["OpSet"] if cas else STORE[kind]
            flags, exptime = struct.unpack(">II", extras)
            fields = dict(flags=flags, expiry=expiry(exptime, self.now), cas=cas)
            value = body[8 + key_len :]
            return self.set(op, echo, fields, key, value, value_len, replaces=kind == SET)
        elif kind in JOIN:
            op["op"] = JOIN[kind]
            value = body[key_len:]
            return self.set(op, echo, dict(cas=cas), key, value, value_len, replaces=False)
        else:
            op.update(op=OP["OpGet"], with_key=int(kind == 0x0C))
            self.out.append(Operation(op, key=key))
        return True

    def set(
        self,
        op: dict[str, int],
        echo: dict[str, Any],
        request: dict[str, int],
        key: bytes,
        value: bytes,
        value_len: int,
        *,
        replaces: bool,
    ) -> bool:
        if too_large(key, request.get("flags", 0), value_len):
            self.out.append(refused(key, replaces, waits=True, **echo))
            return False
        if len(value) < value_len:
            self.out.append(error("StBadFormat", waits=True, **echo))
            return False
        if value_len > self.store_bytes:
            self.out.append(refused(key, replaces, **echo))
            return True
        self.out.append(Operation(op, request, key, value))
        return True


def parse(
    packet: bytes,
    now: int,
    store_bytes: int = STORE_BYTES,
    *,
    made_values: bool = True,
    meta: bool = True,
    room: bool = True,
    tcp: bool | None = None,
) -> list[Operation]:
    """The operations of a packet; the last has op.last, and there is always one. So has the one
    that ends the command which brings a message to MESSAGE_OPERATIONS; more messages follow.
    Without `made_values` incr, decr, ma, append and prepend are no commands, nor those modes of ms,
    and without `meta` mn, mg, ms, md and ma are none. A command of the host ends
    its message; without `room` for it, it is an error.
    `tcp` says of a packet of TCP whether its protocol is the binary one. Its messages end
    otherwise, see `_end_tcp_messages`."""
    binary = packet[:1] == b"\x80" if tcp is None else tcp
    if binary:
        out = _Binary(packet, now, store_bytes, made_values).run()
    else:
        out = _Ascii(packet, now, store_bytes, made_values, meta).run()
    if not out:
        out = [say("SaySilent", binary=int(binary))]
    if not room:
        for operation in out:
            if operation.op["op"] == OP["OpHost"]:
                operation.op.update(op=OP["OpNone"], status=STATUS["StBusy"])
    if tcp is None:
        _end_messages(out)
    else:
        _end_tcp_messages(out)
    out[-1].op["last"] = 1
    return out


def _end_messages(out: list[Operation]) -> None:
    count = 0
    for operation in out[:-1]:
        op = operation.op
        count += 1
        keys = op["op"] in READS and not op.get("binary") and not op.get("meta")
        goes_on = keys and not op.get("cmd_last")
        if (count >= MESSAGE_OPERATIONS and not goes_on) or op["op"] == OP["OpHost"]:
            op["last"] = op["more"] = 1
            count = 0


def tcp_words(operation: Operation) -> int:
    """What an operation adds to its message."""
    return -(-len(operation.key) // 8) + (TCP_META if operation.op.get("meta") else TCP_OTHER)


def _end_tcp_messages(out: list[Operation]) -> None:
    """What takes a value is alone. Else a message ends when its words are enough."""
    total = 0
    for operation, behind in pairwise(out):
        op = operation.op
        total += tcp_words(operation)
        alone = op["op"] in TAKES or behind.op["op"] in TAKES
        if alone or op["op"] == OP["OpHost"] or total >= TCP_WORDS:
            op["last"] = op["more"] = 1
            total = 0
