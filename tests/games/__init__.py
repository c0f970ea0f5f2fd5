"""Tests of the rules; they import nothing of bcnet but its games and errors."""
