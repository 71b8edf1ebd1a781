# SPDX-License-Identifier: Apache-2.0
"""wc_hash: every function bit for bit, order kept, words passed through, rates and latencies."""

from __future__ import annotations

import os
import random
from typing import Any

import cocotb
import pytest
from wirecache.circuit.structs import enum
from wirecache.model.hashing import FUNCTIONS, enumerator
from wirecache.model.lookup3 import hashlittle
from wirecache.testbench.bench import Bench, Sink, Source, beats, full, run, unbeats

OP = enum("op_e")
FUNCTION = os.environ.get("WIRECACHE_HASH", "lookup3")
UNITS = int(os.environ.get("WIRECACHE_UNITS", "4"))
ENOUGH = {"lookup3": 4, "multiplicative": 8, "crc": 1}  # units, for keys of one length


def request(key: bytes, tag: int) -> dict[str, Any]:
    op = OP.OpGet if key else random.choice([OP.OpNone, OP.OpFlush])
    return {
        "op": {"op": op, "key_len": len(key), "opaque": tag},
        "cas": random.getrandbits(64),
        "flags": random.getrandbits(32),
    }


class Ends:
    """The device with something at each of its streams."""

    def __init__(self, dut: Any, bench: Bench) -> None:
        self.dut, self.bench = dut, bench
        self.requests = bench.source("request", "request_t")
        self.words = bench.source("key", "beat_t")
        self.hashed = bench.sink("hashed", "hashed_t")
        self.passed = bench.sink("key", "beat_t")

    @classmethod
    async def start(cls, dut: Any) -> Ends:
        ends = cls(dut, await Bench.start(dut, {"seed_i": 0}))
        await ends.bench.reset()
        return ends

    def send(self, keys: list[bytes]) -> None:
        for tag, key in enumerate(keys):
            self.requests.send(request(key, tag))
            self.words.send(*beats(key))

    async def run(
        self, keys: list[bytes], seed: int = 0, willing: tuple[float, ...] = (1, 1, 1, 1)
    ) -> list[int]:
        """Sends operations with these keys and checks all that comes out; gives the cycle in which
        each hash came."""
        ends: tuple[Source | Sink, ...] = (self.requests, self.words, self.hashed, self.passed)
        for end, share in zip(ends, willing, strict=True):
            end.pace.willing = share
        self.dut.seed_i.value = seed
        await self.bench.wait(3)
        self.hashed.cycles.clear()
        self.send(keys)
        for tag, (key, item) in enumerate(
            zip(keys, await self.hashed.wait(len(keys)), strict=True)
        ):
            assert item["request"]["op"]["opaque"] == tag, "order lost"
            if key:
                expected = FUNCTIONS[FUNCTION](key, seed)
                assert item["hash"] == expected, f"hash of {key!r} seed {seed:#x}"
                got = await self.passed.wait((len(key) + 7) // 8)
                assert unbeats(got, len(key)) == key and got[-1]["last"]
        await self.bench.wait(20)
        assert not self.hashed.items and not self.passed.items, "made up"
        return list(self.hashed.cycles)


def random_key(length: int) -> bytes:
    return random.randbytes(length)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def published_values(dut):
    """The self test that comes with lookup3, and its model here."""
    text = b"Four score and seven years ago"
    assert hashlittle(b"", 0) == 0xDEADBEEF
    assert hashlittle(b"", 0xDEADBEEF) == 0xBD5B7DDE
    assert hashlittle(text, 0) == 0x17770551
    assert hashlittle(text, 1) == 0xCD628161
    ends = await Ends.start(dut)
    await ends.run([text], 0)
    await ends.run([text], 1)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def all_lengths(dut):
    ends = await Ends.start(dut)
    for seed in (0, 0xFFFFFFFF, random.getrandbits(32))[: 3 if UNITS == 4 else 1]:
        lengths = list(range(0, 251))
        random.shuffle(lengths)
        await ends.run([random.randbytes(n) for n in lengths], seed)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def gaps_and_stalls(dut):
    ends = await Ends.start(dut)
    for _ in range(4):
        willing = tuple(random.choice([0.2, 0.6, 1.0]) for _ in range(4))
        lengths = [random.choice([0, 0, 1, 6, 8, 9, 12, 13, 24, 40, 250]) for _ in range(250)]
        await ends.run([random.randbytes(n) for n in lengths], random.getrandbits(32), willing)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def neither_output_needs_the_other(dut):
    """Hashes come while no key word is taken, key words while no hash is."""
    ends = await Ends.start(dut)
    for stalled, free in ((ends.passed, ends.hashed), (ends.hashed, ends.passed)):
        stalled.pace.willing = 0.0
        await ends.bench.wait(8)
        ends.send([random.randbytes(250)])
        await free.wait(1 if free is ends.hashed else 32)
        stalled.pace.willing = 1.0
        await stalled.wait(1 if stalled is ends.hashed else 32)


def unit_cycles(length: int) -> int:
    """What a unit takes for a key, from one hash to the next."""
    words, chunks = (length + 7) // 8, (length + 11) // 12
    if FUNCTION == "lookup3":
        return max(9, 6 * chunks)
    return 8 * words + 2 if FUNCTION == "multiplicative" else words + 1


async def turns(ends: Ends, lengths: list[int], count: int = 6) -> float:
    """Cycles of a turn in which the units get keys of these lengths, one each."""
    keys = [random.randbytes(n) for _ in range(count + 3) for n in lengths]
    cycles = await ends.run(keys)
    return (cycles[-1] - cycles[-1 - count * UNITS]) / count


@cocotb.test(timeout_time=9, timeout_unit="ms")
async def rate(dut):
    """An operation takes what passing its words takes, or its share of the units' time."""
    ends = await Ends.start(dut)
    for length in (1, 6, 8, 9, 12, 13, 16, 24, 25, 36, 37, 48, 49, 72, 73, 96, 120, 240, 241, 250):
        words = (length + 7) // 8
        per_op = await turns(ends, [length] * UNITS) / UNITS
        dut._log.info(f"{length} bytes: {per_op:.2f} cycles an operation")
        assert per_op == max(2, words, unit_cycles(length) / UNITS), f"{length}: {per_op}"
        if ENOUGH[FUNCTION] == UNITS:
            assert per_op <= 3 + words, f"{length} bytes: slower than the index"
    cycles = await ends.run([b""] * 100)
    assert cycles[-1] - cycles[0] <= 200, "two cycles without a key"


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def one_long_key_a_turn(dut):
    """The worst that taking turns can do: the long keys all go to one unit, and set the pace."""
    ends = await Ends.start(dut)
    passing = sum(max(2, (n + 7) // 8) for n in (250, *(UNITS - 1) * [8]))
    turn = await turns(ends, [250] + (UNITS - 1) * [8])
    dut._log.info(f"{UNITS} units, one key of 250 bytes a turn: {turn} cycles")
    assert turn == max(passing, unit_cycles(250))


LATENCIES = {
    "lookup3": {1: 18, 8: 19, 12: 20, 13: 26, 250: 140},
    "multiplicative": {1: 15, 8: 15, 9: 23, 250: 263},
    "crc": {1: 7, 8: 7, 9: 8, 250: 38},
}


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def latency(dut):
    ends = await Ends.start(dut)
    for length, expected in LATENCIES[FUNCTION].items():
        taken = ends.bench.cycle() + 4  # run() waits for three, in the next it is offered
        took = (await ends.run([random.randbytes(length)]))[0] - taken
        assert took == expected, f"{length} bytes: {took}"


@pytest.mark.parametrize("units", [1, 4, full(8), 16])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_wc_hash(function, units, monkeypatch):
    monkeypatch.setenv("WIRECACHE_HASH", function)
    monkeypatch.setenv("WIRECACHE_UNITS", str(units))
    value = int(enum("hash_e")[enumerator(function)])
    names = ["all_lengths", "gaps_and_stalls", "neither_output_needs_the_other"]
    names += ["rate", "one_long_key_a_turn", "latency"]
    if function == "lookup3":
        names.append("published_values")
    run("wc_hash", __file__, {"Function": value, "Units": units}, tests=names)
