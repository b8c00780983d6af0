"""The worked example of a rule book: its text, and the game that it tells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.choices import LANGUAGES
from bot.i18n import Speech
from engines.cards import SYMBOLS, Card
from engines.game import S, Seat
from tests.engines.playing import AnyGame


def example(game: AnyGame, locale: str) -> str:
    """The second section of the rules, without line breaks."""
    sections = game.help(Speech(locale)).split("\n## ")  # type: ignore[arg-type]
    return " ".join(sections[2].split())


def spelled(cards: Iterable[Card]) -> str:
    """Cards as players read them, without backs: ``5♥ 5♦``."""
    return " ".join(card.rank + SYMBOLS[card.suit] for card in cards)


def played(game: AnyGame, state: S, steps: Sequence[tuple[Seat, str]]) -> S:
    """The state after the steps, each a line as a player types it."""
    for seat, line in steps:
        verb, *words = line.split()
        action = " ".join((verb, *game.complete(game.view(state, seat), verb, words)))
        _, state, _ = game.act(state, seat, action)
    return state


def assert_tells(game: AnyGame, *parts: str) -> None:
    """Asserts that the example has the parts, in this order, in every language."""
    for locale in LANGUAGES:
        text, start = example(game, locale), 0
        for part in parts:
            found = text.find(part, start)
            assert found >= 0, (locale, part, text[start:])
            start = found + len(part)
