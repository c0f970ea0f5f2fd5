"""``--explain``: golden stories of a clean, a cheated and an incomplete game, and what every story must hold to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bcnet import language, transcript
from bcnet.entry import place_of, sign_entry, write_body
from bcnet.explain import MOST_OPENINGS
from bcnet.games import registry
from bcnet.several import Asked, Group, verify_files
from bcnet.table.faults import FaultKind
from bcnet.table.rounds import Kind
from bcnet.verify import Verdict
from tests.attacks.arena import kind_of
from tests.attacks.cheats import body_of
from tests.table.quick import quick_proofs
from tests.table.room import Room, identity_of

TRANSCRIPTS = Path(__file__).resolve().parents[1] / "vectors" / "transcripts"
GOLDEN = Path(__file__).parent / "stories"
STORIES = {
    "clean-standstill": ["clean-standstill"],
    "clean-false-proof-audited": ["clean-false-proof-audited"],
    "cheated-audit-unmask": ["cheated-audit-unmask"],
    "cheated-audit-opening": ["cheated-audit-opening"],
    "cheated-notation-empty": ["cheated-notation-empty"],
    "cheated-opening-other-card": ["cheated-opening-other-card"],
    "incomplete-draw": ["incomplete-draw"],
    "two-heads": ["incomplete-two-heads-a", "incomplete-two-heads-b"],
    "unreadable": ["unreadable-entry-of-seat-2"],
}
"""By the name of the golden file, the transcripts that it tells of."""


def told(names: list[str], asked: Asked = Asked(story=True)) -> Group:  # noqa: B008 (frozen)
    (group,) = verify_files([TRANSCRIPTS / f"{name}.bct" for name in names], asked=asked)
    return group


def written(names: list[str]) -> str:
    return "".join(f"{line}\n" for line in told(names).story)


@pytest.mark.parametrize("spoken", language.LANGUAGES)
def test_as_many_openings_as_a_cheater_likes(spoken: str, tmp_path: Path) -> None:
    """A few of them are told of, and neither the verdict nor another file is lost."""
    with quick_proofs():
        room = Room.of(registry.get("balloon-cup"))
        room.play(until=lambda _: any(kind_of(data) is Kind.ACT for _, data in room.sent))
        seat, lie = next((seat, data) for seat, data in room.sent if kind_of(data) is Kind.ACT)
        body = body_of(lie)
        for slot in range(2000):
            body.act.openings.add(slot=slot, card=slot % 45)
        entries = [data for data in room.file(0) if place_of(data)[0] < body.round]
        path = tmp_path / "cheated.bct"
        transcript.write(path, [*entries, sign_entry(write_body(body), identity_of(seat).sign_message)])
        (group,) = verify_files([path], asked=Asked(story=True))
    assert (group.report.verdict, group.report.fault and group.report.fault.seat) == (Verdict.CHEATED, seat)
    language.use(spoken)
    try:
        story = " ".join(" ".join(language.told(line) for line in group.story).split())
    finally:
        language.use(language.ENGLISH)
    assert f" {len(body.act.openings) - MOST_OPENINGS}" in story
    assert story.lower().count("slot 1") <= MOST_OPENINGS


@pytest.mark.parametrize("name", STORIES)
def test_golden_stories(name: str) -> None:
    """Where they must change: ``.venv/bin/python -m tests.verify.test_explain`` writes them anew."""
    assert written(STORIES[name]) == (GOLDEN / f"{name}.txt").read_text()


def test_every_round_is_told_in_two_lines_at_most() -> None:
    lines = told(["clean-designer"]).story
    rounds = [int(found[1]) for line in lines if (found := re.match(r" {0,4}(\d+)  ", line))]
    assert rounds == list(range(217))
    assert len(lines) <= 2 * len(rounds) + 3
    assert max(map(len, lines)) < 500


@pytest.mark.parametrize(("name", "seats", "leaves"), [("stones", 3, 1), ("edel", 4, 2)])
@pytest.mark.parametrize("is_awaited", [True, False], ids=["on turn", "by a note"])
def test_games_without_cards(name: str, seats: int, leaves: int, is_awaited: bool, tmp_path: Path) -> None:
    """Nothing of a deck is said to have been checked; whoever resigns hands the seed over, and the others go on."""
    game = registry.get(name)
    room = Room.of(game, seats, {key: values[-1] for key, values in game.options.items()})
    room.play(until=lambda _: len(room.players[0].table.log) > 9 and is_on_turn(room, leaves) is is_awaited)
    room.react(leaves, room.players[leaves].resign())
    room.play()
    path = tmp_path / "clean.bct"
    transcript.write(path, room.file(0))
    for proofs in (False, True):
        (group,) = verify_files([path], asked=Asked(story=True, proofs=proofs))
        report = group.report
        assert (report.verdict, report.proofs_checked) == (Verdict.CLEAN, False)
        assert {each.what for each in report.unchecked} == {"identities"}, "there are no proofs"
        checks = set(
            "; ".join(found for line in group.story for found in re.findall(r"  \[(.*)\]$", line)).split("; ")
        )
        assert checks == {
            *(
                "sound key, allowed name",
                "computed again from the seed",
                "each link hashes to the one before",
            ),
            *("opens the commitment", "rules"),
            *(() if is_awaited else ("signed by its seat, for this round",)),
        }
        who = f"player {leaves}"
        said = (
            f"{who}: resigns, and hands its seed over"
            if is_awaited
            else f"carries the note of {who}, who resigns"
        )
        assert sum(f"{said}  [" in line for line in group.story) == 1
        assert sum(f" {who}: " in line for line in group.story[-4:]) == 0, "nobody waits for it"
        names = ", ".join(f"player {seat}" for seat in range(seats - 1))
        audit = f"Audit: from the seeds of {names} and player {seats - 1} the chains were computed again."
        assert group.story[-1] == audit
        assert any(re.search(r"won \(|drawn \(", line) for line in group.story[-4:])


def is_on_turn(room: Room, seat: int) -> bool:
    awaiting = room.players[0].table.awaiting
    assert awaiting is not None
    assert awaiting.kind in (Kind.ACT, Kind.SEAL)
    return awaiting.kind is Kind.ACT and awaiting.seats == (seat,)


def test_what_is_checked_of_an_action_depends_on_what_it_opens() -> None:
    lines = [line for line in told(["clean-designer"]).story if re.match(r" *\d+  act ", line)]
    assert {line.rpartition("  [")[2] for line in lines if ", opens " in line} == {
        "rules; the cards are those in the slots]"
    }
    assert {line.rpartition("  [")[2] for line in lines if ", opens " not in line} <= {"rules]"}


def test_without_a_seed_nothing_is_said_to_be_computed_from_it() -> None:
    assert "computed again" not in "\n".join(told(["incomplete-unmask"]).story)


def test_proofs_are_told_of_only_where_they_were_run() -> None:
    asked = Asked(story=True, proofs=True)
    name = ["clean-resigned-on-turn"]
    assert "each answer leads to its shadow" not in "\n".join(told(name).story)
    assert "each answer leads to its shadow" in "\n".join(told(name, asked).story)


def test_the_fault_stands_where_it_was_signed() -> None:
    group = told(["cheated-audit-unmask"])
    assert group.report.fault is not None
    assert group.report.fault.kind is FaultKind.AUDIT_UNMASK
    at = next(index for index, line in enumerate(group.story) if "FAULT" in line)
    assert group.story[at].split()[0] == str(group.report.fault.round)
    before = [line for line in group.story[:at] if re.match(r" {0,4}\d+  ", line)]
    assert all(int(line.split()[0]) <= group.report.fault.round for line in before)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, files in STORIES.items():
        (GOLDEN / f"{name}.txt").write_text(written(files))
