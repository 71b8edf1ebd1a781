# SPDX-License-Identifier: Apache-2.0
"""wc_host over its AXI4-Lite port: settings, exact counters, seconds, interrupt."""

import random

import cocotb
import pytest
from wirecache import ROOT
from wirecache.circuit import registers, structs
from wirecache.testbench.axi_port import SLVERR, AxiLiteMaster
from wirecache.testbench.bench import Bench, full, run

REG = registers.addresses((registers.block("wc_regs"),))  # all but the index's own
PARTS = ("net", "byte", "index", "answer")
EVENTS = {part: structs.field_names(f"{part}_events_t") for part in PARTS}
ASKER = 0x0123456789ABCDEF0123456789AB  # who asks
STAGES = structs.field_names("stages_t")
LAG = 246  # cycles from an event to its count in a register, at most
COUNTERS = [n for n, a in REG.items() if a >= REG["FRAME_IN"]]


class Host:
    def __init__(self, dut, bench):
        self.dut, self.bench = dut, bench
        self.axil = AxiLiteMaster(dut, "s_axil")

    async def read(self, name):
        return await self.axil.read(REG[name])

    async def write(self, name, value):
        await self.axil.write(REG[name], value)


async def start(dut):
    inputs = ["clearing_i", "enter_i", "leave_i"]
    inputs += [
        "moves_i",
        "index_resp_i",
        "index_irq_i",
        "sizing_i",
        "index_error_i",
        "store_error_i",
        "bad_buckets_i",
        "bad_blocks_i",
        "line_i",
        "asker_valid_i",
        "asker_i",
        "message_ready_i",
        "word_ready_i",
        "message_done_i",
    ]
    bench = await Bench.start(
        dut, {**dict.fromkeys(inputs, 0), **{f"{part}_events_i": 0 for part in EVENTS}}
    )
    host = Host(dut, bench)
    await bench.reset()
    await bench.wait(80)  # the counters' RAM clears itself
    return bench, host


@cocotb.test()
async def settings_reach_the_pipeline(dut):
    bench, host = await start(dut)
    assert await host.read("ID") == 0x57434331
    config = await host.read("CONFIG")
    assert config & 0xF == 1 and config >> 4 & 3 == structs.enum("index_e")["IndexBucket"]
    assert config >> 6 == structs.enum("hash_e")["HashLookup3"]
    net = structs.unpack("net_settings_t", int(dut.net_settings_o.value))
    assert net["mac"] == 0x025743000001 and net["ip"] == 0x0A00020F and net["udp_port"] == 11211
    assert net["tcp_port"] == 0, "no TCP, until told otherwise"
    assert net["frame_header"] == 1 and net["enable"] == 0
    await host.write("CONTROL", 1)
    await host.write("MAC_HIGH", 0xAABB)
    await host.write("HASH_SEED", 0xDEADBEEF)
    await host.write("TCP_PORT", 0xCAFE)
    net = structs.unpack("net_settings_t", int(dut.net_settings_o.value))
    assert net["enable"] == 1 and net["frame_header"] == 0 and net["mac"] == 0xAABB43000001
    assert net["tcp_port"] == 0xCAFE and net["udp_port"] == 11211
    assert net["allow_network"] == 0 and net["allow_mask"] == 0, "everybody, until told otherwise"
    for i in range(structs.constant("AllowEntries")):
        await host.write(f"ALLOW_NETWORK[{i}]", 0x0A000000 + i)
        await host.write(f"ALLOW_MASK[{i}]", 0xFF000000 + i)
    net = structs.unpack("net_settings_t", int(dut.net_settings_o.value))
    for i in range(structs.constant("AllowEntries")):
        assert net["allow_network"] >> 32 * i & 0xFFFFFFFF == 0x0A000000 + i
        assert net["allow_mask"] >> 32 * i & 0xFFFFFFFF == 0xFF000000 + i
        assert await host.read(f"ALLOW_MASK[{i}]") == 0xFF000000 + i
    assert int(dut.hash_seed_o.value) == 0xDEADBEEF
    assert int(dut.answer_limit_o.value) == 65536
    await host.write("ANSWER_LIMIT", 0xABCDEF)
    assert int(dut.answer_limit_o.value) == 0xABCDEF
    least, most = structs.constant("LeastItemBytes"), 1 << int(dut.ItemBits.value)
    assert int(dut.most_bytes_o.value) == 1 << 20
    assert await host.read("ITEM_SIZE_MAX") == 1 << 20 | int(dut.ItemBits.value) << 24
    for wanted in (least, 99_999, most, 0, least - 1, most + 1, 0xFFFFFF):
        await host.write("ITEM_SIZE_MAX", wanted)
        await bench.wait(2)
        assert int(dut.most_bytes_o.value) == min(max(wanted, least), most)


