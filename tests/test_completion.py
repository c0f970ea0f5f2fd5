"""Completions are set up for good and taken away again, and no file of the player's is spoilt by it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from bcnet.cli.completing import MARKS, place_of
from bcnet.errors import Exit
from tests.console.terminal import PATIENCE
from tests.test_cli import run

SHELLS = ("bash", "zsh", "fish")
START = {"bash": ".bashrc", "zsh": ".zshrc"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody's home folder."""
    path = tmp_path / "some body's home"
    path.mkdir()
    monkeypatch.setenv("HOME", str(path))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.delenv(name, raising=False)
    return path


def files(home: Path) -> dict[str, bytes]:
    return {str(path.relative_to(home)): path.read_bytes() for path in home.rglob("*") if path.is_file()}


@pytest.mark.parametrize("shell", SHELLS)
def test_it_says_where_it_wrote_and_a_second_time_changes_nothing(
    shell: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("completion", shell, "--install") == 0
    said = capsys.readouterr().out
    first = files(home)
    assert len(first) == (1 if shell == "fish" else 2)
    assert {line for line in said.splitlines() if line.startswith("Written: ")} == {
        f"Written: {home}/{name}" for name in first
    }
    assert run("completion", shell, "--install") == 0
    assert capsys.readouterr().out == "It was set up already.\n"
    assert files(home) == first
    capsys.readouterr()
    assert run("completion", shell, "--uninstall") == 0
    assert {*capsys.readouterr().out.splitlines()} == {f"Removed: {home}/{name}" for name in first}
    assert files(home) == {}
    assert run("completion", shell, "--uninstall") == 0
    assert capsys.readouterr().out == "It was not set up.\n"


CONTENTS = [
    b"", b"\n", b"\n\n", b" \n", b"alias a=b\n", b"alias a=b", b"a\n ", b"a\n \n", b"a\n\n \n\n",
    b"\xff\xfe\x00 not text\n", b"a\r\nb\r\n", b"a\r\nb", b"echo one \\\n", b"echo one\\",
]  # fmt: skip
"""Of files that shells read."""


@pytest.mark.parametrize("shell", list(START))
@pytest.mark.parametrize("content", [None, *CONTENTS], ids=repr)
def test_what_stands_in_the_players_file_stays(content: bytes | None, shell: str, home: Path) -> None:
    start = home / START[shell]
    if content is not None:
        start.write_bytes(content)
    assert run("completion", shell, "--uninstall") == 0
    assert files(home) == ({} if content is None else {START[shell]: content}), "nothing was set up"
    assert run("completion", shell, "--install") == 0
    with_ours = start.read_bytes()
    assert with_ours.startswith(content or b"")
    assert with_ours.count(MARKS[0]) == with_ours.count(MARKS[1]) == 1
    assert run("completion", shell, "--uninstall") == 0
    assert files(home) == ({} if content is None else {START[shell]: content}), "not a byte is left"
    assert run("completion", shell, "--install") == 0
    start.write_bytes(with_ours + b"later=1\n")
    assert run("completion", shell, "--install") == 0
    assert start.read_bytes() == with_ours + b"later=1\n"
    assert run("completion", shell, "--uninstall") == 0
    is_open = content and not content.endswith(b"\n")
    assert start.read_bytes() == (content or b"") + (b"\n" if is_open else b"") + b"later=1\n"


@pytest.mark.parametrize("content", [b"alias a=b\n", b"\nalias a=b\n", b"if true; then "])
@pytest.mark.parametrize("after", [b"", b"later=1\n", b"\nlater=1"])
def test_lines_of_bcnet_that_were_moved_take_nothing_with_them(
    content: bytes, after: bytes, home: Path
) -> None:
    """Somebody has removed the empty line before them, or writes something else there."""
    assert run("completion", "bash", "--install") == 0
    block = (home / ".bashrc").read_bytes()
    (home / ".bashrc").write_bytes(content + block + after)
    assert run("completion", "bash", "--install") == 0
    assert (home / ".bashrc").read_bytes() == content + block + after
    assert run("completion", "bash", "--uninstall") == 0
    end = b"\n" if after and not content.endswith(b"\n") else b""
    assert (home / ".bashrc").read_bytes() == content + end + after


@pytest.mark.parametrize("rights", [0o600, 0o640, 0o664, 0o755])
@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_the_players_file_keeps_its_rights(rights: int, umask: int, home: Path) -> None:
    (home / ".bashrc").write_text("mine\n")
    (home / ".bashrc").chmod(rights)
    before = os.umask(umask)
    try:
        for what in ("--install", "--uninstall"):
            assert run("completion", "bash", what) == 0
            assert (home / ".bashrc").stat().st_mode & 0o7777 == rights
    finally:
        os.umask(before)


def test_a_file_that_must_not_be_written_is_left(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is anything else done by halves."""
    monkeypatch.setattr(
        os, "access", lambda path, _how: bool(Path(path).stat().st_mode & 0o200)
    )  # also for root
    start = home / ".bashrc"
    start.write_text("mine\n")
    start.chmod(0o400)
    assert run("completion", "bash", "--install") == Exit.USAGE
    assert capsys.readouterr().err.startswith(
        f"bcnet: {start} is read-only; it was left as it is.\n  Make it "
    )
    assert files(home) == {".bashrc": b"mine\n"}
    assert run("completion", "bash", "--uninstall") == 0, "there is nothing to be changed"
    start.chmod(0o600)
    assert run("completion", "bash", "--install") == 0
    start.chmod(0o400)
    before = files(home)
    assert run("completion", "bash", "--uninstall") == Exit.USAGE
    assert files(home) == before


@pytest.mark.parametrize("what", ["--install", "--uninstall"])
def test_names_that_the_system_cannot_look_at(
    what: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("x" * 300, "loop"):
        (home / "loop").unlink(missing_ok=True)
        (home / "loop").symlink_to("loop")
        for variable in ("ZDOTDIR", "XDG_DATA_HOME"):
            with monkeypatch.context() as patch:
                patch.setenv(variable, str(home / name))
                assert run("completion", "zsh", what) == Exit.USAGE
            out, err = capsys.readouterr()
            assert out == ""
            assert err.startswith("bcnet: Cannot read ")
            assert files(home) == {}


def test_a_link_stays_one(home: Path) -> None:
    (home / "dotfiles").mkdir()
    (target := home / "dotfiles/bashrc").write_text("mine\n")
    (home / ".bashrc").symlink_to(target)
    assert run("completion", "bash", "--install") == 0
    assert (home / ".bashrc").is_symlink()
    assert MARKS[0] in target.read_bytes()
    assert run("completion", "bash", "--uninstall") == 0
    assert target.read_text() == "mine\n"
    target.unlink()
    for what, is_there in (("--install", True), ("--uninstall", False)):
        assert run("completion", "bash", what) == 0
        assert (home / ".bashrc").is_symlink()
        assert target.exists() == is_there


@pytest.mark.parametrize(
    "content",
    [MARKS[0] + b"\n", MARKS[1] + b"\n", MARKS[1] + b"\n" + MARKS[0], b"\n".join([*MARKS, *MARKS])],
    ids=["no end", "no beginning", "turned round", "twice"],
)
def test_lines_that_somebody_has_changed_are_left(
    content: bytes, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".bashrc").write_bytes(content)
    for what in ("--install", "--uninstall"):
        assert run("completion", "bash", what) == Exit.USAGE
        assert str(home / ".bashrc") in capsys.readouterr().err
        assert (home / ".bashrc").read_bytes() == content


def test_a_script_of_somebody_else_is_left(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = place_of("fish").script
    script.parent.mkdir(parents=True)
    script.write_text("theirs")
    for what in ("--install", "--uninstall"):
        assert run("completion", "fish", what) == Exit.USAGE
        assert str(script) in capsys.readouterr().err
        assert script.read_text() == "theirs"


def test_a_folder_that_cannot_be(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".local").write_text("a file")
    assert run("completion", "bash", "--install") == Exit.USAGE
    assert "Cannot write" in capsys.readouterr().err
    assert files(home) == {".local": b"a file"}


def test_both_at_once_are_refused(home: Path) -> None:
    assert run("completion", "bash", "--install", "--uninstall") == Exit.USAGE
    assert files(home) == {}


def test_folders_that_the_player_has_moved(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"):
        monkeypatch.setenv(name, str(home / name.lower()))
    for shell in SHELLS:
        assert run("completion", shell, "--install") == 0
    assert {name.split("/")[0] for name in files(home)} == {
        "xdg_data_home", "xdg_config_home", "zdotdir", ".bashrc",
    }  # fmt: skip
    monkeypatch.setenv("XDG_CONFIG_HOME", "not/absolute")
    assert place_of("fish").script == home / ".config/fish/completions/bcnet.fish"


COMMANDS = {
    "bash": ["bash", "--noprofile", "-i"],
    "zsh": ["zsh", "-i"],
    "fish": ["fish", "-i"],
}


@pytest.mark.end_to_end
@pytest.mark.parametrize("shell", SHELLS)
def test_a_new_shell_completes(shell: str, home: Path) -> None:
    """For real: the shell reads what was set up, and a tab completes a command and an option."""
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    (programs := home / "programs").mkdir()
    (programs / "bcnet").write_text(f'#!/bin/sh\nexec {sys.executable} -m bcnet "$@"\n')
    (programs / "bcnet").chmod(0o755)
    assert run("completion", shell, "--install") == 0
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "TERM": "dumb", "PS1": "$ "}
    child: pexpect.spawn[bytes] = pexpect.spawn(
        COMMANDS[shell][0], COMMANDS[shell][1:], env=environment, timeout=PATIENCE, dimensions=(24, 200)
    )
    try:
        child.send("echo 'rea''dy'\r")
        child.expect(b"ready\r")
        for typed, whole in ((b"bcnet verif\t", b"bcnet verify "), (b"--expl\t", b"--expl.*ain ")):
            child.send(typed)
            child.expect(whole)
    finally:
        child.close(force=True)


def test_the_shell_is_told_where_bash_is_too_old(home: Path) -> None:
    """The lines do nothing under a bash that cannot; here they are read by one that says it is old."""
    if shutil.which("bash") is None:
        pytest.skip("no bash here")
    assert run("completion", "bash", "--install") == 0
    text = (home / ".bashrc").read_text()
    old = text.replace("BASH_VERSINFO[0]", "3").replace("BASH_VERSINFO[1]", "2")
    for lines, wanted in ((text, "_bcnet_completion"), (old, "")):
        ran = subprocess.run(
            ["bash", "--norc", "-c", f"{lines}\ndeclare -F _bcnet_completion || true"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert (ran.stdout.strip(), ran.stderr) == (wanted, "")
