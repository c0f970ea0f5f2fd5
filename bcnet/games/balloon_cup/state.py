"""The course of a game: what is needed next, and what each step leads to.

A turn goes through these phases:

    TURN ── Play ──────────────────────────┬─ no tile full ───────────────────────────────┐
     │                                     └─ tile full: scored ─┬─ REFILL ─┐             │
     │ nothing fits                                              └──────────┴─ CLAIMS ────┤
     └─ Exchange ─┬─ of nothing ── next turn                                              ▼
                  └─ REDRAW ── STUCK ─┬─ Play, as above                      next turn ─ DRAW
                                      └─ Pass ── next turn

Before the first turn: SHUFFLE, FIRST_PLAYER, FILL (four times), DEAL. Where a draw finds the pile empty, the need is
a shuffle of the discards. OVER can follow anything.

All rules about the order of things live here; this file does not know what a table, a network or a screen is. Who is
asked is settled by the need: an action is applied for the seat of `Decide`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

from bcnet.games.balloon_cup import explain, fill, trophies
from bcnet.games.balloon_cup.actions import Claim, CubesDrawn, Decline, Exchange, Pass, Play, Starter
from bcnet.games.balloon_cup.board import EMPTY_BOARD, Board
from bcnet.games.balloon_cup.cards import NO_CARDS, Cards
from bcnet.games.balloon_cup.endings import RESIGNATION, STANDSTILL, THIRD_TROPHY, drawn_because
from bcnet.games.balloon_cup.events import (
    CardDrawn,
    CardPlayed,
    CardsExchanged,
    ClaimDeclined,
    FirstPlayerChosen,
    GameEnded,
    HandDealt,
    HandShown,
    PileShuffled,
    PlayerResigned,
    TileFilled,
    TileRefilled,
    TileRemoved,
    TileScored,
    TrophyClaimed,
    TurnPassed,
)
from bcnet.games.balloon_cup.fill import FillRule
from bcnet.games.balloon_cup.material import (
    ALL_CARDS,
    CARDS,
    COLOUR_OF,
    COLOURS,
    HAND_SIZE,
    MOST_EXCHANGED,
    SEATS,
    TILE_NUMBERS,
    TROPHIES_TO_WIN,
    Colour,
    Cubes,
    card_set,
    cards_in,
)
from bcnet.games.balloon_cup.tiles import Tile, blocked_tiles, place_bit
from bcnet.games.interface import (
    Action,
    Below,
    Card,
    Chance,
    Deal,
    Dealt,
    Decide,
    Event,
    Exhausted,
    Hand,
    Need,
    Outcome,
    Over,
    Resigned,
    Seat,
    Shuffle,
    Shuffled,
    State,
    Step,
)
from bcnet.games.refusals import check_resigned, comes_first, no_such_seat


class Phase(Enum):
    """Where in a turn the game is."""

    SHUFFLE = "shuffle"
    FIRST_PLAYER = "first-player"
    FILL = "fill"
    DEAL = "deal"
    TURN = "turn"
    """The mover plays, or shows the hand and exchanges where nothing fits."""
    REDRAW = "redraw"
    """The mover draws for the cards exchanged."""
    STUCK = "stuck"
    """After an exchange: the mover plays, or shows the hand again and passes."""
    REFILL = "refill"
    CLAIMS = "claims"
    """Somebody could claim a trophy with triples and is asked."""
    DRAW = "draw"
    """The mover draws at the end of the turn."""
    OVER = "over"


_TURN, _STUCK, _DRAW, _REDRAW, _DEAL = Phase.TURN, Phase.STUCK, Phase.DRAW, Phase.REDRAW, Phase.DEAL
"""The phases that every turn asks for. (Python 3.11 looks members of an enum up slowly.)"""


class Turn(NamedTuple):
    """Whose turn it is and how far it has come. A field that a phase does not use is 0."""

    phase: Phase
    mover: Seat | None = None
    """Whose turn it is; None before the first player is known."""
    following: Seat = 0
    """Who is on turn after the draw, in DEAL, REFILL, CLAIMS and DRAW."""
    due: int = 0
    """Cards still to be drawn in REDRAW and DRAW."""
    tile: int = 0
    """The tile to be filled in FILL and REFILL."""
    asked: Seat = 0
    """Who is asked for a claim in CLAIMS; in REFILL the winner of the scoring, who will be asked first."""
    declined: int = 0
    """How many in succession have claimed nothing, in CLAIMS."""
    idle: int = 0
    """Passes in a row, each after exchanging nothing, in TURN."""


class _Fields(NamedTuple):
    fill: FillRule
    first_player: Seat | None
    board: Board
    cards: Cards
    turn: Turn
    result: Over | None = None
    news: tuple[Event, ...] = ()


class BalloonCupState(_Fields, State):
    """One position of Balloon Cup. The properties below are what a screen or a bot reads.

    A named tuple, because a game makes two hundred of them and little in Python is made faster. ``news`` belongs to
    the step that led here and not to the position: two states that differ in it alone are equal.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BalloonCupState) and self[:-1] == other[:-1]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-1])

    @classmethod
    def start(cls, fill: FillRule) -> BalloonCupState:
        """The position before anything has happened."""
        return cls(fill, None, EMPTY_BOARD, NO_CARDS, Turn(Phase.SHUFFLE))

    # --- what can be read ---

    @property
    def phase(self) -> Phase:
        """Where in a turn the game is."""
        return self.turn.phase

    @property
    def mover(self) -> Seat | None:
        """Whose turn it is; None before the first player is known. (Who is *asked* is in ``need``.)"""
        return self.turn.mover

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """All four tiles in the order of their numbers, those out of play included."""
        return self.board.tiles

    @property
    def bag(self) -> Cubes:
        """Cubes left in the bag."""
        return self.board.bag

    @property
    def box(self) -> Cubes:
        """Cubes paid for trophies, out of the game."""
        return self.board.box

    @property
    def won(self) -> tuple[Cubes, Cubes]:
        """The cubes in front of each seat."""
        return self.board.won

    @property
    def owners(self) -> trophies.Owners:
        """Who owns the trophy of each colour; None while it is free."""
        return self.board.owners

    def trophies(self, seat: Seat) -> tuple[Colour, ...]:
        """The trophies of a seat."""
        return tuple(colour for colour in COLOURS if self.board.owners[colour] == seat)

    @property
    def pile_size(self) -> int:
        """Cards in the face-down pile."""
        return self.cards.pile_size

    @property
    def pile_order(self) -> tuple[Card, ...] | None:
        """The cards of the pile, the top one first; None if this state does not know."""
        return self.cards.pile_order

    @property
    def discards(self) -> tuple[Card, ...]:
        """The cards of the discard pile, ascending."""
        return cards_in(self.cards.discards)

    @property
    def blocked(self) -> tuple[int, ...]:
        """The numbers of the tiles in play that can never be filled."""
        return tuple(tile.number for tile in blocked_tiles(self.board.tiles))

    def hand(self, seat: Seat) -> Hand:
        """The hand of a seat, as far as this state knows it."""
        if seat not in range(SEATS):
            raise no_such_seat(seat, SEATS)
        return self.cards.hands[seat]

    # --- what comes next ---

    @property
    def need(self) -> Need:
        """What must come next."""
        turn = self.turn
        phase, mover = turn.phase, turn.mover
        if phase is _TURN or phase is _STUCK:
            assert mover is not None
            return _DECIDE[mover]
        if phase is _DRAW or phase is _REDRAW:
            assert mover is not None
            size = self.cards.pile_size
            if size == 0:
                return Shuffle(cards_in(self.cards.discards))
            return _DEALS[mover][min(turn.due, size)]
        match phase:
            case Phase.SHUFFLE:
                return Shuffle(cards_in(ALL_CARDS))
            case Phase.FIRST_PLAYER:
                return Chance("first player")
            case Phase.FILL:
                return Chance(f"fill tile {turn.tile}")
            case Phase.DEAL:
                return Deal(tuple(range(SEATS)) * HAND_SIZE)
            case Phase.REFILL:
                return Chance(f"refill tile {turn.tile}")
            case Phase.CLAIMS:
                return _DECIDE[turn.asked]
            case _:
                assert self.result is not None
                return self.result

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        """All actions of a seat: plays by card, tile and side; exchanges by size; claims by trophy, then `Decline`."""
        turn = self.turn
        if turn.phase is Phase.CLAIMS:
            if seat != turn.asked:
                return ()
            return (*trophies.claims(self.board.won[seat], self.board.owners), Decline())
        if seat != turn.mover or not (turn.phase is _TURN or turn.phase is _STUCK):
            return ()
        hand = self.cards.hands[seat]
        if len(hand.known) < hand.size:
            raise explain.hand_not_known(seat)
        room = self.board.room
        plays: list[Action] = []
        for card in hand.known:
            plays += _PLAYS[card][room[COLOUR_OF[card]]]
        if plays:
            return tuple(plays)
        if turn.phase is Phase.STUCK:
            return (Pass(),)
        return tuple(
            Exchange(chosen)
            for count in range(MOST_EXCHANGED + 1)
            for chosen in combinations(hand.known, count)
        )

    def sample(self, below: Below) -> Outcome:
        """Answer a `Chance` need.

        ``first player``: ``below(2)`` is the seat. ``fill tile N`` and ``refill tile N``: as in `fill.draw_cubes`.
        """
        match self.turn.phase:
            case Phase.FIRST_PLAYER:
                return Starter(below(SEATS))
            case Phase.FILL | Phase.REFILL:
                number = self.turn.tile
                board = self.board
                tile = board.tiles[number - 1]
                return CubesDrawn(number, fill.draw_cubes(self.fill, tile, board.tiles, board.bag, below))
            case _:
                raise explain.not_now(self)

    # --- who knows what ---

    def opens(self, seat: Seat, action: Action) -> tuple[Card, ...]:
        """The card of a play; the whole hand for an exchange or a pass, so that all see that nothing fits."""
        match action:
            case Play(card, _, _):
                return (card,)
            case Exchange() | Pass():
                hand = self.hand(seat)
                if len(hand.known) < hand.size:
                    raise explain.hand_not_known(seat)
                return hand.known
            case _:
                return ()

    def reveal(self, seat: Seat, cards: Iterable[Card], *, publicly: bool) -> BalloonCupState:
        """The same position, knowing that these cards are in the hand."""
        if seat not in range(SEATS):
            raise no_such_seat(seat, SEATS)
        return self._with(
            cards=self.cards.reveal(seat, cards, self.board.lying, publicly=publicly), news=self.news
        )

    def view(self, seat: Seat | None) -> BalloonCupState:
        """The same position and news, as the seat (or everybody) knows them."""
        if seat is not None and seat not in range(SEATS):
            raise no_such_seat(seat, SEATS)
        return self._with(
            cards=self.cards.view(seat), news=tuple(_seen_by(seat, event) for event in self.news)
        )

    # --- steps ---

    def apply(self, step: Step) -> BalloonCupState:
        """The state after a step.

        A play, an exchange and a pass need cards that this state knows, and make them known to everybody: a state
        that does not know them must have them revealed first.
        """
        if self.result is not None:
            raise comes_first(self.result)
        take = _STEPS.get(type(step))
        if take is None:
            raise explain.not_now(self)
        return take(self, step)

    # set-up

    def _shuffled(self, step: Shuffled) -> BalloonCupState:
        need, order = self.need, step.order
        if not isinstance(need, Shuffle):
            raise explain.not_now(self)
        cards = self.cards.shuffle(need.cards, order)
        turn = Turn(Phase.FIRST_PLAYER) if self.turn.phase is Phase.SHUFFLE else self.turn
        return self._with(cards=cards, turn=turn, news=(PileShuffled(len(need.cards), order),))

    def _starter(self, step: Starter) -> BalloonCupState:
        seat = step.seat
        if self.turn.phase is not Phase.FIRST_PLAYER:
            raise explain.not_now(self)
        if seat not in range(SEATS):
            raise no_such_seat(seat, SEATS)
        turn = Turn(Phase.FILL, seat, seat, tile=TILE_NUMBERS[0])
        return BalloonCupState(
            self.fill, seat, self.board, self.cards, turn, None, (FirstPlayerChosen(seat),)
        )

    def _cubes_drawn(self, step: CubesDrawn) -> BalloonCupState:
        number, cubes, turn = step.tile, step.cubes, self.turn
        if not (turn.phase is Phase.FILL or turn.phase is Phase.REFILL):
            raise explain.not_now(self)
        board = self.board
        tile = board.tiles[turn.tile - 1]
        explain.check_cubes(self.fill, tile, board.tiles, board.bag, number, cubes)
        filled = board.filled(number, cubes)
        if turn.phase is Phase.REFILL:
            return self._begin_claims(filled, self.cards, turn, (TileRefilled(number, tile.terrain, cubes),))
        last = number == TILE_NUMBERS[-1]
        turn = turn._replace(phase=Phase.DEAL, tile=0) if last else turn._replace(tile=number + 1)
        return self._with(board=filled, turn=turn, news=(TileFilled(number, cubes),))

    # drawing cards

    def _dealt(self, step: Dealt) -> BalloonCupState:
        need, faces = self.need, step.cards
        if not isinstance(need, Deal):
            raise explain.not_now(self)
        cards = self.cards.deal(need.seats, faces, self.board.lying)
        if self.cards.pile_order is not None:
            faces = self.cards.pile_order[: len(need.seats)]
        turn = self.turn
        if turn.phase is _DEAL:
            dealt = tuple(HandDealt(seat, faces[seat::SEATS]) for seat in range(SEATS))
            return self._begin_turn(self.board, cards, turn.following, 0, dealt)
        mover = need.seats[0]
        drawn = tuple([_card_drawn(mover, face) for face in faces])
        if turn.phase is _DRAW:
            return self._begin_turn(self.board, cards, turn.following, 0, drawn)
        due = turn.due - len(faces)
        turn = turn._replace(due=due) if due else Turn(Phase.STUCK, mover)
        return self._with(cards=cards, turn=turn, news=drawn)

    # a turn

    def _begin_turn(
        self, board: Board, cards: Cards, mover: Seat, idle: int, news: tuple[Event, ...]
    ) -> BalloonCupState:
        """The next turn, or the end of a game that is drawn (docs/games.md, Drawn games)."""
        turn = Turn(_TURN, mover, idle=idle) if idle else _FRESH_TURN[mover]
        state = BalloonCupState(self.fill, self.first_player, board, cards, turn, None, news)
        reason = drawn_because(board, idle)
        return state if reason is None else state._over((), reason, news)

    def _play(self, play: Play) -> BalloonCupState:
        turn, board, cards = self.turn, self.board, self.cards
        if not (turn.phase is _TURN or turn.phase is _STUCK):
            raise explain.not_now(self)
        seat = turn.mover
        assert seat is not None
        card, number, side = play.card, play.tile, play.side
        explain.check_place(play)
        if card not in cards.hands[seat].known:
            raise explain.card_not_held(self, seat, card)
        place = place_bit(number, side)
        colour = COLOUR_OF[card]
        if not board.room[colour] & place:
            raise explain.does_not_fit(board.tiles[number - 1], card, side)

        board = board.with_card(card, colour, number, side)
        cards = cards.without(seat, (card,))
        played = _card_played(seat, card, number, side)
        tile = board.tiles[number - 1]
        if tile.full:
            return self._score(board, cards, seat, tile, played)
        return BalloonCupState(self.fill, self.first_player, board, cards, _AFTER_PLAY[seat], None, (played,))

    def _exchange(self, step: Exchange) -> BalloonCupState:
        chosen, turn = step.cards, self.turn
        if turn.phase is not Phase.TURN:
            raise explain.not_now(self)
        seat = turn.mover
        assert seat is not None
        explain.check_exchange(self, seat, chosen)
        self._check_stuck(seat)
        hand = self.cards.hands[seat]
        news: tuple[Event, ...] = (HandShown(seat, hand.known), CardsExchanged(seat, chosen))
        cards = self.cards.with_hand(seat, Hand(hand.size, hand.known, hand.known))
        if not chosen:
            return self._begin_turn(self.board, cards, 1 - seat, turn.idle + 1, (*news, TurnPassed(seat)))
        cards = cards.without(seat, chosen).discard(card_set(chosen))
        return self._with(cards=cards, turn=Turn(Phase.REDRAW, seat, due=len(chosen)), news=news)

    def _pass(self, _: Pass) -> BalloonCupState:
        turn = self.turn
        if turn.phase is not Phase.STUCK:
            raise explain.not_now(self)
        seat = turn.mover
        assert seat is not None
        self._check_stuck(seat)
        hand = self.cards.hands[seat]
        cards = self.cards.with_hand(seat, Hand(hand.size, hand.known, hand.known))
        news = (HandShown(seat, hand.known), TurnPassed(seat))
        return self._begin_turn(self.board, cards, 1 - seat, 0, news)

    def _check_stuck(self, seat: Seat) -> None:
        """The whole hand is known to this state and nothing in it fits."""
        hand = self.cards.hands[seat]
        if len(hand.known) < hand.size:
            raise explain.hand_not_shown(seat)
        for card in hand.known:
            if self.board.room[COLOUR_OF[card]]:
                raise explain.must_play(self.board.tiles, card)

    # scoring

    def _score(
        self, board: Board, cards: Cards, seat: Seat, tile: Tile, played: CardPlayed
    ) -> BalloonCupState:
        """A tile is full. ``seat`` laid the last card."""
        totals = (tile.total(0), tile.total(1))
        ahead = tile.ahead
        winner = seat if ahead is None else ahead
        scored = TileScored(tile.number, tile.terrain, winner, totals, tile.cubes)
        stays = sum(board.bag) >= tile.number
        board = board.cleared(tile, winner, stays=stays)
        cards = cards.discard(tile.laid[0] | tile.laid[1])
        turn = Turn(Phase.REFILL, seat, 1 - winner, tile=tile.number, asked=winner)
        if stays:
            return self._with(board=board, cards=cards, turn=turn, news=(played, scored))
        return self._begin_claims(board, cards, turn, (played, scored, TileRemoved(tile.number)))

    def _begin_claims(
        self, board: Board, cards: Cards, turn: Turn, news: tuple[Event, ...]
    ) -> BalloonCupState:
        """The natural claims of the winner of the scoring, then the questions."""
        winner = turn.asked
        claim = trophies.natural_claim(board.won[winner], board.owners)
        while claim is not None:
            board = board.paid(winner, claim)
            news = (*news, TrophyClaimed(winner, claim.trophy, claim.payment, True))
            if board.owners.count(winner) == TROPHIES_TO_WIN:
                return self._with(board=board, cards=cards)._over((winner,), THIRD_TROPHY, news)
            claim = trophies.natural_claim(board.won[winner], board.owners)
        return self._ask(board, cards, turn, news)

    def _ask(self, board: Board, cards: Cards, turn: Turn, news: tuple[Event, ...]) -> BalloonCupState:
        """Ask ``turn.asked``, or whoever comes next and could claim, until both in succession claim nothing."""
        assert turn.mover is not None
        asked, declined = turn.asked, turn.declined
        while declined < SEATS:
            if trophies.can_claim(board.won[asked], board.owners):
                asking = Turn(Phase.CLAIMS, turn.mover, turn.following, asked=asked, declined=declined)
                return self._with(board=board, cards=cards, turn=asking, news=news)
            asked, declined = 1 - asked, declined + 1
        turn = Turn(_DRAW, turn.mover, turn.following, 1)
        return BalloonCupState(self.fill, self.first_player, board, cards, turn, None, news)

    def _claim(self, claim: Claim) -> BalloonCupState:
        turn = self.turn
        if turn.phase is not Phase.CLAIMS:
            raise explain.not_now(self)
        seat = turn.asked
        explain.check_claim(self.board.won[seat], self.board.owners, claim)
        board = self.board.paid(seat, claim)
        news = (TrophyClaimed(seat, claim.trophy, claim.payment, False),)
        if board.owners.count(seat) == TROPHIES_TO_WIN:
            return self._with(board=board)._over((seat,), THIRD_TROPHY, news)
        return self._ask(board, self.cards, turn._replace(declined=0), news)

    def _decline(self, _: Decline) -> BalloonCupState:
        turn = self.turn
        if turn.phase is not Phase.CLAIMS:
            raise explain.not_now(self)
        next_asked = turn._replace(asked=1 - turn.asked, declined=turn.declined + 1)
        return self._ask(self.board, self.cards, next_asked, (ClaimDeclined(turn.asked),))

    # endings

    def _resigned(self, step: Resigned) -> BalloonCupState:
        seats = step.seats
        check_resigned(seats, range(SEATS))
        winners = tuple(seat for seat in range(SEATS) if seat not in seats)
        return self._over(winners, RESIGNATION, tuple(PlayerResigned(seat) for seat in seats))

    def _exhausted(self, _: Exhausted) -> BalloonCupState:
        return self._over((), STANDSTILL, ())

    def _over(self, winners: tuple[Seat, ...], reason: str, news: tuple[Event, ...]) -> BalloonCupState:
        turn = Turn(Phase.OVER, self.turn.mover)
        ended = GameEnded(winners[0] if winners else None, reason)
        return BalloonCupState(
            self.fill, self.first_player, self.board, self.cards, turn, Over(winners, reason), (*news, ended)
        )

    def _with(
        self,
        *,
        board: Board | None = None,
        cards: Cards | None = None,
        turn: Turn | None = None,
        news: tuple[Event, ...] = (),
    ) -> BalloonCupState:
        return BalloonCupState(
            self.fill,
            self.first_player,
            board or self.board,
            cards or self.cards,
            turn or self.turn,
            self.result,
            news,
        )


