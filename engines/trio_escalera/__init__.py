"""Trío y Escalera: go out by building trios and runs on a table that every player may rearrange."""

from engines.game import Summary, Text

SUMMARY = Summary(
    Text("Trío y Escalera"),
    Text("Get rid of your cards in trios and runs on a table that everybody may rearrange."),
    seats=range(2, 7),
)
