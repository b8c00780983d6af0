"""The guided first hand of Casino: a throw, captures, builds, and a steal."""

from __future__ import annotations

from engines.cards import Card
from engines.game import Guide, Name, Step, Text

GUIDE = Guide(
    seed_words="first hand 7",
    steps=(
        Step(Text("In Casino you capture cards. At the end, the pile with the most points wins.")),
        Step(
            Text("You play one card a turn. There is nothing to capture yet: throw {my}.", my=Card("7H")),
            "throw 7H",
            ("throw 2C",),
        ),
        Step(
            Text(
                "Capture {card} with {my}, which is worth the same. Both go on your pile, and {my} is a "
                "point.",
                card=Card("2C"),
                my=Card("2S"),
            ),
            "capture 2S 2C",
            ("throw 3H",),
        ),
        Step(
            Text(
                "You have no 3, so build: put {my} on {card}. Together they are 7, and {my_next} can capture "
                "both next turn.",
                my=Card("4D"),
                card=Card("3H"),
                my_next=Card("7D"),
            ),
            "build 4D 3H",
            ("throw 6H",),
        ),
        Step(
            Text(
                "A build belongs to nobody, but {who} left yours alone. Capture it with {my}.",
                who=Name(1),
                my=Card("7D"),
            ),
            "capture 7D 4D+3H",
            ("capture 6C 6H",),
        ),
        Step(
            Text(
                "{who} has captured {card}. You can steal the top card of a pile: {my} and {card} are 7, and "
                "you still have {my_next}.",
                who=Name(1),
                card=Card("6H"),
                my=Card("AS"),
                my_next=Card("7C"),
            ),
            "steal-build AS 6H",
            ("throw 4H",),
        ),
        Step(
            Text(
                "Now capture them with {my}. {card} is a point, like every ace.",
                my=Card("7C"),
                card=Card("AS"),
            ),
            "capture 7C AS+6H",
        ),
        Step(
            Text(
                "You have two points: {cards}. Also worth a point: the other aces, {any}, five spades, "
                "21 cards.",
                cards=(Card("2S"), Card("AS")),
                any=Card("10D"),
            )
        ),
        Step(Text("Now play on! Whoever captures last also gets the cards left on the table.")),
    ),
)
