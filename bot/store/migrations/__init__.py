"""Migrates a database to the schema of `bot.store.schema` whenever a store is opened.

For a change of the schema, add a file to ``versions``; a test compares a migrated database with the schema.
"""
