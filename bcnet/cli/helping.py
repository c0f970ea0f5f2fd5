"""``bcnet help`` and ``bcnet rules``."""

from __future__ import annotations

import difflib
import shutil
from typing import TYPE_CHECKING

import click

from bcnet.cli import program
from bcnet.language import N_, _, told

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from bcnet.cli.topics import Rows


def _topics(context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    from bcnet.cli.topics import TOPICS

    group = context.find_root().command
    assert isinstance(group, click.Group)
    known = {name: told(topic.title) for name, topic in TOPICS.items()}
    known |= {name: each.get_short_help_str() for name, each in group.commands.items() if name not in known}
    return [CompletionItem(name, help=meaning) for name, meaning in known.items() if name.startswith(begun)]


@click.command("help")
@click.argument("topic", nargs=-1, metavar="[TOPIC]", shell_complete=_topics)
@click.pass_context
def help_command(context: click.Context, /, topic: tuple[str, ...]) -> None:
    """Tell about TOPIC: any command, or a matter such as rules, network or fairness.

    \b
    bcnet help              what there is
    bcnet help network
    bcnet help host
    """
    group = context.find_root().command
    assert isinstance(group, click.Group)
    from bcnet.cli.topics import TOPICS

    if not topic:
        click.echo(context.find_root().get_help())
        click.echo("\n" + _("More with {program} help TOPIC:").format(program=program.name()) + "\n")
        click.echo(_table([(name, told(each.title)) for name, each in TOPICS.items()]))
        return
    asked = "-".join(word.lower().replace("_", "-") for word in topic)
    command = _command(group, [word.lower() for word in topic])
    if (name := _topic(asked)) is not None:
        _tell(group, name)
        own = {option.name for option in group.params}
        if command is not None and name == asked and any(each.name not in own for each in command.params):
            line = _("More: {program} {command} --help")
            click.echo("\n" + line.format(program=program.name(), command=asked))
        return
    if command is None:
        raise _unknown(group, " ".join(topic))
    click.echo(command.get_help(_context_of(context.find_root(), command, topic)))


def _games(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    from bcnet.games import registry

    return [name for name in registry.names() if name.startswith(begun)]


@click.command("rules")
@click.argument("game", required=False, default="", metavar="[GAME]", shell_complete=_games)
@click.pass_context
def rules(context: click.Context, /, game: str) -> None:
    """Tell the rules of a game, on a page.

    \b
    bcnet rules
    bcnet rules stones
    """
    from bcnet.games import registry

    group = context.find_root().command
    assert isinstance(group, click.Group)
    first, *others = registry.names()
    name = registry.get(game.lower() or first).name
    _tell(group, "rules" if name == first else f"rules-{name}")
    if not game:
        commands = [f"{program.name()} rules {each}" for each in others]
        click.echo("\n" + _("Other games: {commands}").format(commands=" · ".join(commands)))


def _topic(asked: str) -> str | None:
    """The topic of that name, or the one that begins so and with which all others do that begin so."""
    from bcnet.cli.topics import TOPICS

    if asked in TOPICS:
        return asked
    found = [name for name in TOPICS if asked and name.startswith(asked)]
    return found[0] if found and all(name.startswith(found[0]) for name in found) else None


def _command(group: click.Group, words: list[str]) -> click.Command | None:
    found: click.Command | None = group
    for word in words:
        found = found.commands.get(word) if isinstance(found, click.Group) else None
    return found


def _context_of(root: click.Context, command: click.Command, words: tuple[str, ...]) -> click.Context:
    """A context in which a command tells of itself under its whole name."""
    context = root
    for word in words[:-1]:
        context = click.Context(click.Group(word), info_name=word, parent=context)
    return click.Context(command, info_name=words[-1], parent=context)


def _tell(group: click.Group, name: str) -> None:
    from bcnet.cli.topics import TOPICS
    from bcnet_client.console.pages import reflow
    from bcnet_client.console.terminal import knows_only_ascii
    from bcnet_client.console.text import plain, to_ascii

    topic = TOPICS[name]
    columns = max(40, min(100, shutil.get_terminal_size().columns - 1))
    click.echo(told(topic.title))
    if text := topic.text():
        lines = reflow(text.replace("{bcnet}", program.name()), columns)
        click.echo()
        for line in to_ascii(lines) if knows_only_ascii() else lines:
            click.echo(plain(line).rstrip())
    if rows := topic.rows(group):
        click.echo("\n" + _table(rows, columns))


def _table(rows: Rows, columns: int = 80) -> str:
    formatter = click.HelpFormatter(width=columns)
    formatter.indent()
    formatter.write_dl([(word, meaning.replace("{bcnet}", program.name())) for word, meaning in rows])
    return formatter.getvalue().rstrip()


def _unknown(group: click.Group, asked: str) -> Exception:
    from bcnet.cli.topics import TOPICS
    from bcnet.errors import UsageError

    known = [*TOPICS, *group.commands]
    near = difflib.get_close_matches(asked.lower(), known, n=1)
    return UsageError(
        N_("There is no help about {asked}."),
        hint=N_("Is {near} meant? There is help about every command, and about: {topics}.")
        if near
        else N_("There is help about every command, and about: {topics}."),
        asked=repr(asked),
        near="".join(near),
        topics=", ".join(TOPICS),
    )
