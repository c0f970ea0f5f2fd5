"""Edel, Stein & Reich: gems, money and trades, three to five players; all choose at once in secret.

Read in this order: ``material`` (gems and cards), ``holdings`` (what lies before a player), ``trade`` (offers),
``scoring`` (who gets which payout), ``actions`` and ``events``, ``state`` (the course of the game). ``notation``,
``saving``, ``record``, ``text`` and ``bots`` stand around them; ``game`` gathers all of it behind the interface of
``bcnet.games``.
"""
