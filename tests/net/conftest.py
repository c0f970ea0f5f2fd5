"""Processes and tables for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.net.processes import Start, starting


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts bcnet processes that end with the test."""
    with starting(tmp_path) as start:
        yield start
