"""The values of Boathouse Rum: melds, actions, the public part, states and views.

The numbers of rules, here and in the other modules, are those of ``RULES.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from engines import actions
from engines.actions import Message, ReadCard, Spelling, malformed
from engines.cards import Card, deck
from engines.divisions import Division
from engines.game import Result, Seat
from engines.melds import Meld, Melds
from engines.position import Aside, Called, Pointing
from engines.shuffle import Seed
from engines.values import Value

Cards = tuple[Card, ...]

DECK = deck()
HAND_SIZES = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}
"""The cards dealt to each player, by the number of players (rule 1)."""
MELDS = Melds(ace="wrap")
"""Rule 3."""
is_meld = lru_cache(1 << 12)(MELDS.is_meld)
in_table_order = lru_cache(1 << 12)(MELDS.in_order)
_order = attrgetter("order")
DRAWN = 2
"""The cards that a draw takes (rule 4)."""
THIN_TURNS = 3
"""The thin turns a player after which the hand is blocked (rule 10)."""


def in_canonical_order(cards: Iterable[Card]) -> Cards:
    """The cards in the one order in which actions name them."""
    return tuple(sorted(cards, key=_order))


class Draw(actions.Action):
    """Rule 4: two cards from the stock or from the top of the pile."""

    verb: ClassVar = "draw"
    source: Literal["stock", "pile"]


class Flip(actions.Action):
    """Rule 9: the pile is turned over as the new stock, then two cards are drawn from it."""

    verb: ClassVar = "flip"


class Lay(actions.Action):
    """Rule 6: a meld from the hand comes to the table."""

    verb: ClassVar = "meld"
    wide: ClassVar = True
    cards: Cards


class LayOff(actions.Action):
    """Rule 6: cards from the hand are added to a meld on the table."""

    verb: ClassVar = "layoff"
    wide: ClassVar = True
    meld: str
    cards: Cards


class Discard(actions.Action):
    """Rule 7: one card goes on the pile, which ends the turn."""

    verb: ClassVar = "discard"
    card: Card


class MeldsSpelling(Spelling[tuple[Meld, ...]]):
    """Melds as words ``5H+6H+7H`` or as lists, by their first cards; each is in canonical order."""

    def from_words(self, words: Sequence[str], card: ReadCard) -> tuple[Meld, ...]:
        return self._read([word.split("+") for word in words], card)

    def to_words(self, value: tuple[Meld, ...]) -> tuple[str, ...]:
        return tuple(["+".join(meld) for meld in value])

    def from_message(self, message: Message, name: str) -> tuple[Meld, ...]:
        melds = message.take(name, list)
        for meld in melds:
            if not isinstance(meld, list) or not meld or not all(isinstance(card, str) for card in meld):
                malformed()
        return self._read(melds, message.card)

    def to_message(self, value: tuple[Meld, ...], name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {name: [list(meld) for meld in value]}

    def _read(self, melds: Sequence[Sequence[str]], card: ReadCard) -> tuple[Meld, ...]:
        read = [in_canonical_order(map(card, meld)) for meld in melds or malformed()]
        return tuple(sorted(read, key=lambda meld: meld[0].order))


_MELDS = MeldsSpelling()


class GoOut(actions.Action):
    """The option ``closed``: the whole hand at once, as melds and perhaps a discard."""

    verb: ClassVar = "out"
    wide: ClassVar = True
    melds: Annotated[tuple[Meld, ...], _MELDS]
    discard: Card | None = None

    @classmethod
    def known(cls, options: Mapping[str, str]) -> bool:
        return options["going_out"] == "closed"

    @classmethod
    def from_words(cls, words: Sequence[str], card: ReadCard) -> Self:
        """A single card at the end is the discard, all other words are melds."""
        *melds, last = words or malformed()
        if "+" in last:
            return cls(_MELDS.from_words(words, card))
        return cls(_MELDS.from_words(melds, card), card(last))


Action: TypeAlias = "Draw | Flip | Lay | LayOff | Discard | GoOut"


class TableMeld(Value):
    """A meld on the table."""

    name: str
    """``meld_0``, ``meld_1`` …"""
    cards: Meld
    """In table order."""
    by: Seat
    """The seat that laid the meld."""


class Settlement(Value):
    """The end of a hand and its payments; all cards in hand are shown for it."""

    hand: int
    """The number of the hand in the series."""
    winner: Seat | None
    """The seat that went out, or that collects in a blocked hand; None if the hand is void."""
    blocked: bool
    doubled: bool
    divisions: tuple[Division, ...]
    """The cards left to each seat."""
    payments: tuple[int, ...]
    """Points received by each seat; negative for a payer."""
    melds: tuple[TableMeld, ...]
    """The melds on the table at the end."""
    discard: Card | None
    """The card on top of the pile."""


class Public(Value, kw_only=True):
    """The part of the game that everybody sees; a state and every view of it have it in common."""

    pile: Cards = ()
    """The discard pile, bottom first."""
    melds: tuple[TableMeld, ...] = ()
    turn: Seat = 0
    phase: str = "play"
    """``draw``, then ``play``."""
    barred: Pointing[Cards] = ()
    """Drawn from the pile in this turn and still in hand (rule 5)."""
    laid_before: tuple[bool, ...] = ()
    """Per seat, whether it melded or laid off anything in an earlier turn."""
    laid_now: bool = False
    """Whether anything was melded or laid off in this turn."""
    thin_turns: int = 0
    dealer: Seat = 0
    number: Annotated[int, Called("hand")] = 1
    """The number of the hand in the series."""
    ledger: tuple[int, ...] = ()
    """Per seat, the points received less those paid."""
    known: Aside[tuple[Cards, ...]] = ()
    """Per seat, the cards in hand that it took from the pile before everybody's eyes."""
    settled: Aside[Settlement | None] = None
    """The end of the game, or of the previous hand during the first round of the next."""
    by_lot: Aside[bool] = False
    """Whether the first dealer was drawn by lot."""
    turns: Aside[int] = 1
    options: Aside[Mapping[str, str]]


