"""Declares the values of Trío y Escalera: actions, states and views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, TypeAlias, cast

from engines.actions import Action, Cards, ReadCard, Word
from engines.cards import BACKS, Card, deck
from engines.game import Result, Seat
from engines.letters import letter_of, name_of
from engines.melds import Ace
from engines.position import Reference, Transient
from engines.trio_escalera.dice import Rounds
from engines.trio_escalera.groups import Group, Numbers, TableGroups, suit_by_suit
from engines.values import Value, fields_of

DECK = deck(backs=BACKS)
"""Both packs in canonical order, from which the shuffle starts."""


def group_name(word: str) -> str:
    """A typed group name in lower case, without the accent of ``trío``."""
    return word.casefold().replace("í", "i")


class GroupName(Word):
    """Reads the name of a group with `group_name`."""

    def from_words(self, words: Sequence[str], card: ReadCard) -> str:
        return group_name(words[0])


class Lay(Action):
    """Makes a new group (rule 7)."""

    verb: ClassVar = "lay"
    wide: ClassVar = True
    group: ClassVar[str | None] = None
    """None, since the group is new; `Add` names its group here."""
    cards: Annotated[tuple[Card, ...], Cards(suit_by_suit)]


class Add(Action):
    """Adds cards to a group on the table (rule 7)."""

    verb: ClassVar = "add"
    wide: ClassVar = True
    group: Annotated[str, GroupName()]
    cards: Annotated[tuple[Card, ...], Cards(suit_by_suit)]


class Draw(Action):
    """Draws one card from the stock, at most once a turn (rule 11)."""

    verb: ClassVar = "draw"


class Reset(Action):
    """Takes back all movements since the last commit (rule 13)."""

    verb: ClassVar = "reset"


class End(Action):
    """Ends the turn (rule 14)."""

    verb: ClassVar = "end"


Movement: TypeAlias = Lay | Add
"""An action that uses up one of the movements of a turn (rule 7)."""
AnyAction: TypeAlias = Movement | Draw | Reset | End


def movement(cards: Sequence[Card], group: str | None) -> Movement:
    """The movement of cards, given in any order, to the named group, or to a new one if it is None."""
    spelled = tuple(sorted(cards, key=suit_by_suit))
    return Lay(spelled) if group is None else Add(group, spelled)


class Commit(Value):
    """The fields of `Public` that a reset restores, as they were at the start of the turn or after its draw.

    The hand is not stored: `placed_since_commit` finds the cards that return to it.
    """

    table: TableGroups
    on: tuple[bool, ...]
    movements_left: int
    placed: int
    came: tuple[str, ...]


class Public(Value, kw_only=True):
    """The public part of the game, which a state and all its views share."""

    groups: tuple[Group, ...] = ()
    numbers: Transient[Numbers] = (0, 0)
    came: Transient[tuple[str, ...]] = ()
    """The names of all groups that came to the table, in order; players call them by letters."""
    on: tuple[bool, ...]
    """Per seat, whether the player has opened."""
    turn: Seat = 0
    movements_left: int = 5
    placed: int = 0
    """The number of hand cards placed since the turn began."""
    passes: int = 0
    """The number of passes in a row up to now."""
    commit: Transient[Commit | None] = None
    """The fields at the last commit; None if there were no movements since."""
    points: Transient[tuple[int, ...] | None] = None
    """The points of each hand at the end of the game; None before the end."""
    rounds: Transient[Rounds] = ()
    """The throws of dice for the first turn."""
    turns: Transient[int] = 1
    """The number of turns begun."""
    options: Transient[Mapping[str, str]]

    @property
    def table(self) -> TableGroups:
        return TableGroups(self.groups, self.numbers)

    def letter(self, name: str) -> str:
        """As `letters.letter_of`, for a group of this game."""
        return letter_of(name, self.came)

    def group_called(self, word: str) -> str:
        """The name of the group on the table that has this letter; the word itself if there is none."""
        name = name_of(word, self.came)
        return name if self.table.find(name) else word

    @property
    def ace(self) -> Ace:
        return cast(Ace, self.options["ace"])


class State(Public, kw_only=True):
    """The complete state of a game, with all hidden cards."""

    hands: tuple[tuple[Card, ...], ...]
    """Each hand is sorted by suit, then by rank."""
    stock: tuple[Card, ...] = ()
    """The next card to draw comes first."""
    drawn: Reference[Card | None] = None
    """The card drawn in this turn; None before the draw."""


class View(Public, kw_only=True):
    """One reader's view of a state: the public part, the reader's hand, the number of hidden cards."""

    seat: Seat | None
    hand: tuple[Card, ...]
    """Empty for a reader without a seat."""
    own_draw: Transient[Card | None]
    """The card that the reader drew in this turn."""
    has_drawn: Transient[bool]
    """Whether the player whose turn it is has drawn in this turn."""
    hand_sizes: tuple[int, ...]
    stock_size: int
    result: Result | None


def known_state(view: View) -> State:
    """The state as far as the reader knows it: the other hands and the stock are empty."""
    hands = tuple(view.hand if seat == view.seat else () for seat in range(len(view.hand_sizes)))
    return State(**fields_of(Public, view), hands=hands, drawn=view.own_draw)


def sorted_hand(hand: Sequence[Card]) -> tuple[Card, ...]:
    """A hand sorted by suit, then by rank."""
    return tuple(sorted(hand, key=suit_by_suit))


def on_table(public: Public) -> tuple[Card, ...]:
    """The cards of all groups on the table."""
    return tuple([card for group in public.groups for card in group.cards])


def placed_since_commit(public: Public) -> tuple[Card, ...]:
    """The hand cards placed since the last commit, which a reset would return to the hand."""
    if public.commit is None:
        return ()
    before = {card for group in public.commit.table.groups for card in group.cards}
    return tuple(card for card in on_table(public) if card not in before)
