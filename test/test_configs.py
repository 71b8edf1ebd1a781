# SPDX-License-Identifier: Apache-2.0
"""Every parameter at the level of the board: other configurations answer as the model does, and
those that are illegal are refused with a line that says what is legal."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from wirecache import ROOT, setup
from wirecache.board import build as board
from wirecache.board.replay import check, expect, play
from wirecache.circuit import config, rtl, structs
from wirecache.model.appliance import Appliance
from wirecache.model.item import board_index
from wirecache.model.table import Table
from wirecache.traffic import frames
from wirecache.traffic.requests import Mix, Traffic

OTHER = "bucket,slots=4,max_key=64,max_bucket_bits=7,hash_function=crc,mem_width=128"
FUNCTIONS = {"HashLookup3": "lookup3", "HashMultiplicative": "multiplicative", "HashCrc": "crc"}
CLASSES = (128, 192, 1536)  # bytes: a value may take several bursts of any width
MIX = Mix(keys=700, gets=0.45, deletes=0.1, errors=0.03, longest_value=1000)


def table(settings: config.Config, memory: int, seed: int = 0) -> Table:
    """The model's, as large as the host makes it: an eighth of memory at most."""
    bits = 0
    size = settings.derived["bucket_lines"] * settings["slots"] * 8
    while bits < settings["max_bucket_bits"] and size << bits + 1 <= memory // 8:
        bits += 1
    function = FUNCTIONS[structs.enum("hash_e")(settings["hash_function"]).name]
    return Table(bits, slots=settings["slots"], class_bytes=CLASSES, hash_function=function)


def answers_as_the_model(
    text: str,
    seed: int,
    folder: Path,
    *options: str,
    memory: int = 1 << 30,
    messages: int = 600,
    meets: str = "",
) -> Appliance:
    """Plays random requests into a board of the configuration: so many, or up to ten times as many
    if the model has not counted what they are to meet."""
    settings = config.parse(text)
    for times in range(1, 11):
        model = Appliance(table(settings, memory), max_key=settings["max_key"])
        asked = [
            frames.request(message.data, number & 0xFFFF)
            for number, message in enumerate(Traffic(seed, MIX).messages(times * messages))
        ]
        expected = expect(model, asked, gap_ns=1_500)
        if not meets or model.table.counters[meets]:
            break
    played = play(
        expected.timed_frames,
        folder,
        *("--config", text, "--memory", str(memory), "--classes", ",".join(map(str, CLASSES))),
        *options,
    )
    check(played, expected, model)
    assert played.summary["bad_pointers"] == 0
    counters = model.table.counters
    assert counters["get_hit"] > 100 and counters["set"] > 100 and counters["del_hit"] > 10
    return model


def test_another_configuration(seed: int, tmp_path: Path) -> None:
    """As much as one can have at once, and more keys than slots."""
    model = answers_as_the_model(OTHER, seed, tmp_path, messages=2500, meets="set_full")
    assert model.table.counters["set_full"]


def test_classic_commands_alone(seed: int, tmp_path: Path) -> None:
    """Without the other protocols their commands are words that are none, in text lines. The board
    has a filter before its table, too: answers are the same, and misses are not looked for."""
    index = board_index()
    index.meta = index.binary = False
    model = Appliance(index)
    messages = Traffic(seed, MIX).messages(600)
    asked = [frames.request(message.data, n & 0xFFFF) for n, message in enumerate(messages)]
    expected = expect(model, asked, gap_ns=1_500)
    played = play(
        expected.timed_frames, tmp_path, "--config", "udp,protocols=classic,filter_cells=4096"
    )
    check(played, expected, model)
    assert played.summary["counters"]["filter_denied"] > 50
    assert index.counters["get_hit"] > 50
    assert sum(b"\r\nERROR\r\n" in frame for frame in expected.frames) > 100


def test_several_ways_behind_a_filter(seed: int, tmp_path: Path) -> None:
    """As for a small part: memory of 128 bits, two lines for a key, and a small filter."""
    memory = 8 << 20
    model = Appliance(board_index(memory))
    stream = Traffic(seed, Mix(keys=300, deletes=0.1, flushes=0.01))
    asked = [frames.request(m.data, n) for n, m in enumerate(stream.messages(1000))]
    expected = expect(model, asked, gap_ns=1_500)
    played = play(expected.timed_frames, tmp_path, "--config", "zynq", "--memory", str(memory))
    check(played, expected, model)
    assert played.summary["counters"]["filter_denied"] > 50


LATENCY = {
    10: ("--memory-timing", "fixed", "--memory-latency", "10"),
    200: ("--memory-timing", "fixed", "--memory-latency", "200"),
}


