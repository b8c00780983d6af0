"""The migrations of the schema, one per file; each names the revision before it."""
