"""``bcnet`` alone, in a terminal: the menu, what it runs, and how one gets out of it again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bcnet import cli
from bcnet.cli import menu
from bcnet.cli.menu import ENTRIES
from tests.console.terminal import Terminal, in_shell, terminal
from tests.test_cli import bcnet

TRANSCRIPTS = Path(__file__).resolve().parents[1] / "vectors/transcripts"
COMMAND = [sys.executable, "-m", "bcnet"]
ASKS = "the line that your friend has sent:"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def shown(home: Path) -> Iterator[Terminal]:
    """The menu."""
    with terminal([*COMMAND, "--home", str(home)], columns=200, rows=300) as started:
        started.wait_for(f"{ASKS}$")
        yield started


def choose(shown: Terminal, answer: str, until: str) -> str:
    """What is said after an answer, once that has come."""
    before = shown.words.count(ASKS)
    shown.enter(answer)
    shown.wait_until(
        lambda: shown.words.count(ASKS) > before and until in shown.words, f"{until} after {answer}"
    )
    return shown.words


def test_what_there_is(shown: Terminal) -> None:
    text = shown.text
    for number, word in enumerate(ENTRIES, 1):
        assert f"  {number}  {word} " in text
    assert "(1 game)" not in text
    shown.enter("0")
    assert shown.finish() == 0


@pytest.mark.parametrize("answer", ["q", "quit", "QUIT", "0", "\x04"])
def test_ways_out(answer: str, shown: Terminal) -> None:
    shown.send(answer if answer == "\x04" else f"{answer}\r")
    assert shown.finish() == 0


def test_interrupted(shown: Terminal) -> None:
    shown.send("\x03")
    assert shown.finish() == 130
    assert "Traceback" not in shown.text


def test_a_number_a_word_and_a_command_are_the_same(shown: Terminal, home: Path) -> None:
    choose(shown, str([*ENTRIES].index("friend") + 1), "the same four words")
    choose(shown, "settings", f"Settings: {home}/settings.toml")
    choose(shown, "Settings --init --level hard", "Written: ")
    assert 'level = "hard"' in (home / "settings.toml").read_text()
    choose(shown, "rules", "FILLING TILES")
    shown.enter("q")
    assert shown.finish() == 0


def test_what_makes_no_sense(shown: Terminal) -> None:
    choose(shown, "dance", "There is no 'dance' here.")
    choose(shown, "17", "There is no '17' here.")
    choose(shown, 'it"s', "here.")
    choose(shown, "verify", "Missing argument")
    choose(shown, "resume", "There is no unfinished game.")
    choose(shown, "replay", "There is no finished game.")
    shown.enter("")
    shown.enter("q")
    assert shown.finish() == 0


@pytest.mark.parametrize(
    ("last", "words"), [("", ["play"]), ("Ha", ["play", "--level", "hard"]), ("q", None), ("0", None)]
)
def test_nonsense_as_a_level_is_asked_about_again(
    last: str, words: list[str] | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(["", "medium", "\x1b[C\x1b[Cq", "7", "x" * 5000, last])
    monkeypatch.setattr(menu, "_ask", lambda _question: next(answers))
    assert menu._play(cast(menu.Menu, SimpleNamespace(level="normal", game="balloon-cup"))) == words
    out = capsys.readouterr().out
    assert out.count("There is no ") == 4
    assert "\x1b" not in out
    assert len(out) < 300


def test_a_number_that_is_not_in_the_list_is_asked_about_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for last, chosen in (("2", 1), ("", None), ("q", None)):
        answers = iter(["3", "0x1", "-1", "²", "02", last])
        monkeypatch.setattr(menu, "_ask", lambda _question, given=answers: next(given))
        assert menu._choose("Which one?", ["a", "b"]) == chosen
        assert capsys.readouterr().out.count("There is no ") == 5


def test_the_question_is_there_again_after_a_stop(shown: Terminal) -> None:
    shown.signal(signal.SIGSTOP)
    shown.signal(signal.SIGCONT)
    shown.wait_until(lambda: shown.words.count(ASKS) == 2, "the question again")
    shown.enter("q")
    assert shown.finish() == 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("join 1.2.3.4 abc", ["join", "1.2.3.4", "abc"]),
        ("bcnet join 1.2.3.4", ["join", "1.2.3.4"]),
        ("  scripts/bcnet join '[fe80::1%eth0]:5'  ", ["join", "[fe80::1%eth0]:5"]),
        ("python3 -m bcnet join ::1", ["join", "::1"]),
        ("/opt/bcnet/bin/bcnet --home 'a b' games", ["--home", "a b", "games"]),
        ("1.2.3.4 abc", ["1.2.3.4", "abc"]),
        ("", []),
    ],
)
def test_a_line_as_the_friend_has_it(line: str, words: list[str]) -> None:
    assert menu._as_typed(line) == (words, "bcnet" in line)


def test_a_line_that_is_sent_does_nothing_but_lead_to_a_table(
    shown: Terminal, home: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    for line in (f"bcnet demo --out {out}", f"scripts/bcnet --home {home} join ::1", "bcnet", "bcnet quit"):
        choose(shown, line, "A friend's line begins with one of: join, resume, watch." if " " in line else "")
    assert not out.exists()


OPTIONS = (
    "--trust-first",
    "--home=/tmp/x",
    "--restore",
    "--bot=random",
    "-h",
    "--",
    "--no-\x1b[2J" + "x" * 500,
)


@pytest.mark.parametrize("option", OPTIONS, ids=[option[:9] for option in OPTIONS])
def test_a_line_that_is_sent_decides_nothing_else(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """How this program works is said by whoever sits at it."""
    own = cast(menu.Menu, SimpleNamespace(group=cli.cli))
    lines = [
        line
        for word in menu.SENT
        for line in (f"bcnet {word} ::1 abc {option}", f"scripts/bcnet {word.upper()} {option} ::1")
    ]
    for line in lines:
        assert menu.Menu._words(own, line) is None
    for answer in (f"bcnet join ::1 {option}", f"join {option} ::1", f"::1 abc {option}"):
        monkeypatch.setattr(menu, "_ask", lambda _question, given=answer: given)
        assert menu._join(own) is None
    out = capsys.readouterr().out
    assert out.count("There are no options in a friend's line, but here is one: '-") == len(lines) + 3
    assert "\x1b" not in out
    assert all(len(line) < 150 for line in out.splitlines())
    assert menu.Menu._words(own, "host --listen ::1") == ["host", "--listen", "::1"], "what is typed"


def test_bytes_that_are_no_text(shown: Terminal) -> None:
    """A key of a keyboard with another encoding, and Ctrl-Space."""
    shown.send(b"\xff\xfe\r")
    shown.wait_for(f"There is no '\ufffd\ufffd' here.*{ASKS}$")
    shown.send(b"join 127.0.0.1:9 \xe4\0\r")
    shown.wait_for(f"in an invite code.*{ASKS}$")
    shown.enter("q")
    assert shown.finish() == 0


def test_the_line_of_the_friend_is_joined(shown: Terminal) -> None:
    """Nobody is there; it says so, and the menu is back."""
    choose(shown, "bcnet join 127.0.0.1:9", "refuses the connection")
    shown.enter("join")
    shown.wait_for("Enter looks for tables in this network:$")
    choose(shown, "127.0.0.1:9", "no table is open at port 9")
    shown.enter("q")
    assert shown.finish() == 0


def test_finished_games_are_listed_and_shown(home: Path) -> None:
    (home / "transcripts").mkdir(parents=True)
    from bcnet.verify import verify_file

    for name in ("clean-resigned-on-turn", "incomplete-draw"):
        file = TRANSCRIPTS / f"{name}.bct"
        table = verify_file(file).table_id.hex()[:16]
        shutil.copy(file, home / f"transcripts/2026-11-30-{table}-0.bct")
    with terminal([*COMMAND, "--home", str(home)], columns=200, rows=300) as shown:
        shown.wait_for(rf"\(2 games\).*{ASKS}$")
        shown.enter("replay")
        shown.wait_for("Which one")
        assert "Grace" in shown.text
        assert "(does not count)" in shown.text
        number = next(line.split()[0] for line in shown.lines if "Grace" in line)
        shown.enter(number)
        shown.wait_until(lambda: shown.is_alternate, "the replay")
        shown.send("q")
        shown.wait_until(lambda: not shown.is_alternate and shown.words.endswith(ASKS), "the menu")
        shown.enter("q")
        assert shown.finish() == 0


@pytest.mark.end_to_end
def test_a_game_is_begun_paused_and_taken_up(home: Path, tmp_path: Path) -> None:
    """Case T2 for the menu: after all of it the terminal is as it was."""
    before, after = tmp_path / "before", tmp_path / "after"
    with terminal(in_shell([*COMMAND, "--home", str(home)], before, after), rows=40) as shown:
        shown.wait_for(f"{ASKS}$")

        def pause() -> None:
            shown.wait_until(lambda: shown.is_alternate and "pile" in shown.text, "the table")
            shown.send("\x03")
            shown.wait_for(r"pause, resign or no\?$")
            shown.enter("pause")
            shown.wait_until(
                lambda: not shown.is_alternate and "(1 game)" in shown.text and shown.words.endswith(ASKS),
                "the menu",
            )

        shown.enter("play")
        shown.wait_for("Which game")
        shown.enter("")
        shown.wait_for("How well shall the bot play")
        shown.enter("e")
        pause()
        shown.enter("resume")
        shown.wait_for(r"1 Balloon Cup with Bot \(easy\).*Enter: none\.$")
        shown.enter("1")
        pause()
        shown.enter("q")
        shown.wait_for(r"code 0 \$$")
        assert shown.cursor_is_visible
    assert after.read_text() == before.read_text()


def test_hosting_is_left_with_ctrl_c(shown: Terminal) -> None:
    shown.enter("host --listen 127.0.0.1:0 --no-announce")
    shown.wait_for("Waiting for the other player")
    shown.send("\x03")
    shown.wait_for(f"The table is closed.*{ASKS}$")
    shown.enter("q")
    assert shown.finish() == 0


def test_told_to_end_while_a_command_runs(shown: Terminal) -> None:
    shown.enter("host --listen 127.0.0.1:0 --no-announce")
    shown.wait_for("Waiting for the other player")
    shown.signal(signal.SIGTERM)
    assert shown.finish() == 143
    assert "The table is closed." in shown.text


def test_options_before_it_hold_in_it(tmp_path: Path) -> None:
    other = tmp_path / "other"
    with terminal([*COMMAND, "--home", str(other), "--log-level", "debug"], columns=200, rows=300) as shown:
        shown.wait_for(f"{ASKS}$")
        text = choose(shown, "settings", "log-level")
        assert f"{other}/settings.toml" in text
        assert 'log-level = "debug" typed' in text


def test_the_name_of_the_settings(home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text('name = "Ännchen"')
    with terminal([*COMMAND, "--home", str(home)]) as shown:
        shown.wait_for("You are Ännchen")
    (home / "settings.toml").write_text("nonsense")
    with terminal([*COMMAND, "--home", str(home)]) as shown:
        assert shown.finish() == 64
        assert "settings.toml, line 1: this is no TOML" in shown.words


def test_without_a_terminal_there_is_help() -> None:
    ran = bcnet()
    assert ran.returncode == 0
    assert ran.stdout.startswith("Usage:")


def test_lines_are_drawn_with_nothing_but_lines(home: Path) -> None:
    """Nothing that a screen reader or a simple terminal could not take: letters and ends of lines."""
    with terminal([*COMMAND, "--home", str(home)], env={"TERM": "dumb"}) as shown:
        shown.wait_for(f"{ASKS}$")
        shown.enter("rules")
        shown.wait_for(f"FILLING TILES.*{ASKS}$")
        shown.enter("q")
        assert shown.finish() == 0
        assert b"\x1b" not in shown.raw


MOST_MODULES = 100
"""Of what the menu needs beyond Python's own modules: the command line, the home folder, and cryptography for it."""


def test_it_loads_neither_grpc_nor_what_draws(tmp_path: Path) -> None:
    """Time depends on the machine; how much is loaded does not."""
    code = """
import io, sys
before = {*sys.modules}
class Terminal(io.TextIOWrapper):
    def isatty(self): return True
sys.stdin, sys.stdout = Terminal(io.BytesIO(b"q\\n")), Terminal(io.BytesIO())
import bcnet.cli
assert bcnet.cli._code([]) == 0
sys.stdout.flush()
assert b"practise" in sys.stdout.buffer.getvalue()
others = {name for name in sys.modules if name.partition(".")[0] not in sys.stdlib_module_names}
heavy = {"asyncio", "multiprocessing", "concurrent.futures", "ssl", "sqlite3"}
print(*sorted((others | heavy & sys.modules.keys()) - before), file=sys.__stdout__)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"BCNET_HOME": str(tmp_path)},
    )
    loaded = ran.stdout.split()
    tops = {name.partition(".")[0] for name in loaded}
    assert tops <= {"bcnet", "click", "cryptography", "platformdirs", "_cffi_backend", "_openssl"}
    assert len(loaded) <= MOST_MODULES, loaded
