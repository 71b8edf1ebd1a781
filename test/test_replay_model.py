# SPDX-License-Identifier: Apache-2.0
"""The circuit answers as the reference model does: every byte, every counter."""

import random
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path

import pytest
from wirecache.board.replay import START, Expected, ask, check, expect, play
from wirecache.model import network
from wirecache.model.appliance import Appliance
from wirecache.model.table import Pointer, Queues, Table
from wirecache.traffic import frames
from wirecache.traffic.frames import CLIENT, Endpoint
from wirecache.traffic.requests import Mix, Traffic, ascii_set, binary_set


def requests(traffic: Traffic, messages: int, seed: int) -> list[bytes]:
    """Frames of several clients, some of which look for the board and ping it."""
    draw = random.Random(seed)
    clients = [CLIENT] + [
        Endpoint(b"\x52\x55" + draw.randbytes(4), draw.randbytes(4), draw.randint(1, 0xFFFF))
        for _ in range(7)
    ]
    out = []
    for number, message in enumerate(traffic.messages(messages)):
        client = draw.choice(clients)
        if draw.random() < 0.02:
            out.append(frames.arp_request(client))
            out.append(frames.icmp_echo(draw.randbytes(draw.randint(0, 200)), 1, number, client))
        out.append(frames.request(message.data, number & 0xFFFF, client))
    return out


STREAMS = {
    "mixed": Mix(flushes=0.002, cut=0.03),
    "errors": Mix(errors=0.5, keys=50, cut=0.1),
    "few keys": Mix(keys=6, gets=0.4, deletes=0.2, commands=12, longest_value=100),
    "long values": Mix(longest_value=1400, commands=2, keys=100),
}


@pytest.mark.parametrize("name", STREAMS)
def test_random_streams(name: str, seed: int, tmp_path: Path) -> None:
    model = Appliance()
    expected = expect(model, requests(Traffic(seed, STREAMS[name]), 1500, seed))
    check(play(expected.timed_frames, tmp_path), expected, model)
    assert model.table.counters["get_hit"] and model.table.counters["set"]


def test_both_zeros_of_a_checksum(tmp_path: Path) -> None:
    """An echo whose checksum becomes a zero when its type does: ones' complement has two."""
    sequence = 0x0102
    data = (0xFFFF - 1 - sequence).to_bytes(2, "big")  # all fields but the type sum up to zero
    ping = frames.icmp_echo(data, 1, sequence)
    assert ping[36:38] == b"\xf7\xff"
    model = Appliance()
    expected = expect(model, [ping, frames.icmp_echo(b"", 0, 0)])
    assert [frames.checksum(frame[34:44]) for frame in expected.frames] == [0, 0]
    check(play(expected.timed_frames, tmp_path), expected, model)


def test_full_buckets(seed: int, tmp_path: Path) -> None:
    """64 buckets, and more keys than they hold."""
    model = Appliance(Table(bucket_bits=6))
    mix = Mix(keys=1500, longest_value=60, gets=0.3, deletes=0.05, errors=0.0, binary=0.8)
    expected = expect(model, requests(Traffic(seed, mix), 3000, seed))
    options = ("--config", "bucket", "--memory", "2M", "--classes", "128,192,256")
    check(play(expected.timed_frames, tmp_path, *options), expected, model)
    assert model.table.counters["set_full"] > 20


class PromptHost(Queues):
    """Blocks that are given back are free at once."""

    def give(self, pointer: Pointer) -> None:
        super().give(pointer)
        self.recycle()


def test_no_blocks(seed: int, tmp_path: Path) -> None:
    """32 blocks of the middle size, and more values that need one.

    500 keys in 512 buckets of 8 slots: a bucket has more keys than slots with one seed in 2,000.
    """
    sizes = (64, 1 << 18, 1 << 20)
    table = Table(bucket_bits=9, class_bytes=sizes, queues=PromptHost((1 << 16, 32, 1)))
    model = Appliance(table)
    mix = Mix(keys=500, gets=0.2, deletes=0.02, flushes=0.0, quits=0.0, commands=1, errors=0.0)
    asked = requests(Traffic(seed, mix), 4000, seed)
    expected = expect(model, asked, gap_ns=3_000)  # for the host to come by
    options = (
        *("--config", "bucket", "--memory", "16M"),
        *("--classes", ",".join(map(str, sizes))),
    )
    check(play(expected.timed_frames, tmp_path, *options), expected, model)
    assert table.counters["set_no_block"] > 20 and not table.counters["set_full"]


@pytest.mark.parametrize("index", ["item", "bucket"])
def test_a_value_that_is_too_large(index: str, tmp_path: Path) -> None:
    """A SET takes away the item that is there, an ADD does not; the item has just been written."""
    binary = binary_set(b"a", b"")
    lines = [b"set a 0 0 2000000\r\n", b"set a 0 0 2000000 noreply\r\n", b"add a 0 0 2000000\r\n"]
    lines += [binary[:8] + (2_000_000).to_bytes(4, "big") + binary[12:]]
    requests = [part for line in lines for part in (ascii_set(b"a", b"1"), line, b"get a\r\n")]
    model, options = Appliance(), list[str]()
    if index == "bucket":
        model = Appliance(Table(bucket_bits=6))
        options = ["--config", "bucket", "--memory", "2M", "--classes", "128,192,256"]
    expected = expect(model, [frames.request(data, n) for n, data in enumerate(requests)])
    gone = [b"VALUE" not in answer[0] for answer in expected.answers[2::3]]
    assert gone == [True, True, False, True]
    played = play(expected.timed_frames, tmp_path, *options)
    check(played, expected, model)
    assert played.counters["error"] == 4


