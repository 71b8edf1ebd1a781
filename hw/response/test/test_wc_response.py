# SPDX-License-Identifier: Apache-2.0
"""The response as a whole: wc_answer_size, the bench in the store's place, wc_answer.

Every message's bytes are those of memcached and as many as message_t said; every stream is slowed
on its own; the cycles of the common answers are counted.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import cocotb
import pytest
import response_traffic as traffic
from cocotb.triggers import RisingEdge
from response_model import (
    BESIDE,
    DELETE,
    FOREVER,
    GET,
    GETK,
    INCR,
    META_AROUND,
    NO_LIMIT,
    NOOP,
    OP,
    OPAQUE_BYTES,
    QUIET_OF,
    READS,
    SAY,
    SET,
    SHOWN_BY,
    STATUS,
    STORES,
    TOUCH,
    VERSION,
    Item,
    Limit,
    Turn,
    answer,
    message,
    settled,
    silenced,
    version_bits,
)
from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, beats, full, rounds, run
from wirecache.testbench.cycle import value_of

HERE = Path(__file__).parent
INPUTS = ("result", "key", "opaque", "done", "done_key", "done_opaque", "value")
OUTPUTS = ("sized", "sized_key", "sized_opaque", "message", "word")
STREAMS = (*INPUTS, *OUTPUTS)
STRUCTS = {"result": "result_t", "done": "result_t", "sized": "result_t", "message": "message_t"}
VERSION_BYTES = structs.constant("VersionBytes")
ANSWER_SHOWS_KEY = (STATUS.StOk, STATUS.StNotFound)


def opaque_words(text: bytes) -> list[dict[str, int]]:
    """What came with O, as opaque_word_t: one word or more."""
    starts = range(0, max(len(text), 1), 8)
    parts = [text[start : start + 8] for start in starts]
    return [
        {
            "data": int.from_bytes(part, "little"),
            "bytes": len(part),
            "last": int(start == starts[-1]),
        }
        for start, part in zip(starts, parts, strict=True)
    ]


class Response:
    """The two modules, and a store that knows every value."""

    def __init__(self, bench: Bench, willing: dict[str, float]) -> None:
        self.bench = bench
        beat_streams = ("key", "done_key", "value", "sized_key")
        opaque_streams = ("opaque", "done_opaque", "sized_opaque")
        kinds = {**STRUCTS, **dict.fromkeys(beat_streams, "beat_t"), "word": None}
        kinds |= dict.fromkeys(opaque_streams, "opaque_word_t")
        self.inputs = {n: bench.source(n, kinds[n], willing.get(n, 1.0)) for n in INPUTS}
        self.outputs = {n: bench.sink(n, kinds[n], willing.get(n, 1.0)) for n in OUTPUTS}
        self._expected: deque[tuple[dict[str, Any], Item]] = deque()
        self._ended: deque[int] = deque()
        self.sized = 0
        self.watches = 0  # some operations have their key words for the host
        self._watched: deque[tuple[dict[str, Any], bytes]] = deque()
        self._packet = 0  # operations of the packet that is sent
        self.answer_limit = NO_LIMIT
        self.limit = Limit(NO_LIMIT)  # of the datagram that is sent
        self.version = b""
        self._conn = 0
        self._bytes: deque[bytes] = deque()
        self.turns = bench.source("turn", "tcp_turn_t")
        self._answered: deque[dict[str, int]] = deque()  # beside each message
        self.answered: deque[dict[str, int]] = deque()  # that came
        cocotb.start_soon(self._store())
        cocotb.start_soon(self._watch())
        cocotb.start_soon(self._see_watched())
        cocotb.start_soon(self._pass("sized_key", "done_key"))
        cocotb.start_soon(self._pass("sized_opaque", "done_opaque"))

    @classmethod
    async def start(cls, dut: Any, answer_limit: int = NO_LIMIT, **willing: float) -> Response:
        bench = await Bench.start(dut, {"answer_limit_i": answer_limit, "value_error_i": 0})
        Turn.item_bits = int(dut.ItemBits.value)
        response = cls(bench, willing)
        response.watches = random.getrandbits(1)
        text = random.choices(range(33, 127), k=random.randint(1, VERSION_BYTES))
        response.set_version(bytes(text))
        response.answer_limit = answer_limit
        response.limit = Limit(answer_limit)
        await bench.reset()
        return response

    @property
    def with_meta(self) -> bool:
        return bool(self.bench.dut.Meta.value)

    def message(self) -> list[Item]:
        """A random one, of what is built."""
        return traffic.message(with_meta=self.with_meta)

    def set_version(self, text: bytes) -> None:
        self.version = text
        self.bench.dut.version_i.value = version_bits(text)

    def begin(self, turn: Turn) -> None:
        """The packet that is sent next comes over TCP."""
        turn.version = self.version
        self.limit = turn
        fields = ("reads", "whole", "room", "skip")
        self.turns.send({name: int(getattr(turn, name)) for name in fields})

    def send(self, items: list[Item], more: bool = False) -> dict[str, int]:
        """Sends the operations of one message, behind which there is another one of the same
        packet or not; returns the message_t to come."""
        self._conn = (self._conn + 1) & 0xFFFF
        lane = random.getrandbits(3)
        turn = self.limit if isinstance(self.limit, Turn) else None

        keyed = [
            i.with_key or (self.watches and bool(i.key) and random.getrandbits(1)) for i in items
        ]

        def result(item: Item, number: int) -> dict[str, Any]:
            fields = item.result(lane, self._conn, number == len(items) - 1, more)
            fields["op"]["tcp"] = int(turn is not None)
            fields["op"]["key_words"] = int(keyed[number])
            return fields

        for number, item in enumerate(items):
            self.inputs["result"].send(result(item, number))
            if keyed[number]:
                self.inputs["key"].send(*beats(item.key))
            if item.named:
                self.inputs["opaque"].send(*opaque_words(item.name))
        shown = [i if i.status == STATUS.StOk else replace(i, cas=0) for i in items]
        kept = settled(shown, self.limit)
        for number, item in enumerate(kept):
            self._expected.append((result(item, number), item))
        # Each is told once of all that its packet's turns repeat.
        for number, item in enumerate(items):
            place = self._packet + number
            counts = turn is None or turn.skip <= place < turn.operations
            if keyed[number] and counts:
                self._watched.append((result(item, number), item.key))
        self._packet = self._packet + len(items) if more else 0
        hosts = items[-1].op == OP.OpHost
        told = {"tcp": 0, "again": 0, "operations": 0, "needs": 0}
        if turn is not None:
            told = {"tcp": 1, "operations": turn.operations, "needs": turn.needs}
            told["again"] = int(hosts and turn.skip > 0)
        self._answered.append(told)
        if not more:
            self.limit = Limit(self.answer_limit)
        data = b"".join(answer(item, self.version) for item in kept)
        self._bytes.append(data)
        length = len(data)
        return {
            "lane": lane,
            "conn": self._conn,
            "more": int(more),
            "host": int(hosts),
            "aside": 0,
            "bytes": length,
        }

    async def _store(self) -> None:
        while True:
            result = await self.outputs["sized"].get()
            want, item = self._expected.popleft()
            assert structs.pack("result_t", **result) == structs.pack("result_t", **want), want
            self.sized += 1
            if item.hit and item.value:
                self.inputs["value"].send(*beats(item.value))
            self.inputs["done"].send(result)

    async def _watch(self) -> None:
        dut = self.bench.dut
        while True:
            await RisingEdge(dut.clk_i)
            if value_of(dut.message_valid_o) and value_of(dut.message_ready_i):
                bits = value_of(dut.answered_o)
                self.answered.append(structs.unpack("tcp_answered_t", bits))

    async def _see_watched(self) -> None:
        dut = self.bench.dut
        key = b""
        while True:
            await RisingEdge(dut.clk_i)
            watched = structs.unpack("watched_t", value_of(dut.watched_o))
            if watched["word"]:
                data: int = structs.unpack("beat_t", value_of(dut.key_i))["data"]
                key += data.to_bytes(8, "little")
            if not watched["leaves"]:
                continue
            if watched["told"]:
                want, whole = self._watched.popleft()
                assert key == whole + bytes(-len(whole) % 8)
                for name in ("tcp", "conn", "op", "status", "key_len"):
                    assert watched[name] == want["op"][name], name
                assert watched["value_len"] == want["value_len"]
                assert watched["ttl"] == want["ttl"]
            key = b""

    async def _pass(self, output: str, into: str) -> None:
        while True:
            self.inputs[into].send(await self.outputs[output].get())

    async def _settle(self, most: int = 20_000) -> None:
        """Until everything sent was taken: behind the last answer there may be any number of
        results that say nothing, which nobody sees leave."""
        for _ in range(most):
            if not self._expected and all(source.idle for source in self.inputs.values()):
                return
            await RisingEdge(self.bench.clock)

    async def check(self, messages: list[list[Item]], heads: list[dict[str, int]]) -> None:
        """Waits for the answers and compares them."""
        for items, head in zip(messages, heads, strict=True):
            got = await self.outputs["message"].get()
            assert got == head, f"message_t {got}, expected {head}"
            told = self.answered.popleft()
            assert told == self._answered.popleft(), told
            length = head["bytes"]
            words = await self.outputs["word"].wait(-(-length // 8))
            data = b"".join(w.to_bytes(8, "little") for w in words)
            assert not any(data[length:]), "padding is not zero"
            assert data[:length] == self._bytes.popleft(), items
        await self._settle()
        for _ in range(60):
            await RisingEdge(self.bench.clock)
        for name, sink in self.outputs.items():
            assert not sink.items, f"{name}: more than expected"
        assert not self._expected and not self._watched
        assert all(source.idle for source in (*self.inputs.values(), self.turns))


async def mixed(dut: Any, count: int, **willing: Any) -> None:
    response = await Response.start(dut, **willing)
    messages = [response.message() for _ in range(count)]
    heads = [response.send(items) for items in messages]
    await response.check(messages, heads)


@cocotb.test()
async def everything_at_full_rate(dut):
    await mixed(dut, 700)


@cocotb.test()
async def everything_irregular(dut):
    await mixed(dut, 300, **dict.fromkeys(STREAMS, 0.6))


@cocotb.test()
@cocotb.parametrize(stream=STREAMS)
async def one_slow_stream(dut, stream):
    await mixed(dut, 60, **{stream: 0.25})


@cocotb.test()
@cocotb.parametrize(willing=[1.0, 0.7])
async def words_that_count_for_nothing(dut, willing):
    """From the word on that has the first such byte, all words of its message are marked; of other
    messages none is."""
    response = await Response.start(dut, **dict.fromkeys(STREAMS, willing))
    taken: list[bool] = []  # of each word of a value: it counts for nothing
    made: list[bool] = []  # of each word of an answer

    async def watch() -> None:
        bad = False
        while True:
            await RisingEdge(dut.clk_i)
            if value_of(dut.value_valid_i) and value_of(dut.value_ready_o):
                taken.append(bad)
                bad = random.random() < 0.03
                dut.value_error_i.value = int(bad)
            if value_of(dut.word_valid_o) and value_of(dut.word_ready_i):
                made.append(bool(value_of(dut.word_error_o)))

    cocotb.start_soon(watch())
    messages = []
    for _ in range(150):
        items = [traffic.get(with_key=True) for _ in range(random.choice([1, 1, 2, 6]))]
        for item in items:
            item.value = random.randbytes(random.choice([8, 9, 30, 64, 200]))
            item.cmd_first, item.cmd_last = item is items[0], item is items[-1]
        messages.append(items)
    heads = [response.send(items) for items in messages]
    answers = list(response._bytes)
    await response.check(messages, heads)
    value_at = word_at = spoilt = 0
    for items, data in zip(messages, answers, strict=True):
        first, at = None, 0  # the first byte that counts for nothing
        for item in items:
            if not item.hit:
                continue
            at = data.index(item.value, at)
            words = -(-len(item.value) // 8)
            bad = taken[value_at : value_at + words]
            value_at += words
            if any(bad) and first is None:
                first = at + 8 * bad.index(True)
        count = -(-len(data) // 8)
        marks = made[word_at : word_at + count]
        word_at += count
        if first is None:
            assert not any(marks)
        else:
            spoilt += 1
            assert all(marks[first // 8 :]) and not any(marks[: max(0, first // 8 - 1)])
    assert value_at == len(taken) and word_at == len(made) and 10 < spoilt < 140


@cocotb.test()
async def nothing_for_a_long_time(dut):
    """Nobody takes words: all queues fill, nothing is lost."""
    response = await Response.start(dut, word=0.0)
    messages = [[Item(OP.OpSet, key=b"k", cas=1)] for _ in range(1500)]
    heads = [response.send(items) for items in messages]
    await response.bench.wait(4000)
    response.outputs["word"].pace.willing = 1.0
    await response.check(messages, heads)


@cocotb.test()
async def nobody_takes_messages(dut):
    response = await Response.start(dut, message=0.0)
    messages = [[Item(OP.OpFlush)] for _ in range(600)]
    heads = [response.send(items) for items in messages]
    await response.bench.wait(3000)
    assert response.sized < 600, "the queue of messages has no end"
    response.outputs["message"].pace.willing = 1.0
    await response.check(messages, heads)


@cocotb.test()
async def a_whole_datagram(dut):
    """As many operations as fit one datagram, cancelled at the end, and once more in full."""
    response = await Response.start(dut)
    gets = [traffic.get(0.5, with_key=True) for _ in range(731)]
    for item in gets:
        item.key, item.value = item.key[:1], item.value[:40]
    gets[0].cmd_first = True
    cancelled = [*gets, Item(OP.OpNone, STATUS.StBadFormat, cancel=True)]
    answered = [*gets[:-1], traffic.get(with_key=True, cmd_last=True)]
    messages = [cancelled, answered, cancelled, answered]
    heads = [response.send(items) for items in messages]
    await response.check(messages, heads)


@cocotb.test()
@cocotb.parametrize(limit=(0, 1, 100, 1000, 5000))
async def answers_end_at_the_limit(dut, limit):
    """Random datagrams of one message or more: one error, then nothing but what SETs answer."""
    response = await Response.start(dut, answer_limit=limit, **dict.fromkeys(STREAMS, 0.9))
    messages: list[Any] = []
    heads, cut = [], 0
    while len(messages) < 500:
        for left in reversed(range(random.randint(1, 3 + limit // 100))):
            messages.append(response.message())
            heads.append(response.send(messages[-1], more=left > 0))
            cut += response.limit.over
    assert cut > 20, "few datagrams reached the limit"
    await response.check(messages, heads)


@cocotb.test()
async def an_answer_may_fill_its_limit(dut):
    """To the byte: a value as long as the limit passes, one longer does not, and counts."""
    response = await Response.start(dut, answer_limit=4000)
    hit = Item(OP.OpGet, binary=True, opcode=GET, value=bytes(4000))
    beyond = Item(OP.OpGet, binary=True, opcode=GET, value=bytes(4001))
    stored = Item(OP.OpSet, binary=True, opcode=SET, key=b"k")
    messages = [[hit], [beyond], [hit, hit], [beyond, hit, stored, hit], [hit]]
    cuts = 0

    async def count() -> None:
        nonlocal cuts
        while True:
            await RisingEdge(response.bench.clock)
            cuts += value_of(dut.events_o)

    cocotb.start_soon(count())
    heads = [response.send(items) for items in messages]
    too_large = len(answer(replace(beyond, op=OP.OpNone, status=STATUS.StAnswerTooLarge)))
    around = len(answer(hit)) - 4000
    set_answer = len(answer(stored))
    sizes = [4000 + around, too_large, 4000 + around + too_large, too_large + set_answer]
    assert [head["bytes"] for head in heads] == [*sizes, 4000 + around]
    await response.check(messages, heads)
    assert cuts == 3


@cocotb.test()
async def the_longest_message(dut):
    """As many operations as the parser lets into a message, and as many key words."""
    response = await Response.start(dut)
    most = structs.constant("MostOperations")
    keys = structs.constant("MostKeyWords")
    lines = [Item(OP.OpNone, STATUS.StUnknown) for _ in range(most)]
    single = [Item(OP.OpNone, STATUS.StUnknown) for _ in range(most - keys)]
    gets = [traffic.get(0.5, with_key=True) for _ in range(keys)]
    for item in gets:
        item.key, item.value = item.key[:1], item.value[:8]
    gets[0].cmd_first = gets[-1].cmd_last = True
    messages = [lines, single + gets, lines]
    heads = [response.send(items) for items in messages]
    await response.check(messages, heads)


@cocotb.test()
async def the_most_that_comes_with_o(dut):
    """A message of the shortest commands with O, which has the most words, and one of the longest
    names that fit; behind each the same, of which nothing is shown."""
    response = await Response.start(dut)
    longest = structs.constant("PacketBytes") // len(b"mg k O" + bytes(OPAQUE_BYTES) + b"\n")
    messages = []
    for count, length in ((structs.constant("MostOpaqueWords"), 0), (longest, OPAQUE_BYTES)):
        missed: dict[str, Any] = {"status": STATUS.StNotFound, "name": b"o" * length}
        told = [meta(OP.OpLook, shows="O", **missed)[0] for _ in range(count)]
        messages += [told, [replace(item, quiet=True) for item in told]]
    heads = [response.send(items) for items in messages]
    await response.check(messages, heads)


@cocotb.test()
async def every_list_of_shows(dut):
    """What there is to show, in every order, of an item and of none."""
    response = await Response.start(dut)
    lists = [shows for count in range(7) for shows in permutations("kOfstc", count)]
    random.shuffle(lists)
    messages = []
    for number, shows in enumerate(lists):
        status = STATUS.StNotFound if number % 4 == 3 else STATUS.StOk
        fields = {"name": b"o" * (number % 32), "cas": number, "flags": 9, "status": status}
        for more in ("", "h", "l", "hl")[number // 4 % 4]:
            at = random.randrange(len(shows) + 1)
            shows = (*shows[:at], more, *shows[at:])
        if number % 3:
            fields |= traffic.marks()
            shows = (*shows, *"W"[: number % 3 - 1])
        item = meta(OP.OpLook, shows="".join(shows), **fields)[0]
        item.value_len, item.ttl = 10, random.choice((FOREVER, traffic.number(32)))
        item.unused = traffic.number(32)
        messages.append([item])
    for number, shows in enumerate(p for count in range(5) for p in permutations("kOtc", count)):
        status = STATUS.StNotFound if number % 4 == 3 else STATUS.StOk
        for end in ("", "v"):
            fields = {"name": b"o" * (number % 32), "cas": number, "flags": 0, "status": status}
            item = meta(OP.OpDecr, shows="".join(shows) + end, **fields)[0]
            item.pointer, item.value_len = 10 ** (number % 10), number % 10 + 1
            item.ttl = random.choice((FOREVER, number))
            messages.append([item])
    heads = [response.send(items) for items in messages]
    await response.check(messages, heads)


@cocotb.test()
async def nothing_has_more_around_it_than_is_counted(dut):
    """The longest line is as long as MetaAroundBytes says."""
    response = await Response.start(dut)
    numbers: dict[str, Any] = {"flags": 2**32 - 1, "cas": 2**64 - 1, "name": b"o" * OPAQUE_BYTES}
    item = meta(value=1 << 20, shows="kOfstchlW", stale=True, won=True, **numbers)[0]
    item.ttl, item.unused = FOREVER - 1, 2**32 - 1
    longer = structs.constant("EncodedBytes")
    assert len(answer(item)) == len(item.key) + len(item.value) + META_AROUND - longer
    item.key, item.encoded = bytes(250), True
    assert len(answer(item)) == len(item.key) + len(item.value) + META_AROUND
    count = meta(OP.OpIncr, shows="kOtcv", **numbers)[0]
    count.ttl, count.pointer, count.value_len = FOREVER - 1, 2**32 - 1, 20
    around = len(b"VA 20\r\n") + 4 * 2 + OPAQUE_BYTES + 10 + 20 + 20 + 2
    assert len(answer(count)) == len(count.key) + around <= len(count.key) + META_AROUND
    messages = [[item], [count]]
    await response.check(messages, [response.send(message) for message in messages])


@cocotb.test()
async def encoded_keys(dut):
    """Keys in base64 of every length, alone, among others, and taken slowly."""
    response = await Response.start(dut, word=0.7)
    messages = []
    for length in range(1, 251):
        key = random.choice((random.randbytes(length), bytes(length), b"\xff" * length))
        for shows in ("k", "Ok", "kO", "skc"):
            fields: dict[str, Any] = {"name": b"n" * (length % 32), "encoded": True}
            item = meta(random.choice((OP.OpGet, OP.OpSet)), shows=shows, **fields)[0]
            item.key = key
            plain = [replace(item, encoded=False), replace(item, quiet=True)]
            messages.append([item, *random.sample(plain, length % 3), item][: length % 4 + 1])
        if length % 8 == 0:
            messages.append(ascii_hit(length, 8))
    heads = [response.send(items) for items in messages]
    await response.check(messages, heads)


@cocotb.test()
async def keys_of_meta_commands_among_those_of_others(dut):
    """The line of a meta answer takes its key ahead, but not one that an answer before it shows."""
    response = await Response.start(dut, word=0.5)
    kinds = (
        lambda: meta(shows="k"),
        lambda: meta(shows="kO", name=b"name", encoded=True),
        lambda: meta(OP.OpSet, shows="Ok", name=b"name"),
        lambda: ascii_hit(random.randint(1, 40), 8),
        lambda: many_gets(3, 40, 5),
        lambda: one_hit(7, 90, binary=True, opcode=GETK, with_key=True),
    )
    messages = [random.choice(kinds)() for _ in range(400)]
    for items in messages:
        for item in items:
            item.key = random.randbytes(len(item.key))
    heads = [response.send(items) for items in messages]
    await response.check(messages, heads)


@cocotb.test()
@cocotb.parametrize(length=range(1, VERSION_BYTES + 1))
async def versions_of_every_length(dut, length):
    """Alone and between other answers, in both protocols."""
    response = await Response.start(dut)
    response.set_version(bytes(range(65, 65 + length)))
    says = Item(OP.OpNone, say=SAY.SayVersion)
    binary = replace(says, binary=True, opcode=VERSION)
    beside = Item(OP.OpFlush)
    messages = [
        [says],
        [binary],
        [says, binary, says],
        [beside, says, beside, *ascii_hit(3, 5), says],
        [replace(says, quiet=True), binary, beside],
    ]
    heads = [response.send(items) for items in messages]
    await response.check(messages, heads)


@cocotb.test()
async def large_answers(dut):
    """Long values, and small messages behind them."""
    response = await Response.start(dut)
    messages = []
    for size in (1360, 1368, 1369, 2760, 70_000):
        messages.append([Item(OP.OpGet, binary=True, opcode=GET, value=random.randbytes(size))])
        messages += [[Item(OP.OpFlush)], [Item(OP.OpNone, say=SAY.SaySilent)]]
    messages.append([Item(OP.OpGet, with_key=True, key=b"k" * 250, value=bytes(1 << 17))])
    heads = [response.send(items) for items in messages]
    await response.check(messages, heads)


@cocotb.test()
async def a_message_is_held_until_it_is_whole(dut):
    response = await Response.start(dut)
    items = [Item(OP.OpFlush), Item(OP.OpFlush)]
    results = [item.result(0, 7, index == 1) for index, item in enumerate(items)]
    response._expected.extend(zip(results, items, strict=True))
    response.inputs["result"].send(results[0])
    await response.bench.wait(50)
    assert response.sized == 0
    response.inputs["result"].send(results[1])
    await response.bench.wait(50)
    assert response.sized == 2


# ---- cycles -------------------------------------------------------------------------------------


def one_hit(key: int, value: int, **fields: Any) -> list[Item]:
    item = Item(OP.OpGet, key=b"k" * key, value=b"v" * value, **{"cas": 70_000, **fields})
    return [item]


def ascii_hit(key: int, value: int, **fields: Any) -> list[Item]:
    return one_hit(key, value, with_key=True, cmd_first=True, cmd_last=True, **fields)


def many_gets(key: int, value: int, count: int) -> list[Item]:
    items = [one_hit(key, value, with_key=True)[0] for _ in range(count)]
    items[0].cmd_first = items[-1].cmd_last = True
    return items


def incr(number: int, **fields: Any) -> list[Item]:
    return [Item(OP.OpIncr, key=b"k", cas=number, **fields)]


def meta(op: int = OP.OpGet, value: int = 2, shows: str = "", **fields: Any) -> list[Item]:
    """A meta command with these flags of memcached's."""
    kinds = tuple(SHOWN_BY[letter] for letter in shows)
    item = Item(op, meta=True, key=b"k" * 6, with_key=True, shows=kinds, ttl=FOREVER, **fields)
    if item.op == OP.OpGet:
        item.value = b"v" * value
    if item.counted:
        item.value_len = len(b"%d" % item.number)
    return [item]


