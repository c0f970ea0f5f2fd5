"""What a page of a finished game needs of the game: how its table is drawn, and what its players race for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bcnet.errors import UsageError
from bcnet.games import registry
from bcnet.replay import Moment, Playback
from bcnet_client.page.markup import Markup


@dataclass(frozen=True, slots=True)
class Race:
    """Something that is counted for every seat at every moment."""

    title: str
    counts: tuple[tuple[int, ...], ...]
    """By seat, by moment."""
    marks: tuple[tuple[int, int, str], ...] = ()
    """(seat, moment, letter): what is pointed out."""


class Drawing(ABC):
    """One game on a page. Pure."""

    title: ClassVar[str]
    style: ClassVar[str]
    """Style rules for what `board` draws."""

    @abstractmethod
    def board(self, moment: Moment, names: Sequence[str]) -> Markup:
        """The table as SVG, with every face that is known, and marked what was secret then."""

    @abstractmethod
    def races(self, playback: Playback) -> tuple[Race, ...]:
        """What is shown as charts."""


def drawing_of(game: str) -> Drawing:
    """How a game is drawn, by the name of the game: ``DRAWING`` of the module here that is called after it. Raises
    `UsageError` for a game that is not.
    """
    module = registry.part(game, "bcnet_client.page")
    if module is None:
        raise UsageError("There is no page for the game {game!r}.", game=game)
    drawing = module.DRAWING
    assert isinstance(drawing, Drawing)
    return drawing
