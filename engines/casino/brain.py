"""A computer player for Casino that counts what is worth having and what the others may still hold."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.cards import Card
from engines.casino.state import TEN_OF_DIAMONDS, TWO_OF_SPADES, View, unseen_cards
from engines.game import Move

_CARD = 0.05
"""A twenty-first of the point for many cards."""
_SPADE = 0.3
_SAFE = 0.6
"""How often a build that no unseen card threatens is thought to be there a turn later."""


def think(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The move with the best balance of what is won and what is offered, by chance among equals."""
    unseen = unseen_cards(view)
    worth = {move: _worth(view, move, unseen) for move in moves}
    best = max(worth.values())
    return rng.choice([move for move in moves if worth[move] == best])


def _worth(view: View, move: Move, unseen: Sequence[Card]) -> float:
    match move.verb, move.words:
        case "capture", (card, "all"):
            taken = [other for other in view.loose if other.number == Card(card).number]
            taken += [
                other for build in view.builds if build.value == Card(card).number for other in build.cards
            ]
            return _value(Card(card)) + sum(map(_value, taken))
        case "capture", (card, target):
            return _value(Card(card)) + sum(_value(Card(other)) for other in target.split("+"))
        case (("build" | "steal-build"), (card, other)):
            prize = _value(Card(card)) + _value(Card(other))
            danger = _held_by_others(view, Card(card).number + Card(other).number, unseen)
            return (prize + 0.1) * (_SAFE - danger) - danger * prize
        case "throw", (card,):
            return -_value(Card(card)) * (0.3 + _held_by_others(view, Card(card).number, unseen))
        case "exchange", (answer,):
            return _value(view.loose[0]) if answer == "yes" else _value(Card("3H"))
        case _:
            return 0.0


def _value(card: Card) -> float:
    points = (card.rank == "A") + (card == TWO_OF_SPADES) + (card == TEN_OF_DIAMONDS)
    return points + _CARD + (_SPADE if card.suit == "S" else 0.0)


def _held_by_others(view: View, value: int, unseen: Sequence[Card]) -> float:
    """How likely somebody else holds a card of this value."""
    others = sum(size for seat, size in enumerate(view.hand_sizes) if seat != view.seat)
    here = sum(card.number == value for card in unseen)
    elsewhere = max(0, len(unseen) - others)
    nobody = 1.0
    for i in range(here):
        nobody *= max(0, elsewhere - i) / max(1, len(unseen) - i)
    return 1.0 - nobody
