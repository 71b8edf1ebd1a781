# SPDX-License-Identifier: Apache-2.0
"""wc_index against the model: every branch of the decision, all key lengths, hazards, queues that
run empty or full, memory of any latency, and the cycles an operation may take."""

import random
from pathlib import Path

import cocotb
import pytest
from index_bench import IndexBench, alike_keys, random_keys, random_op
from index_model import OP, PAST, STATUS, TOUCHES
from wirecache.testbench.bench import full, run


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
    assert not bench.events["failed"]


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
            key_words = int(kind == OP.OpGet)
            bench.send(kind, which, hash_, value_len=5, flags=length, key_words=key_words)
        if length % 50 == 0 or length == longest:
            await bench.check()
            bench.recycle()
    await bench.settle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def hot_key(dut):
    """One key read and written all the time, and another of its bucket: each GET sees the SET
    before it."""
    bench = await IndexBench.start(dut, bucket_bits=2, read=(10, 120), write=(10, 120))
    bench.give_blocks(8)
    keys, hash_of = random_keys(2, min(16, int(dut.MaxKey.value)))
    for _ in range(150):
        kind = random.choice([OP.OpGet, OP.OpGet, OP.OpSet, OP.OpDelete, *TOUCHES])
        key = random.choice(keys[:2])
        fields = {"value_len": 1, "flags": random.getrandbits(32)} if kind == OP.OpSet else {}
        bench.send(kind, key, hash_of[keys[0]], **fields)
    await bench.check()
    assert bench.events["stall"] > 500 and bench.events["forward"] > 50


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def touches(dut):
    """SET, TOUCH, GAT and GET of a key right behind each other, each of the next forwarded or from
    memory: all that is not the expiry stays, and the item lives as long as the last one said."""
    bench = await IndexBench.start(dut, bucket_bits=2, read=(10, 60), write=(10, 120))
    bench.give_blocks(60, 20)
    keys, hash_of = random_keys(8, int(dut.MaxKey.value))
    live = {True: 0, False: 0}
    for _ in range(12):
        now = bench.model.time
        for key in keys:
            ends = [0, 0, PAST, now - 1, now, now + 1, now + 2, now + 1000]
            fields = {"value_len": random.choice([0, 5, 64, 200]), "flags": random.getrandbits(32)}
            bench.send(OP.OpSet, key, hash_of[key], expiry=random.choice(ends), **fields)
            for _ in range(random.randint(0, 3)):
                kind = random.choice([*TOUCHES, *TOUCHES, OP.OpGet, OP.OpDelete])
                key_words = int(kind == OP.OpGat and random.random() < 0.5)
                expiry = random.choice(ends) if kind in TOUCHES else 0
                bench.send(kind, key, hash_of[key], expiry=expiry, key_words=key_words)
            if random.random() < 0.5:
                bench.send(OP.OpGet, key, hash_of[key])
        await bench.check()
        await bench.set_time(now + random.choice([0, 1, 2]))
        for key in keys:
            bench.send(random.choice([OP.OpGet, *TOUCHES]), key, hash_of[key])
        for result in await bench.check():
            live[result["op"]["status"] == STATUS.StOk] += 1
        bench.recycle()
    assert min(live.values()) > 5, live
    assert bench.events["forward"] > 50 and bench.events["touch_hit"] < bench.events["touch"]


async def hot_bucket(dut, count, **options):
    """A few keys of one bucket, most operations on one of them, with all that can happen to them:
    expiry and flush in between, CAS, SETs that fail, blocks that run out, memory of any latency."""
    bench = await IndexBench.start(dut, bucket_bits=0, **options)
    bench.give_blocks(random.randint(2, 6), random.randint(1, 4), random.randint(0, 2))
    for _ in range(6):
        bench.memory.read, bench.memory.write = random.choice(
            [((10, 10), (200, 200)), ((10, 60), (10, 60)), ((1, 200), (1, 200)), ((60, 60), (5, 5))]
        )
        keys, hash_of = alike_keys(random.choice([3, 8, 24]), int(dut.MaxKey.value))
        hot = keys[:1] * random.choice([0, 6, 40])
        for phase in range(4):
            for _ in range(count):
                random_op(bench, [*keys, *hot], hash_of)
            await bench.check()
            if phase % 2:
                bench.recycle()
            await bench.set_time(bench.model.time + random.choice([0, 1, 1, 2, 5]))
    assert bench.events["forward"] > 2 * count and bench.events["reclaim"] > 0


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def hot_bucket_of_any_memory(dut):
    await hot_bucket(dut, 50)


