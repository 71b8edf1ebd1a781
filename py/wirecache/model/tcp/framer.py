# SPDX-License-Identifier: Apache-2.0
"""Where whole requests end in the bytes of a connection, without more than 64 bits of state.

    >>> framer = Framer()
    >>> framer.feed(b"get a\\r\\nset b 0 0 3\\r\\nx").marks
    [Mark(offset=7, kind=<Kind.READ: 1>)]
    >>> framer.feed(b"yz\\r\\n").marks
    [Mark(offset=4, kind=<Kind.SHORT: 2>)]

Each byte is looked at once. A line is gone through word by word only if it is that of a command
with a value: whether one follows, and how long it is, is what its words say. Of all other lines
the first word tells what it is. What a line looks like is a row of the circuit's LineTable.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from wirecache.circuit import commands, structs
from wirecache.circuit.commands import Header

MOST_LINE = 2048  # bytes of a line that has not ended, but of a long get
MOST_SPACES = 100  # before the name of a long get
MOST_VALUE = (1 << 31) - 3  # what a length may say
HEADER_BYTES = 24
ITEM = structs.constant("ItemBytes")  # of an item beside key, flags and value
NEAR = ITEM + structs.constant("ItemFlagBytes") + structs.constant("MaxKeyBytes")
CERTAIN = ITEM + 1  # it has a key

_SIGNED = 1 << 63
_UNSIGNED = (1 << 64) - 1
_BLANK = b"\t\n\v\f\r"  # what may stand around a number, but for the space that ends a word
_READS = ("OpGet", "OpGat", "OpLook")


class Kind(IntEnum):
    """What a request is to who lets it in."""

    SKIPPED = 0  # none: the rest of a value that is too large, which nobody needs
    READ = 1  # how long the answer is, is known when its item is
    SHORT = 2
    HOST = 3  # the host answers it
    LAST = 4  # its value may be too large: behind it the parser reads nothing in the same packet
    QUIT = 5  # all that follows is not read, and the connection ends behind the answers
    CLOSE = 6  # the same, and an error is the last answer


class Mode(IntEnum):
    FIRST = 0  # no byte has come
    NAME = 1  # in spaces in front of a line's first word, or in that
    REST = 2  # of a line, whose words tell no more
    WORDS = 3  # of a line that may have a value
    VALUE = 4  # or the body of a binary request
    SKIP = 5
    HEADER = 6
    CLOSED = 7


class Place(IntEnum):
    """The word of a line that comes next, or has begun. Those of a `cas` and an `ms` have places of
    their own where something else follows."""

    KEY = 0
    FLAGS = 1
    TIME = 2
    LENGTH = 3
    NOREPLY = 4  # or any other word
    END = 5  # no word may follow
    CAS_KEY = 6
    CAS_FLAGS = 7
    CAS_TIME = 8
    CAS_LENGTH = 9
    CAS_UNIQUE = 10
    META_KEY = 11
    META_LENGTH = 12
    ANY = 13  # whatever follows


class Phase(IntEnum):
    """Of a word."""

    GAP = 0  # in front of it
    RETURN = 1  # it has one byte, \r, which belongs to the line's end if \n follows
    INSIDE = 2  # of a word that is no number; of a number, in spaces in front of it
    SIGN = 3
    DIGITS = 4
    BEHIND = 5  # a number


class Against(IntEnum):
    """The digits of a number so far, against the first ones of 2^63 and of 2^64 - 1. The first one
    tells which of both can be met, so one state is enough for both."""

    NINE = 0  # those of 2^63
    MORE = 1  # more than those, and begins with 9
    ONE = 2  # those of 2^64 - 1
    LESS = 3  # less than those, and begins with 1
    OTHER = 4  # with 19 digits less than 2^63, with 20 more than 2^64 - 1


_NEXT = {
    Place.KEY: Place.FLAGS,
    Place.FLAGS: Place.TIME,
    Place.TIME: Place.LENGTH,
    Place.LENGTH: Place.NOREPLY,
    Place.NOREPLY: Place.END,
    Place.CAS_KEY: Place.CAS_FLAGS,
    Place.CAS_FLAGS: Place.CAS_TIME,
    Place.CAS_TIME: Place.CAS_LENGTH,
    Place.CAS_LENGTH: Place.CAS_UNIQUE,
    Place.CAS_UNIQUE: Place.NOREPLY,
    Place.META_KEY: Place.META_LENGTH,
    Place.META_LENGTH: Place.ANY,
}
_KEYS = (Place.KEY, Place.CAS_KEY, Place.META_KEY)
_UNSIGNEDS = (Place.FLAGS, Place.CAS_FLAGS, Place.CAS_UNIQUE)
_LENGTHS = (Place.LENGTH, Place.CAS_LENGTH, Place.META_LENGTH)
_WHOLE = (Place.NOREPLY, Place.END, Place.ANY)  # a value follows, if the line ends here


@dataclass(frozen=True)
class Mark:
    """Behind the last byte of a request, counted from the first byte that was given."""

    offset: int
    kind: Kind


@dataclass
class Fed:
    marks: list[Mark] = field(default_factory=list)
    done: int = 0  # bytes in front of this offset are not needed again
    closed: bool = False  # behind the answers to all requests


@dataclass
class State:
    """Of a connection."""

    mode: Mode = Mode.FIRST
    binary: bool = False
    kind: Kind = Kind.SKIPPED  # of the request: REST, VALUE
    line: int = 0  # bytes of it, up to one too many
    name: bytes = b""  # what has come of it, while it may be that of a command
    long: bool = False  # the line may be. NAME: it may not be, as there are too many spaces.
    # HEADER: its magic number is wrong
    place: Place = Place.KEY
    phase: Phase = Phase.GAP
    negative: bool = False
    digits: int = 0  # without zeros in front, up to one too many
    against: Against = Against.OTHER
    number: int = 0  # its lower 32 bits: of a key its length; VALUE, SKIP: bytes to come
    front: int = 0  # SKIP: bytes in front of those, which end the request
    # HEADER
    at: int = 0
    opcode: int = 0
    key: int = 0
    extras: int = 0


# What a mode keeps, with the bits of each: 64 at most. Of a name it is which one of all that may
# become that of a command.
_FIELDS: dict[Mode, dict[str, int]] = {
    Mode.FIRST: {},
    Mode.NAME: {"line": 12, "name": 8, "long": 1},
    Mode.REST: {"line": 12, "kind": 3, "long": 1},
    Mode.WORDS: {
        "line": 12,
        "place": 4,
        "phase": 3,
        "negative": 1,
        "digits": 5,
        "against": 3,
        "number": 32,
    },
    Mode.VALUE: {"kind": 3, "number": 32},
    Mode.SKIP: {"front": 9, "number": 32},
    Mode.HEADER: {"at": 5, "long": 1, "opcode": 6, "key": 8, "extras": 8, "number": 32},
    Mode.CLOSED: {},
}
_ALWAYS = {"mode": 3, "binary": 1}


@dataclass(frozen=True)
class _Form:
    """What a binary request looks like."""

    kind: Kind
    extras: tuple[int, ...]
    key: tuple[bool, ...]
    value: bool


_EXTRAS = {
    "ExtrasNone": (0,),
    "ExtrasStore": (8,),
    "ExtrasDelay": (0, 4),
    "ExtrasTime": (4,),
    "ExtrasCount": (20,),
}
_STORES = ("OpSet", "OpAdd", "OpReplace", "OpAppend", "OpPrepend")
_KEYLESS = ("OpNone", "OpFlush")
_MADE = ("OpIncr", "OpDecr", "OpAppend", "OpPrepend")
_UNKNOWN = 63  # stands for all opcodes without a row


def _kind(op: str, drops: bool) -> Kind:
    if drops:
        return Kind.QUIT
    if op == "OpHost":
        return Kind.HOST
    return Kind.READ if op in _READS else Kind.SHORT


def _form(header: Header) -> _Form:
    keys = (False, True) if header.op == "OpHost" else (header.op not in _KEYLESS,)
    kind = _kind(header.op, header.drops)
    return _Form(kind, _EXTRAS[header.extras], keys, header.op in _STORES)


class Framer:
    """One connection. `most_bytes` is what an item may have, as memcached counts (-I)."""

    def __init__(
        self,
        most_bytes: int = 1 << 20,
        max_key: int = structs.constant("MaxKeyBytes"),
        *,
        made_values: bool = True,
        meta: bool = True,
        binary: bool = True,
    ) -> None:
        self.state = State()
        self._most_bytes = most_bytes
        self._max_key = max_key
        self._binary = binary
        self._kinds: dict[bytes, Kind] = {}
        self._places: dict[bytes, Place] = {}
        for line in commands.lines():
            if (line.op in _MADE and not made_values) or ("meta" in line.quirks and not meta):
                continue
            self._kinds[line.name] = Kind.READ if line.name == b"mn" else _kind(line.op, line.drops)
            if line.value:
                unique = "ArgUnique" in line.arguments
                place = Place.CAS_KEY if unique else Place.KEY
                self._places[line.name] = Place.META_KEY if "meta" in line.quirks else place
        names = [name + end for name in self._kinds for end in (b"", b"\r")]
        self.prefixes = sorted({name[:n] for name in names for n in range(len(name) + 1)})
        self._prefixes = frozenset(self.prefixes)
        self._forms = {
            header.opcode: _form(header)
            for header in commands.headers()
            if made_values or header.op not in _MADE
        }

    def packed(self) -> int:
        """The state, in 64 bits."""
        bits = shift = 0
        for name, width in (_ALWAYS | _FIELDS[self.state.mode]).items():
            value = getattr(self.state, name)
            number = self.prefixes.index(value) if name == "name" else int(value)
            assert 0 <= number < 1 << width, (self.state, name)
            bits |= number << shift
            shift += width
        assert shift <= 64
        return bits

    def unpack(self, bits: int) -> None:
        """The state is this one."""
        mode = Mode(bits & 7)
        state = State(mode)
        for name, width in (_ALWAYS | _FIELDS[mode]).items():
            number = bits & (1 << width) - 1
            kind = type(getattr(state, name))
            setattr(state, name, self.prefixes[number] if name == "name" else kind(number))
            bits >>= width
        self._set(state)

    def feed(self, data: bytes) -> Fed:
        """The next bytes. They are what one read of memcached's would give: the length of a line
        without an end is looked at behind them."""
        state = self.state
        fed = Fed()
        at = 0
        while at < len(data):
            match state.mode:
                case Mode.CLOSED:
                    at = len(data)
                case Mode.FIRST:
                    state.binary = self._binary and data[0] == 0x80
                    self._begin()
                case Mode.SKIP if state.front:
                    step = min(state.front, len(data) - at)
                    state.front -= step
                    at += step
                    if not state.front:
                        self._mark(fed, at, Kind.LAST)
                case Mode.VALUE | Mode.SKIP:
                    step = min(state.number, len(data) - at)
                    state.number -= step
                    at += step
                    if not state.number:
                        skips = state.mode is Mode.SKIP
                        self._mark(fed, at, Kind.SKIPPED if skips else state.kind)
                        self._begin()
                case Mode.REST:
                    end = data.find(b"\n", at)
                    step = (len(data) if end < 0 else end) - at
                    self._count(step)
                    at += step
                    if end >= 0:
                        at += 1
                        self._ended(fed, at, state.kind)
                case Mode.HEADER:
                    at += 1
                    self._header(fed, at, data[at - 1])
                case _:
                    byte = data[at]
                    at += 1
                    kind = self._name(byte) if state.mode is Mode.NAME else self._word(byte)
                    if byte != 0x0A:
                        self._count(1)
                    elif kind is not None:
                        self._ended(fed, at, kind)
                    else:
                        self._value(fed, at)
        in_line = state.mode in (Mode.NAME, Mode.REST, Mode.WORDS)
        may_be_long = state.mode is Mode.REST and state.long
        if in_line and state.line > MOST_LINE and not may_be_long:
            self._set(State(Mode.CLOSED))
        if state.mode is Mode.CLOSED or (state.mode is Mode.SKIP and not state.front):
            fed.done = len(data)
        fed.closed = state.mode is Mode.CLOSED
        return fed

    # ---- requests ------------------------------------------------------------------------------
    def _begin(self) -> None:
        mode = Mode.HEADER if self.state.binary else Mode.NAME
        self._set(State(mode, self.state.binary))

    def _set(self, state: State) -> None:
        self.state.__dict__.update(state.__dict__)

    def _mark(self, fed: Fed, at: int, kind: Kind) -> None:
        fed.marks.append(Mark(at, kind))
        fed.done = at

    def _ended(self, fed: Fed, at: int, kind: Kind) -> None:
        """A request ends here that has no bytes beyond."""
        self._mark(fed, at, kind)
        if kind in (Kind.QUIT, Kind.CLOSE):
            self._set(State(Mode.CLOSED))
        else:
            self._begin()

    def _data(self, fed: Fed, at: int, rest: int, value: int, kind: Kind) -> None:
        """`rest` bytes follow, the last ones of which are a value of so many bytes. What is too
        large whatever its flags and its key are is not taken; the parser refuses it without."""
        if value > self._most_bytes - CERTAIN:
            skipped = value if self.state.binary else rest
            if rest == skipped:
                self._mark(fed, at, Kind.LAST)
            self._set(State(Mode.SKIP, self.state.binary, number=skipped, front=rest - skipped))
            return
        if value > self._most_bytes - NEAR:
            kind = Kind.LAST
        self._set(State(Mode.VALUE, self.state.binary, kind, number=rest))

    # ---- lines ---------------------------------------------------------------------------------
    def _count(self, step: int) -> None:
        self.state.line = min(self.state.line + step, MOST_LINE + 1)

    def _name(self, byte: int) -> Kind | None:
        """A byte in front of the first word, or of it. If the line ends: what it is."""
        state = self.state
        if byte == 0x20 and not state.name:
            return Kind.SHORT
        if byte not in b" \n\0":
            if not state.name:
                state.long = state.line > MOST_SPACES
            state.name += bytes([byte])
            if state.name not in self._prefixes:
                self._rest(Kind.SHORT)
            return Kind.SHORT
        name = state.name.removesuffix(b"\r") if byte == 0x0A else state.name
        kind = self._kinds.get(name, Kind.SHORT)
        if byte == 0x20 and name in self._places:
            line = State(Mode.WORDS, line=state.line, place=self._places[name])
            self._set(line)
        else:
            long = byte == 0x20 and name in (b"get", b"gets") and not state.long
            self._rest(kind, long)
        return kind

    def _rest(self, kind: Kind, long: bool = False) -> None:
        self._set(State(Mode.REST, kind=kind, line=self.state.line, long=long))

    def _word(self, byte: int) -> Kind | None:
        """A byte of a line that may have a value. If the line ends: what it is, or None if the
        value follows."""
        state = self.state
        if state.place is Place.ANY:
            return None
        if byte == 0x0A and state.phase is Phase.RETURN:
            state.phase = Phase.GAP
        if byte in b" \n\0":
            if state.phase is not Phase.GAP:
                if not self._right():
                    self._rest(Kind.SHORT)
                    return Kind.SHORT
                if state.place in _LENGTHS:
                    if state.negative:
                        state.number = -state.number & 0xFFFFFFFF
                    if state.number > MOST_VALUE:
                        self._rest(Kind.SHORT)
                        return Kind.SHORT
                elif state.place in _KEYS:
                    state.number = 0
                state.place = _NEXT[state.place]
                state.phase = Phase.GAP
                state.negative = False
                state.digits = 0
                state.against = Against.OTHER
            if byte == 0x20:
                return None
            if state.place not in _WHOLE:
                self._rest(Kind.SHORT)
                return Kind.SHORT
            state.place = Place.ANY  # behind a NUL, no more words
            return None
        if state.place is Place.END:
            if byte == 0x0D and state.phase is Phase.GAP:
                state.phase = Phase.RETURN
            else:
                self._rest(Kind.SHORT)
            return Kind.SHORT
        if state.place in _KEYS or state.place is Place.NOREPLY:
            starts = byte == 0x0D and state.phase is Phase.GAP
            state.phase = Phase.RETURN if starts else Phase.INSIDE
            if state.place in _KEYS:
                state.number += 1
                if state.number > self._max_key:
                    self._rest(Kind.SHORT)
            return Kind.SHORT
        if not self._digit(byte):
            self._rest(Kind.SHORT)
        return Kind.SHORT

    def _digit(self, byte: int) -> bool:
        """A byte of a number. False if that makes it none."""
        state = self.state
        if state.phase is Phase.BEHIND:
            # C looks for a minus sign up to the end of the word
            return not (byte == 0x2D and state.place in _UNSIGNEDS and self._beyond_signed())
        if byte in b"0123456789":
            state.phase = Phase.DIGITS
            digit = byte - 0x30
            self._compare(digit)
            if state.digits or digit:
                state.digits = min(state.digits + 1, 21)
            if state.place in _LENGTHS:
                state.number = (state.number * 10 + digit) & 0xFFFFFFFF
            return True
        if state.phase is Phase.DIGITS:
            state.phase = Phase.BEHIND
            return byte in _BLANK
        if byte in _BLANK:
            first = state.phase is Phase.GAP and byte == 0x0D
            if state.phase is Phase.SIGN:
                return False
            state.phase = Phase.RETURN if first else Phase.INSIDE
            return True
        if byte in b"+-" and state.phase is not Phase.SIGN:
            state.phase = Phase.SIGN
            state.negative = byte == 0x2D
            return True
        return False

    def _compare(self, digit: int) -> None:
        state = self.state
        if not state.digits:
            firsts = {9: Against.NINE, 1: Against.ONE}
            state.against = firsts.get(digit, Against.OTHER)
            return
        if state.against is Against.NINE and state.digits < 19:
            wanted = int(str(_SIGNED)[state.digits])
            if digit != wanted:
                state.against = Against.MORE if digit > wanted else Against.OTHER
        elif state.against is Against.ONE and state.digits < 20:
            wanted = int(str(_UNSIGNED)[state.digits])
            if digit != wanted:
                state.against = Against.OTHER if digit > wanted else Against.LESS

    def _fits_64(self) -> bool:
        """It is 2^64 - 1 or less."""
        state = self.state
        short = state.against in (Against.ONE, Against.LESS)
        return state.digits < 20 or (state.digits == 20 and short)

    def _beyond_signed(self) -> bool:
        """It is 2^63 or more."""
        state = self.state
        nine = state.against in (Against.NINE, Against.MORE)
        return state.digits >= 20 or (state.digits == 19 and nine)

    def _right(self) -> bool:
        """Whether the word that ends here is what it has to be."""
        state = self.state
        if state.place in _KEYS or state.place in (Place.NOREPLY, Place.END):
            return state.place is not Place.END
        if state.phase not in (Phase.DIGITS, Phase.BEHIND):
            return False
        exact = state.digits == 19 and state.against is Against.NINE  # 2^63
        if state.place in _UNSIGNEDS:
            beyond = self._beyond_signed() and not exact
            return self._fits_64() and (not state.negative or not state.digits or beyond)
        return not self._beyond_signed() or (exact and state.negative)

    def _value(self, fed: Fed, at: int) -> None:
        length = self.state.number
        self._data(fed, at, length + 2, length, Kind.SHORT)

    # ---- headers -------------------------------------------------------------------------------
    def _header(self, fed: Fed, at: int, byte: int) -> None:
        state = self.state
        match state.at:
            case 0:
                state.long = byte != 0x80  # a wrong magic number
            case 1:
                state.opcode = byte if byte in self._forms else _UNKNOWN
            case 2 if byte:
                state.key = 255
            case 3:
                state.key = max(state.key, byte)
            case 4:
                state.extras = byte
            case 8 | 9 | 10 | 11:
                state.number = state.number << 8 | byte
        state.at += 1
        if state.at == HEADER_BYTES:
            self._request(fed, at)

    def _request(self, fed: Fed, at: int) -> None:
        state = self.state
        value = state.number - state.key - state.extras
        if state.long:
            self._set(State(Mode.CLOSED))
            return
        if state.key > self._max_key or value < 0:
            self._ended(fed, at, Kind.CLOSE)
            return
        kind = Kind.SHORT
        if state.opcode != _UNKNOWN:
            form = self._forms[state.opcode]
            keyed = bool(state.key) in form.key
            if not keyed or state.extras not in form.extras or (value and not form.value):
                self._ended(fed, at, Kind.CLOSE)
                return
            kind = form.kind
        if not state.number:
            self._ended(fed, at, kind)
        else:
            self._data(fed, at, state.number, value, kind)


def split(data: bytes, **options: bool | int) -> list[bytes]:
    """The whole requests of a stream that comes at once."""
    framer = Framer(**options)  # type: ignore[arg-type]
    begin, out = 0, []
    for mark in framer.feed(data).marks:
        if mark.kind is not Kind.SKIPPED:
            out.append(data[begin : mark.offset])
        begin = mark.offset
    return out
