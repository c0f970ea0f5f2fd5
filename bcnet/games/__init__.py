"""Games: rules alone, without cards on a network, screens or secrets.

`interface` says what a game is, `registry` finds one by name, `simulate` plays one without a table, `search` finds good
actions. A random game of Balloon Cup::

    python -c "import random; from bcnet.games import get, play; print(play(get('balloon-cup'), random.Random(1)).over)"
"""

from bcnet.games.registry import get, names
from bcnet.games.simulate import play

__all__ = ["get", "names", "play"]
