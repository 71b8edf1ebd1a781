# SPDX-License-Identifier: Apache-2.0
"""`wirecache serve`: clients of this machine over TCP, through the whole circuit."""

from __future__ import annotations

import random
import re
import resource
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress

import pytest
from wirecache.client import Client
from wirecache.model import host, protocol
from wirecache.model.table import Table
from wirecache.model.tcp.endpoint import TOO_MANY
from wirecache.oracle.memcached import Memcached, TcpClient, free_port
from wirecache.testbench.serving import (
    LAUNCHER,
    PATIENCE,
    ask,
    connect,
    serving,
    tries,
    udp_message,
    until,
)
from wirecache.traffic.frames import FRAME_HEADER
from wirecache.traffic.requests import Message, Mix, Traffic

VERSION = b"1.6.18"
VERSION_LINE = b"VERSION %b\r\n" % VERSION
MOST_VALUE = (1 << 20) - 59 - len(b"large")  # of an item with this key (wc_pkg::ItemBytes)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Of a board with TCP. What it says at its end must be all well."""
    with serving() as server:
        assert f"tcp 127.0.0.1:{server.port}" in server.ready
        yield server.port
        opened, closed = count_twenty_more(server.port)
        rest = server.stop()
    found = re.search(r"^connections (\d+) opened, (\d+) closed", rest, re.M)
    assert found is not None, rest
    assert int(found[1]) >= opened and int(found[2]) >= closed >= 20, rest
    assert "overflow" not in rest  # long values come as fast as the wire has them


def count_twenty_more(port: int) -> tuple[int, int]:
    """Opens and closes connections, all of which the board must count, whatever came before. Those
    that it has closed first wait for their number's next use, so no more than these are sure. How
    many it has opened then, and closed."""
    with connect(port) as watching:

        def counted() -> tuple[int, int]:
            fields = dict(
                re.findall(rb"STAT (\S+) (\S+)\r\n", ask(watching, b"stats\r\n", b"END\r\n"))
            )
            total, current = (int(fields[n + b"_connections"]) for n in (b"total", b"curr"))
            return total - 1, total - current

        opened, closed = counted()
        for _ in range(20):
            with connect(port) as one:
                assert ask(one, b"version\r\n", b"\r\n") == VERSION_LINE
        for _ in tries():
            if (now := counted())[1] >= closed + 20:
                break
        assert now[1] >= closed + 20, now
    assert now[0] >= opened + 20
    return now


@pytest.mark.parametrize("errors", [0.05, 0.5], ids=["some-errors", "errors"])
def test_random_streams(port: int, seed: int, errors: float) -> None:
    """Random requests in random pieces: the answers are the model's, byte for byte."""
    draw = random.Random(seed)
    client = TcpClient(port, PATIENCE)
    table = Table(whole=True)
    # What was before is not there; its CAS numbers have been given out.
    number = client.ask(Message(b"flush_all\r\nms first 0 c\r\n\r\n", 2))
    table.cas = int(number.removeprefix(b"OK\r\nHD c").removesuffix(b"\r\n"))
    mix = Mix(errors=errors, keys=40, listed=False, flushes=0.002)

    def cas_of(key: bytes) -> int | None:
        item = table.peek(key)
        return None if item is None else item.cas

    for message in Traffic(seed, mix, cas_of).messages(200):
        table.time = int(time.time())
        cuts = draw.choices(range(1, len(message.data) + 1), k=draw.choice((0, 0, 0, 1, 2, 9)))
        theirs = client.ask(message, cuts)
        ours = protocol.answer(message.data, table, VERSION)
        assert theirs == ours, f"different answers to {message.data!r}, cut at {sorted(cuts)}"
    client.close()


