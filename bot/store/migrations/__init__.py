"""Migrates a database to the schema of `bot.store.schema` whenever a store is opened.

For a change of the schema, add a file to ``versions``; a test compares a migrated database with the schema.
One that says ``alone = True`` does more than add, so that processes of an older version could not go on: it
waits until they are stopped.
"""
