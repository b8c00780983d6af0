"""The log of a table, and the state of the table that is folded from it."""