def test_values_of_all_sizes(port: int) -> None:
    connection = connect(port)
    for length in (0, 1, 1459, 1460, 1461, 4095, 4096, 70_000, 300_000, MOST_VALUE):
        value = random.randbytes(length)
        said = ask(connection, b"set large 0 0 %d\r\n%b\r\n" % (length, value), b"\r\n")
        assert said == b"STORED\r\n", length
        said = ask(connection, b"get large\r\n", b"\r\nEND\r\n")
        assert said == b"VALUE large 0 %d\r\n%b\r\nEND\r\n" % (length, value), length
    too_much = b"set large 0 0 2000000\r\n%b\r\nget large\r\n" % bytes(2_000_000)
    said = ask(connection, too_much, b"END\r\n")
    assert said == b"SERVER_ERROR object too large for cache\r\nEND\r\n"


def test_byte_by_byte(port: int) -> None:
    connection = connect(port)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in b"set bytewise 5 0 4\r\nabcd\r\nget bytewise\r\n":
        connection.sendall(bytes([byte]))
    assert until(connection, b"END\r\n") == b"STORED\r\nVALUE bytewise 5 4\r\nabcd\r\nEND\r\n"


def test_commands_of_the_host_between_others(port: int) -> None:
    """Each of them alone, and in a segment behind one and in front of one."""
    connection = connect(port)
    for name in sorted({*host.LINES} - {b"watch", b"stats", b"me"}):
        line = name + b" x y z\r\n"
        alone = ask(connection, line, b"\r\n")
        said = ask(connection, b"version\r\n" + line + b"mn\r\n", b"MN\r\n")
        assert said == VERSION_LINE + alone + b"MN\r\n", name


def test_many_requests_at_once(port: int) -> None:
    """Hundreds of requests in front of the first answer that is read; a get of all keys."""
    connection, many = connect(port), range(300)
    values = {b"many%d" % n: b"%d" % n * (n % 40) for n in many}
    sets = b"".join(b"set %b 0 0 %d\r\n%b\r\n" % (k, len(v), v) for k, v in values.items())
    gets = b"".join(b"get %b\r\n" % key for key in values)
    found = [b"VALUE %b 0 %d\r\n%b\r\n" % (k, len(v), v) for k, v in values.items()]
    said = ask(connection, sets + gets + b"get %b\r\nmn\r\n" % b" ".join(values), b"MN\r\n")
    assert said == (
        b"STORED\r\n" * len(many)
        + b"".join(one + b"END\r\n" for one in found)
        + b"".join(found)
        + b"END\r\nMN\r\n"
    )


def test_many_come_at_once(port: int) -> None:
    """Clients that connect and ask at the same time are all served at once."""
    many = [socket.socket() for _ in range(120)]
    for client in many:
        client.setblocking(False)
        client.connect_ex(("127.0.0.1", port))
    for client in many:
        client.settimeout(PATIENCE)
        client.sendall(b"mn\r\n")
    for client in many:
        assert until(client, b"\r\n") == b"MN\r\n"
        client.close()


def test_a_reader_that_stops(port: int) -> None:
    """More answers than the ring holds, to somebody who does not read; others go on."""
    slow, other = connect(port), connect(port)
    value = random.randbytes(100_000)
    assert ask(other, b"set slow 0 0 100000\r\n%b\r\n" % value, b"\r\n") == b"STORED\r\n"
    slow.sendall(b"get slow\r\n" * 40 + b"mn\r\n")
    for turn in range(5):
        assert ask(other, b"set other 0 0 1\r\n%d\r\n" % turn, b"\r\n") == b"STORED\r\n"
    assert (
        until(slow, b"MN\r\n") == (b"VALUE slow 0 100000\r\n%b\r\nEND\r\n" % value) * 40 + b"MN\r\n"
    )


