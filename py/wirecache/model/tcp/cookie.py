# SPDX-License-Identifier: Apache-2.0
"""SYN cookies: the number of a SYN-ACK says what the board has to know of a SYN, so nothing is
kept.

memcached's clients speak first, so a connection may begin with the client's ACK. The first sequence
number holds the time, the size of segments and a hash of 24 bits with a secret, as Bernstein has it
(https://cr.yp.to/syncookies.html); scale of the window and SACK are in the lowest bits of the time
stamp, as Linux has it. The hash covers them all: SipHash-2-4 of two words of 64 bits. The SYN's own
number n is taken from the hash, as n * (1 - 2^16), so that a segment with a cookie tells how far it
is behind the SYN: what the client has received since counts 65,537 times as much as what it has
sent, and does not make up for that.
"""

from __future__ import annotations

from dataclasses import dataclass

import siphash24

from wirecache.model.tcp.segment import Peer, Segment

MSS = (48, 256, 536, 1220, 1300, 1400, 1440, 1460)  # of 3 bits; a SYN's is rounded down
WITHOUT_MSS = 536  # what a SYN means that says nothing (RFC 9293, MUST-15)
TURN = 1 << 16  # milliseconds: a cookie is good for that of two turns
NO_SCALE = 15
OPTION_BITS = 6
EARLY = (
    1 << 16
)  # bytes: a peer sends fewer before it has an ACK, as windows of SYN-ACKs have no scale
_HASH = (1 << 24) - 1


@dataclass(slots=True, frozen=True)
class Options:
    """What a SYN asks for, as far as a cookie keeps it."""

    mss: int  # the place in MSS
    times: bool
    sack: bool = False
    scale: int = NO_SCALE  # up to 14

    @property
    def bits(self) -> int:
        """What the time stamp of the SYN-ACK ends in."""
        return self.sack << 4 | self.scale


def asked(syn: Segment) -> Options:
    """Without time stamps there is no place for the other options."""
    size = WITHOUT_MSS if syn.mss is None else syn.mss
    place = max((n for n, mss in enumerate(MSS) if mss <= size), default=0)
    if syn.times is None:
        return Options(place, False)
    scale = NO_SCALE if syn.scale is None else min(syn.scale, 14)
    return Options(place, True, syn.sack_permitted, scale)


def stamp(options: Options, now: int) -> int:
    """The time stamp that says so, no later than now."""
    time = now >> OPTION_BITS << OPTION_BITS | options.bits
    return (time if time <= now else time - (1 << OPTION_BITS)) & 0xFFFFFFFF


def turn_of(now: int) -> int:
    """The number of the turn in which `now` is. It goes round with the 32 bits of a time."""
    return now // TURN & 0xFFFF


def number(secret: bytes, peer: Peer, isn: int, options: Options, turn: int) -> int:
    """The first sequence number of the answer to a SYN with the number `isn`."""
    address = bytes(int(part) for part in peer.address.split("."))
    low = address + peer.port.to_bytes(2, "big") + bytes((options.bits, options.times))
    high = (turn << 3 | options.mss).to_bytes(8, "little")
    hash_ = int.from_bytes(siphash24.siphash24(low + high, key=secret).digest(), "little")
    return (turn & 31) << 27 | options.mss << 24 | (hash_ - isn + (isn << 16)) & _HASH


@dataclass(slots=True, frozen=True)
class Shown:
    """A cookie of ours that a segment has shown."""

    options: Options  # of the SYN
    behind: int  # bytes from the first one of the peer; 0: the connection begins with this segment


def shown(secret: bytes, peer: Peer, ack: Segment, now: int) -> Shown | None:
    """The cookie that `ack` shows, if it is one of ours for this peer. Some of the peer's segments
    may have been lost, or be late, so it need not be the first that comes."""
    cookie = (ack.ack - 1) & 0xFFFFFFFF
    age = (turn_of(now) - (cookie >> 27)) & 31
    if age > 1:
        return None
    options = Options(cookie >> 24 & 7, False)
    if ack.times is not None:
        bits = ack.times[1] & ((1 << OPTION_BITS) - 1)
        options = Options(options.mss, True, bool(bits >> 4 & 1), bits & 15)
    turn = (turn_of(now) - age) & 0xFFFF
    moved = cookie - number(secret, peer, ack.seq - 1, options, turn)
    behind = (moved + (moved << 16)) & _HASH  # (1 - 2^16)(1 + 2^16) is 1 in 24 bits
    return Shown(options, behind) if behind < EARLY else None
