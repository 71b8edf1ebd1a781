# SPDX-License-Identifier: Apache-2.0
"""What the parts of a bench do at every rising edge of the clock, all in one task.

A task for each stream end and each memory would cost several times what the parts do: waking up a
task is most of a cycle's time in a bench.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

import cocotb
from cocotb.handle import HierarchyObject, _GPISetAction
from cocotb.triggers import RisingEdge

_started: tuple[Any, list[Callable[[], None]]] | None = None  # task of the running test, its steps


_find = HierarchyObject.__getattr__


def _find_and_keep(device: HierarchyObject, name: str) -> Any:
    """A device's signal, which it has as an attribute of its own from then on: cocotb searches for
    it each time, and benches name signals in every cycle."""
    handle = device.__dict__[name] = _find(device, name)
    return handle


HierarchyObject.__getattr__ = _find_and_keep  # type: ignore[method-assign]


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
    """A signal as an unsigned number."""
    read = _readers.get(id(handle))
    return reader(handle)() if read is None else read()


def reader(handle: Any) -> Callable[[], int]:
    """A function that gives the signal as an unsigned number, for what is read every cycle.

    A port of the device is read where the model has it. For others cocotb is asked, but not in its
    own way: that makes an array of four-valued bits, which a two-state simulator does not have.
    """
    read = _readers.get(id(handle))
    if read is None:
        _kept.append(handle)
        read = _readers[id(handle)] = _reader(handle)
    return read


_readers: dict[int, Callable[[], int]] = {}  # by the identity of the handle
_kept: list[Any] = []  # so that no other handle gets its identity


def _reader(handle: Any) -> Callable[[], int]:
    name = handle._path.partition(".")[2]  # without the module's
    find = ctypes.CDLL(None).wirecache_port
    find.restype = ctypes.c_void_p
    place = find(name.encode())
    if not place:
        return lambda: int(handle._handle.get_signal_val_binstr(), 2)
    for bits, number in _NUMBERS:
        if len(handle) <= bits:
            return partial(getattr, number.from_address(place), "value")
    words = -(-len(handle) // _WORD_BITS)
    memory = memoryview((ctypes.c_uint8 * (_WORD_BITS // 8 * words)).from_address(place))
    return partial(int.from_bytes, memory, "little")


_WORD_BITS = 32  # of a signal that is wider than the numbers
_NUMBERS: tuple[tuple[int, Any], ...] = (
    *((8, ctypes.c_uint8), (16, ctypes.c_uint16)),
    *((32, ctypes.c_uint32), (64, ctypes.c_uint64)),
)


class Joined:
    """Two inputs of the device that a writer drives as one: `low` has the lowest bits."""

    def __init__(self, high: Any, low: Any) -> None:
        self.high, self.low = high, low


def writer(handle: Any) -> Callable[[int], None]:
    """A function that drives an input of the device with an unsigned number, as an assignment to
    its `value` does. That looks at what kind of value and of signal it is each time, which costs
    more than the writing. For a simulator that is trusted to write behind the edge (see `run`)."""
    if isinstance(handle, Joined):
        high, low, low_bits = writer(handle.high), writer(handle.low), len(handle.low)

        def drive_both(value: int) -> None:
            high(value >> low_bits)
            low(value & ((1 << low_bits) - 1))

        return drive_both
    bits, deposit = len(handle), _GPISetAction.DEPOSIT.value
    ones = (1 << bits) - 1
    if bits == 1 or bits > _WORD_BITS:
        text, write = f"0{bits}b", handle._handle.set_signal_val_binstr
    else:
        text, write = "", handle._handle.set_signal_val_int

    def drive(value: int) -> None:
        if not 0 <= value <= ones:
            raise ValueError(f"{handle._path} has {bits} bits and cannot be {value}")
        write(deposit, format(value, text) if text else value)

    return drive


class Driven:
    """An input of the device: only what changes is written."""

    def __init__(self, handle: Any, value: int = 0) -> None:
        self._write, self.value = writer(handle), value
        self._write(value)

    def set(self, value: int) -> None:
        if value != self.value:
            self.value = value
            self._write(value)
