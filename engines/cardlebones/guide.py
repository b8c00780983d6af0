"""The guided first hand of Cardlebones: a pair, an attack from each side, and a run of one suit."""

from __future__ import annotations

from engines.cards import Card
from engines.game import Guide, Name, Step, Text

GUIDE = Guide(
    seed_words="first hand 7058",
    steps=(
        Step(Text("Fill your board and make good columns. When a board is full, the higher total wins.")),
        Step(
            Text(
                "You have drawn {card}. Any empty cell of your board will do: put it in a1.",
                card=Card("2C"),
            ),
            "place a1",
            ("place b2",),
        ),
        Step(
            Text(
                "{card} doesn't go with {other}. Begin another column: b1.", card=Card("4D"), other=Card("2C")
            ),
            "place b1",
            ("place a1",),
        ),
        Step(
            Text(
                "Two cards of one rank count double in a column. Put {card} below {other}: a2.",
                card=Card("2D"),
                other=Card("2C"),
            ),
            "place a2",
            ("place c3",),
        ),
        Step(
            Text(
                "A run of three in one suit earns 25 points. Put {card} in c1, to begin one.",
                card=Card("5H"),
            ),
            "place c1",
            ("place a2",),
        ),
        Step(
            Text(
                "Go on with the run: put {card} in c2. It also attacks, and knocks every 6 off {who}'s "
                "board.",
                card=Card("6H"),
                who=Name(1),
            ),
            "place c2",
            ("place b1",),
        ),
        Step(
            Text(
                "{card} has knocked your {lost} off. Never mind: put {next} in c3, and your run is complete.",
                card=Card("4C"),
                lost=Card("4D"),
                next=Card("7H"),
            ),
            "place c3",
        ),
        Step(
            Text(
                "{cards} are worth 18, and the run 25 more. You lead by 51 to 39.",
                cards=(Card("5H"), Card("6H"), Card("7H")),
            )
        ),
        Step(Text("Now play on! The numbers below the columns always show what each is worth.")),
    ),
)
