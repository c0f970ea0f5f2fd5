"""Edel, Stein & Reich."""
