"""The tables on the local network as a list in the terminal, from which the arrow keys choose one.

`rows` is pure; `choose` draws them below what was printed before, and leaves the terminal as it was.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

from bcnet.hashing import PROTOCOL_VERSION
from bcnet.language import N_
from bcnet.players import Known
from bcnet_client.console import terminal
from bcnet_client.console.screen import ESCAPE_TIME, terminal_output
from bcnet_client.console.style import style_of
from bcnet_client.console.text import Line, fit, line, pad, plain, to_ascii, wrap
from bcnet_client.console.words import say
from bcnet_client.discovery import Browser, Found

HEADING = N_("Tables on the local network. The arrow keys choose, Enter joins, q leaves.")
LOOKING = N_("Looking for tables …")
NOTHING = N_(
    "None so far. Over a VPN there is often nothing to be found: then type the line that the host shows."
)
TROUBLE = N_("This network cannot be searched: {why}.")
CROWDED = N_("There are more services than are listed here; somebody may be flooding this network.")
KNOWN = N_("you know each other")
RENAMED = N_("you know this key as {name}")
IMPOSTOR = N_("NOT the key of the {name} you know")
OTHER_VERSION = N_("another version (protocol {protocol})")

NAME_COLUMNS = 20
CHOSEN, NOT_CHOSEN = "▶ ", "  "


def remark(table: Found, known: Sequence[Known]) -> str:
    """What is to be said about a table: whether its key is known, and whether its name goes with another."""
    notice = table.notice
    if notice.protocol != PROTOCOL_VERSION:
        return say(OTHER_VERSION, protocol=notice.protocol)
    name = notice.name.casefold()
    for each in known:
        if each.fingerprint == notice.fingerprint:
            return (
                say(KNOWN)
                if name in {other.casefold() for other in each.names}
                else say(RENAMED, name=each.name)
            )
    for each in known:
        if name in {other.casefold() for other in each.names}:
            return say(IMPOSTOR, name=notice.name)
    return ""


def described(table: Found, known: Sequence[Known]) -> Line:
    """A table in one line: name, fingerprint, address, remark."""
    said = remark(table, known)
    style = "class:alert" if said == say(IMPOSTOR, name=table.notice.name) else "class:answer"
    return line(
        pad(table.notice.name, NAME_COLUMNS),
        f" {table.notice.fingerprint}  {table.addresses[0]}",
        (style, f"  {said}" if said else ""),
    )


def rows(browser: Browser, known: Sequence[Known], chosen: str, columns: int, most: int) -> list[Line]:
    """The list, in at most so many lines, with the chosen table (the name of its service) among them."""
    if not browser.tables:
        lines = [line(say(LOOKING)), *wrap(say(NOTHING), columns)]
    else:
        at = next((n for n, table in enumerate(browser.tables) if table.service == chosen), 0)
        first = max(0, min(at - most // 2, len(browser.tables) - most))
        lines = [line(("class:heading", say(HEADING)))]
        for number, table in enumerate(browser.tables[first : first + most], first):
            marked = number == at
            text = described(table, known)
            lines.append(line(("class:prompt", CHOSEN if marked else NOT_CHOSEN), *text))
    if browser.trouble:
        lines += wrap(say(TROUBLE, why=browser.trouble), columns)
    if browser.is_crowded:
        lines += wrap(say(CROWDED), columns)
    return [fit(each, columns) for each in lines]


def as_text(browser: Browser, known: Sequence[Known]) -> list[str]:
    """The tables as plain lines."""
    return [plain(described(table, known)).rstrip() for table in browser.tables]


class Chooser:
    """What is chosen, while the list changes under it."""

    def __init__(self, browser: Browser, known: Callable[[], Sequence[Known]]) -> None:
        self._browser = browser
        self._known = known
        self.chosen = ""

    def move(self, step: int) -> None:
        """Choose the next table, or the one before."""
        services = [table.service for table in self._browser.tables]
        if services:
            at = services.index(self.chosen) if self.chosen in services else 0
            self.chosen = services[max(0, min(len(services) - 1, at + step))]

    def table(self) -> Found | None:
        """The chosen table; None while there are none."""
        tables = self._browser.tables
        return next((each for each in tables if each.service == self.chosen), tables[0] if tables else None)

    def lines(self, columns: int, most: int) -> list[Line]:
        """What is shown."""
        return rows(self._browser, self._known(), self.chosen, columns, most)


async def choose(known: Callable[[], Sequence[Known]]) -> Found | None:
    """Show the tables until the person has chosen one (or leaves: None)."""
    app: Application[Found | None]

    def changed(_: tuple[Found, ...]) -> None:
        app.invalidate()

    async with Browser(changed) as browser:
        chooser = Chooser(browser, known)
        depth = terminal.colour_depth()
        output = terminal_output(sys.stdout, depth)
        ascii_only = terminal.knows_only_ascii()

        def drawn() -> StyleAndTextTuples:
            size = output.get_size()
            lines = chooser.lines(size.columns - 1, max(1, size.rows - 4))
            parts: StyleAndTextTuples = []
            for each in to_ascii(lines) if ascii_only else lines:
                parts += [*each, ("", "\n")]
            return parts

        app = Application(
            layout=Layout(Window(FormattedTextControl(drawn, focusable=True), always_hide_cursor=True)),
            key_bindings=_keys(chooser),
            style=style_of(depth),
            include_default_pygments_style=False,
            erase_when_done=True,
            output=output,
        )
        app.ttimeoutlen = app.timeoutlen = ESCAPE_TIME
        watching = asyncio.create_task(_refresh(app))  # trouble and crowds change nothing in the list
        try:
            return await app.run_async(handle_sigint=False)
        except EOFError:
            return None  # the terminal is gone
        finally:
            watching.cancel()


async def _refresh(app: Application[Found | None]) -> None:
    while True:
        await asyncio.sleep(1)
        app.invalidate()


def _keys(chooser: Chooser) -> KeyBindings:
    keys = KeyBindings()

    def move(*names: str, step: int) -> None:
        for name in names:

            @keys.add(name)
            def _(_event: KeyPressEvent, step: int = step) -> None:
                chooser.move(step)

    move("up", "k", "s-tab", step=-1)
    move("down", "j", "tab", step=1)

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        if (table := chooser.table()) is not None:
            event.app.exit(result=table)

    for name in ("q", "escape", "c-c", "c-d"):

        @keys.add(name)
        def _(event: KeyPressEvent) -> None:
            event.app.exit(result=None)

    return keys
