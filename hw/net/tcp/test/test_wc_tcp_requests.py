# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_requests: packets are the whole requests of each connection in order, of one class each,
whatever comes when; nothing is taken too soon; each connection comes to its end; who is slow costs
the others nothing."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import cocotb
import pytest
import request_cases
import request_rows
from requests_bench import BASE, SHORT, Life, Ways, World
from wirecache.model.tcp.framer import Framer
from wirecache.testbench.bench import Pace, full, run
from wirecache.traffic.requests import binary_request

MOST_BYTES = 3000  # of an item; a ring has 4,096 here


def _key() -> bytes:
    return bytes(random.choice(b"abcdefgh") for _ in range(random.choice((1, 3, 8, 16, 40))))


def _value() -> int:
    return random.choice((0, 1, 5, 8, 32, 100, random.randint(0, 600), random.randint(0, 2000)))


def text() -> bytes:
    """A request of the ASCII protocol."""
    key = _key()
    size = _value()
    return random.choice(
        (
            b"get %b\r\n" % key,
            b"get %b\r\n" % key,
            b"mg %b v\r\n" % key,
            b"gets " + b" ".join(_key() for _ in range(random.choice((2, 10, 60)))) + b"\r\n",
            b"delete %b\r\n" % key,
            b"incr %b 1 noreply\n" % key,
            b"set %b 0 0 %d\r\n" % (key, size) + bytes(size) + b"\r\n",
            b"ms %b %d T0\r\n" % (key, size) + bytes(size) + b"\r\n",
            b"set %b 0 0 3\r\nabc\r\n" % key,
            b"touch %b 0\r\n" % key,
            b"mn\r\n",
            b"nonsense %b\r\n" % key,
            b"\n",
            b"stats\r\n",
            b"version\r\n",
            b"set %b 0 0 4000\r\n" % key + random.randbytes(4002),
            b"set %b 0 0 %d\r\n" % (key, 20_000) + bytes(20_002),
            b"set %b 0 0 %d\r\n" % (key, MOST_BYTES - 100) + bytes(MOST_BYTES - 98),
        )
    )


def binary() -> bytes:
    key = _key()
    return random.choice(
        (
            binary_request(0, key),
            binary_request(0, key),
            binary_request(9, key),
            binary_request(1, key, bytes(8), bytes(_value())),
            binary_request(4, key),
            binary_request(5, key, bytes(20)),
            binary_request(10),
            binary_request(11),
            binary_request(16),
            binary_request(0x77, key),
            binary_request(1, key, bytes(8), bytes(5000)),
        )
    )


def stream(many: int, end: bytes = b"") -> bytes:
    make = random.choice((text, text, binary))
    data = b"".join(make() for _ in range(many))
    if make is binary and end:
        end = binary_request(7)
    return data + end


def cases() -> list[bytes]:
    """All shapes of all commands, but for lines whose end hangs on how they come."""
    out = []
    data = [*request_rows.lines(), *request_rows.headers(), *request_cases.ASCII_CASES]
    for one in data + request_cases.binary_cases():
        whole, cut = Framer(MOST_BYTES), Framer(MOST_BYTES)
        fed = whole.feed(one)
        closed = False
        for at in range(0, len(one), 64):
            closed = cut.feed(one[at : at + 64]).closed
        marks = [0, *(mark.offset for mark in fed.marks), len(one)]
        longest = max(b - a for a, b in pairwise(marks))
        if closed == fed.closed and longest < 2000:
            out.append(one)
    return out


async def through(world: World, streams: list[tuple[bytes, bool, Ways]], most: int = 10**5) -> None:
    """All these, as many at a time as there are connections; then all are gone."""
    queue = list(streams)
    lives: list[Life] = []
    for _ in range(0, most, 50):
        while queue and world.free:
            lives.append(world.open(*queue.pop(0)))
        for life in lives:
            if life.done() and not life.gone and life.ways.dies is None:
                life.ways.dies = world.cycle + random.choice((0, 1, 2, 5, 100))
        lives = [life for life in lives if not life.back]
        if not lives and not queue:
            return
        await world.bench.wait(50)
    await world.run(lives, 0)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def one_request(dut):
    """From arrival to the packet; memory answers in 20 cycles."""
    world = await World.start(dut, latency=(20, 20))
    for request in (b"get a\r\n", b"get " + b"k" * 16 + b"\r\n", b"set a 0 0 3\r\nabc\r\n"):
        cycles = []
        for _ in range(16):
            life = world.open(request, False, Ways(chunk=(300, 300)))
            await world.bench.wait(random.randint(1, 4))
            await world.run([life], 3000)
            cycles += life.delays
            await world.end([life])
        words = (len(request) + 7) // 8
        dut._log.info("%r: %d to %d cycles", request, min(cycles), max(cycles))
        assert max(cycles) - words <= 20 + 60 + 2 * len(request), request


