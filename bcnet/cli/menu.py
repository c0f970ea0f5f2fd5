"""``bcnet`` alone at a terminal: a small menu, for whoever does not want to know commands.

It is lines and answers, nothing else, so it works in every terminal and with a screen reader. What is chosen runs as
the same command that could be typed, in a process of its own; when that has ended, the menu is there again.
"""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from bcnet.cli import program, settings
from bcnet.cli.options import locate
from bcnet.cli.play import LEVELS, own_name
from bcnet.errors import shortened, visible
from bcnet.games import registry
from bcnet.language import N_, _, ngettext, told

if TYPE_CHECKING:
    from bcnet.games.interface import Game
    from bcnet.home import Finished, Home, Unfinished

MOST = 9
"""Games that are listed."""
QUIT = ("quit", "q", "exit", "0")
SENT = ("join", "resume", "watch")
"""What a line that a friend has sent can do: a whole line is pasted without much thought, so no more than that."""

Ask = Callable[["Menu"], Sequence[str] | None]
"""Asks for what a command needs to know; gives its words, or None to stay in the menu."""


class Menu:
    """The menu of a home."""

    def __init__(self, context: click.Context) -> None:
        self.group = context.command
        self.home: Home = locate(context.obj)
        self.given: Sequence[str] = context.meta["bcnet.arguments"]
        """The program's own options, as they were typed."""
        values = settings.in_force(context).values
        self.name: str = values.get("name") or own_name(self.home)
        assert isinstance(self.group, click.Group)
        self.level: str = values.get("level") or settings.table(self.group)["level"].default
        """Of the bot, where nobody says another."""
        self.game: str = values.get("game") or registry.names()[0]
        """What is played, where nobody says another."""

    def run(self) -> int:
        """Show it, and do what is chosen, until the player leaves; gives the exit code."""
        while True:
            self._show()
            try:
                words = self._words(_ask(_("A number or a word, or the line that your friend has sent:")))
            except EOFError:
                click.echo()
                return 0
            if words is None:
                continue
            if words[0] in QUIT:
                return 0
            click.echo()
            if (code := _run([*self.given, *words])) is not None:
                return code
            click.echo()

    def _show(self) -> None:
        click.echo(_("Games for two to five. You are {name}.").format(name=self.name))
        click.echo()
        for number, (word, (meaning, _words)) in enumerate(ENTRIES.items(), 1):
            click.echo(f"  {number}  {word:<9} {_(meaning)}{self._count(word)}")
        click.echo(f"  0  {QUIT[0]:<9} {_('leave')}")
        click.echo()

    def _count(self, word: str) -> str:
        if word == "resume" and (count := len(self.home.unfinished())):
            return " " + ngettext("({count} game)", "({count} games)", count).format(count=count)
        if word == "replay" and (count := len(self.home.finished())):
            return " " + ngettext("({count} game)", "({count} games)", count).format(count=count)
        return ""

    def _words(self, answer: str) -> Sequence[str] | None:
        """The words of the command that is meant; None if there is nothing to do."""
        words, is_a_line = _as_typed(answer)
        if not words:
            return None
        first = words[0].lower()
        if is_a_line and first not in SENT:
            click.echo(_("A friend's line begins with one of: {words}.").format(words=", ".join(SENT)))
            click.echo()
            return None
        if is_a_line and _has_options(words):
            return None
        if first in QUIT:
            return [first]
        entries = list(ENTRIES)
        if first.isascii() and first.isdigit() and 0 < int(first) <= len(entries):
            words = [first := entries[int(first) - 1]]
        if first in ENTRIES and len(words) == 1:
            _meaning, ask = ENTRIES[first]
            return ask(self)
        assert isinstance(self.group, click.Group)
        if first in self.group.commands:
            return [first, *words[1:]]
        _none_such(words[0])
        click.echo()
        return None


def _none_such(answer: str) -> None:
    click.echo(_("There is no {word} here.").format(word=shortened(repr(answer))))


