# SPDX-License-Identifier: Apache-2.0
"""Builds the simulated board: the circuit through Verilator, with the C++ of sim/ and host/.

The program and everything it is made of lie in build/board, the variant that can write traces in
build/board_trace, that of the table alone, which has the same edges, in build/table_board; other
configurations in folders of their own, build/board_mem_width384; those optimised by a profile in
build/board_optimized and the like. A build is stale when one of its inputs has changed; a start
with nothing stale costs the reading of the sources.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wirecache import BUILD, ROOT
from wirecache.board import compiler as compilers
from wirecache.board.compiler import (
    CLANG_PACKAGES,
    PROFILE_PACKAGES,
    PROFILE_TOOL,
    Compiler,
    compiler,
)
from wirecache.circuit import layout, registers, structs
from wirecache.making import Place, cores, finished, locked
from wirecache.setup import BUILD_PACKAGES, need, say, verilator_on_path, want

if TYPE_CHECKING:
    from wirecache.circuit.config import Config

TOP = "wc_board"
TABLE_TOP = "wc_table_board"
PREFIX = "Vwc_board"  # of the generated C++, whichever it is
CORE = "shell_sim"
GENERATED = BUILD / "gen"
COUNTERS_HEADER = GENERATED / "wc_counters.h"
READY = "WIRECACHE_BOARD"  # in the environment: a program to take as it is

VERILATOR_FLAGS = (
    "--cc",
    "--exe",
    "-O3",
    *("--x-assign", "fast", "--x-initial", "fast"),
    "--noassert",  # assertions are for the benches
    "--no-timing",
    *("--threads", "1"),
    *("--timescale", "1ns/1ps"),
    *("--output-split", "20000"),
    *("-Wno-fatal", "-Wno-lint", "-Wno-style"),  # `wirecache lint` is where these count
    "-Werror-USERFATAL",  # but not what the circuit itself calls illegal
)
TRACE_FLAGS = ("--trace-fst", "--trace-structs")
CXX_FLAGS = ("-std=c++20", "-march=native")
# Of what is for debuggers only what names the lines in a sanitizer's report. Optimising takes
# longer than all tests run, but for those of the DRAM: they run six times as long without it.
UNIT_TEST_FLAGS = (*CXX_FLAGS, "-Wall", "-Wextra", "-Werror", "-g1")
UNIT_TEST_OPTIMIZED = "dram"  # sources of that in their name
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover")


@dataclass(frozen=True)
class _Kind:
    """Which board: of the table alone, with traces, of which configuration."""

    trace: bool
    table: bool
    config: Config | None

    @property
    def text(self) -> str:
        return "" if self.config is None else self.config.text

    def folder(self, *variant: str) -> Path:
        words = [word.replace("=", "") for word in self.text.split(",") if word]
        words += ["trace"] * self.trace + list(variant)
        return BUILD / "_".join(["table_board" if self.table else "board", *words])

    @property
    def arguments(self) -> tuple[str, ...]:
        """Of Verilator."""
        setting = (
            (f"-GUser={self.config.literal}",) if self.config is not None and self.text else ()
        )
        top = ("--top-module", TABLE_TOP if self.table else TOP)
        return (*(TRACE_FLAGS if self.trace else ()), *setting, *top)

    def key(self) -> str:
        flags = (VERILATOR_FLAGS, self.arguments, CXX_FLAGS, compiler())
        return _key(_inputs(), repr(flags))

    def __str__(self) -> str:
        what = "simulated board" + " of the table" * self.table + " with traces" * self.trace
        return what + (f", {self.text}" if self.text else "")


def build(trace: bool = False, table: bool = False, config: Config | None = None) -> Path:
    """The simulated board's program, built anew if anything it is made of has changed; with the
    whole appliance on it or only the table. The optimised one, if there is one of these sources."""
    if ready := os.environ.get(READY):
        return Path(ready)
    kind = _Kind(trace, table, config)
    key = kind.key()
    if finished(kind.folder("optimized")) == _optimized(key):
        return kind.folder("optimized") / "board"
    with locked(kind.folder()) as place:
        if place.key == key and (place.folder / "board").exists():
            return place.folder / "board"
        need(BUILD_PACKAGES)
        want(CLANG_PACKAGES)
        key = kind.key()  # the compiler may be another now
        begun = time.monotonic()
        say(f"building the {kind} (once after a change, about a minute)")
        compile_model(place, key, *_sources(kind))
        say(f"built in {time.monotonic() - begun:.0f} s")
        return place.folder / "board"


def optimize(
    train: Callable[[Path], None], table: bool = False, config: Config | None = None
) -> Path:
    """The same, built for the ways that the program takes while `train` has it work. Later builds
    of the same sources find it."""
    need((*BUILD_PACKAGES, *PROFILE_PACKAGES))
    kind = _Kind(False, table, config)
    with locked(kind.folder("optimized")) as place:
        key = _optimized(kind.key())
        program = place.folder / "board"
        if place.key == key and program.exists():
            return program
        begun = time.monotonic()
        say(f"building the {kind} twice, for a profile and by it (a few minutes)")
        compile_by_profile(place, key, train, *_sources(kind))
        say(f"built in {time.monotonic() - begun:.0f} s")
        return program


def compile_model(place: Place, key: str, *arguments: str) -> None:
    """Verilates and compiles the circuit and the C++ that the arguments name to `board`."""
    with place.making(key, [place.folder / "obj"]):
        verilate(place, *arguments)
        compile_cpp(place, compiler())


def compile_by_profile(
    place: Place, key: str, train: Callable[[Path], None], *arguments: str
) -> None:
    """The same twice: what `train` has the first program do is what the second is good at."""
    counts, profile = (place.folder / f"profile.{end}" for end in ("raw", "data"))
    with place.making(key, [place.folder / "obj"]):
        verilate(place, *arguments)
        compile_cpp(place, compiler().writing_profile())
        counts.unlink(missing_ok=True)
        os.environ["LLVM_PROFILE_FILE"] = str(counts)
        train(place.folder / "board")
        del os.environ["LLVM_PROFILE_FILE"]
        place.run(PROFILE_TOOL, "merge", "-o", str(profile), str(counts))
        compile_cpp(place, compiler().using_profile(profile))


def verilate(place: Place, *arguments: str) -> None:
    """Makes C++ from the circuit that the arguments name, and a makefile for it all."""
    verilator_on_path()
    place.run(
        "verilator",
        *VERILATOR_FLAGS,
        *("--prefix", PREFIX, "--Mdir", str(place.folder / "obj"), "-o", "../board"),
        *("-CFLAGS", " ".join(CXX_FLAGS)),
        *arguments,
    )


def compile_cpp(place: Place, by: Compiler) -> None:
    """Compiles what `verilate` has made. Objects of another compiler are made anew."""
    objects = place.folder / "obj"
    made_by = objects / "compiler"
    if made_by.exists() and made_by.read_text() != repr(by):
        for pattern in ("*.o", "*.a", "*.d"):
            for part in objects.glob(pattern):
                part.unlink()
    made_by.write_text(repr(by))
    command = ("make", "-C", str(objects), "-f", f"{PREFIX}.mk", f"-j{cores()}", *by.variables())
    place.run(*command, count=(*command, "-n"))
    for header in objects.glob("*.gch"):  # precompiled headers: 130 MB each
        header.unlink()


def _optimized(key: str) -> str:
    return f"optimized {key}"


def _sources(kind: _Kind) -> tuple[str, ...]:
    """Arguments of Verilator: what the board is made of."""
    from wirecache.circuit import rtl  # slow to import, and only needed here

    files = rtl.files(CORE)
    write_counters_header()
    return (
        *kind.arguments,
        *(f"-I{folder}" for folder in files.include_dirs),
        *("-CFLAGS", f"-I{ROOT} -I{GENERATED}", "-LDFLAGS", "-lslirp"),
        *map(str, files.sources),
        *map(str, _cpp_sources()),
    )


def build_unit_tests() -> Path:
    """The C++ unit tests of sim/ and host/: one program, which needs no circuit."""
    folder = BUILD / "board_test"
    program = folder / "unit_test"
    flags = (*UNIT_TEST_FLAGS, *SANITIZERS)
    key = _key(_inputs(), repr(flags))
    with locked(folder) as place:
        if place.key == key and program.exists():
            return program
        need(BUILD_PACKAGES)
        registers.generate()
        write_counters_header()
        tests = [*(ROOT / "sim" / "test").glob("*.cc"), *(ROOT / "host" / "test").glob("*.cc")]
        parts = [p for p in _cpp_sources() if PREFIX not in p.read_text() and _is_part(p)]
        # Optimised ones first: of a template that several have the linker takes the first.
        sources = sorted((*tests, *parts), key=lambda s: (UNIT_TEST_OPTIMIZED not in s.stem, s))
        objects = []
        with place.making(key, ()):  # each of its files is written anew
            for source in sources:
                target = folder / f"{source.parent.name}_{source.stem}.o"
                level = "-O1" if UNIT_TEST_OPTIMIZED in source.stem else "-O0"
                place.run(
                    *("ccache", "g++", *flags, level, f"-I{ROOT}", f"-I{GENERATED}"),
                    *("-c", str(source), "-o", str(target)),
                )
                objects.append(str(target))
            place.run("g++", *flags, *objects, "-o", str(program))
    return program


def write_counters_header() -> None:
    """The names and addresses of the event counters for C++, and beside them what else it knows of
    the circuit."""
    addresses = registers.addresses()
    kinds = structs.enum("index_e")
    tcp = registers.block("wc_tcp_regs")
    rows = "".join(
        f'    {{"{name}", {at:#05x}, {addresses[block.high]:#05x}, '
        f"{-1 if block.index is None else kinds[block.index]}, {str(block == tcp).lower()}}},\n"
        for block in registers.BLOCKS
        for name, at in registers.counters(block).items()
    )
    bases = {block.base for block in registers.BLOCKS if block.index is not None}
    assert len(bases) == 1, "every index has its registers there"
    text = (
        "// Generated from the registers in hw/.\n#pragma once\n#include <cstdint>\n"
        "namespace wirecache::host {\n"
        "// `high` has the upper half of what was read; `index`: CONFIG.index of the circuits\n"
        "// that have it, -1: all; `tcp`: only those with TCP.\n"
        "struct Counter { const char* name; uint32_t address, high; int index; bool tcp; };\n"
        f"inline constexpr uint32_t kIndexRegisters = {bases.pop():#05x};\n"
        f"inline constexpr uint32_t kTcpRegisters = {tcp.base:#05x};\n"
        f"inline constexpr Counter kCounters[] = {{\n{rows}}};\n"
        "}  // namespace wirecache::host\n"
    )
    GENERATED.mkdir(parents=True, exist_ok=True)
    if not COUNTERS_HEADER.exists() or COUNTERS_HEADER.read_text() != text:
        COUNTERS_HEADER.write_text(text)
    layout.write_header(GENERATED)


def _cpp_sources() -> list[Path]:
    return sorted((*(ROOT / "sim").glob("*.cc"), *(ROOT / "host").glob("*.cc")))


def _is_part(source: Path) -> bool:
    """Whether a source can be tested without a circuit, a link or a command around it."""
    whole = r'"sim/(simulation|board|link|commands|options|player)\.h"'
    return not re.search(whole, source.read_text())


def _inputs() -> Iterator[Path]:
    """Every file that a build may depend on."""
    yield Path(__file__)
    yield ROOT / "py" / "requirements.txt"
    yield Path(compilers.__file__)
    yield Path(registers.__file__)
    yield Path(layout.__file__)
    for folder, suffixes in (
        ("hw", {".sv", ".svh", ".core", ".rdl", ".jinja"}),
        ("sim", {".cc", ".h"}),
        ("host", {".cc", ".h"}),
    ):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and not (folder == "hw" and "test" in path.parts):
                yield path


def _key(inputs: Iterable[Path], flags: str) -> str:
    """A hash of all that decides what the build makes; the processor, as -march=native does."""
    digest = hashlib.sha256(f"{flags} {_processor()} {ROOT}".encode())
    for path in inputs:
        digest.update(f"{path.relative_to(ROOT)}".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.machine()
    return "".join(sorted(set(re.findall(r"^(?:model name|flags)\s*:.*$", text, re.MULTILINE))))
