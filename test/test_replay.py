# SPDX-License-Identifier: Apache-2.0
"""`wirecache replay`: pace of the wire, time stamps, figures, and its errors."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from scapy.layers.l2 import Ether
from scapy.utils import RawPcapNgWriter
from wirecache import ROOT
from wirecache.board import build as board
from wirecache.circuit import registers
from wirecache.circuit.config import parse
from wirecache.model import binary
from wirecache.traffic import frames
from wirecache.traffic import requests as traffic

CYCLE_NS = 6.4
START = 1_750_000_000 * 10**9
LAUNCHER = [sys.executable, str(ROOT / "wirecache"), "replay"]


def play(
    folder: Path, asked: Sequence[tuple[int, bytes]], *options: str
) -> tuple[list[tuple[int, bytes]], dict[str, Any]]:
    """The frames that came out with their times, and the figures."""
    board.build()
    source, sink, figures = (folder / name for name in ("in.pcap", "out.pcap", "figures.json"))
    frames.write_pcap(source, asked)
    done = subprocess.run(
        [*LAUNCHER, str(source), str(sink), "--json", str(figures), *options],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return list(frames.read_pcap(sink)), json.loads(figures.read_text())


def refused(*arguments: str) -> str:
    """The one line it says when it does not start, with exit status 2."""
    board.build()
    done = subprocess.run([*LAUNCHER, *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("wirecache: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def gets(count: int, frame_header: bool = True) -> list[tuple[int, bytes]]:
    """Binary GETs of six-byte keys."""
    data = (traffic.binary_request(binary.GET, b"%06d" % (i % 64)) for i in range(count))
    return [(0, frames.request(d, i, frame_header=frame_header)) for i, d in enumerate(data)]


def sets(frame_header: bool = True) -> list[tuple[int, bytes]]:
    """Those keys, with values of one byte."""
    data = (traffic.binary_set(b"%06d" % i, b"v") for i in range(64))
    return [(0, frames.request(d, i, frame_header=frame_header)) for i, d in enumerate(data)]


@pytest.mark.parametrize(("frame_header", "cycles"), [(True, 13), (False, 12)])
def test_gets_at_line_rate(tmp_path: Path, frame_header: bool, cycles: int) -> None:
    count = 2000
    asked = sets(frame_header) + gets(count, frame_header)
    assert frames.wire_bytes(asked[-1][1]) == cycles * 8
    sent, figures = play(
        tmp_path, asked, "--rate", "10G", *([] if frame_header else ["--no-frame-header"])
    )
    assert figures["frames_in"] == figures["frames_out"] == len(asked) == len(sent)
    assert figures["dropped"] == 0
    assert figures["hits"] == count
    answers = [at for at, _ in sent[64:]]
    spent = (answers[-1] - answers[0]) / CYCLE_NS / (count - 1)
    assert spent == pytest.approx(max(cycles, frames.wire_bytes(sent[-1][1]) / 8), abs=0.05)


def test_figures(tmp_path: Path) -> None:
    asked = [*sets(), *gets(100), (0, frames.request(b"nonsense\r\n", 7)), (0, bytes(70))]
    sent, figures = play(tmp_path, asked)
    assert len(sent) == figures["frames_out"] == 165
    assert figures["frames_in"] == 166
    assert figures["drops"]["mac"] == figures["dropped"] == 1
    assert figures["operations"] == 165
    blocks = (block for block in registers.BLOCKS if block.index in (None, "IndexItem"))
    assert set(figures["counters"]) == set().union(*map(registers.counters, blocks))
    assert figures["counters"]["set"] == 64
    assert figures["counters"]["get"] == figures["counters"]["get_hit"] == figures["hits"] == 100
    assert figures["counters"]["error"] == 1
    inward, outward = figures["in"], figures["out"]
    assert inward["wire_bytes"] == sum(frames.wire_bytes(frame) for _, frame in asked)
    assert outward["wire_bytes"] == sum(frames.wire_bytes(frame) for _, frame in sent)
    last = max(inward["last_cycle"], outward["last_cycle"])
    assert figures["cycles"] == last + 1 - inward["first_cycle"]
    assert figures["cycles_per_operation"] == pytest.approx(figures["cycles"] / 165, rel=1e-4)
    assert figures["operations_per_second"] == pytest.approx(
        165 * 156.25e6 / figures["cycles"], rel=1e-4
    )
    assert figures["transmit_gaps"] == 0
    assert figures["bad_pointers"] == 0
    assert figures["simulated_cycles"] >= figures["cycles"]
    assert figures["simulated_cycles_per_second"] > 0


def test_the_same_every_time(tmp_path: Path) -> None:
    first, figures = play(tmp_path, sets() + gets(100))
    again, others = play(tmp_path, sets() + gets(100))
    assert first == again
    assert figures["cycles"] == others["cycles"]


def test_rate_spaces_frames(tmp_path: Path) -> None:
    asked = gets(100)
    _, full = play(tmp_path, asked)
    _, tenth = play(tmp_path, asked, "--rate", "1G")
    spans = [f["in"]["last_cycle"] - f["in"]["first_cycle"] for f in (full, tenth)]
    assert spans[0] == pytest.approx(99 * 13 + 10, abs=1)
    assert spans[1] == pytest.approx(99 * 130 + 10, abs=1)


def test_as_captured_keeps_the_times(tmp_path: Path) -> None:
    begin = 1_750_000_000_123_456_789
    offsets = (0, 1_000_000, 1_001_000, 30_000_000_000, 3_600_000_000_000)
    asked = [(begin + at, frame) for at, (_, frame) in zip(offsets, gets(5), strict=True)]
    # A DRAM would make some wait for a refresh.
    sent, figures = play(tmp_path, asked, "--as-captured", "--memory-timing", "fixed")
    delays = [got - put for (got, _), (put, _) in zip(sent, asked, strict=True)]
    assert all(0 < delay < 2000 for delay in delays), delays
    assert max(delays) - min(delays) < 100
    assert figures["simulated_cycles"] < 1_000_000  # nothing happens in between


def test_time_passes_as_captured(tmp_path: Path) -> None:
    begin = 1_750_000_000 * 10**9
    store = frames.request(b"set key 0 10 1\r\n1\r\n", 1)
    ask = frames.request(b"get key\r\n", 2)
    asked = [(begin, store), (begin + 9 * 10**9, ask), (begin + 11 * 10**9, ask)]
    sent, figures = play(tmp_path, asked, "--as-captured")
    assert len(sent) == 3
    assert figures["hits"] == 1


def test_decades_pass_as_captured(tmp_path: Path) -> None:
    store = frames.request(b"set key 0 0 1\r\n1\r\n", 1)
    ask = frames.request(b"get key\r\n", 2)
    # Between the last two, cycles times what makes clocks of them go beyond 64 bits.
    asked = [(0, store), (600_000_000 * 10**9, ask), (620_000_000 * 10**9, ask)]
    sent, figures = play(tmp_path, asked, "--as-captured")
    assert len(sent) == 3
    assert figures["hits"] == 2


def test_time_stamps_begin_at_the_given_time(tmp_path: Path) -> None:
    sent, _ = play(tmp_path, gets(1), "--time", "1234567890")
    assert 0 < sent[0][0] - 1_234_567_890 * 10**9 < 2000


def test_memory_latency_shows(tmp_path: Path) -> None:
    near, _ = play(tmp_path, gets(1), "--memory-latency", "10")
    far, _ = play(tmp_path, gets(1), "--memory-latency", "110")
    assert far[0][0] - near[0][0] == pytest.approx(100 * CYCLE_NS, abs=CYCLE_NS)


def test_a_session_refuses_to_send_nothing_a_second(tmp_path: Path) -> None:
    board.build()
    frames.write_pcap(tmp_path / "in.pcap", gets(1))
    about = {"in": tmp_path / "in.pcap", "frame-header": 1, "rate": 0, "time": 1, "second": 1}
    line = "\t".join(f"--{name}\t{value}" for name, value in about.items())
    empty = ("traffic", "out", "record", "host-pause")
    line += "".join(f"\t--{name}\t" for name in empty) + "\t--audit\t0\t--raw-tcp\t1"
    done = subprocess.run(
        [*LAUNCHER[:2], "session", "--memory", "64M"],
        input=line + "\n",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.strip() == "wirecache: --rate is at least 1 bit a second"


def test_an_empty_capture(tmp_path: Path) -> None:
    sent, figures = play(tmp_path, [])
    assert sent == []
    assert figures["frames_in"] == figures["cycles"] == 0


@pytest.mark.parametrize("classes", ["1K", "64,1K", "64,128,1K"])
def test_one_to_three_classes(tmp_path: Path, classes: str) -> None:
    board.build(config=parse("bucket"))
    values = (b"", bytes(64), bytes(65), bytes(1000), bytes(1025))
    stored = [traffic.binary_set(b"key%d" % i, value) for i, value in enumerate(values)]
    looked = [traffic.binary_request(binary.GET, b"key%d" % i) for i in range(len(values))]
    asked = [(0, frames.request(data, 0)) for data in stored + looked]
    _, figures = play(tmp_path, asked, "--config", "bucket", "--classes", classes, "--audit")
    assert figures["hits"] == 4
    assert figures["counters"]["set_no_block"] == 1  # the last is too large for all of them
    audit = figures["audit"]
    count = classes.count(",") + 1
    assert [audit[f"class_{c}"]["table"] for c in range(3)] == {
        1: [4, 0, 0],
        2: [2, 2, 0],
        3: [2, 1, 1],
    }[count]
    assert all(any(audit[f"class_{c}"].values()) is (c < count) for c in range(3))
    assert audit["lost"] == audit["twice"] == audit["unknown"] == 0


def test_a_short_second(tmp_path: Path) -> None:
    store = (0, frames.request(b"set key 0 10 1\r\n1\r\n", 1))
    asked = [store, *gets(2000), (0, frames.request(b"get key\r\n", 2))]
    _, figures = play(tmp_path, asked)
    assert figures["hits"] == 1
    _, figures = play(tmp_path, asked, "--second", "1000")
    assert figures["hits"] == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--rate", "0"), "no rate from 1K to 10G"),
        (("--rate", "11G"), "no rate from 1K to 10G"),
        (("--rate", "9" * 400), "no rate from 1K to 10G"),
        (("--rate", "fast"), "no rate from 1K to 10G"),
        (("--rate", "nan"), "no rate from 1K to 10G"),
        (("--rate", "-1G"), "no rate from 1K to 10G"),
        (("--rate", "1Gbit"), "no rate from 1K to 10G"),
        (("--rate", ""), "no rate from 1K to 10G"),
        (("--rate", "1G", "--as-captured"), "--rate and --as-captured exclude each other"),
        (("--second", "9", "--as-captured"), "--second and --as-captured exclude each other"),
        (("--memory", "1M"), "too small"),
        (("--time", "-1"), "0<=x<=4294967295"),
        (("--time", "4294967296"), "0<=x<=4294967295"),
        (("--second", "0"), "1<=x<=4294967295"),
        (("--second", "4294967296"), "1<=x<=4294967295"),
        (("--udp-port", "65536"), "1<=x<=65535"),
        (("--host-pause", "5"), "no pause"),
        (("--host-pause", "1:-1"), "no pause"),
        (("--host-pause", "1:2:3"), "no pause"),
        (("--host-pause", "0:" + "9" * 17), "more than 10000000000 cycles"),
        (("--json", "/nowhere/at.json"), "its folder does not exist"),
        (("--json", ""), "no file without a name"),
        (("--json", "/tmp"), "is a directory"),
    ],
)
def test_wrong_options(
    tmp_path: Path, options: tuple[str, ...], says: str, refusal: Callable[..., str]
) -> None:
    board.build()
    source = tmp_path / "in.pcap"
    frames.write_pcap(source, gets(1))
    assert says in refusal("replay", str(source), str(tmp_path / "out.pcap"), *options)


def test_no_file_is_two_at_once(tmp_path: Path, refusal: Callable[..., str]) -> None:
    source, sink, link = (tmp_path / name for name in ("in.pcap", "out.pcap", "link.pcap"))
    frames.write_pcap(source, gets(1))
    before = source.read_bytes()
    link.symlink_to(source)
    hard = tmp_path / "hard.pcap"
    hard.hardlink_to(source)
    other = tmp_path / "." / ".." / tmp_path.name / "in.pcap"
    for same in (source, link, hard, other):
        assert "IN.pcap and OUT.pcap are the same file" in refusal("replay", str(source), str(same))
        said = refusal("replay", str(source), str(sink), "--json", str(same))
        assert "IN.pcap and --json are the same file" in said
        assert "IN.pcap and --trace are the" in refusal(
            "replay", str(source), str(sink), "--trace", str(same)
        )
    later = tmp_path / "later.pcap"
    later.symlink_to(sink)  # which is not there yet
    said = refusal("replay", str(source), str(sink), "--json", str(later))
    assert "OUT.pcap and --json are the same file" in said
    assert source.read_bytes() == before
    assert not sink.exists()


def failed(*arguments: str, stdout: Path | None = None) -> str:
    """The one line it says when it cannot end well, with exit status 1."""
    board.build()
    with open(stdout or os.devnull, "w") as out:
        done = subprocess.run(
            [*LAUNCHER, *arguments], stdout=out, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("wirecache: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_a_full_disk_is_an_error(tmp_path: Path) -> None:
    source, sink, full = tmp_path / "in.pcap", tmp_path / "out.pcap", "/dev/full"
    frames.write_pcap(source, gets(500))
    says = "No space left on device"
    assert says in failed(str(source), full)
    assert says in failed(str(source), str(sink), "--json", full)
    assert says in failed(str(source), str(sink), stdout=Path(full))


def test_a_circuit_that_stands_still(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory stops answering."""
    source, sink = tmp_path / "in.pcap", tmp_path / "out.pcap"
    frames.write_pcap(source, gets(2))
    monkeypatch.setenv("WIRECACHE_MEMORY_STOPS", "1")
    said = failed(str(source), str(sink))
    assert "does not go on and has not answered everything: datagrams 1" in said
    assert len(list(frames.read_pcap(sink))) == 1  # what was answered


