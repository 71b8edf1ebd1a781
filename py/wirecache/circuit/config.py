# SPDX-License-Identifier: Apache-2.0
"""Configurations of the core for Python: names, fields and rules of hw/core/wc_config_pkg.sv.

    >>> config = parse("trets,max_key=64")
    >>> config["mem_width"], config["max_key"]
    (384, 64)
    >>> config.text
    'max_key=64,max_bucket_bits=18,…'

What is legal is asked of the package itself, with its own function and in its own words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pyslang import ast, syntax

from wirecache import ROOT

PACKAGES = ("wc_pkg", "wc_config_pkg")
DEFAULT = "simulated"  # the board's


class IllegalError(ValueError):
    """What is wrong with a configuration, in a line that says what is legal."""


@dataclass(frozen=True)
class Config:
    """Values of all fields of user_t."""

    values: Mapping[str, int]

    def __getitem__(self, field: str) -> int:
        return self.values[field]

    @property
    def text(self) -> str:
        """Where it differs from the board's own; empty if nowhere."""
        default = named()[DEFAULT]
        rows = (
            f"{name}={_word(name, value)}"
            for name, value in self.values.items()
            if value != default[name]
        )
        return ",".join(rows)

    @property
    def literal(self) -> str:
        """The packed struct, for a parameter of type user_t."""
        return _literal(self.values)

    @property
    def derived(self) -> dict[str, int]:
        """What the package's build function makes of it."""
        return _build(self.literal)


def parse(text: str) -> Config:
    """`NAME`, `key=value,…` or a name and what is to be different: `trets,max_key=64`."""
    values = dict(named()[DEFAULT])
    given = []
    for number, part in enumerate(p.strip() for p in text.split(",")):
        key, equals, value = part.partition("=")
        if not equals and number == 0 and part in named():
            values = dict(named()[part])
        elif not equals or key not in values:
            names, keys = ", ".join(named()), ", ".join(values)
            raise IllegalError(
                f"no configuration '{part}'; there are {names}, and key=value of {keys}"
            )
        else:
            values[key] = _value(key, value)
            given.append(key)
    config = Config(values)
    if not config.derived["legal"]:
        raise IllegalError(f"configuration '{text}': {_legal(given)}")
    return config


def index_of(config: Config) -> str:
    """Which index it has: bucket or item."""
    return _word("index", config["index"])


@cache
def named() -> dict[str, dict[str, int]]:
    """The configurations that the package names, in small letters."""
    found = {}
    for member in _packages().getPackage("wc_config_pkg"):
        if isinstance(member, ast.ParameterSymbol) and member.type.name == "user_t":
            value: Any = member.value.value
            found[member.name.lower()] = _unpack(member.type, int(value))
    return found


def _value(key: str, text: str) -> int:
    choices = _choices(key)
    if text.lower() in choices:
        return choices[text.lower()]
    if choices or not text.isdecimal() or int(text) >= 1 << 32:
        raise IllegalError(f"'{key}={text}': {_legal([key])}")
    return int(text)


@cache
def _choices(key: str) -> dict[str, int]:
    """Words for the values of a field that is an enumeration: HashCrc is `hashcrc` or `crc`, as
    all names there begin with Hash."""
    field = next(f for f in _user_type() if f.name == key)
    kind = field.type.canonicalType
    if not kind.isEnum:
        return {}
    whole = {v.name.lower(): int(v.value.value) for v in kind}
    prefix = _common_beginning(list(whole))
    return whole | {name.removeprefix(prefix): value for name, value in whole.items()}


def _common_beginning(words: list[str]) -> str:
    shortest, longest = min(words), max(words)
    same = [a == b for a, b in zip(shortest, longest, strict=False)] + [False]
    return shortest[: same.index(False)]


def _word(key: str, value: int) -> str:
    """A value as `parse` takes it."""
    words = [word for word, number in _choices(key).items() if number == value]
    return words[-1] if words else str(value)


def _legal(keys: list[str]) -> str:
    """What the package says is legal, as far as it is about these fields."""
    text = str(_packages().getPackage("wc_config_pkg").find("Legal").value.value)
    rest = text.partition("legal are ")[2]
    parts = [p for p in rest.split("; ") if any(re.search(rf"\b{k}\b", p) for k in keys)]
    return "legal are " + "; ".join(parts or rest.split("; "))


@cache
def _packages() -> Any:
    compilation = ast.Compilation()
    for name in PACKAGES:
        tree = syntax.SyntaxTree.fromFile(str(ROOT / "hw" / "core" / f"{name}.sv"))
        compilation.addSyntaxTree(tree)
    return compilation


def _user_type() -> Any:
    return _packages().getPackage("wc_config_pkg").find("user_t").targetType.type.canonicalType


def _unpack(kind: Any, bits: int) -> dict[str, int]:
    fields = kind.canonicalType
    return {f.name: bits >> f.bitOffset & (1 << f.type.bitWidth) - 1 for f in fields}


def _literal(values: Mapping[str, int]) -> str:
    kind = _user_type()
    bits = sum(values[f.name] << f.bitOffset for f in kind)
    return f"{kind.bitWidth}'h{bits:x}"


@cache
def _build(literal: str) -> dict[str, int]:
    """config_t for a user_t, as the package's function makes it."""
    compilation = ast.Compilation()
    for name in PACKAGES:
        tree = syntax.SyntaxTree.fromFile(str(ROOT / "hw" / "core" / f"{name}.sv"))
        compilation.addSyntaxTree(tree)
    compilation.addSyntaxTree(
        syntax.SyntaxTree.fromText(
            "package built; localparam wc_config_pkg::config_t Config = "
            f"wc_config_pkg::build(wc_config_pkg::user_t'({literal})); endpackage"
        )
    )
    made: Any = compilation.getPackage("built").find("Config")
    return _unpack(made.type, int(made.value.value))
