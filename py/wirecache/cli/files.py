# SPDX-License-Identifier: Apache-2.0
"""Files that commands write: known to be writable before the work begins, and not each other."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click


class OutputFile(click.Path):
    """A file to be written, in a folder that is there."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        if not str(value):
            self.fail("there is no file without a name", param, ctx)
        path = super().convert(value, param, ctx)
        assert isinstance(path, Path)
        folder = path.absolute().parent
        if not folder.is_dir():
            self.fail(f"cannot write {path}: its folder does not exist", param, ctx)
        if not path.exists() and not os.access(folder, os.W_OK):
            self.fail(f"cannot write {path}: its folder is not writable", param, ctx)
        return path


def require_apart(files: Mapping[str, Path | None]) -> None:
    """A usage error when two of the files are one, by whatever names. Devices may be shared."""
    seen: dict[object, str] = {}
    for name, path in files.items():
        if path is None or (path.exists() and not path.is_file()):
            continue
        same = seen.setdefault(_identity(path), name)
        if same != name:
            raise click.UsageError(f"{same} and {name} are the same file, {path}")


def _identity(path: Path) -> object:
    """What all names of a file have in common, hard links too; of one that is yet to be made, where
    it will be."""
    if path.exists():
        status = path.stat()
        return status.st_dev, status.st_ino
    return path.resolve()
