"""Who begins, and who gets which card, over many real tables; the bounds are those of ``tests.fairness.chance``.

Whether streams, permutations and shuffles are uniform is tested where they are made. Here it is what players get of
them: through offer, join, chains, shuffles by both, deal and draw. In half of the tables the guest's random source is
broken (it gives the same seed each time): as long as one seat's source is good, everything is as random as ever.
Each statistic has a biased twin that it rejects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256

import pytest

from bcnet.fairness import beacon
from bcnet.fairness.beacon import Choices
from bcnet.games.interface import Decide
from bcnet.secrets import Secrets
from bcnet.signing import Identity
from bcnet.table.player import Player
from tests.fairness.chance import chi_square, plausible
from tests.table.quick import quick_proofs
from tests.table.room import Room, honest
from tests.toy import DECK, HAND, Toy

TABLES = 200
CARDS = len(DECK)


@contextmanager
def cheap_tables() -> Iterator[None]:
    """No proofs, and chains of 16 links: a set-up needs two draws at most."""
    with quick_proofs(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(beacon, "LINKS", 16)
        yield


def seated(seed: bytes) -> Callable[[int, Secrets, Identity], Player]:
    return lambda seat, _, identity: honest(seat, Secrets(seed), identity)


def set_up(number: int, *, weak: bool) -> tuple[int, list[int], tuple[int, ...]]:
    """Who begins, the order of the deck (top first), and the hand of seat 0, at a table of its own."""
    host = sha256(b"host %d" % number).digest()
    guest = bytes(32) if weak else sha256(b"guest %d" % number).digest()
    room = Room.of(Toy(), seated={0: seated(host), 1: seated(guest)})
    room.settle()
    course = room.players[0].table.course
    assert isinstance(course.state.need, Decide)
    deck = course.deck
    assert deck is not None
    order = list(range(CARDS))
    for player in room.players:
        permutation = deck.move(player.seat.secrets, player.number, 1).permutation
        order = [order[index] for index in permutation]
    hand = room.players[0].view().hand(0).known
    assert set(hand) == set(order[0 : 2 * HAND : 2])  # the deal goes round the table, from the top
    return course.state.need.seat, order, hand


def tables(count: int = TABLES) -> list[tuple[int, list[int], tuple[int, ...]]]:
    with cheap_tables():
        return [set_up(number, weak=number % 2 == 0) for number in range(count)]


@pytest.fixture(scope="module")
def fair() -> list[tuple[int, list[int], tuple[int, ...]]]:
    return tables()


def first_player(results: list[tuple[int, list[int], tuple[int, ...]]]) -> bool:
    """Whether each of two seats begins as often: one degree of freedom."""
    count = Counter(first for first, _, _ in results)
    return chi_square([count[0], count[1]], len(results) / 2) < ONE_DEGREE


ONE_DEGREE = 23.93
"""Exceeded once in a million by a chi-square variable of one degree of freedom."""


def positions(results: list[tuple[int, list[int], tuple[int, ...]]]) -> bool:
    """Whether every card is as often in every position. Rows and columns of the table of counts have fixed sums, which
    leaves (n - 1) squared degrees of freedom, and (n - 1) / n of the usual statistic."""
    count = Counter((place, card) for _, order, _ in results for place, card in enumerate(order))
    cells = [count[place, card] for place in range(CARDS) for card in range(CARDS)]
    statistic = chi_square(cells, len(results) / CARDS) * (CARDS - 1) / CARDS
    return plausible(statistic, (CARDS - 1) ** 2)


def hands(results: list[tuple[int, list[int], tuple[int, ...]]]) -> bool:
    """Whether seat 0 is dealt every card as often: n - 1 degrees of freedom, cards drawn without putting back."""
    count = Counter(card for _, _, hand in results for card in hand)
    expected = len(results) * HAND / CARDS
    statistic = chi_square([count[card] for card in range(CARDS)], expected) * (CARDS - 1) / (CARDS - HAND)
    return plausible(statistic, CARDS - 1)


Statistic = Callable[[list[tuple[int, list[int], tuple[int, ...]]]], bool]


@pytest.mark.statistics
@pytest.mark.parametrize("statistic", [first_player, positions, hands])
def test_fair(statistic: Statistic, fair: list[tuple[int, list[int], tuple[int, ...]]]) -> None:
    assert statistic(fair)
    assert statistic(fair[::2]), "with a guest whose seed is the same each time"


# --- biased twins ---


def lazy(self: Choices, count: int) -> tuple[int, ...]:
    """Three times of four the list stays as it is."""
    return tuple(range(count)) if self.number(2) else _permutation(self, count)


def host_begins_more_often(self: Choices, bound: int) -> int:
    """Three coins, of which the lowest counts."""
    return min(self.number(1) for _ in range(3)) if bound == 2 else _below(self, bound)


_below = Choices.below
_permutation = Choices.permutation


@pytest.mark.statistics
def test_a_coin_that_is_not_fair_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Choices, "below", host_begins_more_often)
    assert not first_player(tables(80))


@pytest.mark.statistics
def test_a_lazy_shuffle_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both seats must be lazy to be seen: one good shuffle makes a good order."""
    monkeypatch.setattr(Choices, "permutation", lazy)
    results = tables(80)
    assert not positions(results)
    assert not hands(results)


@pytest.mark.statistics
def test_two_broken_random_sources_are_rejected() -> None:
    """Where both seats' sources give the same again and again, so do the tables."""
    with cheap_tables():
        results = []
        for _ in range(20):
            room = Room.of(Toy(), seated={0: seated(bytes(32)), 1: seated(bytes(32))})
            room.settle()
            results.append(room.players[0].view().hand(0).known)
    assert len(set(results)) == 1
