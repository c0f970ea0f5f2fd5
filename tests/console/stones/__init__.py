"""Stones on the console."""
