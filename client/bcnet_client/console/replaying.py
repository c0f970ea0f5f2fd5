"""A finished game on the console: stepped through on the whole screen, or every step once as lines.

What is shown (`render`, `as_lines`) and what a key does (`pressed`) are pure; `run` draws, keeps the time, and leaves
the terminal as it was.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

from bcnet.language import told
from bcnet.replay import Moment, Playback, Sentence
from bcnet.signing import fingerprint
from bcnet.verify import Verdict
from bcnet_client.console import terminal, told_to_end, view, words
from bcnet_client.console.face import THEN_HIDDEN, Face, Frame, face_of
from bcnet_client.console.scene import Scene, Sitter, Told
from bcnet_client.console.screen import ESCAPE_TIME, take_back, terminal_output
from bcnet_client.console.style import style_of
from bcnet_client.console.text import Line, fit, joined, line, spread, to_ascii, wrap
from bcnet_client.console.words import say

STEP_TIME = 2.0
"""Seconds that a position stands while the game goes on by itself."""
MOST_DIGITS = 4
_FAR = 10

FORWARD, BACK, FAR_FORWARD, FAR_BACK, FIRST, LAST = (
    "forward",
    "back",
    "far forward",
    "far back",
    "first",
    "last",
)
AUTO, UP, DOWN, GO, RUB_OUT, LEAVE = "auto", "up", "down", "go", "rub out", "leave"
_KEYS = {
    "right": FORWARD, "space": FORWARD, "n": FORWARD, "l": FORWARD, "left": BACK, "p": BACK, "h": BACK,
    "pagedown": FAR_FORWARD, "pageup": FAR_BACK, "home": FIRST, "g": FIRST, "end": LAST, "G": LAST, "a": AUTO,
    "up": UP, "k": UP, "down": DOWN, "j": DOWN, "enter": GO, "backspace": RUB_OUT,
    "q": LEAVE, "escape": LEAVE, "c-c": LEAVE, "c-d": LEAVE,
}  # fmt: skip
"""What the keys of prompt_toolkit mean."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Where somebody stands in a game that is looked at."""

    at: int = 0
    """The number of the moment."""
    typed: str = ""
    """Digits of the move to jump to."""
    is_auto: bool = False
    """Whether the game goes on by itself."""
    scroll: int = 0
    """Lines of the pane above the first one that is seen."""
    has_left: bool = False


def pressed(shown: Shown, key: str, last: int, most_scroll: int = 0) -> Shown:
    """What becomes of it when a key is pressed: one of the meanings above, or a digit. ``last``: of the moments;
    ``most_scroll``: how far the pane can be scrolled now.
    """
    if key.isdecimal():
        typed = (shown.typed + key).lstrip("0") or "0"
        return replace(shown, typed=typed[:MOST_DIGITS], is_auto=False)
    if key == RUB_OUT:
        return replace(shown, typed=shown.typed[:-1])
    if key in {UP, DOWN}:
        scroll = shown.scroll + (1 if key == DOWN else -1)
        return replace(shown, scroll=max(0, min(most_scroll, scroll)))
    if key == LEAVE:
        return replace(shown, has_left=True)
    if key == AUTO:
        starts_over = not shown.is_auto and shown.at == last
        return Shown(0 if starts_over else shown.at, is_auto=not shown.is_auto)
    at = {
        FORWARD: shown.at + 1, BACK: shown.at - 1, FAR_FORWARD: shown.at + _FAR, FAR_BACK: shown.at - _FAR,
        FIRST: 0, LAST: last, GO: int(shown.typed) if shown.typed else shown.at + 1,
    }[key]  # fmt: skip
    return Shown(max(0, min(last, at)))


def went_on(shown: Shown, last: int) -> Shown:
    """The same after `STEP_TIME`, if the game goes on by itself; it stops at the end."""
    if not shown.is_auto:
        return shown
    at = min(last, shown.at + 1)
    return Shown(at, is_auto=at < last)


