# SPDX-License-Identifier: Apache-2.0
"""The C++ unit tests of sim/ and host/, one pytest test each."""

from __future__ import annotations

import re
import subprocess

import pytest
from wirecache import ROOT
from wirecache.board import build as board

SOURCES = sorted((*(ROOT / "sim/test").glob("*_test.cc"), *(ROOT / "host/test").glob("*_test.cc")))
NAMES = [name for s in SOURCES for name in re.findall(r"^TEST\((\w+)\)", s.read_text(), re.M)]


@pytest.mark.parametrize("name", NAMES)
def test_unit(name: str) -> None:
    done = subprocess.run([board.build_unit_tests(), name], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_all_are_run() -> None:
    listed = subprocess.run([board.build_unit_tests()], capture_output=True, text=True, check=True)
    assert sorted(listed.stdout.split()) == sorted(NAMES)
    assert NAMES
