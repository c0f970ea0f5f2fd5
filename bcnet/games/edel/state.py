"""The course of a game: what is needed next, and what each step leads to.

A round goes through these phases:

    GEM_CARDS ── EVENT_CARD ── CHOOSE ── for each action that one or two have chosen:
                                          │ two: (OPENER) ── TRADE, until one accepts
                                          └ one: performed, with a choice in EVENT, FACE_DOWN, GEMS, SWAP, LEVY

After the last round of a pass each colour is paid out and given back, with VAULT where somebody has one; then come the
certificates and the next pass, or the end. OVER can follow anything.

Nobody is asked where there is only one thing to do. A seat that resigns gives all back: gems to the supply, event cards
to the discards, and its action card of the round counts no more; of two who trade the other performs the action. The
others go on; the last one left has won.

All rules about the order of things live here; this file does not know what a table, a network or a screen is. Who is
asked is settled by the need: an action is applied for the seat of `Decide`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import reduce
from itertools import product
from typing import Any

from bcnet.errors import IllegalStep, Phrase
from bcnet.games.edel.actions import (
    Accept,
    ChooseCard,
    EventCardDrawn,
    GemCardsDrawn,
    Give,
    Offer,
    Opener,
    Swap,
    TakeEvent,
    TakeGems,
    UseVault,
)
from bcnet.games.edel.events import (
    ActionLapsed,
    CardsChosen,
    CertificatesScored,
    ColourScored,
    EventOpened,
    EventsShuffled,
    EventTaken,
    GemGiven,
    GemsReturned,
    GemsSwapped,
    GemsTaken,
    MoneyTaken,
    OfferAccepted,
    OfferMade,
    RoundBegun,
    TradeOpened,
    VaultUsed,
)
from bcnet.games.edel.holdings import NOTHING, Holding
from bcnet.games.edel.material import (
    ALL_GEMS,
    AT_ONCE,
    CASH,
    COLOURS,
    EVENT_CARDS,
    FREE_GEMS,
    GEM_CARDS,
    JEWELS,
    PASSES,
    PLAYERS_WITH_FREE_CHOICE,
    ROUNDS,
    ActionCard,
    Cards,
    Colour,
    EventCard,
    Gems,
    add,
    available,
    in_order,
    is_gems,
    one,
    subtract,
    without,
)
from bcnet.games.edel.scoring import Payout, certificate_payouts, colour_payouts, given_back
from bcnet.games.edel.trade import Trade, can_offer, is_higher, offers
from bcnet.games.happened import RESIGNATION, STANDSTILL, GameEnded, PlayerResigned
from bcnet.games.interface import (
    Action,
    Below,
    Chance,
    Choose,
    Chosen,
    Decide,
    Event,
    Exhausted,
    Need,
    Outcome,
    Over,
    Resigned,
    Seat,
    Step,
)
from bcnet.games.open_state import OpenState
from bcnet.games.refusals import check_resigned, comes_first

RICHEST = "richest"
"""Reason of an end: the third scoring is over."""
REASONS = (RICHEST, RESIGNATION, STANDSTILL)
IN_WORDS = (Phrase("richest"), Phrase("resignation"), Phrase("standstill"))
"""The same as `Over.told` says them."""
EVERY_GEM_CARD = tuple(range(len(GEM_CARDS)))


class Phase(Enum):
    """Where in a round the game is."""

    GEM_CARDS = "gem-cards"
    EVENT_CARD = "event-card"
    """The top event card is about to be opened."""
    CHOOSE = "choose"
    OPENER = "opener"
    """Two trade who are alike: chance says who makes the first offer."""
    TRADE = "trade"
    EVENT = "event"
    """The performer takes the open event card or a face-down one."""
    FACE_DOWN = "face-down"
    """The performer is about to see which it is."""
    GEMS = "gems"
    """The performer takes gems of one's own choice: Free Choice, or a jewel box."""
    SWAP = "swap"
    LEVY = "levy"
    """The others give the performer a gem each."""
    VAULT = "vault"
    OVER = "over"


