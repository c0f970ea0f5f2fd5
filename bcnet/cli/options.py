"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bcnet.cli import logs

if TYPE_CHECKING:
    from bcnet.home import Home

BOTS = ("random", "greedy")

_F = TypeVar("_F", bound=Callable[..., Any])


def home_option(command: _F) -> _F:
    """``--home DIR``, also after the command."""
    return click.option(
        "--home",
        type=click.Path(path_type=Path, file_okay=False),
        metavar="DIR",
        help="Keep bcnet's files in DIR (also BCNET_HOME=DIR).",
    )(command)


def locate(home: Path | None) -> Home:
    """The home that was asked for; the log goes there too."""
    from bcnet.home import Home

    located = Home.locate(home or click.get_current_context().find_root().obj)
    logs.into(located.path)
    return located


def playing_options(command: _F) -> _F:
    """What ``host`` and ``join`` share."""
    for option in reversed(
        (
            click.option("--name", metavar="NAME", help="What the other player sees you called."),
            click.option(
                "--bot", type=click.Choice(BOTS), help="Let the program play for you, a line for each event."
            ),
            click.option(
                "--seed-bot",
                type=int,
                metavar="N",
                help="Make the bot's choices repeatable (never the deck's).",
            ),
            click.option("--leash", is_flag=True, hidden=True),
        )
    ):
        command = option(command)
    return home_option(command)
