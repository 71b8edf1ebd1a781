# SPDX-License-Identifier: Apache-2.0
"""The bench `cache`, a few points."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

import pytest
from wirecache.benches import Options, cache
from wirecache.model import log
from wirecache.model.item import ItemIndex
from wirecache.oracle import policies
from wirecache.report import figures
from wirecache.traffic import traces

pytestmark = [
    pytest.mark.skipif(platform.machine() != "x86_64", reason="libcachesim is for x86-64 only"),
    pytest.mark.skipif(shutil.which("memcached") is None, reason="no memcached"),
]


def test_item_bytes_are_the_models() -> None:
    trace = traces.make("zipf-1.2", "twitter", 2000)
    many = cache.item_bytes(trace.key_bytes, trace.value_bytes).tolist()
    pairs = zip(trace.key_bytes.tolist(), trace.value_bytes.tolist(), strict=True)
    assert many == [log.item_bytes(*pair) for pair in pairs]


def test_everything_fits() -> None:
    """Only the first request of a key misses."""
    trace = traces.make("zipf-1.2", "fixed", 20_000)
    late = set(trace.key_id[10_000:].tolist()) - set(trace.key_id[:10_000].tolist())
    index = ItemIndex(2 * trace.footprint(cache.item_bytes))
    assert cache.misses(trace, index) == pytest.approx(100 * len(late) / 10_000)


def test_quick(tmp_path: Path) -> None:
    page = "<!-- figures: cache -->\n<!-- end of cache -->\n"
    (tmp_path / "results.md").write_text(page)
    result = cache.run(Options(quick=True))
    assert len(result.tables) == 3
    for table in result.tables[:2]:
        assert [row[0] for row in table.rows] == ["zipf-1.0", "twitter"]
        for row in table.rows:
            ratio = dict(zip(table.columns, row, strict=True))
            own = float(str(ratio[cache.OURS]))
            best = min(float(str(ratio[name])) for name in cache.BEST)
            assert own < float(str(ratio["LRU"]))
            assert own == pytest.approx(best, rel=0.1)
            assert all(name in ratio for name in policies.POLICIES)
    for *_, theirs, ours in result.tables[2].rows:
        assert 0 < float(str(ours)) < 1.1 * float(str(theirs))
    figures.write("cache", result.as_dict(), tmp_path)
    assert "item index" in (tmp_path / "results.md").read_text()
    assert (tmp_path / "figures" / "cache.svg").stat().st_size > 10_000
