"""Tests of Balloon Cup, by the sections of RULES.md."""
