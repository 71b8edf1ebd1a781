# SPDX-License-Identifier: Apache-2.0
"""Requests of every shape of every row of the circuit's tables: each number of words, each argument
right and wrong, with noreply and without. A row that is added is tried without a line here."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from request_traffic import binary, header
from wirecache.circuit import commands

_VALUE = b"abc"
# Of each kind of argument: a right one that is plain, right ones that are not, wrong ones.
ARGUMENTS = {
    "ArgKey": (b"key", (b"k" * 250,), (b"k" * 251,)),
    "ArgUnsigned": (b"7", (b"+7", b"00000000000000000007"), (b"-7", b"x", b"noreply")),
    "ArgTime": (b"0", (b"-1", b"0000000000000"), (b"x", b"1x", b"9223372036854775808")),
    "ArgLength": (b"3", (b"+3", b"00003"), (b"-3", b"x", b"2147483647", b"1048577")),
    "ArgZero": (b"0", (), (b"1", b"00")),
    "ArgUnique": (
        b"7",
        (b"0", b"+18446744073709551615", b"00000000000000000000018446744073709551615"),
        (b"-7", b"x", b"18446744073709551616"),
    ),
    "ArgDelta": (
        b"7",
        (b"18446744073709551615", b"+0", b"\t00000000000000000000000000007\tx"),
        (b"-7", b"x", b"18446744073709551616", b"noreply"),
    ),
    "ArgStart": (b"7", (b"0", b"18446744073709551615", b"+9"), (b"-7", b"x", b"7x")),
    "ArgGiven": (b"7", (b"0", b"18446744073709551615", b"+9"), (b"-7", b"x", b"7x")),
    "ArgFlag": (b"k", (b"k" * 300,), (b"Z", b"\xff", b"Tx")),
}
_BEHIND = b"version\r\n"  # is read as a line only if the parser knows where one begins


def lines() -> Iterator[bytes]:
    """Lines of every command, each with what belongs behind it, and another one."""
    for row in commands.lines():
        longest = max(row.most or 0, row.least, len(row.arguments) + 1) + 2
        for words in range(1, longest + 1):
            kinds = _kinds(row, words - 1)
            right = [ARGUMENTS[kind][0] if kind else b"x" for kind in kinds]
            shapes = [right]
            for at, kind in enumerate(kinds):
                if kind:
                    others = ARGUMENTS[kind][1] + ARGUMENTS[kind][2]
                    shapes += [[*right[:at], other, *right[at + 1 :]] for other in others]
                    # two mistakes at once: which of them the answer is about
                    bad = [*right[:at], ARGUMENTS[kind][2][0], *right[at + 1 :]]
                    shapes += [
                        [*bad[:later], ARGUMENTS[more][2][0], *bad[later + 1 :]]
                        for later, more in enumerate(kinds)
                        if later > at and more
                    ]
            shapes += [[*shape[:-1], b"noreply"] for shape in shapes if shape]
            value = _VALUE + b"\r\n" if row.value else b""
            for shape in shapes:
                yield b" ".join([row.name, *shape]) + b"\r\n" + value + _BEHIND
        yield from flags(row, value)
        # names that are nearly this one
        for name in (row.name[:-1], row.name + b"x", row.name[:-1] + b"\0", row.name.upper()):
            yield name + b" a 0 0 1\r\n" + _BEHIND


def flags(row: commands.Line, value: bytes) -> Iterator[bytes]:
    """Of a meta command: every byte as a flag; each flag right and wrong, alone, twice, and behind
    and before each other mistake."""
    if "ArgFlag" not in row.arguments:
        return
    right: list[bytes] = []
    wrong: list[bytes] = []
    for flag in commands.flags():
        if flag.number:
            plain, odd, bad = ARGUMENTS[flag.number]
            right += [flag.letter + text for text in (plain, *odd, b"123456789", b"1234567890")]
            wrong += [flag.letter + text for text in (*bad, b"")]
        elif flag.kind == "FlagMode":
            modes = b"I+D-" if row.name == b"ma" else b"SERAP"
            right += [b"%b%c" % (flag.letter, mode) for mode in modes]
            wrong += [flag.letter + mode for mode in (b"", b"x", b"d", b"SE", b"S" * 8)]
        elif flag.letter == b"O":
            right += [flag.letter + bytes(range(65, 65 + length)) for length in range(32)]
            wrong += [flag.letter + b"o" * length for length in (32, 33, 40, 41, 100)]
        else:
            right.append(flag.letter)
    one_each = [next(f for f in right if f[:1] == flag.letter) for flag in commands.flags()]
    shapes = [[bytes([byte])] for byte in range(1, 256) if byte not in b"\n "]
    shapes += [[flag] for flag in right + wrong]
    shapes += [[flag, flag] for flag in one_each]
    shapes += [[*pair] for pair in permutations(wrong[::2] + one_each[:4] + [b"Z", b"\x80"], 2)]
    wrong_last = [b"Tx", b"Cx", b"Fx", b"Mxy", b"b"]
    shapes += [[*three] for three in permutations(wrong_last, 3)]
    for numbers in ([b"Cx", b"E5"], [b"C5", b"Ex"], [b"C9", b"E%020d" % 8], [b"C%020d" % 7, b"E9"]):
        shapes += [[*some] for some in permutations([*numbers, b"Mxy", b"b"], 3)]
    shapes += [[b"C7", mode] for mode in right if mode[:1] == b"M"]
    shapes += [[b"C0", mode, b"F7", b"T100"] for mode in right if mode[:1] == b"M"]
    shapes += [[b"T0", b"v"], [b"q", b"T1800000000", b"k", b"v", b"O1"], [b"T9", b"F1", b"C1"]]
    if row.name == b"mg":  # two times, of which each has its own place, however soon they come
        times = (b"T10", b"R7", b"T2592000", b"R3600", b"T+5", b"R1800000000", b"T-1")
        shapes += [list(pair) for pair in permutations(times, 2)]
        shapes += [list(pair) for pair in permutations([b"N10", *times[1::2], b"N-1"], 2)]
        shapes += [[b"T10", b"v", b"R7"], [b"R0000000000000007", b"T10"], [b"T10", b"R7", b"F7"]]
        shapes += [list(shape) for shape in permutations([b"N9", b"t", b"v", b"R8", b"u"], 4)]
        for pair in ([b"Nx", b"R5"], [b"N5", b"Rx"], [b"Rx", b"N5"], [b"R5", b"N"]):
            shapes += [pair, [*pair, b"t"], [b"b", *pair], [*pair, b"Mx"], [*pair, b"T5"]]
    if row.name in (b"mg", b"ma"):
        shapes += [list(shape) for shape in permutations([b"t", b"T9", b"N7", b"v"])]
    if row.name == b"ma":
        numbers = [b"D2", b"J3", b"C4", b"E8", b"N5", b"T6", b"F7"]
        shapes += [list(shape) for shape in permutations(numbers, 3)]
        for at, number in enumerate(numbers):  # a wrong one before others that are right
            others = [*numbers[:at], *numbers[at + 1 :]]
            shapes += [[number + b"x", *others], [*numbers[:at], number[:1], *numbers[at + 1 :]]]
            long = [b"%b%024d" % (number[:1], 9) for number in others]
            shapes += [[number + b"x", *long[::-1]], [*long, number], [*long[at:], *long[:at]]]
    shapes += [one_each, one_each[:12], [*one_each[::-1]], [b"q"] * 300, [b"Z"] * 300]
    lead = [row.name, *(ARGUMENTS[kind][0] for kind in row.arguments if kind != "ArgFlag")]
    for shape in shapes:
        yield b" ".join([*lead, *shape]) + b"\r\n" + value + _BEHIND
    if not value:
        return
    # no flag is looked at, or it does not matter
    for length, word in product((b"x", b"1048577", b"2147483645"), (b"k", b"Z", b"Fx", b"F7")):
        yield b" ".join([row.name, b"key", length, word]) + b"\r\n" + value + _BEHIND
    for word in (b"Z", b"k"):  # what follows is not looked at, but its length is
        yield b" ".join([row.name, b"key", b"5", word]) + b"\r\nab\ncdgh" + _BEHIND
        yield b" ".join([row.name, b"key", b"0", word]) + b"\r\nxy" + _BEHIND


def _kinds(row: commands.Line, count: int) -> list[str]:
    """Of the first words behind the name; empty where a word is no argument."""
    kinds = list(row.arguments)
    last = kinds[-1] if row.repeats else ""
    return (kinds + [last] * count)[:count]


def headers() -> Iterator[bytes]:
    """Headers of every opcode of the table and some of none, with every kind of body."""
    known = [row.opcode for row in commands.headers()]
    unknown = next(code for code in range(256) if code not in known)
    behind = binary(10, opaque=99)
    for opcode in (*known, unknown, 0xFF):
        bodies = product((0, 4, 8, 20), (b"", b"k", b"k" * 251), (b"", b"v" * 5))
        for extras, key, value in bodies:
            body = bytes(extras) + key + value
            yield header(opcode, len(key), extras, len(body), 1, cas=opcode % 2) + body + behind
            if extras or key:  # more than the body has room for
                yield header(opcode, len(key), extras, len(body) - len(value) - 1, 1) + body
