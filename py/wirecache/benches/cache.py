# SPDX-License-Identifier: Apache-2.0
"""Miss ratio against size: the eviction of the item index beside published policies and memcached.

Every request is a get, and a miss stores the item. The first half of a trace warms the caches up
and is not counted.

* **item index**: its reference model. The memory holds its table and its logs.
* **LRU, CLOCK, SIEVE, S3-FIFO, W-TinyLFU**: libcachesim, in as many bytes as the item index has for
  its logs, with items of the same length. They have no table to pay for.
* **memcached**: a real one, and the item index in as many bytes as its pages took. A part of its
  memory (its hash table) is not counted against it.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any, cast

from wirecache import making
from wirecache.benches import Options, Result, Table
from wirecache.model.item import ItemIndex
from wirecache.model.log import HEADER_BYTES, UNIT_BYTES, WORD_BYTES
from wirecache.oracle import cache_aside, policies
from wirecache.traffic import traces
from wirecache.traffic.traces import Numbers, Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EXACT = False  # memcached's misses differ a little from run to run
PANELS = (2, 4)
REQUESTS = 400_000
QUICK_REQUESTS = 100_000
SHARES = (0.03, 0.1, 0.3)  # of the bytes that all items of the trace take
OURS = "item index"
BEST = ("SIEVE", "S3-FIFO")  # what the item index is held against
# Against memcached: sizes of items, megabytes for it, requests. With items of many sizes its limit
# means little below 64 MB.
MEMCACHED = (("fixed", 2, 400_000), ("twitter", 64, 2_000_000))


def item_bytes(key_bytes: Numbers, value_bytes: Numbers) -> Numbers:
    """What items take of the log: `wirecache.model.log.item_bytes` for many."""
    key_words = -(-key_bytes // WORD_BYTES)
    units = -(-(HEADER_BYTES + key_words * WORD_BYTES + value_bytes) // UNIT_BYTES)
    return cast(Numbers, units * UNIT_BYTES)


def misses(trace: Trace, index: ItemIndex) -> float:
    """Misses of a hundred requests of the item index, after the warm-up."""
    filler = memoryview(bytes(int(trace.value_bytes.max())))
    keys = [trace.key(number) for number in range(trace.keys)]
    values = [cast(bytes, filler[:length]) for length in trace.value_bytes.tolist()]
    ids = trace.key_id.tolist()
    first = int(len(ids) * policies.WARM_UP)
    hits_before = 0
    for at, number in enumerate(ids):
        if at == first:
            hits_before = index.counters["get_hit"]
        if index.get(keys[number]) is None:
            index.set(keys[number], values[number], 0, 0)
    return 100 * (1 - (index.counters["get_hit"] - hits_before) / (len(ids) - first))


def measure(job: tuple[str, str, int, tuple[float, ...]]) -> dict[str, list[float]]:
    """Misses of a hundred requests, by cache, for each share of a trace's bytes."""
    name, sizes, requests, shares = job
    trace = traces.make(name, sizes, requests)
    indexes = [ItemIndex(int(trace.footprint(item_bytes) * share)) for share in shares]
    capacities = [index.pool.count * index.pool.size for index in indexes]
    found = policies.miss_ratios(trace, item_bytes, capacities)
    return {OURS: [misses(trace, index) for index in indexes]} | {
        policy: [100 * ratio for ratio in ratios] for policy, ratios in found.items()
    }


def beside_memcached(job: tuple[str, str, int, int]) -> tuple[object, ...]:
    """A row: what a real memcached missed, and the item index in the same bytes."""
    name, sizes, megabytes, requests = job
    trace = traces.make(name, sizes, requests)
    played = cache_aside.play(trace, megabytes)
    own = misses(trace, ItemIndex(played.page_bytes))
    size = f"{played.page_bytes / 2**20:.0f} MiB"
    return (name, sizes, size, f"{100 * played.miss_ratio:.2f}", f"{own:.2f}")


def run(options: Options) -> Result:
    requests = options.count or (QUICK_REQUESTS if options.quick else REQUESTS)
    names = ("zipf-1.0", "twitter") if options.quick else traces.NAMES
    shares = (0.1,) if options.quick else SHARES
    memcached = MEMCACHED[:1] if options.quick else MEMCACHED
    jobs = [(name, sizes, requests, shares) for sizes in traces.SIZES for name in names]
    against = [
        (name, sizes, megabytes, requests if options.count or options.quick else usual)
        for sizes, megabytes, usual in memcached
        for name in names
    ]
    with ProcessPoolExecutor(making.cores()) as pool:
        found = dict(zip([job[:2] for job in jobs], pool.map(measure, jobs), strict=True))
        rows = list(pool.map(beside_memcached, against))
    tables = [_table(sizes, requests, names, shares, found) for sizes in traces.SIZES]
    tables.append(
        Table(
            "Misses of a hundred requests beside a real memcached",
            ("trace", "items", "memory", "memcached", OURS),
            rows,
            ("memory: what memcached's pages took, with one page for each size above its limit.",),
        )
    )
    curves = {name: found[name, "twitter"] for name in names}
    return Result(tables, {"shares": [100 * share for share in shares], "curves": curves})


def _table(
    sizes: str,
    requests: int,
    names: tuple[str, ...],
    shares: tuple[float, ...],
    found: dict[tuple[str, str], dict[str, list[float]]],
) -> Table:
    rows: list[tuple[object, ...]] = []
    for name in names:
        ratios = found[name, sizes]
        for at, share in enumerate(shares):
            best = min(ratios[policy][at] for policy in BEST)
            rows.append(
                (
                    *(name, f"{share:.0%}"),
                    *(f"{ratios[cache][at]:.2f}" for cache in (OURS, *policies.POLICIES)),
                    f"{100 * (ratios[OURS][at] / best - 1):+.1f} %",
                )
            )
    kind = {"twitter": "items as on Twitter", "fixed": "keys of 16 bytes, values of 32"}[sizes]
    return Table(
        f"Misses of a hundred requests: {kind}, {requests:,} requests",
        ("trace", "memory", OURS, *policies.POLICIES, f"against {' or '.join(BEST)}"),
        rows,
        (
            "memory: share of the bytes that all items of the trace take.",
            f"against {' or '.join(BEST)}: misses that the {OURS} has more than the better.",
        ),
    )


def plot(result: Result, axes: list[Axes]) -> None:
    curves: dict[str, dict[str, Any]] = result.data["curves"]
    for panel, (name, ratios) in zip(axes, curves.items(), strict=False):
        for number, (cache, values) in enumerate(ratios.items()):
            style = "o-" if cache == OURS else "sv^Dx"[number - 1] + ":"
            panel.plot(result.data["shares"], values, style, label=cache)
        panel.set(title=name, xlabel="memory, % of all items' bytes", ylabel="misses, %")
        panel.set_xscale("log")
        panel.set_ylim(0, None)
    axes[0].legend()
    for panel in axes[len(curves) :]:
        panel.set_axis_off()
