"""Four words by which two players rule out, on the phone say, that anybody sits between them.

Whoever sits between holds two tables, one with each of them, and both screens show the words of their own table. He
has to make these equal: 44 bits. The words come from the first output of the beacon, which depends on a seed of each
side to which that side was committed before it knew anything of the other's; so he cannot try out seeds, keys or
certificates beforehand. One table is one try, it begins with a person's act (``bcnet host``, ``bcnet join``), and no
client joins again by itself. docs/threats.md counts the tries, docs/protocol.md, section "Words", has the derivation.

Pure. It knows neither how a table is played nor how the words are shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from bcnet.hashing import tagged_hash
from bcnet.wordlist import WORDS

COUNT = 4
BITS = 11
"""Bits that a word stands for: there are 2048."""


def four_words(
    table_id: bytes, identities: Sequence[bytes], certificate: bytes, first_output: bytes
) -> tuple[str, str, str, str]:
    """The words of a table, the same on all sides if nobody sits between them.

    ``identities`` are the 32-byte keys in seat order, ``certificate`` the SHA-256 of the host's certificate (DER) on
    the connection in use, ``first_output`` the 32-byte output for the purpose ``words`` of the table's first draw.
    """
    digest = tagged_hash("words", table_id, certificate, first_output, *identities)
    number = int.from_bytes(digest, "big") >> (8 * len(digest) - COUNT * BITS)
    first, second, third, fourth = (
        WORDS[number >> BITS * (COUNT - 1 - place) & (1 << BITS) - 1] for place in range(COUNT)
    )
    return first, second, third, fourth
