# SPDX-License-Identifier: Apache-2.0
"""What every cocotb bench shares: build and run under pytest, clock and reset, stream ends.

A bench is one file `hw/<block>/test/test_<module>.py`:

    @cocotb.test()
    async def words_come_out_in_order(dut):
        bench = await Bench.start(dut)
        source, sink = bench.source("in", "beat_t"), bench.sink("out", "beat_t")
        ...

    @pytest.mark.parametrize("depth", [2, 16])
    def test_wc_thing(depth):
        run("wc_thing", __file__, parameters={"Depth": depth})

Streams follow the naming rule of docs/architecture.md: `<name>_valid_i`, `<name>_ready_o`,
`<name>_i` for an input, `<name>_valid_o`, `<name>_ready_i`, `<name>_o` for an output.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from cocotb.triggers import Event, RisingEdge
from cocotb.utils import get_sim_time

from wirecache import BUILD, ROOT
from wirecache.board.compiler import Compiler, compiler
from wirecache.circuit import structs
from wirecache.making import as_standard_input, locked
from wirecache.testbench import cycle
from wirecache.testbench.cycle import Driven, every_cycle, reader, writer

PORTS = Path(__file__).with_name("signals.cpp")
CLOCK_PS = 6400  # 156.25 MHz
FULL = "WIRECACHE_FULL"  # in the environment: `wirecache test --full`

T = TypeVar("T")


def run(
    module: str,
    bench_file: str,
    parameters: Mapping[str, object] | None = None,
    extra_sources: Sequence[Path] = (),
    core: str | None = None,
    tests: Sequence[str] = (),
    seed: int | None = None,
    defines: Mapping[str, object] | None = None,
    inside: bool = False,
) -> None:
    """Builds `module` with Verilator (assertions on) and runs the cocotb tests of `bench_file`.

    extra_sources: wrappers beside the bench, when `module` is one of them name its `core`.
    tests: names of the cocotb tests to run, all by default. seed: WIRECACHE_SEED or random if None.
    inside: the bench looks at signals within `module`, not at its ports alone; the model is larger
    and slower.
    Fails the pytest test when a cocotb test fails or when there was none.
    """
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    from wirecache import setup
    from wirecache.circuit import rtl  # slow to import, and not needed in the simulation

    setup.verilator_on_path()
    parameters = dict(parameters or {})
    files = rtl.files(core or rtl.core_of(module))
    defines = dict(defines or {})
    key = repr((sorted(parameters.items()), sorted(defines.items()), inside))
    name = f"{module}_{hashlib.sha256(key.encode()).hexdigest()[:8]}"
    build_dir = BUILD / "bench" / name
    runner = get_runner("verilator")
    with locked(build_dir) as place:  # pytest workers may want the same model
        made = [part for part in build_dir.iterdir() if part.name != "lock"]
        with place.making(key, made), as_standard_input(place.lock), _make(compiler()):
            runner.build(
                sources=[*files.sources, *extra_sources],
                includes=list(files.include_dirs),
                hdl_toplevel=module,
                parameters=parameters,
                defines=defines,
                build_dir=build_dir,
                build_args=[
                    *("--assert", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-O3", "-CFLAGS", "-O1"),
                    # One file: a split model would want a precompiled header. But many functions:
                    # of a large one clang takes several times as long.
                    *("--output-split", "0", "--output-split-cfuncs", "300"),
                    # cocotb makes all signals public.
                    *(() if inside else ("--no-public-flat-rw", "--public-depth", "1")),
                    *(str(PORTS), "-LDFLAGS", "-Wl,--export-dynamic-symbol=wirecache_port"),
                ],
                log_file=build_dir / "build.log",
                timescale=("1ns", "1ps"),
            )
    if seed is None:
        seed = int(os.environ.get("WIRECACHE_SEED", random.randrange(1 << 31)))
    print(f"{name}: WIRECACHE_SEED={seed}")
    bench_path = Path(bench_file)
    for folder in (ROOT / "py", bench_path.parent):  # the runner hands sys.path to the simulation
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    results = runner.test(
        hdl_toplevel=module,
        test_module=bench_path.stem,
        test_dir=build_dir,
        build_dir=build_dir,
        seed=seed,
        test_filter="|".join(f"{t}$" for t in tests) or None,
        extra_env={
            "COCOTB_LOG_LEVEL": os.environ.get("COCOTB_LOG_LEVEL", "INFO"),
            # Verilator writes an input behind the edge by itself: cocotb need not wait for a later
            # phase to do it, which is a fifth of a bench's time.
            "COCOTB_TRUST_INERTIAL_WRITES": "1",
            # Of all that a bench imports, by default: three seconds for each simulation.
            "COCOTB_REWRITE_ASSERTION_FILES": "test_*.py *_bench.py",
        },
        results_xml=str(build_dir / f"results_{os.getpid()}.xml"),
    )
    ran, failed = get_results(results)
    assert ran > 0, f"{bench_path.name} ran no cocotb test"
    assert failed == 0, f"{failed} of {ran} cocotb tests failed (WIRECACHE_SEED={seed})"


@contextmanager
def _make(cxx: Compiler) -> Iterator[None]:
    """Has cocotb's make compile with it: of a large model clang takes two fifths of gcc's time.

    All of the model at once: Verilator takes one of many functions for one of many files."""
    before = os.environ.get("MAKEFLAGS", "")
    variables = f"CXX={cxx.program} LINK={cxx.program} VM_PARALLEL_BUILDS=0"
    os.environ["MAKEFLAGS"] = f"{before} -- {variables}"
    try:
        yield
    finally:
        os.environ["MAKEFLAGS"] = before


def full(*values: object) -> Any:
    """A parameter set of a pytest test that only `wirecache test --full` runs: of sets that differ
    little the usual run has those that differ most."""
    import pytest

    return pytest.param(*values, marks=pytest.mark.full)


def some(cases: Sequence[T], one_in: int) -> list[T]:
    """One in so many of a list of cases, drawn by the seed and in their order: each run has other
    ones. All of them with `wirecache test --full`."""
    if os.environ.get(FULL):
        return list(cases)
    return [cases[at] for at in sorted(random.sample(range(len(cases)), -(-len(cases) // one_in)))]


def rounds(count: int, enough: Callable[[], bool]) -> Iterator[int]:
    """The rounds of a random test: `count`, and more until `enough` says that all that the test is
    about has come up. So no seed fails for having drawn too little, and none tests less.
    Fails after ten times as many."""
    for number in range(10 * count):
        if number >= count and enough():
            return
        yield number
    assert enough(), f"{10 * count} rounds, and not enough of what this test is about"


class Pace:
    """How often a stream end is willing: probability of a handshake offer in a cycle, in bursts."""

    def __init__(self, willing: float = 1.0, burst: int = 4) -> None:
        self.willing, self.burst = willing, burst
        self._left, self._state = 0, True

    def __call__(self) -> bool:
        if self.willing >= 1.0:
            return True
        if self._left == 0:
            self._state = random.random() < self.willing
            self._left = random.randint(1, self.burst)
        self._left -= 1
        return self._state


def _encode(struct: str | None, item: Any) -> int:
    if struct is not None and isinstance(item, dict):
        return structs.pack(struct, **item)
    return int(item)


class Source:
    """Drives an input stream. Items are dictionaries of the struct's fields, or plain integers."""

    def __init__(self, dut: Any, clock: Any, name: str, struct: str | None, pace: Pace) -> None:
        self.pace = pace
        self._struct = struct
        self._clock = clock
        self._queue: deque[int] = deque()
        self._valid = Driven(getattr(dut, f"{name}_valid_i"))
        self._ready = reader(getattr(dut, f"{name}_ready_o"))
        self._write = writer(getattr(dut, f"{name}_i"))
        self._busy = False
        self.sent = 0
        every_cycle(clock, self._drive)

    def send(self, *items: Any) -> None:
        self._queue.extend(_encode(self._struct, item) for item in items)

    @property
    def idle(self) -> bool:
        return not self._queue and not self._busy

    async def wait(self) -> None:
        """Returns when everything sent was taken."""
        while not self.idle:
            await RisingEdge(self._clock)

    def _drive(self) -> None:
        if self._busy and self._ready():
            self._busy = False
            self.sent += 1
        if not self._busy and self._queue and self.pace():
            self._write(self._queue.popleft())
            self._busy = True
        if self._busy != self._valid.value:
            self._valid.set(int(self._busy))


