"""What the console knows of a table: one immutable value, and how an update of the session changes it.

A view is a pure function of a scene. Nothing in here knows a terminal, a clock, or how anything is said.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from bcnet.errors import StorageError
from bcnet.games.interface import Action, Choose, Decide, Event, Over, Seat, State, deciding, is_move
from bcnet.names import told_apart
from bcnet.session import Session
from bcnet.signing import fingerprint
from bcnet.table.rounds import Kind
from bcnet.updates import (
    AnotherWanted,
    ChatOff,
    Ended,
    LineDown,
    LineUp,
    Moved,
    Said,
    Snapshot,
    Trouble,
    Update,
)
from bcnet_client import reasons

TALK = 100
"""So many of the last lines of chat are kept for reading back; the events of the game are all kept."""


class Stage(Enum):
    """How far a table has come."""

    WAITING = "waiting"
    """Not everybody has sat down."""
    SETTING_UP = "setting up"
    """Both programs shuffle and prove; nobody has decided anything yet."""
    PLAYING = "playing"
    OVER = "over"
    """The game is over, but not all seeds are revealed: nothing is audited yet."""
    ENDED = "ended"
    """The table has ended, complete or by a fault; there is a verdict."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits at a seat."""

    name: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Told:
    """An event of the game, or what was said beside it, and when."""

    event: Event | Said | ChatOff
    move: int
    """The number of the move that it belongs to, as `bcnet.replay` counts them; 0 before the first."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where the table stands, as the own player may see it."""

    seat: Seat = 0
    game: str = ""
    """The name of the game in the terms; empty before there are any."""
    options: tuple[tuple[str, str], ...] = ()
    sitters: tuple[Sitter, ...] = ()
    """By seat, as far as they have sat down."""
    seated: bool = False
    """Whether all have sat down."""
    audience: int = 0
    """How many watch."""
    words: tuple[str, ...] = ()
    """four words that are the same on every screen if nobody sits in between; none before the first draw."""
    state: State | None = None
    awaiting: Kind | None = None
    awaited: tuple[Seat, ...] = ()
    chosen: Action | None = None
    """What the own player has sealed, until all is opened."""
    asked: bool = False
    """Whether the table waits for the own player's decision."""
    begun: bool = False
    """Whether the table has ever waited for a player's decision."""
    moves: int = 0
    """How many moves have been made."""
    story: tuple[Told, ...] = ()
    fresh: int = 0
    """How many of the last events came with the own player's last decision or after it."""
    lost: LineDown | None = None
    """Who cannot be reached, and how the last of them went."""
    trouble: StorageError | None = None
    """What the disk does not take."""
    folder: Path | None = None
    """Where the unfinished table lies."""
    ended: Ended | None = None
    away: frozenset[Seat] = frozenset()
    """Who cannot be reached now and is still in the game."""
    left: frozenset[Seat] = frozenset()
    """Who has resigned from a game that goes on."""
    resigning: frozenset[Seat] = frozenset()
    """Who has resigned, which takes effect when all who are awaited have spoken."""
    held: bool = False
    """Whether the table was taken up again, and the other side has not come back yet."""
    score: str = ""
    """How the games before this one have ended."""
    program: str = "bcnet"
    """What to type for this program."""
    can_play_again: bool = False
    """Whether another game can be asked for when this one has ended."""
    again_wanted: bool = False
    """Whether the own player wants another game."""
    again_offered: frozenset[Seat] = frozenset()
    """Which others want one."""
    gone: frozenset[Seat] = frozenset()
    """Who has left after the game, so that there is no other."""
    open_hands: bool = False
    """Whether a finished game is looked at: then nobody is "you", and every face that is known is shown."""

    @property
    def stage(self) -> Stage:
        """How far the table has come."""
        if self.ended is not None:
            return Stage.ENDED
        if not self.seated:
            return Stage.WAITING
        if self.state is not None and isinstance(self.state.need, Over):
            return Stage.OVER
        return Stage.PLAYING if self.begun else Stage.SETTING_UP

    @property
    def awaits_other(self) -> bool:
        """Whether others, who can be reached, have to decide, and the own player has not."""
        if self.stage is not Stage.PLAYING or self.held or self.lost is not None or self.trouble is not None:
            return False
        return bool(self.deciders) and self.seat not in self.deciders

    @property
    def deciders(self) -> tuple[Seat, ...]:
        """The seats that have to decide now; of those who choose in secret, the ones that have not."""
        if self.state is None:
            return ()
        need = self.state.need
        return self.awaited if isinstance(need, Choose) and self.awaiting is Kind.SEAL else deciding(need)

    @property
    def others(self) -> tuple[Seat, ...]:
        """All seats but the own one, the next one first."""
        count = len(self.sitters)
        return tuple((self.seat + step) % count for step in range(1, count))

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called; told apart by their numbers where that is needed."""
        return told_apart([sitter.name for sitter in self.sitters], "{} ({})".format)

    def named(self, seats: Collection[Seat]) -> list[str]:
        """The names of these others, the next one first."""
        return [self.names[seat] for seat in self.others if seat in seats]

    @property
    def awaited_others(self) -> list[str]:
        """The names of the others whom the table awaits; of all others, where it awaits none of them."""
        return self.named(set(self.awaited) - {self.seat} or self.others)

    @property
    def unfinished(self) -> bool:
        """Whether leaving now leaves a game behind."""
        return self.stage in {Stage.SETTING_UP, Stage.PLAYING, Stage.OVER}


def look(session: Session, *, score: str = "", program: str = "bcnet") -> Scene:
    """The scene of a session as it stands."""
    scene = _seen(Scene(ended=session.ended, score=score, program=program), session.snapshot)
    return replace(scene, folder=session.folder, can_play_again=session.keeps_lines)


def refreshed(scene: Scene, session: Session) -> Scene:
    """The scene with the table as it stands now; what has happened is told by the updates."""
    return _seen(scene, session.snapshot)


def follow(scene: Scene, update: Update, session: Session) -> Scene:
    """The scene after an update of its session."""
    return replace(changed(scene, update, session.snapshot), folder=session.folder or scene.folder)


def changed(scene: Scene, update: Update, snapshot: Snapshot) -> Scene:
    """The scene after an update, given where the table stands now."""
    scene = _seen(scene, snapshot)
    match update:
        case Moved(taken, news, _):
            moves = scene.moves + is_move(taken.step)
            story = (*scene.story, *(Told(event, moves) for event in news))
            fresh = len(news) + (0 if taken.seat == scene.seat else scene.fresh)
            scene = replace(scene, story=story, fresh=fresh, moves=moves)
            if taken.seat in scene.others:
                scene = _reached(scene, frozenset({taken.seat}))
        case LineDown(seats, reason, noise):
            is_for_good = scene.ended is not None and not reasons.passes(reason, noise)
            gone = scene.gone | seats if is_for_good else scene.gone
            missing = seats | scene.lost.seats if scene.lost is not None else seats
            scene = replace(scene, lost=replace(update, seats=missing), gone=gone)
        case LineUp(seats):
            scene = replace(_reached(scene, seats), gone=scene.gone - seats)
        case Said() | ChatOff():
            story = (*_with_room(scene.story), Told(update, scene.moves))
            scene = replace(scene, story=story, fresh=min(scene.fresh + 1, len(story)))
        case AnotherWanted(seats):
            scene = replace(scene, again_offered=scene.again_offered | seats)
        case Trouble(error):
            scene = replace(scene, trouble=error)
        case Ended():
            scene = replace(scene, ended=update, lost=None, trouble=None)
        case _:
            pass
    return scene


def _reached(scene: Scene, seats: frozenset[Seat]) -> Scene:
    """The scene where these can be reached again."""
    missing = scene.lost.seats - seats if scene.lost is not None else None
    return replace(scene, lost=replace(scene.lost, seats=missing) if scene.lost and missing else None)


def _with_room(story: tuple[Told, ...]) -> tuple[Told, ...]:
    """The story with room for one more line of chat."""
    talk = [at for at, told in enumerate(story) if isinstance(told.event, Said | ChatOff)]
    return story if len(talk) < TALK else (*story[: talk[0]], *story[talk[0] + 1 :])


def _seen(scene: Scene, snapshot: Snapshot) -> Scene:
    asked = snapshot.decision is not None
    state = snapshot.view
    return replace(
        scene,
        seat=snapshot.seat,
        game=snapshot.terms.game if snapshot.terms else "",
        options=snapshot.terms.options if snapshot.terms else (),
        sitters=tuple(Sitter(member.name, fingerprint(member.identity)) for member in snapshot.members),
        seated=bool(snapshot.table_id),
        words=snapshot.words,
        audience=snapshot.audience,
        state=state,
        awaiting=snapshot.awaiting,
        awaited=snapshot.awaited,
        asked=asked,
        chosen=snapshot.chosen,
        held=snapshot.held,
        away=snapshot.away,
        left=snapshot.left,
        resigning=snapshot.resigning,
        begun=scene.begun or asked or (state is not None and isinstance(state.need, Decide | Choose)),
    )
