"""The console without a screen: what happens is printed line by line, and lines are read as they come.

For pipes, screen readers and terminals that cannot draw: no colours, no cursor that moves, every change a sentence of
its own, said once. At a terminal there is a prompt whenever a line is waited for. Where the input is not a terminal, a
line waits until there is something to decide, so that a whole game can be piped in; the end of the input leaves the
table.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import shutil
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from bcnet.updates import (
    AnotherWanted,
    Asked,
    Awaited,
    ChatOff,
    Ended,
    LineDown,
    LineUp,
    Moved,
    Said,
    Seated,
    Trouble,
    Update,
    Watched,
)
from bcnet_client import reasons
from bcnet_client.console import terminal, view, words
from bcnet_client.console.desk import BACK, Desk, left_by_other
from bcnet_client.console.scene import Stage
from bcnet_client.console.view import Pane
from bcnet_client.console.words import say
from bcnet_client.look import Look

COLUMNS = 80
"""So wide is a page, or as the terminal if that is narrower; a sentence that happens is one line of any length."""
LEAST_COLUMNS = 40
HELD_TIME = 1.0
"""Seconds that the other side may take to say that it is there before it is waited for: it may just be telling."""
MAX_LINE = 1000
"""Characters of a line that are read; no command is as long."""


class Lines:
    """Shows one desk's table as lines."""

    def __init__(self, desk: Desk, look: Look, *, ascii_only: bool) -> None:
        self._desk = desk
        self._look = look
        self._ascii_only = ascii_only
        self._waits = not terminal.is_typed_in()
        """Whether lines are not taken before there is something to decide."""
        self._has_prompts = terminal.is_conversation()
        self._is_prompting = False
        """Whether the cursor stands behind a prompt."""
        self._awaited: tuple[object, ...] | None = None
        """What the table was last said to wait for."""
        self._shown = Pane()
        self._has_words = False
        self._has_asked_again = False
        self._typed = _INPUT.typed
        self._woken = asyncio.Event()

    async def run(self) -> None:
        """Until the table has ended, the other side is gone, the input ends or the player leaves."""
        desk = self._desk
        self._begin()
        held = asyncio.get_running_loop().call_later(HELD_TIME, self._say_who_is_away)
        update = asyncio.create_task(desk.next_update())
        try:
            while desk.left is None:
                woken = asyncio.create_task(self._woken.wait())
                first: set[asyncio.Future[Any]] = {update, woken, desk.failed}
                await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
                woken.cancel()
                self._woken.clear()
                if desk.failed.done():
                    desk.failed.result()
                if update.done():
                    self._tell(update.result())
                    update = asyncio.create_task(desk.next_update())
                while self._is_ready():
                    self._take(self._typed.popleft())
                self._prompt()
        except asyncio.CancelledError:
            self._is_prompting = self._has_prompts  # behind the terminal's own ^C
            raise
        finally:
            update.cancel()
            held.cancel()
            desk.changed = lambda: None
            self._begin_line()

    def _begin(self) -> None:
        desk = self._desk
        desk.changed = self._changed
        self._has_words = bool(desk.scene.words)
        if desk.scene.stage is Stage.WAITING:
            self._print([f"{say(words.WAITING)} {say(words.LEAVE_WAITING)}"])
        else:
            self._print(view.welcome(desk.scene, terms=False))
        if desk.scene.stage is Stage.SETTING_UP:
            self._print([view.setting_up(desk.scene)])
        if desk.scene.score:
            self._print([desk.scene.score])
        if desk.scene.ended is not None:
            desk.leave()
        elif desk.scene.asked:
            self._ask()
        _INPUT.tell(self._woken.set)
        self._woken.set()

    # --- what happens ---

    def _tell(self, update: Update) -> None:
        desk = self._desk
        match update:
            case Seated():
                self._print(view.welcome(desk.scene, terms=False))
                self._print([view.setting_up(desk.scene)])
            case Said() | ChatOff():
                self._print([view.tell(update, desk.scene, desk.face)])
            case Moved(_, news, _):
                if desk.scene.words and not self._has_words:
                    self._has_words = True
                    self._print(view.four_words(desk.scene))
                told = (desk.face.tell(event, desk.scene) for event in news)
                self._print(text for text in told if text)
                self._say_whom_it_awaits()
            case Asked():
                self._ask()
            case Trouble(error):
                self._print([say(words.TROUBLE_OVER) if error is None else view.trouble_in_words(error)])
            case LineDown() if desk.scene.seated:
                self._print(view.troubles(desk.scene))
                if desk.scene.gone:
                    desk.leave()
                elif desk.scene.ended is not None:
                    self._print([view.again_cut(desk.scene)])
                elif not reasons.passes(update.reason, update.noise):
                    desk.leave(left_by_other(update))
            case Watched():
                self._print([view.audience(desk.scene) or say(words.WATCHED_BY_NOBODY)])
            case Ended(fault=fault):
                if not desk.scene.can_play_again or fault is not None:
                    desk.leave()
                else:
                    self._print([*view.farewell(desk.scene, desk.face), say(words.LEAVE_OR_AGAIN)])
                    desk.has_said_farewell = True
            case LineUp(_, same_log):
                self._print([say(words.LINE_UP if same_log else words.LINE_UP_FIRST)])
            case AnotherWanted() if desk.left is None:
                self._print([view.again_offered(desk.scene)])
            case Awaited() | AnotherWanted() | LineDown():
                pass

    def _ask(self) -> None:
        """Say what there is to decide, and what with."""
        scene, face = self._desk.scene, self._desk.face
        lines = face.question(scene, _columns())
        self._print([*face.hand(scene)[:1], face.call(scene), *(view.as_text([each]) for each in lines)])
        if self._look.bell:
            terminal.ring()

    def _say_who_is_away(self) -> None:
        if self._desk.scene.held:
            self._print([view.held(self._desk.scene)])

    def _say_whom_it_awaits(self) -> None:
        """Once for each decision of another player, and once while all is checked at the end."""
        scene = self._desk.scene
        if scene.awaits_other or scene.stage is Stage.OVER:
            awaited = (scene.stage, scene.moves, scene.deciders) if scene.awaits_other else (scene.stage,)
            if awaited != self._awaited:
                self._print([view.waiting(scene, self._desk.face)])
            self._awaited = awaited

    # --- what is typed ---

    def _prompt(self) -> None:
        """Show that a line is waited for, unless the cursor stands there already."""
        desk = self._desk
        is_waiting = desk.left is None and (desk.is_asked or desk.pane.ask or desk.scene.ended is not None)
        if self._has_prompts and is_waiting and not self._is_prompting:
            terminal.say([desk.prompt], ascii_only=self._ascii_only, end="")
            self._is_prompting = True

    def _begin_line(self) -> None:
        if self._is_prompting:
            terminal.say([""], ascii_only=self._ascii_only)
            self._is_prompting = False

    def _is_ready(self) -> bool:
        """Whether the next line can be taken."""
        if not self._typed or self._desk.left is not None:
            return False
        if self._typed[0] is None:
            return not (self._desk.is_ending or self._desk.is_thinking or self._awaits_another)
        if self._desk.scene.ended is not None:
            return True
        return not self._waits or self._desk.is_asked or bool(self._desk.pane.ask)

    @property
    def _awaits_another(self) -> bool:
        """Whether another game was asked for, and the other side can still agree."""
        return self._desk.scene.again_wanted and not self._desk.scene.gone

    def _take(self, text: str | None) -> None:
        if text is not None:
            self._is_prompting = False  # Enter has begun a line
        if text is None or (not text.strip() and self._desk.scene.ended is not None):
            self._desk.leave()
        elif text.strip().casefold() in BACK and self._desk.scene.state is not None:
            self._print(self._desk.face.score(self._desk.scene))
        elif text.strip():
            self._desk.enter(text)

    def _changed(self) -> None:
        """Print what the desk has opened, asked or answered."""
        pane, before = self._desk.pane, self._shown
        self._shown = pane
        self._woken.set()
        if pane.page and pane.page != before.page:
            face = self._desk.face if self._desk.scene.game else None
            title, lines = view.page(pane.page, self._desk.scene, face, _columns())
            self._print([title, *(view.as_text([each]) for each in lines)])
            self._shown = pane
            self._desk.escape()
        if pane.ask and pane.ask != before.ask:
            self._print([pane.ask])
        if pane.answer and pane.answer != before.answer:
            self._print([pane.answer])
        if self._desk.scene.again_wanted and not self._has_asked_again:
            self._has_asked_again = True
            self._print([view.again_asked(self._desk.scene)])

    def _print(self, texts: Iterable[str]) -> None:
        if lines := list(texts):
            self._begin_line()
            terminal.say(lines, ascii_only=self._ascii_only)