_CHANCES = {
    Phase.GEM_CARDS: "gem cards",
    Phase.EVENT_CARD: "open event card",
    Phase.OPENER: "who opens the trade",
    Phase.FACE_DOWN: "face-down event card",
}


@dataclass(frozen=True, slots=True)
class EdelState(OpenState):
    """One position of the game. What a phase does not use is None, or empty."""

    holdings: tuple[Holding, ...]
    present: tuple[Seat, ...]
    """The seats that have not resigned."""
    passing: int = 1
    """1 to 3."""
    round: int = 1
    gem_pile: tuple[int, ...] = EVERY_GEM_CARD
    """Gem cards that were not seen in this pass, ascending."""
    gem_cards: tuple[int | None, ...] = ()
    """The gem card of each seat in this round."""
    deck: Cards = EVENT_CARDS
    """The face-down event cards. Which there are can be counted; their order is not decided before they are drawn."""
    discards: Cards = ()
    """Event cards that are used, given back or covered."""
    open_event: EventCard | None = None
    choices: tuple[ActionCard | None, ...] = ()
    """What each seat has chosen, from the opening of the choices to the end of the round."""
    phase: Phase = Phase.GEM_CARDS
    action: ActionCard | None = None
    """Which action is being performed, or traded for."""
    performer: Seat | None = None
    trade: Trade | None = None
    event: EventCard | None = None
    """In GEMS, SWAP and LEVY: the event card that is at work; None for Free Choice."""
    owing: tuple[Seat, ...] = ()
    """In LEVY: who still gives a gem, the one asked first; in VAULT: who still gives gems back."""
    colour: Colour | None = None
    """In VAULT: the colour that is being scored."""
    tied: bool = False
    """In VAULT: whether several share the colour."""
    result: Over | None = None
    news: tuple[Event, ...] = field(default=(), compare=False)

    @classmethod
    def start(cls, seats: int) -> EdelState:
        """The position before anything has happened."""
        nobodys = (None,) * seats
        return cls((Holding(),) * seats, tuple(range(seats)), gem_cards=nobodys, choices=nobodys)

    # --- what can be read ---

    @property
    def everybody(self) -> range:
        """All seats that the game began with."""
        return range(len(self.holdings))

    @property
    def rounds(self) -> int:
        """Rounds of a pass."""
        return ROUNDS[len(self.holdings)]

    @property
    def supply(self) -> Gems:
        """The gems that nobody has."""
        return subtract(ALL_GEMS, reduce(add, (holding.gems for holding in self.holdings)))

    @property
    def action_cards(self) -> tuple[ActionCard, ...]:
        """What everybody can choose from: Free Choice is for five players."""
        cards = tuple(ActionCard)
        return cards if len(self.holdings) == PLAYERS_WITH_FREE_CHOICE else cards[:-1]

    def choosers(self, action: ActionCard) -> tuple[Seat, ...]:
        """Who has chosen this action in this round."""
        return tuple(seat for seat in self.present if self.choices[seat] is action)

    def gems(self, seat: Seat) -> Gems:
        """The gems of a seat."""
        return self.holdings[seat].gems

    # --- what comes next ---

    @property
    def need(self) -> Need:
        """What must come next."""
        match self.phase:
            case Phase.GEM_CARDS | Phase.EVENT_CARD | Phase.OPENER | Phase.FACE_DOWN:
                return Chance(_CHANCES[self.phase])
            case Phase.CHOOSE:
                return Choose(self.present)
            case Phase.OVER:
                assert self.result is not None
                return self.result
            case _:
                return Decide(self._asked)

    def legal_actions(self, seat: Seat) -> tuple[Action, ...]:
        """All actions of a seat: action cards in their order; offers from the lowest, then `Accept`; the open event
        card, then the face-down one; gems, swaps and gifts by colour; using a vault, then saving it.
        """
        if self.phase is Phase.CHOOSE:
            return tuple(map(ChooseCard, self.action_cards)) if seat in self.present else ()
        if not isinstance(self.need, Decide) or seat != self._asked:
            return ()
        match self.phase:
            case Phase.TRADE:
                assert self.trade is not None
                standing = self.trade.offer
                return (*offers(self.gems(seat), standing), *((Accept(),) if standing else ()))
            case Phase.EVENT:
                return (TakeEvent(face_down=False), TakeEvent(face_down=True))
            case Phase.GEMS:
                return tuple(map(TakeGems, self._picks()))
            case Phase.SWAP:
                return tuple(self._swaps())
            case Phase.LEVY:
                return tuple(Give(colour) for colour in COLOURS if self.gems(seat)[colour])
            case _:
                return (UseVault(use=True), UseVault(use=False))

    def sample(self, below: Below) -> Outcome:
        """Answer a `Chance` need.

        ``gem cards``: for each seat still in the game, in order, ``below`` the number of cards left is the place of its
        card among those, ascending; it is taken out before the next. ``open event card`` and ``face-down event card``:
        ``below`` the size of the deck is the place of the card in the deck, sorted. ``who opens the trade``:
        ``below(2)`` is 0 for the lower seat of the two.
        """
        match self.phase:
            case Phase.GEM_CARDS:
                pile = list(self.gem_pile)
                return GemCardsDrawn(tuple(pile.pop(below(len(pile))) for _ in self.present))
            case Phase.EVENT_CARD | Phase.FACE_DOWN:
                return EventCardDrawn(self.deck[below(len(self.deck))])
            case Phase.OPENER:
                assert self.trade is not None
                return Opener(sorted((self.trade.asked, self.trade.other))[below(2)])
            case _:
                raise comes_first(self.need)

    @property
    def _asked(self) -> Seat:
        """Who decides."""
        seat = self.performer
        if self.phase is Phase.TRADE:
            assert self.trade is not None
            seat = self.trade.asked
        elif self.phase in (Phase.LEVY, Phase.VAULT):
            seat = self.owing[0]
        assert seat is not None
        return seat

    # --- steps ---

    def apply(self, step: Step) -> EdelState:
        """The state after ``step``. Raises `IllegalStep`."""
        phases, take = _STEPS.get(type(step), ((), EdelState._exhausted))
        if self.phase not in phases:
            raise comes_first(self.need)
        return take(replace(self, news=()), step)

    def _gem_cards_drawn(self, step: GemCardsDrawn) -> EdelState:
        cards = step.cards
        if len(cards) != len(self.present) or not set(cards) <= set(self.gem_pile):
            raise IllegalStep("everybody gets a gem card that was not seen in this pass")
        if len(set(cards)) != len(cards):
            raise IllegalStep("a gem card is given twice")
        by_seat = dict(zip(self.present, cards, strict=True))
        told = self._told(RoundBegun(self.passing, self.round, self.present, cards))
        return replace(
            told._with_deck(),
            gem_pile=tuple(card for card in self.gem_pile if card not in cards),
            gem_cards=tuple(by_seat.get(seat) for seat in self.everybody),
            phase=Phase.EVENT_CARD,
        )

    def _event_card_drawn(self, step: EventCardDrawn) -> EdelState:
        card = step.card
        if card not in self.deck:
            raise IllegalStep("there is no such card in the event deck")
        drawn = replace(self, deck=without(self.deck, card))
        if self.phase is Phase.FACE_DOWN:
            return drawn._event_taken(card, face_down=True)
        covered = () if self.open_event is None else (self.open_event,)
        told = drawn._discarded(covered)._told(EventOpened(card))
        return replace(told, open_event=card, phase=Phase.CHOOSE)

    def _chosen(self, step: Chosen) -> EdelState:
        actions = step.actions
        chosen = tuple(each.card for each in actions if isinstance(each, ChooseCard))
        if len(actions) != len(self.present) or len(chosen) != len(actions):
            raise IllegalStep("everybody still in the game chooses an action card")
        for card in chosen:
            if card not in self.action_cards:
                raise IllegalStep("there is no action card {card} in this game", card=_word(card))
        by_seat = dict(zip(self.present, chosen, strict=True))
        choices = tuple(by_seat.get(seat) for seat in self.everybody)
        return replace(self._told(CardsChosen(self.present, chosen)), choices=choices)._resolve()

    # --- actions, one after another ---

    def _resolve(self) -> EdelState:
        """Perform, or trade for, whatever comes after the action that was performed last."""
        state = self
        actions = tuple(ActionCard)
        for action in actions if self.action is None else actions[actions.index(self.action) + 1 :]:
            choosers = state.choosers(action)
            state = replace(state, action=action)
            if len(choosers) == 1:
                return state._perform(choosers[0])
            if len(choosers) == 2:
                return state._open_trade(*choosers)
            if choosers:
                state = state._told(ActionLapsed(action, choosers))
        return state._end_round()

    def _done(self) -> EdelState:
        """The action is over, whatever became of it."""
        return replace(self, performer=None, trade=None, event=None, owing=())._resolve()

    def _lapsed(self, *seats: Seat) -> EdelState:
        assert self.action is not None
        return self._told(ActionLapsed(self.action, seats))._done()

    def _perform(self, seat: Seat) -> EdelState:
        state = replace(self, performer=seat, trade=None)
        number = self.gem_cards[seat]
        assert number is not None
        match self.action:
            case ActionCard.MONEY:
                return state._paid(seat, GEM_CARDS[number].money)._done()
            case ActionCard.EVENT:
                return replace(state._with_deck(), phase=Phase.EVENT)
            case ActionCard.GEMS:
                return state._gems_taken(available(GEM_CARDS[number].gems, self.supply))
            case _:
                return state._pick()

    def _open_trade(self, first: Seat, second: Seat) -> EdelState:
        with_gems = [seat for seat in (first, second) if any(self.gems(seat))]
        if not with_gems:
            return self._lapsed(first, second)
        ranks = {seat: self.holdings[seat].opening for seat in with_gems}
        if len(set(ranks.values())) < len(ranks):
            return replace(self, phase=Phase.OPENER, trade=Trade(first, second))
        opener = min(with_gems, key=lambda seat: ranks[seat])
        return self._begin_trade(opener, second if opener == first else first)

    def _opener(self, step: Opener) -> EdelState:
        assert self.trade is not None
        pair = (self.trade.asked, self.trade.other)
        if step.seat not in pair:
            raise IllegalStep("seat {seat} has no part in this trade", seat=step.seat)
        return self._begin_trade(step.seat, pair[0] if step.seat == pair[1] else pair[1])

    def _begin_trade(self, opener: Seat, other: Seat) -> EdelState:
        assert self.action is not None
        told = self._told(TradeOpened(self.action, opener, other))
        return replace(told, phase=Phase.TRADE, trade=Trade(opener, other))

    def _offer(self, offer: Offer) -> EdelState:
        assert self.trade is not None
        seat, other, standing = self.trade
        own, gems = self.gems(seat), offer.gems
        if not is_gems(gems, own):
            raise IllegalStep("seat {seat} does not have these gems to offer", seat=seat)
        if not any(gems):
            raise IllegalStep("an offer is at least one gem")
        if not is_higher(gems, standing):
            raise IllegalStep(
                "the offer must be higher: more gems, or as many with a higher sum",
                hint="Red counts 4, yellow 3, green 2, blue 1.",
            )
        made = replace(self._told(OfferMade(seat, gems)), trade=Trade(other, seat, gems))
        return made if can_offer(self.gems(other), gems) else made._accepted(forced=True)

    def _accept(self, _: Accept) -> EdelState:
        return self._accepted(forced=False)

    def _accepted(self, *, forced: bool) -> EdelState:
        assert self.trade is not None
        seat, by, gems = self.trade
        if gems is None:
            raise IllegalStep("there is no offer to accept yet")
        moved = self.with_holding(by, self.holdings[by].robbed(gems)).with_holding(
            seat, self.holdings[seat].given(gems)
        )
        return moved._told(OfferAccepted(seat, by, gems, forced))._perform(by)

    # --- event cards and gems from the supply ---

    def _take_event(self, step: TakeEvent) -> EdelState:
        if step.face_down not in (True, False):
            raise IllegalStep("an event card is taken open or face down")
        if step.face_down:
            return replace(self, phase=Phase.FACE_DOWN)
        assert self.open_event is not None
        return replace(self, open_event=None)._event_taken(self.open_event, face_down=False)

    def _event_taken(self, card: EventCard, *, face_down: bool) -> EdelState:
        seat = self._performing
        told = self._told(EventTaken(seat, card, face_down))
        if card not in AT_ONCE:
            return told.with_holding(seat, self.holdings[seat].with_card(card))._done()
        at_work = replace(told._discarded((card,)), event=card)
        match card:
            case EventCard.CASH:
                return at_work._paid(seat, CASH)._done()
            case EventCard.JEWEL_BOX:
                return at_work._pick()
            case EventCard.SWAP:
                return at_work._ask_for_swap()
            case _:
                circle = (*self.present, *self.present)
                after = circle[circle.index(seat) + 1 :][: len(self.present) - 1]
                return replace(at_work, owing=after)._levy()

    def _picks(self) -> tuple[Gems, ...]:
        """What may be taken from the supply: two gems, or three of three different colours from a jewel box."""
        most, supply = (1, JEWELS) if self.event else (FREE_GEMS, FREE_GEMS), self.supply
        limits = [min(count, most[0]) for count in supply]
        due = min(most[1], sum(limits))
        red, yellow, green, blue = (range(limit, -1, -1) for limit in limits)
        return tuple(gems for gems in product(red, yellow, green, blue) if due and sum(gems) == due)

    def _pick(self) -> EdelState:
        picks = self._picks()
        if len(picks) > 1:
            return replace(self, phase=Phase.GEMS)
        return self._gems_taken(picks[0]) if picks else self._lapsed(self._performing)

    def _take_gems(self, step: TakeGems) -> EdelState:
        if step.gems not in self._picks():
            raise IllegalStep(
                "these gems cannot be taken now", hint=_HINT_JEWELS if self.event else _HINT_FREE
            )
        return self._gems_taken(step.gems)

    def _gems_taken(self, gems: Gems) -> EdelState:
        seat = self._performing
        if not any(gems):
            return self._lapsed(seat)
        return self.with_holding(seat, self.holdings[seat].given(gems))._told(GemsTaken(seat, gems))._done()

    def _swaps(self) -> Iterator[Swap]:
        seat = self._performing
        for give in COLOURS:
            for other in self.present:
                for take in COLOURS:
                    if other != seat and self.gems(seat)[give] and self.gems(other)[take]:
                        yield Swap(give, other, take)

    def _ask_for_swap(self) -> EdelState:
        swaps = tuple(self._swaps())
        if len(swaps) > 1:
            return replace(self, phase=Phase.SWAP)
        return self._swapped(swaps[0]) if swaps else self._lapsed(self._performing)

    def _swap(self, swap: Swap) -> EdelState:
        if swap not in self._swaps():
            raise IllegalStep("a gem of one's own is given for a gem that another player has")
        return self._swapped(swap)

    def _swapped(self, swap: Swap) -> EdelState:
        seat, other = self._performing, swap.seat
        give, take = COLOURS[swap.give], COLOURS[swap.take]
        mine = self.holdings[seat].robbed(one(give)).given(one(take))
        theirs = self.holdings[other].robbed(one(take)).given(one(give))
        told = self._told(GemsSwapped(seat, give, other, take))
        return told.with_holding(seat, mine).with_holding(other, theirs)._done()

    def _levy(self) -> EdelState:
        """Ask the next of those who owe a gem; whoever has but one colour gives that, whoever has none nothing."""
        state = self
        while state.owing:
            colours = [colour for colour in COLOURS if state.gems(state.owing[0])[colour]]
            if len(colours) > 1:
                return replace(state, phase=Phase.LEVY)
            state = state._gave(colours[0]) if colours else replace(state, owing=state.owing[1:])
        return state._done()

    def _give(self, step: Give) -> EdelState:
        seat = self.owing[0]
        if step.colour not in COLOURS or not self.gems(seat)[step.colour]:
            raise IllegalStep("seat {seat} does not have such a gem to give", seat=seat)
        return self._gave(COLOURS[step.colour])._levy()

    def _gave(self, colour: Colour) -> EdelState:
        seat, to = self.owing[0], self._performing
        told = replace(self._told(GemGiven(seat, to, colour)), owing=self.owing[1:])
        gem = one(colour)
        return told.with_holding(seat, self.holdings[seat].robbed(gem)).with_holding(
            to, self.holdings[to].given(gem)
        )

    # --- scoring ---

    def _end_round(self) -> EdelState:
        nobodys = (None,) * len(self.holdings)
        state = replace(self, gem_cards=nobodys, choices=nobodys, action=None)
        if self.round < self.rounds:
            return replace(state, round=self.round + 1, phase=Phase.GEM_CARDS)
        return state._score(COLOURS[0])

    def _score(self, colour: Colour) -> EdelState:
        payouts = colour_payouts(self._playing(), colour)
        winners = tuple(payout.seat for payout in payouts)
        paid = self._pay(payouts)._told(ColourScored(colour, payouts))
        return replace(paid, colour=colour, owing=winners, tied=len(winners) > 1)._give_back()

    def _give_back(self) -> EdelState:
        """Let those who were paid for a colour give gems back; whoever has a vault is asked about it."""
        state = self
        while state.owing:
            if EventCard.VAULT in state.holdings[state.owing[0]].cards:
                return replace(state, phase=Phase.VAULT)
            state = state._returned()
        assert state.colour is not None
        if state.colour < COLOURS[-1]:
            return state._score(COLOURS[state.colour + 1])
        return state._score_certificates()

    def _returned(self) -> EdelState:
        seat, colour = self.owing[0], self.colour
        assert colour is not None
        holding = self.holdings[seat]
        count = given_back(holding.gems[colour], tied=self.tied)
        told = self._told(GemsReturned(seat, colour, count)).with_holding(
            seat, holding.robbed(one(colour, count))
        )
        return replace(told, owing=self.owing[1:])

    def _use_vault(self, step: UseVault) -> EdelState:
        if step.use not in (True, False):
            raise IllegalStep("a vault is used or saved")
        if not step.use:
            return self._returned()._give_back()
        seat, colour = self.owing[0], self.colour
        assert colour is not None
        told = self._told(VaultUsed(seat, colour))._discarded((EventCard.VAULT,))
        used = told.with_holding(seat, self.holdings[seat].without_card(EventCard.VAULT))
        return replace(used, owing=self.owing[1:])._give_back()

    def _score_certificates(self) -> EdelState:
        payouts = certificate_payouts(self._playing())
        paid = self._pay(payouts)._told(CertificatesScored(payouts))
        given = [card for holding in self.holdings for card in holding.cards]
        state = replace(
            paid._discarded(tuple(given)),
            holdings=tuple(holding._replace(cards=()) for holding in paid.holdings),
            colour=None,
            tied=False,
            gem_pile=EVERY_GEM_CARD,
        )
        if self.passing < PASSES:
            return replace(state, passing=self.passing + 1, round=1, phase=Phase.GEM_CARDS)
        best = max(state.holdings[seat].rank for seat in self.present)
        return state._over(tuple(s for s in self.present if state.holdings[s].rank == best), RICHEST)

    def _playing(self) -> dict[Seat, Holding]:
        return {seat: self.holdings[seat] for seat in self.present}

    # --- resigning and the end ---

    def _resigned(self, step: Resigned) -> EdelState:
        gone = step.seats
        check_resigned(gone, self.present)
        state = self._told(*map(PlayerResigned, gone))
        for seat in gone:
            state = state._discarded(self.holdings[seat].cards).with_holding(seat, NOTHING)
        left = tuple(seat for seat in self.present if seat not in gone)
        state = replace(
            state,
            present=left,
            gem_cards=tuple(None if seat in gone else card for seat, card in enumerate(self.gem_cards)),
            choices=tuple(None if seat in gone else card for seat, card in enumerate(self.choices)),
            owing=tuple(seat for seat in self.owing if seat not in gone),
        )
        return state._go_on() if len(left) > 1 else state._over(left, RESIGNATION)

    def _go_on(self) -> EdelState:
        """Go on where somebody has just left."""
        if self.trade is not None:
            traders = [seat for seat in (self.trade.asked, self.trade.other) if seat in self.present]
            if len(traders) == 2:
                return self
            return self._perform(traders[0]) if traders else self._done()
        if self.phase is Phase.VAULT:
            return self._give_back()
        if self.performer is None:
            return self
        if self.performer not in self.present:
            return self._done()
        match self.phase:
            case Phase.SWAP:
                return self._ask_for_swap()
            case Phase.LEVY:
                return self._levy()
            case _:
                return self

    def _exhausted(self, _: Exhausted) -> EdelState:
        return self._over((), STANDSTILL)

    def _over(self, winners: tuple[Seat, ...], reason: str) -> EdelState:
        return replace(
            self._told(GameEnded(winners, reason)),
            phase=Phase.OVER,
            performer=None,
            trade=None,
            event=None,
            owing=(),
            colour=None,
            tied=False,
            result=Over(winners, reason),
        )

    # --- small changes ---

    @property
    def _performing(self) -> Seat:
        assert self.performer is not None
        return self.performer

    def with_holding(self, seat: Seat, holding: Holding) -> EdelState:
        """The position with something else before one player."""
        return replace(self, holdings=(*self.holdings[:seat], holding, *self.holdings[seat + 1 :]))

    def _paid(self, seat: Seat, money: int) -> EdelState:
        return self.with_holding(seat, self.holdings[seat].paid(money))._told(MoneyTaken(seat, money))

    def _pay(self, payouts: tuple[Payout, ...]) -> EdelState:
        state = self
        for seat, money in payouts:
            state = state.with_holding(seat, state.holdings[seat].paid(money))
        return state

    def _discarded(self, cards: Cards) -> EdelState:
        return replace(self, discards=in_order((*self.discards, *cards)))

    def _with_deck(self) -> EdelState:
        """A card is needed of the event deck: if there is none, the discards become the deck (house).

        There is always one then: no more than 27 of the 39 cards can lie before players, and one open.
        """
        if self.deck:
            return self
        return replace(self._told(EventsShuffled(self.discards)), deck=self.discards, discards=())

    def _told(self, *events: Event) -> EdelState:
        return replace(self, news=(*self.news, *events))


