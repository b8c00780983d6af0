"""How a database becomes what `bot.store.schema` says; run whenever a store is opened.

For a change of the schema, add a file to ``versions``; a test compares the two.
"""
