# SPDX-License-Identifier: Apache-2.0
"""Benches on the simulated board with the papers' table, as `wirecache bench` runs them, a few
points each: what they promise, and that they repeat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from wirecache import benches
from wirecache.benches import Options, Result, commands, misses
from wirecache.benches import _table as table
from wirecache.benches import _wire as wire
from wirecache.benches.conflicts import probability
from wirecache.board import build as board
from wirecache.circuit.config import parse
from wirecache.testbench.bench import full


@pytest.fixture(scope="module", autouse=True)
def built() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WIRECACHE_CONFIG", "bucket")
        board.build(config=parse("bucket"))
        board.build(table=True, config=parse("bucket"))
        yield


@cache
def quick(name: str) -> Result:
    result = benches.module(name).run(Options(quick=True))
    assert isinstance(result, Result)
    return result


def test_line_rate() -> None:
    points = quick("line-rate").data["points"]
    assert len(points) > 60
    for point in points:
        promised = point["protocol"] == "binary" and point["load"] in ("GET", "DELETE")
        if promised and point["size"] > 1:
            assert point["share"] == pytest.approx(1, abs=0.005), point  # refresh
            assert point["dropped"] == 0 and point["expected"], point
    paper = [p for p in points if p["load"] == "GET, 1 byte" and p["protocol"] == "binary"]
    # From first answer to last: a refresh before the first of 2,000 is a thousandth.
    assert [p["mega_operations"] for p in paper] == pytest.approx([13.02], rel=0.002)


def test_latency() -> None:
    for point in quick("latency").data["points"]:
        assert sum(point["stages"].values()) == pytest.approx(point["mean"])
        assert min(point["stages"].values()) > 0, point
        assert 0 < point["memory"] < point["stages"]["index"]
        assert point["least"] <= point["p50"] <= point["p99"] <= point["p99.9"]
        assert point["dropped"] == 0


def test_pipeline() -> None:
    points = quick("pipeline").data["points"]
    assert {point["load"] for point in points} == {"GET", "GET, miss", "SET", "SET, new", "DELETE"}
    for point in points:
        # From first answer to last: with DRAM the first may have waited for a refresh.
        spare = 0.01 if point["memory"] == "fixed" else 0.03
        assert point["cycles"] > point["least"] - spare, point
        if point["load"].startswith("GET") and point["memory"] == "fixed":
            assert point["cycles"] == pytest.approx(point["least"], abs=0.01), point


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_table_alone_with_few_keys(count: int) -> None:
    """The wire pads the frames of so few operations with zeros, which are none."""
    keys = wire.keys(6, count)
    with table.board() as session:
        table.populate(session, keys, 6)
        counters = table.play(session, [table.Operation("get", key) for key in keys]).counters
    assert (counters["get_hit"], counters["other"]) == (count, 0)


def test_conflicts() -> None:
    for point in quick("conflicts").data["points"]:
        if point["share"] == 0:
            assert point["stall"] == point["forward"] == point["expected"] == 0, point
            assert point["cycles"] == pytest.approx(point["limit"], rel=0.03), point
        assert point["inside"] > 1


def test_datagrams() -> None:
    singles, points = (quick("datagrams").data[name] for name in ("singles", "points"))
    # A key whose bucket lies in the bank of its value's block waits for rows.
    for point in singles:
        conflicts = point["dram"]["row_conflicts"] / point["operations"]
        assert (point["slowest"] == "behind") == (conflicts > 0.5), point
    assert {point["slowest"] for point in singles} == {"wire", "behind"}
    assert {point["slowest"] for point in points} == {"wire", "parser", "behind"}
    for point in points:
        lost = point["dropped"] / point["datagrams"]
        assert 0 <= lost < 1
        if point["slowest"] == "wire" or point["commands"] == 1:
            assert lost == 0, point
        if point["load"].endswith("GET") and "SET" not in point["load"]:  # n + 3 are 4 cycles
            assert point["cycles"] > 3.9, point
    cycles = {(p["memory"], p["load"], p["commands"], p["keys"]): p["cycles"] for p in points}
    # What hw/request/README.md says a set takes the parser, a packet's end, a word of no command.
    assert cycles["fixed", "ASCII SET", 8, 200] == pytest.approx(9 + 1 / 8, abs=0.01)
    assert cycles["fixed", "words of no command", 0, 1] == pytest.approx(4 * 1464 / 8, rel=0.01)


def test_commands() -> None:
    points = quick("commands").data["points"]
    together = commands.PIPELINED.keys() & commands.commands()
    assert len(points) == 2 * 2 * len(commands.commands()) + len(together)
    for point in points:
        if point["place"] == "together":
            assert point["dropped"] == 0 and point["expected"], point
            assert point["cycles"] < 1.03 * point["limit"], point
        elif point["place"] == "wire":
            assert point["dropped"] == 0 and point["expected"], point
            assert point["cycles"] > 0.95 * point["limit"], point
        elif point["command"] == "get":
            assert point["cycles"] >= 4.9, point  # n + 3


def test_stats() -> None:
    """GETs at full rate beside `stats`: none is lost, none later than beside as long an answer."""
    points = quick("stats").data["points"]
    by_name = {(point["load"], point["beside"]): point for point in points}
    assert {load for load, _ in by_name} == {0.9, 1.0}
    for (load, beside), point in by_name.items():
        assert point["dropped"] == 0, point
        assert point["answered"] == point["asked"], point
        assert (point["asked"] > 5) == (beside != "nothing"), point
        alone, large = (by_name[load, name] for name in ("nothing", "large get"))
        assert alone["p50"] <= point["p50"] < 1.1 * alone["p50"], point
        assert point["p99.9"] < max(1.1 * large["p99.9"], alone["p99.9"] + 1), point


def test_probability_of_a_conflict() -> None:
    assert probability(0.1, 500, 1) == pytest.approx(0.1 / 500)
    assert probability(0.5, 1, 2) == pytest.approx(0.75)
    assert probability(0.1, 500, 64) < 0.05  # TRETS'15, 6.1


@pytest.mark.parametrize(
    "name",
    ["latency", "conflicts", "commands", full("line-rate"), full("pipeline"), full("datagrams")],
)
def test_the_same_every_time(name: str) -> None:
    again = benches.module(name).run(Options(quick=True))
    assert again.as_dict() == quick(name).as_dict()


@pytest.mark.full
def test_fill() -> None:
    """With more ways the table is fuller before an item gives way."""
    least = {
        (point["ways"], point["load"] == "SETs alone"): point["least"]
        for point in quick("fill").data["points"]
    }
    assert least[1, True] < 50 and least[2, True] >= 80 and least[4, True] >= 90
    assert least[2, False] >= 85 and least[4, False] >= 90


@pytest.mark.full
def test_misses() -> None:
    """Without a filter a miss reads a bucket, or a line; with one it reads nothing."""
    reads = {
        (point["table"], point["share"]): (point["reads"], point["denied"])
        for point in quick("misses").data["points"]
        if point["key"] == misses.KEY_BYTES
    }
    assert reads["bucket", 0.0][0] > 6 and 0.9 < reads["item", 0.0][0] <= 1.01
    nothing, denied = reads["item, filter", 0.0]
    assert nothing < 0.01 and denied > 0.99
    assert reads["item, filter", 1.0][0] == pytest.approx(reads["item", 1.0][0], rel=0.02)
    # A key that is there may be in either of two lines, and both are read beside each other.
    assert reads["2 ways", 0.0][0] == pytest.approx(2, abs=0.05)
    for ways in ("2 ways, filter", "4 ways, filter"):
        assert reads[ways, 0.0][0] < 0.05 and reads[ways, 0.0][1] > 0.98


def test_software() -> None:
    """What is there is found, and the filter denies most others. (Times are not looked at.)"""
    for point in quick("software").data["points"]:
        gets = 20_000
        assert point["hits"] == pytest.approx(gets * point["share"] / 100, abs=gets / 50)
        denied = point["denied"] / max(1, gets - point["hits"])
        wanted = 0.98 if point["filter"] and point["share"] < 100 else 0
        assert wanted <= denied <= (1 if wanted else 0)
        assert all(ns > 0 for ns in point["ns"])
