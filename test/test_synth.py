# SPDX-License-Identifier: Apache-2.0
"""Area and depth as `wirecache synth` counts them, on circuits whose figures are known."""

from __future__ import annotations

import copy
import json
from collections import Counter
from typing import Any

import pytest
from wirecache import BUILD
from wirecache.flow import areas, netlist, synth, yosys
from wirecache.flow.netlist import Area
from wirecache.report import synthesis as reports
from wirecache.setup import Failure

# Mapped by hand, so that nothing is left to the mapper. A register, what lies between, a register.
CIRCUITS = {
    "xcup": """
module tables (input clk, input a, output q);  // three tables, a multiplexer of the slice
  wire b, c, d, e, f;
  FDRE first (.C(clk), .CE(1'b1), .R(1'b0), .D(a), .Q(b));
  LUT2 one (.I0(b), .I1(a), .O(c));
  LUT6 two (.I0(c), .I1(c), .I2(b), .I3(b), .I4(b), .I5(b), .O(d));
  MUXF7 wide (.I0(d), .I1(c), .S(b), .O(e));
  LUT3 three (.I0(e), .I1(b), .I2(b), .O(f));
  FDRE last (.C(clk), .CE(1'b1), .R(1'b0), .D(f), .Q(q));
endmodule
module carries (input clk, input [3:0] a, output q);  // a table, then the chain it feeds
  wire [3:0] b, s, co, o;
  FDRE first [3:0] (.C(clk), .CE(1'b1), .R(1'b0), .D(a), .Q(b));
  LUT2 half [3:0] (.I0(b), .I1(a), .O(s));
  CARRY4 chain (.CI(1'b0), .CYINIT(1'b0), .DI(b), .S(s), .CO(co), .O(o));
  FDRE last (.C(clk), .CE(1'b1), .R(1'b0), .D(o[3]), .Q(q));
endmodule
""",
    "ecp5": """
module carries (input clk, input [3:0] a, output q);  // a table, two carry cells: one chain
  wire [3:0] b; wire c, s, t, out;
  TRELLIS_FF first [3:0] (.CLK(clk), .DI(a), .Q(b));
  LUT4 one (.A(b[0]), .B(b[1]), .C(b[2]), .D(b[3]), .Z(c));
  CCU2C low (.A0(c), .B0(b[0]), .A1(b[1]), .B1(b[2]), .COUT(s));
  CCU2C high (.CIN(s), .A0(b[2]), .B0(b[3]), .S0(t));
  TRELLIS_FF last (.CLK(clk), .DI(t), .Q(q));
endmodule
module memory (input clk, input [3:0] a, output q);  // a read of look-up-table RAM, a table
  wire [3:0] b, d; wire z;
  TRELLIS_FF first [3:0] (.CLK(clk), .DI(a), .Q(b));
  TRELLIS_DPR16X4 ram (.RAD(b), .WAD(a), .DI(a), .WRE(b[0]), .WCK(clk), .DO(d));
  LUT4 one (.A(d[0]), .B(d[1]), .C(d[2]), .D(d[3]), .Z(z));
  TRELLIS_FF last (.CLK(clk), .DI(z), .Q(q));
endmodule
""",
}
CELLS = {"xcup": "+/xilinx/cells_sim.v", "ecp5": "+/ecp5/cells_sim.v"}


def mapped(family: str, top: str) -> dict[str, Any]:
    folder = BUILD / "test" / "synth"
    folder.mkdir(parents=True, exist_ok=True)
    source, file = folder / f"{family}.v", folder / f"{family}-{top}.json"
    source.write_text(CIRCUITS[family])
    commands = (
        *(f"read_verilog -lib {CELLS[family]}", f"read_verilog {source}"),
        *(f"hierarchy -top {top}", "proc =*", f"write_json {file}"),
    )
    yosys.run("\n".join(commands), file.with_suffix(".ys"))
    return netlist.load(file)


