# SPDX-License-Identifier: Apache-2.0
"""What the host reads of items, over sockets: `lru_crawler metadump` and `mgdump`, `stats
cachedump`, and `me`."""

from __future__ import annotations

import base64
import os
import random
import re
import select
import socket
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from urllib.parse import unquote_to_bytes

import pytest
from wirecache.oracle.memcached import Memcached
from wirecache.testbench.bench import full
from wirecache.testbench.serving import PATIENCE, Serving, ask, connect, serving, udp_message, until
from wirecache.traffic.frames import FRAME_HEADER

METADUMP = b"lru_crawler metadump all\r\n"
MGDUMP = b"lru_crawler mgdump all\r\n"
CACHEDUMP = b"stats cachedump 1 0\r\n"
END = b"END\r\n"
BUSY = b"SERVER_ERROR host busy\r\n"
DELAY = "WIRECACHE_COMMAND_DELAY"  # cycles by which the host is late


def small(*options: str, **environment: str) -> AbstractContextManager[Serving]:
    return serving("--memory", "8M", *options, env={**os.environ, **environment})


@pytest.fixture
def board() -> Iterator[Serving]:
    with small() as server:
        yield server
        server.stop()


def store(connection: socket.socket, keys: list[bytes], value: bytes = b"abc") -> None:
    """Sets each of them, and waits until the last one is there."""
    sets = [b"set %b 0 0 %d noreply\r\n%b\r\n" % (key, len(value), value) for key in keys]
    for at in range(0, len(sets), 200):
        connection.sendall(b"".join(sets[at : at + 200]))
        assert ask(connection, b"version\r\n", b"\r\n").startswith(b"VERSION")


def fields(line: bytes) -> dict[bytes, bytes]:
    return dict(part.split(b"=", 1) for part in line.split(b" "))


def metadump(connection: socket.socket, of: bytes = b"all") -> dict[bytes, dict[bytes, bytes]]:
    """The fields of each item, by its key."""
    whole = ask(connection, b"lru_crawler metadump %b\r\n" % of, END)
    lines = whole.removesuffix(END).split(b"\n")[:-1]
    items = [fields(line) for line in lines]
    found = {unquote_to_bytes(item.pop(b"key").decode()): item for item in items}
    assert len(found) == len(lines), "a key was listed twice"
    return found


# Stored, changed and taken away: what a list tells of them is memcached's.
STEPS = (
    b"set plain 0 0 1\r\nx\r\n",
    b"set flags 77 0 3\r\nxyz\r\n",
    b"set percent%%41\x80\xff 1 0 2\r\nxy\r\n",
    b"ms %b 4 b T500\r\nabcd\r\n" % base64.b64encode(b"in\0base 64"),
    b"set lives 0 1000 1\r\nx\r\n",
    b"set touched 0 0 1\r\nx\r\ntouch touched 700\r\n",
    b"set read 0 0 1\r\nx\r\nget read\r\n",
    b"set gone 0 0 1\r\nx\r\ndelete gone\r\n",
    b"set dead 0 -1 1\r\nx\r\n",
    b"set counted 0 0 1\r\n9\r\nincr counted 1\r\n",
    b"set joined 5 0 3\r\nabc\r\nappend joined 0 0 4\r\ndefg\r\n",
    b"set %b 0 0 1\r\nx\r\n" % (b"k" * 250),
    b"set empty 0 0 0\r\n\r\n",
    b"set large 0 0 20000\r\n%b\r\n" % bytes(20000),
    b"mn\r\n",
)