@cocotb.test(timeout_time=4, timeout_unit="ms")
async def hot_bucket_with_stalls(dut):
    await hot_bucket(dut, 25, willing=0.7, bus=0.7, deleted=0.1, torn=False)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def half_written_keys(dut):
    """A slot with half of the old key and half of the new one does not match a key of both."""
    bench = await IndexBench.start(dut, bucket_bits=0, read=(1, 60), write=(1, 60))
    bench.give_blocks(4)
    a, b, c, d = (random.randbytes(8) for _ in range(4))
    for _ in range(12):
        for _ in range(10):
            bench.send(OP.OpSet, c + d, 0, expiry=bench.model.time - 1)
            bench.send(OP.OpSet, a + b, 0)
            for _ in range(6):
                bench.send(OP.OpGet, a + d, 0)
            bench.send(OP.OpDelete, a + b, 0)
            for _ in range(3):
                bench.send(OP.OpGet, a + d, 0)
        await bench.check()
        bench.recycle()
    assert bench.events["forward"] > 200


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def sweeps(dut):
    """Writes free what has expired or was flushed, SETs take its blocks first, and GETs let it lie;
    the blocks that are left come back in the order of slots."""
    bench = await IndexBench.start(dut, bucket_bits=0)
    many = bench.slots
    for ending in ("expiry", "flush"):
        for last in ("set", "larger", "fitting", "get", "delete", "fails", "cas", "touch", "gat"):
            bench.give_blocks(*((many, 1, 0) if not bench.blocks else (0, 0, 0)))
            expiry = bench.model.time + 1 if ending == "expiry" else 0
            for i in range(many):
                length = 65 if last == "fitting" and i == many - 1 else 1
                bench.send(OP.OpSet, bytes([i]), 0, value_len=length, expiry=expiry if i else 0)
            await bench.check()
            swept = bench.events["reclaim"]
            if ending == "flush":
                bench.send(OP.OpFlush)
            await bench.set_time(bench.model.time + 1)
            match last:
                case "set":
                    bench.send(OP.OpSet, b"new", 0, value_len=64)
                case "larger" | "fitting":
                    bench.send(OP.OpSet, b"new", 0, value_len=65)
                case "get":
                    bench.send(OP.OpGet, bytes([many - 1]), 0)
                case "delete":
                    bench.send(OP.OpDelete, bytes([many - 1]), 0)
                case "fails":
                    bench.send(OP.OpSet, b"new", 0, value_len=1 << 20)
                case "cas":
                    bench.send(OP.OpSet, b"new", 0, value_len=1, cas=77)
                case "touch" | "gat":
                    kind = OP.OpTouch if last == "touch" else OP.OpGat
                    bench.send(kind, bytes([0]), 0, expiry=bench.model.time + 9)
            await bench.check()
            dead = many - (ending == "expiry")
            swept = bench.events["reclaim"] - swept
            assert swept == {"get": 0, "set": dead - 1, "fitting": dead - 1}.get(last, dead)
            for key in [bytes([i]) for i in range(many)] + [b"new"]:
                bench.send(OP.OpDelete, key, 0)
            await bench.check()
            bench.recycle()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def outputs_are_independent(dut):
    """Results come while no key word is taken, and key words while no result is."""
    bench = await IndexBench.start(dut)
    for stalled, free in ((bench.keys, bench.results), (bench.results, bench.keys)):
        stalled.pace.willing = 0.0
        for i in range(8):
            bench.send(OP.OpGet, random.randbytes(64), i, key_words=1)
        while len(free.items) < (8 if free is bench.results else 64):
            await bench.bench.wait(1)
        stalled.pace.willing = 1.0
        await bench.check()


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def deleted_is_full(dut):
    """With nobody at the deleted queue nothing waits: GETs, TOUCHes and GATs are answered as ever,
    DELETEs delete, SETs that need no block back store. When somebody comes, no block is lost."""
    bench = await IndexBench.start(dut)
    bench.give_blocks(80, 40)
    keys = [bytes([i, i]) for i in range(40)]
    bench.deleted.pace.willing = 0.0

    async def all_at_once(kind, keys, **fields):
        """Each answered, with nobody at the deleted queue."""
        for key in keys:
            bench.send(kind, key, key[0], **fields)
        for _ in range(30 * len(keys) + 300):
            if len(bench.results.items) == len(keys):
                break
            await bench.bench.wait(1)
        assert len(bench.results.items) == len(keys), "it waits"
        statuses = [STATUS(r["op"]["status"]).name for r in bench.results.items]
        bench.deleted_waits = True
        await bench.check()
        return set(statuses)

    assert await all_at_once(OP.OpSet, keys[:24], value_len=64) == {"StOk"}
    assert await all_at_once(OP.OpDelete, keys[:16]) == {"StOk"}
    assert bench.events["blocked"] > 0
    assert await all_at_once(OP.OpGet, keys[:16]) == {"StNotFound"}
    assert await all_at_once(OP.OpGet, keys[16:24]) == {"StOk"}
    for kind in TOUCHES:
        assert await all_at_once(kind, keys[:16], expiry=0) == {"StNotFound"}
        assert await all_at_once(kind, keys[16:20], expiry=PAST) == {"StOk"}
        assert await all_at_once(kind, keys[16:20]) == {"StNotFound"}
        assert await all_at_once(OP.OpSet, keys[16:20], value_len=64) == {"StOk"}
    assert await all_at_once(OP.OpSet, keys[16:24], value_len=64) == {"StOk"}, "its own block"
    assert await all_at_once(OP.OpSet, keys[16:24], value_len=65) == {"StNoMemory"}, "a larger one"
    assert await all_at_once(OP.OpGet, keys[16:24]) == {"StNotFound"}
    await all_at_once(OP.OpSet, keys, value_len=100)
    for _ in range(3):
        await mix(bench, 40, 8, 44)
    bench.deleted_waits = False
    bench.deleted.pace.willing = 1.0
    await mix(bench, 120, 8, 44)


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
    assert (await one(OP.OpTouch, b"d"))["cas"] == (await one(OP.OpGat, b"d"))["cas"] == 10
    assert (await one(OP.OpSet, b"d", cas=10))["cas"] == 11


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
async def flush_meets_any_stage(dut):
    """A GET right behind a flush, with the SET it is about long in memory, or still in flight."""
    bench = await IndexBench.start(dut, bucket_bits=2, read=(30, 30), write=(3, 3))
    bench.give_blocks(100)
    for settled in (70, 40, 8, 0):
        for gap in range(4):
            for words in (1, 2):
                key = b"x" * 8 * words
                bench.send(OP.OpSet, key, 1)
                for _ in range(settled):
                    bench.send(OP.OpGet, b"z", 2)
                bench.send(OP.OpFlush)
                for _ in range(gap):
                    bench.send(OP.OpNone)
                bench.send(OP.OpGet, key, 1)
                bench.send(OP.OpSet, key, 1)
                bench.send(OP.OpGet, key, 1)
    await bench.check()
    assert not bench.events["set_no_block"] and bench.events["forward"] > 50


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def clear_waits_for_what_is_in_flight(dut):
    """SETs that are on their way to memory when a clear is asked for are written before it."""
    bench = await IndexBench.start(dut, bucket_bits=2, read=(20, 40), write=(60, 200))
    for _ in range(20):
        bench.give_blocks(20)
        expected = []
        for i in range(random.randrange(1, 20)):
            bench.send(OP.OpSet, b"k%d" % i * random.randrange(1, 4), i, value_len=1)
            expected.append(bench.model.run(*bench.sent.popleft())["op"]["status"])
        while not (bench.hashed.idle and bench.words.idle):
            await bench.bench.wait(1)
        await bench.bench.wait(random.randrange(30))  # the last of them is sent off, or is not
        await bench.clear()
        results = await bench.results.wait(len(expected))
        assert [result["op"]["status"] for result in results] == expected
        await bench.bench.wait(10)
        bench.check_table()


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
                lambda i, key=key: bench.send(OP.OpGet, key, i, key_words=i & 1),
            )
            dut._log.info(f"GET {length} bytes, memory {latency}: {got:.2f} cycles")
            assert got <= 3 + -(-length // 8), f"GET of {length} bytes: {got}"
    for latency, limit in ((10, 4), (30, 4), (100, 4), (120, 4.3)):
        memory.read = memory.write = (latency, latency)
        keys = [random.randbytes(8) for _ in range(120)]
        got = await cycles(
            120,
            lambda i, keys=keys, latency=latency: bench.send(OP.OpSet, keys[i], i + 256 * latency),
        )
        dut._log.info(f"SET 8 bytes, memory {latency}: {got:.2f} cycles")
        assert got <= limit, f"SET with memory of {latency}: {got}"
    for latency in (10, 60, 200):
        memory.read = memory.write = (latency, latency)
        for length in (8, 16, 64, 250) if latency == 60 else (8,):
            key = random.randbytes(length)
            got = await cycles(
                200 if length == 8 else 60,
                lambda i, key=key: bench.send(OP.OpSet if i & 1 else OP.OpGet, key, 1),
            )
            dut._log.info(f"hot key of {length} bytes, memory {latency}: {got:.2f} cycles")
            assert got <= 3.1 + -(-length // 8), f"hot key of {length} bytes, {latency}: {got}"
    memory.read = memory.write = (10, 10)
    for length in (64, 250):
        key = random.randbytes(length)
        got = await cycles(40, lambda i, key=key: bench.send(OP.OpSet, key, i + 50000))
        dut._log.info(f"SET {length} bytes: {got:.2f} cycles")
        assert got <= 3 + -(-length // 8)
    for kind in TOUCHES:
        got = await cycles(120, lambda i, kind=kind: bench.send(kind, b"12345678", i % 3))
        dut._log.info(f"{kind.name} 8 bytes: {got:.2f} cycles")
        assert got <= 4
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


async def after_clear(bench: IndexBench) -> None:
    """Clears the table; its blocks are forgotten."""
    bench.blocks -= set(bench.model.pointers())
    await bench.clear()


@cocotb.test(timeout_time=6, timeout_unit="ms")
async def read_errors(dut):
    """What reads a line in error touches nothing: no slot, no block, nothing in flight."""
    options = {"read": (5, 80), "write": (5, 80), "willing": random.choice([1.0, 0.7])}
    bench = await IndexBench.start(dut, bucket_bits=1, **options)
    bench.give_blocks(10, 10, 4)
    for rate in (0.01, 0.1, 0.5, 0.0):
        bench.read_errors = rate
        failed = bench.events["failed"]
        await mix(bench, 100, 5, random.choice([3, 44]))
        assert (bench.events["failed"] > failed) == (rate > 0)
    await hot_keys_of_one_bucket(bench, 0.05, 0.0)


async def hot_keys_of_one_bucket(bench, read_errors, write_errors):
    """Chains of writes in flight with errors in between, flushed and expired while they are."""
    bench.read_errors, bench.write_errors = read_errors, write_errors
    keys, _ = alike_keys(3, int(bench.dut.MaxKey.value))
    hash_of = dict.fromkeys(keys, 1)
    for _ in range(6):
        for _ in range(60):
            random_op(bench, [*keys, *keys[:1] * 6], hash_of)
            if random.random() < 0.1:
                bench.send(OP.OpFlush)
        await bench.check()
        bench.recycle()
        await bench.set_time(bench.model.time + random.choice([0, 1, 2]))


@cocotb.test(timeout_time=6, timeout_unit="ms")
async def write_errors(dut):
    """A bucket that could not be written is not believed again, whoever comes right behind, until
    the table is cleared; with more of them than the list holds no bucket is."""
    options = {"read": (1, 60), "write": (1, 60), "torn": random.choice([True, False])}
    bench = await IndexBench.start(dut, bucket_bits=4, **options)
    for clears in range(6):
        bench.give_blocks(60, 40, 10)
        bench.read_errors = random.choice([0.0, 0.01])
        bench.write_errors = 0.0 if clears == 5 else random.choice([0.01, 0.03])
        await mix(bench, 100, 4, 60)
        if clears % 2:
            await hot_keys_of_one_bucket(bench, 0.0, bench.write_errors)
        bench.write_errors = 0.0
        await mix(bench, 60, 2, 60)
        bench.write_errors = 0.05 if clears == 2 else 0.0
        await after_clear(bench)
    assert bench.events["failed"] > 50


@cocotb.test(timeout_time=6, timeout_unit="ms")
async def all_buckets_retired(dut):
    """There is no room for another bucket: nothing is found any more. After a clear all is well."""
    bench = await IndexBench.start(dut, bucket_bits=4)
    bench.give_blocks(40)
    bench.write_errors = 1.0
    for i in range(12):
        bench.send(OP.OpSet, b"k%d" % i, i, value_len=1)
    await bench.check()
    assert bench.all_retired
    bench.write_errors = 0.0
    for i in range(32):
        bench.send(OP.OpGet, b"k%d" % i, i)
        bench.send(OP.OpSet, b"k%d" % i, i, value_len=1)
    results = await bench.check()
    assert {r["op"]["status"] for r in results} == {STATUS.StNotFound, STATUS.StMemory}
    bench.send(OP.OpTouch, b"k0", 0)
    bench.send(OP.OpGat, b"k0", 0)
    touch, gat = await bench.check()
    assert touch["op"]["status"] == STATUS.StMemory and gat["op"]["status"] == STATUS.StNotFound
    await after_clear(bench)
    bench.give_blocks(40)
    await mix(bench, 100, 2, 44)
    assert not bench.retired and not bench.all_retired


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def flushed_while_nothing_goes_back(dut):
    """A DELETE that may give no block back finds its item flushed and leaves it: a GET that is
    forwarded to that DELETE finds none."""
    bench = await IndexBench.start(dut, bucket_bits=2, read=(30, 30), write=(200, 200))
    bench.give_blocks(80)
    bench.deleted.pace.willing = 0.0
    bench.deleted_waits = True
    keys = [bytes([i, i]) for i in range(24)]
    for kind in (OP.OpSet, OP.OpDelete):
        for key in keys:
            bench.send(kind, key, key[0], value_len=64)
        await bench.check()
    assert bench.events["blocked"] > 0
    for _ in range(4):
        bench.send(OP.OpSet, keys[23], keys[23][0], value_len=64)
        bench.send(OP.OpFlush)
        bench.send(OP.OpDelete, keys[23], keys[23][0])
        bench.send(OP.OpGet, keys[23], keys[23][0])
    await bench.check()
    assert bench.events["forward"] > 3


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def reset_under_load(dut):
    """A reset at any time, with memory going on: nothing that it still answers is taken for
    something else, bursts that had begun are ended, and the index works as after the first."""
    options = {"read": (150, 400), "write": (5, 400), "bus": random.choice([1.0, 0.4])}
    bench = await IndexBench.start(dut, bucket_bits=1, **options)
    keys, hash_of = random_keys(20, int(dut.MaxKey.value))
    for _ in range(12):
        bench.give_blocks(10, 10, 4)
        for _ in range(random.randint(1, 24)):
            random_op(bench, keys, hash_of)
        while not (bench.hashed.idle and bench.words.idle):
            await bench.bench.wait(1)
        await bench.bench.wait(random.randint(0, 300))
        await bench.reset(random.choice([1, 2, 20]))
        bench.send(OP.OpGet, b"after", 1)
        await mix(bench, 20, 1, 12)
    assert bench.memory.most_reads > 4


ALL = [
    "mixed", "mixed_with_stalls", "outputs_stall", "starved", "all_key_lengths", "hot_key",
    "touches",
    "hot_bucket_of_any_memory", "hot_bucket_with_stalls", "half_written_keys", "sweeps",
    "outputs_are_independent",
    "deleted_is_full", "cas_counts_like_memcached", "flush_takes_effect_once",
    "flush_meets_any_stage", "rate", "latency", "read_errors", "write_errors",
    "all_buckets_retired", "flushed_while_nothing_goes_back",
]  # fmt: skip


HERE = Path(__file__).parent


def test_wc_index_edge():
    tests = ["reset_under_load", "mixed_with_stalls"]
    sources = [HERE / "wc_index_edge_tb.sv"]
    run("wc_index_edge_tb", __file__, extra_sources=sources, core="core", tests=tests)


def test_wc_index():
    run("wc_index", __file__, tests=ALL)


@pytest.mark.parametrize(
    "slots,max_key,bits,in_flight",
    [(4, 250, 24, 8), full(16, 64, 10, 32), full(8, 168, 16, 128), (8, 13, 4, 2)],
)
def test_wc_index_shapes(slots, max_key, bits, in_flight):
    run(
        "wc_index",
        __file__,
        {"Slots": slots, "MaxKey": max_key, "MaxBucketBits": bits, "InFlight": in_flight},
        tests=["mixed", "hot_key", "touches", "hot_bucket_of_any_memory", "sweeps"]
        + ["read_errors", "write_errors", "all_buckets_retired"]
        + ["all_key_lengths"] * (max_key < 250),
    )
