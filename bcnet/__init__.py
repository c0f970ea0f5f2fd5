"""bcnet: Balloon Cup over a network between players who need not trust each other's program.

All that is true without a network and without a screen lives here; docs/ says how the parts fit together.
"""

__version__ = "0.1.0"
