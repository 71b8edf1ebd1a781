# SPDX-License-Identifier: Apache-2.0
"""Clients over TCP, with a TCP of their own, in simulated time: rates beside the wire's bound,
latency alone and beside connections that stand still, and what bad links leave of it.

The wire is full in both directions whenever somebody has something to send. Every answer is
compared to the byte, and a run in which one is missing fails. A rate is that of the middle half of
the answers, in which all connections are open and busy. The bound is what the wire takes of full
segments with time stamps, in the direction that is fuller; ACKs have the other one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Address
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wirecache.benches import CLOCK_NS, WORD_BYTES, Options, Result, Table
from wirecache.benches import _wire as wire
from wirecache.benches._index import configured
from wirecache.benches.latency import GAP
from wirecache.board.session import Phase, Session
from wirecache.model.tcp.segment import Flag, Peer, Segment, build
from wirecache.traffic import frames
from wirecache.traffic.plan import Exchange, Group, Plan

KEY_BYTES, VALUE_BYTES = 16, 32
KEYS = 1000
BYTE_NS = 0.8
TIME_STAMPS = 12  # bytes, padded
FULL = 1460 - TIME_STAMPS  # of payload
FULL_SLOT = 1500 + frames.ETHERNET.size + frames.WIRE_EXTRA
BULK_BYTES = 1 << 16
BULK_CLIENTS, BULK_REQUESTS = 4, 128  # few, so that there is little behind the last byte
OPENS = ((1, 64), (16, 128), (64, 1563))  # clients at once, connections of each one after another
SYNS = 256  # that differ, of a flood
FLOODS = (0.5, 0.9)  # of the wire
LINKS = (
    *("", "--impair-in loss=1%", "--impair-in loss=5%", "--impair-out loss=1%"),
    *("--impair-out loss=5%", "--impair reorder=5%", "--impair duplicate=5%"),
)
Times = NDArray[np.float64]  # in cycles


def ascii_get(key: bytes, value: bytes) -> Exchange:
    return Exchange(
        b"get %b\r\n" % key, b"VALUE %b 0 %d\r\n%b\r\nEND\r\n" % (key, len(value), value)
    )


def meta_get(key: bytes, value: bytes) -> Exchange:
    return Exchange(b"mg %b v\r\n" % key, b"VA %d\r\n%b\r\n" % (len(value), value))


def ascii_set(key: bytes, value: bytes) -> Exchange:
    return Exchange(b"set %b 0 0 %d\r\n%b\r\n" % (key, len(value), value), b"STORED\r\n")


GETS = {"ASCII": ascii_get, "meta": meta_get}


def gets(protocol: str) -> list[Exchange]:
    """Of all keys that there are."""
    value = wire.value(VALUE_BYTES)
    return [GETS[protocol](key, value) for key in wire.keys(KEY_BYTES, KEYS)]


def bulks(clients: int, depth: int, requests: int) -> tuple[Group, Group]:
    """Long values that are set, then those that are got: a key of its own for each client."""
    value = wire.value(BULK_BYTES)
    keys = wire.keys(KEY_BYTES, KEYS + clients)[KEYS:]
    kinds = {"sets": ascii_set, "gets": ascii_get}
    sets, reads = (
        Group(
            name,
            [exchange(key, value) for key in keys],
            connections=clients,
            depth=depth,
            requests=requests,
            in_order=True,
        )
        for name, exchange in kinds.items()
    )
    return sets, reads


@dataclass(frozen=True)
class Load:
    """A group whose rate counts, and what it is to reach."""

    name: str
    group: Group
    aim: float | None = None  # of the bound


def bound(exchanges: Sequence[Exchange]) -> float:
    """Exchanges a second that the wire takes, full in the direction that needs more."""
    bytes_each = max(
        np.mean([len(exchange.request) for exchange in exchanges]),
        np.mean([len(exchange.answer) for exchange in exchanges]),
    )
    return float(1e9 / BYTE_NS / FULL_SLOT * FULL / bytes_each)


def rate(phase: Phase, group: str) -> float:
    """Answers a second, of the middle half of them."""
    at = np.sort(phase.lists[f"{group}_answered"])
    first, last = len(at) // 4, 3 * len(at) // 4
    return float((last - first) / (at[last] - at[first]) * 1e9 / BYTE_NS)


def rate_of_all(phase: Phase, group: str) -> float:
    """Answers a second, from the first request's first bit to the last answer's last one: of few
    and long ones, which come to their ends in bunches."""
    asked, at = phase.lists[f"{group}_asked"], phase.lists[f"{group}_answered"]
    return float(len(at) / (at.max() - asked.min()) * 1e9 / BYTE_NS)


def latency(phase: Phase, group: str) -> Times:
    """From the first bit of each request to the last one of its answer, in cycles."""
    took: Times = (phase.lists[f"{group}_answered"] - phase.lists[f"{group}_asked"]) / WORD_BYTES
    return took


def run(options: Options) -> Result:
    """All of it, on a board with TCP."""
    with configured(with_tcp()):
        with Session("--memory", "1G") as session:
            wire.fill(session, wire.keys(KEY_BYTES, KEYS), VALUE_BYTES)
            rates = _rates(session, options)
            opens = _opens(session, options)
            floods = [_flood(session, share, options) for share in FLOODS[options.quick :]]
            latencies = _latencies(session, options)
        losses = [_loss(link, options) for link in (LINKS[:2] if options.quick else LINKS)]
    data = {"rates": rates, "opens": opens, "floods": floods, "latencies": latencies}
    data["losses"] = losses
    tables = [_rate_table(rates), _open_table(opens), _flood_table(floods)]
    return Result([*tables, _latency_table(latencies), _loss_table(losses)], data)


def with_tcp() -> str:
    """The one that is asked for, if it has TCP."""
    from wirecache.circuit.config import DEFAULT, parse  # slow to import, and only needed here

    asked = os.environ.get("WIRECACHE_CONFIG", "")
    return asked if asked and parse(asked)["connections"] else DEFAULT


# ---- rates --------------------------------------------------------------------------------------
def _loads(options: Options) -> list[Load]:
    """Small gets and sets as deep as keeps the wire busy, and bulk values both ways; what one
    connection gets by itself, of which one packet at a time is at work."""
    wanted = options.count or (4_000 if options.quick else 30_000)
    loads = []
    for protocol in GETS:
        few = Group("gets", gets(protocol), connections=64, depth=64, requests=wanted // 64)
        many = replace(few, connections=1024, depth=32, requests=wanted // 1024 + 32, cuts=True)
        loads.append(Load(f"{protocol} get, 64 connections", few, 0.99))
        if not options.quick:
            loads.append(Load(f"{protocol} get, 1,024 connections, random cuts", many, 0.95))
        one = replace(few, connections=1, requests=wanted // 16)
        loads.append(Load(f"{protocol} get, one connection", one))
    value = wire.value(VALUE_BYTES)
    known = [ascii_set(key, value) for key in wire.keys(KEY_BYTES, KEYS)]
    for clients in (64, 1):
        requests = wanted // 64 if clients > 1 else wanted // 16
        sets = Group("sets", known, connections=clients, depth=64, requests=requests)
        which = "one connection" if clients == 1 else f"{clients} connections"
        loads.append(Load(f"ASCII set, {which}", sets))
    clients, each = (4, 2) if options.quick else (BULK_CLIENTS, BULK_REQUESTS)
    bulk, read = bulks(clients, depth=4, requests=each)
    aim = 9.3e9 / (8e9 / BYTE_NS / FULL_SLOT * FULL)  # Gb/s of what the wire takes
    loads += [Load("64 KiB values, sets", bulk, aim), Load("64 KiB values, gets", read, aim)]
    return loads


def _rates(session: Session, options: Options) -> list[dict[str, Any]]:
    points = []
    for load in _loads(options):
        phase = session.traffic(Plan([load.group]))
        most = bound(load.group.exchanges)
        each = max(len(load.group.exchanges[0].request), len(load.group.exchanges[0].answer))
        found = (rate_of_all if load.group.in_order else rate)(phase, load.group.name)
        took = latency(phase, load.group.name)
        points.append(
            {
                **{"load": load.name, "requests": len(took), "bound": most, "rate": found},
                **{"share": found / most, "aim": load.aim, "gigabits": found * each * 8 / 1e9},
                **{"p50": float(np.median(took)), "dropped": phase.summary["dropped"]},
                "tcp": _tcp(phase),
            }
        )
    return points


def _tcp(phase: Phase) -> dict[str, int]:
    """The board's counters of TCP."""
    return {name: n for name, n in phase.counters.items() if name.startswith("tcp_")}


