# SPDX-License-Identifier: Apache-2.0
"""What the index does, one operation after the other: the table slot by slot, as it stands in
memory, the CAS counter, the flush, the queues of free and deleted blocks."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from typing import Any

from wirecache.circuit.structs import enum, pack, unpack

OP, STATUS = enum("op_e"), enum("status_e")
STORES = (OP.OpSet, OP.OpAdd, OP.OpReplace)
READS, TOUCHES = (OP.OpGet, OP.OpGat), (OP.OpTouch, OP.OpGat)
WRITES = (*STORES, OP.OpDelete, OP.OpRefuse, *TOUCHES)
EVENTS_OF = {kind: ["set"] for kind in STORES} | {
    OP.OpGet: ["get"],
    OP.OpDelete: ["del"],
    OP.OpRefuse: ["error"],
    OP.OpTouch: ["touch"],
    OP.OpGat: ["get", "touch"],
    OP.OpFlush: ["flush"],
}
HEADER_LINES = 3
PAST = 1  # an expiry: the item is dead, its block still its own
NO_CLASS = 3


@dataclass
class Slot:
    """One slot in use."""

    key: bytes
    value_len: int
    flags: int
    expiry: int
    cas: int
    pointer: int


def class_of(pointer: int) -> int:
    return int(unpack("pointer_t", pointer)["size_class"])


class IndexModel:
    """`run` gives the result of an operation; what it knows is compared with the device's."""

    def __init__(
        self, slots: int, max_key: int, bucket_bits: int, class_lines: tuple[int, int, int]
    ) -> None:
        self.slots, self.bucket_bits, self.class_lines = slots, bucket_bits, class_lines
        self.key_lines = (max_key + 7) // 8
        self.bucket_lines = self.key_lines + HEADER_LINES
        self.table: list[list[Slot | None]] = []
        self.clear()
        self.time = 1000
        self.next_cas, self.floor = 1, 0
        self.flush_at: int | None = None
        self.free: list[deque[int]] = [deque() for _ in class_lines]
        self.deleted: list[int] = []
        self.events: Counter[str] = Counter()

    def clear(self) -> None:
        self.table = [[None] * self.slots for _ in range(1 << self.bucket_bits)]

    def pointers(self) -> list[int]:
        """All blocks in the table."""
        return [slot.pointer for bucket in self.table for slot in bucket if slot]

    def live(self, slot: Slot | None) -> bool:
        if slot is None or slot.cas < self.floor:
            return False
        return slot.expiry == 0 or slot.expiry > self.time

    def run(
        self,
        op: dict[str, Any],
        key: bytes,
        hash_: int,
        blind: bool = False,
        blocked: bool = False,
        failed: bool = False,
    ) -> dict[str, Any]:
        """Result of the operation. `blind`: SETs meet no free block. `blocked`: nobody takes blocks
        back, so a write gives none. `failed`: the bucket cannot be read."""
        if self.flush_at is not None and self.flush_at <= self.time:
            self.floor, self.flush_at = self.next_cas, None
        kind = op["op"]["op"]
        out: dict[str, Any] = {"op": dict(op["op"])}
        if kind == OP.OpNone:
            self.events["other" if op["op"]["status"] == STATUS.StOk else "error"] += 1
            return out
        self.events.update(EVENTS_OF[kind])
        if kind == OP.OpFlush:
            if op["expiry"] <= self.time:
                self.floor, self.flush_at = self.next_cas, None
                self.next_cas += 1
            else:
                self.flush_at = op["expiry"]
            out["op"]["status"] = STATUS.StOk
            return out
        if failed:
            self.events["failed"] += 1
            status = STATUS.StNotFound if kind in READS else STATUS.StMemory
            out["op"]["status"] = status
            return out
        bucket = self.table[hash_ & ((1 << self.bucket_bits) - 1)]
        at = next((i for i, s in enumerate(bucket) if s and s.key == key), None)
        slot = None if at is None else bucket[at]
        hit = self.live(slot)
        status = STATUS.StOk
        if hit and kind in (*READS, *TOUCHES):
            assert slot is not None
            out |= {"value_len": slot.value_len, "flags": slot.flags, "cas": slot.cas}
            out["pointer"] = slot.pointer
            self.events["get_hit"] += kind in READS
            self.events["touch_hit"] += kind in TOUCHES
        if kind == OP.OpGet:
            out["op"]["status"] = STATUS.StOk if hit else STATUS.StNotFound
            return out
        if blocked:
            self.events["blocked"] += 1
        dead = {i for i, s in enumerate(bucket) if s and not self.live(s) and not blocked}
        gone = {i: bucket[i].pointer for i in dead}  # type: ignore[union-attr]
        compares = op["cas"] if kind in (OP.OpSet, OP.OpDelete) else 0
        if kind == OP.OpSet and compares:
            outcome = (
                "miss" if slot is None or not hit else "hit" if slot.cas == compares else "badval"
            )
            self.events["cas_" + outcome] += 1
        if not hit and (kind in (OP.OpDelete, OP.OpReplace, *TOUCHES) or compares):
            status = STATUS.StNotFound
        elif slot is not None and (
            (hit and kind == OP.OpAdd) or (compares and slot.cas != compares)
        ):
            status = STATUS.StExists
        elif kind in TOUCHES:
            assert slot is not None
            slot.expiry = op["expiry"]
        elif kind == OP.OpRefuse and not hit:
            status = STATUS.StTooLarge
        elif kind in (OP.OpDelete, OP.OpRefuse):
            assert at is not None and slot is not None
            self.events["del_hit"] += kind == OP.OpDelete
            if kind == OP.OpRefuse:
                status = STATUS.StTooLarge
            if blocked:
                slot.expiry = PAST
            else:
                gone[at] = slot.pointer
        else:
            if at is None:
                vacant = [i for i, s in enumerate(bucket) if not (s if blocked else self.live(s))]
                at = vacant[0] if vacant else None
            if at is None:
                self.events["set_full"] += 1
                status = STATUS.StNoMemory
            else:
                blind |= blocked and slot is not None
                status, item = self._place(bucket, at, slot, op, key, gone, blind)
                if blocked:
                    gone.clear()
                    if hit and status != STATUS.StOk:
                        assert slot is not None
                        slot.expiry = PAST
        for i in {*dead, *gone}:
            bucket[i] = None
        if kind in STORES and status == STATUS.StOk:
            assert at is not None and item is not None
            bucket[at] = item
            out |= {"value_len": item.value_len, "cas": item.cas, "pointer": item.pointer}
        for i in sorted(gone):
            self.deleted.append(gone[i])
            self.events["reclaim"] += i in dead
        out["op"]["status"] = status
        return out

    def _place(
        self,
        bucket: list[Slot | None],
        at: int,
        match: Slot | None,
        op: dict[str, Any],
        key: bytes,
        gone: dict[int, int],
        blind: bool,
    ) -> tuple[Any, Slot | None]:
        """The item that a SET puts into slot `at`; `gone` becomes the blocks it gives back."""
        lines = -(-op["value_len"] // 64)
        need = next(
            (c for c, most in enumerate(self.class_lines) if most and lines <= most), NO_CLASS
        )
        if match is not None:
            gone[at] = match.pointer
        sources = [at] if match is not None else sorted(gone)
        source = next((i for i in sources if class_of(gone[i]) >= need), None)
        if source is not None:
            pointer = gone.pop(source)
        elif need != NO_CLASS and self.free[need] and not blind:
            pointer = self.free[need].popleft()
        else:
            self.events["set_no_block"] += 1
            return STATUS.StNoMemory, None
        self.next_cas += 1
        fields = op["value_len"], op["flags"], op["expiry"], self.next_cas - 1, pointer
        return STATUS.StOk, Slot(key, *fields)

    def stripes(self, bucket: int, slot: int) -> dict[int, int]:
        """Line within the bucket -> what this slot's stripe must be."""
        item = self.table[bucket][slot]
        if item is None:
            return {}
        words = -(-len(item.key) // 8)
        padded = item.key.ljust(8 * words, b"\0")
        lines = {
            self.key_lines - words + i: int.from_bytes(padded[8 * i : 8 * i + 8], "little")
            for i in range(words)
        }
        lines[self.key_lines] = 1 << 63 | len(item.key) << 53 | item.value_len << 32 | item.pointer
        lines[self.key_lines + 1] = item.flags << 32 | item.expiry
        lines[self.key_lines + 2] = item.cas
        return lines


def block(size_class: int, line: int) -> int:
    return pack("pointer_t", size_class=size_class, line=line)
