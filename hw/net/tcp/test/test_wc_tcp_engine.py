# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_engine against the reference model: every event of random lives of connections, with the
segment that goes, what is counted and the state that is left."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from typing import Any

import cocotb
import pytest
from engine_bench import KIND, PKG, opening_event, segment_event, segment_of
from wirecache.circuit import structs
from wirecache.model.tcp import cookie
from wirecache.model.tcp.connection import Connection, State, Timer
from wirecache.model.tcp.endpoint import setup_of
from wirecache.model.tcp.segment import Flag, Segment
from wirecache.model.tcp.sender import Phase
from wirecache.model.tcp.sequence import add, ahead
from wirecache.testbench.bench import Bench, rounds, run

STATE = structs.enum(f"{PKG}::state_e")
TIMER = structs.enum(f"{PKG}::timer_e")
STATES = {
    State.CLOSED: STATE.Closed,
    State.ESTABLISHED: STATE.Established,
    State.CLOSE_WAIT: STATE.CloseWait,
    State.FIN_WAIT_1: STATE.FinWait1,
    State.FIN_WAIT_2: STATE.FinWait2,
    State.CLOSING: STATE.Closing,
    State.LAST_ACK: STATE.LastAck,
    State.TIME_WAIT: STATE.TimeWait,
}
TIMERS = {
    Timer.NONE: TIMER.TimerNone,
    Timer.RETRANSMIT: TIMER.TimerRetransmit,
    Timer.PROBE: TIMER.TimerProbe,
    Timer.PERSIST: TIMER.TimerPersist,
    Timer.LINGER: TIMER.TimerLinger,
}
PHASES = {Phase.OPEN: 0, Phase.RECOVERY: 1, Phase.LOSS: 2}
COUNTS = {  # of the circuit: of the model
    "retransmitted": "retransmitted",
    "timeout": "timeouts",
    "probe": "probes",
    "window_probe": "window_probes",
    "keepalive": "keepalives",
    "silent": "silent",
    "recovery": "recoveries",
    "out_of_order": "out_of_order",
    "duplicate": "duplicates",
    "challenge": "challenges",
    "old_stamp": "old_stamps",
}
CYCLES = 40  # from an event to the result
BITS = structs.constant("wc_tcp_engine_pkg::OffsetBits")
MASK = (1 << BITS) - 1  # of an offset


def numbers_of(c: Connection) -> dict[str, int]:
    receiver, sender = c.receiver, c.sender
    known = receiver.end is not None and not receiver.ended
    found = {
        "state": STATES[c.state],
        "times": c.times,
        "sack": c.sack,
        "peer_scale": c.peer_scale,
        "challenged": c.challenged,
        "next": receiver.next,
        "got": ahead(receiver.next, receiver.read),
        "edge_": ahead(receiver.edge, receiver.read),
        "end_known": known,
        "ended": receiver.ended,
        "owed": ahead(receiver.next, c.acked),
        "unacked": c.unacked,
        "ack_due": c.ack_due,
        "una": sender.una,
        "flight": sender.flight,
        "written": max(0, ahead(sender.end, sender.una)),
        "grows": sender.grows,
        "fin": sender.fin and sender.una != sender.stop,
        "most_window": sender.most_window,
    }
    if known:
        assert receiver.end is not None
        found["end_"] = ahead(receiver.end, receiver.next)
    if c.times:
        found |= {"stamp": c.stamp, "stamped": c.stamped & 0xFFF}
    return found


def sender_of(c: Connection) -> dict[str, int]:
    s = c.sender
    found = {
        "phase": PHASES[s.phase],
        "duplicates": s.duplicates,
        "again": ahead(s.again, s.una),
        "lost": ahead(s.lost, s.una),
        "left": s.left,
        "cwnd": s.cwnd,
        "ssthresh": s.ssthresh,
        "credit": s.credit,
        "mss": s.mss,
        "window": s.window,
        "window_at": c.window_at,
        "limited": s.pipe + s.mss > s.cwnd,
        "forced": c.forced,
    }
    if s.phase != Phase.OPEN:
        found["recover"] = ahead(s.recover, s.una)
    return found


