# SPDX-License-Identifier: Apache-2.0
"""wc_host over its AXI4-Lite port: settings, exact counters, seconds, address queues, interrupt."""

import random

import cocotb
import pytest
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from wirecache import registers, structs
from wirecache.bench import Bench, run

REG = registers.addresses()
CLASSES = structs.constant("Classes")
NOTHING = structs.constant("NoPointer")
EVENTS = {part: structs.field_names(f"{part}_events_t") for part in ("net", "index", "store")}
COUNTERS = [n for n, a in REG.items() if a >= REG["FRAME_IN"]]


class Host:
    def __init__(self, dut, bench):
        self.dut, self.bench = dut, bench
        self.axil = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, dut.rst_i)

    async def read(self, name):
        return int.from_bytes((await self.axil.read(REG[name], 4)).data, "little")

    async def write(self, name, value):
        await self.axil.write(REG[name], value.to_bytes(4, "little"))


async def start(dut):
    inputs = ("clearing_i", "free_ready_i", "deleted_valid_i", "deleted_i")
    bench = await Bench.start(
        dut, {**dict.fromkeys(inputs, 0), **{f"{part}_events_i": 0 for part in EVENTS}}
    )
    host = Host(dut, bench)
    await bench.reset()
    await bench.wait(80)  # the counters' RAM clears itself
    return bench, host


@cocotb.test()
async def settings_reach_the_pipeline(dut):
    _, host = await start(dut)
    assert await host.read("ID") == 0x57434331
    config = await host.read("CONFIG")
    assert config & 0xF == 1 and (config >> 10) & 0xFF == 35
    net = structs.unpack("net_settings_t", int(dut.net_settings_o.value))
    assert net["mac"] == 0x025743000001 and net["ip"] == 0x0A00020F and net["udp_port"] == 11211
    assert net["frame_header"] == 1 and net["enable"] == 0
    await host.write("CONTROL", 1)
    await host.write("MAC_HIGH", 0xAABB)
    await host.write("BUCKET_BITS", 17)
    await host.write("CLASS_LINES[2]", 16384)
    await host.write("HASH_SEED", 0xDEADBEEF)
    net = structs.unpack("net_settings_t", int(dut.net_settings_o.value))
    assert net["enable"] == 1 and net["frame_header"] == 0 and net["mac"] == 0xAABB43000001
    index = structs.unpack("index_settings_t", int(dut.index_settings_o.value))
    assert index["bucket_bits"] == 17 and index["class_lines"] >> 32 == 16384
    assert int(dut.hash_seed_o.value) == 0xDEADBEEF


@cocotb.test()
async def clear_is_one_pulse(dut):
    bench, host = await start(dut)
    pulses = 0

    async def watch():
        nonlocal pulses
        while True:
            await bench.wait(1)
            pulses += int(dut.clear_o.value)

    cocotb.start_soon(watch())
    await host.write("CONTROL", 0b100)
    await bench.wait(10)
    assert pulses == 1
    dut.clearing_i.value = 1
    assert await host.read("STATUS") & 1 == 1


@cocotb.test()
async def counters_are_exact(dut):
    """Every event, most of them at once and in every cycle, while the host reads counters."""
    bench, host = await start(dut)
    expected = {(part, name): 0 for part, names in EVENTS.items() for name in names}
    density = {event: random.choice([0.01, 0.5, 1.0]) for event in expected}
    done = False

    async def reader():
        while not done:
            await host.read(random.choice(COUNTERS))

    reading = cocotb.start_soon(reader())
    for _ in range(3000):
        pulses = {event: int(random.random() < p) for event, p in density.items()}
        for event, value in pulses.items():
            expected[event] += value
        for part, names in EVENTS.items():
            packed = structs.pack(f"{part}_events_t", **{n: pulses[part, n] for n in names})
            getattr(dut, f"{part}_events_i").value = packed
        await bench.wait(1)
    for part in EVENTS:
        getattr(dut, f"{part}_events_i").value = 0
    done = True
    await reading
    await bench.wait(130)
    names = {"del": "DELETE", "del_hit": "DELETE_HIT"}
    for (part, name), count in expected.items():
        register = f"STORE_{name.upper()}" if part == "store" else names.get(name, name.upper())
        assert await host.read(register) == count, register
    assert await host.read("REFUSED") == 0


@cocotb.test()
async def seconds_count_by_themselves_and_by_the_host(dut):
    bench, host = await start(dut)
    await host.write("TIME", 1000)
    await bench.wait(500)
    assert int(dut.time_o.value) == 1000, "time moves only when SECOND says so"
    await host.write("SECOND", 100)
    begin = int(dut.time_o.value)
    await bench.wait(1000)
    assert int(dut.time_o.value) - begin in (9, 10)
    await host.write("SECOND", 0)
    await bench.wait(210)
    await host.write("TIME", 5)
    await bench.wait(300)
    assert int(dut.time_o.value) == 5


