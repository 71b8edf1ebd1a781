# SPDX-License-Identifier: Apache-2.0
"""What is done to a netlist and its placement before it is routed: reset, block RAM, slow ways."""

from __future__ import annotations

import copy
import fcntl
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from wirecache import BUILD
from wirecache.flow import place, resets, synth
from wirecache.flow.placement import anneal, rams, refine, spread
from wirecache.flow.placement.exchanges import Kind
from wirecache.flow.placement.placement import Placement
from wirecache.setup import Failure

# Under the repository, which is what nextpnr sees; each worker of pytest has its own.
FOLDER = BUILD / "test" / "place" / os.environ.get("PYTEST_XDIST_WORKER", "only")
REGISTERS = resets.FEWEST + 20


def register(d: int, q: int, reset: int | str = "0") -> dict[str, Any]:
    return {
        "type": "TRELLIS_FF",
        "parameters": {"LSRMUX": "LSR", "SRMODE": "LSR_OVER_CE"} if reset != "0" else {},
        "attributes": {},
        "port_directions": {"CLK": "input", "DI": "input", "LSR": "input", "Q": "output"},
        "connections": {"CLK": [2], "DI": [d], "LSR": [reset], "Q": [q]},
    }


def flat(cells: dict[str, Any]) -> Path:
    FOLDER.mkdir(parents=True, exist_ok=True)
    source = FOLDER / "flat.json"
    bits = sorted(
        {b for c in cells.values() for v in c["connections"].values() for b in v} - {"0", "1"}
    )
    module = {
        "attributes": {"top": 1},
        "cells": cells,
        "netnames": {"all": {"bits": bits, "hide_name": 0, "attributes": {}}},
    }
    source.write_text(json.dumps({"modules": {"harness": module}}))
    return source


