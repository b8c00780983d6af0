"""The tables of one process: reads, changes and stores them, and does what is due at those it keeps.

What a table is, and what its players may do there, is in `bot.tables`.
"""
