# SPDX-License-Identifier: Apache-2.0
"""Random messages for the response benches: every kind of operation, status, length and number."""

from __future__ import annotations

import random

from response_model import (
    ADD,
    APPEND,
    COUNTS,
    DECR,
    DELETE,
    FLUSH,
    FOREVER,
    GAT,
    GATK,
    GET,
    GETK,
    INCR,
    JOINS,
    LOOKS,
    NOOP,
    NOT_STORED,
    OP,
    OPAQUE_BYTES,
    PREPEND,
    QUIET_OF,
    QUIT,
    READS,
    REPLACE,
    SAY,
    SET,
    SHOW,
    STATUS,
    STORES,
    TOUCH,
    VERSION,
    Item,
)

ERRORS = [s for s in STATUS if s >= STATUS.StUnknown]
OF_META = [s for s in STATUS if s >= STATUS.StBadToken]  # and of nothing else
PLAIN_ERRORS = [s for s in ERRORS if s not in OF_META]
SHOWS = [s for s in SHOW if s not in (SHOW.ShowNone, SHOW.ShowNumber, SHOW.ShowMarks)]
OF_ITEMS = (SHOW.ShowFlags, SHOW.ShowSize, SHOW.ShowFetched, SHOW.ShowUnused)
SHOWS_OF_COUNTS = [s for s in SHOWS if s not in OF_ITEMS]


def number(bits: int) -> int:
    """Every magnitude, binary and decimal, is as likely; the edges of both are included."""
    kind = random.randrange(4)
    limit = (1 << bits) - 1
    if kind == 0:
        return random.getrandbits(random.randint(0, bits))
    if kind == 1:
        power: int = 10 ** random.randint(0, len(str(limit)) - 1)
        return min(limit, max(0, power - random.randint(0, 1)))
    if kind == 2:
        return max(0, (1 << random.randint(0, bits)) - 1)
    return random.choice((0, 1, 9, limit))


def key() -> bytes:
    long = random.random() < 0.3
    return bytes(random.choices(range(33, 127), k=random.randint(1, 250 if long else 24)))


def value(longest: int = 3000) -> bytes:
    size = random.choice((0, 1, 7, 8, 9, 10, 64, 99, 100, random.randint(0, 40)))
    if random.random() < 0.08:
        size = random.choice((999, 1000, random.randint(0, longest)))
    return random.randbytes(min(size, longest))


def extra() -> dict[str, object]:
    """Fields that go past unchanged, whatever becomes of the answer."""
    return {"hit": random.getrandbits(1), "one_line": random.getrandbits(1)}


def marks() -> dict[str, bool]:
    """Of the item, and whether it is won now."""
    return {name: random.random() < 0.4 for name in ("fetched", "stale", "won", "wins")}


def get(hit: float = 0.7, **fields: object) -> Item:
    """A GET or GAT that found something, or not; what it did not find leaves fields undefined."""
    kind = random.choice(READS)
    item = Item(kind, flags=number(32), cas=number(64), key=key(), **fields)  # type: ignore[arg-type]
    if random.random() < hit:
        item.value = value()
    else:
        item.status = STATUS.StNotFound
        item.value_len = random.getrandbits(21)
    return item


def ascii_get(count: int | None = None, cancel: float = 0.15, hit: float = 0.7) -> list[Item]:
    count = count or random.choice((1, 1, 2, 3, random.randint(1, 12)))
    with_cas = random.random() < 0.4
    items = [get(hit, with_key=True, with_cas=with_cas) for _ in range(count)]
    items[0].cmd_first = True
    if random.random() < cancel:
        taken_back = Item(OP.OpNone, STATUS.StBadFormat, cancel=True)
        if random.random() < 0.3:
            taken_back.status, taken_back.say = STATUS.StOk, SAY.SaySilent
        if random.random() < 0.2:  # the first key was the bad one
            return [taken_back]
        return [*items, taken_back]
    items[-1].cmd_last = True
    return items


