"""docs/games.md, Trophies."""

from __future__ import annotations

import pytest

from bcnet.errors import IllegalStep
from bcnet.games.balloon_cup.actions import Claim, CubesDrawn, Decline
from bcnet.games.balloon_cup.events import ClaimDeclined, GameEnded, TileRefilled, TrophyClaimed
from bcnet.games.balloon_cup.material import Colour
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.interface import Deal, Decide, Over
from tests.games.balloon_cup.positions import act, claim, cubes, go_on, is_refill, legal, news, position

RED, YELLOW, GREEN, BLUE, GREY = Colour


def after_scoring(
    won: tuple[str, str],
    trophies: tuple[str, str] = ("", ""),
    *,
    winner: int = 0,
    cube: str = "r",
    mover: int = 0,
) -> BalloonCupState:
    """Tile 1 with one cube is scored and filled again; ``won`` are the cubes before that."""
    # the low card lies on the side of seat 1
    terrain = "mountain" if winner == 0 else "plains"
    hands = (f"{cube}13", "y2") if mover == 0 else ("y2", f"{cube}13")
    tiles = {1: f"{terrain} {cube} | | {cube}1", 2: "mountain yg"}
    state = act(
        position(tiles, hands, mover=mover, won=won, trophies=trophies, bag="yy"), f"play {cube}13 1 0"
    )
    assert is_refill(state.need, 1)
    return state.apply(CubesDrawn(1, cubes("y")))


# --- natural claims ---


def test_a_trophy_is_taken_at_once_and_by_itself() -> None:
    state = after_scoring(("6r", ""))
    assert state.owners == (0, None, None, None, None)
    assert state.won == (cubes(""), cubes(""))
    assert state.need == Deal((0,))
    assert [type(event) for event in state.news] == [TileRefilled, TrophyClaimed]
    assert news(state, TrophyClaimed) == [TrophyClaimed(0, RED, cubes("7r"), natural=True)]


def test_cubes_beyond_the_price_stay() -> None:
    state = after_scoring(("8r", ""))
    assert state.won[0] == cubes("2r")


@pytest.mark.parametrize(("cube", "price"), [("r", 7), ("y", 6), ("g", 5), ("b", 4), ("e", 3)])
def test_what_a_trophy_costs(cube: str, price: int) -> None:
    assert after_scoring((f"{price - 1}{cube}", ""), cube=cube).trophies(0) == (Colour("rygbe".index(cube)),)
    assert after_scoring((f"{price - 2}{cube}", ""), cube=cube).trophies(0) == ()


def test_paid_cubes_go_to_the_box_and_not_into_the_bag() -> None:
    before = after_scoring(("5r", ""))
    after = after_scoring(("6r", ""))
    assert after.bag == before.bag == cubes("y")
    assert after.box[RED] == before.box[RED] - 1 + 7


def test_natural_claims_go_in_the_order_of_the_colours_and_stop_at_the_third() -> None:
    state = after_scoring(("6r 5g 4b 3e", ""))
    assert [event.trophy for event in news(state, TrophyClaimed) if isinstance(event, TrophyClaimed)] == [
        RED,
        GREEN,
        BLUE,
    ]
    assert state.need == Over((0,), "third-trophy")
    assert state.news[-1] == GameEnded(0, "third-trophy")
    assert state.won[0] == cubes("3e")
    assert state.owners[GREY] is None


def test_a_taken_trophy_is_not_taken_again() -> None:
    state = after_scoring(("6r", ""), ("", "r"))
    assert state.owners == (1, None, None, None, None)
    assert state.won[0] == cubes("7r")
    state = after_scoring(("6r", ""), ("r", ""))
    assert state.won[0] == cubes("7r")


def test_only_the_winner_of_the_scoring_has_natural_claims() -> None:
    """Nobody else can have one in a real game; the test makes up a position in which the loser would."""
    state = after_scoring(("", "3e"))
    assert news(state, TrophyClaimed) == []


# --- three for one ---


