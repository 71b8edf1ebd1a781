# SPDX-License-Identifier: Apache-2.0
"""wc_axi_fit and what it is made of: lines through memory of every width and back.

Reads and writes of random runs, at the same time and over the same lines: a read may see what a
line held at any time between its address and its data, nothing else. No byte beside those written
changes, and the narrower side has a beat in every cycle. A line is in error when one of the beats
that hold some of it is, a burst when one of those that it became is, and nothing else.
"""

import random
import subprocess
from collections import deque
from dataclasses import dataclass, field

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from wirecache import setup
from wirecache.circuit import rtl
from wirecache.testbench.axi_memory import AxiMemory
from wirecache.testbench.axi_port import SLVERR, AxiPort
from wirecache.testbench.bench import Bench, Pace, full, run

PAGE = 4096
PERIOD = 3 * PAGE  # pages and bursts of 384 bytes begin together
NEVER = 1 << 60
PACES = [(1.0, 1.0, 1.0), (1.0, 0.4, 1.0), (1.0, 1.0, 0.4), (0.6, 0.6, 0.6)]


@dataclass
class Version:
    """What a line held, and when it may have."""

    value: int
    begin: int = 0
    end: int = NEVER


@dataclass
class Run:
    """A burst of lines: the number of the first, how many, and of a write what goes there."""

    line: int
    count: int
    data: list[tuple[int, int]] = field(default_factory=list)  # (value, strobe)
    at: int = 0  # when its address was offered
    fails: bool = False  # part of it is not written


