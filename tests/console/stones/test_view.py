"""What the views of Stones draw: golden screens, and what holds for all of them."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest
from prompt_toolkit.output import ColorDepth

from bcnet.games.interface import Decide
from bcnet.games.stones.actions import Lay
from bcnet.games.stones.events import StoneLaid
from bcnet.games.stones.material import COLOURS
from bcnet_client.console import view
from bcnet_client.console.face import Frame
from bcnet_client.console.scene import Scene
from bcnet_client.console.stones import FACE
from bcnet_client.console.stones.picked import Laying
from bcnet_client.console.style import style_of
from bcnet_client.console.text import plain, target_at, width
from bcnet_client.console.view import Pane
from tests.console.screens import DENSE, WIDE, main
from tests.console.stones.scenes import game, state_of
from tests.console.stones.screens import FOLDER, LARGE, SHOTS, SIZES, WIDE_NAMES, Shot, clever, penalised

COLOUR_WORDS = {colour.word: colour for colour in COLOURS}
FRAMES = [WIDE, DENSE, LARGE]


def scenes_of(seats: int, step: int = 5) -> list[Scene]:
    """Scenes from all of a game, by a simple player in every seat and by chance."""
    return [*clever(seats)[::step], *itertools.islice(game(7, seats=seats), 0, None, step)]


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
def test_golden_screen(shot: Shot) -> None:
    assert shot.draw() == shot.path.read_text(encoding="utf-8"), "see tests/console/stones/screens.py"


def test_the_folder_has_no_other_screens() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {shot.path.name for shot in SHOTS}
    assert main(["--check"], SHOTS[:1]) == 1  # all others would be stale


@pytest.mark.parametrize("frame", [*SIZES, Frame(40, 10), Frame(60, 19)], ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_screen_has_its_size_to_the_column(seats: int, frame: Frame) -> None:
    for scene in itertools.islice(game(5, seats=seats, names=WIDE_NAMES, penalties=True), 0, None, 9):
        for picked in (None, FACE.picking.typed("red", scene)):
            for ascii_only in (False, True):
                lines = view.render(scene, Pane(picked=picked), FACE, frame, ascii_only=ascii_only)
                assert len(lines) == frame.rows - 1
                assert {width(each) for each in lines} <= {frame.columns, 0}
                if ascii_only:
                    assert all(plain(each).isascii() for each in lines)


@pytest.mark.parametrize("frame", SIZES, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_table_fits_and_keeps_its_height(seats: int, frame: Frame) -> None:
    """Nothing is cut off at the right, and what stands below it does not move while the field grows."""
    heights = set()
    for scene in scenes_of(seats):
        lines = FACE.board(scene, frame)
        heights.add(len(lines))
        assert all(width(each) <= frame.columns for each in lines)
    assert len(heights) == 1
    assert (
        heights.pop() <= frame.rows - 7
    )  # the line below it, some of what has happened, what is asked, the prompt


@pytest.mark.parametrize("frame", FRAMES, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_stone_is_seen_where_it_lies(seats: int, frame: Frame) -> None:
    """The field is read back from the screen, by the numbers of its columns and rows."""
    for scene in scenes_of(seats, 3):
        state = state_of(scene)
        assert read_back(scene, frame) == {
            stone.place: stone.colour.letter.upper() for stone in state.field.stones
        }


def read_back(scene: Scene, frame: Frame) -> dict[tuple[int, int], str]:
    """The letters in the field, by their place."""
    rows = [plain(each) for each in FACE.board(scene, frame)][1:]
    field = [row[: _field_width(scene, frame)] for row in rows]
    head = next(row for row in field if re.fullmatch(r"[ \d-]+", row) and row.strip())
    columns = [(int(found[0]), found.end() - 1) for found in re.finditer(r"-?\d+", head)]
    found = {}
    for row in field[field.index(head) + 1 :]:
        number = re.match(r" *(-?\d+) ", row)
        if number is not None:
            for column, at in columns:
                letters = re.findall("[RBGW]", row[at - 1 : at + 2])
                if letters:
                    found[column, int(number[1])] = letters[0]
    return found


def _field_width(scene: Scene, frame: Frame) -> int:
    return 4 + (state_of(scene).field.span + 1) * {WIDE: 5, DENSE: 4, LARGE: 6}[frame]


@pytest.mark.parametrize("frame", FRAMES, ids=str)
def test_lines_stand_where_the_field_cannot_grow(frame: Frame) -> None:
    seen = set()
    for seats in (2, 3, 4):
        for scene in scenes_of(seats, 3):
            field = state_of(scene).field
            text = view.as_text(FACE.board(scene, frame))
            numbers = [{stone.place[axis] for stone in field.stones} or {0} for axis in (0, 1)]
            full = tuple(max(each) - min(each) + 1 == field.span for each in numbers)
            assert ("│" in text) == full[0]
            assert ("───" in text) == full[1]
            taken = [max(each) - min(each) + 1 if field.stones else 0 for each in numbers]
            assert f"columns {taken[0]} of {field.span}" in text
            assert f"rows {taken[1]} of {field.span}" in text
            seen.add(full)
    assert len(seen) > 2


@pytest.mark.parametrize("frame", FRAMES, ids=str)
def test_one_glance_shows_it_all(frame: Frame) -> None:
    """Points and stones of every player, and whose turn it is."""
    for seats in (2, 3, 4):
        for scene in scenes_of(seats):
            state = state_of(scene)
            rows = [plain(each)[_field_width(scene, frame) :] for each in FACE.board(scene, frame)]
            for seat, name in enumerate(["you", *scene.names[1:]]):
                at = next(index for index, row in enumerate(rows) if re.search(rf"^ +(▶ )?{name} ", row))
                assert rows[at].split()[-1] == str(state.points[seat])
                supply = state.supply(seat)
                letters = "".join(rows[at + 1].split())
                assert letters == "".join(each.letter.upper() * supply[each] for each in COLOURS)
                assert ("▶" in rows[at]) == (state.need == Decide(seat))


def test_who_has_resigned_is_said() -> None:
    shot = next(each for each in SHOTS if each.name == "resigned")
    text = view.as_text(FACE.board(shot.scene(), WIDE))
    assert text.count("has resigned") == 1


@pytest.mark.parametrize("frame", FRAMES, ids=str)
def test_every_colour_comes_with_its_letter(frame: Frame) -> None:
    seen = set()
    for scene in scenes_of(3):
        for each in view.render(scene, Pane(picked=Laying(COLOURS[3])), FACE, frame):
            for style, text in each:
                for word in re.findall(r"class:(\w+)", style):
                    if word in COLOUR_WORDS and text.strip():
                        seen.add(word)
                        assert set(text) <= {COLOUR_WORDS[word].letter.upper(), " ", "[", "]"}
    assert seen == set(COLOUR_WORDS)


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


@pytest.mark.parametrize("frame", FRAMES, ids=str)
def test_the_points_of_every_place_are_those_that_the_game_gives(frame: Frame) -> None:
    """What stands at a lit place is what the stone brings; ``!`` where it breaks a rule, and nowhere else."""
    checked = 0
    for scene in [*clever(2)[::4], *clever(4)[::12], *penalised()[::6]]:
        state = state_of(scene)
        if not scene.asked or not isinstance(state.need, Decide):
            continue
        for colour in COLOURS:
            picked = Laying(colour)
            shown = {}
            for each in FACE.board(scene, frame, picked):
                column = 0
                for _style, text in each:
                    target = target_at(each, column)
                    column += width(text)
                    if target.startswith("place:") and text.strip():
                        place = tuple(int(number) for number in target.split(":")[1:])
                        shown[place] = text.strip()
            legal = [lay for lay in state.legal_actions(0) if isinstance(lay, Lay) and lay.colour is colour]
            assert len(shown) == len(legal)
            for lay in legal:
                laid = state.apply(lay).news[0]
                assert isinstance(laid, StoneLaid)
                is_lawful = state.field.may_lie(colour, (lay.column, lay.row))
                assert shown[lay.column, lay.row] == (f"+{laid.points}" if is_lawful else f"{laid.points}!")
                checked += 1
    assert checked > 150


def test_a_status_is_never_cut_off_on_the_smallest_screen() -> None:
    for shot in SHOTS:
        scene = shot.scene()
        if scene.sitters[1].name == "Bob":
            for each in view.status(scene, replace(shot.seen(scene), sending=False), FACE, DENSE.columns):
                assert "…" not in plain(each).rstrip().rstrip("…")


def test_nobody_is_you_where_a_finished_game_is_looked_at() -> None:
    scene = replace(clever(3)[-1], open_hands=True, asked=False)
    for frame in FRAMES:
        assert not re.search(r"\byou", view.as_text(FACE.board(scene, frame)), re.IGNORECASE)
    texts = " ".join([*FACE.hand(scene), *FACE.score(scene), *FACE.summary(scene)])
    assert not re.search(r"\byou", texts, re.IGNORECASE)
    assert all(name in texts for name in scene.names)
