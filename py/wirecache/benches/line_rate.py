# SPDX-License-Identifier: Apache-2.0
"""Wire-speed requests: cycles an operation, against what the fuller direction of the wire allows.

Every key is set first; then requests follow each other as fast as the fuller direction of the wire
allows: without a gap when that is the requests', else spaced so that their answers just fit. Cycles
an operation are the time between the first and the last answer to those, over their number less
one. The limit is the larger of the wire slots of a request and of its answer (preamble, FCS and gap
included), over 8 bytes a cycle. HotCloud'13, Figure 3, counts without memcached's UDP frame header.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wirecache import frames, traffic
from wirecache.benches import CLOCK_NS, WORD_BYTES, Options, Result, Table, replay
from wirecache.model import protocol

KEYS = 64  # distinct keys in a run
WIRE_BITS = 10**10  # a second


@dataclass(frozen=True)
class Load:
    """One line of the table: how a request for a key and value size is made."""

    name: str
    key_bytes: int
    value_bytes: int
    frame_header: bool
    make: Callable[[bytes, bytes], bytes]


def _binary_get(key: bytes, value: bytes) -> bytes:
    return traffic.binary_request(protocol.GET, key)


def _ascii_get(key: bytes, value: bytes) -> bytes:
    return b"get %b\r\n" % key


def _ascii_set(key: bytes, value: bytes) -> bytes:
    return traffic.ascii_set(key, value)


def _delete(key: bytes, value: bytes) -> bytes:
    return traffic.binary_request(protocol.DELETE, b"~" + key[1:])


LOADS = (
    Load("binary GET", 6, 1, True, _binary_get),
    Load("binary GET", 6, 1, False, _binary_get),
    Load("ASCII GET", 6, 1, False, _ascii_get),
    Load("binary SET", 6, 6, False, traffic.binary_set),
    Load("ASCII SET", 6, 6, False, _ascii_set),
    Load("binary DELETE, miss", 6, 6, False, _delete),
    *(Load("binary GET", n, n, False, _binary_get) for n in (16, 32, 64, 128, 168, 250)),
)


def measure(load: Load, count: int) -> dict[str, float]:
    """Plays `count` requests of a load at the speed of its wire and returns its figures."""
    request, answer = (int(x) for x in _play(load, KEYS, WIRE_BITS // 10)[:2])
    rate = WIRE_BITS if request >= answer else WIRE_BITS * request // answer
    slots = (request, answer)
    _, _, cycles, answered, dropped = _play(load, count, rate)
    return {
        "request": request,
        "answer": answer,
        "limit": max(slots) / WORD_BYTES,
        "cycles": cycles,
        "answered": answered,
        "dropped": dropped,
    }


def _play(load: Load, count: int, rate: int) -> tuple[float, float, float, float, float]:
    """Wire slots of a request and of its answer, cycles an operation, answered, dropped."""
    keys = [b"%0*d" % (load.key_bytes, i) for i in range(KEYS)]
    value = b"v" * load.value_bytes
    requests = [traffic.binary_set(key, value) for key in keys]
    requests += [load.make(keys[i % KEYS], value) for i in range(count)]
    packets = [
        frames.request(data, i & 0xFFFF, frame_header=load.frame_header)
        for i, data in enumerate(requests)
    ]
    options = [] if load.frame_header else ["--no-frame-header"]
    played = replay(packets, *options, rate=rate)
    answers = played.sent[KEYS:]
    cycles = (answers[-1][0] - answers[0][0]) / CLOCK_NS / (len(answers) - 1)
    return (
        frames.wire_bytes(packets[-1]),
        frames.wire_bytes(answers[-1][1]),
        cycles,
        len(answers),
        played.summary["dropped"],
    )


def run(options: Options) -> Result:
    """The table of all loads, 20,000 requests each unless told otherwise."""
    count = options.count or 20_000
    rows: list[tuple[object, ...]] = []
    for load in LOADS:
        got = measure(load, count)
        rows.append(
            (
                load.name,
                load.key_bytes,
                load.value_bytes,
                "yes" if load.frame_header else "no",
                int(got["request"]),
                int(got["answer"]),
                round(got["limit"], 3),
                round(got["cycles"], 3),
                f"{100 * got['limit'] / got['cycles']:.1f} %",
                round(1e3 / CLOCK_NS / got["cycles"], 2),
                f"{int(got['answered'])} of {count}",
                int(got["dropped"]),
            )
        )
    table = Table(
        "Line rate, 10 Gb/s, 156.25 MHz",
        (
            *("load", "key", "value", "frame header", "request slot", "answer slot"),
            *("limit, cycles", "cycles/op", "of line rate", "M op/s", "answered", "dropped"),
        ),
        rows,
        (
            "HotCloud'13: 13.02 M/s binary GET (96-byte slots), 13.74 M/s ASCII GET, 12.5 M/s SET",
            "slots in bytes of the wire: preamble, frame, FCS and gap",
        ),
    )
    return Result([table])
