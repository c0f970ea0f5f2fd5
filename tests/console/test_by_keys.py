"""The console through keys and the mouse alone, in a terminal: choosing, confirming, going back."""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.console.hands import (
    BACK,
    CONFIRM,
    DOWN,
    LEFT,
    RIGHT,
    TAB,
    UP,
    await_question,
    choose,
    is_unpicked,
    play_on,
)
from tests.console.terminal import Terminal, alone, in_shell, terminal

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(300)]

MOUSE_ON = (b"\x1b[?1000h", b"\x1b[?1002h", b"\x1b[?1003h", b"\x1b[?1006h", b"\x1b[?1015h")


def picked(screen: Terminal) -> list[str]:
    """The cards that stand in brackets, from the top: where it is to lie, and in the hand."""
    return re.findall(r"\[([RYGBE]\d+) *\]", screen.text)


@pytest.mark.parametrize(
    ("columns", "rows", "seed"),
    [
        (80, 24, 1),
        (60, 20, 13),
    ],
)
def test_a_whole_game_through_keys_alone(tmp_path: Path, columns: int, rows: int, seed: int) -> None:
    """Arrows, Space and Enter, and not one letter."""
    command = alone("--home", str(tmp_path / "home"), "--seat", "1", "--seed", str(seed), "--confirm")
    before, after = tmp_path / "before", tmp_path / "after"
    with terminal(in_shell(command, before, after), columns=columns, rows=rows) as screen:
        play_on(screen, answering=choose)
        assert re.search("You win!|Bob won|The game is drawn", screen.words)
        screen.wait_for("Fair: every step was checked, and the audit of all seeds agrees.")
        screen.send("\r")
        screen.wait_for(r"code 0 \$$")
        assert screen.cursor_is_visible
    assert before.read_text() == after.read_text()


def test_a_card_and_a_place_are_picked_and_given_up_again() -> None:
    with terminal(alone("--seat", "1", "--confirm")) as screen:
        await_question(screen)
        neutral = screen.text
        assert "left/right: a card" in neutral
        screen.send(RIGHT)
        screen.wait_for(r"◂▸.* fits? at (\d places|one place)")
        (card,) = picked(screen)
        with_card = screen.text
        screen.send(UP)
        screen.wait_for(r"next to tile \d, on \S+ side: you \d+, Bob \d+\. .* (so|there)\.")
        assert picked(screen) == [card, card]
        assert "→" in screen.text
        with_place = screen.text
        screen.send("\r")
        screen.wait_for(
            rf"Lay \w+ \d+ on tile \d, \S+ side\? Enter lays it, Esc goes back\. {re.escape(CONFIRM)}$"
        )
        for text in (with_place, with_card, neutral):
            screen.send(BACK)
            screen.wait_until(partial(_shows, screen, text), "one step back")
        screen.send(TAB + TAB + "\r\r")
        screen.wait_for(r"You lay \w+ \d+ next to tile")


def _shows(screen: Terminal, text: str) -> bool:
    return screen.text == text


def test_the_line_is_still_there() -> None:
    with terminal(alone("--seat", "1", "--confirm")) as screen:
        await_question(screen)
        screen.send(RIGHT)
        screen.wait_for("fits? at")
        card = picked(screen)[0].lower()
        screen.send("scor")
        screen.wait_for("> scor$")
        assert is_unpicked(screen)
        screen.send(TAB)
        screen.wait_for("> score$")
        screen.send("\r")
        screen.wait_for("You: trophies none")
        screen.send(RIGHT)
        screen.update(0.3)
        assert is_unpicked(screen)  # the table is not in sight
        screen.send(BACK)
        screen.wait_for("What has happened")
        # A card alone is not yet a move; the keys go on from it.
        screen.enter(card)
        screen.wait_for(r"Where does \w+ \d+ go. It fits next to tile .* Type|Lay \w+ \d+ on tile")
        assert picked(screen)
        screen.send(BACK * 2)
        screen.wait_until(lambda: is_unpicked(screen), "nothing picked")
        screen.enter("moves")
        screen.wait_for("Legal moves.* 1\\) ")
        screen.enter("1")
        screen.wait_for(rf"Lay .* Esc goes back\. {re.escape(CONFIRM)}$")
        screen.enter("no")
        screen.wait_for("Your turn|next to tile")
        screen.enter("1")
        screen.wait_for(re.escape(CONFIRM))
        screen.enter("hand")
        screen.wait_for("Your hand: ")
        assert is_unpicked(screen)
        screen.enter("1")
        screen.wait_for(re.escape(CONFIRM))
        screen.enter("yes")
        screen.wait_for(r"You lay \w+ \d+ next to tile")


