"""Finds moves by their cards: reads lines that are cards alone, and finds the moves with all these cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from bot.tables.log.table_state import AnyGame
from engines.cards import BACKS, STAR, Card, UnknownCard, deck, is_card
from engines.game import Move, Seat

_MOST_CARDS = 20
"""The most cards in a line that is cards alone."""


class Beginning(NamedTuple):
    """The first words of moves with a wide verb, before their cards: the verb, perhaps with a group."""

    path: tuple[str, ...]
    words: tuple[str, ...]
    """The words that may follow."""


class Picked(NamedTuple):
    """The cards that a typed line of cards alone names, and the move that they mean, if it is clear."""

    cards: tuple[str, ...] = ()
    """Each as the moves spell it; empty if the line names no cards that a move can have together."""
    move: str = ""
    """The only move that begins with the card, if one alone was typed; else the only one that has them all.

    Empty if there are several, or if it needs more words.
    """


def cards_of(move: Move) -> frozenset[str]:
    """The cards among the words of a move, also those joined in one word such as ``6D+4C``."""
    return _cards_among(move.words)


@lru_cache(maxsize=4096)
def _cards_among(words: tuple[str, ...]) -> frozenset[str]:
    # Cached: a typed card is looked for in all legal moves, for the reply and again for each panel.
    return frozenset(part for word in words for part in word.split("+") if is_card(part))


def is_cards(path: tuple[str, ...]) -> bool:
    """Whether a path in a menu is cards alone, with no verb before them."""
    return bool(path) and all(map(is_card, path))


def has_cards(move: Move, path: tuple[str, ...]) -> bool:
    """Whether a path is cards alone, and a move has them all."""
    return is_cards(path) and cards_of(move).issuperset(path)


class ListedMoves:
    """Moves, but for those with wide verbs, found by the words or cards that were picked."""

    def __init__(self, game: AnyGame, moves: Iterable[Move]) -> None:
        self.moves = [move for move in moves if move.verb not in game.wide]

    @cached_property
    def _by_word(self) -> Mapping[str, Sequence[Move]]:
        """The moves by their verb and by the first word after it."""
        found = defaultdict[str, list[Move]](list)
        for move in self.moves:
            for word in {move.verb, *move.words[:1]}:
                found[word].append(move)
        return found

    def begun(self, path: tuple[str, ...]) -> Sequence[Move]:
        """The moves that begin with the picked words; if none does, those that have all picked cards.

        A single picked word may also be the first one after the verb.
        """
        verb, words, count = path[0], path[1:], len(path) - 1
        begun = self._by_word.get(verb, ())
        if words:
            begun = [move for move in begun if move.verb == verb and move.words[:count] == words]
        if begun or not is_cards(path):
            return begun
        return [move for move in self.moves if cards_of(move).issuperset(path)]


def beginnings(game: AnyGame, state: Any, seat: Seat) -> Iterator[Beginning]:
    """The beginnings of the moves with wide verbs: each verb, alone and with each group that can follow."""
    for verb in game.choices(state, seat).words if game.wide else ():
        if verb not in game.wide:
            continue
        words = game.choices(state, seat, (verb,)).words
        yield Beginning((verb,), words)
        for word in words:
            if not is_card(word.partition("+")[0]):
                yield Beginning((verb, word), game.choices(state, seat, (verb, word)).words)


def composed(
    game: AnyGame, state: Any, seat: Seat, cards: tuple[str, ...], begun: Iterable[Beginning] | None = None
) -> Iterator[tuple[str, ...]]:
    """The paths that moves with wide verbs can begin with: a `Beginning`, then all these cards."""
    for path, words in beginnings(game, state, seat) if begun is None else begun:
        for n, card in enumerate(cards):
            if card not in (words if n == 0 else game.choices(state, seat, path).words):
                break
            path += (card,)
        else:
            yield path


def picked_cards(game: AnyGame, state: Any, seat: Seat, line: str) -> Picked:
    """The cards of a line that is cards alone, and the move that is meant, as `Picked` says.

    A card's name without its back, or a rank alone, means the one playable card that it fits; if it fits
    several, no cards are found.
    """
    words = line.replace("+", " ").replace(",", " ").split()
    candidates = [_called(word) for word in words[:_MOST_CARDS]]
    if not words or len(words) > _MOST_CARDS or not all(candidates):
        return Picked()
    moves, begun = tuple(game.moves(state, seat)), tuple(beginnings(game, state, seat))
    known = {card for move in moves for card in cards_of(move)}.union(
        *(beginning.words for beginning in begun)
    )
    found: list[str] = []
    for names in candidates:
        fitting = [card for card in names if card in known and card not in found]
        if len(fitting) != 1:
            return Picked()
        found += fitting
    cards = tuple(found)
    having, starts = ListedMoves(game, moves).begun(cards), tuple(composed(game, state, seat, cards, begun))
    whole = [(move.verb, *move.words) for move in having]
    whole += [path for path in starts if game.choices(state, seat, path).done]
    if len(whole) == 1 and len(having) + len(starts) == 1:
        return Picked(cards, " ".join(whole[0]))
    return Picked(cards) if having or starts or any(has_cards(move, cards) for move in moves) else Picked()


def named_cards(line: str) -> tuple[Card, ...]:
    """The cards of a line that consists of a few names of cards alone, suits included; else none."""
    words = [word.removesuffix(STAR) for word in line.split()]
    try:
        return tuple(map(Card, words)) if len(words) <= _MOST_CARDS else ()
    except UnknownCard:
        return ()


def playable_cards(game: AnyGame, state: Any, seat: Seat) -> Iterator[str]:
    """The cards that a legal move of a seat can have."""
    for move in game.moves(state, seat):
        yield from cards_of(move)
    for beginning in beginnings(game, state, seat):
        yield from (part for word in beginning.words for part in word.split("+") if is_card(part))


def _called(word: str) -> tuple[str, ...]:
    """The cards that a typed word may mean: a card's name, whole or without its back, or a rank alone."""
    word = word.removesuffix(STAR)
    try:
        return _CARDS.get(Card(word).upper(), ())
    except UnknownCard:
        return _CARDS.get(word.upper(), ())


_CARDS: dict[str, tuple[str, ...]] = {}
"""For each name that may be typed, in capitals, the cards that it may mean."""
for _card in (*deck(), *deck(backs=BACKS)):
    for _name in {_card.upper(), _card.rank + _card.suit, _card.rank}:
        _CARDS[_name] = (*_CARDS.get(_name, ()), str(_card))
