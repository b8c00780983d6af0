"""The computer players of November 2026, one module for each game, by which later ones are measured.

`bench.strength` finds a module by the key of its game; a game without one has no yardstick.
"""