def _has_options(words: Sequence[str]) -> bool:
    """Whether a line that somebody else wrote would say how this program is to work; tells of it."""
    found = next((word for word in words if word.startswith("-")), None)
    if found is not None:
        option = shortened(repr(found))
        click.echo(
            _("There are no options in a friend's line, but here is one: {option}.").format(option=option)
        )
        click.echo()
    return found is not None


def _as_typed(answer: str) -> tuple[list[str], bool]:
    """The words of a line without the name of this program, by whatever name the friend calls it; and whether it had
    one.
    """
    try:
        words = shlex.split(answer)
    except ValueError:  # a quotation mark that is left open
        words = answer.split()
    for at, word in enumerate(words[:4]):
        if word.rpartition("/")[2] == "bcnet":
            return words[at + 1 :], True
    return words, False


def _ask(question: str) -> str:
    """The answer to a question. Raises ``EOFError`` at the end of the input."""

    def show(*_: object) -> None:
        click.echo(f"{question} ", nl=False)

    show()
    before = signal.signal(signal.SIGCONT, show)  # after Ctrl-Z and fg it would be out of sight
    try:
        line = sys.stdin.buffer.readline()
    finally:
        signal.signal(signal.SIGCONT, before)
    if not line:
        raise EOFError
    # What is no text of this terminal's, or could be no argument of a program, is nothing that can be chosen.
    return line.decode(sys.stdin.encoding, "replace").replace("\0", "\N{REPLACEMENT CHARACTER}").strip()


def _choose(question: str, lines: Sequence[str]) -> int | None:
    """Which of several is chosen; None if none is, by Enter or a word that leaves."""
    for number, line in enumerate(lines, 1):
        click.echo(f"  {number}  {line}")
    while (answer := _ask(question)) and answer.lower() not in QUIT:
        if answer in map(str, range(1, len(lines) + 1)):
            return int(answer) - 1
        _none_such(answer)
    return None


# --- what can be chosen ---


def _game(menu: Menu, seats_asked: str) -> list[str] | None:
    """The words for the game that is chosen, and for how many; None to stay in the menu."""
    games = [registry.get(name) for name in registry.names()]
    own = registry.get(menu.game)
    for number, game in enumerate(games, 1):
        click.echo(f"  {number}  {game.title:<22} {_players(game)}")
    question = _("Which game? Enter: {game}.").format(game=own.title)
    while (answer := _ask(question)) and answer.lower() not in QUIT:
        if answer in map(str, range(1, len(games) + 1)):
            own = games[int(answer) - 1]
            break
        if found := [game for game in games if game.name.startswith(answer.lower())]:
            own = found[0]
            break
        _none_such(answer)
    if answer.lower() in QUIT:
        click.echo()
        return None
    words = [] if own.name == menu.game else ["--game", own.name]
    if len(own.seats) == 1:
        return words
    while (answer := _ask(seats_asked.format(players=_players(own)))) and answer.lower() not in QUIT:
        if answer in map(str, own.seats):
            return [*words, "--seats", answer]
        _none_such(answer)
    if answer:
        click.echo()
        return None
    return words


def _players(game: Game) -> str:
    """For how many a game is."""
    if len(game.seats) == 1:
        return _("for {count}").format(count=game.seats[0])
    return _("for {least} to {most}").format(least=game.seats[0], most=game.seats[-1])


def _play(menu: Menu) -> Sequence[str] | None:
    game = _game(menu, _("With how many at the table, you among them ({players})? Enter: as few as can be."))
    if game is None:
        return None
    question = _("How well shall the bot play? {levels}; Enter: {level}.").format(
        levels=", ".join(LEVELS), level=menu.level
    )
    while (answer := _ask(question)) and answer.lower() not in QUIT:
        if found := [level for level in LEVELS if level.startswith(answer.lower())]:
            return ["play", *game, "--level", found[0]]
        _none_such(answer)
    if answer:
        click.echo()
        return None
    return ["play", *game]


def _host(menu: Menu) -> Sequence[str] | None:
    game = _game(menu, _("For how many, you among them ({players})? Enter: as many as come."))
    if game is None:
        return None
    click.echo(_("Send your friends the line that you will see now. Type friend in the menu for more."))
    return ["host", *game]


