# SPDX-License-Identifier: Apache-2.0
"""What each command takes: at the table alone, and on the wire, a command a datagram.

Keys of 16 bytes, values of 32, DDR4-2400. Keys are drawn from many, or all commands have one. On
the wire commands are ASCII, at the limit of the fuller direction (wirecache.benches._wire).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from wirecache.benches import Options, Result, Table
from wirecache.benches import _table as table
from wirecache.benches import _wire as wire
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


# The line of a command for a key, and how many bytes its answer has. All keys have items.
_Row = tuple[Callable[[bytes], bytes], Callable[[bytes], int]]
COMMANDS: dict[str, _Row] = {
    "get": (lambda key: b"get %b\r\n" % key, _hit),
    "set": (lambda key: _stores(b"set", key), lambda key: len(_STORED)),
    "add": (lambda key: _stores(b"add", key), lambda key: len(_NOT_STORED)),
    "replace": (lambda key: _stores(b"replace", key), lambda key: len(_STORED)),
    "touch": (lambda key: b"touch %b 0\r\n" % key, lambda key: len(b"TOUCHED\r\n")),
    "gat": (lambda key: b"gat 0 %b\r\n" % key, _hit),
}


def run(options: Options) -> Result:
    """Both places, every command, many keys and one."""
    count = options.count or (400 if options.quick else COUNT)
    population = wire.keys(KEY_BYTES, 2000 if options.quick else POPULATION)
    points: list[dict[str, Any]] = []
    for place, board in (("table", table.board(*MEMORY)), ("wire", Session(*MEMORY))):
        with board as session:
            if place == "wire":
                wire.fill(session, population, VALUE_BYTES)
            else:
                table.populate(session, population, VALUE_BYTES)
            for command in COMMANDS:
                for keys in (len(population), 1):
                    drawn = random.Random(wire.SEED).choices(population[:keys], k=count)
                    measure = _on_wire if place == "wire" else _at_table
                    point = {"place": place, "command": command, "keys": keys}
                    points.append(point | measure(session, command, drawn))
    return Result([_table(points)], {"points": points})


def _at_table(session: Session, command: str, drawn: Sequence[bytes]) -> dict[str, Any]:
    operations = [table.Operation(command, key, VALUE_BYTES) for key in drawn]
    return {"cycles": table.measure(session, operations).cycles, "dropped": 0}


def _on_wire(session: Session, command: str, drawn: Sequence[bytes]) -> dict[str, Any]:
    line, answer = COMMANDS[command]
    asks = [wire.Ask(line(key), answer(key), 1, wire.index_cycles(command, key)) for key in drawn]
    point = wire.measure(session, asks)
    return {
        **{"cycles": point.cycles, "limit": point.limit, "dropped": point.dropped},
        **{"expected": point.expected},
    }


def _table(points: Sequence[dict[str, Any]]) -> Table:
    cells = {(p["command"], p["place"], p["keys"] == 1): p for p in points}
    rows: list[tuple[object, ...]] = []
    for command in COMMANDS:
        many, one = (cells[command, "wire", single] for single in (False, True))
        rows.append(
            (
                command,
                *(f"{cells[command, 'table', single]['cycles']:.2f}" for single in (False, True)),
                f"{many['limit']:.2f}",
                *(f"{point['cycles']:.2f}" for point in (many, one)),
                *(point["dropped"] for point in (many, one)),
            )
        )
    keys = max(point["keys"] for point in points)
    return Table(
        f"Commands: cycles an operation, keys of {KEY_BYTES} bytes, values of {VALUE_BYTES}",
        (
            *("command", f"table, {keys:,} keys", "table, one key", "wire's limit"),
            *(f"wire, {keys:,} keys", "wire, one key", "dropped", "dropped, one key"),
        ),
        rows,
        ("all keys have items, so an add is NOT_STORED; on the wire ASCII, one a datagram",),
    )
