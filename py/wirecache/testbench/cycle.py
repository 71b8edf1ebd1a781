# SPDX-License-Identifier: Apache-2.0
"""What the parts of a bench do at every rising edge of the clock, all in one task.

A task for each stream end and each memory would cost several times what the parts do: waking up a
task is most of a cycle's time in a bench.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

_started: tuple[Any, list[Callable[[], None]]] | None = None  # task of the running test, its steps


def every_cycle(clock: Any, step: Callable[[], None]) -> None:
    """Calls `step` at each rising edge of the bench's one clock until the cocotb test ends. Steps
    see the signals as they are before the edge; what they drive shows behind it."""
    global _started
    if _started is None or _started[0].done():
        steps: list[Callable[[], None]] = []
        _started = cocotb.start_soon(_run(clock, steps)), steps
    _started[1].append(step)


async def _run(clock: Any, steps: list[Callable[[], None]]) -> None:
    edge = RisingEdge(clock)
    while True:
        await edge
        for step in steps:
            step()


def value_of(handle: Any) -> int:
    """A signal as an unsigned number. cocotb's own way makes an array of four-valued bits first,
    which a two-state simulator does not have."""
    return int(handle._handle.get_signal_val_binstr(), 2)


class Driven:
    """An input of the device: only what changes is written."""

    def __init__(self, handle: Any, value: int = 0) -> None:
        self._handle, self.value = handle, value
        handle.value = value

    def set(self, value: int) -> None:
        if value != self.value:
            self.value = value
            self._handle.value = value
