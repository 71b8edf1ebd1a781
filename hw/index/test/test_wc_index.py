# SPDX-License-Identifier: Apache-2.0
"""wc_index against the model: every branch of the decision, all key lengths, hazards, queues that
run empty or full, memory of any latency, and the cycles an operation may take."""

import random

import cocotb
import pytest
from index_bench import IndexBench, random_keys, random_op
from index_model import OP, STATUS
from wirecache.bench import run


async def mix(bench: IndexBench, count: int, phases: int, key_count: int) -> None:
    keys, hash_of = random_keys(key_count, int(bench.dut.MaxKey.value))
    for _ in range(phases):
        for _ in range(count):
            random_op(bench, keys, hash_of)
        await bench.check()
        bench.recycle()
        await bench.set_time(bench.model.time + random.choice([0, 1, 1, 2, 5]))


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def mixed(dut):
    bench = await IndexBench.start(dut, bucket_bits=1)
    bench.give_blocks(10, 10, 4)
    await mix(bench, 120, 8, 44)
    assert all(bench.events[name] for name in bench.model.events), bench.events


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def mixed_with_stalls(dut):
    options = {"willing": 0.6, "bus": 0.6, "deleted": 0.2, "read": (2, 200), "write": (2, 200)}
    bench = await IndexBench.start(dut, bucket_bits=2, **options)
    bench.give_blocks(20, 12, 4)
    await mix(bench, 120, 5, 60)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def outputs_stall(dut):
    options = {"results": 0.3, "keys": 0.15, "deleted": 0.02, "read": (5, 5), "write": (3, 3)}
    bench = await IndexBench.start(dut, bucket_bits=2, **options)
    bench.give_blocks(20, 12, 4)
    await mix(bench, 120, 3, 60)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def starved(dut):
    """Free blocks come in drops."""
    bench = await IndexBench.start(dut, bucket_bits=2, free=0.02)
    bench.give_blocks(6, 6, 2)
    await mix(bench, 120, 4, 40)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def all_key_lengths(dut):
    """A key of each length is found among others of its own length, and alone by itself."""
    bench = await IndexBench.start(dut, bucket_bits=3)
    bench.give_blocks(3)
    longest = int(dut.MaxKey.value)
    for length in range(1, longest + 1):
        key = random.randbytes(length)
        near = key[:-1] + bytes([key[-1] ^ 0x80])
        far = bytes([key[0] ^ 1]) + key[1:]
        longer = (key + b"\0")[:longest]
        hash_ = random.getrandbits(32)
        for kind, which in (
            (OP.OpSet, key), (OP.OpGet, key), (OP.OpGet, near), (OP.OpGet, far), (OP.OpGet, longer),
            (OP.OpSet, near), (OP.OpGet, near), (OP.OpGet, key), (OP.OpDelete, key),
            (OP.OpGet, key), (OP.OpGet, near), (OP.OpDelete, near),
        ):  # fmt: skip
            with_key = int(kind == OP.OpGet)
            bench.send(kind, which, hash_, value_len=5, flags=length, with_key=with_key)
        if length % 50 == 0 or length == longest:
            await bench.check()
            bench.recycle()
    await bench.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def hot_key(dut):
    """One key read and written all the time: each GET sees the SET before it."""
    bench = await IndexBench.start(dut, bucket_bits=2, read=(10, 120), write=(10, 120))
    bench.give_blocks(8)
    keys, hash_of = random_keys(2, min(16, int(dut.MaxKey.value)))
    for _ in range(150):
        kind = random.choice([OP.OpGet, OP.OpGet, OP.OpSet, OP.OpDelete])
        key = random.choice(keys[:2])
        fields = {"value_len": 1, "flags": random.getrandbits(32)} if kind == OP.OpSet else {}
        bench.send(kind, key, hash_of[keys[0]], **fields)
    await bench.check()
    assert bench.events["stall"] > 1000


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def outputs_are_independent(dut):
    """Results come while no key word is taken, and key words while no result is."""
    bench = await IndexBench.start(dut)
    for late, early in ((bench.keys, bench.results), (bench.results, bench.keys)):
        late.pace.willing = 0.0
        for i in range(8):
            bench.send(OP.OpGet, random.randbytes(64), i, with_key=1)
        while len(early.items) < (8 if early is bench.results else 64):
            await bench.bench.wait(1)
        late.pace.willing = 1.0
        await bench.check()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def deleted_is_full(dut):
    """With nobody at the deleted queue all waits, and nothing is lost."""
    bench = await IndexBench.start(dut)
    bench.give_blocks(40)
    keys = [bytes([i, i]) for i in range(40)]
    bench.deleted.pace.willing = 0.0
    for i, key in enumerate(keys[:32]):
        bench.send(OP.OpSet, key, i)
    for i, key in enumerate(keys[:32]):
        bench.send(OP.OpDelete, key, i)
    await bench.bench.wait(3000)
    assert len(bench.results.items) < 64
    bench.deleted.pace.willing = 1.0
    await bench.check()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def cas_counts_like_memcached(dut):
    """Numbers as memcached 1.6.18 gives them out to the same requests."""
    bench = await IndexBench.start(dut)
    bench.give_blocks(8)
    model = bench.model

    async def one(kind, key=b"", **fields):
        bench.send(kind, key, 3, **fields)
        return (await bench.check())[0]

    assert (await one(OP.OpSet, b"a"))["cas"] == 1
    await one(OP.OpDelete, b"nope")
    assert (await one(OP.OpSet, b"b"))["cas"] == 2
    await one(OP.OpDelete, b"b")
    assert (await one(OP.OpSet, b"b"))["cas"] == 3
    assert (await one(OP.OpSet, b"a", cas=999))["op"]["status"] == STATUS.StExists
    assert (await one(OP.OpSet, b"zz", cas=999))["op"]["status"] == STATUS.StNotFound
    assert (await one(OP.OpSet, b"b"))["cas"] == 4
    await one(OP.OpFlush)
    assert (await one(OP.OpGet, b"b"))["op"]["status"] == STATUS.StNotFound
    assert (await one(OP.OpSet, b"c"))["cas"] == 6
    assert (await one(OP.OpSet, b"c", value_len=1 << 20))["op"]["status"] == STATUS.StNoMemory
    assert (await one(OP.OpGet, b"c"))["op"]["status"] == STATUS.StNotFound
    assert (await one(OP.OpSet, b"d"))["cas"] == 7
    await one(OP.OpFlush, expiry=model.time + 3)
    assert (await one(OP.OpSet, b"e"))["cas"] == 8
    assert (await one(OP.OpSet, b"e", expiry=1))["cas"] == 9
    assert (await one(OP.OpSet, b"e", cas=9))["op"]["status"] == STATUS.StNotFound
    await bench.set_time(model.time + 3)
    assert (await one(OP.OpGet, b"d"))["op"]["status"] == STATUS.StNotFound
    assert (await one(OP.OpSet, b"d"))["cas"] == 10


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def flush_takes_effect_once(dut):
    """Operations around a flush, and around the second for which one was announced."""
    bench = await IndexBench.start(dut, bucket_bits=2, read=(30, 30))
    bench.give_blocks(8)
    for round_ in range(12):
        for gap in range(4):
            bench.send(OP.OpSet, b"x", 1)
            bench.send(OP.OpSet, b"y", 2)
            for _ in range(gap):
                bench.send(OP.OpNone)
            bench.send(OP.OpFlush)
            for _ in range(round_ % 3):
                bench.send(OP.OpNone)
            bench.send(OP.OpGet, b"x", 1)
            bench.send(OP.OpGet, b"y", 2)
    await bench.check()
    bench.send(OP.OpSet, b"x", 1)
    bench.send(OP.OpFlush, expiry=bench.model.time + 1)
    await bench.check()
    for _ in range(300):
        bench.hashed.send({"request": {"op": {"op": OP.OpGet, "key_len": 1}}, "hash": 1})
        bench.words.send({"data": ord("x"), "last": 1})
    await bench.bench.wait(500)
    bench.dut.time_i.value = bench.model.time + 1
    hits = [r["op"]["status"] == STATUS.StOk for r in await bench.results.wait(300)]
    assert hits[0] and not hits[-1] and hits == sorted(hits, reverse=True)
    assert hits.index(False) > 100


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def rate(dut):
    """Cycles an operation: the lines it reads, whatever the latency of memory."""
    bench = await IndexBench.start(dut, bucket_bits=16, read=(120, 120), write=(20, 20))
    bench.give_blocks(2000)
    memory = bench.memory

    async def cycles(count, make):
        bench.results.cycles.clear()
        for i in range(count):
            make(i)
        await bench.check()
        at = list(bench.results.cycles)
        return (at[-1] - at[count // 4]) / (count - 1 - count // 4)

    for latency in (10, 120, 200):
        memory.read = (latency, latency)
        for length in (1, 8, 9, 16, 64, 250):
            key = random.randbytes(length)
            got = await cycles(
                120 if length < 20 else 40,
                lambda i, key=key: bench.send(OP.OpGet, key, i, with_key=i & 1),
            )
            dut._log.info(f"GET {length} bytes, memory {latency}: {got:.2f} cycles")
            assert got <= 3 + -(-length // 8), f"GET of {length} bytes: {got}"
    for latency, limit in ((10, 4), (30, 4), (120, 9)):
        memory.read = memory.write = (latency, latency)
        keys = [random.randbytes(8) for _ in range(120)]
        got = await cycles(
            120,
            lambda i, keys=keys, latency=latency: bench.send(OP.OpSet, keys[i], i + 256 * latency),
        )
        dut._log.info(f"SET 8 bytes, memory {latency}: {got:.2f} cycles")
        assert got <= limit, f"SET with memory of {latency}: {got}"
    memory.read = memory.write = (10, 10)
    for length in (64, 250):
        key = random.randbytes(length)
        got = await cycles(40, lambda i, key=key: bench.send(OP.OpSet, key, i + 50000))
        dut._log.info(f"SET {length} bytes: {got:.2f} cycles")
        assert got <= 3 + -(-length // 8)
    for kind in (OP.OpNone, OP.OpFlush):
        got = await cycles(200, lambda i, kind=kind: bench.send(kind))
        dut._log.info(f"{kind.name}: {got:.2f} cycles")
        assert got <= 2
    assert memory.most_reads >= 32


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def latency(dut):
    bench = await IndexBench.start(dut, read=(1, 1))
    start = bench.bench.cycle()
    bench.send(OP.OpGet, b"k", 0)
    await bench.check()
    took = bench.results.cycles[-1] - start
    dut._log.info(f"GET that misses, memory of one cycle: {took} cycles")
    assert took <= 28


ALL = [
    "mixed", "mixed_with_stalls", "outputs_stall", "starved", "all_key_lengths", "hot_key",
    "outputs_are_independent", "deleted_is_full", "cas_counts_like_memcached",
    "flush_takes_effect_once", "rate", "latency",
]  # fmt: skip


def test_wc_index():
    run("wc_index", __file__, tests=ALL)


@pytest.mark.parametrize("slots,max_key", [(4, 250), (16, 40), (8, 13)])
def test_wc_index_shapes(slots, max_key):
    run(
        "wc_index",
        __file__,
        {"Slots": slots, "MaxKey": max_key, "MaxBucketBits": 12, "InFlight": 8},
        tests=["mixed", "mixed_with_stalls", "hot_key", "all_key_lengths"],
    )
