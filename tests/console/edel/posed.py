"""A console of Edel, Stein & Reich before a position that was picked beforehand: a program for the tests.

    python -m tests.console.edel.posed SCENE [--mouse] [--no-confirm]

It ends with the first decision, and prints how the game writes it. The scenes are `POSED`.
"""

from __future__ import annotations

import argparse
import asyncio

from bcnet.games.edel.state import Phase
from bcnet_client.look import Look
from tests.console.edel.scenes import GAME, NAMES, first, snapshot_of, state_of
from tests.console.edel.screens import rich, trading
from tests.console.posed import decide

POSED = {
    "choose": lambda: rich(5),
    "trade": lambda: trading(3, "red=1, red=1 blue=1, red=2"),
    "swap": lambda: first(3, Phase.SWAP),
    "gems": lambda: first(5, Phase.GEMS),
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scene", choices=POSED)
    parser.add_argument("--mouse", action="store_true")
    parser.add_argument("--no-confirm", action="store_false", dest="confirm")
    args = parser.parse_args()
    state = state_of(POSED[args.scene]())
    snapshot = snapshot_of(state, 0, 3, NAMES[: len(state.holdings)])
    asyncio.run(decide(GAME, snapshot, Look(confirm=args.confirm, mouse=args.mouse)))
