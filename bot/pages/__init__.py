"""Pages: what a reader sees of a table, and the callback data behind its buttons."""
