"""Edel, Stein & Reich on the console.

- `view`: the table drawn · `picked`, `picking`: choosing by keys and clicks · `input`: what is typed
- `foresight`: what would come of it · `words`: all sentences · `face`: all of it put together
"""

from __future__ import annotations

from bcnet_client.console.edel.face import FACE

__all__ = ["FACE"]
