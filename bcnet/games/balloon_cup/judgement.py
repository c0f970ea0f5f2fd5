"""What a position promises: the sense for the game that the bots share.

It looks at a tile and asks who is likely to win it, and what its cubes are then worth on the way to three trophies.
The numbers below are log-odds of winning the game, or shape them. All but `_LAST`, `_NEW_CARD` and the worth of a third
trophy were fitted by maximum likelihood to 12,000 positions of 1,500 games, between players who look at what an action
brings at once and take any other one time in ten. What they are good for is measured by ``scripts/arena``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import erf, exp, sqrt

from bcnet.games.balloon_cup.actions import Claim, Exchange, Play
from bcnet.games.balloon_cup.board import Board
from bcnet.games.balloon_cup.material import (
    ALL_CARDS,
    CARDS_OF,
    COLOUR_OF,
    TROPHIES_TO_WIN,
    TROPHY_PRICE,
    VALUE_OF,
    CardSet,
    Cubes,
    Terrain,
    add,
    card_set,
    cards_in,
    sum_of,
)
from bcnet.games.balloon_cup.state import BalloonCupState
from bcnet.games.balloon_cup.tiles import Tile
from bcnet.games.balloon_cup.trophies import Owners
from bcnet.games.interface import Action, Card, Seat, Sense, State

_MEAN = tuple(sum_of(cards) / cards.bit_count() for cards in CARDS_OF)
"""The mean value of each colour's cards."""
_SPREAD = 3.7
"""How far a card on an open place is from the mean, as a standard deviation."""
_SETTLED = 10.0
"""In place of the spread where no place is open: whoever leads by one has won."""
_OWN_HAND = 0.65
"""How much of what the best cards of a hand bring on one's own side can be hoped for."""
_OTHER_SIDE = 0.54
"""How much of what the worst cards of a hand spoil on the other's side can be hoped for."""
_TROPHY = (0.0, 0.8, 1.54, 6.0)
"""What so many trophies are worth."""
_PROGRESS = (1.26, 1.49, 2.11, 0.0)
"""What all cubes of a further trophy are worth to someone with so many trophies."""
_CURVE = 1.36
"""The last cube of a trophy is worth more than the first: its price's share is taken to this power."""
_SPARE = 0.067
"""What a cube of a taken trophy is worth, as a share of a further trophy."""
_LAST = 2.0
"""What a tile is worth on top that brings the third trophy."""
_TURN = 0.07
"""What it is worth to be on turn."""

_NEW_CARD = 0.01
"""What it is worth to exchange a card, for each point by which it is nearer to the mean than `_FAR`."""
_FAR = 13
"""No card is so far from the mean of its colour."""
_SHARE = tuple(tuple((min(count, price) / price) ** _CURVE for count in range(14)) for price in TROPHY_PRICE)


class _BalloonCupSense(Sense):
    """See `Sense`. Hidden hands count as average."""

    def unseen(self, view: State) -> Sequence[Card]:
        """All cards but those next to tiles, in the discards, and known in hands."""
        view = _ours(view)
        seen = view.board.lying | view.cards.discards
        for hand in view.cards.hands:
            seen |= card_set(hand.known)
        return cards_in(ALL_CARDS & ~seen)

    def values(self, state: State) -> Sequence[float]:
        """By the balance of the position."""
        chance = _chance_at(Outlook(_ours(state), 0).balance)
        return (chance, 1 - chance)

    def appraise(self, state: State, seat: Seat, actions: Sequence[Action]) -> Sequence[float]:
        """A play and a claim by the balance that they lead to. Of exchanges the largest is best, and in it the cards
        that are neither high nor low.
        """
        state = _ours(state)
        outlook = Outlook(state, seat)
        return [_chance_at(_promise(state, outlook, seat, action)) for action in actions]


SENSE = _BalloonCupSense()


def _ours(state: State) -> BalloonCupState:
    assert isinstance(state, BalloonCupState)
    return state


def _promise(state: BalloonCupState, outlook: Outlook, seat: Seat, action: Action) -> float:
    match action:
        case Play(card, number, side):
            return outlook.after(card, number, side)
        case Claim():
            return Outlook(state.apply(action), seat).balance
        case Exchange(cards):
            middling = [_FAR - abs(VALUE_OF[card] - _MEAN[COLOUR_OF[card]]) for card in cards]
            return outlook.balance + _NEW_CARD * sum(middling)
        case _:
            return outlook.balance


def _chance_at(balance: float) -> float:
    """The chance to win at such log-odds."""
    return 1 / (1 + exp(-balance))


