"""Tables as values: the event-sourced state of a table, and what its players do; no input or output.

What reads, stores and serves many tables is in `bot.table_service`.
"""
