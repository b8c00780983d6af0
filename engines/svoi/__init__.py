"""Svoi Kozyri: two players, one open pile, and a trump suit for each of them."""

from engines.game import Summary, Text

SUMMARY = Summary(
    Text("Svoi Kozyri"),
    Text("Beat the top card or take cards, each with your own trumps. First out of cards wins."),
    seats=range(2, 3),
)
