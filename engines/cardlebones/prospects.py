"""The expected worth of a column with cards still to come, by recursion over all cards of the deck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from engines.cardlebones.scoring import card_value, column_score
from engines.cardlebones.state import DECK, SIZE, Column
from engines.cards import Card

_CACHE_SIZE = 1 << 14


def prospect(column: Column, turns: int, options: Mapping[str, str]) -> float:
    """The average points of a column at the end, less the plain values of the cards that it still takes.

    The player places ``turns`` more cards as well as possible, each in this column or in another one, where
    it scores its plain value. Attacks are left out: by default they hit a card in any column, so they do not
    tell columns apart. Cards outside the column count as unseen: computers that left out those already played
    won no more matches.
    """
    held = [card for card in column if card]
    return _prospect(_canonical(held), turns, ace_low=options.get("ace_low_run") == "on")


@lru_cache(_CACHE_SIZE)
def _prospect(held: tuple[Card, ...], turns: int, *, ace_low: bool) -> float:
    if not turns or len(held) == SIZE:
        return float(_score(held, ace_low=ace_low))
    without_card = _prospect(held, turns - 1, ace_low=ace_low)
    # A column that one more card fills is worth the same whatever turns are left: 0 saves cache entries.
    with_card = _with_one_more(held, 0 if len(held) == SIZE - 1 else turns - 1, ace_low=ace_low)
    return sum([max(without_card, points) for points in with_card]) / len(with_card)


@lru_cache(_CACHE_SIZE)
def _with_one_more(held: tuple[Card, ...], turns: int, *, ace_low: bool) -> Sequence[float]:
    """The prospects of the column with each other card of the deck, less the value of that card."""
    return [
        _prospect(_canonical((*held, card)), turns, ace_low=ace_low) - card_value(card)
        for card in DECK
        if card not in held
    ]


def _score(held: Iterable[Card], *, ace_low: bool) -> int:
    return column_score(held, {"ace_low_run": "on" if ace_low else "off"})


def _canonical(held: Sequence[Card]) -> tuple[Card, ...]:
    """The cards in order of rank, with suits renamed so that most columns of equal worth become the same."""
    ordered = sorted(held, key=lambda card: (card.number, card.order))
    names: dict[str, str] = {}
    for card in ordered:
        if card.suit not in names:
            # The first suit becomes spades, the other suit of its colour clubs.
            alike = "SC" if card.colour == ordered[0].colour else "HD"
            names[card.suit] = alike[1] if alike[0] in names.values() else alike[0]
    return tuple([_CARDS[card.rank, names[card.suit]] for card in ordered])


_CARDS = {(card.rank, card.suit): card for card in DECK}
