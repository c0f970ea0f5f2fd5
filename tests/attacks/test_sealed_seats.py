"""Choices that three, four or five make at once: not changed, not copied, not guessed, and no seat leaves unnamed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

import pytest

from bcnet.fairness import sealed
from bcnet.fairness.errors import Invalid
from bcnet.games import registry
from bcnet.games.edel.material import ActionCard
from bcnet.games.interface import Game, Over
from bcnet.hashing import tagged_hash
from bcnet.table.faults import FaultKind
from bcnet.table.payloads import Payload
from bcnet.table.rounds import Kind
from bcnet.verify import Lack, Verdict, verify
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks.arena import Arena, arena_with, check_conviction, check_not_convicted, together
from tests.attacks.attackers import heard
from tests.attacks.cheats import Cheat, Cheater, Says, Silent, body_of
from tests.table.quick import quick_proofs
from tests.table.room import lookup
from tests.toy import Toy

SEATS = (3, 4, 5)
TABLES = [*((Toy, seats) for seats in SEATS), *((lambda: registry.get("edel"), seats) for seats in SEATS)]
NAMES = [f"{game}-{seats}" for game, seats in product(("toy", "edel"), SEATS)]

tables = pytest.mark.parametrize(("game", "seats"), TABLES, ids=NAMES)


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


def table(cheat: Cheat, game: Callable[[], Game], seats: int) -> Arena:
    """A table at which the last seat cheats, played until nothing moves any more, or for some rounds."""
    arena = arena_with(cheat, seats - 1, game=game(), seats=seats)
    arena.play(until=lambda arena: len(arena.players[0].table.log) > 60)
    return arena


def others(arena: Arena, cheat: int) -> list[int]:
    return [seat for seat in range(len(arena.players)) if seat != cheat]


class LastWord(Cheat):
    """Sees all the others' openings, and then opens something else than it has sealed."""

    def waits(self, me: Cheater, kind: Kind) -> bool:
        return kind is Kind.UNSEAL

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        if payload.kind is not Kind.UNSEAL:
            return payload
        state, game = me.table.course.state, me.table.course.game
        assert game is not None
        legal = [game.write(action) for action in state.legal_actions(me.number)]
        other = next(text for text in legal if text != payload.message.choice)  # type: ignore[attr-defined]
        return Payload(Kind.UNSEAL, pb.Unseal(choice=other, salt=payload.message.salt))  # type: ignore[attr-defined]


class CopiesASeal(Cheat):
    """Waits for the others' commitments, says the first seat's as its own, and opens it as that seat does."""

    def waits(self, me: Cheater, kind: Kind) -> bool:
        return kind in (Kind.SEAL, Kind.UNSEAL)

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        return Payload(Kind.SEAL, heard(me, "seal").seal) if payload.kind is Kind.SEAL else payload

    def improvise(self, me: Cheater, kind: Kind) -> Payload | None:
        return Payload(Kind.UNSEAL, heard(me, "unseal").unseal)


@tables
@pytest.mark.parametrize("cheat", [LastWord, CopiesASeal])
def test_a_choice_is_not_changed_and_not_copied(
    cheat: Callable[[], Cheat], game: Callable[[], Game], seats: int
) -> None:
    """Each honest seat finds it by itself; the last seat spoke last, so all others' openings are there."""
    arena = table(cheat(), game, seats)
    for honest in others(arena, seats - 1):
        check_conviction(
            arena, honest, seats - 1, FaultKind.SEALED_CHOICE, found=Kind.UNSEAL, flaws="bad-seal"
        )


@tables
def test_two_choices_sealed(game: Callable[[], Game], seats: int) -> None:
    """Seals twice, to open later the one that it likes."""

    def say(me: Cheater, data: bytes) -> list[bytes]:
        body = body_of(data)
        body.seal.commitment = bytes(range(32))
        return [data, me.sign(body)]

    arena = table(Says(Kind.SEAL, say), game, seats)
    for honest in others(arena, seats - 1):
        check_conviction(arena, honest, seats - 1, FaultKind.EQUIVOCATION)


class Leaves(LastWord):
    """Sees all the others' openings, and resigns in place of its own."""

    def payload(self, me: Cheater, payload: Payload) -> Payload | None:
        return Payload(Kind.RESIGN, me.seat.resignation()) if payload.kind is Kind.UNSEAL else payload


class RefusesLast(Silent):
    """Sees all the others' openings, and says nothing more."""

    def waits(self, me: Cheater, kind: Kind) -> bool:
        return kind is Kind.UNSEAL


