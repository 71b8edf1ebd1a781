# SPDX-License-Identifier: Apache-2.0
"""The table with several ways, with everything around it, and a model of its lines and of the items
that are on their way between them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cocotb.triggers import RisingEdge
from table_bench import EMPTY, SLOTS, TAG_BITS, Bucket, Mixture, Op, Slot, Table, least_used, store
from wirecache.circuit import structs
from wirecache.model.cuckoo import Shape, shape_of
from wirecache.testbench.cycle import value_of

STASH_AT = structs.constant("wc_item_pkg::FirstOfStash")

Name = tuple[int, int]  # bucket in bank 0, and the tag there


@dataclass
class Moving:
    """An item that is on its way."""

    name: Name
    slot: Slot
    to: int  # bank
    moves: int


class Lines(Bucket):
    """What an operation with this name sees: a line of each bank, and what is on its way."""

    def __init__(self, table: WaysTable, name: Name) -> None:
        self.table, self.name = table, name
        self.places: list[tuple[int, int]] = [(0, 0)] * table.ways  # by bank: place and tag
        place, tag = name
        for _ in range(table.ways):
            self.places[table.shape.bank(place)] = place, tag
            place, tag = table.shape.next(place, tag)
        self.lines = [table.buckets[place] for place, _ in self.places]
        super().__init__(slot for line in self.lines for slot in line)
        self.moving = table.moving
        self.extend(Slot() for _ in range(len(self), STASH_AT))
        self.extend(Slot() if m is None else m.slot for m in self.moving)

    def find(self, tag: int) -> int | None:
        for number, slot in enumerate(self.of_lines()):
            if slot.state != EMPTY and slot.tag == self.places[number // SLOTS][1]:
                return number
        for number, moving in enumerate(self.moving):
            if moving is not None and moving.name == self.name:
                return STASH_AT + number
        return None

    def of_lines(self) -> list[Slot]:
        return self[: len(self.lines) * SLOTS]

    def __setitem__(self, number: Any, slot: Any) -> None:
        """Empties a slot."""
        assert slot.state == EMPTY
        super().__setitem__(number, slot)
        if number < STASH_AT:
            self.lines[number // SLOTS][number % SLOTS] = slot
        else:
            self.moving[number - STASH_AT] = None

    def free(self) -> int | None:
        items = [sum(slot.item for slot in line) for line in self.lines]
        way = items.index(min(items))
        slot = self.lines[way].free()
        return None if slot is None else SLOTS * way + slot

    def victim(self) -> int:
        number = self.free()
        if number is None:
            room = [n for n, m in enumerate(self.moving) if m is None and n not in self.table.asked]
            if not room or not self.table.most_moves:
                return least_used(self.of_lines())
            way = self.table.turn_of_moves // SLOTS % self.table.ways
            number = self.put_out(way, room[-1], 1)
        return number

    def put_out(self, way: int, entry: int, moves: int) -> int:
        """Its slot is free for another one then."""
        slot = self.table.turn_of_moves % SLOTS
        self.table.turn_of_moves += 1
        old = self.lines[way][slot]
        place, tag = self.places[way][0], old.tag
        to, _ = self.table.shape.next(place, tag)
        while self.table.shape.bank(place):
            place, tag = self.table.shape.next(place, tag)
        old.tag = tag
        self.table.moving[entry] = Moving((place, tag), old, self.table.shape.bank(to), moves)
        self.table.asked.add(entry)
        self.table.seen["moves"] += 1
        number = SLOTS * way + slot
        super().__setitem__(number, Slot())
        self.lines[way][slot] = self[number]
        return number

    def put(self, number: int, slot: Slot) -> None:
        if number >= STASH_AT:
            moving = self.moving[number - STASH_AT]
            assert moving is not None
            slot.tag = moving.name[1]
            moving.slot = slot
            return
        way = number // SLOTS
        slot.tag = self.places[way][1]
        self.lines[way].put(number % SLOTS, slot)


@dataclass
class WaysTable(Table):
    ways: int = 2
    shift: int = 4
    most_moves: int = 64
    moving: list[Moving | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        dut = self.bench.dut
        self.ways, self.most_moves = int(dut.Ways.value), int(dut.Moves.value)
        self.moving = [None] * int(dut.Stash.value)
        self.asked: set[int] = set()  # entries of the stash whose mover is on its way
        self.turn_of_moves = self.put_out = 0
        self.shape: Shape = shape_of(4, self.ways)

    def _step(self) -> None:
        super()._step()
        dut = self.bench.dut
        if value_of(dut.rst_i):
            return
        self.put_out += value_of(dut.moved_o)
        if value_of(dut.mover_passed_o):
            looked = structs.unpack("wc_item_pkg::looked_t", value_of(dut.looked_o))
            self._move(looked["slot"], not looked["found"])

    def _move(self, entry: int, dropped: bool) -> None:
        assert entry in self.asked
        self.asked.discard(entry)
        moving = self.moving[entry]
        if moving is None:  # it is gone
            self.seen["pointless"] += 1
            return
        lines = Lines(self, moving.name)
        bad = [self.unreadable(place) for place, _ in lines.places]
        self.moving[entry] = None
        if True in bad or (None in bad and dropped):
            self.seen["dropped"] += 1
            return
        number = lines.free()
        if number is None and moving.moves >= self.most_moves:
            number = least_used(lines.of_lines())
            lines[number] = Slot()
            self.seen["tired"] += 1
        elif number is None:
            number = lines.put_out(moving.to, entry, moving.moves + 1)
        lines.put(number, moving.slot)
        self.seen["moved"] += 1

    def _sweep(self, op: Op, bucket: Bucket, want: Op) -> None:
        super()._sweep(op, bucket, want)
        for entry, moving in enumerate(self.moving):  # there are no ghosts
            if moving is not None and not moving.slot.item:
                self.moving[entry] = None
                self.seen["forgotten"] += 1

    def unreadable_for(self, op: Op) -> bool | None:
        places = Lines(self, (op["bucket"], op["tag"])).places
        bad = [self.unreadable(place) for place, _ in places]
        return True if True in bad else None if None in bad else False

    def slots_of(self, op: Op) -> Bucket:
        return Lines(self, (op["bucket"], op["tag"]))

    def addresses(self, bucket: int, tag: int) -> list[int]:
        lines = Lines(self, (bucket, tag))
        number = lines.find(tag)
        return [] if number is None or not lines[number].item else [lines[number].address]

    async def clear(self) -> None:
        """As wc_item_restart does it: when nothing is on its way."""
        while self.bench.dut.moving_o.value:
            await RisingEdge(self.bench.clock)
        await super().clear()
        self.turn_of_moves = self.put_out = 0

    async def drain(self) -> None:
        await super().drain()
        while any(self.moving):
            await RisingEdge(self.bench.clock)
        for _ in range(400):  # lines go back
            await RisingEdge(self.bench.clock)
        assert self.put_out % 32 == self.turn_of_moves % 32, "counted"

    @property
    def items(self) -> int:
        return sum(slot.item for line in self.buckets.values() for slot in line) + sum(
            moving is not None for moving in self.moving
        )


def named(bucket: int, tag: int, ways: int) -> Name:
    return bucket & -ways, tag & -ways | 1


class Names(Mixture):
    """Random operations of names: some buckets of bank 0, and some tags."""

    def __init__(
        self, table: WaysTable, buckets: Sequence[int], tags: int = 24, hot: float = 0.3
    ) -> None:
        names = sorted({named(bucket, 0, table.ways)[0] for bucket in buckets})
        random.shuffle(names)
        super().__init__(table, names, tags, hot)
        tags = tags * table.ways // 2  # as many names with more ways
        self.tags = [named(0, random.getrandbits(TAG_BITS), table.ways)[1] for _ in range(tags)]

    def store(self) -> Op:
        return store(random.choice(self.buckets), random.choice(self.tags))
