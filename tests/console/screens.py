"""Golden screens: what the views draw for positions of real games, as text files in ``screens/``.

python -m tests.console.screens            write them
python -m tests.console.screens --check    fail if any is not what the views draw now
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from bcnet.errors import StorageError
from bcnet.games.interface import Action, Over
from bcnet.table.faults import Fault, FaultKind
from bcnet.updates import Ended, LineDown
from bcnet.verify import Report, Verdict
from bcnet.wire.v1 import table_pb2 as pb
from bcnet_client.console import view
from bcnet_client.console.face import Frame, Key, face_of
from bcnet_client.console.scene import Scene
from bcnet_client.console.view import Pane
from tests.console.scenes import game, seated

FOLDER = Path(__file__).parent / "screens"
PATH = Path("/home/ann/.local/share/bcnet/transcripts/2026-11-30-6b2176db54bc195f-0.bct")
NOTHING_OPEN = Pane()
WIDE, DENSE = Frame(80, 24), Frame(60, 20)
WIDE_NAMES = ("Ann", "気球カップが大好きな人")


def at(seed: int, step: int, seat: int = 0, names: tuple[str, str] = ("Ann", "Bob")) -> Scene:
    """The scene after so many steps of a random game."""
    return next(islice(game(seed, seat, names=names), step, None))


def ended(scene: Scene) -> Scene:
    """The same when both seeds are revealed and checked."""
    assert scene.state is not None
    result = scene.state.need
    assert isinstance(result, Over)
    report = Report(Verdict.CLEAN, "Complete.", result=result)
    return replace(scene, ended=Ended(PATH, report, result, None))


def cheated(scene: Scene) -> Scene:
    """The same when the other side has sent a shuffle that is none."""
    fault = Fault(1, 57, FaultKind.SHUFFLE, "A card point stands twice in the shuffled list.", (b"",))
    report = Report(Verdict.CHEATED, "Seat 1 cheated.", fault=fault)
    return replace(scene, ended=Ended(PATH, report, None, fault))


def lost(scene: Scene) -> Scene:
    """The same when the other player has left."""
    down = LineDown(frozenset({1}), int(pb.REASON_LEAVING))
    return replace(scene, lost=down, folder=Path("/home/ann/.local/share/bcnet/tables/6b2176db54bc195f-0"))


def full_disk(scene: Scene) -> Scene:
    """The same when nothing can be written."""
    error = StorageError("The journal cannot be written: no space left on device.", hint="Make room.")
    return replace(scene, trouble=error)


@dataclass(frozen=True)
class Shot:
    """One golden screen."""

    name: str
    scene: Callable[[], Scene]
    pane: Pane = NOTHING_OPEN
    frame: Frame = WIDE
    ascii_only: bool = False
    keys: str = ""
    """Keys that are pressed while no line is typed, by the names of `Key`."""
    folder: Path = FOLDER

    @property
    def path(self) -> Path:
        return self.folder / f"{self.name}.txt"

    def seen(self, scene: Scene) -> Pane:
        """The pane with what the typed line or the keys pick."""
        face = face_of(scene.game)
        picked = face.picking.typed(self.pane.typed, scene) if self.pane.typed else None
        for name in self.keys.split():
            found = face.picking.press(Key[name.upper()], picked, scene, self.frame)
            if isinstance(found, Action):
                picked = face.picking.standing_for(found, scene)
                return replace(self.pane, picked=picked, ask=face.confirm(found, scene), deciding=True)
            picked = found
        return replace(self.pane, picked=picked)

    def draw(self) -> str:
        scene = self.scene()
        face = face_of(scene.game)
        lines = view.render(scene, self.seen(scene), face, self.frame, ascii_only=self.ascii_only)
        return view.as_text(lines) + "\n"


SHOTS = [
    Shot("setting-up", seated),
    Shot("first-turn", lambda: at(1, 7)),
    Shot("their-turn", lambda: at(1, 60)),
    Shot("your-turn-dense", lambda: at(1, 62), frame=DENSE),
    Shot("your-turn-ascii", lambda: at(1, 62), ascii_only=True),
    Shot("your-turn-dense-ascii", lambda: at(1, 62), frame=DENSE, ascii_only=True),
    Shot("your-turn-large", lambda: at(1, 62), frame=Frame(120, 40)),
    Shot("your-turn", lambda: at(1, 62)),
    Shot("typing", lambda: at(1, 62), Pane(typed="play g7 4")),
    Shot("typing-dense", lambda: at(1, 62), Pane(typed="g7"), DENSE),
    Shot("waiting", lambda: at(1, 61)),
    Shot("sending", lambda: at(1, 62), Pane(sending=True)),
    Shot("card", lambda: at(1, 6), keys="right right"),
    Shot("card-dense", lambda: at(1, 6), keys="right right", frame=DENSE),
    Shot("card-ascii", lambda: at(1, 6), keys="right right", ascii_only=True),
    Shot("card-nowhere", lambda: at(1, 6), keys="left right"),
    Shot("place", lambda: at(1, 6), keys="right right up"),
    Shot("place-across", lambda: at(1, 6), keys="right right up up"),
    Shot("place-dense", lambda: at(1, 6), keys="right right up left up", frame=DENSE),
    Shot("place-ascii", lambda: at(1, 6), keys="right right up", ascii_only=True),
    Shot("place-wide-name-dense", lambda: at(1, 62, names=WIDE_NAMES), keys="right up", frame=DENSE),
    Shot("confirm", lambda: at(1, 62), keys="right right right up choose"),
    Shot("confirm-dense", lambda: at(1, 62), keys="right right right up choose", frame=DENSE),
    Shot("exchange-marked", lambda: at(1, 117), keys="mark right right mark"),
    Shot("exchange-marked-dense", lambda: at(1, 117), keys="mark right right mark", frame=DENSE),
    Shot("exchange-confirm", lambda: at(1, 117), keys="mark right right mark choose"),
    Shot("exchange-keep", lambda: at(1, 117), keys="right choose"),
    Shot("claim-picked", lambda: at(13, 200), keys="down down"),
    Shot("claim-picked-dense", lambda: at(13, 200), keys="up", frame=DENSE),
    Shot("claim-confirm", lambda: at(13, 200), keys="down choose"),
    Shot("claim-decline", lambda: at(13, 200), keys="up choose"),
    Shot("moves", lambda: at(1, 62), Pane(page=view.MOVES)),
    Shot("moves-dense", lambda: at(1, 62), Pane(page=view.MOVES), DENSE),
    Shot("hand", lambda: at(1, 62), Pane(page=view.HAND)),
    Shot("score", lambda: at(1, 62), Pane(page=view.SCORE)),
    Shot("keys", lambda: at(1, 62), Pane(page=view.KEYS)),
    Shot("story", lambda: at(1, 177), Pane(page=view.STORY)),
    Shot("help", lambda: at(1, 62), Pane(page=view.HELP)),
    Shot("rules", lambda: at(1, 62), Pane(page="rules")),
    Shot("rules-end-dense", lambda: at(1, 62), Pane(page="rules", scroll=999), DENSE),
    Shot("refused", lambda: at(1, 62), Pane(answer="red 13 is not in your hand.", is_error=True)),
    Shot("ask-to-quit", lambda: at(1, 62), Pane(ask="Leave in mid-game? yes or no")),
    Shot("exchange", lambda: at(1, 117)),
    Shot("exchange-typing", lambda: at(1, 117), Pane(typed="1 3")),
    Shot("exchange-dense", lambda: at(1, 117), frame=DENSE),
    Shot("pass", lambda: at(7, 71)),
    Shot("claim", lambda: at(13, 200)),
    Shot("claim-dense", lambda: at(13, 200), frame=DENSE),
    Shot("hand-shown", lambda: at(2, 133)),
    Shot("tile-blocked", lambda: at(23, 120)),
    Shot("tile-gone", lambda: at(0, 194)),
    Shot("tile-gone-dense", lambda: at(0, 194), frame=DENSE),
    Shot("wide-name", lambda: at(1, 60, names=WIDE_NAMES)),
    Shot("wide-name-dense", lambda: at(1, 60, names=WIDE_NAMES), frame=DENSE),
    Shot("wide-name-ascii", lambda: at(1, 60, names=WIDE_NAMES), ascii_only=True),
    Shot("line-lost", lambda: lost(at(1, 61))),
    Shot("line-lost-dense", lambda: lost(at(1, 61)), frame=DENSE),
    Shot("disk-full", lambda: full_disk(at(1, 61))),
    Shot("over", lambda: at(1, 177)),
    Shot("over-and-lost", lambda: lost(at(1, 177))),
    Shot("won", lambda: ended(at(1, 177))),
    Shot("won-dense", lambda: ended(at(1, 177)), frame=DENSE),
    Shot("beaten", lambda: ended(at(0, 194))),
    Shot("drawn", lambda: ended(at(114, 199))),
    Shot("cheated", lambda: cheated(at(1, 61))),
    Shot("too-small", lambda: at(1, 60), frame=Frame(40, 10)),
    Shot("too-low", lambda: at(1, 60), frame=Frame(120, 19)),
]


def main(arguments: list[str], shots: Sequence[Shot] = SHOTS) -> int:
    """Write the golden screens, or check them; they lie in a folder of their own."""
    check = arguments == ["--check"]
    wrong = []
    (folder,) = {shot.folder for shot in shots}
    folder.mkdir(exist_ok=True)
    for shot in shots:
        text = shot.draw()
        if not shot.path.exists() or shot.path.read_text(encoding="utf-8") != text:
            wrong.append(shot.path.name)
            if not check:
                shot.path.write_text(text, encoding="utf-8")
    stale = {path.name for path in folder.iterdir()} - {shot.path.name for shot in shots}
    for name in sorted(stale):
        wrong.append(name)
        if not check:
            (folder / name).unlink()
    sys.stdout.write("".join(f"{'differs' if check else 'written'}: {name}\n" for name in wrong))
    return 1 if check and wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