@pytest.mark.parametrize(
    ("family", "top", "lut", "ff", "depth", "cells"),
    [
        ("xcup", "tables", 3, 2, 3, ["first", "one", "two", "wide", "three", "last"]),
        ("xcup", "carries", 4, 5, 1, ["first", "half", "chain", "last"]),
        ("ecp5", "carries", 5, 5, 2, ["first", "one", "low", "high", "last"]),
        ("ecp5", "memory", 7, 5, 2, ["first", "ram", "one", "last"]),
    ],
)
def test_counts(family: str, top: str, lut: int, ff: int, depth: int, cells: list[str]) -> None:
    modules = mapped(family, top)
    area = netlist.area(modules, top)
    assert (area.lut, area.ff) == (lut, ff)
    way = netlist.ways(modules, top)[0]
    assert way.depth == depth
    assert [cell.split("[")[0] for cell in way.cells] == cells


def test_core_blocks_add_up() -> None:
    assert netlist.Area(lut=1, ff=2) + netlist.Area(lut=3, dsp=1) == netlist.Area(4, 2, dsp=1)


def test_unknown_cell_is_no_area() -> None:
    modules = {"top": {"attributes": {}, "cells": {"x": {"type": "NEW_CELL"}}}}
    with pytest.raises(ValueError, match="NEW_CELL"):
        netlist.area(modules, "top")


def test_block_is_the_first_name_below_the_core() -> None:
    assert netlist.block("u_dut.u_core.u_table.u_index.u_ccu.hit_q") == "u_index"
    assert netlist.block("u_index.u_ccu.hit_q") == "u_index"
    assert netlist.block("in_q") == ""


def test_growth_is_found() -> None:
    now = json.loads(areas.FILE.read_text())
    assert areas.findings(now) == []
    for figure, more in (("lut", 1.03), ("ff", 1.03), ("ram", 2), ("depth", 1.5)):
        grown = copy.deepcopy(now)
        grown["xcup"]["u_index"][figure] = round(grown["xcup"]["u_index"][figure] * more)
        assert len(areas.findings(grown)) == 1, figure
    within = copy.deepcopy(now)
    within["xcup"]["u_index"]["lut"] *= 1.01
    assert areas.findings(within) == []
    within["ecp5"]["u_new"] = within["ecp5"]["u_index"]
    assert areas.findings(within) == ["ecp5 u_new: is not in hw/areas.json"]
    del within["ecp5"]["u_new"], within["ecp5"]["u_host"]
    assert areas.findings(within) == ["ecp5 u_host: was not measured"]


def test_yosys_error_is_one_line() -> None:
    with pytest.raises(Failure, match=r"yosys failed on wrong: .*nonsense"):
        yosys.run("nonsense", BUILD / "test" / "wrong.ys")


@pytest.mark.parametrize("name", [t for t, made in synth.TARGETS.items() if made.family != "ecp5"])
def test_reports(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made of areas of a whole core, here of a made-up one. (A clock takes hours.)"""

    def made(target: synth.Target, *_: Any) -> synth.Synthesis:
        area = Area(532, 1064, Counter({"RAMB18E1": 1}))
        blocks = dict.fromkeys(target.blocks, area)
        return synth.Synthesis(target.name, target.top, area, blocks, [], BUILD)

    monkeypatch.setattr(synth, "core", made)
    monkeypatch.setattr(synth, "module", made)
    result = reports.run(f"synth-{name}")
    blocks = next(table for table in result.tables if table.columns[0] == "block")
    assert [row[0] for row in blocks.rows][: len(synth.TARGETS[name].blocks) + 1][-1] == "all"
    if name == "xc7-cuckoo":  # 532 of 53,200 look-up tables
        assert all(row[1:3] == (532, "1 %") for row in result.tables[0].rows[:-1])
        assert "2 ways" in str(result.tables[0].rows) and "1,024 cells" in str(
            result.tables[0].rows
        )
