"""What a game of Casino is made of: its states, views and actions, and what a pile is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engines import actions
from engines.cards import RANKS, Card, deck
from engines.game import Result, Seat, Text
from engines.position import Aside
from engines.values import Value

DECK = deck(RANKS[:10])
TOP_VALUE = 10
"""The highest value of a card, and so of a build (rule 6)."""
HAND_SIZES = {2: 10, 3: 13}
THREE_OF_HEARTS = Card("3H")
TWO_OF_SPADES = Card("2S")
TEN_OF_DIAMONDS = Card("10D")
MANY_CARDS = 21
"""As many cards score a point (rule 12)."""

Pair = tuple[Card, Card]


class Build(Value):
    """Two cards that are taken together (rule 6)."""

    cards: Pair
    """The builder's card, then the partner."""
    value: int

    def __str__(self) -> str:
        return "+".join(self.cards)


class State(Value, kw_only=True):
    """The whole truth."""

    hands: tuple[tuple[Card, ...], ...]
    loose: tuple[Card, ...] = ()
    """Oldest first, as are the builds."""
    builds: tuple[Build, ...] = ()
    piles: tuple[tuple[Card, ...], ...] = ()
    """A seat's captured cards, bottom first."""
    stock: tuple[Card, ...] = ()
    turn: Seat = 0
    phase: str = "play"
    """``exchange`` while the holder of the three of hearts is asked (rule 3), else ``play``."""
    last_capturer: Seat | None = None
    turns: Aside[int] = 1
    options: Aside[Mapping[str, str]]
    exchanged: Aside[Card | None] = None
    """The starter card that went into a hand without anybody being asked; everybody saw it."""


class View(Value, kw_only=True):
    """What a reader knows: the table, all piles, the sizes of what is hidden, the own hand."""

    seat: Seat | None
    hand: tuple[Card, ...]
    """Empty for a reader without a seat."""
    hand_sizes: tuple[int, ...]
    loose: tuple[Card, ...]
    builds: tuple[Build, ...]
    piles: tuple[tuple[Card, ...], ...]
    stock_size: int
    turn: Seat
    turns: int
    phase: str
    last_capturer: Seat | None
    options: Mapping[str, str]
    exchanged: Card | None
    scores: tuple[int, ...]
    result: Result | None


Target: TypeAlias = "Card | tuple[Card, ...]"
"""A loose card, or the cards of a build."""


class Capture(actions.Action):
    """Rule 5. No targets stand for everything of the card's value."""

    card: Card
    targets: tuple[Target, ...]


class MakeBuild(actions.Action):
    """Rule 6."""

    card: Card
    table_card: Card
    claimed: int | None = None
    """The value that a message says the build has."""


class Steal(actions.Action):
    """Rule 7. The card comes from the hand, with ``steal_with=table`` from the table."""

    card: Card
    stolen: Card
    pile: Seat | None = None
    """The pile that a message names; by text it is the pile that the card lies in."""
    claimed: int | None = None


class Throw(actions.Action):
    """Rule 8."""

    card: Card


class Exchange(actions.Action):
    """Rule 3."""

    accept: bool


Action: TypeAlias = "Capture | MakeBuild | Steal | Throw | Exchange"


def pile_score(pile: Sequence[Card]) -> int:
    """The points in a pile (rule 12)."""
    return sum(points for _, points in tally(pile))


_COUNTED = (
    Text("Aces"),
    Text("{card}", card=TWO_OF_SPADES),
    Text("{card}", card=TEN_OF_DIAMONDS),
    Text("Spades"),
    Text("Cards"),
)


def tally(pile: Sequence[Card]) -> tuple[tuple[Text, int], ...]:
    """The points in a pile, by what they are for (rule 12)."""
    spades = sum(card.suit == "S" for card in pile)
    points = (
        sum(card.rank == "A" for card in pile),
        int(TWO_OF_SPADES in pile),
        int(TEN_OF_DIAMONDS in pile),
        max(0, min(spades, 6) - 4),
        int(len(pile) >= MANY_CARDS),
    )
    return tuple(zip(_COUNTED, points, strict=True))


def holder(state: State) -> Seat | None:
    """The seat with the three of hearts in hand."""
    return next((seat for seat, hand in enumerate(state.hands) if THREE_OF_HEARTS in hand), None)


def unseen_cards(view: View) -> list[Card]:
    """The cards that a reader has not before their eyes, in canonical order."""
    seen = {*view.hand, *view.loose}
    seen.update(*view.piles, *(build.cards for build in view.builds))
    return [card for card in DECK if card not in seen]


def find_build(state: State, pair: Sequence[Card]) -> Build | None:
    """The build of two cards, named in either order."""
    for spelled in (tuple(pair), tuple(pair[::-1])):
        for build in state.builds:
            if build.cards == spelled:
                return build
    return None


def of_value(state: State, value: int) -> tuple[Card | Build, ...]:
    """Everything on the table that a card of this value captures, in the order of rule 9."""
    loose = tuple(card for card in state.loose if card.number == value)
    return loose + tuple(build for build in state.builds if build.value == value)
