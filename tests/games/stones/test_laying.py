"""Where stones may be laid, and what a refusal says."""

from __future__ import annotations

import pytest

from bcnet.errors import IllegalStep
from bcnet.games.interface import Chance, Decide
from bcnet.games.stones.actions import Lay
from bcnet.games.stones.field import Field
from bcnet.games.stones.material import Colour
from tests.games.stones.positions import GAME, act, field, on, start


@pytest.mark.parametrize(
    ("lying", "move", "reason"),
    [
        (field(), "lay red 1 0", "the first stone is laid at 0 0, not at 1 0"),
        (field("r"), "lay black 0 0", "there is a stone at 0 0 already"),
        (
            field("r"),
            "lay black 1 1",
            "no stone lies next to 1 1: a stone touches another with a side",
        ),
        (field("r b r b r b"), "lay red 6 0", "a stone at 6 0 would make the field larger than 6 by 6"),
        (field("r b r b r b"), "lay black -1 0", "a stone at -1 0 would make the field larger than 6 by 6"),
        (field("r"), "lay red 1 0", "the stone next to 1 0 is red too"),
        # a new stone with three neighbours of a colour
        (field("r . r", "b r b"), "lay white 1 1", "a stone at 1 1 would have more than two red neighbours"),
        # an old stone would get its third
        (field(". r .", "r b ."), "lay red 2 0", "the stone at 1 0 has two red neighbours already"),
        (
            field("b w b r", "w b r b", "b r b w", "r b w b"),
            "lay red 4 4",
            "no stone lies next to 4 4: a stone touches another with a side",
        ),
        (
            field(". . . b .", "b w b r b", "w b r b w", "b r b w b", "r b w b w"),
            "lay red 4 4",
            "with 4 4 more than three red stones would lie in one diagonal",
        ),
        (
            field("r b w b", "b r w b", "w b . .", "b w b r"),
            "lay red 2 1",
            "with 2 1 more than three red stones would lie in one diagonal",
        ),
    ],
)
def test_refused(lying: Field, move: str, reason: str) -> None:
    state = on(Field(lying.span, tuple(stone._replace(seat=1) for stone in lying.stones)), 0)
    with pytest.raises(IllegalStep) as refusal:
        act(state, move)
    assert refusal.value.message == reason
    assert GAME.parse(move) not in state.legal_actions(0)


def test_two_neighbours_of_a_colour_are_allowed() -> None:
    assert act(on(field("r . r", seat=1), 0), "lay white 1 0").points == (8, 0)
    assert field(". r .", ". b .").may_lie(Colour.RED, (1, -1))


def test_three_in_a_diagonal_are_allowed() -> None:
    assert field(". . b", "b r b", "r b w").may_lie(Colour.RED, (2, 2)) is False, "there is a stone"
    assert field(". b .", "b r b", "r b w").may_lie(Colour.RED, (2, 2))


def test_a_gap_breaks_a_diagonal() -> None:
    lying = field("b w b .", "w b . b", "b r b w", "r b w b")
    assert lying.may_lie(Colour.RED, (3, 3))


def test_the_middle_is_where_the_stones_are() -> None:
    """The same span to the left, to the right, up and down."""
    for column, row in ((-5, 0), (5, 0), (0, 5), (0, -5)):
        state = start()
        step = (column > 0) - (column < 0), (row > 0) - (row < 0)
        moves = [f"lay {'red' if at % 2 else 'black'} {step[0] * at} {step[1] * at}" for at in range(6)]
        state = act(state, *moves)
        with pytest.raises(IllegalStep, match="larger than 6 by 6"):
            act(state, f"lay grey {step[0] * 6} {step[1] * 6}")
        with pytest.raises(IllegalStep, match="larger than 6 by 6"):
            act(state, f"lay grey {-step[0]} {-step[1]}")


@pytest.mark.parametrize(("seats", "span"), [(2, 6), (3, 7), (4, 8)])
def test_the_span_depends_on_the_players(seats: int, span: int) -> None:
    assert start(seats).field.span == span


def test_a_seat_has_three_stones_of_each_colour() -> None:
    state = on(field("r b r b r", ". . . . w"), 0)
    assert state.supply(0) == (0, 1, 3, 2)
    assert not [a for a in state.legal_actions(0) if isinstance(a, Lay) and a.colour is Colour.RED]
    with pytest.raises(IllegalStep) as refusal:
        act(state, "lay red 3 1")
    assert refusal.value.message == "seat 0 has no stone of that colour left"


def test_chance_says_who_starts_and_turns_go_round() -> None:
    state = GAME.initial(3, {})
    assert state.need == Chance("first player")
    assert [state.sample(lambda _n, seat=seat: seat).seat for seat in range(3)] == [0, 1, 2]  # type: ignore[attr-defined,misc]
    begun = start(3, first=2)
    assert begun.need == Decide(2)
    assert act(begun, "lay red 0 0").need == Decide(0)
    assert act(begun, "lay red 0 0", "lay black 1 0").need == Decide(1)
