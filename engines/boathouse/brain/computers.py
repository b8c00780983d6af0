"""The computer players of Boathouse Rum.

``easy`` plays like a beginner. The others hold their melds until they go out: cards in melds cost nothing
(rule 11), others could add to melds on the table, and a Rummy pays double. ``normal`` weighs by rules of
thumb what each card may still become, and lays its melds in a hand that it would lose if it were blocked;
``hard`` plays like ``normal`` early in a hand, then asks `search`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.boathouse.brain import search
from engines.boathouse.brain.deadwood import deadwood, unmatched
from engines.boathouse.brain.outs import way_out
from engines.boathouse.brain.sight import Sight
from engines.boathouse.layings import bits
from engines.boathouse.state import Discard, Draw, Lay, LayOff, View, points
from engines.cards import Card, without
from engines.game import Level, Move

_PILE = Draw("pile").to_move()
_OVERLOOKED = 0.4
"""The chance that ``easy`` overlooks the melds and lay-offs that it could make."""
_SMALL_HAND = 4
"""The size of another hand at which its player may soon go out."""
_NEARLY_BLOCKED = 4
"""The number of cards in stock and pile at which the hand may soon be blocked."""
_MANY_SEATS = 4
"""The number of seats from which hands are often blocked."""
_LOST_POINTS = 50
"""The unmatched points with which a blocked hand is hardly ever won."""


def think(view: View, moves: Sequence[Move], rng: Random, level: Level = "normal") -> Move:
    """The move that a computer player of the level chooses; every level goes out if `way_out` finds a way."""
    if len(moves) == 1:
        return moves[0]
    if out := way_out(view, moves):
        return out
    if level == "easy":
        return _easy(view, moves, rng)
    if level == "hard" and search.is_late(view):
        return search.best(view, moves, rng)
    return _normal(view, moves)


def _normal(view: View, moves: Sequence[Move]) -> Move:
    sight = Sight.of(view)
    if view.phase == "draw":
        return _PILE if _PILE in moves and sight.takes_pile() else _other_draw(moves)
    if _opens_up(view) and (meld := _spare_meld(view, moves)):
        return meld
    if _sheds(view):
        fitting = [move for move in moves if move.verb == LayOff.verb and sight.is_spare(move.words[1:])]
        if fitting:
            return max(fitting, key=_points)
    return Discard(sight.discards()[0]).to_move()


def _sheds(view: View) -> bool:
    """Whether to lay off cards before going out: no Rummy could pay double, or the hand may soon end."""
    assert view.seat is not None
    has_laid = view.laid_before[view.seat] or view.laid_now
    may_rummy = view.options["rummy_double"] == "on" and not has_laid
    others = [size for seat, size in enumerate(view.hand_sizes) if seat != view.seat]
    return not may_rummy or min(others) <= _SMALL_HAND or view.thin_turns > 0


def _opens_up(view: View) -> bool:
    """Whether to lay melds, so that others can add to them and end a hand that is lost if it is blocked."""
    return (
        len(view.hand_sizes) >= _MANY_SEATS
        and view.stock_size + len(view.pile) <= _NEARLY_BLOCKED
        and deadwood(bits(view.hand)) >= _LOST_POINTS
    )


def _spare_meld(view: View, moves: Sequence[Move]) -> Move | None:
    """A meld after which the same cards of the hand are unmatched as before; None if there is none."""
    hand = bits(view.hand)
    left = unmatched(hand)
    for move in moves:
        if move.verb == Lay.verb and unmatched(hand & ~bits(map(Card, move.words))) == left:
            return move
    return None


def _easy(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """Takes the pile if its top card makes a meld; lays what it sees; discards the costliest card.

    A loose card is discarded before one of a meld.
    """
    sight = Sight.of(view)
    if view.phase == "draw":
        return _PILE if _PILE in moves and sight.melds_top() else _other_draw(moves)
    laying = next((move for move in moves if move.verb in (Lay.verb, LayOff.verb)), None)
    if laying and rng.random() > _OVERLOOKED:
        return laying
    loose = sight.loose() or without(view.hand, *view.barred)
    return Discard(max(loose, key=lambda card: (points(card), card.number, card.order))).to_move()


def _other_draw(moves: Sequence[Move]) -> Move:
    """The draw from the stock, or the flip if the stock is empty."""
    return next(move for move in moves if move != _PILE)


def _points(move: Move) -> int:
    """The points of the cards of a lay-off."""
    return sum(points(Card(word)) for word in move.words[1:])
