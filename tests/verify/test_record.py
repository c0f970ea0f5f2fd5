"""The record of a game: a golden one, one checked card by card, and none of a game that is not clean."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bcnet.errors import Exit, IllegalStep
from bcnet.games import registry
from bcnet.games.interface import Action
from bcnet.record import NoRecord, make_record
from bcnet.table.player import Player
from bcnet.verify import Verdict, examine
from tests.table.quick import quick_proofs
from tests.table.room import Room, lookup

BALLOON_CUP = registry.get("balloon-cup")
GOLDEN = Path(__file__).parent / "records"
SEEDS = (1, 5)
"""Games with claims, exchanges and several piles."""


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


def by_round(player: Player, _: object) -> Action:
    """A choice that depends on nothing but the position: golden games need no random generator."""
    actions = player.view().legal_actions(player.number)
    return actions[player.table.log.open.number * 7 % len(actions)]


@cache
def files(seed: int) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """Both sides' transcripts of a whole game."""
    room = Room.of(BALLOON_CUP, seed=seed)
    room.play(by_round)
    assert room.complete
    return tuple(room.file(0)), tuple(room.file(1))


def record_of(entries: tuple[bytes, ...] | list[bytes]) -> dict[str, Any]:
    return make_record(*examine(list(entries), games=lookup))


def written(record: dict[str, Any]) -> str:
    """The record with one event a line, so that a difference can be read."""
    events = ",\n".join(json.dumps(event) for event in record["events"])
    head = json.dumps({key: value for key, value in record.items() if key != "events"}, indent=1)
    return f'{head[:-2]},\n "events": [\n{events}\n]}}\n'


def golden(seed: int) -> Path:
    return GOLDEN / f"balloon-cup-{seed}.json"


@pytest.mark.parametrize("seed", SEEDS)
def test_golden_record(seed: int) -> None:
    """What ``bcnet export`` says of a game with fixed seeds never changes.

    Where it must: ``.venv/bin/python -m tests.verify.test_record`` writes the golden records anew.
    """
    assert written(record_of(files(seed)[0])) == golden(seed).read_text()


def test_the_same_from_either_side_s_file() -> None:
    one, other = files(SEEDS[0])
    assert record_of(one) == record_of(other)


# --- card by card, by nothing but the text of docs/records.md ---


