# SPDX-License-Identifier: Apache-2.0
"""Ethernet frames for tests and benches: ARP, ICMP, IPv4 and UDP built and read, captures.

Plain `struct`, because the tests make frames by the ten thousand.
"""

from __future__ import annotations

import gzip
import logging
import os
import shutil
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

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


# ---- captures ---------------------------------------------------------------------------------
_PCAP_NANO = 0xA1B23C4D
_LONGEST_CAPTURED = 1 << 18
_ETHERNET_LINK = 1
_PCAPNG, _GZIP = b"\x0a\x0d\x0d\x0a", b"\x1f\x8b"
_MOST_LAYERS = 4  # of gzip, one in the other


class CaptureError(ValueError):
    """A capture that cannot be read, or not all of it."""


def write_pcap(path: Path, timed_frames: Iterable[tuple[int, bytes]]) -> None:
    """Writes frames with their times in nanoseconds."""
    with path.open("wb") as out:
        _write_pcap(out, timed_frames)


def _write_pcap(out: BinaryIO, timed_frames: Iterable[tuple[int, bytes]]) -> None:
    header = struct.Struct("<IIII").pack
    out.write(struct.pack("<IHHiIII", _PCAP_NANO, 2, 4, 0, 0, _LONGEST_CAPTURED, _ETHERNET_LINK))
    for time_ns, frame in timed_frames:
        second, rest = divmod(time_ns, 10**9)
        out.write(header(second, rest, len(frame), len(frame)) + frame)


def read_pcap(path: Path) -> Iterator[tuple[int, bytes]]:
    """Time in nanoseconds and bytes of every frame of a pcap or pcapng file, compressed by gzip or
    not. CaptureError when it is something else, ends too early, or when a frame of it was cut."""
    from scapy.error import Scapy_Exception  # slow to import
    from scapy.utils import RawPcapNgReader

    with _scapy_is_strict():
        try:
            reader: Any = RawPcapNgReader(str(path))  # or one of pcap, if it is that
        except (Scapy_Exception, EOFError):
            raise CaptureError("it is no capture") from None
        with reader:
            for number, (frame, about) in enumerate(reader, 1):
                link = about.linktype if hasattr(about, "linktype") else reader.linktype
                if link & 0xFFFF != _ETHERNET_LINK:
                    raise CaptureError("its frames are not Ethernet")
                if len(frame) < about.wirelen:
                    raise CaptureError(
                        f"frame {number} was cut to {len(frame)} of its {about.wirelen} bytes "
                        "when it was captured"
                    )
                yield _nanoseconds(reader, about), frame
            if reader.f.read(1):
                raise CaptureError("a block of it is spoiled")


def _nanoseconds(reader: Any, about: Any) -> int:
    """The time stamp of a frame; pcapng has blocks without one, which are at 0."""
    if hasattr(about, "sec"):
        return int(about.sec) * 10**9 + int(about.usec) * (1 if reader.nano else 1000)
    if about.tshigh is None:
        return 0
    return int((about.tshigh << 32 | about.tslow) * 10**9 // about.tsresol)


@contextmanager
def _scapy_is_strict() -> Iterator[None]:
    """What scapy warns of, such as a file that ends within a frame, becomes a CaptureError."""

    class Raise(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            message = record.getMessage()
            if "TLS" not in message and "DSB" not in message:  # keys for what nobody decrypts
                raise CaptureError(message)

    logger, handler = logging.getLogger("scapy.runtime"), Raise()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def as_plain_pcap(path: Path) -> Path:
    """A pcap file with the frames of a capture: the file itself, but for what only libraries read.

    That is a file without a name then, which is there as long as this process and what it becomes.
    CaptureError where `read_pcap` has it; a plain pcap file is not looked into.
    """
    if not path.is_file():  # a pipe can be read only once
        return path
    unpacked = path
    for _ in range(_MOST_LAYERS):
        if _begins(unpacked, _GZIP):
            unpacked = _temporary(partial(_gunzip, unpacked))
    if _begins(unpacked, _GZIP):  # there are files that unpack to themselves
        raise CaptureError(f"gzip: packed more than {_MOST_LAYERS} times")
    if _begins(unpacked, _PCAPNG):
        return _temporary(lambda out: _write_pcap(out, _with_time(read_pcap(unpacked))))
    if unpacked != path:  # what is wrong with it is said here, by the name that the user knows
        for _ in read_pcap(unpacked):
            pass
    return unpacked


def _begins(path: Path, magic: bytes) -> bool:
    with path.open("rb") as source:
        return source.read(len(magic)) == magic


def _temporary(fill: Callable[[BinaryIO], None]) -> Path:
    """A file without a name, by what this process and those that it becomes can call it."""
    with tempfile.TemporaryFile(prefix="wirecache-") as out:
        fill(out)
        out.flush()
        number = os.dup(out.fileno())
    os.set_inheritable(number, True)
    return Path(f"/proc/self/fd/{number}")


def _gunzip(path: Path, out: BinaryIO) -> None:
    try:
        with gzip.open(path) as source:
            shutil.copyfileobj(source, out)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise CaptureError(f"gzip: {error}") from None


def _with_time(timed_frames: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    for number, (time_ns, frame) in enumerate(timed_frames, 1):
        if time_ns // 10**9 >= 1 << 32:
            raise CaptureError(f"frame {number} is of a time that pcap files do not know")
        yield time_ns, frame
