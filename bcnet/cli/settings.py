"""Settings: what a player always wants, in a file, so that it need not be typed.

Every option of every command is a setting, except those of `NOT_SETTINGS`: the table of settings is made from the
options themselves, and a new one is a setting by itself. The file is read into click's ``default_map``, so an option
that is typed wins. Nothing in it is passed over: what is unknown, of the wrong kind or not allowed is told of with its
line, and commands that have settings do not begin then.
"""

from __future__ import annotations

import datetime as dt
import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from bcnet import places
from bcnet.errors import BcnetError, UsageError, shortened
from bcnet.language import N_, _, told

NOT_SETTINGS: Mapping[str, str] = {
    "--home": "says where the settings are",
    "--version": "prints and ends",
    "--bot": "for one call: somebody else sits at the table",
    "--seed-bot": "for one call: makes a bot's choices repeatable",
    "--games": "for one call: how many a bot plays",
    "--seats": "for one table: not every game is for as many",
    "--patience": "for one call: of a bot",
    "--leash": "for programs that start this one",
    "--trust-first": "for one call: it authenticates nobody, and must not be forgotten in a file",
    "--restore": "for one call: it sets a damaged journal aside",
    "--force": "for one call: it replaces a file",
    "--yes": "for one call: it skips a question",
    "--output": "names a file of one call",
    "--out": "names a folder of one call",
    "--html": "names a file of one call",
    "--export": "for one call: it prints something else",
    "--json": "for programs, which say so",
    "--brief": "for one call: it prints less",
    "--explain": "for one call: it prints more",
    "--proofs": "for one call: a verdict must not depend on a file of settings",
    "--expect-identity": "for one call: a verdict must not depend on a file of settings",
    "--jobs": "for one call",
    "--rebuild": "for one call",
    "--init": "for one call: it writes the file of settings",
    "--install": "for one call: it changes a shell's files",
    "--uninstall": "for one call: it changes a shell's files",
    "id --name": "sets the name that is kept with the key",
}
"""Options that are no settings, and why: of all commands, or of the one that is named."""

MAX_SIZE = 1 << 16
"""Bytes of a file that is read."""

_KINDS: Mapping[type, str] = {
    dict: N_("a table"),
    list: N_("an array"),
    dt.datetime: N_("a date with a time"),
    dt.date: N_("a date"),
    dt.time: N_("a time"),
}
"""What TOML calls the values that no setting can have."""

_META = "bcnet.settings"
_LINE = re.compile(r"(.*?) ?\(at line (\d+), column \d+\)")


class SettingsError(UsageError):
    """The file with the settings says something that it cannot."""


@dataclass(frozen=True, slots=True)
class Setting:
    """An option that can have a default of the player's own."""

    key: str
    """What it is called in the file: the option without its dashes."""
    option: click.Option
    commands: tuple[str, ...]
    """Those that have it; the empty name is bcnet's own."""

    @property
    def default(self) -> Any:
        """What holds where nobody says anything; None if that depends on something else."""
        value = self.option.to_info_dict()["default"]
        return None if value == "" else value

    @property
    def example(self) -> str:
        """A value as the file would have it: the default, if there is one."""
        if self.default is not None:
            return written(self.default)
        if isinstance(self.option.type, click.Choice):
            return written(self.option.type.choices[0])
        return written(self.option.metavar or "")

    @property
    def allowed(self) -> str:
        """What it can be, for a person."""
        kind = self.option.type
        if self.option.is_flag:
            return _("true or false")
        if isinstance(kind, click.Choice):
            return ", ".join(map(written, kind.choices))
        if isinstance(kind, click.IntRange) and None not in {kind.min, kind.max}:
            return _("a whole number from {least} to {most}").format(least=kind.min, most=kind.max)
        if isinstance(kind, click.types.IntParamType | click.IntRange):
            return _("a whole number")
        return _("a text in quotes: {example}").format(example=written(self.option.metavar or ""))

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        names = "/".join((*self.option.opts[:1], *self.option.secondary_opts[:1]))
        return names if self.option.is_flag else f"{names} {self.option.make_metavar(_context())}"


@cache
def _context() -> click.Context:
    return click.Context(click.Command("bcnet"))


@dataclass(frozen=True, slots=True)
class Settings:
    """What a file says."""

    path: Path
    values: Mapping[str, Any] = field(default_factory=dict)
    """By key."""
    lines: Mapping[str, int] = field(default_factory=dict)
    """Where in the file each stands, as far as that is known."""
    is_there: bool = False
    error: BcnetError | None = None
    """What is wrong with it; it says nothing then."""


