# SPDX-License-Identifier: Apache-2.0
"""The layers of the reference model, each alone."""

import random
import struct
import zlib
from collections import Counter
from ipaddress import IPv4Network
from itertools import count
from typing import Any

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import ARP, Ether
from wirecache.circuit import structs
from wirecache.model import hashing, network, protocol, udp
from wirecache.model.appliance import Appliance
from wirecache.model.index import Status
from wirecache.model.lookup3 import hashlittle, hashlittle2
from wirecache.model.table import Queues, Table
from wirecache.traffic import frames
from wirecache.traffic.frames import BOARD, CLIENT


def test_lookup3_known_values() -> None:
    text = b"Four score and seven years ago"
    known = {(b"", 0): 0xDEADBEEF, (b"", 0xDEADBEEF): 0xBD5B7DDE}
    known |= {(text, 0): 0x17770551, (text, 1): 0xCD628161}
    for (key, seed), value in known.items():
        assert hashlittle(key, seed) == value
        assert hashlittle2(key, seed) % 2**32 == value
    assert hashlittle2(text) == 0xCE7226E617770551  # Jenkins' own, as those above


def test_crc_known_values() -> None:
    """CRC-32 and CRC-32C of 32 bytes; the latter are those of RFC 3720, B.4."""
    known = {bytes(32): 0x8A9136AA, b"\xff" * 32: 0x62A8AB43, bytes(range(32)): 0x46DD794E}
    for key, upper in known.items():
        assert hashing.crc(key) == upper << 32 | zlib.crc32(key)
    assert hashing.crc(b"12345678") % 2**32 == 0x9AE0DAAF


