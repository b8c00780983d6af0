"""Migrates a database to `bot.store.schema`, whenever a store is opened.

For a change of the schema, add a file to ``versions``; a test compares the two.
"""
