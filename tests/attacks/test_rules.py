"""Cheats at the rules of Balloon Cup: well-formed, signed, proven, and against the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import pytest

from bcnet.entry import place_of, sign_entry
from bcnet.games import registry
from bcnet.games.balloon_cup.actions import Claim, Exchange, Play
from bcnet.games.balloon_cup.material import COLOURS, TROPHY_PRICE
from bcnet.games.balloon_cup.notation import write_card
from bcnet.games.balloon_cup.state import BalloonCupState, Phase
from bcnet.games.interface import Card
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import Payload, write_equality
from bcnet.table.player import Player
from bcnet.table.rounds import Kind
from bcnet.verify import Verdict, verify
from bcnet.wire.v1 import log_pb2 as pb
from tests.table.quick import quick_proofs
from tests.table.room import Room, honest, identity_of, lookup, secrets_of

BALLOON_CUP = registry.get("balloon-cup")


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    """What is tried here are the rules; that every card is proven, others try."""
    with quick_proofs():
        yield


# --- situations ---


def view_of(player: Player) -> BalloonCupState:
    view = player.view()
    assert isinstance(view, BalloonCupState)
    return view


def decider(room: Room) -> Player | None:
    return next((player for player in room.players if player.decision), None)


def nothing_fits(view: BalloonCupState, seat: int) -> bool:
    return view.phase is Phase.TURN and isinstance(view.legal_actions(seat)[0], Exchange)


WANTED: dict[str, Callable[[BalloonCupState, int], bool]] = {
    "turn": lambda view, seat: view.phase is Phase.TURN and isinstance(view.legal_actions(seat)[0], Play),
    "claims": lambda view, seat: view.phase is Phase.CLAIMS,
    "nothing fits": nothing_fits,
    "exchanged, something fits": lambda view, seat: (
        view.phase is Phase.STUCK and isinstance(view.legal_actions(seat)[0], Play)
    ),
    "exchanged, nothing fits": lambda view, seat: (
        view.phase is Phase.STUCK and not isinstance(view.legal_actions(seat)[0], Play)
    ),
}


LIKELY = (10, 5, 1)
"""Seeds of games in which much happens. Nothing depends on them but the time that the search takes."""


@cache
def log_of(situation: str) -> tuple[int, tuple[bytes, ...]]:
    """A game that has come to a situation: its seed, and its log up to there."""
    wanted = WANTED[situation]

    def is_there(room: Room) -> bool:
        player = decider(room)
        return player is not None and wanted(view_of(player), player.number)

    for seed in (*LIKELY, *range(60)):
        room = Room.of(BALLOON_CUP, seed=seed)
        room.play(until=is_there)
        if not room.complete:
            return seed, tuple(room.file(0))
    raise AssertionError(f"no game comes to: {situation}")


class Situation:
    """Two players who have come so far; the one who has to decide is the attacker."""

    def __init__(self, name: str) -> None:
        seed, log = log_of(name)
        self.players = [honest(seat, secrets_of(seat, seed), identity_of(seat)) for seat in (0, 1)]
        for player in self.players:
            player.restore(log)
        self.attacker = next(player for player in self.players if player.decision)
        self.victim = self.players[1 - self.attacker.number]
        self.view = view_of(self.attacker)
        self.hand = self.view.hand(self.attacker.number).known

    def say(self, action: str, shown: Sequence[Card] = ()) -> bytes:
        """The attacker's entry for an action, with true proofs for the cards that it shows."""
        here = self.attacker.table.log.open
        keeper, slots = self.attacker.seat._own_keeper(), self.attacker.seat._own_slots()
        openings = [
            pb.Opening(
                slot=slots[card],
                card=card,
                proof=write_equality(keeper.open(here.number, here.head, slots[card])),
            )
            for card in sorted(shown)
        ]
        act = Payload(Kind.ACT, pb.Act(action=action, openings=openings))
        body = self.attacker.table.body(self.attacker.number, act)
        return sign_entry(body, identity_of(self.attacker.number).sign_message)

    def convicts(self, action: str, shown: Sequence[Card] = ()) -> FaultKind:
        """What the honest side makes of it; its file says the same."""
        entry = self.say(action, shown)
        before = self.victim.table.course.state
        reaction = self.victim.receive(entry)
        fault = self.victim.table.fault
        assert fault is not None, "nobody minds"
        assert (fault.seat, fault.round) == (self.attacker.number, place_of(entry)[0])
        assert [standing.data for standing in reaction.entries] == [entry]
        assert self.victim.table.course.state == before
        file = [each.data for each in self.victim.table.log.entries()] + [entry]
        report = verify(file, games=lookup)
        assert report.verdict is Verdict.CHEATED
        assert report.fault == fault
        return fault.kind

    @property
    def hidden(self) -> list[Card]:
        """The cards of the attacker's hand that nobody else has seen."""
        shown = self.attacker.table.course.state.hand(self.attacker.number).shown
        return [card for card in self.hand if card not in shown]


