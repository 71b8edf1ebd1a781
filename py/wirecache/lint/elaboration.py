# SPDX-License-Identifier: Apache-2.0
"""Elaboration by Yosys' read_slang of all that is simulated and synthesised; warnings are findings.

Every configuration that a command or a page names is elaborated, and every module alone, as `synth`
takes it. Nothing is mapped: it costs seconds each, and what it finds (a width that is right in the
default only, a loop of logic, a second driver) would else show after minutes, or never.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from wirecache import BUILD, ROOT
from wirecache.circuit import catalogue, config, rtl
from wirecache.flow import synth, yosys
from wirecache.setup import Failure

OPTIONS = ROOT / "hw" / "lint" / "slang.f"  # what slang warns of, and the waivers
FOLDER = BUILD / "elaboration"

# The ends of what is legal, and those choices between them that take other parts of the circuit:
# each function of the hash, each way in which a line fits the memory.
SIZES = {
    "smallest": "slots=4,max_key=8,max_bucket_bits=4,hash_units=1,in_flight=8,queue_depth=16,"
    "rx_words=256,tx_words=512,contexts=16,addr_width=36,mem_width=256",
    "largest": "slots=16,max_key=250,max_bucket_bits=24,hash_units=16,in_flight=128,"
    "queue_depth=65536,rx_words=65536,tx_words=65536,contexts=65536,addr_width=64,mem_width=512",
    "wide": "slots=4,mem_width=512,hash_function=multiplicative,max_key=168",
    "narrow": "slots=16,mem_width=128,hash_function=crc,max_key=64",
    "half": "mem_width=256",
    "item-smallest": "index=item,hash_units=1,in_flight=8,rx_words=256,tx_words=512,contexts=16,"
    "addr_width=36,mem_width=128",
    "tcp-smallest": "index=item,connections=64,ring_bits=14,mem_width=128,in_flight=8",
    "tcp-bucket": "connections=1024,mem_width=256",
    "item-classic": "index=item,protocols=classic",
    "item-largest": "index=item,hash_units=16,in_flight=128,contexts=65536,addr_width=64",
}


@dataclass(frozen=True)
class Elaboration:
    """Modules at the top, and the parameters that they get."""

    name: str
    tops: tuple[str, ...]
    files: rtl.FileList
    parameters: tuple[str, ...] = ()  # NAME=VALUE

    def findings(self) -> list[str]:
        """Warnings and errors, each once."""
        includes = (f"-I{folder.relative_to(ROOT)}" for folder in self.files.include_dirs)
        options = [
            # as synth has it: what is looked at here is what is mapped there
            *("-j 1 --ignore-assertions --single-unit", f"-f {OPTIONS.relative_to(ROOT)}"),
            *(f"--top {top}" for top in self.tops),
            *(f"-G {parameter}" for parameter in self.parameters),
            *includes,
        ]
        script = FOLDER / f"{self.name}.ys"
        sources = " ".join(map(str, self.files.sources))
        commands = (f"read_slang {' '.join(options)} {sources}", "hierarchy -check", "check")
        try:
            yosys.run("\n".join(commands), script)
        except Failure as failure:
            return _complaints(script.with_suffix(".log").read_text()) or [str(failure)]
        return _complaints(script.with_suffix(".log").read_text())


def findings() -> list[str]:
    """Of all elaborations, in their order; what several of them say, only of the first."""
    wanted = elaborations()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        lists = list(pool.map(Elaboration.findings, wanted))
    found: dict[str, str] = {}
    for elaboration, complaints in zip(wanted, lists, strict=True):
        for complaint in complaints:
            found.setdefault(complaint, elaboration.name)
    return [f"{name}: {complaint}" for complaint, name in found.items()]


def elaborations() -> list[Elaboration]:
    """All that lint elaborates."""
    boards = ("wc_board", "wc_table_board", *(t.top for t in synth.TARGETS.values()))
    modules = tuple(m for m in catalogue.modules() if m not in boards)
    board = rtl.files("shell_sim")
    on_boards = {path.stem for path in board.sources}
    others = tuple(m for m in modules if m not in on_boards)
    named = {name: name for name in (*config.named(), *documented())} | SIZES
    return [
        *(_of("wc_board", config.parse(text).literal, name) for name, text in named.items()),
        *(_of(t.top, f"wc_config_pkg::{t.config}", t.config) for t in synth.TARGETS.values()),
        Elaboration("modules", tuple(m for m in modules if m in on_boards), board),
        # On no board yet.
        *(
            Elaboration(core, tuple(m for m in others if rtl.core_of(m) == core), rtl.files(core))
            for core in sorted({rtl.core_of(m) for m in others})
        ),
        Elaboration("wc_table_board", ("wc_table_board",), board),
    ]


def documented() -> Iterable[str]:
    """Configurations in the commands of README and docs/."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        yield from re.findall(r"\./wirecache [^|`\n]*--config ([\w=,]+)", page.read_text())


def _of(top: str, user: str, name: str) -> Elaboration:
    files = rtl.files(rtl.core_of(top))
    return Elaboration(f"{top}-{name.lower()}", (top,), files, (f"User={user}",))


def _complaints(log: str) -> list[str]:
    """Lines of slang (`file:line: Warning: …`) and of Yosys (`Warning: …`), each once."""
    lines = re.findall(r"^(?:\S+:\d+: )?(?:Warning|ERROR): (?!.*see full log).*", log, re.MULTILINE)
    return list(dict.fromkeys(line.replace(f"{ROOT}/", "") for line in lines))
