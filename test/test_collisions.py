# SPDX-License-Identifier: Apache-2.0
"""The bench `collisions` counts what the table does: the shortcut against the model, the model
against the simulated board."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from wirecache import benches
from wirecache.benches import _keysets, collisions
from wirecache.board.replay import check, expect, play
from wirecache.model import hashing, vectors
from wirecache.model.appliance import Appliance
from wirecache.model.index import Status
from wirecache.model.table import Table
from wirecache.traffic import frames
from wirecache.traffic import requests as traffic

BUCKET_BITS = 6


def model_outcomes(table: Table, keys: list[bytes]) -> list[bool]:
    return [table.set(key, b"", 0, 0)[0] is Status.OK for key in keys]


@pytest.mark.parametrize("name", hashing.FUNCTIONS)
def test_hashes_of_many_keys(name: str, seed: int) -> None:
    draw = random.Random(seed)
    keys = [draw.randbytes(draw.randint(1, 250)) for _ in range(2000)]
    start = draw.getrandbits(32)
    expected = [hashing.FUNCTIONS[name](key, start) % 2**32 for key in keys]
    assert vectors.hash_keys(name, keys, start).tolist() == expected


@pytest.mark.parametrize("slots", collisions.BUCKET_SIZES)
@pytest.mark.parametrize("name", hashing.FUNCTIONS)
def test_outcomes_are_the_models(name: str, slots: int) -> None:
    keys = _keysets.make("names", slots << BUCKET_BITS)
    table = Table(BUCKET_BITS, slots, collisions.SEED, hash_function=name)
    hashes = vectors.hash_keys(name, keys, collisions.SEED)
    stored = collisions.outcomes(hashes, 1 << BUCKET_BITS, slots)
    assert stored.tolist() == model_outcomes(table, keys)
    assert not stored.all()


@pytest.mark.parametrize("kind", _keysets.KINDS)
def test_the_board_loses_the_same_keys(kind: str, tmp_path: Path) -> None:
    """64 buckets of 8, filled once over; then every key is asked for."""
    model = Appliance(Table(BUCKET_BITS))
    keys = _keysets.make(kind, 8 << BUCKET_BITS)
    requests = [traffic.binary_set(key, b"v") for key in keys]
    requests += [traffic.binary_request(0, key) for key in keys]
    packets = [frames.request(data, i) for i, data in enumerate(requests)]
    played = play(
        (expected := expect(model, packets)).timed_frames,
        tmp_path,
        *("--config", "bucket", "--memory", "2M", "--classes", "128,192,256"),
    )
    check(played, expected, model)
    hashes = vectors.hash_keys("lookup3", keys)
    lost = int(np.count_nonzero(~collisions.outcomes(hashes, 1 << BUCKET_BITS, 8)))
    assert played.counters["set_full"] == lost > 0
    assert played.counters["get_hit"] == len(keys) - lost


def test_half_full_loses_next_to_nothing() -> None:
    """The curves of a small capacity are those of the large one, but for chance."""
    result = collisions.run(benches.Options(quick=True))
    curves = result.data["curves"]
    assert curves["random"]["8"]["50"] < 1.5 < 20 < curves["random"]["1"]["50"]
    assert all(13 < curves["names"][name]["100"] < 15 for name in hashing.FUNCTIONS)
