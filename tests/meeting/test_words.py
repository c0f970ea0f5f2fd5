"""The four words: the list is what it says, and every input counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from itertools import product

import pytest

from bcnet.wordlist import WORDS
from bcnet.words import four_words

# SHA-256 of english.txt of BIP-39, as it is published everywhere.
BIP_39 = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"
# The same of our list, as docs/protocol.md has it.
THIS_LIST = "a8aa916c324cd0a2344b8a334d6d4cdca77b5af9f696c547b5f6567e0c67e259"
REPLACED_WORDS = """abuse addict alcohol assault asthma black blind blood bomb bullet cigar crazy crime cruel demise
despair disease divorce dumb dwarf evil execute exile fat fatal gorilla guilt gun horror illness
inflict injury inmate insane jealous knife lazy liar mad misery monkey naive nasty orphan peasant
pig pistol poverty prison rifle satoshi shoot sick siege slender slim suffer tobacco toilet tragic
trash ugly useless vicious virus warfare weapon weird whip
"""
OUR_WORDS = """acorn apron bagel beetle berry bison bonfire cello clover daisy duet easel falcon ferry fiddle
flute gecko gondola harmonica harp igloo iris ivy juggle kayak kettle koala lantern lavender lilac
linen llama lotus meteor mitten moose nectar nutmeg oasis otter pancake papaya parsley pasta pebble
penguin petal pickle plum pocket polka poppy puffin quilt robin saffron sapphire sardine sesame
swan teapot thimble tulip unicorn walrus wizard yogurt zigzag zipper
"""
REPLACED, OURS = REPLACED_WORDS.split(), OUR_WORDS.split()

TABLE, HOST, GUEST, CERTIFICATE, OUTPUT = (bytes([number]) * 32 for number in range(5))


def digest(words: Iterable[str]) -> str:
    return sha256("".join(f"{word}\n" for word in words).encode()).hexdigest()


def test_the_list_is_bip_39_with_some_words_replaced() -> None:
    assert len(REPLACED) == len(OURS) == 69
    assert digest(WORDS) == THIS_LIST
    original = sorted(set(WORDS) - set(OURS) | set(REPLACED))
    assert digest(original) == BIP_39


def test_words_are_told_apart_by_their_first_four_letters() -> None:
    assert len(WORDS) == len({word[:4] for word in WORDS}) == 2048
    assert list(WORDS) == sorted(WORDS)
    assert all(word.isascii() and word.isalpha() and word.islower() and 3 <= len(word) <= 9 for word in WORDS)


def test_the_words_of_this_version_stay_as_they_are() -> None:
    assert four_words(TABLE, [HOST, GUEST], CERTIFICATE, OUTPUT) == ("gold", "owner", "around", "crumble")


@pytest.mark.parametrize("changed", range(5))
def test_everything_counts(changed: int) -> None:
    parts = [TABLE, HOST, GUEST, CERTIFICATE, OUTPUT]
    before = four_words(parts[0], parts[1:3], parts[3], parts[4])
    parts[changed] = bytes([*parts[changed][:-1], 0xFF])
    after = four_words(parts[0], parts[1:3], parts[3], parts[4])
    assert before != after


def test_seats_have_an_order() -> None:
    assert four_words(TABLE, [HOST, GUEST], CERTIFICATE, OUTPUT) != four_words(
        TABLE, [GUEST, HOST], CERTIFICATE, OUTPUT
    )


@pytest.mark.statistics
def test_every_word_comes_at_every_place() -> None:
    counts = [Counter[str]() for _ in range(4)]
    tables = 40_000
    for table in range(tables):
        for count, word in zip(
            counts, four_words(table.to_bytes(32, "big"), [HOST, GUEST], CERTIFICATE, OUTPUT), strict=True
        ):
            count[word] += 1
    for count, word in product(counts, WORDS):
        assert 0 < count[word] < 60  # 19.5 expected, standard deviation 4.4
