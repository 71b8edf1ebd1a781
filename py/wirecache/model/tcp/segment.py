# SPDX-License-Identifier: Apache-2.0
"""A TCP segment, apart from its bytes on the wire, for which scapy is used."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from typing import Any, NamedTuple

from scapy.layers.inet import IP, TCP
from scapy.packet import Raw


class Flag(IntFlag):
    FIN = 1
    SYN = 2
    RST = 4
    PSH = 8
    ACK = 16
    URG = 32


class Peer(NamedTuple):
    """Who is at the other end. The board has one address and one port."""

    address: str
    port: int


@dataclass(slots=True, frozen=True)
class Segment:
    """`window` is as it stands in the header. Options that are not there are None, or empty."""

    seq: int
    flags: Flag
    ack: int = 0
    window: int = 0
    data: bytes = b""
    mss: int | None = None
    scale: int | None = None  # of windows, with SYN
    sack_permitted: bool = False
    times: tuple[int, int] | None = None  # time stamp and the one that is echoed (RFC 7323)
    sacks: tuple[tuple[int, int], ...] = ()  # (RFC 2018)

    @property
    def length(self) -> int:
        """What the segment takes of the sequence numbers."""
        return len(self.data) + bool(self.flags & Flag.SYN) + bool(self.flags & Flag.FIN)


def parse(packet: IP) -> tuple[Peer, Segment]:
    """The segment in an IPv4 packet with TCP; whoever sent it is the peer."""
    tcp = packet[TCP]
    options: dict[str, Any] = {}
    for name, value in tcp.options:
        options.setdefault(name, value)  # of two of a kind the first counts
    edges = options.get("SAck") or ()
    segment = Segment(
        seq=tcp.seq,
        flags=Flag(int(tcp.flags) & 63),
        ack=tcp.ack,
        window=tcp.window,
        data=bytes(tcp[Raw].load) if Raw in tcp else b"",
        mss=options.get("MSS"),
        scale=options.get("WScale"),
        sack_permitted="SAckOK" in options,
        times=options.get("Timestamp"),
        sacks=tuple(zip(edges[::2], edges[1::2], strict=False)),
    )
    return Peer(packet.src, tcp.sport), segment


def build(us: str, port: int, peer: Peer, segment: Segment) -> IP:
    """The IPv4 packet of a segment to `peer`."""
    options: list[tuple[str, Any]] = []
    if segment.mss is not None:
        options.append(("MSS", segment.mss))
    if segment.scale is not None:
        options += [("NOP", None), ("WScale", segment.scale)]
    if segment.sack_permitted:
        options += [("NOP", None), ("NOP", None), ("SAckOK", b"")]
    if segment.times is not None:
        options += [("NOP", None), ("NOP", None), ("Timestamp", segment.times)]
    if segment.sacks:
        edges = tuple(edge for block in segment.sacks for edge in block)
        options += [("NOP", None), ("NOP", None), ("SAck", edges)]
    header = TCP(
        sport=port,
        dport=peer.port,
        seq=segment.seq,
        ack=segment.ack,
        flags=int(segment.flags),
        window=segment.window,
        options=options,
    )
    packet = IP(src=us, dst=peer.address, flags="DF", id=0) / header
    return packet / Raw(segment.data) if segment.data else packet
