"""What the tests of all games cannot ask Trío y Escalera itself."""

ORDERED = frozenset({"stock"})
"""The fields of a position that the rule book calls ordered."""
