# SPDX-License-Identifier: Apache-2.0
"""How the circuit lays out buckets and pointers, as a C++ header for the host software.

The host software hands out pointers, and its audit reads the table as it lies in memory: it must
see both as the packages of the circuit have them.
"""

from __future__ import annotations

from pathlib import Path

from wirecache.circuit import structs


def write_header(folder: Path) -> None:
    """Writes wc_layout.h, unless it is there as it should be."""
    file, text = folder / "wc_layout.h", _header()
    folder.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def _header() -> str:
    valid, _ = structs.place("wc_index_pkg::head_t", "valid")
    pointer, _ = structs.place("wc_index_pkg::head_t", "pointer")
    line, line_bits = structs.place("pointer_t", "line")
    size_class, class_bits = structs.place("pointer_t", "size_class")
    rows = (
        ("uint64_t kLineBytes", "LineBytes", "that pointers count"),
        ("unsigned kClasses", "Classes", "that there are queues for"),
        ("unsigned kHeaderLines", "wc_index_pkg::HeaderLines", "at the end of a bucket"),
    )
    text = "".join(
        f"inline constexpr {name} = {structs.constant(source)};  // {what}\n"
        for name, source, what in rows
    )
    return (
        "// Generated from hw/core/wc_pkg.sv and hw/index/wc_index_pkg.sv.\n"
        "#pragma once\n#include <cstdint>\n"
        "namespace wirecache::host {\n"
        f"{text}"
        "// Lowest bit and bits of what is in the first header line of a slot, its stripe.\n"
        f"inline constexpr unsigned kValidBit = {valid};\n"
        f"inline constexpr unsigned kPointerBit = {pointer};\n"
        "// And of the two parts of a pointer.\n"
        f"inline constexpr unsigned kLineBit = {line}, kLineBits = {line_bits};\n"
        f"inline constexpr unsigned kClassBit = {size_class}, kClassBits = {class_bits};\n"
        "}  // namespace wirecache::host\n"
    )
