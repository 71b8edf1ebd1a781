# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_tx: the frames of segments are those that the model builds, with scapy's checksums; the
wire stays full."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from net_bench import OUR_IP, OUR_MAC, OUR_PORT, Client, ip_bytes, mac_bytes, pad
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from wirecache.circuit import structs
from wirecache.model.tcp.segment import Flag, Peer, Segment, build, parse
from wirecache.testbench.bench import Bench, Pace, beats, run
from wirecache.testbench.cycle import Driven, every_cycle, value_of

MOST = 1460  # bytes of options and payload
OPTIONS = 40
RECORD = "wc_tcp_pkg::out_t"
ANNOUNCED = 5  # cycles from the last payload word to the announcement
AROUND = 8 + 4 + 12  # preamble, FCS and the gap behind a frame
ENDS = (0, 1, (1 << 32) - 1)


def little(data: bytes) -> int:
    return int.from_bytes(data, "little")


def number() -> int:
    return random.choice((random.getrandbits(32), random.choice(ENDS)))


def record(client: Client, segment: Segment) -> dict[str, Any]:
    """The segment as out_t; what is not given may be anything."""
    sacks = [*segment.sacks, *((number(), number()) for _ in range(3 - len(segment.sacks)))]
    times = segment.times or (number(), number())
    return {
        "station": {"mac": little(mac_bytes(client.mac)), "ip": little(ip_bytes(client.ip))},
        "port": little(client.port.to_bytes(2, "big")),
        "seq": segment.seq,
        "ack": segment.ack,
        "flags": {f.name.lower(): int(bool(segment.flags & f)) for f in Flag if f.name},
        "window": segment.window,
        "bytes": len(segment.data),
        "mss_given": int(segment.mss is not None),
        "mss": random.getrandbits(16) if segment.mss is None else segment.mss,
        "scale_given": int(segment.scale is not None),
        "scale": random.getrandbits(4) if segment.scale is None else segment.scale,
        "sack_permitted": int(segment.sack_permitted),
        "times_given": int(segment.times is not None),
        "time_value": times[0],
        "time_echo": times[1],
        "sacks": len(segment.sacks),
        "sack": sum((left << 32 | right) << 64 * i for i, (left, right) in enumerate(sacks)),
    }


def framed(client: Client, segment: Segment) -> bytes:
    """The frame of a segment; scapy works out the checksums."""
    packet = build(OUR_IP, OUR_PORT, Peer(client.ip, client.port), segment)
    return pad(bytes(Ether(src=OUR_MAC, dst=client.mac) / packet))


def draw(size: int = 0, **options: Any) -> Segment:
    return Segment(
        seq=number(),
        flags=Flag(random.getrandbits(6)),
        ack=number(),
        window=random.choice((random.getrandbits(16), 0, 65535)),
        data=random.choice((random.randbytes, random.randbytes, bytes))(size),
        **options,
    )


def times() -> tuple[int, int]:
    return number(), number()


def sacks(count: int) -> tuple[tuple[int, int], ...]:
    return tuple((number(), number()) for _ in range(count))


def all_options() -> list[dict[str, Any]]:
    """What a SYN-ACK may have, and what all others may."""
    flag = (False, True)
    return [
        *(
            {
                "mss": random.getrandbits(16) if mss else None,
                "scale": random.randint(0, 14) if scale else None,
                "sack_permitted": permitted,
                "times": times() if stamped else None,
            }
            for mss, scale, permitted, stamped in product(flag, flag, flag, flag)
        ),
        *(
            {"times": times() if stamped else None, "sacks": sacks(count)}
            for stamped, count in product(flag, range(4))
        ),
    ]


def parts_of(segment: Segment) -> int:
    """Cycles that its options take."""
    given = (segment.mss is not None) + (segment.scale is not None) + segment.sack_permitted
    blocks = len(segment.sacks)
    return given + 2 * (segment.times is not None) + (blocks + 1 if blocks else 0)