def test_a_line_that_names_a_card_goes_on_by_keys() -> None:
    with terminal(posed(OWN_TURN)) as screen:
        screen.wait_for("Your turn")
        screen.send("r3")
        screen.wait_for("It fits at 6 places.*> r3$")
        screen.send(UP)
        screen.wait_for("Red 3 next to tile 2, on your side.*>$")
        screen.send(BACK * 2 + "r6 3 them")
        screen.wait_for("Red 6 next to tile 3, on Bob's side.*> r6 3 them$")
        screen.send(DOWN)
        screen.wait_for("Red 6 next to tile 3, on your side.*>$")
        screen.send("zzz\x03")
        screen.wait_for("pause, resign or no")
        screen.enter("no")
        screen.send(RIGHT)
        screen.wait_for("Where does red 3 go")  # what was typed is forgotten
        screen.send(RIGHT + UP + "\r\r")
        screen.wait_for("^Decided: play r6 2 0$")


def test_leaving_while_a_decision_is_to_be_confirmed() -> None:
    with terminal(alone("--seat", "1", "--confirm")) as screen:
        await_question(screen)
        screen.send(RIGHT + UP + "\r")
        screen.wait_for(re.escape(CONFIRM))
        screen.send("\x03")
        screen.wait_for("pause, resign or no")
        screen.enter("no")
        screen.wait_for("The game goes on.")
        assert "You lay" not in screen.words
        screen.send("\x03\x03")
        assert screen.finish() == 3


def test_the_window_may_change_its_size_while_something_is_picked() -> None:
    """Case T1: 80x24, 60x20, 40x10 and back."""
    with terminal(alone("--seat", "1", "--confirm")) as screen:
        await_question(screen)
        screen.send(RIGHT + UP)
        screen.wait_for("Enter lays it")
        wide = screen.text
        screen.resize(60, 20)
        screen.wait_for("tile +Bob's side.*Enter lays it.*>$")
        assert picked(screen) == re.findall(r"\[([RYGBE]\d+) *\]", wide)
        assert all(len(each) <= 60 for each in screen.lines)
        screen.resize(40, 10)
        too_small = (
            "^bcnet needs 60 columns and 20 lines; this window has 40 and 10. Please make it larger. >$"
        )
        screen.wait_for(too_small)
        screen.send(LEFT + DOWN + "\r")
        screen.update(0.3)
        screen.wait_for(too_small)
        screen.resize(80, 24)
        screen.wait_until(lambda: screen.text == wide, "the same screen as before")
        screen.send("\r")
        screen.wait_for(re.escape(CONFIRM))
        screen.resize(40, 10)
        screen.wait_for("bcnet needs 60 columns")
        screen.send("\r")
        screen.update(0.3)
        screen.resize(60, 20)
        screen.wait_for(re.escape(CONFIRM))  # nobody has confirmed what could not be read
        screen.send("\r")
        screen.wait_for("You lay ")


def click(screen: Terminal, column: int, row: int) -> None:
    """Press and release the left button."""
    for end in "Mm":
        screen.send(f"\x1b[<0;{column + 1};{row + 1}{end}")


def find(screen: Terminal, pattern: str, last: bool = False) -> tuple[int, int]:
    """Where on the screen something stands first, or last."""
    found = [(m.start(), row) for row, each in enumerate(screen.lines) for m in re.finditer(pattern, each)]
    return found[-1 if last else 0]


