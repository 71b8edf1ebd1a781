# SPDX-License-Identifier: Apache-2.0
"""What `serve` and `replay` have in common: the board's options, and starting its program."""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from wirecache.board import build as board
from wirecache.cli.files import OutputFile
from wirecache.cli.impair_options import impair_arguments, impair_options

MAX_CLASSES = 3
# Of the memory for values, by the number of classes: most values are small.
_SHARES = {1: "1", 2: "40,60", 3: "35,55,10"}
_MEMORY_TIMINGS = ("ddr4-2400", "ddr3-1600", "trets", "hbm2", "fixed")
_FIXED_LATENCY = 32
_SWITCHES = ("disable-dumping", "disable-watch", "enable-shutdown", "enable-debugtime")  # of host
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_MAX_MEMORY = "64G"  # which is what pointers reach
_MAX_BLOCK = "4M"
_MAX_ITEM = "8M"
_USUAL_ITEM = "1M"
_LEAST_ITEM = "16K"
_F = TypeVar("_F", bound=Callable[..., Any])


class Bytes(click.ParamType[int]):
    """A number of bytes: 128, 2K, 512M, 24G."""

    name = "size"

    def __init__(self, most: str, least: str = "0") -> None:
        self._most, self._least = most, least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        size = _bytes(value)
        if size is None:
            self.fail(f"'{value}' is no size; sizes look like 512M or 24G", param, ctx)
        if size > (_bytes(self._most) or 0):
            self.fail(f"'{value}' is more than {self._most}", param, ctx)
        if size < (_bytes(self._least) or 0):
            self.fail(f"'{value}' is less than {self._least}", param, ctx)
        return size


def _bytes(text: str) -> int | None:
    match = re.fullmatch(r"([0-9]{1,30})([KMGT]?)I?B?", text.strip().upper())
    return int(match[1]) * _UNITS[match[2]] if match else None


class BlockSizes(click.ParamType[str]):
    """One to three sizes; the board checks that they ascend."""

    name = "a[,b[,c]]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        sizes = [Bytes(_MAX_BLOCK).convert(part, param, ctx) for part in value.split(",")]
        if len(sizes) > MAX_CLASSES:
            self.fail(f"'{value}' are more than three sizes", param, ctx)
        return ",".join(map(str, sizes))


class Shares(click.ParamType[str]):
    """Whole numbers with commas between."""

    name = "m[,n[,o]]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if re.fullmatch(r"[1-9][0-9]{0,5}(,[1-9][0-9]{0,5})*", value.strip()) is None:
            self.fail(f"'{value}' are no shares; they look like 35,55,10", param, ctx)
        return str(value.strip())


class Ip(click.ParamType[str]):
    """An IPv4 address of one machine; `own` if it is this machine's, where any may be meant."""

    name = "address"

    def __init__(self, own: bool = False) -> None:
        self._own = own

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            address = ipaddress.IPv4Address(value)
        except ValueError:
            self.fail(f"'{value}' is no IPv4 address", param, ctx)
        if address.is_multicast or address.is_reserved:  # reserved: the broadcast address too
            self.fail(f"'{value}' is not the address of one machine", param, ctx)
        if not self._own and address.is_loopback:
            self.fail(f"'{value}' is a loopback address, which no board on a wire has", param, ctx)
        if not self._own and address in _THIS_NETWORK:
            self.fail(f"'{value}' is no address that a board can have", param, ctx)
        return str(address)


_THIS_NETWORK = ipaddress.IPv4Network("0.0.0.0/8")


class Cidr(click.ParamType[str]):
    """An IPv4 network: 10.0.0.0/8, or the address of one host."""

    name = "network"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            network = ipaddress.IPv4Network(value, strict=False)
        except ValueError:
            self.fail(f"'{value}' is no IPv4 network; they look like 10.0.0.0/8", param, ctx)
        # A mask would do as well, but 10.0.0.1/8 is likely to be a slip for 10.0.0.1/32.
        if str(network.network_address) != value.partition("/")[0]:
            self.fail(f"'{value}' is no network; the one around it is {network}", param, ctx)
        return str(network)


