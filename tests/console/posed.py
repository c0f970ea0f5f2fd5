"""A console before a position that was picked beforehand: a program for the tests.

    python -m tests.console.posed SEED STEP [--mouse] [--no-confirm]

It shows the first player's screen after so many steps of a random game (`tests.console.scenes`), for what a whole game
brings about too rarely. It ends with the first decision, and prints how the game writes it.
"""

from __future__ import annotations

import argparse
import asyncio
from itertools import islice
from typing import Any, cast

from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Action, Game
from bcnet.updates import Snapshot, Update
from bcnet_client.console import run
from bcnet_client.look import Look
from tests.console.scenes import GAME, game, snapshot_of


class Posed:
    """As much of a `bcnet.session.Session` as the console asks for, which never gets any further."""

    ended = folder = None
    keeps_lines = plays_on = False

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.decided: asyncio.Future[Action] = asyncio.get_running_loop().create_future()

    def updates(self, *, past: bool) -> asyncio.Queue[Update]:
        """There are none."""
        del past
        return asyncio.Queue()

    async def act(self, action: Action) -> None:
        """Take the decision."""
        self.decided.set_result(action)


async def main(args: argparse.Namespace) -> None:
    scene = next(islice(game(args.seed), args.step, None))
    assert isinstance(scene.state, BalloonCupState)
    await decide(GAME, snapshot_of(scene.state, 0, 3), Look(confirm=args.confirm, mouse=args.mouse))


async def decide(game: Game, snapshot: Snapshot, look: Look) -> None:
    """Show a table as it stands until the player has decided, and print what."""
    posed = Posed(snapshot)
    console = asyncio.create_task(run(cast(Any, posed), look))
    action = await posed.decided
    console.cancel()
    await asyncio.gather(console, return_exceptions=True)
    print(f"Decided: {game.write(action)}")  # noqa: T201 (this is a program)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("step", type=int)
    parser.add_argument("--mouse", action="store_true")
    parser.add_argument("--no-confirm", action="store_false", dest="confirm")
    asyncio.run(main(parser.parse_args()))
