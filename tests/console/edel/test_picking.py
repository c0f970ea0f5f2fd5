"""Choosing by keys, clicks, numbers and lines: that everything can be reached, and that what is foretold comes."""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Iterator

import pytest

from bcnet.games.edel.actions import Accept, ChooseCard, Offer, Swap
from bcnet.games.edel.events import OfferAccepted
from bcnet.games.edel.material import COLOURS
from bcnet.games.edel.state import EdelState, Phase
from bcnet.games.interface import Action, Decide
from bcnet_client.console.edel import FACE
from bcnet_client.console.edel import input as reading
from bcnet_client.console.edel.picked import ACCEPT, Offering
from bcnet_client.console.face import Key, Picked
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import plain, target_at
from tests.console.edel.scenes import GAME, NAMES, clever, first, game, scene_of, state_of
from tests.console.edel.screens import rich, trading
from tests.console.screens import DENSE, WIDE

PICKING = FACE.picking
MOST = 40
"""So many legal actions of a position are tried, where there are more."""


def asked_scenes() -> Iterator[Scene]:
    """Positions of random games, of all kinds of questions, in which the first player decides."""
    for seats in GAME.seats:
        for phase in (
            Phase.CHOOSE,
            Phase.TRADE,
            Phase.EVENT,
            Phase.SWAP,
            Phase.LEVY,
            Phase.VAULT,
            Phase.GEMS,
        ):
            yield first(seats, phase)
    yield from (scene for scene in clever(6, 5)[::3] if scene.asked)
    yield from (rich(5), trading(3, "red=1"), trading(3, "", 1))


SCENES = list(asked_scenes())


def legal(scene: Scene) -> tuple[Action, ...]:
    return state_of(scene).legal_actions(scene.seat)


def some(scene: Scene) -> list[Action]:
    """Legal actions, all of them if there are not too many; the first and the last always."""
    actions = legal(scene)
    if len(actions) <= MOST:
        return list(actions)
    return [actions[0], actions[-1], *random.Random(7).sample(actions, MOST - 2)]


def reachable(scene: Scene, keys: frozenset[Key]) -> set[Action]:
    """All decisions that these keys lead to."""
    decisions: set[Action] = set()
    seen: set[Picked | None] = {None}
    todo: deque[Picked | None] = deque(seen)
    while todo:
        picked = todo.popleft()
        for key in keys:
            found = PICKING.press(key, picked, scene, WIDE)
            if isinstance(found, Action):
                decisions.add(found)
            elif found not in seen:
                seen.add(found)
                todo.append(found)
    return decisions


def clicked(scene: Scene, picked: Picked | None) -> Iterator[Picked | Action | None]:
    """What every place of the table leads to when it is clicked on."""
    targets = set()
    for each in FACE.board(scene, DENSE, picked):
        targets |= {target_at(each, column) for column in range(DENSE.columns)}
    for target in sorted(targets - {""}):
        yield PICKING.click(target, picked, scene)


def reachable_by_clicks(scene: Scene) -> set[Action]:
    decisions: set[Action] = set()
    seen: set[Picked | None] = {None}
    todo: deque[Picked | None] = deque(seen)
    while todo:
        picked = todo.popleft()
        for found in clicked(scene, picked):
            if isinstance(found, Action):
                decisions.add(found)
            elif found not in seen:
                seen.add(found)
                todo.append(found)
    return decisions


def is_small(scene: Scene) -> bool:
    return len(legal(scene)) <= 150


@pytest.mark.parametrize(
    "keys",
    [frozenset(Key), frozenset({Key.LEFT, Key.RIGHT, Key.UP, Key.DOWN, Key.CHOOSE})],
    ids=["all", "arrows"],
)
def test_every_decision_can_be_reached_by_keys_and_no_other(keys: frozenset[Key]) -> None:
    assert sum(map(is_small, SCENES)) > 30
    for scene in filter(is_small, SCENES):
        assert reachable(scene, keys) == set(legal(scene))


def test_every_decision_can_be_reached_by_clicks_and_no_other() -> None:
    for scene in filter(lambda each: len(legal(each)) <= 70, SCENES):
        assert reachable_by_clicks(scene) == set(legal(scene))


def test_every_offer_of_many_gems_can_be_marked() -> None:
    """Where there are thousands: from nothing picked to any of them, colour by colour."""
    scene = max(SCENES, key=lambda each: len(legal(each)))
    for action in some(scene):
        picked = PICKING.press(Key.RIGHT, None, scene, WIDE)
        for colour in COLOURS:
            if not isinstance(action, Offer):
                continue
            for _ in range(30):
                assert isinstance(picked, Offering)
                assert picked.at == colour
                if picked.gems[colour] == action.gems[colour]:
                    break
                key = Key.UP if picked.gems[colour] < action.gems[colour] else Key.DOWN
                picked = PICKING.press(key, picked, scene, WIDE)
            if colour < COLOURS[-1]:
                assert not isinstance(picked, Action)
                picked = PICKING.press(Key.RIGHT, picked, scene, WIDE)
        if isinstance(action, Offer):
            assert isinstance(picked, Offering)
            assert PICKING.press(Key.CHOOSE, picked, scene, WIDE) == action


def test_every_decision_can_be_typed_and_has_its_number() -> None:
    for scene in SCENES:
        asked = reading.asked_of(scene)
        assert asked is not None
        assert set(asked.answers) == set(legal(scene))
        for action in some(scene):
            assert FACE.read(reading.write(action, scene.names), scene) == action
            assert FACE.read(GAME.write(action), scene) == action
            assert FACE.read(str(asked.answers.index(action) + 1), scene) == action