def test_as_memcached_lists_them(board: Serving) -> None:
    """All but `la`, the time of the last use, and the class; in any order."""
    with (
        Memcached(as_started=True) as memcached,
        connect(board.port) as ours,
        connect(memcached.port) as theirs,
    ):
        for step in STEPS:
            for connection in (ours, theirs):
                connection.sendall(step)
        for connection in (ours, theirs):
            until(connection, b"MN\r\n")
        listed, wanted = metadump(ours), metadump(theirs)
        for key, item in listed.items():
            # memcached's clock may be a second behind, and the steps came one after the other
            ends = int(item.pop(b"exp")), int(wanted[key].pop(b"exp"))
            assert abs(ends[0] - ends[1]) <= 3 and (ends[0] == -1) == (ends[1] == -1), key
            for of in (item, wanted[key]):
                del of[b"la"], of[b"cls"]
        assert listed == wanted and len(listed) == 12
        # There is one class here, which cachedump is asked for; memcached has several.
        lines = ask(ours, CACHEDUMP, END).split(b"\r\n")[:-2]
        found = {}
        for line in lines:
            match = re.fullmatch(rb"ITEM (.+) \[(\d+) b; (\d+) s\]", line, re.S)
            assert match is not None, line
            found[match[1]] = int(match[2]), int(match[3])
        assert found.keys() == listed.keys()
        assert found[b"large"] == (20000, 0) and found[b"joined"] == (7, 0)
        assert abs(found[b"lives"][1] - 1000 - time.time()) < 10
        keys = {line.removeprefix(b"mg ") for line in ask(ours, MGDUMP, b"EN\r\n").split(b"\r\n")}
        plain = listed.keys() - {b"in\0base 64"}
        assert keys == {*plain, base64.b64encode(b"in\0base 64") + b" b", b"EN", b""}
        for connection in (ours, theirs):
            assert ask(connection, b"flush_all\r\n", b"\r\n") == b"OK\r\n"
            assert ask(connection, METADUMP, END) == END


LONGEST = b"k" * 250
# Of the keys of STEPS, and of none; what is behind a key.
ASKED = (
    *(b"plain", b"flags", b"percent%%41\x80\xff", b"lives", b"touched", b"read", b"gone", b"dead"),
    *(b"counted", b"joined", LONGEST, b"empty", b"large", b"nobody", b"x", b"plain b", b"plain bb"),
    *(base64.b64encode(b"in\0base 64") + behind for behind in (b" b", b" b x", b" x b", b"")),
    *(base64.b64encode(b"plain") + behind for behind in (b" b", b"", b" B", b" v t b")),
    *(
        b"plain noreply",
        b"plain " + b"x " * 20,
        b"plain\0s",
        b"x" * 249,
        LONGEST + b"k",
        b"x" * 600,
    ),
    *(b"", b" ", b"!! b", b"YWI b", b"A" * 248 + b" b", b"A" * 252 + b" b", b"=WJj b"),
)


def test_me_as_memcached_tells_it(board: Serving) -> None:
    """All but `la`, and the class. What is odd as well; over UDP, too."""
    with (
        Memcached(as_started=True) as memcached,
        connect(board.port) as ours,
        connect(memcached.port) as theirs,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
    ):
        udp.settimeout(PATIENCE)
        udp.connect(("127.0.0.1", board.port))
        for step in STEPS:
            for connection in (ours, theirs):
                connection.sendall(step)
        for connection in (ours, theirs):
            until(connection, b"MN\r\n")

        def told(answer: bytes) -> tuple[bytes, int]:
            ends = re.search(rb" exp=(-?\d+)", answer)
            plain = re.sub(rb" (exp|la|cls)=-?\d+", b"", answer)
            return plain, int(ends[1]) if ends else 0

        found = 0
        for asked in ASKED:
            line = b"me " + asked + b"\r\n"
            udp.send(FRAME_HEADER.pack(1, 0, 1, 0) + line)
            wanted, end = told(ask(theirs, line, b"\r\n"))
            for answer in (ask(ours, line, b"\r\n"), udp_message(udp)):
                plain, ours_end = told(answer)
                assert plain == wanted, asked
                # the clocks differ, and the steps came to each when it had time
                assert abs(ours_end - end) <= 60 and (end == -1) == (ours_end == -1), asked
            found += wanted.startswith(b"ME ")
        assert found == 18
        for connection in (ours, theirs):  # as it is behind each change, one line behind the other
            text = b"".join(
                b"%b\r\nme changes\r\n" % change
                for change in (
                    *(b"set changes 0 0 1\r\n1", b"incr changes 10", b"get changes"),
                    *(b"append changes 0 0 3\r\n123", b"delete changes", b"add changes 9 0 0\r\n"),
                    *(b"touch changes 500", b"md changes q I", b"mg changes v", b"flush_all"),
                )
            )
            connection.sendall(text + b"mn\r\n")
        ends = [
            re.sub(rb" la=\d+|(?<= exp=-)(4\d\d|500)\b", b"", until(c, b"MN\r\n"))
            for c in (ours, theirs)
        ]
        assert ends[0] == ends[1] and ends[0].count(b"ME ") == 8