def count() -> Item:
    """An INCR or DECR; what it does not show is undefined."""
    failures = tuple(
        STATUS[f"St{name}"]
        for name in ("NotFound", "Exists", "NotNumber", "NoMemory", "Memory", "TooLarge")
    )
    status = random.choice((*(STATUS.StOk,) * 8, *failures))
    item = Item(random.choice(COUNTS), status, key=key(), flags=number(32), cas=number(64))
    item.value_len, item.with_cas = random.getrandbits(21), random.random() < 0.2
    return item


def ascii_other() -> list[Item]:
    kind = random.randrange(9)
    quiet = random.random() < 0.3
    if kind == 0:
        status = random.choice((STATUS.StOk, STATUS.StOk, STATUS.StNoMemory, STATUS.StMemory))
        item = Item(random.choice(STORES), status, key=key(), value_len=random.getrandbits(11))
        item.cas = number(64)
    elif kind == 1:
        item = Item(OP.OpDelete, random.choice((STATUS.StOk, STATUS.StNotFound)), key=key())
    elif kind == 2:
        item = Item(OP.OpFlush)
    elif kind == 3:
        failures = [(OP.OpSet, STATUS.StExists), (OP.OpSet, STATUS.StNotFound), *NOT_STORED]
        failures += [(kind, STATUS.StNotStored) for kind in JOINS]
        item = Item(*random.choice(failures), key=key())
    elif kind == 4:
        item = Item(OP.OpNone, say=random.choice(list(SAY)))
    elif kind == 5:
        status = random.choice((STATUS.StOk, STATUS.StOk, STATUS.StNotFound, STATUS.StMemory))
        item = Item(OP.OpTouch, status, key=key(), flags=number(32), cas=number(64))
    elif kind == 6:
        item = count()
    elif kind == 7:
        item = Item(OP.OpRefuse, STATUS.StTooLarge, key=key())
    else:
        item = Item(OP.OpNone, random.choice(PLAIN_ERRORS))
    item.quiet = quiet
    return [item]


def binary() -> list[Item]:
    kind = random.randrange(10)
    quiet = random.random() < 0.4
    if kind <= 1:
        item = get()
        opcode = GAT if item.op == OP.OpGat else GET
    elif kind == 2:
        item = get(with_key=True)
        opcode = GATK if item.op == OP.OpGat else GETK
    elif kind == 3:
        failures = tuple(
            STATUS[f"St{name}"] for name in ("Exists", "NoMemory", "TooLarge", "Memory", "NotFound")
        )
        statuses = (STATUS.StOk, STATUS.StOk, *failures)
        stores = ((OP.OpSet, SET), (OP.OpAdd, ADD), (OP.OpReplace, REPLACE))
        joins = ((OP.OpAppend, APPEND), (OP.OpPrepend, PREPEND))
        kind, opcode = random.choice((*stores, *joins))
        if kind in JOINS:
            statuses = (STATUS.StOk, STATUS.StNotStored, STATUS.StExists, STATUS.StMemory)
        item = Item(kind, random.choice(statuses), key=key())
        item.cas, item.value_len = number(64), random.getrandbits(11)
    elif kind == 4:
        outcome = random.choice((STATUS.StOk, STATUS.StNotFound, STATUS.StExists))
        item, opcode = Item(OP.OpDelete, outcome, key=key(), cas=number(64)), DELETE
    elif kind == 5:
        item, opcode = Item(OP.OpFlush, cas=number(64)), FLUSH
    elif kind == 7:
        outcome = random.choice((STATUS.StOk, STATUS.StOk, STATUS.StNotFound, STATUS.StMemory))
        item, opcode = Item(OP.OpTouch, outcome, key=key()), TOUCH
        item.flags, item.cas = number(32), number(64)
    elif kind == 6:
        opcode, say = random.choice(
            ((NOOP, SAY.SayOk), (QUIT, SAY.SayOk), (VERSION, SAY.SayVersion))
        )
        item = Item(OP.OpNone, say=say, cas=number(64))
        if random.random() < 0.1:
            item.say = SAY.SaySilent
    elif kind == 8:
        item = count()
        opcode = INCR if item.op == OP.OpIncr else DECR
    else:
        status, opcode = random.choice(PLAIN_ERRORS), random.randrange(256)
        item = Item(OP.OpNone, status, cas=number(64))
    item.binary, item.opaque = True, random.randbytes(4)
    item.quiet = quiet
    item.opcode = QUIET_OF.get(opcode, opcode) if quiet else opcode
    return [item]


