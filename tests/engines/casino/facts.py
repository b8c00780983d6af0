"""Facts about Casino that the tests of all games need and cannot read from the engine."""

ORDERED = frozenset({"builds", "loose", "piles", "stock"})
"""The fields of a position that the rule book calls ordered."""
WORDS = frozenset({"all", "no", "yes"})
"""What moves say besides cards."""
