"""Scenes of whole games, made as a session would make them, without one: for tests of what is pure."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from bcnet.games import registry
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Action, Bot, Decide, Over
from bcnet.games.simulate import walk
from bcnet.table.course import Taken
from bcnet.table.membership import Member, Terms
from bcnet.table.rounds import Kind
from bcnet.updates import Moved, Snapshot
from bcnet_client.console.scene import Scene, changed

GAME = registry.get("balloon-cup")
NAMES = ("Ann", "Bob")
WORDS = ("gold", "owner", "around", "crumble")


def members(names: Sequence[str]) -> tuple[Member, ...]:
    return tuple(
        Member(bytes([seat + 1]) * 32, bytes(32), bytes(32), name) for seat, name in enumerate(names)
    )


def snapshot_of(
    state: BalloonCupState | None, seat: int, round_: int, names: Sequence[str] = NAMES
) -> Snapshot:
    """Where a table would stand whose game stands at ``state``."""
    need = state.need if state is not None else None
    awaited: tuple[int, ...]
    if isinstance(need, Over):
        awaiting, awaited = Kind.REVEAL, (0, 1)
    elif isinstance(need, Decide):
        awaiting, awaited = Kind.ACT, (need.seat,)
    else:
        awaiting, awaited = Kind.SHARE, (0, 1)
    return Snapshot(
        seat=seat,
        terms=Terms.of(GAME, 2, {}),
        members=members(names),
        table_id=bytes(32),
        view=state.view(seat) if state is not None else None,
        awaiting=awaiting,
        awaited=awaited,
        round=round_,
        words=WORDS if state is not None else (),
    )


def seated(seat: int = 0, names: Sequence[str] = NAMES) -> Scene:
    """All have just sat down."""
    return changed(Scene(), _nothing(), snapshot_of(None, seat, 2, names))


def game(
    seed: int,
    seat: int = 0,
    *,
    names: Sequence[str] = NAMES,
    options: Mapping[str, str] | None = None,
    bots: Sequence[Bot | None] = (),
) -> Iterator[Scene]:
    """The scene of a seat after each step of a game."""
    scene = seated(seat, names)
    state = GAME.initial(2, options or {})
    assert isinstance(state, BalloonCupState)
    for round_, (step, after) in enumerate(walk(state, random.Random(seed), bots=bots), 3):
        assert isinstance(after, BalloonCupState)
        mover = state.need.seat if isinstance(state.need, Decide) and isinstance(step, Action) else None
        state = after
        view = state.view(seat)
        moved = Moved(Taken(round_, mover, step, (), state.view(None)), view.news, view)
        scene = changed(scene, moved, snapshot_of(state, seat, round_ + 1, names))
        yield scene


def _nothing() -> Moved:
    """An update that says nothing."""
    state = GAME.initial(2, {})
    return Moved(Taken(0, None, GAME.parse("decline"), (), state), (), state)
