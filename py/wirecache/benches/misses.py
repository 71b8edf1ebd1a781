# SPDX-License-Identifier: Apache-2.0
"""What GETs cost by the share of keys that are there, with a Bloom filter before the table and
without one, and with more places for a key: accesses of memory, and cycles.

Cho and Choi, Figure 8: 100,000 random keys of 32 bytes with values of 64. Here GETs are fed to the
table alone, as fast as it takes them; on the wire a GET with such a key takes longer than most of
these. Which keys are asked for is random, so hardly any bucket is on the chip by chance. Then the
same with keys and values whose item fits a line of memory.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from wirecache.benches import Options, Result, Table
from wirecache.benches import _table as table
from wirecache.benches import _wire as wire
from wirecache.benches._index import configured

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KEYS = 100_000
KEY_BYTES, VALUE_BYTES = 32, 64
LINE_KEY, LINE_VALUE = 16, 8  # bytes: an item of one line
USES = 4  # of each key before: a slot counts three
FILTER_CELLS = 1 << 17  # of a slice: 0.76 keys a cell
TABLES = {
    "bucket": "bucket",
    "item": "udp",
    "item, filter": f"udp,filter_cells={FILTER_CELLS}",
    "2 ways": "udp,ways=2",
    "2 ways, filter": f"udp,ways=2,filter_cells={FILTER_CELLS}",
    "4 ways, filter": f"udp,ways=4,filter_cells={FILTER_CELLS}",
}
SHARES = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)  # of GETs whose key is there
COUNT = 20_000
SEED = 1
PANELS = (1, 2)


def run(options: Options) -> Result:
    """All tables and shares; `count` GETs each."""
    count = options.count or (2000 if options.quick else COUNT)
    number = KEYS // 20 if options.quick else KEYS
    points = []
    for name, config in TABLES.items():
        with configured(config):
            for sizes, shares, uses in (
                ((KEY_BYTES, VALUE_BYTES), SHARES[:: 5 if options.quick else 1], 0),
                ((LINE_KEY, LINE_VALUE), (0.0, 1.0), 0),
                ((LINE_KEY, LINE_VALUE), (1.0,), USES),
            ):
                points += _points(name, sizes, shares, uses, number, count)
    large, small = ([p for p in points if p["key"] == key] for key in (KEY_BYTES, LINE_KEY))
    return Result([_table(large, _LARGE), _table(small, _SMALL)], {"points": points})


def _points(
    name: str, sizes: tuple[int, int], shares: Sequence[float], uses: int, number: int, count: int
) -> list[dict[str, Any]]:
    keys = wire.keys(sizes[0], 2 * number)
    there, others = keys[:number], keys[number:]
    with table.board("--memory", "4G") as session:
        table.populate(session, there, sizes[1])
        for _ in range(uses):
            table.play(session, [table.Operation("get", key) for key in there], record=False)
        which = {"table": name, "key": sizes[0], "uses": uses}
        return [{**which, **_measure(session, there, others, share, count)} for share in shares]


def _measure(
    session: Any, there: list[bytes], others: list[bytes], share: float, count: int
) -> dict[str, Any]:
    draw = random.Random(SEED)
    asked = [draw.choice(there if draw.random() < share else others) for _ in range(count)]
    rate = table.measure(session, [table.Operation("get", key) for key in asked])
    hits = rate.counters["get_hit"]
    return {
        **{"share": share, "gets": count, "hits": hits, "cycles": rate.cycles},
        **{"reads": rate.dram["reads"] / count, "writes": rate.dram["writes"] / count},
        "denied": rate.counters.get("filter_denied", 0) / max(1, count - hits),
    }


_LARGE = (
    f"GETs of random keys of {KEY_BYTES} bytes, values of {VALUE_BYTES}, at the table",
    "DDR4; a key of 32 bytes comes in four words, so no GET takes less than 4 cycles; a value of "
    "64 leaves in eight",
    "Cho and Choi, Figure 8, is a plot without numbers; its text: 2.3 times as fast as "
    "software on the ARM cores of the same chip, which is another comparison",
)
_SMALL = (
    f"GETs of random keys of {LINE_KEY} bytes, values of {LINE_VALUE}, whose item is a line",
    "DDR4; an item in frequent use was read before, so its uses change no more, and no bucket is "
    "written back",
)


def _table(points: list[dict[str, Any]], texts: tuple[str, ...]) -> Table:
    title, *notes = texts
    return Table(
        title,
        (
            *("table", "of the keys there", "cycles a GET", "M/s"),
            *("memory reads a GET", "writes a GET", "of the misses denied"),
        ),
        [
            (
                *(p["table"], _there(p), f"{p['cycles']:.2f}"),
                *(f"{156.25 / p['cycles']:.1f}", f"{p['reads']:.2f}", f"{p['writes']:.2f}"),
                f"{100 * p['denied']:.2f} %" if p["denied"] else "",
            )
            for p in points
        ],
        tuple(notes),
    )


def _there(point: dict[str, Any]) -> str:
    return f"{100 * point['share']:.0f} %" + (", in frequent use" if point["uses"] else "")


def plot(result: Result, axes: list[Axes]) -> None:
    points: list[dict[str, Any]] = result.data["points"]
    for panel, what, title in (
        (axes[0], "reads", "Memory reads a GET"),
        (axes[1], "cycles", "Cycles a GET"),
    ):
        for name in TABLES:
            mine = [p for p in points if p["table"] == name and p["key"] == KEY_BYTES]
            panel.plot([100 * p["share"] for p in mine], [p[what] for p in mine], "o-", label=name)
        panel.set(title=title, xlabel="of the keys are there, %")
        panel.set_ylim(0, None)
        panel.legend()
