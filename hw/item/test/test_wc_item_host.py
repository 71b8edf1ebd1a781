# SPDX-License-Identifier: Apache-2.0
"""wc_item_host over its register bus: settings, what it refuses, state, order of counters."""

import random

import cocotb
import pytest
from wirecache.circuit import registers, structs
from wirecache.testbench.bench import Bench, run
from wirecache.testbench.cycle import every_cycle
from wirecache.testbench.register_bus import RegisterBus

ITEM = registers.block("wc_item_regs")
LAG = 300  # cycles from an event to its count in a register, and the read's
FIRST_TABLE = {"base_line": 0, "factor": 8, "shift": 0}
FIRST_LOG = {"segment_bits": 11, "segments": 32, "most_new": 3, "largest": 4096}


class Host(RegisterBus):
    @classmethod
    async def start(cls, dut):
        inputs = ("reg_req_i", "state_i", "told_i", "events_i")
        bench = await Bench.start(dut, dict.fromkeys(inputs, 0))
        await bench.reset()
        await bench.wait(80)  # the counters' RAM clears itself
        return cls(dut, bench, ITEM)

    def settings(self):
        table = int(self.dut.item_settings_o.value)
        log = int(self.dut.log_settings_o.value)
        return (
            structs.unpack("wc_item_pkg::item_settings_t", table),
            structs.unpack("wc_log_pkg::log_settings_t", log),
        )


def size(bits, segments):
    return bits | segments << 8