@cocotb.test(timeout_time=200, timeout_unit="ms")
@cocotb.parametrize(pace=(1.0, 0.4))
async def at_random(dut, pace):
    """Everything at once."""
    latency = random.choice(((1, 5), (20, 40), (1, 200)))
    world = await World.start(dut, MOST_BYTES, pace, latency, random.choice((0, 0, 30)))
    streams = []
    for _ in range(45):
        data = stream(random.randint(1, 12), random.choice((b"", b"", b"", b"quit\r\nget x\r\n")))
        if random.random() < 0.3:
            data = data[: random.randint(1, len(data))]
        ways = Ways(
            chunk=random.choice(((1, 20), (1, 300), (500, 3000), (1448, 1448))),
            every=random.choice(((0, 0), (0, 100), (0, 1000))),
            answer=random.choice(((0, 0), (0, 60), (300, 1000))),
            refuse=random.choice((0, 0, 0.5)),
            room=random.choice(((0, 0), (0, 200))),
            little=random.random() < 0.3,
            fills=random.random() < 0.4,
            dies=random.randint(0, 8000) if random.random() < 0.2 else None,
        )
        if len(data) > 1500:
            ways.chunk, ways.every = random.choice(((1, 1448), (1448, 1448))), (0, 100)
        streams.append((data, random.random() < 0.5, ways))
    await through(world, streams)
    assert world.answers > 100


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def every_shape(dut):
    """All commands, whole and cut once."""
    world = await World.start(dut, MOST_BYTES)
    streams = []
    for data in random.sample(cases(), 40):
        whole = Ways(chunk=(3000, 3000))
        cut = Ways(first=random.randint(1, len(data)), chunk=(4000, 4000), every=(200, 400))
        streams += [(data, True, whole), (data, random.random() < 0.5, cut)]
    await through(world, streams)


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def byte_by_byte(dut):
    world = await World.start(dut, MOST_BYTES)
    streams = []
    for data in random.sample([d for d in cases() if len(d) < 120], 8):
        for every in ((0, 0), (0, 60)):
            streams.append((data, True, Ways(chunk=(1, 1), every=every)))
    await through(world, streams)


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def cut_at_each_place(dut):
    """Requests of every kind, in two arrivals."""
    world = await World.start(dut, MOST_BYTES)
    data = b"get a\r\nset k 0 0 5\r\nhello\r\nstats\r\nset k 0 0 3333\r\n" + bytes(3335) + b"mn\r\n"
    other = binary_request(0, b"key") + binary_request(1, b"k", bytes(8), b"value")
    streams = []
    for one in (data, other):
        for place in (*range(1, min(len(one), 56)), *range(len(one) - 9, len(one))):
            cut = Ways(first=place, chunk=(4000, 4000), every=(200, 400))
            streams.append((one, True, cut))
    await through(world, streams)


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def budget(dut):
    """Deep pipelines: packets are full, but for the last ones."""
    world = await World.start(dut, MOST_BYTES)
    for request in (b"get a\r\n", b"delete a\r\n", b"\n", binary_request(0, b"k")):
        data = request * 100
        life = world.open(data, True, Ways(chunk=(4000, 4000), every=(0, 0)))
        await world.run([life], 100_000)
        sizes = [last - first for first, last in life.packets]
        assert all(size <= world.budget for size in sizes)
        fits = min(world.budget, world.line // len(request))
        if request != b"delete a\r\n":
            assert sizes.count(fits) >= 100 // fits - 2, sizes
        await world.end([life])


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def room(dut):
    """Short answers as many as have room; reads that need more wait until there is as much."""
    world = await World.start(dut, MOST_BYTES)
    data = b"".join(random.choice((b"get a\r\n" * 5, b"delete a\r\n" * 9)) for _ in range(20))
    lives = []
    for refuse in (0.0, 0.5, 0.8):
        ways = Ways(chunk=(4000, 4000), fills=True, little=True, room=(0, 60), refuse=refuse)
        lives.append(world.open(data, True, ways))
    await world.run(lives, 400_000)
    # Who does not acknowledge is given nothing, and asked for nothing.
    stuck = world.open(b"get a\r\n" * 60, True, Ways(chunk=(4000, 4000), fills=True, stops=10**9))
    await world.bench.wait(3000)
    assert stuck.free < SHORT and stuck.packet is None
    reads = world.reads
    await world.bench.wait(3000)
    assert world.reads == reads
    stuck.ways.stops = 0
    await world.run([stuck], 100_000)
    await world.end([*lives, stuck])


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def long_requests(dut):
    """As long as the ring holds; long lines; what is passed over is taken as it comes."""
    world = await World.start(dut, MOST_BYTES)
    streams = []
    for size in (600, 2000, 2040, 2048, 2900):
        data = b"get a\r\nset k 0 0 %d\r\n" % size + random.randbytes(size) + b"\r\nget a\r\n"
        streams += [(data, True, Ways(chunk=(c, c))) for c in (64, 1448, 4000)]
    streams.append((b"get " + b"k " * 1900 + b"\r\nmn\r\n", True, Ways(chunk=(1, 1448))))
    streams.append((b"set k 0 0 100000\r\n" + bytes(100_002) + b"mn\r\n", True, Ways((1448, 1448))))
    streams.append((b"get a\r\n" + b"x" * 3000, False, Ways()))
    streams.append((b"x" * 2049, False, Ways()))
    streams.append((binary_request(1, b"k", bytes(8), bytes(9000)), True, Ways()))
    wrong = binary_request(10) + b"get a\r\n" * 9
    streams.append((wrong, False, Ways()))
    await through(world, streams)


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def small_items(dut):
    """Values that are too large, begin and end in the same turn; some may be too large, and are
    not."""
    world = await World.start(dut, 400)
    streams = []
    for size in (80, 330, 339, 340, 341, 400, 1000):
        ascii_ = b"get a\r\nset k 0 0 %d\r\n" % size + bytes(size) + b"\r\nget b\r\nmn\r\n"
        shorts = b"delete a\r\nms k %d\r\n" % size + bytes(size) + b"\r\ndelete b\r\n"
        value = binary_request(1, b"k", bytes(8), bytes(size))
        for data in (ascii_, shorts, binary_request(10) + value + binary_request(0, b"a")):
            for chunk in ((2000, 2000), (100, 400)):
                streams.append((data * 2, True, Ways(chunk=chunk)))
    await through(world, streams)


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def ends(dut):
    """The peer ends, with half a request or without; it quits; an error closes."""
    world = await World.start(dut, MOST_BYTES)
    streams = []
    for data in (
        b"",
        b"g",
        b"get a",
        b"get a\r\n",
        b"get a\r\nget b",
        b"quit\r\n",
        b"get a\r\nquit\r\nget b\r\n",
        b"set k 0 0 9\r\nabc",
        b"set k 0 0 9000\r\nabc",
        b"delete a\r\nset k 0 0 9000\r\nabc",
        b"shutdown\r\n",
        binary_request(7),
        binary_request(0, b"k") + binary_request(7) + binary_request(0, b"k"),
        binary_request(0, b"k")[:25],
        b"\x80" * 24,
        b"\x80" + bytes(30),
    ):
        for chunk in ((300, 300), (1, 1), (7, 7)):
            streams.append((data, True, Ways(chunk=chunk)))
            streams.append((data, True, Ways(chunk=chunk, every=(200, 300), answer=(500, 900))))
    await through(world, streams)


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def goes_at_any_time(dut):
    """A connection is gone in each cycle of its life; its number is used again at once."""
    world = await World.start(dut, MOST_BYTES)
    streams = []
    for cycle in range(0, 400):
        data = random.choice((b"get a\r\n" * 30, b"get a\r\nset b 0 0 3\r\nabc\r\n", b"get", b""))
        ways = Ways(chunk=random.choice(((1, 50), (300, 300))), answer=(0, 100), every=(0, 30))
        ways.refuse = random.choice((0, 0.6))
        streams.append((data, random.random() < 0.5, ways, cycle))
    for at in range(0, len(streams), world.many):
        lives = []
        for data, ends_, ways, cycle in streams[at : at + world.many]:
            ways.dies = world.cycle + cycle
            lives.append(world.open(data, ends_, ways))
        await world.run(lives, 50_000)
    await world.bench.wait(500)


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def nothing_is_missed(dut):
    """Bytes, or room, come in each cycle of the turn behind an answer."""
    world = await World.start(dut, MOST_BYTES)
    for fills, chunk in ((False, 7), (True, 7), (True, 21)):
        for hits in range(0, 60, 2):
            lives = []
            for more in range(2):
                ways = Ways(chunk=(chunk, chunk), answer=(0, 0), fills=fills, hits=hits + more)
                lives.append(world.open(b"get a\r\n" * 3, False, ways))
            await world.run(lives, 3000)
            await world.end(lives, 0)


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def who_is_slow(dut):
    """Half requests, a byte now and then, answers that do not come: nobody reads for those, and
    others wait no longer for them."""
    world = await World.start(dut, MOST_BYTES)
    slow = [
        world.open(b"get a\r\nget b", False, Ways(every=(0, 10))),
        world.open(b"set k 0 0 2000\r\n" + bytes(1500), False, Ways(chunk=(700, 700))),
        world.open(b"get a\r\n" * 90, False, Ways(chunk=(4000, 4000), answer=(10**8, 10**8))),
    ]
    await world.bench.wait(6000)
    reads, answers = world.reads, world.answers
    await world.bench.wait(6000)
    assert (world.reads, world.answers) == (reads, answers), "busy with nothing"
    drip = world.open(b"set k 0 0 60\r\n" + bytes(62), False, Ways(chunk=(1, 1), every=(500, 500)))
    await world.run([drip], 80_000)
    # As many bytes as it has, and once more when it is whole.
    assert world.reads - reads <= len(drip.stream) + 2
    assert slow[2].packet is not None


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def starvation(dut):
    """All but one send as fast as they can. A request of the last one waits for a turn of each."""
    world = await World.start(dut, MOST_BYTES, latency=(20, 60))
    busy = []
    for number in range(min(world.many, 5) - 1):
        request = (b"get a\r\n", b"set k 0 0 900\r\n" + bytes(902), b"\n", b"x\n")[number % 4]
        data = request * (300_000 // len(request))
        ways = Ways(chunk=(1448, 1448), every=(0, 100), answer=(0, 0), room=(0, 0))
        busy.append(world.open(data, False, ways))
    polite = world.open(b"get b\r\n" * 6, False, Ways(chunk=(7, 7), every=(1000, 2000)))
    while not polite.answered_all:
        await world.bench.wait(100)
    most = len(busy) * (2 * world.turn + 200) + 1000
    assert max(polite.delays) <= most, (max(polite.delays), most)
    dut._log.info("late by %d at most, %d allowed", max(polite.delays), most)


async def rate(world: World, lives: list[Life]) -> tuple[float, float]:
    """Cycles from packet to packet, and bytes read, a request."""
    world.word_cycles.clear()
    answers, read = world.answers, world.read_bytes
    await world.run(lives, 100_000)
    count = world.answers - answers
    took = world.word_cycles[-1] - world.word_cycles[0]
    bytes_ = (world.read_bytes - read) / count
    await world.end(lives)
    return took / count, bytes_


# Requests, and the cycles of each at most: one of each connection; of deep pipelines.
PACE = {
    b"get " + b"k" * 16 + b"\r\n": (16.0, 7.0),
    b"mg " + b"k" * 16 + b" v\r\n": (16.0, 7.0),
    b"set " + b"k" * 16 + b" 0 0 32\r\n" + bytes(34): (30.0, 22.0),
}


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def rates(dut):
    """Of many connections with a request each; of some with deep pipelines; of a long value. What
    is read in vain is little."""
    world = await World.start(dut, 16_000, latency=(30, 30))
    for request, (most_once, most_deep) in PACE.items():
        size = len(request)
        once = [world.open(request, False, Ways(first=size)) for _ in range(world.many)]
        cycles, read = await rate(world, once)
        dut._log.info("%r: %.1f cycles, %.1f bytes read", request[:20], cycles, read)
        assert cycles <= most_once
        assert read == size
        ways = Ways(chunk=(1448, 1448), every=(0, 0), answer=(0, 0), room=(0, 0))
        deep = [world.open(request * 100, False, ways) for _ in range(4)]
        cycles, read = await rate(world, deep)
        dut._log.info("pipelines of it: %.1f cycles, %.1f bytes read", cycles, read)
        fits = min(world.budget, world.line // size)
        if world.budget == 20 and world.line == 512:
            assert cycles <= most_deep
        assert read <= world.line / fits + 1
    world.word_cycles.clear()
    value, read = b"set k 0 0 14900\r\n" + bytes(14_902), world.read_bytes
    life = world.open(value, False, Ways(chunk=(1448, 1448), every=(190, 190)))
    await world.run([life], 10_000)
    read = world.read_bytes - read
    dut._log.info("%d bytes, %d read", len(value), read)
    assert read <= len(value) + 3 * world.line  # of a value all but its end is counted
    took = world.word_cycles[-1] - world.word_cycles[0] + 1
    dut._log.info("%d words in %d cycles", len(world.word_cycles), took)
    assert took <= 1.2 * len(world.word_cycles)


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def nobody_takes(dut):
    """Packets and events that wait: all goes on behind them."""
    world = await World.start(dut, MOST_BYTES)
    world.pace = Pace(0.0, 1 << 20)
    lives = [world.open(b"get a\r\n" * 50, True, Ways()) for _ in range(world.many)]
    await world.bench.wait(4000)
    world.pace = Pace()
    world.events.pace = Pace(0.0, 1 << 20)
    await world.bench.wait(4000)
    world.events.pace = Pace()
    await world.run(lives, 100_000)
    await world.end(lives)


@cocotb.test(timeout_time=200, timeout_unit="ms")
async def memory_fails(dut):
    """Bytes that cannot be read end their connection."""
    world = await World.start(dut, MOST_BYTES)
    for number in range(10):
        life = world.open(b"get a\r\n" * 30, False, Ways(chunk=(300, 300)))
        life.fails = True
        bad = range(BASE + life.number * world.ring, BASE + (life.number + 1) * world.ring)
        world.memory.fails_read = lambda at, bad=bad: (  # type: ignore[misc]
            at in bad and random.random() < 0.3
        )
        for _ in range(2000):
            await world.bench.wait(1)
            if life.closed:
                break
        assert life.closed, number
        world.memory.fails_read = lambda address: False
        await world.end([life])


# A small ring has no room for the short answers of a full packet.
FULL_PACKETS = ("budget", "rates")
OTHERS = (
    *("one_request", "at_random/.*", "every_shape", "byte_by_byte", "cut_at_each_place", "room"),
    *("long_requests", "small_items", "ends", "goes_at_any_time", "nothing_is_missed"),
    *("who_is_slow", "starvation", "nobody_takes", "memory_fails"),
)


@pytest.mark.parametrize(
    ("connections", "ring", "budget", "turn", "words", "tests"),
    [
        (16, 12, 20, 2048, 512, OTHERS),
        (16, 14, 20, 2048, 512, FULL_PACKETS),
        full(4, 12, 1, 256, 64, ()),
        full(64, 13, 7, 4096, 1024, ()),
        full(8, 16, 20, 512, 128, ()),
    ],
)
def test_wc_tcp_requests(connections, ring, budget, turn, words, tests):
    sizes = {"Connections": connections, "RingBits": ring, "Budget": budget}
    run(
        "wc_tcp_requests_tb",
        __file__,
        {**sizes, "TurnBytes": turn, "LineBytes": min(turn, 512), "Words": words},
        extra_sources=[Path(__file__).parent / "wc_tcp_requests_tb.sv"],
        core="tcp",
        tests=tests,
    )
