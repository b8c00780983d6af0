"""What a game of Boathouse Rum consists of; the numbers are those of ``RULES.md``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import TypeAlias

from engines import actions
from engines.cards import Card, deck
from engines.divisions import Division
from engines.game import Result, Seat
from engines.melds import Melds
from engines.position import Aside, Pointing
from engines.shuffle import Seed
from engines.values import Value

DECK = deck()
HAND_SIZES = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}
MELDS = Melds(ace="wrap")
"""Rule 3."""
is_meld = lru_cache(1 << 12)(MELDS.is_meld)
in_table_order = lru_cache(1 << 12)(MELDS.in_order)
_order = attrgetter("order")
DRAWN = 2
"""How many cards a draw takes (rule 4)."""
THIN_TURNS = 3
"""After so many thin turns a player the hand is blocked (rule 10)."""


class TableMeld(Value):
    """A meld on the table."""

    name: str
    cards: tuple[Card, ...]
    """In table order."""
    by: Seat


class Settlement(Value):
    """How a hand ended and who paid what; everybody's cards are laid open for it."""

    hand: int
    winner: Seat | None
    """Who went out, or collects in a blocked hand; nobody in a void one."""
    blocked: bool
    doubled: bool
    divisions: tuple[Division, ...]
    """The cards left to each seat."""
    payments: tuple[int, ...]
    """What each seat received, less than nothing for those who paid."""
    melds: tuple[TableMeld, ...]
    """The table as it was."""
    discard: Card | None
    """The card on top of the pile."""


class State(Value, kw_only=True):
    """The whole truth."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...] = ()
    """Next card first."""
    pile: tuple[Card, ...] = ()
    """The discard pile, bottom first."""
    melds: tuple[TableMeld, ...] = ()
    turn: Seat = 0
    phase: str = "play"
    """``draw``, then ``play``."""
    barred: Pointing[tuple[Card, ...]] = ()
    """Drawn from the pile in this turn and still in hand (rule 5)."""
    laid_before: tuple[bool, ...] = ()
    """Per seat, whether anything was put down in an earlier turn."""
    laid_now: bool = False
    thin_turns: int = 0
    dealer: Seat = 0
    hand: int = 1
    """Which hand of the series it is."""
    ledger: tuple[int, ...] = ()
    drawn: Aside[tuple[Card, ...]] = ()
    """What was drawn in this turn and is still in hand."""
    known: Aside[tuple[tuple[Card, ...], ...]] = ()
    """Per seat, the cards in hand that everybody saw it take from the pile."""
    settled: Aside[Settlement | None] = None
    """The end of the game, or of the hand before during the first round of the next."""
    by_lot: Aside[bool] = False
    """Whether the lot fell on the first dealer."""
    shuffles: Aside[int] = 1
    turns: Aside[int] = 1
    seed: Aside[Seed] = Seed()
    options: Aside[Mapping[str, str]]


class View(Value, kw_only=True):
    """What a reader knows: the table, the pile, sizes of what is hidden, the own hand."""

    seat: Seat | None
    hand: tuple[Card, ...]
    """Empty for a reader without a seat."""
    drawn: tuple[Card, ...]
    """What this reader drew in this turn."""
    hand_sizes: tuple[int, ...]
    known: tuple[tuple[Card, ...], ...]
    stock_size: int
    pile: tuple[Card, ...]
    melds: tuple[TableMeld, ...]
    turn: Seat
    turns: int
    phase: str
    barred: tuple[Card, ...]
    laid_before: tuple[bool, ...]
    laid_now: bool
    thin_turns: int
    dealer: Seat
    number: int
    """Which hand of the series it is."""
    ledger: tuple[int, ...]
    settled: Settlement | None
    options: Mapping[str, str]
    result: Result | None


class Draw(actions.Action):
    """Rule 4."""

    from_pile: bool


class Flip(actions.Action):
    """Rule 9."""


class Lay(actions.Action):
    """A meld (rule 6); here and below the cards stand in canonical order."""

    cards: tuple[Card, ...]


class LayOff(actions.Action):
    """Rule 6."""

    meld: str
    cards: tuple[Card, ...]


class Discard(actions.Action):
    """Rule 7."""

    card: Card


class GoOut(actions.Action):
    """The whole hand at once (option ``closed``), the melds by their first cards."""

    melds: tuple[tuple[Card, ...], ...]
    discard: Card | None


Action: TypeAlias = "Draw | Flip | Lay | LayOff | Discard | GoOut"


def points(card: Card) -> int:
    """What an unmatched card costs (rule 11)."""
    return 11 if card.number == 1 else min(card.number, 10)


def in_canonical_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The one order in which a choice of cards is spelled."""
    return tuple(sorted(cards, key=_order))


def is_over(state: State) -> bool:
    """Whether somebody has no cards left, or the hand is blocked (rules 8 and 10)."""
    return not all(state.hands) or (state.thin_turns > 0 and state.phase == "draw" and is_last_turn(state))


def is_last_turn(state: State) -> bool:
    """Whether the hand is blocked when this turn ends, after so many thin ones (rule 10)."""
    return state.thin_turns >= THIN_TURNS * len(state.hands)
