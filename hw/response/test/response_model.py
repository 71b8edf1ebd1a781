# SPDX-License-Identifier: Apache-2.0
"""The answers of memcached 1.6.18, byte for byte, as a function of what the index found.

Written from the protocol, not from the RTL;
test_response_model.py holds it against a real memcached.
"""

from __future__ import annotations

import struct
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wirecache.circuit import structs

OP = structs.enum("op_e")
SAY = structs.enum("say_e")
STATUS = structs.enum("status_e")
SHOW = structs.enum("show_e")
AROUND, META_AROUND = (structs.constant(f"{kind}AroundBytes") for kind in ("", "Meta"))
FOREVER = (1 << structs.width("seconds_t")) - 1
OPAQUE_BYTES = structs.constant("OpaqueBytes")
BESIDE = (
    structs.constant("MaxKeyBytes") + META_AROUND
)  # what an answer has beside its value, at most
NO_LIMIT = (1 << structs.width("answer_limit_t")) - 1

GET, SET, ADD, REPLACE, DELETE, FLUSH = 0x00, 0x01, 0x02, 0x03, 0x04, 0x08
INCR, DECR = 0x05, 0x06
APPEND, PREPEND = 0x0E, 0x0F
QUIT, NOOP, VERSION, GETK = 0x07, 0x0A, 0x0B, 0x0C
TOUCH, GAT, GATK = 0x1C, 0x1D, 0x23
QUIET_OF = {
    SET: 0x11,
    ADD: 0x12,
    REPLACE: 0x13,
    GET: 0x09,
    DELETE: 0x14,
    INCR: 0x15,
    DECR: 0x16,
    APPEND: 0x19,
    PREPEND: 0x1A,
    FLUSH: 0x18,
    QUIT: 0x17,
    GETK: 0x0D,
    GAT: 0x1E,
    GATK: 0x24,
}

ASCII_ERRORS = {
    STATUS.StNotFound: "NOT_FOUND",
    STATUS.StExists: "EXISTS",
    STATUS.StNoMemory: "SERVER_ERROR out of memory storing object",
    STATUS.StMemory: "SERVER_ERROR memory error",
    STATUS.StBusy: "SERVER_ERROR host busy",
    STATUS.StUnknown: "ERROR",
    STATUS.StBadFormat: "CLIENT_ERROR bad command line format",
    STATUS.StBadChunk: "CLIENT_ERROR bad data chunk",
    STATUS.StTooLarge: "SERVER_ERROR object too large for cache",
    STATUS.StBadTime: "CLIENT_ERROR invalid exptime argument",
    STATUS.StAnswerTooLarge: "SERVER_ERROR answer too large",
    STATUS.StBadDelete: ("CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]"),
    STATUS.StNotStored: "NOT_STORED",
    STATUS.StNotNumber: "CLIENT_ERROR cannot increment or decrement non-numeric value",
    STATUS.StBadDelta: "CLIENT_ERROR invalid numeric delta argument",
    STATUS.StBadToken: "CLIENT_ERROR bad token in command line format",
    STATUS.StDuplicateFlag: "CLIENT_ERROR duplicate flag",
    STATUS.StInvalidFlag: "CLIENT_ERROR invalid flag",
    STATUS.StLongOpaque: "CLIENT_ERROR opaque token too long",
    STATUS.StBadModeLength: "CLIENT_ERROR incorrect length for M token",
    STATUS.StBadMode: "CLIENT_ERROR invalid mode for ms M token",
    STATUS.StBadFlag: "CLIENT_ERROR invalid or duplicate flag",
    STATUS.StUndecoded: "CLIENT_ERROR error decoding key",
    STATUS.StBadArithmeticMode: "CLIENT_ERROR invalid mode for ma M token",
}
BINARY_ERRORS = {
    STATUS.StNotFound: (0x01, "Not found"),
    STATUS.StExists: (0x02, "Data exists for key."),
    STATUS.StTooLarge: (0x03, "Too large."),
    STATUS.StAnswerTooLarge: (0x03, "Too large."),
    STATUS.StBadFormat: (0x04, "Invalid arguments"),
    STATUS.StBadChunk: (0x04, "Invalid arguments"),
    STATUS.StBadTime: (0x04, "Invalid arguments"),
    STATUS.StBadDelete: (0x04, "Invalid arguments"),
    STATUS.StBadDelta: (0x04, "Invalid arguments"),
    STATUS.StNotStored: (0x05, "Not stored."),
    STATUS.StNotNumber: (0x06, "Non-numeric server-side value for incr or decr"),
    STATUS.StUnknown: (0x81, "Unknown command"),
    STATUS.StNoMemory: (0x82, "Out of memory allocating item"),
    STATUS.StMemory: (0x84, "Internal error"),
    STATUS.StBusy: (0x85, "Busy"),
}


