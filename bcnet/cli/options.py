"""Where a command keeps bcnet's files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bcnet.cli import logs

if TYPE_CHECKING:
    from bcnet.home import Home

_F = TypeVar("_F", bound=Callable[..., Any])


class NamedPath(click.Path):
    """A file or folder, there or not. An empty name, as of a shell variable that is not set, does not mean the folder
    that one happens to be in.
    """

    def __init__(self, *, file_okay: bool = True) -> None:
        super().__init__(path_type=Path, file_okay=file_okay)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path."""
        if value == "":
            self.fail("an empty name names nothing.", param, ctx)
        return super().convert(value, param, ctx)


def home_option(command: _F) -> _F:
    """``--home DIR``, before or after the name of the command."""
    return click.option(
        "--home",
        type=NamedPath(file_okay=False),
        metavar="DIR",
        help="Keep bcnet's files in DIR (also BCNET_HOME=DIR).",
    )(command)


def _set_level(_context: click.Context, _option: click.Parameter, level: str | None) -> None:
    if level is not None:
        logs.level(level)


def log_option(command: _F) -> _F:
    """``--log-level LEVEL``, before or after the name of the command."""
    return click.option(
        "--log-level",
        type=click.Choice(logs.LEVELS),
        expose_value=False,
        callback=_set_level,
        help="How much goes to the log file in bcnet's folder. Never a secret.",
    )(command)


def locate(home: Path | None) -> Home:
    """The home that was asked for; the log goes there too."""
    from bcnet.home import Home

    located = Home.locate(home or click.get_current_context().find_root().obj)
    logs.into(located.path)
    return located