# name: (the message, operations in it, cycles that each may take in wc_answer)
COSTS: dict[str, tuple[list[Item], int, float]] = {
    "ASCII hit 6/1": (ascii_hit(6, 1, flags=7), 1, 4),
    "ASCII hit 8/8": (ascii_hit(8, 8), 1, 5),
    "ASCII hit 16/32": (ascii_hit(16, 32), 1, 9),
    "ASCII hit 6/1, large flags": (ascii_hit(6, 1, flags=123456789), 1, 8),
    "ASCII hit 6/1, cas 70000": (ascii_hit(6, 1, with_cas=True), 1, 8),
    "ASCII hit 6/1, largest cas": (ascii_hit(6, 1, with_cas=True, cas=2**64 - 1), 1, 16),
    "multi-get 16/32": (many_gets(16, 32, 20), 20, 8),
    "multi-get 8/8": (many_gets(8, 8, 20), 20, 4),
    "multi-get misses": (
        [
            Item(OP.OpGet, STATUS.StNotFound, key=b"k", with_key=True, cmd_last=i == 9)
            for i in range(10)
        ],
        10,
        2,
    ),
    "ASCII miss": (
        [Item(OP.OpGet, STATUS.StNotFound, key=b"k", with_key=True, cmd_last=True)],
        1,
        2,
    ),
    "STORED": ([Item(OP.OpSet, key=b"k")], 1, 2),
    "DELETED": ([Item(OP.OpDelete, key=b"k")], 1, 2),
    "TOUCHED": ([Item(OP.OpTouch, key=b"k")], 1, 2),
    "binary hit 6/1": (one_hit(6, 1, binary=True, opcode=GET), 1, 4),
    "binary hit 6/4": (one_hit(6, 4, binary=True, opcode=GET), 1, 4),
    "binary hit 6/5": (one_hit(6, 5, binary=True, opcode=GET), 1, 5),
    "binary hit 6/9": (one_hit(6, 9, binary=True, opcode=GET), 1, 5),
    "binary hit 6/64": (one_hit(6, 64, binary=True, opcode=GET), 1, 12),
    "binary set": ([Item(OP.OpSet, key=b"k", cas=5, binary=True, opcode=SET)], 1, 3),
    "NOT_FOUND": ([Item(OP.OpDelete, STATUS.StNotFound, key=b"k")], 1, 2),
    "no memory": ([Item(OP.OpSet, STATUS.StNoMemory, key=b"k")], 1, 6),
    "binary hit 1/1, with its key": (one_hit(1, 1, binary=True, opcode=GETK, with_key=True), 1, 4),
    "binary touch": ([Item(OP.OpTouch, key=b"k", cas=5, binary=True, opcode=TOUCH)], 1, 4),
    "binary miss": ([Item(OP.OpGet, STATUS.StNotFound, binary=True, opcode=GET)], 1, 5),
    "binary delete": ([Item(OP.OpDelete, key=b"k", binary=True, opcode=DELETE)], 1, 3),
    "ASCII hit 1/1": (ascii_hit(1, 1), 1, 4),
    "ASCII hit 250/250": (ascii_hit(250, 250), 1, 66),
    "ASCII incr, 1 digit": (incr(7, flags=2**32 - 1), 1, 4),
    "ASCII incr, 5 digits": (incr(54321), 1, 4),
    "ASCII incr, 6 digits": (incr(654321), 1, 8),
    "ASCII incr, 20 digits": (incr(2**64 - 1), 1, 16),
    "binary incr": (incr(5, binary=True, opcode=INCR), 1, 4),
    "incr of no number": ([Item(OP.OpIncr, STATUS.StNotNumber, key=b"k")], 1, 8),
    "mg v": (meta(), 1, 4),
    "mg v, 100 bytes": (meta(value=100), 1, 15),
    "mg": (meta(OP.OpLook), 1, 4),
    "mg v, miss": (meta(OP.OpGet, status=STATUS.StNotFound), 1, 4),
    "mg v, quiet miss": (meta(OP.OpGet, status=STATUS.StNotFound, quiet=True), 1, 2),
    "mg v k": (meta(shows="k"), 1, 8),
    "mg v k b": (meta(shows="k", encoded=True), 1, 13),
    "mg v O": (meta(shows="O", name=b"1234"), 1, 8),
    "mg v t f": (meta(shows="tf"), 1, 12),
    "mg v t l": (meta(shows="tl", unused=9), 1, 12),
    "mg v k O s t f c": (meta(shows="kOstfc", name=b"1234"), 1, 28),
    "ms": (meta(OP.OpSet), 1, 4),
    "ms, quiet": (meta(OP.OpSet, quiet=True), 1, 2),
    "ma": (meta(OP.OpIncr), 1, 4),
    "ma v": (meta(OP.OpIncr, shows="v"), 1, 8),
    "ma v c, of ten digits": (meta(OP.OpIncr, shows="cv", flags=1), 1, 20),
    "mn": (meta(OP.OpNone, say=SAY.SayOk), 1, 2),
    "binary quiet set": ([Item(OP.OpSet, key=b"k", binary=True, opcode=0x11, quiet=True)], 1, 2),
}