@tables
def test_who_refuses_its_opening_is_what_all_files_lack(game: Callable[[], Game], seats: int) -> None:
    """Its entry alone is missing, in every file and in all together; that convicts nobody, but it says whose it is."""
    arena = table(RefusesLast(Kind.UNSEAL), game, seats)
    number = arena.players[0].table.log.open.number
    assert arena.players[0].table.awaiting
    assert arena.players[0].table.awaiting.kind is Kind.UNSEAL
    assert len(arena.players[0].table.log.open.entries) == seats - 1, "it has seen all others'"
    for report in (
        *(verify(arena.file(seat), games=lookup) for seat in range(seats)),
        together(*map(arena.file, range(seats))),
    ):
        assert report.verdict is Verdict.INCOMPLETE
        assert report.fault is None
        assert report.lacks == (Lack(seats - 1, number, Kind.UNSEAL),)


@tables
def test_who_resigns_in_place_of_its_opening_gains_nothing(game: Callable[[], Game], seats: int) -> None:
    """All others choose anew, in secret: none of the choices that were seen is opened again under its old seal."""
    arena = table(Leaves(), game, seats)
    for seat in others(arena, seats - 1):
        course = arena.players[seat].table.course
        assert arena.players[seat].table.fault is None
        assert seats - 1 not in course.present
        need = course.state.need
        assert not isinstance(need, Over) or seats - 1 not in need.winners
    bodies = [body_of(data) for data in arena.said_by(0)]
    seals = [body.seal.commitment for body in bodies if body.HasField("seal")]
    salts = [body.unseal.salt for body in bodies if body.HasField("unseal")]
    assert len(seals) > 1
    assert len(set(seals)) == len(seals)
    assert len(set(salts)) == len(salts)
    for report in (verify(arena.file(0), games=lookup), together(*map(arena.file, others(arena, seats - 1)))):
        check_not_convicted(report, seats - 1)


# --- guessing ---


def guessed(
    place: sealed.Place, commitment: bytes, choices: list[bytes], salts: Mapping[bytes, bytes]
) -> list[bytes]:
    """The choices that a commitment would open to, by a salt for each."""
    found = []
    for choice in choices:
        try:
            sealed.check_opening(place, commitment, choice, salts[choice])
        except Invalid:
            continue
        found.append(choice)
    return found


@pytest.mark.parametrize(("game", "seats"), [*((Toy, n) for n in SEATS), (lambda: registry.get("edel"), 5)])
def test_a_choice_cannot_be_guessed_before_it_is_opened(game: Callable[[], Game], seats: int) -> None:
    """There are few choices; whoever knows the salt tries them all. It is the salt that keeps them secret.

    Tried with all that the others know (zeros, the head, the table's id, their own salts), no choice fits; with the
    salt that is opened later, exactly the one that was sealed.
    """
    arena = arena_with(Cheat(), seats - 1, game=game(), seats=seats)
    arena.play(until=lambda arena: Kind.UNSEAL in kinds_of(arena))
    table = arena.players[0].table
    course, rules = table.course, table.course.game
    assert rules is not None
    log = [body_of(entry.data) for entry in table.log.entries()]
    unseals = [body for body in log if body.HasField("unseal")][:seats]
    number = unseals[0].round - 1
    here = table.log[number]
    sealed_there = {body.seat: body for body in log if body.HasField("seal") and body.round == number}
    for victim in range(seats):
        place, commitment = course.place(victim, here), sealed_there[victim].seal.commitment
        opened = next(body.unseal for body in unseals if body.seat == victim)
        choices = [b"left", b"right"] if isinstance(rules, Toy) else CARDS
        assert opened.choice.encode() in choices
        for salt in (
            bytes(32),
            here.head,
            course.table_id,
            *(b.unseal.salt for b in unseals if b.seat != victim),
        ):
            assert not guessed(place, commitment, choices, dict.fromkeys(choices, salt))
        assert guessed(place, commitment, choices, dict.fromkeys(choices, opened.salt)) == [
            opened.choice.encode()
        ]


CARDS = [f"choose {card.value}".encode() for card in ActionCard]


def kinds_of(arena: Arena) -> set[Kind]:
    return {
        Kind(body_of(entry.data).WhichOneof("payload") or "")
        for entry in arena.players[0].table.log.entries()
    }


def test_a_salt_that_anybody_can_compute_gives_the_choice_away() -> None:
    """A program that salts with what all know plays with open cards: the test of guessing finds its choice at once."""
    arena = arena_with(Cheat(), 2, game=Toy(), seats=3)
    arena.settle()
    place = arena.players[0].table.course.place(1, arena.players[0].table.log.open)
    salt = tagged_hash("no-secret", place.table_id, place.head)
    commitment = sealed._commitment(place, b"right", salt)
    assert guessed(place, commitment, [b"left", b"right"], {b"left": salt, b"right": salt}) == [b"right"]
