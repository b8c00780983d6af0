"""The values of Svoi Kozyri: the actions, the public part, states and views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, TypeAlias

from engines import actions
from engines.actions import ReadCard, Spelling, malformed
from engines.cards import Card, UnknownCard
from engines.game import Result, Seat
from engines.position import Aside
from engines.shuffle import Seed
from engines.svoi.deck import Hand, Pile, Trumps
from engines.values import Value

LIMIT = 300
"""After this many actions, choices of trumps included, the game is a draw (rule 8)."""
REPEATS = 3
"""The game is a draw when the same position comes up this many times (rule 8)."""


class SuitSpelling(Spelling[str]):
    """``H``, in any case or as its symbol."""

    def from_words(self, words: Sequence[str], card: ReadCard) -> str:
        try:
            ace = Card(f"A{words[0]}")
        except UnknownCard:
            malformed()
        return malformed() if ace.back else ace.suit

    def to_words(self, value: str) -> tuple[str, ...]:
        return (value,)


class ChooseTrump(actions.Action):
    """Rule 1: a trump suit for the whole game."""

    verb: ClassVar = "trump"
    suit: Annotated[str, SuitSpelling()]


class Lead(actions.Action):
    """Rule 4: a card on an empty pile."""

    verb: ClassVar = "lead"
    card: Card


class Beat(actions.Action):
    """Rule 5: a card that beats the pile's top card, and a second card on it."""

    verb: ClassVar = "beat"
    card: Card
    next: Card | None = None
    """None if the first is the player's last card."""


class Take(actions.Action):
    """Rule 6: cards from the top of the pile into the hand."""

    verb: ClassVar = "take"


Action: TypeAlias = ChooseTrump | Lead | Beat | Take


class Public(Value, kw_only=True):
    """The part of the game that everybody sees; a state and every view of it have it in common."""

    pile: Pile = ()
    trumps: Trumps = (None, None)
    turn: Seat = 0
    dealer: Seat = 1
    phase: str = "play"
    """``trumps`` while trump suits are chosen and nothing is dealt (rule 1), else ``play``."""
    turns: Aside[int] = 1
    """One more than the actions taken: each action is a turn."""
    past: Aside[tuple[Pile, ...]] = ()
    """The pile at the beginning of every earlier turn of the play, oldest first."""
    options: Aside[Mapping[str, str]]


class State(Public, kw_only=True):
    """The whole truth."""

    hands: tuple[Hand, ...] = ((), ())
    repeated: Aside[bool] = False
    """Whether the position has come up `REPEATS` times; follows from ``past``, kept for speed."""
    seed: Aside[Seed] = Seed()
    """The seed of the deal to come; empty in a loaded position and after the deal."""


class View(Public, kw_only=True):
    """A reader's knowledge: the public part, the sizes of the hands, and the own hand."""

    seat: Seat | None
    hand: Hand
    """Empty for a reader without a seat."""
    hand_sizes: tuple[int, ...]
    result: Result | None

    @property
    def own_trump(self) -> str | None:
        """The reader's trump suit, if there is one."""
        return None if self.seat is None else self.trumps[self.seat]


def result(state: State) -> Result | None:
    """The result once a hand is empty or the game is a draw (rules 7 and 8)."""
    if state.phase == "trumps":
        return None
    own, other = state.hands
    if not (own and other):
        return Result.of((int(not own and bool(other)), int(not other and bool(own))))
    if state.turns > LIMIT or state.repeated:
        return Result.of((0, 0))
    return None
