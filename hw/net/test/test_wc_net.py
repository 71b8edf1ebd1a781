# SPDX-License-Identifier: Apache-2.0
"""wc_net against scapy: every size, every cause of a drop, floods, replies, answers, rates."""

import random
from ipaddress import IPv4Address, IPv4Network
from typing import Any

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from net_bench import (
    DATAGRAM,
    ENTRIES,
    HOST_DATAGRAM,
    OUR_IP,
    OUR_MAC,
    OUR_PORT,
    Client,
    Net,
    answers,
    arp,
    arp_reply,
    datagram,
    frame_header,
    mutate,
    ping,
    ping_reply,
    verdict_of,
    with_checksum,
)
from scapy.utils import checksum
from wirecache.testbench.bench import Pace, run, words

SIZES = [*range(1, 42), *range(100, 109), 1390, 1391, *range(1456, 1465)]


def request(header: bool, payload: bytes, request_id: int = 0, **fields) -> bytes:
    """UDP payload of a request."""
    return (frame_header(request_id, **fields) if header else b"") + payload


async def receive(net: Net, cases: list[tuple[bytes, bytes]], idle, gaps: float) -> None:
    for frame, _ in cases:
        net.send(frame, idle=idle(), gaps=gaps)
    await net.settle(frames=0)
    assert net.verdicts == ["request_in"] * len(cases)
    assert net.requests == [payload for _, payload in cases]


def size_cases(header: bool) -> list[tuple[bytes, bytes]]:
    cases = []
    for size in SIZES + ([] if header else [1465, 1471, 1472]):
        payload = random.randbytes(size)
        fields: dict[str, Any] = {"chksum": 0} if random.random() < 0.2 else {}
        body = request(header, payload, random.getrandbits(16))
        cases.append((datagram(Client.random(), body, **fields), payload))
    return cases


@cocotb.test()
@cocotb.parametrize(header=[True, False])
async def all_sizes_back_to_back(dut, header):
    net = await Net.start(dut, header)
    await receive(net, size_cases(header), lambda: 0, 0.0)


@cocotb.test()
@cocotb.parametrize(header=[True, False])
async def all_sizes_with_gaps(dut, header):
    net = await Net.start(dut, header, willing=0.7)
    await receive(net, size_cases(header), lambda: random.randint(0, 20), 0.3)


