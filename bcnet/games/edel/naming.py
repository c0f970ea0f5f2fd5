"""What gems and cards are called, for people."""

from __future__ import annotations

from collections.abc import Mapping

from bcnet.errors import Phrase, listed
from bcnet.games.edel.material import CASH, COLOURS, ActionCard, Cards, Colour, EventCard, Gems
from bcnet.games.edel.scoring import MOST_CERTIFICATES, SECOND_CERTIFICATES, SURCHARGE

ACTION_NAMES: Mapping[ActionCard, Phrase] = {
    ActionCard.MONEY: Phrase("Money"),
    ActionCard.EVENT: Phrase("Event"),
    ActionCard.GEMS: Phrase("Gems"),
    ActionCard.FREE: Phrase("Free Choice"),
}
_PLAIN: Mapping[EventCard, tuple[Phrase, Phrase]] = {
    EventCard.CERTIFICATE: (
        Phrase("certificate"),
        Phrase(
            "at a scoring the most certificates bring {most}, the second most {second}",
            most=MOST_CERTIFICATES,
            second=SECOND_CERTIFICATES,
        ),
    ),
    EventCard.VAULT: (Phrase("vault"), Phrase("at a scoring no gems go back for one colour")),
    EventCard.CASH: (Phrase("cash"), Phrase("{money} money at once", money=CASH)),
    EventCard.JEWEL_BOX: (Phrase("jewel box"), Phrase("three gems of three colours at once")),
    EventCard.SWAP: (Phrase("swap"), Phrase("one own gem for one of any other player's, at once")),
    EventCard.LEVY: (Phrase("levy"), Phrase("every other player gives a gem, at once")),
}


def _of_a_colour(card: EventCard) -> tuple[bool, Colour]:
    """Whether it is a surcharge (else a doubler), and its colour."""
    kind, _, word = card.value.partition("-")
    return kind == "surcharge", next(colour for colour in COLOURS if colour.word == word)


def event_card(card: EventCard) -> Phrase:
    """The name of an event card."""
    if card in _PLAIN:
        return _PLAIN[card][0]
    is_surcharge, colour = _of_a_colour(card)
    return Phrase("{colour} surcharge" if is_surcharge else "{colour} doubler", colour=colour.word)


def what_it_does(card: EventCard) -> Phrase:
    """What an event card brings whoever takes it."""
    if card in _PLAIN:
        return _PLAIN[card][1]
    is_surcharge, colour = _of_a_colour(card)
    if is_surcharge:
        return Phrase(
            "at the scoring {money} more for winning or sharing {colour}", money=SURCHARGE, colour=colour.word
        )
    return Phrase("at the scoring the own payout for {colour} counts twice", colour=colour.word)


def letters(gems: Gems) -> str:
    """A letter for each gem, as in RRB."""
    return "".join(colour.letter * gems[colour] for colour in COLOURS)


def cards_in_words(cards: Cards) -> str:
    """Event cards as a list: "2 × certificate and vault"; "none" for none."""
    counts = {card: cards.count(card) for card in cards}
    parts = [
        Phrase("{number} × {card}", number=number, card=event_card(card)) if number > 1 else event_card(card)
        for card, number in counts.items()
    ]
    return listed(parts) or Phrase("none")


def gems_in_words(gems: Gems) -> str:
    """Gems as a list: "2 red and 1 blue"; "nothing" for none."""
    parts = [
        Phrase("{count} {colour}", count=gems[colour], colour=colour.word)
        for colour in COLOURS
        if gems[colour]
    ]
    return listed(parts) or Phrase("nothing")
