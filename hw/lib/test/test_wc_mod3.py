# SPDX-License-Identifier: Apache-2.0
"""wc_mod3: every small number, the corners of every width, and random ones."""

import random

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from wirecache.testbench.bench import CLOCK_PS, Pace, full, run


@cocotb.test()
async def remainders(dut):
    width = len(dut.value_i)
    Clock(dut.clk_i, CLOCK_PS, unit="ps").start()
    top = 1 << width
    values = list(range(min(top, 5000)))
    values += [near for bit in range(width) for near in ((1 << bit) - 1, 1 << bit, (1 << bit) + 1)]
    values += [top - 1 - i for i in range(min(top, 50))]
    values += [random.getrandbits(width) for _ in range(3000)]
    steps = Pace(0.8)
    wanted: list[int | None] = [None, None]
    for value in values:
        while not steps():
            dut.enable_i.value = 0
            dut.value_i.value = random.getrandbits(width)
            await RisingEdge(dut.clk_i)
        dut.enable_i.value = 1
        dut.value_i.value = value % top
        await RisingEdge(dut.clk_i)
        # The outputs are those from before this step: of two values before.
        before = wanted.pop(0)
        if before is not None:
            assert int(dut.remainder_o.value) == before % 3, before
        wanted.append(value % top)


@pytest.mark.parametrize("width", [7, 33, full(57), 64])
def test_wc_mod3(width):
    run("wc_mod3", __file__, {"Width": width})
