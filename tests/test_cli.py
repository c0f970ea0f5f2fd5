"""The commands that need no network: their words, their exit codes, and what they print."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from bcnet import __version__, cli, transcript
from bcnet.cli import evening, play, program, settings
from bcnet.entry import sign_entry
from bcnet.errors import Exit
from bcnet.games import registry
from bcnet.home import Home
from bcnet.journal import Kind as RecordKind
from bcnet.signing import fingerprint
from bcnet.table.payloads import Payload
from bcnet.table.rounds import Kind
from bcnet.wire.v1 import log_pb2
from tests.table.room import Room, at_random, identity_of

GAME = registry.get("balloon-cup")


@dataclass(frozen=True)
class Files:
    """A finished game, as files of every verdict."""

    folder: Path
    clean: Path
    other_clean: Path
    incomplete: Path
    cheated: Path
    unreadable: Path
    table: str


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("files")
    room = Room.of(GAME, seed=7)
    moves = itertools.count()
    room.play(at_random, until=lambda room: room.players[0].decision is not None and next(moves) == 6)
    room.react(0, room.players[0].resign())
    room.settle()
    assert room.complete
    entries = [entry.data for entry in room.players[0].table.log.entries()]
    paths = {
        name: folder / f"{name}.bct" for name in ("clean", "other", "incomplete", "cheated", "unreadable")
    }
    transcript.write(paths["clean"], entries)
    transcript.write(paths["other"], entries)
    transcript.write(paths["incomplete"], entries[:40])
    paths["unreadable"].write_bytes(b"GIF89a")
    # The host plays a card that it does not have: it signs what no honest program would.
    cheat = Room.of(GAME, seed=7)
    cheat.play(at_random, until=lambda room: room.players[0].decision is not None)
    liar = cheat.players[0]
    lie = liar.table.body(0, Payload(Kind.ACT, log_pb2.Act(action="claim red red=7")))
    said = [entry.data for entry in liar.table.log.entries()]
    transcript.write(paths["cheated"], [*said, sign_entry(lie, identity_of(0).sign_message)])
    table = room.players[0].table.course.table_id.hex()
    return Files(
        folder,
        paths["clean"],
        paths["other"],
        paths["incomplete"],
        paths["cheated"],
        paths["unreadable"],
        table,
    )


HIDDEN = [(command, option) for command, option in settings.options_of(cli.cli) if option.hidden]


@pytest.mark.parametrize(("command", "option"), HIDDEN, ids=lambda each: getattr(each, "name", each))
def test_what_is_hidden_is_not_proposed(
    command: str, option: click.Option, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither for a mistyped option nor by a shell."""
    (name,) = option.opts
    for mistyped in (name[:-1], f"{name}s", name.replace("a", "aa")):
        assert run(command, mistyped) == Exit.USAGE
        said = capsys.readouterr().err
        assert f"No such option '{mistyped}'." in said
        assert f"'{name}'" not in said
    completed = ShellComplete(cli.cli, {}, "bcnet", "_X").get_completions([command], "--")
    assert len(completed) > 3
    assert name not in {each.value for each in completed}


