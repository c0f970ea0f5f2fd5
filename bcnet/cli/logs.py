"""Where the notes of libraries and the traces of defects go: into a file in the home, never onto the screen."""

from __future__ import annotations

import logging
import os
import time
import traceback
from contextlib import suppress
from pathlib import Path

FOLDER = "logs"
FILE = "bcnet.log"
MAX_SIZE = 1 << 20
"""Bytes of the file; a longer one is moved to ``bcnet.log.old`` at the next start."""

LEVELS = ("debug", "info", "warning", "error")

_path: Path | None = None


class _Lazily(logging.FileHandler):
    """Opens the file with the first line, and is silent where that cannot be done."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 (overridden)
        return

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):
            Path(self.baseFilename).parent.mkdir(mode=0o700, exist_ok=True)
            super().emit(record)


def keep_off_the_screen() -> None:
    """Nothing but bcnet itself writes to the terminal: no library, no warning. Before gRPC is imported."""
    os.environ["GRPC_VERBOSITY"] = "NONE"
    os.environ.pop("GRPC_TRACE", None)
    logging.captureWarnings(capture=True)
    logging.getLogger().addHandler(logging.NullHandler())


def level(name: str) -> None:
    """Keep what weighs at least so much. No level shows a secret: what is secret has no text form."""
    logging.getLogger().setLevel(name.upper())


def into(home: Path) -> None:
    """Keep the log in this home."""
    global _path  # noqa: PLW0603 (one process, one log)
    _path = home / FOLDER / FILE
    with suppress(OSError):
        if _path.stat().st_size > MAX_SIZE:
            _path.replace(_path.with_suffix(".log.old"))
    handler = _Lazily(_path, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)


def record(error: BaseException) -> Path | None:
    """Store the trace of a defect; gives the file, or None if that cannot be done."""
    if _path is None:
        return None
    try:
        _path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _path.open("a", encoding="utf-8") as file:
            file.write(time.strftime("\n%Y-%m-%d %H:%M:%S") + f" {os.getpid()} a defect of bcnet\n")
            file.writelines(traceback.format_exception(error))
    except OSError:
        return None
    return _path
