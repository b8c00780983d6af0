"""The data of Svoi Kozyri: actions, the public fields, states and views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, TypeAlias

from engines import actions
from engines.actions import ReadCard, Spelling, refuse_malformed
from engines.cards import Card, UnknownCard
from engines.game import Result, Seat
from engines.position import Transient
from engines.shuffle import Seed
from engines.svoi.deck import Hand, Pile, Trumps
from engines.values import Value

ACTION_LIMIT = 300
"""The game is a draw after this many actions, choices of trumps included, unless the last wins (rule 8)."""
REPETITION_LIMIT = 3
"""The game is a draw when the same position comes up this many times (rule 8)."""


class SuitSpelling(Spelling[str]):
    """A suit: one word, ``H`` in either letter case or its symbol, and a string in a message."""

    def from_words(self, words: Sequence[str], card: ReadCard) -> str:
        try:
            ace = Card(f"A{words[0]}")
        except UnknownCard:
            refuse_malformed()
        return refuse_malformed() if ace.back else ace.suit

    def to_words(self, value: str) -> tuple[str, ...]:
        return (value,)


class ChooseTrump(actions.Action):
    """Rule 1: the player chooses a trump suit for the whole game."""

    verb: ClassVar = "trump"
    suit: Annotated[str, SuitSpelling()]


class Lead(actions.Action):
    """Rule 4: the player lays a card on the empty pile."""

    verb: ClassVar = "lead"
    card: Card


class Beat(actions.Action):
    """Rule 5: the player beats the pile's top card with a card and lays a second card on it."""

    verb: ClassVar = "beat"
    card: Card
    next: Card | None = None
    """The second card; None if the beating card is the player's last."""


class Take(actions.Action):
    """Rule 6: the player takes cards from the top of the pile into the hand."""

    verb: ClassVar = "take"


AnyAction: TypeAlias = ChooseTrump | Lead | Beat | Take


class Public(Value, kw_only=True):
    """The fields that every reader may see; states and views share them."""

    pile: Pile = ()
    trumps: Trumps = (None, None)
    turn: Seat = 0
    dealer: Seat = 1
    phase: str = "play"
    """``trumps`` while the players choose trump suits, before the deal (rule 1); then ``play``."""
    turns: Transient[int] = 1
    """One more than the number of actions so far; each action is a turn."""
    past: Transient[tuple[Pile, ...]] = ()
    """The pile before each earlier action of the phase ``play``, oldest first."""
    options: Transient[Mapping[str, str]]


class State(Public, kw_only=True):
    """The full state, with both hands."""

    hands: tuple[Hand, ...] = ((), ())
    repeated: Transient[bool] = False
    """Whether the position has come up `REPETITION_LIMIT` times; follows from ``past``, stored for speed."""
    seed: Transient[Seed] = Seed()
    """The seed for the deal; empty after the deal and in a loaded position."""


class View(Public, kw_only=True):
    """The view of one reader: the public fields, the sizes of the hands, and the reader's own hand."""

    seat: Seat | None
    hand: Hand
    """Empty for a reader without a seat."""
    hand_sizes: tuple[int, ...]
    result: Result | None

    @property
    def own_trump(self) -> str | None:
        """The reader's trump suit; None without a seat or before the choice."""
        return None if self.seat is None else self.trumps[self.seat]
