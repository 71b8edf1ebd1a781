# SPDX-License-Identifier: Apache-2.0
"""Speed of the simulation: cycles of the core clock simulated in a second of wall time.

The only bench that measures seconds: they differ from machine to machine and run to run.
"""

from __future__ import annotations

from wirecache import frames, traffic
from wirecache.benches import Options, Result, Table, replay
from wirecache.model import protocol

EXACT = False


def run(options: Options) -> Result:
    """Replays 50,000 GETs and as many SETs and tells how fast the model went."""
    count = options.count or 50_000
    rows: list[tuple[object, ...]] = []
    sets = [traffic.binary_set(b"%06d" % (i % 1000), b"x" * 32) for i in range(count)]
    gets = [traffic.binary_request(protocol.GET, b"%06d" % (i % 1000)) for i in range(count)]
    for name, requests in (("SET, 32 bytes", sets), ("GET, miss", gets), ("both", sets + gets)):
        packets = [frames.request(data, i & 0xFFFF) for i, data in enumerate(requests)]
        report = replay(packets).summary
        rows.append(
            (
                name,
                report["operations"],
                report["simulated_cycles"],
                round(report["wall_seconds"], 2),
                round(report["simulated_cycles_per_second"]),
            )
        )
    table = Table(
        "Simulation speed in replay, one core",
        ("load", "operations", "simulated cycles", "seconds", "cycles per second"),
        rows,
    )
    return Result([table])