@cocotb.test()
@cocotb.parametrize(likely=[0.002, 0.2])
async def answers_that_memory_did_not_give(dut, likely):
    """A datagram with a word that counts for nothing is not sent, and counted; all others are sent,
    those of the same message too."""
    net = await Net.start(dut)
    net.answering = False
    taken: list[bool] = []  # of each word: it counts for nothing

    async def spoil() -> None:
        bad = False
        while True:
            await RisingEdge(dut.clk_i)
            if int(dut.word_valid_i.value) and int(dut.word_ready_o.value):
                taken.append(bad)
                bad = random.random() < likely
                dut.word_error_i.value = int(bad)

    cocotb.start_soon(spoil())
    messages = [random.randbytes(random.choice([1, 40, 1392, 1393, 4000])) for _ in range(60)]
    for number, message in enumerate(messages):
        net.send(datagram(Client(), request(True, b"get a\r\n")), idle=200)
        while len(net.requests) <= number:
            await net.bench.wait(1)
        net.reply(number, message)
        if random.random() < 0.5:
            await net.bench.wait(random.randint(0, 800))
    await net.bench.wait(3000)
    expected: list[tuple[int, int, bytes]] = []
    at = lost = 0
    for message in messages:
        parts = [message[i : i + 1392] for i in range(0, len(message), 1392)]
        for sequence, part in enumerate(parts):
            words = -(-len(part) // 8)
            if any(taken[at : at + words]):
                lost += 1
            else:
                expected.append((sequence, len(parts), part))
            at += words
    assert at == len(taken) and net.answers_lost == lost > 0 and expected
    assert net.answered == len(messages)
    for frame, (sequence, total, part) in zip(net.frames, expected, strict=True):
        numbers = sequence.to_bytes(2, "big") + total.to_bytes(2, "big")
        assert frame[44:48] == numbers and frame[50 : 50 + len(part)] == part
        assert not any(frame[50 + len(part) :])  # a frame has 60 bytes at least


@cocotb.test()
async def ip_options_are_skipped(dut):
    net = await Net.start(dut)
    cases = []
    for size in range(0, 44, 4):
        for length in (1, 2, 5, 8, 11, 14, 40, 1400):
            payload = random.randbytes(length)
            frame = datagram(Client.random(), request(True, payload), random.randbytes(size))
            cases.append((frame, payload))
    random.shuffle(cases)
    await receive(net, cases, lambda: random.choice((0, 0, 3)), 0.0)


@cocotb.test()
async def padding_and_trailing_bytes_are_cut(dut):
    """Ethernet may add bytes, and UDP may use less than IP carries."""
    net = await Net.start(dut)
    cases = []
    for extra in range(0, 30):
        payload = random.randbytes(random.randint(1, 60))
        frame = datagram(Client(), request(True, payload))
        cases.append((frame + random.randbytes(extra), payload))
        body = request(True, payload)
        frame = datagram(Client(), body + random.randbytes(extra), len=8 + len(body), chksum=0)
        cases.append((frame, payload))
        whole = datagram(Client(), body)[:40] + b"\0\0" + body  # the sum covers UDP's length alone
        right = datagram(Client(), body)[40:42]
        header = with_checksum(
            whole[14:16] + (28 + len(body) + extra).to_bytes(2, "big") + whole[18:34]
        )
        tail = random.randbytes(extra)
        cases.append((whole[:14] + header + whole[34:40] + right + body + tail, payload))
    await receive(net, cases, lambda: 0, 0.0)


ALLOW = ("10.0.2.0/24", "192.168.0.0/16")
NOT_HOSTS = [OUR_IP, "0.0.0.0", "0.0.2.2", "127.0.0.1", "127.255.255.255", "224.0.0.1"]
NOT_HOSTS += ["239.255.255.250", "240.0.0.1", "255.0.2.2", "255.255.255.255"]


def drop_cases() -> list[tuple[str, bytes, bool]]:
    """(cause, frame, the MAC says bad): at least one for every cause but the full buffers."""
    c = Client()
    body = frame_header(7) + b"get a\r\n"
    good = datagram(c, body)
    echo = ping(c, bytes(range(40)))

    def patched(frame: bytes, at: int, value: bytes, fix: bool = False) -> bytes:
        out = frame[:at] + value + frame[at + len(value) :]
        return out[:14] + with_checksum(out[14:34]) + out[34:] if fix else out

    broken = bytes([good[41] ^ 1])
    cases = [
        ("drop_bad_frame", good, True),
        ("drop_bad_frame", datagram(c, frame_header(1) + bytes(1464)) + b"\0", False),
        ("drop_bad_frame", good + bytes(1500), False),
        ("drop_bad_frame", good + bytes(9000), False),
        ("drop_runt", good[:56], False),
        ("drop_runt", datagram(c, frame_header(1) + bytes(100))[:-1], False),
        ("drop_runt", good[:33], False),
        ("drop_runt", good[:34], False),
        ("drop_runt", good[:13], False),
        ("drop_runt", good[:8], False),
        ("drop_runt", good[:1], False),
        ("drop_runt", arp(c)[:41], False),
        ("drop_mac", datagram(c, body, mac="02:57:43:00:00:02"), False),
        ("drop_mac", datagram(c, body, mac="03:57:43:00:00:01"), False),
        ("drop_mac", datagram(c, body, mac="01:00:5e:00:00:01"), False),
        ("drop_ethertype", patched(good, 12, b"\x86\xdd"), False),
        ("drop_ethertype", patched(good, 12, b"\x81\x00"), False),
        ("drop_ethertype", good[:14][:12] + b"\x00\x08", False),
        ("drop_arp", arp(c, op=2), False),
        ("drop_arp", arp(c, pdst="10.0.2.16"), False),
        ("drop_arp", arp(c, pdst="10.1.2.15"), False),
        ("drop_arp", arp(c, hwtype=6), False),
        ("drop_arp", arp(c, ptype=0x86DD), False),
        ("drop_arp", patched(arp(c), 18, b"\x08"), False),
        ("drop_ip_header", patched(good, 14, b"\x65", True), False),
        ("drop_ip_header", patched(good, 14, b"\x44", True), False),
        ("drop_ip_header", patched(good, 16, b"\x00\x13", True), False),
        ("drop_ip_header", patched(good, 24, bytes([good[24] ^ 0x10])), False),
        ("drop_ip_address", datagram(c, body, dst="10.0.2.16"), False),
        ("drop_ip_address", datagram(c, body, dst="11.0.2.15"), False),
        ("drop_ip_address", datagram(c, body, dst="255.255.255.255"), False),
        ("drop_ip_fragment", datagram(c, body, flags="MF"), False),
        ("drop_ip_fragment", datagram(c, body, frag=1), False),
        ("drop_ip_fragment", datagram(c, body, frag=0x1F00), False),
        ("drop_ip_protocol", datagram(c, body, proto=6), False),
        ("drop_ip_protocol", datagram(c, body, proto=0x91), False),
        ("drop_icmp", ping(c, b"12345", type=0), False),
        ("drop_icmp", ping(c, b"12345", type=13), False),
        ("drop_icmp", patched(echo, 50, b"\xaa"), False),
        ("drop_icmp", patched(echo, 16, b"\x00\x1b", True), False),
        ("drop_udp_port", datagram(c, body, dport=11212), False),
        ("drop_udp_port", datagram(c, body, dport=0x2CCB), False),
        ("drop_udp_port", datagram(c, b"", dport=53), False),
        ("drop_udp_length", datagram(c, b""), False),
        ("drop_udp_length", datagram(c, body[:7]), False),
        ("drop_udp_length", datagram(c, body[:8]), False),
        ("drop_udp_length", datagram(c, body, len=7), False),
        ("drop_udp_length", datagram(c, body, len=0), False),
        ("drop_udp_length", datagram(c, body, len=9 + len(body)), False),
        ("drop_udp_length", patched(good, 16, b"\x00\x1b", True), False),
        ("drop_udp_checksum", patched(good, 41, broken), False),
        ("drop_udp_checksum", patched(good, 26, b"\x0a\x01", True), False),
        ("drop_udp_checksum", patched(good, 56, b"x"), False),
        ("drop_udp_header", datagram(c, frame_header(7, sequence=1) + b"x"), False),
        ("drop_udp_header", datagram(c, frame_header(7, sequence=256) + b"x"), False),
        ("drop_udp_header", datagram(c, frame_header(7, total=0) + b"x"), False),
        ("drop_udp_header", datagram(c, frame_header(7, total=2) + b"x"), False),
        ("drop_udp_header", datagram(c, frame_header(7, total=257) + b"x"), False),
        ("drop_source", datagram(Client(port=0), body), False),
        ("drop_source", datagram(Client(port=OUR_PORT), body), False),
        ("drop_denied", datagram(Client(ip="10.0.3.2"), body), False),
        ("drop_denied", datagram(Client(ip="192.169.0.1"), body), False),
        ("drop_denied", ping(Client(ip="11.0.2.2"), b"12345"), False),
    ]
    for mac in ("00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01", OUR_MAC):
        cases += [
            ("drop_source", datagram(Client(mac=mac), body), False),
            ("drop_source", ping(Client(mac=mac), b"12345"), False),
            ("drop_source", arp(Client(mac=mac)), False),
        ]
    for ip in NOT_HOSTS:
        cases += [
            ("drop_source", datagram(Client(ip=ip), body), False),
            ("drop_source", ping(Client(ip=ip), b"12345"), False),
        ]
        if ip != "0.0.0.0":  # who asks for an address before taking it is told
            cases.append(("drop_source", arp(Client(ip=ip)), False))
    return cases


@cocotb.test()
@cocotb.parametrize(gaps=[0.0, 0.3])
async def every_cause_of_a_drop(dut, gaps):
    """Each between good ones and among its like, with nothing in between, then with gaps."""
    cases = drop_cases()
    for cause, frame, bad in cases:
        verdict = verdict_of(frame, bad, True, allow=ALLOW)[0]
        assert verdict == cause, "the model disagrees with this list"
    net = await Net.start(dut, allow=ALLOW)
    expected, requests = [], []
    for round_ in range(3):
        random.shuffle(cases)
        for cause, frame, bad in cases:
            net.send(frame, bad, gaps=gaps)
            expected.append(cause)
            if round_ < 2:
                payload = random.randbytes(random.randint(1, 30))
                fields = {"reserved": random.getrandbits(16)}
                net.send(datagram(Client(), request(True, payload, **fields)), gaps=gaps)
                expected.append("request_in")
                requests.append(payload)
    await net.settle(frames=0)
    assert net.verdicts == expected
    assert net.requests == requests


@cocotb.test()
async def switched_off(dut):
    net = await Net.start(dut, enable=False)
    for _cause, frame, bad in drop_cases():
        net.send(frame, bad)
    net.send(datagram(Client(), request(True, b"get a\r\n")))
    net.send(arp(Client()))
    await net.settle(frames=0)
    assert set(net.verdicts) == {"drop_disabled"}
    assert len(net.verdicts) == len(drop_cases()) + 2


@cocotb.test()
async def sources_that_are_nearly_wrong(dut):
    """The neighbours of what must not be answered are answered."""
    net = await Net.start(dut)
    net.answer = lambda request: request
    clients = [
        Client(ip=ip)
        for ip in ("1.0.0.0", "126.255.255.255", "128.0.0.1", "223.255.255.255", "10.0.2.14")
    ]
    clients += [Client(port=port) for port in (1, 0x2BCC, 0x2BCA, 0xCB2B, 0x0B2B, 0xFFFF)]
    clients += [Client(mac=mac) for mac in ("00:00:00:00:00:01", "00:00:01:00:00:00")]
    clients += [Client(mac=mac) for mac in ("02:57:43:00:00:02", "fe:ff:ff:ff:ff:ff")]
    expected = []
    for number, client in enumerate(clients):
        net.send(datagram(client, request(True, b"get", number)), idle=8)
        expected += answers(client, b"get", number)
    await net.settle(frames=len(expected))
    assert net.frames == expected


@cocotb.test()
async def an_error_does_not_go_round(dut):
    """Two boards: what one answers, from its port to the same port of the other, ends there."""
    net = await Net.start(dut)
    net.answer = lambda request: b"ERROR\r\n"
    other = Client("02:57:43:00:00:02", "10.0.2.16", OUR_PORT)
    net.send(datagram(other, request(True, b"ERROR\r\n")))
    await net.settle(frames=0)
    assert net.verdicts == ["drop_source"]


def near(network: str) -> list[str]:
    """Addresses of a network, and those that differ from it in one bit of its prefix."""
    taken = IPv4Network(network)
    base = int(taken.network_address)
    inside = [base, base | int(taken.hostmask), base | random.getrandbits(32) & int(taken.hostmask)]
    bits = {32 - taken.prefixlen, 31} | {random.randint(32 - taken.prefixlen, 31) for _ in "12"}
    outside = [inside[2] ^ 1 << bit for bit in bits if bit < 32 and taken.prefixlen]
    return [str(IPv4Address(value)) for value in inside + outside]


@cocotb.test()
@cocotb.parametrize(entries=[1, 2, ENTRIES, ENTRIES])
async def access_list(dut, entries):
    """Requests and pings of networks of any size, at their edges and beyond; ARP of everybody."""
    allow = []
    for number in range(entries):
        size = 32 if number == 0 else random.randint(8, 32)
        address = f"{random.randint(1, 126)}.{'.'.join(map(str, random.randbytes(3)))}"
        allow.append(str(IPv4Network(f"{address}/{size}", strict=False)))
    net = await Net.start(dut, allow=allow)
    expected = []
    asked = [ip for network in allow for ip in near(network)]
    asked += [Client.random().ip for _ in range(5)]
    random.shuffle(asked)
    for ip in asked:
        client = Client(ip=ip)
        for frame in (datagram(client, request(True, b"x")), ping(client, b"x"), arp(client)):
            net.send(frame, idle=random.choice((0, 4, 8)))
            expected.append(verdict_of(frame, False, True, allow=allow)[0])
    await net.settle()
    assert net.verdicts == expected
    assert "drop_denied" in expected and "request_in" in expected and "arp_reply" in expected


@cocotb.test()
@cocotb.parametrize(size=[1, 40, 300, 1400])
async def flood_while_parser_stands(dut, size):
    """What finds no room is dropped whole, everything else arrives intact and in order."""
    net = await Net.start(dut, willing=0.0)
    sent = [i.to_bytes(4, "big") + random.randbytes(size) for i in range(min(400, 60_000 // size))]
    for payload in sent:
        net.send(datagram(Client(), request(True, payload)))
    while net._words:
        await net.bench.wait(1)
    await net.bench.wait(20)
    assert "drop_overflow" in net.verdicts, "the flood was too small"
    net.packets.pace.willing = 1.0
    late = [random.randbytes(50) for _ in range(5)]
    await net.bench.wait(2500)
    for payload in late:
        net.send(datagram(Client(), request(True, payload)))
    await net.settle(frames=0)
    assert set(net.verdicts) <= {"request_in", "drop_overflow"}
    expected = [p for p, v in zip(sent + late, net.verdicts, strict=True) if v == "request_in"]
    assert net.requests == expected
    assert net.verdicts[-5:] == ["request_in"] * 5


@cocotb.test()
async def flood_at_a_slow_parser(dut):
    net = await Net.start(dut, willing=0.35)
    sent = []
    for i in range(150):
        payload = i.to_bytes(4, "big") + random.randbytes(random.choice((1, 20, 200, 1000)))
        sent.append(payload)
        net.send(datagram(Client(), request(True, payload)))
    await net.settle(frames=0)
    assert len(net.verdicts) == 150
    expected = [p for p, v in zip(sent, net.verdicts, strict=True) if v == "request_in"]
    assert net.requests == expected and len(expected) < 150


@cocotb.test()
@cocotb.parametrize(willing=[1.0, 0.6])
async def arp_and_ping(dut, willing):
    """Pings of all sizes, over back to back frames and over a MAC that hesitates."""
    net = await Net.start(dut)
    net.mac_pace = Pace(willing)
    expected = []
    for number, size in enumerate([*range(0, 34), 100, 1000, 1001, 1471, 1472]):
        client, payload = Client.random(), random.randbytes(size)
        net.send(ping(client, payload, number), idle=16 + size // 4)
        expected.append(ping_reply(client, payload, number))
        if number % 3 == 0:
            probe = {"psrc": "0.0.0.0"} if number % 2 else {}
            net.send(arp(client, **probe))
            asker = Client(client.mac, probe.get("psrc", client.ip), client.port)
            expected.append(arp_reply(asker))
    await net.settle(frames=len(expected))
    for frame, wanted in zip(net.frames, expected, strict=True):
        if frame != wanted:  # a checksum of zero may be written either way
            assert frame[:36] + frame[38:] == wanted[:36] + wanted[38:]
            total = int.from_bytes(frame[16:18], "big")
            assert checksum(frame[34 : 14 + total]) == 0
    assert set(net.verdicts) == {"icmp_reply", "arp_reply"}


@cocotb.test()
async def ping_with_options_and_broadcast(dut):
    net = await Net.start(dut)
    expected = []
    for size in range(0, 44, 4):
        client, payload = Client.random(), random.randbytes(size + 3)
        frame = ping(client, payload)
        header = bytearray(frame[14:34] + random.randbytes(size))
        header[0] = 0x45 + size // 4
        header[2:4] = (28 + size + len(payload)).to_bytes(2, "big")
        body = frame[34 : 42 + len(payload)]
        net.send(b"\xff" * 6 + frame[6:14] + with_checksum(bytes(header)) + body, idle=10)
        expected.append(ping_reply(client, payload))
    await net.settle(frames=len(expected))
    assert net.frames == expected


@cocotb.test()
async def ping_whose_checksum_carries_round(dut):
    """The reply's checksum is the request's and 0x0800: the carry runs through all of it."""
    net = await Net.start(dut)
    client, expected = Client(), []
    for wanted in (0xF7FF, 0xF8FF, 0xF900, 0xFAFF, 0xFEFF, 0xFFFE, 0x00FF):
        without = int.from_bytes(ping(client, b"\0\0abcd")[36:38], "big")
        payload = ((without - wanted) % 0xFFFF).to_bytes(2, "big") + b"abcd"
        frame = ping(client, payload)
        assert int.from_bytes(frame[36:38], "big") == wanted
        net.send(frame, idle=10)
        expected.append(ping_reply(client, payload))
    await net.settle(frames=len(expected))
    for frame, wanted_frame in zip(net.frames, expected, strict=True):
        assert frame[:36] + frame[38:] == wanted_frame[:36] + wanted_frame[38:]
        assert checksum(frame[34:48]) == 0


@cocotb.test()
async def reply_queue_overflows(dut):
    """A MAC that stands still: replies wait, the rest is dropped and counted, requests go on."""
    net = await Net.start(dut)
    net.mac_pace = Pace(0.0)
    clients = [Client.random() for _ in range(60)]
    frames = []
    for i, client in enumerate(clients):
        payload = random.randbytes(random.choice((5, 900)))
        net.send(arp(client) if i % 2 else ping(client, payload))
        frames.append(arp_reply(client) if i % 2 else ping_reply(client, payload))
        net.send(datagram(client, request(True, b"x" * 20)))
    while net._words:
        await net.bench.wait(1)
    await net.bench.wait(20)
    net.mac_pace = Pace(1.0)
    net.send(arp(clients[0]), idle=3000)
    await net.settle()
    local = [v for v in net.verdicts if v != "request_in"]
    assert len(net.requests) == 60 and len(local) == 61
    assert "drop_local" in local and local[-1] == "arp_reply"
    frames.append(arp_reply(clients[0]))
    expected = [f for f, v in zip(frames, local, strict=True) if v != "drop_local"]
    assert net.frames == expected


async def respond(net: Net, messages: list[bytes], idle: int) -> None:
    """Each message as the answer to a request of a client of its own."""
    queue = list(messages)
    net.answer = lambda request: queue.pop(0)
    expected = []
    for asked, message in enumerate(messages):
        client, request_id = Client.random(), random.getrandbits(16)
        while asked - net.messages.sent >= net.contexts:  # no more than can be held
            await net.bench.wait(1)
        net.send(datagram(client, request(net.header, b"get", request_id)), idle=idle)
        expected += answers(client, message, request_id if net.header else None)
    await net.settle(frames=len(expected))
    assert net.frames == expected


@cocotb.test()
@cocotb.parametrize((("header", "willing"), [(True, 1.0), (False, 0.6)]))
async def answers_of_all_sizes(dut, header, willing):
    sizes = [*range(0, 40), 0, 0, 1391, 1392, 1393, 1400, 2784, 2785, 0, 10, 20_001, 0]
    net = await Net.start(dut, header, willing=willing)
    net.mac_pace = Pace(willing)
    await respond(net, [random.randbytes(n) for n in sizes], 20)


@cocotb.test()
async def answer_of_a_mebibyte_begins_and_goes_on(dut):
    """More than 256 datagrams: sequence numbers carry into their second byte."""
    net = await Net.start(dut)
    await respond(net, [bytes(DATAGRAM * 258 + 5)], 0)


@cocotb.test()
async def several_messages_to_a_request(dut):
    """Each is numbered by itself; the context stays until the last, be it empty or not."""
    net = await Net.start(dut)
    clients = [Client.random() for _ in range(60)]
    net.answering = False  # answered below instead
    for client in clients:
        net.send(datagram(client, request(True, b"x", 5)))
    await net.settle(frames=0)
    expected, count = [], 0
    for number, client in enumerate(clients):
        messages = [
            random.randbytes(random.choice((0, 1, 9, DATAGRAM + 1)))
            for _ in range(random.choice((1, 2, 5)))
        ]
        for place, message in enumerate(messages):
            net.reply(number, message, more=place < len(messages) - 1)
            expected += answers(client, message, 5)
        count += len(messages)
    await net.settle(frames=len(expected))
    assert net.frames == expected
    assert net.messages_done == count and net.answered == len(clients)


@cocotb.test()
@cocotb.parametrize(willing=[1.0, 0.5])
async def answers_of_the_host(dut, willing):
    """Who asks for the host is told, in order; its answers go to them, numbered by themselves, and
    those of the pipeline go on meanwhile, between their datagrams, too."""
    net = await Net.start(dut, willing=willing)
    net.mac_pace = Pace(willing)
    net.answering = False
    sizes = [*range(1, 18), 35, 127, 128, 129, 1393, 2400, 8192]
    clients = [Client.random() for _ in range(2 * len(sizes))]
    asked: list[int] = []
    given: list[bytes] = []

    async def listen():
        while True:
            await RisingEdge(dut.clk_i)
            if int(dut.asker_valid_o.value):
                asked.append(int(dut.asker_o.value))

    async def host():
        """One answer at a time, long after its command."""
        for size in sizes:
            while not asked:
                await RisingEdge(dut.clk_i)
            await net.bench.wait(random.choice((0, 3, 200)))
            dut.aside_asker_i.value = asked.pop(0)
            message = random.randbytes(size)
            given.append(message)
            net.asides.send({"aside": 1, "bytes": size})
            net.aside_words.send(*words(message))
            await RisingEdge(dut.clk_i)
            while not int(dut.aside_done_o.value):
                await RisingEdge(dut.clk_i)

    cocotb.start_soon(listen())
    answering = cocotb.start_soon(host())
    for client in clients:
        net.send(datagram(client, request(True, b"x", client.port ^ 1)))
    await net.settle(frames=0)
    expected, count = [], 0
    for number, client in enumerate(clients):
        messages = [random.randbytes(random.choice((0, 9, DATAGRAM + 1))) for _ in range(2)]
        for place, message in enumerate(messages):
            # the command of the host is the first of two messages, or the last of all
            host_here = number % 2 == 1 and place == number // 2 % 2
            net.reply(number, message, more=place == 0, host=host_here)
            expected += answers(client, message, client.port ^ 1)
            count += 1
    await answering
    await net.settle()
    beside = [
        frame
        for client, message in zip(clients[1::2], given, strict=True)
        for frame in answers(client, message, client.port ^ 1, HOST_DATAGRAM)
    ]
    assert sorted(net.frames) == sorted(expected + beside)
    assert [frame for frame in net.frames if frame in set(expected)] == expected
    assert [frame for frame in net.frames if frame in set(beside)] == beside
    assert net.messages_done == count and net.answered == len(clients), "the host's are not counted"


@cocotb.test()
async def checksum_that_comes_out_as_zero(dut):
    """Would be sent as zero, which says that there is none: all ones instead."""
    net = await Net.start(dut, header=False)
    client = Client()
    base = answers(client, b"\0\0abc", None)[0]
    message = base[40:42] + b"abc"  # adds what is missing to 0xFFFF
    net.answer = lambda request: message
    net.send(datagram(client, b"get"))
    await net.settle(frames=1)
    assert net.frames[0][40:42] == b"\xff\xff"
    assert net.frames == answers(client, message, None)


@cocotb.test()
async def words_before_and_after_their_message(dut):
    net = await Net.start(dut)
    clients = [Client.random() for _ in range(40)]
    messages = [random.randbytes(random.randint(0, 60)) for _ in clients]
    net.answering = False  # answered below instead
    for client in clients:
        net.send(datagram(client, request(True, b"x", 5)))
    await net.settle(frames=0)
    for number, message in enumerate(messages):
        message_item = {
            "lane": net.lane,
            "conn": number % net.contexts,
            "bytes": len(message),
        }
        parts = [int.from_bytes(message[i : i + 8], "little") for i in range(0, len(message), 8)]
        if random.random() < 0.5:
            net.messages.send(message_item)
            await net.bench.wait(random.randint(0, 30))
            net.words.send(*parts)
        else:
            net.words.send(*parts)
            await net.bench.wait(random.randint(0, 30))
            net.messages.send(message_item)
    expected = [f for c, m in zip(clients, messages, strict=True) for f in answers(c, m, 5)]
    await net.settle(frames=len(expected))
    assert net.frames == expected


async def sustained(net: Net, payload: bytes, message: bytes, slot: float, count: int) -> None:
    """`count` requests in wire slots of `slot` cycles; answers must keep up."""
    net.answer = lambda request: message
    client = Client()
    frame = datagram(client, request(net.header, payload))
    used = -(-len(frame) // 8)
    for i in range(count):
        idle = int((i + 1) * slot) - int(i * slot) - used
        net.send(frame, idle=idle)
    await net.settle(frames=count)
    assert net.verdicts == ["request_in"] * count
    assert net.frames == answers(client, message, 0 if net.header else None) * count
    taken = net.frame_cycles[-1][1] - net.frame_cycles[0][1]
    assert taken <= (count - 1) * slot + 2, f"{taken / (count - 1)} cycles a frame, not {slot}"


@cocotb.test()
@cocotb.parametrize(
    (
        ("header", "size", "slot"),
        [(True, 30, 13), (False, 30, 12), (False, 18, 10.5), (True, 10, 10.5)],
    )
)
async def line_rate_of_small_requests(dut, header, size, slot):
    """80-byte frames in 104-byte slots, 72 in 96 (no frame header), 60 in 84; answers too."""
    net = await Net.start(dut, header)
    await sustained(net, bytes(size), bytes(size), slot, 300)


async def burst(net: Net, message: bytes, count: int) -> float:
    """Cycles a frame when answers wait and the MAC takes all."""
    net.mac_pace = Pace(0.0)
    net.answer = lambda request: message
    for _ in range(count):
        net.send(datagram(Client(), request(net.header, b"x")))
    await net.bench.wait(count * 14)
    net.mac_pace = Pace(1.0)
    await net.settle()
    first, last = net.frame_cycles[4], net.frame_cycles[-1]
    return (last[1] - first[1]) / (len(net.frame_cycles) - 5)


@cocotb.test()
@cocotb.parametrize(header=[True, False], size=[1, 18, 22, 30, 38, 100, DATAGRAM, 4 * DATAGRAM])
async def cost_of_a_frame(dut, header, size):
    """At most its own words and two cycles, whatever its size."""
    net = await Net.start(dut, header)
    cycles = await burst(net, random.randbytes(size), 24 if size < DATAGRAM else 8)
    length = max(60, 42 + 8 * header + min(size, DATAGRAM))
    limit = -(-length // 8) + 2
    dut._log.info(f"{length}-byte frames: {cycles:.2f} cycles each")
    assert cycles <= limit, f"{cycles} cycles a frame of {length} bytes"


@cocotb.test()
async def latency(dut):
    """Idle: last word of a frame to first word of its packet, and to the frame that answers."""
    net = await Net.start(dut)
    net.answer = lambda request: bytes(30)
    net.send(datagram(Client(), request(True, bytes(30))))
    await net.settle(frames=1)
    inward = net.request_cycles[0] - net.sent_cycles[0]
    around = net.frame_cycles[0][1] - net.sent_cycles[0]
    dut._log.info(f"in {inward} cycles, last word in to last word out {around} cycles")
    assert inward <= 8  # one of them is the sink's
    assert around <= 34  # message and words come together here, so 2 of them count datagrams


@cocotb.test()
@cocotb.parametrize(header=[True, False])
async def mutated_frames(dut, header):
    """Every frame has the verdict that the model gives, and nothing else comes out."""
    net = await Net.start(dut, header)
    net.answer = lambda request: request[:100]
    expected, requests = [], []
    for _ in range(500):
        client = Client.random()
        kind = random.random()
        if kind < 0.75:
            payload = random.randbytes(random.choice((1, 3, 6, 7, 8, 20, 70, 400)))
            options = random.randbytes(4 * random.randint(0, 10)) if kind < 0.2 else b""
            frame = datagram(client, request(header, payload), options)
        elif kind < 0.9:
            frame = ping(client, random.randbytes(random.randint(0, 60)))
        else:
            frame = arp(client)
        frame = mutate(frame)
        bad = random.random() < 0.02
        verdict, payload = verdict_of(frame, bad, header)
        net.send(frame, bad, idle=random.choice((0, 3, 3, 10)), gaps=random.choice((0, 0, 0.2)))
        expected.append(verdict)
        if verdict == "request_in":
            requests.append(payload)
    await net.settle()
    assert len(net.verdicts) == len(expected)
    for i, (got, wanted) in enumerate(zip(net.verdicts, expected, strict=True)):
        assert got == wanted, f"frame {i}: {got}, not {wanted}"
    assert net.requests == requests
    made = sum(v in ("request_in", "arp_reply", "icmp_reply") for v in expected)
    assert len(net.frames) == made
    counts = {v: expected.count(v) for v in sorted(set(expected))}
    dut._log.info(f"{counts}")


@cocotb.test()
async def noise(dut):
    """Frames of one to eight words of anything, with nothing in between: one verdict each."""
    net = await Net.start(dut)
    start = datagram(Client(), request(True, b"get a\r\n"))
    expected, requests = [], []
    for _ in range(1500):
        frame = random.randbytes(random.randint(1, 70))
        if random.random() < 0.7:
            frame = (start[: random.randint(6, len(start))] + frame)[: random.randint(1, 100)]
        verdict, payload = verdict_of(frame, False, True)
        net.send(frame)
        expected.append(verdict)
        if verdict == "request_in":
            requests.append(payload)
    await net.settle()
    assert net.verdicts == expected
    assert net.requests == requests


def test_wc_net():
    run("wc_net", __file__)


@pytest.mark.parametrize("lane", [5])
def test_small_buffers(lane):
    """The least buffers that are legal."""
    run(
        "wc_net",
        __file__,
        {"Lane": lane, "RxWords": 256, "TxWords": 512, "Contexts": 4},
        tests=[
            "answers_of_all_sizes.*",
            "flood_while_parser_stands.*",
            "flood_at_a_slow_parser",
        ],
    )
