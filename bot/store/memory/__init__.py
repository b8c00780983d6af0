"""The store of one process that forgets: for tests, and for games at a terminal, which are written behind."""