def test_ends(port: int) -> None:
    """quit; an end behind requests; a line without an end; half a value, and its sender is gone."""
    assert ask(connect(port), b"mn\r\nquit\r\nmn\r\n", b"<closed>") == b"MN\r\n<closed>"
    connection = connect(port)
    connection.sendall(b"mn\r\nmn\r\n")
    connection.shutdown(socket.SHUT_WR)
    assert until(connection, b"<closed>") == b"MN\r\nMN\r\n<closed>"
    said = ask(connect(port), b"x" * 3000, b"<closed>")
    assert said == b"<closed>" or said.startswith(b"ERROR")
    half = connect(port)
    half.sendall(b"set half 0 0 1000\r\nabc")
    half.close()
    assert ask(connect(port), b"get half\r\n", b"END\r\n") == b"END\r\n"


@pytest.mark.parametrize(
    "flood",
    [
        pytest.param(b"\n" * 100_000, id="line ends"),
        pytest.param(b"get " + b"k " * 50_000 + b"\r\n", id="a long get"),
        pytest.param(b"\x80" + bytes(23) * 2_000, id="binary zeros"),
        pytest.param(random.Random(1).randbytes(50_000), id="anything"),
    ],
)
def test_a_flood_then_a_plain_request(port: int, flood: bytes) -> None:
    """Who floods does not read; then they are gone. Who comes next is served."""
    flooder = connect(port)
    flooder.settimeout(3)
    with suppress(OSError):  # closed, or no more is taken from who does not read
        flooder.sendall(flood)
    flooder.close()
    said = ask(connect(port), b"set plain 0 0 2\r\nok\r\nget plain\r\n", b"END\r\n")
    assert said == b"STORED\r\nVALUE plain 0 2\r\nok\r\nEND\r\n"


def test_commands_of_the_host(port: int) -> None:
    """They keep their place among the others."""
    connection = connect(port)
    asked = b"mn\r\nstats\r\nverbosity 1\r\nstats sizes\r\nversion\r\n"
    said = ask(connection, asked, VERSION_LINE)
    assert said.startswith(b"MN\r\nSTAT pid ") and said.endswith(b"END\r\n" + VERSION_LINE)
    assert b"STAT cmd_get" in said and b"\r\nOK\r\n" in said


def test_answers_of_the_host_come_between_packets(port: int) -> None:
    """Clients whose packets are answered in many messages, beside some that ask the host: each has
    its own bytes, all of them and no others."""
    stop = threading.Event()

    def stats() -> None:
        with connect(port) as client:
            first = ask(client, b"stats settings\r\n", b"END\r\n")
            while not stop.is_set():
                assert ask(client, b"stats settings\r\n", b"END\r\n") == first

    def sets(number: int) -> None:
        pipeline = b"set k%d 0 0 3\r\nabc\r\n" % number * 50 + b"version\r\n"
        answer = b"STORED\r\n" * 50 + VERSION_LINE
        with connect(port) as client:
            for _ in range(40):
                assert ask(client, pipeline, VERSION_LINE) == answer

    with ThreadPoolExecutor(9) as pool:
        asking = [pool.submit(stats) for _ in range(3)]
        storing = [pool.submit(sets, number) for number in range(6)]
        wait(storing)
        stop.set()
        for each in (*storing, *asking):
            each.result()


def test_udp_beside_tcp(port: int) -> None:
    assert ask(connect(port), b"set both 0 0 3\r\nabc\r\n", b"\r\n") == b"STORED\r\n"
    with Client(port=port) as udp:
        assert udp.get(b"both") == b"abc"
        udp.set(b"both", b"defg")
    assert ask(connect(port), b"get both\r\n", b"END\r\n") == b"VALUE both 0 4\r\ndefg\r\nEND\r\n"


def test_connections_beside_each_other(port: int) -> None:
    """Each asks in two pieces, all first pieces before all second ones."""
    connections = [connect(port) for _ in range(12)]
    for n, connection in enumerate(connections):
        connection.sendall(b"set beside%d 0 0 4\r\n" % n)
    for n, connection in enumerate(connections):
        connection.sendall(b"%04d\r\nget beside%d\r\n" % (n, n))
    for n, connection in enumerate(connections):
        said = until(connection, b"END\r\n")
        assert said == b"STORED\r\nVALUE beside%d 0 4\r\n%04d\r\nEND\r\n" % (n, n)