@pytest.mark.parametrize(
    ("won", "trophies", "expected"),
    [
        ("3b 2r", ("r", ""), ["claim blue blue=3 red=3"]),
        ("3b 2r", ("", "r"), ["claim blue blue=3 red=3"]),  # taken by either player
        ("2b 5r", ("r", ""), ["claim blue blue=2 red=6"]),
        ("2b 4r", ("r", ""), []),  # five red cubes are one triple
        ("3b 7r", ("r", ""), ["claim blue blue=3 red=3"]),  # eight red cubes are two triples
        ("11r", ("r", ""), ["claim blue red=12", "claim grey red=9"]),  # none of the trophy's own
        ("3b 2e 2r", ("r", ""), ["claim blue blue=3 red=3", "claim grey grey=2 red=3"]),
        # the payer picks the triples, which may have different colours
        (
            "1e 5r 6y",
            ("r", "y"),
            [
                "claim blue red=6 yellow=6",
                "claim grey grey=1 red=6",
                "claim grey grey=1 red=3 yellow=3",
                "claim grey grey=1 yellow=6",
            ],
        ),
        ("3b 3y 2r", ("r", ""), ["claim blue blue=3 red=3"]),  # the yellow trophy is free: no triples of it
        ("3b 2r 1y", ("y", ""), []),  # two of one and one of another are no triple
    ],
)
def test_each_missing_cube_may_be_replaced_by_three_of_a_taken_colour(
    won: str, trophies: tuple[str, str], expected: list[str]
) -> None:
    state = after_scoring((won, ""), trophies)
    if expected:
        assert state.need == Decide(0)
        assert legal(state) == [*expected, "decline"]
    else:
        assert state.need == Deal((0,))


def test_a_three_for_one_claim_is_paid_to_the_box() -> None:
    """docs/games.md, example 3."""
    before = after_scoring(("3b 8r", ""), ("r", ""))
    state = act(before, "claim blue blue=3 red=3")
    assert state.news == (TrophyClaimed(0, BLUE, cubes("3b 3r"), natural=False),)
    assert state.owners[BLUE] == 0
    assert state.won[0] == cubes("6r")
    assert state.bag == before.bag
    assert state.box == tuple(a + b for a, b in zip(before.box, cubes("3b 3r"), strict=True))


@pytest.mark.parametrize(
    ("letter", "payment", "reason"),
    [
        (
            "b",
            "2b 6r",
            "all cubes of the trophy's own colour are used first: 3 blue ones, not 2",
        ),
        (
            "b",
            "3b",
            "the blue trophy costs 4 cubes: 3 of its own and 1 to be replaced by three each, but 0 are replaced",
        ),
        (
            "b",
            "3b 6r",
            "the blue trophy costs 4 cubes: 3 of its own and 1 to be replaced by three each, but 2 are replaced",
        ),
        ("b", "3b 4r", "4 red cubes are no triples: three of one colour stand for one missing cube"),
        ("b", "3b 9r", "9 red cubes cannot be paid: there are 8"),
        ("b", "3b 3y", "yellow cubes cannot stand for others: the yellow trophy is not taken yet"),
        ("r", "7r", "the red trophy is taken: seat 1 has it"),
        ("e", "3e", "3 grey cubes cannot be paid: there are 0"),
    ],
)
def test_wrong_payments_are_refused(letter: str, payment: str, reason: str) -> None:
    state = after_scoring(("3b 7r 4y", ""), ("", "r"))
    with pytest.raises(IllegalStep) as refusal:
        state.apply(claim(letter, payment))
    assert refusal.value.message == reason


@pytest.mark.parametrize("payment", [(0, 0, 0, 3), (3, 0, 0, 3, 0, 0), (-3, 0, 0, 3, 0), ()])
def test_payments_of_another_shape_are_refused(payment: tuple[int, ...]) -> None:
    with pytest.raises(IllegalStep):
        after_scoring(("3b 7r 4y", ""), ("", "r")).apply(Claim(BLUE, payment))  # type: ignore[arg-type]


def test_a_choice_never_compulsory() -> None:
    state = after_scoring(("3b 2r", ""), ("r", ""))
    state = act(state, "decline")
    assert state.news == (ClaimDeclined(0),)
    assert state.owners[BLUE] is None
    assert state.need == Deal((0,))


def test_a_declined_claim_may_be_made_after_a_later_scoring() -> None:
    state = go_on(act(after_scoring(("3b 2r", ""), ("r", "y")), "decline"))
    assert state.mover == 1
    assert state.won[0] == cubes("3b 3r")
    # the other wins the next tile, and seat 0 is asked again
    later = after_scoring(("3b 3r", ""), ("r", "y"), winner=1, cube="g")
    assert later.won[1] == cubes("g")
    assert later.need == Decide(0)
    assert legal(later) == ["claim blue blue=3 red=3", "decline"]


