# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_rx: header, checksum, options and payload of segments, at the full rate of the wire."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import cocotb
from net_bench import OUR_IP, OUR_MAC, Client, arp, datagram, ping
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from tcp_rx_bench import (
    FIRST,
    LATEST,
    NOTHING,
    OUR_PORT,
    TIMES,
    Receiver,
    filled,
    read_options,
    segment,
)
from wirecache.model.tcp.segment import Flag, Peer, Segment, build, parse
from wirecache.testbench.bench import run

MOST = 1460  # bytes of options and payload
ME = Client()
SYN = int(Flag.SYN)
MSS = b"\x02\x04\x05\xb4"
SCALE = b"\x03\x03\x07"
PERMITTED = b"\x04\x02"


def times(value: int = 0x01020304, echo: int = 0xA1A2A3A4) -> bytes:
    return TIMES + value.to_bytes(4, "big") + echo.to_bytes(4, "big")


def sack(blocks: int) -> bytes:
    return bytes((5, 2 + 8 * blocks)) + random.randbytes(8 * blocks)


def clean(size: int) -> bytes:
    """Well-formed options of so many bytes, each kind once at most."""
    kinds = [MSS, SCALE, PERMITTED, times(random.getrandbits(32)), sack(random.randint(1, 4))]
    random.shuffle(kinds)
    out = b""
    for option in kinds:
        if len(out) + len(option) <= size:
            out += option
    parts = size - len(out)
    return out + random.choice((NOTHING * parts, bytes(parts)))


def wild(size: int) -> bytes:
    """Option bytes of all sorts, mostly such as mean something."""
    out = b""
    while len(out) < size:
        right = [MSS, SCALE, PERMITTED, times(), sack(random.randint(1, 4)), NOTHING]
        kind = random.choice((0, 1, 2, 3, 4, 5, 8, random.getrandbits(8)))
        length = random.choice((0, 1, 2, 3, 4, 10, 18, 26, 34, random.randrange(64), 255))
        out += random.choices(
            (
                random.choice(right),
                bytes((kind, length)) + random.randbytes(max(0, min(length, 64) - 2)),
                bytes((random.randint(6, 7), 2)),
                random.randbytes(random.randint(1, 4)),
            ),
            (6, 3, 2, 1),
        )[0]
    return out[:size]


def flags() -> int:
    return random.choice((SYN, random.getrandbits(6)))