@dataclass
class Item:
    """An operation as the response sees it: fields of op_t and result_t, its key and its value."""

    op: int
    status: int = 0
    key: bytes = b""
    value: bytes = b""
    flags: int = 0
    cas: int = 0
    say: int = 0
    binary: bool = False
    meta: bool = False
    shows: tuple[int, ...] = ()  # of a meta command, in this order
    name: bytes = b""  # what came with O
    ttl: int = 0
    unused: int = 0
    fetched: bool = False
    stale: bool = False
    won: bool = False  # before
    wins: bool = False  # now
    quiet: bool = False
    with_key: bool = False
    encoded: bool = False  # the key is shown in base64
    with_cas: bool = False
    cmd_first: bool = False
    cmd_last: bool = False
    cancel: bool = False
    opcode: int = 0
    opaque: bytes = b"\0\0\0\0"
    pointer: int = 0
    value_len: int | None = None  # of a SET; what reads has its value. Digits of what counts
    extra: dict[str, Any] = field(default_factory=dict)  # fields the answer does not look at

    @property
    def hit(self) -> bool:
        return self.op in READS and self.status == STATUS.StOk

    @property
    def counted(self) -> bool:
        return self.op in COUNTS and self.status == STATUS.StOk

    @property
    def named(self) -> bool:
        """Words come that are what came with O."""
        return self.meta and SHOW.ShowOpaque in self.shows

    @property
    def number(self) -> int:
        """What an INCR or DECR made of its item's."""
        return self.flags << 32 | self.pointer if self.binary or self.meta else self.cas

    def result(self, lane: int, conn: int, last: bool, more: bool = False) -> dict[str, Any]:
        """The result_t."""
        flags = (
            "binary",
            "meta",
            "quiet",
            "with_key",
            "with_cas",
            "cmd_first",
            "cmd_last",
            "encoded",
        )
        echoed = self.opcode | int.from_bytes(self.opaque, "little") << 8
        if self.meta:
            echoed = sum(show << 4 * place for place, show in enumerate(self.shows))
        return {
            "op": {
                "lane": lane,
                "conn": conn,
                "last": int(last),
                "more": int(last and more),
                "op": int(self.op),
                "say": int(self.say),
                "status": int(self.status),
                "opcode": echoed & 0xFF,
                "opaque": echoed >> 8,
                "key_len": len(self.key),
                "cancel": int(self.cancel),
                "key_words": int(self.with_key),
                **{name: int(getattr(self, name)) for name in flags},
            },
            "value_len": len(self.value) if self.value_len is None else self.value_len,
            "flags": self.flags,
            "ttl": self.ttl,
            "unused": self.unused,
            "cas": self.cas,
            "marks": {name: int(getattr(self, name)) for name in ("fetched", "stale", "won")},
            "wins": int(self.wins),
            "pointer": self.pointer,
            **self.extra,
        }


JOINS = (OP.OpAppend, OP.OpPrepend)
STORES = (OP.OpSet, OP.OpAdd, OP.OpReplace, *JOINS)
READS = (OP.OpGet, OP.OpGat)
COUNTS = (OP.OpIncr, OP.OpDecr)
SHOWN_BY = {
    "k": SHOW.ShowKey,
    "O": SHOW.ShowOpaque,
    "f": SHOW.ShowFlags,
    "s": SHOW.ShowSize,
    "t": SHOW.ShowTtl,
    "c": SHOW.ShowCas,
    "v": SHOW.ShowNumber,  # of ma, behind all others
    "h": SHOW.ShowFetched,
    "l": SHOW.ShowUnused,
    "W": SHOW.ShowMarks,  # of mg, behind all others
}
LOOKS = (*READS, OP.OpLook, OP.OpTouch)
NOT_STORED = ((OP.OpAdd, STATUS.StExists), (OP.OpReplace, STATUS.StNotFound))


