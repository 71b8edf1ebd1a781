# SPDX-License-Identifier: Apache-2.0
"""`wirecache replay` of connections over TCP: each is made anew, and says what its client said."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from wirecache import ROOT
from wirecache.board import build as board
from wirecache.traffic import frames

START = 1_750_000_000 * 10**9
MICROSECOND = 1000
SERVER = ("192.168.1.9", 11211)
OPEN_NS = 1000  # from a SYN to the first request at least


@dataclass
class Capture:
    """Frames of connections as a network card would tell of them: checksums are not yet there."""

    frames: list[tuple[int, bytes]] = field(default_factory=list)
    numbers: dict[tuple[int, bool], int] = field(default_factory=dict)

    def _put(self, ns: int, client: int, from_client: bool, flags: str, data: bytes = b"") -> None:
        here, there = ("127.0.0.1", client), SERVER
        (src, sport), (dst, dport) = (here, there) if from_client else (there, here)
        number = self.numbers.setdefault((client, from_client), 2**32 - 100)
        packet = IP(src=src, dst=dst, chksum=0) / TCP(
            sport=sport, dport=dport, flags=flags, seq=number, chksum=0
        )
        self.frames.append(
            (START + ns, bytes(Ether(src="0:0:0:0:0:0", dst="0:0:0:0:0:0") / packet / data))
        )
        step = len(data) + ("S" in flags) + ("F" in flags)
        self.numbers[client, from_client] = (number + step) % 2**32

    def open(self, ns: int, client: int) -> None:
        self._put(ns, client, True, "S")
        self._put(ns + 1, client, False, "SA")
        self._put(ns + 2, client, True, "A")

    def ask(self, ns: int, client: int, data: bytes) -> None:
        self._put(ns, client, True, "PA", data)

    def answer(self, ns: int, client: int, data: bytes) -> None:
        self._put(ns, client, False, "PA", data)

    def end(self, ns: int, client: int, from_client: bool = True) -> None:
        self._put(ns, client, from_client, "FA")


def replay(
    folder: Path, asked: list[tuple[int, bytes]], *options: str
) -> tuple[subprocess.CompletedProcess[str], list[tuple[int, bytes]], dict[str, Any]]:
    board.build()
    source, sink, figures = (folder / name for name in ("in.pcap", "out.pcap", "figures.json"))
    frames.write_pcap(source, asked)
    command = [sys.executable, str(ROOT / "wirecache"), "replay", str(source), str(sink)]
    done = subprocess.run(
        [*command, "--memory", "16M", "--json", str(figures), *options],
        capture_output=True,
        text=True,
    )
    return done, list(frames.read_pcap(sink)), json.loads(figures.read_text())


def said(sent: list[tuple[int, bytes]]) -> list[list[tuple[int, bytes]]]:
    """What the board sent to each client over TCP, with its times from the beginning on, in the
    order of the clients' addresses. Nothing is lost here, so all comes in order and once."""
    found: dict[str, list[tuple[int, bytes]]] = defaultdict(list)
    for ns, frame in sent:
        packet = Ether(frame)
        if TCP not in packet:
            continue
        payload = bytes(packet[TCP].payload)[: packet[IP].len - 20 - 4 * packet[TCP].dataofs]
        here = found[packet[IP].dst]
        if payload:
            here.append((ns - START, payload))
    return [found[address] for address in sorted(found)]


def bytes_of(pieces: list[tuple[int, bytes]]) -> bytes:
    return b"".join(data for _, data in pieces)


def test_clients_ask_as_they_did_and_wait_for_the_board(tmp_path: Path) -> None:
    """A board that holds nothing misses where the captured server had hits; all is asked all the
    same, in the order of the answers that clients waited for."""
    capture = Capture()
    capture.open(0, 4000)
    capture.ask(10_000, 4000, b"get a\r\n")
    capture.answer(20_000, 4000, b"VALUE a 0 3\r\nold\r\nEND\r\n")
    capture.ask(30_000, 4000, b"set a 5 0 3 noreply\r\nnew\r\nset b 0 0 70000\r\n" + b"v" * 30_000)
    capture.open(31_000, 4001)
    capture.ask(40_000, 4000, b"v" * 40_000 + b"\r\nmg a v q\r\nmg x v q\r\nmn\r\n")
    capture.answer(50_000, 4000, b"STORED\r\nVA 3\r\nnew\r\nMN\r\n")
    capture.ask(60_000, 4001, bytes.fromhex("800a00000000000000000000000000070000000000000000"))
    capture.answer(61_000, 4001, bytes.fromhex("810a00000000000000000000000000070000000000000000"))
    capture.ask(70_000, 4000, b"get a b\r\nquit\r\n")
    done, sent, figures = replay(tmp_path, capture.frames, "--rate", "10G")
    assert done.returncode == 0, done.stderr
    first, second = said(sent)
    long_value = b"VALUE a 5 3\r\nnew\r\nVALUE b 0 70000\r\n" + b"v" * 70_000 + b"\r\nEND\r\n"
    assert bytes_of(first) == b"END\r\nSTORED\r\nVA 3\r\nnew\r\nMN\r\n" + long_value
    assert bytes_of(second)[:2] == b"\x81\x0a" and bytes_of(second)[12:16] == bytes([0, 0, 0, 7])
    traffic = figures["traffic"]["capture"]
    assert traffic["connections"] == traffic["opened"] == traffic["ended"] == 2
    assert traffic["requests"] == 9 and traffic["answered"] == 6  # not: noreply, a quiet miss, quit
    assert traffic["unanswered"] == 0 and figures["strange"] == 0
    assert figures["counters"]["get"] == 5
    assert "connections 2: 9 requests, 6 answers\n" in done.stdout
    assert "captured " not in done.stdout
    # Without pauses it takes less than the capture did.
    assert max(ns for ns, _ in first) < 500 * MICROSECOND


