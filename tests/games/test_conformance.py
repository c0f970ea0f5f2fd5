"""Every registered game keeps to the interface: see `conformance`."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Mapping

import pytest

from bcnet.cli.play import BOTS, host
from bcnet.errors import IllegalStep, MalformedNotation, UsageError
from bcnet.games import get, names
from bcnet.games.interface import Exhausted, Game, Over, Resigned, State, deciding
from bcnet.games.simulate import play, walk
from tests.games import conformance, playthrough, saves, sayings
from tests.games.conformance import Tracks

SEEDS = (8, 23, 24, 26)
"""In these games of Balloon Cup there are claims, exchanges, passes and a draw; the next test watches over it."""


def kinds() -> Iterator[tuple[str, int, dict[str, str]]]:
    """Every game with every number of seats and every combination of options."""
    for name in names():
        game = get(name)
        for seats in game.seats:
            for values in itertools.product(*game.options.values()):
                yield name, seats, dict(zip(game.options, values, strict=True))


KINDS = list(kinds())


@pytest.mark.timeout(
    240
)  # where a trade can go on in thousands of ways, and the machine has other things to do
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("name", "seats", "options"), KINDS)
def test_a_random_game_keeps_to_the_interface(
    name: str, seats: int, options: dict[str, str], seed: int
) -> None:
    game = get(name)
    conformance.check_game(game, seats, options, seed)


@pytest.mark.timeout(240)
@pytest.mark.parametrize("name", names())
def test_every_kind_of_action_comes_up_in_these_games(name: str) -> None:
    game = get(name)
    everywhere, here = set(), set()
    for seats in game.seats:
        for seed in range(12):
            for state in play_all(game, seats, seed):
                everywhere |= {type(action) for seat in range(seats) for action in state.legal_actions(seat)}
        for seed in SEEDS:
            tracks = Tracks(game, seats, {}, seed)
            for _ in tracks.play():
                here |= {type(a) for seat in tracks.seats for a in tracks.full.legal_actions(seat)}
    assert everywhere <= here


def play_all(game: Game, seats: int, seed: int) -> Iterator[State]:
    """The positions of a random game."""
    for _, state in walk(game.initial(seats, {}), random.Random(seed)):
        yield state


@pytest.mark.parametrize(("name", "seats", "options"), KINDS)
def test_the_same_seed_gives_the_same_game(name: str, seats: int, options: dict[str, str]) -> None:
    game = get(name)
    first, second = (play(game, random.Random(5), seats=seats, options=options) for _ in range(2))
    assert first.steps == second.steps
    assert first.events == second.events
    other = play(game, random.Random(6), seats=seats, options=options)
    assert other.steps != first.steps


@pytest.mark.parametrize(("name", "seats", "options"), KINDS)
def test_a_game_goes_on_from_a_saved_position(name: str, seats: int, options: dict[str, str]) -> None:
    game = get(name)
    states = [state for _, state in walk(game.initial(seats, options), random.Random(3))]
    halfway = game.load(json.loads(json.dumps(game.save(states[len(states) // 2]))))
    *_, (_, last) = walk(halfway, random.Random(4))
    assert isinstance(last.need, Over)


@pytest.mark.parametrize(("name", "seats", "options"), KINDS)
def test_bots_see_their_view_and_choose_what_is_legal(name: str, seats: int, options: dict[str, str]) -> None:
    game = get(name)
    assert set(game.bots) == set(BOTS)
    for level, bot in game.bots.items():
        if level == "hard":
            continue  # slow: test_search.py shortens it
        tracks = Tracks(game, seats, options, 1)
        for need in tracks.play():
            for seat in deciding(need):
                view = tracks.own[seat]
                action = bot(view, seat, random.Random(7))
                assert action in view.legal_actions(seat)
                assert action == bot(view, seat, random.Random(7)), "a bot has no other source of chance"


@pytest.mark.parametrize("name", names())
def test_wrong_seats_and_options_are_refused(name: str) -> None:
    game = get(name)
    for seats in (0, 1, game.seats.stop, -1):
        if seats not in game.seats:
            with pytest.raises(IllegalStep) as refusal:
                game.initial(seats, {})
            sayings.check_refusal(game, refusal.value)
    for options in ({"no such option": ""}, *({option: "no such value"} for option in game.options)):
        with pytest.raises(IllegalStep) as refusal:
            game.initial(game.seats[0], options)
        sayings.check_refusal(game, refusal.value)
    assert game.initial(game.seats[0], {}) == game.initial(
        game.seats[0], {option: values[0] for option, values in game.options.items()}
    )


@pytest.mark.parametrize("name", names())
def test_names_are_what_others_build_on(name: str) -> None:
    game = get(name)
    assert game.name == name
    assert game.title
    assert len(game.deck) == len(set(game.deck)) <= 255
    assert all(card.isascii() for card in game.deck)
    assert game.rules
    assert game.notation


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(
    "text", ["", " ", "\n", "play", "no such word", "\x00", "é" * 10, "1" * 5000, "play play play play"]
)
def test_what_is_no_notation_is_refused(name: str, text: str) -> None:
    game = get(name)
    with pytest.raises(MalformedNotation) as refusal:
        game.parse(text)
    sayings.check_refusal(game, refusal.value)


@pytest.mark.parametrize(("name", "seats", "options"), KINDS)
def test_damaged_saves_are_refused(name: str, seats: int, options: dict[str, str]) -> None:
    """At the beginning, in the middle and at the end, and where somebody has resigned."""
    game = get(name)
    first = game.initial(seats, options)
    states = [first, *(state for _, state in walk(first, random.Random(2)))]
    middle = states[len(states) // 2]
    for state in (first, middle, states[-1], middle.apply(Resigned((0,)))):
        saves.check_damaged(game, state)


@pytest.mark.parametrize(("name", "seats", "options"), KINDS)
def test_the_rows_of_records_are_documented(name: str, seats: int, options: dict[str, str]) -> None:
    game = get(name)
    played = play(game, random.Random(9), seats=seats, options=options)
    simple = play(game, random.Random(9), seats=seats, options=options, bots=(game.bots["normal"],) * seats)
    half = played.steps[: len(played.steps) // 2]
    ends = (Resigned((1,)), Resigned(tuple(range(seats))), Exhausted())
    for taken in (played.steps, simple.steps, *((*half, end) for end in ends)):
        sayings.check_documented(game, sayings.check_record(game, played.first, taken))


def test_every_option_has_a_name_of_its_own() -> None:
    options = {name: tuple(get(name).options) for name in names()}
    assert shared(options) == {}
    assert shared({**options, "copy": ("fill", "penalties", "more")}) == {
        "fill": ["balloon-cup", "copy"],
        "penalties": ["stones", "copy"],
    }
    assert shared({"eleven": ("game", "bot")}) == {"game": ["host", "eleven"], "bot": ["host", "eleven"]}


def shared(options: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """The options that two games have, or that a command has for all games: by whom."""
    by_whom: dict[str, list[str]] = {}
    of_all = {each.removeprefix("--") for option in host.params for each in option.opts}
    for option in of_all - {option for name in names() for option in get(name).options}:
        by_whom[option] = ["host"]
    for name, own in options.items():
        for option in own:
            by_whom.setdefault(option, []).append(name)
    return {option: games for option, games in by_whom.items() if len(games) > 1}


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UsageError) as refusal:
        get("no-such-game")
    assert refusal.value.message == "there is no game 'no-such-game'"
    assert "balloon-cup" in refusal.value.hint


# --- golden playthroughs ---


@pytest.mark.parametrize("name", names())
def test_every_game_has_a_golden_playthrough(name: str) -> None:
    assert any(played.game == name for played in playthrough.PLAYTHROUGHS)


@pytest.mark.parametrize("played", playthrough.PLAYTHROUGHS, ids=lambda played: played.path.stem)
def test_golden_playthroughs_are_current(played: playthrough.Playthrough) -> None:
    golden = played.path.read_text(encoding="utf-8")
    assert playthrough.write(played) == golden, "run scripts/playthroughs and read what changed"


def test_no_other_file_lies_with_the_golden_playthroughs() -> None:
    assert set(playthrough.FOLDER.iterdir()) == {played.path for played in playthrough.PLAYTHROUGHS}


def test_the_suite_has_a_game_to_test() -> None:
    assert all(isinstance(get(name), Game) for name in names())
    assert names()[0] == "balloon-cup"
