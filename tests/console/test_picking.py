"""Choosing by keys and clicks, without a terminal: that everything can be reached, and that what is foretold comes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet.games.balloon_cup import events as happened
from bcnet.games.balloon_cup.actions import Exchange, Pass, Play
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Action, Decide
from bcnet_client.console import view
from bcnet_client.console.balloon_cup import FACE, words
from bcnet_client.console.balloon_cup.picked import Claiming, Exchanging, Laying
from bcnet_client.console.face import Frame, Key, Picked
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import line, plain, target_at
from bcnet_client.console.view import Pane
from tests.console.scenes import game
from tests.console.screens import DENSE, WIDE, at

PICKING = FACE.picking
FIRST, TURN, EXCHANGE, PASS, CLAIM, ELSEWHERE = (
    at(1, 6), at(1, 62), at(1, 117), at(7, 71), at(13, 200), at(1, 60),
)  # fmt: skip


def state_of(scene: Scene) -> BalloonCupState:
    assert isinstance(scene.state, BalloonCupState)
    return scene.state


def press(names: str, scene: Scene, frame: Frame = WIDE) -> Picked | Action | None:
    """What comes of pressing these keys, from nothing picked."""
    picked: Picked | Action | None = None
    for name in names.split():
        assert not isinstance(picked, Action), "decided before the last key"
        picked = PICKING.press(Key[name.upper()], picked, scene, frame)
    return picked


def reachable(
    scene: Scene, frame: Frame, keys: frozenset[Key] = frozenset(Key)
) -> tuple[set[Action], set[Picked]]:
    """All decisions and all that can be picked on the way to them, by these keys."""
    decisions: set[Action] = set()
    seen: set[Picked | None] = {None}
    todo: deque[Picked | None] = deque(seen)
    while todo:
        picked = todo.popleft()
        for key in keys:
            found = PICKING.press(key, picked, scene, frame)
            if isinstance(found, Action):
                decisions.add(found)
            elif found not in seen:
                seen.add(found)
                todo.append(found)
    return decisions, {each for each in seen if each is not None}


@pytest.mark.parametrize("frame", [WIDE, DENSE], ids=str)
def test_every_decision_can_be_reached_by_keys_and_no_other(frame: Frame) -> None:
    for scene in (FIRST, TURN, EXCHANGE, PASS, CLAIM):
        decisions, _ = reachable(scene, frame)
        assert decisions == set(state_of(scene).legal_actions(0))


def test_arrows_and_enter_alone_reach_every_place() -> None:
    arrows = frozenset({Key.LEFT, Key.RIGHT, Key.UP, Key.DOWN, Key.CHOOSE})
    for seed in (1, 2, 3):
        for scene in list(game(seed))[6::20]:
            legal = (
                {each for each in state_of(scene).legal_actions(0) if isinstance(each, Play)}
                if scene.asked
                else ()
            )
            if legal:
                for frame in (WIDE, DENSE):
                    assert reachable(scene, frame, arrows)[0] == legal


def test_nothing_is_picked_while_nothing_is_asked() -> None:
    assert reachable(ELSEWHERE, WIDE) == (set(), set())
    assert PICKING.typed("r8", ELSEWHERE) is None
    assert PICKING.click("card:7", None, ELSEWHERE) is None
    assert PICKING.keys(None, ELSEWHERE) == ""


def test_the_hand_is_gone_through_from_either_end() -> None:
    hand = state_of(TURN).hand(0).known
    assert press("right", TURN) == press("next", TURN) == Laying(hand[0])
    assert press("left", TURN) == press("previous", TURN) == Laying(hand[-1])
    assert press("right left", TURN) == Laying(hand[-1])
    assert press("left right right", TURN) == Laying(hand[1])
    assert press("right back", TURN) is None
    assert press("up", TURN) is press("down", TURN) is press("choose", TURN) is press("mark", TURN) is None


def test_a_card_that_fits_nowhere_goes_nowhere() -> None:
    lost = press("left right", FIRST)
    assert isinstance(lost, Laying)
    for key in (Key.UP, Key.NEXT, Key.CHOOSE):
        assert PICKING.press(key, lost, FIRST, WIDE) == lost
    assert FACE.call(FIRST, lost) == "Grey 7 fits nowhere now."


def test_the_arrows_go_where_they_point() -> None:
    """The red 3 of the first turn fits at both sides of tiles 2, 3 and 4."""

    def place(names: str, frame: Frame = WIDE) -> tuple[int, int] | None:
        found = press(names, FIRST, frame)
        assert isinstance(found, Laying)
        return found.place

    assert place("right up") == (2, 0)  # on the own side, which is Ann's
    assert place("right up right") == (3, 0)
    assert place("right up right right right") == (4, 0)
    assert place("right up up") == (2, 1)
    assert place("right up up right down") == (3, 0)
    assert place("right up left") == (2, 0)
    assert place("right up down") is None
    assert place("right up back") is None
    assert [place("right up" + " next" * n) for n in range(7)] == [
        (2, 0), (2, 1), (3, 0), (3, 1), (4, 0), (4, 1), (2, 0),
    ]  # fmt: skip
    assert place("right up previous") == (4, 1)
    # Where each tile is a row, the other's side is on the left, and ours on the right.
    assert place("right up down", DENSE) == (3, 0)
    assert place("right up left", DENSE) == (2, 1)
    assert place("right up left down right", DENSE) == (3, 0)
    assert place("right up down down down", DENSE) is None


def test_cards_are_marked_up_to_four() -> None:
    hand = state_of(EXCHANGE).hand(0).known
    assert press("up", EXCHANGE) is press("choose", EXCHANGE) is None
    assert press("mark", EXCHANGE) == Exchanging(0, hand[:1])
    assert press("mark mark", EXCHANGE) == Exchanging(0)
    assert press("mark right mark right mark right mark right mark", EXCHANGE) == Exchanging(4, hand[:4])
    assert press("right left mark choose", EXCHANGE) == Exchange((hand[-1],))
    assert press("right choose", EXCHANGE) == Exchange(())
    assert press("right back", EXCHANGE) is None
    found = press("right right right mark left left mark choose", EXCHANGE)
    assert found == Exchange((hand[0], hand[2]))


def test_claims_are_chosen_from_the_list() -> None:
    legal = state_of(CLAIM).legal_actions(0)
    assert press("choose", CLAIM) is None
    assert press("down", CLAIM) == Claiming(0)
    assert press("up", CLAIM) == Claiming(len(legal) - 1)
    assert {press("down" + " down" * n + " choose", CLAIM) for n in range(len(legal))} == set(legal)


def test_where_the_player_is_in_the_list_is_always_in_sight() -> None:
    """Also on the smallest screen, with a long question and trouble below."""
    marks = ["▶ 1", "▶ 2", "▶ 3", "▶none"]
    for number, mark in enumerate(marks):
        for pane in (Pane(), Pane(ask="word " * 20, deciding=True), Pane(answer="word " * 40)):
            shown = replace(pane, picked=Claiming(number))
            text = view.as_text(view.render(CLAIM, shown, FACE, DENSE))
            assert [each for each in marks if each in text] == [mark]


def test_a_turn_that_can_only_pass_passes_with_enter() -> None:
    assert press("choose", PASS) == Pass()
    assert FACE.confirm(Pass(), PASS) == ""


# --- clicks ---


def targets(scene: Scene, picked: Picked | None, frame: Frame) -> Iterator[str]:
    """Everything that can be clicked."""
    for each in view.render(scene, Pane(picked=picked), FACE, frame):
        for column in range(frame.columns):
            if found := target_at(each, column):
                yield found


@pytest.mark.parametrize("frame", [WIDE, DENSE], ids=str)
def test_every_lit_place_can_be_clicked_and_nothing_else_decides(frame: Frame) -> None:
    for scene in (FIRST, TURN):
        for card in state_of(scene).hand(0).known:
            picked = PICKING.click(f"card:{card}", None, scene)
            assert picked == Laying(card)
            found = {
                PICKING.click(target, Laying(card), scene) for target in targets(scene, Laying(card), frame)
            }
            plays = {each for each in found if isinstance(each, Play)}
            assert plays == {each for each in state_of(scene).legal_actions(0) if each.card == card}  # type: ignore[attr-defined]
            assert found - plays == {Laying(each) for each in state_of(scene).hand(0).known}


def test_clicks_in_the_dialogs() -> None:
    hand = state_of(EXCHANGE).hand(0).known
    in_dialog = set(targets(EXCHANGE, Exchanging(), WIDE))
    assert in_dialog == {f"card:{card}" for card in hand}
    picked = PICKING.click(f"card:{hand[2]}", None, EXCHANGE)
    assert picked == Exchanging(2, (hand[2],))
    assert PICKING.click(f"card:{hand[2]}", Exchanging(2, (hand[2],)), EXCHANGE) == Exchanging(2)
    claims = {target for target in targets(CLAIM, None, WIDE) if target.startswith("claim")}
    assert {PICKING.click(target, None, CLAIM) for target in claims} == set(state_of(CLAIM).legal_actions(0))


def test_what_is_clicked_is_what_stands_there() -> None:
    content = line("気", ("class:red [card:7]", "R13"), " ", ("[a:1] [b:2]", "xy"))
    assert [target_at(content, column) for column in range(9)] == [
        "", "", "card:7", "card:7", "card:7", "", "b:2", "b:2", "",
    ]  # fmt: skip
    assert plain(content) == "気R13 xy"


# --- what is foretold ---


def outcome(play: Play, state: BalloonCupState) -> tuple[tuple[int, int], str]:
    """What laying a card comes to: the sums on the tile, and the sentence that should have been said of it."""
    after = state.apply(play)
    for event in after.news:
        if isinstance(event, happened.TileScored):
            cubes = words.cubes_in_words(event.cubes)
            if event.totals[0] == event.totals[1]:
                return event.totals, f"It is full then, and you win {cubes}: the last card is yours."
            return event.totals, f"It is full then: {'Bob wins' if event.winner else 'you win'} {cubes}."
    tile = after.tiles[play.tile - 1]
    ahead = {0: "You would win it so.", 1: "Bob would win it so.", None: "Nobody is ahead there."}
    return (tile.total(0), tile.total(1)), ahead[tile.ahead]


def test_what_is_foretold_of_a_card_comes_true() -> None:
    """The sums, and who is said to win. Case R4 is among them: a tie is won by whoever laid the last card."""
    told = set()
    for seed in range(12):
        for scene in game(seed):
            plays = state_of(scene).legal_actions(0) if scene.asked else ()
            for play in plays:
                if isinstance(play, Play):
                    (own, theirs), winner = outcome(play, state_of(scene))
                    said = FACE.call(scene, Laying(play.card, (play.tile, play.side)))
                    assert said.endswith(f": you {own}, Bob {theirs}. {winner}")
                    told.add(re.sub(r"\d.*[a-z]", "…", winner))
    assert len(told) == 6


def test_who_is_ahead_is_marked_on_the_board() -> None:
    for scene in list(game(2))[8::9]:
        for frame in (WIDE, DENSE):
            text = view.as_text(FACE.board(scene, frame))
            ahead = [tile.ahead for tile in state_of(scene).tiles]
            assert text.count("◄") == sum(each is not None for each in ahead)


@given(st.lists(st.sampled_from(list(Key)), max_size=40), st.sampled_from([FIRST, TURN, EXCHANGE, CLAIM]))
def test_any_keys_lead_to_what_can_be_drawn_or_done(keys: list[Key], scene: Scene) -> None:
    picked: Picked | None = None
    for key in keys:
        found = PICKING.press(key, picked, scene, WIDE)
        if isinstance(found, Action):
            assert found in state_of(scene).legal_actions(0)
            assert isinstance(state_of(scene).need, Decide)
            question = FACE.confirm(found, scene)
            assert question.count("?") == 1
            assert question.endswith("Esc goes back.")
            picked = PICKING.standing_for(found, scene)
        else:
            picked = found
        assert view.render(scene, Pane(picked=picked), FACE, DENSE)
        assert len(PICKING.keys(picked, scene)) <= 36