def test_pauses_are_as_long_as_they_were(tmp_path: Path) -> None:
    capture = Capture()
    capture.open(0, 4000)
    capture.ask(5 * MICROSECOND, 4000, b"version\r\n")
    capture.answer(90 * MICROSECOND, 4000, b"VERSION 1\r\n")
    capture.ask(1090 * MICROSECOND, 4000, b"version\r\n")
    capture.answer(1100 * MICROSECOND, 4000, b"VERSION 1\r\n")
    capture.open(1200 * MICROSECOND, 4002)
    capture.ask(1300 * MICROSECOND, 4002, b"mg nothing v q\r\n")  # which has no answer
    capture.open(700_000_000 * MICROSECOND, 4001)  # longer than anybody waits for the board
    capture.ask(700_000_100 * MICROSECOND, 4001, b"version\r\n")
    capture.ask(700_000_200 * MICROSECOND, 4002, b"mn\r\n")
    done, sent, figures = replay(tmp_path, capture.frames, "--as-captured")
    assert done.returncode == 0, done.stderr
    first, quiet, second = said(sent)
    assert bytes_of(quiet) == b"MN\r\n"
    assert 1000 * MICROSECOND <= first[1][0] - first[0][0] < 1010 * MICROSECOND
    assert 0 < first[0][0] < 50 * MICROSECOND  # the board is sooner than the captured server
    assert 700_000_100 * MICROSECOND < second[0][0] < 700_000_150 * MICROSECOND
    assert figures["simulated_cycles"] < 10_000_000
    assert figures["captured_connections"]["guessed"] == 2
    assert "captured    connections 2 of which there are no answers\n" in done.stdout


def test_frames_beside_connections_go_in_as_they_are(tmp_path: Path) -> None:
    capture = Capture()
    capture.frames.append((START, frames.request(b"version\r\n", 1)))
    capture.open(0, 4000)
    capture.ask(OPEN_NS, 4000, b"version\r\n")
    capture.frames.append((START + 300 * MICROSECOND, frames.request(b"version\r\n", 2)))
    done, sent, figures = replay(tmp_path, capture.frames, "--as-captured")
    assert done.returncode == 0, done.stderr
    assert len(said(sent)) == 1
    datagrams = [(ns, d) for ns, frame in sent if (d := frames.parse_datagram(frame)) is not None]
    assert len(datagrams) == 2
    assert datagrams[1][0] - START >= 300 * MICROSECOND
    assert figures["counters"]["other"] == 3


def test_a_request_without_an_answer_is_a_failure(tmp_path: Path) -> None:
    """The board ends a connection at a line without an end; unless the captured server did so too,
    something has gone wrong."""
    for ends in ("", "client server", "server client"):
        capture = Capture()
        capture.open(0, 4000)
        capture.ask(OPEN_NS, 4000, b"version\r\n" + b"x" * 3000 + b"\r\nversion\r\n")
        for end in ends.split():
            capture.end(9000, 4000, end == "client")
        done, sent, figures = replay(tmp_path, capture.frames)
        assert bytes_of(said(sent)[0]).startswith(b"VERSION")
        if ends.startswith("server"):
            assert done.returncode == 0, done.stderr
            assert figures["traffic"]["capture"]["cut_off"] == 2
            continue
        assert done.returncode == 1
        assert "1 connections have failed, with 2 requests unanswered" in done.stderr
        assert done.stderr.count("\n") == 1
        assert figures["traffic"]["capture"]["unanswered"] == 2


def test_raw_segments_are_not_clients(tmp_path: Path) -> None:
    capture = Capture()
    capture.open(0, 4000)
    capture.ask(OPEN_NS, 4000, b"version\r\n")
    done, _, figures = replay(tmp_path, capture.frames, "--raw-tcp")
    assert done.returncode == 0, done.stderr
    assert figures["in"]["frames"] == len(capture.frames)
    assert "traffic" not in figures


def test_connections_to_another_port_are_told_of(tmp_path: Path) -> None:
    capture = Capture()
    capture.open(0, 4000)
    asked = "no connection to port 11212; most go to port 11211 (--udp-port)\n"
    done, _, _ = replay(tmp_path, capture.frames, "--udp-port", "11212")
    assert done.returncode == 0 and asked in done.stdout


def test_a_board_that_does_not_answer_is_told_of_with_all_figures(tmp_path: Path) -> None:
    capture = Capture()
    capture.open(0, 4000)
    capture.ask(OPEN_NS, 4000, b"version\r\n")
    capture.answer(OPEN_NS + 1, 4000, b"VERSION 1\r\n")
    capture.ask(2_000_000 * MICROSECOND, 4000, b"version\r\n")
    options = ("--as-captured", "--impair", "blackout=5000s@1s")
    done, sent, figures = replay(tmp_path, capture.frames, *options)
    assert done.returncode == 1
    assert figures["traffic"]["capture"]["answered"] == 1
    assert figures["traffic"]["capture"]["unanswered"] == 1
    assert bytes_of(said(sent)[0]).count(b"VERSION") == 1
    assert "traffic does not get on: 1 connections have not ended" in done.stderr


def test_a_slow_wire_is_not_simulated_while_it_sends_nothing(tmp_path: Path) -> None:
    capture = Capture()
    capture.open(0, 4000)
    capture.ask(OPEN_NS, 4000, b"version\r\n")
    done, _, figures = replay(tmp_path, capture.frames, "--rate", "1M")
    assert done.returncode == 0, done.stderr
    assert figures["simulated_cycles"] < 100_000  # of 590,000