class Sink:
    """Takes an output stream; `items` holds what came, decoded when a struct is named."""

    def __init__(self, dut: Any, clock: Any, name: str, struct: str | None, pace: Pace) -> None:
        self.pace = pace
        self.items: deque[Any] = deque()
        self.cycles: deque[int] = deque()  # when each item was taken, in clock cycles
        self._struct = struct
        self._clock = clock
        self._wanted: Event | None = None  # somebody waits for an item
        self._valid = reader(getattr(dut, f"{name}_valid_o"))
        self._ready = Driven(getattr(dut, f"{name}_ready_i"))
        self._data = reader(getattr(dut, f"{name}_o"))
        every_cycle(clock, self._drain)

    async def get(self) -> Any:
        """The next item, waiting for it."""
        while not self.items:
            self._wanted = self._wanted or Event()
            await self._wanted.wait()
        return self.items.popleft()

    async def wait(self, count: int) -> list[Any]:
        """The next `count` items, waiting for them."""
        return [await self.get() for _ in range(count)]

    def _drain(self) -> None:
        if self._ready.value and self._valid():
            bits = self._data()
            self.items.append(structs.unpack(self._struct, bits) if self._struct else bits)
            self.cycles.append(round(get_sim_time("ps") / CLOCK_PS))
            if self._wanted is not None:
                cycle.set_at(self._clock, 1, self._wanted)
                self._wanted = None
        willing = 1 if self.pace.willing >= 1.0 else int(self.pace())
        if willing != self._ready.value:
            self._ready.set(willing)


