"""A second, plain reading of the rules (docs/protocol.md, section 22) and of docs/records.md: replays a record and
objects to everything that is not right.

Written from the rules alone, with lists, sets and counters, slow and simple; it shares no code with the game. Where
the two disagree, one of them has misread the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product
from typing import Any

COLOURS = ["red", "yellow", "green", "blue", "grey"]
VALUES = {
    "red": list(range(1, 14)),
    "yellow": [1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13],
    "green": [1, 2, 4, 6, 7, 8, 10, 12, 13],
    "blue": [1, 3, 5, 7, 9, 11, 13],
    "grey": [1, 4, 7, 10, 13],
}
CUBES = {"red": 13, "yellow": 11, "green": 9, "blue": 7, "grey": 5}
PRICE = {"red": 7, "yellow": 6, "green": 5, "blue": 4, "grey": 3}
DECK = [f"{colour}-{value}" for colour in COLOURS for value in VALUES[colour]]
COLOUR = {f"{colour}-{value}": colour for colour in COLOURS for value in VALUES[colour]}
LETTER = {"red": "r", "yellow": "y", "green": "g", "blue": "b", "grey": "e"}


class Objection(AssertionError):
    """The record breaks a rule."""


def demand(right: bool, what: str) -> None:
    """Object unless it is right."""
    if not right:
        raise Objection(what)


def colour_of(card: str) -> str:
    return COLOUR[card]


def value_of(card: str) -> int:
    return int(card.split("-")[1])


class Referee:
    """A table, as one would keep it with pencil and paper."""

    def __init__(self, fill: str) -> None:
        self.fill = fill
        self.bag = Counter(CUBES)
        self.box: Counter[str] = Counter()
        self.terrain = {1: "plains", 2: "mountain", 3: "plains", 4: "mountain"}
        self.cubes: dict[int, Counter[str]] = {}  # tiles in the game
        self.cards: dict[int, tuple[list[str], list[str]]] = {}
        self.won: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self.owner: dict[str, int] = {}
        self.hands: tuple[set[str], set[str]] = (set(), set())
        self.pile: list[str] = []
        self.discards: set[str] = set()
        self.idle_passes = 0

    # --- the course of a record ---

    def replay(self, record: dict[str, Any]) -> str:
        """Check a whole record; gives the reason of its end."""
        self.events = list(record["events"])
        for tile in (1, 2, 3, 4):
            event = self.expect("fill")
            demand(event["tile"] == tile, "tiles are filled in order")
            self.draw_cubes(tile, event["cubes"])
        self.shuffle(DECK)
        for seat in (0, 1):
            event = self.expect("deal")
            demand(event["seat"] == seat, "seat 0 is dealt first")
            demand(event["cards"] == self.pile[seat:16:2], "the top cards go to the seats in turn")
            self.hands[seat].update(event["cards"])
        del self.pile[:16]
        mover = record["first_player"]
        while True:
            if self.peek() == "resign":
                return self.resign()
            self.check_conserved()
            reason = self.drawn()
            if reason:
                return self.end(None, reason)
            following = self.turn(mover)
            if following is None:
                return self.end(mover_of_third(self.owner), "third-trophy")
            mover = following

    def turn(self, mover: int) -> int | None:
        """One turn; gives who is next, None after a third trophy."""
        hand = self.hands[mover]
        demand(len(hand) == 8, "a turn begins with eight cards")
        if not self.places(hand):
            event = self.expect("show", seat=mover)
            demand(event["cards"] == in_order(hand), "the whole hand is shown")
            event = self.expect("exchange", seat=mover)
            discarded = event["discarded"]
            demand(0 <= len(discarded) <= 4, "0 to 4 cards are exchanged")
            demand(discarded == in_order(set(discarded)), "in order, each once")
            demand(set(discarded) <= hand, "from the hand")
            hand -= set(discarded)
            self.discards |= set(discarded)
            if not discarded:
                self.expect("pass", seat=mover)
                self.idle_passes += 1
                return 1 - mover
            for _ in discarded:
                self.draw(mover)
            if not self.places(hand):
                event = self.expect("show", seat=mover)
                demand(event["cards"] == in_order(hand), "the whole hand is shown again")
                self.expect("pass", seat=mover)
                self.idle_passes = 0
                return 1 - mover
        self.idle_passes = 0
        event = self.expect("play", seat=mover)
        card, tile, side = event["card"], event["tile"], event["side"]
        demand(card in hand, "the card is in the hand")
        demand((card, tile, side) in self.places(hand), "the card fits")
        hand.remove(card)
        self.cards[tile][side].append(card)
        following = 1 - mover
        if all(len(cards) == tile for cards in self.cards[tile]):
            winner = self.score(tile, mover)
            following = 1 - winner
            if self.claims(winner):
                return None
        self.draw(mover)
        return following

    def score(self, tile: int, last: int) -> int:
        """A full tile; gives the winner."""
        event = self.expect("score")
        totals = [sum(value_of(card) for card in cards) for cards in self.cards[tile]]
        if totals[0] == totals[1]:
            winner = last
        elif (totals[0] > totals[1]) == (self.terrain[tile] == "mountain"):
            winner = 0
        else:
            winner = 1
        cubes = self.cubes.pop(tile)
        demand(
            event
            == {"type": "score", "tile": tile, "winner": winner, "totals": totals, "cubes": dict(cubes)},
            "the score is right",
        )
        self.won[winner].update(cubes)
        for cards in self.cards.pop(tile):
            self.discards |= set(cards)
        if self.bag.total() < tile:
            demand(self.expect("remove") == {"type": "remove", "tile": tile}, "the tile leaves the game")
        else:
            self.terrain[tile] = "plains" if self.terrain[tile] == "mountain" else "mountain"
            event = self.expect("refill")
            demand(event["tile"] == tile, "the scored tile is filled again")
            demand(event["terrain"] == self.terrain[tile], "it was flipped")
            self.draw_cubes(tile, event["cubes"])
        return winner

    def claims(self, winner: int) -> bool:
        """All claims after a scoring; whether the game is over."""
        for colour in COLOURS:
            if colour not in self.owner and self.won[winner][colour] >= PRICE[colour]:
                event = self.expect("claim", seat=winner)
                demand(event["trophy"] == colour, "natural claims go in order")
                demand(event["paid"] == {colour: PRICE[colour]}, "natural claims pay with their own colour")
                self.pay(winner, colour, event["paid"])
                if self.count(winner) == 3:
                    return True
        while self.peek() == "claim":
            event = self.expect("claim")
            seat, trophy, paid = event["seat"], event["trophy"], event["paid"]
            demand(trophy not in self.owner, "the trophy is free")
            demand(all(count > 0 for count in paid.values()), "no zeros are written")
            own = min(self.won[seat][trophy], PRICE[trophy])
            demand(paid.get(trophy, 0) == own, "all own cubes are used first")
            triples = {colour: count for colour, count in paid.items() if colour != trophy}
            demand(all(colour in self.owner for colour in triples), "triples are of taken colours")
            demand(all(count % 3 == 0 for count in triples.values()), "triples are triples")
            demand(own + sum(triples.values()) // 3 == PRICE[trophy], "the price is paid")
            demand(
                all(self.won[seat][colour] >= count for colour, count in paid.items()), "the cubes are there"
            )
            self.pay(seat, trophy, paid)
            if self.count(seat) == 3:
                return True
        return False

    def pay(self, seat: int, trophy: str, paid: dict[str, int]) -> None:
        self.won[seat].subtract(paid)
        self.box.update(paid)
        self.owner[trophy] = seat

    def draw(self, seat: int) -> None:
        if not self.pile:
            self.shuffle(in_order(self.discards))
            self.discards.clear()
        card = self.pile.pop(0)
        demand(self.expect("draw", seat=seat)["card"] == card, "the top card is drawn")
        self.hands[seat].add(card)

    def shuffle(self, cards: list[str]) -> None:
        event = self.expect("shuffle")
        demand(sorted(event["order"]) == sorted(cards), "these cards are shuffled")
        self.pile = list(event["order"])

    def draw_cubes(self, tile: int, drawn: dict[str, int]) -> None:
        demand(sum(drawn.values()) == tile, "as many cubes as the tile's number")
        demand(all(0 < count <= self.bag[colour] for colour, count in drawn.items()), "from the bag")
        possible = [
            dict(zip(COLOURS, counts, strict=True))
            for counts in product(*(range(min(self.bag[colour], tile) + 1) for colour in COLOURS))
            if sum(counts) == tile
        ]
        if any(self.keeps_limit(cubes) for cubes in possible):
            demand(self.keeps_limit(drawn), "the draw keeps the limit")
        self.bag.subtract(drawn)
        self.cubes[tile] = Counter(drawn)
        self.cards[tile] = ([], [])

    def keeps_limit(self, drawn: dict[str, int]) -> bool:
        if self.fill == "designer":
            return drawn.get("grey", 0) < 3 and drawn.get("blue", 0) < 4
        if self.fill == "capped":
            over_all = Counter(drawn)
            for cubes in self.cubes.values():
                over_all.update(cubes)
            most = {"grey": 2, "blue": 3, "green": 4, "yellow": 5, "red": 6}
            return all(over_all[colour] <= most[colour] for colour in COLOURS)
        return True

    def resign(self) -> str:
        seats = []
        while self.peek() == "resign":
            seats.append(self.expect("resign")["seat"])
        return self.end(None if len(seats) == 2 else 1 - seats[0], "resignation")

    def end(self, winner: int | None, reason: str) -> str:
        demand(
            self.expect("end") == {"type": "end", "winner": winner, "reason": reason},
            f"it ends: {winner}, {reason}",
        )
        demand(not self.events, "nothing follows the end")
        return reason

    # --- what the rules say of a position ---

    def open(self, tile: int, side: int, colour: str) -> int:
        """Open places for a colour on one side of a tile."""
        return self.cubes[tile][colour] - [COLOUR[card] for card in self.cards[tile][side]].count(colour)

    def places(self, hand: set[str]) -> set[tuple[str, int, int]]:
        """Every card that fits, and where."""
        return {
            (card, tile, side)
            for card in hand
            for tile in self.cubes
            for side in (0, 1)
            if self.open(tile, side, colour_of(card)) > 0
        }

    def legal(self, mover: int) -> set[str]:
        """The mover's legal actions at the start of a turn, in notation."""
        hand = self.hands[mover]
        plays = {f"play {short(card)} {tile} {side}" for card, tile, side in self.places(hand)}
        return plays or {
            " ".join(["exchange", *map(short, in_order(set(cards)))])
            for count in range(5)
            for cards in combinations(hand, count)
        }

    def lying(self, tiles: Iterator[int] | tuple[int, ...] | list[int]) -> Counter[str]:
        return Counter(colour_of(card) for tile in tiles for side in self.cards[tile] for card in side)

    def blocked(self) -> set[int]:
        """The largest set of tiles as the rules say, found by trying all sets."""

        def fits_the_words(tiles: tuple[int, ...]) -> bool:
            lying = self.lying(tiles)
            return all(
                any(
                    sum(self.open(tile, side, colour) for side in (0, 1)) > CUBES[colour] - lying[colour]
                    for colour in COLOURS
                )
                for tile in tiles
            )

        sets = [
            tiles for count in range(5) for tiles in combinations(self.cubes, count) if fits_the_words(tiles)
        ]
        largest = max(sets, key=len)
        demand(sum(len(tiles) == len(largest) for tiles in sets) == 1, "there is one largest set")
        return set(largest)

    def drawn(self) -> str | None:
        """Why the game is drawn here."""
        lying = self.lying(list(self.cubes))
        if all(
            self.open(tile, side, colour) == 0 or lying[colour] == CUBES[colour]
            for tile in self.cubes
            for side in (0, 1)
            for colour in COLOURS
        ):
            return "no-play-left"
        winnable: Counter[str] = Counter()
        unblocked = set(self.cubes) - self.blocked()
        for tile in unblocked:
            winnable.update(self.cubes[tile])
        if unblocked:
            winnable.update(self.bag)
        if not unblocked or not any(self.could_win(seat, self.won[seat] + winnable) for seat in (0, 1)):
            return "no-third-trophy"
        return "standstill" if self.idle_passes >= 4 else None

    def could_win(self, seat: int, cubes: Counter[str]) -> bool:
        """Whether the seat reaches three trophies with these cubes, trying every order of claiming."""
        wanted = 3 - self.count(seat)
        free = [colour for colour in COLOURS if colour not in self.owner]
        for order in permutations(free, wanted):
            left, taken = Counter(cubes), set(self.owner)
            for trophy in order:
                missing = max(0, PRICE[trophy] - left[trophy])
                left[trophy] -= PRICE[trophy] - missing
                for colour in taken:
                    triples = min(missing, left[colour] // 3)
                    left[colour] -= 3 * triples
                    missing -= triples
                if missing:
                    break
                taken.add(trophy)
            else:
                return True
        return False

    def count(self, seat: int) -> int:
        return list(self.owner.values()).count(seat)

    def check_conserved(self) -> None:
        cubes = self.bag + self.box + self.won[0] + self.won[1]
        for on_tile in self.cubes.values():
            cubes += on_tile
        demand(cubes == Counter(CUBES), "no cube is lost")
        cards = [*self.pile, *self.discards, *self.hands[0], *self.hands[1]]
        cards += [card for sides in self.cards.values() for side in sides for card in side]
        demand(sorted(cards) == sorted(DECK), "no card is lost")

    # --- reading events ---

    def peek(self) -> str:
        demand(bool(self.events), "the record goes on")
        return str(self.events[0]["type"])

    def expect(self, kind: str, seat: int | None = None) -> dict[str, Any]:
        demand(self.peek() == kind, f"{kind} comes next, not {self.peek()}")
        event: dict[str, Any] = self.events.pop(0)
        demand(list(event) == FIELDS[kind], f"the fields of {kind}")
        demand(seat is None or event["seat"] == seat, f"{kind} is by seat {seat}")
        return event


FIELDS = {
    "fill": ["type", "tile", "cubes"],
    "shuffle": ["type", "order"],
    "deal": ["type", "seat", "cards"],
    "play": ["type", "seat", "card", "tile", "side"],
    "score": ["type", "tile", "winner", "totals", "cubes"],
    "refill": ["type", "tile", "terrain", "cubes"],
    "remove": ["type", "tile"],
    "claim": ["type", "seat", "trophy", "paid"],
    "draw": ["type", "seat", "card"],
    "show": ["type", "seat", "cards"],
    "exchange": ["type", "seat", "discarded"],
    "pass": ["type", "seat"],
    "resign": ["type", "seat"],
    "end": ["type", "winner", "reason"],
}


def mover_of_third(owner: dict[str, int]) -> int:
    """Who has three trophies."""
    return next(seat for seat in (0, 1) if list(owner.values()).count(seat) == 3)


def in_order(cards: set[str]) -> list[str]:
    """Sorted as in a record: by colour and value."""
    return sorted(cards, key=DECK.index)


def short(card: str) -> str:
    return f"{LETTER[colour_of(card)]}{value_of(card)}"


def from_saved(saved: dict[str, Any]) -> Referee:
    """A referee looking at a saved position in which every face is known."""
    referee = Referee(saved["fill"])
    named = [
        dict(zip(COLOURS, counts, strict=True)) for counts in (saved["bag"], saved["box"], *saved["won"])
    ]
    referee.bag, referee.box = Counter(named[0]), Counter(named[1])
    referee.won = (Counter(named[2]), Counter(named[3]))
    for tile in saved["tiles"]:
        referee.terrain[tile["number"]] = tile["terrain"]
        if tile["in_play"]:
            referee.cubes[tile["number"]] = +Counter(dict(zip(COLOURS, tile["cubes"], strict=True)))
            referee.cards[tile["number"]] = (list(tile["sides"][0]), list(tile["sides"][1]))
    referee.owner = {c: seat for c, seat in zip(COLOURS, saved["trophies"], strict=True) if seat is not None}
    referee.hands = (set(saved["hands"][0]["known"]), set(saved["hands"][1]["known"]))
    referee.pile = list(saved["pile"]["order"] or ())
    referee.discards = set(saved["discards"])
    referee.idle_passes = saved["turn"]["idle"]
    return referee
