"""Cardlebones: fill a 3x3 board, and knock your opponent's cards off theirs."""

from engines.game import Summary, Text

SUMMARY = Summary(
    Text("Cardlebones"),
    Text("Fill your 3×3 board and knock matching cards off your opponent's. The best columns win."),
    seats=range(2, 3),
)
