"""The page of a finished game: whole, by itself, and with nothing in it that a stranger could have made markup."""

from __future__ import annotations

import re
import shutil
import subprocess
from base64 import b64encode
from collections import Counter
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bcnet import cli, transcript
from bcnet.errors import Exit, UsageError
from bcnet.games import registry
from bcnet.games.balloon_cup.notation import write_card
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.replay import Playback, play_back
from bcnet.secrets import Secrets
from bcnet.signing import Identity
from bcnet.table.player import Player
from bcnet.verify import Verdict, examine, examine_file
from bcnet_client.page import page_of
from bcnet_client.page.drawing import drawing_of
from bcnet_client.page.markup import Markup, tag, void
from tests.table.quick import quick_proofs
from tests.table.room import Room, at_random, lookup

TRANSCRIPTS = Path(__file__).resolve().parents[1] / "vectors" / "transcripts"
HOSTILE = ("<script>alert(1)</script>", "\"'><img src=x onerror=y>&amp;")
_VOID = {"meta", "input"}


class Page(HTMLParser):
    """A page taken apart: that every element is closed in its order, and what there is of each."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str | None]] = []
        self.texts: list[tuple[str, str]] = []
        """(the element it stands in, text)"""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.append((self.open[-1], data))

    def values(self, name: str) -> list[str | None]:
        return [value for _, attribute, value in self.attributes if attribute == name]

    def text(self, *elements: str) -> str:
        return "\n".join(text for element, text in self.texts if element in elements)


@cache
def playback_of(name: str) -> Playback:
    return play_back(*examine_file(TRANSCRIPTS / f"{name}.bct"))


@cache
def hostile_entries() -> tuple[bytes, ...]:
    """A finished game of two whose names are markup."""

    def player(seat: int, secrets: Secrets, identity: Identity) -> Player:
        return Player(seat, secrets, identity.public, identity.sign_message, HOSTILE[seat], games=lookup)

    with quick_proofs():
        room = Room.of(registry.get("balloon-cup"), seated={0: player, 1: player})
        room.play(at_random, until=lambda room: room.players[0].decision is not None)
        room.react(0, room.players[0].resign())
        room.settle()
    assert room.complete
    return tuple(room.file(0))


def moments_of(text: str) -> list[str]:
    return re.findall(r'<section id="m\d+".*?</section>', text, re.DOTALL)


@pytest.mark.parametrize(
    "name", ["clean-designer", "clean-blind", "cheated-audit-opening", "incomplete-draw"]
)
def test_the_page_is_whole_and_has_every_moment(name: str) -> None:
    playback = playback_of(name)
    text = page_of(playback)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    page = Page(text)
    assert page.open == []
    count = playback.last + 1
    assert page.tags["section"] == count
    assert page.tags["svg"] == count + 2
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert [each for each in ids if each and re.fullmatch(r"m\d+", each)] == [f"m{n}" for n in range(count)]
    assert ("input", "max", str(playback.last)) in page.attributes
    said = page.text("li").splitlines()
    assert all(sentence.text in said for moment in playback.moments for sentence in moment.sentences)
    verdict = page.text("p").splitlines()[0]
    assert verdict == playback.verdict
    is_bad = ("p", "class", "verdict bad") in page.attributes
    assert is_bad == (playback.report.verdict is not Verdict.CLEAN)
    assert all(note in page.text("p") for note in playback.notes)


def test_every_known_card_is_drawn_and_what_was_secret_is_marked() -> None:
    playback = playback_of("clean-designer")
    for moment, drawn in zip(playback.moments, moments_of(page_of(playback)), strict=True):
        cards = re.findall(r'<g class="card \w+( last)?( secret)?">.*?<text [^>]*>(\w+)</text>', drawn)
        secret = {card for seat in (0, 1) for card in moment.secret(seat)}
        assert {text for _, mark, text in cards if mark} == {write_card(card).upper() for card in secret}
        assert drawn.count('class="mark"') == len(secret)
        held = [card for seat in (0, 1) for card in moment.state.hand(seat).known]
        assert isinstance(moment.state, BalloonCupState)
        lying = [card for tile in moment.state.tiles for side in (0, 1) for card in tile.cards(side)]
        in_play = [write_card(card).upper() for card in (*held, *lying)]
        assert sorted(text for _, _, text in cards) == sorted(in_play)


def test_the_next_cards_of_the_pile_are_written_below() -> None:
    playback = playback_of("clean-designer")
    for moment, drawn in zip(playback.moments, moments_of(page_of(playback)), strict=True):
        assert isinstance(moment.state, BalloonCupState)
        coming = " ".join(f"{write_card(card).upper()}*" for card in (moment.state.pile_order or ())[:8])
        assert re.findall(r"small next\">next: ([^<]*)<", drawn) == ([coming] if coming else [])


def test_hidden_cards_are_drawn_as_backs() -> None:
    (first, *_) = moments_of(page_of(playback_of("incomplete-draw")))
    assert first.count('class="card back"') == 16
    assert 'secret"' not in first


def test_the_page_fetches_nothing_and_runs_its_own_script_alone() -> None:
    text = page_of(playback_of("clean-designer"))
    page = Page(text)
    assert (
        set(page.tags) & {"link", "img", "iframe", "object", "embed", "base", "form", "a", "image", "use"}
        == set()
    )
    names = {name for _, name, _ in page.attributes}
    assert names & {"src", "href", "style", "srcset", "action", "data"} == set()
    assert not any(name.startswith("on") or ":" in name for name in names)
    assert page.tags["script"] == page.tags["style"] == 1
    assert not re.search(r"https?:|url\(|@import|//", page.text("style"))
    (policy,) = [value or "" for value in page.values("content") if "default-src" in (value or "")]
    assert policy.startswith("default-src 'none';")
    for kind in ("style", "script"):
        digest = b64encode(sha256(page.text(kind).encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy


def test_names_of_strangers_stay_text() -> None:
    report, replay = examine(list(hostile_entries()), games=lookup)
    playback = play_back(report, replay)
    assert playback.names == HOSTILE
    ours, theirs = Page(page_of(playback_of("clean-resigned-on-turn"))), Page(page_of(playback))
    assert theirs.tags["script"] == 1
    assert theirs.tags["img"] == 0
    assert theirs.open == []
    assert set(theirs.tags) == set(ours.tags)
    assert {name for _, name, _ in theirs.attributes} == {name for _, name, _ in ours.attributes}
    assert all(name in theirs.text("h1") for name in HOSTILE)
    assert f"{HOSTILE[0]} resigns." in theirs.text("li")
    for raw in ("alert(1)</script>", "<img"):
        assert raw not in page_of(playback)


def test_only_markup_is_markup() -> None:
    assert tag("p", "<b>", tag("b", "&"), class_='"') == '<p class="&quot;">&lt;b&gt;<b>&amp;</b></p>'
    assert void("input", type="range", hidden=True, id=None) == '<input type="range" hidden>'
    assert isinstance(tag("p"), Markup)


def test_the_charts_show_the_race() -> None:
    playback = playback_of("clean-designer")
    trophies, cubes = drawing_of("balloon-cup").races(playback)
    assert [counts[0] for counts in trophies.counts] == [0, 0]
    assert [counts[-1] for counts in trophies.counts] == [2, 3]
    assert [(seat, mark) for seat, _, mark in trophies.marks] == [
        (0, "Y"),
        (1, "G"),
        (0, "E"),
        (1, "R"),
        (1, "B"),
    ]
    for seat, number, _ in trophies.marks:
        assert trophies.counts[seat][number] == trophies.counts[seat][number - 1] + 1
    assert [counts[-1] for counts in cubes.counts] == [6, 8]
    page = Page(page_of(playback))
    labels = [label or "" for label in page.values("aria-label")]
    assert f"{trophies.title}. At the end: Ada 2, Grace 3." in labels


def test_a_game_that_has_no_page() -> None:
    with pytest.raises(UsageError):
        drawing_of("no-such-game")


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
def test_the_script_steps_jumps_and_plays(tmp_path: Path) -> None:
    """Not in a browser: against a stand-in for the document."""
    path = tmp_path / "page.html"
    path.write_text(page_of(playback_of("clean-designer")), encoding="utf-8")
    keys = [
        "ArrowRight",
        "ArrowLeft",
        "PageDown",
        "End",
        "ArrowRight",
        "Home",
        "ArrowLeft",
        "40",
        "#back",
        " ",
        " ",
    ]
    ran = subprocess.run(
        ["node", str(Path(__file__).with_name("page.js")), str(path), *keys],
        capture_output=True,
        text=True,
        check=True,
        timeout=50,
    )
    rows = [line.rsplit(" ", 4) for line in ran.stdout.splitlines()]
    assert [int(row[1]) for row in rows] == [2, 3, 2, 12, 93, 93, 0, 0, 40, 39, 39, 39]
    assert all(float(row[2]) == pytest.approx(100 * int(row[1]) / 93) for row in rows)
    assert [row[3] for row in rows[-3:]] == ["Play", "Stop", "Play"]
    assert {row[4] for row in rows} == {"false"}


# --- the command ---


def test_the_command_writes_the_page_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = TRANSCRIPTS / "clean-resigned-on-turn.bct", tmp_path / "game.html"
    assert cli._code(["replay", str(file), "--html", str(out)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == playback_of(file.stem).verdict
    page = page_of(playback_of(file.stem))
    assert out.read_text("utf-8") == page
    out.write_text("mine")
    assert cli._code(["replay", str(file), "--html", str(out)]) == Exit.USAGE
    assert "--force" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert cli._code(["replay", str(file), "--html", str(out), "--force"]) == 0
    assert out.read_text("utf-8") == page
    assert cli._code(["replay", str(file), "--html", str(tmp_path / "no" / "x.html")]) == Exit.USAGE
    assert [path.name for path in tmp_path.iterdir()] == ["game.html"]
    capsys.readouterr()
    assert cli._code(["replay", str(file), "--html", "-"]) == 0
    assert capsys.readouterr().out == page


def test_the_command_with_what_is_not_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "game.html"
    unreadable, cheated = (
        TRANSCRIPTS / "unreadable-entry-of-seat-2.bct",
        TRANSCRIPTS / "cheated-audit-opening.bct",
    )
    assert cli._code(["replay", str(unreadable), "--html", str(out)]) == Exit.UNREADABLE
    assert "no game to show" in capsys.readouterr().err
    assert not out.exists()
    assert cli._code(["replay", str(cheated), "--html", str(out)]) == Exit.CHEATED
    assert "cheated: " in Page(out.read_text("utf-8")).text("p")


def test_a_hostile_file_from_disk(tmp_path: Path) -> None:
    path, out = tmp_path / "hostile.bct", tmp_path / "game.html"
    transcript.write(path, list(hostile_entries()))
    with quick_proofs():
        assert cli._code(["replay", str(path), "--html", str(out)]) == Exit.OK
    assert Page(out.read_text("utf-8")).tags["script"] == 1
