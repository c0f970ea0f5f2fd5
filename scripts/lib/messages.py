"""Keeps the catalogues in step with the code; scripts/messages calls it."""

from __future__ import annotations

import argparse
import io
import re
import string
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bcnet.errors import Phrase  # noqa: E402
from bcnet.games import registry  # noqa: E402
from bcnet.language import DOMAIN, ENGLISH, FOLDER, LANGUAGES  # noqa: E402
from scripts.lib import extracting  # noqa: E402

CODE = ("bcnet", "client", "host")
UNSEEN = {"wire"}
"""Generated code."""
CLICK = ("core", "decorators", "exceptions", "formatting", "parser", "termui", "types")
"""The modules of click whose messages a person may meet."""


def sources() -> list[Path]:
    """The files that hold sentences."""
    found = (path for folder in CODE for path in sorted((ROOT / folder).rglob("*.py")))
    return [path for path in found if not UNSEEN & {*path.parts}]


def template() -> Catalog:
    """All sentences of the code and of click, with the files in which they stand."""
    catalog = Catalog(project=DOMAIN, charset="utf-8")
    paths = sources()
    errors = extracting.error_classes(paths)
    for path in paths:
        options = {"errors": errors, "words": path.name == "words.py"}
        with path.open("rb") as file:
            try:
                found = list(extract(cast("Any", extracting.extract), file, options=options))
            except ValueError as error:
                sys.exit(f"{path.relative_to(ROOT)}, {error}")
        for _line, sentence, _comments, _context in found:
            catalog.add(cast("Any", sentence), locations=[(path.relative_to(ROOT).as_posix(), 0)])
    for path in _of_click():
        with path.open("rb") as file:
            for _line, sentence, _comments, _context in extract(
                "python", file, keywords={"_": None, "ngettext": (1, 2)}
            ):
                catalog.add(cast("Any", sentence), locations=[(f"click/{path.name}", 0)])
    return catalog


def _of_click() -> Iterator[Path]:
    spec = find_spec("click")
    assert spec is not None
    assert spec.origin is not None
    for name in CLICK:
        yield Path(spec.origin).with_name(f"{name}.py")


