"""Evenings of two friends, with real processes and real terminals: how they meet, and what would be in the way."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from bcnet.errors import Exit
from bcnet.home import Home
from tests.console.terminal import Terminal, terminal
from tests.net.processes import Bcnet, Start, guest, host, starting

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(180)]

BCNET = [sys.executable, "-m", "bcnet"]
MOUSE = [f"\x1b[?{mode}h".encode() for mode in (9, 1000, 1001, 1002, 1003, 1005, 1006, 1015)]
CODE = r"[0-9a-z]{5}(?:-[0-9a-z]{5}){4}"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with starting(tmp_path) as start:
        yield start


def closed(start: Start, *more: str) -> tuple[Bcnet, str, str]:
    """A host with a bot, where nobody sits down without the code; its address and code."""
    ann = start("host", "--listen", "127.0.0.1:0", "--bot", "greedy", "--name", "Ann", *more, home="host")
    return ann, *ann.invitation()


# --- with the code ---


def test_the_line_of_the_host_is_all_that_it_takes(start: Start) -> None:
    ann, address, code = closed(start)
    bob = start("join", address, code, "--bot", "greedy", "--name", "Bob", home="bob")
    assert (bob.finish(120), ann.finish()) == (0, 0)


def test_no_code_a_mistyped_one_a_wrong_one(start: Start) -> None:
    _, address, code = closed(start)
    mistyped = code[:-1] + ("2" if code[-1] != "2" else "3")
    other = start("host", "--listen", "127.0.0.1:0", "--bot", "greedy", home="other")
    elsewhere = other.invitation()[1]
    for words, exit_code, said in (
        ((), Exit.NETWORK, "You have never met the host"),
        (("--trust-first",), Exit.NETWORK, "nobody sits down there without the code"),
        ((mistyped,), Exit.USAGE, "There is a typo in the invite code"),
        ((elsewhere,), Exit.NETWORK, "is not the one that you expect"),
    ):
        bob = start("join", address, *words, "--bot", "greedy", "--name", "Bob", home="bob")
        assert bob.finish() == exit_code
        assert said in bob.errors[0]
        assert len(bob.errors) == 2


@pytest.mark.parametrize("clock", ["-3 days", "+40 days", "1999-12-31 23:59:50"])
def test_a_clock_that_is_wrong_keeps_nobody_out(clock: str, start: Start, tmp_path: Path) -> None:
    faketime = shutil.which("faketime")
    if not faketime:
        pytest.skip("faketime is not installed (Debian: apt-get install faketime)")
    ann, address, code = closed(start)
    join = [
        *BCNET,
        "--home",
        str(tmp_path / "bob"),
        "join",
        address,
        code,
        "--bot",
        "greedy",
        "--name",
        "Bob",
    ]
    ran = subprocess.run(
        [faketime, clock, *join], capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path
    )
    assert ran.returncode == 0, ran.stderr
    assert "Verdict: clean" in ran.stdout
    assert ann.finish() == 0


LATER = """
import sys
import bcnet.hashing
bcnet.hashing.PROTOCOL_VERSION += 1
from bcnet.cli import main
main(sys.argv[1:])
"""
"""bcnet as a later version of the protocol would have it."""


def test_two_versions_meet_and_both_see_both(start: Start, tmp_path: Path) -> None:
    """Case N9, either one the older."""
    ann, address, code = closed(start)
    join = [sys.executable, "-c", LATER, "--home", str(tmp_path / "bob"), "join", address, code]
    ran = subprocess.run(
        [*join, "--bot", "greedy"], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path
    )
    assert ran.returncode == Exit.NETWORK
    assert re.match(
        r"bcnet: The other side runs bcnet \S+ \(protocol 1\), this is bcnet \S+ \(protocol 2\)\.\n",
        ran.stderr,
    )
    both = r"The other side runs bcnet \S+ \(protocol 2\), this is bcnet \S+ \(protocol 1\)\."
    ann.wait_for(f"^Somebody was turned away: {both}")
    listen = ["host", "--listen", "127.0.0.1:0", "--bot", "greedy", "--open"]
    later = start(*listen, home="later", code=LATER)
    bob = start("join", *later.invitation(), "--bot", "greedy", home="bob")
    assert bob.finish() == Exit.NETWORK
    assert re.search(both, bob.errors[0])
    later.wait_for(r"^Somebody was turned away: .*\(protocol 1\), this is bcnet \S+ \(protocol 2\)\.")


# --- in the terminal ---


def test_the_line_can_be_copied_with_the_mouse(tmp_path: Path) -> None:
    """Case T3: it stands in one row, and the terminal keeps the mouse for itself, also at the table."""
    words = [*BCNET, "--home", str(tmp_path / "Ann"), "host", "--listen", "127.0.0.1:0", "--name", "Ann"]
    with terminal(words) as ann:
        found = ann.wait_for(rf"join (127\.0\.0\.1:\d+) ({CODE})")
        assert any(f"join {found[1]} {found[2]}" in line for line in ann.lines)
        assert not ann.is_alternate
        bob = [*BCNET, "--home", str(tmp_path / "Bob"), "join", found[1], found[2], "--name", "Bob"]
        with terminal(bob) as other:
            for screen in (ann, other):
                screen.wait_for("Words of this table")
                assert not [mode for mode in MOUSE if mode in screen.raw]
            assert four_words(ann) == four_words(other)
            for screen in (ann, other):
                screen.enter("keys")
                screen.wait_for("Compare them by voice")


def four_words(screen: Terminal) -> str:
    return screen.wait_for(r"Words of this table: (\w+ \w+ \w+ \w+)\.")[1]


def test_without_the_code_both_are_asked(tmp_path: Path) -> None:
    words = [*BCNET, "--home", str(tmp_path / "Ann"), "host", "--listen", "127.0.0.1:0", "--name", "Ann"]
    with terminal(words) as ann:
        address = ann.wait_for(r"join (127\.0\.0\.1:\d+) ")[1]
        ann.wait_for("Waiting for the other player")
        for number, answer in enumerate(("no", "yes"), 1):
            bob = [*BCNET, "--home", str(tmp_path / f"Bob-{answer}"), "join", address, "--name", "Bob"]
            with terminal(bob) as other:
                other.wait_for(r"You have never met the host at \S+ Its key is .{19}\..*yes or no\?")
                other.enter("what?")
                other.wait_for(r"yes or no\? what\? yes or no\?")
                other.enter("yes")
                asked = r"Bob, key .{19}, wants to join\. They have no code\. You have never met"
                ann.wait_for(rf"({asked}.*){{{number}}}yes or no\?$")
                ann.enter(answer)
                if answer == "no":
                    other.wait_for("The host turns you away: the host has said no")
                    ann.send("\x0c")
                else:
                    ann.wait_for("Words of this table")
                    other.wait_for("Words of this table")


def test_the_list_of_tables(tmp_path: Path, start: Start) -> None:
    """`bcnet join` with nothing, on this machine's own network."""
    name = f"Ann-{token_hex(3)}"
    ann = start("host", "--listen", ":0", "--open", "--bot", "greedy", "--name", name, home="host")
    ann.invitation()
    with terminal([*BCNET, "--home", str(tmp_path / "Bob"), "join", "--name", "Bob"]) as bob:
        try:
            bob.wait_for(rf"{name} +.{{19}}  ?\S+", 40)
        except AssertionError:
            if "cannot be searched" in bob.words or "None so far" in bob.words:
                pytest.skip("no multicast on this machine")
            raise
        for _ in range(70):
            if any(line.startswith("▶") and name in line for line in bob.lines):
                break
            bob.send("\x1b[B")
            bob.update(0.2)
        bob.send("\r")
        bob.wait_for("Words of this table")
    with terminal([*BCNET, "--home", str(tmp_path / "Bob"), "join"]) as bob:
        bob.wait_for("There is an unfinished table")  # the one that has just been left
        bob.enter("n")
        bob.wait_for("Tables|Looking")
        bob.send("q")
        assert bob.finish() == 0


