"""The hard computer player: plays the moves worth a thought to the end of the hand, in imagined deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, sqrt
from random import Random

from engines.boathouse import simulator
from engines.boathouse.layings import bits
from engines.boathouse.outs import way_out
from engines.boathouse.sight import Sight
from engines.boathouse.simulator import Simulation
from engines.boathouse.state import Discard, Draw, Flip, GoOut, LayOff, View
from engines.cards import Card
from engines.game import Move
from engines.playouts import Judgement, Outcome, by_wins, judge

_PLAYOUTS = 120
"""The playouts of one decision."""
_MOST_DISCARDS = 5
"""The most discards that are played out."""
_SWING = 60.0
"""The points by which a hand changes the lead, as a rule."""


def best(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The move with the best outcome."""
    judged = judgements(view, moves, rng)
    return max(judged, key=lambda move: by_wins(judged[move]))


def estimate(view: View, moves: Sequence[Move], rng: Random) -> Mapping[Move, float]:
    """The chance to win the game after each move that is played out."""
    return {move: judgement.wins for move, judgement in judgements(view, moves, rng).items()}


def judgements(view: View, moves: Sequence[Move], rng: Random) -> Mapping[Move, Judgement]:
    """The outcome of each move worth a thought."""

    def play(deal: Simulation, move: Move, luck: Random) -> Outcome:
        return _outcome(view, _play(deal.copy(), move, luck))

    tried = _candidates(view, moves)
    return judge(tried, lambda luck: simulator.imagine(view, luck), play, rng, _PLAYOUTS)


def _candidates(view: View, moves: Sequence[Move]) -> Sequence[Move]:
    if view.phase == "draw" or len(moves) == 1:
        return moves
    if out := way_out(view, moves):
        return (out,)
    sight = Sight.of(view)
    found = [Discard(card).to_move() for card in sight.discards()[:_MOST_DISCARDS]]
    adding = [move for move in moves if move.verb == LayOff.verb and sight.is_spare(move.words[1:])]
    return (*adding[:1], *found)


def _play(deal: Simulation, move: Move, luck: Random) -> Sequence[int]:
    """The payments after a move and the rest of the hand."""
    if move.verb == Discard.verb:
        goes_on = deal.discard(bits((Card(move.words[0]),)))
        return deal.play(luck) if goes_on else deal.payments()
    if move.verb in (Draw.verb, Flip.verb):
        deal.draw(luck, from_pile=move.words == ("pile",))
    elif move.verb == LayOff.verb:
        deal.add_to_table(bits(map(Card, move.words[1:])))
    elif move.verb == GoOut.verb:
        deal.hands[deal.turn] = 0
        return deal.payments()
    return deal.play(luck)


def _outcome(view: View, payments: Sequence[int]) -> Outcome:
    """The outcome of the game; with hands to come, the lead is worth the more the fewer they are."""
    assert view.seat is not None
    ledger = [points + paid for points, paid in zip(view.ledger, payments, strict=True)]
    mine, best = ledger[view.seat], max(ledger)
    lead = mine - max(points for seat, points in enumerate(ledger) if seat != view.seat)
    left = int(view.options["hands"]) - view.number
    if not left:
        return Outcome(lead, 1 / ledger.count(best) if mine == best else 0.0)
    weights = [exp((points - best) / (_SWING * sqrt(left))) for points in ledger]
    return Outcome(lead, weights[view.seat] / sum(weights))
