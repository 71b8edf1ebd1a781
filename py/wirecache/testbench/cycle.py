# SPDX-License-Identifier: Apache-2.0
"""What the parts of a bench do at every rising edge of the clock, all in one task.

A task for each stream end and each memory would cost several times what the parts do: waking up a
task is most of a cycle's time in a bench.
"""

from __future__ import annotations

import ctypes
import heapq
import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import cocotb
from cocotb.handle import HierarchyObject, _GPISetAction
from cocotb.triggers import Event, NullTrigger, RisingEdge

_find = HierarchyObject.__getattr__


def _find_and_keep(device: HierarchyObject, name: str) -> Any:
    """A device's signal, which it has as an attribute of its own from then on: cocotb searches for
    it each time, and benches name signals in every cycle."""
    handle = device.__dict__[name] = _find(device, name)
    return handle


HierarchyObject.__getattr__ = _find_and_keep  # type: ignore[method-assign]


class _Edges:
    """The rising edges of a bench's clock, until the cocotb test ends: what is done at each, and
    who waits for how many."""

    def __init__(self, clock: Any) -> None:
        self.steps: list[Callable[[], None]] = []
        self._count = 0
        self._waits: list[tuple[int, int, Event]] = []  # a heap: by the edge, then by their order
        self._order = itertools.count()
        self._task = cocotb.start_soon(self._run(RisingEdge(clock)))

    @property
    def over(self) -> bool:
        return self._task.done()

    def set_at(self, count: int, event: Event) -> None:
        heapq.heappush(self._waits, (self._count + count, next(self._order), event))

    async def _run(self, edge: RisingEdge) -> None:
        waits = self._waits
        while True:
            await edge
            self._count += 1
            if waits and waits[0][0] <= self._count:
                while waits and waits[0][0] <= self._count:
                    heapq.heappop(waits)[2].set()
                await NullTrigger()  # who was woken goes first
            for step in self.steps:
                step()


_edges: _Edges | None = None  # of the running test


def _edges_of(clock: Any) -> _Edges:
    global _edges
    if _edges is None or _edges.over:
        _edges = _Edges(clock)
    return _edges


def every_cycle(clock: Any, step: Callable[[], None]) -> None:
    """Calls `step` at each rising edge of the bench's one clock until the cocotb test ends. Steps
    see the signals as they are before the edge; what they drive shows behind it."""
    _edges_of(clock).steps.append(step)


def set_at(clock: Any, count: int, event: Event) -> None:
    """Sets the event at the rising edge that is `count` from here, at least 1. Who waits for it
    goes on before the steps of that edge, and was not woken at the edges between."""
    _edges_of(clock).set_at(count, event)


async def cycles(clock: Any, count: int) -> None:
    """Returns at the rising edge that is `count` from here, before its steps."""
    if count > 0:
        ended = Event()
        set_at(clock, count, ended)
        await ended.wait()


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
