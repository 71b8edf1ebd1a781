# SPDX-License-Identifier: Apache-2.0
"""The endpoint that listens: finds the connection of a segment, and makes new ones out of
cookies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from wirecache.model.tcp import cookie
from wirecache.model.tcp.connection import MSS, Connection, Setup, State
from wirecache.model.tcp.segment import Flag, Peer, Segment
from wirecache.model.tcp.sequence import add

TOO_MANY = b"ERROR Too many open connections\r\n"  # what memcached says to one too many


def setup_of(options: cookie.Options, ack: Segment, our_scale: int, ring: int) -> Setup:
    """What a connection begins with that `ack` opens, and whose cookie has kept `options`."""
    scale = None if options.scale == cookie.NO_SCALE else options.scale
    return Setup(
        first=ack.ack,
        first_of_peer=ack.seq,
        mss=cookie.MSS[options.mss],
        window=ack.window << (scale or 0),
        times=options.times,
        stamp=ack.times[0] if ack.times is not None else 0,
        sack=options.sack,
        scale=scale,
        our_scale=our_scale,
        ring=ring,
    )


@dataclass
class Totals:
    """What the endpoint has met, beside what each connection counts."""

    cookies: int = 0  # SYNs that were answered
    opened: int = 0
    refused: int = 0  # there were too many
    bad_cookies: int = 0
    early: int = 0  # segments in front of the one that opens their connection
    resets: int = 0  # segments without a connection


@dataclass
class Endpoint:
    secret: bytes  # 16 bytes
    most: int = 1024  # connections at once
    ring: int = 1 << 16  # bytes each way
    our_scale: int = 0
    connections: dict[Peer, Connection] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)
    on_open: Callable[[Peer, Connection], None] = lambda peer, connection: None

    def receive(self, peer: Peer, segment: Segment, now: int) -> list[Segment]:
        """What is to be sent to `peer` at once."""
        connection = self.connections.get(peer)
        if connection is not None:
            renewed = connection.renewed(segment)
            out = connection.receive(segment, now)
            self._forget(peer)
            return self._syn(peer, segment, now) if renewed else out
        if segment.flags & Flag.RST:
            return []
        if segment.flags & Flag.SYN and not segment.flags & (Flag.ACK | Flag.FIN):
            return self._syn(peer, segment, now)
        if segment.flags & Flag.ACK and not segment.flags & Flag.SYN:
            shown = cookie.shown(self.secret, peer, segment, now)
            if shown is not None and not shown.behind:
                return self._open(peer, segment, shown.options, now)
            if shown is not None:  # the peer sends its first bytes again
                self.totals.early += 1
                return []
            self.totals.bad_cookies += 1
        self.totals.resets += 1
        if segment.flags & Flag.ACK:
            return [Segment(segment.ack, Flag.RST)]
        return [Segment(0, Flag.RST | Flag.ACK, add(segment.seq, segment.length))]

    def _syn(self, peer: Peer, syn: Segment, now: int) -> list[Segment]:
        """Nothing is kept of a SYN: the answer's number says all."""
        self.totals.cookies += 1
        options = cookie.asked(syn)
        number = cookie.number(self.secret, peer, syn.seq, options, cookie.turn_of(now))
        times = None
        if options.times and syn.times is not None:
            times = cookie.stamp(options, now), syn.times[0]
        scale = None if options.scale == cookie.NO_SCALE else self.our_scale
        answer = Segment(
            number,
            Flag.SYN | Flag.ACK,
            add(syn.seq, 1),
            min(65535, self.ring - 1),
            mss=MSS,
            scale=scale,
            sack_permitted=options.sack,
            times=times,
        )
        return [answer]

    def _open(self, peer: Peer, ack: Segment, options: cookie.Options, now: int) -> list[Segment]:
        """The connection that an ACK begins which comes behind a SYN-ACK of ours."""
        if len(self.connections) >= self.most and not self._recycle():
            self.totals.refused += 1
            goodbye = Flag.ACK | Flag.PSH | Flag.FIN
            times = None if ack.times is None else (now & 0xFFFFFFFF, ack.times[0])
            return [Segment(ack.ack, goodbye, ack.seq, 0, TOO_MANY, times=times)]
        connection = Connection(setup_of(options, ack, self.our_scale, self.ring), now)
        self.connections[peer] = connection
        self.totals.opened += 1
        self.on_open(peer, connection)
        return connection.receive(ack, now)

    def _recycle(self) -> bool:
        """Gives up the connection that has waited longest for its end, if one does."""
        ending = [p for p, c in self.connections.items() if c.state == State.TIME_WAIT]
        if not ending:
            return False
        del self.connections[min(ending, key=lambda p: self.connections[p].deadline)]
        return True

    def _forget(self, peer: Peer) -> None:
        connection = self.connections.get(peer)
        if connection is not None and connection.state == State.CLOSED:
            del self.connections[peer]

    def tick(self, now: int) -> Iterator[tuple[Peer, Segment]]:
        """What is to be sent because time has gone by: once a millisecond."""
        for peer, connection in list(self.connections.items()):
            for segment in connection.tick(now):
                yield peer, segment
            while (sent := connection.send(now)) is not None:
                yield peer, sent
            self._forget(peer)