@cocotb.test()
@cocotb.parametrize(name=list(COSTS))
async def cycles(dut, name):
    """Cycles of an operation in the steady state, through both modules."""
    items, operations, limit = COSTS[name]
    repeat = 400 // operations
    response = await Response.start(dut)
    messages = [items] * repeat
    heads = [response.send(m) for m in messages]
    done = response.inputs["done"]
    marks: dict[int, int] = {}
    while done.sent < repeat * operations:
        await RisingEdge(response.bench.clock)
        marks.setdefault(done.sent, response.bench.cycle())
    await response.check(messages, heads)
    low, high = repeat * operations // 4, repeat * operations * 3 // 4
    low, high = min(m for m in marks if m >= low), min(m for m in marks if m >= high)
    each = (marks[high] - marks[low]) / (high - low)
    dut._log.info("CYCLES %-28s %.2f", name, each)
    # The queue of words takes operations a few at a time: the window is off by some cycles.
    assert each <= limit + 0.1, f"{name}: {each:.2f} cycles, at most {limit}"


MULTI_GETS: dict[str, dict[str, Any]] = {
    "ASCII": {"with_key": True},
    "binary": {"binary": True, "opcode": QUIET_OF[GET], "quiet": True},
    "binary with keys": {
        "binary": True,
        "opcode": QUIET_OF[GETK],
        "quiet": True,
        "with_key": True,
    },
}
PER_MESSAGE = 1  # its last word is not full


