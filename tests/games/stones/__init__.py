"""Stones."""
