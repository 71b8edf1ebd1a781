# SPDX-License-Identifier: Apache-2.0
"""Builds that are cut short: killed, two at once, on a disk that is full."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from wirecache import ROOT
from wirecache.board import build as board
from wirecache.board import compiler
from wirecache.making import Place, cores, locked
from wirecache.setup import Failure, SystemPackage
from wirecache.testbench.bench import full

# A circuit of the smallest kind, built like the board: split, with precompiled headers.
CIRCUIT = """
module tiny (input wire clk_i, output logic [31:0] count_o);
  initial count_o = 40;
  always_ff @(posedge clk_i) count_o <= count_o + 1;
endmodule
"""
PROGRAM = """
#include <cstdio>
#include "Vwc_board.h"
int main() {
  Vwc_board circuit;
  for (int i = 0; i < 5; ++i) { circuit.clk_i = i % 2; circuit.eval(); }
  std::printf("%u", circuit.count_o);
}
"""
BUILD_IT = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import test_build
test_build.make(Path(sys.argv[1]))
"""


def make(folder: Path, key: str = "key") -> str:
    """Builds the small circuit in a folder; what its program prints."""
    with locked(folder) as place:
        if place.key != key:
            board.compile_model(place, key, *arguments(folder))
    return output(folder)


def arguments(folder: Path) -> tuple[str, ...]:
    sources = folder.parent / f"{folder.name}_sources"
    split = ("--output-split", "1", "-CFLAGS", "-O0")  # so that there are precompiled headers
    return (*split, "--top-module", "tiny", str(sources / "tiny.sv"), str(sources / "main.cc"))


