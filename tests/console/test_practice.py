"""``bcnet play``: a person at a terminal against a bot that is a second process."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bcnet.cli import practice
from bcnet.cli.play import _rather
from bcnet.cli.practice import STARTS, BotGone
from bcnet.errors import BcnetError
from bcnet.home import Home
from bcnet.verify import Verdict, verify_file
from bcnet_host.admission import Admission
from tests.console.hands import answer, await_question, play_on
from tests.console.terminal import ROOT, Terminal, terminal
from tests.net.processes import await_end, children_of

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.timeout(300),
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes as Linux shows them"),
]

THE_END = "Bot (easy) would like another game: type again, or press Enter to leave."


def bcnet(home: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "bcnet", *words, "--name", "Ann", "--home", str(home)]


def played(home: Path) -> list[Path]:
    return sorted((home / "transcripts").glob("*.bct"))


def bot_of(screen: Terminal) -> list[int]:
    """The process of the bot."""
    found = children_of(screen.pid)
    assert len(found) == 1
    return found


def kill_bot(screen: Terminal) -> int:
    """Kill the bot's process; gives its number."""
    (bot,) = bot_of(screen)
    os.kill(bot, signal.SIGKILL)
    return bot


def another_than(dead: int, screen: Terminal) -> bool:
    return bool(set(children_of(screen.pid)) - {dead})


def test_a_whole_game_against_a_bot_and_another_one(tmp_path: Path) -> None:
    with terminal(bcnet(tmp_path, "play", "--level", "easy", "--fill", "capped")) as screen:
        screen.wait_for("You are Ann, key .{19}. The bot is starting")
        screen.wait_for("The key of Bot .easy. is .{19}.")
        screen.wait_for("fill capped, private-hands on")
        await_question(screen)
        bot = bot_of(screen)
        play_on(screen, until=THE_END)
        screen.wait_for("Fair: every step was checked, and the audit of all seeds agrees.")
        screen.enter("again")
        screen.wait_until(lambda: THE_END not in screen.words, "another game")
        await_question(screen)
        assert bot_of(screen) == bot
        screen.enter("resign")
        screen.enter("yes")
        screen.wait_for("Bot .easy. won. You resigned.")
        screen.wait_until(lambda: THE_END in screen.words, THE_END)
        screen.enter("quit")
        assert screen.finish() == 0
        screen.wait_for("The evening so far: Ann [01], Bot .easy. [12]")
    await_end(bot)
    files = played(tmp_path)
    assert len(files) == 2
    assert all(verify_file(each).verdict is Verdict.CLEAN for each in files)
    assert [who.name for who in verify_file(files[0]).players] == ["Ann", "Bot (easy)"]


@pytest.mark.parametrize("words", [("play",), ("resume",)], ids=lambda words: words[0])
def test_a_game_that_was_paused_goes_on(words: tuple[str, ...], tmp_path: Path) -> None:
    with terminal(bcnet(tmp_path, "play", "--level", "hard")) as screen:
        await_question(screen)
        answer(screen)
        screen.wait_for("You lay ")
        bot = bot_of(screen)
        screen.enter("quit")
        screen.wait_for("pause, resign or no")
        screen.enter("pause")
        assert screen.finish() == 3
        screen.wait_for("To go on: .* resume [0-9a-f]{16}")
    await_end(bot)
    (table,) = Home(tmp_path).unfinished()
    with terminal(bcnet(tmp_path, *words)) as screen:
        if words == ("play",):
            screen.wait_for(
                f"unfinished table {table.table}: Balloon Cup with Bot .hard., .* Go on with it. yes or no.$"
            )
            screen.enter("yes")
        screen.wait_for("The key of Bot .hard. is|Your turn|Waiting for Bot")
        await_question(screen)
        screen.enter("story")
        screen.wait_for("You lay ")
        screen.enter("")
        screen.wait_until(lambda: "Esc closes" not in screen.words, "the table")
        answer(screen)
        screen.enter("resign")
        screen.enter("yes")
        screen.wait_for("Bot .hard. won. You resigned.")
        screen.wait_for("another game")
        screen.enter("quit")
        assert screen.finish() == 0
    (file,) = played(tmp_path)
    assert verify_file(file).verdict is Verdict.CLEAN
    assert Home(tmp_path).unfinished() == []
    assert Home(tmp_path / "practice-hard").unfinished() == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_the_bot_ends_with_the_program(number: signal.Signals, tmp_path: Path) -> None:
    with terminal(bcnet(tmp_path, "play")) as screen:
        await_question(screen)
        bot = bot_of(screen)
        screen.signal(number)
        screen.finish()
        await_end(bot)
    assert [each.table for each in Home(tmp_path).unfinished()] == [
        each.table for each in Home(tmp_path / "practice-normal").unfinished()
    ]


