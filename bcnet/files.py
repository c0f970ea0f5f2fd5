"""Writing so that a crash leaves the old state or the new one, locks that die with their process, plain
errors.

Responsible for what every file of bcnet has in common: durable writes, folder locks, the first line that
names format and version, and turning an ``OSError`` into a `StorageError` that says what to do. It knows
nothing of what stands in the files. It is for Linux and macOS; POSIX is assumed.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex

from bcnet.errors import Phrase, StorageError, UnreadableError

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
TEMPORARY_PREFIX = ".new-"
LOCK_NAME = "lock"

_ELSEWHERE = Phrase("Or keep bcnet's files elsewhere: --home DIR or BCNET_HOME.")
_ROOM = Phrase("Make room on that disk. Nothing that was stored before is lost.")
_RIGHTS = Phrase("See who owns it (ls -ld) and whether you may write there. " + _ELSEWHERE)
_UNSUITED = Phrase("bcnet's files need a local disk. " + _ELSEWHERE)
_REASONS: dict[int, tuple[Phrase, Phrase]] = {
    errno.ENOSPC: (Phrase("the disk is full"), _ROOM),
    errno.EDQUOT: (Phrase("your share of the disk is used up"), _ROOM),
    errno.EFBIG: (
        Phrase("the file may not grow any further"),
        Phrase("Raise the limit (ulimit -f) or make room."),
    ),
    errno.EIO: (
        Phrase("the disk reports an error"),
        Phrase("Check the disk, and copy bcnet's folder to another one. " + _ELSEWHERE),
    ),
    errno.EROFS: (Phrase("the file system is read-only"), _ELSEWHERE),
    errno.EACCES: (Phrase("you have no permission"), _RIGHTS),
    errno.EPERM: (Phrase("you have no permission"), _RIGHTS),
    errno.ENOENT: (
        Phrase("there is no such file or folder"),
        Phrase("Check the spelling, or make the folder first."),
    ),
    errno.EEXIST: (
        Phrase("it is there already"),
        Phrase("Another bcnet may have made it at this moment. Try again."),
    ),
    errno.ENOTDIR: (
        Phrase("a part of the path is a file, not a folder"),
        Phrase("Check the spelling. " + _ELSEWHERE),
    ),
    errno.EISDIR: (Phrase("it is a folder, not a file"), Phrase("Name a file.")),
    errno.ENAMETOOLONG: (Phrase("the name is too long"), Phrase("Choose a shorter path.")),
    errno.ELOOP: (Phrase("its links go round in a circle"), Phrase("Mend the symbolic links.")),
    errno.ENXIO: (Phrase("nobody reads from it"), Phrase("Start first what is to read it.")),
    errno.EPIPE: (Phrase("who was reading it has stopped"), Phrase("See why it has, and try again.")),
    errno.EMFILE: (
        Phrase("too many files are open"),
        Phrase("Close other programs, or raise the limit (ulimit -n)."),
    ),
    errno.ENFILE: (Phrase("too many files are open"), Phrase("Close other programs and try again.")),
    errno.ENOLCK: (Phrase("the file system gives no locks"), _UNSUITED),
    errno.ENOSYS: (Phrase("the file system cannot do that"), _UNSUITED),
    errno.EOPNOTSUPP: (Phrase("the file system cannot do that"), _UNSUITED),
}
# What link(2) says where the file system knows no hard links.
_NO_LINKS = {errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK}


# ---------------------------------------------------------------------------------------------------- errors


def storage_error(action: str, path: Path, error: OSError, hint: str = "") -> StorageError:
    """The error for a person: what cannot be done (``action``), with which path, why, and what next (``hint``; if empty
    what helps with bcnet's own files).
    """
    reason, usual = _REASONS.get(error.errno or 0, (error.strerror or str(error), _ELSEWHERE))
    return StorageError(
        "Cannot {action} {path}: {reason}.",
        hint=hint or usual,
        action=action if isinstance(action, Phrase) else Phrase(action),
        path=path,
        reason=reason,
    )


@contextmanager
def storage_errors(action: str, path: Path, hint: str = "") -> Iterator[None]:
    """Within, every ``OSError`` becomes a `StorageError` about ``path``."""
    try:
        yield
    except OSError as error:
        raise storage_error(action, path, error, hint) from error


# ------------------------------------------------------------------------------------------------- durability


def write_all(fd: int, data: bytes) -> None:
    """Write all of ``data``; the system may take it in pieces."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def sync(fd: int) -> None:
    """Return when what was written, and the size of the file, are on the disk itself."""
    if sys.platform == "darwin":  # there, fsync leaves the bytes in the cache of the drive
        try:
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
        except OSError:
            os.fsync(fd)
    else:
        os.fdatasync(fd)


def sync_folder(folder: Path) -> None:
    """Return when the names in ``folder`` are on disk."""
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:  # one may write there but not look, and then nothing can be done
        return
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:  # some file systems have it always done
            raise
    finally:
        os.close(fd)


def write_new(path: Path, chunks: Iterable[bytes], mode: int = PRIVATE_FILE) -> None:
    """Create ``path`` with all of ``chunks`` or not at all; when this returns, a power cut cannot undo it.

    Raises ``FileExistsError`` if ``path`` exists, whatever it is; it is never replaced, also not if another
    process creates it at the same moment. (Where the file system has no hard links, two at the very same
    moment may both succeed; the later one stays.) Raises other kinds of ``OSError`` as they come.
    """
    _write(path, chunks, mode, _publish)


def write_over(path: Path, chunks: Iterable[bytes], mode: int = PRIVATE_FILE) -> None:
    """Put a file with all of ``chunks`` in the place of ``path``, or leave that as it is; a power cut changes
    neither. Whoever reads meanwhile gets the old or the new one whole. Raises ``OSError`` as it comes.
    """
    _write(path, chunks, mode, Path.replace)


def rewrite(path: Path, chunks: Iterable[bytes], mode: int) -> None:
    """`write_over` for a file that is not bcnet's own: it keeps its rights. A new one gets ``mode``, less the umask."""
    try:
        rights = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        write_over(path, chunks, mode)
    else:
        _write(path, chunks, PRIVATE_FILE, Path.replace, rights)


def _write(
    path: Path,
    chunks: Iterable[bytes],
    mode: int,
    publish: Callable[[Path, Path], object],
    rights: int | None = None,
) -> None:
    temporary = path.with_name(TEMPORARY_PREFIX + token_hex(8))
    try:
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        try:
            if rights is not None:
                os.fchmod(fd, rights)
            for chunk in chunks:
                write_all(fd, chunk)
            os.fsync(fd)
            if sys.platform == "darwin":
                sync(fd)
        finally:
            os.close(fd)
        publish(temporary, path)
    finally:
        with suppress(OSError):
            temporary.unlink()
    sync_folder(path.parent)


def _publish(temporary: Path, path: Path) -> None:
    try:
        os.link(temporary, path)  # in contrast to a rename, this fails if the name is taken
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        temporary.rename(path)


def make_folder(path: Path, *, parents: bool = False) -> None:
    """Make a folder for its owner alone, on disk, unless it is there; those above it only with ``parents``, with the
    rights that are usual. Raises `StorageError`.
    """
    if parents:
        with storage_errors("make the folder", path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir(mode=PRIVATE_FOLDER)
        sync_folder(path.parent)
    except FileExistsError:
        if not path.is_dir():
            raise StorageError(
                "{path} is a file, but bcnet needs a folder there.",
                hint="Choose another folder for bcnet's files: --home DIR or BCNET_HOME.",
                path=path,
            ) from None
    except OSError as error:
        raise storage_error("make the folder", path, error) from error


# ------------------------------------------------------------------------------------------------------ locks


class FolderInUse(StorageError):
    """Another process holds the lock of a folder."""


class FolderLock:
    """One process at a time works in a folder.

    The operating system takes the lock (flock) away when the process ends, in whatever way; so there is no
    such thing as a stale lock. It follows the folder when that is renamed. The file ``lock`` stays behind and
    means nothing by itself; the number in it only serves the error message.
    """

    __slots__ = ("_fd",)

    def __init__(self, folder: Path, what: str) -> None:
        """Take the lock of ``folder``, or raise `FolderInUse` naming ``what``; ``OSError`` as it comes."""
        path = folder / LOCK_NAME
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)
        try:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(fd, 20, 0).decode("ascii", "replace").strip() or Phrase("unknown")
                raise FolderInUse(
                    "{what} is open in another bcnet on this machine (process {process}).",
                    hint="Go on there, or end that one first.",
                    what=what,
                    process=holder,
                ) from None
            # Whoever held it before may have removed the folder, so that we now hold the lock of nothing.
            if not os.path.samestat(os.fstat(fd), path.stat()):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
            with suppress(OSError):  # a full disk takes no number, and needs none
                os.ftruncate(fd, 0)
                os.pwrite(fd, f"{os.getpid()}\n".encode("ascii"), 0)
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd

    def release(self) -> None:
        """Let go; harmless when done before."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


class SecretLock:
    """One process of a user at a time works with a secret, wherever on this machine copies of it lie.

    A `FolderLock` does not see that another folder is a copy of its own. This one prevents the accident, for whoever
    has copied a folder and started both; nothing rests on it. It is held by the process (not by this object), on a file
    that is named by a hash of the secret in a folder for passing files; where there can be none, there is no lock.
    """

    __slots__ = ("_fd", "_path")

    def __init__(self, secret: bytes, what: str) -> None:
        """Take the lock, or raise `FolderInUse` naming ``what``."""
        self._fd = -1
        self._path = passing_folder() / sha256(b"bcnet secret lock" + secret).hexdigest()
        with suppress(OSError):
            with suppress(FileExistsError):
                self._path.parent.mkdir(mode=PRIVATE_FOLDER)
            found = self._path.parent.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid():
                self._take(what)

    def _take(self, what: str) -> None:
        while self._fd < 0:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE_FILE)
            try:
                fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                with suppress(FileNotFoundError):  # whoever had it before has just removed it: once more
                    if os.path.samestat(os.fstat(fd), self._path.stat()):
                        self._fd = fd
            except OSError as error:
                if error.errno in {errno.EACCES, errno.EAGAIN}:
                    raise FolderInUse(
                        "{what} is played by another bcnet on this machine, from a copy of its folder.",
                        hint="Go on there. Two copies that play may sign two different things: proof of cheating.",
                        what=what,
                    ) from None
                raise
            finally:
                if self._fd != fd:
                    os.close(fd)

    def release(self) -> None:
        """Let go; harmless when done before."""
        if self._fd >= 0:
            with suppress(OSError):
                self._path.unlink()
            os.close(self._fd)
            self._fd = -1


def passing_folder() -> Path:
    """Where a user's locks of secrets lie; there is nothing else in it."""
    return Path(tempfile.gettempdir()) / f"bcnet-{os.getuid()}"


# ------------------------------------------------------------------------------------------------- first
# lines

_FIRST_LINE = re.compile(rb"bcnet ([a-z]{1,16}) (0|[1-9][0-9]{0,8})\n")
_KINDS = {"transcript": Phrase("transcript"), "journal": Phrase("journal")}
"""What they are called before people; there may be others."""
FIRST_LINE_LIMIT = len(b"bcnet  \n") + 16 + 9


def first_line(kind: str, version: int) -> bytes:
    """What a file of this kind and format version begins with, as ``bcnet transcript 1`` and a line feed."""
    return f"bcnet {kind} {version}\n".encode("ascii")


def check_first_line(head: bytes, kind: str, version: int, file: str) -> int:
    """The length of the first line in ``head``, the first `FIRST_LINE_LIMIT` bytes of ``file`` or all of it.

    Raises `UnreadableError` for an empty file, another kind of file, another version, or no file of ours.
    """
    ours = first_line(kind, version)
    if head.startswith(ours):
        return len(ours)
    if not head:
        raise UnreadableError("{file} is empty.", hint="Ask for it once more.", file=file, offset=0)
    if len(head) < len(ours) and ours.startswith(head):
        raise UnreadableError(
            "{file} ends at byte {offset}, inside its first line.",
            hint="It was not copied whole; ask for it once more.",
            file=file,
            offset=len(head),
        )
    match = _FIRST_LINE.match(head)
    if not match:
        raise UnreadableError(
            "{file} is not a bcnet {kind}: it does not begin like one (byte 0).",
            hint="Check that it is the right file.",
            file=file,
            kind=_KINDS.get(kind, kind),
            offset=0,
        )
    other_kind, other_version = match[1].decode("ascii"), int(match[2])
    if other_kind != kind:
        raise UnreadableError(
            "{file} is a bcnet {other}, not a {kind} (byte 0).",
            hint="Check that it is the right file. A journal belongs to a game that is not finished.",
            file=file,
            other=_KINDS.get(other_kind, other_kind),
            kind=_KINDS.get(kind, kind),
            offset=0,
        )
    raise UnreadableError(
        "{file} has format version {other}; this bcnet reads version {version} (byte 0).",
        hint="Use a newer bcnet." if other_version > version else "Use the older bcnet that wrote it.",
        file=file,
        other=other_version,
        version=version,
        offset=0,
    )
