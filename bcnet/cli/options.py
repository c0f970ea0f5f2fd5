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


def home_option(command: _F) -> _F:
    """``--home DIR``, before or after the name of the command."""
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
