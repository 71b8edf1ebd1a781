# SPDX-License-Identifier: Apache-2.0
"""Synthesis with Yosys: area and depth of logic, of the core block by block or of a module alone.

A target is an FPGA family and what is built for it: a top module and a configuration of the core.
Families: `ecp5` (LFE5U-85F, also placed and routed: place.py), `xcup` (UltraScale+) and `xc7` (7
series), which have no open place and route.

The core is mapped block by block (Yosys keeps the hierarchy at the blocks' borders), which is what
makes an area of a block; the netlist is flattened afterwards, so that depth is counted through the
borders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyslang import Bag, SourceManager, ast, syntax

from wirecache import BUILD, ROOT
from wirecache.circuit import rtl
from wirecache.flow import netlist, yosys
from wirecache.flow.netlist import Area, Way
from wirecache.setup import Failure

# The blocks of the core, in the order of the data (hw/core: wc_core.sv, wc_table.sv), with either
# index.
BUCKET_BLOCKS = (
    *("u_net", "u_request", "u_hash", "u_index", "u_answer_size", "u_store", "u_answer"),
    *("u_index_fit", "u_store_fit", "u_index_host", "u_host"),
)
ITEM_BLOCKS = (
    *("u_net", "u_request", "u_hash", "u_item", "u_answer_size", "u_answer"),
    *("u_index_fit", "u_store_fit", "u_item_host", "u_host"),
)


@dataclass(frozen=True)
class Target:
    """A family, Yosys' commands that map to it, and what is built for it."""

    name: str
    family: str
    part: str
    map: str  # format: top
    top: str
    config: str  # of wc_config_pkg
    memory: str  # its block RAM
    blocks: tuple[str, ...] = BUCKET_BLOCKS
    deepest: int | None = None  # look-up tables between registers, the house's limit
    # It fills the part: sites of block RAM are chosen (rams.py), wires are shortened (anneal.py).
    full: bool = False


# Yosys' second flow of mapping (flow2: fewer look-up tables and levels than its default, for a
# little more time), but for what a wire between two tables costs. With its own 0.3 ns a way from a
# block RAM looks long, and others get more levels than they need.
WIRE_PS = 1000
_ROUND = f"&if -m -W {WIRE_PS} -v; &mfs; &save"
_FLOW = (
    f"+&scorr; &sweep; &synch2 -K 6 -C 500; {_ROUND}; &dch -C 500; {_ROUND}; &load; &st; "
    f"&sopb -R 10 -C 4; &synch2 -K 6 -C 500; {_ROUND}; &dch -C 500; {_ROUND}; &load"
)

# synth_ecp5 but for its limit to the inputs of a function, which has no option: more than five take
# four or eight LUT4 and the multiplexers between them, which place and route has to put down as one
# piece. Without them the core has 3 % fewer LUT4.
_ECP5_BEGIN = """\
synth_ecp5 -abc9 -no-rw-check -top {top} -run begin:map_luts
"""
_ECP5_END = """\
techmap -map +/lattice/latches_map.v
abc9 -maxlut 5
clean
synth_ecp5 -abc9 -no-rw-check -top {top} -run map_cells:"""

_ECP5 = _ECP5_BEGIN + _ECP5_END

# For a full part: no reset of fewer than 100 registers. Yosys makes one of each choice between a
# word and zero, 430 in the core with the item index, and registers of two resets never share a
# tile. These cells are those that synth_ecp5 itself asks for, with that limit.
_REGISTERS = (
    *("$_DFF_?_ 01", "$_DFF_?P?_ r", "$_SDFF_?P?_ r", "$_DFFE_??_ 01"),
    *("$_DFFE_?P??_ r", "$_SDFFE_?P??_ r", "$_DLATCH_?_ x"),
)
_ECP5_FULL = f"""\
synth_ecp5 -abc9 -no-rw-check -top {{top}} -run begin:map_ffs
opt_clean
dfflegalize -minsrst 100 {" ".join(f"-cell {kind}" for kind in _REGISTERS)}
synth_ecp5 -abc9 -no-rw-check -top {{top}} -run map_ffs:map_luts
{_ECP5_END}"""

_XILINX = "synth_xilinx -family {family} -flatten -abc9 -noiopad -noclkbuf -top {{top}}"
_XCUP, _XC7 = (_XILINX.format(family=family) for family in ("xcup", "xc7"))

