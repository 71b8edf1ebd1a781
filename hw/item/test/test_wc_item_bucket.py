# SPDX-License-Identifier: Apache-2.0
"""wc_item_bucket: bucket and tag of a hash under every number of buckets; order, rate, latency."""

from __future__ import annotations

import random
from pathlib import Path

import cocotb
import pytest
from wirecache.circuit import structs
from wirecache.model.item_table import LOW, TAG_BITS, name_of
from wirecache.testbench.bench import Bench, Sink, Source, run

HERE = Path(__file__).parent
FACTORS = range(8, 16)
SHIFTS = range(22)
BUCKET_BITS = structs.width("wc_item_pkg::bucket_t")
CORNERS = (0, 1, 1 << 31, LOW - 1, LOW)


class Ends:
    def __init__(self, bench: Bench, hashes: Source, buckets: Sink) -> None:
        self.bench, self.hashes, self.buckets = bench, hashes, buckets
        self.ways = int(bench.dut.Ways.value)

    @classmethod
    async def start(cls, dut) -> Ends:
        bench = await Bench.start(dut, {"settings_i": 0})
        ends = cls(bench, bench.source("hash"), bench.sink("bucket"))
        await bench.reset()
        return ends

    async def run(self, factor: int, shift: int, hashes: list[int]) -> None:
        """Sends the hashes and checks what comes of them with factor << shift buckets."""
        self.bench.dut.settings_i.value = structs.pack(
            "wc_item_pkg::item_settings_t",
            base_line=random.getrandbits(30),
            factor=factor,
            shift=shift,
        )
        await self.bench.wait(2)
        self.hashes.send(*hashes)
        for hashed, found in zip(hashes, await self.buckets.wait(len(hashes)), strict=True):
            bucket = (hashed & LOW) * (factor << shift) >> 32
            tag = hashed >> (64 - TAG_BITS)
            if self.ways > 1:
                bucket, tag = name_of(hashed, factor << shift, self.ways)
            wanted = (hashed << TAG_BITS | tag) << BUCKET_BITS | bucket
            assert found == wanted, f"{hashed:#x}, {factor} << {shift}"


@cocotb.test()
async def every_number_of_buckets(dut):
    ends = await Ends.start(dut)
    for factor in FACTORS:
        for shift in SHIFTS:
            near = [random.randrange(factor << shift) for _ in range(4)]  # where a bucket begins
            ends_of = [-(-(bucket << 32) // (factor << shift)) for bucket in near]
            lower = [*CORNERS, *ends_of, *(max(0, end - 1) for end in ends_of)]
            hashes = [random.getrandbits(32) << 32 | half for half in lower]
            ends.hashes.pace.willing = random.choice((0.4, 1.0))
            ends.buckets.pace.willing = random.choice((0.4, 1.0))
            await ends.run(factor, shift, hashes + [random.getrandbits(64) for _ in range(12)])


@cocotb.test()
@cocotb.parametrize(willing_in=[0.3, 0.7, 1.0], willing_out=[0.3, 0.7, 1.0])
async def irregular(dut, willing_in, willing_out):
    ends = await Ends.start(dut)
    ends.hashes.pace.willing, ends.buckets.pace.willing = willing_in, willing_out
    await ends.run(13, 17, [random.getrandbits(64) for _ in range(1000)])
    await ends.bench.wait(20)
    assert not ends.buckets.items, "made up"


@cocotb.test()
async def latency_and_rate(dut):
    ends = await Ends.start(dut)
    start = ends.bench.cycle() + 3  # run() waits for two, in the next the first is taken
    await ends.run(9, 20, [random.getrandbits(64) for _ in range(100)])
    assert [cycle - start for cycle in ends.buckets.cycles] == list(range(3, 103))


@pytest.mark.parametrize("ways", [1, 2, 4])
def test_wc_item_bucket(ways):
    run("wc_item_bucket_tb", __file__, {"Ways": ways}, [HERE / "wc_item_bucket_tb.sv"], core="item")