@cocotb.test()
async def settings_that_cannot_be_are_refused(dut):
    host = await Host.start(dut)
    assert host.settings() == (FIRST_TABLE, FIRST_LOG)
    for name, wrong, right in (
        ("TABLE_SIZE", 7 | 3 << 4, 15 | 3 << 4),
        ("TABLE_SIZE", 9 | 22 << 4, 9 | 21 << 4),
        ("LOG_SIZE", size(10, 64), size(11, 64)),
        ("LOG_SIZE", size(25, 64), size(24, 64)),
        ("LOG_SIZE", size(14, 31), size(14, 32)),
        ("LOG_SIZE", size(14, 257), size(14, 256)),
        ("LOG_LARGEST", (256 << 14) // 8 + 1, (256 << 14) // 8),
    ):
        before = host.settings()
        await host.write(name, wrong)
        assert host.settings() == before, f"{name} {wrong:#x} was taken"
        assert await host.read("ITEM_STATUS") & 1 == 1
        await host.write(name, right)
        assert host.settings() != before, f"{name} {right:#x} was not taken"
        assert await host.read("ITEM_STATUS") & 1 == 0
        assert await host.read(name) == right
    several = int(dut.Ways.value) > 1
    for shift in (0, 1, 2):  # with several ways a region has four buckets at least
        await host.write("TABLE_SIZE", 9 | shift << 4)
        status = int(dut.Ways.value) << 4 | int(several and shift < 2)
        assert await host.read("ITEM_STATUS") == status
    await host.write("TABLE_SIZE", 9 | 21 << 4)
    await host.write("TABLE_BASE", 0x2345678)
    await host.write("LOG_MOST_NEW", 77)
    table, log = host.settings()
    assert table == {"base_line": 0x2345678, "factor": 9, "shift": 21}
    assert log == {"segment_bits": 14, "segments": 256, "most_new": 77, "largest": 1 << 19}


@cocotb.test()
async def state_is_told(dut):
    host = await Host.start(dut)
    for _ in range(20):
        free, lost, count = random.randrange(257), random.randrange(257), random.getrandbits(18)
        floor, flushes = random.getrandbits(64), random.getrandbits(30)
        live = {"items": random.getrandbits(28), "span": random.getrandbits(32)}
        ages = {"last": random.getrandbits(64), "total": random.getrandbits(36)}
        dut.state_i.value = structs.pack(
            "wc_item_pkg::item_state_t",
            **dict(
                floor=floor,
                flushes=flushes,
                free=free,
                count=count,
                lost=lost,
                live=live,
                ages=ages,
            ),
        )
        await host.bench.wait(2)
        wanted = {
            "SEGMENTS_FREE": free,
            "SEGMENTS_NEW": count & 511,
            "SEGMENTS_MAIN": count >> 9,
            "SEGMENTS_LOST": lost,
            "ITEMS": live["items"],
            "ITEM_UNITS": live["span"],
            "AGE_NEW": ages["last"] & 0xFFFFFFFF,
            "AGE_MAIN": ages["last"] >> 32,
            "AGE_SUM": ages["total"] >> 4,
            "FLUSHED_0": floor & 0xFFFFFFFF,
            "FLUSHED_1": floor >> 32,
            "FLUSHES": flushes,
        }
        for name, value in wanted.items():
            assert await host.read(name) == value, name


@cocotb.test()
async def memory_is_read_for_the_host(dut):
    host = await Host.start(dut)
    asked = []

    def watch():
        ask = structs.unpack("wc_item_pkg::host_ask_t", int(dut.ask_o.value))
        if ask["valid"]:
            asked.append(ask["address"])

    every_cycle(dut.clk_i, watch)
    for _ in range(20):
        address, segment, after = (random.getrandbits(bits) for bits in (32, 8, 8))
        await host.write("HOST_READ", address)
        assert asked == [address], "each write asks once"
        asked.clear()
        await host.write("HOST_READ_SEGMENT", segment)
        ask = structs.unpack("wc_item_pkg::host_ask_t", int(dut.ask_o.value))
        assert ask["segment"] == segment
        busy, error, zeros = (random.getrandbits(1) for _ in range(3))
        run, passed = (random.getrandbits(16) for _ in range(2))
        await host.write("HOST_READ_RUN", run)
        ask = structs.unpack("wc_item_pkg::host_ask_t", int(dut.ask_o.value))
        assert ask["run"] == run
        data = random.getrandbits(128)
        dut.told_i.value = structs.pack(
            "wc_item_pkg::host_told_t",
            **dict(busy=busy, error=error, zeros=zeros, passed=passed, data=data, next=after),
        )
        await host.bench.wait(2)
        status = await host.read("HOST_READ_STATUS")
        assert status == busy | error << 1 | zeros << 2 | 4 << 4 | passed << 16
        for i in range(4):
            assert await host.read(f"HOST_READ_DATA[{i}]") == data >> 32 * i & 0xFFFFFFFF
        assert await host.read("HOST_READ_SEGMENT") == segment | after << 16
        assert not asked


@cocotb.test()
async def counters_are_in_the_order_of_the_events(dut):
    """Each event alone, another number of times: it counts in the register of its name."""
    host = await Host.start(dut)
    names = [*registers.counters(ITEM)]
    width = structs.width("wc_item_pkg::item_events_t")
    assert len(names) == width
    fields = [
        *structs.field_names("wc_item_pkg::item_table_events_t"),
        *structs.field_names("wc_log_pkg::sweep_events_t"),
        *structs.field_names("wc_item_pkg::item_events_t")[2:],
    ]
    called = {"held": "table_held", "stall": "table_stall", "fill": "table_fill"}
    called |= {"write_back": "table_back", "dead": "evict_dead", "alias_met": "alias"}
    assert [called.get(field, field) for field in fields] == names
    for bit in range(width):
        for _ in range(bit + 1):
            dut.events_i.value = 1 << (width - 1 - bit)  # the first field is the top bit
            await host.bench.wait(1)
    dut.events_i.value = 0
    await host.bench.wait(LAG)
    for count, name in enumerate(names, 1):
        assert await host.read(name.upper()) == count, name
        assert await host.read("ITEM_COUNT_HIGH") == 0


@pytest.mark.parametrize("ways", [1, 2])
def test_wc_item_host(ways):
    run("wc_item_host", __file__, {"Ways": ways})
