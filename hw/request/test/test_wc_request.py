# SPDX-License-Identifier: Apache-2.0
"""wc_request: operations, keys and values of any packet against the model; cycles counted."""

import random
import struct
from base64 import b64encode
from collections import Counter
from typing import Any

import cocotb
import pytest
import request_rows
import request_traffic as traffic
from request_cases import ASCII_CASES, binary_cases, cut_binary
from request_lines import LineMonitor
from request_model import (
    FLAG_BYTES,
    ITEM_BYTES,
    MESSAGE_OPERATIONS,
    OP,
    SET,
    TAKES,
    Limit,
    parse,
)
from request_traffic import header
from wirecache.circuit import structs
from wirecache.model.index import LARGEST_ITEM, MAX_ITEM
from wirecache.testbench.bench import Bench, run, some, unbeats, words
from wirecache.traffic import dense

NOW = 1_700_000_000


class Parser:
    """The device with its stream ends, and the comparison with the model."""

    def __init__(self, bench, willing_in, willing_out):
        self.bench = bench
        self.source = bench.source("packet", "packet_t", willing_in)
        self.requests = bench.sink("request", "request_t", willing_out)
        self.keys = bench.sink("key", "beat_t", willing_out)
        self.values = bench.sink("value", "beat_t", willing_out)
        self.opaques = bench.sink("opaque", "opaque_word_t", willing_out)
        self.lines = LineMonitor(bench.dut)
        self.watch = 0  # the host wants to know of operations
        self.conn = 0
        self.message: Counter[str] = Counter()  # of TCP, as far as it has come

    @classmethod
    async def start(cls, dut, willing_in=1.0, willing_out=1.0, room=True, most_bytes=MAX_ITEM):
        Limit.most_bytes = most_bytes
        watch = random.getrandbits(1)
        inputs = {"time_i": NOW, "line_room_i": int(room), "most_bytes_i": most_bytes}
        bench = await Bench.start(dut, inputs | {"watch_i": watch})
        parser = cls(bench, willing_in, willing_out)
        parser.watch = watch
        await bench.reset()
        return parser

    def send(self, packet, past_end=None, tcp=None):
        """Of TCP if `tcp` says whether it is binary."""
        # Of UDP `binary` means nothing.
        udp = dict(tcp=0, binary=random.getrandbits(1))
        kind = udp if tcp is None else dict(tcp=1, binary=int(tcp))
        whole = words(packet)
        self.conn = (self.conn + 1) & 0xFFFF
        for i, word in enumerate(whole):
            last = i == len(whole) - 1
            count = (len(packet) - 1) % 8 + 1 if last else 8
            # What is past the end means nothing.
            junk = random.getrandbits(64) if past_end is None else int.from_bytes(past_end * 8)
            data = (word | junk << (8 * count)) % 2**64
            item = dict(conn=self.conn, **kind, data=data, bytes=count, last=int(last))
            self.source.send(item)
        return self.conn

    async def words(self, sink, length):
        items = [await sink.get() for _ in range((length + 7) // 8)]
        assert [i["last"] for i in items] == [0] * (len(items) - 1) + [1] * bool(items)
        return unbeats(items, length)

    async def opaque(self):
        """The bytes that came with an O, which has at least one word."""
        data, last = b"", 0
        while not last:
            item = await self.opaques.get()
            last = item["last"]
            assert last or item["bytes"] == 8, item
            whole = item["data"].to_bytes(8, "little")
            assert not any(whole[item["bytes"] :]), item
            data += whole[: item["bytes"]]
            assert item["bytes"] or not data, item
        return data

    @property
    def sinks(self):
        return (self.requests, self.keys, self.values, self.opaques)

    async def expect(self, packet, conn, **options):
        tcp = options.get("tcp") is not None
        for expected in parse(packet, NOW, **options):
            request = await self.requests.get()
            packed = expected.packed(conn, 0, tcp=tcp)
            if self.watch and packed["op"]["key_len"]:
                packed["op"]["key_words"] = 1
            assert request == packed, f"{packet[:2000]!r}:\n got {request}\n not {packed}"
            assert await self.words(self.keys, len(expected.key)) == expected.key, packet
            assert await self.words(self.values, len(expected.value)) == expected.value, packet
            if expected.opaque is not None:
                assert await self.opaque() == expected.opaque, packet
            if tcp:
                self.bounded(request, expected)
            if expected.words or expected.op["op"] == OP["OpHost"]:
                self.lines.expect(expected, packet)

    def bounded(self, request, expected):
        """However long its packet is, a message of TCP fits where one of UDP does."""
        values = request["op"]["op"] in TAKES
        opaque = 0 if expected.opaque is None else max(1, -(-len(expected.opaque) // 8))
        self.message.update(Operations=1, KeyWords=-(-len(expected.key) // 8), OpaqueWords=opaque)
        self.message["values"] += values
        for name in ("Operations", "KeyWords", "OpaqueWords"):
            assert self.message[name] <= structs.constant(f"Most{name}"), (name, self.message)
        assert not self.message["values"] or self.message["Operations"] == 1, self.message
        if request["op"]["last"]:
            self.message.clear()

    async def check(self, packets, past_end=None, **options):
        """Packets of UDP."""
        await self.check_kinds([(packet, None) for packet in packets], past_end, **options)

    async def check_kinds(self, packets, past_end=None, **options):
        """Packets, each with None, or of TCP with whether it is binary."""
        from cocotb.triggers import with_timeout

        sent = [(packet, tcp, self.send(packet, past_end, tcp)) for packet, tcp in packets]
        for packet, tcp, conn in sent:
            patience = 200 + len(packet) // 20
            try:
                expects = self.expect(packet, conn, tcp=tcp, **options)
                await with_timeout(expects, patience, "us")
            except TimeoutError as stuck:
                raise AssertionError(f"no answer to {packet[:2000]!r}") from stuck
        await self.source.wait()
        await self.bench.wait(60)
        assert not any(sink.items for sink in self.sinks), "words made up"
        assert not self.lines.commands, "commands of the host made up"

    async def cycles(self, packets):
        """Cycles from the first operation of the packets to the last, at full speed."""
        count = sum(len(parse(p, NOW)) for p in packets)
        sent = [(packet, self.send(packet)) for packet in packets]
        while len(self.requests.cycles) < count:
            await self.bench.wait(10)
        first, last = self.requests.cycles[0], self.requests.cycles[-1]
        for packet, conn in sent:
            await self.expect(packet, conn)
        self.requests.cycles.clear()
        return last - first


@cocotb.test()
@cocotb.parametrize(
    most_bytes=[structs.constant("LeastItemBytes"), 123_457, MAX_ITEM, LARGEST_ITEM]
)
async def largest_item(dut, most_bytes):
    """The host says how large an item may be, to a byte: in both protocols, with flags and without,
    joined ones among them."""
    parser = await Parser.start(dut, most_bytes=most_bytes)
    packets = []
    for key in (b"a", b"k" * 32):
        for over in range(-2, 3):
            room = most_bytes - ITEM_BYTES - len(key) + over
            for flags, length in ((0, room), (7, room - FLAG_BYTES)):
                packets += [
                    b"set %b %d 0 %d\r\nversion\r\n" % (key, flags, length),
                    b"append %b %d 0 %d noreply\r\nversion\r\n" % (key, flags, length),
                    header(SET, len(key), 8, 8 + len(key) + length, 1)
                    + flags.to_bytes(4, "big")
                    + bytes(4)
                    + key,
                ]
                packets.append(b"ms %b %d F%d\r\nx\r\n" % (key, length, flags))
            packets.append(header(0x0E, len(key), 0, len(key) + room, 1) + key + b"x")
    await parser.check(packets)


@cocotb.test()
async def key_lengths(dut):
    """Every length of key at every alignment, in both protocols, single and in a multi-get."""
    parser = await Parser.start(dut)
    packets = []
    for length in range(1, 252):
        key = bytes(random.choice(b"abcdefgh") for _ in range(length))
        at = length % 8
        packets += [
            b" " * at + b"get " + key + b"\r\n",
            b" " * (at ^ 5) + b"set " + key + b" 0 0 1\r\nx\r\n",
            b"get " + b"q" * (at + 1) + b" " + key + b" z\n",
            traffic.binary(12, key[:250], opaque=length),
            b" " * at + b"gat 9 " + key + b"\r\n",
            b"gats 12345678901 " + b"q" * (at + 1) + b" " + key + b" z\n",
            b" " * at + b"touch " + key + b" 100\r\n",
            b" " * at + b"decr " + key + b" 100\r\n",
            b" " * at + b"mg " + key + b" v k\r\nmd " + key + b" q\r\n",
            b" " * at + b"ms " + key + b" 1 k T9\r\nx\r\nmg " + key + b"\n",
        ]
    for length in (255, 256, 257, 263, 264, 265, 300, 520, 1000):  # far beyond the longest
        key = b"k" * length
        packets += [b"get %b\r\n" % key, b"set %b 0 0 1\r\nx\r\n" % key, b"delete %b\r\n" % key]
    for length in range(1, 40):
        for at in range(8):
            key = bytes(random.choice(b"abcdefgh") for _ in range(length))
            packets.append(b"get " + b"q" * (at + 1) + b" " + key + b"\r\n")
            quiet = traffic.binary(9, b"k" * (at + 1), opaque=at)
            packets.append(quiet + traffic.binary(13, key) + traffic.binary(10))
    await parser.check(packets)


@cocotb.test()
async def delimiters_past_the_end(dut):
    """A packet's last word goes on with what would end a token or a line, were it inside."""
    parser = await Parser.start(dut)
    line = b"set k 0 0 1 noreply\r\n1\r\nget k\r\ndelete k 0\r\nversion\r\n"
    cut = [line[begin:end] for begin in (0, 24, 31, 43) for end in range(begin + 1, len(line))]
    for past_end in (b" ", b"\r", b"\n", b"\0"):
        await parser.check([p for packet in cut for p in (packet, b"get q\r\n")], past_end)


@cocotb.test()
async def value_lengths(dut):
    parser = await Parser.start(dut)
    packets = []
    for length in [*range(0, 70), *range(70, 1401, 37), *range(1390, 1401)]:
        for at in range(8) if length < 40 else (length % 8,):
            data = random.randbytes(length)
            packets.append(b"set " + b"k" * (at + 1) + b" 3 9 %d\r\n" % length + data + b"\r\n")
            packets.append(traffic.binary(1, b"k" * (at + 1), bytes(range(8)), data, cas=at))
            packets.append(
                traffic.binary(0x11, b"k" * (at + 1), bytes(8), data[:9]) + traffic.binary(10)
            )
    await parser.check(packets)


@cocotb.test()
async def multi_get(dut):
    parser = await Parser.start(dut)
    packets = []
    for count in (1, 2, 23, 24, 25, 100, 300, 690):
        size = 2 if count > 300 else 3
        keys = [bytes(random.choices(b"abcd", k=random.randint(1, size))) for _ in range(count)]
        packets.append(b"get " + b" ".join(keys)[:1380] + b"\r\n")
        packets.append(b"gets  " + b"  ".join(keys)[:1380] + b" \r\n")
    packets.append(b"".join(traffic.binary(9, b"k%d" % i) for i in range(44)) + traffic.binary(10))
    await parser.check(packets)


@cocotb.test()
async def touches(dut):
    """Keys behind a time: of binary extras of four bytes at every alignment, of lines with times of
    every length, each with another time than the one before."""
    parser = await Parser.start(dut)
    packets = []
    for length in (*range(1, 42), 249, 250):
        for at in range(8):
            key = bytes(random.choices(b"abcdefgh", k=length))
            when = struct.pack(">I", random.choice((length, 2592001 + at, 2**32 - 1 - at)))
            opcode = random.choice((0x1C, 0x1D, 0x1E, 0x23, 0x24))
            before = traffic.binary(9, b"k" * (at + 1), opaque=at)
            again = traffic.binary(0x1E, b"q" * (at + 1), struct.pack(">I", at), opaque=1)
            flush = traffic.binary(0x18, b"", struct.pack(">I", at + length), opaque=2)
            touch = traffic.binary(opcode, key, when, opaque=at)
            packets += [before + touch + traffic.binary(10), touch + again + touch, flush + touch]
            packets.append(traffic.binary(1, key, bytes(range(8)), b"v" * at) + touch + flush)
    for digits in range(1, 24):
        for key in (b"k", b"k" * 17):
            time = b"%d" % random.randrange(10 ** (digits - 1), 10**digits)
            for number in (time, b"-" + time, b"0" * (digits % 9) + time, time + b"x"):
                line = b"gat " + number + b" " + key + b" b\r\n"
                line += b"touch " + key + b" " + number + b"\r\ngats " + number + b"\r\n"
                packets += [line, line + b"set a 7 " + number + b" 1\r\nx\r\n" + line]
    packets = some(packets, 3)
    await parser.check(packets)
    parser.source.pace.willing = 0.7
    for sink in parser.sinks:
        sink.pace.willing = 0.5
    random.shuffle(packets)
    await parser.check(packets)


def count_packets():
    """Deltas of every form behind keys of every alignment; extras of 20 bytes likewise, and behind
    and before requests with other ones."""
    draw = random.Random(random.getrandbits(32))
    packets = []
    deltas = [*traffic.NUMBERS, b"noreply", b"1 x", b"1 noreply", b"x noreply", b"noreply 1"]
    for digits in range(1, 24):
        number = b"%d" % random.randrange(10 ** (digits - 1), 10**digits)
        deltas += [number, b"-" + number, b"\t+" + number, b"0" * digits + number, number + b"\tx"]
    for at, delta in enumerate(deltas):
        for length in (at % 9 + 1, 17, 250, 251):
            line = (b"incr", b"decr")[at % 2] + b" " + b"k" * length + b" " + delta + b"\r\n"
            packets += [line, line + b"cas a 0 0 1 7\r\nx\r\n" + line]
    for length in (*range(1, 42), 249, 250):
        for at in range(8):
            key = bytes(random.choices(b"abcdefgh", k=length))
            before = traffic.binary(9, b"k" * (at + 1), opaque=at)
            extras = [traffic.count_extras(draw) for _ in range(3)]
            opcode = random.choice((5, 6, 0x15, 0x16))
            count = traffic.binary(opcode, key, extras[0], opaque=at, cas=random.choice((0, at)))
            other = traffic.binary(0x15, b"q" * (at + 1), extras[1])
            touch = traffic.binary(0x1C, key, extras[2][-4:])
            store = traffic.binary(1, key, extras[2][:8], b"v" * at)
            packets += [before + count + traffic.binary(10), count + other + count, touch + count]
            packets += [store + count + store + count, count + touch]
    whole = traffic.binary(5, b"k" * 9, extras[0]) + traffic.binary(10)
    line = b"incr " + b"k" * 9 + b" 12345678901 noreply\r\n"
    packets += [cut[:length] for cut in (whole, line) for length in range(1, len(cut))]
    return packets


@cocotb.test()
async def counts(dut):
    """incr and decr: numbers of 64 bits, in text and in extras."""
    parser = await Parser.start(dut)
    packets = some(count_packets(), 3)
    await parser.check(packets)
    parser.source.pace.willing = 0.7
    for sink in parser.sinks:
        sink.pace.willing = 0.5
    await parser.check(random.sample(packets, len(packets) // 3))


@cocotb.test()
async def without_made_values(dut):
    """incr and decr are no commands then, whatever their shape, and nothing else is another."""
    parser = await Parser.start(dut)
    packets = [*request_rows.lines(), *request_rows.headers(), *ASCII_CASES, *binary_cases()]
    packets += [*count_packets()[::5], *(packet for packet, _ in cut_binary())]
    draw = random.Random(random.getrandbits(32))
    packets += [traffic.packet(draw) for _ in range(700)]
    await parser.check(packets, made_values=False)
    kinds = {o.op["op"] for packet in packets for o in parse(packet, NOW, made_values=False)}
    assert not kinds & {OP["OpIncr"], OP["OpDecr"], OP["OpAppend"], OP["OpPrepend"]}


@cocotb.test()
async def without_meta(dut):
    """mn, mg, ms, md and ma are no commands then, and nothing else is another."""
    parser = await Parser.start(dut)
    packets = [*request_rows.lines(), *request_rows.headers(), *ASCII_CASES]
    draw = random.Random(random.getrandbits(32))
    packets += [traffic.packet(draw) for _ in range(700)]
    await parser.check(packets, meta=False)
    assert not any(o.op.get("meta") for p in packets for o in parse(p, NOW, meta=False))
    assert any(o.op.get("meta") for p in packets for o in parse(p, NOW))


@cocotb.test()
async def opaques(dut):
    """Every number of bytes behind an O, at every alignment, before the line's end and not."""
    parser = await Parser.start(dut)
    packets = []
    for length in range(0, 70):
        opaque = bytes(random.choice(b"abcO \r\t\xff".replace(b" ", b"")) for _ in range(length))
        for at in range(8):
            key = b"k" * (at + 1)
            packets += [
                b"mg " + key + b" O" + opaque + b"\r\nmg a k O" + opaque + b"\n",
                b"mg " + key + b" O" + opaque + b" v k\r\nmn\r\n",
                b"md " + key + b" q O" + opaque + b" O" + opaque + b" \r\nmd a O" + opaque + b"\n",
                b"ms " + key + b" 1 O" + opaque + b"  C5\r\nx\r\nms a 0 T5 O" + opaque + b"\n\r\n",
                b"ms " + key + b" 2 O" + opaque + b" C\r\nx\r\nmg a O" + opaque + b"\0",
            ]
    await parser.check(packets)
    parser.source.pace.willing = 0.8
    parser.opaques.pace.willing = 0.3
    await parser.check(packets[::3])


@cocotb.test()
async def opaques_of_a_packet(dut):
    """All of a packet's wait in the queue, for its answer may wait for the end of the message."""
    parser = await Parser.start(dut)
    for line in (b"mg k O\n", b"mg k O123456789\n", b"mg k O" + b"o" * 31 + b"\n"):
        packet = line * (1472 // len(line))
        parser.opaques.pace.willing = 0.0
        sent = [(packet, parser.send(packet))]
        await parser.bench.wait(6000)
        assert len(parser.requests.items) == 1472 // len(line)
        sent += [(packet, parser.send(packet)) for _ in range(3)]
        await parser.bench.wait(3000)
        parser.opaques.pace.willing = 0.7
        for packet, conn in sent:
            await parser.expect(packet, conn)


@cocotb.test()
async def encoded_keys(dut):
    """Keys in base64 of every length, each character wrong, and with some that mean nothing."""
    parser = await Parser.start(dut, 0.9, 0.9)
    texts = [b64encode(random.randbytes(length)) for length in range(1, 188)]
    for text in [texts[n] for n in (0, 1, 2, 3, 4, 5, 6, 7, 10, 11)]:
        for at in range(len(text) + 1):
            for odd in (b"=", b"==", b"*", b"-_", b"\x80", b"A"):
                texts += [text[:at] + odd + text[at:], text[:at] + odd + text[at + len(odd) :]]
    texts += [b"A" * length for length in range(1, 300)]
    texts += [bytes([byte]) + b"Zm9v" for byte in range(1, 256) if byte not in b"\n "]
    texts += [b"*" * 250, b"*" * 246 + b"Zm9v", b"Zm9v" + b"*" * 246, b"Zm8=" + b"Zm9v" * 61]
    packets = []
    for number, text in enumerate(texts):
        shape = number % 4
        line = [b"mg %b b k v", b"ms %b 2 k b\r\nab", b"md %b O1 b q", b"ma %b T9 b D3"][shape]
        behind = (b"mg a b", b"mg %b" % text, b"mn")[number % 3]
        packets.append(line % text + b"\r\n" + behind + b"\n")
    packets = some(packets, 3)
    await parser.check(packets)
    parser.keys.pace.willing = 0.2
    await parser.check(packets[::5])


@cocotb.test()
async def host_commands(dut):
    """Lines and keys of every length, among others, in turns of both protocols."""
    parser = await Parser.start(dut, 0.8, 0.8)
    packets = []
    for length in [*range(1, 80), 249, 250, 251]:
        word = bytes(random.choice(b"abcdefgh") for _ in range(length))
        stat = traffic.binary(0x10, word, opaque=length)
        packets += [
            b" " * (length % 9) + b"stats " + word + b"  x\r\n",
            b"get a\r\nlru_crawler " + word + b"\r\nget b\r\n",
            stat,
            b"stats\n",
            traffic.binary(0x10) + stat + traffic.binary(0x0A) + traffic.binary(0x10),
            b"cache_memlimit " + b"1 " * length + b"\0 2\r\nstats",
            traffic.binary(0x10, word, b"1234"),
        ]
    await parser.check(packets)


@cocotb.test()
async def busy_host(dut):
    """Without room commands of the host are errors, and end no message."""
    parser = await Parser.start(dut, room=False)
    stat = traffic.binary(0x10, b"items", opaque=1)
    packets = [b"stats\r\nget a\r\nslabs x\r\n", stat + traffic.binary(0x0A) + stat, b"stats"]
    await parser.check([*packets, b"stats\n" * 244], room=False)


@cocotb.test()
async def many_operations(dut):
    """A packet of many becomes several messages, at the end of a command, whatever it is."""
    parser = await Parser.start(dut)
    key = b" a" * MESSAGE_OPERATIONS
    get = traffic.binary(0x00, b"a")
    packet = [
        *(b"\n" * count for count in (255, 256, 257, 512, 513, 1464, 1472)),
        *(b"get a\n" + b"\n" * count for count in (254, 255, 256, 1458)),
        *(b"\n" * count + b"get" + key + b"\r\n" for count in (0, 1, 254, 255, 256)),
        *(b"\n" * count + b"get" + key + b"\r\nget b c\r\nversion\r\n" for count in (0, 1, 255)),
        b"get" + b" a" * 730 + b"\r\n\n",
        b"get" + key + b" " + b"k" * 251 + b" b\r\nget c\r\n",  # takes back a whole message
        b"\n" * 255 + b"get a" + key,
        b"\n" * 255 + b"gat 10" + key + b"\r\ngats 1 b c\r\nversion\r\n",
        b"gat 10" + key + b" " + b"k" * 251 + b" b\r\nget c\r\n",
        b"\n" * 255 + b"gat 10 a" + key,
        *(get * count for count in (1, 58)),
    ]
    assert any(o.op.get("more") for p in packet for o in parse(p, NOW))
    await parser.check([*packet, b"get a\r\n"])


def connections(draw):
    """Packets of TCP, and whether each is binary: long ones, and those whose first bytes say
    otherwise."""
    long_key = b"k" * 251
    packets = []
    for packet in [*ASCII_CASES, *binary_cases(), b"\x80", b"g", b"\x80get a\r\n", b"\x80\r\n"]:
        packets += [(packet, False), (packet, True)]
    texts = [packet for packet in (traffic.packet(draw) for _ in range(400)) if packet[0] != 0x80]
    binaries = [traffic.binary(draw.choice((0, 9, 12, 13, 4)), b"k" * draw.randint(1, 250))]
    for length in (0, 1, 7, 8, 9, 100, 1472, 4000, 4063, 4064, 4065, 9000):
        value = random.randbytes(length)
        binaries.append(traffic.binary(draw.choice((1, 2, 0x11)), b"k" * 9, bytes(8), value))
        binaries.append(traffic.binary(draw.choice((0x0E, 0x1A)), b"k", b"", value))
        texts += [b"set k 1 0 %d\r\n%b\r\n" % (length, value)] * 3
        texts.append(b"ms key %d MA k O1\r\n%b\r\n" % (length, value))
        texts.append(b"cas k 0 0 %d 7 noreply\r\n%b\r\n" % (length, value))
    binaries += [traffic.binary(5, b"k" * draw.randint(1, 250), bytes(20)) for _ in range(20)]
    binaries += [traffic.binary(0x10, b"items"), traffic.binary(10), traffic.binary(0x77, b"k")]
    for count in (2, 3, 5, 100, 300):
        packets.append((b"".join(draw.choices(texts, k=count)), False))
        packets.append((b"".join(draw.choices(binaries, k=count)), True))
    for size, count in ((1, 3000), (2, 3000), (8, 300), (9, 300), (250, 60)):
        keys = b"".join(b" %b" % bytes(draw.choices(b"abcd", k=size)) for _ in range(count))
        for end in (b"\r\n", b"", b"\n\nget a b\r\n", b" %b a\r\nget c\r\n" % long_key):
            packets.append((b"gets" + keys + end, False))
        packets.append((b"\n" * draw.randint(0, 130) + b"gat 10" + keys + b"\nmn\n", False))
    for least in range(60, 70):  # a message ends with the key that is the last, or beside it
        get = b"get" + b" a" * least + b"\r\n"
        packets += [
            (get, False),
            (get + b"version\r\n", False),
            (get * 3 + b"stats\n" + get, False),
        ]
        packets.append((get + b"set a 0 0 1\r\nx\r\n" + get + b"set a 0 0 5000\r\n", False))
        packets.append((traffic.binary(0, b"a") * least + traffic.binary(10), True))
        packets.append((traffic.binary(9, b"k" * 250) * least + traffic.binary(10), True))
    for line in (b"\n", b"x\n", b"mg a v\n", b"mg a O12345678901 k\n", b"ma %b\n" % (b"k" * 250)):
        packets.append((line * (5000 // len(line)), False))
    packets.append((b"set a 0 0 1\r\nx\r\n" * 300, False))
    packets.append((b"stats\r\n" * 20 + b"quit\r\nget a\r\n", False))
    draw.shuffle(packets)
    return packets


@cocotb.test()
async def tcp(dut):
    """Packets of TCP among those of UDP, in both protocols, whatever their first byte is."""
    draw = random.Random(random.getrandbits(32))
    for willing_in, willing_out in ((1.0, 1.0), (0.9, 0.6)):
        parser = await Parser.start(dut, willing_in, willing_out)
        packets = connections(draw)
        kinds = Counter(binary != (packet[:1] == b"\x80") for packet, binary in packets)
        assert min(kinds[False], kinds[True]) > 100, kinds
        torn = [o.op for p, b in packets for o in parse(p, NOW, tcp=b) if o.op.get("more")]
        assert any(op["op"] == OP["OpGet"] and not op.get("cmd_last") for op in torn)
        packets = some(packets, 3 if willing_out == 1.0 else 8)
        while packets:
            batch = [packets.pop() for _ in range(min(20, len(packets)))]
            batch += [(traffic.packet(draw), None) for _ in range(10)]
            draw.shuffle(batch)
            await parser.check_kinds(batch)


@cocotb.test()
async def opaques_of_tcp(dut):
    """What comes with O is taken when its message is whole, and not before: so no packet stands
    still, however long it is."""
    parser = await Parser.start(dut)
    for line in (
        b"mg k O\n",
        b"mg %b O%b k\n" % (b"k" * 250, b"o" * 31),
        b"ms k 1 O12345678901\nx\n",
    ):
        packet = line * (20_000 // len(line))
        out = parse(packet, NOW, tcp=False)
        whole, taken_before = [], len(parser.opaques.cycles)
        count = 0
        for operation in out:
            count += max(1, -(-len(operation.opaque or b"") // 8)) * (operation.opaque is not None)
            whole.append(count if operation.op.get("last") else 0)
        before = len(parser.requests.cycles)
        conn = parser.send(packet, tcp=False)
        checks = cocotb.start_soon(parser.expect(packet, conn, tcp=False))
        for _ in range(len(packet) * 3):
            came = len(parser.requests.cycles) - before
            allowed = max(whole[:came], default=0)
            taken = len(parser.opaques.cycles) - taken_before
            parser.opaques.pace.willing = float(taken < allowed)
            if checks.done():
                break
            await parser.bench.wait(1)
        assert checks.done(), f"{line!r}: {came} of {len(out)} operations"
        await checks


@cocotb.test()
async def long_values(dut):
    """Values of up to 1 MiB, in a queue that holds two of them."""
    parser = await Parser.start(dut)
    largest = MAX_ITEM - ITEM_BYTES - 1
    store_bytes = (int(dut.ValueWords.value) // 2 - 4) * 8
    assert store_bytes >= largest
    value = random.randbytes(largest)
    get = b"get a" + b" b" * 200 + b"\r\n"
    packets = [
        (b"set k 0 0 %d\r\n%b\r\n" % (largest, value) * 2 + get, False),
        (traffic.binary(1, b"k", bytes(8), value) + traffic.binary(10), True),
        (get + b"append k 0 0 %d\r\n%b\r\n" % (largest - 100, value[100:]) + get, False),
        (b"set k 0 0 %d\r\n" % (largest + 1), False),
    ]
    await parser.check_kinds(packets, store_bytes=store_bytes)


@cocotb.test()
async def corners(dut):
    """The corners that were probed on memcached; test_oracle.py runs the same list there."""
    parser = await Parser.start(dut)
    packets = [*ASCII_CASES, *binary_cases()]
    for packet in list(packets):
        packets.append(packet[:-1] or b"x")
    packets += [packet for packet, _ in cut_binary()]
    await parser.check(packets)
    for packet in some(packets, 3):  # alone, nothing behind it to push it out
        await parser.check([packet])


@cocotb.test()
async def every_row(dut):
    """Every shape of every row of the tables, packets back to back; some of them with pauses."""
    parser = await Parser.start(dut)
    packets = some([*request_rows.lines(), *request_rows.headers()], 3)
    await parser.check(packets)
    parser.source.pace.willing = 0.6
    for sink in parser.sinks:
        sink.pace.willing = 0.6
    await parser.check(some(packets, 2))


@cocotb.test()
async def mixed(dut):
    parser = await Parser.start(dut)
    for willing_in, willing_out in ((1.0, 1.0), (0.5, 1.0), (1.0, 0.4), (0.7, 0.7)):
        parser.source.pace.willing = willing_in
        for sink in parser.sinks:
            sink.pace.willing = willing_out
        draw = random.Random(random.getrandbits(32))
        await parser.check(some([traffic.packet(draw) for _ in range(700)], 2))


@cocotb.test()
async def noise(dut):
    """Bytes that mean something, in no order."""
    parser = await Parser.start(dut, 1.0, 0.8)
    packets = []
    for _ in range(1500):
        alphabet = random.choice(
            (b"\r\n \0a", b"    \0\0\na", b"set get 01\r\n", b"\r\nget ", bytes(range(256)))
        )
        length = random.randint(1, 60)
        data = bytes(random.choice(alphabet) for _ in range(length))
        packets.append(random.choice((b"", b"get ", b"set a 0 0 ", b"\x80")) + data)
    await parser.check(packets)


@cocotb.test()
async def costs(dut):
    """Cycles per packet or operation at full speed; README.md quotes these."""
    parser = await Parser.start(dut)
    get = traffic.binary(0, b"abcdef", opaque=1)
    several = b"".join(traffic.binary(9, b"abcdef", opaque=i) for i in range(40))
    limits = [
        ("binary get of 6 bytes, a packet each", [get] * 100, 99, 5.0),
        ("ascii get of 6 bytes, a packet each", [b"get abcdef\r\n"] * 100, 99, 3.0),
        ("40 binary gets in a packet", [several] * 10, 399, 4.1),
        ("multi-get of 200 keys of 6 bytes", [b"get" + b" abcdef" * 190 + b"\r\n"] * 5, 949, 1.05),
        ("pipelined gets of 16 bytes", [b"get 0123456789abcdef\r\n" * 60] * 3, 179, 3.6),
        ("set of 1 byte", [b"set a 0 0 1\r\nx\r\n"] * 100, 99, 10.0),
        ("set of 32 bytes", [b"set abcdef 0 0 32\r\n" + bytes(32) + b"\r\n"] * 100, 99, 14.0),
        ("set of 1400 bytes", [b"set abcdef 0 0 1400\r\n" + bytes(1400) + b"\r\n"] * 20, 19, 185.0),
        ("binary set of 1 byte", [traffic.binary(1, b"abcdef", bytes(8), b"x")] * 100, 99, 9.0),
        ("binary set of 1400", [traffic.binary(1, b"k", bytes(8), bytes(1400))] * 20, 19, 183.0),
        ("delete", [b"delete abcdef\r\n"] * 100, 99, 4.0),
        ("touch", [b"touch abcdef 604800\r\n"] * 100, 99, 9.0),
        ("gat of 6 bytes", [b"gat 604800 abcdef\r\n"] * 100, 99, 8.0),
        ("gat of 190 keys", [b"gat 9" + b" abcdef" * 190 + b"\r\n"] * 5, 949, 1.07),
        ("binary touch", [traffic.binary(0x1C, b"abcdef", bytes(4))] * 100, 99, 8.0),
        ("binary gat", [traffic.binary(0x1D, b"abcdef", bytes(4))] * 100, 99, 8.0),
        ("incr by 1", [b"incr abcdef 1\r\n"] * 100, 99, 10.0),
        ("incr by 20 digits", [b"incr abcdef 18446744073709551615\r\n"] * 100, 99, 31.0),
        ("binary incr", [traffic.binary(5, b"abcdef", bytes(20))] * 100, 99, 10.0),
        ("pipelined mg of 16 bytes", [b"mg 0123456789abcdef v\r\n" * 60] * 3, 179, 5.2),
        ("mg of 6 bytes, a packet each", [b"mg abcdef v\r\n"] * 100, 99, 5.0),
        ("mg with six flags", [b"mg abcdef v k f t c O123\r\n"] * 100, 99, 10.0),
        ("mg and touch", [b"mg abcdef T604800\r\n"] * 100, 99, 9.0),
        ("mg that creates", [b"mg abcdef N604800\r\n"] * 100, 99, 9.0),
        ("ms of 1 byte", [b"ms abcdef 1\r\nx\r\n"] * 100, 99, 8.0),
        ("ms of 32 bytes", [b"ms abcdef 32 T0\r\n" + bytes(32) + b"\r\n"] * 100, 99, 15.0),
        ("md", [b"md abcdef q\r\n"] * 100, 99, 6.0),
        ("ma", [b"ma abcdef v\r\n"] * 100, 99, 5.0),
        ("ma by 1", [b"ma abcdef D1 v\r\n"] * 100, 99, 13.0),
        ("ma of two numbers", [b"ma abcdef N0 J7 v\r\n"] * 100, 99, 18.0),
        ("ma of four numbers", [b"ma abcdef N604800 J7 D3 C123456 v\r\n"] * 100, 99, 39.0),
        ("get of 250 bytes", [b"get " + b"k" * 250 + b"\r\n"] * 20, 19, 34.0),
    ]
    for name, packets, steps, limit in limits:
        each = await parser.cycles(packets) / steps
        dut._log.info(f"{name}: {each:.2f} cycles")
        assert each <= limit, f"{name}: {each:.2f} cycles, more than {limit}"


def slot_cycles(packet):
    """What a packet takes of the wire, without memcached's frame header."""
    frame = max(14 + 20 + 8 + len(packet), 60)
    return (8 + frame + 4 + 12) / 8


@cocotb.test()
async def line_rate(dut):
    """Every form of request, one a packet, at every size that matters: no slower than the wire."""
    parser = await Parser.start(dut)
    alike = (*range(1, 11), *range(14, 19), *range(23, 27), *range(31, 35))
    sizes = [(n, n) for n in (*alike, 64, 65, 97, 100, 249, 250)]
    sizes += [(1, 8), (8, 1), (1, 250), (250, 1), (16, 7), (7, 16), (250, 8), (8, 250)]
    worst: dict[str, Any] = {}
    for key_len, value_len in some(sizes, 3):
        key, data = b"k" * key_len, b"v" * value_len
        forms = {
            "get": b"get %b\r\n" % key,
            "gets": b"gets %b\r\n" % key,
            "gat": b"gat 0 %b\r\n" % key,
            "gat, ten digits": b"gat 1800000000 %b\r\n" % key,
            "touch": b"touch %b 0\r\n" % key,
            "touch, ten digits": b"touch %b 1800000000\r\n" % key,
            "delete": b"delete %b\r\n" % key,
            "delete noreply": b"delete %b noreply\r\n" % key,
            "set": b"set %b 0 0 %d\r\n%b\r\n" % (key, value_len, data),
            "set, a week": b"set %b 7 604800 %d\r\n%b\r\n" % (key, value_len, data),
            "set, eight digits": b"set %b 12345678 0 %d\r\n%b\r\n" % (key, value_len, data),
            "set, ten digits": b"set %b 4294967295 1800000000 %d\r\n%b\r\n"
            % (key, value_len, data),
            "set, till a date": b"set %b 0 1800000000 %d\r\n%b\r\n" % (key, value_len, data),
            "set noreply": b"set %b 0 0 %d noreply\r\n%b\r\n" % (key, value_len, data),
            "mg": b"mg %b v\r\n" % key,
            "ms": b"ms %b %d\r\n%b\r\n" % (key, value_len, data),
            "ms, a week": b"ms %b %d T604800 F7\r\n%b\r\n" % (key, value_len, data),
            "md": b"md %b q\r\n" % key,
            "binary get": traffic.binary(0, key),
            "binary getk": traffic.binary(12, key),
            "binary set": traffic.binary(1, key, bytes(8), data),
            "binary delete": traffic.binary(4, key),
            "binary touch": traffic.binary(0x1C, key, bytes(4)),
            "binary gatk": traffic.binary(0x23, key, bytes(4)),
            "binary incr": traffic.binary(5, key, bytes(20)),
        }
        for name, packet in forms.items():
            each = await parser.cycles([packet] * 20) / 19
            limit = slot_cycles(packet)
            point = (each / limit, each, limit, key_len, value_len)
            worst[name] = max(worst.get(name, (0,)), point)
    for name, (_, each, limit, key_len, value_len) in worst.items():
        where = f"{name} {key_len}/{value_len}"
        dut._log.info(f"closest to the wire: {where}: {each:.2f} of {limit:.2f} cycles")
    # of its wire's cycles; the verdict on flags comes behind the line
    most = {"ms, a week": 1.28}
    assert all(w[0] <= most.get(name, 1) for name, w in worst.items())


async def cycles_a_packet(parser, packet, count=6):
    """From the last operation of a packet to that of the next, at full speed, once it is steady."""
    each = len(parse(packet, NOW))
    sent = [parser.send(packet) for _ in range(count)]
    while len(parser.requests.cycles) < count * each:
        await parser.bench.wait(10)
    at = parser.requests.cycles
    cycles = (at[count * each - 1] - at[2 * each - 1]) / (count - 2)
    for conn in sent:
        await parser.expect(packet, conn)
    at.clear()
    return cycles


# Cycles that a word of eight bytes of such a packet takes at most. README.md quotes these.
MOST = {
    "get and spaces": 1.06,
    "spaces alone": 1.06,
    "get a and NULs": 1.06,
    "spaces between keys": 1.55,
    "a space and a NUL by turns": 4.05,
    "one-letter keys": 4.04,
    "words of no command": 4.05,
    "line ends": 16.05,
    "CR LF": 8.05,
    "one-letter lines": 8.05,
    "get without a key": 4.05,
    "get a": 2.72,
    "delete a": 2.72,
    "set cut short": 4.05,
    "set a": 4.05,
    "set of no byte": 5.2,
    "set of one byte": 4.85,
    "cas of no byte": 6.55,
    "version": 2.06,
    "flush_all": 2.45,
    "verbosity 1": 6.05,
    "flush_all with a sign": 7.44,
    "flags with a sign": 7.52,
    "length with leading zeros": 8.94,
    "cas of a full number": 8.5,
    "cas with leading zeros": 8.55,
    "touch a 0": 6.45,
    "touch a -1": 8.78,
    "gat 0": 9.38,
    "gat x": 13.38,
    "gat 0 and a space": 9.19,
    "gat x and a space": 13.76,
    "gat 0 k": 7.05,
    "gat x k": 12.05,
    "gat -1 k": 10.72,
    "gat of a time of eleven digits": 9.83,
    "incr cut short": 3.45,
    "incr a 1": 8.05,
    "decr a x": 8.05,
    "incr a 1 noreply": 4.28,
    "incr by 17 digits": 8.68,
    "incr by a full number": 8.62,
    "mn": 5.38,
    "mg k": 4.84,
    "mg k v": 4.61,
    "mg k O": 4.61,
    "mg k T0": 8.05,
    "mg k Tx": 12.05,
    "mg k N0": 8.05,
    "mg k Nx": 12.05,
    "mg k and all numbers": 13.25,
    "mg k, N and all numbers": 13.25,
    "mg k and no numbers": 21.0,
    "mg k b and no numbers": 23.55,
    "mg k and 300 flags": 4.05,
    "mg k O of 31 bytes": 1.56,
    "mg k and all flags": 5.17,
    "mg k and 700 times v": 4.05,
    "md k q": 4.61,
    "mg k b": 13.78,
    "mg and a key of one byte in base64": 12.05,
    "mg and N, and a key of one byte in base64": 13.0,
    "mg and a key of 186 bytes in base64": 9.17,
    "ms and a key of one byte in base64": 11.5,
    "ma k b and no numbers": 24.05,
    "ma k": 4.84,
    "ma k and all numbers": 16.45,
    "ma k and no numbers": 21.9,
    "ma k and 700 times D": 4.15,
    "ma k D of 20 digits": 9.25,
    "ms k and no more": 4.84,
    "ms k 0": 6.27,
    "ms k 1": 5.65,
    "ms k 1 T0 F1": 6.55,
    "ms k 1 C of 20 digits": 9.05,
    "ms k 1 Z": 6.05,
    "gat of one-letter keys": 4.06,
    "time of 1,400 digits": 9.05,
    "delta of 1,400 digits": 9.05,
    "flags of 1,400 digits": 9.03,
    "length of 1,400 digits": 9.05,
    "CAS number of 1,400 digits": 9.02,
    "no-ops": 1.71,
    "versions": 1.71,
    "loud gets": 1.33,
    "quiet gets": 1.33,
    "touches": 1.98,
    "quiet gats": 1.98,
    "flushes with a delay": 2.62,
    "increments": 1.65,
    "loud sets of no byte": 1.5,
    "quiet sets of no byte": 1.5,
    "unknown ones": 1.71,
    "unknown ones with a body": 1.65,
}


@cocotb.test()
async def worst_case(dut):
    """Cycles a word of the densest inputs of every kind, queues taken at full speed."""
    parser = await Parser.start(dut)
    slow = []
    for name, packet in some([*(dense.packets() | traffic.dense_numbers()).items()], 2):
        cycles = await cycles_a_packet(parser, packet)
        each = cycles / (len(packet) / 8)
        operations = cycles / len(parse(packet, NOW))
        wire = cycles / slot_cycles(packet)
        dut._log.info(f"{name}: {each:.2f} a word, {operations:.2f} an operation, {wire:.2f} wire")
        if each > MOST[name]:
            slow.append(f"{name}: {each:.2f} cycles a word, more than {MOST[name]}")
    assert not slow, "\n".join(slow)


@cocotb.test()
async def latency(dut):
    parser = await Parser.start(dut)
    parser.send(b"get abcdef\r\n")
    start = parser.bench.cycle() + 1  # at the end of the next cycle its first word is taken
    await parser.requests.get()
    cycles = parser.requests.cycles[-1] - start
    dut._log.info(f"latency of a get: {cycles} cycles")
    assert cycles <= 14


@cocotb.test()
async def small_queues(dut):
    """Values that the queue cannot hold are refused, and nothing waits for itself."""
    parser = await Parser.start(dut, 1.0, 0.5)
    store = (len(dut.value_level) and (1 << (len(dut.value_level) - 1)) // 2 - 4) * 8
    packets = []
    for length in [*range(store - 20, store + 20), *range(0, 1400, 99)]:
        packets.append(b"set k 0 0 %d\r\n" % length + bytes(length) + b"\r\nget k\r\n")
        packets.append(traffic.binary(0x11, b"k", bytes(8), bytes(length)) + traffic.binary(10))
    await parser.check([p for p in packets if len(p) < 1480], store_bytes=store)

    # Nothing of a value is taken before its operation has come, which is when the next is whole.
    # Words come slowly, so that the parser stops as soon as a queue asks for it.
    parser.source.pace.willing = 0.2
    for length in (store - 8, store - 1, store):
        line = b"set k 0 0 %d\r\n" % length + bytes(length) + b"\r\n"
        for packet in (line * 2, traffic.binary(0x11, b"k", bytes(8), bytes(length)) * 2):
            parser.values.pace.willing = 0.0
            conn = parser.send(packet)
            await parser.bench.wait(2000)
            assert parser.requests.items, f"two values of {length} bytes wait for each other"
            parser.values.pace.willing = 0.5
            await parser.expect(packet, conn, store_bytes=store)


ALL = (
    "key_lengths",
    "delimiters_past_the_end",
    "value_lengths",
    "multi_get",
    "touches",
    "counts",
    "many_operations",
    "opaques",
    "opaques_of_a_packet",
    "opaques_of_tcp",
    "tcp",
    "encoded_keys",
    "host_commands",
    "busy_host",
    "corners",
    "every_row",
    "mixed",
    "noise",
    "costs",
    "line_rate",
    "worst_case",
    "latency",
)


def test_wc_request():
    run("wc_request", __file__, tests=ALL)


def test_without_made_values():
    run("wc_request", __file__, {"MadeValues": 0}, tests=["without_made_values"])


def test_without_meta():
    run("wc_request", __file__, {"Meta": 0}, tests=["without_meta"])


def test_long_values():
    run("wc_request", __file__, {"ValueWords": 1 << 18}, tests=["long_values"])


@pytest.mark.parametrize(("key_words", "value_words", "requests"), [(128, 32, 8), (256, 128, 16)])
def test_small_queues(key_words, value_words, requests):
    parameters = {"KeyWords": key_words, "ValueWords": value_words, "Requests": requests}
    run("wc_request", __file__, parameters, tests=["small_queues"])
