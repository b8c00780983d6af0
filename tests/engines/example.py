"""Plays the example game of a rule book, and looks for what its text tells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.settings.choices import LANGUAGES
from engines.cards import SYMBOLS, Card
from engines.game import S, Seat
from tests.engines.playing import AnyGame
from tests.engines.rulebook import example


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
