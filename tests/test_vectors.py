"""tests/vectors/ against the program: every transcript has its verdict, every derivation its value.

The transcripts were written by dishonest seats with true keys. What another implementation must find in them stands in
index.json; what it must compute stands in derivations/. Where it is a matter of a hash and no more, the value is also
computed here from hashlib and hmac alone, as docs/protocol.md spells it out.
"""

from __future__ import annotations

import hmac
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key

from bcnet import hello, invite, transcript
from bcnet.certificate import voucher
from bcnet.entry import MalformedBody, Noise, read_body, read_entry
from bcnet.errors import IllegalStep, MalformedNotation, UnreadableError
from bcnet.fairness import beacon, equality, sealed, steps
from bcnet.fairness.beacon import Chain, Choices
from bcnet.fairness.deck import Deck, Unmasked
from bcnet.fairness.equality import Equality, Purpose, Statement
from bcnet.fairness.errors import Invalid
from bcnet.fairness.group import CURVE_A, CURVE_B, FIELD, Multiplier, Point, card_points
from bcnet.fairness.keeper import DeckKeeper
from bcnet.fairness.steps import Bridge, Claim, Move, Published, ShadowSeed
from bcnet.games.balloon_cup import fill, notation
from bcnet.games.balloon_cup.material import COLOUR_OF, VALUE_OF, Cubes
from bcnet.games.balloon_cup.tiles import EMPTY_TILES
from bcnet.hashing import tagged_bytes, tagged_hash, u32
from bcnet.names import BadName, check_name
from bcnet.secrets import Secrets, commitment
from bcnet.several import verify_files
from bcnet.signing import BadKey, Identity, check_public, fingerprint, verify
from bcnet.table.faults import FaultKind
from bcnet.table.membership import Member, Terms, host_context, offer_id, table_id
from bcnet.table.rounds import Kind
from bcnet.table.table import OtherHistory, Table
from bcnet.verify import examine
from bcnet.wire.v1 import log_pb2 as pb
from bcnet.wire.v1 import table_pb2
from bcnet.wordlist import WORDS
from bcnet.words import four_words
from tests.vectors.make import __main__ as maker
from tests.vectors.make import whole

FOLDER = Path(__file__).parent / "vectors"
TRANSCRIPTS = FOLDER / "transcripts"
INDEX: dict[str, list[dict[str, Any]]] = json.loads((TRANSCRIPTS / "index.json").read_bytes())
CASES = {case["file"]: case for case in INDEX["transcripts"]}


def load(name: str) -> Any:
    return json.loads((FOLDER / "derivations" / f"{name}.json").read_bytes())


def raw(text: str) -> bytes:
    return bytes.fromhex(text)


# --- transcripts ---


@pytest.mark.timeout(300)
@pytest.mark.parametrize("part", maker.PARTS)
def test_the_maker_makes_the_transcripts_again(part: str) -> None:
    for case in maker.PARTS[part].cases():
        path = FOLDER / maker.transcript_path(case)
        assert path.read_bytes() == case.data, f"{path.name}: run scripts/vectors"
        assert CASES[path.name] == case.as_json()


def test_the_maker_makes_the_derivations_again() -> None:
    present = {name: data for name, data in maker.committed().items() if name.startswith("derivations/")}
    assert maker.make_derivations() == present


def test_the_index_lists_every_transcript() -> None:
    assert sorted(CASES) == sorted(path.name for path in TRANSCRIPTS.glob("*.bct"))
    assert INDEX["together"] == [together.as_json() for together in whole.togethers()]


def test_there_is_a_transcript_of_every_kind_of_fault() -> None:
    kinds = {case["fault"]["kind"] for case in CASES.values() if "fault" in case}
    assert kinds == {kind.value for kind in FaultKind} - {"sealed-choice"}


def test_a_file_can_be_cut_in_every_kind_of_round() -> None:
    lacking = {lack["kind"] for case in CASES.values() for lack in case.get("lacks", ())}
    # A file without an offer has no entry. Balloon Cup has no sealed choices; resignations and notes are never due.
    assert lacking == {kind.value for kind in Kind} - {"offer", "seal", "unseal", "resign", "note"}


