"""What our own player may not do now: a refusal with a reason, and nothing has changed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bcnet.errors import IllegalStep, Refusal
from bcnet.games import registry
from bcnet.games.balloon_cup.actions import Claim, Decline, Exchange, Pass, Play
from bcnet.table.player import Player
from bcnet.table.rounds import Kind
from tests.table.quick import quick_proofs
from tests.table.room import Room, honest, identity_of, secrets_of
from tests.toy import Play as PlayToy
from tests.toy import Side, Toy


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick_proofs():
        yield


def refuses(player: Player, action: object) -> Refusal:
    before = (player.position, player.decision, player.table.course.state)
    with pytest.raises(Refusal) as caught:
        player.act(action)  # type: ignore[arg-type]
    assert (player.position, player.decision, player.table.course.state) == before
    assert caught.value.message
    return caught.value


def test_out_of_turn_before_the_game_and_after_it() -> None:
    room = Room.of(Toy())
    for player in room.players:
        refuses_nothing_yet(player)
    room.settle()
    waiting = next(player for player in room.players if not player.decision)
    refuses(waiting, PlayToy(0))
    room.play()
    for player in room.players:
        refuses(player, PlayToy(0))


def refuses_nothing_yet(player: Player) -> None:
    with pytest.raises(IllegalStep):
        player.act(PlayToy(0))


def test_a_card_that_is_not_in_the_hand() -> None:
    room = Room.of(Toy())
    room.settle()
    mover = next(player for player in room.players if player.decision)
    held = mover.view().hand(mover.number).known
    for card in set(range(13)) - set(held):
        refuses(mover, PlayToy(card))
    refuses(mover, Side("left"))


def test_a_choice_that_there_is_not() -> None:
    room = Room.of(Toy())
    room.play(until=lambda room: room.players[0].decision is Kind.SEAL)
    refuses(room.players[0], PlayToy(0))
    refuses(room.players[0], Side("up"))


def test_balloon_cup_says_why() -> None:
    room = Room.of(registry.get("balloon-cup"))
    room.settle()
    mover = next(player for player in room.players if player.decision)
    hand = mover.view().hand(mover.number).known
    other = next(card for card in range(45) if card not in hand)
    for action in (Play(other, 1, 0), Exchange(()), Exchange(hand[:4]), Pass(), Decline()):
        refuses(mover, action)
    refuses(mover, Claim(0, (7, 0, 0, 0, 0)))  # type: ignore[arg-type]
    legal = set(mover.view().legal_actions(mover.number))
    for card in hand:
        for tile in (1, 2, 3, 4):
            for side in (0, 1):
                if Play(card, tile, side) not in legal:
                    refuses(mover, Play(card, tile, side))


def test_nothing_to_see_before_the_game() -> None:
    player = honest(1, secrets_of(1), identity_of(1))
    with pytest.raises(ValueError, match="not begun"):
        player.view()
    with pytest.raises(ValueError, match="not begun"):
        _ = player.table.course.state
