"""Vectors of the fairness: beacon, cards, shuffle steps, equality proofs, a small deck, sealed choices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bcnet.fairness import beacon, equality, sealed, steps
from bcnet.fairness.beacon import LINKS, Chain, Choices
from bcnet.fairness.deck import Deck, Unmasked
from bcnet.fairness.equality import Equality, Purpose, Statement
from bcnet.fairness.group import FIELD, GENERATOR, ORDER, Multiplier, Point, card_points, decode_scalar
from bcnet.fairness.keeper import DeckKeeper
from bcnet.fairness.steps import SHADOWS, Bridge, Claim, Move, Response, ShadowSeed
from bcnet.games.balloon_cup.material import DECK
from bcnet.games.balloon_cup.notation import write_card
from bcnet.hashing import tagged_hash, u32
from bcnet.secrets import Secrets
from tests.vectors.make.scribe import GUEST, fixed, identity

Json = dict[str, Any]
TABLE = fixed("table")
HEAD = fixed("head")


def files() -> Iterator[tuple[str, Json]]:
    """The name of each file and what stands in it."""
    yield "beacon", _beacon()
    yield "choices", _choices()
    yield "cards", _cards()
    yield "steps", _steps()
    yield "equality", _equality()
    yield "deck", _deck()
    yield "hands", _hands()
    yield "sealed", _sealed()


def _beacon() -> Json:
    secrets, seat, key = Secrets(fixed("seed")), 1, identity(GUEST).public
    chain = Chain(secrets, TABLE, seat, key)
    links = [fixed("link", 0), fixed("link", 1)]
    asked: list[tuple[str, int | None]] = [
        ("challenge", 0),
        ("challenge", 1),
        ("chance-0", None),
        ("chance-1", None),
    ]
    return {
        "chain": {
            "seed": secrets.seed.hex(),
            "table": TABLE.hex(),
            "seat": seat,
            "identity": key.hex(),
            f"link_{LINKS}": chain.link(LINKS).hex(),
            f"link_{LINKS - 1}": chain.link(LINKS - 1).hex(),
            "link_2": chain.link(2).hex(),
            "link_1": chain.link(1).hex(),
            "tip": chain.tip.hex(),
        },
        "outputs": {
            "table": TABLE.hex(),
            "round": 5,
            "head": HEAD.hex(),
            "links": [link.hex() for link in links],
            "outputs": [
                {
                    "purpose": purpose,
                    "proved": proved,
                    "output": beacon.output(TABLE, purpose, proved, 5, HEAD, links).hex(),
                }
                for purpose, proved in asked
            ],
        },
    }


def _choices() -> Json:
    key = fixed("stream")
    bounds = [2, 1, 45, 44, 43, 3, 256, 257, 1, 2**40 + 1, 6]
    choices = Choices(key)
    drawn = [choices.below(bound) for bound in bounds]
    return {
        "key": key.hex(),
        "stream": b"".join(tagged_hash("stream", key, u32(block)) for block in range(2)).hex(),
        "challenge": list(Choices(key).bits(SHADOWS)),
        "below": [{"bound": bound, "number": number} for bound, number in zip(bounds, drawn, strict=True)],
        "permutations": [
            {"count": n, "permutation": list(Choices(key).permutation(n))} for n in (1, 2, 5, 45, 255)
        ],
        "moves": [
            {
                "seed": key.hex(),
                "count": n,
                "scalar": f"{Move.from_seed(key, n).scalar:064x}",
                "permutation": list(Move.from_seed(key, n).permutation),
            }
            for n in (1, 5, 45)
        ],
    }


def _cards() -> Json:
    def counter_of(card: int, point: Point) -> int:
        counter = 0
        while tagged_hash("card", b"balloon-cup", b"main", u32(card), u32(counter)) != point.x:
            counter += 1
        return counter

    points = card_points("balloon-cup", "main", len(DECK))
    return {
        "game": "balloon-cup",
        "deck": "main",
        "cards": [
            {
                "card": card,
                "name": DECK[card],
                "notation": write_card(card),
                "counter": counter_of(card, point),
                "point": point.x.hex(),
            }
            for card, point in enumerate(points)
        ],
    }


def _answer(response: Response) -> Json:
    match response:
        case ShadowSeed(seed):
            return {"seed": seed.hex()}
        case Bridge(scalar, permutation):
            return {"scalar": scalar.hex(), "permutation": list(permutation)}


def _steps() -> Json:
    points = card_points("balloon-cup", "main", 5)
    context = tagged_hash("shuffle", TABLE, HEAD, u32(4), u32(1), u32(1))
    step = fixed("step")
    shadows = [fixed("shadow", index) for index in range(SHADOWS)]
    published = steps.publish(context, step, shadows, points, GENERATOR)
    bits = Choices(fixed("challenge")).bits(SHADOWS)
    responses = steps.respond(step, shadows, len(points), bits)
    Claim.arrive(context, points, GENERATOR, published).check(bits, responses)
    return {
        "table": TABLE.hex(),
        "head": HEAD.hex(),
        "round": 4,
        "seat": 1,
        "epoch": 1,
        "context": context.hex(),
        "points": [point.x.hex() for point in points],
        "key": GENERATOR.x.hex(),
        "step_seed": step.hex(),
        "shadow_seeds": [seed.hex() for seed in shadows],
        "published": {
            "points": [point.hex() for point in published.points],
            "key": published.key.hex(),
            "shadows": [shadow.hex() for shadow in published.shadows],
        },
        "bits": list(bits),
        "responses": [_answer(response) for response in responses],
    }


def _statement(purpose: Purpose, face: int | None, base: Point, scalar: int) -> Statement:
    multiplier = Multiplier(scalar)
    return Statement(
        TABLE,
        HEAD,
        9,
        1,
        purpose,
        2,
        17,
        face,
        base=base,
        result=multiplier.mask(base),
        key=GENERATOR,
        new_key=multiplier.mask(GENERATOR),
    )


def _equality() -> Json:
    secrets = Secrets(fixed("seed"))
    scalar = int.from_bytes(fixed("key"), "big") % ORDER
    proofs = []
    for purpose, face in ((Purpose.UNMASK, None), (Purpose.OPEN, 7)):
        statement = _statement(purpose, face, card_points("balloon-cup", "main", 45)[7], scalar)
        proof = equality.prove(secrets, statement, scalar)
        encoded = statement.encode()
        challenge = int.from_bytes(tagged_hash("equality", encoded, proof.first, proof.second), "big") % ORDER
        proofs.append(
            {
                "table": TABLE.hex(),
                "head": HEAD.hex(),
                "round": 9,
                "seat": 1,
                "purpose": purpose.value,
                "epoch": 2,
                "slot": 17,
                "face": face,
                "base": statement.base.x.hex(),
                "result": statement.result.x.hex(),
                "key": statement.key.x.hex(),
                "new_key": statement.new_key.x.hex(),
                "scalar": f"{scalar:064x}",
                "seed": secrets.seed.hex(),
                "statement": encoded.hex(),
                "challenge": f"{challenge:064x}",
                "proof": _proof(proof),
                "other_proofs": _other_proofs(statement, proof),
            }
        )
    related = [
        {"x1": f"{a:064x}", "x2": f"{b:064x}", "x3": f"{c:064x}", "related": equality.related(a, b, c)}
        for a, b, c in _triples()
    ]
    return {"proofs": proofs, "related": related}


def _proof(proof: Equality) -> Json:
    return {"first": proof.first.hex(), "second": proof.second.hex(), "answer": proof.answer.hex()}


def _other_proofs(statement: Statement, proof: Equality) -> list[Json]:
    minus = (ORDER - decode_scalar(proof.answer)).to_bytes(32, "big")
    others = [
        ("the answer negated: signs are not seen", True, Equality(proof.first, proof.second, minus)),
        ("first and second swapped", False, Equality(proof.second, proof.first, proof.answer)),
        (
            "the answer plus one",
            False,
            Equality(proof.first, proof.second, (decode_scalar(proof.answer) + 1).to_bytes(32, "big")),
        ),
        ("an answer of zero", False, Equality(proof.first, proof.second, bytes(32))),
        ("first not below p", False, Equality((FIELD + 5).to_bytes(32, "big"), proof.second, proof.answer)),
    ]
    return [{"about": about, "valid": valid, **_proof(other)} for about, valid, other in others]


def _triples() -> list[tuple[int, int, int]]:
    def x(scalar: int) -> int:
        return int.from_bytes(Multiplier(scalar).mask(GENERATOR).x, "big")

    return [
        (x(5), x(3), x(8)),
        (x(5), x(3), x(2)),
        (x(5), x(3), x(15)),
        (x(5), x(5), x(10)),
        (x(5), x(5), x(1)),
        (x(1), x(2), x(3)),
    ]


def _deck() -> Json:
    """Who unmasks what when, at tables of two and three; and a card of a deck of five from pile to opening."""
    turns = []
    for seats, dealt in ((2, [0, 1, 0, 1]), (2, [1]), (3, [0, 1, 2, 0]), (3, [2, 2]), (5, [0, 1, 2, 3, 4])):
        rounds: list[Json] = []
        for k in range(1, seats):
            due: dict[int, list[int]] = {}
            for slot, owner in enumerate(dealt):
                due.setdefault((owner + k) % seats, []).append(slot)
            rounds.append({str(seat): due[seat] for seat in sorted(due)})
        turns.append({"seats": seats, "deal": dealt, "rounds": rounds})
    return {"turns": turns, "course": _deck_course()}


def _deck_course() -> Json:
    deck = Deck("balloon-cup", "main", 5, 2, TABLE)
    secrets = [Secrets(fixed("seed", seat)) for seat in (0, 1)]
    keepers = [DeckKeeper(deck, seat, secrets[seat]) for seat in (0, 1)]
    deck.begin(range(5))
    heads = [fixed("head", round_) for round_ in range(6)]
    shuffles = []
    for seat in (0, 1):
        published = keepers[seat].make_shuffle(seat, heads[seat])
        deck.add_shuffle(seat, seat, heads[seat], published)
        move = deck.move(secrets[seat], seat, 1)
        shuffles.append(
            {
                "seat": seat,
                "round": seat,
                "head": heads[seat].hex(),
                "seed": secrets[seat].seed.hex(),
                "scalar": f"{move.scalar:064x}",
                "permutation": list(move.permutation),
                "points": [point.hex() for point in published.points],
                "key": published.key.hex(),
            }
        )
    bits = Choices(fixed("challenge")).bits(SHADOWS)
    for seat in (0, 1):
        deck.accept(deck.check_responses(seat, bits, keepers[seat].respond(bits)))
    deck.deal([0, 1])
    masked = [slot.point.x.hex() for slot in deck.slots]
    unmaskings = []
    for seat in (0, 1):
        (unmasked,) = keepers[seat].unmask(3, heads[3])
        deck.add_unmask(seat, 3, heads[3], [Unmasked(unmasked.point, unmasked.proof)])
        unmaskings.append(
            {
                "seat": seat,
                "slot": 1 - seat,
                "round": 3,
                "head": heads[3].hex(),
                "point": unmasked.point.hex(),
                "proof": _proof(unmasked.proof),
            }
        )
    openings = []
    for seat in (0, 1):
        card, proof = keepers[seat].face(seat), keepers[seat].open(4, heads[4], seat)
        deck.add_opening(seat, 4, heads[4], seat, card, proof)
        openings.append(
            {
                "seat": seat,
                "slot": seat,
                "card": card,
                "round": 4,
                "head": heads[4].hex(),
                "proof": _proof(proof),
            }
        )
    return {
        "game": "balloon-cup",
        "deck": "main",
        "cards": 5,
        "table": TABLE.hex(),
        "shuffles": shuffles,
        "dealt_to": [0, 1],
        "masked": masked,
        "unmaskings": unmaskings,
        "openings": openings,
    }


def _hands() -> Json:
    """Seat 0 of a table with a deck of five refreshes a hand of two cards, draws, refreshes again, and opens a card."""
    deck = Deck("balloon-cup", "main", 5, 2, TABLE)
    secrets = [Secrets(fixed("seed", seat)) for seat in (0, 1)]
    keepers = [DeckKeeper(deck, seat, secrets[seat]) for seat in (0, 1)]
    deck.begin(range(5))
    bits = Choices(fixed("challenge")).bits(SHADOWS)
    for seat in (0, 1):
        head = fixed("head", seat)
        deck.add_shuffle(seat, seat, head, keepers[seat].make_shuffle(seat, head))
    for seat in (0, 1):
        deck.accept(deck.check_responses(seat, bits, keepers[seat].respond(bits)))
    refreshes = []
    for round_, dealt in ((3, [0, 0]), (5, [0])):
        deck.deal(dealt)
        deck.add_unmask(1, round_, fixed("head", round_), keepers[1].unmask(round_, fixed("head", round_)))
        refreshes.append(_refresh(deck, keepers[0], secrets[0], round_ + 1, bits))
    return {
        "game": "balloon-cup",
        "deck": "main",
        "cards": 5,
        "table": TABLE.hex(),
        "seeds": [each.seed.hex() for each in secrets],
        "heads": [fixed("head", round_).hex() for round_ in range(8)],
        "bits": list(bits),
        "refreshes": refreshes,
        "faces": [keepers[0].face(slot) for slot in range(3)],
        "opening": {
            "slot": 1,
            "round": 7,
            "proof": _proof(keepers[0].open(7, fixed("head", 7), 1)),
        },
    }


def _refresh(deck: Deck, keeper: DeckKeeper, secrets: Secrets, round_: int, bits: tuple[int, ...]) -> Json:
    head = fixed("head", round_)
    key, new = deck.hand_key(0), deck.new_cards(0)
    refresh = keeper.make_refresh(round_, head)
    statements = [
        deck.rekey_statement(0, round_, head, slot, Point(card.point))
        for slot, card in zip(new, refresh.cards, strict=True)
    ]
    deck.add_refresh(0, round_, head, refresh)
    made = deck.refreshes[-1]
    move = deck.refresh_move(secrets, made)
    deck.accept(deck.check_responses(0, bits, keeper.respond(bits)))
    return {
        "seat": 0,
        "round": round_,
        "hand_key": key.x.hex(),
        "new_cards": [
            {
                "slot": slot.id,
                "before": slot.point.x.hex(),
                "point": card.point.hex(),
                "statement": statement.encode().hex(),
                "proof": _proof(card.proof),
            }
            for slot, card, statement in zip(new, refresh.cards, statements, strict=True)
        ],
        "slots": list(made.slots),
        "context": made.claim.context.hex(),
        "scalar": f"{move.scalar:064x}",
        "permutation": list(move.permutation),
        "points": [point.hex() for point in refresh.step.points],
        "key": refresh.step.key.hex(),
        "shadows": [shadow.hex() for shadow in refresh.step.shadows],
    }


def _sealed() -> Json:
    place = sealed.Place(TABLE, 12, HEAD, 1, identity(GUEST).public)
    secrets = Secrets(fixed("seed"))
    listed = []
    for choice in (b"left", b"right", b""):
        seal, salt = sealed.seal(secrets, place, choice)
        sealed.check_opening(place, seal, choice, salt)
        listed.append({"choice": choice.decode(), "salt": salt.hex(), "commitment": seal.hex()})
    return {
        "table": TABLE.hex(),
        "round": 12,
        "head": HEAD.hex(),
        "seat": 1,
        "identity": place.identity.hex(),
        "seed": secrets.seed.hex(),
        "choices": listed,
    }