@cocotb.test()
async def the_version_is_a_setting(dut):
    """Until it is told another, that of the memcached that is kept to. Its own is the cores'."""

    def version() -> tuple[int, bytes]:
        fields = structs.unpack("version_t", int(dut.version_o.value))
        return fields["bytes"], fields["line"].to_bytes(16, "little").rstrip(b"\0")

    _, host = await start(dut)
    text = structs.text("VersionText")
    assert version() == (len(text), text + b"\r\n")
    line = b"abcdefghijklmn\r\n"
    for i in range(4):
        await host.write(f"VERSION_LINE_{i}", int.from_bytes(line[4 * i : 4 * i + 4], "little"))
    for length in (14, 0):
        await host.write("VERSION_BYTES", length)
        assert version() == (length or 1, line), "an answer has a character at least"
    major, minor, patch = (await host.read("RELEASE")).to_bytes(4, "big")[1:]
    core = (ROOT / "hw" / "host" / "wc_host.core").read_text()
    assert f"name: wirecache:hw:host:{major}.{minor}.{patch}\n" in core


@cocotb.test()
async def the_index_answers_for_its_own_registers(dut):
    bench, host = await start(dut)

    async def answer():
        """The next access, answered some cycles later."""
        while not int(dut.index_req_o.value) >> structs.width("reg_req_t") - 1:
            await bench.wait(1)
        asked = structs.unpack("reg_req_t", int(dut.index_req_o.value))
        await bench.wait(random.randint(1, 9))
        kind = "wr_ack" if asked["write"] else "rd_ack"
        dut.index_resp_i.value = structs.pack("reg_resp_t", **{kind: 1}, rdata=0x12345678)
        await bench.wait(1)
        dut.index_resp_i.value = 0
        return asked

    for _ in range(20):
        address = 0x200 + 4 * random.randrange(128)
        answered = cocotb.start_soon(answer())
        assert await host.axil.read(address) == 0x12345678
        asked = await answered
        assert (asked["write"], asked["addr"]) == (0, address - 0x200)
        answered = cocotb.start_soon(answer())
        await host.axil.write(address, address * 7)
        asked = await answered
        assert (asked["write"], asked["addr"]) == (1, address - 0x200)
        assert asked["wdata"] == address * 7
        assert await host.read("ID") == 0x57434331


@cocotb.test()
async def a_write_of_a_part_is_refused(dut):
    """It is answered with SLVERR and writes nothing, whichever bytes it leaves out; a write to a
    counter and to a register of the index too."""
    bench, host = await start(dut)
    for strobe in range(15):
        await host.axil.write(REG["HASH_SEED"], 0x01020304 + strobe)
        await host.axil.write(REG["HASH_SEED"], 0xFFFFFFFF, strobe, SLVERR)
        assert await host.read("HASH_SEED") == 0x01020304 + strobe, strobe
        await host.axil.write(REG["GET"], 1, strobe, SLVERR)
    await host.axil.write(REG["GET"], 1)  # of a read-only register: nothing, as before
    await bench.wait(LAG)
    assert await host.read("GET") == 0
    bus = host.axil.signals
    counted = cocotb.start_soon(cycles(bench, bus["awvalid"], bus["bvalid"]))
    await host.axil.write(REG["TIME"], 1, 7, SLVERR)
    assert await counted == 3, "not as soon as any other write"


