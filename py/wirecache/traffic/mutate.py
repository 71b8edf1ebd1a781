# SPDX-License-Identifier: Apache-2.0
"""Spoils request frames: cut, wrong lengths, checksums, headers, keys, numbers, random bytes.

mutator = Mutator(seed=1)
kind, frame = mutator(frames.request(b"get key\\r\\n", 1))
"""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Callable

from wirecache.traffic import frames
from wirecache.traffic.frames import BOARD, CLIENT, ETHERNET, FRAME_HEADER, IPV4, UDP
from wirecache.traffic.requests import MAX_MESSAGE

_IP = ETHERNET.size
_UDP = _IP + IPV4.size
_DATA = _UDP + UDP.size
_LARGEST = 1514
_NUMBERS = (b"-1", b"0", b"999999999999", b"2147483648", b"4294967295", b"1x", b"\t7", b"+3", b"")


def _put(frame: bytes, offset: int, new: bytes) -> bytes:
    """`frame` with other bytes at `offset`; it does not get longer."""
    return (frame[:offset] + new + frame[offset + len(new) :])[: len(frame)]


def _put_ip(frame: bytes, offset: int, new: bytes) -> bytes:
    """The same in the IPv4 header, whose checksum is made good again."""
    frame = _put(_put(frame, _IP + offset, new), _IP + 10, b"\0\0")
    return _put(frame, _IP + 10, frames.checksum(frame[_IP:_UDP]).to_bytes(2, "big"))


