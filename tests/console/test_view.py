"""What the views draw: golden screens, and what holds for all of them."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.output import ColorDepth

from bcnet.games.balloon_cup.material import COLOURS, TROPHY_PRICE
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Decide, Event
from bcnet_client.console import view, words
from bcnet_client.console.balloon_cup import FACE
from bcnet_client.console.balloon_cup.picked import Laying
from bcnet_client.console.balloon_cup.view import card
from bcnet_client.console.face import Frame, Picked
from bcnet_client.console.scene import Scene, Sitter
from bcnet_client.console.style import style_of
from bcnet_client.console.text import cut, fit, line, pad, plain, to_ascii, width, wrap
from bcnet_client.console.view import Pane
from tests.console.scenes import game, seated
from tests.console.screens import DENSE, SHOTS, WIDE, WIDE_NAMES, Shot, at, lost, main

COLOUR_WORDS = {colour.word: colour for colour in COLOURS}


def picked_by(typed: str) -> Picked | None:
    """What a typed line picks in the turn that most screens show."""
    return FACE.picking.typed(typed, at(1, 62))


SIZES = [WIDE, DENSE, Frame(79, 30), Frame(100, 22), Frame(200, 60)]


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
def test_golden_screen(shot: Shot) -> None:
    assert shot.draw() == shot.path.read_text(encoding="utf-8"), "see tests/console/screens.py"


def test_the_golden_screens_are_checked_as_a_whole() -> None:
    assert main(["--check"]) == 0


@pytest.mark.parametrize("frame", [*SIZES, Frame(40, 10), Frame(1, 1), Frame(59, 20), Frame(60, 19)], ids=str)
def test_every_screen_has_its_size_to_the_column(frame: Frame) -> None:
    for scene in itertools.islice(game(13, names=WIDE_NAMES), 0, None, 7):
        for ascii_only in (False, True):
            lines = view.render(scene, Pane(), FACE, frame, ascii_only=ascii_only)
            assert len(lines) == frame.rows - 1
            assert {width(each) for each in lines} <= {frame.columns, 0}
            if ascii_only:
                assert all(plain(each).isascii() for each in lines)


def test_a_view_is_a_pure_function() -> None:
    scene, pane = at(1, 62), Pane(picked=picked_by("b13"))
    assert view.render(scene, pane, FACE, WIDE) == view.render(replace(scene), replace(pane), FACE, WIDE)


@pytest.mark.parametrize("frame", [WIDE, DENSE], ids=str)
def test_every_colour_comes_with_its_letter(frame: Frame) -> None:
    """Whoever sees no colours loses nothing."""
    seen = set()
    for scene in game(13):
        for each in view.render(scene, Pane(picked=Laying(44)), FACE, frame):
            for style, text in each:
                for word in re.findall(r"class:(\w+)", style):
                    if word in COLOUR_WORDS:
                        seen.add(word)
                        assert text.strip()[0] == COLOUR_WORDS[word].letter.upper()
    assert seen == set(COLOUR_WORDS)


def test_every_card_in_sight_is_on_the_screen_and_no_other() -> None:
    written = re.compile(r"\b([RYGBE])(\d+)\b")
    for seed in (2, 13):
        for scene in game(seed):
            state = scene.state
            assert isinstance(state, BalloonCupState)
            shown = {(face, plain((card(face),)).strip()) for face in range(45)}
            table = "\n".join(plain(each) for each in FACE.board(scene, WIDE))
            names = {"".join(found) for found in written.findall(table)}
            lying = {face for tile in state.tiles for side in (0, 1) for face in tile.cards(side)}
            seen = lying | set(state.hand(0).known) | set(state.hand(1).shown)
            assert names == {name for face, name in shown if face in seen}


@pytest.mark.parametrize("frame", [WIDE, DENSE], ids=str)
def test_one_glance_shows_it_all(frame: Frame) -> None:
    """The tiles with terrain, both sides and what is open there; cubes against needs; the hand; pile and bag; the last
    move; whose turn it is."""
    for scene in itertools.islice(game(13), 8, None, 5):
        state = scene.state
        assert isinstance(state, BalloonCupState)
        rows = view.as_text(view.render(scene, Pane(), FACE, frame)).splitlines()
        text = "\n".join(rows)
        for tile in state.tiles:
            if tile.in_play and tile.number not in state.blocked:
                rule = "high" if tile.terrain.value == "mountain" else "low"
                assert re.search(rf"{tile.number} {tile.terrain.value}[\s\S]*{rule}", text)
        table = "\n".join(plain(each) for each in FACE.board(scene, frame))
        open_places = sum(sum(tile.open(side)) for tile in state.tiles for side in (0, 1))
        assert table.count("··") == open_places
        for seat, name in ((0, "you"), (1, "Bob")):
            row = next(each for each in rows if each.startswith(f"  {name} ") and " of 3" in each)
            for colour in COLOURS:
                if state.owners[colour] is None:
                    assert f"{state.won[seat][colour]}/{TROPHY_PRICE[colour]}" in row
        hand = [plain((card(face),)).strip() for face in state.hand(0).known]
        own_row = next(each for each in rows if each[2:5] == "you" and " of 3" not in each)
        assert own_row.split("you")[1].split() == hand
        assert f"pile {state.pile_size} " in rows[0]
        assert f"bag {sum(state.bag)}" in rows[0]
        if isinstance(state.need, Decide):
            marked = [each[2:5] for each in rows if each.startswith("▶ ")]
            assert marked == ["you" if state.need.seat == 0 else "Bob"]
        told = [FACE.tell(each.event, scene) for each in scene.story if isinstance(each.event, Event)]
        last = next(each for each in reversed(told) if each)
        if not FACE.question(scene, 58):
            assert " ".join(last.split()) in " ".join(text.split())


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


def test_what_fits_lights_up_and_nothing_else() -> None:
    scene = at(1, 62)
    for typed, count in (("b13", 4), ("b13 4", 3), ("b13 4 them", 3), ("r8", 0), ("b12", 0), ("", 0)):
        parts = [part for each in FACE.board(scene, WIDE, picked_by(typed)) for part in each]
        assert sum("class:lit" in style for style, _ in parts) == count


def test_a_status_is_never_cut_off_on_the_smallest_screen() -> None:
    for shot in SHOTS:
        scene = shot.scene()
        if scene.sitters[1].name == "Bob":
            for each in view.status(scene, replace(shot.seen(scene), sending=False), FACE, DENSE.columns):
                assert "…" not in plain(each).rstrip().rstrip("…")


def test_an_answer_leaves_room_for_the_table() -> None:
    pane = Pane(answer="word " * 100, is_error=True)
    text = view.as_text(view.render(at(1, 62), pane, FACE, DENSE))
    assert "4 plains low" in text
    assert "Your turn" in text


def test_pages_can_be_scrolled_to_their_end_and_no_further() -> None:
    scene = at(1, 62)
    for page in ("rules", view.HELP, view.STORY, view.MOVES, view.KEYS, view.HAND, view.SCORE, "notation"):
        for frame in (WIDE, DENSE):
            most = view.most_scroll(scene, Pane(page=page), FACE, frame)
            _, lines = view.page(page, scene, FACE, frame.columns - 2)
            for scroll in (0, most):
                text = view.as_text(view.render(scene, Pane(page=page, scroll=scroll), FACE, frame))
                is_at_end = (scroll == most) != (page == view.STORY) or not most
                assert plain(lines[-1 if is_at_end else 0]).strip() in text


def test_every_page_has_a_title() -> None:
    pages = {view.MOVES, view.HAND, view.SCORE, view.STORY, view.KEYS, view.HELP, view.SUMMARY, *FACE.topics}
    assert pages == set(words.TITLES)


def test_both_keys_and_the_four_words_are_said_at_the_start() -> None:
    said = " ".join(view.welcome(seated()))
    assert all(sitter.fingerprint in said for sitter in seated().sitters)
    assert "Words" not in said  # before the first draw
    scene = next(game(1))
    assert "gold owner around crumble" in " ".join(view.welcome(scene))
    assert "gold owner around crumble" in view.as_text(view.render(scene, Pane(), FACE, WIDE))
    assert "gold owner around crumble" in view.as_text(view.render(scene, Pane(page=view.KEYS), FACE, WIDE))


def test_one_person_at_several_seats_is_told_to_everybody_who_sits_there_too() -> None:
    def said(*fingerprints: str) -> list[str]:
        sitters = [Sitter(f"Name{seat}", each) for seat, each in enumerate(fingerprints)]
        return view.shared_keys(replace(seated(), sitters=tuple(sitters)))

    both = said("a", "b", "a", "c", "b")
    assert [line.split(":")[0] for line in both] == [
        "Name0 and Name2 have the same key",
        "Name1 and Name4 have the same key",
    ]
    assert said("a", "b", "c") == []
    assert said("a", "a") == [], "there is nobody else whom it could harm"
    sitters = (Sitter("A", "a"), Sitter("B", "a"), Sitter("C", "c"))
    scene = replace(seated(), sitters=sitters)
    for lines in (view.welcome(scene), view.keys(scene)):
        assert "A and B have the same key" in " ".join(lines)


def test_players_see_how_many_watch() -> None:
    scene = at(1, 62)
    assert "watch" not in view.as_text(view.render(scene, Pane(), FACE, WIDE))
    for frame in (WIDE, DENSE):
        for count, said in ((1, "1 watches"), (3, "3 watch")):
            lines = view.as_text(
                view.render(replace(scene, audience=count), Pane(), FACE, frame)
            ).splitlines()
            assert lines[-1].endswith(said)
            assert "Your turn" in lines[-1]


def test_a_lost_line_is_found_again_with_the_others_next_move() -> None:
    scene = lost(at(1, 62))
    assert view.troubles(scene)
    assert not view.troubles(replace(scene, lost=None))


def test_two_players_of_one_name_are_told_apart() -> None:
    scene = at(1, 62, names=("Ann", "Ann"))
    assert scene.names == ("Ann (0)", "Ann (1)")


# --- text ---


@given(st.text(alphabet="ab 気é", max_size=80), st.integers(1, 30))
def test_wrapping_loses_nothing_and_keeps_its_width(text: str, columns: int) -> None:
    lines = wrap(text, max(2, columns))
    assert "".join("".join(plain(each).split()) for each in lines) == "".join(text.split())
    assert all(width(each) <= max(2, columns) for each in lines)


@given(st.text(alphabet="ab 気é", max_size=40), st.integers(0, 30))
def test_padding_and_fitting_give_exactly_the_width(text: str, columns: int) -> None:
    assert width(cut(text, columns)) <= columns
    assert width(pad(text, columns)) == columns
    assert width(fit(line(text, ("class:x", text)), columns)) == columns
    assert width(to_ascii([line(text)])[0]) == width(text)


def test_a_scene_before_the_table_is_there() -> None:
    lines = view.render_waiting(Scene(), Pane(), None, WIDE)
    assert view.as_text(lines) == "Waiting until all have sat down … quit or Ctrl-C leaves."
    lines = view.render_waiting(Scene(), Pane(page=view.HELP), None, Frame(30, 5))
    assert len(lines) <= 3