@pytest.mark.parametrize("name", hashing.FUNCTIONS)
def test_the_halves_of_a_hash_tell_keys_apart(name: str) -> None:
    """Of keys whose bucket is the same one in 2**8, one pair in 2**16 has the same tag too."""
    keys = [b"user:%09d" % number for number in range(1 << 17)]
    hashes = (hashing.FUNCTIONS[name](key, 0) for key in keys)
    seen = Counter((hashed % 2**32 >> 24, hashed >> 48) for hashed in hashes)
    pairs = sum(count * (count - 1) // 2 for count in seen.values())
    wanted = len(keys) ** 2 / 2 / 2**24
    assert pairs < 2 * wanted


# ---- table ------------------------------------------------------------------------------------
def keys_of_one_bucket(bits: int) -> list[bytes]:
    names = (b"key%d" % n for n in count())
    return [key for key in (next(names) for _ in range(3000)) if not hashlittle(key) % (1 << bits)]


def test_full_bucket() -> None:
    table = Table(bucket_bits=4)
    keys = keys_of_one_bucket(4)
    for key in keys[:8]:
        assert table.set(key, b"v", 0, 0)[0] is Status.OK
    assert table.set(keys[8], b"v", 0, 0) == (Status.NO_MEMORY, 0)
    assert table.set(keys[3], b"w", 0, 0) == (Status.OK, 9), "an item there is always replaced"
    assert table.counters["set_full"] == 1
    table.delete(keys[0])
    assert table.set(keys[8], b"v", 0, 0)[0] is Status.OK
    assert table.get(keys[0]) is None and table.get(keys[8]) is not None


def test_dead_items_make_room() -> None:
    keys = keys_of_one_bucket(4)
    table = Table(bucket_bits=4, time=1000)
    for key in keys[:8]:
        table.set(key, b"v", 0, 1005 if key == keys[5] else 0)
    assert table.set(keys[8], b"v", 0, 0)[0] is Status.NO_MEMORY
    table.time = 1005
    assert table.get(keys[5]) is None
    assert table.set(keys[8], b"v", 0, 0)[0] is Status.OK
    table.flush()
    for key in keys[9:17]:
        assert table.set(key, b"v", 0, 0)[0] is Status.OK
    assert table.get(keys[8]) is None


def test_blocks_are_reused() -> None:
    table = Table(queues=Queues((1, 1, 1)))
    assert table.set(b"a", bytes(100), 0, 0)[0] is Status.OK
    assert table.set(b"b", bytes(100), 0, 0)[0] is Status.NO_MEMORY, "small blocks are used up"
    assert table.set(b"a", bytes(128), 0, 0)[0] is Status.OK, "its own block fits"
    assert table.set(b"a", bytes(129), 0, 0)[0] is Status.OK, "a middle one"
    assert table.set(b"a", b"", 0, 0)[0] is Status.OK, "stays in the middle one"
    assert table.set(b"b", b"", 0, 0)[0] is Status.NO_MEMORY, "the host has not come by"
    table.queues.recycle()
    assert table.set(b"b", b"", 0, 0)[0] is Status.OK
    assert table.set(b"c", bytes(1 << 20), 0, 0)[0] is Status.OK
    assert table.counters["set_no_block"] == 2


def test_dead_items_are_swept() -> None:
    keys = keys_of_one_bucket(4)
    table = Table(bucket_bits=4, time=1000, queues=Queues((6, 2, 0)))
    for key, length in zip(keys[:6], (1, 1, 200, 1, 200, 1), strict=True):
        table.set(key, bytes(length), 0, 0 if key == keys[0] else 1001)
    table.time = 1001
    assert table.get(keys[1]) is None and not table.queues.deleted, "a GET changes nothing"
    assert table.set(keys[6], bytes(150), 0, 1002)[0] is Status.OK, "the first block that fits"
    assert [p.size_class for p in table.queues.deleted] == [0, 0, 1, 0]
    assert table.counters["reclaim"] == 4
    table.time = 1002
    table.queues.deleted.clear()
    assert table.delete(keys[7]) is Status.NOT_FOUND
    assert len(table.queues.deleted) == 1 and table.counters["reclaim"] == 5
    assert table.get(keys[0]) is not None


def test_a_delayed_flush() -> None:
    table = Table(time=1000)
    table.set(b"a", b"v", 0, 0)
    table.flush(1010)
    table.set(b"b", b"v", 0, 0)
    assert table.get(b"a") and table.get(b"b")
    table.time = 1010
    table.set(b"c", b"v", 0, 0)
    assert table.get(b"c") and not table.get(b"a") and not table.get(b"b")
    table.flush(1020)
    table.flush()
    table.set(b"d", b"v", 0, 0)
    table.time = 1020
    assert table.get(b"d"), "a later flush takes the place of an earlier one"


def test_no_block_for_what_is_there() -> None:
    table = Table(queues=Queues((1, 0, 0)))
    table.set(b"a", b"", 0, 0)
    assert table.set(b"a", bytes(200), 0, 0)[0] is Status.NO_MEMORY
    assert table.get(b"a") is None, "rather nothing than the old value"
    assert len(table.queues.deleted) == 1


# ---- protocol: what has no counterpart in a stream ----------------------------------------------
@pytest.mark.parametrize(
    ("packet", "answer"),
    [
        (b"version", b"ERROR\r\n"),
        (b"get k\r\nget ", b"END\r\nERROR\r\n"),
        (b"set k 0 0 5\r\n", b"CLIENT_ERROR bad data chunk\r\n"),
        (b"set k 0 0 5\r\nabcde\r", b"CLIENT_ERROR bad data chunk\r\n"),
        (b"set k 0 0 5 noreply\r\nabc", b""),
        (b"set k 0 0 1048577\r\nabc", b"SERVER_ERROR object too large for cache\r\n"),
        (b"\x80", struct.pack(">BBHBBHIIQ", 0x81, 0, 0, 0, 0, 4, 17, 0, 0) + b"Invalid arguments"),
    ],
)
def test_cut_short(packet: bytes, answer: bytes) -> None:
    table = Table()
    assert protocol.answer(packet, table) == answer
    assert table.cas == 0, "nothing was stored"


def test_version_is_that_of_the_package() -> None:
    assert protocol.answer(b"version\r\n", Table()) == b"VERSION 1.6.18\r\n"


# ---- UDP and network --------------------------------------------------------------------------
@pytest.mark.parametrize("host", [False, True])
@pytest.mark.parametrize("length", [0, 1, 127, 128, 129, 1391, 1392, 1393, 5000, 1 << 20])
def test_answers_are_cut_and_numbered(length: int, host: bool) -> None:
    answer = random.Random(length).randbytes(length)
    parts = udp.close_answer(answer, 0xABCD, host)
    size = structs.constant(f"wc_net_pkg::{'HostDatagramBytes' if host else 'DatagramBytes'}")
    assert len(parts) == -(-length // size)
    assert {len(part) - 8 for part in parts[:-1]} <= {size}
    for number, part in enumerate(parts):
        assert frames.FRAME_HEADER.unpack_from(part) == (0xABCD, number, len(parts), 0)
    assert b"".join(part[8:] for part in parts) == answer
    assert b"".join(udp.close_answer(answer, None)) == answer


@pytest.mark.parametrize("length", [0, 1, 9, 18, 19, 1400, 1464])
def test_frames_as_scapy_makes_them(length: int) -> None:
    data = random.Random(length).randbytes(length)
    ends: dict[str, Any] = {"src": "10.0.2.2", "dst": "10.0.2.15"}
    ether = Ether(src=CLIENT.mac.hex(":"), dst=BOARD.mac.hex(":"))
    head = struct.pack(">HHHH", 77, 0, 1, 0)
    packet = ether / IP(**ends, id=0, flags="DF") / UDP(sport=40000, dport=11211) / (head + data)
    assert bytes(packet).ljust(60, b"\0") == frames.request(data, 77)
    parsed = frames.parse_datagram(bytes(packet))
    assert parsed == frames.Datagram(CLIENT, BOARD, head + data)
    ping = ether / IP(**ends, id=0, flags="DF") / ICMP(id=5, seq=6) / data
    assert bytes(ping).ljust(60, b"\0") == frames.icmp_echo(data, 5, 6)


def test_arp_and_ping_as_scapy_reads_them() -> None:
    appliance = Appliance()
    (frame,) = appliance.frame(frames.arp_request())
    answer = Ether(frame)[ARP]
    assert (answer.op, answer.psrc, answer.pdst) == (2, "10.0.2.15", "10.0.2.2")
    assert answer.hwsrc == BOARD.mac.hex(":") and answer.hwdst == CLIENT.mac.hex(":")
    (frame,) = appliance.frame(frames.icmp_echo(b"odd", 5, 6))
    packet = Ether(frame)
    assert (packet[ICMP].type, packet[ICMP].id, packet[ICMP].seq) == (0, 5, 6)
    assert bytes(packet[ICMP].payload).startswith(b"odd")
    given = packet[ICMP].chksum
    del packet[ICMP].chksum
    assert Ether(bytes(packet))[ICMP].chksum == given
    assert appliance.counters == {
        "frame_in": 2,
        "frame_out": 2,
        "arp_reply": 1,
        "icmp_reply": 1,
    }


def changed(frame: bytes, offset: int, new: bytes) -> bytes:
    return frame[:offset] + new + frame[offset + len(new) :]


def test_every_cause_of_a_drop() -> None:
    ask = frames.request(b"get some-key-that-is-longer-than-padding\r\n", 1)
    ip, port = 14, 34
    causes = {
        "drop_bad_frame": ask + bytes(1500),
        "drop_runt": ask[:50],
        "drop_mac": changed(ask, 0, b"\x02\x57\x43\0\0\2"),
        "drop_ethertype": changed(ask, 12, b"\x86\xdd"),
        "drop_arp": frames.arp_request(wanted=bytes([10, 0, 2, 16])),
        "drop_ip_header": changed(ask, ip + 8, b"\x01"),
        "drop_ip_address": frames.request(b"x", 1, board=frames.Endpoint(BOARD.mac, b"abcd", 1)),
        "drop_ip_fragment": frames.ethernet(
            CLIENT.mac,
            BOARD.mac,
            0x0800,
            frames.ipv4(CLIENT.ip, BOARD.ip, 17, ask[port:], fragment=0x2000),
        ),
        "drop_ip_protocol": frames.ethernet(
            CLIENT.mac, BOARD.mac, 0x0800, frames.ipv4(CLIENT.ip, BOARD.ip, 6, bytes(30))
        ),
        "drop_icmp": changed(frames.icmp_echo(b"x" * 20, 1, 1), 50, b"!"),
        "drop_udp_port": frames.request(b"x", 1, board=BOARD.at_port(11212)),
        "drop_udp_length": changed(ask, port + 4, b"\x0f\xff"),
        "drop_udp_checksum": changed(ask, 60, b"!"),
        "drop_udp_header": frames.datagram(CLIENT, BOARD, struct.pack(">HHHH", 1, 1, 2, 0) + b"x"),
        "drop_source": frames.request(b"x", 1, CLIENT.at_port(BOARD.port)),
        "drop_denied": frames.request(b"x", 1, frames.Endpoint(CLIENT.mac, b"\x0b\0\0\1", 1)),
    }
    appliance = Appliance(settings=network.Settings(allow=(IPv4Network("10.0.2.0/24"),)))
    for cause, frame in causes.items():
        assert network.receive(frame, appliance.settings) == network.Drop(cause)
        assert appliance.frame(frame) == []
        assert appliance.counters[cause] == 1
    known = {name for name in structs.field_names("net_events_t") if name.startswith("drop")}
    circuit_alone = {"drop_disabled", "drop_overflow", "drop_local"}
    tcp = {"drop_tcp_header", "drop_tcp_port", "drop_tcp_checksum"}  # a protocol it does not know
    assert known - set(causes) == circuit_alone | tcp


def test_sources_that_are_not_answered() -> None:
    settings = network.Settings()
    kinds = (
        lambda client: frames.request(b"x", 1, client),
        lambda client: frames.icmp_echo(b"x", 1, 1, client),
        frames.arp_request,
    )
    for kind in kinds:
        assert not isinstance(network.receive(kind(CLIENT), settings), network.Drop)
        for mac in (bytes(6), frames.BROADCAST, BOARD.mac, b"\x01" + CLIENT.mac[1:]):
            frame = kind(frames.Endpoint(mac, CLIENT.ip, CLIENT.port))
            assert network.receive(frame, settings) == network.Drop("drop_source")
        for ip in (BOARD.ip, b"\0\0\0\1", b"\x7f\0\0\1", b"\xe0\0\0\1", b"\xff" * 4):
            frame = kind(frames.Endpoint(CLIENT.mac, ip, CLIENT.port))
            assert network.receive(frame, settings) == network.Drop("drop_source")
    probe = frames.arp_request(frames.Endpoint(CLIENT.mac, bytes(4), 0))
    assert isinstance(network.receive(probe, settings), network.Reply)
    for port in (0, BOARD.port):
        frame = frames.request(b"x", 1, CLIENT.at_port(port))
        assert network.receive(frame, settings) == network.Drop("drop_source")


def test_accepted_frames() -> None:
    appliance = Appliance()
    ask = struct.pack(">HHHH", 1, 0, 1, 0) + b"version\r\n"
    for frame in (
        frames.request(b"version\r\n", 1),
        frames.datagram(CLIENT, BOARD, ask, with_sum=False),
        frames.datagram(CLIENT, BOARD, ask, options=bytes(40)),
        changed(frames.request(b"version\r\n", 1), 0, frames.BROADCAST),
        frames.request(b"version\r\n", 1) + bytes(100),
    ):
        (answer,) = appliance.frame(frame)
        parsed = frames.parse_datagram(answer)
        assert parsed is not None and parsed.payload[8:] == b"VERSION 1.6.18\r\n"
        assert (parsed.source, parsed.destination) == (BOARD, CLIENT)
    assert appliance.frame(frames.request(b"verbosity 0 noreply\r\n", 1)) == []
    bare = Appliance(settings=network.Settings(frame_header=False))
    (answer,) = bare.frame(frames.request(b"version\r\n", 0, frame_header=False))
    parsed = frames.parse_datagram(answer)
    assert parsed is not None and parsed.payload == b"VERSION 1.6.18\r\n"
