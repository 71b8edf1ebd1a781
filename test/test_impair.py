# SPDX-License-Identifier: Apache-2.0
"""Impairments of the link on the whole board: what is lost, doubled, spoiled or late on its way is
counted, in the direction in which it was, and the board answers all that it gets
(docs/impairments.md). The link alone is tested in sim/test/impair_test.cc."""

from __future__ import annotations

import os
import re
import signal
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from wirecache import ROOT
from wirecache.board import build as board
from wirecache.board.replay import START, Played, play
from wirecache.board.session import Session
from wirecache.client import Client
from wirecache.model import binary
from wirecache.oracle.memcached import free_port
from wirecache.traffic import frames
from wirecache.traffic import requests as traffic

LAUNCHER = [sys.executable, str(ROOT / "wirecache")]
FRAME = 42  # bytes before the UDP payload
ADDRESSES = 12  # bytes of a frame that are never spoiled
FIXED = ("--memory-timing", "fixed")  # a DRAM would make some wait for a refresh
RATE = ("--rate", "2G")  # at which nothing is dropped, with duplicates either


def gets(count: int) -> list[bytes]:
    """GETs of keys that are not there, each with a number; no UDP checksum is one bit, which one
    flip would make 0: the sender gave none."""
    out = []
    for i in range(count):
        frame = frames.request(traffic.binary_request(binary.GET, b"key-%06d" % i), i)
        given = int.from_bytes(frame[40:42], "big")
        if given & given - 1:
            out.append(frame)
    assert len(out) > 0.99 * count
    return out


def numbers(sent: Sequence[bytes]) -> list[int]:
    """The request ids of answers."""
    return [struct.unpack_from(">H", frame, FRAME)[0] for frame in sent]


def run(
    folder: Path, asked: Sequence[bytes], *options: str, pace: Sequence[str] = RATE
) -> tuple[Played, dict[str, int], dict[str, int]]:
    """What came of frames, and what the link did to them in and out."""
    board.build()
    played = play(((START * 10**9, frame) for frame in asked), folder, *options, pace=pace)
    assert played.summary["unanswered"] == 0
    link = played.summary["link"]
    for way in (link["in"], link["out"]):
        gone = way["lost"] + way["blackout"] + way["overflow"]
        assert way["frames"] + way["duplicated"] == way["passed"] + gone
    assert link["in"]["frames"] == len(asked)
    assert link["in"]["passed"] == played.summary["frames_in"] == played.counters["frame_in"]
    assert link["out"]["frames"] == played.summary["frames_out"]
    assert link["out"]["passed"] == len(played.frames)
    return played, link["in"], link["out"]


def likely(count: int, of: int, share: float) -> bool:
    """Whether so many are `share` of all, within six standard deviations."""
    return abs(count - of * share) < 6 * sqrt(of * share * (1 - share))


def seeded(seed: int) -> tuple[str, str]:
    return "--impair-seed", str(seed)


def test_requests_that_the_link_loses(tmp_path: Path, seed: int) -> None:
    asked = gets(3000)
    played, into, out = run(tmp_path, asked, "--impair-in", "loss=5%", *seeded(seed))
    assert likely(into["lost"], len(asked), 0.05)
    assert into["passed"] == len(asked) - into["lost"]
    assert out["lost"] == 0 and out["passed"] == into["passed"], "each that came is answered"
    answered = numbers(played.frames)
    assert answered == sorted(set(answered))
    assert played.summary["dropped"] == 0


def test_answers_that_the_link_loses(tmp_path: Path, seed: int) -> None:
    asked = gets(3000)
    played, into, out = run(tmp_path, asked, "--impair-out", "loss=5%", *seeded(seed))
    assert into["lost"] == 0 and played.summary["frames_in"] == len(asked)
    assert played.summary["frames_out"] == len(asked), "the board has answered all"
    assert likely(out["lost"], len(asked), 0.05)
    answered = numbers(played.frames)
    assert answered == sorted(set(answered)) and len(answered) == len(asked) - out["lost"]


