# SPDX-License-Identifier: Apache-2.0
"""The command line. One module a command; each holds a click command of its own name."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import click

from wirecache import setup

COMMANDS = (
    *("serve", "replay", "session", "test", "bench", "figures", "synth", "formal"),
    *("optimize", "lint", "doctor"),
)
_ANYWHERE = ("doctor",)  # builds nothing, and so works in a place where nothing can be built


class Commands(click.Group):
    """Imports a command's module only when it is called: starting stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: Any = importlib.import_module(f"wirecache.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.pass_context
def cli(context: click.Context) -> None:
    """Wirecache: memcached as a dataflow circuit, on a cycle-accurate simulated board.

    \b
    Start the appliance and ask it something:
      ./wirecache serve
      printf '\\0\\1\\0\\0\\0\\1\\0\\0version\\r\\n' | nc -u -w1 127.0.0.1 11211
    """
    asks_help = {"-h", "--help"} & set(sys.argv)
    complaint = setup.place_complaint()
    if complaint and context.invoked_subcommand not in _ANYWHERE and not asks_help:
        raise setup.Failure(complaint)


def main() -> None:
    """Entry point. A usage error or a Failure is one line on standard error and exit status 2; so
    is a file that cannot be read or written, with exit status 1."""
    try:
        status = cli.main(prog_name="wirecache", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message())
        sys.exit(2)
    except click.ClickException as error:
        print(f"wirecache: {error.format_message()}", file=sys.stderr)
        sys.exit(2)
    except setup.Failure as error:
        setup.say(str(error))
        sys.exit(2)
    except OSError as error:
        setup.say(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        sys.exit(1)
    except click.Abort:
        sys.exit(130)
    sys.exit(status or 0)