def test_some_options_are_hidden_and_the_others_are_proposed(capsys: pytest.CaptureFixture[str]) -> None:
    assert {command for command, _ in HIDDEN} == {"host", "join", "resume", "watch"}
    assert run("host", "--seat") == Exit.USAGE
    assert "'--seats'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("game", "hint"),
    [("edel", "Edel, Stein & Reich has no options of its own."), ("balloon-cup", "Balloon Cup has: --fill")],
)
def test_an_option_of_another_game(game: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("demo", "--game", game, "--penalties", "on") == Exit.USAGE
    assert capsys.readouterr().err.splitlines()[1] == f"  {hint}"


def run(*arguments: object) -> int:
    """The exit code of a command, run in this process."""
    return cli._code([str(each) for each in arguments])


def bcnet(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bcnet", *arguments],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
        timeout=50,
    )


# --- verify ---


@pytest.mark.parametrize(
    ("name", "code"), [("clean", 0), ("cheated", 1), ("unreadable", 2), ("incomplete", 3)]
)
def test_verify_says_the_verdict_and_ends_with_its_code(
    name: str, code: int, files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    path = getattr(files, name)
    assert run("verify", path) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{name}: {path}"
    text = "\n".join(lines)
    if name != "unreadable":
        for seat in (0, 1):
            assert f"player {seat}, key {fingerprint(identity_of(seat).public)}" in text
    if name == "cheated":
        assert "Seat 0 (player 0) cheated in round" in text
        assert "  signed   " in text
    if name == "clean":
        assert f"table    {files.table}" in text
        assert " won (" in text or "drawn (" in text
    assert run("verify", "--brief", path) == code
    assert capsys.readouterr().out == f"{name}: {path}\n"


def test_files_of_one_table_are_judged_together(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", "-q", files.incomplete, files.unreadable, files.clean, files.other_clean) == 2
    assert capsys.readouterr().out.splitlines() == [
        f"clean: {files.incomplete}, {files.clean}, {files.other_clean}",
        f"unreadable: {files.unreadable}",
    ]
    assert run("verify", files.cheated, files.unreadable) == 1  # the worst


def test_verify_for_machines(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", "--json", files.clean, files.incomplete, files.unreadable) == 2
    data = json.loads(capsys.readouterr().out)
    assert data["verdict"] == "unreadable"
    both, bad = data["tables"]
    assert both["files"] == [str(files.clean), str(files.incomplete)]
    assert both["verdict"] == "clean"
    assert both["table"] == files.table
    assert [who["fingerprint"] for who in both["players"]] == [
        fingerprint(identity_of(seat).public) for seat in (0, 1)
    ]
    assert bad["verdict"] == "unreadable"


def test_verify_of_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", tmp_path / "nothing.bct") == Exit.USAGE
    err = capsys.readouterr().err
    assert "no such file" in err
    assert "make the folder" not in err  # what helps with bcnet's own files does not help with another's
    assert run("verify", tmp_path) == Exit.USAGE
    assert "no transcripts (*.bct) in" in capsys.readouterr().err
    assert run("verify") == Exit.USAGE


# --- export ---


def test_export_prints_or_writes_the_record(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("export", files.clean) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed)["format"] == "bcnet-record/1"
    out = tmp_path / "record.json"
    assert run("export", files.clean, "-o", out) == 0
    assert capsys.readouterr().out == f"The record is in {out}.\n"
    assert out.read_text() == printed
    out.write_text("mine")
    assert run("export", files.clean, "-o", out) == Exit.USAGE
    assert "--force" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert run("export", files.clean, "-o", out, "--force") == 0
    assert out.read_text() == printed
    assert run("export", files.clean, "-o", tmp_path / "no" / "x.json") == Exit.USAGE
    assert [path.name for path in tmp_path.iterdir()] == ["record.json"]
    capsys.readouterr()
    assert run("export", files.clean, "-o", "-") == 0
    assert capsys.readouterr().out == printed


def test_export_replaces_nothing_but_files(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is there and no file stays what it is, and is written to where that can be done."""
    os.mkfifo(pipe := tmp_path / "pipe")
    (folder := tmp_path / "folder").mkdir()
    assert run("export", files.clean, "-o", pipe, "--force") == Exit.USAGE
    assert "nobody reads from it" in capsys.readouterr().err
    assert run("export", files.clean, "-o", folder, "--force") == Exit.USAGE
    assert "only a file can be replaced" in capsys.readouterr().err
    (null := tmp_path / "null").symlink_to(os.devnull)
    for out in (Path(os.devnull), null):
        assert run("export", files.clean, "-o", out, "--force") == 0
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        while run("export", files.clean, "-o", pipe) != 0:
            assert "nobody reads from it" in capsys.readouterr().err
        assert json.loads(reader.communicate()[0])["format"] == "bcnet-record/1"
    assert pipe.is_fifo()
    assert folder.is_dir()
    assert null.is_symlink()
    assert Path(os.devnull).is_char_device()


def test_export_to_a_full_device_says_so(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    assert run("export", files.clean, "-o", "/dev/full") == Exit.USAGE
    assert "/dev/full: the disk is full" in capsys.readouterr().err


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_a_file_that_is_replaced_keeps_its_rights(umask: int, files: Files, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        for rights in (0o600, 0o640, 0o664):
            (out := tmp_path / "out").write_text("before")
            out.chmod(rights)
            for words in (["export", files.clean, "--output"], ["replay", files.clean, "--html"]):
                assert run(*words, out, "--force") == 0
                assert out.stat().st_size > 100
                assert out.stat().st_mode & 0o7777 == rights
        assert run("export", files.clean, "--output", tmp_path / "new") == 0
        assert (tmp_path / "new").stat().st_mode & 0o777 == 0o666 & ~umask
    finally:
        os.umask(before)


def test_export_follows_a_link_and_leaves_it(files: Files, tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link"
    link.symlink_to(target)
    assert run("export", files.clean, "-o", link) == 0
    assert json.loads(target.read_text())["format"] == "bcnet-record/1"
    target.write_text("mine")
    assert run("export", files.clean, "-o", link) == Exit.USAGE
    assert target.read_text() == "mine"
    assert run("export", files.clean, "-o", link, "--force") == 0
    assert json.loads(target.read_text())["format"] == "bcnet-record/1"
    assert link.is_symlink()
    (circle := tmp_path / "circle").symlink_to(circle)
    assert run("export", files.clean, "-o", circle, "--force") == Exit.USAGE
    assert circle.is_symlink()


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_by_any_name(name: str, files: Files, tmp_path: Path) -> None:
    """Whatever it is bound to, and though it be a link that --force could replace."""
    if not Path(name).exists():
        pytest.skip(f"no {name} here")
    (link := tmp_path / "link").symlink_to(name)  # never the system's own
    command = [sys.executable, "-m", "bcnet", "export", str(files.clean), "--force", "-o"]
    with (tmp_path / "into").open("wb") as into:
        subprocess.run([*command, link], stdout=into, check=True)
    piped = subprocess.run([*command, link], stdout=subprocess.PIPE, check=True).stdout
    assert (tmp_path / "into").read_bytes() == piped
    assert json.loads(piped)["format"] == "bcnet-record/1"
    assert link.is_symlink()


@pytest.mark.parametrize("command", ["verify", "export"])
def test_what_is_no_file_is_not_read(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pipe would be waited for, and what comes from it can be read once only: no verdict could be trusted."""
    os.mkfifo(pipe := tmp_path / "pipe.bct")
    for path in (pipe, Path(os.devnull)):
        assert run(command, path) == Exit.USAGE
        assert "a pipe or a device, not a file" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "code"), [("cheated", 1), ("unreadable", 2), ("incomplete", 3)])
def test_there_is_no_record_of_what_is_not_clean(
    name: str, code: int, files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "record.json"
    assert run("export", getattr(files, name), "-o", out) == code
    assert not out.exists()
    assert "no record" in capsys.readouterr().err


# --- games ---


def test_games_lists_what_is_finished_and_what_is_not(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(tmp_path / "home")
    assert run("games", "--home", home.path) == 0
    assert "no games" in capsys.readouterr().out
    home.prepare()
    entries = transcript.read(files.clean)
    finished = home.create_table(bytes.fromhex(files.table), 0, bytes(32)).finish(entries)
    with home.create_table(bytes(32), 1, bytes(32)) as table:
        for data in entries[:30]:
            table.journal.append(RecordKind.RECEIVED, data)
    assert run("--home", home.path, "games") == 0
    out = capsys.readouterr().out
    assert str(finished) in out
    assert "with player 1" in out
    assert str(home.tables / f"{'00' * 8}-1") in out
    assert "with player 0, begun " in out


@pytest.mark.parametrize("command", ["close", "forget"])
def test_a_table_without_a_name_is_none(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty name begins every name, but means no table: it comes from a shell variable that is not set."""
    home = Home(tmp_path / "home")
    home.prepare()
    home.create_table(bytes(32), 1, bytes(32)).close()
    assert run(command, "--yes", "", "--home", home.path) == Exit.USAGE
    assert "no unfinished table ''" in capsys.readouterr().err
    assert len(home.unfinished()) == 1


@pytest.mark.parametrize(
    ("answer", "is_kept"),
    [("y\n", False), ("what?\n", True), ("YES\nno\n", False), ("n\n", True), ("\n", True), ("", True)],
)
@pytest.mark.parametrize("kind", ["pipe", "file"])
def test_before_a_table_goes_yes_or_no_is_asked(
    answer: str, kind: str, tmp_path: Path, *, is_kept: bool
) -> None:
    home = Home(tmp_path / "home")
    home.prepare()
    home.create_table(bytes(32), 1, bytes(32)).close()
    (typed := tmp_path / "typed").write_text(answer)
    with typed.open() as file:
        ran = subprocess.run(
            [sys.executable, "-m", "bcnet", "--home", home.path, "forget", "00"],
            capture_output=True, text=True, timeout=60, check=True,
            input=answer if kind == "pipe" else None, stdin=None if kind == "pipe" else file,
        )  # fmt: skip
    assert "Remove it for good?\nyes or no? " in ran.stdout
    assert ("\nIt was left as it is.\n" in ran.stdout) == (is_kept and answer != "n\n")
    assert len(home.unfinished()) == is_kept
    assert ran.stderr == ""


# --- words ---


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"], ["host", "--bot", "clever"], ["host", "--fill", "x"], ["watch"], ["join", "a", "b"],
        ["host", "--listen", "x:y"], ["join", "bob@ann"], ["host", "--name", ""], ["host", "--name", "a\nb"],
        ["demo", "--games", "0"], ["--nonsense"], ["completion", "tcsh"], ["host", "--seed-bot", "x"],
        ["host", "--patience", "nan"], ["host", "--patience", "-1"],
        ["--home", "", "games"], ["games", "--home", ""], ["verify", ""], ["export", ""], ["demo", "--out", ""],
        ["play", "--level", "clever"], ["play", "--fill", "x"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_wrong_usage_is_64(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*words) == Exit.USAGE
    err = capsys.readouterr().err
    assert err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "command",
    [
        "",
        "host",
        "join",
        "play",
        "watch",
        "demo",
        "verify",
        "export",
        "games",
        "replay",
        "stats",
        "id",
        "players",
        "players forget",
        "doctor",
        "settings",
        "rules",
        "help",
        "completion",
    ],
)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*command.split(), "--help") == 0
    out = capsys.readouterr().out
    assert "Usage:" in out
    assert "--help" in out
    assert "\b" not in out


def test_a_level_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("play", "--level", "clever") == Exit.USAGE
    said = capsys.readouterr().err
    assert all(word in said for word in ("--level", "clever", *play.LEVELS))


def test_without_a_word_it_helps(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    assert "host" in capsys.readouterr().out


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out == f"bcnet {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("completion", shell) == 0
    assert "_BCNET_COMPLETE" in capsys.readouterr().out


def test_a_shell_that_asks_gets_commands() -> None:
    asked = bcnet(_BCNET_COMPLETE="bash_complete", COMP_WORDS="bcnet ver", COMP_CWORD="1", BCNET_PROG="a/b c")
    assert asked.stdout.strip() == "plain,verify"


MOST_MODULES = 42
"""Of what `bcnet --help` needs beyond Python's own modules: the command line's own and click's."""


def test_help_loads_neither_grpc_nor_cryptography() -> None:
    """Time depends on the machine; how much is loaded does not."""
    code = (
        "import sys; before = {*sys.modules}; import bcnet.cli; bcnet.cli._code(['--help']);"
        "others = {name for name in sys.modules if name.partition('.')[0] not in sys.stdlib_module_names};"
        "heavy = {'asyncio', 'multiprocessing', 'concurrent.futures', 'ssl'};"
        "print(*sorted((others | heavy & sys.modules.keys()) - before))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = ran.stdout.splitlines()[-1].split()
    assert {name.partition(".")[0] for name in loaded} <= {"bcnet", "click"}
    assert len(loaded) <= MOST_MODULES, loaded


@pytest.mark.parametrize(
    ("called", "given", "name"),
    [
        ("/usr/lib/python3/bcnet/__main__.py", "", "python3 -m bcnet"),
        ("/nowhere/to be found/bcnet", "", "'/nowhere/to be found/bcnet'"),
        ("/nowhere/bcnet", "scripts/bcnet", "scripts/bcnet"),
        ("/nowhere/bcnet", "my tools/bcnet", "'my tools/bcnet'"),
    ],
)
def test_the_program_is_called_as_it_was_typed(
    called: str, given: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [called])
    monkeypatch.setenv("BCNET_PROG", given)
    assert program.name() == name


def test_a_program_on_the_path_is_called_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bcnet").write_text("#!/bin/sh\n")
    (tmp_path / "bcnet").chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "bcnet")])
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert program.name() == "bcnet"


def test_a_line_to_type_names_the_home_where_another_would_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BCNET_PROG", "bcnet")
    monkeypatch.setenv("BCNET_HOME", str(tmp_path / "mine"))
    assert program.at_home(Home(tmp_path / "mine")) == "bcnet"
    assert program.at_home(Home(Path("/her games"))) == "bcnet --home '/her games'"


# --- what goes wrong ---


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="there is no /dev/full")
def test_output_that_can_hold_no_more_is_no_defect(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "bcnet", "games", "--home", tmp_path],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == Exit.USAGE
    assert done.stderr.startswith("bcnet: Cannot write /dev/stdout: the disk is full.")


CLOSED = ("<&-", ">&-", "2>&-", "<&- >&- 2>&-")


def closed(words: str, which: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command, some of whose standard streams the shell has closed."""
    return subprocess.run(
        ["sh", "-c", f'exec "$0" -m bcnet {words} {which}', sys.executable],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=os.environ | environment,
        check=False,
        timeout=50,
    )


@pytest.mark.parametrize("which", CLOSED)
@pytest.mark.parametrize(
    ("words", "code", "out", "err"),
    [
        ("", Exit.OK, "Usage: ", ""),
        ("games", Exit.OK, "There are no games in ", ""),
        ("join nowhere:", Exit.USAGE, "", "bcnet: "),
    ],
)
def test_a_stream_that_is_closed_is_nowhere(
    words: str, code: int, out: str, err: str, which: str, tmp_path: Path
) -> None:
    ran = closed(words, which, BCNET_HOME=str(tmp_path))
    assert ran.returncode == code
    for number, wanted, said in ((1, out, ran.stdout), (2, err, ran.stderr)):
        is_closed = "<&- >" in which or which.startswith(f"{number}>" if number > 1 else ">")
        assert said.startswith("" if is_closed else wanted)
        assert bool(said) == bool(wanted and not is_closed)


@pytest.mark.parametrize("which", CLOSED)
def test_a_game_whose_streams_are_closed_is_paused(which: str, tmp_path: Path) -> None:
    """The end of the input leaves the table, as with an input that is empty; nothing else gets the streams' numbers."""
    ran = closed("play --level easy", which, BCNET_HOME=str(tmp_path))
    assert ran.returncode == Exit.INCOMPLETE
    assert ran.stderr == ""
    assert ("To go on: " in ran.stdout) == (">&- " not in which and not which.startswith(">&-"))


def test_what_the_encoding_does_not_know_is_an_escape(files: Files, tmp_path: Path) -> None:
    """In words for people, and for machines: JSON reads such an escape."""
    ran = bcnet("play", "--help", BCNET_LANG="de", PYTHONIOENCODING="iso8859-7")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert r"\xfc" in ran.stdout
    name = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.bct")
    Path(name).write_bytes(files.clean.read_bytes())
    ran = bcnet("verify", "--json", name)
    assert ran.returncode == 0
    assert json.loads(ran.stdout)["tables"][0]["files"] == [name]


def test_a_defect_is_one_line_and_its_trace_lies_in_the_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr(Home, "finished", broken)
    assert run("games", "--home", tmp_path / "home") == Exit.DEFECT
    err = capsys.readouterr().err
    log = tmp_path / "home" / "logs" / "bcnet.log"
    assert str(log) in err
    assert len(err.splitlines()) == 1
    assert "Traceback" in log.read_text()


@pytest.mark.parametrize("command", [["host", "--listen", "127.0.0.1:0"], ["join", "127.0.0.1:9"]])
def test_a_home_that_cannot_be(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = bcnet("--home", str(tmp_path / "file" / "home"), *command, "--bot", "random")
    assert ran.returncode == Exit.USAGE
    assert len(ran.stderr.splitlines()) == 2
    assert "Cannot" in ran.stderr
    assert ran.stdout == ""


def test_a_reader_that_stops_reading() -> None:
    ran = subprocess.run(
        f"{sys.executable} -m bcnet --help | true; exit ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    assert ran.returncode in {0, 141}


def test_a_seed_makes_a_bot_repeatable(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawn(seed: int | None) -> list[float]:
        found: list[float] = []

        async def play(_session: object, _bot: object, rng: random.Random, *_: object, **__: object) -> int:
            found.append(rng.random())
            return 0

        monkeypatch.setattr(evening, "play", play)
        monkeypatch.setattr(evening, "bot_for", lambda _session, name: GAME.bots[name])
        for _ in range(2):
            asyncio.run(evening.BotPlayer("random", seed).play(None, ""))  # type: ignore[arg-type]
        return found

    first, second = drawn(1)
    assert first == second
    assert drawn(2) != drawn(1)
    first, second = drawn(None)
    assert first != second


def test_the_name_of_a_folder_cannot_look_like_anything_else(
    files: Files, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever bcnet says where its files are: on one line, with nothing that a terminal obeys, or cannot show."""
    name, shown = "a\nclean: b\x1b[2J\u202e\udcff", r"a\nclean: b\x1b[2J\u202e\udcff"
    home = Home(tmp_path / name)
    monkeypatch.setenv("HOME", str(tmp_path / name))
    monkeypatch.setenv("SHELL", "/bin/bash")
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable, raising=False)

    def say(code: int, *words: str) -> None:
        assert run("--home", home.path, *words) == code
        said = capsys.readouterr()
        assert shown in said.out + said.err, words
        assert all(line.isprintable() for line in (said.out + said.err).splitlines()), words

    say(0, "games")
    say(0, "stats")
    say(0, "settings")
    say(0, "settings", "--init", "--name", "Ann")
    say(Exit.USAGE, "settings", "--init")
    say(0, "settings")
    say(0, "id", "--name", "Ben")
    say(0, "completion", "bash", "--install")
    say(0, "completion", "bash", "--uninstall")
    say(Exit.USAGE, "close", "0")
    for seat, count in ((0, 30), (1, 40)):
        with home.create_table(bytes([seat]) * 32, seat, bytes(32)) as table:
            for data in transcript.read(files.clean)[:count]:
                table.journal.append(RecordKind.RECEIVED, data)
    say(0, "games")
    say(0, "close", f"{'00' * 8}-0", "--yes")
    say(0, "games")
    say(0, "stats")
    with monkeypatch.context() as patch:
        patch.setattr(Home, "finished", lambda _home: 1 // 0)
        say(Exit.DEFECT, "games")


def test_the_name_of_a_file_cannot_look_like_a_verdict(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Whatever a file is called, it stays on the line that tells of it, also where it is told of in an error."""
    name = "a\nclean: b\x1b[2J\u202e\udcff.bct"
    shown = r"a\nclean: b\x1b[2J\u202e\udcff.bct"
    for content in (b"no transcript", b""):
        (tmp_path / name).write_bytes(content)
        run("verify", tmp_path / name)
        said = capsys.readouterr()
        assert shown in said.out
        assert all(line.isprintable() for line in (said.out + said.err).splitlines())
    clean = Path(__file__).parent / "vectors/transcripts/clean-resigned-on-turn.bct"
    for words in (["export", clean, "-o"], ["replay", clean, "--html"]):
        assert run(*words, tmp_path / f"{words[0]} {name}") == 0
        said = capsys.readouterr()
        assert shown in said.out
        assert all(line.isprintable() for line in said.out.splitlines())
    run("verify", tmp_path / f"missing {name}")
    said = capsys.readouterr()
    assert shown in said.err
    assert all(line.isprintable() for line in said.err.splitlines())