@pytest.mark.timeout(180)
@pytest.mark.parametrize("name", CASES)
def test_a_transcript_has_its_verdict(name: str) -> None:
    case = CASES[name]
    assert name.startswith(case["verdict"])
    try:
        entries = transcript.read(TRANSCRIPTS / name)
    except UnreadableError as error:
        assert ("unreadable", error.values["offset"]) == (case["verdict"], case["byte"])  # noqa: PT017
        return
    assert "byte" not in case
    report, _ = examine(entries)
    assert report.verdict.value == case["verdict"]
    if "fault" in case:
        assert report.fault is not None
        found = {
            "seat": report.fault.seat,
            "round": report.fault.round,
            "kind": report.fault.kind.value,
            "flaw": report.fault.flaw or None,
        }
        assert found == case["fault"]
    else:
        assert report.fault is None
    assert [{"seat": e.seat, "round": e.round, "kind": e.kind.value} for e in report.lacks] == case.get(
        "lacks", []
    )
    if "result" in case:
        assert report.result is not None
        assert {"winners": list(report.result.winners), "reason": report.result.reason} == case["result"]
    if "entry" in case:
        assert first_that_cannot_stand(entries) == case["entry"]
    # Alone or in a list of one, a file says the same.
    (group,) = verify_files([TRANSCRIPTS / name])
    assert (group.report.verdict, group.report.fault) == (report.verdict, report.fault)


def first_that_cannot_stand(entries: list[bytes]) -> int:
    """The number of the first entry that a table does not take, or that breaks the order of a transcript."""
    table = Table()
    last = (-1, -1)
    for number, data in enumerate(entries, 1):
        try:
            events = table.receive(data)
        except OtherHistory:
            return number
        except Noise:
            return number
        body = read_body(read_entry(data).body)
        if not events or (body.round, body.seat) <= last:
            return number
        last = (body.round, body.seat)
    return 0


@pytest.mark.parametrize("together", INDEX["together"], ids=lambda together: "+".join(together["files"]))
@pytest.mark.parametrize("turned", [False, True], ids=["", "turned"])
def test_files_of_one_table_have_one_verdict(together: dict[str, Any], turned: bool) -> None:
    paths = [TRANSCRIPTS / name for name in together["files"]]
    (group,) = verify_files(paths[::-1] if turned else paths)
    assert group.report.verdict.value == together["verdict"]
    fault = group.report.fault
    found = fault and {"seat": fault.seat, "round": fault.round, "kind": fault.kind.value}
    assert found == together["fault"]


# --- what is hashed, signed and encoded ---


def plain_bytes(purpose: str, *parts: bytes) -> bytes:
    tag = f"bcnet/1/{purpose}".encode()
    return b"".join(len(part).to_bytes(4, "big") + part for part in (tag, *parts))


def plain_hash(purpose: str, *parts: bytes) -> bytes:
    return sha256(plain_bytes(purpose, *parts)).digest()


