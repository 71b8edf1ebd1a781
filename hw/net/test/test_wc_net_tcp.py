# SPDX-License-Identifier: Apache-2.0
"""wc_net with TCP, and this bench in the place of wc_tcp: segments in among frames of all other
kinds, every cause of a drop, no room; segments out among answers and replies."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Self

import cocotb
from net_bench import (
    OUR_IP,
    OUR_MAC,
    OUR_PORT,
    Allow,
    Client,
    Net,
    answers,
    arp,
    arp_reply,
    datagram,
    frame_header,
    ip_bytes,
    mac_bytes,
    mutate,
    pad,
    ping,
    ping_reply,
    verdict_of,
    with_checksum,
)
from scapy.layers.l2 import Ether
from scapy.utils import checksum
from tcp_rx_bench import expect, segment, shown_options
from wirecache.circuit import structs
from wirecache.model.tcp.segment import Flag, Peer, Segment, build
from wirecache.testbench.bench import Pace, run, words
from wirecache.testbench.cycle import Driven, every_cycle, reader

TCP_PORT = 11217  # another one than UDP's
MOST = 1460  # bytes of options and payload
AROUND = 8 + 4 + 12  # preamble, FCS and the gap behind a frame
ALLOW = ("10.0.2.0/24", "192.168.0.0/16")


class TcpNet(Net):
    """Plays wc_tcp: keeps what is committed, and says that there is no room for what `refuses`
    names, one cycle behind it and until another frame begins, or at any time with `full`."""

    sent: list[tuple[bytes, bool]]  # frames, and whether the MAC says that they are bad
    fates: list[tuple[bool, bool]]  # of each frame: kept, and whether there was no room
    taken_segments: list[tuple[dict[str, Any], bytes]]  # record and payload, kept

    @classmethod
    async def start(
        cls,
        dut: Any,
        header: bool = True,
        willing: float = 1.0,
        enable: bool = True,
        allow: Allow = (),
        tcp_port: int = TCP_PORT,
    ) -> Self:
        net = await super().start(dut, header, willing, enable, allow, tcp_port)
        net.tcp_port, net.allow, net.enabled = tcp_port, allow, enable
        net.sent = []
        net.taken_segments = []
        net.fates = []
        net.refuses = lambda item: False
        net.full = Pace(0.0)  # willing: there is no room
        net.kept = lambda data: None
        net._payload, net._whole = b"", True
        net._owed = deque()
        net._lost, net._overflow = False, Driven(dut.tcp_overflow_i)
        net.out = net.bench.source("tcp_segment", "wc_net_pkg::reply_t")
        net._rows, net._row = deque(), deque()
        net._word_valid = Driven(dut.tcp_word_valid_i)
        net.expected_out = []
        names: tuple[str, ...] = (
            "begin",
            "payload_valid",
            "payload",
            "record_valid",
            "record",
            "commit",
            "abort",
        )
        net._in = {n: reader(getattr(dut, f"tcp_{n}_o")) for n in names}
        names = ("segment_valid_i", "segment_ready_o", "word_valid_i", "word_ready_o")
        net._out = {n: reader(getattr(dut, f"tcp_{n}")) for n in names}
        every_cycle(dut.clk_i, net._tcp_in)
        every_cycle(dut.clk_i, net._tcp_out)
        return net

    tcp_port: int
    allow: Allow
    enabled: bool
    refuses: Callable[[dict[str, int]], bool]
    full: Pace
    kept: Callable[[bytes], None]
    out: Any
    expected_out: list[bytes]
    _payload: bytes
    _whole: bool
    _owed: deque[bytes]  # payloads that are kept, and whose record has to come
    _lost: bool
    _overflow: Driven
    _rows: deque[list[int]]  # of segments that have not been taken
    _row: deque[int]  # words of the one that was
    _word_valid: Driven
    _in: dict[str, Callable[[], int]]
    _out: dict[str, Callable[[], int]]

    def send(self, frame: bytes, bad: bool = False, idle: int = 0, gaps: float = 0.0) -> None:
        self.sent.append((frame, bad))
        super().send(frame, bad, idle, gaps)

    # ---- in --------------------------------------------------------------------------------------
    def _tcp_in(self) -> None:
        see = self._in
        no_room = bool(self._overflow.value)  # in this cycle, as the circuit sees it
        if see["begin"]():
            self._lost = False
        if see["payload_valid"]():
            item = structs.unpack("wc_net_pkg::payload_t", see["payload"]())
            size, word = item["bytes"], item["word"].to_bytes(8, "little")
            assert 1 <= size <= 8 and (size == 8 or item["last"]) and not any(word[size:])
            if self._whole:
                self._payload, self._whole = b"", False
            self._payload += word[:size]
            self._whole = bool(item["last"])
            self._lost |= self.refuses(item)
        commit, abort = see["commit"](), see["abort"]()
        assert not (commit and abort)
        if commit or abort:
            self.fates.append((bool(commit), self._no_room_before))
        if commit:
            assert self._whole, "kept without its last word"
            assert not self._owed, "two frames without their records"
            self._owed.append(self._payload)
        if commit or abort:
            self._payload, self._whole = b"", True
        if see["record_valid"]() and self._owed:
            record = structs.unpack("wc_tcp_pkg::segment_t", see["record"]())
            record["options"] = shown_options(record["options"])
            data = self._owed.popleft()
            self.taken_segments.append((record, data))
            self.kept(data)
        self._no_room_before = no_room
        self._overflow.set(int(self._lost or (self.full.willing > 0 and self.full())))

    _no_room_before = False

    def check(self) -> list[str]:
        """What became of all frames, and that it was right; gives it."""
        expected, segments, requests = [], [], []
        for (frame, bad), (kept, no_room) in zip(self.sent, self.fates, strict=True):
            verdict, data = verdict_of(
                frame, bad, self.header, self.enabled, self.allow, self.tcp_port
            )
            if verdict == "tcp_in" and no_room:
                verdict = "drop_overflow"
            assert kept == (verdict == "tcp_in"), frame.hex()
            expected.append(verdict)
            if verdict == "tcp_in":
                record = expect(frame).record
                assert record is not None
                segments.append((record, data))
            if verdict == "request_in":
                requests.append(data)
        for number, (got, want) in enumerate(zip(self.verdicts, expected, strict=True)):
            assert got == want, f"frame {number}: {got}, not {want}: {self.sent[number][0].hex()}"
        assert self.requests == requests
        assert len(self.taken_segments) == len(segments) and not self._owed
        for got_segment, want_segment in zip(self.taken_segments, segments, strict=True):
            assert got_segment == want_segment
        return expected

    async def settle(self, frames: int | None = None, limit: int = 200_000) -> None:
        await self.out.wait()
        await super().settle(frames, limit)
        assert self.out.idle and not self._row and not self._rows

    # ---- out -------------------------------------------------------------------------------------
    def give(self, client: Client, data: bytes, **fields: Any) -> bytes:
        """A segment that is to be sent; gives its frame."""
        said = Segment(
            random.getrandbits(32), Flag.ACK, random.getrandbits(32), data=data, **fields
        )
        packet = build(OUR_IP, TCP_PORT, Peer(client.ip, client.port), said)
        frame = bytes(Ether(src=OUR_MAC, dst=client.mac) / packet)
        row = frame[34:]
        self._rows.append(words(row))
        station = {
            "mac": int.from_bytes(mac_bytes(client.mac), "little"),
            "ip": int.from_bytes(ip_bytes(client.ip), "little"),
        }
        self.out.send({"arp": 0, "station": station, "bytes": len(row) - 8})
        self.expected_out.append(pad(frame))
        return self.expected_out[-1]

    def _tcp_out(self) -> None:
        see = self._out
        if see["word_ready_o"]():
            assert see["word_valid_i"](), "a word that no segment has"
            self._row.popleft()
        if see["segment_valid_i"]() and see["segment_ready_o"]():
            assert not self._row, "words of the segment before are left"
            self._row.extend(self._rows.popleft())
        self._word_valid.set(int(bool(self._row)))
        if self._row:
            self.dut.tcp_word_i.value = self._row[0]

    def frames_of(self, protocol: int) -> list[bytes]:
        """What was sent of an IP protocol; of 0: ARP."""
        return [f for f in self.frames if (f[23] if f[12:14] == b"\x08\0" else 0) == protocol]


def options() -> bytes:
    return random.randbytes(4 * random.choice((0, 0, 0, 3, 3, random.randint(1, 10))))


def good_segment(client: Client | None = None, size: int | None = None, **fields: Any) -> bytes:
    if size is None:
        size = random.choice((0, 0, 1, 6, 7, 8, 9, random.randint(0, 100), random.randint(0, 1420)))
    return segment(client or Client.random(), random.randbytes(size), dport=TCP_PORT, **fields)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(gaps=[0.0, 0.3])
async def all_sizes(dut, gaps):
    """Segments of all sizes with options of all kinds, with nothing between them or with gaps."""
    net = await TcpNet.start(dut)
    for size in [*range(0, 90), *range(1400, MOST + 1)]:
        had = options()[: (MOST - size) // 4 * 4]
        ip_options = random.randbytes(4 * random.randint(0, 10)) if size < 1380 - len(had) else b""
        flags = int(random.choice((Flag.ACK, Flag.SYN, Flag.ACK | Flag.PSH, Flag.FIN | Flag.ACK)))
        frame = good_segment(
            size=size,
            options=had,
            ip_options=ip_options if random.random() < 0.2 else b"",
            flags=flags,
        )
        if len(frame) < 1500 and random.random() < 0.3:
            frame += random.randbytes(random.randint(1, 14))  # Ethernet may add bytes
        net.send(frame, gaps=gaps, idle=random.randint(0, 9) if gaps else 0)
    await net.settle(frames=0)
    assert set(net.check()) == {"tcp_in"}
    assert net.eights == {"bytes_in": 0, "bytes_out": 0}, "bytes are UDP's alone"


def drop_cases() -> list[tuple[str, bytes, bool]]:
    """(cause, frame, the MAC says bad): at least one for each cause that a segment may have."""
    c = Client()
    good = segment(c, bytes(range(30)), dport=TCP_PORT)

    def patched(at: int, value: bytes, fix: bool = True, sum_: bool = False) -> bytes:
        out = good[:at] + value + good[at + len(value) :]
        if sum_:  # of TCP
            out = out[:50] + b"\0\0" + out[52:]
            body = out[34:]
            pseudo = out[26:34] + b"\0\6" + len(body).to_bytes(2, "big")
            out = out[:50] + checksum(pseudo + body).to_bytes(2, "big") + out[52:]
        return out[:14] + with_checksum(out[14:34]) + out[34:] if fix else out

    offset = good[46]
    cases = [
        ("drop_bad_frame", good, True),
        ("drop_bad_frame", segment(c, bytes(1461), dport=TCP_PORT), False),
        ("drop_runt", good[:-1], False),
        ("drop_runt", good[:50], False),
        ("drop_mac", patched(0, b"\x02\x57\x43\0\0\2"), False),
        ("drop_ip_header", patched(24, bytes([good[24] ^ 1]), fix=False), False),
        ("drop_ip_address", patched(33, b"\x10", sum_=True), False),
        ("drop_ip_fragment", patched(20, b"\x20"), False),
        ("drop_ip_fragment", patched(21, b"\x01"), False),
        ("drop_ip_protocol", patched(23, b"\x07"), False),
        ("drop_tcp_header", patched(46, bytes([0x40 | offset & 15]), sum_=True), False),
        ("drop_tcp_header", patched(46, bytes([offset & 15]), sum_=True), False),
        ("drop_tcp_header", patched(46, bytes([0xD0 | offset & 15]), sum_=True), False),
        ("drop_tcp_port", segment(c, b"get a\r\n", dport=OUR_PORT), False),
        ("drop_tcp_port", segment(c, b"", dport=TCP_PORT ^ 1), False),
        ("drop_tcp_port", segment(c, b"", dport=TCP_PORT ^ 256), False),
        ("drop_tcp_port", segment(c, b"", dport=0), False),
        ("drop_tcp_checksum", patched(50, bytes([good[50] ^ 1])), False),
        ("drop_tcp_checksum", patched(50, b"\0\0"), False),
        ("drop_tcp_checksum", patched(60, b"!"), False),
        ("drop_tcp_checksum", patched(38, bytes([good[38] ^ 16])), False),
        ("drop_source", segment(Client(port=0), b"x", dport=TCP_PORT), False),
        ("drop_denied", segment(Client(ip="10.0.3.2"), b"x", dport=TCP_PORT), False),
        ("drop_denied", segment(Client(ip="11.0.2.2"), b"", dport=TCP_PORT), False),
        ("tcp_in", segment(Client(port=TCP_PORT), b"x", dport=TCP_PORT), False),
        ("tcp_in", segment(Client(port=OUR_PORT), b"x", dport=TCP_PORT), False),
        ("drop_udp_port", datagram(c, frame_header(1) + b"get a\r\n", dport=TCP_PORT), False),
    ]
    for size in (0, 3, 4, 12, 13, 19):  # no whole header
        total = (20 + size).to_bytes(2, "big")
        cases.append(("drop_tcp_header", patched(16, total), False))
    for mac in ("00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01", OUR_MAC):
        cases.append(("drop_source", segment(Client(mac=mac), b"x", dport=TCP_PORT), False))
    for ip in (OUR_IP, "0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255"):
        cases.append(("drop_source", segment(Client(ip=ip), b"x", dport=TCP_PORT), False))
    return cases


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(gaps=[0.0, 0.3])
async def every_cause_of_a_drop(dut, gaps):
    """Each between segments, requests and pings that are good, and among its like."""
    cases = drop_cases()
    for cause, frame, bad in cases:
        said = verdict_of(frame, bad, True, allow=ALLOW, tcp_port=TCP_PORT)[0]
        assert said == cause, f"the model says {said} and this list {cause}"
    net = await TcpNet.start(dut, allow=ALLOW)
    for round_ in range(3):
        random.shuffle(cases)
        for _, frame, bad in cases:
            net.send(frame, bad, gaps=gaps)
            if round_ < 2:
                size = random.randint(0, 40)
                net.send(
                    random.choice(
                        (
                            good_segment(Client(), size, options=options()),
                            good_segment(Client(), size),
                            datagram(Client(), frame_header(1) + bytes(range(1 + size))),
                            ping(Client(), bytes(size)),
                        )
                    ),
                    gaps=gaps,
                )
    await net.settle()
    seen = set(net.check())
    assert {cause for cause, *_ in cases} <= seen


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def switched_off(dut):
    net = await TcpNet.start(dut, enable=False)
    for _ in range(30):
        net.send(good_segment(options=options()))
    for _, frame, bad in drop_cases():
        net.send(frame, bad)
    await net.settle(frames=0)
    assert set(net.check()) == {"drop_disabled"}


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def no_port(dut):
    """With port 0 there is no TCP: every port is another one, 0 too. UDP goes on."""
    net = await TcpNet.start(dut, tcp_port=0)
    for port in (0, TCP_PORT, OUR_PORT, 0, 256):
        for size in (0, 1, 40, 300):
            net.send(segment(Client.random(), bytes(size), dport=port, options=options()))
            net.send(datagram(Client.random(), frame_header(3) + b"get a\r\n"))
    await net.settle(frames=0)
    assert net.check() == ["drop_tcp_port", "request_in"] * 20


def last_word(item: dict[str, int]) -> bool:
    return bool(item["last"]) and random.random() < 0.5


def any_word(item: dict[str, int]) -> bool:
    return random.random() < 0.1


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(refuses=[last_word, any_word, None])
async def no_room(dut, refuses):
    """A segment of which any word is refused, be it the last, is dropped; so is one while there is
    no room for records. Nothing else is."""
    net = await TcpNet.start(dut)
    if refuses is not None:
        net.refuses = refuses
    else:
        net.full = Pace(0.3, burst=30)
    for _ in range(400):
        size = random.choice((0, *range(1, 20), random.randint(20, 400)))
        frame = good_segment(size=size, options=options())
        if random.random() < 0.15:  # another cause comes first
            frame = frame[:50] + bytes([frame[50] ^ 1]) + frame[51:]
        net.send(frame, idle=random.choice((0, 0, 3)))
        if random.random() < 0.2:
            net.send(datagram(Client.random(), frame_header(3) + b"get a\r\n"))
        if random.random() < 0.1:
            net.send(good_segment(size=size)[: random.randint(1, 40)])  # with a word 3 or without
    await net.settle(frames=0)
    verdicts = net.check()
    assert 30 < verdicts.count("drop_overflow") < 330 and verdicts.count("tcp_in") > 30
    assert {"request_in", "drop_tcp_checksum"} <= set(verdicts)


@cocotb.test(timeout_time=40, timeout_unit="ms")
@cocotb.parametrize(header=[True, False])
async def mutated_frames(dut, header):
    """Every frame has the verdict that the model gives, and nothing else is kept."""
    net = await TcpNet.start(dut, header)
    for _ in range(600):
        client = Client.random()
        kind = random.random()
        if kind < 0.8:
            extra = random.randbytes(4 * random.randint(0, 10)) if kind < 0.1 else b""
            size = random.choice((0, 1, 6, 7, 8, 20, 70, 400))
            frame = good_segment(client, size, options=options(), ip_options=extra)
        elif kind < 0.9:
            frame = ping(client, random.randbytes(random.randint(0, 60)))
        else:
            frame = datagram(client, (frame_header(1) if header else b"") + bytes(20))
        if random.random() < 0.7:
            frame = mutate(frame)
        net.send(frame, random.random() < 0.02, random.choice((0, 0, 3)), random.choice((0, 0.2)))
    await net.settle()
    verdicts = net.check()
    counts = {v: verdicts.count(v) for v in sorted(set(verdicts))}
    dut._log.info(f"{counts}")
    assert counts["tcp_in"] > 100


def any_frame(number: int, most: int) -> tuple[bytes, bytes | None]:
    """A good frame of any kind, and its answer but for a request or a segment."""
    client, data = Client.random(), random.randbytes(random.randint(1, most))
    match random.choice(("udp", "udp", "tcp", "tcp", "tcp", "arp", "icmp")):
        case "udp":
            return datagram(client, frame_header(7) + data), None
        case "tcp":
            return good_segment(client, len(data), options=options() if most > 60 else b""), None
        case "arp":
            return arp(client), arp_reply(client)
        case _:
            return ping(client, data, number), ping_reply(client, data, number)


def same(got: list[bytes], want: list[bytes]) -> None:
    """A checksum of zero of ICMP may be written either way."""
    assert len(got) == len(want)
    for frame, wanted in zip(got, want, strict=True):
        assert frame[:36] + frame[38:] == wanted[:36] + wanted[38:]


@cocotb.test(timeout_time=40, timeout_unit="ms")
@cocotb.parametrize(most=[18, 60, 600], mac=[1.0, 0.8])
async def all_kinds_at_line_rate(dut, most, mac):
    """All kinds of frames as the wire brings them. Each segment is answered by one of its size,
    each request by a message of its size; all leave whole, each kind in its order."""
    net = await TcpNet.start(dut)
    net.mac_pace = Pace(mac)
    net.answer = lambda request: request
    net.kept = lambda data: void(net.give(Client.random(), data))
    time, replies = 0.0, []
    for number in range(300):
        frame, reply = any_frame(number, most)
        replies.append(reply)
        time += (len(frame) + AROUND) / 8
        idle = int(time) - -(-len(frame) // 8)
        time -= int(time)
        net.send(frame, idle=max(0, idle))
    await net.settle()
    assert net.sent_cycles[-1] - net.sent_cycles[0] > 2000
    # With a slow MAC the queue of replies may be full.
    local = iter(v for v in net.verdicts if v in ("arp_reply", "icmp_reply", "drop_local"))
    assert {"tcp_in", "request_in", "arp_reply", "icmp_reply"} <= set(net.verdicts)
    assert set(net.verdicts) <= {"tcp_in", "request_in", "arp_reply", "icmp_reply", "drop_local"}
    assert mac < 1.0 or "drop_local" not in net.verdicts
    wanted = [r for r in replies if r is not None and next(local) != "drop_local"]
    same([f for f in net.frames if f[12:14] != b"\x08\0" or f[23] == 1], wanted)
    assert net.frames_of(6) == net.expected_out
    requests = iter(net.requests)
    clients = [f for (f, _), v in zip(net.sent, net.verdicts, strict=True) if v == "request_in"]
    out = net.frames_of(17)
    for frame, got in zip(clients, out, strict=True):
        asker = Client(
            frame[6:12].hex(":"), ".".join(map(str, frame[26:30])), int.from_bytes(frame[34:36])
        )
        assert [got] == answers(asker, next(requests), 7)
    assert len(net.taken_segments) == net.verdicts.count("tcp_in") == len(net.expected_out)
    for (record, data), (frame, _) in zip(
        net.taken_segments,
        [s for s in net.sent if s[0][12:14] + s[0][23:24] == b"\x08\0\6"],
        strict=True,
    ):
        want = expect(frame)
        assert (record, data) == (want.record, want.payload)


def void(value: object) -> None:
    """For a function that is called for what it does."""


def gaps_between(net: Net, first: int) -> list[int]:
    pairs = list(pairwise(net.frame_cycles))[first:]
    return [after[0] - before[1] - 1 for before, after in pairs]


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(size=[0, 1, 6, 7, 60, 1460])
async def segments_fill_the_wire(dut, size):
    """Segments that wait leave with no cycle between them, each in its own words."""
    net = await TcpNet.start(dut)
    for _ in range(40 if size < 1000 else 6):
        net.give(Client.random(), random.randbytes(size))
    await net.settle(frames=len(net.expected_out))
    assert net.frames == net.expected_out
    assert not any(gaps_between(net, 0))
    for frame, (first, last) in zip(net.frames, net.frame_cycles, strict=True):
        assert last - first + 1 == -(-len(frame) // 8)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def all_that_waits_has_its_turn(dut):
    """While answers, replies and segments wait, no cycle is lost, every other frame is an answer,
    and of the others every other one is a segment."""
    net = await TcpNet.start(dut)
    net.answer = lambda request: request
    net.mac_pace = Pace(0.0)
    replies = []
    for number in range(14):
        client = Client.random()
        net.send(arp(client) if number % 2 else ping(client, bytes(20), number))
        replies.append(arp_reply(client) if number % 2 else ping_reply(client, bytes(20), number))
        net.give(Client.random(), random.randbytes(random.choice((0, 5, 40))))
        net.send(datagram(client, frame_header(number) + b"get some\r\n"))
        net.send(datagram(client, frame_header(number) + b"get other\r\n"))
    await net.bench.wait(1500)
    assert not net.frames
    net.mac_pace = Pace(1.0)
    await net.settle(frames=4 * 14)
    same([f for f in net.frames if f[12:14] != b"\x08\0" or f[23] == 1], replies)
    assert net.frames_of(6) == net.expected_out
    assert not any(gaps_between(net, 0))
    kinds = [f[23] if f[12:14] == b"\x08\0" else 1 for f in net.frames][1:-4]
    assert {kinds[i] == 17 for i in range(0, len(kinds), 2)} in ({True}, {False})
    assert kinds.count(17) in range(len(kinds) // 2, len(kinds) // 2 + 2)
    others = ["tcp" if kind == 6 else "local" for kind in kinds if kind != 17]
    assert all(a != b for a, b in pairwise(others)), others


def test_wc_net_tcp():
    run("wc_net", __file__, {"Tcp": 1})


def test_wc_net_as_without_tcp():
    """What was there before: nothing slower, nothing else."""
    run(
        "wc_net",
        str(__file__).replace("test_wc_net_tcp", "test_wc_net"),
        {"Tcp": 1},
        tests=[
            "answers_of_the_host.*",
            "arp_and_ping.*",
            "flood_at_a_slow_parser",
            "latency",
            "line_rate_of_small_requests.*",
            "reply_queue_overflows",
        ],
    )
