# SPDX-License-Identifier: Apache-2.0
"""One connection of an endpoint that listens (RFC 9293, 3.10.7.4, with 5961, 6298, 7323 and 8985).

Whoever owns it hands in segments of the peer and the time, takes the segments that come out, and
asks `send` for more until there are none. Between these calls nothing happens.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

from wirecache.model.tcp.receiver import Receiver
from wirecache.model.tcp.segment import Flag, Segment
from wirecache.model.tcp.sender import MOST_WINDOW, Chunk, Phase, Sender
from wirecache.model.tcp.sequence import add, ahead, before, earliest

MSS = 1460  # bytes that a segment of ours or of the peer's holds at most, without options
TIMES_BYTES = 12  # of a header, that time stamps take
SACK_BYTES = 8  # of each piece
OPTION_BYTES = 40

# Milliseconds.
FIRST_RTO = 1_000  # (RFC 6298, 2)
LEAST_RTO = 200  # as Linux has it; the RFC has 1,000
MOST_RTO = 120_000
LEAST_PROBE = 10  # (RFC 8985, 7.2)
DELAYED = 200  # that the peer may wait with an ACK
GIVE_UP = 900_000  # without a word of what was sent
LINGER = 60_000  # of TIME_WAIT, and of FIN_WAIT_2
STAMP_AGE = 20  # bits: the age of a time stamp is counted in steps of 17 minutes
OLD_STAMP = 24 * 24 * 3600 * 1000 >> STAMP_AGE  # then it counts for nothing (RFC 7323, 5.5)
TIMED_MASK = (1 << 18) - 1  # a round trip of four minutes and more is none
CHALLENGES = 255  # the low bits of the millisecond of a challenge are kept


class State(Enum):
    ESTABLISHED = auto()
    CLOSE_WAIT = auto()  # the peer has ended
    FIN_WAIT_1 = auto()  # we have
    FIN_WAIT_2 = auto()  # and the peer knows
    CLOSING = auto()  # both have at once
    LAST_ACK = auto()
    TIME_WAIT = auto()
    CLOSED = auto()


class Timer(Enum):
    NONE = auto()
    RETRANSMIT = auto()
    PROBE = auto()  # for a lost tail
    PERSIST = auto()  # asks for a window
    LINGER = auto()


@dataclass(slots=True)
class Counts:
    """What a connection has met."""

    retransmitted: int = 0
    timeouts: int = 0
    probes: int = 0
    window_probes: int = 0
    keepalives: int = 0
    silent: int = 0  # it was given up, as its peer did not answer those
    recoveries: int = 0
    out_of_order: int = 0
    duplicates: int = 0  # segments that brought nothing new
    challenges: int = 0
    old_stamps: int = 0


@dataclass(slots=True)
class Rtt:
    """Smoothed round trip in eighths of a millisecond, its variation in quarters (RFC 6298)."""

    smooth: int = 0
    variation: int = 0
    known: bool = False

    def sample(self, rtt: int) -> None:
        if not self.known:
            self.smooth, self.variation, self.known = rtt << 3, rtt << 1, True
            return
        error = rtt - (self.smooth >> 3)
        self.smooth = max(0, self.smooth + error)
        self.variation += abs(error) - (self.variation >> 2)

    @property
    def timeout(self) -> int:
        if not self.known:
            return FIRST_RTO
        return min(MOST_RTO, max(LEAST_RTO, (self.smooth >> 3) + max(1, self.variation)))


@dataclass(slots=True)
class Setup:
    """What the handshake has agreed on."""

    first: int  # of ours
    first_of_peer: int
    mss: int
    window: int  # the peer's
    times: bool
    stamp: int  # the peer's last
    sack: bool
    scale: int | None  # of the peer's window; None: windows are not scaled, ours neither
    our_scale: int
    ring: int = 1 << 16


@dataclass
class Connection:
    setup: Setup
    now: int
    state: State = State.ESTABLISHED
    counts: Counts = field(default_factory=Counts)

    def __post_init__(self) -> None:
        s = self.setup
        self.times, self.sack = s.times, s.sack
        self.peer_scale = s.scale or 0
        self.stamp, self.stamped = s.stamp, self.now >> STAMP_AGE
        self.acked = s.first_of_peer  # the last ACK that was sent
        mss = min(s.mss, MSS) - (TIMES_BYTES if s.times else 0)
        scale = 0 if s.scale is None else s.our_scale
        self.receiver = Receiver(s.first_of_peer, s.ring, scale, MSS)
        self.receiver.announce()
        self.sender = Sender(s.first, s.ring, mss, s.window, s.sack)
        self.window_at = s.first_of_peer  # the segment that told the window (SND.WL1)
        self.rtt = Rtt()
        self.timed: tuple[int, int] | None = None  # without time stamps: what was sent when
        self.backoff = 0
        self.timer, self.deadline = Timer.NONE, 0
        self.progress = self.now  # when the peer last said something new
        self.probed = False  # by a segment that is not acknowledged
        self.asked = False  # by a keepalive, and no segment has come since
        self.challenged = self.now - 1 & CHALLENGES
        self.ack_due = False  # soon, if nothing else carries it
        self.unacked = 0  # bytes received since the last ACK
        self.forced = False  # a segment goes, whatever the congestion window says

    # ---- the owner -------------------------------------------------------------------------------
    @property
    def ended(self) -> bool:
        """The peer sends nothing more."""
        return self.receiver.ended

    def take(self, most: int) -> bytes:
        """Takes bytes that have come. `send` tells the peer, if that opens the window."""
        edge = self.receiver.edge
        data = self.receiver.take(most)
        self.receiver.announce()
        self.ack_due |= self.receiver.edge != edge and ahead(edge, self.receiver.next) < MSS
        return data

    def write(self, data: bytes, grows: bool = False) -> None:
        self.sender.write(data, grows)

    def close(self) -> None:
        """Nothing more is written. What was written is sent all the same."""
        if self.sender.fin:
            return
        self.sender.fin = True
        if self.state == State.ESTABLISHED:
            self.state = State.FIN_WAIT_1
        elif self.state == State.CLOSE_WAIT:
            self.state = State.LAST_ACK

    def abort(self) -> Segment | None:
        """Ends at once. The RST for the peer, if it need be told (RFC 9293, 3.10.5)."""
        silent = self.state in (State.CLOSING, State.LAST_ACK, State.TIME_WAIT)
        self._closed()
        return None if silent else self._reset()

    def _reset(self) -> Segment:
        return Segment(self.sender.max, Flag.RST | Flag.ACK, self.receiver.next)

    def _closed(self) -> None:
        self.state, self.timer = State.CLOSED, Timer.NONE
        self.ack_due = False

    # ---- segments of the peer --------------------------------------------------------------------
    def receive(self, s: Segment, now: int) -> list[Segment]:
        """What a segment makes of the connection, and what is to be sent at once."""
        if self.state == State.CLOSED:
            return []
        self.now = now
        self.asked = False
        if self.renewed(s):
            self._closed()
            return []
        reset, receiver = bool(s.flags & Flag.RST), self.receiver
        if self.times and not reset:
            if s.times is None:
                return []  # (RFC 7323, 3.2)
            age = (now >> STAMP_AGE) - self.stamped
            if before(s.times[0], self.stamp) and age < OLD_STAMP:
                self.counts.old_stamps += 1
                return [self._ack()]
        if not receiver.accepts(s.seq, s.length):
            return [] if reset else self._unwanted(s)
        if reset:
            if s.seq != receiver.next:
                return self._challenge()
            if self.state != State.TIME_WAIT:  # (RFC 1337)
                self._closed()
            return []
        if s.flags & Flag.SYN:
            return self._challenge()
        if not s.flags & Flag.ACK:
            return []
        if before(self.sender.max, s.ack):
            return self._challenge()
        if before(s.ack, add(self.sender.una, -self.sender.most_window)):
            return self._challenge()  # (RFC 5961, 5.2)
        if s.times is not None and not before(self.acked, s.seq):
            self.stamp, self.stamped = s.times[0], now >> STAMP_AGE  # (RFC 7323, 4.3)
        self._acknowledged(s)
        return self._bytes(s)

    def renewed(self, s: Segment) -> bool:
        """A SYN that may begin anew what waits for its end (RFC 6191)."""
        if self.state != State.TIME_WAIT or not s.flags & Flag.SYN or s.flags & Flag.ACK:
            return False
        if s.times is not None and self.times and s.times[0] != self.stamp:
            return ahead(s.times[0], self.stamp) > 0
        return ahead(s.seq, self.receiver.next) > 0

    def _unwanted(self, s: Segment) -> list[Segment]:
        """Outside of the window: old, or a probe. The peer is told where we are."""
        self.counts.duplicates += 1
        return self._challenge()

    def _challenge(self) -> list[Segment]:
        """An ACK for what we do not believe, one a millisecond at most (RFC 5961, 7)."""
        if self.challenged == self.now & CHALLENGES:
            return []
        self.challenged = self.now & CHALLENGES
        self.counts.challenges += 1
        return [self._ack()]

    def _acknowledged(self, s: Segment) -> None:
        sender = self.sender
        window = min(s.window << self.peer_scale, MOST_WINDOW)
        same = not s.length and window == sender.window
        new = before(sender.una, s.ack)
        if not before(s.ack, sender.una):
            if (
                new
                or before(self.window_at, s.seq)
                or (self.window_at == s.seq and window > sender.window)
            ):
                if sender.window == 0 and window:
                    self.backoff = 0
                sender.window, self.window_at = window, s.seq
                sender.most_window = max(sender.most_window, window)
            elif self.window_at == s.seq and not window:
                sender.window = 0
        else:
            return
        fin_known = sender.fin and s.ack == sender.stop
        recoveries = sender.recoveries
        if sender.acknowledge(s.ack, s.sacks, same):
            self._sample(s)
            self.backoff = 0
            self.progress = self.now
            self.probed = False
            self.forced = sender.phase == Phase.RECOVERY and not sender.sack
            self._rearm()
        if not sender.window:
            self.progress = self.now  # the peer lives, and has no room: we ask without end
        if self.timer == Timer.PERSIST and not sender.blocked:
            self._rearm()
        if sender.recoveries != recoveries:  # an ACK may end one and begin the next
            self.counts.recoveries += 1
            self.forced = True
            self._rearm()
        if fin_known:
            self._fin_acknowledged()

    def _sample(self, s: Segment) -> None:
        if self.times and s.times is not None:
            if s.times[1]:
                self.rtt.sample(min(MOST_RTO, max(0, ahead(self.now, s.times[1]))))
        elif self.timed is not None and not before(s.ack, self.timed[0]):
            self.rtt.sample(min(MOST_RTO, self.now - self.timed[1] & TIMED_MASK))
            self.timed = None

    def _fin_acknowledged(self) -> None:
        if self.state == State.FIN_WAIT_1:
            self.state = State.FIN_WAIT_2
            self._arm(Timer.LINGER, LINGER)
        elif self.state == State.CLOSING:
            self.state = State.TIME_WAIT
            self._arm(Timer.LINGER, LINGER)
        elif self.state == State.LAST_ACK:
            self._closed()

    def _bytes(self, s: Segment) -> list[Segment]:
        """What the segment brings."""
        receiver, fin = self.receiver, bool(s.flags & Flag.FIN)
        if self.state == State.CLOSED or not (s.data or fin):
            return []
        if self.state in (State.FIN_WAIT_1, State.FIN_WAIT_2) and before(
            receiver.next, add(s.seq, len(s.data))
        ):
            self._closed()
            return [self._reset()]  # nobody takes it: the peer shall know (RFC 9293, 3.6.1)
        next_ = receiver.next
        new = receiver.keep(s.seq, s.data, fin)
        receiver.announce()
        count = ahead(receiver.next, next_)
        if not new:
            self.counts.duplicates += 1
            if self.state == State.TIME_WAIT and fin:  # our ACK for it was lost
                self._arm(Timer.LINGER, LINGER)
            return [self._ack()]
        if not count:
            self.counts.out_of_order += 1
            return [self._ack()]
        if receiver.ended:
            self._peer_ended()
            return [self._ack()]
        self.unacked += count
        cut = before(receiver.next, add(s.seq, len(s.data)))  # the window was too small
        if self.unacked >= 2 * receiver.most or receiver.pieces or cut:
            return [self._ack()]
        self.ack_due = True
        return []

    def _peer_ended(self) -> None:
        if self.state == State.ESTABLISHED:
            self.state = State.CLOSE_WAIT
        elif self.state == State.FIN_WAIT_1:
            self.state = State.CLOSING
        elif self.state == State.FIN_WAIT_2:
            self.state = State.TIME_WAIT
            self._arm(Timer.LINGER, LINGER)

    # ---- segments of ours ------------------------------------------------------------------------
    def _header(self, seq: int, flags: Flag, data: bytes = b"", sacks: bool = False) -> Segment:
        window = min(65535, self.receiver.announce())
        room = OPTION_BYTES - (TIMES_BYTES if self.times else 0) - 4
        pieces = self.receiver.sacks(room // SACK_BYTES) if sacks and self.sack else ()
        self.acked = self.receiver.next
        self.unacked = 0
        self.ack_due = False
        times = (self.now & 0xFFFFFFFF, self.stamp) if self.times else None
        return Segment(seq, flags | Flag.ACK, self.acked, window, data, times=times, sacks=pieces)

    def _ack(self) -> Segment:
        """Nothing but an ACK. If the peer has taken back what its window was, our next number may
        be behind it: the peer would not look at the segment."""
        edge = add(self.sender.una, self.sender.window)
        return self._header(earliest(self.sender.max, edge), Flag(0), sacks=True)

    def send(self, now: int) -> Segment | None:
        """The next segment that may go now, with bytes. Called until it gives None."""
        self.now = now
        if self.state in (State.CLOSED, State.TIME_WAIT):
            return None
        chunk = self.sender.next(self.forced)
        self.forced = False
        if chunk is None:
            if self.timer == Timer.NONE and self.sender.blocked:
                self.progress = now
                self._rearm()
            return None
        if self.timer in (Timer.NONE, Timer.PERSIST) or not self.sender.flight:
            self.progress = now
        segment = self._segment(chunk)
        if chunk.again:
            self.timed = None  # (Karn)
        elif self.timed is None:
            self.timed = add(chunk.seq, chunk.length + chunk.fin), now
        if not chunk.again or self.timer == Timer.NONE:
            self._rearm()
        return segment

    def acknowledge(self, now: int) -> Segment | None:
        """The ACK that waited for something to carry it, when it has waited for long enough."""
        self.now = now
        return self._ack() if self.ack_due and self.state != State.CLOSED else None

    def _segment(self, chunk: Chunk) -> Segment:
        sender = self.sender
        if before(chunk.seq, sender.max):
            self.counts.retransmitted += 1
        data = sender.bytes_of(chunk)
        sender.sent(chunk)
        last = add(chunk.seq, chunk.length) == sender.end
        flags = Flag.PSH if last and data else Flag(0)
        return self._header(chunk.seq, flags | (Flag.FIN if chunk.fin else Flag(0)), data)

    # ---- a peer that has said nothing for long ---------------------------------------------------
    @property
    def _quiet(self) -> bool:
        """Nothing is on its way, nothing is waited for: else timers of their own ask the peer."""
        open_ = self.state in (State.ESTABLISHED, State.CLOSE_WAIT)
        return open_ and self.timer == Timer.NONE and not self.sender.flight

    def keepalive(self, now: int) -> Segment | None:
        """Asks whether the peer is there, by what it has acknowledged already: it answers with an
        ACK (RFC 9293, 3.8.4)."""
        self.now = now
        if not self._quiet:
            return None
        self.counts.keepalives += 1
        self.asked = True
        return self._header(add(self.sender.una, -1), Flag(0))

    def give_up(self, now: int) -> Segment | None:
        """The peer has not answered keepalives: the connection ends, as behind a timeout. But not
        if it has just answered, or if none has gone, as timers were running."""
        self.now = now
        if not self._quiet or not self.asked:
            return None
        self.counts.silent += 1
        self._closed()
        return self._reset()

    # ---- time ------------------------------------------------------------------------------------
    def _arm(self, timer: Timer, wait: int) -> None:
        self.timer, self.deadline = timer, self.now + wait

    def _timeout(self) -> int:
        return min(MOST_RTO, self.rtt.timeout << self.backoff)

    def _rearm(self) -> None:
        """The timer for what is to be waited for now."""
        sender = self.sender
        if sender.flight:
            timeout = self._timeout()
            if (
                sender.phase == Phase.OPEN
                and self.rtt.known
                and not self.probed
                and not self.backoff
            ):
                wait = max(LEAST_PROBE, self.rtt.smooth >> 2)  # two round trips
                if sender.flight <= sender.mss:
                    wait += DELAYED
                if wait < timeout:
                    return self._arm(Timer.PROBE, wait)
            self._arm(Timer.RETRANSMIT, timeout)
        elif sender.blocked:
            self._arm(Timer.PERSIST, self._timeout())
        elif self.timer != Timer.LINGER:
            self.timer = Timer.NONE

    def tick(self, now: int) -> list[Segment]:
        """To be called once a millisecond, or when `deadline` has come."""
        self.now = now
        if self.timer == Timer.NONE or now < self.deadline:
            return []
        if self.timer == Timer.LINGER:
            self._closed()
            return []
        if now - self.progress >= GIVE_UP:
            self._closed()
            return [self._reset()]
        if self.timer == Timer.PERSIST:
            self.counts.window_probes += 1
            self.backoff = min(self.backoff + 1, 10)
            self._arm(Timer.PERSIST, self._timeout())
            return [self._header(add(self.sender.una, -1), Flag(0))]
        if self.timer == Timer.PROBE:
            self.counts.probes += 1
            self.probed = True
            chunk = self.sender.probe()
            self.timed = None
            out = [self._segment(chunk)] if chunk is not None else []
            self._arm(Timer.RETRANSMIT, self._timeout())
            return out
        self.counts.timeouts += 1
        self.sender.expire()
        self.timed = None
        self.backoff = min(self.backoff + 1, 10)
        self.forced = True
        self._arm(Timer.RETRANSMIT, self._timeout())
        segment = self.send(now)
        return [segment] if segment is not None else []
