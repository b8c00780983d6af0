"""Declares the values of Boathouse Rum: actions, melds, settlements, states and views.

Rule numbers, here and in the other modules, are those of ``RULES.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from engines import actions
from engines.actions import MessageFields, ReadCard, Spelling, refuse_malformed
from engines.cards import Card, deck
from engines.divisions import Division
from engines.game import Result, Seat
from engines.letters import letter_of, name_of
from engines.melds import Meld, Melds
from engines.position import Alias, Reference, Transient
from engines.shuffle import Seed
from engines.values import Value

Cards = tuple[Card, ...]

DECK = deck()
HAND_SIZES = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}
"""The cards dealt to each player, by the number of players (rule 1)."""
MELDS = Melds(ace="wrap")
"""The legal melds (rule 3)."""
is_meld = lru_cache(1 << 12)(MELDS.is_meld)
"""Whether cards are a legal meld; has a cache."""
in_table_order = lru_cache(1 << 12)(MELDS.in_order)
"""The cards of a meld in table order: a run from its first card, a set by suits; has a cache."""
_order = attrgetter("order")
DRAW_SIZE = 2
"""The number of cards that a draw takes (rule 4); fewer if fewer are left (rule 10)."""
MOST_THIN_TURNS = 3
"""Thin turns per player after which the hand is blocked (rule 10).

A turn is thin if fewer than two cards are left to draw.
"""


def in_canonical_order(cards: Iterable[Card]) -> Cards:
    """Sorts cards into the deck order in which actions name them."""
    return tuple(sorted(cards, key=_order))


class Draw(actions.Action):
    """Draws two cards from the stock, or the only one left, or the pile's top two (rules 4, 9 and 10)."""

    verb: ClassVar = "draw"
    source: Literal["stock", "pile"]


class Flip(actions.Action):
    """Turns the pile over as the new stock, then draws from it as `Draw` does (rules 9 and 10)."""

    verb: ClassVar = "flip"


class Lay(actions.Action):
    """Lays a meld from the hand on the table (rule 6), typed as ``meld 5H 6H 7H``."""

    verb: ClassVar = "meld"
    wide: ClassVar = True
    cards: Cards


class LayOff(actions.Action):
    """Adds cards from the hand to a meld on the table (rule 6), typed as ``layoff A 8H``."""

    verb: ClassVar = "layoff"
    wide: ClassVar = True
    meld: str
    cards: Cards


class Discard(actions.Action):
    """Puts a card from the hand on the pile, which ends the turn (rule 7)."""

    verb: ClassVar = "discard"
    card: Card


