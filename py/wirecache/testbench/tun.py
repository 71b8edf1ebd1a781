# SPDX-License-Identifier: Apache-2.0
"""The model of TCP behind a TUN device, so that this machine's own TCP is the peer.

For a process in a network namespace of its own: it makes the device and gives it an address.
"""

from __future__ import annotations

import fcntl
import os
import random
import select
import struct
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from scapy.layers.inet import IP, TCP

from wirecache.model.tcp.connection import Connection
from wirecache.model.tcp.endpoint import Endpoint
from wirecache.model.tcp.segment import Flag, Peer, Segment, build, parse

ADDRESS, PORT = "10.9.0.2", 11211
_TUNSETIFF, _TUN, _NO_PI = 0x400454CA, 1, 0x1000  # linux/if_tun.h
_STEP = 0.001  # seconds
# Packets that wait for a reader. Linux drops what finds no room, which would be a link that loses
# segments: a window of 1 MiB is 724 of them, and a process that waits for a processor reads none.
_QUEUE = 2000

App = Callable[[Connection], None]


def device(name: str = "wirecache") -> int:
    """A new TUN device that is up; packets to ADDRESS come out of the descriptor."""
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, _TUNSETIFF, struct.pack("16sH", name.encode(), _TUN | _NO_PI))
    for words in (
        f"addr add 10.9.0.1/24 dev {name}",
        f"link set {name} txqueuelen {_QUEUE} up",
        "link set lo up",
    ):
        subprocess.run(["ip", *words.split()], check=True)
    return descriptor


@dataclass
class Link:
    """What becomes of packets on the way: parts of all, but for the first ones."""

    lost_in: float = 0.0
    lost_out: float = 0.0
    late: float = 0.0  # comes behind the next one
    twice: float = 0.0
    first_lost: int = 0  # segments behind the SYN
    random: random.Random = field(default_factory=random.Random)


def echo(connection: Connection) -> None:
    """Sends back what comes; ends when the peer has, or behind the word `quit`."""
    receiver, sender = connection.receiver, connection.sender
    while receiver.waiting and sender.room and not sender.fin:
        data = connection.take(sender.room)
        connection.write(data)
        if b"quit" in data:
            connection.close()
    if connection.ended and not receiver.waiting:
        connection.close()


class Served:
    """An endpoint in a thread, from `with` to its end. `opened` has all connections there were."""

    def __init__(self, link: Link, app: App = echo, **settings: int) -> None:
        self.opened: list[Connection] = []
        self.endpoint = Endpoint(link.random.randbytes(16), **settings)  # type: ignore[arg-type]
        self.endpoint.on_open = lambda _, connection: self.opened.append(connection)
        self._link, self._app = link, app
        self._device = device()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._start = time.monotonic()
        self._held: list[bytes] = []

    def __enter__(self) -> Served:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        os.close(self._device)

    def _now(self) -> int:
        return int((time.monotonic() - self._start) * 1000) + 100_000

    def _run(self) -> None:
        while not self._stop.is_set():
            if select.select([self._device], [], [], _STEP)[0]:
                self._receive()
            now = self._now()
            for peer, connection in list(self.endpoint.connections.items()):
                self._app(connection)
                while (segment := connection.send(now)) is not None:
                    self.send(peer, segment)
                if (segment := connection.acknowledge(now)) is not None:
                    self.send(peer, segment)
            for peer, segment in self.endpoint.tick(now):
                self.send(peer, segment)

    def _receive(self) -> None:
        draw = self._link.random.random
        for _ in range(64):
            try:
                data = os.read(self._device, 2000)
            except BlockingIOError:
                break
            if data[0] >> 4 == 4 and draw() >= self._link.lost_in:
                self._held.append(data)
            if draw() < self._link.late and len(self._held) < 3:
                continue
            self._take()
        self._take()

    def _take(self) -> None:
        while self._held:  # the last one first
            packet = IP(self._held.pop())
            if TCP not in packet:
                continue
            for _ in range(1 + (self._link.random.random() < self._link.twice)):
                peer, segment = parse(packet)
                if self._link.first_lost and not segment.flags & Flag.SYN:
                    self._link.first_lost -= 1
                    continue
                for answer in self.endpoint.receive(peer, segment, self._now()):
                    self.send(peer, answer)

    def send(self, peer: Peer, segment: Segment) -> None:
        """To the peer, if the link does not lose it."""
        if self._link.random.random() >= self._link.lost_out:
            os.write(self._device, bytes(build(ADDRESS, PORT, peer, segment)))
