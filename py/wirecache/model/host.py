# SPDX-License-Identifier: Apache-2.0
"""What the host answers to the commands that the circuit leaves to it, word by word, but for what
only a board knows: its numbers, its settings, its process, and whether it lists keys."""

from __future__ import annotations

import re

STAT = 0x10

ERROR = b"ERROR\r\n"
OK = b"OK\r\n"
BAD_FORMAT = b"CLIENT_ERROR bad command line format\r\n"
MOST_PIECES = 64  # of words, of up to 8 bytes, that the host sees: longer lines are not foreseen


class UnforeseenError(Exception):
    """The answer has numbers of the board in it, or its keys."""


def answer(words: list[bytes]) -> bytes:
    """The answer to a line of these words."""
    cut = sum(-(-len(word) // 8) for word in words) > MOST_PIECES
    if cut and words[0] != b"stats":
        raise UnforeseenError
    silent = words[0] in (b"slabs", b"lru", b"cache_memlimit")
    if words[0] == b"extstore" and words[-1] == b"noreply":
        return b""
    out = _ANSWERS[words[0]](words)
    return b"" if silent and len(words) > 2 and words[-1] == b"noreply" and out != ERROR else out


def _number(word: bytes) -> int | None:
    return int(word) if word.isdigit() and int(word) < 2**32 else None


# Of extstore, with a number of 64 bits behind them.
_STORE_NUMBERS = (
    b"item_size item_age low_ttl recache_rate compact_under drop_under drop_unread max_sleep"
).split()


def _is_long(word: bytes) -> bool:
    return re.fullmatch(rb"\+?\d+", word) is not None and int(word) < 2**64


def _is_decimal(word: bytes) -> bool:
    text = word.decode(errors="replace").replace("_", "?")
    try:
        float.fromhex(text) if "x" in text.lower() else float(text)
    except ValueError:
        return False
    return True


def _stats(words: list[bytes]) -> bytes:
    match words[1:]:
        case []:
            raise UnforeseenError
        case [b"settings" | b"items" | b"slabs" | b"conns" | b"cachedump", *_]:
            raise UnforeseenError
        case [b"reset", *_]:
            return b"RESET\r\n"
        case [b"detail", b"on" | b"off", *_]:
            return OK
        case [b"detail", b"dump", *_] | [b"extstore", *_]:
            return b"END\r\n"
        case [b"detail", *_]:
            return b"CLIENT_ERROR usage: stats detail on|off|dump\r\n"
        case [b"sizes", *_]:
            return b"STAT sizes_status disabled\r\nEND\r\n"
    return ERROR


def _slabs(words: list[bytes]) -> bytes:
    match words[1:]:
        case [b"reassign", _, _]:
            return b"CLIENT_ERROR slab reassignment disabled\r\n"
        case [b"automove", level, *_]:
            number = _number(level)
            return BAD_FORMAT if number is None else OK if number <= 2 else ERROR
    return ERROR


def _lru(words: list[bytes]) -> bytes:
    if len(words) >= 6 and words[1] == b"tune":
        raise UnforeseenError
    return ERROR


def _lru_crawler(words: list[bytes]) -> bytes:
    match words[1:]:
        case [b"metadump" | b"mgdump", _]:
            raise UnforeseenError
        case [b"crawl", _]:
            return b"CLIENT_ERROR lru crawler disabled\r\n"
        case [b"sleep" | b"tocrawl" as what, text]:
            number = _number(text)
            if number is None:
                return BAD_FORMAT
            if what == b"sleep" and number > 1_000_000:
                return b"CLIENT_ERROR sleep must be one second or less\r\n"
            return OK
        case [b"enable"]:
            return b"ERROR failed to start lru crawler thread\r\n"
        case [b"disable"]:
            return OK
    return ERROR


def _cache_memlimit(words: list[bytes]) -> bytes:
    number = _number(words[1]) if len(words) > 1 else None
    if number is None:
        return ERROR
    if number < 8:
        return b"MEMLIMIT_TOO_SMALL cannot set maxbytes to less than 8m\r\n"
    raise UnforeseenError


def _shutdown(words: list[bytes]) -> bytes:
    return b"ERROR: shutdown not enabled\r\n"


def _me(words: list[bytes]) -> bytes:
    raise UnforeseenError  # it depends on the item, and on whether the host reads items


def _watch(words: list[bytes]) -> bytes:
    raise UnforeseenError  # over TCP it never ends


def _debugtime(words: list[bytes]) -> bytes:
    return ERROR  # but with --enable-debugtime


def _refresh_certs(words: list[bytes]) -> bytes:
    return b"Error TLS not enabled\r\n"


def _extstore(words: list[bytes]) -> bytes:
    match words[1:]:
        case [b"free_memchunks", number, size, *_]:
            right = _is_long(number) and int(number) % 2**32 < 64 and _is_long(size)
        case [b"free_memchunks", *_]:
            right = False
        case [b"max_frag", number, *_]:
            right = _is_decimal(number)
        case [what, number, *_]:
            right = what in _STORE_NUMBERS and _is_long(number)
        case _:
            right = False
    return OK if right else ERROR


_ANSWERS = {
    b"stats": _stats,
    b"slabs": _slabs,
    b"lru": _lru,
    b"lru_crawler": _lru_crawler,
    b"cache_memlimit": _cache_memlimit,
    b"shutdown": _shutdown,
    b"me": _me,
    b"watch": _watch,
    b"debugtime": _debugtime,
    b"extstore": _extstore,
    b"refresh_certs": _refresh_certs,
}
LINES = tuple(_ANSWERS)  # names of the commands


def stat(key: bytes) -> list[tuple[bytes, bytes]] | None:
    """The names and values of a binary STAT; None: there is no such key."""
    if not key or key.startswith(b"settings") or key in (b"items", b"slabs"):
        raise UnforeseenError
    if key.startswith((b"reset", b"detail on", b"detail off")):
        return []
    if key.startswith(b"detail dump"):
        return [(b"detailed", b"END\r\n")]
    return [(b"sizes_status", b"disabled")] if key == b"sizes" else None
