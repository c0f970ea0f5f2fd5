"""``python -m bcnet`` is ``bcnet``."""

from bcnet.cli import main

main()
