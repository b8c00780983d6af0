"""All sentences of each game but its guide's, and those that games share, rendered with one and with two.

``sentences/<key>.txt`` is meant to be read aloud. A line begins with its language; a sentence that counts or
joins has one line for one and one for two in each.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.i18n import Speech
from bot.settings.choices import LANGUAGES
from engines import games
from engines.cards import Card
from engines.game import Arg, Name, Text
from tests.golden import ROOT, assert_golden
from tests.words import extracted

GOLDEN = Path(__file__).parent / "sentences"
SHARED = ""
"""The key of the sentences that all games share."""
KEYS = [SHARED, *(key for key in games() if (Path(__file__).parent / key).is_dir())]
"""`SHARED`, and the games whose tests are here; a game from elsewhere brings its own."""
NAMES = ("Ana", "Luis")
CARDS = {
    "cards": (Card("9D"), Card("KC")),
    "moved": (Card("7S"), Card("8S")),
    "others": (Card("9S"), Card("9H")),
}
"""The placeholders that list cards, and their cards; where no full stop ends the sentence, only spaces are
between these."""
COUNTS = frozenset({"n"})
LISTS = frozenset({"throws", "counts", "paid"})
SAMPLES: dict[str, Arg] = {
    "who": Name(0),
    "next": Card("KC"),
    "giver": Name(1),
    "card": Card("5H"),
    "top": Card("9C"),
    "red": "5♥r",
    "blue": "5♥b",
    "group": "C",
    "groups": "B, F",
    "run": "A",
    "meld": "C",
    "cell": "b3",
    "robbed": Name(1),
    "stolen": Card("5H"),
    "target": Card("9D"),
    "trumps": "♥, ♣",
    "all": 9,
    "value": 10,
    "points": 21,
    "total": 8,
    "stock": 20,
    "payment": "+62",
    "words": "5♥",
    "word": "to",
    "suit": "♥",
    "symbol": "♥",
    "end": "…",
    "first": "…",
    "then": "…",
}
OWN_SAMPLES: dict[str, dict[str, Arg]] = {
    "cardlebones": {"column": "b", "bonus": Text("one suit")},
    "casino": {"card": Card("4H"), "target": Card("4C"), "stolen": Card("3C")},
    "svoi": {"suit": Text("clubs"), "trumps": Text("spades")},
}
"""The samples that a game has instead of those of `SAMPLES`."""


@pytest.mark.parametrize("key", KEYS)
def test_every_sentence_can_be_read_with_one_and_with_two(key: str) -> None:
    found = {message_of(message.id) for message in extracted(ROOT / "engines" / key) if message.id}
    sentences = sorted(found - {(message, "") for message in guided(key)})
    blocks = ["\n".join(dict.fromkeys(rendered(key, *sentence))) for sentence in sentences]
    assert len(blocks) > 5
    assert_golden(GOLDEN / f"{key or 'shared'}.txt", "\n\n".join(blocks))


def test_no_golden_file_is_left_over() -> None:
    assert sorted(file.stem for file in GOLDEN.iterdir()) == sorted(key or "shared" for key in KEYS)


def guided(key: str) -> set[str]:
    """The sentences of a game's guide, which `test_guides` renders with their own cards."""
    guide = games()[key].guide if key else None
    return {step.text.message for step in guide.steps} if guide else set()


def message_of(found: str | list[str] | tuple[str, ...]) -> tuple[str, str]:
    """The English sentence and its plural form; the latter is empty in a sentence without one."""
    return (found, "") if isinstance(found, str) else (found[0], found[1])


def rendered(key: str, message: str, many: str) -> Iterator[str]:
    for locale in LANGUAGES:
        for count in (1, 2):
            yield f"{locale}  {Speech(locale, NAMES)(sample(key, message, many, count))}"


def sample(key: str, message: str, many: str, count: int) -> Text:
    """The sentence with samples: `COUNTS` are ``count``; `CARDS` and `LISTS` have ``count`` items."""
    listed = {field: value(field, message, count) for field in (*CARDS, *COUNTS, *LISTS)}
    return Text(message, many, count, **{**SAMPLES, **listed, **OWN_SAMPLES.get(key, {})})


def value(field: str, message: str, count: int) -> Arg:
    if field in COUNTS:
        return count
    if field in LISTS:
        return tuple(Text("{who} ({n})", who=Name(seat), n=seat + 3) for seat in range(count))
    cards = CARDS[field][:count]
    return cards if message.endswith(".") else " ".join(map(Speech("en").card, cards))
