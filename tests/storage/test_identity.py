"""The file with the identity key."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from bcnet.errors import StorageError
from bcnet.identity import load, load_or_create
from tests.storage.processes import line, python, say

PrivateKey = ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

CREATE = """
import sys
from pathlib import Path
from bcnet.identity import load_or_create
print("ready", flush=True)
sys.stdin.readline()
print(load_or_create(Path(sys.argv[1])).public.hex())
"""


def pem(key: PrivateKey, protection: KeySerializationEncryption | None = None) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, protection or NoEncryption())


def put(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o600)


def test_it_is_made_once_and_read_from_then_on(tmp_path: Path) -> None:
    path = tmp_path / "identity.pem"
    identity = load_or_create(path)
    assert path.stat().st_mode & 0o7777 == 0o600
    content = path.read_bytes()
    assert load_or_create(path).public == load(path).public == identity.public
    assert path.read_bytes() == content
    assert [each.name for each in tmp_path.iterdir()] == ["identity.pem"]


def test_it_is_what_every_other_program_can_read(tmp_path: Path) -> None:
    identity = load_or_create(tmp_path / "identity.pem")
    content = (tmp_path / "identity.pem").read_bytes()
    assert content.startswith(
        f"bcnet identity {identity.fingerprint}\n-----BEGIN PRIVATE KEY-----\n".encode()
    )
    key = load_pem_private_key(content, None)
    assert isinstance(key, ed25519.Ed25519PrivateKey)
    assert key.public_key().public_bytes_raw() == identity.public


def test_a_key_made_by_another_program_will_do(tmp_path: Path) -> None:
    key = ed25519.Ed25519PrivateKey.generate()
    put(tmp_path / "identity.pem", pem(key))
    assert load_or_create(tmp_path / "identity.pem").public == key.public_key().public_bytes_raw()


def test_each_home_has_its_own(tmp_path: Path) -> None:
    assert load_or_create(tmp_path / "one").public != load_or_create(tmp_path / "two").public


def test_many_processes_at_once_end_with_one_key(tmp_path: Path) -> None:
    path = tmp_path / "identity.pem"
    with (
        python(CREATE, path) as a,
        python(CREATE, path) as b,
        python(CREATE, path) as c,
        python(CREATE, path) as d,
    ):
        everyone = (a, b, c, d)
        assert [line(each) for each in everyone] == ["ready"] * 4
        for each in everyone:
            say(each)
        keys = {line(each) for each in everyone}
    assert keys == {load(path).public.hex()}
    assert [each.name for each in tmp_path.iterdir()] == ["identity.pem"]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is damaged"),
        (b"-----BEGIN PRIVATE KEY-----\n", "is damaged"),
        (pem(ed25519.Ed25519PrivateKey.generate())[:-40], "is damaged"),
        (b"\x00" * 119, "is damaged"),
        (b"x" * (1 << 20), "is damaged"),
        (pem(ec.generate_private_key(ec.SECP256R1())), "is not an Ed25519 key"),
        (pem(ed25519.Ed25519PrivateKey.generate(), BestAvailableEncryption(b"secret")), "with a password"),
    ],
    ids=["empty", "head only", "cut off", "zeros", "huge", "another curve", "password"],
)
def test_what_is_no_usable_key_is_reported_and_never_touched(
    tmp_path: Path, content: bytes, what: str
) -> None:
    path = tmp_path / "identity.pem"
    put(path, content)
    with pytest.raises(StorageError, match=what) as caught:
        load_or_create(path)
    assert str(path) in caught.value.message
    assert caught.value.hint
    assert path.read_bytes() == content


def test_no_cut_or_flipped_file_gives_anything_but_a_key_or_an_error(tmp_path: Path) -> None:
    path = tmp_path / "identity.pem"
    public = load_or_create(path).public
    content = path.read_bytes()
    damaged = [content[:size] for size in range(len(content))]
    for at in range(len(content)):
        damaged += [content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1 :] for bit in range(8)]
    outcomes: set[bytes | str] = set()
    for each in damaged:
        path.write_bytes(each)
        try:
            outcomes.add(load(path).public)
        except StorageError as error:
            outcomes.add(error.hint.split()[0])
    # Some bits (of white space, of the words around) do not matter; none makes the person a stranger.
    assert outcomes == {public, "Put"}


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o666, 0o611])
def test_a_key_that_others_can_use_is_refused_as_ssh_does(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "identity.pem"
    load_or_create(path)
    path.chmod(mode)
    with pytest.raises(StorageError, match=f"mode {mode:04o}") as caught:
        load_or_create(path)
    assert f"chmod 600 {path}" in caught.value.hint
    assert path.stat().st_mode & 0o7777 == mode
    path.chmod(0o400)
    load_or_create(path)


def test_a_link_to_a_key_is_followed_and_a_broken_one_reported(tmp_path: Path) -> None:
    identity = load_or_create(tmp_path / "real.pem")
    (tmp_path / "identity.pem").symlink_to("real.pem")
    assert load_or_create(tmp_path / "identity.pem").public == identity.public
    (tmp_path / "real.pem").unlink()
    with pytest.raises(StorageError, match=r"identity\.pem"):
        load_or_create(tmp_path / "identity.pem")


def test_a_folder_or_a_pipe_in_its_place_is_reported(tmp_path: Path) -> None:
    import os

    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe", 0o600)
    for name in ("folder", "pipe"):
        with pytest.raises(StorageError, match=name):
            load_or_create(tmp_path / name)


def test_errors_show_nothing_of_the_key(tmp_path: Path) -> None:
    path = tmp_path / "identity.pem"
    load_or_create(path)
    content = path.read_bytes().replace(b"BEGIN", b"BEGUN")
    put(path, content)
    with pytest.raises(StorageError) as caught:
        load_or_create(path)
    secret = content.splitlines()[2].decode()
    assert secret not in f"{caught.value} {caught.value.hint} {caught.value.values}"
