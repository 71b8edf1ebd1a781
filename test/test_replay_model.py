# SPDX-License-Identifier: Apache-2.0
"""The circuit answers as the reference model does: every byte, every counter."""

import random
from pathlib import Path

import pytest
from wirecache import frames
from wirecache.frames import CLIENT, Endpoint
from wirecache.model.appliance import Appliance
from wirecache.replay import check, expect, play
from wirecache.traffic import Mix, Traffic


def requests(traffic: Traffic, messages: int, seed: int) -> list[bytes]:
    """Frames of several clients, some of which look for the board and ping it."""
    draw = random.Random(seed)
    clients = [CLIENT] + [
        Endpoint(b"\x52\x55" + draw.randbytes(4), draw.randbytes(4), draw.randint(1, 0xFFFF))
        for _ in range(7)
    ]
    out = []
    for number, message in enumerate(traffic.messages(messages)):
        client = draw.choice(clients)
        if draw.random() < 0.02:
            out.append(frames.arp_request(client))
            out.append(frames.icmp_echo(draw.randbytes(draw.randint(0, 200)), 1, number, client))
        out.append(frames.request(message.data, number & 0xFFFF, client))
    return out


STREAMS = {
    "mixed": Mix(flushes=0.002, cut=0.03),
    "errors": Mix(errors=0.5, keys=50, cut=0.1),
    "few keys": Mix(keys=6, gets=0.4, deletes=0.2, commands=12, longest_value=100),
    "long values": Mix(longest_value=1400, commands=2, keys=100),
}


@pytest.mark.parametrize("name", STREAMS)
def test_random_streams(name: str, seed: int, tmp_path: Path) -> None:
    model = Appliance()
    expected = expect(model, requests(Traffic(seed, STREAMS[name]), 1500, seed))
    check(play(expected.timed_frames, tmp_path, "--as-captured"), expected, model)
    assert model.table.counters["get_hit"] and model.table.counters["set"]


@pytest.mark.full
def test_a_long_stream(seed: int, tmp_path: Path) -> None:
    model = Appliance()
    expected = expect(model, requests(Traffic(seed, Mix(keys=3000, cut=0.02)), 20_000, seed))
    check(play(expected.timed_frames, tmp_path, "--as-captured"), expected, model)
