"""Whether chance is fair: chi-square tests with fixed seeds; see tests/fairness/chance.py for the bound.

Every test runs twice over the same number of samples: once as bcnet does it, once as its biased twin, a
mistake that has been made in real programs. The statistic must find the first plausible and the second not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise, permutations

import pytest

from bcnet.fairness.beacon import Choices, output
from bcnet.fairness.deck import Deck
from bcnet.fairness.group import ORDER, Multiplier
from bcnet.fairness.steps import SHADOWS, Move
from bcnet.secrets import Secrets
from tests.fairness.chance import chi_square, plausible, tail
from tests.fairness.joint import Joint, some_bytes

pytestmark = pytest.mark.statistics

CARDS = 45
HAND = 8

Permute = Callable[[Choices, int], tuple[int, ...]]
Below = Callable[[Choices, int], int]


def fair_permutation(choices: Choices, count: int) -> tuple[int, ...]:
    """As bcnet does it."""
    return choices.permutation(count)


def naive_permutation(choices: Choices, count: int) -> tuple[int, ...]:
    """The biased twin: every place changes with any other, count**count ways for count! orders."""
    order = list(range(count))
    for place in range(count):
        chosen = choices.below(count)
        order[place], order[chosen] = order[chosen], order[place]
    return tuple(order)


def cyclic_permutation(choices: Choices, count: int) -> tuple[int, ...]:
    """The biased twin off by one: no card ever stays where it was (Sattolo's algorithm)."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        chosen = choices.below(last)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


def streams(name: str, count: int) -> Iterator[Choices]:
    """Streams from beacon outputs, as a table makes them."""
    table = some_bytes(name)
    for number in range(count):
        links = [some_bytes(name, number, seat) for seat in range(2)]
        yield Choices(output(table, "cubes", None, number, some_bytes(name, "head", number), links))


def orders(count: int, permute: Permute | None = None) -> Iterator[tuple[int, ...]]:
    """Orders of a deck shuffled by two seats with the permutations that their seeds give, top card first.

    With ``permute``, one seat alone shuffles by it: two biased shuffles one after the other hide much of
    their bias."""
    deck = Deck("test", "cards", CARDS, 2, some_bytes("statistics"))
    for number in range(count):
        head = some_bytes("head", number)
        if permute is not None:
            yield permute(Choices(head), CARDS)
            continue
        order = tuple(range(CARDS))
        for seat in range(2):
            seed, _ = deck.step_seeds(Secrets(some_bytes("seed", number, seat)), 1, head)
            order = tuple(order[index] for index in Move.from_seed(seed, CARDS).permutation)
        yield order


# --- the measure itself ---


@pytest.mark.parametrize(
    ("freedom", "statistic", "chance"),
    # Upper quantiles from tables of the chi-square distribution.
    [(1, 10.828, 1e-3), (10, 29.588, 1e-3), (10, 18.307, 0.05), (23, 49.728, 1e-3), (100, 149.449, 1e-3)],
)
def test_the_tail_agrees_with_tables(freedom: int, statistic: float, chance: float) -> None:
    assert tail(statistic, freedom) == pytest.approx(chance, rel=0.2)


# --- choices ---


def modulo(choices: Choices, bound: int) -> int:
    """The biased twin: a number of eight bits, modulo."""
    return choices.number(8) % bound


@pytest.mark.parametrize("bound", [2, 3, 5, 13, 45, 65, 200])
def test_choices_below_a_bound(bound: int) -> None:
    """Cubes drawn from the bag and the first player are such choices; so is every place of a shuffle."""
    samples = 400 * bound

    def statistic(below: Below) -> float:
        choices = Choices(some_bytes("below", bound))
        counts = Counter(below(choices, bound) for _ in range(samples))
        assert set(counts) <= set(range(bound))
        return chi_square((counts[value] for value in range(bound)), samples / bound)

    assert plausible(statistic(Choices.below), bound - 1)
    if bound in (45, 65, 200):  # where 256 leaves a large remainder
        assert not plausible(statistic(modulo), bound - 1)


def test_first_choice_of_many_outputs() -> None:
    """Not only one stream is even but also where streams begin: who starts, over many tables."""
    samples = 4000

    def statistic(starts: Callable[[Choices], int]) -> float:
        counts = Counter(starts(choices) for choices in streams("first", samples))
        return chi_square((counts[seat] for seat in range(2)), samples / 2)

    assert plausible(statistic(lambda choices: choices.below(2)), 1)
    # The biased twin takes the parity of a number below nine: five of them are even.
    assert not plausible(statistic(lambda choices: choices.below(9) % 2), 1)


def test_challenge_bits() -> None:
    """Each of the T bits, and each pair of neighbours: a cheat must not know one from the others."""
    samples = 3000

    def statistics(bits_of: Callable[[Choices], tuple[int, ...]]) -> tuple[float, float]:
        ones, equal = [0] * SHADOWS, [0] * (SHADOWS - 1)
        for choices in streams("bits", samples):
            bits = bits_of(choices)
            for index, bit in enumerate(bits):
                ones[index] += bit
            for index in range(SHADOWS - 1):
                equal[index] += bits[index] == bits[index + 1]
        # A binomial count has half the variance that Pearson's formula with one cell supposes.
        return 2 * chi_square(ones, samples / 2), 2 * chi_square(equal, samples / 2)

    single, pairs = statistics(lambda choices: choices.bits(SHADOWS))
    assert plausible(single, SHADOWS)
    assert plausible(pairs, SHADOWS - 1)
    # The biased twin reads letters of the hexadecimal digest: their codes have a bit that is mostly 0.
    single, _ = statistics(
        lambda choices: tuple(ord(f"{choices.number(4):x}") >> 6 & 1 for _ in range(SHADOWS))
    )
    assert not plausible(single, SHADOWS)
    # And this one repeats each bit.
    _, pairs = statistics(lambda choices: tuple(bit for bit in choices.bits(SHADOWS // 2) for _ in range(2)))
    assert not plausible(pairs, SHADOWS - 1)


# --- permutations ---


@pytest.mark.parametrize("twin", [naive_permutation, cyclic_permutation])
def test_all_orders_of_four_cards(twin: Permute) -> None:
    samples = 4800

    def statistic(permute: Permute) -> float:
        counts = Counter(permute(choices, 4) for choices in streams("four", samples))
        return chi_square((counts[order] for order in permutations(range(4))), samples / 24)

    assert plausible(statistic(fair_permutation), 23)
    assert not plausible(statistic(twin), 23)


def test_deck_positions() -> None:
    """How often each card lies at each place, 45 by 45.

    Rows and columns of the table have fixed sums, so it has 44 * 44 degrees of freedom; and because exactly
    one card lies at each place in each deck, Pearson's statistic comes out 45/44 too large (the centred count
    matrix of a uniform permutation has the variance 1/(m-1) in each of its (m-1)**2 directions, not 1/m)."""
    samples = 2000

    def statistic(permute: Permute | None) -> float:
        counts: Counter[tuple[int, int]] = Counter()
        for order in orders(samples, permute):
            counts.update(enumerate(order))
        cells = (counts[place, card] for place in range(CARDS) for card in range(CARDS))
        return chi_square(cells, samples / CARDS) * (CARDS - 1) / CARDS

    assert plausible(statistic(None), (CARDS - 1) ** 2)
    assert not plausible(statistic(naive_permutation), (CARDS - 1) ** 2)
    assert not plausible(statistic(cyclic_permutation), (CARDS - 1) ** 2)


def test_neighbours_in_the_deck() -> None:
    """How often one card lies right upon another: even positions alone would not show a deck that is only
    cut.

    There are m(m-1) ordered pairs, 44 of them a deck. The counts add up to a constant; the other directions
    have nearly the variance of independent cells, and the bound is wide enough for the difference of a few
    per cent."""
    samples = 2000

    def statistic(permute: Permute | None) -> float:
        counts: Counter[tuple[int, int]] = Counter()
        for order in orders(samples, permute):
            counts.update(pairwise(order))
        pairs = (counts[upper, lower] for upper in range(CARDS) for lower in range(CARDS) if upper != lower)
        return chi_square(pairs, samples / CARDS)

    def cut(choices: Choices, count: int) -> tuple[int, ...]:
        at = choices.below(count)
        return (*range(at, count), *range(at))

    assert plausible(statistic(None), CARDS * (CARDS - 1) - 1)
    assert not plausible(statistic(cut), CARDS * (CARDS - 1) - 1)


def test_deals() -> None:
    """Which cards come into the hands of seat 0, the cards of a deal going to the seats in turn.

    A card is there with chance 8/45: variance p(1-p) where Pearson's formula supposes p; and as a hand has
    exactly eight cards, 45/44 of that in each of 44 directions."""
    samples = 3000
    chance = HAND / CARDS

    def statistic(permute: Permute | None) -> float:
        counts: Counter[int] = Counter()
        for order in orders(samples, permute):
            counts.update(order[0 : 2 * HAND : 2])
        plain = chi_square((counts[card] for card in range(CARDS)), samples * chance)
        return plain / (1 - chance) * (CARDS - 1) / CARDS

    assert plausible(statistic(None), CARDS - 1)
    assert not plausible(statistic(naive_permutation), CARDS - 1)


def test_deals_of_the_whole_deck_with_masks_and_all() -> None:
    """What the owner of the first slot sees, through masks and unmaskings, over many small tables: the faces
    follow.

    Shuffles without shadows, which play no part in who gets what.
    """
    samples, cards = 240, 3
    counts: Counter[tuple[int, ...]] = Counter()
    for number in range(samples):
        joint = Joint(size=cards, name=f"statistics {number}")
        joint.deck.begin(range(cards))
        points = joint.deck.epoch.points
        moves = []
        for seat, secrets in enumerate(joint.secrets):
            seed, _ = joint.deck.step_seeds(secrets, 1, some_bytes("head", number, seat))
            moves.append(Move.from_seed(seed, cards))
            points, _ = moves[-1].apply(points, points[0])
        both = Multiplier(moves[0].scalar * moves[1].scalar % ORDER)
        faces = {both.mask(point): card for card, point in enumerate(joint.deck.card_points)}
        counts[tuple(faces[point] for point in points)] += 1
    assert len(counts) == math.factorial(cards)
    assert plausible(chi_square(counts.values(), samples / math.factorial(cards)), math.factorial(cards) - 1)
