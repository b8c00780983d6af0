"""Menu items for wide verbs, whose moves are too many to list: suggestions, and words picked one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bot.pages.menus.menu_items import MenuItem, Words
from bot.pages.menus.offered_moves import offer_label
from bot.pages.menus.picked_cards import composed
from bot.settings.choices import SuggestedMoves
from bot.tables.log.table_state import AnyGame
from engines.cards import Card
from engines.game import Move, Say, Seat

_MOST_IF_FEWER = 2
"""The most suggestions for a player who has chosen ``fewer``."""


def limited(game: AnyGame, moves: Iterable[Move], suggested: SuggestedMoves) -> list[Move]:
    """The moves; of those with wide verbs only as many as are ``suggested``, the best first."""
    every = list(moves)
    if suggested == "full" or not game.wide:
        return every
    wide = [move for move in every if move.verb in game.wide]
    kept = wide[: _MOST_IF_FEWER if suggested == "fewer" else 0]
    return [move for move in every if move.verb not in game.wide or move in kept]


def suggestions(
    game: AnyGame,
    view: Any,
    moves: Iterable[Move],
    path: Words,
    say: Say,
    suggested: SuggestedMoves = "full",
) -> list[MenuItem]:
    """The suggested moves with a wide verb that have all words of ``path`` and more, best first."""
    verb, picked = path[0], set(path[1:])
    having = (move for move in moves if move.verb == verb and picked < set(move.words))
    fitting, plan = limited(game, having, suggested), game.plan(view)
    return [
        MenuItem(offer_label(game, view, move, say, plan), (verb, *move.words), done=True) for move in fitting
    ]


def endings(game: AnyGame, state: Any, seat: Seat, view: Any, path: Words, say: Say) -> list[MenuItem]:
    """The moves that one more word makes whole, labelled by that word; none while only a verb is picked."""
    if len(path) == 1:
        return []
    words = game.choices(state, seat, path).words
    whole = [word for word in words if game.choices(state, seat, (*path, word)).done]
    return [MenuItem(game.label(view, (word,), say), (*path, word), done=True) for word in whole]


def words_after(
    game: AnyGame, state: Any, seat: Seat, view: Any, path: Words, say: Say
) -> Iterator[MenuItem]:
    """The items after a wide verb: the move if it is whole, then each next word, cards of the hand first."""
    choices = game.choices(state, seat, path)
    if choices.done:
        yield MenuItem(game.label(view, path, say), path, done=True)
    held = set((game.message(view) or {}).get("hand", ()))
    own = game.arrange(view, (Card(word) for word in choices.words if word in held), say)
    for word in (*own, *(word for word in choices.words if word not in held)):
        yield MenuItem(game.label(view, (word,), say), (*path, word), done=False)


def moves_of_cards(
    game: AnyGame, state: Any, seat: Seat, view: Any, cards: Words, say: Say
) -> Iterator[MenuItem]:
    """The moves with wide verbs that have just these cards, and items that open the menus of longer ones."""
    for path in composed(game, state, seat, cards):
        choices, label = game.choices(state, seat, path), game.label(view, path, say)
        if choices.done:
            yield MenuItem(label, path, done=True)
        if choices.words:
            yield MenuItem(label, path, done=False)
