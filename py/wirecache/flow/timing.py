# SPDX-License-Identifier: Apache-2.0
"""Static timing of a routed ECP5 netlist, from the delays that nextpnr writes (SDF).

nextpnr's own figure is for a netlist that it packed in the same run. Of one that it reads back
(`--no-pack`, as refine.py needs it) it no longer knows which table of a carry cell is the second,
and counts a chain's steps twice. Here the times are worked out with the delays as they stand, when
they must be nextpnr's everywhere, and with those of the second table as it has them otherwise.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

Pin = tuple[str, str]  # cell, port

# ns of a carry cell's second table, in a netlist packed in the same run (TRELLIS_COMB, CARRY1).
SECOND_TABLE = {("FCI", "F"): 0.293, ("FCI", "FCO"): 0.0}
CLOCKS = {"CLK", "WCK", "CLKA", "CLKB"}


@dataclass(frozen=True)
class Slowest:
    """The slowest way: pins with the ns at which each is reached, the last with its setup."""

    pins: list[tuple[Pin, float]]

    @property
    def ns(self) -> float:
        return self.pins[-1][1]


class Delays:
    """The delays in nextpnr's SDF `file`, ns at their slowest."""

    def __init__(self, file: Path) -> None:
        self.wires: dict[Pin, tuple[Pin, float]] = {}  # to an input: from which output
        self.cells: dict[Pin, list[tuple[Pin, float]]] = defaultdict(list)  # to an output
        self.launched: dict[Pin, float] = {}
        self.setup: dict[Pin, float] = {}
        self._read(file)

    def _read(self, file: Path) -> None:
        slowest = r"\([-\d]*:[-\d]*:([-\d]+)\)"
        wire = re.compile(rf"\(INTERCONNECT (\S+)/(\S+) (\S+)/(\S+) {slowest}")
        inside = re.compile(rf"\(IOPATH (\S+) (\S+) {slowest}")
        setup = re.compile(rf"\(SETUPHOLD \(\w+ (\S+)\) \(\w+ \S+\) {slowest}")
        cell = ""
        with file.open() as lines:
            for raw in lines:
                line = raw.strip().replace("\\", "")  # names are escaped
                if line.startswith("(INSTANCE"):
                    cell = line[len("(INSTANCE ") : -1].strip()
                elif found := wire.match(line):
                    if found[4] not in CLOCKS:
                        source, pin = (found[1], found[2]), (found[3], found[4])
                        self.wires[pin] = source, int(found[5]) / 1000
                elif found := inside.match(line):
                    pin = (cell, found[2])
                    if found[1] in CLOCKS:
                        self.launched[pin] = int(found[3]) / 1000
                    else:
                        self.cells[pin].append(((cell, found[1]), int(found[3]) / 1000))
                elif found := setup.match(line):
                    pin = (cell, found[1])
                    self.setup[pin] = max(self.setup.get(pin, 0.0), int(found[2]) / 1000)

    def second_tables_corrected(self) -> None:
        """Gives second tables of carry cells the delays they have in a netlist that was packed."""
        for pin, ways in self.cells.items():
            if pin[0].endswith("$CCU2_COMB1"):
                self.cells[pin] = [
                    (source, SECOND_TABLE.get((source[1], pin[1]), ns)) for source, ns in ways
                ]

    def analyse(self) -> Timing:
        """The time at which each pin is reached from a register or RAM."""
        before: dict[Pin, list[tuple[Pin, float]]] = {
            pin: ways for pin, ways in self.cells.items() if pin not in self.launched
        }
        for pin, (source, ns) in self.wires.items():
            before[pin] = [(source, ns)]
        arrival = dict(self.launched)
        reached: dict[Pin, Pin] = {}
        order = TopologicalSorter({pin: [s for s, _ in ways] for pin, ways in before.items()})
        for pin in order.static_order():
            for source, ns in before.get(pin, ()):
                if source in arrival and arrival[source] + ns > arrival.get(pin, -1.0):
                    arrival[pin] = arrival[source] + ns
                    reached[pin] = source
        ends = {p: arrival[p] + setup for p, setup in self.setup.items() if p in arrival}
        return Timing(arrival, reached, ends)


@dataclass(frozen=True)
class Timing:
    arrival: dict[Pin, float]
    reached: dict[Pin, Pin]  # from which pin, on the slowest way
    ends: dict[Pin, float]  # inputs of registers and RAM, setup included

    @property
    def mhz(self) -> float:
        return 1000 / max(self.ends.values())

    def slowest(self) -> Slowest:
        end = max(self.ends, key=lambda pin: self.ends[pin])
        pins = [(end, self.ends[end])]
        for pin in self._back(end):
            pins.append((pin, self.arrival[pin]))
        return Slowest(pins[::-1])

    def _back(self, pin: Pin) -> Iterator[Pin]:
        while pin in self.reached:
            pin = self.reached[pin]
            yield pin
