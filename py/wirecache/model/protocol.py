# SPDX-License-Identifier: Apache-2.0
"""The memcached protocol, text and binary: bytes of a request packet in, bytes of its answer out.

Every answer is memcached 1.6.18's, error corners included. A packet is one message: what its end
cuts short is an error, and an answer that closes a connection in memcached (binary errors, quit)
makes the rest of the packet unread.
"""

from __future__ import annotations

from wirecache.circuit import structs
from wirecache.model.answers import Answers
from wirecache.model.binary import REQUEST, Binary
from wirecache.model.index import Index
from wirecache.model.text import Text

MAX_KEY = 250


def version_text() -> bytes:
    """What the appliance says to VERSION if it is not told otherwise."""
    return structs.text("VersionText")


def answer(
    packet: bytes, table: Index, version: bytes | None = None, max_key: int = MAX_KEY
) -> bytes:
    """The answer to a request packet of one byte or more, from the state of `table`. A key of more
    than `max_key` bytes is what one of more than 250 is to memcached."""
    return b"".join(messages(packet, table, version, max_key))


def messages(
    packet: bytes,
    table: Index,
    version: bytes | None = None,
    max_key: int = MAX_KEY,
    limit: int | None = None,
    asides: list[bytes | None] | None = None,
) -> list[bytes]:
    """The answer as the appliance sends it: one message for some hundred operations, and no more
    than `limit` bytes in all of them. `asides` gets the messages of the host, which come at any
    time: None is one that has numbers of a board in it."""
    text = version_text() if version is None else version
    out = Answers(limit, table.message)
    if table.binary and packet[:1] == bytes([REQUEST]):
        Binary(packet, table, text, max_key, out).run()
    else:
        Text(packet, table, text, max_key, out).run()
    if asides is not None:
        asides += out.asides
    return out.messages