@cocotb.test()
async def what_is_in_flight_is_told(dut):
    """Every stage by itself; a host that asks sees what entered and has not left."""
    bench, host = await start(dut)
    registers_of = {
        **{stage: f"OPEN_{stage.upper()}" for stage in STAGES},
        "datagrams": "IN_FLIGHT",
    }
    levels = dict.fromkeys(STAGES, 0)
    assert int(dut.in_flight_o.value) == 0
    for _ in range(400):
        enter = {stage: int(random.random() < 0.4) for stage in STAGES}
        leave = {stage: int(levels[stage] > 0 and random.random() < 0.3) for stage in STAGES}
        for stage in STAGES:
            levels[stage] += enter[stage] - leave[stage]
        dut.enter_i.value = structs.pack("stages_t", **enter)
        dut.leave_i.value = structs.pack("stages_t", **leave)
        await bench.wait(1)
    dut.enter_i.value = dut.leave_i.value = 0
    dut.sizing_i.value = 1019
    for stage, level in levels.items():
        assert await host.read(registers_of[stage]) == level > 0, stage
    assert await host.read("OPEN_SIZE") == 1019
    assert int(dut.in_flight_o.value) == 1
    while any(levels.values()):
        leave = {stage: int(level > 0) for stage, level in levels.items()}
        for stage in STAGES:
            levels[stage] -= leave[stage]
        assert int(dut.in_flight_o.value) == 1
        dut.leave_i.value = structs.pack("stages_t", **leave)
        await bench.wait(1)
    dut.leave_i.value = 0
    await bench.wait(3)
    assert int(dut.in_flight_o.value) == 0


