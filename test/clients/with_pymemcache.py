# SPDX-License-Identifier: Apache-2.0
"""pymemcache (ASCII) asks the server at 127.0.0.1:PORT and prints what it is told."""

from __future__ import annotations

import hashlib
import sys
from concurrent.futures import ThreadPoolExecutor

from pymemcache.client.base import Client, PooledClient
from pymemcache.exceptions import MemcacheError

PATIENCE = 120.0  # s
SIZES = (1, 100, 1400, 1500, 20_000)
LARGE = (100_000, (1 << 20) - 64, 1 << 20)  # only without --quick
THREADS, ROUNDS = 4, 5


def digest(value: bytes | None) -> str:
    return "nothing" if value is None else f"{len(value)} {hashlib.sha256(value).hexdigest()[:12]}"


def value_of(length: int) -> bytes:
    return (b"%d." % length * length)[:length]


def ask_of_pool(port: int) -> list[object]:
    pool = PooledClient(
        ("127.0.0.1", port), max_pool_size=THREADS, timeout=PATIENCE, connect_timeout=PATIENCE
    )

    def work(number: int) -> list[object]:
        key, said = f"thread{number}", []
        for turn in range(ROUNDS):
            said += [pool.set(key, b"%d" % turn, noreply=False), pool.incr(key, 10), pool.get(key)]
        return said

    with ThreadPoolExecutor(THREADS) as threads:
        said: list[object] = list(threads.map(work, range(THREADS)))
    pool.close()
    return said


def main(port: int, large: bool) -> None:
    client = Client(
        ("127.0.0.1", port), timeout=PATIENCE, connect_timeout=PATIENCE, no_delay=True,
        default_noreply=False,
    )  # fmt: skip
    print("version", client.version())
    print("flush", client.flush_all())
    for size in (*SIZES, *(LARGE if large else ())):
        try:
            print("set", size, client.set("sized", value_of(size), flags=size & 7))
        except MemcacheError as error:
            print("set", size, "error", error)
        print("get", size, digest(client.get("sized")))
    many = {f"many{n}": b"%d" % n * n for n in range(1, 40)}
    print("set_many", client.set_many(many))
    print("set_many, noreply", client.set_many({"quiet": b"q", **many}, noreply=True))
    print("get_many", client.get_many([*many, "quiet", "nothing"]) == {**many, "quiet": b"q"})
    print("gets_many", sorted(client.gets_many(["many1", "many2", "nothing"])))
    print("add", client.add("added", b"1"), client.add("added", b"2"), client.get("added"))
    print("replace", client.replace("added", b"3"), client.replace("nothing", b"4"))
    print("append", client.append("added", b"5"), client.append("nothing", b"5"))
    print("prepend", client.prepend("added", b"2"), client.prepend("nothing", b"5"))
    print("incr", client.incr("added", 1), client.incr("nothing", 1), client.get("added"))
    print("decr", client.decr("added", 234), client.decr("added", 5), client.decr("nothing", 1))
    client.set("text", b"text")
    try:
        print("incr of a text", client.incr("text", 1))
    except MemcacheError as error:
        print("incr of a text: error", error)
    value, number = client.gets("text")
    assert number is not None
    print("gets", value)
    print("cas", client.cas("text", b"new", number), client.cas("text", b"old", number))
    print("cas of nothing", client.cas("nothing", b"1", number), client.get("text"))
    print("touch", client.touch("text", 100), client.touch("nothing", 100))
    print("delete", client.delete("text"), client.delete("text"), client.get("text"))
    print("delete_many", client.delete_many(list(many)), client.get_many(list(many)))
    client.set("later", b"1", expire=-1)
    print("expired", client.get("later"))
    print("raw", client.raw_command(b"mn"), client.raw_command(b"mg quiet v", b"q\r\n"))
    print("pool", ask_of_pool(port))
    for what in ((), ("settings",), ("items",), ("slabs",)):
        stats = client.stats(*what)
        if what in ((), ("settings",)):
            print("stats", *what, sorted(stats))
        else:
            print("stats", *what, bool(stats))
        if not what:
            print("hits", stats[b"get_hits"] > 0, "items", stats[b"curr_items"] > 0)
    print("flush", client.flush_all(), client.get("quiet"))
    client.quit()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:] != ["--quick"])
