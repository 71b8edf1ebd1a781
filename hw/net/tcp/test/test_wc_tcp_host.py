# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_host over its register bus: settings, state, order of counters."""

import random

import cocotb
import pytest
from wirecache.circuit import registers, structs
from wirecache.testbench.bench import Bench, full, run
from wirecache.testbench.register_bus import RegisterBus

TCP = registers.block("wc_tcp_regs")
KEEPALIVE = {"TCP_KEEPALIVE_IDLE": 0x7FFF, "TCP_KEEPALIVE_PROBES": 0x7F7FFF}  # bits that count
LAG = 300  # cycles from an event to its count in a register, and the read's


class Host(RegisterBus):
    @classmethod
    async def start(cls, dut):
        inputs = ["reg_req_i", "ready_i", "events_i", "about_i"]
        bench = await Bench.start(dut, dict.fromkeys(inputs, 0))
        await bench.reset()
        await bench.wait(80)  # the counters' RAM clears itself
        return cls(dut, bench, TCP)

    @property
    def connections(self):
        return int(self.dut.Connections.value)

    def settings(self):
        names = ("most", "base", "idle", "keepalive", "secret", "seed")
        return tuple(int(getattr(self.dut, f"{name}_o").value) for name in names)


@cocotb.test()
async def settings_reach_the_outputs(dut):
    host = await Host.start(dut)
    assert host.settings() == (0,) * 6
    secret = [name for name in host.addresses if name.startswith("TCP_SECRET")]
    seed = [name for name in host.addresses if name.startswith("TCP_SEED")]
    assert len(secret) == 4 and len(seed) == 3
    names = ["TCP_CONNECTIONS", "TCP_BASE", "TCP_IDLE_LIMIT", *KEEPALIVE, *secret, *seed]
    want = dict.fromkeys(names, 0)
    for _ in range(60):
        name = random.choice(list(want))
        bits = 32
        if name == "TCP_CONNECTIONS":
            bits = (host.connections).bit_length() - 1
        if name == "TCP_IDLE_LIMIT":
            bits = 16
        want[name] = random.getrandbits(bits) & KEEPALIVE.get(name, (1 << 32) - 1)
        await host.write(name, want[name])
        joined = [
            sum(want[part] << 32 * at for at, part in enumerate(parts)) for parts in (secret, seed)
        ]
        joined[1] &= (1 << 80) - 1
        numbers = (want["TCP_CONNECTIONS"], want["TCP_BASE"], want["TCP_IDLE_LIMIT"])
        idle, probes = (want[name] for name in KEEPALIVE)
        keepalive = idle << 22 | (probes & 0x7FFF) << 7 | probes >> 16
        assert host.settings() == (*numbers, keepalive, *joined)
    for name, value in want.items():
        assert await host.read(name) == value, name


@cocotb.test()
async def connections_at_once_are_no_more_than_there_are(dut):
    host = await Host.start(dut)
    many = host.connections
    for most in (1, many - 1, many, many + 1, (1 << 17) - 1, 0):
        await host.write("TCP_CONNECTIONS", most)
        assert host.settings()[0] == min(most, many)


@cocotb.test()
async def state_is_told(dut):
    host = await Host.start(dut)
    built = host.connections | int(dut.RingBits.value) << 24
    for ready in (0, 1, 0):
        dut.ready_i.value = ready
        await host.bench.wait(2)
        assert await host.read("TCP_STATUS") == built | ready << 31


@cocotb.test()
async def a_connection_is_asked_for(dut):
    """Once for each write, with its number; it is busy from the write on until that is told."""
    host = await Host.start(dut)
    asked = []

    async def watch():
        while True:
            await host.bench.wait(1)
            if int(dut.about_valid_o.value):
                asked.append(int(dut.about_id_o.value))

    cocotb.start_soon(watch())
    for number in (5, 1023, 0xFFFF, 0):
        busy = random.getrandbits(1)
        about = {"busy": busy, "open": 1, "age": 0x1234, "ip": 0x04030201, "port": 0x8060}
        dut.about_i.value = structs.pack("wc_tcp_pkg::about_t", **about)
        await host.write("TCP_PEER", number)
        assert await host.read("TCP_PEER_STATE") == busy << 31 | 1 << 30 | 0x1234
        assert await host.read("TCP_PEER_IP") == 0x01020304
        assert await host.read("TCP_PEER_PORT") == 0x6080
        assert await host.read("TCP_PEER") == number
    assert asked == [5, 1023, 0xFFFF, 0]


@cocotb.test()
async def counters_are_in_the_order_of_the_events(dut):
    """Each event alone, another number of times: it counts in the register of its name."""
    host = await Host.start(dut)
    names = [*registers.counters(TCP)]
    assert names == [f"tcp_{field}" for field in structs.field_names("wc_pkg::tcp_events_t")]
    width = structs.width("wc_pkg::tcp_events_t")
    for bit in range(width):
        for _ in range(bit + 1):
            dut.events_i.value = 1 << (width - 1 - bit)  # the first field is the top bit
            await host.bench.wait(1)
    dut.events_i.value = 0
    await host.bench.wait(LAG)
    for count, name in enumerate(names, 1):
        assert await host.read(name.upper()) == count, name
        assert await host.read("TCP_COUNT_HIGH") == 0


@pytest.mark.parametrize(("connections", "ring_bits"), [(1024, 16), full(65536, 23)])
def test_wc_tcp_host(connections, ring_bits):
    run("wc_tcp_host", __file__, parameters={"Connections": connections, "RingBits": ring_bits})
