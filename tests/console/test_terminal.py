"""The console in a terminal, as a person has it: real keys, a real screen, whole games."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.console.hands import answer, await_question, play_on
from tests.console.terminal import alone, in_shell, terminal

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(240)]


def test_a_whole_game_through_typed_commands(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    with terminal(
        in_shell(alone("--home", str(tmp_path / "home"), "--seat", "1", "--proofs"), before, after)
    ) as screen:
        screen.wait_for("Your key is .{19}. The key of Bob is .{19}.")
        screen.wait_for("Words of this table: .*They are the same on every screen")
        play_on(screen)
        assert re.search("You win!|Bob won|The game is drawn", screen.words)
        screen.wait_for("Fair: every step was checked, and the audit of all seeds agrees.")
        screen.enter("")
        screen.wait_for(r"code 0 \$$")
        assert not screen.is_alternate
        assert screen.cursor_is_visible
        transcript = next((tmp_path / "home" / "1" / "transcripts").iterdir())
        assert transcript.name in screen.words.replace(" ", "")
    assert before.read_text() == after.read_text()


@pytest.mark.parametrize("keys", [["\x03", "\x03"], ["\x04", "pause\r"], ["quit\r", "y\r"], ["\x03", "\x04"]])
def test_leaving_in_mid_game_asks_and_leaves_the_terminal_as_it_was(
    tmp_path: Path, keys: Sequence[str]
) -> None:
    """Case T2: quit, Ctrl-C, Ctrl-D."""
    before, after = tmp_path / "before", tmp_path / "after"
    with terminal(in_shell(alone("--seat", "1"), before, after)) as screen:
        screen.wait_for("Your turn")
        screen.send(keys[0])
        screen.wait_for(
            "Leave in mid-game. pause: both can go on later. resign: Bob has won. no: stay. "
            "Bob will be told. pause, resign or no"
        )
        screen.send(keys[1])
        screen.wait_for(r"You have left the table. code 3 \$$")
        assert screen.cursor_is_visible
        assert not screen.is_alternate
        assert screen.lines[screen.cursor[1]] == "$"
    assert before.read_text() == after.read_text()


def test_who_does_not_leave_plays_on() -> None:
    with terminal(alone("--seat", "1")) as screen:
        screen.wait_for("Your turn")
        for keys in ("\x03", "quit\r"):
            screen.send(keys)
            screen.wait_for("pause, resign or no")
            screen.enter("perhaps")
            screen.wait_for("Please answer pause, resign or no")
            screen.enter("no")
            screen.wait_for("The game goes on.")
        answer(screen)
        screen.wait_for("You lay ")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(tmp_path: Path, number: int) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    command = in_shell(alone("--seat", "1", "--signal-at", "1", "--signal", str(number)), before, after)
    with terminal(command) as screen:
        screen.wait_for(r"bcnet was told to end. code 3 \$$")
        assert screen.cursor_is_visible
        assert not screen.is_alternate
    assert before.read_text() == after.read_text()


def test_the_window_is_closed() -> None:
    with terminal(alone("--seat", "1")) as screen:
        screen.wait_for("Your turn")
        assert screen.hang_up() == 3


def test_a_defect_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    """Case T2: an error."""
    before, after = tmp_path / "before", tmp_path / "after"
    with terminal(in_shell(alone("--seat", "1", "--defect-at", "2"), before, after)) as screen:
        screen.wait_for("Your turn")
        screen.enter("moves")
        screen.wait_for("Legal moves.* 1\\) ")
        screen.enter("1")
        screen.wait_for(r"RuntimeError: a defect code 1 \$$")
        assert screen.cursor_is_visible
        assert not screen.is_alternate
    assert before.read_text() == after.read_text()


def test_the_host_waits_below_what_was_printed() -> None:
    with terminal(alone("--late", "2")) as screen:
        screen.wait_for(
            "Tell the other: bcnet join 192.0.2.7 Waiting until all have sat down … quit or Ctrl-C leaves. >"
        )
        assert not screen.is_alternate
        screen.enter("moves")
        screen.wait_for("The game has not begun yet.")
        screen.wait_for("Your turn|Waiting for Bob")
        assert screen.is_alternate


@pytest.mark.parametrize("keys", ["\x03", "\x04", "quit\r"])
def test_leaving_before_anybody_has_come(tmp_path: Path, keys: str) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    with terminal(in_shell(alone("--late", "99"), before, after)) as screen:
        screen.wait_for("Waiting until all have sat down")
        screen.send(keys)
        screen.wait_for(r"bcnet join 192.0.2.7 You have left the table; nobody had sat down. code 3 \$$")
        assert screen.cursor_is_visible
    assert before.read_text() == after.read_text()


def test_what_happens_does_not_garble_the_line_that_is_being_typed() -> None:
    with terminal(alone("--seat", "1", "--think", "2", "--name", "Ann")) as screen:
        await_question(screen)
        answer(screen)
        screen.wait_for("Waiting for Bob")
        screen.send("hand and so")
        screen.wait_for("> hand and so$")
        screen.wait_for("Bob lays")
        screen.wait_for("Your turn.*> hand and so$")
        screen.send("\x15hand\r")
        screen.wait_for("Your hand: ")


def test_the_window_may_change_its_size() -> None:
    with terminal(alone("--seat", "1")) as screen:
        screen.wait_for("Your turn")
        wide = screen.text
        assert "╭ 4 mountain" in wide
        screen.resize(60, 20)
        screen.wait_for("4 mountain high")
        assert all(len(each) <= 60 for each in screen.lines)
        assert "╭" not in screen.text
        screen.resize(40, 10)
        screen.wait_for(
            "^bcnet needs 60 columns and 20 lines; this window has 40 and 10. Please make it larger. >$"
        )
        screen.resize(80, 24)
        screen.wait_until(lambda: screen.text == wide, "the same screen as before")
        screen.resize(120, 40)
        screen.wait_until(
            lambda: screen.lines[-2].startswith(" Your turn") and len(screen.lines) == 40, "the large one"
        )
        answer(screen)
        screen.wait_for("You lay ")


@pytest.mark.parametrize(
    ("env", "code"),
    [
        ({"NO_COLOR": "1"}, ""),
        ({"NO_COLOR": "1", "COLORTERM": "truecolor"}, ""),
        ({"TERM": "vt100"}, ""),
        ({"TERM": "linux"}, "97;44"),
        ({"TERM": "xterm"}, "97;44"),
        ({"TERM": "xterm-256color"}, ";48;5;"),
        ({"TERM": "tmux-256color", "COLORTERM": "truecolor"}, ";48;2;"),
    ],
    ids=lambda value: " ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else "",
)
def test_colours_and_letters(env: dict[str, str], code: str) -> None:
    """Case T4: no colour, 16, 256, true colour; the letters are always there."""
    with terminal(alone("--seat", "1"), env=env) as screen:
        screen.wait_for("Your turn")
        screen.update(0.3)
        assert bool(screen.colours()) == bool(code)
        for each in ("97;44", ";48;5;", ";48;2;"):
            assert (each.encode() in screen.raw) == (each == code)
        found = re.search(r"You are dealt ((?:[RYGBE]\d+(?:, | and )?)+)\.", screen.words)
        assert found, screen.text
        assert ("┌ 1 " in screen.text) == (env.get("TERM") == "linux")


def test_a_terminal_that_is_not_utf_8_gets_ascii() -> None:
    with terminal(alone("--seat", "1", "--other", "Zoë"), env={"LC_ALL": "C"}) as screen:
        screen.wait_for(r"Your turn.*>$")
        assert screen.text.isascii(), screen.text
        assert "+ 4 mountain" in screen.text
        assert "Zoe" in screen.text  # without its dots
        screen.send("\x03\x03")
        assert screen.finish() == 3
    assert screen.raw.isascii()


@pytest.mark.parametrize(("how", "rings"), [([], True), (["--no-bell"], False)])
def test_the_bell_rings_when_it_is_your_turn(how: list[str], *, rings: bool) -> None:
    """Case T5."""
    with terminal(alone("--seat", "1", *how)) as screen:
        screen.wait_for("Your turn")
        screen.update(0.3)
        assert bool(screen.bells) == rings


SHOWN, KEPT, GIVEN_BACK = b"\x1b]2;%b\x07", b"\x1b[22;2t", b"\x1b]2;\x07\x1b[23;2t"


def test_the_title_tells_whose_turn_it_is_and_is_given_back() -> None:
    """Case T5; and nothing in a title comes from the other side."""
    with terminal(alone("--seat", "1", "--think", "1", "--other", "Eve")) as screen:
        await_question(screen)
        answer(screen)
        screen.wait_for("Eve lays .*Your turn")
        screen.send("\x03\x03")
        assert screen.finish() == 3
    titles = re.findall(rb"\x1b\]2;(.*?)\x07", screen.raw)
    assert set(titles) == {b"bcnet", b"Your turn at bcnet", b""}
    assert titles[-4:] == [b"Your turn at bcnet", b"bcnet", b"Your turn at bcnet", b""]
    assert screen.raw.count(KEPT) == 1
    assert screen.raw.index(KEPT) < screen.raw.index(SHOWN % b"Your turn at bcnet")
    assert screen.raw.count(GIVEN_BACK) == 1
    assert screen.raw.rindex(SHOWN % b"Your turn at bcnet") < screen.raw.index(GIVEN_BACK)


@pytest.mark.parametrize("way", ["defect", "signal"])
def test_the_title_is_given_back_whatever_ends_it(way: str) -> None:
    """Cases T2 and T5."""
    with terminal(alone("--seat", "1", f"--{way}-at", "1")) as screen:
        assert screen.finish() in {1, 3}
        assert screen.raw.count(KEPT) == screen.raw.count(GIVEN_BACK) == 1


@pytest.mark.parametrize(
    ("how", "env"), [(["--no-title"], {}), ([], {"TERM": "linux"})], ids=["off", "console"]
)
def test_no_title_where_none_is_wanted_or_there_is_none(how: list[str], env: dict[str, str]) -> None:
    """Case T5."""
    with terminal(alone("--seat", "1", *how), env=env) as screen:
        screen.wait_for("Your turn")
        screen.send("\x03\x03")
        assert screen.finish() == 3
        assert b"\x1b]" not in screen.raw
        assert KEPT not in screen.raw


def test_the_clock_of_the_other_ticks_without_a_flicker() -> None:
    with terminal(alone("--seat", "1", "--think", "9")) as screen:
        await_question(screen)
        answer(screen)
        screen.wait_for("Bob is thinking, 0:03")
        screen.update(0.3)
        before, lines = len(screen.raw), screen.lines
        screen.wait_for("Bob is thinking, 0:05")
        screen.update(0.2)
        drawn = screen.raw[before:]
        assert [at for at in range(24) if lines[at] != screen.lines[at]] == [22]
        assert len(drawn) < 400, drawn
        assert not re.search(rb"\x1b\[[0-3]?J", drawn), drawn  # nothing is erased to be drawn again


def test_chat_is_seen_beside_the_game_and_obeys_nobody() -> None:
    evil = "\x1b]2;pwned\x07 \x1b[2J hi\u202e"
    with terminal(alone("--seat", "1", "--say-at", "1", "--says", evil)) as screen:
        await_question(screen)
        answer(screen)
        screen.wait_for(r"Bob: \]2;pwned \[2J hi")
        screen.enter("'hello yourself")
        screen.wait_for("You: hello yourself")
        screen.enter("help")
        screen.wait_for("What you can type")
        assert b"\x1b]2;pwned" not in screen.raw


def test_without_chat_nothing_of_it_is_shown() -> None:
    with terminal(alone("--seat", "1", "--say-at", "1", "--no-chat")) as screen:
        await_question(screen)
        answer(screen)
        await_question(screen)
        screen.enter("say hello")
        screen.wait_for("Chat is off on this side; nothing was sent.")
        assert "Good luck!" not in screen.words
        assert b"Good luck" not in screen.raw


def test_no_line_of_a_library_comes_to_the_screen() -> None:
    with terminal(alone("--seat", "1", "--noise-at", "1")) as screen:
        screen.wait_for("Your turn")
        screen.update(0.5)
        assert "library" not in screen.raw.decode()


def test_what_the_program_prints_meanwhile_is_shown_in_its_place() -> None:
    with terminal(alone("--seat", "1", "--print-at", "1")) as screen:
        screen.wait_for("Somebody was turned away: the table is taken. Your turn")
        assert screen.lines[-1].rstrip() == ">"


def test_the_other_leaves() -> None:
    with terminal(alone("--seat", "1", "--leave-at", "2")) as screen:
        play_on(screen, until="The line is down")
        screen.wait_for(
            "The line is down: the other player has left. What was played is kept in .* Type quit to leave the table."
        )
        screen.enter("quit")
        assert screen.finish() == 3
        assert "The game is unfinished: the other player has left." in screen.words


def test_the_other_cheats(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    with terminal(in_shell(alone("--seat", "1", "--cheat-at", "2"), before, after)) as screen:
        play_on(screen)
        screen.wait_for(r"Bob cheated in round \d+: a move against the rules\. Bob says 'claim red red=7'")
        assert re.search(r"Theproofliesin/\S+-1\.bct", screen.words.replace(" ", ""))
        screen.enter("")
        screen.wait_for(r"Bob cheated in round \d+: a move against the rules\. .*code 1 \$$")
        assert screen.cursor_is_visible
    assert before.read_text() == after.read_text()


def test_the_line_goes_down() -> None:
    with terminal(alone("--seat", "1", "--cut-at", "1")) as screen:
        screen.wait_for("The line is down: the line is cut, or the other program was ended.")
        screen.send("\x03")
        assert screen.finish() == 3


def test_the_disk_is_full_for_a_while() -> None:
    with terminal(alone("--seat", "1", "--trouble-at", "1")) as screen:
        screen.wait_for("The disk is full. The game waits and tries again. Make room.")
        screen.wait_until(lambda: "The disk is full" not in screen.words, "no more trouble")


def test_the_other_resigns() -> None:
    with terminal(alone("--seat", "1", "--resign-at", "2")) as screen:
        play_on(screen)
        screen.wait_for("You win! The other side resigned.")
        screen.send("\x03")
        assert screen.finish() == 0
        assert "You win! The other side resigned. You: trophies none; " in screen.words


def test_resigning() -> None:
    with terminal(alone("--seat", "1")) as screen:
        screen.wait_for("Your turn")
        screen.enter("resign")
        screen.wait_for("Really resign. Then Bob has won. resign, yes or no")
        screen.enter("no")
        screen.wait_for("The game goes on.")
        screen.enter("resign")
        screen.enter("yes")
        screen.wait_for("Bob won. You resigned.")
        screen.enter("quit")
        assert screen.finish() == 0


def test_a_hint_by_keys() -> None:
    with terminal(alone("--seat", "1", "--think", "2")) as screen:
        screen.wait_for("Your turn")
        screen.enter("help")
        screen.wait_for("hint what to do now, and why")
        screen.send("\rhin\t")
        screen.wait_for("> hint")
        screen.send("\r")
        hint = screen.wait_for(r"Hint: (\w+ \d (?:me|them))\. .* \(about \d+% to win\)\.")
        screen.enter(hint[1])
        screen.wait_for("You lay .*Waiting for Bob")
        screen.enter("hint")
        screen.wait_for("It is not your turn: Bob to move. Ask for a hint when the table asks you.")


def test_pages_completion_and_history() -> None:
    with terminal(alone("--seat", "1")) as screen:
        screen.wait_for("Your turn")
        screen.enter("rules")
        screen.wait_for("─ The rules ─+ 1–2. of .., Page Up/Down, Esc ─")
        screen.send("\x1b[6~")
        screen.wait_for("─ The rules ─+ 6–")
        for _ in range(20):
            screen.send("\x1b[6~")
        screen.wait_for("it does not count")
        screen.send("\x1b[5~")
        screen.wait_until(lambda: "it does not count" not in screen.words, "an earlier page")
        screen.send("\x1b")
        screen.wait_for("What has happened")
        screen.enter("moves")
        screen.wait_for("Legal moves.* 1\\) ")
        screen.enter("1")
        screen.wait_for("You lay .*Your turn")
        screen.send("sto\t")
        screen.wait_for("> story")
        screen.send("\r")
        screen.wait_for("The deck is shuffled, and nobody knows its order.")
        screen.send("\r")
        screen.wait_for("What has happened")
        screen.update(0.5)  # the library reads its history anew after each line, beside everything else
        screen.send("\x1b[A")
        screen.wait_for("> story")


def test_what_cannot_be_done_is_explained() -> None:
    with terminal(alone("--seat", "1")) as screen:
        screen.wait_for("Your turn")
        screen.enter("play r14 2 me")
        screen.wait_for("r14 is no card: there is no red card of that value. There are red 1, 2, ")
        screen.enter("ruels")
        screen.wait_for("I do not know what ruels means. Did you mean rules. Type help")
        screen.enter("99")
        screen.wait_for(r"There is no move 99: the list goes from 1 to \d+. Type moves to see them.")


def test_a_program_that_was_stopped_takes_its_terminal_back() -> None:
    """Stopped by whatever, and brought back to the foreground by a shell, which has set the terminal as it likes."""
    with terminal(alone("--seat", "1")) as screen:
        screen.wait_for("Your turn")
        screen.signal(signal.SIGSTOP)
        screen.as_a_shell_leaves_it()
        assert "Your turn" not in screen.words
        screen.signal(signal.SIGCONT)
        screen.wait_for("Balloon Cup .* Your turn")
        screen.enter("moves")
        screen.wait_for("Legal moves.* 1\\) ")
        screen.send("typed")
        screen.wait_for("> typed$")
