"""Tests of Balloon Cup, by the sections of docs/games.md."""
