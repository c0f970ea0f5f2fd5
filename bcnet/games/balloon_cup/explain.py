"""Why a step is refused, in the player's words, and the checks that need many of them.

Every function either returns the error for its caller to raise or, where named ``check_``, raises it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from bcnet.errors import IllegalStep, Phrase
from bcnet.games.balloon_cup import fill as filling
from bcnet.games.balloon_cup.actions import Claim, Play
from bcnet.games.balloon_cup.material import (
    CARDS,
    COLOUR_OF,
    COLOURS,
    MOST_EXCHANGED,
    SEATS,
    TILE_NUMBERS,
    TROPHY_PRICE,
    Cubes,
    say,
)
from bcnet.games.balloon_cup.tiles import Tile, fits
from bcnet.games.balloon_cup.trophies import TRIPLE, Owners
from bcnet.games.interface import Card, Decide, Seat
from bcnet.games.refusals import comes_first

if TYPE_CHECKING:
    from bcnet.games.balloon_cup.state import BalloonCupState


def not_now(state: BalloonCupState) -> IllegalStep:
    """A step of another kind than the one needed."""
    from bcnet.games.balloon_cup.state import Phase

    phase = state.phase
    match state.need:
        case Decide(seat) if phase is Phase.CLAIMS:
            return IllegalStep(
                "seat {seat} is asked for a claim now",
                hint="Claim a trophy or decline.",
                seat=seat,
            )
        case Decide(seat) if phase is Phase.STUCK:
            return IllegalStep(
                "seat {seat} has exchanged cards and now plays one, or passes if none fits",
                hint="Cards are exchanged once a turn.",
                seat=seat,
            )
        case Decide(seat):
            return IllegalStep(
                "seat {seat} is on turn and plays a card, or exchanges cards if none fits",
                hint="Play a card. If nothing in your hand fits, exchange 0 to 4 cards.",
                seat=seat,
            )
        case need:
            return comes_first(need)


def hand_not_known(seat: Seat) -> IllegalStep:
    """This state was asked for more than it knows."""
    return IllegalStep("the hand of seat {seat} is hidden here, so its moves are not known", seat=seat)


def hand_not_shown(seat: Seat) -> IllegalStep:
    """An exchange or a pass whose hand everybody must see first."""
    return IllegalStep(
        "seat {seat} must show the whole hand: only then can all see that nothing fits", seat=seat
    )


def card_not_held(state: BalloonCupState, seat: Seat, card: Card) -> IllegalStep:
    """A card that is not in the hand, or that this state does not know to be there."""
    if len(state.cards.hands[seat].known) < state.cards.hands[seat].size:
        return IllegalStep(
            "{card} has not been opened from the hand of seat {seat}", card=say(card), seat=seat
        )
    return IllegalStep("{card} is not in the hand of seat {seat}", card=say(card), seat=seat)


def check_place(play: Play) -> None:
    """Card, tile and side exist."""
    card, tile, side = play.card, play.tile, play.side
    if not (0 <= card < CARDS and 1 <= tile <= 4 and 0 <= side <= 1):
        if card not in range(CARDS):
            raise IllegalStep("there is no card {card}", card=card)
        if tile not in TILE_NUMBERS:
            raise IllegalStep("there is no tile {tile}", hint="The tiles are 1 to 4.", tile=tile)
        raise IllegalStep("there is no side {side}", hint="A side is a seat: 0 or 1.", side=side)


def does_not_fit(tile: Tile, card: Card, side: Seat) -> IllegalStep:
    """Why a card cannot be laid there."""
    colour = COLOUR_OF[card]
    cubes = tile.cubes[colour]
    hint = Phrase("Its other side may still have room.") if tile.open(1 - side)[colour] else ""
    values: dict[str, Any] = {
        "card": say(card),
        "colour": colour.word,
        "tile": tile.number,
        "side": side,
        "count": cubes,
    }
    if not tile.in_play:
        return IllegalStep("{card} cannot be laid next to tile {tile}: that tile has left the game", **values)
    if not cubes:
        return IllegalStep(
            "{card} does not fit next to tile {tile}: there is no {colour} cube on it",
            hint="A side takes as many cards of a colour as there are cubes of it on the tile.",
            **values,
        )
    return IllegalStep(
        "{card} does not fit next to tile {tile} on side {side}: {taken}",
        hint=hint,
        taken=_taken(cubes, colour.word),
        **values,
    )


def _taken(places: int, colour: str) -> Phrase:
    if places == 1:
        return Phrase("the one {colour} place on that side is taken", colour=colour)
    if places == 2:
        return Phrase("both {colour} places on that side are taken", colour=colour)
    return Phrase("all {count} {colour} places on that side are taken", count=places, colour=colour)


def must_play(tiles: Sequence[Tile], card: Card) -> IllegalStep:
    """Somebody wants to exchange or pass though ``card`` fits somewhere."""
    tile, side = next((tile, side) for tile in tiles for side in range(SEATS) if fits(tile, card, side))
    return IllegalStep(
        "{card} fits next to tile {tile} on side {side}, so a card must be played",
        hint="Playing is compulsory while any card in hand fits anywhere.",
        card=say(card),
        tile=tile.number,
        side=side,
    )


def check_exchange(state: BalloonCupState, seat: Seat, chosen: tuple[Card, ...]) -> None:
    """The cards to exchange are few enough, each named once in order, and in the hand."""
    if len(chosen) > MOST_EXCHANGED:
        raise IllegalStep("{count} cards are too many: at most 4 are exchanged", count=len(chosen))
    for card in chosen:
        if card not in range(CARDS):
            raise IllegalStep("there is no card {card}", card=card)
    if any(first >= second for first, second in pairwise(chosen)):
        raise IllegalStep("the cards of an exchange are named once each, sorted by colour and value")
    for card in chosen:
        if card not in state.cards.hands[seat].known:
            raise card_not_held(state, seat, card)


def check_cubes(
    rule: filling.FillRule, tile: Tile, tiles: Sequence[Tile], bag: Cubes, number: int, cubes: Cubes
) -> None:
    """A draw is for the tile that waits for it, can come from the bag, and keeps the limit unless it is waived."""
    if number != tile.number:
        raise IllegalStep("tile {due} is to be filled now, not tile {tile}", due=tile.number, tile=number)
    if len(cubes) != len(COLOURS) or min(cubes) < 0 or not filling.keeps(bag, cubes):
        raise IllegalStep("the bag does not hold the cubes {cubes}", cubes=cubes)
    if sum(cubes) != number:
        raise IllegalStep(
            "tile {tile} takes as many cubes as its number says, not {count}", tile=number, count=sum(cubes)
        )
    most = filling.limit(rule, tile, tiles)
    if most is not None and filling.can_keep(most, bag, number) and not filling.keeps(most, cubes):
        raise IllegalStep(
            "the cubes {cubes} break the limit of the fill rule {rule}", cubes=cubes, rule=rule.value
        )


def check_claim(cubes: Cubes, owners: Owners, claim: Claim) -> None:
    """A claim is payable, and its payment is right."""
    trophy, payment = claim.trophy, claim.payment
    if trophy not in COLOURS or len(payment) != len(COLOURS):
        raise IllegalStep("that is no trophy with its payment")
    word = COLOURS[trophy].word
    owner = owners[trophy]
    if owner is not None:
        raise IllegalStep("the {trophy} trophy is taken: seat {owner} has it", trophy=word, owner=owner)
    for colour in COLOURS:
        if not 0 <= payment[colour] <= cubes[colour]:
            raise IllegalStep(
                "{count} {colour} cubes cannot be paid: there are {have}",
                count=payment[colour],
                colour=colour.word,
                have=cubes[colour],
            )
    price = TROPHY_PRICE[trophy]
    own = min(cubes[trophy], price)
    if payment[trophy] != own:
        raise IllegalStep(
            "all cubes of the trophy's own colour are used first: {own} {trophy} ones, not {paid}",
            own=own,
            trophy=word,
            paid=payment[trophy],
        )
    replaced = 0
    for colour in COLOURS:
        if colour == trophy or not payment[colour]:
            continue
        if owners[colour] is None:
            raise IllegalStep(
                "{colour} cubes cannot stand for others: the {colour} trophy is not taken yet",
                colour=colour.word,
            )
        if payment[colour] % TRIPLE:
            raise IllegalStep(
                "{count} {colour} cubes are no triples: three of one colour stand for one missing cube",
                count=payment[colour],
                colour=colour.word,
            )
        replaced += payment[colour] // TRIPLE
    if own + replaced != price:
        raise IllegalStep(
            "the {trophy} trophy costs {price} cubes: {own} of its own and {missing} to be replaced by three each, "
            "but {replaced} are replaced",
            trophy=word,
            price=price,
            own=own,
            missing=price - own,
            replaced=replaced,
        )
