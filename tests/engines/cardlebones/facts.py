"""Facts about Cardlebones that the tests of all games need and cannot read from the engine."""

ORDERED = frozenset({"boards", "discard", "stock"})
"""The fields of a position that the rule book calls ordered."""
WORDS = frozenset(f"{column}{row}" for column in "abc" for row in "123")
"""What moves say besides cards."""
