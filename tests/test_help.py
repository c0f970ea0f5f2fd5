"""What ``bcnet help`` and ``bcnet rules`` say, and the manual page that is made of the same."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from bcnet import cli
from bcnet.cli import settings
from bcnet.cli.topics import EXIT_CODES, TOPICS
from bcnet.errors import Exit
from bcnet.games import registry
from tests.test_cli import run

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "man/bcnet.1").read_text("utf-8")


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_is_told(
    topic: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("BCNET_PROG", "scripts/bcnet")
    assert run("help", topic) == 0
    out, err = capsys.readouterr()
    first, _, *rest = out.splitlines()
    assert first == TOPICS[topic].title
    assert len("".join(rest)) > 100
    assert all(len(line) < 60 for line in rest)
    assert "{" not in out.replace("{1", "")
    assert err == ""


@pytest.mark.parametrize("name", cli.cli.commands)
def test_every_command_can_be_asked_about(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("help", name) == 0
    out = capsys.readouterr().out
    if name in TOPICS:
        assert out.startswith(TOPICS[name].title)
    else:
        assert run(name, "--help") == 0
        assert out == capsys.readouterr().out


def _commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from _commands(command, (*path, name))
        else:
            yield *path, name


@pytest.mark.parametrize("words", [*_commands(cli.cli)], ids=" ".join)
def test_no_line_is_longer_than_the_terminal_is_wide(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for asked in ((*words, "--help"), ("help", *words)):
        assert run(*asked) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines
        assert [line for line in lines if len(line) > 80] == []


def test_a_command_below_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("help", "players", "forget") == 0
    assert "players forget [OPTIONS] NAME|KEY" in capsys.readouterr().out


def test_without_a_topic_it_says_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("help") == 0
    out = capsys.readouterr().out
    for name in (*TOPICS, *cli.cli.commands):
        assert re.search(rf"^  {name} +\S", out, re.MULTILINE), name


def test_the_beginning_of_a_topic_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    for words, topic in (
        (["exit"], "exit-codes"),
        (["EXIT", "codes"], "exit-codes"),
        (["exit_codes"], "exit-codes"),
        (["rul"], "rules"),
        (["rules", "sto"], "rules-stones"),
    ):
        assert run("help", *words) == 0
        assert capsys.readouterr().out.startswith(TOPICS[topic].title)


@pytest.mark.parametrize(
    ("asked", "near"), [("hots", "host"), ("fairnes5", "fairness"), ("xyzzy", ""), ("", ""), ("f", "")]
)
def test_an_unknown_topic(asked: str, near: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("help", asked) == Exit.USAGE
    first, hint = capsys.readouterr().err.splitlines()
    assert repr(asked) in first
    assert all(name in hint for name in TOPICS)
    assert hint.startswith(f"  Is {near} meant?") == bool(near)


@pytest.mark.parametrize("name", registry.names())
def test_the_rules_are_those_of_the_game(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = registry.get(name)
    words = [] if name == registry.names()[0] else [name]
    for kind, text in (("rules", game.rules), ("notation", game.notation)):
        assert run("help", kind, *words) == 0
        title, said = capsys.readouterr().out.split("\n", 1)
        assert game.title in title
        assert said.split("\n\nMore: ")[0].split() == text.split()
    assert run("rules", *words) == 0
    said = capsys.readouterr().out
    assert run("help", "rules", *words) == 0
    assert said.startswith(capsys.readouterr().out.split("\n\nMore: ")[0])


def test_the_rules_of_one_game_name_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rules") == 0
    said = capsys.readouterr().out
    assert all(f"rules {name}" in said.splitlines()[-1] for name in registry.names()[1:])
    assert run("rules", "chess") == Exit.USAGE
    assert "stones" in capsys.readouterr().err


def test_every_exit_code_is_explained() -> None:
    assert {code for code, _ in EXIT_CODES} == {*Exit, 130, 143}


def test_every_file_of_a_home_is_told_of(tmp_path: Path) -> None:
    from bcnet.home import Home

    home = Home(tmp_path / "home")
    home.identity()
    names = {name.strip("/") for name, _ in TOPICS["files"].rows(cli.cli)}
    made = {path.name for path in home.path.iterdir()}
    assert made - {"offers"} <= names
    assert {home.name_path.name, home.scorebook_path.name, home.players.path.name} <= names


def test_a_shell_completes_topics() -> None:
    from click.shell_completion import ShellComplete

    asked = ShellComplete(cli.cli, {}, "bcnet", "_X").get_completions(["help"], "f")
    assert [each.value for each in asked] == ["friend", "fairness", "files", "forget"]


# --- the manual page ---


def test_the_page_has_every_command_option_and_topic() -> None:
    shown = PAGE.replace("\\-", "-")
    for name in cli.cli.commands:
        assert f'.SS "bcnet {name}' in shown
    for command, option in settings.options_of(cli.cli):
        if not option.hidden:
            assert (
                f"\n.B --{settings.key_of(option)}" in shown or f", --{settings.key_of(option)}" in shown
            ), f"{command} {option.opts}"
    for topic in TOPICS.values():
        for word, _ in topic.rows(cli.cli):
            assert word in shown


@pytest.mark.parametrize(
    "command",
    [["mandoc", "-T", "lint", "-W", "error"], ["groff", "-man", "-Tutf8", "-ww", "-z"]],
    ids=lambda command: command[0],
)
def test_the_page_is_well_formed(command: list[str]) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} here")
    ran = subprocess.run(
        [*command, ROOT / "man/bcnet.1"], capture_output=True, text=True, check=False, timeout=50
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_a_page_that_is_not_current_is_named(tmp_path: Path) -> None:
    """scripts/manual --check, in a copy in which the page says something else."""
    for name in ("scripts", "docs", "man"):
        shutil.copytree(ROOT / name, tmp_path / name)
    command: list[str | Path] = [sys.executable, tmp_path / "scripts/lib/manual.py", "--check"]
    assert subprocess.run(command, check=False, capture_output=True, timeout=50).returncode == 0
    (tmp_path / "man/bcnet.1").write_text("old")
    ran = subprocess.run(command, check=False, capture_output=True, text=True, timeout=50)
    assert ran.returncode == 1
    assert "man/bcnet.1 is not what the commands say; run scripts/manual" in ran.stderr
    assert (tmp_path / "man/bcnet.1").read_text() == "old"
