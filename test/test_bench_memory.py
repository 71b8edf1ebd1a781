# SPDX-License-Identifier: Apache-2.0
"""The part of the bench `memory` that is about the item index, with a small memory."""

from __future__ import annotations

import shutil

import pytest
from wirecache.benches import Options, _capacity, memory
from wirecache.benches._index import configured
from wirecache.setup import Failure


@pytest.mark.skipif(shutil.which("memcached") is None, reason="no memcached")
def test_memory_full_of_small_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """Full datagrams of SETs of new keys, until memory is full and then some: all are taken."""
    monkeypatch.setattr(_capacity, "MEGABYTES", 16)
    monkeypatch.setattr(_capacity, "SIZES", ((16, 32),))
    table = _capacity.capacity(Options(count=260_000))
    (cells,) = table.rows
    row = dict(zip(table.columns, map(str, cells), strict=True))
    assert row["SETs refused, datagrams dropped"] == "0", row
    assert float(row["bytes an item beside"]) <= 56, row
    assert float(row["to memcached"]) >= 1.15, row


def test_another_table() -> None:
    """Its first tables are of the papers' table, which a board of another configuration has not."""
    with configured("simulated"), pytest.raises(Failure, match="papers' one alone"):
        memory.run(Options(quick=True))