def scene_at(playback: Playback, number: int) -> Scene:
    """The table at a moment, with all hands open."""
    moment, report = playback.moments[number], playback.report
    return Scene(
        game=report.game,
        options=report.options,
        sitters=tuple(
            Sitter(name, fingerprint(who.identity))
            for name, who in zip(playback.names, report.players, strict=True)
        ),
        seated=True,
        begun=True,
        state=moment.state,
        story=tuple(Told(event, number) for event in moment.events),
        open_hands=True,
    )


# --- the screen ---


def render(
    playback: Playback, shown: Shown, face: Face, frame: Frame, *, ascii_only: bool = False
) -> list[Line]:
    """All lines of the screen: the table, what has happened at this moment, one line with the keys."""
    if frame.columns < view.MIN_COLUMNS or frame.rows < view.MIN_ROWS:
        lines = wrap(say(words.TOO_SMALL, columns=frame.columns, rows=frame.rows), max(1, frame.columns))
    else:
        table, pane, room = _parts(playback, shown, face, frame)
        seen = pane[shown.scroll : shown.scroll + room]
        hint = say(words.REPLAY_HINT) if _has_secrets(playback) else ""
        if len(pane) > room:
            first = shown.scroll + 1
            more = words.REPLAY_MORE if _has_secrets(playback) else words.REPLAY_MORE_OPEN
            hint = say(more, first=first, last=shown.scroll + len(seen), count=len(pane))
        lines = [*table, view.rule(told(playback.heading(shown.at)), hint, frame.columns)]
        lines += [line(" ", *each) for each in seen] + [()] * (room - len(seen))
        lines.append(_status(playback, shown, frame.columns))
    lines = [fit(each, frame.columns) for each in lines[: frame.rows]]
    lines += [()] * (frame.rows - len(lines))
    return to_ascii(lines) if ascii_only else lines


def most_scroll(playback: Playback, shown: Shown, face: Face, frame: Frame) -> int:
    """How far the pane can be scrolled."""
    _, pane, room = _parts(playback, shown, face, frame)
    return max(0, len(pane) - room)


def _parts(playback: Playback, shown: Shown, face: Face, frame: Frame) -> tuple[list[Line], list[Line], int]:
    """The table, all lines of the pane, and how many of them there is room for."""
    table = face.board(scene_at(playback, shown.at), frame)
    pane: list[Line] = []
    columns = frame.columns - 2
    if shown.at == 0:
        style = "class:answer" if playback.report.verdict is Verdict.CLEAN else "class:alert"
        for text in map(told, (playback.verdict, *playback.notes)):
            pane += wrap(text, columns, indent="  ", style=style)
    for sentence in playback.moments[shown.at].sentences:
        pane += wrap(_marked(sentence), columns, indent="  ", style="class:secret" if sentence.secret else "")
    return table, pane, max(0, frame.rows - len(table) - 2)


def _has_secrets(playback: Playback) -> bool:
    """Whether anything was hidden in this game: whether it has cards."""
    return playback.game is not None and bool(playback.game.deck)


def _marked(sentence: Sentence) -> str:
    text = told(sentence.text)
    return f"{THEN_HIDDEN} {text}" if sentence.secret else text


def _status(playback: Playback, shown: Shown, columns: int) -> Line:
    text = say(words.REPLAY_KEYS)
    if shown.typed:
        text = say(words.REPLAY_GO, move=shown.typed)
    elif shown.is_auto:
        text = say(words.REPLAY_AUTO)
    verdict = playback.report.verdict
    style = "class:status" if verdict is Verdict.CLEAN else "class:ask"
    return spread(line(("class:status", f" {text}")), line((style, f" {told(verdict.word)} ")), columns)


# --- lines ---


