# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_replies: messages of the response stage and the host's answers go to UDP and to TCP, each
with its own words, in order; who asks the host is told in the order of the commands."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, Pace, Source, run, words
from wirecache.testbench.cycle import Driven, Joined, every_cycle, value_of

HOST_ROOM = structs.constant("wc_tcp_answers_pkg::HostRoom")
AHEAD = 16  # messages whose words are to come
SETTLE = 50_000  # cycles in which all must have come
MAIN, HOST, BACK = range(3)  # who sends to TCP: the lowest bits of a connection's number, here
Words = list[tuple[int, int]]  # error, data


class Renamed:
    """The device, with some ports under other names."""

    def __init__(self, dut: Any, **ports: Any) -> None:
        self._dut, self._ports = dut, ports

    def __getattr__(self, name: str) -> Any:
        return self._ports[name] if name in self._ports else getattr(self._dut, name)


class Replies:
    """Streams on all sides, and what is to come out of each."""

    SOURCES = ("message", "word", "aside", "aside_word", "back")
    SINKS = ("udp", "udp_word", "udp_aside", "udp_aside_word", "tcp", "tcp_word")

    def __init__(self, dut: Any, bench: Bench) -> None:
        self.dut, self.bench = dut, bench
        every_cycle(bench.clock, self._look)  # before the streams drive
        ports = Renamed(
            dut,
            message_i=Joined(dut.answered_i, dut.message_i),
            word_i=Joined(dut.word_error_i, dut.word_i),
            back_i=Joined(dut.back_again_i, dut.back_id_i),
        )
        self.sources = {n: Source(ports, bench.clock, n, None, Pace()) for n in self.SOURCES}
        self.sinks = {n: bench.sink(n) for n in self.SINKS}
        self.asker = Driven(dut.udp_asker_valid_i)
        self.udp_done = Driven(dut.udp_aside_done_i)
        # What is to come.
        self.udp: deque[tuple[dict[str, int], Words]] = deque()
        self.tcp: tuple[deque[tuple[dict[str, int], Words]], ...] = (deque(), deque(), deque())
        self.udp_words: deque[tuple[int, int]] = deque()  # of what has come
        self.tcp_words: deque[tuple[int, int]] = deque()
        self.askers: deque[dict[str, int]] = deque()
        self.udp_askers: deque[dict[str, int]] = deque()
        self.done: deque[tuple[int, int]] = deque()  # words up to this message's end, ends a packet
        # The host's answers: one at a time.
        self.asides: deque[tuple[dict[str, int], dict[str, int], list[int]]] = deque()
        self.open: dict[str, int] | None = None  # who gets the one that goes
        self.udp_aside: dict[str, int] | None = None
        self.udp_aside_words: deque[int] = deque()
        self.aside_left = 0  # of the open one: message and words that are to be taken
        # What came.
        self.announced = self.taken = 0  # words
        self.asks: deque[int] = deque()  # cycles in which UDP tells who has asked
        self.done_at: int | None = None  # when UDP says that the host's answer is out
        self.sent: list[int] = []  # to TCP: MAIN, HOST or BACK
        self.waits = [0, 0, 0]  # packets of TCP that were answered while one of HOST or BACK waited
        self.begun: int | None = None  # the connection of a packet whose last message is to come
        self.word_cycles: list[int] = []
        self.udp_sent = self.asides_done = 0

    @classmethod
    async def start(cls, dut: Any) -> Replies:
        inputs = ("udp_asker_i", "aside_asker_i")
        bench = await Bench.start(dut, dict.fromkeys(inputs, 0))
        replies = cls(dut, bench)
        await bench.reset()
        return replies

    # ---- what is sent ---------------------------------------------------------------------------
    def _message(self, message: dict[str, int], answered: dict[str, int]) -> None:
        low = structs.pack("message_t", **message)
        high = structs.pack("tcp_answered_t", **answered)
        self.sources["message"].send(high << structs.width("message_t") | low)

    def _words(self, size: int) -> Words:
        """Words of a message of the response stage, and some noise behind the end."""
        whole = words(random.randbytes(-(-size // 8) * 8))
        items = [(int(random.random() < 0.1), word) for word in whole]
        self.sources["word"].send(*(error << 64 | word for error, word in items))
        self.announced += len(items)
        return items

    def packet(self, tcp: bool, sizes: list[int], hosts: bool = False) -> None:
        """What answers a packet: messages of so many bytes. hosts: some messages of UDP end with a
        command of the host."""
        conn = random.getrandbits(14) << 2 | MAIN
        for at, size in enumerate(sizes):
            more = int(at < len(sizes) - 1)
            message = {
                "lane": random.getrandbits(3),
                "conn": conn,
                "more": more,
                "host": int(hosts and not tcp and random.random() < 0.5),
                "aside": 0,
                "bytes": size,
            }
            answered = {
                "tcp": int(tcp),
                "again": 0,
                "operations": random.getrandbits(20),
                "needs": random.choice((0, random.getrandbits(20))),
            }
            self._message(message, answered)
            items = self._words(size)
            self.done.append((self.announced, 1 - more))
            if tcp:
                wanted = {"id": conn, "bytes": size, "last": 1 - more}
                wanted |= {name: answered[name] for name in ("operations", "needs")}
                self.tcp[MAIN].append((wanted, items))
                continue
            self.udp.append((message, items))
            if message["host"]:
                asker = {"tcp": 0, "again": 0, "who": random.getrandbits(112)}
                self.askers.append(asker)
                self.udp_askers.append(asker)

    def command(self) -> None:
        """A command of the host that came by TCP."""
        conn, again = random.getrandbits(16), random.getrandbits(1)
        self._message(
            {"lane": 0, "conn": conn, "more": 0, "host": 1, "aside": 0, "bytes": 0},
            {"tcp": 1, "again": again, "operations": 1, "needs": 0},
        )
        self.done.append((self.announced, 1))
        self.askers.append({"tcp": 1, "again": again, "who": conn})

    def aside(self, tcp: bool, size: int) -> None:
        """The host answers; over TCP, now and then, in part."""
        more = int(tcp and random.random() < 0.5)
        who = random.getrandbits(14) << 2 | HOST if tcp else random.getrandbits(112)
        message = {"lane": 0, "conn": 0, "more": more, "host": 0, "aside": 1, "bytes": size}
        data = words(random.randbytes(size))
        asker = {"tcp": int(tcp), "again": random.getrandbits(1) if tcp else 0, "who": who}
        self.asides.append((asker, message, data))
        if tcp:
            wanted = {"id": who, "bytes": size, "last": 1, "operations": 1}
            wanted["needs"] = HOST_ROOM if more else 0
            self.tcp[HOST].append((wanted, [(0, word) for word in data]))

    def back(self) -> None:
        conn, again = random.getrandbits(14) << 2 | BACK, random.getrandbits(1)
        self.sources["back"].send(again << 16 | conn)
        wanted = {"id": conn, "bytes": 0, "last": 1, "operations": again, "needs": HOST_ROOM}
        self.tcp[BACK].append((wanted, []))

    # ---- what comes -----------------------------------------------------------------------------
    def _goes(self, name: str) -> bool:
        """An item of this output is taken at this edge."""
        dut = self.dut
        return bool(
            value_of(getattr(dut, f"{name}_valid_o")) and value_of(getattr(dut, f"{name}_ready_i"))
        )

    def _look(self) -> None:
        """What the signals before this edge say."""
        if value_of(self.dut.rst_i):
            return
        self._ends()
        self._of_udp()
        self._of_tcp()
        self._of_host()
        if value_of(self.dut.word_valid_i) and value_of(self.dut.word_ready_o):
            self.taken += 1
            self.word_cycles.append(self.bench.cycle())

    def _ends(self) -> None:
        answered = value_of(self.dut.answered_o)
        if value_of(self.dut.message_done_o):
            assert (self.taken, answered) == self.done.popleft()
        else:
            assert not answered

    def _of_udp(self) -> None:
        dut, now = self.dut, self.bench.cycle()
        if self._goes("udp_word"):  # before the messages: its words come behind it
            got = value_of(dut.udp_word_error_o), value_of(dut.udp_word_o)
            assert got == self.udp_words.popleft()
        if self._goes("udp"):
            message, items = self.udp.popleft()
            assert structs.unpack("message_t", value_of(dut.udp_o)) == message
            self.udp_words.extend(items)
            self.udp_sent += 1
            if message["host"]:
                soonest = max(now, self.asks[-1]) if self.asks else now
                self.asks.append(soonest + random.choice((1, 1, random.randint(1, 60))))
        if value_of(dut.asker_valid_o):
            assert structs.unpack("asker_t", value_of(dut.asker_o)) == self.askers.popleft()
        ask = bool(self.asks) and now + 1 >= self.asks[0]
        if ask:
            self.asks.popleft()
            dut.udp_asker_i.value = structs.pack("asker_t", **self.udp_askers.popleft())
        self.asker.set(int(ask))

    def _of_tcp(self) -> None:
        dut = self.dut
        if self._goes("tcp_word"):  # before the messages: its words come behind it
            got = structs.unpack("wc_tcp_answers_pkg::word_t", value_of(dut.tcp_word_o))
            assert (got["error"], got["data"]) == self.tcp_words.popleft()
        waiting = {
            HOST: value_of(dut.aside_valid_i) and self.open is not None and self.open["tcp"],
            BACK: value_of(dut.back_valid_i),
        }
        went, ends = None, False
        if self._goes("tcp"):
            got = structs.unpack("wc_tcp_answers_pkg::message_t", value_of(dut.tcp_o))
            went, ends = got["id"] & 3, bool(got["last"])
            assert self.begun in (None, got["id"]), "amid another packet's messages"
            self.begun = None if ends else got["id"]
            wanted, items = self.tcp[went].popleft()
            assert got == wanted
            self.tcp_words.extend(items)
            self.sent.append(went)
        for source, waits in waiting.items():
            self.waits[source] += ends
            if went == source or not waits:
                self.waits[source] = 0
            assert self.waits[source] <= 2, "the others come first, but once each"

    def _of_host(self) -> None:
        dut, now = self.dut, self.bench.cycle()
        if self._goes("udp_aside"):
            assert structs.unpack("message_t", value_of(dut.udp_aside_o)) == self.udp_aside
            asker = structs.unpack("asker_t", value_of(dut.udp_aside_asker_o))
            assert asker == self.open
            self.udp_aside = None
        if self._goes("udp_aside_word"):
            assert value_of(dut.udp_aside_word_o) == self.udp_aside_words.popleft()
        if value_of(dut.aside_done_o):
            assert self.open is not None, "told twice"
            assert self.aside_left == 0, "not all of it was taken"
            assert self.open["tcp"] or self._out_by_udp()
            self.open = None
            self.asides_done += 1
            self.done_at = None
        elif self._out_by_udp() and self.done_at is None:
            self.done_at = now + random.choice((1, random.randint(1, 40)))
        self.udp_done.set(int(self.done_at is not None and now >= self.done_at))
        for name in ("aside", "aside_word"):
            taken = value_of(getattr(dut, f"{name}_valid_i"))
            self.aside_left -= taken and value_of(getattr(dut, f"{name}_ready_o"))
        if self.open is None and self.asides and random.random() < 0.5:
            self.open, message, data = self.asides.popleft()
            self.aside_left = 1 + len(data)
            dut.aside_asker_i.value = structs.pack("asker_t", **self.open)
            self.sources["aside"].send(structs.pack("message_t", **message))
            self.sources["aside_word"].send(*data)
            if not self.open["tcp"]:
                self.udp_aside = message
                self.udp_aside_words.extend(data)

    def _out_by_udp(self) -> bool:
        """The open answer is UDP's, and all of it has come there."""
        if self.open is None or self.open["tcp"]:
            return False
        return self.udp_aside is None and not self.udp_aside_words

    @property
    def left(self) -> int:
        """All that is to come."""
        messages = sum(len(side) for side in (self.udp, *self.tcp)) + len(self.asides)
        items = len(self.udp_words) + len(self.tcp_words) + len(self.askers) + len(self.done)
        return messages + items + int(self.open is not None)

    async def settle(self) -> None:
        for _ in range(SETTLE):
            if not self.left:
                break
            await self.bench.wait(1)
        assert not self.left, "not all has come"
        await self.bench.wait(50)
        assert all(source.idle for source in self.sources.values())

    def slow(self, name: str, pace: Pace) -> None:
        (self.sources | self.sinks)[name].pace = pace

    def some(self) -> None:
        """Something of any kind."""
        what = random.choice(("udp", "udp", "tcp", "tcp", "command", "udp host", "aside", "back"))
        if what == "command":
            self.command()
        elif what == "aside":
            tcp = random.random() < 0.5
            self.aside(tcp, random.choice((0, random.randint(1, 99)) if tcp else (1, 8, 77)))
        elif what == "back":
            self.back()
        else:
            sizes = [size() for _ in range(random.choice((1, 1, random.randint(1, 6))))]
            self.packet(what == "tcp", sizes, what == "udp host")


def size() -> int:
    return random.choice((0, 0, random.randint(1, 16), random.randint(1, 80), 400))


@cocotb.test()
@cocotb.parametrize(
    (
        ("slow", "burst"),
        [
            ("none", 4),
            ("all", 4),
            *((name, burst) for name in (*Replies.SOURCES, *Replies.SINKS) for burst in (4, 150)),
        ],
    )
)
async def each_side_gets_its_own(dut, slow, burst):
    """Each stream pauses, alone, now and then or for long, and with all others."""
    replies = await Replies.start(dut)
    for name in (*Replies.SOURCES, *Replies.SINKS):
        if slow in (name, "all"):
            replies.slow(name, Pace(0.4, burst))
    for _ in range(120):
        replies.some()
        if random.random() < 0.05:  # sometimes there is nothing
            await replies.settle()
    await replies.settle()


@cocotb.test()
@cocotb.parametrize(tcp=("never", "always", "mixed"))
async def a_word_a_cycle(dut, tcp):
    replies = await Replies.start(dut)
    for _ in range(200):
        some = {"never": False, "always": True, "mixed": random.random() < 0.5}[tcp]
        replies.packet(some, [random.choice((1, 8, 9, 40, 300))])
    await replies.settle()
    came = replies.word_cycles
    assert came[-1] - came[0] + 1 == len(came) == replies.announced


@cocotb.test()
async def the_hosts_answer_has_a_word_a_cycle(dut):
    replies = await Replies.start(dut)
    for tcp, name in ((False, "udp_aside_word"), (True, "tcp_word")):
        replies.aside(tcp, 8192)
        await replies.settle()
        came = replies.sinks[name].cycles
        assert came[-1] - came[0] + 1 == len(came) == 1024


@cocotb.test()
async def all_have_their_turn_at_tcp(dut):
    """All have something: one of each in turn. The host needs some cycles between its answers."""
    replies = await Replies.start(dut)
    for _ in range(100):
        replies.packet(True, [0])
        replies.back()
    await replies.settle()
    assert replies.sent in ([MAIN, BACK] * 100, [BACK, MAIN] * 100)
    replies.slow("tcp", Pace(0.2, 8))
    for _ in range(100):
        replies.packet(True, [0])
        replies.back()
        replies.aside(True, random.choice((0, 8)))
    await replies.settle()  # with a look at each cycle that nobody is passed by twice


@cocotb.test()
async def udp_goes_on_while_tcp_stands(dut):
    """As far as no word of TCP's is in front: messages of UDP up to what may be ahead, their words
    until then, all answers of the host."""
    replies = await Replies.start(dut)
    replies.slow("tcp_word", Pace(0.0))
    replies.packet(True, [0, 0])
    for _ in range(40):
        replies.packet(False, [size()])
    await replies.bench.wait(4000)
    assert replies.udp_sent == 40 and not replies.udp_words, "messages without words do not matter"
    replies.packet(True, [8])
    for _ in range(40):
        replies.packet(False, [8])
        replies.aside(False, 40)
    await replies.bench.wait(6000)
    assert replies.udp_sent == 40 + AHEAD - 1 and replies.taken == replies.done[0][0] - 1
    assert replies.asides_done == 40 and not replies.asides
    replies.slow("tcp_word", Pace())
    await replies.settle()


@cocotb.test()
async def udp_goes_on_while_tcp_takes_no_message(dut):
    """The host's answers do; and what is in front of the first message of TCP's."""
    replies = await Replies.start(dut)
    replies.slow("tcp", Pace(0.0))
    for _ in range(20):
        replies.packet(False, [size()])
        replies.aside(False, 40)
    replies.packet(True, [8])
    replies.packet(False, [8])
    await replies.bench.wait(4000)
    assert replies.udp_sent == 20 and not replies.udp_words and replies.asides_done == 20
    replies.slow("tcp", Pace())
    await replies.settle()


@cocotb.test()
async def tcp_goes_on_while_udp_stands(dut):
    """As far as no word of UDP's is in front; the host's answers and what comes again do."""
    replies = await Replies.start(dut)
    replies.slow("udp_word", Pace(0.0))
    replies.packet(False, [8])
    for _ in range(40):
        replies.packet(True, [8])
    await replies.bench.wait(500)
    assert replies.sent == [MAIN] * (AHEAD - 1) and replies.taken == 0
    replies.slow("udp_word", Pace())
    await replies.settle()
    replies.slow("udp", Pace(0.0))
    replies.packet(False, [8])
    for _ in range(20):
        replies.aside(True, 40)
        replies.back()
    await replies.bench.wait(2000)
    assert replies.asides_done == 20 and not replies.tcp[BACK] and not replies.tcp_words
    replies.slow("udp", Pace())
    await replies.settle()


@cocotb.test()
async def a_command_of_tcp_waits_for_who_has_asked_by_udp(dut):
    replies = await Replies.start(dut)
    for _ in range(100):
        for _ in range(random.randint(0, 3)):
            replies.packet(False, [random.choice((0, 8))] * random.randint(1, 3), hosts=True)
        for _ in range(random.randint(0, 3)):
            replies.command()
        if random.random() < 0.3:
            await replies.settle()
    await replies.settle()


def test_wc_tcp_replies():
    run("wc_tcp_replies", __file__)
