"""The guided first hand of Casino: a throw, captures, builds, and a steal."""

from __future__ import annotations

from engines.cards import Card
from engines.game import Guide, Name, Step, Text

_LOLA = Name(1)

GUIDE = Guide(
    seed_words="first hand 7",
    steps=(
        Step(
            Text(
                "In Casino you capture cards from the table. At the end, whoever has more points in their pile wins."
            )
        ),
        Step(
            Text(
                "You play one card a turn. The table is empty, so there is nothing to capture: throw {my_card}. "
                "You can win it back with another 7.",
                my_card=Card("7H"),
            ),
            "throw 7H",
            ("throw 2C",),
        ),
        Step(
            Text(
                "A card captures one of the same value. Capture {card} with {my_card}: both go on your pile, and "
                "{my_card} is worth a point.",
                card=Card("2C"),
                my_card=Card("2S"),
            ),
            "capture 2S 2C",
            ("throw 3H",),
        ),
        Step(
            Text(
                "You have no 3, but you can build: put {my_card} on {card}. Together they are worth 7, and {my_other} "
                "can capture both next turn.",
                my_card=Card("4D"),
                card=Card("3H"),
                my_other=Card("7D"),
            ),
            "build 4D 3H",
            ("throw 6H",),
        ),
        Step(
            Text(
                "A build belongs to nobody: with a 7, {who} could have taken it. Capture it with {my_card} before "
                "that happens.",
                who=_LOLA,
                my_card=Card("7D"),
            ),
            "capture 7D 4D+3H",
            ("capture 6C 6H",),
        ),
        Step(
            Text(
                "{who} captured {card}, and it lies on top of a pile: you can steal it. {my_card} and {card} make "
                "7, and you still have {my_other}.",
                who=_LOLA,
                card=Card("6H"),
                my_card=Card("AS"),
                my_other=Card("7C"),
            ),
            "steal-build AS 6H",
            ("throw 4H",),
        ),
        Step(
            Text(
                "Now capture that build with {my_card}. It brings you {card}, and every ace is worth a point.",
                my_card=Card("7C"),
                card=Card("AS"),
            ),
            "capture 7C AS+6H",
        ),
        Step(
            Text(
                "You have two points now: {cards}. The other aces and {any_card} score one each, five spades score "
                "too, and so do 21 cards.",
                cards=(Card("2S"), Card("AS")),
                any_card=Card("10D"),
            )
        ),
        Step(
            Text(
                "That's how Casino goes. Now play on! Whoever makes the last capture also gets what is left on the "
                "table."
            )
        ),
    ),
)
