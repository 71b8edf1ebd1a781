# SPDX-License-Identifier: Apache-2.0
"""Datagrams of many operations at the full rate of the wire: what is answered, what is lost.

First one to sixteen commands a datagram, of one key and of many; then full datagrams of the
shortest and of the slowest requests that there are. Requests come as fast as the fuller direction
of the wire allows (`_wire.pace`), whatever the circuit makes of it. What it cannot take is dropped
in front of the parser: so the time between results is that of the wire or, with datagrams dropped,
that of the slowest stage. All of it is measured on DDR4-2400, and on a memory that answers after 32
cycles however many accesses there are, which shows what the circuit takes.

What a single key costs on DDR4 is chance: whether its bucket and the block of its value lie in the
same bank. So one key after the other is set on its own, too.

Which stage is the slowest shows between parser and hash: operations wait there when what is behind
the parser (index, store, memory, answer) is slower than it, and do not when the parser is.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wirecache.benches import WORD_BYTES, Options, Result, Table
from wirecache.benches import _wire as wire
from wirecache.benches._wire import Ask
from wirecache.board.replay import START
from wirecache.board.session import Session
from wirecache.model import binary, protocol
from wirecache.model.table import Table as TableModel
from wirecache.traffic import dense
from wirecache.traffic import requests as traffic

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MEMORIES = {"DDR4": (), "fixed": ("--memory-latency", "32")}
COMMANDS = (1, 3, 5, 8, 16)  # in a datagram
QUICK_COMMANDS = (1, 8)
KEYS = (1, 2000)
KEY_BYTES = 6
VALUE_BYTES = 6
LONG_VALUE_BYTES = 60
SINGLE_KEYS = 64
SINGLE_CYCLES = 20_000
CYCLES = 100_000  # of the wire, for which a load lasts: many times what the board's buffers hold
QUICK_CYCLES = 8_000
FULL_RATE = 0.99  # of the wire's; a refresh of DDR4 may stand at one end of what is measured
DRAM = ("reads", "writes", "turnarounds", "row_misses", "row_conflicts")  # of its figures
PANELS = (1, 2)
OPERATIONS = ("get", "set", "delete", "flush", "other", "error")  # counters


@dataclass(frozen=True)
class Load:
    """Datagrams of a kind: so many commands of so many keys in each."""

    name: str
    commands: int
    keys: int
    asks: list[Ask]
    full: str  # the fuller direction of the wire: requests or answers
    cycles: float  # of it, for a datagram


# ---- loads --------------------------------------------------------------------------------------
Make = Callable[[bytes], bytes]


def _ascii_set(value_bytes: int) -> Make:
    return lambda key: traffic.ascii_set(key, wire.value(value_bytes))


def _ascii_get(key: bytes) -> bytes:
    return b"get %b\r\n" % key


def _ascii_delete(key: bytes) -> bytes:
    return b"delete %b\r\n" % key


def _binary_get(key: bytes) -> bytes:
    return traffic.binary_request(binary.GET, key)


def _binary_set(key: bytes) -> bytes:
    return traffic.binary_set(key, wire.value(VALUE_BYTES))


_SET = _ascii_set(VALUE_BYTES)
MIXES: dict[str, Sequence[Make]] = {  # commands that come in turn
    "ASCII GET": (_ascii_get,),
    "ASCII SET": (_SET,),
    "ASCII SET, 60 bytes": (_ascii_set(LONG_VALUE_BYTES),),
    "ASCII SET, GET": (_SET, _ascii_get),
    "ASCII SET, GET, DELETE": (_SET, _ascii_get, _ascii_delete),
    "binary GET": (_binary_get,),
    "binary SET": (_binary_set,),
    "binary SET, GET": (_binary_set, _binary_get),
}


def _drawn(makes: Sequence[Make], population: Sequence[bytes], count: int) -> Iterator[bytes]:
    """Datagrams of `count` commands, of keys drawn at random."""
    draw = random.Random(wire.SEED * 1000 + count)
    turn = itertools.cycle(makes)
    while True:
        yield b"".join(next(turn)(draw.choice(population)) for _ in range(count))


@dataclass(frozen=True)
class _Asker:
    """Makes loads for which the wire takes `cycles`, with the answers of the model."""

    model: TableModel
    cycles: int

    def load(self, name: str, commands: int, keys: int, datagrams: Iterable[bytes]) -> Load:
        asks: list[Ask] = []
        slots = {"requests": 0, "answers": 0}
        for data in datagrams:
            asks.append(Ask(data, len(protocol.answer(data, self.model))))
            slots["requests"] += wire.request_slot(asks[-1], True)
            slots["answers"] += sum(wire.answer_slots(asks[-1], True))
            if max(slots.values()) > self.cycles * WORD_BYTES:
                break
        full = max(slots, key=lambda direction: slots[direction])
        return Load(name, commands, keys, asks, full, slots[full] / len(asks) / WORD_BYTES)


def _loads(populations: Sequence[Sequence[bytes]], options: Options) -> Iterator[Load]:
    """The mixes, each with a population of its own, and then the dense packets."""
    cycles = options.count or (QUICK_CYCLES if options.quick else CYCLES)
    asker = _Asker(TableModel(time=START), cycles)
    for key in itertools.chain(*populations):
        protocol.answer(_SET(key), asker.model)
    for (name, makes), population in zip(MIXES.items(), populations, strict=True):
        for keys in KEYS:
            for commands in QUICK_COMMANDS if options.quick else COMMANDS:
                some = population[:keys]
                yield asker.load(name, commands, len(some), _drawn(makes, some, commands))
    for name, packet in dense.packets().items():
        yield asker.load(name, 0, 1, itertools.repeat(packet))


# ---- measuring ----------------------------------------------------------------------------------
def _measure(session: Session, load: Load) -> dict[str, Any]:
    """Cycles an operation are those between results equally far apart, as everywhere."""
    phase = session.play(
        wire.packets(load.asks, True), times=wire.pace(load.asks, True), record=True
    )
    counters, dram, done = phase.counters, phase.summary["dram"], phase.lists["done"]
    operations = sum(counters[name] for name in OPERATIONS)
    if len(done) != operations:
        raise RuntimeError(f"{len(done)} results of {operations} operations")
    window = max(len(done) // 8, 1)
    apart = len(done) - 2 * window
    steady = done[window:]
    cycles = float(np.median(steady[apart:] - steady[:-apart])) / apart
    limit = load.cycles * counters["request_in"] / operations
    waits = phase.lists["hashed"] - phase.lists["request"]
    return {
        **{"load": load.name, "commands": load.commands, "keys": load.keys, "full": load.full},
        **{"datagrams": len(load.asks), "dropped": phase.summary["dropped"]},
        **{"operations": operations, "limit": limit, "cycles": cycles},
        "slowest": _slowest(limit / cycles, float(np.median(waits)) > 2 * int(waits.min())),
        "stall": counters.get("stall", 0),  # the bucket index's
        "dram": {name: dram[name] for name in DRAM if name in dram},
    }


def _slowest(share: float, waiting: bool) -> str:
    """The stage that the others wait for."""
    if share > FULL_RATE:
        return "wire"
    return "behind" if waiting else "parser"


def run(options: Options) -> Result:
    """Every load on each memory."""
    keys = 200 if options.quick else max(KEYS)
    every = wire.keys(KEY_BYTES, keys * len(MIXES))
    loads = list(_loads([every[i : i + keys] for i in range(0, len(every), keys)], options))
    points = []
    for memory, flags in MEMORIES.items():
        with Session(*flags) as session:
            wire.fill(session, every, VALUE_BYTES)
            points += [{"memory": memory, **_measure(session, load)} for load in loads]
    mixed = [point for point in points if point["commands"]]
    full = [point for point in points if not point["commands"]]
    singles = _singles(options)
    return Result(
        [_mixed_table(mixed), _singles_table(singles), _dense_table(full), _dram_table(points)],
        {"points": points, "singles": singles},
    )


def _singles(options: Options) -> list[dict[str, Any]]:
    """One SET a datagram, always of the same key, for one key after the other."""
    population = wire.keys(KEY_BYTES, SINGLE_KEYS)
    asker = _Asker(TableModel(time=START), QUICK_CYCLES if options.quick else SINGLE_CYCLES)
    with Session() as session:
        wire.fill(session, population, VALUE_BYTES)
        return [
            _measure(session, asker.load("ASCII SET", 1, 1, _drawn((_SET,), [key], 1)))
            for key in population[:: 4 if options.quick else 1]
        ]


# ---- tables -------------------------------------------------------------------------------------
_MARKS = {"requests": "→", "answers": "←"}
_FOUND = ("cycles/op", "of the wire", "dropped", "slowest")
_NOTES = (
    "wire: cycles that it needs for an operation; → its direction of the requests is full, ← that "
    "of the answers",
    "slowest: the wire, the parser, or what is behind the parser: index, store, memory, answer",
    "dropped: of all datagrams of a run, whose first fill the buffer in front of the parser",
)


def _columns(*first: str) -> tuple[str, ...]:
    found = (f"{memory}: {name}" for memory in MEMORIES for name in _FOUND)
    return (*first, "wire, cycles/op", *found)


def _pairs(points: Sequence[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], ...]]:
    """What each memory made of a load."""
    by_memory = ([p for p in points if p["memory"] == memory] for memory in MEMORIES)
    return zip(*by_memory, strict=True)


def _cells(pair: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The wire's cycles, and what was found with each memory."""
    yield f"{pair[0]['limit']:.2f} {_MARKS[pair[0]['full']]}"
    for point in pair:
        yield f"{point['cycles']:.2f}"
        yield f"{100 * min(point['limit'] / point['cycles'], 1):.0f} %"
        yield f"{100 * point['dropped'] / point['datagrams']:.0f} %"
        yield point["slowest"]


