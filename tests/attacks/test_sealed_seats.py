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
from bcnet.table.rounds import Kind
from bcnet.verify import Lack, Verdict, verify
from tests.attacks.arena import Arena, arena_with, check_conviction, check_not_convicted, together
from tests.attacks.cheats import Cheat, body_of
from tests.attacks.seated import SECRET, CopiesASeal, LastWord, Leaves, RefusesLast, SealsTwice, SeatedCheat
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
    arena = table(SealsTwice(), game, seats)
    for honest in others(arena, seats - 1):
        check_conviction(arena, honest, seats - 1, FaultKind.EQUIVOCATION)


@tables
def test_who_refuses_its_opening_is_what_all_files_lack(game: Callable[[], Game], seats: int) -> None:
    """Its entry alone is missing, in every file and in all together; that convicts nobody, but it says whose it is."""
    arena = table(RefusesLast(), game, seats)
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


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("cheat", SECRET, ids=lambda cheat: cheat.name)
def test_what_becomes_of_it(cheat: SeatedCheat, seats: int) -> None:
    """As docs/threats.md has it: what each honest seat has found at the end, its file, and all of theirs."""
    arena = arena_with(cheat.make(), seats - 1, game=Toy(), seats=seats)
    arena.play()
    honest = others(arena, seats - 1)
    for seat in honest:
        fault = arena.players[seat].table.fault
        assert (fault and (fault.seat, fault.kind)) == (
            None if cheat.fault is None else (seats - 1, cheat.fault)
        )
        report = verify(arena.file(seat), games=lookup)
        assert report.verdict is cheat.verdict
        assert (report.fault and report.fault.kind) == cheat.fault
    assert together(*map(arena.file, honest)).verdict is cheat.verdict


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
