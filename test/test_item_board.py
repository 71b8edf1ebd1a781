# SPDX-License-Identifier: Apache-2.0
"""The board with the item index, over the wire: it answers as the reference model does, also when
its memory is full and its sweeper evicts. The circuit's own record of its table's order drives the
model then (wirecache.model.follow)."""

from pathlib import Path
from typing import Any

import pytest
from wirecache.board.replay import START, check, expect, play, without_asides
from wirecache.board.session import Session
from wirecache.model.appliance import Appliance
from wirecache.model.follow import RecordedIndex
from wirecache.model.item import USUAL_ITEM_BYTES, board_index, board_pool, table_buckets
from wirecache.model.item_table import MOST_MOVES, name_of
from wirecache.model.lookup3 import hashlittle2
from wirecache.testbench.bench import full
from wirecache.traffic import frames
from wirecache.traffic.requests import Mix, Traffic, ascii_set

CONFIG = ("--config", "udp")
# The same where memory gives units, not lines.
NARROW = ("--config", "udp,mem_width=128")
WIDTHS = pytest.mark.parametrize("config", [CONFIG, NARROW], ids=["lines", "units"])
SMALL = 1_400_000  # bytes of memory: 36 segments of 32 KiB
RATE = 2 * 10**9  # bits a second: answers are longer than requests, and nothing must be dropped

FULL = {
    "used again": Mix(keys=2_500, gets=0.5, deletes=0.02, longest_value=900, flushes=0),
    "few keys": Mix(keys=40, gets=0.2, deletes=0.1, longest_value=1300, commands=2, flushes=0),
    "flushed": Mix(keys=20_000, gets=0.2, longest_value=1000, flushes=0.002),
}


def asked(mix: Mix, messages: int, seed: int) -> list[bytes]:
    return [
        frames.request(message.data, number & 0xFFFF)
        for number, message in enumerate(Traffic(seed, mix).messages(messages))
    ]


@WIDTHS
def test_random_stream(config: tuple[str, str], seed: int, tmp_path: Path) -> None:
    """There is room for everything."""
    memory = 64 << 20
    model = Appliance(board_index(memory))
    expected = expect(model, asked(Mix(flushes=0.002, cut=0.03), 1500, seed))
    check(play(expected.timed_frames, tmp_path, *config, "--memory", str(memory)), expected, model)
    assert model.table.counters["get_hit"] and model.table.counters["set"]


def test_a_dense_multi_get(tmp_path: Path) -> None:
    """The most keys that a datagram has room for are far from the limit of an answer. (Answers to
    meta commands, which may be longer, once counted for all.)"""
    model = Appliance(board_index(64 << 20))
    requests = [ascii_set(b"k", b"v"), b"get" + b" k" * 725 + b"\r\n"]
    asked = [frames.request(request, number) for number, request in enumerate(requests)]
    expected = expect(model, asked, gap_ns=20_000)
    check(
        play(expected.timed_frames, tmp_path, *CONFIG, "--memory", str(64 << 20)), expected, model
    )
    assert b"".join(expected.answers[1]).count(b"VALUE k 0 1") > 700
    assert not any(b"too large" in frame for frame in expected.frames)


@WIDTHS
def test_a_hot_key_grows(config: tuple[str, str], tmp_path: Path) -> None:
    """Joined at one by one and several in a datagram, at either end; then it is read."""
    pieces = [
        ascii_set(b"k", b"<%d>" % number, name=b"append" if number % 3 else b"prepend")
        for number in range(600)
    ]
    alone, many = pieces[:100], pieces[100:]
    datagrams = [b"".join(many[at : at + 10]) for at in range(0, len(many), 10)]
    requests = [ascii_set(b"k", b"", 7), *alone, b"get k\r\n", *datagrams, b"gets k\r\n"]
    model = Appliance(board_index(64 << 20))
    numbered = [frames.request(request, number) for number, request in enumerate(requests)]
    expected = expect(model, numbered, gap_ns=20_000)  # each writes the whole value anew
    played = play(expected.timed_frames, tmp_path, *config, "--memory", str(64 << 20))
    check(played, expected, model)
    item = model.table.peek(b"k")
    assert item is not None and len(item.value) > 2_000


