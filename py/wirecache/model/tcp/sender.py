# SPDX-License-Identifier: Apache-2.0
"""What a connection sends: what is on its way, what is lost, how much may go.

All that was sent and is not acknowledged lies from `una` to `max`. Of these numbers the peer has
told of up to four pieces that it has (SACK); those below `lost` that it has not are taken for lost,
and from `again` on they were not sent once more. So what is on its way is the rest:

    una            again           lost              max            end
     |  sent again   | to be sent    | on its way      | never sent    |
     |  on its way   | again, lost   |                 |               |

That is RFC 6675's account with one simplification: whatever is below the highest piece that the
peer has is lost, where the RFC waits for three pieces above it. Without SACK only the first segment
is lost, as NewReno has it (RFC 6582), and each ACK that says nothing new tells that a segment has
left.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from wirecache.circuit import structs
from wirecache.model.tcp.pieces import MOST, Piece, joined
from wirecache.model.tcp.sequence import add, ahead, before, earliest, latest

DUPLICATES = 3  # ACKs that say nothing new, after which a segment is lost
FIRST_SEGMENTS = 10  # that may go at first (RFC 6928)
MOST_WINDOW = (
    1 << structs.constant("MostRingBits") + 1
) - 1  # bytes: more than a ring has. A larger window counts as this one


class Phase(Enum):
    OPEN = auto()  # nothing is known to be lost
    RECOVERY = auto()  # what was lost is sent again, until `recover` is acknowledged
    LOSS = auto()  # likewise, after a timeout: from the beginning of slow start


@dataclass(slots=True, frozen=True)
class Chunk:
    """What a segment is to hold: bytes from `seq` on, and perhaps the FIN."""

    seq: int
    length: int
    fin: bool
    again: bool


class Sender:
    def __init__(self, first: int, ring: int, mss: int, window: int, sack: bool) -> None:
        """first: the number of the first byte. mss: bytes of a segment, without options. window:
        the peer's, in bytes."""
        self.ring = ring
        self.mss = mss
        self.sack = sack
        self.una = first
        self.again = first
        self.lost = first
        self.max = first
        self.end = first  # bytes that there are
        self.grows = False  # more will be written: what does not fill a segment waits for it
        self.fin = False  # comes behind them
        self.window = min(window, MOST_WINDOW)
        self.most_window = self.window
        self.pieces: list[Piece] = []
        self.phase = Phase.OPEN
        self.recoveries = 0  # begun
        self.recover = first
        self.duplicates = 0
        self.left = 0  # bytes that have left without an account of which
        self.cwnd = min(FIRST_SEGMENTS * mss, max(2 * mss, 14600))
        self.ssthresh = MOST_WINDOW
        self.credit = 0  # bytes acknowledged since the window grew (RFC 5681, 3.1)
        self._bytes = bytearray()  # from una on

    # ---- what there is ---------------------------------------------------------------------------
    @property
    def stop(self) -> int:
        """The number behind the last one that there is to send."""
        return add(self.end, self.fin)

    @property
    def flight(self) -> int:
        return ahead(self.max, self.una)

    @property
    def done(self) -> bool:
        """All has been acknowledged."""
        return self.una == self.stop

    @property
    def room(self) -> int:
        """Bytes that may be written."""
        return self.ring - ahead(self.end, self.una)

    @property
    def pipe(self) -> int:
        """Bytes on their way."""
        lost = 0
        for start, stop in self._missing():
            lost += max(0, ahead(stop, latest(start, self.again)))
        return max(0, self.flight - self._has - lost - self.left)

    @property
    def _has(self) -> int:
        """Bytes that the peer has behind gaps."""
        return sum(ahead(stop, start) for start, stop in self.pieces)

    def _missing(self) -> list[Piece]:
        """What is lost, whether it was sent again or not."""
        found, start = [], self.una
        for piece in [*self.pieces, (self.max, self.max)]:
            stop = earliest(piece[0], self.lost)
            if before(start, stop):
                found.append((start, stop))
            start = piece[1]
        return found

    def write(self, data: bytes, grows: bool = False) -> None:
        """grows: more is written behind it soon, or nothing without."""
        assert len(data) <= self.room and not self.fin
        self.grows = grows
        self._bytes += data
        self.end = add(self.end, len(data))

    def bytes_of(self, chunk: Chunk) -> bytes:
        start = ahead(chunk.seq, self.una)
        return bytes(self._bytes[start : start + chunk.length])

    # ---- what may go -----------------------------------------------------------------------------
    def next(self, forced: bool = False) -> Chunk | None:
        """What is sent now, if anything: first what was lost, then what is new. forced: whatever
        the windows say of one segment (of the peer's, only where it has been sent before)."""
        return self._next(forced, self.grows)

    def _next(self, forced: bool, grows: bool) -> Chunk | None:
        for start, stop in self._missing():
            seq = latest(start, self.again)
            if before(seq, stop):
                return self._chunk(seq, earliest(stop, self.stop), forced, again=True, grows=grows)
        if self.max == self.stop:
            return None
        limit = earliest(add(self.una, self.window), self.stop)
        if self.end == self.max and self.fin:
            limit = self.stop  # a FIN takes no room
        return self._chunk(self.max, limit, forced, again=False, grows=grows)

    def _chunk(self, seq: int, limit: int, forced: bool, again: bool, grows: bool) -> Chunk | None:
        bytes_ = min(self.mss, max(0, ahead(earliest(limit, self.end), seq)))
        fin = self.fin and add(seq, bytes_) == self.end and not before(limit, self.stop)
        if not bytes_ and not fin:
            return None
        if self.pipe + bytes_ > self.cwnd + self._extra and not forced and self.pipe:
            return None
        rest = add(seq, bytes_) == self.end and not grows
        whole = bytes_ == self.mss or fin or again or rest
        if not whole and 2 * bytes_ < self.most_window:
            return None  # a silly window (RFC 9293, 3.8.6.2.1)
        return Chunk(seq, bytes_, fin, again)

    @property
    def _extra(self) -> int:
        """The first two ACKs that say nothing new let a new segment go each (RFC 3042)."""
        return (
            self.mss * min(self.duplicates, 2) if self.phase == Phase.OPEN and not self.sack else 0
        )

    def sent(self, chunk: Chunk) -> None:
        stop = add(chunk.seq, chunk.length + chunk.fin)
        if chunk.again:
            self.again = latest(self.again, stop)
        self.max = latest(self.max, stop)

    @property
    def blocked(self) -> bool:
        """There is something to send, nothing is on its way, and the peer's window forbids it."""
        return self.max != self.stop and not self.flight and not self._next(False, False)

    # ---- what the peer says ----------------------------------------------------------------------
    def acknowledge(self, ack: int, sacks: tuple[Piece, ...], same: bool) -> int:
        """An ACK for what was sent. same: the segment holds nothing but the ACK, and the window is
        as it was. Numbers newly acknowledged."""
        limited = self.pipe + self.mss > self.cwnd
        count = ahead(ack, self.una)
        if count > 0:
            del self._bytes[: min(count, ahead(self.end, self.una))]
            self.una = ack
            self.again, self.lost = latest(self.again, ack), latest(self.lost, ack)
            self.pieces = [
                (latest(start, ack), stop) for start, stop in self.pieces if before(ack, stop)
            ]
        told = self.sack and self._note(sacks)
        if count > 0:
            self._progress(count, limited)
            if told and self.phase == Phase.OPEN and self._has > (DUPLICATES - 1) * self.mss:
                self._recover()
        elif self.flight and (told or (same and not self.sack)):
            self._duplicate()
        if self.phase != Phase.OPEN and self.pieces:
            self.lost = latest(self.lost, self.pieces[-1][0])
        return max(0, count)

    def _note(self, sacks: tuple[Piece, ...]) -> bool:
        """What the peer has. Whether it is more than was known."""
        news = False
        for start, stop in sacks:
            if not before(self.una, stop) or not before(start, stop) or before(self.max, stop):
                continue  # acknowledged, or nonsense
            new = latest(start, self.una), stop
            news |= not any(
                not before(new[0], piece[0]) and not before(piece[1], new[1])
                for piece in self.pieces
            )
            # Of a fifth the last is forgotten: what is missing in front of them goes first.
            self.pieces = joined(self.pieces, new, self.una)[1][:MOST]
        return news

    def _progress(self, count: int, limited: bool) -> None:
        if self.phase == Phase.OPEN or (
            self.phase == Phase.LOSS and before(self.una, self.recover)
        ):
            self.duplicates = 0
            self.left = 0
            if limited or self.phase == Phase.LOSS:
                self._grow(count)
        elif not before(self.una, self.recover):
            if self.phase == Phase.RECOVERY:
                self.cwnd = min(self.ssthresh, max(self.flight, self.mss) + self.mss)
            self.phase = Phase.OPEN
            self.duplicates = 0
            self.left = 0
        elif not self.sack:  # NewReno: the next segment is lost as well
            self.again = self.una
            self.lost = earliest(add(self.una, self.mss), self.max)
            self.left = max(0, self.left - count + self.mss)

    def _grow(self, count: int) -> None:
        if self.cwnd < self.ssthresh:
            self.cwnd += min(count, 2 * self.mss if self.phase == Phase.OPEN else self.mss)
        else:
            self.credit += count
            if self.credit >= self.cwnd:
                self.credit -= self.cwnd
                self.cwnd += self.mss
        self.cwnd = min(self.cwnd, MOST_WINDOW)

    def _duplicate(self) -> None:
        if self.phase == Phase.RECOVERY:
            if not self.sack:
                self.left = min(self.left + self.mss, self.flight)
            return
        if self.phase == Phase.LOSS:
            return
        self.duplicates = min(self.duplicates + 1, DUPLICATES)
        if self.duplicates == DUPLICATES or self._has > (DUPLICATES - 1) * self.mss:
            self._recover()

    def _recover(self) -> None:
        """The first segment is lost: it is sent again at once, and half as much may be on its
        way."""
        self.phase = Phase.RECOVERY
        self.recoveries += 1
        self.recover = self.max
        self.ssthresh = max(self.flight // 2, 2 * self.mss)
        self.cwnd = self.ssthresh
        self.credit = 0
        self.again = self.una
        self.lost = earliest(add(self.una, self.mss), self.max)
        self.left = 0 if self.sack else min(DUPLICATES * self.mss, self.flight)

    def expire(self) -> None:
        """The peer has not answered in time: all that it does not have is lost."""
        if self.phase != Phase.LOSS:
            self.ssthresh = max(self.flight // 2, 2 * self.mss)
        if self.pieces and self.pieces[0][0] == self.una:
            self.pieces = []  # it has forgotten what it had (RFC 2018, 8)
        self.phase = Phase.LOSS
        self.recover = self.max
        self.cwnd = self.mss
        self.credit = 0
        self.again = self.una
        self.lost = self.max
        self.left = 0
        self.duplicates = 0

    def probe(self) -> Chunk | None:
        """A tail-loss probe (RFC 8985, 7): something new, or else the last segment once more."""
        new = self.next(forced=True)
        if new is not None and not new.again:
            return new
        length = min(self.mss, ahead(earliest(self.max, self.end), self.una))
        fin = self.fin and self.max == self.stop
        start = add(earliest(self.max, self.end), -length)
        return Chunk(start, length, fin, False) if length or fin else None
