"""Stones: the game of laying stones, two to four players, nothing hidden.

Read in this order: ``material`` (colours and points), ``field`` (the stones that lie, the laying rules), ``actions``
and ``events``, ``state`` (the course of the game). ``notation``, ``saving``, ``record``, ``telling``, ``text``,
``bots`` and ``hints`` stand around them; ``game`` gathers all of it behind the interface of ``bcnet.games``.
"""
