# SPDX-License-Identifier: Apache-2.0
"""The one list of RTL files: the FuseSoC `.core` files under hw/, read through FuseSoC."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fusesoc.config import Config
from fusesoc.coremanager import CoreManager
from fusesoc.librarymanager import Library
from fusesoc.vlnv import Vlnv

from wirecache import ROOT
from wirecache.circuit import registers

_FLAGS = {"tool": "verilator", "target": "default", "is_toplevel": True}


@dataclass(frozen=True)
class FileList:
    """RTL sources in compile order, and the folders that hold include files."""

    sources: tuple[Path, ...]
    include_dirs: tuple[Path, ...]


@cache
def _manager() -> CoreManager:
    manager = CoreManager(Config())
    manager.add_library(Library("wirecache", str(ROOT / "hw")), [])
    return manager


@cache
def files(core: str) -> FileList:
    """Files of the core `wirecache:hw:<core>` and of all that it depends on, dependencies first."""
    registers.generate()  # .core files name the generated blocks
    sources: list[Path] = []
    include_dirs: list[Path] = []
    for dependency in _manager().get_depends(Vlnv(f"wirecache:hw:{core}"), _FLAGS):
        root = Path(dependency.core_root)
        for entry in dependency.get_files(_FLAGS):
            path = (root / entry["name"]).resolve()
            if entry.get("is_include_file"):
                if path.parent not in include_dirs:
                    include_dirs.append(path.parent)
            else:
                sources.append(path)
    return FileList(tuple(sources), tuple(include_dirs))


def own_files(core: str) -> list[Path]:
    """Sources that the core `wirecache:hw:<core>` itself lists."""
    found = _manager().get_core(Vlnv(f"wirecache:hw:{core}"))
    root = Path(found.core_root)
    return [
        (root / entry["name"]).resolve()
        for entry in found.get_files(_FLAGS)
        if not entry.get("is_include_file")
    ]


def core_of(module: str) -> str:
    """The core that holds the file of a module (file name = module name)."""
    hits = sorted((ROOT / "hw").rglob(f"{module}.sv"))
    if not hits:
        raise LookupError(f"no module {module} under hw/")
    core_files = sorted(hits[0].parent.glob("*.core"))
    for core_file in core_files:
        if f"{module}.sv" in core_file.read_text():
            return core_file.stem.removeprefix("wc_")
    raise LookupError(f"{hits[0].relative_to(ROOT)} is in no .core file")
