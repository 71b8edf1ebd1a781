# SPDX-License-Identifier: Apache-2.0
"""Linux' TCP at both ends of a link that delays and loses, in real time: what a sender gets by.

    python -m wirecache.testbench.linux_link 8388608 0.005 0.01 1

prints the seconds that so many bytes took, over a link of 5 ms each way that loses 1 % of what the
sender sends; the last number is the seed. Run in a network namespace of its own (namespace.run).
Both ends are this machine: what goes to the other end's address comes out of a TUN device, and goes
back in with its two addresses exchanged, which keeps all checksums.
"""

from __future__ import annotations

import heapq
import os
import random
import select
import socket
import sys
import threading
import time
from pathlib import Path

from wirecache.testbench.tun import ADDRESS, device

HERE = "10.9.0.1"
PORT = 5000
CONTROL = b"cubic"
_SEGMENT = 2000  # bytes of a packet, at most
_CHUNK = 1 << 16


def _exchanged(packet: bytes) -> bytes:
    return packet[:12] + packet[16:20] + packet[12:16] + packet[20:]


class Link:
    """Carries packets from `with` to its end, in a thread."""

    def __init__(self, delay: float, lost: float, seed: int) -> None:
        self._delay, self._lost = delay, lost
        self._random = random.Random(seed)
        self._device = device()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._count = 0
        self._late: list[tuple[float, int, bytes]] = []

    def __enter__(self) -> Link:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        os.close(self._device)

    def _run(self) -> None:
        while not self._stop.is_set():
            wait = 0.05
            if self._late:
                wait = max(0.0, min(wait, self._late[0][0] - time.monotonic()))
            if select.select([self._device], [], [], wait)[0]:
                self._take()
            now = time.monotonic()
            while self._late and self._late[0][0] <= now:
                os.write(self._device, _exchanged(heapq.heappop(self._late)[2]))

    def _take(self) -> None:
        due = time.monotonic() + self._delay
        while True:
            try:
                packet = os.read(self._device, _SEGMENT)
            except BlockingIOError:
                return
            if packet[0] >> 4 != 4:
                continue
            # Only what the sender sends gets lost: it goes to the port.
            to_port = int.from_bytes(packet[22:24], "big")
            if to_port == PORT and self._random.random() < self._lost:
                continue
            self._count += 1
            heapq.heappush(self._late, (due, self._count, packet))


def seconds(size: int, delay: float, lost: float, seed: int) -> float:
    """From the connection's first byte to the receiver's last one."""
    # What was learned of a path by a connection before it is not for the next one.
    Path("/proc/sys/net/ipv4/tcp_no_metrics_save").write_text("1")
    ended = threading.Event()
    last = 0.0
    with Link(delay, lost, seed), socket.create_server((HERE, PORT)) as server:

        def receive() -> None:
            nonlocal last
            peer, _ = server.accept()
            left = size
            with peer:
                while left and (part := peer.recv(_CHUNK)):
                    left -= len(part)
                last = time.monotonic()
            assert not left
            ended.set()

        thread = threading.Thread(target=receive, daemon=True)
        thread.start()
        with socket.socket() as sender:
            sender.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, CONTROL)
            sender.connect((ADDRESS, PORT))
            begun = time.monotonic()
            sender.sendall(bytes(size))
            ended.wait()
    return last - begun


if __name__ == "__main__":
    numbers = sys.argv[1:]
    print(seconds(int(numbers[0]), float(numbers[1]), float(numbers[2]), int(numbers[3])))
