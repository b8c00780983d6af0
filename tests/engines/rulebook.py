"""Reads the rules of a game for players, and those for programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any

from bot.i18n import Speech
from bot.pages.menus.move_reading import typed
from bot.settings.choices import Language
from engines.cards import Card
from engines.game import IllegalMove
from tests.engines.playing import AnyGame

NAMES = ("Ana", "Luis")
"""The players of the examples."""


def protocol(key: str) -> str:
    """The rules for programs."""
    return (resources.files(f"engines.{key}") / "PROTOCOL.md").read_text("utf-8")


def refusal_codes(key: str) -> list[str]:
    """The codes of the refusals, in the order of the rules for programs."""
    text = protocol(key)
    table = text[text.index("## Refusals") :].partition("\n## ")[0]
    return [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]


def example(game: AnyGame, locale: Language) -> str:
    """The example game of the rules, their second section, without line breaks."""
    return " ".join(game.help(Speech(locale)).split("\n## ")[2].split())


def told_events(game: AnyGame, locale: Language) -> list[str]:
    """The events that the example game tells: its sentences in bold."""
    return re.findall(r"\*\*(.+?)\*\*", example(game, locale))


def play(game: AnyGame, state: Any, moves: Sequence[str], locale: Language) -> tuple[Any, list[str]]:
    """The state after the moves of the players in turn, and the sentences of their events."""
    say, sentences = Speech(locale, NAMES), []
    for move in moves:
        _, state, events = game.act(state, state.turn, move)
        sentences += [say(event.text) for event in events]
    return state, sentences


def spelled(cards: Iterable[Card | str]) -> str:
    """Cards as the rules spell them: ``5♥ 10♦``."""
    return " ".join(Speech().card(Card(card)) for card in cards)


def typed_moves(game: AnyGame, locale: Language) -> list[str]:
    """The moves that the last section of the rules types."""
    return re.findall(r"`(.+?)`", game.help(Speech(locale)).split("\n## ")[-1])


def code_of(game: AnyGame, state: Any, line: str, locale: Language) -> str:
    """The code of the refusal of a typed line; empty if it is a legal move of the player whose turn it is."""
    try:
        game.act(state, state.turn, typed(game, state, state.turn, line, Speech(locale)))
    except IllegalMove as refused:
        return refused.code
    return ""
