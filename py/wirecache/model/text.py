# SPDX-License-Identifier: Apache-2.0
"""Commands of text lines, the classic ones; those with flags are in wirecache.model.meta."""

from __future__ import annotations

from wirecache.model import host, meta
from wirecache.model.answers import (
    ANSWER_TOO_LARGE,
    BAD_CHUNK,
    BAD_DELETE,
    BAD_DELTA,
    BAD_FORMAT,
    BAD_TIME,
    ERROR,
    NO_MEMORY,
    NOT_NUMBER,
    TOO_LARGE,
    Answers,
    absolute,
    flush_time,
)
from wirecache.model.index import Index, Needs, Status
from wirecache.model.numbers import MAX_64, signed32, unsigned32, unsigned64

_NEEDS = {b"add": Needs.NO_ITEM, b"replace": Needs.ITEM}
_JOIN = (b"append", b"prepend")


class Text:
    def __init__(
        self, packet: bytes, table: Index, version: bytes, max_key: int, out: Answers
    ) -> None:
        self._rest = packet
        self._table = table
        self._version = version
        self._max_key = max_key
        self._out = out

    def run(self) -> None:
        while self._rest:
            self._out.begin()
            line, newline, rest = self._rest.partition(b"\n")
            if not newline:
                self._look_up_cut(line)
                self._add(ERROR)
                return
            self._rest = rest
            if len(line) > 1 and line.endswith(b"\r"):
                line = line[:-1]
            tokens = [t for t in line.split(b"\0")[0].split(b" ") if t]
            if tokens[:1] == [b"quit"]:
                self._add(b"")
                return
            self._command(tokens)

    def _add(self, data: bytes, value: int = 0, key: int = 0, stores: bool = False) -> None:
        self._out.add(data, error=ANSWER_TOO_LARGE, value=value, key=key, stores=stores)

    def _look_up_cut(self, line: bytes) -> None:
        """The packet ends within a line. The keys of a get that were complete have been looked up
        by then, which is counted."""
        text, nul, _ = line.partition(b"\0")
        tokens = text.split(b" ")
        if not nul:
            tokens.pop()
        tokens = [t for t in tokens if t]
        if tokens[:1] in ([b"get"], [b"bget"], [b"gets"]):
            self._look_up(tokens[1:], tokens[0] == b"gets", ends=False)
            self._out.take_back()
        if tokens[:1] in ([b"gat"], [b"gats"]) and len(tokens) > 1:
            exptime = signed32(tokens[1])
            if exptime is not None:
                self._look_up(tokens[2:], tokens[0] == b"gats", ends=False, exptime=exptime)
                self._out.take_back()

    def _command(self, tokens: list[bytes]) -> None:
        """The answer to one command line; a set takes its data from what follows."""
        count, key, stores = len(tokens), 0, False
        match tokens[0] if tokens else b"":
            case b"get" | b"bget" | b"gets" if count >= 2:
                self._get(tokens[1:], with_cas=tokens[0] == b"gets")
                return
            case b"gat" | b"gats" if count >= 2:
                self._gat(tokens)
                return
            case b"set" | b"add" | b"replace" if count in (5, 6):
                out, stores = self._set(tokens)
                key = len(tokens[1]) if stores else 0
            case b"append" | b"prepend" if count in (5, 6) and self._table.made_values:
                out, stores = self._set(tokens)
                key = len(tokens[1]) if stores else 0
            case b"cas" if count in (6, 7):
                out, stores = self._set(tokens)
                key = len(tokens[1]) if stores else 0
            case b"delete" if 2 <= count <= 4:
                out = self._delete(tokens)
                key = len(tokens[1]) if out in (b"DELETED\r\n", b"NOT_FOUND\r\n") else 0
            case b"touch" if count in (3, 4):
                out = self._touch(tokens)
                key = len(tokens[1]) if out in (b"TOUCHED\r\n", b"NOT_FOUND\r\n") else 0
            case b"incr" | b"decr" if count in (3, 4) and self._table.made_values:
                out = self._count(tokens)
                key = 0 if out in (BAD_FORMAT, BAD_DELTA) else len(tokens[1])
            case b"flush_all" if count <= 3:
                out = self._flush(tokens)
            case b"verbosity" if count in (2, 3):
                out = BAD_FORMAT if unsigned32(tokens[1]) is None else b"OK\r\n"
            case b"mn" if self._table.meta:
                self._out.add(b"MN\r\n", error=ANSWER_TOO_LARGE, meta=True)
                return
            case b"mg" | b"ms" | b"md" | b"ma" if self._table.meta and count >= 2:
                self._meta(tokens)
                return
            case name if name in host.LINES:
                try:
                    self._out.host(host.answer(tokens))
                except host.UnforeseenError:
                    self._out.host(None)
                return
            case b"version":
                self._add(b"VERSION " + self._version + b"\r\n")
                return
            case _:
                self._add(ERROR)
                return
        self._add(b"" if self._silent(tokens) else out, key=key, stores=stores)

    def _meta(self, tokens: list[bytes]) -> None:
        commands = meta.Meta(self._table, self._max_key)
        reply, self._rest = commands.run(tokens, self._rest)
        self._out.add(
            reply.data,
            error=ANSWER_TOO_LARGE,
            value=reply.value,
            key=reply.key,
            stores=reply.stores,
            meta=reply.meta,
        )

    @staticmethod
    def _silent(tokens: list[bytes]) -> bool:
        """noreply holds errors back as well. One argument of a delete is always the key."""
        if tokens[0] == b"delete" and len(tokens) == 2:
            return False
        return tokens[-1] == b"noreply"

    def _get(self, keys: list[bytes], with_cas: bool, exptime: int | None = None) -> None:
        if not self._look_up(keys, with_cas, ends=True, exptime=exptime):
            self._out.take_back()  # the error stands alone
            self._add(BAD_FORMAT)

    def _gat(self, tokens: list[bytes]) -> None:
        exptime = signed32(tokens[1])
        if exptime is None:
            self._add(BAD_TIME)
        elif len(tokens) == 2:
            self._add(b"END\r\n")
        else:
            self._get(tokens[2:], tokens[0] == b"gats", exptime)

    def _look_up(
        self, keys: list[bytes], with_cas: bool, ends: bool, exptime: int | None = None
    ) -> bool:
        """Adds what is found, and END if nothing can follow that takes it back; false at a key that
        is too long. With an exptime, what is found is touched."""
        for number, key in enumerate(keys):
            if len(key) > self._max_key:
                return False
            out, value = b"", 0
            if exptime is None:
                item = self._table.get(key)
            else:
                expiry = absolute(exptime, self._table.time)
                item = self._table.touch(key, expiry, reads=True)
            if item is not None:
                value = len(item.value)
                cas = b" %d" % item.cas if with_cas else b""
                out = b"VALUE %b %d %d%b\r\n" % (key, item.flags, value, cas)
                out += item.value + b"\r\n"
            if ends and number == len(keys) - 1:
                out += b"END\r\n"
            self._add(out, value=value, key=len(key))
        return True

    def _set(self, tokens: list[bytes]) -> tuple[bytes, bool]:
        """The answer, and whether the table was asked."""
        key = tokens[1]
        flags, exptime = unsigned32(tokens[2]), signed32(tokens[3])
        length = signed32(tokens[4])
        unique = unsigned64(tokens[5]) if tokens[0] == b"cas" else 0
        if len(key) > self._max_key or flags is None or exptime is None or length is None:
            return BAD_FORMAT, False  # and the data is read as a command
        if unique is None:
            return BAD_FORMAT, False
        if length < 0 or length > (1 << 31) - 3:
            return BAD_FORMAT, False
        data, self._rest = self._rest[: length + 2], self._rest[length + 2 :]
        if self._table.too_large(key, flags, length):
            if tokens[0] == b"set":
                self._table.refuse(key)
            return TOO_LARGE, tokens[0] == b"set"
        if len(data) != length + 2 or not data.endswith(b"\r\n"):
            return BAD_CHUNK, False  # and what follows is read as a command
        if tokens[0] in _JOIN:
            status, _ = self._table.join(key, data[:-2], front=tokens[0] == b"prepend")
            errors = {Status.OK: b"STORED\r\n", Status.NOT_STORED: b"NOT_STORED\r\n"}
            return errors.get(status, NO_MEMORY), True
        expiry = absolute(exptime, self._table.time)
        if tokens[0] == b"cas" and unique == 0:
            unique = MAX_64  # of no item, as 0 is, which to the table means that none is given
        needs = _NEEDS.get(tokens[0], Needs.ANY)
        status, _ = self._table.set(key, data[:-2], flags, expiry, unique, needs)
        plain = needs is Needs.ANY
        answers = {
            Status.OK: b"STORED\r\n",
            Status.TOO_LARGE: TOO_LARGE,
            Status.NOT_FOUND: b"NOT_FOUND\r\n" if plain else b"NOT_STORED\r\n",
            Status.EXISTS: b"EXISTS\r\n" if plain else b"NOT_STORED\r\n",
        }
        return answers.get(status, NO_MEMORY), True

    def _delete(self, tokens: list[bytes]) -> bytes:
        # memcached once took a time here: a 0 is still allowed.
        if tokens[2:] not in ([], [b"0"], [b"noreply"], [b"0", b"noreply"]):
            return BAD_DELETE
        if len(tokens[1]) > self._max_key:
            return BAD_FORMAT
        found = self._table.delete(tokens[1]) is Status.OK
        return b"DELETED\r\n" if found else b"NOT_FOUND\r\n"

    def _touch(self, tokens: list[bytes]) -> bytes:
        if len(tokens[1]) > self._max_key:
            return BAD_FORMAT
        exptime = signed32(tokens[2])
        if exptime is None:
            return BAD_TIME
        item = self._table.touch(tokens[1], absolute(exptime, self._table.time))
        return b"NOT_FOUND\r\n" if item is None else b"TOUCHED\r\n"

    def _count(self, tokens: list[bytes]) -> bytes:
        if len(tokens[1]) > self._max_key:
            return BAD_FORMAT
        delta = unsigned64(tokens[2])
        if delta is None:
            return BAD_DELTA
        status, number, _ = self._table.count(tokens[1], delta, down=tokens[0] == b"decr")
        answers = {
            Status.OK: b"%d\r\n" % number,
            Status.NOT_FOUND: b"NOT_FOUND\r\n",
            Status.NOT_NUMBER: NOT_NUMBER,
            Status.TOO_LARGE: TOO_LARGE,
        }
        return answers.get(status, NO_MEMORY)

    def _flush(self, tokens: list[bytes]) -> bytes:
        exptime: int | None = 0
        if len(tokens) > (2 if tokens[-1] == b"noreply" else 1):
            exptime = signed32(tokens[1])
        if exptime is None:
            return BAD_TIME
        self._table.flush(flush_time(exptime, self._table.time))
        return b"OK\r\n"