class State(Public, kw_only=True):
    """The whole truth."""

    hands: tuple[Cards, ...]
    stock: Cards = ()
    """The next card first."""
    drawn: Aside[Cards] = ()
    """Drawn in this turn and still in hand."""
    shuffles: Aside[int] = 1
    """Shuffles so far, each with its own draws from the seed."""
    seed: Aside[Seed] = Seed()


class View(Public, kw_only=True):
    """A reader's knowledge: the public part, the sizes of what is hidden, the own hand."""

    seat: Seat | None
    hand: Cards
    """Empty for a reader without a seat."""
    drawn: Aside[Cards]
    """The cards that this reader drew in this turn and still holds."""
    hand_sizes: tuple[int, ...]
    stock_size: int
    result: Result | None


def points(card: Card) -> int:
    """The price of an unmatched card (rule 11)."""
    return 11 if card.number == 1 else min(card.number, 10)


def is_over(state: State) -> bool:
    """Whether a seat has no cards left, or the hand is blocked (rules 8 and 10)."""
    return not all(state.hands) or (state.thin_turns > 0 and state.phase == "draw" and is_last_turn(state))


def is_last_turn(state: State) -> bool:
    """Whether the hand is blocked at the end of this turn, after all thin turns (rule 10)."""
    return state.thin_turns >= THIN_TURNS * len(state.hands)


def find_meld(state: State, name: str) -> TableMeld | None:
    """The meld of that name on the table."""
    for meld in state.melds:
        if meld.name == name:
            return meld
    return None


def unseen_cards(view: View) -> list[Card]:
    """The cards whose place a reader does not know, in canonical order."""
    seen = {*view.hand, *view.pile}
    seen.update(*(meld.cards for meld in view.melds))
    seen.update(*(shown_cards(view, seat) for seat in range(len(view.hand_sizes))))
    return [card for card in DECK if card not in seen]


def shown_cards(view: View, seat: Seat) -> Cards:
    """The cards of a hand that everybody knows: those from the pile, and all at the end of the game."""
    if view.result and view.settled:
        division = view.settled.divisions[seat]
        return (*(card for meld in division.melds for card in meld), *division.unmatched)
    return view.known[seat]
