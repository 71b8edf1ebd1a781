# SPDX-License-Identifier: Apache-2.0
"""The linters behind `wirecache lint`; each returns its findings, none meaning that all is well."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pyslang import driver

from wirecache import ROOT, setup
from wirecache.circuit import catalogue, registers, rtl
from wirecache.lint import elaboration

WAIVERS = ROOT / "hw" / "lint" / "verilator.vlt"
VERIBLE_RULES = ROOT / "hw" / "lint" / "verible.rules"
BOARDS = ("wc_board", "wc_table_board", "wc_ecp5")
LONGEST_FILE = 500  # lines; more wants a reason in the header

# house rules: what every RTL file has
_NEEDED = ("// SPDX-License-Identifier: ", "`default_nettype none\n", "`default_nettype wire\n")


def _sources() -> list[Path]:
    return sorted((ROOT / "hw").rglob("*.sv"))


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def _lines(*command: str, keep: str = "") -> list[str]:
    """Output of a tool that ends non-zero when it finds something."""
    done = _run(*command)
    if done.returncode == 0:
        return []
    lines = [x for x in (done.stdout + done.stderr).splitlines() if re.search(keep, x)]
    return lines or [f"{command[0]} ended with status {done.returncode}"]


def cores() -> list[str]:
    """Names of all FuseSoC cores under hw/."""
    names = []
    for file in sorted((ROOT / "hw").rglob("*.core")):
        found = re.search(r"^name:\s*wirecache:hw:(\w+):", file.read_text(), re.MULTILINE)
        assert found is not None, file
        names.append(found[1])
    return names


def tops(core: str) -> list[str]:
    """Modules of a core that no other module of the same core instantiates."""
    own = [s for s in rtl.own_files(core) if ROOT / "hw" in s.parents]
    texts = {s.stem: s.read_text() for s in own}
    modules = [n for n, text in texts.items() if re.search(rf"^module {n}\b", text, re.MULTILINE)]
    return [
        n
        for n in modules
        if not any(re.search(rf"^\s+{n}\s+(#\(|u_)", t, re.MULTILINE) for t in texts.values())
    ]


def verilator() -> list[str]:
    """Verilator -Wall on the top modules of every core, with the waivers of hw/lint."""
    setup.verilator_on_path()
    findings: dict[str, None] = {}  # the same line is seen from many tops
    for core in cores():
        files = rtl.files(core)
        includes = [f"-I{folder}" for folder in files.include_dirs]
        for top in tops(core):
            done = _run(
                *("verilator", "--lint-only", "-Wall", "--top-module", top, *includes),
                *(str(WAIVERS), *(str(s) for s in files.sources)),
            )
            for line in done.stderr.splitlines():
                if line.startswith("%") and not line.startswith("%Error: Exiting due to"):
                    findings.setdefault(line.replace(f"{ROOT}/", ""))
            if done.returncode != 0 and not findings:
                findings.setdefault(f"verilator ended with status {done.returncode} on {top}")
    return list(findings)


def slang() -> list[str]:
    """slang's diagnostics on the boards, assertions and warnings included."""
    boards = {top: rtl.files(rtl.core_of(top)) for top in BOARDS}
    sources = dict.fromkeys(source for files in boards.values() for source in files.sources)
    folders = dict.fromkeys(folder for files in boards.values() for folder in files.include_dirs)
    program = driver.Driver()
    program.addStandardArgs()
    arguments = ["slang", f"-f {elaboration.OPTIONS}", "-Werror", "--single-unit"]
    arguments += [f"--top {top}" for top in BOARDS]
    arguments += [f"-I{folder}" for folder in folders]
    arguments += [str(source) for source in sources]
    if not program.parseCommandLine(" ".join(arguments)):
        return ["slang does not take its arguments"]
    good = program.processOptions() and program.parseAllSources()
    compilation = program.createCompilation()
    program.reportCompilation(compilation, True)
    engine = program.diagEngine
    good = program.reportDiagnostics(True) and good
    if good and engine.numErrors == 0 and engine.numWarnings == 0:
        return []
    text = program.textDiagClient.getString() if hasattr(program, "textDiagClient") else ""
    lines = [x for x in str(text).splitlines() if ": error:" in x or ": warning:" in x]
    return lines or [f"{engine.numErrors} errors, {engine.numWarnings} warnings (shown above)"]


def verible() -> list[str]:
    """The house's naming and layout rules, through verible's linter."""
    files = [str(s.relative_to(ROOT)) for s in _sources()]
    return _lines("verible-verilog-lint", f"--rules_config={VERIBLE_RULES}", *files)


def house() -> list[str]:
    """One module a file with the file's name, header and footer, files of a bearable length."""
    findings = []
    for source in _sources():
        name, text = source.relative_to(ROOT), source.read_text()
        findings += [f"{name}: has no {n.strip()!r}" for n in _NEEDED if n not in text]
        units = re.findall(r"^(?:module|package)\s+(?:automatic\s+)?(\w+)", text, re.MULTILINE)
        if units != [source.stem]:
            findings.append(f"{name}: holds {', '.join(units) or 'no module'}")
        if text.count("\n") > LONGEST_FILE and "\n// Long because " not in text:
            findings.append(f"{name}: longer than {LONGEST_FILE} lines and does not say why")
    return findings


def text_files(root: Path = ROOT) -> list[str]:
    """Everything that git has, or would take with `git add`, is text: no downloads, no products."""
    if not (root / ".git").exists():
        return []  # not a checkout: there is nothing to be committed
    command = ("git", "-C", str(root), "ls-files", "-z")
    listed = _run(*command, "--cached", "--others", "--exclude-standard")
    if listed.returncode != 0:
        return [f"git ended with status {listed.returncode}: {listed.stderr.strip()}"]
    findings = []
    for name in listed.stdout.split("\0"):
        path = root / name
        if path.is_file() and not _is_text(path.read_bytes()):
            findings.append(f"{name}: binary")
    return findings


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def ruff() -> list[str]:
    """Python: errors and layout."""
    check = _lines("ruff", "check", "--output-format", "concise", ".", keep=r":\d+:")
    return check + _lines("ruff", "format", "--check", ".", keep="reformat")


def mypy() -> list[str]:
    """Python: types, strictly."""
    return _lines(sys.executable, "-m", "mypy", keep="error:")


def clang_format() -> list[str]:
    """C++: layout."""
    files = [
        str(f.relative_to(ROOT))
        for folder in ("sim", "host", "py")
        for pattern in ("*.cc", "*.cpp", "*.h")
        for f in sorted((ROOT / folder).rglob(pattern))
    ]
    return _lines("clang-format", "--dry-run", "-Werror", *files, keep="error:")


CHECKS: dict[str, Callable[[], list[str]]] = {
    "verilator": verilator,
    "slang": slang,
    "elaboration": elaboration.findings,
    "verible": verible,
    "house rules": house,
    "files": text_files,
    "catalogue": catalogue.findings,
    "ruff": ruff,
    "mypy": mypy,
    "clang-format": clang_format,
}


def run(names: Sequence[str]) -> Iterator[list[str]]:
    """The findings of each of these checks, in their order, as they come; two run at a time."""
    registers.generate()  # once, not by each that reads the list of files
    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(lambda name: CHECKS[name](), names)
