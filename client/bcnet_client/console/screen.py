"""The console in a terminal: a few lines while the table waits for its players, then the whole screen.

This module is the only one that draws. It turns keys into calls of the desk and shows what the views make of its
scene; the table redraws around the line that is being typed. Whatever happens, the terminal is left as it was.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from functools import partial
from typing import Any, TextIO

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    BufferControl,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output

from bcnet.updates import Asked
from bcnet_client.console import terminal, view, words
from bcnet_client.console.desk import Desk
from bcnet_client.console.face import Frame, Key
from bcnet_client.console.style import style_of
from bcnet_client.console.text import Line, target_at, to_console, typeable
from bcnet_client.console.words import say
from bcnet_client.look import Look

ESCAPE_TIME = 0.05
"""Seconds after which an escape character is the key and not the beginning of another one."""
MENU_ROWS = 8
PAGE_ROWS = 5
WHEEL_ROWS = 3
PICKING = {
    "left": Key.LEFT, "right": Key.RIGHT, "up": Key.UP, "down": Key.DOWN, "tab": Key.NEXT, "s-tab": Key.PREVIOUS,
    "space": Key.MARK, "enter": Key.CHOOSE, "escape": Key.BACK,
}  # fmt: skip
"""The keys that pick while no line is being typed, and where they mean something; else they belong to the line."""


class _Words(Completer):
    """Asks the desk what could come next."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        del complete_event
        for candidate in self._desk.complete(document.text_before_cursor):
            yield Completion(
                candidate.text, start_position=-candidate.replaces, display_meta=candidate.meaning
            )


class _Entry(Buffer):
    """The line that is typed: whatever is put in stays one line, as wide as it is counted."""

    def insert_text(self, data: str, *args: Any, **how: Any) -> None:
        """Put in as much as can stand in it."""
        super().insert_text(typeable(data), *args, **how)


class _Clickable(FormattedTextControl):
    """What is drawn, for somebody with a mouse."""

    def __init__(self, text: Callable[[], StyleAndTextTuples], pointed: Callable[[MouseEvent], None]) -> None:
        super().__init__(text, focusable=False)
        self._pointed = pointed

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """Pass it on."""
        self._pointed(mouse_event)


