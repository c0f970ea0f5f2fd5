"""Scenes of games of Stones, made as a session would make them, without one."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bcnet.games import registry
from bcnet.games.interface import Action, Bot, Choose, Chosen, Decide, Event, Over, Seat, deciding
from bcnet.games.simulate import walk
from bcnet.games.stones.state import StonesState
from bcnet.table.course import Taken
from bcnet.table.membership import Terms
from bcnet.table.rounds import Kind
from bcnet.updates import Moved, Snapshot
from bcnet_client.console.scene import Scene, Told, changed
from tests.console.scenes import WORDS, members

GAME = registry.get("stones")
NAMES = ("Ann", "Bob", "Cleo", "Dan")


def snapshot_of(state: StonesState, seat: Seat, round_: int, names: Sequence[str]) -> Snapshot:
    """Where a table would stand whose game stands at ``state``."""
    seats = tuple(state.everybody)
    match state.need:
        case Over():
            awaiting, awaited = Kind.REVEAL, seats
        case Choose(choosing):
            awaiting, awaited = Kind.SEAL, choosing
        case Decide(mover):
            awaiting, awaited = Kind.ACT, (mover,)
        case _:
            awaiting, awaited = Kind.SHARE, seats
    options = {"penalties": "on"} if state.penalties else {}
    return Snapshot(
        seat=seat,
        terms=Terms.of(GAME, len(seats), options),
        members=members(names[: len(seats)]),
        table_id=bytes(32),
        view=state,
        awaiting=awaiting,
        awaited=awaited,
        round=round_,
        words=WORDS,
    )


def scene_of(
    state: StonesState, seat: Seat = 0, names: Sequence[str] = NAMES, events: Sequence[Event] = ()
) -> Scene:
    """The scene of a seat at a position, with what has happened before."""
    moved = Moved(Taken(3, None, GAME.parse("agree"), (), state), (), state)
    scene = changed(Scene(), moved, snapshot_of(state, seat, 4, names))
    story = tuple(Told(event, number) for number, event in enumerate(events, 1))
    return replace(scene, story=story, fresh=min(2, len(story)))


def game(
    seed: int,
    seat: Seat = 0,
    *,
    seats: int = 2,
    penalties: bool = False,
    names: Sequence[str] = NAMES,
    bots: Sequence[Bot | None] = (),
) -> Iterator[Scene]:
    """The scene of a seat after each step of a game; seats without a bot decide at random."""
    state = GAME.initial(seats, {"penalties": "on" if penalties else "off"})
    assert isinstance(state, StonesState)
    scene = Scene()
    for round_, (step, after) in enumerate(walk(state, random.Random(seed), bots=bots), 3):
        assert isinstance(after, StonesState)
        mover = deciding(state.need)[0] if isinstance(step, Action | Chosen) else None
        state = after
        moved = Moved(Taken(round_, mover, step, (), state), state.news, state)
        scene = changed(scene, moved, snapshot_of(state, seat, round_ + 1, names))
        yield scene


def state_of(scene: Scene) -> StonesState:
    """The position of a scene."""
    assert isinstance(scene.state, StonesState)
    return scene.state
