"""How actions are written: one spelling for each.

    play r13 2 0                 the red 13 next to tile 2 on the side of seat 0
    exchange r1 e4               show the hand, discard red 1 and grey 4, draw two (nothing fits)
    exchange                     show the hand, discard nothing: the turn passes
    pass                         show the hand again after an exchange: still nothing fits
    claim blue blue=3 red=3      take the blue trophy for three blue cubes and three red ones
    decline                      claim nothing now

A card is a letter (``r y g b e``, e for grey) and a value. Cards are sorted by colour (in the order of the letters)
and value. A payment names the trophy's own colour first and then the others in the same order, none of them zero.
One space between words, no leading zeros, nothing else.
"""

from __future__ import annotations

from bcnet.errors import MalformedNotation
from bcnet.games.balloon_cup.actions import Claim, Decline, Exchange, Pass, Play
from bcnet.games.balloon_cup.material import (
    CARDS,
    COLOUR_OF,
    COLOURS,
    DECK,
    LETTERS,
    MOST_EXCHANGED,
    SEATS,
    TILE_NUMBERS,
    VALUE_OF,
    Colour,
    Cubes,
)
from bcnet.games.interface import Action, Card

_HINT = "Written as: play r13 2 0 · exchange r1 e4 · pass · claim blue blue=3 red=3 · decline"
_SHORT = tuple(f"{LETTERS[COLOUR_OF[card]]}{VALUE_OF[card]}" for card in range(CARDS))
_CARD_OF = {short: card for card, short in enumerate(_SHORT)}
_LONG_CARD_OF = {name: card for card, name in enumerate(DECK)}
_COLOUR_OF = {colour.word: colour for colour in COLOURS}
_TILE_OF = {str(number): number for number in TILE_NUMBERS}
_SIDE_OF = {str(seat): seat for seat in range(SEATS)}
_COUNT_OF = {str(count): count for count in range(1, 46)}


def write_card(card: Card) -> str:
    """A card as in an action: ``r13``."""
    return _SHORT[card]


def parse_card(text: str) -> Card:
    """Read a card as in an action. Raises `MalformedNotation`."""
    try:
        return _CARD_OF[text]
    except KeyError:
        raise MalformedNotation(
            "{text!r} is no card", hint="A letter (r y g b, e for grey) and a value, as in r13.", text=text
        ) from None


def card_named(name: str) -> Card:
    """The card of a name as in a record: ``red-13``. Raises `MalformedNotation`."""
    try:
        return _LONG_CARD_OF[name]
    except (KeyError, TypeError):
        raise MalformedNotation("{name!r} is no card", hint="As in red-13.", name=name) from None


def parse_colour(text: str) -> Colour:
    """Read a colour's word. Raises `MalformedNotation`."""
    try:
        return _COLOUR_OF[text]
    except (KeyError, TypeError):
        raise MalformedNotation(
            "{text!r} is no colour", hint="red, yellow, green, blue or grey", text=text
        ) from None


def write(action: Action) -> str:
    """An action in canonical notation."""
    match action:
        case Play(card, tile, side):
            return f"play {_SHORT[card]} {tile} {side}"
        case Exchange(cards):
            return " ".join(("exchange", *(_SHORT[card] for card in cards)))
        case Pass():
            return "pass"
        case Claim(trophy, payment):
            paid = [f"{colour.word}={payment[colour]}" for colour in _own_first(trophy) if payment[colour]]
            return " ".join(("claim", trophy.word, *paid))
        case Decline():
            return "decline"
        case _:
            raise MalformedNotation("{action} is no action of Balloon Cup", action=action)


def parse(text: str) -> Action:
    """Read an action. Raises `MalformedNotation` for everything but the one canonical spelling."""
    match text.split(" "):
        case ["play", card, tile, side]:
            if tile not in _TILE_OF:
                raise MalformedNotation("{text!r} is no tile", hint="The tiles are 1 to 4.", text=tile)
            if side not in _SIDE_OF:
                raise MalformedNotation("{text!r} is no side", hint="A side is a seat: 0 or 1.", text=side)
            return Play(parse_card(card), _TILE_OF[tile], _SIDE_OF[side])
        case ["exchange", *names]:
            cards = tuple(parse_card(name) for name in names)
            if list(cards) != sorted(set(cards)) or len(cards) > MOST_EXCHANGED:
                raise MalformedNotation(
                    "an exchange names 0 to 4 different cards, sorted by colour and value"
                )
            return Exchange(cards)
        case ["pass"]:
            return Pass()
        case ["claim", trophy, *payment]:
            return _parse_claim(parse_colour(trophy), payment)
        case ["decline"]:
            return Decline()
        case _:
            raise MalformedNotation("{text!r} is no action", hint=_HINT, text=text)


def _parse_claim(trophy: Colour, payment: list[str]) -> Claim:
    paid = [0] * len(COLOURS)
    named = []
    for item in payment:
        word, _, count = item.partition("=")
        colour = parse_colour(word)
        if count not in _COUNT_OF:
            raise MalformedNotation("{text!r} is no number of cubes", hint="As in red=3.", text=count)
        paid[colour] = _COUNT_OF[count]
        named.append(colour)
    if named != [colour for colour in _own_first(trophy) if paid[colour]]:
        raise MalformedNotation(
            "a payment names the trophy's own colour first, then the others in order, each once"
        )
    red, yellow, green, blue, grey = paid
    cubes: Cubes = (red, yellow, green, blue, grey)
    return Claim(trophy, cubes)


def _own_first(trophy: Colour) -> tuple[Colour, ...]:
    return (trophy, *(colour for colour in COLOURS if colour != trophy))
