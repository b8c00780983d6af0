"""The hard computer player: plays promising moves to the end of the hand, in imagined deals.

Early in a hand chance outweighs every choice and playouts are long, so ``hard`` plays as ``normal`` then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, sqrt
from random import Random

from engines.boathouse.brain import simulator
from engines.boathouse.brain.outs import way_out
from engines.boathouse.brain.sight import Sight
from engines.boathouse.brain.simulator import Simulation
from engines.boathouse.layings import bits
from engines.boathouse.state import Discard, Draw, Flip, LayOff, View
from engines.cards import Card
from engines.game import Move, Seat
from engines.playouts import Judgement, Outcome, by_wins, judge

_PLAYOUTS = 72
"""The playouts of one decision."""
_MOST_DISCARDS = 5
"""The most discards that are played out."""
_LATE = 20
"""The most cards in stock and pile with which playouts decide."""
_SWING = 60.0
"""About the points by which one hand changes the difference between two scores."""
_UNCERTAIN, _CERTAIN = 26, 10
"""While the cards in stock and pile fall from the first number to the second, playouts gain weight."""
_LEAST_WEIGHT = 0.1
"""The least weight of playouts, however many cards are left, before the factor for the number of players."""
_TWO_PLAYERS = 0.9
"""The factor of the weight for two players; for more it is two divided by their number.

These four numbers, from `_UNCERTAIN` on, are fitted to games of computers at ``normal``.
"""


def is_late(view: View) -> bool:
    """Whether the hand is so far advanced that playouts tell moves apart."""
    return view.stock_size + len(view.pile) <= _LATE


def best(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The move with the best outcomes."""
    judged = _judge(view, moves, rng)
    return max(judged, key=lambda move: by_wins(judged[move]))


def estimate(view: View, moves: Sequence[Move], rng: Random) -> Mapping[Move, float]:
    """The chance to win the game after each promising move."""
    judged = _judge(view, moves, rng, simulator.hands_to_imagine(view))
    if way_out(view, moves):
        return {move: judgement.wins for move, judgement in judged.items()}
    assert view.seat is not None
    prior, trust = _share(view.ledger, view.seat, _hands_to_come(view) + 1), _trust(view)
    return {move: prior + trust * (judgement.wins - prior) for move, judgement in judged.items()}


def _trust(view: View) -> float:
    """The weight of playouts, from 0 to 1; the rest is that of the chance to win before the hand.

    Playouts alone are too sure. With more players more hands are unknown, and playouts weigh less.
    """
    left = view.stock_size + len(view.pile)
    trust = (_UNCERTAIN - left) / (_UNCERTAIN - _CERTAIN)
    return min(1.0, max(_LEAST_WEIGHT, trust)) * min(_TWO_PLAYERS, 2 / len(view.hand_sizes))


def _hands_to_come(view: View) -> int:
    return int(view.options["hands"]) - view.hand_number


def _judge(view: View, moves: Sequence[Move], rng: Random, hands_each: int = 1) -> Mapping[Move, Judgement]:
    """Plays out the promising moves; if `way_out` finds a way to go out in this turn, only its next move.

    ``hands_each`` is the number of hands imagined for each other player, of which the best is dealt.
    """
    out = way_out(view, moves)

    def play(deal: Simulation, move: Move, luck: Random) -> Outcome:
        simulation = deal.copy()
        payments = _go_out(simulation) if move == out else _play(simulation, move, luck)
        return _outcome(view, payments)

    tried = (out,) if out else _candidates(view, moves)
    return judge(tried, lambda luck: simulator.imagine(view, luck, hands_each), play, rng, _PLAYOUTS)


def _candidates(view: View, moves: Sequence[Move]) -> Sequence[Move]:
    """All draws; after the draw a few discards, and the lay-off with most points of cards that no meld needs.

    Melds are not tried: a computer keeps them until it goes out. ``moves`` are returned instead if there is
    only one, promising or not, or if all are promising and others are missing.
    """
    if view.phase == "draw" or len(moves) == 1:
        return moves
    sight = Sight.of(view)
    added = [move for move in moves if move.verb == LayOff.verb and sight.is_spare(move.words[1:])]
    promising = (*added[:1], *[Discard(card).to_move() for card in sight.discards()[:_MOST_DISCARDS]])
    return moves if set(moves) < set(promising) else promising


def _play(simulation: Simulation, move: Move, luck: Random) -> Sequence[int]:
    """Makes a move (a meld stays in the hand), plays the hand to its end, and returns the payments."""
    if move.verb == Discard.verb:
        goes_on = simulation.discard(bits((Card(move.words[0]),)))
        return simulation.play(luck) if goes_on else simulation.payments()
    if move.verb in (Draw.verb, Flip.verb):
        simulation.draw(luck, from_pile=move.words == ("pile",))
    elif move.verb == LayOff.verb:
        simulation.add_to_table(bits(map(Card, move.words[1:])))
    return simulation.play(luck)


def _go_out(simulation: Simulation) -> Sequence[int]:
    """Lets the player whose turn it is go out, and returns the payments."""
    simulation.hands[simulation.turn] = 0
    return simulation.payments()


def _outcome(view: View, payments: Sequence[int]) -> Outcome:
    """The outcome of the game; if more hands follow, from the scores and the number of those hands."""
    assert view.seat is not None
    ledger = [points + received for points, received in zip(view.ledger, payments, strict=True)]
    lead = ledger[view.seat] - max(points for seat, points in enumerate(ledger) if seat != view.seat)
    return Outcome(lead, _share(ledger, view.seat, _hands_to_come(view)))


def _share(ledger: Sequence[int], seat: Seat, hands: int) -> float:
    """The chance that the seat wins the game with this ledger; ``hands`` is the number of hands to come."""
    highest = max(ledger)
    if not hands:
        return 1 / ledger.count(highest) if ledger[seat] == highest else 0.0
    weights = [exp((points - highest) / (_SWING * sqrt(hands))) for points in ledger]
    return weights[seat] / sum(weights)
