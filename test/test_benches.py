# SPDX-License-Identifier: Apache-2.0
"""Benches on the simulated board, a few points each: what they promise, and that they repeat."""

from __future__ import annotations

import pytest
from wirecache import benches, board
from wirecache.benches import Options


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    board.build()


def test_line_rate() -> None:
    result = benches.module("line-rate").run(Options(quick=True))
    points = result.data["points"]
    assert len(points) > 60
    for point in points:
        if (
            point["protocol"] == "binary"
            and point["load"] in ("GET", "DELETE")
            and point["size"] > 1
        ):
            assert point["share"] == pytest.approx(1, abs=0.002), point
            assert point["dropped"] == 0 and point["expected"], point
    paper = [p for p in points if p["load"] == "GET, 1 byte" and p["protocol"] == "binary"]
    assert [round(p["mega_operations"], 2) for p in paper] == [13.02]


@pytest.mark.parametrize("name", ["line-rate"])
def test_the_same_every_time(name: str) -> None:
    first, again = (benches.module(name).run(Options(quick=True)).as_dict() for _ in range(2))
    assert first == again
