"""The table of Edel, Stein & Reich, drawn: pure functions from a scene to lines.

A row for each player, the own one first. Gems have the letter of their colour (R Y G B) as well as the colour, and a
mark where nobody has more: ◄ alone, = shared. Event cards are C for certificates, V for vaults, +R for a surcharge and
xR for a doubler:

                   money gems                 now  gem card choice    events
    ▶ you             12 R4◄  Y3   G2=  B0    +17  5 RYB    event◄    C2 +R
      Bob              9 R3   Y3   G2=  B1◄   +13  7 GG     event◄

Below it stands what is going on, the offers of a trade one after the other, and, where the own player is asked, all
there is to choose from, so that what has happened stays in sight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bcnet.games.edel.actions import ChooseCard, Give, TakeEvent, TakeGems, UseVault
from bcnet.games.edel.events import OfferMade, TradeOpened
from bcnet.games.edel.material import (
    COLOURS,
    DOUBLERS,
    GEM_CARDS,
    PASSES,
    SURCHARGES,
    ActionCard,
    Cards,
    Colour,
    EventCard,
    Gems,
)
from bcnet.games.edel.naming import ACTION_NAMES, event_card, gems_in_words, what_it_does
from bcnet.games.edel.scoring import certificate_payouts, colour_payouts, given_back
from bcnet.games.edel.state import EdelState, Phase
from bcnet.games.edel.trade import is_higher
from bcnet.games.interface import Action, Choose, Seat, deciding
from bcnet.language import told
from bcnet.table.rounds import Kind
from bcnet_client.console.edel import words
from bcnet_client.console.edel.input import Asked, asked_of
from bcnet_client.console.edel.picked import ACCEPT as AT_ACCEPT
from bcnet_client.console.edel.picked import FROM, GIVE, TAKE, Choosing, Offering, Swapping
from bcnet_client.console.face import Frame, Picked
from bcnet_client.console.scene import Scene
from bcnet_client.console.text import (
    Line,
    Part,
    clickable,
    cut,
    fit,
    line,
    pad,
    plain,
    spread,
    width,
    wrap,
    wrap_parts,
)
from bcnet_client.console.words import say

WIDE = 80
"""Columns from which there is room for what a scoring would pay now."""
LARGE = 100
"""Columns from which the open event card is explained, and names have more room."""
TALL = 24
"""Lines from which, with so many columns, each answer has a line of its own."""
_MONEY, _NOW = 5, 5
_NAME_OF_ACTION = 12
_INDENT = 4
"""Columns of what stands before an answer."""

ANSWER: Final = "answer"
GEM: Final = "gem"
OFFER: Final = "offer"
ACCEPT: Final = "accept"
PART: Final = "part"
SWAP: Final = "swap"
"""What can be clicked; some with a number: ``answer:2``, ``gem:0``, ``part:1``."""


@dataclass(frozen=True, slots=True)
class _Table:
    """What the parts of the drawing share."""

    scene: Scene
    state: EdelState
    asked: Asked | None
    picked: Picked | None
    frame: Frame

    @property
    def columns(self) -> int:
        return self.frame.columns

    @property
    def own(self) -> Seat | None:
        """The seat that is "you"; None where a finished game is looked at."""
        return None if self.scene.open_hands else self.scene.seat

    @property
    def is_wide(self) -> bool:
        return self.columns >= WIDE

    @property
    def is_roomy(self) -> bool:
        return self.is_wide and self.frame.rows >= TALL

    @property
    def cell(self) -> int:
        """Columns of a player's gems of one colour: letter, number, and whether nobody has more."""
        return 5 if self.is_wide else 4

    def called(self, seat: Seat) -> str:
        """What a seat is called."""
        return words.called(seat, self.own, self.scene.names)

    def short(self, seat: Seat) -> str:
        """The same where there is not much room."""
        return cut(self.called(seat), 16 if self.is_wide else 10)


def board(scene: Scene, frame: Frame, picked: Picked | None) -> list[Line]:
    """The whole table, without what has happened and without the prompt."""
    state = scene.state
    assert isinstance(state, EdelState)
    table = _Table(scene, state, asked_of(scene), picked, frame)
    seats = (scene.seat, *scene.others)
    lines = [_title(table), _lying_out(table), _head(table), *(_row(table, seat) for seat in seats)]
    return [fit(each, frame.columns) for each in (*lines, *_going_on(table))]


