"""Declares the values of Casino: builds, states and views; counts the points of a pile.

Rule numbers, here and in the other modules, are those of ``RULES.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from engines.cards import RANKS, Card, deck
from engines.game import Result, Seat
from engines.position import Transient
from engines.values import Value

DECK = deck(RANKS[:10])
TOP_VALUE = 10
"""The highest value of a card, and so of a build (rule 6)."""
HAND_SIZES = {2: 10, 3: 13}
"""The number of cards in one deal to a seat, by the number of seats."""
THREE_OF_HEARTS = Card("3H")
TWO_OF_SPADES = Card("2S")
TEN_OF_DIAMONDS = Card("10D")
MANY_CARDS = 21
"""The fewest cards in a pile that score the point for cards (rule 12)."""
SPADE_GOALS = (5, 6)
"""The numbers of spades in a pile that score a point each (rule 12)."""

Cards = tuple[Card, ...]
Pair = tuple[Card, Card]


class Build(Value):
    """A build: two cards on the table that are captured together (rule 6)."""

    cards: Pair
    """The hand card, or the loose card that a stolen one is built on; then its partner."""
    value: int

    def __str__(self) -> str:
        return "+".join(self.cards)


class Public(Value, kw_only=True):
    """The public part of the game, which a state and all its views share."""

    loose: Cards = ()
    """The single cards on the table, oldest first."""
    builds: tuple[Build, ...] = ()
    """The builds on the table, oldest first."""
    piles: tuple[Cards, ...] = ()
    """Each seat's captured cards, bottom first."""
    turn: Seat = 0
    phase: str = "play"
    """``exchange`` while the holder of the three of hearts decides (rule 3), else ``play``."""
    last_capturer: Seat | None = None
    turns: Transient[int] = 1
    options: Transient[Mapping[str, str]]
    exchanged: Transient[Card | None] = None
    """The starter card that the deal exchanged (option ``exchange=auto``); None if it exchanged none."""


class State(Public, kw_only=True):
    """The complete state of a game, with all hidden cards."""

    hands: tuple[Cards, ...]
    stock: Cards = ()
    """The next card to deal comes first."""


class View(Public, kw_only=True):
    """One reader's view of a state: the public part, the reader's hand, the number of hidden cards."""

    seat: Seat | None
    hand: Cards
    """Empty for a reader without a seat."""
    hand_sizes: tuple[int, ...]
    stock_size: int
    scores: tuple[int, ...]
    result: Result | None


def holder(state: State) -> Seat | None:
    """The seat with the three of hearts in hand; None if no hand has it."""
    return next((seat for seat, hand in enumerate(state.hands) if THREE_OF_HEARTS in hand), None)


def unseen_cards(view: View) -> list[Card]:
    """The cards of other hands, of the stock, and those left out of a loaded position, in canonical order."""
    seen = {*view.hand, *view.loose}
    seen.update(*view.piles, *(build.cards for build in view.builds))
    return [card for card in DECK if card not in seen]


def find_build(state: State, pair: Sequence[Card]) -> Build | None:
    """The build of two cards, named in either order; None if there is no such build."""
    for spelled in (tuple(pair), tuple(pair[::-1])):
        for build in state.builds:
            if build.cards == spelled:
                return build
    return None


def of_value(state: State, value: int) -> tuple[Card | Build, ...]:
    """All loose cards and builds of a value, in the order in which ``all`` captures them."""
    loose = tuple(card for card in state.loose if card.number == value)
    return loose + tuple(build for build in state.builds if build.value == value)


def owner(table: Public, card: Card) -> Seat | None:
    """The seat in whose pile the card lies; None if it is in no pile."""
    return next((seat for seat, pile in enumerate(table.piles) if card in pile), None)


@lru_cache(1 << 10)
def pile_score(pile: Cards) -> int:
    """The points in a pile (rule 12)."""
    return sum(points_by_item(pile))


def scores_alone(card: Card) -> bool:
    """Whether a card is worth a point by itself: an ace, the 2♠ or the 10♦ (rule 12)."""
    return card.rank == "A" or card in (TWO_OF_SPADES, TEN_OF_DIAMONDS)


def points_by_item(pile: Sequence[Card]) -> tuple[int, ...]:
    """The points in a pile of the aces, of the 2♠, of the 10♦, of the spades and of many cards (rule 12).

    Five spades score one point, more score two.
    """
    spades = [card.suit for card in pile].count("S")
    return (
        [card.rank for card in pile].count("A"),
        int(TWO_OF_SPADES in pile),
        int(TEN_OF_DIAMONDS in pile),
        sum([spades >= goal for goal in SPADE_GOALS]),
        int(len(pile) >= MANY_CARDS),
    )