@pytest.fixture
def turn() -> Situation:
    return Situation("turn")


# --- playing ---


def test_a_card_where_its_colour_has_no_room(turn: Situation) -> None:
    legal = set(turn.view.legal_actions(turn.attacker.number))
    card, tile, side = next(
        (card, tile, side)
        for card in turn.hand
        for tile in (1, 2, 3, 4)
        for side in (0, 1)
        if Play(card, tile, side) not in legal
    )
    assert turn.convicts(f"play {write_card(card)} {tile} {side}", [card]) is FaultKind.ILLEGAL_ACTION


@pytest.mark.parametrize("place", ["5 0", "0 0", "1 2", "1", "1 0 0", "01 0"])
def test_a_card_on_no_place_of_the_table(turn: Situation, place: str) -> None:
    card = turn.hand[0]
    assert turn.convicts(f"play {write_card(card)} {place}", [card]) is FaultKind.NOTATION


def test_a_card_that_it_does_not_show(turn: Situation) -> None:
    play = turn.view.legal_actions(turn.attacker.number)[0]
    assert turn.convicts(BALLOON_CUP.write(play)) is FaultKind.ILLEGAL_ACTION


def test_another_card_than_the_one_it_shows(turn: Situation) -> None:
    play = turn.view.legal_actions(turn.attacker.number)[0]
    assert isinstance(play, Play)
    other = next(card for card in turn.hand if card != play.card)
    assert turn.convicts(BALLOON_CUP.write(play), [other]) is FaultKind.ILLEGAL_ACTION


def test_the_whole_hand_shown_to_please_a_friend(turn: Situation) -> None:
    play = turn.view.legal_actions(turn.attacker.number)[0]
    assert turn.convicts(BALLOON_CUP.write(play), turn.hand) is FaultKind.OPENING


def test_two_cards_in_one_turn(turn: Situation) -> None:
    """Plays, and plays again before it draws."""
    first, *_, last = turn.view.legal_actions(turn.attacker.number)
    turn.victim.receive(turn.attacker.act(first).entries[0].data)
    body = turn.attacker.table.body(
        turn.attacker.number, Payload(Kind.ACT, pb.Act(action=BALLOON_CUP.write(last)))
    )
    turn.victim.receive(sign_entry(body, identity_of(turn.attacker.number).sign_message))
    assert turn.victim.table.fault is not None
    assert turn.victim.table.fault.kind is FaultKind.NOT_AWAITED


# --- exchanging and passing ---


def test_exchanging_while_something_fits(turn: Situation) -> None:
    """Shows the whole hand, truly, and changes four cards that it does not like."""
    named = " ".join(write_card(card) for card in turn.hand[:4])
    assert turn.convicts(f"exchange {named}", turn.hand) is FaultKind.ILLEGAL_ACTION


def test_passing_while_something_fits(turn: Situation) -> None:
    for action in ("exchange", "pass"):
        assert Situation("turn").convicts(action, turn.hand) is FaultKind.ILLEGAL_ACTION


def test_exchanging_without_showing(turn: Situation) -> None:
    named = " ".join(write_card(card) for card in turn.hand[:4])
    assert turn.convicts(f"exchange {named}") is FaultKind.ILLEGAL_ACTION


def test_exchanging_with_a_card_kept_back() -> None:
    """Nothing fits in what it shows; one card it does not show."""
    stuck = Situation("nothing fits")
    kept_back = stuck.hidden[0]
    shown = [card for card in stuck.hidden if card != kept_back]
    named = write_card(next(card for card in stuck.hand if card != kept_back))
    assert stuck.convicts(f"exchange {named}", shown) is FaultKind.ILLEGAL_ACTION


def test_one_slot_shown_as_two_cards() -> None:
    """Shows the whole hand, but one card it shows twice under two names, and one it hides."""
    stuck = Situation("nothing fits")
    entry = pb.Entry.FromString(stuck.say("exchange", stuck.hidden))
    body = pb.Body.FromString(entry.body)
    body.act.openings[1].slot = body.act.openings[0].slot
    body.act.openings[1].proof.CopyFrom(body.act.openings[0].proof)
    stuck.victim.receive(
        sign_entry(
            body.SerializeToString(deterministic=True), identity_of(stuck.attacker.number).sign_message
        )
    )
    assert stuck.victim.table.fault is not None
    assert stuck.victim.table.fault.kind is FaultKind.OPENING


