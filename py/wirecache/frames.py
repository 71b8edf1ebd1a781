# SPDX-License-Identifier: Apache-2.0
"""Ethernet frames for tests and benches: ARP, ICMP, IPv4 and UDP built and read, pcap files.

Plain `struct`, because the tests make frames by the ten thousand.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ETHERNET = struct.Struct(">6s6sH")
IPV4 = struct.Struct(">BBHHHBBH4s4s")
UDP = struct.Struct(">HHHH")
ARP = struct.Struct(">HHBBH6s4s6s4s")
FRAME_HEADER = struct.Struct(">HHHH")  # memcached's: request id, number, of how many, reserved

TYPE_IPV4, TYPE_ARP = 0x0800, 0x0806
PROTO_ICMP, PROTO_UDP = 1, 17
ARP_REQUEST, ARP_REPLY = 1, 2
ICMP_ECHO_REPLY, ICMP_ECHO = 0, 8
BROADCAST = b"\xff" * 6

MIN_FRAME = 60  # without FCS
WIRE_EXTRA = 8 + 4 + 12  # preamble, FCS, gap
MAX_PAYLOAD = 1500 - IPV4.size - UDP.size  # UDP payload of a whole IPv4 packet


@dataclass(frozen=True)
class Endpoint:
    """Where a datagram comes from or goes to."""

    mac: bytes
    ip: bytes
    port: int

    def at_port(self, port: int) -> Endpoint:
        return replace(self, port=port)


BOARD = Endpoint(bytes.fromhex("025743000001"), bytes([10, 0, 2, 15]), 11211)
CLIENT = Endpoint(bytes.fromhex("525500000002"), bytes([10, 0, 2, 2]), 40000)


def checksum(data: bytes) -> int:
    """The Internet checksum of `data`; 0 when the data holds its own."""
    number = int.from_bytes(data, "big") << 8 * (len(data) & 1)
    rest = number % 0xFFFF  # the sum with end-around carry, but for which of its two zeros
    if rest == 0 and number:
        return 0
    return rest ^ 0xFFFF


# ---- building ---------------------------------------------------------------------------------
def ethernet(source: bytes, destination: bytes, kind: int, payload: bytes) -> bytes:
    """A frame without FCS, padded to the smallest size."""
    return (ETHERNET.pack(destination, source, kind) + payload).ljust(MIN_FRAME, b"\0")


def ipv4(
    source: bytes,
    destination: bytes,
    protocol: int,
    payload: bytes,
    *,
    ident: int = 0,
    fragment: int = 0x4000,
    ttl: int = 64,
    options: bytes = b"",
) -> bytes:
    """An IPv4 packet; `fragment` is the word of flags and offset, options a multiple of 4 bytes."""
    size = IPV4.size + len(options)
    fields = (0x40 | size // 4, 0, size + len(payload), ident, fragment, ttl, protocol)
    head = IPV4.pack(*fields, 0, source, destination) + options
    return head[:10] + checksum(head).to_bytes(2, "big") + head[12:] + payload


def pseudo_header(source: bytes, destination: bytes, length: int) -> bytes:
    """What the UDP checksum covers besides the datagram."""
    return source + destination + struct.pack(">HH", PROTO_UDP, length)


def udp(source: Endpoint, destination: Endpoint, payload: bytes, with_sum: bool = True) -> bytes:
    """A UDP datagram; without a checksum it says 0, which means none."""
    length = UDP.size + len(payload)
    value = 0
    if with_sum:
        head = UDP.pack(source.port, destination.port, length, 0)
        value = checksum(pseudo_header(source.ip, destination.ip, length) + head + payload)
        value = value or 0xFFFF
    return UDP.pack(source.port, destination.port, length, value) + payload


def datagram(
    source: Endpoint,
    destination: Endpoint,
    payload: bytes,
    *,
    with_sum: bool = True,
    ident: int = 0,
    options: bytes = b"",
) -> bytes:
    """A whole frame with a UDP datagram."""
    inner = udp(source, destination, payload, with_sum)
    packet = ipv4(source.ip, destination.ip, PROTO_UDP, inner, ident=ident, options=options)
    return ethernet(source.mac, destination.mac, TYPE_IPV4, packet)


def request(
    data: bytes,
    request_id: int,
    source: Endpoint = CLIENT,
    board: Endpoint = BOARD,
    frame_header: bool = True,
) -> bytes:
    """A frame that asks the board something."""
    head = FRAME_HEADER.pack(request_id, 0, 1, 0) if frame_header else b""
    return datagram(source, board, head + data)


def arp_request(source: Endpoint = CLIENT, wanted: bytes = BOARD.ip) -> bytes:
    body = ARP.pack(1, TYPE_IPV4, 6, 4, ARP_REQUEST, source.mac, source.ip, bytes(6), wanted)
    return ethernet(source.mac, BROADCAST, TYPE_ARP, body)


def icmp_echo(
    data: bytes, ident: int, sequence: int, source: Endpoint = CLIENT, board: Endpoint = BOARD
) -> bytes:
    head = struct.pack(">BBHHH", ICMP_ECHO, 0, 0, ident, sequence) + data
    body = head[:2] + checksum(head).to_bytes(2, "big") + head[4:]
    return ethernet(source.mac, board.mac, TYPE_IPV4, ipv4(source.ip, board.ip, PROTO_ICMP, body))


def wire_bytes(frame: bytes) -> int:
    """Byte times that a frame takes on the wire."""
    return max(len(frame), MIN_FRAME) + WIRE_EXTRA


# ---- reading ----------------------------------------------------------------------------------
@dataclass(frozen=True)
class Datagram:
    """A UDP datagram as it came off the wire."""

    source: Endpoint
    destination: Endpoint
    payload: bytes


def parse_datagram(frame: bytes) -> Datagram | None:
    """The UDP datagram of a frame, None when it holds none. Bad checksums are a ValueError."""
    if len(frame) < ETHERNET.size + IPV4.size + UDP.size:
        return None
    to_mac, from_mac, kind = ETHERNET.unpack_from(frame)
    first, _, total, _, _, _, protocol, _, from_ip, to_ip = IPV4.unpack_from(frame, ETHERNET.size)
    if kind != TYPE_IPV4 or protocol != PROTO_UDP:
        return None
    head = (first & 15) * 4
    packet = frame[ETHERNET.size : ETHERNET.size + total]
    if len(packet) != total or checksum(packet[:head]):
        raise ValueError("bad IPv4 header")
    inner = packet[head:]
    from_port, to_port, length, given = UDP.unpack_from(inner)
    if length != len(inner):
        raise ValueError("bad UDP length")
    if given and checksum(pseudo_header(from_ip, to_ip, length) + inner):
        raise ValueError("bad UDP checksum")
    return Datagram(
        Endpoint(from_mac, from_ip, from_port),
        Endpoint(to_mac, to_ip, to_port),
        inner[UDP.size :],
    )


# ---- pcap -------------------------------------------------------------------------------------
_PCAP_MICRO, _PCAP_NANO = 0xA1B2C3D4, 0xA1B23C4D


def write_pcap(path: Path, timed_frames: Iterable[tuple[int, bytes]]) -> None:
    """Writes frames with their times in nanoseconds."""
    parts = [struct.pack("<IHHiIII", _PCAP_NANO, 2, 4, 0, 0, 1 << 16, 1)]
    for time_ns, frame in timed_frames:
        second, rest = divmod(time_ns, 10**9)
        parts.append(struct.pack("<IIII", second, rest, len(frame), len(frame)) + frame)
    path.write_bytes(b"".join(parts))


def read_pcap(path: Path) -> Iterator[tuple[int, bytes]]:
    """Time in nanoseconds and bytes of every frame."""
    data = path.read_bytes()
    order = "<" if data[:4] in (b"\x4d\x3c\xb2\xa1", b"\xd4\xc3\xb2\xa1") else ">"
    magic = struct.unpack_from(order + "I", data)[0]
    if magic not in (_PCAP_MICRO, _PCAP_NANO):
        raise ValueError(f"{path} is no pcap file")
    unit = 1 if magic == _PCAP_NANO else 1000
    offset = 24
    while offset < len(data):
        seconds, rest, length, _ = struct.unpack_from(order + "IIII", data, offset)
        offset += 16
        yield seconds * 10**9 + rest * unit, data[offset : offset + length]
        offset += length
