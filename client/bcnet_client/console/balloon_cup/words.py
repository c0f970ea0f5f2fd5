"""What the console says about Balloon Cup: all its sentences, and an event as a player is told it."""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.games.balloon_cup import endings
from bcnet.games.balloon_cup import events as happened
from bcnet.games.balloon_cup.material import CARDS, COLOURS, Cubes
from bcnet.games.balloon_cup.material import say as card_in_words
from bcnet.games.balloon_cup.notation import write_card
from bcnet.games.interface import Card, Event, Hand, Seat
from bcnet.language import N_, told
from bcnet_client.console.face import THEN_HIDDEN
from bcnet_client.console.text import joined
from bcnet_client.console.words import say

# --- the table ---

PILE = "pile {count}"
PILE_NEXT = "next cards"
PILE_NEXT_WORDS = "Next in the pile, and nobody knew it: {cards}."
NEXT_CARDS = 8
"""So many cards of the pile are shown where a finished game is looked at."""
DISCARDS = "discards {count}"
BAG = "bag {count}"
YOU = "you"
HAND_SIZE = "{count} cards"
SHOWN = "{count} cards, shown:"
MORE_CARDS = "and {count} more"
LOW_WINS = "low wins"
HIGH_WINS = "high wins"
LOW, HIGH = "low", "high"
BLOCKED = "blocked"
GONE = "out of play"
HEAD_TILE = "tile"
SIDE_OF = "{name}'s side"
YOUR_SIDE = "your side"
TROPHY_COSTS = "Cubes won"
TROPHIES = "trophies"
OF_THREE = "{count} of 3"

# --- what is asked ---

CALL_PLAY = "Your turn: lay a card, as in {example}"
CALL_EXCHANGE = "Nothing in your hand fits: exchange up to four cards"
CALL_SKIP = "Still nothing fits: your turn passes"
CALL_CLAIM = "You may pay for a trophy, three for one"
CALL_WHERE = N_("Where does {card} go? It fits at {count} places, which are marked.")
CALL_WHERE_ONE = N_("{card} fits at one place, which is marked.")
CALL_NOWHERE = N_("{card} fits nowhere now.")
FORESEEN = N_("{card} next to tile {tile}, on your side: you {own}, {name} {theirs}.")
FORESEEN_ACROSS = N_("{card} next to tile {tile}, on {name}'s side: you {own}, {name} {theirs}.")
AHEAD = (N_("You would win it so."), N_("{name} would win it so."))
NOBODY_AHEAD = N_("Nobody is ahead there.")
WINS = (N_("It is full then: you win {cubes}."), N_("It is full then: {name} wins {cubes}."))
WINS_EVEN = N_("It is full then, and you win {cubes}: the last card is yours.")
KEYS_BEGIN = N_("left/right: a card")
KEYS_CARD = N_("left/right, up: where, Esc")
KEYS_PLACE = N_("arrows: where, Enter lays it, Esc")
KEYS_EXCHANGE = N_("left/right, Space marks, Enter")
KEYS_CLAIM = N_("up/down, Enter")
KEYS_SKIP = N_("Enter")
CONFIRM_PLAY = N_("Lay {card} on tile {tile}, your side? Enter lays it, Esc goes back.")
CONFIRM_PLAY_ACROSS = N_("Lay {card} on tile {tile}, {name}'s side? Enter lays it, Esc goes back.")
CONFIRM_EXCHANGE = N_("Exchange {cards}? Enter does it, Esc goes back.")
CONFIRM_KEEP = N_("Keep all cards, and let your turn pass? Enter does it, Esc goes back.")
CONFIRM_CLAIM = N_("Take the {trophy} trophy for {paid}? Enter takes it, Esc goes back.")
CONFIRM_DECLINE = N_("Claim nothing now? Enter goes on without, Esc goes back.")
PROMPT_EXCHANGE = "exchange> "
PROMPT_SKIP = "pass> "
PROMPT_CLAIM = "claim> "

