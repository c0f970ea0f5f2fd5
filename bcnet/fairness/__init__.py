"""Fairness: the hidden deck, public randomness, sealed choices, and the proofs that hold them to the rules.

errors    what can be wrong with another seat's bytes
group     points and scalars of P-256, on x-coordinates
beacon    public randomness from all seats; unbiased choices
steps     one multiplier for a whole permuted list: shuffle, refresh
equality  one multiplier for two pairs of points: unmask, open
sealed    choices made at once
deck      what everybody knows of a deck
keeper    one seat's secrets at work on it
audit     the deck again, from all seeds

No game, no log, no message and no clock is known here, and nothing is random: seeds are handed in.
docs/protocol.md says what is computed, docs/fairness-arguments.md why that is enough.
"""
