# SPDX-License-Identifier: Apache-2.0
"""wc_tcp_framer against the model: marks, states and ends of every shape of every command, however
it is cut; what is densest, longest and most hostile; cycles."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import cocotb
import request_cases
import request_rows
import request_traffic
from wirecache.circuit import commands, structs
from wirecache.model.tcp.framer import Framer
from wirecache.testbench.bench import Bench, run, some
from wirecache.traffic.requests import binary_request

GIVEN, MARK, FED = (f"wc_tcp_framer_pkg::{name}_t" for name in ("given", "mark", "fed"))
MIB = 1 << 20
MOST = 60000  # bytes of a segment here


class Circuit:
    """The device, and the model of one connection after the other."""

    def __init__(self, dut: Any, bench: Bench) -> None:
        self.dut, self.bench = dut, bench
        self.starts = bench.source("start")
        self.words = bench.source("word", GIVEN)
        self.options: dict[str, Any] = dict(
            max_key=int(dut.MaxKey.value),
            made_values=bool(dut.MadeValues.value),
            meta=bool(dut.Meta.value),
            binary=bool(dut.Binary.value),
        )
        self.most_bytes = MIB
        self.connect()

    @classmethod
    async def start(cls, dut: Any, most_bytes: int = MIB) -> Circuit:
        bench = await Bench.start(dut, {"most_bytes_i": most_bytes})
        await bench.reset()
        circuit = cls(dut, bench)
        circuit.most_bytes = most_bytes
        circuit.connect()
        return circuit

    def connect(self) -> None:
        self.model = Framer(self.most_bytes, **self.options)
        self.state = 0

    async def feed(self, data: bytes) -> int:
        """One segment, and the cycles that it takes."""
        dut = self.dut
        wanted = self.model.feed(data)
        self.starts.send(self.state)
        for at in range(0, len(data), 8):
            word = data[at : at + 8]
            last = int(at + 8 >= len(data))
            self.words.send(
                {"data": int.from_bytes(word, "little"), "bytes": len(word), "last": last}
            )
        marks = []
        cycles = 0
        while cycles < 2000 + 40 * len(data):  # of hangs alone: the circuit asserts its own bound
            await self.bench.wait(1)
            cycles += 1
            if int(dut.mark_valid_o.value):
                mark = structs.unpack(MARK, int(dut.mark_o.value))
                marks.append((mark["offset"], mark["kind"]))
            if int(dut.fed_valid_o.value):
                break
        else:
            raise AssertionError(f"no end of {data[:200]!r}")
        fed = structs.unpack(FED, int(dut.fed_o.value))
        bits = structs.width("wc_tcp_framer_pkg::state_t")
        self.state = int(dut.fed_o.value) >> structs.width(FED) - bits
        assert marks == [(mark.offset, int(mark.kind)) for mark in wanted.marks], data[:3000]
        assert (fed["done"], fed["closed"]) == (wanted.done, wanted.closed), data[:3000]
        return cycles

    async def stream(self, data: bytes, *places: int) -> None:
        """A connection."""
        self.connect()
        for start, stop in zip((0, *places), (*places, len(data)), strict=True):
            for at in range(start, stop, MOST):
                await self.feed(data[at : min(stop, at + MOST)])


def streams() -> list[bytes]:
    out = [*request_rows.lines(), *request_rows.headers(), *request_cases.ASCII_CASES]
    return out + request_cases.binary_cases()


@cocotb.test(timeout_time=900, timeout_unit="ms")
async def every_shape(dut):
    """All shapes of all commands, whole, and each cut somewhere."""
    circuit = await Circuit.start(dut)
    data = streams()
    for stream in random.sample(data, 600):
        await circuit.stream(stream)
        if len(stream) > 1:
            await circuit.stream(stream, random.randrange(1, len(stream)))


@cocotb.test(timeout_time=900, timeout_unit="ms")
async def at_each_place_of_a_word(dut):
    """Lines with values, of as many words as each may have and one more or less; their ends too,
    whole and cut between carriage return and line end."""
    circuit = await Circuit.start(dut)
    for line in (
        b"set k 0 0",
        b"set k 0 0 5",
        b"set k 0 0 5 noreply",
        b"set k 0 0 5 noreply x",
        b"cas k 0 0 5",
        b"cas k 0 0 5 7",
        b"cas k 0 0 5 7 noreply",
        b"ms k 5",
        b"ms k 5 T0",
        b"get k",
    ):
        for end in (b"\r\n", b" \r\n", b"\r\r\n", b"\n"):
            for shift in range(8):
                head = b"\n" * shift + line + end[:-1]
                stream = head + end[-1:] + b"12345\r\nget a\r\n"
                await circuit.stream(stream)
                await circuit.stream(stream, len(head))


@cocotb.test(timeout_time=900, timeout_unit="ms")
async def byte_by_byte(dut):
    circuit = await Circuit.start(dut)
    for stream in random.sample(streams(), 80):
        await circuit.stream(stream, *range(1, len(stream)))


@cocotb.test(timeout_time=900, timeout_unit="ms")
@cocotb.parametrize(willing=[1.0, 0.3])
async def at_random(dut, willing):
    circuit = await Circuit.start(dut)
    circuit.words.pace.willing = willing
    rng = random.Random(random.getrandbits(32))
    for _ in range(250):
        stream = b"".join(request_traffic.packet(rng) for _ in range(random.randint(1, 4)))
        places = sorted(random.sample(range(1, len(stream) + 1), min(len(stream), 5)))
        await circuit.stream(stream, *sorted({p for p in places if p < len(stream)}))


@cocotb.test(timeout_time=900, timeout_unit="ms")
async def long_lines(dut):
    circuit = await Circuit.start(dut)
    heads = (
        b"get ",
        b"gets ",
        b"gat 0 ",
        b"bget ",
        b"set ",
        b"ms k 5 ",
        b"get\0",
        b"x",
        b"\n\n",
        b"",
    )
    fillers, lengths = (b"k", b" ", b"k ", b"\r"), (2047, 2048, 2049, 2050, 5000)
    for head, filler, length in some([*product(heads, fillers, lengths)], 3):
        line = (head + filler * length)[:length]
        await circuit.stream(line)
        await circuit.stream(line, length - 1)
        await circuit.stream(line + b"\nget a\r\n", length)
        await circuit.stream(line + b"\r\nmn\r\n")
    for spaces in (99, 100, 101, 102):
        await circuit.stream(b" " * spaces + b"get " + b"k " * 2000)


@cocotb.test(timeout_time=900, timeout_unit="ms")
async def values(dut):
    """Of all lengths; around the largest item, which is a small one here."""
    largest = 1 << 14
    circuit = await Circuit.start(dut, largest)
    around = [largest - 60 + n for n in (-253, -252, -1, 0, 1, 2)]
    for length in (*range(20), 2000, *around, largest):
        for line in (b"set k 0 0 %d\r\n", b"ms k %d T0\r\n", b"cas k 0 0 %d 5\r\n"):
            await circuit.stream(line % length + bytes(length) + b"\r\nmn\r\n")
        request = binary_request(1, b"key", bytes(8), bytes(length)) + binary_request(10)
        await circuit.stream(request)
    await circuit.stream(b"set k 0 0 2147483645\r\n" + bytes(20000))
    for place in range(1, 60):
        await circuit.stream(binary_request(1, b"k" * 9, bytes(8), bytes(2 * MIB))[:60], place)


@cocotb.test(timeout_time=900, timeout_unit="ms")
async def largest_values(dut):
    """1 MiB that is taken, 2 MiB that are not."""
    circuit = await Circuit.start(dut)
    for length in (MIB - 60, 2 * MIB):
        await circuit.stream(b"set k 0 0 %d\r\n" % length + bytes(length) + b"\r\nmn\r\n")


@cocotb.test(timeout_time=900, timeout_unit="ms")
async def numbers(dut):
    """As memcached reads them, in each place."""
    circuit = await Circuit.start(dut)
    words = [b"%d" % (base + n) for base in (2**31, 2**32, 2**63, 2**64) for n in range(-3, 4)]
    words += [b"1" * n for n in (18, 19, 20, 21, 1400)] + [b"9" * n for n in (18, 19, 20, 21)]
    words += [
        b"0" * 30 + b"5",
        b"5\tx",
        b"5-",
        b"5\t-",
        b"\t5",
        b"\r5",
        b"5\r",
        b"+",
        b"--5",
        b"",
        b"5x",
    ]
    words += [b"9223372036854775808\t-", b"1" * 20 + b"\t-", b"0\t-", b"5\0", b"\0"]
    words += [sign + word for sign in (b"-", b"+") for word in words]
    shapes = (b"set k %b 0 5", b"set k 0 %b 5", b"set k 0 0 %b", b"cas k 0 0 5 %b", b"ms k %b")
    for word, shape in some([*product(words, shapes)], 2):
        line = shape % word
        await circuit.stream(line + random.choice((b"\r\n", b"\n")) + b"hello\r\nget a\r\n")
        await circuit.stream(line + b" \r\n", random.randrange(1, len(line)))


@cocotb.test()
async def every_name(dut):
    """Each command of the table, and names that are nearly one, between others."""
    circuit = await Circuit.start(dut)
    names = [line.name for line in commands.lines()]
    assert len(names) > 30
    for name in names:
        for word in (name, name + b"x", name[:-1], name[:8], name[:8] + b"zz"):
            for end in (b"\r\n", b" x\n", b" 1 noreply\r\n"):
                circuit.connect()
                await circuit.feed(b"version\r\n" + word + end + b"mn\r\n")


@cocotb.test(timeout_time=900, timeout_unit="ms")
async def dense(dut):
    """What has the most requests in its bytes, and what is slowest: at most two cycles for each
    byte, which an assertion of the circuit says as well."""
    circuit = await Circuit.start(dut)
    units = [b"\n", b"\r\n", b"\0\n", b" \n", b"x\n", b"get\n", b"a \n", b"mn\r\n", b"get a\r\n"]
    units += [b"set a 0 0 0\r\n\r\n", b"set a 0 0 1\nx\r\n", b"ms k 0\n\r\n", b"set a 0 0\n", b" "]
    units += [
        b"cas a 0 0 0 18446744073709551615\r\n\r\n",
        b"quit\r\n",
        b"lru_crawler\n",
        b"shutdown\n",
    ]
    units += [
        b"ms k -4294967296\n\r\n",
        b"a" * 9 + b"\n",
        b"cache_memlimit\n",
        b"set k " + b"0" * 40,
    ]
    for unit in units:
        circuit.connect()
        data = (unit * 1500)[:1448]
        most = 2 if unit == b"x\n" else 1.5  # a name alone in its line is slowest
        assert await circuit.feed(data) <= most * len(data) + 14, unit
    for opcode in (10, 0, 1, 8):
        circuit.connect()
        keys = b"k" if opcode < 8 else b""
        data = (binary_request(opcode, keys, bytes(8) if opcode == 1 else b"") * 60)[:1448]
        assert await circuit.feed(data) <= 1.5 * len(data) + 14


# Requests of ordinary traffic, one behind the other, and the cycles of each, at most.
PACE = {
    b"get " + b"k" * 16 + b"\r\n": 4.7,
    b"mg " + b"k" * 16 + b" v\r\n": 6.0,
    b"get " + b"k" * 250 + b"\r\n": 34.0,
    b"delete " + b"k" * 16 + b"\r\n": 7.0,
    b"set " + b"k" * 16 + b" 0 0 32\r\n" + b"v" * 34: 24.0,
    b"set " + b"k" * 16 + b" 0 0 1024\r\n" + b"v" * 1026: 150.0,
    b"\n": 1.1,
}


@cocotb.test(timeout_time=90, timeout_unit="ms")
async def pace(dut):
    circuit = await Circuit.start(dut)
    for request, most in PACE.items():
        circuit.connect()
        count = 40000 // len(request)
        cycles = await circuit.feed(request * count) / count
        dut._log.info("%r: %.2f cycles, %.2f words", request[:20], cycles, len(request) / 8)
        assert cycles <= most, request
    requests = {
        "get": binary_request(0, b"k" * 6),
        "set": binary_request(1, b"k" * 6, bytes(8), bytes(32)),
    }
    for name, request in requests.items():
        circuit.connect()
        count = 40000 // len(request)
        cycles = await circuit.feed(request * count) / count
        dut._log.info("binary %s: %.2f cycles, %.2f words", name, cycles, len(request) / 8)
        circuit.connect()
        dut._log.info("alone: %d cycles", await circuit.feed(request))


def test_wc_tcp_framer():
    run("wc_tcp_framer", __file__)


def test_of_classic_commands_alone():
    parameters = {"MaxKey": 64, "Meta": 0, "MadeValues": 0, "Binary": 0}
    run("wc_tcp_framer", __file__, parameters, tests=("every_shape", "dense", "at_random.*"))