EXCHANGE_TITLE = "Nothing in your hand fits. It is shown, and you may exchange up to four cards:"
EXCHANGE_HOW = "Type cards or numbers, as in {cards}, or {numbers}; none keeps all, and your turn passes."
EXCHANGE_CHOSEN = N_("To be exchanged: {cards} ({count} of at most {most}). Enter does it.")
SKIP_TITLE = "Nothing in your new hand fits either. It is shown again, and your turn passes. Type pass."
CLAIM_TITLE = "Three cubes of a colour whose trophy is taken replace a missing one. Type a number, or none:"
CLAIM_LINE = "the {trophy} trophy for {paid}"

PLACE = "{number}) {tile} {side}"
ME = "me"
THEM = "them"

DEALING = "One moment: a card is dealt …"
DRAWING_CUBES = "One moment: cubes are drawn from the bag …"

USAGE = (
    (
        N_("left, right"),
        N_("while nothing is typed: pick a card; up, Tab or Enter goes to the places where it fits"),
    ),
    (N_("up, down"), N_("from place to place, with left and right or with Tab; Enter lays the card")),
    (N_("Space"), N_("when asked to exchange: marks a card; Enter exchanges those that are marked")),
    ("r13 2 me", N_("lay the red 13 next to tile 2, on your side (play r13 2 me is the same)")),
    ("y5 4 them", N_("lay the yellow 5 next to tile 4, on the other's side")),
    ("r13 2", N_("the same on your side, if it has room")),
    ("7", N_("the seventh move of the list that moves shows")),
    ("r1 e4", N_("when asked: exchange these cards; none keeps all")),
    ("pass", N_("when asked: nothing fits")),
    ("1", N_("when asked: the first claim of the list; none claims nothing")),
)
"""What can be typed, for the page of help."""

ADVICE = "Hint: {action}. {why}."

# --- what is explained ---

NO_CARD = "{text} is no card: there is no {colour} card of that value."
NO_CARD_HINT = "There are {colour} {values}."
NO_SUCH_CARD = "{text} is no card."
NO_SUCH_CARD_HINT = "A card is the letter of its colour and its value (e for grey), as in {example}."
EXCHANGE_EXAMPLE = "A card is the letter of its colour and its value (e for grey), as in {example}."
WHICH_CARD = "Which card?"
NOT_IN_HAND = "{card} is not in your hand."
IN_HAND = "You hold {cards}."
WHERE = "Where does {card} go? It fits next to {places}."
WHERE_HINT = "Type {example}."
WHICH_SIDE = "Your side of tile {tile} has no place for {card}, but {name}'s side has."
WHICH_SIDE_HINT = "To lay it there, type {example}."
NO_TILE = "There is no tile {text}: the tiles are 1 to 4."
NO_SIDE = "I do not know whose side {text} is."
NO_SIDE_HINT = "Say me for your side, them for {name}'s."
FITS_NOWHERE = "{card} fits nowhere now."
FITS_AT = "It fits next to {places}."
TRY_OTHERS = "These of your cards fit somewhere: {cards}."
PLACE_WORDS = "tile {tile} on your side"
PLACE_WORDS_OTHER = "tile {tile} on {name}'s side"
NO_PLACE = "{card} does not fit next to tile {tile} on {side}: {why}."
NO_CUBE = "there is no {colour} cube on it"
TAKEN_ONE = "the {colour} place on that side is taken"
TAKEN_BOTH = "both {colour} places on that side are taken"
TAKEN_ALL = "all {count} {colour} places on that side are taken"
TILE_GONE = "that tile has left the game"
NO_NUMBER = "There is no move {number}: the list goes from 1 to {count}."
NO_NUMBER_HINT = "Type moves to see them."
MUST_PLAY = "You can play, so you must: cards are exchanged only while nothing fits."
MUST_PLAY_HINT = "For instance {example}. Type moves to see all."
EXCHANGE_FIRST = "Nothing in your hand fits. Say which cards you exchange, or none."
TOO_MANY = "At most four cards are exchanged, not {count}."
TWICE = "{card} is named twice."
KEEP_ALL = "keep all cards: your turn passes"
CLAIM_NOTHING = "claim nothing now"
WHICH_CARDS = "Which cards? Name up to four, or say none."
JUST_SKIP = "After the exchange still nothing fits. Type pass."
CLAIM_NOW = "You are asked for a claim now."
CLAIM_NOW_HINT = "Type the number of a claim, or none."
NOTHING_TO_CLAIM = "Nobody is asked for a claim now: trophies you can pay outright are yours at once."
CANNOT_CLAIM = "The {trophy} trophy cannot be paid now."
CLAIM_WHICH = "There are several ways to pay for the {trophy} trophy."
NO_SKIP = "A turn passes only where nothing fits after an exchange."

