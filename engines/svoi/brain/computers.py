"""The computer players of Svoi Kozyri. Once the cards are dealt, a player can work out the other hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean

from engines.game import Level, Move, Seat
from engines.svoi.brain.bits import BitPosition, Laid, after, from_move, repeated, ruling, to_position
from engines.svoi.brain.policy import no_luck, play_out, promising
from engines.svoi.brain.search import Search, SearchedMove
from engines.svoi.history import imagine_hands
from engines.svoi.state import ACTION_LIMIT, REPETITION_LIMIT, View

_VISITS = 1_500
"""The most visits of a hard player's search; each adds at most one position to its tree."""
_DEALS = 3
"""The most hands that a hard player imagines where cards are missing, as in some loaded positions."""
_NORMAL_WIDTH = 12
"""The most moves that a normal player judges by a playout."""
_SLIP = 0.7
"""The chance that an easy player lays any of the `_SLIP_CARDS` cheapest cards in place of the cheapest."""
_SLIP_CARDS = 4
_LONG_GAME = 100
"""The turn after which easy and normal make the cheapest move ever more often, so that self-play ends."""
_FEW_VISITS, _MANY_VISITS = 10, 100
"""The least and the most visits by which `estimate` judges a move that the search hardly looked at.

That is a move which the search neither proved nor visited `_FEW_VISITS` times.
"""

Verdicts = Mapping[Laid, SearchedMove]
"""The verdicts on the moves in one imagined deal."""


def think(view: View, moves: Sequence[Move], rng: Random, level: Level = "normal") -> Move:
    """The move that a computer player of the level chooses; before the deal any suit, since all are alike.

    In a long game ``easy`` and ``normal`` often make the first move, which is the cheapest.
    """
    if view.phase == "trumps" or len(moves) == 1:
        return rng.choice(moves)
    if level == "hard":
        best = _choose(_search(view, moves, rng, _VISITS))
        return next(move for move in moves if from_move(move) == best)
    if rng.random() < (view.turns - _LONG_GAME) / _LONG_GAME:
        return moves[0]
    return _think_easy(moves, rng) if level == "easy" else _think_normal(view, moves, rng)


def estimate(view: View, moves: Sequence[Move], rng: Random) -> Mapping[Move, float]:
    """The chance to win after each move: its value in a hard player's search, with a draw as half a win.

    Before the deal it is 0.5 for all moves. Moves that the search hardly looked at are searched once more,
    each alone. Since so small a search may overrate a move, no chance exceeds that of the move that a hard
    player chooses, which comes first.
    """
    if view.phase == "trumps":
        return dict.fromkeys(moves, 0.5)
    deals = _search(view, moves, rng, _VISITS)
    best = _choose(deals)
    most = _value(deals, best, at_least=1) or 0.0
    known = {move: most if from_move(move) == best else _value(deals, from_move(move)) for move in moves}
    vague = [move for move in moves if known[move] is None]
    for move in vague:
        visits = max(_FEW_VISITS, min(_MANY_VISITS, _VISITS // len(vague)))
        known[move] = _value(_search(view, [move], rng, visits), from_move(move), at_least=1)
    chances = {move: min(most, value or 0.0) for move, value in known.items()}
    return dict(sorted(chances.items(), key=lambda item: (from_move(item[0]) != best, -item[1])))


def _think_easy(moves: Sequence[Move], rng: Random) -> Move:
    """The cheapest move, with slips: sometimes a dearer card is led, beats, or is laid second."""
    for index in range(2):
        words = list(dict.fromkeys(move.words[index : index + 1] for move in moves if move.words))
        if not words:
            break
        word = rng.choice(words[:_SLIP_CARDS]) if rng.random() < _SLIP else words[0]
        moves = [move for move in moves if move.words[index : index + 1] == word]
    return moves[0]


def _think_normal(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """Of the promising moves, the one of the highest value if both players then follow the rules of thumb."""
    rules, position = ruling(view.trumps, view.options), _imagine(view, rng)
    values = {
        laid: _value_to(view.turn, play_out(rules, after(rules, position, laid), no_luck))
        for _, laid in promising(rules, position, _NORMAL_WIDTH)
    }
    best = max(values, key=values.__getitem__)
    return next((move for move in moves if from_move(move) == best), moves[0])


def _search(view: View, moves: Sequence[Move], rng: Random, visits: int) -> Sequence[Verdicts]:
    """The verdicts on the moves in the position; where cards are missing, in a few imagined positions."""
    rules = ruling(view.trumps, view.options)
    wanted = [from_move(move) for move in moves]
    positions = list(dict.fromkeys(_imagine(view, rng) for _ in range(_DEALS)))
    deals = []
    for position in positions:
        drawn = repeated(position, view.past, REPETITION_LIMIT - 1)
        search = Search(rules, position, wanted, drawn, ACTION_LIMIT + 1 - view.turns)
        deals.append({judged.laid: judged for judged in search.run(visits // len(positions), rng.random)})
    return deals


def _choose(deals: Sequence[Verdicts]) -> Laid:
    """The move that is best in the most deals; the first of several."""
    return Counter(_best(verdicts) for verdicts in deals).most_common(1)[0][0]


def _best(verdicts: Verdicts) -> Laid:
    """The unproven move visited most, unless a proven one is at least as good."""
    found = verdicts.values()
    proven = max((judged for judged in found if judged.proven), key=_by_value, default=None)
    open_ = max((judged for judged in found if not judged.proven), key=_by_visits, default=None)
    if proven and open_:
        return (proven if proven.value >= open_.value else open_).laid
    best = proven or open_
    assert best, "some move is judged"
    return best.laid


def _by_value(judged: SearchedMove) -> tuple[float, int]:
    return judged.value, judged.visits


def _by_visits(judged: SearchedMove) -> int:
    return judged.visits


def _value(deals: Sequence[Verdicts], laid: Laid, at_least: int = _FEW_VISITS) -> float | None:
    """The mean value of a move in deals that prove it or visit it ``at_least`` times, if there are any."""
    found = [verdicts[laid] for verdicts in deals if laid in verdicts]
    values = [judged.value for judged in found if judged.proven or judged.visits >= at_least]
    return fmean(values) if values else None


def _imagine(view: View, rng: Random) -> BitPosition:
    """A position that agrees with the view; cards that the reader cannot know are drawn at random."""
    return to_position(view.turn, imagine_hands(view, rng), view.pile)


def _value_to(seat: Seat, value: float) -> float:
    """Converts a value for seat 0 into the value for a seat."""
    return 1 - value if seat else value
