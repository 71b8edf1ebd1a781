# SPDX-License-Identifier: Apache-2.0
"""Events and results of wc_tcp_engine in words of the reference model."""

from __future__ import annotations

from typing import Any

from wirecache.circuit import structs
from wirecache.model.tcp import cookie
from wirecache.model.tcp.segment import Flag, Segment

PKG = "wc_tcp_engine_pkg"
KIND = structs.enum(f"{PKG}::kind_e")


def segment_event(number: int, s: Segment) -> dict[str, Any]:
    """The event of a segment of connection `number`."""
    blocks = sum((a << 32 | b) << 64 * n for n, (a, b) in enumerate(s.sacks))
    options = {"sacks": len(s.sacks), "sack": blocks}
    if s.times is not None:
        options |= {"times_given": 1, "time_value": s.times[0], "time_echo": s.times[1]}
    segment = {
        "seq": s.seq,
        "ack": s.ack,
        "flags": {f.name.lower(): int(bool(s.flags & f)) for f in Flag if f.name},
        "window": s.window,
        "bytes": len(s.data),
        "options": options,
    }
    return {"kind": KIND.EventSegment, "id": number, "segment": segment}


def opening_event(number: int, s: Segment, options: cookie.Options) -> dict[str, Any]:
    """Of the first segment of a connection; its cookie has kept `options`."""
    kept = {
        "size": options.mss,
        "times": options.times,
        "sack": options.sack,
        "scale": options.scale,
    }
    return segment_event(number, s) | {"opens": 1, "options": kept}


def segment_of(result: dict[str, Any], data: bytes = b"") -> Segment:
    """What a result sends."""
    s = result["segment"]
    flags = Flag(sum(int(f) for f in Flag if f.name and s["flags"][f.name.lower()]))
    times = (s["time_value"], s["time_echo"]) if s["times"] else None
    blocks = [s["sack"] >> 64 * n for n in range(s["sacks"])]
    sacks = tuple((b >> 32 & 0xFFFFFFFF, b & 0xFFFFFFFF) for b in blocks)
    return Segment(s["seq"], flags, s["ack"], s["window"], data, times=times, sacks=sacks)