def times_of(c: Connection) -> dict[str, int]:
    found = {
        "timer": TIMERS[c.timer],
        "progress": c.progress & 0x1FFFFF,
        "probed": c.probed,
        "asked": c.asked,
        "backoff": c.backoff,
        "known": c.rtt.known,
        "smooth": c.rtt.smooth,
        "variation": c.rtt.variation,
    }
    if c.timer != Timer.NONE:
        found["deadline"] = c.deadline & 0x3FFFF
    if not c.times:
        found["timed"] = c.timed is not None
        if c.timed is not None:
            found["timed_at"] = ahead(c.timed[0], c.sender.una)
            found["timed_when"] = c.timed[1] & 0x3FFFF
    return found


@dataclass
class Expected:
    """What must come of an event."""

    text: str
    id: int
    segment: Segment | None
    counts: dict[str, int]
    more: bool  # there is something that may be sent
    closed: bool
    lingers: bool
    numbers: dict[str, int]
    sender: dict[str, int]
    times: dict[str, int]
    have: list[tuple[int, int]]
    at: int  # cycle


class Lives:
    """The engine and as many connections of the model."""

    def __init__(self, dut: Any, bench: Bench, many: int) -> None:
        self.dut, self.bench = dut, bench
        self.ring = 1 << int(dut.RingBits.value)
        self.our_scale = int(dut.OurScale.value)
        self.now = random.choice((5, 0xFFFFF000, 1 << 20, random.getrandbits(32)))
        self.connections: list[Connection | None] = [None] * many
        self.windows = [0] * many  # as they stood in the last header
        self.more = [False] * many
        self.una = [0] * many
        self.moods = ["any"] * many  # what the peer is like for a while
        self.counted: list[dict[str, int]] = [{}] * many
        self.expected: deque[Expected] = deque()
        self.progress: deque[dict[str, int]] = deque()
        self.next = [0] * many
        self.seen: dict[str, int] = {}
        self.cycle = 0
        self.idle = 0

    # ---- events ----------------------------------------------------------------------------------
    def note(self, what: str) -> None:
        self.seen[what] = self.seen.get(what, 0) + 1

    def opening(self, number: int) -> dict[str, Any]:
        times = random.random() < 0.7
        scaled = times and random.random() < 0.8
        size = random.choice((0, 2, 5, 7, 7, 7))
        options = cookie.Options(
            size,
            times,
            times and random.random() < 0.8,
            random.choice((0, 2, 7, 14)) if scaled else cookie.NO_SCALE,
        )
        first = Segment(
            random.choice((random.getrandbits(32), 0xFFFFFFFF - random.randrange(3000))),
            Flag.ACK,
            random.choice((random.getrandbits(32), 0xFFFFFFFF - random.randrange(3000))),
            random.choice((0, 500, 8000, 65535)),
            bytes(random.choice((0, 0, 30, 1448))),
            times=(random.getrandbits(32), self.now & 0xFFFFFFFF) if times else None,
        )
        setup = setup_of(options, first, self.our_scale, self.ring)
        c = self.connections[number] = Connection(setup, self.now)
        self.windows[number] = first.window
        event = opening_event(number, first, options)
        self.expect(number, "opens", event, c.receive(first, self.now))
        return event

    def segment(self, number: int, c: Connection) -> Segment:
        """Something that a peer may say, and now and then something that it must not."""
        receiver, sender = c.receiver, c.sender
        if random.random() < 0.05:
            self.moods[number] = random.choice(("any", "loses", "ends", "fills"))
        mood = self.moods[number]
        chance = random.random() if mood == "any" else 0.0
        length = random.choice((0, 0, 0, 1, 24, 100, 536, 1448, 1448))
        seq = receiver.next
        if chance > 0.65:
            seq = add(seq, random.choice((-1, 1, -500, 1448, 2896, 700, 10_000)))
        if chance > 0.97:
            seq = add(receiver.limit, random.choice((-1448, -100, -1, 0, 1, 2, 5000)))
        if chance > 0.99:
            seq = random.getrandbits(32)
        if mood == "loses":
            length = 0
        if mood == "fills":
            length = 1448
        waits = mood == "ends" and c.state in (State.FIN_WAIT_1, State.FIN_WAIT_2)
        if waits:
            length = 0  # for bytes there would be a RST
        ack = sender.una
        if mood == "ends":
            ack = add(sender.max, -random.choice((0, 1)) if sender.flight else 0)
        elif random.random() < (0.6 if mood == "any" else 0.15) and sender.flight:
            ack = add(ack, random.choice((sender.flight, random.randint(0, sender.flight))))
            if random.random() < 0.5:
                ack = add(sender.una, min(sender.flight, sender.mss * random.randint(1, 3)))
        if random.random() < 0.02:
            ack = add(ack, random.choice((-1, -3000, 1, 70_000, -(1 << 20), 1 << 31)))
        window = self.windows[number]
        if mood != "any":
            window = max(window, 20_000)
        elif random.random() < 0.2:
            window = random.choice((0, 1, 100, 3000, 20_000, 65535, 65535))
        self.windows[number] = window
        flags = Flag.ACK
        if random.random() < 0.01:
            flags = random.choice(
                (Flag(0), Flag.RST, Flag.RST | Flag.ACK, Flag.SYN, Flag.SYN | Flag.ACK)
            )
        if random.random() < (0.4 if waits else 0.1 if mood == "ends" else 0.004) or (
            receiver.end is not None and random.random() < 0.1
        ):
            flags |= Flag.FIN
            if receiver.end is not None:
                seq = add(receiver.end, -length)
        begins = c.state == State.TIME_WAIT and random.random() < 0.4  # anew, or so it seems
        if begins:
            flags = random.choice((Flag.SYN, Flag.SYN, Flag.SYN | Flag.ACK))
            seq = add(receiver.next, random.choice((-1, 0, 1, 1 << 30, 1 << 31, -(1 << 30))))
        sacks = []
        if c.sack and sender.flight and random.random() < 0.6:
            for _ in range(random.randint(1, 3)):
                start = add(ack, random.randint(-100, sender.flight))
                if random.random() < 0.8:
                    start = add(ack, sender.mss * random.randint(1, 8))
                sacks.append(
                    (start, add(start, random.choice((0, 1, sender.mss, 3 * sender.mss, 9000, -5))))
                )
        times = None
        if c.times and random.random() < 0.995:
            value = add(c.stamp, random.choice((0, 0, 1, 5, 1000)))
            if random.random() < (0.02 if not begins else 0.3):
                value = add(c.stamp, -random.randint(1, 100))
            echo = add(self.now, -random.choice((0, 1, 3, 20, 300, 5000, 300_000, -10)))
            times = value, random.choice((echo, echo, echo, 0))
        return Segment(seq, flags, ack, window, bytes(length), times=times, sacks=tuple(sacks))

    def advance(self, to: int) -> None:
        """Time goes by, but no timer is overdue for longer than its bits can tell."""
        waiting = [c.deadline for c in self.connections if c and c.timer != Timer.NONE]
        self.now = max(self.now, min([to, *(deadline + 100_000 for deadline in waiting)]))

    def event(self, number: int) -> dict[str, Any]:
        """One for this connection, and the model behind it."""
        c = self.connections[number]
        if c is None or c.state == State.CLOSED:
            return self.opening(number)
        if c.timer != Timer.NONE and random.random() < (0.5 if c.deadline <= self.now else 0.05):
            self.advance(c.deadline)
            return self.plain(number, c, "EventTick", c.tick(self.now), sends=False)
        if random.random() < 0.1:
            self.advance(self.now + random.choice((0, 1, 1, 2, 20, 100)))
        if random.random() < (0.1 if c.asked else 0.015):
            if random.random() < (0.5 if c.asked else 0.9):
                sent, kind = c.keepalive(self.now), "EventKeepalive"
            else:
                sent, kind = c.give_up(self.now), "EventSilent"
            if sent is None:
                self.note(f"{kind} for nothing")
            return self.plain(number, c, kind, [] if sent is None else [sent], sends=False)
        chance = random.random()
        writes = c.state in (State.ESTABLISHED, State.CLOSE_WAIT) and not c.sender.fin
        if self.more[number] and chance < 0.7:
            return self.plain(number, c, "EventSend", [])
        if chance < 0.15 and writes:
            most = min(c.sender.room, random.choice((20, 1448, 20_000, 70_000)))
            count = random.randint(0, most)
            grows = random.random() < 0.3
            c.write(bytes(count), grows)
            return self.plain(number, c, "EventWritten", [], count, grows=grows)
        if chance < 0.25 and self.moods[number] != "fills":
            count = random.choice((c.receiver.waiting, random.randint(0, c.receiver.waiting)))
            c.take(count)
            return self.plain(number, c, "EventTaken", [], count)
        if chance < 0.32:
            now = c.acknowledge(self.now)
            return self.plain(number, c, "EventAck", [now] if now is not None else [])
        if chance < 0.35:
            return self.plain(number, c, "EventTick", c.tick(self.now), sends=False)
        if chance < (0.5 if self.moods[number] == "ends" else 0.352):
            c.close()
            return self.plain(number, c, "EventClose", [])
        late = c.state in (State.CLOSING, State.LAST_ACK, State.TIME_WAIT)
        if (chance < 0.361 and random.random() < 0.3) or (late and random.random() < 0.06):
            reset = c.abort()
            self.note("aborts silently" if reset is None else "aborts")
            return self.plain(number, c, "EventAbort", [] if reset is None else [reset])
        segment = self.segment(number, c)
        event = segment_event(number, segment)
        if c.renewed(segment):
            self.note("renewed")
        self.expect(number, repr(segment), event, c.receive(segment, self.now))
        return event

    def plain(
        self,
        number: int,
        c: Connection,
        kind: str,
        out: list[Segment],
        count: int = 0,
        sends: bool = True,
        grows: bool = False,
    ) -> dict[str, Any]:
        event = {"kind": getattr(KIND, kind), "id": number, "bytes": count, "grows": int(grows)}
        self.expect(number, f"{kind} {count}", event, out, sends)
        return event

    def expect(
        self, number: int, text: str, event: dict[str, Any], out: list[Segment], sends: bool = True
    ) -> None:
        c = self.connections[number]
        assert c is not None and len(out) <= 1
        if not out and sends and (segment := c.send(self.now)) is not None:
            out = [segment]
        una = self.una[number] if not event.get("opens") else c.setup.first
        freed = ahead(c.sender.una, una)
        if c.sender.fin and c.sender.una == c.sender.stop and freed:
            freed -= 1
        self.una[number] = c.sender.una
        if event["kind"] == KIND.EventSegment:
            start = self.next[number] if not event.get("opens") else c.setup.first_of_peer
            ended = c.receiver.ended and c.receiver.next != start
            self.progress.append(
                {
                    "id": number,
                    "next": c.receiver.next,
                    "bytes": ahead(c.receiver.next, start) - ended,
                    "ended": ended,
                    "freed": freed,
                }
            )
        self.next[number] = c.receiver.next
        was = self.counted[number] if not event.get("opens") else {n: 0 for n in COUNTS}
        counted = {name: getattr(c.counts, field) for name, field in COUNTS.items()}
        self.counted[number] = counted
        counts = {name: counted[name] - was[name] for name in COUNTS}
        for name, value in counts.items():
            if value:
                self.note(name)
        self.note(f"{c.state.name} {c.sender.phase.name}")
        closed = c.state == State.CLOSED
        base = c.sender.una
        ends = c.state in (State.CLOSED, State.TIME_WAIT)
        may = not ends and c.sender.next(c.forced) is not None
        self.more[number] = may
        if c.sender.grows and not may and c.sender.max != c.sender.end:
            self.note("grows")
        self.expected.append(
            Expected(
                f"{text}, now {self.now}",
                number,
                out[0] if out else None,
                counts,
                may and bool(out or sends),
                closed,
                c.state == State.TIME_WAIT,
                {"state": STATE.Closed} if closed else numbers_of(c),
                {} if closed else sender_of(c),
                {"timer": TIMER.TimerNone} if closed else times_of(c),
                [] if closed else [(ahead(a, base), ahead(b, base)) for a, b in c.sender.pieces],
                self.cycle,
            )
        )

    def check_progress(self) -> None:
        """What a segment has brought and freed."""
        told = structs.unpack(f"{PKG}::progress_t", int(self.dut.progress_o.value))
        want = self.progress.popleft()
        assert told == want, f"{told} for {want}"

    # ---- results ---------------------------------------------------------------------------------
    def memory(self, name: str, number: int) -> dict[str, Any]:
        """A connection's part of a memory."""
        bits = int(getattr(self.dut, f"u_{name}").mem[number].value)
        return structs.unpack(f"{PKG}::{name}_t", bits)

    def check(self) -> None:
        """The result of this cycle."""
        dut, want = self.dut, self.expected.popleft()
        result = structs.unpack(f"{PKG}::result_t", int(dut.result_o.value))
        state = {
            part: self.memory(f"{part}_early", want.id) | self.memory(f"{part}_late", want.id)
            for part in ("numbers", "sender", "times")
        }
        assert result["id"] == want.id
        assert self.cycle - want.at == CYCLES - 3, self.cycle - want.at
        wrong = []
        for part, found in state.items():
            for name, value in getattr(want, part).items():
                if found[name] != value:
                    wrong.append(f"{part}.{name} is {found[name]} for {int(value)}")
        if not want.closed:
            have = int(dut.u_have.mem[want.id].value)
            places = [
                (have >> (2 * n + 1) * BITS & MASK, have >> 2 * n * BITS & MASK) for n in range(4)
            ]
            pieces = [place for place in places if place[1]]
            if pieces != want.have:
                wrong.append(f"have is {pieces} for {want.have}")
        for name, value in want.counts.items():
            if result["counts"][name] != value:
                wrong.append(f"{name} counted {result['counts'][name]} for {value}")
        if result["lingers"] != want.lingers:
            wrong.append(f"lingers is {result['lingers']}")
        if result["closed"] != want.closed and not (want.closed and not want.numbers):
            wrong.append(f"closed is {result['closed']}")
        got = None
        if result["sends"]:
            got = described(segment_of(result, bytes(result["segment"]["bytes"])))
        if got != described(want.segment):
            wrong.append(f"sends {got} for {described(want.segment)}")
        if want.more and not result["more"]:
            wrong.append("says that there is no more")
        assert not wrong, f"{want.text}:\n" + "\n".join(wrong) + f"\nwanted {want}\nstate {state}"

    async def cycle_(self) -> None:
        await self.bench.wait(1)
        self.cycle += 1
        self.idle += 1
        if int(self.dut.progress_valid_o.value):
            self.check_progress()
        if int(self.dut.result_valid_o.value):
            self.check()
            self.idle = 0
        assert self.idle < 2 * CYCLES + 10 or not self.expected, "no result"

    async def run(self, events: int) -> None:
        """So many events, and all their results."""
        dut = self.dut
        for _ in range(events):
            # The model has the event at once, as those of its connection are in order.
            event = self.event(random.randrange(len(self.connections)))
            dut.event_i.value = structs.pack(f"{PKG}::event_t", **event)
            dut.now_i.value = self.now & 0xFFFFFFFF
            dut.event_valid_i.value = 1
            await self.cycle_()
            while not int(dut.event_ready_o.value):
                await self.cycle_()
            self.expected[-1].at = self.cycle
            await self.cycle_()
            dut.event_valid_i.value = 0
        while self.expected:
            await self.cycle_()


