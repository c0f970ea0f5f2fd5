"""Golden screens of Stones, as text files in ``screens/``.

python -m tests.console.stones.screens            write them
python -m tests.console.stones.screens --check    fail if any is not what the views draw now
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

from bcnet.games.interface import Event, Over, Resigned
from bcnet.games.stones.actions import Starter
from bcnet.games.stones.bots import choose_greedily
from bcnet.games.stones.field import Field, Stone
from bcnet.games.stones.material import COLOURS
from bcnet.games.stones.state import Phase, StonesState
from bcnet.updates import Ended
from bcnet.verify import Report, Verdict
from bcnet_client.console import view
from bcnet_client.console.face import Frame
from bcnet_client.console.scene import Scene
from bcnet_client.console.view import Pane
from tests.console import screens
from tests.console.screens import DENSE, PATH, WIDE
from tests.console.stones.scenes import game, scene_of, state_of

FOLDER = Path(__file__).parent / "screens"
LARGE = Frame(120, 40)
SIZES = [WIDE, DENSE, LARGE, Frame(79, 30), Frame(100, 22), Frame(100, 36), Frame(200, 60)]
WIDE_NAMES = ("Ann", "石を置くのが大好きな人", "Cleo", "Somebody whose name is as long as can be")


@dataclass(frozen=True)
class Shot(screens.Shot):
    """One golden screen."""

    folder: Path = FOLDER


@cache
def clever(seats: int, seed: int = 1) -> list[Scene]:
    """A game of simple players, as the first seat sees it."""
    return list(game(seed, seats=seats, bots=(choose_greedily,) * seats))


@cache
def penalised(seed: int = 3) -> list[Scene]:
    """A game of three with penalties: two at random, and between them one that objects rightly."""
    return list(game(seed, seats=3, penalties=True, bots=(None, choose_greedily, None)))


def asked(scenes: list[Scene], at: int, phase: Phase = Phase.LAY) -> Scene:
    """The scene in which the first seat is asked for the at-th time, in this phase."""
    found = (scene for scene in scenes if scene.asked and state_of(scene).phase is phase)
    return next(islice(found, at, None))


def ended(scene: Scene) -> Scene:
    """The same when all seeds are revealed and checked."""
    result = state_of(scene).need
    assert isinstance(result, Over)
    return replace(scene, ended=Ended(PATH, Report(Verdict.CLEAN, "Complete.", result=result), result, None))


def nothing_fits() -> Scene:
    """With penalties, four players: the first has a red stone left, which fits nowhere by the rules.

    Every second stone of every second row is red, so that each stone at the edge is red or has two red neighbours.
    """
    rows = ("RBRBR", "GWGWG", "RBRBR", "GWGWG", "RBRBR")
    left = {
        letter: [*"0" * count, *"111222333"] for letter, count in (("R", 2), ("B", 3), ("G", 3), ("W", 3))
    }
    stones = [
        Stone(int(left[letter].pop(0)), COLOURS["RBGW".index(letter)], (column, row))
        for row, line in enumerate(rows)
        for column, letter in enumerate(line)
    ]
    begun = StonesState.start(4, penalties=True).apply(Starter(0))
    return scene_of(replace(begun, field=Field(begun.field.span, tuple(stones)), points=(90, 88, 71, 64)))


def resigned() -> Scene:
    """One of four has resigned."""
    scene = clever(4)[20]
    state = state_of(scene).apply(Resigned((2,)))
    return scene_of(state, events=[each.event for each in scene.story if isinstance(each.event, Event)])


def of(seats: int, at: int) -> Callable[[], Scene]:
    return lambda: asked(clever(seats), at)


SHOTS = [
    Shot("first-turn", of(2, 0)),
    Shot("first-stone", of(2, 0), keys="right up"),
    Shot("two", of(2, 4)),
    Shot("two-colour", of(2, 4), keys="right right"),
    Shot("two-place", of(2, 4), keys="right right up"),
    Shot("two-confirm", of(2, 4), keys="right right up choose"),
    Shot("two-typing", of(2, 4), Pane(typed="r 3")),
    Shot("two-full-dense", of(2, 8), keys="right right up", frame=DENSE),
    Shot("two-ascii", of(2, 8), keys="right right up", ascii_only=True),
    Shot("two-large", of(2, 8), keys="right right up", frame=LARGE),
    Shot("two-waiting", lambda: clever(2)[9]),
    Shot("three-dense", of(3, 5), keys="right", frame=DENSE),
    Shot("four", of(4, 5), keys="left up"),
    Shot("four-dense", of(4, 7), keys="right right up", frame=DENSE),
    Shot("four-dense-ascii", of(4, 7), keys="right", frame=DENSE, ascii_only=True),
    Shot("four-large", of(4, 9), keys="right up", frame=LARGE),
    Shot("four-first-dense", of(4, 0), frame=DENSE),
    Shot("four-wide-names-dense", lambda: next(islice(game(5, seats=4, names=WIDE_NAMES), 30, None)), frame=DENSE),
    Shot("resigned", resigned),
    Shot("moves", of(4, 7), Pane(page=view.MOVES)),
    Shot("moves-dense", of(2, 7), Pane(page=view.MOVES), DENSE),
    Shot("hand", of(3, 5), Pane(page=view.HAND)),
    Shot("score", of(4, 7), Pane(page=view.SCORE)),
    Shot("rules-dense", of(2, 0), Pane(page="rules", scroll=22), DENSE),
    Shot("help", of(2, 0), Pane(page=view.HELP)),
    Shot("over-dense", lambda: clever(4)[-1], frame=DENSE),
    Shot("won", lambda: ended(clever(2)[-1])),
    Shot("beaten-dense", lambda: ended(clever(4)[-1]), frame=DENSE),
    Shot("against", lambda: asked(penalised(), 2), keys="right up previous"),
    Shot("against-confirm-dense", lambda: asked(penalised(), 2), keys="right up previous choose", frame=DENSE),
    Shot("answer", lambda: asked(penalised(), 4, Phase.OBJECTIONS)),
    Shot("answer-picked-dense", lambda: asked(penalised(), 4, Phase.OBJECTIONS), keys="down choose", frame=DENSE),
    Shot("again", lambda: asked(penalised(), 0, Phase.AGAIN), keys="right up"),
    Shot("nothing-fits", nothing_fits),
    Shot("nothing-fits-pass-dense", nothing_fits, keys="left", frame=DENSE),
]  # fmt: skip


if __name__ == "__main__":
    sys.exit(screens.main(sys.argv[1:], SHOTS))
