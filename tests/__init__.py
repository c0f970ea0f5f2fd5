"""A second description of bcnet."""
