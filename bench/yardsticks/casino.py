"""A computer player for Casino: it weighs cards won against cards that other seats may capture."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.cards import Card
from engines.casino.state import TEN_OF_DIAMONDS, THREE_OF_HEARTS, TWO_OF_SPADES, View, unseen_cards
from engines.game import Move

_CARD = 0.05
"""The worth of each card in points, since cards count towards the point for many cards."""
_SPADE = 0.3
"""The worth of each spade in points, since spades count towards the points for spades."""
_BUILDING = 0.1
"""The worth of a build in points, besides its cards."""
_SAFE = 0.6
"""The share of a build's worth that counts if no other seat can capture it.

The probability that one can is subtracted from it.
"""
_LOST_IF_THROWN = 0.3
"""The share of a thrown card's worth that is lost even if no other seat can capture it at once."""


def think(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The move with the best balance of cards won and cards risked; chosen at random among equals."""
    unseen = unseen_cards(view)
    worth = {move: _move_value(view, move, unseen) for move in moves}
    best = max(worth.values())
    return rng.choice([move for move in moves if worth[move] == best])


def _move_value(view: View, move: Move, unseen: Sequence[Card]) -> float:
    """The worth of a move in points: cards won less cards risked."""
    match move.verb, move.words:
        case "capture", (card, "all"):
            taken = [other for other in view.loose if other.number == Card(card).number]
            taken += [
                other for build in view.builds if build.value == Card(card).number for other in build.cards
            ]
            return _card_value(Card(card)) + sum(map(_card_value, taken))
        case "capture", (card, target):
            return _card_value(Card(card)) + sum(_card_value(Card(other)) for other in target.split("+"))
        case (("build" | "steal-build"), (card, other)):
            prize = _card_value(Card(card)) + _card_value(Card(other))
            danger = _held_by_others(view, Card(card).number + Card(other).number, unseen)
            return (prize + _BUILDING) * (_SAFE - danger) - danger * prize
        case "throw", (card,):
            return -_card_value(Card(card)) * (
                _LOST_IF_THROWN + _held_by_others(view, Card(card).number, unseen)
            )
        case "exchange", (answer,):
            return _card_value(view.loose[0]) if answer == "yes" else _card_value(THREE_OF_HEARTS)
        case _:
            return 0.0


def _card_value(card: Card) -> float:
    """The worth of a card in a pile, in points."""
    points = (card.rank == "A") + (card == TWO_OF_SPADES) + (card == TEN_OF_DIAMONDS)
    return points + _CARD + (_SPADE if card.suit == "S" else 0.0)


def _held_by_others(view: View, value: int, unseen: Sequence[Card]) -> float:
    """The probability that another seat holds a card of this value."""
    others = sum(size for seat, size in enumerate(view.hand_sizes) if seat != view.seat)
    here = sum(card.number == value for card in unseen)
    elsewhere = max(0, len(unseen) - others)
    none = 1.0
    for i in range(here):
        none *= max(0, elsewhere - i) / max(1, len(unseen) - i)
    return 1.0 - none
