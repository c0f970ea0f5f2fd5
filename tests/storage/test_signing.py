"""Signatures: the vectors of RFC 8032, and the keys that OpenSSL would take but we must not."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from bcnet.hashing import tagged_bytes
from bcnet.signing import BadKey, Identity, check_public, fingerprint, verify

# The curve once more, in the plainest way, so that the checker is held against something else than itself.
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int]
ZERO: Point = (0, 1)


def add(a: Point, b: Point) -> Point:
    (x1, y1), (x2, y2) = a, b
    product = D * x1 * x2 * y1 * y2
    return (
        (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P,
    )


def multiply(scalar: int, point: Point) -> Point:
    result = ZERO
    for bit in f"{scalar:b}":
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def x_of(y: int) -> int | None:
    """The even square root, RFC 8032, section 5.1.3."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    if root * root % P != square:
        root = root * pow(2, (P - 1) // 4, P) % P
    if root * root % P != square:
        return None
    return root if root % 2 == 0 else P - root


def encode(y: int, sign: int) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


def torsion() -> set[Point]:
    """The eight points whose order divides 8: the multiples of one of order 8."""
    for y in range(2, 100):
        if (x := x_of(y)) is not None:
            generator = multiply(ORDER, (x, y))
            points = {multiply(k, generator) for k in range(8)}
            if len(points) == 8:
                return points
    raise AssertionError("no generator found")


def encodings(point: Point) -> set[bytes]:
    """Every way in which 32 bytes can mean this point, the wrong ways included."""
    x, y = point
    return {
        encode(each, sign)
        for each in (y, y + P)
        if each < 2**255
        for sign in ((0, 1) if x == 0 else (x & 1,))
    }


IDENTITY = Identity(bytes(range(32)))
MESSAGE = tagged_bytes("entry", b"what is said")

# RFC 8032, section 7.1, TEST 1 to 3 and TEST SHA(abc).
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
            "d25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
            "387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
            "4a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
    (
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        (
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
            "454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e030"
            "3dca179c138ac17ad9bef1177331a704"
        ),
    ),
]


@pytest.mark.parametrize(("private", "public", "message", "signature"), VECTORS)
def test_vectors_of_rfc_8032(private: str, public: str, message: str, signature: str) -> None:
    identity = Identity(bytes.fromhex(private))
    assert identity.public.hex() == public
    assert identity.sign_message(bytes.fromhex(message)).hex() == signature
    assert verify(bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature))


def test_a_signature_is_for_one_purpose_one_text_and_one_key() -> None:
    signature = IDENTITY.sign("entry", b"what is said")
    assert signature == IDENTITY.sign("entry", b"what is said") == IDENTITY.sign_message(MESSAGE)
    assert verify(IDENTITY.public, MESSAGE, signature)
    assert not verify(IDENTITY.public, tagged_bytes("note", b"what is said"), signature)
    assert not verify(IDENTITY.public, tagged_bytes("entry", b"what is", b" said"), signature)
    assert not verify(Identity(bytes(32)).public, MESSAGE, signature)


def test_every_bit_of_a_signature_counts() -> None:
    signature = IDENTITY.sign_message(MESSAGE)
    for bit in range(512):
        flipped = (int.from_bytes(signature, "little") ^ 1 << bit).to_bytes(64, "little")
        assert not verify(IDENTITY.public, MESSAGE, flipped)


def test_a_signature_has_no_second_form() -> None:
    signature = IDENTITY.sign_message(MESSAGE)
    s = int.from_bytes(signature[32:], "little")
    for other in range(s + ORDER, 2**256, ORDER):
        assert not verify(IDENTITY.public, MESSAGE, signature[:32] + other.to_bytes(32, "little"))
    for size in (0, 1, 63, 65, 128):
        assert not verify(IDENTITY.public, MESSAGE, (signature + signature)[:size])


def test_the_eight_points_of_small_order_are_what_they_should_be() -> None:
    points = torsion()
    assert ZERO in points
    assert all(multiply(8, point) == ZERO for point in points)
    # The number that the literature knows (libsodium's list, for one, counted with both signs).
    assert len(set().union(*map(encodings, points))) == 14


def test_no_point_of_small_order_is_a_key_however_it_is_written() -> None:
    for point in torsion():
        for encoding in encodings(point):
            with pytest.raises(BadKey):
                check_public(encoding)
            assert not verify(encoding, MESSAGE, encoding + bytes(32))


def test_why_that_matters() -> None:
    """Under the identity point, one "signature" fits every message, and OpenSSL says nothing against it."""
    key = encode(1, 0)
    forged = encode(1, 0) + bytes(32)
    for message in (b"I take the red card", b"I take the blue card"):
        Ed25519PublicKey.from_public_bytes(key).verify(forged, message)  # no InvalidSignature
        assert not verify(key, message, forged)


@pytest.mark.parametrize("y", range(P, 2**255))
@pytest.mark.parametrize("sign", [0, 1])
def test_no_key_has_a_second_encoding(y: int, sign: int) -> None:
    with pytest.raises(BadKey, match="canonical"):
        check_public(encode(y, sign))


def test_points_beside_the_curve_are_no_keys() -> None:
    on_curve = 0
    for y in range(2, 200):
        if x_of(y) is None:
            with pytest.raises(BadKey, match="not a point"):
                check_public(encode(y, 0))
        else:
            on_curve += 1
            check_public(encode(y, 0))
            check_public(encode(y, 1))
    assert 50 < on_curve < 150


@pytest.mark.parametrize("size", [0, 1, 31, 33, 64])
def test_keys_have_32_bytes(size: int) -> None:
    with pytest.raises(BadKey, match="32 bytes"):
        check_public((IDENTITY.public * 2)[:size])
    assert not verify((IDENTITY.public * 2)[:size], MESSAGE, IDENTITY.sign_message(MESSAGE))
    with pytest.raises(ValueError, match="32 bytes"):
        Identity(bytes(size))


@given(st.binary(min_size=32, max_size=32))
def test_every_honest_key_is_a_key(private: bytes) -> None:
    identity = Identity(private)
    check_public(identity.public)
    assert verify(identity.public, MESSAGE, identity.sign_message(MESSAGE))


@given(st.binary(max_size=80), st.binary(max_size=80), st.binary(max_size=80))
def test_garbage_is_refused_without_an_exception(public: bytes, message: bytes, signature: bytes) -> None:
    assert verify(public, message, signature) is False
    assert verify(IDENTITY.public, message, signature) is False


@given(st.binary(min_size=32, max_size=32))
def test_keys_are_judged_as_the_plain_curve_judges_them(public: bytes) -> None:
    number = int.from_bytes(public, "little")
    y, sign = number % 2**255, number >> 255
    x = x_of(y % P)
    is_key = y < P and x is not None and not (x == 0 and sign) and multiply(8, (x, y)) != ZERO
    try:
        check_public(public)
    except BadKey:
        assert not is_key
    else:
        assert is_key


def test_fingerprints_are_short_and_stay_as_they_are() -> None:
    assert fingerprint(IDENTITY.public) == IDENTITY.fingerprint == "3hxv-ygre-hecd-gqzz"
    assert len({fingerprint(Identity(bytes([n]) * 32).public) for n in range(100)}) == 100


def test_a_private_key_does_not_show_itself() -> None:
    assert repr(IDENTITY) == f"<Identity {IDENTITY.fingerprint}>"
