"""Networks of our own: two machines (network namespaces) with cables between them, and nothing else in the world.

Needs Linux, root and iproute2; tests that ask for them are skipped elsewhere, but not where CI has promised them.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def ip(*arguments: str) -> None:
    """Run ``ip`` with these arguments; it must succeed."""
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


class Machine:
    """A network namespace."""

    def __init__(self, name: str) -> None:
        self.name = name

    def ip(self, *arguments: str) -> None:
        """Run ``ip`` on this machine."""
        ip("-n", self.name, *arguments)

    @property
    def within(self) -> tuple[str, ...]:
        """What stands before a command that is to run there."""
        return "ip", "netns", "exec", self.name

    def interface(self, name: str, address: str) -> None:
        """An interface that leads nowhere."""
        self.ip("link", "add", name, "type", "veth", "peer", "name", f"{name}-end")
        self.ip("addr", "add", address, "dev", name)
        for end in (name, f"{name}-end"):
            self.ip("link", "set", end, "up")

    @contextmanager
    def python(self, code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
        """A process there, killed at the end; imports work as in the tests."""
        paths = os.pathsep.join(str(ROOT / folder) for folder in (".", "client", "host"))
        process = subprocess.Popen(
            [*self.within, sys.executable, "-c", code, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": paths},
        )
        with process:
            try:
                yield process
            finally:
                process.kill()


class Cable:
    """A network between two machines: ``prefix.1`` is the one's address in it, ``prefix.2`` the other's."""

    def __init__(self, one: Machine, other: Machine, interface: str, prefix: str) -> None:
        one.ip("link", "add", interface, "type", "veth", "peer", "name", interface, "netns", other.name)
        self._machine, self._interface = one, interface
        for number, machine in enumerate((one, other), 1):
            machine.ip("addr", "add", f"{prefix}.{number}/24", "dev", interface)
            machine.ip("link", "set", interface, "up")

    @contextmanager
    def pulled(self) -> Iterator[None]:
        """Nothing gets through meanwhile, and nothing that runs on either machine is told."""
        self._machine.ip("link", "set", self._interface, "down")
        try:
            yield
        finally:
            self._machine.ip("link", "set", self._interface, "up")


@contextmanager
def machines(*, loopback: bool = True) -> Iterator[tuple[Machine, Machine]]:
    """Two machines without a network; skips the test where there can be none."""
    is_root = sys.platform == "linux" and os.geteuid() == 0
    if is_root and os.environ.get("CI") and not shutil.which("ip"):
        pytest.fail("CI installs iproute2 where it is root, but there is no ip command")
    if not is_root or not shutil.which("ip"):
        pytest.skip("NOT TESTED: network namespaces need Linux, root and iproute2")
    made: list[Machine] = []
    try:
        for side in "ab":
            name = f"bcnet-{side}-{secrets.token_hex(4)}"
            try:
                ip("netns", "add", name)
            except subprocess.CalledProcessError as error:
                pytest.skip(f"NOT TESTED: no network namespaces here: {error.stderr.strip()}")
            made.append(Machine(name))
            if loopback:
                made[-1].ip("link", "set", "lo", "up")
        yield made[0], made[1]
    finally:
        for machine in made:
            subprocess.run(["ip", "netns", "del", machine.name], check=False)