def choosing(scene: Scene) -> tuple[Seat, ...]:
    """Who has not chosen an action card yet, while all choose."""
    state = scene.state
    if not isinstance(state, EdelState) or not isinstance(state.need, Choose):
        return ()
    if scene.open_hands:
        return state.need.seats
    return scene.awaited if scene.awaiting is Kind.SEAL else ()


def on_turn(scene: Scene) -> tuple[Seat, ...]:
    """Who has to decide now."""
    state = scene.state
    assert isinstance(state, EdelState)
    return choosing(scene) if isinstance(state.need, Choose) else deciding(state.need)


# --- single things ---


def gem(colour: Colour, text: str = "", style: str = "") -> Part:
    """The letter of a colour, and what follows it."""
    return (f"class:{colour.word} {style}".rstrip(), f"{colour.letter}{text}")


def letters(gems: Gems) -> Line:
    """A letter for each gem."""
    return tuple(gem(colour, colour.letter * (gems[colour] - 1)) for colour in COLOURS if gems[colour])


def counted(gems: Gems) -> Line:
    """Gems as letters with numbers: ``R2 B1``."""
    parts: list[Part] = []
    for colour in COLOURS:
        if gems[colour]:
            parts += [*(() if not parts else (("", " "),)), gem(colour, str(gems[colour]))]
    return tuple(parts)


def cards(held: Cards) -> Line:
    """Event cards by their letters: ``C2 V +R xB``."""
    parts: list[Part] = []
    for card in dict.fromkeys(held):
        if parts:
            parts.append(("", " "))
        if card in SURCHARGES:
            parts += [("class:count", "+"), gem(COLOURS[SURCHARGES.index(card)])]
        elif card in DOUBLERS:
            parts += [("class:count", "x"), gem(COLOURS[DOUBLERS.index(card)])]
        else:
            count = held.count(card)
            letter = "C" if card is EventCard.CERTIFICATE else "V"
            parts.append(("class:count", f"{letter}{count if count > 1 else ''}"))
    return tuple(parts)


# --- the rows ---


def _title(table: _Table) -> Line:
    state = table.state
    when = say(words.WHEN, passing=state.passing, passes=PASSES, round=state.round, rounds=state.rounds)
    return spread(
        line(("class:title", " Edel, Stein & Reich")),
        line(("class:title", f"  {when} ")),
        table.columns,
        "class:title",
    )


def _lying_out(table: _Table) -> Line:
    """The open event card, the deck and the supply."""
    state = table.state
    opened = say(words.NONE) if state.open_event is None else told(event_card(state.open_event))
    left: list[Part] = [("", f" {say(words.OPEN_EVENT)}"), ("class:count", opened)]
    if state.open_event is not None and table.columns >= LARGE:
        left.append(("class:dim", f", {told(what_it_does(state.open_event))}"))
    left.append(("class:dim", say(words.DECK, count=len(state.deck))))
    supply: list[Part] = [("class:dim", say(words.SUPPLY) if table.is_wide else "")]
    for colour in COLOURS:
        supply += [gem(colour, str(state.supply[colour])), ("", " ")]
    return spread(tuple(left), tuple(supply), table.columns)


def _widths(table: _Table) -> tuple[int, int, int]:
    """Columns of a name, a gem card and a choice, each with a blank after it."""
    if table.columns >= LARGE:
        return 18, 9, 10
    return (13, 9, 10) if table.is_wide else (9, 7, 9)


def _head(table: _Table) -> Line:
    name, gem_card, choice = _widths(table)
    text = " " * (2 + name) + pad(say(words.HEAD_MONEY)[:_MONEY].rjust(_MONEY), _MONEY + 1)
    text += pad(say(words.HEAD_GEMS), len(COLOURS) * table.cell + 1)
    if table.is_wide:
        text += pad(say(words.HEAD_NOW), _NOW)
    head = say(words.HEAD_CARD if table.is_wide else words.HEAD_CARD_SHORT)
    text += pad(cut(head, gem_card - 1), gem_card)
    text += f"{pad(cut(say(words.HEAD_CHOICE), choice - 1), choice)}{say(words.HEAD_EVENTS)}"
    return line(("class:dim", text))