def _rate_table(points: Sequence[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = [
        (
            point["load"],
            point["requests"],
            f"{point['bound'] / 1e6:.3f}",
            f"{point['rate'] / 1e6:.3f}",
            f"{100 * point['share']:.1f} %",
            "" if point["aim"] is None else f"{100 * point['aim']:.1f} %",
            f"{point['gigabits']:.2f}",
            *(point["dropped"], point["tcp"]["tcp_retransmit"]),
        )
        for point in points
    ]
    return Table(
        f"Rates over TCP, keys of {KEY_BYTES} bytes, values of {VALUE_BYTES} if nothing is said",
        (
            *("load", "requests", "the wire takes, M/s", "M/s", "of the wire", "aim"),
            *("Gb/s in the fuller direction", "dropped", "sent again"),
        ),
        rows,
        ("every answer is compared to the byte",),
    )


# ---- opening ------------------------------------------------------------------------------------
def _opens(session: Session, options: Options) -> list[dict[str, Any]]:
    """A connection for each get."""
    points = []
    for clients, sessions in ((16, 8),) if options.quick else OPENS:
        group = Group("opens", gets("ASCII"), connections=clients, sessions=sessions)
        phase = session.traffic(Plan([group]))
        opening = phase.lists["opens_opening"] / WORD_BYTES
        points.append(
            {
                **{"clients": clients, "sessions": clients * sessions},
                **{"rate": rate(phase, "opens"), "p50": float(np.median(opening))},
                **{"p99": float(np.percentile(opening, 99)), "tcp": _tcp(phase)},
                "retransmitted": phase.summary["traffic"]["opens"]["retransmitted"],
            }
        )
    return points


def _open_table(points: Sequence[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = [
        (
            *(point["clients"], point["sessions"], round(point["rate"])),
            *(round(point["p50"], 1), round(point["p99"], 1), point["retransmitted"]),
        )
        for point in points
    ]
    return Table(
        "Open, one ASCII get, close",
        (
            *("clients at once", "connections", "a second", "opening, cycles: p50", "p99"),
            "clients sent again",
        ),
        rows,
        ("100,000 a second are asked for; opening: SYN to SYN-ACK, as the client sees it",),
    )


# ---- floods -------------------------------------------------------------------------------------
def _syns() -> list[bytes]:
    """Frames that open connections, each from an address of its own."""
    us, board = frames.CLIENT, frames.BOARD
    syn = Segment(0, Flag.SYN, window=65_535, mss=1460, scale=7, sack_permitted=True, times=(1, 0))
    to = Peer(IPv4Address(board.ip).compressed, board.port)
    found = []
    for i in range(SYNS):
        numbered = replace(syn, seq=i << 24)
        packet = bytes(build(f"10.77.{i >> 8}.{i & 255}", 40_000 + i, to, numbered))
        found.append(frames.ethernet(us.mac, board.mac, frames.TYPE_IPV4, packet))
    return found


def _flood(session: Session, share: float, options: Options) -> dict[str, Any]:
    """SYNs take a share of the wire to the board, and clients have what they leave. Answers of the
    board go before its SYN-ACKs, which are dropped when they find no room."""
    requests = (options.count or (4_000 if options.quick else 30_000)) // 64
    group = Group("gets", gets("ASCII"), connections=64, depth=64, requests=requests)
    requests_alone = [replace(exchange, answer=b"") for exchange in group.exchanges]
    left = min(bound(group.exchanges), bound(requests_alone) * (1 - share))
    syns = _syns()
    each = (len(syns[0]) + frames.WIRE_EXTRA) / share
    # Longer than the gets take, opening included.
    lasts = (64 * requests / left * 1e9 * 1.25 + 500_000) / BYTE_NS
    times = [round(i * each) for i in range(int(lasts / each))]
    phase = session.traffic(
        Plan([group]), beside=[syns[i % SYNS] for i in range(len(times))], times=times
    )
    tcp = _tcp(phase)
    found = rate(phase, "gets")
    return {
        **{"share": share, "syns": len(times), "left": left, "rate": found},
        **{"unanswered": tcp["tcp_unanswered"], "lasted": float(times[-1])},
        **{"dropped": phase.summary["dropped"], "tcp": tcp},
    }


def _flood_table(points: Sequence[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = [
        (
            f"{100 * point['share']:.0f} %",
            f"{point['syns'] / (point['lasted'] * BYTE_NS) * 1e3:.2f}",
            *(point["syns"], point["syns"] - point["unanswered"]),
            *(f"{point['left'] / 1e6:.3f}", f"{point['rate'] / 1e6:.3f}"),
            f"{100 * point['rate'] / point['left']:.1f} %",
            point["dropped"],
        )
        for point in points
    ]
    return Table(
        "ASCII gets of 64 connections beside a flood of SYNs",
        (
            *("of the wire, SYNs", "M/s", "SYNs", "answered"),
            *("the wire leaves, M gets/s", "M gets/s", "of that", "dropped"),
        ),
        rows,
        (
            "the connections open in the flood, too; what answers gets goes before what answers "
            "SYNs, and the flood goes on when the gets have ended",
        ),
    )


# ---- latency ------------------------------------------------------------------------------------
def _bad(kind: str) -> list[Group]:
    """1,023 connections that keep a good one company."""
    rest = gets("ASCII")
    half = [Exchange(exchange.request[:10], b"never") for exchange in rest]
    bad = Group("bad", rest, connections=1023, waits=False)
    return {
        "nobody": [],
        "half a request": [replace(bad, exchanges=half)],
        "nobody reads": [replace(bad, requests=70, depth=70, room=4096, read_ns=1)],
        "a byte a second": [replace(bad, write_bytes=1, write_ns=10**9)],
        "a byte a millisecond": [replace(bad, write_bytes=1, write_ns=10**6)],
    }[kind]


def _latencies(session: Session, options: Options) -> list[dict[str, Any]]:
    """A get at a time: over UDP, over TCP alone, and beside those who stand still."""
    count = 30 if options.quick else 200
    points = [_udp(session, count)]
    kinds = ("nobody", "half a request", "nobody reads", "a byte a second", "a byte a millisecond")
    for kind in kinds[:2] if options.quick else kinds:
        # Most others are open, have asked, and have been answered as far as they read. Who has lost
        # its first segment among so many opens with the others of its try, a second later or three.
        start = 0 if kind == "nobody" else 20_000_000  # ns
        idle = Group("gets", gets("ASCII"), requests=count, gap_ns=10_000, start_ns=start)
        phase = session.traffic(Plan([*_bad(kind), idle]))
        points.append(spread(f"TCP, beside: {kind}", latency(phase, "gets")))
    return points


def _udp(session: Session, count: int) -> dict[str, Any]:
    asked = [frames.request(exchange.request, 0) for exchange in gets("ASCII")[:count]]
    times = [round((10_000 * i + 37 * i % 1000) / BYTE_NS) for i in range(count)]
    phase = session.play(asked, times=times, record=True)
    begun, _ = phase.slots("in")
    sent, sent_bytes = phase.slots("out")
    return spread("UDP", (sent + sent_bytes - GAP - begun) / WORD_BYTES)


def spread(name: str, cycles: Times) -> dict[str, Any]:
    p50, p99 = (float(x) for x in np.percentile(cycles, (50, 99)))
    return {
        **{"load": name, "gets": len(cycles), "least": float(cycles.min())},
        **{"p50": p50, "p99": p99, "most": float(cycles.max())},
    }


def _latency_table(points: Sequence[dict[str, Any]]) -> Table:
    udp, alone = points[0], points[1]
    rows: list[tuple[object, ...]] = []
    for point in points:
        beside = udp if point is alone else alone
        more = (point["p50"] - beside["p50"]) * CLOCK_NS / 1e3
        rows.append(
            (
                *(point["load"], point["gets"]),
                *(round(point[name], 1) for name in ("least", "p50", "p99", "most")),
                f"{point['p50'] * CLOCK_NS / 1e3:.2f}",
                "" if point is udp else f"{more:.2f}",
            )
        )
    return Table(
        "Latency of an idle ASCII get, wire to wire",
        (
            *("load", "gets", "least, cycles", "p50", "p99", "most"),
            *("p50, µs", "more than beside it, µs"),
        ),
        rows,
        (
            "TCP alone is beside UDP, and is to be at most 0.5 µs more; the others are 1,023 "
            "connections beside it, and are to cost 1 µs at most",
            "first bit of the request to last bit of the answer, 156.25 MHz",
        ),
    )


# ---- losses -------------------------------------------------------------------------------------
def _loss(link: str, options: Options) -> dict[str, Any]:
    """Bulk values there and back over a bad link, with all times that both ends wait."""
    clients, each = (2, 4) if options.quick else (8, 4)
    groups = bulks(clients, depth=2, requests=each)
    words = [*link.split(), "--impair-seed", "1"] if link else []
    point: dict[str, Any] = {"link": link.replace("--impair", "").strip("- ") or "whole"}
    with Session("--memory", "1G", *words) as session:
        for group in groups:
            phase = session.traffic(Plan([group]))
            begun, ended = (phase.lists[f"{group.name}_{name}"] for name in ("asked", "answered"))
            seconds = float(ended.max() - begun.min()) * BYTE_NS * 1e-9
            bits = 8 * BULK_BYTES * clients * each
            peers = phase.summary["traffic"][group.name]
            board = _tcp(phase)
            point[group.name] = {
                **{"gigabits": bits / seconds / 1e9, "milliseconds": seconds * 1e3},
                "again": peers["retransmitted"] + board["tcp_retransmit"],
                "timeouts": peers["timeouts"] + board["tcp_timeout"],
                **{"peers": peers, "board": board},
            }
    return point


def _loss_table(points: Sequence[dict[str, Any]]) -> Table:
    names = ("gigabits", "milliseconds", "again", "timeouts")
    rows: list[tuple[object, ...]] = []
    for point in points:
        for direction in ("sets", "gets"):
            of = point[direction]
            cells = (f"{of['gigabits']:.3f}", f"{of['milliseconds']:.1f}", *map(of.get, names[2:]))
            rows.append((point["link"], direction, *cells))
    return Table(
        "64 KiB values over bad links: goodput of all of the run",
        ("link", "load", "Gb/s", "ms", "segments sent again", "timeouts"),
        rows,
        (
            "in: to the board; both ends' segments and timeouts; a timeout is 200 ms at least, and "
            "so is what the last segment alone waits for its probe",
            "a frame that is to go behind others goes alone when none has come for 10 ms",
        ),
    )
