# SPDX-License-Identifier: Apache-2.0
"""pylibmc (libmemcached), once for each protocol, asks the server at 127.0.0.1:PORT and prints what
it is told."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pylibmc

PATIENCE = 120_000  # ms
SIZES = (1, 100, 1400, 1500, 20_000)
LARGE = (100_000, 1_000_000, 1 << 20)  # only without --quick


def value_of(length: int) -> bytes:
    return (b"%d." % length * length)[:length]


def tried(what: Callable[..., object], *arguments: object) -> object:
    """What it gives, or the name of what it raises."""
    try:
        return what(*arguments)
    except pylibmc.Error as error:
        return type(error).__name__


def main(port: int, binary: bool, large: bool) -> None:
    def connect(**behaviors: object) -> pylibmc.Client:
        behaviors |= {"tcp_nodelay": True, "_poll_timeout": PATIENCE}
        return pylibmc.Client([f"127.0.0.1:{port}"], binary=binary, behaviors=behaviors)

    client = connect(cas=True)
    print("binary" if binary else "ASCII")
    print("flush", client.flush_all())
    for size in (*SIZES, *(LARGE if large else ())):
        print("set", size, tried(client.set, "sized", value_of(size)))
        print("get", size, client.get("sized") == value_of(size))
    many = {f"many{n}": b"%d" % n * n for n in range(1, 40)}
    print("set_multi", client.set_multi(many))
    print("get_multi", client.get_multi([*many, "nothing"]) == many)
    print("add", client.add("added", "1"), client.add("added", "2"), client.get("added"))
    print("replace", client.replace("added", "3"), tried(client.replace, "nothing", "4"))
    print("append", client.append("added", "5"), tried(client.append, "nothing", "5"))
    print("prepend", client.prepend("added", "2"), tried(client.prepend, "nothing", "5"))
    print("get", client.get("added"))
    print("set of a number", client.set("number", 235), client.get("number"))
    print("incr", client.incr("number", 1), tried(client.incr, "nothing", 1))
    print("decr", client.decr("number", 234), client.decr("number", 5))
    client.set("text", "text")
    value, number = client.gets("text")
    print("gets", value)
    print("cas", client.cas("text", "new", number), tried(client.cas, "text", "old", number))
    if not binary:  # with memcached, too, this library then waits for more, or gives it up
        print("touch", client.touch("text", 100), client.touch("nothing", 100))
        print("incr of a text", tried(client.incr, "text", 1))
    print("delete", client.delete("text"), client.delete("text"), client.get("text"))
    print("delete_multi", client.delete_multi(list(many)), client.get_multi(list(many)))
    [(_, stats)] = client.get_stats()
    print("stats", sorted(stats))
    for name, behaviors in {
        "noreply": {"_noreply": True},
        "not blocking": {"no_block": True},
    }.items():
        other = connect(**behaviors)
        for n in range(30):
            other.set(f"other{n}", f"{name} {n}")
        found = other.get_multi([f"other{n}" for n in range(30)])
        print(name, found == {f"other{n}": f"{name} {n}" for n in range(30)})
        other.disconnect_all()
    print("flush", client.flush_all(), client.get("number"))


if __name__ == "__main__":
    for binary in (False, True):
        main(int(sys.argv[1]), binary, sys.argv[2:] != ["--quick"])
