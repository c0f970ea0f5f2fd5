"""The invite code: that it reads back however it was typed, tells typos from wrong codes, and lets one guest in."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bcnet.hashing import tagged_hash
from bcnet.invite import LENGTH, PROOF_SIZE, TOKEN_BITS, BadCode, Invite, Pass, Turnstile
from bcnet.signing import Identity

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
HOST = Identity(b"h" * 32).public
GUEST = Identity(b"g" * 32).public
STRANGER = Identity(b"s" * 32).public
INVITE = Invite.make(HOST, 0x5_5A5A_5A5A)
GREETING = b"\x01" * 32

invites = st.builds(Invite, st.binary(min_size=10, max_size=10), st.integers(0, 2**TOKEN_BITS - 1))


def symbols_of(code: str) -> list[str]:
    return list(code.replace("-", ""))


# --- the code ---


@given(invites)
def test_a_code_reads_back(invite: Invite) -> None:
    assert Invite.parse(invite.code) == invite


def test_a_code_is_five_groups_of_five_in_lower_case() -> None:
    groups = INVITE.code.split("-")
    assert [len(group) for group in groups] == [5] * 5
    assert set("".join(groups)) <= set(ALPHABET)
    assert len("".join(groups)) == LENGTH


def test_a_code_of_this_version_stays_as_it_is() -> None:
    invite = Invite(bytes.fromhex("00112233445566778899"), 0x1_2345_6789)
    assert invite.code == "008j4-ct4an-k7f24-s4hma-sw95r"


def test_the_pin_is_the_fingerprint_of_the_host() -> None:
    assert INVITE.pin == tagged_hash("fingerprint", HOST)[:10]
    assert INVITE.matches(HOST)
    assert not INVITE.matches(GUEST)


def test_a_token_never_shows_by_accident() -> None:
    assert str(INVITE.token) not in repr(INVITE) + str(INVITE)
    assert INVITE.code not in repr(INVITE) + str(INVITE)


@pytest.mark.parametrize(("pin", "token"), [(b"short", 0), (b"x" * 10, 2**TOKEN_BITS), (b"x" * 10, -1)])
def test_an_invite_has_its_sizes(pin: bytes, token: int) -> None:
    with pytest.raises(ValueError, match="35 bits"):
        Invite(pin, token)


# --- how people type it ---


HABITS: dict[str, Callable[[str], str]] = {
    "capitals": str.upper,
    "no dashes": lambda code: code.replace("-", ""),
    "spaces": lambda code: code.replace("-", " "),
    "en dashes": lambda code: code.replace("-", "\N{EN DASH}"),
    "minus signs": lambda code: code.replace("-", "\N{MINUS SIGN}"),
    "hard hyphens": lambda code: code.replace("-", "\N{NON-BREAKING HYPHEN}"),
    "underscores": lambda code: code.replace("-", "_"),
    "pasted with a line feed": lambda code: f"  {code}\n",
    "hard spaces": "\N{NO-BREAK SPACE}".join,
    "invisible spaces": "\N{ZERO WIDTH SPACE}".join,
    "full width": lambda code: "".join(chr(ord(c) + 0xFEE0) for c in code.replace("-", "")),
    "o and l": lambda code: code.replace("0", "o").replace("1", "l"),
    "O and I": lambda code: code.replace("0", "O").replace("1", "I"),
}


@pytest.mark.parametrize("habit", HABITS)
def test_a_code_may_be_typed_in_many_ways(habit: str) -> None:
    invite = Invite(b"\x00\x44\x32\x14\xc7B\x54\xb6\x35\xcf", 0x108_4210)
    assert {"0", "1"} <= set(invite.code)
    assert Invite.parse(HABITS[habit](invite.code)) == invite


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "has 0"),
        ("-----", "has 0"),
        (INVITE.code[:-1], "has 24"),
        (INVITE.code + "0", "has 26"),
        (INVITE.code[1:], "has 24"),
        ("x" * 100_000, "many more"),
        ("u" + INVITE.code[1:], "no 'u'"),
        (INVITE.code + "!", "no '!'"),
        ("192.168.1.5:4680", "no '.'"),
        (INVITE.code[:-1] + "\x1b", r"no '\x1b'"),
        (INVITE.code[:-1] + "\N{ARABIC-INDIC DIGIT FOUR}", "no '"),
    ],
)
def test_what_is_no_code_is_called_so(typed: str, says: str) -> None:
    with pytest.raises(BadCode) as caught:
        Invite.parse(typed)
    assert says in caught.value.message
    assert caught.value.hint


@given(st.text(max_size=60))
def test_no_text_breaks_the_parser(text: str) -> None:
    with suppress(BadCode):
        assert Invite.parse(Invite.parse(text).code) == Invite.parse(text)


# --- typos ---


def test_every_single_wrong_letter_is_a_typo_and_its_group_is_named() -> None:
    letters = symbols_of(INVITE.code)
    for place in range(LENGTH):
        for other in set(ALPHABET) - {letters[place]}:
            typed = "".join([*letters[:place], other, *letters[place + 1 :]])
            with pytest.raises(BadCode, match=f"in group {place // 5 + 1}:"):
                Invite.parse(typed)


def test_any_two_letters_that_changed_places_are_a_typo() -> None:
    letters = symbols_of(INVITE.code)
    for one, two in combinations(range(LENGTH), 2):
        if letters[one] != letters[two]:
            typed = letters.copy()
            typed[one], typed[two] = letters[two], letters[one]
            with pytest.raises(BadCode, match="typo"):
                Invite.parse("".join(typed))


@given(invites, st.data())
def test_any_two_wrong_letters_are_a_typo(invite: Invite, data: st.DataObject) -> None:
    letters = symbols_of(invite.code)
    places = data.draw(st.lists(st.integers(0, LENGTH - 1), min_size=2, max_size=2, unique=True))
    for place in places:
        letters[place] = data.draw(st.sampled_from(sorted(set(ALPHABET) - {letters[place]})))
    with pytest.raises(BadCode, match="typo"):
        Invite.parse("".join(letters))


def test_another_code_is_no_typo() -> None:
    other = Invite.parse(Invite.make(HOST, INVITE.token ^ 1).code)
    assert other != INVITE
    assert other.matches(HOST)


# --- the proof, and the door ---


def test_a_proof_is_good_for_one_code_and_one_connection() -> None:
    proofs = {
        invite.proof(greeting)
        for invite in (INVITE, Invite.make(HOST, INVITE.token ^ 1))
        for greeting in (GREETING, b"\x02" * 32)
    }
    assert len(proofs) == 4
    assert {len(proof) for proof in proofs} == {PROOF_SIZE}


def test_one_guest_comes_in_again_and_again_and_nobody_else() -> None:
    door = Turnstile(INVITE)
    for greeting in (GREETING, b"\x02" * 32):
        assert door.admit(GUEST, INVITE.proof(greeting), greeting, "a", 0) is Pass.ADMITTED
    assert door.used_by == {GUEST}
    assert door.admit(STRANGER, INVITE.proof(GREETING), GREETING, "b", 0) is Pass.USED
    assert door.admit(GUEST, INVITE.proof(GREETING), GREETING, "a", 0) is Pass.ADMITTED


def test_as_many_come_in_as_the_table_awaits() -> None:
    door = Turnstile(INVITE, guests=3)
    guests = [bytes([number]) * 32 for number in range(3)]
    for guest in (*guests, *guests):
        assert door.admit(guest, INVITE.proof(GREETING), GREETING, "a", 0) is Pass.ADMITTED
    assert door.admit(STRANGER, INVITE.proof(GREETING), GREETING, "b", 0) is Pass.USED
    assert door.used_by == set(guests)


@pytest.mark.parametrize("proof", [b"", b"\0" * 32, INVITE.proof(b"\x02" * 32), INVITE.proof(GREETING)[:-1]])
def test_anything_but_the_proof_of_this_connection_is_wrong(proof: bytes) -> None:
    door = Turnstile(INVITE)
    assert door.admit(GUEST, proof, GREETING, "a", 0) is Pass.WRONG
    assert not door.used_by


def test_guessing_is_slow_from_each_address() -> None:
    door = Turnstile(INVITE)
    seen = [door.admit(STRANGER, b"guess", GREETING, "a", now / 10) for now in range(10_000)]  # 1000 s
    assert seen.count(Pass.WRONG) == door.TRIES + 1000 // door.PAUSE - 1
    assert seen.count(Pass.LATER) == len(seen) - seen.count(Pass.WRONG)


def test_after_wrong_codes_even_the_right_one_waits_but_only_from_there() -> None:
    door = Turnstile(INVITE)
    for _ in range(door.TRIES):
        assert door.admit(STRANGER, b"guess", GREETING, "a", 0) is Pass.WRONG
    right = INVITE.proof(GREETING)
    assert door.admit(STRANGER, right, GREETING, "a", 1) is Pass.LATER
    assert door.admit(GUEST, right, GREETING, "b", 1) is Pass.ADMITTED
    assert door.admit(GUEST, right, GREETING, "a", door.PAUSE + 1) is Pass.ADMITTED


def test_many_addresses_take_bounded_memory_and_the_latest_are_remembered() -> None:
    door = Turnstile(INVITE)
    for number in range(3 * door.MAX_ADDRESSES):
        for _ in range(door.TRIES):
            door.admit(STRANGER, b"guess", GREETING, str(number), 0)
    assert len(door._wrong) == door.MAX_ADDRESSES
    assert door.admit(STRANGER, b"guess", GREETING, str(3 * door.MAX_ADDRESSES - 1), 0) is Pass.LATER
