"""Facts about Trío y Escalera that the tests of all games need and cannot read from the engine."""

ORDERED = frozenset({"stock"})
"""The fields of a position that the rule book calls ordered."""
