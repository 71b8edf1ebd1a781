# SPDX-License-Identifier: Apache-2.0
"""What the tests of the item index's model share: keys, where an item stands, an audit."""

from __future__ import annotations

from wirecache.model.item import ItemIndex
from wirecache.model.item_table import SLOTS, Slot
from wirecache.model.log import LINE_BYTES, UNIT_BYTES, Log

MEMORY = 1 << 16
FOREVER = 0


def name(number: int) -> bytes:
    return b"%08d" % number


def audit(index: ItemIndex) -> int:
    """Holds slots and logs against each other; gives the number of items."""
    records = {log: {id(r) for s in log.segments for r in s.records} for log in logs(index)}
    pointed = set()
    for number, bucket in index.table.lines.items():
        assert len(bucket) == SLOTS
        tags = [slot.tag for slot in bucket if slot]
        assert len(tags) == len(set(tags)), "a tag stands in a bucket once"
        for slot in bucket:
            if slot is None or slot.record is None:
                continue
            assert slot.log is not None
            assert (index._hash(slot.record.item.key) % 2**32) * index.buckets >> 32 == number
            assert id(slot.record) in records[slot.log], "points into nothing"
            pointed.add(id(slot.record))
    used = [segment.number for log in logs(index) for segment in log.segments]
    assert sorted(used + list(index.pool._free)) == list(range(index.pool.count))
    for log in logs(index):
        over = 0  # bytes of the item that began in the segment before
        for segment in log.segments:
            at = segment.number * index.pool.size + over
            over = 0
            for record in segment.records:
                assert record.address >= at, "records lie one behind the other"
                at = record.address + record.length
                if record.length <= LINE_BYTES:
                    assert record.address % LINE_BYTES + record.length <= LINE_BYTES
                assert record.address % index.pool.size <= index.pool.size - 2 * UNIT_BYTES
                over = at - (segment.number + 1) * index.pool.size
            over = max(0, over)
            while over > index.pool.size:
                over -= index.pool.size  # a segment without a record
    return len(pointed)


def logs(index: ItemIndex) -> tuple[Log, Log]:
    return index.new, index.main


def slot_of(index: ItemIndex, key: bytes) -> Slot | None:
    bucket, tag = index._bucket(key)
    return bucket.find(tag)
