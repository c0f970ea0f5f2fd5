"""A game added from docs/adding-a-game.md alone."""