# What is done to items that were stored some seconds ago, and whether that is noted as a use.
USES = {
    b"told": (b"mg told l\r\nmg told l\r\n", True),  # the second use is
    b"read": (b"get read\r\ngat 0 read\r\n", True),
    b"touched": (b"touch touched 0\r\ntouch touched 0\r\n", True),
    b"once": (b"get once\r\n", False),
    b"idle": (b"mg idle u\r\nmg idle v u\r\nmg idle l u\r\n", False),
    b"counted": (b"incr counted 1\r\n", True),
    b"longer": (b"incr longer 100\r\n", True),  # is another item
    b"joined": (b"append joined 0 0 1\r\nx\r\n", True),
}


def test_last_use_as_memcached_tells_it(board: Serving) -> None:
    """By the flag `l` and by `la`, within what this clock says. memcached notes some uses up to two
    seconds later, so there is time for that."""
    asked = b"".join(b"mg %b l u k\r\nme %b\r\n" % (key, key) for key in USES)
    texts: list[bytes] = []
    with (
        Memcached(as_started=True) as memcached,
        connect(board.port) as ours,
        connect(memcached.port) as theirs,
    ):
        for connection in (ours, theirs):
            stored = time.time()
            store(connection, list(USES), b"5")
            time.sleep(8.0)
            used = time.time()
            connection.sendall(b"".join(uses for uses, _ in USES.values()) + b"mn\r\n")
            text = until(connection, b"MN\r\n")
            end = time.time()
            time.sleep(3.0)
            connection.sendall(asked + b"mg none l\r\nms told l 1\r\n1\r\nmd told l\r\nmn\r\n")
            told = until(connection, b"MN\r\n")
            now = time.time()
            # Of no use before: none is noted yet.
            assert all(7 <= int(n) <= end - stored + 1 for n in re.findall(rb" l(\d+)", text))
            numbers = [int(n) for n in re.findall(rb"(?:(?<= l)|(?<= la=))\d+", told)]
            for at, (_, noted) in enumerate(USES.values()):
                least, most = (0, now - used + 1) if noted else (10, now - stored + 1)
                assert all(least <= n <= most for n in numbers[2 * at : 2 * at + 2]), (at, numbers)
            texts.append(re.sub(rb"(?:(?<= l)|(?<= la=)|(?<=cls=)|(?<=cas=))\d+", b"", told))
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("memory", "count", "evicted", "left", "asked"),
    [("1400000", 2400, 500, 800, 100), full("2M", 4000, 1000, 1500, 300)],
)
def test_every_item_of_a_full_memory(
    memory: str, count: int, evicted: int, left: int, asked: int
) -> None:
    """As many as the board counts, each of them there: those whose keys lie in two segments, too,
    which is one of seven of the items at a segment's end. Some are read, and go on to the main log:
    so a log's segments do not lie one behind the other."""
    keys = [b"%0*d" % (16 if number % 2 else 250, number) for number in range(count)]
    with serving("--memory", memory) as server, connect(server.port) as connection:
        for at in range(0, len(keys), 100):
            batch = keys[at : at + 100]
            store(connection, batch[::2], b"v" * 100)
            store(connection, batch[1::2], b"v" * 1000)
            ask(connection, b"get %b\r\nmn\r\n" % b" ".join(batch[::3]), b"MN\r\n")
        items = metadump(connection)
        stats = dict(re.findall(rb"STAT (\S+) (\S+)\r\n", ask(connection, b"stats\r\n", END)))
        assert int(stats[b"evictions"]) > evicted
        assert len(items) == int(stats[b"curr_items"]) > left
        assert items.keys() <= set(keys)
        for key in random.sample([*items], asked):
            assert ask(connection, b"mg %b k\r\n" % key, b"\r\n") == b"HD k%b\r\n" % key
        server.stop()


