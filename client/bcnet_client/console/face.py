"""What the console needs of a game: how it looks, how it is told, and how a player speaks to it.

Each game has a face of its own, which knows its rules' words; everything else in the console is the same for all.
A face is pure: it looks at a scene and gives lines, sentences or an action.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import ClassVar

from bcnet.errors import Refusal, UsageError
from bcnet.games import registry
from bcnet.games.interface import Action, Event, Over
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import Line

THEN_HIDDEN = "*"
"""Marks, where a finished game is looked at, what not everybody knew then."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The room that a view has."""

    columns: int
    rows: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word that could come next: it takes the place of the last ``replaces`` characters of what is typed."""

    text: str
    replaces: int
    meaning: str = ""


class Key(Enum):
    """What a player does with the keys where something is to be chosen, while no line is being typed."""

    LEFT = auto()
    RIGHT = auto()
    UP = auto()
    DOWN = auto()
    NEXT = auto()
    PREVIOUS = auto()
    MARK = auto()
    CHOOSE = auto()
    """Goes on with what is picked; where that is a whole decision, decides."""
    BACK = auto()


@dataclass(frozen=True, slots=True)
class Picked:
    """What a player has picked so far, by keys or by the line that is being typed. Each game has kinds of its own."""


class Picking(ABC):
    """How something is picked in one game. Pure and quick: all of it is called between two keys."""

    @abstractmethod
    def typed(self, text: str, scene: Scene) -> Picked | None:
        """What the line that is being typed has picked so far; None if nothing can be told yet."""

    @abstractmethod
    def standing_for(self, action: Action, scene: Scene) -> Picked | None:
        """What has been picked when this decision has been; None where there is nothing to show of it."""

    @abstractmethod
    def press(self, key: Key, picked: Picked | None, scene: Scene, frame: Frame) -> Picked | Action | None:
        """What a key makes of what is picked: something else, or a decision; None if the key means nothing here. Where
        it lies on the screen depends on the room. For `Key.BACK`, None means that nothing is picked any more.
        """

    @abstractmethod
    def click(self, target: str, picked: Picked | None, scene: Scene) -> Picked | Action | None:
        """What a click makes of what is picked; ``target`` is what a view has called the place (`text.clickable`)."""

    @abstractmethod
    def keys(self, picked: Picked | None, scene: Scene) -> str:
        """What the keys do now, in at most 36 columns; empty if they do nothing."""


class Face(ABC):
    """One game on the console."""

    title: ClassVar[str]
    topics: ClassVar[Mapping[str, str]]
    """Texts to read, by the word that opens them; ``rules`` is among them. Lines that begin with a blank and are
    short enough keep their layout, other paragraphs are wrapped."""
    usage: ClassVar[tuple[tuple[str, str], ...]]
    """What a player can type to decide, and what it does."""
    decisions: ClassVar[tuple[str, ...]]
    """The words with which a decision can begin."""
    picking: ClassVar[Picking]

    @abstractmethod
    def board(self, scene: Scene, frame: Frame, picked: Picked | None = None) -> list[Line]:
        """The table as it stands. What is picked is marked, and what can become of it."""

    @abstractmethod
    def tell(self, event: Event, scene: Scene) -> str:
        """An event in words; empty if it says nothing to a player."""

    @abstractmethod
    def call(self, scene: Scene, picked: Picked | None = None) -> str:
        """What the own player is asked for now, in one line; where something is picked, what would come of it."""

    @abstractmethod
    def confirm(self, action: Action, scene: Scene) -> str:
        """What a decision will do, as a question before it is final; empty where there was nothing to decide."""

    @abstractmethod
    def progress(self, scene: Scene) -> str:
        """What the programs are doing, while no player has to decide."""

    @abstractmethod
    def question(self, scene: Scene, columns: int, picked: Picked | None = None) -> list[Line]:
        """What has to be chosen now, where that is not simply a move on the table; empty otherwise."""

    @abstractmethod
    def prompt(self, scene: Scene) -> str:
        """What stands before the typed line while the own player is asked."""

    @abstractmethod
    def moves(self, scene: Scene, columns: int) -> list[Line]:
        """All legal decisions, with the numbers by which `read` knows them."""

    @abstractmethod
    def hand(self, scene: Scene) -> list[str]:
        """The hands in words, a line each."""

    @abstractmethod
    def score(self, scene: Scene) -> list[str]:
        """How the players stand, in words, a line each."""

    @abstractmethod
    def summary(self, scene: Scene) -> list[str]:
        """How a game that is over went: what each has got, where and when, a line each."""

    @abstractmethod
    def outcome(self, result: Over, scene: Scene) -> str:
        """Why the game ended, in a sentence."""

    @abstractmethod
    def read(self, text: str, scene: Scene) -> Action | None:
        """The decision that a typed line stands for; None if the line is no attempt at one.

        Raises `Refusal`, explained in full, if it is one that cannot be done now.
        """

    @abstractmethod
    def explain(self, error: Refusal, scene: Scene) -> tuple[str, str]:
        """What a refusal says, and its hint, with names in place of seats."""

    @abstractmethod
    def advice(self, scene: Scene, clock: Callable[[], float]) -> str:
        """What the own player, who is asked, had best do, and why, in one line; from what the scene shows alone.

        It takes a while and is called in a thread of its own. It gives up early when ``clock`` (in seconds) runs off
        to infinity.
        """

    @abstractmethod
    def complete(self, text: str, scene: Scene) -> list[Candidate]:
        """What could stand next in a decision."""


def face_of(game: str) -> Face:
    """The face of a game, by the name of the game: ``FACE`` of the module here that is called after it. Raises
    `UsageError` if it has none.
    """
    module = registry.part(game, "bcnet_client.console")
    if module is None:
        raise UsageError("The console cannot show the game {game!r}.", game=game)
    face = module.FACE
    assert isinstance(face, Face)
    return face