def shared(cells: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    source = flat(cells)
    out = source.with_name("ready.json")
    given = resets.share(source, out, prefix="u_dut.")
    return given, json.loads(out.read_text())["modules"]["harness"]["cells"]


def netlist() -> dict[str, Any]:
    """A reset of two registers in a row, state that it resets, data, a table that reads it."""
    table = {
        "type": "LUT4",
        "parameters": {},
        "attributes": {},
        "port_directions": {**dict.fromkeys("ABCD", "input"), "Z": "output"},
        "connections": {"A": [11], "B": [100], "C": ["0"], "D": ["0"], "Z": [9000]},
    }
    state = {f"u_dut.u_core.u_net.state{i}": register(3, 100 + i, 11) for i in range(REGISTERS)}
    return {
        "u_dut.first": register(3, 10),
        "u_dut.rst_q": register(10, 11),
        **state,
        "u_dut.u_core.u_net.data": register(9000, 9001),
        "in_q": register(4, 9002),
        "u_dut.u_core.u_net.mix": table,
    }


def test_every_register_gets_the_reset() -> None:
    before = netlist()
    given, cells = shared(netlist())
    assert given == 1
    (buffer,) = [c for c in cells.values() if c["type"] == "DCCA"]
    assert buffer["connections"]["CLKI"] == [11]
    net = buffer["connections"]["CLKO"]
    for name in [n for n in before if "state" in n] + ["u_dut.u_core.u_net.data"]:
        assert cells[name]["connections"]["LSR"] == net
        assert cells[name]["parameters"]["SRMODE"] == "LSR_OVER_CE"
        for port in ("CLK", "DI", "Q"):
            assert cells[name]["connections"][port] == before[name]["connections"][port]
    # What makes the reset cannot be reset by it, and the harness is not part of the design.
    for name in ("u_dut.first", "u_dut.rst_q", "in_q"):
        assert cells[name] == before[name]


def test_tables_get_the_reset_from_a_copy_of_its_register() -> None:
    _, cells = shared(netlist())
    mix = cells["u_dut.u_core.u_net.mix"]["connections"]
    (copy,) = [c for n, c in cells.items() if n not in netlist() and c["type"] == "TRELLIS_FF"]
    assert mix["A"] == copy["connections"]["Q"] != [11]
    assert mix["B"] == [100]
    for port in ("CLK", "DI"):
        assert copy["connections"][port] == cells["u_dut.rst_q"]["connections"][port]


def test_what_goes_on_during_the_reset_is_left_alone() -> None:
    """What hangs on another reset, and a counter of the reset's own: it would never end."""
    others = {f"u_dut.u_core.u_edge.state{i}": register(3, 300 + i, 8000) for i in range(REGISTERS)}
    mine = register(9002, 9100)
    mine["connections"]["CE"] = [300]
    mine["port_directions"]["CE"] = "input"
    added = {
        "u_dut.other": register(3, 8000),
        **others,
        "u_dut.u_core.u_edge.held": mine,
        "u_dut.count0": register(9200, 9201),
        "u_dut.count1": register(9201, 9200),
    }
    cells = netlist()
    cells["u_dut.first"] = register(9200, 10)
    given, after = shared(copy.deepcopy({**cells, **added}))
    assert given == 1
    for name, cell in added.items():
        assert after[name] == cell


def test_a_reset_that_no_register_makes_is_refused() -> None:
    cells = netlist()
    del cells["u_dut.rst_q"]
    with pytest.raises(Failure, match=f"{REGISTERS} registers are reset by what is not a register"):
        shared(cells)


def test_few_resets_are_left_alone() -> None:
    cells = dict(list(netlist().items())[: resets.FEWEST])
    given, after = shared(cells)
    assert (given, after) == (0, cells)


# ---- block RAM -----------------------------------------------------------------------------------
def memory(name: str, rams: int, data: int, address: int) -> dict[str, Any]:
    """A memory of so many RAMs, a bit of its word each: `data` + i goes in, 100 above it out."""
    return {
        f"u_dut.{name}.mem.0.{i}": {
            "type": "DP16KD",
            "parameters": {"DATA_WIDTH_A": f"{36:032b}", "DATA_WIDTH_B": f"{36:032b}"},
            "attributes": {},
            "port_directions": {
                **{"CLKA": "input", "CLKB": "input", "ADA5": "input", "ADB5": "input"},
                **{"DIA0": "input", "DOB0": "output"},
            },
            "connections": {
                **{"CLKA": [2], "CLKB": [2], "ADA5": [address], "ADB5": [address + 1]},
                **{"DIA0": [data + i], "DOB0": [data + 100 + i]},
            },
        }
        for i in range(rams)
    }


def two_pairs() -> dict[str, Any]:
    """Two pairs of memories, of which one hands its words to the other by way of registers."""
    cells: dict[str, Any] = {}
    for pair, first in (("a", 1000), ("b", 2000)):
        cells |= memory(f"{pair}.from", 8, first, first + 900)
        cells |= memory(f"{pair}.to", 8, first + 300, first + 910)
        for i in range(8):
            cells[f"u_dut.{pair}.word{i}"] = register(first + 100 + i, first + 200 + i)
            cells[f"u_dut.{pair}.word_q{i}"] = register(first + 200 + i, first + 300 + i)
    return cells


def sites(cells: dict[str, Any], start: str = "") -> list[tuple[int, int, int]]:
    bels = [c["attributes"]["BEL"] for n, c in cells.items() if "mem" in n and n.startswith(start)]
    found = [re.fullmatch(r"X(\d+)/Y(\d+)/EBR([0-3])", bel) for bel in bels]
    return [(int(m[1]), int(m[2]), int(m[3])) for m in found if m]


def away(some: Any, others: Any) -> float:
    """Tiles from one to another, in the mean."""
    return float(np.mean([abs(a[0] - b[0]) + abs(a[1] - b[1]) for a in some for b in others]))


def test_rams_lie_beside_those_that_they_exchange_words_with() -> None:
    source = flat(two_pairs())
    out = source.with_name("fixed.json")
    assert rams.assign(source, out) == 32
    cells = json.loads(out.read_text())["modules"]["harness"]["cells"]
    everywhere = sites(cells)
    assert len(set(everywhere)) == 32
    assert set(everywhere) <= set(rams.SITES)
    for pair in ("a", "b"):
        one, other = (sites(cells, f"u_dut.{pair}.{end}.") for end in ("from", "to"))
        # A bit's two RAMs lie nearer to each other than any two of the two memories do.
        assert np.mean([away([x], [y]) for x, y in zip(one, other, strict=True)]) < away(one, other)
        # All sixteen would be 19 tiles apart in one row, any two of the part 56.
        assert away(one + other, one + other) < 25
    for name, cell in two_pairs().items():
        assert {**cells[name], "attributes": {}} == cell
    again = source.with_name("again.json")
    rams.assign(source, again)
    assert again.read_bytes() == out.read_bytes()


def test_wires_pull_as_their_smoothed_length_grows() -> None:
    wires = spread._Wires(two_pairs())
    at = np.random.default_rng(3).uniform(0, 100, wires.count)

    def length(places: Any) -> float:
        total = 0.0
        for net in range(len(wires.first)):
            ends = places[wires.pin[wires.net == net]]
            for sign in (1, -1):
                weight = np.exp(sign * (ends - ends.mean()) / 9)
                total += sign * (ends * weight).sum() / weight.sum()
        return total

    slope = wires.gradient(at, 9.0)
    for cell in range(wires.count):
        step = np.zeros(wires.count)
        step[cell] = 1e-4
        grows = (length(at + step) - length(at - step)) / 2e-4
        assert slope[cell] == pytest.approx(grows, abs=1e-6)
    # Smoothed by very little it is from one end to the other.
    nets = [at[wires.pin[wires.net == net]] for net in range(len(wires.first))]
    assert (wires.gradient(at, 1e-3) * at).sum() == pytest.approx(sum(map(np.ptp, nets)))


def test_a_crowd_is_pushed_apart_and_what_has_room_is_not() -> None:
    kind = spread.KINDS[1]
    crowd = spread._Crowd(kind, ["TRELLIS_FF"] * 500 + ["DP16KD"])
    at = np.full((2, 501), 50.0) + np.random.default_rng(4).normal(0, 2, (2, 501))
    push, over = crowd.pushed(at)
    assert push.shape == (2, 500) and 0.1 < over < 0.9
    outward = (at[:, :500] - 50.0) * -push  # against the gradient
    assert (outward.sum(0) > 0).mean() > 0.9
    apart = np.random.default_rng(5).uniform(5, 90, (2, 501))
    push, over = crowd.pushed(apart)
    assert over == 0 and not push.any()


def test_every_kind_finds_room() -> None:
    cells = {f"q{i}": register(1000 + i % 4000, 6000 + i) for i in range(4000)}
    cells |= memory("m", 40, 1000, 900)
    at = spread.spread(cells)
    for kind in spread.KINDS[1:]:
        crowd = spread._Crowd(kind, [cell["type"] for cell in cells.values()])
        assert crowd.pushed(at)[1] <= spread.ENOUGH + 0.02


def test_the_nearest_sites_are_the_nearest() -> None:
    """No two RAMs could change their sites, nor one take a free one, and be nearer by much."""
    at = np.random.default_rng(6).uniform(0, 95, (2, 120))
    site = rams.nearest(at)
    assert len(set(site)) == 120
    far = abs(at[:, :, None] - rams.AT[:, None, :]).sum(0)
    now = far[np.arange(120), site]
    slack = 120 * rams.CLOSE
    for a in range(120):
        free = np.setdiff1d(np.arange(len(rams.SITES)), site)
        assert far[a, free].min() >= now[a] - slack
        for b in range(a):
            assert far[a, site[b]] + far[b, site[a]] >= now[a] + now[b] - slack


def test_the_sites_are_those_of_the_part() -> None:
    assert len(rams.SITES) == spread.RAM_SITES
    source = flat(memory("full", len(rams.SITES), 1000, 3000))
    fixed, out = source.with_name("fixed.json"), source.with_name("sites.json")
    assert rams.assign(source, fixed) == len(rams.SITES)
    place.place(fixed, out, seed=1, mhz=200)
    cells = json.loads(fixed.read_text())["modules"]["harness"]["cells"]
    placed = json.loads(out.read_text())["modules"]["top"]["cells"]
    for name, cell in cells.items():
        assert placed[name]["attributes"]["NEXTPNR_BEL"] == cell["attributes"]["BEL"]
    with pytest.raises(Failure, match="209 block RAMs, but the part has 208"):
        rams.assign(flat(memory("full", len(rams.SITES) + 1, 1000, 3000)), out)


def test_a_netlist_without_ram_is_left_alone() -> None:
    source = flat(netlist())
    out = source.with_name("fixed.json")
    assert rams.assign(source, out) == 0
    assert json.loads(out.read_text()) == json.loads(source.read_text())


# ---- placement -----------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def ready() -> Path:
    """The lookup3 unit: tables, wide functions, and carry chains of 32 bits."""
    folder = FOLDER / "lookup3"
    folder.mkdir(parents=True, exist_ok=True)
    with (FOLDER.parent / "lock").open("w") as lock:  # workers may want the same netlist
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = synth.harnessed(synth.TARGETS["ecp5"], "wc_lookup3", {})
        flat = Path(shutil.copy(made.flat, folder))
    return place.prepare(flat)


@pytest.fixture(scope="module")
def placed(ready: Path) -> Path:
    """It placed and not routed."""
    out = ready.with_name("placed.json")
    place.place(ready, out, seed=1, mhz=200)
    return out


@pytest.mark.full
def test_a_netlist_read_back_is_as_fast_as_one_routed_at_once(ready: Path, placed: Path) -> None:
    """What reading back hides from nextpnr is put right, and nothing else is."""
    at_once = place.route_plainly(ready, seed=1, mhz=200)
    wanted = at_once.nextpnr_mhz
    assert at_once.fmax_mhz == pytest.approx(wanted, rel=1e-4)

    same = placed.with_name("same.json")
    Placement(placed).write(same)
    routed = place.check_and_route(same, placed.with_name("report.json"), mhz=200)
    assert routed.nextpnr_mhz < 0.95 * wanted
    assert routed.fmax_mhz == pytest.approx(wanted, rel=0.02)  # routed anew


@pytest.mark.full
def test_slow_ways_get_shorter_and_nextpnr_agrees(placed: Path) -> None:
    out = placed.with_name("refined.json")
    gained = refine.refine(placed, out, target_ns=3.0, rounds=24)
    assert gained.moves > 0
    assert gained.after_ns < gained.before_ns
    routed = place.check_and_route(out, placed.with_name("report.json"), mhz=200)
    assert routed.fmax_mhz >= routed.nextpnr_mhz
    # Moves are kept or taken back by an estimate that is made before routing.
    assert gained.after_ns == pytest.approx(1000 / routed.fmax_mhz, rel=0.15)


def tiles_of_wire(p: Placement) -> int:
    """Of the nets that are not too wide, worked out from where their cells are."""
    pins: dict[int, set[int]] = {}
    for arc in np.nonzero(p.routed)[0]:
        node = int(p.source[arc])
        pins.setdefault(node, {int(p.node_cell[node])}).add(int(p.target[arc]))
    total = 0
    for cells in pins.values():
        if len(cells) <= anneal.WIDEST:
            total += sum(int(np.ptp(axis[list(cells)])) for axis in (p.x, p.y))
    return total


@pytest.mark.full
def test_wires_get_shorter_and_nextpnr_agrees(placed: Path) -> None:
    out, again = placed.with_name("annealed.json"), placed.with_name("again.json")
    annealed = anneal.anneal(placed, out)
    assert annealed.before == tiles_of_wire(Placement(placed))
    assert annealed.after == tiles_of_wire(Placement(out))
    assert annealed.after < 0.97 * annealed.before
    assert anneal.anneal(placed, again) == annealed
    assert again.read_bytes() == out.read_bytes()
    place.check_and_route(out, placed.with_name("report.json"), mhz=200)


def refined(placed: Path, out: Path) -> None:
    refine.refine(placed, out, target_ns=3.0, rounds=4)


@pytest.mark.parametrize("step", [refined, anneal.anneal])
def test_every_move_is_an_exchange(step: Callable[[Path, Path], object], placed: Path) -> None:
    """No cell is lost and no two are in one place; what must stay has stayed."""
    out = placed.with_name("moved.json")
    step(placed, out)
    before, after = (json.loads(f.read_text())["modules"]["top"]["cells"] for f in (placed, out))
    assert before.keys() == after.keys()
    where = [c["attributes"]["NEXTPNR_BEL"] for c in after.values()]
    assert len(set(where)) == len(where)
    moved = [
        n
        for n, c in before.items()
        if c["attributes"]["NEXTPNR_BEL"] != after[n]["attributes"]["NEXTPNR_BEL"]
    ]
    assert moved
    for name in moved:
        assert before[name]["type"] in ("TRELLIS_COMB", "TRELLIS_FF")
        assert before[name]["parameters"].get("MODE") != "CCU2"


def test_nextpnr_refuses_what_breaks_its_rules(placed: Path) -> None:
    """The moves are legal because nextpnr says so: two resets in a tile are not."""
    p = Placement(placed)
    registers = {s: c for c, s in enumerate(p.site) if s and p.types[c] == "TRELLIS_FF"}
    one = next(c for c in registers.values() if (u := p.unit[c]) and u.kind is Kind.REGISTER)
    there = next(
        s
        for s, c in registers.items()
        if p.reset[c] != p.reset[one] and (s[0], s[1], s[2] ^ 1) not in registers
    )
    wrong = (there[0], there[1], there[2] ^ 1)
    unit = p.unit[one]
    assert unit is not None and p.exchange(unit, wrong) is None
    p.apply([(one, wrong)])
    out = placed.with_name("wrong.json")
    p.write(out)
    with pytest.raises(Failure, match="nextpnr failed"):
        place.check_and_route(out, placed.with_name("report.json"), mhz=200)