def test_one_direction_has_the_last_word(tmp_path: Path, seed: int) -> None:
    asked = gets(2000)
    options = ("--impair", "loss=10%,duplicate=10%", "--impair-out", "loss=0%")
    _, into, out = run(tmp_path, asked, *options, *seeded(seed))
    assert likely(into["lost"], len(asked), 0.1) and out["lost"] == 0
    assert into["duplicated"] > 0 and out["duplicated"] > 0


def test_nothing_comes_through(tmp_path: Path) -> None:
    played, into, out = run(tmp_path, gets(50), "--impair", "loss=100%")
    assert into["lost"] == 50 and out["frames"] == 0 and played.frames == []


def test_spoiled_requests_are_dropped_by_checksums(tmp_path: Path, seed: int) -> None:
    """Frames without padding: every bit behind the addresses counts for some check."""
    asked = gets(3000)
    assert min(map(len, asked)) > frames.MIN_FRAME
    played, into, out = run(tmp_path, asked, "--impair-in", "corrupt=40%", *seeded(seed))
    assert likely(into["corrupted"], len(asked), 0.4)
    drops = played.summary["drops"]
    print({cause: count for cause, count in drops.items() if count})
    assert played.summary["dropped"] == into["corrupted"]
    assert out["passed"] == len(asked) - into["corrupted"]
    # They are good frames to the MAC, and for the board.
    assert drops["bad_frame"] == drops["mac"] == 0
    assert min(drops[cause] for cause in ("ethertype", "ip_header", "udp_checksum")) > 0
    assert played.summary["hits"] == 0


def test_a_spoiled_bit_of_padding_is_none(tmp_path: Path, seed: int) -> None:
    """What no checksum covers goes through: here eleven of the 48 bytes behind the addresses."""
    data = b"get a\r\n"
    request = frames.request(data, 1, frame_header=False)
    padding = frames.MIN_FRAME - FRAME - len(data)
    assert len(request) == frames.MIN_FRAME and padding == 11
    asked = [request] * 2000
    options = ("--no-frame-header", "--impair-in", "corrupt=100%")
    played, into, out = run(tmp_path, asked, *options, *seeded(seed))
    assert into["corrupted"] == len(asked)
    assert played.summary["dropped"] + out["passed"] == len(asked)
    assert likely(out["passed"], len(asked), padding / (frames.MIN_FRAME - ADDRESSES))
    assert all(frame[FRAME:].startswith(b"END\r\n") for frame in played.frames)


def test_spoiled_answers_have_one_bit_wrong(tmp_path: Path, seed: int) -> None:
    asked = gets(2000)
    options = ("--impair-out", "corrupt=30%,delay=3us", *FIXED, *seeded(seed))
    spoiled, _, out = run(tmp_path, asked, *options)
    plain, _, _ = run(tmp_path, asked, "--impair-out", "delay=3us", *FIXED)
    wrong = 0
    for (at, ours), (then, theirs) in zip(spoiled.sent, plain.sent, strict=True):
        assert at == then
        assert ours[:ADDRESSES] == theirs[:ADDRESSES]
        bits = (int.from_bytes(ours, "big") ^ int.from_bytes(theirs, "big")).bit_count()
        assert bits <= 1
        wrong += bits
    assert wrong == out["corrupted"] and likely(wrong, len(asked), 0.3)
    assert spoiled.summary["cycles"] == plain.summary["cycles"], "the board knows nothing of it"


def test_doubled_frames(tmp_path: Path, seed: int) -> None:
    asked = gets(1500)
    played, into, out = run(tmp_path, asked, "--impair", "duplicate=20%", *seeded(seed))
    assert likely(into["duplicated"], len(asked), 0.2)
    assert played.summary["frames_in"] == len(asked) + into["duplicated"]
    assert likely(out["duplicated"], out["frames"], 0.2)
    times = Counter(played.frames)
    assert len(times) == len(asked) and set(times.values()) <= {1, 2, 3, 4}
    answers = numbers(played.frames)
    assert answers == sorted(answers), "a copy comes right behind"


