# SPDX-License-Identifier: Apache-2.0
"""The two ends of the network stage for its benches: frames as scapy makes them, a model that says
what must become of a frame, and the MAC and the pipeline behind as cocotb coroutines."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network
from typing import Any, Self

import cocotb
from cocotb.triggers import RisingEdge
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Raw
from scapy.utils import checksum
from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, Pace, words
from wirecache.testbench.cycle import Driven, reader

OUR_MAC, OUR_IP, OUR_PORT = "02:57:43:00:00:01", "10.0.2.15", 11211
DATAGRAM = structs.constant("wc_net_pkg::DatagramBytes")
HOST_DATAGRAM = structs.constant("wc_net_pkg::HostDatagramBytes")
VERDICTS = [n for n in structs.field_names("net_events_t") if n not in ("frame_in", "frame_out")]
BYTE_EVENTS = structs.field_names("byte_events_t")
BITS = {n: structs.pack("net_events_t", **{n: 1}) for n in structs.field_names("net_events_t")}
MAX_FRAME = 1514
ENTRIES = structs.constant("AllowEntries")
EVERYBODY = IPv4Network("0.0.0.0/0")
TCP_INPUTS = (
    "tcp_overflow_i",
    "tcp_segment_valid_i",
    "tcp_segment_i",
    "tcp_word_valid_i",
    "tcp_word_i",
)


def mac_bytes(text: str) -> bytes:
    return bytes(int(part, 16) for part in text.split(":"))


def ip_bytes(text: str) -> bytes:
    return bytes(int(part) for part in text.split("."))


def is_station(mac: bytes) -> bool:
    """A station's MAC address, and not our own."""
    return not mac[0] & 1 and mac not in (bytes(6), mac_bytes(OUR_MAC))


def is_host(ip: bytes) -> bool:
    """A host's IPv4 address, and not our own."""
    return ip[0] not in (0, 127) and ip[0] < 224 and ip != ip_bytes(OUR_IP)


@dataclass(frozen=True)
class Client:
    """Somebody on the network who asks."""

    mac: str = "52:55:0a:00:02:02"
    ip: str = "10.0.2.2"
    port: int = 40000

    @staticmethod
    def random() -> Client:
        """One that may be answered."""
        while True:
            mac, ip, port = random.randbytes(6), random.randbytes(4), random.randint(1, 65535)
            if is_station(mac) and is_host(ip) and port != OUR_PORT:
                return Client(mac.hex(":"), ".".join(map(str, ip)), port)


def pad(frame: bytes) -> bytes:
    return frame.ljust(60, b"\0")


def frame_header(request_id: int, sequence: int = 0, total: int = 1, reserved: int = 0) -> bytes:
    return b"".join(x.to_bytes(2, "big") for x in (request_id, sequence, total, reserved))


def datagram(client: Client, payload: bytes, options: bytes = b"", **fields: Any) -> bytes:
    """A frame with a UDP datagram to us; fields override those of the IP or the UDP header."""
    udp: dict[str, Any] = {k: fields.pop(k) for k in ("dport", "len", "chksum") if k in fields}
    ports: dict[str, Any] = {"sport": client.port, "dport": OUR_PORT, **udp}
    packet = (
        Ether(src=client.mac, dst=fields.pop("mac", OUR_MAC))
        / IP(**{"src": client.ip, "dst": OUR_IP, **fields})
        / UDP(**ports)
        / Raw(payload)
    )
    if options:
        assert len(options) % 4 == 0
        raw = bytes(packet)
        header = bytearray(raw[14:34] + options)
        header[0] = 0x45 + len(options) // 4
        header[2:4] = (int.from_bytes(header[2:4], "big") + len(options)).to_bytes(2, "big")
        return pad(raw[:14] + with_checksum(bytes(header)) + raw[34:])
    return pad(bytes(packet))


def with_checksum(header: bytes) -> bytes:
    header = header[:10] + b"\0\0" + header[12:]
    return header[:10] + checksum(header).to_bytes(2, "big") + header[12:]


def ping(client: Client, payload: bytes, number: int = 1, **fields: Any) -> bytes:
    kind = fields.pop("type", 8)
    return pad(
        bytes(
            Ether(src=client.mac, dst=OUR_MAC)
            / IP(**{"src": client.ip, "dst": OUR_IP, **fields})
            / ICMP(type=kind, id=client.port, seq=number)
            / Raw(payload)
        )
    )


