"""Options that several commands share: where bcnet's files are kept, and how the console behaves."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

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


_LOOK = (
    ("chat", True, "Whether you and the other player can write to each other (say TEXT)."),
    ("bell", True, "Whether the terminal's bell tells that it is your turn."),
    ("title", True, "Whether the terminal's title tells that it is your turn."),
    ("plain", False, "Lines instead of a screen: for screen readers, and for pipes."),
)
"""The fields of `bcnet_client.look.Look`, what each is unless somebody says otherwise, and what it does."""


def look_options(command: _F) -> _F:
    """How the console behaves: gives the command a `bcnet_client.look.Look` as its argument ``look``."""

    @wraps(command)
    def with_look(*args: Any, **values: Any) -> Any:
        from bcnet_client.look import Look

        look = Look(**{name: values.pop(name) for name, _, _ in _LOOK})
        return command(*args, look=look, **values)

    decorated: Any = with_look
    for name, default, meaning in reversed(_LOOK):
        decorated = click.option(f"--{name}/--no-{name}", default=default, show_default=True, help=meaning)(
            decorated
        )
    return cast(_F, decorated)


def locate(home: Path | None) -> Home:
    """The home that was asked for; the log goes there too."""
    from bcnet.home import Home

    located = Home.locate(home or click.get_current_context().find_root().obj)
    logs.into(located.path)
    return located
