"""Facts about Svoi Kozyri that the tests of all games need and cannot read from the engine."""

ORDERED = frozenset({"pile"})
"""The fields of a position that the rule book calls ordered."""
WORDS = frozenset({"C", "D", "H", "S"})
"""What moves say besides cards."""
