# SPDX-License-Identifier: Apache-2.0
"""wc_item_live: items come, go and take one another's slot; the counts are those of a list."""

import random

import cocotb
from wirecache.circuit import structs
from wirecache.model.item import long_units, short_units
from wirecache.testbench.bench import Bench, run


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def random_changes(dut):
    bench = await Bench.start(dut, {"clear_i": 0, "change_i": 0})
    await bench.reset()
    there: list[int] = []
    for _ in range(2000):
        gains, loses = random.random() < 0.5, bool(there) and random.random() < 0.4
        gained, lost = random.getrandbits(8), random.getrandbits(8)
        if loses:
            lost = there.pop(random.randrange(len(there)))
        if gains:
            gained = short_units(random.randrange(2, 1 << random.randint(2, 20)))
            there.append(gained)
        dut.change_i.value = structs.pack(
            "wc_item_pkg::change_t", gains=gains, loses=loses, gained=gained, lost=lost
        )
        await bench.wait(1)
        dut.change_i.value = 0
        await bench.wait(random.choice([1, 1, 4]))
        if random.random() < 0.005:
            dut.clear_i.value = 1
            await bench.wait(1)
            dut.clear_i.value = 0
            there.clear()
        elif random.random() < 0.1:
            await bench.wait(3)
            live = structs.unpack("wc_item_pkg::live_t", int(dut.live_o.value))
            assert live == {"items": len(there), "span": sum(map(long_units, there))}


def test_wc_item_live():
    run("wc_item_live", __file__)
