"""The file that holds a person's identity key: made on first use, then only ever read.

PKCS#8 in PEM, readable by its owner alone. PEM has no checksum, and half of all flipped bits give another
key, which would make the person a stranger without a word; so a line with the fingerprint stands above the
key, and must fit if it is there. The key is never replaced: whatever stands in its place, even damaged,
belongs to the person. What the key does is in ``bcnet.signing``, where whoever only checks signatures finds
it.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InternalError, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from bcnet.errors import StorageError
from bcnet.files import storage_error, storage_errors, write_new
from bcnet.signing import Identity

_MAX_FILE_SIZE = 1 << 16
_LABEL = b"bcnet identity "
_WAY_OUT = (
    "Put back a copy of this file if you have one. If not, move it away: bcnet then makes a new key, "
    "and the others will see you as somebody new."
)


def load_or_create(path: Path) -> Identity:
    """The identity in the file ``path``; a new one is drawn and stored if there is no such file.

    Two processes that do so at the same time end with the same identity. Raises `StorageError` if the file
    cannot be read or written, is damaged, is no Ed25519 key, or can be read by others (as ssh does).
    """
    try:
        return load(path)
    except FileNotFoundError:
        pass
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    label = _LABEL + Identity(key.private_bytes_raw()).fingerprint.encode("ascii") + b"\n"
    with storage_errors("write the identity key", path):
        with suppress(FileExistsError):  # another process was quicker: its key is ours
            write_new(path, [label, pem])
        return load(path)


def load(path: Path) -> Identity:
    """The identity in the file ``path``. Raises ``FileNotFoundError``, otherwise as `load_or_create`."""
    try:
        pem = _read_private(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise storage_error("read the identity key", path, error) from error
    try:
        key = load_pem_private_key(pem, password=None)
    except TypeError:
        raise StorageError(
            "The identity key {path} is protected with a password, which bcnet cannot ask for.",
            hint="Store it without one: openssl pkey -in KEY -out NEW, and chmod 600 NEW.",
            path=path,
        ) from None
    except (ValueError, UnsupportedAlgorithm, InternalError):
        raise _damaged(path) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise StorageError(
            "The key {path} is not an Ed25519 key; it was left as it is.", hint=_WAY_OUT, path=path
        )
    identity = Identity(key.private_bytes_raw())
    label = pem.splitlines()[0]
    if label.startswith(_LABEL) and label != _LABEL + identity.fingerprint.encode("ascii"):
        raise _damaged(path)
    return identity


def public_pem(public: bytes) -> str:
    """A public key (32 bytes) as a file that other programs read (SubjectPublicKeyInfo, PEM)."""
    key = Ed25519PublicKey.from_public_bytes(public)
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode("ascii")


def _damaged(path: Path) -> StorageError:
    return StorageError("The identity key {path} is damaged; it was left as it is.", hint=_WAY_OUT, path=path)


def _read_private(path: Path) -> bytes:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(fd, "rb") as file:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise StorageError("The identity key {path} is not a file.", hint=_WAY_OUT, path=path)
        # The rule of ssh: others' files are others' business (they could read it anyway).
        if status.st_uid == os.getuid() and status.st_mode & 0o077:
            raise StorageError(
                "The identity key {path} can be used by others on this machine (mode {mode:04o}).",
                hint="If you trust that nobody has copied it: chmod 600 {path}. Otherwise move it away, and "
                "bcnet makes a new key. On a disk without permissions, keep its files elsewhere: --home DIR.",
                path=path,
                mode=stat.S_IMODE(status.st_mode),
            )
        return file.read(_MAX_FILE_SIZE)
