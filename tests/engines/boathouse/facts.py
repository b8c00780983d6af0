"""What the tests of all games cannot ask Boathouse itself."""

ORDERED = frozenset({"pile", "stock"})
"""The fields of a position that the rule book calls ordered."""
MENTIONS = frozenset({"barred"})
"""The fields of a position that name cards which lie in another."""
WORDS = frozenset({"pile", "stock"})
"""What moves say besides cards."""