_PROBABILITY = re.compile(r"([0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})(e-?[0-9]{1,3})?")


class ErrorRates(click.ParamType[str]):
    """One probability or two: of a beat that is read, of a burst that is written."""

    name = "READ[,WRITE]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        rates = []
        for part in value.split(","):
            text = part.strip()
            if _PROBABILITY.fullmatch(text) is None:
                self.fail(f"'{value}' is no probability; they look like 0.001 or 1e-5", param, ctx)
            rates.append(float(text))
        if len(rates) > 2:
            self.fail(
                f"'{value}' are more than two probabilities, of reads and of writes", param, ctx
            )
        if max(rates) > 1:
            self.fail(f"'{value}' is more than 1, and no probability", param, ctx)
        if any(0 < rate < 1e-9 for rate in rates):
            self.fail(f"'{value}' is less than 1e-9, which never comes", param, ctx)
        return ",".join(str(round(rate * 1e9)) for rate in (rates * 2)[:2])


def _allow(ctx: click.Context, param: click.Parameter, networks: tuple[str, ...]) -> str:
    if networks:
        from wirecache.circuit import structs  # slow to import, and rarely needed

        most = structs.constant("AllowEntries")
        if len(networks) > most:
            raise click.BadParameter(f"{len(networks)} networks, and the board takes {most}")
    return ",".join(networks)


class Mac(click.ParamType[str]):
    """An Ethernet address of a single station."""

    name = "address"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = value.lower()
        if re.fullmatch(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}", text) is None:
            self.fail(f"'{value}' is no MAC address; they look like 02:57:43:00:00:01", param, ctx)
        if int(text[:2], 16) & 1:
            self.fail(f"'{value}' is a group's MAC address, not a station's", param, ctx)
        if text == "00:00:00:00:00:00":
            self.fail(f"'{value}' is nobody's MAC address", param, ctx)
        return str(text)


