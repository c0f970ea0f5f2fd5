"""A finished game on the console: what is drawn, what the keys do, the lines, and the whole of it in a terminal."""

from __future__ import annotations

import re
import signal
import sys
from functools import cache
from pathlib import Path

import pytest
from prompt_toolkit.output import ColorDepth

from bcnet import cli
from bcnet.errors import Exit
from bcnet.games.balloon_cup.notation import write_card
from bcnet.replay import Playback, play_back
from bcnet.verify import examine_file
from bcnet_client.console import replaying, words
from bcnet_client.console.balloon_cup import FACE
from bcnet_client.console.face import THEN_HIDDEN, Frame
from bcnet_client.console.replaying import (
    AUTO,
    BACK,
    DOWN,
    FAR_BACK,
    FAR_FORWARD,
    FIRST,
    FORWARD,
    GO,
    LAST,
    LEAVE,
    RUB_OUT,
    UP,
    Shown,
    as_lines,
    most_scroll,
    pressed,
    render,
    scene_at,
    went_on,
)
from bcnet_client.console.style import style_of
from bcnet_client.console.text import plain, width
from bcnet_client.console.view import as_text
from tests.console.terminal import in_shell, terminal

TRANSCRIPTS = Path(__file__).resolve().parents[1] / "vectors" / "transcripts"
SIZES = [Frame(80, 24), Frame(60, 20), Frame(79, 30), Frame(200, 60), Frame(40, 10), Frame(1, 1)]


def path_of(name: str) -> Path:
    return TRANSCRIPTS / f"{name}.bct"


@cache
def playback_of(name: str) -> Playback:
    return play_back(*examine_file(path_of(name)))


# --- the screen ---


@pytest.mark.parametrize("frame", SIZES, ids=str)
def test_every_screen_has_its_size_to_the_column(frame: Frame) -> None:
    playback = playback_of("clean-designer")
    for at in range(0, playback.last + 1, 7):
        for ascii_only in (False, True):
            lines = render(playback, Shown(at), FACE, frame, ascii_only=ascii_only)
            assert len(lines) == frame.rows
            assert {width(each) for each in lines} <= {frame.columns, 0}
            assert not ascii_only or all(plain(each).isascii() for each in lines)


@pytest.mark.parametrize("frame", SIZES[:2], ids=str)
def test_both_hands_lie_open_and_what_was_secret_is_marked(frame: Frame) -> None:
    playback = playback_of("clean-designer")
    for at, moment in enumerate(playback.moments):
        lines = render(playback, Shown(at), FACE, frame)
        for seat, name in enumerate(playback.names):
            shown = next(text for each in lines if (text := plain(each))[2:].startswith(f"{name} "))
            cards = re.findall(r"([RYGBE]\d+) ?(\*?)", shown)
            hand = moment.state.hand(seat)
            assert [card for card, _ in cards] == [write_card(card).upper() for card in hand.known]
            marked = [write_card(card).upper() for card in moment.secret(seat)]
            assert [card for card, mark in cards if mark] == marked


def test_the_next_cards_of_the_pile_are_known_now() -> None:
    """The first card that is drawn is the first of those that were shown to come."""
    playback = playback_of("clean-designer")
    before, after = (playback.moments[number].state for number in (0, 1))
    (drawn,) = set(after.hand(0).known) - set(before.hand(0).known)
    name = write_card(drawn).upper()
    assert re.search(rf"next cards +{name} ?\*", as_text(render(playback, Shown(), FACE, Frame(80, 24))))
    assert f"Next in the pile, and nobody knew it: {name}*, " in "\n".join(FACE.score(scene_at(playback, 0)))
    assert "next cards" not in as_text(render(playback_of("incomplete-draw"), Shown(), FACE, Frame(80, 24)))


def test_nobody_is_you() -> None:
    playback = playback_of("clean-designer")
    for frame in SIZES[:2]:
        text = as_text(render(playback, Shown(40), FACE, frame))
        assert not re.search(r"\byou\b|\byour\b", text, re.IGNORECASE)
    assert not re.search(r"\byou\b|\byour\b", "\n".join(as_lines(playback)), re.IGNORECASE)


