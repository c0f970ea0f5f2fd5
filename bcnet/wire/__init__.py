"""The messages that are signed or sent; each version of the protocol is a package of its own."""
