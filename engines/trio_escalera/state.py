"""The values of Trío y Escalera: cards, actions, the public part, states and views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, TypeAlias, cast

from engines.actions import Action, Cards, ReadCard, Word
from engines.cards import BACKS, Card, deck
from engines.game import Result, Seat
from engines.melds import Ace
from engines.position import Aside, Pointing
from engines.trio_escalera.dice import Rounds
from engines.trio_escalera.groups import Group, Numbers, Table, suit_by_suit
from engines.values import Value, part

DECK = deck(backs=BACKS)


def group_name(word: str) -> str:
    """The group that a word names, in any case and with the accent that a phone may put on it."""
    return word.casefold().replace("í", "i")


class GroupName(Word):
    """The name of a group, read by `group_name`."""

    def from_words(self, words: Sequence[str], card: ReadCard) -> str:
        return group_name(words[0])


class Lay(Action):
    """A movement that makes a new group (rule 7)."""

    verb: ClassVar = "lay"
    wide: ClassVar = True
    group: ClassVar[str | None] = None
    cards: Annotated[tuple[Card, ...], Cards(suit_by_suit)]


class Add(Action):
    """A movement that enlarges a group (rule 7)."""

    verb: ClassVar = "add"
    wide: ClassVar = True
    group: Annotated[str, GroupName()]
    cards: Annotated[tuple[Card, ...], Cards(suit_by_suit)]


class Draw(Action):
    """Rule 11: one card of the stock, once a turn."""

    verb: ClassVar = "draw"


class Reset(Action):
    """Rule 13: back to the last commit."""

    verb: ClassVar = "reset"


class End(Action):
    """Rule 14: the end of the turn."""

    verb: ClassVar = "end"


Movement: TypeAlias = Lay | Add
AnyAction: TypeAlias = Movement | Draw | Reset | End


def movement(cards: Sequence[Card], group: str | None) -> Movement:
    """The movement that brings cards, in any order, to a group, or to a new one where it is None."""
    spelled = tuple(sorted(cards, key=suit_by_suit))
    return Lay(spelled) if group is None else Add(group, spelled)


class Commit(Value):
    """The table that a reset returns to; the hand follows from it, since its cards lie on the table now."""

    table: Table
    on: tuple[bool, ...]
    movements_left: int
    placed: int


class Public(Value, kw_only=True):
    """The part of the game that everybody sees; a state and every view of it have it in common."""

    groups: tuple[Group, ...] = ()
    numbers: Aside[Numbers] = (0, 0)
    on: tuple[bool, ...]
    """Which seats have opened."""
    turn: Seat = 0
    movements_left: int = 5
    placed: int = 0
    """Hand cards placed since the turn began."""
    passes: int = 0
    """Passes in a row."""
    commit: Aside[Commit | None] = None
    """The last commit, if there were movements since."""
    points: Aside[tuple[int, ...] | None] = None
    """The points of each hand at the end of the game; None before."""
    rounds: Aside[Rounds] = ()
    turns: Aside[int] = 1
    options: Aside[Mapping[str, str]]

    @property
    def table(self) -> Table:
        return Table(self.groups, self.numbers)

    @property
    def ace(self) -> Ace:
        return cast(Ace, self.options["ace"])


class State(Public, kw_only=True):
    """The whole truth."""

    hands: tuple[tuple[Card, ...], ...]
    """Each suit by suit."""
    stock: tuple[Card, ...] = ()
    """The next card first."""
    drawn: Pointing[Card | None] = None
    """The card drawn in this turn."""


class View(Public, kw_only=True):
    """A reader's knowledge: the public part, the sizes of what is hidden, the own hand."""

    seat: Seat | None
    hand: tuple[Card, ...]
    """Empty for a reader without a seat."""
    own_draw: Aside[Card | None]
    """The card that the reader drew in this turn."""
    has_drawn: Aside[bool]
    """Whether the seat to play has drawn in this turn."""
    hand_sizes: tuple[int, ...]
    stock_size: int
    result: Result | None


def known_state(view: View) -> State:
    """The state as far as the reader knows it: the other hands and the stock are empty."""
    hands = tuple(view.hand if seat == view.seat else () for seat in range(len(view.hand_sizes)))
    return State(**part(Public, view), hands=hands, drawn=view.own_draw)


def sorted_hand(hand: Sequence[Card]) -> tuple[Card, ...]:
    """A hand in the order in which it lies."""
    return tuple(sorted(hand, key=suit_by_suit))


def placed_since_commit(public: Public) -> tuple[Card, ...]:
    """The hand cards that a reset would take back."""
    if public.commit is None:
        return ()
    before = {card for group in public.commit.table.groups for card in group.cards}
    return tuple(card for group in public.groups for card in group.cards if card not in before)
