# SPDX-License-Identifier: Apache-2.0
"""The network block: what becomes of a frame, and the frames that carry answers."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network

from wirecache.model import udp
from wirecache.traffic import frames
from wirecache.traffic.frames import BOARD, Endpoint

MAX_FRAME = 1514  # without FCS; longer ones are dropped as bad


@dataclass(frozen=True)
class Drop:
    """The frame is dropped; `cause` is a name of wc_pkg::net_events_t."""

    cause: str


@dataclass(frozen=True)
class Reply:
    """The frame is answered by the network block itself; `event` says what it was."""

    event: str
    frame: bytes


@dataclass(frozen=True)
class Request:
    """A request for the parser, and whom to answer."""

    client: Endpoint
    request_id: int | None
    data: bytes


@dataclass(frozen=True)
class Settings:
    """wc_pkg::net_settings_t."""

    board: Endpoint = BOARD
    enable: bool = True
    frame_header: bool = True
    answer_limit: int = 65536  # bytes of the answer to a datagram
    allow: tuple[IPv4Network, ...] = ()  # the access list; an empty one allows everybody

    def allows(self, ip: bytes) -> bool:
        return not self.allow or any(IPv4Address(ip) in network for network in self.allow)


def receive(frame: bytes, settings: Settings) -> Drop | Reply | Request:
    """What becomes of a frame (without FCS)."""
    if not settings.enable:
        return Drop("drop_disabled")
    if len(frame) > MAX_FRAME:
        return Drop("drop_bad_frame")
    if len(frame) < _least(frame):
        return Drop("drop_runt")
    to_mac, from_mac, kind = frames.ETHERNET.unpack_from(frame)
    if to_mac not in (settings.board.mac, frames.BROADCAST):
        return Drop("drop_mac")
    body = frame[frames.ETHERNET.size :]
    if kind == frames.TYPE_ARP:
        return _arp(body, settings.board)
    if kind == frames.TYPE_IPV4:
        return _ipv4(body, from_mac, settings)
    return Drop("drop_ethertype")


def _least(frame: bytes) -> int:
    """How long a frame must be for what its headers say."""
    head = frames.ETHERNET.size
    kind = frame[12:14]
    if kind == frames.TYPE_ARP.to_bytes(2, "big"):
        return head + frames.ARP.size
    if kind == frames.TYPE_IPV4.to_bytes(2, "big"):
        total = int.from_bytes(frame[16:18], "big")
        return head + max(frames.IPV4.size, total)
    return head


def _is_station(mac: bytes, board: Endpoint) -> bool:
    """Is it the MAC address of one station, and not our own."""
    return not mac[0] & 1 and mac not in (bytes(6), board.mac)


def _is_host(ip: bytes, board: Endpoint) -> bool:
    """Is it the IPv4 address of one host, and not our own: neither "this network" (0/8), nor
    loopback (127/8), nor multicast (224/4), nor reserved or broadcast (240/4)."""
    return ip[0] not in (0, 127) and ip[0] < 224 and ip != board.ip


def _refused(client: Endpoint, settings: Settings) -> Drop | None:
    """Why a sender of IPv4 packets gets no answer, however good its packet is."""
    board = settings.board
    if not _is_station(client.mac, board) or not _is_host(client.ip, board):
        return Drop("drop_source")
    return None if settings.allows(client.ip) else Drop("drop_denied")


def send(
    request: Request, messages: list[bytes], settings: Settings, host: bool = False
) -> list[bytes]:
    """The frames of an answer, of the host's or not, whose messages are numbered each by itself."""
    return [
        frames.datagram(settings.board, request.client, payload)
        for message in messages
        for payload in udp.close_answer(message, request.request_id, host)
    ]


