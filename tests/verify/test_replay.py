"""A game to be stepped through: every position is the one that was, with more faces, and knows what was secret."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from bcnet.games.balloon_cup.events import CardDrawn
from bcnet.games.interface import Action, Over, Resigned
from bcnet.replay import CONTRADICTED, INCOMPLETE_FACES, NOT_BEGUN, Playback, play_back
from bcnet.verify import Replay, examine_file

TRANSCRIPTS = Path(__file__).resolve().parents[1] / "vectors" / "transcripts"


@cache
def examined(name: str) -> tuple[Playback, Replay | None]:
    report, replay = examine_file(TRANSCRIPTS / f"{name}.bct")
    return play_back(report, replay), replay


def playback_of(name: str) -> Playback:
    return examined(name)[0]


@pytest.mark.parametrize("name", ["clean-designer", "clean-private-hands", "clean-blind", "clean-standstill"])
def test_every_position_is_the_one_that_was_with_all_faces(name: str) -> None:
    playback, replay = examined(name)
    assert replay is not None
    steps = replay.course.steps
    decisions = [taken for taken in steps if isinstance(taken.step, Action | Resigned)]
    assert playback.last == len(decisions)
    # After each moment everybody knew what was public after the last step before the next decision.
    public = [steps[steps.index(taken) - 1].state for taken in decisions] + [steps[-1].state]
    assert [moment.state.view(None) for moment in playback.moments] == public
    assert [moment.mover for moment in playback.moments] == [None, *(taken.seat for taken in decisions)]
    for moment in playback.moments:
        for seat in (0, 1):
            hand = moment.state.hand(seat)
            assert len(hand.known) == hand.size
            assert sorted((*moment.secret(seat), *hand.shown)) == list(hand.known)
    assert playback.notes == ()


def test_draws_and_deals_were_secret_and_plays_were_not() -> None:
    playback = playback_of("clean-designer")
    drawn = 0
    for moment in playback.moments[1:]:
        draws = [event for event in moment.events if isinstance(event, CardDrawn)]
        drawn += len(draws)
        assert [s.secret for s in moment.sentences if " draws " in s.text] == [True] * len(draws)
    assert drawn > 30
    assert [s.secret for s in playback.moments[0].sentences if "is dealt" in s.text] == [True, True]
    assert not any(s.secret for m in playback.moments for s in m.sentences if " lays " in s.text)


def test_a_card_that_was_shown_is_no_secret() -> None:
    moments = playback_of("clean-designer").moments
    assert moments[-1].state.hand(0).shown == moments[-1].state.hand(0).known
    assert moments[-1].secret(0) == ()
    assert moments[-1].secret(1) != ()


def test_the_last_moment_says_how_it_ended() -> None:
    last = playback_of("clean-designer").moments[-1]
    assert isinstance(last.state.need, Over)
    assert last.sentences[-1].text == "Grace won (third trophy)."
    assert last.awaited == ()
    assert playback_of("clean-designer").moments[0].awaited == (0,)


def test_a_resignation_is_a_move() -> None:
    playback = playback_of("clean-resigned-on-turn")
    assert [s.text for s in playback.moments[-1].sentences] == ["Ada resigns.", "Grace won (resignation)."]


def test_after_a_card_that_was_not_there_only_what_was_said_is_shown() -> None:
    playback = playback_of("cheated-audit-opening")
    assert playback.verdict.startswith("cheated: Seat 1 (Grace) cheated in round 8")
    assert playback.notes == (CONTRADICTED.format(move=1), INCOMPLETE_FACES)
    assert len(playback.moments[0].state.hand(0).known) == 8
    assert playback.moments[1].state.hand(0).known == ()
    assert "Grace lays red 1" in playback.moments[1].sentences[0].text


def test_what_no_seed_brings_to_light_stays_hidden() -> None:
    playback = playback_of("incomplete-draw")
    assert playback.verdict.startswith("incomplete: ")
    assert playback.notes == (INCOMPLETE_FACES,)
    assert all(moment.state.hand(seat).known == () for moment in playback.moments for seat in (0, 1))
    assert not any(sentence.secret for moment in playback.moments for sentence in moment.sentences)
    assert "Ada is dealt 8 cards." in [sentence.text for sentence in playback.moments[0].sentences]


def test_a_game_that_had_not_begun_and_a_file_that_is_none() -> None:
    assert playback_of("incomplete-offer").moments == ()
    assert playback_of("incomplete-offer").notes == (NOT_BEGUN,)
    unreadable = playback_of("unreadable-entry-of-seat-2")
    assert unreadable.moments == ()
    assert unreadable.last == 0
    assert unreadable.verdict == "unreadable: Entry 4: There is no seat 2 at this table."


@pytest.mark.parametrize("name", sorted(path.stem for path in TRANSCRIPTS.glob("cheated-audit-*.bct")))
def test_what_the_audit_convicts_is_played_back_all_the_same(name: str) -> None:
    playback, replay = examined(name)
    assert replay is not None
    assert playback.verdict.startswith("cheated: ")
    assert playback.moments[-1].round == (replay.course.steps[-1].round if replay.course.steps else 0)