# --- the table of all settings ---


def key_of(option: click.Parameter) -> str:
    """What an option is called in the file."""
    return next((name[2:] for name in option.opts if name.startswith("--")), "")


def options_of(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Option]]:
    """Every option of every command, with the command's name; those of the group itself first, under no name."""
    own = [each for each in group.params if isinstance(each, click.Option)]
    yield from ((" ".join(path), option) for option in own)
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from options_of(command, (*path, name))
        else:
            found = [each for each in command.params if isinstance(each, click.Option)]
            yield from ((" ".join((*path, name)), option) for option in found)


def is_setting(command: str, option: click.Option) -> bool:
    """Whether an option of a command can stand in the file."""
    name = f"--{key_of(option)}"
    return name not in NOT_SETTINGS and f"{command} {name}" not in NOT_SETTINGS


def table(group: click.Group) -> dict[str, Setting]:
    """All settings by their key, in the order of the commands."""
    found: dict[str, Setting] = {}
    for command, option in options_of(group):
        if is_setting(command, option):
            key = key_of(option)
            before = found.get(key)
            commands = (*before.commands, command) if before else (command,)
            found[key] = Setting(key, before.option if before else option, commands)
    return found


# --- the file ---


def written(value: Any) -> str:
    """A value as TOML has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in escaped) + '"'


def read(path: Path, known: Mapping[str, Setting]) -> Settings:
    """What the file says; nothing if there is none. Raises `SettingsError` and `StorageError`."""
    data = bytes_of(path)
    if data is None:
        return Settings(path)
    values, text = parsed(path, data)
    lines = {key: number for key in values if (number := _line_of(key, text)) is not None}
    for key, value in values.items():
        where = _where(path, lines.get(key))
        if (setting := known.get(key)) is None:
            raise _unknown(where, key, value, known)
        _check(where, setting, value)
    return Settings(path, values, lines, is_there=True)


def bytes_of(path: Path) -> bytes | None:
    """All of the file; None if there is none. Raises `SettingsError` (no file, too long) and `StorageError`."""
    from bcnet.files import storage_errors

    hint = N_("Mend or remove that file; without it the defaults hold.")
    with storage_errors("read the settings in", path, hint):
        try:
            if not path.is_file():
                if not path.exists():
                    if path.is_symlink():
                        raise SettingsError(
                            N_("{path} is a link that leads to no file."), hint=hint, path=path
                        )
                    return None
                raise SettingsError(N_("{path} is no file."), hint=hint, path=path)
            with path.open("rb") as file:
                data = file.read(MAX_SIZE + 1)
        except FileNotFoundError:
            return None
    if len(data) > MAX_SIZE:
        raise SettingsError(
            N_("{path} is too long for settings: more than {size} bytes."),
            hint=hint,
            path=path,
            size=MAX_SIZE,
        )
    return data


def parsed(path: Path, data: bytes) -> tuple[dict[str, Any], str]:
    """What stands in it, as TOML, and its text. Raises `SettingsError`."""
    import tomllib

    try:
        text = data.decode("utf-8-sig")  # some editors put a mark in front
        return tomllib.loads(text), text
    except UnicodeDecodeError as error:
        line, why = error.object[: error.start].count(b"\n") + 1, _("it is not UTF-8")
    except tomllib.TOMLDecodeError as error:
        match = _LINE.fullmatch(str(error))
        line, why = (int(match[2]), match[1]) if match else (data.count(b"\n") + 1, str(error))
        if "Illegal character '\\n'" in why:  # of which a text in quotes has none
            why = _("a quotation mark is missing at the end of the line")
    except RecursionError:
        line, why = 1, _("it is nested too deeply")
    raise SettingsError(
        N_("{where}: this is no TOML: {why}."),
        hint=N_(
            'A setting is a line such as level = "hard" or announce = false: texts stand in quotes, true and '
            "false in small letters. bcnet help settings says more."
        ),
        where=_where(path, line),
        why=why.rstrip("."),
    )


def _where(path: Path, line: int | None) -> str:
    if line is None:
        return str(path)
    return _("{path}, line {line}").format(path=path, line=line)


def _line_of(key: str, text: str) -> int | None:
    """Where a key stands. TOML's reader does not say, and a line that looks like it may be within a text."""
    name = re.escape(key)
    pattern = re.compile(rf"""\s*(?:\[+\s*)?(["']?){name}\1\s*[=.\]]""")
    return next((at for at, line in enumerate(text.splitlines(), 1) if pattern.match(line)), None)


