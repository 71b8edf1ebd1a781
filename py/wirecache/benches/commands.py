# SPDX-License-Identifier: Apache-2.0
"""What each command takes: at the table alone, and on the wire, a command a datagram.

Keys of 16 bytes, values of 32, DDR4-2400; values of commands that count are numbers of ten digits.
Keys are drawn from many, or all commands have one. On the wire commands are ASCII, at the limit of
the fuller direction (wirecache.benches._wire). Reads of small items come many in a datagram, too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wirecache.benches import Options, Result, Table
from wirecache.benches import _table as table
from wirecache.benches import _wire as wire
from wirecache.benches._index import DIGITS, kind
from wirecache.board.session import Session
from wirecache.traffic import requests as traffic

COUNT = 4000
POPULATION = 20_000
KEY_BYTES = 16
VALUE_BYTES = 32
MEMORY = ("--memory", "4G")

_HIT = b"VALUE %b 0 %d\r\n"
_STORED, _NOT_STORED = b"STORED\r\n", b"NOT_STORED\r\n"


def _hit(key: bytes) -> int:
    return len(_HIT % (key, VALUE_BYTES)) + VALUE_BYTES + len(b"\r\nEND\r\n")


def _stores(name: bytes, key: bytes) -> bytes:
    return traffic.ascii_set(key, wire.value(VALUE_BYTES), name=name)


@dataclass(frozen=True)
class Command:
    """All keys have items."""

    line: Callable[[bytes], bytes]  # for a key
    answer: Callable[[bytes], int]  # its bytes
    operation: str = ""  # at the table, if its name is another one
    counts: bool = False  # items are numbers
    whole: bool = False  # only the item index has it

    @property
    def value_bytes(self) -> int:
        """Of each item."""
        return DIGITS if self.counts else VALUE_BYTES


def _says(answer: bytes) -> Callable[[bytes], int]:
    return lambda key: len(answer)


def _counts(name: bytes) -> Command:
    return Command(
        lambda key: b"%b %b 1\r\n" % (name, key), lambda key: DIGITS + 2, counts=True, whole=True
    )


# Those that have items of the same kind stand together.
COMMANDS = {
    "get": Command(lambda key: b"get %b\r\n" % key, _hit),
    "set": Command(lambda key: _stores(b"set", key), _says(_STORED)),
    "add": Command(lambda key: _stores(b"add", key), _says(_NOT_STORED)),
    "replace": Command(lambda key: _stores(b"replace", key), _says(_STORED)),
    "touch": Command(lambda key: b"touch %b 0\r\n" % key, _says(b"TOUCHED\r\n")),
    "gat": Command(lambda key: b"gat 0 %b\r\n" % key, _hit),
    "mg": Command(
        lambda key: b"mg %b v\r\n" % key,
        _says(b"VA %d\r\n%b\r\n" % (VALUE_BYTES, bytes(VALUE_BYTES))),
        operation="get",
        whole=True,
    ),
    "ms": Command(
        lambda key: b"ms %b %d\r\n%b\r\n" % (key, VALUE_BYTES, wire.value(VALUE_BYTES)),
        _says(b"HD\r\n"),
        operation="set",
        whole=True,
    ),
    "incr": _counts(b"incr"),
    "decr": _counts(b"decr"),
    "ma": Command(
        lambda key: b"ma %b v\r\n" % key,
        _says(b"VA %d\r\n%b\r\n" % (DIGITS, bytes(DIGITS))),
        operation="incr",
        counts=True,
        whole=True,
    ),
}


def commands() -> dict[str, Command]:
    """Those that the index at hand has."""
    return {name: row for name, row in COMMANDS.items() if kind().whole or not row.whole}


@dataclass(frozen=True)
class Pipelined:
    """A read of an item with a value of one byte, many in a datagram."""

    line: bytes
    answer: bytes
    cycles: int  # that the parser takes

    def apart(self, key: bytes) -> int:
        """Cycles from a command to the next, so that nothing is dropped."""
        return max(self.cycles, wire.index_cycles("get", key))


MANY = 50  # commands in a datagram
PIPELINED = {
    "get": Pipelined(b"get %b\r\n", b"VALUE %b 0 1\r\n1\r\nEND\r\n", 4),
    "mg": Pipelined(b"mg %b v\r\n", b"VA 1\r\n1\r\n", 5),
}


def _together(row: Pipelined, keys: Sequence[bytes]) -> wire.Ask:
    data = b"".join(row.line % key for key in keys)
    answer = b"".join(row.answer % key if b"%b" in row.answer else row.answer for key in keys)
    return wire.Ask(data, len(answer), len(keys), row.apart(keys[0]) * len(keys))


def run(options: Options) -> Result:
    """Both places, every command, many keys and one."""
    count = options.count or (400 if options.quick else COUNT)
    population = wire.keys(KEY_BYTES, 2000 if options.quick else POPULATION)
    points: list[dict[str, Any]] = []
    for place, board in (("table", table.board(*MEMORY)), ("wire", Session(*MEMORY))):
        with board as session:
            filled = 0
            for command, row in commands().items():
                if filled != row.value_bytes:
                    filled = row.value_bytes
                    fill = wire.fill if place == "wire" else table.populate
                    fill(session, population, filled)
                for keys in (len(population), 1):
                    drawn = random.Random(wire.SEED).choices(population[:keys], k=count)
                    measure = _on_wire if place == "wire" else _at_table
                    point = {"place": place, "command": command, "keys": keys}
                    points.append(point | measure(session, command, drawn))
            if place == "wire":
                together = _pipelined(session, population, count)
    return Result([_table(points), _table_together(together)], {"points": points + together})


def _pipelined(session: Session, population: Sequence[bytes], count: int) -> list[dict[str, Any]]:
    wire.fill(session, population, 1)
    points = []
    for command in PIPELINED.keys() & commands().keys():
        drawn = random.Random(wire.SEED).choices(population, k=count * 4)
        row = PIPELINED[command]
        asks = [_together(row, drawn[at : at + MANY]) for at in range(0, len(drawn), MANY)]
        point = wire.measure(session, asks)
        points.append(
            {
                **{"place": "together", "command": command, "keys": len(population)},
                **{"cycles": point.cycles / MANY, "limit": row.apart(population[0])},
                **{"dropped": point.dropped, "expected": point.expected},
            }
        )
    return sorted(points, key=lambda point: list(PIPELINED).index(point["command"]))


def _table_together(points: Sequence[dict[str, Any]]) -> Table:
    return Table(
        f"Commands, {MANY} in a datagram: keys of {KEY_BYTES} bytes, values of one",
        ("command", "sent each, cycles", "answered each, cycles", "dropped"),
        [(p["command"], p["limit"], f"{p['cycles']:.2f}", p["dropped"]) for p in points],
    )


def _at_table(session: Session, command: str, drawn: Sequence[bytes]) -> dict[str, Any]:
    row = COMMANDS[command]
    name = row.operation or command
    operations = [table.Operation(name, key, row.value_bytes) for key in drawn]
    return {"cycles": table.measure(session, operations).cycles, "dropped": 0}


def _on_wire(session: Session, command: str, drawn: Sequence[bytes]) -> dict[str, Any]:
    row = COMMANDS[command]
    follows = row.counts and len(set(drawn)) == 1
    asks = [
        wire.Ask(
            row.line(key),
            row.answer(key),
            1,
            kind().follows(len(key))
            if follows
            else wire.index_cycles(row.operation or command, key),
        )
        for key in drawn
    ]
    point = wire.measure(session, asks)
    return {
        **{"cycles": point.cycles, "limit": point.limit, "dropped": point.dropped},
        **{"expected": point.expected},
    }


def _table(points: Sequence[dict[str, Any]]) -> Table:
    cells = {(p["command"], p["place"], p["keys"] == 1): p for p in points}
    rows: list[tuple[object, ...]] = []
    for command in commands():
        many, one = (cells[command, "wire", single] for single in (False, True))
        rows.append(
            (
                command,
                *(f"{cells[command, 'table', single]['cycles']:.2f}" for single in (False, True)),
                " / ".join(dict.fromkeys(f"{point['limit']:.2f}" for point in (many, one))),
                *(f"{point['cycles']:.2f}" for point in (many, one)),
                *(point["dropped"] for point in (many, one)),
            )
        )
    keys = max(point["keys"] for point in points)
    notes = ["all keys have items, so an add is NOT_STORED; on the wire ASCII, one a datagram"]
    if any("/" in str(row[3]) for row in rows):
        notes.append("two limits: of many keys, and of one, if the index is faster with one")
    return Table(
        f"Commands: cycles an operation, keys of {KEY_BYTES} bytes, values of {VALUE_BYTES}"
        f", numbers of {DIGITS}",
        (
            *("command", f"table, {keys:,} keys", "table, one key", "wire's limit"),
            *(f"wire, {keys:,} keys", "wire, one key", "dropped", "dropped, one key"),
        ),
        rows,
        tuple(notes),
    )
