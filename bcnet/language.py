"""The language in which a person is spoken to.

Sentences stand in the code in English, as templates with named values, and are looked up when they are shown:
``_("Waiting for {names} …").format(names=names)``. A constant is marked with `N_` where it stands, and looked up where
it is shown. What is signed, hashed, written to files or read by programs is never translated.
"""

from __future__ import annotations

import gettext

_chosen: gettext.NullTranslations = gettext.NullTranslations()


def N_(sentence: str) -> str:  # noqa: N802 (its usual name)
    """The sentence as it is: marks it for the catalogues."""
    return sentence


def _(sentence: str) -> str:
    """The sentence in the chosen language; in English where that lacks it."""
    return _chosen.gettext(sentence) if sentence else ""


def ngettext(one: str, many: str, count: int) -> str:
    """The form that belongs to a count, in the chosen language."""
    return _chosen.ngettext(one, many, count)
