"""docs/protocol.md and docs/threats.md against the program: what they list is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bcnet.fairness.deck import StepKind
from bcnet.fairness.errors import Flaw
from bcnet.games.balloon_cup.material import (
    ALL_CUBES,
    CARDS_OF,
    COLOURS,
    LETTERS,
    TROPHY_PRICE,
    VALUE_OF,
    cards_in,
)
from bcnet.names import MAX_NAME_LENGTH, BadName, check_name
from bcnet.table.faults import FaultKind
from bcnet.wire.v1 import log_pb2, table_pb2
from tests.attacks import attackers, refreshers
from tests.attacks.cheats import ATTACKS
from tests.cheaters.tables import tables

ROOT = Path(__file__).resolve().parents[1]
PROTOCOL = (ROOT / "docs/protocol.md").read_text("utf-8")
THREATS = (ROOT / "docs/threats.md").read_text("utf-8")
SOURCES = [
    path
    for folder in ("bcnet", "client", "host", "proto", "tests", "docs")
    for suffix in ("*.py", "*.proto", "*.md")
    for path in (ROOT / folder).rglob(suffix)
]
assert attackers.__doc__
assert refreshers.__doc__


def section(text: str, heading: str) -> str:
    """From one heading of the second level to the next."""
    (found,) = re.findall(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return str(found)


def quoted(text: str) -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", text))


def test_all_domain_tags_are_listed() -> None:
    packages = [ROOT / "bcnet", ROOT / "client", ROOT / "host"]
    code = "\n".join(path.read_text("utf-8") for folder in packages for path in folder.rglob("*.py"))
    used = set(re.findall(r"""(?:tagged_hash|tagged_bytes|\.sign)\(\s*"([a-z-]+)\"""", code))
    used |= set(StepKind)
    rows = re.findall(r"^\| (`[a-z`, -]+`) \| (?:signed|H|B)", section(PROTOCOL, "2 Hashing"), re.MULTILINE)
    assert set().union(*map(quoted, rows)) == used


def test_all_faults_and_flaws_are_listed() -> None:
    faults = section(PROTOCOL, "17 Faults")
    rows = re.findall(r"^\| `([a-z-]+)` \|(.*)\|$", faults, re.MULTILINE)
    for kind, row in rows:
        cells = [cell.strip() for cell in row.split("|")]
        assert len(cells) == 5, kind  # what, caught, named, evidence, accused in return
        assert all(cells), kind
        assert cells[1].startswith("the end" if kind.startswith("audit-") else "arrival")
    kinds = [kind for kind, _ in rows]
    assert sorted(kinds) == sorted(kind.value for kind in FaultKind)
    (flaws,) = re.findall(r"the \*flaw\*:(.*?)It is for people", faults, re.DOTALL)
    assert quoted(flaws) == {flaw.value for flaw in Flaw}


MESSAGES = [
    *log_pb2.DESCRIPTOR.message_types_by_name.values(),
    *table_pb2.DESCRIPTOR.message_types_by_name.values(),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.name)
def test_all_fields_are_listed(message: object) -> None:
    fields = message.fields  # type: ignore[attr-defined]
    name = message.name  # type: ignore[attr-defined]
    text = section(PROTOCOL, "6 Messages") + section(PROTOCOL, "23 Transport")
    (row,) = (
        [line for line in re.split(r"\n(?=\||\n)", text) if line.strip().startswith(f"**{name}**")]
        or re.findall(rf"^\|(?: [0-9]+ `[a-z]+` \|)? {name} \|.*$", text, re.MULTILINE)
    )[:1]
    body = text[text.index(row) :] if name == "Body" else row
    for field in fields:
        assert f"{field.number} `{field.name}`" in body, f"{name}.{field.name}"