def _row(table: _Table, seat: Seat) -> Line:
    """What lies before a player, and what they have chosen."""
    state, holding = table.state, table.state.holdings[seat]
    name_room, card_room, choice_room = _widths(table)
    acts = seat in on_turn(table.scene)
    style = "class:turn" if acts else "class:name"
    name = pad(cut(table.called(seat), name_room - 1), name_room)
    parts: list[Part] = [("class:turn", "▶ ") if acts else ("", "  "), (style, name.rstrip())]
    parts.append(("", " " * (name_room - width(name.rstrip()))))
    if seat not in state.present:
        return (*parts, ("class:dim", say(words.RESIGNED)))
    parts += [("class:count", f"{holding.money:>{_MONEY}}"), ("", " ")]
    for colour in COLOURS:
        parts += fit(_cell(state, seat, colour), table.cell)
    parts.append(("", " "))
    if table.is_wide:
        now = "" if state.phase is Phase.OVER else f"+{paid_now(state)[seat]}"
        parts.append(("class:dim", pad(now, _NOW)))
    parts += fit(_gem_card(state, seat), card_room)
    parts += fit(_choice(table, seat), choice_room)
    return (*parts, *cards(holding.cards))


def _cell(state: EdelState, seat: Seat, colour: Colour) -> Line:
    counts = [state.gems(other)[colour] for other in state.present]
    own = state.gems(seat)[colour]
    mark = " "
    if own and own == max(counts):
        mark = "◄" if counts.count(own) == 1 else "="
    return gem(colour, str(own)), ("class:ahead", mark)


def paid_now(state: EdelState) -> dict[Seat, int]:
    """What a scoring would pay each seat as it stands."""
    playing = {seat: state.holdings[seat] for seat in state.present}
    paid = dict.fromkeys(state.everybody, 0)
    for payouts in (*(colour_payouts(playing, colour) for colour in COLOURS), certificate_payouts(playing)):
        for seat, money in payouts:
            paid[seat] += money
    return paid


def _gem_card(state: EdelState, seat: Seat) -> Line:
    number = state.gem_cards[seat]
    if number is None:
        return ()
    return (("class:count", f"{GEM_CARDS[number].money} "), *letters(GEM_CARDS[number].gems))


def _choice(table: _Table, seat: Seat) -> Line:
    """What a seat has chosen; while all choose, whether it has."""
    state, chosen = table.state, table.state.choices[seat]
    if chosen is not None:
        now = chosen is state.action
        return line(
            ("class:count" if now else "", say(words.CHOICES[chosen])), ("class:turn", "◄" if now else "")
        )
    if state.phase is not Phase.CHOOSE or table.scene.open_hands:
        return ()
    if seat in table.scene.resigning:
        return line(("class:dim", say(words.RESIGNS)))
    if seat in choosing(table.scene):
        return line(("class:dim", say(words.CHOOSING)))
    if table.scene.resigning:  # whatever was sealed is void, and all choose anew
        return ()
    if seat == table.scene.seat and isinstance(own := table.scene.chosen, ChooseCard):
        return line(
            ("class:count", f"({say(words.CHOICES[own.card])})")
        )  # sealed: in brackets for its own player
    return line(("class:count", say(words.SEALED)))


# --- what is going on ---


def _going_on(table: _Table) -> Iterator[Line]:
    """What the table is at, and what the own player can choose from."""
    state, asked = table.state, table.asked
    if state.phase is Phase.TRADE:
        yield from _trade(table)
    elif asked is None:
        text = _others_doing(table)
        if text:
            yield from _sentence(table, text)
    if asked is None:
        return
    match state.phase:
        case Phase.TRADE:
            yield _offer_row(table, asked)
        case Phase.SWAP:
            yield _swap_row(table, asked)
        case Phase.GEMS | Phase.LEVY:
            yield from _answers_in_a_row(table, asked)
        case Phase.CHOOSE if not table.is_roomy:
            yield from _answers_in_a_row(table, asked)
        case _:
            for index, action in enumerate(asked.answers):
                yield from _answer(table, index, _in_words(state, asked, action))


def _sentence(table: _Table, text: str) -> list[Line]:
    return [line(" ", *each) for each in wrap(text, table.columns - 2, style="class:heading")]


def _others_doing(table: _Table) -> str:
    """What others are at, where the own player is not asked."""
    scene, state = table.scene, table.state
    names = scene.names
    if state.phase is Phase.CHOOSE:
        return say(words.ALL_CHOOSE) if scene.open_hands else ""  # the status line says whom it waits for
    if state.phase.value not in words.PERFORMS:
        return ""
    (seat,) = deciding(state.need)
    if state.phase is Phase.LEVY and state.performer == table.own:
        return say(words.LEVY_TO_YOU, name=names[seat])
    return say(
        words.PERFORMS[state.phase.value],
        name=names[seat],
        other="" if state.performer is None else names[state.performer],
        colour=state.colour.word if state.colour is not None else "",
    )