def test_a_card_is_laid_by_the_mouse() -> None:
    with terminal(alone("--seat", "1", "--confirm", "--mouse")) as screen:
        await_question(screen)
        assert any(each in screen.raw for each in MOUSE_ON)
        column, row = find(screen, "^▶ you ")
        for match in re.finditer(r"[RYGBE]\d+", screen.lines[row][column:]):
            click(screen, match.start(), row)
            screen.wait_for(rf"\[{match[0]} *\]")
            if "◂▸" in screen.text:
                break
        click(screen, *find(screen, "◂▸"))
        screen.wait_for(re.escape(CONFIRM))
        click(screen, 0, 0)
        screen.send(BACK)
        screen.wait_for("Enter lays it")
        screen.send("\r")
        screen.wait_for(re.escape(CONFIRM))
        click(screen, *find(screen, "Lay "))
        screen.wait_for("You lay ")
        screen.enter("rules")
        screen.wait_for("─ The rules ─+ 1–")
        screen.send("\x1b[<65;10;10M")
        screen.wait_for("─ The rules ─+ 4–")
        screen.send("\x1b[<64;10;10M")
        screen.wait_for("─ The rules ─+ 1–")


def test_without_the_mouse_the_terminal_selects_and_copies_itself() -> None:
    """Case T3."""
    with terminal(alone("--seat", "1")) as screen:
        await_question(screen)
        choose(screen)
        assert not any(each in screen.raw for each in MOUSE_ON)


# --- dialogs, in positions that were picked beforehand ---

EXCHANGE, PASS, CLAIM = ("1", "117"), ("7", "71"), ("13", "200")
OWN_TURN = ("1", "6")


def posed(position: tuple[str, str], *arguments: str) -> list[str]:
    return [sys.executable, "-m", "tests.console.posed", *position, *arguments]


@pytest.mark.parametrize(
    ("position", "keys", "question", "decided"),
    [
        (EXCHANGE, RIGHT + "\r", "Keep all cards, and let your turn pass", "exchange"),
        (EXCHANGE, " \r", "Exchange Y6", "exchange y6"),
        (EXCHANGE, " " + RIGHT + RIGHT + " \r", "Exchange Y6 and Y9", "exchange y6 y9"),
        (EXCHANGE, (" " + RIGHT) * 5 + "\r", "Exchange Y6, Y8, Y9 and Y12", "exchange y6 y8 y9 y12"),
        (EXCHANGE, " " + LEFT + " " + RIGHT + " \r", "Exchange G8", "exchange g8"),
        (EXCHANGE, "1 3\r", "Exchange Y6 and Y9", "exchange y6 y9"),
        (CLAIM, DOWN + "\r", "Take the red trophy for 6 red and 3 green", "claim red red=6 green=3"),
        (CLAIM, DOWN * 3 + UP + "\r", "Take the yellow trophy for .*", "claim yellow yellow=5 green=3"),
        (CLAIM, UP + "\r", "Claim nothing now", "decline"),
        (CLAIM, "3\r", "Take the grey trophy for 3 green and 2 grey", "claim grey grey=2 green=3"),
        (PASS, "", "", "pass"),
        (OWN_TURN, RIGHT + TAB + TAB + "\r", "Lay red 3 on tile 2, Bob's side", "play r3 2 1"),
    ],
    ids=lambda value: value.replace("\x1b", "^").replace("\r", "^M") if isinstance(value, str) else "",
)  # fmt: skip
def test_dialogs_through_keys(position: tuple[str, str], keys: str, question: str, decided: str) -> None:
    columns, rows = (60, 20) if len(keys) % 2 else (80, 24)
    with terminal(posed(position), columns=columns, rows=rows) as screen:
        screen.wait_for("Balloon Cup .*>$")
        screen.send(keys)
        if question:
            screen.wait_for(f"{question}\\? Enter .*{re.escape(CONFIRM)}$")
        screen.send("\r")
        screen.wait_for(f"^Decided: {decided}$")
        assert screen.finish() == 0


