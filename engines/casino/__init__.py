"""Casino with 40 cards, no court cards: capture cards on the table, build sums to capture later."""

from engines.game import Summary, Text

SUMMARY = Summary(
    Text("Casino"),
    Text("Capture cards of the same value, and build sums to capture later."),
    seats=range(2, 4),
)
