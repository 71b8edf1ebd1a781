# SPDX-License-Identifier: Apache-2.0
"""Drives the register bus of an index (wc_pkg::reg_req_t, reg_resp_t) in place of wc_host."""

from __future__ import annotations

from typing import Any

from wirecache.circuit import registers, structs
from wirecache.testbench.bench import Bench


class RegisterBus:
    """Reads and writes the registers of one block by their names, one at a time. Ports of `dut`:
    reg_req_i, reg_resp_o."""

    PATIENCE = 10  # cycles in which an access must be answered

    def __init__(self, dut: Any, bench: Bench, block: registers.Block) -> None:
        self.dut, self.bench = dut, bench
        self.addresses = {n: at - block.base for n, at in registers.addresses((block,)).items()}

    async def _access(self, write: int, name: str, value: int = 0) -> int:
        request = {"write": write, "addr": self.addresses[name], "wdata": value}
        for req in (0, 1):  # the address stands a cycle before
            self.dut.reg_req_i.value = structs.pack("reg_req_t", req=req, **request)
            await self.bench.wait(1)
        self.dut.reg_req_i.value = 0
        for _ in range(self.PATIENCE):
            answer = structs.unpack("reg_resp_t", int(self.dut.reg_resp_o.value))
            await self.bench.wait(1)
            if answer["wr_ack"] or answer["rd_ack"]:
                assert answer["wr_ack"] == write and answer["rd_ack"] == 1 - write
                return int(answer["rdata"])
        raise AssertionError(f"{name} does not answer")

    async def read(self, name: str) -> int:
        """A register's 32 bits."""
        return await self._access(0, name)

    async def write(self, name: str, value: int) -> None:
        """Writes, and waits until settings are where they act."""
        await self._access(1, name, value)
        await self.bench.wait(5)
