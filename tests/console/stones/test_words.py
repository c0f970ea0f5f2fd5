"""What a player of Stones is told: events, how it stands, how it went and ended."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bcnet.games.happened import PlayerResigned
from bcnet.games.interface import Over
from bcnet.games.stones.events import (
    FirstPlayerChosen,
    ObjectionFailed,
    StoneLaid,
    StoneTakenBack,
    TurnPassed,
)
from bcnet.games.stones.material import COLOURS, Colour
from bcnet.games.stones.state import Phase
from bcnet_client.console import view
from bcnet_client.console.scene import Scene
from bcnet_client.console.stones import FACE
from tests.console.stones.scenes import game, scene_of, state_of
from tests.console.stones.screens import asked, clever, ended, nothing_fits, penalised, resigned
from tests.games.stones.positions import act, start

THREE = clever(3)[7]
LAID = StoneLaid(0, Colour.RED, 2, -1, 24, doubled=False)
BACK = StoneTakenBack(1, (0,), Colour.WHITE, 0, 3, 4, 10)


@pytest.mark.parametrize(
    ("event", "own", "others"),
    [
        (FirstPlayerChosen(0), "You begin.", "Ann begins."),
        (LAID, "You lay red at 2 -1: 24 points.", "Ann lays red at 2 -1: 24 points."),
        (replace(LAID, points=1), "You lay red at 2 -1: 1 point.", "Ann lays red at 2 -1: 1 point."),
        (
            replace(LAID, doubled=True),
            "You lay your last red at 2 -1: 24 points, doubled.",
            "Ann lays the last red at 2 -1: 24 points, doubled.",
        ),
        (TurnPassed(0), "Nothing of yours fits: you pass.", "Ann passes: nothing fits."),
        (
            BACK,
            "You objected, and rightly: Bob takes white at 0 3 back, and loses its 4 and 10 more.",
            "Ann objected to white at 0 3: Bob takes it back, and loses its 4 and 10 more.",
        ),
        (
            replace(BACK, seat=0, by=(1, 2)),
            "Bob and Cleo objected to white at 0 3: you take it back, and lose its 4 and 10 more.",
            "Bob and Cleo objected to white at 0 3: Ann takes it back, and loses its 4 and 10 more.",
        ),
        (
            ObjectionFailed((0,)),
            "You objected, but the stone lies by the rules.",
            "Ann objected, but the stone lies by the rules.",
        ),
        (PlayerResigned(0), "You resign.", "Ann resigns."),
    ],
)
def test_events(event: StoneLaid, own: str, others: str) -> None:
    assert FACE.tell(event, THREE) == own
    assert FACE.tell(event, replace(THREE, seat=2)) == others


@pytest.mark.parametrize(
    ("seats", "winners", "reason", "said"),
    [
        (2, (0,), "all-laid", "All stones are laid."),
        (3, (1,), "nothing-fits", "Nobody can lay another stone."),
        (3, (0, 2), "all-laid", "All stones are laid. You share the win with Cleo."),
        (4, (1, 2), "nothing-fits", "Nobody can lay another stone. They share the win."),
        (2, (0,), "resignation", "The other side resigned."),
        (3, (0,), "resignation", "All others have resigned."),
        (3, (2,), "resignation", "You resigned."),
        (3, (), "resignation", "All who were left resigned."),
        (2, (), "standstill", "Nothing moves any more."),
    ],
)
def test_outcomes(seats: int, winners: tuple[int, ...], reason: str, said: str) -> None:
    assert FACE.outcome(Over(winners, reason), clever(seats)[3]) == said


def test_how_it_stands() -> None:
    state = state_of(THREE)
    lines = FACE.score(THREE)
    for seat, name in enumerate(("You", "Bob", "Cleo")):
        points = "1 point" if state.points[seat] == 1 else f"{state.points[seat]} points"
        assert lines[seat] == f"{name}: {points}, {sum(state.supply(seat))} left."
    stones = " ".join(lines[3:])
    for colour in COLOURS:
        laid = [stone for stone in state.field.stones if stone.colour is colour]
        assert stones.count(f"{colour.word} at ") == len(laid)
    assert FACE.score(clever(2)[0])[2] == "No stone lies yet; all will lie within 6 by 6."
    assert "Cleo: " in FACE.score(resigned())[2]
    assert FACE.score(resigned())[2].endswith("points, has resigned.")


def test_how_it_went() -> None:
    scene = ended(clever(2)[-1])
    texts = FACE.summary(scene)
    assert len(texts) == 2
    for seat, text in enumerate(texts):
        laid = [
            (each.event, each.move)
            for each in scene.story
            if isinstance(each.event, StoneLaid) and each.event.seat == seat
        ]
        best, move = max(laid, key=lambda found: found[0].points)
        assert text.startswith(
            f"{('You', 'Bob')[seat]}: {len(laid)} laid, the best of them {best.colour.word} at "
        )
        assert text.endswith(f", move {move}: {best.points} points.")


def test_what_was_taken_back_is_counted_and_does_not_lie() -> None:
    scene = penalised()[-1]
    back = [each.event for each in scene.story if isinstance(each.event, StoneTakenBack)]
    own = sum(event.seat == 0 for event in back)
    texts = FACE.summary(scene)
    assert f"Taken back from you: {own}, at 10 points each." in texts
    laid = sum(stone.seat == 0 for stone in state_of(scene).field.stones)
    assert texts[0].startswith(f"You: {laid} laid, ")


def called(scene: Scene) -> tuple[str, str, str]:
    """What is asked, what stands before the line, and whether a question stands below the table."""
    return FACE.call(scene), FACE.prompt(scene), view.as_text(FACE.question(scene, 78)).split("\n")[0]


def test_what_is_asked() -> None:
    assert called(asked(clever(2), 4)) == ("Your turn: lay a stone, as in black -1 -1", "> ", "")
    assert called(nothing_fits())[0].startswith(
        "Nothing of yours fits by the rules: pass, or lay against them"
    )
    assert (
        called(asked(penalised(), 0, Phase.AGAIN))[0]
        == "Your stone was taken back: lay grey again, by the rules"
    )
    assert called(asked(penalised(), 4, Phase.OBJECTIONS)) == (
        "May Bob's last stone lie? object or agree",
        "answer> ",
        "Bob has laid black at 1 1. May it lie there, by the laying rules?",
    )


def test_the_stone_that_fits_nowhere_any_more() -> None:
    """It is taken back, and another is to be laid."""
    state = replace(
        act(start(2, penalties=True), "lay red 0 0", "objections"), phase=Phase.AGAIN, mover=0, again=None
    )
    assert called(scene_of(state))[0] == "Taken back, and it fits nowhere: lay another, by the rules"


def test_what_the_programs_do_meanwhile() -> None:
    first = next(game(1, penalties=True))
    waiting = replace(first, asked=False)
    assert FACE.progress(waiting) == "One moment: what all have said is opened …"
    assert FACE.call(waiting) == ""
