"""Private hands at the table: which rounds come when, and what becomes of shown cards, new piles and leavers.

That they hide something is tested in ``test_curious``, and what cheaters get for it in ``tests.attacks``.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bcnet.entry import Noise, sign_entry
from bcnet.fairness.deck import Proofs
from bcnet.games import registry
from bcnet.games.interface import Decide, Over
from bcnet.table.faults import FaultKind
from bcnet.table.membership import PRIVATE_HANDS, Terms
from bcnet.table.payloads import Payload
from bcnet.table.rounds import Await, Kind
from bcnet.table.table import Faulted, Table
from bcnet.verify import Verdict, examine, verify
from bcnet.wire.v1 import log_pb2 as pb
from tests.attacks.arena import kind_of
from tests.table.quick import quick_proofs
from tests.table.room import Room, identity_of, lookup
from tests.toy import ShortToy, Toy

REFRESH = [Kind.REFRESH, Kind.SHARE, Kind.RESPONSES]
BALLOON_CUP = registry.get("balloon-cup")


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


def private(seats: int = 2, seed: int = 0) -> Room:
    return Room.of(Toy(), seats, seed=seed, private_hands=True)


def rounds(room: Room) -> list[tuple[Kind, list[int]]]:
    """Of every closed round the kind and who spoke in it."""
    log = room.players[0].table.log
    found = []
    for number in range(len(log)):
        entries = log[number].entries
        found.append((kind_of(next(iter(entries.values())).data), sorted(entries)))
    return found


# --- which rounds, when ---


def test_a_dealt_hand_is_refreshed_by_all_in_the_same_three_rounds() -> None:
    room = private()
    room.settle()
    *_, unmask, refresh, share, responses = rounds(room)
    assert unmask == (Kind.UNMASK, [0, 1])
    assert [refresh, share, responses] == [(kind, [0, 1]) for kind in REFRESH]
    deck = room.players[0].table.course.deck
    assert deck is not None
    assert [made.rekeyed for made in deck.refreshes] == [
        (),
        (),
    ]  # all of it is under the deck keys of epoch 1


def test_after_a_draw_the_mover_alone_refreshes_before_anybody_decides() -> None:
    room = private()
    room.settle()
    mover = next(player.number for player in room.players if player.decision)
    so_far = len(rounds(room))
    room.play(until=lambda room: len(rounds(room)) > so_far)
    assert rounds(room)[so_far:] == [
        (Kind.ACT, [mover]),
        (Kind.UNMASK, [1 - mover]),
        (Kind.REFRESH, [mover]),
        (Kind.SHARE, [0, 1]),
        (Kind.RESPONSES, [mover]),
    ]
    deck = room.players[0].table.course.deck
    assert deck is not None
    ((slot, _),) = deck.refreshes[-1].rekeyed
    assert slot.epoch == 1
    assert deck.slot(slot.id).epoch == 0
    assert {deck.slot(each).key for each in deck.hidden(mover)} == {deck.hand_key(mover)}


def test_without_the_option_nothing_is_refreshed() -> None:
    room = Room.of(Toy())
    room.play()
    assert Kind.REFRESH not in {kind for kind, _ in rounds(room)}
    deck = room.players[0].table.course.deck
    assert deck is not None
    assert all(slot.origin == origin for slot, origin in zip(deck.slots, deck.origins, strict=True))


def test_a_game_that_is_over_refreshes_nothing() -> None:
    for seed in range(3):
        room = Room.of(BALLOON_CUP, seed=seed, private_hands=True)
        room.play()
        *_, last, seeds = rounds(room)
        assert seeds == (Kind.REVEAL, [0, 1])
        assert last[0] is not Kind.RESPONSES


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_whole_games_are_clean_and_the_same_for_everybody(seats: int) -> None:
    room = private(seats)
    room.play()
    assert room.complete
    files = {tuple(room.file(seat)) for seat in range(seats)}
    assert len(files) == 1
    entries = files.pop()
    assert verify(entries, games=lookup).verdict is Verdict.CLEAN
    onlooker = Table(games=lookup)
    for data in entries:
        onlooker.receive(data)
    assert onlooker.log.head == room.players[0].table.log.head


def test_hands_are_refreshed_through_several_piles() -> None:
    room = Room.of(ShortToy(), private_hands=True)
    room.play()
    deck = room.players[0].table.course.deck
    assert deck is not None
    assert len(deck.epochs) == 2
    assert {made.epoch for made in deck.refreshes} == {epoch.number for epoch in deck.epochs}
    for made in deck.refreshes:
        assert all(
            slot.key == deck.epochs[slot.epoch - 1].shuffles[made.seat].claim.new_key
            for slot, _ in made.rekeyed
        )
    assert verify(room.file(0), games=lookup).verdict is Verdict.CLEAN


def test_hands_of_one_card_and_of_none() -> None:
    """A hand of one hidden card is refreshed like any other; who draws nothing refreshes nothing."""
    sizes = set()
    for seed in range(4):
        room = Room.of(BALLOON_CUP, seed=seed, private_hands=True)
        room.play()
        deck = room.players[0].table.course.deck
        assert deck is not None
        sizes |= {len(made.slots) for made in deck.refreshes}
        assert verify(room.file(0), games=lookup).verdict is Verdict.CLEAN
    assert max(sizes) == 8
    assert min(sizes) >= 1


# --- shown hands ---


def test_shown_cards_stay_where_they_are() -> None:
    """After an exchange the shown cards are known for good; what was drawn for the others is refreshed by itself."""
    seen = 0
    for seed in range(12):
        room = Room.of(BALLOON_CUP, seed=seed, private_hands=True)
        while not room.complete:
            shown = {seat: dict(room.players[0].table.course.shown(seat)) for seat in (0, 1)}
            deck = room.players[0].table.course.deck
            before = len(deck.refreshes) if deck else 0
            points = {slot.id: slot.point for slot in deck.slots} if deck else {}
            log = len(room.players[0].table.log)
            room.play(until=lambda room, log=log: len(room.players[0].table.log) > log)  # type: ignore[misc]
            deck = room.players[0].table.course.deck
            assert deck is not None
            for made in deck.refreshes[before:]:
                kept = set(shown[made.seat].values()) & set(deck.hand(made.seat))
                seen += bool(kept)
                assert kept.isdisjoint(made.slots)
                assert all(deck.slot(slot).point == points[slot] for slot in kept)
        assert verify(room.file(0)).verdict is Verdict.CLEAN
        if seen:
            return
    pytest.fail("no hand was shown in these games")


# --- leaving ---


def leaves_at(room: Room, seat: int, kind: Kind) -> None:
    """The seat resigns in place of what it owes in a round of the first refresh."""
    player = room.players[seat]
    due = player._due

    def leave(awaiting: Await) -> Payload | None:
        course = player.table.course
        if awaiting.kind is kind and course.started and isinstance(course.state.need, Decide):
            player._resigning = True
        return due(awaiting)

    player._due = leave  # type: ignore[method-assign]


@pytest.mark.parametrize("kind", REFRESH)
@pytest.mark.parametrize("seat", [0, 1])
def test_two_seats_one_resigns_in_the_middle(kind: Kind, seat: int) -> None:
    room = private()
    leaves_at(room, seat, kind)
    room.settle()
    assert room.complete
    assert rounds(room)[-2][0] in (kind, Kind.RESIGN)
    report = verify(room.file(0), games=lookup)
    assert (report.verdict, report.result) == (Verdict.CLEAN, Over((1 - seat,), "resignation"))


@pytest.mark.parametrize("kind", REFRESH)
def test_three_seats_go_on_without_one_that_leaves_in_the_middle(kind: Kind) -> None:
    """Its refresh is void; the others' stand, and are proven."""
    room = private(3)
    leaves_at(room, 1, kind)
    room.play()
    files = {tuple(room.file(seat)) for seat in range(3)}
    assert len(files) == 1
    report, replay = examine(files.pop(), games=lookup)
    assert report.verdict is Verdict.CLEAN, report.message
    assert report.result is not None
    assert report.result.reason == "points"
    assert replay is not None
    assert replay.course.deck is not None
    made = {made.seat: made.proven is not None for made in replay.course.deck.refreshes[:3]}
    assert (made[0], made.get(1, False)) == (True, False)


