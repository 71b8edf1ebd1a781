# SPDX-License-Identifier: Apache-2.0
"""`wirecache serve` as users meet it: starting, asking, idling, stopping, and its errors."""

from __future__ import annotations

import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from wirecache import ROOT
from wirecache.board import build as board
from wirecache.circuit.config import parse
from wirecache.client import Client, ServerError
from wirecache.oracle.memcached import free_port
from wirecache.testbench import namespace
from wirecache.testbench.serving import LAUNCHER, Serving, serving

START_SECONDS = 30


SIMULATED = r"^simulated +(\d+) cycles"  # of the summary


def number(pattern: str, text: str) -> int:
    """The number in the line of `text` that matches `pattern`."""
    found = re.search(pattern, text, re.M)
    assert found is not None, text
    return int(found[1])


def wakings(server: Serving) -> int:
    """How often it has gone to sleep, and so has been woken, till now."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return number(r"^voluntary_ctxt_switches:\s+(\d+)$", status)


def refused(*options: str) -> str:
    """The one line it says when it does not start, with exit status 2."""
    board.build()
    done = subprocess.run(
        [*LAUNCHER, *options], capture_output=True, text=True, timeout=START_SECONDS
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("wirecache: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_set_get_delete_and_the_summary() -> None:
    with serving() as server:
        assert server.ready.startswith("wirecache ready udp 127.0.0.1:")
        assert str(server.port) in server.ready and "10.0.2.15" in server.ready
        for binary in (False, True):
            with Client(port=server.port, binary=binary) as client:
                client.set(b"key", b"value %d" % binary)
                assert client.get(b"key") == b"value %d" % binary
                assert client.get(b"other") is None
                assert client.delete(b"key")
                assert client.get(b"key") is None
        summary = server.stop()
    assert "operations  10: get 6, set 2, delete 2" in summary
    assert "hits        2 of 6 gets" in summary
    assert re.search(r"^drops       0$", summary, re.M)
    assert re.search(r"^simulated   \d+ cycles = .* ms, \d+ cycles per second$", summary, re.M)
    assert re.search(r"^asleep      \d", summary, re.M)


def test_errors_of_memory(seed: int) -> None:
    """GETs give the last value stored, or nothing, or no answer; the summary says why."""
    rates = ("--memory-errors", "0.03,0.0005", "--memory-error-seed", str(seed))
    with serving(*rates) as server:
        stored: dict[bytes, bytes] = {}
        failed = lost = hits = 0
        with Client(port=server.port, binary=True, timeout=1.0) as client:
            for i in range(300):
                key = b"key-%d" % (i % 150)  # more than there are buckets on the chip
                try:
                    client.set(key, b"%d" % i * 40)
                    stored[key] = b"%d" % i * 40
                except ServerError as error:
                    failed += 1
                    assert str(error) == "Internal error"
                try:
                    value = client.get(key)
                except TimeoutError:
                    lost += 1
                    continue
                hits += value is not None
                assert value in (None, stored.get(key)), f"GET {i}"
        summary = server.stop()
    assert failed > 0 and hits > 100
    said = re.search(r"^memory +(\d+) errors: .* (\d+) answers not sent$", summary, re.M)
    assert said and int(said[1]) > 0 and int(said[2]) == lost


@pytest.mark.parametrize("text", [None, "1.6.21", "wirecache-0.1."])
def test_the_version_is_what_it_is_told(text: str | None) -> None:
    with serving(*(("--version-text", text) if text else ())) as server:
        for binary in (False, True):
            with Client(port=server.port, binary=binary) as client:
                assert client.version() == (text or "1.6.18").encode()
                assert client.get(b"key") is None  # nothing is left of the answer before


def test_a_circuit_that_stands_still() -> None:
    """Memory stops answering: a line says where it stands, once; the end is an error."""
    dead = {**os.environ, "WIRECACHE_MEMORY_STOPS": "1"}
    with serving(env=dead, stderr=subprocess.PIPE) as server:
        assert server.process.stderr is not None
        with Client(port=server.port, timeout=0.5) as client:
            assert client.get(b"a") is None  # its bucket is read
            with pytest.raises(TimeoutError):
                client.get(b"b")
            assert select.select([server.process.stderr], [], [], 20)[0], "nothing is said"
            said = server.process.stderr.readline()
            with pytest.raises(TimeoutError):
                client.get(b"c")
        server.process.send_signal(signal.SIGINT)
        rest, more = server.process.communicate(timeout=20)
    still = "wirecache: the circuit has stood still for a second, unanswered: "
    assert said.startswith(still) and "datagrams 1" in said and "index 1" in said, said
    assert more == "" and server.process.returncode == 1
    assert "operations  1: get 1," in rest


def test_a_table_out_of_use() -> None:
    """No bucket can be written: a line says so once, and the summary; all is answered, so the end
    is no error."""
    broken = ("--memory-errors", "0,1", "--memory-error-seed", "1", "--memory", "2M")
    with serving(*broken, stderr=subprocess.PIPE) as server:
        assert server.process.stderr is not None
        with Client(port=server.port, binary=True, timeout=2.0) as client:
            for i in range(200):
                with suppress(ServerError, TimeoutError):
                    client.set(b"key-%d" % i, b"value")
            assert select.select([server.process.stderr], [], [], 20)[0], "nothing is said"
            said = server.process.stderr.readline()
            with pytest.raises(ServerError, match="Internal error"):
                client.set(b"a", b"b")
            assert client.get(b"a") is None
            time.sleep(2.5)  # seconds in which it is not said again
        server.process.send_signal(signal.SIGINT)
        rest, more = server.process.communicate(timeout=20)
    assert said.startswith("wirecache: the table is out of use: memory did not write"), said
    assert "CONTROL.clear" in said and "started again" in said
    assert more == "" and server.process.returncode == 0
    assert "\nout of use  the table: memory did not write" in rest


def test_drops_are_told_by_cause() -> None:
    with serving() as server:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as bad:
            bad.sendto(b"\0\1\0\5\0\1\0\0get x\r\n", ("127.0.0.1", server.port))
        with Client(port=server.port) as client:
            assert client.get(b"x") is None
        assert "drops       1: udp_header 1" in server.stop()


def test_access_list() -> None:
    """Clients of this machine are 10.0.2.2 to a board behind slirp."""
    others = ("--allow", "192.168.0.0/16")
    with serving(*others, "--allow", "10.0.2.2") as server:
        with Client(port=server.port) as client:
            assert client.get(b"x") is None
        assert re.search(r"^drops       0$", server.stop(), re.M)
    with serving(*others) as server:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.settimeout(1)
            client.sendto(b"\0\1\0\0\0\1\0\0get x\r\n", ("127.0.0.1", server.port))
            with pytest.raises(TimeoutError):
                client.recv(2048)
        assert "drops       1: denied 1" in server.stop()


def test_several_clients_at_once() -> None:
    with serving() as server:
        clients = [Client(port=server.port) for _ in range(8)]
        for number, client in enumerate(clients):
            for item in range(20):
                client.send(b"set k%d-%d 0 0 4\r\n%04d\r\n" % (number, item, item))
        for number, client in enumerate(clients):
            for _ in range(20):
                assert client.receive()[1] == b"STORED\r\n"
            keys = [b"k%d-%d" % (number, item) for item in range(20)]
            assert client.get_many(keys) == {k: b"%04d" % i for i, k in enumerate(keys)}


def test_idle_costs_next_to_no_cpu() -> None:
    """An idle board wakes once or twice a second, and simulates what telling the time takes."""
    seconds = 8
    with serving() as short, serving() as long:
        for server in (short, long):
            with Client(port=server.port) as client:
                client.set(b"key", b"value")
        time.sleep(1.5)  # the counters of what was done have been read
        first = number(SIMULATED, short.stop())
        before = wakings(long)
        time.sleep(seconds)
        assert wakings(long) - before <= 2 * seconds
        with Client(port=long.port) as client:
            assert client.get(b"key") == b"value"
        # One more reading of the counters may fall into either, and a request into the second.
        assert number(SIMULATED, long.stop()) - first < 128 * seconds + 3000


def test_seconds_are_those_of_the_wall_clock() -> None:
    with serving() as server, Client(port=server.port) as client:
        client.set(b"short", b"1", exptime=2)
        client.set(b"absolute", b"1", exptime=int(time.time()) + 2)
        client.set(b"long", b"1", exptime=100)
        assert client.get(b"short") == b"1" and client.get(b"absolute") == b"1"
        time.sleep(3.2)
        assert client.get(b"short") is None and client.get(b"absolute") is None
        assert client.get(b"long") == b"1"


def test_ctrl_c_ends_it_too() -> None:
    with serving() as server:
        assert "operations  0" in server.stop(signal.SIGINT)


def test_24_gigabytes_are_no_burden() -> None:
    with serving("--memory", "24G") as server, Client(port=server.port) as client:
        assert "24576 MiB" in server.ready
        client.set(b"key", b"x" * 1000)
        assert client.get(b"key") == b"x" * 1000
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        resident = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert resident is not None and int(resident[1]) < 100_000


def test_without_frame_header() -> None:
    with (
        serving("--no-frame-header") as server,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as plain,
    ):
        plain.settimeout(5)
        plain.sendto(b"set a 0 0 1\r\n7\r\n", ("127.0.0.1", server.port))
        assert plain.recv(100) == b"STORED\r\n"
        plain.sendto(b"get a\r\n", ("127.0.0.1", server.port))
        assert plain.recv(100) == b"VALUE a 0 1\r\n7\r\nEND\r\n"


@pytest.mark.full  # builds a second board
def test_trace_writes_a_file(tmp_path: Path) -> None:
    file = tmp_path / "trace.fst"
    board.build(trace=True)
    with serving("--memory", "16M", "--trace", str(file)) as server:
        with Client(port=server.port) as client:
            client.set(b"key", b"value")
        server.stop()
    assert file.stat().st_size > 10_000


def test_port_in_use() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        assert f"cannot use UDP port {port} of 127.0.0.1" in refused("--udp-port", str(port))
    with serving() as server:
        assert "in use" in refused("--udp-port", str(server.port))
        two = ("--port", str(server.port), "--udp-port", str(free_port()))
        assert f"cannot use TCP port {server.port} of 127.0.0.1" in refused(*two)


def test_address_that_is_not_ours() -> None:
    assert "cannot use UDP port" in refused("--bind", "192.0.2.1")


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--memory", "0", "too small"),
        ("--memory", "1M", "too small"),
        ("--memory", "128G", "more than 64G"),
        ("--memory", "10T", "more than 64G"),
        ("--memory", "99999999999999999999", "more than 64G"),
        ("--memory", "9" * 5000, "no size"),
        ("--memory", "-1G", "no size"),
        ("--memory", "", "no size"),
        ("--memory", "1.5G", "no size"),
        ("--memory", "1GG", "no size"),
        ("--memory", "much", "no size"),
        ("--memory", "\u0661G", "no size"),
        ("--udp-port", "0", "1<=x<=65535"),
        ("--udp-port", "70000", "1<=x<=65535"),
        ("--udp-port", "nan", "not a valid integer"),
        ("--port", "-1", "1<=x<=65535"),
        ("--link", "carrier-pigeon", "neither slirp nor tap:NAME"),
        ("--link", "tap:", "neither slirp nor tap:NAME"),
        ("--link", "tap:a-name-that-is-too-long", "neither slirp nor tap:NAME"),
        ("--link", "tap:wc%d", "neither slirp nor tap:NAME"),
        ("--link", "tap:a/b", "neither slirp nor tap:NAME"),
        ("--mac", "02:57:43", "no MAC address"),
        ("--mac", "03:57:43:00:00:01", "a group's"),
        ("--mac", "00:00:00:00:00:00", "nobody's"),
        ("--ip", "10.0.2", "no IPv4 address"),
        ("--ip", "", "no IPv4 address"),
        ("--ip", "0.0.0.0", "no address that a board can have"),
        ("--ip", "0.1.2.3", "no address that a board can have"),
        ("--ip", "127.0.0.1", "loopback"),
        ("--ip", "224.0.0.1", "not the address of one machine"),
        ("--ip", "239.255.255.255", "not the address of one machine"),
        ("--ip", "255.255.255.255", "not the address of one machine"),
        ("--ip", "10.0.2.255", "all machines of its network"),
        ("--ip", "10.0.2.0", "all machines of its network"),
        ("--bind", "224.0.0.1", "not the address of one machine"),
        ("--bind", "255.255.255.255", "not the address of one machine"),
        ("--classes", "128,2K,1M,2M", "more than three"),
        ("--classes", "128,,1M", "no size"),
        ("--classes", "", "no size"),
        ("--classes", "128,99999999999999999999", "more than 4M"),
        ("--classes", "0", "multiples of 64 bytes"),
        ("--classes", "4M", "4 MiB - 64 at most"),
        ("--class-shares", "1,2", "not as many as --classes"),
        ("--class-shares", "1,0,2", "no shares"),
        ("--class-shares", "1,2,x", "no shares"),
        ("--class-shares", "1,2,3333333", "no shares"),
        ("--class-shares", "1,2,\u0663", "no shares"),
        ("--classes", "2K,128,1M", "ascending"),
        ("--classes", "100,2K,1M", "multiples of 64 bytes"),
        ("--memory-latency", "0", "1<=x<=10000"),
        ("--memory-latency", "1e3", "not a valid integer"),
        ("--controller-latency", "-1", "0<=x<=10000"),
        ("--controller-latency", "99999999999999999999", "0<=x<=10000"),
        ("--memory-timing", "ddr9", "ddr4-2400"),
        ("--trace", "/nowhere/at.fst", "its folder does not exist"),
        ("--trace", "", "no file without a name"),
        ("--trace", "/tmp", "is a directory"),
        ("--config", "nonsense=1", "nonsense"),
        ("--allow", "everybody", "no IPv4 network"),
        ("--allow", "10.0.0.0/33", "no IPv4 network"),
        ("--allow", "10.0.0.0/8,10.1.0.0/16", "no IPv4 network"),
        ("--allow", "fe80::/10", "no IPv4 network"),
        ("-I", "1K", "'1K' is less than 16K"),
        ("--item-size-max", "9M", "'9M' is more than 8M"),
        ("-I", "2M", "-I is 16K to 1M of this board: --config large has items of up to 8M"),
        ("--version-text", "", "1 to 14 printable characters"),
        ("--version-text", "1.6.18-wirecache", "1 to 14 printable characters"),
        ("--version-text", "1.6 18", "1 to 14 printable characters"),
        ("--version-text", "1.6.18ä", "1 to 14 printable characters"),
        ("--no-such-option", "1", "No such option"),
    ],
)
def test_wrong_arguments(option: str, value: str, says: str, refusal: Callable[..., str]) -> None:
    config = ("--config", "bucket") if option.startswith("--class") else ()
    board.build(config=parse("bucket") if config else None)
    assert says in refusal("serve", "--port", str(free_port()), *config, option, value)


def test_options_of_the_other_index(refusal: Callable[..., str]) -> None:
    board.build()
    board.build(config=parse("bucket"))
    assert "of the bucket index: --config bucket" in refusal("serve", "--classes", "128")
    assert "too small" in refusal("serve", "--config", "bucket", "--memory", "4M")
    said = refusal("serve", "--config", "bucket", "--item-size", "50")
    assert "of the item index: --config simulated" in said


def test_wrong_access_lists(refusal: Callable[..., str]) -> None:
    assert "the one around it is 10.0.0.0/8" in refusal("serve", "--allow", "10.1.0.0/8")
    nine = [word for i in range(9) for word in ("--allow", f"10.{i}.0.0/16")]
    assert "9 networks, and the board takes 8" in refusal("serve", *nine)


def in_a_namespace(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a script of bash, with Python as $0 and the launcher as $1, in a network of its own."""
    board.build()
    return namespace.run(["bash", "-c", script, sys.executable, str(ROOT / "wirecache")], folder)