def _arp(body: bytes, board: Endpoint) -> Drop | Reply:
    hardware, protocol, sizes = body[0:2], body[2:4], body[4:6]
    _, _, _, _, operation, mac, ip, _, wanted = frames.ARP.unpack_from(body)
    request = hardware == b"\0\1" and protocol == b"\x08\0" and sizes == b"\6\4"
    if not request or operation != frames.ARP_REQUEST or wanted != board.ip:
        return Drop("drop_arp")
    # A host that looks whether an address is free asks from 0.0.0.0, and must be told (RFC 5227).
    if not _is_station(mac, board) or (ip != bytes(4) and not _is_host(ip, board)):
        return Drop("drop_source")
    ours = (1, frames.TYPE_IPV4, 6, 4, frames.ARP_REPLY, board.mac, board.ip, mac, ip)
    answer = frames.ethernet(board.mac, mac, frames.TYPE_ARP, frames.ARP.pack(*ours))
    return Reply("arp_reply", answer)


def _ipv4(body: bytes, from_mac: bytes, settings: Settings) -> Drop | Reply | Request:
    fields = frames.IPV4.unpack_from(body)
    first, _, total, _, fragment, _, protocol, _, from_ip, to_ip = fields
    head = (first & 15) * 4
    if first >> 4 != 4 or head < frames.IPV4.size or total < head:
        return Drop("drop_ip_header")
    if frames.checksum(body[:head]):
        return Drop("drop_ip_header")
    if to_ip != settings.board.ip:
        return Drop("drop_ip_address")
    if fragment & 0x3FFF:  # more fragments, or not the first
        return Drop("drop_ip_fragment")
    inner = body[head:total]
    if protocol == frames.PROTO_ICMP:
        return _icmp(inner, Endpoint(from_mac, from_ip, 0), settings)
    if protocol == frames.PROTO_UDP:
        return _udp(inner, Endpoint(from_mac, from_ip, 0), settings)
    return Drop("drop_ip_protocol")


def _icmp(inner: bytes, client: Endpoint, settings: Settings) -> Drop | Reply:
    board = settings.board
    if len(inner) < 8 or inner[:2] != bytes([frames.ICMP_ECHO, 0]) or frames.checksum(inner):
        return Drop("drop_icmp")
    if refused := _refused(client, settings):
        return refused
    # Type 8 becomes 0, so the checksum rises by 0x0800, with the end-around carry. Of the two zeros
    # that it may be then, this one is right for any data.
    raised = int.from_bytes(inner[2:4], "big") + (frames.ICMP_ECHO << 8)
    checksum = (raised & 0xFFFF) + (raised >> 16)
    answer = bytes([frames.ICMP_ECHO_REPLY, 0]) + checksum.to_bytes(2, "big") + inner[4:]
    packet = frames.ipv4(board.ip, client.ip, frames.PROTO_ICMP, answer)
    return Reply("icmp_reply", frames.ethernet(board.mac, client.mac, frames.TYPE_IPV4, packet))


def _udp(inner: bytes, client: Endpoint, settings: Settings) -> Drop | Request:
    if len(inner) < frames.UDP.size:
        return Drop("drop_udp_length")
    from_port, to_port, length, given = frames.UDP.unpack_from(inner)
    if to_port != settings.board.port:
        return Drop("drop_udp_port")
    least = frames.UDP.size + (frames.FRAME_HEADER.size if settings.frame_header else 0) + 1
    if length < least or length > len(inner):  # something must be asked
        return Drop("drop_udp_length")
    inner = inner[:length]
    covered = frames.pseudo_header(client.ip, settings.board.ip, length) + inner
    if given and frames.checksum(covered):
        return Drop("drop_udp_checksum")
    payload = inner[frames.UDP.size :]
    request_id: int | None = None
    if settings.frame_header:
        opened = udp.open_request(payload)
        if opened is None:
            return Drop("drop_udp_header")
        request_id, payload = opened
    if from_port in (0, settings.board.port):
        return Drop("drop_source")
    if refused := _refused(client, settings):
        return refused
    return Request(client.at_port(from_port), request_id, payload)
