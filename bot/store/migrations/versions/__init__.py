"""The migrations of the schema, one a file; each names the revision before it."""
