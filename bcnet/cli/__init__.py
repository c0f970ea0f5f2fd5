"""The command line: the front door. It turns words into calls, and errors into one clear line and an exit code.

What only one command needs is imported when that command runs: ``bcnet --help`` loads neither gRPC nor cryptography.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import click

from bcnet import __version__
from bcnet.cli import completing, logs, program, settings, spoken, streams
from bcnet.cli.completing import completion
from bcnet.cli.configure import settings_command
from bcnet.cli.demo import demo
from bcnet.cli.doctor import doctor
from bcnet.cli.files import export, games, verify
from bcnet.cli.helping import help_command, rules
from bcnet.cli.options import home_option, log_option
from bcnet.cli.people import identity, players
from bcnet.cli.play import host, join, practise, resume, watch
from bcnet.cli.replay import replay
from bcnet.cli.stats import stats
from bcnet.cli.unfinished import close, forget
from bcnet.errors import BcnetError, Exit, visible
from bcnet.files import storage_error
from bcnet.language import N_, _, told

EPILOG = "\n\n".join(
    "\b\n" + each
    for each in (
        N_("""A first game on one machine, in two terminals:
  bcnet host
  bcnet join 127.0.0.1
Alone, against a bot:
  bcnet play"""),
        N_("""Exit codes: 0 a regular end, 1 the other player cheated, 2 not a transcript,
3 unfinished or incomplete, 4 other players than expected, 64 wrong usage,
69 the other side cannot be reached, 70 a defect of bcnet, 130 and 143
interrupted before there was a game."""),
    )
)


_OUTPUT_ENDS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What is said where standard output goes to a file that can hold no more."""


class InOrder(click.Group):
    """Lists its commands in the order in which they were added: what people need first comes first."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (overridden)
        """The names of the commands."""
        return list(self.commands)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The words, which are kept for a program that this one starts."""
        ctx.meta["bcnet.arguments"] = tuple(args)
        return super().parse_args(ctx, args)


@click.group(
    cls=InOrder,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.version_option(__version__, "--version", message="bcnet %(version)s")
@home_option
@log_option
@click.pass_context
def cli(context: click.Context, home: Path | None) -> int:
    """Balloon Cup between two terminals, with a deck and a bag that neither player can rig.

    One types `bcnet host`, the other `bcnet join ADDR`. Afterwards anyone can check with `bcnet verify` that cards
    and cubes were dealt fairly, or who cheated and where.
    """
    context.obj = home
    if context.invoked_subcommand is None:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            settings.check(context, "help")
            click.echo(context.get_help())
            return 0
        from bcnet.cli.menu import Menu

        settings.check(context, "play")
        return Menu(context).run()
    command = cli.commands[context.invoked_subcommand]
    if all(option.name != "home" for option in command.params):  # the others look where they are told to
        settings.check(context, context.invoked_subcommand)
    return 0


for command in (
    host, join, practise, resume, watch, demo, games, replay, stats, verify, export, close, forget, identity,
    players, doctor, settings_command, rules, help_command, completion,
):  # fmt: skip
    cli.add_command(command)


spoken.offer(cli)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program; ends the process with the exit code."""
    streams.prepare()
    logs.keep_off_the_screen()
    spoken.begin(cli, sys.argv[1:] if arguments is None else arguments)
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(_code(arguments))


def _code(arguments: Sequence[str] | None) -> int:
    try:
        code = cli.main(
            arguments, prog_name=program.name(), complete_var=completing.VARIABLE, standalone_mode=False
        )
    except click.ClickException as error:
        _leave_out_hidden_options(error)
        error.show()
        return Exit.USAGE
    except (click.Abort, KeyboardInterrupt):
        return 128 + signal.SIGINT
    except BcnetError as error:
        complain(error)
        return error.exit_code
    except SystemExit as ended:
        # The library's own ends: a completion is printed, or whoever read our output has stopped reading. It says 1
        # for the latter, which is a verdict here.
        if completing.VARIABLE not in os.environ and ended.code == 1:
            return 128 + signal.SIGPIPE
        raise
    except OSError as error:
        if error.errno not in _OUTPUT_ENDS:
            return defect(error)
        complain(
            storage_error("write", Path("/dev/stdout"), error)
        )  # what fails with files of ours says so itself
        return Exit.USAGE
    except Exception as error:  # noqa: BLE001 (the last resort: no traceback reaches a player)
        return defect(error)
    return int(code or 0)


def _leave_out_hidden_options(error: click.ClickException) -> None:
    """What no help tells of is not proposed for a mistyped option either."""
    if isinstance(error, click.NoSuchOption) and error.possibilities and error.ctx is not None:
        options = [
            each for each in error.ctx.command.params if isinstance(each, click.Option) and each.hidden
        ]
        hidden = {name for option in options for name in (*option.opts, *option.secondary_opts)}
        error.possibilities[:] = [name for name in error.possibilities if name not in hidden]


def complain(error: BcnetError) -> None:
    """What went wrong, and what to do next, on standard error."""
    click.echo(f"bcnet: {told(error.message)}", err=True)
    if error.hint:
        click.echo(f"  {told(error.hint)}", err=True)


def defect(error: BaseException) -> int:
    """A defect of this program, in one line; its trace goes to the log file."""
    path = logs.record(error)
    where = _("The details are in {path}.") if path else _("Its details could not be stored.")
    what = _("this is a defect of bcnet: {error}.").format(error=type(error).__name__)
    click.echo(f"bcnet: {what} {where.format(path=visible(path))}", err=True)
    return Exit.DEFECT