# --- again ---


def test_the_second_evening_they_know_each_other(start: Start, tmp_path: Path) -> None:
    first = host(start)
    ben = guest(start, first.address())
    assert (ben.finish(), first.finish()) == (0, 0)
    for home, name in (("host", "Bob"), ("guest", "Ann")):
        listed = start("players", home=home)
        assert listed.finish() == 0
        listed.wait_for(rf"^.{{19}}  {name}$")
    second = host(start)
    known = start(
        "join", second.address(), "--bot", "random", "--name", "Bob", home="guest"
    )  # not asked, no code
    known.wait_for("^You play with Ann, key .{19}. You have met since ")
    second.wait_for("^You play with Bob, key .{19}. You have met since ")


def test_a_changed_key_is_refused_out_loud_and_there_is_a_way_out(start: Start, tmp_path: Path) -> None:
    """Case N12, at both ends."""
    first = host(start)
    assert (guest(start, first.address()).finish(), first.finish()) == (0, 0)
    (tmp_path / "guest" / "identity.pem").unlink()
    ann = host(start)
    address = ann.address()
    bob = guest(start, address)
    assert bob.finish() == Exit.NETWORK
    assert "the host has said no" in bob.errors[0]
    said = ann.wait_for(
        r"^Somebody was turned away: Bob is not the one you know by that name\. .* the key (.{19});"
    )
    ann.wait_for("Ask Bob, by voice")
    assert start("players", "forget", said[1], home="host").finish() == 0
    guest(start, address).wait_for("^You play with Ann")
    # The host's key has changed.
    (tmp_path / "host" / "identity.pem").unlink()
    anew = host(start)
    refused = guest(start, anew.address())
    assert refused.finish() == Exit.NETWORK
    assert "Ann is not the one you know by that name" in refused.errors[0]
    assert "bcnet players forget" in refused.errors[1]


