"""Boathouse Rum: draw two cards, discard one, meld everything."""

from engines.game import Summary, Text

SUMMARY = Summary(
    Text("Boathouse Rum"),
    Text("Draw two, discard one, meld everything; the others pay for what they still hold."),
    seats=range(2, 7),
)
