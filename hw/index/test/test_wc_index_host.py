# SPDX-License-Identifier: Apache-2.0
"""wc_index_host over its register bus: settings, what it refuses, address queues, interrupt,
order of counters."""

import random

import cocotb
import pytest
from wirecache.circuit import registers, structs
from wirecache.testbench.bench import Bench, run
from wirecache.testbench.register_bus import RegisterBus

BLOCK = registers.block("wc_index_regs")
CLASSES = structs.constant("Classes")
NOTHING = structs.constant("NoPointer")
EVENTS = {
    "bucket": structs.field_names("wc_index_pkg::bucket_events_t"),
    "store": structs.field_names("wc_store_pkg::store_events_t"),
}
LAG = 246  # cycles from an event to its count in a register, at most


class Host(RegisterBus):
    @classmethod
    async def start(cls, dut):
        inputs = ["reg_req_i", "free_ready_i", "deleted_valid_i", "deleted_i"]
        bench = await Bench.start(
            dut, dict.fromkeys([*inputs, *(f"{part}_events_i" for part in EVENTS)], 0)
        )
        await bench.reset()
        await bench.wait(80)  # the counters' RAM clears itself
        return cls(dut, bench, BLOCK)

    def setting(self, name):
        settings = int(self.dut.settings_o.value)
        return structs.unpack("wc_index_pkg::index_settings_t", settings)[name]

    async def config(self, name):
        """A field of INDEX_CONFIG."""
        at, width = {"slots": (0, 6), "bucket_lines": (8, 8), "bits": (16, 5), "queue": (24, 5)}[
            name
        ]
        return await self.read("INDEX_CONFIG") >> at & (1 << width) - 1

    async def status(self, name):
        """A field of INDEX_STATUS."""
        at, width = {"free_low": (0, 3), "deleted_high": (3, 1), "refused": (4, 1)}[name]
        return await self.read("INDEX_STATUS") >> at & (1 << width) - 1


@cocotb.test()
async def settings_that_cannot_be_are_refused(dut):
    """The circuit keeps the legal one before, and the register block says so."""
    host = await Host.start(dut)
    most, slots = await host.config("bits"), await host.config("slots")
    assert most == int(dut.MaxBucketBits.value) and slots == int(dut.Slots.value)
    assert await host.config("bucket_lines") == int(dut.BucketLines.value)
    assert 1 << await host.config("queue") == int(dut.QueueDepth.value)
    assert host.setting("bucket_bits") == min(10, most)
    assert await host.status("refused") == (most < 10)
    await host.write("BUCKET_BITS", most)
    assert host.setting("bucket_bits") == most and not await host.status("refused")
    for bits in (most + 1, 31):
        await host.write("BUCKET_BITS", bits)
        assert host.setting("bucket_bits") == most and await host.status("refused")
    await host.write("BUCKET_BITS", 3)
    assert host.setting("bucket_bits") == 3 and not await host.status("refused")
    await host.write("INDEX_BASE", 0x1002)
    await host.write("INDEX_BASE", 0x1003)
    odd = slots == 16
    assert host.setting("base_line") == (0x1002 if odd else 0x1003)
    assert await host.status("refused") == odd
    await host.write("INDEX_BASE", 0)
    assert not await host.status("refused")
    for c in range(CLASSES):
        await host.write(f"CLASS_LINES[{c}]", 16384 >> c)
    assert [host.setting("class_lines") >> 16 * c & 0xFFFF for c in range(CLASSES)] == [
        16384 >> c for c in range(CLASSES)
    ]


@cocotb.test()
async def free_pointers_come_out_in_order_and_a_full_queue_refuses(dut):
    host = await Host.start(dut)
    fits = (1 << await host.config("queue")) + 4  # those in the registers behind the RAM, too
    for i in range(fits + 5):
        await host.write("FREE_PUSH[1]", 0x40000000 + i)
    await host.bench.wait(LAG)
    assert await host.read("REFUSED") == 5
    assert await host.read("FREE_LEVEL[1]") == fits
    assert await host.read("FREE_LEVEL[0]") == 0
    came: list[int] = []
    dut.free_ready_i.value = 0b010
    while len(came) < fits:
        await host.bench.wait(1)
        if int(dut.free_valid_o.value) & 0b010:
            came.append(int(dut.free_o.value) >> 32 & 0xFFFFFFFF)
    assert came == [0x40000000 + i for i in range(fits)]
    await host.bench.wait(10)
    assert int(dut.free_valid_o.value) & 0b010 == 0
    assert await host.read("FREE_LEVEL[1]") == 0


@cocotb.test()
async def levels_say_what_has_not_been_taken(dut):
    host = await Host.start(dut)
    for i in range(20):
        await host.write("FREE_PUSH[2]", 0x80000000 + i)
    for taken in range(20):
        assert await host.read("FREE_LEVEL[2]") == 20 - taken
        dut.free_ready_i.value = 0b100
        await host.bench.wait(1)
        dut.free_ready_i.value = 0
        await host.bench.wait(1)
    assert await host.read("FREE_LEVEL[2]") == 0


