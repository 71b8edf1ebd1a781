# SPDX-License-Identifier: Apache-2.0
"""What stands around a reader of a log: segments in chains, memory that nobody wrote, the ring, and
the list of lines that memory could not write.

Beats have the numbers that memory gives them: a beat of `units` units of 16 bytes (BeatUnits) is at
address number * units. So at 4 units a beat is a line of 64 bytes, and at 1 a line has four."""

from __future__ import annotations

import hashlib
import random
from collections import deque
from typing import Any

from wirecache.circuit import structs
from wirecache.testbench.axi_memory import AxiMemory
from wirecache.testbench.bench import Bench, Sink
from wirecache.testbench.cycle import Driven, every_cycle, value_of

LINE_UNITS = 4
UNIT_BYTES = 16
SEGMENTS = 256


class Noise(dict[int, int]):
    """Beats of memory: those that were not written hold something else each."""

    def __init__(self, units: int) -> None:
        super().__init__()
        self.units = units

    def get(self, key: int, default: Any = None) -> int:
        return self[key] if key in self else noise("memory", key, self.units)


def noise(where: str, beat: int, units: int = LINE_UNITS) -> int:
    text = f"{where}{beat}".encode()
    size = UNIT_BYTES * units
    return int.from_bytes(hashlib.blake2b(text, digest_size=size).digest(), "little")


class Chains:
    """All segments in one ring, in any order: each has a next one."""

    def __init__(self, bits: int, units: int = LINE_UNITS) -> None:
        self.bits, self.units = bits, units
        self.lines = (1 << bits) // LINE_UNITS  # of a segment
        self.beats = (1 << bits) // units
        order = random.sample(range(SEGMENTS), SEGMENTS)
        self.next = dict(zip(order, order[1:] + order[:1], strict=True))

    @property
    def settings(self) -> int:
        return structs.pack("wc_log_pkg::log_settings_t", segment_bits=self.bits)

    async def tell(self, bench: Bench, link: Any) -> None:
        """Tells the device, a link a cycle and at times nothing."""
        for segment, after in self.next.items():
            told = {"valid": 1, "segment": segment, "next": after}
            link.value = structs.pack("wc_log_pkg::link_t", **told)
            await bench.wait(1)
            link.value = random.getrandbits(len(link) - 1)  # not valid
            if random.random() < 0.1:
                await bench.wait(1)

    def behind(self, beat: int) -> int:
        segment, at = divmod(beat, self.beats)
        return beat + 1 if at + 1 < self.beats else self.next[segment] * self.beats

    def walk(self, beat: int, skip: int, count: int) -> list[int]:
        found = [beat]
        while len(found) < skip + count:
            found.append(self.behind(found[-1]))
        return found[skip:]


class Around:
    """The ring answers asks after a fixed time; memory, and the list of what it did not write.

    The ring is asked for a beat by its number (`ask_o`), the list for a line (`bad_ask_o`)."""

    def __init__(self, bench: Bench, latency: int = 3, asks: float = 1.0, **memory: Any) -> None:
        dut = bench.dut
        self.memory = AxiMemory(dut, **memory)
        self.units = self.memory.beat_bytes // UNIT_BYTES
        self.memory.lines = Noise(self.units)
        self.ring: dict[int, int] = {}
        self.ring_errors: set[int] = set()  # beats of the ring that are in error
        self.bad: set[int] = set()  # lines of 64 bytes, whatever a beat is
        self.unread: set[int] = set()  # beats
        beat_bytes = self.memory.beat_bytes
        self.memory.fails_read = lambda address: address // beat_bytes in self.unread
        self.hits = 0
        self.held = 0  # cycles in which R is held back
        self.told: list[int] = []  # lines with a beat that memory did not give, as the device told
        self._asks: Sink = bench.sink("ask", None, asks)
        self._answers: deque[int | None] = deque([None] * (latency - 1))
        self._bad_asks = deque([0] * 1)
        self._tells = hasattr(dut, "error_line_o")
        self._hit, self._data = Driven(dut.hit_i), Driven(dut.data_i)
        self._hit_error = Driven(dut.hit_error_i)
        self._bad = Driven(dut.bad_i)
        self._dut = dut
        every_cycle(bench.clock, self._step)

    def line_of(self, beat: int) -> int:
        """The line of 64 bytes that it is of."""
        return beat * self.units // LINE_UNITS

    def beat(self, beat: int, asks: bool = True) -> tuple[int | None, bool]:
        """What a reader that asks the ring, or not, must get, and whether it is in error: then the
        data may be anything."""
        if asks and beat in self.ring:
            error = beat in self.ring_errors
            return None if error else self.ring[beat], error
        if beat in self.unread or self.line_of(beat) in self.bad:
            return None, True
        return self.memory.lines.get(beat), False

    line = beat  # where a beat is a line

    def _step(self) -> None:
        # A sink's step comes before: what it took at this edge is there. Its answer is driven so
        # that the device sees it `latency` cycles after the ask.
        asked = self._asks.items.popleft() if self._asks.items else None
        self._answers.append(asked)
        beat = self._answers.popleft()
        hit = beat is not None and beat in self.ring
        self.hits += hit
        there = beat is not None and hit
        self._hit.set(int(there or (beat is None and random.random() < 0.5)))
        self._hit_error.set(int(beat in self.ring_errors if there else random.random() < 0.5))
        random_beat = random.getrandbits(8 * self.memory.beat_bytes)
        self._data.set(self.ring[beat] if there and beat is not None else random_beat)
        self._bad_asks.append(value_of(self._dut.bad_ask_o))
        self._bad.set(int(self._bad_asks.popleft() in self.bad))
        if self._tells and value_of(self._dut.error_o):
            self.told.append(value_of(self._dut.error_line_o))
        port = self.memory.port
        self.held += port.get("rvalid") and not port.get("rready")
