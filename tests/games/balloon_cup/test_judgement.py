"""The sense for the game: it agrees with itself, with the rules, and with common sense."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from bcnet.games.balloon_cup.actions import Play
from bcnet.games.balloon_cup.events import TileScored
from bcnet.games.balloon_cup.judgement import SENSE, Outlook
from bcnet.games.balloon_cup.material import COLOUR_OF
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Decide, Seat
from bcnet.games.simulate import walk
from tests.games.balloon_cup.positions import GAME, news, position


def decisions(seeds: range) -> Iterator[tuple[BalloonCupState, Seat]]:
    """Positions of random games, as whoever decides sees them."""
    for seed in seeds:
        for _, state in walk(GAME.initial(2, {}), random.Random(seed)):
            if isinstance(state.need, Decide):
                assert isinstance(state, BalloonCupState)
                yield state.view(state.need.seat), state.need.seat


def promise(state: BalloonCupState, text: str) -> float:
    (chance,) = SENSE.appraise(state, 0, [GAME.parse(text)])
    return chance


def test_chances_are_chances() -> None:
    for view, seat in decisions(range(3)):
        values = SENSE.values(view)
        assert sum(values) == pytest.approx(1)
        actions = view.legal_actions(seat)
        assert all(0 < each < 1 for each in (*values, *SENSE.appraise(view, seat, actions)))
        assert Outlook(view, 0).balance == pytest.approx(-Outlook(view, 1).balance)


def test_what_a_play_promises_is_what_the_position_after_it_is_worth() -> None:
    checked = 0
    for view, seat in decisions(range(3)):
        before = Outlook(view, seat)
        for play in view.legal_actions(seat):
            if isinstance(play, Play):
                after = view.apply(play)
                if not news(after, TileScored):
                    checked += 1
                    promised = before.after(play.card, play.tile, play.side)
                    assert promised == pytest.approx(Outlook(after, seat).balance)
    assert checked > 1000


def test_the_last_card_on_a_tile_settles_it_as_the_rules_do() -> None:
    checked = set()
    for view, seat in decisions(range(30)):
        before = Outlook(view, seat)
        for play in view.legal_actions(seat):
            if isinstance(play, Play):
                for scored in news(view.apply(play), TileScored):
                    assert isinstance(scored, TileScored)
                    at = play.tile - 1
                    settled = float(scored.winner == seat) - before.chances[at]
                    promised = before.after(play.card, play.tile, play.side)
                    # what is left is what the card could have done elsewhere, the same wherever it is laid
                    missed = promised - before.balance - settled * sum(before.stakes[at])
                    if not any(
                        tile.cubes[COLOUR_OF[play.card]] for tile in view.tiles if tile.number != play.tile
                    ):
                        assert missed == pytest.approx(0)
                        checked.add((scored.winner == seat, scored.totals[0] == scored.totals[1]))
    assert checked == {(True, False), (False, False), (True, True)}


def test_common_sense() -> None:
    state = position(
        {1: "mountain r", 2: "plains yy", 4: "mountain gggb | g1 | g13"},
        ("r1 r13 y1 y12 g12", "y13"),
        won=("2r", "2r"),
    ).view(0)
    assert promise(state, "play r13 1 0") > promise(state, "play r1 1 0"), "high wins on a mountain"
    assert promise(state, "play r1 1 1") > promise(state, "play r13 1 1"), "and low spoils it for the other"
    assert promise(state, "play y1 2 0") > promise(state, "play y12 2 0"), "low wins on plains"
    more = position({1: "mountain r"}, ("r1", "r2"), won=("6r", ""))
    less = position({1: "mountain r"}, ("r1", "r2"), won=("3r", ""))
    assert SENSE.values(more)[0] > SENSE.values(less)[0] > 0.5, "cubes won bring a trophy nearer"
    ahead = position({1: "mountain r"}, ("r1", "r2"), trophies=("be", ""))
    assert SENSE.values(ahead)[0] > 0.6, "and trophies the game"
