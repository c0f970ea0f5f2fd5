"""Balloon Cup: the rules of docs/games.md as an immutable state machine.

Read in this order: ``material`` (what lies in the box), ``tiles`` (tiles and when one is blocked), ``trophies``
(claims), ``fill`` (drawing cubes), ``cards`` (hands, pile, discards, and who knows what), ``actions`` and ``events``,
``state`` (the course of the game). ``notation``, ``saving``, ``record`` and ``text`` stand around them, and the
players: ``judgement`` (what a position promises), ``bots`` and ``hints``. ``game`` gathers all of it behind the
interface of ``bcnet.games``.
"""