def _unknown(where: str, key: str, value: Any, known: Mapping[str, Setting]) -> SettingsError:
    if isinstance(value, dict):
        return SettingsError(
            N_("{where}: there are no sections in the settings, but here is one: {key}."),
            hint=N_(
                "Write each setting on a line of its own, without a section: they hold for all commands."
            ),
            where=where,
            key=shortened(key),
        )
    bare = key.replace("_", "-").lower()
    if bare.startswith("no-") and bare[3:] in known:
        hint = N_("Write it so: {near} = false.")
        near = [bare[3:]]
    else:
        near = difflib.get_close_matches(bare, known, n=1)
        hint = N_("Is {near} meant? There are: {all}.") if near else N_("There are: {all}.")
    return SettingsError(
        N_("{where}: there is no setting {key}."),
        hint=hint,
        where=where,
        key=shortened(key),
        near="".join(near),
        all=", ".join(known),
    )


def _check(where: str, setting: Setting, value: Any) -> None:
    """Raise `SettingsError` unless the setting can have that value."""
    option, why = setting.option, ""
    kinds: tuple[type, ...] = (str,)
    if option.is_flag:
        kinds = (bool,)
    elif isinstance(option.type, click.types.IntParamType):
        kinds = (int,)
    elif isinstance(option.type, click.types.FloatParamType):
        kinds = (int, float)
    if isinstance(value, kinds) and isinstance(value, bool) == option.is_flag:
        try:
            option.type_cast_value(_context(), value)
            return
        except click.BadParameter:
            pass  # what is allowed is said below
        except BcnetError as error:
            why = error.message
    is_plain = isinstance(value, bool | int | float | str)
    shown = shortened(written(value)) if is_plain else _(_KINDS[type(value)])
    raise SettingsError(
        N_("{where}: {key} cannot be {value}. {why}") if why else N_("{where}: {key} cannot be {value}."),
        hint=N_("Allowed: {allowed}. Without the line the default holds."),
        where=where,
        key=setting.key,
        value=shown,
        why=why,
        allowed=setting.allowed,
    )


# --- in force ---


def in_force(context: click.Context) -> Settings:
    """What was read for this call."""
    found: Settings = context.meta[_META]
    return found


def check(context: click.Context, command: str) -> None:
    """Raise what is wrong with the file, if it could spoil what that command does; else only tell of it."""
    error = in_force(context).error
    if error is None or command == "settings":  # which tells of it in its own way
        return
    group = context.find_root().command
    assert isinstance(group, click.Group)
    if any(command in each.commands and "" not in each.commands for each in table(group).values()):
        raise error
    click.echo(f"bcnet: {told(error.message)}", err=True)


def load(context: click.Context, home: Path | None) -> Settings:
    """Read the file that belongs to ``home``, and let it give the defaults of this command and those below it.

    An error is kept for `check`: not every command has settings that it could spoil.
    """
    root = context.find_root()
    group = root.command
    assert isinstance(group, click.Group)
    path = places.settings_file(home)
    try:
        found = read(path, table(group))
    except BcnetError as error:
        found = Settings(path, is_there=True, error=error)
    context.meta[_META] = found
    above = {key_of(option) for option in group.params} if context is root else _typed(root)
    context.default_map = _defaults(context.command, found.values, above, name_of(context))
    return found


def name_of(context: click.Context) -> str:
    """The name of the command that runs, without the program's; empty for the program itself."""
    names = []
    while context.parent is not None:
        names.append(context.info_name or "")
        context = context.parent
    return " ".join(reversed(names))


def _typed(context: click.Context) -> set[str]:
    """The settings that were given before the command's name."""
    return {
        key_of(option)
        for option in context.command.params
        if option.name and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }


def _defaults(
    command: click.Command, values: Mapping[str, Any], above: set[str], name: str
) -> dict[str, Any]:
    """The ``default_map`` of a command: those of its options that are settings, and the maps of its own commands.

    What the program's own options decide (``above``) is not decided once more by the same options of a command.
    """
    found: dict[str, Any] = {}
    if isinstance(command, click.Group):
        for below, each in command.commands.items():
            found[below] = _defaults(each, values, above, f"{name} {below}".strip())
    for option in command.params:
        key = key_of(option)
        if key not in values or not option.name or not isinstance(option, click.Option):
            continue
        if is_setting(name, option) and not (name and key in above):
            found[option.name] = values[key]
    return found


def was_typed(name: str) -> bool:
    """Whether an option (a parameter of the command that runs) was given in this call, and is no habit."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE
