"""The side that serves a table over gRPC: server, admission and all that only a host does."""
