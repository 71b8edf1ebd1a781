# SPDX-License-Identifier: Apache-2.0
"""What the protocols share: the answers of a packet, times, and texts of errors."""

from __future__ import annotations

from collections.abc import Callable

from wirecache.circuit import structs

MONTH = 30 * 24 * 3600  # an exptime up to this is relative
EXPIRED = -1  # an expiry that is always in the past

BAD_FORMAT = b"CLIENT_ERROR bad command line format\r\n"
BAD_CHUNK = b"CLIENT_ERROR bad data chunk\r\n"
TOO_LARGE = b"SERVER_ERROR object too large for cache\r\n"
NO_MEMORY = b"SERVER_ERROR out of memory storing object\r\n"
ANSWER_TOO_LARGE = b"SERVER_ERROR answer too large\r\n"
ERROR = b"ERROR\r\n"
BAD_DELETE = b"CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n"
BAD_TIME = b"CLIENT_ERROR invalid exptime argument\r\n"
BAD_DELTA = b"CLIENT_ERROR invalid numeric delta argument\r\n"
NOT_NUMBER = b"CLIENT_ERROR cannot increment or decrement non-numeric value\r\n"


class Answers:
    """The answers to a packet, operation by operation. The command that brings a message to
    MessageOperations ends it. An answer counts as its value, its key and AroundBytes, or
    MetaAroundBytes; from the first whose value goes beyond `limit` on there is one error, and then
    only what SETs answer."""

    def __init__(self, limit: int | None, begins: Callable[[], None]) -> None:
        self.messages = [b""]
        self._begins = begins  # another message
        begins()
        self.asides: list[bytes | None] = []  # of the host
        self._ended = False  # the last message has
        self._operations = 0  # of the last message
        self._left = limit
        self._over = False
        self._mark = 0  # where in the last message the answers of its last command begin
        self._full = structs.constant("MessageOperations")

    def begin(self) -> None:
        """Another command."""
        if self._operations >= self._full or self._ended:
            self._ended = False
            self.messages.append(b"")
            self._operations = 0
            self._begins()
        self._mark = len(self.messages[-1])

    def host(self, data: bytes | None) -> None:
        """What the host answers to a command, which ends its message."""
        self._operations += 1
        self._ended = True
        if data != b"":
            self.asides.append(data)

    def take_back(self) -> None:
        """The answers of this command so far."""
        if not self._over:
            self.messages[-1] = self.messages[-1][: self._mark]

    def add(
        self,
        data: bytes,
        *,
        error: bytes = b"",
        value: int = 0,
        key: int = 0,
        stores: bool = False,
        meta: bool = False,
    ) -> None:
        """An operation's answer, with the lengths of its value and of the operation's key; `error`
        is what stands for it beyond the limit."""
        self._operations += 1
        if data and self._left is not None:
            if not stores and (self._over or self._left < value):
                data = b"" if self._over else error
                self._over = True
            else:
                self._left -= (
                    value + key + structs.constant("MetaAroundBytes" if meta else "AroundBytes")
                )
        self.messages[-1] += data


def flush_time(exptime: int, now: int) -> int:
    """When a flush acts; 0 = at once. memcached is a second early."""
    return absolute(exptime, now) - 1 if exptime > 0 else 0


def absolute(exptime: int, now: int) -> int:
    """Unix time of an exptime; 0 = never."""
    if exptime < 0:
        return EXPIRED
    if exptime == 0 or exptime > MONTH:
        return exptime
    return now + exptime