def option_bytes(segment: Segment) -> int:
    given = (segment.mss is not None) + (segment.scale is not None) + segment.sack_permitted
    blocks = len(segment.sacks)
    return 4 * given + 12 * (segment.times is not None) + (4 + 8 * blocks if blocks else 0)


class Sender:
    """wc_tcp_tx_tb, its two sources, and the MAC: it looks that no frame pauses."""

    def __init__(self, dut: Any, bench: Bench, willing: float, late: float, mac: float) -> None:
        self.dut, self.bench = dut, bench
        self.headers = bench.source("header", RECORD, willing)
        self.payload = bench.source("payload", "beat_t", late)
        self.mac = Pace(mac)
        self.wire = False  # takes frames as fast as 10G does: with what is around them
        self.frames: deque[tuple[bytes, int, int]] = deque()  # cycles of first and last word
        self.expected: deque[bytes] = deque()
        self.taken: list[int] = []  # cycles in which headers are taken,
        self.ended: list[int] = []  # the last words of payloads,
        self.announced: list[int] = []  # and segments, by wc_net_tx
        self._frame, self._first = b"", 0
        self._owed = 0.0  # cycles of the wire behind the last frame
        self._ready = Driven(dut.frame_ready_i)
        every_cycle(dut.clk_i, self._step)

    @classmethod
    async def start(
        cls, dut: Any, willing: float = 1.0, late: float = 1.0, mac: float = 1.0
    ) -> Sender:
        us = structs.pack(
            "wc_net_pkg::station_t", mac=little(mac_bytes(OUR_MAC)), ip=little(ip_bytes(OUR_IP))
        )
        port = little(OUR_PORT.to_bytes(2, "big"))
        inputs = {"us_i": us, "our_port_i": port, "datagram_valid_i": 0, "datagram_i": 0}
        bench = await Bench.start(dut, inputs)
        sender = cls(dut, bench, willing, late, mac)
        await bench.reset()
        return sender

    def _step(self) -> None:
        dut, cycle = self.dut, self.bench.cycle()
        if value_of(dut.header_valid_i) and value_of(dut.header_ready_o):
            self.taken.append(cycle)
        take_payload = value_of(dut.payload_valid_i) and value_of(dut.payload_ready_o)
        if take_payload and value_of(dut.payload_i) & 1:  # the last word
            self.ended.append(cycle)
        if value_of(dut.segment_taken_o):
            self.announced.append(cycle)
        valid = value_of(dut.frame_valid_o)
        assert valid or not self._frame, "a frame pauses"
        self._owed = max(0.0, self._owed - 1)
        if valid and self._ready.value:
            bits = value_of(dut.frame_o)
            keep, last = bits >> 64 & 255, bits >> 72
            size = keep.bit_count()
            assert keep == (1 << size) - 1 and (size == 8 or last)
            if not self._frame:
                self._first = cycle
            self._frame += (bits & (1 << 64) - 1).to_bytes(8, "little")[:size]
            if last:
                words = (len(self._frame) + 7) // 8
                self._owed += (len(self._frame) + AROUND) / 8 - words
                self.frames.append((self._frame, self._first, cycle))
                self._frame = b""
        self._ready.set(int(self._owed < 1) if self.wire else int(self.mac()))

    def send(self, segments: Iterable[Segment], client: Client | None = None) -> None:
        for segment in segments:
            to = client or Client.random()
            self.headers.send(record(to, segment))
            self.payload.send(*beats(segment.data))
            self.expected.append(framed(to, segment))

    async def settle(self) -> list[tuple[int, int]]:
        """Waits for all frames and compares them; gives the cycles of first and last words."""
        cycles = []
        while self.expected:
            quiet = 0
            while not self.frames:
                await RisingEdge(self.dut.clk_i)
                quiet += 1
                assert quiet < 20_000, "nothing comes any more"
            frame, first, last = self.frames.popleft()
            want = self.expected.popleft()
            assert frame == want, f"\n{frame.hex()}\n{want.hex()}"
            cycles.append((first, last))
        await self.bench.wait(30)
        assert not self.frames and not self._frame, "a frame of no segment"
        assert self.headers.idle and self.payload.idle
        return cycles


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def all_sizes(dut):
    """Every payload that fits a frame, with options of all kinds."""
    sender = await Sender.start(dut)
    kinds = all_options()
    for size in range(MOST + 1):
        segment = draw(size, **random.choice(kinds))
        if option_bytes(segment) + size > MOST:
            segment = draw(size, times=times() if size + 12 <= MOST else None)
        sender.send([segment])
        if size % 100 == 0:
            await sender.settle()
    await sender.settle()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def all_combinations(dut):
    """All options, with each short payload, and with the longest ones."""
    sender = await Sender.start(dut)
    for options in all_options():
        most = MOST - option_bytes(Segment(0, Flag.ACK, **options))
        assert most >= MOST - OPTIONS
        sizes = (*range(18), *range(most - 8, most + 1))
        sender.send(draw(size, **options) for size in sizes)
        await sender.settle()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def is_read_again(dut):
    """What scapy and the model read in the frames is what was to be said."""
    sender = await Sender.start(dut)
    me = Client()
    for options in all_options():
        segment = draw(random.randint(0, 60), **options)
        sender.send([segment], me)
        sender.expected.clear()
        while not sender.frames:
            await RisingEdge(dut.clk_i)
        frame = sender.frames.popleft()[0]
        packet = IP(frame[14:])
        assert parse(packet) == (Peer(OUR_IP, OUR_PORT), segment)
        assert (packet.dst, packet[TCP].dport) == (me.ip, me.port)
        assert (packet.ttl, packet.id, str(packet.flags)) == (64, 0, "DF")
        given = packet.chksum, packet[TCP].chksum
        del packet.chksum, packet[TCP].chksum
        again = IP(bytes(packet))
        assert given == (again.chksum, again[TCP].chksum)