def version_bits(text: bytes) -> int:
    """The setting, as a version_t."""
    return structs.pack("version_t", bytes=len(text), line=int.from_bytes(text + b"\r\n", "little"))


def answer(item: Item, version: bytes | None = None) -> bytes:
    """What memcached sends for one operation. To a command of the host that answers."""
    version = structs.text("VersionText") if version is None else version
    if item.op == OP.OpHost:
        return b""
    if item.meta:
        return _meta(item)
    return _binary(item, version) if item.binary else _ascii(item, version)


def _ascii(item: Item, version: bytes) -> bytes:
    if item.quiet:
        return b""
    if item.op in READS and item.status in (STATUS.StOk, STATUS.StNotFound):
        out = b""
        if item.hit:
            cas = b" %d" % item.cas if item.with_cas else b""
            line = b"VALUE %s %d %d%s\r\n" % (item.key, item.flags, len(item.value), cas)
            out = line + item.value + b"\r\n"
        return out + (b"END\r\n" if item.cmd_last else b"")
    if (item.op, item.status) in NOT_STORED:
        return b"NOT_STORED\r\n"
    if item.status != STATUS.StOk:
        return ASCII_ERRORS[STATUS(item.status)].encode() + b"\r\n"
    if item.counted:
        return b"%d\r\n" % item.number
    if item.op == OP.OpNone:
        says = {
            SAY.SaySilent: b"",
            SAY.SayOk: b"OK\r\n",
            SAY.SayVersion: b"VERSION %s\r\n" % version,
            SAY.SayEnd: b"END\r\n",
        }
        return says[SAY(item.say)]
    done = dict.fromkeys(STORES, b"STORED\r\n") | {
        OP.OpDelete: b"DELETED\r\n",
        OP.OpTouch: b"TOUCHED\r\n",
        OP.OpFlush: b"OK\r\n",
    }
    return done[OP(item.op)]


def _meta(item: Item) -> bytes:
    if item.op == OP.OpNone and item.status == STATUS.StOk:
        return b"" if item.say == SAY.SaySilent else b"MN\r\n"
    if item.quiet and item.status == (STATUS.StNotFound if item.op in LOOKS else STATUS.StOk):
        return b""
    show = {"O": item.name}
    if item.op in STORES:
        show["c"] = b"0"  # nothing is stored, if no number comes
    if item.with_key:
        show["k"] = b64encode(item.key) + b" b" if item.encoded else item.key
    value = b""
    if item.status == STATUS.StOk:
        size = len(item.value) if item.value_len is None else item.value_len
        ttl = -1 if item.ttl == FOREVER else item.ttl
        numbers = {"f": item.flags, "s": size, "t": ttl, "c": item.cas}
        numbers |= {"h": int(item.fetched), "l": item.unused}
        show |= {letter: b"%d" % number for letter, number in numbers.items()}
        word = b"VA %d" % size if item.hit else b"HD"
        value = item.value + b"\r\n" if item.hit else b""
        if item.counted and SHOW.ShowNumber in item.shows:
            digits = b"%d" % item.number
            word, value = b"VA %d" % len(digits), digits + b"\r\n"
    elif item.status == STATUS.StNotStored or (item.op, item.status) in NOT_STORED:
        word = b"NS"
    elif item.status == STATUS.StNotFound:
        word = b"EN" if item.op in LOOKS else b"NF"
    elif item.status == STATUS.StExists:
        word = b"EX"
    else:
        return ASCII_ERRORS[STATUS(item.status)].encode() + b"\r\n"
    letters = {kind: letter for letter, kind in SHOWN_BY.items()}
    asked = [letters[kind] for kind in item.shows if letters[kind] in show]
    shown = b"".join(b" " + letter.encode() + show[letter] for letter in asked)
    if SHOW.ShowMarks in item.shows and item.status == STATUS.StOk:
        shown += b" Z" * item.won + b" X" * (item.stale and (item.won or item.wins))
        shown += b" W" * (item.wins and not item.won)
    return word + shown + b"\r\n" + value