def plain_hkdf(seed: bytes, info: bytes, size: int) -> bytes:
    key = hmac.digest(bytes(32), seed, "sha256")
    okm = block = b""
    for counter in range(1, size // 32 + 2):
        block = hmac.digest(key, block + info + bytes([counter]), "sha256")
        okm += block
    return okm[:size]


def test_hashes() -> None:
    for case in load("hashing")["hashes"]:
        parts = [raw(part) for part in case["parts"]]
        assert (
            tagged_bytes(case["purpose"], *parts)
            == plain_bytes(case["purpose"], *parts)
            == raw(case["bytes"])
        )
        assert (
            tagged_hash(case["purpose"], *parts) == plain_hash(case["purpose"], *parts) == raw(case["hash"])
        )


def test_secrets() -> None:
    for case in load("secrets")["secrets"]:
        seed, context, head = raw(case["seed"]), raw(case["context"]), raw(case["head"])
        epoch, index, size = case["epoch"], case["index"], case["size"]
        info = plain_bytes("secret", case["purpose"].encode(), context, u32(epoch), u32(index), head)
        assert info == raw(case["info"])
        secret = Secrets(seed).derive(
            case["purpose"], context=context, epoch=epoch, index=index, head=head, size=size
        )
        assert secret == plain_hkdf(seed, info, size) == raw(case["secret"])


def test_keys() -> None:
    for case in load("keys")["sound"]:
        check_public(raw(case["key"]))
        assert fingerprint(raw(case["key"])) == case["fingerprint"]
    for case in load("keys")["refused"]:
        with pytest.raises(BadKey):
            check_public(raw(case["key"]))


def test_signatures() -> None:
    data = load("signatures")
    body = raw(data["body"])
    for case in data["signatures"]:
        message = plain_bytes(case["tag"].removeprefix("bcnet/1/"), body)
        assert verify(raw(case["key"]), message, raw(case["signature"])) is case["valid"], case
    ours = Identity(raw(data["entry"]["private"]))
    entry = pb.Entry.FromString(raw(data["entry"]["entry"]))
    assert (entry.body, entry.signature) == (body, ours.sign("entry", body))
    note = pb.CarriedNote.FromString(raw(data["note"]["note"]))
    assert (note.body, note.signature) == (body, ours.sign("note", body))


def test_names() -> None:
    def name(points: str) -> str:
        return "".join(chr(int(point, 16)) for point in points.split())

    for allowed in load("names")["allowed"]:
        check_name(name(allowed))
    for case in load("names")["refused"]:
        with pytest.raises(BadName):
            check_name(name(case["name"]))


def test_ids_and_heads() -> None:
    data = load("ids")
    for case in data["terms"]:
        terms = Terms(case["game"], case["seats"], tuple(sorted(case["options"].items())))
        parts = [part.encode() for option in terms.options for part in option]
        plain = plain_hash("terms", u32(1), terms.game.encode(), u32(terms.seats), *parts)
        assert terms.hash == plain == raw(case["hash"])
    terms = Terms("balloon-cup", 2, (("fill", "designer"),))
    host, guest = data["host"], data["guest"]
    assert terms.hash == raw(host["terms"])
    context = host_context(terms, raw(host["nonce"]))
    assert context == plain_hash("host-context", terms.hash, raw(host["nonce"])) == raw(host["host_context"])
    assert commitment(context, 0, raw(host["identity"]), raw(host["seed"])) == raw(host["commitment"])
    seated = Member(raw(host["identity"]), raw(host["nonce"]), raw(host["commitment"]), "")
    offer = offer_id(terms, seated)
    assert offer == raw(host["offer"])
    joined = Member(
        raw(guest["identity"]),
        raw(guest["nonce"]),
        commitment(offer, 1, raw(guest["identity"]), raw(guest["seed"])),
        "",
    )
    assert joined.commitment == raw(guest["commitment"])
    assert table_id(offer, [joined]) == raw(guest["table"])
    three = [
        Member(raw(m["identity"]), raw(m["nonce"]), raw(m["commitment"]), "")
        for m in data["two_guests"]["members"]
    ]
    assert offer_id(terms, three[0]) == raw(data["two_guests"]["offer"])
    assert table_id(offer_id(terms, three[0]), three[1:]) == raw(data["two_guests"]["table"])
    head = b""
    for case in data["heads"]:
        head = plain_hash("head", head, u32(case["round"]), *map(raw, case["bodies"]))
        assert head == raw(case["head"])


def test_bodies_that_are_canonical() -> None:
    for case in load("encoding")["canonical"]:
        assert read_body(raw(case["body"])).version == 1
        with pytest.raises(MalformedBody):
            read_body(raw(case["body"]) + b"\x00")


def test_hello() -> None:
    data = load("hello")
    guest = table_pb2.Hello.FromString(raw(data["guest"]))
    host = table_pb2.Hello.FromString(raw(data["host"]))
    for case in data["proofs"]:
        role = hello.Role[case["signed_by"].upper()]
        proof = table_pb2.HelloProof(signature=raw(case["signature"]))
        hello.check_proof(guest, host, role, raw(case["fingerprint"]), proof)
        said: list[bytes] = []
        for side in (guest, host):
            said += [u32(side.protocol), side.program.encode(), side.identity, side.nonce, side.table]
            said.append(side.name.encode())
        assert plain_bytes("hello", *said, u32(role), raw(case["fingerprint"])) == raw(case["bytes"])


def test_what_vouches_for_a_certificate() -> None:
    case = load("certificate")
    key = load_der_public_key(raw(case["key"]))
    assert isinstance(key, EllipticCurvePublicKey)
    ours = Identity(raw(case["private"]))
    signature = ours.sign_message(plain_bytes("certificate", raw(case["key"])))
    assert u32(1) + ours.public + signature == voucher(ours, key).value == raw(case["extension"])
    assert ours.public == raw(case["identity"])


def test_invites() -> None:
    data = load("invite")
    guest = table_pb2.Hello.FromString(raw(data["guest"]))
    host = table_pb2.Hello.FromString(raw(data["host"]))
    said: list[bytes] = []
    for side in (guest, host):
        said += [u32(side.protocol), side.program.encode(), side.identity, side.nonce, side.table]
        said.append(side.name.encode())
    greeting = plain_hash("greeting", *said, raw(data["fingerprint"]))
    assert hello.greeting(guest, host, raw(data["fingerprint"])) == greeting == raw(data["greeting"])
    for case in data["invites"]:
        found = invite.Invite.parse(case["code"])
        assert found.token == case["token"]
        assert found.matches(raw(data["identity"]))
        assert found.code == case["code"]
        proof = plain_hash("admission", case["token"].to_bytes(5, "big"), greeting)
        assert found.proof(greeting) == proof == raw(case["proof"])


def test_words() -> None:
    case = load("words")
    keys = [raw(key) for key in case["identities"]]
    table, certificate, output = (raw(case[name]) for name in ("table", "certificate", "output"))
    assert list(four_words(table, keys, certificate, output)) == case["words"]
    bits = f"{int.from_bytes(plain_hash('words', table, certificate, output, *keys), 'big'):0256b}"
    assert [WORDS[int(bits[start : start + 11], 2)] for start in (0, 11, 22, 33)] == case["words"]


# --- fairness ---


def test_the_chain_and_the_outputs_of_the_beacon() -> None:
    data = load("beacon")
    case = data["chain"]
    table, seat, key = raw(case["table"]), case["seat"], raw(case["identity"])
    chain = Chain(Secrets(raw(case["seed"])), table, seat, key)
    link = plain_hkdf(raw(case["seed"]), plain_bytes("secret", b"chain", table, u32(0), u32(0), b""), 32)
    assert link == chain.link(4096) == raw(case["link_4096"])
    for index in range(4096, 0, -1):
        assert chain.link(index) == link
        assert raw(case.get(f"link_{index}", link.hex())) == link
        link = plain_hash("link", table, u32(seat), key, u32(index), link)
    assert chain.tip == link == raw(case["tip"])
    case = data["outputs"]
    links, head = [raw(link) for link in case["links"]], raw(case["head"])
    for out in case["outputs"]:
        proved = b"" if out["proved"] is None else u32(out["proved"])
        plain = plain_hash(
            "beacon", raw(case["table"]), out["purpose"].encode(), proved, u32(case["round"]), head, *links
        )
        ours = beacon.output(raw(case["table"]), out["purpose"], out["proved"], case["round"], head, links)
        assert ours == plain == raw(out["output"])


class PlainStream:
    """The stream of choices, bit by bit."""

    def __init__(self, key: bytes) -> None:
        blocks = (plain_hash("stream", key, u32(block)) for block in range(300))
        self._bits = iter("".join(f"{byte:08b}" for block in blocks for byte in block))

    def number(self, bits: int) -> int:
        return int("".join(next(self._bits) for _ in range(bits)) or "0", 2)

    def below(self, bound: int) -> int:
        while (number := self.number((bound - 1).bit_length())) >= bound:
            pass
        return number

    def permutation(self, count: int) -> list[int]:
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


def test_choices() -> None:
    data = load("choices")
    key = raw(data["key"])
    assert plain_hash("stream", key, u32(0)) + plain_hash("stream", key, u32(1)) == raw(data["stream"])
    bits = PlainStream(key)
    assert list(Choices(key).bits(40)) == [bits.number(1) for _ in range(40)] == data["challenge"]
    plain, ours = PlainStream(key), Choices(key)
    for case in data["below"]:
        assert ours.below(case["bound"]) == plain.below(case["bound"]) == case["number"]
    for case in data["permutations"]:
        wanted = case["permutation"]
        assert (
            list(Choices(key).permutation(case["count"]))
            == PlainStream(key).permutation(case["count"])
            == wanted
        )
    for case in data["moves"]:
        move = Move.from_seed(raw(case["seed"]), case["count"])
        stream = PlainStream(raw(case["seed"]))
        order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
        assert move.scalar == stream.number(384) % (order - 1) + 1 == int(case["scalar"], 16)
        assert list(move.permutation) == stream.permutation(case["count"]) == case["permutation"]


def test_cards() -> None:
    data = load("cards")
    points = card_points(data["game"], data["deck"], len(data["cards"]))
    for case in data["cards"]:
        card = case["card"]
        assert points[card].x == raw(case["point"])
        assert notation.write_card(card) == case["notation"]
        assert f"{COLOUR_OF[card].word}-{VALUE_OF[card]}" == case["name"]
        for counter in range(case["counter"] + 1):
            x = int.from_bytes(plain_hash("card", b"balloon-cup", b"main", u32(card), u32(counter)), "big")
            square = (x**3 + CURVE_A * x + CURVE_B) % FIELD
            on_curve = x < FIELD and pow(square, (FIELD - 1) // 2, FIELD) in (0, 1)
            assert on_curve is (counter == case["counter"])


def test_steps() -> None:
    data = load("steps")
    context = plain_hash(
        "shuffle",
        raw(data["table"]),
        raw(data["head"]),
        u32(data["round"]),
        u32(data["seat"]),
        u32(data["epoch"]),
    )
    assert context == raw(data["context"])
    points = tuple(Point.decode(raw(point)) for point in data["points"])
    key = Point.decode(raw(data["key"]))
    seeds = [raw(seed) for seed in data["shadow_seeds"]]
    wanted = data["published"]
    published = Published(
        tuple(map(raw, wanted["points"])), raw(wanted["key"]), tuple(map(raw, wanted["shadows"]))
    )
    assert steps.publish(context, raw(data["step_seed"]), seeds, points, key) == published
    responses = tuple(
        ShadowSeed(raw(r["seed"])) if "seed" in r else Bridge(raw(r["scalar"]), bytes(r["permutation"]))
        for r in data["responses"]
    )
    assert steps.respond(raw(data["step_seed"]), seeds, len(points), data["bits"]) == responses
    Claim.arrive(context, points, key, published).check(data["bits"], responses)


def equality_of(case: dict[str, str]) -> Equality:
    return Equality(raw(case["first"]), raw(case["second"]), raw(case["answer"]))


def test_equality() -> None:
    data = load("equality")
    for case in data["proofs"]:
        statement = Statement(
            raw(case["table"]), raw(case["head"]), case["round"], case["seat"], Purpose(case["purpose"]), case["epoch"],
            case["slot"], case["face"], *(Point.decode(raw(case[n])) for n in ("base", "result", "key", "new_key")),
        )  # fmt: skip
        face = u32(2**32 - 1 if case["face"] is None else case["face"])
        points = [raw(case[name]) for name in ("base", "result", "key", "new_key")]
        place = [raw(case["table"]), raw(case["head"]), u32(case["round"]), u32(case["seat"])]
        plain = plain_bytes(
            "statement",
            *place,
            case["purpose"].encode(),
            u32(case["epoch"]),
            u32(case["slot"]),
            face,
            *points,
        )
        assert statement.encode() == plain == raw(case["statement"])
        proof = equality.prove(Secrets(raw(case["seed"])), statement, int(case["scalar"], 16))
        assert proof == equality_of(case["proof"])
        equality.verify(statement, proof)
        for other in case["other_proofs"]:
            if other["valid"]:
                equality.verify(statement, equality_of(other))
            else:
                with pytest.raises(Invalid):
                    equality.verify(statement, equality_of(other))
    for case in data["related"]:
        assert equality.related(*(int(case[x], 16) for x in ("x1", "x2", "x3"))) is case["related"]


def prove_all(deck: Deck, keepers: list[DeckKeeper]) -> None:
    bits = [0, 1] * 20
    for seat, keeper in enumerate(keepers):
        deck.accept(deck.check_responses(seat, bits, keeper.respond(bits)))


def test_who_unmasks_in_which_round() -> None:
    for case in load("deck")["turns"]:
        seats = case["seats"]
        deck = Deck("balloon-cup", "main", 5, seats, bytes(32))
        keepers = [DeckKeeper(deck, seat, Secrets(bytes([seat]) * 32)) for seat in range(seats)]
        deck.begin(range(5))
        for seat, keeper in enumerate(keepers):
            deck.add_shuffle(seat, seat, bytes(32), keeper.make_shuffle(seat, bytes(32)))
        prove_all(deck, keepers)
        deck.deal(case["deal"])
        for due in case["rounds"]:
            assert {str(seat): list(deck.pending(seat)) for seat in deck.awaited} == due
            said = {seat: keepers[seat].unmask(9, bytes(32)) for seat in deck.awaited}
            for seat, unmasked in said.items():
                deck.add_unmask(seat, 9, bytes(32), unmasked)
        assert deck.awaited == ()


def test_a_small_deck_from_shuffle_to_opening() -> None:
    case = load("deck")["course"]
    deck = Deck(case["game"], case["deck"], case["cards"], 2, raw(case["table"]))
    deck.begin(range(case["cards"]))
    keepers = []
    for made in case["shuffles"]:
        seat, head = made["seat"], raw(made["head"])
        secrets = Secrets(raw(made["seed"]))
        keepers.append(DeckKeeper(deck, seat, secrets))
        published = keepers[seat].make_shuffle(made["round"], head)
        assert [point.hex() for point in published.points] == made["points"]
        assert published.key.hex() == made["key"]
        deck.add_shuffle(seat, made["round"], head, published)
        move = deck.move(secrets, seat, 1)
        assert (move.scalar, list(move.permutation)) == (int(made["scalar"], 16), made["permutation"])
    prove_all(deck, keepers)
    deck.deal(case["dealt_to"])
    assert [slot.point.x.hex() for slot in deck.slots] == case["masked"]
    for made in case["unmaskings"]:
        unmasked = Unmasked(raw(made["point"]), equality_of(made["proof"]))
        assert keepers[made["seat"]].unmask(made["round"], raw(made["head"])) == (unmasked,)
        deck.add_unmask(made["seat"], made["round"], raw(made["head"]), [unmasked])
    for made in case["openings"]:
        keeper, slot = keepers[made["seat"]], made["slot"]
        assert keeper.face(slot) == made["card"]
        proof = keeper.open(made["round"], raw(made["head"]), slot)
        assert proof == equality_of(made["proof"])
        deck.add_opening(made["seat"], made["round"], raw(made["head"]), slot, made["card"], proof)


def test_a_hand_refreshed_twice() -> None:
    """The numbers of a hand that is refreshed, gets a card of the same pile, and is refreshed again."""
    case = load("hands")
    heads = [raw(head) for head in case["heads"]]
    deck = Deck(case["game"], case["deck"], case["cards"], 2, raw(case["table"]))
    keepers = [DeckKeeper(deck, seat, Secrets(raw(seed))) for seat, seed in enumerate(case["seeds"])]
    deck.begin(range(case["cards"]))
    for seat in (0, 1):
        deck.add_shuffle(seat, seat, heads[seat], keepers[seat].make_shuffle(seat, heads[seat]))
    prove_all(deck, keepers)
    for made, dealt in zip(case["refreshes"], ([0, 0], [0]), strict=True):
        round_ = made["round"]
        deck.deal(dealt)
        deck.add_unmask(1, round_ - 1, heads[round_ - 1], keepers[1].unmask(round_ - 1, heads[round_ - 1]))
        assert deck.hand_key(0).x.hex() == made["hand_key"]
        refresh = keepers[0].make_refresh(round_, heads[round_])
        assert [card.point.hex() for card in refresh.cards] == [card["point"] for card in made["new_cards"]]
        for card, told in zip(refresh.cards, made["new_cards"], strict=True):
            slot = deck.slot(told["slot"])
            assert slot.point.x.hex() == told["before"]
            assert card.proof == equality_of(told["proof"])
            statement = deck.rekey_statement(0, round_, heads[round_], slot, Point(card.point))
            assert statement.encode().hex() == told["statement"]
        parts = [raw(case["table"]), heads[round_], u32(round_), u32(0), u32(1)]
        assert plain_hash("refresh", *parts).hex() == made["context"]
        # Every new point and the new key from the permutation and the scalar alone.
        listed = {slot: deck.slot(slot).point for slot in made["slots"]}
        listed |= {card["slot"]: Point(raw(card["point"])) for card in made["new_cards"]}
        multiplier = Multiplier(int(made["scalar"], 16))
        before = list(listed.values())
        assert [multiplier.mask(before[place]).x.hex() for place in made["permutation"]] == made["points"]
        assert multiplier.mask(deck.hand_key(0)).x.hex() == made["key"] == refresh.step.key.hex()
        assert [point.hex() for point in refresh.step.points] == made["points"]
        assert [shadow.hex() for shadow in refresh.step.shadows] == made["shadows"]
        deck.add_refresh(0, round_, heads[round_], refresh)
        deck.accept(deck.check_responses(0, case["bits"], keepers[0].respond(case["bits"])))
        assert [deck.slot(slot).point.x.hex() for slot in made["slots"]] == made["points"]
    assert [keepers[0].face(slot) for slot in range(3)] == case["faces"]
    told = case["opening"]
    assert keepers[0].open(told["round"], heads[told["round"]], told["slot"]) == equality_of(told["proof"])
    card = case["faces"][told["slot"]]
    deck.add_opening(0, told["round"], heads[told["round"]], told["slot"], card, equality_of(told["proof"]))


def test_sealed_choices() -> None:
    data = load("sealed")
    place = sealed.Place(
        raw(data["table"]), data["round"], raw(data["head"]), data["seat"], raw(data["identity"])
    )
    parts = [place.table_id, u32(place.round), place.head, u32(place.seat), place.identity]
    for case in data["choices"]:
        choice, salt = case["choice"].encode(), raw(case["salt"])
        assert sealed.seal(Secrets(raw(data["seed"])), place, choice) == (raw(case["commitment"]), salt)
        assert plain_hash("seal", *parts, choice, salt) == raw(case["commitment"])
        context = plain_bytes("seal", *parts, choice)
        info = plain_bytes("secret", b"salt", context, u32(0), u32(0), b"")
        assert plain_hkdf(raw(data["seed"]), info, 32) == salt


# --- the game ---


def test_drawing_cubes() -> None:
    for case in load("fill")["draws"]:
        cubes_of: list[Cubes] = [(r, y, g, b, e) for r, y, g, b, e in case["on_tiles"]]
        tiles = [tile._replace(cubes=cubes) for tile, cubes in zip(EMPTY_TILES, cubes_of, strict=True)]
        red, yellow, green, blue, grey = case["bag"]
        stream = PlainStream(raw(case["key"]))
        calls: list[list[int]] = []

        def below(bound: int, stream: PlainStream = stream, calls: list[list[int]] = calls) -> int:
            calls.append([bound, stream.below(bound)])
            return calls[-1][1]

        rule = fill.FillRule(case["fill"])
        drawn = fill.draw_cubes(rule, tiles[case["tile"] - 1], tiles, (red, yellow, green, blue, grey), below)
        assert list(drawn) == case["cubes"]
        assert calls == case["below"]


def test_notation() -> None:
    data = load("notation")
    for text in data["allowed"]:
        assert notation.write(notation.parse(text)) == text
    for case in data["refused"]:
        with pytest.raises((MalformedNotation, IllegalStep)):
            notation.parse(case["text"])
