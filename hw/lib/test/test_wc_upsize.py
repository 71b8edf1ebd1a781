# SPDX-License-Identifier: Apache-2.0
"""wc_upsize and wc_downsize: any run of words through lines and back, with no cycle lost but for a
line of one word behind one of two or fewer."""

import itertools
import random
from pathlib import Path

import cocotb
import pytest
from wirecache.testbench.bench import Bench, full, run

HERE = Path(__file__).parent
PACES = [(1.0, 1.0), (0.4, 1.0), (1.0, 0.4), (0.6, 0.6)]


def shape(dut) -> tuple[int, int]:
    return int(dut.Width.value), int(dut.Ratio.value)


def lines_of(runs, ratio):
    """(words, last) of each line."""
    for words in runs:
        for at in range(0, len(words), ratio):
            yield words[at : at + ratio], at + ratio >= len(words)


def some_runs(width, ratio):
    return [
        [random.getrandbits(width) for _ in range(random.randint(1, 3 * ratio))] for _ in range(120)
    ]


@cocotb.test()
@cocotb.parametrize(paces=PACES)
async def up(dut, paces):
    width, ratio = shape(dut)
    bench = await Bench.start(dut)
    source = bench.source("in", None, paces[0])
    sink = bench.sink("out", None, paces[1])
    await bench.reset()
    runs = some_runs(width, ratio)
    for words in runs:
        source.send(*(w << 1 | int(i == len(words) - 1) for i, w in enumerate(words)))
    start = bench.cycle()
    for words, last in lines_of(runs, ratio):
        bits = await sink.get()
        assert bits & 1 == last
        assert bits >> 1 & (1 << ratio) - 1 == (1 << len(words)) - 1, "keep"
        data = bits >> 1 + ratio
        assert [data >> i * width & (1 << width) - 1 for i in range(len(words))] == words
    if paces == (1.0, 1.0):
        sizes = [len(words) for words, _ in lines_of(runs, ratio)]
        behind_short = sum(b == 1 and a <= 2 for a, b in itertools.pairwise(sizes))
        assert sink.cycles[-1] - start <= 2 + sum(sizes) + behind_short
    await bench.wait(20)
    assert not sink.items, "lines made up"


@cocotb.test()
@cocotb.parametrize(paces=PACES)
async def down(dut, paces):
    width, ratio = shape(dut)
    index_width = (ratio - 1).bit_length()
    bench = await Bench.start(dut)
    source = bench.source("in", None, paces[0])
    sink = bench.sink("out", None, paces[1])
    await bench.reset()
    lines = [words for words, _ in lines_of(some_runs(width, ratio), ratio)]
    for words in lines:
        junk = [random.getrandbits(width) for _ in range(ratio - len(words))]
        data = sum(w << i * width for i, w in enumerate(words + junk))
        source.send(data << index_width | len(words) - 1)
    start = bench.cycle()
    for words in lines:
        for i, word in enumerate(words):
            assert await sink.get() == word << 1 | int(i == len(words) - 1)
    if paces == (1.0, 1.0):
        assert sink.cycles[-1] - start == 1 + sum(map(len, lines))
    await bench.wait(20)
    assert not sink.items, "words made up"


@pytest.mark.parametrize("width,ratio", [full(8, 2), (5, 3), (64, 8)])
@pytest.mark.parametrize("cell", ["up", "down"])
def test_width_changers(cell, width, ratio):
    top = f"wc_{cell}size_tb"
    parameters = {"Width": width, "Ratio": ratio}
    run(top, __file__, parameters, [HERE / f"{top}.sv"], core="lib", tests=[f"{cell}/.*"])
