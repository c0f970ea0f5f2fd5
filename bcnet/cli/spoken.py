"""The command line in the player's language: which one, and its help texts.

click looks its own messages up by the functions of `gettext`, in the same catalogue; what bcnet says about its
commands and options is put in their place here, all at once, when the language is known.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import click

from bcnet import language, places
from bcnet.cli import completing, settings
from bcnet.errors import BcnetError, shortened, visible
from bcnet.language import N_

KEY = "lang"
"""The setting."""
OPTION = f"--{KEY}"
_KEEP_LINES = "\b\n"
"""Begins a paragraph whose lines click leaves as they are."""

_english: WeakKeyDictionary[Any, dict[str, str]] = WeakKeyDictionary()
"""What commands and options say in English."""


def begin(command: click.Group, arguments: Sequence[str]) -> None:
    """Speak as the arguments ask, or else BCNET_LANG, the settings or the locale. The help of the commands is said
    before an option could be obeyed, so ``--lang`` is looked for first.
    """
    gettext.bindtextdomain(language.DOMAIN, language.FOLDER)
    gettext.textdomain(language.DOMAIN)
    typed, asked = _given(OPTION, arguments), os.environ.get(language.VARIABLE)
    wanted = (typed, asked, _in_settings(arguments))
    found = next((name for name in wanted if name in language.LANGUAGES), None)
    language.use(found or language.of_locale(os.environ))
    os.environ["LANGUAGE"] = language.name()  # for click
    if asked and {typed, asked}.isdisjoint(language.LANGUAGES) and completing.VARIABLE not in os.environ:
        said = language._("{variable} names no language that there is: {name}. There are: {all}.").format(
            variable=language.VARIABLE, name=visible(shortened(asked)), all=", ".join(language.LANGUAGES)
        )
        click.echo(f"bcnet: {said}", err=True)
    for each in _all_of(command):
        _translate(each, "help", "epilog")
        for parameter in each.params:
            _translate(parameter, "help")


def _given(option: str, arguments: Sequence[str]) -> str | None:
    """The value of an option, wherever it stands."""
    found = [value for each, value in pairwise(arguments) if each == option]
    found += [each.partition("=")[2] for each in arguments if each.startswith(f"{option}=")]
    return found[-1] if found else None


def _in_settings(arguments: Sequence[str]) -> str | None:
    """The language in the file with the settings. What is wrong with that file is told of when it is read."""
    home = _given("--home", arguments)
    path = places.settings_file(Path(home) if home else None)
    try:
        data = settings.bytes_of(path)
        found = settings.parsed(path, data)[0].get(KEY) if data is not None else None
    except BcnetError:
        return None
    return found if isinstance(found, str) else None


def offer(group: click.Group) -> None:
    """Let ``--lang`` be given before and after the name of every command; `begin` has obeyed it then."""
    for command in _all_of(group):
        command.params.append(
            click.Option(
                [OPTION],
                type=click.Choice(list(language.LANGUAGES)),
                expose_value=False,
                help=N_("The language (also BCNET_LANG=de); without it, that of the locale."),
            )
        )


def sentences_of(text: str) -> list[str]:
    """The paragraphs of a help text as they stand in the catalogue: each on one line, unless its lines are kept."""
    return [
        part.removeprefix(_KEEP_LINES) if part.startswith(_KEEP_LINES) else " ".join(part.split())
        for part in text.split("\n\n")
        if part.strip()
    ]


def _all_of(command: click.Command) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from _all_of(each)


def _translate(thing: object, *attributes: str) -> None:
    english = _english.setdefault(
        thing, {name: text for name in attributes if (text := getattr(thing, name, None))}
    )
    for name, text in english.items():
        setattr(thing, name, "\n\n".join(map(_paragraph, cleandoc(text).split("\n\n"))))


def _paragraph(text: str) -> str:
    kept = _KEEP_LINES if text.startswith(_KEEP_LINES) else ""
    return kept + language._("\n".join(sentences_of(text)))
