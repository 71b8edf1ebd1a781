# SPDX-License-Identifier: Apache-2.0
"""What the benches of blocks share, as far as it needs no simulation."""

from __future__ import annotations

import pytest
from wirecache.testbench.bench import rounds


def test_rounds_go_on_until_it_is_enough() -> None:
    seen: list[int] = []
    for number in rounds(3, lambda: len(seen) > 4):
        seen.append(number)
    assert seen == [0, 1, 2, 3, 4]
    assert list(rounds(3, lambda: True)) == [0, 1, 2]


def test_rounds_that_are_never_enough_fail() -> None:
    with pytest.raises(AssertionError, match="20 rounds"):
        list(rounds(2, lambda: False))
