# SPDX-License-Identifier: Apache-2.0
"""AXI4 memory that answers as late, and as early, as the protocol lets it.

A write reaches the memory at a random time between its last beat and its acknowledgement, a read
looks at the memory at a random time between its address and its data, and neither waits for the
other: whoever relies on more than the protocol promises sees stale or early data. With `torn` each
beat of a burst has a time of its own. `coupled` makes it worse than AXI lets it be, as a controller
with one queue may be: while R is held back, no writes are taken. It checks the rules that a master
must keep (4 KiB, burst ends, one id).
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

from wirecache.bench import Pace

LINE = 64  # bytes of a beat; a bench of a port with another width sets it


@dataclass
class Burst:
    """One address beat, and what has become of it."""

    address: int
    beats: int
    at: list[int] = field(default_factory=list)  # when each beat meets the memory
    due: int = 0  # when its answer may leave
    data: list[tuple[int, int]] = field(default_factory=list)  # (line, strobe) to write
    read: dict[int, int] = field(default_factory=dict)  # beat -> line that was read


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
    ) -> None:
        self.dut, self.torn, self.coupled = dut, torn, coupled
        self.read, self.write = read, write
        self.paces = {name: Pace(willing) for name in ("aw", "w", "ar", "r", "b")}
        self.lines: dict[int, int] = {}
        self.bursts_read = self.lines_read = self.bursts_written = self.lines_written = 0
        self.most_reads = 0
        self.cycle = 0
        for name in ("awready", "wready", "bvalid", "bid", "bresp", "arready", "rvalid", "rid"):
            self._set(name, 0)
        for name in ("rdata", "rresp", "rlast"):
            self._set(name, 0)
        cocotb.start_soon(self._run())

    def _set(self, name: str, value: int) -> None:
        getattr(self.dut, f"m_axi_{name}").value = value

    def _get(self, name: str) -> int:
        return int(getattr(self.dut, f"m_axi_{name}").value)

    def load(self, address: int, data: bytes) -> None:
        """Puts bytes there at once."""
        for i, byte in enumerate(data, address):
            shift = i % LINE * 8
            line = self.lines.get(i // LINE, 0)
            self.lines[i // LINE] = line & ~(0xFF << shift) | byte << shift

    def dump(self, address: int, length: int) -> bytes:
        first, last = address // LINE, (address + length - 1) // LINE
        data = b"".join(
            self.lines.get(i, 0).to_bytes(LINE, "little") for i in range(first, last + 1)
        )
        return data[address % LINE :][:length]

    def _burst(self, channel: str) -> Burst:
        address, beats = self._get(f"{channel}addr"), self._get(f"{channel}len") + 1
        if LINE == 48:  # 384 bits are no AXI width: whole bursts of eight, wherever pages end
            assert address % (8 * LINE) == 0 and beats == 8, "not a whole burst of 384 bytes"
        else:
            assert address % LINE == 0, "address within a line"
            assert address // 4096 == (address + beats * LINE - 1) // 4096, "burst crosses 4 KiB"
        assert 1 << self._get(f"{channel}size") == 1 << (LINE - 1).bit_length()
        assert self._get(f"{channel}burst") == 1
        assert self._get(f"{channel}id") == 0
        return Burst(address, beats)

    def _times(self, burst: Burst, first: int) -> list[int]:
        """When the beats meet the memory."""
        if self.torn:
            return [random.randint(first, burst.due) for _ in range(burst.beats)]
        return [random.randint(first, burst.due)] * burst.beats

    def _apply(self, at: int, line: int, strobe: int) -> None:
        if strobe == (1 << LINE) - 1:
            self.lines[at] = line
        else:
            mask = sum(0xFF << 8 * b for b in range(LINE) if strobe >> b & 1)
            self.lines[at] = self.lines.get(at, 0) & ~mask | line & mask

    async def _run(self) -> None:
        reads: deque[Burst] = deque()  # data not yet all given
        writes: deque[Burst] = deque()  # beats not yet all taken
        beats: deque[tuple[int, int, int]] = deque()
        unseen_reads: deque[Burst] = deque()
        unseen_writes: deque[Burst] = deque()
        answers: deque[Burst] = deque()
        clock = self.dut.clk_i
        ready = dict.fromkeys(("aw", "w", "ar"), 0)
        valid = dict.fromkeys(("r", "b"), 0)
        given = 0  # beats of reads[0]
        while True:
            await RisingEdge(clock)
            self.cycle += 1
            now = self.cycle
            # What was agreed on at this edge: outputs still have the values from before it.
            if ready["aw"] and self._get("awvalid"):
                writes.append(self._burst("aw"))
                self.bursts_written += 1
            if ready["w"] and self._get("wvalid"):
                beats.append((self._get("wdata"), self._get("wstrb"), self._get("wlast")))
                self.lines_written += 1
            if ready["ar"] and self._get("arvalid"):
                burst = self._burst("ar")
                burst.due = now + random.randint(*self.read)
                if reads:
                    burst.due = max(burst.due, reads[-1].due)
                burst.at = self._times(burst, now)
                reads.append(burst)
                unseen_reads.append(burst)
                self.bursts_read += 1
                self.most_reads = max(self.most_reads, len(reads))
            if valid["r"] and self._get("rready"):
                valid["r"] = 0
                self.lines_read += 1
                given += 1
                if given == reads[0].beats:
                    reads.popleft()
                    given = 0
            if valid["b"] and self._get("bready"):
                valid["b"] = 0
                answers.popleft()
            # A write is complete when address and all beats are there, in any order.
            while writes and len(beats) >= writes[0].beats:
                burst = writes.popleft()
                taken = [beats.popleft() for _ in range(burst.beats)]
                lasts = [last for _, _, last in taken]
                assert lasts == [0] * (burst.beats - 1) + [1], "wlast is not at the burst's end"
                burst.data = [(line, strobe) for line, strobe, _ in taken]
                burst.due = now + random.randint(*self.write)
                if answers:
                    burst.due = max(burst.due, answers[-1].due)
                burst.at = sorted(self._times(burst, now))
                if unseen_writes:
                    burst.at = [max(at, unseen_writes[-1].at[-1]) for at in burst.at]
                answers.append(burst)
                unseen_writes.append(burst)
            # Reads of one id may look in any order among themselves, writes keep theirs.
            for burst in list(unseen_reads):
                first = burst.address // LINE
                for i, at in enumerate(burst.at):
                    if at <= now and i not in burst.read:
                        burst.read[i] = self.lines.get(first + i, 0)
                if len(burst.read) == burst.beats:
                    unseen_reads.remove(burst)
            while unseen_writes and unseen_writes[0].at[0] <= now:
                burst = unseen_writes[0]
                i = burst.beats - len(burst.at)
                self._apply(burst.address // LINE + i, *burst.data[i])
                burst.at.pop(0)
                if not burst.at:
                    unseen_writes.popleft()
            held = self.coupled and valid["r"]
            # What is offered until the next edge.
            if not valid["r"] and reads and reads[0].due <= now and self.paces["r"]():
                self._set("rdata", reads[0].read[given])
                self._set("rlast", int(given == reads[0].beats - 1))
                valid["r"] = 1
            if not valid["b"] and answers and answers[0].due <= now and self.paces["b"]():
                valid["b"] = 1
            for name in ready:
                ready[name] = int(self.paces[name]() and not (held and name != "ar"))
                self._set(f"{name}ready", ready[name])
            for name in valid:
                self._set(f"{name}valid", valid[name])