def test_others_go_on(board: Serving) -> None:
    """Lists are answered in turns with other commands; one that nobody reads stops nobody, and its
    connection's number may be another's at once."""
    keys = [b"%0200d" % number for number in range(300)]
    with connect(board.port) as other:
        store(other, keys)
        for _ in range(3):
            silent = socket.socket()
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            silent.connect(("127.0.0.1", board.port))
            silent.sendall(METADUMP * 3)
            assert ask(other, b"get %b\r\n" % keys[0], END).startswith(b"VALUE")
            assert ask(other, b"stats sizes\r\n", END) == b"STAT sizes_status disabled\r\nEND\r\n"
            silent.close()
        with connect(board.port) as first, connect(board.port) as second:
            first.sendall(METADUMP)
            second.sendall(b"get nobody\r\n" + MGDUMP + b"get nobody\r\n" + METADUMP)
            assert until(second, b"EN\r\n").count(b"mg ") == len(keys)
            assert until(second, END) == END  # of the get
            assert until(second, END).count(b"key=") == len(keys)
            assert until(first, END).count(b"key=") == len(keys)


def test_a_list_ends_or_says_why(board: Serving) -> None:
    """Eight at once, of several parts each, while UDP fills the queue of commands again and again:
    a new one may be refused, one that has begun comes to its end."""
    keys = [b"%0240d" % number for number in range(60)]
    flood = FRAME_HEADER.pack(1, 0, 1, 0) + b"stats sizes\r\n" * 20
    with connect(board.port) as other, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        store(other, keys)
        udp.connect(("127.0.0.1", board.port))
        clients = [connect(board.port) for _ in range(8)]
        said = [b""] * len(clients)
        for client in clients:
            client.sendall(METADUMP)
        open_ = set(range(len(clients)))
        deadline = time.monotonic() + 4 * PATIENCE
        while open_ and time.monotonic() < deadline:
            if all(said):  # each has a part
                udp.send(flood)
            ready, _, _ = select.select([clients[i] for i in open_], [], [], 0.01)
            for i in [*open_]:
                if clients[i] in ready:
                    said[i] += clients[i].recv(1 << 20)
                if said[i].endswith((END, BUSY)):
                    open_.discard(i)
        assert not open_, [text[-80:] for text in said]
        whole = [text for text in said if text != BUSY]
        assert [text.count(b"key=") for text in whole] == [len(keys)] * len(whole) and whole
        for client in clients:
            client.close()


def test_what_is_dead_is_not_listed(board: Serving) -> None:
    with connect(board.port) as connection:
        store(connection, [b"before"])
        assert ask(connection, b"flush_all\r\n", b"\r\n") == b"OK\r\n"
        connection.sendall(b"set ends 0 1 1 noreply\r\nx\r\n")
        store(connection, [b"stays"])
        time.sleep(2.5)
        assert metadump(connection).keys() == {b"stays"}
        assert metadump(connection, b"2").keys() == set()
        assert ask(connection, b"stats cachedump 1 1\r\n", END).count(b"ITEM") == 1