def test_dialogs_through_the_mouse() -> None:
    with terminal(posed(EXCHANGE, "--mouse")) as screen:
        screen.wait_for("exchange>$")
        for number in (2, 5, 2):
            column, row = find(screen, f"{number}(\\[.\\]| )[YG]", last=True)
            click(screen, column + 1, row)
            screen.wait_for(f"▶{number}\\[")
        screen.send("\r")
        screen.wait_for("Exchange Y13. Enter")
        click(screen, *find(screen, "Exchange Y13"))
        screen.wait_for("^Decided: exchange y13$")
    with terminal(posed(CLAIM, "--mouse", "--no-confirm")) as screen:
        screen.wait_for("claim>$")
        click(screen, *find(screen, "the grey trophy"))
        screen.wait_for("^Decided: claim grey grey=2 green=3$")


def test_without_confirming_enter_lays_a_card_at_once() -> None:
    with terminal(posed(OWN_TURN, "--no-confirm")) as screen:
        screen.wait_for("Your turn")
        screen.send(RIGHT + UP + "\r")
        screen.wait_for("^Decided: play r3 2 0$")


@pytest.mark.parametrize("ending", ["", "\n", "\r\n\n", "\x0b\u2028"])
def test_what_is_pasted_stays_one_line(ending: str) -> None:
    with terminal(posed(OWN_TURN)) as screen:
        screen.wait_for("Your turn")
        screen.send(f"\x1b[200~{ending}\x1b[201~")
        screen.send(f"\x1b[200~r6\r\n3\tthem{ending}\x1b[201~")
        screen.wait_for("Red 6 next to tile 3, on Bob's side.*> r6 3 them$")
        screen.send(BACK)
        screen.wait_for("left/right: a card.*>$")
        screen.send(f"\x1b[200~{ending}\x1b[201~" + RIGHT)
        screen.wait_for("fits? at")  # the line is as empty as it looks


def test_escape_clears_the_line_first_and_the_hint_names_what_works() -> None:
    with terminal(posed(OWN_TURN)) as screen:
        screen.wait_for("left/right: a card")
        screen.send("zzz")
        screen.wait_for("Esc clears the line ─.*> zzz$")
        assert "left/right" not in screen.text
        screen.send(BACK + "r3")
        screen.wait_for("up/down go on, Esc clears the line ─.*> r3$")
        screen.send(BACK)
        screen.wait_for("left/right: a card.*>$")
        screen.send("rules\r")
        screen.wait_for("Esc ─")
        screen.send("zzz" + BACK)
        screen.update(0.3)
        assert "left/right: a card" not in screen.text
        screen.send(BACK)
        screen.wait_for("left/right: a card")


def test_in_a_small_window_no_key_chooses_answers_or_loses_anything() -> None:
    with terminal(posed(EXCHANGE)) as screen:
        screen.wait_for("exchange>$")
        screen.send(" " + RIGHT)
        marks = screen.wait_for(r"1\[x\]\S+ ▶2\[ \]\S+ 3\[ \]")[0]
        screen.resize(40, 10)
        screen.wait_for("bcnet needs 60 columns")
        screen.send(f" x{LEFT}{UP}{TAB}\r\x04")
        screen.send(BACK)
        screen.update(0.3)
        screen.send("\x1b[200~2\x1b[201~")
        screen.update(0.3)
        assert "pause, resign or no" in screen.text  # Ctrl-D still asks
        screen.send("no\r" + BACK)
        screen.update(0.3)
        assert "pause, resign or no" in screen.text
        screen.resize(80, 24)
        screen.wait_for("Leave in mid-game.*pause, resign or no.$")
        screen.send(BACK)
        screen.wait_for("The game goes on")
        assert marks in screen.words
        screen.send("resign\r")
        screen.wait_for("resign, yes or no")
        screen.resize(40, 10)
        screen.wait_for("bcnet needs 60 columns")
        screen.send("yes\r")
        screen.update(0.3)
        assert "resign, yes or no" in screen.text
        screen.send("\x03")
        screen.wait_for("pause, resign or no")
        screen.send("\x03")
        screen.wait_until(lambda: not screen.is_alternate, "left")