def test_time_passes(tmp_path: Path) -> None:
    """Expiry and flushes to come, looked at in the middle of seconds."""
    steps = {
        0: b"set a 0 3 1\r\na\r\nset b 0 %d 1\r\nb\r\nset c 0 0 1\r\nc\r\n" % (START + 5),
        2: b"flush_all 10\r\n",
        4: b"set d 0 100 1\r\nd\r\nset e 0 -1 1\r\ne\r\n",
        12: b"set f 0 0 1\r\nf\r\nflush_all %d noreply\r\n" % (START + 16),
        14: b"flush_all 1000\r\nset g 0 2592000 1\r\ng\r\n",
        20: b"flush_all\r\nset h 0 0 1\r\nh\r\n",
        1015: b"set i 0 0 1\r\ni\r\n",
    }
    look = frames.request(b"gets a b c d e f g h i\r\n", 0)
    model = Appliance()
    timed, answers, seen = [], [], set()
    for second in (*range(25), *range(1010, 1020)):
        now = (START + second) * 10**9 + 500_000_000
        for offset, frame in enumerate([frames.request(steps.get(second, b"x\n"), 1), look]):
            timed.append((now + offset * 10_000, frame))
            answers.append(ask(model, *timed[-1]))
        seen.add(answers[-1][0].count(b"VALUE"))
    assert {0, 1, 2, 3} <= seen
    check(play(timed, tmp_path), Expected(timed, answers), model)


def test_other_settings(seed: int, tmp_path: Path) -> None:
    """Another address, and no frame header: answers are told apart by their order alone."""
    board = Endpoint(b"\x02\0\0\0\0\x07", bytes([192, 168, 7, 7]), 7777)
    model = Appliance(settings=network.Settings(board=board, frame_header=False))
    traffic = Traffic(seed, Mix(keys=100))
    asked = [
        frames.request(message.data, 0, board=board, frame_header=False)
        for message in traffic.messages(400)
    ]
    expected = expect(model, [*asked, frames.arp_request(wanted=board.ip), frames.request(b"x", 0)])
    options = ("--no-frame-header", "--ip", "192.168.7.7", "--mac", "02:00:00:00:00:07")
    played = play(expected.timed_frames, tmp_path, *options, "--udp-port", "7777")
    check(played, expected, model)
    assert model.counters["drop_mac"] == 1


def test_access_list(seed: int, tmp_path: Path) -> None:
    """Clients in and out of the networks that are served; all of them find the board."""
    networks = ("10.0.2.2/32", "172.16.0.0/12", "192.168.1.0/24")
    model = Appliance(settings=network.Settings(allow=tuple(map(IPv4Network, networks))))
    draw = random.Random(seed)
    addresses = ["10.0.2.2", "10.0.2.3", "172.15.255.255", "172.16.0.1", "172.31.9.9", "172.32.0.0"]
    addresses += ["192.168.1.77", "192.168.2.1", "127.0.0.1", "8.8.8.8"]
    asked = []
    for number, message in enumerate(Traffic(seed, Mix(keys=100)).messages(400)):
        client = Endpoint(CLIENT.mac, IPv4Address(draw.choice(addresses)).packed, 4000)
        asked.append(frames.request(message.data, number, client))
        if number % 10 == 0:
            asked.append(frames.arp_request(client))
            asked.append(frames.icmp_echo(b"x", 1, number, client))
    expected = expect(model, asked)
    options = [word for text in networks for word in ("--allow", text)]
    check(play(expected.timed_frames, tmp_path, *options), expected, model)
    assert model.counters["drop_denied"] > 100 and model.counters["drop_source"] > 10


def test_too_many_requests(tmp_path: Path) -> None:
    """Small requests for large answers, back to back: the wire out is full sixty times over. What
    is answered is answered right, what is not is counted, and then all is as ever."""
    keys = [b"key%d" % number for number in range(20)]
    value = bytes(range(250))
    store = [frames.request(ascii_set(key, value), 0) for key in keys]
    flood = [
        frames.request(b"get %b\r\n" % b" ".join(keys[number % 10 :]), number)
        for number in range(1, 2001)
    ]
    model = Appliance()
    expected = expect(model, store + flood + store)
    timed, now = [], START * 10**9
    for frame in store + flood + store:
        now += 2_000 if frame in store else 0
        now += 20_000_000 if frame is store[0] else 0  # before the second round: all is quiet
        timed.append((now, frame))
        now += frames.wire_bytes(frame) * 4 // 5
    played = play(timed, tmp_path)
    dropped = played.counters["drop_overflow"]
    assert 0 < dropped < len(flood), "it was no flood"
    assert played.counters["request_in"] + dropped == len(timed)

    by_id: dict[int, list[bytes]] = {}
    for frame in played.frames:
        by_id.setdefault(int.from_bytes(frame[42:44], "big"), []).append(frame)
    wanted = dict(enumerate(expected.answers[len(store) : -len(store)], 1))
    answered = [number for number in by_id if number]
    assert len(answered) == len(flood) - dropped
    assert all(by_id[number] == wanted[number] for number in answered)
    assert len(by_id[0]) == 2 * len(store)


@pytest.mark.full
def test_a_long_stream(seed: int, tmp_path: Path) -> None:
    model = Appliance()
    expected = expect(model, requests(Traffic(seed, Mix(keys=3000, cut=0.02)), 20_000, seed))
    check(play(expected.timed_frames, tmp_path), expected, model)