def test_the_pane_can_be_scrolled_to_its_end_and_no_further() -> None:
    playback, frame = playback_of("clean-designer"), Frame(60, 20)
    most = most_scroll(playback, Shown(), FACE, frame)
    assert most > 0
    shown = Shown()
    assert "clean: Complete" in as_text(render(playback, shown, FACE, frame))
    for _ in range(99):
        shown = pressed(shown, DOWN, playback.last, most)
    assert shown.scroll == most
    assert "Grace is dealt" in as_text(render(playback, shown, FACE, frame))
    assert pressed(pressed(shown, UP, playback.last, most), FORWARD, playback.last).scroll == 0


@pytest.mark.parametrize("name", ["cheated-audit-opening", "incomplete-draw"])
def test_what_is_not_clean_says_so_first_and_at_every_step(name: str) -> None:
    playback = playback_of(name)
    verdict = playback.report.verdict.value
    lines = [plain(each) for each in render(playback, Shown(), FACE, Frame(80, 24))]
    rule = next(index for index, text in enumerate(lines) if text.startswith("─ The beginning"))
    assert lines[rule + 1].startswith(f" {verdict}: ")
    for at in range(playback.last + 1):
        assert plain(render(playback, Shown(at), FACE, Frame(80, 24))[-1]).rstrip().endswith(verdict)


def test_hidden_hands_are_counted() -> None:
    text = as_text(render(playback_of("incomplete-draw"), Shown(), FACE, Frame(80, 24)))
    assert re.search(r"Ada +8 cards", text)


def test_classes_of_the_views_all_have_a_style() -> None:
    used = set()
    for name in ("clean-designer", "cheated-audit-opening"):
        playback = playback_of(name)
        for shown in (Shown(), Shown(1), Shown(playback.last, typed="3"), Shown(is_auto=True)):
            for each in render(playback, shown, FACE, Frame(80, 24)):
                used |= {found for style, _ in each for found in re.findall(r"class:(\w+)", style)}
    for depth in ColorDepth:
        known = {name for names, _ in style_of(depth).style_rules for name in names.split()}
        assert used <= known


# --- keys ---


@pytest.mark.parametrize(
    ("at", "keys", "then"),
    [
        (0, [FORWARD], 1),
        (0, [BACK], 0),
        (93, [FORWARD], 93),
        (5, [BACK, BACK], 3),
        (5, [FAR_FORWARD], 15),
        (5, [FAR_BACK], 0),
        (90, [FAR_FORWARD], 93),
        (5, [LAST], 93),
        (5, [FIRST], 0),
        (5, ["4", "2", GO], 42),
        (5, ["4", "2", RUB_OUT, GO], 4),
        (5, ["0", GO], 0),
        (5, ["9", "9", "9", "9", "9", GO], 93),
        (5, [GO], 6),
        (5, ["4", FORWARD], 6),
    ],
)
def test_keys_step_and_jump(at: int, keys: list[str], then: int) -> None:
    shown = Shown(at)
    for key in keys:
        shown = pressed(shown, key, 93)
    assert shown == Shown(then)


def test_the_game_goes_on_by_itself_until_its_end_or_a_key() -> None:
    shown = pressed(Shown(2), AUTO, 4)
    assert shown == Shown(2, is_auto=True)
    assert pressed(shown, AUTO, 4) == Shown(2)
    assert not pressed(shown, BACK, 4).is_auto
    assert not pressed(shown, "3", 4).is_auto
    steps = [shown := went_on(shown, 4) for _ in range(3)]
    assert steps == [Shown(3, is_auto=True), Shown(4), Shown(4)]
    assert pressed(Shown(4), AUTO, 4) == Shown(0, is_auto=True)  # from the beginning again


def test_every_key_has_a_meaning_that_is_known() -> None:
    for meaning in set(replaying._KEYS.values()):
        assert isinstance(pressed(Shown(5), meaning, 9, 3), Shown)
    assert pressed(Shown(), LEAVE, 9).has_left


# --- lines ---


