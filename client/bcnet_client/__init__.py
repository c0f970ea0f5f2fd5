"""The side that joins a table over gRPC, and the console that a player sees on either side."""
