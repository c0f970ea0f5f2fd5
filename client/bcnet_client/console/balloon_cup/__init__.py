"""Balloon Cup on the console."""

from __future__ import annotations

from bcnet_client.console.balloon_cup.face import FACE

__all__ = ["FACE"]