def test_the_ranges_of_names_are_those_of_the_program() -> None:
    (block,) = re.findall(r"\(inclusive\):\n\n(.*?)\n\n", section(PROTOCOL, "4 Names"), re.DOTALL)
    listed = re.findall(r"\b([0-9A-F]{4,6})(?:-([0-9A-F]{4,6}))?\b", block.split("and xFFFE")[0])
    ranges = [(int(first, 16), int(last or first, 16)) for first, last in listed]
    ranges += [(plane << 16 | 0xFFFE, plane << 16 | 0xFFFF) for plane in range(1, 0xE)]
    forbidden = {code for first, last in ranges for code in range(first, last + 1)}
    for code in range(0x110000):
        name = f"a{chr(code)}b"
        try:
            check_name(name)
        except BadName:
            assert code in forbidden, hex(code)
        else:
            assert code not in forbidden, hex(code)
    check_name("x" * MAX_NAME_LENGTH)


def test_the_material_is_that_of_the_game() -> None:
    row = r"^\| ([a-z]+) \| `([a-z])` \| (\d+) \| ([0-9 ]+) \| (\d+) \.\. (\d+) \| (\d+) \|$"
    rows = re.findall(row, PROTOCOL, re.MULTILINE)
    found = [
        (
            colour.word,
            LETTERS[colour],
            str(ALL_CUBES[colour]),
            " ".join(str(VALUE_OF[card]) for card in cards_in(CARDS_OF[colour])),
            str(min(cards_in(CARDS_OF[colour]))),
            str(max(cards_in(CARDS_OF[colour]))),
            str(TROPHY_PRICE[colour]),
        )
        for colour in COLOURS
    ]
    assert rows == found


@pytest.mark.parametrize("text", [PROTOCOL, THREATS], ids=["protocol", "threats"])
def test_links_lead_somewhere(text: str) -> None:
    anchors = {
        re.sub(r"[^a-z0-9 -]", "", heading.lower()).strip().replace(" ", "-")
        for heading in re.findall(r"^##+ (.*)$", text, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if target.startswith("#"):
            assert target[1:] in anchors
        else:
            assert (ROOT / "docs" / target).is_file(), target


def test_sections_that_the_code_names_exist() -> None:
    headings = {
        re.sub(r"^\d+ ", "", heading) for heading in re.findall(r"^##+ (.*)$", PROTOCOL, re.MULTILINE)
    }
    for path in SOURCES:
        for name in re.findall(r"protocol\.md, (?:section )?\"([^\"]+)\"", path.read_text("utf-8")):
            assert name in headings, f"{path.relative_to(ROOT)} names a section {name!r}"


def test_every_test_and_cheat_that_the_threats_name_exists() -> None:
    tests = "\n".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py"))
    transcripts = {path.stem for path in (ROOT / "tests/vectors/transcripts").glob("*.bct")}
    cheats = {attack.name for attack in ATTACKS}
    for name in quoted(THREATS):
        if name.startswith("test_"):
            assert f"def {name}(" in tests, name
        elif name.startswith("tests/"):
            assert (ROOT / name).exists(), name
        elif re.match(r"(clean|cheated|incomplete|unreadable)-", name):
            pattern = re.compile(re.escape(name).replace(r"\*", ".*"))
            assert any(pattern.fullmatch(stem) for stem in transcripts), name
    traps = section(THREATS, "Traps") + section(THREATS, "Framing the honest")
    dashed = {name for name in quoted(traps) if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name)}
    assert dashed - transcripts - {"mixed-order-key"} <= cheats


def test_the_threats_name_every_cheat() -> None:
    rows = re.findall(r"^\| [a-z ]*\| (`[^|]*`) \|", section(THREATS, "Named cheats"), re.MULTILINE)
    listed = {name for row in rows for name in quoted(row)}
    assert listed == {attack.name for attack in ATTACKS}


def test_the_threats_hold_the_tables_of_real_cheats() -> None:
    """Made anew by: python -m tests.cheaters."""
    listed = re.findall(r"^\|.*\|$", section(THREATS, "A cheater for real"), re.MULTILINE)
    assert listed == [row for row in tables().splitlines() if row]
