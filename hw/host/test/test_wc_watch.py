# SPDX-License-Identifier: Apache-2.0
"""wc_watch: operations that come as densely as they can, and a host that is quick, slow or away."""

import random

import cocotb
from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, run, words

ENTRIES = 128  # and some in registers
LONGEST = structs.constant("MaxKeyBytes")
INPUTS = ("watched_i", "key_i", "take_i")
SHOWN = ("tcp", "conn", "op", "status", "value_len", "ttl")


class Port:
    def __init__(self, dut, bench):
        self.dut, self.bench = dut, bench
        self.events = dict.fromkeys(structs.field_names("watch_events_t"), 0)
        cocotb.start_soon(self._count())

    @classmethod
    async def start(cls, dut, enable=1):
        bench = await Bench.start(dut, dict.fromkeys(INPUTS, 0) | {"enable_i": enable})
        port = cls(dut, bench)
        await bench.reset()
        await bench.wait(3)
        return port

    async def _count(self):
        while True:
            await self.bench.wait(1)
            bits = structs.unpack("watch_events_t", int(self.dut.events_o.value))
            for name, happened in bits.items():
                self.events[name] += happened

    async def enable(self, on):
        self.dut.enable_i.value = on
        await self.bench.wait(5)

    async def leave(self, key, told=1, gap=None, **fields):
        """An operation: the words of its key, then itself, with the last one or behind it."""
        gap = random.choice((0, 0, 0, 1, 3)) if gap is None else gap
        pieces = words(key) if key else []
        alone = not pieces or gap
        for i, data in enumerate(pieces):
            last = i == len(pieces) - 1
            self.dut.key_i.value = structs.pack("beat_t", data=data, last=int(last))
            own = fields if last and not alone else {}
            leaves = int(last and not alone)
            await self._step(word=1, leaves=leaves, told=told & leaves, key_len=len(key), **own)
            if gap and not last:
                await self.bench.wait(random.randint(0, gap))
        if alone:
            await self._step(leaves=1, told=told, key_len=len(key), **fields)

    async def _step(self, **fields):
        self.dut.watched_i.value = structs.pack("watched_t", **fields)
        await self.bench.wait(1)
        self.dut.watched_i.value = 0
        self.dut.key_i.value = random.getrandbits(65)

    async def take(self):
        """The oldest operation: its key, and what is told of it."""
        entry = structs.unpack("watched_t", int(self.dut.entry_o.value))
        key = b""
        while len(key) < entry["key_len"]:
            assert int(self.dut.valid_o.value)
            assert structs.unpack("watched_t", int(self.dut.entry_o.value)) == entry
            key += int(self.dut.key_o.value).to_bytes(8, "little")
            self.dut.take_i.value = 1
            await self.bench.wait(1)
            self.dut.take_i.value = 0
            await self.bench.wait(4)  # as an access to a register takes
        assert not any(key[entry["key_len"] :])
        return key[: entry["key_len"]], {name: entry[name] for name in SHOWN}


def operation():
    key = random.randbytes(random.choice((1, 7, 8, 9, 16, 31, LONGEST, random.randint(1, LONGEST))))
    bits = {"op": 4, "status": 5, "value_len": 21, "ttl": 32, "conn": 16, "tcp": 1}
    return key, {name: random.getrandbits(width) for name, width in bits.items()}


@cocotb.test()
async def each_is_told(dut):
    """In order, with its key, whatever its size; what is not to be told, or has no key, is not."""
    port = await Port.start(dut)
    await port.leave(b"the first one is not followed from its beginning")
    expected = []
    for _ in range(300):
        key, fields = operation()
        kind = random.random()
        if kind < 0.2:
            await port.leave(key, told=0, **fields)  # over TCP, one that comes again
        elif kind < 0.3:
            await port.leave(b"", told=0)
        else:
            await port.leave(key, **fields)
            expected.append((key, fields))
        while len(expected) > random.choice((0, 3)):
            await port.bench.wait(6)
            assert await port.take() == expected.pop(0)
    await port.bench.wait(6)
    while expected:
        assert await port.take() == expected.pop(0)
    await port.bench.wait(6)
    assert not int(dut.valid_o.value)
    assert port.events["lost"] == 0 and port.events["kept"] > 150


@cocotb.test()
@cocotb.parametrize(size=[1, 8, 16, 250])
async def a_flood(dut, size):
    """One behind the other without a host: what has room is kept whole, the rest is counted."""
    port = await Port.start(dut)
    await port.leave(b"x", told=0)
    sent = []
    for i in range(400):
        key = i.to_bytes(2) * (size // 2) if size > 1 else bytes([i % 251 + 1])
        sent.append((key, i))
        await port.leave(key, gap=0, value_len=i)
    await port.bench.wait(10)
    kept, lost = port.events["kept"], port.events["lost"]
    assert kept + lost == len(sent)
    assert kept >= min(ENTRIES, 512 // -(-size // 8)) and lost > 0
    for key, i in sent[:kept]:
        got, fields = await port.take()
        assert got == key and fields["value_len"] == i
    assert not int(dut.valid_o.value)
    key, fields = operation()
    await port.leave(key, **fields)  # there is room again
    await port.bench.wait(8)
    assert await port.take() == (key, fields)


@cocotb.test()
async def a_slow_host(dut):
    """Whatever is lost is lost whole."""
    port = await Port.start(dut)
    await port.leave(b"x", told=0)
    sent, got, done = [], [], False

    async def host():
        while not done or int(dut.valid_o.value):
            if int(dut.valid_o.value):
                got.append(await port.take())
            await port.bench.wait(random.choice((1, 1, 40)))

    task = cocotb.start_soon(host())
    for _ in range(3000):
        key, fields = operation()
        sent.append((key, fields))
        await port.leave(key, gap=0, **fields)
    await port.bench.wait(10)
    done = True
    await task
    assert port.events["kept"] == len(got) and port.events["lost"] == len(sent) - len(got) > 100
    behind = iter(sent)
    assert all(one in behind for one in got), "out of order, or not as it was sent"


@cocotb.test()
async def on_and_off(dut):
    """What was kept is forgotten; of an operation in hand nothing is told."""
    port = await Port.start(dut, enable=0)
    for turn in range(40):
        for _ in range(3):
            key, fields = operation()
            await port.leave(key, **fields)
        assert not int(dut.valid_o.value)
        before = dict(port.events)
        words_of = words(b"one whose key comes while it is switched on")
        at = random.randrange(len(words_of))
        for i, data in enumerate(words_of):
            if i == at:
                await port.enable(1)
            last = int(i == len(words_of) - 1)
            dut.key_i.value = structs.pack("beat_t", data=data, last=last)
            await port._step(word=1, leaves=last, told=last, key_len=8 * len(words_of))
        await port.bench.wait(8)
        assert not int(dut.valid_o.value) and port.events == before
        kept = [operation() for _ in range(3)]
        for key, fields in kept:
            await port.leave(key, **fields)
        await port.bench.wait(8)
        for one in kept[: turn % 4]:
            assert await port.take() == one
        if turn % 4 < 3 and random.getrandbits(1):
            dut.take_i.value = 1  # a piece of one
            await port.bench.wait(1)
            dut.take_i.value = 0
        await port.enable(0)
        await port.bench.wait(8)
        assert not int(dut.valid_o.value)


def test_wc_watch():
    run("wc_watch", __file__)
