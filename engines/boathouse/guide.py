"""The guided first hand of Boathouse Rum: both draws, a run and a set, adding to melds, going out."""

from __future__ import annotations

from engines.cards import Card
from engines.game import Guide, Name, Step, Text

GUIDE = Guide(
    seed_words="first hand 2303",
    steps=(
        Step(
            Text(
                "Lay your cards on the table in melds. If you run out first, {who} pays for every card "
                "left over.",
                who=Name(1),
            )
        ),
        Step(
            Text(
                "Begin each turn by drawing two cards, from the stock or from the discard pile. The pile "
                "has only one: draw from the stock."
            ),
            "draw stock",
        ),
        Step(
            Text(
                "{my} are a run: one suit, in a row. Lay it.",
                my=(Card("4C"), Card("5C"), Card("6C"), Card("7C"), Card("8C")),
            ),
            "meld 4C 5C 6C 7C 8C",
        ),
        Step(
            Text(
                "A discard ends your turn. An ace costs most if you are left with it: discard {my}.",
                my=Card("AC"),
            ),
            "discard AC",
            ("draw stock", "meld 3S 4S 5S", "discard 6H"),
        ),
        Step(
            Text(
                "{card} is the third 6 that you need. Take two cards from the pile: {card} and {other}.",
                card=Card("6H"),
                other=Card("AC"),
            ),
            "draw pile",
        ),
        Step(
            Text(
                "Three or four of one rank are a meld too. Lay {my}.",
                my=(Card("6S"), Card("6H"), Card("6D")),
            ),
            "meld 6S 6H 6D",
        ),
        Step(
            Text(
                "You may add to any meld, no matter whose. {my} goes with {cards}: add it.",
                my=Card("2S"),
                cards=(Card("3S"), Card("4S"), Card("5S")),
            ),
            "layoff meld_1 2S",
        ),
        Step(
            Text(
                "You can't discard {my} now, since it came from the pile in this turn. Discard {my_other}.",
                my=Card("AC"),
                my_other=Card("8H"),
            ),
            "discard 8H",
            ("draw pile", "meld QS QH QC", "discard 9D"),
        ),
        Step(
            Text("{card} alone lies on the pile, so draw from the stock.", card=Card("9D")),
            "draw stock",
        ),
        Step(
            Text("Lucky: {my} are another run. Lay it.", my=(Card("JD"), Card("QD"), Card("KD"))),
            "meld JD QD KD",
        ),
        Step(
            Text("{my} fits in front of {card}, in your first run. Add it.", my=Card("3C"), card=Card("4C")),
            "layoff meld_0 3C",
        ),
        Step(
            Text(
                "Discard {my}, and you are out! {who} pays you 11 for an ace left over, 10 for a K, Q, J "
                "or 10, and the number of any other card.",
                my=Card("AC"),
                who=Name(1),
            ),
            "discard AC",
        ),
    ),
)