def _join(_menu: Menu) -> Sequence[str] | None:
    answer = _ask(_("The line that your friend has sent; Enter looks for tables in this network:"))
    words, _is_a_line = _as_typed(answer)
    if _has_options(words):
        return None
    return words if words[:1] == ["join"] else ["join", *words]


def _resume(menu: Menu) -> Sequence[str] | None:
    from bcnet.cli.unfinished import in_words

    tables: list[Unfinished] = sorted(menu.home.unfinished(), key=lambda each: -each.changed)[:MOST]
    if not tables:
        click.echo(_("There is no unfinished game."))
        click.echo()
        return None
    chosen = _choose(_("Which one? Enter: none."), [in_words(each) for each in tables])
    return None if chosen is None else ["resume", f"{tables[chosen].table}-{tables[chosen].seat}"]


def _replay(menu: Menu) -> Sequence[str] | None:
    finished: list[Finished] = menu.home.finished()[-MOST:][::-1]
    if not finished:
        click.echo(_("There is no finished game."))
        click.echo()
        return None
    chosen = _choose(_("Which one? Enter: none."), _told(menu.home, finished))
    return None if chosen is None else ["replay", str(finished[chosen].path)]


def _told(home: Home, finished: Sequence[Finished]) -> list[str]:
    """Each finished game in a line: when, with whom, how it ended."""
    from bcnet.names import told_apart
    from bcnet.scorebook import Scorebook

    with Scorebook(home.scorebook_path) as scorebook:
        games, _left_out = scorebook.games(finished)
    known = {(game.table_id[:16], game.seat): game for game in games}
    lines = []
    for each in finished:
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.stored))
        game = known.get((each.table, each.seat))
        if game is None:
            lines.append(_("{day}  {file} (does not count)").format(day=day, file=visible(each.path.name)))
            continue
        names = told_apart([player.name for player in game.players])
        others = ", ".join(told(name) for seat, name in enumerate(names) if seat != game.seat)
        lines.append(f"{day}  {others}  {_(RESULTS[game.result.value])}")
    return lines


RESULTS = {"won": N_("won"), "drawn": N_("drawn"), "lost": N_("lost")}

ENTRIES: dict[str, tuple[str, Ask]] = {
    "play": (N_("practise against bots"), _play),
    "host": (N_("open a table for friends"), _host),
    "join": (N_("sit down at a friend's table"), _join),
    "resume": (N_("go on with an unfinished game"), _resume),
    "replay": (N_("look at a finished game again"), _replay),
    "friend": (N_("what to tell your friend"), lambda _menu: ["help", "friend"]),
    "rules": (N_("the rules of the games"), lambda _menu: ["rules"]),
    "settings": (N_("what need not be typed each time"), lambda _menu: ["settings"]),
    "help": (N_("all that bcnet can do"), lambda _menu: ["help"]),
}


# --- doing it ---


def _run(words: Sequence[str]) -> int | None:
    """Run a command to its end; gives an exit code if this program is to end, too."""
    caught: list[int] = []

    def tell(number: int, _frame: Any) -> None:
        caught.append(number)
        with suppress(ProcessLookupError):
            process.send_signal(number)

    with suppress(termios.error):
        before = termios.tcgetattr(0)
    command = [sys.executable, "-P", "-m", "bcnet", *words]
    with subprocess.Popen(command, env=program.environment()) as process:
        # Ctrl-C is for the command, which gets it from the terminal. It must not inherit that it is ignored here.
        interrupts = signal.signal(signal.SIGINT, lambda *_: None)
        ends = signal.signal(signal.SIGTERM, tell)
        try:
            process.wait()
        finally:
            signal.signal(signal.SIGINT, interrupts)
            signal.signal(signal.SIGTERM, ends)
    with suppress(termios.error):
        termios.tcsetattr(0, termios.TCSADRAIN, before)
    return 128 + caught[0] if caught else None
