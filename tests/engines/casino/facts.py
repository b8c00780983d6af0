"""What the tests of all games cannot ask Casino itself."""

ORDERED = frozenset({"builds", "loose", "piles", "stock"})
"""The fields of a position that the rule book calls ordered."""
WORDS = frozenset({"all", "no", "yes"})
"""What moves say besides cards."""