def test_idle_connections_end() -> None:
    """As with memcached's -o idle_timeout: who goes on asking stays."""
    with serving("--idle-timeout", "2") as server:
        asks, idle = connect(server.port), connect(server.port)
        assert ask(idle, b"mn\r\n", b"MN\r\n") == b"MN\r\n"
        begun = time.monotonic()
        idle.settimeout(0.25)
        said = b""
        while said != b"<closed>":
            assert ask(asks, b"mn\r\n", b"MN\r\n") == b"MN\r\n"
            assert time.monotonic() - begun < PATIENCE
            with suppress(TimeoutError):
                said = until(idle, b"<closed>")
        assert time.monotonic() - begun >= 2
        said = ask(asks, b"stats\r\nstats settings\r\nmn\r\n", b"END\r\nMN\r\n")
        assert b"STAT idle_kicks 1\r\n" in said and b"STAT idle_timeout 2\r\n" in said
        assert re.search(r"^connections 2 opened, .* 1 idle", server.stop(), re.M)


def test_a_peer_that_has_vanished_is_given_up() -> None:
    """The link is dead from the third second on. Till then, and in another run for as long, one
    that has nothing to say is asked, and stays."""
    patient = ("--keepalive", "1/1/2")
    with serving(*patient) as server:
        silent = connect(server.port)
        assert ask(silent, b"mn\r\n", b"MN\r\n") == b"MN\r\n"
        time.sleep(9)
        assert ask(silent, b"mn\r\n", b"MN\r\n") == b"MN\r\n"
        said = server.stop()
        assert re.search(r"^segments .*, [1-9] keepalives", said, re.M)
        assert "silent" not in said
    with serving(*patient, "--impair", "blackout=60s@3s") as server:
        silent = connect(server.port)
        assert ask(silent, b"mn\r\n", b"MN\r\n") == b"MN\r\n"
        time.sleep(12)
        said = server.stop()
        assert re.search(r"^connections 1 opened, 1 closed, 1 silent", said, re.M)


def conns(text: bytes) -> dict[int, dict[bytes, bytes]]:
    """What `stats conns` says of each number."""
    found: dict[int, dict[bytes, bytes]] = {}
    for number, name, value in re.findall(rb"STAT (\d+):(\S+) (\S+)\r\n", text):
        assert found.setdefault(int(number), {}).setdefault(name, value) == value
    return found


