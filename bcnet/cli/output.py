"""Where a command writes a file that somebody asked for by name."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import click


def put_out(text: str, output: Path, what: str, *, force: bool) -> bool:
    """Write ``text`` to ``output`` (``-``, or any other name of it: to standard output), a file whole or not at all.

    A file that is there already is replaced only with ``force``, and keeps its rights; of a symbolic link the file that
    it leads to, and the link stays. What is there and is no file (a pipe, a terminal, a device) is written to. Gives
    whether it went anywhere but to standard output. Raises `UsageError` and `StorageError`; ``what`` names what was to
    be written, as in an error.
    """
    from bcnet.errors import Phrase, UsageError
    from bcnet.files import rewrite, storage_errors, write_all, write_new

    if str(output) == "-" or _is_standard_output(output):
        click.echo(text, nl=False)
        return False
    with storage_errors(Phrase("write {what}", what=what), output):
        if _takes_a_stream(output):
            # A pipe that nobody reads from says so, where it would be waited for otherwise.
            fd = os.open(output, os.O_WRONLY | os.O_CLOEXEC | os.O_NOCTTY | os.O_NONBLOCK)
            try:
                os.set_blocking(fd, True)
                write_all(fd, text.encode())
            finally:
                os.close(fd)
            return True
        write = rewrite if force and output.is_file() else write_new
        try:
            write(Path(os.path.realpath(output)), [text.encode()], mode=0o666)
        except FileExistsError:
            raise UsageError(
                "{path} is there already; it was left as it is.",
                hint="Choose another name, or replace it with --force."
                if output.is_file()
                else "Choose another name: only a file can be replaced.",
                path=output,
            ) from None
    return True


def _is_standard_output(output: Path) -> bool:
    try:
        return os.path.samestat(output.stat(), os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError):  # nothing is there, or it has no number, as within a test
        return False


def _takes_a_stream(output: Path) -> bool:
    try:
        mode = output.stat().st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)
