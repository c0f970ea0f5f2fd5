"""Where a command writes a file that somebody asked for by name."""

from __future__ import annotations

from pathlib import Path

import click


def put_out(text: str, output: Path, what: str, *, force: bool) -> None:
    """Write ``text`` to ``output`` (``-``: to standard output), whole or not at all.

    A file that is there already is replaced only with ``force``. Raises `UsageError` and `StorageError`; ``what`` names
    what was to be written.
    """
    from bcnet.errors import UsageError
    from bcnet.files import storage_errors, write_new, write_over

    if str(output) == "-":
        click.echo(text, nl=False)
        return
    write = write_over if force and output.is_file() else write_new
    with storage_errors(f"write {what}", output):
        try:
            write(output, [text.encode()], mode=0o666)
        except FileExistsError:
            raise UsageError(
                "{path} is there already; it was left as it is.",
                hint="Choose another name, or replace it with --force."
                if output.is_file()
                else "Choose another name: only a file can be replaced.",
                path=output,
            ) from None