# trades


def offers_made(scene: Scene) -> list[tuple[Seat, Gems]]:
    """The offers of the trade that is going on, the one that stands last. Where a finished game is looked at, only
    those of this moment.
    """
    state = scene.state
    assert isinstance(state, EdelState)
    assert state.trade is not None
    found: list[tuple[Seat, Gems]] = []
    for each in reversed(scene.story):
        if isinstance(each.event, TradeOpened):
            break
        if isinstance(each.event, OfferMade):
            found.append((each.event.seat, each.event.gems))
    standing = state.trade.offer
    if standing is None:
        return []
    return found[::-1] if found and found[0][1] == standing else [(state.trade.other, standing)]


def _trade(table: _Table) -> Iterator[Line]:
    """Who trades for what, all offers, and who has to say what."""
    state, scene = table.state, table.scene
    trade, action = state.trade, state.action
    assert trade is not None
    assert action is not None
    pair = (trade.asked, trade.other)
    if table.own in pair:
        other = pair[pair.index(table.own) - 1]
        heading = say(words.TRADE_OWN, action=ACTION_NAMES[action], name=scene.names[other])
    else:
        heading = say(
            words.TRADE,
            action=ACTION_NAMES[action],
            name=scene.names[trade.asked],
            other=scene.names[trade.other],
        )
    yield line(" ", ("class:heading", cut(heading, table.columns - 2)))
    yield _offers(table)
    if table.asked is None:
        template = words.TO_OPEN if trade.offer is None else words.TO_ANSWER
        text = say(template, name=scene.names[trade.asked], gems=gems_in_words(trade.offer or (0, 0, 0, 0)))
        yield from ([line(" ", *each) for each in wrap(text, table.columns - 2)])


def _offers(table: _Table) -> Line:
    """All offers one after the other; where there is no room, the oldest are left out."""
    made = offers_made(table.scene)
    if not made:
        return line(" ", ("class:dim", say(words.NO_OFFER)))
    tail = line(("class:ahead", f" ◄ {say(words.ON_THE_TABLE)}"))
    shown: Line = ()
    for index, (seat, gems) in enumerate(reversed(made)):
        style = "class:name" if index == 0 else "class:dim"
        each = line((style, f"{table.short(seat)} "), *counted(gems))
        longer = line(*each, *((("", " · "), *shown) if shown else ()))
        more = 0 if index == len(made) - 1 else 4
        if shown and width(longer) + width(tail) + more > table.columns - 2:
            shown = line(("class:dim", "… · "), *shown)
            break
        shown = longer
    return line(" ", *shown, *tail)


def _offer_row(table: _Table, asked: Asked) -> Line:
    """The gems that are marked, colour by colour, of those that there are; then what does it."""
    picked = table.picked if isinstance(table.picked, Offering) else None
    gems = picked.gems if picked is not None else (0, 0, 0, 0)
    parts: list[Part] = [("", f" {say(words.YOUR_OFFER)}")]
    for colour in COLOURS:
        is_here = picked is not None and picked.at == colour
        style, text = gem(colour, f"{gems[colour]}/{asked.gems[colour]}", "class:picked" if is_here else "")
        parts += _bracketed((clickable(style, f"{GEM}:{int(colour)}"), text), is_here=is_here)
    if picked is not None:
        is_ready = is_higher(picked.gems, asked.standing) and picked.at != AT_ACCEPT
        style = "class:lit" if is_ready else "class:dim"
        parts += [("", " "), (clickable(style, OFFER), say(words.OFFER_IT)), ("", " ")]
    if asked.can_accept:
        is_here = picked is not None and picked.at == AT_ACCEPT
        part = (clickable("class:picked" if is_here else "class:command", ACCEPT), say(words.ACCEPT_IT))
        parts += _bracketed(part, is_here=is_here)
    return tuple(parts)


def _bracketed(part: Part, *, is_here: bool) -> tuple[Part, Part, Part]:
    """Something that stands in brackets if the player is at it."""
    if is_here:
        return ("class:picked", "["), part, ("class:picked", "]")
    return ("", " "), part, ("", " ")


