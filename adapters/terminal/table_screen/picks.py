"""Chooses a move by its cards: those picked on the drawing, and the moves that have them all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adapters.terminal.session import Session
from bot.pages.menus.labels import short_name
from bot.pages.menus.menu_items import MenuItem, Words
from bot.pages.menus.offered_moves import offered_moves
from engines.cards import is_card
from engines.game import Move, Seat

_LONGEST_NAME = 3
"""The most characters in the name of a cell or a group in a drawing."""


class Picks:
    """The cards, cells and groups that the player at the keyboard has picked, in the order of picking.

    A cell is a place on a board, a group some cards on the table; a drawing shows both by short names.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.words: Words = ()

    def clear(self) -> None:
        self.words = ()

    def items(self, seat: Seat, words: Words | None = None) -> list[MenuItem]:
        """The moves that have all of ``words``, by default the picked ones; then beginnings of others.

        A beginning is a verb with too many moves to list and the words; more words are picked after it.
        """
        picked = self.words if words is None else words
        game, view = self._session.game, self._session.table.view(seat)
        whole = [move for move in self._moves(seat) if set(picked) <= set(_parts(move))]
        composed = list(self._composed(seat, picked)) if picked else []
        found = {(move.verb, *move.words): True for move in whole}
        found |= {path: done for path, done in composed if done or len(path) > 1}
        say = self._session.say
        items = [MenuItem(game.label(view, path, say), path, done) for path, done in found.items()]
        return sorted(items, key=lambda item: not item.done)

    def pickable(self, seat: Seat, words: Words = ()) -> frozenset[str]:
        """The words that may be picked together with ``words``.

        ``words`` themselves are included only if a listed move has them all.
        """
        listed = {
            part for move in self._moves(seat) if set(words) <= set(_parts(move)) for part in _parts(move)
        }
        game, state = self._session.game, self._session.table.state
        first = game.choices(state, seat).words if game.wide else ()
        for verb in game.wide.intersection(first):
            if not words:
                listed.update(game.choices(state, seat, (verb,)).words)
            for path, _ in self._composed(seat, words, [verb]):
                listed.update(game.choices(state, seat, path).words)
        return frozenset(listed)

    def names(self, seat: Seat) -> dict[str, str]:
        """The cells and groups that may be picked, by the names that drawings give them."""
        game, view, say = self._session.game, self._session.table.view(seat), self._session.say
        found = {}
        for word in self.pickable(seat):
            if not is_card(word) and word not in game.verbs:
                letter = short_name(game.label(view, (word,), say))
                if letter or any(map(str.isdecimal, word)):
                    found[letter or word] = word
        return {name: word for name, word in found.items() if len(name) <= _LONGEST_NAME}

    def _moves(self, seat: Seat) -> Iterable[Move]:
        return offered_moves(self._session.game, self._session.table.state, seat)

    def _composed(
        self, seat: Seat, words: Words, verbs: Iterable[str] | None = None
    ) -> Iterator[tuple[Words, bool]]:
        """Each wide verb followed by exactly these words, and whether that path is a whole move."""
        game, state = self._session.game, self._session.table.state
        if not game.wide:
            return
        for verb in game.choices(state, seat).words if verbs is None else verbs:
            if verb in game.wide and (path := self._path(seat, verb, words)):
                yield path, game.choices(state, seat, path).done

    def _path(self, seat: Seat, verb: str, words: Words) -> Words:
        """The verb and then the words, in an order in which each may follow; empty if none is found."""
        path: Words = (verb,)
        left = set(words)
        while left:
            following = self._session.game.choices(self._session.table.state, seat, path).words
            word = next((word for word in following if word in left), None)
            if word is None:
                return ()
            path = (*path, word)
            left.remove(word)
        return path


def _parts(move: Move) -> list[str]:
    """The words of a move, with joined cards such as ``6D+4C`` divided."""
    return [part for word in move.words for part in word.split("+")]
