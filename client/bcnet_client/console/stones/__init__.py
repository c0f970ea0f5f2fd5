"""Stones on the console."""

from __future__ import annotations

from bcnet_client.console.stones.face import FACE

__all__ = ["FACE"]
