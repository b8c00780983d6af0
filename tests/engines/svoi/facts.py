"""What the tests of all games cannot ask Svoi Kozyri itself."""

ORDERED = frozenset({"pile"})
"""The fields of a position that the rule book calls ordered."""
WORDS = frozenset({"C", "D", "H", "S"})
"""What moves say besides cards."""
