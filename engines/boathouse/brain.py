"""The computer players of Boathouse Rum.

``easy`` plays like a beginner. The others hold their melds until they go out: cards in melds cost nothing
(rule 11), others could add to melds on the table, and a Rummy pays double. ``normal`` weighs by rules of
thumb what each card may still become; ``hard`` asks `search`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.boathouse import search
from engines.boathouse.outs import way_out
from engines.boathouse.sight import Sight
from engines.boathouse.state import Discard, Draw, Lay, LayOff, View, points
from engines.cards import Card, without
from engines.game import Level, Move

_PILE = Draw("pile").to_move()
_OVERLOOKS = 0.4
"""How often ``easy`` overlooks a meld or a lay-off."""
_FEW = 4
"""Cards in another hand that are so few that its player may go out soon."""


def think(view: View, moves: Sequence[Move], rng: Random, level: Level = "normal") -> Move:
    """The move that a computer player of the level chooses; all go out when they can."""
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
    if _sheds(view):
        fitting = [move for move in moves if move.verb == LayOff.verb and sight.is_spare(move.words[1:])]
        if fitting:
            return max(fitting, key=_points)
    return Discard(sight.discards()[0]).to_move()


def _sheds(view: View) -> bool:
    """Whether to add cards to the table before going out: a Rummy is lost, or another player is close."""
    assert view.seat is not None
    fresh = view.options["rummy_double"] == "on" and not view.laid_before[view.seat] and not view.laid_now
    others = [size for seat, size in enumerate(view.hand_sizes) if seat != view.seat]
    return not fresh or min(others) <= _FEW or view.thin_turns > 0


def _easy(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """Takes the pile if its top card makes a meld; lays what it sees; discards the costliest loose card."""
    sight = Sight.of(view)
    if view.phase == "draw":
        return _PILE if _PILE in moves and sight.melds_top() else _other_draw(moves)
    laying = next((move for move in moves if move.verb in (Lay.verb, LayOff.verb)), None)
    if laying and rng.random() > _OVERLOOKS:
        return laying
    loose = sight.loose() or without(view.hand, *view.barred)
    return Discard(max(loose, key=lambda card: (points(card), card.number, card.order))).to_move()


def _other_draw(moves: Sequence[Move]) -> Move:
    """The draw from the stock, turned over or not."""
    return next(move for move in moves if move != _PILE)


def _points(move: Move) -> int:
    return sum(points(Card(word)) for word in move.words[1:])