async def stalled(dut: Any, willing: float, late: float, mac: float, count: int) -> None:
    sender = await Sender.start(dut, willing, late, mac)
    kinds = all_options()
    for _ in range(count):
        sizes = (0, 0, random.randint(1, 40), random.randint(1, MOST - OPTIONS))
        sender.send([draw(random.choice(sizes), **random.choice(kinds))])
    await sender.settle()


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(
    willing=(0.1, 1.0),
    late=(0.3, 1.0),
    mac=(0.4, 1.0),
)
async def stalls(dut, willing, late, mac):
    """Records that come slowly, payload that comes late, a MAC that stands still now and then."""
    await stalled(dut, willing, late, mac, 120)


def check_rate(segments: list[Segment], cycles: list[tuple[int, int]]) -> None:
    """The wire was never free: each frame ends when its bytes and what is around them are over."""
    sizes = [max(60, 54 + option_bytes(s) + len(s.data)) for s in segments]
    due = sum((size + AROUND) / 8 for size in sizes[1:])
    took = cycles[-1][1] - cycles[0][1]
    assert took <= due + 3, f"{took} cycles for {due} of the wire"


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(
    kind=("bare", "times", "full", "full_times", "syn_ack", "sacks", "short", "mixed")
)
async def wire_rate(dut, kind):
    """Segments back to back keep a wire of 10G full, whatever they are."""
    sender = await Sender.start(dut)
    sender.wire = True
    kinds = all_options()

    def one() -> Segment:
        match kind:
            case "bare":
                return draw()
            case "times":
                return draw(times=times())
            case "full":
                return draw(MOST)
            case "full_times":
                return draw(MOST - 12, times=times())
            case "syn_ack":
                return draw(mss=MOST, scale=7, sack_permitted=True, times=times())
            case "sacks":
                return draw(times=times(), sacks=sacks(3))
            case "short":
                return draw(random.randint(1, 16), times=times())
        size = random.choice((0, random.randint(1, 60), random.randint(1, MOST - OPTIONS)))
        return draw(size, **random.choice(kinds))

    segments = [one() for _ in range(30 if "full" in kind else 150)]
    if kind == "mixed":
        # A long segment has to be whole first. So the first is one, and there are not more short
        # ones in a row than may wait.
        segments[::8] = [draw(MOST) for _ in segments[::8]]
    sender.send(segments)
    check_rate(segments, await sender.settle())


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def own_rate(dut):
    """A segment takes 5 cycles, those of its options, and its payload words."""
    sender = await Sender.start(dut)
    for options in all_options():
        for size in (0, 1, 4, 5, 8, 9):
            segments = [draw(size, **options) for _ in range(8)]
            sender.send(segments)
            await sender.settle()
            taken = sender.taken[-8:]
            each = 5 + parts_of(segments[0]) + (size + 7) // 8
            assert {b - a for a, b in pairwise(taken)} == {each}, (options, size)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def latency(dut):
    """From the last payload word, or the record without payload, to what wc_net_tx takes."""
    sender = await Sender.start(dut)
    for options in all_options():
        for size in (0, 1, 8, 9, 700):
            sender.send([draw(size, **options)])
            ((first, _),) = await sender.settle()
            end = sender.ended[-1] if size else sender.taken[-1]
            assert sender.announced[-1] - end == ANNOUNCED, sender.announced[-1] - end
            assert first - sender.announced[-1] == 1
    assert len(sender.taken) == len(sender.announced)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def late_payload(dut):
    """What is whole goes out while a payload is waited for; nothing of the late one does."""
    sender = await Sender.start(dut)
    sender.mac = Pace(0.5)
    sender.send(draw(random.choice((0, 200)), times=times()) for _ in range(6))
    await sender.headers.wait()
    waiting = draw(100)
    to = Client.random()
    sender.headers.send(record(to, waiting))
    parts = beats(waiting.data)
    sender.payload.send(*parts[:5])
    await sender.settle()
    await sender.bench.wait(500)
    assert not sender.frames
    sender.payload.send(*parts[5:])
    sender.expected.append(framed(to, waiting))
    sender.send([draw(8)])
    await sender.settle()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def standing_mac(dut):
    """A MAC that stands still fills the buffer, then stops records; all goes on behind it."""
    sender = await Sender.start(dut)
    for size in (MOST, 0, 8):
        before = len(sender.taken)
        sender.mac = Pace(0.0, 1 << 30)
        sender.send(draw(size) for _ in range(40))
        await sender.bench.wait(1500)
        full = len(sender.taken) - before
        assert 2 <= full < 40, full
        await sender.bench.wait(500)
        assert len(sender.taken) - before == full
        sender.mac = Pace()
        await sender.settle()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def with_datagrams(dut):
    """Datagrams and segments take turns, and neither changes the other's frames."""
    sender = await Sender.start(dut)
    to = Client()
    dut.datagram_i.value = structs.pack(
        "wc_net_pkg::datagram_t",
        station={"mac": little(mac_bytes(to.mac)), "ip": little(ip_bytes(to.ip))},
        port=little(to.port.to_bytes(2, "big")),
        bytes=8,
    )
    dut.datagram_valid_i.value = 1
    segments = [draw(random.choice((0, 9, 300)), **random.choice(all_options())) for _ in range(60)]
    sender.send(segments)
    want, sender.expected = sender.expected, deque()
    datagrams = 0
    while want:
        while not sender.frames:
            await RisingEdge(dut.clk_i)
        frame = sender.frames.popleft()[0]
        if IP(frame[14:]).proto == 17:
            again = IP(frame[14:])
            del again.chksum
            assert frame[14:34] == bytes(again)[:20]
            datagrams += 1
        else:
            assert frame == want.popleft()
    assert datagrams >= len(segments) // 2


def test_wc_tcp_tx() -> None:
    wrapper = Path(__file__).parent / "wc_tcp_tx_tb.sv"
    run("wc_tcp_tx_tb", __file__, extra_sources=[wrapper], core="tcp")
