"""A real browser without a window, driven over the Chrome DevTools Protocol: Chromium or whatever is built on it.

Its two pipes carry JSON, each message ended by a NUL (``--remote-debugging-pipe``), so nothing but a browser is needed.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE = 60.0
"""Seconds for an answer, on a machine that does other things as well."""
VARIABLE = "BCNET_BROWSER"
"""Names the browser, where it is not found by itself."""
_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "microsoft-edge",
    "brave-browser",
)
_MAC = ("Google Chrome", "Chromium", "Microsoft Edge")
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-component-update",
    "--disable-background-networking", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
    "--force-device-scale-factor=1", "--remote-debugging-pipe",
)  # fmt: skip
"""No window, no connection of its own; without the sandbox, which root cannot have: it shows only pages made here."""


def found() -> str | None:
    """The browser that there is; None if there is none."""
    if given := os.environ.get(VARIABLE):
        return given
    for name in _NAMES:
        if path := shutil.which(name):
            return path
    programs = (Path(f"/Applications/{name}.app/Contents/MacOS/{name}") for name in _MAC)
    return next((str(path) for path in programs if path.exists()), None)


_THREE_AND_FOUR = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
for wanted, end in zip((3, 4), ends):
    os.dup2(end, wanted)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Starts the browser with the pipes where the protocol reads and writes."""


class Browser:
    """One page in a browser."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._buffer = b""
        self._count = 0
        self.events: list[dict[str, Any]] = []
        """What the browser has told unasked."""
        target = self._call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = self._call("Target.attachToTarget", {"targetId": target, "flatten": True})[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **values: Any) -> dict[str, Any]:
        """Ask for something of the page, and wait for the answer."""
        return self._call(method, values, self._session)

    def _call(self, method: str, values: dict[str, Any], session: str | None = None) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": values}
        if session is not None:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self._next(deadline)
            if answer.get("id") == self._count:
                assert "error" not in answer, f"{method}: {answer['error']}"
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def _next(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, "the browser says nothing"
            data = os.read(self._read, 1 << 16)
            assert data, "the browser has ended"
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def open(self, path: Path, fragment: str = "") -> None:
        """Show a file, and wait until it is loaded."""
        self._load("about:blank")  # or another fragment of the same page would load nothing
        self._load(path.absolute().as_uri() + fragment)

    def _load(self, address: str) -> None:
        self.events.clear()
        self.call("Page.navigate", url=address)
        deadline = time.monotonic() + PATIENCE
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next(deadline))

    def value(self, expression: str) -> Any:
        """What an expression of JavaScript gives."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str, code: int = 0) -> None:
        """Press a key, as a person does."""
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                windowsVirtualKeyCode=code or ord(key[0]),
                **text,
            )

    def click(self, selector: str) -> None:
        """Click where an element is."""
        box = self.value(
            f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def resize(self, width: int, height: int) -> None:
        """Make the window so large, in its own pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def picture(self, path: Path) -> None:
        """Store what is shown as PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def requests(self) -> list[str]:
        """What the page has asked for, itself first."""
        sent = [each["params"] for each in self.events if each.get("method") == "Network.requestWillBeSent"]
        return [each["request"]["url"] for each in sent]

    def complaints(self) -> list[str]:
        """What the console of the browser has: errors, warnings, refusals of the page's own policy."""
        kinds = {"Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"}
        return [json.dumps(each["params"]) for each in self.events if each.get("method") in kinds]


@contextmanager
def browser(program: str) -> Iterator[Browser]:
    """A browser with an empty profile, ended in any case."""
    to_browser, from_browser = os.pipe(), os.pipe()
    with tempfile.TemporaryDirectory(prefix="bcnet-browser-", ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                _THREE_AND_FOUR,
                str(to_browser[0]),
                str(from_browser[1]),
                program,
                *_OPTIONS,
                f"--user-data-dir={profile}",
                "about:blank",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(to_browser[0], from_browser[1]),
            env=os.environ | {"HOME": profile},
        )
        os.close(to_browser[0])
        os.close(from_browser[1])
        try:
            yield Browser(to_browser[1], from_browser[0])
        finally:
            os.close(to_browser[1])  # that ends it
            os.close(from_browser[0])
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
