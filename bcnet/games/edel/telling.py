"""What happened, in words: a sentence an event, the same for every onlooker."""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.errors import Phrase, in_a_row, listed
from bcnet.games.edel import events as edel
from bcnet.games.edel.material import GEM_CARDS, PASSES
from bcnet.games.edel.naming import ACTION_NAMES, event_card, gems_in_words, letters, what_it_does
from bcnet.games.edel.scoring import Payout
from bcnet.games.happened import PlayerResigned
from bcnet.games.interface import Event


def tell(event: Event, names: Sequence[str]) -> str:
    """One event as a sentence; empty for an event that says nothing to people. ``names`` are by seat."""
    match event:
        case edel.RoundBegun(passing, number, seats, cards):
            dealt = [gem_card(names[seat], card) for seat, card in zip(seats, cards, strict=True)]
            return Phrase(
                "Pass {passing} of {passes}, round {round}. Gem cards: {cards}.",
                passing=passing,
                passes=PASSES,
                round=number,
                cards=in_a_row(dealt),
            )
        case edel.EventOpened(card):
            return Phrase(
                "The open event card is {card}: {what}.", card=event_card(card), what=what_it_does(card)
            )
        case edel.EventsShuffled(cards):
            return Phrase("The event deck is made of {number} used cards anew.", number=len(cards))
        case edel.CardsChosen(seats, choices):
            chosen = [
                Phrase("{name} {action}", name=names[seat], action=ACTION_NAMES[card])
                for seat, card in zip(seats, choices, strict=True)
            ]
            return Phrase("All action cards are opened: {choices}.", choices=in_a_row(chosen))
        case edel.ActionLapsed(action, seats):
            who = listed([names[seat] for seat in seats])
            return Phrase("{action}: nothing happens for {names}.", action=ACTION_NAMES[action], names=who)
        case edel.TradeOpened(action, opener, other):
            return Phrase(
                "{action}: {name} and {other} trade, and {name} makes the first offer.",
                action=ACTION_NAMES[action],
                name=names[opener],
                other=names[other],
            )
        case edel.OfferMade(seat, gems):
            return Phrase("{name} offers {gems}.", name=names[seat], gems=gems_in_words(gems))
        case edel.OfferAccepted(seat, by, gems, forced):
            return Phrase(
                "{name} cannot offer more and takes {gems}: {other} performs the action."
                if forced
                else "{name} accepts and takes {gems}: {other} performs the action.",
                name=names[seat],
                gems=gems_in_words(gems),
                other=names[by],
            )
        case edel.MoneyTaken(seat, money):
            return Phrase("{name} gets {money} money.", name=names[seat], money=money)
        case edel.GemsTaken(seat, gems):
            return Phrase("{name} gets {gems} from the supply.", name=names[seat], gems=gems_in_words(gems))
        case edel.EventTaken(seat, card, face_down):
            return Phrase(
                "{name} takes a face-down event card, {card}: {what}."
                if face_down
                else "{name} takes the open event card, {card}: {what}.",
                name=names[seat],
                card=event_card(card),
                what=what_it_does(card),
            )
        case edel.GemsSwapped(seat, gave, other, took):
            return Phrase(
                "{name} gives {other} a {gave} gem for a {took} one.",
                name=names[seat],
                other=names[other],
                gave=gave.word,
                took=took.word,
            )
        case edel.GemGiven(seat, to, colour):
            return Phrase(
                "{name} gives {other} a {colour} gem.", name=names[seat], other=names[to], colour=colour.word
            )
        case edel.ColourScored(colour, payouts):
            if not payouts:
                return Phrase("Scoring {colour}: nobody has any.", colour=colour.word)
            return Phrase(
                "Scoring {colour}: {payouts}.", colour=colour.word, payouts=paid_out(payouts, names)
            )
        case edel.GemsReturned(seat, colour, count):
            return Phrase(
                "{name} gives back {count} {colour}.", name=names[seat], count=count, colour=colour.word
            )
        case edel.VaultUsed(seat, colour):
            return Phrase("{name} uses a vault and keeps all {colour}.", name=names[seat], colour=colour.word)
        case edel.CertificatesScored(payouts):
            if not payouts:
                return Phrase("Scoring certificates: nobody has any. All event cards are given back.")
            return Phrase(
                "Scoring certificates: {payouts}. All event cards are given back.",
                payouts=paid_out(payouts, names),
            )
        case PlayerResigned(seat):
            return Phrase("{name} resigns and gives all back.", name=names[seat])
        case _:
            return ""


def gem_card(name: str, card: int) -> Phrase:
    """Whose gem card shows what: "Ann 5 or RBB"."""
    money, gems = GEM_CARDS[card]
    return Phrase("{name} {money} or {gems}", name=name, money=money, gems=letters(gems))


def paid_out(payouts: Sequence[Payout], names: Sequence[str]) -> str:
    """Who gets how much: "Ann 14, Bob 4"."""
    return in_a_row([Phrase("{name} {money}", name=names[seat], money=money) for seat, money in payouts])
