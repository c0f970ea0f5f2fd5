"""The screens in docs/screens: all that scripts/screens takes, no others, and documents show only what is there."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from tests.console.terminal import terminal

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs/screens"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("screens_script", ROOT / "scripts/lib/screens.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_those_that_the_script_takes(script: ModuleType) -> None:
    wanted = {f"{name}{suffix}" for name in script.NAMES for suffix in (".txt", ".svg")}
    assert {path.name for path in FOLDER.iterdir()} == wanted
    assert all(callable(getattr(script, scene)) for scene in script.SCENES)


def test_documents_show_screens_that_are_there_and_every_screen_is_shown() -> None:
    shown = set()
    for document in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\(([^)]*screens/[^)]*)\)", document.read_text("utf-8")):
            path = (document.parent / link).resolve()
            assert path.is_file(), f"{document.name}: {link}"
            shown.add(path.stem)
    assert shown == {path.stem for path in FOLDER.iterdir()}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.svg")), ids=lambda path: path.stem)
def test_a_picture_has_the_letters_of_its_text(path: Path) -> None:
    root = ET.parse(path).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    rows: dict[str, str] = {}
    for each in root.iter("{http://www.w3.org/2000/svg}text"):
        rows[each.attrib["y"]] = rows.get(each.attrib["y"], "") + (each.text or "")
    text = path.with_suffix(".txt").read_text("utf-8")
    assert "".join("".join(rows.values()).split()) == "".join(text.split())


def test_screens_say_nothing_of_the_machine() -> None:
    for path in FOLDER.iterdir():
        assert not re.search(r"/(tmp|home|root|work)\b|python3 -m", path.read_text("utf-8")), path.name


def test_colours_and_letters_are_kept(script: ModuleType) -> None:
    letters = r"\033[31mred\033[0m \033[7mturned\033[0m \033[38;2;1;2;3m<&\033[0m \033[1mbold\033[0m"
    with terminal(["sh", "-c", f"printf '{letters}'"], columns=30, rows=2) as shown:
        assert shown.finish() == 0
        text = script.picture(shown.cells)
    ET.fromstring(text)
    assert re.search(r'fill="#c1272d"[^>]*>red<', text)
    assert re.search(rf'fill="{script._PAPER}"[^>]*>turned<', text)
    assert re.search(r'fill="#010203"[^>]*>&lt;&amp;<', text)
    assert re.search(r'font-weight="bold"[^>]*>bold<', text)


@pytest.mark.end_to_end
def test_the_script_takes_them_anew(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "FOLDER", tmp_path / "screens")
    monkeypatch.setattr(sys, "argv", ["screens", *script.NAMES])
    script.main()
    for path in FOLDER.iterdir():
        assert (tmp_path / "screens" / path.name).stat().st_size > 0
    assert "pile" in (tmp_path / "screens/table.txt").read_text("utf-8")
    # What does not change from run to run is as it was committed.
    for name in ("menu.txt", "replay.txt"):
        assert (tmp_path / "screens" / name).read_text("utf-8") == (FOLDER / name).read_text("utf-8"), name