def test_frames_out_of_order(tmp_path: Path, seed: int) -> None:
    asked = gets(2000)
    played, into, _ = run(tmp_path, asked, "--impair-in", "reorder=1%/10", *seeded(seed))
    answers = numbers(played.frames)
    assert sorted(answers) == numbers(asked)
    assert likely(into["reordered"], len(asked), 0.01)
    late = [i for i, number in enumerate(answers) if number < max(answers[: i + 1])]
    assert 0 < len(late) <= into["reordered"]
    for i in late:
        overtaking = sum(number > answers[i] for number in answers[:i])
        assert 1 <= overtaking <= 10


def apart(count: int, gap_ns: int) -> list[tuple[int, bytes]]:
    return [(START * 10**9 + i * gap_ns, frame) for i, frame in enumerate(gets(count))]


def test_delays_count_simulated_time(tmp_path: Path, seed: int) -> None:
    board.build()
    asked = apart(20, 1_000_000)
    plain = play(asked, tmp_path, *FIXED)
    late = play(asked, tmp_path, *FIXED, "--impair-in", "delay=50us", "--impair-out", "delay=8us")
    delays = [ours - theirs for (ours, _), (theirs, _) in zip(late.sent, plain.sent, strict=True)]
    assert all(abs(delay - 58_000) < 8 for delay in delays), delays  # a cycle has 6.4 ns
    assert late.frames == plain.frames
    assert late.summary["link"]["in"]["delayed"] == late.summary["link"]["out"]["delayed"] == 20
    jittery = play(asked, tmp_path, *FIXED, "--impair-out", "jitter=20us", *seeded(seed))
    delays = [
        ours - theirs for (ours, _), (theirs, _) in zip(jittery.sent, plain.sent, strict=True)
    ]
    assert 0 <= min(delays) < max(delays) <= 20_000 and len(set(delays)) > 10


@pytest.mark.parametrize("way", ["in", "out"])
def test_a_blackout_counts_simulated_time(tmp_path: Path, way: str) -> None:
    board.build()
    asked = apart(20, 10**9)
    played = play(asked, tmp_path, f"--impair-{way}", "blackout=4.5s@9.5s")
    assert numbers(played.frames) == [*range(10), *range(14, 20)]
    link = played.summary["link"]
    assert {name: link[name]["blackout"] for name in ("in", "out")} == {"in": 0, "out": 0, way: 4}
    assert played.summary["frames_in"] == (16 if way == "in" else 20)