def po_path(language: str) -> Path:
    """The catalogue that people edit."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """A catalogue as it stands; an empty one where there is none."""
    path = po_path(language)
    if not path.exists():
        return Catalog(locale=language, project=DOMAIN, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def as_po(catalog: Catalog) -> bytes:
    """The text of a catalogue, the same for the same sentences whenever and wherever it is written."""
    out = io.BytesIO()
    write_po(out, catalog, width=120, include_lineno=False, ignore_obsolete=True)
    lines = out.getvalue().decode().splitlines(keepends=True)
    return "".join(each for each in lines if not each.startswith(_OF_THE_DAY)).encode()


_OF_THE_DAY = tuple(
    f'"{name}:'
    for name in (
        "Project-Id-Version",
        "Report-Msgid-Bugs-To",
        "POT-Creation-Date",
        "PO-Revision-Date",
        "Last-Translator",
        "Language-Team",
        "Generated-By",
    )
)
"""Lines of the head that would change with the day and the tool, or say nothing."""


def as_mo(po: bytes) -> bytes:
    """The compiled catalogue."""
    out = io.BytesIO()
    catalog = read_po(io.BytesIO(po))
    catalog.creation_date = catalog.revision_date = datetime(2000, 1, 1, tzinfo=UTC)  # the same on every day
    write_mo(out, catalog)
    return out.getvalue()


def updated(language: str, wanted: Catalog) -> bytes:
    """The catalogue with every sentence of the code, and no other; what is translated stays."""
    catalog = read(language)
    comment = catalog.header_comment  # the glossary
    catalog.update(wanted, no_fuzzy_matching=True)
    catalog.header_comment, catalog.fuzzy = comment, False
    return as_po(catalog)


def rules_page(language: str) -> bytes:
    """The rules of all games as a page of the documentation, as the program shows them."""
    catalog = None if language == ENGLISH else read(language)
    parts = ["<!-- written by scripts/messages -->\n"]
    for game in map(registry.get, registry.names()):
        if isinstance(game.rules, Phrase):
            message = None if catalog is None else catalog.get(game.rules.template)
            rules = str(game.rules if message is None else message.string)
            end = "" if rules.endswith("\n") else "\n"
            parts.append(f"\n# {game.title}\n\n```text\n{rules}{end}```\n")
    return "".join(parts).encode()


def rules_path(language: str) -> Path:
    """Where that page lies."""
    return ROOT / f"docs/rules.{language}.md"


def placeholders(text: str) -> set[str]:
    """What a template takes: the names in braces, and what click formats the old way. Raises ValueError if broken."""
    return {*_OLD_WAY.findall(text), *(name for _, name, _, _ in string.Formatter().parse(text) if name)}


_OLD_WAY = re.compile(r"%\(\w+\)[a-z]")


def complaints(language: str, wanted: Catalog) -> Iterator[str]:
    """What keeps a catalogue from being finished, each with its sentence."""
    catalog = read(language)
    for message in wanted:
        if message.id and catalog.get(message.id) is None:
            yield f"not in the catalogue (run scripts/messages): {_short(message)}"
    for message in catalog:
        if not message.id:
            continue
        if wanted.get(message.id) is None:
            yield f"stale, no code says it any more (run scripts/messages): {_short(message)}"
        elif message.fuzzy:
            yield f"fuzzy: {_short(message)}"
        else:
            yield from _wrong(message, catalog.num_plurals)
    if catalog.obsolete:
        yield f"{len(catalog.obsolete)} obsolete sentences"


def _wrong(message: Message, plurals: int) -> Iterator[str]:
    ids = [message.id] if isinstance(message.id, str) else [*message.id]
    texts = [message.string] if isinstance(message.string, str) else [*(message.string or ())]
    if not all(texts) or (len(ids) > 1 and len(texts) != plurals):
        yield f"untranslated: {_short(message)}"
        return
    for text, source in zip(texts, ids, strict=True):
        try:
            same = placeholders(text) == placeholders(source)
        except ValueError as error:
            yield f"{error}: {_short(message)}"
        else:
            if not same:
                yield f"other placeholders: {_short(message)}"


def _short(message: Message) -> str:
    text = message.id if isinstance(message.id, str) else message.id[0]
    return repr(text if len(text) < 90 else f"{text[:88]} …")


def _rules_of(language: str, *, check: bool) -> list[str]:
    """Write the page of the rules, or say that it is not current."""
    path, page = rules_path(language), rules_page(language)
    if not check:
        path.write_bytes(page)
    elif not path.exists() or path.read_bytes() != page:
        return [f"{path.relative_to(ROOT)} is not current; run scripts/messages"]
    return []


def main() -> int:
    """Writes what differs, or with --check says what is wrong; gives the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/messages", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail if anything is wrong")
    check: bool = parser.parse_args().check
    wanted = template()
    wrong = 0
    if stale := _rules_of(ENGLISH, check=check):
        print(*stale, sep="\n", file=sys.stderr)
        wrong += 1
    for language in LANGUAGES:
        if language == ENGLISH:
            continue
        po = updated(language, wanted)
        path, compiled = po_path(language), po_path(language).with_suffix(".mo")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(po)
            compiled.write_bytes(as_mo(po))
        found = list(complaints(language, wanted))
        if check and not compiled.exists():
            found.append("there is no compiled catalogue; run scripts/messages")
        elif check and compiled.read_bytes() != as_mo(path.read_bytes()):
            found.append("the compiled catalogue is not current; run scripts/messages")
        if check and not found and path.read_bytes() != po:
            found.append("not as scripts/messages writes it; run it")
        found += _rules_of(language, check=check)
        for each in found:
            print(f"{language}: {each}", file=sys.stderr)
        wrong += len(found)
        print(f"{language}: {sum(1 for message in wanted if message.id)} sentences, {len(found)} complaints")
    return 1 if wrong and check else 0


if __name__ == "__main__":
    sys.exit(main())
