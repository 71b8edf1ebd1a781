# SPDX-License-Identifier: Apache-2.0
"""memcached over UDP: the frame header, and the cutting of answers into numbered datagrams."""

from __future__ import annotations

from wirecache.circuit import structs
from wirecache.traffic.frames import FRAME_HEADER


def datagram_bytes(host: bool = False) -> int:
    """Answer bytes in one datagram, without the frame header; of a host's answer, or not."""
    return structs.constant(f"wc_net_pkg::{'HostDatagramBytes' if host else 'DatagramBytes'}")


def open_request(payload: bytes) -> tuple[int, bytes] | None:
    """Request id and data of a request datagram; None when it is one of several."""
    request_id, number, total, _ = FRAME_HEADER.unpack_from(payload)
    if (number, total) != (0, 1):
        return None
    return request_id, payload[FRAME_HEADER.size :]


def close_answer(answer: bytes, request_id: int | None, host: bool = False) -> list[bytes]:
    """The datagrams of an answer: none when it is empty. No frame header without an id."""
    size = datagram_bytes(host)
    parts = [answer[i : i + size] for i in range(0, len(answer), size)]
    if request_id is None:
        return parts
    return [
        FRAME_HEADER.pack(request_id, number, len(parts), 0) + part
        for number, part in enumerate(parts)
    ]
