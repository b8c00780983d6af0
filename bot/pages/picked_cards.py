"""Finds moves by their cards: which cards a typed line names alone, and which moves have them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.tables.table_state import AnyGame
from engines.cards import Card, UnknownCard, is_card
from engines.game import Move, Seat

_MOST = 20
"""The most cards that a line may name alone."""


def cards_of(move: Move) -> frozenset[str]:
    """The cards among the words of a move, also those joined in one word such as ``6D+4C``."""
    return frozenset(part for word in move.words for part in word.split("+") if is_card(part))


def is_cards(path: tuple[str, ...]) -> bool:
    """Whether a path in a menu is cards alone, with no verb before them."""
    return bool(path) and all(map(is_card, path))


def has_cards(move: Move, path: tuple[str, ...]) -> bool:
    """Whether a path is cards alone, and a move has them all."""
    return is_cards(path) and cards_of(move).issuperset(path)


def meant_cards(game: AnyGame, state: Any, seat: Seat, line: str) -> tuple[str, ...]:
    """The cards of a line that names only cards, each as the moves of a seat spell it; else none.

    A card without its back is the one card of that name, if the player could mean only one. So is a rank
    alone. None if any of them is no card that the player could play now.
    """
    words = line.replace("+", " ").replace(",", " ").split()
    is_named = 0 < len(words) <= _MOST and all(map(_may_be_card, words))
    playable = playable_cards(game, state, seat) if is_named else ()
    found: list[str] = []
    for word in words:
        fitting = [card for card in playable if _is_called(card, word) and card not in found]
        exact = [card for card in fitting if card.upper() == _spelling(word)]
        if len(exact or fitting) != 1:
            return ()
        found += exact or fitting
    return tuple(found)


def playable_cards(game: AnyGame, state: Any, seat: Seat) -> tuple[Card, ...]:
    """The cards that a legal move of a seat can have; with a wide verb, all cards that the seat sees."""
    moves = tuple(game.moves(state, seat))
    found = {card: None for move in moves for card in cards_of(move)}
    if game.wide.intersection(game.choices(state, seat).words):
        messages = (game.message(game.view(state, reader)) for reader in (seat, None))
        found |= {card: None for message in messages for card in _cards_in(message)}
    return tuple(map(Card, found))


def composed(game: AnyGame, state: Any, seat: Seat, cards: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """For each wide verb that can have all these cards, the words that a menu goes on from.

    Where the verb is followed by a group first, there is a path for each group that can take the cards.
    """
    for verb in game.choices(state, seat).words:
        if verb not in game.wide:
            continue
        for begun in ((verb,), *((verb, word) for word in _other_words(game, state, seat, verb))):
            path = begun
            for card in cards:
                if card in game.choices(state, seat, path).words:
                    path += (card,)
            if len(path) == len(begun) + len(cards):
                yield path


def _other_words(game: AnyGame, state: Any, seat: Seat, verb: str) -> tuple[str, ...]:
    """The words after a verb that are no cards, such as the names of groups."""
    words = game.choices(state, seat, (verb,)).words
    return tuple(word for word in words if not any(map(is_card, word.split("+"))))


def _may_be_card(word: str) -> bool:
    """Whether a word may be the name of a card or of a rank."""
    try:
        return bool(Card(word))
    except UnknownCard:
        return word.isdecimal() or word.upper() in ("A", "J", "Q", "K")


def _is_called(card: Card, word: str) -> bool:
    """Whether a typed word names a card: whole, without its back, or by its rank alone."""
    meant = _spelling(word)
    return meant in (card.upper(), card.rank + card.suit, card.rank)


def _spelling(word: str) -> str:
    """The capitals of a card's spelling; a rank alone is kept."""
    try:
        return Card(word).upper()
    except UnknownCard:
        return word.upper()


def _cards_in(value: object) -> Iterator[str]:
    """The cards anywhere in a JSON value."""
    match value:
        case str():
            yield from (value,) if is_card(value) else ()
        case dict():
            for part in value.values():
                yield from _cards_in(part)
        case list() | tuple():
            for part in value:
                yield from _cards_in(part)
