"""Golden screens of Edel, Stein & Reich: positions of real games, as text files in ``screens/``.

python -m tests.console.edel.screens            write them
python -m tests.console.edel.screens --check    fail if any is not what the views draw now
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from bcnet.games.edel.state import EdelState, Phase
from bcnet.games.interface import Chosen, Resigned
from bcnet_client.console import view
from bcnet_client.console.face import Frame
from bcnet_client.console.scene import Scene
from bcnet_client.console.view import Pane
from tests.console.edel.scenes import GAME, WIDE_NAMES, clever, first, scene_of
from tests.console.screens import DENSE, ended, main
from tests.console.screens import Shot as AnyShot
from tests.games.edel.positions import begun, gem_card, held

FOLDER = Path(__file__).parent / "screens"
Shot = partial(AnyShot, folder=FOLDER)
LARGE = Frame(120, 40)


def rich(seats: int = 3, *, sealed: tuple[int, ...] = ()) -> Scene:
    """All choose, with something of everything before them."""
    return scene_of(_rich(seats), sealed=sealed)


def _rich(seats: int) -> EdelState:
    holdings = [
        held("4r 3y g 2b", 31, "certificate", "certificate", "surcharge-red", "doubler-blue"),
        held("2r 5y 2g", 24, "vault", "vault"),
        held("4r y 12g 3b", 117, "certificate", "doubler-green"),
        held("3y 2b", 8),
        held("r y g b", 0, "surcharge-yellow", "surcharge-green", "surcharge-blue", "vault"),
    ][:seats]
    cards = [
        gem_card(4, "2r y"),
        gem_card(7, "r b"),
        gem_card(5, "y 2g"),
        gem_card(4, "r 2b g"),
        gem_card(6, "2g b"),
    ]
    return begun(*holdings, cards=cards[:seats], event="jewel-box")


def trading(seats: int, offers: str, seat: int = 0) -> Scene:
    """Seats 0 and 1 trade for Event and have made these offers, the others got money or nothing."""
    state = _rich(seats)
    words = ("event", "event", "gems", "money", "free")
    scene = scene_of(state, seat)
    state = state.apply(Chosen(tuple(GAME.parse(f"choose {word}") for word in words[:seats])))
    scene = scene_of(state, seat, before=scene)
    for offer in filter(None, offers.split(", ")):
        state = state.apply(GAME.parse(f"offer {offer}"))
        scene = scene_of(state, seat, before=scene)
    return scene


def sealed_by(*seats: int) -> Callable[[], Scene]:
    return lambda: rich(5, sealed=seats)


def over(seats: int = 3) -> Scene:
    return clever(4, seats)[-1]


def one_gone() -> Scene:
    state = _rich(4)
    return scene_of(state.apply(Resigned((2,))), before=scene_of(state))


def looked_at(scene: Scene) -> Scene:
    """The same where a finished game is looked at."""
    return replace(scene, open_hands=True, asked=False, awaiting=None, awaited=())


OFFERS = "red=1, red=1 blue=1, red=1 yellow=1, red=2"
"""Of seats 1 and 0 in turn; then seat 1 is asked."""

SHOTS = [
    Shot("choose", rich),
    Shot("choose-dense", rich, frame=DENSE),
    Shot("choose-5", lambda: rich(5)),
    Shot("choose-5-dense", lambda: rich(5), frame=DENSE),
    Shot("choose-5-large", lambda: rich(5), frame=LARGE),
    Shot("choose-5-ascii", lambda: rich(5), frame=DENSE, ascii_only=True),
    Shot("choose-picked", rich, keys="down down down"),
    Shot("choose-picked-5-dense", lambda: rich(5), keys="up", frame=DENSE),
    Shot("choose-typed", rich, Pane(typed="event")),
    Shot("choose-confirm", rich, keys="right choose"),
    Shot("choose-confirm-5-dense", lambda: rich(5), keys="right choose", frame=DENSE),
    Shot("sealed-others", sealed_by(1, 3)),
    Shot("sealed-own", sealed_by(0, 1, 3)),
    Shot("sealed-own-dense", sealed_by(0, 1, 3), frame=DENSE),
    Shot("sealed-all", sealed_by(0, 1, 2, 3, 4)),
    Shot("trade-open", lambda: trading(3, "", 1)),
    Shot("trade-asked", lambda: trading(3, "red=1")),
    Shot("trade-asked-5-dense", lambda: trading(5, "red=1"), frame=DENSE),
    Shot("trade-marked", lambda: trading(3, "red=1"), keys="right up mark right mark"),
    Shot("trade-marked-5-dense", lambda: trading(5, "red=1"), keys="right up mark right mark", frame=DENSE),
    Shot("trade-marked-ascii", lambda: trading(5, "red=1"), keys="right up", frame=DENSE, ascii_only=True),
    Shot("trade-too-low", lambda: trading(3, "red=1, red=1 blue=1, red=2"), Pane(typed="offer y1 b1")),
    Shot("trade-accept", lambda: trading(3, "red=1, red=1 blue=1, red=2"), keys="left"),
    Shot("trade-confirm", lambda: trading(3, "red=1"), keys="right right choose"),
    Shot("trade-accept-confirm", lambda: trading(5, "red=1"), keys="left choose", frame=DENSE),
    Shot("trade-long", lambda: trading(3, OFFERS), frame=DENSE),
    Shot("trade-of-others", lambda: trading(4, OFFERS, 2)),
    Shot("trade-of-others-large", lambda: trading(5, OFFERS, 2), frame=LARGE),
    Shot("trade-moves", lambda: trading(3, "red=1"), Pane(page=view.MOVES)),
    Shot("trade-looked-at", lambda: looked_at(trading(4, OFFERS, 2))),
    Shot("event", lambda: first(3, Phase.EVENT), keys="down"),
    Shot("event-5-dense", lambda: first(5, Phase.EVENT), keys="up", frame=DENSE),
    Shot("event-of-another", lambda: first(4, Phase.EVENT, asked=False)),
    Shot("gems-free-5", lambda: first(5, Phase.GEMS), keys="down down"),
    Shot("gems-free-5-dense", lambda: first(5, Phase.GEMS), keys="down down", frame=DENSE),
    Shot("swap", lambda: first(3, Phase.SWAP)),
    Shot("swap-picked", lambda: first(3, Phase.SWAP), keys="right right up right up"),
    Shot("swap-confirm-dense", lambda: first(5, Phase.SWAP), keys="right choose", frame=DENSE),
    Shot("levy", lambda: first(3, Phase.LEVY), keys="down"),
    Shot("levy-of-another", lambda: first(4, Phase.LEVY, asked=False), frame=DENSE),
    Shot("vault", lambda: first(3, Phase.VAULT), keys="up"),
    Shot("vault-of-another", lambda: first(4, Phase.VAULT, asked=False)),
    Shot("resigned", one_gone),
    Shot("wide-names", lambda: scene_of(_rich(5), names=WIDE_NAMES)),
    Shot("wide-names-dense", lambda: scene_of(_rich(5), names=WIDE_NAMES), frame=DENSE),
    Shot("hand", lambda: rich(4), Pane(page=view.HAND)),
    Shot("score", lambda: rich(4), Pane(page=view.SCORE)),
    Shot("help", rich, Pane(page=view.HELP), LARGE),
    Shot("rules", rich, Pane(page="rules")),
    Shot("rules-dense", rich, Pane(page="rules", scroll=20), DENSE),
    Shot("over", over),
    Shot("ended", lambda: ended(over())),
    Shot("ended-5-dense", lambda: ended(over(5)), frame=DENSE),
]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], SHOTS))
