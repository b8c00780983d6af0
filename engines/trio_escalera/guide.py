"""The guided first hand of Trío y Escalera: opening, adding, taking a card from the table, drawing."""

from __future__ import annotations

from engines.cards import Card
from engines.game import Guide, Name, Step, Text

GUIDE = Guide(
    seed_words="first hand 14298",
    steps=(
        Step(Text("Lay your cards on the table in groups. Whoever ends a turn without cards wins.")),
        Step(
            Text(
                "First you must open with a group from your hand: three or more of one rank, or in a row "
                "in one suit. Lay {my}.",
                my=(Card("4Sb"), Card("5Sr"), Card("6Sr")),
            ),
            "lay 4Sb 5Sr 6Sr",
        ),
        Step(
            Text(
                "In each turn you put down at least one card, or draw one. Save {my} for the next turn, and "
                "end this one.",
                my=Card("3Sb"),
            ),
            "end",
            ("lay 9Hr 10Hb JHb", "end"),
        ),
        Step(
            Text(
                "You have opened, so you may use the whole table now. Add {my} to {cards}.",
                my=Card("3Sb"),
                cards=(Card("4Sb"), Card("5Sr"), Card("6Sr")),
            ),
            "add escalera_0 3Sb",
        ),
        Step(
            Text(
                "The run has a card to spare. Take {card} from it, and lay it with {my}.",
                card=Card("6Sr"),
                my=(Card("6Hr"), Card("6Dr")),
            ),
            "lay 6Sr 6Hr 6Dr",
        ),
        Step(
            Text("Every group on the table is complete, so you may end your turn."),
            "end",
            ("add escalera_0 2Sr", "end"),
        ),
        Step(
            Text(
                "The table belongs to everybody: {who} has added {card} to your run. None of your cards "
                "fits now, so draw.",
                who=Name(1),
                card=Card("2Sr"),
            ),
            "draw",
        ),
        Step(Text("{my} doesn't fit either. End your turn.", my=Card("9Cb")), "end"),
        Step(
            Text(
                "You have three cards left, {who} has four. The winner scores the cards that the others "
                "hold.",
                who=Name(1),
            )
        ),
        Step(
            Text(
                "Now play on! Before you draw, look over the whole table: some group may have a card to "
                "spare."
            )
        ),
    ),
)
