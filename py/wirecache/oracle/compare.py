# SPDX-License-Identifier: Apache-2.0
"""The appliance and a real memcached, asked the same random questions over real sockets.

    ./wirecache serve --port 11212 &
    PYTHONPATH=py .venv/bin/python -m wirecache.oracle.compare --port 11212 --operations 100000

memcached answers over TCP, for it sends the items of a UDP multi-get as messages of their own and
loses answers to datagrams of several commands. The streams leave out what docs/differences.md
lists; the version text is made equal, should memcached be another one than is kept to.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

import click

from wirecache.client import Client
from wirecache.model import protocol
from wirecache.model.table import Table
from wirecache.oracle.memcached import Memcached, with_version
from wirecache.setup import Failure
from wirecache.traffic.requests import Message, Mix, Traffic, ascii_set

IN_FLIGHT = 24  # messages; the receive buffer of the board drops what is too much
ANSWER_BYTES = 60_000  # in flight; what socket buffers hold without loss
ENOUGH = 5  # differences, then the rest would follow from them
_KEY = b"wirecache-oracle"

ORACLE_MIX = Mix(listed=False)
# What `stats` counts of these streams as memcached does.
COUNTED = (
    *(b"cas_hits", b"cas_badval", b"cas_misses", b"delete_hits", b"incr_hits", b"decr_hits"),
    b"touch_hits",
)


@dataclass(frozen=True)
class Difference:
    """A message that was answered otherwise; `model` is the third opinion."""

    message: bytes
    memcached: bytes
    appliance: bytes | None  # None: no answer came
    model: bytes

    def __str__(self) -> str:
        rows = {
            "asked": self.message,
            "memcached": self.memcached,
            "appliance": b"(nothing came)" if self.appliance is None else self.appliance,
            "model": self.model,
        }
        return "\n".join(f"  {name:<10}{text!r}" for name, text in rows.items())


@dataclass
class Report:
    seed: int
    messages: int = 0
    operations: int = 0
    answer_bytes: int = 0
    seconds: float = 0.0
    counters: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    def __str__(self) -> str:
        kinds = ", ".join(f"{name} {count}" for name, count in sorted(self.counters.items()))
        head = (
            f"{self.operations} operations in {self.messages} messages ({kinds}), "
            f"{self.answer_bytes} bytes of answers, {self.seconds:.1f} s, seed {self.seed}: "
            f"{len(self.differences)} differences"
        )
        return "\n".join([head, *(str(d) for d in self.differences)])


@dataclass(frozen=True)
class _Expected:
    message: Message
    answer: bytes
    model: bytes


class Oracle:
    """Keeps messages under way to the appliance, each answered by memcached before it is sent."""

    def __init__(
        self, client: Client, memcached: Memcached, seed: int, mix: Mix, counts: bool = True
    ) -> None:
        self._client = client
        self._counts = counts
        self._memcached = memcached
        self._table = Table(whole=mix.whole)
        self._traffic = Traffic(seed, mix, self._cas_of)
        self._waiting: dict[int, _Expected] = {}
        self._silent: dict[int, _Expected] = {}  # those that are not to be answered
        self._bytes_waiting = 0
        self.report = Report(seed)

    def run(self, operations: int) -> Report:
        begun = time.monotonic()
        self._align()
        before = self._stats() if self._counts else None
        while self.report.operations < operations and len(self.report.differences) < ENOUGH:
            self._ask(self._traffic.message())
            while len(self._waiting) >= IN_FLIGHT or self._bytes_waiting > ANSWER_BYTES:
                self._check_one()
        while self._waiting:
            self._check_one()
        if before and not self.report.differences:
            self._check_stats(before, self._stats())
        self.report.counters = self._table.counters
        self.report.seconds = time.monotonic() - begun
        return self.report

    def _stats(self) -> list[list[int]]:
        """What both have counted."""
        answers = (
            self._memcached.ask(Message(b"stats\r\n", 1)),
            self._client.ask(b"stats\r\n"),
        )
        fields = [dict(line.split(b" ")[1:3] for line in a.split(b"\r\n")[:-2]) for a in answers]
        return [[int(of[name]) for name in COUNTED] for of in fields]

    def _check_stats(self, before: list[list[int]], after: list[list[int]]) -> None:
        theirs, ours = (
            [end - begin for begin, end in zip(*pair, strict=True)]
            for pair in zip(before, after, strict=True)
        )
        for name, counted, found in zip(COUNTED, theirs, ours, strict=True):
            if counted != found:
                self.report.differences.append(
                    Difference(b"stats", b"%s %d" % (name, counted), b"%s %d" % (name, found), b"")
                )

    def _cas_of(self, key: bytes) -> int | None:
        item = self._table.peek(key)
        return None if item is None else item.cas

    def _align(self) -> None:
        """Empties both, and brings their CAS counters to the same number."""
        counters = []
        for ask in (self._client.ask, lambda data: self._memcached.ask(Message(data, 1))):
            ask(b"flush_all\r\n" + ascii_set(_KEY, b""))
            counters.append(int(ask(b"gets " + _KEY + b"\r\n").split()[4]))
        ours, theirs = counters
        for _ in range(theirs - ours):
            self._client.ask(ascii_set(_KEY, b""))
        store = ascii_set(_KEY, b"", noreply=True)
        for start in range(0, ours - theirs, 1000):
            self._memcached.ask(Message(store * min(1000, ours - theirs - start), 1))
        self._table.cas = max(counters) - 1
        self._table.set(_KEY, b"", 0, 0)
        self._table.counters.clear()

    def _ask(self, message: Message) -> None:
        self._table.time = int(time.time())
        theirs = self._memcached.ask(message)
        version = self._memcached.version
        theirs = with_version(theirs, message.binary, version, protocol.version_text())
        model = protocol.answer(message.data, self._table)
        request_id = self._client.send(message.data)
        self.report.messages += 1
        self.report.operations += message.operations
        self.report.answer_bytes += len(theirs)
        expected = _Expected(message, theirs, model)
        (self._waiting if theirs else self._silent)[request_id] = expected
        self._bytes_waiting += len(theirs)

    def _check_one(self) -> None:
        """Takes the next answer and compares it."""
        try:
            request_id, ours = self._client.receive()
        except TimeoutError:
            for expected in self._waiting.values():
                self._differ(expected, None)
            self._waiting.clear()
            self._bytes_waiting = 0
            return
        among = self._waiting if request_id in self._waiting else self._silent
        expected = among.pop(request_id)
        self._bytes_waiting -= len(expected.answer)
        if ours != expected.answer:
            self._differ(expected, ours)

    def _differ(self, expected: _Expected, ours: bytes | None) -> None:
        self.report.differences.append(
            Difference(expected.message.data, expected.answer, ours, expected.model)
        )


def compare(
    port: int,
    operations: int,
    seed: int,
    mix: Mix = ORACLE_MIX,
    host: str = "127.0.0.1",
    counts: bool = True,
) -> Report:
    """Asks the appliance at a UDP port and a fresh memcached the same, and, if it counts, what
    they have counted."""
    with Memcached() as memcached, Client(host, port) as client:
        return Oracle(client, memcached, seed, mix, counts).run(operations)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=11211,
    show_default=True,
    help="UDP port of the appliance.",
)
@click.option("--operations", type=click.IntRange(1), default=100_000, show_default=True)
@click.option("--seed", type=int, help="Repeats a run; random by default.")
@click.option(
    "--binary",
    type=click.FloatRange(0, 1),
    default=ORACLE_MIX.binary,
    show_default=True,
    help="Share of messages.",
)
@click.option(
    "--bucket",
    is_flag=True,
    help="The appliance has the papers' table: without the commands that are not served then.",
)
def main(
    host: str, port: int, operations: int, seed: int | None, binary: float, bucket: bool
) -> None:
    """Compares a running appliance with a memcached that is started for it."""
    number = random.randrange(1 << 31) if seed is None else seed
    try:
        mix = Mix(listed=False, binary=binary, whole=not bucket)
        report = compare(port, operations, number, mix, host)
    except (Failure, OSError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(str(report))
    sys.exit(1 if report.differences else 0)


if __name__ == "__main__":
    main()
