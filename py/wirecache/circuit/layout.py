# SPDX-License-Identifier: Apache-2.0
"""How the circuit lays out its table and items in memory, as a C++ header for the host software.

The host software hands out pointers, and its audits read table and log as they lie in memory: it
must see them as the packages of the circuit have them.
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
    item = "wc_item_pkg::"
    fields = {
        "kSlotMain": (item + "slot_t", "main"),
        "kSlotAccess": (item + "slot_t", "access"),
        "kSlotTag": (item + "slot_t", "tag"),
        "kSlotSpan": (item + "slot_t", "span"),
        "kSlotAddress": (item + "slot_t", "address"),
        "kHeaderKeyLen": ("wc_log_pkg::header_t", "key_len"),
        "kHeaderValueLen": ("wc_log_pkg::header_t", "value_len"),
        "kHeaderNumber": ("wc_log_pkg::header_t", "number"),
        "kHeaderHash": ("wc_log_pkg::header_t", "hash"),
        "kHeaderFlags": ("wc_log_pkg::header_t", "flags"),
        "kHeaderEncoded": ("wc_log_pkg::header_t", "encoded"),
        "kHeaderGiven": ("wc_log_pkg::header_t", "origin.given"),
        "kHeaderFlushes": ("wc_log_pkg::header_t", "origin.flushes"),
        "kHeaderCas": ("wc_log_pkg::header_t", "cas"),
        "kHeaderExpiry": ("wc_log_pkg::header_t", "expiry"),
        "kHeaderUsed": ("wc_log_pkg::header_t", "used"),
    }
    places = "".join(
        f"inline constexpr BitField {name} = {{{low}, {bits}}};\n"
        for name, (low, bits) in ((n, structs.place(*f)) for n, f in fields.items())
    )
    probes = "".join(
        f"inline constexpr unsigned {name} = {structs.place(item + 'item_probe_t', field)[0]};\n"
        for name, field in (
            ("kItemMetBit", "met"),
            ("kItemLookedBit", "looked"),
            ("kItemGiveBit", "give"),
            ("kItemMovedBit", "moved"),
        )
    )
    words = structs.constant("wc_log_pkg::HeaderWords")
    access = structs.enum(item + "access_e")
    rows = (
        ("uint64_t kLineBytes", "LineBytes", "that pointers count"),
        ("unsigned kClasses", "Classes", "that there are queues for"),
        ("unsigned kMostKeyBytes", "MaxKeyBytes", ""),
        ("unsigned kNumberBytes", "NumberBytes", "for which a number's item has room"),
        ("unsigned kItemBytes", "ItemBytes", "that memcached has of an item beside key and value"),
        ("unsigned kItemFlagBytes", "ItemFlagBytes", "more, if it has flags"),
        ("unsigned kSlots", item + "Slots", "of a bucket of the item index, 8 bytes each"),
        (
            "unsigned kWalkBits",
            "wc_cuckoo_pkg::WalkBits",
            "of a bucket, in which a key's others differ",
        ),
        ("uint64_t kUnitBytes", "wc_log_pkg::UnitBytes", "that addresses of items count"),
        ("unsigned kHeaderLines", "wc_index_pkg::HeaderLines", "at the end of a bucket"),
    )
    text = "".join(
        f"inline constexpr {name} = {structs.constant(source)};"
        + f"  // {what}" * bool(what)
        + "\n"
        for name, source, what in rows
    )
    enumerations = "".join(
        f"inline constexpr uint32_t k{member.name} = {member.value};\n"
        for kind in ("op_e", "status_e")
        for member in structs.enum(kind)
    )
    return (
        "// Generated from the circuit's packages: wc_pkg, wc_index_pkg, wc_item_pkg, wc_log_pkg.\n"
        "#pragma once\n#include <cstdint>\n"
        "namespace wirecache::host {\n"
        f"{text}"
        f"inline constexpr uint64_t kHeaderBytes = 8 * {words};  // of an item\n"
        "// Lowest bit and bits of the fields of a slot of the item index, of an item's header.\n"
        "struct BitField { unsigned low, bits; };\n"
        f"{places}"
        "// Operations, and what becomes of them.\n"
        f"{enumerations}"
        f"inline constexpr unsigned kAccessNone = {access['AccessNone']};\n"
        f"inline constexpr unsigned kAccessStored = {access['AccessStored']};\n"
        f"inline constexpr unsigned kAccessEven = {access['AccessEven']};  // and Odd: was used\n"
        "// What of the item index's probe says that there is something to note.\n"
        f"{probes}"
        "// Lowest bit and bits of what is in the first header line of a slot, its stripe.\n"
        f"inline constexpr unsigned kValidBit = {valid};\n"
        f"inline constexpr unsigned kPointerBit = {pointer};\n"
        "// And of the two parts of a pointer.\n"
        f"inline constexpr unsigned kLineBit = {line}, kLineBits = {line_bits};\n"
        f"inline constexpr unsigned kClassBit = {size_class}, kClassBits = {class_bits};\n"
        "}  // namespace wirecache::host\n"
    )