# --- scores in words ---

HAND_YOURS = "Your hand: {cards}."
HAND_OTHER = "{name}'s hand: {count} cards."
HAND_OPEN = "{name}'s hand: {cards}."
HAND_OPEN_HIDDEN = "{name}'s hand: {cards}, and {count} more."
HAND_OTHER_SHOWN = "{name}'s hand: {count} cards, {cards} among them."
SCORE_YOURS = "You: trophies {trophies}; cubes {cubes}."
SCORE_OTHER = "{name}: trophies {trophies}; cubes {cubes}."
TILES_WON = N_("Tiles won: you {own}, {name} {theirs}.")
TILE_WON = (N_("move {move} you {sum} to {other}"), N_("move {move} {name} {sum} to {other}"))
TILE_SUMMARY = N_("Tile {tile}: {wins}.")
TROPHY_TAKEN = (N_("move {move} you {trophy}"), N_("move {move} {name} {trophy}"))
TROPHIES_TAKEN = N_("Trophies: {taken}.")
FREE = "Free trophies: {trophies}."
FREE_ONE = "{trophy} ({price} cubes)"
TILE_WORDS = "Tile {tile}, {terrain}, {rule}, cubes {cubes}. Your side: {yours}. {name}'s side: {theirs}."
TILE_WORDS_OPEN = (
    "Tile {tile}, {terrain}, {rule}, cubes {cubes}. {own}'s side: {yours}. {name}'s side: {theirs}."
)
SIDE_WORDS = "{cards}, sum {sum}, open {open}"
SIDE_FULL = "{cards}, sum {sum}, full"
TILE_GONE_WORDS = "Tile {tile} has left the game."
COUNTS = "Pile {pile} cards, discards {discards}, bag {bag} cubes."
NOTHING = "none"
AND = "and"

# --- how games end ---

OUTCOMES = {
    endings.THIRD_TROPHY: "A third trophy decides the game.",
    endings.RESIGNATION: "The other side resigned.",
    endings.NO_PLAY_LEFT: "No open place can ever take a card again.",
    endings.NO_THIRD_TROPHY: "Nobody can reach a third trophy any more.",
    endings.STANDSTILL: "Nothing moves any more.",
}
YOU_RESIGNED = "You resigned."
BOTH_RESIGNED = "Both resigned."

# --- events: (of the own player, of another) ---

PLAYED_OWN = ("You lay {card} next to tile {tile}, on your side.",
              "{name} lays {card} next to tile {tile}, on their own side.")  # fmt: skip
PLAYED_ACROSS = ("You lay {card} next to tile {tile}, on {other}'s side.",
                 "{name} lays {card} next to tile {tile}, on your side.")  # fmt: skip
SHUFFLED = "The discards are shuffled: a new pile of {count} cards."
SET_UP = "The deck is shuffled, and nobody knows its order."
STARTS = ("The coin says: you begin.", "The coin says: {name} begins.")
DEALT = "You are dealt {cards}."
SCORED = ("Tile {tile} ({terrain}) is full, you {own}, {other} {theirs}: you win {cubes}.",
          "Tile {tile} ({terrain}) is full, you {own}, {other} {theirs}: {other} wins {cubes}.")  # fmt: skip
SCORED_EVEN = ("Tile {tile} ({terrain}) is full, {own} each: you laid the last card and win {cubes}.",
               "Tile {tile} ({terrain}) is full, {own} each: {other} laid the last card and wins {cubes}.")  # fmt: skip