def test_whoever_is_asked_may_make_any_number_of_claims() -> None:
    state = after_scoring(("3b 2e 6r", ""), ("", "r"))
    assert state.need == Decide(0)
    state = act(state, "claim blue blue=3 red=3")
    assert state.need == Decide(0), "asked again"
    assert legal(state) == ["claim grey grey=2 red=3", "decline"]
    state = act(state, "claim grey grey=2 red=3")
    assert state.need == Deal((0,)), "nobody is asked who could claim nothing"


def test_first_the_winner_is_asked_then_the_other_then_it_ends() -> None:
    state = after_scoring(("3b 2r", "2e 3r"), ("", "r"))
    assert state.need == Decide(0)
    state = act(state, "decline")
    assert state.need == Decide(1)
    state = act(state, "decline")
    assert state.need == Deal((0,))


def test_the_winner_is_asked_first_even_if_the_other_laid_the_card() -> None:
    state = after_scoring(("3b 2r", "2e 3r"), ("", "r"), mover=1)
    assert state.need == Decide(0)
    assert act(state, "decline", "decline").need == Deal((1,))
    state = after_scoring(("3b 3r", "2e 2r"), ("", "r"), winner=1)
    assert state.need == Decide(1)
    assert act(state, "decline").need == Decide(0)


def test_whoever_could_claim_nothing_is_passed_over_as_if_having_declined() -> None:
    state = after_scoring(("3b 1r", "2e 3r"), ("", "r"))
    assert state.need == Decide(1)
    assert act(state, "decline").need == Deal((0,))


def test_after_the_others_claim_the_winner_is_asked_again() -> None:
    """The winner declined; the other claims and then declines more; now the winner is asked once more."""
    state = after_scoring(("3b 2r", "2e 6r"), ("", "r"))
    state = act(state, "decline", "claim grey grey=2 red=3")
    assert state.need == Decide(0)
    assert legal(state) == ["claim blue blue=3 red=3", "decline"]
    assert act(state, "decline").need == Deal((0,))


def test_r3_cascade() -> None:
    """The winner claims, then the other, whose trophy makes a colour of the winner's one for triples."""
    state = after_scoring(("3b 4r 3y 4g", "5y 3r"), ("", "r"))
    assert legal(state) == [
        "claim green green=4 red=3",
        "claim blue blue=3 red=3",
        "decline",
    ]
    state = act(state, "claim blue blue=3 red=3")
    assert state.need == Decide(1), "two red cubes are left to seat 0, and no triple"
    state = act(state, "claim yellow yellow=5 red=3")
    assert state.need == Decide(0), "offered again"
    assert legal(state) == ["claim green green=4 yellow=3", "decline"]
    state = act(state, "claim green green=4 yellow=3")
    assert state.trophies(0) == (GREEN, BLUE)
    assert state.trophies(1) == (RED, YELLOW)
    assert state.need == Deal((0,))


def test_r2_a_win_on_the_others_scoring() -> None:
    """Seat 0 scores and takes red; seat 1 turns three red cubes into the missing blue of a third trophy."""
    state = after_scoring(("6r", "3b 3r"), ("", "ye"))
    assert state.owners[RED] == 0
    assert state.need == Decide(1)
    assert legal(state) == ["claim blue blue=3 red=3", "decline"]
    state = act(state, "claim blue blue=3 red=3")
    assert state.need == Over((1,), "third-trophy")
    assert state.news == (
        TrophyClaimed(1, BLUE, cubes("3b 3r"), natural=False),
        GameEnded(1, "third-trophy"),
    )


def test_cubes_of_a_trophy_just_taken_can_pay_for_the_next() -> None:
    state = after_scoring(("9r 3b", ""))
    assert state.owners[RED] == 0
    assert state.won[0] == cubes("3r 3b")
    assert legal(state) == ["claim blue blue=3 red=3", "decline"]


def test_the_game_ends_at_once_with_the_third_trophy() -> None:
    state = after_scoring(("3b 5r", "2e 3r"), ("yg", "r"))
    state = act(state, "claim blue blue=3 red=3")
    assert state.need == Over((0,), "third-trophy")
    with pytest.raises(IllegalStep) as refusal:
        state.apply(Decline())
    assert refusal.value.message == "the game is over (third-trophy)"


def test_a_play_is_refused_while_a_claim_is_asked() -> None:
    state = after_scoring(("3b 2r", ""), ("r", ""))
    with pytest.raises(IllegalStep) as refusal:
        act(state, "play y2 2 0")
    assert refusal.value.message == "seat 0 is asked for a claim now"
