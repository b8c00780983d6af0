"""The computer players of Svoi Kozyri. Once the cards are dealt, a player can work out the other hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from engines.game import Level, Move, Seat
from engines.svoi.bits import Laid, Position, Ruling, after, from_move, repeated, ruling, to_position
from engines.svoi.history import imagine_hands
from engines.svoi.policy import no_luck, play_out, promising
from engines.svoi.search import Judgement, Search
from engines.svoi.state import ACTION_LIMIT, REPETITION_LIMIT, View

_VISITS = 1_500
"""The positions by which the tree of a hard player's search grows."""
_DEALS = 3
"""The number of hands that a hard player imagines where cards are missing, as in some loaded positions."""
_NORMAL_WIDTH = 12
"""The number of moves of which a normal player imagines the end."""
_SLIP = 0.7
"""The chance that an easy player lays one of some cheap cards in place of the cheapest."""
_SLIP_CARDS = 4
_LONG_GAME = 100
"""The turn after which easy and normal make the cheapest move ever more often, so that self-play ends."""
_FEW_PLAYOUTS = 6
"""The playouts by which `estimate` judges a move that the search did not look at."""


def think(view: View, moves: Sequence[Move], rng: Random, level: Level = "normal") -> Move:
    """The best move in the eyes of the level; before the deal, when all suits are alike, any suit."""
    if view.phase == "trumps" or len(moves) == 1:
        return rng.choice(moves)
    if level == "hard":
        best = _best(_search(view, moves, rng))
        return next(move for move in moves if from_move(move) == best.laid)
    if rng.random() < (view.turns - _LONG_GAME) / _LONG_GAME:
        return moves[0]
    return _think_easy(moves, rng) if level == "easy" else _think_normal(view, moves, rng)


def estimate(view: View, moves: Sequence[Move], rng: Random) -> Mapping[Move, float]:
    """The values of a hard player's search, draws as half a win.

    A few visits may flatter a move, so none counts more than the move that a hard player chooses.
    """
    if view.phase == "trumps":
        return dict.fromkeys(moves, 0.5)
    found = _search(view, moves, rng)
    judged, best = {judgement.laid: judgement for judgement in found}, _best(found)
    rules, position = ruling(view.trumps, view.options), _imagine(view, rng)
    chances: dict[Move, float] = {}
    for move in moves:
        laid = from_move(move)
        known = judged.get(laid)
        if known and (known.visits or known.proven):
            chance = known.value
        else:
            chance = _play_out_often(rules, after(rules, position, laid), view.turn, rng)
        chances[move] = min(chance, best.value)
    return chances


def _think_easy(moves: Sequence[Move], rng: Random) -> Move:
    """The cheapest move, with slips: sometimes another card than the cheapest beats, or is laid on it."""
    for place in range(2):
        words = list(dict.fromkeys(move.words[place : place + 1] for move in moves if move.words))
        if not words:
            break
        word = rng.choice(words[:_SLIP_CARDS]) if rng.random() < _SLIP else words[0]
        moves = [move for move in moves if move.words[place : place + 1] == word]
    return moves[0]


def _think_normal(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The move with the best end if both players then lay what is usually best."""
    rules, position = ruling(view.trumps, view.options), _imagine(view, rng)
    values = {
        laid: _value_to(view.turn, play_out(rules, after(rules, position, laid), no_luck))
        for _, laid in promising(rules, position, _NORMAL_WIDTH)
    }
    best = max(values, key=values.__getitem__)
    return next((move for move in moves if from_move(move) == best), moves[0])


def _search(view: View, moves: Sequence[Move], rng: Random) -> tuple[Judgement, ...]:
    """Searches the position; where cards are missing, some imagined ones, and joins the judgements."""
    rules = ruling(view.trumps, view.options)
    wanted = [from_move(move) for move in moves]
    positions = list(dict.fromkeys(_imagine(view, rng) for _ in range(_DEALS)))
    found: dict[Laid, Judgement] = {}
    for position in positions:
        drawn = repeated(position, view.past, REPETITION_LIMIT - 1)
        search = Search(rules, position, wanted, drawn, ACTION_LIMIT + 1 - view.turns)
        for judgement in search.run(_VISITS // len(positions), rng.random):
            laid = judgement.laid
            found[laid] = found[laid].join(judgement) if laid in found else judgement
    return tuple(found.values())


def _best(judged: Sequence[Judgement]) -> Judgement:
    """The move visited most, unless a proven one is at least as good."""
    proven = [judgement for judgement in judged if judgement.proven]
    open_ = [judgement for judgement in judged if not judgement.proven]
    best = max(open_, key=lambda judgement: judgement.visits, default=None)
    safe = max(proven, key=lambda judgement: (judgement.value, judgement.visits), default=None)
    if best is None or (safe and safe.value >= best.value):
        assert safe
        return safe
    return best


def _imagine(view: View, rng: Random) -> Position:
    return to_position(view.turn, imagine_hands(view, rng), view.pile)


def _play_out_often(rules: Ruling, position: Position, seat: Seat, rng: Random) -> float:
    total = sum(play_out(rules, position, rng.random) for _ in range(_FEW_PLAYOUTS))
    return _value_to(seat, total / _FEW_PLAYOUTS)


def _value_to(seat: Seat, value: float) -> float:
    """The value to a seat of what is worth ``value`` to seat 0."""
    return 1 - value if seat else value
