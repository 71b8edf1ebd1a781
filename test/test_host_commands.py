# SPDX-License-Identifier: Apache-2.0
"""Commands that the host answers, beside memcached; and a host that is slow or dead."""

from __future__ import annotations

import os
import re
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from wirecache import ROOT
from wirecache.board.replay import START, play
from wirecache.circuit import structs
from wirecache.client import binary_answers
from wirecache.model import binary, protocol
from wirecache.model.table import Table
from wirecache.oracle.memcached import Memcached
from wirecache.testbench.serving import Serving, serving
from wirecache.traffic import frames
from wirecache.traffic.frames import FRAME_HEADER
from wirecache.traffic.requests import Message, ascii_set, binary_request, binary_set

STAT = 0x10
CONFIGS = ("item", "bucket")
LATE = b"SERVER_ERROR host does not answer\r\n"
BUSY = b"SERVER_ERROR host busy\r\n"
# As the host is then: no lists of keys (test_key_lists.py has these), none of memcached's helpers.
LIKE = ("-X", "-o", "no_lru_maintainer,no_lru_crawler,no_slab_reassign,hash_algorithm=jenkins")
DELAY = "WIRECACHE_COMMAND_DELAY"  # cycles by which the host is late
NEVER = str(2**62)
DATAGRAM = structs.constant("wc_net_pkg::HostDatagramBytes")  # bytes of an answer in one


class Udp:
    """A socket that tells messages apart: each has a number and a total in its datagrams."""

    def __init__(self, port: int) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self._socket.connect(("127.0.0.1", port))
        self._id = 0

    def ask(self, request: bytes, messages: int = 1, seconds: float = 20.0) -> list[bytes]:
        """So many messages that answer it, in the order in which their last datagrams came."""
        self._id += 1
        self._socket.send(FRAME_HEADER.pack(self._id, 0, 1, 0) + request)
        return self.receive(self._id, messages, seconds)

    def receive(self, number: int, messages: int, seconds: float) -> list[bytes]:
        whole: list[bytes] = []
        parts: list[bytes] = []
        end = time.monotonic() + seconds
        while len(whole) < messages:
            self._socket.settimeout(max(end - time.monotonic(), 0.001))
            try:
                datagram = self._socket.recv(65536)
            except TimeoutError:
                break
            request, at, total, _ = FRAME_HEADER.unpack_from(datagram)
            assert request == number and at == len(parts), "a datagram is missing"
            parts.append(datagram[FRAME_HEADER.size :])
            if len(parts) == total:
                whole.append(b"".join(parts))
                parts = []
        assert not parts, "a message is not whole"
        return whole


def small(*options: str, **environment: str) -> AbstractContextManager[Serving]:
    return serving("--memory", "16M", *options, env={**os.environ, **environment})


@contextmanager
def board(*options: str, **environment: str) -> Iterator[Udp]:
    with small(*options, **environment) as server:
        yield Udp(server.port)
        server.stop()


def names(answer: bytes) -> list[bytes]:
    assert answer.endswith(b"END\r\n")
    return [line.split(b" ")[1] for line in answer.split(b"\r\n")[:-2]]


def values(answer: bytes) -> dict[bytes, bytes]:
    fields = (line.split(b" ", 2) for line in answer.split(b"\r\n")[:-2])
    return {name: value for _, name, value in fields}


def stat(key: bytes = b"", opaque: int = 0) -> bytes:
    return binary_request(STAT, key, opaque=opaque)


def same_packets(ours: bytes, theirs: bytes) -> None:
    """Names in order, and the packet without a name at the end."""
    for mine, other in zip(binary_answers(ours), binary_answers(theirs), strict=True):
        assert (mine.key, mine.opaque, mine.status) == (other.key, other.opaque, 0)
    assert binary_answers(ours)[-1].key == b""


@pytest.fixture
def plain() -> Iterator[Memcached]:
    """As it is started without options, which are the names that exporters know."""
    with Memcached(as_started=True) as server:
        yield server


@pytest.fixture
def like() -> Iterator[Memcached]:
    with Memcached(*LIKE) as server:
        yield server