@cocotb.test()
async def deleted_pointers_are_read_once_each(dut):
    host = await Host.start(dut)
    assert await host.read("DELETED_POP") == NOTHING
    source = host.bench.source("deleted")
    pointers = [random.randrange(1 << 31) for _ in range(50)]
    source.send(*pointers)
    await source.wait()
    await host.bench.wait(10)
    assert await host.read("DELETED_LEVEL") == 50
    await host.write("DELETED_POP", 0)  # a write takes nothing
    assert [await host.read("DELETED_POP") for _ in range(50)] == pointers
    assert await host.read("DELETED_POP") == NOTHING


@cocotb.test()
async def a_full_deleted_queue_holds_the_index(dut):
    """And the cycles in which it does are counted."""
    host = await Host.start(dut)
    depth = 1 << await host.config("queue")
    source = host.bench.source("deleted")
    source.send(*range(depth))
    await source.wait()
    await host.bench.wait(LAG)
    assert await host.read("DELETED_STALL") == 0
    source.send(*range(depth, depth + 50))
    await host.bench.wait(300)
    assert depth <= source.sent < depth + 10
    before = await host.read("DELETED_STALL")
    await host.bench.wait(1000)
    assert abs(await host.read("DELETED_STALL") - before - 1000) < LAG
    for i in range(depth + 50):
        assert await host.read("DELETED_POP") == i
    assert source.idle


@cocotb.test()
async def interrupt_follows_the_levels(dut):
    host = await Host.start(dut)
    wait = host.bench.wait
    assert int(dut.irq_o.value) == 0
    for c in range(CLASSES):
        await host.write(f"FREE_LOW[{c}]", 4)
        assert int(dut.irq_o.value) == 1
        assert await host.status("free_low") == (2 << c) - 1
    for c in range(CLASSES):
        for i in range(8):
            await host.write(f"FREE_PUSH[{c}]", c << 30 | i)
    await wait(5)
    assert int(dut.irq_o.value) == 0
    await host.write("DELETED_HIGH", 3)
    source = host.bench.source("deleted")
    source.send(1, 2)
    await wait(20)
    assert int(dut.irq_o.value) == 0 and not await host.status("deleted_high")
    source.send(3, 4, 5, 6)
    await wait(20)
    assert int(dut.irq_o.value) == 1 and await host.status("deleted_high")


@cocotb.test()
async def counters_are_in_the_order_of_the_events(dut):
    """Each event alone, another number of times: it counts in the register of its name."""
    host = await Host.start(dut)
    wanted: dict[str, int] = {}
    for part, fields in EVENTS.items():
        for bit, field in enumerate(reversed(fields)):
            name = f"store_{field}" if part == "store" else field
            wanted[name] = len(wanted) + 1
            getattr(dut, f"{part}_events_i").value = 1 << bit
            await host.bench.wait(wanted[name])
            getattr(dut, f"{part}_events_i").value = 0
    await host.bench.wait(LAG)
    assert {*wanted} | {"deleted_stall", "refused"} == {*registers.counters(BLOCK)}
    for name in registers.counters(BLOCK):
        assert await host.read(name.upper()) == wanted.get(name, 0), name
        assert await host.read("INDEX_COUNT_HIGH") == 0


@cocotb.test()
async def an_access_takes_what_the_page_says(dut):
    """hw/host/README.md has these cycles, with those of the bus before and behind."""
    host = await Host.start(dut)

    async def cycles(high):
        """From the cycle with the request to that in which `high` is, both counted."""
        while not int(dut.reg_req_i.value) >> structs.width("reg_req_t") - 1:
            await host.bench.wait(1)
        count = 1
        while not high():
            await host.bench.wait(1)
            count += 1
        return count

    def answers():
        answer = structs.unpack("reg_resp_t", int(dut.reg_resp_o.value))
        return answer["wr_ack"] or answer["rd_ack"]

    for access, least, most in (
        (lambda: host.read("FREE_LEVEL[1]"), 3, 3),
        (lambda: host.read("DELETED_POP"), 3, 3),
        (lambda: host.read("STALL"), 5, 6),
        (lambda: host.write("INDEX_BASE", 0), 1, 1),
    ):
        counted = cocotb.start_soon(cycles(answers))
        await access()
        assert least <= await counted <= most
    pushed = cocotb.start_soon(cycles(lambda: int(dut.free_valid_o.value)))
    await host.write("FREE_PUSH[0]", 1)
    assert await pushed == 3


@pytest.mark.parametrize("depth", [64, 1024])
def test_wc_index_host(depth):
    run("wc_index_host", __file__, parameters={"QueueDepth": depth})


@pytest.mark.parametrize("slots,bits", [(16, 24), (4, 4)])
def test_wc_index_host_of_other_tables(slots, bits):
    tests = ["settings_that_cannot_be_are_refused"]
    run("wc_index_host", __file__, {"Slots": slots, "MaxBucketBits": bits}, tests=tests)
