# SPDX-License-Identifier: Apache-2.0
"""Errors of memory on the simulated board: every request is answered or its loss is counted, no GET
gives another value than the last that was stored, no block is lost, and what the board says of the
errors is what the simulation has done (docs/memory-errors.md)."""

from __future__ import annotations

import json
import random
import re
import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from wirecache import ROOT
from wirecache.board import build as board
from wirecache.board.session import Session
from wirecache.circuit import structs
from wirecache.model import binary
from wirecache.testbench.bench import full
from wirecache.traffic import frames
from wirecache.traffic import requests as traffic

LAUNCHER = [sys.executable, str(ROOT / "wirecache"), "replay"]
OPTIONS = (
    *("--config", "bucket", "--memory", "4M", "--rate", "5G"),
    *("--classes", "64,256,2K", "--class-shares", "1,1,2"),
)
TWO_WAYS = (
    *("--config", "udp,ways=2,moves=1", "--memory", "1400000", "--rate", "2G"),
    *("--item-size", "990"),
)
# While all is forgotten requests wait: at this rate all of them find room.
ITEM_OPTIONS = ("--config", "udp", "--memory", "1400000", "--rate", "2G")
MOST = structs.constant("BadPlaces")
OK, NOT_FOUND, NO_MEMORY, MEMORY = 0x00, 0x01, 0x82, 0x84
FRAME = 42  # bytes before the UDP payload
HEADER = 8  # memcached's in front of each datagram


def some_requests(count: int, keys: int) -> list[tuple[str, bytes, bytes, bytes]]:
    """(kind, key, value, request), one a datagram; a value says whose it is and when it was set."""
    out = []
    for i in range(count):
        key = b"key-%d" % random.randrange(keys)
        kind = random.choices(["get", "set", "delete"], [55, 40, 5])[0]
        value = b""
        if kind == "set":
            value = (b"%s %d " % (key, i)).ljust(random.choice([20, 60, 65, 200, 900, 1300]), b"x")
            request = traffic.binary_set(key, value)
        else:
            opcode = binary.GET if kind == "get" else binary.DELETE
            request = traffic.binary_request(opcode, key)
        out.append((kind, key, value, request))
    return out


