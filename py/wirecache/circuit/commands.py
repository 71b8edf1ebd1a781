# SPDX-License-Identifier: Apache-2.0
"""The commands that the circuit takes, read from its own tables (wc_request_table_pkg), and the
flags of its meta commands (wc_request_flags_pkg).

    >>> [line.name for line in lines()][:3]
    [b'get', b'bget', b'gets']
    >>> line("set").arguments
    ('ArgKey', 'ArgUnsigned', 'ArgTime', 'ArgLength')
    >>> [hex(header.opcode) for header in headers() if header.op == "OpSet"]
    ['0x1', '0x11']
    >>> [flag.letter for flag in flags() if flag.kind == "FlagNumber"]
    [b'T', b'F', b'C', b'N']

Names of enumerations are those of the packages.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from wirecache.circuit import structs

_PACKAGE = "wc_request_table_pkg::"
_FLAGS = "wc_request_flags_pkg::"


@dataclass(frozen=True)
class Line:
    """A command of text lines."""

    name: bytes
    op: str
    say: str
    drops: bool  # the rest of the packet is not read
    arguments: tuple[str, ...]  # kinds, of the words behind the name
    repeats: bool  # the last of them, up to the end of the line
    least: int  # words, the name counted
    most: int | None
    noreply: int | None  # with so many words or more the last one may be noreply
    complaint: str  # status of a wrong argument
    quirks: frozenset[str]  # `meta`: it has flags, but for mn

    @property
    def value(self) -> bool:
        """Whether a value follows the line."""
        return "ArgLength" in self.arguments


@dataclass(frozen=True)
class Header:
    """A command of binary headers."""

    opcode: int
    op: str
    say: str
    drops: bool
    quiet: bool
    extras: str


@dataclass(frozen=True)
class Flag:
    """A flag of meta commands."""

    letter: bytes
    kind: str
    number: str | None  # the kind of argument that a number behind the letter is


@cache
def flags() -> tuple[Flag, ...]:
    """The rows of FlagTable, in their order."""
    return tuple(_flag(row) for row in structs.table(_FLAGS + "FlagTable", _FLAGS + "flag_t"))


@cache
def lines() -> tuple[Line, ...]:
    """The rows of LineTable, in their order: that of the bits in `piece_t`."""
    return tuple(_line(row) for row in structs.table(_PACKAGE + "LineTable", _PACKAGE + "line_t"))


@cache
def headers() -> tuple[Header, ...]:
    return tuple(
        _header(row) for row in structs.table(_PACKAGE + "HeaderTable", _PACKAGE + "header_t")
    )


def line(name: str) -> Line:
    return next(row for row in lines() if row.name == name.encode())


def _line(row: dict[str, Any]) -> Line:
    any_number, never = (structs.constant(_PACKAGE + name) for name in ("Any", "Never"))
    kinds = structs.enum(_PACKAGE + "arg_e")
    places = structs.constant(_PACKAGE + "MostArgs")
    bits = structs.width(_PACKAGE + "arg_e")
    # the first one in the highest place
    args = [kinds(row["args"] >> bits * i & (1 << bits) - 1).name for i in reversed(range(places))]
    repeats = args[-1] != "ArgNone"
    while len(args) > 1 and (args[-1] == "ArgNone" or args[-2:] == args[-1:] * 2):
        args.pop()
    if args == ["ArgNone"]:
        args = []
    name = row["name"]
    return Line(
        name=name.to_bytes((name.bit_length() + 7) // 8, "big"),
        arguments=tuple(args),
        repeats=repeats,
        least=row["least"],
        most=None if row["most"] == any_number else row["most"],
        noreply=None if row["noreply"] == never else row["noreply"],
        complaint=structs.enum("status_e")(row["complaint"]).name,
        quirks=frozenset(quirk for quirk, there in row["quirks"].items() if there),
        **_command(row["command"]),
    )


def _header(row: dict[str, Any]) -> Header:
    extras = structs.enum(_PACKAGE + "extras_e")(row["extras"]).name
    return Header(
        opcode=row["opcode"],
        quiet=bool(row["quiet"]),
        extras=extras,
        **_command(row["command"]),
    )


def _flag(row: dict[str, Any]) -> Flag:
    number = structs.enum(_PACKAGE + "arg_e")(row["number"]).name
    return Flag(
        letter=bytes([row["letter"]]),
        kind=structs.enum(_FLAGS + "flag_e")(row["kind"]).name,
        number=None if number == "ArgNone" else number,
    )


def _command(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "op": structs.enum("op_e")(row["op"]).name,
        "say": structs.enum("say_e")(row["say"]).name,
        "drops": bool(row["drops"]),
    }
