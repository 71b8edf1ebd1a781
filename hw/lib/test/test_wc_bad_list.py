# SPDX-License-Identifier: Apache-2.0
"""wc_bad_list against a set: every answer, two cycles later; places that come again, are taken off,
find no room, and a list that is cleared."""

import random
from collections import Counter

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from wirecache.testbench.bench import Bench, rounds, run


@cocotb.test()
async def random_traffic(dut):
    inputs = dict.fromkeys(("clear_i", "ask_i", "put_i", "take_i", "place_i"), 0)
    bench = await Bench.start(dut, inputs)
    await bench.reset()
    entries = int(dut.Entries.value)
    places = [random.getrandbits(len(dut.place_i)) for _ in range(entries + 4)]
    inside: set[int] = set()
    was_inside: set[int] = set()  # in the cycle before
    every = False  # there was no room
    changes: list[tuple[str, int]] = [("", 0)] * 3  # on their way, the youngest last
    asked: list[tuple[bool, bool]] = []  # was in the list, as it was asked
    questions = [places[0]] * 3
    seen: Counter[str] = Counter()
    for cycle in rounds(6000, lambda: seen["hits"] > 100 and seen["overflows"] > 1):
        busy = "put" in (kind for kind, _ in changes[-3:])
        often = 0.05 if cycle // 500 % 2 else 0.001  # a list that is cleared often is never full
        clear = random.random() < often and all(kind == "" for kind, _ in changes[-3:])
        kind, place = "", random.choice(places[: random.choice([2, entries, len(places)])])
        if not busy and not clear and random.random() < 0.3:
            kind = random.choice(["put", "put", "take"])
        questions.append(random.choice(places))
        dut.clear_i.value, dut.ask_i.value, dut.place_i.value = int(clear), questions[-1], place
        dut.put_i.value, dut.take_i.value = int(kind == "put"), int(kind == "take")
        changes.append((kind, place))
        await RisingEdge(bench.clock)
        assert int(dut.busy_o.value) == busy
        asked.append((questions[-1] in inside, every))
        if len(asked) > 2 and not clear:
            was, _ = asked[-3]
            still, all_then = questions[-3] in was_inside, asked[-2][1]
            hit = int(dut.hit_o.value)
            assert hit == (all_then or (was and still)), f"cycle {cycle}"
            seen["hits"] += hit and not all_then
        was_inside = set(inside)
        old_kind, old_place = changes[-3]
        if old_kind == "take":
            inside.discard(old_place)
        elif old_kind == "put" and old_place not in inside:
            if len(inside) == entries:
                seen["overflows"] += not every
                every = True
            else:
                inside.add(old_place)
        if clear:
            inside.clear()
            asked.clear()
            every = False


@pytest.mark.parametrize("entries,width", [(2, 5), (8, 34)])
def test_wc_bad_list(entries, width):
    run("wc_bad_list", __file__, {"Entries": entries, "Width": width})