class Mutator:
    """Draws one of many ways to spoil a request frame (IPv4 without options, UDP)."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._ways: dict[str, Callable[[bytes], bytes]] = {
            "cut": lambda frame: frame[: self._below(len(frame))] or b"\0",
            "longer": lambda frame: frame + self._bytes(1, 100),
            "too long": lambda frame: frame + self._bytes(_LARGEST, 2000),
            "bytes": self._flip,
            "random frame": lambda frame: self._bytes(1, _LARGEST),
            "random packet": lambda frame: frame[:_IP] + self._bytes(1, 1500),
            "destination": lambda frame: _put(frame, self._below(6), self._bytes(1, 1)),
            "ethertype": lambda frame: _put(frame, 12, self._bytes(2, 2)),
            "ip version": lambda frame: _put_ip(frame, 0, self._bytes(1, 1)),
            "ip length": lambda frame: _put_ip(frame, 2, self._length(frame, _IP)),
            "ip checksum": lambda frame: _put(frame, _IP + 10, self._bytes(2, 2)),
            "ip protocol": lambda frame: _put_ip(frame, 9, self._bytes(1, 1)),
            "source station": lambda frame: _put(frame, 6, self._station()),
            "source address": lambda frame: _put_ip(frame, 12, self._address()),
            "source port": lambda frame: self._from_port(frame),
            "ip address": lambda frame: _put_ip(frame, 16 + self._below(4), self._bytes(1, 1)),
            "fragment": lambda frame: _put_ip(frame, 6, self._bytes(2, 2)),
            "ip options": lambda frame: self._again(frame, options=self._bytes(4, 4)),
            "udp port": lambda frame: _put(frame, _UDP + 2, self._bytes(2, 2)),
            "udp length": lambda frame: _put(frame, _UDP + 4, self._length(frame, _UDP)),
            "udp checksum": lambda frame: _put(frame, _UDP + 6, self._bytes(2, 2)),
            "frame header": self._frame_header,
            "short datagram": self._short,
            "arp": lambda frame: self._sometimes(frames.arp_request()),
            "ping": self._ping,
            "message cut": self._message(lambda data: data[: self._below(len(data))]),
            "message bytes": self._message(self._flip),
            "message random": self._message(lambda _: self._bytes(1, MAX_MESSAGE)),
            "message part twice": self._message(self._twice),
            "message part away": self._message(self._away),
            "key": self._message(self._key),
            "number": self._message(self._number),
            "binary header": self._message(self._binary_header),
            "space": self._message(self._space),
        }

    def __call__(self, frame: bytes) -> tuple[str, bytes]:
        """The way that was drawn, and the spoiled frame (sometimes it is none the worse)."""
        kind = self._random.choice(list(self._ways))
        return kind, self._ways[kind](frame)

    # ---- draws --------------------------------------------------------------------------------
    def _below(self, bound: int) -> int:
        return self._random.randrange(max(bound, 1))

    def _bytes(self, least: int, most: int) -> bytes:
        return self._random.randbytes(self._random.randint(least, most))

    def _sometimes(self, frame: bytes) -> bytes:
        """The frame as it is, or with bytes changed, or cut."""
        way = self._below(3)
        return frame if way == 0 else self._flip(frame) if way == 1 else frame[: self._below(60)]

    def _flip(self, data: bytes) -> bytes:
        """Some bytes anywhere changed."""
        for _ in range(self._random.randint(1, 4)):
            data = _put(data, self._below(len(data)), self._bytes(1, 1))
        return data

    # ---- headers ------------------------------------------------------------------------------
    def _length(self, frame: bytes, offset: int) -> bytes:
        """A length that is near the right one, small, or anything."""
        right = len(frame) - offset
        near = max(right + self._random.randint(-30, 30), 0)
        return struct.pack(">H", self._random.choice((near, near, self._below(30), right + 1000)))

    def _station(self) -> bytes:
        """The MAC address of nobody, of everybody, of the board, or with its first byte changed."""
        some = (bytes(6), frames.BROADCAST, BOARD.mac, self._bytes(1, 1) + CLIENT.mac[1:])
        return self._random.choice(some)

    def _address(self) -> bytes:
        """An IPv4 address of any class, the board's, or one beside the borders of the classes."""
        borders = (0, 1, 126, 127, 128, 223, 224, 239, 240, 255)
        first = bytes([self._random.choice(borders)])
        some = (self._bytes(4, 4), first + self._bytes(3, 3), BOARD.ip, b"\xff" * 4, bytes(4))
        return self._random.choice(some)

    def _from_port(self, frame: bytes) -> bytes:
        """From port 0, from the board's own or from one near it; the rest is right."""
        port = self._random.choice((0, BOARD.port, BOARD.port + 1, self._below(1 << 16)))
        payload = frame[_DATA : _DATA + 1400]
        return frames.datagram(CLIENT.at_port(port), BOARD, payload)

    def _frame_header(self, frame: bytes) -> bytes:
        fields = list(FRAME_HEADER.unpack_from(frame, _DATA))
        fields[self._random.randint(1, 3)] = self._random.choice((0, 1, 2, 256, 0xFFFF))
        return self._again(frame, FRAME_HEADER.pack(*fields) + self._inside(frame))

    def _short(self, frame: bytes) -> bytes:
        """A UDP datagram of a few bytes."""
        return self._again(frame, frame[_DATA:][: self._below(10)])

    def _ping(self, frame: bytes) -> bytes:
        return self._sometimes(frames.icmp_echo(self._bytes(0, 200), self._below(100), 1))

    # ---- messages -----------------------------------------------------------------------------
    @staticmethod
    def _inside(frame: bytes) -> bytes:
        """The message of a request frame."""
        (length,) = struct.unpack_from(">H", frame, _UDP + 4)
        return frame[_DATA + FRAME_HEADER.size : _UDP + length]

    @staticmethod
    def _again(frame: bytes, payload: bytes | None = None, options: bytes = b"") -> bytes:
        """The frame made anew, with right lengths and checksums."""
        (port,) = struct.unpack_from(">H", frame, _UDP)
        if payload is None:
            payload = frame[_DATA : _DATA + 1400]
        return frames.datagram(CLIENT.at_port(port), BOARD, payload, options=options)

    def _message(self, edit: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
        """Spoils the message only: everything around it is right."""

        def way(frame: bytes) -> bytes:
            head = frame[_DATA : _DATA + FRAME_HEADER.size]
            return self._again(frame, head + edit(self._inside(frame))[:MAX_MESSAGE])

        return way

    def _part(self, data: bytes) -> tuple[int, int]:
        first, second = self._below(len(data)), self._below(len(data))
        return min(first, second), max(first, second)

    def _twice(self, data: bytes) -> bytes:
        first, last = self._part(data)
        return data[:last] + data[first:]

    def _away(self, data: bytes) -> bytes:
        first, last = self._part(data)
        return data[:first] + data[last:]

    def _token(self, data: bytes, pattern: bytes, make: Callable[[bytes], bytes]) -> bytes:
        """Another text for one of the places that match."""
        places = list(re.finditer(pattern, data))
        if not places:
            return self._flip(data)
        place = self._random.choice(places)
        return data[: place.start()] + make(place.group()) + data[place.end() :]

    def _key(self, data: bytes) -> bytes:
        """A word longer, empty, or with bytes that have no place in a key."""
        ways: tuple[Callable[[bytes], bytes], ...] = (
            lambda word: word * (1 + 260 // len(word)),
            lambda word: b"",
            lambda word: word + self._bytes(1, 3),
            lambda word: word + self._random.choice((b"\0", b"\r", b"\n", b"\t", b"\x7f", b"\x80")),
        )
        return self._token(data, rb"[^ \r\n]+", self._random.choice(ways))

    def _number(self, data: bytes) -> bytes:
        return self._token(data, rb"\b\d+\b", lambda _: self._random.choice(_NUMBERS))

    def _space(self, data: bytes) -> bytes:
        text = self._random.choice((b"", b"  ", b"\t", b"\r\n", b"\n", b"\r", b" " * 40))
        return self._token(data, rb" |\r\n", lambda _: text)

    def _binary_header(self, data: bytes) -> bytes:
        """A field of the first binary header changed: opcode or one of the lengths."""
        if data[:1] != b"\x80":
            return self._flip(data)
        offset, size = self._random.choice(((1, 1), (2, 2), (4, 1), (8, 4), (11, 1)))
        value = self._random.choice((self._below(8), self._below(300), self._below(1 << 32)))
        return _put(data, offset, (value & ((1 << 8 * size) - 1)).to_bytes(size, "big"))