@cocotb.test()
async def free_pointers_come_out_in_order_and_a_full_queue_refuses(dut):
    bench, host = await start(dut)
    depth = 1 << ((await host.read("CONFIG")) >> 23 & 31)
    fits = depth + 4  # those in the registers behind the RAM, too
    for i in range(fits + 5):
        await host.write("FREE_PUSH[1]", 0x40000000 + i)
    await bench.wait(130)
    assert await host.read("REFUSED") == 5
    assert await host.read("FREE_LEVEL[1]") == fits
    assert await host.read("FREE_LEVEL[0]") == 0
    came = []
    dut.free_ready_i.value = 0b010
    while len(came) < fits:
        await bench.wait(1)
        if int(dut.free_valid_o.value) & 0b010:
            came.append(int(dut.free_o.value) >> 32 & 0xFFFFFFFF)
    assert came == [0x40000000 + i for i in range(fits)]
    await bench.wait(10)
    assert int(dut.free_valid_o.value) & 0b010 == 0
    assert await host.read("FREE_LEVEL[1]") == 0


@cocotb.test()
async def levels_say_what_has_not_been_taken(dut):
    bench, host = await start(dut)
    for i in range(20):
        await host.write("FREE_PUSH[2]", 0x80000000 + i)
    for taken in range(20):
        assert await host.read("FREE_LEVEL[2]") == 20 - taken
        dut.free_ready_i.value = 0b100
        await bench.wait(1)
        dut.free_ready_i.value = 0
        await bench.wait(1)
    assert await host.read("FREE_LEVEL[2]") == 0


@cocotb.test()
async def deleted_pointers_are_read_once_each(dut):
    bench, host = await start(dut)
    assert await host.read("DELETED_POP") == NOTHING
    source = bench.source("deleted")
    pointers = [random.randrange(1 << 31) for _ in range(50)]
    source.send(*pointers)
    await source.wait()
    await bench.wait(10)
    assert await host.read("DELETED_LEVEL") == 50
    await host.write("DELETED_POP", 0)  # a write takes nothing
    read = [await host.read("DELETED_POP") for _ in range(25)]
    pending = [host.axil.init_read(REG["DELETED_POP"], 4) for _ in range(25)]  # back to back
    for transaction in pending:
        await transaction.wait()
        read.append(int.from_bytes(transaction.data.data, "little"))
    assert read == pointers
    assert await host.read("DELETED_POP") == NOTHING


@cocotb.test()
async def a_full_deleted_queue_holds_the_index(dut):
    bench, host = await start(dut)
    depth = 1 << ((await host.read("CONFIG")) >> 23 & 31)
    source = bench.source("deleted")
    source.send(*range(depth + 50))
    await bench.wait(depth + 100)
    assert depth <= source.sent < depth + 10
    for i in range(depth + 50):
        assert await host.read("DELETED_POP") == i
    assert source.idle


@cocotb.test()
async def cycles_in_which_the_index_is_held_are_counted(dut):
    bench, host = await start(dut)
    depth = 1 << ((await host.read("CONFIG")) >> 23 & 31)
    source = bench.source("deleted")
    source.send(*range(depth))
    await source.wait()
    await bench.wait(130)
    assert await host.read("DELETED_STALL") == 0
    source.send(*range(10))
    await bench.wait(300)
    before = await host.read("DELETED_STALL")
    await bench.wait(1000)
    assert abs(await host.read("DELETED_STALL") - before - 1000) < 150  # up to 128 late


@cocotb.test()
async def interrupt_follows_the_levels(dut):
    bench, host = await start(dut)
    assert int(dut.irq_o.value) == 0
    for c in range(CLASSES):
        await host.write(f"FREE_LOW[{c}]", 4)
        await bench.wait(5)
        assert int(dut.irq_o.value) == 1
        assert (await host.read("STATUS")) >> 4 & 7 == (2 << c) - 1
    for c in range(CLASSES):
        for i in range(8):
            await host.write(f"FREE_PUSH[{c}]", c << 30 | i)
    await bench.wait(5)
    assert int(dut.irq_o.value) == 0
    await host.write("DELETED_HIGH", 3)
    source = bench.source("deleted")
    source.send(1, 2)
    await bench.wait(20)
    assert int(dut.irq_o.value) == 0
    source.send(3, 4, 5, 6)
    await bench.wait(20)
    assert int(dut.irq_o.value) == 1 and (await host.read("STATUS")) >> 7 & 1


async def cycles(dut, bench, begin, end):
    """From the cycle in which `begin` rises to that in which `end` is high, both counted."""
    while not int(getattr(dut, begin).value):
        await bench.wait(1)
    count = 1
    while not int(getattr(dut, end).value):
        await bench.wait(1)
        count += 1
    return count


@cocotb.test()
async def an_access_takes_what_the_page_says(dut):
    """hw/host/README.md has these cycles."""
    bench, host = await start(dut)
    for name, expected in (("ID", 5), ("FREE_LEVEL[1]", 5), ("DELETED_POP", 5), ("FRAME_IN", 7)):
        counted = cocotb.start_soon(cycles(dut, bench, "s_axil_arvalid", "s_axil_rvalid"))
        await host.read(name)
        assert await counted == expected, name
    counted = cocotb.start_soon(cycles(dut, bench, "s_axil_awvalid", "s_axil_bvalid"))
    await host.write("TIME", 1)
    assert await counted == 3
    await bench.wait(10)
    free = cocotb.start_soon(cycles(dut, bench, "s_axil_awvalid", "free_valid_o"))
    await host.write("FREE_PUSH[0]", 1)
    assert await free == 4


@pytest.mark.parametrize("depth", [64, 1024])
def test_wc_host(depth):
    run("wc_host", __file__, parameters={"QueueDepth": depth})
