"""Several files of one table, and who is convicted by them: never a seat that has signed nothing wrong."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from bcnet.entry import place_of, sign_entry
from bcnet.errors import Exit
from bcnet.table.faults import FaultKind
from bcnet.verify import Verdict, verify, worst
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks.arena import groups, together, verified
from tests.table.quick import quick_proofs
from tests.table.room import Room, identity_of, lookup
from tests.toy import Toy

TRANSCRIPTS = Path(__file__).resolve().parents[1] / "vectors" / "transcripts"


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


@pytest.fixture
def game() -> list[bytes]:
    """A finished game."""
    room = Room.of(Toy())
    room.play()
    return room.file(0)


def body_of(data: bytes) -> pb.Body:
    return pb.Body.FromString(pb.Entry.FromString(data).body)


def signed(body: pb.Body | bytes, seat: int) -> bytes:
    data = body if isinstance(body, bytes) else body.SerializeToString(deterministic=True)
    return sign_entry(data, identity_of(seat).sign_message)


def at(game: list[bytes], round_: int, seat: int) -> bytes:
    return next(data for data in game if place_of(data) == (round_, seat))


def with_unknown_field(data: bytes, seat: int) -> bytes:
    """The body of an entry with something unknown behind it, signed by ``seat``."""
    return signed(pb.Entry.FromString(data).body + b"\xfa\x3f\x01x", seat)


def test_the_same_game_twice_is_as_good_as_once(game: list[bytes]) -> None:
    assert together(game, game).verdict is Verdict.CLEAN


def test_the_longest_file_counts(game: list[bytes]) -> None:
    for files in ((game, game[:-1]), (game[:9], game), (game[:9], game[:3], game, game[:20])):
        assert together(*files).verdict is Verdict.CLEAN
    report = together(game[:9], game[:12])
    assert report.verdict is Verdict.INCOMPLETE
    assert report.entries == 12


def test_two_heads_convict_who_has_signed_them(game: list[bytes]) -> None:
    """Seat 1 has said one thing to us and another in its own file."""
    other = body_of(game[9])
    assert (other.round, other.seat) == place_of(game[9])
    seat = other.seat
    resigned = pb.Body(version=1, table=other.table, round=other.round, seat=seat, head=other.head)
    resigned.resign.SetInParent()
    report = together(game, [*game[:9], signed(resigned, seat)])
    assert report.verdict is Verdict.CHEATED
    assert report.fault is not None
    assert (report.fault.seat, report.fault.round, report.fault.kind) == (
        seat,
        other.round,
        FaultKind.EQUIVOCATION,
    )
    assert set(report.fault.evidence) == {game[9], signed(resigned, seat)}


def test_another_signature_over_the_same_body_is_no_contradiction(game: list[bytes]) -> None:
    """A signature that does not hold makes a file unreadable, and says nothing about its seat."""
    entry = pb.Entry.FromString(game[9])
    entry.signature = entry.signature[:-1] + bytes([entry.signature[-1] ^ 1])
    reports = groups(game, [*game[:9], entry.SerializeToString(deterministic=True)])
    assert [report.verdict for report in reports] == [Verdict.CLEAN, Verdict.UNREADABLE]


@pytest.mark.parametrize("victim", [0, 1])
def test_a_malformed_body_that_claims_another_seat_convicts_its_author_alone(
    game: list[bytes], victim: int
) -> None:
    """The attacker signs, with his own key, an unreadable variant of what the honest seat has said.

    (Found by review: read leniently it was "another body of the victim's", and convicted the victim, in one file
    as in two.)
    """
    attacker = 1 - victim
    for data in game:
        round_, seat = place_of(data)
        if seat != victim or round_ < 3:
            continue
        poisoned = [*game[: game.index(data) + 1], with_unknown_field(data, attacker)]
        for report in (verify(poisoned, games=lookup), together(poisoned), together(game, poisoned)):
            assert report.verdict is Verdict.CHEATED
            assert report.fault is not None
            assert (report.fault.seat, report.fault.kind) == (attacker, FaultKind.MALFORMED)


def test_each_side_lacks_the_other_s_last_word(game: list[bytes]) -> None:
    """The line died as both revealed their seeds: each file has one of them, and together they are whole."""
    *before, one, other = game
    assert [place_of(each)[1] for each in (one, other)] == [0, 1]
    for files in (([*before, one], [*before, other]), ([*before, other], [*before, one])):
        report, *_ = groups(*files)
        assert report.verdict is Verdict.CLEAN
        assert report.entries == len(game)
        assert [single.verdict for single in verified(*files)[0].single] == [Verdict.INCOMPLETE] * 2


def test_what_is_found_does_not_depend_on_the_order_of_the_files(game: list[bytes]) -> None:
    """Files that convict for two rounds, a third that is cut short, and one that is whole."""
    seat = 1
    rounds = sorted(
        {place_of(data)[0] for data in game if place_of(data)[1] == seat and place_of(data)[0] > 3}
    )
    files = [game, game[:15]]
    for round_ in rounds[4:1:-1]:
        index = game.index(at(game, round_, seat))
        files.append([*game[: index + 1], with_unknown_field(game[index], seat)])
    orders = random.Random(1).sample(list(itertools.permutations(files)), 6)
    reports = [groups(*order) for order in orders]
    assert all(report == reports[0] for report in reports)
    (report,) = reports[0]
    assert report.fault is not None
    assert report.fault.kind is FaultKind.MALFORMED
    alone = [verify(file, games=lookup).fault for file in files[2:]]
    assert report.fault.round == min(fault.round for fault in alone if fault is not None)


def test_of_three_bodies_for_one_round_always_the_same_two_are_shown(game: list[bytes]) -> None:
    body = body_of(game[9])
    variants = []
    for change in ("resign", "reveal", "share"):
        other = pb.Body(version=1, table=body.table, round=body.round, seat=body.seat, head=body.head)
        getattr(other, change).SetInParent()
        variants.append([*game[:9], signed(other, body.seat)])
    orders = itertools.islice(itertools.permutations([game, *variants]), 0, None, 4)
    faults = [together(*order).fault for order in orders]
    assert all(fault == faults[0] for fault in faults)


def test_files_of_the_honest_side_only_never_convict_it(game: list[bytes]) -> None:
    """Whatever parts of a log are put together: what one program has said never contradicts itself."""
    for cut in range(2, len(game), 3):
        report = together(game, game[:cut])
        assert report.verdict is Verdict.CLEAN


def test_the_worst_decides_the_exit_code(game: list[bytes]) -> None:
    clean = verify(game, games=lookup)
    incomplete = verify(game[:-1], games=lookup)
    unreadable = verify([b"x"], games=lookup)
    cheated = verify([*game[:5], with_unknown_field(game[4], 1)], games=lookup)
    assert [report.verdict.exit_code for report in (clean, cheated, unreadable, incomplete)] == [
        Exit.OK,
        Exit.CHEATED,
        Exit.UNREADABLE,
        Exit.INCOMPLETE,
    ]
    assert (
        worst(
            [
                report.verdict
                for report in (
                    clean,
                    incomplete,
                    unreadable,
                    cheated,
                )
            ]
        )
        is Verdict.CHEATED
    )
    assert (
        worst(
            [
                report.verdict
                for report in (
                    clean,
                    incomplete,
                    unreadable,
                )
            ]
        )
        is Verdict.UNREADABLE
    )
    assert (
        worst(
            [
                report.verdict
                for report in (
                    clean,
                    incomplete,
                )
            ]
        )
        is Verdict.INCOMPLETE
    )
    assert worst([report.verdict for report in (clean,)]) is Verdict.CLEAN
