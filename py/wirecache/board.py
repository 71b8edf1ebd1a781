# SPDX-License-Identifier: Apache-2.0
"""Builds the simulated board: the circuit through Verilator, with the C++ of sim/ and host/.

The program and everything it is made of lie in build/board, the variant that can write traces in
build/board_trace, that of the table alone, which has the same edges, in build/table_board; other
configurations in folders of their own, build/board_mem_width384. A build is stale when one of its
inputs has changed; a start with nothing stale costs the reading of the sources.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wirecache import BUILD, ROOT
from wirecache.setup import BUILD_PACKAGES, Failure, need, say, verilator_on_path

if TYPE_CHECKING:
    from wirecache.config import Config

TOP = "wc_board"
TABLE_TOP = "wc_table_board"
PREFIX = "Vwc_board"  # of the generated C++, whichever it is
CORE = "shell_sim"
GENERATED = BUILD / "gen"
COUNTERS_HEADER = GENERATED / "wc_counters.h"

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
UNIT_TEST_FLAGS = (*CXX_FLAGS, "-Wall", "-Wextra", "-Werror", "-O1", "-g")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover")
MAKE_JOBS = 2


def build(trace: bool = False, table: bool = False, config: Config | None = None) -> Path:
    """The simulated board's program, built anew if anything it is made of has changed; with the
    whole appliance on it or only the table."""
    text = "" if config is None else config.text
    setting = (f"-GUser={config.literal}",) if config is not None and text else ()
    words = [word.replace("=", "") for word in text.split(",") if word]
    kind = "table_board" if table else "board"
    folder = BUILD / "_".join([kind, *words, *(["trace"] if trace else [])])
    program = folder / "board"
    key = _key(_inputs(), repr((VERILATOR_FLAGS, setting, trace and TRACE_FLAGS, CXX_FLAGS)))
    with _locked(folder):
        if not _stale(folder, program, key):
            return program
        need(BUILD_PACKAGES)
        from wirecache import rtl  # slow to import, and only needed here

        begun = time.monotonic()
        files = rtl.files(CORE)
        write_counters_header()
        what = "simulated board" + " of the table" * table + " with traces" * trace
        what += f", {text}" if text else ""
        say(f"building the {what} (once after a change, about a minute)")
        verilator_on_path()
        objects = folder / "obj"
        _run(
            "verilator",
            *VERILATOR_FLAGS,
            *(TRACE_FLAGS if trace else ()),
            *setting,
            *("--top-module", TABLE_TOP if table else TOP, "--prefix", PREFIX),
            *("--Mdir", str(objects)),
            *("-o", "../board"),
            *(f"-I{folder}" for folder in files.include_dirs),
            *("-CFLAGS", " ".join((*CXX_FLAGS, f"-I{ROOT}", f"-I{GENERATED}"))),
            *("-LDFLAGS", "-lslirp"),
            *map(str, files.sources),
            *map(str, _cpp_sources()),
            log=folder / "build.log",
        )
        make = ("make", "-C", str(objects), "-f", f"{PREFIX}.mk", f"-j{MAKE_JOBS}")
        optimize = ("OPT_FAST=-O3", "OPT_SLOW=-O1", "OPT_GLOBAL=-O3")
        # The packaged Verilator was configured without a compiler, and so has not found this out.
        precompiled = "CFG_CXXFLAGS_PCH_I=-include"
        _run(*make, *optimize, precompiled, log=folder / "build.log", count_objects=True)
        for header in objects.glob("*.gch"):  # precompiled headers: 130 MB each
            header.unlink()
        (folder / "key").write_text(key)
        say(f"built in {time.monotonic() - begun:.0f} s")
    return program


def build_unit_tests() -> Path:
    """The C++ unit tests of sim/ and host/: one program, which needs no circuit."""
    folder = BUILD / "board_test"
    program = folder / "unit_test"
    flags = (*UNIT_TEST_FLAGS, *SANITIZERS)
    key = _key(_inputs(), repr(flags))
    with _locked(folder):
        if not _stale(folder, program, key):
            return program
        need(BUILD_PACKAGES)
        from wirecache import registers

        registers.generate()
        write_counters_header()
        tests = [*(ROOT / "sim" / "test").glob("*.cc"), *(ROOT / "host" / "test").glob("*.cc")]
        parts = [p for p in _cpp_sources() if PREFIX not in p.read_text() and _is_part(p)]
        objects = []
        for source in sorted((*tests, *parts)):
            target = folder / f"{source.parent.name}_{source.stem}.o"
            _run(
                *("ccache", "g++", *flags, f"-I{ROOT}", f"-I{GENERATED}"),
                *("-c", str(source), "-o", str(target)),
                log=folder / "build.log",
            )
            objects.append(str(target))
        _run("g++", *flags, *objects, "-o", str(program), log=folder / "build.log")
        (folder / "key").write_text(key)
    return program


def write_counters_header() -> None:
    """The names and addresses of the event counters for C++."""
    from wirecache import registers

    rows = "".join(f'    {{"{name}", {at:#05x}}},\n' for name, at in registers.counters().items())
    text = (
        "// Generated from hw/host/regs/wc_regs.rdl.\n#pragma once\n#include <cstdint>\n"
        "namespace wirecache::host {\n"
        "struct Counter { const char* name; uint32_t address; };\n"
        f"inline constexpr Counter kCounters[] = {{\n{rows}}};\n"
        "}  // namespace wirecache::host\n"
    )
    GENERATED.mkdir(parents=True, exist_ok=True)
    if not COUNTERS_HEADER.exists() or COUNTERS_HEADER.read_text() != text:
        COUNTERS_HEADER.write_text(text)


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
    yield ROOT / "py" / "wirecache" / "registers.py"
    for folder, suffixes in (
        ("hw", {".sv", ".svh", ".core", ".rdl"}),
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


def _stale(folder: Path, program: Path, key: str) -> bool:
    stamp = folder / "key"
    return not (program.exists() and stamp.exists() and stamp.read_text() == key)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """One build at a time: who comes second waits, and finds it done."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run(*command: str, log: Path, count_objects: bool = False) -> None:
    """Runs a build step; its output goes to the log, the end of it to stderr on failure."""
    environment = {**os.environ, "CCACHE_SLOPPINESS": "pch_defines,time_macros"}
    process = subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert process.stdout is not None
    done = 0
    with log.open("a" if count_objects else "w") as out:
        for line in process.stdout:
            out.write(line)
            if count_objects and " -c " in line:
                done += 1
                _progress(f"compiling, {done} files so far")
    _progress("")
    if process.wait() != 0:
        tail = _errors(log.read_text().splitlines())
        print("\n".join(tail), file=sys.stderr)
        raise Failure(f"the build failed; all of it is in {log}")


def _errors(lines: Sequence[str]) -> Sequence[str]:
    return [line for line in lines if "rror" in line][:20] or lines[-20:]


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
