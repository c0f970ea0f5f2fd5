"""A finished game of Edel, Stein & Reich, looked at: stepped through, as lines, as a page."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pytest

from bcnet import cli, transcript
from bcnet.errors import Exit
from bcnet.games.edel.state import EdelState
from bcnet.games.interface import Action
from bcnet.replay import Playback, play_back
from bcnet.secrets import Secrets
from bcnet.signing import Identity
from bcnet.table.player import Player
from bcnet.verify import examine
from bcnet_client.console.edel import FACE
from bcnet_client.console.face import Frame
from bcnet_client.console.replaying import Shown, as_lines, render, scene_at
from bcnet_client.console.text import plain, width
from bcnet_client.console.view import as_text
from bcnet_client.page import page_of
from bcnet_client.page.drawing import drawing_of
from tests.console.edel.scenes import GAME, GREEDY
from tests.console.test_page import HOSTILE, Page, moments_of
from tests.table.quick import quick_proofs
from tests.table.room import Room, lookup

NAMES = ("Ann", *HOSTILE, "Dora", "Emil")


def cleverly(player: Player, rng: random.Random) -> Action:
    return GREEDY(player.view(), player.number, rng)


@cache
def playback_of(seats: int) -> Playback:
    """A game at a table in memory, from its transcript; two of the names are markup."""

    def player(seat: int, secrets: Secrets, identity: Identity) -> Player:
        return Player(seat, secrets, identity.public, identity.sign_message, NAMES[seat], games=lookup)

    with quick_proofs():
        room = Room.of(GAME, seats, seed=seats, seated=dict.fromkeys(range(seats), player))
        room.play(cleverly)
        assert room.complete
        return play_back(*examine(room.file(0), games=lookup))


def state_at(playback: Playback, number: int) -> EdelState:
    state = playback.moments[number].state
    assert isinstance(state, EdelState)
    return state


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("frame", [Frame(80, 24), Frame(60, 20), Frame(120, 40)], ids=str)
def test_every_screen_has_its_size_and_says_who_decides(frame: Frame, seats: int) -> None:
    playback = playback_of(seats)
    for number in range(0, playback.last + 1, 5):
        for ascii_only in (False, True):
            lines = render(playback, Shown(number), FACE, frame, ascii_only=ascii_only)
            assert len(lines) == frame.rows
            assert {width(each) for each in lines} <= {frame.columns, 0}
            assert not ascii_only or all(plain(each).isascii() for each in lines)
        board = [plain(each) for each in FACE.board(scene_at(playback, number), frame)]
        marked = tuple(seat for seat in range(seats) if board[3 + seat].startswith("▶ "))
        assert marked == playback.moments[number].awaited


def test_an_offer_is_on_the_table_at_the_moment_after_it() -> None:
    playback = playback_of(3)
    seen = 0
    for number in range(playback.last + 1):
        state = state_at(playback, number)
        if state.trade is not None and state.trade.offer is not None:
            seen += 1
            text = as_text(render(playback, Shown(number), FACE, Frame(80, 24)))
            assert "◄ on the table" in text
    assert seen > 3


def test_the_lines_have_every_step_once() -> None:
    playback = playback_of(3)
    lines = list(as_lines(playback))
    headings = [line for line in lines if re.match(r"(The beginning|Move \d+ of)", line)]
    assert len(headings) == playback.last + 1
    assert not re.search(r"\b[Yy]ou(r)?\b", "\n".join(lines))
    for moment in playback.moments:
        assert all(sentence.text in lines for sentence in moment.sentences)
        assert not any(sentence.secret for sentence in moment.sentences)


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_page_is_whole_and_names_of_strangers_stay_text(seats: int) -> None:
    playback = playback_of(seats)
    text = page_of(playback)
    page = Page(text)
    assert page.open == []
    assert page.tags["script"] == 1
    assert page.tags["img"] == 0
    assert page.tags["section"] == playback.last + 1
    assert page.tags["svg"] == playback.last + 3
    for raw in ("alert(1)</script>", "<img"):
        assert raw not in text


def test_the_page_shows_what_lies_before_everybody() -> None:
    playback = playback_of(4)
    for number, section in enumerate(moments_of(page_of(playback))):
        state = state_at(playback, number)
        for seat in state.everybody:
            assert f">{state.holdings[seat].money} money<" in section
            for letter, count in zip("RYGB", state.gems(seat), strict=True):
                assert f">{letter}{count}<" in section
        assert ("trade</text>" in section) == (state.trade is not None)


def test_the_charts_end_with_who_won() -> None:
    playback = playback_of(5)
    money, gems = drawing_of("edel").races(playback)
    last = state_at(playback, playback.last)
    assert [counts[-1] for counts in money.counts] == [holding.money for holding in last.holdings]
    assert [counts[0] for counts in gems.counts] == [12] * 5
    assert last.result is not None
    assert [(seat, number) for seat, number, _ in money.marks] == [
        (seat, playback.last) for seat in last.result.winners
    ]


def test_the_command_reads_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "edel.bct", tmp_path / "edel.html"
    room = Room.of(GAME, 3)
    room.play(cleverly)
    transcript.write(path, room.file(0))
    assert cli._code(["replay", str(path), "--plain"]) == Exit.OK
    said = capsys.readouterr().out
    assert said.startswith("clean: ")
    assert "Scoring red: " in said
    assert cli._code(["replay", str(path), "--html", str(out)]) == Exit.OK
    assert Page(out.read_text("utf-8")).open == []