@cocotb.test()
async def all_sizes(dut: Any) -> None:
    """Payloads of 0 to 1,460 bytes behind options of every length, and IP options."""
    rx = await Receiver.start(dut)
    for size in range(MOST + 1):
        quads = random.randint(0, min(10, (MOST - size) // 4))
        ip = random.randint(0, min(10, (MOST - size) // 4 - quads)) * random.randint(0, 1)
        frame = segment(
            Client.random(), random.randbytes(size), clean(4 * quads), bytes(4 * ip), flags=flags()
        )
        pace = random.choice(((0, 0.0), (0, 0.0), (random.randint(0, 9), 0.3)))
        rx.send(frame, *pace)
    await rx.settle()


@cocotb.test()
async def short_payloads(dut: Any) -> None:
    """Each short payload behind each length of options, both alignments, with padding or none."""
    rx = await Receiver.start(dut)
    for gaps in (0.0, 0.4):
        for quads in range(11):
            for size in range(20):
                for ip in (0, 4):
                    padding = random.choice((None, b"", random.randbytes(random.randint(0, 30))))
                    frame = segment(
                        ME,
                        random.randbytes(size),
                        wild(4 * quads),
                        bytes(ip),
                        padding,
                        flags=flags(),
                    )
                    rx.send(frame, random.choice((0, 0, 3)), gaps)
    await rx.settle()


@cocotb.test()
async def as_scapy_reads(dut: Any) -> None:
    """Segments that the model builds are read as the model reads them."""
    rx = await Receiver.start(dut)
    us = Peer(OUR_IP, OUR_PORT)
    sent = []
    for _ in range(300):
        syn = random.random() < 0.5
        some = random.random
        made = Segment(
            seq=random.getrandbits(32),
            flags=Flag(SYN if syn else random.getrandbits(6) & ~SYN),
            ack=random.getrandbits(32),
            window=random.getrandbits(16),
            data=random.randbytes(random.randint(0, 80)),
            mss=random.getrandbits(16) if syn and some() < 0.7 else None,
            scale=random.randint(0, 14) if syn and some() < 0.7 else None,
            sack_permitted=syn and some() < 0.7,
            times=(random.getrandbits(32), random.getrandbits(32)) if some() < 0.7 else None,
            sacks=tuple(
                (random.getrandbits(32), random.getrandbits(32))
                for _ in range(0 if syn else random.randint(0, 3))
            ),
        )
        client = Client.random()
        raw = bytes(build(client.ip, client.port, us, made))
        frame = segment(client)[:14] + raw
        frame += bytes(max(0, 60 - len(frame)))
        peer, read = parse(IP(frame[14:]))
        assert read == made and peer == (client.ip, client.port), "the model itself"
        want = rx.send(frame)
        sent.append((made, want))
    await rx.settle()
    for made, want in sent:
        record = want.record
        assert record is not None
        assert (record["seq"], record["ack"]) == (made.seq, made.ack)
        assert sum(record["flags"][f.name.lower()] * f for f in Flag if f.name) == made.flags
        assert record["window"] == made.window and want.payload == made.data
        options = record["options"]
        assert options.get("mss") == made.mss and options.get("scale") == made.scale
        assert options.get("sack_permitted", False) == made.sack_permitted
        assert options.get("times") == made.times
        assert tuple(options.get("sacks", ())) == made.sacks


# Options, whether with SYN, and what they say: the rules, one by one.
RULES: list[tuple[bytes, bool, dict[str, Any]]] = [
    (MSS, True, {"mss": 1460}),
    (MSS, False, {}),  # only with SYN
    (SCALE, True, {"scale": 7}),
    (SCALE, False, {}),
    (b"\x03\x03\x0e", True, {"scale": 14}),
    (b"\x03\x03\x0f", True, {"scale": 14}),  # RFC 7323, 2.3
    (b"\x03\x03\x80", True, {"scale": 14}),
    (b"\x03\x03\xf0", True, {"scale": 14}),
    (PERMITTED, True, {"sack_permitted": True}),
    (PERMITTED, False, {}),
    (times(7, 9), True, {"times": (7, 9)}),
    (times(7, 9), False, {"times": (7, 9)}),
    (b"\x05\x0a" + b"\0\0\0\x01\0\0\0\x02", False, {"sacks": [(1, 2)]}),
    (b"\x05\x0a" + b"\0\0\0\x01\0\0\0\x02", True, {}),  # not with SYN
    (b"\x05\x02" + MSS, False, {}),  # no block
    (b"\x05\x0b" + bytes(9) + times(7, 9), False, {"times": (7, 9)}),  # not a number of blocks
    (b"\x05\x22" + bytes(32), False, {"sacks": [(0, 0)] * 4}),
    (b"\x05\x2a" + bytes(32), False, {}),  # beyond the header
    (b"\0" + MSS, True, {}),  # behind the end
    (NOTHING * 3 + MSS, True, {"mss": 1460}),
    (b"\xfe\x05abc" + MSS, True, {"mss": 1460}),  # unknown: skipped by its length
    (b"\xfe\x02" + MSS, True, {"mss": 1460}),
    (b"\x06\x00" + MSS, True, {}),  # length 0 and 1: what is behind is not read
    (MSS + b"\x06\x01" + SCALE, True, {"mss": 1460}),  # and what is before counts
    (MSS + b"\x06\x20", True, {"mss": 1460}),  # beyond the header
    (MSS + NOTHING * 3 + b"\x02", True, {"mss": 1460}),  # not even a length
    (b"\x02\x03\x05" + SCALE, True, {"scale": 7}),  # wrong length: skipped as unknown
    (b"\x02\x05\x05\xb4\x00" + SCALE, True, {"scale": 7}),
    (b"\x03\x04\x05\x05" + MSS, True, {"mss": 1460}),
    (b"\x03\x02" + MSS, True, {"mss": 1460}),
    (b"\x04\x03\x00" + MSS, True, {"mss": 1460}),
    (b"\x08\x09" + bytes(7) + MSS, True, {"mss": 1460}),
    (b"\x08\x0b" + bytes(9) + MSS, True, {"mss": 1460}),
    (b"\x02\x04\x00\x01" + MSS, True, {"mss": 1}),  # of two the first counts
    (b"\x03\x03\x01" + SCALE, True, {"scale": 1}),
    (times(1, 2) + times(3, 4), False, {"times": (1, 2)}),
    (b"\x05\x0a" + bytes(8) + b"\x05\x12" + b"\1" * 16, False, {"sacks": [(0, 0)]}),
    (MSS + PERMITTED + times(1, 2) + NOTHING + SCALE, True,
     {"mss": 1460, "sack_permitted": True, "times": (1, 2), "scale": 7}),
]  # fmt: skip


@cocotb.test()
async def option_rules(dut: Any) -> None:
    """Each rule, at each of four places, alone, and with other options behind or not."""
    rx = await Receiver.start(dut)
    for options, syn, said in RULES:
        assert read_options(filled(options), syn) == said, "the bench's own reader"
        for before in range(0, 1 + min(4, 40 - len(filled(options)))):
            for payload in (b"", b"get key\r\n"):
                padded = filled(NOTHING * before + options)
                want = rx.send(segment(ME, payload, padded, flags=SYN if syn else 16))
                assert want.record is not None and want.record["options"] == said
    await rx.settle()


@cocotb.test()
async def ends_of_headers(dut: Any) -> None:
    """Every option at every place, whole, or cut by the header's end; one more option before it."""
    rx = await Receiver.start(dut)
    kinds = [MSS, SCALE, PERMITTED, times(), *(sack(n) for n in range(1, 5)), b"\xfe\x07abcde"]
    for option in kinds:
        for at in range(40):
            for quads in {(at + 1 + 3) // 4, (at + len(option)) // 4, (at + len(option) + 3) // 4}:
                if not 0 < quads <= 10:
                    continue
                pads = random.choice((NOTHING * at, (b"\xfe\x02" * 20)[: at - at % 2]))
                options = (pads + NOTHING * (at - len(pads)) + option + wild(40))[: 4 * quads]
                syn = SYN if option[0] != 5 else 16
                rx.send(segment(ME, random.randbytes(random.choice((0, 9))), options, flags=syn))
    await rx.settle()


@cocotb.test()
async def wild_options(dut: Any) -> None:
    """Option bytes at random, back to back and not."""
    rx = await Receiver.start(dut)
    for _ in range(3000):
        options = wild(4 * random.choice((10, 10, random.randint(0, 10))))
        payload = random.randbytes(random.choice((0, 0, random.randint(0, 40))))
        ip = bytes(random.choice((0, 0, 4, 40)))
        gaps = random.choice((0.0, 0.0, 0.0, 0.3))
        rx.send(segment(ME, payload, options, ip, b"", flags=flags()), 0, gaps)
    await rx.settle()


def worst() -> Iterator[bytes]:
    """Headers whose options are the most work for a reader."""
    yield NOTHING * 40
    yield b"\xfe\x02" * 20
    yield b"\xfe\x03x" * 13 + NOTHING
    yield NOTHING + b"\xfe\x02" * 19 + NOTHING
    yield (SCALE + PERMITTED) * 8
    yield NOTHING * 36 + MSS
    yield NOTHING * 30 + times()
    yield NOTHING * 6 + sack(4)
    yield sack(4) + PERMITTED * 3
    yield bytes(40)
    yield times() * 4


@cocotb.test()
async def full_rate(dut: Any) -> None:
    """Bursts of the worst headers, with no gap at all: each frame takes its own words. On the wire
    such a frame has 14.75 cycles, here it has 12."""
    rx = await Receiver.start(dut)
    for options in worst():
        for _ in range(40):
            rx.send(segment(ME, b"", options, flags=flags()))
        check_rate(await rx.settle())
    for _ in range(400):
        options = random.choice((*worst(), b"", wild(40), clean(4 * random.randint(0, 3))))
        rx.send(segment(ME, random.randbytes(random.choice((0, 0, 6, 7))), options, flags=flags()))
    check_rate(await rx.settle())
    # The smallest frames, without padding too: 54 bytes are 7 words.
    for padding in (None, b""):
        for _ in range(60):
            options = random.choice((b"", b"", wild(4), wild(40)))
            rx.send(segment(ME, b"", options, b"", padding, flags=flags()))
        check_rate(await rx.settle())


def check_rate(frames: list[Any]) -> None:
    ends = [frame.end for frame in frames]
    sizes = [(len(frame.frame) + 7) // 8 for frame in frames]
    assert [b - a for a, b in pairwise(ends)] == sizes[1:]
    assert all(frame.record_cycle >= FIRST for frame in frames)


@cocotb.test()
async def latency(dut: Any) -> None:
    """A record comes with the verdict, in cycle 4, when no options are left to be read then. With
    a payload of five words they never are; the longest without one take until cycle 10."""
    rx = await Receiver.start(dut)
    seen = {}
    for quads in range(11):
        for size in (0, 48):
            payload = random.randbytes(size)
            options = NOTHING * 4 * quads
            seen[quads, size] = rx.send(segment(ME, payload, options, b"", b""), 30)
    await rx.settle()
    assert [seen[quads, 48].record_cycle for quads in range(11)] == [FIRST] * 11
    bare = [seen[quads, 0].record_cycle for quads in range(11)]
    assert bare == [4, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10], bare
    assert bare[-1] == LATEST


@cocotb.test()
async def wrong_checksums(dut: Any) -> None:
    """Every bit of segments, of their addresses and of their length counts."""
    rx = await Receiver.start(dut)
    for payload, quads in ((b"", 0), (b"get k\r\n", 3), (random.randbytes(16), 1)):
        good = segment(ME, payload, wild(4 * quads))
        assert rx.send(good).sum_ok
        stop = 34 + 20 + 4 * quads + len(payload)
        for byte in (*range(26, 34), *range(34, stop)):
            for bit in range(8):
                frame = bytearray(good)
                frame[byte] ^= 1 << bit
                assert not rx.send(bytes(frame)).sum_ok
        shorter = int.from_bytes(good[16:18], "big") - 2
        assert not rx.send(segment(ME, payload + b"\1\1", wild(4 * quads), total=shorter)).sum_ok
        assert not rx.send(segment(ME, payload, wild(4 * quads), chksum=0)).sum_ok
        # Two fields that change places leave the sum as it is.
        assert rx.send(good[:38] + good[40:42] + good[38:40] + good[42:]).sum_ok
    for _ in range(200):
        assert rx.send(segment(Client.random(), random.randbytes(random.randint(0, 90)))).sum_ok
    await rx.settle()


@cocotb.test()
async def short_segments(dut: Any) -> None:
    """IP packets of every length up to a long header's, with every data offset."""
    rx = await Receiver.start(dut)
    for offset in range(16):
        for size in range(64):
            ip = random.choice((0, 4, 8))
            frame = segment(
                ME, bytes(44), b"", bytes(ip), dataofs=offset, total=20 + ip + size,
            )  # fmt: skip
            want = rx.send(frame, random.choice((0, 0, 2)))
            assert want.short == (size < 20 or not 5 <= offset <= size // 4)
    await rx.settle()


@cocotb.test()
async def ports(dut: Any) -> None:
    """Another port is a finding, one at a time; our own number is a good source, 0 is not."""
    rx = await Receiver.start(dut)
    for bit in range(16):
        assert rx.send(segment(ME, b"", dport=OUR_PORT ^ 1 << bit)).port_bad
        assert not rx.send(segment(ME, b"", sport=1 << bit)).source_bad
    assert not rx.send(segment(ME, b"", sport=OUR_PORT)).source_bad
    assert rx.send(segment(ME, b"", sport=0)).source_bad
    assert not rx.send(segment(ME, b"")).source_bad
    await rx.settle()


@cocotb.test()
async def among_others(dut: Any) -> None:
    """Frames of other kinds, of one word and more, and segments that the frame's end cuts: each may
    be followed by a good segment at once."""
    rx = await Receiver.start(dut)
    for _ in range(2000):
        good = segment(
            Client.random(), random.randbytes(random.randint(0, 30)),
            wild(4 * random.randint(0, 10)), flags=flags(),
        )  # fmt: skip
        other = random.choice(
            (
                good,
                good,
                arp(ME),
                ping(ME, random.randbytes(random.randint(0, 60))),
                datagram(ME, random.randbytes(random.randint(0, 60))),
                random.randbytes(random.randint(1, 70)),
                good[: random.randint(1, len(good))],
            )
        )
        rx.send(other, random.choice((0, 0, 0, random.randint(0, 9))), random.choice((0, 0, 0.3)))
    await rx.settle()


def test_segments_as_scapy_makes_them() -> None:
    for _ in range(300):
        given: dict[str, Any] = {
            "sport": random.getrandbits(16),
            "dport": random.getrandbits(16),
            "dataofs": random.getrandbits(4),
            "seq": random.getrandbits(32),
            "ack": random.getrandbits(32),
            "window": random.getrandbits(16),
            "flags": random.getrandbits(8),
        }
        if random.random() < 0.3:
            given["chksum"] = random.getrandbits(16)
        client = Client.random()
        rest = random.randbytes(4 * random.randint(0, 10)), random.randbytes(random.randint(0, 99))
        made = segment(client, rest[1], rest[0], b"", b"", **given)
        wanted = Ether(src=client.mac, dst=OUR_MAC) / IP(src=client.ip, dst=OUR_IP) / TCP(**given)
        assert made == bytes(wanted / Raw(b"".join(rest)))


def test_wc_tcp_rx() -> None:
    wrapper = Path(__file__).parent / "wc_tcp_rx_tb.sv"
    run("wc_tcp_rx_tb", __file__, extra_sources=[wrapper], core="tcp")
