"""The manual page, and the table of all settings, made from what the commands say of themselves."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from bcnet import __version__
from bcnet.cli import cli, settings
from bcnet.cli.topics import TOPICS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "man/bcnet.1"
TABLE = ROOT / "docs/settings.md"
MARKS = ("<!-- made by scripts/manual -->\n", "<!-- to here -->\n")

SECTIONS = {"files": "FILES", "environment": "ENVIRONMENT", "exit-codes": "EXIT STATUS"}
"""Topics that have a name of their own in a manual; the others go by their titles, before these."""


def escaped(text: str) -> str:
    """A text without anything that the formatter would obey."""
    text = text.replace("{bcnet}", "bcnet").replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in text.splitlines())


def paragraphs(text: str) -> str:
    """A text of paragraphs. Numbered ones become a list; those whose lines have a layout keep it."""
    parts = []
    for part in re.split(r"\n\n+", cleandoc(text)):
        lines = [line for line in part.splitlines() if line != "\b"]
        if any(re.match(r"\d\. ", line) for line in lines):
            parts.append(
                re.sub(r"^(\d\.) ", r".IP \1 3\n", escaped(part), flags=re.MULTILINE).replace("\n   ", "\n")
            )
        elif part.startswith("\b") or any(line.startswith(" ") or "   " in line for line in lines):
            parts.append("\n".join((".nf", *(escaped(line) for line in lines), ".fi")))
        else:
            parts.append(escaped(part))
    return "\n.PP\n".join(parts)


def described(word: str, meaning: str) -> str:
    """A word and what it means."""
    return f".TP\n.B {escaped(word)}\n{escaped(meaning)}"


def told_by(command: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    """A command: how it is typed, what it does, its options; then those below it."""
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join(command.collect_usage_pieces(context))
    yield f'.SS "{escaped(context.command_path)} {escaped(usage)}"'
    yield paragraphs(command.help or "")
    own = {option.name for option in cli.params}  # told of once
    for option in command.params:
        record = option.get_help_record(context)
        if record is not None and record[1] and option.name not in own:
            yield described(*record)
    if isinstance(command, click.Group):
        for below, each in command.commands.items():
            yield from told_by(each, below, context)


def page() -> str:
    """The manual page, section 1."""
    context = click.Context(cli, info_name="bcnet")
    parts = [
        f'.\\" Made by scripts/manual.\n.TH BCNET 1 "" "bcnet {__version__}" "Games"',
        f".SH NAME\nbcnet \\- {escaped(cli.get_short_help_str(1000).rstrip('.'))}",
        ".SH SYNOPSIS\n.B bcnet\n[\\fIOPTIONS\\fR] [\\fICOMMAND\\fR] [\\fIARGS\\fR]...",
        ".SH DESCRIPTION",
        paragraphs(cli.help or ""),
        ".SH OPTIONS\nThese can stand before or after the name of a command.",
        *(described(*record) for each in cli.params if (record := each.get_help_record(context)) is not None),
        ".SH COMMANDS",
    ]
    for name, command in cli.commands.items():
        parts += told_by(command, name, context)
    others = [name for name in TOPICS if name not in SECTIONS and name != "commands"]
    for name in (*others, *SECTIONS):
        topic = TOPICS[name]
        parts.append(f".SH {SECTIONS.get(name, escaped(topic.title).upper())}")
        if text := topic.text():
            parts.append(paragraphs(text))
        parts += [described(word, meaning) for word, meaning in topic.rows(cli)]
    return "\n".join(parts) + "\n"


def table() -> str:
    """All settings, as a table."""
    rows = ["| setting | option | what | allowed | default |", "| --- | --- | --- | --- | --- |"]
    for key, setting in settings.table(cli).items():
        default = "" if setting.default is None else f"`{settings.written(setting.default)}`"
        option = setting.flag.replace("|", "\\|")
        rows.append(f"| `{key}` | `{option}` | {setting.option.help} | {setting.allowed} | {default} |")
    return "\n".join(rows) + "\n"


def with_table(text: str) -> str:
    """The document with the table as it is now."""
    before, found, rest = text.partition(MARKS[0])
    _old, end, after = rest.partition(MARKS[1])
    if not found or not end:
        sys.exit(f"scripts/manual: {TABLE.relative_to(ROOT)} has lost its marks: {''.join(MARKS)}")
    return f"{before}{MARKS[0]}\n{table()}\n{MARKS[1]}{after}"


def main() -> int:
    """Writes what differs, or with --check names it; gives the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/manual", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail if something would change")
    check: bool = parser.parse_args().check
    wanted = {PAGE: page(), TABLE: with_table(TABLE.read_text("utf-8"))}
    differing = [path for path in wanted if not path.exists() or path.read_text("utf-8") != wanted[path]]
    for path in differing:
        name = path.relative_to(ROOT)
        if check:
            print(f"{name} is not what the commands say; run scripts/manual", file=sys.stderr)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(wanted[path], "utf-8")
            print(f"wrote {name}")
    return 1 if check and differing else 0


if __name__ == "__main__":
    sys.exit(main())