REFILLED = "Tile {tile} turns to {terrain} and gets {cubes}."
REMOVED = "The bag holds too few cubes for tile {tile}: it leaves the game."
CLAIMED = ("You take the {trophy} trophy for {paid}.", "{name} takes the {trophy} trophy for {paid}.")
DECLINED = ("You claim nothing now.", "{name} claims nothing now.")
DREW = ("You draw {card}.", "")
HAND_SHOWN = ("Nothing in your hand fits: you show it.", "Nothing in {name}'s hand fits: {cards}.")
EXCHANGED = ("You exchange {cards}.", "{name} exchanges {cards}.")
EXCHANGED_NOTHING = ("You exchange nothing.", "{name} exchanges nothing.")
PASSED = ("Your turn passes.", "{name}'s turn passes.")
RESIGNED = ("You resign.", "{name} resigns.")


def cards_in_words(cards: Sequence[Card]) -> str:
    """Cards in the letters in which they are typed."""
    return joined([write_card(card).upper() for card in cards], say(AND))


def open_hand_in_words(hand: Hand) -> str:
    """All cards of a hand that are known by now, those that only its player knew then with their mark."""
    marks = {card: "" if card in hand.shown else THEN_HIDDEN for card in hand.known}
    return joined([f"{write_card(card).upper()}{mark}" for card, mark in marks.items()], say(AND)) or say(
        NOTHING
    )


def cubes_in_words(cubes: Cubes) -> str:
    """Cubes with their colours' words."""
    parts = [f"{cubes[colour]} {told(colour.word)}" for colour in COLOURS if cubes[colour]]
    return joined(parts, say(AND)) or say(NOTHING)


def tell(event: Event, own: Seat, names: Sequence[str]) -> str:
    """An event as the player of seat ``own`` is told it; empty if the table shows it well enough."""
    match event:
        case happened.PileShuffled(size, _):
            return say(SET_UP) if size == CARDS else say(SHUFFLED, count=size)
        case happened.FirstPlayerChosen(seat):
            return _by(STARTS, seat, own, names)
        case happened.HandDealt(seat, cards) if seat == own:
            return say(DEALT, cards=cards_in_words(sorted(card for card in cards if card is not None)))
        case happened.CardPlayed(seat, card, tile, side):
            template = PLAYED_OWN if side == seat else PLAYED_ACROSS
            return _by(template, seat, own, names, card=card_in_words(card), tile=tile)
        case happened.TileScored():
            return _scored(event, own, names)
        case happened.TileRefilled(tile, terrain, cubes):
            return say(REFILLED, tile=tile, terrain=terrain.word, cubes=cubes_in_words(cubes))
        case happened.TileRemoved(tile):
            return say(REMOVED, tile=tile)
        case happened.TrophyClaimed(seat, trophy, paid, _):
            return _by(CLAIMED, seat, own, names, trophy=trophy.word, paid=cubes_in_words(paid))
        case happened.ClaimDeclined(seat):
            return _by(DECLINED, seat, own, names)
        case happened.CardDrawn(seat, drawn) if drawn is not None:
            return _by(DREW, seat, own, names, card=card_in_words(drawn))
        case happened.HandShown(seat, shown):
            return _by(HAND_SHOWN, seat, own, names, cards=cards_in_words(shown))
        case happened.CardsExchanged(seat, discarded):
            template = EXCHANGED if discarded else EXCHANGED_NOTHING
            return _by(template, seat, own, names, cards=cards_in_words(discarded))
        case happened.TurnPassed(seat):
            return _by(PASSED, seat, own, names)
        case happened.PlayerResigned(seat):
            return _by(RESIGNED, seat, own, names)
        case _:
            return ""


def _by(templates: tuple[str, str], seat: Seat, own: Seat, names: Sequence[str], **values: object) -> str:
    return say(templates[seat != own], name=names[seat], other=names[1 - seat], **values)


def _scored(event: happened.TileScored, own: Seat, names: Sequence[str]) -> str:
    templates = SCORED_EVEN if event.totals[0] == event.totals[1] else SCORED
    return say(
        templates[event.winner != own],
        tile=event.tile,
        terrain=event.terrain.word,
        own=event.totals[own],
        theirs=event.totals[1 - own],
        other=names[1 - own],
        cubes=cubes_in_words(event.cubes),
    )