def test_the_list_of_moves_has_the_numbers_that_are_read() -> None:
    for scene in SCENES:
        rows = [plain(each) for each in FACE.moves(scene, 78)]
        for row in rows:
            if found := re.match(r" *(\d+)\) accept", row):
                assert FACE.read(found[1], scene) == Accept()
        numbers = [int(found[1]) for row in rows if (found := re.match(r" *(\d+)\) ", row))]
        assert numbers == list(range(1, min(60, len(legal(scene))) + 1))
        assert all(len(row) <= 78 for row in rows)


def test_what_is_typed_is_picked_and_stands_for_the_decision() -> None:
    for scene in SCENES:
        for action in some(scene):
            picked = PICKING.standing_for(action, scene)
            assert picked is not None
            assert PICKING.typed(reading.write(action, scene.names), scene) == picked
            assert PICKING.press(Key.CHOOSE, picked, scene, WIDE) == action


def test_every_decision_is_foretold_and_asked_about() -> None:
    for scene in SCENES:
        bare = FACE.call(scene)
        for action in some(scene):
            foreseen = FACE.call(scene, PICKING.standing_for(action, scene))
            assert foreseen
            assert foreseen != bare
            assert FACE.confirm(action, scene).endswith("Esc goes back.")


def test_the_example_of_a_call_can_be_typed() -> None:
    for scene in SCENES:
        if found := re.search(r"as in (.+)$", FACE.call(scene)):
            assert FACE.read(found[1], scene) in legal(scene)


def test_what_is_completed_leads_to_a_decision() -> None:
    """Word after word that completion offers, until the line can be read."""
    for scene in SCENES:
        line, rng = "", random.Random(3)
        for _ in range(4):
            found = FACE.complete(line, scene)
            if not found:
                break
            line += rng.choice(found).text + " "
        assert line
        asked = reading.asked_of(scene)
        assert asked is not None
        if asked.phase is not Phase.TRADE and asked.phase is not Phase.GEMS:
            assert FACE.read(line, scene) in legal(scene)


def test_an_offer_that_is_too_low_stays_picked_and_says_so() -> None:
    scene = trading(3, "red=1, red=1 blue=1, red=2")
    low = Offering(0, (1, 0, 0, 0))
    assert PICKING.press(Key.CHOOSE, low, scene, WIDE) == low
    assert "too low" in FACE.call(scene, low)
    assert "Space adds one" in FACE.call(scene, Offering(0, (0, 0, 0, 0)))


def test_who_must_accept_is_foretold() -> None:
    """Bob has two red, five yellow and two green gems: all of Ann's are more than he can offer."""
    scene = trading(3, "red=1")
    everything = Offer((4, 3, 1, 2))
    assert "cannot offer more" in FACE.call(scene, PICKING.standing_for(everything, scene))
    after = state_of(scene).apply(everything)
    (accepted,) = (event for event in after.news if isinstance(event, OfferAccepted))
    assert accepted.forced
    assert "or offers more" in FACE.call(scene, PICKING.standing_for(Offer((2, 0, 0, 0)), scene))


def test_accepting_is_one_key_away() -> None:
    scene = trading(3, "red=1")
    picked = PICKING.press(Key.LEFT, None, scene, WIDE)
    assert isinstance(picked, Offering)
    assert picked.at == ACCEPT
    assert PICKING.press(Key.CHOOSE, picked, scene, WIDE) == Accept()


def test_nothing_is_picked_where_nobody_asks() -> None:
    for scene in (trading(4, "red=1", 2), rich(5, sealed=(0,)), clever(4, 3)[-1]):
        assert not scene.asked
        assert PICKING.typed("money", scene) is None
        assert PICKING.standing_for(ChooseCard(state_of(scene).action_cards[0]), scene) is None
        assert all(PICKING.press(key, None, scene, WIDE) is None for key in Key)
        assert PICKING.click("answer:0", None, scene) is None
        assert PICKING.keys(None, scene) == ""
        assert FACE.complete("", scene) == []
        assert FACE.call(scene) == ""


def test_keys_are_said_in_36_columns() -> None:
    assert all(0 < len(PICKING.keys(None, scene)) <= 36 for scene in SCENES)


def test_back_gives_everything_up() -> None:
    for scene in SCENES:
        picked = PICKING.press(Key.RIGHT, None, scene, WIDE)
        assert not isinstance(picked, Action)
        assert PICKING.press(Key.BACK, picked, scene, WIDE) is None


def test_what_was_picked_for_another_question_means_nothing() -> None:
    swap, offer = first(3, Phase.SWAP), trading(3, "red=1")
    swapping = PICKING.standing_for(_first_swap(swap), swap)
    assert PICKING.press(Key.CHOOSE, swapping, offer, WIDE) is None
    assert FACE.call(rich(), Offering(0, (1, 0, 0, 0))) == FACE.call(rich())


def _first_swap(scene: Scene) -> Swap:
    action = legal(scene)[0]
    assert isinstance(action, Swap)
    return action


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_whole_game_by_keys_alone(seats: int) -> None:
    """Whoever presses keys at random and then Enter plays a game to its end."""
    rng = random.Random(seats)

    def by_keys(state: object, seat: int, _rng: random.Random) -> Action:
        assert isinstance(state, EdelState)
        scene = scene_of(state, seat, names=NAMES)
        picked: Picked | None = None
        for _ in range(200):
            keys = [Key.CHOOSE] if picked is not None and rng.random() < 0.4 else list(Key)[:7]
            found = PICKING.press(rng.choice(keys), picked, scene, WIDE)
            if isinstance(found, Action):
                return found
            picked = found
        raise AssertionError("keys lead nowhere")

    scenes = list(game(seats, seats, bots=(by_keys,) * seats))
    assert not isinstance(state_of(scenes[-1]).need, Decide)
    assert state_of(scenes[-1]).result is not None
