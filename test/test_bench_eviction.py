# SPDX-License-Identifier: Apache-2.0
"""The bench `eviction`, a few points."""

from __future__ import annotations

from wirecache.benches import Options, eviction


def test_quick() -> None:
    data = eviction.run(Options(quick=True)).data
    assert {point["mix"] for point in data["rates"]} == set(eviction.MIXES)
    for point in data["rates"]:
        assert point["dropped"] == 0 and point["expected"], point
        assert point["share"] > 0.99, point
        # The sweeper forgets a segment at a time, so a short run has more or fewer than one a SET.
        assert point["evicted"] > 0, point
    for point in data["latencies"]:
        assert (point["evicted"] > 0) == (point["memory"] == "full"), point
        assert point["p50"] <= point["p99"] <= point["p99.9"] <= point["most"] < 400, point