def _mixed_table(points: Sequence[dict[str, Any]]) -> Table:
    return Table(
        "Commands that share a datagram, back to back: 6-byte keys and values",
        _columns("load", "commands", "keys"),
        [
            (pair[0]["load"], pair[0]["commands"], pair[0]["keys"], *_cells(pair))
            for pair in _pairs(points)
        ],
        _NOTES,
    )


def _singles_table(points: Sequence[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = []
    for name, slow in (("the wire's rate", False), ("slower", True)):
        some = [point for point in points if (point["slowest"] != "wire") == slow]
        if not some:
            continue
        cycles = [point["cycles"] for point in some]
        operations = sum(point["operations"] for point in some)
        per = (sum(point["dram"][count] for point in some) / operations for count in DRAM)
        least = min(point["limit"] / point["cycles"] for point in some)
        rows.append(
            (
                name,
                len(some),
                f"{min(cycles):.2f} to {max(cycles):.2f}",
                f"{100 * min(least, 1):.0f} %",
                *(f"{count:.2f}" for count in per),
            )
        )
    return Table(
        f"One SET a datagram, of one key, on DDR4: {len(points)} keys, each on its own",
        (
            *("takes", "keys", "cycles/op", "of the wire, least"),
            *(name.replace("_", " ") for name in DRAM),
        ),
        rows,
        (
            "for an operation: turnarounds of the data bus between reads and writes; row "
            "conflicts: another row of the bank was open",
        ),
    )


def _dense_table(points: Sequence[dict[str, Any]]) -> Table:
    rows: list[tuple[object, ...]] = []
    for pair in _pairs(points):
        taken = pair[0]["datagrams"] - pair[0]["dropped"]
        rows.append((pair[0]["load"], round(pair[0]["operations"] / taken), *_cells(pair)))
    return Table(
        "Full datagrams of the shortest and the slowest requests, back to back",
        _columns("load", "operations"),
        rows,
        _NOTES,
    )


def _dram_table(points: Sequence[dict[str, Any]]) -> Table:
    """Where DDR4 is what takes the time."""
    rows: list[tuple[object, ...]] = []
    for ddr4, fixed in _pairs(points):
        if ddr4["slowest"] != "behind" or ddr4["cycles"] < fixed["cycles"] / FULL_RATE:
            continue
        per = {name: count / ddr4["operations"] for name, count in ddr4["dram"].items()}
        rows.append(
            (
                ddr4["load"],
                ddr4["commands"] or "full",
                ddr4["keys"],
                f"{ddr4['cycles']:.2f}",
                f"{fixed['cycles']:.2f}",
                *(f"{per[name]:.2f}" for name in DRAM),
                f"{ddr4['stall'] / ddr4['operations']:.2f}",
            )
        )
    return Table(
        "Where DDR4 is the slowest: what its chips do for an operation",
        (
            *("load", "commands", "keys", "DDR4: cycles/op", "fixed: cycles/op"),
            *(name.replace("_", " ") for name in DRAM),
            "index stall, cycles",
        ),
        rows,
        (
            "turnarounds: of the data bus between reads and writes; row conflicts: another row of "
            "the bank was open",
        ),
    )


def plot(result: Result, axes: list[Axes]) -> None:
    """Share of the wire's rate against commands in a datagram, of one key and of many."""
    numbers = sorted({point["keys"] for point in result.data["points"]})
    for each, keys in zip(axes, numbers, strict=True):
        for i, load in enumerate(MIXES):
            for memory, style in zip(MEMORIES, ("o-", "o:"), strict=True):
                some = [
                    point
                    for point in result.data["points"]
                    if (point["load"], point["keys"], point["memory"]) == (load, keys, memory)
                    and point["commands"]
                ]
                shares = [100 * min(point["limit"] / point["cycles"], 1) for point in some]
                commands = [point["commands"] for point in some]
                label = load if memory == "DDR4" else None
                each.plot(commands, shares, style, color=f"C{i}", label=label)
        title = f"{keys:,} key{'s' if keys > 1 else ''}: DDR4, dotted fixed latency"
        each.set(xlabel="commands in a datagram", ylabel="% of the wire", title=title, ylim=0)
        each.set_xscale("log", base=2)
        each.legend(fontsize=6)