class VersionText(click.ParamType[str]):
    """What VERSION answers: as many characters as the board has room for."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not re.fullmatch(r"[!-~]{1,14}", value):
            self.fail(f"'{value}' is not 1 to 14 printable characters without a space", param, ctx)
        return str(value)


class Configuration(click.ParamType[str]):
    """A configuration of the circuit: a name, or what differs from the default, or both."""

    name = "NAME|key=value,…"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value:
            from wirecache.circuit import config  # slow to import, and rarely needed

            try:
                config.parse(value)
            except config.IllegalError as error:
                self.fail(str(error), param, ctx)
        return str(value)


def config_option(default: str) -> Callable[[_F], _F]:
    """--config, and what it is when nothing is said."""
    return click.option(
        "--config",
        type=Configuration(),
        default=default,
        show_default=True,
        envvar="WIRECACHE_CONFIG",
        help="The circuit's configuration: bucket, trets, …, or what differs, as in "
        "bucket,max_key=168 (docs/parameters.md). Built on its first use.",
    )


def board_options(function: _F) -> _F:
    """The options of a simulated board."""
    options = (
        config_option(""),
        click.option(
            "--memory",
            type=Bytes(_MAX_MEMORY),
            default="1G",
            show_default=True,
            help="Memory of the board. It is sparse: only what is touched costs anything.",
        ),
        click.option(
            "--classes",
            type=BlockSizes(),
            default="128,2K,1M",
            show_default=True,
            help="Sizes of the one to three kinds of value blocks, the smallest first.",
        ),
        click.option(
            "--class-shares",
            type=Shares(),
            help="What each kind gets of the memory for values, in proportion. [default: 35,55,10; "
            "40,60; all]",
        ),
        click.option(
            "--item-size",
            type=click.IntRange(32, 1 << 20),
            default=100,
            show_default=True,
            help="Of the item index: its table is half full when memory is full of items of so "
            "many bytes, with key and header.",
        ),
        click.option(
            "-I",
            "--item-size-max",
            type=Bytes(_MAX_ITEM, _LEAST_ITEM),
            default=_USUAL_ITEM,
            show_default=True,
            metavar="SIZE",
            help="Of the largest item, with its key and what memcached itself keeps of one: "
            "memcached's -I. A value that makes a larger one is refused.",
        ),
        click.option(
            "--memory-timing",
            type=click.Choice(_MEMORY_TIMINGS),
            help="A DRAM channel, or the same latency for every access. "
            f"[default: {_MEMORY_TIMINGS[0]}; with --memory-latency fixed]",
        ),
        click.option(
            "--memory-latency",
            type=click.IntRange(1, 10000),
            help="Of every access to a fixed memory, in cycles of 6.4 ns. "
            f"[default: {_FIXED_LATENCY}]",
        ),
        click.option(
            "--controller-latency",
            type=click.IntRange(0, 10000),
            default=100,
            show_default=True,
            help="Of every read of a DRAM, in ns, in addition to what its chips take.",
        ),
        click.option(
            "--memory-errors",
            type=ErrorRates(),
            default="0",
            help="How likely it is that a beat of memory is read in error, and that a burst is not "
            "written, from when the board is ready (docs/memory-errors.md). [default: none]",
        ),
        click.option(
            "--memory-error-seed",
            type=click.IntRange(0, 2**63),
            help="Makes the same errors again. [default: another one each time, which is printed]",
        ),
        click.option(
            "--no-frame-header",
            is_flag=True,
            help="Without memcached's 8-byte UDP frame header, in both directions.",
        ),
        click.option(
            "--udp-answer-limit",
            type=click.IntRange(1, 0xFFFFFF),
            metavar="BYTES",
            default=65536,
            show_default=True,
            help="Of the answer to one request datagram: a longer one ends with an error "
            "(docs/security.md).",
        ),
        click.option(
            "--version-text",
            type=VersionText(),
            default="1.6.18",
            show_default=True,
            help="What VERSION answers, up to 14 printable characters: the version of memcached "
            "that clients take the board for.",
        ),
        click.option(
            "--command-limit",
            type=click.IntRange(1, 0x7FFFFFFF),
            metavar="CYCLES",
            default=1_562_500,
            show_default=True,
            help="That the host has to answer a command (`stats`, say); then the circuit answers "
            "it with an error (docs/stats.md).",
        ),
        click.option(
            "-X",
            "--disable-dumping",
            is_flag=True,
            help="Clients may not list keys (`lru_crawler metadump`, `stats cachedump`).",
        ),
        click.option(
            "-W",
            "--disable-watch",
            is_flag=True,
            help="Clients may not watch what others do (`watch`).",
        ),
        click.option(
            "--enable-shutdown",
            is_flag=True,
            help="Clients may end the board with the command `shutdown`.",
        ),
        click.option(
            "--enable-debugtime",
            is_flag=True,
            help="Clients may set the board's clock with the command `debugtime`, to test what "
            "expires (docs/differences.md).",
        ),
        click.option(
            "--ip", type=Ip(), default="10.0.2.15", show_default=True, help="Of the board."
        ),
        click.option(
            "--mac",
            type=Mac(),
            default="02:57:43:00:00:01",
            show_default=True,
            help="Of the board.",
        ),
        click.option(
            "--allow",
            type=Cidr(),
            multiple=True,
            callback=_allow,
            help="Answers requests and pings from this network only; up to eight of them, each "
            "with an --allow of its own. [default: everybody]",
        ),
        click.option(
            "--trace",
            type=OutputFile(),
            metavar="FILE.fst",
            help="Writes every signal to this file: much slower, and large.",
        ),
    )
    function = impair_options(function)
    for option in reversed(options):
        function = option(function)
    return function


# Options that mean something to one index only.
_OF_INDEX = {"classes": "bucket", "class_shares": "bucket", "item_size": "item"}


def _check_index(config: str) -> None:
    """Refuses options of the index that the configuration has not."""
    context = click.get_current_context()
    for name, index in _OF_INDEX.items():
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        from wirecache.circuit.config import DEFAULT, index_of, parse  # slow to import

        if index_of(parse(config or DEFAULT)) != index:
            option, wanted = name.replace("_", "-"), "bucket" if index == "bucket" else DEFAULT
            raise click.UsageError(f"--{option} is of the {index} index: --config {wanted}")


def _check_item_size(config: str, size: object) -> None:
    """Refuses items that are larger than the configuration's may be."""
    if int(str(size)) <= 1 << 20:
        return  # all have these
    from wirecache.circuit.config import DEFAULT, parse  # slow to import

    bits = parse(config or DEFAULT)["item_bits"]
    if int(str(size)) > 1 << bits:
        raise click.UsageError(
            f"-I is 16K to {1 << bits - 20}M of this board: --config large has items of up to 8M"
        )


