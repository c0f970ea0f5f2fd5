"""How actions are written: one spelling for each.

    choose money          choose an action card: money, event, gems or free
    offer red=1 blue=2    offer these gems
    accept                take the gems offered
    event open            take the open event card
    event face-down       take the top one of the deck
    take red=1 blue=1     take these gems from the supply
    swap red 2 blue       give a red gem for a blue one of seat 2
    give red              give a red gem
    vault use             use a vault for this colour
    vault save            save it for a later colour

Gems are named in the order red, yellow, green, blue, none of them zero. One space between words, no leading zeros,
nothing else.
"""

from __future__ import annotations

from bcnet.errors import MalformedNotation
from bcnet.games.edel.actions import (
    Accept,
    ChooseCard,
    Give,
    Offer,
    Swap,
    TakeEvent,
    TakeGems,
    UseVault,
)
from bcnet.games.edel.material import ALL_GEMS, COLOURS, NO_GEMS, SEATS, ActionCard, Colour, Gems, add, one
from bcnet.games.interface import Action

_COLOUR_OF = {colour.word: colour for colour in COLOURS}
_SEAT_OF = {str(seat): seat for seat in range(SEATS[-1])}
_COUNT_OF = {str(count): count for count in range(1, max(ALL_GEMS) + 1)}
_PLAIN: dict[str, Action] = {
    **{f"choose {card.value}": ChooseCard(card) for card in ActionCard},
    **{f"give {colour.word}": Give(colour) for colour in COLOURS},
    "accept": Accept(),
    "event open": TakeEvent(face_down=False),
    "event face-down": TakeEvent(face_down=True),
    "vault use": UseVault(use=True),
    "vault save": UseVault(use=False),
}
_TEXT_OF = {action: text for text, action in _PLAIN.items()}


def write(action: Action) -> str:
    """An action in canonical notation."""
    match action:
        case Offer(gems):
            return f"offer {_write_gems(gems)}"
        case TakeGems(gems):
            return f"take {_write_gems(gems)}"
        case Swap(give, seat, take):
            return f"swap {give.word} {seat} {take.word}"
        case _ if action in _TEXT_OF:
            return _TEXT_OF[action]
        case _:
            raise MalformedNotation(
                "{action} is no action of Edel, Stein & Reich", action=type(action).__name__
            )


def parse(text: str) -> Action:
    """Read an action. Raises `MalformedNotation` for everything but the one canonical spelling."""
    if text in _PLAIN:
        return _PLAIN[text]
    match text.split(" "):
        case ["offer", *gems]:
            return Offer(_parse_gems(gems))
        case ["take", *gems]:
            return TakeGems(_parse_gems(gems))
        case ["swap", give, seat, take]:
            if seat not in _SEAT_OF:
                raise MalformedNotation("{text!r} is no seat", hint="As in: swap red 2 blue", text=seat)
            return Swap(parse_colour(give), _SEAT_OF[seat], parse_colour(take))
        case _:
            raise MalformedNotation(
                "{text!r} is no action",
                hint="Written as: choose money · offer red=1 blue=2 · accept · event open · take red=1 blue=1",
                text=text,
            )


def parse_colour(text: str) -> Colour:
    """Read a colour's word. Raises `MalformedNotation`."""
    try:
        return _COLOUR_OF[text]
    except (KeyError, TypeError):
        raise MalformedNotation(
            "{text!r} is no colour", hint="red, yellow, green or blue", text=text
        ) from None


def _write_gems(gems: Gems) -> str:
    return " ".join(f"{colour.word}={gems[colour]}" for colour in COLOURS if gems[colour])


def _parse_gems(items: list[str]) -> Gems:
    gems = NO_GEMS
    named = []
    for item in items:
        word, _, count = item.partition("=")
        colour = parse_colour(word)
        if count not in _COUNT_OF:
            raise MalformedNotation("{text!r} is no number of gems", hint="As in red=3.", text=count)
        gems = add(gems, one(colour, _COUNT_OF[count]))
        named.append(colour)
    if not named or named != sorted(set(named)):
        raise MalformedNotation("gems are named red, yellow, green, blue, each colour once, at least one")
    return gems