_HINT_FREE = "Two gems, of one colour or of two."
_HINT_JEWELS = "Three gems of three different colours."


def _word(card: object) -> str:
    return card.value if isinstance(card, ActionCard) else str(card)


_GOING_ON = tuple(phase for phase in Phase if phase is not Phase.OVER)

_STEPS: dict[type[Step], tuple[tuple[Phase, ...], Callable[[EdelState, Any], EdelState]]] = {
    GemCardsDrawn: ((Phase.GEM_CARDS,), EdelState._gem_cards_drawn),
    EventCardDrawn: ((Phase.EVENT_CARD, Phase.FACE_DOWN), EdelState._event_card_drawn),
    Chosen: ((Phase.CHOOSE,), EdelState._chosen),
    Opener: ((Phase.OPENER,), EdelState._opener),
    Offer: ((Phase.TRADE,), EdelState._offer),
    Accept: ((Phase.TRADE,), EdelState._accept),
    TakeEvent: ((Phase.EVENT,), EdelState._take_event),
    TakeGems: ((Phase.GEMS,), EdelState._take_gems),
    Swap: ((Phase.SWAP,), EdelState._swap),
    Give: ((Phase.LEVY,), EdelState._give),
    UseVault: ((Phase.VAULT,), EdelState._use_vault),
    Resigned: (_GOING_ON, EdelState._resigned),
    Exhausted: (_GOING_ON, EdelState._exhausted),
}
"""Every step there is, the phases that it belongs to, and what it leads to."""
