"""The console without a screen: what happens is printed line by line, and lines are read as they come.

For pipes, screen readers and terminals that cannot draw. Where the input is not a terminal, a line waits until there
is something to decide, so that a whole game can be piped in; the end of the input leaves the table.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from bcnet.updates import (
    AnotherWanted,
    Asked,
    Ended,
    LineDown,
    LineUp,
    Moved,
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

COLUMNS = 80
MAX_LINE = 1000
"""Characters of a line that are read; no command is as long."""


class Lines:
    """Shows one desk's table as lines."""

    def __init__(self, desk: Desk, *, ascii_only: bool, waits: bool) -> None:
        """``waits``: lines are not taken before there is something to decide."""
        self._desk = desk
        self._ascii_only = ascii_only
        self._waits = waits
        self._shown = Pane()
        self._has_words = False
        self._typed: deque[str | None] = deque()
        self._woken = asyncio.Event()

    async def run(self) -> None:
        """Until the table has ended, the other side is gone, the input ends or the player leaves."""
        desk = self._desk
        self._begin()
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
        finally:
            update.cancel()
            desk.changed = lambda: None

    def _begin(self) -> None:
        desk = self._desk
        desk.changed = self._changed
        if desk.scene.stage is Stage.WAITING:
            self._print([f"{words.WAITING} {words.LEAVE_WAITING}"])
        else:
            self._print(view.welcome(desk.scene))
        if desk.scene.score:
            self._print([desk.scene.score])
        if desk.scene.ended is not None:
            desk.leave()
        elif desk.scene.held:
            self._print([view.held(desk.scene)])
        elif desk.scene.asked:
            self._ask()
        loop = asyncio.get_running_loop()
        _read_beside(lambda text: loop.call_soon_threadsafe(self._got, text))

    # --- what happens ---

    def _tell(self, update: Update) -> None:
        desk = self._desk
        match update:
            case Seated():
                self._print(view.welcome(desk.scene))
                self._print([words.SETTING_UP])
            case Moved(_, news, _):
                if desk.scene.words and not self._has_words:
                    self._has_words = True
                    self._print(view.four_words(desk.scene))
                told = (desk.face.tell(event, desk.scene) for event in news)
                self._print(text for text in told if text)
            case Asked():
                self._ask()
            case Trouble(error):
                self._print([words.TROUBLE_OVER if error is None else view.trouble_in_words(error)])
            case LineDown() if desk.scene.seated:
                self._print(view.troubles(desk.scene))
                if desk.scene.gone:
                    desk.leave()
                elif desk.scene.ended is not None:
                    self._print([view.again_cut(desk.scene)])
                elif not reasons.passes(update.reason, update.noise):
                    desk.leave(left_by_other(update))
            case Watched():
                self._print([view.audience(desk.scene) or words.WATCHED_BY_NOBODY])
            case Ended(fault=fault):
                if not desk.scene.can_play_again or fault is not None:
                    desk.leave()
                else:
                    self._print([*view.farewell(desk.scene, desk.face), words.LEAVE_OR_AGAIN])
            case LineUp():
                self._print([words.LINE_UP])
            case AnotherWanted() if desk.left is None:
                self._print([view.again_offered(desk.scene)])
            case AnotherWanted() | LineDown():
                pass

    def _ask(self) -> None:
        """Say what there is to decide, and what with."""
        scene, face = self._desk.scene, self._desk.face
        lines = face.question(scene, COLUMNS)
        self._print([*face.hand(scene)[:1], face.call(scene), *(view.as_text([each]) for each in lines)])

    # --- what is typed ---

    def _got(self, text: str | None) -> None:
        self._typed.append(text)
        self._woken.set()

    def _is_ready(self) -> bool:
        """Whether the next line can be taken."""
        if not self._typed or self._desk.left is not None:
            return False
        if self._typed[0] is None:
            return not (self._desk.is_ending or self._desk.is_thinking)
        if self._desk.scene.ended is not None:
            return True
        return not self._waits or self._desk.is_asked or bool(self._desk.pane.ask)

    def _take(self, text: str | None) -> None:
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
            title, lines = view.page(pane.page, self._desk.scene, face, COLUMNS)
            self._print([title, *(view.as_text([each]) for each in lines)])
            self._shown = pane
            self._desk.escape()
        if pane.ask and pane.ask != before.ask:
            self._print([pane.ask])
        if pane.answer and pane.answer != before.answer:
            self._print([pane.answer])

    def _print(self, texts: Iterable[str]) -> None:
        terminal.say(texts, ascii_only=self._ascii_only)


def _read_beside(got: Callable[[str | None], object]) -> None:
    """Read lines from the standard input in a thread of their own; None is the end.

    Any kind of input can be read so, files too, and nothing that is buffered holds up the end of the program.
    """

    def read() -> None:
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        rest = ""
        # The loop is gone once the table was left while this waited.
        with suppress(RuntimeError):
            while data := _some_input():
                *full, rest = (rest + decoder.decode(data)).split("\n")
                for text in full:
                    got(text[:MAX_LINE])
                rest = rest[:MAX_LINE]
            if rest:
                got(rest)
            got(None)

    threading.Thread(target=read, name="bcnet-input", daemon=True).start()


def _some_input() -> bytes:
    try:
        return os.read(0, 4096)
    except OSError:
        return b""