@pytest.mark.full
def test_a_long_copy_is_no_standstill() -> None:
    """Behind an APPEND to a large value everything waits until it is copied, for more cycles than
    "stuck" waits: but words are joined meanwhile."""
    piece = ascii_set(b"k", b"x" * 1380, name=b"append")
    requests = [ascii_set(b"k", b""), *[piece] * 430, b"gets k\r\n"]
    asked = [frames.request(request, number) for number, request in enumerate(requests)]
    with Session(*CONFIG, "--memory", str(64 << 20)) as session:
        phase = session.play(asked, rate=2 * 10**7)
    assert phase.summary["unanswered"] == 0 and phase.counters["stuck"] == 0
    assert phase.counters["set"] == 431


@WIDTHS
def test_a_long_answer_is_no_standstill(config: tuple[str, str]) -> None:
    """An answer that takes longer to leave than "stuck" waits, and nothing else is in flight."""
    piece = ascii_set(b"k", b"x" * 1380, name=b"append")
    requests = [ascii_set(b"k", b""), *[piece] * 43, b"get" + b" k" * 12 + b"\r\n"]
    asked = [frames.request(request, number) for number, request in enumerate(requests)]
    options = ("--memory", str(64 << 20), "--udp-answer-limit", str(1 << 20))
    with Session(*config, *options) as session:
        phase = session.play(asked, rate=2 * 10**8)
    assert phase.summary["unanswered"] == 0 and phase.counters["stuck"] == 0
    assert phase.counters["get_hit"] == 12
    assert phase.summary["out"]["frame_bytes"] > 700_000


def follows(
    mix: Mix,
    messages: int,
    seed: int,
    rounds: int = 1,
    memory: int = SMALL,
    config: tuple[str, str] = CONFIG,
    item_size: int = USUAL_ITEM_BYTES,
    ways: int = 1,
    moves: int = MOST_MOVES,
) -> RecordedIndex:
    """Plays requests into a board whose memory is soon full; the model follows."""
    buckets = table_buckets(memory, item_size)
    pool = board_pool(memory, buckets)
    index = RecordedIndex(memory, buckets=buckets, pool=pool, ways=ways, moves=moves)
    index.time = START
    model = Appliance(index)
    sizes = ("--memory", str(memory), "--item-size", str(item_size))
    with Session(*config, *sizes) as session:
        for number in range(rounds):
            requests = asked(mix, messages, seed + number)
            phase = session.play(requests, rate=RATE, record=True, sent=True, audit=True)
            assert not phase.summary["unanswered"] and not phase.summary["dropped"]
            index.record(phase.lists["item_probe"])
            wanted = [out for frame in requests for out in model.frame(frame)]
            sent = without_asides(phase.frames, wanted, model)
            assert len(sent) == len(wanted), "answers are missing, or too many"
            for at, (got, want) in enumerate(zip(sent, wanted, strict=True)):
                assert got == want, f"answer {at}"
            index.finish()
            assert phase.summary["audit"]["items"] == index.items
    return index


@WIDTHS
@pytest.mark.parametrize("name", FULL)
def test_full_memory(name: str, config: tuple[str, str], seed: int) -> None:
    index = follows(FULL[name], 10_500, seed, config=config)
    assert index.counters["get_hit"] > 100
    assert index.follower.sweeps > 5, "its memory was not full"


# One more item may be put out for one that is new.
TWO_WAYS = ("--config", "udp,ways=2,moves=1")


@pytest.mark.parametrize("item_size", [full(USUAL_ITEM_BYTES), 900])
@pytest.mark.parametrize("name", FULL)
def test_two_ways(name: str, item_size: int, seed: int) -> None:
    """A key may be in two lines, and items are moved from one to the other. With a table that was
    made for large items most lines are full."""
    two: dict[str, Any] = {"config": TWO_WAYS, "ways": 2, "moves": 1, "item_size": item_size}
    index = follows(FULL[name], 12_500, seed, **two)
    assert index.counters["get_hit"] > 100
    assert index.follower.sweeps > 5, "its memory was not full"
    crowded = item_size > USUAL_ITEM_BYTES and name == "flushed"
    assert not crowded or index.counters["moved"] > 20