@pytest.mark.parametrize("config", CONFIGS)
def test_names_and_order_are_memcacheds(config: str, plain: Memcached) -> None:
    """And docs/stats.md lists each."""
    page = (ROOT / "docs" / "stats.md").read_text()
    listed = set(re.findall(r"`([a-z_:]+)`", page))
    with board("--config", config) as udp:
        for ask in (udp.ask, lambda data: [plain.ask(Message(data, 1))]):
            assert ask(b"set a 0 0 1\r\nx\r\n") == [b"STORED\r\n"]
        for of in (b"", b" settings", b" items", b" slabs", b" sizes", b" extstore"):
            theirs = names(plain.ask(Message(b"stats" + of + b"\r\n", 1)))
            (ours,) = udp.ask(b"stats" + of + b"\r\n")
            assert names(ours) == theirs, of
            missing = {re.sub(r"^(items:)?1:", "", name.decode()) for name in theirs} - listed
            assert not missing, (of, missing)
        assert values(udp.ask(b"stats\r\n")[0])[b"version"] == b"1.6.18"
        (packets,) = udp.ask(stat(opaque=5))
        same_packets(packets, plain.ask(Message(stat(opaque=5), 1)))


@pytest.mark.parametrize("config", CONFIGS)
def test_numbers_are_the_boards(config: str) -> None:
    with board("--config", config, "--version-text", "9.9.9") as udp:
        if config == "bucket":  # whose items the host does not read
            assert udp.ask(b"me a\r\n") == [b"ERROR\r\n"]
        for i in range(5):
            udp.ask(b"set key%d 0 0 3\r\nabc\r\n" % i)
        for key in (b"key0", b"key1", b"key1", b"none"):
            udp.ask(b"get " + key + b"\r\n")
        udp.ask(b"delete key0\r\n")
        udp.ask(b"delete none\r\n")
        udp.ask(b"touch key1 0\r\n")
        expected = {
            **dict(cmd_get=4, cmd_set=5, get_hits=3, get_misses=1, cmd_touch=1, touch_hits=1),
            **dict(touch_misses=0, delete_hits=1, delete_misses=1, curr_items=4, total_items=5),
            **dict(evictions=0, cmd_flush=0),
        }
        if config == "item":
            udp.ask(b"set n 0 0 1\r\n7\r\n")
            udp.ask(b"incr n 1\r\n")
            udp.ask(b"decr none 1\r\n")
            expected |= dict(cmd_set=6, curr_items=5, total_items=6)
            expected |= dict(incr_hits=1, incr_misses=0, decr_hits=0, decr_misses=1)
        found = values(udp.ask(b"stats\r\n")[0])
        assert {name: int(found[name.encode()]) for name in expected} == expected
        assert int(found[b"bytes"]) > 0
        assert abs(int(found[b"time"]) - time.time()) < 5
        assert found[b"version"] == b"9.9.9"
        assert udp.ask(b"version\r\n") == [b"VERSION 9.9.9\r\n"]
        items = values(udp.ask(b"stats items\r\n")[0])
        assert int(items[b"items:1:number"]) == expected["curr_items"]
        # Counters begin anew; what is there stays.
        assert udp.ask(b"stats reset\r\n") == [b"RESET\r\n"]
        udp.ask(b"get key1\r\n")
        found = values(udp.ask(b"stats\r\n")[0])
        assert (found[b"cmd_get"], found[b"cmd_set"], found[b"total_items"]) == (b"1", b"0", b"0")
        assert int(found[b"curr_items"]) == expected["curr_items"]


def cas_messages(whole: bool) -> Iterator[bytes]:
    """What has a CAS number, right or wrong, with and without an item, and meta commands."""
    yield b"set a 0 0 1\r\nx\r\n"
    for cas in (b"0", b"1", b"99"):
        yield b"cas a 0 0 1 " + cas + b"\r\nx\r\n"
        yield b"cas none 0 0 1 " + cas + b"\r\nx\r\n"
    for opcode in (binary.SET, binary.ADD, binary.REPLACE):
        for key in (b"b", b"none"):
            yield b"delete b\r\n"
            yield ascii_set(b"b", b"x")
            for number in range(12):
                yield binary_set(key, b"y", cas=number, opcode=opcode)
    yield binary_request(binary.DELETE, b"a", cas=99)
    if whole:
        for letter in b"SAREP":
            yield b"ms b 1 C99 M%c\r\nx\r\n" % letter
        yield from (b"ms none 1 C99\r\nx\r\n", b"mg b v\r\n", b"md b C99\r\n", b"mn\r\n")
        yield binary_request(binary.APPEND, b"b", value=b"v", cas=99)
        yield b"set n 0 0 1\r\n1\r\n"
        yield binary_request(binary.INCR, b"n", struct.pack(">QQI", 1, 0, 0), cas=99)


