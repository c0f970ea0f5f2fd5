# ruff: noqa: D102 (the base class says it)
"""The face of Edel, Stein & Reich: what `bcnet_client.console` shows and reads, put together from words, view and
input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import ClassVar

from bcnet.errors import Refusal
from bcnet.games.edel import hints
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
from bcnet.games.edel.events import CertificatesScored, ColourScored, OfferAccepted
from bcnet.games.edel.material import COLOURS, GEM_CARDS, PASSES, Colour
from bcnet.games.edel.naming import ACTION_NAMES, cards_in_words, event_card, gems_in_words, what_it_does
from bcnet.games.edel.scoring import Payout, certificate_payouts, colour_payouts, given_back
from bcnet.games.edel.state import EdelState, Phase
from bcnet.games.edel.text import NOTATION, RULES
from bcnet.games.happened import RESIGNATION
from bcnet.games.interface import Action, Event, Over, Seat
from bcnet.language import told
from bcnet_client.console import words as general
from bcnet_client.console.edel import foresight, view, words
from bcnet_client.console.edel import input as reading
from bcnet_client.console.edel.picking import EdelPicking
from bcnet_client.console.face import Candidate, Face, Frame, Picked, Picking
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import Line, joined, line, wrap
from bcnet_client.console.words import say, say_of
from bcnet_client.telling import with_names

MOST_LISTED = 60
"""So many offers are listed; there can be thousands, and all of them can be typed."""


class EdelFace(Face):
    """Edel, Stein & Reich on the console."""

    title: ClassVar[str] = "Edel, Stein & Reich"
    topics: ClassVar[Mapping[str, str]] = {"rules": RULES, "notation": NOTATION}
    usage: ClassVar[tuple[tuple[str, str], ...]] = words.USAGE
    decisions: ClassVar[tuple[str, ...]] = (
        "money",
        "event",
        "gems",
        "free",
        "offer",
        "accept",
        "open",
        "take",
        "swap",
        "give",
        "use",
        "save",
    )
    picking: ClassVar[Picking] = EdelPicking()

    def board(self, scene: Scene, frame: Frame, picked: Picked | None = None) -> list[Line]:
        return view.board(scene, frame, picked)

    def tell(self, event: Event, scene: Scene) -> str:
        return words.tell(event, _own(scene), scene.names)

    def call(self, scene: Scene, picked: Picked | None = None) -> str:
        asked = reading.asked_of(scene)
        if asked is None:
            return ""
        if picked is not None and (text := foresight.foreseen(picked, asked)):
            return text
        return _call(asked)

    def confirm(self, action: Action, scene: Scene) -> str:
        state, names = _state(scene), scene.names
        match action:
            case ChooseCard(card):
                return say(words.CONFIRM_CHOOSE, action=ACTION_NAMES[card])
            case Offer(gems) if state.action is not None:
                return say(words.CONFIRM_OFFER, gems=gems_in_words(gems), action=ACTION_NAMES[state.action])
            case Accept() if state.trade is not None and state.action is not None:
                return say(
                    words.CONFIRM_ACCEPT,
                    gems=gems_in_words(state.trade.offer or (0, 0, 0, 0)),
                    action=ACTION_NAMES[state.action],
                    name=names[state.trade.other],
                )
            case TakeEvent(face_down):
                if face_down or state.open_event is None:
                    return say(words.CONFIRM_FACE_DOWN)
                return say(words.CONFIRM_OPEN, card=event_card(state.open_event))
            case TakeGems(gems):
                return say(words.CONFIRM_TAKE, gems=gems_in_words(gems))
            case Swap(give, seat, take):
                give_word, take_word = Colour(give).word, Colour(take).word
                return say(words.CONFIRM_SWAP, name=names[seat], give=give_word, take=take_word)
            case Give(colour) if state.performer is not None:
                return say(words.CONFIRM_GIVE, name=names[state.performer], colour=Colour(colour).word)
            case UseVault(use) if state.colour is not None:
                count = given_back(state.gems(scene.seat)[state.colour], tied=state.tied)
                template = words.CONFIRM_USE if use else words.CONFIRM_SAVE
                return say(template, colour=state.colour.word, count=count)
            case _:
                return ""

    def progress(self, scene: Scene) -> str:
        state = _state(scene)
        match state.phase:
            case Phase.GEM_CARDS:
                return say(words.DEALING)
            case Phase.EVENT_CARD:
                return say(words.OPENING)
            case Phase.FACE_DOWN:
                return say(words.TURNING)
            case Phase.OPENER:
                return say(words.TOSSING)
            case _:
                waiting = [scene.names[seat] for seat in view.choosing(scene) if seat != scene.seat]
                if waiting:
                    return say_of(waiting, words.CHOSEN_WAITING)
                return say(words.ALL_SEALED)

    def question(self, scene: Scene, columns: int, picked: Picked | None = None) -> list[Line]:
        """Nothing: what can be chosen stands on the table, so that what has happened is seen beside it."""
        del scene, columns, picked
        return []

    def prompt(self, scene: Scene) -> str:
        phase = _state(scene).phase
        if phase is Phase.CHOOSE:
            return say(words.PROMPT_CHOOSE)
        return say(words.PROMPT_TRADE if phase is Phase.TRADE else general.PROMPT)

    def moves(self, scene: Scene, columns: int) -> list[Line]:
        asked = reading.asked_of(scene)
        if asked is None:
            return wrap(say(general.NOTHING_TO_LIST), columns)
        lines = [
            line(("class:number", f"{number:>4}"), f") {_in_words(action, scene)}")
            for number, action in enumerate(islice(asked.answers, MOST_LISTED), 1)
        ]
        if (more := len(asked.answers) - MOST_LISTED) > 0:
            text = say(words.MORE_OFFERS, count=more, last=len(asked.answers), example=asked.example)
            lines += wrap(text, columns)
        return lines

    def hand(self, scene: Scene) -> list[str]:
        state, own = _state(scene), _own(scene)
        rows = (
            [*([_holds(state, seat, scene)] if seat == own else ()), *_gem_card(state, seat, scene)]
            for seat in (scene.seat, *scene.others)
        )
        return [" ".join(row) for row in rows if row]

    def score(self, scene: Scene) -> list[str]:
        state = _state(scene)
        return [
            *(_holds(state, seat, scene) for seat in (scene.seat, *scene.others)),
            *_paid_now(state, scene),
            _lying_out(state),
            say(
                words.ROUND_WORDS,
                passing=state.passing,
                passes=PASSES,
                round=state.round,
                rounds=state.rounds,
            ),
        ]

    def summary(self, scene: Scene) -> list[str]:
        state = _state(scene)
        ranked = sorted(state.present, key=lambda seat: state.holdings[seat].rank, reverse=True)
        return [
            *(
                say(
                    words.RANKED,
                    place=place,
                    name=words.called(seat, _own(scene), scene.names),
                    money=state.holdings[seat].money,
                )
                for place, seat in enumerate(ranked, 1)
            ),
            *_scorings(scene),
            *_trades(scene),
        ]

    def outcome(self, result: Over, scene: Scene) -> str:
        if result.reason == RESIGNATION and scene.seat not in result.winners:
            return say(words.YOU_RESIGNED) if result.winners else say(words.ALL_RESIGNED)
        return say(words.OUTCOMES.get(result.reason, ""))

    def read(self, text: str, scene: Scene) -> Action | None:
        if reading.asked_of(scene) is not None:
            return reading.read(text, scene)
        if not reading.is_attempt(text):
            return None
        names = joined(scene.awaited_others, say(words.AND))
        raise Refusal(general.NOT_YOUR_TURN, hint=general.NOT_YOUR_TURN_HINT, names=names)

    def explain(self, error: Refusal, scene: Scene) -> tuple[str, str]:
        message, hint = (with_names(told(each), scene.names) for each in (error.message, error.hint))
        if not error.template.startswith("{text}"):  # what the player typed stays as it is
            message = message[:1].upper() + message[1:]
        return _closed(message), _closed(hint)

    def advice(self, scene: Scene, clock: Callable[[], float]) -> str:
        del clock  # a glance is enough
        action, reason = hints.hint(_state(scene), scene.seat)
        why = told(reason)
        action_typed = reading.write(action, scene.names)
        return say(words.ADVICE, action=action_typed, why=why[:1].upper() + why[1:])

    def complete(self, text: str, scene: Scene) -> list[Candidate]:
        return reading.complete(text, scene)


def _state(scene: Scene) -> EdelState:
    assert isinstance(scene.state, EdelState)
    return scene.state


def _own(scene: Scene) -> Seat | None:
    return None if scene.open_hands else scene.seat


def _closed(text: str) -> str:
    return text + ("." if text and text[-1] not in ".!?" else "")


def _call(asked: reading.Asked) -> str:
    """What is asked, in one line."""
    state = asked.state
    match asked.phase:
        case Phase.CHOOSE:
            return say(words.CALL_CHOOSE, example=asked.example)
        case Phase.TRADE:
            assert state.action is not None
            action = ACTION_NAMES[state.action]
            if asked.standing is None:
                return say(words.CALL_OPEN, name=asked.partner, action=action, example=asked.example)
            gems = reading.write_gems(asked.standing).upper()
            return say(words.CALL_ANSWER, name=asked.partner, gems=gems, action=action)
        case Phase.EVENT:
            return say(words.CALL_EVENT)
        case Phase.GEMS:
            return say(words.CALL_FREE if state.event is None else words.CALL_JEWELS, example=asked.example)
        case Phase.SWAP:
            return say(words.CALL_SWAP, example=asked.example)
        case Phase.LEVY:
            return say(words.CALL_LEVY, name=asked.partner, example=asked.example)
        case _:
            assert state.colour is not None
            return say(words.CALL_VAULT, colour=state.colour.word)


def _in_words(action: Action, scene: Scene) -> str:
    """An answer in the list of moves."""
    match action:
        case ChooseCard(card):
            what = view.what_it_brings(_state(scene), scene.seat, card)
            return f"{told(ACTION_NAMES[card])}: {what}"
        case Offer(gems) | TakeGems(gems):
            return told(gems_in_words(gems))
        case Give(colour):
            return told(Colour(colour).word)
        case Swap(give, seat, take):
            give_word, take_word = Colour(give).word, Colour(take).word
            return say(words.SWAP_LINE, name=scene.names[seat], give=give_word, take=take_word)
        case _:
            return reading.write(action, scene.names)


# --- the table in words ---


def _holds(state: EdelState, seat: Seat, scene: Scene) -> str:
    if seat not in state.present:
        return say(words.HAS_RESIGNED, name=scene.names[seat])
    holding = state.holdings[seat]
    return say(
        words.HOLDS_OWN if seat == _own(scene) else words.HOLDS,
        name=scene.names[seat],
        money=holding.money,
        gems=gems_in_words(holding.gems),
        cards=cards_in_words(holding.cards),
    )


def _gem_card(state: EdelState, seat: Seat, scene: Scene) -> Iterator[str]:
    number = state.gem_cards[seat]
    if number is not None:
        money, gems = GEM_CARDS[number]
        template = words.GEM_CARD_OWN if seat == _own(scene) else words.GEM_CARD
        yield say(template, name=scene.names[seat], money=money, gems=gems_in_words(gems))


def _paid_now(state: EdelState, scene: Scene) -> Iterator[str]:
    """What each colour, and the certificates, would bring if they were paid now."""
    if state.phase is Phase.OVER:
        return
    playing = {seat: state.holdings[seat] for seat in state.present}
    found = [
        say(words.NOW_COLOUR, colour=colour.word, payouts=_paid_out(colour_payouts(playing, colour), scene))
        for colour in COLOURS
    ]
    found.append(say(words.NOW_CERTIFICATES, payouts=_paid_out(certificate_payouts(playing), scene)))
    yield say(words.NOW_PAID, payouts="; ".join(found))


def _paid_out(payouts: tuple[Payout, ...], scene: Scene) -> str:
    return words.paid_out(payouts, _own(scene), scene.names)


def _lying_out(state: EdelState) -> str:
    opened = state.open_event
    return say(
        words.LIES_NONE if opened is None else words.LIES_OUT,
        card="" if opened is None else event_card(opened),
        what="" if opened is None else what_it_does(opened),
        count=len(state.deck),
        discards=len(state.discards),
        supply=gems_in_words(state.supply),
    )


def _scorings(scene: Scene) -> Iterator[str]:
    """What each scoring has paid to whom."""
    number, paid = 1, Counter[Seat]()
    for each in scene.story:
        match each.event:
            case ColourScored(payouts=payouts):
                _add(paid, payouts)
            case CertificatesScored(payouts):
                _add(paid, payouts)
                rows = tuple(Payout(seat, money) for seat, money in sorted(paid.items()))
                yield say(words.SCORED_IN, number=number, payouts=_paid_out(rows, scene))
                number, paid = number + 1, Counter[Seat]()
            case _:
                pass


def _add(paid: Counter[Seat], payouts: tuple[Payout, ...]) -> None:
    for seat, money in payouts:
        paid[seat] += money


def _trades(scene: Scene) -> Iterator[str]:
    """How often each has performed after a trade, and how often taken gems instead."""
    trades = [each.event for each in scene.story if isinstance(each.event, OfferAccepted)]
    if not trades:
        return
    performed, taken = Counter(event.by for event in trades), Counter(event.seat for event in trades)
    told_of = [
        say(
            words.TRADED[seat != _own(scene)],
            name=scene.names[seat],
            performed=performed[seat],
            taken=taken[seat],
        )
        for seat in sorted(performed.keys() | taken.keys())
    ]
    yield say(words.TRADES, count=len(trades), trades=", ".join(told_of))


FACE = EdelFace()
