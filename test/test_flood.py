# SPDX-License-Identifier: Apache-2.0
"""Floods at full rate, each followed by a plain get: everything is answered or counted, and right.

The model answers each datagram; what the board sends must be that, or nothing when it was dropped.
`replay` ends with an error when anything that the board took is neither answered nor counted.
"""

import random
from collections import defaultdict
from pathlib import Path

import pytest
from wirecache.board.replay import START, play
from wirecache.circuit import config, structs
from wirecache.model import network
from wirecache.model.appliance import Appliance
from wirecache.traffic import flood, frames

SET = b"set k 7 0 20\r\n" + b"v" * 20 + b"\r\n"
GET = b"get k\r\n"
PLAIN = frames.CLIENT.at_port(1000)  # who asks plainly; each datagram of a flood has its own port
PORTS = [port for port in range(1024, 65536) if port != frames.BOARD.port]
BYTE_NS = 0.8
DRAIN_NS = 1_500_000  # for a receive buffer full of the slowest requests
BURST = 40  # datagrams of a kind at a time: three times what the receive buffer holds
UNITS = "udp,mem_width=128"
OTHER = "bucket,slots=4,max_key=64,max_bucket_bits=7,hash_function=crc,mem_width=128"


def run(seed: int, count: int, folder: Path, text: str, frame_header: bool) -> None:
    """Plays `count` datagrams, a plain get behind each burst."""
    draw = random.Random(seed)
    longest = flood.LONGEST if frame_header else flood.LONGEST_BARE
    settings = network.Settings(frame_header=frame_header)
    model = Appliance(settings=settings, max_key=config.parse(text)["max_key"])
    model.table.time = START
    timed: list[tuple[int, bytes]] = []
    now = 0.0

    def send(data: bytes, source: frames.Endpoint) -> list[bytes]:
        nonlocal now
        frame = frames.request(data, 0, source, frame_header=frame_header)
        timed.append((START * 10**9 + int(now), frame))
        now += frames.wire_bytes(frame) * BYTE_NS
        return model.frame(frame)

    plain = send(SET, PLAIN)
    now += 20_000
    wanted: dict[int, list[bytes]] = {}
    kinds = list(flood.KINDS.values())
    while len(wanted) < count:
        dense = kinds.pop(0) if kinds else draw.choice([*flood.KINDS.values()])
        for _ in range(min(BURST, count - len(wanted))):
            size = longest if draw.random() < 0.7 else draw.randint(1, longest)
            port = PORTS[len(wanted)]
            wanted[port] = send(dense(draw, size), PLAIN.at_port(port))
        now += DRAIN_NS
        plain += send(GET, PLAIN)
        now += 20_000
    assert not kinds, "every kind was drawn"

    options = () if frame_header else ("--no-frame-header",)
    played = play(timed, folder, "--config", text, *options)
    assert played.summary["unanswered"] == 0

    sent: dict[int, list[bytes]] = defaultdict(list)
    for frame in played.frames:
        datagram = frames.parse_datagram(frame)
        assert datagram is not None
        sent[datagram.destination.port].append(frame)
    assert sent.pop(PLAIN.port) == plain, "a plain request was not answered"
    for port, answers in sent.items():
        assert answers == wanted[port], f"the answer to datagram {PORTS.index(port)} is wrong"
    counters = played.counters
    silent = sum(not answers for answers in wanted.values())
    taken = counters["request_in"] - len(plain)
    print({name: value for name, value in counters.items() if value})
    assert counters["frame_in"] == len(timed)
    assert counters["request_in"] + counters["drop_overflow"] == len(timed)
    assert len(sent) <= taken <= len(sent) + silent, "what was taken is answered, or says nothing"
    assert len(sent) > count // 10, "some of it was taken"


def test_floods(seed: int, tmp_path: Path) -> None:
    run(seed, len(flood.KINDS) * BURST, tmp_path, "simulated", frame_header=True)


def test_floods_without_frame_header(seed: int, tmp_path: Path) -> None:
    run(seed, len(flood.KINDS) * BURST, tmp_path, "simulated", frame_header=False)


def test_floods_into_another_configuration(seed: int, tmp_path: Path) -> None:
    run(seed, len(flood.KINDS) * BURST, tmp_path, OTHER, frame_header=True)


@pytest.mark.parametrize("text", ["simulated", UNITS])
def test_floods_of_writes(text: str, seed: int, tmp_path: Path) -> None:
    """Every command that changes items, with CAS numbers that clients give and without: what the
    answers are depends on what was dropped, but whoever asks plainly behind a flood is answered."""
    draw = random.Random(seed)
    timed: list[tuple[int, bytes]] = []
    now = 0.0

    def send(data: bytes, source: frames.Endpoint) -> None:
        nonlocal now
        frame = frames.request(data, 0, source)
        timed.append((START * 10**9 + int(now), frame))
        now += frames.wire_bytes(frame) * BYTE_NS

    bursts = [*flood.WRITES.values(), *draw.choices([*flood.WRITES.values()], k=20)]
    for dense in bursts:
        for _ in range(BURST // 2):
            size = flood.LONGEST if draw.random() < 0.7 else draw.randint(1, flood.LONGEST)
            send(dense(draw, size), PLAIN.at_port(draw.choice(PORTS)))
        now += DRAIN_NS
        for data in (SET, GET):
            send(data, PLAIN)
            now += 20_000
    played = play(timed, tmp_path, "--config", text)
    print({name: value for name, value in played.counters.items() if value})
    assert played.summary["unanswered"] == 0 and played.counters["stuck"] == 0
    assert played.counters["request_in"] + played.counters["drop_overflow"] == len(timed)
    plain = [
        datagram.payload[8:]
        for datagram in map(frames.parse_datagram, played.frames)
        if datagram is not None and datagram.destination.port == PLAIN.port
    ]
    answers = [b"STORED\r\n", b"VALUE k 7 20\r\n" + b"v" * 20 + b"\r\nEND\r\n"]
    assert plain == answers * len(bursts), "a plain request was not answered"
    assert min(played.counters[name] for name in ("set", "delete", "touch", "incr")) > 100


@pytest.mark.full
@pytest.mark.parametrize("text", ["simulated", OTHER, "trets", "ecp5"])
@pytest.mark.parametrize("part", range(5))
def test_a_million_datagrams(text: str, part: int, seed: int, tmp_path: Path) -> None:
    run(seed + part, 50_000, tmp_path, text, frame_header=part != 4)


def test_the_densest_message_fits() -> None:
    """The kinds have what the circuit's bounds are made for: an operation for each byte or two."""
    draw = random.Random(1)
    assert structs.constant("PacketBytes") == flood.LONGEST_BARE
    line_ends = flood.KINDS[repr(b"\n")](draw, flood.LONGEST_BARE)
    assert line_ends.count(b"\n") == flood.LONGEST_BARE
    keys = flood.KINDS["keys"](draw, flood.LONGEST_BARE).split()[1:]
    most = structs.constant("CommandOperations")
    assert most - 8 < len(keys) <= most
