# SPDX-License-Identifier: Apache-2.0
"""Segments of peers that connect, as they stand in frames: what comes before wc_tcp_endpoint, and
what takes its segments."""

from __future__ import annotations

import random
from collections import deque
from typing import Any, ClassVar, Self

from clients import Client, Connecting, of_peer, record, wire
from scapy.layers.inet import IP, TCP, in4_chksum
from wirecache.circuit import structs
from wirecache.model.tcp.segment import Peer, Segment, parse
from wirecache.testbench.axi_memory import AxiMemory
from wirecache.testbench.bench import Bench, words
from wirecache.testbench.cycle import Driven, value_of

RX_BASE, TX_BASE = 0x35 << 20, 0x77 << 20  # of the rings: multiples of every ring
OUR_IP, OUR_PORT = "10.9.8.7", 11211
GIVEN = {
    "begin_i": 0,
    "payload_valid_i": 0,
    "record_valid_i": 0,
    "commit_i": 0,
    "abort_i": 0,
    "segment_ready_i": 0,
    "word_ready_i": 0,
    "now_i": 0,
    "idle_limit_i": 0,
    "keepalive_i": 0,
    "our_port_i": wire(OUR_PORT.to_bytes(2, "big")),
    "our_ip_i": wire(bytes(map(int, OUR_IP.split(".")))),
    "rx_base_i": RX_BASE,
    "tx_base_i": TX_BASE,
}
AROUND = 8 + 4 + 12 + 14 + 20 + 20  # bytes of a frame beside payload and options


def in_frame(row: bytes, address: str) -> tuple[Peer, Segment]:
    """Whom a segment goes to, and what it says. Its checksum must be right."""
    header = IP(src=OUR_IP, dst=address, proto=6, len=20 + len(row))
    packet = IP(bytes(header) + row)
    assert in4_chksum(6, packet, row) == 0, "checksum"
    assert packet[TCP].sport == OUR_PORT
    return Peer(address, packet[TCP].dport), parse(packet)[1]


class Frames(Connecting):
    """Frames in and out at the wire's rate, with what they carry in memory."""

    def __init__(
        self, dut: Any, bench: Bench, memory: AxiMemory, many: int, size: int, loss: float
    ) -> None:
        super().__init__(dut, bench, many, size, loss)
        self.memory = memory
        self.ring = 1 << int(dut.RingBits.value)
        self.counted: dict[str, int] = {}
        # To the circuit: what its inputs are, by cycle.
        self.plan: dict[int, dict[str, int]] = {}
        pulses = ("begin_i", "payload_valid_i", "record_valid_i", "commit_i", "abort_i")
        self.pulses = {name: Driven(getattr(dut, name)) for name in pulses}
        self.free = 0  # the cycle in which another frame may begin
        self.bad = 0.0  # how many frames are
        self.overflows = 0
        self.overflow: deque[int] = deque([0, 0, 0], 3)
        # From the circuit.
        self.reply: dict[str, Any] | None = None
        self.row: list[int] = []
        self.readies = (0, 0)  # of segments and words, in this cycle
        self.segment_ready, self.word_ready = Driven(dut.segment_ready_i), Driven(dut.word_ready_i)
        self.next_frame = 0
        self.stands = 0.0  # in how many cycles the wire does not take a word
        self.stopped = False  # takes nothing
        self.frames = 0
        self.lost = 0
        self.may_reset: set[Client] = set()  # for whom a reset is right at any time

    given: ClassVar[dict[str, int]] = {}  # other inputs of the circuit

    @classmethod
    async def start(cls, dut: Any, many: int, size: int, loss: float = 0.0, **memory: Any) -> Self:
        bench = await Bench.start(dut, GIVEN | cls.given)
        world = cls(dut, bench, AxiMemory(dut, torn=True, **memory), many, size, loss)
        await world.reset()
        return world

    def to_circuit(self, life: Client, segment: Segment) -> None:
        if not life.reset:
            super().to_circuit(life, segment)

    # ---- to the circuit --------------------------------------------------------------------------
    def at(self, cycle: int, **inputs: int) -> None:
        self.plan.setdefault(cycle, {}).update(inputs)

    def frame(self, life: Client, segment: Segment) -> None:
        """A frame, as what stands before the circuit hands it on. Its verdict comes 4 cycles
        behind its end, its record then or up to 6 later, but before another can have one."""
        start = self.cycle + 1
        data = words(segment.data)
        for n, word in enumerate(data):
            last = n == len(data) - 1
            count = (len(segment.data) - 1) % 8 + 1 if last else 8
            item = structs.pack("wc_net_pkg::payload_t", word=word, bytes=count, last=last)
            self.at(start + 2 + n, payload_valid_i=1, payload_i=item)
        self.at(start, begin_i=1)
        verdict = start + 5 + len(data)
        kept = random.random() >= self.bad
        self.at(verdict, commit_i=kept, abort_i=not kept)
        option_bytes = 12 * bool(segment.times) + 8 * len(segment.sacks)
        self.free = start + max(11, (AROUND + option_bytes + len(segment.data)) // 8)
        self.at(
            random.randint(verdict, min(verdict + 6, self.free + 4)),
            record_valid_i=1,
            record_i=record(life.peer_at, segment),
        )

    def drive_plan(self) -> None:
        said = self.plan.pop(self.cycle, {})
        if said.get("commit_i") and self.overflow[0]:  # as it was 2 cycles ago
            said |= {"commit_i": 0, "abort_i": 1}
            self.overflows += 1
        for name, pulse in self.pulses.items():
            pulse.set(int(said.get(name, 0)))
        for name in ("payload_i", "record_i"):
            if name in said:
                getattr(self.dut, name).value = said[name]

    # ---- from the circuit ------------------------------------------------------------------------
    def take_frames(self) -> None:
        dut = self.dut
        segment_ready, word_ready = self.readies
        if segment_ready and value_of(dut.segment_valid_o):
            self.reply = structs.unpack("wc_net_pkg::reply_t", value_of(dut.segment_o))
            self.next_frame = self.cycle + (AROUND - 12 + self.reply["bytes"]) // 8
        elif word_ready and self.reply is not None:
            assert value_of(dut.word_valid_o), "a word is late"
            self.row.append(value_of(dut.word_o))
            if 8 * len(self.row) >= self.reply["bytes"] + 8:
                self.sends()
        stands = self.stopped or random.random() < self.stands
        wants_frame = self.reply is None and self.cycle + 1 >= self.next_frame
        self.readies = (int(wants_frame and not stands), int(self.reply is not None and not stands))
        self.segment_ready.set(self.readies[0])
        self.word_ready.set(self.readies[1])

    def sends(self) -> None:
        assert self.reply is not None
        row = b"".join(word.to_bytes(8, "little") for word in self.row)
        count = self.reply["bytes"] + 8
        assert not any(row[count:])
        address = ".".join(map(str, self.reply["station"]["ip"].to_bytes(4, "little")))
        peer, segment = in_frame(row[:count], address)
        assert of_peer(peer)["station"] == self.reply["station"]
        self.reply, self.row = None, []
        self.frames += 1
        self.went(self.by_peer[peer], segment)

    def went(self, life: Client, segment: Segment) -> None:
        self.carry(life, segment, False)

    def count(self, struct: str, bits: int) -> None:
        if bits:
            for name, value in structs.unpack(struct, bits).items():
                self.counted[name] = self.counted.get(name, 0) + value
