# SPDX-License-Identifier: Apache-2.0
"""The AXI ports of a device under test, which are structs (hw/lib/wc_axi.svh), signal by signal.

    port = AxiPort(dut, "m_axi")  # a master: m_axi_req_o, m_axi_resp_i
    if port.get("arvalid"):
        ...
    port.set(rvalid=1, rdata=line)

AxiLiteMaster reads and writes at an AXI4-Lite port.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import cocotb
from cocotb.triggers import Event, RisingEdge

from wirecache.testbench.cycle import Driven, reader, value_of

OKAY, SLVERR = 0, 2  # of a response

# AXI4-Lite, 32 bits of data: the address' width is the device's.
_LITE_WIDTHS = {"prot": 3, "data": 32, "strb": 4, "resp": 2, "valid": 1, "ready": 1}
_LITE_REQUEST = "awaddr awprot awvalid wdata wstrb wvalid bready araddr arprot arvalid rready"
_LITE_RESPONSE = "awready wready bresp bvalid arready rdata rresp rvalid"


def _layout(address: int, data: int) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """Request and response: the signals of each with their widths, those of the top bits first."""
    request = [
        *(("awaddr", address), ("awlen", 8), ("awvalid", 1)),
        *(("wdata", data), ("wstrb", data // 8), ("wlast", 1), ("wvalid", 1), ("bready", 1)),
        *(("araddr", address), ("arlen", 8), ("arvalid", 1), ("rready", 1)),
    ]
    response = [
        *(("awready", 1), ("wready", 1), ("bresp", 2), ("bvalid", 1), ("arready", 1)),
        *(("rdata", data), ("rresp", 2), ("rlast", 1), ("rvalid", 1)),
    ]
    return request, response


def _places(signals: list[tuple[str, int]]) -> dict[str, tuple[int, int]]:
    """Signal -> (lowest bit, ones as many as it is wide)."""
    places, at = {}, 0
    for name, width in reversed(signals):
        places[name] = at, (1 << width) - 1
        at += width
    return places


class AxiPort:
    """One port: `get` reads any of its signals, `set` drives those that the device does not."""

    def __init__(self, dut: Any, prefix: str) -> None:
        master = hasattr(dut, f"{prefix}_req_o")
        request = getattr(dut, f"{prefix}_req_o" if master else f"{prefix}_req_i")
        response = getattr(dut, f"{prefix}_resp_i" if master else f"{prefix}_resp_o")
        # Both structs' widths follow from those of address and data.
        self.data_bytes = (len(response) - 8) // 8
        self.address_bits = (len(request) - 9 * self.data_bytes - 22) // 2
        layout = _layout(self.address_bits, 8 * self.data_bytes)
        for signals, handle in zip(layout, (request, response), strict=True):
            assert sum(width for _, width in signals) == len(handle), f"{prefix}: another layout"
        asks, answers = map(_places, layout)
        self._theirs, self._ours = (request, response) if master else (response, request)
        self._read, self._drive = (asks, answers) if master else (answers, asks)
        self._driven = Driven(self._ours)
        self._sample = reader(self._theirs)
        places = (self._read[name] for name in self._read if name.endswith("valid"))
        self._valid = sum(ones << at for at, ones in places)

    def get(self, name: str) -> int:
        """The signal as the device has it: what is set shows at the next edge."""
        at, ones = self._read.get(name) or self._drive[name]
        struct = self._theirs if name in self._read else self._ours
        return value_of(struct) >> at & ones

    def valid(self) -> bool:
        """Whether the device offers anything on any channel."""
        return bool(self._sample() & self._valid)

    def sample(self) -> Callable[[str], int]:
        """What the device drives, of this moment: a function of the signal's name."""
        bits = self._sample()

        def get(name: str) -> int:
            at, ones = self._read[name]
            return bits >> at & ones

        return get

    def set(self, **signals: int) -> None:
        driven = self._driven.value
        for name, value in signals.items():
            at, ones = self._drive[name]
            assert 0 <= value <= ones, f"{name} cannot be {value}"
            driven = driven & ~(ones << at) | value << at
        self._driven.set(driven)