@pytest.mark.parametrize("config", CONFIGS)
def test_cas_numbers_and_bytes_are_counted(config: str, memcached: Memcached) -> None:
    """CAS numbers as memcached counts them; bytes as they come and go."""
    counted = (b"cas_hits", b"cas_badval", b"cas_misses", b"cmd_meta", b"cmd_set")
    with board("--config", config) as udp:
        first = udp.ask(b"stats\r\n")[0]
        before = values(first)
        datagrams = -(-len(first) // DATAGRAM)
        read, written = FRAME_HEADER.size + len(b"stats\r\n"), len(first) + 8 * datagrams
        for message in cas_messages(config == "item"):
            wanted = memcached.ask(Message(message, 1))
            assert udp.ask(message) == [wanted], message
            read += FRAME_HEADER.size + len(message)
            written += FRAME_HEADER.size + len(wanted)
        after = values(udp.ask(b"stats\r\n")[0])
        theirs = values(memcached.ask(Message(b"stats\r\n", 1)))
        assert {name: after[name] for name in counted} == {name: theirs[name] for name in counted}
        assert all(int(theirs[name]) > 0 for name in counted if name != b"cmd_meta")
        moved = {name: int(after[name]) - int(before[name]) for name in before if b"bytes" in name}
        # A `stats` counts its own request, if counters are up to date with it, but not its answer.
        spare = FRAME_HEADER.size + len(b"stats\r\n") + 7
        assert abs(moved[b"bytes_read"] - read) <= spare
        assert abs(moved[b"bytes_written"] - written) < 8
        assert moved[b"bytes_read"] > 1000 and moved[b"bytes_written"] > 1000
        slabs = values(udp.ask(b"stats slabs\r\n")[0])
        assert slabs[b"1:cas_hits"] == after[b"cas_hits"]


def growing(size: int) -> Iterator[bytes]:
    """Values that are joined until an item is as large as it may be, and a byte more; and values
    that would be too large, which no datagram has room for."""
    own = 59  # bytes that memcached keeps of an item
    for key, flags, more in ((b"plain", 0, 0), (b"k" * 40, 3, 4)):
        room = size - own - more - len(key)
        yield ascii_set(key, b"", flags)
        for _ in range(room // 1300):
            yield b"append %b 0 0 1300\r\n%b\r\n" % (key, b"x" * 1300)
        rest = room % 1300 - 2
        yield b"prepend %b 0 0 %d\r\n%b\r\n" % (key, rest, b"y" * rest)
        yield binary_request(binary.APPEND, key, value=b"zz")
        yield binary_request(binary.APPEND, key, value=b"z")
        yield from [b"append %b 0 0 1\r\nz\r\n" % key, b"ms %b 1 MA\r\nz\r\n" % key]
        yield b"mg %b s f\r\n" % key
        yield b"add %b %d 0 %d\r\n%b\r\n" % (key, flags, room + 1, bytes(room + 1))
        yield b"mg %b s f\r\n" % key
        yield b"set %b %d 0 %d\r\n%b\r\n" % (key, flags, room + 1, bytes(room + 1))
        yield b"mg %b s f\r\n" % key


@pytest.mark.parametrize("size", [1 << 14, 1 << 16])
def test_largest_item(size: int) -> None:
    """As memcached with the same -I, to a byte."""
    model = Table(whole=True)
    model.item_size_max = size
    with (
        Memcached("-I", str(size), "-o", "slab_chunk_max=8192") as memcached,
        board("-I", str(size)) as udp,
    ):
        for message in growing(size):
            wanted = memcached.ask(Message(message, 1))
            # Of a value that is too large the rest would be datagrams of their own.
            assert udp.ask(message[:1400]) == [wanted], message[:60]
            model.time = int(time.time())
            assert protocol.answer(message, model) == wanted, message[:60]
        settings = values(udp.ask(b"stats settings\r\n")[0])
        assert settings[b"item_size_max"] == b"%d" % size


# Lines that both answer with the same bytes.
SAME = (
    *(b"stats " + of for of in (b"sizes", b"sizes x", b"extstore", b"reset", b"reset x", b"foo")),
    *(b"stats " + of for of in (b"detail", b"detail on", b"detail off x", b"detail dump", b"dump")),
    *(
        b"stats " + of
        for of in (b"detail x", b"cachedump", b"cachedump 1 0", b"noreply", b"x" * 300)
    ),
    *(b"stats sizes" + b" " * 60 + b"x", b"  stats   sizes ", b"stats sizes\0items", b"STATS"),
    *(
        b"statsx",
        b"stats sizes" + b" x" * 40,
        b"stats" + b" x" * 40,
        b"stats detail on" + b" y" * 9,
    ),
    *(b"slabs", b"slabs x", b"slabs reassign 1 2", b"slabs reassign 1", b"slabs reassign 1 2 3"),
    *(b"slabs automove", b"slabs automove 1", b"slabs automove x", b"slabs automove 5"),
    *(b"slabs automove 1 noreply", b"lru", b"lru x", b"lru mode flat", b"lru temp_ttl 5"),
    *(b"lru tune 10 20 0.1 2.0", b"lru tune 50 40 0.1 2.0", b"lru tune 1 2 0 1", b"lru tune 1 2"),
    *(b"extstore", b"extstore item_size", b"extstore item_size 100", b"extstore item_size x"),
    *(b"extstore item_age 99999999999", b"extstore low_ttl -1", b"extstore max_frag 0.5"),
    *(b"extstore free_memchunks 1", b"extstore free_memchunks 1 2", b"extstore foo 1"),
    *(b"extstore free_memchunks 64 2", b"extstore free_memchunks 63 x", b"extstore noreply"),
    *(b"extstore drop_under 1 noreply", b"extstore x noreply", b"extstore max_frag x"),
    *(b"extstore max_frag 0x10", b"extstore max_frag +1", b"extstore item_age +1"),
    *(b"extstore max_sleep 3", b"extstore item_age +", b"extstore max_frag 1e3"),
    *(b"extstore drop_unread 1 2 3", b"refresh_certs", b"refresh_certs x noreply"),
    *(b"lru_crawler", b"lru_crawler x", b"lru_crawler x y", b"lru_crawler disable"),
    *(b"lru_crawler crawl all", b"lru_crawler crawl"),
    *(b"lru_crawler sleep 100", b"lru_crawler sleep x", b"lru_crawler sleep 10000000"),
    *(b"lru_crawler sleep 1 2", b"lru_crawler tocrawl 5", b"lru_crawler tocrawl x"),
    *(b"cache_memlimit", b"cache_memlimit x", b"cache_memlimit 7", b"cache_memlimit 7 noreply"),
    *(b"cache_memlimit 2000000000", b"shutdown", b"shutdown graceful", b"shutdown x"),
    *(b"debugtime", b"debugtime 5", b"debugtime p"),
)


def test_lines_and_keys_as_memcached_answers_them(like: Memcached) -> None:
    """Right ones and malformed ones, in both protocols; each by a mark that ends it."""
    keys = [b"sizes", b"reset", b"resetx", b"detail on", b"detail off", b"detail dump", b"detail"]
    keys += [b"detail x", b"foo", b"cachedump", b"conns", b"items "]
    keys += [b"x" * length for length in (64, 65, 250)]
    keys += [
        b"items\0",
        b"\0",
        b"sizes\0x",
        b"si\0zes",
        b"reset\0x",
        b"detail on\0",
        b"x" * 249 + b"\0",
    ]
    with board("-X") as udp:
        for line in SAME:
            theirs = like.ask(Message(line + b"\r\n", 1))
            ours = udp.ask(line + b"\r\n", 1 if theirs else 0)
            assert b"".join(ours) == theirs, line
        for key in (*keys, b"x" * 251):
            assert udp.ask(stat(key, 77)) == [like.ask(Message(stat(key, 77), 1))], key
        cut = struct.pack(">BBHBBHIIQ", 0x80, STAT, 0, 4, 0, 0, 4, 7, 0) + b"1234"
        assert udp.ask(cut) == [like.ask(Message(cut, 1))]
        # field by field
        for key in (b"settings", b"settingsx", b"detail dump"):
            (packets,) = udp.ask(stat(key, 5))
            same_packets(packets, like.ask(Message(stat(key, 5), 1)))


def test_among_other_commands() -> None:
    """What is before the host's command, and behind it, has messages of its own, as in memcached,
    and does not wait."""
    with board(**{DELAY: "20000"}) as udp:
        udp.ask(b"set a 0 0 1\r\nx\r\n")
        hit = b"VALUE a 0 1\r\nx\r\nEND\r\n"
        whole = udp.ask(b"get a\r\nversion\r\nstats sizes\r\nget a\r\nstats foo\r\n", 4)
        assert whole[:2] == [hit + b"VERSION 1.6.18\r\n", hit]
        assert whole[2:] == [b"STAT sizes_status disabled\r\nEND\r\n", b"ERROR\r\n"]


@pytest.mark.parametrize("config", CONFIGS)
def test_dead_host(config: str) -> None:
    """Its commands have an error, of both protocols, when they have waited, or at once when too
    many wait; everything else goes on."""
    with board("--config", config, "--command-limit", "30000", **{DELAY: NEVER}) as udp:
        assert udp.ask(b"stats\r\n") == [LATE]
        (packet,) = udp.ask(stat(opaque=9))
        (answer,) = binary_answers(packet)
        assert (answer.status, answer.opaque, answer.value) == (0x86, 9, b"Temporary failure")
        answers = udp.ask(b"stats\r\n" * 40, 41)
        assert answers.count(LATE) == 14 and answers.count(BUSY) == 0
        assert sum(answer.count(BUSY) for answer in answers) == 40 - 14
        udp.ask(b"set a 0 0 1\r\nx\r\n")
        assert udp.ask(b"get a\r\n") == [b"VALUE a 0 1\r\nx\r\nEND\r\n"]


def test_slow_host() -> None:
    """It is late with a command now and then; no answer comes twice, or to another."""
    with board("--command-limit", "9000", **{DELAY: "6500"}) as udp:
        seen = set()
        for round_ in range(30):
            request = b"stats sizes\r\n" if round_ % 2 else b"stats foo\r\n"
            own = b"STAT sizes_status disabled\r\nEND\r\n" if round_ % 2 else b"ERROR\r\n"
            (answer,) = udp.ask(request)
            assert answer in (own, LATE), round_
            seen.add(answer)
        assert len(seen) >= 2


def test_shutdown() -> None:
    with small("--enable-shutdown") as server:
        udp = Udp(server.port)
        assert udp.ask(b"shutdown x\r\n") == [b"CLIENT_ERROR invalid shutdown mode\r\n"]
        assert values(udp.ask(b"stats settings\r\n")[0])[b"shutdown_command"] == b"yes"
        assert udp.ask(b"shutdown\r\n", seconds=1.0) == []
        assert server.process.wait(20) == 0


def test_debugtime() -> None:
    """What expires does so when the clock is set, which stays ahead, stands, and goes on."""
    with board() as udp:
        assert udp.ask(b"debugtime 5\r\n") == [b"ERROR\r\n"]
    with board("--enable-debugtime") as udp:

        def clock() -> int:
            return int(values(udp.ask(b"stats\r\n")[0])[b"time"])

        def is_ahead(seconds: int) -> bool:
            """The board's clock is set once a second, by a host that may have much to do."""
            before = int(time.time())
            return before - 3 <= clock() - seconds <= int(time.time())

        def set_clock(what: bytes) -> None:
            assert udp.ask(b"debugtime %s\r\n" % what) == [b"OK\r\n"]

        assert udp.ask(b"debugtime\r\n") == udp.ask(b"debugtime x\r\n") == [b"ERROR\r\n"]
        assert udp.ask(b"set k 0 1000 1\r\nv\r\n") == [b"STORED\r\n"]
        set_clock(b"900")
        assert udp.ask(b"get k\r\n") == [b"VALUE k 0 1\r\nv\r\nEND\r\n"]
        set_clock(b"200")
        assert udp.ask(b"get k\r\n") == [b"END\r\n"]
        time.sleep(2.5)
        assert is_ahead(1100)
        set_clock(b"p")
        stands = clock()
        time.sleep(2.5)
        assert clock() == stands
        set_clock(b"-1100")
        assert clock() == stands - 1100
        set_clock(b"r")
        time.sleep(2.5)
        assert is_ahead(0)


def timed(requests: list[bytes], gap_ns: float = 100.0) -> list[tuple[int, bytes]]:
    """A frame in each gap, in which the wire has room for an answer; each from another port."""
    out, now = [], 0.0  # a float of Unix time has no nanoseconds
    for number, data in enumerate(requests):
        frame = frames.request(data, number & 0xFFFF, frames.CLIENT.at_port(20_000 + number))
        out.append((START * 10**9 + int(now), frame))
        now += max(frames.wire_bytes(frame) * 0.8, gap_ns)
    return out


@pytest.mark.parametrize("config", CONFIGS)
def test_gets_at_full_rate_beside_stats(config: str, tmp_path: Path) -> None:
    """No get is lost."""
    sets = [b"set k%d 0 0 4\r\nabcd\r\n" % i for i in range(8)]
    requests = [b"get k%d\r\n" % (i % 8) for i in range(3000)]
    played = {}
    for name, every in (("alone", 0), ("beside", 100)):
        asked = list(requests)
        if every:
            asked[every::every] = [b"stats\r\n"] * len(asked[every::every])
        folder = tmp_path / name
        folder.mkdir()
        played[name] = play(timed(sets + asked), folder, "--config", config)
    both = [p.counters for p in played.values()]
    stats = len(requests[100::100])
    assert both[0]["get_hit"] == len(requests) and both[1]["get_hit"] == len(requests) - stats
    assert both[1]["host_command"] + both[1]["host_refused"] == stats
    assert both[1]["host_command"] > 5
    assert both[1]["host_late"] == 0
    for name in played:
        counters = played[name].counters
        assert not any(count for at, count in counters.items() if at.startswith("drop_"))
        assert played[name].summary["unanswered"] == 0
        assert played[name].summary["transmit_gaps"] == 0
    to: dict[int, list[bytes]] = {}
    for frame in played["beside"].frames:
        datagram = frames.parse_datagram(frame)
        assert datagram is not None
        to.setdefault(datagram.destination.port - 20_000 - len(sets), []).append(datagram.payload)
    for number in range(len(requests)):
        answer = b"".join(payload[8:] for payload in to[number])
        if number and number % 100 == 0:
            whole = answer.startswith(b"STAT pid") and answer.endswith(b"END\r\n")
            assert whole or answer == BUSY
        else:
            assert answer == b"VALUE k%d 0 4\r\nabcd\r\nEND\r\n" % (number % 8)


@pytest.mark.parametrize("pause", [False, True])
def test_a_flood_of_stats_then_a_get(pause: bool, tmp_path: Path) -> None:
    """Whatever becomes of the flood, each command in it has one answer, and the get its own. `me`
    with the longest key is among them."""
    longest = b"me %b b\r\n" % (b"k" * 250)
    flood = [b"stats\r\n" * 20] * 60 + [b"stats settings\r\n"] * 300
    flood += [b"me a\r\n" * 20] * 60 + [longest] * 60
    asked = timed([b"set a 0 0 1\r\nx\r\n", *flood, b"get a\r\n"])
    options = ("--host-pause", "0:2000000", "--command-limit", "100000") if pause else ()
    played = play(asked, tmp_path, *options, pace=("--rate", "10G"))
    counters = played.counters
    answered = counters["host_command"] + counters["host_refused"]
    dropped = counters["drop_overflow"]
    assert dropped == 0 and answered == 60 * 20 + 300 + 60 * 20 + 60
    assert (counters["host_late"] > 0) == pause and counters["host_refused"] > 1000
    last = [frames.parse_datagram(frame) for frame in played.frames]
    port = 20_000 + len(flood) + 1
    found = [d.payload[8:] for d in last if d is not None and d.destination.port == port]
    assert found == [b"VALUE a 0 1\r\nx\r\nEND\r\n"]
