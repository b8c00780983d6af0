"""The migrations: one file for each change of the schema, which names its predecessor."""
