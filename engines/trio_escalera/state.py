"""The whole truth of a game, what one reader may know of it, and what a player asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, cast

from engines import actions
from engines.cards import BACKS, Card, deck
from engines.game import Result, Seat
from engines.melds import Ace
from engines.position import Aside, Pointing
from engines.trio_escalera.groups import Group, Numbers, Table, by_suit
from engines.values import Value

DECK = deck(backs=BACKS)

Rounds = tuple[tuple[int, ...], ...]
"""Throws of dice: round by round, in seat order, those still in."""


class Commit(Value):
    """What a reset returns to (rule 13); the hand follows, since its cards lie on the table now."""

    table: Table
    on: tuple[bool, ...]
    movements_left: int
    placed: int


class State(Value, kw_only=True):
    """The whole truth."""

    hands: tuple[tuple[Card, ...], ...]
    """Each by suit and rank."""
    stock: tuple[Card, ...] = ()
    """The next card first."""
    groups: tuple[Group, ...] = ()
    on: tuple[bool, ...] = ()
    """Which seats have opened."""
    turn: Seat = 0
    movements_left: int = 5
    drawn: Pointing[Card | None] = None
    placed: int = 0
    """How many hand cards were placed since the turn began."""
    passes: int = 0
    """In a row."""
    numbers: Aside[Numbers] = (0, 0)
    commit: Aside[Commit | None] = None
    """The last commit, if there were movements since."""
    points: Aside[tuple[int, ...] | None] = None
    """What each hand counted when the game ended; None before."""
    rounds: Aside[Rounds] = ()
    turns: Aside[int] = 1
    options: Aside[Mapping[str, str]]

    @property
    def table(self) -> Table:
        return Table(self.groups, self.numbers)

    @property
    def ace(self) -> Ace:
        return cast(Ace, self.options["ace"])


class View(Value, kw_only=True):
    """What a reader knows: the table, the dice, the sizes of what is hidden, the own hand."""

    seat: Seat | None
    hand: tuple[Card, ...]
    """Empty for a reader without a seat."""
    drawn: Card | None
    """The card that the reader drew in this turn."""
    has_drawn: bool
    """Whether the seat to play has drawn in this turn."""
    hand_sizes: tuple[int, ...]
    stock_size: int
    table: Table
    on: tuple[bool, ...]
    turn: Seat
    turns: int
    movements_left: int
    placed: int
    passes: int
    commit: Commit | None
    rounds: Rounds
    options: Mapping[str, str]
    points: tuple[int, ...] | None
    result: Result | None

    @property
    def ace(self) -> Ace:
        return cast(Ace, self.options["ace"])


class Movement(actions.Action):
    """Cards for one destination (rule 7)."""

    cards: tuple[Card, ...]
    group: str | None = None
    """The group they are added to; None lays a new one."""


class Plain(actions.Action):
    """An action of a single word: ``draw``, ``reset`` or ``end``."""

    word: str


Action: TypeAlias = Movement | Plain


def sorted_hand(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """A hand in the order in which it lies."""
    return tuple(sorted(hand, key=by_suit))


def placed_since_commit(groups: tuple[Group, ...], commit: Commit | None) -> tuple[Card, ...]:
    """The hand cards that a reset would take back."""
    if commit is None:
        return ()
    before = {card for group in commit.table.groups for card in group.cards}
    return tuple(card for group in groups for card in group.cards if card not in before)
