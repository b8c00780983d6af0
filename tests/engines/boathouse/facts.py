"""Facts about Boathouse that the tests of all games need and cannot read from the engine."""

ORDERED = frozenset({"pile", "stock"})
"""The fields of a position that the rule book calls ordered."""
MENTIONS = frozenset({"barred"})
"""The fields of a position that name cards which lie in another."""
WORDS = frozenset({"pile", "stock"})
"""What moves say besides cards."""
