# SPDX-License-Identifier: Apache-2.0
"""Types and constants of the circuit's packages for Python, read from the packages themselves.

    >>> op = structs.pack("beat_t", data=5, last=1)
    >>> structs.unpack("beat_t", op)
    {'data': 5, 'last': 1}
    >>> structs.constant("PacketBytes")
    1472
    >>> structs.enum("op_e")["OpGet"]
    1
    >>> structs.text("VersionText")
    b'1.6.18'
    >>> structs.constant("wc_index_pkg::HeaderLines")
    3

Names of another package than wc_pkg have its name in front. Nested structs are nested dictionaries.
Fields not named when packing are zero.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from functools import cache
from typing import Any

from pyslang import ast, syntax

from wirecache import ROOT

_COMMON = "wc_pkg"  # what has no package's name in front is of this one


@cache
def _package(name: str) -> Any:
    compilation = ast.Compilation()
    for path in sorted((ROOT / "hw").rglob("*_pkg.sv")):  # packages use one another
        compilation.addSyntaxTree(syntax.SyntaxTree.fromFile(str(path)))
    return compilation, compilation.getPackage(name)


def _symbol(name: str, kind: str) -> Any:
    package, _, member = name.rpartition("::")
    package = package or _COMMON
    symbol = _package(package)[1].find(member)
    if symbol is None:
        raise LookupError(f"{package} has no {kind} {member}")
    return symbol


def _type(name: str) -> Any:
    return _symbol(name, "type").targetType.type.canonicalType


@cache
def enum(name: str) -> Any:
    """The enumeration `name` of the package as a Python IntEnum, whose members only it knows."""
    return IntEnum(name, {v.name: int(v.value.value) for v in _type(name)})


@cache
def constant(name: str) -> int:
    """The integer value of a localparam of the package."""
    return int(_symbol(name, "constant").value.value)


@cache
def table(name: str, row: str) -> tuple[dict[str, Any], ...]:
    """Rows of a localparam that is an unpacked array of structs `row`, as `unpack` gives them."""
    return tuple(unpack(row, int(v.value)) for v in _symbol(name, "table").value.value)


@cache
def text(name: str) -> bytes:
    """The characters of a localparam that was written as a string literal."""
    value = constant(name)
    return value.to_bytes((value.bit_length() + 7) // 8, "big")


@cache
def _fields(name: str) -> tuple[tuple[str, int, int, str | None], ...]:
    """(field, offset, width, struct type or None), first field first (highest bits)."""
    return tuple(_walk(_type(name)))


def _walk(struct: Any) -> list[tuple[str, int, int, str | None]]:
    rows = []
    for field in struct:
        declared = field.type
        # With the package in front, as it may be another one.
        nested = declared.hierarchicalPath if declared.canonicalType.isStruct else None
        rows.append((field.name, field.bitOffset, declared.bitWidth, nested))
    return rows


@cache
def width(name: str) -> int:
    """Bits of the packed type `name`."""
    return int(_type(name).bitWidth)


def place(name: str, field: str) -> tuple[int, int]:
    """Lowest bit and number of bits of a field of a struct `name`; `a.b`: of field b of its a."""
    outer, _, inner = field.partition(".")
    for own, offset, bits, nested in _fields(name):
        if own == outer and inner and nested:
            low, bits = place(nested, inner)
            return offset + low, bits
        if own == outer and not inner:
            return offset, bits
    raise LookupError(f"{name} has no field {field}")


def field_names(name: str) -> tuple[str, ...]:
    return tuple(row[0] for row in _fields(name))


@cache
def _masks(name: str) -> dict[str, tuple[int, int, str | None]]:
    """Lowest bit of each field, ones as many as its bits, and its struct, for pack and unpack: at
    times most of what a bench does."""
    return {
        field: (offset, (1 << bit_width) - 1, nested)
        for field, offset, bit_width, nested in _fields(name)
    }


def pack(name: str, **values: Any) -> int:
    """Bits of a struct `name` with the given fields; a value too wide for its field is an error."""
    bits = 0
    masks = _masks(name)
    if not values.keys() <= masks.keys():
        raise KeyError(f"{name} has no field {', '.join(values.keys() - masks.keys())}")
    for field, value in values.items():
        offset, ones, nested = masks[field]
        value = pack(nested, **value) if nested and isinstance(value, dict) else int(value)
        if not 0 <= value <= ones:
            raise ValueError(f"{name}.{field}: {value} does not fit {ones.bit_length()} bits")
        bits |= value << offset
    return bits


def unpack(name: str, bits: int) -> dict[str, Any]:
    """Fields of a struct `name` from its bits."""
    return _unpacker(name)(bits)


@cache
def _unpacker(name: str) -> Callable[[int], dict[str, Any]]:
    """One expression that has all fields, as one is taken apart at most cycles of a bench."""
    structs = {nested: _unpacker(nested) for _, _, nested in _masks(name).values() if nested}
    fields = []
    for field, (offset, ones, nested) in _masks(name).items():
        value = f"bits >> {offset} & {ones}"
        fields.append(f"{field!r}: " + (f"structs[{nested!r}]({value})" if nested else value))
    unpacker: Callable[[int], dict[str, Any]] = eval(
        f"lambda bits: {{{', '.join(fields)}}}", {"structs": structs}
    )
    return unpacker
