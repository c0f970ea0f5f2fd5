"""What ``bcnet help TOPIC`` tells besides the help of each command. The manual page is made from the same texts.

A text is paragraphs; lines that begin with a blank keep their layout. ``{bcnet}`` stands for what this program is
called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import click

from bcnet.cli import settings
from bcnet.errors import Exit, Phrase
from bcnet.games import registry
from bcnet.games.interface import Game
from bcnet.language import N_, _, told

Rows = Sequence[tuple[str, str]]
"""Words, and what each means."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that can be asked about."""

    title: str
    text: Callable[[], str] = str
    rows: Callable[[click.Group], Rows] = lambda _group: ()
    """Of a table below the text, made from the program's commands."""


FRIEND = N_("""\
To play with you, your friend needs bcnet too, and a line from you.

1. Both of you install it once: README.md says how. Python 3.11 or newer and
a terminal are all it takes.

2. You type `{bcnet} host`. It shows a line such as

  {bcnet} join 192.168.1.20 k5ma7-8qd2x-w4ch9-nt60z-3vbe2

3. Send your friend that line, by whatever messenger you both use. The code
in it leads to your table alone and lets one player in, so send it to nobody
else.

4. Your friend types it. Both screens then show the same four words; whoever
likes to be sure reads them out by phone.

In one network (the same WLAN, say) your friend can also type `{bcnet} join`
alone and choose your table from a list. You are asked then whether they may
sit down.

If nobody can get in, `{bcnet} doctor` on your machine says why.""")

NETWORK = N_("""\
The host listens on TCP port 4680 (`--listen ADDR:PORT` for another), the
guest connects to it. Nobody else is involved: no server, no account.

In one network (LAN, WLAN) nothing has to be set up, but a firewall on the
host's machine must let the port in. `{bcnet} join` alone lists the tables
there; `{bcnet} host --no-announce` hides one.

Over a VPN (WireGuard, Tailscale, OpenVPN and others) the guest uses the
host's address inside it; `{bcnet} host` prints a line for each address of
the machine.

Over the internet the port must be forwarded to the host's machine by its
router. A VPN is simpler.

`{bcnet} doctor` tries all that on the host's machine, and says what to send
to the friend.

Everything is encrypted. The code in the line pins the host's key, so nobody
can sit in between; without the code, compare the four words. When the line
drops both are told, and the guest comes back by itself. After anything
else, `{bcnet} resume` goes on.""")

FAIRNESS = N_("""\
Neither player has to trust the other's program, or the one who hosts.

- Cubes, cards and who begins come from secret numbers of both programs, to
which each is committed beforehand: nobody chooses or foresees them.

- The deck is masked and shuffled by both. A card is seen by one player only
when the other takes a mask off it, so nobody can look at the deck or at
another's hand.

- Every shuffle, every unmasking and every card is proven when it happens
and checked before anything is built on it.

- Every statement is signed and chained to all before it. Nobody can deny or
rewrite what was played, and a cheater is named by their own signature.

After the game both programs reveal their numbers, and `{bcnet} verify FILE`
computes everything again from the transcript alone.

What nothing can prevent: a player can stop answering. That proves nothing
against anyone.""")

SETTINGS = N_("""\
Options that say how you like to play need not be typed each time: they can
stand in a file, one on a line.

  name = "Anna"
  level = "hard"
  announce = false

`{bcnet} settings` says where the file is and what is in force, `{bcnet}
settings --init` writes one to begin with. What is typed wins over the file.
The file lies in bcnet's folder if that is named (--home, BCNET_HOME), else
in the folder that your system has for settings. Whatever is wrong in it is
told of, with its line.

These are the settings:""")

FILES = N_("""\
All that is yours lies in one folder: `--home DIR`, else what BCNET_HOME
names, else your system's folder for data (on Linux ~/.local/share/bcnet).

Never let two copies of that folder play the same game: it looks like
cheating.""")

