"""What is to be agreed at a new table: the game, the seats, the options; as typed, or as the settings have it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bcnet.cli.settings import was_typed
from bcnet.errors import UsageError
from bcnet.games import registry

if TYPE_CHECKING:
    from bcnet.table.membership import Terms

_F = TypeVar("_F", bound=Callable[..., Any])


def terms_options(command: _F) -> _F:
    """What a player says about a new table; `terms_of` makes something of it."""
    for option in (
        click.option(
            "--private-hands/--no-private-hands",
            default=True,
            show_default=True,
            help="Whether cards that are played hide when they were drawn, as at a real table.",
        ),
        *reversed(list(_options_of_games())),
        click.option(
            "--seats",
            type=click.IntRange(2, 5),
            metavar="N",
            help="For how many players. Unless given, a host awaits as many as the game allows; "
            "play and demo take as few.",
        ),
        click.option(
            "--game",
            type=click.Choice(registry.names()),
            default=registry.names()[0],
            show_default=True,
            help="What is played.",
        ),
    ):
        command = option(command)
    return command


def _options_of_games() -> Iterator[Callable[[_F], _F]]:
    for game in registry.names():
        for name, option in registry.options(game).items():
            yield click.option(
                f"--{name}",
                type=click.Choice(list(option.values)),
                default=next(iter(option.values)),
                show_default=True,
                help=option.meaning,
            )


def terms_of(
    game: str, seats: int | None, chosen: Mapping[str, str], *, private_hands: bool, fewest: bool = False
) -> Terms:
    """The terms of a new table. ``chosen`` has options of all games; those of other games count for nothing, unless
    they were typed. ``fewest``: with no number of seats, as few as the game allows, not as many.

    Raises `UsageError`.
    """
    from bcnet.table.membership import Terms

    rules = registry.get(game)
    for name in chosen:
        if name not in rules.options and was_typed(name):
            raise UsageError(
                "--{option} is no option of {game}.",
                hint="{game} has: {options}" if rules.options else "{game} has no options of its own.",
                option=name,
                game=rules.title,
                options=", ".join(f"--{each}" for each in rules.options),
            )
    if seats is None:
        seats = rules.seats[0 if fewest else -1]
    elif seats not in rules.seats:
        raise UsageError(
            "{game} is not for {seats} players.",
            hint="It is for {least} to {most}: --seats N"
            if len(rules.seats) > 1
            else "It is for {least}: leave --seats out, or choose another --game.",
            game=rules.title,
            seats=seats,
            least=rules.seats[0],
            most=rules.seats[-1],
        )
    own = {name: value for name, value in chosen.items() if name in rules.options}
    return Terms.of(rules, seats, own, private_hands=private_hands and bool(rules.deck))
