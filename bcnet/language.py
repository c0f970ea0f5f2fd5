"""The language in which a person is spoken to: English, German or Dutch (docs/languages.md).

Sentences stand in the code in English, as templates with named values, and are looked up when they are shown:
``_("Waiting for {names} …").format(names=names)``. A constant is marked with `N_` where it stands, and looked up where
it is shown. What comes from below this layer is a `Phrase`, which remembers its template and its values: `told` looks
it up. What is signed, hashed, written to files or read by programs is never translated.

Until somebody chooses there is English. The catalogues (locale/LANGUAGE/LC_MESSAGES/bcnet.mo) are read with the first
sentence that is looked up.
"""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from pathlib import Path

from bcnet.errors import Phrase

ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "de": "Deutsch", "nl": "Nederlands"}
"""What bcnet can speak, each language by its own name."""
DOMAIN = "bcnet"
FOLDER = Path(__file__).parent / "locale"

VARIABLE = "BCNET_LANG"
"""Asks for a language before the settings and the locale do; tells it to the bots that this program starts."""
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")

_name = ENGLISH
_chosen: gettext.NullTranslations | None = None
"""The catalogue of the language; None until it is needed."""


def use(name: str) -> None:
    """Speak this language from now on, one of `LANGUAGES`."""
    global _name, _chosen
    if name not in LANGUAGES:
        raise ValueError(f"no language {name!r}")
    _name, _chosen = name, None


def name() -> str:
    """The language that is spoken, one of `LANGUAGES`."""
    return _name


def of_locale(environ: Mapping[str, str]) -> str:
    """The language of the locale, as gettext finds it: LC_ALL, else LC_MESSAGES, else LANG says which, and unless that
    is C, LANGUAGE lists those to be tried before. English where none of them can be spoken.
    """
    locale = next((environ[each] for each in _VARIABLES if environ.get(each)), "")
    wanted = [locale]
    if _language(locale) not in {"", "c", "posix"}:
        wanted = [*environ.get("LANGUAGE", "").split(":"), locale]
    return next((found for each in wanted if (found := _language(each)) in LANGUAGES), ENGLISH)


def _language(locale: str) -> str:
    """The language of ``de_AT.UTF-8@euro``: de."""
    return locale.partition(".")[0].partition("@")[0].partition("_")[0].lower()


def N_(sentence: str) -> str:  # noqa: N802 (its usual name)
    """The sentence as it is: marks it for the catalogues."""
    return sentence


def _(sentence: str) -> str:
    """The sentence in the chosen language; in English where that lacks it."""
    return _catalogue().gettext(sentence) if sentence else ""


def ngettext(one: str, many: str, count: int) -> str:
    """The form that belongs to a count, in the chosen language."""
    return _catalogue().ngettext(one, many, count)


def told(text: str) -> str:
    """A text in the chosen language, if it is one that can be looked up (`Phrase`); any other as it is."""
    if not isinstance(text, Phrase) or _name == ENGLISH:
        return str(text)
    template = ngettext(text.template, text.many, text.number) if text.many else _(text.template)
    return template.format(
        **{key: told(value) if isinstance(value, str) else value for key, value in text.values.items()}
    )


def _catalogue() -> gettext.NullTranslations:
    global _chosen  # noqa: PLW0603 (read once)
    if _chosen is None:
        languages = [] if _name == ENGLISH else [_name]
        _chosen = gettext.translation(DOMAIN, FOLDER, languages, fallback=_name == ENGLISH)
    return _chosen
