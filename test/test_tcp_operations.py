# SPDX-License-Identifier: Apache-2.0
"""Random operations over TCP and bad links, in simulated time: each answer is what the reference
model says, to the byte, and each comes."""

from __future__ import annotations

import random

import pytest
from wirecache.board.session import Session
from wirecache.model import protocol
from wirecache.model.table import Table
from wirecache.testbench.bench import full
from wirecache.traffic.plan import Exchange, Group, Plan
from wirecache.traffic.requests import ascii_set

CONNECTIONS = 32
KEYS = 12  # of each connection
SIZES = (0, 1, 30, 200, 1400, 3000, 20_000)  # of values, at most


class Operations:
    """What one connection asks. Its keys are its own, so nothing hangs on what others do. CAS
    numbers, which are everybody's, are not asked for: so there are no binary ones."""

    def __init__(self, seed: int, number: int) -> None:
        self._random = random.Random(seed << 16 | number)
        self._keys = [b"%d-%s" % (number, b"k" * self._random.randint(1, 200)) for _ in range(KEYS)]
        self._table = Table(whole=True)
        self._table.time = 1_750_000_000

    def exchange(self) -> Exchange:
        request = self._request()
        return Exchange(request, protocol.answer(request, self._table))

    def _value(self) -> bytes:
        return self._random.randbytes(self._random.randint(0, self._random.choice(SIZES)))

    def _request(self) -> bytes:
        draw = self._random
        key = draw.choice(self._keys)
        kind = draw.choices(
            ("get", "mg", "set", "add", "replace", "append", "incr", "delete", "touch"),
            (8, 3, 6, 1, 1, 1, 2, 1, 1),
        )[0]
        match kind:
            case "get":
                keys = draw.sample(self._keys, draw.choice((1, 1, 3, KEYS)))
                return b"get %b\r\n" % b" ".join(keys)
            case "mg":
                return b"mg %b s v f O%d\r\n" % (key, draw.randrange(10**6))
            case "delete":
                return b"delete %b\r\n" % key
            case "touch":
                return b"touch %b 0\r\n" % key
            case "incr":
                number = draw.randrange(10**9)
                if draw.random() < 0.5:
                    return ascii_set(key, b"%d" % number)
                return b"%b %b %d\r\n" % (draw.choice((b"incr", b"decr")), key, number)
        value = self._value()
        if kind == "append":
            value = value[:300]
        head = b"%b %b %d 0 %d\r\n" % (kind.encode(), key, draw.getrandbits(16), len(value))
        return head + value + b"\r\n"


def plan(seed: int, size: int) -> Plan:
    """So many bytes of requests and answers."""
    draw = random.Random(seed)
    groups = []
    for number in range(CONNECTIONS):
        operations, exchanges, left = Operations(seed, number), [], size // CONNECTIONS
        while left > 0:
            exchanges.append(operations.exchange())
            left -= len(exchanges[-1].request) + len(exchanges[-1].answer)
        groups.append(
            Group(
                f"connection_{number}",
                exchanges,
                requests=len(exchanges),
                depth=draw.choice((1, 4, 16)),
                in_order=True,
                cuts=number % 2 == 0,
                options=number % 5 != 0,
            )
        )
    return Plan(groups, seed, cycles=10**9)


@pytest.mark.parametrize(
    ("link", "size"),
    [
        ("--impair loss=1%,reorder=2%,duplicate=1%,corrupt=0.5%", 2 * 10**6),
        full("--impair-in loss=1%", 10**8 // 6),
        full("--impair-in loss=5%", 10**8 // 6),
        full("--impair-out loss=1%", 10**8 // 6),
        full("--impair-out loss=5%", 10**8 // 6),
        full("--impair reorder=5%,duplicate=5%", 10**8 // 6),
        full("--impair corrupt=1%,loss=1%,jitter=20us", 10**8 // 6),
    ],
)
@pytest.mark.usefixtures("default_board")
def test_operations_over_a_bad_link(seed: int, link: str, size: int) -> None:
    played = plan(seed, size)
    with Session("--memory", "1G", *link.split(), "--impair-seed", str(seed)) as session:
        phase = session.traffic(played)
    traffic = phase.summary["traffic"]
    asked = {group.name: len(group.exchanges) for group in played.groups}
    assert {name: group["answered"] for name, group in traffic.items()} == asked
    assert phase.counters["tcp_opened"] == phase.counters["tcp_closed"] == CONNECTIONS
    lost = sum(group["retransmitted"] for group in traffic.values())
    assert lost + phase.counters["tcp_retransmit"] + phase.counters["tcp_out_of_order"] > 0
