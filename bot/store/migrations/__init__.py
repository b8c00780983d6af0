"""Migrates a database to the schema of `bot.store.schema` whenever a store is opened.

For a change of the schema, add a file to ``versions``; a test compares a migrated database with the schema.
One that says ``stops_older_processes = True`` does more than add, so that older processes could not go on: a
PostgreSQL store in which one is alive is neither migrated nor opened.
"""
