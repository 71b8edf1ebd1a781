# SPDX-License-Identifier: Apache-2.0
"""What has come of a connection's bytes: in order, and behind gaps.

The bytes stand in a ring, at the place that their sequence number gives. Those in order go from
`read` to `next`; of those behind a gap four pieces are known. What would be a fifth is not kept:
the peer sends it again.
"""

from __future__ import annotations

from wirecache.model.tcp.pieces import MOST, Piece, joined
from wirecache.model.tcp.sequence import add, ahead, before, earliest, latest


class Receiver:
    def __init__(self, first: int, ring: int, scale: int, most: int) -> None:
        """first: the number of the first byte. ring: bytes, a power of two. scale: of the window,
        as the peer was told. most: bytes of a segment of the peer's."""
        self.ring = ring
        self.scale = scale
        self.most = most
        self.next = first  # RCV.NXT
        self.read = first  # what was taken ends here
        self.edge = first  # of the window that the peer knows: it never goes back
        self.pieces: list[Piece] = []  # behind gaps, in the order of their numbers
        self.recent = first  # in the piece that came last
        self.end: int | None = None  # the number of the FIN
        self._bytes = bytearray(ring)

    @property
    def waiting(self) -> int:
        """Bytes that can be taken."""
        return ahead(self.next, self.read) - self.ended

    @property
    def ended(self) -> bool:
        """All has come, the FIN as well."""
        return self.end is not None and self.next == add(self.end, 1)

    @property
    def window(self) -> int:
        return max(0, ahead(self.edge, self.next))

    def announce(self) -> int:
        """The window for the header of a segment that is sent now.

        The edge moves when that opens the window by a segment, or by half of the ring (RFC 9293,
        3.8.6.2.2), or when it is no smaller than a segment anyway: a request may need all of the
        ring. A window is told in steps of 2^scale, and rounded up: what was told once counts,
        so bytes are taken up to `limit`. A step of the ring is left out for that. A window that is
        not scaled tells of no more than 64 KiB: with a larger ring the edge moves as bytes come.
        Behind the peer's end it does not move.
        """
        edge = earliest(add(self.read, self.ring - self._step), add(self.next, 65535 << self.scale))
        least = min(self.most, self.ring // 2)
        opens = ahead(edge, self.edge)
        if not self.ended and (opens >= least or (opens > 0 and self.window >= least)):
            self.edge = edge
        return -(-self.window // self._step)

    @property
    def _step(self) -> int:
        return 1 << self.scale

    @property
    def limit(self) -> int:
        """The furthest edge that a rounded window may have had. A FIN takes a number, but no room:
        what comes next may lie behind the edge, and its ACKs count."""
        return latest(add(self.edge, self._step - 1), self.next)

    def accepts(self, seq: int, length: int) -> bool:
        """Whether a segment is worth looking at: it neither ends before what is next, nor begins
        behind the window."""
        return not before(add(seq, length), self.next) and not before(self.limit, seq)

    def keep(self, seq: int, data: bytes, fin: bool) -> bool:
        """Takes what is new of a segment. Whether anything of it was."""
        start, stop = latest(seq, self.next), earliest(add(seq, len(data)), self.limit)
        whole = stop == add(seq, len(data))
        if fin and whole and self.end is None and not before(stop, self.next):
            self.end = stop
        comes = None if self.ended else self.end
        if self.end is not None:  # nothing comes behind a FIN
            stop = earliest(stop, self.end)
        new = before(start, stop)
        if new and not self._keep(start, stop):
            return False
        if new:
            self._put(start, data[ahead(start, seq) : ahead(stop, seq)])
        if comes is not None and not before(self.next, comes):
            self.next = add(comes, 1)
            self.pieces = []  # what a peer has sent behind its end is nothing
            new = True
        return new

    def _put(self, seq: int, data: bytes) -> None:
        place = seq % self.ring
        front = data[: self.ring - place]
        self._bytes[place : place + len(front)] = front
        self._bytes[: len(data) - len(front)] = data[len(front) :]

    def _keep(self, start: int, stop: int) -> bool:
        """Joins it to what it touches. False if there is no place for another piece."""
        piece, pieces = joined(self.pieces, (start, stop), self.next)
        if piece[0] == self.next:
            self.next = piece[1]
            self.pieces = pieces[1:]
            return True
        if len(pieces) > MOST:
            return False
        self.recent = start
        self.pieces = pieces
        return True

    def sacks(self, room: int) -> tuple[Piece, ...]:
        """At most `room` pieces for the peer, the one that came last in front (RFC 2018, 4)."""

        def last(piece: Piece) -> bool:
            return not before(self.recent, piece[0]) and before(self.recent, piece[1])

        return tuple(sorted(self.pieces, key=last, reverse=True)[:room])

    def take(self, most: int) -> bytes:
        """Takes bytes that are there, in order."""
        count = min(most, self.waiting)
        place = self.read % self.ring
        data = bytes(self._bytes[place : place + count])
        data += self._bytes[: count - len(data)]
        self.read = add(self.read, count)
        return data