# --- what is said of it ---


def test_nothing_secret_is_logged_at_any_level(start: Start, tmp_path: Path) -> None:
    ann, address, code = closed(start, "--log-level", "debug", "--spectators", "1")
    wrong = start("--log-level", "debug", "join", address, "--trust-first", "--bot", "greedy", home="eve")
    wrong.finish()
    bob = start("join", address, code, "--log-level", "debug", "--bot", "greedy", "--name", "Bob", home="bob")
    assert (bob.finish(), ann.finish()) == (0, 0)
    logs = b""
    for home in ("host", "bob", "eve"):
        path = tmp_path / home / "logs" / "bcnet.log"
        logs += path.read_bytes() if path.exists() else b""
        key = load_pem_private_key((tmp_path / home / "identity.pem").read_bytes(), None)
        private = key.private_bytes_raw()  # type: ignore[union-attr]
        for form in (private, private.hex().encode(), base64.b64encode(private), repr(private).encode()):
            assert form not in logs
    assert b"is trusted: code" in logs
    groups = code.split("-")
    for secret in (code, code.replace("-", ""), "".join(groups[3:]), groups[4]):
        assert secret.encode() not in logs
    assert stat_of(tmp_path / "bob" / "logs") == 0o700


def stat_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_the_identity_command(start: Start, tmp_path: Path) -> None:
    shown = start("id", "--name", "Zoë", home="zoe")
    assert shown.finish() == 0
    key = Home(tmp_path / "zoe").identity()
    assert shown.lines == ["name  Zoë", f"key   {key.fingerprint}"]
    exported = start("id", "--export", home="zoe")
    assert exported.finish() == 0
    assert exported.lines[0] == "-----BEGIN PUBLIC KEY-----"
    assert "PRIVATE" not in exported.output
    ann = start("host", "--listen", "127.0.0.1:0", "--bot", "greedy", home="zoe")
    ann.wait_for("You are Zoë, key")
    assert start("id", "--name", "bad\x1bname", home="zoe").finish() == Exit.USAGE


def test_nobody_is_known_at_first(start: Start) -> None:
    nobody = start("players", home="new")
    assert nobody.finish() == 0
    assert nobody.lines == ["You have met nobody yet."]
    assert start("players", "forget", "Ann", home="new").finish() == Exit.USAGE


# --- what would stop a friend ---


def test_the_doctor(start: Start) -> None:
    ann = host(start)
    taken = start("doctor", "--listen", ann.address())
    assert taken.finish() == Exit.NETWORK
    taken.wait_for("^!!    Port .* is in use")
    lonely = start("doctor", "--listen", "127.0.0.1:0")
    assert lonely.finish() == Exit.NETWORK
    lonely.wait_for("^ok    127.0.0.1:.* answers")
    lonely.wait_for("^!!    Nobody but this machine can come here")
    lonely.wait_for("firewall")
    lonely.wait_for("nobody could join you")
