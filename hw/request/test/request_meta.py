# SPDX-License-Identifier: Apache-2.0
"""The flags of meta commands, for request_model: a plain reading of memcached 1.6.18, and of E and
x, which later versions have."""

from __future__ import annotations

import binascii
from collections.abc import Callable
from dataclasses import dataclass, field

from wirecache.circuit import structs

OP, SHOW = structs.enum("op_e"), structs.enum("show_e")
COMMANDS = (b"mn", b"mg", b"ms", b"md", b"ma")
OPAQUE_BYTES = 31
SHOWN = {b"mg": b"kOfstchl", b"ms": b"kOc", b"md": b"kO", b"ma": b"kOtc"}
TAKEN = b"kOfstcqvTFCMPLJDIhluRNbEx"  # by all of them
SHOWS = dict(k="ShowKey", O="ShowOpaque", f="ShowFlags", s="ShowSize", t="ShowTtl", c="ShowCas")
SHOWS |= dict(h="ShowFetched", l="ShowUnused")
OWN = {b"J": (b"ma",), b"D": (b"ma",), b"R": (b"mg",), b"N": (b"mg", b"ma")}  # who reads them
MODES = {b"S": "OpSet", b"E": "OpAdd", b"R": "OpReplace", b"A": "OpAppend", b"P": "OpPrepend"}
JOINS = b"AP"
COUNTS = {b"I": "OpIncr", b"+": "OpIncr", b"D": "OpDecr", b"-": "OpDecr"}

Number = Callable[[bytes], int | None]


@dataclass
class Flags:
    key: bytes  # of the line; behind its flags what it means
    status: str = ""  # what is wrong, if anything is
    letters: bytes = b""  # in their order
    numbers: dict[bytes, int] = field(default_factory=dict)
    mode: bytes | None = None
    opaque: bytes | None = None

    def has(self, letter: bytes) -> bool:
        return letter in self.letters

    def fields(self, command: bytes) -> dict[str, int]:
        """Of op_t: what the answer is to show, and whether there is one."""
        shown = [SHOW[SHOWS[chr(c)]] for c in self.letters if c in SHOWN[command]]
        if command == b"ma" and self.has(b"v"):
            shown.append(SHOW["ShowNumber"])
        if command == b"mg":
            shown.append(SHOW["ShowMarks"])
        bits = sum(show << 4 * at for at, show in enumerate(shown))
        return dict(
            meta=1,
            quiet=int(self.has(b"q")),
            with_key=int(self.has(b"k")),
            encoded=int(self.has(b"b") and not (command == b"mg" and self.has(b"N"))),
            opcode=bits & 0xFF,
            opaque=bits >> 8,
        )

    def gives(self) -> dict[str, int]:
        """Of request_t: the CAS number that an item gets."""
        return {"gives": 1, "given": self.numbers[b"E"]} if self.has(b"E") else {"gives": 0}

    def after(self) -> bool:
        """The touch comes behind the rest, as `t` and N are in front of T."""
        t, n, end = (self.letters.find(letter) for letter in (b"t", b"N", b"T"))
        return -1 < t < end and -1 < n < end

    def before(self) -> bool:
        """What lives on is asked for in front of what changes it."""
        change = b"T" if self.has(b"T") else b"N"
        letters = [self.letters.find(letter) for letter in (b"t", change)]
        return 0 <= letters[0] < letters[1]


def base64(text: bytes) -> bytes:
    """What memcached makes of it: it looks at nothing but characters that have a meaning, and at
    no group behind one with a "=", which is zero wherever it stands."""
    plain = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    text = bytes(c for c in text if c in plain + b"=")
    if len(text) % 4:
        return b""
    end = text.find(b"=") // 4 * 4 + 4 if b"=" in text else len(text)
    spare = text[:end].count(b"=")
    whole = binascii.a2b_base64(text[:end].replace(b"=", b"A"))
    return b"" if spare > 2 else whole[: len(whole) - spare]


def read(
    command: bytes, key: bytes, words: list[bytes], numbers: dict[bytes, Number], joins: bool
) -> Flags:
    """numbers: how the number behind a letter is read. joins: values may be joined."""
    flags = Flags(key)
    flags.status = _each(command, words, numbers, flags)
    if flags.status and command in (b"md", b"ma"):
        flags.status = "StBadFlag"
    modes = {m: op for m, op in MODES.items() if joins or m not in JOINS}
    if not flags.status and command == b"ms" and flags.mode not in (None, *modes):
        flags.status = "StBadMode"
    if not flags.status and command == b"ma" and flags.mode not in (None, *COUNTS):
        flags.status = "StBadArithmeticMode"
    if not flags.status and len(flags.opaque or b"") > OPAQUE_BYTES:
        flags.status = "StLongOpaque"
    return flags


def _each(command: bytes, words: list[bytes], numbers: dict[bytes, Number], flags: Flags) -> str:
    """The last mistake is told, but one in the item's flags before none, and none is looked for
    behind a flag that is not taken or came before. Bytes from 127 on are taken for such."""
    status = ""
    for word in words:
        letter, rest = word[:1], word[1:]
        if letter >= b"\x7f" or letter in flags.letters:
            return "StDuplicateFlag"
        if letter not in TAKEN:
            return "StInvalidFlag"
        flags.letters += letter
        if letter in numbers and command in OWN.get(letter, COMMANDS):
            number = numbers[letter](rest)
            if number is None:
                status = (status or "StBadFormat") if letter == b"F" else "StBadToken"
            else:
                flags.numbers[letter] = number
        elif letter == b"M":
            flags.mode = rest
            if len(rest) != 1:
                status = "StBadModeLength"
        elif letter == b"O":
            flags.opaque = rest
        elif letter == b"b":
            flags.key = base64(flags.key)
            status = status if flags.key else "StUndecoded"
    return status
