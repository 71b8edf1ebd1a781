# SPDX-License-Identifier: Apache-2.0
"""Frames with TCP for the benches of its receive side, what must become of each, and the MAC.

What a frame must become is read from its bytes, by the rules of RFC 9293, 7323 and 2018, one byte
after the other: scapy does not say what a malformed option is to become.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from struct import Struct
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from net_bench import OUR_IP, OUR_MAC, Client, ip_bytes, mac_bytes, pad, with_checksum
from scapy.utils import checksum
from wirecache.circuit import structs
from wirecache.model.tcp.segment import Flag
from wirecache.testbench.bench import Bench, words
from wirecache.testbench.cycle import every_cycle, value_of

OUR_PORT = 11211
FIRST, LATEST = 4, 10  # cycles behind a frame's end in which its record comes
LAST_WORD = 2  # and the last word of its payload, at the latest
FINDINGS, SUM = 1, 3  # when the findings are looked at
FLAGS = list(Flag)
_IP, _TCP = Struct(">BBHHHBBH8s").pack, Struct(">HHIIBBHHH").pack
NOTHING, TIMES = b"\x01", b"\x08\x0a"  # kind and, for the second, length


def segment(
    client: Client,
    payload: bytes = b"",
    options: bytes = b"",
    ip_options: bytes = b"",
    padding: bytes | None = None,
    total: int | None = None,
    **fields: int,
) -> bytes:
    """A frame with a TCP segment to us. `options` are the bytes of the header behind the 20,
    `total` is what IP says of its length, if not the truth; other fields are those of TCP, by
    scapy's names. Scapy makes the same (test_segments_as_scapy_makes_them), but half of a bench's
    time went there."""
    assert len(options) % 4 == 0 and len(ip_options) % 4 == 0
    header = {
        "sport": client.port,
        "dport": OUR_PORT,
        "dataofs": 5 + len(options) // 4,
        "seq": random.getrandbits(32),
        "ack": random.getrandbits(32),
        "window": random.getrandbits(16),
        "flags": int(Flag.ACK),
        "chksum": 0,
        **fields,
    }
    addresses = ip_bytes(client.ip) + ip_bytes(OUR_IP)
    order = ("sport", "dport", "seq", "ack", "dataofs", "flags", "window", "chksum")
    assert len(header) == len(order), fields
    row = [header[name] for name in order]
    row[4] <<= 4  # beside what is reserved
    tcp = _TCP(*row, 0) + options + payload
    if "chksum" not in fields:
        pseudo = addresses + b"\0\x06" + len(tcp).to_bytes(2, "big")
        tcp = tcp[:16] + checksum(pseudo + tcp).to_bytes(2, "big") + tcp[18:]
    size = 20 + len(ip_options) + len(tcp) if total is None else total
    first = 0x45 + len(ip_options) // 4
    ip = with_checksum(_IP(first, 0, size, 1, 0, 64, 6, 0, addresses) + ip_options)
    frame = mac_bytes(OUR_MAC) + mac_bytes(client.mac) + b"\x08\0" + ip + tcp
    return frame + padding if padding is not None else pad(frame)


def filled(options: bytes, last: bytes = b"\0") -> bytes:
    """Options, filled up to whole quads."""
    return options + last * (-len(options) % 4)


def read_options(data: bytes, syn: bool) -> dict[str, Any]:
    """What the options say, as fields of options_t; what is not given is left out."""
    found: dict[str, Any] = {}
    at = 0
    while at < len(data):
        kind = data[at]
        if kind == 0:
            break
        if kind == 1:
            at += 1
            continue
        if at + 1 == len(data):
            break
        size = data[at + 1]
        if size < 2 or at + size > len(data):
            break
        value = data[at + 2 : at + size]
        at += size
        if kind == 2 and size == 4 and syn:
            found.setdefault("mss", int.from_bytes(value, "big"))
        if kind == 3 and size == 3 and syn:
            found.setdefault("scale", min(value[0], 14))
        if kind == 4 and size == 2 and syn:
            found["sack_permitted"] = True
        if kind == 8 and size == 10:
            times = int.from_bytes(value[:4], "big"), int.from_bytes(value[4:], "big")
            found.setdefault("times", times)
        if kind == 5 and size in (10, 18, 26, 34) and not syn:
            edges = [int.from_bytes(value[i : i + 4], "big") for i in range(0, size - 2, 4)]
            found.setdefault("sacks", list(zip(edges[::2], edges[1::2], strict=True)))
    return found


def shown_options(options: dict[str, int]) -> dict[str, Any]:
    """The same of an options_t."""
    found: dict[str, Any] = {}
    if options["mss_given"]:
        found["mss"] = options["mss"]
    if options["scale_given"]:
        found["scale"] = options["scale"]
    if options["sack_permitted"]:
        found["sack_permitted"] = True
    if options["times_given"]:
        found["times"] = options["time_value"], options["time_echo"]
    if options["sacks"]:
        blocks = [options["sack"] >> 64 * i for i in range(options["sacks"])]
        found["sacks"] = [(x >> 32 & 0xFFFFFFFF, x & 0xFFFFFFFF) for x in blocks]
    return found


@dataclass(eq=False)
class Expected:
    """What must become of a frame. `known` is false of one that is shorter than its IP header says:
    it is dropped by its length, so what a record or a payload of it would hold is not looked at."""

    frame: bytes
    tcp: bool = False
    known: bool = True
    short: bool = False
    port_bad: bool = False
    source_bad: bool = False
    sum_ok: bool = False
    record: dict[str, Any] | None = None
    payload: bytes = b""
    end: int = -1  # the cycle
    record_cycle: int = -1


def expect(frame: bytes) -> Expected:
    want = Expected(frame)
    if frame[12:14] != b"\x08\0" or len(frame) < 34 or frame[23] != 6:
        return want
    start, stop = 14 + 4 * (frame[14] & 15), 14 + int.from_bytes(frame[16:18], "big")
    want.tcp = True
    want.known = start <= stop <= len(frame) and frame[14] >= 0x45
    body = frame[start:stop]
    offset = 4 * (body[12] >> 4) if len(body) > 12 else 0
    want.short = len(body) < 20 or not 20 <= offset <= len(body)
    if not want.known:
        # The rest of the last word may be anything, and counts as if it had come.
        stated = stop - start
        whole = len(body) > 12 and 20 <= offset <= stated
        if whole and (len(frame) + 7) // 8 >= start // 8 + (offset + 7) // 8:
            want.record = {}
    if not want.known or len(body) < 20:
        return want
    want.port_bad = body[2:4] != OUR_PORT.to_bytes(2, "big")
    want.source_bad = body[:2] == b"\0\0"
    pseudo = frame[26:34] + b"\0\x06" + len(body).to_bytes(2, "big")
    want.sum_ok = checksum(pseudo + body) == 0
    if want.short:
        return want
    want.payload = body[offset:]
    flags = {f.name.lower(): int(bool(body[13] & f)) for f in FLAGS if f.name}
    want.record = {
        "station": {
            "mac": int.from_bytes(frame[6:12], "little"),
            "ip": int.from_bytes(frame[26:30], "little"),
        },
        "port": int.from_bytes(body[:2], "little"),
        "seq": int.from_bytes(body[4:8], "big"),
        "ack": int.from_bytes(body[8:12], "big"),
        "flags": flags,
        "window": int.from_bytes(body[14:16], "big"),
        "bytes": len(want.payload),
        "options": read_options(body[20:offset], bool(flags["syn"])),
    }
    return want


@dataclass
class Receiver:
    """wc_tcp_rx_tb with a MAC before it. Each frame is checked when the next ones have come."""

    dut: Any
    bench: Bench
    frames: list[Expected] = field(default_factory=list)
    cycle: int = 0

    @classmethod
    async def start(cls, dut: Any) -> Receiver:
        us = structs.pack(
            "wc_net_pkg::station_t",
            mac=int.from_bytes(mac_bytes(OUR_MAC), "little"),
            ip=int.from_bytes(ip_bytes(OUR_IP), "little"),
        )
        inputs = {f"s_axis_t{n}": 0 for n in ("data", "keep", "valid", "last")}
        inputs |= {"us_i": us, "our_port_i": int.from_bytes(OUR_PORT.to_bytes(2, "big"), "little")}
        receiver = cls(dut, await Bench.start(dut, inputs))
        await receiver.bench.reset()
        every_cycle(dut.clk_i, receiver._step)
        return receiver

    def __post_init__(self) -> None:
        self._words: deque[tuple[int, int, int, int]] = deque()
        self._ended = 0  # frames whose end has come
        self._looks: deque[tuple[int, Expected, str]] = deque()
        self._records: list[tuple[int, int]] = []
        self._payloads: list[tuple[int, bytes]] = []  # with the last word's cycle
        self._payload = b""

    def send(self, frame: bytes, idle: int = 0, gaps: float = 0.0) -> Expected:
        """Queues a frame: `idle` cycles before it, gaps between its words."""
        self._words.extend([(0, 0, 0, 0)] * idle)
        parts = words(frame)
        for i, word in enumerate(parts):
            size = min(8, len(frame) - 8 * i)
            if size < 8:  # what tkeep leaves out may be anything
                word |= random.getrandbits(64 - 8 * size) << (8 * size)
            self._words.append((1, word, (1 << size) - 1, int(i == len(parts) - 1)))
            while i < len(parts) - 1 and random.random() < gaps:
                self._words.append((0, 0, 0, 0))
        self.frames.append(expect(frame))
        return self.frames[-1]

    def _step(self) -> None:
        dut = self.dut
        self.cycle += 1
        valid, data, keep, last = self._words.popleft() if self._words else (0, 0, 0, 0)
        dut.s_axis_tvalid.value = valid
        if valid:
            dut.s_axis_tdata.value = data
            dut.s_axis_tkeep.value = keep
            dut.s_axis_tlast.value = last
        if value_of(dut.end_o):
            frame = self.frames[self._ended]
            self._ended += 1
            frame.end = self.cycle
            if not frame.known:
                self._looks.append((self.cycle + LAST_WORD + 1, frame, "forget"))
            if frame.tcp and frame.known:
                self._looks.append((self.cycle + FINDINGS, frame, "findings"))
                self._looks.append((self.cycle + SUM, frame, "sum"))
        for look in [look for look in self._looks if look[0] == self.cycle]:
            self._looks.remove(look)
            self._look(look[1], look[2])
        if value_of(dut.payload_valid_o):
            payload = structs.unpack("wc_net_pkg::payload_t", value_of(dut.payload_o))
            size, word = payload["bytes"], payload["word"].to_bytes(8, "little")
            assert 1 <= size <= 8 and (size == 8 or payload["last"])
            assert not any(word[size:]), "unused bytes are not zero"
            self._payload += word[:size]
            if payload["last"]:
                self._payloads.append((self.cycle, self._payload))
                self._payload = b""
        if value_of(dut.segment_valid_o):
            self._records.append((self.cycle, value_of(dut.segment_o)))

    def _look(self, frame: Expected, what: str) -> None:
        dut = self.dut
        if what == "forget":
            at = self.frames.index(frame)
            since = self.frames[at - 1].end + LAST_WORD if at else 0
            self._payloads = [payload for payload in self._payloads if payload[0] <= since]
            self._payload = b""
            return
        if what == "sum":
            # Only what is not dropped for its length needs a sum.
            assert frame.short or value_of(dut.sum_ok_o) == frame.sum_ok, frame.frame.hex()
            return
        assert value_of(dut.tcp_o)
        assert value_of(dut.short_bad_o) == frame.short, frame.frame.hex()
        assert value_of(dut.port_bad_o) == frame.port_bad, frame.frame.hex()
        if not frame.short:
            assert value_of(dut.source_bad_o) == frame.source_bad, frame.frame.hex()

    async def settle(self) -> list[Expected]:
        """Waits for all that was sent, and checks records and payloads; gives the frames."""
        while self._words or self._ended < len(self.frames):
            await RisingEdge(self.dut.clk_i)
        for _ in range(20):
            await RisingEdge(self.dut.clk_i)
        records, payloads = iter(self._records), iter(self._payloads)
        for frame in self.frames:
            if frame.record is not None:
                cycle, bits = next(records, (0, 0))
                assert cycle, f"no record: {frame.frame.hex()}"
                frame.record_cycle = cycle - frame.end
                assert FIRST <= frame.record_cycle <= LATEST, frame.record_cycle
                if not frame.known:
                    continue
                record = structs.unpack("wc_tcp_pkg::segment_t", bits)
                record["options"] = shown_options(record["options"])
                assert record == frame.record, frame.frame.hex()
            if frame.payload:
                cycle, data = next(payloads, (0, b""))
                assert data == frame.payload, frame.frame.hex()
                assert cycle - frame.end <= LAST_WORD
        assert next(records, None) is None, "a record of no frame"
        assert next(payloads, None) is None and not self._payload, "a payload of no frame"
        done = self.frames
        self.frames, self._ended = [], 0
        self._records, self._payloads = [], []
        cocotb.log.info("%d frames", len(done))
        return done
