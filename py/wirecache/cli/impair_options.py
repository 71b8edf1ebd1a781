# SPDX-License-Identifier: Apache-2.0
"""What the link between the world and the simulated board does to frames: `--impair` and its kin.

The parts are read here and nowhere else; the board's program gets numbers (docs/impairments.md).
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

import click

DISTANCE = 3  # of a reordered frame: TCP takes what three others have overtaken for lost
MAX_DISTANCE = 1000
_SHARES = ("loss", "reorder", "duplicate", "corrupt")
_TIMES = ("delay", "jitter")
_PARTS = (*_SHARES, *_TIMES, "blackout")
# The numbers of a direction, in the order of Options::Direction in sim/options.cc: shares in frames
# of 10^9, times in nanoseconds.
_NUMBERS = (
    *("loss", "reorder", "distance", "duplicate", "corrupt"),
    *("delay", "jitter", "blackout", "blackout_begin"),
)
_UNITS = {"ns": 1, "us": 10**3, "µs": 10**3, "ms": 10**6, "s": 10**9}
_LONGEST = 86_400 * 10**9
_NUMBER = r"([0-9]{1,12}(?:\.[0-9]{1,12})?)"
_F = TypeVar("_F", bound=Callable[..., Any])


class Parts(click.ParamType[dict[str, int]]):
    """Parts with commas between, as in loss=1%,reorder=2%/10,delay=50us: numbers by their name."""

    name = "PART,…"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, int]:
        numbers: dict[str, int] = {}
        try:
            for part in value.split(","):
                read = _part(part)
                if not numbers.keys().isdisjoint(read):
                    raise ValueError(f"'{value}' has {part.partition('=')[0]} twice")
                numbers |= read
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return numbers


def _part(text: str) -> dict[str, int]:
    """The numbers of one part; ValueError says what is wrong."""
    name, equals, value = text.partition("=")
    if name not in _PARTS:
        raise ValueError(f"'{text}' is no impairment; there are {', '.join(_PARTS)}")
    if not equals:
        raise ValueError(f"'{text}' does not say how much; impairments look like {name}=…")
    if name in _TIMES:
        return {name: _time(value, text)}
    if name == "blackout":
        length, at, begin = value.partition("@")
        if not at:
            raise ValueError(f"'{text}' does not say how long and when, as blackout=5s@10s does")
        return {"blackout": _time(length, text), "blackout_begin": _time(begin, text)}
    share, slash, distance = value.partition("/")
    if name != "reorder":
        return {name: _share(value, text)}
    if slash and not re.fullmatch(r"[0-9]{1,9}", distance):
        raise ValueError(f"'{text}' has no number of frames behind its '/', as reorder=2%/10 has")
    frames = int(distance or DISTANCE)
    if not 1 <= frames <= MAX_DISTANCE:
        raise ValueError(f"'{text}' is not behind 1 to {MAX_DISTANCE} frames")
    return {"reorder": _share(share, text), "distance": frames}


def _share(value: str, part: str) -> int:
    match = re.fullmatch(_NUMBER + "%", value, re.ASCII)
    if match is None:
        raise ValueError(f"'{part}' has no share of frames; they look like 1% or 0.1%")
    share = Decimal(match[1])
    if share > 100:
        raise ValueError(f"'{part}' is more than 100%")
    if 0 < share < Decimal("1e-7"):
        raise ValueError(f"'{part}' is less than 0.0000001%, which never comes")
    return round(share * 10**7)


def _time(value: str, part: str) -> int:
    match = re.fullmatch(_NUMBER + f"({'|'.join(_UNITS)})", value, re.ASCII)
    if match is None:
        raise ValueError(f"'{part}' has no time with its unit; they look like 50us, 2ms or 5s")
    nanoseconds = round(Decimal(match[1]) * _UNITS[match[2]])
    if nanoseconds > _LONGEST:
        raise ValueError(f"'{part}' is more than a day, 86400s")
    return nanoseconds


def impair_options(function: _F) -> _F:
    """--impair, --impair-in, --impair-out and --impair-seed."""
    options = (
        click.option(
            "--impair",
            type=Parts(),
            metavar="PARTS",
            help="What the link does to frames, both ways: loss=1%, reorder=2%/10 (behind up to "
            f"ten later frames; {DISTANCE} if not said), duplicate=1%, corrupt=0.1% (one bit of a "
            "frame), delay=50us, jitter=20us (up to so much more), blackout=5s@10s (nothing passes "
            "for 5 s, from 10 s after the start on), any of them, with commas between "
            "(docs/impairments.md). [default: nothing]",
        ),
        click.option(
            "--impair-in",
            type=Parts(),
            metavar="PARTS",
            help="Towards the board: beside, or in place of, the same parts of --impair.",
        ),
        click.option(
            "--impair-out", type=Parts(), metavar="PARTS", help="The same for what the board sends."
        ),
        click.option(
            "--impair-seed",
            type=click.IntRange(0, 2**63),
            help="Does the same to the same frames again. [default: another one each time, which "
            "is printed]",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def impair_arguments(options: dict[str, Any]) -> dict[str, object]:
    """Takes these options out of `options`; what the board's program gets in their place."""
    both, inward, outward, seed = (
        options.pop(name) for name in ("impair", "impair-in", "impair-out", "impair-seed")
    )
    if both is inward is outward is None:
        if seed is not None:
            raise click.UsageError("--impair-seed is for --impair")
        return {"impair-in": "", "impair-out": "", "impair-seed": 0}
    if seed is None:
        seed = secrets.randbits(32)
        click.echo(f"wirecache: impairments with --impair-seed {seed}", err=True)
    return {
        "impair-in": _numbers({**(both or {}), **(inward or {})}),
        "impair-out": _numbers({**(both or {}), **(outward or {})}),
        "impair-seed": seed,
    }


def _numbers(parts: dict[str, int]) -> str:
    numbers = {**dict.fromkeys(_NUMBERS, 0), "distance": DISTANCE, **parts}
    return ",".join(str(numbers[name]) for name in _NUMBERS)
