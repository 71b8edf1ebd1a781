# SPDX-License-Identifier: Apache-2.0
"""Meta commands: what their flags mean, and what is answered.

A flag is a word: a letter, and what belongs to it. memcached reads all flags before it does
anything, whether the command has a use for them or not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from wirecache.circuit import structs
from wirecache.model import base64
from wirecache.model.answers import (
    BAD_CHUNK,
    BAD_FORMAT,
    NO_MEMORY,
    NOT_NUMBER,
    TOO_LARGE,
    absolute,
)
from wirecache.model.index import Index, Item, Needs, Status
from wirecache.model.numbers import MAX_64, signed32, unsigned32, unsigned64

PAST = 1  # an expiry in the past, as the circuit has it
_BAD_TOKEN = b"CLIENT_ERROR bad token in command line format\r\n"
_BAD_MODE_LENGTH = b"CLIENT_ERROR incorrect length for M token\r\n"
_BAD_MODE = b"CLIENT_ERROR invalid mode for %b M token\r\n"
_BAD_FLAG = b"CLIENT_ERROR invalid or duplicate flag\r\n"  # all that md and ma say
_DUPLICATE = b"CLIENT_ERROR duplicate flag\r\n"
_INVALID = b"CLIENT_ERROR invalid flag\r\n"
_UNDECODED = b"CLIENT_ERROR error decoding key\r\n"
_LONG_OPAQUE = b"CLIENT_ERROR opaque token too long\r\n"

_SHOWN = {b"mg": b"kOfstchl", b"ms": b"kOc", b"md": b"kO", b"ma": b"kOtc"}
# by all of them; memcached 1.6.18 does not know E and x
_TAKEN = b"kOfstcqvTFCMPLJDIhuRlNbEx"
_NUMBERS = {b"T": signed32, b"F": unsigned32, b"C": unsigned64, b"E": unsigned64}
# numbers that other commands do not read
_OWN = {
    b"ma": {b"J": unsigned64, b"D": unsigned64, b"N": signed32},
    b"mg": {b"R": signed32, b"N": signed32},
}

# What a mode of `ms` wants to find; the last two join.
NEEDS = {b"S": Needs.ANY, b"E": Needs.NO_ITEM, b"R": Needs.ITEM}
JOINS = (b"A", b"P")
MODES = {b"ms": b"SERAP", b"ma": b"I+D-"}
DOWN = (b"D", b"-")


@dataclass
class Flags:
    """Those of a line."""

    shown: list[bytes] = field(default_factory=list)  # what the answer is to show, in this order
    letters: bytes = b""  # all of them
    numbers: dict[bytes, int] = field(default_factory=dict)
    mode: bytes = b""
    opaque: bytes = b""
    times: list[int] = field(default_factory=list)  # of T and N, in this order
    key: bytes = b""  # what the line means by its key
    before: bool = False  # `t` came before T; without T, before N

    def __contains__(self, letter: bytes) -> bool:
        return letter in self.letters

    @property
    def cas(self) -> int:
        """The number to be compared, 0 if none is. 0 is of no item, nor is the largest one."""
        return self.numbers[b"C"] or MAX_64 if b"C" in self else 0

    @property
    def given(self) -> int | None:
        """The CAS number of what is stored or marked, if it is not to be drawn."""
        return self.numbers.get(b"E")

    def line(
        self,
        word: bytes,
        item: Item | None = None,
        cas: int | None = None,
        ttl: int = -1,
        unused: int = 0,
        marks: list[bytes] | None = None,
    ) -> bytes:
        """An answer: its first word, what is shown, and `marks`. Of an item that is not there only
        what the line brought itself is. Of one that is told of, its key is shown as it was
        stored."""
        encoded = b"b" in self if item is None else item.encoded
        key = base64.encoded(self.key) + b" b" if encoded else self.key
        texts = {b"k": key, b"O": self.opaque}
        if item is not None:
            texts |= {b"f": b"%d" % item.flags, b"s": b"%d" % len(item.value), b"t": b"%d" % ttl}
            cas = item.cas
            texts |= {b"h": b"%d" % item.fetched, b"l": b"%d" % unused}
        if cas is not None:
            texts[b"c"] = b"%d" % cas
        words = [word, *(letter + texts[letter] for letter in self.shown if letter in texts)]
        return b" ".join(words + (marks or [])) + b"\r\n"


def flags_of(command: bytes, key: bytes, words: list[bytes]) -> tuple[Flags, bytes]:
    """The flags of a line with this key, and the error to be answered, if they are wrong."""
    flags = Flags(key=key)
    error = _read(command, words, flags)
    if error and command in (b"md", b"ma"):
        error = _BAD_FLAG
    if not error and flags.mode not in MODES.get(command, flags.mode):
        error = _BAD_MODE % command
    if not error and len(flags.opaque) > structs.constant("OpaqueBytes"):
        error = _LONG_OPAQUE
    return flags, error


def _read(command: bytes, words: list[bytes], flags: Flags) -> bytes:
    """The last mistake is told, but a wrong number of flags (F) only if there is no other. Behind a
    letter that is unknown, or comes again, nothing is read."""
    error = b""
    numbers = _NUMBERS | _OWN.get(command, {})
    for word in words:
        letter, rest = word[:1], word[1:]
        if letter >= b"\x7f" or letter in flags:
            return _DUPLICATE
        if letter not in _TAKEN:
            return _INVALID
        if letter == b"T" or (letter == b"N" and b"T" not in flags):
            flags.before = b"t" in flags
        flags.letters += letter
        if letter in _SHOWN[command]:
            flags.shown.append(letter)
        if letter in numbers:
            number = numbers[letter](rest)
            if number is not None:
                flags.numbers[letter] = number
                if letter in b"TN":
                    flags.times.append(number)
            elif letter != b"F":
                error = _BAD_TOKEN
            else:
                error = error or BAD_FORMAT
        elif letter == b"M":
            flags.mode = rest
            if len(rest) != 1:
                error = _BAD_MODE_LENGTH
        elif letter == b"O":
            flags.opaque = rest
        elif letter == b"b":
            flags.key = base64.decoded(flags.key)
            if not flags.key:
                error = _UNDECODED
    return error


def stored(flags: Flags, status: Status, cas: int) -> bytes:
    """The answer to an `ms`, but to one that is too large or finds no memory."""
    if status is Status.OK:
        return flags.line(b"HD", cas=cas)
    plain = flags.mode in (b"", b"S") or (flags.cas and flags.mode == b"R")
    words = {
        Status.NOT_STORED: b"NS",
        Status.NOT_FOUND: b"NF" if plain else b"NS",
        Status.EXISTS: b"NS" if flags.mode == b"E" else b"EX",
    }
    return flags.line(words[status], cas=0)


@dataclass
class Reply:
    """An answer, and what it counts as for the limit of answers."""

    data: bytes
    value: int = 0  # bytes of the value in it
    key: int = 0  # bytes of the operation's key; 0 if there was none
    stores: bool = False
    meta: bool = True  # it was done; an error that the line itself is counts as any other


class Meta:
    """`mg`, `ms`, `md` and `ma` of a table. `rest` is what is behind the line in its packet."""

    def __init__(self, table: Index, max_key: int) -> None:
        self._table = table
        self._max_key = max_key

    def run(self, words: list[bytes], rest: bytes) -> tuple[Reply, bytes]:
        """The answer to a line with a key, and what is left of the packet."""
        command = words[0]
        if len(words[1]) > self._max_key:
            return Reply(BAD_FORMAT, meta=False), rest
        if command == b"ms":
            return self._set(words, rest)
        flags, error = flags_of(command, words[1], words[2:])
        if error:
            return Reply(error, meta=False), rest
        does = {b"mg": self._get, b"md": self._delete, b"ma": self._count}[command]
        reply = does(flags)
        reply.key = len(flags.key)
        return reply, rest

    def _get(self, flags: Flags) -> Reply:
        table, key, reads = self._table, flags.key, b"v" in flags
        if b"T" in flags and b"N" in flags:
            return self._get_twice(flags)
        there = table.peek(key)
        before = None if there is None else replace(there)
        how: dict[str, Any] = {"uses": b"u" not in flags, "wins": True}
        if b"R" in flags:
            how["recache"] = absolute(flags.numbers[b"R"], table.time)
        if b"T" in flags:
            expiry = absolute(flags.numbers[b"T"], table.time)
            how["renewed"] = flags.letters.find(b"T") < flags.letters.find(b"R")
            item = table.touch(key, expiry, reads=reads, **how)
        elif b"N" in flags:
            until = absolute(flags.times[-1], table.time)
            item = table.get(key, creates=until, given=flags.given, **how)
            if item is None:
                return Reply(TOO_LARGE)
            if before is None:  # `t` in front of N shows an item that does not expire
                before = replace(item, fetched=False, won=False)
                before.expiry = 0 if flags.before else item.expiry
        else:
            item = table.get(key, **how)
        if item is None or before is None:
            return Reply(b"" if b"q" in flags else flags.line(b"EN"))
        ttl = seconds_left(before.expiry if flags.before else item.expiry, table.time)
        marks = [b"Z"] * before.won + [b"X"] * before.stale + [b"W"] * (item.won > before.won)
        word = b"VA %d" % len(item.value) if reads else b"HD"
        unused = table.time - before.time
        line = flags.line(word, before, cas=item.cas, ttl=ttl, unused=unused, marks=marks)
        if not reads:
            return Reply(line)
        return Reply(line + item.value + b"\r\n", value=len(item.value))

    def _get_twice(self, flags: Flags) -> Reply:
        """With T and N: a touch, and what N does with the time of the last of both. The touch comes
        second if both N and `t` are in front of T."""
        times = [flags.letters.find(letter) for letter in (b"N", b"T")]
        after = flags.before and times[0] < times[1]
        expiry = absolute(flags.numbers[b"T"], self._table.time)
        rest = replace(flags, letters=flags.letters.replace(b"T", b""))
        if after:
            reply = self._get(rest)
            self._table.touch(flags.key, expiry, reads=False, uses=False)
            return reply
        touched = self._table.touch(flags.key, expiry, reads=False, uses=False)
        reply = self._get(rest)
        if touched is None and reply.data != TOO_LARGE:  # what is created is touched, to memcached
            self._table.counters["touch_hit"] += 1
        return reply

    def _delete(self, flags: Flags) -> Reply:
        expiry = absolute(flags.numbers[b"T"], self._table.time) if b"T" in flags else None
        if b"x" in flags:
            wanted = (flags.numbers.get(b"F", 0), expiry or 0, flags.cas, b"b" in flags)
            stale = b"I" in flags
            status = self._table.clear(flags.key, *wanted, stale=stale, given=flags.given)
        elif b"I" in flags:
            status = self._table.invalidate(flags.key, flags.cas, expiry, flags.given)
        else:
            status = self._table.delete(flags.key, flags.cas)
        if status is Status.OK and b"q" in flags:
            return Reply(b"")
        words = {Status.OK: b"HD", Status.NOT_FOUND: b"NF", Status.EXISTS: b"EX"}
        return Reply(flags.line(words[status]))

    def _count(self, flags: Flags) -> Reply:
        table, key = self._table, flags.key
        there = table.peek(key)
        until = 0 if there is None else there.expiry
        expiry = absolute(flags.times[-1], table.time) if flags.times else 0
        status, number, cas = table.count(
            key,
            flags.numbers.get(b"D", 1),
            down=flags.mode in DOWN,
            initial=flags.numbers.get(b"J", 0) if b"N" in flags else None,
            expiry=expiry,
            cas=flags.numbers.get(b"C", 0),
            touches=b"T" in flags,
            given=flags.given,
        )
        if status in (Status.NOT_FOUND, Status.EXISTS):
            word = b"NF" if status is Status.NOT_FOUND else b"EX"
            return Reply(flags.line(word))
        errors = {Status.NOT_NUMBER: NOT_NUMBER, Status.TOO_LARGE: TOO_LARGE}
        if status is not Status.OK:
            return Reply(errors.get(status, NO_MEMORY))
        if there is not None and b"q" in flags:  # that an item was created is told
            return Reply(b"")
        if flags.before or (there is not None and b"T" not in flags):
            expiry = until
        digits = b"%d" % number
        item = Item(key, digits, 0, expiry, cas, encoded=b"b" in flags)
        reads = b"v" in flags
        word = b"VA %d" % len(digits) if reads else b"HD"
        line = flags.line(word, item, ttl=seconds_left(expiry, table.time))
        return Reply(line + digits + b"\r\n" if reads else line)

    def _set(self, words: list[bytes], rest: bytes) -> tuple[Reply, bytes]:
        table = self._table
        length = signed32(words[2]) if len(words) > 2 else None
        if length is None or length < 0 or length > (1 << 31) - 3:
            return Reply(BAD_FORMAT, meta=False), rest  # and the data is read as a command
        flags, error = flags_of(b"ms", words[1], words[3:])
        key = flags.key
        data, left = rest[: length + 2], rest[length + 2 :]
        if error:
            return Reply(error, meta=False), left
        if self._table.too_large(key, flags.numbers.get(b"F", 0), length):
            table.refuse(key)
            return Reply(TOO_LARGE, key=len(key), stores=True, meta=False), left
        if len(data) != length + 2 or not data.endswith(b"\r\n"):
            return Reply(BAD_CHUNK, meta=False), left  # and what follows is read as a command
        value = data[:-2]
        if flags.mode in JOINS:
            compared = flags.numbers.get(b"C", 0)  # here 0 is as good as none
            front = flags.mode == b"P"
            status, cas = table.join(key, value, front=front, cas=compared, given=flags.given)
        else:
            expiry = absolute(flags.numbers.get(b"T", 0), table.time)
            compared = 0 if flags.mode == b"E" else flags.cas
            number, needs = flags.numbers.get(b"F", 0), NEEDS[flags.mode or b"S"]
            encoded, stale = b"b" in flags, b"I" in flags
            wanted = (expiry, compared, needs, encoded)
            given = flags.given
            status, cas = table.set(key, value, number, *wanted, stale=stale, given=given)
        if status in (Status.TOO_LARGE, Status.NO_MEMORY):
            out = TOO_LARGE if status is Status.TOO_LARGE else NO_MEMORY
        elif status is Status.OK and b"q" in flags:
            out = b""
        else:
            out = stored(flags, status, cas)
        return Reply(out, key=len(key), stores=True), left


def seconds_left(expiry: int, time: int) -> int:
    """What `t` shows: -1 if the item does not expire. It may have expired by the touch itself."""
    if expiry == 0:
        return -1
    left = max(expiry, PAST) - time & 0xFFFFFFFF
    return -1 if left == 0xFFFFFFFF else left