class Fit:
    """The device between a master that it is and a memory; `lines` in one region of `base`."""

    def __init__(self, dut, bench: Bench, willing: tuple[float, float, float], lines: int) -> None:
        self.dut, self.bench = dut, bench
        self.port = AxiPort(dut, "s_axi")
        self.line_bytes = self.port.data_bytes
        asks, bus, takes = willing
        self.memory = AxiMemory(dut, (8, 30), (5, 40), bus)
        self.beat_bytes = self.memory.beat_bytes
        self.paces = {"aw": Pace(asks), "w": Pace(asks), "ar": Pace(asks)}
        self.paces |= {"r": Pace(takes), "b": Pace(takes)}
        most = (1 << self.port.address_bits) - lines * self.line_bytes
        self.base = random.choice([0, random.randrange(most), most]) // PERIOD * PERIOD
        content = random.randbytes(lines * self.line_bytes)
        self.versions: list[list[Version]] = []
        for at in range(0, len(content), self.line_bytes):
            value = int.from_bytes(content[at : at + self.line_bytes], "little")
            self.versions.append([Version(value)])
        for at in range(0, len(content), self.beat_bytes):
            beat = int.from_bytes(content[at : at + self.beat_bytes], "little")
            self.memory.lines[(self.base + at) // self.beat_bytes] = beat
        self.busy: set[int] = set()  # lines with a write in flight
        self.to_read: deque[Run] = deque()
        self.to_write: deque[Run] = deque()
        self.bad_beats: set[int] = set()  # of memory, which cannot be read
        self.bad_bursts: set[int] = set()  # by the number of their first beat: not written
        self.memory.fails_read = lambda address: address // self.beat_bytes in self.bad_beats
        self.memory.fails_write = lambda address, _: address // self.beat_bytes in self.bad_bursts
        self.errors = 0  # lines read and runs written that met one
        self.cycle = 0
        self.read_beats: list[int] = []  # cycles in which the memory's beats, the lines passed
        self.read_lines: list[int] = []
        self.write_beats: list[int] = []
        self.write_lines: list[int] = []
        cocotb.start_soon(self._run())

    def _get(self, name: str, side: str = "s") -> int:
        return (self.port if side == "s" else self.memory.port).get(name)

    def _passed(self, channel: str, side: str = "s") -> bool:
        return bool(self._get(f"{channel}valid", side) and self._get(f"{channel}ready", side))

    def _offer(self, channel: str, run: Run) -> None:
        address = self.base + run.line * self.line_bytes
        self.port.set(**{f"{channel}addr": address, f"{channel}len": run.count - 1})
        run.at = self.cycle

    def _begin_write(self, run: Run) -> None:
        self.busy.update(range(run.line, run.line + run.count))
        run.fails = False
        for line, (value, strobe) in enumerate(run.data, run.line):
            burst = self.base + (line if self.beat_bytes == 48 else run.line) * self.line_bytes
            burst -= burst % (8 * self.beat_bytes if self.beat_bytes == 48 else self.beat_bytes)
            if burst // self.beat_bytes in self.bad_bursts:
                run.fails = True
                value = strobe = 0
            mask = sum(0xFF << 8 * b for b in range(self.line_bytes) if strobe >> b & 1)
            old = self.versions[line][-1].value
            self.versions[line].append(Version(old & ~mask | value & mask, self.cycle))

    def _end_write(self, run: Run) -> None:
        for line in range(run.line, run.line + run.count):
            self.busy.remove(line)
            self.versions[line][-2].end = self.cycle

    def _check(self, run: Run, lines: list[tuple[int, int]]) -> None:
        for line, (value, resp) in enumerate(lines, run.line):
            first, end = (self.base + (line + i) * self.line_bytes for i in (0, 1))
            beats = range(first // self.beat_bytes, (end - 1) // self.beat_bytes + 1)
            error = not self.bad_beats.isdisjoint(beats)
            assert resp == (SLVERR if error else 0), f"line {line}: its resp"
            self.errors += error
            if error:
                continue
            good = [v for v in self.versions[line] if v.end >= run.at and v.begin <= self.cycle]
            assert value in [v.value for v in good], f"line {line} of the region"

    async def _run(self) -> None:
        reading: deque[Run] = deque()
        writing: deque[Run] = deque()
        beats: deque[tuple[int, int, int]] = deque()
        got: list[tuple[int, int]] = []  # data and resp
        busy = dict.fromkeys(("aw", "w", "ar"), False)
        while True:
            await RisingEdge(self.bench.clock)
            self.cycle += 1
            for channel, side, seen in (
                ("r", "m", self.read_beats),
                ("r", "s", self.read_lines),
                ("w", "m", self.write_beats),
                ("w", "s", self.write_lines),
            ):
                if self._passed(channel, side):
                    seen.append(self.cycle)
            if self._passed("r"):
                got.append((self._get("rdata"), self._get("rresp")))
                assert self._get("rlast") == (len(got) == reading[0].count), "rlast"
                if len(got) == reading[0].count:
                    self._check(reading.popleft(), got)
                    got = []
            if self._passed("b"):
                fails = writing[0].fails
                assert self._get("bresp") == (SLVERR if fails else 0), "bresp"
                self.errors += fails
                self._end_write(writing.popleft())
            for channel in busy:
                busy[channel] &= not self._get(f"{channel}ready")
            if not busy["ar"] and self.to_read and self.paces["ar"]():
                reading.append(self.to_read.popleft())
                self._offer("ar", reading[-1])
                busy["ar"] = True
            if not busy["aw"] and self.to_write and self.paces["aw"]():
                wanted = self.to_write[0]
                if not self.busy.intersection(range(wanted.line, wanted.line + wanted.count)):
                    writing.append(self.to_write.popleft())
                    self._offer("aw", writing[-1])
                    self._begin_write(writing[-1])
                    last = writing[-1].count - 1
                    beats.extend((*d, int(i == last)) for i, d in enumerate(writing[-1].data))
                    busy["aw"] = True
            if not busy["w"] and beats and self.paces["w"]():
                names = ("wdata", "wstrb", "wlast")
                self.port.set(**dict(zip(names, beats.popleft(), strict=True)))
                busy["w"] = True
            self.port.set(
                **{f"{channel}valid": int(on) for channel, on in busy.items()},
                **{f"{channel}ready": int(self.paces[channel]()) for channel in ("r", "b")},
            )
            self.idle = not (reading or writing or beats or self.to_read or self.to_write)

    async def settle(self) -> None:
        """Waits until all is done, and compares memory as it is then."""
        self.idle = False
        begun = self.cycle
        while not self.idle:
            await RisingEdge(self.bench.clock)
            assert self.cycle < begun + 60_000, "it hangs"
        await self.bench.wait(20)
        for line, versions in enumerate(self.versions):
            there = self.memory.dump(self.base + line * self.line_bytes, self.line_bytes)
            assert int.from_bytes(there, "little") == versions[-1].value, f"line {line} at the end"


def some_runs(lines: int, in_page: int, count: int, longest: int) -> list[Run]:
    """Runs within pages, some that begin or end with theirs."""
    out = []
    for _ in range(count):
        line = random.randrange(lines)
        line = random.choice([line, line // in_page * in_page])
        left = in_page - line % in_page
        size = random.choice([1, 2, random.randint(1, longest), random.randint(1, left), left])
        out.append(Run(line, min(size, left, lines - line)))
    return out


async def begin(dut, willing, pages: int = 3) -> tuple[Fit, int]:
    """The bench around the device, and lines of a page."""
    in_page = PAGE // (int(dut.LineWidth.value) // 8)
    bench = await Bench.start(dut)
    fit = Fit(dut, bench, willing, pages * in_page)
    await bench.reset()
    return fit, in_page


@cocotb.test()
@cocotb.parametrize(willing=PACES, errors=[False, True])
async def random_runs(dut, willing, errors):
    fit, in_page = await begin(dut, willing)
    if errors:
        first = fit.base // fit.beat_bytes
        beats = len(fit.versions) * fit.line_bytes // fit.beat_bytes
        fit.bad_beats.update(i for i in range(first, first + beats) if random.random() < 0.1)
        fit.bad_bursts.update(i for i in range(first, first + beats) if random.random() < 0.2)
    bits = 8 * fit.line_bytes
    fit.to_read.extend(some_runs(len(fit.versions), in_page, 80, 12))
    for run_ in some_runs(len(fit.versions), in_page, 60, 12):
        for _ in range(run_.count):
            one, some = 1 << random.randrange(bits // 64), random.getrandbits(bits // 64)
            stripes = random.choice([one, some])
            strobe = sum(0xFF << 8 * i for i in range(bits // 64) if stripes >> i & 1)
            strobe = random.choice([strobe, strobe, (1 << fit.line_bytes) - 1, 0])
            run_.data.append((random.getrandbits(bits), strobe))
        fit.to_write.append(run_)
    await fit.settle()
    assert (fit.errors > 0) == errors


def assert_no_gap(cycles: list[int], what: str) -> None:
    assert cycles[-1] - cycles[0] == len(cycles) - 1, f"{what}: a gap"


@cocotb.test()
@cocotb.parametrize(start=[0, 1, 5], count=[1, 4, 35])
async def rate(dut, start, count):
    """The same run in every page: the narrower side has something in every cycle."""
    pages = 16
    fit, in_page = await begin(dut, (1.0, 1.0, 1.0), pages)
    fit.memory.read = fit.memory.write = (20, 20)
    runs = [Run(page * in_page + start, min(count, in_page - start)) for page in range(pages)]
    fit.to_read.extend(runs)
    await fit.settle()
    lines = pages * runs[0].count
    beats = fit.read_beats
    wide = fit.line_bytes < fit.beat_bytes
    assert_no_gap(fit.read_lines if wide else beats, "read")
    assert len(fit.read_lines) == lines
    if fit.beat_bytes == 48:  # whole bursts; four pages begin at other places of one
        bursts = sum((run.line % 6 + run.count - 1) // 6 + 1 for run in runs)
        assert len(beats) == 8 * bursts
    elif not wide:
        assert len(beats) == lines * fit.line_bytes // fit.beat_bytes
    else:
        assert len(beats) == pages * ((start + runs[0].count - 1) // 2 - start // 2 + 1)
    ones = (1 << fit.line_bytes) - 1
    for run_ in runs:
        run_.data = [(random.getrandbits(8 * fit.line_bytes), ones) for _ in range(run_.count)]
    fit.to_write.extend(runs)
    await fit.settle()
    assert_no_gap(fit.write_lines if wide else fit.write_beats, "write")
    assert len(fit.write_lines) == lines and len(fit.write_beats) == len(beats)


@cocotb.test()
async def first_burst(dut):
    """How long an address and a line take, idle."""
    fit, _ = await begin(dut, (1.0, 1.0, 1.0))
    for _ in range(3):
        await RisingEdge(fit.bench.clock)
    fit.memory.read = (20, 20)
    fit.to_read.append(Run(0, 1))
    asked = passed = 0
    while not (asked and passed):
        await RisingEdge(fit.bench.clock)
        if not asked and fit.port.get("arvalid"):
            asked = fit.cycle
        if not passed and fit.memory.port.get("arvalid"):
            passed = fit.cycle
    assert passed - asked == (3 if fit.beat_bytes == 48 else 0)
    await fit.settle()
    beats = max(1, -(-fit.line_bytes // fit.beat_bytes))  # that the line needs
    wires = fit.line_bytes == fit.beat_bytes
    halves = fit.line_bytes == 2 * fit.beat_bytes
    takes = 0 if wires else 2 if halves else 1
    assert fit.read_lines[0] - fit.read_beats[beats - 1] == takes


@pytest.mark.parametrize(
    "line,mem",
    [
        *((256, 512), (512, 128), (512, 384), (1024, 512)),
        *(full(256, 128), full(256, 256), full(512, 256), full(512, 512)),
        *(full(1024, 128), full(1024, 256)),
    ],
)
def test_wc_axi_fit(line, mem):
    run("wc_axi_fit", __file__, {"LineWidth": line, "MemWidth": mem}, core="lib")


@pytest.mark.parametrize(
    "line,mem,legal",
    [
        (512, 96, "128, 256, 384 or 512"),
        (128, 256, "128 as MemWidth"),
        (64, 128, "256, 512 or 1024"),
        (1024, 384, "with MemWidth 384 LineWidth must be 512"),
    ],
)
def test_illegal_widths(line, mem, legal):
    setup.verilator_on_path()
    files = rtl.files("lib")
    done = subprocess.run(
        ["verilator", "--lint-only", "-Wno-lint", "-Wno-style", "--top-module", "wc_axi_fit"]
        + [f"-I{folder}" for folder in files.include_dirs]
        + [f"-GLineWidth={line}", f"-GMemWidth={mem}", *map(str, files.sources)],
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0 and legal in done.stderr, done.stderr