def run(
    folder: Path,
    asked: list[tuple[str, bytes, bytes, bytes]],
    *options: str,
    board: tuple[str, ...] = OPTIONS,
) -> Any:
    """Answers by the number of their request, and the figures."""
    source, sink, figures = (folder / name for name in ("in.pcap", "out.pcap", "figures.json"))
    packets = [(0, frames.request(data, i)) for i, (_, _, _, data) in enumerate(asked)]
    frames.write_pcap(source, packets)
    command = [*LAUNCHER, str(source), str(sink), "--json", str(figures), "--audit", *board]
    done = subprocess.run([*command, *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answers = {}
    for _, frame in frames.read_pcap(sink):
        number, sequence, total = struct.unpack_from(">HHH", frame, FRAME)
        assert (sequence, total) == (0, 1) and number not in answers
        answers[number] = frame[FRAME + HEADER :]
    return answers, json.loads(figures.read_text()), done.stdout


def check(asked: list[tuple[str, bytes, bytes, bytes]], answers: dict[int, bytes]) -> Counter[str]:
    """Compares the answers with a dictionary; how often what came of it."""
    stored: dict[bytes, bytes] = {}
    seen: Counter[str] = Counter()
    for i, (kind, key, value, _) in enumerate(asked):
        if i not in answers:
            assert kind == "get", f"request {i}, a {kind}, was not answered"
            seen["lost"] += 1
            continue
        answer = answers[i]
        status = struct.unpack_from(">H", answer, 6)[0]
        seen[f"{kind} {status:#04x}"] += 1
        if kind == "get":
            assert status in (OK, NOT_FOUND)
            assert status != OK or answer[28:] == stored.get(key), f"GET {i} of {key!r}"
        elif kind == "set":
            assert status in (OK, NO_MEMORY, MEMORY)
            if status == OK:
                stored[key] = value
            elif status == NO_MEMORY:
                stored.pop(key, None)
        else:
            assert status in (OK, NOT_FOUND, MEMORY)
            if status == OK:
                stored.pop(key)
    return seen


@pytest.mark.parametrize("rates", ["0.01,0", "0,0.002", full("0.005,0.002"), "0,0.2", "1"])
def test_no_wrong_value_and_no_block_lost(tmp_path: Path, seed: int, rates: str) -> None:
    board.build()
    random.seed(seed)
    asked = some_requests(6000, 400)
    seeds = ("--memory-error-seed", str(seed))
    answers, figures, said = run(tmp_path, asked, "--memory-errors", rates, *seeds)
    seen = check(asked, answers)
    counters, errors = figures["counters"], figures["memory_errors"]
    print(dict(seen), errors, figures["audit"]["out_of_use"])
    assert seen["lost"] == counters["answer_lost"]
    assert figures["unanswered"] == 0 and figures["dropped"] == 0
    assert figures["audit"]["lost"] == figures["audit"]["twice"] == 0
    reads, writes = (float(rate) for rate in (rates.split(",") * 2)[:2])
    if reads == 1:
        writes = 0.0  # nothing is: no SET gets that far
    assert (errors["read"] > 0) == (reads > 0) and (errors["written"] > 0) == (writes > 0)
    assert (seen["set 0x84"] + seen["delete 0x84"] > 0) == (counters["failed"] > 0)
    if reads:
        assert counters["table_read_error"] > 0
    if 0 < reads < 0.1:
        assert counters["value_read_error"] > 0 and seen["lost"] > 0
    if writes:
        assert counters["table_write_error"] + counters["value_write_error"] == errors["written"]
        assert (errors["buckets"] > 0) == (counters["table_write_error"] > 0)
        assert "memory  " in said
    else:
        assert errors["buckets"] == errors["blocks"] == figures["audit"]["out_of_use"] == 0
    if writes > 0.1:
        assert (errors["buckets"], errors["all_buckets"]) == (MOST, 1)


@pytest.mark.parametrize(
    "rates", ["0.01,0", "0,0.002", full("0.001,0.001"), full("0.0003,0"), full("0,0.2"), "1"]
)
def test_item_index(tmp_path: Path, seed: int, rates: str) -> None:
    """No wrong value, every SET and DELETE answered, and room for what comes: when little is left
    of the log, or of the table, all is forgotten."""
    board.build()
    random.seed(seed)
    asked = some_requests(12000, 600)
    options = ["--memory-errors", rates, "--memory-error-seed", str(seed)]
    if rates == "0,0.2":
        options += ["--rate", "800M"]  # all is forgotten every 25 requests
    answers, figures, said = run(tmp_path, asked, *options, board=ITEM_OPTIONS)
    seen = check(asked, answers)
    counters, errors, log = figures["counters"], figures["memory_errors"], figures["log"]
    print(dict(seen), errors, log, counters["forgotten"])
    assert seen["lost"] == counters["answer_lost"]
    assert figures["unanswered"] == 0 and figures["dropped"] == 0
    assert seen["set 0x84"] + seen["delete 0x84"] <= counters["failed"]
    assert log["lost"] < log["segments"] // 8
    assert not errors["all_blocks"]
    reads, writes = (float(rate) for rate in (rates.split(",") * 2)[:2])
    assert (errors["read"] > 0) == (reads > 0)
    if reads < 1:
        assert (errors["written"] > 0) == (writes > 0)
        assert counters["sweep_new"] > 0 or counters["forgotten"] > 0
    assert ("out of use" in said) == bool(errors["all_buckets"])
    if rates in ("0.01,0", "0,0.002"):
        assert counters["forgotten"] > 0 and "forgotten   all" in said


@pytest.mark.parametrize("rates", ["0,0.0003", full("0.001,0.001")])
def test_two_ways(tmp_path: Path, seed: int, rates: str) -> None:
    """A key has two lines, of which one may be out of use. No slot points to a segment that was
    given back, and what is counted adds up."""
    board.build()
    random.seed(seed)
    asked = some_requests(24000, 1500)
    options = ("--memory-errors", rates, "--memory-error-seed", str(seed))
    answers, figures, _ = run(tmp_path, asked, *options, board=TWO_WAYS)
    check(asked, answers)
    assert figures["unanswered"] == 0 and figures["dropped"] == 0
    assert figures["memory_errors"]["written"] > 0
    assert figures["counters"]["sweep_new"] + figures["counters"]["forgotten"] > 0
    audit = figures["audit"]
    assert all(
        audit[name] for name in ("counted", "segments_add_up", "segments_suffice", "retired")
    )
    assert not any(audit[name] for name in ("outside", "overlaps", "twice"))


def test_a_sweep_of_lines_that_memory_does_not_give_is_no_standstill() -> None:
    """The sweeper meets no record then for longer than "stuck" waits, but it goes on."""
    draw = random.Random(3)
    sets = [traffic.binary_set(b"k%d" % draw.randrange(12), b"x" * 1300) for _ in range(1400)]
    memory = ("--memory", "1400000", "--memory-latency", "10000")
    errors = ("--memory-errors", "0.9,0", "--memory-error-seed", "5")
    with Session("--config", "udp", *memory, *errors) as session:
        phase = session.play([frames.request(s, i) for i, s in enumerate(sets)], rate=8 * 10**8)
    assert phase.counters["lost"] > 0, "no segment was swept in vain"
    assert phase.counters["stuck"] == 0 and phase.summary["unanswered"] == 0


def test_a_large_filter_is_emptied(seed: int) -> None:
    """A cycle for each of its cells, when the board starts and when memory failed too often: longer
    than it takes to empty a small table, and than "stuck" waits."""
    config = ("--config", "udp,filter_cells=1048576")
    memory = ("--memory", "1400000", "--item-size", "900")
    errors = ("--memory-errors", "0,0.003", "--memory-error-seed", str(seed))
    random.seed(seed)
    asked = [frames.request(each[-1], i) for i, each in enumerate(some_requests(3000, 800))]
    with Session(*config, *memory, *errors) as session:
        phase = session.play(asked, rate=10**9)
        plain = session.play([frames.request(b"version\r\n", 0)], rate=10**9)
    assert plain.summary["unanswered"] == 0 and plain.summary["dropped"] == 0
    assert phase.counters["forgotten"] > 0
    assert phase.counters["stuck"] == 0 and phase.summary["unanswered"] == 0


def test_a_table_that_cannot_be_written(tmp_path: Path, seed: int) -> None:
    """Not even made empty: every GET misses, every SET is refused, and the summary says so."""
    board.build()
    random.seed(seed)
    asked = some_requests(2000, 600)
    options = ("--memory-errors", "0,1", "--memory-error-seed", str(seed))
    answers, figures, said = run(tmp_path, asked, *options, board=ITEM_OPTIONS)
    check(asked, answers)
    assert figures["counters"]["forgotten"] >= 1 and figures["memory_errors"]["all_buckets"]
    late = Counter(asked[i][0] for i in answers if i >= 1000)
    assert late["set"] > 300, "SETs are answered"
    for i in range(1000, len(asked)):
        assert struct.unpack_from(">H", answers[i], 6)[0] in (NOT_FOUND, MEMORY)
    assert re.search("^out of use  the table: memory did not write .*CONTROL.clear", said, re.M)
    assert figures["audit"]["items"] == 0


def test_without_errors_nothing_is_told(tmp_path: Path, seed: int) -> None:
    board.build()
    random.seed(seed)
    asked = some_requests(1000, 100)
    answers, figures, said = run(tmp_path, asked)
    seen = check(asked, answers)
    assert seen["lost"] == seen["set 0x84"] == 0
    assert set(figures["memory_errors"].values()) == {0}
    assert "memory  " not in said and "out of use" not in said


@pytest.mark.parametrize(
    ("rates", "says"),
    [
        ("often", "is no probability"),
        ("-0.1", "is no probability"),
        ("1.5", "is more than 1"),
        ("0.1,0.1,0.1", "more than two"),
        ("1e-12", "never comes"),
        ("nan", "is no probability"),
        ("", "is no probability"),
    ],
)
def test_nonsense_is_refused(tmp_path: Path, rates: str, says: str) -> None:
    board.build()
    source = tmp_path / "in.pcap"
    frames.write_pcap(source, [])
    arguments = [str(source), str(tmp_path / "out.pcap"), f"--memory-errors={rates}"]
    done = subprocess.run([*LAUNCHER, *arguments], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert says in done.stderr
