# SPDX-License-Identifier: Apache-2.0
"""Spoiled frames: each is answered or counted, and those after it are served as ever."""

import random
from collections import Counter
from pathlib import Path

import pytest
from wirecache.board.replay import START, ask, check, expect, play
from wirecache.model.appliance import Appliance
from wirecache.testbench.bench import full
from wirecache.traffic import frames
from wirecache.traffic.mutate import Mutator
from wirecache.traffic.requests import Mix, Traffic

SPOILED = 10_000
FEWER = 4_000
KINDS = 26  # ways of spoiling, at least
TYPE, PROTOCOL = slice(12, 14), slice(23, 24)  # of a frame with IP
TAIL = 300


def is_tcp(frame: bytes) -> bool:
    """Of which the model knows nothing: test_wc_net_tcp has all kinds of these."""
    return frame[TYPE] == b"\x08\0" and frame[PROTOCOL] == b"\6"


@pytest.mark.parametrize(
    ("config", "count"),
    [
        ("udp", FEWER),
        ("simulated", FEWER // 4),
        full("udp", SPOILED),
        full("simulated", SPOILED),
    ],
)
def test_malformed_frames(config: str, count: int, seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    traffic = Traffic(seed, Mix(keys=200, longest_value=300, cut=0.02, flushes=0.0005))
    mutate = Mutator(seed)
    foresees = Appliance()  # a spoiled line may be a command to which the host answers with numbers
    asked, kinds = [], Counter[str]()
    for number in range(count):
        frame = frames.request(traffic.message().data, number & 0xFFFF)
        if draw.random() < 0.3:
            asked.append(frame)
        kind, spoiled = mutate(frame)
        kinds[kind] += 1
        if config == "simulated" and is_tcp(spoiled):
            continue
        ask(foresees, START * 10**9, spoiled)
        if foresees.unforeseen:
            foresees.unforeseen.clear()
            continue
        asked.append(spoiled)
    asked += [frames.request(b"flush_all\r\n", 1)]  # whatever they did, the tail starts empty
    tail = [frames.request(m.data, 0x8000 + n) for n, m in enumerate(traffic.messages(TAIL))]
    model = Appliance()
    expected = expect(model, asked + tail)
    played = play(expected.timed_frames, tmp_path, "--config", config)
    counters = played.counters
    print({name: count for name, count in counters.items() if count})

    drops = sum(count for name, count in counters.items() if name.startswith("drop_"))
    replies = counters["arp_reply"] + counters["icmp_reply"]
    assert counters["frame_in"] == len(asked) + len(tail), "a frame is missing"
    assert drops + replies + counters["request_in"] == counters["frame_in"]
    assert len(kinds) >= KINDS, kinds
    assert min(kinds.values()) > count // (4 * KINDS), "every way of spoiling was drawn"

    assert sum(map(bool, expected.answers[-TAIL:])) > TAIL // 2, "the tail asks for answers"
    check(played, expected, model)
