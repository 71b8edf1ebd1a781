# SPDX-License-Identifier: Apache-2.0
"""AXI4 memory that answers at random times, as early and as late as the protocol allows.

A write reaches the memory at a random time between its last beat and its acknowledgement, a read
looks at the memory at a random time between its address and its data, and neither waits for the
other: whoever relies on more than the protocol promises sees stale or early data. With `torn` each
beat of a burst has a time of its own. `coupled` makes it worse than AXI lets it be, as a controller
with one queue may be: while R is held back, no writes are taken. It checks the rules that a master
must keep (4 KiB, burst ends).

What it holds is in a dictionary, `lines`: a beat of the port each, by its number. So a line of the
cache is one of them at a port of 512 bits and four at one of 128 bits (`beat_bytes`).

What `fails_read` and `fails_write` say meets an error: the beat that is read comes with SLVERR and
noise instead of its line, of the burst that is written nothing reaches the memory, and B says so.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from wirecache.testbench.axi_port import SLVERR, AxiPort
from wirecache.testbench.bench import Pace
from wirecache.testbench.cycle import every_cycle

LINE = 64  # bytes of a line of the cache, and of a beat where a port is as wide


@dataclass
class Burst:
    """One address beat, and what has become of it."""

    address: int
    beats: int
    at: list[int] = field(default_factory=list)  # when each beat meets the memory
    due: int = 0  # when its answer may leave
    data: list[tuple[int, int]] = field(default_factory=list)  # (line, strobe) to write
    read: dict[int, int] = field(default_factory=dict)  # beat -> line that was read
    errors: set[int] = field(default_factory=set)  # beats that meet one; of a write all or none


class AxiMemory:
    """`read` and `write` latencies are (least, most) cycles from address or last beat to answer."""

    def __init__(
        self,
        dut: Any,
        read: tuple[int, int] = (20, 40),
        write: tuple[int, int] = (10, 60),
        willing: float = 1.0,
        torn: bool = False,
        coupled: bool = False,
        prefix: str = "m_axi",
    ) -> None:
        self.dut, self.torn, self.coupled = dut, torn, coupled
        self.read, self.write = read, write
        self.paces = {name: Pace(willing) for name in ("aw", "w", "ar", "r", "b")}
        self.lines: dict[int, int] = {}
        self.lines_read = self.lines_written = 0
        self.most_reads = 0
        self.fails_read: Callable[[int], bool] = lambda address: False  # of a beat
        self.fails_write: Callable[[int, int], bool] = lambda address, beats: False
        self.failed_reads: list[int] = []  # addresses of the beats
        self.failed_writes: list[int] = []  # of the bursts, as their answers were taken
        self.cycle = 0
        self.port = AxiPort(dut, prefix)
        self.beat_bytes = self.port.data_bytes
        self._reads: deque[Burst] = deque()  # data not yet all given
        self._writes: deque[Burst] = deque()  # beats not yet all taken
        self._beats: deque[tuple[int, int, int]] = deque()
        self._unseen_reads: deque[Burst] = deque()
        self._unseen_writes: deque[Burst] = deque()
        self._answers: deque[Burst] = deque()
        self._ready = dict.fromkeys(("aw", "w", "ar"), 0)
        self._valid = dict.fromkeys(("r", "b"), 0)
        self._shown: tuple[int, ...] = ()  # ready and valid, as the port has them
        self._given = 0  # beats of the first of the reads
        every_cycle(dut.clk_i, self._step)

    def load(self, address: int, data: bytes) -> None:
        """Puts bytes there at once."""
        for i, byte in enumerate(data, address):
            shift = i % self.beat_bytes * 8
            line = self.lines.get(i // self.beat_bytes, 0)
            self.lines[i // self.beat_bytes] = line & ~(0xFF << shift) | byte << shift

    def dump(self, address: int, length: int) -> bytes:
        first, last = address // self.beat_bytes, (address + length - 1) // self.beat_bytes
        data = b"".join(
            self.lines.get(i, 0).to_bytes(self.beat_bytes, "little") for i in range(first, last + 1)
        )
        return data[address % self.beat_bytes :][:length]

    def _burst(self, address: int, beats: int) -> Burst:
        if (
            self.beat_bytes == 48
        ):  # 384 bits are no AXI width: whole bursts of eight, wherever pages end
            assert address % (8 * self.beat_bytes) == 0 and beats == 8, (
                "not a whole burst of 384 bytes"
            )
        else:
            assert address % self.beat_bytes == 0, "address within a line"
            assert address // 4096 == (address + beats * self.beat_bytes - 1) // 4096, (
                "burst crosses 4 KiB"
            )
        return Burst(address, beats)

    def _times(self, burst: Burst, first: int) -> list[int]:
        """When the beats meet the memory."""
        if self.torn:
            return [random.randint(first, burst.due) for _ in range(burst.beats)]
        return [random.randint(first, burst.due)] * burst.beats

    def _apply(self, at: int, line: int, strobe: int) -> None:
        if strobe == (1 << self.beat_bytes) - 1:
            self.lines[at] = line
        else:
            mask = sum(0xFF << 8 * b for b in range(self.beat_bytes) if strobe >> b & 1)
            self.lines[at] = self.lines.get(at, 0) & ~mask | line & mask

    def _step(self) -> None:
        self.cycle += 1
        if self._valid["r"] or self._valid["b"] or self.port.valid():
            self._agree()
        # A write is complete when address and all beats are there, in any order.
        while self._writes and len(self._beats) >= self._writes[0].beats:
            self._complete(self._writes.popleft())
        if self._unseen_reads or self._unseen_writes:
            self._meet_memory()
        self._offer()

    def _agree(self) -> None:
        """What was agreed on at this edge: outputs still have the values from before it."""
        get, ready, valid = self.port.sample(), self._ready, self._valid
        if ready["aw"] and get("awvalid"):
            self._writes.append(self._burst(get("awaddr"), get("awlen") + 1))
        if ready["w"] and get("wvalid"):
            self._beats.append((get("wdata"), get("wstrb"), get("wlast")))
            self.lines_written += 1
        if ready["ar"] and get("arvalid"):
            self._begin_read(self._burst(get("araddr"), get("arlen") + 1))
        if valid["r"] and get("rready"):
            valid["r"] = 0
            self.lines_read += 1
            self._given += 1
            if self._given == self._reads[0].beats:
                self._reads.popleft()
                self._given = 0
        if valid["b"] and get("bready"):
            valid["b"] = 0
            answered = self._answers.popleft()
            if answered.errors:
                self.failed_writes.append(answered.address)

    def _begin_read(self, burst: Burst) -> None:
        burst.due = self.cycle + random.randint(*self.read)
        if self._reads:
            burst.due = max(burst.due, self._reads[-1].due)
        burst.at = self._times(burst, self.cycle)
        for i in range(burst.beats):
            if self.fails_read(burst.address + i * self.beat_bytes):
                burst.errors.add(i)
                self.failed_reads.append(burst.address + i * self.beat_bytes)
        self._reads.append(burst)
        self._unseen_reads.append(burst)
        self.most_reads = max(self.most_reads, len(self._reads))

    def _complete(self, burst: Burst) -> None:
        taken = [self._beats.popleft() for _ in range(burst.beats)]
        lasts = [last for _, _, last in taken]
        assert lasts == [0] * (burst.beats - 1) + [1], "wlast is not at the burst's end"
        burst.data = [(line, strobe) for line, strobe, _ in taken]
        burst.due = self.cycle + random.randint(*self.write)
        if self._answers:
            burst.due = max(burst.due, self._answers[-1].due)
        burst.at = sorted(self._times(burst, self.cycle))
        if self.fails_write(burst.address, burst.beats):
            burst.errors.update(range(burst.beats))
        if self._unseen_writes:
            burst.at = [max(at, self._unseen_writes[-1].at[-1]) for at in burst.at]
        self._answers.append(burst)
        self._unseen_writes.append(burst)

    def _meet_memory(self) -> None:
        """Reads of one id may look in any order among themselves, writes keep theirs."""
        for burst in list(self._unseen_reads):
            first = burst.address // self.beat_bytes
            for i, at in enumerate(burst.at):
                if at <= self.cycle and i not in burst.read:
                    line = self.lines.get(first + i, 0)
                    burst.read[i] = (
                        random.getrandbits(8 * self.beat_bytes) if i in burst.errors else line
                    )
            if len(burst.read) == burst.beats:
                self._unseen_reads.remove(burst)
        while self._unseen_writes and self._unseen_writes[0].at[0] <= self.cycle:
            burst = self._unseen_writes[0]
            i = burst.beats - len(burst.at)
            if not burst.errors:
                self._apply(burst.address // self.beat_bytes + i, *burst.data[i])
            burst.at.pop(0)
            if not burst.at:
                self._unseen_writes.popleft()

    def _offer(self) -> None:
        """What is offered until the next edge."""
        reads, answers, valid, now = self._reads, self._answers, self._valid, self.cycle
        ready, held = self._ready, self.coupled and valid["r"]
        offer: dict[str, int] = {}
        if not valid["r"] and reads and reads[0].due <= now and self.paces["r"]():
            errors, given = reads[0].errors, self._given
            offer["rdata"] = reads[0].read[given]
            offer["rlast"] = int(given == reads[0].beats - 1)
            offer["rresp"] = SLVERR if given in errors else 0
            valid["r"] = 1
        if not valid["b"] and answers and answers[0].due <= now and self.paces["b"]():
            offer["bresp"] = SLVERR if answers[0].errors else 0
            valid["b"] = 1
        for name in ready:
            pace = self.paces[name]
            willing = pace.willing >= 1.0 or pace()
            ready[name] = int(willing and not (held and name != "ar"))
        shown = (ready["aw"], ready["w"], ready["ar"], valid["r"], valid["b"])
        if not offer and shown == self._shown:  # most cycles
            return
        self._shown = shown
        self.port.set(
            **offer,
            **{f"{name}ready": value for name, value in ready.items()},
            **{f"{name}valid": value for name, value in valid.items()},
        )
