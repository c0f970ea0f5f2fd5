"""``bcnet settings``: what is in force and why, and a file to begin with."""

from __future__ import annotations

import os
from collections.abc import Mapping
from copy import copy
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from bcnet import language, places
from bcnet.cli import program, settings, spoken
from bcnet.cli.options import home_option
from bcnet.errors import visible
from bcnet.language import N_, _

HEAD = N_("""\
Settings of bcnet. A line without # in front holds for every call; what is typed wins over it.
What is in force now is said by: {program} settings""")


class _TakesAll(click.Command):
    """Has every setting as an option as well, so that what is typed can be seen to win, or be written down."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Its own options, and one for each setting."""
        table = _table(ctx)
        own = [each for each in super().get_params(ctx) if settings.key_of(each) not in table]
        return [*own, *(_shown(each.option) for each in table.values())]


def _shown(option: click.Option) -> click.Option:
    """The same option, of which the command gets to know what was typed."""
    shown = copy(option)
    shown.expose_value = True
    return shown


def _table(context: click.Context) -> dict[str, settings.Setting]:
    root = context.find_root().command
    assert isinstance(root, click.Group)
    return settings.table(root)


@click.command("settings", cls=_TakesAll)
@click.option(
    "--init", is_flag=True, help="Write a file with all settings, with what is typed beside it in force."
)
@home_option
@click.pass_context
def settings_command(context: click.Context, /, home: Path | None, *, init: bool, **_values: Any) -> int:
    """Show what is in force and why, and where the file with your settings is.

    Every option that says how you like to play can stand in that file (TOML), once and for all. It is the file
    settings.toml in bcnet's folder if you name one (--home, BCNET_HOME), else in the folder that your system has for
    settings. Options that are typed win over it.

    \b
    bcnet settings
    bcnet settings --init               a file to begin with, only comments
    bcnet settings --init --no-bell     the same, with this in force
    """
    found = settings.in_force(context)
    typed = _typed(context)
    if init:
        is_asked_for = places.asked_for(home or context.find_root().obj) is not None
        _begin(found.path, _table(context), typed, parents=not is_asked_for)
        click.echo(_("Written: {path}").format(path=visible(found.path)))
        return 0
    if found.error is not None:
        raise found.error
    if found.is_there:
        click.echo(_("Settings: {path}").format(path=visible(found.path)))
    else:
        click.echo(_("Settings: {path} (not there yet)").format(path=visible(found.path)))
    for key, setting in _table(context).items():
        if key in typed:
            value, source = settings.written(typed[key]), _("typed")
        elif key == spoken.KEY and os.environ.get(language.VARIABLE) in language.LANGUAGES:
            value, source = settings.written(os.environ[language.VARIABLE]), language.VARIABLE
        elif key in found.values:
            line = found.lines.get(key)
            value = settings.written(found.values[key])
            source = _("the file") if line is None else _("the file, line {line}").format(line=line)
        else:
            value = "" if setting.default is None else settings.written(setting.default)
            source = _("default")
        click.echo(f"  {key:<14} = {value:<12} {source}")
    if not found.is_there:
        click.echo(_("A file to begin with: {program} settings --init").format(program=program.name()))
    return 0


def _typed(context: click.Context) -> dict[str, Any]:
    """The settings that were given in this call, before the command's name or after it, as the file would have them."""
    root = context.find_root()
    before, _rest, _order = root.command.make_parser(root).parse_args(list(root.meta["bcnet.arguments"]))
    after = {
        name: value
        for name, value in context.params.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }
    typed = before | after
    return {
        key: typed[setting.option.name]
        for key, setting in _table(context).items()
        if setting.option.name in typed
    }


def _begin(
    path: Path, table: Mapping[str, settings.Setting], typed: Mapping[str, Any], *, parents: bool
) -> None:
    """Write a file that has every setting, those that were ``typed`` in force. Never over one that is there. Its folder
    is made as that of a home, and may be one.
    """
    from bcnet.errors import UsageError
    from bcnet.files import make_folder, storage_errors, write_new

    make_folder(path.parent, parents=parents)
    with storage_errors("write", path):
        try:
            write_new(path, [sample(table, typed).encode()])
        except FileExistsError:
            raise UsageError(
                N_("{path} is there already; it was left as it is."),
                hint=N_("Change it with an editor. bcnet help settings says what can stand in it."),
                path=path,
            ) from None


def sample(table: Mapping[str, settings.Setting], typed: Mapping[str, Any]) -> str:
    """A file with every setting: what it does, what is allowed, and the default as a comment."""
    parts = [_comment(_(HEAD).format(program=program.name()))]
    for key, setting in table.items():
        lines = [_comment(f"{setting.option.help or ''} ({setting.flag})")]
        lines.append(_comment(_("Allowed: {allowed}").format(allowed=setting.allowed)))
        if key in typed:
            lines.append(f"{key} = {settings.written(typed[key])}")
        else:
            lines.append(f"#{key} = {setting.example}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _comment(text: str) -> str:
    return "\n".join(f"# {line}" for line in text.splitlines())
