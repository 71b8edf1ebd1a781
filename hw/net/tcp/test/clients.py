# SPDX-License-Identifier: Apache-2.0
"""Peers that connect: each sends a SYN, and its connection begins with the SYN-ACK."""

from __future__ import annotations

import random
from typing import Any

import seeds
from engine_bench import segment_event
from lives import Life, World
from wirecache.circuit import structs
from wirecache.model.tcp import cookie
from wirecache.model.tcp.endpoint import TOO_MANY
from wirecache.model.tcp.segment import Flag, Peer, Segment
from wirecache.model.tcp.sequence import add
from wirecache.testbench.bench import Bench

SEGMENT = "wc_tcp_pkg::segment_t"


def wire(text: bytes) -> int:
    return int.from_bytes(text, "little")


def of_peer(peer: Peer) -> dict[str, Any]:
    address = bytes(int(part) for part in peer.address.split("."))
    station = {"mac": wire(b"\2\0" + address), "ip": wire(address)}
    return {"station": station, "port": wire(peer.port.to_bytes(2, "big"))}


def record(peer: Peer, s: Segment) -> int:
    """A segment as wc_tcp_rx tells of it."""
    said = segment_event(0, s)["segment"]
    if s.flags & Flag.SYN:
        said["options"] |= {
            "mss_given": s.mss is not None,
            "mss": s.mss or 0,
            "scale_given": s.scale is not None,
            "scale": s.scale or 0,
            "sack_permitted": s.sack_permitted,
        }
    return structs.pack(SEGMENT, **said, **of_peer(peer))


class Client(Life):
    """A peer that connects. Its connection begins with the SYN-ACK."""

    peer_at: Peer
    syn_due = 0
    connected = refused = reset = False

    def syn(self, now: int) -> Segment:
        scaled = self.options.scale != cookie.NO_SCALE
        return Segment(
            add(self.theirs, -1),
            Flag.SYN,
            0,
            65535,
            mss=1460,
            scale=2 if scaled else None,
            sack_permitted=self.options.sack,
            times=(now & 0xFFFFFFFF, 0) if self.options.times else None,
        )


class Connecting(World[Client]):
    """What stands before the circuit here is the wire."""

    kind: type[Client] = Client

    def __init__(self, dut: Any, bench: Bench, many: int, size: int, loss: float) -> None:
        super().__init__(dut, bench, many, size, loss, self.kind)
        self.secret = random.randbytes(16)
        dut.secret_i.value = wire(self.secret)
        dut.seed_i.value = seeds.draw()
        dut.most_i.value = int(dut.Connections.value)
        for n, life in enumerate(self.lives):
            life.peer_at = Peer(f"10.{n & 3}.0.{random.randrange(1, 255)}", 1024 + n)
        self.by_peer = {life.peer_at: life for life in self.lives}
        self.resets = 0

    millisecond_cycles = 100  # few, as little happens in most of them

    def to_circuit(self, life: Client, segment: Segment) -> None:
        if life.opened or not life.refused:
            self.segments.append((life, segment))

    def over(self, life: Client) -> bool:
        """May the peer be told that there is no such connection?"""
        return life.closed

    def to_peer(self, life: Client, segment: Segment) -> None:
        if segment.flags & Flag.RST:
            assert self.over(life), "a reset in mid-life"
            self.resets += 1
            return
        if segment.data == TOO_MANY:
            life.refused = True
            return
        if not life.connected and segment.flags & Flag.SYN:
            life.connected = True
            life.ours = add(segment.seq, 1)
            life.begin(segment.times[0] if segment.times else 0, self.now)
            self.carry(life, life.greeting(self.now), True)
            return
        if segment.flags & Flag.SYN:
            return  # the answer to a second SYN
        super().to_peer(life, segment)

    def greet(self) -> None:
        for life in self.lives:
            life.syn_due = self.now

    def millisecond(self) -> None:
        self.now += 1
        self.dut.now_i.value = self.now & 0xFFFFFFFF
        for life in self.lives:
            if not life.connected:
                if life.syn_due <= self.now:
                    self.carry(life, life.syn(self.now), True)
                    life.syn_due = self.now + 20
                continue
            out = life.peer.tick(self.now)
            late = life.peer.acknowledge(self.now)
            for segment in [*out, *([late] if late else []), *life.drive(self.now)]:
                self.carry(life, segment, True)