TARGETS = {
    t.name: t
    for t in (
        Target("ecp5", "ecp5", "LFE5U-85F, speed 8", _ECP5, "wc_ecp5", "Ecp5", "EBR"),
        Target(
            *("ecp5-item", "ecp5", "LFE5U-85F, speed 8", _ECP5_FULL, "wc_ecp5", "Ecp5Item", "EBR"),
            ITEM_BLOCKS,
            full=True,
        ),
        Target(*("xcup", "xcup", "UltraScale+", _XCUP, "wc_core", "Default", "RAMB36"), deepest=6),
        Target(
            *("xcup-item", "xcup", "UltraScale+", _XCUP, "wc_core", "Item", "RAMB36"),
            ITEM_BLOCKS,
            deepest=6,
        ),
        Target(*("xc7", "xc7", "7 series", _XC7, "wc_core", "Trets", "RAMB36")),
        Target(*("xc7-cuckoo", "xc7", "7 series", _XC7, "wc_core", "Zynq", "RAMB36"), ITEM_BLOCKS),
    )
}


@dataclass(frozen=True)
class Synthesis:
    """A mapped design. `flat` is the netlist of `top` in JSON, for place and route."""

    target: str
    top: str
    total: Area
    blocks: Mapping[str, Area]  # empty for a module alone
    ways: list[Way]  # the deepest way into each register, RAM and multiplier, deepest first
    flat: Path = field(repr=False)

    def depth(self, block: str | None = None) -> int:
        """Look-up tables on the deepest way that ends in `block`, or anywhere."""
        return max((w.depth for w in self.ways if block in (None, w.block)), default=0)


Progress = Callable[[str], None]


def core(target: Target, progress: Progress = lambda text: None, config: str = "") -> Synthesis:
    """The core, block by block, as `target` builds it (some four minutes)."""
    config = config or target.config
    folder = BUILD / "synth" / f"{target.family}-{config.lower()}"
    progress(f"{target.name}: {target.top}, configuration {config}: synthesis")
    parameters = {"User": f"wc_config_pkg::{config}"}
    return _synthesise(target, target.top, parameters, folder, target.blocks)


def module(target: Target, name: str, parameters: Mapping[str, object]) -> Synthesis:
    """A module alone (seconds to a minute)."""
    return _synthesise(target, name, parameters, BUILD / "synth" / target.family / name, ())


def harnessed(target: Target, name: str, parameters: Mapping[str, object]) -> Synthesis:
    """A module, or the target's top with its blocks, inside a harness that fits the pins.

    The ports are far more than the package's pins: every input comes from a shift register, every
    output goes to a register that a second shift register reads out. Both ends are plain flip-flop
    to flip-flop paths, so the clock that place and route reports is the design's own. Area is that
    of the design without the harness.
    """
    folder = BUILD / "synth" / target.name / f"{name}-placed"
    folder.mkdir(parents=True, exist_ok=True)
    files = rtl.files(rtl.core_of(name))
    (folder / "harness.sv").write_text(_harness(name, _ports(name, files, parameters), parameters))
    blocks = target.blocks if name == target.top else ()
    return _synthesise(target, name, {}, folder, blocks, folder / "harness.sv")


def _synthesise(
    target: Target,
    name: str,
    parameters: Mapping[str, object],
    folder: Path,
    blocks: tuple[str, ...],
    harness: Path | None = None,
) -> Synthesis:
    files = rtl.files(rtl.core_of(name))
    top = "harness" if harness else name
    sources = [*files.sources, *([harness] if harness else [])]
    kept = [*(f"*.{block}" for block in blocks), *(["*.u_dut"] if harness else [])]
    options = [
        *("-j 1 --ignore-assertions --single-unit --keep-hierarchy", f"--top {top}"),
        *(f"-I{folder.relative_to(ROOT)}" for folder in files.include_dirs),
        *(f"-G {key}={value}" for key, value in parameters.items()),
    ]
    hierarchy, flat = (folder / f"{name}.json" for name in ("blocks", "flat"))
    yosys.run(
        "\n".join(
            [
                f"read_slang {' '.join(options)} {' '.join(str(s) for s in sources)}",
                f"hierarchy -top {top}",
                *(f"setattr -mod -set keep_hierarchy 1 {pattern}" for pattern in kept),
                f'scratchpad -set abc9.script "{_FLOW}"',
                target.map.format(top=top),
                f"write_json {hierarchy}",
                *(f"setattr -mod -unset keep_hierarchy {pattern}" for pattern in kept),
                *("flatten", "opt_clean", "autoname", f"write_json {flat}"),
            ]
        ),
        folder / "synth.ys",
    )
    modules = netlist.load(hierarchy)
    named = {kind.rsplit(".", 1)[-1]: kind for kind in modules}
    areas = {block: netlist.area(modules, named[block]) for block in blocks}
    total = netlist.area(modules, named["u_dut"] if harness else top)
    return Synthesis(target.name, name, total, areas, netlist.ways(netlist.load(flat), top), flat)


# ---- the harness ---------------------------------------------------------------------------------
def _ports(module: str, files: rtl.FileList, parameters: Mapping[str, object]) -> list[Any]:
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


def _harness(module: str, ports: list[Any], parameters: Mapping[str, object]) -> str:
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