# --- out of place ---


def test_a_refresh_out_of_turn() -> None:
    """The seat that has nothing new in its hand wants to mix it all the same."""
    room = private()
    room.settle()
    idle = next(player for player in room.players if not player.decision)
    deck = room.players[0].table.course.deck
    assert deck is not None
    body = idle.table.body(idle.number, Payload(Kind.REFRESH, pb.Refresh()))
    (event,) = room.players[1 - idle.number].table.receive(
        sign_entry(body, identity_of(idle.number).sign_message)
    )
    assert isinstance(event, Faulted)
    assert (event.fault.seat, event.fault.kind) == (idle.number, FaultKind.NOT_AWAITED)


# --- the option ---


def test_the_terms_name_private_hands_or_do_not() -> None:
    plain = Terms.of(BALLOON_CUP, 2, {})
    on = Terms.of(BALLOON_CUP, 2, {}, private_hands=True)
    assert (plain.private_hands, on.private_hands) == (False, True)
    assert plain.options == (("fill", "designer"),)
    assert on.options == (("fill", "designer"), ("private-hands", "on"))
    assert plain.hash != on.hash
    assert plain.game_options == on.game_options == {"fill": "designer"}
    assert Terms.from_message(on.message()) == on


@pytest.mark.parametrize(
    "options",
    [
        (("fill", "designer"), ("private-hands", "off")),
        (("fill", "designer"), ("private-hands", "")),
        (("private-hands", "on"), ("fill", "designer")),
        (("fill", "designer"), ("private-hands", "on"), ("private-hands", "on")),
        (("private-hands", "on"),),
    ],
)
def test_there_is_one_way_to_name_them(options: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(Noise):
        Terms("balloon-cup", 2, options).check(BALLOON_CUP)


class OpenToy(Toy):
    """A game without a deck."""

    deck = ()


def test_a_game_without_a_deck_has_no_private_hands() -> None:
    Terms.of(OpenToy(), 2, {})
    with pytest.raises(Noise, match="options"):
        Terms.of(OpenToy(), 2, {}, private_hands=True)


@pytest.mark.parametrize("name", registry.names())
def test_no_game_has_an_option_of_the_table(name: str) -> None:
    assert PRIVATE_HANDS not in registry.get(name).options


def test_a_verifier_that_leaves_the_proofs_to_the_audit_follows_the_same_hands() -> None:
    room = private()
    room.play()
    tables = [Table(proofs=proofs, games=lookup) for proofs in Proofs]
    for table in tables:
        for data in room.file(0):
            table.receive(data)
    one, other = (table.course.deck for table in tables)
    assert one is not None
    assert other is not None
    assert one.slots == other.slots