@pytest.mark.full
@pytest.mark.parametrize(
    ("text", "latency"),
    [
        ("bucket,mem_width=128", 10),
        ("bucket,mem_width=256,max_key=168,hash_function=multiplicative", 200),
        ("bucket,mem_width=384", 10),
        ("trets", 200),
        ("bucket,slots=4", 10),
        ("bucket,slots=4,mem_width=256,max_key=64,in_flight=8", 200),
        ("bucket,slots=16,mem_width=512,max_key=64", 10),
        ("bucket,slots=16,mem_width=128,max_key=168", 200),
        ("bucket,slots=16,mem_width=256", 10),
        ("ecp5", 200),
    ],
)
def test_configurations(text: str, latency: int, seed: int, tmp_path: Path) -> None:
    answers_as_the_model(text, seed, tmp_path, *LATENCY[latency], messages=2000)


@pytest.mark.full
@pytest.mark.parametrize(("memory", "bits"), [(4 << 20, 7), (64 << 30, 21)])
def test_smallest_and_largest_table(memory: int, bits: int, seed: int, tmp_path: Path) -> None:
    """2^10 and 2^24 entries of eight slots a bucket."""
    model = answers_as_the_model("bucket", seed, tmp_path, memory=memory)
    assert model.table.buckets == 1 << bits


def test_keys_too_long(tmp_path: Path) -> None:
    """A key beyond max_key is what one beyond 250 is to memcached, and nothing follows from it."""
    limit = 64
    model = Appliance(table(config.parse(OTHER), 1 << 30), max_key=limit)
    asked = []
    for length in (1, limit - 1, limit, limit + 1, limit + 7, limit + 8, 128, 192, 249, 250, 251):
        key = b"k" * length
        asked += [
            frames.request(data, length)
            for data in (
                b"set %b 1 0 3\r\nabc\r\n" % key,
                b"get a %b b\r\n" % key,
                b"gets %b\r\n" % key,
                b"delete %b\r\n" % key,
                *(_binary(opcode, key) for opcode in (0x01, 0x00, 0x0C, 0x04)),
                b"version\r\n",
            )
        ]
    expected = expect(model, asked)
    options = ("--config", OTHER, "--classes", ",".join(map(str, CLASSES)))
    check(play(expected.timed_frames, tmp_path, *options), expected, model)
    errors = [a for a in expected.frames if b"CLIENT_ERROR" in a or b"Invalid" in a]
    assert len(errors) >= 6 * 7


def _binary(opcode: int, key: bytes) -> bytes:
    from wirecache.model.binary import HEADER

    extras, value = (bytes(8), b"abc") if opcode == 0x01 else (b"", b"")
    body = extras + key + value
    return HEADER.pack(0x80, opcode, len(key), len(extras), 0, 0, len(body), 7, 0) + body


# ---- what is refused --------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("slots=5", "legal are slots 4, 8, 16"),
        ("max_key=251", "max_key 8 to 250"),
        ("max_key=7", "max_key 8 to 250"),
        ("mem_width=64", "mem_width 128, 256, 384, 512, with 384 slots 8"),
        ("slots=16,mem_width=384", "mem_width 128, 256, 384, 512, with 384 slots 8"),
        ("max_bucket_bits=25", "max_bucket_bits 4 to 24"),
        ("in_flight=48", "powers of two"),
        ("queue_depth=1000", "powers of two"),
        ("addr_width=32", "addr_width 36 to 64"),
        ("mem_width=wide", "mem_width 128, 256, 384, 512"),
        ("width=512", "there are default, trets, ecp5, bucket, item, ecp5item, simulated"),
        ("paper", "there are default, trets, ecp5, bucket, item, ecp5item, simulated"),
    ],
)
def test_illegal_values(text: str, says: str, tmp_path: Path) -> None:
    """Refused before anything is built."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "wirecache"), "serve", "--config", text],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("wirecache: ") and done.stderr.count("\n") == 1, done.stderr
    assert says in done.stderr


@pytest.mark.parametrize("wrong", [{"slots": 6}, {"mem_width": 96}, {"slots": 4, "mem_width": 384}])
def test_elaboration_stops(wrong: dict[str, int]) -> None:
    """Whoever builds the circuit without ./wirecache learns the same."""
    setup.verilator_on_path()
    values = config.named()["simulated"] | wrong
    files = rtl.files("shell_sim")
    done = subprocess.run(
        ["verilator", "--lint-only", "-Wno-lint", "-Wno-style", "--top-module", board.TOP]
        + [f"-I{folder}" for folder in files.include_dirs]
        + [f"-GUser={config.Config(values).literal}", *map(str, files.sources)],
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "slots 4, 8, 16" in done.stderr, done.stderr


def test_names_and_derived_values() -> None:
    assert config.parse("simulated").text == ""
    trets = config.parse("trets")
    assert (trets["mem_width"], trets["max_key"]) == (384, 168)
    assert trets.derived["bucket_lines"] == 24  # four bursts of six lines, none wasted
    assert config.parse("bucket,mem_width=384").derived["bucket_lines"] == 36
    assert config.parse(config.parse("trets,slots=8").text).values == trets.values
    draw = random.Random(1)
    for _ in range(20):
        wanted = {"max_key": draw.randint(8, 250), "hash_units": draw.randint(1, 16)}
        text = ",".join(f"{k}={v}" for k, v in wanted.items())
        assert wanted.items() <= config.parse(text).values.items()