@pytest.mark.parametrize("count", [5, 8])
def test_exchanging_more_than_four(count: int) -> None:
    stuck = Situation("nothing fits")
    named = " ".join(write_card(card) for card in stuck.hand[:count])
    assert stuck.convicts(f"exchange {named}", stuck.hidden) is FaultKind.NOTATION


def test_exchanging_a_card_of_somebody_else() -> None:
    stuck = Situation("nothing fits")
    other = next(card for card in range(45) if card not in stuck.hand)
    assert stuck.convicts(f"exchange {write_card(other)}", stuck.hidden) is FaultKind.ILLEGAL_ACTION


def test_playing_where_nothing_fits() -> None:
    stuck = Situation("nothing fits")
    card = stuck.hand[0]
    shown = [card] if card in stuck.hidden else []
    assert stuck.convicts(f"play {write_card(card)} 1 0", shown) is FaultKind.ILLEGAL_ACTION


def test_passing_without_exchanging() -> None:
    stuck = Situation("nothing fits")
    assert stuck.convicts("pass", stuck.hidden) is FaultKind.ILLEGAL_ACTION


@pytest.mark.parametrize("name", ["exchanged, something fits", "exchanged, nothing fits"])
def test_exchanging_twice(name: str) -> None:
    stuck = Situation(name)
    assert stuck.convicts(f"exchange {write_card(stuck.hand[0])}", stuck.hidden) is FaultKind.ILLEGAL_ACTION


def test_passing_after_an_exchange_though_something_fits() -> None:
    stuck = Situation("exchanged, something fits")
    assert stuck.convicts("pass", stuck.hidden) is FaultKind.ILLEGAL_ACTION


def test_passing_without_showing_what_was_drawn() -> None:
    stuck = Situation("exchanged, nothing fits")
    assert stuck.hidden
    assert stuck.convicts("pass") is FaultKind.ILLEGAL_ACTION


# --- claiming ---


def payment(*cubes: tuple[str, int]) -> str:
    return " ".join(f"{colour}={count}" for colour, count in cubes)


@pytest.mark.parametrize("action", ["claim red red=7", "claim grey grey=3", "decline"])
def test_claiming_when_nobody_is_asked(turn: Situation, action: str) -> None:
    assert turn.convicts(action) is FaultKind.ILLEGAL_ACTION


def false_claims() -> dict[str, Callable[[BalloonCupState, Claim, int], str]]:
    def taken(view: BalloonCupState, claim: Claim, seat: int) -> str:
        colour = next(colour for colour in COLOURS if view.owners[colour] is not None)
        return f"claim {colour.word} {colour.word}={TROPHY_PRICE[colour]}"

    def with_cubes_that_it_does_not_have(view: BalloonCupState, claim: Claim, seat: int) -> str:
        word = COLOURS[claim.trophy].word
        return f"claim {word} {word}={TROPHY_PRICE[claim.trophy]}"

    def for_too_little(view: BalloonCupState, claim: Claim, seat: int) -> str:
        words = BALLOON_CUP.write(claim).split(" ")
        return " ".join(words[:-1])

    def for_too_much(view: BalloonCupState, claim: Claim, seat: int) -> str:
        *words, last = BALLOON_CUP.write(claim).split(" ")
        colour, _, count = last.partition("=")
        return " ".join((*words, f"{colour}={int(count) + 3}"))

    def with_one_cube_less_in_a_triple(view: BalloonCupState, claim: Claim, seat: int) -> str:
        *words, last = BALLOON_CUP.write(claim).split(" ")
        colour, _, count = last.partition("=")
        return " ".join((*words, f"{colour}={int(count) - 1}"))

    return {
        made.__name__.replace("_", " "): made
        for made in (
            taken,
            with_cubes_that_it_does_not_have,
            for_too_little,
            for_too_much,
            with_one_cube_less_in_a_triple,
        )
    }


@pytest.mark.parametrize("name", sorted(false_claims()))
def test_claiming_a_trophy(name: str) -> None:
    asked = Situation("claims")
    claim = asked.view.legal_actions(asked.attacker.number)[0]
    assert isinstance(claim, Claim)
    action = false_claims()[name](asked.view, claim, asked.attacker.number)
    assert asked.convicts(action) is FaultKind.ILLEGAL_ACTION


def test_playing_when_asked_for_a_claim() -> None:
    asked = Situation("claims")
    card = asked.hand[0]
    assert asked.convicts(f"play {write_card(card)} 1 0", [card]) is FaultKind.ILLEGAL_ACTION


def test_claiming_in_a_second_spelling() -> None:
    asked = Situation("claims")
    right = BALLOON_CUP.write(asked.view.legal_actions(asked.attacker.number)[0])
    for wrong in (right.upper(), right + " ", right + " grey=0", right.replace("=", " = ")):
        assert Situation("claims").convicts(wrong) is FaultKind.NOTATION
