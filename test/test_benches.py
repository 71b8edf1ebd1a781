# SPDX-License-Identifier: Apache-2.0
"""Benches on the simulated board, a few points each: what they promise, and that they repeat."""

from __future__ import annotations

from functools import cache

import pytest
from wirecache import benches, board
from wirecache.benches import Options, Result
from wirecache.benches.conflicts import probability


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    board.build()
    board.build(table=True)


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
        assert point["cycles"] > point["least"] - 0.01, point
        if point["load"].startswith("GET") and point["memory"] == "fixed":
            assert point["cycles"] == pytest.approx(point["least"], abs=0.01), point


def test_conflicts() -> None:
    for point in quick("conflicts").data["points"]:
        if point["share"] == 0:
            assert point["stall"] == point["forward"] == point["expected"] == 0, point
            assert point["cycles"] == pytest.approx(point["limit"], rel=0.03), point
        assert point["inside"] > 1


def test_probability_of_a_conflict() -> None:
    assert probability(0.1, 500, 1) == pytest.approx(0.1 / 500)
    assert probability(0.5, 1, 2) == pytest.approx(0.75)
    assert probability(0.1, 500, 64) < 0.05  # TRETS'15, 6.1


@pytest.mark.parametrize("name", ["line-rate", "latency", "pipeline", "conflicts"])
def test_the_same_every_time(name: str) -> None:
    again = benches.module(name).run(Options(quick=True))
    assert again.as_dict() == quick(name).as_dict()
