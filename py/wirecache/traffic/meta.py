# SPDX-License-Identifier: Apache-2.0
"""Random meta commands: lines with flags."""

from __future__ import annotations

import random
from base64 import b64encode
from dataclasses import dataclass

_STORES, _JOINS, _COUNTS = b"SER", b"AP", b"I+D-"  # modes
_OPAQUE = bytes(range(33, 127))
_LONGEST_OPAQUE = 31
_LONGEST_KEY = 250
_ENCODED = 0.25  # of the lines whose key may come in base64
_STRAY = (0,) * 18 + (1, 5)  # characters in such a key that mean nothing


@dataclass
class MetaLines:
    """Lines of meta commands. `listed`: with what docs/differences.md lists; else times to live
    and since the last use are not asked for, as they change with the second."""

    draw: random.Random
    listed: bool
    quiet: bool

    def get(self, key: bytes, exptime: int) -> bytes:
        # none is near to another time to come
        recache = b"R%d" % self.draw.choice((0, 600, 86400, 2_000_000_000, 2**31 - 1))
        own = self._some((b"v", b"u"), (0.7, 0.2))
        touch, create = b"T%d" % exptime, b"N%d" % self.draw.choice((0, exptime, 100_000))
        times = self.draw.choices(([], [touch], [create], [touch, create]), (6, 2, 2, 1))[0]
        if exptime < 0 and not self.listed:  # an item that dies of it is created again
            times = times[:1]
        if len(times) < 2 or self.listed:  # else it matters in front of which one it is
            own += self._some((recache,), (0.2,))
        own += times
        own += self._given()
        return self._line(b"mg", key, self._shown(b"kOfsch" + b"tl" * self.listed) + own)

    def delete(self, key: bytes, exptime: int, cas: int) -> bytes:
        own = [b"C%d" % cas, b"I", b"T%d" % exptime, b"N7"]  # N means nothing here
        own = self._some(own, (0.2, 0.5, 0.3, 0.1))
        own += self._some((b"x", b"F%d" % self.draw.getrandbits(32)), (0.3 * self.listed, 0.2))
        own += self._given()
        return self._line(b"md", key, self._shown(b"kOfsc") + own)

    def set(
        self, key: bytes, value: bytes, flags: int, exptime: int, cas: int, *, joins: bool
    ) -> bytes:
        mode = self.draw.choice(_JOINS if joins else _STORES)
        compared = self.draw.choice((cas, cas, cas, max(0, cas - 1), cas + 1, 0))
        own = [b"F%d" % flags, b"T%d" % exptime, b"C%d" % compared, b"M%c" % mode, b"I", b"N7"]
        words = self._shown(b"kOcfs") + self._some(own, (0.5, 0.3, 0.3, 0.5, 0.3, 0.1))
        words += self._given()
        if joins and b"M%c" % mode not in words:
            words.append(b"M%c" % mode)
        return self._line(b"ms", key, words, b" %d" % len(value)) + value + b"\r\n"

    def count(self, key: bytes, delta: int, initial: int, exptime: int, cas: int) -> bytes:
        """With one time for both N and T: of two the circuit keeps the last."""
        mode = self.draw.choice(_COUNTS)
        own = [b"D%d" % delta, b"J%d" % initial, b"N%d" % exptime, b"T%d" % exptime]
        own += [b"C%d" % self.draw.choice((cas, cas, 0)), b"M%c" % mode, b"v"]
        some = self._some(own, (0.5, 0.3, 0.5, 0.2, 0.2, 0.5, 0.7)) + self._given()
        return self._line(b"ma", key, self._shown(b"kOcfs" + b"t" * self.listed) + some)

    def noop(self) -> bytes:
        return self.draw.choice((b"mn\r\n", b"mn\r\n", b"mn x\r\n"))

    def error(self, key: bytes, value: bytes, long_key: bytes) -> bytes:
        """A line that is refused, or one with flags that it has no use for."""
        draw = self.draw
        number = draw.choice((b"", b"x", b"1x", b"-", b"--1", b"99999999999999999999", b"+0 "))
        wrong = [b"T" + number, b"C" + number, b"F" + number, b"M", b"Mxy", b"v v", b"k v k"]
        wrong += [b"Z", b"O" + b"x" * 40, b"T" + number + b" Z", b"Fx Mxx", b"Mxx Cx", b"Fx Tx"]
        wrong += [b"b b", b"b Tx", b"Mxy b", b"b Mxy", b"Z b"]
        wrong += [b"E" + number, b"E5 C" + number, b"Ex Mxy"] if self.listed else []
        wrong += [b"O1 O2", b"S3", b"-", b"\x80", b"vv", b"P L3 v", b"F5 C0"]
        words = draw.choice(wrong)
        # with these nothing is counted
        uncounted = [b"v v", b"k v k", b"Z", b"Fx Mxx", b"Mxx Cx", b"O1 O2", b"S3", b"-", b"\x80"]
        uncounted += [b"b b", b"b Mxy", b"Tx b"]
        uncounted += [b"D" + number + b"y", b"J-1", b"Nx T", b"M", b"Mi", b"Mxy q", b"Dx Mi O2"]
        size, data = b" %d" % len(value), b"\r\n" + value + b"\r\n"
        return draw.choice(
            (
                b"mg\r\n",
                b"md\r\n",
                b"ms\r\n",
                b"ms " + key + b"\r\n",
                b"ms " + key + b" -1\r\n",
                b"ms " + key + b" " + number.strip() + b"x Z\r\n",
                b"mg " + key + b" " + words + b"\r\n",
                b"md " + key + b" " + words + b"\r\n",
                b"ma " + key + b" " + draw.choice(uncounted) + b"\r\n",
                b"ma " + long_key + b" v v\r\n",
                b"mg " + draw.choice((b"=", b"===", b"Zg", b"Zg===", b"A" * 250)) + b" k b\r\n",
                b"ms " + b"Zm9vI" + size + b" b k" + data,
                b"ma\r\n",
                b"ms " + key + size + b" " + words + data,
                b"ms " + key + size + b" Me" + data,
                b"ms " + key + size + b" q" + data[:-2] + b"xy\r\n",
                b"mg " + long_key + b" v v\r\n",
                b"ms " + long_key + size + data,
                b"mg  " + key + b"  k  v \r\n",
                b"mg " + key + b" v\0 Z\r\n",
                b"mx " + key + b"\r\n",
            )
        )

    # ---- ingredients --------------------------------------------------------------------------
    def _given(self) -> list[bytes]:
        """Now and then a CAS number for the item: one that others may have, too."""
        bits = self.draw.choice((4, 10, 63, 64))
        return self._some([b"E%d" % self.draw.getrandbits(bits)], (0.15 * self.listed,))

    def _shown(self, letters: bytes) -> list[bytes]:
        words = self._some([b"%c" % letter for letter in letters], (0.25,) * len(letters))
        if b"O" in words:
            length = self.draw.choice((0, 1, 7, 8, 9, 30, _LONGEST_OPAQUE))
            words[words.index(b"O")] += bytes(self.draw.choices(_OPAQUE, k=length))
        return words + self._some((b"q", b"P1", b"L"), (0.15 * self.quiet, 0.03, 0.03))

    def _some(
        self, words: list[bytes] | tuple[bytes, ...], shares: tuple[float, ...]
    ) -> list[bytes]:
        return [w for w, share in zip(words, shares, strict=True) if self.draw.random() < share]

    def _spoilt(self, text: bytes) -> bytes:
        """The same key, now and then with characters that mean nothing."""
        for _ in range(self.draw.choice(_STRAY)):
            place = self.draw.randint(0, len(text))
            if len(text) < _LONGEST_KEY:
                text = text[:place] + self.draw.choice((b"-", b"*", b"\x80")) + text[place:]
        return text

    def _line(self, name: bytes, key: bytes, words: list[bytes], size: bytes = b"") -> bytes:
        text = b64encode(key)
        if self.draw.random() < _ENCODED and len(text) <= _LONGEST_KEY:
            key, words = self._spoilt(text), [*words, b"b"]
        self.draw.shuffle(words)
        end = b"\n" if self.draw.random() < 0.05 else b"\r\n"
        return name + b" " + key + size + b"".join(b" " + word for word in words) + end