@cocotb.test()
async def what_stands_still_is_counted(dut):
    """Once for each 65,536 cycles in which nothing moves though something is in flight, also
    while the table is cleared; not while the index tells that it makes room or clears, nor when
    nothing is in flight."""
    bench, host = await start(dut)
    patience = 65536
    await bench.wait(patience + 100)
    assert await host.read("STUCK") == 0, "nothing was in flight"
    one = structs.pack("stages_t", hash=1)
    dut.enter_i.value = one
    await bench.wait(1)
    dut.enter_i.value = 0
    await bench.wait(patience - 200)
    assert await host.read("STUCK") == 0
    await bench.wait(500)
    assert await host.read("STUCK") == 1
    await bench.wait(patience)
    assert await host.read("STUCK") == 2
    dut.clearing_i.value = 1
    await bench.wait(patience)
    assert await host.read("STUCK") == 3
    for _ in range(3):
        await bench.wait(patience // 2)
        dut.moves_i.value = 1
        await bench.wait(1)
        dut.moves_i.value = 0
    dut.clearing_i.value = 0
    assert await host.read("STUCK") == 3
    dut.leave_i.value = one
    await bench.wait(1)
    dut.leave_i.value = 0
    await bench.wait(patience + 500)
    assert await host.read("STUCK") == 3


@cocotb.test()
async def errors_of_memory_are_told(dut):
    """Which, where the first was, how many; until the host clears what it was told."""
    bench, host = await start(dut)
    kinds = [(port, way) for port in ("index", "store") for way in ("read", "write")]
    counters = ("TABLE_READ_ERROR", "TABLE_WRITE_ERROR", "VALUE_READ_ERROR", "VALUE_WRITE_ERROR")

    async def one(port, way, line, count=1):
        error = structs.pack("memory_error_t", **{way: 1, f"{way}_line": line})
        getattr(dut, f"{port}_error_i").value = error
        await bench.wait(count)
        getattr(dut, f"{port}_error_i").value = 0
        await bench.wait(5)

    assert await host.read("MEMORY_ERROR") == 0
    for bit, (port, way) in enumerate(kinds):
        lines = [random.getrandbits(32) for _ in range(2)]
        await one(port, way, lines[0])
        assert await host.read("MEMORY_ERROR") == 1 << bit
        assert await host.read("MEMORY_LINE") == lines[0]
        assert not int(dut.irq_o.value), "nobody asked for it"
        assert await host.read("STATUS") >> 2 == 1
        await host.write("CONTROL", 8)
        await bench.wait(3)
        assert int(dut.irq_o.value)
        await one(port, way, lines[1], 3)
        assert await host.read("MEMORY_LINE") == lines[0], "not the first one"
        await host.write("MEMORY_ERROR", 15 & ~(1 << bit))
        assert await host.read("MEMORY_ERROR") == 1 << bit
        await host.write("MEMORY_ERROR", 1 << bit)
        await bench.wait(3)
        assert await host.read("MEMORY_ERROR") == 0 and not int(dut.irq_o.value)
        await host.write("CONTROL", 0)
        await bench.wait(LAG)
        assert await host.read(counters[bit]) == 4
    dut.bad_buckets_i.value = structs.pack("bad_level_t", level=5)
    dut.bad_blocks_i.value = structs.pack("bad_level_t", level=8, all=1)
    await bench.wait(3)
    assert await host.read("BAD_PLACES") == 5 | 8 << 8 | 1 << 12


@cocotb.test()
@cocotb.parametrize(zeroed=[0, 1])
async def clear_is_one_pulse(dut, zeroed):
    bench, host = await start(dut)
    pulses = []

    async def watch():
        while True:
            await bench.wait(1)
            if pulse := int(dut.clear_o.value):
                pulses.append(structs.unpack("clear_t", pulse))

    cocotb.start_soon(watch())
    await host.write("CONTROL", 0b100 | zeroed << 4)
    await bench.wait(10)
    assert pulses == [{"start": 1, "zeroed": zeroed}]
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
    await bench.wait(LAG)
    other = {"del": "DELETE", "del_hit": "DELETE_HIT", "cut": "ANSWER_CUT"}
    for (_, name), count in expected.items():
        register = other.get(name, name.upper())
        assert await host.read(register) == count, register


async def preset(dut, bench, word, value):
    """Puts a value into a counter, past the sweep, which may just be writing it back."""
    cell = dut.u_counters.u_counters.u_ram.mem[word]
    while int(cell.value) != value:
        cell.value = value
        await bench.wait(10)


async def read_counter(host, name):
    low = await host.read(name)
    return await host.read("COUNT_HIGH") << 32 | low


@cocotb.test()
async def counters_go_on_beyond_32_bits(dut):
    """Both halves belong to one moment while the lower one wraps, for neighbours at once too."""
    bench, host = await start(dut)
    words = {name: (REG[name] - REG["FRAME_IN"]) // 4 for name in ("GET", "GET_HIT", "SET")}
    begun = {name: (5 << 32) - 400 - 10 * i for i, name in enumerate(words)}
    for name, word in words.items():
        await preset(dut, bench, word, begun[name])
    events = structs.pack("index_events_t", **{n.lower(): 1 for n in words})
    dut.index_events_i.value = events
    first = bench.cycle()
    last = dict(begun)
    while bench.cycle() < first + 1500:
        for name in words:
            before = bench.cycle() - first
            count = await read_counter(host, name)
            assert before - LAG <= count - begun[name] <= bench.cycle() - first, name
            assert count >= last[name], name
            last[name] = count
    assert all(count > 5 << 32 for count in last.values())
    dut.index_events_i.value = 0
    total = bench.cycle() - first
    await bench.wait(LAG)
    for name in words:
        assert await read_counter(host, name) == begun[name] + total


@cocotb.test()
async def a_counter_is_read_while_the_sweep_writes_it(dut):
    """At every moment of the sweep, which an assertion watches: the read comes a cycle later."""
    bench, host = await start(dut)
    dut.net_events_i.value = structs.pack("net_events_t", frame_out=1)  # so that the sweep goes on
    taken = set()
    for _ in range(3000):
        await bench.wait(random.randrange(3))
        counted = cocotb.start_soon(
            cycles(bench, *(host.axil.signals[n] for n in ("arvalid", "rvalid")))
        )
        await host.read(random.choice(COUNTERS))
        taken.add(await counted)
    assert taken == {8, 9}


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
async def the_index_may_ask_for_the_host(dut):
    bench, host = await start(dut)
    assert int(dut.irq_o.value) == 0 and await host.read("STATUS") == 0
    for wanted in (1, 0):
        dut.index_irq_i.value = wanted
        await bench.wait(3)
        assert int(dut.irq_o.value) == wanted
        assert await host.read("STATUS") >> 1 & 1 == wanted


@cocotb.test()
async def a_command_is_read_and_answered(dut):
    """All of it through registers, as host software does it."""
    bench, host = await start(dut)
    line = [(1, b"lru_craw"), (0, b"ler"), (1, b"sleep"), (1, b"12345678"), (0, b"9")]
    for i, (begins, data) in enumerate(line):
        dut.line_i.value = structs.pack(
            "command_line_t",
            restart=int(i == 0),
            push=1,
            begins=begins,
            data=int.from_bytes(data, "little"),
        )
        await bench.wait(1)
    dut.line_i.value = structs.pack("command_line_t", put=1, binary=1, opcode=0x10, opaque=0x12345)
    await bench.wait(1)
    dut.line_i.value = 0
    await bench.wait(20)
    assert not await host.read("COMMAND") & 1, "nobody has asked yet"
    assert not int(dut.irq_o.value)
    dut.asker_valid_i.value, dut.asker_i.value = 1, ASKER
    await bench.wait(1)
    dut.asker_valid_i.value = 0
    await bench.wait(8)
    assert int(dut.irq_o.value) and await host.read("STATUS") == 8
    head = await host.read("COMMAND")
    assert head & 3 == 3 and head >> 16 & 0x7F == len(line)
    assert await host.read("COMMAND_OPAQUE") == 0x12345
    for i, (begins, data) in enumerate(line):
        await host.write("COMMAND_PIECE", i)
        assert await host.read("COMMAND_PIECE") == i | begins << 7 | 0x1000
        halves = [await host.read(f"COMMAND_LINE_{half}") for half in (0, 1)]
        assert b"".join(half.to_bytes(4, "little") for half in halves) == data.ljust(8, b"\0")
    tag = head >> 8 & 0xFF
    for word in (0x64636261, 0xFFFF6665):
        await host.write("COMMAND_ANSWER", word)
    await host.write("COMMAND_SEND", 6 | tag << 24)
    await bench.wait(4)
    message = structs.unpack("message_t", int(dut.message_o.value))
    assert int(dut.message_valid_o.value) and message["aside"] and message["bytes"] == 6
    assert int(dut.asker_o.value) == ASKER
    dut.message_ready_i.value = dut.word_ready_i.value = 1
    while not int(dut.word_valid_o.value):
        await bench.wait(1)
    assert int(dut.word_o.value).to_bytes(8, "little") == b"abcdef\0\0"
    dut.message_done_i.value = 1
    await bench.wait(1)
    dut.message_done_i.value = 0
    await bench.wait(4)
    assert not int(dut.irq_o.value) and not await host.read("COMMAND") & 1
    await bench.wait(LAG)
    assert [await host.read(f"HOST_{name}") for name in ("COMMAND", "REFUSED", "LATE")] == [1, 0, 0]


async def cycles(bench, begin, end):
    """From the cycle in which `begin` rises to that in which `end` is high, both counted."""
    while not int(begin.value):
        await bench.wait(1)
    count = 1
    while not int(end.value):
        await bench.wait(1)
        count += 1
    return count


@cocotb.test()
async def an_access_takes_what_the_page_says(dut):
    """hw/host/README.md has these cycles."""
    bench, host = await start(dut)
    bus = host.axil.signals
    counted = cocotb.start_soon(cycles(bench, bus["arvalid"], bus["rvalid"]))
    await host.read("ID")
    assert await counted == 6
    for name in COUNTERS:
        counted = cocotb.start_soon(cycles(bench, bus["arvalid"], bus["rvalid"]))
        await host.read(name)
        assert await counted in (8, 9), name
    counted = cocotb.start_soon(cycles(bench, bus["awvalid"], bus["bvalid"]))
    await host.write("TIME", 1)
    assert await counted == 3


@pytest.mark.parametrize("item_bits", [20, full(23)])
def test_wc_host(item_bits):
    run("wc_host", __file__, {"ItemBits": item_bits}, inside=True)
