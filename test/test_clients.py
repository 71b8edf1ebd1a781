# SPDX-License-Identifier: Apache-2.0
"""Real clients, unmodified, over TCP: those of Python, libmemcached's tools, a proxy in front.

Those whose registries are not looked at here are run by `test/clients/run.py`.
"""

from __future__ import annotations

import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from wirecache import ROOT, setup
from wirecache.oracle.memcached import Memcached, free_port
from wirecache.testbench.serving import ask, serving

RUN = ROOT / "test" / "clients" / "run.py"
PATIENCE = 120.0  # s: the simulated board is slow, and other tests run beside it
STARTED = 20.0  # s: the proxy
CONFORMANCE_TESTS = 27  # of `memccapable`, in each protocol


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Of a board with TCP, which all of these clients ask."""
    with serving() as server:
        assert f"tcp 127.0.0.1:{server.port}" in server.ready
        yield server.port
        server.stop()


def tool(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE
    )


@pytest.mark.parametrize("protocol", ["-a", "-b"], ids=["ascii", "binary"])
def test_conformance(port: int, protocol: str) -> None:
    said = tool("memccapable", protocol, "-t", 60, "-h", "127.0.0.1", "-p", port)
    assert said.returncode == 0, said.stdout + said.stderr
    assert said.stdout.count("[pass]") == CONFORMANCE_TESTS, said.stdout
    assert "All tests passed" in said.stdout


@pytest.mark.parametrize("name", ["pymemcache", "pylibmc", "bmemcached"])
def test_python(port: int, name: str) -> None:
    """All that the client can ask: the board tells it what memcached does."""
    said = tool(sys.executable, RUN, "--quick", "--board", port, name)
    assert said.returncode == 0, said.stdout + said.stderr
    assert f"{name}: the same" in said.stdout


@pytest.mark.parametrize("binary", [[], ["--binary"]], ids=["ascii", "binary"])
def test_tools(port: int, binary: list[str], tmp_path: Path) -> None:
    servers = f"--servers=127.0.0.1:{port}"

    def run(name: str, *words: object) -> tuple[int, str]:
        said = tool(name, servers, *binary, *words)
        return said.returncode, said.stdout + said.stderr

    values = {"small": b"hello\n", "page": random.randbytes(4096), "large": random.randbytes(20000)}
    for name, value in values.items():
        (tmp_path / name).write_bytes(value)
    assert tool("memcping", servers).returncode == 0
    assert run("memcflush") == (0, "")
    assert run("memcexist", "small")[0] == 1
    assert run("memccp", *(tmp_path / name for name in values)) == (0, "")
    for name, value in values.items():
        assert run("memccat", f"--file={tmp_path / 'out'}", name)[0] == 0
        assert (tmp_path / "out").read_bytes() == value
    assert run("memcexist", "small")[0] == 0
    assert run("memctouch", "--expire=100", "small")[0] == 0
    assert run("memctouch", "nothing")[0] == 1
    assert run("memcrm", "small") == (0, "")
    assert run("memcrm", "small")[0] == 1
    status = tool("memcstat", servers)
    assert status.returncode == 0
    assert re.search(r"^\s*version: 1\.6\.18$", status.stdout, re.M), status.stdout
    assert re.search(r"^\s*curr_items: [1-9]\d*$", status.stdout, re.M), status.stdout


def test_dump() -> None:
    """On a board of its own: memcdump gives up after 5 s of silence, which the host may need for a
    table into which other tests have written."""
    values = {
        b"small": b"hello",
        b"page": random.randbytes(4096),
        b"large": random.randbytes(20000),
    }
    with serving() as board:
        with socket.create_connection(("127.0.0.1", board.port), PATIENCE) as connection:
            for key, value in values.items():
                line = b"set %b 0 0 %d\r\n%b\r\n" % (key, len(value), value)
                assert ask(connection, line, b"\r\n") == b"STORED\r\n"
        said = tool("memcdump", f"--servers=127.0.0.1:{board.port}")
        assert (said.returncode, {*said.stdout.encode().split()}) == (0, {*values}), said
        board.stop()


@pytest.mark.parametrize("binary", [[], ["--binary"]], ids=["ascii", "binary"])
@pytest.mark.parametrize("what", ["set", "get"])
def test_load(port: int, what: str, binary: list[str]) -> None:
    """Two threads, ten keys each."""
    words = [*binary, f"--test={what}", "--execute-number=10", "--concurrency=2"]
    said = tool("memcslap", f"--servers=127.0.0.1:{port}", *words)
    assert said.returncode == 0, said.stdout + said.stderr
    assert re.search(rf"^Time to {what} +20 keys by", said.stdout, re.M), said.stdout


def through_proxy(port: int, folder: Path) -> list[bytes]:
    """What a server says through nutcracker."""
    proxy, status = free_port(), free_port()
    lines = (
        f"listen: 127.0.0.1:{proxy}",
        "hash: fnv1a_64",
        "distribution: ketama",
        f"timeout: {int(1000 * PATIENCE)}",
        "servers:",
        f"  - 127.0.0.1:{port}:1",
    )
    (folder / "proxy.yml").write_text("pool:\n" + "".join(f"  {line}\n" for line in lines))
    process = subprocess.Popen(
        [
            setup.nutcracker() or "nutcracker",
            "-c",
            str(folder / "proxy.yml"),
            "-a",
            "127.0.0.1",
            "-s",
            str(status),
        ],
        stderr=subprocess.DEVNULL,
    )
    try:
        return list(ask_proxy(proxy))
    finally:
        process.terminate()
        process.wait(PATIENCE)


def ask_proxy(port: int) -> Iterator[bytes]:
    deadline = time.monotonic() + STARTED
    while True:
        with suppress(ConnectionRefusedError):
            connection = socket.create_connection(("127.0.0.1", port), PATIENCE)
            break
        assert time.monotonic() < deadline, "nutcracker does not start"
        time.sleep(0.02)
    long = b"x" * 20_000
    for request, end in (
        (b"set a 5 0 1\r\n1\r\n", b"\r\n"),
        (b"set b 0 0 %d\r\n%b\r\n" % (len(long), long), b"\r\n"),
        (b"get b a c\r\n", b"END\r\n"),
        (b"add a 0 0 1\r\n2\r\nreplace a 0 0 1\r\n3\r\nincr a 4\r\ndecr a 2\r\n", b"5\r\n"),
        (b"append a 0 0 1\r\n6\r\nprepend a 0 0 1\r\n4\r\nget a\r\n", b"END\r\n"),
        (b"touch a 100\r\ndelete a\r\nincr a 1\r\n", b"NOT_FOUND\r\n"),
        (b"version\r\n", b"\r\n"),
    ):
        connection.sendall(request)
        said = b""
        while not said.endswith(end):
            more = connection.recv(1 << 16)
            assert more, said
            said += more
        yield said
    connection.close()


def test_proxy(port: int, memcached: Memcached, tmp_path: Path) -> None:
    theirs = through_proxy(memcached.port, tmp_path)
    ours = through_proxy(port, tmp_path)
    assert ours == theirs
    assert theirs[3] == b"NOT_STORED\r\nSTORED\r\n7\r\n5\r\n"