def arp(client: Client, **fields: Any) -> bytes:
    values = {"op": 1, "hwsrc": client.mac, "psrc": client.ip, "pdst": OUR_IP, **fields}
    return pad(bytes(Ether(src=client.mac, dst="ff:ff:ff:ff:ff:ff") / ARP(**values)))


def arp_reply(client: Client) -> bytes:
    body = ARP(op=2, hwsrc=OUR_MAC, psrc=OUR_IP, hwdst=client.mac, pdst=client.ip)
    return pad(bytes(Ether(src=OUR_MAC, dst=client.mac) / body))


def ping_reply(client: Client, payload: bytes, number: int = 1) -> bytes:
    return pad(
        bytes(
            Ether(src=OUR_MAC, dst=client.mac)
            / IP(src=OUR_IP, dst=client.ip, id=0, flags="DF", ttl=64)
            / ICMP(type=0, id=client.port, seq=number)
            / Raw(payload)
        )
    )


def answers(
    client: Client, message: bytes, request_id: int | None, size: int = DATAGRAM
) -> list[bytes]:
    """The frames that must carry a message, `size` bytes of it each; request_id is None without
    memcached's frame header."""
    chunks = [message[i : i + size] for i in range(0, len(message), size)]
    frames = []
    for sequence, chunk in enumerate(chunks):
        if request_id is not None:
            chunk = frame_header(request_id, sequence & 0xFFFF, len(chunks) & 0xFFFF) + chunk
        frames.append(
            pad(
                bytes(
                    Ether(src=OUR_MAC, dst=client.mac)
                    / IP(src=OUR_IP, dst=client.ip, id=0, flags="DF", ttl=64)
                    / UDP(sport=OUR_PORT, dport=client.port)
                    / Raw(chunk)
                )
            )
        )
    return frames


Allow = Sequence[str]  # networks, as in 10.0.0.0/8; none: everybody


def refused(frame: bytes, allow: Allow) -> str:
    """Why the sender of an IPv4 packet is not answered, or nothing."""
    if not is_station(frame[6:12]) or not is_host(frame[26:30]):
        return "drop_source"
    address = IPv4Address(frame[26:30])
    return "drop_denied" if allow and not any(address in IPv4Network(n) for n in allow) else ""


def verdict_of(
    frame: bytes,
    bad: bool,
    header: bool,
    enable: bool = True,
    allow: Allow = (),
    tcp_port: int | None = None,
) -> tuple[str, bytes]:
    """What must become of a frame (a name of VERDICTS), and the request, or the bytes of a segment,
    that it holds. Without a port TCP is a protocol that is not known."""
    ethertype = frame[12:14] if len(frame) >= 14 else b""
    is_ip, is_arp = ethertype == b"\x08\x00", ethertype == b"\x08\x06"
    if not enable:
        return "drop_disabled", b""
    if bad or len(frame) > MAX_FRAME:
        return "drop_bad_frame", b""
    total = int.from_bytes(frame[16:18], "big")
    if (
        len(frame) < 14
        or (is_arp and len(frame) < 42)
        or (is_ip and (len(frame) < 34 or len(frame) < 14 + total))
    ):
        return "drop_runt", b""
    if frame[:6] not in (mac_bytes(OUR_MAC), b"\xff" * 6):
        return "drop_mac", b""
    if is_arp:
        asks = frame[14:22] == bytes.fromhex("0001080006040001")
        if not asks or frame[38:42] != ip_bytes(OUR_IP):
            return "drop_arp", b""
        sender_ip = frame[28:32]
        good = is_station(frame[22:28]) and (sender_ip == bytes(4) or is_host(sender_ip))
        return ("arp_reply" if good else "drop_source"), b""
    if not is_ip:
        return "drop_ethertype", b""
    version, size = frame[14] >> 4, 4 * (frame[14] & 15)
    if version != 4 or size < 20 or total < size or checksum(frame[14 : 14 + size]) != 0:
        return "drop_ip_header", b""
    if frame[30:34] != ip_bytes(OUR_IP):
        return "drop_ip_address", b""
    if int.from_bytes(frame[20:22], "big") & 0x3FFF:
        return "drop_ip_fragment", b""
    body = frame[14 + size : 14 + total]
    if frame[23] == 1:
        good = len(body) >= 8 and body[:2] == b"\x08\0" and checksum(body) == 0
        return (refused(frame, allow) or "icmp_reply") if good else "drop_icmp", b""
    if frame[23] == 6 and tcp_port is not None:
        offset = 4 * (body[12] >> 4) if len(body) > 12 else 0
        if len(body) < 20 or not 20 <= offset <= len(body):
            return "drop_tcp_header", b""
        if tcp_port == 0 or body[2:4] != tcp_port.to_bytes(2, "big"):
            return "drop_tcp_port", b""
        if checksum(frame[26:34] + b"\0\6" + len(body).to_bytes(2, "big") + body) != 0:
            return "drop_tcp_checksum", b""
        if body[:2] == b"\0\0":
            return "drop_source", b""
        if cause := refused(frame, allow):
            return cause, b""
        return "tcp_in", body[offset:]
    if frame[23] != 17:
        return "drop_ip_protocol", b""
    if len(body) >= 8 and body[2:4] != OUR_PORT.to_bytes(2, "big"):
        return "drop_udp_port", b""
    length = int.from_bytes(body[4:6], "big")
    if len(body) < 8 or length > len(body) or length < (17 if header else 9):
        return "drop_udp_length", b""
    pseudo = frame[26:34] + b"\0\x11" + body[4:6]
    if body[6:8] != b"\0\0" and checksum(pseudo + body[:length]) != 0:
        return "drop_udp_checksum", b""
    if header and body[10:14] != b"\0\0\0\x01":
        return "drop_udp_header", b""
    if body[:2] in (b"\0\0", OUR_PORT.to_bytes(2, "big")):
        return "drop_source", b""
    if cause := refused(frame, allow):
        return cause, b""
    return "request_in", body[16 if header else 8 : length]