_FILES: Rows = (
    ("identity.pem", N_("your key: who you are to others. Keep it to yourself")),
    ("tables/", N_("unfinished games, for {bcnet} resume")),
    ("transcripts/", N_("finished games (*.bct), for {bcnet} replay and {bcnet} verify")),
    ("practice-LEVEL/", N_("the same for the bot of that level")),
    ("players.json", N_("whom you have met")),
    ("name", N_("what you are called")),
    ("scorebook.sqlite", N_("what {bcnet} stats has added up; can be removed")),
    ("logs/bcnet.log", N_("what went wrong, without secrets")),
    ("settings.toml", N_("your settings, if that folder was named; {bcnet} settings says where they are")),
)

ENVIRONMENT: Rows = (
    ("BCNET_HOME", N_("The folder for all that is yours, as --home names it.")),
    ("BCNET_LANG", N_("The language, as --lang names it: en, de or nl. It wins over the settings.")),
    ("NO_COLOR", N_("If set, there are no colours.")),
)
"""Variables that a player may set."""

EXIT_CODES: Sequence[tuple[int, str]] = (
    (Exit.OK, N_("A regular end. Of verify: clean.")),
    (Exit.CHEATED, N_("The other player has cheated, or somebody in the transcript has.")),
    (Exit.UNREADABLE, N_("The file is no transcript, is damaged, or is of an unknown version.")),
    (Exit.INCOMPLETE, N_("The game is not finished, or the transcript lacks something.")),
    (Exit.OTHER_PLAYERS, N_("The players of the file are not those that --expect-identity names.")),
    (Exit.USAGE, N_("Wrong usage: of the words, a file or the settings.")),
    (Exit.NETWORK, N_("The other side cannot be reached, or there is no table.")),
    (Exit.DEFECT, N_("A defect of bcnet. Its trace is in the log.")),
    (130, N_("Interrupted (Ctrl-C) before there was a game.")),
    (143, N_("Told to end before there was a game.")),
)


def _told(text: str) -> Callable[[], str]:
    return lambda: _(text)


def _of_games(kind: str, title: str, text: Callable[[Game], str]) -> dict[str, Topic]:
    """A topic of every game: that of the default one is called ``kind``, another ``kind-GAME``."""
    first, *_others = registry.names()
    return {
        kind if name == first else f"{kind}-{name}": _of_game(registry.get(name), title, text)
        for name in registry.names()
    }


def _of_game(game: Game, title: str, text: Callable[[Game], str]) -> Topic:
    return Topic(Phrase(title, game=game.title), lambda: told(text(game)))


def _commands(group: click.Group) -> Rows:
    return [(name, command.get_short_help_str(WHOLE)) for name, command in group.commands.items()]


def _settings(group: click.Group) -> Rows:
    return [(each.key, each.option.help or "") for each in settings.table(group).values()]


WHOLE = 1000
"""Characters of a first sentence that are shown: all."""

TOPICS: Mapping[str, Topic] = {
    "friend": Topic(Phrase("What to tell your friend"), _told(FRIEND)),
    **_of_games("rules", N_("The rules of {game}"), lambda game: game.rules),
    **_of_games("notation", N_("How moves of {game} are written"), lambda game: game.notation),
    "network": Topic(Phrase("How the two programs reach each other"), _told(NETWORK)),
    "fairness": Topic(Phrase("Why nobody can cheat, and what remains"), _told(FAIRNESS)),
    "settings": Topic(Phrase("Options that need not be typed"), _told(SETTINGS), _settings),
    "files": Topic(
        Phrase("What lies where"), _told(FILES), lambda _group: [(name, _(what)) for name, what in _FILES]
    ),
    "environment": Topic(
        Phrase("Variables that bcnet heeds"),
        rows=lambda _group: [(name, _(what)) for name, what in ENVIRONMENT],
    ),
    "exit-codes": Topic(
        Phrase("What a command says to the shell"),
        rows=lambda _group: [(str(int(code)), _(what)) for code, what in EXIT_CODES],
    ),
    "commands": Topic(Phrase("What bcnet can do"), rows=_commands),
}
