# SPDX-License-Identifier: Apache-2.0
"""Sites of block RAM on the ECP5, chosen before nextpnr places the rest.

nextpnr's electrostatic placer takes block RAM for something that lies anywhere, but the part has it
in four rows only. What it puts between two rows is moved to a free site of one of them at the end,
so that RAMs end up all over the part, and the wires of all of them with them.

Here the whole netlist is spread over the part as roughly as that (spread.py), and then each RAM
gets a site near to where it lies, so that all of them together have the shortest way. The choice
goes into the netlist as nextpnr's attribute BEL.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from wirecache.flow.placement.exchanges import Floats, Ints
from wirecache.flow.placement.spread import RAM, spread
from wirecache.setup import Failure

# The LFE5U-85F has four RAMs for every nine columns, but for two columns in the middle.
ROWS = (22, 46, 70, 82)
COLUMNS = [
    (first + offset, number)
    for first in (*range(4, 66, 9), *range(69, 123, 9))
    for number, offset in enumerate((0, 2, 4, 6))
]
SITES = [(x, y, number) for y in ROWS for x, number in COLUMNS]
AT = np.array([(x, y) for x, y, _ in SITES], float).T

CLOSE = 0.02  # tiles, for each RAM: how much longer the ways may be than the shortest


def assign(source: Path, out: Path) -> int:
    """Writes the flat ECP5 netlist `source` to `out` with a site for each block RAM.

    Returns how many there are. The same netlist gives the same sites.
    """
    design: dict[str, Any] = json.loads(source.read_text())
    module = next(m for m in design["modules"].values() if "top" in m["attributes"])
    cells: dict[str, Any] = module["cells"]
    rams = [name for name, cell in cells.items() if cell["type"] == RAM]
    if len(rams) > len(SITES):
        raise Failure(f"{len(rams)} block RAMs, but the part has {len(SITES)}")
    if rams:
        for name, site in zip(rams, nearest(places(cells)), strict=True):
            x, y, number = SITES[site]
            cells[name]["attributes"]["BEL"] = f"X{x}/Y{y}/EBR{number}"
    out.write_text(json.dumps(design))
    return len(rams)


def places(cells: Mapping[str, Any]) -> Floats:
    """About where the block RAMs of a netlist would lie: a row of columns, and one of rows."""
    # A buffer of a global net is no wire between what it drives and the rest.
    cells = {n: c for n, c in cells.items() if c["type"] != "DCCA"}
    return spread(cells)[:, [cell["type"] == RAM for cell in cells.values()]]


def nearest(at: Floats) -> Ints:
    """A site for each RAM, the ways from `at` to them as short as they can be together.

    By an auction (Bertsekas, Annals of Operations Research 14, 1988): whoever has no site bids for
    the best one at its price, and for so much more that it is as good as the next best.
    """
    far = abs(at[:, :, None] - AT[:, None, :]).sum(0)
    price = np.zeros(len(SITES))
    owner = np.full(len(SITES), -1)
    site = np.full(len(far), -1)
    homeless = list(range(len(far)))
    while homeless:
        ram = homeless.pop()
        worth = -far[ram] - price
        best = int(worth.argmax())
        second = np.partition(worth, -2)[-2]
        price[best] += worth[best] - second + CLOSE
        if owner[best] >= 0:
            homeless.append(int(owner[best]))
        owner[best], site[ram] = ram, best
    return site