def test_connections_are_listed() -> None:
    """Each by its peer's port, in an answer of several parts; what is told of one has memcached's
    names. Those that have ended are not."""
    with (
        serving() as server,
        Memcached(as_started=True) as memcached,
        socket.create_connection(("127.0.0.1", memcached.port), 30) as theirs,
    ):
        asks = connect(server.port)
        clients = [connect(server.port) for _ in range(150)]
        for client in clients:
            assert ask(client, b"mn\r\n", b"\r\n") == b"MN\r\n"
        text = ask(asks, b"stats conns\r\n", b"END\r\n")
        assert len(text) > 2 * 8192
        listed = conns(text)
        others = [
            one for one in listed.values() if one[b"state"] == b"conn_read" and b"UDP" not in one
        ]
        ports = {int(one[b"addr"].rpartition(b":")[2]) for one in others}
        assert ports == {client.getsockname()[1] for client in clients} and len(others) == 150
        mine = [one for one in listed.values() if one[b"state"] == b"conn_parse_cmd"]
        assert [one[b"addr"].split(b":")[2] for one in mine] == [b"%d" % asks.getsockname()[1]]
        assert {one[b"listen_addr"] for one in (*others, *mine)} == {
            one[b"addr"] for one in listed.values() if one[b"state"] == b"conn_listening"
        }
        assert all(int(one[b"secs_since_last_cmd"]) < 60 for one in listed.values())
        # The same names of the same kinds.
        wanted = conns(ask(theirs, b"stats conns\r\n", b"END\r\n"))
        kinds = {one[b"state"]: one.keys() for one in wanted.values()}
        assert {b"conn_listening", b"conn_parse_cmd"} <= kinds.keys()
        for one in listed.values():
            if one[b"state"] in kinds and b"UDP" not in one:
                assert one.keys() == kinds[one[b"state"]]
        with connect(server.port) as last:  # which ends behind its command
            last.sendall(b"stats conns\r\n")
            last.shutdown(socket.SHUT_WR)
            said = conns(until(last, b"END\r\n")).values()
            peers = [one[b"addr"] for one in said if one[b"state"] == b"conn_parse_cmd"]
            assert [peer.split(b":")[2] for peer in peers] == [b"%d" % last.getsockname()[1]]
        # Half of them end, each in its way.
        for client in clients[:40]:
            client.close()
        for client in clients[40:75]:
            client.shutdown(socket.SHUT_WR)
            until(client, b"<closed>")
        left = {client.getsockname()[1] for client in (*clients[75:], asks)}
        for _ in tries():
            listed = conns(ask(asks, b"stats conns\r\n", b"END\r\n"))
            there = {int(one[b"addr"].split(b":")[2]) for one in listed.values()} - {server.port}
            if there == left:
                break
        assert there == left
        # Over UDP there is one part, which is this large at most.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            udp.settimeout(30)
            udp.connect(("127.0.0.1", server.port))
            udp.send(FRAME_HEADER.pack(1, 0, 1, 0) + b"stats conns\r\n")
            assert udp_message(udp) == b"SERVER_ERROR answer too large\r\n"
            for client in clients:
                client.close()
            for _ in tries():
                udp.send(FRAME_HEADER.pack(2, 0, 1, 0) + b"stats conns\r\n")
                text = udp_message(udp)
                if len(conns(text)) == 3:
                    break
            assert len(conns(text)) == 3 and text.endswith(b"END\r\n")
        server.stop()


def test_fewer_connections() -> None:
    """As with memcached's -c."""
    with serving("--conn-limit", "2") as server:
        taken = [connect(server.port) for _ in range(2)]
        for connection in taken:
            assert ask(connection, b"mn\r\n", b"MN\r\n") == b"MN\r\n"
        said = ask(connect(server.port), b"mn\r\n", b"<closed>")
        assert said == TOO_MANY + b"<closed>"
        said = ask(taken[0], b"stats\r\nstats settings\r\nmn\r\n", b"END\r\nMN\r\n")
        assert b"STAT max_connections 2\r\n" in said and b"STAT maxconns 2\r\n" in said
        assert re.search(rb"^STAT rejected_connections [1-9]", said, re.M)


def test_limits_that_cannot_be(refusal: Callable[..., str]) -> None:
    assert "this board has 1024 connections, not 1025" in refusal("serve", "--conn-limit", "1025")
    assert "0<=x<=30000" in refusal("serve", "--idle-timeout", "30001")
    for text in ("1/0/3", "30001", "5/30001/1", "5/1/128", "5/1", "x", "-1"):
        assert "keepalive" in refusal("serve", "--keepalive", text)
    for option in ("--conn-limit", "--idle-timeout", "--keepalive"):
        assert "boards with TCP" in refusal("serve", "--config", "udp", option, "9")


def test_more_connections_than_a_process_may_have_files() -> None:
    """Each connection is a descriptor: of those a shell lets a process have 1,024 in all, and
    fewer than that here. The board takes what the machine permits."""
    few = 64
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]

    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard))

    with serving(preexec_fn=few_files) as server:
        clients = [connect(server.port) for _ in range(2 * few)]
        for client in clients:
            assert ask(client, b"mn\r\n", b"\r\n") == b"MN\r\n"
        server.stop()


def test_a_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        used = taken.getsockname()[1]
        command = [*LAUNCHER, "--port", str(used), "--udp-port", str(free_port())]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"wirecache: cannot use TCP port {used} of 127.0.0.1: ")