@pytest.mark.skipif(not namespace.available(), reason=namespace.MISSING)
def test_tap_device(tmp_path: Path) -> None:
    script = """
        "$0" "$1" serve --link tap:wc0 > ready & pid=$!
        until grep -q ready ready; do sleep 0.1; done
        ip address add 10.0.2.2/24 dev wc0
        "$0" -c 'if True:
            from wirecache.client import Client
            client = Client("10.0.2.15", 11211)
            client.set(b"key", b"over a tap")
            print(client.get(b"key"))'
        kill -TERM $pid
        wait $pid
    """
    done = in_a_namespace(script, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "b'over a tap'" in done.stdout
    assert "udp 10.0.2.15:11211, tcp 10.0.2.15:11211 on wc0" in (tmp_path / "ready").read_text()


@pytest.mark.skipif(not namespace.available(), reason=namespace.MISSING)
def test_frames_that_a_tap_device_does_not_take_are_counted(tmp_path: Path) -> None:
    # The board stands still while it is asked and while the device goes down before it answers.
    script = """
        "$0" "$1" serve --link tap:wc0 > said & pid=$!
        until grep -q ready said; do sleep 0.1; done
        ip address add 10.0.2.2/24 dev wc0
        ip neighbour replace 10.0.2.15 lladdr 02:57:43:00:00:01 dev wc0 nud permanent
        kill -STOP $pid
        "$0" -c 'if True:
            from wirecache.client import Client
            client = Client("10.0.2.15", 11211)
            for number in range(7):
                client.send(b"get key\\r\\n")'
        ip link set wc0 down
        kill -CONT $pid
        sleep 4
        kill -TERM $pid
        wait $pid
    """
    done = in_a_namespace(script, tmp_path)
    assert done.returncode == 0, done.stderr
    said = (tmp_path / "said").read_text()
    assert "operations  7: get 7" in said
    assert "lost        7 frames that the link did not take" in said


@pytest.mark.skipif(not namespace.available(), reason=namespace.MISSING)
def test_a_tap_device_that_goes_away(tmp_path: Path) -> None:
    script = """
        "$0" "$1" serve --link tap:wc0 > ready & pid=$!
        until grep -qs ready ready; do sleep 0.1; done
        ip link delete wc0
        wait $pid
    """
    done = in_a_namespace(script, tmp_path)
    assert done.returncode == 1
    assert done.stderr == "wirecache: TAP device wc0 is gone\n"


def test_nobody_can_read_that_it_is_ready() -> None:
    board.build()
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*LAUNCHER, "--port", str(free_port())],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=START_SECONDS,
        )
    assert done.returncode == 1
    assert done.stderr == "wirecache: cannot write to standard output: No space left on device\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody")
def test_tap_that_is_not_permitted() -> None:
    # Not the launcher: nobody may not be able to read the environment.
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", str(board.build())]
    command += ["serve", "--link", "tap:wc9", "--bind", "127.0.0.1", "--ip", "10.0.2.15"]
    command += ["--udp-port", "11211"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("wirecache: cannot use TAP device wc9")
