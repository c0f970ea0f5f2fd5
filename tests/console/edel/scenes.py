"""Scenes of whole games of Edel, Stein & Reich, made as a session would make them, without one."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache

from bcnet.games import registry
from bcnet.games.edel.state import EdelState, Phase
from bcnet.games.interface import Action, Bot, Choose, Decide, Event, Over
from bcnet.games.simulate import walk
from bcnet.table.course import Taken
from bcnet.table.membership import Terms
from bcnet.table.rounds import Kind
from bcnet.updates import Moved, Snapshot
from bcnet_client.console.scene import Scene, changed
from tests.console.scenes import WORDS, members

GAME = registry.get("edel")
NAMES = ("Ann", "Bob", "Cid", "Dora", "Emil")
WIDE_NAMES = ("Ann", "気球カップが大好きな人", "x" * 32, "Dora", "E m i l")
GREEDY = GAME.bots["greedy"]


def snapshot_of(
    state: EdelState, seat: int, round_: int, names: Sequence[str], sealed: Sequence[int] = ()
) -> Snapshot:
    """Where a table would stand whose game stands at ``state``; ``sealed``: who has chosen in secret already."""
    everybody = tuple(range(len(names)))
    awaiting, awaited = Kind.SHARE, everybody
    match state.need:
        case Over():
            awaiting = Kind.REVEAL
        case Decide(asked):
            awaiting, awaited = Kind.ACT, (asked,)
        case Choose(seats):
            missing = tuple(each for each in seats if each not in sealed)
            awaiting, awaited = (Kind.SEAL, missing) if missing else (Kind.UNSEAL, seats)
        case _:
            pass
    return Snapshot(
        seat=seat,
        terms=Terms.of(GAME, len(names), {}),
        members=members(names),
        table_id=bytes(32),
        view=state.view(seat),
        awaiting=awaiting,
        awaited=awaited,
        round=round_,
        words=WORDS,
    )


def scene_of(
    state: EdelState,
    seat: int = 0,
    *,
    names: Sequence[str] = NAMES,
    sealed: Sequence[int] = (),
    before: Scene | None = None,
    news: Sequence[Event] | None = None,
    round_: int = 3,
    step: Action | None = None,
) -> Scene:
    """The scene of a seat when a game has come to a position."""
    names = names[: len(state.holdings)]
    taken = Taken(round_, None, step or GAME.parse("accept"), (), state)
    moved = Moved(taken, tuple(state.news if news is None else news), state)
    return changed(before or Scene(), moved, snapshot_of(state, seat, round_, names, sealed))


def game(
    seed: int, seats: int = 3, seat: int = 0, *, names: Sequence[str] = NAMES, bots: Sequence[Bot | None] = ()
) -> Iterator[Scene]:
    """The scene of a seat after each step of a game."""
    state = GAME.initial(seats, {})
    scene = Scene()
    for round_, (step, after) in enumerate(walk(state, random.Random(seed), bots=bots), 3):
        assert isinstance(after, EdelState)
        mover = state.need.seat if isinstance(state.need, Decide) and isinstance(step, Action) else None
        state = after
        moved = Moved(Taken(round_, mover, step, (), after), after.news, after)
        scene = changed(scene, moved, snapshot_of(after, seat, round_ + 1, names[:seats]))
        yield scene


@cache
def clever(seed: int, seats: int, names: tuple[str, ...] = NAMES) -> tuple[Scene, ...]:
    """All scenes of the first seat of a game of greedy players."""
    return tuple(game(seed, seats, names=names, bots=(GREEDY,) * seats))


def state_of(scene: Scene) -> EdelState:
    assert isinstance(scene.state, EdelState)
    return scene.state


@cache
def first(seats: int, phase: Phase, *, asked: bool = True, seeds: int = 40) -> Scene:
    """The first scene of some games of random players in which the own player is asked this (or another is)."""
    for seed in range(seeds):
        for scene in game(seed, seats):
            if state_of(scene).phase is phase and scene.asked is asked:
                return scene
    raise AssertionError(f"no game came to {phase}")