def allow_fields(allow: Allow) -> dict[str, int]:
    """The access list in net_settings_t; entries that are not needed repeat others."""
    given = [IPv4Network(text) for text in allow] or [EVERYBODY]
    assert len(given) <= ENTRIES
    networks = (given * ENTRIES)[:ENTRIES]

    def joined(words_: list[int]) -> int:
        return sum(word << 32 * i for i, word in enumerate(words_))

    return {
        "allow_network": joined([int(n.network_address) for n in networks]),
        "allow_mask": joined([int(n.netmask) for n in networks]),
    }


class Net:
    """wc_net with a MAC on one side and a pipeline that answers on the other.

    `answer` gives the message to a request; by default there is none, which a message of no bytes
    says. What happened is in `verdicts`, `requests` and `frames`.
    """

    def __init__(self, dut: Any, bench: Bench, header: bool) -> None:
        self.dut, self.bench, self.header = dut, bench, header
        self.lane = int(dut.Lane.value)
        self.contexts = int(dut.Contexts.value)
        self.answer: Callable[[bytes], bytes] = lambda request: b""
        self.answering = True  # else a test does it
        self.verdicts: list[str] = []
        self.verdict_cycles: list[int] = []
        self.frames_counted = 0  # frame_out events
        self.messages_done = 0  # pulses
        self.answered = 0  # pulses
        self.requests: list[bytes] = []
        self.request_cycles: list[int] = []  # of the first word of each
        self.frames: list[bytes] = []
        self.frame_cycles: list[tuple[int, int]] = []  # of its first and its last word
        self.word_delay: Callable[[], int] = lambda: 0
        self.mac_pace = Pace(1.0)
        self.taken = 0  # words of requests
        self.answers_lost = 0  # datagrams
        self.bytes: Counter[str] = Counter()  # of payloads, taken and sent
        self.eights = Counter(dict.fromkeys(BYTE_EVENTS, 0))  # events that count them
        self.sent_cycles: list[int] = []  # when the last word of each frame was at the input
        self._words: deque[tuple[int, int, int, int, int]] = deque()
        self._cycle = 0

    @classmethod
    async def start(
        cls,
        dut: Any,
        header: bool = True,
        willing: float = 1.0,
        enable: bool = True,
        allow: Allow = (),
        tcp_port: int = 0,
    ) -> Self:
        settings = structs.pack(
            "net_settings_t",
            enable=int(enable),
            frame_header=int(header),
            mac=int.from_bytes(mac_bytes(OUR_MAC), "big"),
            ip=int.from_bytes(ip_bytes(OUR_IP), "big"),
            udp_port=OUR_PORT,
            tcp_port=tcp_port,
            **allow_fields(allow),
        )
        inputs = {f"s_axis_t{n}": 0 for n in ("data", "keep", "valid", "last", "user")}
        inputs |= {"settings_i": settings, "m_axis_tready": 0, "word_error_i": 0}
        inputs["aside_asker_i"] = 0
        inputs |= dict.fromkeys(TCP_INPUTS, 0)
        bench = await Bench.start(dut, inputs)
        net = cls(dut, bench, header)
        net.packets = bench.sink("packet", "packet_t", willing)
        net.messages = bench.source("message", "message_t")
        net.words = bench.source("word", None, willing)
        net.asides = bench.source("aside_message", "message_t")
        net.aside_words = bench.source("aside_word", None, willing)
        cocotb.start_soon(net._mac_in())
        cocotb.start_soon(net._mac_out())
        cocotb.start_soon(net._watch())
        cocotb.start_soon(net._pipeline())
        await bench.reset()
        return net

    packets: Any
    messages: Any
    words: Any
    asides: Any
    aside_words: Any

    def send(self, frame: bytes, bad: bool = False, idle: int = 0, gaps: float = 0.0) -> None:
        """Queues a frame for the receive edge: `idle` cycles before it, gaps between words."""
        self._words.extend([(0, 0, 0, 0, 0)] * idle)
        parts = words(frame)
        for i, word in enumerate(parts):
            last = i == len(parts) - 1
            size = len(frame) - 8 * i if last else 8
            if last and size < 8:  # what tkeep leaves out may be anything
                word |= random.getrandbits(64 - 8 * size) << (8 * size)
            self._words.append((1, word, (1 << size) - 1, int(last), int(bad and last)))
            while not last and random.random() < gaps:
                self._words.append((0, 0, 0, 0, 0))

    async def settle(self, frames: int | None = None, limit: int = 100_000) -> None:
        """Returns when each queued frame has a verdict and what follows from it has come out."""
        quiet, seen = 0, None
        edge, packet_valid = RisingEdge(self.dut.clk_i), reader(self.dut.packet_valid_o)
        for _ in range(limit):
            await edge
            state = (
                len(self._words),
                len(self.verdicts),
                len(self.requests),
                len(self.frames),
                self.words.sent,
                self.messages.sent,
                self.taken,
            )
            busy = self._words or self.busy or packet_valid()
            quiet = quiet + 1 if state == seen and not busy else 0
            seen = state
            if quiet > 60 and self.messages.idle and self.words.idle:
                break
        else:
            raise AssertionError("does not come to rest")
        if frames is not None:
            assert len(self.frames) == frames
        assert self.frames_counted == len(self.frames), "frame_out is not one a frame"
        for name in BYTE_EVENTS:
            assert self.eights[name] == self.bytes[name] // 8, name

    busy = False

    # What every cycle needs is looked up once.
    async def _mac_in(self) -> None:
        dut = self.dut
        edge, reset, ready = (
            RisingEdge(dut.clk_i),
            reader(dut.rst_i),
            reader(dut.s_axis_tready),
        )
        tvalid, tdata, tkeep, tlast, tuser = (
            Driven(getattr(dut, f"s_axis_t{name}"))
            for name in ("valid", "data", "keep", "last", "user")
        )
        while True:
            await edge
            assert ready() == 1 or reset()
            if reset():
                continue
            self._cycle += 1
            if not self._words:
                tvalid.set(0)
                continue
            valid, data, keep, last, user = self._words.popleft()
            tvalid.set(valid)
            if valid:
                tdata.set(data)
                tkeep.set(keep)
                tlast.set(last)
                tuser.set(user)
                if last:
                    self.sent_cycles.append(self.bench.cycle())
            else:
                tlast.set(random.getrandbits(1))
                tuser.set(random.getrandbits(1))

    async def _mac_out(self) -> None:
        dut = self.dut
        edge, tready = RisingEdge(dut.clk_i), Driven(dut.m_axis_tready)
        tvalid, tdata, tkeep, tlast = (
            reader(getattr(dut, f"m_axis_t{name}")) for name in ("valid", "data", "keep", "last")
        )
        frame, ready, first = b"", False, 0
        while True:
            await edge
            valid = tvalid()
            assert valid or not frame, "a gap within a frame"
            self.busy = bool(frame)
            if valid and ready:
                if not frame:
                    first = self.bench.cycle()
                keep, last = tkeep(), tlast()
                size = keep.bit_length()
                assert keep == (1 << size) - 1 and (size == 8 or last) and size > 0
                frame += tdata().to_bytes(8, "little")[:size]
                if last:
                    self.frames.append(frame)
                    self.bytes["bytes_out"] += payload_bytes(frame)
                    self.frame_cycles.append((first, self.bench.cycle()))
                    frame = b""
            ready = self.mac_pace()
            tready.set(int(ready))

    async def _watch(self) -> None:
        dut = self.dut
        edge, reset = RisingEdge(dut.clk_i), reader(dut.rst_i)
        message_done, answered, byte_events, events = (
            reader(getattr(dut, f"{name}_o"))
            for name in ("message_done", "answered", "byte_events", "events")
        )
        names = {bit: name for name, bit in BITS.items()}
        while True:
            await edge
            if reset():
                continue
            self.messages_done += message_done()
            self.answered += answered()
            if bits := byte_events():
                for name, bit in structs.unpack("byte_events_t", bits).items():
                    self.eights[name] += bit
            bits = events()
            if bits & BITS["frame_out"]:
                self.frames_counted += 1
                bits &= ~BITS["frame_out"]
            if bits & BITS["answer_lost"]:
                self.answers_lost += 1
                bits &= ~BITS["answer_lost"]
            if not bits:
                continue
            assert bits & BITS["frame_in"], f"an event without a frame: {bits:x}"
            bits &= ~BITS["frame_in"]
            assert bits in names, f"a frame without exactly one verdict: {bits:x}"
            self.verdicts.append(names[bits])
            self.verdict_cycles.append(self.bench.cycle())

    async def _pipeline(self) -> None:
        """Takes requests, checks their words, answers in order."""
        request, number, first = b"", 0, 0
        while True:
            item = await self.packets.get()
            cycle = self.packets.cycles.popleft()
            self.taken += 1
            first = first if request else cycle
            data = item["data"].to_bytes(8, "little")
            assert 1 <= item["bytes"] <= 8 and (item["bytes"] == 8 or item["last"])
            assert not any(data[item["bytes"] :]), "unused bytes are not zero"
            assert item["conn"] == number % self.contexts
            request += data[: item["bytes"]]
            self.bytes["bytes_in"] += item["bytes"]
            if not item["last"]:
                continue
            self.requests.append(request)
            self.request_cycles.append(first)
            if self.answering:
                self.reply(number, self.answer(request))
            number += 1
            request = b""

    def reply(self, number: int, message: bytes, more: bool = False, host: bool = False) -> None:
        self.messages.send(
            {
                "lane": self.lane,
                "conn": number % self.contexts,
                "more": int(more),
                "host": int(host),
                "bytes": len(message),
            }
        )
        self.words.send(*words(message))


