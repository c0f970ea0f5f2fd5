"""A finished game to be stepped through: every position with all faces that are known by now, and what was secret then.

It tells what `bcnet.verify` has found and finds nothing itself; it is pure, and knows no screen. Where the file does
not bring a face to light (no seed, or a fault), that face stays hidden here too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bcnet.errors import BcnetError, Exit, IllegalStep, Phrase
from bcnet.games.interface import (
    Card,
    Event,
    Game,
    Over,
    Seat,
    State,
    deciding,
    is_move,
)
from bcnet.names import told_apart
from bcnet.record import follower_of
from bcnet.table.course import Taken
from bcnet.verify import Replay, Report, Verdict

CONTRADICTED = (
    "From move {move} on a card was named that was not there: what follows is shown as both players said it."
)
INCOMPLETE_FACES = Phrase("Not every card is known: what this file does not bring to light stays hidden.")
BEGINNING = Phrase("The beginning")
NOT_BEGUN = Phrase("The game had not begun: there is nothing to step through.")


class NothingToShow(BcnetError):
    """A transcript without a game to step through."""

    def __init__(self, report: Report) -> None:
        self.exit_code: Exit = report.verdict.exit_code
        super().__init__(
            "There is no game to show in a file that is {verdict}: {why}",
            hint="A game can be shown from its first card on.",
            verdict=report.verdict.word,
            why=report.message,
        )


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something that happened, in words."""

    text: str
    secret: bool
    """Whether it says more than everybody could know when it happened."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A position of the game: after a decision and all that came of it, or (the first one) when all was set up."""

    round: int
    """In which the last step before it came about; 0 if there was none."""
    mover: Seat | None
    """Whose decision led here; None for the first, and where it was nobody's."""
    state: State
    """With every face that is known by now; a hand's ``shown`` are those that everybody knew then."""
    events: tuple[Event, ...]
    """What has happened since the moment before."""
    sentences: tuple[Sentence, ...]
    """The same in words; an event that says nothing to people has none."""

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Who decides next, ascending; nobody after the end, or where cards or chance were due and the file ends."""
        return deciding(self.state.need)

    def secret(self, seat: Seat) -> tuple[Card, ...]:
        """The cards in a hand, ascending, that only its player knew then."""
        hand = self.state.hand(seat)
        return tuple(card for card in hand.known if card not in hand.shown)


@dataclass(frozen=True, slots=True)
class Playback:
    """A game as a list of moments, and what its transcript proves."""

    report: Report
    game: Game | None
    """None if the file does not even hold an offer."""
    names: tuple[str, ...]
    """By seat, told apart where they are the same."""
    moments: tuple[Moment, ...]
    """The first is the set-up, then one for each decision; empty where the game had not begun."""
    notes: tuple[str, ...]
    """What is not as it would be with a clean file, as sentences."""

    @property
    def last(self) -> int:
        """The number of the last move; 0 is the set-up."""
        return max(0, len(self.moments) - 1)

    @property
    def verdict(self) -> str:
        """The verdict and what it rests on, in one line."""
        return Phrase("{verdict}: {message}", verdict=self.report.verdict.word, message=self.report.message)

    def heading(self, number: int) -> str:
        """What a moment is called."""
        return Phrase("Move {move} of {last}", move=number, last=self.last) if number else BEGINNING

    def check_shown(self) -> None:
        """Raise `NothingToShow` if there are no moments."""
        if not self.moments:
            raise NothingToShow(self.report)


def play_back(report: Report, replay: Replay | None) -> Playback:
    """The moments of an examined transcript, as far as they can be known; none of what is unreadable."""
    if replay is None:
        return Playback(report, None, (), (), ())
    course = replay.course
    names = told_apart([member.name for member in course.members])
    if course.game is None or course.initial is None:
        return Playback(report, course.game, names, (), (NOT_BEGUN,))
    teller = _Teller(course.game, names, replay)
    moments = tuple(teller.moments())
    notes = []
    if teller.contradicted_in is not None:
        notes.append(Phrase(CONTRADICTED, move=teller.contradicted_in))
    if report.verdict is not Verdict.CLEAN and _has_hidden(moments, len(names)):
        notes.append(INCOMPLETE_FACES)
    return Playback(report, course.game, names, moments, tuple(notes))


class _Teller:
    """Follows one replay."""

    def __init__(self, game: Game, names: tuple[str, ...], replay: Replay) -> None:
        self._game = game
        self._names = names
        self._steps = replay.course.steps
        self._follower = follower_of(replay)
        self.contradicted_in: int | None = None
        """The move from which on nothing but what was said is told: its card, by the audit, was not there."""

    def moments(self) -> Iterator[Moment]:
        """The moments, in their order."""
        number = 0
        moment = Moment(0, None, self._follower.state, (), ())
        for taken in self._steps:
            if is_move(taken.step):
                yield moment
                number += 1
                moment = replace(moment, mover=taken.seat, events=(), sentences=())
            state, events = self._follow(taken, number)
            moment = replace(
                moment,
                round=taken.round,
                state=state,
                events=(*moment.events, *events),
                sentences=(*moment.sentences, *self._told(events, taken)),
            )
        yield moment

    def _follow(self, taken: Taken, number: int) -> tuple[State, tuple[Event, ...]]:
        if self.contradicted_in is None:
            try:
                events = self._follower.follow(taken)
                return self._follower.state, events
            except IllegalStep:
                self.contradicted_in = number
        return taken.state, taken.state.news

    def _told(self, events: tuple[Event, ...], taken: Taken) -> Iterator[Sentence]:
        public = {self._game.tell(event, self._names) for event in taken.state.news}
        for event in events:
            if text := self._game.tell(event, self._names):
                yield Sentence(text, text not in public)
        if isinstance(over := taken.state.need, Over):
            yield Sentence(over.told(self._names), secret=False)


def _has_hidden(moments: tuple[Moment, ...], seats: int) -> bool:
    hands = (moment.state.hand(seat) for moment in moments for seat in range(seats))
    return any(len(hand.known) < hand.size for hand in hands)
