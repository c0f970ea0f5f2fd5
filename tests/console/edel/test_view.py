"""What the views of Edel, Stein & Reich draw: golden screens, and what holds for all of them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

import pytest
from prompt_toolkit.output import ColorDepth

from bcnet.games.edel.actions import ChooseCard
from bcnet.games.edel.material import COLOURS, GEM_CARDS, EventCard
from bcnet.games.edel.state import Phase
from bcnet.games.interface import Action, Choose, Chosen, Decide, Event
from bcnet_client.console import view, words
from bcnet_client.console.edel import FACE
from bcnet_client.console.edel.view import choosing, offers_made, on_turn, paid_now
from bcnet_client.console.face import Frame, Key
from bcnet_client.console.scene import Scene
from bcnet_client.console.style import style_of
from bcnet_client.console.text import plain, width
from bcnet_client.console.view import Pane
from tests.console.edel.scenes import (
    GAME,
    NAMES,
    WIDE_NAMES,
    clever,
    game,
    scene_of,
    snapshot_of,
    state_of,
)
from tests.console.edel.screens import LARGE, OFFERS, SHOTS, looked_at, rich, trading
from tests.console.screens import DENSE, WIDE, Shot, main

SIZES = [WIDE, DENSE, LARGE, Frame(79, 30), Frame(100, 22)]
COLOUR_LETTERS = {colour.word: colour.letter for colour in COLOURS}


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
def test_golden_screen(shot: Shot) -> None:
    assert shot.draw() == shot.path.read_text(encoding="utf-8"), "see tests/console/edel/screens.py"


def test_the_golden_screens_are_checked_as_a_whole() -> None:
    assert main(["--check"], SHOTS) == 0


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("frame", SIZES, ids=str)
def test_every_screen_has_its_size_to_the_column(frame: Frame, seats: int) -> None:
    for scene in (
        *islice(game(5, seats, names=WIDE_NAMES), 0, None, 31),
        *clever(2, seats, WIDE_NAMES)[::23],
    ):
        found = FACE.picking.press(Key.RIGHT, None, scene, frame)
        picked = None if isinstance(found, Action) else found
        assert all(width(each) == frame.columns for each in FACE.board(scene, frame, picked))
        for ascii_only in (False, True):
            lines = view.render(scene, Pane(picked=picked), FACE, frame, ascii_only=ascii_only)
            assert len(lines) == frame.rows - 1
            assert {width(each) for each in lines} <= {frame.columns, 0}
            if ascii_only:
                assert all(plain(each).isascii() for each in lines)


def test_there_is_room_for_what_has_happened_on_the_smallest_screen() -> None:
    for scene in game(3, 5):
        board = FACE.board(scene, DENSE)
        assert (
            len(board) <= DENSE.rows - 7
        )  # the rule, the status in two lines, the typed line, three of the story


@pytest.mark.parametrize("frame", [WIDE, DENSE], ids=str)
def test_every_colour_comes_with_its_letter(frame: Frame) -> None:
    """Whoever sees no colours loses nothing."""
    seen = set()
    for scene in clever(2, 5):
        picked = (
            FACE.picking.standing_for(state_of(scene).legal_actions(0)[-1], scene) if scene.asked else None
        )
        for each in FACE.board(scene, frame, picked):
            for style, text in each:
                for word in re.findall(r"class:(\w+)", style):
                    if word in COLOUR_LETTERS:
                        seen.add(word)
                        assert text[0] == COLOUR_LETTERS[word]
    assert seen == set(COLOUR_LETTERS)


def test_classes_of_the_views_all_have_a_style() -> None:
    used = set()
    for shot in SHOTS:
        scene = shot.scene()
        for each in view.render(scene, shot.seen(scene), FACE, shot.frame):
            for style, _ in each:
                used |= set(re.findall(r"class:(\w+)", style))
    for depth in ColorDepth:
        known = {name for names, _ in style_of(depth).style_rules for name in names.split()}
        assert used <= known


@pytest.mark.parametrize("frame", [WIDE, DENSE], ids=str)
def test_one_glance_shows_it_all(frame: Frame) -> None:
    """Of everybody money, gems, gem card and event cards; what lies out; when it is; whose decision is waited for."""
    for scene in clever(3, 4)[::5]:
        state = state_of(scene)
        rows = [plain(each) for each in FACE.board(scene, frame)]
        assert f"pass {state.passing} of 3 · round {state.round} of 7" in rows[0]
        assert f"deck {len(state.deck)}" in rows[1]
        assert all(f"{c.letter}{state.supply[c]} " in rows[1] for c in COLOURS)
        for row, seat in zip(rows[3:7], (0, 1, 2, 3), strict=True):
            assert row.startswith("▶ " if seat in on_turn(scene) else "  ")
            assert row[2:].startswith("you " if seat == 0 else f"{NAMES[seat]} ")
            holding = state.holdings[seat]
            assert re.search(rf" {holding.money} R", row)
            assert all(f"{c.letter}{holding.gems[c]}" in row for c in COLOURS)
            card = state.gem_cards[seat]
            if card is not None:
                letters = "".join(c.letter * GEM_CARDS[card].gems[c] for c in COLOURS)
                assert f" {GEM_CARDS[card].money} {letters} " in row
            certificates = holding.cards.count(EventCard.CERTIFICATE)
            assert bool(certificates) == bool(re.search(r" C\d*\b", row))


def test_a_mark_says_who_has_most() -> None:
    rows = [plain(each) for each in FACE.board(rich(), WIDE)]
    you, bob, cid = rows[3:6]
    assert "R4= " in you
    assert "R4= " in cid
    assert "Y5◄ " in bob
    assert "G12◄" in cid
    assert "B0  " in bob


def test_what_a_scoring_would_pay_now() -> None:
    """Red 14 shared, and a surcharge of 6; yellow 12; green 10, doubled; blue 8; certificates 10 and 4."""
    assert paid_now(state_of(rich())) == {0: 7 + 6 + 10, 1: 12, 2: 7 + 20 + 8 + 4}


@pytest.mark.parametrize("frame", SIZES, ids=str)
@pytest.mark.parametrize("seats", GAME.seats)
def test_a_sealed_choice_is_on_no_screen(frame: Frame, seats: int) -> None:
    """Whatever others choose, nothing looks different before the choices are opened."""
    state = state_of(rich(seats))
    for seat in state.everybody:
        for sealed in ((), (1,), tuple(range(1, seats)), tuple(range(seats))):
            scene = scene_of(state, seat, sealed=sealed)
            text = view.as_text(view.render(scene, Pane(), FACE, frame))
            assert text.count("sealed") == len(sealed) + (seat in sealed and len(sealed) < seats)
            rows = [plain(each) for each in FACE.board(scene, frame)[3 : 3 + seats]]
            waiting = sum("choosing" in row for row in rows)
            assert waiting == seats - len(sealed)
            for row in rows:
                assert not re.search(r"(money|event|gems|free)\b", row)


def test_choices_lie_open_once_all_have_chosen() -> None:
    before = rich(5)
    choices = tuple(
        ChooseCard(card) for card in (*state_of(before).action_cards, state_of(before).action_cards[2])
    )
    after = scene_of(state_of(before).apply(Chosen(choices)), before=before)
    rows = [plain(each) for each in FACE.board(after, WIDE)[3:8]]
    for row, word in zip(rows, ("money", "event", "gems", "free", "gems"), strict=True):
        assert word in row
    assert [row[50:].count("◄") for row in rows] == [0, 1, 0, 0, 0]  # money has been performed, event is


def test_the_offers_of_a_trade_stand_one_after_the_other() -> None:
    scene = trading(4, OFFERS, 2)
    assert [(seat, sum(gems)) for seat, gems in offers_made(scene)] == [(1, 1), (0, 2), (1, 2), (0, 2)]
    text = "\n".join(plain(each) for each in FACE.board(scene, WIDE))
    assert "Event: Bob and Ann trade for it." in text
    assert "Bob R1 · Ann R1 B1 · Bob R1 Y1 · Ann R2 ◄ on the table" in text
    assert "Bob accepts and takes 2 red, or offers more." in text
    forgotten = replace(scene, story=())
    assert offers_made(forgotten) == [(0, (2, 0, 0, 0))]


def test_the_oldest_offers_give_way() -> None:
    for frame in (WIDE, DENSE):
        for seed in range(4):
            for scene in game(seed, 3, names=WIDE_NAMES):
                state = state_of(scene)
                if state.phase is Phase.TRADE and (offer := state.trade.offer if state.trade else None):
                    row = next(plain(e) for e in FACE.board(scene, frame) if "on the table" in plain(e))
                    assert width(row.rstrip()) <= frame.columns
                    letters = " ".join(f"{c.letter}{offer[c]}" for c in COLOURS if offer[c])
                    assert row.rstrip().endswith(f"{letters} ◄ on the table")


def test_who_is_waited_for_is_always_said() -> None:
    """Whenever a decision is due, the rows are marked, and the status says it to all who wait."""
    for seed in range(2):
        for scene in game(seed, 4):
            state = state_of(scene)
            if isinstance(state.need, Decide):
                assert on_turn(scene) == (state.need.seat,)
                status = view.as_text(view.status(scene, Pane(), FACE, WIDE.columns))
                assert scene.asked == (state.need.seat == 0)
                assert scene.asked or NAMES[state.need.seat] in status
            elif isinstance(state.need, Choose):
                assert choosing(scene) == state.need.seats


def test_a_status_is_never_cut_off_on_the_smallest_screen() -> None:
    for seats in GAME.seats:
        for scene in game(1, seats):
            for each in view.status(scene, Pane(), FACE, DENSE.columns):
                assert "…" not in plain(each).rstrip().rstrip("…")


def test_own_choice_is_sealed_and_the_others_are_waited_for() -> None:
    state = state_of(rich(5))
    scene = scene_of(state, sealed=(0, 1, 3))
    assert not scene.asked
    status = view.as_text(view.status(scene, Pane(), FACE, DENSE.columns))
    assert status.strip() == "Your choice is sealed. Waiting for Cid and Emil …"
    assert snapshot_of(state, 0, 3, NAMES, range(5)).awaiting == "unseal"


def test_whoever_carries_a_resignation_has_sealed_nothing() -> None:
    """Who is awaited no more has chosen, or has passed on that another resigns: then all choose anew."""
    state = state_of(rich(5))
    for seat, said in ((0, "Cid has resigned; it counts"), (2, "You have resigned; it counts")):
        scene = replace(scene_of(state, seat, sealed=(0, 1, 2, 3)), resigning=frozenset({2}))
        status = view.as_text(view.status(scene, Pane(), FACE, DENSE.columns))
        assert status.strip().startswith(said)
        rows = [plain(each) for each in FACE.board(scene, WIDE)[3:8]]
        assert not any("sealed" in row for row in rows)
        assert [("resigns" in row, "choosing" in row) for row in rows] == [
            (number % 5 == 2, number % 5 == 4) for number in range(seat, seat + 5)
        ]


def test_nobody_is_you_where_a_finished_game_is_looked_at() -> None:
    for scene in clever(2, 3)[::9]:
        open_scene = looked_at(scene)
        text = "\n".join(plain(each) for each in FACE.board(open_scene, WIDE))
        said = [FACE.tell(each.event, open_scene) for each in scene.story if isinstance(each.event, Event)]
        said += [*FACE.hand(open_scene), *FACE.score(open_scene)]
        assert not re.search(r"\b[Yy]ou(r)?\b", " ".join((text, *said)))
        assert "Ann" in text


def test_every_page_has_a_title() -> None:
    assert set(FACE.topics) <= set(words.TITLES)


def test_house_rules_are_called_so() -> None:
    rules = FACE.topics["rules"]
    assert "What is marked * is a house rule" in rules
    for said in (
        "money without limit*",
        "two gems as you like*",
        "divide it, rounded down*",
        "39 event cards*",
    ):
        assert said in rules


def test_the_page_of_an_end_fits_what_happened() -> None:
    scene: Scene = clever(4, 3)[-1]
    lines = FACE.summary(scene)
    paid = re.findall(r"Scoring (\d): you (\d+), Bob (\d+), Cid (\d+)\.", "\n".join(lines))
    assert [number for number, *_ in paid] == ["1", "2", "3"]
    assert lines[0].startswith("1. Bob: 114 money.")
