"""`--plain`: the full game in lines, for pipes and screen readers."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from bcnet.verify import Verdict, verify_file
from tests.console.hands import CALLS
from tests.console.terminal import alone, terminal
from tests.net.processes import Bcnet, Start, starting, transcripts

pytestmark = [pytest.mark.end_to_end, pytest.mark.timeout(300)]

THE_END = "Press Enter to leave, or type again for another game."
QUESTIONS = tuple(call.strip() for call in CALLS)
READING = ("hand", "score", "moves", "story", "keys", "rules", "notation", "help", "board")


class Person:
    """Somebody who reads what is printed and types lines; a line that was read is not read again."""

    def __init__(self, bcnet: Bcnet) -> None:
        self.bcnet = bcnet
        self._read = 0

    def news(self) -> Iterator[str]:
        """The lines that were not read yet."""
        while self._read < len(self.bcnet.lines):
            self._read += 1
            yield self.bcnet.lines[self._read - 1]

    def read_to(self, start: str, *, plays: bool = False) -> str:
        """Read on until a line begins so; answers whatever is asked before, if ``plays``."""
        waited = 0
        while True:
            for line in self.news():
                if line.startswith(start):
                    return line
                if plays and line.startswith(QUESTIONS):
                    self.bcnet.type("1")
            with self.bcnet._news:
                if self._read == len(self.bcnet.lines):
                    waited += not self.bcnet._news.wait(1)
            assert waited < 120, f"no {start!r} in {self.bcnet.lines[-30:]} {self.bcnet.errors}"

    def says(self, *lines: str) -> None:
        self.bcnet.type(*lines)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with starting(tmp_path) as started:
        yield started


def two_people(start: Start, *words: str) -> tuple[Person, Person]:
    """Ann hosts and Bob joins, both through pipes."""
    ann = start("host", "--listen", "127.0.0.1:0", "--name", "Ann", home="Ann", stdin=subprocess.PIPE)
    joins = ("join", *ann.invitation(), "--name", "Bob", "--plain", *words)
    return Person(ann), Person(start(*joins, home="Bob", stdin=subprocess.PIPE))


def both_read_to_the_end(*people: Person) -> None:
    """Both play until both have the end; neither is waited for alone, as the other is needed to get there."""
    left = list(people)
    while left:
        for person in list(left):
            for line in person.news():
                if line == THE_END:
                    left.remove(person)
                elif line.startswith(QUESTIONS):
                    person.says("1")
        if left:
            with left[0].bcnet._news:
                left[0].bcnet._news.wait(0.05)
            assert all(person.bcnet.process.poll() is None for person in left), left[0].bcnet.lines[-30:]


def test_two_people_play_a_whole_game_through_pipes_and_begin_another(start: Start, tmp_path: Path) -> None:
    ann, bob = two_people(start)
    ann.says("say good evening, Bob", *READING)
    bob.says("'good evening, Ann", *READING)
    both_read_to_the_end(ann, bob)
    for person in (ann, bob):
        person.says("say well played", "summary", "again")
    ann.read_to("Setting up")  # the next game
    ann.says("resign", "no", "resign", "yes")  # taken when she is asked
    bob.read_to("You win! The other side resigned.", plays=True)
    ann.read_to("Bob won. You resigned.")
    for person in (ann, bob):
        person.says("")
        assert person.bcnet.finish() == 0
        assert person.bcnet.complaint == ""
        assert "\x1b" not in person.bcnet.output
        assert "\x07" not in person.bcnet.output
    for person, own, other in ((ann, "Bob", "Ann"), (bob, "Ann", "Bob")):
        lines = person.bcnet.lines
        assert f"You: good evening, {own}" in lines
        assert f"{own}: good evening, {other}" in lines
        assert "You: well played" in lines
        assert f"{own}: well played" in lines
        for title in ("The hands", "Legal moves", "Who sits here", "The rules", "How it went"):
            assert title in lines
        assert lines.count("The game is over; everything is checked …") == 2
        assert any(re.fullmatch(f"Waiting for {own} …", line) for line in lines)
        # The other's turn is told of once, whatever happens in it.
        assert not any(a == b == f"Waiting for {own} …" for a, b in pairwise(lines))
        # Nor is the other waited for when it is the own turn, though both programs have still to work.
        assert not any(
            line.startswith("Waiting") and then.startswith("Your hand") for line, then in pairwise(lines)
        )
    asked = [line for line in ann.bcnet.lines if line.startswith(("Really resign?", "The game goes on."))]
    assert asked == [
        "Really resign? Then Bob has won.",
        "The game goes on.",
        "Really resign? Then Bob has won.",
    ]
    hers, his = transcripts(tmp_path, "Ann"), transcripts(tmp_path, "Bob")
    assert [path.read_bytes() for path in hers] == [path.read_bytes() for path in his]
    assert [verify_file(path).verdict for path in hers] == [Verdict.CLEAN] * 2
    assert all(b"good evening" not in path.read_bytes() for path in hers)


def test_without_chat_nothing_is_shown_and_the_other_is_told_once(start: Start) -> None:
    ann, bob = two_people(start, "--no-chat")
    ann.says("say are you there?")
    bob.says("say no")
    both_read_to_the_end(ann, bob)
    for person in (ann, bob):
        person.says("")
        assert person.bcnet.finish() == 0
    assert ann.bcnet.lines.count("Bob has chat off.") == 1
    assert ann.bcnet.lines.count("Bob has chat off; nothing was sent.") == 1
    assert bob.bcnet.lines.count("Chat is off on this side; nothing was sent.") == 1
    assert "are you there?" not in ann.bcnet.output + bob.bcnet.output


def test_a_terminal_gets_a_prompt_when_a_line_is_waited_for_and_a_bell(tmp_path: Path) -> None:
    """Cases T4 and T5."""
    with terminal(alone("--seat", "1", "--plain", "--think", "0.5")) as screen:
        screen.wait_for("Your turn: lay a card")
        screen.wait_until(lambda: screen.lines[screen.cursor[1]].rstrip() == ">", "a prompt")
        assert screen.bells == 1
        screen.enter("1")
        screen.wait_for("You lay .* Waiting for Bob …")
        screen.wait_for("Waiting for Bob … Bob lays .* Your turn: lay a card.* >$")
        assert screen.bells == 2
        screen.enter("resign")
        screen.wait_for("Really resign. Then Bob has won. resign, yes or no.$")
        screen.enter("no")
        screen.wait_for("The game goes on. >$")
        screen.enter("resign")
        screen.enter("yes")
        screen.wait_for(r"Bob won\. You resigned\. .*Look at it again: bcnet replay .*Anyone can check it")
        assert b"\x1b" not in screen.raw


def test_no_bell_in_lines_either() -> None:
    with terminal(alone("--seat", "1", "--plain", "--no-bell")) as screen:
        screen.wait_for("Your turn: lay a card")
        screen.update(0.3)
        assert screen.bells == 0