def test_the_lines_have_every_step_once_with_hands_and_tiles() -> None:
    playback = playback_of("clean-designer")
    text = "\n".join(as_lines(playback))
    blocks = text.split("\n\n")
    assert blocks[0].splitlines()[0] == playback.verdict
    assert [block.splitlines()[0].split(" (round")[0] for block in blocks[1:]] == [
        "The beginning",
        *(f"Move {number} of {playback.last}" for number in range(1, playback.last + 1)),
    ]
    for block, moment in zip(blocks[1:], playback.moments, strict=True):
        for sentence in moment.sentences:
            assert (f"* {sentence.text}" if sentence.secret else sentence.text) in block.splitlines()
        assert all(f"{name}'s hand: " in block for name in playback.names)
        assert "Tile 4" in block
    assert "Ada's hand: R11*, Y9*, Y13*, G7*, G8*, B11*, E1* and E4*." in blocks[1]
    assert "Next: Ada." in blocks[1]
    assert "Next: " not in blocks[-1]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("clean-resigned-on-turn", Exit.OK),
        ("cheated-audit-opening", Exit.CHEATED),
        ("unreadable-entry-of-seat-2", Exit.UNREADABLE),
        ("incomplete-draw", Exit.INCOMPLETE),
        ("incomplete-offer", Exit.INCOMPLETE),
    ],
)
def test_the_command_begins_with_the_verdict_and_ends_with_its_code(
    name: str, code: Exit, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli._code(["replay", str(path_of(name))]) == code
    out = capsys.readouterr().out
    assert out.startswith(playback_of(name).verdict)


def test_no_such_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli._code(["replay", str(tmp_path / "nothing.bct")]) == Exit.USAGE
    assert "no such file" in capsys.readouterr().err


# --- in a terminal ---


@pytest.mark.end_to_end
@pytest.mark.timeout(120)
def test_stepping_through_a_game_with_keys_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    command = [sys.executable, "-m", "bcnet", "replay", str(path_of("clean-designer"))]
    with terminal(in_shell(command, before, after)) as screen:
        screen.wait_for("The beginning .*clean: Complete")
        assert screen.is_alternate
        screen.send("\x1b[C")
        screen.wait_for("Move 1 of 93 .* Ada lays red 11 next to tile 4")
        screen.send("20\r")
        screen.wait_for(r"Move 20 of 93 .*\* Grace draws red 2\.")
        screen.resize(60, 20)
        screen.wait_for("tile Grace's side . Ada's side .*Move 20 of 93 ")
        screen.resize(80, 24)
        screen.wait_for("Ada's side .*Move 20 of 93 ")
        screen.send("\x1a")
        screen.wait_until(lambda: b"\x1b[?1049l" in screen.raw, "the terminal is given back to the shell")
        screen.wait_for("Move 20 of 93 ")  # no shell holds it here, so it goes on
        screen.send("\x1b[F")
        screen.wait_for("Grace won")
        screen.send("a")
        screen.wait_for("The beginning")
        screen.wait_for("Move 2 of 93")  # by itself
        screen.send("q")
        screen.wait_for(r"code 0 \$$")
        assert screen.cursor_is_visible
        assert [screen.is_alternate] == [False]
    assert before.read_text() == after.read_text()


@pytest.mark.end_to_end
@pytest.mark.timeout(120)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(tmp_path: Path, number: int) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    command = [sys.executable, "-m", "bcnet", "replay", str(path_of("cheated-audit-opening"))]
    with terminal(in_shell(command, before, after)) as screen:
        screen.wait_for("The beginning .*cheated: Seat 1")
        screen.signal_program(number)
        screen.wait_for(r"code 1 \$$")
        assert screen.cursor_is_visible
        assert not screen.is_alternate
    assert before.read_text() == after.read_text()


@pytest.mark.end_to_end
@pytest.mark.timeout(120)
def test_plain_lines_in_a_terminal(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    command = [sys.executable, "-m", "bcnet", "replay", "--plain", str(path_of("incomplete-draw"))]
    with terminal(in_shell(command, before, after), rows=60) as screen:
        screen.wait_for(r"Move 1 of 1 \(round 8\) .*code 3 \$$")
        assert not screen.is_alternate


def test_the_legend_names_the_mark() -> None:
    assert THEN_HIDDEN in words.REPLAY_HINT
    assert THEN_HIDDEN in words.REPLAY_MORE