@pytest.mark.full  # builds a second board
def test_a_full_disk_under_a_trace_is_an_error(tmp_path: Path) -> None:
    board.build(trace=True)
    source, sink = tmp_path / "in.pcap", tmp_path / "out.pcap"
    frames.write_pcap(source, gets(500))
    assert "trace is cut" in failed(str(source), str(sink), "--trace", "/dev/full")


def test_pcapng_and_compressed_captures(tmp_path: Path) -> None:
    """Both are played as the pcap file is with the same frames."""
    asked = [(START + at, frame) for at, frame in sets() + gets(30)]
    expected, figures = play(tmp_path, asked)
    assert figures["hits"] == 30
    plain, ng, sink = tmp_path / "in.pcap", tmp_path / "in.pcapng", tmp_path / "answers.pcap"
    with RawPcapNgWriter(str(ng)) as writer:
        for at, frame in asked:
            packet = Ether(frame)
            packet.time = at / 1e9
            writer.write(packet)
    for data in (
        ng.read_bytes(),
        gzip.compress(ng.read_bytes()),
        gzip.compress(plain.read_bytes()),
    ):
        source = tmp_path / "capture"
        source.write_bytes(data)
        done = subprocess.run([*LAUNCHER, str(source), str(sink)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert list(frames.read_pcap(sink)) == expected
        sink.unlink()


def test_captures_that_were_cut(tmp_path: Path, refusal: Callable[..., str]) -> None:
    whole, cut = tmp_path / "whole.pcap", tmp_path / "cut.pcap"
    frames.write_pcap(whole, gets(2))
    data = bytearray(whole.read_bytes())
    data[-len(gets(1)[0][1]) - 4 : -len(gets(1)[0][1])] = (1500).to_bytes(4, "little")
    cut.write_bytes(data)
    for source in (cut, tmp_path / "cut.gz"):
        if source != cut:
            source.write_bytes(gzip.compress(data))
        said = refusal("replay", str(source), str(tmp_path / "out.pcap"))
        assert "frame 2 was cut to" in said and "of its 1500 bytes" in said


def test_files_that_do_not_do(tmp_path: Path) -> None:
    good, text, out = (tmp_path / name for name in ("good.pcap", "text.pcap", "out.pcap"))
    frames.write_pcap(good, gets(2))
    text.write_text("this is no capture, but it is long enough for a header\n")
    cut = tmp_path / "cut.pcap"
    cut.write_bytes(good.read_bytes()[:-5])
    assert "it is no pcap file" in refused(str(text), str(out))
    assert "it ends within a frame" in refused(str(cut), str(out))
    assert "No such file" in refused(str(tmp_path / "missing.pcap"), str(out))
    assert "cannot write /nowhere/out.pcap" in refused(str(good), "/nowhere/out.pcap")
    refused(str(good))