def _binary(item: Item, version: bytes) -> bytes:
    code, extras, key, body, cas = 0, b"", b"", b"", 0
    if item.op == OP.OpNone and item.status == STATUS.StOk and item.say == SAY.SaySilent:
        return b""
    if item.status == STATUS.StOk:
        if item.quiet and item.op not in READS:
            return b""
        if item.op in (*READS, *STORES, *COUNTS, OP.OpTouch):
            cas = item.cas
        if item.op in (*READS, OP.OpTouch):
            extras = item.flags.to_bytes(4, "big")
        if item.op in READS:
            key, body = item.key if item.with_key else b"", item.value
        elif item.counted:
            body = item.number.to_bytes(8, "big")
        elif item.op == OP.OpNone and item.say == SAY.SayVersion:
            body = version
    else:
        code, text = BINARY_ERRORS[STATUS(item.status)]
        body = text.encode()
        if item.op in READS and item.status == STATUS.StNotFound:
            if item.quiet:
                return b""
            if item.with_key:  # the key takes the place of the text
                key, body = item.key, b""
    total = len(extras) + len(key) + len(body)
    header = struct.pack(">BBHBBHI", 0x81, item.opcode, len(key), len(extras), 0, code, total)
    return header + item.opaque + cas.to_bytes(8, "big") + extras + key + body


def silenced(item: Item, status: int = STATUS.StOk) -> Item:
    """What stands for an operation that answers nothing any more, or with an error only."""
    return replace(item, op=OP.OpNone, say=SAY.SaySilent, status=status, quiet=False)


class Limit:
    """What a datagram's answers may still take: NO_LIMIT, or as many bytes as the register says."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.over = False

    def admit(self, item: Item) -> Item:
        """The operation, or what stands for it beyond the limit: an error, then nothing. What SETs
        answer stays."""
        if not answer(item):
            return item
        value = len(item.value) if item.hit else 0
        if item.op not in STORES and (self.over or self.left < value):
            status = STATUS.StOk if self.over else STATUS.StAnswerTooLarge
            self.over = True
            return silenced(item, status)
        self.left -= value + len(item.key) + (META_AROUND if item.meta else AROUND)
        return item


class Turn(Limit):
    """Likewise of a TCP packet that is given to the parser once more, with its turn. What finds no
    room is left out, and so is all behind it."""

    item_bits = 20  # of the circuit: no item has more than 2^item_bits bytes

    def __init__(
        self, reads: bool, room: int, whole: bool = False, skip: int = 0, version: bytes = b""
    ) -> None:
        super().__init__(room - BESIDE)
        self.reads, self.room, self.whole, self.skip = reads, room, whole, skip
        self.version = version
        self.operations = 0  # answered, from the packet's beginning
        self.needs = 0
        self.errors = 0

    def admit(self, item: Item) -> Item:
        data = answer(item, self.version)
        if self.over:
            return silenced(item) if data else item
        first = self.operations == self.skip
        skipped = self.operations < self.skip
        self.operations += 1
        if skipped:
            return silenced(item) if data else item
        if not data or not self.reads:
            return item
        value = len(item.value) if item.hit else 0
        fits = self.left >= value
        if first and self.whole and self.room >= 1 << self.item_bits and not item.meta:
            fits = True
        if not fits and not (first and self.whole):
            self.over = True
            self.operations -= 1
            self.needs = len(data) + BESIDE
            return silenced(item)
        if not fits:
            self.errors += 1
            item, value = silenced(item, STATUS.StAnswerTooLarge), 0
        self.left -= value + len(item.key) + (META_AROUND if item.meta else AROUND)
        return item


def settled(items: Sequence[Item], limit: Limit | None = None) -> list[Item]:
    """The operations of a message as the limit has them; those that a cancel took back say
    nothing."""
    limit = limit or Limit(NO_LIMIT)
    kept: list[Item] = []
    mark = 0
    for item in items:
        if item.cancel and not item.cmd_first and not limit.over:
            kept[mark:] = map(silenced, kept[mark:])
        if item.cmd_first:
            mark = len(kept)
        kept.append(limit.admit(item))
        plain = not item.binary and not item.meta
        command_open = item.op in READS and plain and not item.cmd_last
        if not command_open:
            mark = len(kept)
    return kept


def message(items: Iterable[Item]) -> bytes:
    """The answer to a whole message."""
    return b"".join(answer(item) for item in settled(list(items)))
