"""Vectors of what the game adds: how cubes are drawn, and the notation of actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bcnet.fairness.beacon import Choices
from bcnet.games.balloon_cup.fill import FillRule, draw_cubes
from bcnet.games.balloon_cup.material import Cubes
from bcnet.games.balloon_cup.tiles import EMPTY_TILES, Tile
from tests.vectors.make.scribe import fixed

Json = dict[str, Any]


def files() -> Iterator[tuple[str, Json]]:
    """The name of each file and what stands in it."""
    yield "fill", _fill()
    yield "notation", _notation()


def _fill() -> Json:
    full: Cubes = (13, 11, 9, 7, 5)
    no_red: Cubes = (0, 2, 3, 5, 4)
    poor: Cubes = (0, 0, 0, 2, 3)
    used = (
        Tile(1, EMPTY_TILES[0].terrain, (1, 0, 0, 0, 0), (0, 0), True),
        Tile(2, EMPTY_TILES[1].terrain, (0, 0, 0, 1, 1), (0, 0), True),
        Tile(3, EMPTY_TILES[2].terrain, (0, 1, 0, 1, 1), (0, 0), True),
        EMPTY_TILES[3],
    )
    cases: list[tuple[FillRule, int, Sequence[Tile], Cubes]] = [
        (FillRule.DESIGNER, 1, EMPTY_TILES, full),
        (FillRule.DESIGNER, 4, EMPTY_TILES, full),
        (FillRule.DESIGNER, 4, EMPTY_TILES, no_red),
        (FillRule.DESIGNER, 4, EMPTY_TILES, poor),
        (FillRule.DESIGNER, 3, EMPTY_TILES, poor),
        (FillRule.BLIND, 4, EMPTY_TILES, poor),
        (FillRule.BLIND, 4, EMPTY_TILES, full),
        (FillRule.CAPPED, 4, used, full),
        (FillRule.CAPPED, 4, used, no_red),
        (FillRule.CAPPED, 4, used, poor),
    ]
    listed = []
    for number, (rule, tile, tiles, bag) in enumerate(cases):
        key = fixed("fill", number)
        choices = Choices(key)
        calls: list[list[int]] = []

        def below(bound: int, choices: Choices = choices, calls: list[list[int]] = calls) -> int:
            calls.append([bound, choices.below(bound)])
            return calls[-1][1]

        cubes = draw_cubes(rule, tiles[tile - 1], tiles, bag, below)
        listed.append(
            {
                "fill": rule.value,
                "tile": tile,
                "on_tiles": [list(t.cubes) for t in tiles],
                "bag": list(bag),
                "key": key.hex(),
                "below": calls,
                "cubes": list(cubes),
            }
        )
    return {"colours": ["red", "yellow", "green", "blue", "grey"], "draws": listed}


def _notation() -> Json:
    allowed = [
        "play r13 2 0",
        "play e4 4 1",
        "exchange",
        "exchange r1",
        "exchange r1 y2 g4 e4",
        "pass",
        "decline",
        "claim blue blue=4",
        "claim blue blue=3 red=3",
        "claim blue red=6 yellow=6",
        "claim red red=45",
        "claim grey",
        "claim green yellow=3",
    ]
    refused = {
        "empty": "",
        "case": "Play r13 2 0",
        "two-spaces": "play  r13 2 0",
        "space-first": " pass",
        "space-last": "pass ",
        "line-feed": "pass\n",
        "tab": "play\tr13 2 0",
        "unknown": "resign",
        "word-more": "pass now",
        "word-less": "play r13 2",
        "tile-0": "play r13 0 0",
        "tile-5": "play r13 5 0",
        "side-2": "play r13 2 2",
        "leading-zero": "play r13 02 0",
        "card-leading-zero": "play r01 2 0",
        "card-that-is-not": "play y4 2 0",
        "card-by-name": "play red-13 2 0",
        "grey-letter": "play x4 2 0",
        "fullwidth": "play r\uff11 2 0",
        "exchange-unsorted": "exchange y2 r1",
        "exchange-by-text": "exchange r10 r2",
        "exchange-twice": "exchange r1 r1",
        "exchange-five": "exchange r1 r2 r3 r4 r5",
        "claim-nothing-named": "claim",
        "claim-zero": "claim red red=0",
        "claim-46": "claim red red=46",
        "claim-leading-zero": "claim red red=07",
        "claim-plus": "claim red red=+7",
        "claim-order": "claim blue red=3 blue=3",
        "claim-order-of-others": "claim blue blue=3 yellow=3 red=3",
        "claim-twice": "claim blue blue=1 blue=2",
        "claim-letter": "claim b b=3",
        "claim-space": "claim red red =7",
        "decline-more": "decline red",
    }
    return {"allowed": allowed, "refused": [{"class": why, "text": text} for why, text in refused.items()]}
