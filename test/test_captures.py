# SPDX-License-Identifier: Apache-2.0
"""Capture files that other programs write: pcapng, compressed, cut, spoiled."""

from __future__ import annotations

import gzip
import random
import struct
from collections.abc import Callable
from functools import reduce
from pathlib import Path

import pytest
from scapy.layers.l2 import Ether
from scapy.utils import RawPcapNgWriter
from wirecache.traffic import frames

BEGIN = 1_750_000_000_123_456_000
SENT = [(BEGIN + 1000 * i, frames.request(b"get key%d\r\n" % i, i)) for i in range(20)]


def block(kind: int, body: bytes, order: str = "<") -> bytes:
    """A block of a pcapng file."""
    length = struct.pack(order + "I", 12 + len(body) + -len(body) % 4)
    return struct.pack(order + "I", kind) + length + body + bytes(-len(body) % 4) + length


def pcapng(
    timed_frames: list[tuple[int, bytes]],
    *,
    link: int = 1,
    order: str = "<",
    exponent: int = 9,
    cut: int | None = None,
) -> bytes:
    """A pcapng file, written from the specification: time stamps in 10^-exponent seconds."""
    section = struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1)
    resolution = struct.pack(order + "HHB3xHH", 9, 1, exponent, 0, 0)
    interface = struct.pack(order + "HHI", link, 0, cut or 0) + resolution
    parts = [block(0x0A0D0D0A, section, order), block(1, interface, order)]
    for time_ns, frame in timed_frames:
        time = time_ns // 10 ** (9 - exponent)
        kept = frame[:cut]
        head = struct.pack(order + "5I", 0, time >> 32, time & 0xFFFFFFFF, len(kept), len(frame))
        parts.append(block(6, head + kept, order))
    parts.append(block(5, struct.pack(order + "III", 0, 0, 0), order))  # statistics
    return b"".join(parts)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("exponent", [6, 9])
def test_pcapng(tmp_path: Path, order: str, exponent: int) -> None:
    file = tmp_path / "in.pcapng"
    file.write_bytes(pcapng(SENT, order=order, exponent=exponent))
    plain = frames.as_plain_pcap(file)
    assert plain != file
    assert plain.read_bytes()[:4] == b"\x4d\x3c\xb2\xa1"  # what the board reads
    assert list(frames.read_pcap(plain)) == SENT


def test_pcapng_as_scapy_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "in.pcapng"
    with RawPcapNgWriter(str(file)) as writer:
        for time_ns, frame in SENT:
            packet = Ether(frame)
            packet.time = time_ns / 1e9
            writer.write(packet)
    read = list(frames.read_pcap(frames.as_plain_pcap(file)))
    assert [frame for _, frame in read] == [frame for _, frame in SENT]
    assert all(abs(got - put) < 2000 for (got, _), (put, _) in zip(read, SENT, strict=True))


def as_pcap(timed_frames: list[tuple[int, bytes]], folder: Path) -> bytes:
    frames.write_pcap(folder / "made.pcap", timed_frames)
    return (folder / "made.pcap").read_bytes()


def test_compressed(tmp_path: Path) -> None:
    file = tmp_path / "in.gz"
    for data in (pcapng(SENT), as_pcap(SENT, tmp_path)):
        for packed in (gzip.compress(data), gzip.compress(gzip.compress(data))):
            file.write_bytes(packed)
            plain = frames.as_plain_pcap(file)
            assert list(frames.read_pcap(plain)) == SENT
            assert plain.read_bytes()[:2] != b"\x1f\x8b"  # the board unpacks nothing


def test_a_pcap_file_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "in.pcap"
    file.write_bytes(as_pcap(SENT, tmp_path))
    assert frames.as_plain_pcap(file) == file
    assert list(frames.read_pcap(file)) == SENT


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda: pcapng(SENT, cut=40), "frame 1 was cut to 40 of its 60 bytes"),
        (lambda: pcapng(SENT, link=101), "not Ethernet"),
        (lambda: pcapng(SENT)[:-50], "too short"),
        (lambda: pcapng(SENT)[:6], "PcapNg: "),
        (lambda: pcapng([(1 << 62, bytes(60))]), "frame 1 is of a time"),
        (lambda: gzip.compress(pcapng(SENT))[:-20], "gzip: Compressed file ended"),
        (lambda: gzip.compress(b"nonsense" * 100)[:30] + bytes(30), "gzip: "),
        (lambda: reduce(lambda data, _: gzip.compress(data), range(5), b""), "more than 4 times"),
    ],
    ids=["cut", "link", "short", "shorter", "time", "gzip cut", "gzip spoiled", "gzip deep"],
)
def test_what_cannot_be_read(tmp_path: Path, spoil: Callable[[], bytes], says: str) -> None:
    file = tmp_path / "in.pcapng"
    file.write_bytes(spoil())
    with pytest.raises(frames.CaptureError, match=says):
        list(frames.read_pcap(frames.as_plain_pcap(file)))


def test_spoiled_bytes_are_told_or_do_no_harm(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    file = tmp_path / "in.pcapng"
    told = 0
    for _ in range(300):
        data = bytearray(pcapng(SENT))
        for _ in range(draw.randint(1, 4)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        file.write_bytes(data)
        try:
            list(frames.read_pcap(frames.as_plain_pcap(file)))
        except frames.CaptureError:
            told += 1
    assert told > 20  # most bytes are those of frames, which may be anything
