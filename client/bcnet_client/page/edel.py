# ruff: noqa: D102 (the base class says it)
"""The table of Edel, Stein & Reich as SVG. Every gem has the letter of its colour as well as the colour.

From top to bottom: when it is and what lies out, a row for each player with money, gems, gem card, choice and event
cards, and the offers of a trade that goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from bcnet.errors import Phrase, listed
from bcnet.games.edel.material import COLOURS, GEM_CARDS, PASSES, Colour
from bcnet.games.edel.naming import ACTION_NAMES, cards_in_words, event_card, gems_in_words, letters
from bcnet.games.edel.state import EdelState
from bcnet.games.interface import Seat
from bcnet.replay import Moment, Playback
from bcnet_client.page.drawing import Drawing, Race
from bcnet_client.page.markup import Markup, tag

WIDTH = 600
_LEFT, _TOP, _ROW = 12, 74, 54
_NAME_ROOM, _MONEY_ROOM = 126, 52
_BOX, _STEP = 34, 38
_MOST_NAME = 15
_FOOT = 48


class EdelDrawing(Drawing):
    """Edel, Stein & Reich on a page."""

    title: ClassVar[str] = "Edel, Stein & Reich"
    style: ClassVar[str] = """
.red rect{fill:#c1272d}.yellow rect{fill:#f5d90a}.green rect{fill:#00804a}.blue rect{fill:#1f5fd0}
svg text{font:14px system-ui,sans-serif;fill:#1b1b1b}.red text,.green text,.blue text{fill:#fff}
.gem text{text-anchor:middle;font-weight:700}.gem rect{stroke:#1b1b1b}.most rect{stroke-width:4}
.seat>rect{fill:#eef3f7;stroke:#6b7b8a}.seat.turn>rect{stroke-width:3;stroke:#1b7f3b}
svg .turn{font-weight:700}svg .money{font-weight:700}svg .small{font-size:12px}
"""

    def board(self, moment: Moment, names: Sequence[str]) -> Markup:
        state = _state(moment)
        parts = [*_lying_out(state), *(_row(moment, seat, names) for seat in state.everybody)]
        below = _TOP + len(state.everybody) * _ROW + 18
        parts += [
            _text(_LEFT, below + 18 * at, line, "small") for at, line in enumerate(_trading(moment, names))
        ]
        height = _TOP + len(state.everybody) * _ROW + _FOOT
        label = Phrase("The table: money, gems and cards of all players; {when}", when=_when(state))
        return tag(
            "svg", *parts, viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=label, class_="board"
        )

    def races(self, playback: Playback) -> tuple[Race, ...]:
        states = [_state(moment) for moment in playback.moments]
        seats = states[0].everybody
        last = states[-1].result
        marks = tuple((seat, len(states) - 1, "★") for seat in (last.winners if last is not None else ()))
        money = tuple(tuple(state.holdings[seat].money for state in states) for seat in seats)
        gems = tuple(tuple(sum(state.gems(seat)) for state in states) for seat in seats)
        return (Race(Phrase("Money"), money, marks), Race(Phrase("Gems"), gems))


def _state(moment: Moment) -> EdelState:
    assert isinstance(moment.state, EdelState)
    return moment.state


def _when(state: EdelState) -> Phrase:
    return Phrase(
        "pass {passing} of {passes}, round {round} of {rounds}",
        passing=state.passing,
        passes=PASSES,
        round=state.round,
        rounds=state.rounds,
    )


# --- single things ---


def _text(x: float, y: float, text: str, class_: str | None = None) -> Markup:
    return tag("text", text, x=x, y=y, class_=class_)


def _short(name: str) -> str:
    return name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 1]}…"


def _gem(x: float, y: float, colour: Colour, text: str, *, most: bool = False, tall: float = 24) -> Markup:
    """Gems of one colour, with their number; with a thick edge where nobody has more."""
    rect = tag("rect", x=x, y=y, width=_BOX, height=tall, rx=4)
    number = _text(x + _BOX / 2, y + tall / 2 + 5, f"{colour.letter}{text}")
    return tag("g", rect, number, class_=f"gem {colour.word}{' most' if most else ''}")


# --- the parts ---


def _lying_out(state: EdelState) -> Iterator[Markup]:
    opened = Phrase("none") if state.open_event is None else event_card(state.open_event)
    yield _text(_LEFT, 20, _when(state), "turn")
    counts = Phrase(
        "open event card: {card} · deck {deck} · discards {discards}",
        card=opened,
        deck=len(state.deck),
        discards=len(state.discards),
    )
    yield _text(_LEFT, 42, counts)
    yield _text(_LEFT, 62, Phrase("supply: {gems}", gems=gems_in_words(state.supply)), "small")


def _row(moment: Moment, seat: Seat, names: Sequence[str]) -> Markup:
    """What lies before a player: above money, gems and the gem card, below the choice and the event cards."""
    state, y = _state(moment), _TOP + seat * _ROW
    acts = seat in moment.awaited
    parts = [tag("rect", x=_LEFT - 6, y=y, width=WIDTH - 2 * _LEFT + 12, height=_ROW - 6, rx=6)]
    parts.append(
        _text(_LEFT, y + 19, f"{'▶ ' if acts else ''}{_short(names[seat])}", "turn" if acts else None)
    )
    if seat not in state.present:
        parts.append(_text(_LEFT, y + 39, Phrase("resigned"), "small"))
        return tag("g", *parts, class_="seat")
    holding = state.holdings[seat]
    x: float = _LEFT + _NAME_ROOM
    parts.append(_text(x, y + 19, Phrase("{money} money", money=holding.money), "money"))
    x += _MONEY_ROOM + 30
    for colour in COLOURS:
        count = holding.gems[colour]
        most = bool(count) and count == max(state.gems(other)[colour] for other in state.present)
        parts.append(_gem(x, y + 3, colour, str(count), most=most))
        x += _STEP
    if (number := state.gem_cards[seat]) is not None:
        money, gems = GEM_CARDS[number]
        shown = Phrase("card: {money} or {gems}", money=money, gems=letters(gems))
        parts.append(_text(x + 10, y + 19, shown))
    if (choice := state.choices[seat]) is not None:
        parts.append(_text(_LEFT, y + 39, Phrase("chose {action}", action=ACTION_NAMES[choice]), "small"))
    if holding.cards:
        shown = Phrase("event cards: {cards}", cards=cards_in_words(holding.cards))
        parts.append(_text(_LEFT + _NAME_ROOM, y + 41, shown, "small"))
    return tag("g", *parts, class_="seat turn" if acts else "seat")


def _trading(moment: Moment, names: Sequence[str]) -> Iterator[str]:
    """Who trades for what, and what lies on the table."""
    state = _state(moment)
    if state.trade is None or state.action is None:
        return
    asked, other, offer = state.trade
    pair = listed([names[seat] for seat in sorted((asked, other))])
    yield Phrase("{action}: {names} trade", action=ACTION_NAMES[state.action], names=pair)
    if offer is not None:
        yield Phrase("{name} offers {gems}", name=names[other], gems=gems_in_words(offer))


DRAWING = EdelDrawing()