def shows(counts: bool) -> tuple[int, ...]:
    """Some of what can be shown, each once, in any order; behind them the number, if `counts`."""
    all_ = SHOWS_OF_COUNTS if counts else SHOWS
    some = random.sample(all_, random.choice((0, 0, 1, 2, random.randint(0, len(all_)))))
    return (*some, *((SHOW.ShowNumber,) if counts and random.random() < 0.6 else ()))


def meta(longest: int = 3000) -> list[Item]:
    """An operation of a meta command; its key comes, whether it is shown or not."""
    ok, missing = STATUS.StOk, STATUS.StNotFound
    outcomes = {
        **dict.fromkeys((OP.OpGet, OP.OpGat), (ok, ok, ok, missing, STATUS.StMemory)),
        **dict.fromkeys((OP.OpLook, OP.OpTouch), (ok, ok, missing, STATUS.StMemory)),
        OP.OpSet: (ok, ok, ok, STATUS.StExists, missing, STATUS.StNoMemory),
        OP.OpAdd: (ok, STATUS.StExists, STATUS.StMemory),
        OP.OpReplace: (ok, missing, STATUS.StTooLarge),
        **dict.fromkeys(JOINS, (ok, STATUS.StNotStored, STATUS.StExists)),
        OP.OpDelete: (ok, ok, missing, STATUS.StExists),
        **dict.fromkeys(COUNTS, (ok, ok, ok, missing, STATUS.StExists, STATUS.StNotNumber)),
        OP.OpRefuse: (STATUS.StTooLarge,),
        OP.OpNone: (ok, *ERRORS),
    }
    op = random.choice((OP.OpGet, OP.OpGet, *outcomes))
    item = Item(op, random.choice(outcomes[op]), meta=True, key=key(), shows=shows(op in COUNTS))
    if op in LOOKS and random.random() < 0.9:
        item.shows += (SHOW.ShowMarks,)
    for name, mark in marks().items():
        setattr(item, name, mark)
    item.flags, item.cas = number(32), number(64)
    item.ttl, item.unused = random.choice((FOREVER, number(32))), number(32)
    item.quiet, item.with_key = random.random() < 0.3, op != OP.OpNone
    item.encoded = random.random() < 0.4
    item.with_cas, item.cmd_first, item.cmd_last = (random.random() < 0.3 for _ in range(3))
    item.name = random.randbytes(random.choice((0, 1, 8, OPAQUE_BYTES, random.randint(0, 31))))
    if item.hit:
        item.value = value(longest)
    else:
        item.value_len = number(20)
    if op == OP.OpNone:
        item.say = random.choice((SAY.SayOk, SAY.SayOk, SAY.SaySilent))
    return [item]


def message(longest: int = 6, with_meta: bool = True) -> list[Item]:
    """The operations of one datagram."""
    items: list[Item] = []
    commands = random.choice((1, 1, 1, random.randint(1, longest)))
    is_binary = random.random() < 0.4
    share = random.choice((0, 0.3, 1))  # of meta commands
    for _ in range(commands):
        if is_binary:
            items += binary()
        elif with_meta and random.random() < share:
            items += meta()
        else:
            items += ascii_get() if random.random() < 0.5 else ascii_other()
    if random.random() < 0.1:  # what ends a datagram that asks for no answer
        items.append(Item(OP.OpNone, say=SAY.SaySilent, binary=is_binary))
    return finished(items)


def finished(items: list[Item]) -> list[Item]:
    """With what goes past unchanged, and with numbers whose digits are counted."""
    for item in items:
        item.pointer, item.extra = random.getrandbits(32), extra()
        if item.meta and item.op in COUNTS and random.random() < 0.7:
            item.flags, item.pointer = divmod(number(64), 1 << 32)
        if item.meta and item.counted:
            item.value_len = len(b"%d" % item.number)
    return items
