"""What options of several commands have in common: kinds of values, where bcnet's files are kept, how the console
behaves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from bcnet.cli import logs, settings
from bcnet.language import N_, _

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
            self.fail(_("an empty name names nothing."), param, ctx)
        return super().convert(value, param, ctx)


def player_name(text: str) -> str:
    """What a player is called, in its normal form. Raises `BadName`."""
    from bcnet.names import parse_name

    return parse_name(text)


def listen_address(text: str) -> str:
    """Where a host waits, as it was given: `parse_address` can read it. Raises `BadAddress`."""
    from bcnet_client.address import parse_address

    parse_address(text, listening=True)
    return text


def _use_settings(context: click.Context, _option: click.Parameter, home: Path | None) -> Path | None:
    if context.resilient_parsing:  # a shell asks what could follow
        return home
    if context is context.find_root() or home is not None:
        settings.load(context, home)
    if context is not context.find_root():
        settings.check(context, settings.name_of(context))
    return home


def home_option(command: _F) -> _F:
    """``--home DIR``, before or after the name of the command.

    It is looked at before the others, for the settings that lie there give them their defaults.
    """
    return click.option(
        "--home",
        type=NamedPath(file_okay=False),
        metavar="DIR",
        is_eager=True,
        callback=_use_settings,
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
    ("chat", True, N_("Whether you and those you play with can write to each other (say TEXT).")),
    ("bell", True, N_("Whether the terminal's bell tells that it is your turn.")),
    ("title", True, N_("Whether the terminal's title tells that it is your turn.")),
    ("confirm", True, N_("Whether the screen asks before a decision is final.")),
    ("mouse", False, N_("Whether the screen takes the mouse; selecting text then needs Shift.")),
    ("plain", False, N_("Lines instead of a screen: for screen readers, and for pipes.")),
)
"""The fields of `bcnet_client.look.Look`, what each is unless somebody says otherwise, and what it does."""


def look_options(command: _F) -> _F:
    """How the console behaves: gives the command a `bcnet_client.look.Look` as its argument ``look``."""

    @wraps(command)
    def with_look(*args: Any, **values: Any) -> Any:
        from bcnet_client.look import Look

        look = Look(**{name: values.pop(name) for name, _default, _meaning in _LOOK})
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
