"""The file with settings: what can stand in it, that it holds, that what is typed wins, what is said of mistakes."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from bcnet import cli, places
from bcnet.cli import completing, settings
from bcnet.cli.configure import sample
from bcnet.errors import Exit
from tests.test_cli import run

TABLE = settings.table(cli.cli)
TRANSCRIPT = Path(__file__).parent / "vectors/transcripts/clean-resigned-on-turn.bct"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Puts settings into the folder that BCNET_HOME names."""
    monkeypatch.setenv("BCNET_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()

    def written(text: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "home" / "settings.toml"
        path.write_text(text, encoding)
        return path

    return written


# --- the table ---


def test_every_option_is_a_setting_or_says_why_not() -> None:
    used = set()
    for command, option in settings.options_of(cli.cli):
        name = f"--{settings.key_of(option)}"
        assert name != "--", option.opts
        if settings.is_setting(command, option):
            assert name[2:] in TABLE
            assert not option.required, name
            assert not option.multiple, name
            assert not option.hidden, name
            assert option.help, name
            if option.is_flag:  # or what the file says could not be overruled by what is typed
                assert option.secondary_opts == [f"--no-{name[2:]}"], name
        else:
            used |= {name, f"{command} {name}"}
    assert set(settings.NOT_SETTINGS) <= used | {"--version"}, "no such option"
    assert all(settings.NOT_SETTINGS.values())


def test_an_option_of_several_commands_is_the_same_in_each() -> None:
    for command, option in settings.options_of(cli.cli):
        if settings.is_setting(command, option):
            first = TABLE[settings.key_of(option)].option
            for what in ("type", "default", "is_flag", "name"):
                assert option.to_info_dict()[what] == first.to_info_dict()[what], (command, option.opts)


def test_what_there_is() -> None:
    assert {
        "name", "listen", "open", "announce", "spectators", "private-hands", "fill", "level", "plain", "log-level",
    } <= set(TABLE)  # fmt: skip
    assert TABLE["name"].commands == ("host", "join", "play", "resume", "watch")
    assert TABLE["log-level"].commands[0] == ""


# --- the place ---


def test_the_place_goes_with_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert places.settings_file(Path("/a"), {"BCNET_HOME": "/b"}) == Path("/a/settings.toml")
    assert places.settings_file(None, {"BCNET_HOME": "/b"}) == Path("/b/settings.toml")
    if sys.platform == "linux":
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        assert places.settings_file(None, {}) == tmp_path / "bcnet/settings.toml"


@pytest.mark.parametrize("words", [["--home", "{}", "settings"], ["settings", "--home", "{}"]], ids=" ".join)
def test_home_before_or_after_the_command(
    words: list[str], tmp_path: Path, write: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    write('level = "easy"')
    (tmp_path / "settings.toml").write_text('level = "hard"')
    assert run(*(word.format(tmp_path) for word in words)) == 0
    out = capsys.readouterr().out
    assert f"Settings: {tmp_path}/settings.toml\n" in out
    assert re.search(r'level += "hard" +the file, line 1$', out, re.MULTILINE)


# --- in force ---


def parameters(words: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What a command would have been called with."""
    found: dict[str, Any] = {}
    command: click.Command = cli.cli.commands[words[0]]
    monkeypatch.setattr(command, "callback", lambda *_, **values: found.update(values))
    assert run(*words) == 0
    return found


EVERYTHING = """
name = "Ännchen"
listen = "127.0.0.1:0"
open = true
announce = false
spectators = 3
private-hands = false
fill = "blind"
"""


def test_the_file_gives_the_defaults_and_what_is_typed_wins(
    write: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(EVERYTHING)
    given = {
        "name": "Ännchen", "listen": "127.0.0.1:0", "is_open": True, "announced": False, "spectators": 3,
        "private_hands": False, "fill": "blind",
    }  # fmt: skip
    assert parameters(["host"], monkeypatch).items() >= given.items()
    words = "--name Bea --listen :1 --no-open --announce --spectators 0 --private-hands --fill capped"
    typed = {
        "name": "Bea", "listen": ":1", "is_open": False, "announced": True, "spectators": 0,
        "private_hands": True, "fill": "capped",
    }  # fmt: skip
    assert parameters(["host", *words.split()], monkeypatch).items() >= typed.items()
    assert parameters(["play"], monkeypatch)["private_hands"] is False
    assert parameters(["doctor"], monkeypatch)["listen"] == "127.0.0.1:0"
    assert parameters(["id"], monkeypatch)["name"] is None  # there it would set it


def test_the_log_level_of_the_program_is_that_of_its_commands(
    write: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    levels: list[str] = []
    monkeypatch.setattr("bcnet.cli.logs.level", levels.append)
    write('log-level = "error"')
    for words, level in (([], "error"), (["--log-level", "info"], "info")):
        levels.clear()
        assert run(*words, "games") == 0
        assert levels == [level]
    parameters(["host", "--log-level", "debug"], monkeypatch)
    assert levels[-1] == "debug"
    levels.clear()
    assert cli._code(["--log-level", "info", "host"]) == 0
    assert levels == ["info"]


def test_replay_in_lines(write: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []

    async def shown(_playback: object, *, plain: bool) -> None:
        seen.append(plain)

    monkeypatch.setattr("bcnet_client.console.replaying.run", shown)
    write("plain = true")
    assert run("replay", TRANSCRIPT) == 0
    assert run("replay", TRANSCRIPT, "--no-plain") == 0
    assert seen == [True, False]


def test_the_name_is_shown_as_it_will_be_seen(
    write: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write('name = "Anna"')
    assert run("id") == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["name", "Anna"]
    assert run("id", "--name", "Bea") == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0].split() == ["name", "Anna"]
    assert f"{path} says otherwise" in said.err
    assert run("id", "--name", "Bea", "--export") == 0
    said = capsys.readouterr()
    assert said.out.startswith("-----BEGIN")
    assert f"{path} says otherwise" in said.err
    assert run("id", "--name", "Anna") == 0
    assert capsys.readouterr().err == ""
    assert run("id", "--name", "Bea") == 0
    path.unlink()
    capsys.readouterr()
    assert run("id") == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["name", "Bea"]


def test_a_shell_that_asks_is_not_told_of_settings(write: Callable[[str], Path]) -> None:
    write("nonsense")
    from click.shell_completion import ShellComplete

    asked = ShellComplete(cli.cli, {}, "bcnet", completing.VARIABLE).get_completions(["host"], "--sp")
    assert [each.value for each in asked] == ["--spectators"]


# --- bcnet settings ---


def test_it_says_what_is_in_force_and_why(
    write: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write('# mine\n\nspectators = 2\n"level" = "hard"\n')
    assert run("--log-level", "info", "settings", "--level", "easy", "--no-announce") == 0
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == f"Settings: {path}"
    shown = {key.strip(): value.split(None, 1) for key, value in (line.split("=", 1) for line in lines)}
    assert set(shown) == set(TABLE)
    assert shown["spectators"] == ["2", "the file, line 3"]
    assert shown["level"] == ['"easy"', "typed"]
    assert shown["announce"] == ["false", "typed"]
    assert shown["log-level"] == ['"info"', "typed"]
    assert shown["private-hands"] == ["true", "default"]


@pytest.mark.parametrize(
    ("variable", "typed", "shown"),
    [
        ("de", [], '"de" BCNET_LANG'),
        ("de", ["--lang", "nl"], '"nl" typed'),
        ("tlh", [], '"en" the file, line 1'),
        ("", [], '"en" the file, line 1'),
    ],
)
def test_a_language_of_the_environment_wins_over_the_file(
    variable: str,
    typed: list[str],
    shown: str,
    write: Callable[[str], Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write('lang = "en"')
    monkeypatch.setenv("BCNET_LANG", variable)
    assert run("settings", *typed) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("  lang "))
    assert " ".join(line.split()) == f"lang = {shown}"


def test_a_file_to_begin_with(write: Callable[[str], Path], capsys: pytest.CaptureFixture[str]) -> None:
    path = places.settings_file(None)
    assert run("settings") == 0
    assert "not there yet" in capsys.readouterr().out
    assert run("settings", "--init", "--level", "hard", "--no-announce", "--name", 'A"\\b') == 0
    assert str(path) in capsys.readouterr().out
    text = path.read_text()
    assert tomllib.loads(text) == {"level": "hard", "announce": False, "name": 'A"\\b'}
    assert run("settings", "--init") == Exit.USAGE
    assert "already" in capsys.readouterr().err
    assert path.read_text() == text
    assert list(path.parent.iterdir()) == [path]
    assert run("games") == 0


def test_every_line_of_that_file_could_be_in_force(tmp_path: Path) -> None:
    text = sample(TABLE, {})
    assert tomllib.loads(text) == {}
    path = tmp_path / "settings.toml"
    path.write_text(re.sub(r"^#(?=\S)", "", text, flags=re.MULTILINE).replace("ADDR:PORT", "::1"))
    found = settings.read(path, TABLE)
    assert set(found.values) == set(TABLE)
    for key, setting in TABLE.items():
        if setting.default is not None:
            assert found.values[key] == setting.default


def test_the_platforms_folder_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BCNET_HOME", raising=False)
    monkeypatch.setattr(places, "settings_file", lambda _: tmp_path / "a/b/settings.toml")
    assert run("settings", "--init") == 0
    assert (tmp_path / "a/b/settings.toml").is_file()
    assert (tmp_path / "a/b").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("how", ["BCNET_HOME", "before", "after"])
def test_a_folder_that_is_named_is_made_alone_and_for_its_owner(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is the home, in which the keys will lie; what is above it may be a misspelt name."""

    def begin(home: Path) -> int:
        if how == "BCNET_HOME":
            monkeypatch.setenv("BCNET_HOME", str(home))
            return run("settings", "--init")
        words = ["settings", "--init"]
        at = 0 if how == "before" else 2
        return run(*words[:at], "--home", home, *words[at:])

    assert begin(tmp_path / "typo" / "home") == Exit.USAGE
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"bcnet: Cannot make the folder {tmp_path}/typo/home: there is no such file or folder."
    assert second == "  Check the spelling, or make the folder first."
    assert list(tmp_path.iterdir()) == []
    assert begin(tmp_path / "home") == 0
    assert (tmp_path / "home" / "settings.toml").is_file()
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700
    (tmp_path / "file").write_text("")
    assert begin(tmp_path / "file") == Exit.USAGE
    assert str(tmp_path / "file") in capsys.readouterr().err


# --- mistakes ---

MISTAKES = [
    ('level = "clever"', 'line 1: level cannot be "clever"', '"easy", "normal", "hard"'),
    ('\n\nlevl = "hard"', "line 3: there is no setting levl", "Is level meant?"),
    ("no-announce = true", "line 1: there is no setting no-announce", "announce = false"),
    ("private_hands = true", "line 1: there is no setting private_hands", "Is private-hands meant?"),
    ('home = "x"', "line 1: there is no setting home", "There are: "),
    ("trust-first = true", "line 1: there is no setting trust-first", "There are: "),
    ('[host]\nlevel = "hard"', "line 1: there are no sections", "a line of its own"),
    ('host.level = "hard"', "line 1: there are no sections", "a line of its own"),
    ("spectators = true", "line 1: spectators cannot be true", "a whole number from 0 to 16"),
    ("spectators = 17", "line 1: spectators cannot be 17", "a whole number from 0 to 16"),
    ("spectators = 1.0", "line 1: spectators cannot be 1.0", "a whole number"),
    ('open = "yes"', 'line 1: open cannot be "yes"', "true or false"),
    ("open = 1", "line 1: open cannot be 1", "true or false"),
    ('name = ""', "A name must not be empty.", "a text in quotes"),
    ("name = 7", "line 1: name cannot be 7", "a text in quotes"),
    ("name = 1979-05-27", "line 1: name cannot be a date.", "a text in quotes"),
    ("name = 1979-05-27T07:32:00", "line 1: name cannot be a date with a time.", "a text in quotes"),
    ("name = 07:32:00", "line 1: name cannot be a time.", "a text in quotes"),
    ("level = {}", "line 1: level cannot be a table.", "easy"),
    (f'level = "{"x" * 5000}"', "x…", '"easy"'),
    (f'name = "{"x" * 5000}"', "x…", "a text in quotes"),
    ("x" * 5000 + " = 1", "x….", "There are: "),
    ('level = "hard\n', "line 1: this is no TOML: a quotation mark is missing", "texts stand in quotes"),
    ("announce = False", "line 1: this is no TOML", "true and false in small letters"),
    ("level = easy", "line 1: this is no TOML", "texts stand in quotes"),
    ('listen = "x:y"', "no address", "ADDR:PORT"),
    ("log-level = [1]", "line 1: log-level cannot be an array.", '"debug"'),
    ("a = ", "line 1: this is no TOML", 'level = "hard"'),
    ('level = "hard"\nlevel = "easy"', "line 2: this is no TOML", 'level = "hard"'),
    ('level = "hard', "line 1: this is no TOML", 'level = "hard"'),
    ("a = " + "[" * 5000, "line 1: this is no TOML: it is nested too deeply", ""),
    ("#" * settings.MAX_SIZE + "\n", "is too long", "remove that file"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said", "hint"), MISTAKES, ids=[text[:20] for text, *_ in MISTAKES])
def test_a_mistake_is_told_of_and_nothing_begins(
    text: str, said: str, hint: str, write: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(text)
    for words in (["play"], ["replay", TRANSCRIPT], ["settings"]):
        assert run(*words) == Exit.USAGE
        out, err = capsys.readouterr()
        assert out == ""
        first, *rest = err.splitlines()
        assert first.startswith(f"bcnet: {path}")
        assert said in first
        assert hint in "".join(rest)
        assert len(rest) <= 1
        assert len(first) < len(str(path)) + 160


def test_a_mistake_does_not_keep_other_commands_from_their_work(
    write: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write("nonsense = 1")
    for words in (["games"], ["verify", "-q", TRANSCRIPT]):
        assert run(*words) == 0
        out, err = capsys.readouterr()
        assert out
        assert err == f"bcnet: {path}, line 1: there is no setting nonsense.\n"
    for words in (["--help"], ["host", "--help"], ["--version"]):
        assert run(*words) == 0
        assert capsys.readouterr().err == ""
    (tmp_path / "other").mkdir()
    assert run("id", "--home", tmp_path / "other") == 0  # where no mistake is


def test_a_mark_of_utf_8_in_front_is_no_mistake(
    write: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    write('level = "hard"', "utf-8-sig")
    assert parameters(["play"], monkeypatch)["level"] == "hard"


@pytest.mark.parametrize("kind", ["folder", "pipe", "bytes", "forbidden", "broken link", "circle"])
def test_what_is_no_file_with_text(
    kind: str, write: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = places.settings_file(None)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "bytes":
        path.write_bytes(b'\nname = "\xff"')
    elif kind == "broken link":
        path.symlink_to("nowhere")
    elif kind == "circle":
        path.symlink_to(path)
    else:
        path.write_text("")
        path.chmod(0)
        if os.access(path, os.R_OK):
            pytest.skip("this user may read everything")
    assert run("play") == Exit.USAGE
    err = capsys.readouterr().err
    assert str(path) in err.splitlines()[0]
    assert len(err.splitlines()) == 2
    if kind == "bytes":
        assert "line 2: this is no TOML: it is not UTF-8" in err


def test_a_mistake_of_a_stranger_moves_nothing_on_the_screen(
    write: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    write(r'"\u001b[2J\nclean" = 1')
    assert run("play") == Exit.USAGE
    assert all(line.isprintable() for line in capsys.readouterr().err.splitlines())


def test_bots_have_no_settings_of_the_person(
    write: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are started with a home of their own, and what the person wants is not for them."""
    from bcnet.cli import children

    write("spectators = 3")
    seen: list[list[str]] = []

    async def started(*words: Any, **_: Any) -> Any:
        seen.append([str(word) for word in words])
        raise FileNotFoundError

    monkeypatch.setattr(asyncio, "create_subprocess_exec", started)

    async def begin() -> None:
        async with children.bot("easy", Path("/there"), "join"):
            pass

    with pytest.raises(FileNotFoundError):
        asyncio.run(begin())
    words = seen[0][seen[0].index("--home") :]
    assert places.settings_file(Path(words[1])) == Path("/there/settings.toml")