class Bench:
    """Clock, reset and stream ends of a device under test with clk_i and rst_i."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.clock = dut.clk_i

    @classmethod
    async def start(cls, dut: Any, inputs: Mapping[str, int] | None = None) -> Bench:
        """Starts the clock with plain inputs at the given values; call `reset` after the stream
        ends are made."""
        import cocotb
        from cocotb.clock import Clock

        bench = cls(dut)
        for name, value in (inputs or {}).items():
            getattr(dut, name).value = value
        dut.rst_i.value = 1
        cocotb.start_soon(Clock(dut.clk_i, CLOCK_PS, unit="ps").start())  # type: ignore[arg-type]
        return bench

    async def reset(self, cycles: int = 4) -> None:
        self.dut.rst_i.value = 1
        await self.wait(cycles)
        self.dut.rst_i.value = 0
        await self.wait(1)

    async def wait(self, cycles: int) -> None:
        await cycle.cycles(self.clock, cycles)

    def source(self, name: str, struct: str | None = None, willing: float = 1.0) -> Source:
        return Source(self.dut, self.clock, name, struct, Pace(willing))

    def sink(self, name: str, struct: str | None = None, willing: float = 1.0) -> Sink:
        return Sink(self.dut, self.clock, name, struct, Pace(willing))

    def cycle(self) -> int:
        return round(get_sim_time("ps") / CLOCK_PS)


def words(data: bytes) -> list[int]:
    """64-bit words of a byte string as streams carry it: byte i in bits [8i+7:8i], zero padded."""
    return [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]


def beats(data: bytes) -> list[dict[str, int]]:
    """`beat_t` items of a key or a value."""
    parts = words(data)
    return [{"data": w, "last": int(i == len(parts) - 1)} for i, w in enumerate(parts)]


def unbeats(items: Iterable[Mapping[str, int]], length: int) -> bytes:
    """The bytes of `beat_t` items, cut to `length`; the padding must be zero."""
    data = b"".join(item["data"].to_bytes(8, "little") for item in items)
    assert not any(data[length:]), "unused bytes of the last word are not zero"
    return data[:length]