# What a memcached answers that lists keys, and how many items of it a list may have.
WRONG = (
    *(b"lru_crawler metadump " + of for of in (b"64", b"0", b"x", b"-1", b"99,1", b"ALL")),
    *(b"lru_crawler metadump", b"lru_crawler metadump all 1", b"lru_crawler metadump all noreply"),
    *(b"stats cachedump " + of for of in (b"64 0", b"x 0", b"1 x", b"1", b"1 -1", b"0 0", b"5 0")),
    b"stats cachedump",
)


@pytest.mark.parametrize("allowed", [True, False])
def test_wrong_ones_as_memcached_answers_them(allowed: bool) -> None:
    option = () if allowed else ("-X",)
    right = () if allowed else (METADUMP[:-2], CACHEDUMP[:-2])
    with Memcached(*option, as_started=True) as memcached, small(*option) as server:
        with connect(server.port) as ours, connect(memcached.port) as theirs:
            for line in (*WRONG, *right):
                mark = b"\r\nmn\r\n"
                assert ask(ours, line + mark, b"MN\r\n") == ask(theirs, line + mark, b"MN\r\n"), (
                    line
                )
            if not allowed:  # which this memcached does not know
                assert ask(ours, MGDUMP, b"\r\n") == b"ERROR mgdump not allowed\r\n"
            store(ours, [b"a"])
            assert ask(ours, b"me a\r\n", b"\r\n").startswith(b"ME a exp=-1 ")  # in either case
            settings = ask(ours, b"stats settings\r\n", END)
            assert b"STAT dump_enabled %b\r\n" % (b"yes" if allowed else b"no") in settings
        server.stop()


def test_over_udp(board: Serving) -> None:
    """UDP has no way for answers of any length."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.settimeout(PATIENCE)
        udp.connect(("127.0.0.1", board.port))
        for line in (METADUMP, MGDUMP, CACHEDUMP):
            udp.send(FRAME_HEADER.pack(1, 0, 1, 0) + line)
            answer = udp.recv(2000)[FRAME_HEADER.size :]
            assert answer == b"CLIENT_ERROR lists of keys need TCP\r\n"


def test_the_densest_of_me_then_a_get(board: Serving) -> None:
    """Datagrams full of `me`, and of one `me` of more words than the host sees: what finds no room
    is refused or dropped, and a plain get is answered."""
    dense = [b"me a\n" * 290, b"me a" + b" x" * 700 + b"\n", b"me " + b"k" * 1450, b"me\n" * 480]
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        connect(board.port) as connection,
    ):
        udp.settimeout(PATIENCE)
        udp.connect(("127.0.0.1", board.port))
        store(connection, [b"a"])
        for datagram in dense * 20:
            udp.send(FRAME_HEADER.pack(7, 0, 1, 0) + datagram)
        hit = b"VALUE a 0 3\r\nabc\r\nEND\r\n"
        assert ask(connection, b"get a\r\n", END) == hit
        udp.send(FRAME_HEADER.pack(9, 0, 1, 0) + b"get a\r\n")
        told = b""
        while FRAME_HEADER.unpack_from(told or bytes(8))[0] != 9:
            told = udp.recv(2000)
            assert told[8:].startswith((b"ME a ", BUSY, b"CLIENT_ERROR bad", b"ERROR", b"VALUE a"))
        assert told[8:] == hit
        assert ask(connection, b"me a\r\n", b"\r\n").startswith(b"ME a exp=-1 ")


def test_a_host_that_is_late() -> None:
    """A part that does not come in time ends the list with an error."""
    with small("--command-limit", "20000", **{DELAY: "30000"}) as server:
        with connect(server.port) as connection:
            store(connection, [b"a"])
            said = ask(connection, METADUMP + b"get a\r\n", END)
            assert said == b"SERVER_ERROR host does not answer\r\nVALUE a 0 3\r\nabc\r\nEND\r\n"
        server.stop()