def outcome(folder: Path, asked: Sequence[bytes], *options: str) -> tuple[bytes, str]:
    """The answers as a file, and what it said on stderr."""
    board.build()
    source, sink = folder / "in.pcap", folder / "out.pcap"
    frames.write_pcap(source, ((START * 10**9, frame) for frame in asked))
    command = [*LAUNCHER, "replay", str(source), str(sink), *RATE, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^link in     400 frames, \d+ passed", done.stdout, re.M), done.stdout
    assert re.search(r"^link out    \d+ frames, \d+ passed", done.stdout, re.M), done.stdout
    return sink.read_bytes(), done.stderr


def test_a_seed_is_printed_and_does_the_same_again(tmp_path: Path) -> None:
    asked = gets(400)
    parts = "loss=5%,reorder=5%/4,duplicate=5%,corrupt=5%,delay=2us,jitter=1us"
    first, said = outcome(tmp_path, asked, "--impair", parts)
    match = re.fullmatch(r"wirecache: impairments with --impair-seed (\d+)\n", said)
    assert match is not None, said
    again, said = outcome(tmp_path, asked, "--impair", parts, *seeded(int(match[1])))
    assert again == first and said == ""
    other, _ = outcome(tmp_path, asked, "--impair", parts, *seeded(int(match[1]) ^ 1))
    assert other != first


def test_without_the_option_nothing_is_told(tmp_path: Path) -> None:
    board.build()
    source, sink = tmp_path / "in.pcap", tmp_path / "out.pcap"
    frames.write_pcap(source, [(0, gets(1)[0])])
    command = [*LAUNCHER, "replay", str(source), str(sink)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "link" not in done.stdout and done.stderr == ""


def test_a_circuit_that_stands_still_is_still_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the link loses does not hide what the board left unanswered."""
    monkeypatch.setenv("WIRECACHE_MEMORY_STOPS", "1")
    board.build()
    asked = [(START * 10**9, frame) for frame in gets(3)]
    with pytest.raises(RuntimeError, match="has not answered everything: datagrams"):
        play(asked, tmp_path, "--impair-out", "loss=100%")


def test_a_session_counts_each_capture_alone() -> None:
    with Session("--impair-in", "loss=50%", "--impair-seed", "1") as session:
        phases = [session.play(gets(count), sent=True) for count in (400, 200)]
    for phase, count in zip(phases, (400, 200), strict=True):
        into = phase.summary["link"]["in"]
        assert into["frames"] == count == into["passed"] + into["lost"]
        assert into["passed"] == len(phase.frames) and likely(into["lost"], count, 0.5)


# ---- under serve, where the clock on the wall counts --------------------------------------------
@contextmanager
def serving(*options: str) -> Iterator[tuple[int, Callable[[], str]]]:
    """A board's UDP port, and what ends it and gives its summary."""
    board.build()
    port = free_port()
    command = [*LAUNCHER, "serve", "--port", str(port), "--impair-seed", "1", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def stop() -> str:
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=20)
        assert process.returncode == 0
        return rest

    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("wirecache ready")
        yield port, stop
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def link_lines(summary: str) -> dict[str, Any]:
    """What the summary says of each direction."""
    found = re.findall(r"^link (in|out) +(\d+) frames, (\d+) passed(?:: (.*))?$", summary, re.M)
    return {
        way: {"frames": int(count), "passed": int(passed)}
        | {name: int(n) for name, n in (part.split(" ") for part in rest.split(", ") if part)}
        for way, count, passed, rest in found
    }


def test_serve_that_loses_all() -> None:
    with serving("--impair", "loss=100%") as (port, stop):
        with Client(port=port, timeout=0.5) as client, pytest.raises(TimeoutError):
            client.get(b"key")
        summary = stop()
    assert "operations  0" in summary and "frames      0 in, 0 out" in summary
    link = link_lines(summary)
    assert link["in"]["frames"] == link["in"]["lost"] > 0 and link["in"]["passed"] == 0
    assert link["out"] == {"frames": 0, "passed": 0}


def test_serve_that_loses_all_answers() -> None:
    """libslirp asks for the board's address first, and never hears of it."""
    with serving("--impair-out", "loss=100%") as (port, stop):
        with Client(port=port, timeout=0.5) as client, pytest.raises(TimeoutError):
            client.get(b"key")
        link = link_lines(stop())
    assert link["in"]["passed"] == link["in"]["frames"] > 0
    assert link["out"]["lost"] == link["out"]["frames"] > 0


def test_serve_with_delays_of_the_wall_clock() -> None:
    """Never sooner than the delays; how much later is a matter of the machine. But a board that
    sleeps while a frame is due would do so for a second each time."""
    spent = []
    with serving("--impair-in", "delay=60ms", "--impair-out", "delay=40ms") as (port, stop):
        with Client(port=port, timeout=10) as client:
            client.set(b"key", b"value")
            for _ in range(8):
                begun = time.monotonic()
                assert client.get(b"key") == b"value"
                spent.append(time.monotonic() - begun)
        summary = stop()
    assert 0.1 <= min(spent) < 0.9, spent
    assert "operations  9: get 8, set 1" in summary
    for way in link_lines(summary).values():
        assert way["delayed"] == way["passed"] == way["frames"] >= 9


def test_serve_under_everything_at_once() -> None:
    """A client that asks again gets its answer in the end, and no answer is wrong."""
    parts = "loss=10%,reorder=20%,duplicate=20%,corrupt=10%,delay=1ms,jitter=2ms"
    with serving("--impair", parts) as (port, stop):
        with Client(port=port, timeout=0.2) as client:
            for i in range(30):
                key, value = b"key-%d" % i, b"value-%d" % i
                for _ in range(100):
                    try:
                        client.set(key, value)
                        break
                    except TimeoutError:
                        continue
                for _ in range(100):
                    try:
                        found = client.get(key)
                        break
                    except TimeoutError:
                        continue
                assert found == value
        link = link_lines(stop())
    for way in link.values():
        gone = way.get("lost", 0) + way.get("waiting", 0)
        assert way["frames"] + way["duplicated"] == way["passed"] + gone
        assert min(way[name] for name in ("lost", "corrupted", "reordered", "delayed")) > 0


# A network namespace of our own, in which we are root; all in it goes with the first process.
UNSHARE = ["unshare", "--map-root-user", "--net", "--pid", "--fork", "--kill-child"]


def _unshare() -> bool:
    return subprocess.run([*UNSHARE, "test", "-w", "/dev/net/tun"]).returncode == 0


@pytest.mark.skipif(not _unshare(), reason="no network namespaces or no /dev/net/tun here")
def test_a_tap_device_that_doubles(tmp_path: Path) -> None:
    board.build()
    script = """
        "$0" "$1" serve --link tap:wc0 --impair-in duplicate=100% --impair-seed 1 > said & pid=$!
        until grep -q ready said; do sleep 0.1; done
        ip address add 10.0.2.2/24 dev wc0
        ip neighbour replace 10.0.2.15 lladdr 02:57:43:00:00:01 dev wc0 nud permanent
        "$0" -c 'if True:
            from wirecache.client import Client
            client = Client("10.0.2.15", 11211)
            for number in range(7):
                assert client.get(b"key") is None'
        kill -TERM $pid
        wait $pid
    """
    done = subprocess.run(
        [*UNSHARE, "bash", "-c", script, sys.executable, LAUNCHER[1]],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "py")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    said = (tmp_path / "said").read_text()
    assert "operations  14: get 14" in said
    link = link_lines(said)
    assert link["in"]["duplicated"] == link["in"]["frames"] >= 7


# ---- what is refused ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ("loss=200%", "'loss=200%' is more than 100%"),
        ("loss=100.1%", "is more than 100%"),
        ("loss=1", "has no share of frames"),
        ("loss=-1%", "has no share of frames"),
        ("loss=nan%", "has no share of frames"),
        ("loss=\u0661%", "has no share of frames"),
        ("loss=%", "has no share of frames"),
        ("loss=1%/3", "has no share of frames"),
        ("loss=1e-3%", "has no share of frames"),
        ("loss=0.00000001%", "never comes"),
        ("loss", "does not say how much"),
        ("los=1%", "no impairment; there are loss, reorder, duplicate, corrupt, delay, jitter, bl"),
        ("", "no impairment"),
        ("loss=1%,", "no impairment"),
        ("loss=1%,loss=2%", "has loss twice"),
        ("reorder=1%/0", "not behind 1 to 1000 frames"),
        ("reorder=1%/1001", "not behind 1 to 1000 frames"),
        ("reorder=1%/-1", "no number of frames"),
        ("reorder=1%/", "no number of frames"),
        ("delay=50", "no time with its unit"),
        ("delay=-50us", "no time with its unit"),
        ("delay=1h", "no time with its unit"),
        ("delay=", "no time with its unit"),
        ("delay=" + "9" * 40 + "s", "no time with its unit"),
        ("delay=86401s", "more than a day"),
        ("jitter=1%", "no time with its unit"),
        ("blackout=5s", "how long and when"),
        ("blackout=5s@", "no time with its unit"),
        ("blackout=@5s", "no time with its unit"),
        ("blackout=5@10s", "no time with its unit"),
        ("blackout=5s@-1s", "no time with its unit"),
    ],
)
@pytest.mark.parametrize("option", ["--impair", "--impair-in", "--impair-out"])
def test_wrong_parts(option: str, parts: str, says: str, refusal: Callable[..., str]) -> None:
    said = refusal("serve", option, parts)
    assert says in said and option in said


def test_wrong_options(tmp_path: Path, refusal: Callable[..., str]) -> None:
    assert "no impairment" in refusal("replay", os.devnull, os.devnull, "--impair", "luck=1%")
    assert "--impair-seed is for --impair" in refusal("serve", "--impair-seed", "1")
    assert "not in the range" in refusal("serve", "--impair", "loss=1%", "--impair-seed", "-1")
    said = refusal("session", "--table", "--impair", "loss=1%", "--impair-seed", "1")
    assert "--impair is not for --table" in said