_STEPS: dict[type[Step], Callable[[BalloonCupState, Any], BalloonCupState]] = {
    Shuffled: BalloonCupState._shuffled,
    Starter: BalloonCupState._starter,
    CubesDrawn: BalloonCupState._cubes_drawn,
    Dealt: BalloonCupState._dealt,
    Play: BalloonCupState._play,
    Exchange: BalloonCupState._exchange,
    Pass: BalloonCupState._pass,
    Claim: BalloonCupState._claim,
    Decline: BalloonCupState._decline,
    Resigned: BalloonCupState._resigned,
    Exhausted: BalloonCupState._exhausted,
}
"""Every step there is, and what it leads to."""

_FRESH_TURN = tuple(Turn(Phase.TURN, seat) for seat in range(SEATS))
_AFTER_PLAY = tuple(Turn(Phase.DRAW, seat, 1 - seat, 1) for seat in range(SEATS))
"""After a play that fills no tile."""
_DECIDE = tuple(Decide(seat) for seat in range(SEATS))
_DEALS = tuple(tuple(Deal((seat,) * count) for count in range(MOST_EXCHANGED + 1)) for seat in range(SEATS))


_card_played = cache(CardPlayed)
_card_drawn = cache(CardDrawn)


def _plays_of(card: Card) -> list[tuple[Action, ...]]:
    """The plays of one card for every set of places where it may fit (`room_on`)."""
    plays: list[tuple[Action, ...]] = [()]
    for number in TILE_NUMBERS:
        for side in range(SEATS):
            assert len(plays) == place_bit(number, side)
            plays += [(*fewer, Play(card, number, side)) for fewer in plays]
    return plays


_PLAYS = [_plays_of(card) for card in range(CARDS)]


def _seen_by(seat: Seat | None, event: Event) -> Event:
    """An event as ``seat`` (or everybody) can see it."""
    match event:
        case PileShuffled(size, _):
            return PileShuffled(size, None)
        case HandDealt(owner, cards) if owner != seat:
            return HandDealt(owner, (None,) * len(cards))
        case CardDrawn(owner, _) if owner != seat:
            return CardDrawn(owner, None)
        case _:
            return event
