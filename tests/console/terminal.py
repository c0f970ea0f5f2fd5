"""A terminal for the tests: a pseudo-terminal with a model of what stands on its screen.

It knows the alternate screen, which the model (pyte) does not, and answers when it is asked for its cursor.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pexpect
import pyte

PATIENCE = 60.0
"""Seconds that a test waits for what takes a moment, on a machine that does other things as well."""
ROOT = Path(__file__).resolve().parents[2]


class _Screen(pyte.Screen):
    """A screen with an alternate one, and with an ear for the bell."""

    def __init__(self, columns: int, lines: int, answer: Callable[[str], None]) -> None:
        self._answer = answer
        self._kept: tuple[Any, Any] | None = None
        self.bells = 0
        super().__init__(columns, lines)

    @property
    def is_alternate(self) -> bool:
        return self._kept is not None

    def write_process_input(self, data: str) -> None:
        self._answer(data)

    def bell(self, *_: Any) -> None:
        self.bells += 1

    def set_mode(self, *modes: int, **how: Any) -> None:
        if how.get("private") and 1049 in modes and self._kept is None:
            self._kept = (deepcopy(self.buffer), deepcopy(self.cursor))
            self.erase_in_display(2)
        super().set_mode(*modes, **how)

    def reset_mode(self, *modes: int, **how: Any) -> None:
        super().reset_mode(*modes, **how)
        if how.get("private") and 1049 in modes and self._kept is not None:
            self.buffer, cursor = self._kept
            self.cursor.x, self.cursor.y = cursor.x, cursor.y
            self._kept = None
            self.dirty.update(range(self.lines))


class Terminal:
    """A shell command in a terminal of its own."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.raw = b""
        """Everything that was written to the terminal."""
        given = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONUNBUFFERED": "1"} | dict(env or {})
        kept = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "COLORTERM", "LANG", "LC_CTYPE"}}
        self._child: pexpect.spawn[bytes] = pexpect.spawn(
            command[0],
            list(command[1:]),
            dimensions=(rows, columns),
            env=kept | given,
            cwd=str(ROOT),
            timeout=PATIENCE,
            echo=True,
        )
        self._screen = _Screen(columns, rows, self.send)
        self._stream = pyte.ByteStream(self._screen)

    # --- what stands there ---

    @property
    def lines(self) -> list[str]:
        """The lines of the screen, without blanks at their ends."""
        return [each.rstrip() for each in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def cells(self) -> list[list[Any]]:
        """Every place of the screen, as pyte has it: the character, its colours and its weight."""
        return [
            [self._screen.buffer[row][column] for column in range(self._screen.columns)]
            for row in range(self._screen.lines)
        ]

    @property
    def words(self) -> str:
        """The whole screen as one line, so that a sentence is found wherever it is broken."""
        return " ".join(self.text.split())

    @property
    def bells(self) -> int:
        return self._screen.bells

    @property
    def is_alternate(self) -> bool:
        """Whether the alternate screen is shown."""
        return self._screen.is_alternate

    @property
    def cursor_is_visible(self) -> bool:
        return not self._screen.cursor.hidden

    @property
    def cursor(self) -> tuple[int, int]:
        return self._screen.cursor.x, self._screen.cursor.y

    def colours(self) -> set[str]:
        """All colours on the screen but the terminal's own."""
        cells = [cell for row in self._screen.buffer.values() for cell in row.values()]
        return {colour for cell in cells for colour in (cell.fg, cell.bg)} - {"default"}

    @property
    def pid(self) -> int:
        """The process of the command."""
        assert self._child.pid is not None
        return self._child.pid

    # --- what happens ---

    def update(self, seconds: float = 0.0) -> bool:
        """Take what has been written; False when the program has ended and all of it is taken."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                data = self._child.read_nonblocking(
                    1 << 16, timeout=max(0.0, min(0.05, deadline - time.monotonic()))
                )
            except pexpect.TIMEOUT:
                data = b""
            except pexpect.EOF:
                return False
            self.raw += data
            self._stream.feed(data)
            if not data and time.monotonic() >= deadline:
                return True

    def wait_for(self, pattern: str, patience: float = PATIENCE) -> re.Match[str]:
        """Wait until the screen, read as one line, matches."""
        found: re.Match[str] = self.wait_until(lambda: re.search(pattern, self.words), pattern, patience)
        return found

    def wait_until(self, what: Callable[[], Any], name: str = "", patience: float = PATIENCE) -> Any:
        """Wait until ``what`` gives something true; gives that."""
        deadline = time.monotonic() + patience
        while not (found := what()):
            is_alive = self.update(0.05)
            if not is_alive and not (found := what()):
                raise AssertionError(f"ended without {name!r}:\n{self.text}")
            assert found or time.monotonic() < deadline, f"no {name!r} on the screen:\n{self.text}"
        return found

    def send(self, keys: str | bytes) -> None:
        self._child.send(keys)

    def enter(self, text: str) -> None:
        """Type a line."""
        self.send(text + "\r")

    def resize(self, columns: int, rows: int) -> None:
        self._screen.resize(rows, columns)
        self._child.setwinsize(rows, columns)

    def signal(self, number: int) -> None:
        """Send a signal to the command."""
        self._child.kill(number)

    def signal_program(self, number: int) -> None:
        """Send a signal to the program that the shell (`in_shell`) runs, and to it alone."""
        found = subprocess.run(["pgrep", "-P", str(self._child.pid)], capture_output=True, check=True)
        os.kill(int(found.stdout.split()[0]), number)

    def as_a_shell_leaves_it(self) -> None:
        """Set the terminal for typing lines, and clear the screen, behind the program's back."""
        self.update(0.2)
        modes = termios.tcgetattr(self._child.child_fd)
        modes[0] |= termios.ICRNL
        modes[3] |= termios.ICANON | termios.ECHO | termios.ISIG
        termios.tcsetattr(self._child.child_fd, termios.TCSANOW, modes)
        self._stream.feed(b"\x1b[?1049l\x1b[2J\x1b[H")

    def hang_up(self, patience: float = PATIENCE) -> int:
        """The window is closed; gives the exit code."""
        process: Any = vars(self._child)["ptyproc"]
        process.fileobj.close()
        process.closed = True
        deadline = time.monotonic() + patience
        while process.isalive():
            assert time.monotonic() < deadline, "does not end"
            time.sleep(0.05)
        return int(process.exitstatus)

    def finish(self, patience: float = PATIENCE) -> int:
        """Wait for the end; gives the exit code, or 128 + the signal."""
        deadline = time.monotonic() + patience
        while self.update(0.05):
            assert time.monotonic() < deadline, f"does not end:\n{self.text}"
        self._child.close()
        if self._child.signalstatus is not None:
            return 128 + int(self._child.signalstatus)
        assert self._child.exitstatus is not None
        return int(self._child.exitstatus)

    def kill(self) -> None:
        """End it, whatever it does."""
        for number in (signal.SIGHUP, signal.SIGKILL):
            deadline = time.monotonic() + 5
            with suppress(ProcessLookupError):
                os.killpg(self.pid, number)  # it leads a session of its own
            while self._child.isalive() and time.monotonic() < deadline:
                time.sleep(0.02)
        self._child.close(force=True)


@contextmanager
def terminal(command: Sequence[str], **how: Any) -> Iterator[Terminal]:
    """A command in a terminal, ended in any case."""
    with tempfile.TemporaryDirectory(prefix="bcnet-terminal-") as folder:
        env = {"TMPDIR": folder, "BCNET_HOME": folder} | dict(how.pop("env", {}))
        started = Terminal(command, env=env, **how)
        try:
            yield started
        finally:
            started.kill()


def alone(*arguments: str) -> list[str]:
    """One console against a bot in the same process."""
    return [sys.executable, "-m", "tests.console.alone", *arguments]


def in_shell(command: Sequence[str], before: Path, after: Path) -> list[str]:
    """The command in a shell that notes how the terminal is set before and after it, and then shows a prompt. Ctrl-C
    ends the command and not the shell.
    """
    script = f'trap : INT; stty -a >"{before}"; {shlex.join(command)}; code=$?; stty -a >"{after}"'
    script += '; printf "code %d\\n$ " $code; read line'
    return ["/bin/sh", "-c", script]
