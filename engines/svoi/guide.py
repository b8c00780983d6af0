"""The guided first hand of Svoi Kozyri: a lead, beating with a suit and with trumps, and taking."""

from __future__ import annotations

from engines.cards import Card
from engines.game import Guide, Name, Step, Text

GUIDE = Guide(
    seed_words="first hand 1447",
    steps=(
        Step(Text("Get rid of all your cards. Whoever has none left first wins."), replies=("trump S",)),
        Step(
            Text("Each of you has a trump suit. {who} has chosen spades: choose hearts.", who=Name(1)),
            "trump H",
        ),
        Step(
            Text("The pile is empty, so lead any card. Begin with a low one: {my}.", my=Card("7D")),
            "lead 7D",
            ("beat 8D 6C",),
        ),
        Step(
            Text(
                "{who} beat your card and laid {card} for you. Beat it with a higher club, {my}, and lay "
                "{my_next} on it.",
                who=Name(1),
                card=Card("6C"),
                my=Card("7C"),
                my_next=Card("10D"),
            ),
            "beat 7C 10D",
            ("beat JD 6D",),
        ),
        Step(
            Text(
                "You have no diamonds, but a trump beats {card}: play {my}. Then lay {my_next}, one of "
                "{who}'s trumps: only {my_ace} could beat it.",
                who=Name(1),
                card=Card("6D"),
                my=Card("9H"),
                my_next=Card("KS"),
                my_ace=Card("AS"),
            ),
            "beat 9H KS",
            ("take",),
        ),
        Step(
            Text(
                "Taking your own trump costs more: {who} had to take five cards, not three. Now beat {card} "
                "with {my}, and lay {my_next}.",
                who=Name(1),
                card=Card("7C"),
                my=Card("10C"),
                my_next=Card("8C"),
            ),
            "beat 10C 8C",
            ("beat 9C KH",),
        ),
        Step(
            Text(
                "Now it's your turn to take: {card} is your own trump, and {my} is too low.",
                card=Card("KH"),
                my=Card("JH"),
            ),
            "take",
        ),
        Step(
            Text(
                "Five cards more, but {my} is a good trump in your hand. {who} goes on with the rest of the "
                "pile.",
                my=Card("KH"),
                who=Name(1),
            )
        ),
        Step(Text("Now play on! Save your trumps for cards that nothing else beats.")),
    ),
)