@cocotb.test()
@cocotb.parametrize(protocol=list(MULTI_GETS), count=(10, 40, 100))
async def multi_gets_take_what_the_wire_and_the_index_do(dut, protocol, count):
    """Hits of every kind of length: the bytes of their answers, or key words + 3 (the index)."""
    response = await Response.start(dut)
    words = response.outputs["word"]
    short = [(size, size) for size in (1, 6, 8, 9, 16, 17, 24, 32, 64, 250)]
    for key, value in [*short, (1, 17), (1, 250), (3, 25), (17, 1), (250, 1), (9, 0)]:
        key_words = -(-key // 8)
        if count * key_words > 732:
            continue  # more than a datagram can ask for
        items = [one_hit(key, value, **MULTI_GETS[protocol])[0] for _ in range(count)]
        if protocol == "ASCII":
            items[0].cmd_first = items[-1].cmd_last = True
        length = len(message(items))
        limit = max(length / 8, count * (key_words + 3)) + PER_MESSAGE
        messages = [items] * (3 + 40 // count)
        words.cycles.clear()
        heads = [response.send(m) for m in messages]
        await response.check(messages, heads)
        starts = list(words.cycles)[:: -(-length // 8)]
        each = (starts[-1] - starts[1]) / (len(starts) - 2)
        found = f"{protocol}, {count} of {key}/{value}: {each:.1f} of {limit:.1f}"
        dut._log.info("CYCLES %s", found)
        assert each <= limit, found


@cocotb.test()
@cocotb.parametrize(length=(20, 1))
async def size_takes_an_operation_every_two_cycles(dut, length):
    """wc_answer_size: a result every two cycles, be it a message or not."""
    response = await Response.start(dut)
    messages = [[Item(OP.OpFlush, quiet=True)] * length for _ in range(400 // length)]
    heads = [response.send(m) for m in messages]
    start = response.bench.cycle()
    await response.inputs["result"].wait()
    each = (response.bench.cycle() - start) / 400
    await response.check(messages, heads)
    taken = response.outputs["message"].cycles
    spread = (taken[-1] - taken[0]) / (len(taken) - 1)
    dut._log.info("CYCLES size, %d operations: %.2f, message %.2f", length, each, spread)
    assert each <= 2.05 and spread <= 2.05 * length


@cocotb.test()
async def latency(dut):
    """Cycles from a result to what comes of it, nothing else under way."""
    response = await Response.start(dut)
    bench, source = response.bench, response.inputs["result"]
    for items, limits in (
        ([Item(OP.OpSet, key=b"k")], (4, 10, 12)),
        (ascii_hit(6, 1), (4, 10, 12)),
        (one_hit(6, 1, binary=True, opcode=GET), (4, 10, 12)),
        (meta(OP.OpNone, say=SAY.SayOk), (4, 10, 12)),
        (meta(OP.OpLook), (4, 10, 22)),
        (meta(), (4, 10, 23)),
        (meta(shows="k"), (4, 10, 26)),
    ):
        for sink in response.outputs.values():
            sink.cycles.clear()
        before = source.sent
        heads = [response.send(items)]
        while source.sent == before:
            await RisingEdge(bench.clock)
        start = bench.cycle() - 1  # the loop sees it a cycle later
        sent = response.inputs["done"].sent
        while response.inputs["done"].sent == sent:
            await RisingEdge(bench.clock)
        answered = bench.cycle() - 1
        await response.check([items], heads)
        seen = (
            response.outputs["sized"].cycles[0] - start,
            response.outputs["message"].cycles[0] - start,
            response.outputs["word"].cycles[0] - answered,
        )
        dut._log.info("CYCLES latency of %s: result, message, word %s", items[0].opcode, seen)
        assert all(a <= b for a, b in zip(seen, limits, strict=True)), f"{seen}, at most {limits}"


# ---- over TCP -----------------------------------------------------------------------------------


def tcp_packet(response: Response, reads: bool) -> list[list[Item]]:
    """The messages of a packet of reads, or of anything. A message may end within a command."""
    messages = []
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        items: list[Item] = []
        kind = random.randrange(4)
        while not items or random.random() < 0.6:
            if not reads:
                items += response.message()
            elif kind == 0:
                items += traffic.ascii_get()
            elif kind == 1:
                items += traffic.binary()
            elif kind == 2 and response.with_meta:
                items += traffic.meta()
            else:
                items += random.choice((traffic.ascii_get, traffic.ascii_other))()
        if reads:
            items = [item for item in items if item.op not in STORES]
        if random.random() < 0.1:
            items.append(Item(OP.OpNone, say=SAY.SaySilent))
        items = traffic.finished(items or [Item(OP.OpNone, say=SAY.SaySilent)])
        torn = random.randrange(len(items)) if random.random() < 0.3 else 0
        messages += [part for part in (items[:torn], items[torn:]) if part]
    return messages


def given_once(messages: list[list[Item]], limit: Limit, version: bytes) -> bytes:
    """What the model answers to a packet, one turn of it."""
    data = []
    for items in messages:
        told = [item if item.status == STATUS.StOk else replace(item, cas=0) for item in items]
        data += [answer(item, version) for item in settled(told, limit)]
    return b"".join(data)


def all_turns(
    messages: list[list[Item]], ends: list[int], refused: set[int], version: bytes
) -> bytes:
    """What the turns of a packet answer in all, from where each of them ended alone: a cancel takes
    back what its own turn had, be it that it is answered in it or that it is the first left out."""
    kept: list[bytes] = []
    for items in messages:
        mark = len(kept)
        for item in items:
            place = len(kept)
            if item.cancel and not item.cmd_first:
                for back in range(mark, place):
                    if place <= next(end for end in ends if end > back):
                        kept[back] = b""
            if item.cmd_first:
                mark = place
            told = item if item.status == STATUS.StOk else replace(item, cas=0)
            if place in refused:
                told = silenced(told, STATUS.StAnswerTooLarge)
            kept.append(answer(told, version))
            if item.op not in READS or item.binary or item.meta or item.cmd_last:
                mark = len(kept)
    return b"".join(kept)


@cocotb.test()
@cocotb.parametrize(willing=[1.0, 0.7], most=[0, 700, 3000, 9000])
async def answers_over_tcp(dut, willing, most):
    """Random packets and rooms, among packets of UDP, given again until all is answered."""
    paces = dict.fromkeys(STREAMS, willing)
    response = await Response.start(dut, answer_limit=random.choice((700, 5000)), **paces)
    response.inputs["result"].pace.willing = 0.0
    version = response.version
    messages: list[list[Item]] = []
    heads: list[dict[str, int]] = []
    shown: list[tuple[Turn, int, int]] = []  # of each turn the place of its heads
    seen: Counter[str] = Counter()
    errors = cut = 0
    longest, ring = 1 << Turn.item_bits, 2 << structs.constant("MostRingBits")
    for _ in rounds(90, lambda: seen["again"] > 15 and seen["partly"] > 5):
        if random.random() < 0.3:
            for left in reversed(range(random.randint(1, 3))):
                messages.append(response.message())
                limit = response.limit
                heads.append(response.send(messages[-1], more=left > 0))
                cut += limit.over and not left
        reads = random.random() < 0.8
        packet = tcp_packet(response, reads)
        operations = sum(map(len, packet))
        ends: list[int] = []
        refused: set[int] = set()
        data, needs, skip = [], 0, 0
        while skip < operations:
            room = random.choice((0, random.randint(0, most), BESIDE + random.randint(0, most)))
            whole = reads and random.random() < 0.3
            if needs and random.random() < 0.5:
                room, whole = needs, False  # so much is enough
            elif whole:
                room = random.choice((longest, random.randrange(longest, ring), BESIDE + room))
            enough = bool(whole or (needs and room >= needs))
            turn = Turn(reads, room, whole, skip)
            response.begin(turn)
            start = len(heads)
            data.append(given_once(packet, Turn(reads, room, whole, skip, version), version))
            for left, items in reversed(list(enumerate(reversed(packet)))):
                heads.append(response.send(items, more=left > 0))
                messages.append(items)
            shown.append((turn, start, len(heads)))
            assert turn.operations > skip or not enough, "enough room, but no progress"
            if not reads:
                assert turn.operations == operations and not turn.needs
            assert bool(turn.needs) == (turn.operations < operations)
            if turn.errors:
                refused.add(skip)
            seen["partly"] += skip < turn.operations < operations
            seen["again"] += skip > 0
            errors += turn.errors
            ends.append(turn.operations)
            needs, skip = turn.needs, turn.operations
            assert len(data[-1]) <= room or not reads
        assert b"".join(data) == all_turns(packet, ends, refused, version)
        if len(ends) == 1 and not refused:
            assert data[0] == given_once(packet, Limit(NO_LIMIT), version)
    for turn, start, end in shown:
        size = sum(head["bytes"] for head in heads[start:end])
        assert not turn.reads or size <= turn.room
    cuts = 0

    async def count() -> None:
        nonlocal cuts
        while True:
            await RisingEdge(response.bench.clock)
            cuts += value_of(dut.events_o)

    cocotb.start_soon(count())
    await response.bench.wait(10)
    response.inputs["result"].pace.willing = willing
    await response.check(messages, heads)
    assert cuts == errors + cut


@cocotb.test()
async def room_over_tcp_to_the_byte(dut):
    """What an answer says it needs is enough. It has room if its value has, with what may be beside
    it; with a byte less it is left out, or an error where more room never comes."""
    response = await Response.start(dut)
    response.inputs["result"].pace.willing = 0.0
    messages, heads = [], []

    def give(turn: Turn, items: list[Item]) -> tuple[int, int, int]:
        """Bytes, operations answered, and what the next one needs."""
        response.begin(turn)
        messages.append(items)
        heads.append(response.send(items))
        answered = response._answered[-1]
        return heads[-1]["bytes"], answered["operations"], answered["needs"]

    said = Item(OP.OpNone, say=SAY.SayOk)
    line = meta(value=4000, shows="kOfstc", name=b"o" * 31)[0]
    for item in (*ascii_hit(5, 4000), line, one_hit(6, 4000, binary=True, opcode=GET)[0]):
        size, enough = len(answer(item)), 4000 + BESIDE
        needs = size + BESIDE
        error = len(answer(silenced(item, STATUS.StAnswerTooLarge)))
        last = replace(said, binary=item.binary, meta=item.meta, opcode=NOOP)
        more = len(answer(last))
        assert give(Turn(True, enough - 1), [item, last]) == (0, 0, needs)
        assert give(Turn(True, enough), [item, last]) == (size, 1, more + BESIDE)
        assert give(Turn(True, needs), [item]) == (size, 1, 0)
        assert give(Turn(True, enough - 1, whole=True), [item, last]) == (error + more, 2, 0)
        assert give(Turn(True, enough, whole=True), [last, item]) == (more, 1, needs)
        assert give(Turn(False, 0), [item, last]) == (size + more, 2, 0)
        assert give(Turn(True, 0, skip=1), [item, last]) == (0, 1, more + BESIDE)
        assert give(Turn(True, more + BESIDE, skip=1), [item, last]) == (more, 2, 0)
    # The largest items that there are, in a ring as long as these.
    ring = 1 << Turn.item_bits
    most = ring - structs.constant("ItemBytes") - 250
    numbers: dict[str, Any] = {"cas": 2**64 - 1, "flags": 2**32 - 1}
    large = ascii_hit(250, most, with_cas=True, **numbers)[0]
    binary = one_hit(250, most, binary=True, opcode=GETK, with_key=True)[0]
    for item in (large, binary):
        assert ring - BESIDE < len(answer(item)) <= ring
        turn = Turn(True, ring, whole=True)
        assert give(turn, [item, said]) == (len(answer(item)), 1, 4 + BESIDE)
        assert give(Turn(True, ring), [item])[1] == 0
        # In one that is shorter by a bit, the item was stored by a limit that held then.
        turn = Turn(True, ring // 2, whole=True)
        error = len(answer(silenced(item, STATUS.StAnswerTooLarge)))
        assert give(turn, [item, said]) == (error + 4, 2, 0)
    named = replace(large, meta=True, shows=(SHOWN_BY["k"],))
    turn = Turn(True, ring, whole=True)
    assert give(turn, [named, said]) == (len("SERVER_ERROR answer too large\r\n") + 4, 2, 0)
    await response.bench.wait(10)
    response.inputs["result"].pace.willing = 1.0
    await response.check(messages, heads)


@cocotb.test()
async def a_command_of_the_host_comes_again(dut):
    """Whether the host has answered a part of it goes by, and nothing else of it is another. Where
    the parser had no room for it and a part was answered, it comes again, and nothing is said."""
    response = await Response.start(dut)
    response.inputs["result"].pace.willing = 0.0
    messages, heads = [], []
    for again in (0, 1, 0, 1, 1):
        response.begin(Turn(False, structs.constant("CommandAnswerBytes"), skip=again))
        for packet in ([Item(OP.OpHost)], ascii_hit(6, 1)):
            messages.append(packet)
            heads.append(response.send(packet))
        refused = [Item(OP.OpNone, STATUS.StBusy)]
        response.begin(Turn(False, structs.constant("CommandAnswerBytes"), skip=again))
        messages.append(refused)
        heads.append(response.send(refused))
        if again:
            response._answered[-1]["needs"] = structs.constant("CommandAnswerBytes")
    await response.bench.wait(10)
    response.inputs["result"].pace.willing = 1.0
    await response.check(messages, heads)


@cocotb.test()
@cocotb.parametrize(length=(20, 1))
async def a_packet_over_tcp_every_two_cycles_an_operation(dut, length):
    """A result every two cycles, be it a packet or not, skipped or not."""
    response = await Response.start(dut)
    source = response.inputs["result"]
    source.pace.willing = 0.0
    messages = [[Item(OP.OpFlush, quiet=True)] * length for _ in range(400 // length)]
    heads = []
    for number, items in enumerate(messages):
        response.begin(Turn(number % 2 > 0, 600, skip=number % 3))
        heads.append(response.send(items))
    await response.bench.wait(10)
    source.pace.willing = 1.0
    start = response.bench.cycle()
    await source.wait()
    each = (response.bench.cycle() - start) / 400
    await response.check(messages, heads)
    taken = response.outputs["message"].cycles
    spread = (taken[-1] - taken[0]) / (len(taken) - 1)
    dut._log.info("CYCLES size over TCP, %d operations: %.2f, message %.2f", length, each, spread)
    assert each <= 2.05 and spread <= 2.05 * length


@cocotb.test()
async def latency_over_tcp(dut):
    """As over UDP: from a result to it, and to its message_t, nothing else under way."""
    response = await Response.start(dut)
    bench, source = response.bench, response.inputs["result"]
    for items in (ascii_hit(6, 1), one_hit(6, 1, binary=True, opcode=GET), meta(shows="k")):
        for turn in (Turn(True, 600), Turn(True, 0), Turn(True, 600, skip=1), Turn(False, 0)):
            for sink in response.outputs.values():
                sink.cycles.clear()
            response.begin(turn)
            await bench.wait(4)
            before = source.sent
            heads = [response.send(items)]
            while source.sent == before:
                await RisingEdge(bench.clock)
            start = bench.cycle() - 1  # the loop sees it a cycle later
            await response.check([items], heads)
            seen = tuple(response.outputs[n].cycles[0] - start for n in ("sized", "message"))
            dut._log.info("CYCLES latency over TCP: result, message %s", seen)
            assert all(a <= b for a, b in zip(seen, (4, 10), strict=True)), seen


# What is asked of the build without meta commands: the bench of one with them has all else.
WITHOUT_META = (
    "everything_.*",
    "answers_end_at_the_limit.*",
    "answers_over_tcp.*",
    "the_longest_message",
)


@pytest.mark.parametrize(("meta", "item_bits"), [(1, 20), (0, 20), full(1, 23)])
def test_wc_response(meta: int, item_bits: int) -> None:
    run(
        "wc_response_tb",
        __file__,
        {"Meta": meta, "ItemBits": item_bits},
        extra_sources=[HERE / "wc_response_tb.sv"],
        core="response",
        tests=() if meta else WITHOUT_META,
    )