def described(s: Segment | None) -> tuple[Any, ...] | None:
    if s is None:
        return None
    return s.seq, s.ack, int(s.flags), s.window, len(s.data), s.times, s.sacks


async def start(dut: Any, many: int) -> Lives:
    bench = await Bench.start(dut, {"event_valid_i": 0, "now_i": 0})
    await bench.reset()
    return Lives(dut, bench, many)


@cocotb.test(timeout_time=400, timeout_unit="ms")
async def one_after_the_other(dut):
    lives = await start(dut, 3)
    await lives.run(3_000)


@cocotb.test(timeout_time=400, timeout_unit="ms")
async def many_at_once(dut):
    lives = await start(dut, 40)
    states = {state.name for state in State} - {"CLOSED"}
    rare = {*COUNTS, *(f"{state} OPEN" for state in states)}
    rare |= {"ESTABLISHED RECOVERY", "ESTABLISHED LOSS", "FIN_WAIT_1 LOSS"}
    rare |= {"renewed", "aborts silently", "aborts", "grows"}
    rare |= {"EventKeepalive for nothing", "EventSilent for nothing"}
    for _ in rounds(12, lambda: not rare - lives.seen.keys()):
        await lives.run(1_000)


@pytest.mark.parametrize("ring,scale", [(16, 0), (23, 7)])
def test_wc_tcp_engine(ring, scale):
    parameters = {"Connections": 64, "RingBits": ring, "OurScale": scale}
    run("wc_tcp_engine", __file__, parameters, inside=True)
