"""Makes .venv hold exactly what a lock names, and the project itself as an editable install.

Called by scripts/lib/venv.sh as ``python install.py runtime|dev|assurance`` with whatever Python it found, so this
file needs nothing but the standard library. What must stay true:

- One set-up at a time. The lock is an open file (flock), which the operating system gives back when its
  holder dies, and which the child processes inherit: a pip that outlives a killed parent keeps it until it
  is done.
- A set-up that was cut short is never built upon. The lock file says "busy" from the first change to the
  last; who finds it so makes the environment anew.
- The stamps that let later calls skip all this are removed first and written last.
"""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
LOCK_FILE = ROOT / ".venv.lock"
LOG_FILE = ROOT / ".venv.log"

#: The folder that the environment was made in: its scripts name it, so a moved tree needs a new one.
HOME_NOTE = VENV / ".bcnet-root"

#: The sets and what else each of them satisfies.
SETS = {"runtime": ("runtime",), "dev": ("dev", "runtime"), "assurance": ("assurance", "dev", "runtime")}

EX_UNAVAILABLE = 69

_NO_NETWORK = re.compile(
    r"NewConnectionError|ConnectTimeoutError|ReadTimeoutError|NameResolutionError|ProxyError|SSLError"
    r"|Failed to establish a new connection|Temporary failure in name resolution|Network is unreachable"
    r"|Connection refused|getaddrinfo failed|nodename nor servname"
)
_NO_SPACE = re.compile(r"No space left on device|Disk quota exceeded")


class SetupError(Exception):
    """The environment could not be made; the message says what the person can do.

    ``tidy``: the step ended of its own accord, and so took back what it had begun.
    """

    def __init__(self, message: str, *, tidy: bool) -> None:
        super().__init__(message)
        self.tidy = tidy


def say(message: str) -> None:
    """Prints a line of progress where it does not mix with what bcnet prints."""
    print(f"bcnet: {message}", file=sys.stderr, flush=True)


def stamp_of(name: str) -> str:
    """What the set was made from: the text that ``stamp_of`` in venv.sh gives."""
    sums = subprocess.run(
        ["cksum", "pyproject.toml", f"requirements/{name}.txt", "scripts/lib/install.py"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return f"{ROOT}\n{sums.stdout}"


def stamp_path(name: str) -> Path:
    """Where the stamp of a set lies."""
    return VENV / f".bcnet-{name}"


def is_ready(name: str) -> bool:
    """Whether a finished set-up left exactly what the files now ask for."""
    try:
        return (VENV / "bin/python").exists() and stamp_path(name).read_text() == stamp_of(name)
    except FileNotFoundError:
        return False


def take_lock() -> IO[str]:
    """The open lock file, once no other set-up of this tree runs."""
    lock = LOCK_FILE.open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("another set-up of this folder is running; waiting for it to finish")
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def mark(lock: IO[str], text: str) -> None:
    """Leaves a note in the lock file for whoever comes next."""
    lock.truncate(0)
    lock.write(text)
    lock.flush()


def is_marked(lock: IO[str]) -> bool:
    """Whether the holder before us left without finishing."""
    lock.seek(0)
    return lock.read() != ""


def clean_environment() -> dict[str, str]:
    """This process's environment without the settings that send an installation elsewhere."""
    elsewhere = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_REQUIRE_VIRTUALENV", "PIP_DRY_RUN")
    kept = {k: v for k, v in os.environ.items() if k not in elsewhere and not k.startswith("PYTHON")}
    return kept | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1", "PIP_USER": "0"}


def run(command: list[str], lock: IO[str], *, count: bool = False) -> None:
    """Runs a step with its output in the log.

    With ``count`` a terminal sees how many packages pip has got hold of.
    """
    with LOG_FILE.open("a") as log:
        log.write(f"$ {shlex.join(command)}\n")
        log.flush()
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            pass_fds=[lock.fileno()],
        ) as process:
            assert process.stdout is not None
            collected = 0
            for line in process.stdout:
                log.write(line)
                if count and line.startswith("Collecting ") and sys.stderr.isatty():
                    collected += 1
                    print(f"\rbcnet: {collected} packages\x1b[K", end="", file=sys.stderr, flush=True)
            if collected:
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if process.returncode != 0:
        raise SetupError(explain(command), tidy=process.returncode > 0)


def explain(command: list[str]) -> str:
    """One line for the person, from the log of a step that failed."""
    text = LOG_FILE.read_text(errors="replace")
    where = f"the whole story is in {LOG_FILE}"
    if _NO_SPACE.search(text):
        return f"the disk is full; {where}"
    if "THESE PACKAGES DO NOT MATCH THE HASHES" in text:
        return f"a package is not the one that the lock names, and was not installed; {where}"
    if _NO_NETWORK.search(text):
        return f"the package index cannot be reached: is this machine online? ({where})"
    if "No matching distribution found" in text:
        return f"the package index does not have what the lock names for this Python and system; {where}"
    return f"`{shlex.join(command[1:5])} …` failed; {where}"


def is_usable() -> bool:
    """Whether there is an environment that can be built upon."""
    python = VENV / "bin/python"
    if not python.exists():
        return False
    if HOME_NOTE.exists() and HOME_NOTE.read_text() != str(ROOT):
        return False
    probe = "import sys, pip; sys.exit(sys.version_info < (3, 11) or sys.prefix == sys.base_prefix)"
    return subprocess.run([python, "-I", "-c", probe], capture_output=True, check=False).returncode == 0


def set_up(name: str, lock: IO[str]) -> None:
    """Makes or mends the environment; the caller holds the lock."""
    started = time.monotonic()
    cut_short = is_marked(lock)
    mark(lock, "busy\n")
    LOG_FILE.write_text("")
    for each in SETS:
        stamp_path(each).unlink(missing_ok=True)
    if cut_short:
        say("the last set-up was cut short; starting it anew")
    if cut_short or not is_usable():
        version = ".".join(map(str, sys.version_info[:3]))
        say(f"making .venv with Python {version} (once, it takes about a minute)")
        run([sys.executable, "-I", "-m", "venv", "--clear", str(VENV)], lock)
        HOME_NOTE.write_text(str(ROOT))
    pip = [str(VENV / "bin/python"), "-I", "-m", "pip", "install"]
    say(f"installing what requirements/{name}.txt names")
    try:
        run([*pip, "--require-hashes", "-r", f"requirements/{name}.txt"], lock, count=True)
        run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], lock)
    except SetupError as error:
        if error.tidy:
            mark(lock, "")
        raise
    for each in SETS[name]:
        stamp_path(each).write_text(stamp_of(each))
    mark(lock, "")
    say(f"ready after {time.monotonic() - started:.0f} s")


def main(arguments: list[str]) -> int:
    """Sets up the named set unless that is done; gives the exit code."""
    if len(arguments) != 1 or arguments[0] not in SETS:
        say("usage: install.py runtime|dev|assurance (scripts/lib/venv.sh calls this)")
        return 64
    (name,) = arguments
    try:
        with take_lock() as lock:
            if not is_ready(name):
                set_up(name, lock)
    except SetupError as error:
        say(str(error))
        return EX_UNAVAILABLE
    except OSError as error:
        say(f"set-up failed: {error}")
        return EX_UNAVAILABLE
    except KeyboardInterrupt:
        say("set-up interrupted; the next call starts it anew")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