def test_a_bot_that_dies_is_brought_back_a_few_times(tmp_path: Path) -> None:
    with terminal(bcnet(tmp_path, "play", "--level", "easy")) as screen:
        await_question(screen)
        answer(screen)
        screen.wait_for("You lay ")
        for _ in range(STARTS):
            dead = kill_bot(screen)
            screen.wait_for("goes on by itself when Bot .easy. comes back")
            screen.wait_until(partial(another_than, dead, screen), "another process")
            screen.wait_until(lambda: "The line is down" not in screen.words, "the bot")
            await_question(screen)
            answer(screen)
        kill_bot(screen)
        screen.wait_for(
            r"The bot's program has ended .killed by signal 9.\. Type quit to pause the game; `bcnet resume` starts"
        )
        assert "by itself" not in screen.words
        screen.wait_for("Type quit to leave the table")
        screen.enter("quit")
        assert screen.finish() == 3
    with terminal(bcnet(tmp_path, "resume")) as screen:
        await_question(screen)
        answer(screen)
        screen.enter("resign")
        screen.enter("yes")
        screen.wait_for("Bot .easy. won. You resigned.")
        screen.wait_for("another game")
        kill_bot(screen)
        screen.wait_for("Bot .easy. has left; there is no other game here")
        screen.enter("quit")
        assert screen.finish() == 0
    (file,) = played(tmp_path)
    assert verify_file(file).verdict is Verdict.CLEAN


def test_of_two_bots_one_dies_and_the_game_goes_on(tmp_path: Path) -> None:
    words = ("play", "--level", "easy", "--game", "stones", "--seats", "3")
    with terminal(bcnet(tmp_path, *words)) as screen:
        screen.wait_for("Your turn")
        first, second = children_of(screen.pid)
        os.kill(first, signal.SIGKILL)
        screen.wait_for(r"The line to Bot( 2)? .easy. is down")
        screen.wait_until(lambda: "is down" not in screen.words, "the bot")
        assert second in children_of(screen.pid)
        screen.enter("hint")
        screen.enter(screen.wait_for(r"Hint: (.+?)\. ")[1])
        screen.wait_for("Enter or Esc")
        screen.enter("")
        screen.wait_for("Bot .easy. lays.*Bot 2 .easy. lays.*Your turn")


def test_a_bot_that_cannot_come_back(tmp_path: Path) -> None:
    with terminal(bcnet(tmp_path, "play", "--level", "easy")) as screen:
        await_question(screen)
        screen.enter("quit")
        screen.enter("pause")
        assert screen.finish() == 3
    key = tmp_path / "practice-easy" / "identity.pem"
    kept = key.read_bytes()
    key.write_text("no key")
    with terminal(bcnet(tmp_path, "resume")) as screen:
        screen.wait_for(r"The bot's program has ended .exit code \d+.\. The identity key.* Type quit")
        screen.enter("quit")
        assert screen.finish() == 3
    key.write_bytes(kept)
    with terminal(bcnet(tmp_path, "resume")) as screen:
        await_question(screen)
        answer(screen)
        screen.wait_for("You lay ")


@pytest.mark.parametrize("word", ["play", "resume"])
def test_a_bot_whose_home_cannot_be_read_any_more(word: str, tmp_path: Path) -> None:
    with terminal(bcnet(tmp_path, "play", "--level", "easy")) as screen:
        await_question(screen)
        answer(screen)
        screen.wait_for("You lay ")
        if word == "play":
            lose_bot_and_home(screen, tmp_path)
    if word == "resume":
        with terminal(bcnet(tmp_path, "resume")) as screen:
            await_question(screen)
            lose_bot_and_home(screen, tmp_path)


def lose_bot_and_home(screen: Terminal, home: Path) -> None:
    tables = home / "practice-easy" / "tables"
    tables.rename(tables.with_name("elsewhere"))
    tables.write_text("")
    kill_bot(screen)
    screen.wait_for(
        r"Cannot read the folder .*tables: a part of the path is a file.* Type quit to pause the game"
    )
    assert "by itself" not in screen.words
    screen.enter("quit")
    assert screen.finish() == 3