def test_a_hot_counter_beside_others() -> None:
    """INCRs of one key hold its lines and fill the log, so the sweeper meets items that share one
    of these lines, and have another one that memory tells late. (The sweeper's operation once went
    before this line had come, and all others of its bank behind it.)"""
    buckets = table_buckets(SMALL)

    def home(key: bytes) -> int:
        return name_of(hashlittle2(key), buckets, 2)[0]

    keys = (b"x%d" % number for number in range(60_000))
    beside = [key for key in keys if home(key) == home(b"counter")][:14]
    others = [ascii_set(b"f%d" % number, b"v" * 900) for number in range(300)]
    first = [ascii_set(b"counter", b"1"), *others, *(ascii_set(k, b"v" * 300) for k in beside)]
    incrs = [b"incr counter 1\r\n"] * 30_000
    options = ("--memory", str(SMALL), "--memory-latency", "200")
    with Session(*TWO_WAYS, *options) as session:
        for requests, rate in ((first + others, RATE), (incrs, 46 * 10**8), (first, RATE)):
            sent = [
                frames.request(request, number & 0xFFFF) for number, request in enumerate(requests)
            ]
            phase = session.play(sent, rate=rate, audit=True)
            assert phase.summary["unanswered"] == 0 and phase.counters["stuck"] == 0
        assert phase.counters["set"] == len(first)


@WIDTHS
def test_dense_creations(config: tuple[str, str]) -> None:
    """The shortest lines that store an item, as many as a datagram has room for: of new keys until
    memory is full, and of few, most of which are there. Then as fast as they come. `ma k` has five
    bytes, and takes room for a number: so many in a datagram once stopped the board for ever."""
    most = frames.MAX_PAYLOAD - 8  # behind the frame header
    lines = [b"mg %x N0\n" % number for number in range(40_000)]
    few = [b"mg %c N0\n" % letter for letter in range(ord("a"), ord("z"))] * 70
    numbers = [b"ma %x N0\n" % number for number in range(1 << 20, (1 << 20) + 9_000)]
    fewer = [b"ma %c N0\n" % letter for letter in range(ord("A"), ord("Z"))] * 70
    counts = [b"ma %c\n" % letter for letter in range(ord("A"), ord("Z"))] * 120
    stores = ((lines, 10**9), (few, 10**8), (numbers, 10**9), (fewer, 10**8), (counts, 10**8))
    index = RecordedIndex(SMALL, pool=board_pool(SMALL))
    index.time = START
    model = Appliance(index)
    with Session(*config, "--memory", str(SMALL)) as session:
        everything: list[bytes] = []
        for some, rate in stores:
            requests: list[bytes] = []
            left = b"".join(some)
            while left:
                end = left.rindex(b"\n", 0, most) + 1
                requests.append(frames.request(left[:end], len(requests)))
                left = left[end:]
            phase = session.play(requests, rate=rate, record=True, sent=True, audit=True)
            assert not phase.summary["unanswered"] and not phase.summary["dropped"]
            index.record(phase.lists["item_probe"])
            wanted = [out for frame in requests for out in model.frame(frame)]
            assert without_asides(phase.frames, wanted, model) == wanted
            index.finish()
            assert phase.summary["audit"]["items"] == index.items
            everything += requests
        assert index.follower.sweeps > 5, "its memory was not full"
        phase = session.play(everything, rate=10**10)
        assert phase.summary["unanswered"] == 0 and phase.counters["stuck"] == 0


@WIDTHS
def test_many_readers_leave_at_once(config: tuple[str, str]) -> None:
    """GETs of a value without bytes leave their segment in every cycle once their message ends, and
    those of an expired item every other cycle meanwhile. This once stopped the board for ever, when
    the sweeper came to the segment."""
    sets = [ascii_set(b"k", b""), ascii_set(b"x", b"v", 0, -1)]
    gets = [b"get " + b" ".join([key] * 700) + b"\r\n" for key in (b"k", b"x")] * 12
    fill = [ascii_set(b"fill%d" % number, b"v" * 1300) for number in range(1500)]
    with Session(*config, "--memory", str(SMALL)) as session:
        for requests, rate in ((sets, RATE), (gets, 10**10), (fill, RATE)):
            asked = [frames.request(request, number) for number, request in enumerate(requests)]
            phase = session.play(asked, rate=rate)
            assert not phase.summary["unanswered"]
    assert not phase.summary["dropped"] and phase.summary["counters"]["sweep_new"] > 20


@pytest.mark.full
@pytest.mark.parametrize("ways", [1, 2])
def test_a_million_operations(ways: int, seed: int) -> None:
    """With two ways in a table whose lines are full."""
    mix = Mix(keys=30_000, gets=0.45, deletes=0.05, longest_value=400, errors=0.01, flushes=0.0001)
    two: dict[str, Any] = {"config": TWO_WAYS, "ways": 2, "moves": 1, "item_size": 900}
    index = follows(mix, 20_000, seed, rounds=20, **(two if ways == 2 else {}))
    counters = index.counters
    assert ways == 1 or counters["moved"] > 1000
    assert sum(counters[name] for name in ("get", "set", "del")) > 1_000_000