# swaps and lists


def _swap_row(table: _Table, asked: Asked) -> Line:
    """The three parts of a swap, each to be changed."""
    picked = table.picked if isinstance(table.picked, Swapping) else None

    def part(at: int, style: str, text: str) -> tuple[Part, Part, Part]:
        is_here = picked is not None and picked.at == at
        style = f"{style} class:picked" if is_here else style
        return _bracketed((clickable(style, f"{PART}:{at}"), text), is_here=is_here)

    blank = ("class:dim", "?")
    give = blank if picked is None else gem(picked.give)
    take = blank if picked is None else gem(picked.take)
    whose = blank if picked is None else ("class:name", cut(asked.names[picked.seat], 16))
    parts: list[Part] = [("", f" {say(words.GIVE_GEM)}"), *part(GIVE, *give), ("", say(words.TO_WHOM))]
    parts += [*part(FROM, *whose), ("", say(words.FOR_GEM)), *part(TAKE, *take)]
    if picked is not None:
        parts += [("", " "), (clickable("class:lit", SWAP), say(words.SWAP_IT))]
    return tuple(parts)


def _answer(table: _Table, index: int, text: Line) -> list[Line]:
    """An answer of the list, with a mark if the player is there; what has no room goes on in another line."""
    is_here = isinstance(table.picked, Choosing) and table.picked.at == index
    mark = ("class:picked", "▶") if is_here else ("", " ")
    first, *rest = (
        [text] if width(text) < table.columns - _INDENT else wrap(plain(text), table.columns - 1 - _INDENT)
    )
    rows = [(mark, ("class:number", f"{index + 1}"), ("", ") "), *first)]
    rows += [(("", " " * _INDENT), *each) for each in rest]
    return [tuple((clickable(style, f"{ANSWER}:{index}"), each) for style, each in row) for row in rows]


def _answers_in_a_row(table: _Table, asked: Asked) -> list[Line]:
    groups = [
        (*each, ("", "  "))
        for index, action in enumerate(asked.answers)
        for each in _answer(table, index, _in_short(table.state, asked, action))
    ]
    return wrap_parts(groups, table.columns - 1)


def _in_short(state: EdelState, asked: Asked, action: Action) -> Line:
    """An answer in a few letters."""
    match action:
        case TakeGems(gems):
            return letters(gems)
        case ChooseCard(card):
            name = ("class:command", told(ACTION_NAMES[card]))
            number = state.gem_cards[asked.own]
            assert number is not None
            money, gems = GEM_CARDS[number]
            if card is ActionCard.MONEY:
                return line(name, f" {money}")
            return line(name, " ", *letters(gems)) if card is ActionCard.GEMS else (name,)
        case _:
            return _in_words(state, asked, action)


def _in_words(state: EdelState, asked: Asked, action: Action) -> Line:
    """What an answer means, in short."""
    match action:
        case ChooseCard(card):
            name = pad(told(ACTION_NAMES[card]), _NAME_OF_ACTION)
            return line(("class:command", name), what_it_brings(state, asked.own, card))
        case TakeEvent(face_down):
            if face_down:
                return line(say(words.TAKE_FACE_DOWN, count=len(state.deck)))
            assert state.open_event is not None
            return line(
                say(words.TAKE_OPEN, card=event_card(state.open_event)),
                f", {told(what_it_does(state.open_event))}",
            )
        case Give(colour):
            return line(gem(COLOURS[colour]), f" {told(COLOURS[colour].word)}")
        case UseVault(use):
            assert state.colour is not None
            count = given_back(asked.gems[state.colour], tied=state.tied)
            return line(say(words.USE) if use else say(words.SAVE, count=count, colour=state.colour.word))
        case _:
            return ()


def what_it_brings(state: EdelState, seat: Seat, card: ActionCard) -> str:
    """What an action would bring a seat in this round."""
    number = state.gem_cards[seat]
    assert number is not None
    match card:
        case ActionCard.MONEY:
            return say(words.WHAT_MONEY, money=GEM_CARDS[number].money)
        case ActionCard.EVENT:
            opened = say(words.NONE) if state.open_event is None else told(event_card(state.open_event))
            return say(words.WHAT_EVENT, card=opened)
        case ActionCard.GEMS:
            return told(gems_in_words(GEM_CARDS[number].gems))
        case ActionCard.FREE:
            return say(words.WHAT_FREE)