class MeldsSpelling(Spelling[tuple[Meld, ...]]):
    """Reads and writes melds: as words ``5H+6H+7H``, in messages as lists of cards.

    The cards of each meld are in canonical order, and the melds are sorted by their first cards.
    """

    def from_words(self, words: Sequence[str], card: ReadCard) -> tuple[Meld, ...]:
        return self._read([word.split("+") for word in words], card)

    def to_words(self, value: tuple[Meld, ...]) -> tuple[str, ...]:
        return tuple(["+".join(meld) for meld in value])

    def from_message(self, message: MessageFields, name: str) -> tuple[Meld, ...]:
        melds = message.required(name, list)
        for meld in melds:
            if not isinstance(meld, list) or not meld or not all(isinstance(card, str) for card in meld):
                refuse_malformed()
        return self._read(melds, message.card)

    def to_message(self, value: tuple[Meld, ...], name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {name: [list(meld) for meld in value]}

    def _read(self, melds: Sequence[Sequence[str]], card: ReadCard) -> tuple[Meld, ...]:
        read = [in_canonical_order(map(card, meld)) for meld in melds or refuse_malformed()]
        return tuple(sorted(read, key=lambda meld: meld[0].order))


_MELDS = MeldsSpelling()


class GoOut(actions.Action):
    """Lays the whole hand at once, as melds and at most one discard (option ``closed``)."""

    verb: ClassVar = "out"
    wide: ClassVar = True
    melds: Annotated[tuple[Meld, ...], _MELDS]
    discard: Card | None = None

    @classmethod
    def is_enabled(cls, options: Mapping[str, str]) -> bool:
        return options["going_out"] == "closed"

    @classmethod
    def from_words(cls, words: Sequence[str], card: ReadCard) -> Self:
        """Reads a single card at the end as the discard, and all other words as melds."""
        *melds, last = words or refuse_malformed()
        if "+" in last:
            return cls(_MELDS.from_words(words, card))
        return cls(_MELDS.from_words(melds, card), card(last))


AnyAction: TypeAlias = "Draw | Flip | Lay | LayOff | Discard | GoOut"


class TableMeld(Value):
    """A meld on the table."""

    name: str
    """The name in actions and messages, ``meld_0``, ``meld_1`` …; players see a letter (`Public.letter`)."""
    cards: Meld
    """In table order."""
    by: Seat
    """The seat that laid the meld."""


class Settlement(Value):
    """The end of a hand and its payments; ``divisions`` reveals the cards of all hands."""

    hand_number: int
    """The number of the hand in the game, from 1."""
    winner: Seat | None
    """The seat that went out, or that collects in a blocked hand; None if the hand is void."""
    blocked: bool
    doubled: bool
    """Whether the payments are doubled for a Rummy."""
    divisions: tuple[Division, ...]
    """Per seat, the cards left in hand, divided into melds and unmatched cards."""
    payments: tuple[int, ...]
    """Points received by each seat; negative for a payer."""
    melds: tuple[TableMeld, ...]
    """The melds on the table at the end."""
    discard: Card | None
    """The card on top of the pile."""


class Public(Value, kw_only=True):
    """The public part of the game, which a state and all its views share."""

    pile: Cards = ()
    """The discard pile, bottom first."""
    melds: tuple[TableMeld, ...] = ()
    turn: Seat = 0
    phase: str = "play"
    """``draw`` until the player has drawn, then ``play``; a position that omits it is in ``play``."""
    barred: Reference[Cards] = ()
    """Cards drawn from the pile in this turn and still in hand; they must not be discarded (rule 5)."""
    laid_before: tuple[bool, ...] = ()
    """Per seat, whether the player melded or laid off cards in an earlier turn of the hand."""
    laid_now: bool = False
    """Whether the player melded or laid off cards in this turn."""
    thin_turns: int = 0
    """Turns of the hand in which fewer than two cards were left to draw (rule 10)."""
    dealer: Seat = 0
    hand_number: Annotated[int, Alias("hand")] = 1
    """The number of the hand in the game, from 1."""
    ledger: tuple[int, ...] = ()
    """The score of each seat: the points received less those paid, over all hands so far."""
    known_cards: Transient[tuple[Cards, ...]] = ()
    """Per seat, the cards in hand that all players know, since the seat took them from the pile."""
    settled: Transient[Settlement | None] = None
    """The previous hand's settlement during the first round of a hand; after the game, the last hand's."""
    is_dealer_drawn: Transient[bool] = False
    """Whether the dealer of this hand was drawn at random."""
    turns: Transient[int] = 1
    options: Transient[Mapping[str, str]]

    def letter(self, name: str) -> str:
        """The letter by which players call the meld of this name; `letters.letter_of` says more."""
        return letter_of(name, [meld.name for meld in self.melds])

    def meld_called(self, word: str) -> str:
        """The name of the meld on the table that has this letter; the word itself if there is none."""
        return name_of(word, [meld.name for meld in self.melds])

    def find_meld(self, name: str) -> TableMeld | None:
        """The meld of this name on the table; None if there is none."""
        return next((meld for meld in self.melds if meld.name == name), None)


class State(Public, kw_only=True):
    """The complete state of a game, with all hidden cards."""

    hands: tuple[Cards, ...]
    stock: Cards = ()
    """The next card to draw comes first."""
    drawn: Transient[Cards] = ()
    """The cards drawn in this turn and still in hand; in a loaded position only the barred ones."""
    shuffles: Transient[int] = 1
    """The number of the latest shuffle, from 1; the seed gives each number an order of its own."""
    seed: Transient[Seed] = Seed()


class View(Public, kw_only=True):
    """One reader's view of a state: the public part, the reader's hand, the number of hidden cards."""

    seat: Seat | None
    hand: Cards
    """Empty for a reader without a seat."""
    drawn: Transient[Cards]
    """The cards that this reader drew in this turn and still holds."""
    hand_sizes: tuple[int, ...]
    stock_size: int
    result: Result | None


def points(card: Card) -> int:
    """The points of an unmatched card: ace 11, court cards 10, others their number (rule 11).

    No house rule can change them: `moves`, and in `brain` `deadwood` and `simulator`, compute tables of them
    at import.
    """
    return 11 if card.number == 1 else min(card.number, 10)


def is_over(state: State) -> bool:
    """Whether the hand is over: a seat has no cards left, or the hand is blocked (rules 8 and 10)."""
    return not all(state.hands) or (state.phase == "draw" and is_last_turn(state))


def is_last_turn(state: State) -> bool:
    """Whether the last thin turn has begun with its draw, so that its discard ends the hand (rule 10)."""
    return state.thin_turns >= MOST_THIN_TURNS * len(state.hands)


def unseen_cards(view: View) -> list[Card]:
    """The cards that the reader does not see, in canonical order.

    They are in the stock, or in other hands and not known to all players.
    """
    seen = {*view.hand, *view.pile}
    seen.update(*(meld.cards for meld in view.melds))
    seen.update(*(shown_cards(view, seat) for seat in range(len(view.hand_sizes))))
    return [card for card in DECK if card not in seen]


def shown_cards(view: View, seat: Seat) -> Cards:
    """The cards of a hand that all players know: those from the pile, and all at the end of the game."""
    if view.result and view.settled:
        division = view.settled.divisions[seat]
        return (*(card for meld in division.melds for card in meld), *division.unmatched)
    return view.known_cards[seat]