def as_lines(playback: Playback) -> Iterator[str]:
    """Verdict, then every step once. Raises `UsageError` for a game that the console does not know."""
    yield told(playback.verdict)
    yield from map(told, playback.notes)
    if not playback.moments:
        return
    has_secrets = _has_secrets(playback)
    players = words.REPLAY_PLAYERS if has_secrets else words.REPLAY_PLAYERS_OPEN
    yield say(players, names=joined([*map(told, playback.names)], say(words.AND)))
    if has_secrets:
        yield say(words.REPLAY_LEGEND, mark=THEN_HIDDEN)
    face = face_of(playback.report.game)
    for number, moment in enumerate(playback.moments):
        scene = scene_at(playback, number)
        yield ""
        yield say(words.REPLAY_ROUND, heading=playback.heading(number), round=moment.round)
        yield from map(_marked, moment.sentences)
        yield from face.hand(scene)
        yield from face.score(scene)
        yield from _next(playback, moment)


def _next(playback: Playback, moment: Moment) -> Iterator[str]:
    if moment.awaited:
        names = joined([told(playback.names[seat]) for seat in moment.awaited], say(words.AND))
        yield say(words.REPLAY_NEXT, names=names)


# --- running ---


async def run(playback: Playback, *, plain: bool = False) -> None:
    """Step through the game on this terminal until the person leaves; as lines where there is none, or ``plain``.

    Raises `UsageError` for a game that the console does not know.
    """
    ascii_only = terminal.knows_only_ascii()
    if plain or not playback.moments or not terminal.is_interactive():
        terminal.say(as_lines(playback), ascii_only=ascii_only)
        return
    await _Screen(playback, ascii_only=ascii_only).run()


class _Screen:
    """Draws one game in this process's terminal."""

    def __init__(self, playback: Playback, *, ascii_only: bool) -> None:
        self._playback = playback
        self._face = face_of(playback.report.game)
        self._ascii_only = ascii_only
        self._shown = Shown()
        self._going: asyncio.TimerHandle | None = None
        depth = terminal.colour_depth()
        self._output = terminal_output(sys.stdout, depth)
        self._app: Application[None] = Application(
            layout=Layout(Window(FormattedTextControl(self._drawn, focusable=True), always_hide_cursor=True)),
            key_bindings=self._keys(),
            style=style_of(depth),
            include_default_pygments_style=False,
            full_screen=True,
            erase_when_done=True,
            output=self._output,
        )
        self._app.ttimeoutlen = self._app.timeoutlen = ESCAPE_TIME

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGCONT, take_back, self._app)
        try:
            with told_to_end(lambda: self._press(LEAVE)), suppress(EOFError):  # the terminal may go away
                await self._app.run_async(handle_sigint=False)
        finally:
            loop.remove_signal_handler(signal.SIGCONT)
            self._stop()

    def _drawn(self) -> StyleAndTextTuples:
        parts: StyleAndTextTuples = []
        lines = render(self._playback, self._shown, self._face, self._frame(), ascii_only=self._ascii_only)
        for number, each in enumerate(lines):
            parts += [("", "\n"), *each] if number else each
        return parts

    def _frame(self) -> Frame:
        size = self._output.get_size()
        return Frame(size.columns, size.rows)

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        for name, meaning in _KEYS.items():

            @keys.add(name)
            def _(_event: KeyPressEvent, meaning: str = meaning) -> None:
                self._press(meaning)

        @keys.add("c-z")
        def _(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        @keys.add(Keys.Any)
        def _(event: KeyPressEvent) -> None:
            if event.data in tuple("0123456789"):
                self._press(event.data)

        return keys

    def _press(self, key: str) -> None:
        most = most_scroll(self._playback, self._shown, self._face, self._frame())
        self._show(pressed(self._shown, key, self._playback.last, most))

    def _go_on(self) -> None:
        self._show(went_on(self._shown, self._playback.last))

    def _show(self, shown: Shown) -> None:
        self._shown = shown
        self._stop()
        if shown.is_auto:
            self._going = asyncio.get_running_loop().call_later(STEP_TIME, self._go_on)
        if shown.has_left and self._app.is_running and not self._app.is_done:
            self._app.exit()
        self._app.invalidate()

    def _stop(self) -> None:
        if self._going is not None:
            self._going.cancel()
            self._going = None