def _columns() -> int:
    """How wide a page is."""
    return max(LEAST_COLUMNS, min(COLUMNS, shutil.get_terminal_size((COLUMNS, 0)).columns))


class _Input:
    """The lines of the standard input, for one table after another.

    They are read in a thread of their own: any kind of input can be read so, files too, and nothing that is buffered
    holds up the end of the program. The thread outlives a table, for nobody can take it off a read that waits.
    """

    def __init__(self) -> None:
        self.typed: deque[str | None] = deque()
        """What was not taken yet; None is the end."""
        self._tell: Callable[[], object] = lambda: None
        self._reading: threading.Thread | None = None

    def tell(self, changed: Callable[[], object]) -> None:
        """From now on, call this in the thread of the running event loop when there is more."""
        loop = asyncio.get_running_loop()
        self._tell = lambda: loop.call_soon_threadsafe(changed)
        if self._reading is None:
            self._reading = threading.Thread(target=self._read, name="bcnet-input", daemon=True)
            self._reading.start()

    def _read(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        rest = ""
        while data := _some_input():
            *full, rest = (rest + decoder.decode(data)).split("\n")
            self._got(*(text[:MAX_LINE] for text in full))
            rest = rest[:MAX_LINE]
        self._got(*([rest] if rest else ()), None)

    def _got(self, *texts: str | None) -> None:
        self.typed.extend(texts)
        with suppress(RuntimeError):  # the loop is gone once the table was left while this waited
            self._tell()


_INPUT = _Input()


def _some_input() -> bytes:
    try:
        return os.read(0, 4096)
    except OSError:
        return b""
