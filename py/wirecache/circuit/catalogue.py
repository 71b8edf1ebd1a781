# SPDX-License-Identifier: Apache-2.0
"""docs/blocks.md, the catalogue of the modules: read, and held against the folders of hw/.

A section of the page is of one folder, which its heading links to; the table in it has a row a
module (`| module | for | latency | throughput |`). Packages have a table of their own, which names
their folders (`| package | folder | for |`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wirecache import ROOT

PAGE = ROOT / "docs" / "blocks.md"
HARDWARE = ROOT / "hw"
BESIDE = ("test", "formal")  # folders of what is not the circuit
COLUMNS = {
    "module": ("module", "for", "latency", "throughput"),
    "package": ("package", "folder", "for"),
}


@dataclass(frozen=True)
class Row:
    """What the page says of a module or package."""

    name: str
    folder: str  # under hw/, as its section or its cell has it
    cells: dict[str, str]  # by the column's name

    def missing(self, kind: str) -> list[str]:
        """Columns in which nothing is said; a dash alone says nothing."""
        return [c for c in COLUMNS[kind] if self.cells.get(c, "") in ("", "-")]


def modules(hardware: Path = HARDWARE) -> dict[str, str]:
    """The modules of the circuit, each with its folder."""
    return {name: folder for name, kind, folder in _units(hardware) if kind == "module"}


def findings(page: Path = PAGE, hardware: Path = HARDWARE) -> list[str]:
    """What the page leaves out, says twice or at the wrong place, or makes up."""
    there = {name: (kind, folder) for name, kind, folder in _units(hardware)}
    rows = list(_rows(page.read_text()))
    count = Counter(row.name for row in rows)
    found = [
        f"{page.name}: has no row of {kind} {name}, hw/{folder}"
        for name, (kind, folder) in there.items()
        if not count[name]
    ]
    found += [f"{page.name}: has {n} rows of {name}" for name, n in count.items() if n > 1]
    for row in rows:
        if row.name not in there:
            found.append(f"{page.name}: {row.name} is not under hw/")
            continue
        kind, folder = there[row.name]
        if row.folder != folder:
            found.append(f"{page.name}: {row.name} is in hw/{folder}, not hw/{row.folder or '?'}")
        found += [f"{page.name}: {row.name} has no {column}" for column in row.missing(kind)]
    return found


def _units(hardware: Path) -> Iterator[tuple[str, str, str]]:
    """Name, kind and folder of each module and package of the circuit."""
    for source in sorted(hardware.rglob("*.sv")):
        folder = source.parent.relative_to(hardware)
        if not set(folder.parts) & set(BESIDE):
            unit = re.search(r"^(module|package)\s", source.read_text(), re.MULTILINE)
            if unit is not None:  # house rules tell of a file without
                yield source.stem, unit[1], str(folder)


def _rows(text: str) -> Iterator[Row]:
    """Rows of the tables whose first column is `module` or `package`."""
    section, columns = "", tuple[str, ...]()
    for line in text.splitlines():
        if line.startswith("#"):
            link = re.search(r"\(\.\./hw/([\w/]+?)(?:/README\.md)?\)", line)
            section = link[1] if link else ""
        if not line.startswith("|"):
            columns = ()
            continue
        texts = tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
        if not columns:
            columns = texts
        elif columns[0] in COLUMNS and set(line) - set("|-: "):
            cells = dict(zip(columns, texts, strict=False))
            folder = cells.get("folder", f"`hw/{section}`").strip("`").removeprefix("hw/")
            yield Row(texts[0].strip("`"), folder, cells)
