# SPDX-License-Identifier: Apache-2.0
"""Real clients, unmodified: each does the same with a memcached and with the simulated board, and
must be told the same.

A client is a program that takes the port of a server and prints what it is told. `python
test/clients/run.py --help` says how to run them; README.md what there is.
"""

from __future__ import annotations

import argparse
import difflib
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "py"))

from wirecache.oracle.memcached import Memcached  # noqa: E402
from wirecache.testbench.serving import serving  # noqa: E402

BUILD = ROOT / "build" / "clients"
SECONDS = 600  # for what a client does, or a registry


@dataclass(frozen=True)
class Client:
    command: tuple[str, ...]  # in a copy of its folder under build/, with the port behind it
    folder: str = ""  # beside this file
    prepare: tuple[str, ...] = ()  # gets what it needs from its registry
    quick: tuple[str, ...] = ()  # behind the port: no long values

    def place(self) -> Path:
        return BUILD / self.folder if self.folder else HERE

    def make(self) -> None:
        if not self.folder:
            return
        shutil.copytree(HERE / self.folder, self.place(), dirs_exist_ok=True)
        subprocess.run(self.prepare, cwd=self.place(), check=True, timeout=SECONDS)

    def said(self, port: int, quick: bool) -> list[str]:
        done = subprocess.run(
            [*self.command, str(port), *(self.quick if quick else ())],
            cwd=self.place(),
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        if done.returncode != 0:
            return [*done.stdout.splitlines(), *done.stderr.splitlines(), "it failed"]
        return done.stdout.splitlines()


def _python(name: str) -> Client:
    return Client((sys.executable, str(HERE / f"with_{name}.py")), quick=("--quick",))


def _node(name: str) -> Client:
    install = ("npm", "ci", "--no-audit", "--no-fund", "--silent")
    return Client(("node", f"{name}.js"), "node", install)


def _java(name: str) -> Client:
    build = ("mvn", "-q", "-B", "compile", "dependency:copy-dependencies")
    return Client(("java", "-cp", "target/classes:target/dependency/*", name), "java", build)


CLIENTS = {
    "pymemcache": _python("pymemcache"),
    "pylibmc": _python("pylibmc"),
    "bmemcached": _python("bmemcached"),
    "gomemcache": Client(("./client",), "go", ("go", "build", "-o", "client")),
    "memjs": _node("memjs"),
    "memcached": _node("memcached"),
    "spymemcached": _java("Spymemcached"),
    "xmemcached": _java("Xmemcached"),
}


@contextmanager
def board() -> Iterator[int]:
    with serving() as server:
        if not server.ready:
            sys.exit("the board does not start")
        yield server.port
        print(server.stop())


def differences(name: str, memcached_port: int, board_port: int, quick: bool) -> list[str]:
    """What the client is told otherwise by the board, as a diff. A run that fails is one, too."""
    client = CLIENTS[name]
    client.make()
    theirs = client.said(memcached_port, quick)
    if len(theirs) < 10 or theirs[-1] == "it failed":
        return ["with memcached:", *theirs]
    begun = time.monotonic()
    ours = client.said(board_port, quick)
    print(f"{name}: {len(ours)} lines, {time.monotonic() - begun:.1f} s", flush=True)
    return list(difflib.unified_diff(theirs, ours, "memcached", "board", lineterm="", n=0))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=", ".join(CLIENTS))
    parser.add_argument("--board", type=int, metavar="PORT", help="one that is running already")
    parser.add_argument("--quick", action="store_true", help="No long values (Python's clients).")
    options = parser.parse_args()
    names = options.clients or list(CLIENTS)
    if unknown := set(names) - set(CLIENTS):
        parser.error(f"no such client: {', '.join(sorted(unknown))}")
    failed = 0

    def compare(board_port: int) -> None:
        nonlocal failed
        for name in names:
            with Memcached(as_started=True) as memcached:  # `stats` has more names
                found = differences(name, memcached.port, board_port, options.quick)
            print("\n".join(found) if found else f"{name}: the same")
            failed += bool(found)

    if options.board is not None:
        compare(options.board)
    else:
        with board() as port:
            compare(port)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
