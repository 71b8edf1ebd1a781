# SPDX-License-Identifier: Apache-2.0
"""wc_host_commands: a parser, a network stage and a host that is quick, slow, late or dead."""

import random

import cocotb
from cocotb.triggers import RisingEdge
from wirecache.circuit import structs
from wirecache.testbench.bench import Bench, run

PIECES = structs.constant("CommandPieces")
ANSWER_BYTES = structs.constant("CommandAnswerBytes")
LATE = b"SERVER_ERROR host does not answer\r\n"
LATE_BODY = b"Temporary failure"


class Port:
    """The module with what is around it. `put` is the parser and the network stage, which takes
    each answer into `answers` with who has asked; the test is the host."""

    def __init__(self, dut, bench, willing):
        self.dut, self.bench = dut, bench
        self.messages = bench.sink("message", "message_t", willing)
        self.words = bench.sink("word", None, willing)
        self.answers = []
        self.parts = 0  # answers that are not the last of their command
        self.asked = 0  # so many have
        self.events = dict.fromkeys(structs.field_names("command_events_t"), 0)
        self.limit = 1000
        cocotb.start_soon(self._take())
        cocotb.start_soon(self._count())

    @classmethod
    async def start(cls, dut, willing=1.0):
        names = ("line_i", "asker_valid_i", "asker_i", "host_i", "done_i", "milliseconds_i")
        inputs = dict.fromkeys(names, 0)
        bench = await Bench.start(dut, inputs)
        port = cls(dut, bench, willing)
        await bench.reset()
        await port.host()
        await bench.wait(2)
        return port

    async def _take(self):
        while True:
            message = await self.messages.get()
            asker = int(self.dut.asker_o.value) & 0xFFFF_FFFF
            self.whole = structs.unpack("asker_t", int(self.dut.asker_o.value))
            assert message["aside"] and not message["host"]
            self.parts += message["more"]
            size = message["bytes"]
            data = b"".join(
                [(await self.words.get()).to_bytes(8, "little") for _ in range((size + 7) // 8)]
            )
            assert not any(data[size:]), "bytes behind the end"
            self.answers.append((asker, data[:size]))
            self.dut.done_i.value = 1
            await RisingEdge(self.dut.clk_i)
            self.dut.done_i.value = 0

    async def _count(self):
        while True:
            await RisingEdge(self.dut.clk_i)
            bits = structs.unpack("command_events_t", int(self.dut.events_o.value))
            for name, happened in bits.items():
                self.events[name] += happened

    async def line(self, **fields):
        self.dut.line_i.value = structs.pack("command_line_t", **fields)
        await self.bench.wait(1)
        self.dut.line_i.value = 0

    async def put(self, pieces, ask=True, **fields):
        """A command of these pieces; behind lines that are none."""
        for noise in range(random.randint(0, 2)):
            for i in range(random.choice([1, 7, 12, 80])):
                await self.line(restart=int(i == 0), push=1, begins=1, data=noise + i)
        for i, piece in enumerate(pieces):
            data = int.from_bytes(piece, "little")
            with_put = dict(fields, put=1) if i == len(pieces) - 1 and random.getrandbits(1) else {}
            await self.line(restart=int(i == 0), push=1, begins=i % 2, data=data, **with_put)
            if with_put:
                break
        else:
            if not pieces:
                await self.line(restart=1)
            await self.line(put=1, **fields)
        if ask:
            await self.ask()

    async def ask(self, **tcp):
        asker = structs.pack("asker_t", who=100 + self.asked, **tcp)
        self.dut.asker_valid_i.value, self.dut.asker_i.value = 1, asker
        await self.bench.wait(1)
        self.dut.asker_valid_i.value = 0
        self.asked += 1

    async def host(self, **fields):
        self.dut.host_i.value = structs.pack("command_host_t", limit=self.limit, **fields)
        await self.bench.wait(1)
        self.dut.host_i.value = structs.pack("command_host_t", limit=self.limit)

    def head(self):
        return structs.unpack("command_head_t", int(self.dut.head_o.value))

    async def wait_for_command(self):
        while not self.head()["waits"]:
            await self.bench.wait(1)
        return self.head()

    async def write(self, answer):
        for at in range(0, len(answer), 4):
            part = answer[at : at + 4]
            junk = random.randbytes(4 - len(part))
            await self.host(push=1, data=int.from_bytes(part + junk, "little"))

    async def answer(self, answer, tag=None):
        tag = (await self.wait_for_command())["tag"] if tag is None else tag
        await self.write(answer)
        await self.host(send=1, tag=tag, bytes=len(answer))

    async def settle(self):
        for _ in range(20_000):
            await self.bench.wait(1)
            if not int(self.dut.irq_o.value):
                return
        raise AssertionError("a command is never answered")


@cocotb.test()
@cocotb.parametrize(willing=[1.0, 0.4])
async def answers_of_all_sizes(dut, willing):
    port = await Port.start(dut, willing)
    port.limit = 1 << 20
    sizes = [*range(1, 34), 1391, 1392, 1393, ANSWER_BYTES - 1, ANSWER_BYTES]
    expected = []
    for size in sizes:
        pieces = [random.randbytes(8) for _ in range(random.choice([0, 1, 5, 11, PIECES, 70]))]
        binary, opcode = size % 2, size % 256
        fields = dict(binary=binary, opcode=opcode, opaque=size * 77, key_len=size % 251)
        await port.put(pieces, **fields)
        head = await port.wait_for_command()
        assert head["pieces"] == min(len(pieces), PIECES)
        assert {name: head[name] for name in fields} == fields
        for i, piece in enumerate(pieces[:PIECES]):
            dut.host_i.value = structs.pack("command_host_t", limit=port.limit, piece=i)
            await port.bench.wait(3)
            assert int(dut.piece_o.value).to_bytes(8, "little") == piece
            assert int(dut.begins_o.value) == i % 2
        message = random.randbytes(size)
        await port.answer(message)
        expected.append((99 + port.asked, message))
        await port.settle()
    assert port.answers == expected
    assert port.events == {"taken": len(sizes), "refused": 0, "late": 0}


@cocotb.test()
async def a_dead_host(dut):
    """Every command has an error in its time, and in its protocol."""
    port = await Port.start(dut, 0.5)
    for binary in (0, 1, 1, 0):
        await port.put([b"stats"], binary=binary, opcode=0x10, opaque=0x04030201)
    begun = port.bench.cycle()
    await port.settle()
    assert port.limit - 40 < port.bench.cycle() - begun < port.limit + 150
    packet = b"\x81\x10\0\0\0\0\0\x86\0\0\0" + bytes([len(LATE_BODY)]) + b"\1\2\3\4"
    packet += bytes(8) + LATE_BODY
    texts = [LATE, packet, packet, LATE]
    assert port.answers == [(100 + i, text) for i, text in enumerate(texts)]
    assert port.events == {"taken": 4, "refused": 0, "late": 4}


@cocotb.test()
async def a_late_host(dut):
    """What it writes for a command that has been answered goes to nobody."""
    port = await Port.start(dut)
    await port.put([b"first"])
    await port.put([b"second"])
    tag = (await port.wait_for_command())["tag"]
    await port.write(b"half of ")
    while port.head()["tag"] == tag or not port.head()["waits"]:
        await port.bench.wait(1)
    port.limit = 1 << 20  # for the second command, which is late, too
    await port.settle()
    assert [data for _, data in port.answers] == [LATE, LATE]
    await port.put([b"third"])
    await port.wait_for_command()
    await port.answer(b"an answer to the first", tag)
    await port.answer(b"to the third")
    await port.settle()
    assert [data for _, data in port.answers] == [LATE, LATE, b"to the third"]


@cocotb.test()
async def what_a_host_must_not_do(dut):
    """More bytes than it wrote, more than there is room for, another tag: the command waits on."""
    port = await Port.start(dut)
    port.limit = 1 << 20
    await port.put([b"x"])
    tag = (await port.wait_for_command())["tag"]
    await port.write(b"12345678")
    await port.host(send=1, tag=tag, bytes=9)
    await port.host(send=1, tag=tag, bytes=8)  # forgotten
    await port.write(b"12345678")
    await port.host(send=1, tag=tag + 1, bytes=8)
    await port.write(bytes(ANSWER_BYTES + 8))
    await port.host(send=1, tag=tag, bytes=ANSWER_BYTES + 4)
    await port.bench.wait(20)
    assert not port.answers and port.head()["waits"]
    await port.host(send=1, tag=tag, bytes=0)  # there is none
    await port.settle()
    assert not port.answers and port.events["late"] == 0


@cocotb.test()
async def answers_in_parts(dut):
    """Over TCP alone; one of no bytes too, and who has asked is told. What is late is no part."""
    port = await Port.start(dut)
    wanted = []
    for tcp in (1, 0):
        for again in {0, tcp}:
            for size in (0, 8, ANSWER_BYTES):
                for more in (0, 1):
                    port.limit = 1 << 20
                    await port.put([b"x"], ask=False)
                    await port.ask(tcp=tcp, again=again)
                    tag = (await port.wait_for_command())["tag"]
                    asker = structs.unpack("asker_t", int(dut.asker_o.value))
                    assert asker == {"tcp": tcp, "again": again, "who": 99 + port.asked}
                    answer = random.randbytes(size)
                    await port.write(answer)
                    before, port.parts = len(port.answers), 0
                    await port.host(send=1, tag=tag, bytes=size, more=more)
                    await port.settle()
                    assert port.parts == (tcp and more)
                    wanted = [answer] if tcp or size else []
                    assert [data for _, data in port.answers[before:]] == wanted
    port.limit = 500
    await port.put([b"x"], ask=False)
    await port.ask(tcp=1)
    tag = (await port.wait_for_command())["tag"]
    await port.host(send=1, tag=tag + 1, bytes=0, more=1)
    await port.settle()
    assert port.answers[-1][1] == LATE and port.parts == 0


NAP = 1024  # ms
SLEEPERS = 32
PACE = 512  # cycles
PATIENCE = 65536
FEW = 4  # fewer commands than these that are not answered


@cocotb.test()
async def later(dut):
    """A command with nothing to say is asked again behind the next nap's end, in order. One more
    than may sleep comes again at once. Over UDP, or with bytes, `later` means nothing."""
    port = await Port.start(dut)
    port.limit = 1 << 20

    async def ask(size=0, **fields):
        asker = 100 + port.asked
        await port.put([b"watch"], ask=False)
        await port.ask(**({"tcp": 1} | fields))
        tag = (await port.wait_for_command())["tag"]
        await port.write(bytes(size))
        await port.host(send=1, tag=tag, bytes=size, more=1, later=1)
        await port.settle()
        return asker

    def soonest():
        return int(dut.awake_o.value) if int(dut.asleep_o.value) else None

    milliseconds = 0
    for turn in range(6):
        many = (1, 3, SLEEPERS, SLEEPERS + 2, 0, 2)[turn]
        before, port.parts = len(port.answers), 0
        askers = [await ask() for _ in range(many)]
        at_once = max(0, many - SLEEPERS)
        await port.bench.wait(50)
        assert [asker for asker, _ in port.answers[before:]] == askers[SLEEPERS:]
        assert port.parts == at_once
        assert soonest() == (None if many == 0 else (milliseconds // NAP + 1) * NAP % 2**18)
        if turn == 1:  # others come and go meanwhile
            assert await ask(tcp=0) not in [asker for asker, _ in port.answers]
            await ask(size=8, tcp=0)
            await ask(size=8)
            assert [data for _, data in port.answers[before:]] == [bytes(8)] * 2
            before += 2
            port.parts -= 1
        # No nap ends.
        milliseconds += NAP - 1 - milliseconds % NAP
        dut.milliseconds_i.value = milliseconds
        await port.bench.wait(50)
        assert len(port.answers) == before + at_once
        # One does, or many at once.
        milliseconds += random.choice((1, 7 * NAP))
        dut.milliseconds_i.value = milliseconds % 2**18
        await port.bench.wait((PACE + 12) * many + 50)
        woken = port.answers[before + at_once :]
        assert woken == [(asker, b"") for asker in askers[:SLEEPERS]]
        assert port.parts == many and soonest() is None
        assert not woken or port.whole["tcp"]
    milliseconds = 2**18 - 1
    dut.milliseconds_i.value = milliseconds
    await port.bench.wait(5)
    before = len(port.answers)
    await ask()
    assert soonest() == 0
    dut.milliseconds_i.value = 0
    await port.bench.wait(PACE + 50)
    assert len(port.answers) == before + 1 and soonest() is None
    # When the host says so they need not wait for time.
    askers = [await ask() for _ in range(3)]
    before = len(port.answers)
    await port.host(wake=1)
    await port.bench.wait(3 * (PACE + 12) + 50)
    assert port.answers[before:] == [(asker, b"") for asker in askers] and soonest() is None
    # The commands behind them are as ever.
    await port.put([b"x"])
    await port.answer(b"to this one")
    await port.settle()
    assert port.answers[-1][1] == b"to this one" and port.events["late"] == 0


@cocotb.test()
@cocotb.parametrize(crowd=[False, True])
async def who_is_waked_takes_nobody_s_room(dut, crowd):
    """While many wait for the host nobody is waked, but for a patience that ends."""
    port = await Port.start(dut)
    begun = port.bench.cycle()
    port.limit = 1 << 20
    for _ in range(2):
        await port.put([b"watch"], ask=False)
        await port.ask(tcp=1)
        tag = (await port.wait_for_command())["tag"]
        await port.host(send=1, tag=tag, bytes=0, more=1, later=1)
        await port.settle()
    for _ in range(FEW + 1):
        await port.put([b"x"])
    await port.wait_for_command()
    await port.host(wake=1)
    if crowd:
        while b"" not in (data for _, data in port.answers):
            await port.put([b"x"])
            await port.answer(b"x")
            await port.bench.wait(1000)
            assert port.bench.cycle() - begun < PATIENCE + 3000
        assert port.bench.cycle() - begun > PATIENCE
        return
    for _ in range(FEW + 1):
        await port.bench.wait(2 * PACE)
        await port.answer(b"x")
    await port.settle()
    await port.bench.wait(2 * PACE + 100)
    told = [data for _, data in port.answers]
    # The host has the third one when it is seen that there are few.
    assert told.index(b"") == 3 and told.count(b"") == 2


@cocotb.test()
async def a_flood(dut):
    """A parser that looks at room_o a cycle late, and whoever answers at any time."""
    port = await Port.start(dut, 0.7)
    port.limit = 2500
    refused, host_done = 0, False

    async def host():
        while not host_done:
            if not port.head()["waits"]:
                await port.bench.wait(1)
                continue
            kind = random.random()
            if kind < 0.1:
                await port.bench.wait(port.limit + 50)
            elif kind < 0.2:
                await port.host(send=1, tag=port.head()["tag"], bytes=0)
            else:
                await port.answer(random.randbytes(random.choice((1, 8, 100, 2400))))
            await port.bench.wait(5)

    cocotb.start_soon(host())
    seen = 0
    for _ in range(600):
        room = int(dut.room_o.value)
        await port.bench.wait(1)
        if room:
            await port.put([b"x"], ask=False, opaque=port.asked)
            await port.bench.wait(random.choice((0, 0, 30)))
            await port.ask()
            seen += 1
        else:
            await port.line(refused=1)
            refused += 1
            await port.bench.wait(random.randint(1, 200))
    while int(dut.irq_o.value):
        await port.bench.wait(1)
    host_done = True
    askers = [asker for asker, _ in port.answers]
    assert askers == sorted(set(askers)), "an answer twice, or out of order"
    assert seen > 100 < refused
    assert port.events["taken"] == seen and port.events["refused"] == refused
    late = sum(data == LATE for _, data in port.answers)
    assert port.events["late"] == late > 10


def test_wc_host_commands():
    run("wc_host_commands", __file__)