class Screen:
    """Draws one desk's table in this process's terminal."""

    def __init__(self, desk: Desk, look: Look, *, ascii_only: bool) -> None:
        self._desk = desk
        self._look = look
        self._lines: list[Line] = []
        self._ascii_only = ascii_only
        self._history = InMemoryHistory()
        self._drawn: tuple[object, StyleAndTextTuples] | None = None
        depth = terminal.colour_depth()
        self._style = style_of(depth)
        self._output = terminal_output(sys.stdout, depth)
        self._title: Callable[[str], None] = lambda _: None

    async def wait_for_table(self) -> None:
        """Show that the table waits, below what was printed before, until all sit or the player leaves."""
        await self._run(self._waiting, full=False, until=lambda: self._desk.scene.seated)

    async def play(self) -> None:
        """Show the table on the whole screen until the player leaves."""
        with terminal.titled(self._output if self._look.title else None) as self._title:
            await self._run(self._table, full=True, until=lambda: False)

    # --- running ---

    async def _run(
        self, draw: Callable[[Frame], list[Line]], *, full: bool, until: Callable[[], bool]
    ) -> None:
        desk = self._desk
        if desk.left is not None or until():
            return
        app = self._application(draw, full=full)

        def changed() -> None:
            is_awaited = desk.scene.asked and not desk.pane.sending
            self._title(say(words.TITLE_YOUR_TURN if is_awaited else words.TITLE))
            if desk.left is not None or until():
                _exit(app)
            else:
                app.invalidate()

        def failed(done: asyncio.Future[None]) -> None:
            if not done.cancelled() and (error := done.exception()) is not None:
                _exit(app, error)

        desk.changed = changed
        beside = [asyncio.create_task(self._watch()), asyncio.create_task(self._tick())]
        for task in beside:
            task.add_done_callback(failed)
        desk.failed.add_done_callback(failed)
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGCONT, take_back, app)
        try:
            with terminal.quiet_errors(), redirect_stdout(terminal.Overheard(desk.hear)):
                await app.run_async(set_exception_handler=False, handle_sigint=False)
        except (EOFError, OSError):
            desk.leave()  # the terminal is gone
        finally:
            desk.changed = lambda: None
            desk.failed.remove_done_callback(failed)
            for task in beside:
                task.cancel()
            loop.remove_signal_handler(signal.SIGCONT)

    async def _watch(self) -> None:
        while True:
            update = await self._desk.next_update()
            if isinstance(update, Asked) and self._look.bell:
                self._output.bell()
                self._output.flush()

    async def _tick(self) -> None:
        while True:
            pause = self._desk.tick()
            await asyncio.sleep(pause)

    # --- drawing ---

    def _table(self, frame: Frame) -> list[Line]:
        desk = self._desk
        return view.render(desk.scene, desk.pane, desk.face, frame, ascii_only=self._ascii_only)

    def _waiting(self, frame: Frame) -> list[Line]:
        desk = self._desk
        face = desk.face if desk.scene.game else None
        return view.render_waiting(desk.scene, desk.pane, face, frame, ascii_only=self._ascii_only)

    def _text(self, draw: Callable[[Frame], list[Line]]) -> StyleAndTextTuples:
        """What is drawn, made once for each scene, pane and size."""
        frame = self._frame()
        key = (self._desk.scene, self._desk.pane, frame, draw)
        if self._drawn is None or self._drawn[0] != key:
            parts: StyleAndTextTuples = []
            self._lines = to_console(draw(frame)) if terminal.is_plain_console() else draw(frame)
            for number, each in enumerate(self._lines):
                if number:
                    parts.append(("", "\n"))
                parts += each
            self._drawn = (key, parts)
        return self._drawn[1]

    def _application(self, draw: Callable[[Frame], list[Line]], *, full: bool) -> Application[None]:
        desk = self._desk
        app: Application[None]

        def guarded(work: Callable[[], Any], otherwise: Any) -> Any:
            """A defect in here ends the screen, not only this call."""
            try:
                return work()
            except Exception as error:  # noqa: BLE001 (raised again by run_async)
                _exit(app, error)
                return otherwise

        def accept(buffer: Buffer) -> bool:
            guarded(lambda: desk.enter(buffer.text), None)
            return False

        def typed(buffer: Buffer) -> None:
            guarded(lambda: desk.type(buffer.text), None)

        entry = _Entry(
            completer=_Words(desk),
            history=self._history,
            multiline=False,
            accept_handler=accept,
            on_text_changed=typed,
        )
        shown = _Clickable(
            lambda: guarded(lambda: self._text(draw), []),
            lambda event: guarded(lambda: self._point(event), None),
        )
        prompt = FormattedTextControl(lambda: [("class:prompt", desk.prompt)])
        body = HSplit(
            [
                Window(shown, wrap_lines=False, always_hide_cursor=True, dont_extend_height=not full),
                VSplit(
                    [
                        Window(prompt, dont_extend_width=True, height=1),
                        Window(BufferControl(entry), height=1),
                    ]
                ),
            ]
        )
        menu = Float(CompletionsMenu(max_height=MENU_ROWS, scroll_offset=1), xcursor=True, ycursor=True)
        app = Application(
            layout=Layout(FloatContainer(body, floats=[menu]), focused_element=entry),
            key_bindings=self._keys(full=full),
            style=self._style,
            include_default_pygments_style=False,
            full_screen=full,
            mouse_support=self._look.mouse and full,
            erase_when_done=True,
            output=self._output,
        )
        app.ttimeoutlen = ESCAPE_TIME
        app.timeoutlen = ESCAPE_TIME
        return app

    def _keys(self, *, full: bool) -> KeyBindings:
        desk = self._desk
        keys = KeyBindings()

        @Condition
        def is_in_sight() -> bool:
            return not full or view.is_large_enough(self._frame())

        @keys.add(Keys.Any, filter=~is_in_sight, eager=True)
        def _(_event: KeyPressEvent) -> None:
            """Nobody chooses or confirms what cannot be read, and nothing is lost meanwhile."""

        @keys.add("c-c", eager=True)
        def _(event: KeyPressEvent) -> None:
            self._empty(event.app.current_buffer)
            desk.ask_to_quit()

        @keys.add("c-d", eager=True)
        def _(event: KeyPressEvent) -> None:
            if event.app.current_buffer.text and is_in_sight():
                event.app.current_buffer.delete()
            else:
                desk.ask_to_quit()

        @keys.add("c-z", eager=True)
        def _(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        @keys.add("escape")
        def _(event: KeyPressEvent) -> None:
            if event.app.current_buffer.complete_state:
                event.app.current_buffer.cancel_completion()
            elif event.app.current_buffer.text:
                self._empty(event.app.current_buffer)
            else:
                desk.escape()

        for name, meaning in PICKING.items():
            is_taken = Condition(partial(self._means_something, meaning))
            keys.add(name, filter=is_taken)(partial(self._press, meaning))

        @keys.add("pageup")
        def _(_event: KeyPressEvent) -> None:
            self._turn_pages(-PAGE_ROWS)

        @keys.add("pagedown")
        def _(_event: KeyPressEvent) -> None:
            self._turn_pages(PAGE_ROWS)

        return keys

    def _means_something(self, key: Key) -> bool:
        """Whether a key picks something: no line is being typed, or one that names something, from which up and down
        go on.
        """
        pane, frame = self._desk.pane, self._frame()
        goes_on = pane.picked is not None and key in {Key.UP, Key.DOWN}
        if pane.typed and not goes_on:
            return False
        if key is Key.BACK:
            return self._desk.picks and pane.picked is not None
        return self._desk.offer(key, frame) is not None

    def _press(self, key: Key, event: KeyPressEvent) -> None:
        picked = self._desk.offer(key, self._frame())
        self._empty(event.app.current_buffer)
        self._desk.pick(picked)

    def _empty(self, entry: Buffer) -> None:
        entry.reset()
        self._desk.type("")  # a buffer that is reset tells nobody

    def _point(self, event: MouseEvent) -> None:
        match event.event_type:
            case MouseEventType.MOUSE_UP if event.position.y < len(self._lines):
                self._desk.click(target_at(self._lines[event.position.y], event.position.x))
            case MouseEventType.SCROLL_UP:
                self._turn_pages(-WHEEL_ROWS)
            case MouseEventType.SCROLL_DOWN:
                self._turn_pages(WHEEL_ROWS)
            case _:
                pass

    def _turn_pages(self, lines: int) -> None:
        desk = self._desk
        if desk.scene.game:
            desk.turn_pages(lines, view.most_scroll(desk.scene, desk.pane, desk.face, self._frame()))

    def _frame(self) -> Frame:
        size = self._output.get_size()
        return Frame(size.columns, size.rows)


def _exit(app: Application[None], error: BaseException | None = None) -> None:
    """End the application, once."""
    if app.is_running and not app.is_done:
        if error is None:
            app.exit()
        else:
            app.exit(exception=error)


def take_back(app: Application[None]) -> None:
    """Go on after the process was stopped, however: the shell has set the terminal, and written on it, since."""
    if app.is_running and not app.is_done:
        app.input.raw_mode().__enter__()  # for good; how the terminal was at first is known outside
        app.renderer.reset()
        app.invalidate()


def _size(stdout: TextIO) -> Size:
    """The size of the terminal; the usual one where it does not tell."""
    try:
        found = os.get_terminal_size(stdout.fileno())
    except OSError:
        return Size(rows=24, columns=80)
    return Size(rows=found.lines or 24, columns=found.columns or 80)


def terminal_output(stdout: TextIO, depth: ColorDepth) -> Output:
    """This process's terminal. It is not asked where its cursor is: not every terminal answers."""
    return Vt100_Output(
        stdout,
        lambda: _size(stdout),
        term=os.environ.get("TERM"),
        default_color_depth=depth,
        enable_cpr=False,
    )
