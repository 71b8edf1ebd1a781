# SPDX-License-Identifier: Apache-2.0
"""The network block: what becomes of a frame, and the frames that carry answers."""

from __future__ import annotations

from dataclasses import dataclass

from wirecache import frames
from wirecache.frames import BOARD, Endpoint
from wirecache.model import udp

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


def send(request: Request, answer: bytes, settings: Settings) -> list[bytes]:
    """The frames of an answer."""
    return [
        frames.datagram(settings.board, request.client, payload)
        for payload in udp.close_answer(answer, request.request_id)
    ]


def _arp(body: bytes, board: Endpoint) -> Drop | Reply:
    hardware, protocol, sizes = body[0:2], body[2:4], body[4:6]
    _, _, _, _, operation, mac, ip, _, wanted = frames.ARP.unpack_from(body)
    request = hardware == b"\0\1" and protocol == b"\x08\0" and sizes == b"\6\4"
    if not request or operation != frames.ARP_REQUEST or wanted != board.ip:
        return Drop("drop_arp")
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
        return _icmp(inner, Endpoint(from_mac, from_ip, 0), settings.board)
    if protocol == frames.PROTO_UDP:
        return _udp(inner, Endpoint(from_mac, from_ip, 0), settings)
    return Drop("drop_ip_protocol")


def _icmp(inner: bytes, client: Endpoint, board: Endpoint) -> Drop | Reply:
    if len(inner) < 8 or inner[:2] != bytes([frames.ICMP_ECHO, 0]) or frames.checksum(inner):
        return Drop("drop_icmp")
    head = bytes([frames.ICMP_ECHO_REPLY, 0, 0, 0]) + inner[4:]
    answer = head[:2] + frames.checksum(head).to_bytes(2, "big") + head[4:]
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
    return Request(client.at_port(from_port), request_id, payload)
