"""Opens a database, and runs prepared statements on its connections."""