def start(
    command: str,
    trace: Path | None,
    no_frame_header: bool,
    options: Mapping[str, object],
    table: bool = False,
) -> None:
    """Becomes the board's program, built first if it is stale."""
    _check_index(str(options["config"]))
    _check_item_size(str(options["config"]), options["item-size-max"])
    classes = str(options["classes"]).count(",") + 1
    shares = str(options["class-shares"] or _SHARES[classes])
    if shares.count(",") + 1 != classes:
        raise click.UsageError(f"--class-shares '{shares}' are not as many as --classes")
    memory = _memory_timing(options["memory-timing"], options["memory-latency"])
    options = dict(options)
    reads, writes = str(options.pop("memory-errors")).split(",")
    seed = options.pop("memory-error-seed")
    if seed is None:
        seed = secrets.randbits(32)
        if (reads, writes) != ("0", "0"):
            click.echo(f"wirecache: memory errors with --memory-error-seed {seed}", err=True)
    elif (reads, writes) == ("0", "0"):
        raise click.UsageError("--memory-error-seed is for --memory-errors")
    impairments = impair_arguments(options)
    if table and impairments["impair-in"]:
        raise click.UsageError("--impair is not for --table, which has no link")
    program = build(str(options.pop("config")), trace is not None, table)
    arguments = {
        **options,
        **memory,
        **impairments,
        "memory-read-errors": reads,
        "memory-write-errors": writes,
        "memory-error-seed": seed,
        "class-shares": shares,
        "trace": "" if trace is None else trace.absolute(),
        "frame-header": int(not no_frame_header),
        **{name: int(bool(options[name])) for name in _SWITCHES},
    }
    words = [str(word) for name, value in arguments.items() for word in (f"--{name}", value)]
    os.execv(program, [program.name, command, *words])


def has_tcp(config: str) -> bool:
    """Whether boards of what `--config` says serve TCP."""
    if not config:
        return True  # the board's own
    from wirecache.circuit.config import parse  # slow to import

    return bool(parse(config)["connections"])


def build(configuration: str, trace: bool = False, table: bool = False) -> Path:
    """The board's program for what `--config` says."""
    if not configuration:
        return board.build(trace, table)
    from wirecache.circuit import config

    return board.build(trace, table, config.parse(configuration))


def _memory_timing(timing: object, latency: object) -> dict[str, object]:
    if latency is not None and timing not in (None, "fixed"):
        raise click.UsageError("--memory-latency is for --memory-timing fixed")
    default = _MEMORY_TIMINGS[0] if latency is None else "fixed"
    return {"memory-timing": timing or default, "memory-latency": latency or _FIXED_LATENCY}
