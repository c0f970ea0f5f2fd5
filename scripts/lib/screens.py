"""Screens for the documents, as text and as pictures, taken from programs that really run."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bcnet.cli import cli, settings
from tests.console.terminal import Terminal, terminal

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/screens"
GAME = ROOT / "tests/vectors/transcripts/clean-designer.bct"
TURNS = 7
"""Own turns after which the table is shown: enough lies there then."""

Take = Callable[[str, Terminal], None]
"""Keeps what a terminal shows, under a name."""

ENVIRONMENT = {"BCNET_PROG": "bcnet", "COLORTERM": "truecolor", "COLUMNS": ""}
_BCNET = [sys.executable, "-m", "bcnet"]
_QUIET = ["--no-confirm"] if "confirm" in settings.table(cli) else []


# --- what is shown ---


@contextmanager
def bcnet(home: Path, *words: str) -> Iterator[Terminal]:
    """A bcnet in a terminal of 80 by 24."""
    with terminal([*_BCNET, "--home", str(home), *words], env=ENVIRONMENT) as started:
        yield started


def menu(take: Take, folder: Path) -> None:
    """What bcnet alone shows."""
    with terminal(_BCNET, env=ENVIRONMENT | {"BCNET_HOME": str(folder), "LOGNAME": "anna"}) as shown:
        shown.wait_for("friend has sent:$")
        take("menu", shown)


def game(take: Take, folder: Path) -> None:
    """Anna hosts, Ben's program plays: what she sees while she waits, in mid-game, and when she asks for advice."""
    host = ("host", "--name", "Anna", "--listen", "127.0.0.1:0", "--no-announce", *_QUIET)
    with bcnet(folder / "anna", *host) as anna:
        address, code = anna.wait_for(r"join (127\.0\.0\.1:\d+) (\S{29}) ").groups()
        take("host", anna)
        guest = ("join", address, code, "--name", "Ben", "--bot", "normal")
        with bcnet(folder / "ben", *guest) as ben:
            for turn in range(TURNS):
                _wait_for_turn(anna, ben)
                if turn == TURNS - 1:
                    take("table", anna)
                anna.enter("hint")
                advice = anna.wait_for(r"\b([rygbe]\d+ \d (?:me|them))\b[^>]*: [^>]*>$|\bchoose\b.*>$")[1]
                if turn == TURNS - 1:
                    take("hint", anna)
                anna.enter(advice)
                anna.wait_until(lambda: "Your turn" not in anna.words, "the other's turn")


def _wait_for_turn(mine: Terminal, other: Terminal) -> None:
    def is_asked() -> bool:
        other.update()
        return "Your turn: lay" in mine.words

    mine.wait_until(is_asked, "Your turn")
    mine.update(0.5)


def replay(take: Take, _folder: Path) -> None:
    """A finished game in the middle."""
    with terminal([*_BCNET, "replay", str(GAME)], rows=30, env=ENVIRONMENT) as shown:
        shown.wait_until(lambda: shown.is_alternate, "the replay")
        shown.enter("40")
        shown.wait_for(r"\b40\b")
        shown.update(0.5)
        take("replay", shown)


SCENES: dict[str, tuple[str, ...]] = {
    "menu": ("menu",),
    "game": ("host", "table", "hint"),
    "replay": ("replay",),
}
"""Which screens each function above takes."""
NAMES = tuple(name for names in SCENES.values() for name in names)


# --- how it is kept ---

_WIDE, _HIGH = 8.4, 18
_FONT = 'font-size="14" font-family="ui-monospace,DejaVu Sans Mono,Menlo,Consolas,monospace"'
_PAPER, _INK = "#16181d", "#d8dbe0"
_COLOURS = {
    "black": "#000000", "red": "#c1272d", "green": "#1b9e4b", "brown": "#c9a400", "blue": "#3465d9",
    "magenta": "#9b4dca", "cyan": "#1d9aa5", "white": "#d0d0d0", "brightblack": "#7a7f87", "brightred": "#ff5f5f",
    "brightgreen": "#4be07f", "brightbrown": "#ffe14d", "brightblue": "#6f9bff", "brightmagenta": "#d88cff",
    "brightcyan": "#5fe3ee", "brightwhite": "#ffffff",
}  # fmt: skip


def _colour(name: str, usual: str) -> str:
    if name == "default":
        return usual
    return _COLOURS.get(name, f"#{name}" if re.fullmatch("[0-9a-f]{6}", name) else usual)


def _style(cell: Any) -> tuple[str, str, bool]:
    ink, paper = _colour(cell.fg, _INK), _colour(cell.bg, _PAPER)
    return (paper, ink, cell.bold) if cell.reverse else (ink, paper, cell.bold)


def picture(cells: list[list[Any]]) -> str:
    """A screen as SVG: letters, with their colours."""
    width, height = len(cells[0]) * _WIDE + 16, len(cells) * _HIGH + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" {_FONT}>',
        f'<rect width="100%" height="100%" rx="6" fill="{_PAPER}"/>',
    ]
    for row, line in enumerate(cells):
        column = 0
        for (ink, paper, bold), run in groupby(line, key=_style):
            text = "".join(cell.data for cell in run)
            x, y, wide = 8 + column * _WIDE, 8 + row * _HIGH, len(text) * _WIDE
            column += len(text)
            if paper != _PAPER:
                parts.append(f'<rect x="{x:g}" y="{y}" width="{wide:g}" height="{_HIGH}" fill="{paper}"/>')
            if text.strip():
                weight = ' font-weight="bold"' if bold else ""
                parts.append(
                    f'<text x="{x:g}" y="{y + 14}" fill="{ink}"{weight} textLength="{wide:g}" xml:space="preserve">'
                    f"{escape(text)}</text>"
                )
    return "\n".join((*parts, "</svg>")) + "\n"


def keep(name: str, shown: Terminal) -> None:
    """Store a screen, down to its last line, under both forms."""
    cells = shown.cells
    while not any(cell.data.strip() for cell in cells[-1]):
        cells.pop()
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.txt").write_text("\n".join(shown.lines).rstrip() + "\n", "utf-8")
    (FOLDER / f"{name}.svg").write_text(picture(cells), "utf-8")
    print(f"took {name}")


def main() -> None:
    """Take what is asked for."""
    parser = argparse.ArgumentParser(prog="scripts/screens", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*NAMES, []], metavar="NAME", help=", ".join(NAMES))
    wanted = set(parser.parse_args().names or NAMES)
    for scene, names in SCENES.items():
        if wanted & set(names):
            with tempfile.TemporaryDirectory(prefix="bcnet-screens-") as folder:
                globals()[scene](
                    lambda name, shown: keep(name, shown) if name in wanted else None, Path(folder)
                )


if __name__ == "__main__":
    main()
