"""Matches between computer players: duplicate deals, their results on disk, and the score.

In a duplicate match each deal is played once from every side of the table, so that luck with the cards
cancels out. This package knows no terminal; `adapters` and `bench` show its matches.
"""
