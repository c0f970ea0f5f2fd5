"""Keys, names, and everything that is stored."""