async def test_a_bot_that_cannot_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    told = await kept(tmp_path, Table())
    assert told == ["The bot's program cannot be started: No such file or directory."]


@pytest.mark.parametrize(("ended", "starts"), [(None, 1 + STARTS), (object(), 1)], ids=["going on", "ended"])
async def test_a_bot_that_has_finished_comes_back_to_who_has_not(
    ended: object, starts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have stored its transcript, and died before the person had its seed."""
    stored = tmp_path / "practice-easy" / "transcripts"
    stored.mkdir(parents=True)
    (stored / f"2026-11-30-{Table.table_id.hex()}-1.bct").touch()
    started: list[list[str]] = []

    async def run(_level: str, _bots: Home, _name: str, words: Sequence[str]) -> BcnetError:
        started.append(list(words))
        return BotGone("It has ended.", why="")

    monkeypatch.setattr(practice, "_run", run)
    assert await kept(tmp_path, Table(ended)) == ["It has ended."]
    assert started == [["join", "there", "code"], *[["resume", Table.table_id.hex(), "there"]] * (starts - 1)]


class Table:
    """As much of a session as the one who keeps a bot there sees."""

    table_id = bytes(range(8))
    is_leaving = False
    others = frozenset({1})
    snapshot = SimpleNamespace(members=(), seat=0)

    def __init__(self, ended: object = None) -> None:
        self.ended = ended
        self.told: list[str] = []

    def lose(self, seats: frozenset[int], why: str) -> None:
        assert seats == {1}
        self.told.append(why)


async def kept(home: Path, table: Table) -> list[str]:
    """What a person at this table is told of a bot until nobody starts it any more, but for what to do."""
    playing = asyncio.get_running_loop().create_future()
    playing.set_result(table)
    admission = cast(Admission, SimpleNamespace(playing=playing))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(practice, "PAUSE", 0)
        await practice._keep(Home(home), "easy", 1, admission, "there", "code")
    hint = " Type quit to pause the game; `bcnet resume` starts the bot again."
    assert all(each.endswith(hint) for each in table.told)
    return [each.removesuffix(hint) for each in table.told]


def test_ctrl_c_before_the_bot_has_come(tmp_path: Path) -> None:
    with terminal(bcnet(tmp_path, "play")) as screen:
        screen.wait_for("The bot is starting")
        screen.wait_until(lambda: children_of(screen.pid), "the bot's process")
        bot = bot_of(screen)
        screen.send("\x03")
        assert screen.finish() == 130
        await_end(bot)
        assert "Traceback" not in screen.words


def test_through_a_pipe_with_a_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A practice game is nothing that `bcnet host` would offer to go on with."""
    lines = piped(tmp_path, "play", "--level", "easy", given="hint\n1\n").splitlines()
    at = next(at for at, each in enumerate(lines) if re.match(r"Hint: .* \(about \d+% to win\)\.$", each))
    assert lines[at + 1].startswith("You lay")
    assert re.fullmatch(r"To go on: .* resume [0-9a-f]{16}", lines[-1])
    (table,) = Home(tmp_path).unfinished()
    assert _rather(Home(tmp_path), seat=0, asks=False) is None
    assert capsys.readouterr().out == ""
    assert f"resume {table.table}" in piped(tmp_path, "play", given="resign\nyes\n")
    Home(tmp_path).forget(table)
    piped(tmp_path, "play", "--level", "easy", given="resign\nyes\n")
    easy = Home(tmp_path / "practice-easy")
    assert easy.unfinished() == []  # what the person has forgotten, nobody can go on with


def piped(home: Path, *words: str, given: str) -> str:
    result = subprocess.run(
        bcnet(home, *words), input=given, capture_output=True, text=True, cwd=ROOT, timeout=100, check=False,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert result.stderr == ""
    return result.stdout


def test_a_bot_that_cannot_begin(tmp_path: Path) -> None:
    Home(tmp_path / "practice-easy").prepare()
    (tmp_path / "practice-easy" / "identity.pem").write_text("no key")
    result = subprocess.run(
        bcnet(tmp_path, "play", "--level", "easy"), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        cwd=ROOT, timeout=60, check=False,
    )  # fmt: skip
    assert result.returncode == 69
    assert re.fullmatch(
        r"bcnet: The bot's program has ended \(exit code \d+\)\. .*practice-easy/identity\.pem.*\n  Try again\.\n",
        result.stderr,
    )
