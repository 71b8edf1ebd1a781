# SPDX-License-Identifier: Apache-2.0
"""Sets of distinct keys as TRETS'15 uses them in Figure 1, made with a seed.

The dictionary of names is a compact one, written for this file: 122 first and 123 last names that
are common in the United States, put together the way people make up user names.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

_FIRST = """
james mary robert patricia john jennifer michael linda david elizabeth william barbara richard
susan joseph jessica thomas sarah charles karen christopher lisa daniel nancy matthew betty anthony
sandra mark margaret donald ashley steven kimberly paul emily andrew donna joshua michelle kenneth
carol kevin amanda brian melissa george deborah timothy stephanie ronald rebecca jason sharon
edward laura jeffrey cynthia ryan dorothy jacob amy gary kathleen nicholas angela eric shirley
jonathan emma stephen brenda larry pamela justin nicole scott anna brandon samantha benjamin
katherine samuel christine gregory debra alexander rachel patrick carolyn frank janet raymond maria
jack olivia dennis heather jerry helen tyler catherine aaron diane jose julie adam victoria nathan
joyce henry lauren zachary kelly douglas christina peter ruth kyle joan noah virginia
"""
_LAST = """
smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez
wilson anderson thomas taylor moore jackson martin lee perez thompson white harris sanchez clark
ramirez lewis robinson walker young allen king wright scott torres nguyen hill flores green adams
nelson baker hall rivera campbell mitchell carter roberts gomez phillips evans turner diaz parker
cruz edwards collins reyes stewart morris morales murphy cook rogers gutierrez ortiz morgan cooper
peterson bailey reed kelly howard ramos kim cox ward richardson watson brooks chavez wood james
bennett gray mendoza ruiz hughes price alvarez castillo sanders patel myers long ross foster
jimenez powell jenkins perry russell sullivan bell coleman butler henderson barnes gonzales fisher
vasquez simmons romero jordan patterson alexander hamilton graham reynolds griffin wallace
"""
_FIRST_NAMES, _LAST_NAMES = _FIRST.split(), _LAST.split()
_COLUMNS = ("name", "email", "balance", "created", "status")
_TABLES = ("users", "orders", "items", "sessions", "comments")


def _random(rng: random.Random) -> bytes:
    return rng.randbytes(16)


def _name(rng: random.Random) -> bytes:
    """As john.smith, jsmith84 or john_smith1979."""
    first, last = rng.choice(_FIRST_NAMES), rng.choice(_LAST_NAMES)
    number = rng.choice(("", str(rng.randrange(100)), str(rng.randrange(1940, 2013))))
    start = rng.choice((first, first + ".", first + "_", first[0]))
    return f"{start}{last}{number}".encode()


def _query(rng: random.Random) -> bytes:
    """The MD5 of a query, in hex, as PHP applications use it for a key."""
    query = (
        f"SELECT {rng.choice(_COLUMNS)} FROM {rng.choice(_TABLES)} "
        f"WHERE id = {rng.randrange(10**7)} LIMIT {rng.choice((1, 10, 100))}"
    )
    return hashlib.md5(query.encode()).hexdigest().encode()


def _numbers(rng: random.Random) -> bytes:
    """Four numeric ids one after the other, as in a browser's cookie: site, user, session, page."""
    sizes = (100, 10**6, 10**4, 1000)
    return b".".join(b"%d" % rng.randrange(size) for size in sizes)


KINDS: dict[str, Callable[[random.Random], bytes]] = {
    "random": _random,
    "names": _name,
    "queries": _query,
    "numbers": _numbers,
}


def make(kind: str, count: int, seed: int = 2015) -> list[bytes]:
    """`count` distinct keys of a kind, in the order in which they were drawn."""
    rng = random.Random(f"{kind} {seed}")
    keys: dict[bytes, None] = {}
    while len(keys) < count:
        keys[KINDS[kind](rng)] = None
    return list(keys)