class _Signal:
    """A field of a struct, as if it were a signal of its own."""

    def __init__(self, struct: _Struct, at: int, width: int) -> None:
        self._struct, self._at, self._ones = struct, at, (1 << width) - 1

    @property
    def value(self) -> int:
        return value_of(self._struct.handle) >> self._at & self._ones

    @value.setter
    def value(self, value: int) -> None:
        kept = self._struct.driven & ~(self._ones << self._at)
        self._struct.driven = kept | value << self._at
        self._struct.handle.value = self._struct.driven


class _Struct:
    def __init__(self, handle: Any) -> None:
        self.handle, self.driven = handle, 0


class Access:
    """A read or a write that was begun, and how it must be answered."""

    def __init__(self, address: int, value: int = 0, strobe: int = 15, response: int = OKAY):
        self.address, self.value, self.strobe, self.response = address, value, strobe, response
        self._done = Event()

    def end(self, value: int) -> None:
        self.value = value
        self._done.set()

    async def wait(self) -> int:
        """Its end; of a read the value."""
        await self._done.wait()
        return self.value


class AxiLiteMaster:
    """A master at the structs of an AXI4-Lite slave. Reads and writes go on beside each other, each
    as soon as the one before has its answer. `signals` has the fields by name: awaddr to rready."""

    def __init__(self, dut: Any, prefix: str) -> None:
        request, response = getattr(dut, f"{prefix}_req_i"), getattr(dut, f"{prefix}_resp_o")
        request.value = 0
        address = (len(request) - 47) // 2
        self.signals: dict[str, _Signal] = {}
        for names, handle in ((_LITE_REQUEST, request), (_LITE_RESPONSE, response)):
            struct, at = _Struct(handle), 0
            for name in reversed(names.split()):
                width = next((w for end, w in _LITE_WIDTHS.items() if name.endswith(end)), address)
                self.signals[name] = _Signal(struct, at, width)
                at += width
            assert at == len(handle), f"{prefix}: another layout"
        self._clock = dut.clk_i
        self._reads: deque[Access] = deque()
        self._writes: deque[Access] = deque()
        cocotb.start_soon(self._run(self._reads, ("ar",), "r"))
        cocotb.start_soon(self._run(self._writes, ("aw", "w"), "b"))

    def begin_read(self, address: int) -> Access:
        self._reads.append(Access(address))
        return self._reads[-1]

    async def read(self, address: int) -> int:
        return await self.begin_read(address).wait()

    async def write(self, address: int, value: int, strobe: int = 15, response: int = OKAY) -> None:
        self._writes.append(Access(address, value, strobe, response))
        await self._writes[-1].wait()

    async def _run(self, accesses: deque[Access], asks: tuple[str, ...], answer: str) -> None:
        signal = self.signals
        while True:
            await RisingEdge(self._clock)
            if not accesses:
                continue
            access = accesses.popleft()
            signal[f"{asks[0]}addr"].value = access.address
            if "w" in asks:
                signal["wdata"].value, signal["wstrb"].value = access.value, access.strobe
            left = set(asks)
            for channel in asks:
                signal[f"{channel}valid"].value = 1
            signal[f"{answer}ready"].value = 1
            ended = False
            while left or not ended:
                await RisingEdge(self._clock)
                for channel in tuple(left):
                    if signal[f"{channel}ready"].value:
                        signal[f"{channel}valid"].value = 0
                        left.remove(channel)
                if signal[f"{answer}valid"].value:
                    ended = True
                    assert signal[f"{answer}resp"].value == access.response, "another response"
                    data = signal["rdata"].value if answer == "r" else 0
            signal[f"{answer}ready"].value = 0
            access.end(data)