def payload_bytes(frame: bytes) -> int:
    """Of UDP; 0 of a frame of another kind."""
    if frame[12:14] != b"\x08\0" or frame[23] != 17:
        return 0
    return int.from_bytes(frame[38:40], "big") - 8


def mutate(frame: bytes) -> bytes:
    """A frame with something wrong, most of the time."""
    data = bytearray(frame)
    kind = random.randrange(8)
    if kind == 0:
        del data[random.randrange(1, len(data) + 1) :]
    elif kind == 1:
        for _ in range(random.randint(1, 3)):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    elif kind == 2:  # a field of a header
        data[random.randrange(min(60, len(data)))] = random.choice((0, 1, 2, 4, 17, 0x45, 0xFF))
    elif kind == 3:
        data += random.randbytes(random.randint(1, 1600))
    elif kind == 4 and len(data) > 34:  # a wrong header under a right checksum
        at = random.choice((14, 15, 16, 17, 20, 21, 23, 26, 26, 26, 29, 30, 31, 32, 33))
        edges = (0, 10, 127, 223, 224, 239, 240, 255)
        data[at] = random.choice(
            (data[at] ^ (1 << random.randrange(8)), random.getrandbits(8), random.choice(edges))
        )
        size = max(20, 4 * (data[14] & 15))
        if len(data) >= 14 + size:
            data[14 : 14 + size] = with_checksum(bytes(data[14 : 14 + size]))
    elif kind == 5 and len(data) > 42:  # lengths, ports, frame header; no UDP checksum
        data[random.choice((36, 37, 38, 39, 42, 43, 44, 45, 46, 47, 48, 49))] = random.choice(
            (0, 1, 8, 9, 16, 17, random.getrandbits(8))
        )
        data[40:42] = b"\0\0"
    elif kind == 6:
        data[random.randrange(7)] ^= 1 << random.randrange(8)
    elif kind == 7 and len(data) > 42:  # who asks
        if random.random() < 0.3:
            data[6:12] = random.choice((bytes(6), b"\xff" * 6, mac_bytes(OUR_MAC)))
        elif random.random() < 0.5:
            data[34:36] = random.choice((b"\0\0", OUR_PORT.to_bytes(2, "big")))
            data[40:42] = b"\0\0"
    return bytes(data)