class Outlook:
    """A position as one seat sees it: the chance to win each tile, and what that is worth.

    Hands that the state does not know count as average.
    """

    __slots__ = ("_changes", "_hands", "_seat", "_tiles", "balance", "chances", "stakes")

    def __init__(self, state: BalloonCupState, seat: Seat) -> None:
        board, other = state.board, 1 - seat
        hands = (card_set(state.cards.hands[seat].known), card_set(state.cards.hands[other].known))
        self._hands = hands
        self._changes: dict[Card, list[float]] = {}
        self._seat = seat
        self._tiles = board.tiles
        self.chances = [_chance(tile, seat, hands) for tile in board.tiles]
        self.stakes = [
            (
                _gain(board.won[seat], board.owners, seat, tile.cubes),
                _gain(board.won[other], board.owners, other, tile.cubes),
            )
            for tile in board.tiles
        ]
        balance = _standing(board, seat) - _standing(board, other)
        for chance, (mine, theirs) in zip(self.chances, self.stakes, strict=True):
            balance += chance * mine - (1 - chance) * theirs
        if state.turn.mover is not None:
            balance += _TURN if state.turn.mover == seat else -_TURN
        self.balance = balance

    def after(self, card: Card, number: int, side: Seat) -> float:
        """The balance after the seat has laid a card of its hand there; who is then on turn is left out."""
        mine, theirs = self._hands
        hands = (mine & ~(1 << card), theirs)
        tile = self._tiles[number - 1].with_card(card, side)
        changes = self._without(card, hands)
        win, loss = self.stakes[number - 1]
        tied = tile.full and tile.total(0) == tile.total(1)  # then whoever laid the last card has won
        chance = 1.0 if tied else _chance(tile, self._seat, hands)
        change = (chance - self.chances[number - 1]) * (win + loss)
        return self.balance + sum(changes) - changes[number - 1] + change

    def _without(self, card: Card, hands: tuple[CardSet, CardSet]) -> list[float]:
        """By how much the balance changes at each tile because the card is no longer in the hand."""
        changes = self._changes.get(card)
        if changes is None:
            colour = COLOUR_OF[card]
            changes = self._changes[card] = [
                (_chance(tile, self._seat, hands) - chance) * (win + loss) if tile.cubes[colour] else 0.0
                for tile, chance, (win, loss) in zip(self._tiles, self.chances, self.stakes, strict=True)
            ]
        return changes


def _standing(board: Board, seat: Seat) -> float:
    trophies = board.owners.count(seat)
    return _TROPHY[trophies] + _PROGRESS[trophies] * _progress(board.won[seat], board.owners)


def _progress(cubes: Cubes, owners: Owners) -> float:
    """How far these cubes lead towards the free trophies, in trophies."""
    done = 0.0
    for count, owner, shares in zip(cubes, owners, _SHARE, strict=True):
        done += shares[count] if owner is None else _SPARE * count
    return done


@lru_cache(1 << 14)
def _gain(cubes: Cubes, owners: Owners, seat: Seat, more: Cubes) -> float:
    """What it is worth to a seat with these cubes to win ``more``."""
    trophies = owners.count(seat)
    both = add(cubes, more)
    worth = _PROGRESS[trophies] * (_progress(both, owners) - _progress(cubes, owners))
    taken = sum(
        owner is None and have >= price for have, owner, price in zip(both, owners, TROPHY_PRICE, strict=True)
    )
    return worth + _LAST if trophies + taken >= TROPHIES_TO_WIN else worth


def _chance(tile: Tile, seat: Seat, hands: tuple[CardSet, CardSet]) -> float:
    """The chance that ``seat`` wins a tile, where it and the other hold these cards."""
    mine, theirs = tile.laid if seat == 0 else tile.laid[::-1]
    high = tile.terrain is Terrain.MOUNTAIN
    margin, scale, places = _sides(tile.cubes, mine, theirs, high)
    own, other = hands
    for cards, open_mine, open_theirs in places:
        held = own & cards
        if held:
            if open_mine:
                margin += _OWN_HAND * _best(held, open_mine, high)
            if open_theirs:
                margin += _OTHER_SIDE * _best(held, open_theirs, not high)
        held = other & cards
        if held:
            if open_theirs:
                margin -= _OWN_HAND * _best(held, open_theirs, high)
            if open_mine:
                margin -= _OTHER_SIDE * _best(held, open_mine, not high)
    return (1 + erf(margin * scale)) / 2


@lru_cache(1 << 14)
def _sides(
    cubes: Cubes, mine: CardSet, theirs: CardSet, high: bool
) -> tuple[float, float, tuple[tuple[CardSet, int, int], ...]]:
    """By how much ``mine`` would win with mean cards on all open places, by what a margin is multiplied to make it one
    of the normal distribution, and for each colour with open places all its cards and the places on both sides.
    """
    margin = float(sum_of(mine) - sum_of(theirs))
    places = []
    count = 0
    for wanted, cards, mean in zip(cubes, CARDS_OF, _MEAN, strict=True):
        open_mine = wanted - (mine & cards).bit_count()
        open_theirs = wanted - (theirs & cards).bit_count()
        if open_mine or open_theirs:
            margin += mean * (open_mine - open_theirs)
            count += open_mine + open_theirs
            places.append((cards, open_mine, open_theirs))
    scale = 1 / (_SPREAD * sqrt(2 * count)) if count else _SETTLED
    return (margin if high else -margin), scale, tuple(places)


@lru_cache(1 << 14)
def _best(cards: CardSet, places: int, high: bool) -> float:
    """By how much the best of these cards (of one colour) for so many places are better than the mean."""
    if not cards or not places:
        return 0.0
    held = cards_in(cards)
    mean = _MEAN[COLOUR_OF[held[0]]]
    better = sorted((VALUE_OF[card] - mean if high else mean - VALUE_OF[card] for card in held), reverse=True)
    return sum(each for each in better[:places] if each > 0)
