"""What a player does at a table, whatever the table is shown on: lines go in, the scene and the pane change.

The desk holds the scene, knows what is open and what was asked, and passes decisions on to the session. It draws
nothing and waits for nobody: a decision that is on its way does not keep the player from reading.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from difflib import get_close_matches
from enum import Enum
from math import inf
from typing import Any

from bcnet.errors import Exit, Refusal
from bcnet.games.interface import Action
from bcnet.language import _, told
from bcnet.session import HOST_SEAT, Session
from bcnet.updates import Asked, ChatOff, Ended, LineDown, Said, Update
from bcnet_client import reasons
from bcnet_client.console import view, words
from bcnet_client.console.face import Candidate, Face, Frame, Key, Picked, face_of
from bcnet_client.console.scene import Scene, Stage, follow, look, refreshed
from bcnet_client.console.text import joined
from bcnet_client.console.view import Pane
from bcnet_client.console.words import answers, say

_PAGES = {
    "moves": view.MOVES,
    "hand": view.HAND,
    "score": view.SCORE,
    "story": view.STORY,
    "summary": view.SUMMARY,
    "log": view.STORY,
    "keys": view.KEYS,
    "help": view.HELP,
    "?": view.HELP,
}
BACK = frozenset({"board", "table", "back"})
_QUIT = frozenset({"quit", "exit", "bye"})
_RESIGN = frozenset({"resign"})
_AGAIN = frozenset({"again", "another", "rematch"})
_ADVICE = frozenset({"hint", "advice"})
_SAY = ("say", "/say")
_QUOTE = "'"
"""Begins a line of chat, as the word ``say`` does."""


class _Question(Enum):
    """What the player was asked and has not answered."""

    RESIGN = "resign"
    QUIT = "quit"
    DECISION = "decision"


class Desk:
    """The own player's side of the table. All methods are for the event loop's thread."""

    def __init__(
        self, session: Session, *, score: str = "", program: str = "bcnet", confirm: bool = True
    ) -> None:
        """``confirm``: a decision is asked about before it is final."""
        self._session = session
        self._confirm = confirm
        self._proposed: Action | None = None
        """The decision that is asked about."""
        self._updates = session.updates(past=True)
        self._awaits_other: int | None = None
        """How many moves had been made when the table began to wait for another player's; None if it does not."""
        self._awaits_since = 0.0
        self._picked_by_keys: Picked | None = None
        """What was picked when the line that is being typed began."""
        self._question: _Question | None = None
        self._has_resigned = False
        self._sending: asyncio.Task[None] | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._enough = threading.Event()
        """Set when what is thought about is no longer wanted."""
        self.scene: Scene = look(session, score=score, program=program)
        self.pane = Pane()
        self.left: Exit | None = None
        """The exit code, once the player has left."""
        self.farewell: list[str] = []
        """What is to be said after leaving."""
        self.has_said_farewell = False
        """Whether it was said how the game has ended, so that nothing is left to be said of that."""
        self.changed: Callable[[], None] = lambda: None
        """Called when there is something new to see."""
        self.failed: asyncio.Future[None] = session.failure

    @property
    def face(self) -> Face:
        """The face of the table's game."""
        return face_of(self.scene.game)

    @property
    def prompt(self) -> str:
        """What stands before the line that is typed."""
        if self._question is _Question.RESIGN:
            return say(words.ASK_RESIGN_PROMPT)
        if self._question is _Question.QUIT:
            return say(words.ASK_QUIT_PROMPT)
        if self._question is _Question.DECISION:
            return say(words.ASK_DECISION_PROMPT)
        return self.face.prompt(self.scene) if self.scene.asked else say(words.PROMPT)

    @property
    def is_ending(self) -> bool:
        """Whether the table will end without the own player's doing anything more."""
        if self.scene.stage is Stage.ENDED:
            return False  # another game could follow
        return self.pane.sending or self._has_resigned or self.scene.stage is Stage.OVER

    # --- what happens ---

    async def next_update(self) -> Update:
        """Wait for the next update of the session, and change the scene by it."""
        update = await self._updates.get()
        self.take(update)
        return update

    @property
    def is_asked(self) -> bool:
        """Whether the own player can decide now: asked, seen to be asked, and neither a decision nor advice is on its
        way.
        """
        busy = self.pane.sending or self.is_thinking
        return self.scene.asked and self._updates.empty() and not busy

    @property
    def is_thinking(self) -> bool:
        """Whether advice is being looked for."""
        return self._thinking is not None

    def take(self, update: Update) -> None:
        """Change the scene by an update."""
        self.scene = follow(self.scene, update, self._session)
        if isinstance(update, Said | ChatOff) and update.seat != self.scene.seat:
            self.pane = replace(self.pane, said=self.scene.story[-1])
        self.tick()
        if not self.scene.asked:
            self._stop_thinking()
        if not self.scene.asked or isinstance(update, Asked):
            self._withdraw()
            self._picked_by_keys = None
            self._pick_what_is_typed()
        if self._session.plays_on:
            self._leave(self._verdict())
        if isinstance(update, Ended):
            self._question = None
            self.pane = replace(self.pane, ask="", answer="")
        if isinstance(update, Asked):
            # Whatever was answered was about the turn before; a page stays open, the status line tells.
            self.pane = replace(self.pane, answer="", scroll=0 if not self.pane.page else self.pane.scroll)
        self.changed()

    def tick(self) -> float:
        """See how long the table has waited for another player; gives the seconds after which to look again."""
        awaits = self.scene.moves if self.scene.awaits_other else None
        now = time.monotonic()
        if awaits != self._awaits_other:
            self._awaits_other, self._awaits_since = awaits, now
        waited = 0.0 if awaits is None else now - self._awaits_since
        if int(waited) != self.pane.waited:
            self.pane = replace(self.pane, waited=int(waited))
            self.changed()
        return 1.0 - waited % 1.0

    def type(self, text: str) -> None:
        """The line as far as it is typed. What it names is picked; what was picked by keys before is not any more."""
        if text or self.pane.typed:
            if not self.pane.typed:
                self._picked_by_keys = self.pane.picked
            self.pane = replace(self.pane, typed=text)
            self._pick_what_is_typed()

    def _pick_what_is_typed(self) -> None:
        text = self.pane.typed
        if self._question is not None:  # what it is about stays picked
            return
        picked = self.face.picking.typed(text, self.scene) if text and self.picks else None
        self.pane = replace(self.pane, picked=picked)

    # --- what the player picks by keys ---

    @property
    def picks(self) -> bool:
        """Whether there is something to pick: the player is asked, sees the table, and has no question to answer."""
        pane = self.pane
        return (
            self.scene.asked
            and not pane.sending
            and self._question is None
            and pane.page in view.BESIDE_TABLE
        )

    def offer(self, key: Key, frame: Frame) -> Picked | Action | None:
        """What a key would pick or decide; None if it means nothing now."""
        return self.face.picking.press(key, self.pane.picked, self.scene, frame) if self.picks else None

    def click(self, target: str) -> None:
        """Something is clicked on, by the name that the view gave it."""
        if target == view.YES and self._question is _Question.DECISION:
            self.enter("")
        elif (
            self.picks
            and (found := self.face.picking.click(target, self.pane.picked, self.scene)) is not None
        ):
            self.pick(found)

    def pick(self, found: Picked | Action | None) -> None:
        """The player has picked something, or decided; None: nothing is picked any more."""
        if isinstance(found, Action):
            self._propose(found)
        else:
            answer = "" if self.pane.is_error else self.pane.answer  # a hint stays
            self.pane = replace(self.pane, picked=found, answer=answer)
        self.changed()

    def _propose(self, action: Action) -> None:
        """A decision is made: it is done, once the player has confirmed it."""
        question = self.face.confirm(action, self.scene) if self._confirm else ""
        if not question:
            self._act(action)
            return
        self._question, self._proposed = _Question.DECISION, action
        picked = self.face.picking.standing_for(action, self.scene)
        self.pane = replace(
            self.pane, picked=picked, ask=question, deciding=True, answer="", page="", scroll=0
        )

    def _answer_proposal(self, text: str) -> None:
        action = self._proposed
        assert action is not None
        self._withdraw()
        if not text or text.casefold() in words.YES:
            self._act(action)
        elif text.casefold() not in words.NO:
            self.pane = replace(self.pane, picked=None)
            self._enter(text)

    def _withdraw(self) -> None:
        """Ask about the decision no longer; what was picked stays so."""
        if self._question is _Question.DECISION:
            self._question = self._proposed = None
            self.pane = replace(self.pane, ask="", deciding=False)

    def _act(self, action: Action) -> None:
        self.pane = replace(self.pane, page="", scroll=0, picked=None)
        self._send(self._session.act(action))

    # --- what the player does ---

    def enter(self, text: str) -> None:
        """Take a line that the player has typed."""
        text = text.strip()
        chat = _chat(text)
        self.pane = replace(self.pane, typed="", heard="", said=None)
        if chat is not None and self.picks:
            self.pane = replace(self.pane, picked=self._picked_by_keys)
        elif text and self._question is None:
            self.pane = replace(self.pane, picked=None)
        try:
            if chat is None:
                self._enter(text)
            else:
                self._say(chat)
        except Refusal as refusal:
            self._refuse(refusal)
            if self.picks and chat is None:  # a card whose place was not said, say: the keys go on from there
                self.pane = replace(self.pane, picked=self.face.picking.typed(text, self.scene))
        self.changed()

    def _enter(self, text: str) -> None:
        if self._question is _Question.DECISION:
            self._answer_proposal(text)
        elif self._question is not None:
            self._answer_question(text.casefold())
        elif self.scene.stage is Stage.ENDED and (not text or text.casefold() in _QUIT):
            self._leave(self._verdict())
        elif text.casefold() in _AGAIN:
            self._ask_for_another()
        elif not text:
            self._close_page()
        else:
            self._obey(text)

    def _obey(self, text: str) -> None:
        word, _space, rest = text.casefold().partition(" ")
        if word in _QUIT:
            self.ask_to_quit()
        elif word in _RESIGN:
            self._ask_to_resign()
        elif word in BACK:
            self._close_page()
        elif word in _ADVICE and not rest:
            self._ask_for_advice()
        elif word in _PAGES and not rest:
            self._open(_PAGES[word])
        elif word == "help" and rest:
            self._help(rest)
        elif not rest and self.scene.game and word in self.face.topics:
            self._open(word)
        else:
            self._decide(text)

    def ask_to_quit(self) -> None:
        """The player wants to leave: at once where no game is left behind, else after a question."""
        if self.scene.stage is Stage.ENDED:
            self._leave(self._verdict())
        elif not self.scene.unfinished or self.scene.lost or self._question is _Question.QUIT:
            self._leave(Exit.INCOMPLETE)
        elif self.scene.seat in self.scene.left and self.scene.seat != HOST_SEAT:
            self._leave(Exit.INCOMPLETE)  # nobody needs this program any more
        else:
            self._withdraw()
            self._question = _Question.QUIT
            self.pane = replace(self.pane, ask=self._quit_question(), answer="")
        self.changed()

    def leave(self, reason: str = "") -> None:
        """The player, or whoever runs the program, leaves without being asked."""
        if self.left is None:
            self._leave(self._verdict() if self.scene.ended else Exit.INCOMPLETE, reason)
        self.changed()

    def stop(self) -> None:
        """The program was told to end."""
        self.leave(say(words.STOPPED))

    def turn_pages(self, lines: int, most: int) -> None:
        """Scroll what is open down (or up) by so many lines, at most so far; a story is read from its end."""
        if self.scene.game and view.is_read_from_end(self.scene, self.pane, self.face):
            lines = -lines
        self.pane = replace(self.pane, scroll=max(0, min(most, self.pane.scroll + lines)))
        self.changed()

    def hear(self, text: str) -> None:
        """Somebody else in this program has something to tell the player."""
        self.pane = replace(self.pane, heard=text)
        self.changed()

    def escape(self) -> None:
        """Go back: from a question, from an answer, from a page."""
        if self._question is _Question.DECISION:
            self._withdraw()
        elif self._question is not None:
            self._answer_question(words.NO[0])
        elif self.pane.answer:
            self.pane = replace(self.pane, answer="")
        else:
            self._close_page()
        self.changed()

    # --- inside ---

    def _say(self, text: str) -> None:
        self._session.say(text)
        self._close_page()

    def _ask_to_resign(self) -> None:
        self._check_playing()
        if self.scene.seat in self.scene.resigning:
            raise Refusal(words.YOU_ARE_RESIGNING)
        if self.scene.seat in self.scene.left:
            raise Refusal(words.HAS_RESIGNED)
        self._question = _Question.RESIGN
        rivals = self._rivals()
        question = say(words.ASK_RESIGN, name=rivals[0]) if len(rivals) == 1 else say(words.ASK_RESIGN_MANY)
        self.pane = replace(self.pane, ask=question, answer="")

    def _ask_for_another(self) -> None:
        scene = self.scene
        if scene.ended is None or not scene.can_play_again or scene.ended.report.fault is not None:
            raise Refusal(words.NO_OTHER_GAME)
        if scene.gone:
            raise Refusal(view.again_gone(scene))
        self._session.another()
        self.scene = replace(scene, again_wanted=True)
        if self._session.plays_on:
            self._leave(self._verdict())

    def _ask_for_advice(self) -> None:
        self._check_playing()
        if self.scene.stage is Stage.SETTING_UP:
            raise Refusal(words.NOT_BEGUN)
        if self.pane.sending:
            raise Refusal(words.STILL_SENDING)
        if not self.scene.asked:
            names = joined(self.scene.awaited_others, say(words.AND))
            raise Refusal(words.NOT_YOUR_TURN, hint=words.ADVICE_LATER, names=names)
        if self._thinking is None:
            self._enough = threading.Event()
            self._thinking = asyncio.create_task(self._think(self.scene, self._enough))
        self.pane = replace(self.pane, answer=say(words.THINKING), is_error=False)

    async def _think(self, scene: Scene, enough: threading.Event) -> None:
        def clock() -> float:
            return inf if enough.is_set() else time.monotonic()

        answer = ""
        try:
            answer = await asyncio.to_thread(self.face.advice, scene, clock)
        finally:
            if not enough.is_set():
                self._stop_thinking()
                self.pane = replace(self.pane, answer=answer, is_error=False)
                self.changed()

    def _stop_thinking(self) -> None:
        self._enough.set()
        self._thinking = None
        if self.pane.answer == say(words.THINKING):
            self.pane = replace(self.pane, answer="")

    def _answer_question(self, text: str) -> None:
        quitting = self._question is _Question.QUIT
        if text not in answers((*words.YES, *words.NO, *((*words.PAUSE, *words.RESIGN) if quitting else ()))):
            asked_for = say(words.PAUSE_RESIGN_OR_NO) if quitting else say(words.YES_OR_NO)
            self.pane = replace(self.pane, answer=asked_for, is_error=True)
            return
        question, self._question = self._question, None
        self.pane = replace(self.pane, ask="", answer="")
        if text in answers(words.NO):
            self.pane = replace(self.pane, answer=say(words.KEPT_ON), is_error=False)
        elif question is _Question.QUIT and text not in answers(words.RESIGN):
            self._leave(Exit.INCOMPLETE)
        else:
            self._has_resigned = True
            self._send(self._session.resign())

    def _decide(self, text: str) -> None:
        if self.scene.stage is Stage.PLAYING and (action := self.face.read(text, self.scene)) is not None:
            if self._sending is not None:
                raise Refusal(words.STILL_SENDING)
            self._propose(action)
            return
        word = text.casefold().split()[0]
        decisions = self._decisions()
        if word in decisions:
            self._check_playing()
        known = (*_PAGES, *_SAY[:1], *_QUIT, *_RESIGN, *_ADVICE, *BACK, *self._topics(), *decisions)
        close = get_close_matches(word, known, 1)
        raise Refusal(
            words.UNKNOWN,
            hint=words.DID_YOU_MEAN if close else words.UNKNOWN_HINT,
            text=text,
            word=close[0] if close else "",
        )

    def _check_playing(self) -> None:
        stage = self.scene.stage
        if stage in {Stage.OVER, Stage.ENDED}:
            raise Refusal(words.GAME_OVER)
        if stage is Stage.WAITING:
            raise Refusal(words.NOT_BEGUN)

    def _send(self, work: Coroutine[Any, Any, None]) -> None:
        self._stop_thinking()
        self.pane = replace(self.pane, answer="", sending=True)
        self._sending = asyncio.create_task(work)
        self._sending.add_done_callback(self._sent)

    def _sent(self, task: asyncio.Task[None]) -> None:
        self._sending = None
        self.scene = refreshed(self.scene, self._session)  # what was decided is not asked for a moment longer
        self.pane = replace(self.pane, sending=False)
        if not task.cancelled() and isinstance(error := task.exception(), Refusal):
            self._refuse(error)
        self.changed()

    def _refuse(self, refusal: Refusal) -> None:
        explain = self.face.explain if self.scene.game else _as_it_is
        message, hint = explain(refusal, self.scene)
        self.pane = replace(self.pane, answer=f"{message} {hint}".rstrip(), is_error=True)

    def _open(self, name: str) -> None:
        if name in {view.MOVES, view.HAND, view.SCORE, view.SUMMARY} and self.scene.state is None:
            raise Refusal(words.NOT_BEGUN)
        if name == view.SUMMARY and self.scene.ended is None:
            raise Refusal(words.NO_SUMMARY)
        self.pane = replace(self.pane, page=name, scroll=0, answer="")

    def _help(self, topic: str) -> None:
        if topic in self._topics():
            self._open(topic)
        elif topic in {command for command, _meaning in words.COMMANDS} or topic in self._decisions():
            self._open(view.HELP)
        else:
            raise Refusal(
                words.NO_TOPIC, hint=words.TOPICS, topic=topic, topics=joined(self._topics(), say(words.AND))
            )

    def _topics(self) -> list[str]:
        return list(self.face.topics) if self.scene.game else []

    def _decisions(self) -> tuple[str, ...]:
        return self.face.decisions if self.scene.game else ()

    def _close_page(self) -> None:
        self.pane = replace(self.pane, page="", scroll=0, answer="")

    def _quit_question(self) -> str:
        rivals = self._rivals()
        if len(self.scene.others) > 1 and self.scene.seat == HOST_SEAT:
            return say(words.ASK_QUIT_HOST)
        return say(words.ASK_QUIT, name=rivals[0]) if len(rivals) == 1 else say(words.ASK_QUIT_MANY)

    def _rivals(self) -> list[str]:
        """The names of the others who have not resigned."""
        return self.scene.named(set(self.scene.others) - self.scene.left)

    def _verdict(self) -> Exit:
        assert self.scene.ended is not None
        return self.scene.ended.report.verdict.exit_code

    def _leave(self, code: Exit, reason: str = "") -> None:
        scene = self.scene
        self._stop_thinking()
        self.left = code
        if scene.ended is not None:
            self.farewell = [] if self.has_said_farewell else view.farewell(scene, self.face)
        elif reason:
            self.farewell = [reason]
        elif scene.stage is Stage.WAITING:
            self.farewell = [say(words.LEFT_WAITING)]
        elif scene.lost is not None:
            self.farewell = [left_by_other(scene.lost)]
        else:
            self.farewell = [say(words.LEFT)]

    # --- completion ---

    def complete(self, text: str) -> list[Candidate]:
        """What could come next in the line."""
        text = text.lstrip()
        if self._question is not None:
            if self._question is _Question.QUIT:
                return _beginning(text, {_(each[-1]): "" for each in (words.PAUSE, words.RESIGN, words.NO)})
            return _beginning(text, {_(each[-1]): "" for each in (words.YES, words.NO)})
        first, space, rest = text.partition(" ")
        found = self.face.complete(text, self.scene) if self.scene.state is not None else []
        topics = self._topics()
        if not space:
            found += _beginning(
                text, dict.fromkeys(topics, "") | {name: _(text) for name, text in words.COMMANDS}
            )
        elif first.casefold() == "help":
            found += _beginning(rest, dict.fromkeys(topics, ""))
        return found


def _chat(text: str) -> str | None:
    """What a line says to the other player; None if it is no line of chat."""
    word, _, rest = text.partition(" ")
    if word.casefold() in _SAY:
        return rest
    return text[len(_QUOTE) :] if text.startswith(_QUOTE) else None


def _beginning(start: str, meanings: Mapping[str, str]) -> list[Candidate]:
    return [
        Candidate(word, len(start), meaning)
        for word, meaning in meanings.items()
        if word.startswith(start.casefold())
    ]


def _as_it_is(error: Refusal, _scene: Scene) -> tuple[str, str]:
    return told(error.message), told(error.hint)


def left_by_other(lost: LineDown) -> str:
    """Why the game is unfinished, where the other side went first."""
    return say(words.LEFT_OTHER, why=reasons.why(lost.reason, lost.noise))
