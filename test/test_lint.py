# SPDX-License-Identifier: Apache-2.0
"""`wirecache lint`: the checks that are the project's own find what is planted."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from wirecache.circuit import catalogue, config, rtl
from wirecache.lint import elaboration, linters
from wirecache.lint.elaboration import Elaboration

PAGE = """# Blocks

## [Net](../hw/net/README.md)

| module | for | latency | throughput |
| --- | --- | --- | --- |
| `wc_one` | one thing | 1 | 1 a cycle |
| `wc_two` | another | none | 1 a cycle |

Other tables are no rows: | `wc_three` |

| cycles | of |
| --- | --- |
| 3 | anything |

## Packages

| package | folder | for |
| --- | --- | --- |
| `wc_net_pkg` | `hw/net` | types |
"""


@pytest.fixture
def hardware(tmp_path: Path) -> Path:
    """Two modules and a package of one block, and what is beside them."""
    for name, text in (
        ("net/wc_one", "module wc_one (\n);\nendmodule\n"),
        ("net/wc_two", "module wc_two (\n);\nendmodule\n"),
        ("net/wc_net_pkg", "package wc_net_pkg;\nendpackage\n"),
        ("net/test/wc_one_tb", "module wc_one_tb (\n);\nendmodule\n"),
        ("net/formal/wc_one_fv", "module wc_one_fv (\n);\nendmodule\n"),
    ):
        file = tmp_path / "hw" / f"{name}.sv"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "hw"


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        ("", "", []),
        (r"\| `wc_two`.*\n", "", ["has no row of module wc_two, hw/net"]),
        (r"\| `wc_net_pkg`.*\n", "", ["has no row of package wc_net_pkg, hw/net"]),
        (r"(\| `wc_two`.*\n)", r"\1\1", ["has 2 rows of wc_two"]),
        ("(wc_two.*\n)", r"\1| `wc_gone` | it | 1 | 1 |\n", ["wc_gone is not under hw/"]),
        (r"\| none \|", "| |", ["wc_two has no latency"]),
        (r"\| none \|", "| - |", ["wc_two has no latency"]),
        (r"1 \| 1 a cycle", "1 | ", ["wc_one has no throughput"]),
        (r"one thing", "", ["wc_one has no for"]),
        (r"\| 1 a cycle", "", ["wc_one has no throughput"]),
        (r"types", "", ["wc_net_pkg has no for"]),
        (
            r"hw/net/README.md",
            "hw/host/README.md",
            ["wc_one is in hw/net, not hw/host", "wc_two is in hw/net, not hw/host"],
        ),
    ],
)
def test_catalogue(hardware: Path, was: str, becomes: str, says: list[str]) -> None:
    page = hardware.parent / "blocks.md"
    page.write_text(re.sub(was, becomes, PAGE, count=1) if was else PAGE)
    assert catalogue.findings(page, hardware) == [f"blocks.md: {line}" for line in says]


def test_elaborations_cover_what_is_named() -> None:
    """Each configuration of the package and of the docs, each module, each target of synth."""
    names = [e.name for e in elaboration.elaborations()]
    assert len(set(names)) == len(names)
    for wanted in (*(f"wc_board-{name}" for name in config.named()), "wc_core-trets"):
        assert wanted in names
    assert "trets,max_key=250" in elaboration.documented()
    tops = {top for e in elaboration.elaborations() for top in e.tops}
    assert tops == set(catalogue.modules())


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("assign out = in;", ""),
        ("assign out = {in, in};", "Warning: implicit conversion truncates"),
        ("assign out = in; logic [3:0] n; assign n = n + in;", "Warning: found logic loop"),
        ("assign out = in; assign out = ~in;", "Warning: multiple conflicting drivers"),
        ("assign out = nowhere;", "ERROR: use of undeclared identifier"),
        ('assign out = in; if (1) $fatal(1, "legal is 0");', "legal is 0"),
    ],
)
def test_elaboration(tmp_path: Path, line: str, says: str) -> None:
    source = tmp_path / "planted.sv"
    source.write_text(
        "module planted (input wire logic [3:0] in, output logic [3:0] out);\n"
        f"  {line}\nendmodule\n"
    )
    files = rtl.FileList((source,), ())
    found = Elaboration(tmp_path.name, ("planted",), files).findings()
    assert bool(found) == bool(says) and all(says in text for text in found), found


def test_elaboration_of_an_illegal_configuration() -> None:
    wrong = config.Config(config.named()["simulated"] | {"mem_width": 96}).literal
    files = rtl.files("shell_sim")
    found = Elaboration("illegal", ("wc_board",), files, (f"User={wrong}",)).findings()
    assert any("slots 4, 8, 16" in line for line in found), found


def test_binary_files(tmp_path: Path) -> None:
    """What git tracks or would add is text; what it ignores may be anything."""
    (tmp_path / "text.md").write_text("Grüße\n")
    (tmp_path / "ignored").mkdir()
    (tmp_path / "ignored" / "board").write_bytes(b"\x7fELF\0")
    assert linters.text_files(tmp_path) == []  # not a checkout
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("ignored/\n")
    assert linters.text_files(tmp_path) == []
    (tmp_path / "a wheel.whl").write_bytes(b"PK\3\4\0")
    (tmp_path / "latin").write_bytes(b"Gr\xfc\xdfe\n")
    subprocess.run(["git", "-C", str(tmp_path), "add", "latin"], check=True)
    assert sorted(linters.text_files(tmp_path)) == ["a wheel.whl: binary", "latin: binary"]
