"""Throw-in: several players may act at once, and one loses."""

from engines.game import Summary, Text

SUMMARY = Summary(
    Text("Throw-in"),
    Text("Throw in cards of the rank that was led. The last player with cards loses."),
    range(2, 7),
)
