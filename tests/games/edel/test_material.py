"""What lies in the box."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from bcnet.games.edel.material import ALL_GEMS, EVENT_CARDS, GEM_CARDS, ROUNDS
from bcnet.games.edel.state import EdelState
from tests.games.edel.positions import GAME, begun, held


def test_gem_cards() -> None:
    assert len(GEM_CARDS) == 30
    assert {card.money for card in GEM_CARDS} == {4, 5, 6, 7}
    assert {sum(card.gems) for card in GEM_CARDS} == {2, 3, 4}
    assert Counter(card.money for card in GEM_CARDS) == {7: 7, 6: 8, 5: 8, 4: 7}


@pytest.mark.parametrize(("seats", "aside"), [(3, 6), (4, 2), (5, 0)])
def test_gem_cards_set_aside(seats: int, aside: int) -> None:
    assert len(GEM_CARDS) - seats * ROUNDS[seats] == aside


def test_event_cards() -> None:
    counts = Counter(card.value for card in EVENT_CARDS)
    assert len(EVENT_CARDS) == 39
    assert counts["certificate"] == 15
    for kind in ("surcharge", "doubler"):
        assert [counts[f"{kind}-{colour}"] for colour in ("red", "yellow", "green", "blue")] == [1] * 4
    assert counts["vault"] == 4
    assert [counts[kind] for kind in ("cash", "jewel-box", "swap", "levy")] == [3] * 4


def test_the_rules_show_the_same_cards_and_say_whose_they_are() -> None:
    kinds = Counter(
        re.sub("-(red|yellow|green|blue)$", "", card.value).replace("-", " ") for card in EVENT_CARDS
    )
    rows = re.findall(r"^ +(\d+) ([a-z ]+?)(?:, one a colour)?  ", GAME.rules, re.MULTILINE)
    assert {kind: int(count) for count, kind in rows} == kinds
    assert re.search(r"^EVENT CARDS\*", GAME.rules, re.MULTILINE)
    assert "two to four gems*" in GAME.rules
    assert "marked * is a house rule" in GAME.rules


def test_everybody_starts_with_three_of_each() -> None:
    assert sum(ALL_GEMS) == 88
    state = EdelState.start(4)
    assert state.holdings == (held("3r 3y 3g 3b"),) * 4
    assert state.supply == (10, 10, 10, 10)


def test_free_choice_is_for_five() -> None:
    def words(seats: int) -> list[str]:
        return [GAME.write(a) for a in begun(*[held("3r")] * seats).legal_actions(0)]

    assert words(4) == ["choose money", "choose event", "choose gems"]
    assert words(5) == ["choose money", "choose event", "choose gems", "choose free"]