def output(folder: Path) -> str:
    return subprocess.run([folder / "board"], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    sources = tmp_path / "small_sources"
    sources.mkdir()
    (sources / "tiny.sv").write_text(CIRCUIT)
    (sources / "main.cc").write_text(PROGRAM)
    return tmp_path / "small"


def start(folder: Path, *around: str) -> subprocess.Popen[str]:
    """The same in a process group of its own."""
    command = [*around, sys.executable, "-c", BUILD_IT, str(folder), str(Path(__file__).parent)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "py")}
    return subprocess.Popen(
        command,
        env=environment,
        start_new_session=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not come to this"
        time.sleep(0.002)


def cut(*files: Path) -> None:
    """Leaves the first half of files, newer than all that they are made of."""
    assert files
    for file in files:
        os.truncate(file, file.stat().st_size // 2)
        os.utime(file)


@pytest.mark.parametrize("pattern", [full("Vwc_board*__0.cpp"), "*.fast.gch", full("*.o")])
def test_a_killed_build_is_made_anew(folder: Path, pattern: str) -> None:
    """Killed while C++, a precompiled header or an object is written."""
    building = start(folder)
    until(lambda: any((folder / "obj").glob(pattern)) or building.poll() is not None)
    os.killpg(building.pid, signal.SIGKILL)
    building.communicate()
    cut(*(folder / "obj").glob(pattern))
    assert not (folder / "key").exists()
    assert make(folder) == "42"


@pytest.mark.full
def test_a_program_cut_short_is_not_taken_for_that_of_an_older_key(folder: Path) -> None:
    assert make(folder) == "42"
    (folder / "board").write_text("")
    with pytest.raises(RuntimeError), locked(folder) as place, place.making("other", ()):
        raise RuntimeError  # killed in the middle
    assert make(folder) == "42"


@pytest.mark.full  # two builds
def test_parts_of_a_finished_build_are_kept(folder: Path) -> None:
    assert make(folder) == "42"
    before = (folder / "obj" / "verilated.o").stat().st_mtime_ns
    assert make(folder, "other") == "42"
    assert (folder / "obj" / "verilated.o").stat().st_mtime_ns == before


def _without(packages: Sequence[SystemPackage]) -> pytest.MarkDecorator:
    missing = [package.name for package in packages if not package.present()]
    return pytest.mark.skipif(bool(missing), reason=f"no {', '.join(missing)} here")


@pytest.mark.full  # three builds
@_without(compiler.CLANG_PACKAGES)
def test_either_compiler_builds_and_leaves_nothing_to_the_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for program, name in ((compiler.CLANG, b"clang"), ("g++", b"GCC"), (compiler.CLANG, b"clang")):
        monkeypatch.setenv(compiler.FORCE, program)
        assert make(folder, program) == "42"
        comments = ["readelf", "-p", ".comment", str(folder / "obj" / "verilated.o")]
        assert name in subprocess.run(comments, capture_output=True, check=True).stdout


@_without(compiler.PROFILE_PACKAGES)
def test_a_build_by_profile_has_the_program_work_in_between(folder: Path) -> None:
    ran = []

    def train(program: Path) -> None:
        ran.append(program)
        assert b"__llvm_profile" in program.read_bytes()
        assert output(folder) == "42"

    with locked(folder) as place:
        board.compile_by_profile(place, "key", train, *arguments(folder))
        assert place.key == "key"
    assert ran == [folder / "board"] and output(folder) == "42"
    assert b"__llvm_profile" not in (folder / "board").read_bytes()
    assert (folder / "profile.data").stat().st_size > 0
    assert "-fprofile-use=" in (folder / "build.log").read_text()


def test_what_goes_on_after_its_parent_was_killed_is_waited_for(folder: Path) -> None:
    with locked(folder) as place:
        pass
    script = (
        "from wirecache.making import locked; from pathlib import Path\n"
        f"with locked(Path({str(folder)!r})) as place, place.making('', []):\n"
        f"  place.run('sh', '-c', 'touch {folder}/on; sleep 2; touch {folder}/end')"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "py")}
    parent = subprocess.Popen([sys.executable, "-c", script], env=environment)
    until((folder / "on").exists)
    parent.kill()
    parent.wait()
    assert not (folder / "end").exists()
    with locked(folder) as place:
        assert (folder / "end").exists() and place.key is None


def test_who_waits_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = f"""
from wirecache.making import locked
from pathlib import Path
with locked(Path({str(tmp_path)!r})): print('in', flush=True)
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "py")}
    with locked(tmp_path):
        second = subprocess.Popen(
            [sys.executable, "-c", script],
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert second.stderr is not None
        line = second.stderr.readline()
        assert line == f"wirecache: waiting for another process that builds in {tmp_path}\n"
        assert second.poll() is None
    assert second.communicate() == ("in\n", "")


def test_a_failed_step_is_one_line_and_its_errors(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with locked(tmp_path) as place, pytest.raises(Failure, match="the build failed; all of it"):
        _run(place, "echo words; echo an error >&2; exit 1")
    assert capfd.readouterr().err == "an error\n"
    assert (tmp_path / "build.log").read_text() == "words\nan error\n"


def test_progress_says_how_much_there_is(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("printf", "cc -c a.cc\\nar a.o\\ncc -c b.cc\\n")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with locked(tmp_path) as place, place.making("key", ()):
        place.run(*command, count=command)
    shown = capfd.readouterr().err
    assert "compiling, file 1 of 2" in shown and "compiling, file 2 of 2" in shown


def test_as_many_compilers_as_cores_may_be_used() -> None:
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert cores() == 1
    finally:
        os.sched_setaffinity(0, allowed)
    assert cores() == len(allowed)


def _run(place: Place, script: str) -> None:
    with place.making("key", ()):
        place.run("sh", "-c", script)


# A file system of our own, in which we are root.
UNSHARE = ["unshare", "--map-root-user", "--mount"]


def _unshare() -> bool:
    script = "mount -t tmpfs none /mnt"
    return subprocess.run([*UNSHARE, "sh", "-c", script], capture_output=True).returncode == 0


@pytest.mark.skipif(not _unshare(), reason="no mount namespaces here")
@pytest.mark.parametrize("size", ["4k", "1m"])
def test_a_full_disk_is_one_line(folder: Path, size: str) -> None:
    folder.mkdir()
    script = f'mount -t tmpfs -o size={size} none "{folder}" && exec "$0" "$@"'
    failed = start(folder, *UNSHARE, "sh", "-c", script)
    _, errors = failed.communicate(timeout=100)
    last = errors.splitlines()[-1]
    assert "Failure" in last and f"the disk of {folder}, or of /tmp, is full" in last, errors
