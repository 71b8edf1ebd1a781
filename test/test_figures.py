# SPDX-License-Identifier: Apache-2.0
"""`wirecache figures`: the same figures give the same files; text around a region stays."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from wirecache import benches
from wirecache.cli.figures import command
from wirecache.report import figures
from wirecache.setup import Failure

TABLE = benches.Table("Squares", ("n", "square"), [(i, i * 1000) for i in range(3)], ("by hand",))
SAVED = benches.Result([TABLE], {"points": {"1": [1, 2]}}).as_dict()


@pytest.fixture
def squares(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A bench named squares, and a folder of documents of its own."""

    def plot(result: benches.Result, axes: list[Any]) -> None:
        assert result.data == {"points": {"1": [1, 2]}}
        axes[1].plot([row[1] for row in result.tables[0].rows], label="a < b")
        axes[1].legend()

    module = types.ModuleType("wirecache.benches.squares")
    module.__dict__.update(PANELS=(1, 2), plot=plot)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(benches, "names", lambda: ["squares"])
    monkeypatch.setattr(figures, "DOCS", tmp_path)
    (tmp_path / "results.md").write_text("# Results\n\nBefore.\n")
    return tmp_path


def test_files_repeat_and_text_stays(squares: Path) -> None:
    figures.write("squares", SAVED, squares)
    page, picture = squares / "results.md", squares / "figures" / "squares.svg"
    first = picture.read_bytes()
    text = page.read_text()
    assert text.startswith("# Results\n\nBefore.\n\n## Squares\n\n<!-- figures: squares -->\n")
    assert "| 2 | 2,000 |" in text and "* by hand" in text and "(figures/squares.svg)" in text
    page.write_text(text.replace("2,000", "stale") + "After.\n")
    figures.write("squares", SAVED, squares)
    assert page.read_text() == text + "After.\n"
    assert picture.read_bytes() == first


def test_from_a_file(squares: Path) -> None:
    saved = squares / "saved.json"
    saved.write_text(json.dumps({"squares": SAVED}))
    assert CliRunner().invoke(command, ["--from", str(saved)]).exit_code == 0
    assert (squares / "figures" / "squares.svg").exists()
    saved.write_text("{}")
    refused = CliRunner().invoke(command, ["squares", "--from", str(saved)])
    assert isinstance(refused.exception, Failure)
    assert "no figures of squares" in str(refused.exception)


def test_every_bench_has_the_interface() -> None:
    for name in benches.names():
        assert callable(benches.module(name).run), name
