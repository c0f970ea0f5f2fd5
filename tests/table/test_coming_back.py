"""A program that was killed and comes back from its journal says the same bytes again, wherever it stood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from bcnet.entry import Noise, place_of
from bcnet.errors import IllegalStep
from bcnet.games import registry
from bcnet.games.interface import Action, Game
from bcnet.table.player import OtherSecrets, Player, Reaction
from bcnet.table.rounds import DECISIONS, Kind
from bcnet.table.table import OtherHistory
from bcnet.wire.v1 import log_pb2 as pb
from tests.table.quick import quick_proofs
from tests.table.room import Room, at_random, come_back, honest, identity_of, secrets_of
from tests.toy import ShortToy, Toy


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


@dataclass
class Recorded(Room):
    """A room in which everybody keeps a journal: every entry, one's own and others', in the order of arrival."""

    journals: dict[int, list[tuple[int, bytes]]] = field(default_factory=dict)
    decisions: dict[tuple[int, int], Action] = field(default_factory=dict)
    """What was decided, by seat and round."""

    def react(self, seat: int, reaction: Reaction) -> None:
        """Keep what has come to stand in a player's log, and send it on."""
        journal = self.journals.setdefault(seat, [])
        journal += [(standing.seat, standing.data) for standing in reaction.entries]
        super().react(seat, reaction)


def remember(player: Player, action: Action, room: Recorded) -> Action:
    room.decisions[player.number, player.table.log.open.number] = action
    return action


def recorded(game: Game, seats: int, seed: int = 0) -> Recorded:
    room = Recorded.of(game, seats, seed=seed)
    room.play(lambda player, rng: remember(player, at_random(player, rng), room))
    assert room.complete
    return room


def kind_of(data: bytes) -> Kind:
    return Kind(pb.Body.FromString(pb.Entry.FromString(data).body).WhichOneof("payload") or "")


def says_the_same(room: Recorded, seat: int, kept: int) -> None:
    """Killed when ``kept`` entries were in the journal: what it says next is what it had said, byte for byte."""
    journal = room.journals[seat]
    player = honest(seat, secrets_of(seat), identity_of(seat))
    prefix = [data for _, data in journal[:kept]]
    said = list(player.restore(prefix).entries)
    expected = journal[kept:]
    while expected:
        author, data = expected[0]
        if said:
            standing = said.pop(0)
            assert (standing.seat, standing.data) == (author, data)
        elif author != seat:
            said = list(player.receive(data).entries)
            assert (said[0].seat, said[0].data) == (author, data)
            said.pop(0)
        else:
            assert player.decision, "only what a person decides is not said by itself"
            said = list(player.act(room.decisions[seat, place_of(data)[0]]).entries)
            continue
        expected = expected[1:]
    assert not said
    assert player.table.complete == room.players[seat].table.complete


@pytest.mark.parametrize("seat", [0, 1])
def test_at_every_position_of_a_toy_game(seat: int) -> None:
    room = recorded(ShortToy(), 2)
    for kept in range(1 if seat == 0 else 0, len(room.journals[seat]) + 1):
        says_the_same(room, seat, kept)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_with_three_seats(seat: int) -> None:
    room = recorded(Toy(), 3)
    for kept in range(1, len(room.journals[seat]) + 1, 6):
        says_the_same(room, seat, kept)


@pytest.mark.parametrize("seat", [0, 1])
def test_in_a_game_of_balloon_cup(seat: int) -> None:
    room = recorded(registry.get("balloon-cup"), 2)
    journal = room.journals[seat]
    for kept in (3, 5, 8, 11, len(journal) // 3, len(journal) // 2, len(journal) - 20, len(journal)):
        says_the_same(room, seat, kept)


def test_a_decision_is_open_again_where_it_was_not_on_disk_yet() -> None:
    """Killed before the entry was in the journal: nobody has seen it, and the person may decide anew."""
    room = Room.of(ShortToy())
    room.settle()
    mover = next(player for player in room.players if player.decision)
    lost, other = mover.view().legal_actions(mover.number)[:2]
    copy = come_back(mover)
    mover.act(lost)
    entry = copy.act(other).entries[0].data
    judge = room.players[1 - mover.number]
    judge.receive(entry)
    assert judge.table.fault is None


# --- a copy of a home that was put back: taking one's own entries from the other side ---


def test_an_older_journal_takes_its_own_entries_back_before_it_says_anything() -> None:
    room = recorded(ShortToy(), 2)
    for seat in (0, 1):
        journal = [data for _, data in room.journals[seat]]
        for kept in range(3, len(journal), 3):
            player = honest(seat, secrets_of(seat), identity_of(seat))
            player.recall(journal[:kept])
            missing = room.players[1 - seat].missing(player.position)
            for data in missing:
                assert not [each for each in player.receive(data).entries if each.data not in missing]
            assert player.go_on().entries == ()
            assert player.table.complete


def test_whoever_recalls_says_nothing_until_it_goes_on() -> None:
    room = recorded(ShortToy(), 2)
    for seat in (0, 1):
        journal = [data for _, data in room.journals[seat]]
        for kept in range(3, len(journal)):
            player = honest(seat, secrets_of(seat), identity_of(seat))
            player.recall(journal[:kept])
            assert all(each.seat != seat for each in player.receive(journal[0]).entries)
            if player.decision in DECISIONS:
                with pytest.raises(IllegalStep, match="not come back"):
                    player.act(room.decisions[seat, player.table.log.open.number])


def test_what_the_other_side_lacks() -> None:
    room = recorded(ShortToy(), 2)
    ahead = room.players[0]
    for cut in (4, 9, 15, len(room.file(0)) - 1):
        behind = honest(1, secrets_of(1), identity_of(1))
        behind.recall(room.file(1)[:cut])
        assert behind.missing(ahead.position) == [], "it cannot know what it lacks"
        for data in ahead.missing(behind.position):
            behind.receive(data)
        assert behind.position == ahead.position
        assert behind.missing(ahead.position) == []
        assert not [data for data in behind.missing(ahead.position) if place_of(data)[0] < cut]


def test_the_other_side_has_another_log() -> None:
    """A table id, and two logs: one of the two sides has been put back and has gone on alone, or lies."""
    room = recorded(ShortToy(), 2)
    other = recorded(ShortToy(), 2, seed=1)
    with pytest.raises(OtherHistory):
        room.players[0].missing(type(room.players[0].position)(5, other.players[0].table.log[5].head))


def test_a_journal_of_another_table_is_not_taken() -> None:
    room = recorded(ShortToy(), 2)
    other = recorded(Toy(), 2)
    player = honest(0, secrets_of(0), identity_of(0))
    mixed = [*room.file(0)[:6], *other.file(0)[6:]]
    with pytest.raises(Noise):
        player.restore(mixed)


def test_a_journal_of_another_seed_is_not_taken() -> None:
    room = recorded(ShortToy(), 2)
    player = honest(1, secrets_of(1, 99), identity_of(1))
    with pytest.raises(OtherSecrets, match=r"^The seed or the key is not the one that seat 1 has\.$"):
        player.restore(room.file(1))
