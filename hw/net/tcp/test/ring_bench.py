# SPDX-License-Identifier: Apache-2.0
"""Rings in a memory, as bytes: what the benches of wc_tcp_ring_write and wc_tcp_ring_read share."""

from __future__ import annotations

import random
from typing import Any

from wirecache.testbench.axi_memory import LINE, AxiMemory

BASE = 0x35 << 20  # a multiple of every ring
IDS = (0, 1, 2, 6)  # of connections: rings side by side, and one with nothing beside it
STALLS: tuple[dict[str, Any], ...] = (  # of memory's channels and latencies, of the streams
    {"willing": 0.3, "pace": 1.0, "latency": (1, 60)},
    {"willing": 1.0, "pace": 0.3, "latency": (1, 5)},
    {"willing": 0.6, "pace": 0.6, "latency": (1, 200)},
)


class Rings:
    """Their bytes as they should be, by address."""

    def __init__(self, dut: Any, memory: AxiMemory) -> None:
        self.memory = memory
        self.size = 1 << int(dut.RingBits.value)
        self.bytes: dict[int, int] = {}
        self._beats: set[int] = set()

    def addresses(self, ring: int, seq: int, count: int) -> list[int]:
        at = [BASE + ring * self.size + (seq + i) % self.size for i in range(count)]
        self._know(at)
        return at

    def _know(self, at: list[int]) -> None:
        """Bytes in memory around those that are looked at, so that changes there are seen."""
        width = self.memory.beat_bytes
        for line in {address // LINE for address in at}:
            for beat in range((line - 1) * LINE // width, (line + 2) * LINE // width):
                if beat not in self._beats:
                    self._beats.add(beat)
                    data = random.randbytes(width)
                    self.memory.load(beat * width, data)
                    self.bytes |= dict(enumerate(data, beat * width))

    def check(self) -> None:
        """Memory has these bytes, and no others."""
        width = self.memory.beat_bytes
        assert set(self.memory.lines) == self._beats, "a beat elsewhere"
        for beat in self._beats:
            want = bytes(self.bytes[beat * width + i] for i in range(width))
            assert self.memory.lines[beat].to_bytes(width, "little") == want, hex(beat * width)


def anywhere() -> int:
    return random.getrandbits(32)


def near_the_end(size: int, before: int | None = None) -> int:
    """A sequence number so shortly before its ring begins again, now and then before 2^32."""
    turn = random.choice((random.getrandbits(32) // size, (1 << 32) // size - 1))
    return (turn + 1) * size - (before or random.randint(1, 70))
