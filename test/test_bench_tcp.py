# SPDX-License-Identifier: Apache-2.0
"""The benches `tcp`, `goodput` and `lists`, a few points; and clients over TCP in simulated time
whose answers are wrong, or never come."""

from __future__ import annotations

from dataclasses import replace

import pytest
from wirecache.benches import Options, goodput, lists, tcp
from wirecache.benches import _wire as wire
from wirecache.board.session import Session
from wirecache.testbench import namespace
from wirecache.traffic.plan import Exchange, Group, Plan

pytestmark = pytest.mark.usefixtures("default_board")


def test_quick() -> None:
    result = tcp.run(Options(quick=True))
    data = result.data
    for point in data["rates"]:
        assert 0 < point["share"] <= 1, point
        assert point["dropped"] == 0 and point["tcp"]["tcp_retransmit"] == 0, point
        assert point["tcp"]["tcp_opened"] == point["tcp"]["tcp_closed"] > 0, point
    # The wire's bounds that are well known.
    gets = [point for point in data["rates"] if point["load"].endswith("get, 64 connections")]
    bounds = {point["load"].split()[0]: point["bound"] / 1e6 for point in gets}
    assert bounds == pytest.approx({"ASCII": 17.3, "meta": 28.7}, rel=0.005)
    for point in data["opens"]:
        assert point["tcp"]["tcp_opened"] == point["tcp"]["tcp_closed"] == point["sessions"], point
        assert point["rate"] > 100_000, point
    for point in data["floods"]:
        assert point["tcp"]["tcp_opened"] == point["tcp"]["tcp_closed"] == 64, point
        assert point["rate"] > point["left"] / 2 and point["dropped"] == 0, point
        assert point["tcp"]["tcp_syn"] == point["syns"] + 64, point
    udp, alone, beside = data["latencies"]
    assert udp["least"] < alone["least"] <= alone["p50"] <= alone["p99"] <= alone["most"]
    assert beside["p50"] - alone["p50"] < 156  # 1 µs
    whole, lossy = data["losses"]
    assert whole["link"] == "whole" and lossy["link"] == "in loss=1%"
    assert whole["sets"]["again"] == whole["gets"]["again"] == 0
    assert lossy["sets"]["again"] > 0


@pytest.mark.skipif(not namespace.available(), reason=namespace.MISSING)
def test_goodput() -> None:
    result = goodput.run(Options(quick=True))
    assert [point["lost"] for point in result.data["points"]] == [0.01, 0.05]
    for point in result.data["points"]:
        # A link of 10 ms there and back, and a window that begins with ten segments.
        assert 0 < point["board"][0] < 8 * point["bytes"] / 0.02, point
        assert 0 < point["linux"][0] < 8 * point["bytes"] / 0.02, point


def _session() -> Session:
    return Session("--memory", "256M")


def _filled(session: Session) -> list[Exchange]:
    keys = wire.keys(16, 10)
    wire.fill(session, keys, 32)
    return [tcp.ascii_get(key, wire.value(32)) for key in keys]


def test_the_same_every_time() -> None:
    found = []
    for _ in range(2):
        with _session() as session:
            gets = _filled(session)
            group = Group("gets", gets, connections=8, depth=8, requests=50, cuts=True)
            found.append(session.traffic(Plan([group])).lists["gets_answered"].tolist())
    assert found[0] == found[1] and len(found[0]) == 400


def test_answers_are_compared(capfd: pytest.CaptureFixture[str]) -> None:
    with _session() as session:
        gets = _filled(session)
        wrong = [replace(gets[0], answer=gets[0].answer.replace(b"END", b"ENE"))]
        with pytest.raises(RuntimeError):
            session.traffic(Plan([Group("gets", wrong)]))
    said = capfd.readouterr().err
    assert "the answer to 'get " in said and "ENE" in said


def test_what_is_never_answered_ends(capfd: pytest.CaptureFixture[str]) -> None:
    with _session() as session:
        half = Exchange(b"get half of it", b"never")
        with pytest.raises(RuntimeError):
            session.traffic(Plan([Group("halves", [half], connections=3)]))
    said = capfd.readouterr().err
    assert "traffic does not get on: 3 connections have not ended" in said
    assert "'get half of it'" in said


def test_a_connection_that_the_board_ends(capfd: pytest.CaptureFixture[str]) -> None:
    with _session() as session:
        quits = [Exchange(b"quit\r\n", b"never")]
        with pytest.raises(RuntimeError):
            session.traffic(Plan([Group("quits", quits)]))
    assert "the board has ended it, with 1 requests unanswered" in capfd.readouterr().err


def test_losses_wait_for_the_timers_of_both() -> None:
    """A tenth of all frames lost, each way: timeouts of 200 ms and more, most of them skipped."""
    with Session(*("--memory", "256M", "--impair", "loss=10%", "--impair-seed", "3")) as session:
        keys = wire.keys(16, 20)
        sets = [tcp.ascii_set(key, wire.value(32)) for key in keys]
        group = Group("sets", sets, connections=10, requests=20, in_order=True)
        phase = session.traffic(Plan([group]))
    assert len(phase.lists["sets_answered"]) == 200
    peers = phase.summary["traffic"]["sets"]
    assert peers["retransmitted"] > 0 and phase.counters["tcp_retransmit"] > 0
    span = phase.lists["sets_answered"].max() - phase.lists["sets_asked"].min()
    assert span * 0.8 > 200e6  # ns
    assert phase.summary["simulated_cycles"] < span / 8 / 10


def test_lists() -> None:
    """Every list was the model's, to the byte; and nobody waits long for one."""
    result = lists.run(Options(quick=True))
    few, some = result.data["points"]
    assert few["cycles"] < few["buckets"] / 10, "what was never written is read"
    assert 100 < some["each"] < 1500
    alone, beside = result.data["latencies"]
    assert alone["gets"] == beside["gets"] == 200
    assert beside["most"] < alone["most"] + 1500 and beside["segments"] > 5 > alone["segments"]