class Bookkeeper:
    """Follows every card of a record: out of a box into a pile, from there into hands, to tiles, to the discards."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.pile: list[str] = []
        self.hands: list[list[str]] = [[], []]
        self.tiles: dict[int, list[str]] = {number: [] for number in (1, 2, 3, 4)}
        self.discards: list[str] = []
        self.shuffles = 0
        self.cubes = 45
        for event in record["events"]:
            getattr(self, event["type"])(event)
            if self.shuffles:
                assert self.count() == 45, "a card is lost, or there twice"

    def count(self) -> int:
        return len(
            {
                *self.pile,
                *self.discards,
                *(card for cards in (*self.hands, *self.tiles.values()) for card in cards),
            }
        )

    def fill(self, event: dict[str, Any]) -> None:
        assert sum(event["cubes"].values()) == event["tile"]
        self.cubes -= event["tile"]

    def shuffle(self, event: dict[str, Any]) -> None:
        self.shuffles += 1
        assert self.pile == []
        if self.shuffles == 1:
            assert len(set(event["order"])) == 45
        else:
            assert sorted(event["order"]) == sorted(self.discards)
            self.discards = []
        self.pile = list(event["order"])

    def deal(self, event: dict[str, Any]) -> None:
        seat = event["seat"]
        assert event["cards"] == self.pile[seat : 2 * 8 : 2]
        self.hands[seat] = list(event["cards"])
        if seat == 1:
            del self.pile[:16]

    def draw(self, event: dict[str, Any]) -> None:
        assert event["card"] == self.pile.pop(0)
        self.hands[event["seat"]].append(event["card"])

    def play(self, event: dict[str, Any]) -> None:
        self.hands[event["seat"]].remove(event["card"])
        self.tiles[event["tile"]].append(event["card"])

    def score(self, event: dict[str, Any]) -> None:
        assert sum(event["cubes"].values()) == event["tile"]
        assert len(self.tiles[event["tile"]]) == 2 * event["tile"]
        total = sum(int(card.rpartition("-")[2]) for card in self.tiles[event["tile"]])
        assert sum(event["totals"]) == total
        self.discards += self.tiles[event["tile"]]
        self.tiles[event["tile"]] = []

    def refill(self, event: dict[str, Any]) -> None:
        assert sum(event["cubes"].values()) == event["tile"]
        self.cubes -= event["tile"]
        assert self.cubes >= 0

    def remove(self, event: dict[str, Any]) -> None:
        assert self.cubes < event["tile"]

    def claim(self, event: dict[str, Any]) -> None:
        assert event["paid"]
        assert all(event["paid"].values())

    def show(self, event: dict[str, Any]) -> None:
        assert sorted(event["cards"]) == sorted(self.hands[event["seat"]])

    def exchange(self, event: dict[str, Any]) -> None:
        for card in event["discarded"]:
            self.hands[event["seat"]].remove(card)
        self.discards += event["discarded"]

    def end(self, event: dict[str, Any]) -> None:
        self.ended = event["reason"]

    def resign(self, event: dict[str, Any]) -> None:
        assert event["seat"] in (0, 1)

    def __getattr__(self, name: str) -> Any:
        if name == "pass":
            return lambda event: None
        raise AttributeError(name)


@pytest.mark.parametrize("seed", [*SEEDS, 10, 2])
def test_every_card_is_where_it_must_be(seed: int) -> None:
    """The faces and orders that the audit brings to light are those that were played with."""
    keeper = Bookkeeper(record_of(files(seed)[0]))
    assert keeper.ended
    assert keeper.shuffles > 1


# --- games that end early ---


@pytest.mark.parametrize("moment", [4, 5, 6, 8, 9, 10, 12, 13, 14, 17, 25, 40, 90])
def test_resigned_at_any_moment(moment: int) -> None:
    """Before the deck is shuffled, in the middle of a deal, or late: there is a record, as far as it goes."""
    room = Room.of(BALLOON_CUP, seed=moment)
    for _ in range(moment):
        if not room.deliver():
            player = next(player for player in room.players if player.decision)
            room.react(player.number, player.act(by_round(player, None)))
    seat = moment % 2
    try:
        room.react(seat, room.players[seat].resign())
    except IllegalStep:
        assert not room.players[seat].table.course.started
        return
    room.play(by_round)
    record = record_of(room.file(0))
    assert record["events"][-1] == {"type": "end", "winner": 1 - seat, "reason": "resignation"}
    assert record["events"][-2] == {"type": "resign", "seat": seat}
    if any(event["type"] == "shuffle" for event in record["events"]):
        Bookkeeper(record)


# --- no record ---


@pytest.mark.parametrize(
    ("cut", "verdict"), [(-1, Verdict.INCOMPLETE), (20, Verdict.INCOMPLETE), (1, Verdict.INCOMPLETE)]
)
def test_no_record_of_a_file_that_ends_early(cut: int, verdict: Verdict) -> None:
    with pytest.raises(NoRecord) as caught:
        record_of(files(SEEDS[0])[0][:cut])
    assert caught.value.exit_code is Exit.INCOMPLETE
    assert verdict.value in caught.value.message


def test_no_record_of_what_is_no_transcript() -> None:
    with pytest.raises(NoRecord) as caught:
        record_of([b"nothing"])
    assert caught.value.exit_code is Exit.UNREADABLE


if __name__ == "__main__":
    with quick_proofs():
        for number in SEEDS:
            golden(number).write_text(written(record_of(files(number)[0])))
