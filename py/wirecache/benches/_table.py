# SPDX-License-Identifier: Apache-2.0
"""The table alone: operations fed to hash, index and store as fast as they are taken."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wirecache.benches import CLOCK_NS
from wirecache.benches._index import refused
from wirecache.board.session import Phase, Session
from wirecache.circuit import structs

_FRAME_BYTES = 200_000  # of operations; between frames the feed pauses for some cycles


@dataclass(frozen=True)
class Operation:
    """As wc_table_feed.sv takes it: of the key the length and the last four bytes count."""

    op: str  # get, set, add, replace, delete, touch, gat, incr, decr
    key: bytes
    value_bytes: int = 1

    def word(self) -> bytes:
        value_bytes = self.value_bytes if self.op in _STORES else 0
        kind = structs.enum("op_e")[f"Op{self.op.capitalize()}"]
        head = kind | len(self.key) << 4 | value_bytes << 12
        return struct.pack("<I", head) + self.key[-4:].rjust(4, b"\0")


def fed(key: bytes) -> bytes:
    """The key that the circuit is given for this one."""
    return _FILLER * (len(key) - _TAIL) + key[-_TAIL:]


_FILLER, _TAIL = b"1", 4  # wc_table_feed.sv
_STORES = ("set", "add", "replace")  # they bring a value


def board(*options: str) -> Session:
    return Session("--table", *options)


def play(session: Session, operations: Iterable[Operation], record: bool = True) -> Phase:
    """Feeds operations."""
    words = b"".join(operation.word() for operation in operations)
    frames = [words[at : at + _FRAME_BYTES] for at in range(0, len(words), _FRAME_BYTES)]
    return session.play(frames, record=record, patient=True)


@dataclass(frozen=True)
class Rate:
    """What the table took of a stream of operations, in the steady state."""

    operations: int
    cycles: float  # an operation
    index_cycles: float  # from hash to result, on average
    counters: dict[str, int]
    dram: dict[str, Any]

    @property
    def mega_operations(self) -> float:
        return 1e3 / CLOCK_NS / self.cycles


def measure(session: Session, operations: Sequence[Operation]) -> Rate:
    """Cycles an operation are those between results equally far apart, as on the wire."""
    phase = play(session, operations)
    done = phase.lists["done"]
    if len(done) != len(operations):
        raise RuntimeError(f"{len(done)} results of {len(operations)} operations")
    window = max(len(done) // 8, 1)
    apart = len(done) - 2 * window
    steady = done[window:]
    cycles = float(np.median(steady[apart:] - steady[:-apart])) / apart
    inside = phase.lists["looked_up"] - phase.lists["hashed"]
    return Rate(
        len(operations),
        cycles,
        float(inside.mean()),
        phase.counters,
        phase.summary.get("dram", {}),
    )


def populate(session: Session, keys: Sequence[bytes], value_bytes: int = 1) -> None:
    phase = play(session, (Operation("set", key, value_bytes) for key in keys), record=False)
    counters = phase.counters
    if counters["set"] != len(keys) or refused(counters):
        raise RuntimeError(f"not all of {len(keys)} keys of {len(keys[0])} bytes could be stored")
