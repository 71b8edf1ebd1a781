# SPDX-License-Identifier: Apache-2.0
"""python-binary-memcached asks the server at 127.0.0.1:PORT and prints what it is told."""

from __future__ import annotations

import sys
from collections.abc import Callable

import bmemcached
from bmemcached.exceptions import MemcachedException

PATIENCE = 120.0  # s
SIZES = (1, 100, 1400, 1500, 20_000)
LARGE = (100_000, 1_000_000, 1 << 20)  # only without --quick


def value_of(length: int) -> bytes:
    return (b"%d." % length * length)[:length]


def tried(what: Callable[..., object], *arguments: object) -> object:
    """What it gives, or what it raises."""
    try:
        return what(*arguments)
    except MemcachedException as error:
        return f"{type(error).__name__} {error}"


def main(port: int, large: bool) -> None:
    client = bmemcached.Client((f"127.0.0.1:{port}",), socket_timeout=PATIENCE, compression=None)
    print("flush", client.flush_all())
    for size in (*SIZES, *(LARGE if large else ())):
        # Level 0: as it is. This client compresses else.
        print("set", size, tried(lambda n: client.set("sized", value_of(n), 0, 0), size))
        print("get", size, client.get("sized") == value_of(size))
    many = {f"many{n}": f"{n}" * n for n in range(1, 40)}
    print("set_multi", client.set_multi(many))
    print("get_multi", client.get_multi([*many, "nothing"]) == many)
    print("add", client.add("added", "1"), client.add("added", "2"), client.get("added"))
    print("replace", client.replace("added", "3"), client.replace("nothing", "4"))
    print("incr", client.incr("number", 5), client.incr("number", 5))
    print("decr", client.decr("number", 3), client.decr("number", 100))
    print("incr of what was set", tried(client.incr, "added", 1), client.get("added"))
    print("incr of a text", tried(client.incr, "many1", 1), tried(client.incr, "sized", 1))
    value, number = client.gets("added")
    print("gets", value)
    print("cas", client.cas("added", "new", number), client.cas("added", "old", number))
    print("delete", client.delete("added"), client.delete("added"), client.get("added"))
    print("delete_multi", client.delete_multi(list(many)), client.get_multi(list(many)))
    [stats] = client.stats().values()
    print("stats", sorted(stats))
    print("flush", client.flush_all(), client.get("number"))
    client.disconnect_all()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:] != ["--quick"])
