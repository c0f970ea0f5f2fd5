"""Golden playthroughs: whole random games as text, so that every change of the rules shows as a change of a file.

``scripts/playthroughs`` writes them, ``scripts/playthroughs --check`` and a test compare. Each position has its need,
the legal actions, the step taken and the news; at the end stand the last position and the record.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from bcnet.games import registry
from bcnet.games.interface import Action, Choose, Chosen, Deal, Dealt, Decide, Event, Game, Shuffle, Shuffled
from bcnet.games.simulate import walk

FOLDER = Path(__file__).parent / "playthroughs"
MOST_LISTED = 40
"""Where there are more legal actions, only their number, the first and the last are written."""


class Playthrough(NamedTuple):
    game: str
    seats: int
    options: Mapping[str, str]
    seed: int

    @property
    def path(self) -> Path:
        options = "".join(f"-{value}" for value in self.options.values())
        return FOLDER / f"{self.game}-{self.seats}{options}-{self.seed}.txt"


# Together these have every kind of event but a resignation, and two ways to end.
PLAYTHROUGHS = (
    Playthrough("balloon-cup", 2, {"fill": "designer"}, 23),
    Playthrough("balloon-cup", 2, {"fill": "blind"}, 7),
    Playthrough("balloon-cup", 2, {"fill": "capped"}, 27),
    Playthrough("stones", 2, {"penalties": "off"}, 1),
    Playthrough("stones", 3, {"penalties": "on"}, 2),
    Playthrough("stones", 4, {"penalties": "off"}, 3),
    Playthrough("edel", 3, {}, 1),
    Playthrough("edel", 4, {}, 2),
    Playthrough("edel", 5, {}, 3),
)


def write(played: Playthrough) -> str:
    """The text of a playthrough."""
    return "\n".join(_lines(played)) + "\n"


def _lines(played: Playthrough) -> Iterator[str]:
    game = registry.get(played.game)
    yield f"game {played.game}, {played.seats} seats, {dict(played.options)}, seed {played.seed}"
    state = game.initial(played.seats, played.options)
    events: list[Event] = []
    for number, (step, after) in enumerate(walk(state, random.Random(played.seed)), start=1):
        yield ""
        match state.need:
            case Shuffle(cards):
                yield f"{number} shuffle {len(cards)}"
            case Deal(seats):
                yield f"{number} deal to {', '.join(map(str, seats))}"
            case Decide(seat):
                yield f"{number} seat {seat} decides"
                yield _legal(game, state.legal_actions(seat))
            case Choose(seats):
                for seat in seats:
                    yield f"{number} seat {seat} chooses"
                    yield _legal(game, state.legal_actions(seat))
            case need:
                yield f"{number} {need}"
        match step:
            case Action():
                yield f"  step: {game.write(step)}"
            case Chosen(actions):
                yield f"  step: {' | '.join(map(game.write, actions))}"
            case Shuffled(order):
                yield f"  step: {' '.join(game.deck[card] for card in order or ())}"
            case Dealt(faces):
                yield f"  step: {' '.join(game.deck[card] for card in faces if card is not None)}"
            case _:
                yield f"  step: {step}"
        for event in after.news:
            yield f"  news: {event}"
        events += after.news
        state = after
    yield ""
    yield str(state.need)
    yield "last position"
    yield json.dumps(game.save(state), indent=1)
    yield "record"
    recorded = game.record(events)
    for key, value in recorded.items():
        if isinstance(value, list):
            yield f"{key}:"
            yield from (f"  {json.dumps(item)}" for item in value)
        else:
            yield f"{key}: {json.dumps(value)}"


def _legal(game: Game, actions: tuple[Action, ...]) -> str:
    texts = list(map(game.write, actions))
    if len(texts) > MOST_LISTED:
        return f"  {len(texts)} legal: {texts[0]} … {texts[-1]}"
    return f"  {len(texts)} legal: {' · '.join(texts)}"


def main(arguments: list[str]) -> int:
    """Write all playthroughs, or with --check compare them."""
    if arguments not in ([], ["--check"]):
        print("usage: scripts/playthroughs [--check]", file=sys.stderr)  # noqa: T201
        return 64
    status = 0
    expected = {played.path: write(played) for played in PLAYTHROUGHS}
    for path in sorted({*expected, *FOLDER.glob("*.txt")}):
        text = expected.get(path)
        current = path.read_text(encoding="utf-8") if path.exists() else None
        if text == current:
            continue
        if arguments:
            print(f"{path.name} is not what the rules give now")  # noqa: T201
            status = 1
        elif text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.name}")  # noqa: T201
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
